package program

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"math/bits"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Ending is the reason why an enumeration of the likeliest branches has ended.
type Ending int

const (
	// Whole: every branch that is not below the cut has been enumerated.
	Whole Ending = iota
	// ByBranches: Options.Branches runs were made.
	ByBranches
	// ByMemory: the choices on the way to the branches take mostHeld bytes.
	ByMemory
	// ByTime: the context has ended.
	ByTime
)

// mostHeld is the largest number of bytes of the choices on the way to branches.
const mostHeld = 256 << 20

// mostKept is the largest number of choices on the way to branches that are run again at the end.
const mostKept = 1 << 20

// Likely is the distribution that Likeliest finds, with the statistics of its search.
type Likely[V comparable] struct {
	Law[V]
	Branches []int   // how many branches each outcome has
	Cut      float64 // the probability of the branches dropped because they are below Options.Cut
	Left     float64 // the unexplored probability at the end; Cut and Left together are the remainder
	Ended    Ending
}

// Likeliest returns the distribution of the result of a program as far as Options.Branches runs and
// the context allow. It explores the most probable branches first, so that little probability is
// unexplored if it ends early, and reports how much. (Enumerate returns no distribution then, but
// takes no memory for waiting branches.) A branch is dropped if its probability is below the cut,
// regardless of its number of choices.
//
// The conditions on the program are those of Enumerate. The branches of which it makes second runs
// are run once more at the end, in another order, which detects a program that keeps state between
// runs. walked, which may be nil, is called with the probability of each branch that has a result.
// The errors are those of Enumerate, except that too many branches or outcomes, and the end of the
// context, are not errors.
//
// A branch that waits has the product of the probabilities of its choices so far, which bounds
// those of all runs below it. So the next one is the largest of a heap.
func Likeliest[V comparable](ctx context.Context, f func(chains.Chooser) V, o Options,
	walked func(p float64)) (*Likely[V], error) {
	l, err := o.limits()
	if err != nil {
		return nil, err
	}
	e := newEnumeration[V]()
	out := &Likely[V]{}
	var v V
	s := &search{limits: l, run: func(c chains.Chooser) { v = f(c) }}
	again := func(way []turn, before V) error {
		if err := s.again(way); err != nil || v == before {
			return err
		}
		return errorAbout(NotRepeatable,
			"returned %v and then %v with the same outcomes; it must depend on nothing else", before, v)
	}
	type branch struct {
		way []turn
		v   V
	}
	var kept []branch
	turns := 0 // of all that are kept
	out.Ended, err = s.exploreAll(ctx, func(leaf int) error {
		if err := checkEqual(v); err != nil {
			return err
		}
		e.addBranch(v, s.p)
		if walked != nil {
			walked(s.p)
		}
		if i := e.law.place[v]; i < len(out.Branches) {
			out.Branches[i]++
		} else {
			out.Branches = append(out.Branches, 1)
		}
		if !isRepeated(leaf) {
			return nil
		}
		turns += len(s.way)
		if turns <= mostKept || kept == nil {
			kept = append(kept, branch{slices.Clone(s.way), v})
		}
		return again(s.way, v)
	})
	for i := range uint8(1 << 7) { // more than are kept, by their bits in reverse
		if k := int(bits.Reverse8(i) >> 1); k < len(kept) && err == nil && ctx.Err() == nil {
			err = again(kept[k].way, kept[k].v)
		}
	}
	if err != nil && !chains.Ended(ctx, err) {
		return nil, err
	}
	e.sumOutcomes()
	out.Law, out.Cut, out.Left = e.law, number.Total(s.cuts), s.waitingMass()
	out.remainder = out.Cut + out.Left
	out.runs = s.runs
	return out, nil
}

// search is the Chooser that explores the most probable branches first. It keeps every choice with
// unexplored outcomes, ordered by the probability of the next of these; for one goroutine.
type search struct {
	limits  Limits
	run     func(chains.Chooser)
	waiting forks
	forks   int       // that were found
	held    int       // their bytes
	cuts    []float64 // the dropped probabilities, or partial sums of them
	lost    float64   // the probability of a branch whose run was ended by the context
	runs    int

	way     []turn // the choices of this run, from the first on
	known   int    // how many of them are given
	depth   int    // choices made in this run
	p       float64
	only    bool // whether this run must stop after the known choices
	stopped any  // what the first choice that panicked in this run has panicked with; see Branches
}

// turn is a choice with an outcome.
type turn struct {
	at      *fork
	outcome int
}

// fork is a choice to which a run has come.
type fork struct {
	from    turn    // how; the first choice of a program is from none
	p       float64 // the probability to come here
	asked   uint64  // tells this choice from others
	options []option
	alike   int // the number of outcomes if all are equally likely and options is nil
	next    int // how many outcomes have been started
	number  int // forks are numbered in the order in which they are found
}

// option is an outcome of a choice that is not below the cut, the most probable one first.
type option struct {
	outcome int32
	p       float64
}

// option returns an outcome by its place.
func (f *fork) option(i int) option {
	if f.options == nil {
		return option{int32(i), 1 / float64(f.alike)}
	}
	return f.options[i]
}

// count returns the number of outcomes.
func (f *fork) count() int { return max(f.alike, len(f.options)) }

// nextProbability returns the probability of the branch that takes the next outcome.
func (f *fork) nextProbability() float64 { return f.p * f.option(f.next).p }

// forks is a heap, of which the first is the fork with the most probable next outcome. Of equal
// ones the latest is before the others, which leaves fewer waiting.
type forks []*fork

func (f forks) Len() int      { return len(f) }
func (f forks) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *forks) Push(x any)   { *f = append(*f, x.(*fork)) }
func (f forks) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(f[j].nextProbability(), f[i].nextProbability()),
		cmp.Compare(f[j].number, f[i].number)) < 0
}
func (f *forks) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// exploreAll explores until nothing is left or a limit is reached, and calls leaf with the number
// of each branch that has a result, whose probability is s.p.
func (s *search) exploreAll(ctx context.Context, leaf func(n int) error) (Ending, error) {
	leaves := 0
	for s.runs == 0 || len(s.waiting) > 0 {
		switch {
		case ctx.Err() != nil:
			return ByTime, nil
		case s.runs == s.limits.Branches:
			return ByBranches, nil
		case s.held > mostHeld:
			return ByMemory, nil
		}
		p := 1.0 // of the branch of this run
		s.runs++
		if s.runs > 1 {
			p = s.waiting[0].nextProbability()
			s.choosePath()
		}
		given, err := s.runBranch()
		if chains.Ended(ctx, err) {
			s.lost = min(p, s.p) // the alternatives on the way wait separately
			return ByTime, nil
		}
		if err == nil && !given {
			leaves++
			p := s.p
			err = leaf(leaves)
			s.p = p
		}
		if chains.Ended(ctx, err) { // in the run that repeats the branch
			return ByTime, nil
		}
		if err != nil {
			return Whole, err
		}
	}
	return Whole, nil
}

// choosePath makes the way to the most probable branch that waits.
func (s *search) choosePath() {
	f := s.waiting[0]
	s.way = s.way[:0]
	for t := (turn{f, int(f.option(f.next).outcome)}); t.at != nil; t = t.at.from {
		s.way = append(s.way, t)
	}
	slices.Reverse(s.way)
	f.next++
	if f.next < f.count() {
		heap.Fix(&s.waiting, 0)
		return
	}
	heap.Pop(&s.waiting)
	f.options = nil
}

// again runs the program along a completed branch again.
func (s *search) again(way []turn) error {
	s.way = append(s.way[:0], way...)
	s.only = true
	_, err := s.runBranch()
	s.only = false
	return err
}

// runBranch runs the program along the way, and continues by the most probable outcomes. It reports
// whether the branch was dropped.
func (s *search) runBranch() (given bool, err error) {
	s.known = len(s.way)
	s.depth = 0
	s.p = 1
	s.stopped = nil
	defer func() {
		r := recover()
		if s.stopped != nil {
			r = s.stopped
		}
		if r == nil {
			return
		}
		_, given = r.(cut)
		if !given {
			err = asError(r)
		}
	}()
	s.run(s)
	if s.stopped == nil && s.depth < s.known {
		return false, otherChoices("fewer")
	}
	return false, nil
}

// stop ends the run; see Branches.
func (s *search) stop(why any) {
	if s.stopped == nil {
		s.stopped = why
	}
	panic(s.stopped)
}

// choice makes a choice among n outcomes with the probabilities p, or equal ones if p is nil.
func (s *search) choice(kind byte, n int, p []float64) int {
	asked := mixed(uint64(kind), uint64(n))
	for _, q := range p {
		asked = mixed(asked, math.Float64bits(q))
	}
	if s.depth < s.known {
		t := s.way[s.depth]
		if t.at.asked != asked {
			s.stop(otherChoices("other"))
		}
		return s.proceed(t, n, p)
	}
	switch {
	case s.only:
		s.stop(otherChoices("more"))
	case s.depth == s.limits.Choices:
		s.stop(errorAbout(TooManyChoices, "made more than %d choices; bound its loops", s.limits.Choices))
	}
	f := &fork{p: s.p, asked: asked, number: s.forks}
	s.forks++
	if s.depth > 0 {
		f.from = s.way[s.depth-1]
	}
	s.divide(f, n, p)
	if f.count() == 0 {
		s.stop(cut{})
	}
	t := turn{f, int(f.option(0).outcome)}
	s.way = append(s.way, t)
	f.next = 1
	if f.next < f.count() {
		heap.Push(&s.waiting, f)
	}
	return s.proceed(t, n, p)
}

// mixed returns a hash of two numbers.
func mixed(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd1b54a32d192ed03)
	return high ^ low + a
}

// proceed continues with the outcome of a choice.
func (s *search) proceed(t turn, n int, p []float64) int {
	s.depth++
	if p == nil {
		s.p /= float64(n)
	} else {
		s.p *= p[t.outcome]
	}
	return t.outcome
}

// Uniform implements chains.Chooser.
func (s *search) Uniform(n int) int {
	if err := chains.CheckUniform(n); err != nil {
		s.stop(invalid(err))
	}
	return s.choice('u', n, nil)
}

// Flip implements chains.Chooser. True is the first outcome.
func (s *search) Flip(p float64) bool {
	if err := chains.CheckFlip(p); err != nil {
		s.stop(invalid(err))
	}
	return s.choice('f', 2, []float64{p, 1 - p}) == 0
}

// Choose implements chains.Chooser.
func (s *search) Choose(p []float64) int {
	if err := chains.CheckChoose(p); err != nil {
		s.stop(invalid(err))
	}
	return s.choice('c', len(p), p)
}

// divide finds the outcomes of a choice that are not below the cut, and drops the others.
func (s *search) divide(f *fork, n int, p []float64) {
	const forkBytes, optionBytes = 128, 16
	s.held += forkBytes
	if p == nil {
		if f.p/float64(n) >= s.limits.Cut {
			f.alike = n
		} else {
			s.giveUp(f.p)
		}
		return
	}
	for i, q := range p {
		switch {
		case q == 0:
		case f.p*q >= s.limits.Cut:
			f.options = append(f.options, option{int32(i), q})
		default:
			s.giveUp(f.p * q)
		}
	}
	slices.SortStableFunc(f.options, func(a, b option) int { return cmp.Compare(b.p, a.p) })
	s.held += optionBytes * len(f.options)
}

// giveUp adds to the dropped probability.
func (s *search) giveUp(p float64) {
	if len(s.cuts) == termsKept {
		s.cuts = together(s.cuts)
	}
	s.cuts = append(s.cuts, p)
}

// waitingMass returns the probability of all waiting branches.
func (s *search) waitingMass() float64 {
	if s.runs == 0 {
		return 1
	}
	terms := []float64{s.lost}
	for _, f := range s.waiting {
		if f.options == nil {
			terms = append(terms, f.p*(float64(f.alike-f.next)/float64(f.alike)))
			continue
		}
		for _, o := range f.options[f.next:] {
			terms = append(terms, f.p*o.p)
		}
	}
	return number.Total(terms)
}
