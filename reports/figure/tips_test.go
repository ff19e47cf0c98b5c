package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/grid/longtest"
)

// elements returns the elements of a figure's SVG with their attributes, and the texts of its titles.
func elements(t *testing.T, f *Figure) (all []xml.StartElement, titles []string) {
	t.Helper()
	data := longtest.Must(f.Encode("svg"))(t)
	in := xml.NewDecoder(bytes.NewReader(data))
	inTitle := false
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return all, titles
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			all, inTitle = append(all, token.Copy()), token.Name.Local == "title"
		case xml.EndElement:
			inTitle = false
		case xml.CharData:
			if inTitle {
				titles = append(titles, string(token))
			}
		}
	}
}

// TestNoStyles: nothing in an SVG is styled but by attributes, which a page may have whose policy forbids styles.
func TestNoStyles(t *testing.T) {
	longtest.NotShort(t)
	all, titles := elements(t, many(t))
	for _, e := range all {
		for _, a := range e.Attr {
			if a.Name.Local == "style" || a.Name.Local == "class" || strings.HasPrefix(a.Name.Local, "on") {
				t.Fatalf("%s has %s", e.Name.Local, a.Name.Local)
			}
		}
	}
	role := slices.ContainsFunc(all[0].Attr, func(a xml.Attr) bool { return a.Name.Local == "role" && a.Value == "img" })
	if len(titles) == 0 || !role {
		t.Errorf("the role of an image: %v; titles %q", role, titles)
	}
}

// TestTips: what is drawn says its numbers, those of axes with scales too, and names where an axis has names; what lies beyond the axes,
// or is no number, has no tip.
func TestTips(t *testing.T) {
	p := NewPanel("Z_{T} & <b>", "T", "J")
	p.X.Tick.Marker = Decades{}
	longtest.NoError(t, AddLine(p, "one & <i>", plotter.XYs{{X: 2, Y: 0.123456789}, {X: 3, Y: 1}, {X: 3.0001, Y: 1}}, draw.LineStyle{Color: color.Black, Width: 1}))
	p.Record("beyond", plotter.XYs{{X: 9, Y: 0.5}, {X: math.NaN(), Y: 0.5}, {X: 2.5, Y: math.Inf(1)}})
	AddBars(p, "bars", &Bars{Bars: []Bar{{From: 2, To: 2.5, Height: 0.5}}, Fill: color.Black})
	all, titles := elements(t, Alone("f", 200, 200, p))
	want := []string{"Z_T & <b>: J against T", "one & <i>: T 100, J 0.123457", "one & <i>: T 1000, J 1", "bars: T 100 to 316.228, J 0.5"}
	if !slices.Equal(titles, want) {
		t.Errorf("tips %q, want %q", titles, want)
	}
	count := map[string]int{}
	for _, e := range all {
		count[e.Name.Local]++
	}
	if count["circle"] != 2 || count["rect"] != 1 {
		t.Errorf("%v", count)
	}
	named := NewPanel("", "", "share")
	named.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "linear"}, {Value: 1, Label: "power:2"}}
	AddBars(named, "", &Bars{Bars: []Bar{{From: -0.3, To: 0.3, Height: 1}, {From: 0.7, To: 1.3, Height: 2}}, Fill: color.Black})
	if _, titles := elements(t, Alone("f", 200, 200, named)); titles[len(titles)-1] != "x power:2, share 2" {
		t.Errorf("%q", titles)
	}
}

// TestTipsStandWhereTheirPointsAre: the middle of a tip is that of the shape that is drawn at the point.
func TestTipsStandWhereTheirPointsAre(t *testing.T) {
	p := NewPanel("", "x", "y")
	longtest.NoError(t, AddDots(p, "dots", plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 2}, {X: 3, Y: 1}}, draw.GlyphStyle{Color: color.Black, Radius: 2, Shape: DiamondGlyph{}}))
	data := longtest.Must(Alone("f", 200, 200, p).Encode("svg"))(t)
	var tips []Tip
	f := Alone("f", 200, 200, p)
	width, height := f.Size()
	f.draw(draw.NewCanvas(discard{}, width, height), &tips)
	if len(tips) != 3 {
		t.Fatalf("%d tips", len(tips))
	}
	for _, tip := range tips {
		corner := "M" + fmt.Sprintf("%.5g", float64(tip.Box.Min.X)-2.5) + "," + fmt.Sprintf("%.5g", float64(tip.Box.Min.Y))
		if !bytes.Contains(data, []byte(corner)) {
			t.Errorf("no diamond has its left corner at %s", corner)
		}
	}
}

// TestManyTips: a line of many points has no more tips than a figure may have, and its file stays small.
func TestManyTips(t *testing.T) {
	longtest.NotShort(t)
	p := NewPanel("", "x", "y")
	var points plotter.XYs
	for i := range 50_000 {
		points = append(points, plotter.XY{X: float64(i), Y: math.Sin(float64(i))})
	}
	p.Record("many", points)
	p.X.Max, p.Y.Min, p.Y.Max = 50_000, -1, 1
	data := longtest.Must(Alone("f", 400, 400, p).Encode("svg"))(t)
	if n := bytes.Count(data, []byte("<circle")); n != maxTips || len(data) > 150_000 {
		t.Errorf("%d tips in %d bytes", n, len(data))
	}
}

// discard is a canvas on which nothing is drawn.
type discard struct{}

func (discard) SetLineWidth(vg.Length)                 {}
func (discard) SetLineDash([]vg.Length, vg.Length)     {}
func (discard) SetColor(color.Color)                   {}
func (discard) Rotate(float64)                         {}
func (discard) Translate(vg.Point)                     {}
func (discard) Scale(float64, float64)                 {}
func (discard) Push()                                  {}
func (discard) Pop()                                   {}
func (discard) Stroke(vg.Path)                         {}
func (discard) Fill(vg.Path)                           {}
func (discard) FillString(font.Face, vg.Point, string) {}
func (discard) DrawImage(vg.Rectangle, image.Image)    {}
