package main

import (
	"slices"
	"strings"

	"breadboard/chains/selector"
)

// wholes is a flag that takes whole numbers, separated by commas, which replace the default. A number that is given twice
// counts once.
type wholes struct {
	numbers []int   // the default at first
	unit    string  // the letter that the help shows for a number
	least   float64 // the smallest number
	most    float64 // the largest number
	given   bool    // whether the default has been replaced
}

func (w *wholes) String() string { return lengthsText(w.numbers) }
func (w *wholes) Type() string   { return w.unit + ",..." }
func (w *wholes) Set(text string) error {
	if !w.given {
		w.numbers, w.given = nil, true
	}
	for part := range strings.SplitSeq(text, ",") {
		v, err := selector.ParseWhole(part, w.least, w.most)
		if err != nil {
			return err
		}
		if !slices.Contains(w.numbers, v) {
			w.numbers = append(w.numbers, v)
		}
	}
	return nil
}
