package conform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/exact"
	"breadboard/experiments/draws"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
)

// taskOf returns the task of a toy, with Metropolis' kernel on the geometric path from a uniform
// start.
func taskOf(t testing.TB, toy string, T int, schedule string) *Task {
	t.Helper()
	s := casetest.Selection([]int{T}, toy)
	s.Schedule = schedule
	return taskOfSelection(t, s)
}

func taskOfSelection(t testing.TB, s subject.Selection) *Task {
	t.Helper()
	cases := longtest.Sure(s.Cases(context.Background()))
	return longtest.Sure(New(cases[0]))
}

// kept are the distributions of tasks that several tests use, since they take a while to compute.
// The tests only read them.
var kept struct {
	sync.Mutex
	laws map[string]*Laws
}

// lawsOf returns the distributions of a task, which other tests use as well.
func lawsOf(t testing.TB, toy string, T int, schedule string) *Laws {
	t.Helper()
	kept.Lock()
	defer kept.Unlock()
	key := fmt.Sprint(toy, " ", T, " ", schedule)
	if kept.laws == nil {
		kept.laws = map[string]*Laws{}
	}
	if kept.laws[key] == nil {
		kept.laws[key] = NewLaws(taskOf(t, toy, T, schedule))
	}
	return kept.laws[key]
}

// smallLaws returns the distributions of a task of 12 states.
func smallLaws(t testing.TB) *Laws { return lawsOf(t, "random:2:3:3x4", 4, "power:2") }

// usualLaws returns the distributions of a task on which all known bugs can be told apart: with
// -long that of 49 states to which PowerfulSelections leads, and otherwise one of 20, or of 12 with
// -short.
func usualLaws(t testing.TB) *Laws {
	switch {
	case longtest.More():
		return lawsOf(t, "easy", 4, "power:2")
	case !longtest.Enabled():
		return smallLaws(t)
	}
	return lawsOf(t, "random:2:0:4x5", 4, "power:2")
}

// everything are all columns of a chain.
var everything = draws.Columns{LogW: true, XFirst: true, XLast: true, Path: true, Increments: true}

// short are the columns of chains without their paths.
var short = draws.Columns{LogW: true, XFirst: true, XLast: true}

// drawn runs right chains and returns them with all columns. The states come from package simulate.
// Increments are the differences of log f that a program would compute, and the log weight is their
// sum.
func drawn(t testing.TB, made *Task, d chains.Direction, n int, seed uint64) *draws.Batch {
	t.Helper()
	a := longtest.Sure(exact.WithReversal(context.Background(), made.Case.Annealing()))
	p := longtest.Must(simulate.NewAIS(a, d))(t)
	c := chains.NewSampler(simulate.ChainStream(seed, "test of conform", d, 0))
	T := a.Distributions()
	b := &draws.Batch{
		Rows:       n,
		Path:       make([][]int32, T),
		Increments: make([][]float64, T-1),
		LogW:       make([]float64, n),
	}
	for k := range T {
		b.Path[k] = make([]int32, n)
		if k < T-1 {
			b.Increments[k] = make([]float64, n)
		}
	}
	b.XFirst = b.Path[0]
	b.XLast = b.Path[T-1]
	at := func(step int) []int32 { // the states after a step
		if d == chains.Reverse {
			return b.Path[T-1-step]
		}
		return b.Path[step]
	}
	for i := range at(0) {
		at(0)[i] = int32(p.Start(c))
	}
	for step := 1; step < T; step++ {
		stage := step + 1
		if d == chains.Reverse {
			stage = T + 1 - step
		}
		delta := increments(a, d, stage)
		for i, x := range at(step - 1) {
			y, _ := p.Step(c, step, int(x))
			at(step)[i] = int32(y)
			v := delta[b.Path[stage-2][i]]
			if math.IsInf(b.LogW[i], 0) {
				v = 0
			}
			b.Increments[stage-2][i] = v
			b.LogW[i] += v
		}
	}
	return b
}

// increments returns what a program adds to the log weight at a stage, by the state.
func increments(a *chains.Annealing, d chains.Direction, stage int) []float64 {
	before, after := make([]float64, a.States()), make([]float64, a.States())
	a.LogF(before, stage-1)
	a.LogF(after, stage)
	for x := range after {
		// where f was zero before the change, in the direction of the chain, the weight is zero
		// already
		gone := before[x]
		if d == chains.Reverse {
			gone = after[x]
		}
		after[x] -= before[x]
		if math.IsInf(gone, -1) {
			after[x] = 0
		}
	}
	return after
}

// many runs right chains, without their paths, quickly.
func many(t testing.TB, made *Task, d chains.Direction, n int, seed uint64) *draws.Batch {
	t.Helper()
	a := longtest.Sure(exact.WithReversal(context.Background(), made.Case.Annealing()))
	b := longtest.Sure(simulate.Rows(a, d, simulate.ChainStream(seed, "test of conform", d, 0), n, nil))
	return &draws.Batch{Rows: n, LogW: b.LogW, XFirst: b.First, XLast: b.Last}
}

// rows is a source of rows in memory.
type rows struct {
	name      string
	columns   draws.Columns
	precision draws.Precision
	all       *draws.Batch
	cut       func(asked int) int // how many rows a batch has; nil is as many as are asked for
	before    func(row int) error // called before each batch; nil is nothing
	at        int
}

// source returns a source of these columns of rows.
func source(all *draws.Batch, columns draws.Columns) *rows {
	if columns.Path {
		columns.XFirst = true
		columns.XLast = true
	}
	return &rows{name: "test", columns: columns, all: all}
}

func (s *rows) Name() string                        { return s.name }
func (s *rows) Columns() draws.Columns              { return s.columns }
func (s *rows) Precision() draws.Precision          { return s.precision }
func (s *rows) IncrementPrecision() draws.Precision { return s.precision }

func (s *rows) Next(ctx context.Context, n int) (*draws.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.before != nil {
		if err := s.before(s.at); err != nil {
			return nil, err
		}
	}
	if s.at == s.all.Rows {
		return nil, io.EOF
	}
	n = min(n, s.all.Rows-s.at)
	if s.cut != nil {
		n = min(n, max(1, s.cut(n)))
	}
	low, high := s.at, s.at+n
	s.at = high
	b := *part(s.all, low, high)
	c := s.columns
	b.First, b.LogZ, b.SE = low, cut(s.all.LogZ, low, high), cut(s.all.SE, low, high)
	b.Beta, b.From, b.To = cut(s.all.Beta, low, high), cut(s.all.From, low, high), cut(s.all.To, low, high)
	if !c.LogW {
		b.LogW = nil
	}
	if !c.XFirst {
		b.XFirst = nil
	}
	if !c.XLast {
		b.XLast = nil
	}
	if !c.Path {
		b.Path = nil
	}
	if !c.Increments {
		b.Increments = nil
	}
	return &b, nil
}

// estimates returns a source of estimates of log Z.
func estimates(logZ ...float64) *rows {
	return source(&draws.Batch{Rows: len(logZ), LogZ: logZ}, draws.Columns{LogZ: true})
}

// input returns an input of chains of one direction.
func input(d chains.Direction, s draws.Source) Input {
	if d == chains.Reverse {
		return Input{Reverse: s}
	}
	return Input{Forward: s}
}

// checked checks what was sent, and fails if it cannot be tested.
func checked(t testing.TB, l *Laws, in Input, o Options) *Outcome {
	t.Helper()
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	return longtest.Must(l.Check(context.Background(), in, o))(t)
}

// faults returns the results that are faults.
func (o *Outcome) faults() []Result {
	return slices.DeleteFunc(slices.Clone(o.Results), func(r Result) bool { return !r.Fault })
}

// passes fails if there is a fault.
func passes(t testing.TB, what string, o *Outcome) {
	t.Helper()
	for _, r := range o.faults() {
		t.Errorf("%s: %s is a fault (log10 e-value %.3g of %.3g): %s; %s", what, r.Test, r.Log10E(),
			r.Log10Threshold(), r.Where, r.Statistic)
	}
}

// result returns the result of a test.
func result(t testing.TB, o *Outcome, name string) Result {
	t.Helper()
	at := slices.IndexFunc(o.Results, func(r Result) bool { return r.Test == name })
	if at < 0 {
		t.Fatalf("there is no test %q", name)
	}
	return o.Results[at]
}

// findsAt fails if a test has no fault, or one at another place than the one that is said first.
func findsAt(t testing.TB, what string, o *Outcome, test, where string) {
	t.Helper()
	if r := result(t, o, test); !r.Fault || !strings.HasPrefix(r.Where, where) {
		t.Errorf("%s: %s has a fault: %v, at %q, want %q", what, test, r.Fault, r.Where, where)
	}
}

// names fails if chains have no fault, or one whose first name begins with another text.
func names(t testing.TB, what string, s Side, name string) {
	t.Helper()
	if !s.Fault || len(s.Named) == 0 || !strings.HasPrefix(s.Named[0], name) {
		t.Errorf("%s, %v: fault: %v, named %q, want %q", what, s.Direction, s.Fault, s.Named, name)
	}
}

// directions are both directions.
var directions = []chains.Direction{chains.Forward, chains.Reverse}

// newSource returns random numbers.
func newSource(seed uint64) rand.Source { return simulate.NewStream(seed, "test of conform", 0) }

// unbiased is the claim that estimates have the mean Z.
func unbiased() Estimates {
	return Estimates{Claim: verdicts.Unbiased, Largest: math.NaN(), Smallest: math.NaN()}
}

// reused is a source of consecutive numbers in batches of given sizes, which all use the same
// memory.
type reused struct {
	draws.Source
	sizes []int
	at    int
	batch draws.Batch
	end   error
}

func (r *reused) Next(ctx context.Context, rows int) (*draws.Batch, error) {
	if len(r.sizes) == 0 {
		if r.end == nil { // a stream that is silent
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return nil, r.end
	}
	n := min(rows, r.sizes[0])
	r.sizes = r.sizes[1:]
	b := &r.batch
	b.First = r.at
	b.Rows = n
	b.LogW, b.XFirst, b.Path = b.LogW[:0], b.XFirst[:0], [][]int32{b.XFirst[:0], nil}
	for range n {
		b.LogW, b.XFirst = append(b.LogW, float64(r.at)), append(b.XFirst, int32(r.at))
		r.at++
	}
	b.Path = [][]int32{b.XFirst, slices.Clone(b.XFirst)}
	return b, nil
}

// TestAhead: what is read ahead is what there is, whatever the batches and the requests are, and
// the end comes after it.
func TestAhead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 50), 0, 20).Draw(t, "sizes")
		total := 0
		for _, n := range sizes {
			total += n
		}
		end := errors.New("the end")
		a := newAhead(t.Context(), &reused{sizes: sizes, end: end})
		defer a.stop()
		at := 0
		for {
			rows := rapid.IntRange(1, 60).Draw(t, "rows")
			b, err := a.next(t.Context(), rows)
			if err != nil {
				if !errors.Is(err, end) || at != total {
					t.Fatalf("%v after %d rows of %d", err, at, total)
				}
				return
			}
			if b.Rows < 1 || b.Rows > rows || b.First != at || b.XLast != nil || b.Increments != nil {
				t.Fatalf("asked for %d rows at %d: %+v", rows, at, b)
			}
			for i := range b.Rows {
				if b.LogW[i] != float64(at) || b.XFirst[i] != int32(at) || b.Path[0][i] != int32(at) ||
					b.Path[1][i] != int32(at) {
					t.Fatalf("row %d: %+v", at, b)
				}
				at++
			}
		}
	})
}

// TestAheadStops: a silent stream keeps neither a call whose context ends nor the end of reading
// waiting.
func TestAheadStops(t *testing.T) {
	a := newAhead(t.Context(), &reused{sizes: []int{3}})
	if b, err := a.next(t.Context(), 10); err != nil || b.Rows != 3 {
		t.Fatal(b, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.next(ctx, 10); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	a.stop()
	if _, err := a.next(t.Context(), 10); errors.Is(err, io.EOF) || err == nil {
		t.Error(err)
	}
}
