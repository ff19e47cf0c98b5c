package ranks

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/check"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// Report returns the report of the test of ranks, with their histograms and the
// differences of their distribution functions from the uniform one. It has a Fault if ranks of a
// variable are not uniform.
func Report(source string, findings []Finding) *reports.Report {
	return ranksReport("conform_ranks", source, findings, "the ranks are not uniform; see the variables that say fault")
}

// ConformJointReport is the same of ranks of chains among forward draws, with notes.
func ConformJointReport(source string, findings []Finding, notes []string) *reports.Report {
	r := ranksReport("conform_joint", source, findings,
		"the chains and the forward draws have different distributions: prior, simulator and sampler do "+
			"not belong together; see the variables that say fault")
	r.NotesOnce(notes)
	return r
}

// ranksReport returns a report of ranks under a name, with what it concludes.
func ranksReport(name, source string, findings []Finding, fault string) *reports.Report {
	r := &reports.Report{}
	n := reports.AddFindings(r, name, fmt.Sprintf("%s, ranks of %s",
		source, selector.Count(len(findings), "variable")), Columns(), findings)
	for i := range findings {
		draws.ExplainAll(r.Checked[i:i+1], findings[i].Where)
	}
	r.PlotLater(columns.Plot{
		Name:  name,
		Title: "Ranks, and the difference of their distribution function from the uniform one",
		Parts: []columns.Part{{
			X:      "from",
			XLabel: "rank/(L+1)",
			Until:  "to",
			Y:      []string{"share", "share, outside"},
			YLabel: "density",
			Band:   []string{"least", "most"},
		}, {
			X:      "P",
			XLabel: "rank/(L+1)",
			Y:      []string{"difference"},
			YLabel: "difference",
			Band:   []string{"low", "high"},
		}},
		Bars:   []string{"share", "share, outside"},
		BandIs: []string{fmt.Sprintf("%g%% of right samplers", 100*(1-curves.PITAlpha))},
		Panels: []string{"of"},
		Lines:  true,
		Steps:  true,
		Why:    errors.New("there are no ranks"),
	}, func() *table.Table { return rankHistograms(findings) })
	open := ""
	if i := slices.IndexFunc(findings, func(f Finding) bool { return f.Verdict == check.Open }); i >= 0 {
		open = findings[i].Variable.Name + ": " + findings[i].Where
	}
	r.Conclude(n, fault, open)
	r.NoteResult(fewest(findings))
	return r
}

// fewest says what the variable with the fewest runs shows, and how far the most suspect one is
// from a fault.
func fewest(findings []Finding) string {
	f := slices.MinFunc(findings, func(a, b Finding) int { return len(a.Ranks) - len(b.Ranks) })
	top := slices.MaxFunc(findings, func(a, b Finding) int { return cmp.Compare(a.Value, b.Value) })
	return fmt.Sprintf("%s, %s (largest e-value %.3g, of %s; a fault from %.3g)", f.Variable.Name,
		f.Where, top.Value, top.Variable.Name, top.Tolerance)
}

// rankHistograms returns the bars of ranks, pooled to at most curves.PITParts, with the interval of
// each in right samplers, and the differences of the distribution functions.
func rankHistograms(findings []Finding) *table.Table {
	var cells [][]any
	for i := range findings {
		f := &findings[i]
		runs := float64(len(f.Ranks))
		cellsOf := f.Draws + 1
		parts := min(curves.PITParts, cellsOf)
		of := f.Variable.Name
		for k := range parts {
			from, to := k*cellsOf/parts, (k+1)*cellsOf/parts
			p := float64(to-from) / float64(cellsOf)
			count := 0
			for _, c := range f.Counts[from:to] {
				count += c
			}
			half := distuv.UnitNormal.Quantile(1-curves.PITAlpha/2) * math.Sqrt(p*(1-p)/runs)
			at := []any{of, float64(from) / float64(cellsOf), float64(to) / float64(cellsOf),
				float64(count) / runs / p, nil, max(0, p-half) / p,
				(p + half) / p, nil, nil, nil, nil}
			if math.Abs(float64(count)/runs-p) > half {
				at[3], at[4] = nil, at[3]
			}
			cells = append(cells, at)
		}
		// The supremum of the difference is above this bound with the probability curves.PITAlpha
		// at most (Massart 1990).
		reach := math.Sqrt(number.Log(2/curves.PITAlpha) / 2 / runs)
		below := 0
		cells = append(cells, []any{of, nil, nil, nil, nil, nil, nil, 0., 0., -reach, reach})
		for k, c := range f.Counts {
			below += c
			p := float64(k+1) / float64(cellsOf)
			cells = append(cells, []any{of, nil, nil, nil, nil, nil, nil, p, float64(below)/runs - p, -reach, reach})
		}
	}
	return curves.Cells(slices.Clip(cells), "of", "from", "to", "share", "share, outside", "least", "most",
		"P", "difference", "low", "high")
}
