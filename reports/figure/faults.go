package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

const (
	// leastArea is the least width and height within the axes of a panel.
	leastArea = vg.Inch
	// fewestNumbers and mostNumbers are how many numbers may stand at an axis. With fewer its scale is not seen.
	fewestNumbers = 2
	mostNumbers   = 10
	// slack is by how much texts may touch one another and the edge of a page, which nobody sees.
	slack = vg.Length(0.5)
)

// Faults says what is wrong with how a figure is laid out, a sentence for each fault and none where nothing is: texts over one another or
// beyond the edge of the page, axes with too few or too many numbers, panels that are too small or empty, and entries of the legend for
// marks that no panel has.
func (l *Layout) Faults() (faults []string) {
	note := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for i := range l.texts {
		t := &l.texts[i]
		if beyond := l.beyond(t); beyond > slack {
			note("the text %q is beyond the edge by %.1f pt", t.text, float64(beyond))
		}
		for k := range i {
			if o := &l.texts[k]; apart(t.corners, o.corners) < -slack {
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
		if size := p.area.Size(); p.drawn && (size.X < leastArea-slack || !p.lines && size.Y < leastArea-slack) {
			note("%s is %.2f in wide and %.2f in high", name, float64(size.X/vg.Inch), float64(size.Y/vg.Inch))
		}
		if p.empty {
			note("%s is empty", name)
		}
		for _, a := range p.axes {
			if few := map[bool]int{true: 1, false: fewestNumbers}[a.names]; a.labels < few || !a.names && a.labels > mostNumbers {
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

// apart returns the distance of two rectangles along that of their sides along which they are furthest apart: negative where they overlap.
func apart(a, b [4]vg.Point) vg.Length {
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

// missing says what the picture of an entry is made of where no panel has a part of it; it is empty where one has. A series of one point
// has a shape alone, and no line.
func (l *Layout) missing(e placedEntry) string {
	if e.from == e.to {
		return "it has no picture"
	}
	parts := l.marks[e.from:e.to]
	found := slices.ContainsFunc(parts, func(key placedMark) bool {
		inner := key.filled && key.color == (color.NRGBA{0xff, 0xff, 0xff, 0xff}) && len(parts) > 1 // of an open shape
		return !inner && slices.ContainsFunc(l.marks, func(m placedMark) bool { return l.inPanel(m) && key.standsFor(m.look) })
	})
	if found {
		return ""
	}
	return fmt.Sprintf("no panel has a mark like %s", parts[0].look)
}

// inPanel reports whether a mark is within the axes of a panel or on their edge, where the axes themselves are not: these are lines at the
// left and below.
func (l *Layout) inPanel(m placedMark) bool {
	edge := slack
	if !m.filled {
		edge = -slack
	}
	return slices.ContainsFunc(l.panels, func(p placedPanel) bool {
		in := p.area
		return m.middle.X > in.Min.X-edge && m.middle.X < in.Max.X+slack && m.middle.Y > in.Min.Y-edge && m.middle.Y < in.Max.Y+slack
	})
}

// standsFor reports whether a mark looks as the key of a legend does. A key in KindGrey or in the palette's darkest colour stands for a kind
// of mark in any colour.
func (key look) standsFor(m look) bool {
	anyColor := key.color == color.NRGBAModel.Convert(KindGrey()) || key.color == color.NRGBAModel.Convert(Color(NearBlack))
	sameColor := key.color.R == m.color.R && key.color.G == m.color.G && key.color.B == m.color.B // one may be translucent
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
