package figure

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	// leastArea is the least width and height within the axes of a panel.
	leastArea = vg.Inch
	// LeastCells is the same for cells of a map, which have no letters.
	LeastCells = 0.35 * vg.Inch
	// fewestNumbers and mostNumbers are how many numbers may stand at an axis. With fewer its scale
	// is not seen.
	fewestNumbers = 2
	mostNumbers   = 10
	// slack is by how much texts may touch one another and the edge of a page, which is not
	// visible.
	slack = vg.Length(0.5)
)

// Faults lists what is wrong with the layout of a figure, a sentence for each fault: texts over one
// another or beyond the edge of the page, axes with too few or too many numbers, panels that are
// too small or empty, and entries of the legend for marks that no panel has.
func (l *Layout) Faults() (faults []string) {
	note := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for i := range l.texts {
		t := &l.texts[i]
		if beyond := l.beyond(t); beyond > slack {
			note("the text %q is beyond the edge by %.1f pt", t.text, float64(beyond))
		}
		for k := range i {
			if o := &l.texts[k]; separation(t.corners, o.corners) < -slack {
				note("the texts %q and %q are over one another", o.text, t.text)
			}
		}
	}
	if len(l.panels) == 0 {
		note("there is no panel")
	}
	for i := range l.panels {
		p := &l.panels[i]
		name := fmt.Sprintf("panel %d %q", i+1, p.title)
		least := map[bool]vg.Length{true: LeastCells, false: leastArea}[p.cells]
		if size := p.area.Size(); p.drawn && (size.X < least-slack || !p.lines && size.Y < leastArea-slack) {
			note("%s is %.2f in wide and %.2f in high", name, float64(size.X/vg.Inch), float64(size.Y/vg.Inch))
		}
		if p.empty {
			note("%s is empty", name)
		}
		for _, a := range p.axes {
			if few := map[bool]int{true: 1, false: fewestNumbers}[a.names]; a.labels < few ||
				!a.names && a.labels > mostNumbers {
				note("%s: %q has %d labels", name, a.name, a.labels)
			}
		}
	}
	for _, e := range l.entries {
		if missing := l.missing(e); missing != "" {
			note("the legend has %q, and %s", e.name, missing)
		}
	}
	return faults
}

// beyond returns by how much a text is beyond the edge of the page.
func (l *Layout) beyond(t *placedText) (by vg.Length) {
	for _, at := range t.corners {
		by = max(by, -at.X, -at.Y, at.X-l.width, at.Y-l.height)
	}
	return by
}

// separation returns the distance of two rectangles along that of their sides along which they are
// furthest apart: negative where they overlap.
func separation(a, b [4]vg.Point) vg.Length {
	furthest := vg.Length(math.Inf(-1))
	for _, corners := range [2][4]vg.Point{a, b} {
		for i := range 2 {
			side := corners[i+1].Sub(corners[i])
			if long := math.Sqrt(float64(side.Dot(side))); long > 0 {
				side = side.Scale(1 / vg.Length(long))
			}
			lowA, highA := reach(a, side)
			lowB, highB := reach(b, side)
			furthest = max(furthest, lowB-highA, lowA-highB)
		}
	}
	return furthest
}

// reach returns how far corners reach in a direction.
func reach(corners [4]vg.Point, direction vg.Point) (low, high vg.Length) {
	low, high = vg.Length(math.Inf(1)), vg.Length(math.Inf(-1))
	for _, at := range corners {
		low, high = min(low, at.Dot(direction)), max(high, at.Dot(direction))
	}
	return low, high
}

// missing says what the picture of an entry is made of where no panel has a part of it; it is empty
// if one has. A series of one point has a shape alone, and no line.
func (l *Layout) missing(e placedEntry) string {
	if e.from == e.to {
		return "it has no picture"
	}
	parts := l.marks[e.from:e.to]
	found := slices.ContainsFunc(parts, func(key placedMark) bool {
		// of an open shape
		inner := key.filled && key.color == (color.NRGBA{0xff, 0xff, 0xff, 0xff}) && len(parts) > 1
		return !inner && slices.ContainsFunc(
			l.marks,
			func(m placedMark) bool { return l.inPanel(m) && key.standsFor(m.look) },
		)
	})
	if found {
		return ""
	}
	return fmt.Sprintf("no panel has a mark like %s", parts[0].look)
}

// inPanel reports whether a mark is within the axes of a panel or on their edge, where the axes
// themselves are not: these are lines at the left and below.
func (l *Layout) inPanel(m placedMark) bool {
	edge := slack
	if !m.filled {
		edge = -slack
	}
	return slices.ContainsFunc(l.panels, func(p placedPanel) bool {
		in := p.area
		return m.middle.X > in.Min.X-edge && m.middle.X < in.Max.X+slack && m.middle.Y > in.Min.Y-edge &&
			m.middle.Y < in.Max.Y+slack
	})
}

// standsFor reports whether a mark looks as the key of a legend does. A key in KindGrey or in the
// palette's darkest colour stands for a kind of mark in any colour.
func (key look) standsFor(m look) bool {
	anyColor := key.color == color.NRGBAModel.Convert(KindGrey()) ||
		key.color == color.NRGBAModel.Convert(Color(NearBlack))
	// one may be translucent
	sameColor := key.color.R == m.color.R && key.color.G == m.color.G && key.color.B == m.color.B
	return key.filled == m.filled && (key.filled || key.dashes == m.dashes) && (anyColor || sameColor)
}

// String describes a mark.
func (k look) String() string {
	kind := "a line"
	if k.filled {
		kind = "an area"
	}
	return fmt.Sprintf("%s in #%02x%02x%02x with the dashes %s", kind, k.color.R, k.color.G, k.color.B, k.dashes)
}

// Layout is what a reader sees of a figure in its style: the places of its texts, its panels with
// their axes, the entries of its legend, and all lines and areas. Faults judges it.
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
	cells bool // there are no letters in it
	empty bool
	axes  []placedAxis
}

// placedAxis is an axis with the labels at its ticks.
type placedAxis struct {
	name   string
	names  bool // the labels are names and not numbers
	labels int
}

// placedEntry is an entry of a legend, with the marks that make its picture: those from one place
// of the list to another.
type placedEntry struct {
	name     string
	from, to int
}

// Layout lays the figure out in its style, and draws it on a canvas that records where everything
// is.
func (f *Figure) Layout() *Layout {
	page := f.page(f.style)
	l := &Layout{width: page.Width, height: page.Height}
	on := &witness{layout: l, frames: []frame{{cos: 1}}}
	page.Draw(draw.NewCanvas(&ink{Canvas: on, style: f.style, layout: l}, page.Width, page.Height))
	return l
}

// layoutOf returns the layout that a canvas is drawn for, nil if none is wanted.
func layoutOf(c draw.Canvas) *Layout {
	if k := inkOf(c); k != nil {
		return k.layout
	}
	return nil
}

// AddArea says where a figure that is not made of panels shows data, in lines or cells from which
// its height follows, and whether these are cells without letters.
func AddArea(c draw.Canvas, area vg.Rectangle, title string, cells bool) {
	if l := layoutOf(c); l != nil {
		l.panels = append(l.panels, placedPanel{title: title, drawn: true, area: area, lines: true, cells: cells})
	}
}

// AddScale records how many numbers are beside a scale in a figure without panels.
func AddScale(c draw.Canvas, labels int) {
	if l := layoutOf(c); l != nil {
		l.panels = append(l.panels, placedPanel{title: "scale", axes: []placedAxis{{name: "numbers", labels: labels}}})
	}
}

// addLayout notes a panel that is drawn as a plot on a canvas, and whether its height is that of
// that many lines.
func (p *Panel) addLayout(c draw.Canvas, as *plot.Plot, lines bool) {
	l := layoutOf(c)
	if l == nil {
		return
	}
	placed := placedPanel{
		title: plain(p.Title.Text),
		drawn: true,
		area:  as.DataCanvas(c).Rectangle,
		lines: lines,
		empty: true,
	}
	for _, d := range p.drawn {
		if d.x >= p.X.Min && d.x <= p.X.Max && !math.IsNaN(d.y) || !math.IsNaN(d.to) {
			placed.empty = false
		}
	}
	for _, a := range []*plot.Axis{&as.X, &as.Y} {
		_, names := a.Tick.Marker.(plot.ConstantTicks)
		axis := placedAxis{name: plain(a.Label.Text), names: names}
		for _, t := range a.Tick.Marker.Ticks(a.Min, a.Max) {
			if t.Label != "" && t.Value >= a.Min && t.Value <= a.Max {
				axis.labels++
			}
		}
		placed.axes = append(placed.axes, axis)
	}
	l.panels = append(l.panels, placed)
}

// AddEntry draws the picture of an entry of a legend, and notes which marks it is made of.
func AddEntry(c draw.Canvas, name string, picture func()) {
	l := layoutOf(c)
	if l == nil {
		picture()
		return
	}
	from := len(l.marks)
	picture()
	l.entries = append(l.entries, placedEntry{name, from, len(l.marks)})
}

// frame is where a canvas stands and how it is turned.
type frame struct {
	origin   vg.Point
	sin, cos vg.Length
}

// toPage returns where a point of the frame stands on the page.
func (f frame) toPage(at vg.Point) vg.Point {
	return vg.Point{X: f.origin.X + f.cos*at.X - f.sin*at.Y, Y: f.origin.Y + f.sin*at.X + f.cos*at.Y}
}

// witness is a canvas that remembers where things are drawn: it implements vg.Canvas.
type witness struct {
	layout *Layout
	frames []frame // the last one holds
	color  color.NRGBA
	dashes string
}

// holder returns the frame that holds.
func (w *witness) holder() *frame { return &w.frames[len(w.frames)-1] }

func (w *witness) SetLineWidth(vg.Length)                       {}
func (w *witness) SetLineDash(pattern []vg.Length, _ vg.Length) { w.dashes = fmt.Sprint(pattern) }
func (w *witness) SetColor(c color.Color) {
	w.color = color.NRGBAModel.Convert(c).(color.NRGBA)
}

func (w *witness) Rotate(by float64) {
	f := w.holder()
	s, c := math.Sincos(by)
	sin, cos := vg.Length(s), vg.Length(c)
	f.sin, f.cos = f.sin*cos+f.cos*sin, f.cos*cos-f.sin*sin
}

func (w *witness) Translate(by vg.Point) { w.holder().origin = w.holder().toPage(by) }

// No figure is drawn on a scaled canvas.
func (w *witness) Scale(x, y float64) { panic("figure: a layout is not scaled") }
func (w *witness) Push()              { w.frames = append(w.frames, *w.holder()) }
func (w *witness) Pop()               { w.frames = w.frames[:len(w.frames)-1] }

func (w *witness) Stroke(p vg.Path) { w.mark(p, look{color: w.color, dashes: w.dashes}) }
func (w *witness) Fill(p vg.Path)   { w.mark(p, look{filled: true, color: w.color}) }

// mark remembers a line or an area. An arc stands for the circle that it is a part of.
func (w *witness) mark(p vg.Path, as look) {
	infinite := vg.Length(math.Inf(1))
	low, high := vg.Point{X: infinite, Y: infinite}, vg.Point{X: -infinite, Y: -infinite}
	for _, part := range p {
		if part.Type == vg.CloseComp {
			continue
		}
		at := w.holder().toPage(part.Pos)
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

func (w *witness) FillString(f font.Face, at vg.Point, s string) {
	size := f.Font.Size
	right := at.X + f.Width(s)
	foot := at.Y + letterFoot*size
	top := at.Y + letterTop*size
	t := placedText{text: s}
	for i, corner := range []vg.Point{
		{X: at.X, Y: foot}, {X: right, Y: foot}, {X: right, Y: top}, {X: at.X, Y: top}} {
		t.corners[i] = w.holder().toPage(corner)
	}
	w.layout.texts = append(w.layout.texts, t)
}

// No figure has images.
func (w *witness) DrawImage(vg.Rectangle, image.Image) {}
