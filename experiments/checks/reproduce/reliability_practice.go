package reproduce

import (
	"math"
	"slices"
)

// reliabilityPractice returns the claims on real data, implementations and other methods (sections 2.3, 4 and 5, appendices B to D).
func reliabilityPractice() []Claim {
	return []Claim{
		{ID: "bread-37", Place: "Sec. 2.3", Kind: Theorem, InKind: true, Verdict: SameInKind,
			Says:     "Simulated data come with one exact draw from their posterior, and one is enough for a stochastic upper bound.",
			Commands: []string{"sandwich --model clustering:2 --data-rows 6 --data-columns 2 -T 10,300 --scans 0 --exact-starts 800"},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				short, long := []string{"algorithm=ais", "T=10", "datasets=1"}, []string{"algorithm=ais", "T=300", "datasets=1"}
				mean, sd := meanAndSD(lessEach(p.Hidden("upper", short...), p.Hidden("lower", long...)))
				gaps := p.Hidden("B", short...)
				a.Show("share of data sets with B < 0 at T = 10", shareOf(gaps, func(b float64) bool { return b < 0 }))
				// Were the upper end not above the lower one of a long annealing, this would happen with probability 3e-7.
				return a.Show("mean of upper end at T = 10 less lower end at T = 300", mean) > 5*a.Show("its standard error", sd/math.Sqrt(float64(len(gaps))))
			},
			Why: "On average over data sets the upper end is above. On a single data set, with a single draw, the gap is often negative."},
		{ID: "bread-38", Place: "Sec. 4, on [CTM16]", Kind: Statement, Verdict: AsPrinted,
			Says:     "With reverse chains that start at the target the subjective divergence bounds J; of those that start elsewhere little is known.",
			Commands: []string{reliabilityStarts},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				exact := leastOf(lessEach(p.Hidden("value", "reference=target"), p.Hidden("J", "reference=target")))
				below := func(toy string) bool {
					at := append(annealingOf(toy, "10000"), "reference=uniform")
					return p.Number("value", at...) < p.Number("J", at...)
				}
				return All(a.Show("least of value less J, from the target", exact) >= 0, below("easy"), below("hard"), below("barrier"))
			},
			Why: "Computed exactly, it is no bound from elsewhere: from uniform starts it is below J on all three toys at T = 10,000, and even negative."},
		{ID: "bread-39", Place: "Sec. 3.2 and 5.1.2; Figs. 1(c), 6", Kind: Shape, InKind: true, Verdict: SameInKind,
			Says:     "Reverse chains that start from fitted hyperparameters after S = 10 to 10,000 moves cannot be told apart.",
			Printed:  "S = 10, 100, 1000, 10000",
			Commands: []string{reliabilityFitted},
			Holds: func(a *Answers) bool {
				var values []float64
				for _, s := range []string{"10", "100", "1000", "10000"} {
					values = append(values, a.In(0).Hidden("value", "S="+s)...)
				}
				// The mean of 100 chains, as many as the paper has, has an error far above a thousandth of a nat.
				return a.Show("largest difference of means", mostOf(values)-leastOf(values)) < 1e-3
			},
			Why: "On a clustering of five points with an unknown noise variance, where all is exact, they are the same within 0.00006 nats from S = 10 on, for two fits."},
		{ID: "bread-40", Place: "Sec. 3.2", Kind: Statement, InKind: true, Verdict: SameInKind,
			Says:     "A few moves make a plausible posterior draw of the state with the fitted hyperparameters.",
			Commands: []string{reliabilityFitted},
			Holds: func(a *Answers) bool {
				start, after := a.Numbers("kl_reference", "S=0"), a.Numbers("kl_reference", "S=10")
				return Every(start, func(kl float64) bool { return kl > 0.1 }) && Every(after, func(kl float64) bool { return kl < 1e-3 })
			},
			Why: "Ten scans by heat bath bring the law of the start from 3 nats away to 1e-7. It depends on the kernel: on BARRIER 10,000 Metropolis moves change " +
				"the uniform start so little that the value goes from -0.421 to -0.405."},
		{ID: "bread-41", Place: "Sec. 5.1.2", Kind: Statement, Verdict: AsPrinted,
			Says:     "With a start from fitted hyperparameters J is no longer sure to be bounded.",
			Commands: []string{"subjective --toy hyper -T 10 --kernel lazy:0.9 --reference fitted:eta=0.25,fitted:eta=4 --moves 0"},
			Holds: func(a *Answers) bool {
				value := func(eta string) float64 { return a.Number("value", "reference=fitted:eta="+eta) }
				high, low := value("0.25"), value("4")
				j := a.Number("J", "reference=fitted:eta=4")
				return high > j && low < j
			},
			Why: "With a kernel that rarely moves one fit gives a value above J and the other one below it."},
		{ID: "bread-42", Place: "Sec. 5.1.1; Figs. 1(a, b), 5(a-d, f)", Kind: Shape, InKind: true, Verdict: SameInKind,
			Says:     "Chains forward behave alike on real data and on data simulated from a fit to them, but for a shift of the curves.",
			Commands: []string{reliabilityCentred},
			Holds: func(a *Answers) bool {
				apart := 0.0
				for _, t := range []string{"10", "30", "100"} {
					apart = max(apart, math.Abs(medianApart(a, 0, t)))
				}
				// Of the three, each is a Student variable with 7 degrees of freedom: above 4 with probability 0.005.
				return apart < 4
			},
			Why: "The five data sets of the paper are not at hand. These are made-up ratings of 50 people for 50 films, as many as the paper has of MovieLens. Whoever has a data set runs " +
				"sandwich fit on it."},
		{ID: "bread-43", Place: "App. D; Fig. 5(e, f)", Kind: Shape, InKind: true, Verdict: SameInKind, Effort: Slow,
			Says: "For ratings that are not centred the curves of real and simulated data differ under a factorisation without an intercept. They match for centred ones.",
			Commands: []string{
				"sandwich fit --data inputs/ratings.csv --model lowrank:5 --scale none -T 30,300 -S 10 --chains 100 --datasets 12",
				"sandwich fit --data inputs/ratings.csv --model lowrank:5 --scale centre -T 30,300 -S 10 --chains 100 --datasets 12"},
			Holds: func(a *Answers) bool {
				raw, centred := medianApart(a, 0, "300"), medianApart(a, 1, "300")
				// Both are Student variables with 11 degrees of freedom where data match: below -3 or above 3 with probability 0.012.
				return math.Abs(raw) > 3 && math.Abs(centred) < 3
			},
			Why: "On ratings that were made up the real curve is 127 nats behind the simulated ones, or 3.6 standard errors. With two other seeds it is 2.3 and 3.8, so " +
				"that one run with few data sets need not show it."},
		{ID: "bread-44", Place: "App. C", Kind: Number, Verdict: Missing,
			Says:    "The five data sets have these sizes: 1746 people, 768 women, 50 by 50 ratings, 105 prices and 272 eruptions.",
			Printed: "1746, 768, 50x50, 105, 272",
			Lacks:   "It needs the five data sets, which are not part of this program. Their models are: linear, logistic, lowrank, ar1 and clustering of sandwich fit."},
		{ID: "bread-45", Place: "Sec. 5.2.1, Fig. 2(a)", Kind: Order, InKind: true, Verdict: SameInKind,
			Says:     "Where U is integrated out, the sampler converges in fewer steps.",
			Commands: []string{"represent --toy low -T 10,100,1000"},
			Holds: func(a *Answers) bool {
				below := func(column string) bool {
					collapsed, all := a.Numbers(column, "representation=collapsed"), a.Numbers(column, "representation=uncollapsed")
					return len(collapsed) == 3 && Pairs(collapsed, all, less)
				}
				return All(below("J"), below("B"))
			},
			Why: "It holds on a tiny factorisation with the same kind of kernel, heat-bath scans, in both forms. At full size it depends on the kernel that is left: our " +
				"collapsed form moves V by elliptical slices and has a larger B at equal T than exact draws of U and V in turn."},
		{ID: "bread-46", Place: "Sec. 5.2.1", Kind: Order, InKind: true, Verdict: SameInKind,
			Says:     "A step of the collapsed sampler takes longer.",
			Commands: []string{reliabilityFullSize},
			Holds: func(a *Answers) bool {
				// The fastest of four data sets is the one that other programs have disturbed least.
				fastest := func(form string) float64 {
					return a.Show("fastest chain in seconds, "+form, leastOf(a.In(0).Hidden("seconds", "representation="+form, "T=1000", "datasets=1")))
				}
				return fastest("collapsed") > fastest("uncollapsed")
			},
			Why: "With the kernels of this program a chain takes some three times as long at the size of the paper, 50 by 25 with K = 5."},
		{ID: "bread-47", Place: "Sec. 5.2.1, Fig. 2(b)", Kind: Order, Verdict: Missing,
			Says:  "By time the uncollapsed form wins in Stan and the collapsed one in WebPPL, and per step WebPPL gains more by collapsing.",
			Lacks: "It needs the samplers of both systems, NUTS and Metropolis moves of execution traces, neither of which this program has. Claims bread-45 and bread-46 are about its own."},
		{ID: "bread-48", Place: "Sec. 5.2.1", Kind: Statement, Verdict: PrintedWrongly,
			Says: "A row of the data has the covariance sigma_u V'V + sigma I once U is integrated out.", Printed: "sigma_u V'V + sigma I",
			Commands: []string{"sandwich --data inputs/ratings.csv --model lowrank:5:4:1:0.25,lowrank:5:2:1:0.5 -T 300,1000 --chains 4 --scans 1"},
			Holds: func(a *Answers) bool {
				// With sigma_u = 2 and sigma = 0.5 the model has the variances 4 and 0.25. The covariance as printed is that of 2 and 0.5.
				lower := func(model, t string) float64 { return a.Number("lower", "model="+model, "algorithm=ais", "T="+t) }
				squares, printed := lower("lowrank:5:4:1:0.25", "1000"), lower("lowrank:5:2:1:0.5", "1000")
				still := a.Show("both rises from T = 300", math.Abs(squares-lower("lowrank:5:4:1:0.25", "300"))+math.Abs(printed-lower("lowrank:5:2:1:0.5", "300")))
				return math.Abs(squares-printed) < 5*still
			},
			Why: "Squares are missing: it is sigma_u^2 V'V + sigma^2 I. On the same ratings log p(y) of the two readings differs by 753 nats, while its estimates still rise by 46 and 19 " +
				"from T = 300 to 1000. The paper has 1 for all, where both are the same."},
		{ID: "bread-49", Place: "Sec. 5.2.1", Kind: Protocol, Verdict: AsPrinted,
			Says:     "Both forms get the same simulated data and the same exact draw, with 50 rows and 25 columns.",
			Printed:  "N = 50, D = 25, K = 5",
			Commands: []string{reliabilityFullSize},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				if a.Show("data sets of 50 by 25", float64(len(p.Hidden("B", "rows=50", "columns=25", "datasets=1", "T=1000")))) != 8 {
					return false
				}
				worst := math.Inf(-1)
				for _, data := range []string{"1", "2", "3", "4"} {
					at := []string{"data=" + data, "T=1000"}
					worst = max(worst, mostOf(p.Hidden("lower", at...))-leastOf(p.Hidden("upper", at...)))
				}
				// The mean of exp(lower - upper) is at most 1 for independent chains, so that the 16 pairs of a lower and an upper end are apart by
				// 12 nats with probability 1e-4 at most (Markov's inequality).
				return a.Show("largest lower end of a form less an upper end of either", worst) < 12
			},
			Why: "p(y) of a data set is the same in both forms, so that no lower end may be far above any upper end. Another data set has a p(y) that is tens of nats away."},
		{ID: "bread-50", Place: "Sec. 5.2.2", Kind: Statement, Verdict: AsPrinted,
			Says:     "Estimates of reverse chains that are clearly below those of forward chains reveal a bug, such as a wrong draw from the posterior.",
			Commands: []string{reliabilityStarts},
			Holds: func(a *Answers) bool {
				right := leastOf(a.In(0).Hidden("value", "reference=target"))
				wrong := a.Number("value", append(annealingOf("barrier", "10000"), "reference=uniform")...)
				a.Number("value", append(annealingOf("easy", "100"), "reference=uniform")...)
				return a.Show("least mean gap from right draws", right) > 0 && wrong < -0.1
			},
			Why: "The mean gap is never negative from right draws, and is on BARRIER at T = 10,000 from uniform ones. It need not be: on EASY at T = 100 it is positive, so that such a " +
				"bug may stay hidden."},
		{ID: "bread-51", Place: "Sec. 5.2.2", Kind: Theorem, Verdict: FailsHere,
			Says:     "The log weights of chains forward and in reverse are lower and upper bounds of log p(y) with high probability.",
			Commands: []string{reliabilityPairs},
			Holds: func(a *Answers) bool {
				return All(a.Number("p_bhat_below_0", "T=100") < 0.05, a.Number("p_bhat_below_0", "T=1000") < 0.05)
			},
			Why: "On BARRIER the two of a pair of chains are the wrong way round in 15% of runs at T = 100, and in 23% at T = 1000. High probability is there only once some nats are " +
				"allowed for: exp(-b) for b nats."},
		{ID: "bread-52", Place: "Sec. 1 and 3.1", Kind: Statement, Verdict: AsPrinted,
			Says: "One pair of chains gives a bound on J in expectation.", Commands: []string{reliabilityPairs},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				a.Number("p_bhat_below_J", "T=100")
				a.Number("p_bhat_below_J", "T=1000")
				slack := lessEach(lessEach(p.Hidden("mean_reverse"), p.Hidden("mean_forward")), p.Hidden("J"))
				return a.Show("least of E B-hat less J", leastOf(slack)) >= 0
			},
			Why: "In expectation only: a single estimate on BARRIER is below J with probability 0.38 at T = 100, and 0.47 at T = 1000."},
		{ID: "bread-53", Place: "App. B", Kind: Statement, Verdict: AsPrinted,
			Says:     "Although B is a divergence of whole histories, of which there are 49 to the power T, it is near J on some toys.",
			Commands: []string{reliabilityPrinted},
			Holds: func(a *Answers) bool {
				hard, barrier, easy := a.Numbers("B_over_J", "toy=hard"), a.Numbers("B_over_J", "toy=barrier"), a.Numbers("B_over_J", "toy=easy")
				near := func(ratio float64) bool { return ratio < 1.5 }
				return Every(hard, near) && Every(barrier, near) && !slices.ContainsFunc(easy, near)
			},
			Why: "On two of the three toys, HARD and BARRIER."},
		{ID: "bread-54", Place: "App. B.1", Kind: Theorem, Verdict: AsPrinted,
			Says:     "The exact J and B need no more than the laws of pairs of neighbouring states, which a pass over the stages gives.",
			Commands: []string{reliabilityPrinted, reliabilityPairs, reliabilityBeyond},
			Holds: func(a *Answers) bool {
				of := func(part int, column, t string) float64 {
					return a.In(part).HiddenNumber(column, annealingOf("barrier", t)...)
				}
				most := 0.0
				for _, t := range []string{"100", "1000"} {
					most = max(most, math.Abs(of(0, "mean_log_w_forward", t)-of(1, "mean_forward", t)), math.Abs(of(0, "mean_log_w_reverse", t)-of(1, "mean_reverse", t)))
				}
				return All(a.Show("largest difference of means", most) <= 1e-11, a.Show("B/J of barrier at T = 1,000,000", a.In(2).HiddenNumber("B_over_J", "toy=barrier")) > 1)
			},
			Why: "The means are those of the whole laws of log weights, which are computed otherwise. With pairs T = 1,000,000 takes a second."},
		{ID: "bread-55", Place: "Sec. 5.1.1", Kind: Statement, InKind: true, Verdict: SameInKind,
			Says: "Log weights have many outliers, so that quartiles show more than means.", Commands: []string{reliabilityCentred},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				forward := []string{"direction=forward", "T=30"}
				a.Number("mean", append(forward, "data=real")...)
				a.Number("q25", append(forward, "data=real")...)
				behind := lessEach(p.Hidden("mean", forward...), p.Hidden("q25", forward...))
				return a.Show("share of data sets whose mean is below the lower quartile", shareOf(behind, func(v float64) bool { return v < 0 })) > 0.5
			},
			Why: "On the made-up ratings at T = 30 a few of 20 chains pull the mean below the lower quartile, on all data sets."},
		{ID: "bread-56", Place: "Sec. 4, on [RR01]", Kind: Statement, Verdict: Missing,
			Says:    "An acceptance rate of 0.234 is the best one for Metropolis with isotropic proposals under general conditions.",
			Printed: "0.234",
			Lacks:   "It is a limit for continuous targets of many dimensions, quoted from another paper. This program has small discrete spaces."},
		{ID: "bread-57", Place: "Sec. 4", Kind: Statement, Verdict: AsPrinted,
			Says:     "Diagnostics of convergence find some failures and confirm nothing, whereas B can show that a sampler is near its target.",
			Commands: []string{"samplers laws --toy barrier --kernel metropolis --function x0<=1 -N 100 --chains 4", reliabilityFigure3},
			Holds: func(a *Answers) bool {
				deceived, stuck := a.Number("p_assured_and_wrong_1_01"), a.Number("p_constant_and_wrong")
				return deceived > 1e-4 && stuck > 1e-2 && a.In(1).Number("B", annealingOf("easy", "100000")...) < 1e-3
			},
			Why: "Four chains of 100 samples on BARRIER agree to R-hat < 1.01 and are wrong with probability 0.0006, and never move and are wrong with probability 0.06. On " +
				"EASY B proves that J is below 0.001 nats at T = 100,000."},
	}
}

// medianApart returns by how many standard errors the median log weight of forward chains on the real data is from those on simulated data,
// all shifted by the largest of their data set.
func medianApart(a *Answers, command int, t string) float64 {
	p := a.In(command)
	simulated := p.Hidden("median_shifted", "direction=forward", "data=simulated", "T="+t)
	mean, sd := meanAndSD(simulated)
	difference := p.HiddenNumber("median_shifted", "data=real", "T="+t) - mean
	a.Show("nats between real and simulated, T = "+t, difference)
	return a.Show("in standard errors", difference/(sd*math.Sqrt(1+1/float64(len(simulated)))))
}
