package reports

import (
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/experiments/crosscheck"
	"breadboard/reports/table"
)

// MutantsReport returns the report that says which planted bugs and harmless variants the battery of tests has caught. It has
// a Fault where a bug that can be seen was missed, or a harmless variant was caught.
func MutantsReport(results []crosscheck.MutantResult) *Report {
	r := newReport("mutants", Mutants(results))
	planted, caught, byDefault := 0, 0, 0
	for _, m := range results {
		if !m.Harmless {
			planted++
		}
		if m.Caught {
			caught++
		}
		if m.Default {
			byDefault++
		}
		if !m.Right() {
			r.Fault = chains.NewFault(fmt.Errorf("the battery misjudged %q", m.Mutant))
			return r
		}
		if m.Invisible() {
			r.note("%q cannot be seen: a test of single moves is expected to need %.2g of them", m.Mutant, m.Needs)
		}
	}
	r.note("every planted bug that can be seen was caught, and no harmless variant: %d of %d bugs, with up to 10^8 moves for wrong kernels and 8 times the calls for counts; the draws of a run without {mutants|them} are enough for %d", caught, planted, byDefault)
	return r
}

func mutantFields() []table.Field[crosscheck.MutantResult] {
	return slices.Concat(
		plantedFields(func(m *crosscheck.MutantResult) plantedBug { return plantedBug{m.Mutant, m.Harmless, m.Caught} }, nil),
		[]table.Field[crosscheck.MutantResult]{
			{Column: table.Column{Name: "default", Type: table.Bool, Title: "by default", Meaning: "whether the draws of a run without mutants are enough to catch it"}, Of: func(m *crosscheck.MutantResult) any { return m.Default }},
			{Column: table.Column{Name: "draws", Type: table.Int, Spare: 1, Title: "draws", Meaning: "the number of draws of the test that caught it, or else the largest number of any test"}, Of: func(m *crosscheck.MutantResult) any { return m.Draws }},
			{Column: table.Column{Name: "needs", Type: table.Float, Spare: 1, Title: "needs", Digits: 2, Meaning: "the number of moves that a test of single moves is expected to need; empty where it is not known"}, Of: needs},
			{Column: table.Column{Name: "where", Type: table.String, Title: "where", Meaning: "the test that caught it; empty where it was not caught"}, Of: func(m *crosscheck.MutantResult) any { return m.Where }},
		})
}

// needs returns the expected number of moves that a test of single moves needs, where it is known.
func needs(m *crosscheck.MutantResult) any {
	if m.Needs > 0 {
		return m.Needs
	}
	return nil
}

// Mutants returns the table of planted bugs and harmless variants.
func Mutants(results []crosscheck.MutantResult) *table.Table {
	return table.New(mutantFields(), results)
}
