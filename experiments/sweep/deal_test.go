package sweep

import (
	"slices"
	"testing"
)

// TestCellsAreDealtForthAndBack: of cells sorted by their cost, three shards get the first, sixth, seventh and twelfth, the
// second, fifth, eighth and eleventh, and the rest, so that none has the dearer of every pair.
func TestCellsAreDealtForthAndBack(t *testing.T) {
	costs := make([]float64, 12)
	for i := range costs {
		costs[i] = float64(100 - i)
	}
	s := &Sweep{}
	for i, want := range [][]int{{0, 5, 6, 11}, {1, 4, 7, 10}, {2, 3, 8, 9}} {
		if got := s.part(Shard{i + 1, 3}, costs); !slices.Equal(got, want) {
			t.Errorf("shard %d of 3 has the cells %v, want %v", i+1, got, want)
		}
	}
	// Costs that differ by less than half a microsecond are the same, and keep the order of the cells.
	if got := s.part(Shard{1, 1}, []float64{1, 1 + 0.4e-6, 2, 1 + 0.6e-6}); !slices.Equal(got, []int{2, 3, 0, 1}) {
		t.Errorf("the order is %v", got)
	}
}
