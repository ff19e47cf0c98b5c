package figure

import (
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"breadboard/chains/selector"
)

// Style says how figures look on a page. The zero Style is that of figures for a screen, of their own width.
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
	for i, known := range Looks() {
		if name == known {
			return Look(i), nil
		}
	}
	return 0, selector.UnknownError("style", name, Looks())
}

// The lengths that a style may have. A figure that is narrower has no room for its labels, and letters that are smaller cannot be
// read.
const (
	MinWidth    = 1.5 * vg.Inch
	MaxWidth    = 100 * vg.Inch
	MinFontSize = vg.Length(4)
	MaxFontSize = vg.Length(72)
)

// ParseLength reads a length with its unit: in, cm, mm or pt.
func ParseLength(s string) (vg.Length, error) {
	for unit, length := range map[string]vg.Length{"in": vg.Inch, "cm": vg.Centimeter, "mm": vg.Millimeter, "pt": 1} {
		if number, is := strings.CutSuffix(strings.TrimSpace(s), unit); is {
			v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			if err != nil || !(v > 0) || v > 1e6 {
				break
			}
			return vg.Length(v) * length, nil
		}
	}
	return 0, fmt.Errorf("%q is no length; write a positive number and in, cm, mm or pt, as in 3.25in", s)
}

// Validate refuses lengths that no figure can have.
func (s Style) Validate() error {
	if s.Width != 0 && !(s.Width >= MinWidth && s.Width <= MaxWidth) {
		return fmt.Errorf("no figure is %.3g in wide; the width may be from %.3g in to %.3g in", float64(s.Width/vg.Inch), float64(MinWidth/vg.Inch), float64(MaxWidth/vg.Inch))
	}
	if s.FontSize != 0 && !(s.FontSize >= MinFontSize && s.FontSize <= MaxFontSize) {
		return fmt.Errorf("no figure has letters of %.3g pt; the size may be from %.3g pt to %.3g pt", float64(s.FontSize), float64(MinFontSize), float64(MaxFontSize))
	}
	return nil
}

// The sizes of the letters of labels.
const (
	largeLetters = vg.Length(10)
	smallLetters = vg.Length(8)
	// narrow is the width below which a figure for a screen has small letters too.
	narrow = 12 * vg.Centimeter
	// leastLetters is the smallest size at which a text can be read.
	leastLetters = vg.Length(5)
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

// Scale returns by how much letters are larger than those of the zero Style. A figure that has no Width is as much larger as its
// letters.
func (s Style) Scale() float64 { return float64(s.Letters() / largeLetters) }

// Size returns the size of letters that have a size in the zero Style. It is never so small that they cannot be read.
func (s Style) Size(points float64) vg.Length {
	return max(vg.Length(points*s.Scale()), min(leastLetters, s.Letters()))
}

// lines returns by how much lines are wider than those of the zero Style.
func (s Style) lines() vg.Length { return vg.Length(min(1.5, max(0.6, s.Scale()))) }

// Fit returns by which factor a drawing of a width in the zero Style is to be multiplied, letters apart.
func (s Style) Fit(width vg.Length) vg.Length {
	if s.Width == 0 {
		return vg.Length(s.Scale())
	}
	return s.Width / width
}
