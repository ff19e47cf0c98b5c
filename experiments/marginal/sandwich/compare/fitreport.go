package compare

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// hyperFile is the name of the table of hyperparameters.
const hyperFile = "sandwich_fit_hyperparameters"

// fitReport returns the report of chains on measured data and on data simulated from a fit
// to them.
func fitReport(rows []FittedRow) *reports.Report {
	r := reports.New("sandwich_fit", table.New(FitStudy().Declaration.Columns, rows))
	if len(rows) > 0 {
		r.Add(reports.Table{
			Name:  hyperFile,
			Table: hyperTable(rows[0].Fitted),
			Place: reports.BesideResults,
		})
		plotFitted(r, rows)
		for _, doubt := range rows[0].Doubts {
			r.Add(reports.Note{Advice: doubt})
		}
	}
	for _, finding := range FittedFindings(rows) {
		r.Note("%s", finding)
	}
	return r
}

// hyperTable returns the table of hyperparameters: those inferred from measured data, and those
// at the starts of reverse chains.
func hyperTable(rows []Fitted) *table.Table {
	number := func(name, title, meaning string, of func(*Fitted) float64) table.Field {
		return columns.Of(name, title, meaning, of).OrEmpty().Digits(4)
	}
	return table.New(columns.List{
		columns.Of("model", "model", "the model whose hyperparameters are inferred",
			func(r *Fitted) string { return r.Model }),
		columns.Of("data", "given data", "the data that they are inferred from: real, or simulated",
			(*Fitted).Kind),
		columns.Of("start", "start", "the number of the start of reverse chains; empty for the measured data",
			func(r *Fitted) int { return r.Start }).Positive(),
		columns.Of("moves", "moves",
			"the number of transitions at b = 1",
			func(r *Fitted) int { return r.Moves }),
		columns.Of("hyperparameter", "hyperparameter",
			"the name of the hyperparameter; probabilities of components are in descending order",
			func(r *Fitted) string { return r.Name }),
		number("value", "value",
			"the hyperparameter's value after the last transition",
			func(r *Fitted) float64 { return r.Value }).Answer(),
		number("mean", "mean", "the hyperparameter's mean over the second half of the transitions",
			func(r *Fitted) float64 { return r.Mean }).Answer(),
		number("sd", "sd", "the hyperparameter's standard deviation over the second half of the transitions",
			func(r *Fitted) float64 { return r.SD }).Answer(),
	}, rows)
}

// plotFitted adds the figure of the quartiles of log weights against T, minus the largest log
// weight of a forward chain on the same data: at the left those of forward chains on measured and
// on simulated data, with those in reverse after the most transitions, and at the right those in
// reverse after every number S of transitions.
func plotFitted(r *reports.Report, rows []FittedRow) {
	most := 0
	for _, r := range rows {
		most = max(most, r.S)
	}
	var drawn []fittedAt
	for i := range rows {
		r := &rows[i]
		reverse := r.Direction == chains.Reverse
		if !reverse || r.S == most {
			drawn = append(drawn, fittedAt{r, "real and simulated data"})
		}
		if reverse {
			drawn = append(drawn, fittedAt{r, "reverse after S transitions"})
		}
	}
	shifted := func(name string, of func(*fittedAt) float64) columns.Field {
		return curves.Column(name, func(r *fittedAt) any {
			if r.Data > 1 && name != "median" { // further data sets have the median only
				return nil
			}
			return of(r) - r.Shift
		})
	}
	r.Plots(table.New(columns.List{
		curves.Column("panel", func(r *fittedAt) any { return r.panel }),
		curves.Column("chains", (*fittedAt).series),
		curves.Column("T", func(r *fittedAt) any { return r.T }),
		curves.Column("further data set", func(r *fittedAt) any {
			if r.Data > 1 {
				return r.Data
			}
			return nil
		}),
		shifted("first quartile", func(r *fittedAt) float64 { return r.Q25 }),
		shifted("median", func(r *fittedAt) float64 { return r.Median }),
		shifted("third quartile", func(r *fittedAt) float64 { return r.Q75 }),
	}, drawn), columns.Plot{
		Name:  "sandwich_fit_" + rows[0].Model,
		Title: "Bounds on measured data and on data simulated from a fit, model " + rows[0].Model,
		Parts: []columns.Part{{
			X:      "T",
			XLabel: "number of distributions T",
			XScale: columns.Decades,
			Y:      []string{"median"},
			YLabel: "log weight, shifted (nats)",
			Band:   []string{"first quartile", "third quartile"},
		}},
		By:      []string{"chains"},
		Panels:  []string{"panel"},
		Members: []string{"further data set"},
		Joined:  true,
		Free:    true,
		Why:     errs.New("nothing to draw: give at least two numbers of distributions, as in {T} 100,1000"),
	})
}

// fittedAt is a row in a panel of the figure.
type fittedAt struct {
	*FittedRow
	panel string
}

// series names the curve of the row.
func (r *fittedAt) series() any {
	switch {
	case r.Direction == chains.Reverse:
		return fmt.Sprintf("reverse, S = %d", r.S)
	case r.Data == 0:
		return "forward, real"
	}
	return "forward, simulated"
}
