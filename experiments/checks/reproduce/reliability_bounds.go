package reproduce

import "math"

// reliabilityBounds returns the claims on stochastic bounds, on their gap B, and on what was run (sections 2 and 3, appendices A and B).
func reliabilityBounds() []Claim {
	return []Claim{
		{ID: "bread-21", Place: "Eqs. 7, 10, 21-23", Kind: Theorem, Verdict: AsPrinted,
			Says:     "B, the gap between the mean log weights of both directions, is the Jeffreys divergence between the laws of whole chains.",
			Commands: []string{reliabilityPrinted, reliabilityStages},
			Holds: func(a *Answers) bool {
				most := 0.0
				for _, toy := range []string{"easy", "hard", "barrier"} {
					at := annealingOf(toy, "1000")
					gap := a.In(0).HiddenNumber("mean_log_w_reverse", at...) - a.In(0).HiddenNumber("mean_log_w_forward", at...)
					chains := sumOf(a.In(1).Hidden("forward", "toy="+toy)) + sumOf(a.In(1).Hidden("reverse", "toy="+toy))
					most = max(most, math.Abs(gap-chains))
				}
				return a.Show("largest difference", most) <= 1e-10
			},
			Why: "The divergence of chains is summed over stages from the laws of single states, without log weights. It is the sum of J and of what each " +
				"stage adds."},
		{ID: "bread-22", Place: "Eq. 8", Kind: Theorem, Verdict: AsPrinted,
			Says:     "The mean log weight of forward chains is below log R by at least KL(q||p), where q is the law of the output and p the target.",
			Commands: []string{reliabilityFigure3},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				below := lessEach(p.Hidden("log_z_ratio"), p.Hidden("mean_log_w_forward"))
				return a.Show("least slack", leastOf(lessEach(below, p.Hidden("kl_q_p")))) >= -1e-12
			},
			Why: "It holds on the three toys at all nine T."},
		{ID: "bread-23", Place: "Eq. 11", Kind: Theorem, Verdict: AsPrinted,
			Says: "The mean log weight of reverse chains is above log R by at least KL(p||q).", Commands: []string{reliabilityFigure3},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				above := lessEach(p.Hidden("mean_log_w_reverse"), p.Hidden("log_z_ratio"))
				return a.Show("least slack", leastOf(lessEach(above, p.Hidden("kl_p_q")))) >= -1e-12
			},
			Why: "It holds on the three toys at all nine T."},
		{ID: "bread-24", Place: "Sec. 3.1, after Eq. 12", Kind: Theorem, Verdict: AsPrinted,
			Says:     "With any other upper or lower bound on log R, chains of one direction alone bound one of the two divergences.",
			Commands: []string{reliabilityFigure3},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				slack := math.Inf(1)
				for _, toy := range []string{"easy", "hard", "barrier"} {
					at := annealingOf(toy, "100000")
					upper, lower := p.HiddenNumber("mean_log_w_reverse", at...), p.HiddenNumber("mean_log_w_forward", at...)
					minusLower := lessEach(p.Hidden("mean_log_w_reverse", "toy="+toy), p.Hidden("kl_p_q", "toy="+toy))
					minusUpper := lessEach(negative(p.Hidden("mean_log_w_forward", "toy="+toy)), p.Hidden("kl_q_p", "toy="+toy))
					slack = min(slack, leastOf(minusLower)-lower, leastOf(minusUpper)+upper)
				}
				return a.Show("least slack", slack) >= 0
			},
			Why: "The other bounds are here the two ends of T = 100,000, which whoever runs one long annealing in both directions has for all shorter ones."},
		{ID: "bread-25", Place: "App. B, first paragraph", Kind: Theorem, Verdict: PrintedWrongly,
			Says: "The mean of the estimated bound is larger than J, and not only at least as large.", Printed: "E B-hat > J",
			Commands: []string{"tightness --toy easy,barrier -T 2,10,100 --kernel stay"},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				a.Number("J", annealingOf("barrier", "100")...)
				return a.Show("least B - J", leastOf(lessEach(p.Hidden("B"), p.Hidden("J")))) > 1e-12
			},
			Why: "With a kernel that never moves both are equal at every T, so that only E B-hat >= J holds in general, as section 3.1 has it."},
		{ID: "bread-26", Place: "Sec. 2.2", Kind: Theorem, Verdict: AsPrinted,
			Says: "The log of an unbiased estimate is a stochastic lower bound: its mean is at most the truth, and it exceeds the truth by more than b nats with a " +
				"probability below exp(-b).", Printed: "exp(-b)", Commands: []string{reliabilityTails, reliabilityLaws},
			Holds: func(a *Answers) bool {
				return All(withinTail(a, "p_forward_above"),
					a.Show("least of log R less mean", leastOf(lessEach(a.In(1).Hidden("log_z_ratio"), a.In(1).Hidden("mean_forward")))) >= 0)
			},
			Why: "The laws of single log weights are exact there."},
		{ID: "bread-27", Place: "Sec. 2.3", Kind: Theorem, Verdict: AsPrinted,
			Says: "Chains in reverse give a stochastic upper bound: its mean is at least the truth, and it is below the truth by more than b nats with a probability " +
				"below exp(-b).", Printed: "exp(-b)", Commands: []string{reliabilityTails, reliabilityLaws},
			Holds: func(a *Answers) bool {
				return All(withinTail(a, "p_reverse_below"),
					a.Show("least of mean less log R", leastOf(lessEach(a.In(1).Hidden("mean_reverse"), a.In(1).Hidden("log_z_ratio")))) >= 0)
			},
			Why: "The laws of single log weights are exact there."},
		{ID: "bread-28", Place: "Sec. 2.2", Kind: Statement, InKind: true, Verdict: SameInKind,
			Says:     "The tail of a stochastic lower bound becomes smaller where several estimates are combined.",
			Commands: []string{"evidence --toy clu8 --estimator lw --trials 1,25 --work 40"},
			Holds: func(a *Answers) bool {
				return Fall(a.Number("p_above_1", "combined="), a.Number("p_above_1", "combined=25 arithmetic"))
			},
			Why: "The probability to be more than a nat too high falls from 0.10 to 1.6e-7 for the mean of 25 estimates by likelihood weighting. That of 25 " +
				"annealings has no exact tail here."},
		{ID: "bread-29", Place: "Sec. 2.2", Kind: Statement, InKind: true, Verdict: SameInKind,
			Says:     "Often the estimate of R is below R with overwhelming probability and now and then extremely large, so that its variance is huge.",
			Commands: []string{reliabilityTails, reliabilityLaws},
			Holds: func(a *Answers) bool {
				at := annealingOf("ising:3x3:1", "10")
				above, far := a.In(0).Number("p_forward_above", append(at, "b=0")...), a.In(0).Number("p_forward_above", append(at, "b=3")...)
				variance := a.Show("variance of w/R", 1/a.In(1).Number("ess_fraction", at...)-1)
				return above < 0.05 && far > 1e-3 && variance > 100
			},
			Why: "On nine strongly coupled spins with T = 10 the estimate is too low with probability 0.96, and too high by a factor of more than 20 with " +
				"probability 0.008. BARRIER is milder: 0.73 at T = 100."},
		{ID: "bread-30", Place: "Sec. 2.1; App. A, Eqs. 15-19", Kind: Theorem, Verdict: AsPrinted,
			Says: "The mean weight of forward chains is the ratio of the normalising constants.", Printed: "E w = Z_T/Z_1",
			Commands: []string{"selfcheck aide ais"},
			Holds: func(a *Answers) bool {
				return Every(append(a.Numbers("value", "finding=mean_zhat"), a.Numbers("value", "finding=mean_zhat_at_output")...), func(v float64) bool { return v <= 1e-12 })
			},
			Why: "The values are the largest differences over all histories of annealings on two and three states, which are enumerated."},
		{ID: "bread-31", Place: "Sec. 2.1 (Eq. 1) and 3.1 against App. A (Eqs. 13, 20)", Kind: Protocol, Verdict: AsPrinted,
			Says: "The approximate sample is the state after a last move under the target, as the text has it. Appendix A ends one move earlier.", Printed: "x_T",
			Commands: []string{reliabilityStages},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				j := p.Number("jeffreys_t", "toy=easy", "kind=final")
				lastMove := p.HiddenNumber("forward", "toy=easy", "kind=stage", "t=1000") + p.HiddenNumber("reverse", "toy=easy", "kind=stage", "t=1000")
				without := a.Show("J without the last move", j+lastMove)
				before := p.HiddenNumber("jeffreys_t", "toy=easy", "kind=stage", "t=999") // where reverse chains have the law of the target, too
				return Rounds(j, "0.00518") && !Rounds(without, "0.00518") && Near(without, before, 1e-12)
			},
			Why: "J of EASY at T = 1000 tells: without the last move, which changes J and no log weight, 0.00526 would have been printed."},
		{ID: "bread-32", Place: "App. B.1.1", Kind: Protocol, Verdict: AsPrinted,
			Says: "The printed T is the number of all distributions, both ends among them, at equal distances in beta.", Printed: "T = 100, 1000",
			Commands: []string{"tightness -T 99,100,101,102,999,1000,1001,1002"},
			Holds: func(a *Answers) bool {
				count := func(hundred, thousand string) int {
					n := printedMatches(a.In(0), hundred, thousand)
					a.Show("of 9 printed numbers with T = "+hundred+" and "+thousand, float64(n))
					return n
				}
				return All(count("100", "1000") == 9, count("99", "999") < 9, count("101", "1001") < 9, count("102", "1002") < 9)
			},
			Why: "Were it the number of steps (101 and 1001) or that of distributions strictly between the ends (102 and 1002), some printed numbers would not come out."},
		{ID: "bread-33", Place: "App. B.1.1", Kind: Protocol, Verdict: AsPrinted,
			Says:     "Metropolis proposes the four neighbours alike and rejects what is off the grid, on the geometric path with a linear schedule.",
			Commands: []string{reliabilityPrinted, "tightness -T 1000 --kernel moore", "tightness -T 1000 --path arithmetic", "tightness -T 1000 --schedule sigmoid"},
			Holds: func(a *Answers) bool {
				others := 0
				for i, name := range []string{"eight neighbours", "arithmetic path", "sigmoid schedule"} {
					others = max(others, int(a.Show("of 6 printed numbers with "+name, float64(printedMatches(a.In(i+1), "", "1000")))))
				}
				return a.Show("of 9 printed numbers", float64(printedMatches(a.In(0), "100", "1000"))) == 9 && others < 6
			},
			Why: "All nine printed numbers come out, and with another neighbourhood, path or schedule none of those at T = 1000."},
		{ID: "bread-34", Place: "Sec. 2.3", Kind: Theorem, Verdict: AsPrinted, Says: "Both bounds tend to log R as T grows.",
			Commands: []string{reliabilityFigure3},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				falls := true
				for _, toy := range []string{"easy", "hard", "barrier"} {
					logR := p.Hidden("log_z_ratio", "toy="+toy)
					falls = falls && Fall(lessEach(logR, p.Hidden("mean_log_w_forward", "toy="+toy))...) && Fall(lessEach(p.Hidden("mean_log_w_reverse", "toy="+toy), logR)...)
				}
				tenfold := a.Show("B at T = 10,000 over B at T = 100,000, easy", p.Number("B", annealingOf("easy", "10000")...)/p.Number("B", annealingOf("easy", "100000")...))
				return falls && math.Abs(tenfold-10) < 0.5
			},
			Why: "Each end comes nearer from T to T on all toys, and on EASY as 1/T in the end. On HARD the way is long: B is still 0.43 nats at T = 100,000."},
		{ID: "bread-35", Place: "Sec. 3.1, Eqs. 6-8", Kind: Theorem, Verdict: AsPrinted,
			Says:     "To leave out variables never raises a divergence: what each stage of the annealing adds to B - J is zero or more.",
			Commands: []string{reliabilityStages, reliabilityPrinted},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				holds := true
				for _, toy := range []string{"easy", "hard", "barrier"} {
					forward, reverse := p.Hidden("forward", "toy="+toy, "kind=stage"), p.Hidden("reverse", "toy="+toy, "kind=stage")
					at := annealingOf(toy, "1000")
					gap := a.In(1).HiddenNumber("B", at...) - a.In(1).HiddenNumber("J", at...)
					holds = holds && min(leastOf(forward), leastOf(reverse)) >= -1e-14 && Near(a.Show("sum over stages, "+toy, sumOf(forward)+sumOf(reverse)), gap, 1e-10)
				}
				return holds
			},
			Why: "It holds for each of the 999 stages of the three toys at T = 1000, and their sums are B - J."},
		{ID: "bread-36", Place: "Footnote 3", Kind: Statement, Verdict: AsPrinted,
			Says:     "The bound is not justified for averages of the weights of several chains.",
			Commands: []string{"weights --toy barrier -T 100 --samples 1,10,100", reliabilityPrinted},
			Holds: func(a *Answers) bool {
				gap := func(k string) float64 {
					return a.Show("gap for K = "+k, a.In(0).HiddenNumber("forward_below", "K="+k)+a.In(0).HiddenNumber("reverse_above", "K="+k))
				}
				j := a.In(1).Number("J", annealingOf("barrier", "100")...)
				return All(gap("1") >= j, gap("10") < j, gap("100") < j)
			},
			Why: "Averages of 10 weights have a gap of 0.32 where J is 1.65, so that the gap is no bound on J any more. AIDE is how to average and keep one."},
	}
}

// withinTail reports whether each probability of a column of tails is below exp(-b), with the error bound of the law.
func withinTail(a *Answers, column string) bool {
	p := a.In(0)
	above := lessEach(p.Hidden(column), lessEach(p.Hidden("bound"), p.Hidden("error_bound")))
	a.Number(column, append(annealingOf("barrier", "100"), "b=1")...)
	return a.Show("largest of probability less exp(-b)", mostOf(above)) < 0
}
