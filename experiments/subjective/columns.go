package subjective

import (
	"math"
	"slices"

	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/experiments/columns"
)

// Moved is a row of the table: what a row of the study has after one of its numbers of moves.
type Moved struct {
	Run *Row
	exact.SubjectivePoint
}

// Columns lists the columns of the table.
func Columns() []columns.Field[Moved] {
	infinite := math.Inf(1)
	bound := columns.Kept{High: 1, Shown: true}
	return slices.Concat(
		experiments.WholeCase(func(r *Moved) *experiments.Case { return &r.Run.Case }),
		[]columns.Field[Moved]{
			{Column: columns.Column{Name: "reference", Type: columns.String, Title: "reference", Meaning: "the distribution where reverse chains start"}, Of: func(r *Moved) any { return r.Run.Reference }},
			{Column: columns.Column{Name: "S", Type: columns.Int, Title: "S", Meaning: "the number of moves of the reference before a reverse chain starts"}, Of: func(r *Moved) any { return r.Moves }},
			columns.Number(columns.Column{Name: "value", Title: "value", Unit: "nats", Meaning: "the subjective divergence, which is B where the reference is the target"},
				columns.Kept{Low: -infinite, High: infinite, Shown: true}, func(r *Moved) float64 { return r.Value }),
			columns.Number(columns.Column{Name: "J", Title: "J", Unit: "nats", Meaning: columns.MeansJ}, columns.Kept{High: infinite, Shown: true}, func(r *Moved) float64 { return r.Run.Solution.J }),
			columns.Number(columns.Column{Name: "B", Title: "B", Unit: "nats", Meaning: "the bound on J of reverse chains that start at the target itself"},
				columns.Kept{Low: -infinite, High: infinite, Shown: true}, func(r *Moved) float64 { return r.Run.Solution.B }),
			{Column: columns.Column{Name: "is_bound", Type: columns.Bool, Title: "bounds J", Meaning: "whether value is at least J; in sweeps 1 where it is, and 0 where it is not"}, Kept: &bound, Of: func(r *Moved) any { return r.Run.IsBound(r.SubjectivePoint) }},
			columns.Number(columns.Column{Name: "kl_reference", Spare: 1, Title: "KL(reference||p)", Unit: "nats", Narrow: true, Meaning: "KL of the moved reference from the target"},
				columns.Kept{High: infinite}, func(r *Moved) float64 { return r.KL }),
			{Column: columns.Column{Name: "bound_from", Type: columns.Int, Meaning: "the number of moves from which on value is at least J; empty where there is none"}, Of: boundFrom},
		})
}

// boundFrom returns the number of moves from which on a row gives a bound, nil for none.
func boundFrom(r *Moved) any {
	if r.Run.BoundFrom < 0 {
		return nil
	}
	return r.Run.BoundFrom
}

// first returns a row after its first number of moves, which is the only one in a sweep.
func first(r *Row) *Moved { return &Moved{r, r.Points[0]} }
