package kernels_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/frames"
	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// framedKernels are selectors of the kernels of the library that have frames, and of mixtures of
// them.
func framedKernels() []string {
	return []string{
		"metropolis", "moore", "flip", "barker", "jump:0.05", "jump:0", "jump:1", "independence", "heatbath",
		"heatbath-axis:1", "suwa-todo",
		"suwa-todo-axis:0", "stay",
		"balanced:sqrt", "balanced:barker", "balanced:min:flip", "gradient", "lazy:0.5:balanced:barker:flip",
		"lazy:0.5", "lazy:0.25:suwa-todo", "mixture:1*metropolis+3*heatbath",
		"mixture:0.5*barker+0.5*jump:0.1", "lazy:0.5:lazy:0.1:mixture:1*moore+1*suwa-todo",
	}
}

// framedSpaces have corners, edges and middles, sides of one, two and three states, and edges that
// are joined.
func framedSpaces(t *rapid.T) *grid.Lattice {
	torus := longtest.Sure(grid.NewWrapped([]int{3, 4}, []bool{true, true}))
	mixed := longtest.Sure(grid.NewWrapped([]int{3, 2}, []bool{true, false}))
	// the points around a state would fill the memory
	many := grid.MustNew(slices.Concat(slices.Repeat([]int{1}, 30), []int{3})...)
	return rapid.SampledFrom([]*grid.Lattice{many, grid.MustNew(3, 4), grid.MustNew(1, 5),
		grid.MustNew(2, 2, 2), torus, mixed, grid.MustNew(1, 1)}).Draw(t, "space")
}

// drawLogF draws log f with ties and zeros, over ranges from nothing to thousands of nats.
func drawLogF(t *rapid.T, n int) []float64 {
	size := rapid.SampledFrom([]float64{0, 1e-12, 1e-3, 0.1, 1, 30, 450, 3000}).Draw(t, "size")
	zeros := rapid.Bool().Draw(t, "zeros")
	logf := make([]float64, n)
	for x := range logf {
		logf[x] = size * rapid.SampledFrom(
			[]float64{0, 1, -1, 0.3, rapid.Float64Range(-1, 1).Draw(t, "log f")},
		).Draw(t, "value")
		if zeros && rapid.IntRange(0, 3).Draw(t, "zero") == 0 {
			logf[x] = math.Inf(-1)
		}
	}
	return logf
}

// sameRows fails unless the frame of a kernel, filled, has the rows of AppendRow. Every entry is
// compared by its digits, small ones too. A difference of log f is rounded by AppendRow, so that
// its size counts.
func sameRows(t *rapid.T, k chains.Kernel, frame *frames.Frame, logf []float64, values *frames.Values) {
	t.Helper()
	low, high := math.Inf(1), 0.0
	uneven, _ := k.(kernels.Independence)
	for x, v := range logf {
		if uneven.P != nil {
			v -= math.Log(uneven.P[x])
		}
		if math.Abs(v) < math.Inf(1) {
			low, high = min(low, v), max(high, v)
		}
	}
	values.Load(logf)
	frame.Fill(values)
	for x := range logf {
		got, want := map[int]float64{}, map[int]float64{}
		for _, e := range frame.Row(x) {
			if _, twice := got[e.To]; twice {
				t.Fatalf("%v: two entries from %d to %d", k, x, e.To)
			}
			got[e.To] = e.P
		}
		for _, e := range k.(chains.Rower).AppendRow(nil, logf, x) {
			want[e.To] += e.P
		}
		top := math.Inf(-1)
		for _, e := range frame.Row(x) {
			top = max(top, logf[e.To])
		}
		for y := range logf {
			tolerance := (4e-15 + 4e-16*max(0, high-low)) * want[y]
			if strings.Contains(fmt.Sprint(k), "suwa-todo") && !math.IsInf(top, -1) {
				// If the flows of this kernel go depends on small differences of the weights of a
				// line, and what is left of a box after others is as exact as the largest weight of
				// the line.
				tolerance += 1e-14 * (1 + high - low) * math.Exp(min(700, top-logf[x]))
			}
			if !(math.Abs(got[y]-want[y]) <= tolerance) && !(max(got[y], want[y]) < 1e-300) {
				t.Fatalf("%v, log f %v: from %d to %d %v in the frame, %v by AppendRow", k, logf, x, y,
					got[y], want[y])
			}
		}
	}
}

// TestFrames: the rows of a frame are those of AppendRow, for one distribution after another.
func TestFrames(t *testing.T) {
	for _, selector := range framedKernels() {
		t.Run(selector, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				space := framedSpaces(t)
				k := longtest.Sure(kernels.Parse(selector, space))
				checkFrame(t, k, space.States())
				if r, is := k.(chains.Reverser); is {
					checkFrame(t, r.Reversal(), space.States())
				}
			})
		})
	}
}

// checkFrame compares a kernel's frame with its rows under two distributions.
func checkFrame(t *rapid.T, k chains.Kernel, states int) {
	t.Helper()
	entries, has := frames.Entries(k, states, 1e9)
	if !has {
		t.Fatalf("%v has no frame", k)
	}
	frame := longtest.Sure(frames.New(k, states, nil))
	known, _ := frames.Entries(k, states, 1) // kernels that know how many there are say so at once
	_, moore := k.(kernels.Moore)
	_, independence := k.(kernels.Independence)
	if n := float64(len(frame.Entries)); n > entries || (moore || independence) && n != known {
		t.Fatalf("%v: %v entries, counted as %v and known as %v", k, n, entries, known)
	}
	var values frames.Values
	for range 2 {
		sameRows(t, k, frame, drawLogF(t, states), &values)
	}
}

// TestFramesOfUnevenProposals: the independence kernel with a distribution of its own, with zeros,
// over many magnitudes.
func TestFramesOfUnevenProposals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom([]float64{0, 1e-300, 1e-20, 0.1}),
			rapid.Float64Range(0, 1),
		), 6, 6).Draw(t, "P")
		p[0] += 0.1
		floats.Scale(1/floats.Sum(p), p)
		checkFrame(t, kernels.Independence{P: p}, 6)
	})
}
