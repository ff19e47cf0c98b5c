package couple

import (
	"fmt"
	"math"
	"strings"
)

// same is how far probabilities may be apart that an explanation calls equal.
const same = 1e-10

// mistake is a known way to couple two chains wrongly: what it makes of the moves of one chain from unequal states, its own and that of the other,
// whose rows are p and q.
type mistake struct {
	says string
	law  func(own, other int, p, q []float64) []float64
}

// mistakes lists the known ways that leave their own trace in the marginals.
func (e *Examination) mistakes() []mistake {
	return []mistake{
		{"it moves as the other chain should: the two are exchanged", func(_, _ int, _, q []float64) []float64 { return q }},
		{"what remains of its row after the overlap is drawn from the whole row: take off what both rows share, and divide by what is left", wholeRow},
		{"it goes along with the other chain wherever it may go there at all: accept a draw z of the other chain with probability min(1, own row(z)/its row(z))", alwaysAlong},
		{"its proposal is accepted with the probability of the proposal of the other chain in the same direction: compute its own", e.acceptedAlike},
	}
}

func wholeRow(_, _ int, p, q []float64) []float64 {
	left, out := 0.0, make([]float64, len(p))
	for z := range p {
		left += max(0, p[z]-q[z])
	}
	for z := range p {
		out[z] = min(p[z], q[z]) + left*p[z]
	}
	return out
}

func alwaysAlong(_, _ int, p, q []float64) []float64 {
	left, out := 0.0, make([]float64, len(p))
	for z := range p {
		if p[z] > 0 {
			out[z] = q[z]
		} else {
			left += q[z]
		}
	}
	for z := range p {
		out[z] += left * p[z]
	}
	return out
}

// acceptedAlike is for kernels that propose every direction with the same probability.
func (e *Examination) acceptedAlike(own, other int, p, q []float64) []float64 {
	out, directions := make([]float64, len(p)), e.Space.Directions()
	for d := range directions {
		goes := 1 / float64(directions)
		if to, inside := e.Space.Neighbour(other, d); inside {
			goes = q[to]
		}
		if to, inside := e.Space.Neighbour(own, d); inside {
			out[to] += goes
			out[own] -= goes
		}
	}
	out[own]++
	return out
}

// explain says what a chain does that does not move by the kernel: a known mistake, the kernel under the distribution before, another kernel, or
// something that depends on where the other chain is.
func (b *behaviour) explain(second bool) string {
	n := b.Chain.States()
	got, p, q := make([]float64, n), make([]float64, n), make([]float64, n)
	open := b.mistakes()
	alone, stale := make([][]float64, n), b.Before != nil // what it does from each state, where that is the same whatever the other does
	constant := true
	for pair := range b.rows {
		mine, theirs := pair/n, pair%n
		if second {
			mine, theirs = theirs, mine
		}
		if mine == theirs {
			continue
		}
		b.fill(got, pair, second)
		row(p, b.Chain, mine)
		row(q, b.Chain, theirs)
		kept := open[:0]
		for _, m := range open {
			if apart(got, m.law(mine, theirs, p, q)) <= same {
				kept = append(kept, m)
			}
		}
		open = kept
		if stale {
			row(p, b.Before, mine)
			stale = apart(got, p) <= same
		}
		if alone[mine] == nil {
			alone[mine] = append([]float64(nil), got...)
		}
		constant = constant && apart(got, alone[mine]) <= same
	}
	switch {
	case len(open) > 0:
		return "Wherever the states differ " + open[0].says
	case stale:
		return "Wherever the states differ it moves by the kernel under the distribution that it was told before this one: it goes on with an old log f"
	case !constant:
		return "What it does depends on where the other chain is, as where it uses a number that was computed from the state of the other"
	}
	return b.another(alone)
}

// apart returns the largest distance of two laws.
func apart(p, q []float64) (most float64) {
	for z := range p {
		most = max(most, math.Abs(p[z]-q[z]))
	}
	return most
}

// another describes the kernel by which a chain moves in place of the one that it should.
func (b *behaviour) another(rows [][]float64) string {
	p := make([]float64, len(rows))
	after := make([]float64, len(rows))
	var wrong []string
	for x := range rows {
		row(p, b.Chain, x)
		if apart(rows[x], p) > same {
			wrong = append(wrong, b.Name(x))
		}
		for z, v := range rows[x] {
			after[z] += b.Chain.Target[x] * v
		}
	}
	text := "It moves by another kernel, which is the same wherever the other chain is"
	if len(wrong) == 0 {
		return "It is wrong only where both chains are at the same state"
	}
	if most := 12; len(wrong) > most {
		wrong = append(wrong[:most], fmt.Sprintf("%d more", len(wrong)-most))
	}
	text += "; its rows are others at the states " + strings.Join(wrong, ", ")
	if off := apart(after, b.Chain.Target); off > same {
		return fmt.Sprintf("%s, and it does not leave the target invariant (a probability changes by %.3g in one move)", text, off)
	}
	return text + ", and it leaves the target invariant: if it is the one that you meant, name it as the kernel"
}
