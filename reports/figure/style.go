package figure

import (
	"image/color"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/vg"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// Style says how figures look on a page. The zero Style is that of figures for a screen, of their
// own width.
type Style struct {
	Look     Look
	Width    vg.Length // of the whole figure; 0 for that of each figure itself. Heights follow.
	FontSize vg.Length // of labels; 0 for what suits the look and the width
}

// Look is what a figure is drawn for.
type Look int

const (
	// Screen has the largest letters and the thickest lines.
	Screen Look = iota
	// Print has letters and lines of the size of those of a paper.
	Print
	// Mono is Print in black and greys, where lines differ in their dashes.
	Mono
)

// Looks returns the names of all looks.
func Looks() []string { return []string{"screen", "print", "mono"} }

// String returns the name of a look.
func (l Look) String() string { return Looks()[l] }

// ParseLook returns the look of a name.
func ParseLook(name string) (Look, error) {
	if i := slices.Index(Looks(), name); i >= 0 {
		return Look(i), nil
	}
	return 0, selector.UnknownError("style", name, Looks())
}

// The lengths that a style may have. A figure that is narrower has no room for its labels, and
// letters that are smaller cannot be read.
const (
	MinWidth    = 1.5 * vg.Inch
	MaxWidth    = 100 * vg.Inch
	MinFontSize = vg.Length(4)
	MaxFontSize = vg.Length(72)
)

// ParseLength reads a length with its unit: in, cm, mm or pt.
func ParseLength(s string) (vg.Length, error) {
	for unit, length := range map[string]vg.Length{
		"in": vg.Inch, "cm": vg.Centimeter, "mm": vg.Millimeter, "pt": 1} {
		if number, is := strings.CutSuffix(strings.TrimSpace(s), unit); is {
			v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			if err != nil || !(v > 0) || v > 1e6 {
				break
			}
			return vg.Length(v) * length, nil
		}
	}
	return 0, errs.New("%q is not a length; write a positive number and in, cm, mm or pt, as in 3.25in", s)
}

// Validate returns an error for lengths that no figure can have.
func (s Style) Validate() error {
	if s.Width != 0 && !(s.Width >= MinWidth && s.Width <= MaxWidth) {
		return errs.New("no figure is %.3g in wide; the width may be from %.3g in to %.3g in",
			float64(s.Width/vg.Inch), float64(MinWidth/vg.Inch),
			float64(MaxWidth/vg.Inch))
	}
	if s.FontSize != 0 && !(s.FontSize >= MinFontSize && s.FontSize <= MaxFontSize) {
		return errs.New("no figure has letters of %.3g pt; the size may be from %.3g pt to %.3g pt",
			float64(s.FontSize), float64(MinFontSize),
			float64(MaxFontSize))
	}
	return nil
}

// The sizes of the letters of labels.
const (
	largeLetters = vg.Length(10)
	smallLetters = vg.Length(8)
	// narrow is the width below which a figure for a screen has small letters too, and any figure
	// its legend below it.
	narrow = 12 * vg.Centimeter
	// leastLetters is the smallest size at which a text can be read.
	leastLetters = vg.Length(6)
)

// Letters returns the size of the letters of labels.
func (s Style) Letters() vg.Length {
	switch {
	case s.FontSize != 0:
		return s.FontSize
	case s.Look == Screen && (s.Width == 0 || s.Width >= narrow):
		return largeLetters
	}
	return smallLetters
}

// Scale returns the ratio of the size of letters to that of the zero Style. A figure without a
// Width grows with its letters.
func (s Style) Scale() float64 { return float64(s.Letters() / largeLetters) }

// Size returns the size, in this style, of letters with a size in the zero Style. It is never too
// small to read.
func (s Style) Size(points float64) vg.Length {
	return max(vg.Length(points*s.Scale()), min(leastLetters, s.Letters()))
}

// lines returns by how much lines are wider than those of the zero Style.
func (s Style) lines() vg.Length { return vg.Length(min(1.5, max(0.6, s.Scale()))) }

// Colors is the number of colours of Color that are easily told apart.
const Colors = 7

// NearBlack is the number of the colour of Color that is nearly black.
const NearBlack = 6

// namedColors is the number of colours of Color.
const namedColors = 14

// Color returns the i-th colour of a series. The first Colors are those that colour-blind readers
// can tell apart, also in print (Okabe and Ito 2008); the next are muted ones of Tol (2021).
func Color(i int) color.Color {
	colors := [namedColors]uint32{0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x333333,
		0x882255, 0x999933, 0x332288, 0xcc6677, 0x117733, 0xaa4499, 0x808080}
	return opaque(colors[i%namedColors])
}

// opaque returns a colour of 0xRRGGBB.
func opaque(rgb uint32) color.Color {
	return color.RGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 0xff}
}

// Viridis returns the colours of numbers from 0 to 1 on the scale of that name, from nine of its
// colours. A number outside has the colour of the nearer end.
func Viridis() (func(float64) color.Color, error) {
	var controls []color.Color
	for _, rgb := range []uint32{
		0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725} {
		controls = append(controls, opaque(rgb))
	}
	m, err := moreland.NewLuminance(controls)
	return onUnit(m), err
}

// onUnit returns the colours of a map for numbers from 0 to 1.
func onUnit(m palette.ColorMap) func(float64) color.Color {
	if m == nil {
		return nil
	}
	m.SetMin(0)
	m.SetMax(1)
	return func(v float64) color.Color {
		c, err := m.At(max(0, min(1, v)))
		if err != nil {
			panic(err) // a number from 0 to 1 is within the colour map
		}
		return c
	}
}

// Diverging returns the colours of numbers from 0 to 1, on a scale from blue over white to red. If
// the style is Mono it goes from white to black, since blue and red have the same brightness.
func (s Style) Diverging() func(float64) color.Color {
	if s.Look == Mono {
		return func(v float64) color.Color { return color.Gray{uint8(255 * (1 - max(0, min(1, v))))} }
	}
	return onUnit(moreland.SmoothBlueRed())
}

// DivergingNames says which colours of Diverging mean which numbers.
func (s Style) DivergingNames() string {
	if s.Look == Mono {
		return "light where it is negative, dark where it is positive"
	}
	return "blue where it is negative, red where it is positive"
}
