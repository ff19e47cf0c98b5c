package smc

import "breadboard/chains/particle"

// counted are lineages under multinomial resampling, where particles in one state are all alike. A vector has two numbers for
// each way to count the P-1 particles beside the conditioned path by their states: the probability of these counts where the
// path has the past y, and the expected number of the other particles that have it.
type counted struct {
	h         *particle.HMM
	ancestors bool
	free      int // P-1
	counts    [][]int
	moves     [][]countedMove // by time from 1 and last state of the path
}

// countedMove is what the particles do from one time to the next.
type countedMove struct {
	total []float64   // by count: the sum of the weights
	next  [][]float64 // by count: the law of the state that another particle moves to
	all   [][]float64 // by count: the law of the next count
}

func newCounted(h *particle.HMM, particles int, ancestors bool) *counted {
	l := &counted{h: h, ancestors: ancestors, free: particles - 1, counts: compositions(len(h.Pi), particles-1)}
	for t := range len(h.Y) {
		byState := make([]countedMove, len(h.Pi))
		for x := range byState {
			byState[x] = l.move(t, x)
		}
		l.moves = append(l.moves, byState)
	}
	return l
}

// compositions returns all vectors of n counts with this sum.
func compositions(n, sum int) (list [][]int) {
	if n == 1 {
		return [][]int{{sum}}
	}
	for first := range sum + 1 {
		for _, rest := range compositions(n-1, sum-first) {
			list = append(list, append([]int{first}, rest...))
		}
	}
	return list
}

// countsP returns the probability of counts among draws from p.
func countsP(counts []int, p []float64) float64 {
	v, drawn := 1.0, 0
	for s, c := range counts {
		for i := range c {
			drawn++
			v *= p[s] * float64(drawn) / float64(i+1)
		}
	}
	return v
}

// move returns what the particles do after time t+1, where the path has the state x.
func (l *counted) move(t, x int) (m countedMove) {
	n := len(l.h.Pi)
	for _, counts := range l.counts {
		total, next := 0.0, make([]float64, n)
		for s := range n {
			w := l.h.E[s][l.h.Y[t]] * float64(counts[s]+indicator(s == x))
			total += w
			for to, a := range l.h.A[s] {
				next[to] += w * a
			}
		}
		for to := range next {
			next[to] /= total
		}
		m.total, m.next = append(m.total, total), append(m.next, next)
		m.all = append(m.all, l.law(next))
	}
	return m
}

// law returns the law of the counts of free particles that each have a state from p.
func (l *counted) law(p []float64) []float64 {
	out := make([]float64, len(l.counts))
	for i, counts := range l.counts {
		out[i] = countsP(counts, p)
	}
	return out
}

func indicator(is bool) int {
	if is {
		return 1
	}
	return 0
}

// start implements lineages.
func (l *counted) start(x, y int) []float64 {
	v := make([]float64, 2*len(l.counts))
	for i, p := range l.law(l.h.Pi) {
		v[2*i] = p * float64(indicator(x == y))
		v[2*i+1] = p * float64(l.counts[i][y]) // those in the first state of y have its past
	}
	return v
}

// step implements lineages. A free particle has the past of y where its parent has and it moves to nextY. Given that, it is one of
// the counts, and each of the P-1 may be it: with c_s draws of the state s among all P-1, of probability p_s each, the expected
// number of those in s by a way of probability q is c_s q/p_s.
func (l *counted) step(t int, v []float64, x, y, nextX, nextY int) []float64 {
	out, m := make([]float64, len(v)), &l.moves[t-1][x]
	weight, to := l.h.E[y][l.h.Y[t-1]], l.h.A[y][nextY]
	for i, counts := range l.counts {
		path, lineage := v[2*i], v[2*i]+v[2*i+1]
		if lineage == 0 {
			continue
		}
		switch {
		case nextX != nextY:
			path = 0
		case l.ancestors:
			path = lineage * weight * l.h.A[y][nextX] / l.into(t, counts, x, nextX)
		}
		free := 0.0
		if p := m.next[i][nextY]; p > 0 {
			free = lineage * weight / m.total[i] * to / p
		}
		for j, p := range m.all[i] {
			out[2*j] += path * p
			out[2*j+1] += free * p * float64(l.counts[j][nextY])
		}
	}
	return out
}

// into returns the sum of the weights at time t, each times the probability of a move to a state.
func (l *counted) into(t int, counts []int, x, next int) float64 {
	sum := 0.0
	for s, c := range counts {
		sum += float64(c+indicator(s == x)) * l.h.E[s][l.h.Y[t-1]] * l.h.A[s][next]
	}
	return sum
}

// end implements lineages.
func (l *counted) end(v []float64, x, y int) float64 {
	sum, m := 0.0, &l.moves[len(l.moves)-1][x]
	for i, total := range m.total {
		sum += (v[2*i] + v[2*i+1]) * l.h.E[y][l.h.Y[len(l.h.Y)-1]] / total
	}
	return sum
}
