package mcmc

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// plotLook adds two figures of a variable of somebody else's draws: the trace of each chain, its
// share of each range of ranks, and beside a target its distribution with the exact one; and the
// autocorrelations with their sum above the ESS of the first draws, with the limit of 100 a chain.
//
// Source: Vehtari, Gelman, Simpson, Carpenter and Buerkner 2021.
func plotLook(r *reports.Report, v *diagnose.Variable) {
	if !v.Looks() {
		return
	}
	chains := columns.Plot{
		Name: "chains_" + v.Name, Title: "Draws: " + v.Name, X: "draw", Y: "value", By: "chain", Members: "trace",
		Lines: true, Joined: true, Log: "none", XLabel: "draw", YLabel: v.Name,
	}
	if v.Truth != nil {
		chains.Level = "exact mean"
	}
	panel := func(x, y, level, xLabel, yLabel string) {
		chains.X, chains.Y, chains.Level = chains.X+"|"+x, chains.Y+"|"+y, chains.Level+"|"+level
		chains.XLabel, chains.YLabel = chains.XLabel+"|"+xLabel, chains.YLabel+"|"+yLabel
	}
	if v.Chains > 1 { // the ranks of one chain are all ranks
		panel("rank", "share", "1 if chains are alike", "rank among all draws", "share of the chain")
	}
	if v.Truth != nil {
		panel("at", "exact+of the draws", "", v.Name, "probability")
		chains.Bars, chains.Dots = "exact", "of the draws"
	}
	plots := []columns.Plot{
		chains,
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
			var mean any
			if v.Truth != nil {
				mean = v.Truth.Mean
			}
			if l.Means {
				p.YLabel = strings.Replace(p.YLabel, v.Name+"|", fmt.Sprintf("%s, means of %d draws|", v.Name, l.Every), 1)
			}
			f, _, err := figure.Plot(lookCells(l, mean), p)
			return f, err
		}})
	}
}

// lookCells returns the table of the figures of a variable.
func lookCells(l *diagnose.Look, mean any) *table.Table {
	names := []string{"chain", "trace", "draw", "value", "exact mean", "rank", "share", "1 if chains are alike", "at", "exact", "of the draws",
		"lag", "correlation", "sum", "draws", "bulk", "tail", "100 a chain"}
	var rows [][]any
	add := func(chain, first string, cells ...any) { // from the column of that name on
		row := make([]any, len(names))
		row[0] = chain
		copy(row[slices.Index(names, first):], cells)
		rows = append(rows, row)
	}
	for k := range l.Trace {
		chain := fmt.Sprint("chain ", k)
		for i, v := range l.Trace[k] {
			add(chain, "trace", "trace", i*l.Every, v)
		}
		for b, share := range l.Ranks[k] {
			add(chain, "rank", (float64(b)+0.5)/float64(len(l.Ranks[k])), share, 1.0)
		}
		for i, value := range l.Values {
			add(chain, "at", value, nil, l.Shares[k][i])
		}
		for lag := range l.Lags[k] {
			add(chain, "lag", lag, l.Lags[k][lag], l.Sums[k][lag])
		}
	}
	for i, value := range l.Values {
		add("exact", "at", value, l.Exact[i])
	}
	if last := len(l.Trace[0]) - 1; mean != nil {
		add("exact", "draw", 0, nil, mean)
		add("exact", "draw", last*l.Every, nil, mean)
	}
	for i, end := range l.Ends {
		add("all chains", "draws", end, l.ESSBulk[i], l.ESSTail[i], 100.0*float64(len(l.Trace)))
	}
	return curves.Cells(rows, names...)
}
