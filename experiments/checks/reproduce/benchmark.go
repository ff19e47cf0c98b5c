package reproduce

import (
	"math"

	"breadboard/chains/diagnostics"
)

// benchmarkScores returns the tests of the claims on the scores of samplers, Eqs. 1 to 10.
func benchmarkScores() tests {
	return tests{
		"samplers-2": func(a *Answers) bool {
			const independent = "toy=random:2:1:7"
			a.Number("mse_mean", independent, "N=100")
			a.show("N times the variance, N=100", 100*a.hiddenNumber("mse_mean", independent, "N=100"))
			mse, bias := a.hidden("mse_mean", independent), a.hidden("bias_mean", independent)
			variance := zip(mse, bias, func(v, b float64) float64 { return v - b*b })
			return pairs(mse, zip(a.hidden("N", independent), variance, func(n, v float64) float64 { return n * v }), equal)
		},
		"samplers-4": func(a *Answers) bool {
			integral := a.show("integral", kolmogorovSquare())
			a.Number("R_ks", "toy=random:0:0:2, N=3")
			a.Number("R_ks", "toy=random:0:0:60x1, N=3")
			return All(rounds(integral, "0.822"),
				every(a.hidden("R_ks_paper"), func(v float64) bool { return Near(v, integral, 1e-6) }),
				every(a.hidden("R_ks"), func(v float64) bool { return v < integral }))
		},
		"samplers-5": func(a *Answers) bool {
			few, many := spreadOverN(a, 12), spreadOverN(a, 100)
			median := a.Number("ress_median_low", "N=100") / 100
			// Where RESS/N tends to 1, its standard deviation falls as 1/sqrt(N), here by a factor of 2.9.
			return All(many < few/2, Near(median, 1, 0.02))
		},
		"samplers-6": func(a *Answers) bool {
			a.Number("p_success", "N=12")
			exact, gaussian := a.hidden("p_success"), a.hidden("p_success_gaussian")
			return All(pairs(gaussian, a.hidden("N"), func(p, n float64) bool { return Near(p, 1-eightAbove(8*n/12), 1e-9) }),
				pairs(exact, gaussian, func(p, q float64) bool { return Near(p, q, 0.02) }))
		},
		"samplers-9": func(a *Answers) bool {
			// The errors of 50 and 100 coins are nearly normal; their sums of squares take few values, which moves quantiles.
			for _, n := range []string{"N=50", "N=100"} {
				if !All(Near(a.Number("essd_q05_low", n), -1.645, 0.03), math.Abs(a.Number("essd_median_low", n)) < 0.03,
					Near(a.Number("essd_q95_high", n), 1.645, 0.03)) {
					return false
				}
			}
			return true
		},
		"samplers-10": func(a *Answers) bool {
			// The region begins at 0.4562 ESS. A RESS of 12 is a little above that for an ESS of 26, and a little below it for 27.
			above, below := 1-a.Number("p_success_gaussian", "N=26"), 1-a.Number("p_success_gaussian", "N=27")
			exact := []float64{1 - a.Number("p_success", "N=26"), 1 - a.Number("p_success", "N=27")}
			return All(below < 0.025, 0.025 < above, Near(below, eightAbove(8*27.0/12), 1e-9), Near(above, eightAbove(8*26.0/12), 1e-9),
				every(exact, func(p float64) bool { return Near(p, 0.025, 0.006) }))
		},
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
	low, high := a.hiddenNumber("ress_q05_low", where), a.hiddenNumber("ress_q95_high", where)
	return a.show("(95% point - 5% point of RESS)/N, "+where, (high-low)/float64(n))
}

// eightAbove returns the probability that a chi-squared variable of eight degrees of freedom is above x, which is a sum of four terms.
func eightAbove(x float64) float64 { return math.Exp(-x/2) * (1 + x/2 + x*x/8 + x*x*x/48) }

// share shows which part of some numbers a test holds of.
func share(a *Answers, name string, list []float64, test func(v float64) bool) float64 {
	return a.show(name, shareOf(list, test))
}

// median shows the median of some numbers.
func median(a *Answers, name string, list []float64) float64 {
	return a.show(name, diagnostics.Median(list))
}
