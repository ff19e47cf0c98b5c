package policies_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/policies"
	"breadboard/exact/stages"
	"breadboard/grid/longtest"
)

// annealed returns an annealing as a pair of policies: the forward one are its kernels, the
// backward one their time reversals, by definition.
func annealed(t *testing.T, a *chains.Annealing) policies.Model {
	n := a.States()
	T := a.Distributions()
	setup := policies.Setup{Layer: make([]int, n*T), LogF: make([]float64, n*T), Initial: map[int]float64{}}
	logf := make([][]float64, T+1)
	moves := make([][][]float64, T+1)
	for s := 1; s <= T; s++ {
		logf[s] = make([]float64, n)
		a.LogF(logf[s], s)
		if s > 1 {
			moves[s] = make([][]float64, n)
			for x := range n {
				moves[s][x] = make([]float64, n)
				for _, e := range a.KernelAt(s).(chains.Rower).AppendRow(nil, logf[s], x) {
					moves[s][x][e.To] += e.P
				}
			}
		}
		for x := range n {
			setup.Layer[(s-1)*n+x], setup.LogF[(s-1)*n+x] = s-1, math.NaN()
		}
	}
	copy(setup.LogF[(T-1)*n:], logf[T])
	first := number.LogSumExp(logf[1])
	for x, v := range logf[1] {
		setup.Initial[x] = v - first
	}
	setup.Forward = func(x int) (row []policies.Step, err error) {
		s := x/n + 2
		for y, p := range moves[s][x%n] {
			row = append(row, policies.Step{To: (s-1)*n + y, LogP: number.Log(p)})
		}
		return row, nil
	}
	setup.Backward = func(x int) (row []policies.Step, err error) {
		s := x/n + 1
		y := x % n
		for x := range n {
			row = append(row,
				policies.Step{To: (s-2)*n + x, LogP: number.Log(moves[s][x][y]) + logf[s][x] - logf[s][y]})
		}
		return row, nil
	}
	return longtest.Must(policies.NewTable(setup))(t)
}

func closeTo(got, want, tolerance float64) bool {
	return got == want || math.Abs(got-want) <= tolerance*max(1e-3, math.Abs(want))
}

// TestAnnealing: annealing is the pair of policies whose backward one is the reversal. All numbers
// are those of exact.Solve, and the contributions of the layers are those of the stages.
func TestAnnealing(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{"metropolis", "heatbath", "suwa-todo"} {
		for _, T := range []int{2, 7, 60} {
			a := exacttest.Annealing(t, "random:3:1:3x4", "linear", name, T)
			k := a.Kernel()
			g := make([]float64, a.States())
			a.LogF(g, T)
			want := longtest.Must(exact.Solve(ctx, a, exact.Options{}))(t)
			got := longtest.Must(policies.Solve(ctx, annealed(t, a), policies.Options{Visits: true}))(t)
			for name, pair := range map[string][2]float64{
				"J": {got.J.Value, want.J}, "B": {got.B.Value, want.B},
				"KL(q||p)": {got.KLQP.Value, want.KLQP}, "KL(p||q)": {got.KLPQ.Value, want.KLPQ},
				"KL(path_fwd||path_rev)": {got.KLForward.Value, want.LogZRatio - want.MeanLogWForward},
				"KL(path_rev||path_fwd)": {got.KLReverse.Value, want.MeanLogWReverse - want.LogZRatio},
				"log Z":                  {got.LogZ, number.LogSumExp(g)},
			} {
				if !closeTo(pair[0], pair[1], 1e-12) {
					t.Errorf("%v, T = %d: %s is %v, and of the annealing %v", k, T, name, pair[0], pair[1])
				}
			}
			for x, q := range want.Output {
				if v := got.Visits[(T-1)*len(g)+x]; !closeTo(v, q, 1e-12) {
					t.Errorf("%v, T = %d: q(%d) is %v, and of the annealing %v", k, T, x, v, q)
				}
			}
			gap := longtest.Must(stages.GapByStage(ctx, a, nil))(t)
			for i, s := range gap.Stages {
				if l := got.Layers[i]; !closeTo(l.Forward.Value, s.Forward, 1e-10) ||
					!closeTo(l.Reverse.Value, s.Reverse, 1e-10) {
					t.Errorf("%v, T = %d: stage %d is %+v, and the layer %+v", k, T, s.Stage, s, l)
				}
			}
		}
	}
}

// rare is a model with a step of probability 1e-130 more, which is out of the range of the fast
// routes and changes no number.
type rare struct{ policies.Model }

func (m rare) Out(dst []policies.Edge, x int) []policies.Edge { return never(m.Model.Out(dst, x)) }
func (m rare) In(dst []policies.Edge, y int) []policies.Edge  { return never(m.Model.In(dst, y)) }

func never(edges []policies.Edge) []policies.Edge {
	return append(edges, policies.Edge{State: edges[0].State, Forward: -300, Backward: -300})
}

// TestRoutes: sums of probabilities give the numbers that logarithms give, also where paths of one
// kind alone make a step, and with ratios far from one.
func TestRoutes(t *testing.T) {
	for _, toy := range []string{
		"random:0.01:1:3x4", "random:3:1:3x4", "random:40:1:3x4", "random:100:1:2x3"} {
		for _, kernel := range []string{"metropolis", "heatbath"} {
			m := annealed(t, exacttest.Annealing(t, toy, "linear", kernel, 9))
			fast := longtest.Must(policies.Solve(t.Context(), m, policies.Options{}))(t)
			slow := longtest.Must(policies.Solve(t.Context(), rare{m}, policies.Options{}))(t)
			for name, of := range map[string]func(s *policies.Solution) number.Bounded{
				"J":                      func(s *policies.Solution) number.Bounded { return s.J },
				"B":                      func(s *policies.Solution) number.Bounded { return s.B },
				"KL(q||p)":               func(s *policies.Solution) number.Bounded { return s.KLQP },
				"ESS":                    func(s *policies.Solution) number.Bounded { return s.ESS },
				"KL(path_fwd||path_rev)": func(s *policies.Solution) number.Bounded { return s.KLForward },
			} {
				if a, b := of(fast), of(slow); a.Value != b.Value &&
					math.Abs(a.Value-b.Value) > a.Error+b.Error+1e-13*b.Value {
					t.Errorf("%s, %s: %s is %v, and in logarithms %v", toy, kernel, name, a, b)
				}
			}
		}
	}
}

// TestDigitsNearZero: at a J of 8e-11 and a B of 1e-5 ten digits are right, where q/p itself leaves
// five. The stated error bounds the true one.
func TestDigitsNearZero(t *testing.T) {
	ctx := context.Background()
	a := exacttest.Annealing(t, "random:0.01:1:3x4", "linear", "metropolis", 1000)
	want := longtest.Must(exact.Solve(ctx, a, exact.Options{}))(t)
	got := longtest.Must(policies.Solve(ctx, annealed(t, a), policies.Options{}))(t)
	for name, pair := range map[string][2]number.Bounded{
		"J": {got.J, number.Exactly(want.J)}, "B": {got.B, number.Exactly(want.B)}} {
		off := math.Abs(pair[0].Value - pair[1].Value)
		if off > 1e-10*pair[1].Value || off > pair[0].Error || pair[0].Lost() > 1e-7 {
			t.Errorf("%s is %v, want %v", name, pair[0], pair[1].Value)
		}
	}
}

// TestScaledRows: rows of float32 are divided by their sums, and the largest error is told.
func TestScaledRows(t *testing.T) {
	setup := policies.Setup{
		Layer: []int{0, 1, 1}, LogF: []float64{math.NaN(), 0, 0},
		Forward: func(int) ([]policies.Step, error) {
			return []policies.Step{{To: 1, LogP: math.Log(0.5)}, {To: 2, LogP: math.Log(0.500004)}}, nil
		},
		Backward: func(int) ([]policies.Step, error) { return []policies.Step{{To: 0}}, nil },
	}
	m := longtest.Must(policies.NewTable(setup))(t)
	s := longtest.Must(policies.Solve(context.Background(), m, policies.Options{Visits: true}))(t)
	if math.Abs(m.Scaled-4e-6) > 1e-12 || math.Abs(s.Visits[1]+s.Visits[2]-1) > 1e-15 ||
		math.Abs(s.Visits[2]/s.Visits[1]-1.000008) > 1e-12 {
		t.Errorf("scaled by %v, visits %v", m.Scaled, s.Visits)
	}
}

// TestRefusedTables: rows that are not probabilities, and steps to a layer that is not the next
// one, are errors.
func TestRefusedTables(t *testing.T) {
	nan := math.NaN()
	half := -math.Ln2
	row := func(steps ...policies.Step) policies.Rows {
		return func(int) ([]policies.Step, error) { return steps, nil }
	}
	to := func(x int, p float64) policies.Step { return policies.Step{To: x, LogP: p} }
	good := policies.Setup{
		Layer:    []int{0, 1, 1},
		LogF:     []float64{nan, 0, 1},
		Forward:  row(to(1, half), to(2, half)),
		Backward: row(to(0, 0)),
	}
	longtest.Must(policies.NewTable(good))(t)
	for want, change := range map[string]func(s *policies.Setup){
		"sums to 0.5":              func(s *policies.Setup) { s.Forward = row(to(1, half)) },
		"sums to 0;":               func(s *policies.Setup) { s.Backward = row() },
		"to 7, which is not":       func(s *policies.Setup) { s.Forward = row(to(7, 0)) },
		"to 0, which is not in":    func(s *policies.Setup) { s.Forward = row(to(0, 0)) },
		"give one from 0 to 1":     func(s *policies.Setup) { s.Forward = row(to(1, nan)) },
		"first states sum to 0.5;": func(s *policies.Setup) { s.Initial = map[int]float64{0: half} },
		"where paths end": func(s *policies.Setup) {
			s.Layer = []int{0, 1, 1}
			s.LogF = []float64{1, 0, 1}
		},
	} {
		s := good
		change(&s)
		longtest.Refuses(policies.NewTable(s))(t, want)
	}
	zero := good
	zero.LogF = []float64{nan, math.Inf(-1), math.Inf(-1)}
	longtest.Refuses(policies.Solve(t.Context(), longtest.Must(policies.NewTable(zero))(t),
		policies.Options{}))(t, "where paths end is -Inf")
}
