package kernels

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/frames"
	"breadboard/chains/selector"
	"breadboard/grid/quotients"
)

// Lumped is the chain that a kernel of the larger space induces on the classes of a quotient: it
// moves from class x to class y with the probability that any member of x moves to some member of
// y. Its log f is that of whole classes, including the log of their numbers of members. It proposes
// like a member, and accepts by f of a single member: f of the class divided by its number of
// members. (Acceptance by f of whole classes would give another chain.)
//
// It is reversible if the kernel of the larger space is, and the distribution of its states is that
// of the classes of the larger chain.
//
// Source: Kemeny and Snell 1960, section 6.3.
//
// With m(x) members in class x and g = f/m,
//
//	T(x, y) = (sum over the steps from a member of x to class y of their probabilities) a(g(x), g(y)).
//
// Memory is that of the moves of all classes, and a row takes time in proportion to its entries.
type Lumped struct{ *lumped }

// lumped is behind a pointer, so that two Lumped can be compared.
type lumped struct {
	quotient quotients.Quotient
	rule     lumpedRule
	start    []int // the moves of class x are moves[start[x]:start[x+1]]
	moves    []quotients.Move
}

// lumpedRule is a kernel of the larger space that is known to lump.
type lumpedRule struct {
	name           string
	proposal       quotients.Proposal
	acceptance     Acceptance
	accept, refuse rule // nil if it draws from a line
}

func lumpedRules() []lumpedRule {
	return []lumpedRule{
		{"metropolis", quotients.Neighbour, AcceptMetropolis, metropolisAccept, metropolisRefuse},
		{"flip", quotients.Value, AcceptMetropolis, metropolisAccept, metropolisRefuse},
		{"barker", quotients.Neighbour, AcceptBarker, barkerAccept, barkerRefuse},
		{"heatbath", quotients.Value, DrawLine, nil, nil},
	}
}

// newLumped returns the named kernel on a quotient: metropolis, flip, barker or heatbath. It fails
// for all others, and if the quotient does not lump under the kernel's proposals. It takes the
// memory of the moves of all classes.
func newLumped(name string, q quotients.Quotient) (Lumped, error) {
	rules := lumpedRules()
	i := slices.IndexFunc(rules, func(r lumpedRule) bool { return r.name == name })
	if i < 0 {
		return Lumped{}, fmt.Errorf(
			"the space %s has classes of states, on which there are %s, and lazy, repeat, palindrome and "+
				"mixture of these",
			q,
			lumpedNames(),
		)
	}
	if err := q.Proposes(rules[i].proposal); err != nil {
		return Lumped{}, fmt.Errorf("on the space %s: %w", q, err)
	}
	k := &lumped{quotient: q, rule: rules[i], start: make([]int, 1, q.States()+1)}
	short := true
	for x := range q.States() {
		k.moves = q.AppendMoves(k.moves, x, k.rule.proposal)
		k.start = append(k.start, len(k.moves))
		short = short && lone(k.moves[k.start[x]:])
	}
	if short && k.rule.acceptance == DrawLine {
		k.rule.acceptance = AcceptBarker
		k.rule.accept = barkerAccept
		k.rule.refuse = barkerRefuse
	}
	return Lumped{k}, nil
}

// lumpedNames are the names of the kernels that are known to lump, for messages.
func lumpedNames() string {
	text := ""
	for i, r := range lumpedRules() {
		switch {
		case i == len(lumpedRules())-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += r.name
	}
	return text
}

// Proposal returns the kind of proposal that a member of a class makes.
func (k Lumped) Proposal() quotients.Proposal { return k.rule.proposal }

// Quotient returns the space.
func (k Lumped) Quotient() quotients.Quotient { return k.quotient }

// Moves returns the proposals of a member of class x, which must not be changed.
func (k Lumped) Moves(x int) []quotients.Move { return k.moves[k.start[x]:k.start[x+1]] }

// Acceptance is the acceptance rule of a Lumped.
type Acceptance int

const (
	AcceptMetropolis Acceptance = iota // with min(1, f(y)/f(x))
	AcceptBarker                       // with f(y)/(f(x)+f(y)), also for a heat bath on lines of two states
	// no proposal is accepted or refused: a state is drawn from a line of more than two
	DrawLine
)

// Acceptance returns how the kernel answers a proposal.
func (k Lumped) Acceptance() Acceptance { return k.rule.acceptance }

// lone reports whether every line of a class leads to one other state at most.
func lone(moves []quotients.Move) bool {
	for i, m := range moves {
		if m.Count > 1 || i > 0 && m.Line == moves[i-1].Line {
			return false
		}
	}
	return true
}

// Move draws from the row.
func (k Lumped) Move(c chains.Chooser, logf []float64, x int) int {
	return moveByRow(c, k.AppendRow(nil, logf, x))
}

// moveByRow draws from a row.
func moveByRow(c chains.Chooser, row []chains.Entry) int {
	p := make([]float64, len(row))
	for i, e := range row {
		p[i] = e.P
	}
	return row[c.Choose(p)].To
}

// AppendRow appends at most one entry for every move, and one for staying.
func (k Lumped) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	if k.rule.acceptance == DrawLine {
		return k.appendLines(dst, logf, x)
	}
	from := k.member(logf, x)
	stay := 0.0
	for _, m := range k.Moves(x) {
		if m.To == x {
			stay += m.Share
			continue
		}
		to := k.member(logf, m.To)
		stay += m.Share * k.rule.refuse(from, to)
		if p := m.Share * k.rule.accept(from, to); p > 0 {
			dst = append(dst, chains.Entry{To: m.To, P: p})
		}
	}
	return appendStay(dst, x, stay)
}

// member returns log f of a single member of a class.
func (k Lumped) member(logf []float64, x int) float64 { return logf[x] - k.quotient.LogMembers()[x] }

// appendLines appends the row of a heat bath: a line is chosen, and a state of it drawn in
// proportion to f.
func (k Lumped) appendLines(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	stay := 0.0
	for moves := k.Moves(x); len(moves) > 0; {
		n := 1
		for n < len(moves) && moves[n].Line == moves[0].Line {
			n++
		}
		line := moves[:n]
		moves = moves[n:]
		top := k.member(logf, x)
		share := 0.0
		for _, m := range line {
			top = max(top, k.member(logf, m.To))
			share += m.Share
		}
		if math.IsInf(top, -1) { // f is zero on the whole line
			stay += share
			continue
		}
		total := math.Exp(k.member(logf, x) - top)
		for _, m := range line {
			total += float64(m.Count) * math.Exp(k.member(logf, m.To)-top)
		}
		for _, m := range line {
			p := share * (float64(m.Count) * math.Exp(k.member(logf, m.To)-top) / total)
			switch {
			case m.To == x:
				stay += p
			case p > 0:
				dst = append(dst, chains.Entry{To: m.To, P: p})
			}
		}
		stay += share * (math.Exp(k.member(logf, x)-top) / total)
	}
	return appendStay(dst, x, stay)
}

// AppendFrame appends the proposals. A move to the same class adds to the entry of x, the last one.
func (k Lumped) AppendFrame(dst []chains.Entry, x int) []chains.Entry {
	stay := 0.0
	for _, m := range k.Moves(x) {
		if m.To == x {
			stay += m.Share
			continue
		}
		dst = append(dst, chains.Entry{To: m.To, P: m.Share})
	}
	return append(dst, chains.Entry{To: x, P: stay})
}

// FillFrame fills the rows: by Metropolis or Barker for f of single members, or else row by row.
func (k Lumped) FillFrame(f *frames.Frame, v *frames.Values) {
	if k.rule.acceptance == DrawLine {
		k.fillLines(f, v)
		return
	}
	members := make([]float64, len(v.LogF))
	for x := range members {
		members[x] = k.member(v.LogF, x)
	}
	var single frames.Values
	single.Load(members)
	if k.rule.acceptance == AcceptBarker {
		fillBarker(f, &single)
		return
	}
	fillMetropolis(f, &single)
}

// fillLines fills the rows of a heat bath.
func (k Lumped) fillLines(f *frames.Frame, v *frames.Values) {
	var entries []chains.Entry
	for x := range v.LogF {
		entries = k.appendLines(entries[:0], v.LogF, x)
		placeEntries(f.Row(x), entries)
	}
}

// States returns the number of classes.
func (k Lumped) States() int { return k.quotient.States() }

// String returns the selector, which is that of the kernel of the larger space.
func (k Lumped) String() string { return k.rule.name }

// Evaluations returns the number of evaluations of log f in a move of the larger space: at the
// state that it proposes, or at the other states of the longest line.
func (k Lumped) Evaluations() float64 {
	most := 1
	for x := range k.States() {
		count := 0
		line := -1
		for _, m := range k.Moves(x) {
			if m.Line != line {
				count = 0
				line = m.Line
			}
			count += m.Count
			most = max(most, count)
		}
	}
	if k.rule.acceptance != DrawLine {
		return 1
	}
	return float64(most)
}

// onClasses returns the named kernel if the space is a quotient, and false otherwise.
func (on Env) onClasses(name string) (k chains.Kernel, is bool, err error) {
	q, is := on.Space.(quotients.Quotient)
	if !is {
		return nil, false, nil
	}
	k, err = newLumped(name, q)
	return k, true, err
}

// lumping returns a form that gives a Lumped of its name if the space is a quotient.
func lumping(form func() kernelForm) func() kernelForm {
	return func() kernelForm {
		f := form()
		plain := f.Parse
		f.Parse = func(args selector.Args, on Env) (chains.Kernel, error) {
			if k, is, err := on.onClasses(selector.NameOf(f.Syntax)); is {
				return k, args.Wrap(err)
			}
			return plain(args, on)
		}
		return f
	}
}
