package draws

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/policies"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/study/check"
	"breadboard/experiments/verdicts"
)

// cell is a run of values of log w of forward paths to a state, each near the next.
type cell struct {
	state     int
	low, high float64
	p         float64
}

// pathLaw is the joint distribution of the state at the end of forward paths and log w.
type pathLaw struct {
	cells     []cell // by state, and then ascending
	first     []int  // of each state, and behind the last one
	tolerance float64
}

const (
	// writtenWeight is how far a log weight may be from an exact one, relative to the largest
	// logarithm in it: a sum of some dozen numbers of float32 comes closer, and so do six digits.
	writtenWeight = 5e-6
	// leastNamed is how many draws of a program are read before a fault is explained.
	leastNamed = 2000
	// mostPaths is the most draws that are compared with the known mistakes.
	mostPaths = 1 << 18
)

func newPathLaw(ends [][]policies.Atom, tolerance float64) *pathLaw {
	l := &pathLaw{tolerance: tolerance}
	for x, atoms := range ends {
		l.first = append(l.first, len(l.cells))
		for _, a := range atoms {
			p := max(math.Exp(a.LogP), math.SmallestNonzeroFloat64)
			if last := len(l.cells) - 1; last >= l.first[x] && a.LogW-l.cells[last].high <= 2*tolerance {
				l.cells[last].high, l.cells[last].p = a.LogW, l.cells[last].p+p
			} else {
				l.cells = append(l.cells, cell{x, a.LogW, a.LogW, p})
			}
		}
	}
	l.first = append(l.first, len(l.cells))
	return l
}

// of returns the cells of a state.
func (l *pathLaw) of(x int) []cell { return l.cells[l.first[x]:l.first[x+1]] }

// find returns the cell of a log weight, or the nearest one of the state and false. It is -1 if
// there is none.
func (l *pathLaw) find(x int, logW float64) (at int, is bool) {
	cells := l.of(x)
	if len(cells) == 0 {
		return -1, false
	}
	behind, _ := slices.BinarySearchFunc(cells, logW, func(c cell, v float64) int { return cmp.Compare(c.low, v) })
	at = min(behind, len(cells)-1)
	if behind > 0 && cells[behind-1].off(logW) <= cells[at].off(logW) {
		at = behind - 1
	}
	return l.first[x] + at, cells[at].off(logW) <= l.tolerance
}

// law returns the distribution of the number of the cell.
func (l *pathLaw) law(name string, states *codes.Codes) *Law {
	p := make([]float64, len(l.cells))
	for i, c := range l.cells {
		p[i] = c.p
	}
	return &Law{name, p, &codes.Codes{States: len(p), Label: func(i int) string {
		c := l.cells[i]
		if c.high-c.low > l.tolerance {
			return fmt.Sprintf("%s with log w from %.6g to %.6g", states.Label(c.state), c.low, c.high)
		}
		return fmt.Sprintf("%s with log w = %.6g", states.Label(c.state), c.low)
	}}}
}

// off returns the distance of a log weight from a cell.
func (c cell) off(logW float64) float64 {
	if logW >= c.low && logW <= c.high {
		return 0
	}
	return max(c.low-logW, logW-c.high)
}

// measure finds log Z, and how far a written log weight may be from the exact one.
func (t *paths) measure() {
	var z number.LogSum
	most := 1.0
	for x := range t.model.Size() {
		if logf, over := t.model.Target(x); over && logf > math.Inf(-1) {
			z.Add(logf)
			most = max(most, math.Abs(logf))
		}
	}
	for _, r := range t.ranges {
		if r.Low <= r.High {
			most = max(most, math.Abs(r.Low), math.Abs(r.High))
		}
	}
	t.logZ, t.tolerance = z.Log(), writtenWeight*most
}

// draw is a state with its log weight.
type draw struct {
	x    int
	logW float64
}

// paths are the draws of a program that draws forward paths of a pair of policies.
type paths struct {
	model      policies.Model
	note       string // what is tested of log w
	codes      *codes.Codes
	joint      *pathLaw // nil if log w has too many values
	ranges     []policies.Range
	means      []*verdicts.Test // of w in each state, if log w has too many values
	cells      *tally           // of the cells, or of the states if log w has too many values
	states     *tally           // of the states alone
	seen       []draw
	n          int
	tolerance  float64
	logZ       float64
	impossible string // the first draw with an impossible log weight; empty if there is none
}

// CheckPolicy tests whether the rows of readers, one after another, are independent forward paths
// of a pair of policies with their log weights. If the context ends it returns its error together
// with the outcome so far.
func CheckPolicy(ctx context.Context, name string, m policies.Model, c *codes.Codes, readers []*codes.Reader, o Options) (*Outcome, error) {
	if err := check.ValidateAlpha(o.Alpha); err != nil {
		return nil, err
	}
	for _, r := range readers {
		if !r.Weighted {
			return nil, r.WrongColumns("no column of log weights",
				"write the natural logarithm of the weight of each draw to a column log_w, or name its column by {column} NAME=log_w")
		}
	}
	t, err := newPaths(ctx, name, m, c)
	if err != nil {
		return nil, err
	}
	r := &Reading{Options: o, Name: "draws and log weights of the policies", Readers: codes.Readers{List: readers}, Cure: "give fewer",
		Least: leastNamed, Values: t.values, Impossible: func() bool { return t.impossible != "" }}
	r.Add = func(x, _ int) { t.add(x, &r.Readers) }
	r.Explain = func(values []Value) string { return Strongest(values).Says }
	err = r.Run(ctx)
	if r.Draws == 0 || err != nil && ctx.Err() == nil {
		return nil, err
	}
	return t.outcome(ctx, r), err
}

func newPaths(ctx context.Context, name string, m policies.Model, c *codes.Codes) (t *paths, err error) {
	t = &paths{model: m, codes: c}
	if t.ranges, err = policies.RangesOf(ctx, m); err != nil {
		return nil, err
	}
	q := make([]float64, len(t.ranges))
	for x, r := range t.ranges {
		if q[x] = math.Exp(r.LogQ); r.LogQ > math.Inf(-1) {
			q[x] = max(q[x], math.SmallestNonzeroFloat64)
		}
	}
	ends, err := policies.EndsOf(ctx, m, policies.Terms{Target: 1, Backward: 1, Forward: 1, Initial: 1})
	t.measure()
	t.states = newTally(&Law{name, q, c}, err != nil)
	if errors.Is(err, policies.ErrManyWeights) {
		t.cells = t.states
		t.note = "log w has more than 4e6 values: tested are the states, the mean of w in each, and whether log w is between its bounds; no mistake is named"
		return t, t.meansOf()
	}
	if err != nil {
		return nil, err
	}
	t.joint = newPathLaw(ends, t.tolerance)
	t.cells = newTally(t.joint.law(name, c), true)
	t.note = fmt.Sprintf(
		"tested are %s of a state and a value of log w; values within %.2g nats are one, since float32 and texts with six digits do not tell them apart",
		selector.Count(len(t.joint.cells), "pair"), t.tolerance)
	return t, nil
}

// meansOf makes the tests of the means of w.
func (t *paths) meansOf() error {
	for _, r := range t.ranges {
		var test *verdicts.Test
		if mean := r.LogMean - r.LogQ; mean > math.Inf(-1) {
			var err error
			if test, err = verdicts.NewUnbiased(mean, max(mean, r.High)+t.tolerance); err != nil {
				return err
			}
		}
		t.means = append(t.means, test)
	}
	return nil
}

// add takes the draw of the row that was read last.
func (t *paths) add(x int, r *codes.Readers) {
	d := draw{x, r.LogWeight()}
	if t.n++; len(t.seen) < mostPaths {
		t.seen = append(t.seen, d)
	}
	t.states.add(x, 1)
	possible, nearest := false, math.NaN()
	if t.joint != nil {
		var at int
		if at, possible = t.joint.find(x, d.logW); possible {
			t.cells.add(at, 1)
		} else if at >= 0 {
			c := t.joint.cells[at]
			nearest = min(max(d.logW, c.low), c.high)
		}
	} else {
		e := t.ranges[x]
		nearest = min(max(d.logW, e.Low), e.High)
		possible = e.LogQ > math.Inf(-1) && (e.Zero && math.IsInf(d.logW, -1) || math.Abs(d.logW-nearest) <= t.tolerance) &&
			(t.means[x] == nil || t.means[x].Add([]float64{d.logW}) == nil)
	}
	if !possible && t.impossible == "" {
		t.impossible = fmt.Sprintf("%s: draw %d has log w = %s in state %s, which no forward path to that state has", r.Place(), t.n, precise(d.logW),
			t.codes.Label(x))
		if math.IsNaN(nearest) {
			t.impossible = fmt.Sprintf("%s: draw %d is state %s, where no forward path ends", r.Place(), t.n, t.codes.Label(x))
		} else if !math.IsInf(nearest, 1) {
			t.impossible += "; the nearest possible value is " + precise(nearest)
		}
	}
}

func precise(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }

// values returns what all tests say.
func (t *paths) values() []Value {
	list := slices.Concat(t.cells.frequencies(), t.cells.order())
	if t.joint != nil {
		list[0].Name, list[1].Name = "how often each state was drawn with each log w", "one state with one log w"
		return append(list, t.states.frequencies()[0])
	}
	logs, best := []float64{}, 0
	for x, test := range t.means {
		if test != nil {
			if logs = append(logs, test.LogE()); t.means[best] == nil || test.LogE() > t.means[best].LogE() {
				best = x
			}
		}
	}
	if len(logs) == 0 {
		return list
	}
	return append(list, Value{Name: "the mean of w in each state", LogE: number.LogMean(logs), Says: "in state " + t.codes.Label(best) + " " +
		t.means[best].Where()})
}

// outcome says what was found.
func (t *paths) outcome(ctx context.Context, r *Reading) *Outcome {
	out := &Outcome{Law: t.states.Name, Source: r.Readers.Name(), Draws: t.n, Worst: t.states.worst(), Note: t.note}
	if r.Watch.Fault {
		out.Fault = t.explained(ctx, r)
		out.Depend = t.impossible == "" && t.cells.dependent(r.Last, Alone(r.Watch, r.Last))
	}
	var findings []check.Finding
	excluded, _ := excludedBy(t.cells.Law, t.n, Alone(r.Watch, r.Last))
	findings, out.Excluded = Findings(r.Watch, r.Last, selector.Count(t.n, "draw"), out.Fault, excluded)
	out.Findings = append(out.Findings, findings...)
	return out
}

// explained says what is wrong, and whether the states are.
func (t *paths) explained(ctx context.Context, r *Reading) string {
	says := t.impossible
	if says == "" {
		says = fmt.Sprintf("%s (found after %s)", r.Says, selector.Count(r.Watch.At, "draw"))
	}
	depend := slices.ContainsFunc(r.Last, func(v Value) bool { return v.Depend && v.LogE >= Alone(r.Watch, r.Last) })
	if t.joint != nil && !depend { // of draws that depend on each other the counts show nothing
		name, reason := t.named(ctx)
		says += "; " + cmp.Or(name, reason)
	}
	alone := verdicts.CountsLogE(t.states.counts, t.states.P)
	row, _ := t.states.impossible()
	switch {
	case t.joint == nil:
	case row > 0 || alone >= r.Watch.LogThreshold:
		says += "; the states differ from q too: " + verdicts.WorstCell(t.states.counts, t.states.P, t.states.state)
	case !depend:
		says += "; the frequencies of the states agree with q"
	}
	return says
}
