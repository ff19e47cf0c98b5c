package couple

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"breadboard/chains/number"
	"breadboard/chains/sorts"
	"breadboard/exact/averages"
	"breadboard/exact/meeting"
	"breadboard/experiments/checks/eprocess"
)

// tally is what was read of a column, as far as its laws need it.
type tally interface {
	add(v float64)
	// logE returns the log e-value of what was read against a law.
	logE(l law) float64
	// rows returns about how many rows with a law are found to have another.
	rows(truth, wrong law, logThreshold float64) float64
}

// law is that of a column: the probabilities of its cells, or the transforms at its points.
type law struct {
	says  string // what was done wrong, after "as if"; empty of the right one
	cells []float64
	phi   []complex128
	prior float64 // the log of how much less likely than the others it is before any row is read; 0 of most
}

// same reports whether two laws are one.
func (l law) same(other law) bool {
	const rounding = 1e-10
	for i, p := range l.cells {
		if math.Abs(p-other.cells[i]) > rounding {
			return false
		}
	}
	for i, phi := range l.phi {
		if math.Abs(real(phi-other.phi[i])) > rounding || math.Abs(imag(phi-other.phi[i])) > rounding {
			return false
		}
	}
	return true
}

// counts counts whole numbers in cells: the first has what is below all that the right law has, and each other goes up to the next. Where the right
// law has a largest number, the last has what is above it.
type counts struct {
	from    []float64 // the least number of each cell but the first
	largest float64   // of the right law; +Inf where it has none
	in      []int
}

// atom is a number with its probability.
type atom struct{ value, p float64 }

// smallestCell is the probability that a cell has at least, but for the first, which has none, and the last ones.
const smallestCell = 2e-3

// newCounts makes the cells of the right law, which may be cut off where hardly anything is left of it.
func newCounts(right []atom, cutOff bool) *counts {
	right = slices.Clone(right)
	sorts.Stable(right, func(a, b atom) int { return cmp.Compare(a.value, b.value) })
	c := &counts{from: []float64{right[0].value}, largest: math.Inf(1)}
	mass, last := 0.0, right[0].value
	for _, a := range right {
		if a.value != last && mass >= smallestCell {
			c.from, mass = append(c.from, a.value), 0
		}
		mass, last = mass+a.p, a.value
	}
	if !cutOff {
		c.largest = last
		c.from = append(c.from, math.Nextafter(last, math.Inf(1)))
	}
	c.in = make([]int, len(c.from)+1)
	return c
}

func (c *counts) cell(v float64) int {
	return sort.Search(len(c.from), func(i int) bool { return c.from[i] > v })
}

func (c *counts) add(v float64) { c.in[c.cell(v)]++ }

func (c *counts) law(says string, atoms []atom) law {
	l := law{says: says, cells: make([]float64, len(c.in))}
	for _, a := range atoms {
		l.cells[c.cell(a.value)] += a.p
	}
	return l
}

func (c *counts) logE(l law) float64 {
	return number.LogMean([]float64{eprocess.CountsLogE(c.in, l.cells), eprocess.CellsLogE(c.in, l.cells)})
}

// named returns the mistake that explains the counts best, with its posterior odds against all other laws together and against an unknown one, which is a
// mixture of Dirichlet laws about the mean of the known ones. Before any row is read all of them, the right law among them, are as likely, but for their
// priors.
func (c *counts) named(right law, mistakes []law) (best law, lead eprocess.Lead) {
	all := append([]law{right}, mistakes...)
	mean, logs := make([]float64, len(right.cells)), make([]float64, len(all))
	for i, l := range all {
		for cell, p := range l.cells {
			mean[cell] += p / float64(len(all))
		}
		logs[i] = l.prior + c.logLikelihood(l.cells)
	}
	if len(mistakes) == 0 || math.IsInf(slices.Max(logs[1:]), -1) {
		return law{}, eprocess.Lead{Others: math.Inf(-1), Unknown: math.Inf(-1)}
	}
	at := 1 + slices.Index(logs[1:], slices.Max(logs[1:]))
	return all[at], eprocess.LeadOf(logs, func(i int) bool { return i == at }, c.logLikelihood(mean)+eprocess.CountsLogE(c.in, mean))
}

// logLikelihood returns the log of the probability of the counts but for a constant, given those of the cells.
func (c *counts) logLikelihood(cells []float64) (sum float64) {
	for i, n := range c.in {
		if n > 0 {
			sum += float64(n) * number.Log(cells[i])
		}
	}
	return sum
}

// counted is what the mixture of a count test costs in nats, about.
const counted = 6

func (c *counts) rows(truth, wrong law, logThreshold float64) float64 {
	kl, impossible := 0.0, 0.0
	for i, p := range truth.cells {
		switch {
		case p > 0 && wrong.cells[i] > 0:
			kl += p * number.LogRatio(p, wrong.cells[i])
		case p > 0:
			impossible += p
		}
	}
	if impossible > 0 {
		return math.Ceil(-number.Log(1-eprocess.Found) / impossible) // until one such row is there
	}
	return math.Ceil((logThreshold + counted) / kl)
}

// where says which cell deviates most.
func (c *counts) where(l law) string {
	return eprocess.WorstCell(c.in, l.cells, func(cell int) string {
		switch {
		case cell == 0:
			return fmt.Sprintf("below %v", c.from[0])
		case cell == len(c.from) && !math.IsInf(c.largest, 1):
			return fmt.Sprintf("above %v", c.largest)
		case cell == len(c.from):
			return fmt.Sprintf("from %v on", c.from[cell-1])
		}
		return fmt.Sprintf("from %v to below %v", c.from[cell-1], c.from[cell])
	})
}

// waves keeps the sums of cos(theta z) and sin(theta z) of deviations z, at points each of which is twice the one before. Their means are the
// transform of the law, and their variances follow from it at the next point, so that Bennett's inequality bounds E exp(lambda (cos - mean)).
type waves struct {
	mean, sd float64 // of the function under the target
	thetas   []float64
	cos, sin []float64
	n        int
}

// points is the number of points at which transforms are taken.
const points = 10

// newWaves takes points from a quarter of one over the standard deviation of the estimate on.
func newWaves(f *averages.Function, variance float64) *waves {
	w := &waves{mean: f.Mean, sd: f.SD, thetas: make([]float64, points), cos: make([]float64, points), sin: make([]float64, points)}
	for i := range w.thetas {
		w.thetas[i] = math.Ldexp(0.25/math.Sqrt(variance), i)
	}
	return w
}

// law returns that of a variant of the estimator whose deviations from zero are multiplied by a factor.
func (w *waves) law(ctx context.Context, m *meeting.Law, f *averages.Function, k, last int, says string, v meeting.Variant, factor float64) (law, error) {
	thetas := make([]float64, points)
	for i, theta := range w.thetas {
		thetas[i] = theta * factor
	}
	phi, err := m.VariantTransform(ctx, f, k, last, v, thetas)
	for i, theta := range w.thetas {
		if err == nil {
			sin, cos := math.Sincos(theta * (factor - 1) * w.mean / w.sd)
			phi[i] *= complex(cos, sin)
		}
	}
	return law{says: says, phi: phi}, err
}

func (w *waves) add(v float64) {
	for i, theta := range w.thetas {
		sin, cos := math.Sincos(theta * (v - w.mean) / w.sd)
		w.cos[i] += cos
		w.sin[i] += sin
	}
	w.n++
}

// wave is a bounded function of an estimate, with its mean and variance under a law.
type wave struct{ sum, mean, variance float64 }

// waves returns the functions under a law.
func (w *waves) waves(l law) (all []wave) {
	for i := range points - 1 {
		c, s, twice := real(l.phi[i]), imag(l.phi[i]), real(l.phi[i+1])
		all = append(all, wave{w.cos[i], c, max(0, (1+twice)/2-c*c)}, wave{w.sin[i], s, max(0, (1-twice)/2-s*s)})
	}
	return all
}

func (w *waves) logE(l law) float64 {
	var terms []float64
	for _, f := range w.waves(l) {
		lambda, bound := bennett(f)
		terms = append(terms, eprocess.WeightsLogE(f.sum-float64(w.n)*f.mean, w.n, lambda, bound))
	}
	return number.LogMean(terms)
}

// bennett returns bounds on log E exp(lambda (f - mean)) for a function from -1 to 1 (Bennett 1962).
func bennett(f wave) (lambda, bound []float64) {
	const finest = 12
	b := 1 + math.Abs(f.mean)
	for i := range finest + 1 {
		l := math.Ldexp(1, -i)
		k := math.Log1p(f.variance * (math.Expm1(l*b) - l*b) / (b * b))
		lambda, bound = append(lambda, l, -l), append(bound, k, k)
	}
	return lambda, bound
}

// waved is what the mixture of a test of waves costs in nats, about.
const waved = 7

func (w *waves) rows(truth, wrong law, logThreshold float64) float64 {
	least := math.Inf(1)
	theirs := w.waves(truth)
	for i, f := range w.waves(wrong) {
		d := theirs[i].mean - f.mean
		least = min(least, (logThreshold+waved)*max(2*f.variance/(d*d), 2/math.Abs(d)))
	}
	return math.Ceil(least)
}
