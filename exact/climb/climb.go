// Package climb computes the probability that annealing finds a good state of an optimisation
// problem. The caller ranks the states, for example by log f. The package computes the exact
// probability that any of the T states of a chain has a rank or a higher one, and the distribution
// of the last state.
//
// For each rank j it moves the mass m that has never been at rank j or higher,
//
//	m(y) becomes sum_x m(x) T_t(x,y) where the rank of y is below j, and 0 elsewhere;
//
// the sum of what is set to zero is the probability to have been there, so that no probability is a
// difference. Time is O(T ranks entries).
package climb

import (
	"context"
	"errors"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/work"
	"breadboard/exact"
	"breadboard/exact/internal/stage"
	"breadboard/grid"
)

// Law has the probabilities that forward chains reach each rank. Every number has a bound on its
// rounding error.
type Law struct {
	// At index rank - 1, for ranks from 1 on: Seen is the probability that one of x_1, ..., x_T has
	// this rank or a higher one. Unseen is one minus that. LogUnseen is its logarithm in nats, even
	// if Unseen underflows; -Inf if every chain reaches the rank. End is the probability that x_T
	// has this rank or a higher one.
	Seen, Unseen, LogUnseen, End []number.Bounded
	Last                         []float64 // the distribution of x_T, by state
	Lost                         float64   // the bound on the relative error of any of its masses
}

// found is the result of a method: by rank, the mass that has been there and the mass that has not,
// which sum to one up to rounding, and the masses at the end by state.
type found struct {
	seen, left []number.Wide
	// by rank, and of all mass, a bound on the error by entries of rows that underflow
	missing []number.Wide
	last    func(x int) number.Wide
}

func newFound(ranks int, last func(x int) number.Wide) *found {
	return &found{make([]number.Wide, ranks), make([]number.Wide, ranks), make([]number.Wide, ranks+1), last}
}

// makeLaw returns the distribution, given the relative error by rounding of the masses.
func (f *found) makeLaw(rank []int32, relative float64) *Law {
	ranks := len(f.seen)
	l := &Law{make([]number.Bounded, ranks), make([]number.Bounded, ranks), make([]number.Bounded, ranks),
		make([]number.Bounded, ranks),
		work.Slice[float64](len(rank)), relative}
	for x := range rank {
		l.Last[x] = f.last(x).Float()
	}
	for j := range ranks {
		lost := f.missing[j]
		l.Seen[j], l.Unseen[j] = sides(f.seen[j], f.left[j], relative, lost)
		l.LogUnseen[j] = logOf(l.Seen[j], f.left[j], relative, lost)
		there := func(is bool) number.Wide {
			return number.WideTotal(func(x int) (m number.Wide) {
				if (int(rank[x]) > j) == is {
					m = f.last(x)
				}
				return m
			}, len(rank))
		}
		l.End[j], _ = sides(there(true), there(false), relative, f.missing[ranks])
	}
	return l
}

// sides returns the probability of an event and of its complement, given their masses. Each of the
// masses is a sum of positive terms, so that the smaller one has all its digits; the other
// probability is one minus it.
func sides(is, not number.Wide, relative float64, lost number.Wide) (p, complement number.Bounded) {
	bounded := func(m number.Wide) number.Bounded {
		b := number.Within(m.Float(), relative)
		b.Error += lost.Float()
		return number.Probability(b)
	}
	one := number.Exactly(1)
	if v := is.Float(); v < 0.5 {
		p = bounded(is)
		return p, number.Probability(one.Minus(p))
	}
	complement = bounded(not)
	return number.Probability(one.Minus(complement)), complement
}

// logOf returns the logarithm of the probability not to have been at a rank: of one minus Seen if
// that is the smaller of the two, and else of the mass itself.
func logOf(seen number.Bounded, left number.Wide, relative float64, lost number.Wide) number.Bounded {
	if seen.Value < 0.5 {
		return number.Bounded{Value: math.Log1p(0 - seen.Value), Error: seen.Error / (1 - seen.Value)}
	}
	b := number.Bounded{Value: left.Log(), Error: relative}
	switch {
	case lost.M == 0 && left.M == 0:
		b.Error = 0
	case lost.M == 0:
	case left.M == 0:
		b.Error = math.Inf(1)
	default:
		b.Error += lost.Div(left).Float()
	}
	return b
}

// Options says how a distribution is computed.
type Options struct {
	LogStart []float64       // the logarithms of the distribution of x_1; nil is p_1
	Workers  int             // how many goroutines share the ranks; 0 is one for each processor
	Progress func(steps int) // called now and then with the number of stages since the last call; may be nil
}

// mostNumbers is the largest number of masses that are kept. Memory holds two copies, 8 bytes for
// each mass.
const mostNumbers = 1 << 27

// CheckSize fails if LawOf does not support the size of the space. It takes no memory.
func CheckSize(states, ranks int) error {
	if n := states * (ranks + 1); n > mostNumbers {
		return errs.New("%d states and %d levels take %d masses, and at most %d are kept; ask for fewer levels",
			states, ranks, n, mostNumbers)
	}
	return nil
}

// LawOf returns the Law of an annealing in which each state has a rank from 0 to ranks. For each
// rank it moves the mass that has never been at that rank or above through the stages. Mass that
// arrives there is removed and summed, so that no probability is a difference. States between the
// moves of one stage do not count, since they are not among x_1, ..., x_T. Time is O(T ranks
// entries); memory is 16 bytes for each state and rank.
//
// Kernels of the library on targets of moderate range are applied without rows. Local ones with
// Metropolis acceptance move eight ranks at once; so do single moves and heat baths on any target
// without zeros. Otherwise, or if a mass may have lost digits, masses are number.Wide and move by
// rows. If these take too much memory, the error bounds include what may have been lost.
func LawOf(ctx context.Context, a *chains.Annealing, rank []int32, ranks int, o Options) (*Law, error) {
	if err := exact.Validate(a); err != nil {
		return nil, err
	}
	if len(rank) != a.States() {
		return nil, errs.New("%d ranks for %d states; give one for each", len(rank), a.States())
	}
	if err := CheckSize(a.States(), ranks); err != nil {
		return nil, err
	}
	if o.LogStart != nil && len(o.LogStart) != a.States() {
		return nil, errs.New(
			"the distribution of x_1 is of %d states, and chains are on %d; give one probability for each",
			len(o.LogStart),
			a.States(),
		)
	}
	p := stage.NewProblem(a, o.Progress)
	relative := rounding(a)
	var law *Law
	for i, move := range []func(context.Context, *stage.Problem, []int32, int, Options) (*found, error){
		applied, plainly, widely} {
		if i > 0 {
			p.Restart()
		}
		f, err := move(ctx, p, rank, ranks, o)
		if _, large := errors.AsType[grid.TooLarge](err); large && law != nil {
			return law, nil // as plainly found it, with what it may have lost
		}
		if err != nil {
			return nil, err
		}
		law = nil
		if f != nil {
			law = f.makeLaw(rank, relative)
			if !law.faint() {
				return law, nil
			}
		}
	}
	return law, nil
}

// faint reports whether a probability is so small that terms of it may be below float64, or may
// have lost digits.
func (l *Law) faint() bool {
	const least = 1e-280
	small := func(b number.Bounded) bool { return b.Value < least }
	lost := func(b number.Bounded) bool { return b.Error > 2*l.Lost }
	return slices.ContainsFunc(l.Seen, small) || slices.ContainsFunc(l.End, small) ||
		slices.ContainsFunc(l.LogUnseen, lost)
}

// rounding returns about the largest relative error of a mass: a few roundings a stage, as no mass
// is a difference, and those of log f.
func rounding(a *chains.Annealing) float64 {
	logf := make([]float64, a.States())
	size := 0.0
	for _, t := range []int{1, a.Distributions()} {
		a.LogF(logf, t)
		for _, v := range logf {
			size = max(size, number.Finite(v))
		}
	}
	return (16 + 8*float64(a.Distributions()) + 4*size) * 0x1p-53
}
