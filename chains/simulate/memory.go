package simulate

import (
	"fmt"

	"breadboard/chains"
)

const (
	// maxTables is the most memory, in bytes, that the alias tables of a stage may take.
	maxTables = 2e9
	// tableBytes is the memory of an entry of a row, and of its place in the table.
	tableBytes = 16 + cellBytes
)

// TablesError returns an error that says why chains cannot move by alias tables in a direction, and nil where they can: where
// the kernel has no rows in closed form, and where the tables of a stage would take too much memory, with the size. It takes
// every row to be as long as the longest of three, and makes no others.
func TablesError(a *chains.Annealing, d chains.Direction) error {
	if err := a.RowsError(d); err != nil {
		return err
	}
	n := float64(a.States())
	if n*n*tableBytes <= maxTables {
		return nil
	}
	k := a.KernelAt(a.Distributions())
	if d == chains.Reverse {
		k, _ = a.ReversalAt(a.Distributions()) // RowsError has asked for it
	}
	logf := make([]float64, a.States())
	a.LogF(logf, a.Distributions())
	_, longest := chains.SampledEntries(k.(chains.Rower), logf)
	if bytes := n * longest * tableBytes; bytes > maxTables {
		return fmt.Errorf("the tables of kernel %s on %d states would take about %.3g GB; the limit is %.2g GB: let chains move one by one, or take a smaller space or a kernel with shorter rows",
			chains.NameOf(k), a.States(), bytes/1e9, maxTables/1e9)
	}
	return nil
}

// HasTables reports whether chains can move by alias tables in both directions.
func HasTables(a *chains.Annealing) bool {
	return TablesError(a, chains.Forward) == nil && TablesError(a, chains.Reverse) == nil
}
