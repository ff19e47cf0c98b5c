package stages

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
	"breadboard/exact/kernel"
)

// FisherInformation returns the variance of d log f_b/db under p_b at b = beta, in nats squared.
// For small d, KL(p_b || p_{b+d}) is half of it times d^2. Time is O(n).
func FisherInformation(path chains.Path, beta float64) float64 {
	p, score := scores(path, beta)
	total := 0.0
	for x, s := range score {
		total += p[x] * s * s
	}
	return total
}

// RejectionRate returns half the mean of |s(x) - s(y)| for independent x and y from p_b, with s = d
// log f_b/db at b = beta. For small d, parallel tempering rejects d times this rate of the
// exchanges between b and b + d. Time is O(n log n).
//
// Source: Predescu, Predescu and Ciobanu 2004; Syed, Bouchard-Cote, Deligiannidis and Doucet 2022.
func RejectionRate(path chains.Path, beta float64) float64 {
	p, score := scores(path, beta)
	moved := make([]float64, len(p))
	for x, s := range score {
		moved[x] = p[x] * s
	}
	return meanDifference(p, score, moved) / 2
}

const (
	// frictionError is the relative error above which a friction is refused, unless it is known to
	// cancelledError of the variance: the autocorrelations of a chain that alternates can cancel.
	frictionError  = 1e-9
	cancelledError = 1e-12
)

// Friction returns the asymptotic variance of d log f_b/db under the kernel at b = beta, in nats
// squared: C(0) + 2 sum over k >= 1 of C(k), for C(k) its covariance at lag k. As T grows, T B
// tends to the integral of Friction(b) (db/du)^2 over u = (t-1)/(T-1). A kernel and its time
// reversal have the same friction. Time is O(n^3) on up to kernel.DenseStates states, and beyond
// that the time of kernel.Diagnosis.AsymptoticVariance. Friction fails for more than
// kernel.MaxDiagnosisStates states, if the path passes zeros of f, for kernels that are made for
// the stages of one annealing, if the kernel does not connect the states, if a kernel that is not
// of the library does not leave the distribution invariant, and on large spaces if it is not known
// to 1e-9 of its size.
//
// Source: Sivak and Crooks 2012, for discrete time.
func Friction(ctx context.Context, path chains.Path, k chains.Kernel, beta float64) (number.Bounded, error) {
	n := path.States()
	if n > kernel.MaxDiagnosisStates {
		return number.Bounded{}, errs.New("%d states; the friction of a kernel takes at most %d",
			n, kernel.MaxDiagnosisStates)
	}
	if path.Zeros() {
		return number.Bounded{}, errs.New(
			"the path begins, ends or passes where f is zero; its friction needs distributions that are " +
				"positive everywhere",
		)
	}
	path, _ = path.Centred()
	logf := make([]float64, n)
	path.LogF(logf, chains.At(beta))
	rows, err := kernel.Examine(ctx, k, logf)
	if err != nil {
		return number.Bounded{}, fmt.Errorf("beta %v: %w", beta, err)
	}
	_, score := scores(path, beta)
	v, err := kernel.VarianceOf(ctx, rows, logf, score)
	if err != nil {
		return number.Bounded{}, fmt.Errorf("kernel %s at beta %v: %w", chains.NameOf(k), beta, err)
	}
	if !(v.Error <= frictionError || v.Bound <= cancelledError*v.Stationary) {
		return number.Bounded{}, fmt.Errorf(
			"kernel %s at beta %v: its friction has a relative error of %.1g, because it hardly mixes",
			chains.NameOf(k),
			beta,
			v.Error,
		)
	}
	return number.UpTo(v.Asymptotic, v.Bound), nil
}

// scores returns p_b and d log p_b/db at b = beta.
func scores(path chains.Path, beta float64) (p, score []float64) {
	path, _ = path.Centred()
	p = Distribution(path, beta)
	score = make([]float64, len(p))
	path.Slope(score, chains.At(beta))
	mean := 0.0
	for x, s := range score {
		mean += p[x] * s
	}
	for x := range score {
		score[x] -= mean
	}
	return p, score
}

// meanDifference returns the sum over x and y of p(x) p(y) |v(x) - v(y)|, by sorting. The products
// pv = p v are given too: they are finite also if v overflows. With P(< x) and P(> x) the masses
// before and after x in the order of v, and m a median of v, it is
//
//	2 times the sum over x of p(x) (v(x) - m) (P(< x) - P(> x)),
//
// of which no term is negative.
func meanDifference(p, v, pv []float64) float64 {
	// above has the mass from a place of the order on
	order := make([]int, len(v))
	above := make([]float64, len(v)+1)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(v[i], v[j]) })
	for i := len(order) - 1; i >= 0; i-- {
		above[i] = above[i+1] + p[order[i]]
	}
	median := order[0]
	for i := 1; i < len(order) && above[i] >= above[0]/2; i++ {
		median = order[i]
	}
	total := 0.0
	below := 0.0
	for i, x := range order {
		total += (pv[x] - p[x]*v[median]) * (below - above[i+1])
		below += p[x]
	}
	return 2 * total
}

// Step compares the distributions at two places of a path.
type Step struct {
	// KL is KL(p_from || p_to), in nats.
	KL float64
	// Rejection is the fraction of the exchanges between the two that parallel tempering rejects:
	// one minus the mean of min(1, p_from(y) p_to(x) / (p_from(x) p_to(y))) for x drawn from p_from
	// and y from p_to.
	Rejection float64
	// LostESS is one minus the conditional effective sample size for each particle, 0 to 1, of
	// weights p_to/p_from for particles drawn from p_from, in the limit of infinitely many
	// particles. Source: Zhou, Johansen and Aston 2016.
	LostESS float64
}

// Compare compares the distributions at two betas, p_from and p_to. Each number keeps its relative
// accuracy for any distance between the two. Time is O(n log n). The path must be positive
// everywhere (see chains.Path.Zeros).
func Compare(path chains.Path, from, to float64) Step {
	path, _ = path.Centred()
	logp := logDistribution(path, from)
	n := len(logp)
	p := make([]float64, n)
	ratio := make([]float64, n)
	gained := make([]float64, n)
	path.LogRatio(ratio, chains.At(from), chains.At(to), to-from)
	mean := 0.0
	for x, d := range ratio {
		p[x] = math.Exp(logp[x])
		mean += p[x] * d
	}
	rise := 0.0 // a state that p_from hardly has may be the likeliest of p_to
	for x, d := range ratio {
		rise += stage.Increase(p[x], logp[x], d-mean)
	}
	shift := math.Log1p(rise)
	if math.IsInf(rise, 1) {
		logs := make([]float64, n)
		for x, d := range ratio {
			logs[x] = logp[x] + (d - mean)
		}
		shift = number.LogSumExp(logs)
	}
	var out Step
	square := 0.0
	for x, d := range ratio {
		l := d - mean - shift // log(p_to/p_from)
		ratio[x], gained[x] = math.Expm1(l), stage.Increase(p[x], logp[x], l)
		if l > 1 {
			out.KL += gained[x] - p[x]*l
			square += math.Exp(logp[x] + 2*(l+math.Log1p(-math.Exp(-l))))
			continue
		}
		out.KL += p[x] * stage.Excess(l)
		square += gained[x] * ratio[x]
	}
	out.LostESS = 1 / (1 + 1/square)
	out.Rejection = meanDifference(p, ratio, gained) / 2
	return out
}

// Turns returns the betas between 0 and 1, in order, near which the distributions of a path may
// change fast: its kinks, and the places where another state becomes the likeliest, found by
// bisection. On a geometric path a state that is never the likeliest has no such place, and all
// states of a uniform start have the same one. Time is O(n) for each of some fifty halvings a turn.
func Turns(path chains.Path) []float64 {
	const nearest = 0x1p-40 // to an end
	path, _ = path.Centred()
	logf := make([]float64, path.States())
	likeliest := func(beta float64) int {
		path.LogF(logf, chains.At(beta))
		return floats.MaxIdx(logf)
	}
	turns := slices.Clone(path.Kinks())
	var between func(low, high float64, first, last int)
	between = func(low, high float64, first, last int) {
		middle := (low + high) / 2
		switch {
		case first == last:
		case middle == low || middle == high || high-low < 0x1p-48:
			turns = append(turns, middle)
		default:
			at := likeliest(middle)
			between(low, middle, first, at)
			between(middle, high, at, last)
		}
	}
	between(nearest, 1-nearest, likeliest(nearest), likeliest(1-nearest))
	sort.Float64s(turns)
	return slices.Compact(turns)
}
