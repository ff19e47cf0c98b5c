package conform

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/conform/hypotheses"

	"breadboard/experiments/crosscheck"
	"breadboard/experiments/study/check"
)

// Telling says how many chains tell a hypothesis apart, by the columns at hand. Each number of chains is enough with a
// probability of about 0.99: the sum of their log likelihood ratios is taken to be nearly normal (see hypotheses.Set.Needs).
type Telling struct {
	Direction  chains.Direction
	Hypothesis string
	KL         float64 // the divergence of a chain under the hypothesis from one under the specification, in nats
	Found      float64 // the number of chains after which it is a fault; +Inf where there is none
	// Named is the number of chains after which it is a hundred times likelier than another hypothesis, for the one that takes
	// the most among all but those that the columns cannot tell from it, and Unknown. Where several others are as hard to tell,
	// all of them together take a few more. It is 0 where it has not been asked for.
	Named float64
	Alike []string // the hypotheses that the columns cannot tell from it, which may include the specification
}

// namedOdds is how many times likelier a hypothesis has to be than another to be told from it.
const namedOdds = 100

// tellings returns how many chains tell every hypothesis from the specification, where a fault needs a log e-value of
// logThreshold.
func tellings(d chains.Direction, set *hypotheses.Set, logThreshold float64) []Telling {
	var out []Telling
	target := logThreshold + math.Log(float64(len(set.Names)))
	for h, name := range set.Names {
		if h > 0 {
			out = append(out, Telling{Direction: d, Hypothesis: name, KL: set.Divergence(h, 0), Found: set.Needs(h, 0, target), Alike: set.Alike(name)})
		}
	}
	return out
}

// Needs returns how many chains find and name each hypothesis on a task, by the columns and in the directions given, at a
// probability of a false alarm of alpha.
func Needs(ctx context.Context, t *Task, columns crosscheck.Columns, alpha float64, workers int) ([]Telling, error) {
	if err := check.ValidateAlpha(alpha); err != nil {
		return nil, err
	}
	var out []Telling
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		set, err := hypotheses.New(ctx, hypotheses.Problem{
			Annealing: t.Case.Annealing(), Space: t.Case.Toy.Space, Direction: d, Columns: hypotheses.Columns(columns), LogZ1: t.LogZ1, Workers: workers,
		})
		if err != nil {
			return nil, t.Case.Wrong(err)
		}
		list := tellings(d, set, math.Log(expectedTests)-math.Log(alpha))
		err = experiments.Parallel(ctx, len(list), workers, func(_ context.Context, i int) error {
			list[i].Named = naming(set, i+1)
			return nil
		})
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// expectedTests is about the number of tests of a run with both directions and all columns of chains.
const expectedTests = 32

// naming returns the number of chains after which a hypothesis is likelier than all others by namedOdds.
func naming(set *hypotheses.Set, h int) float64 {
	worst := 1.0
	for other := range set.Names {
		if other != h && !set.Same(h, other) {
			worst = max(worst, set.Needs(h, other, math.Log(namedOdds)))
		}
	}
	return worst
}
