package replicas

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Stones are moments of the estimates of log Z_N - log Z_0 from R recorded scans r, where replica
// x_i is at rung i. The stepping stone, its reverse and thermodynamic integration are
//
//	 log Zhat = sum over i < N of log (1/R sum over r of f_(i+1)(x_i)/f_i(x_i))
//	-log Zhat = sum over i < N of log (1/R sum over r of f_i(x_(i+1))/f_(i+1)(x_(i+1)))
//	 log Zhat = 1/R sum over r of the trapezoidal rule of d log f_b/db at (b_i, x_i).
//
// Zhat is in units of the truth. Each scan is applied to 3^N + 2^N + 3 functions of the n^(N+1)
// joint states.
//
// Sources: Xie et al. 2011 (stepping stone); Lartillot and Philippe 2006 (thermodynamic
// integration).
type Stones struct {
	Scans int
	// E Zhat of stepping stone, prod over i of the mean over scans of f_(i+1)/f_i at the state of
	// rung i
	MeanForward float64
	Square      float64 // E Zhat^2 of the same
	// E 1/Zhat of the reverse, prod over i of the mean of f_i/f_(i+1) at the state of rung i+1
	MeanReverse float64
	Thermo      float64 // the mean error of thermodynamic integration by the trapezoidal rule, in nats
	ThermoVar   float64 // its variance, in nats squared
}

// Stones returns the estimates after each number of recorded scans, ascending, from independent
// starts at each rung. For E Zhat the distribution is propagated together with the sums of the
// weights of every subset of the steps. Time is O(scans 3^N (N+1) n^N entries). It fails if f is
// zero somewhere, and for more than MaxStones numbers.
func (r *Replicas) Stones(ctx context.Context, from [][]float64, scans []int) ([]Stones, error) {
	if err := r.checkStones(from, scans); err != nil {
		return nil, err
	}
	t := r.recorded(from, scans)
	out := make([]Stones, len(scans))
	for i, n := range scans {
		out[i].Scans = n
	}
	forward, reverse := r.weights()
	pairs := t.rungs - 1
	err := t.powers(ctx, forward, 0, 2, func(i int, m [][]float64) {
		ones := (len(m) - 1) / 2 // every digit is one
		out[i].MeanForward = number.Total(m[ones]) / math.Pow(float64(scans[i]), float64(pairs))
		out[i].Square = number.Total(m[len(m)-1]) / math.Pow(float64(scans[i]), 2*float64(pairs))
	})
	if err == nil {
		err = t.powers(ctx, reverse, 1, 1, func(i int, m [][]float64) {
			out[i].MeanReverse = number.Total(m[len(m)-1]) / math.Pow(float64(scans[i]), float64(pairs))
		})
	}
	if err != nil {
		return nil, err
	}
	return out, r.thermo(ctx, t.tensors, t.start, out)
}

// StoneScans returns about how many scans of distributions Stones and Logs make together.
func StoneScans(rungs, scans int) int {
	const nodes = 170 // of the integrals of Logs
	pairs := rungs - 1
	laws := 3 + 2*nodes*pairs
	for _, base := range []float64{2, 3} {
		laws += int(math.Pow(base, float64(pairs)))
	}
	return laws * scans
}

// maxWeights is the largest span of the log weights of a pair, in nats, so that their squares do
// not overflow.
const maxWeights = 300

// checkWeights fails if the weights of stepping stones are infinite or overflow.
func (l *Laws) checkWeights() error {
	if l.ladder.Path().Zeros() {
		return errs.New(
			"a distribution of the path is zero somewhere, so that stepping stones have no weight there; " +
				"take ends that are positive everywhere",
		)
	}
	for i := range l.ladder.Rungs() - 1 {
		if low, high := number.Bounds(l.ladder.LogRatio(i)); high-low > maxWeights {
			return errs.New(
				"the log weights between rungs %d and %d span %.4g nats, and at most %d are computed; "+
					"give more rungs, nearer to one another",
				i,
				i+1,
				high-low,
				maxWeights,
			)
		}
	}
	return nil
}

// checkStones fails if stepping stones cannot be computed.
func (r *Replicas) checkStones(from [][]float64, scans []int) error {
	if err := r.checkWeights(); err != nil {
		return err
	}
	if len(scans) == 0 || scans[0] < 1 {
		return errs.New("no scan is recorded; record one or more")
	}
	if err := CheckStones(r.m.States(), r.m.Rungs()); err != nil {
		return err
	}
	return r.checkStart(from, scans)
}

// Logs returns E log Zhat of the forward and of the reverse stepping stone after given numbers of
// recorded scans, minus the truth, in nats. At stationarity the first is never above zero and the
// second never below, for any dependence between replicas (Jensen's inequality, term by term). It
// fails as Stones does. E log of a sum S of weights comes from E exp(-t S) by
//
//	log s = integral over u of (exp(-e^u) - exp(-s e^u)) du.
//
// Time is some hundred times that of Cold, for each pair and direction.
func (r *Replicas) Logs(ctx context.Context, from [][]float64,
	scans []int) (forward, reverse []float64, err error) {
	if err := r.checkStones(from, scans); err != nil {
		return nil, nil, err
	}
	t := r.recorded(from, scans)
	up, down := r.weights()
	forward, reverse = make([]float64, len(scans)), make([]float64, len(scans))
	for i := range up {
		if err := t.addMeanLogs(ctx, forward, 1, up[i], i); err != nil {
			return nil, nil, err
		}
		if err := t.addMeanLogs(ctx, reverse, -1, down[i], i+1); err != nil {
			return nil, nil, err
		}
	}
	return forward, reverse, nil
}

// recorded has the distribution from which scans begin, and after how many of them there are
// numbers.
type recorded struct {
	*tensors
	start []float64
	scans []int
}

func (r *Replicas) recorded(from [][]float64, scans []int) *recorded {
	t := r.tensors(false)
	t.progress = r.Progress
	return &recorded{t, t.product(func(i, x int) float64 { return from[i][x] }), scans}
}

// weights returns p_(i+1)/p_i and its inverse for each pair.
func (l *Laws) weights() (forward, reverse [][]float64) {
	for i := range l.ladder.Rungs() - 1 {
		up, down := make([]float64, l.ladder.States()), make([]float64, l.ladder.States())
		for x := range up {
			log := l.logp[i+1][x] - l.logp[i][x]
			up[x], down[x] = math.Exp(log), math.Exp(-log)
		}
		forward, reverse = append(forward, up), append(reverse, down)
	}
	return forward, reverse
}

// powers carries, with the distribution, the means of all products of the sums over scans of the
// weights of the pairs, each to a power from 0 to most: the powers are the digits of the place of a
// tensor, to the base most+1, the last pair's first. The weight of pair i is that of the state at
// rung i+shift. It calls see after each number of scans.
func (t *recorded) powers(ctx context.Context, weights [][]float64, shift, most int,
	see func(i int, m [][]float64)) error {
	count := 1
	base := most + 1
	for range weights {
		count *= base
	}
	m := make([][]float64, count)
	m[0] = append([]float64(nil), t.start...)
	for d := 1; d < count; d++ {
		m[d] = make([]float64, t.size)
	}
	at := 0
	for i, want := range t.scans {
		for ; at < want; at++ {
			for _, v := range m {
				if err := t.scan(ctx, v, at%2); err != nil {
					return err
				}
			}
			for pair, place := 0, 1; pair < len(weights); pair, place = pair+1, place*base {
				t.addWeight(m, weights[pair], t.stride(pair+shift), place, base)
			}
		}
		see(i, m)
	}
	return nil
}

// addWeight turns the moments of a sum into those of the sum plus a weight w by the binomial
// theorem, m_d = sum_l C(d,l) w^(d-l) m_l for d < base <= 3, where w is that of one label of each
// state. The digit of an index at the place is the power of that sum.
func (t *tensors) addWeight(m [][]float64, weight []float64, stride, place, base int) {
	for d := len(m) - 1; d >= 0; d-- { // the higher powers first, which need the lower ones of before
		power := d / place % base
		for lower := power - 1; lower >= 0; lower-- {
			for k, below := range m[d-(power-lower)*place] {
				w := weight[k/stride%t.n]
				if power-lower == 2 {
					m[d][k] += float64(w * w * below)
				} else {
					m[d][k] += float64(float64(power) * w * below)
				}
			}
		}
	}
}

// nodesOfLogs calls node at the places of the trapezoidal rule, whose step it is given, for the
// logarithm of the sum of the given number of weights.
func nodesOfLogs(weights []float64, most int, node func(u, step float64)) {
	low, high := math.Inf(1), 0.0
	for _, w := range weights {
		low, high = min(low, w), max(high, w)
	}
	// The trapezoidal rule has an error of exp(-pi^2/step) for each s, since the integrand is
	// analytic up to pi/2 from the real line. At the ends it is below 1e-15.
	const step, below, above = 0.26, 36, 3.7
	for u := -below - number.Log(max(1, high*float64(most))); u < above+max(0, -number.Log(low)); u += step {
		node(u, step)
	}
}

// addMeanLogs adds, with a sign, the mean of the logarithm of the mean over scans of the weights of
// the state at one rung.
func (t *recorded) addMeanLogs(ctx context.Context, out []float64, sign float64, weights []float64,
	rung int) (err error) {
	s := t.stride(rung)
	law := make([]float64, t.size)
	tilts := make([]float64, t.n)
	nodesOfLogs(weights, t.scans[len(t.scans)-1], func(u, step float64) {
		copy(law, t.start)
		for x, w := range weights {
			tilts[x] = -math.Expm1(-math.Exp(u) * w)
		}
		// 1 - E exp(-t S), which keeps its digits if it is small
		at := 0
		removed := 0.0
		for i, want := range t.scans {
			for ; at < want && err == nil; at++ {
				err = t.scan(ctx, law, at%2)
				for first := 0; first < t.size; first += s {
					tilt := tilts[first/s%t.n]
					for k, p := range law[first:][:s] {
						taken := p * tilt
						law[first+k] -= taken
						removed += taken
					}
				}
			}
			out[i] += sign * step * (removed + math.Expm1(-math.Exp(u)))
		}
	})
	for i, n := range t.scans {
		out[i] -= sign * number.Log(float64(n))
	}
	return err
}

// slopes returns the term of each state at each rung in the error of thermodynamic integration by
// the trapezoidal rule, in nats.
func (l *Laws) slopes() [][]float64 {
	path, _ := l.ladder.Path().Centred()
	top := l.ladder.Rungs() - 1
	truth := l.logZ[top] - l.logZ[0]
	value := make([][]float64, top+1)
	for i := range value {
		value[i] = make([]float64, l.ladder.States())
		path.Slope(value[i], chains.At(l.ladder.Beta(i)))
		width := 0.0
		if i > 0 {
			width += l.ladder.Beta(i) - l.ladder.Beta(i-1)
		}
		if i < top {
			width += l.ladder.Beta(i+1) - l.ladder.Beta(i)
		}
		for x := range value[i] {
			value[i][x] = value[i][x]*width/2 - truth/float64(top+1)
		}
	}
	return value
}

// thermo finds the mean and the variance of thermodynamic integration: those of the mean over scans
// of a function of the joint state, by the means of its sum and of the square of that.
func (r *Replicas) thermo(ctx context.Context, t *tensors, start []float64, out []Stones) error {
	value := r.slopes()
	c := make([]float64, t.size)
	for i := range value {
		s := t.stride(i)
		for k := range c {
			c[k] += value[i][k/s%t.n]
		}
	}
	law := append([]float64(nil), start...)
	sum := make([]float64, t.size)
	square := make([]float64, t.size)
	at := 0
	for i := range out {
		for ; at < out[i].Scans; at++ {
			for _, v := range [][]float64{law, sum, square} {
				if err := t.scan(ctx, v, at%2); err != nil {
					return err
				}
			}
			for k, v := range c {
				square[k] += float64(2*v*sum[k]) + float64(v*v*law[k])
				sum[k] += float64(v * law[k])
			}
		}
		n := float64(out[i].Scans)
		out[i].Thermo = number.Total(sum) / n
		out[i].ThermoVar = number.Total(square)/(n*n) - out[i].Thermo*out[i].Thermo
	}
	return nil
}
