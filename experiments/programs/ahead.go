package programs

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/work"
)

const (
	// aheadStates is about the number of states, of all distributions together, that a program is
	// asked about ahead.
	aheadStates = 1 << 17
	// aheadProbabilities is the largest number of probabilities that are kept of what a program has
	// told ahead.
	aheadProbabilities = 1 << 23
	// aheadFailures is the number of states after which a program is not asked ahead any longer, if
	// it leaves out their trees.
	aheadFailures = 3
)

// ahead are the moves that a program has sent before they are asked for: for states under
// distributions to come, the tree of its choices. A state that the program leaves out is asked for
// by a move, as it is of a program that cannot tell ahead.
type ahead struct {
	able          bool        // whether the program says that it can
	distributions [][]float64 // those that are asked about, in the order in which they are needed
	last          int         // the distribution that was looked up last
	// by distribution and state, up to where the program has told; nil if it has left one out
	trees         []*told
	failures      int
	probabilities int
	process       *process // the process that knows the distributions
}

// told is the tree of a state under one distribution.
type told struct {
	tree          []node
	probabilities []float64 // those of all nodes
}

// node is a choice in a tree, or a state where a move ends.
type node struct {
	line  line
	first int     // the place of its first probability
	next  []int32 // by outcome: the place of the node that follows it, or -1 for one that is impossible
}

// line is a line of a tree: a choice without its probabilities, or if the move ends. It has at most
// one of the fields, and none for an outcome that is impossible.
type line struct {
	Choose  *int  `json:"choose"`
	Flip    *bool `json:"flip"`
	Uniform *int  `json:"uniform"`
	State   *int  `json:"state"`
	// the move made other choices when it was run again; the only line of its tree
	Changed *bool `json:"changed"`
}

// Foresee implements chains.Foreseer. An error of the program is reported at the next Move.
func (k *Program) Foresee(next iter.Seq[[]float64]) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.Samples() || k.ahead.failures >= aheadFailures {
		return
	}
	var to [][]float64
	for logf := range next {
		if to == nil && (k.ahead.findAnswer(logf) || !k.canTellAhead(logf)) {
			return
		}
		to = append(to, slices.Clone(logf))
		if len(to)*len(logf) >= aheadStates {
			break
		}
	}
	k.ahead = ahead{able: true, distributions: to, failures: k.ahead.failures}
}

// canTellAhead starts the program and tells it a distribution if it has not said yet whether it can
// tell ahead.
func (k *Program) canTellAhead(logf []float64) bool {
	return k.ahead.able || k.logf == nil && k.prepare(logf) == nil && k.ahead.able
}

// findAnswer looks up a distribution, at first behind the one that was looked up last, and returns
// whether it is there.
func (a *ahead) findAnswer(logf []float64) bool {
	for i := range a.distributions {
		if at := (a.last + i) % len(a.distributions); slices.Equal(a.distributions[at], logf) {
			a.last = at
			return true
		}
	}
	return false
}

// toldAhead returns the tree of a state under a distribution, nil if the program is to be asked for
// a move.
func (k *Program) toldAhead(logf []float64, x int) *told {
	k.mu.Lock()
	defer k.mu.Unlock()
	a := &k.ahead
	if !a.findAnswer(logf) {
		return nil
	}
	at := a.last*len(logf) + x
	for at >= len(a.trees) && a.failures < aheadFailures {
		if err := k.askAhead(len(logf)); err != nil {
			panic(err)
		}
	}
	if at >= len(a.trees) {
		return nil
	}
	return a.trees[at]
}

// forest is the answer of a program that tells ahead.
type forest struct {
	Trees []struct {
		From   int         `json:"from"`
		Stages []int       `json:"stages"`
		Tree   []line      `json:"tree"`
		P      [][]float64 `json:"p"`
	} `json:"trees"`
	Told int `json:"told"`
	ID   int `json:"id"`
}

// askAhead asks the program for the trees that follow those that it has told.
func (k *Program) askAhead(states int) error {
	a := &k.ahead
	k.account = account{}
	if k.p == nil {
		if err := k.prepare(a.distributions[0]); err != nil {
			return err
		}
	}
	if a.process != k.p {
		all := make([][]*float64, len(a.distributions))
		for i, logf := range a.distributions {
			all[i] = encode(logf)
		}
		if _, err := k.sendReady("to take the distributions to come",
			map[string]any{"stages": all, "shape": k.shape}); err != nil {
			return err
		}
		a.process = k.p
	}
	var f forest
	k.id++
	begin := len(a.trees)
	what := fmt.Sprintf("for its choices from state %d on", begin%states)
	if err := k.ask(what, map[string]any{"tell": []int{begin / states, begin % states}, "id": k.id}, &f); err != nil {
		return err
	}
	if f.ID != k.id {
		return k.fail(fmt.Errorf("it answers request %d with id %d", k.id, f.ID))
	}
	if left := len(a.distributions)*states - begin; f.Told < 1 || f.Told > left {
		return k.fail(fmt.Errorf("it sent %d states instead of 1 to %d", f.Told, left))
	}
	a.trees = append(a.trees, make([]*told, f.Told)...)
	if err := k.plant(&f, begin, states); err != nil {
		return k.fail(err)
	}
	for _, t := range a.trees[begin:] {
		if t == nil {
			a.failures++
		}
	}
	return nil
}

// plant takes the trees of an answer over, whose first state is given by its place.
func (k *Program) plant(f *forest, begin, states int) error {
	a := &k.ahead
	for _, t := range f.Trees {
		if len(t.Tree) == 1 && t.Tree[0].Changed != nil {
			return work.AtStates(errs.New(
				"a move from state %d made different choices when it was run again with the same "+
					"outcomes; it must depend on nothing else",
				t.From,
			), t.From)
		}
		tree, probabilities, err := grow(t.Tree)
		if err != nil {
			return fmt.Errorf("its tree of state %d: %w", t.From, err)
		}
		if len(t.P) != len(t.Stages) {
			return fmt.Errorf("its tree of state %d has probabilities of %d stages instead of %d", t.From,
				len(t.P), len(t.Stages))
		}
		for i, stage := range t.Stages {
			at := stage*states + t.From
			if stage < 0 || t.From < 0 || t.From >= states || at < begin || at >= len(a.trees) ||
				a.trees[at] != nil {
				return fmt.Errorf("it sent state %d at stage %d, which was not requested, or sent it twice",
					t.From, stage)
			}
			grown := &told{tree, t.P[i]}
			if err := grown.checkOutcomes(probabilities); err != nil {
				return fmt.Errorf("its tree of state %d at stage %d: %w", t.From, stage, err)
			}
			a.trees[at] = grown
			k.meter.lines += int64(len(tree)) // each stands for a line of a program that does not tell ahead
			k.meter.choices += len(tree)
			a.probabilities += probabilities
		}
	}
	if a.probabilities > aheadProbabilities {
		a.shorten(states)
	}
	return nil
}

// shorten leaves the distributions out that the program has told nothing of yet. If there is only
// one, the program is not asked ahead any longer.
func (a *ahead) shorten(states int) {
	begun := (len(a.trees) + states - 1) / states
	a.distributions = a.distributions[:begun]
	a.process = nil
	if begun == 1 {
		a.failures = aheadFailures
	}
}

// grow makes a tree of its lines, which stand in the order in which they come if the first possible
// outcome is always taken first: each choice before all that follows its first outcome, and this
// before all that follows the next. It returns the number of probabilities.
func grow(lines []line) (tree []node, probabilities int, err error) {
	tree = make([]node, len(lines))
	left := len(lines) - 1
	var open []int // the choices of which outcomes are still to come
	for i, l := range lines {
		if i > 0 {
			if len(open) == 0 {
				return nil, 0, errors.New("it continues after its end")
			}
			top := &tree[open[len(open)-1]]
			next := int32(i)
			if l == (line{}) {
				next = -1
			}
			top.next = append(top.next, next)
			if len(top.next) == cap(top.next) {
				open = open[:len(open)-1]
			}
		}
		outcomes, weights, err := l.countOutcomes()
		if err != nil {
			return nil, 0, err
		}
		left -= outcomes
		if left < 0 {
			break
		}
		tree[i] = node{line: l, first: probabilities}
		probabilities += weights
		if outcomes > 0 {
			tree[i].next = make([]int32, 0, outcomes)
			open = append(open, i)
		}
		if len(open) > chains.MaxChoices {
			return nil, 0, fmt.Errorf("more than %d choices without a result; bound its loops", chains.MaxChoices)
		}
	}
	if left != 0 || lines[0] == (line{}) {
		return nil, 0, errors.New("it ends before it has listed all outcomes of its choices")
	}
	return tree, probabilities, nil
}

// countOutcomes returns the number of outcomes of a line, and of those the number that have a
// probability of their own.
func (l *line) countOutcomes() (outcomes, probabilities int, err error) {
	said := 0
	for _, is := range []bool{
		l.Choose != nil, l.Flip != nil, l.Uniform != nil, l.State != nil, l.Changed != nil} {
		if is {
			said++
		}
	}
	switch {
	case said > 1 || l.Changed != nil:
		return 0, 0, errors.New("a line must have one of choose, flip, uniform and state")
	case l.Flip != nil:
		return 2, 1, nil
	case l.Uniform != nil:
		outcomes = *l.Uniform
	case l.Choose != nil:
		outcomes, probabilities = *l.Choose, *l.Choose
	default:
		return 0, 0, nil
	}
	if outcomes < 1 || outcomes > maxWalked {
		return 0, 0, errs.New("a choice of %d outcomes; give 1 to %d", outcomes, maxWalked)
	}
	return outcomes, probabilities, nil
}

// checkOutcomes returns an error where probabilities are missing, or an outcome that is possible is
// left out.
func (t *told) checkOutcomes(probabilities int) error {
	if len(t.probabilities) != probabilities {
		return fmt.Errorf("it has %d probabilities, but its choices need %d", len(t.probabilities), probabilities)
	}
	for i := range t.tree {
		for outcome, next := range t.tree[i].next {
			if next < 0 && t.chance(&t.tree[i], outcome) != 0 {
				return fmt.Errorf("it omits the possible outcome %d of a choice", outcome)
			}
		}
	}
	return nil
}

// chance returns the probability of an outcome, or a positive number if all are equally likely.
func (t *told) chance(n *node, outcome int) float64 {
	switch {
	case n.line.Choose != nil:
		return t.probabilities[n.first+outcome]
	case n.line.Flip != nil && outcome == 1:
		return t.probabilities[n.first]
	case n.line.Flip != nil:
		return 1 - t.probabilities[n.first]
	}
	return 1
}

// walkTree makes a move along the tree with its choices made by c.
func (t *told) walkTree(c chains.Chooser) int {
	for n := &t.tree[0]; ; {
		outcome := 0
		switch l := &n.line; {
		case l.State != nil:
			return *l.State
		case l.Uniform != nil:
			outcome = c.Uniform(*l.Uniform)
		case l.Choose != nil:
			outcome = c.Choose(t.probabilities[n.first : n.first+*l.Choose])
		case c.Flip(t.probabilities[n.first]):
			outcome = 1
		}
		n = &t.tree[n.next[outcome]]
	}
}
