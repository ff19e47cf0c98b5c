package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/experiments"
	"breadboard/experiments/columns"
)

// Mutant is a program with a planted bug, in a setting where the bug shows. A Harmless one has no bug, and a check must pass it.
type Mutant[R Result] struct {
	Name     string
	Harmless bool
	Setting  string // what the bug is planted in
	Examine  func(ctx context.Context) ([]R, error)
}

// Judgement is what a check says of a mutant.
type Judgement[R Result] struct {
	Mutant, Setting  string
	Harmless, Caught bool
	Worst            R // the fault with the largest value; if there is none, the first result
}

// Right reports whether the check has judged the mutant as it should.
func (j *Judgement[R]) Right() bool { return j.Caught != j.Harmless }

// Found implements Result: it is a fault where the check has misjudged the mutant.
func (j Judgement[R]) Found() Finding {
	f := Finding{Name: "planted: " + j.Mutant, Value: math.NaN(), Tolerance: math.NaN(), Verdict: Pass}
	switch {
	case j.Right():
	case j.Harmless:
		f.Verdict, f.Where = Fault, fmt.Sprintf("it does no harm, and the check says fault: %s: %s", j.Worst.Found().Name, j.Worst.Found().Where)
	default:
		f.Verdict, f.Where = Fault, "it was not caught"
	}
	return f
}

// RunMutants examines all mutants, workers at a time (0: one per processor). Progress is called after each of them, from several goroutines;
// it may be nil.
func RunMutants[R Result](ctx context.Context, list []Mutant[R], workers int, progress func(mutants int)) ([]Judgement[R], error) {
	out := make([]Judgement[R], len(list))
	err := experiments.Parallel(ctx, len(list), workers, func(ctx context.Context, i int) error {
		m := &list[i]
		results, err := m.Examine(ctx)
		if err != nil {
			return fmt.Errorf("mutant %q of %s: %w", m.Name, m.Setting, err)
		}
		out[i] = Judgement[R]{Mutant: m.Name, Setting: m.Setting, Harmless: m.Harmless, Caught: Faulty(results), Worst: worst(results)}
		if progress != nil {
			progress(1)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// worst returns the fault with the largest value, or the first result where there is no fault.
func worst[R Result](results []R) (out R) {
	if len(results) > 0 {
		out = results[0]
	}
	largest := math.Inf(-1)
	for _, r := range results {
		if f := r.Found(); f.Verdict == Fault && !(f.Value <= largest) {
			out, largest = r, f.Value
		}
	}
	return out
}

// MutantColumns returns the columns of mutants: which bug, in which setting, whether it was caught, and how.
func MutantColumns[R Result](setting, how []columns.Field[Judgement[R]]) []columns.Field[Judgement[R]] {
	type judgement = Judgement[R]
	return slices.Concat(
		[]columns.Field[judgement]{{Column: columns.Column{Name: "mutant", Type: columns.String, Title: "planted bug", Meaning: "the bug that was planted, or the harmless change"}, Of: func(j *judgement) any { return j.Mutant }}},
		setting,
		[]columns.Field[judgement]{
			{Column: columns.Column{Name: "harmless", Type: columns.Bool, Title: "harmless", Meaning: "whether it is no bug, and must not be caught"}, Of: func(j *judgement) any { return j.Harmless }},
			{Column: columns.Column{Name: "caught", Type: columns.Bool, Title: "caught", Meaning: "whether the check has found a fault in it"}, Of: func(j *judgement) any { return j.Caught }},
		},
		how)
}

// CaughtBy is the column with the finding that caught a mutant.
func CaughtBy[R Result]() columns.Field[Judgement[R]] {
	return columns.Field[Judgement[R]]{Column: columns.Column{Name: "finding", Type: columns.String, Title: "finding", Meaning: columns.MeansFinding}, Of: ifCaught(func(j *Judgement[R]) any { return j.Worst.Found().Name })}
}

// CaughtWhere is the column that says where the finding that caught a mutant was made.
func CaughtWhere[R Result]() columns.Field[Judgement[R]] {
	return columns.Field[Judgement[R]]{Column: columns.Column{Name: "where", Type: columns.String, Title: "where", Meaning: columns.MeansWhere}, Of: ifCaught(func(j *Judgement[R]) any { return j.Worst.Found().Where })}
}

// ifCaught returns the cell of a mutant that was caught, and an empty text for any other.
func ifCaught[R Result](cell func(j *Judgement[R]) any) func(j *Judgement[R]) any {
	return func(j *Judgement[R]) any {
		if !j.Caught {
			return ""
		}
		return cell(j)
	}
}
