package reproduce

import (
	"math"
	"slices"

	"breadboard/chains/diagnostics"
)

// benchmark returns the claims of Turner and Neal 2017 on the real effective sample size (RESS) of samplers.
func benchmark() []Claim {
	return slices.Concat(benchmarkScores(), benchmarkCorpora(), benchmarkDiagnostics(), benchmarkErrors())
}

// Command lines that several claims read.
const (
	// On one axis the heat bath draws from the target itself, so that its samples are independent.
	independentErrors = "samplers errors --toy random:0:0:2,random:2:1:7 --kernel heatbath --start target --function x0 -N 1,10,12,100,10000 --estimate mean"
	coinLaws          = "samplers laws --toy random:0:0:2 --kernel heatbath --start target --function x0 -N 12,20,26,27,50,100 --chains 8"
	// The same settings in the same order, as overESS checks.
	corpusDiagnoses = "samplers diagnose --corpus small --kernel metropolis,heatbath --start uniform --function x0,g -N 1000"
	corpusErrors    = "samplers errors --corpus small --kernel metropolis,heatbath --start uniform --function x0,g -N 1000"
	// All kernels of the leaderboard at the same number of samples, and at the same work.
	corpusKernels = "samplers errors --corpus small --kernel metropolis,barker,moore,jump:0.1,heatbath,heatbath-scan,suwa-todo --start uniform --function x0 -N 10000 --estimate mean"
	leaderboard   = "samplers rank --corpus small"
	alarms        = "samplers calibrate --corpus small"
	twoTimes      = "samplers times --toy easy,barrier,hard --kernel metropolis,heatbath --start uniform,mode,target"
	slowErrors    = "samplers errors --toy barrier,hard --kernel metropolis --start uniform --function x0 -N 10,100,1000,10000"
	slowDiagnoses = "samplers diagnose --toy barrier,hard --kernel metropolis --start uniform,target --function x0 -N 10,100,1000 --chains 8"
	// A budget of 10,000 evaluations of log f pays for 1,667 samples of the heat bath, and for 10,000 of Metropolis.
	equalWorkErrors = "samplers errors --toy easy,barrier --kernel metropolis,heatbath --start uniform --function x0 -N 1667,10000 --estimate mean"
)

// benchmarkScores returns the claims on the scores of samplers, Eqs. 1 to 10.
func benchmarkScores() []Claim {
	return []Claim{
		{ID: "samplers-1", Place: "Sec. 4.6, after Eq. 4", Kind: Number, Verdict: AsPrinted,
			Says: "For the mean the constant R is 1, so that N independent draws have a RESS of N.", Printed: "R = 1",
			Commands: []string{independentErrors},
			Holds: func(a *Answers) bool {
				a.Numbers("ress_mean", "toy=random:2:1:7", "N=100")
				return Pairs(a.In(0).Hidden("ress_mean"), a.In(0).Hidden("N"), equal)
			},
			Why: "It is exact at every N for RESS as the expected squared error of one chain defines it; of a few chains it is a random number (samplers-5)."},
		{ID: "samplers-2", Place: "Eq. 4", Kind: Statement, Verdict: PrintedWrongly,
			Says:     "R is the mean squared error of an estimate from independent draws, and the same as N times the variance of that estimate.",
			Commands: []string{independentErrors},
			Holds: func(a *Answers) bool {
				const independent = "toy=random:2:1:7"
				a.Number("mse_mean", independent, "N=100")
				a.Show("N times the variance, N=100", 100*a.In(0).HiddenNumber("mse_mean", independent, "N=100"))
				mse, bias := a.In(0).Hidden("mse_mean", independent), a.In(0).Hidden("bias_mean", independent)
				variance := zip(mse, bias, func(v, b float64) float64 { return v - b*b })
				return Pairs(mse, zip(a.In(0).Hidden("N", independent), variance, func(n, v float64) float64 { return n * v }), equal)
			},
			Why: "The two differ by a factor of N. The second is meant, as only with it R is 1 and independent draws have a RESS of N."},
		{ID: "samplers-3", Place: "Sec. 4.6, after Eq. 4", Kind: Number, Verdict: FailsThere,
			Says: "For the variance R is 2 where N is large.", Printed: "R = 2",
			Commands: []string{
				"samplers errors --toy easy,barrier,hard --kernel metropolis --start target --function x0,g -N 10000 --estimate variance",
				"samplers errors --toy random:0:0:2x2x2x2x2x2x2x2 --kernel heatbath --start target --function sum -N 10000 --estimate variance",
			},
			Holds: func(a *Answers) bool {
				for _, toy := range []string{"toy=easy", "toy=barrier", "toy=hard"} {
					a.Number("R_var", toy, "function=x0")
					a.Number("R_var", toy, "function=g")
				}
				a.In(1).Number("R_var", "function=sum")
				return Every(a.In(0).Hidden("R_var"), func(v float64) bool { return Rounds(v, "2") })
			},
			Why: "R tends to the kurtosis less one, which is 2 for a normal law. It is from 0.84 to 33 on the toys, and 1.75 for the sum of eight " +
				"coins, which is nearly normal."},
		{ID: "samplers-4", Place: "Sec. 4.6", Kind: Number, Verdict: AsPrinted,
			Says: "For the Kolmogorov-Smirnov distance, integrating with Kolmogorov's distribution gives R = 0.822.", Printed: "R = 0.822",
			Commands: []string{
				"samplers errors --toy random:0:0:2,random:0:0:60x1 --kernel independence --start target --function x0 -N 1,2,3 --estimate distribution",
			},
			Holds: func(a *Answers) bool {
				integral := a.Show("integral", kolmogorovSquare())
				a.Number("R_ks", "toy=random:0:0:2", "N=3")
				a.Number("R_ks", "toy=random:0:0:60x1", "N=3")
				return All(Rounds(integral, "0.822"),
					Every(a.In(0).Hidden("R_ks_paper"), func(v float64) bool { return Near(v, integral, 1e-6) }),
					Every(a.In(0).Hidden("R_ks"), func(v float64) bool { return v < integral }))
			},
			Why: "It is pi^2/12, for continuous laws and many draws. R is less where a law has few values, and for few draws: 1/4 for a coin at " +
				"every N, and 0.65 for three draws from 60 equal values."},
		{ID: "samplers-5", Place: "Sec. 4.6, after Eq. 4", Kind: Statement, Verdict: FailsHere,
			Says:     "The RESS of K = 8 chains of N independent draws tends to N.",
			Commands: []string{coinLaws},
			Holds: func(a *Answers) bool {
				few, many := spreadOverN(a, 12), spreadOverN(a, 100)
				median := a.Number("ress_median_low", "N=100") / 100
				// Where RESS/N tends to 1, its standard deviation falls as 1/sqrt(N), here by a factor of 2.9.
				return All(many < few/2, Near(median, 1, 0.02))
			},
			Why: "RESS/N of eight chains is 8 over a chi-squared variable of 8 degrees of freedom, whatever N is: its median is 1.09, and a tenth " +
				"of its values are outside of 0.52 to 2.9. It tends to 1 as the number of chains grows, since the expected error gives N (samplers-1)."},
		{ID: "samplers-6", Place: "Sec. 5; Table 1", Kind: Protocol, Verdict: SameInKind, InKind: true,
			Says:    "A sampler has succeeded where the RESS of its K = 8 chains is at least 12, and its probability of success is how often that is so.",
			Printed: "RESS >= 12, K = 8", Commands: []string{coinLaws},
			Holds: func(a *Answers) bool {
				a.Number("p_success", "N=12")
				exact, gaussian := a.In(0).Hidden("p_success"), a.In(0).Hidden("p_success_gaussian")
				return All(Pairs(gaussian, a.In(0).Hidden("N"), func(p, n float64) bool { return Near(p, 1-eightAbove(8*n/12), 1e-9) }),
					Pairs(exact, gaussian, func(p, q float64) bool { return Near(p, q, 0.02) }))
			},
			Why: "It is computed as they say, here for independent coins. Eight chains that are worth exactly 12 draws each succeed in 58% of all " +
				"trials only (57% with normal errors), and with 20 draws in 90%: the column of successes has noise in it."},
		{ID: "samplers-7", Place: "Eq. 6", Kind: Theorem, Verdict: AsPrinted,
			Says: "Efficiency is RESS over N, and it is 1 for independent draws.", Commands: []string{independentErrors},
			Holds: func(a *Answers) bool {
				a.Number("eff", "toy=random:2:1:7", "N=100")
				return Every(a.In(0).Hidden("eff"), func(v float64) bool { return equal(v, 1) })
			},
			Why: "It is exact at every N."},
		{ID: "samplers-8", Place: "Sec. 4.6, after Eq. 6", Kind: Theorem, Verdict: AsPrinted,
			Says: "Thinning a chain can raise its efficiency while estimates get no more accurate.",
			Commands: []string{
				"samplers errors --toy easy,barrier,hard --kernel metropolis,repeat:10:metropolis --start target --function x0 -N 100,1000 --estimate mean",
				"samplers order"},
			Holds: func(a *Answers) bool {
				const all, thinned = "kernel=metropolis", "kernel=repeat:10:metropolis"
				for _, column := range []string{"eff", "ress_mean"} {
					a.Number(column, "toy=easy", thinned, "N=100")
					a.Number(column, "toy=easy", all, "N=1000")
				}
				pairs := func(column string, test func(v, w float64) bool) bool {
					return Pairs(a.In(0).Hidden(column, thinned, "N=100"), a.In(0).Hidden(column, all, "N=1000"), test)
				}
				return All(pairs("eff", func(v, w float64) bool { return v > w }),
					pairs("ress_mean", func(v, w float64) bool { return v <= w*(1+1e-9) }),
					a.In(1).Count("check=thinning", "verdict=holds") == a.In(1).Count("check=thinning"))
			},
			Why: "From the target, the mean of all samples is never less accurate than that of every tenth, for every kernel, toy and N that was tried."},
		{ID: "samplers-9", Place: "Eqs. 8 and 9", Kind: Theorem, Verdict: SameInKind, InKind: true,
			Says:     "ESSD has a standard normal law where the estimates come from ESS independent draws.",
			Commands: []string{coinLaws},
			Holds: func(a *Answers) bool {
				// The errors of 50 and 100 coins are nearly normal; their sums of squares take few values, which moves quantiles.
				for _, n := range []string{"N=50", "N=100"} {
					if !All(Near(a.Number("essd_q05_low", n), -1.645, 0.03), math.Abs(a.Number("essd_median_low", n)) < 0.03,
						Near(a.Number("essd_q95_high", n), 1.645, 0.03)) {
						return false
					}
				}
				return true
			},
			Why: "It holds for an ESS that is known beforehand and errors that are nearly normal. An ESS that is computed from the same chains has " +
				"an error of its own. At ESS = RESS it is 0.17 with eight chains, and not zero."},
		{ID: "samplers-10", Place: "Fig. 3", Kind: Number, Verdict: AsPrinted,
			Says:    "The RESS of chains that are worth ESS independent draws lies below the dotted region around ESS 2.5% of the time.",
			Printed: "2.5%", Commands: []string{coinLaws},
			Holds: func(a *Answers) bool {
				// The region begins at 0.4562 ESS. A RESS of 12 is a little above that for an ESS of 26, and a little below it for 27.
				above, below := 1-a.Number("p_success_gaussian", "N=26"), 1-a.Number("p_success_gaussian", "N=27")
				exact := []float64{1 - a.Number("p_success", "N=26"), 1 - a.Number("p_success", "N=27")}
				return All(below < 0.025, 0.025 < above, Near(below, eightAbove(8*27.0/12), 1e-9), Near(above, eightAbove(8*26.0/12), 1e-9),
					Every(exact, func(p float64) bool { return Near(p, 0.025, 0.006) }))
			},
			Why: "The region is from 0.456 to 3.67 times ESS for eight chains and normal errors. Coins have nearly the same shares."},
	}
}

// equal reports whether numbers are the same to rounding.
func equal(v, w float64) bool { return Near(v, w, 1e-9) }

// kolmogorovSquare returns the mean of the square of a variable with Kolmogorov's distribution, by the midpoint rule on 2 x P(K > x). Below
// 0.05 the series converges slowly, and the probability is one to more digits than there are.
func kolmogorovSquare() float64 {
	const steps, end = 4000, 4.0
	h, total := end/steps, 0.0
	for i := range steps {
		x := h * (float64(i) + 0.5)
		above := 0.0
		for k, sign := 1.0, 1.0; k <= 100 && x >= 0.05; k, sign = k+1, -sign {
			above += sign * 2 * math.Exp(-2*k*k*x*x)
		}
		if x < 0.05 {
			above = 1
		}
		total += h * 2 * x * above
	}
	return total
}

// spreadOverN shows the distance of the 5% and the 95% points of RESS over N.
func spreadOverN(a *Answers, n int) float64 {
	where := "N=" + text(float64(n))
	low, high := a.In(0).HiddenNumber("ress_q05_low", where), a.In(0).HiddenNumber("ress_q95_high", where)
	return a.Show("(95% point - 5% point of RESS)/N, "+where, (high-low)/float64(n))
}

// eightAbove returns the probability that a chi-squared variable of eight degrees of freedom is above x, which is a sum of four terms.
func eightAbove(x float64) float64 { return math.Exp(-x/2) * (1 + x/2 + x*x/8 + x*x*x/48) }

// share shows which part of some numbers a test holds of.
func share(a *Answers, name string, list []float64, test func(v float64) bool) float64 {
	return a.Show(name, shareOf(list, test))
}

// median shows the median of some numbers.
func median(a *Answers, name string, list []float64) float64 {
	return a.Show(name, diagnostics.Median(list))
}

// benchmarkFigures returns the figures and tables of Turner and Neal 2017.
func benchmarkFigures() []Figure {
	return []Figure{
		{Paper: "samplers", Name: "Figure 1",
			Shows: "the six phases of the benchmark as boxes with arrows, from data sets over surrogates of their posteriors to scores of samplers; " +
				"ours is the list of targets, which stands for all that comes before the samplers",
			Command: "samplers corpus small"},
		{Paper: "samplers", Name: "Figure 2",
			Shows: "box plots of NESS and of efficiency by sampler, over the targets on which RESS is at least 12, and efficiency against what ESS " +
				"promises; ours are the box plots for kernels of finite spaces, and the third panel is Figure 3",
			Command: "samplers rank --corpus standard --budget 10000"},
		{Paper: "samplers", Name: "Figure 3",
			Shows: "RESS of the mean, the variance and the Kolmogorov-Smirnov distance against ESS, with the diagonal and a dotted region for 95% of " +
				"chains that are as good as their ESS; ours has them in the rows mean, variance and KS, and the Cramer-von Mises distance in one more",
			Command: "samplers calibrate --corpus standard -N 300"},
		{Paper: "samplers", Name: "Table 1",
			Shows: "the mean NESS and the probability of success of eight samplers, for the mean, the variance and the Kolmogorov-Smirnov distance; " +
				"ours has seven kernels on ten targets, and the Cramer-von Mises distance, with success by KS of each target in the table rows",
			Command: "samplers rank --corpus small"},
		{Paper: "samplers", Name: "Table 2", Effort: Slow,
			Shows: "how well ESSD is predicted from diagnostics, by a Gaussian process with all features and without one, by a linear regression and " +
				"by a normal law; ours are the chains of a hundred finite targets",
			Command: "samplers meta --label essd"},
	}
}
