package chain

import (
	"fmt"
	"slices"

	"breadboard/chains/number"
	"breadboard/experiments/checks/conform/draws"
)

// partners is with how many chains on either side each chain is compared, in the order in which
// they were read.
const partners = 8

const jointCount = 5

// joints are the shares of the moves in which two chains are taken to be joined.
func joints() [jointCount]float64 { return [jointCount]float64{0.99, 0.5, 0.2, 0.05, 0.01} }

// couplings is the number of ways in which moves at one time may be joined: by one uniform number,
// by u and 1 - u, and by the same step.
const couplings = 3

// pair bets that two chains share random numbers. Given the states before them, right moves at one
// time are independent. So whichever was read first, y from x, the ratio of the probability of the
// other one given y, under a coupling of the two rows, to that in its own row has mean one.
type pair struct {
	a, b      *track
	logs, won [couplings][jointCount]float64
}

func newPair(a, b *track) *pair {
	p := &pair{a: a, b: b}
	for k := range p.won {
		for i := range p.won[k] {
			p.won[k][i] = 1
		}
	}
	return p
}

// add takes the moves from x to y and from v to w, of which the second one was read last.
func (p *pair) add(m *moves, x, y, v, w int) {
	f, g := m.at(x), m.at(v)
	i, is := f.cell(y)
	j, too := g.cell(w)
	if !is || !too {
		return
	}
	overlap := func(low float64) float64 {
		return max(0, min(low+f.p[i], g.low[j]+g.p[j])-max(low, g.low[j])) / (f.p[i] * g.p[j])
	}
	ratios := [couplings]float64{overlap(f.low[i]), overlap(1 - f.low[i] - f.p[i]), 1}
	if same, is := g.place[v+y-x]; is && v+y-x >= 0 {
		if ratios[2] = 0; same == j {
			ratios[2] = 1 / g.p[j]
		}
	}
	for k, ratio := range ratios {
		for i, share := range joints() {
			if p.won[k][i] *= 1 + share*(ratio-1); p.won[k][i] < 1e-200 || p.won[k][i] > 1e200 {
				p.logs[k][i], p.won[k][i] = p.logs[k][i]+number.Log(p.won[k][i]), 1
			}
		}
	}
}

func (p *pair) logE() float64 {
	var all []float64
	for k, logs := range p.logs {
		for i, log := range logs {
			all = append(all, log+number.Log(p.won[k][i]))
		}
	}
	return number.LogMean(all)
}

// paired takes the last move of a chain beside those of others at the same time.
func (r *run) paired(c *track) {
	t := len(c.states) - 1
	for i := max(0, c.at-partners); i <= min(len(r.tracks)-1, c.at+partners); i++ {
		other := r.tracks[i]
		if t < 1 || i == c.at || len(other.states) <= t {
			continue
		}
		key := [2]int{min(i, c.at), max(i, c.at)}
		if r.pairs[key] == nil {
			r.pairs[key] = newPair(r.tracks[key[0]], r.tracks[key[1]])
		}
		r.pairs[key].add(r.moves, int(other.states[t-1]), int(other.states[t]), int(c.states[t-1]), int(c.states[t]))
	}
}

// together is the name of the test of whether chains are independent of each other.
const together = "moves of two chains at one time"

// together is that test.
func (r *run) together() draws.Value {
	v := draws.Value{Name: together}
	var best *pair
	var logs []float64
	for i := range r.tracks {
		for j := i + 1; j <= i+partners; j++ {
			if p := r.pairs[[2]int{i, j}]; p != nil {
				if logs = append(logs, p.logE()); logs[len(logs)-1] >= slices.Max(logs) {
					best = p
				}
			}
		}
	}
	if best == nil {
		return v
	}
	now, later := r.moves.related(best, 0), r.moves.related(best, 1)
	v.LogE = number.LogMean(logs)
	v.Says = fmt.Sprintf("%d of %d moves of %s make the same step as that of %s at the same time, %.6g expected from the observed frequencies", now.same,
		now.n, best.b.name, best.a.name, float64(now.same)-now.off[0])
	for k := range now.off {
		v.Depend = v.Depend || draws.Unlikely(now.off[k]-later.off[k], now.variance[k]+later.variance[k])
	}
	if v.Depend {
		v.Says = "chains depend on each other, as if they shared random numbers: " + v.Says
	} else {
		v.Says += ", which explain it"
	}
	return v
}

// joined says that chains depend on each other, though each may be right; empty if they do not.
func (r *run) joined(values []draws.Value) string {
	if twins := twins(r.tracks); twins != "" || len(values) == 0 {
		return twins
	}
	v, alone := values[len(values)-1], draws.Alone(r.reading.Watch, values)
	if v.Depend && v.LogE >= alone && draws.Strongest(values[:countTests]).LogE < alone {
		return v.Says
	}
	return ""
}

// relation says how the moves of two chains differ from those of independent ones.
type relation struct {
	n, same       int
	off, variance [2]float64 // of how many steps are the same, and of the products of the centred places of moves in their rows
}

// related compares moves of the first chain with those of the second one that are so many draws
// later: what both do alike because their kernels change in time does not depend on that, and what
// comes from shared random numbers does. Expectations are those from the observed frequencies.
func (m *moves) related(p *pair, lag int) (of relation) {
	centres := make([]float64, len(m.from))
	m.visited(func(x int, f *from) {
		for i, count := range f.counts {
			centres[x] += float64(count) * (f.low[i] + f.p[i]/2) / float64(f.n)
		}
	})
	for t := 1; t < min(len(p.a.states), len(p.b.states)-lag); t++ {
		x, y, v, w := int(p.a.states[t-1]), int(p.a.states[t]), int(p.b.states[t-1+lag]), int(p.b.states[t+lag])
		f, g := m.at(x), m.at(v)
		q := g.observed(v + y - x)
		of.n++
		of.off[0] -= q
		of.variance[0] += q * (1 - q)
		if w-v == y-x {
			of.same++
			of.off[0]++
		}
		i, is := f.cell(y)
		if j, too := g.cell(w); is && too {
			product := (f.low[i] + f.p[i]/2 - centres[x]) * (g.low[j] + g.p[j]/2 - centres[v])
			of.off[1] += product
			of.variance[1] += product * product
		}
	}
	return of
}
