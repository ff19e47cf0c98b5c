package sandwich

import (
	"context"
	"strings"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
)

// Schedule is the schedule of all annealing here.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.2.
func Schedule() chains.Schedule { return schedules.Sigmoid{Delta: schedules.DefaultDelta} }

// Choice is an estimator with the one setting that is varied, its knob.
type Choice struct {
	Name   string // by which it is selected
	Legend string // what figures call it
	Doc    string // what it is, in one line
	Knob   string // what is varied
	Least  int    // the smallest value of the knob
	Ladder []int  // the values that a comparison goes through, as far as its budget allows
	Exact  bool   // it starts at an exact draw, which only simulated data have
	Kind   string // the only kind of model that has it; empty where all have
	// Combination is how the estimates of independent trials are combined.
	Combination estimators.Combination

	seconds func(p pace, s size, knob int) float64                           // about how long a trial takes
	make    func(p problem, knob int) (func(trial) (Estimate, error), error) // one trial
}

// trial is what one trial is made with.
type trial struct {
	ctx context.Context
	c   chains.RealChooser
}

// size is how large a data set is.
type size struct{ rows, columns int }

// Choices are the estimators, in the order in which they are listed.
func Choices() []Choice {
	powers := func(most int) []int { return ladder(1, most) }
	one := func(p pace, _ size, k int) float64 { return p.scan * float64(k) }
	estimator := func(build func(p problem, knob int) (Estimator, error)) func(problem, int) (func(trial) (Estimate, error), error) {
		return func(p problem, knob int) (func(trial) (Estimate, error), error) {
			e, err := build(p, knob)
			if err != nil {
				return nil, err
			}
			return func(t trial) (Estimate, error) {
				out := nothing()
				out.LogZ, out.Work = e.Estimate(t.c), e.Work().Evaluations
				return out, nil
			}, nil
		}
	}
	annealed := func(d chains.Direction) func(problem, int) (func(trial) (Estimate, error), error) {
		return estimator(func(p problem, T int) (Estimator, error) { return p.annealed(Schedule(), T, d) })
	}
	along := func(d chains.Direction) func(problem, int) (func(trial) (Estimate, error), error) {
		return estimator(func(p problem, scans int) (Estimator, error) { return p.sequential(scans, d) })
	}
	cms := func(start estimators.Start) func(problem, int) (func(trial) (Estimate, error), error) {
		return estimator(func(p problem, k int) (Estimator, error) { return p.murraySalakhutdinov(k, start) })
	}
	chib := func(p pace, _ size, k int) float64 { return p.scan * (starScans + 2*float64(k)) }
	// Over the data a scan grows from one datum to all of them.
	half := func(p pace, s size, scans int) float64 {
		return p.scan * (1 + alongFactor*float64(scans)*float64(s.rows+1)/2)
	}
	return []Choice{
		{
			Name: "lw", Legend: "LW", Doc: "likelihood weighting: the mean likelihood of K draws from the prior", Knob: "K", Least: 1, Ladder: powers(1_000_000),
			Combination: estimators.ArithmeticMean, seconds: one, make: estimator(func(p problem, k int) (Estimator, error) { return p.weighting(k) }),
		},
		{
			Name: "hme", Legend: "HME", Doc: "the harmonic mean of the likelihoods along a chain of K places from the exact draw", Knob: "K", Least: 1, Ladder: powers(1_000_000), Exact: true,
			Combination: estimators.HarmonicMean, seconds: one, make: estimator(func(p problem, k int) (Estimator, error) { return p.harmonic(k) }),
		},
		{
			Name: "ais", Legend: "AIS", Doc: "annealed importance sampling over T distributions", Knob: "T", Least: 2, Ladder: ladder(10, 1_000_000),
			Combination: estimators.ArithmeticMean, seconds: one, make: annealed(chains.Forward),
		},
		{
			Name: "rais", Legend: "reverse AIS", Doc: "the same in reverse, from the exact draw", Knob: "T", Least: 2, Ladder: ladder(10, 1_000_000), Exact: true,
			Combination: estimators.HarmonicMean, seconds: one, make: annealed(chains.Reverse),
		},
		{
			Name: "smc", Legend: "SMC", Doc: "sequential Monte Carlo along the data with one particle and M scans after a datum", Knob: "M", Ladder: append([]int{0}, powers(100_000)...),
			Combination: estimators.ArithmeticMean, seconds: half, make: along(chains.Forward),
		},
		{
			Name: "shme", Legend: "SHME", Doc: "sequential harmonic mean: the same in reverse, from the exact draw", Knob: "M", Ladder: append([]int{0}, powers(100_000)...), Exact: true,
			Combination: estimators.HarmonicMean, seconds: half, make: along(chains.Reverse),
		},
		{
			Name: "cms", Legend: "CMS", Doc: "the Chib-Murray-Salakhutdinov estimator from a chain of K places, started at one that is drawn uniformly", Knob: "K", Least: 1, Ladder: powers(1_000_000),
			Combination: estimators.ArithmeticMean, seconds: chib, make: cms(estimators.StartUniform),
		},
		{
			Name: "cms:first", Legend: "CMS, first", Doc: "the same, started at the first place, which has a bias", Knob: "K", Least: 1, Ladder: powers(1_000_000),
			Combination: estimators.ArithmeticMean, seconds: chib, make: cms(estimators.StartFirst),
		},
		nestedChoice(fewestParticles), variationalChoice(), bicChoice(),
	}
}

// alongFactor is how many times as long the moves of a scan take one after another, with data of every length between them.
const alongFactor = 1.6

// ladder returns 1, 3, 10, 30 and so on from low to high.
func ladder(low, high int) (steps []int) {
	for decade := 1; decade <= high; decade *= 10 {
		for _, at := range []int{decade, 3 * decade} {
			if at >= low && at <= high {
				steps = append(steps, at)
			}
		}
	}
	return steps
}

// ChoiceNames returns the names of the estimators.
func ChoiceNames() (names []string) {
	for _, c := range Choices() {
		names = append(names, c.Name)
	}
	return names
}

// ChoiceNamed returns the estimator with a name, and an error that lists them all for an unknown name.
func ChoiceNamed(name string) (Choice, error) {
	for _, c := range Choices() {
		if c.Name == name {
			return c, nil
		}
	}
	if name == VariationalTruth {
		return truthChoice(), nil
	}
	if before, number, given := strings.Cut(name, ":"); given && before == Nested {
		return nestedNamed(number)
	}
	return Choice{}, selector.UnknownError("estimator", name, ChoiceNames())
}
