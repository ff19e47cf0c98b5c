package figure

import (
	"image/color"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sans returns the typeface of all figures.
func Sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// Label returns the style of a text in a figure.
func Label(size vg.Length, x text.XAlignment, y text.YAlignment) draw.TextStyle {
	return draw.TextStyle{
		Color: color.Black, Font: Sans(size), XAlign: x, YAlign: y,
		Handler: text.Plain{Fonts: font.DefaultCache},
	}
}
