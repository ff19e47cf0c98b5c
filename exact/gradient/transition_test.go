package gradient

import (
	"strings"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/grid"
)

// TestRowsAtFivePoints: rows of which five matrices are too large are refused, where the kernel is
// not reversible with those of the time reversal.
func TestRowsAtFivePoints(t *testing.T) {
	const most = 25_000_000
	line := grid.MustNew(2)
	reversible, both := newRowMoves(kernels.Informed{Space: line, Rule: "min"}), newRowMoves(kernels.SuwaTodoAxis{Space: line})
	reversible.forward.to = make([]int32, most)
	both.forward.to, both.backward.to = make([]int32, most/2), make([]int32, most/2)
	for _, m := range []*rowMoves{reversible, both} {
		if err := m.checkMemory(); err != nil {
			t.Errorf("%d entries are refused: %v", most, err)
		}
		m.backward.to = append(m.backward.to, 0)
		if err := m.checkMemory(); err == nil || !strings.Contains(err.Error(), "rows at 5 points") {
			t.Errorf("one entry more: %v", err)
		}
	}
}
