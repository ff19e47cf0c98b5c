package averages

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/diagnostics"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Expectations are exact means, over all runs of a chain of N samples, of the quantities from which
// convergence diagnostics are computed, in units of the function's standard deviation under the
// target.
type Expectations struct {
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

const (
	// MaxExpectations is the largest number of samples for Expectations. Rounding grows with it.
	MaxExpectations = 100_000
	// maxExpectationsWork is the largest number of samples times states.
	maxExpectationsWork = 1 << 27
)

// CheckExpectations fails if Expectations does not support n samples on the given number of states:
// fewer than diagnostics.MinDraws or more than MaxExpectations, or more than 2^27 samples times
// states.
func CheckExpectations(states, n int) error {
	switch {
	case n < diagnostics.MinDraws:
		return errs.New("%d samples are too few for diagnostics; give at least %d", n, diagnostics.MinDraws)
	case n > MaxExpectations:
		return errs.New(
			"%d samples are too many for the expectations of diagnostics, whose rounding grows with their "+
				"number; give at most %d",
			n,
			MaxExpectations,
		)
	case n > maxExpectationsWork/states:
		return errs.New(
			"%d samples on %d states take too long for the expectations of diagnostics; give at most %d samples",
			n,
			states,
			maxExpectationsWork/states,
		)
	}
	return nil
}

// Expectations returns the exact means of the quantities from which diagnostics of independent
// chains of n samples are computed. It fails if CheckExpectations or Errors does, and if the
// context ends. Progress, which may be nil, is called with steps that add up to about
// ExpectationSteps.
//
// The errors of the mean come from the recursion. All else comes from the half mean squared
// differences D(i, i+k) = E[(h(x_{i+k}) - h(x_i))^2]/2 = sum over x of q_i(x) u_k(x), with q_i the
// distribution of sample i and u_k(x) half the mean squared difference for chains that start at x.
// These are sums of nonnegative numbers, so that neither a constant in the function nor a slow
// chain costs digits. Time is O(N entries), and memory O(sqrt(N) states + N).
func (c *Chain) Expectations(ctx context.Context, f *Function, start []float64, n, chains int,
	progress func(steps int)) (*Expectations, error) {
	if err := CheckExpectations(c.States(), n); err != nil {
		return nil, err
	}
	if chains < 1 {
		return nil, errs.New("%d chains; give at least one", chains)
	}
	mean, err := c.Errors(ctx, Question{
		Function: f,
		Starts:   [][]float64{start},
		N:        []int64{int64(n)},
		Progress: progress,
	}, Recursion)
	if err != nil {
		return nil, err
	}
	w := newPairs(n)
	if err := w.sumPairs(ctx, c, f, start, progress); err != nil {
		return nil, err
	}
	return w.expectations(mean[0][0], chains), nil
}

// ExpectationSteps returns about how many steps Expectations reports for n samples.
func ExpectationSteps(n int) int { return 6 * n }

// pairs are sums of D over pairs of samples, which are numbered from 0.
type pairs struct {
	n          int
	lag        []float64  // the sum of D(i, i+k) by k
	with       []float64  // the sum of D(i, j) over all j by i
	size       int        // of a batch
	batched    int        // the number of samples in batches
	within     number.Sum // over pairs in the same batch
	between    number.Sum // over pairs in any batches
	a, b       int        // the sizes of Geweke's windows
	aa, ab, bb number.Sum // over pairs in the first window, of the first and the last, and in the last
}

func newPairs(n int) *pairs {
	w := &pairs{n: n, lag: make([]float64, n), with: make([]float64, n), size: diagnostics.BatchSize(n)}
	w.batched = n / w.size * w.size
	w.a, w.b = diagnostics.Windows(n)
	return w
}

// sumPairs looks at all pairs of samples, first with the earlier sample summed out and then with
// the later one. The second pass goes back in i, from distributions that the first kept at marks.
func (w *pairs) sumPairs(ctx context.Context, c *Chain, f *Function, start []float64,
	progress func(steps int)) error {
	spacing := int(math.Sqrt(float64(w.n))) + 1
	var marks []mark
	at := mark{start, make([]float64, c.States())}
	// over all earlier samples, those of the same batch, and those of the first window
	before := newPast(c)
	batch := newPast(c)
	first := newPast(c)
	for i := range w.n {
		if i%spacing == 0 {
			marks = append(marks, at)
			if progress != nil {
				progress(4 * min(spacing, w.n-i))
			}
		}
		if i%w.size == 0 {
			batch.clearPast()
		}
		d := before.sumPairs()
		w.with[i] = d
		if i < w.batched {
			w.within.Add(2 * batch.sumPairs())
			w.between.Add(2 * d)
		}
		if i < w.a {
			w.aa.Add(2 * d)
			first.addSample(at.law)
		} else if i >= w.n-w.b {
			w.ab.Add(first.sumPairs())
		}
		before.addSample(at.law)
		batch.addSample(at.law)
		var err error
		at, err = at.next(ctx, c)
		if err != nil {
			return err
		}
		for _, p := range []*past{before, batch, first} {
			p.nextSample(c, f.Values)
		}
	}
	u := newDifferences(c, f)
	block := make([]mark, spacing+1)
	for m := len(marks) - 1; m >= 0; m-- {
		from := m * spacing
		end := min((m+1)*spacing, w.n)
		block[0] = marks[m]
		for i := range end - from {
			var err error
			block[i+1], err = block[i].next(ctx, c)
			if err != nil {
				return err
			}
		}
		for i := end - 1; i >= from; i-- {
			w.lag[w.n-1-i] = floats.Dot(block[i+1-from].total, u.u)
			floats.Add(u.total, u.u)
			d := floats.Dot(block[i-from].law, u.total)
			w.with[i] += d // D(i, i) is zero
			if i >= w.n-w.b {
				w.bb.Add(2 * d)
			}
			u.next()
		}
		if progress != nil {
			progress(2 * (end - from))
		}
	}
	return nil
}

// A mark has the distribution of a sample and the sum of those of all earlier ones.
type mark struct{ law, total []float64 }

func (m mark) next(ctx context.Context, c *Chain) (mark, error) {
	law, err := c.After(ctx, m.law, 1) // nil if the context has ended
	return mark{law, floats.AddTo(make([]float64, len(m.law)), m.total, m.law)}, err
}

// past has, for each state y, the sum over earlier samples j of P(x_i = y) E[d^k | x_i = y], for d
// = h(y) - h(x_j) and k = 0, 1 and 2.
type past struct{ at, moved [][3]float64 }

func newPast(c *Chain) *past {
	return &past{make([][3]float64, c.States()), make([][3]float64, c.States())}
}

func (p *past) clearPast() { clear(p.at) }

// addSample adds the sample i to the earlier ones.
func (p *past) addSample(law []float64) {
	for y, q := range law {
		p.at[y][0] += q
	}
}

// sumPairs returns the sum of D(j, i) over the earlier samples j.
func (p *past) sumPairs() (total float64) {
	for y := range p.at {
		total += p.at[y][2] / 2
	}
	return total
}

// nextSample goes on to the next sample. A move by d' makes d^2 d^2 + 2 d d' + d'^2, so that small
// differences keep their digits.
func (p *past) nextSample(c *Chain, h []float64) {
	before := p.weight()
	for _, rows := range c.factored() {
		clear(p.moved)
		for x, s := range p.at {
			if s[0] == 0 {
				continue
			}
			for _, e := range rows.Row(x) {
				d := h[e.To] - h[x]
				to := &p.moved[e.To]
				to[0] += e.P * s[0]
				to[1] += e.P * (s[1] + d*s[0])
				to[2] += e.P * (s[2] + d*(2*s[1]+d*s[0]))
			}
		}
		p.at, p.moved = p.moved, p.at
	}
	after := p.weight()
	scale := c.drift(before, after, 1)
	for y := range p.at {
		for k := range p.at[y] {
			p.at[y][k] *= scale
		}
	}
}

func (p *past) weight() (total float64) {
	for y := range p.at {
		total += p.at[y][0]
	}
	return total
}

// differences are u_k(x): half the mean squared difference between the function after k moves and
// at the state x where they began, and their sum over k. u_k grows by what one move adds to
// E[h^2] - 2 h(x) E[h], which for a first move is exactly its mean squared difference.
type differences struct {
	chain                 *Chain
	h, u, total           []float64
	steps, squares, spare []float64 // the means of what the next move adds to h and to h^2
}

func newDifferences(c *Chain, f *Function) *differences {
	of := func() []float64 { return make([]float64, c.States()) }
	d := &differences{c, f.Values, of(), of(), of(), of(), of()}
	for x, h := range f.Values {
		for _, e := range c.Rows.Row(x) {
			step := f.Values[e.To] - h
			d.steps[x] += e.P * step
			d.squares[x] += e.P * step * (f.Values[e.To] + h)
		}
	}
	return d
}

func (d *differences) next() {
	for x, h := range d.h {
		d.u[x] += d.squares[x]/2 - h*d.steps[x]
	}
	for _, of := range []*[]float64{&d.steps, &d.squares} {
		d.chain.moved(d.spare, *of)
		*of, d.spare = d.spare, *of
	}
}

// expectations computes the Expectations from the sums over pairs. The mean square of a contrast of
// the samples, whose weights sum to zero, is minus the sum over all pairs of D(i, j) times both
// weights.
func (w *pairs) expectations(mean Errors, chains int) *Expectations {
	n := float64(w.n)
	batches := float64(w.batched / w.size)
	// the mean of D over all pairs, which is that of the variance with divisor N
	half := number.Total(w.with) / (n * n)
	e := &Expectations{
		Bias:            mean.Bias.Value,
		MSE:             mean.MSE.Float(),
		MeanVariance:    half * n / (n - 1),
		Autocovariances: w.autocovariances(half),
	}
	e.VarianceOfMean = e.MSE - e.Bias*e.Bias
	e.BatchMeans = (w.between.Value()/batches - w.within.Value()) / (float64(w.size) * (batches - 1))
	a, b := float64(w.a), float64(w.b)
	e.GewekeDifference2 = 2*w.ab.Value()/(a*b) - w.aa.Value()/(a*a) - w.bb.Value()/(b*b)
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
