package sweep

import (
	"context"

	"breadboard/chains"
)

// Problem is an annealing to be computed with, and the account of the steps taken: it reports them as progress and says
// when to stop.
type Problem struct {
	Annealing *chains.Annealing // on its centred path
	Progress  func(steps int)   // never nil

	Offset  float64 // the constant that centring takes out of every log weight
	Pulse   int     // steps between looks at the context
	since   int     // steps since the last look
	pending int     // steps not yet reported
	taken   int     // steps taken by the method at work
	again   int     // steps to come that another method has reported
}

// pulseWork is about the number of states that are passed between looks at the context.
const pulseWork = 1 << 14

// NewProblem returns the problem of an annealing. Progress is called now and then with the number of steps taken since its
// last call; it may be nil.
func NewProblem(a *chains.Annealing, progress func(steps int)) *Problem {
	if progress == nil {
		progress = func(int) {}
	}
	p := &Problem{Progress: progress, Pulse: 1 + pulseWork/a.States()}
	p.Annealing, p.Offset = a.Centred()
	if !chains.OfLibrary(a.Kernel()) { // nobody knows how long such a one takes for a step
		p.Pulse = 1
	}
	return p
}

// Step counts a step, reports progress, and fails when the context has ended.
func (p *Problem) Step(ctx context.Context) error {
	p.since++
	p.taken++
	if p.again > 0 {
		p.again--
	} else {
		p.pending++
	}
	if p.since < p.Pulse {
		return nil
	}
	p.Flush()
	return ctx.Err()
}

// Load counts a step and moves a stage to t, with the rows of its kernel.
func (p *Problem) Load(ctx context.Context, s *Stage, t int) error {
	if err := p.Step(ctx); err != nil {
		return err
	}
	return s.Load(ctx, t)
}

// Flush reports the last steps.
func (p *Problem) Flush() {
	p.Progress(p.pending)
	p.since, p.pending = 0, 0
}

// Restart says that another method begins from the first step.
func (p *Problem) Restart() { p.again, p.taken = p.taken, 0 }
