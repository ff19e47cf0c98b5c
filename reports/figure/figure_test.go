package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"pgregory.net/rapid"

	"breadboard/grid/longtest"
)

// TestNoTemporaryFolder: no format needs a folder, whatever the letters.
func TestNoTemporaryFolder(t *testing.T) {
	p := NewPanel("\U0001F600 \uffff 数 αβ \x00\xff", "x", "y")
	drawLine(p, "", plotter.XYs{{}, {X: 1, Y: 1}}, full(0).Line)
	f := alone("f", 200, 200, p)
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	if os.TempDir() != missing {
		t.Skip("the system has another variable for the folder of temporary files")
	}
	for _, format := range Formats() {
		longtest.Must(f.Encode(format))(t)
	}
}

// TestHostileNames: no character of a title, a label or a name reverses what follows, and the SVG
// is XML whatever they are.
func TestHostileNames(t *testing.T) {
	p := NewPanel("a\u202eb", "x\u2066\x07", "y\x1b[31m")
	drawMarks(p, "one\u202e", plotter.XYs{{X: 0, Y: 1}, {X: 1, Y: 2}}, full(0).open(1))
	f := alone("f", 200, 200, p)
	f.Title = "a\u202eb"
	svg := longtest.Must(f.Encode("svg"))(t)
	hostile := func(r rune) bool {
		return unicode.In(r, unicode.Cc, unicode.Bidi_Control) && r != '\n' && r != '\t'
	}
	if at := bytes.IndexFunc(svg, hostile); at >= 0 || !bytes.Contains(svg, []byte("a\ufffdb</text>")) {
		t.Errorf("the figure has %q", svg[max(0, at-40):max(0, at+10)])
	}
}

// TestEncode: the same drawing gives the same bytes in every format, of the type that its name
// says, and no date.
func TestEncode(t *testing.T) {
	longtest.Only(t)
	p := NewPanel("a title", "Z_{T}", "10^{-3}")
	drawMarks(p, "one", plotter.XYs{{X: 0, Y: 1}, {X: 1, Y: 2}}, full(0).open(1))
	f := alone("x", 6*vg.Centimeter, 4*vg.Centimeter, p)
	for _, format := range Formats() {
		first := longtest.Must(f.Encode(format))(t)
		again, err := f.Encode(format)
		if err != nil || !bytes.Equal(first, again) {
			t.Errorf("%s: other bytes the second time, %v", format, err)
		}
		if magic := map[string]string{
			"svg": "<?xml", "png": "\x89PNG", "pdf": "%PDF"}[format]; !bytes.HasPrefix(first, []byte(magic)) {
			t.Errorf("%s begins with %q", format, first[:8])
		}
		if bytes.Contains(first, []byte("D:202")) {
			t.Errorf("%s carries a date", format)
		}
	}
	if _, err := f.Encode("bmp"); err == nil {
		t.Error("bmp is accepted")
	}
}

// TestTicks: a label is the shortest text of its number; 7 times 0.1 is not that of 0.7. Powers of
// ten are never decimal numbers beside others, and if a decade is all there is 2 and 5 have labels.
// Labels of linear axes have the digits that tell them apart.
func TestTicks(t *testing.T) {
	log := scale{log: true}
	for _, c := range []struct {
		scale
		low, high float64
		want      string
	}{
		{log, 0.55, 0.95, "0.6 0.7 0.8 0.9"},
		{log, 0.001, 0.1, "10^{-3} 10^{-2} 10^{-1}"},
		{log, 10, 100, "10 20 50 100"},
		{log, 1e-8, 1e-7, "10^{-8} 2×10^{-8} 5×10^{-8} 10^{-7}"},
		{log, 1.001, 1.004, "1.001 1.002 1.003 1.004"},
		{log, 1e-304, 1, "10^{-300} 10^{-250} 10^{-200} 10^{-150} 10^{-100} 10^{-50} 10^{0}"},
		{scale{}, -0.3, 1.2, "0 0.5 1.0"},
		{scale{}, -7e6, 1e6, "-6×10^{6} -4×10^{6} -2×10^{6} 0"},
		{scale{}, 123456.71, 123456.78, "123456.72 123456.74 123456.76 123456.78"},
		{scale{}, 1e-5, 4e-5, "10^{-5} 2×10^{-5} 3×10^{-5} 4×10^{-5}"},
		{scale{unit: 1}, -200, 30, "-10^{2} -10^{1} -10^{0} 0 10^{0} 10^{1}"},
		{scale{unit: 1}, -0.1, 0.3, "-0.1 0 0.1 0.2 0.3"},
	} {
		var labels []string
		for _, tick := range labelled(ticker{scale: c.scale}.Ticks(c.low, c.high)) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%+v from %v to %v: labels %q, want %q", c.scale, c.low, c.high, got, c.want)
		}
	}
}

// TestHistogram: the bars hold the share of the sample that is finite, each number in its own bin.
func TestHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		finite := rapid.SliceOfN(rapid.Float64Range(-1, 1), 1, 50).Draw(t, "sample")
		infinite := rapid.IntRange(0, 5).Draw(t, "infinite")
		sample := append([]float64(nil), finite...)
		for range infinite {
			sample = append(sample, math.Inf(1))
		}
		const low, high, bins = -1.0, 1.0, 60
		for i, bin := range Histogram(sample, low, high, bins) {
			count := 0 // the slow way
			for _, v := range finite {
				if int((v-low)/((high-low)/bins)) == i || i == bins-1 && v == high {
					count++
				}
			}
			if want := float64(count) / float64(len(sample)); math.Abs(bin.Height-want) > 1e-12 {
				t.Fatalf("bin %d has %v, want %v", i, bin.Height, want)
			}
		}
	})
}

// elements returns the elements of an SVG with their attributes, and the texts of its titles.
func elements(t *testing.T, data []byte) (all []xml.StartElement, titles []string) {
	t.Helper()
	in := xml.NewDecoder(bytes.NewReader(data))
	inTitle := false
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return all, titles
		}
		longtest.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			all = append(all, token.Copy())
			inTitle = token.Name.Local == "title"
		case xml.EndElement:
			inTitle = false
		case xml.CharData:
			if inTitle {
				titles = append(titles, string(token))
			}
		}
	}
}

// TestNoStyles: nothing in an SVG is styled but by attributes, which a page may have whose policy
// forbids styles. It names fonts that every system has, and has none within, so that it is small.
func TestNoStyles(t *testing.T) {
	longtest.Only(t)
	data := longtest.Must(many(t).Encode("svg"))(t)
	if len(data) > 150_000 || bytes.Contains(data, []byte("base64")) ||
		!bytes.Contains(data, []byte("Arial,Helvetica,sans-serif")) ||
		bytes.Contains(data, []byte("font-variant")) {
		t.Errorf("%d bytes", len(data))
	}
	all, titles := elements(t, data)
	for _, e := range all {
		for _, a := range e.Attr {
			if a.Name.Local == "style" || a.Name.Local == "class" || strings.HasPrefix(a.Name.Local, "on") {
				t.Fatalf("%s has %s", e.Name.Local, a.Name.Local)
			}
		}
	}
	role := slices.ContainsFunc(
		all[0].Attr,
		func(a xml.Attr) bool { return a.Name.Local == "role" && a.Value == "img" },
	)
	if len(titles) == 0 || !role {
		t.Errorf("the role of an image: %v; titles %q", role, titles)
	}
}

// TestTips: what is drawn says its numbers, those of axes with scales too, and names where an axis
// has names; what lies beyond the axes, or is not a number, has no tip.
func TestTips(t *testing.T) {
	p := NewPanel("Z_{T} & <b>", "T", "J")
	p.X.Scale, p.X.Tick.Marker = scale{log: true}, ticker{scale: scale{log: true}}
	drawLine(p, "one & <i>", plotter.XYs{{X: 100, Y: 0.123456789}, {X: 1000, Y: 1}, {X: 1000.1, Y: 1}},
		draw.LineStyle{Color: color.Black, Width: 1})
	p.record("beyond", plotter.XYs{{X: 1e9, Y: 0.5}, {X: math.NaN(), Y: 0.5}, {X: 300, Y: math.Inf(1)}})
	p.addBars("bars", []Bar{{From: 100, To: 316.228, Height: 0.5}}, color.Black)
	all, titles := elements(t, longtest.Must(alone("f", 200, 200, p).Encode("svg"))(t))
	want := []string{"Z_T & <b>: J against T", "one & <i>: T 100, J 0.123457", "one & <i>: T 1000, J 1",
		"bars: T 100 to 316.228, J 0.5"}
	if !slices.Equal(titles, want) {
		t.Errorf("tips %q, want %q", titles, want)
	}
	count := map[string]int{}
	for _, e := range all {
		count[e.Name.Local]++
	}
	if count["rect"] != 3 {
		t.Errorf("%v", count)
	}
	named := NewPanel("", "", "share")
	named.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "linear"}, {Value: 1, Label: "power:2"}}
	named.X.Min, named.X.Max, named.Y.Min, named.Y.Max = -0.3, 1.3, 0, 2
	named.addBars("", []Bar{{From: -0.3, To: 0.3, Height: 1}, {From: 0.7, To: 1.3, Height: 2}}, color.Black)
	_, titles = elements(t, longtest.Must(alone("f", 200, 200, named).Encode("svg"))(t))
	if titles[len(titles)-1] != "x power:2, share 2" {
		t.Errorf("%q", titles)
	}
}

// TestTipsStandWhereTheirPointsAre: the middle of a tip is that of the shape that is drawn at the
// point.
func TestTipsStandWhereTheirPointsAre(t *testing.T) {
	p := NewPanel("", "x", "y")
	drawMarks(p, "dots", plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 2}, {X: 3, Y: 1}},
		mark{Glyph: draw.GlyphStyle{Color: color.Black, Radius: 2, Shape: polygonGlyph(4)}})
	data := longtest.Must(alone("f", 200, 200, p).Encode("svg"))(t)
	laid := alone("f", 200, 200, p).sheet(Style{}).page(Style{})
	tips := laid.draw(draw.NewCanvas(&recorder.Canvas{}, laid.width, laid.height))
	if len(tips) != 3 {
		t.Fatalf("%d tips", len(tips))
	}
	for _, tip := range tips {
		middle := tip.box.Min.Add(tip.box.Max).Scale(0.5)
		corner := fmt.Sprintf("M%.5g,%.5g", float64(middle.X), float64(middle.Y)-2.4)
		if !bytes.Contains(data, []byte(corner)) {
			t.Errorf("no diamond has its lower corner at %s", corner)
		}
	}
}

// TestManyTips: a line of many points has no more tips than a figure may have, and its file stays
// small.
func TestManyTips(t *testing.T) {
	longtest.Only(t)
	p := NewPanel("", "x", "y")
	var points plotter.XYs
	for i := range 50_000 {
		points = append(points, plotter.XY{X: float64(i), Y: math.Sin(float64(i))})
	}
	p.record("many", points)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 50_000, -1, 1
	data := longtest.Must(alone("f", 400, 400, p).Encode("svg"))(t)
	if n := bytes.Count(data, []byte("<rect")); n != maxTips || len(data) > 150_000 {
		t.Errorf("%d tips in %d bytes", n, len(data))
	}
}
