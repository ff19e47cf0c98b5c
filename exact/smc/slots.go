package smc

import (
	"context"
	"errors"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
)

// slots is a filter with any resampling scheme and threshold as a process, with its stages given by
// types. Each stage takes P + 1 steps: the particles are weighed and, if that is due, resampled;
// then they move one after another, so that a step has few branches. The total of the increments is
// log(Zhat/Z). A state is the packed types and weights of the particles, and empty at the end.
type slots struct {
	Setting
	stages  []stageOfFilter
	start   branch
	ordered bool // whether the order of the slots matters

	now     []particle.Slot // by type
	parents []int
	logw, w []float64
	packer  particle.Packer
}

// weightGrid is the grid to which carried log weights are rounded, and the increments of log Z that
// are subtracted: sums of its multiples below 2^9 are exact, so that particles with the same
// weights in another order of the stages are merged. It costs log Zhat 2^-44 nats for each stage at
// most.
const weightGrid = 0x1p-44

// onGrid rounds a log weight to the grid.
func onGrid(logw float64) float64 { return weightGrid * math.Round(logw/weightGrid) }

// solveSlots returns the moments of a filter whose particles are followed slot by slot. It is for
// few particles: time and memory grow like the number of multisets of types. MeanLogZConditional is
// not computed.
//
//	the relative variance = E Zhat^2/(E Zhat)^2 - 1
//
// from the carriers of the process: the moments of log(Zhat/Z), and the masses times Zhat and
// Zhat^2.
func solveSlots(ctx context.Context, stages []stageOfFilter, start branch, logZ float64,
	s Setting) (*FilterMoments, error) {
	p := &slots{
		Setting: s,
		stages:  stages,
		start:   start,
		ordered: particle.OrderMatters(s.Scheme, s.Particles, s.Threshold),
		packer:  particle.Packer{Weights: s.Threshold < 1},
		now:     make([]particle.Slot, s.Particles),
		parents: make([]int, s.Particles),
		logw:    make([]float64, s.Particles),
		w:       make([]float64, s.Particles),
	}
	if s.Threshold < 1 {
		p.round()
	}
	if math.Pow(float64(max(2, len(start.types))), float64(s.Particles)) > 64*mostHerds {
		return nil, p.tooMany()
	}
	ends, err := enumerateParticles(ctx, p)
	switch {
	case errors.Is(err, errTooMany):
		return nil, p.tooMany()
	case err != nil:
		return nil, err
	}
	total := ends.Total()
	m := &FilterMoments{
		LogZ:         logZ,
		MeanRatio:    total.log.Mean,
		VarianceLogZ: total.log.Variance,
		MeanZ:        math.Exp(total.one.Log()),
		Extinct:      total.log.MinusInf,
	}
	m.dies()
	return m, nil
}

// round puts the log weights of all stages on the grid.
func (p *slots) round() {
	p.stages = slices.Clone(p.stages)
	for t := range p.stages {
		p.stages[t].logw = p.stages[t].grid
	}
}

// tooMany returns the error of too many branches.
func (p *slots) tooMany() error {
	if p.Never() {
		return errs.New(
			"%d particles that are never resampled have too many weights; take fewer particles, or sample",
			p.Particles,
		)
	}
	data, lists, most := p.carried()
	return errs.New(
		"%d particles have too many branches when they are resampled by the %s scheme with threshold %v: "+
			"with their weights they have up to %.2g lists after %d data, and %d are followed; take fewer "+
			"particles, or up to %d data, or threshold 1, which resamples at every stage, or sample",
		p.Particles,
		p.Scheme,
		p.Threshold,
		lists,
		data,
		mostHerds,
		most,
	)
}

// carried bounds the number of lists of particles with their weights, as if they were not
// resampled, after some data, at least 2^60 if those are not all. It returns also the most data for
// which there are no more than are followed.
func (p *slots) carried() (data int, lists float64, most int) {
	now := map[particle.Slot]bool{}
	for _, k := range p.start.types {
		now[particle.Slot{State: k}] = true
	}
	for data < len(p.stages) && lists < 1<<60 && len(now) < mostWeights {
		s := &p.stages[data]
		next := map[particle.Slot]bool{}
		for v := range now {
			v.LogW += s.logw[v.State]
			if s.next != nil && !math.IsInf(v.LogW, 0) {
				for _, to := range s.next[v.State].types {
					next[particle.Slot{State: to, LogW: v.LogW}] = true
				}
			}
		}
		lists = math.Pow(float64(len(now)), float64(p.Particles))
		if !p.ordered {
			lists = Multisets(p.Particles, len(now))
		}
		now = next
		data += 1
		if lists <= mostHerds {
			most = data
		}
	}
	return data, lists, most
}

// Steps implements chains.Process.
func (p *slots) Steps() int { return len(p.stages)*(p.Particles+1) - p.Particles }

// Ended implements chains.Ender.
func (*slots) Ended(s string) bool { return s == "" }

// Start implements chains.Process. The particles start one after another in the order of their
// types if their order does not matter.
func (p *slots) Start(c chains.Chooser) string {
	for i := range p.now {
		p.now[i] = particle.Slot{State: p.start.types[c.Choose(p.start.p)]}
	}
	return p.pack(p.Particles)
}

// Step implements chains.Process.
func (p *slots) Step(c chains.Chooser, t int, s string) (string, float64) {
	p.packer.Unpack(s, p.now)
	stage := (t - 1) / (p.Particles + 1)
	slot := (t - 1) % (p.Particles + 1)
	if slot == 0 {
		return p.multiplyWeights(c, stage)
	}
	v := &p.now[slot-1]
	if next := p.stages[stage].next[v.State]; !math.IsInf(v.LogW, -1) {
		v.State = next.types[c.Choose(next.p)]
	}
	return p.pack(slot), 0
}

// multiplyWeights multiplies the weights by those of a stage, and resamples the particles if that
// is due. The last stage ends the run.
func (p *slots) multiplyWeights(c chains.Chooser, stage int) (string, float64) {
	for i := range p.now {
		v := &p.now[i]
		v.LogW += p.stages[stage].logw[v.State]
		if math.IsInf(v.LogW, -1) {
			v.State = 0 // nothing depends on where it is
		}
		p.logw[i] = v.LogW
	}
	gain := number.LogMean(p.logw)
	last := stage+1 == len(p.stages)
	if last || math.IsInf(gain, -1) {
		return "", gain
	}
	if !particle.Due(p.logw, p.Threshold) {
		top := slices.Max(p.logw)
		for i := range p.now {
			p.now[i].LogW -= top
		}
		return p.pack(0), top
	}
	particle.Normalize(p.w, p.logw)
	p.roundOffspring()
	p.Scheme.Parents(c, p.w, p.parents)
	before := slices.Clone(p.now)
	for i, parent := range p.parents {
		p.now[i] = particle.Slot{State: before[parent].State}
	}
	return p.pack(0), gain
}

// roundOffspring makes the mean numbers of offspring whole that are so but for the grid, since
// residual resampling draws what is a little less.
func (p *slots) roundOffspring() {
	many := float64(p.Particles)
	for i, w := range p.w {
		if n := math.Round(many * w); p.Threshold < 1 &&
			math.Abs(many*w-n) <= 4*weightGrid*float64(len(p.stages))*n {
			p.w[i] = n / many
		}
	}
}

// pack returns the particles, a given number of which have moved, as a text. If their order does
// not matter, it is the same for every order.
func (p *slots) pack(moved int) string {
	if !p.ordered {
		particle.SortSlots(p.now[:moved])
		particle.SortSlots(p.now[moved:])
	}
	return p.packer.Pack(p.now)
}
