package placement_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/chains/selector/selectortest"
	"breadboard/exact/certified"
	"breadboard/exact/gradient"
	"breadboard/exact/stages"
	"breadboard/experiments/forms"
	"breadboard/experiments/placement"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// setup returns the geometric path to a toy and the paper's kernel on it.
func setup(tb testing.TB, selector string) (chains.Path, chains.Kernel) {
	tb.Helper()
	toy := longtest.Must(forms.All().Parse(selector))(tb)
	return geometric(tb, toy.G...), kernels.Metropolis{Space: toy.Space}
}

// family returns the family of a selector.
func family(tb longtest.Failer, selector string) placement.Family {
	tb.Helper()
	return longtest.Must(placement.Parse(selector, placement.Forms()))(tb)
}

// on returns the placement of a family on a path with a kernel.
func on(tb longtest.Failer, selector string, path chains.Path, kernel chains.Kernel) placement.Placement {
	tb.Helper()
	return longtest.Must(family(tb, selector).On(context.Background(), path, chains.Always(kernel)))(tb)
}

// place returns the schedule of a family with T distributions.
func place(tb longtest.Failer, selector string, path chains.Path, kernel chains.Kernel,
	T int) chains.Schedule {
	tb.Helper()
	return longtest.Must(on(tb, selector, path, kernel).Place(context.Background(), T))(tb).Schedule
}

// geometric returns the geometric path to a target.
func geometric(tb longtest.Failer, g ...float64) chains.Path {
	tb.Helper()
	return longtest.Must(paths.NewGeometric(nil, g))(tb)
}

// points returns the schedule of betas.
func points(tb longtest.Failer, betas ...float64) chains.Schedule {
	tb.Helper()
	return longtest.Must(schedules.NewPoints("", betas))(tb)
}

// best returns the best schedule for an objective.
func best(tb longtest.Failer, path chains.Path, kernel chains.Kernel, T int,
	o gradient.Objective) *placement.Optimum {
	tb.Helper()
	return longtest.Must(placement.Optimize(context.Background(), path, kernel, T, o, placement.Options{}))(tb)
}

func value(tb testing.TB, o gradient.Objective, path chains.Path, kernel chains.Kernel, s chains.Schedule,
	T int) float64 {
	tb.Helper()
	a := longtest.Must(chains.NewAnnealing(path, s, kernel, T))(tb)
	v, _, err := placement.Value(context.Background(), a, o, 1)
	longtest.Sure(v, err)
	return v.Value
}

// TestThreshold: all steps but the last have the conditional ESS asked for, and the last no less.
func TestThreshold(t *testing.T) {
	path, kernel := setup(t, "hard")
	s := place(t, "cess:0.95", path, kernel, 0).(*schedules.Points)
	for i := 2; i <= s.Len(); i++ {
		ess := 1 - stages.Compare(path, s.Beta(i-1, s.Len()), s.Beta(i, s.Len())).LostESS
		if i < s.Len() && math.Abs(ess-0.95) > 1e-9 || ess < 0.95-1e-9 {
			t.Errorf("step %d has a conditional ESS of %v", i, ess)
		}
	}
}

// TestConstantSpeed: equal parts of the length, by sums over many small steps; the root of twice KL
// is the length.
func TestConstantSpeed(t *testing.T) {
	path, kernel := setup(t, "barrier")
	const T, parts = 20, 200
	s := place(t, "fisher", path, kernel, T)
	var lengths []float64
	for i := 2; i <= T; i++ {
		from := s.Beta(i-1, T)
		step := s.Step(i, T) / parts
		total := 0.0
		for j := range parts {
			b := from + float64(j)*step
			total += math.Sqrt(2 * stages.Compare(path, b, b+step).KL)
		}
		lengths = append(lengths, total)
	}
	for _, l := range lengths {
		if math.Abs(l/lengths[0]-1) > 1e-4 {
			t.Errorf("lengths %v", lengths)
		}
	}
}

// TestLimitErrors: the limit of T B on two states, whose integral is elementary, is off by less
// than it says, and that of the best schedule is its least.
func TestLimitErrors(t *testing.T) {
	for _, gap := range []float64{1e-6, 0.1, 3, 37, 700, 1e4} {
		path := longtest.Must(paths.NewGeometric(nil, []float64{0, gap}))(t)
		kernel := kernels.Metropolis{Space: grid.MustNew(2)}
		limit := longtest.Must(placement.NewLimit(t.Context(), placement.NewGround(path, chains.Always(kernel), 1)))(t)
		got := longtest.Must(limit.LimitOf(&placement.Speed{At: func(float64) float64 { return 1 }}))(t)
		// With x = e^(-b gap) the friction is gap^2 x/(1+x)^2 (4/(1+x) - 1), and db is -dx/(gap x):
		// the integral is gap (1-x)/(1+x)^2 at b = 1.
		x := math.Exp(-gap)
		want := -gap * math.Expm1(-gap) / ((1 + x) * (1 + x))
		if off := math.Abs(got.Value - want); !(off <= got.Error+0x1p-50*want) || !(got.Lost() <= 1e-9) ||
			!(limit.Least().Value <= got.Value+got.Error+limit.Least().Error) {
			t.Errorf("a gap of %v: %v is off by %.3g; the least is %v", gap, got, off, limit.Least())
		}
	}
}

// TestLimitErrorsOfDraws: for exact draws the friction is the variance of d log f/db, whose
// integral is the difference of the means at both ends. The limit is off by less than it says on
// small random paths, also if a few states take over from many within a thousandth of the path.
func TestLimitErrorsOfDraws(t *testing.T) {
	longtest.Only(t)
	const bits = 900
	rng := rand.New(rand.NewPCG(1, 9))
	functions := certified.NewFunctions(bits)
	wide := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	for i := range 200 {
		span := []float64{1e-3, 10, 37, 100, 700, 1e4}[i%6]
		ends := [2][]float64{make([]float64, 2+rng.IntN(7))}
		for x := range ends[0] {
			rise := span * []float64{rng.Float64(), float64(x%3) / 2}[rng.IntN(2)]
			ends[0][x] = []float64{-rise, 40, 0.9 * span}[rng.IntN(3)] * rng.Float64()
			ends[1] = append(ends[1], ends[0][x]+rise)
		}
		path := longtest.Must(paths.NewGeometric(ends[0], ends[1]))(t)
		kernel := kernels.Exact{Space: grid.MustNew(len(ends[0]))}
		limit, err := placement.NewLimit(t.Context(), placement.NewGround(path, chains.Always(kernel), 1))
		if err != nil { // there is nothing to integrate, or fewer digits than in a float64
			continue
		}
		got := longtest.Must(limit.LimitOf(&placement.Speed{At: func(float64) float64 { return 1 }}))(t)
		var means [2]*big.Float
		for e, logf := range ends {
			total := wide(0)
			means[e] = wide(0)
			for x, l := range logf {
				w := functions.Exp(wide(l))
				total.Add(total, w)
				rise := wide(ends[1][x])
				rise.Sub(rise, wide(ends[0][x]))
				means[e].Add(means[e], rise.Mul(rise, w))
			}
			means[e].Quo(means[e], total)
		}
		off, _ := means[1].Sub(means[1], means[0]).Sub(means[1], wide(got.Value)).Float64()
		if !(math.Abs(off) <= got.Error) || !(got.Lost() <= 1e-8) {
			t.Errorf("from %v to %v: %v is off by %.3g", ends[0], ends[1], got, off)
		}
	}
}

// TestLimits compares the constants with figures that were computed apart from this program, each
// family's limit with the sum of s2 db^2 over its own steps.
func TestLimits(t *testing.T) {
	longtest.Only(t)
	path, kernel := setup(t, "easy")
	limit := longtest.Must(
		placement.NewLimit(context.Background(), placement.NewGround(path, chains.Always(kernel), 1)),
	)(t)
	linear := longtest.Must(limit.LimitOf(&placement.Speed{At: func(float64) float64 { return 1 }}))(t).Value
	if least := limit.Least().Value; math.Abs(linear-77.58394) > 5e-6 || math.Abs(least-76.38531) > 5e-6 {
		t.Errorf("%.9g and %.9g", linear, least)
	}
	families := []string{"linear", "friction", "cess", "sigmoid:4", "power:2", "curve:0:0.02:0.02:0.3:1",
		"curve:0:0:1", "fisher", "acceptance", "step-kl"}
	for _, selector := range families {
		p := on(t, selector, path, kernel)
		want := longtest.Must(limit.LimitOf(p.Speed))(t).Value
		const T = 400
		s := longtest.Must(p.Place(context.Background(), T))(t).Schedule
		sum := 0.0
		for i := 2; i <= T; i++ {
			step := s.Step(i, T)
			s2 := longtest.Must(stages.Friction(context.Background(), path, kernel, s.Beta(i, T)-step/2))(t)
			sum += s2.Value * step * step * (T - 1)
		}
		if math.Abs(sum/want-1) > 2e-3 {
			t.Errorf("%s: its steps sum to %v, the limit is %v", selector, sum, want)
		}
	}
}

// TestNothingIsBetter: no family, and no random change of the optimum, has a smaller objective.
func TestNothingIsBetter(t *testing.T) {
	const T = 10
	rng := rand.New(rand.NewPCG(1, 2))
	for _, toy := range []string{"barrier", "easy", "hard"} {
		if toy != "barrier" && !longtest.Enabled() {
			continue
		}
		path, kernel := setup(t, toy)
		for _, objective := range []gradient.Objective{
			gradient.ObjectiveB, gradient.ObjectiveJ, gradient.ObjectiveSuccess, gradient.ObjectiveTTS} {
			got := best(t, path, kernel, T, objective)
			if !got.Converged {
				t.Errorf("%s, %s: %s", toy, objective, got.Reason)
			}
			for _, f := range []string{"linear", "sigmoid:4", "power:2", "power:0.5", "geometric", "fisher",
				"friction", "acceptance", "step-kl", "cess"} {
				if v := value(t, objective, path, kernel, place(t, f, path, kernel, T), T); v < got.Value {
					t.Errorf("%s, %s: %s has %v, the optimum %v", toy, objective, f, v, got.Value)
				}
			}
			for range longtest.Times(10, 60) {
				if v := value(t, objective, path, kernel, points(t, perturbed(rng, got.Points, T)...), T); v <
					got.Value*(1-1e-9) {
					t.Errorf("%s, %s: a random change has %v, the optimum %v", toy, objective, v, got.Value)
				}
			}
		}
	}
}

// perturbed returns the betas of a schedule with random changes to all increments, of a random
// size.
func perturbed(rng *rand.Rand, s chains.Schedule, T int) []float64 {
	betas := make([]float64, T)
	size := math.Exp(-8 * rng.Float64())
	for i := 1; i < T; i++ {
		betas[i] = betas[i-1] + s.Step(i+1, T)*math.Exp(size*rng.NormFloat64()) +
			1e-3*size*rng.Float64()/float64(T)
	}
	for i := range betas {
		betas[i] /= betas[T-1]
	}
	return betas
}

// costs are what families make equal for all steps.
func costs() map[string]func(stages.Step) float64 {
	return map[string]func(stages.Step) float64{
		"step-kl":    func(s stages.Step) float64 { return s.KL },
		"acceptance": func(s stages.Step) float64 { return s.Rejection },
		"cess":       func(s stages.Step) float64 { return s.LostESS },
	}
}

// TestEqualStepsOnSteepTargets: steps are found equal where a step costs thousands of nats, and
// where the cost of the last one falls exponentially in the beta before it.
func TestEqualStepsOnSteepTargets(t *testing.T) {
	kernel := kernels.Metropolis{Space: grid.MustNew(2, 2)}
	for _, g := range [][]float64{
		{0, 37, 0, 0}, {0, 2000, 0, 0}, {0, -2000, 0, 0}, {0, 1e4, 0, 0}, {0, 745, 1, 2}} {
		path := geometric(t, g...)
		for selector, cost := range costs() {
			for _, T := range []int{2, 3, 10} {
				s := place(t, selector, path, kernel, T)
				first := cost(stages.Compare(path, 0, s.Beta(2, T)))
				for i := 2; i < T; i++ {
					if c := cost(stages.Compare(path, s.Beta(i, T), s.Beta(i+1, T))); !(math.Abs(c/first-1) < 1e-9) {
						t.Errorf("%v, %s, T = %d: step %d costs %v, and the first %v", g, selector, T, i, c, first)
					}
				}
			}
		}
	}
}

// TestTheTrap: constant friction speed is the best there is for large T, and worse than linear on
// BARRIER at T = 100.
func TestTheTrap(t *testing.T) {
	path, kernel := setup(t, "barrier")
	friction := value(t, gradient.ObjectiveB, path, kernel, place(t, "friction", path, kernel, 100), 100)
	linear := value(t, gradient.ObjectiveB, path, kernel, schedules.Linear{}, 100)
	if got := fmt.Sprintf("%.2f against %.2f", friction, linear); got != "2.61 against 1.81" {
		t.Errorf("B is %s", got)
	}
}

// TestOptimizeOnManyMinima: the values that a dense BFGS from three starts found, which L-BFGS with
// a rival missed by up to 5.6e-4.
func TestOptimizeOnManyMinima(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		toy   string
		T     int
		o     gradient.Objective
		value float64
	}{{"random:10:3:4x4", 100, gradient.Objective("kl_q_p"), 0.7839377842632892},
		{"cells:0:37:0:0", 40, gradient.ObjectiveJ, 0.0033287599360085837}} {
		path, kernel := setup(t, c.toy)
		if got := best(t, path, kernel, c.T, c.o); !got.Converged || got.Value > c.value*(1+1e-12) {
			t.Errorf("%s, T = %d: %s is %v, and has been %v (%s)", c.toy, c.T, c.o, got.Value, c.value, got.Reason)
		}
	}
}

func TestOptimizeSaysSo(t *testing.T) {
	path, kernel := setup(t, "hard")
	ctx := context.Background()
	got, err := placement.Optimize(ctx, path, kernel, 50, gradient.ObjectiveJ, placement.Options{Iterations: 3})
	if err != nil || got.Converged || got.Reason == "" {
		t.Errorf("three iterations: %+v, %v", got, err)
	}
	flat := geometric(t, make([]float64, 4)...)
	square := kernels.Metropolis{Space: grid.MustNew(2, 2)}
	longtest.Refuses(placement.Optimize(ctx, flat, square, 5, gradient.ObjectiveB, placement.Options{}))(t,
		"no schedule is better",
		"a flat target",
	)
	zero := geometric(t, 0, 1, math.Inf(-1), 0)
	longtest.Refuses(placement.Optimize(ctx, zero, square, 5, gradient.ObjectiveB, placement.Options{}))(t,
		"+Inf",
		"a zero of f",
	)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	longtest.Refuses(placement.Optimize(cancelled, path, kernel, 500, gradient.ObjectiveB,
		placement.Options{}))(t, "canceled", "an ended context was not noticed")
}

// TestOptimizeGivenUp: a context that ends at any look is an error, and the search uses nothing of
// the evaluation that it has lost.
func TestOptimizeGivenUp(t *testing.T) {
	path, kernel := setup(t, "cells:0:1")
	for _, o := range []gradient.Objective{gradient.ObjectiveB, gradient.ObjectiveJ} {
		if o == gradient.ObjectiveB && !longtest.Enabled() {
			continue
		}
		err := context.Canceled
		for looks := 0; errors.Is(err, context.Canceled); looks++ {
			_, err = placement.Optimize(longtest.EndsAfter(looks), path, kernel, 3, o, placement.Options{})
		}
		longtest.NoError(t, err)
	}
}

func TestParseErrors(t *testing.T) {
	file := longtest.File(t, "betas.csv", "0\n0.5\n1\n")
	path, kernel := setup(t, "easy")
	for selector, want := range map[string]string{
		"frction": "did you mean friction?", "fisher:2": "takes no argument", "cess:2": "between 0 and 1",
		"cess:":    "between 0 and 1",
		"linear:2": "takes no argument", "constant": "choices: linear", "file:nowhere": "no such file",
	} {
		longtest.Refuses(placement.Parse(selector, placement.Forms()))(t, want, selector)
	}
	for selector, want := range map[string]string{"cess:0.9": "; make T ", "file:" + file: "; make T 3,"} {
		longtest.Refuses(on(t, selector, path, kernel).Place(context.Background(), 77))(t, want, selector)
	}
	flat := geometric(t, make([]float64, 49)...)
	for _, selector := range []string{"fisher", "friction", "acceptance", "step-kl", "cess"} {
		longtest.Refuses(family(t, selector).On(context.Background(), flat, chains.Always(kernel)))(t,
			"are equally good",
			selector,
		)
	}
}

// TestZerosAreRefused: steps to or from a zero of f have no conditional ESS, KL or exchange rate to
// make equal.
func TestZerosAreRefused(t *testing.T) {
	inf := math.Inf(-1)
	mixture := longtest.Must(paths.NewArithmetic([]float64{0, inf}, []float64{inf, 0}))(t)
	for _, path := range []chains.Path{mixture, geometric(t, 0, inf)} {
		for _, selector := range []string{"step-kl", "acceptance", "cess", "cess:0.5", "friction"} {
			longtest.Refuses(family(t, selector).On(
				context.Background(),
				path,
				chains.Always(kernels.Metropolis{Space: grid.MustNew(2)}),
			))(t,
				"positive everywhere", selector)
		}
	}
}

// TestPlacingEnds: with the context, also if it would take minutes.
func TestPlacingEnds(t *testing.T) {
	path, kernel := setup(t, "easy")
	for _, selector := range []string{"acceptance", "fisher", "cess:0.9999999"} {
		p := on(t, selector, path, kernel)
		ctx := &ending{Context: context.Background()}
		ctx.left.Store(20)
		T := map[string]int{"acceptance": 100_000, "fisher": 10_000_000}[selector]
		if _, err := p.Place(ctx, T); !errors.Is(err, context.Canceled) || ctx.left.Load() < -4 {
			t.Errorf("%s: %v after %d looks", selector, err, -ctx.left.Load())
		}
	}
}

// ending is a context that ends when it has been looked at that many times.
type ending struct {
	context.Context
	left atomic.Int64
}

func (e *ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestFamiliesRise draws targets, also with states that are equal but for rounding, and lengths:
// every family gives a schedule that NewPoints takes, from 0 to 1, and the steps of those that make
// their cost equal cost the same.
func TestFamiliesRise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := grid.MustNew(rapid.IntRange(2, 4).Draw(t, "rows"), rapid.IntRange(1, 4).Draw(t, "cols"))
		span := rapid.SampledFrom([]float64{1, 5, 37, 700}).Draw(t, "span")
		g := rapid.SliceOfN(rapid.Float64Range(-span, span), l.States(), l.States()).Draw(t, "g")
		g[0] = g[1] + 0x1p-50
		g[l.States()-1] = g[0] + 1
		name := rapid.SampledFrom([]string{"fisher", "friction", "acceptance", "step-kl", "cess"}).Draw(t, "family")
		T := rapid.IntRange(2, 60).Draw(t, "T")
		path := geometric(t, g...)
		s := place(t, name, path, kernels.Metropolis{Space: l}, T)
		if cost := costs()[name]; cost != nil {
			each := cost(stages.Compare(path, 0, s.Beta(2, T)))
			for i := 2; i < T; i++ {
				if c := cost(stages.Compare(path, s.Beta(i, T), s.Beta(i+1, T))); !(math.Abs(c/each-1) < 1e-7) {
					t.Fatalf("%s: step %d costs %v, and the first %v", name, i, c, each)
				}
			}
		}
		if first, last := s.Beta(1, T), s.Beta(T, T); s.Validate(T) != nil || first != 0 || last != 1 {
			t.Fatalf("%s goes from %v to %v", name, first, last)
		}
	})
}

// The best schedule for log f of your own.
func Example_placementOptimize() {
	path, _ := paths.NewGeometric(nil, []float64{0, 1, 4, -2, 0, 1, 3, -1, 0})
	space := grid.MustNew(3, 3)
	best, err := placement.Optimize(context.Background(), path, kernels.Metropolis{Space: space}, 10,
		gradient.ObjectiveB, placement.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("linear %.4f, best %.4f, converged %t\n", best.Linear.Value, best.Value, best.Converged)
	// Output: linear 1.3745, best 1.2585, converged true
}

func TestForms(t *testing.T) {
	file := longtest.File(t, "betas.csv", "0\n0.25\n0.5\n1\n")
	path, kernel := setup(t, "random:1:3:2x3")
	betas := func(f placement.Family) []float64 {
		p := longtest.Must(f.On(context.Background(), path, chains.Always(kernel)))(t)
		T := 4
		if f.OwnLength {
			T = 0
		}
		s := longtest.Must(p.Place(context.Background(), T))(t).Schedule
		if points, own := s.(*schedules.Points); own {
			T = points.Len()
		}
		var out []float64
		for at := 1; at <= T; at++ {
			out = append(out, s.Beta(at, T))
		}
		return out
	}
	selectortest.Run(t, selectortest.Check[selector.Nothing, placement.Family]{
		Set: placement.Forms(), Examples: map[string]string{"file": "file:" + file},
		Name: func(f placement.Family) string { return f.Name },
		Same: func(a, b placement.Family) bool {
			return a.OwnLength == b.OwnLength && slices.Equal(betas(a), betas(b))
		},
	})
}

// FuzzParse: a family that is parsed has a name that is parsed back to the same, and one of chains
// is that of chains.
func FuzzParse(f *testing.F) {
	for _, text := range append(placement.Forms().Listing.Syntaxes(), "cess:0.5", "cess:", "cess:1",
		"fisher:1", "best:B", "sigmoid:1e-9",
		"curve:0:0.5:1", "curve:0:1e-9:1:1") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(text, "file:") && len(text) > len("file:") {
			return // reads what it names
		}
		family, err := placement.Parse(text, placement.Forms())
		s, fixed := schedules.Parse(text)
		if fixed == nil && (err != nil || family.Name != s.String()) {
			t.Errorf("%q is %v (%v) as a family, and %v", text, family.Name, err, s)
		}
		if err != nil {
			return
		}
		if again, err := placement.Parse(family.Name, placement.Forms()); err != nil || again.Name != family.Name ||
			again.OwnLength != family.OwnLength {
			t.Errorf("%q calls itself %q, which is another one (%v)", text, family.Name, err)
		}
	})
}
