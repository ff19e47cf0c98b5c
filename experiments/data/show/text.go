package show

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/toys"
)

// maxLevels is the largest number of values of g of which TextLevels prints each, and levelBins the
// number of bins that stand for more of them.
const (
	maxLevels = 40
	levelBins = 24
)

// level is what states with the same g, or with g in the same bin, have together.
type level struct {
	name   string
	states int
	p      float64
}

// textLevels returns as text the distribution of g over the states of a toy, the largest g first: a
// line for each value of g, with its number of states, their probability under p, and a bar from
// zero to the largest probability. If g has more than maxLevels values, a line is for one of
// levelBins bins of equal width. It is for targets with too many states, or too many axes, for a
// drawing of the states.
func textLevels(toy *toys.Toy, p []float64) string {
	levels := levelsOf(toy.G, p)
	names := 0
	counts := 0
	high := 0.0
	for _, l := range levels {
		names, counts, high = max(names, len(l.name)), max(counts, len(fmt.Sprint(l.states))), max(high, l.p)
	}
	var b strings.Builder
	for _, l := range levels {
		line := fmt.Sprintf("g %*s  states %*d  p %9.4g  %s", names, l.name, counts, l.states, l.p, textBar(l.p/high))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// levelsOf returns the levels of g from the largest down: one for each value if there are maxLevels
// at most, else bins of which some may be empty. States of probability zero are a level of their
// own, the last.
func levelsOf(g, p []float64) []level {
	low, high := math.Inf(1), math.Inf(-1)
	values := map[float64]*level{}
	for x, v := range g {
		if len(values) <= maxLevels {
			l := values[v]
			if l == nil {
				l = &level{name: fmt.Sprintf("%.6g", v)}
				values[v] = l
			}
			l.states++
			l.p += p[x]
		}
		if !math.IsInf(v, -1) {
			low, high = min(low, v), max(high, v)
		}
	}
	if len(values) > maxLevels {
		return bins(g, p, low, high)
	}
	var levels []level
	for _, v := range slices.Backward(slices.Sorted(maps.Keys(values))) {
		levels = append(levels, *values[v])
	}
	return levels
}

// bins returns the levels of g in bins of equal width from low to high. The value low is in the
// last bin.
func bins(g, p []float64, low, high float64) []level {
	const share = 1 / float64(levelBins)
	levels := make([]level, levelBins)
	for i := range levels {
		from := func(i int) float64 { return high*(1-float64(i)*share) + low*(float64(i)*share) }
		levels[i].name = fmt.Sprintf("%.4g to %.4g", from(i+1), from(i))
	}
	zero := level{name: "-Inf"}
	for x, v := range g {
		at := &zero
		if !math.IsInf(v, -1) {
			// halves, so that no difference overflows
			at = &levels[min(levelBins-1, int((high/2-v/2)/(high/2-low/2)*levelBins))]
		}
		at.states++
		at.p += p[x]
	}
	if zero.states > 0 {
		levels = append(levels, zero)
	}
	return levels
}

// maxTextBars is the largest number of states that TextBars prints.
const maxTextBars = 200

// textBars returns the states of a toy as text, one a line: the label, g, p and a bar from zero to
// the largest p. It fails if there are more than maxTextBars states.
func textBars(toy *toys.Toy, p []float64) (string, error) {
	if n := len(p); n > maxTextBars {
		return "", errs.New(
			"toy %s has %d states; as text at most %d are printed, and all of them {format|as} csv",
			toy.Name,
			n,
			maxTextBars,
		)
	}
	return textBarsNamed(toy, p, toy.State), nil
}

// textBarsNamed returns the states of a toy as text, as TextBars does, with the names that a
// function gives them.
func textBarsNamed(toy *toys.Toy, p []float64, name func(x int) string) string {
	width := 0
	high := slices.Max(p)
	g := toy.MemberG()
	for x := range p {
		width = max(width, len([]rune(name(x))))
	}
	var b strings.Builder
	for x, v := range p {
		name := name(x)
		line := fmt.Sprintf("%s%s  g %9.4g  p %9.4g  %s", name, strings.Repeat(" ", width-len([]rune(name))),
			g[x], v, textBar(v/high))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func textBar(length float64) string {
	const full = 40
	return strings.Repeat("█", int(math.Round(full*length)))
}

// shades are the characters of a heat map in text, from empty to full.
const shades = " ·░▒▓█"

// maxTextWidth is the largest number of columns of a heat map in text, as a terminal has no room
// for more.
const maxTextWidth = 100

// TextHeatMap returns a drawing of a distribution on a plane in characters, two for each cell and
// row 0 at the top. The shade depends on the square root of the probability, from 0 to the largest.
// It fails if the space is not a plane or too wide.
func TextHeatMap(toy *toys.Toy, p []float64) (string, error) {
	space := toy.Lattice()
	if space == nil {
		return "", errs.New("toy %s is on %s, which is not a grid; a heat map needs one", toy.Name, toy.Space)
	}
	if space.Dims() > 2 {
		return "", errs.New("toy %s has %d dimensions; a heat map needs two at most", toy.Name, space.Dims())
	}
	cols := space.Side(space.Dims() - 1)
	if cols > maxTextWidth {
		return "", errs.New("toy %s is %d columns wide; a heat map in text has room for %d",
			toy.Name, cols, maxTextWidth)
	}
	high := slices.Max(p)
	return fmt.Sprintf("%s\np from 0 (blank) to %.4g (full), even in its square root%s\n",
		strings.Join(mapLines(p, cols, high), "\n"), high, orderOf(toy)), nil
}

// mapLines returns the lines of a heat map of numbers from 0 to the largest, row by row, within a
// frame.
func mapLines(p []float64, cols int, high float64) []string {
	steps := []rune(shades)
	edge := "+" + strings.Repeat("-", 2*cols) + "+"
	lines := []string{edge}
	for row := range slices.Chunk(p, cols) {
		var b strings.Builder
		for _, v := range row {
			step := 0
			if high > 0 {
				step = int(math.Ceil(math.Sqrt(v/high) * float64(len(steps)-1) * (1 - 1e-9)))
			}
			b.WriteString(strings.Repeat(string(steps[step]), 2))
		}
		lines = append(lines, "|"+b.String()+"|")
	}
	return append(lines, edge)
}
