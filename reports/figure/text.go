package figure

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"unicode"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/reports/table"
)

// Sans returns the typeface of all figures.
func Sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// Label returns the style of a text in a figure. Such a text may have raised and lowered parts, as
// in 10^{-3} and Z_{T}.
func Label(size vg.Length, x text.XAlignment, y text.YAlignment) draw.TextStyle {
	return draw.TextStyle{Color: color.Black, Font: Sans(size), XAlign: x, YAlign: y, Handler: handler()}
}

// handler returns the handler of all texts in figures.
func handler() text.Handler { return rich{font.DefaultCache} }

// rich draws texts with raised parts, as in 10^{-3}, and lowered ones, as in Z_{T}. It implements
// text.Handler.
type rich struct{ fonts *font.Cache }

// The raised and lowered parts of a text: their size and their distance from the line, in the size
// of the letters.
const (
	partSize = 0.72
	raised   = 0.36
	lowered  = -0.16
)

// piece is a part of a line with one height.
type piece struct {
	text        string
	size, shift float64 // in the size of the letters
}

// partsOf splits a line. A brace that is not closed stands for itself.
func partsOf(line string) (parts []piece) {
	for line != "" {
		at := strings.IndexFunc(line, func(r rune) bool { return r == '^' || r == '_' })
		for at >= 0 && !(strings.HasPrefix(line[at+1:], "{") && strings.Contains(line[at:], "}")) {
			next := strings.IndexAny(line[at+1:], "^_")
			if next < 0 {
				at = -1
				break
			}
			at += 1 + next
		}
		if at < 0 {
			return append(parts, piece{line, 1, 0})
		}
		if at > 0 {
			parts = append(parts, piece{line[:at], 1, 0})
		}
		inside, after, _ := strings.Cut(line[at+2:], "}")
		shift := raised
		if line[at] == '_' {
			shift = lowered
		}
		if inside != "" {
			parts = append(parts, piece{inside, partSize, shift})
		}
		line = after
	}
	return parts
}

// minus is the sign, which a hyphen is too short for.
const minus = '−'

// withMinus returns a line with minus signs for those hyphens that stand between blanks, or before
// a number and behind no letter or digit.
func withMinus(line string) string {
	letters := []rune(line)
	at := func(i int) rune {
		if i < 0 || i >= len(letters) {
			return ' '
		}
		return letters[i]
	}
	for i, r := range letters {
		before, after := at(i-1), at(i+1)
		number := (unicode.IsDigit(after) || after == '.' || after == '∞') && !unicode.IsLetter(before) &&
			!unicode.IsDigit(before) &&
			!strings.ContainsRune("-_.)", before)
		if r == '-' && (number || i > 0 && i+1 < len(letters) && before == ' ' && after == ' ') {
			letters[i] = minus
		}
	}
	return string(letters)
}

func (r rich) Cache() *font.Cache { return r.fonts }

func (r rich) Extents(f font.Font) font.Extents {
	face := r.fonts.Lookup(f, f.Size)
	return face.Extents()
}

// Lines returns the lines of a text, without characters that would reverse what follows or that XML
// forbids.
func (r rich) Lines(s string) []string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, line := range lines {
		lines[i] = table.People(line, 0)
	}
	return lines
}

func (r rich) Box(line string, f font.Font) (width, height, depth vg.Length) {
	for _, p := range partsOf(withMinus(line)) {
		face := r.face(f, p)
		width += face.Width(p.text)
	}
	extents := r.Extents(f)
	return width, extents.Ascent, extents.Descent
}

// face returns the letters of a part of a text.
func (r rich) face(f font.Font, p piece) font.Face {
	f.Size *= vg.Length(p.size)
	return r.fonts.Lookup(f, f.Size)
}

func (r rich) Draw(c vg.Canvas, s string, style text.Style, at vg.Point) {
	if strings.TrimSpace(s) == "" {
		return
	}
	c.SetColor(style.Color)
	if style.Rotation != 0 {
		c.Push()
		c.Rotate(style.Rotation)
		defer c.Pop()
	}
	sin, cos := math.Sincos(style.Rotation)
	at = vg.Point{X: at.Y*vg.Length(sin) + at.X*vg.Length(cos), Y: at.Y*vg.Length(cos) - at.X*vg.Length(sin)}
	lines := r.Lines(s)
	at.Y += style.Height(s)*vg.Length(style.YAlign) - r.Extents(style.Font).Ascent
	for i, line := range lines {
		width, _, _ := r.Box(line, style.Font)
		x, y := at.X+vg.Length(style.XAlign)*width, at.Y+vg.Length(len(lines)-i)*style.Font.Size
		for _, p := range partsOf(withMinus(line)) {
			face := r.face(style.Font, p)
			// A viewer of SVG leaves out blanks at the start of a text, so these are not drawn but
			// skipped.
			letters := strings.TrimLeft(p.text, " ")
			skipped := face.Width(p.text) - face.Width(letters)
			c.FillString(face, vg.Point{X: x + skipped, Y: y + vg.Length(p.shift)*style.Font.Size}, letters)
			x += face.Width(p.text)
		}
	}
}

// Shorten cuts a name that has more letters than most in its middle, because names that begin with
// the same letters differ at the end.
func Shorten(name string, most int) string {
	if r := []rune(name); len(r) > most {
		head := (most - 3) / 2
		return string(r[:head]) + "..." + string(r[len(r)-(most-3-head):])
	}
	return name
}

// ShortNames shortens names so that they stay different: names that would be the same when they are
// cut show the part around the first letter in which they differ.
func ShortNames(names []string, most int) []string {
	out := make([]string, len(names))
	alike := map[string][]string{}
	for i, name := range names {
		out[i] = Shorten(name, most)
		alike[out[i]] = append(alike[out[i]], name)
	}
	for i, name := range names {
		if group := alike[out[i]]; slices.ContainsFunc(group, func(other string) bool { return other != name }) {
			r := []rune(name)
			at := 0
			for !slices.ContainsFunc(group,
				func(other string) bool { return at >= len([]rune(other)) || []rune(other)[at] != r[at] }) {
				at++
			}
			const head = 6
			room := most - head - len("......")
			from := at - room/2
			out[i] = string(r[:head]) + "..." + string(r[from:min(len(r), from+room)]) + "..."
		}
	}
	return out
}

// Wrapped breaks a text between words so that no line is wider than room, as far as its words
// allow. Words are also broken after commas, colons and slashes, but for those within a raised or
// lowered part. Both sides of an equals sign stay together.
func Wrapped(s string, style draw.TextStyle, room vg.Length) string {
	var lines []string
	for _, line := range strings.Split(s, "\n") {
		start := ""
		for _, word := range words(strings.ReplaceAll(line, " = ", "\u00a0=\u00a0")) {
			if start != "" && style.Width(strings.TrimRight(start+word, " ")) > room {
				lines = append(lines, strings.TrimRight(start, " "))
				start = ""
			}
			start += word
		}
		lines = append(lines, strings.TrimRight(start, " "))
	}
	return strings.Join(lines, "\n")
}

// words splits a line behind each blank, comma, colon and slash that is not within a raised or
// lowered part.
func words(line string) (out []string) {
	from := 0
	inside := false
	for i, r := range line {
		switch {
		case r == '{':
			inside = true
		case r == '}':
			inside = false
		case !inside && strings.ContainsRune(" ,:/", r) && i+1 < len(line) && line[i+1] != ' ':
			out = append(out, line[from:i+1])
			from = i + 1
		}
	}
	return append(out, line[from:])
}
