package filters

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/experiments/planted"
)

// way is a known way to get sequential Monte Carlo wrong.
type way struct {
	name, meaning string
	bug           func(*planted.Particles)
	// in says in which tasks and directions it means something; nil where in all of them.
	in func(t *Task, d chains.Direction) bool
}

// ways returns all known ways to get sequential Monte Carlo wrong.
func ways() []way {
	runs := func(_ *Task, d chains.Direction) bool { return d == chains.Forward }
	conditional := func(_ *Task, d chains.Direction) bool { return d == chains.Reverse }
	sometimes := func(t *Task, _ chains.Direction) bool { return t.Threshold < 1 }
	list := []way{
		{"the last slot repeats the first", "at every resampling the last slot gets the parent of the first one", planted.LastRepeatsFirst, nil},
		{"parents drawn uniformly", "the parents are drawn without regard to the weights", planted.UniformParents, nil},
		{"weights kept after resampling", "the weights do not start again at one where the particles are resampled", planted.NotReset, nil},
		{"weights not carried on", "the weights start again at one also where the particles are not resampled", planted.NotCarried, sometimes},
		{"steps without resampling left out of Zhat", "stages at which the particles are not resampled do not count in Zhat", planted.StepsOut, sometimes},
		{"weights of the old state", "after resampling a particle is weighed by the state that stood in its slot before", planted.OldParent, nil},
		{"output drawn uniformly", "the output is the state of a slot that is drawn without regard to the weights", planted.UniformOutput, runs},
		{"sum of the weights in Zhat", "Zhat multiplies the sums of the weights, not their means", planted.SumForMean, nil},
		{"mean of the log weights in Zhat", "log Zhat adds the means of the log weights, not the logs of the mean weights", planted.MeanOfLogWeights, nil},
		{"residual of W - floor(P W)", "what is left of the weights for residual draws is W - floor(P W), not P W - floor(P W)", planted.ResidualOfWeights,
			func(t *Task, d chains.Direction) bool { return d == chains.Forward && t.Scheme == particle.Residual{} }},
		{"resampled at every stage", "the particles are resampled also where their effective sample size is high", resampledWhere(true), sometimes},
		{"never resampled", "the particles are never resampled", resampledWhere(false), func(t *Task, _ chains.Direction) bool { return t.Threshold > 0 }},
		{"path in the first slot", "the path of a conditional run stays in the first slot, and the others are resampled as if it were not there", planted.PathFirst, conditional},
		{"parent of the path forgotten", "the parent of the path of a conditional run is drawn as that of any other slot", planted.PathForgotten, conditional},
		{"not size-biased", "the parents of a conditional run are drawn given that the path has offspring, however many", planted.NotSizeBiased,
			func(t *Task, d chains.Direction) bool {
				return d == chains.Reverse && t.Scheme == particle.Systematic{}
			}},
		{"path drawn by the kernels", "the path of a conditional run is drawn by the kernels, not by their time reversals", planted.ForwardPath, conditional},
		{"path drawn in the order of a run", "the path of a conditional run is drawn by the time reversals in the order of a run, the first stage first", planted.PathInOrder, conditional},
		{"path left out of Zhat", "the weight of the path does not count in the Zhat of a conditional run", planted.PathOut, conditional},
	}
	for _, scheme := range []particle.Scheme{particle.Multinomial{}, particle.Stratified{}, particle.Systematic{}, particle.Residual{}} {
		list = append(list, way{fmt.Sprintf("%v resampling", scheme), fmt.Sprintf("the particles are resampled by the %v scheme", scheme),
			func(s *planted.Particles) { s.By(scheme) }, func(t *Task, _ chains.Direction) bool { return t.Scheme != scheme }})
	}
	return list
}

func resampledWhere(always bool) func(*planted.Particles) {
	return func(s *planted.Particles) { s.Due = func([]float64) bool { return always } }
}
