package crosscheck

import (
	"context"
	"slices"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/experiments"
)

// withTables replaces kernels that have no rows in closed form, as those of programs are, by tables of their rows: each row of each distribution
// is found once, by running Move over all its choices, and chains are then drawn from the tables. A program that answers some ten thousand
// times a second would take hours for the moves of half a million chains. The rows are all that Move can do, so nothing is lost.
// Progress is called with the number of rows that are there and that of all; it may be nil.
func withTables(ctx context.Context, cases []experiments.Case, progress func(rows, of int)) ([]experiments.Case, error) {
	out, total, done := slices.Clone(cases), 0, 0
	for i := range cases {
		if a := cases[i].Annealing(); lacksRows(a) {
			total += a.States() * (a.Distributions() - 1)
		}
	}
	for i := range cases {
		a := cases[i].Annealing()
		if !lacksRows(a) {
			continue
		}
		tables, err := tablesOf(ctx, a, func(rows int) {
			if done += rows; progress != nil {
				progress(done, total)
			}
		})
		if chains.IsFault(err) {
			continue // whoever solves the case finds the fault too, and says so
		}
		if err == nil {
			out[i].Algorithm, err = a.WithTransitions(chains.ByStage(a.Transitions().String(), tables))
		}
		if err != nil {
			return nil, cases[i].Wrong(err)
		}
	}
	return out, nil
}

// tablesOf returns the rows of the kernel of an annealing as a kernel for each stage.
func tablesOf(ctx context.Context, a *chains.Annealing, progress func(rows int)) ([]chains.Kernel, error) {
	tables := make([]chains.Kernel, 0, a.Distributions()-1)
	centred, _ := a.Centred()
	logf := make([]float64, a.States())
	for t := 2; t <= a.Distributions(); t++ {
		centred.LogF(logf, t)
		rows, err := kernel.NewRows(ctx, a.KernelAt(t), logf)
		if err != nil {
			return nil, err
		}
		tables = append(tables, chains.NewTabulated(chains.NameOf(a.KernelAt(t)), a.States(), rows.Row))
		progress(a.States())
	}
	return tables, nil
}

// lacksRows reports whether an annealing has one kernel for all stages that has no rows in closed form, so that it is asked for its moves.
func lacksRows(a *chains.Annealing) bool {
	k := a.Kernel()
	if k == nil || chains.OfLibrary(k) {
		return false
	}
	_, closed := k.(chains.Rower)
	return !closed
}
