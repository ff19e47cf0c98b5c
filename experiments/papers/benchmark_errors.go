package papers

import "math"

// benchmarkErrors returns the claims on errors of chains: what they are made of, and who sees them.
func benchmarkErrors() []Claim {
	return []Claim{
		{ID: "004-29", Place: "Eq. 3", Kind: Statement, Verdict: AsPrinted,
			Says: "ESS is the variance over the expected squared error of the mean. It is estimated by autocorrelations, and may be wrong for that " +
				"reason.",
			Commands: []string{slowDiagnoses},
			Holds: func(a *Answers) bool {
				errors, ress := a.In(0).Hidden("var_mean", "start=target"), a.In(0).Hidden("ress_mean", "start=target")
				const slow = "toy=barrier"
				estimated := a.Number("ess_of_means_single", slow, "start=target", "N=1000")
				return All(
					Pairs(errors, ress, func(v, r float64) bool { return Near(1/v, r, 1e-6) }),
					estimated > 10*a.Number("ress_mean", slow, "start=target", "N=1000"),
				)
			},
			Why: "On BARRIER autocorrelations, even their exact expectations, promise an ESS of 148 where a chain that starts at the target is worth " +
				"1.5 draws. They are taken around the mean of a chain that stays in one part of the space."},
		{ID: "004-30", Place: "Sec. 5", Kind: Statement, Verdict: NotAsPrinted,
			Says: "A sampler that fails completely has a RESS below 1, whichever estimate is scored.", Printed: "RESS < 1",
			Commands: []string{slowErrors},
			Holds: func(a *Answers) bool {
				const stuck, long = "toy=barrier", "N=10000"
				a.Number("tau", stuck, long)
				a.Show("RESS of the variance with R = 2", 2/a.In(0).HiddenNumber("mse_var", stuck, long))
				return All(a.Number("ress_mean", stuck, long) < 1, a.Number("ress_var", stuck, long) < 1)
			},
			Why: "It holds for the mean. A chain that stays in one part of the space estimates nearly a constant variance, and its RESS is then that " +
				"of a constant, R over a squared bias, at any N. On BARRIER that is 10.7, or 4.6 with the paper's R = 2, near the 12 of a success."},
		{
			ID: "004-31", Place: "Sec. 1", Kind: Statement, Verdict: NotAsPrinted,
			Says: "Diagnostics seldom raise an alarm where chains are as good as independent draws, and have no guarantee of an alarm where they are " +
				"bad.",
			Commands: []string{
				coinLaws,
				"samplers calibrate --toy random:0:0:2,random:2:1:7,random:2:2:7 --kernel heatbath --start target --function x0 -N " + manyLengths(),
				alarms,
			},
			Holds: func(a *Answers) bool {
				old := 1 - a.Number("p_rhat_below_1_1", "N=12")
				strict := 1 - a.Number("p_rhat_below_1_01", "N=12")
				// 57 times eight chains of independent draws. Of alarms with a probability of 5% there are 13 and more once in 267,000.
				geweke := a.In(1).Number("type_1", "diagnostic=Geweke", "chains=8 simulated")
				silent := a.In(2).Number("type_2", "diagnostic=R-hat", "limit=< 1.1", "chains=exact")
				return All(a.Show("alarms of R-hat < 1.1", old) < 0.05, a.Show("alarms of R-hat < 1.01", strict) < 0.05, geweke <= 12.0/57, silent > 0)
			},
			Why: "It depends on the limit. R-hat < 1.1, which was usual, alarms in 0.25% of runs with twelve independent coins for each of eight " +
				"chains; R-hat < 1.01 in 29.6%; and of eight Geweke scores one is above 1.96 in two fifths of runs. That none has a guarantee is right.",
		},
		{ID: "004-32", Place: "Eq. 5", Kind: Theorem, Verdict: AsPrinted,
			Says: "A RESS of all coordinates together divides the number of coordinates by the sum of their errors, and is N for independent draws.",
			Commands: []string{
				"samplers errors --toy easy,random:0:0:5x5 --kernel metropolis,independence --start target --function x0,x1,all -N 10,12,100 --estimate mean",
			},
			Holds: func(a *Answers) bool {
				slow := func(more ...string) []string { return append(more, "toy=easy", "kernel=metropolis") }
				first, second := a.In(0).Hidden("ress_mean", slow("function=x0")...), a.In(0).Hidden("ress_mean", slow("function=x1")...)
				for _, function := range []string{"function=x0", "function=x1", "function=all"} {
					a.Number("ress_mean", slow(function, "N=100")...)
				}
				harmonic := zip(first, second, func(v, w float64) float64 { return 2 / (1/v + 1/w) })
				independent := []string{"toy=random:0:0:5x5", "kernel=independence", "function=all"}
				a.Number("ress_mean", append(independent, "N=100")...)
				return All(
					Pairs(a.In(0).Hidden("ress_mean", slow("function=all")...), harmonic, equal),
					Pairs(a.In(0).Hidden("ress_mean", independent...), a.In(0).Hidden("N", independent...), equal),
				)
			},
			Why: "The independent draws are from 25 equal states. On EASY with Metropolis it is the harmonic mean of the two RESS."},
		{ID: "004-33", Place: "Eq. 7", Kind: Protocol, Verdict: SameInKind, InKind: true,
			Says:     "NESS divides RESS by the median number of samples of all samplers on the same target.",
			Commands: []string{"samplers rank --toy easy --kernel metropolis,heatbath --budget 10000", equalWorkErrors},
			Holds: func(a *Answers) bool {
				const medianN = (1667 + 10000) / 2.0
				ness := func(kernel string, n string) bool {
					ress := a.In(1).Number("ress_mean", "toy=easy", "kernel="+kernel, n)
					return Near(a.Number("ness_mean", "kernel="+kernel), ress/medianN, 1e-9)
				}
				return All(ness("metropolis", "N=10000"), ness("heatbath", "N=1667"))
			},
			Why: "The cost is in evaluations of log f and not in time. A sampler that is added or left out changes the NESS of all others."},
		{ID: "004-34", Place: "Secs. 4.5 and 5", Kind: Order, Verdict: SameInKind, InKind: true,
			Says: "Samplers whose samples cost more can still be worth more at equal cost.", Commands: []string{equalWorkErrors},
			Holds: func(a *Answers) bool {
				cheap, dear := []string{"kernel=metropolis", "N=10000"}, []string{"kernel=heatbath", "N=1667"}
				for _, column := range []string{"work", "ress_mean"} {
					for _, toy := range []string{"toy=easy", "toy=barrier"} {
						a.Number(column, append(cheap, toy)...)
						a.Number(column, append(dear, toy)...)
					}
				}
				return All(
					Pairs(a.In(0).Hidden("work", dear...), a.In(0).Hidden("work", cheap...), func(v, w float64) bool { return v <= w }),
					Pairs(a.In(0).Hidden("ress_mean", dear...), a.In(0).Hidden("ress_mean", cheap...), func(v, w float64) bool { return v > w }),
				)
			},
			Why: "The heat bath, which asks for log f six times for a sample, stands for the samplers that follow gradients."},
		{ID: "004-35", Place: "Eq. 1", Kind: Theorem, Verdict: AsPrinted,
			Says:     "The expected squared error of the mean is its variance and its squared bias.",
			Commands: []string{slowDiagnoses, slowErrors},
			Holds: func(a *Answers) bool {
				a.Number("var_mean", "toy=hard", "start=uniform", "N=1000")
				a.In(1).Number("bias_mean", "toy=hard", "N=1000")
				a.In(1).Number("mse_mean", "toy=hard", "N=1000")
				for _, n := range []string{"N=10", "N=100", "N=1000"} {
					variance, bias := a.In(0).Hidden("var_mean", "start=uniform", n), a.In(1).Hidden("bias_mean", n)
					sum := zip(variance, bias, func(v, b float64) float64 { return v + b*b })
					if !Pairs(sum, a.In(1).Hidden("mse_mean", n), equal) {
						return false
					}
				}
				return true
			},
			Why: "Variance and error are exact, by two routes. On HARD from a uniform start the error grows with N, so that RESS falls from 0.48 at " +
				"N = 10 to 0.32 at 10,000."},
		{ID: "004-36", Place: "Sec. 5", Kind: Statement, Verdict: SameInKind, InKind: true,
			Says: "Twelve independent draws are enough, as MacKay's rule has it.", Printed: "N = 12", Commands: []string{independentErrors, coinLaws},
			Holds: func(a *Answers) bool {
				a.Show("error of the mean in standard deviations", math.Sqrt(a.In(0).HiddenNumber("mse_mean", "toy=random:2:1:7", "N=12")))
				return All(
					Every(a.In(0).Hidden("mse_mean", "N=12"), func(v float64) bool { return equal(v, 1.0/12) }),
					Near(a.In(1).Number("coverage_95", "N=12"), 0.95, 0.02),
				)
			},
			Why: "What is enough is a convention. The mean of twelve draws is off by 0.29 standard deviations whatever the target is, and the normal " +
				"interval of 95% has a coverage of 96% for coins."},
	}
}

// manyLengths lists the lengths of chains 100, 150, ..., 1000 for a command.
func manyLengths() string {
	list := "100"
	for n := 150; n <= 1000; n += 50 {
		list += "," + text(float64(n))
	}
	return list
}
