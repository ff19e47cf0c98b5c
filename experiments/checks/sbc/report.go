package sbc

import (
	"math"

	"breadboard/experiments/curves"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of simulation-based calibration, with a table in a file of the
// probabilities of the ranks, and a figure of these.
func report(rows []Row) *reports.Report {
	r := reports.New("sbc", table.New(Columns(), rows))
	r.Add(reports.Table{Name: "ranks", Table: Ranks(rows), Place: reports.InFile})
	// A difference that is rounding is drawn as zero.
	r.Plots(Ranks(rows, curves.Column("difference", func(p *sbcRank) any {
		if by := p.Ranks[p.rank] - p.uniform(); math.Abs(by) > reports.Rounding {
			return by
		}
		return 0.0
	})), columns.Plot{
		Name:  "sbc_ranks",
		Title: "Ranks of the true state among the draws",
		Parts: []columns.Part{{
			X:      "rank",
			Y:      []string{"difference"},
			YLabel: "probability less uniform",
		}},
		By:      []string{"statistic"},
		Panels:  []string{"toy", "sampler", "thin"},
		Free:    true,
		Implied: []string{"thin"},
		Across:  []float64{0},
	})
	reports.NoteRows(r, rows, (*Row).Note, func(row *Row) string {
		return "toy " + row.Toy.Title() + ", sampler " + row.Sampler() + ", statistic " + row.Statistic
	})
	return r
}

// sbcRank is a rank of a row.
type sbcRank struct {
	*Row
	rank int
}

// uniform is the probability of each rank if the draws are independent and right.
func (p *sbcRank) uniform() float64 { return 1 / float64(len(p.Ranks)) }

// Ranks returns the table of the probabilities of ranks, with more columns behind its own.
func Ranks(rows []Row, more ...columns.Field) *table.Table {
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
