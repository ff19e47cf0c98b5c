package sandwich

import (
	"context"
	"fmt"
	"math"
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

// Choice is an estimator with one setting that is varied, its knob.
type Choice struct {
	Name   string // by which it is selected
	Legend string // its name in figures
	Knob   string // the name of the setting that is varied
	Least  int    // the smallest value of the knob
	Ladder []int  // the values that a comparison tries, within its budget
	Exact  bool   // it starts at an exact draw, which only simulated data have
	Kind   string // the only kind of model that has it; empty if all have
	// Combination is how the estimates of independent trials are combined.
	Combination estimators.Combination

	// the approximate seconds of a trial
	seconds func(p pace, s size, knob int) float64
	make    func(p problem, knob int) (func(context.Context, chains.RealChooser) (Estimate, error), error) // one trial
}

// Choices are the estimators, in the order in which they are listed.
func Choices() []Choice {
	one := func(p pace, _ size, k int) float64 { return p.scan * float64(k) }
	chib := func(p pace, _ size, k int) float64 { return p.scan * (starScans + 2*float64(k)) }
	// Along the data the number of data in a scan grows from one to all.
	half := func(p pace, s size, scans int) float64 {
		return p.scan * (1 + alongFactor*float64(scans)*float64(s.rows+1)/2)
	}
	draws := ladder(1_000_000)
	scans := append([]int{0}, ladder(100_000)...)
	const mean, harmonic = estimators.ArithmeticMean, estimators.HarmonicMean
	list := []Choice{
		{
			Name:        "lw",
			Legend:      "LW",
			Knob:        "K",
			Least:       1,
			Ladder:      draws,
			Combination: mean,
			seconds:     one,
		},
		{
			Name:        "hme",
			Legend:      "HME",
			Knob:        "K",
			Least:       1,
			Ladder:      draws,
			Exact:       true,
			Combination: harmonic,
			seconds:     one,
		},
		{
			Name:        "ais",
			Legend:      "AIS",
			Knob:        "T",
			Least:       2,
			Ladder:      draws[2:],
			Combination: mean,
			seconds:     one,
		},
		{
			Name:        "rais",
			Legend:      "reverse AIS",
			Knob:        "T",
			Least:       2,
			Ladder:      draws[2:],
			Exact:       true,
			Combination: harmonic,
			seconds:     one,
		},
		{
			Name:        "smc",
			Legend:      "SMC",
			Knob:        "M",
			Ladder:      scans,
			Combination: mean,
			seconds:     half,
		},
		{
			Name:        "shme",
			Legend:      "SHME",
			Knob:        "M",
			Ladder:      scans,
			Exact:       true,
			Combination: harmonic,
			seconds:     half,
		},
		{
			Name:        "cms",
			Legend:      "CMS",
			Knob:        "K",
			Least:       1,
			Ladder:      draws,
			Combination: mean,
			seconds:     chib,
		},
		{
			Name:        "cms:first",
			Legend:      "CMS, first",
			Knob:        "K",
			Least:       1,
			Ladder:      draws,
			Combination: mean,
			seconds:     chib,
		},
	}
	for i := range list {
		name := list[i].Name
		list[i].make = func(p problem, knob int) (func(context.Context, chains.RealChooser) (Estimate, error), error) {
			e, err := p.estimator(name, knob)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context, c chains.RealChooser) (Estimate, error) {
				out := nothing()
				out.LogZ, out.Work = e.Estimate(c), e.Work().Evaluations
				return out, nil
			}, nil
		}
	}
	return append(list, nestedChoice(fewestParticles), variationalChoice(), bicChoice())
}

// alongFactor is the ratio of times of a scan when its steps are made one after another, with data
// of every length between them.
const alongFactor = 1.6

// ladder returns 1, 3, 10, 30 and so on to high.
func ladder(high int) (steps []int) {
	for decade := 1; decade <= high; decade *= 10 {
		for _, at := range []int{decade, 3 * decade} {
			if at <= high {
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

// ChoiceNamed returns the estimator with a name. The error for an unknown name lists them all.
func ChoiceNamed(name string) (Choice, error) {
	for _, c := range Choices() {
		if c.Name == name {
			return c, nil
		}
	}
	if name == variationalTruth {
		return truthChoice(), nil
	}
	if before, number, given := strings.Cut(name, ":"); given && before == Nested {
		return nestedNamed(number)
	}
	return Choice{}, selector.UnknownError("estimator", name, ChoiceNames())
}

// starScans is the number of scans of the chain that finds z*.
const starScans = 100

// starred is the Chib-Murray-Salakhutdinov estimator at a state z* that each run finds by itself:
// the likeliest of those that a chain under the posterior visits in 100 scans from a draw of the
// prior. It uses no exact draw. z* does not depend on the chain of the estimate, so that the
// properties of the estimator at a given state hold here given z*.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.2, which uses a single z* and does not state
// which.
type starred[S comparable] struct {
	model Sampled[S]
	k     int
	start estimators.Start
}

func newStarred[S comparable](model Sampled[S], k int, start estimators.Start) (starred[S], error) {
	return starred[S]{model, k, start}, estimators.CheckDraws(k)
}

// Estimate implements estimators.Estimator.
func (e starred[S]) Estimate(c chains.RealChooser) float64 {
	star, logJoint := e.star(c)
	at, err := estimators.NewMurraySalakhutdinov(e.model, star, logJoint, e.k, e.start)
	if err != nil {
		panic(err) // k and start have been checked
	}
	return at.Estimate(c)
}

// star returns z* and the logarithm of its joint density with the data.
func (e starred[S]) star(c chains.RealChooser) (star S, logJoint float64) {
	end := chains.At(1)
	x := e.model.Prior(c)
	logJoint = math.Inf(-1)
	for range starScans {
		x = e.model.Move(c, end, x)
		if joint := e.model.LogPrior(x) + e.model.LogLikelihood(end, x); joint > logJoint {
			star = e.model.Clone(x)
			logJoint = joint
		}
	}
	return star, logJoint
}

// Work implements estimators.Estimator: the scans that find z*, and the work of the estimator at
// z*.
func (e starred[S]) Work() estimators.Work {
	return estimators.Work{Evaluations: 1 + (starScans+2*float64(e.k))*e.model.MoveWork()}
}

// Combination implements estimators.Estimator.
func (starred[S]) Combination() estimators.Combination { return estimators.ArithmeticMean }

// Nested is the name of nested sampling with two particles. Another number of particles may follow
// it, as in ns:10.
const Nested = "ns"

const (
	// fewestParticles is the default number of particles of nested sampling: the smallest, which
	// gave the most accurate results in Grosse, Ghahramani and Adams (2015).
	//
	// Source: Grosse, Ghahramani and Adams 2015, section 6.2.
	fewestParticles = 2
	mostParticles   = 10_000
)

// nestedNamed returns nested sampling with the number of particles that follows its name.
func nestedNamed(number string) (Choice, error) {
	k, err := selector.ParseWhole(number, fewestParticles, mostParticles)
	if err != nil {
		return Choice{}, fmt.Errorf("the particles of %s:%s: %w", Nested, number, err)
	}
	return nestedChoice(k), nil
}

// nestedChoice is nested sampling. One run gives the estimates of both volumes and of both stops of
// Grosse, Ghahramani and Adams (2015). With more particles the volume shrinks less per step, so
// that there are proportionally more steps.
func nestedChoice(particles int) Choice {
	name := Nested
	legend := "NS"
	if particles != fewestParticles {
		name, legend = fmt.Sprintf("%s:%d", name, particles), fmt.Sprintf("%s, K = %d", legend, particles)
	}
	return Choice{
		Name:        name,
		Legend:      legend,
		Knob:        "M",
		Least:       1,
		Ladder:      ladder(100_000),
		Combination: estimators.MeanOfLogs,
		seconds: func(p pace, s size, moves int) float64 {
			return p.within * float64(moves) * p.steps * float64(particles) / fewestParticles
		},
		make: func(p problem, moves int) (func(context.Context, chains.RealChooser) (Estimate, error), error) {
			climb, err := p.nested(particles, moves)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context, c chains.RealChooser) (Estimate, error) {
				ends, err := climb.Run(ctx, c)
				if err != nil {
					return Estimate{}, err
				}
				return nestedEstimate(climb, ends), nil
			}, nil
		},
	}
}

// nestedEstimate returns the estimates of a run. Its work is that until the later stop.
func nestedEstimate(climb nestedClimb, ends []estimators.NestedEnd) Estimate {
	out := nothing()
	for _, end := range ends {
		switch (nestedRule{end.Volume, end.Stop}) {
		case nestedRule{estimators.VolumePaper, estimators.StopText}:
			out.LogZ, out.Steps, out.Work = end.LogZ, float64(end.Steps), climb.Work(end).Evaluations
		case nestedRule{estimators.VolumeUnbiased, estimators.StopText}:
			out.LogZUnbiased = end.LogZ
		case nestedRule{estimators.VolumePaper, estimators.StopExperiments}:
			out.LogZEarly = end.LogZ
			out.StepsEarly = float64(end.Steps)
		case nestedRule{estimators.VolumeUnbiased, estimators.StopExperiments}:
			out.LogZUnbiasedEarly = end.LogZ
		default:
			panic(fmt.Sprintf("sandwich: nested sampling with volume %v and stop %v", end.Volume, end.Stop))
		}
	}
	return out
}

// nestedRule is the rule by which a run of nested sampling is summed.
type nestedRule struct {
	volume estimators.Volume
	stop   estimators.NestedStop
}
