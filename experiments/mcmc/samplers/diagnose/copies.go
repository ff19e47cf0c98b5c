package diagnose

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains/selector"
	"breadboard/experiments/draws/files"
)

// fewChanges is how often the variables of a chain change at least where it is compared with
// others: chains that hardly move may be the same by chance.
const fewChanges = 50

// countOnce takes chains that are another one, draw for draw, out of the draws, since they say
// nothing that this one does not. The notes name them. Cost: a pass over all draws.
func countOnce(d *files.Draws) (notes []Note) {
	if d.Weights != nil {
		return nil
	}
	seen := map[uint64]int{}     // the first chain by the hash of its draws
	copies := map[int][]string{} // the numbers of the others
	var kept []int
	for c := range d.Sources {
		h, changes := hashChain(d, c)
		first, is := seen[h]
		if is && changes >= fewChanges && sameChain(d, first, c) {
			copies[first] = append(copies[first], fmt.Sprint(c+1))
			continue
		}
		if !is {
			seen[h] = c
		}
		kept = append(kept, c)
	}
	for _, c := range kept {
		if list := copies[c]; list != nil {
			notes = append(notes, noteOf(
				"%s %s %s chain %d, draw for draw, as if all had one seed: they are counted once",
				selector.Plural(len(list), "chain", "chains"),
				selector.Listed(list),
				selector.Plural(len(list), "is", "are"),
				c+1,
			))
		}
	}
	if len(kept) < len(d.Sources) {
		d.Sources = chosen(d.Sources, kept)
		d.Values = slices.Clone(d.Values)
		for i, values := range d.Values {
			d.Values[i] = chosen(values, kept)
		}
	}
	return notes
}

// chosen returns the elements of a list at some places.
func chosen[E any](list []E, places []int) []E {
	out := make([]E, len(places))
	for i, at := range places {
		out[i] = list[at]
	}
	return out
}

// hashChain returns a number that equal chains share, and how often the variables of a chain change
// (FNV-1a over numbers).
func hashChain(d *files.Draws, c int) (h uint64, changes int) {
	h = 14695981039346656037
	for _, values := range d.Values {
		before := math.NaN()
		for i, v := range values[c] {
			h = (h ^ math.Float64bits(v)) * 1099511628211
			if i > 0 && v != before {
				changes++
			}
			before = v
		}
	}
	return h, changes
}

// sameChain reports whether all draws of two chains are equal.
func sameChain(d *files.Draws, a, b int) bool {
	for _, values := range d.Values {
		if !slices.EqualFunc(values[a], values[b], func(v, w float64) bool {
			return math.Float64bits(v) == math.Float64bits(w)
		}) {
			return false
		}
	}
	return true
}
