package mcmc

import (
	"fmt"

	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// plotLook adds two figures of a variable of somebody else's draws: the trace of each chain above
// its share of each range of ranks, and the autocorrelations with their sum above the ESS of the
// first draws, with the limit of 100 a chain.
//
// Source: Vehtari, Gelman, Simpson, Carpenter and Buerkner 2021.
func plotLook(r *reports.Report, v *diagnose.Variable) {
	if !v.Looks() {
		return
	}
	plots := []columns.Plot{
		{
			Name: "chains_" + v.Name, Title: "Trace and ranks: " + v.Name, X: "draw|rank", Y: "value|share", By: "chain", Level: "|1 if chains are alike",
			Members: "trace",
			Lines:   true, Joined: true, Log: "none", XLabel: "draw|rank among all draws", YLabel: v.Name + "|share of the chain",
		},
		{
			Name: "mixing_" + v.Name, Title: "Autocorrelation and effective sample size: " + v.Name, X: "lag|lag|draws", Y: "correlation|sum|bulk+tail", By: "chain",
			Level: "||100 a chain", Lines: true, Joined: true, Log: "none", XLabel: "lag|lag|draws of each chain", YLabel: "autocorrelation|1 + 2 times its sum|ESS",
		},
	}
	for _, p := range plots {
		p.Name = reports.FileName(p.Name)
		r.Add(reports.Figure{Title: p.Title, File: p.Name, Missing: p.Name + " is not drawn", Draw: func() (*figure.Figure, error) {
			l, err := v.Look()
			if err != nil {
				return nil, err
			}
			f, _, err := figure.Plot(lookCells(l), p)
			return f, err
		}})
	}
}

// lookCells returns the table of the figures of a variable.
func lookCells(l *diagnose.Look) *table.Table {
	var rows [][]any
	for k := range l.Trace {
		chain := fmt.Sprint("chain ", k)
		for i, v := range l.Trace[k] {
			rows = append(rows, []any{chain, "trace", i * l.Every, v, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil})
		}
		for b, share := range l.Ranks[k] {
			rows = append(rows, []any{chain, nil, nil, nil, (float64(b) + 0.5) / float64(len(l.Ranks[k])), share, 1.0, nil, nil, nil, nil, nil, nil, nil})
		}
		for lag := range l.Lags[k] {
			rows = append(rows, []any{chain, nil, nil, nil, nil, nil, nil, lag, l.Lags[k][lag], l.Sums[k][lag], nil, nil, nil, nil})
		}
	}
	for i, end := range l.Ends {
		rows = append(rows, []any{"all chains", nil, nil, nil, nil, nil, nil, nil, nil, nil, end, l.ESSBulk[i], l.ESSTail[i], 100.0 * float64(len(l.Trace))})
	}
	return curves.Cells(rows, "chain", "trace", "draw", "value", "rank", "share", "1 if chains are alike", "lag", "correlation", "sum", "draws", "bulk",
		"tail", "100 a chain")
}
