package sandwich

import (
	"fmt"

	"breadboard/chains/estimators"
	"breadboard/chains/selector"
)

// Nested is the name of nested sampling with two particles, behind which another number of them may stand, as ns:10.
const Nested = "ns"

const (
	// fewestParticles is the number of particles of nested sampling where no other is named: the smallest, with which the paper had the most
	// accurate results.
	//
	// Source: Grosse, Ghahramani and Adams 2015, section 6.2.
	fewestParticles = 2
	mostParticles   = 10_000
)

// nestedNamed returns nested sampling with the number of particles that stands behind its name.
func nestedNamed(number string) (Choice, error) {
	k, err := selector.ParseWhole(number, fewestParticles, mostParticles)
	if err != nil {
		return Choice{}, fmt.Errorf("the particles of %s:%s: %w", Nested, number, err)
	}
	return nestedChoice(k), nil
}

// nestedChoice is nested sampling. One run gives the estimates of both volumes and of both stops of the paper. With more particles the volume
// shrinks by less a step, so that there are as many times more steps.
func nestedChoice(particles int) Choice {
	name, legend := Nested, "NS"
	if particles != fewestParticles {
		name, legend = fmt.Sprintf("%s:%d", name, particles), fmt.Sprintf("%s, K = %d", legend, particles)
	}
	return Choice{
		Name: name, Legend: legend, Doc: "nested sampling with two particles and M moves of a copy; ns:K has K particles", Knob: "M", Least: 1, Ladder: ladder(1, 100_000),
		Combination: estimators.MeanOfLogs,
		seconds: func(p pace, s size, moves int) float64 {
			return p.within * float64(moves) * p.steps * float64(particles) / fewestParticles
		},
		make: func(p problem, moves int) (func(trial) (Estimate, error), error) {
			climb, err := p.nested(particles, moves)
			if err != nil {
				return nil, err
			}
			return func(t trial) (Estimate, error) {
				ends, err := climb.Run(t.ctx, t.c)
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
			out.LogZEarly, out.StepsEarly = end.LogZ, float64(end.Steps)
		case nestedRule{estimators.VolumeUnbiased, estimators.StopExperiments}:
			out.LogZUnbiasedEarly = end.LogZ
		default:
			panic(fmt.Sprintf("sandwich: nested sampling with volume %v and stop %v", end.Volume, end.Stop))
		}
	}
	return out
}

// nestedRule is how a run of nested sampling is counted.
type nestedRule struct {
	volume estimators.Volume
	stop   estimators.NestedStop
}
