package smc

import (
	"context"
	"errors"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/particle"
	"breadboard/exact/program"
)

// The limits of the rows of particle Gibbs.
const (
	maxGibbsPaths   = 1 << 10 // the largest number of paths: the rows have the square of that many entries
	maxGibbsSystems = 1 << 10 // the largest number of joint states of the particles at one time
	maxGibbsWork    = 1 << 34 // products, some ten seconds
)

// GibbsRows returns the transition matrix of particle Gibbs on the whole paths of a hidden Markov
// model, which leaves their distribution given the observations invariant: rows[x][y] is the
// probability of a move from path x to path y. A move runs conditional SMC around the path, with
// the prior proposal and resampling at every stage, and goes to the path of one particle, drawn by
// the last weights. Ancestor sampling draws the parent of the path anew at every resampling:
// particle i in proportion to its weight times the probability of a move from its state to the next
// state of the path. So the beginning of the path changes even if no other particle has survived
// from there. It fails if checkGibbs does, and if there are too many paths, or too many joint
// states of the particles.
//
// Whether the output has the path y depends only on one lineage: the drawn slot, its parent, and so
// on. So it is enough to carry, for every two beginnings of x and y, the joint distribution of the
// last states of all particles with the expected number of particles whose past is the beginning of
// y. Multinomial resampling needs only the numbers of particles in each state; the other schemes
// need the state of each slot. Time is O(n^(2 len(y)) C^2) for C such systems.
//
// Source: Andrieu, Doucet and Holenstein 2010, section 2.4.3; Lindsten, Jordan and Schön 2014,
// Algorithm 2.
func GibbsRows(ctx context.Context, h *particle.HMM, particles int, scheme particle.Scheme,
	ancestors bool) ([][]float64, error) {
	if err := checkGibbs(particles, scheme, ancestors); err != nil {
		return nil, err
	}
	flow, err := particle.NewHidden(h, particle.Prior)
	if err != nil {
		return nil, err
	}
	paths := flow.Outputs()
	if paths > maxGibbsPaths {
		return nil, errs.New(
			"%d whole paths; the rows of particle Gibbs are computed for at most %d: take fewer observations",
			paths,
			maxGibbsPaths,
		)
	}
	if systems := gibbsSystems(len(h.Pi), particles, scheme); systems > maxGibbsSystems ||
		float64(paths)*float64(paths)*systems*systems > maxGibbsWork {
		cure := "take fewer particles or observations"
		if (scheme != particle.Multinomial{}) {
			cure += ", or multinomial resampling, which only counts particles"
		}
		return nil, errs.New(
			"%d particles with %v resampling have %.4g joint states, for each of %d^2 pairs of paths, "+
				"which takes too long; %s",
			particles,
			scheme,
			systems,
			paths,
			cure,
		)
	}
	h = atLikelihoods(h)
	g := &gibbs{h: h, rows: make([][]float64, paths)}
	for x := range g.rows {
		g.rows[x] = make([]float64, paths)
	}
	if (scheme == particle.Multinomial{}) {
		g.lineages = newCounted(h, particles, ancestors)
	} else if g.lineages, err = newPlaced(ctx, h, particles, scheme); err != nil {
		return nil, err
	}
	for x := range h.Pi {
		for y := range h.Pi {
			if h.Pi[x] > 0 && h.E[x][h.Y[0]] > 0 { // the product of two small numbers would underflow
				g.recursePaths(ctx, 1, x, y, g.start(x, y))
			}
		}
	}
	for x := range g.rows {
		if math.IsInf(flow.LogTarget(x), -1) {
			clear(g.rows[x])
			g.rows[x][x] = 1 // as Gibbs.Move has it
		}
	}
	return g.rows, ctx.Err()
}

// checkGibbs returns an error if particle Gibbs does not allow the number of particles or the
// scheme. One particle, which is the path, never leaves it. Ancestor sampling requires multinomial
// resampling: under the other schemes the parent of the path is not independent of the other
// parents, and drawing it as if it were leaves another distribution invariant.
func checkGibbs(particles int, scheme particle.Scheme, ancestors bool) error {
	switch {
	case particles < 2:
		return errs.New("%d particles; particle Gibbs takes at least 2, one of which is the path", particles)
	case ancestors && scheme != particle.Multinomial{}:
		return errors.New("ancestor sampling with " + scheme.String() +
			" resampling; take multinomial, under which the parent of the path is independent of the other parents")
	}
	return nil
}

// atLikelihoods returns the model with the likelihoods of each observation in units of about the
// largest, which does not change the Gibbs kernel. A unit is a power of two, so that no digits are
// lost, and products of small likelihoods do not underflow.
func atLikelihoods(h *particle.HMM) *particle.HMM {
	out := &particle.HMM{Pi: h.Pi, A: h.A, E: make([][]float64, len(h.E))}
	for t, y := range h.Y {
		largest := 0.0
		for _, row := range h.E {
			largest = max(largest, row[y])
		}
		_, exponent := math.Frexp(largest)
		for s, row := range h.E {
			out.E[s] = append(out.E[s], math.Ldexp(row[y], -exponent))
		}
		out.Y = append(out.Y, t)
	}
	return out
}

// gibbsSystems returns the number of joint states of the particles.
func gibbsSystems(n, particles int, scheme particle.Scheme) float64 {
	if (scheme == particle.Multinomial{}) {
		return 2 * binomial(float64(particles-1+n-1), n-1)
	}
	return math.Pow(float64(n), float64(particles-1)) * float64(particles*particles)
}

// binomial returns n over k.
func binomial(n float64, k int) float64 {
	b := 1.0
	for i := range k {
		b *= (n - float64(i)) / float64(i+1)
	}
	return b
}

// lineages carries the distribution of the particles with the expected number of those whose past
// is the beginning of a path y, as a vector over their joint states. The conditioned path has the
// beginning of x.
type lineages interface {
	// start returns the vector at time 1, with the first states of x and y.
	start(x, y int) []float64
	// step takes a vector from time t to the next time, with the last states at each.
	step(t int, v []float64, at, next pair) []float64
	// end returns the probability that the output has the past y, at the last time, where x and y
	// have these last states.
	end(v []float64, x, y int) float64
}

// pair are the states of x and y at a time.
type pair struct{ x, y int }

// gibbs fills the rows.
type gibbs struct {
	h *particle.HMM
	lineages
	rows [][]float64
}

// recursePaths recurses from the beginnings x and y of length t.
func (g *gibbs) recursePaths(ctx context.Context, t, x, y int, v []float64) {
	n := len(g.h.Pi)
	if t == len(g.h.Y) {
		g.rows[x][y] = g.end(v, x%n, y%n)
		return
	}
	if ctx.Err() != nil {
		return
	}
	for nextX := range n {
		if g.h.A[x%n][nextX] == 0 || g.h.E[nextX][g.h.Y[t]] == 0 {
			continue
		}
		for nextY := range n {
			g.recursePaths(ctx, t+1, x*n+nextX, y*n+nextY, g.step(t, v, pair{x % n, y % n}, pair{nextX, nextY}))
		}
	}
}

// counted are lineages under multinomial resampling, where particles in one state are all alike. A
// vector has two numbers for each way to count the P-1 particles other than the conditioned path by
// their states: the probability of these counts and that the path has the past y, and the expected
// number of the other particles that have it.
type counted struct {
	h         *particle.HMM
	ancestors bool
	counts    [][]int
	moves     [][]countedMove // by time from 1 and last state of the path
}

// countedMove is the transition of the particles from one time to the next.
type countedMove struct {
	total []float64   // by count: the sum of the weights
	next  [][]float64 // by count: the distribution of the state that another particle moves to
	all   [][]float64 // by count: the distribution of the next count
}

func newCounted(h *particle.HMM, particles int, ancestors bool) *counted {
	l := &counted{
		h:         h,
		ancestors: ancestors,
		counts:    compositions(len(h.Pi), particles-1),
	}
	for t := range len(h.Y) {
		byState := make([]countedMove, len(h.Pi))
		for x := range byState {
			byState[x] = l.transitionAfter(t, x)
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
	v := 1.0
	drawn := 0
	for s, c := range counts {
		for i := range c {
			drawn++
			v *= p[s] * float64(drawn) / float64(i+1)
		}
	}
	return v
}

// transitionAfter returns the transition of the particles after time t+1, if the path has the state
// x.
func (l *counted) transitionAfter(t, x int) (m countedMove) {
	n := len(l.h.Pi)
	for _, counts := range l.counts {
		total := 0.0
		next := make([]float64, n)
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
		m.all = append(m.all, l.countsLaw(next))
	}
	return m
}

// countsLaw returns the distribution of the counts of free particles that each have a state from p.
func (l *counted) countsLaw(p []float64) []float64 {
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
	for i, p := range l.countsLaw(l.h.Pi) {
		v[2*i] = p * float64(indicator(x == y))
		v[2*i+1] = p * float64(l.counts[i][y]) // those in the first state of y have its past
	}
	return v
}

// step implements lineages. A free particle has the past of y if its parent has and it moves to
// next.y. Given that, it is one of the counts, and each of the P-1 may be it: with c_s draws of the
// state s among all P-1, of probability p_s each, the expected number of those in s by a way of
// probability q is c_s q/p_s.
func (l *counted) step(t int, v []float64, at, next pair) []float64 {
	out := make([]float64, len(v))
	m := &l.moves[t-1][at.x]
	weight := l.h.E[at.y][l.h.Y[t-1]]
	to := l.h.A[at.y][next.y]
	for i, counts := range l.counts {
		path := v[2*i]
		lineage := v[2*i] + v[2*i+1]
		if lineage == 0 {
			continue
		}
		switch {
		case next.x != next.y:
			path = 0
		case l.ancestors:
			path = lineage * weight * l.h.A[at.y][next.x] / l.into(t, counts, at.x, next.x)
		}
		free := 0.0
		if p := m.next[i][next.y]; p > 0 {
			free = lineage * weight / m.total[i] * to / p
		}
		for j, p := range m.all[i] {
			out[2*j] += path * p
			out[2*j+1] += free * p * float64(l.counts[j][next.y])
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
	sum := 0.0
	m := &l.moves[len(l.moves)-1][x]
	for i, total := range m.total {
		sum += (v[2*i] + v[2*i+1]) * l.h.E[y][l.h.Y[len(l.h.Y)-1]] / total
	}
	return sum
}

// placed are lineages under any scheme of resampling, where the slots of particles matter. A vector
// has a number for all states of the slots, each slot of the path and each slot of a particle: the
// probability of the first two together with the particle having the past of y.
type placed struct {
	h     *particle.HMM
	P     int
	ways  int             // n^P, the number of joint states of the slots
	steps [][][][]toPlace // by time from 1, next state of the path and place
	last  []float64       // by place: the normalised weight of the particle at the last time
}

// toPlace is a transition to a place, with its probability and the new state of the particle.
type toPlace struct {
	to, state int
	p         float64
}

func newPlaced(ctx context.Context, h *particle.HMM, particles int, scheme particle.Scheme) (*placed, error) {
	l := &placed{h: h, P: particles, ways: 1}
	for range particles {
		l.ways *= len(h.Pi)
	}
	l.last = make([]float64, l.places())
	for place := range l.last {
		states, _, k := l.slotsAt(place)
		if w := l.weights(len(h.Y), states); w != nil {
			l.last[place] = w[k]
		}
	}
	for t := 1; t < len(h.Y); t++ {
		byNext := make([][][]toPlace, len(h.Pi))
		for next := range byNext {
			byNext[next] = make([][]toPlace, l.places())
		}
		for way := range l.ways {
			for j := range particles {
				if err := l.computeSteps(ctx, byNext, scheme, t, l.numberOf(way, j, 0)); err != nil {
					return nil, err
				}
			}
		}
		l.steps = append(l.steps, byNext)
	}
	return l, nil
}

func (l *placed) places() int { return l.ways * l.P * l.P }

// numberOf is the number of a place, and at its inverse: the states of the slots, the slot of the
// path and that of the particle.
func (l *placed) numberOf(way, j, k int) int { return (way*l.P+j)*l.P + k }
func (l *placed) slotsAt(place int) (states []int, j, k int) {
	way := place / (l.P * l.P)
	for range l.P {
		states = append(states, way%len(l.h.Pi))
		way /= len(l.h.Pi)
	}
	return states, place / l.P % l.P, place % l.P
}

// weights returns the normalised weights at a time; nil if all are zero.
func (l *placed) weights(t int, states []int) []float64 {
	w := make([]float64, l.P)
	sum := 0.0
	for i, s := range states {
		w[i] = l.h.E[s][l.h.Y[t-1]]
		sum += w[i]
	}
	if sum == 0 {
		return nil
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// computeSteps computes the steps from time t for the states of the slots and a slot of the path,
// which begin at a place. The scheme's method Keep is enumerated.
func (l *placed) computeSteps(ctx context.Context, byNext [][][]toPlace, scheme particle.Scheme,
	t, place int) error {
	states, j, _ := l.slotsAt(place)
	w := l.weights(t, states)
	if w == nil || w[j] == 0 {
		return nil
	}
	var k kept
	var branches program.Branches
	keep := func(c chains.Chooser) {
		k.parents = make([]int, l.P)
		k.slot = scheme.Keep(c, w, j, k.parents)
	}
	_, err := branches.Walk(
		ctx,
		program.Limits{Choices: chains.MaxChoices, Branches: 1 << 20},
		keep,
		func(p float64) error {
			for next, steps := range byNext {
				l.addSteps(steps[place:], states, k, next, p)
			}
			return nil
		},
	)
	return err
}

// kept are the parents of the particles after resampling, with the slot of the path.
type kept struct {
	parents []int
	slot    int
}

// addSteps adds the steps of the particles from their parents, of probability p, with the path in
// its slot moving to the state next.
func (l *placed) addSteps(steps [][]toPlace, states []int, after kept, next int, p float64) {
	for way := range l.ways {
		to, _, _ := l.slotsAt(l.numberOf(way, 0, 0))
		if to[after.slot] != next {
			continue
		}
		q := p
		for i, parent := range after.parents {
			if i != after.slot {
				q *= l.h.A[states[parent]][to[i]]
			}
		}
		if q == 0 {
			continue
		}
		for k, parent := range after.parents {
			list := &steps[parent]
			place := l.numberOf(way, after.slot, k)
			if at := slices.IndexFunc(*list, func(s toPlace) bool { return s.to == place }); at >= 0 {
				(*list)[at].p += q
			} else {
				*list = append(*list, toPlace{place, to[k], q})
			}
		}
	}
}

// start implements lineages.
func (l *placed) start(x, y int) []float64 {
	v := make([]float64, l.places())
	for place := range v {
		states, j, k := l.slotsAt(place)
		if states[j] != x || states[k] != y {
			continue
		}
		v[place] = 1 / float64(l.P)
		for i, s := range states {
			if i != j {
				v[place] *= l.h.Pi[s]
			}
		}
	}
	return v
}

// step implements lineages.
func (l *placed) step(t int, v []float64, _, next pair) []float64 {
	out := make([]float64, len(v))
	for place, p := range v {
		if p == 0 {
			continue
		}
		for _, s := range l.steps[t-1][next.x][place] {
			if s.state == next.y {
				out[s.to] += p * s.p
			}
		}
	}
	return out
}

// end implements lineages.
func (l *placed) end(v []float64, _, _ int) float64 {
	sum := 0.0
	for place, p := range v {
		sum += p * l.last[place]
	}
	return sum
}
