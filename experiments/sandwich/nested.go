package sandwich

import (
	"fmt"

	"breadboard/chains/estimators"
)

// nestedChoice is nested sampling. One run gives the estimates of both volumes and of both stops of the paper.
func nestedChoice() Choice {
	return Choice{
		Name: "ns", Legend: "NS", Doc: "nested sampling with two particles and M moves of a copy", Knob: "M", Least: 1, Ladder: ladder(1, 100_000),
		Combination: estimators.MeanOfLogs,
		seconds:     func(p pace, s size, moves int) float64 { return p.within * float64(moves) * p.steps },
		make: func(p problem, moves int) (func(trial) (Estimate, error), error) {
			climb, err := p.nested(moves)
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
