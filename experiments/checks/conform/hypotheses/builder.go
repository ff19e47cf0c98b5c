package hypotheses

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/exact/kernel"
	"breadboard/exact/weights"
	"breadboard/experiments/subject"
)

// builder makes the distributions of all hypotheses on a problem. Each hypothesis is tabulated
// if its distribution is made and then forgotten, so that memory holds the tables of as many as
// there are workers.
type builder struct {
	p       Problem
	a       *chains.Annealing // with all time reversals
	all     []hypothesis
	columns Columns
	// by hypothesis: whether it has counted for progress, since distributions are begun anew where
	// values are too many
	counted []sync.Once
}

const (
	maxEntries = 1 << 22 // the largest number of moves, over all stages, of one program
	// a bound on the products that bins take over all hypotheses, which is reached in some seconds
	// on one processor
	maxWork = 3e9
	// maxPairs is the largest number of pairs of a start and a state of which the bins of one
	// program are carried, with 4 kB for each.
	maxPairs   = 1 << 14
	maxNumbers = 1 << 25 // a bound on the probabilities that are kept over all hypotheses, of 12 bytes each
	// mostRounding is how far log weights may be off to be put into bins, relative to their
	// standard deviation. With that the distributions of log weights that are rounded and of those
	// that are not have a divergence of some 1e-7 nats.
	mostRounding = 0.05
)

// checkMoves fails if the moves of the specification are too many. It looks at one stage, since the
// others have as many.
func (b *builder) checkMoves(ctx context.Context) error {
	steps := float64(b.a.Distributions() - 1)
	if float64(b.a.States())*steps > maxEntries {
		return b.tooLarge()
	}
	logf := make([]float64, b.a.States())
	b.a.LogF(logf, b.a.Distributions())
	rows, err := kernel.NewRows(ctx, b.a.KernelAt(b.a.Distributions()), logf)
	if err != nil {
		return err
	}
	if float64(len(rows.Entries))*steps > maxEntries {
		return b.tooLarge()
	}
	return nil
}

func (b *builder) tooLarge() error {
	return errs.New(
		"the distributions of %d hypotheses on %d states and %d distributions take too long; take a smaller task",
		len(b.all),
		b.a.States(),
		b.a.Distributions(),
	)
}

// tabulated is a hypothesis on the problem at hand. Without a code it has no meaning there, or is
// missing for a reason.
type tabulated struct {
	*code
	*markov
	missing error
}

// same reports whether two programs make the same log weights, and differ at most in what they
// write of them.
func (p tabulated) same(q tabulated, columns Columns) bool {
	return p.scale == q.scale && p.code.origins(columns, p.n) == q.code.origins(columns, q.n) &&
		slices.Equal(p.start, q.start) &&
		slices.EqualFunc(p.steps, q.steps, func(a, b step) bool {
			return a.before == b.before && slices.Equal(a.from, b.from) &&
				slices.Equal(a.entries, b.entries) && slices.Equal(a.increments, b.increments)
		})
}

// program tabulates a hypothesis.
func (b *builder) program(ctx context.Context, h int) (p tabulated, err error) {
	on := newSetting(ctx, b.a, b.p)
	c, err := b.all[h].make(on)
	if ctx.Err() != nil {
		return p, ctx.Err()
	}
	if err != nil {
		return p, fmt.Errorf("hypothesis %q: %w", b.all[h].name, err)
	} else if c == nil {
		return p, nil
	}
	if b.p.Included {
		c.include(b.p.LogZ1)
	}
	m, err := tabulate(ctx, c)
	switch {
	case ctx.Err() != nil:
		return p, ctx.Err()
	case err != nil && h == 0:
		return p, err
	case err != nil:
		return tabulated{missing: err}, nil
	}
	return tabulated{code: c, markov: m}, nil
}

// eachHypothesis calls f for every hypothesis but the specification, which is the first, in several
// goroutines.
func (b *builder) eachHypothesis(ctx context.Context,
	f func(ctx context.Context, h int, p tabulated) error) error {
	return subject.Parallel(ctx, len(b.all)-1, b.p.Workers, func(ctx context.Context, i int) error {
		p, err := b.program(ctx, i+1)
		if err != nil {
			return err
		}
		err = f(ctx, i+1, p)
		if err == nil && b.p.Progress != nil {
			b.counted[i+1].Do(func() { b.p.Progress(1) })
		}
		return err
	})
}

// result is what has been computed of a hypothesis: nothing if it has no meaning, or the reason why
// it is missing.
type result struct {
	present bool
	missing error
	blurred bool
	atoms   [][]atom // where values are listed
	law     law      // where they are in bins
}

// listValues makes the set value by value. It fails with errManyAtoms where that would take too
// many.
func (b *builder) listValues(ctx context.Context) (*Set, error) {
	right, err := b.program(ctx, 0)
	if err != nil {
		return nil, err
	}
	size := Size(b.a)
	results := make([]result, len(b.all))
	atoms, err := right.atomsOf(ctx, right.markov, b.columns, size)
	if err != nil {
		return nil, err // before the work is done for all the others
	}
	results[0] = result{present: true, atoms: atoms}
	err = b.eachHypothesis(ctx, func(ctx context.Context, h int, p tabulated) (err error) {
		results[h].missing = p.missing
		if p.code == nil {
			return nil
		}
		r := result{present: true, blurred: p.blurred}
		r.atoms, err = p.atomsOf(ctx, p.markov, b.columns, size)
		if errors.Is(err, errManyAtoms) && !b.columns.LogW {
			results[h].missing = errors.New("it would take too long")
			return nil
		}
		results[h] = r
		return err
	})
	if err != nil {
		return nil, err
	}
	return b.listed(ctx, results, size)
}

// listed makes the set of the values of all hypotheses, for an annealing of a Size. It looks at the
// context at every key and hypothesis.
func (b *builder) listed(ctx context.Context, results []result, size float64) (*Set, error) {
	var all [][][]atom
	for _, r := range results {
		if r.present {
			all = append(all, r.atoms)
		}
	}
	slack := func(v float64) float64 {
		if b.p.Rounding == nil {
			return Tolerance * size
		}
		return max(Tolerance*size, b.p.Rounding(v))
	}
	window := SingleError(size, b.a.Distributions())
	if !b.columns.LogW || b.p.Rounding != nil && b.p.Rounding(size) >= window {
		window = 0
	}
	reduction := &listed{columns: b.columns, n: b.a.States(), slack: slack, window: window}
	if err := reduction.setClusters(ctx, all); err != nil {
		return nil, err
	}
	s := &Set{Columns: b.columns, Listed: true, reduction: reduction}
	for h, r := range results {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r.blurred && window > 0 {
			s.blurred, s.merged = len(s.laws), newLaw(reduction.probabilities(r.atoms, false), 0)
		}
		b.addHypothesis(s,
			h, r, func() law { return newLaw(reduction.probabilities(r.atoms, r.blurred && window > 0), 0) })
	}
	s.finish(reduction.probabilities(results[0].atoms, false))
	return s, nil
}

// addHypothesis adds a hypothesis to a set, or notes why it is missing.
func (b *builder) addHypothesis(s *Set, h int, r result, of func() law) {
	switch {
	case r.missing != nil:
		s.Missing = append(s.Missing, fmt.Sprintf("%s: %v", b.all[h].name, r.missing))
	case r.present:
		s.Names, s.laws = append(s.Names, b.all[h].name), append(s.laws, of())
	}
}

// bin makes the set with bins. It leaves out the start of the chains if they would take too long or
// too much memory.
func (b *builder) bin(ctx context.Context) (*Set, error) {
	circle, err := b.wrappedLaw(ctx)
	if err != nil {
		return nil, err
	}
	right, err := b.program(ctx, 0)
	if err != nil {
		return nil, err
	}
	if b.logWeightRounding(right.markov) > mostRounding*circle.deviation() {
		b.columns.LogW = false
		return b.listValues(ctx)
	}
	b.columns = b.p.Columns
	if !b.affordable(right, circle) {
		b.columns = b.columns.withoutStart(b.p.Direction)
	}
	if !b.affordable(right, circle) {
		return nil, b.tooLarge()
	}
	transform, err := circle.transform(ctx, right.code, right.markov, b.columns)
	if err != nil {
		return nil, err
	}
	specified := circle.collect(right.code, transform, b.columns, 0)
	results := make([]result, len(b.all))
	results[0] = result{present: true, law: newLaw(specified, binResolution)}
	err = b.eachHypothesis(ctx, func(ctx context.Context, h int, p tabulated) (err error) {
		results[h].missing = p.missing
		switch {
		case p.code == nil:
			return nil
		case p.code.value != nil:
			results[h].missing = errors.New("log w takes too many values")
			return nil
		case b.work(p) > maxWork/4 || b.origins(p)*p.n > maxPairs:
			results[h].missing = errors.New("it would take too long")
			return nil
		}
		of := transform
		if !p.same(right, b.columns) {
			of, err = circle.transform(ctx, p.code, p.markov, b.columns)
			if err != nil {
				return err
			}
			defer circle.free(of)
		}
		results[h] = result{
			present: true,
			law:     newLaw(circle.collect(p.code, of, b.columns, 0), binResolution),
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s := &Set{
		Columns:    b.columns,
		reduction:  &binned{circle, b.columns, b.a.States()},
		resolution: binResolution,
	}
	for h, r := range results {
		b.addHypothesis(s, h, r, func() law { return r.law })
	}
	s.finish(specified)
	if rounding := b.logWeightRounding(right.markov); rounding > 0 {
		s.bound = newLaw(circle.collect(right.code, transform, b.columns, rounding), binResolution)
		s.rounded = true
	}
	circle.spare = nil // the set keeps the circle
	return s, nil
}

// logWeightRounding returns how far any log weight of a program may be from what was computed.
func (b *builder) logWeightRounding(m *markov) float64 {
	if b.p.Rounding == nil {
		return 0
	}
	most := 0.0 // of the size of a log weight
	for _, s := range m.steps {
		largest := 0.0
		for _, v := range s.increments {
			if !math.IsInf(v, 0) {
				largest = max(largest, math.Abs(v))
			}
		}
		most += largest
	}
	return max(b.p.Rounding(most), b.p.Rounding(-most))
}

// wrappedLaw returns the wrappedLaw for the log weights of the specification.
func (b *builder) wrappedLaw(ctx context.Context) (*wrappedLaw, error) {
	m, err := weights.CumulantsOf(ctx, b.a, b.p.Direction)
	if err != nil {
		return nil, err
	}
	deviation := math.Sqrt(m.Variance)
	if !(deviation > 0) || math.IsInf(deviation, 0) {
		deviation = 1
	}
	return newWrappedLaw(m.Mean, deviation), nil
}

// affordable reports whether the bins of all hypotheses can be computed in some seconds and kept.
func (b *builder) affordable(right tabulated, circle *wrappedLaw) bool {
	n := float64(len(b.all))
	return b.origins(right)*right.n <= maxPairs && n*b.work(right) <= maxWork &&
		n*float64(b.columns.keys(b.a.States())*circle.bins()) <= maxNumbers
}

// work returns the number of products that the bins of a program take.
func (b *builder) work(p tabulated) float64 {
	return float64(p.entries()) * float64(b.origins(p)) * circleFrequencies
}

// origins returns the number of starts of a program that must be told apart.
func (b *builder) origins(p tabulated) int { return p.code.origins(b.columns, p.n) }
