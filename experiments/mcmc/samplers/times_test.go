package samplers_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/exact/averages"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// standard are the bounds of the paper's two times.
func standard() samplers.TimesOptions { return samplers.Times().Standard }

// timesRows runs the study.
func timesRows(t testing.TB, s samplers.Selection, o samplers.TimesOptions) []samplers.TimesRow {
	t.Helper()
	return casetest.Rows(t, samplers.Times(), problemsOf(t, s), o)
}

// byMoves counts the moves of the two times one by one.
func byMoves(c *averages.Chain, start []float64, mi, tv float64) (mixing, burnIn float64) {
	n := c.States()
	laws := make([][]float64, n) // by the state where the chain begins
	for x := range laws {
		laws[x] = make([]float64, n)
		laws[x][x] = 1
	}
	law := slices.Clone(start)
	information := func() (total float64) {
		for x, p := range c.Target {
			for y, q := range laws[x] {
				if p > 0 && q > 0 {
					total += p * q * math.Log(q/c.Target[y])
				}
			}
		}
		return total
	}
	distance := func() (total float64) {
		for x, p := range c.Target {
			total += math.Abs(law[x]-p) / 2
		}
		return total
	}
	step := func(law []float64) []float64 {
		next, _ := c.After(context.Background(), law, 1)
		return next
	}
	for ; information() > mi; mixing++ {
		for x := range laws {
			laws[x] = step(laws[x])
		}
	}
	for ; distance() > tv; burnIn++ {
		law = step(law)
	}
	return mixing, burnIn
}

// TestByMoves: both times are those that one finds move by move.
func TestByMoves(t *testing.T) {
	s := samplers.Selection{
		Reader:  forms.Reader(),
		Toys:    []string{"random:1:3:3x3", "random:2:5:2x2"},
		Kernels: []string{"metropolis", "heatbath-scan", "exact"},
		Starts:  []string{"uniform", "target", "point:3"},
		Warmup:  2,
	}
	for _, o := range []samplers.TimesOptions{standard(), {MI: 0.3, TV: 0.2}} {
		for _, r := range timesRows(t, s, o) {
			mixing, burnIn := byMoves(r.Chain, r.Start.Law, o.MI, o.TV)
			if r.Mixing.Moves != mixing || r.BurnIn.Moves != burnIn {
				t.Errorf("%s, %s, %s: %v and %v moves, want %v and %v", r.Toy.Name, r.Kernel, r.Start.Name,
					r.Mixing.Moves, r.BurnIn.Moves, mixing, burnIn)
			}
			if r.MI != o.MI || r.TV != o.TV || r.Curve != nil {
				t.Errorf("%+v", r)
			}
		}
	}
}

// TestReference: times that a program independent of this one has found.
func TestReference(t *testing.T) {
	for _, want := range []struct {
		toy, kernel, start string
		mixing, burnIn     float64
	}{
		{"easy", "metropolis", "uniform", 627, 563}, {"barrier", "metropolis", "uniform", 1329588, 2931593},
		{"random:1:3:5x5", "moore", "point:0", 55, 123},
		{"random:2:11:30", "metropolis", "point:0", 44823, 98879},
		// with a spectral gap of 5e-10
		{"easy", "heatbath-scan", "uniform", 6, 6},
		{"hard", "metropolis", "uniform", 10231690122, 18286009869},
	} {
		r := timesRows(t, samplers.Selection{
			Toys:    []string{want.toy},
			Kernels: []string{want.kernel},
			Starts:  []string{want.start},
		}, standard())[0]
		if r.Mixing.Moves != want.mixing || r.BurnIn.Moves != want.burnIn {
			t.Errorf("%s, %s, %s: %v and %v moves, want %v and %v", want.toy, want.kernel, want.start,
				r.Mixing.Moves, r.BurnIn.Moves, want.mixing, want.burnIn)
		}
	}
}

// TestNever: a chain that is reducible never forgets where it began, and a note says why.
func TestNever(t *testing.T) {
	path := longtest.File(t, "g.csv", "0,-inf,1\n")
	s := samplers.Selection{
		Reader:  forms.Reader(),
		Toys:    []string{"file:" + path},
		Kernels: []string{"metropolis"},
		Starts:  []string{"point:0", "target"},
	}
	o := standard()
	o.Curves = true
	for i, r := range timesRows(t, s, o) {
		if !math.IsInf(r.Mixing.Moves, 1) || r.Mixing.Note == "" {
			t.Errorf("mixing %+v", r.Mixing)
		}
		if i == 0 && (!math.IsInf(r.BurnIn.Moves, 1) || r.BurnIn.Note == "") ||
			i == 1 && r.BurnIn.Moves != 0 {
			t.Errorf("burn-in %+v", r.BurnIn)
		}
		if last := len(r.Curve.MI) - 1; !(r.Curve.MI[last] > 0.5) || r.Curve.Moves[last] < 1e6 {
			t.Errorf("the mutual information falls to %v after %d moves", r.Curve.MI[last], r.Curve.Moves[last])
		}
	}
}

// TestUnknownChains: if the mixing time is too much for the states, the row has no number for it, a
// note that says why, and the burn-in.
func TestUnknownChains(t *testing.T) {
	longtest.Only(t) // it has many states
	s := samplers.Selection{
		Reader:  forms.Reader(),
		Toys:    []string{"random:0.5:1:40x40"},
		Kernels: []string{"heatbath-scan"},
		Starts:  []string{"uniform"},
	}
	o := standard()
	o.Curves = true
	r := timesRows(t, s, o)[0]
	if !math.IsNaN(r.Mixing.Moves) || !strings.Contains(r.Mixing.Note, "1600 states") ||
		!(r.BurnIn.Moves > 0 && r.BurnIn.Moves < 100) || r.Curve != nil {
		t.Errorf("%+v", r)
	}
}

// TestCurves: the curves cross their bounds where the times say.
func TestCurves(t *testing.T) {
	o := standard()
	o.Curves = true
	for _, r := range timesRows(t, samplers.Selection{
		Toys:    []string{"easy"},
		Kernels: []string{"metropolis"},
		Starts:  []string{"uniform", "mode"},
	}, o) {
		c := r.Curve
		for i, k := range c.Moves {
			if (float64(k) >= r.Mixing.Moves) != (c.MI[i] <= o.MI) ||
				(float64(k) >= r.BurnIn.Moves) != (c.TV[i] <= o.TV) {
				t.Errorf("after %d moves MI is %v and TV %v; the times are %v and %v", k, c.MI[i], c.TV[i],
					r.Mixing.Moves, r.BurnIn.Moves)
			}
		}
		if c.Moves[0] != 0 || !slices.IsSorted(c.Moves) ||
			float64(c.Moves[len(c.Moves)-1]) < 2*r.BurnIn.Moves {
			t.Errorf("a curve at %v", c.Moves)
		}
	}
}

// coldDistances returns the distances from the target, g up to a constant, of the replica there of
// Metropolis on a line after each scan, from uniform starts of all replicas. It moves the joint
// distribution state by state: move each replica, then offer swaps to every second pair.
func coldDistances(g, betas []float64, scans int) (list []float64) {
	n := len(g)
	rungs := len(betas)
	joint := map[string]float64{}
	states := []string{""}
	for range rungs {
		var longer []string
		for _, s := range states {
			for x := range n {
				longer = append(longer, s+string(rune('a'+x)))
			}
		}
		states = longer
	}
	for _, s := range states {
		joint[s] = 1 / float64(len(states))
	}
	accept := func(d float64) float64 { return math.Min(1, math.Exp(d)) }
	put := func(s string, i, x int) string { return s[:i] + string(rune('a'+x)) + s[i+1:] }
	measure := func() {
		cold := make([]float64, n)
		z := 0.0
		tv := 0.0
		for s, p := range joint {
			cold[s[rungs-1]-'a'] += p
		}
		for _, v := range g {
			z += math.Exp(v)
		}
		for x := range cold {
			tv += math.Abs(cold[x]-math.Exp(g[x])/z) / 2
		}
		list = append(list, tv)
	}
	measure()
	for scan := range scans {
		for i, beta := range betas {
			next := map[string]float64{}
			for s, p := range joint {
				x := int(s[i] - 'a')
				for _, y := range []int{x - 1, x + 1} {
					if y < 0 || y >= n {
						next[s] += p / 2
						continue
					}
					a := accept(beta * (g[y] - g[x]))
					next[put(s, i, y)] += p / 2 * a
					next[s] += p / 2 * (1 - a)
				}
			}
			joint = next
		}
		for i := scan % 2; i+1 < rungs; i += 2 {
			next := map[string]float64{}
			for s, p := range joint {
				x, y := int(s[i]-'a'), int(s[i+1]-'a')
				a := accept((betas[i+1] - betas[i]) * (g[x] - g[y]))
				next[put(put(s, i, y), i+1, x)] += p * a
				next[s] += p * (1 - a)
			}
			joint = next
		}
		measure()
	}
	return list
}

// TestTempering: the burn-in and the distances of the replica at the target are those of the joint
// distribution that is moved state by state, and the work counts the moves of all replicas.
func TestTempering(t *testing.T) {
	g := []float64{1, -3, 0.5, -3, 2}
	accepted := func(low, high float64) (total float64) { // of a swap, by two independent draws
		zs := [2]float64{}
		for _, v := range g {
			zs[0] += math.Exp(low * v)
			zs[1] += math.Exp(high * v)
		}
		for _, v := range g {
			for _, w := range g {
				total += math.Exp(low*v) / zs[0] * math.Exp(high*w) / zs[1] *
					math.Min(1, math.Exp((high-low)*(v-w)))
			}
		}
		return total
	}
	low, high := 0.0, 1.0
	for range 60 {
		if middle := (low + high) / 2; accepted(0, middle) > accepted(middle, 1) {
			low = middle
		} else {
			high = middle
		}
	}
	o := standard()
	o.Curves = true
	s := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{"cells:1:-3:0.5:-3:2"},
		Kernels:   []string{"temper:2", "temper:3"},
		Starts:    []string{"uniform", "target"},
		Tempering: true,
	}
	for i, r := range timesRows(t, s, o) {
		betas := [][]float64{{0, 1}, {0, low, 1}}[i/2]
		if r.Ladder.Distributions() != len(betas) || r.Evaluations != float64(len(betas)) ||
			!math.IsNaN(r.Mixing.Moves) || r.Mixing.Note == "" {
			t.Errorf("%s: %d replicas, %v evaluations a move, mixing %+v", r.Kernel, r.Ladder.Distributions(),
				r.Evaluations, r.Mixing)
		}
		if i%2 == 1 {
			if !(r.BurnIn.Moves > 0) {
				// the replicas above begin at another distribution than theirs, and carry it down
				t.Errorf("from the target the burn-in is %v", r.BurnIn.Moves)
			}
			continue
		}
		want := coldDistances(g, betas, int(r.Curve.Moves[len(r.Curve.Moves)-1]))
		for k, moves := range r.Curve.Moves {
			if math.Abs(r.Curve.TV[k]-want[moves]) > 1e-12 {
				t.Errorf("%s: distance %v after %d scans, want %v", r.Kernel, r.Curve.TV[k], moves, want[moves])
			}
		}
		if k := int(r.BurnIn.Moves); k < 2 || want[k] > o.TV || want[k-1] <= o.TV {
			t.Errorf("%s: a burn-in of %d scans; the distances there are %v and %v", r.Kernel, k,
				want[k-1], want[k])
		}
	}
}

// TestTemperingIsRefused: what is not a number of replicas, what tempering has no use for, and
// joint states that are too many.
func TestTemperingIsRefused(t *testing.T) {
	for want, s := range map[string]samplers.Selection{
		"write the number of replicas": {Kernels: []string{"temper:x"}, Tempering: true},
		"leave warmup out": {
			Kernels:   []string{"temper:3"},
			Tempering: true,
			Warmup:    1,
		},
		"give fewer rungs":                         {Kernels: []string{"temper:5"}, Tempering: true},
		"parallel tempering has breadboard temper": {Kernels: []string{"temper:5"}},
	} {
		s.Reader = forms.Reader()
		s.Toys = []string{"easy"}
		s.Starts = []string{"uniform"}
		longtest.Refuses(s.Problems(context.Background()))(t, want)
	}
}

// TestTimesOfClasses: on classes there is the distance alone, in curves too.
func TestTimesOfClasses(t *testing.T) {
	o := standard()
	o.Curves = true
	r := timesRows(t, samplers.Selection{
		Toys:    []string{"curie-weiss:6:1"},
		Kernels: []string{"flip"},
		Starts:  []string{"mode"},
	}, o)[0]
	if !math.IsNaN(r.Mixing.Moves) ||
		!strings.Contains(r.Mixing.Note, "mutual information needs single states") || !(r.BurnIn.Moves > 0) ||
		r.Curve.MI != nil || len(r.Curve.TV) == 0 {
		t.Errorf("mixing %v, burn-in %v, curve %+v", r.Mixing, r.BurnIn, r.Curve)
	}
}

// TestTimesValidate: each refusal says what is wrong and what to do.
func TestTimesValidate(t *testing.T) {
	for want, o := range map[string]samplers.TimesOptions{
		"mi 0; give a bound": {TV: 0.1}, "mi NaN; give a bound": {MI: math.NaN(), TV: 0.1},
		"mi +Inf; give a bound": {MI: math.Inf(1), TV: 0.1}, "tv 1; give a bound": {MI: 0.1, TV: 1},
		"tv -0.1; give a bound": {MI: 0.1, TV: -0.1},
	} {
		casetest.Refuses(t, samplers.Times(), nil, o, want)
	}
}

// A chain that walks takes more than a million moves to forget on which side of a barrier it began.
func Example_samplersTimes() {
	ctx := context.Background()
	problems, _ := samplers.Selection{
		Reader: forms.Reader(),
		Toys:   []string{"easy", "barrier"}, Kernels: []string{"metropolis"}, Starts: []string{"uniform"},
	}.Problems(ctx)
	rows, err := study.Run(ctx, samplers.Times(), problems, samplers.Times().Standard, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%s: mixing after %.0f moves, burn-in after %.0f\n", r.Toy.Name, float64(r.Mixing.Moves),
			float64(r.BurnIn.Moves))
	}
	// Output:
	// easy: mixing after 627 moves, burn-in after 563
	// barrier: mixing after 1329588 moves, burn-in after 2931593
}

// TestTimesLieOnTheirCurves: each mark is a point of its line, in evaluations, of which independent
// draws from nine states take nine, and in moves beside a kernel without any.
func TestTimesLieOnTheirCurves(t *testing.T) {
	for _, names := range [][]string{{"metropolis", "heatbath", "exact", "temper:3"}, {"exact", "stay"}} {
		s := samplers.Selection{
			Reader:    forms.Reader(),
			Toys:      []string{"random:2:7:3x3"},
			Kernels:   names,
			Starts:    []string{"uniform"},
			Tempering: true,
		}
		o := samplers.TimesOptions{MI: 0.01, TV: 0.01, Curves: true}
		f := longtest.Must(samplers.Times().Declaration.Show(
			casetest.RowsBy(t, samplers.Times(), problemsOf(t, s), o, study.How{Figures: true}),
		).Figures()[0].Draw())(t)
		marks := 0
		last := map[string]float64{}
		for _, row := range f.Data.Rows {
			name, is := strings.CutSuffix(row[1].(string), ", the time")
			of := ", mixing"
			if !is {
				name, is = strings.CutSuffix(row[1].(string), ", burn-in time")
				of = ", burn-in"
			}
			if !is {
				last[row[1].(string)] = row[6].(float64)
				continue
			}
			marks++
			if !slices.ContainsFunc(f.Data.Rows,
				func(at []any) bool { return at[1] == name+of && at[3] == row[3] && at[6] == row[6] }) {
				t.Errorf("the mark of %s at %v is on no line", row[1], row[3])
			}
			if want := map[bool]float64{
				true: 9, false: 1}[len(names) > 2]; strings.HasPrefix(name, "exact") && row[3] != want {
				t.Errorf("independent draws take %v, want %v", row[3], want)
			}
		}
		if want := map[int]int{4: 7, 2: 2}[len(names)]; marks != want || last["exact, mixing"] != 0.001 {
			t.Errorf("%d marks, want %d; the last points are %v", marks, want, last)
		}
	}
}
