package targets

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"breadboard/toys"
)

// maxLevels is the largest number of values of g of which TextLevels prints each, and levelBins the number of bins that stand
// for more of them.
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

// TextLevels returns as text how the states of a toy and their probabilities p are spread over g, the largest g first: a line
// for each value of g, with the number of states that have it, their probability and a bar from zero to the largest one. Where
// g has more than maxLevels values, a line is for those in one of levelBins bins of equal width. It is a drawing of targets with too many
// states, or too many axes, for one of the states.
func TextLevels(toy *toys.Toy, p []float64) string {
	levels := levelsOf(toy.G, p)
	names, counts, high := 0, 0, 0.0
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

// levelsOf returns the levels of g from the largest down: one for each value where there are maxLevels at most, else bins of
// which some may be empty. States of probability zero are a level of their own, the last.
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

// bins returns the levels of g in bins of equal width from low to high. The value low is in the last bin.
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
			at = &levels[min(levelBins-1, int((high/2-v/2)/(high/2-low/2)*levelBins))] // halves, so that no difference overflows
		}
		at.states++
		at.p += p[x]
	}
	if zero.states > 0 {
		levels = append(levels, zero)
	}
	return levels
}
