package estimators

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/grid"
)

// Stage is the model of the first t data: log p(z_1:t) and log p(z_1:t, y_1:t) of every state of a
// lattice, in nats. Its axes are those of the stage before, and after them those of the latent
// variables of datum t.
type Stage struct {
	Space              *grid.Lattice
	LogPrior, LogJoint []float64
}

// Growing is the Data of finite models on lattices that grow with the data. A state of the first t
// data is a state of lattice t, and a scan draws each of its axes given the others, from the first
// to the last. Only one goroutine may use it.
type Growing struct {
	stages []growingStage
	line   []float64 // for the probabilities along an axis
}

// growingStage holds the densities of the first t data, by state. The largest log joint density is
// subtracted from all, so that a large constant costs no digits.
type growingStage struct {
	Stage
	offset    float64       // the largest log joint density
	step      float64       // offset less that of the data before
	block     int           // the number of values of the latent variables of datum t
	posterior []float64     // p(z_1:t | y_1:t)
	proposals [2]proposedBy // by Proposal
}

// proposedBy holds the proposal of the latent variables of a datum, by state with that datum.
type proposedBy struct {
	p []float64 // q(z_t), given the state before
	// less the step of the offset: -Inf if the state has no mass, and +Inf if it alone has, or q is
	// zero
	logWeight []float64
}

// NewGrowing returns the data with the given stages, for t = 1..N. It fails if the lattice of a
// stage does not extend that of the stage before, if a stage gives no state mass, and if a number
// is NaN or +Inf. Time and memory are O(states) of all stages.
func NewGrowing(stages []Stage) (*Growing, error) {
	if len(stages) == 0 {
		return nil, errs.New("no data; a model along its data has at least one")
	}
	g := &Growing{}
	// no data have the joint density one
	before := []float64{0}
	offset := 0.0
	side := 1
	for i, s := range stages {
		if err := checkStage(stages, i); err != nil {
			return nil, fmt.Errorf("the model of the first %d data: %w", i+1, err)
		}
		h := growingStage{Stage: s, block: s.Space.States() / len(before), offset: slices.Max(s.LogJoint)}
		h.step = h.offset - offset
		offset = h.offset
		h.LogJoint = slices.Clone(s.LogJoint)
		for x := range h.LogJoint {
			h.LogJoint[x] -= h.offset
		}
		h.posterior = slices.Clone(h.LogJoint)
		chains.Normalize(h.posterior)
		h.proposals = [2]proposedBy{
			ProposePosterior: h.propose(h.LogJoint, before),
			ProposePrior:     h.propose(h.LogPrior, before),
		}
		g.stages = append(g.stages, h)
		before, side = h.LogJoint, max(side, slices.Max(s.Space.Sides()))
	}
	g.line = make([]float64, side)
	return g, nil
}

// checkStage returns an error if a stage is invalid.
func checkStage(stages []Stage, i int) error {
	s := stages[i]
	if s.Space == nil {
		return errors.New("it has no lattice")
	}
	if i > 0 {
		if before := stages[i-1].Space; before.Dims() > s.Space.Dims() ||
			!slices.Equal(before.Sides(), s.Space.Sides()[:before.Dims()]) {
			return fmt.Errorf("its lattice %s does not begin with the axes of the lattice %s of the data before",
				s.Space, before)
		}
	}
	for _, v := range []struct {
		what string
		logs []float64
	}{{"log prior", s.LogPrior}, {"log joint density", s.LogJoint}} {
		if len(v.logs) != s.Space.States() {
			return fmt.Errorf("%d values of its %s for %d states", len(v.logs), v.what, s.Space.States())
		}
		most := math.Inf(-1)
		for x, l := range v.logs {
			if math.IsNaN(l) || math.IsInf(l, 1) {
				return fmt.Errorf("its %s is %v at state %d", v.what, l, x)
			}
			most = max(most, l)
		}
		if math.IsInf(most, -1) {
			return fmt.Errorf("its %s is zero at all states", v.what)
		}
	}
	return nil
}

// propose returns the proposal that is proportional to exp(target) among the values of a new datum.
// If that is zero for all of them, it is uniform.
func (h *growingStage) propose(target, before []float64) proposedBy {
	q := proposedBy{make([]float64, len(target)), make([]float64, len(target))}
	logs := make([]float64, h.block)
	for x, old := range before {
		at := x * h.block
		copy(logs, target[at:at+h.block])
		if math.IsInf(slices.Max(logs), -1) {
			clear(logs)
		}
		norm := number.LogSumExp(logs)
		for j, l := range logs {
			q.p[at+j] = math.Exp(l - norm)
			switch joint := h.LogJoint[at+j]; {
			case math.IsInf(joint, -1):
				q.logWeight[at+j] = joint
			case math.IsInf(old, -1) || math.IsInf(l, -1):
				q.logWeight[at+j] = math.Inf(1)
			default:
				q.logWeight[at+j] = joint - l + norm - old
			}
		}
	}
	return q
}

func (g *Growing) stageAt(t int) *growingStage { return &g.stages[t-1] }

// Data implements Data.
func (g *Growing) Data() int { return len(g.stages) }

// Centred returns the model of the first t data with the largest log joint density subtracted from
// all, and that constant. Do not change the slices.
func (g *Growing) Centred(t int) (s Stage, offset float64) {
	return g.stageAt(t).Stage, g.stageAt(t).offset
}

// Proposed returns the proposal of datum t for each state of the first t data: the probability of
// the latent variables of datum t given those before, and the logarithm of the weight that Drop
// returns, but between centred models. Do not change the slices. The state before is the state
// divided by the number of values of the latent variables of datum t, rounded down.
func (g *Growing) Proposed(t int, q Proposal) (p, logWeight []float64) {
	by := &g.stageAt(t).proposals[q]
	return by.p, by.logWeight
}

// Posterior implements Data.
func (g *Growing) Posterior(c chains.Chooser, t int) int { return c.Choose(g.stageAt(t).posterior) }

// Extend implements Data.
func (g *Growing) Extend(c chains.Chooser, t int, q Proposal, s int) (int, float64) {
	h := g.stageAt(t)
	by := &h.proposals[q]
	first := s * h.block
	next := first + c.Choose(by.p[first:first+h.block])
	if t > 1 && math.IsInf(g.stageAt(t - 1).LogJoint[s], -1) {
		return next, math.Inf(-1)
	}
	return next, by.logWeight[next] + h.step
}

// Drop implements Data.
func (g *Growing) Drop(t int, q Proposal, s int) (int, float64) {
	h := g.stageAt(t)
	if math.IsInf(h.LogJoint[s], -1) {
		return s / h.block, math.Inf(1)
	}
	return s / h.block, h.proposals[q].logWeight[s] + h.step
}

// Moves implements Data: one move for each axis of the lattice of the first t data, and none if t =
// 1.
func (g *Growing) Moves(t int) int {
	if t == 1 {
		return 0
	}
	return g.stageAt(t).Space.Dims()
}

// Move implements Data. It draws an axis given the others, and stays if no state along the axis has
// mass.
func (g *Growing) Move(c chains.Chooser, t, i int, s int) int {
	h := g.stageAt(t)
	side := h.Space.Side(i)
	stride := h.Space.Stride(i)
	first := s - h.Space.Coord(s, i)*stride
	p := g.line[:side]
	top := math.Inf(-1)
	for j := range p {
		p[j] = h.LogJoint[first+j*stride]
		top = max(top, p[j])
	}
	if math.IsInf(top, -1) {
		return s
	}
	chains.Normalize(p)
	return first + stride*c.Choose(p)
}

// Back implements Data: each move is its own time reversal.
func (g *Growing) Back(c chains.Chooser, t, i int, s int) int { return g.Move(c, t, i, s) }

// ScanWork implements Data: a move evaluates the joint density at the other states along its axis.
func (g *Growing) ScanWork(t int) float64 {
	work := 0
	for i := range g.Moves(t) {
		work += g.stageAt(t).Space.Side(i) - 1
	}
	return float64(work)
}

// ExtendWork implements Data: the posterior proposal evaluates every value of the latent variables
// of datum t, the prior proposal only the value drawn.
func (g *Growing) ExtendWork(t int, q Proposal) float64 {
	if q == ProposePrior {
		return 1
	}
	return float64(g.stageAt(t).block)
}

// DropWork implements Data: the value at the state before (one if there are no data), and for the
// posterior proposal the values at the other latent variables of datum t.
func (g *Growing) DropWork(t int, q Proposal) float64 {
	return g.ExtendWork(t, q) - float64(max(0, 2-t))
}
