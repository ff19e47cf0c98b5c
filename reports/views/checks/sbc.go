package checks

import (
	"math"

	"breadboard/chains/selector"
	"breadboard/experiments/checks/power"
	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/columns"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// SBCReport returns the report of simulation-based calibration, with a table in a file of the
// probabilities of the ranks, and a figure of these.
func SBCReport(rows []sbc.Row) *reports.Report {
	r := reports.New("sbc", table.New(sbc.Columns(), rows))
	r.Add(reports.Table{Name: "ranks", Table: SBCRanks(rows), Place: reports.InFile})
	// A difference that is rounding is drawn as zero.
	r.Plots(SBCRanks(rows, curves.Column("difference", func(p *sbcRank) any {
		if by := p.Ranks[p.rank] - p.uniform(); math.Abs(by) > reports.Rounding {
			return by
		}
		return 0.0
	})), columns.Plot{
		Name:   "sbc_ranks",
		Title:  "Ranks of the true state among the draws",
		X:      "rank",
		Y:      "difference",
		By:     "sampler+thin",
		Panels: "toy+statistic",
		Across: []float64{0},
		Log:    "none",
		YLabel: "probability less uniform",
	})
	noteRows(r, rows, (*sbc.Row).Note, func(row *sbc.Row) string {
		return "toy " + row.Toy.Title() + ", sampler " + row.Sampler() + ", statistic " + row.Statistic
	})
	return r
}

// PowerReport returns the report that compares tests.
func PowerReport(rows []power.Row) *reports.Report {
	r := reports.New("power", table.New(power.Columns(), rows))
	noteRows(r, rows, (*power.Row).Note, (*power.Row).About)
	return r
}

// noteRows adds the notes of rows, each once, with the first row that it is about.
func noteRows[R any](r *reports.Report, rows []R, note, about func(*R) string) {
	for _, same := range reports.Grouped(rows, note) {
		others := ""
		if more := len(same) - 1; more > 0 {
			others = " and " + selector.Count(more, "more row")
		}
		if n := note(&same[0]); n != "" {
			r.Note("%s%s: %s", about(&same[0]), others, n)
		}
	}
}

// sbcRank is a rank of a row.
type sbcRank struct {
	*sbc.Row
	rank int
}

// uniform is the probability of each rank if the draws are independent and right.
func (p *sbcRank) uniform() float64 { return 1 / float64(len(p.Ranks)) }

// SBCRanks returns the table of the probabilities of ranks, with more columns behind its own.
func SBCRanks(rows []sbc.Row, more ...columns.Field) *table.Table {
	var all []sbcRank
	for i := range rows {
		for k := range rows[i].Ranks {
			all = append(all, sbcRank{&rows[i], k})
		}
	}
	fields := subject.CaseColumns(func(p *sbcRank) *subject.Case { return &p.Case }, "toy")
	return table.New(append(append(fields,
		columns.Of("sampler", "sampler", "what makes the draws", func(p *sbcRank) string { return p.Sampler() }),
		columns.Of("thin", "thin", "the number of moves for each draw; 0 if the draws are independent",
			func(p *sbcRank) int { return p.Thin }),
		columns.Of("statistic", "statistic", "what the ranks are those of",
			func(p *sbcRank) string { return p.Statistic }),
		columns.Of("rank", "rank", "the number of draws below the true state",
			func(p *sbcRank) int { return p.rank }),
		columns.Of("probability", "probability", "the probability of the rank",
			func(p *sbcRank) float64 { return p.Ranks[p.rank] }).Answer(),
		columns.Of(
			"uniform",
			"uniform",
			"the probability of the rank if the sampler is right and its draws are independent",
			func(p *sbcRank) float64 { return p.uniform() },
		),
	), more...), all)
}
