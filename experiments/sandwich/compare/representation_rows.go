package compare

import (
	"math"
	"slices"

	"breadboard/experiments/sandwich"
)

// RepresentationRow is what annealing in a representation with one T says of log p(y) of a data set, or of all of them together.
type RepresentationRow struct {
	Representation string
	Work           float64 // of a chain, in evaluations of log f as package chains/estimators counts them
	sandwich.Row
}

// rows returns the rows of the jobs all of whose chains are done, and after those of a T the row of all its data sets.
func (s *annealed) rows(results []sandwich.Estimate, done []bool) (rows []RepresentationRow) {
	each := 2 * s.Chains
	for first := 0; first < len(s.jobs); first += s.Datasets {
		var block []sandwich.Row
		work := 0.0
		for i := first; i < first+s.Datasets; i++ {
			if from, to := i*each, (i+1)*each; !slices.Contains(done[from:to], false) {
				block = append(block, s.row(s.jobs[i], results[from:to]))
				work = results[from].Work
			}
		}
		if len(block) == s.Datasets && s.Datasets > 1 {
			block = append(block, sandwich.Together(block))
		}
		for _, r := range block {
			rows = append(rows, RepresentationRow{s.model.Representations[s.jobs[first].representation].Name, work, r})
		}
	}
	return rows
}

// row returns the row of a job.
func (s *annealed) row(j job, results []sandwich.Estimate) sandwich.Row {
	r := sandwich.Row{
		Model: s.model.Name, Rows: s.Rows, Columns: s.Columns, Algorithm: "ais", T: s.T[j.T], Scans: -1,
		Data: j.data + 1, Datasets: 1, Chains: s.Chains, LogZ: math.NaN(), Notes: sandwich.Conditional(s.Datasets),
	}
	r.Fill(results[:s.Chains], results[s.Chains:])
	return r
}
