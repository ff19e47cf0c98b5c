package figure

import (
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
	s := &Sheet{Columns: 4, Width: tileWidth, Height: tileHeight}
	for i := range 8 {
		p := NewPanel("a panel with a long title", "a quantity with a long name (nats)", "J_{T} (nats)")
		p.X.Scale, p.X.Tick.Marker = scale{log: true}, ticker{scale: scale{log: true}}
		drawMarks(p, "one", plotter.XYs{{X: 10, Y: 1}, {X: 1e5, Y: float64(i)}}, full(i))
		s.legend.add("", "the series "+strings.Repeat("i", i), full(i))
		panels = append(panels, p)
	}
	s.Rows = [][]*Panel{panels}
	return New("many", func(Style) *Sheet { return s })
}

// TestWidths: a figure is as wide as its style says and holds all its texts, whose letters have the
// size asked for at any width.
func TestWidths(t *testing.T) {
	longtest.Only(t)
	f := many(t)
	for _, s := range []Style{{}, {Width: 3.25 * vg.Inch}, {Width: 2 * vg.Inch}, {Width: 12 * vg.Inch},
		{Width: 5 * vg.Inch, FontSize: 12},
		{Look: Print}, {Look: Mono, Width: 3.25 * vg.Inch}} {
		laid := f.sheet(s).page(s)
		if s.Width > 0 && math.Abs(float64(laid.width-s.Width)) > 1e-6 || laid.height <= 0 {
			t.Errorf("%+v: %v by %v", s, laid.width, laid.height)
		}
		var on recorder.Canvas
		laid.draw(draw.NewCanvas(&on, laid.width, laid.height))
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
		scales := []scale{{log: true}, {}, {unit: 0.01}}
		tick := ticker{
			scale: rapid.SampledFrom(scales).Draw(t, "scale"),
			room:  room,
			size:  func(string) vg.Length { return 10 },
		}
		if tick.log {
			low, high = tick.number(low), tick.number(high)
		}
		if ticks := tick.Ticks(low, high); tick.touch(ticks, low, high, 1) {
			t.Errorf("%+v from %g to %g: labels touch: %v", tick.scale, low, high, labelled(ticks))
		}
	})
	for _, span := range [][2]float64{{0.8, 2.7}, {0.3, 2.3}, {-2.6, -0.3}, {-9.5, 0.4}, {0.67, 1.22}} {
		r := ticker{scale: scale{log: true}, room: 66, size: func(string) vg.Length { return 16 }}
		if got := labelled(r.Ticks(r.number(span[0]), r.number(span[1]))); len(got) < leastLabels {
			t.Errorf("from 10^%g to 10^%g there are the labels %v alone", span[0], span[1], got)
		}
	}
}

// TestThinned: no point of a line is further from the one before that is drawn than is seen, and a
// line with many points needs few.
func TestThinned(t *testing.T) {
	p := NewPanel("", "", "")
	p.X.Max, p.X.Min, p.Y.Min, p.Y.Max = 1e6, 0, -1e-9, 1e-9
	line := make(plotter.XYs, 50_000)
	for i := range line {
		x := float64(i) / 49_999
		line[i] = plotter.XY{X: 1e6 * x, Y: 1e-9 * math.Sin(6*x)}
	}
	few := p.thinned(line)
	if len(few) > 2500 || few[0] != line[0] || few[len(few)-1] != line[len(line)-1] {
		t.Fatalf("%d points", len(few))
	}
	for i, at := range few[1:] {
		if d := math.Hypot(p.X.Norm(at.X)-p.X.Norm(few[i].X), p.Y.Norm(at.Y)-p.Y.Norm(few[i].Y)); d > 1.1/500 {
			t.Fatalf("%v and %v are %g apart", few[i], at, d)
		}
	}
}

// The size of one of several panels in the zero Style.
const (
	tileWidth  = 7 * vg.Centimeter
	tileHeight = 6 * vg.Centimeter
)

// TestLegendStands: a legend is at the right of the panels, and below them if it would take too
// much of a width.
func TestLegendStands(t *testing.T) {
	s := many(t).sheet(Style{})
	for _, c := range []struct {
		width  vg.Length
		beside bool
	}{{0, true}, {12 * vg.Inch, true}, {2.2 * vg.Inch, false}} {
		style := Style{Width: c.width}
		right := s.legend.layOut(style, legendLine*style.Letters(), false)
		if a := s.arrange(style, right); a.beside != c.beside {
			t.Errorf("in a width of %v the legend is at the right: %t", c.width, a.beside)
		}
	}
}

// TestThinNames: names that would touch are turned upright, and some are left out if there is no
// room even then.
func TestThinNames(t *testing.T) {
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
		p.X.Min = 0
		p.X.Max = 9
		p.X.Tick.Label.Font.Size = 9
		kept := thinNames(&p.X, names, c.length, 10)
		if got := p.X.Tick.Label.Rotation == math.Pi/2; got != c.upright {
			t.Errorf("on an axis of %g pt upright is %t", float64(c.length), got)
		}
		if got := len(labelled(kept)); got != c.labels {
			t.Errorf("on an axis of %g pt there are %d names, want %d", float64(c.length), got, c.labels)
		}
		if len(labelled(names)) != 10 {
			t.Error("the names of the panel have changed")
		}
	}
}

// TestPanelsStack: in a figure of any width that has room for a panel, the area within the axes of
// each panel is an inch wide and high, however long its names are.
func TestPanelsStack(t *testing.T) {
	longtest.Only(t)
	for _, width := range []vg.Length{2.2 * vg.Inch, 5 * vg.Inch, 3.25 * vg.Inch, 9 * vg.Inch} {
		style := Style{Width: width}
		s := many(t).sheet(style)
		a := s.arrange(style, s.legend.layOut(style, legendLine*style.Letters(), false))
		if area := s.fit(style, &a); area < leastArea-0.5 {
			t.Errorf("%.3g in: an area %.3g in wide", float64(width/vg.Inch), float64(area/vg.Inch))
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
