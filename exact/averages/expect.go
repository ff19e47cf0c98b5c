package averages

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/diagnostics"
)

// Expectations are the exact means, over all runs of a chain of N samples, of the quantities that
// convergence diagnostics are computed from, in units of the standard deviation of the function
// under the target.
type Expectations struct {
	N, Chains int
	// Bias and MSE are the bias and the mean squared error of the mean of one chain, and
	// VarianceOfMean is its variance, which is the mean of the variance between the means of
	// independent chains.
	Bias, MSE, VarianceOfMean float64
	MeanVariance              float64 // of the sample variance of one chain, with divisor N - 1
	// Autocovariances are those at lags 0 to N - 1 around the chain's own mean, with divisor N.
	Autocovariances []float64
	// BatchMeans is the mean of the estimate of the asymptotic variance by batch means (see
	// diagnostics.BatchMeans): the variance between the means of the batches times their size.
	BatchMeans float64
	// GewekeDifference2 is the mean squared difference between the mean of the first tenth and that
	// of the last half. It is NaN for fewer than ten samples.
	GewekeDifference2 float64

	// The following are diagnostics computed from these means, not means of the diagnostics.
	RHat           float64 // of several chains, not split
	ESS, ESSSingle float64 // of all chains together, and of one chain
}

// RESS returns the real effective sample size of the mean of one chain, 1/MSE.
func (e *Expectations) RESS() float64 { return 1 / e.MSE }

const (
	// MaxExpectations is the largest number of samples for Expectations, whose time is quadratic.
	MaxExpectations = 100_000
	// maxExpectationsBytes is how much memory it may take.
	maxExpectationsBytes = 1 << 30
)

// CheckExpectations fails if Expectations would refuse n samples on the given number of states: for
// fewer than diagnostics.MinDraws or more than MaxExpectations, and if the memory, 8 bytes for each
// sample and state, exceeds 1 GiB.
func CheckExpectations(states, n int) error {
	switch {
	case n < diagnostics.MinDraws:
		return fmt.Errorf("%d samples are too few for diagnostics; give at least %d", n, diagnostics.MinDraws)
	case n > MaxExpectations:
		return fmt.Errorf("%d samples are too many for the expectations of diagnostics, which take all pairs of them; give at most %d", n, MaxExpectations)
	case n > maxExpectationsBytes/8/states:
		return fmt.Errorf("%d samples on %d states take %s GiB for the expectations of diagnostics, which may take 1 GiB; give at most %d samples", n, states,
			strconv.FormatFloat(8*float64(n)*float64(states)/(1<<30), 'g', 3, 64), maxExpectationsBytes/8/states)
	}
	return nil
}

// Expectations returns the exact means of the quantities that diagnostics of independent chains of
// n samples from a start are computed from. It fails as CheckExpectations and Errors do, and if the
// context ends. Progress is called now and then, with calls that add up to about ExpectationSteps;
// it may be nil.
//
// The errors of the mean come from the recursion. All else comes from the half mean squared
// differences D(i, i+k) = E[(h(x_{i+k}) - h(x_i))^2]/2 = sum over x of q_i(x) u_k(x), with q_i the
// distribution of sample i and u_k(x) half the mean squared difference for chains that start at x.
// These are sums of numbers that are not negative, so that neither a constant in the function nor a
// slow chain costs digits. Time is O(N^2 states + N entries), and memory 8 bytes for each sample
// and state.
func (c *Chain) Expectations(ctx context.Context, f *Function, start []float64, n, chains int, progress func(steps int)) (*Expectations, error) {
	if err := CheckExpectations(c.States(), n); err != nil {
		return nil, err
	}
	if chains < 1 {
		return nil, fmt.Errorf("%d chains; give at least one", chains)
	}
	mean, err := c.Errors(ctx, Question{Function: f, Starts: [][]float64{start}, N: []int64{int64(n)}, Progress: progress}, Recursion)
	if err != nil {
		return nil, err
	}
	w := newPairs(n)
	if err := w.look(ctx, c, f, start, progress); err != nil {
		return nil, err
	}
	return w.expectations(mean[0][0], chains), nil
}

// pairsOfStep is the number of pairs of samples that take as long as a step of the recursion.
const pairsOfStep = 200

// ExpectationSteps returns about how many steps Expectations reports for n samples.
func ExpectationSteps(n int) int { return n + n*n/(2*pairsOfStep) }

// pairs are sums of D over pairs of samples, which are numbered from 0.
type pairs struct {
	n          int
	lag        []float64 // the sum of D(i, i+k) by k
	with       []float64 // the sum of D(i, j) over all j by i
	size       int       // of a batch
	batched    int       // the number of samples in batches
	within     float64   // over pairs in the same batch
	between    float64   // over pairs in any batches
	a, b       int       // the sizes of Geweke's windows
	aa, ab, bb float64   // over pairs in the first window, of the first and the last, and in the last
}

func newPairs(n int) *pairs {
	w := &pairs{n: n, lag: make([]float64, n), with: make([]float64, n), size: diagnostics.BatchSize(n)}
	w.batched = n / w.size * w.size
	w.a, w.b = diagnostics.Windows(n)
	return w
}

// pairBlock is the number of samples whose differences from all later ones are computed at once, so
// that u_k is read from memory once for all of them.
const pairBlock = 32

// look looks at all pairs of samples.
func (w *pairs) look(ctx context.Context, c *Chain, f *Function, start []float64, progress func(steps int)) error {
	u, err := c.differences(ctx, f, w.n)
	if err != nil {
		return err
	}
	law := start
	laws, rows := make([][]float64, 0, pairBlock), make([][]float64, pairBlock)
	for i := range rows {
		rows[i] = make([]float64, w.n)
	}
	for first := 0; first < w.n; first += pairBlock {
		laws = laws[:0]
		for i := first; i < min(first+pairBlock, w.n); i++ {
			if i > 0 {
				if law, err = c.After(ctx, law, 1); err != nil {
					return err
				}
			}
			laws = append(laws, law)
		}
		for k := range w.n - first {
			if k%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			for i, q := range laws {
				rows[i][k] = floats.Dot(q, u[k])
			}
		}
		for i := range laws {
			w.row(first+i, rows[i][:w.n-first-i])
		}
		if progress != nil {
			progress(len(laws) * (w.n - first) / pairsOfStep)
		}
	}
	return nil
}

// row adds D(i, i+k) of a sample i for all k.
func (w *pairs) row(i int, d []float64) {
	floats.Add(w.lag[:len(d)], d)
	floats.Add(w.with[i:], d) // D(i, i) is zero
	w.with[i] += floats.Sum(d)
	if i < w.batched {
		w.within += 2 * floats.Sum(d[:w.size-i%w.size])
		w.between += 2 * floats.Sum(d[:w.batched-i])
	}
	if i < w.a {
		w.aa += 2 * floats.Sum(d[:w.a-i])
		w.ab += floats.Sum(d[w.n-w.b-i:])
	}
	if i >= w.n-w.b {
		w.bb += 2 * floats.Sum(d)
	}
}

// differences returns u_k(x) for k below n: half the mean squared difference between the function
// after k moves and at the state x where they began. It grows by what one move adds to E[h^2] - 2
// h(x) E[h], which for a first move is exactly its mean squared difference.
func (c *Chain) differences(ctx context.Context, f *Function, n int) ([][]float64, error) {
	states := c.States()
	u := make([][]float64, n)
	u[0] = make([]float64, states)
	steps, squares := make([]float64, states), make([]float64, states) // the means of what the next move adds to h and to h^2
	for x, h := range f.Values {
		for _, e := range c.Rows.Row(x) {
			d := f.Values[e.To] - h
			steps[x] += e.P * d
			squares[x] += e.P * d * (f.Values[e.To] + h)
		}
	}
	next := make([]float64, states)
	for k := 1; k < n; k++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		u[k] = make([]float64, states)
		for x, h := range f.Values {
			u[k][x] = u[k-1][x] + squares[x]/2 - h*steps[x]
		}
		c.moved(next, steps)
		steps, next = next, steps
		c.moved(next, squares)
		squares, next = next, squares
	}
	return u, nil
}

// expectations computes the Expectations from the sums over pairs. The mean square of a contrast of
// the samples, whose weights sum to zero, is minus the sum over all pairs of D(i, j) times both
// weights.
func (w *pairs) expectations(mean Errors, chains int) *Expectations {
	n, batches := float64(w.n), float64(w.batched/w.size)
	half := floats.Sum(w.with) / (n * n) // the mean of D over all pairs, which is that of the variance with divisor N
	e := &Expectations{N: w.n, Chains: chains, Bias: mean.Bias.Value, MSE: mean.MSE.Float(), MeanVariance: half * n / (n - 1),
		Autocovariances: w.autocovariances(half)}
	e.VarianceOfMean = e.MSE - e.Bias*e.Bias
	e.BatchMeans = (w.between/batches - w.within) / (float64(w.size) * (batches - 1))
	a, b := float64(w.a), float64(w.b)
	e.GewekeDifference2 = 2*w.ab/(a*b) - w.aa/(a*a) - w.bb/(b*b)
	e.RHat = math.Sqrt((n-1)/n + e.VarianceOfMean/e.MeanVariance)
	e.ESSSingle = diagnostics.ESSFrom(e.Autocovariances, 1, 0)
	e.ESS = e.ESSSingle
	if chains > 1 {
		e.ESS = diagnostics.ESSFrom(e.Autocovariances, chains, e.VarianceOfMean)
	}
	return e
}

// autocovariances returns the sums over i of r_i + r_{i+k} - half - D(i, i+k), divided by N, with
// r_i the mean of D(i, j) over j.
func (w *pairs) autocovariances(half float64) []float64 {
	n := float64(w.n)
	out := make([]float64, w.n)
	ends := 2 * floats.Sum(w.with) / n // the sum of r_i + r_{i+k}
	for k := range out {
		out[k] = (ends - w.lag[k] - (n-float64(k))*half) / n
		ends -= (w.with[k] + w.with[w.n-1-k]) / n
	}
	return out
}
