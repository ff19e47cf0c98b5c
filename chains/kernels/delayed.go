package kernels

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// DelayedRejection is Metropolis with a second stage. Its first stage proposes y1 and accepts it as
// Metropolis does; a direction that leads nowhere ends the move. If y1 is rejected, one of the
// directions from y1 leads on to y2, which is accepted with
//
//	min(1, f(y2) (1 - a(y2,y1)) / (f(x) (1 - a(x,y1)))) = min(1, max(0, f(y2) - f(y1)) / (f(x) - f(y1))),
//
// where a is the acceptance of the first stage. So it can step over a single state of low
// probability. On any graph as many pairs of directions lead from x over y1 to y2 as back, since
// this holds for single directions.
//
// Source: Tierney and Mira 1999, section 2; Green and Mira 2001, section 2.
type DelayedRejection struct{ Space grid.Graph }

// second returns the probabilities with which the second stage accepts and refuses y2, given log f
// of x, y1 and y2, where the first stage refused y1.
func second(from, over, to float64) (accept, refuse float64) {
	switch {
	case math.IsInf(to, -1) || to <= over:
		return 0, 1
	case to >= from: // this holds also if f(x) is zero
		return 1, 0
	}
	fall := math.Expm1(over - from) // -(f(x) - f(y1))/f(x)
	return math.Exp(to-from) * (math.Expm1(over-to) / fall), math.Expm1(to-from) / fall
}

// Move makes one proposal, and a second one if the first is rejected.
func (k DelayedRejection) Move(c chains.Chooser, logf []float64, x int) int {
	n := k.Space.Directions()
	y1, inside := k.Space.Neighbour(x, c.Uniform(n))
	if !inside {
		return x
	}
	if c.Flip(metropolisAccept(logf[x], logf[y1])) {
		return y1
	}
	y2, inside := k.Space.Neighbour(y1, c.Uniform(n))
	if !inside {
		return x
	}
	if accept, _ := second(logf[x], logf[y1], logf[y2]); c.Flip(accept) {
		return y2
	}
	return x
}

// AppendRow appends at most one entry for every direction and for every pair of directions, and one
// for staying.
func (k DelayedRejection) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	n := k.Space.Directions()
	each := 1 / float64(n)
	stay := 0.0
	for d := range n {
		y1, inside := k.Space.Neighbour(x, d)
		if !inside {
			stay += each
			continue
		}
		if p := each * metropolisAccept(logf[x], logf[y1]); p > 0 {
			dst = append(dst, chains.Entry{To: y1, P: p})
		}
		refused := each * metropolisRefuse(logf[x], logf[y1]) * each
		if refused == 0 {
			continue
		}
		for d := range n {
			y2, inside := k.Space.Neighbour(y1, d)
			if !inside || y2 == x {
				stay += refused
				continue
			}
			accept, refuse := second(logf[x], logf[y1], logf[y2])
			stay += refused * refuse
			if p := refused * accept; p > 0 {
				dst = append(dst, chains.Entry{To: y2, P: p})
			}
		}
	}
	return appendStay(dst, x, stay)
}

// States returns the number of states of the space.
func (k DelayedRejection) States() int { return k.Space.States() }

// String returns the selector "delayed-rejection".
func (DelayedRejection) String() string { return "delayed-rejection" }

// Evaluations returns the largest number of evaluations of log f in a move: at both states that it
// proposes. How often the second is proposed depends on f.
func (DelayedRejection) Evaluations() float64 { return 2 }

func delayedForm() kernelForm {
	return kernelForm{
		Syntax:     "delayed-rejection",
		Doc:        "Metropolis with delayed rejection: after a refused neighbour it proposes one of its neighbours",
		Source:     "Tierney and Mira 1999",
		Example:    "delayed-rejection",
		Others:     []string{"dr", "delayed", "delayed-rejection-metropolis"},
		Reversible: true,
		Parse: func(_ selector.Args, on Env) (chains.Kernel, error) {
			return DelayedRejection{on.Space}, nil
		},
	}
}
