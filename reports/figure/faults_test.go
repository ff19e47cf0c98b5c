package figure

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/grid/longtest"
)

// faultless is a panel with a line of a legend, in which nothing is wrong.
func faultless(t *testing.T) *Panel {
	t.Helper()
	p := NewPanel("a title", "x", "y")
	longtest.NoError(t, AddLine(p, "one", plotter.XYs{{X: 0, Y: 0.5}, {X: 1, Y: 2.5}}, Full(0).Line))
	p.Legend.Add("one", &plotter.Line{LineStyle: Full(0).Line})
	return p
}

// drawnAlso is a figure of a panel with something more on its page.
func drawnAlso(p *Panel, more func(draw.Canvas)) *Figure {
	f := Alone("f", 200, 200, p)
	page := f.page
	f.page = func(s Style) Page {
		laid := page(s)
		return Page{laid.Width, laid.Height, func(c draw.Canvas) { laid.Draw(c); more(c) }}
	}
	return f
}

// TestFaults: a figure with a fault of each kind is found to have it and no other, and one without has none.
func TestFaults(t *testing.T) {
	longtest.NotShort(t)
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
	for _, c := range []struct {
		name   string
		figure func() *Figure
		want   string
	}{
		{"none", func() *Figure { return Alone("f", 200, 200, faultless(t)) }, ""},
		{"texts beside one another", func() *Figure {
			return drawnAlso(faultless(t), func(c draw.Canvas) { write("here", 60, 100, 0)(c); write("there", 60, 110, 0)(c) })
		}, ""},
		{"slanted texts whose boxes are over one another", func() *Figure {
			return drawnAlso(faultless(t), func(c draw.Canvas) { write("slanted", 60, 100, math.Pi/4)(c); write("slanted", 80, 100, math.Pi/4)(c) })
		}, ""},
		{"overlapping texts", func() *Figure {
			return drawnAlso(faultless(t), func(c draw.Canvas) { write("here", 60, 100, 0)(c); write("there", 60, 104, 0)(c) })
		}, `the texts "here" and "there" are over one another`},
		{"a text beyond the edge", func() *Figure {
			return drawnAlso(faultless(t), write("far out at the right", 180, 100, 0))
		}, `"far out at the right" is beyond the edge by`},
		{"an upright text beyond the edge", func() *Figure {
			return drawnAlso(faultless(t), write("far out at the top of all", 60, 170, math.Pi/2))
		}, `"far out at the top of all" is beyond the edge by`},
		{"one number at an axis", func() *Figure {
			p := faultless(t)
			p.X.Tick.Marker = ticks(1)
			return Alone("f", 200, 200, p)
		}, `panel 1 "a title": "x" has 1 labels`},
		{"eleven numbers at an axis", func() *Figure {
			p := faultless(t)
			p.Y.Tick.Marker = ticks(11)
			return Alone("f", 200, 400, p)
		}, `panel 1 "a title": "y" has 11 labels`},
		{"an axis without names", func() *Figure {
			p := faultless(t)
			p.X.Tick.Marker = plot.ConstantTicks{{Value: 0.5}}
			return Alone("f", 200, 200, p)
		}, `"x" has 0 labels`},
		{"a panel that is too small", func() *Figure {
			return New("f", func(s Style) Page {
				return Page{300, 100, func(c draw.Canvas) {
					c.Max.X -= 120
					drawBand(c, s, [][]*Panel{{faultless(t)}}, false)
				}}
			})
		}, "in high"},
		{"cells that are too small", func() *Figure {
			return New("f", func(Style) Page {
				return Page{100, 100, func(c draw.Canvas) { AddArea(c, vg.Rectangle{Max: vg.Point{X: 70, Y: 70}}, "cells") }}
			})
		}, `panel 1 "cells" is 0.97 in wide`},
		{"no panel", func() *Figure {
			return New("f", func(Style) Page { return Page{100, 100, func(draw.Canvas) {}} })
		}, "there is no panel"},
		{"an empty panel", func() *Figure {
			p := NewPanel("a title", "x", "y")
			Guide(p, plotter.XY{}, plotter.XY{X: 1, Y: 1}, Full(0).Line)
			return Alone("f", 200, 200, p)
		}, `panel 1 "a title" is empty`},
		{"data beyond the axes", func() *Figure {
			p := faultless(t)
			p.X.Min, p.X.Max = 2, 3
			p.Legend = Legend{}
			return Alone("f", 200, 200, p)
		}, `panel 1 "a title" is empty`},
		{"an entry of the legend without a line", func() *Figure {
			p := faultless(t)
			p.Legend.Add("two", &plotter.Line{LineStyle: Full(1).Line})
			return Alone("f", 200, 200, p)
		}, `the legend has "two", and no panel has a mark like a line in #d55e00`},
		{"an entry with other dashes", func() *Figure {
			p := faultless(t)
			p.Legend.Add("two", &plotter.Line{LineStyle: Full(0).Open().Line})
			return Alone("f", 200, 200, p)
		}, `the legend has "two"`},
		{"an entry as black as the axes", func() *Figure {
			p := faultless(t)
			p.Legend.Add("two", &plotter.Line{LineStyle: draw.LineStyle{Color: color.Black, Width: 1}})
			return Alone("f", 200, 200, p)
		}, `the legend has "two"`},
		{"an entry without a picture", func() *Figure {
			p := faultless(t)
			p.Legend.Add("two")
			return Alone("f", 200, 200, p)
		}, `the legend has "two", and it has no picture`},
		{"a scale with one number", func() *Figure {
			return drawnAlso(faultless(t), func(c draw.Canvas) { AddScale(c, 1) })
		}, `"numbers" has 1 labels`},
		{"a kind of line in any colour", func() *Figure {
			p := faultless(t)
			p.Legend.Add("kind", Key(nil))
			return Alone("f", 200, 200, p)
		}, ""},
		{"a kind of line that is not there", func() *Figure {
			p := faultless(t)
			p.Legend.Add("kind", Key(Dashes()))
			return Alone("f", 200, 200, p)
		}, `the legend has "kind"`},
	} {
		faults := c.figure().Layout().Faults()
		if c.want == "" && len(faults) > 0 || c.want != "" && (len(faults) != 1 || !strings.Contains(faults[0], c.want)) {
			t.Errorf("%s: faults %q, want %q", c.name, faults, c.want)
		}
	}
}

// TestPanelsStack: in a figure of any width that has room for a panel, the area within the axes of each panel is an inch wide and high,
// however long its names are.
func TestPanelsStack(t *testing.T) {
	longtest.NotShort(t)
	for _, width := range []vg.Length{2.2 * vg.Inch, 3.25 * vg.Inch, 5 * vg.Inch, 9 * vg.Inch} {
		for _, fault := range many(t).In(Style{Width: width}).Layout().Faults() {
			t.Errorf("%.3g in: %s", float64(width/vg.Inch), fault)
		}
	}
}

// TestWholeNumbers: an axis that counts something has no numbers between whole ones, on both scales, and another one may have them.
func TestWholeNumbers(t *testing.T) {
	for _, c := range []struct {
		marker plot.Ticker
		points plotter.XYs
		whole  bool
	}{
		{Linear{}, plotter.XYs{{X: 1}, {X: 2, Y: 1}}, true},
		{Decades{}, plotter.XYs{{X: 0}, {X: math.Log10(2), Y: 1}}, true},
		{Decades{}, plotter.XYs{{X: 0}, {X: math.Log10(3), Y: 1}}, true},
		{Linear{}, plotter.XYs{{X: 1}, {X: 1.5}, {X: 2, Y: 1}}, false},
	} {
		p := NewPanel("", "x", "y")
		p.X.Tick.Marker = c.marker
		longtest.NoError(t, AddLine(p, "one", c.points, Full(0).Line))
		whole := true
		laid := p.laidOut(Style{}, 200, vg.Point{X: 150, Y: 150})
		ticks := labelled(laid.X.Tick.Marker.Ticks(laid.X.Min, laid.X.Max))
		for _, tick := range ticks {
			v := number(&p.X, tick.Value).(float64)
			whole = whole && v == math.Round(v)
		}
		if whole != c.whole || len(ticks) < 2 {
			t.Errorf("%T %v: the labels %v", c.marker, c.points, ticks)
		}
	}
}
