// Package catalogue answers: which studies are there? Studies lists them; each declares its
// command, sweep and report. Schemas lists the columns of the tables of all commands. It computes
// nothing and writes no files.
package catalogue

import (
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/annealing/gap"
	"breadboard/experiments/annealing/represent"
	"breadboard/experiments/annealing/schedule"
	"breadboard/experiments/annealing/subjective"
	"breadboard/experiments/annealing/success"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/annealing/weights"
	"breadboard/experiments/checks/kernel"
	"breadboard/experiments/checks/law"
	"breadboard/experiments/checks/power"
	"breadboard/experiments/checks/reproduce"
	article "breadboard/experiments/checks/reproduce/aide"
	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/experiments/marginal/sandwich/pair"
	"breadboard/experiments/mcmc/couple"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/experiments/mcmc/temper"
	"breadboard/experiments/networks/network"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/particles/policy"
	"breadboard/experiments/particles/smc"
	"breadboard/experiments/particles/smc/adaptive"
	"breadboard/experiments/particles/smc/gibbs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// Studies lists all studies. All other lists of studies, such as the help of sweeps, the page of
// reference and the routes of the page in the browser, are made from it.
func Studies() []*study.Declaration {
	return []*study.Declaration{
		tightness.Study().Declaration,
		ais.Study().Declaration,
		smc.Study().Declaration,
		adaptive.Study().Declaration,
		gibbs.Study().Declaration,
		weights.Laws().Declaration,
		weights.Samples().Declaration,
		gap.Study().Declaration,
		success.Study().Declaration,
		subjective.Study().Declaration,
		represent.Study().Declaration,
		schedule.Optimize().Declaration,
		schedule.Compare().Declaration,
		kernel.Study().Declaration,
		law.Study().Declaration,
		aide.Study().Declaration,
		policy.Study().Declaration,
		policy.BestStudy().Declaration,
		policy.Twisted().Declaration,
		evidence.Study().Declaration,
		samplers.Errors().Declaration,
		samplers.Laws().Declaration,
		samplers.Times().Declaration,
		diagnose.Study().Declaration,
		diagnose.Calibrate().Declaration,
		diagnose.Meta().Declaration,
		couple.Study().Declaration,
		couple.Comparison().Declaration,
		couple.Estimator().Declaration,
		temper.Study().Declaration,
		temper.Ladders().Declaration,
		temper.Stones().Declaration,
		temper.Comparison().Declaration,
		sandwich.Study().Declaration,
		sandwich.TrialStudy().Declaration,
		pair.Study().Declaration,
		compare.Study().Declaration,
		compare.Crossed().Declaration,
		compare.Representations().Declaration,
		compare.FitStudy().Declaration,
		network.Study().Declaration,
		reproduce.Study().Declaration,
		article.Study().Declaration,
		sbc.Study().Declaration,
		power.Study().Declaration,
	}
}

// Lessons lists the studies that the lessons of a page in the browser ask. They are apart from
// Studies, so that a program for them alone does not contain the others.
func Lessons() []*study.Declaration {
	return []*study.Declaration{smc.Study().Declaration, kernel.Study().Declaration}
}

// Swept lists those of the studies that can be swept. The first of all is the default of a
// specification.
func Swept(studies []*study.Declaration) (list []*subject.Question) {
	for _, s := range studies {
		if q := s.Sweep(); q != nil {
			list = append(list, q)
		}
	}
	return list
}
