package eprocess

import (
	"fmt"
	"math"
)

// concentrationCount is the number of Concentrations.
const concentrationCount = 7

// Concentrations are the kappa over which a count test averages: a small kappa finds large faults with few draws, a large
// kappa finds slight faults.
func Concentrations() [concentrationCount]float64 {
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
	var terms [concentrationCount]float64
	for k, kappa := range kappas {
		terms[k] = -rising(kappa, total)
	}
	for i, c := range counts {
		if c == 0 {
			continue
		}
		expected := float64(c) * math.Log(p[i])
		for k, kappa := range kappas {
			terms[k] += rising(kappa*p[i], float64(c)) - expected
		}
	}
	return LogMean(terms[:])
}

// CellsLogE returns the log e-value of each cell by itself: the average over the cells of the e-value of CountsLogE for the
// draws in that cell and those in all the others. It finds a fault in a single cell, and Detectable says how large that fault
// has to be.
func CellsLogE(counts []int, p []float64) float64 {
	terms := make([]float64, len(p))
	for i, c := range cells(counts, p) {
		terms[i] = CountsLogE(c.counts[:], c.p[:])
	}
	return LogMean(terms)
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

// rising returns log(a (a+1) ... (a+n-1)).
func rising(a, n float64) float64 {
	if n <= 8 { // the difference of two logarithms of Gamma would lose digits
		l := 0.0
		for i := 0.0; i < n; i++ {
			l += math.Log(a + i)
		}
		return l
	}
	high, _ := math.Lgamma(a + n)
	low, _ := math.Lgamma(a)
	return high - low
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
