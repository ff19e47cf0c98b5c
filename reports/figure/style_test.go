package figure

import (
	"bytes"
	"image/color"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

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
		longtest.Must(Curve(p, "one", plotter.XYs{{X: 1, Y: 1}, {X: 5, Y: float64(i)}}, mark))(t)
		p.Legend.Add("the series "+strings.Repeat("i", i), mark)
		panels = append(panels, p)
	}
	return Tiles("many", 4, panels, Legend{})
}

// TestWidths: a figure is as wide as its style says and holds all its texts, whose letters have the size asked for at any width.
func TestWidths(t *testing.T) {
	longtest.NotShort(t)
	f := many(t)
	for _, s := range []Style{{}, {Width: 3.25 * vg.Inch}, {Width: 2 * vg.Inch}, {Width: 12 * vg.Inch}, {Width: 5 * vg.Inch, FontSize: 12}, {Look: Print}, {Look: Mono, Width: 3.25 * vg.Inch}} {
		styled := f.In(s)
		width, height := styled.Size()
		if s.Width > 0 && math.Abs(float64(width-s.Width)) > 1e-6 || height <= 0 {
			t.Errorf("%+v: %v by %v", s, width, height)
		}
		var on recorder.Canvas
		styled.Draw(draw.NewCanvas(&on, width, height))
		texts, largest := 0, vg.Length(0)
		for _, action := range on.Actions {
			if text, is := action.(*recorder.FillString); is {
				texts++
				largest = max(largest, text.Size)
				if text.Size < 0.7*vg.Length(MinFontSize) {
					t.Errorf("%+v: letters of %v for %q", s, text.Size, text.String)
				}
			}
		}
		if texts < 8*8 || largest != s.Letters() {
			t.Errorf("%+v: %d texts of up to %v", s, texts, largest)
		}
	}
}

// TestSystemFonts: an SVG names fonts that every system has, and has none within, so that it is small.
func TestSystemFonts(t *testing.T) {
	longtest.NotShort(t)
	data := longtest.Must(many(t).Encode("svg"))(t)
	if len(data) > 150_000 || bytes.Contains(data, []byte("base64")) || !bytes.Contains(data, []byte("Arial,Helvetica,sans-serif")) || bytes.Contains(data, []byte("font-variant")) {
		t.Errorf("%d bytes", len(data))
	}
}

// TestMono: every colour of a figure in the style mono is a grey, and full lines of different colours have different dashes.
func TestMono(t *testing.T) {
	longtest.NotShort(t)
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

// TestParts: raised and lowered parts of a text are smaller and stand above and below the line; braces that are not closed stand for themselves,
// and no letter is lost.
func TestParts(t *testing.T) {
	got := partsOf("10^{-3} and Z_{T}, a_b {c} ^{")
	want := []part{{"10", 1, 0}, {"-3", partSize, raised}, {" and Z", 1, 0}, {"T", partSize, lowered}, {", a_b {c} ^{", 1, 0}}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("part %d is %v, want %v", i, got[i], want[i])
		}
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

// TestNearLattice: masses near a lattice show it, and each bin of its edges has the same number of places; smooth masses show none.
func TestNearLattice(t *testing.T) {
	longtest.NotShort(t)
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
		t.Errorf("a smooth law has the lattice %v", l)
	}
}

// TestData: every point has a row with the numbers on its axes.
func TestData(t *testing.T) {
	p := NewPanel("title", "x", "y")
	p.X.Tick.Marker, p.Y.Tick.Marker = Decades{}, Signed{0.01}
	longtest.NoError(t, AddLine(p, "one", plotter.XYs{{X: 2, Y: Signed{0.01}.Of(-3)}, {X: -1, Y: 0}}, draw.LineStyle{Color: color.Black}))
	AddBars(p, "bars", &Bars{Bars: []Bar{{From: 0, To: 1, Height: 0}}})
	data := Alone("f", 100, 100, p).Data
	want := [][]any{{"title", "one", "x", 100.0, nil, "y", -3.0}, {"title", "one", "x", 0.1, nil, "y", 0.0}, {"title", "bars", "x", 1.0, 10.0, "y", 0.0}}
	for i, row := range want {
		for k := range row {
			if data.Rows[i][k] != row[k] {
				t.Errorf("row %d: %v, want %v", i, data.Rows[i], row)
				break
			}
		}
	}
	if err := data.Check(); err != nil {
		t.Error(err)
	}
}
