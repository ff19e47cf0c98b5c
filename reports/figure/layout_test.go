package figure

import (
	"image/color"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"pgregory.net/rapid"

	"breadboard/grid/longtest"
)

// many returns a figure of eight panels with a legend.
func many(t *testing.T) *Figure {
	t.Helper()
	var panels []*Panel
	for i := range 8 {
		p := NewPanel("a panel with a long title", "a quantity with a long name (nats)", "J_{T} (nats)")
		p.X.Tick.Marker = Decades{}
		mark := Full(i)
		drawMarks(p, "one", plotter.XYs{{X: 1, Y: 1}, {X: 5, Y: float64(i)}}, mark)
		p.Legend.Add("the series "+strings.Repeat("i", i), mark)
		panels = append(panels, p)
	}
	return Sheet{
		Name:    "many",
		Rows:    [][]*Panel{panels},
		Columns: 4,
		Width:   tileWidth,
		Height:  tileHeight,
		Beside:  true,
	}.Figure()
}

// TestWidths: a figure is as wide as its style says and holds all its texts, whose letters have the
// size asked for at any width.
func TestWidths(t *testing.T) {
	longtest.Only(t)
	f := many(t)
	for _, s := range []Style{{}, {Width: 3.25 * vg.Inch}, {Width: 2 * vg.Inch}, {Width: 12 * vg.Inch},
		{Width: 5 * vg.Inch, FontSize: 12},
		{Look: Print}, {Look: Mono, Width: 3.25 * vg.Inch}} {
		styled := f.In(s)
		width, height := styled.Size()
		if s.Width > 0 && math.Abs(float64(width-s.Width)) > 1e-6 || height <= 0 {
			t.Errorf("%+v: %v by %v", s, width, height)
		}
		var on recorder.Canvas
		styled.Draw(draw.NewCanvas(&on, width, height))
		texts := 0
		largest := vg.Length(0)
		for _, action := range on.Actions {
			if text, is := action.(*recorder.FillString); is {
				texts++
				largest = max(largest, text.Size)
				if text.Size < 0.7*vg.Length(MinFontSize) {
					t.Errorf("%+v: letters of %v for %q", s, text.Size, text.String)
				}
			}
		}
		if texts < 8*7 || // labels that panels share stand once
			largest != s.Letters() {
			t.Errorf("%+v: %d texts of up to %v", s, texts, largest)
		}
	}
}

// TestMono: every colour of a figure in the style mono is a grey, and full lines of different
// colours have different dashes.
func TestMono(t *testing.T) {
	longtest.Only(t)
	data := longtest.Must(many(t).In(Style{Look: Mono}).Encode("svg"))(t)
	for _, c := range regexp.MustCompile("#[0-9A-F]{6}").FindAllString(string(data), -1) {
		if c[1:3] != c[3:5] || c[1:3] != c[5:7] {
			t.Fatalf("the colour %s", c)
		}
	}
	seen := map[string]bool{}
	for i := range Colors {
		var on recorder.Canvas
		c := draw.NewCanvas(&ink{Canvas: &on, style: Style{Look: Mono}}, 10, 10)
		c.StrokeLine2(draw.LineStyle{Color: Color(i), Width: vg.Points(1.5)}, 0, 0, 1, 1)
		for _, action := range on.Actions {
			if dash, is := action.(*recorder.SetLineDash); is {
				seen[dash.Call()] = true
			}
		}
	}
	if len(seen) != Colors {
		t.Errorf("%d different dashes", len(seen))
	}
}

// TestParts: raised and lowered parts of a text are smaller and stand above and below the line;
// braces that are not closed stand for themselves, and no letter is lost.
func TestParts(t *testing.T) {
	got := partsOf("10^{-3} and Z_{T}, a_b {c} ^{")
	want := []piece{{"10", 1, 0}, {"-3", partSize, raised}, {" and Z", 1, 0}, {"T", partSize, lowered},
		{", a_b {c} ^{", 1, 0}}
	if !slices.Equal(got, want) {
		t.Errorf("the parts are %v, want %v", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching("[ab_^{}]{0,12}").Draw(t, "text")
		drawn := ""
		for _, p := range partsOf(s) {
			drawn += p.text
		}
		if keep := func(s string) string { return strings.Map(letterOnly, s) }; keep(drawn) != keep(s) {
			t.Fatalf("%q is drawn as %q", s, drawn)
		}
	})
	style := Label(10, draw.XLeft, draw.YBottom)
	plain := Sans(10)
	face := font.DefaultCache.Lookup(plain, plain.Size)
	if style.Width("abc") != face.Width("abc") || style.Width("10^{-3}") >= style.Width("10-3") {
		t.Error("the widths of texts")
	}
}

func letterOnly(r rune) rune {
	if r == 'a' || r == 'b' {
		return r
	}
	return -1
}

// FuzzParseLength: what is read as a length is positive and finite.
func FuzzParseLength(f *testing.F) {
	for _, s := range []string{"3.25in", "8.5 cm", "85mm", "240pt", "1e400in", "-1cm", "in", "NaNpt", "3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := ParseLength(s); err == nil && (!(v > 0) || math.IsInf(float64(v), 0)) {
			t.Errorf("%q is %v", s, v)
		}
	})
}

// TestNearLattice: masses near a lattice show it, and each bin of its edges has the same number of
// places; smooth masses show none.
func TestNearLattice(t *testing.T) {
	longtest.Only(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		places := 20 + rng.IntN(70)
		step := []float64{1e-9, 0.1, 1, 1e12}[rng.IntN(4)] * (0.5 + 0.5*rng.Float64())
		origin := step * 2000 * (rng.Float64() - 0.5)
		var values, masses []float64
		for k := range places {
			for i := range 5 {
				off := 0.12 * (float64(i) - 2) / 2
				values = append(values, origin+step*(float64(k)+off))
				masses = append(masses, math.Exp(-8*math.Pow(float64(k)/float64(places)-0.5, 2)))
			}
		}
		l, found := NearLattice(values, masses)
		if !found || math.Abs(l.Step-step) > 0.01*step {
			t.Fatalf("found %v %v, want a step of %v", l, found, step)
		}
		from, width, n := l.Edges(values[0], values[0]+step*float64(places), 30)
		if r := width / l.Step; math.Abs(r-math.Round(r)) > 1e-9 || n > 60 || from > values[0]+width {
			t.Fatalf("%d bins of %v steps from %v", n, r, from)
		}
	}
	var values, masses []float64
	for i := range 20000 {
		x := (float64(i) - 10000) / 2000
		values, masses = append(values, x), append(masses, math.Exp(-x*x/2))
	}
	if l, found := NearLattice(values, masses); found {
		t.Errorf("a smooth distribution has the lattice %v", l)
	}
}

// TestRoomy: labels do not touch, and if an axis has room for three labels of a logarithmic scale
// it has three.
func TestRoomy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-12, 12).Draw(t, "low")
		high := low + rapid.Float64Range(0.1, 12).Draw(t, "span")
		room := vg.Length(rapid.Float64Range(20, 400).Draw(t, "room"))
		tickers := []plot.Ticker{Decades{}, Linear{}, Signed{Unit: 0.01}}
		r := &roomy{
			of:   rapid.SampledFrom(tickers).Draw(t, "ticker"),
			room: room,
			size: func(string) vg.Length { return 10 },
		}
		ticks := r.Ticks(low, high)
		if got := labelled(ticks); len(got) > 1 && r.labelsTouch(got, low, high) {
			t.Errorf("%T from %g to %g: labels touch: %v", r.of, low, high, got)
		}
		for i := 1; i < len(ticks); i++ {
			if apart := vg.Length((ticks[i].Value - ticks[i-1].Value) / (high - low)); ticks[i].Label == "" &&
				ticks[i-1].Label == "" &&
				apart*room < leastTickGap*0.99 && math.Round(ticks[i].Value) != ticks[i].Value {
				t.Errorf("%T from %g to %g: ticks %g pt apart", r.of, low, high, float64(apart*room))
			}
		}
	})
	for _, span := range [][2]float64{{0.8, 2.7}, {0.3, 2.3}, {-2.6, -0.3}, {-9.5, 0.4}, {0.67, 1.22}} {
		r := &roomy{of: Decades{}, room: 66, size: func(string) vg.Length { return 16 }}
		if got := labelled(r.Ticks(span[0], span[1])); len(got) < leastLabels {
			t.Errorf("from 10^%g to 10^%g there are the labels %v alone", span[0], span[1], got)
		}
	}
}

// TestSimplified: no point of a line is further from the simplified line than is seen, and a line
// with many points needs few.
func TestSimplified(t *testing.T) {
	line := make(plotter.XYs, 5000)
	for i := range line {
		x := float64(i) / 4999
		line[i] = plotter.XY{X: 1e6 * x, Y: 1e-9 * math.Sin(6*x)}
	}
	few := simplified(line)
	if len(few) > 200 || few[0] != line[0] || few[len(few)-1] != line[4999] {
		t.Fatalf("%d points", len(few))
	}
	k := 0
	for _, at := range line {
		for few[k+1].X < at.X {
			k++
		}
		a, b := few[k], few[k+1]
		if d := toSegment((at.X-a.X)/1e6, (at.Y-a.Y)/2e-9, (b.X-a.X)/1e6, (b.Y-a.Y)/2e-9); d > seen*1.01 {
			t.Fatalf("the point %v is %g from the line", at, d)
		}
	}
}

// The size of one of several panels in the zero Style.
const (
	tileWidth  = 7 * vg.Centimeter
	tileHeight = 6 * vg.Centimeter
)

// TestLegendInHole: a legend for which a hole among the panels has room takes no width beside them.
func TestLegendInHole(t *testing.T) {
	var l Legend
	l.Add("one", Full(0))
	full := many(t)
	hole := Sheet{
		Name:   "three",
		Rows:   Panels(2, []*Panel{faultless(t), faultless(t), faultless(t)}),
		Width:  tileWidth,
		Height: tileHeight,
		Legend: l,
		Beside: true,
	}.Figure()
	if faults := hole.Layout().Faults(); len(faults) > 0 {
		t.Error(faults)
	}
	if width, _ := hole.Size(); width > 2*tileWidth+2*margin(Style{})+slack {
		t.Errorf("the figure is %v wide", width)
	}
	if width, _ := full.Size(); width <= 4*tileWidth+2*margin(Style{}) {
		t.Errorf("without room for it, the figure with its legend is %v wide", width)
	}
}

// TestUpright: slanted names that would touch are turned upright, and some are left out if there is
// no room even then.
func TestUpright(t *testing.T) {
	for _, c := range []struct {
		length  vg.Length
		upright bool
		labels  int
	}{{600, false, 10}, {120, true, 10}, {60, true, 5}} {
		p := NewPanel("", "", "")
		var names plot.ConstantTicks
		for i := range 10 {
			names = append(names, plot.Tick{Value: float64(i), Label: "name"})
		}
		p.X.Tick.Marker = names
		p.X.Min = 0
		p.X.Max = 9
		p.X.Tick.Label.Font.Size = 9
		turned(&p.X)
		upright(&p.X, names, c.length, 30)
		if got := p.X.Tick.Label.Rotation == math.Pi/2; got != c.upright {
			t.Errorf("on an axis of %g pt upright is %t", float64(c.length), got)
		}
		if got := len(labelled(p.X.Tick.Marker.Ticks(0, 9))); got != c.labels {
			t.Errorf("on an axis of %g pt there are %d names, want %d", float64(c.length), got, c.labels)
		}
		if len(labelled(names)) != 10 {
			t.Error("the names of the panel have changed")
		}
	}
}

// faultless is a panel with a line of a legend, in which nothing is wrong.
func faultless(t *testing.T) *Panel {
	t.Helper()
	p := NewPanel("a title", "x", "y")
	drawLine(p, "one", plotter.XYs{{X: 0, Y: 0.5}, {X: 1, Y: 2.5}}, Full(0).Line)
	p.Legend.Add("one", &plotter.Line{LineStyle: Full(0).Line})
	return p
}

// TestFaults: a figure with a fault of each kind is found to have it and no other, and one without
// has none.
func TestFaults(t *testing.T) {
	longtest.Only(t)
	with := func(change func(*Panel)) *Figure {
		p := faultless(t)
		change(p)
		return alone("f", 200, 200, p)
	}
	also := func(more ...func(draw.Canvas)) *Figure { // with something more on its page
		f := alone("f", 200, 200, faultless(t))
		page := f.page
		f.page = func(s Style) Page {
			laid := page(s)
			return Page{laid.Width, laid.Height, func(c draw.Canvas) {
				laid.Draw(c)
				for _, draws := range more {
					draws(c)
				}
			}}
		}
		return f
	}
	write := func(text string, x, y vg.Length, turned float64) func(draw.Canvas) {
		return func(c draw.Canvas) {
			style := Label(8, draw.XLeft, draw.YBottom)
			style.Rotation = turned
			c.FillText(style, vg.Point{X: x, Y: y}, text)
		}
	}
	ticks := func(n int) plot.Ticker {
		return plot.TickerFunc(func(low, high float64) (out []plot.Tick) {
			for i := range n {
				out = append(out, plot.Tick{Value: low + (high-low)*float64(i+1)/float64(n+1), Label: "i"})
			}
			return out
		})
	}
	page := func(width vg.Length, draws func(draw.Canvas, Style)) *Figure {
		return New("f", func(s Style) Page { return Page{width, 100, func(c draw.Canvas) { draws(c, s) }} })
	}
	eleven := faultless(t)
	eleven.Y.Tick.Marker = ticks(11)
	empty := NewPanel("a title", "x", "y")
	Guide(empty, plotter.XY{}, plotter.XY{X: 1, Y: 1}, Full(0).Line)
	black := draw.LineStyle{Color: color.Black, Width: 1}
	for _, c := range []struct {
		name   string
		figure *Figure
		want   string
	}{
		{"none", also(), ""},
		{"texts beside one another", also(write("here", 60, 100, 0), write("there", 60, 110, 0)), ""},
		{"slanted texts whose boxes are over one another",
			also(write("slanted", 60, 100, math.Pi/4), write("slanted", 80, 100, math.Pi/4)), ""},
		{"overlapping texts", also(write("here", 60, 100, 0), write("there", 60, 104, 0)),
			`the texts "here" and "there" are over one another`},
		{"a text beyond the edge", also(write("far out at the right", 180, 100, 0)),
			`"far out at the right" is beyond the edge by`},
		{"an upright text beyond the edge", also(write("far out at the top of all", 60, 170, math.Pi/2)),
			`"far out at the top of all" is beyond the edge by`},
		{"one number at an axis", with(func(p *Panel) { p.X.Tick.Marker = ticks(1) }),
			`panel 1 "a title": "x" has 1 labels`},
		{"eleven numbers at an axis", alone("f", 200, 400, eleven), `panel 1 "a title": "y" has 11 labels`},
		{"an axis without names", with(func(p *Panel) { p.X.Tick.Marker = plot.ConstantTicks{{Value: 0.5}} }),
			`"x" has 0 labels`},
		{"a panel that is too small", page(300, func(c draw.Canvas, s Style) {
			c.Max.X -= 120
			drawBand(c, s, [][]*Panel{{faultless(t)}}, false)
		}), "in high"},
		{"cells that are too small", page(100, func(c draw.Canvas, _ Style) {
			AddArea(c, vg.Rectangle{Max: vg.Point{X: 70, Y: 70}}, "cells", false)
		}),
			`panel 1 "cells" is 0.97 in wide`},
		{"a map that is too small", page(100, func(c draw.Canvas, _ Style) {
			AddArea(c, vg.Rectangle{Max: vg.Point{X: 20, Y: 70}}, "map", true)
		}),
			`panel 1 "map" is 0.28 in wide`},
		{"no panel", page(100, func(draw.Canvas, Style) {}), "there is no panel"},
		{"an empty panel", alone("f", 200, 200, empty), `panel 1 "a title" is empty`},
		{"data beyond the axes", with(func(p *Panel) {
			p.X.Min = 2
			p.X.Max = 3
			p.Legend = Legend{}
		}), `panel 1 "a title" is empty`},
		{"an entry of the legend without a line",
			with(func(p *Panel) { p.Legend.Add("two", &plotter.Line{LineStyle: Full(1).Line}) }),
			`the legend has "two", and no panel has a mark like a line in #d55e00`},
		{"an entry with other dashes",
			with(func(p *Panel) { p.Legend.Add("two", &plotter.Line{LineStyle: Full(0).Open().Line}) }),
			`the legend has "two"`},
		{"an entry as black as the axes", with(
			func(p *Panel) { p.Legend.Add("two", &plotter.Line{LineStyle: black}) },
		), `the legend has "two"`},
		{"an entry without a picture", with(func(p *Panel) { p.Legend.Add("two") }),
			`the legend has "two", and it has no picture`},
		{"a scale with one number", also(func(c draw.Canvas) { AddScale(c, 1) }), `"numbers" has 1 labels`},
		{"a kind of line in any colour", with(func(p *Panel) { p.Legend.Add("kind", kindKey(nil)) }), ""},
		{"a kind of line that is not there", with(func(p *Panel) { p.Legend.Add("kind", kindKey(Dashes())) }),
			`the legend has "kind"`},
	} {
		faults := c.figure.Layout().Faults()
		if c.want == "" && len(faults) > 0 ||
			c.want != "" && (len(faults) != 1 || !strings.Contains(faults[0], c.want)) {
			t.Errorf("%s: faults %q, want %q", c.name, faults, c.want)
		}
	}
}

// TestPanelsStack: in a figure of any width that has room for a panel, the area within the axes of
// each panel is an inch wide and high, however long its names are.
func TestPanelsStack(t *testing.T) {
	longtest.Only(t)
	for _, width := range []vg.Length{2.2 * vg.Inch, 5 * vg.Inch, 3.25 * vg.Inch, 9 * vg.Inch}[:min(
		4,
		longtest.Times(2, 4),
	)] {
		for _, fault := range many(t).In(Style{Width: width}).Layout().Faults() {
			t.Errorf("%.3g in: %s", float64(width/vg.Inch), fault)
		}
	}
}

// TestShortNames: long names are cut in the middle, and differ if the whole names do.
func TestShortNames(t *testing.T) {
	long := strings.Repeat("a", 60)
	for _, c := range []struct{ names, want []string }{
		{[]string{"short", "0123456789abcdefghij-the-end"}, []string{"short", "01234567...j-the-end"}},
		{[]string{long + "1" + long, long + "2" + long},
			[]string{"aaaaaa...aaaa1aaa...", "aaaaaa...aaaa2aaa..."}},
		{[]string{long + long, long + long + long}, []string{"aaaaaa...aaaa...", "aaaaaa...aaaaaaaa..."}},
		{[]string{long, long}, []string{"aaaaaaaa...aaaaaaaaa", "aaaaaaaa...aaaaaaaaa"}},
	} {
		got := ShortNames(c.names, 20)
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%q is shortened to %q, not %q", c.names[i], got[i], c.want[i])
			}
		}
	}
}
