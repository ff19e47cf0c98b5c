package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
)

// Colors is the number of colours of Color that are easily told apart.
const Colors = 7

// NearBlack is the number of the colour of Color that is nearly black.
const NearBlack = 6

// namedColors is the number of colours of Color that are listed; the next are computed.
const namedColors = 14

// Color returns the i-th colour of a series. No two are the same. The first Colors are those that colour-blind readers can tell apart,
// also in print (Okabe and Ito 2008); the next are muted ones of Tol (2021), and the others are spread over the circle of hues.
func Color(i int) color.Color {
	colors := [namedColors]color.RGBA{
		{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
		{0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x33, 0x33, 0x33, 0xff},
		{0x88, 0x22, 0x55, 0xff}, {0x99, 0x99, 0x33, 0xff}, {0x33, 0x22, 0x88, 0xff}, {0xcc, 0x66, 0x77, 0xff},
		{0x11, 0x77, 0x33, 0xff}, {0xaa, 0x44, 0x99, 0xff}, {0x80, 0x80, 0x80, 0xff},
	}
	if i < namedColors {
		return colors[i]
	}
	const golden = 0.6180339887498949 // steps of this part of a circle never meet
	_, hue := math.Modf(float64(i) * golden)
	return fromHue(hue, 0.35+0.3*float64(i%3)/2)
}

// fromHue returns the colour of a hue, from 0 to 1, and a brightness.
func fromHue(hue, brightness float64) color.Color {
	part := func(shift float64) uint8 {
		at := math.Mod(hue+shift, 1) * 6
		return uint8(255 * brightness * (0.35 + 1.05*max(0, min(1, math.Abs(at-3)-1))))
	}
	return color.RGBA{part(0), part(2.0 / 3), part(1.0 / 3), 0xff}
}

// Translucent returns a colour made transparent, so that others can be seen through it.
func Translucent(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0x60}
}

// Viridis returns the colour map of that name on [0, 1], from nine of its colours.
func Viridis() (palette.ColorMap, error) {
	var controls []color.Color
	for _, rgb := range []uint32{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725} {
		controls = append(controls, color.RGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 0xff})
	}
	m, err := moreland.NewLuminance(controls)
	if err != nil {
		return nil, err
	}
	m.SetMin(0)
	m.SetMax(1)
	return m, nil
}

// Diverging returns the colour of a number from -1 to 1 on a scale from blue over white to red. Where the style is Mono it goes from
// white to black, since the brightness of blue and of red is the same.
func (s Style) Diverging() func(float64) color.Color {
	if s.Look == Mono {
		return func(v float64) color.Color { return color.Gray{uint8(255 * (1 - max(-1, min(1, v))) / 2)} }
	}
	colors := moreland.SmoothBlueRed()
	colors.SetMin(-1)
	colors.SetMax(1)
	return func(v float64) color.Color {
		c, err := colors.At(max(-1, min(1, v)))
		if err != nil {
			panic(err) // the number is from -1 to 1, which is the range of the colour map
		}
		return c
	}
}

// DivergingNames says which colours of Diverging stand for which numbers.
func (s Style) DivergingNames() string {
	if s.Look == Mono {
		return "light where it is negative, dark where it is positive"
	}
	return "blue where it is negative, red where it is positive"
}
