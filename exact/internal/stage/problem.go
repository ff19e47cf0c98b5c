package stage

import (
	"context"

	"breadboard/chains"
)

// Problem is an annealing on its centred path, with a counter of the steps that a computation takes. The counter reports
// progress, and looks at the context now and then.
type Problem struct {
	Annealing *chains.Annealing // on its centred path
	Progress  func(steps int)   // never nil

	Offset   float64 // the constant that centring subtracts from every log weight, in nats
	Pulse    int     // steps between looks at the context
	since    int     // steps since the last look
	pending  int     // steps not yet reported
	taken    int     // steps that the current method has taken
	repeated int     // steps still to come that are not to be reported, because another method has reported them
}

// pulseWork is about the number of states that a computation visits between two looks at the context, each as often as the
// kernel moves in a step.
const pulseWork = 1 << 14

// NewProblem returns the problem of an annealing. Progress is called now and then with the number of steps taken since its
// last call; it may be nil.
func NewProblem(a *chains.Annealing, progress func(steps int)) *Problem {
	if progress == nil {
		progress = func(int) {}
	}
	p := &Problem{Progress: progress}
	p.Annealing, p.Offset = a.Centred()
	moves := 1
	if k := a.Kernel(); k != nil {
		moves = max(1, chains.MovesOf(k))
	}
	p.Pulse = 1 + pulseWork/(a.States()*moves)
	if !chains.OfLibrary(a.Kernel()) { // a step may take any time with a kernel that is not of the library
		p.Pulse = 1
	}
	return p
}

// Step counts a step, reports progress, and fails when the context has ended.
func (p *Problem) Step(ctx context.Context) error { return p.Steps(ctx, 1) }

// Steps does what Step does for so many steps at once.
func (p *Problem) Steps(ctx context.Context, n int) error {
	p.since += n
	p.taken += n
	known := min(n, p.repeated)
	p.repeated -= known
	p.pending += n - known
	if p.since < p.Pulse {
		return nil
	}
	p.Flush()
	return ctx.Err()
}

// Load counts a step and loads stage t, with the rows of its kernel. It fails as Step and Stage.Load do.
func (p *Problem) Load(ctx context.Context, s *Stage, t int) error {
	if err := p.Step(ctx); err != nil {
		return err
	}
	return s.Load(ctx, t)
}

// Flush reports the steps that have not been reported yet.
func (p *Problem) Flush() {
	p.Progress(p.pending)
	p.since, p.pending = 0, 0
}

// Restart is called where another method begins again from the first step. The steps that have been taken so far are not
// reported a second time.
func (p *Problem) Restart() { p.repeated, p.taken = p.repeated+p.taken, 0 }
