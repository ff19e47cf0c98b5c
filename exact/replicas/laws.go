package replicas

import (
	"cmp"
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/tempering"
	"breadboard/exact/stages"
)

// A pair (i, i+1) accepts the swap of x ~ p_i and y ~ p_(i+1) with probability min(1, exp(d(x) -
// d(y))), where d = log f_(i+1) - log f_i. With the probability r_i of rejection, and perfect
// exploration between swaps, replicas travel at the rate
//
//	1/(2 + 2 sum_i r_i/(1 - r_i)) for DEO, 1/(2 N + 2 sum_i r_i/(1 - r_i)) for SEO.
//
// All r_i take O(N n log n) time for n states.
//
// Source: Syed, Bouchard-Cote, Deligiannidis and Doucet 2022, section 3.

// Laws are the distributions of the rungs of a ladder. They give the properties of replicas that do
// not depend on the kernel, for any number of rungs.
type Laws struct {
	ladder *tempering.Ladder
	logp   [][]float64 // log p of each rung, normalised
	p      [][]float64
	logZ   []float64 // of each rung, on the centred path
}

// LawsOf returns the distributions of the rungs of a ladder.
func LawsOf(ladder *tempering.Ladder) *Laws {
	l := &Laws{ladder: ladder}
	for i := range ladder.Rungs() {
		p := append([]float64(nil), ladder.LogF(i)...)
		logZ := chains.Normalize(p)
		logp := append([]float64(nil), ladder.LogF(i)...)
		for x := range logp {
			logp[x] -= logZ
		}
		l.p, l.logp, l.logZ = append(l.p, p), append(l.logp, logp), append(l.logZ, logZ)
	}
	return l
}

// Ladder returns the distributions of a ladder on a path reduced to its levels (see paths.Levels),
// which has the Rejections, LogZ and Ideal of the path itself. It fails if the context ends.
func Ladder(ctx context.Context, path chains.Path, schedule chains.Schedule, rungs int) (*Laws, error) {
	ladder, err := tempering.NewLadder(paths.Levels(ctx, path), schedule, rungs)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return LawsOf(ladder), nil
}

// Stationary returns the distribution of each rung.
func (l *Laws) Stationary() [][]float64 { return l.p }

// Alike returns the same distribution for every rung.
func (l *Laws) Alike(law []float64) (laws [][]float64) {
	for range l.p {
		laws = append(laws, law)
	}
	return laws
}

// LogZ returns log Z of the distribution at rung N minus that at rung 0, in nats.
func (l *Laws) LogZ() float64 {
	_, constant := l.ladder.Path().Centred()
	return l.logZ[len(l.logZ)-1] - l.logZ[0] + constant
}

// Rejections returns the probability at stationarity that each pair (i, i+1) rejects a swap. It
// equals the total variation distance between the joint distribution of the pair and the same with
// both exchanged. With d = log f_(i+1) - log f_i in rising order over the states, a swap of x at
// rung i with y at rung i+1 is rejected with 1 - exp(d(x) - d(y)) if d(y) is larger, which is the
// sum over the gaps between them of (1 - exp(-gap)) exp(gap's upper end - d(y)): no term is
// negative, and each gap is visited once. Time is O(N n log n) for n states.
func (l *Laws) Rejections() []float64 {
	list := make([]float64, l.ladder.Rungs()-1)
	for i := range list {
		list[i] = rejected(l.p[i], l.p[i+1], l.rises(i))
	}
	return list
}

// rises returns log f_(i+1) - log f_i of each state: -Inf if the upper one is zero, and +Inf if
// only the lower one is.
func (l *Laws) rises(i int) []float64 {
	d := slices.Clone(l.ladder.LogRatio(i))
	for x := range d {
		switch low, high := l.logp[i][x], l.logp[i+1][x]; {
		case math.IsInf(high, -1):
			d[x] = math.Inf(-1)
		case math.IsInf(low, -1):
			d[x] = math.Inf(1)
		}
	}
	return d
}

// rejected returns the mean of 1 - min(1, exp(d(x) - d(y))) for x drawn from p and y from q.
func rejected(p, q, d []float64) float64 {
	order := number.Range(len(d))
	slices.SortFunc(order, func(x, y int) int { return cmp.Compare(d[x], d[y]) })
	below := make([]float64, len(d)+1) // the mass of p before a place of the order
	for k, x := range order {
		below[k+1] = below[k] + p[x]
	}
	// above is the sum of q(y) exp(d(here) - d(y)) from here on
	total := 0.0
	above := 0.0
	for k := len(order) - 1; k > 0; k-- {
		x := order[k]
		above += q[x]
		gap := d[x] - d[order[k-1]]
		if d[x] == d[order[k-1]] { // both may be infinite
			gap = 0
		}
		total += float64(-math.Expm1(-gap) * below[k] * above)
		above *= math.Exp(-gap)
	}
	return total
}

// Formula returns the round-trip rate of a ladder with these rejections under perfect exploration
// between swaps.
//
// Source: Syed et al. 2022, section 3.
func Formula(scheme tempering.Scheme, rejections []float64) float64 {
	sum := 0.0
	for _, r := range rejections {
		sum += r / (1 - r)
	}
	if scheme == tempering.SEO {
		return 1 / (2*float64(len(rejections)) + 2*sum)
	}
	return 1 / (2 + 2*sum)
}

// Barrier returns Lambda, the integral over the path of stages.RejectionRate: the limit of the sum
// of the rejections of ever finer ladders. As ladders get finer the formula for DEO tends to 1/(2 +
// 2 Lambda). The path must be positive everywhere. Time is that of some hundred rejection rates.
//
// Source: Predescu et al. 2004; Syed et al. 2022.
func Barrier(ctx context.Context, path chains.Path) (float64, error) {
	path = paths.Levels(ctx, path)
	rate, err := stages.NewCurve(func(b float64) (float64, error) { return stages.RejectionRate(path, b), ctx.Err() },
		stages.Turns(path), 1)
	if err != nil {
		return 0, err
	}
	return rate.Total(), nil
}

// Ideal returns the estimates from R recorded scans of independent draws from each rung, for
// ascending numbers R, and the errors of the means of the two logarithms, in nats. Stones and Logs
// tend to these as exploration improves, and equal them for R = 1 from a stationary start. It fails
// if f is zero somewhere. Time is O(N n) for each number of scans, and some hundred times that for
// the logarithms.
func (l *Laws) Ideal(scans []int) (stones []Stones, forward, reverse []float64, err error) {
	if err := l.checkWeights(); err != nil {
		return nil, nil, nil, err
	}
	up, down := l.weights()
	forward, reverse = make([]float64, len(scans)), make([]float64, len(scans))
	thermo, variance := l.integration()
	for _, n := range scans {
		s := Stones{
			Scans:       n,
			MeanForward: 1,
			Square:      1,
			MeanReverse: 1,
			Thermo:      thermo,
			ThermoVar:   variance / float64(n),
		}
		for pair, w := range up {
			s.Square *= 1 + relativeVariance(l.p[pair], w)/float64(n)
		}
		stones = append(stones, s)
	}
	for i := range up {
		l.independentLogs(forward, 1, l.p[i], up[i], scans)
		l.independentLogs(reverse, -1, l.p[i+1], down[i], scans)
	}
	return stones, forward, reverse, nil
}

// relativeVariance returns the variance of a weight whose mean is one.
func relativeVariance(p, w []float64) float64 {
	var sum number.Sum
	for x, v := range w {
		sum.Add(p[x] * (v - 1) * (v - 1))
	}
	return sum.Value()
}

// independentLogs adds, with a sign, the mean of the logarithm of the mean over independent draws
// of a weight.
func (l *Laws) independentLogs(out []float64, sign float64, p, weights []float64, scans []int) {
	nodesOfLogs(weights, scans[len(scans)-1], func(u, step float64) {
		// E exp(-t w), and one minus it, of which the smaller one has the digits
		left := 0.0
		taken := 0.0
		for x, w := range weights {
			left += float64(p[x] * math.Exp(-math.Exp(u)*w))
			taken += float64(p[x] * -math.Expm1(-math.Exp(u)*w))
		}
		log := number.Log(left)
		if taken < 0.5 {
			log = math.Log1p(-taken)
		}
		for i, n := range scans {
			out[i] += sign * step * (math.Expm1(-math.Exp(u)) - math.Expm1(float64(n)*log))
		}
	})
	for i, n := range scans {
		out[i] -= sign * number.Log(float64(n))
	}
}

// integration returns the mean error of thermodynamic integration by the trapezoidal rule from
// draws of the rungs, and its variance from one of each that are independent.
func (l *Laws) integration() (mean, variance float64) {
	var sum, squares number.Sum
	for i, value := range l.slopes() {
		each := 0.0
		for x, v := range value {
			each += float64(l.p[i][x] * v)
		}
		sum.Add(each)
		for x, v := range value {
			squares.Add(l.p[i][x] * (v - each) * (v - each))
		}
	}
	return sum.Value(), squares.Value()
}
