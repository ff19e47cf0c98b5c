package networks

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// DefaultMemory is the memory, in bytes, that an elimination may take by default.
const DefaultMemory = 1e9

// OwnMemory is the memory, in bytes, that a program takes beside the tables of an elimination: its
// code, what it reads and writes, and garbage. The program breadboard takes up to 50 MB for planes,
// tori and networks of some hundred variables.
const OwnMemory = 64e6

// step is the elimination of one variable: the product of all tables that it is in, summed over it,
// is its message, a table for a later step.
type step struct {
	variable int
	scope    []int // the variables of the message, in the order in which they are eliminated
	size     float64
	parent   int // the step that takes the message; the number of steps if none does
	children []int
}

// plan is an elimination: its order, what is kept of it for the way backwards, and the memory that
// this takes.
type plan struct {
	cards    []int
	steps    []step
	position []int // of each variable in the order; those that are not eliminated come behind the others
	cuts     []int // the first steps of the segments, nil if there is no way backwards
	bytes    float64
	tables   float64 // of these, the bytes of tables
	work     float64 // the time that it takes, in times of the fastest way through an entry of a table
	wide     bool    // whether memory is counted for large tables of Wide numbers
}

// need is what a plan is for.
type need struct {
	memory float64 // the bytes that it may take
	back   bool    // whether there is a way backwards
	laws   bool    // whether that computes the distribution of each scope
	other  float64 // the bytes that are taken besides
	along  []int   // an order that may be good, or nil
	wide   bool
}

// newPlan returns the plan of an order, with as few segments as its memory allows.
func newPlan(o order, cards []int, n need) *plan {
	p := &plan{cards: cards, steps: o.steps, position: make([]int, len(cards)), wide: n.wide}
	for v := range p.position {
		p.position[v] = len(o.steps) + v
	}
	for i, s := range o.steps {
		p.position[s.variable] = i
	}
	for i := range p.steps {
		s := &p.steps[i]
		s.scope = p.ordered(s.scope)
		s.size, s.parent, s.children = entries(s.scope, cards), p.reorderStep(s.scope), nil
	}
	for i, s := range p.steps {
		if s.parent < len(p.steps) {
			p.steps[s.parent].children = append(p.steps[s.parent].children, i)
		}
	}
	p.price()
	for segments := 1; segments == 1 ||
		n.back && segments <= len(p.steps) && p.bytes > n.memory; segments *= 2 {
		if n.back {
			p.cut(segments)
		}
		c := &counter{plan: p, laws: n.laws, entry: entryBytes}
		if n.wide {
			c.entry = wideBytes
		}
		ctx := context.Background() // to count takes no time
		p.forwards(ctx, c)
		if n.back {
			p.backwards(ctx, c)
		}
		p.tables = c.most
		p.bytes = c.most + n.other
	}
	return p
}

const (
	entryBytes = 8
	wideBytes  = 16 // of a number.Wide, and of a number.Sum
)

// ordered returns variables in the order in which they are eliminated, each once.
func (p *plan) ordered(scope []int) []int {
	list := slices.Clone(scope)
	slices.SortStableFunc(list, func(a, b int) int { return p.position[a] - p.position[b] })
	return slices.Compact(list)
}

// reorderStep returns the step that takes a table over an ordered scope.
func (p *plan) reorderStep(scope []int) int {
	if len(scope) == 0 {
		return len(p.steps)
	}
	return min(len(p.steps), p.position[scope[0]])
}

// price estimates the time. Steps with several large tables take several times as long for each
// entry.
func (p *plan) price() {
	const several = 6
	p.work = 0
	for _, s := range p.steps {
		large := 0
		cost := 1.0
		for _, j := range s.children {
			if p.steps[j].size > smallEntries {
				large++
			}
		}
		if large > 1 {
			cost = several
		}
		p.work += cost * s.size * float64(p.cards[s.variable])
	}
}

// cut divides the steps into segments whose messages have about as many entries.
func (p *plan) cut(segments int) {
	total := 0.0
	sum := 0.0
	for _, s := range p.steps {
		total += s.size
	}
	p.cuts = []int{0}
	for i, s := range p.steps {
		sum += s.size
		if sum >= total*float64(len(p.cuts))/float64(segments) && i+1 < len(p.steps) {
			p.cuts = append(p.cuts, i+1)
		}
	}
}

// kept reports whether the message of a step is there at the beginning of a segment.
func (p *plan) kept(i int) bool {
	next := sort.SearchInts(p.cuts, i+1)
	return next < len(p.cuts) && p.cuts[next] <= p.steps[i].parent
}

// worker does what a plan says: make computes the message of a step, visit is the way backwards
// through it, and drop forgets its message.
type worker interface {
	make(ctx context.Context, i int) error
	visit(ctx context.Context, i int) error
	drop(i int)
}

// forwards makes all messages. It drops those that have been taken, but for what is kept for the
// way backwards, and for the last segment.
func (p *plan) forwards(ctx context.Context, w worker) error {
	last := len(p.steps)
	if p.cuts != nil {
		last = p.cuts[len(p.cuts)-1]
	}
	for i, s := range p.steps {
		if err := w.make(ctx, i); err != nil {
			return err
		}
		for _, j := range s.children {
			if i < last && !p.kept(j) {
				w.drop(j)
			}
		}
	}
	return nil
}

// backwards visits all steps from the last to the first. It makes the messages of a segment again
// before it visits its steps.
func (p *plan) backwards(ctx context.Context, w worker) error {
	for k := len(p.cuts) - 1; k >= 0; k-- {
		end := len(p.steps)
		if k+1 < len(p.cuts) {
			end = p.cuts[k+1]
			for i := p.cuts[k]; i < end; i++ {
				if p.kept(i) {
					continue
				}
				if err := w.make(ctx, i); err != nil {
					return err
				}
			}
		}
		for i := end - 1; i >= p.cuts[k]; i-- {
			if err := w.visit(ctx, i); err != nil {
				return err
			}
			w.drop(i)
		}
	}
	return nil
}

// counter is a worker that counts the memory of the others.
type counter struct {
	*plan
	laws      bool
	entry     float64 // the bytes of an entry of a table
	now, most float64
}

// countEntries counts entries that stay, and some that do not.
func (c *counter) countEntries(stay, besides float64) {
	c.now += c.entry * stay
	c.most = max(c.most, c.now+c.entry*besides)
}

func (c *counter) make(_ context.Context, i int) error {
	c.countEntries(c.steps[i].size, c.steps[i].size+float64(c.cards[c.steps[i].variable]))
	return nil
}

func (c *counter) visit(_ context.Context, i int) error {
	if c.laws {
		for _, j := range c.steps[i].children {
			c.countEntries(c.steps[j].size, 0)
		}
		c.countEntries(0, 2*c.steps[i].size)
		c.now -= c.entry * c.steps[i].size
	}
	return nil
}

func (c *counter) drop(i int) { c.now -= c.entry * c.steps[i].size }

// TooWide is the error for factors whose elimination would need too large tables.
type TooWide struct {
	Scope  []int   // the variables of the largest table of the order that takes the least memory
	Bytes  float64 // the memory that it takes
	Limit  float64 // the memory that it may take
	Least  bool    // whether it takes more, since it was not followed to its end
	Orders int     // how many orders were tried
	Alone  float64 // the memory that log Z alone takes; zero if that is no less, or too much too

	name func(v int) string // nil if variables have numbers alone
}

// Error implements error. It says what is too large and the cure.
func (e *TooWide) Error() string {
	names := make([]string, len(e.Scope))
	for i, v := range e.Scope {
		names[i] = strconv.Itoa(v)
		if e.name != nil {
			names[i] = e.name(v)
		}
	}
	more := ""
	alone := ""
	if e.Least {
		more = " or more"
	}
	if e.Alone > 0 {
		alone = fmt.Sprintf("ask for log Z alone, which takes %.3g GB, or ", e.Alone/1e9)
	}
	return fmt.Sprintf("elimination has width %d%s and would take %s%s, in the best of %s, and the limit is %.3g GB; "+
		"%sgive evidence for some of the variables that stand in its largest table: %s",
		len(e.Scope)-1, more, errs.Memory(e.Bytes), more, selector.Count(e.Orders, "order"), e.Limit/1e9, alone,
		listed(names))
}

// Enough returns the memory that is enough for the elimination, as text for selector.ParseBytes;
// empty if it is a terabyte or more, or not known.
func (e *TooWide) Enough() string {
	const most = 1e12
	if e.Least || e.Bytes >= most {
		return ""
	}
	return strconv.FormatFloat(math.Ceil(e.Bytes/1e9), 'f', 0, 64) + "GB"
}

// listed joins names with commas, the first twelve of many.
func listed(names []string) string {
	const most = 12
	text := ""
	for i, name := range names[:min(len(names), most)] {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	if len(names) > most {
		text += fmt.Sprintf(",... (%d in all)", len(names))
	}
	return text
}
