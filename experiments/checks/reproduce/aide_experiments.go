package reproduce

import "math"

// aideExperiments returns the claims on the experiments of the paper (section 5).
func aideExperiments() []Claim {
	return []Claim{
		{ID: "aide-7", Place: "Sec. 5.1, Fig. 2", Kind: Order, Verdict: SameInKind, InKind: true,
			Says:     "In a regression the bias of AIDE is acceptable for sequential Monte Carlo, zero for variational inference, and too large to be of use for Metropolis-Hastings.",
			Commands: []string{studyOfLine},
			Holds: func(a *Answers) bool {
				smc, smcJ := a.Numbers("mean", "algorithm=smc", "particles=2", "meta=10")[0], a.Number("J", "algorithm=smc", "particles=2", "meta=10")
				mh, mhJ := a.Number("mean", "algorithm=mh", "particles=100", "meta=10"), a.Number("J", "algorithm=mh", "particles=100", "meta=10")
				alike := a.In(0).Hidden("mean", "algorithm=mh", "meta=1")
				first := alike[0]
				return All(smc < 2*smcJ, mh > 1000*mhJ,
					near(a.In(0).Hidden("mean", "algorithm=meanfield"), a.In(0).Hidden("J", "algorithm=meanfield")),
					Every(alike, func(v float64) bool { return Near(v, first, rounding) }))
			},
			Why: "The data of the paper are not printed; here it is a line through five points, on a grid. With ten runs of meta-inference the bias for two particles is less than the divergence, and for a hundred moves it is all of AIDE. With one run AIDE says the same of 1, 10 and 100 moves."},
		{ID: "aide-8", Place: "Sec. 3.3 and 5.1, Fig. 2", Kind: Shape, Verdict: SameInKind, InKind: true,
			Says: "In the regression the bias falls with the number of meta-inference runs.", Commands: []string{studyOfLine},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				return All(bounds(p, "particles=1", "algorithm=smc"), bounds(p, "particles=2", "algorithm=smc"),
					bounds(p, "particles=10", "algorithm=mh"), bounds(p, "particles=100", "algorithm=mh"))
			},
			Why: "The means are exact, for one and for ten runs."},
		{ID: "aide-9", Place: "Sec. 5.1, Fig. 2", Kind: Shape, Verdict: SameInKind, InKind: true,
			Says: "In the regression AIDE of sequential Monte Carlo falls as it gets more particles.", Commands: []string{studyOfLine},
			Holds: func(a *Answers) bool {
				of := func(column, particles string) float64 {
					return a.Number(column, "algorithm=smc", "particles="+particles, "meta=1")
				}
				ten, tenError, hundred, hundredError := of("mean", "10"), of("standard_error_mean", "10"), of("mean", "100"), of("standard_error_mean", "100")
				return All(Fall(of("mean", "1"), of("mean", "2"), of("mean", "3")), below(ten, tenError, of("mean", "3"), 0), below(hundred, hundredError, ten, tenError))
			},
			Why: "Ten and a hundred particles have no exact route on 49 states and are simulated; that each of them falls is a test at five standard errors."},
		{ID: "aide-10", Place: "Sec. 1; Sec. 5.3, Fig. 3", Kind: Order, Verdict: SameInKind, InKind: true,
			Says:     "The estimated log marginal likelihood hardly penalises an algorithm that misses one of two modes, where AIDE does.",
			Commands: []string{studyOfModes},
			Holds: func(a *Answers) bool {
				offset := func(column string) float64 { return a.Number(column, "algorithm=offset", "particles=1000", "meta=1") }
				lml, mean, mass := -offset("lml_error"), offset("mean"), offset("probe")
				broad := a.Number("mean", "algorithm=broad", "particles=1000", "meta=1")
				return All(lml < math.Ln2, mean > 4*math.Ln2, mass < 0.1, broad < 0.01*mean)
			},
			Why: "The paper prints no constants of its problem; here it has 21 states. An algorithm that misses half of the mass and is right on the other half loses log 2 = 0.69 nats of the log marginal likelihood."},
		{ID: "aide-11", Place: "Sec. 5.2, Fig. 4", Kind: Order, Verdict: SameInKind, InKind: true,
			Says:     "AIDE against an accurate approximate gold standard can be nearly what it is against exact draws.",
			Commands: []string{studyOfHMM},
			Holds: func(a *Answers) bool {
				exact, close, rough := a.Numbers("mean", "gold=exact"), a.Numbers("mean", "gold=prior:100"), a.Numbers("mean", "gold=prior:1")
				return All(Pairs(close, exact, func(v, w float64) bool { return math.Abs(v/w-1) < 0.15 }),
					Pairs(close, exact, func(v, w float64) bool { return w < 1 || math.Abs(v/w-1) < 0.01 }),
					!Pairs(rough, exact, func(v, w float64) bool { return math.Abs(v/w-1) < 1 }))
			},
			Why: "The gold standard is a hundred particles that follow the prior instead of a thousand with the optimal proposal, since its law is then exact. Where AIDE is above one nat the two differ by less than 1%, and else by at most 15%. One particle is no gold standard."},
		{ID: "aide-12", Place: "Sec. 5.2, Fig. 4", Kind: Order, Verdict: SameInKind, InKind: true,
			Says:     "In a hidden Markov model one particle that follows the prior is worst, ten are better, and the optimal proposal is best.",
			Commands: []string{studyOfHMM},
			Holds: func(a *Answers) bool {
				return forAll([]string{"mean", "J"}, func(column string) bool {
					return Fall(
						a.Number(column, "algorithm=prior", "particles=1", "gold=exact"), a.Number(column, "algorithm=prior", "particles=10", "gold=exact"), a.Number(column, "algorithm=optimal", "particles=10", "gold=exact"))
				})
			},
			Why: "AIDE and the divergence have the same order. The model is our own, and the optimal proposal has ten particles where the paper's has a hundred, which have no exact route."},
		{ID: "aide-13", Place: "Sec. 3.3; Sec. 5.2, Fig. 4", Kind: Shape, Verdict: SameInKind, InKind: true,
			Says:     "In a hidden Markov model more runs of meta-inference bring AIDE nearer to the divergence.",
			Commands: []string{"aide study hmm --hmm inputs/aide-hmm.toml --meta 1,10,100"},
			Holds: func(a *Answers) bool {
				nearer := func(particles, algorithm string) bool {
					means, j := a.In(0).Hidden("mean", particles, algorithm), a.In(0).Hidden("J", particles, algorithm)
					return All(bounds(a.In(0), particles, algorithm), means[2]-j[2] < 0.05*(means[0]-j[0]))
				}
				return All(nearer("particles=2", "algorithm=prior"), nearer("particles=10", "algorithm=prior"),
					nearer("particles=100", "algorithm=prior"), nearer("particles=10", "algorithm=optimal"))
			},
			Why: "A hundred runs leave less than a twentieth of the bias of one, for a short sequence of our own."},
		{ID: "aide-14", Place: "Sec. 1; Sec. 5.3, Fig. 5", Kind: Statement, Verdict: SameInKind, InKind: true,
			Says:     "The mean of a probe function, such as the number of clusters in a mixture, does not assess the whole distribution of the output, where AIDE does.",
			Commands: []string{studyOfFive},
			Holds: func(a *Answers) bool {
				const posterior = 2.286183602541887 // the mean number of clusters over all 52 partitions
				bad := []string{"algorithm=prior", "particles=1", "rejuvenate=false"}
				good := []string{"algorithm=optimal", "particles=3", "rejuvenate=false"}
				badOff := a.Show("clusters too many", a.Number("probe", bad...)-posterior)
				goodOff := a.Show("clusters too many", a.Number("probe", good...)-posterior)
				return All(math.Abs(badOff) < 0.01, math.Abs(goodOff) > 0.1, a.Number("mean", good...) < 0.1*a.Number("mean", bad...))
			},
			Why: "Five points of our own were chosen such that one particle that follows the prior has the posterior's mean number of clusters, and yet it is far from the posterior. Three particles with the optimal proposal have a worse number, and are nearer."},
		{ID: "aide-15", Place: "App. E, Fig. 6", Kind: Number, Verdict: Missing,
			Says:    "For forty velocities of galaxies, AIDE and the mean number of clusters of several algorithms, against a hundred particles with the optimal proposal.",
			Lacks:   "It needs the forty velocities that the authors drew from the data, and the hyperparameters of their mixture, which are not printed.",
			Printed: "40 points, 100 particles", Why: "Claims meta-13 and meta-14 test in kind what the figure shows."},
	}
}

// aideStatements returns the claims of the sections on background, related work and the discussion.
func aideStatements() []Claim {
	return []Claim{
		{ID: "aide-24", Place: "Sec. 6", Kind: Statement, Verdict: AsPrinted,
			Says:     "AIDE needs accurate meta-inference, which Markov chains without annealing do not have, so that it does not yet serve to diagnose them.",
			Commands: []string{aideOfMH, "tightness --toy easy -T 1000"},
			Holds: func(a *Answers) bool {
				mean, j := a.Number("mean", "meta=100"), a.Number("J", "meta=100")
				annealed := a.Show("B - J of annealing", a.In(1).Hidden("B")[0]-a.In(1).Hidden("J")[0])
				return All(mean > 1000*j, mean-j > annealed)
			},
			Why: "After a thousand moves the chain is all but exact, and AIDE with a hundred runs of meta-inference is ten thousand times its divergence. A thousand moves with annealing have a smaller bias with one run."},
		{ID: "aide-25", Place: "Sec. 2", Kind: Statement, Verdict: SameInKind, InKind: true,
			Says:     "That sequential Monte Carlo is exact in the limit of many particles says little about any finite number of them.",
			Commands: []string{"smc --toy file:inputs/two.npy --path via:inputs/mid.npy -T 3 --particles 1,10,100,1000"},
			Holds: func(a *Answers) bool {
				j := a.Numbers("J")
				return All(Rise(j[0], j[1]), Fall(j[1], j[2], j[3]), j[3] < 0.1*j[0])
			},
			Why: "On two states, with a detour of the path, ten particles are farther from the target than one, and a thousand are near. Nothing orders the divergence by the number of particles."},
		{ID: "aide-26", Place: "App. A", Kind: Protocol, Verdict: AsPrinted,
			Says:     "That particles are resampled at every step only makes the analysis simpler.",
			Commands: []string{"selfcheck aide smc:2:multinomial:0.9", "selfcheck aide smc:2:multinomial:0", "smc --toy barrier,easy -T 100 --particles 2 --threshold 1,0"},
			Holds: func(a *Answers) bool {
				found := []string{"xi_of_traces", "mean_below_J", "rises_with_meta"}
				b, j := a.In(2).Hidden("B"), a.In(2).Numbers("J")
				return All(holds(a.In(0), 2, found...), holds(a.In(1), 2, found...), Pairs(b, j, func(b, j float64) bool { return b >= j }))
			},
			Why: "The identities hold for particles that are resampled below an effective sample size, and never. What is simpler to analyse is not what is better: on both targets the divergence of two particles is smaller where they are never resampled."},
		{ID: "aide-27", Place: "Sec. 4", Kind: Statement, Verdict: AsPrinted,
			Says:     "Bidirectional Monte Carlo bounds the error of one annealed particle only; AIDE also that of resampled and of rejuvenated particles, of variational approximations and of rejection samplers.",
			Commands: []string{aideOfSMC, studyOfFour, aideOfDensity, aideExactAIS},
			Holds: func(a *Answers) bool {
				density, j := a.In(2).Hidden("mean"), a.In(2).Hidden("J")
				return All(bounds(a.In(0), "gold_meta=1"), bounds(a.In(1), "rejuvenate=true", "algorithm=prior", "particles=1"),
					near(density, j), bounds(a.In(3), "toy=barrier"))
			},
			Why: "For each kind the mean of AIDE is at least the divergence, and it is the divergence where there is no trace."},
		{ID: "aide-28", Place: "Sec. 3.2, Rejection sampling", Kind: Theorem, Verdict: AsPrinted,
			Says:     "A rejection sampler needs no trace: the density of the posterior, normalised or not, is all that AIDE asks of it.",
			Commands: []string{"selfcheck aide exact", "aide --target exact --gold ais --toy easy -T 100 --meta 1,10,100", aideOfAIS},
			Holds: func(a *Answers) bool {
				b := a.In(2).Number("mean", "toy=easy", "meta=1")
				return All(holds(a.In(0), 2, "xi_of_traces"), near(a.In(1).Numbers("mean"), []float64{b, b, b}))
			},
			Why: "However many of its traces are drawn, they change nothing."},
		{ID: "aide-29", Place: "Sec. 6; Sec. 5.3", Kind: Statement, Verdict: FailsHere,
			Says:     "AIDE answers how few particles or rejuvenation steps are enough, so it falls where rejuvenation makes the output more accurate.",
			Commands: []string{studyOfMixture, studyOfFour},
			Holds: func(a *Answers) bool {
				falls := forAll([]string{"algorithm=prior", "algorithm=optimal"}, func(algorithm string) bool {
					one := func(column, rejuvenate string) float64 {
						return a.Number(column, "rejuvenate="+rejuvenate, algorithm, "particles=1", "meta=1")
					}
					better := one("J", "true") < one("J", "false")
					return !better || one("mean", "true") < one("mean", "false")
				})
				a.In(1).Numbers("mean", "rejuvenate=false", "algorithm=prior", "particles=1", "meta=10")
				a.In(1).Numbers("mean", "rejuvenate=true", "algorithm=prior", "particles=1")
				return falls
			},
			Why: "With one particle and one run of meta-inference it is the other way round: a scan over the points after each step takes the divergence from 8.54 to 0.15 nats, and AIDE from 8.54 to 9.26, because the scan makes the trace harder to infer. With ten runs or with three particles the order is right."},
		{ID: "aide-30", Place: "Sec. 3.3, Theorem 1", Kind: Statement, Verdict: AsPrinted,
			Says:     "AIDE bounds the divergence on average only: one estimate may be below the divergence, and even below zero.",
			Commands: []string{"weights --toy barrier -T 100"},
			Holds: func(a *Answers) bool {
				belowJ, belowZero := a.Number("p_bhat_below_J"), a.Number("p_bhat_below_0")
				return All(belowJ > 0.01, belowZero > 0.01, a.Number("B") >= a.Number("J"))
			},
			Why: "These are the probabilities for one run of either algorithm and one run of meta-inference."},
	}
}

// aideFigures returns the figures of the paper, all drawn in kind, since no constants of theirs are printed.
func aideFigures() []Figure {
	return []Figure{
		{
			Paper: "aide", Name: "Figure 2", Command: studyOfLine,
			Shows: "AIDE of sequential Monte Carlo, Metropolis-Hastings and variational inference in a regression, for several numbers of meta-inference runs",
		},
		{Paper: "aide", Name: "Figure 3", Command: studyOfModes,
			Shows: "the log marginal likelihood and AIDE of two proposals for a posterior with two modes, one of which a proposal misses"},
		{
			Paper: "aide", Name: "Figure 4", Command: "aide study hmm --particles 1,10,100 --gold exact,optimal:1000 --meta 1 --chains 100",
			Shows: "the marginals of the posterior of a hidden Markov model and of particle filters, and AIDE of the filters against the posterior and against a thousand particles with the optimal proposal",
		},
		{Paper: "aide", Name: "Figure 5", Command: studyOfFive,
			Shows: "AIDE of particle filters of a Dirichlet process mixture beside the mean number of clusters"},
		{Paper: "aide", Name: "Figure 6", Command: studyOfMixture,
			Shows: "the velocities of galaxies, and AIDE and the mean number of clusters of particle filters with and without rejuvenation"},
	}
}
