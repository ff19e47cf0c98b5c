package particles

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/checks/planted"
)

// countable reports whether how many particles are in each state is a Markov chain whose
// distributions do not depend on the order of slots.
func (s *Setting) countable() bool {
	return s.Unordered && s.Threshold == 1 && breedOf(s.Scheme, s.Particles) != nil
}

// byCounts reports whether the distribution of the task is computed by counts, since its runs come
// out in too many ways to be enumerated.
func (t *Task) byCounts() bool {
	return t.countable() && mostWays(t.Particles, t.States(), t.mostMoves(), t.T()) > maxBranches
}

// breedOf returns how a scheme draws parents; nil for one whose distribution depends on the order
// of slots.
func breedOf(s particle.Scheme, P int) breed {
	switch s.(type) {
	case particle.Multinomial:
		return mixed
	case particle.Residual:
		return residualBreed(P, float64(P), 1e-9)
	}
	return nil
}

// herd is a program of which only how many particles are in each state is followed.
type herd struct {
	way
	program *planted.Particles
	flow    *flow
	breed   breed
	same    bool // whether it begins, weighs, resamples and moves as the task says
	uniform bool // whether the output is drawn without regard to the weights
}

// herds returns the specification and all known ways to get it wrong that can be followed by
// counts. The others carry weights or states from one stage to the next, which counts do not have.
func (t *Task) herds() (list []*herd) {
	base := t.flow()
	for _, w := range append([]way{{Name: records.Specification, Meaning: "what the task says"}}, ways()...) {
		if w.in != nil && !w.in(t, 0) {
			continue
		}
		h := &herd{way: w, program: planted.NewParticles(base, t.Particles, 1), breed: breedOf(t.Scheme, t.Particles), same: true}
		if w.bug != nil {
			w.bug(h.program)
		}
		h.flow = h.program.Flow.(*flow)
		other := breed(nil)
		switch _, multinomial := t.Scheme.(particle.Multinomial); w.Name {
		case "the last slot repeats the first":
			if !multinomial { // which slot is the first depends on the order
				continue
			}
			other = paired
		case "parents drawn uniformly":
			other = evenly(h.breed)
		case "residual of W - floor(P W)":
			other = residualBreed(t.Particles, 1, 1e-12)
		case "whole shares rounded down":
			other = residualBreed(t.Particles, float64(t.Particles), -1e-9)
		case "multinomial resampling":
			other = mixed
		case "residual resampling":
			other = breedOf(particle.Residual{}, t.Particles)
		case "output drawn uniformly":
			h.uniform = true
		case "never resampled", "weights kept after resampling", "weights carried on after resampling", "normalised weights carried on after resampling",
			"normalised weights not reset",
			"weights of the old state", "resampled before weighed", "stratified resampling", "systematic resampling":
			continue
		}
		if h.same = other == nil && h.flow == base; other != nil {
			h.breed = other
		}
		list = append(list, h)
	}
	return list
}

// logw returns the log weights of particles at stage t, one after another.
func (h *herd) logw(t int, counts []int) (list []float64) {
	for x, n := range counts {
		for range n {
			list = append(list, h.flow.weights[t-1][x])
		}
	}
	return list
}

// shares returns the part of all weights that each state has at stage t.
func (h *herd) shares(t int, counts []int) []float64 {
	log := make([]float64, len(counts))
	for x, n := range counts {
		log[x] = number.Log(float64(n)) + h.flow.weights[t-1][x]
	}
	return normalised(log)
}

// mean returns what stage t adds to log Zhat.
func (h *herd) mean(t int, counts []int) float64 {
	if t > h.flow.Stages() && !h.program.LastCounts {
		return 0
	}
	return h.program.Mean(h.logw(t, counts))
}

// first returns how the particles begin.
func (h *herd) first() []offspring {
	return []offspring{{1, slices.Repeat([][]float64{h.flow.first}, h.program.P)}}
}

// children returns how the particles draw their states after the move of stage t.
func (h *herd) children(t int, counts []int) []offspring {
	list := h.breed(counts, h.shares(t, counts))
	for _, o := range list {
		var parents, moved []float64
		for i, law := range o.laws {
			if i == 0 || &law[0] != &parents[0] {
				parents, moved = law, make([]float64, len(law))
				for x, p := range law {
					for y, q := range h.flow.moves[t-1][x] {
						moved[y] += p * q
					}
				}
			}
			o.laws[i] = moved
		}
	}
	return list
}

// output returns the distribution of the output.
func (h *herd) output(counts []int) []float64 {
	if h.uniform {
		return even(counts)
	}
	return h.shares(h.flow.Stages()+1, counts)
}

// stages returns how many particles of a record are in each state, by stage.
func (h *herd) stages(whole []int8) (list [][]int) {
	for row := range slices.Chunk(whole[1:], h.program.P) {
		list = append(list, counts(row, len(h.flow.first)))
	}
	return list
}

// chance returns the probability of a record.
func (h *herd) chance(whole []int8, there map[string]bool) float64 {
	rows := h.stages(whole)
	p := chance(h.first(), rows[0])
	for t := 1; t < len(rows); t++ {
		p *= chance(h.children(t, rows[t-1]), rows[t])
	}
	if there[output] {
		p *= h.output(rows[len(rows)-1])[whole[0]]
	}
	return p
}

// logZ returns log Zhat of a record.
func (h *herd) logZ(whole []int8) (sum float64) {
	for i, row := range h.stages(whole) {
		sum += h.mean(i+1, row)
	}
	return sum
}

// countedKind returns the kind of the runs of a task that is followed by counts.
func (t *Task) countedKind() records.Kind {
	list := t.herds()
	k := records.Kind{Name: what(0), Groups: t.groups(), Reals: []records.Column{{Name: logZ, Group: logZ, Test: "log Zhat"}}, Wholes: t.wholes()}
	for _, h := range list {
		k.Ways = append(k.Ways, records.Way{Name: h.Name, Meaning: h.Meaning})
	}
	k.Chain = &records.Chain{
		Group: states,
		Solve: func(ctx context.Context, way int, exponents []float64) (*records.Solved, error) {
			return t.solve(ctx, list[way], list[0], exponents)
		},
		P:    func(way int, whole []int8, there map[string]bool) float64 { return list[way].chance(whole, there) },
		Real: func(way int, whole []int8) float64 { return list[way].logZ(whole) },
	}
	return k
}

// carried is what a herd comes to on the multisets of a stage.
type carried struct {
	law []float64 // of the multisets
	// Of runs that the task allows: their mass, and the means on it of the log likelihood ratio to
	// the task and of its square.
	ratio [3][]float64
	// E[Zhat^l] so far on each multiset, for each exponent l, up to a factor with the logarithm
	// scale.
	powers [][]float64
	scale  []float64
}

// solve propagates the distribution of a herd over the multisets, stage by stage, with what tells
// it from the specification. Where two herds differ in what a stage adds to log Zhat they are taken
// to differ in the sum.
func (t *Task) solve(ctx context.Context, h, spec *herd, exponents []float64) (*records.Solved, error) {
	c := newCrowds(t.Particles, t.States())
	s := &records.Solved{Parts: map[string]map[string]float64{}}
	now := carried{law: []float64{1}, ratio: [3][]float64{{1}, {0}, {0}}, powers: slices.Repeat([][]float64{{1}}, len(exponents)),
		scale: make([]float64, len(exponents))}
	for stage := 1; stage <= t.T(); stage++ {
		next := newCarried(len(c.list), &now)
		for i, mass := range now.law {
			if mass == 0 {
				continue
			}
			if i%64 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			begin := func(h *herd) []offspring { return h.first() }
			if stage > 1 {
				before := counts(c.list[i], t.States())
				begin = func(h *herd) []offspring { return h.children(stage-1, before) }
			}
			row := c.row(begin(h))
			under := row
			if !h.same {
				under = c.row(begin(spec))
			}
			next.add(&now, i, row, under)
		}
		part, adds := map[string]float64{}, make([]float64, len(c.list))
		for i, p := range next.law {
			if p > 0 {
				part[records.Key(c.list[i])] = p
			}
			at := counts(c.list[i], t.States())
			adds[i] = h.mean(stage, at)
			if under := spec.mean(stage, at); math.Abs(adds[i]-under) > records.Near*(1+math.Abs(under)) {
				next.ratio[0][i], next.ratio[1][i], next.ratio[2][i] = 0, 0, 0
			}
		}
		next.weigh(exponents, adds)
		s.Parts[fmt.Sprintf("states at t = %d", stage)] = part
		now = *next
	}
	t.finish(s, &now, c, h, spec)
	return s, nil
}

// newCarried returns what a stage begins with.
func newCarried(size int, before *carried) *carried {
	next := &carried{law: make([]float64, size), scale: before.scale}
	for j := range next.ratio {
		next.ratio[j] = make([]float64, size)
	}
	for range before.powers {
		next.powers = append(next.powers, make([]float64, size))
	}
	return next
}

// add adds what comes of the i-th multiset of the stage before, by a row of the herd and by one of
// the task.
func (c *carried) add(before *carried, i int, row, under []float64) {
	m, first, second := before.ratio[0][i], before.ratio[1][i], before.ratio[2][i]
	for to, p := range row {
		c.law[to] += before.law[i] * p
		if p == 0 || under[to] == 0 || m == 0 {
			continue
		}
		l := 0.0
		if &row[0] != &under[0] {
			l = number.LogRatio(p, under[to])
		}
		c.ratio[0][to] += p * m
		c.ratio[1][to] += p * (first + l*m)
		c.ratio[2][to] += p * (second + l*(2*first+l*m))
	}
	for j, power := range before.powers {
		for to, p := range row {
			c.powers[j][to] += power[i] * p
		}
	}
}

// weigh multiplies the powers by those of what a stage adds to log Zhat, within what float64 holds.
func (c *carried) weigh(exponents, adds []float64) {
	for j, power := range c.powers {
		for i, v := range power {
			power[i] = number.Log(v) + exponents[j]*adds[i]
		}
		most := slices.Max(power)
		for i, v := range power {
			power[i] = math.Exp(v - most)
		}
		c.scale[j] += most
	}
}

// finish takes in the output, and sums up.
func (t *Task) finish(s *records.Solved, c *carried, all *crowds, h, spec *herd) {
	out := map[string]float64{}
	var mean, square, possible number.Sum
	for i, p := range c.law {
		if p == 0 {
			continue
		}
		at := counts(all.list[i], t.States())
		under := spec.output(at)
		for x, v := range h.output(at) {
			if v == 0 {
				continue
			}
			out[string([]byte{byte(x)})] += p * v
			l := number.LogRatio(v, under[x])
			possible.Add(v * c.ratio[0][i])
			mean.Add(v * (c.ratio[1][i] + l*c.ratio[0][i]))
			square.Add(v * (c.ratio[2][i] + l*(2*c.ratio[1][i]+l*c.ratio[0][i])))
		}
	}
	s.Parts["output"] = out
	s.Mean, s.Variance, s.Impossible = mean.Value(), max(0, square.Value()-mean.Value()*mean.Value()), max(0, 1-possible.Value())
	for j, power := range c.powers {
		s.LogMeans = append(s.LogMeans, c.scale[j]+number.Log(number.Total(power)))
	}
}
