package chains_test

import (
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
	"breadboard/chains/internal/library"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// Types of somebody else, with methods that they have from kernels of the library or that pass on the word of one. (A
// package outside of chains could not even write the method of borrowed, whose result it cannot name.)
type (
	embedding struct{ chains.Kernel }
	borrowed  struct{ kernels.Metropolis }
	ofMany    struct{ kernels.Mix }
	inTurn    struct{ kernels.Sequence }
)

func (k borrowed) Library() library.Word { return library.For(k.Metropolis) }

// TestNobodyElseIsOfTheLibrary: what embeds a kernel of the library, or gives its word, is another kernel, and no
// combination either: its rows are its own, it makes one move, and its parts are not looked at.
func TestNobodyElseIsOfTheLibrary(t *testing.T) {
	space, logf := grid.MustNew(2, 2), chainstest.Waves(4)
	plain := kernels.Metropolis{Space: space}
	repeated := kernels.Repeat(5, plain)
	for name, k := range map[string]chains.Kernel{
		"embedding a leaf": embedding{plain}, "embedding a sequence": embedding{repeated}, "embedding a mixture": embedding{kernels.Lazy(0.5, plain)},
		"borrowed": borrowed{plain}, "a pointer": &plain,
		"a mixture of one's own":  ofMany{kernels.Mix{Parts: []chains.Kernel{plain}, Weights: []float64{1}}},
		"a sequence of one's own": inTurn{kernels.Sequence{Parts: []chains.Kernel{repeated}, Times: 1}},
	} {
		if chains.OfLibrary(k) || chains.MovesOf(k) != 1 {
			t.Errorf("%s: of the library %v, %d moves", name, chains.OfLibrary(k), chains.MovesOf(k))
		}
		if chains.OfLibrary(kernels.Compose(plain, k)) {
			t.Errorf("%s: of the library as a part", name)
		}
	}
	if !chains.OfLibrary(repeated) || chains.MovesOf(repeated) != 5 {
		t.Error("a kernel of the library is not known for one")
	}
	if (library.Word{}).Is(nil) || (library.Word{}).Is(plain) || library.For(nil).Is(nil) {
		t.Error("nobody's word is taken for somebody's")
	}
	// A part that looks at more states than its row has says so, where it is of the library.
	axis := kernels.SuwaTodoAxis{Space: space, Axis: 0}
	if got := chains.RowWorkOf(axis, logf, 0).Entries; got != 2 {
		t.Errorf("%v states are looked at on an axis of 2", got)
	}
}

// TestSequence: sequences are taken apart to the last one, in the order in which their parts move, and equal parts are one.
func TestSequence(t *testing.T) {
	space := grid.MustNew(3, 3)
	m, b := kernels.Metropolis{Space: space}, kernels.Barker{Space: space}
	axes := []chains.Kernel{kernels.SuwaTodoAxis{Space: space}, kernels.SuwaTodoAxis{Space: space, Axis: 1}}
	for _, c := range []struct {
		kernel chains.Kernel
		parts  []chains.Kernel
		order  []int
	}{
		{kernels.Repeat(3, m), []chains.Kernel{m}, []int{0, 0, 0}},
		{kernels.Compose(m, b, m), []chains.Kernel{m, b}, []int{0, 1, 0}},
		{kernels.Palindrome(m, kernels.Repeat(2, kernels.Compose(b, m)), b), []chains.Kernel{m, b}, []int{0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 0}},
		{kernels.Compose(axes...), axes, []int{0, 1}},
		{kernels.Compose(axes...).(chains.Reverser).Reversal(), []chains.Kernel{
			kernels.SuwaTodoAxis{Space: space, Backward: true}, kernels.SuwaTodoAxis{Space: space, Axis: 1, Backward: true},
		}, []int{1, 0}},
	} {
		parts, order, ok := chains.Sequence(c.kernel)
		if !ok || !slices.Equal(parts, c.parts) || !slices.Equal(order, c.order) {
			t.Errorf("%v: %v in the order %v, %v", c.kernel, parts, order, ok)
		}
	}
	uneven := kernels.Independence{P: []float64{0.5, 0.5}} // not to be compared
	if parts, order, ok := chains.Sequence(kernels.Compose(uneven, uneven, uneven)); !ok || len(parts) != 3 || !slices.Equal(order, []int{0, 1, 2}) {
		t.Errorf("%v in the order %v, %v", parts, order, ok)
	}
	long := kernels.Repeat(1000, kernels.Repeat(1000, kernels.Repeat(2, m)))
	for _, k := range []chains.Kernel{m, kernels.Lazy(0.5, kernels.Repeat(2, m)), kernels.Compose(m, foreign{m}), long} {
		if _, _, ok := chains.Sequence(k); ok {
			t.Errorf("%v is taken apart", k)
		}
	}
}

// foreign is a kernel of somebody else.
type foreign struct{ kernels.Metropolis }
