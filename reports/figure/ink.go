package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// ink is a canvas on which lines have the widths of a style, and colours are greys where the style
// is Mono. There the full lines of the palette's colours have dashes of their own, so that lines
// that differ in colour alone still differ.
type ink struct {
	vg.Canvas
	style Style
	color color.Color
	width vg.Length
}

// SetColor implements vg.Canvas.
func (k *ink) SetColor(c color.Color) {
	if c == nil {
		c = color.Black
	}
	k.color = c
	if k.style.Look == Mono {
		c = grey(c)
	}
	k.Canvas.SetColor(c)
}

// SetLineWidth implements vg.Canvas.
func (k *ink) SetLineWidth(w vg.Length) {
	k.width = w
	k.Canvas.SetLineWidth(w * k.style.lines())
}

// thick is the width from which on a line is a curve and not part of an axis or of a small shape.
const thick = vg.Length(1.1)

// SetLineDash implements vg.Canvas.
func (k *ink) SetLineDash(dashes []vg.Length, offset vg.Length) {
	if i := paletteIndex(k.color); k.style.Look == Mono && len(dashes) == 0 && i > 0 && k.width >= thick {
		dashes = greyDashes(i)
	}
	scaled := make([]vg.Length, len(dashes))
	for i, d := range dashes {
		scaled[i] = d * k.style.lines()
	}
	k.Canvas.SetLineDash(scaled, offset)
}

// paletteIndex returns which of the palette's colours a colour is, and -1 if it is none.
func paletteIndex(c color.Color) int {
	for i := range namedColors {
		if sameColor(c, Color(i)) {
			return i
		}
	}
	return -1
}

func sameColor(a, b color.Color) bool {
	if a == nil || b == nil {
		return false
	}
	r, g, bl, _ := a.RGBA()
	r2, g2, bl2, _ := b.RGBA()
	return r == r2 && g == g2 && bl == bl2
}

// greyDashes returns the dashes of a full line in the i-th colour of the palette. None of them are
// those of Dashes.
func greyDashes(i int) []vg.Length {
	patterns := [][]vg.Length{
		nil, {1.2, 1.6}, {7, 2, 1.2, 2}, {9, 2}, {7, 2, 1.2, 2, 1.2, 2}, {2.5, 1.5}, {12, 2, 2, 2}}
	return slices.Clone(patterns[i%len(patterns)])
}

// grey returns the grey that stands for a colour: a colour of the palette has one of its own, and
// every other its brightness.
func grey(c color.Color) color.Color {
	r, g, b, a := c.RGBA()
	full := color.NRGBAModel.Convert(c).(color.NRGBA)
	opacity := full.A
	full.A = 0xff
	if i := paletteIndex(full); i >= 0 { // what is translucent has the grey of its series too
		levels := []uint8{0x00, 0x70, 0x38, 0x90, 0x20, 0x58, 0x33}
		level := levels[i%len(levels)]
		return color.NRGBA{level, level, level, opacity}
	}
	if a == 0 {
		return c
	}
	y := (299*r + 587*g + 114*b) / 1000 // the brightness, times the opacity
	level := uint8(y * 0xff / a)
	return color.NRGBA{level, level, level, uint8(a >> 8)}
}

// fitted is a canvas for SVG that keeps the width of each text, in points.
type fitted struct {
	*vgsvg.Canvas
	widths []float64
}

// FillString implements vg.Canvas.
func (m *fitted) FillString(f font.Face, at vg.Point, s string) {
	m.widths = append(m.widths, f.Width(s).Points())
	m.Canvas.FillString(f, at, s)
}

// withLengths gives each text its width, to which a browser fits it whose typeface has wider
// letters: a legend is never cut.
func (m *fitted) withLengths(svg []byte) []byte {
	const upright = `transform="scale(1, -1)"` // which every text has
	parts := bytes.SplitAfter(svg, []byte("<text "))
	var b bytes.Buffer
	b.Write(parts[0])
	for i, part := range parts[1:] {
		lengths := fmt.Sprintf(`%s textLength="%.5g" lengthAdjust="spacingAndGlyphs"`, upright, m.widths[i])
		b.Write(bytes.Replace(part, []byte(upright), []byte(lengths), 1))
	}
	return b.Bytes()
}
