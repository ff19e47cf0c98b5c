package figure

import (
	"image/color"

	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
)

// Colors is the number of colours of Color.
const Colors = 7

// Color returns the i-th of Colors colours, which colour-blind readers can tell apart, also in print (Okabe and Ito 2008).
func Color(i int) color.Color {
	colors := [Colors]color.RGBA{
		{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
		{0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x33, 0x33, 0x33, 0xff},
	}
	return colors[i%Colors]
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
