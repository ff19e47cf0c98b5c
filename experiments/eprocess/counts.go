package eprocess

import (
	"fmt"
	"math"

	"breadboard/chains/number"
)

// ConcentrationCount is the number of Concentrations.
const ConcentrationCount = 7

// Concentrations are the kappa over which a count test averages: a small kappa finds large faults with few draws, a large
// kappa finds slight faults.
func Concentrations() [ConcentrationCount]float64 {
	return [...]float64{30, 300, 3e3, 3e4, 3e5, 3e6, 3e7}
}

// CountsLogE returns the log e-value of counts against probabilities p: the average over kappa of the
// likelihood ratio of the Dirichlet-multinomial mixture with parameters kappa p to the multinomial p. It is
// +Inf where a cell of probability zero was hit. Cells without a draw cost next to nothing.
//
// Source: Good 1965 (mixtures of Dirichlet laws); Ville 1939; Ramdas, Grünwald, Vovk and Shafer 2023, section 6.
func CountsLogE(counts []int, p []float64) float64 {
	total := 0.0
	for i, c := range counts {
		if c > 0 && p[i] == 0 {
			return math.Inf(1)
		}
		total += float64(c)
	}
	kappas := Concentrations()
	var terms [ConcentrationCount]float64
	for k, kappa := range kappas {
		terms[k] = -excessRising(kappa, total)
	}
	for i, c := range counts {
		if c == 0 {
			continue
		}
		for k, kappa := range kappas { // the powers of kappa p, of kappa, and of p cancel
			terms[k] += excessRising(kappa*p[i], float64(c))
		}
	}
	return number.LogMean(terms[:])
}

// CellsLogE returns the log e-value of each cell by itself: the average over the cells of the e-value of CountsLogE for the draws in that cell and
// those in all the others. It finds a fault in a single cell, and Detectable says how large that fault has to be.
func CellsLogE(counts []int, p []float64) float64 {
	terms := make([]float64, len(p))
	for i, c := range cells(counts, p) {
		terms[i] = CountsLogE(c.counts[:], c.p[:])
	}
	return number.LogMean(terms)
}

// SingleCell says in which cell the count speaks most against the law by itself.
func SingleCell(counts []int, p []float64, name func(cell int) string) string {
	worst, most := 0, math.Inf(-1)
	all := cells(counts, p)
	for i, c := range all {
		if e := CountsLogE(c.counts[:], c.p[:]); e > most {
			worst, most = i, e
		}
	}
	total := all[worst].counts[0] + all[worst].counts[1]
	return fmt.Sprintf("%s: %d of %d draws, %.6g expected", name(worst), counts[worst], total, float64(total)*p[worst])
}

// cell is one cell against all the others.
type cell struct {
	counts [2]int
	p      [2]float64
}

// cells returns each cell against all the others. The probability of the others is a sum of theirs and not one minus that
// of the cell, which would cancel where the cell is nearly certain.
func cells(counts []int, p []float64) []cell {
	out := make([]cell, len(p))
	total, below := 0, 0.0
	for i, c := range counts {
		total += c
		out[i].p[1] = below
		below += p[i]
	}
	above := 0.0
	for i := len(p) - 1; i >= 0; i-- {
		out[i].counts = [2]int{counts[i], total - counts[i]}
		out[i].p[0] = p[i]
		out[i].p[1] += above
		above += p[i]
	}
	return out
}

// stirlingFrom is the number from which the terms of Stirling's series that stirling has are all that a float64 shows.
const stirlingFrom = 10

// excessRising returns log(a (a+1) ... (a+n-1)) - n log a for a > 0 and whole n, to some units in the last place. It is small where a is large
// beside n^2. The logarithms of Gamma of which it is a difference may then be 10^10 times as large, and would leave no more than six digits of it.
func excessRising(a, n float64) float64 {
	l := 0.0
	if a < stirlingFrom || n <= 8 { // the first factors one by one
		product := 1.0
		m := math.Min(n, stirlingFrom)
		for i := 1.0; i < m; i++ {
			if a < 1 {
				product *= a + i
			} else {
				l += math.Log1p(i / a)
			}
		}
		if m == 0 {
			return 0
		}
		if a < 1 {
			l = math.Log(product) - (m-1)*math.Log(a)
		}
		if m == n {
			return l
		}
		l += (n - m) * (math.Log(a+m) - math.Log(a))
		a, n = a+m, n-m
	}
	return l + excess(a+n, a, n) - math.Log1p(n/a)/2 + stirling(a+n) - stirling(a)
}

// stirling returns log Gamma(z) - (z - 1/2) log z + z - log(2 pi)/2 for z >= stirlingFrom.
//
// Source: Abramowitz and Stegun 1964, 6.1.40.
func stirling(z float64) float64 {
	s := 1 / (z * z)
	return (1./12 + s*(-1./360+s*(1./1260+s*(-1./1680+s*(1./1188+s*(-691./360360+s/156)))))) / z
}

// LogLikelihood returns the log probability of a sequence of counts[0] hits, of probability p each, and counts[1] misses.
func LogLikelihood(counts [2]int, p float64) float64 {
	l := 0.0
	if counts[0] > 0 {
		l += float64(counts[0]) * math.Log(p)
	}
	if counts[1] > 0 {
		l += float64(counts[1]) * math.Log1p(-p)
	}
	return l
}

// WorstCell says which cell of a count test deviates most from its expectation, in standard deviations.
func WorstCell(counts []int, p []float64, name func(cell int) string) string {
	total := 0
	for _, c := range counts {
		total += c
	}
	worst, size := -1, -1.0
	for i, c := range counts {
		want := float64(total) * p[i]
		z := math.Abs(float64(c) - want)
		if z > 0 {
			z /= math.Sqrt(want + 1e-300)
		}
		if z > size {
			worst, size = i, z
		}
	}
	return fmt.Sprintf("%s: %d of %d draws, %.6g expected", name(worst), counts[worst], total, float64(total)*p[worst])
}
