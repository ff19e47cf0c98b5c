package couple

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/exact/averages"
	"breadboard/exact/meeting"
	"breadboard/exact/program"
	"breadboard/experiments/programs"
	"breadboard/experiments/study/check"
	"breadboard/grid"
)

// Examination examines a possible coupling of a chain at every pair of states. It is a coupling if
// each of the two chains, alone, moves by the kernel; faithful if chains that have met stay
// together; and useful if all chains can meet.
type Examination struct {
	Chain  *averages.Chain
	Before *averages.Chain // the same kernel under the distribution that the coupling received before this one; nil if there is none
	Space  grid.Graph
	Name   func(x int) string // the name of a state
	Pair   func()             // called after each pair
}

// The names of findings.
const (
	PairMoves      = "moves"           // the coupling fails if it should move
	firstMarginal  = "first_marginal"  // the moves of the first chain alone
	secondMarginal = "second_marginal" // those of the second
	staysTogether  = "together"        // chains that have met part again
	CanMeet        = "can_meet"        // pairs that can never meet
	longestMean    = "longest_mean"    // the longest mean time until a pair has met
)

// mostEntries is the largest number of entries that the rows of all pairs may have.
const mostEntries = 1 << 25

// behaviour is what a coupling does at every pair of states.
type behaviour struct {
	*Examination
	rows      [][]chains.Entry // where the pair x n + y goes, as x2 n + y2
	remainder float64          // the largest probability that enumeration has left out of a row
	moves     int              // how many moves of each pair were sampled; 0 where all were enumerated
}

// Exact enumerates a coupling, and returns its faults as findings, not as an error.
func (e *Examination) Exact(ctx context.Context, c couplings.Coupling) ([]check.Finding, error) {
	n, x2, y2 := e.Chain.States(), 0, 0
	b := &behaviour{Examination: e, rows: make([][]chains.Entry, n*n)}
	var branches program.Branches
	entries := 0
	for pair := range b.rows {
		x, y := pair/n, pair%n
		sums := map[int]float64{}
		walked, err := branches.Walk(ctx, program.Limits{Cut: program.DefaultCut, Choices: 2 * chains.MaxChoices, Branches: program.DefaultBranches},
			func(chooser chains.Chooser) { x2, y2 = c.Couple(chooser, e.Chain.LogF, x, y) },
			func(p float64) error {
				if min(x2, y2) < 0 || max(x2, y2) >= n {
					return fmt.Errorf("the coupling goes to %d and %d, outside 0..%d", x2, y2, n-1)
				}
				sums[x2*n+y2] += p
				return nil
			})
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case endless(err):
			return []check.Finding{check.Undecided(PairMoves,
				fmt.Sprintf("from states %s and %s: %v; a coupling that repeats draws until one is accepted can be sampled, but not enumerated", e.Name(x),
					e.Name(y), err))}, nil
		case err != nil:
			if program, is := errors.AsType[programs.ProgramError](err); is { // which names the states
				return []check.Finding{failed(program.Error())}, nil
			}
			return []check.Finding{failed(fmt.Sprintf("from states %s and %s: %v", e.Name(x), e.Name(y), err))}, nil
		}
		b.rows[pair] = sorted(sums)
		if entries += len(sums); entries > mostEntries {
			return nil, fmt.Errorf("the rows of the coupling have more than %d entries, which take a GiB of memory; take a target with fewer states", mostEntries)
		}
		b.remainder = max(b.remainder, walked.Remainder)
		e.Pair()
	}
	out := []check.Finding{b.marginal(false), b.marginal(true), b.faithful(), b.reaches()}
	return append(out, b.times(ctx)), ctx.Err()
}

// sorted returns where a pair goes, in the order of the pairs.
func sorted(sums map[int]float64) (row []chains.Entry) {
	for _, to := range slices.Sorted(maps.Keys(sums)) {
		row = append(row, chains.Entry{To: to, P: sums[to]})
	}
	return row
}

// failed is the finding of a coupling that fails if it should move.
func failed(where string) check.Finding {
	return check.Finding{Name: PairMoves, Value: math.NaN(), Tolerance: math.NaN(), Verdict: check.Fault, Where: where}
}

// endless reports whether a coupling has too many ways to move.
func endless(err error) bool {
	e, is := errors.AsType[*program.Error](err)
	return is && (e.Kind == program.TooManyChoices || e.Kind == program.TooManyBranches)
}

// fill writes the distribution of one chain alone, after a move of a pair, into p.
func (b *behaviour) fill(p []float64, pair int, second bool) {
	clear(p)
	n := len(p)
	for _, e := range b.rows[pair] {
		if second {
			p[e.To%n] += e.P
		} else {
			p[e.To/n] += e.P
		}
	}
}

func row(p []float64, chain *averages.Chain, x int) {
	clear(p)
	for _, e := range chain.Rows.Row(x) {
		p[e.To] += e.P
	}
}

// marginal compares the moves of one chain alone with the kernel.
func (b *behaviour) marginal(second bool) check.Finding {
	n := b.Chain.States()
	name, chain := firstMarginal, "first"
	if second {
		name, chain = secondMarginal, "second"
	}
	got, want := make([]float64, n), make([]float64, n)
	worst, own, other, to, pairs := 0.0, 0, 0, 0, 0
	var p, q float64
	for pair := range b.rows {
		mine, theirs := pair/n, pair%n
		if second {
			mine, theirs = theirs, mine
		}
		b.fill(got, pair, second)
		row(want, b.Chain, mine)
		off := 0.0
		for z := range got {
			d := math.Abs(got[z] - want[z])
			if off = max(off, d); d > worst {
				worst, own, other, to, p, q = d, mine, theirs, z, got[z], want[z]
			}
		}
		if off > meeting.Tolerance+b.remainder {
			pairs++
		}
	}
	where := fmt.Sprintf(
		"the %s chain alone does not move by the kernel: from state %s it goes to %s with probability %.6g while the other is at %s, and the kernel with %.6g; this is so at %d of %d pairs",
		chain, b.Name(own), b.Name(to), p, b.Name(other), q, pairs, n*n)
	f := check.Held(name, worst, meeting.Tolerance+b.remainder, where)
	if f.Verdict == check.Fault {
		f.Where += ". " + b.explain(second)
	}
	return f
}

// faithful asks whether chains that have met stay together.
func (b *behaviour) faithful() check.Finding {
	n := b.Chain.States()
	worst, at, parting := 0.0, 0, 0
	for x := range n {
		apart := 0.0
		for _, e := range b.rows[x*n+x] {
			if e.To/n != e.To%n {
				apart += e.P
			}
		}
		if apart > 0 {
			parting++
		}
		if apart > worst {
			worst, at = apart, x
		}
	}
	return check.Held(staysTogether, worst, meeting.Tolerance,
		fmt.Sprintf("chains that have met part again: with probability %.6g if both are at state %s, and at %d of %d states; move both by one draw there. "+
			"Estimates that stop at the first meeting stay unbiased, but bounds that use the fraction of chains that are together at a given time fail", worst,
			b.Name(at), parting, n))
}

// times gives the longest mean time until a pair has met. It is the truth about what the coupling
// does, right or not.
func (b *behaviour) times(ctx context.Context) check.Finding {
	pairs, _, err := meeting.Enumerate(ctx, b.tabulated(), b.Chain)
	var solved *meeting.Solved
	if err == nil {
		solved, err = pairs.Solve(ctx)
	}
	if err != nil {
		return check.Undecided(longestMean, err.Error())
	}
	if x, y, never := solved.Never(); never {
		return note(longestMean, math.Inf(1), fmt.Sprintf("chains at states %s and %s may never meet", b.Name(x), b.Name(y)))
	}
	if x, y, late := solved.TooLate(); late {
		return note(longestMean, math.Inf(1), fmt.Sprintf("above 1.8e308 moves, from states %s and %s", b.Name(x), b.Name(y)))
	}
	n, x, y := b.Chain.States(), 0, 0
	for pair := range n * n {
		if solved.Of(pair/n, pair%n) > solved.Of(x, y) {
			x, y = pair/n, pair%n
		}
	}
	return note(longestMean, solved.Of(x, y), fmt.Sprintf("moves, from states %s and %s; a wrong coupling often meets sooner", b.Name(x), b.Name(y)))
}

// note is a finding that judges nothing.
func note(name string, value float64, where string) check.Finding {
	return check.Finding{Name: name, Value: value, Tolerance: math.NaN(), Verdict: check.Note, Where: where}
}

// tabulated is the coupling that moves as was found.
func (b *behaviour) tabulated() couplings.Coupling {
	n := b.Chain.States()
	return couplings.Func(func(c chains.Chooser, _ []float64, x, y int) (x2, y2 int) {
		ends := b.rows[x*n+y]
		p := make([]float64, len(ends))
		for i, e := range ends {
			p[i] = e.P
		}
		to := ends[c.Choose(p)].To
		return to / n, to % n
	})
}

// same is how far probabilities may be apart that an explanation calls equal.
const same = 1e-10

// mistake is a known way to couple two chains wrongly: what it makes of the moves of one chain from
// unequal states, its own and that of the other, whose rows are p and q.
type mistake struct {
	says string
	law  func(own, other int, p, q []float64) []float64
}

// mistakes lists the known ways that leave their own trace in the marginals.
func (e *Examination) mistakes() []mistake {
	return []mistake{
		{"it moves by the row of the other chain: the two are exchanged", func(_, _ int, _, q []float64) []float64 { return q }},
		{"outside the overlap it draws from its whole row: subtract the overlap of the two rows, and divide by the remaining mass", wholeRow},
		{"it follows the other chain to every state that it can reach: accept a draw z of the other chain with probability min(1, own row(z)/its row(z))",
			alwaysAlong},
		{"its proposal is accepted with the acceptance probability of the other chain: compute its own", e.acceptedAlike},
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

// explain says what a chain does that does not move by the kernel: a known mistake, the kernel
// under the distribution before, another kernel, or something that depends on where the other chain
// is.
func (b *behaviour) explain(second bool) string {
	n := b.Chain.States()
	got, p, q := make([]float64, n), make([]float64, n), make([]float64, n)
	open := b.mistakes()
	alone, stale := make([][]float64, n), b.Before != nil // what it does from each state, if that is the same whatever the other does
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
		return "Wherever the states differ it moves by the kernel of the previous distribution: it still uses an old log f"
	case !constant:
		return "Its moves depend on the state of the other chain, as if it used a number that was computed from that state"
	}
	return b.another(alone)
}

// apart returns the largest distance of two distributions.
func apart(p, q []float64) (most float64) {
	for z := range p {
		most = max(most, math.Abs(p[z]-q[z]))
	}
	return most
}

// another describes the kernel by which a chain moves instead of the one that it should.
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
	text := "It moves by another kernel, whatever the state of the other chain"
	if len(wrong) == 0 {
		return "It is wrong only if both chains are at the same state"
	}
	if most := 12; len(wrong) > most {
		wrong = append(wrong[:most], fmt.Sprintf("%d more", len(wrong)-most))
	}
	text += "; its rows differ at the states " + strings.Join(wrong, ", ")
	if off := apart(after, b.Chain.Target); off > same {
		return fmt.Sprintf("%s, and it does not leave the target invariant (a probability changes by %.3g in one move)", text, off)
	}
	return text + ", which leaves the target invariant: if you meant this kernel, name it as the kernel"
}
