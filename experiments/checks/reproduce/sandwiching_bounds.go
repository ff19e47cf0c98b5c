package reproduce

import (
	"math"
)

// sandwichingCompare is the comparison of estimators at full size that most claims of section 6.4 read: 50 data in 25 columns, ten clusters
// whose centres vary half as much as the noise. Which variances the paper took is not printed; with these the criteria and bounds that it
// calls worst are so, and variational Bayes is as far off as it says.
const sandwichingCompare = "sandwich compare --model clustering:10:0.5:1 --estimator ais,rais,smc,ns,vb,bic,lw,cms,hme --budget 1s --trials 25"

// sandwichingScans has 60 data sets with a run of each direction, for the errors of the gap.
const sandwichingScans = "sandwich --model clustering -T 100 --scans 0,1,10 --exact-starts 60"

// sandwichingBounds returns the claims of section 4 on stochastic lower and upper bounds.
func sandwichingBounds() []Claim {
	return []Claim{
		{ID: "bdmc-2", Place: "Sec. 4.1, Eq. 26", Kind: Theorem, Verdict: AsPrinted,
			Says:     "The logarithm of an unbiased estimate underestimates the logarithm of the marginal likelihood on average.",
			Commands: []string{sandwichingClu8, sandwichingAnnealed},
			Holds: func(a *Answers) bool {
				return All(Every(a.In(0).Numbers("bias", "estimator=lw"), isNegative), Every(a.In(1).Numbers("bias", "estimator=ais"), isNegative))
			},
			Why: "Jensen's inequality; likelihood weighting with 10 draws from the prior of clu8 is 4.59 nats low."},
		{ID: "bdmc-3", Place: "Sec. 4.1, Eq. 25", Kind: Theorem, Verdict: AsPrinted,
			Says:     "An unbiased estimate exceeds the truth by more than b nats with a probability below exp(-b).",
			Commands: []string{sandwichingClu8, sandwichingAnnealed, sandwichingSequential, sandwichingTails},
			Holds: func(a *Answers) bool {
				unbiased := a.In(0).Hidden("p_above_1", "estimator=lw")
				unbiased = append(unbiased, a.In(1).Hidden("p_above_1", "estimator=ais")...)
				for _, e := range sandwichingRuns() {
					unbiased = append(unbiased, a.In(2).Hidden("p_above_1", "estimator=smc:"+e)...)
				}
				return All(a.Show("largest P(> +1)", mostOf(unbiased)) < math.Exp(-1), forAll([]string{"b=1", "b=2", "b=3"}, func(b string) bool {
					return Pairs(a.In(3).Numbers("p_forward_above", b), a.In(3).Hidden("bound", b), less)
				}))
			},
			Why: "Markov's inequality, which none of these estimators comes near to."},
		{ID: "bdmc-12", Place: "Sec. 4.1", Kind: Theorem, Verdict: AsPrinted,
			Says:     "Annealed importance sampling converges to the truth as intermediate distributions are added.",
			Commands: []string{"evidence --toy easy --estimator ais,rais --work 100,1000,10000"},
			Holds: func(a *Answers) bool {
				// Ten times the work is ten times the distributions, and the bias falls like 1/T.
				return forAll([]string{"estimator=ais", "estimator=rais"}, func(e string) bool {
					bias, rmse := a.In(0).Numbers("bias", e), a.In(0).Hidden("rmse", e)
					ratios := zip(bias, bias[1:], func(v, next float64) float64 { return v / next })
					return All(Every(ratios, func(v float64) bool { return 8 < v && v < 12 }), Fall(rmse...), math.Abs(end(bias)) < 0.01)
				})
			},
			Why: "From both sides the bias falls like 1/T, and the root of the mean squared error like its square root."},
		{ID: "bdmc-5", Place: "Sec. 4.2", Kind: Statement, Verdict: AsPrinted,
			Says:     "With exact draws from the posterior the harmonic mean estimator is a stochastic upper bound, which can be extremely poor.",
			Commands: []string{sandwichingClu8},
			Holds: func(a *Answers) bool {
				hme, lw := a.Numbers("bias", "estimator=hme"), a.Numbers("bias", "estimator=lw")
				return All(Every(hme, func(v float64) bool { return v > 0 }), end(hme) > 1, end(hme) > 10*math.Abs(end(lw)))
			},
			Why: "With 500 exact draws on 256 states it is still 1.98 nats too high, where as much work of likelihood weighting is 0.04 too low."},
		{ID: "bdmc-6", Place: "Sec. 4.2", Kind: Statement, Verdict: AsPrinted,
			Says:     "With draws from a sampler that misses an important mode the harmonic mean estimator is no upper bound, and may underestimate.",
			Commands: []string{"subjective --toy barrier -T 2 --reference point:0,target --moves 0,100", "tightness --toy barrier -T 2"},
			Holds: func(a *Answers) bool {
				// With two distributions the reversed run is the harmonic mean estimator from one draw: its mean is value + E_fwd[log w].
				logZ, forward := a.In(1).Number("log_z_ratio"), a.In(1).HiddenNumber("mean_log_w_forward")
				mean := func(reference, moves string) float64 {
					return a.Show("mean from "+reference+" after "+moves, a.In(0).HiddenNumber("value", "reference="+reference, "S="+moves)+forward)
				}
				return All(mean("point:0", "0") < logZ, mean("point:0", "100") < logZ, mean("target", "0") > logZ)
			},
			Why: "On BARRIER a chain that starts in a corner away from the large mode is there still after 100 moves, and gives 0.00 on average, 1.44 nats below the truth; exact draws give 2.61, 1.17 above it."},
		{ID: "bdmc-13", Place: "Sec. 4.2", Kind: Order, Verdict: SameInKind, InKind: true,
			Says:     "Many small steps of importance sampling are far more accurate than a single large one.",
			Commands: []string{sandwichingCompare},
			Holds: func(a *Answers) bool {
				return All(10*a.Number("rmse", "estimator=ais") < a.Number("rmse", "estimator=lw"), 10*a.Number("rmse", "estimator=rais") < a.Number("rmse", "estimator=hme"))
			},
			Why: "In both directions by more than a factor of ten on data of the paper's size. Forward it is no law of small spaces: on the 256 states of clu8 likelihood weighting is better than annealing at the same work."},
		{ID: "bdmc-11", Place: "Sec. 4.2.1, Eqs. 27 to 31", Kind: Theorem, Verdict: AsPrinted,
			Says:     "Annealing in reverse from an exact draw is unbiased for the reciprocal, and overestimates the logarithm on average.",
			Commands: []string{sandwichingAnnealed, sandwichingIdentities},
			Holds: func(a *Answers) bool {
				return All(Every(a.In(0).Numbers("bias", "estimator=rais"), func(v float64) bool { return v > 0 }), hasNoReciprocalBias(a.In(1), "rais"))
			},
			Why: "Exact laws on three models, and all runs enumerated on a fourth."},
		{ID: "bdmc-17", Place: "Sec. 4.2.2 and Algorithm 3", Kind: Theorem, Verdict: AsPrinted,
			Says:     "The sequential harmonic mean estimator is a stochastic upper bound.",
			Commands: []string{sandwichingSequential, sandwichingIdentities},
			Holds: func(a *Answers) bool {
				return All(hasNoReciprocalBias(a.In(1), "shme"), forAll(sandwichingRuns(), func(e string) bool {
					return Every(a.In(0).Numbers("bias", "estimator=shme:"+e), func(v float64) bool { return v > 0 })
				}))
			},
			Why: "It is above the truth on all models, with any moves."},
		{ID: "bdmc-18", Place: "Sec. 4.2.2, Eqs. 32 and 33", Kind: Theorem, Verdict: AsPrinted,
			Says:     "With moves that give independent draws both sequential estimates have a closed form.",
			Commands: []string{sandwichingSequential},
			Holds: func(a *Answers) bool {
				// The rows "perfect" are the closed form; those of M scans are found by propagation, and come closer with M.
				return forAll(sandwichingModels(), func(toy string) bool {
					return forAll([]string{"smc", "shme"}, func(e string) bool {
						mean := func(scans string) float64 {
							return a.In(0).HiddenNumber("mean", toy, "estimator="+e+":posterior:"+scans)
						}
						one, five := math.Abs(mean("1")-mean("perfect")), math.Abs(mean("5")-mean("perfect"))
						return All(a.Show("left after 5 scans, "+toy+" "+e, five) < 0.01, five < one)
					})
				})
			},
			Why: "Means with one and with five scans between the data, which are computed otherwise, converge to the formulas."},
		{ID: "bdmc-19", Place: "Sec. 4.2.2, Eqs. 34 and 35", Kind: Statement, Verdict: AsPrinted,
			Says:     "The distance between the two sequential estimates bounds the error of the upper one, and is a sum of effects that should be small.",
			Commands: []string{sandwichingSequential},
			Holds: func(a *Answers) bool {
				return forAll(sandwichingModels(), func(toy string) bool {
					lower, upper := a.In(0).HiddenNumber("bias", toy, "estimator=smc:posterior:perfect"), a.In(0).HiddenNumber("bias", toy, "estimator=shme:posterior:perfect")
					return All(a.Show("error, "+toy, upper) <= a.Show("distance, "+toy, upper-lower), lower < 0, 0 < upper, upper-lower < 1)
				})
			},
			Why: "The distances are 0.15 to 0.83 nats on four to eight data; at full size they are more (see bdmc-33)."},
		{ID: "bdmc-67", Place: "Sec. 4.3", Kind: Statement, Verdict: AsPrinted,
			Says:     "Once both bounds agree closely, their estimate is very unlikely to be off by more than a few nats.",
			Commands: []string{sandwichingTails},
			Holds: func(a *Answers) bool {
				rare := func(v float64) bool { return v < math.Exp(-3) }
				return All(Every(a.Numbers("p_forward_above", "b=3"), rare), Every(a.Numbers("p_reverse_below", "b=3"), rare))
			},
			Why: "By Markov's inequality either bound is on the wrong side by more than 3 nats with a probability below 5%; exactly it is far less."},
		{ID: "bdmc-60", Place: "Sec. 4.5, Eqs. 36 and 37", Kind: Theorem, Verdict: AsPrinted,
			Says:     "The bias of the lower bound, and so its distance from the upper one, bounds how far the samples are from the posterior.",
			Commands: []string{"tightness --toy easy,barrier,hard -T 10,100,1000"},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				logZ, forward, kl, both := p.Hidden("log_z_ratio"), p.Hidden("mean_log_w_forward"), p.Numbers("kl_q_p"), p.Hidden("B")
				bias := lessEach(logZ, forward)
				return All(Pairs(kl, bias, atMost), Pairs(bias, both, atMost))
			},
			Why: "On the three toys of the later paper the bias is a bound everywhere; at T = 100 on EASY it is 0.272 nats, where the divergence is 0.0742."},
		{ID: "bdmc-68", Place: "Sec. 4.2, footnote 3, and Sec. 6", Kind: Protocol, Verdict: SameInKind, InKind: true,
			Says:     "The one exact draw that comes with a simulated data set is enough to run all chains in reverse.",
			Commands: []string{sandwichingScans},
			Holds: func(a *Answers) bool {
				// Each data set has one run of each direction. The mean gap is above zero by more than five standard errors over 60 data sets,
				// which chance makes of no gap with a probability below 1e-6.
				p := a.In(0)
				return p.Number("B", "algorithm=ais", "data=") > 5*p.Number("B_se", "algorithm=ais", "data=")
			},
			Why: "On average over data sets the ends are in order. On a single one they need not be: errors over its chains do not show that of the draw that they share."},
	}
}

// isNegative reports whether a number is below zero.
func isNegative(v float64) bool { return v < 0 }

// end returns the last number of a list, and NaN of an empty one.
func end(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	return list[len(list)-1]
}
