// Package annealed answers: do chains of annealed importance sampling follow the exact
// distributions? ChainLaws are the distributions of both ends and of the log weight. A Tally counts
// the chains of one direction, and a PairTally compares the two directions. Each of their tests is
// an e-process, which may be read at any time. Columns for x_1, x_T and log w may be missing: the
// other tests remain, and Untested lists those that are impossible. Running tests chains while they
// accumulate.
//
// It never draws a chain, and never compares with a tolerance.
package annealed

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/stages"
	"breadboard/exact/weights"
	"breadboard/experiments/verdicts"
)

// ChainLaws are the exact distributions of whole chains of one annealing, in both directions: of
// their ends and of their log weights.
type ChainLaws struct {
	a *chains.Annealing
	// label returns the label of a state; nil if states are known by their numbers.
	label func(x int) string
	// first and last are the distributions of x_1 and x_T; pairs is the distribution of the last
	// states x and y of two independent chains, in cell x n + y.
	first, last, pairs [2][]float64
	// powers are the exponents l; cgf is log E[w^l] given that the weight is finite and positive;
	// alive is the probability of such a weight.
	powers []float64
	cgf    [2][]float64
	alive  [2]float64
	// levels are the log weights at which the distribution function of log w is tested.
	levels [2][]verdicts.Level
	// whole are the distributions of log w from which the levels come.
	whole [2]*weights.Law
	// given is log E[w^l | one end] of finite and positive weights, for each of the
	// verdicts.StatePowers and each state of that end: entry 0 is given x_1, entry 1 given x_T.
	given [2][2][][]float64
	// ends is the joint distribution of x_1 and x_T, in cell x_1 n + x_T; nil if it would take too
	// long.
	ends [2][]float64
	// rounding is how far a log weight may be from what was computed, in nats.
	rounding float64
	// skipped says what is not tested, and why.
	skipped []string
}

// maxPairStates is the number of states above which pairs of states have too many cells to test.
const maxPairStates = 256

// lawFrequencies is the number of frequencies at which the distribution of log w is inverted. It
// makes the bounds on the distribution about as narrow as a deviation that a test of some 10^5
// chains can find.
const lawFrequencies = 1 << 12

// NewChainLaws computes the distributions of whole chains. It fails if exact.Solve would. Log
// weights include the constants of log f as it is given, which cost them digits (see
// chains.Annealing.Centred). The mean of log w is tested with finer exponents than in NewEndLaws,
// because there may be far more chains.
func NewChainLaws(ctx context.Context, a *chains.Annealing) (*ChainLaws, error) {
	l, err := endLaws(ctx, a, verdicts.FinePowers())
	if err != nil {
		return nil, err
	}
	law, err := weights.LawsOf(ctx, l.a, weights.Options{Frequencies: lawFrequencies})
	if err != nil {
		return nil, err
	}
	l.whole = [2]*weights.Law{law.Forward, law.Reverse}
	l.setLevels()
	if err := l.addEnds(ctx); err != nil {
		return nil, err
	}
	if err := l.addJoint(ctx); err != nil {
		return nil, err
	}
	if n := a.States(); n > maxPairStates {
		l.skip("%d states are more than %d, so consecutive chains and the joint distribution of x_1 and "+
			"x_T are not tested",
			n, maxPairStates)
	}
	return l, nil
}

// NewEndLaws computes only the distributions of the ends of chains and of the mean of log w, in
// some sweeps through the stages, for callers that cannot wait. It fails if exact.Solve would.
func NewEndLaws(ctx context.Context, a *chains.Annealing) (*ChainLaws, error) {
	return endLaws(ctx, a, verdicts.Powers())
}

// endLaws does what NewEndLaws does, with these exponents for the test of the mean of log w.
func endLaws(ctx context.Context, a *chains.Annealing, powers []float64) (*ChainLaws, error) {
	T := a.Distributions()
	if _, err := exact.Solve(ctx, a, exact.Options{}); err != nil { // which also checks the kernel
		return nil, err
	}
	a, err := exact.WithReversal(ctx, a)
	if err != nil {
		return nil, err
	}
	ends, err := stages.Marginals(ctx, a, []int{1, T})
	if err != nil {
		return nil, err
	}
	l := &ChainLaws{
		a:      a,
		first:  [2][]float64{ends[0].Forward, ends[0].Reverse},
		last:   [2][]float64{ends[1].Forward, ends[1].Reverse},
		powers: powers,
	}
	for d, end := range [][]float64{l.last[chains.Forward], l.first[chains.Reverse]} {
		if err := l.addWeights(ctx, chains.Direction(d)); err != nil {
			return nil, err
		}
		if a.States() <= maxPairStates {
			l.pairs[d] = product(end, end)
		}
	}
	return l, nil
}

// state returns the name of a state for messages.
func (l *ChainLaws) state(x int) string { return stateName(l.label, x) }

// stateName returns the label of a state, and its number if there are no labels.
func stateName(label func(x int) string, x int) string {
	if label == nil {
		return strconv.Itoa(x)
	}
	return label(x)
}

// Named sets the labels of the states for findings; nil means their numbers.
func (l *ChainLaws) Named(label func(x int) string) { l.label = label }

// Annealing returns the annealing, with the time reversal of every stage.
func (l *ChainLaws) Annealing() *chains.Annealing { return l.a }

// First returns the distribution of x_1. Do not change it.
func (l *ChainLaws) First(d chains.Direction) []float64 { return l.first[d] }

// Last returns the distribution of x_T. Do not change it.
func (l *ChainLaws) Last(d chains.Direction) []float64 { return l.last[d] }

// LogW returns the distribution of log w.
func (l *ChainLaws) LogW(d chains.Direction) *weights.Law { return l.whole[d] }

// Levels returns the log weights at which the distribution function of log w is tested. Do not
// change them.
func (l *ChainLaws) Levels(d chains.Direction) []verdicts.Level { return l.levels[d] }

// CGF returns the exponents l of the test of the mean log weight and log E[w^l], in nats, given
// that the weight is finite and positive, without an allowance for rounding. Do not change them.
func (l *ChainLaws) CGF(d chains.Direction) (powers, k []float64) { return l.powers, l.cgf[d] }

// RoundedCGF returns the exponents l of the test of the mean log weight, and a bound on log E[v^l]
// in nats, where v is a weight whose logarithm was rounded: log E[w^l] plus |l| times the largest
// rounding error of a log weight.
func (l *ChainLaws) RoundedCGF(d chains.Direction) (powers, k []float64) {
	k = slices.Clone(l.cgf[d])
	for i, power := range l.powers {
		k[i] += math.Abs(power) * l.rounding
	}
	return l.powers, k
}

// roundedGiven returns the bounds of RoundedCGF for the verdicts.StatePowers and weights given each
// state of an end: 0 is x_1, and 1 is x_T.
func (l *ChainLaws) roundedGiven(d chains.Direction, end int) [][]float64 {
	var out [][]float64
	for i, k := range l.given[d][end] {
		k = slices.Clone(k)
		for x := range k {
			k[x] += math.Abs(verdicts.StatePowers()[i]) * l.rounding
		}
		out = append(out, k)
	}
	return out
}

// Skipped returns the untested properties with the reasons, one sentence each.
func (l *ChainLaws) Skipped() []string { return l.skipped }

func (l *ChainLaws) skip(format string, args ...any) {
	l.skipped = append(l.skipped, fmt.Sprintf(format, args...))
}

func (l *ChainLaws) addWeights(ctx context.Context, d chains.Direction) error {
	k, err := weights.FiniteCGF(ctx, l.a, d, append([]float64{0}, l.powers...))
	if err != nil {
		return err
	}
	for _, v := range k[1:] {
		l.cgf[d] = append(l.cgf[d], v-k[0])
	}
	l.alive[d] = math.Exp(k[0])
	if !l.a.Path().Zeros() {
		l.alive[d] = 1 // the sum would differ from one by rounding
	}
	return nil
}

// addEnds computes the distributions of the weights given an end. Given the first state they come
// from the other direction (see weights.EndCGF).
func (l *ChainLaws) addEnds(ctx context.Context) error {
	conditional := func(d chains.Direction, shift float64) ([][]float64, error) {
		powers := []float64{shift}
		for _, v := range verdicts.StatePowers() {
			powers = append(powers, v+shift)
		}
		k, err := weights.EndCGF(ctx, l.a, d, powers)
		if err != nil {
			return nil, err
		}
		for i := range k[1:] {
			for x := range k[0] {
				k[1+i][x] -= k[0][x]
			}
		}
		return k[1:], nil
	}
	for d, shifts := range [][2]float64{{-1, 0}, {0, 1}} {
		first, err := conditional(chains.Reverse, shifts[0])
		if err != nil {
			return err
		}
		last, err := conditional(chains.Forward, shifts[1])
		if err != nil {
			return err
		}
		l.given[d] = [2][][]float64{first, last}
	}
	return nil
}

// levelCount is the largest number of levels.
const levelCount = 7

// quantiles are those near which the levels stand.
func quantiles() [levelCount]float64 { return [...]float64{0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98} }

// Rounded returns the distributions for log weights with errors of up to that many nats, such as
// those written with few digits. The probabilities of being below a level and the moments of
// weights (see RoundedCGF) then have wider bounds, so that rounding gives no false alarm, even if
// it moves all log weights in the same direction.
func (l *ChainLaws) Rounded(by float64) *ChainLaws {
	out := *l
	out.rounding = by
	out.setLevels()
	return &out
}

// setLevels computes the levels for log weights that are rounded as they are.
func (l *ChainLaws) setLevels() {
	for d, law := range l.whole {
		if law != nil {
			l.levels[d] = levels(law, l.rounding)
		}
	}
}

// levels returns levels near quantiles of the distribution, for log weights that are off by up to
// the given rounding. On a lattice they are half way between its points, if no rounding of a sum
// decides on which side it is.
func levels(law *weights.Law, rounding float64) []verdicts.Level {
	const (
		beside    = 1e-6 // a level stands this part of the range beside a quantile, which may be an atom
		simulated = 1e-9 // this part of the range is more than the rounding of a simulated log weight
	)
	low, high := law.Support()
	var out []verdicts.Level
	for _, q := range quantiles() {
		x := law.Quantile(q).Value
		if law.Spacing > 0 {
			x = low + law.Spacing*(math.Round((x-low)/law.Spacing)+0.5)
		} else {
			x += beside * (high - low)
		}
		if !(x > low && x < high) || len(out) > 0 && x <= out[len(out)-1].X {
			continue
		}
		p := law.Below(x)
		slack := max(rounding, simulated*(high-low))
		p.Low, p.High = law.Below(x-slack).Low, law.Below(x+slack).High
		if p.Value > 0 && p.Value < 1 {
			out = append(out, verdicts.Level{X: x, P: p})
		}
	}
	return out
}

func product(p, q []float64) []float64 {
	out := make([]float64, 0, len(p)*len(q))
	for _, a := range p {
		for _, b := range q {
			out = append(out, a*b)
		}
	}
	return out
}
