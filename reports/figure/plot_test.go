package figure

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"breadboard/grid/longtest"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// measured is a table of two kernels on two toys, with all that a figure may not be able to show.
func measured(rows ...[]any) *table.Table {
	return &table.Table{Columns: []table.Column{
		{Name: "toy", Type: table.String}, {Name: "kernel", Type: table.String}, {Name: "T", Type: table.Int},
		{Name: "J", Type: table.Float, Title: "J", Unit: "nats"},
		{Name: "B", Type: table.Float, Title: "B", Unit: "nats"},
	}, Rows: rows}
}

// laidOut is a plot with its figure.
type laidOut struct {
	*drawing
	sheet  *Sheet
	figure *Figure
}

// laid lays a plot out.
func laid(t *testing.T, from *table.Table, p columns.Plot) laidOut {
	t.Helper()
	f, _, err := Plot(from, p)
	longtest.NoError(t, err)
	return laidOut{longtest.Must(prepare(from, &p))(t), f.sheet(Style{}), f}
}

// points returns the points of a plot, a line each: panel, series, x and y.
func points(t *testing.T, from *table.Table, text string) (lines, notes string, f *Figure) {
	t.Helper()
	f, said, err := Plot(from, longtest.Must(ParsePlot(text))(t))
	longtest.NoError(t, err)
	for _, row := range f.Data.Rows {
		var cells []string
		for _, i := range []int{0, 1, 3, 6} {
			cells = append(cells, table.People(row[i], 6))
		}
		lines += strings.Join(cells, " / ") + "\n"
	}
	return lines, strings.Join(said, "\n"), f
}

// TestPlot: a plot is names of columns. Lines follow the horizontal axis, columns stand in their
// places by number or by name, and what has no place is counted in a note.
func TestPlot(t *testing.T) {
	longtest.Only(t)
	two := [][]any{{"a", "k", 10, 2.0, 5.0}, {"a", "k", 1, 4.0, 6.0}, {"b,c", "k", 1, 3.0, 3.0}}
	for _, c := range []struct {
		name, plot  string
		rows        [][]any
		want, notes string
	}{
		{"lines by name", "x=T, y=J, by=toy", two, "1 / a / 1 / 4\n1 / a / 10 / 2\n1 / b,c / 1 / 3\n", ""},
		{"two columns", "x=T, y=J+B, by=toy, log=none", two[:2],
			"1 / a, J / 1 / 4\n1 / a, J / 10 / 2\n1 / a, B / 1 / 6\n1 / a, B / 10 / 5\n", ""},
		{"panels by number", "x=T,y=J,panels=T", two[:2], "T = 10 /  / 10 / 2\nT = 1 /  / 1 / 4\n", ""},
		{"parts", "x=T, y=J|B", two[2:], "1 /  / 1 / 3\n2 /  / 1 / 3\n", ""},
		{"a band", "x=T, y=J, band=J+B", two[:2],
			"1 / B / 1 / 6\n1 / B / 10 / 5\n1 / J / 1 / 4\n1 / J / 10 / 2\n", ""},
		{"names along the axis", "x=toy, y=J", two[1:], "1 /  / 0 / 4\n1 /  / 1 / 3\n", ""},
		{"names along the vertical axis, the first at the top", "x=J, y=toy", two[1:],
			"1 /  / 3 / 1\n1 /  / 4 / 0\n", ""},
		{
			"selectors by their numbers", "x=toy, y=J, log=none",
			[][]any{{"power:4", "k", 1, 1.0, 1.0}, {"power:2", "k", 1, 2.0, 1.0}},
			"1 /  / 2 / 2\n1 /  / 4 / 1\n", "",
		},
		{
			"what has no place", "x=T, y=J, log=xy",
			[][]any{{"a", "k", 1, nil, 0.0}, {"a", "k", 1, math.Inf(1), 0.0}, {"a", "k", 1, 0.0, 0.0},
				{"a", "k", 0, 1.0, 0.0}, {"a", "k", 2, 5e-324, 0.0}},
			"1 /  / 2 / 4.94066e-324\n",
			"the figure leaves out cells of T: 1 not above zero, which a logarithmic axis does not have\n" +
				"the figure leaves out cells of J: 1 empty or no number, 1 infinite, 1 not above zero, " +
				"which a logarithmic axis does not have",
		},
		{"700 nats", "x=T, y=J", [][]any{{"a", "k", 1, 1e-304, 0.0}, {"a", "k", 2, 1.0, 0.0}},
			"1 /  / 1 / 1e-304\n1 /  / 2 / 1\n", ""},
		{"both signs", "x=T, y=J", [][]any{{"a", "k", 1, -700.0, 0.0}, {"a", "k", 2, 0.0, 0.0}},
			"1 /  / 1 / -700\n1 /  / 2 / 0\n", ""},
	} {
		got, notes, f := points(t, measured(c.rows...), c.plot)
		if c.notes != "" || c.name == "700 nats" {
			longtest.Must(f.Encode("svg"))(t)
		}
		if got != c.want || notes != c.notes {
			t.Errorf("%s:\n%sand notes %q, want\n%sand notes %q", c.name, got, notes, c.want, c.notes)
		}
	}
}

// TestManyLines: of hundreds of lines and panels all points are kept, and a note says what the
// legend leaves out.
func TestManyLines(t *testing.T) {
	var rows [][]any
	for i := range 300 {
		rows = append(rows, []any{strings.Repeat("long, ", 9) + strconv.Itoa(i), "k", 1, 1.0, 1.0})
	}
	got, notes, _ := points(t, measured(rows...), "x=T, y=J, by=toy")
	if n := strings.Count(got, "\n"); n != 300 || !strings.Contains(notes, "names 28 of 300 lines") {
		t.Errorf("%d points, and %s", n, notes)
	}
	got, notes, f := points(t, measured(rows...), "x=T, y=J, panels=toy")
	if n := len(f.sheet(Style{}).panels()); n != MaxPanels || strings.Count(got, "\n") != 300 ||
		!strings.Contains(notes, "36 of 300 panels") {
		t.Errorf("%d panels with %d points, and %s", n, strings.Count(got, "\n"), notes)
	}
}

// TestPlotMistakes: a mistake names what there is, and the nearest.
func TestPlotMistakes(t *testing.T) {
	from := measured([]any{"a", "k", 1, 1.0, -1e308}, []any{"a", "k", 1, 1.0, 1e308})
	for text, want := range map[string]string{
		"x=T":                     "along both axes",
		"x=T, y":                  "says nothing",
		"x=T, z=J":                "choices: x, y, by",
		"x=T, y=J, y=B":           "as in y=J+B",
		"x=T, y=J, log=z":         "choices: x, y, xy, none",
		"x=T, y=J, band=J":        "between two columns",
		"x=T, y=toi":              "did you mean toy?",
		"x=toy, y=kernel":         "has no numbers",
		"x=T+J, y=J":              "one column along x",
		"x=T, y=B":                "further apart than an axis",
		"x=T, y=B, by=toy, log=y": "",
		"x=T, y=J+J":              "J is there twice in J+J",
		"x=T, y=J, by=toy + toy":  "toy is there twice",
		"x=T, y=J, by=+":          "by=+: a name is missing",
		"x=T, y=J|":               "y=J|: a name is missing",
		"x=T|J|T, y=J|B":          "x=T|J|T has 3 parts and y=J|B has 2",
	} {
		p, err := ParsePlot(text)
		if err == nil {
			_, _, err = Plot(from, p)
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, _, err := Plot(measured(), columns.Plot{
		Parts: []columns.Part{{
			X:      "T",
			XScale: columns.Positive,
			Y:      []string{"J"},
			YScale: columns.Positive,
		}},
	}); err == nil ||
		!strings.HasPrefix(err.Error(), "nothing to draw") {
		t.Errorf("without rows: %v", err)
	}
}

// TestTruthsAndGaps: true and false stand along an axis and above panels, an empty cell is named,
// and a band is where it has both ends.
func TestTruthsAndGaps(t *testing.T) {
	from := &table.Table{
		Columns: []table.Column{{Name: "exact", Type: table.Bool}, {Name: "T", Type: table.Int},
			{Name: "low", Type: table.Float}, {Name: "high", Type: table.Float}},
		Rows: [][]any{{true, 1, nil, 2.0}, {false, 2, 1.0, 3.0}, {nil, 3, 2.0, 4.0}},
	}
	if got := laid(t, from, columns.Plot{
		Parts: []columns.Part{{
			X:      "exact",
			XScale: columns.Positive,
			Y:      []string{"T"},
			YScale: columns.Positive,
		}},
	}); !slices.Equal(
		got.parts[0].xAxis.names,
		[]string{"yes", "no"},
	) {
		t.Errorf("the axis of truths has %q", got.parts[0].xAxis.names)
	}
	if got := laid(t, from, columns.Plot{
		Parts: []columns.Part{{
			X:      "T",
			XScale: columns.Positive,
			Y:      []string{"high"},
			YScale: columns.Positive,
		}},
		Panels: []string{"exact"},
	}); !slices.Equal(got.facets,
		[]string{"exact = yes", "exact = no", "no exact"}) {
		t.Errorf("the panels are %q", got.facets)
	}
}

// TestWhatStandsBesideLines: levels are drawn once with two ends, members behind the line of rows
// that are none, error bars, and a panel without points is left
// out. A level alone is no figure.
func TestWhatStandsBesideLines(t *testing.T) {
	from := &table.Table{
		Columns: []table.Column{
			{Name: "toy", Type: table.String}, {Name: "set", Type: table.Int}, {Name: "T", Type: table.Int},
			{Name: "J", Type: table.Float},
			{Name: "se", Type: table.Float},
			{Name: "limit", Type: table.Float}, {Name: "none", Type: table.Float},
			{Name: "kind", Type: table.String},
		},
		Rows: [][]any{{"a", nil, 1, 4.0, 1.0, 3.0, nil, "k"}, {"a", nil, 10, 2.0, 3.0, 3.0, nil, "k"},
			{"a", 1, 1, 5.0, nil, 3.0, nil, "k"},
			{"a", 1, 10, 3.0, nil, 3.0, nil, "k"}, {"b", nil, 1, nil, nil, 3.0, nil, "k"}},
	}
	for _, c := range []struct {
		plot columns.Plot
		want string
	}{
		{columns.Plot{
			Parts: []columns.Part{{
				X:      "T",
				XScale: columns.Positive,
				Y:      []string{"J"},
				YScale: columns.Positive,
				Level:  []string{"limit"},
			}},
			Members: []string{"set"},
		},
			"1 limit 1 3, 1 limit 10 3, 1 J, set = 1 1 5, 1 J, set = 1 10 3, 1 J 1 4, 1 J 10 2"},
		{columns.Plot{
			Parts: []columns.Part{{
				X:      "T",
				XScale: columns.Positive,
				Y:      []string{"J"},
				YScale: columns.Positive,
			}, {
				Y:      []string{"none"},
				YScale: columns.Positive,
			}},
			Members: []string{"set"},
			Panels:  []string{"toy"},
		},
			"a , set = 1 1 5, a , set = 1 10 3, a  1 4, a  10 2"},
		{columns.Plot{
			Parts: []columns.Part{{
				X:      "T",
				XScale: columns.Decades,
				Y:      []string{"J"},
				YScale: columns.Decades,
				YUnit:  1,
				Errors: "se",
			}},
			Members: []string{"set"},
			Free:    true,
		},
			"1 , set = 1 1 5, 1 , set = 1 10 3, 1  1 4, 1  10 2"},
		{columns.Plot{
			Parts: []columns.Part{{
				X:     "T",
				Y:     []string{"J"},
				YUnit: 0.01,
			}},
			By:      []string{"toy", "T"},
			Members: []string{"set"},
			Dots:    []string{"J"},
			Across:  []float64{0},
		},
			"1 a, T = 1, set = 1 1 5, 1 a, T = 1 1 4, 1 a, T = 10, set = 1 10 3, 1 a, T = 10 10 2"},
	} {
		f, _, err := Plot(from, c.plot)
		longtest.NoError(t, err)
		var lines []string
		for _, row := range f.Data.Rows {
			lines = append(lines, strings.Join([]string{table.People(row[0], 0), table.People(row[1], 0),
				table.People(row[3], 6), table.People(row[6], 6)}, " "))
		}
		if got := strings.Join(lines, ", "); got != c.want {
			t.Errorf("%+v:\n%s, want\n%s", c.plot, got, c.want)
		}
		longtest.Must(f.Encode("svg"))(t)
	}
	if _, _, err := Plot(from, columns.Plot{
		Parts: []columns.Part{{
			X:      "T",
			XScale: columns.Positive,
			Y:      []string{"none"},
			YScale: columns.Positive,
			Level:  []string{"limit"},
		}},
	}); err == nil ||
		!strings.HasPrefix(err.Error(), "nothing to draw") {
		t.Errorf("of a level alone: %v", err)
	}
	if got := Apart(from, columns.Plot{
		Parts: []columns.Part{{
			X:      "T",
			XScale: columns.Positive,
			Y:      []string{"J"},
			YScale: columns.Positive,
		}},
	}); !slices.Equal(got, []string{"toy"}) {
		t.Errorf("lines are told apart by %q", got)
	}
	if got := Apart(from, columns.Plot{
		Parts: []columns.Part{{
			X:      "T",
			XScale: columns.Positive,
			Y:      []string{"J"},
			YScale: columns.Positive,
		}},
		By: []string{"toy"},
	}); got != nil {
		t.Errorf("by the toy lines are still to be told apart by %q", got)
	}
}

// TestClouds: points above one another are joined by no line.
func TestClouds(t *testing.T) {
	for _, c := range []struct {
		second int
		lines  int
	}{{2, 1}, {1, 0}} {
		d := laid(t, measured([]any{"a", "k", 1, 1.0, 1.0}, []any{"a", "k", c.second, 2.0, 1.0}),
			columns.Plot{
				Parts: []columns.Part{{
					X:      "T",
					XScale: columns.Positive,
					Y:      []string{"J"},
					YScale: columns.Positive,
				}},
			})
		lines := 0
		for line := range strings.SplitSeq(string(longtest.Must(d.figure.Encode("svg"))(t)), "\n") {
			if strings.Contains(line, `fill="none" stroke="#0072B2"`) {
				lines++
			}
		}
		if lines != c.lines {
			t.Errorf("at 1 and %d there are %d lines, want %d", c.second, lines, c.lines)
		}
	}
}

// declared draws a plot that a study declares, and returns its points and the names in its legend.
func declared(t *testing.T, from *table.Table, p columns.Plot) (lines string, legend []string) {
	t.Helper()
	d := laid(t, from, p)
	longtest.Must(d.figure.Encode("svg"))(t)
	for _, row := range d.figure.Data.Rows {
		lines += strings.TrimRight(table.People(row[1], 0)+" "+table.People(row[3], 4)+
			" "+table.People(row[4], 4)+" "+table.People(row[6], 4), " ") + "\n"
	}
	for _, e := range d.sheet.legend {
		legend = append(legend, e.name)
	}
	return lines, legend
}

// binned is a table of intervals with the height of a bar, a number over them, and a place.
func binned(rows ...[]any) *table.Table {
	t := &table.Table{Rows: rows}
	for _, name := range []string{"from", "to", "height", "law", "mean"} {
		t.Columns = append(t.Columns, table.Column{Name: name, Type: table.Float})
	}
	return t
}

// TestBars: bars stand over their intervals, other numbers in the middle of them or level over
// them, and intervals without width are stems. Upright lines stand at their places once.
func TestBars(t *testing.T) {
	p := columns.Plot{
		Parts: []columns.Part{{
			X:     "from",
			Until: "to",
			Y:     []string{"height", "law"},
		}},
		Bars:    []string{"height"},
		Upright: []string{"mean"},
		Lines:   true,
	}
	wide := binned([]any{0.0, 1.0, 0.25, 0.2, 2.5}, []any{1.0, 3.0, 0.5, 0.6, 2.5})
	for name, c := range map[string]struct {
		from *table.Table
		plot columns.Plot
		want string
	}{
		"in the middle": {wide, p, "height 0 1 0.25\nheight 1 3 0.5\nlaw 0.5  0.2\nlaw 2  0.6\nmean 2.5\n"},
		"level": {wide, func(p columns.Plot) columns.Plot { p.Steps = true; return p }(p),
			"height 0 1 0.25\nheight 1 3 0.5\nlaw 0  0.2\nlaw 1  0.2\nlaw 1  0.6\nlaw 3  0.6\nmean 2.5\n"},
		"stems": {binned([]any{1.0, 1.0, 0.5, nil, nil}, []any{0.0, 0.0, 0.25, nil, nil}),
			columns.Plot{
				Parts: []columns.Part{{
					X:      "from",
					XScale: columns.Positive,
					Until:  "to",
					Y:      []string{"height"},
					YScale: columns.Positive,
				}},
				Bars: []string{"height"},
			}, " 0  0.25\n 1  0.5\n"},
	} {
		if got, _ := declared(t, c.from, c.plot); got != c.want {
			t.Errorf("%s:\n%swant\n%s", name, got, c.want)
		}
	}
	d := laid(t, wide, p)
	if low := d.sheet.Rows[0][0].Y.Min; low != 0 {
		t.Errorf("bars stand on %v", low)
	}
}

// TestGuides: levels with one title have one key, around one place too, a band has a key
// where it is drawn, and a series with nothing but levels has none.
func TestGuides(t *testing.T) {
	from := measured([]any{"a", "k", 1, 2.0, 5.0}, []any{"a", "k", 2, 4.0, 6.0}, []any{"b", "k", 1, nil, 5.0},
		[]any{"b", "k", 2, nil, 7.0})
	from.Columns = append(from.Columns, table.Column{Name: "low", Type: table.Float, Title: "region"},
		table.Column{Name: "high", Type: table.Float, Title: "region"})
	for i, row := range from.Rows {
		from.Rows[i] = append(row, 1.0, 8.0)
	}
	one := *from
	one.Rows = from.Rows[:1]
	p := columns.Plot{
		Parts: []columns.Part{{
			X:     "T",
			Y:     []string{"J"},
			Band:  []string{"J", "B"},
			Level: []string{"low", "high"},
		}},
		By:     []string{"toy"},
		BandIs: []string{"between", "nothing"},
	}
	for name, c := range map[string]struct {
		from *table.Table
		want string
	}{"two places": {from, "toy, a, for comparison, region, between"},
		"one place": {&one, "toy, a, for comparison, region, between"}} {
		if _, legend := declared(t, c.from, p); strings.Join(legend, ", ") != c.want {
			t.Errorf("%s: the legend has %q, want %s", name, legend, c.want)
		}
	}
}

// TestFiguresOfEach: the titles of panels say which of several figures they belong to, and do not
// if there is one.
func TestFiguresOfEach(t *testing.T) {
	from := measured([]any{"a", "k", 1, 2.0, 5.0}, []any{"b", "k", 1, 2.0, 5.0}, []any{"b", "l", 1, 2.0, 5.0})
	p := columns.Plot{
		Parts: []columns.Part{{
			X:      "T",
			XScale: columns.Positive,
			Y:      []string{"J"},
			YScale: columns.Positive,
		}},
		Panels: []string{"kernel"},
		Each:   columns.Split{Always: []string{"toy"}},
	}
	var titles []string
	for _, rows := range [][][]any{from.Rows, from.Rows[1:]} {
		for _, part := range Each(measured(rows...), p) {
			for _, panel := range laid(t, part.Table, part.Plot).sheet.Rows[0] {
				titles = append(titles, panel.Title.Text)
			}
		}
	}
	if want := []string{"a, k", "b, k", "b, l", "k", "l"}; !slices.Equal(titles, want) {
		t.Errorf("titles %q, want %q", titles, want)
	}
}

// TestZerosAndEdges: with NonZero an axis is logarithmic also beside zeros, which have no place but
// as the end of a band: that, and an infinite one, is at the edge of the panel.
func TestZerosAndEdges(t *testing.T) {
	from := measured([]any{"a", "k", 1, 0.0, 0.0}, []any{"a", "k", 2, 0.01, 0.001}, []any{"a", "k", 3, 0.5, 0.4})
	from.Columns = append(from.Columns, table.Column{Name: "high", Type: table.Float})
	for i, high := range []float64{0.3, math.Inf(1), 0.9} {
		from.Rows[i] = append(from.Rows[i], high)
	}
	for how, want := range map[columns.Scale]bool{columns.NonZero: true, columns.Positive: false} {
		plot := columns.Plot{Parts: []columns.Part{{X: "T", Y: []string{"J"}, YScale: how, Band: []string{"B", "high"}}}}
		d := laid(t, from, plot)
		if got := d.parts[0].yAxis.log; got != want {
			t.Errorf("scale %v: a logarithmic axis %t, want %t", how, got, want)
		}
		if !want {
			continue
		}
		p := d.sheet.Rows[0][0]
		if got, want := d.curves[at{kind: band}].xys(),
			(plotter.XYs{{X: 1, Y: math.Inf(-1)}, {X: 2, Y: 0.001}, {X: 3, Y: 0.4}}); !slices.Equal(got, want) {
			t.Errorf("lower ends %v, want %v", got, want)
		}
		if !(p.Y.Min > 0) || !Finite(p.Y.Max) || p.Y.Min > 0.001 || p.Y.Max > 1.3 {
			t.Errorf("an axis from %v to %v", p.Y.Min, p.Y.Max)
		}
		if text := strings.Join(d.omitted(), "; "); !strings.Contains(text, "cells of J: 1 not above zero") ||
			strings.Contains(text, "cells of B") || strings.Contains(text, "high") {
			t.Errorf("notes %q", text)
		}
		if svg := longtest.Must(d.figure.Encode("svg"))(t); bytes.Contains(svg, []byte("Inf")) ||
			bytes.Contains(svg, []byte("NaN")) {
			t.Error("a band goes to infinity")
		}
		lines, _ := declared(t, from, plot)
		if !strings.Contains(lines, "B 1  -Inf\n") || !strings.Contains(lines, "high 2  +Inf") {
			t.Errorf("the data have\n%s", lines)
		}
	}
}

// TestNamesOfPanels: free panels have the names along their axes that they need and no others.
func TestNamesOfPanels(t *testing.T) {
	rows := measured([]any{"yes", "a", 1, 0.25, 0.0}, []any{"no", "a", 1, 0.75, 0.0},
		[]any{"low", "b", 1, 0.5, 0.0}, []any{"no", "b", 1, 0.5, 0.0})
	for free, want := range map[bool]int{true: 2, false: 3} {
		f, _, err := Plot(rows, columns.Plot{
			Parts: []columns.Part{{
				X: "toy",
				Y: []string{"J"},
			}},
			Panels: []string{"kernel"},
			Free:   free,
		})
		longtest.NoError(t, err)
		for i, p := range f.sheet(Style{}).panels() {
			if n := len(p.X.Tick.Marker.Ticks(0, 9)); n != want {
				t.Errorf("free %t: panel %d has %d names", free, i, n)
			}
		}
		if at := f.Data.Rows[2][3]; free && at != 0.0 {
			t.Errorf("low stands at %v in its panel", at)
		}
	}
}

// TestCoincidingLines: series whose lines are less than a line's width apart, or than the plot
// says, have one key and one look, and all their points in the data; those that are further apart
// have their own. An axis that reaches a line across makes the distance smaller.
func TestCoincidingLines(t *testing.T) {
	for by, want := range map[float64][]string{0.9: {"toy", "a; b"}, 1.1: {"toy", "a", "b"}} {
		from := measured([]any{"a", "k", 1, 0.0, 0.0}, []any{"a", "k", 2, 100.0, 0.0},
			[]any{"b", "k", 1, 0.0, 0.0}, []any{"b", "k", 2, 100 - by, 0.0})
		lines, legend := declared(t, from, columns.Plot{
			Parts: []columns.Part{{
				X: "T",
				Y: []string{"J"},
			}},
			By: []string{"toy"},
		})
		if !slices.Equal(legend, want) || strings.Count(lines, "\n") != 4 {
			t.Errorf("%v: the legend has %q, and the data\n%s", by, legend, lines)
		}
	}
	from := measured([]any{"a", "k", 1, 0.0, 0.0}, []any{"a", "k", 2, 100.0, 0.0},
		[]any{"b", "l", 1, 0.9, 0.0}, []any{"b", "l", 2, 99.1, 0.0})
	for _, c := range []struct {
		want string
		p    columns.Plot
	}{
		{"toy/a; b", columns.Plot{
			By: []string{"toy"},
		}}, {"toy, kernel/a, k; b, l", columns.Plot{
			By: []string{"toy", "kernel"},
		}},
		{"toy/a; b/for comparison/far",
			columns.Plot{
				By:       []string{"toy"},
				Across:   []float64{200},
				AcrossIs: "far",
			}},
	} {
		p := c.p
		p.Parts = []columns.Part{{X: "T", Y: []string{"J"}}}
		d := laid(t, from, p)
		if _, legend := declared(t, from, p); strings.Join(legend, "/") != c.want ||
			d.mark(0, 0, 0).Line.Color != d.mark(0, 1, 0).Line.Color {
			t.Errorf("%+v: the legend has %q", p, legend)
		}
	}
}

// TestFreeLogs: of free panels, those whose data span less than a decade have a linear axis, on
// which the same numbers stand; the others a logarithmic one.
func TestFreeLogs(t *testing.T) {
	from := measured([]any{"a", "k", 1, 6.0, 1.0}, []any{"a", "k", 2, 19.0, 2.0},
		[]any{"b", "k", 1, 3.0, 0.25}, []any{"b", "k", 2, 300.0, 4.0})
	p := columns.Plot{
		Parts: []columns.Part{{
			X:      "T",
			Y:      []string{"J"},
			YScale: columns.Decades,
			Errors: "B",
		}},
		Panels: []string{"toy"},
		Free:   true,
	}
	lines, _ := declared(t, from, p)
	if want := " 1  6\n 2  19\n 1  3\n 2  300\n"; lines != want {
		t.Errorf("the data have\n%s", lines)
	}
	panels := laid(t, from, p).sheet.Rows[0]
	if panels[0].Y.Scale != (scale{}) || panels[0].Y.Min > 5 || panels[0].Y.Min < 4 || panels[0].Y.Max < 21 {
		t.Errorf("the first axis is %T from %v to %v", panels[0].Y.Tick.Marker, panels[0].Y.Min, panels[0].Y.Max)
	}
	if panels[1].Y.Scale != (scale{log: true}) {
		t.Errorf("the second axis is %v", panels[1].Y.Scale)
	}
}

// TestUprightColours: lines that differ between series have their colours, and those that all share
// do not.
func TestUprightColours(t *testing.T) {
	from := measured([]any{"a", "k", 1, 1.0, 5.0}, []any{"a", "k", 2, 1.0, 5.0}, []any{"b", "k", 1, 2.0, 5.0},
		[]any{"b", "k", 2, 2.0, 5.0})
	d := laid(t, from, columns.Plot{
		Parts: []columns.Part{{
			X: "T",
			Y: []string{"J"},
		}},
		By:      []string{"toy"},
		Upright: []string{"J", "B"},
	})
	if got, want := d.uprights(d.parts[0], -1),
		[]uprightAt{{1, 0, 0}, {2, 0, 1}, {5, 1, -1}}; !slices.Equal(got, want) {
		t.Errorf("lines at %v, want %v", got, want)
	}
}

// TestWhatIsNamedIfItIsThere: an axis speaks of stems if bars have no width, and a legend of an
// implied column if the others do not determine it.
func TestWhatIsNamedIfItIsThere(t *testing.T) {
	for _, c := range []struct {
		until    float64
		seen     string
		label    string
		by, last []string
	}{
		{2, "easy", "P (stems: p)", nil, []string{"easy", "hard"}},
		{3, "easy", "P", []string{"J"}, []string{"easy", "hard"}},
		{3, "hard", "P", []string{"J"}, []string{"easy, J = 1", "hard, J = 2", "hard, J = 1"}},
	} {
		from := measured([]any{"easy", "flip", 1, 1.0, 2.0}, []any{"hard", "flip", 1, 2.0, c.until}, []any{c.seen, "flip", 1, 1.0, 3.0})
		p := laid(t, from, columns.Plot{By: []string{"toy", "J"}, Implied: c.by, Bars: []string{"T"}, Parts: []columns.Part{{
			X: "J", Until: "B", Y: []string{"T"}, YLabel: "P", StemsAre: " (stems: p)"}}})
		if got := p.sheet.Rows[0][0].Y.Label.Text; got != c.label {
			t.Errorf("%v: label %q, want %q", c, got, c.label)
		}
		if c.by != nil && !slices.Equal(p.called, c.last) {
			t.Errorf("%v: legend %q, want %q", c, p.called, c.last)
		}
	}
}
