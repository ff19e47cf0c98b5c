package chain

import (
	"fmt"
	"math"

	"breadboard/chains/number"
	"breadboard/experiments/checks/conform/draws"
)

// partners is with how many chains on either side each chain is compared, in the order in which
// they were read.
const partners = 8

// joints are the shares of the moves in which two chains are taken to be joined.
func joints() []float64 { return []float64{0.99, 0.5, 0.2, 0.05, 0.01} }

// pair bets that two chains share random numbers. Given the states before them, right moves at one
// time are independent. So whichever was read first, y from x, the ratio of the probability of the
// other one given y, under a coupling of the two rows, to that in its own row has mean one.
type pair struct {
	a, b *track
	logs []float64 // by coupling and share
}

// addChains takes the moves of two chains that their first two states are, of which the second one
// was read last.
func (p *pair) addChains(m *moves, first, second []int32) {
	x := int(first[0])
	y := int(first[1])
	v := int(second[0])
	w := int(second[1])
	f := m.countsFrom(x)
	g := m.countsFrom(v)
	i, is := f.placeOf(y)
	j, too := g.placeOf(w)
	if !is || !too {
		return
	}
	overlap := func(low float64) float64 {
		return max(0, min(low+f.p[i], g.low[j]+g.p[j])-max(low, g.low[j])) / f.p[i] / g.p[j]
	}
	step := 1.0
	if same, is := g.place[v+y-x]; is && v+y-x >= 0 {
		step = 0
		if same == j {
			step = 1 / g.p[j]
		}
	}
	// By one uniform number, by u and 1 - u, and by the same step.
	for k, ratio := range []float64{overlap(f.low[i]), overlap(1 - f.low[i] - f.p[i]), step} {
		for i, share := range joints() {
			p.logs[k*len(joints())+i] += math.Log1p(share * (ratio - 1))
		}
	}
}

// startTrack starts a chain, beside those before it.
func (r *run) startTrack(name string) *track {
	c := &track{name: name}
	for _, other := range r.tracks[max(0, len(r.tracks)-partners):] {
		p := &pair{other, c, make([]float64, 3*len(joints()))}
		other.pairs, c.pairs, r.pairs = append(other.pairs, p), append(c.pairs, p), append(r.pairs, p)
	}
	r.tracks = append(r.tracks, c)
	return c
}

// paired takes the last move of a chain beside those of others at the same time.
func (r *run) paired(c *track) {
	t := len(c.states) - 1
	for _, p := range c.pairs {
		other := p.a
		if other == c {
			other = p.b
		}
		if t > 0 && len(other.states) > t {
			p.addChains(r.moves, other.states[t-1:], c.states[t-1:])
		}
	}
}

// together is the name of the test of whether chains are independent of each other.
const together = "moves of two chains at one time"

// together is that test. Pair i has the weight 1/(i(i+1)), whatever comes behind it, so that the
// sum, with what is left for pairs to come, is an e-process.
func (r *run) together() draws.Value {
	v := draws.Value{Name: together}
	best := 0
	logs := []float64{-number.Log(float64(len(r.pairs) + 1))}
	for i, p := range r.pairs {
		logs = append(logs, number.LogMean(p.logs)-number.Log(float64((i+1)*(i+2))))
		if logs[i+1] > logs[best+1] {
			best = i
		}
	}
	if len(r.pairs) == 0 {
		return v
	}
	p := r.pairs[best]
	same, off, variance := r.moves.related(p, 0)
	_, later, more := r.moves.related(p, 1)
	v.LogE, v.Depend = number.LogSumExp(logs), draws.Unlikely(off-later, variance+more)
	v.Says = fmt.Sprintf(
		"%d moves of %s make the same step as that of %s at the same time, %.6g expected from the observed frequencies",
		same,
		p.b.name,
		p.a.name,
		float64(same)-off,
	)
	if v.Depend {
		v.Says = "chains depend on each other, as if they shared random numbers: " + v.Says
	} else {
		v.Says += ", which explain it"
	}
	return v
}

// joined says that chains depend on each other, though each may be right: no test of one chain
// finds a fault, but for blocks that come again, which chains have that meet. It is empty if they
// do not.
func (r *run) joined(values []draws.Value) string {
	if twins := twins(r.tracks); twins != "" || len(values) == 0 {
		return twins
	}
	v := values[len(values)-1]
	alone := draws.SingleThreshold(r.reading.Watch, values)
	if v.Depend && v.LogE >= alone && draws.Strongest(values[:len(values)-2]).LogE < alone {
		return v.Says
	}
	return ""
}

// related compares moves of the first chain with those of the second one that are lag draws
// later: what both do alike because their kernels change slowly in time does not depend on that,
// and what comes from shared random numbers does. It returns how many steps are the same, how many
// more than the observed frequencies lead to, and the variance of that.
func (m *moves) related(p *pair, lag int) (same int, off, variance float64) {
	for t := 1; t < min(len(p.a.states), len(p.b.states)-lag); t++ {
		step := int(p.a.states[t] - p.a.states[t-1])
		v := int(p.b.states[t-1+lag])
		w := int(p.b.states[t+lag])
		q := m.countsFrom(v).observed(v + step)
		off -= q
		variance += q * (1 - q)
		if w-v == step {
			same++
			off++
		}
	}
	return same, off, variance
}
