package kernels

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/internal/library"
	"breadboard/chains/selector"
)

// Independence is the Metropolis kernel that proposes from a fixed distribution P, whatever the state: it accepts y with probability min(1,
// f(y) P(x) / (f(x) P(y))). With the initial distribution of an annealing as P it draws from p_1 exactly where beta is 0.
type Independence struct{ P []float64 }

// Move makes one proposal and accepts or rejects it.
func (k Independence) Move(c chains.Chooser, logf []float64, x int) int {
	y := c.Choose(k.P)
	if from, to := k.weight(logf, x), k.weight(logf, y); c.Flip(metropolisAccept(from, to)) {
		return y
	}
	return x
}

// weight returns log f(x) - log P(x) in nats: -Inf where f is zero, and +Inf where P alone is zero.
func (k Independence) weight(logf []float64, x int) float64 {
	if math.IsInf(logf[x], -1) {
		return logf[x]
	}
	return logf[x] - math.Log(k.P[x])
}

// AppendRow appends an entry for every state that can be reached.
func (k Independence) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	stay := 0.0
	from := k.weight(logf, x)
	for y, p := range k.P {
		if p == 0 {
			continue
		}
		to := k.weight(logf, y)
		stay += p * metropolisRefuse(from, to)
		if accepted := p * metropolisAccept(from, to); accepted > 0 {
			dst = append(dst, chains.Entry{To: y, P: accepted})
		}
	}
	if stay > 0 {
		dst = append(dst, chains.Entry{To: x, P: stay})
	}
	return dst
}

// States returns the number of states of the space.
func (k Independence) States() int { return len(k.P) }

// String returns the selector "independence".
func (Independence) String() string { return "independence" }

// Library returns the Word of the library for this type: it leaves its distribution invariant and knows its time reversal.
func (k Independence) Library() library.Word { return library.For(k) }

// independenceForm is how Independence with a uniform P is selected.
func independenceForm() kernelForm {
	return kernelForm{
		Syntax: "independence", Doc: "Metropolis that proposes any state alike", Example: "independence", Others: []string{"imh", "independent", "independent-metropolis"}, Reversible: true,
		Parse: func(_ selector.Args, on Env) (chains.Kernel, error) {
			p := make([]float64, on.Space.States())
			for x := range p {
				p[x] = 1 / float64(len(p))
			}
			return Independence{p}, nil
		},
	}
}

// Evaluations returns how often a move asks for log f: at the one state that it proposes.
func (Independence) Evaluations() float64 { return 1 }
