package diagnose

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"breadboard/chains/diagnostics"
	"breadboard/chains/errs"
	"breadboard/experiments/curves"
	"breadboard/experiments/draws/files"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// Limits of the figures of draws: of variables, of bins of ranks, of points of a trace and of draws
// that are ranked, and how often the number of draws is halved for an effective sample size.
const (
	mostDrawn  = 6
	rankBins   = 20
	mostTraced = 500
	mostRanked = 200_000
	halvings   = 6
)

// plotDraws adds figures of the variables that have mixed the least: the ranks of the draws of each
// chain among those of all, the traces, and the effective sample sizes of the first draws. Weighted
// draws are no chains and have none.
//
// Source: Vehtari, Gelman, Simpson, Carpenter and Buerkner 2021, figures 1, 2 and 4.
func plotDraws(r *reports.Report, rows []Variable, d *files.Draws) {
	if d.Weights != nil {
		return
	}
	worst := leastMixed(rows, d)
	plot := func(name, title, x, xLabel, y, yLabel string, p columns.Plot, cells func() [][]any) {
		p.Name, p.Title = "samplers_diagnose_"+name, title
		p.Parts = []columns.Part{{X: x, XLabel: xLabel, XScale: p.Parts[0].XScale, Y: []string{y}, YLabel: yLabel,
			YScale: p.Parts[0].XScale}}
		p.Panels, p.Lines = []string{"variable"}, true
		r.PlotLater(p, func() *table.Table { return curves.Cells(cells(), "variable", p.By[0], x, y) })
	}
	linear, decades := []columns.Part{{}}, []columns.Part{{XScale: columns.Decades}}
	plot("ranks", "Ranks of the draws of each chain", "rank", "rank among all draws", "share",
		"draws over those of the mean chain",
		columns.Plot{By: []string{"chain"}, Steps: true, Across: []float64{1}, AcrossIs: "equal chains", Parts: linear,
			Why: errs.New("nothing to draw: ranks compare several chains")},
		func() [][]any { return each(worst, rankShares) })
	plot("traces", "Traces of the chains", "draw", "draw", "value", "value",
		columns.Plot{By: []string{"chain"}, Free: true, Parts: linear}, func() [][]any { return each(worst, traces) })
	plot("ess", "Effective sample size of the first draws", "draws", "draws of all chains", "ESS", "ESS",
		columns.Plot{By: []string{"of"}, Joined: true, Parts: decades},
		func() [][]any { return each(worst, sampleSizes) })
}

// drawnVariable is a variable with its draws.
type drawnVariable struct {
	name   string
	values [][]float64 // by chain
}

// leastMixed returns the variables of the files with the smallest effective sample sizes, those
// whose size is not known first.
func leastMixed(rows []Variable, d *files.Draws) (worst []drawnVariable) {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Variable) int { return cmp.Compare(a.ESSBulk, b.ESSBulk) })
	for _, v := range rows {
		i := slices.Index(d.Names, v.Name)
		if i >= 0 && d.NotFinite[i] == "" && len(worst) < mostDrawn {
			worst = append(worst, drawnVariable{v.Name, d.Values[i]})
		}
	}
	return worst
}

// each returns the cells of all variables, behind their names.
func each(list []drawnVariable, of func(values [][]float64) [][]any) (cells [][]any) {
	for _, v := range list {
		for _, cell := range of(v.values) {
			cells = append(cells, append([]any{v.name}, cell...))
		}
	}
	return cells
}

// rankShares returns for each chain and bin of ranks how many of its draws are there, over the mean
// of all chains. Equal draws have the mean of their ranks.
func rankShares(values [][]float64) (cells [][]any) {
	if len(values) < 2 {
		return nil
	}
	step := 1 + len(values)*len(values[0])/mostRanked
	var all []float64
	for _, chain := range values {
		for i := 0; i < len(chain); i += step {
			all = append(all, chain[i])
		}
	}
	slices.Sort(all)
	bin := func(v float64) int {
		low, _ := slices.BinarySearch(all, v)
		high, _ := slices.BinarySearch(all, math.Nextafter(v, math.Inf(1)))
		return (low + high - 1) * rankBins / (2 * len(all))
	}
	counts := make([][rankBins]float64, len(values))
	var total [rankBins]float64
	for c, chain := range values {
		for i := 0; i < len(chain); i += step {
			counts[c][bin(chain[i])]++
			total[bin(chain[i])]++
		}
	}
	for c := range counts {
		for b, n := range counts[c] {
			if total[b] > 0 {
				cells = append(cells, []any{strconv.Itoa(c + 1), (float64(b) + 0.5) / rankBins,
					n * float64(len(values)) / total[b]})
			}
		}
	}
	return cells
}

// traces returns draws of each chain, at equal distances.
func traces(values [][]float64) (cells [][]any) {
	for c, chain := range values {
		step := 1 + len(chain)/mostTraced
		for i := 0; i < len(chain); i += step {
			cells = append(cells, []any{strconv.Itoa(c + 1), i + 1, chain[i]})
		}
	}
	return cells
}

// sampleSizes returns the effective sample sizes of the first draws, whose number doubles.
func sampleSizes(values [][]float64) (cells [][]any) {
	for k := halvings; k >= 0; k-- {
		n := len(values[0]) >> k
		if n < diagnostics.MinDraws {
			continue
		}
		first := make(diagnostics.Draws, len(values))
		for c, chain := range values {
			first[c] = chain[:n]
		}
		ordered, err := diagnostics.Order(first)
		if err != nil {
			continue
		}
		draws := n * len(values)
		cells = append(cells, []any{"bulk", draws, ordered.ESSBulk()}, []any{"tail", draws, ordered.ESSTail()})
	}
	return cells
}
