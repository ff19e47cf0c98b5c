package reproduce

import "slices"

// benchmarkCorpora returns the claims on many targets at once, by a corpus of ten small ones.
func benchmarkCorpora() []Claim {
	return []Claim{
		{ID: "samplers-11", Place: "Fig. 3", Kind: Number, Verdict: SameInKind, InKind: true,
			Says: "RESS lies below the dotted region, where 2.5% of it should be, in 55% of all cases for the mean, 68% for the variance and 83% " +
				"for the Kolmogorov-Smirnov distance.",
			Printed: "55%, 68%, 83%", Commands: []string{"samplers calibrate --corpus small -N 300 --table shares"},
			Holds: func(a *Answers) bool {
				below := func(estimate string) float64 { return a.Number("below", "estimate="+estimate, "chains=exact") }
				// Of 31 chains as good as their ESS, more than a third would lie below it once in 10^9.
				return Every([]float64{below("mean"), below("variance"), below("KS")}, func(v float64) bool { return v > 1.0/3 })
			},
			Why: "These are 40 settings on finite spaces. ESS is that of the exact autocovariances, beside the exact RESS. Of the distance of Kolmogorov " +
				"and Smirnov it is known in 31 of them."},
		{ID: "samplers-12", Place: "Sec. 5", Kind: Order, Verdict: SameInKind, InKind: true,
			Says: "ESS is too optimistic: it is mostly above RESS.", Commands: []string{corpusDiagnoses, corpusErrors},
			Holds: func(a *Answers) bool {
				mean, variance, distribution := overESS(a, "ress_mean"), overESS(a, "ress_var"), overESS(a, "ress_cvm")
				return All(share(a, "settings with RESS of the mean < ESS", mean, func(v float64) bool { return v < 1 }) == 1,
					median(a, "median of RESS/ESS, mean", mean) < 1, median(a, "median of RESS/ESS, variance", variance) < 1,
					median(a, "median of RESS/ESS, distribution", distribution) < 1)
			},
			Why: "For the mean ESS is above RESS in every one of 40 settings, although it is made of exact autocovariances: it sees neither what the " +
				"chain has not visited nor the bias of the start."},
		{ID: "samplers-13", Place: "Sec. 5", Kind: Order, Verdict: FailsHere,
			Says:     "ESS is better calibrated for the mean than for the variance and for the distribution.",
			Commands: []string{corpusDiagnoses, corpusErrors},
			Holds: func(a *Answers) bool {
				shares := sharesBelow(a)
				return All(shares[0] < shares[1], shares[0] < shares[2])
			},
			Why: "Which is best depends on the targets. On the ten of this corpus, with chains of 1,000 samples, the variance has the fewest RESS " +
				"below the region; on the hundred of the standard corpus the mean has."},
		{ID: "samplers-14", Place: "Table 1", Kind: Number, Verdict: Missing,
			Says: "NESS and the probability of success of eight samplers, for the Kolmogorov-Smirnov distance, the mean and the variance.",
			Printed: "NUTS .068 .375 .115 and .875 .783 .711; mix .067 .164 .113 and .911 .825 .715; HMC .061 .151 .106 and .580 .604 .531; " +
				"slice .044 .078 .070 and .745 .703 .643; emcee .016 .038 .025 and .389 .489 .379; Gauss .007 .005 .007 and .585 .565 .436; " +
				"Laplace .007 .004 .006 and .566 .547 .439; Cauchy .004 .004 .003 and .604 .582 .441",
			Lacks: "These numbers need the surrogates of posteriors of 2,200 data sets, samplers of continuous spaces, and 15 minutes of a processor " +
				"for each chain.",
			Why: "What can be had is the form of the table on a corpus of finite spaces (samplers-15)."},
		{ID: "samplers-15", Place: "Table 1", Kind: Shape, Verdict: SameInKind, InKind: true,
			Says:     "At equal cost every random walk has a smaller NESS than the samplers that know more of their target, for each estimate.",
			Commands: []string{leaderboard},
			Holds: func(a *Answers) bool {
				of := func(column string, kernels []string) (list []float64) {
					for _, kernel := range kernels {
						list = append(list, a.Number(column, "kernel="+kernel))
					}
					return list
				}
				below := func(column string) bool {
					return slices.Max(of(column, localKernels())) < slices.Min(of(column, informedKernels()))
				}
				return All(below("ness_mean"), below("ness_var"), below("ness_cvm"))
			},
			Why: "The random walks are Metropolis, Barker and Moore's neighbours, and the others draw from conditional distributions, at 10,000 " +
				"evaluations of log f for a chain in place of 15 minutes."},
		{ID: "samplers-16", Place: "Table 1", Kind: Order, Verdict: FailsHere,
			Says: "With every sampler success is rarer for the variance than for the mean.", Commands: []string{leaderboard},
			Holds: func(a *Answers) bool {
				for _, kernel := range []string{"kernel=metropolis", "kernel=heatbath-scan"} {
					a.Number("share_ress_12_var", kernel)
					a.Number("share_ress_12_mean", kernel)
				}
				return Pairs(a.In(0).Hidden("share_ress_12_var"), a.In(0).Hidden("share_ress_12_mean"), atMost)
			},
			Why: "On this corpus it is the other way round with three local kernels and one more: a chain that is stuck in a part of the space " +
				"estimates nearly a constant variance, whose RESS is of the order of R, while its mean is biased (samplers-30)."},
		{ID: "samplers-17", Place: "Sec. 5", Kind: Shape, Verdict: SameInKind, InKind: true,
			Says:    "Samplers either do well or fail completely: either their efficiency is above 1%, or their RESS is below 1.",
			Printed: "1%, 1", Commands: []string{corpusKernels},
			Holds: func(a *Answers) bool {
				ress, eff := a.In(0).Hidden("ress_mean"), a.In(0).Hidden("eff")
				within := func(low, high float64) func(v float64) bool {
					return func(v float64) bool { return low <= v && v < high }
				}
				failed := share(a, "RESS < 1", ress, within(0, 1))
				middle := share(a, "1 <= RESS < 10", ress, within(1, 10))
				better := share(a, "10 <= RESS < 100", ress, within(10, 100))
				good := share(a, "efficiency > 1%", eff, func(v float64) bool { return v > 0.01 })
				return All(middle < failed, middle < better, failed+good > 0.5)
			},
			Why: "Seven kernels on ten targets have two modes, with 11% between a RESS of 1 and 10. But 36% have neither an efficiency of more " +
				"than 1% nor a RESS below 1, and the paper itself has random walks there (samplers-18)."},
		{ID: "samplers-18", Place: "Sec. 5; Fig. 2", Kind: Number, Verdict: SameInKind, InKind: true,
			Says:    "Where they do not fail, random walks have efficiencies of 0.1% to 1%, and slice sampling and the Hamiltonian methods have 2% to 40%.",
			Printed: "0.1% to 1%; 2% to 40%", Commands: []string{corpusKernels},
			Holds: func(a *Answers) bool {
				local, informed := efficiencies(a, localKernels()), efficiencies(a, informedKernels())
				return All(Every(local, func(v float64) bool { return 0.001 <= v && v <= 0.01 }),
					Every(informed, func(v float64) bool { return 0.02 <= v && v <= 0.4 }))
			},
			Why: "These are the medians over the targets with a RESS of at least 12, as in the figure. Kernels that draw from conditional distributions " +
				"stand for slice sampling and the Hamiltonian methods."},
	}
}

// localKernels are random walks on a lattice.
func localKernels() []string { return []string{"metropolis", "barker", "moore"} }

// informedKernels draw from the conditional distributions of the target.
func informedKernels() []string { return []string{"heatbath", "heatbath-scan", "suwa-todo"} }

// efficiencies shows the median efficiency of each of some kernels over the targets on which its RESS is at least 12.
func efficiencies(a *Answers, kernels []string) (medians []float64) {
	for _, kernel := range kernels {
		ress, eff := a.In(0).Hidden("ress_mean", "kernel="+kernel), a.In(0).Hidden("eff", "kernel="+kernel)
		var good []float64
		for i := range ress {
			if ress[i] >= 12 {
				good = append(good, eff[i])
			}
		}
		medians = append(medians, median(a, "median efficiency of "+kernel, good))
	}
	return medians
}

// overESS returns a RESS over the ESS of the exact autocovariances of one chain, in each setting of the corpus. The two commands must have
// answered the same settings, in which they have the same RESS of the mean, by two routes.
func overESS(a *Answers, column string) []float64 {
	ess, ress := a.In(0).Hidden("ess_of_means_single"), a.In(1).Hidden(column)
	if !Pairs(a.In(0).Hidden("ress_mean"), a.In(1).Hidden("ress_mean"), func(v, w float64) bool { return Near(v, w, 1e-6) }) {
		a.fail("the two commands have not answered the same settings")
		return nil
	}
	return zip(ress, ess, func(v, w float64) float64 { return v / w })
}

// sharesBelow shows in which part of settings RESS of the mean, the variance and the distribution is below the region of Fig. 3.
func sharesBelow(a *Answers) []float64 {
	below := func(v float64) bool { return eightAbove(8/v) < 0.025 }
	return []float64{
		share(a, "below, mean", overESS(a, "ress_mean"), below),
		share(a, "below, variance", overESS(a, "ress_var"), below),
		share(a, "below, distribution", overESS(a, "ress_cvm"), below),
	}
}
