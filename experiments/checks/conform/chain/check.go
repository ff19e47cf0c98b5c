// Package chain answers two separate questions about Markov chains from an external program. Are
// their moves those of a kernel? Each move is compared with the exact distribution of the kernel
// from its state, so that the start and the mixing of chains do not matter. And do their draws
// represent a target? A correct sampler that has not mixed may fail this, so that it is not a fault
// by itself.
//
// The tests of moves are e-processes, which are averaged and may be read at any time. The package
// never draws, and never runs a program.
package chain

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/kernels"
	"breadboard/chains/selector"
	"breadboard/exact/averages"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/draws/codes"
	"breadboard/reports/check"
	"breadboard/reports/columns"
	"breadboard/toys"
)

// Options are the options of Check.
type Options struct {
	Kernel chains.Kernel // whose moves the chains are meant to make; nil if it is not known
	Name   string        // its selector
	Thin   int           // how many moves of the kernel are between two draws; 0 is one
	// the selectors of the functions whose means are compared; if empty, the axes and g
	Functions []string
	draws.Options
}

// Outcome is the result of Check.
type Outcome struct {
	Toy      string
	Source   string
	Chains   int
	Draws    int
	Kernel   string    // empty if there is none
	Findings []Finding // those of moves, if there is a kernel, and those of the target
	Means    []Mean
	Counts   []int  // of the draws of each state
	Fault    string // the fault of the moves; empty if there is none, or no kernel
	Excluded string // what a pass of the moves has excluded
	Open     bool   // whether there are too few moves to say
	// Undecided says why it is open whether the draws represent the target: there are few of them,
	// or a mean is verdicts.FarErrors off; empty if it is not.
	Undecided string
	Lacks     string // the evidence that they do not represent it; empty if there is none
	// Represents says whether the draws represent the target: if the exact error of such a chain is
	// known, whether that is small, and else whether there is no evidence against it, such as wrong
	// moves.
	Represents bool
	Mixing     string // with a kernel: how large the exact error is, and how many draws make it small
}

// Finding is the result of a test.
type Finding struct {
	About string // moves or target
	check.Finding
}

// Columns lists the columns of findings.
func Columns() columns.List {
	about := columns.Of("about", "about",
		"moves (are they those of the kernel?) or target (do the draws represent it?)",
		func(f *Finding) string { return f.About })
	return check.ReasonFirst(append(columns.List{about},
		check.Columns[Finding](average, fromAll, fromOne, listed, oneKind, back, draws.Again, together,
			"identical chains", "draws of impossible states", "draws all alike: *", "mean of *",
			"states never visited", "exact error of the means")...))
}

// track is a chain that was read.
type track struct {
	name   string
	pairs  []*pair
	states []int32
}

// run is what has been read, and what the tests of moves said last.
type run struct {
	Options
	reading draws.Reading
	tracks  []*track
	named   map[string]*track
	moves   *moves // nil without a kernel
	pairs   []*pair
	plain   chains.Kernel // that of one move, where several are between two draws; else nil
}

// Check tests the rows of readers: each reader is a chain, or has a column that names the chain of
// a row. If the context ends it returns its error together with the findings so far.
func Check(ctx context.Context, toy *toys.Toy, readers []*codes.Reader, o Options) (*Outcome, error) {
	if err := check.ValidateAlpha(o.Alpha); err != nil {
		return nil, err
	}
	for _, r := range readers {
		if r.Counted {
			return nil, errs.New("%s has counts of states, but a chain has an order; give a row for each draw",
				r.Name())
		}
		if r.Weighted {
			return nil,
				errs.New("%s has weights, but draws of a chain have none: use conform draws for weighted "+
					"draws, or {column} NAME=none to leave the column out",
					r.Name())
		}
	}
	r := &run{Options: o, named: map[string]*track{}}
	c, err := r.chain(ctx, toy)
	if err != nil {
		return nil, err
	}
	t, err := newTarget(toy, c, o.Functions)
	if err != nil {
		return nil, err
	}
	r.reading = draws.Reading{
		Options:    o.Options,
		Name:       average,
		Readers:    codes.Readers{List: readers},
		Cure:       "give fewer",
		Add:        r.addDraw,
		Explain:    r.explained,
		Impossible: func() bool { return r.moves != nil && r.moves.impossible != "" },
		Values: func() []draws.Value {
			if r.moves == nil {
				return nil
			}
			return append(r.moves.testValues(), r.together())
		},
	}
	err = r.reading.Run(ctx)
	if r.reading.Draws == 0 || err != nil && ctx.Err() == nil {
		return nil, err
	}
	out := &Outcome{
		Toy:    toy.Name,
		Source: r.reading.Readers.Name(),
		Chains: len(r.tracks),
		Draws:  r.reading.Draws,
		Means:  t.means(r.tracks),
		Counts: make([]int, toy.Space.States()),
	}
	for _, c := range r.tracks {
		for _, x := range c.states {
			out.Counts[x]++
		}
	}
	if r.moves != nil {
		err = errors.Join(err, r.judgeMoves(ctx, out))
	}
	return out, errors.Join(err, out.represent(ctx, t, r.tracks, o.Alpha, r.moves != nil))
}

// chain returns the chain of the kernel, or a target alone.
func (r *run) chain(ctx context.Context, toy *toys.Toy) (*averages.Chain, error) {
	if r.Kernel == nil {
		c := &averages.Chain{Target: slices.Clone(toy.G), LogF: toy.G}
		chains.Normalize(c.Target)
		if slices.ContainsFunc(c.Target, math.IsNaN) {
			return nil, fmt.Errorf("every state of %s has probability zero", toy.Name)
		}
		return c, nil
	}
	c, err := averages.New(ctx, r.Kernel, toy.G)
	if err == nil && r.Thin > 1 {
		if !chains.OfLibrary(r.Kernel) {
			// which is asked for its rows once, and not for all ways that several moves can come
			// out
			r.Kernel = chains.NewTabulated(r.Name, c.States(), c.Rows.Row)
		}
		r.plain = r.Kernel
		r.Kernel, r.Name = kernels.Repeat(r.Thin, r.Kernel), fmt.Sprintf("repeat:%d:%s", r.Thin, r.Name)
		c, err = averages.New(ctx, r.Kernel, toy.G)
	}
	if err != nil {
		return nil, fmt.Errorf("toy %s: %w", toy.Name, toy.Explain(err))
	}
	others, err := othersOf(ctx, r.Kernel, c)
	r.moves = newMoves(toy, c, others)
	return c, err
}

// addDraw takes the next draw.
func (r *run) addDraw(x, _ int) {
	name := r.reading.Readers.Chain()
	c := r.named[name]
	if c == nil {
		c = r.startTrack(name)
		r.named[name] = c
	}
	c.states = append(c.states, int32(x))
	if r.moves != nil {
		r.moves.addMove(c.states, func() string {
			return fmt.Sprintf("to draw %d of %s", len(c.states),
				name)
		})
		r.paired(c)
	}
}

// judgeMoves says what was found of the moves.
func (r *run) judgeMoves(ctx context.Context, out *Outcome) error {
	w := r.reading.Watch
	values := r.reading.Last
	out.Kernel = r.Name
	out.Fault = r.moves.impossible
	says, err := r.cause(ctx)
	switch {
	case out.Fault != "" && says != "":
		out.Fault += "; " + says
	case out.Fault != "":
		out.Fault += r.moves.leads
	case out.Fault == "" && w.Fault:
		out.Fault = fmt.Sprintf("%s (found after %s)", says, selector.Count(w.At, "draw"))
	}
	var findings []check.Finding
	excluded := r.moves.excluded(draws.SingleThreshold(w, values))
	far := r.moves.farMove()
	if far == "" && out.Fault == "" {
		far = cmp.Or(r.likelier(ctx), r.moves.farSum())
	}
	findings, out.Excluded = draws.Findings(w, values, selector.Count(r.moves.n, "move"), out.Fault, far, excluded)
	out.Open = findings[0].Verdict == check.Open
	for _, f := range findings {
		out.Findings = append(out.Findings, Finding{"moves", f})
	}
	return err
}

// cause says what is wrong with moves that are: a known mistake that explains them, and else what a
// test says. It is empty if moves are impossible and no known mistake explains that.
func (r *run) cause(ctx context.Context) (says string, err error) {
	if r.moves.impossible == "" {
		says = r.reading.Says
	}
	if ctx.Err() != nil || r.moves.impossible == "" && !r.reading.Strong() || r.joined(r.reading.Last) != "" {
		return says, nil
	}
	says = draws.Explain(r.reading.Last, listed, says, func() (string, string) { return r.mistake(ctx) })
	return says, ctx.Err()
}

// explained says which test of moves that are wrong failed most, if no known mistake explains them:
// that moves are of one kind, depend on those before or come again, if that says at least half of
// what the counts do; and else which counts are wrong.
func (r *run) explained(values []draws.Value) string {
	if says := r.joined(values); says != "" {
		return says
	}
	counts := draws.Strongest(values[:countTests])
	kinds := draws.Strongest(
		slices.DeleteFunc(slices.Clone(values[countTests+1:len(values)-1]), func(v draws.Value) bool {
			return v.Name == back && !v.Depend
		}),
	)
	if kinds.LogE < draws.SingleThreshold(r.reading.Watch, values) || kinds.LogE < counts.LogE/2 {
		kinds = counts
	}
	if kinds.Name == back || kinds.Name == draws.Again { // which is found whatever the kernel is
		return kinds.Says
	}
	return draws.None + ": " + kinds.Says
}

// fewChanges is how often a chain has changed its state at least where it is compared with others:
// chains that hardly move may be the same by chance.
const fewChanges = 50

// twins says which two chains are the same; empty if no two are.
func twins(tracks []*track) string {
	seen := map[string]*track{}
	for _, c := range tracks {
		h := sha256.New()
		changes := 0
		for i, x := range c.states {
			h.Write(binary.LittleEndian.AppendUint32(nil, uint32(x)))
			if i > 0 && x != c.states[i-1] {
				changes++
			}
		}
		if changes < fewChanges {
			continue
		}
		key := string(h.Sum(nil))
		if other := seen[key]; other != nil {
			return fmt.Sprintf("%s is %s, draw for draw, as if both had the same seed", c.name, other.name)
		}
		seen[key] = c
	}
	return ""
}

// represent says whether the draws represent the target.
func (out *Outcome) represent(ctx context.Context, t *target, tracks []*track, alpha float64,
	known bool) (err error) {
	lacks := t.lacks(tracks, out.Means, alpha)
	far := ""
	for _, l := range lacks {
		if strings.HasPrefix(l.Name, "mean of ") {
			far = cmp.Or(far, l.Where) // empty if it passes
		}
		out.Findings = append(out.Findings, Finding{"target", l.Finding})
	}
	out.Lacks = reasons(lacks)
	out.Represents = out.Lacks == "" && out.Fault == ""
	if known && out.Fault == "" && ctx.Err() == nil {
		var exact check.Finding
		exact, err = t.expectErrors(ctx, tracks, out.Means)
		out.Mixing = exact.Where
		if exact.Where != "" {
			out.Findings = append(out.Findings, Finding{"target", exact})
			out.Represents = exact.Verdict == check.Pass
		}
	}
	few := out.Draws < minDraws
	if few {
		far = fmt.Sprintf("there %s %s, and it takes %d", selector.Plural(out.Draws, "is", "are"),
			selector.Count(out.Draws, "draw"), minDraws)
	}
	if out.Represents || few && out.Lacks == "" {
		out.Undecided = far
	}
	out.Represents = out.Represents && far == ""
	return err
}
