package chains_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/chainstest"
	"breadboard/chains/frames"
	"breadboard/chains/kernels"
	"breadboard/grid"
	_ "breadboard/grid/longtest"
)

// Types of another package, with methods that they have from kernels of the library.
type (
	embedding struct{ chains.Kernel }
	borrowed  struct{ kernels.Metropolis }
	ofMany    struct{ kernels.Mix }
	inTurn    struct{ kernels.Sequence }
)

// TestNobodyElseIsOfTheLibrary: what embeds a kernel of the library is another
// kernel, and no combination either: its rows are its own, it makes one move, and its parts are not
// looked at.
func TestNobodyElseIsOfTheLibrary(t *testing.T) {
	plain := kernels.Metropolis{Space: grid.MustNew(2, 2)}
	repeated := kernels.Repeat(5, plain)
	for _, k := range []chains.Kernel{
		embedding{plain}, embedding{repeated}, embedding{kernels.Lazy(0.5, plain)}, borrowed{plain}, &plain,
		ofMany{kernels.Mix{Parts: []chains.Kernel{plain}, Weights: []float64{1}}},
		inTurn{kernels.Sequence{Parts: []chains.Kernel{repeated}, Times: 1}},
	} {
		if chains.OfLibrary(k) || chains.MovesOf(k) != 1 || chains.OfLibrary(kernels.Compose(plain, k)) {
			t.Errorf("%T: of the library %v, %d moves", k, chains.OfLibrary(k), chains.MovesOf(k))
		}
	}
	if !chains.OfLibrary(repeated) || chains.MovesOf(repeated) != 5 {
		t.Error("a kernel of the library is not known for one")
	}
	// A part that looks at more states than its row has says so, where it is of the library.
	if got := chains.RowWorkOf(
		kernels.SuwaTodoAxis{Space: grid.MustNew(2, 2), Axis: 0},
		chainstest.Waves(4),
		0,
	).Entries; got != 2 {
		t.Errorf("%v states are looked at on an axis of 2", got)
	}
}

// TestSequence: sequences are taken apart to the last one, in the order in which their parts move,
// and equal parts are one.
func TestSequence(t *testing.T) {
	space := grid.MustNew(3, 3)
	m := kernels.Metropolis{Space: space}
	b := kernels.Barker{Space: space}
	axes := []chains.Kernel{kernels.SuwaTodoAxis{Space: space}, kernels.SuwaTodoAxis{Space: space, Axis: 1}}
	for _, c := range []struct {
		kernel chains.Kernel
		parts  []chains.Kernel
		order  []int
	}{
		{kernels.Repeat(3, m), []chains.Kernel{m}, []int{0, 0, 0}},
		{kernels.Compose(m, b, m), []chains.Kernel{m, b}, []int{0, 1, 0}},
		{kernels.Palindrome(m, kernels.Repeat(2, kernels.Compose(b, m)), b), []chains.Kernel{m, b},
			[]int{0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 0}},
		{kernels.Compose(axes...), axes, []int{0, 1}},
		{kernels.Compose(m, borrowed{m}), []chains.Kernel{m, borrowed{m}}, []int{0, 1}},
		{kernels.Compose(axes...).(chains.Reverser).Reversal(), []chains.Kernel{
			kernels.SuwaTodoAxis{Space: space, Backward: true},
			kernels.SuwaTodoAxis{Space: space, Axis: 1, Backward: true},
		}, []int{1, 0}},
	} {
		parts, order, ok := chains.Sequence(c.kernel)
		if !ok || !slices.Equal(parts, c.parts) || !slices.Equal(order, c.order) {
			t.Errorf("%v: %v in the order %v, %v", c.kernel, parts, order, ok)
		}
	}
	uneven := kernels.Independence{P: []float64{0.5, 0.5}} // not to be compared
	if parts, order, ok := chains.Sequence(kernels.Compose(uneven, uneven, uneven)); !ok || len(parts) != 3 ||
		!slices.Equal(order, []int{0, 1, 2}) {
		t.Errorf("%v in the order %v, %v", parts, order, ok)
	}
	long := kernels.Repeat(1000, kernels.Repeat(1000, kernels.Repeat(2, m)))
	for _, k := range []chains.Kernel{m, kernels.Lazy(0.5, kernels.Repeat(2, m)), long} {
		if _, _, ok := chains.Sequence(k); ok {
			t.Errorf("%v is taken apart", k)
		}
	}
}

// TestValues: f keeps its digits far from the largest one, where log f - log f(largest) is rounded;
// and there are no ratios where log f spans too much, or f is zero.
func TestValues(t *testing.T) {
	var v frames.Values
	logf := []float64{250.123456789, 0.1, -249.7654321, 3.3, 1e-3, -77.7}
	v.Load(logf)
	if v.Top != 250.123456789 {
		t.Errorf("the largest log f is %v", v.Top)
	}
	for x, l := range logf {
		if want := math.Exp(l) / math.Exp(v.Top); !(math.Abs(v.F[x]/want-1) <= 1e-15) ||
			!(math.Abs(v.F[x]*v.Inverse[x]-1) <= 3e-16) {
			t.Errorf("f of state %d is %v with the inverse %v, want %v", x, v.F[x], v.Inverse[x], want)
		}
	}
	for _, wide := range [][]float64{
		{0, 501}, {0, math.Inf(-1)}, {math.Inf(-1), math.Inf(-1)}, {0, math.Inf(1)}} {
		v.Load(wide)
		if v.F != nil || v.Inverse != nil {
			t.Errorf("log f %v: f %v", wide, v.F)
		}
	}
}

// TestNewFrameIsWatched: a frame of many entries is given up where its watch fails.
func TestNewFrameIsWatched(t *testing.T) {
	jump := kernels.Jump{Space: grid.MustNew(30, 30), Eps: 0.1}
	errStop := errors.New("stop")
	for _, k := range []chains.Kernel{jump, kernels.Lazy(0.5, jump)} {
		looked := 0
		if _, err := frames.New(k, 900, func() error {
			looked++
			if looked == 3 {
				return errStop
			}
			return nil
		}); !errors.Is(err, errStop) || looked != 3 {
			t.Errorf("%v: %v after %d looks", k, err, looked)
		}
	}
}
