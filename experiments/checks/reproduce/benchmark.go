package reproduce

import (
	"math"

	"breadboard/chains/diagnostics"
)

// benchmark returns the tests in Go of the claims of Turner and Neal 2017.
func benchmark() tests {
	return tests{
		"samplers-4": func(a *Answers) bool {
			integral := a.showDerived("integral", kolmogorovSquare())
			a.Number("R_ks", "toy=random:0:0:2, N=3")
			a.Number("R_ks", "toy=random:0:0:60x1, N=3")
			return all(rounds(integral, "0.822"),
				every(a.hidden("R_ks_paper"), func(v float64) bool { return near(v, integral, 1e-6) }),
				every(a.hidden("R_ks"), func(v float64) bool { return v < integral }))
		},
		"samplers-18": func(a *Answers) bool {
			// The first are random walks on a lattice, and the others draw from the conditional
			// distributions of the target.
			local := efficiencies(a, "metropolis", "barker", "moore")
			informed := efficiencies(a, "heatbath", "heatbath-scan", "suwa-todo")
			return all(every(local, func(v float64) bool { return 0.001 <= v && v <= 0.01 }),
				every(informed, func(v float64) bool { return 0.02 <= v && v <= 0.4 }))
		},
	}
}

// equal reports whether numbers are the same to rounding.
func equal(v, w float64) bool { return near(v, w, 1e-9) }

// kolmogorovSquare returns the mean of the square of a variable with Kolmogorov's distribution, by
// the midpoint rule on 2 x P(K > x). Below 0.05 the series converges slowly, and the probability is
// one to more digits than there are.
func kolmogorovSquare() float64 {
	const steps, end = 4000, 4.0
	h := end / steps
	total := 0.0
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

// eightAbove returns the probability that a chi-squared variable of eight degrees of freedom is
// above x, which is a sum of four terms.
func eightAbove(x float64) float64 { return math.Exp(-x/2) * (1 + x/2 + x*x/8 + x*x*x/48) }

// efficiencies shows the median efficiency of each of some kernels over the targets on which its
// RESS is at least 12.
func efficiencies(a *Answers, kernels ...string) (medians []float64) {
	for _, kernel := range kernels {
		ress := a.hidden("ress_mean", "kernel="+kernel)
		eff := a.hidden("eff", "kernel="+kernel)
		var good []float64
		for i := range ress {
			if ress[i] >= 12 {
				good = append(good, eff[i])
			}
		}
		medians = append(medians, a.showDerived("median efficiency of "+kernel, diagnostics.Median(good)))
	}
	return medians
}
