package conform

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/selector"
	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

func conformFigures(r *reports.Report, o *Outcome) {
	r.PlotLater(columns.Plot{
		Name:  "conform_law",
		Title: "Log weights that were sent, and their exact distribution",
		Parts: []columns.Part{{
			X:      "from",
			XLabel: "log w (nats)",
			Until:  "to",
			Y:      []string{"density"},
			YLabel: "probability per nat",
			Level:  []string{"exact distribution"},
		}},
		Bars:   []string{"density"},
		By:     []string{"log weights"},
		Panels: []string{"direction"},
		Steps:  true,
		Free:   true,
		Why:    errors.New("there are no log weights"),
	}, func() *table.Table { return sentWeights(o) })
	r.PlotLater(columns.Plot{
		Name:  "conform_evidence",
		Title: "Evidence of each test against the number of draws",
		Parts: []columns.Part{{
			X:      "draws",
			XLabel: "draws",
			XUnit:  1,
			Y:      []string{"evidence"},
			YLabel: "log_{10} of the e-value",
			Level:  []string{"least", "largest"},
		}},
		By:      []string{"test"},
		Members: []string{"other tests"},
		Lines:   true,
		Why:     errors.New("no test was looked at"),
	}, func() *table.Table { return eValues(o) })
	plotOdds(r, o)
	r.PlotLater(columns.Plot{
		Name:  "conform_pit",
		Title: "Probability integral transforms of what was sent",
		Parts: []columns.Part{{
			X:      "from",
			XLabel: "PIT",
			Until:  "to",
			Y:      []string{"sent", "sent, outside"},
			YLabel: "density",
			Band:   []string{"least", "most"},
		}, {
			X:      "P",
			XLabel: "exact distribution function",
			Y:      []string{"difference"},
			YLabel: "sent less exact",
			Band:   []string{"low", "high"},
		}},
		Bars:   []string{"sent", "sent, outside"},
		BandIs: []string{fmt.Sprintf("%g%% of right samplers", 100*(1-curves.PITAlpha))},
		Panels: []string{"of"},
		Lines:  true,
		Steps:  true,
		Why:    errors.New("there are no chains with ends or log weights"),
	}, func() *table.Table { return transforms(o) })
}

// sentWeights returns the log weights that were sent, as the densities of the cells of a histogram,
// beside those of the exact distribution.
func sentWeights(o *Outcome) *table.Table {
	var cells [][]any
	for i := range o.Sides {
		s := &o.Sides[i]
		h := s.LogW
		if h == nil {
			continue
		}
		direction := fmt.Sprintf("%s, %s", s.Direction, selector.Count(s.Chains, "chain"))
		if s.Shift != 0 {
			direction += ", log w less " + table.People(s.Shift, 6)
		}
		from, until := drawnCells(h)
		for k := from; k < until; k++ {
			low, high := h.Edges[k-1], h.Edges[k]
			cells = append(cells, []any{direction, "sent" + beyond(h), low, high,
				float64(h.Counts[k]) / float64(max(1, h.Total())) / (high - low),
				h.P[k] / (high - low)})
		}
	}
	return curves.Cells(cells, "direction", "log weights", "from", "to", "density", "exact distribution")
}

// drawnCells returns the cells from the first to before the last that are not empty, the open ends
// left aside: those with values, and those that have more than a tail of the distribution.
func drawnCells(h *Histogram) (from, until int) {
	const tail = 1e-4
	from = 1
	until = len(h.Edges)
	empty := func(k int) bool { return h.Counts[k] == 0 && h.P[k] < tail }
	for from < until-1 && empty(from) {
		from++
	}
	for from < until-1 && empty(until-1) {
		until--
	}
	return from, until
}

// beyond says which share of the values lies beyond the cells that are drawn, if it is more than
// that of the tails.
func beyond(h *Histogram) string {
	text := ""
	total := float64(max(1, h.Total()))
	for _, end := range []struct {
		cell int
		side string
	}{{0, "left"}, {len(h.Counts) - 1, "right"}} {
		if share := float64(h.Counts[end.cell]) / total; share >= 0.01 {
			text += fmt.Sprintf(", %.0f%% further to the %s", 100*share, end.side)
		}
	}
	return text
}

// transforms returns the probability integral transform of every column in bars, each in the band
// of a right one, and the empirical distribution function less the exact one in its envelope, as
// users of simulation-based calibration expect. A bar has height one where it is right.
//
// Source: Talts, Betancourt, Simpson, Vehtari and Gelman 2018; Saeilynoja, Buerkner and Vehtari
// 2022.
func transforms(o *Outcome) *table.Table {
	var cells [][]any
	for i := range o.Sides {
		for _, h := range o.Sides[i].Histograms {
			of := fmt.Sprintf("%s, %s", o.Sides[i].Direction, h.Name)
			low, high := h.PITBand(curves.PITParts, curves.PITAlpha)
			for k, share := range h.PIT(curves.PITParts) {
				at := []any{of, float64(k) / curves.PITParts, float64(k+1) / curves.PITParts, share * curves.PITParts,
					nil, low[k] * curves.PITParts, high[k] * curves.PITParts, nil, nil, nil, nil}
				if share < low[k] || share > high[k] {
					at[3], at[4] = nil, at[3]
				}
				cells = append(cells, at)
			}
			for _, d := range slices.Concat(
				[]Difference{{}},
				h.Differences(curves.PITAlpha),
				[]Difference{{P: 1}},
			) {
				cells = append(cells, []any{of, nil, nil, nil, nil, nil, nil, d.P, d.Value, d.Low, d.High})
			}
		}
	}
	return curves.Cells(
		cells,
		"of",
		"from",
		"to",
		"sent",
		"sent, outside",
		"least",
		"most",
		"P",
		"difference",
		"low",
		"high",
	)
}

const (
	// namedTests is the number of tests that the figure of the e-values names.
	namedTests = 8
	// evidenceTop is how many times the threshold the axis of the e-values reaches: a fault is
	// certain at one.
	evidenceTop = 3
)

// eValues returns the log10 of the e-value of every test against the number of draws, from one
// before the first draw on. Those that end highest are named, faults first, with the e-values that
// they end at. A line ends where it leaves the axis at the top.
func eValues(o *Outcome) *table.Table {
	var tests []Result
	least, most := math.Inf(1), math.Inf(-1)
	for _, r := range o.Results {
		if len(r.Looks) > 0 && r.Draws > 0 {
			tests = append(tests, r)
			least, most = min(least, r.Log10Threshold()), max(most, r.Log10Threshold())
		}
	}
	rank := map[bool]int{true: 0, false: 1} // of faults and of passes
	slices.SortStableFunc(tests, func(a, b Result) int {
		return cmp.Or(cmp.Compare(rank[a.Fault], rank[b.Fault]), cmp.Compare(b.LogE, a.LogE))
	})
	var cells [][]any
	for i, r := range tests {
		name := fmt.Sprintf("%s: %.1f", r.Test, r.Log10E())
		other := ""
		if r.Fault {
			name = "fault, " + name
		}
		if i >= namedTests {
			name = "other tests"
			other = r.Test
		}
		cells = append(cells, []any{name, other, 0, 0.0, least, most})
		for _, look := range r.Looks {
			e := look.LogE / math.Ln10
			cells = append(cells,
				[]any{name, other, look.Draws, min(max(e, -evidenceTop*most), evidenceTop*most), least, most})
			if !(e < evidenceTop*most) { // also if it is NaN
				break
			}
		}
	}
	t := curves.Cells(cells, "test", "other tests", "draws", "evidence", "least", "largest")
	t.Columns[4].Title, t.Columns[5].Title = "a fault from here on", "a fault from here on"
	return t
}
