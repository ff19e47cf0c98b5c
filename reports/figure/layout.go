package figure

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Layout is what a reader sees of a figure in its style: where its texts stand, its panels with their axes, the entries of its legend,
// and all lines and areas. Faults judges it.
type Layout struct {
	width, height vg.Length
	texts         []placedText
	marks         []placedMark
	panels        []placedPanel
	entries       []placedEntry
}

// placedText is a text with the corners of its letters, in their order around them.
type placedText struct {
	text    string
	corners [4]vg.Point
}

// look is what tells one mark of a figure from another.
type look struct {
	filled bool
	color  color.NRGBA
	dashes string
}

// placedMark is a line or an area.
type placedMark struct {
	look
	middle vg.Point // of the box around it
}

// placedPanel is the area within the axes of a panel.
type placedPanel struct {
	title string
	drawn bool // whether there is an area; a scale beside others has none
	area  vg.Rectangle
	lines bool // the height follows from how many lines or cells there are
	empty bool
	axes  []placedAxis
}

// placedAxis is an axis with the labels at its ticks.
type placedAxis struct {
	name   string
	names  bool // the labels are names and not numbers
	labels int
}

// placedEntry is an entry of a legend, with the marks that make its picture: those from one place of the list to another.
type placedEntry struct {
	name     string
	from, to int
}

// Layout lays the figure out in its style, and draws it on a canvas that remembers where everything is.
func (f *Figure) Layout() *Layout {
	page := f.page(f.style)
	l := &Layout{width: page.Width, height: page.Height}
	on := &witness{layout: l, frames: []frame{{cos: 1}}}
	page.Draw(draw.NewCanvas(&ink{Canvas: on, style: f.style, layout: l}, page.Width, page.Height))
	return l
}

// AddArea says where a figure that is not made of panels shows data, in lines or cells from which its height follows.
func AddArea(c draw.Canvas, area vg.Rectangle, title string) {
	if k := inkOf(c); k != nil && k.layout != nil {
		k.layout.panels = append(k.layout.panels, placedPanel{title: title, drawn: true, area: area, lines: true})
	}
}

// AddScale says how many numbers stand beside a scale in a figure that is not made of panels.
func AddScale(c draw.Canvas, labels int) {
	if k := inkOf(c); k != nil && k.layout != nil {
		k.layout.panels = append(k.layout.panels, placedPanel{title: "scale", axes: []placedAxis{{name: "numbers", labels: labels}}})
	}
}

// addLayout notes a panel that is drawn as a plot on a canvas, and whether its height is that of so many lines.
func (p *Panel) addLayout(c draw.Canvas, as *plot.Plot, lines bool) {
	k := inkOf(c)
	if k == nil || k.layout == nil {
		return
	}
	placed := placedPanel{title: Plain(p.Title.Text), drawn: true, area: as.DataCanvas(c).Rectangle, lines: lines, empty: true}
	for _, d := range p.drawn {
		if d.x >= p.X.Min && d.x <= p.X.Max && !math.IsNaN(d.y) || !math.IsNaN(d.to) {
			placed.empty = false
		}
	}
	for _, a := range []*plot.Axis{&as.X, &as.Y} {
		_, names := a.Tick.Marker.(plot.ConstantTicks)
		axis := placedAxis{name: Plain(a.Label.Text), names: names}
		for _, t := range a.Tick.Marker.Ticks(a.Min, a.Max) {
			if t.Label != "" && t.Value >= a.Min && t.Value <= a.Max {
				axis.labels++
			}
		}
		placed.axes = append(placed.axes, axis)
	}
	k.layout.panels = append(k.layout.panels, placed)
}

// AddEntry draws the picture of an entry of a legend, and notes which marks it is made of.
func AddEntry(c draw.Canvas, name string, picture func()) {
	k := inkOf(c)
	if k == nil || k.layout == nil {
		picture()
		return
	}
	e := placedEntry{name: name, from: len(k.layout.marks)}
	picture()
	e.to = len(k.layout.marks)
	k.layout.entries = append(k.layout.entries, e)
}

// frame is where a canvas stands and how it is turned.
type frame struct {
	origin   vg.Point
	sin, cos vg.Length
}

// on returns where a point of the frame stands on the page.
func (f frame) on(at vg.Point) vg.Point {
	return vg.Point{X: f.origin.X + f.cos*at.X - f.sin*at.Y, Y: f.origin.Y + f.sin*at.X + f.cos*at.Y}
}

// witness is a canvas that remembers where things are drawn.
type witness struct {
	layout *Layout
	frames []frame // the last one holds
	color  color.NRGBA
	dashes string
}

// at returns the frame that holds.
func (w *witness) at() *frame { return &w.frames[len(w.frames)-1] }

// SetLineWidth implements vg.Canvas.
func (w *witness) SetLineWidth(vg.Length) {}

// SetLineDash implements vg.Canvas.
func (w *witness) SetLineDash(pattern []vg.Length, _ vg.Length) { w.dashes = fmt.Sprint(pattern) }

// SetColor implements vg.Canvas.
func (w *witness) SetColor(c color.Color) { w.color = color.NRGBAModel.Convert(c).(color.NRGBA) }

// Rotate implements vg.Canvas.
func (w *witness) Rotate(by float64) {
	f := w.at()
	s, c := math.Sincos(by)
	sin, cos := vg.Length(s), vg.Length(c)
	f.sin, f.cos = f.sin*cos+f.cos*sin, f.cos*cos-f.sin*sin
}

// Translate implements vg.Canvas.
func (w *witness) Translate(by vg.Point) { w.at().origin = w.at().on(by) }

// Scale implements vg.Canvas. No figure is drawn on a scaled canvas.
func (w *witness) Scale(x, y float64) { panic("figure: a layout is not scaled") }

// Push implements vg.Canvas.
func (w *witness) Push() { w.frames = append(w.frames, *w.at()) }

// Pop implements vg.Canvas.
func (w *witness) Pop() { w.frames = w.frames[:len(w.frames)-1] }

// Stroke implements vg.Canvas.
func (w *witness) Stroke(p vg.Path) { w.mark(p, look{color: w.color, dashes: w.dashes}) }

// Fill implements vg.Canvas.
func (w *witness) Fill(p vg.Path) { w.mark(p, look{filled: true, color: w.color}) }

// mark remembers a line or an area. An arc stands for the circle that it is a part of.
func (w *witness) mark(p vg.Path, as look) {
	infinite := vg.Length(math.Inf(1))
	low, high := vg.Point{X: infinite, Y: infinite}, vg.Point{X: -infinite, Y: -infinite}
	for _, part := range p {
		if part.Type == vg.CloseComp {
			continue
		}
		at := w.at().on(part.Pos)
		r := part.Radius
		low = vg.Point{X: min(low.X, at.X-r), Y: min(low.Y, at.Y-r)}
		high = vg.Point{X: max(high.X, at.X+r), Y: max(high.Y, at.Y+r)}
	}
	w.layout.marks = append(w.layout.marks, placedMark{as, vg.Point{X: (low.X + high.X) / 2, Y: (low.Y + high.Y) / 2}})
}

// The upper and the lower end of letters above the line that they stand on, in their size.
const (
	letterTop  = 0.72
	letterFoot = -0.2
)

// FillString implements vg.Canvas.
func (w *witness) FillString(f font.Face, at vg.Point, s string) {
	size, right := f.Font.Size, at.X+f.Width(s)
	foot, top := at.Y+letterFoot*size, at.Y+letterTop*size
	t := placedText{text: s}
	for i, corner := range []vg.Point{{X: at.X, Y: foot}, {X: right, Y: foot}, {X: right, Y: top}, {X: at.X, Y: top}} {
		t.corners[i] = w.at().on(corner)
	}
	w.layout.texts = append(w.layout.texts, t)
}

// DrawImage implements vg.Canvas. No figure has images.
func (w *witness) DrawImage(vg.Rectangle, image.Image) {}
