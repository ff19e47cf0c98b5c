package figure

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// leastTickGap is the least distance between ticks that are told apart in print.
const leastTickGap = vg.Length(1)

// choosing is a ticker that knows several ways to label an axis, from the one with the most labels to those with fewer.
type choosing interface {
	Choices(low, high float64) [][]plot.Tick
}

// roomy makes the ticks of another ticker, with no more of them than there is room for on an axis of a length.
type roomy struct {
	of   plot.Ticker
	room vg.Length
	size func(label string) vg.Length
	// value returns the number at a place of an axis that counts something, whose ticks are at whole numbers alone; nil elsewhere
	value func(at float64) float64
}

// Ticks implements plot.Ticker. It takes the first choice of the ticker in which no labels touch. Where there is none, every second
// label of the last choice is left out, or two of three, and so on.
func (r *roomy) Ticks(low, high float64) []plot.Tick {
	choices := [][]plot.Tick{r.of.Ticks(low, high)}
	if c, is := r.of.(choosing); is {
		choices = c.Choices(low, high)
	}
	choices = r.counted(choices)
	for _, ticks := range choices {
		if !r.touch(labelled(ticks), low, high) {
			return r.apart(ticks, low, high)
		}
	}
	if len(choices) == 0 {
		return nil
	}
	return r.apart(r.thinned(choices[len(choices)-1], low, high), low, high)
}

// counted returns, for an axis that counts something, the choices whose labels are whole numbers, without the ticks between these; and all
// choices for another axis, or where there is none with two labels.
func (r *roomy) counted(choices [][]plot.Tick) (out [][]plot.Tick) {
	if r.value == nil {
		return choices
	}
	broken := func(t plot.Tick) bool {
		v := r.value(t.Value)
		return math.Abs(v-math.Round(v)) > 1e-9*math.Abs(v)
	}
	for _, ticks := range choices {
		if !slices.ContainsFunc(labelled(ticks), broken) {
			if whole := slices.DeleteFunc(slices.Clone(ticks), broken); labelsOf(whole) >= 2 {
				out = append(out, whole)
			}
		}
	}
	if len(out) == 0 {
		return choices
	}
	return out
}

// labelled returns the ticks that have labels.
func labelled(ticks []plot.Tick) (out []plot.Tick) {
	for _, t := range ticks {
		if t.Label != "" {
			out = append(out, t)
		}
	}
	return out
}

// thinned returns ticks of which every so many-th keeps its label, so that none touch.
func (r *roomy) thinned(ticks []plot.Tick, low, high float64) []plot.Tick {
	all := labelled(ticks)
	every := 1
	kept := all
	for len(kept) > 1 && r.touch(kept, low, high) {
		every++
		kept = nil
		for n := 0; n < len(all); n += every {
			kept = append(kept, all[n])
		}
	}
	out := append([]plot.Tick(nil), ticks...)
	n := 0
	for i := range out {
		if out[i].Label == "" {
			continue
		}
		if n%every != 0 {
			out[i].Label = ""
		}
		n++
	}
	return out
}

// apart leaves out the ticks without labels where they stand so near one another that they would be a black bar. On an axis of decades
// those at powers of ten stay.
func (r *roomy) apart(ticks []plot.Tick, low, high float64) []plot.Tick {
	near := math.Inf(1)
	for i := 1; i < len(ticks); i++ {
		near = min(near, ticks[i].Value-ticks[i-1].Value)
	}
	if vg.Length(near/(high-low))*r.room >= leastTickGap {
		return ticks
	}
	_, decades := r.of.(Decades)
	var out []plot.Tick
	for _, t := range ticks {
		if t.Label != "" || decades && t.Value == math.Round(t.Value) {
			out = append(out, t)
		}
	}
	return out
}

// touch reports whether two of the labels touch one another.
func (r *roomy) touch(labelled []plot.Tick, low, high float64) bool {
	for i := 1; i < len(labelled); i++ {
		a, b := labelled[i-1], labelled[i]
		if between := vg.Length((b.Value - a.Value) / (high - low)); between*r.room < (r.size(a.Label)+r.size(b.Label))/2 {
			return true
		}
	}
	return false
}
