package draws

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains/number"
	"breadboard/exact/policies"
	"breadboard/experiments/draws/codes"
	"breadboard/grid/longtest"
)

// policiesOf returns policies over two layers of steps with 1, 3 and 4 states, whose last state is
// a zero of f. The forward policy has a factor in its logits, and the backward policy is uneven.
func policiesOf(t *testing.T, factor float64) policies.Model {
	layer := []int{0, 1, 1, 1, 2, 2, 2, 2}
	nan := math.NaN()
	rows := func(tilt float64, to func(x int) []int) policies.Rows {
		return func(x int) (row []policies.Step, err error) {
			total := 0.0
			for _, y := range to(x) {
				total += math.Exp(tilt * math.Sin(float64(3*x+7*y)))
			}
			for _, y := range to(x) {
				row = append(row, policies.Step{To: y, LogP: tilt*math.Sin(float64(3*x+7*y)) - math.Log(total)})
			}
			return row, nil
		}
	}
	return longtest.Must(policies.NewTable(policies.Setup{
		Layer: layer, LogF: []float64{nan, nan, nan, nan, 0.3, 1.7, -0.8, math.Inf(-1)},
		Forward:  rows(factor, func(x int) []int { return [][]int{{1, 2, 3}, {4, 5, 6, 7}}[layer[x]] }),
		Backward: rows(1.1, func(x int) []int { return [][]int{nil, {0}, {1, 2, 3}}[layer[x]] }),
	}))(t)
}

// drawn is a path with the parts of its log weight.
type drawn struct {
	x                       int
	target, backward, steps float64
}

func (d drawn) logW() float64 { return d.target + d.backward - d.steps }

func draw1(m policies.Model, rng *rand.Rand) (d drawn) {
	x := 0
	for {
		logf, ends := m.Target(x)
		if ends {
			d.x, d.target = x-4, logf
			return d
		}
		u := rng.Float64()
		for _, e := range m.Out(nil, x) {
			if u -= math.Exp(e.Forward); u < 0 {
				x, d.backward, d.steps = e.State, d.backward+e.Backward, d.steps+e.Forward
				break
			}
		}
	}
}

// checkedPaths checks draws whose log weights are written by a function.
func checkedPaths(t *testing.T, m policies.Model, all []drawn, write func(i int) float64) *Outcome {
	t.Helper()
	var b strings.Builder
	b.WriteString("state,log_w\n")
	for i, d := range all {
		fmt.Fprintf(&b, "%d,%v\n", d.x, write(i))
	}
	c := codes.OfLabels([]string{"0", "1", "2", "3"})
	r := longtest.Must(c.Stream(t.Context(), "paths.csv", strings.NewReader(b.String())))(t)
	return longtest.Must(CheckPolicy(t.Context(), "p", m, c, []*codes.Reader{r}, Options{Alpha: 1e-6}))(t)
}

// TestPolicies: right draws pass, also with weights of float32 and of six digits. Each mistake is
// found, and is named if it is known.
func TestPolicies(t *testing.T) {
	m, rng := policiesOf(t, 1), rand.New(rand.NewPCG(1, 2))
	all, other := make([]drawn, 3000), policiesOf(t, 1.3)
	var mean float64
	for i := range all {
		all[i] = draw1(m, rng)
		mean += math.Exp(all[i].logW()) / float64(len(all))
	}
	order := rng.Perm(len(all))
	of := func(i int) float64 { return all[i].logW() }
	for _, c := range []struct {
		says  string // empty for right ones
		write func(i int) float64
	}{
		{"", of},
		{"", func(i int) float64 {
			return float64(float32(all[i].target) + float32(all[i].backward) - float32(all[i].steps))
		}},
		{"", func(i int) float64 {
			var v float64
			_, _ = fmt.Sscan(fmt.Sprintf("%.6g", of(i)), &v)
			return v
		}},
		{"as if log weights have the opposite sign", func(i int) float64 {
			if math.IsInf(of(i), -1) {
				return of(i)
			}
			return -of(i)
		}},
		{"as if the sum of log P_B was omitted", func(i int) float64 { return all[i].target - all[i].steps }},
		{"as if the sum of log P_F was added, not subtracted", func(i int) float64 { return all[i].target + all[i].backward + all[i].steps }},
		{"shifted by C = 0.5; the frequencies", func(i int) float64 { return of(i) + 0.5 }},
		{"as if the weights were divided by their mean; the frequencies", func(i int) float64 { return of(i) - math.Log(mean) }},
		{"as if the log weights were shuffled against the states", func(i int) float64 { return of(order[i]) }},
		{"as if each state has the log weight of the draw before it", func(i int) float64 { return of(max(0, i-1)) }},
		{None + "; the frequencies of the states agree", func(i int) float64 { return of(i) + 0.1*all[i].steps }},
	} {
		out := checkedPaths(t, m, all, c.write)
		if (out.Fault == "") != (c.says == "") || !strings.Contains(out.Fault, c.says) {
			t.Errorf("%q: %s", c.says, out.Fault)
		}
	}
	for i := range all {
		all[i] = draw1(other, rng)
	}
	if out := checkedPaths(t, m, all, of); !strings.Contains(out.Fault, "line 2 (row 0): draw 1 has log w = ") ||
		!strings.Contains(out.Fault, "the nearest possible value is ") || !strings.Contains(out.Fault, None) {
		t.Error(out.Fault)
	}
}

// TestPoliciesWithoutACause: a shift is not named if the frequencies are wrong too, and no cause if
// there is one draw.
func TestPoliciesWithoutACause(t *testing.T) {
	m, rng := policiesOf(t, 1), rand.New(rand.NewPCG(5, 6))
	var all []drawn
	for len(all) < 3000 {
		if d := draw1(m, rng); d.x != 1 || rng.IntN(2) == 0 {
			all = append(all, d)
		}
	}
	out := checkedPaths(t, m, all, func(i int) float64 { return all[i].logW() + 0.5 })
	if !strings.Contains(out.Fault, None+"; the nearest is that log weights are shifted by C = 0.5; the states differ from q too: state 1: ") {
		t.Error(out.Fault)
	}
	if out = checkedPaths(t, m, all[:1], func(int) float64 { return 9 }); !strings.Contains(out.Fault, Several) {
		t.Error(out.Fault)
	}
}

// TestExactPolicy: on four states with one log weight each, a constant is named.
func TestExactPolicy(t *testing.T) {
	m := longtest.Must(policies.NewTable(policies.Setup{
		Layer: []int{0, 1, 1, 1, 1}, LogF: []float64{math.NaN(), 0.3, 1.7, -0.8, 0},
		Forward: func(int) (row []policies.Step, err error) {
			for y, g := range []float64{0.3, 1.7, -0.8, 0} {
				row = append(row, policies.Step{To: y + 1, LogP: g - number.LogSumExp([]float64{0.3, 1.7, -0.8, 0})})
			}
			return row, nil
		},
		Backward: func(int) ([]policies.Step, error) { return []policies.Step{{To: 0}}, nil },
	}))(t)
	rng := rand.New(rand.NewPCG(7, 8))
	all := make([]drawn, 300)
	for i := range all {
		all[i] = draw1(m, rng)
		all[i].x += 3 // its states end at 1
	}
	for says, shift := range map[string]float64{"shifted by C = 0.7; the": 0.7, "as if the weights were divided by Z, as if": -number.LogSumExp([]float64{0.3, 1.7, -0.8, 0})} {
		if out := checkedPaths(t, m, all, func(i int) float64 { return all[i].logW() + shift }); !strings.Contains(out.Fault, says) {
			t.Errorf("%q: %s", says, out.Fault)
		}
	}
}

// TestPathLaw: values that are nearer than two tolerances are one, and each value is found with its
// rounding.
func TestPathLaw(t *testing.T) {
	l := newPathLaw([][]policies.Atom{{{LogW: math.Inf(-1), LogP: -3}, {LogW: 1, LogP: -2}, {LogW: 1 + 1.5e-5, LogP: -2}, {LogW: 2, LogP: -1}}, nil}, 1e-5)
	if len(l.cells) != 3 || math.Abs(l.cells[1].p-2*math.Exp(-2)) > 1e-15 {
		t.Errorf("%+v", l.cells)
	}
	for _, c := range []struct {
		x, at int
		logW  float64
		is    bool
	}{{0, 0, math.Inf(-1), true}, {0, 1, 1 - 0.9e-5, true}, {0, 1, 1 + 2.4e-5, true}, {0, 1, 1 + 2.6e-5, false}, {0, 1, 1.4, false}, {0, 2, 1.6, false},
		{0, 2, 99, false}, {0, 1, -99, false}, {1, -1, 1, false}} {
		if at, is := l.find(c.x, c.logW); at != c.at || is != c.is {
			t.Errorf("log w = %v of state %d is in cell %d, %v, want %d, %v", c.logW, c.x, at, is, c.at, c.is)
		}
	}
}
