// Package frames answers: which rows has a kernel of the library under each of many distributions?
// Where the entries have the same places under every distribution, New finds these once, and Fill
// computes only the probabilities anew. Start at Frame.
package frames

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/work"
)

// framed is a kernel of the library whose rows have their entries at the same places under every
// distribution, so that these are found once for an annealing and only the probabilities are
// computed anew at each stage.
type framed interface {
	chains.Rower
	// AppendFrame appends the states that row x may lead to, each with a number that FillFrame
	// finds again in Fixed. A state may stand more than once: it then gets one entry, at the first
	// of its places, with the sum of the numbers.
	AppendFrame(dst []chains.Entry, x int) []chains.Entry
	// FillFrame writes the probabilities of all entries of a frame of this kernel. They are those
	// of AppendRow to some units in the last place, and zero if a state cannot be reached.
	FillFrame(f *Frame, v *Values)
}

// counted is a framed kernel that knows how many entries its frame has. On a large space even a few
// of its rows may be too much work.
type counted interface {
	framed
	CountFrame() float64
}

// Frame holds the rows of a kernel of the library for one distribution after another. New finds
// the places of the entries once; Fill then computes only the probabilities. Only one
// goroutine may use a Frame.
type Frame struct {
	Start   []int          // row x is Entries[Start[x]:Start[x+1]]
	Entries []chains.Entry // the entries of all rows, each state once in a row; some may be zero
	Fixed   []float64      // the number that AppendFrame gave with each entry; nil for a mixture
	kernel  framed         // nil for a mixture
	parts   []framePart
}

// framePart is one of the kernels of a mixture: its frame, its weight, and the place in the
// mixture's frame of each of its entries.
type framePart struct {
	*Frame
	weight float64
	place  []int32
}

// Row returns the entries of row x.
func (f *Frame) Row(x int) []chains.Entry { return f.Entries[f.Start[x]:f.Start[x+1]] }

// Entries returns how many entries the frame of a kernel on the given number of states has,
// including the frames of its parts. It returns false for kernels without a frame: those not of the
// library, and sequences, also as parts. Above most it stops counting and returns an estimate, as
// if the other rows were like those before.
func Entries(k chains.Kernel, states int, most float64) (entries float64, has bool) {
	if !hasFrame(k) {
		return 0, false
	}
	if parts, combined := chains.PartsOf(k); combined {
		for _, part := range parts.Kernels {
			n, _ := Entries(part, states, most)
			entries += 2 * n // a part has its own frame, and at most as many entries in that of the mixture
		}
		return entries, true
	}
	if c, counts := k.(counted); counts {
		return c.CountFrame(), true
	}
	var row []chains.Entry
	for x := range states {
		row = k.(framed).AppendFrame(row[:0], x)
		entries += float64(len(row))
		if entries > most {
			return entries / float64(x+1) * float64(states), true
		}
	}
	return entries, true
}

// PartEntries returns the total number of entries of the rows of the elementary kernels of which a
// kernel of the library is made. These rows are kept while its own are computed from them. Above
// most it returns an estimate, as Entries does. Kernels without frames are not counted.
func PartEntries(k chains.Kernel, states int, most float64) (entries float64) {
	parts, combined := chains.PartsOf(k)
	if !combined {
		entries, _ = Entries(k, states, most)
	}
	for _, part := range parts.Kernels {
		entries += PartEntries(part, states, most)
	}
	return entries
}

// hasFrame reports whether a kernel is of the library and has a frame.
func hasFrame(k chains.Kernel) bool {
	if parts, combined := chains.PartsOf(k); combined {
		for _, part := range parts.Kernels {
			if parts.Sequential || !hasFrame(part) {
				return false
			}
		}
		return true
	}
	_, is := k.(framed)
	return is && chains.OfLibrary(k)
}

// New returns the frame of a kernel that has one (see Entries), without probabilities.
// The function watch is called repeatedly; if it returns an error, New fails with that error.
// It may be nil.
func New(k chains.Kernel, states int, watch func() error) (*Frame, error) {
	f := &Frame{Start: make([]int, 1, states+1)}
	b := &frameBuilder{Frame: f, place: make([]int32, states), meter: work.Meter{Watch: watch}}
	if parts, combined := chains.PartsOf(k); combined {
		return f, b.mix(parts)
	}
	f.kernel = k.(framed)
	return f, b.addRows(f.kernel)
}

// frameBuilder makes a frame, row by row.
type frameBuilder struct {
	*Frame
	place []int32 // one more than the place in Entries of the entry for a state, in the current row
	meter work.Meter
}

// entryPlace returns the place of the entry for a state in the current row, and appends the entry
// if there is none.
func (b *frameBuilder) entryPlace(y int) int32 {
	if first := b.Start[len(b.Start)-1]; b.place[y] <= int32(first) {
		b.Entries = append(b.Entries, chains.Entry{To: y})
		b.place[y] = int32(len(b.Entries))
	}
	return b.place[y] - 1
}

// endRow ends the row at hand.
func (b *frameBuilder) endRow() error {
	entries := len(b.Entries) - b.Start[len(b.Start)-1]
	b.Start = append(b.Start, len(b.Entries))
	return b.meter.Spend(entries)
}

// addRows makes the rows of a kernel that is not made of others.
func (b *frameBuilder) addRows(k framed) error {
	states := len(b.place)
	entries, _ := Entries(k, states, math.Inf(1))
	b.Entries = make([]chains.Entry, 0, int(entries))
	b.Fixed = make([]float64, 0, int(entries))
	var row []chains.Entry
	for x := range states {
		row = k.AppendFrame(row[:0], x)
		for _, e := range row {
			i := int(b.entryPlace(e.To))
			if i == len(b.Fixed) {
				b.Fixed = append(b.Fixed, 0)
			}
			b.Fixed[i] += e.P
		}
		if err := b.endRow(); err != nil {
			return err
		}
	}
	return nil
}

// mix makes the rows of a mixture.
func (b *frameBuilder) mix(m chains.Parts) error {
	entries := 0
	for i, k := range m.Kernels {
		f, err := New(k, len(b.place), b.meter.Watch)
		if err != nil {
			return err
		}
		b.parts = append(b.parts, framePart{Frame: f, weight: m.Weights[i], place: make([]int32, 0, len(f.Entries))})
		entries += len(f.Entries)
	}
	b.Entries = make([]chains.Entry, 0, entries)
	for x := range len(b.place) {
		for i := range b.parts {
			p := &b.parts[i]
			for _, e := range p.Row(x) {
				p.place = append(p.place, b.entryPlace(e.To))
			}
		}
		if err := b.endRow(); err != nil {
			return err
		}
	}
	return nil
}

// Fill computes the probabilities under a distribution.
func (f *Frame) Fill(v *Values) {
	if f.kernel != nil {
		f.kernel.FillFrame(f, v)
		return
	}
	for i := range f.Entries {
		f.Entries[i].P = 0
	}
	for _, part := range f.parts {
		part.Fill(v)
		for i, e := range part.Entries {
			f.Entries[part.place[i]].P += part.weight * e.P
		}
	}
}

// ratioRange is the largest range of log f, in nats, at which Values hold f and its inverse. Both,
// and products of the two, are then well within the range of float64.
const ratioRange = 500

// Values are a distribution that a Frame is filled for: log f of each state and, if no f is zero
// and log f spans at most 500 nats, also f itself, scaled so that the largest is one, with its
// inverse. Probabilities that are ratios of f then need no exponentials.
type Values struct {
	LogF       []float64
	Top        float64   // the largest log f
	F, Inverse []float64 // nil if log f spans more
	memory     []float64
}

// Load sets the values to those of logf, which it keeps.
func (v *Values) Load(logf []float64) {
	if v.Begin(logf) {
		v.Part(0, len(logf))
	}
}

// Begin is Load without F and Inverse, which Part computes. It returns false if log f spans too
// much for them.
func (v *Values) Begin(logf []float64) bool {
	v.LogF = logf
	v.F = nil
	v.Inverse = nil
	low := math.Inf(1)
	top := math.Inf(-1)
	for _, l := range logf {
		if l < low { // the built-in min and max take several times as long
			low = l
		}
		if l > top {
			top = l
		}
	}
	v.Top = top
	if !(top-low <= ratioRange) {
		return false
	}
	n := len(logf)
	if len(v.memory) != 2*n {
		v.memory = work.Slice[float64](2 * n)
	}
	v.F = v.memory[:n:n]
	v.Inverse = v.memory[n:]
	return true
}

// Part computes F and Inverse of the states first..end-1. Several calls may run at the same time.
func (v *Values) Part(first, end int) {
	top := v.Top
	for x := first; x < end; x++ {
		l := v.LogF[x]
		// The rounding error of the difference is added back, so that ratios of f are as exact far
		// from the largest f as near it.
		d := l - top
		b := d - l
		left := (l - (d - b)) - (top + b)
		f := math.Exp(d)
		f += f * left
		v.F[x], v.Inverse[x] = f, 1/f
	}
}
