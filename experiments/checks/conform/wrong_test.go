package conform

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/draws"
	"breadboard/grid/longtest"
)

// aCopy returns chains, or moves, that can be changed.
func aCopy(b *draws.Batch) *draws.Batch {
	out := &draws.Batch{Beta: slices.Clone(b.Beta), From: slices.Clone(b.From), To: slices.Clone(b.To)}
	appendRows(out, b)
	if out.Path != nil {
		out.XFirst = out.Path[0]
		out.XLast = out.Path[len(out.Path)-1]
	}
	return out
}

// movesOf draws moves of a kernel at betas, from states that go around.
func movesOf(t *testing.T, l *Laws, k chains.Kernel, betas []float64, n int) *draws.Batch {
	t.Helper()
	a := l.task.Case.Annealing()
	c := chains.NewSampler(newSource(5))
	b := &draws.Batch{Rows: n}
	logf := make([][]float64, len(betas))
	for i, beta := range betas {
		logf[i] = make([]float64, a.States())
		a.Path().LogF(logf[i], chains.At(beta))
	}
	for i := range n {
		at := i % len(betas)
		x := i / len(betas) % a.States()
		b.Beta, b.From = append(b.Beta, betas[at]), append(b.From, int32(x))
		b.To = append(b.To, int32(k.Move(c, logf[at], x)))
	}
	return b
}

var transitionsOnly = draws.Columns{Transitions: true}

// TestMoves: right moves pass, at stages, between them, and at both ends; wrong ones are found at
// their beta, and a single impossible one with its row.
func TestMoves(t *testing.T) {
	l := smallLaws(t)
	space := l.task.Case.Toy.Space
	metropolis := kernels.Metropolis{Space: space}
	betas := []float64{0, 1. / 9, 0.3, 4. / 9, 0.7777, 1}
	right := movesOf(t, l, metropolis, betas, 60_000)
	out := checked(t, l, Input{Moves: source(right, transitionsOnly)}, Options{})
	passes(t, "right moves", out)
	if len(out.Results) != len(betas) || out.Moves != 60_000 {
		t.Errorf("%d tests of %d moves", len(out.Results), out.Moves)
	}
	for _, r := range out.Results {
		if r.Draws != 10_000 {
			t.Errorf("%s: %d moves", r.Test, r.Draws)
		}
	}

	barker := movesOf(t, l, kernels.Barker{Space: space}, betas, 60_000)
	mixed := aCopy(right)
	for i := range mixed.To {
		if mixed.Beta[i] == 0.3 {
			mixed.To[i] = barker.To[i]
		}
	}
	out = checked(t, l, Input{Moves: source(mixed, transitionsOnly)}, Options{})
	if found := out.faults(); len(found) != 1 || found[0].Test != "moves at beta = 0.3" ||
		!strings.HasPrefix(found[0].Where, "after ") {
		t.Errorf("Barker's moves at beta = 0.3: %+v", found)
	}

	const row = 43_210
	jump := aCopy(right)
	jump.From[row], jump.To[row] = 0, 11
	out = checked(t, l, Input{Moves: source(jump, transitionsOnly)}, Options{})
	if found := out.faults(); len(found) != 1 ||
		found[0].Where != "row 43211: a move from state 0 to state 11 has probability zero" {
		t.Errorf("an impossible move: %+v", found)
	}
}

// TestNearBetas: a beta of a stage that is written with few digits is taken for it, and one a
// little farther away has its own test.
func TestNearBetas(t *testing.T) {
	l := smallLaws(t)
	const stage = 4. / 9
	for off, tests := range map[float64]int{0.9e-9: 1, -0.9e-9: 1, 1.1e-9: 2, -1.1e-9: 2} {
		moves := movesOf(t, l, kernels.Metropolis{Space: l.task.Case.Toy.Space}, []float64{stage, stage + off}, 200)
		if out := checked(t, l, Input{Moves: source(moves, transitionsOnly)},
			Options{}); len(out.Results) != tests || out.Fault() {
			t.Errorf("a beta that is off by %v: %d tests, want %d; fault: %v", off, len(out.Results), tests,
				out.Fault())
		}
	}
}

// TestBadMoves: what cannot be tested is an error, which names the source and the row.
func TestBadMoves(t *testing.T) {
	l := smallLaws(t)
	spread := &draws.Batch{}
	for i := range maxBetas + 1 {
		spread.Beta = append(spread.Beta, float64(i)/maxBetas*0.99)
		spread.From, spread.To, spread.Rows = append(spread.From, 0), append(spread.To, 0), i+1
	}
	s := taskOf(t, "random:2:3:80x80", 4, "linear")
	large := NewLaws(s)
	for _, c := range []struct {
		name string
		laws *Laws
		all  *draws.Batch
		want string
	}{
		{"a beta of 1.5",
			l, &draws.Batch{Rows: 2, Beta: []float64{0.5, 1.5}, From: []int32{0, 0}, To: []int32{0, 0}},
			"test, row 2: beta is 1.5; write an inverse temperature from 0 to 1"},
		{"too many betas", l, spread,
			"test, row 1001: there are more than 1000 different betas; test fewer at a time"},
		{"too many states", large,
			&draws.Batch{Rows: 1, Beta: []float64{0.5}, From: []int32{0}, To: []int32{0}},
			"test, row 1: the moves between 6400 states at 1 beta have more than 16777216 cells; test " +
				"fewer betas at a time, or a smaller toy"},
		{"no moves", l, &draws.Batch{}, "test: there are no moves in it"},
	} {
		_, err := c.laws.Check(t.Context(), Input{Moves: source(c.all, transitionsOnly)}, Options{Alpha: DefaultAlpha})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	_, err := l.Check(t.Context(), Input{Moves: source(drawn(t, l.task, chains.Forward, 10, 1), short)},
		Options{Alpha: DefaultAlpha})
	if err == nil || err.Error() != "test: it has no columns beta, from and to; single moves need them" {
		t.Errorf("chains for moves: %v", err)
	}
}

// TestThresholds: over all tests that a run ever has, the probabilities of a false alarm sum up to
// at most alpha.
func TestThresholds(t *testing.T) {
	longtest.Only(t)
	l := smallLaws(t)
	var betas []float64
	for i := range 400 {
		betas = append(betas, float64(i)/399)
	}
	moves := movesOf(t, l, kernels.Metropolis{Space: l.task.Case.Toy.Space}, betas, 4000)
	const alpha = 0.01
	for bits := 1; bits < 16; bits++ {
		var in Input
		if bits&1 > 0 {
			in.Forward = source(drawn(t, l.task, chains.Forward, 600, 1), everything)
		}
		if bits&2 > 0 {
			in.Reverse = source(drawn(t, l.task, chains.Reverse, 600, 1), everything)
		}
		if bits&4 > 0 {
			in.Moves = source(moves, transitionsOnly)
		}
		if bits&8 > 0 {
			in.Estimates = estimates(l.task.LogZT, l.task.LogZT, l.task.LogZT)
		}
		out := checked(t, l, in, Options{Alpha: alpha, Estimates: unbiased()})
		total := 0.0
		for _, r := range out.Results {
			total += math.Exp(-r.LogThreshold)
		}
		if !(total <= alpha*(1+1e-12)) || total < 0.49*alpha {
			t.Errorf("input %04b: %d tests have false alarms of %v together, want at most %v", bits,
				len(out.Results), total, alpha)
		}
	}
}

// TestUntilDecided: the run stops as soon as the fault is certain and named.
func TestUntilDecided(t *testing.T) {
	longtest.Only(t)
	l := usualLaws(t)
	n := longtest.Times(20_000, 100_000)
	in := Input{
		Forward: source(weightAfterMove(t, l, chains.Forward, n), short),
		Reverse: source(weightAfterMove(t, l, chains.Reverse, n), short),
	}
	out := checked(t, l, in, Options{UntilDecided: true})
	for d, s := range out.Sides {
		want := []string{hypotheses.AfterMove, hypotheses.BeforeMove}[d]
		if !s.Fault || s.Chains > 2048 || len(s.Named) != 1 || s.Named[0] != want ||
			s.Odds[0].Posterior < decidedPosterior {
			t.Errorf("%v: fault: %v after %d chains, named %q with %v", s.Direction, s.Fault, s.Chains,
				s.Named, s.Odds[0].Posterior)
		}
	}
	// Right chains in the other direction say nothing, and the run stops all the same.
	in = Input{
		Forward: source(many(t, l.task, chains.Forward, n, 9), short),
		Reverse: source(weightAfterMove(t, l, chains.Reverse, n), short),
	}
	out = checked(t, l, in, Options{UntilDecided: true})
	if s := out.Sides[1]; !s.Fault || out.Sides[0].Fault || s.Chains > 2048 || len(s.Named) != 1 ||
		s.Odds[0].Posterior < decidedPosterior {
		t.Errorf("reverse: fault: %v after %d chains, named %q", s.Fault, s.Chains, s.Named)
	}
	// Right code is read to its end.
	in = Input{Forward: source(many(t, l.task, chains.Forward, n, 9), short)}
	if out := checked(t, l, in, Options{UntilDecided: true}); out.Sides[0].Chains != n || out.Fault() {
		t.Errorf("right chains: %d of %d read, fault: %v", out.Sides[0].Chains, n, out.Fault())
	}
}

// weightAfterMove returns chains whose increments are taken on the other side of the moves.
func weightAfterMove(t *testing.T, l *Laws, d chains.Direction, n int) *draws.Batch {
	t.Helper()
	b := drawn(t, l.task, d, n, 8)
	a := l.task.Case.Annealing()
	clear(b.LogW)
	for stage := 2; stage <= a.Distributions(); stage++ {
		delta := increments(a, d, stage)
		for i, x := range b.Path[stage-1] {
			b.LogW[i] += delta[x]
		}
	}
	return b
}

// TestSpecificationFirst: rounding does not put a hypothesis before the specification that cannot
// be told from it.
func TestSpecificationFirst(t *testing.T) {
	odds := func(names ...string) (out []hypotheses.Odds) {
		for _, name := range names {
			out = append(out, hypotheses.Odds{Name: name})
		}
		return out
	}
	const spec = hypotheses.Specification
	for _, c := range []struct {
		named []string
		odds  []hypotheses.Odds
		want  string
	}{
		{[]string{"a", "b", spec}, odds("a", "c", spec, "b"),
			fmt.Sprint([]string{spec, "a", "b"}, odds(spec, "a", "c", "b"))},
		{[]string{spec, "a"}, odds(spec, "a"), fmt.Sprint([]string{spec, "a"}, odds(spec, "a"))},
		{[]string{"a"}, odds("a", spec), fmt.Sprint([]string{"a"}, odds("a", spec))},
		{nil, odds("a", spec), fmt.Sprint([]string{}, odds("a", spec))},
	} {
		s := Side{Named: c.named, Odds: c.odds}
		specificationFirst(&s)
		if got := fmt.Sprint(s.Named, s.Odds); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestFiveErrorsOfStates: a state of x_T that is drawn too often by five standard errors is no
// pass.
func TestFiveErrorsOfStates(t *testing.T) {
	const n = 20_000
	l := smallLaws(t)
	p := longtest.Must(l.ofChains(t.Context()))(t).Last(chains.Forward)
	likeliest := slices.Index(p, slices.Max(p))
	for _, errors := range []float64{0, 4.7, 5.4} {
		b := &draws.Batch{Rows: n}
		off := errors * math.Sqrt(n*p[likeliest]*(1-p[likeliest]))
		left := 0.0
		for x, v := range p {
			left += n*v - off*v/(1-p[likeliest])
			if x == likeliest {
				left += off / (1 - p[likeliest])
			}
			for ; left >= 0.5 && len(b.XLast) < n; left-- {
				b.XLast = append(b.XLast, int32(x))
			}
		}
		b.Rows = len(b.XLast)
		rand.New(newSource(1)).Shuffle(b.Rows, func(i, j int) { b.XLast[i], b.XLast[j] = b.XLast[j], b.XLast[i] })
		out := checked(t, l, input(chains.Forward, source(b, draws.Columns{XLast: true})), Options{})
		passes(t, "a state", out)
		if r := result(t, out, "forward states of x_T"); (r.Open != "") != (errors > 5) {
			t.Errorf("%v standard errors: %+v", errors, r)
		}
	}
}

// TestFiveErrorsOfLogW: log weights whose mean is off by five standard errors are no pass.
func TestFiveErrorsOfLogW(t *testing.T) {
	longtest.Only(t) // quantiles take a millisecond each
	const (
		quantiles = 500
		n         = 8 * quantiles
	)
	l := smallLaws(t)
	law := longtest.Must(l.ofChains(t.Context()))(t).LogW(chains.Forward)
	var values []float64
	var mean, square float64
	for i := range quantiles {
		v := law.Quantile((float64(i) + 0.5) / quantiles).Low
		values = append(values, slices.Repeat([]float64{v}, n/quantiles)...)
		mean += v / quantiles
		square += v * v / quantiles
	}
	rand.New(newSource(1)).Shuffle(n, func(i, j int) { values[i], values[j] = values[j], values[i] })
	for _, errors := range []float64{0, 4.7, 5.4} {
		b := &draws.Batch{Rows: n}
		for _, v := range values {
			b.LogW = append(b.LogW, v+errors*math.Sqrt((square-mean*mean)/n))
		}
		out := checked(t, l, input(chains.Forward, source(b, draws.Columns{LogW: true})), Options{})
		if r := result(t, out, "forward log w"); r.Fault || (r.Open != "") != (errors > 5) {
			t.Errorf("%v standard errors: %+v", errors, r)
		}
	}
}
