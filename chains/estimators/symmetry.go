package estimators

import (
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Symmetry says how a lower bound on log Z accounts for the K! ways to rename K clusters. An
// approximation of one naming misses the others. If the clusters are exchangeable, each naming has
// the same share of the posterior.
type Symmetry int

// The symmetries.
const (
	// OneNaming leaves the bound as it is.
	OneNaming Symmetry = iota
	// LogFactorial adds log K!, as Grosse, Ghahramani and Adams 2015, section 6.1, do. The result
	// need not be a lower bound: it is too large if the namings overlap, and if the clusters are
	// not exchangeable.
	LogFactorial
	// AllNamings takes the bound of the mixture of all K! namings of the approximation, by
	// enumeration over the states. It is a lower bound for any model, and at most log K! above that
	// of one naming if the clusters are exchangeable.
	AllNamings
)

// String returns the name of the symmetry: one, factorial or mixture.
func (s Symmetry) String() string { return [...]string{"one", "factorial", "mixture"}[s] }

// maxNamings bounds the number of states times the number of namings of a mixture.
const maxNamings = 1 << 22

// checkSymmetry returns an error if the symmetry does not apply to variables with these numbers of
// values.
func checkSymmetry(s Symmetry, sides []int) error {
	switch {
	case s < OneNaming || s > AllNamings:
		return errs.New("symmetry %d; it is OneNaming, LogFactorial or AllNamings", int(s))
	case s == OneNaming:
		return nil
	case slices.Min(sides) != slices.Max(sides):
		return errs.New(
			"variables with %d and with %d values; values can be renamed only if every variable has the same ones",
			slices.Min(sides),
			slices.Max(sides),
		)
	case s == AllNamings && !(namings(sides) <= maxNamings):
		return errs.New(
			"%.3g states and namings; the mixture of all namings is summed over at most %d of them: give "+
				"fewer data, or fewer clusters",
			namings(sides),
			maxNamings,
		)
	}
	return nil
}

// namings returns the number of states times the number of namings.
func namings(sides []int) float64 {
	return math.Pow(float64(sides[0]), float64(len(sides))) * math.Exp(LogNamings(sides[0]))
}

// LogNamings returns log K!, the logarithm of the number of ways to name K components.
func LogNamings(k int) float64 { return number.LogFactorial(float64(k)) }

// mixtureBound returns E[log f - log q] under the mixture q of all namings of a product of
// distributions: the bound of log Z that it gives. The product has one factor for each variable,
// and all have K values. It takes about K^N K! multiplications.
func mixtureBound(factors [][]float64, logf []float64) float64 {
	k := len(factors[0])
	mixture := make([]float64, len(logf))
	one := make([]float64, len(logf))
	renamed := make([][]float64, len(factors))
	for i := range renamed {
		renamed[i] = make([]float64, k)
	}
	count := 0.0
	permute(k, func(name []int) {
		count++
		for i, f := range factors {
			for from, to := range name {
				renamed[i][to] = f[from]
			}
		}
		outer(one, renamed, none)
		for x, q := range one {
			mixture[x] += q
		}
	})
	for x := range mixture {
		mixture[x] /= count
		one[x] = number.Log(mixture[x])
	}
	return expectedLog(mixture, logf, one)
}

// permute calls visit with every permutation of 0..k-1. The slice is valid during the call only.
func permute(k int, visit func([]int)) {
	p := number.Range(k)
	var from func(at int)
	from = func(at int) {
		if at == k {
			visit(p)
			return
		}
		for i := at; i < k; i++ {
			p[at], p[i] = p[i], p[at]
			from(at + 1)
			p[at], p[i] = p[i], p[at]
		}
	}
	from(0)
}

// extraOf returns what a symmetry adds to the bound of a model with K alike parts whose states are
// too many to be summed over, in nats.
func extraOf(s Symmetry, k int) (float64, error) {
	switch s {
	case OneNaming:
		return 0, nil
	case LogFactorial:
		return LogNamings(k), nil
	}
	return 0, errs.New(
		"symmetry %d; it is OneNaming or LogFactorial here, since this model has too many states for a sum over them",
		int(s),
	)
}
