package chains

import (
	"fmt"
	"math"

	"breadboard/grid"
)

// Moore is the Metropolis kernel that proposes any of the 3^d - 1 points around x, diagonal ones included, with
// equal probability, and rejects what lands outside.
type Moore struct{ Space *grid.Lattice }

// around returns the point i of the 3^d around x, and false outside a wall; the middle one is x itself.
func (k Moore) around(x, i int) (int, bool) {
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

func (k Moore) points() int {
	n := 1
	for range k.Space.Dims() {
		n *= 3
	}
	return n
}

// Move makes one proposal and accepts or rejects it.
func (k Moore) Move(c Chooser, logf []float64, x int) int {
	n := k.points()
	i := c.Uniform(n - 1)
	if i >= n/2 {
		i++ // past the middle
	}
	if y, inside := k.around(x, i); inside && c.Flip(metropolisAccept(logf[x], logf[y])) {
		return y
	}
	return x
}

// AppendRow appends at most 3^d entries.
func (k Moore) AppendRow(dst []Entry, logf []float64, x int) []Entry {
	n := k.points()
	p := make([]proposal, 0, n-1)
	for i := range n {
		if i != n/2 {
			y, inside := k.around(x, i)
			p = append(p, proposal{y, inside, 1 / float64(n-1)})
		}
	}
	return appendProposals(dst, logf, x, p, metropolisAccept, metropolisRefuse)
}

// States returns the number of states of the space.
func (k Moore) States() int { return k.Space.States() }

// String returns the selector "moore".
func (Moore) String() string { return "moore" }

// proposal is a state proposed with probability p, or a proposal that lands outside.
type proposal struct {
	y      int
	inside bool
	p      float64
}

// appendProposals appends the row of proposals that are accepted or refused by a rule.
func appendProposals(dst []Entry, logf []float64, x int, list []proposal, accept, refuse rule) []Entry {
	stay := 0.0
	for _, q := range list {
		if !q.inside {
			stay += q.p
			continue
		}
		stay += q.p * refuse(logf[x], logf[q.y])
		if p := q.p * accept(logf[x], logf[q.y]); p > 0 {
			dst = append(dst, Entry{q.y, p})
		}
	}
	if stay > 0 {
		dst = append(dst, Entry{x, stay})
	}
	return dst
}

// Jump is the Metropolis kernel that proposes a state drawn uniformly from the whole space with probability Eps,
// and a neighbour as Metropolis does otherwise.
type Jump struct {
	Space *grid.Lattice
	Eps   float64
}

// Move makes one proposal and accepts or rejects it.
func (k Jump) Move(c Chooser, logf []float64, x int) int {
	if !c.Flip(k.Eps) {
		return moveLocal(k.Space, c, logf, x, metropolisAccept)
	}
	if y := c.Uniform(len(logf)); c.Flip(metropolisAccept(logf[x], logf[y])) {
		return y
	}
	return x
}

// AppendRow appends an entry for every state that can be reached.
func (k Jump) AppendRow(dst []Entry, logf []float64, x int) []Entry {
	list := make([]proposal, 0, len(logf)+k.Space.Directions())
	for y := range logf {
		list = append(list, proposal{y, true, k.Eps / float64(len(logf))})
	}
	for d := range k.Space.Directions() {
		y, inside := k.Space.Neighbour(x, d)
		list = append(list, proposal{y, inside, (1 - k.Eps) / float64(k.Space.Directions())})
	}
	return appendProposals(dst, logf, x, list, metropolisAccept, metropolisRefuse)
}

// States returns the number of states of the space.
func (k Jump) States() int { return k.Space.States() }

// String returns the selector "jump:" and Eps.
func (k Jump) String() string { return fmt.Sprintf("jump:%v", k.Eps) }

// Independence is the Metropolis kernel that proposes from a fixed distribution P, whatever the state: it
// accepts y with probability min(1, f(y) P(x) / (f(x) P(y))). With the initial distribution of an annealing as P
// it draws from p_1 exactly where beta is 0.
type Independence struct{ P []float64 }

// Move makes one proposal and accepts or rejects it.
func (k Independence) Move(c Chooser, logf []float64, x int) int {
	y := c.Choose(k.P)
	if from, to := k.weight(logf, x), k.weight(logf, y); c.Flip(metropolisAccept(from, to)) {
		return y
	}
	return x
}

// weight returns log f(x) - log P(x), -Inf for zeros of f and +Inf for those of P alone.
func (k Independence) weight(logf []float64, x int) float64 {
	if math.IsInf(logf[x], -1) {
		return logf[x]
	}
	return logf[x] - math.Log(k.P[x])
}

// AppendRow appends an entry for every state that can be reached.
func (k Independence) AppendRow(dst []Entry, logf []float64, x int) []Entry {
	stay := 0.0
	from := k.weight(logf, x)
	for y, p := range k.P {
		if p == 0 {
			continue
		}
		to := k.weight(logf, y)
		stay += p * metropolisRefuse(from, to)
		if accepted := p * metropolisAccept(from, to); accepted > 0 {
			dst = append(dst, Entry{y, accepted})
		}
	}
	if stay > 0 {
		dst = append(dst, Entry{x, stay})
	}
	return dst
}

// States returns the number of states of the space.
func (k Independence) States() int { return len(k.P) }

// String returns the selector "independence".
func (Independence) String() string { return "independence" }
