package kernels

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// proposal is one proposal of a move, made with probability p: a state, or a step that would leave
// the space.
type proposal struct {
	y      int
	inside bool
	p      float64
}

// block is the number of proposals whose probabilities are added up by themselves. A plain sum of
// hundreds of thousands of them, as Moore makes on twelve axes, would be off by so much that a row
// no longer sums to one.
const block = 1 << 10

// appendProposals appends the row of proposals that are accepted or refused by a rule.
//
//	T(x, y) = q(x, y) a(f(x), f(y)) for y other than x,
//
//	T(x, x) = the probability of steps beyond the space + sum over y of q(x, y) (1 - a(f(x), f(y))),
//
// with q the proposals and a the acceptance. The rule gives 1 - a with all of its digits, so that
// T(x, x) is a sum of positive terms.
func appendProposals(dst []chains.Entry, logf []float64, x int, list []proposal,
	by acceptance) []chains.Entry {
	total := 0.0
	stay := 0.0
	for i, q := range list {
		if i%block == 0 {
			total += stay
			stay = 0
		}
		if !q.inside {
			stay += q.p
			continue
		}
		stay += q.p * by.refuse(logf[x], logf[q.y])
		if p := q.p * by.accept(logf[x], logf[q.y]); p > 0 {
			dst = append(dst, chains.Entry{To: q.y, P: p})
		}
	}
	stay += total
	return appendStay(dst, x, stay)
}

// Moore is the Metropolis kernel that proposes any of the 3^d - 1 points around x, diagonal ones
// included, with equal probability, and rejects points outside the space.
type Moore struct{ Space *grid.Lattice }

// around returns x and the points of the box around it that are inside the space, the first axis
// fastest. They are as many as the states at most, where the box has 3^d points.
func (k Moore) around(x int) []int {
	dst := []int{x}
	for axis := k.Space.Dims() - 1; axis >= 0; axis-- {
		middle := dst
		dst = make([]int, 0, 3*len(middle))
		for _, y := range middle {
			if down, inside := k.Space.Neighbour(y, 2*axis); inside {
				dst = append(dst, down)
			}
			dst = append(dst, y)
			if up, inside := k.Space.Neighbour(y, 2*axis+1); inside {
				dst = append(dst, up)
			}
		}
	}
	return dst
}

// point returns point i of the box around x, of which the middle one is x itself, and false if it
// lies beyond a wall.
func (k Moore) point(x, i int) (int, bool) {
	for axis := range k.Space.Dims() {
		step := i % 3
		i /= 3
		if step == 1 {
			continue
		}
		y, inside := k.Space.Neighbour(x, 2*axis+step/2)
		if !inside {
			return 0, false
		}
		x = y
	}
	return x, true
}

// proposals returns the number of points around a state, inside and outside of the space.
func (k Moore) proposals() int {
	n := 1
	for range k.Space.Dims() {
		n *= 3
	}
	return n - 1
}

// Move makes one proposal and accepts or rejects it.
func (k Moore) Move(c chains.Chooser, logf []float64, x int) int {
	n := k.proposals()
	i := c.Uniform(n)
	if i >= n/2 {
		i++ // skip the middle point, which is x itself
	}
	if y, inside := k.point(x, i); inside && c.Flip(metropolisAccept(logf[x], logf[y])) {
		return y
	}
	return x
}

// AppendRow appends at most 3^d entries, and no more than there are states.
func (k Moore) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	frame := k.AppendFrame(nil, x)
	p := make([]proposal, len(frame))
	for i, e := range frame {
		p[i] = proposal{e.To, e.To != x, e.P}
	}
	return appendProposals(dst, logf, x, p, acceptance{metropolisAccept, metropolisRefuse})
}

// States returns the number of states of the space.
func (k Moore) States() int { return k.Space.States() }

// String returns the selector "moore".
func (Moore) String() string { return "moore" }

func mooreForm() kernelForm {
	return kernelForm{
		Syntax: "moore",
		Doc: "Metropolis that proposes one of the 3^d - 1 surrounding points, diagonal ones " +
			"included; needs a grid",
		Example:    "moore",
		Reversible: true,
		Parse: onGrid("steps along several axes at once",
			func(space *grid.Lattice) chains.Kernel { return Moore{space} }),
	}
}

// Evaluations returns the number of evaluations of log f in a move: one, at the proposed state.
func (Moore) Evaluations() float64 { return 1 }

// Jump is the Metropolis kernel that proposes a state drawn uniformly from the whole space with
// probability Eps, and a neighbour as Metropolis does otherwise.
type Jump struct {
	Space grid.Graph
	Eps   float64
}

// Move makes one proposal and accepts or rejects it.
func (k Jump) Move(c chains.Chooser, logf []float64, x int) int {
	if !c.Flip(k.Eps) {
		return moveLocal(k.Space, c, logf, x, metropolisAccept)
	}
	if y := c.Uniform(len(logf)); c.Flip(metropolisAccept(logf[x], logf[y])) {
		return y
	}
	return x
}

// AppendRow appends an entry for every state that can be reached.
func (k Jump) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	list := make([]proposal, 0, len(logf)+k.Space.Directions())
	for y := range logf {
		list = append(list, proposal{y, true, k.Eps / float64(len(logf))})
	}
	for d := range k.Space.Directions() {
		y, inside := k.Space.Neighbour(x, d)
		list = append(list, proposal{y, inside, (1 - k.Eps) / float64(k.Space.Directions())})
	}
	return appendProposals(dst, logf, x, list, acceptance{metropolisAccept, metropolisRefuse})
}

// States returns the number of states of the space.
func (k Jump) States() int { return k.Space.States() }

// String returns the selector "jump:" and Eps.
func (k Jump) String() string { return fmt.Sprintf("jump:%v", k.Eps) }

func jumpForm() kernelForm {
	return kernelForm{
		Syntax:     "jump:EPS",
		Doc:        "Metropolis that proposes any state with probability EPS, else a neighbour",
		Example:    "jump:0.1",
		Missing:    "the probability of a jump",
		Reversible: true,
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			eps, err := selector.ParseProbability(args.Text)
			if err != nil {
				return nil, args.Wrap(err)
			}
			return Jump{on.Space, eps}, nil
		},
	}
}

// Evaluations returns the number of evaluations of log f in a move: one, at the proposed state.
func (Jump) Evaluations() float64 { return 1 }

// Independence is the Metropolis kernel that proposes from a fixed distribution P, whatever the
// state: it accepts y with probability min(1, f(y) P(x) / (f(x) P(y))). With the initial
// distribution of an annealing as P it draws from p_1 exactly if beta is 0.
type Independence struct{ P []float64 }

// Move makes one proposal and accepts or rejects it.
func (k Independence) Move(c chains.Chooser, logf []float64, x int) int {
	y := c.Choose(k.P)
	if from, to := k.logWeight(logf, x), k.logWeight(logf, y); c.Flip(metropolisAccept(from, to)) {
		return y
	}
	return x
}

// logWeight returns log f(x) - log P(x) in nats: -Inf if f is zero, and +Inf if P alone is zero.
func (k Independence) logWeight(logf []float64, x int) float64 {
	if math.IsInf(logf[x], -1) {
		return logf[x]
	}
	return logf[x] - number.Log(k.P[x])
}

// AppendRow appends an entry for every state that can be reached.
func (k Independence) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	stay := 0.0
	from := k.logWeight(logf, x)
	for y, p := range k.P {
		if p == 0 {
			continue
		}
		to := k.logWeight(logf, y)
		stay += p * metropolisRefuse(from, to)
		if accepted := p * metropolisAccept(from, to); accepted > 0 {
			dst = append(dst, chains.Entry{To: y, P: accepted})
		}
	}
	return appendStay(dst, x, stay)
}

// States returns the number of states of the space.
func (k Independence) States() int { return len(k.P) }

// String returns the selector "independence".
func (Independence) String() string { return "independence" }

// independenceForm is the selector of Independence with a uniform P.
func independenceForm() kernelForm {
	return kernelForm{
		Syntax:     "independence",
		Doc:        "independence Metropolis with a uniform proposal over all states",
		Example:    "independence",
		Others:     []string{"imh", "independent", "independent-metropolis"},
		Reversible: true,
		Parse: func(_ selector.Args, on Env) (chains.Kernel, error) {
			p := make([]float64, on.Space.States())
			for x := range p {
				p[x] = 1 / float64(len(p))
			}
			return Independence{p}, nil
		},
	}
}

// Evaluations returns the number of evaluations of log f in a move: one, at the proposed state.
func (Independence) Evaluations() float64 { return 1 }
