package sweep

import (
	"breadboard/experiments"
	"breadboard/experiments/aide"
	"breadboard/experiments/ais"
	"breadboard/experiments/evidence"
	"breadboard/experiments/gap"
	"breadboard/experiments/kernelcheck"
	"breadboard/experiments/logweights"
	"breadboard/experiments/particles"
	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/diagnose"
	"breadboard/experiments/sandwich"
	"breadboard/experiments/subjective"
	"breadboard/experiments/tightness"
	"breadboard/experiments/tuning"
)

// Studies lists the studies of which these tests make sweeps.
func Studies() []*experiments.Study {
	return []*experiments.Study{
		tightness.Study().Sweep(), ais.Study().Sweep(), particles.Study().Sweep(), logweights.Laws().Sweep(), logweights.Samples().Sweep(), gap.Study().Sweep(), subjective.Study().Sweep(), tuning.Optimize().Sweep(),
		kernelcheck.Study().Sweep(), aide.Study().Sweep(), evidence.Study().Sweep(), samplers.Errors().Sweep(), samplers.Laws().Sweep(), samplers.Times().Sweep(), diagnose.Study().Sweep(), sandwich.TrialStudy().Sweep(),
	}
}
