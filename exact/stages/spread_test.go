package stages_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/exact/stages"
)

// TestSpread: stages begin with 1, end with T, grow, and are nowhere more than half a stage from even spacing.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		T, count := rapid.IntRange(2, 1_000_000).Draw(t, "T"), rapid.IntRange(2, 300).Draw(t, "count")
		got, err := stages.Spread(T, count)
		if err != nil || len(got) != min(T, count) || got[0] != 1 || got[len(got)-1] != T {
			t.Fatalf("%v, %v", got, err)
		}
		for i, s := range got {
			if i > 0 && s <= got[i-1] || math.Abs(float64(s-1)-float64(i)*float64(T-1)/float64(len(got)-1)) > 0.5+1e-6 {
				t.Fatalf("stage %d of %d is %d: %v", i, len(got), s, got)
			}
		}
	})
	if got, _ := stages.Spread(4, 100); !slices.Equal(got, []int{1, 2, 3, 4}) {
		t.Errorf("all stages are %v", got)
	}
	for _, bad := range [][2]int{{1, 5}, {5, 1}, {5, 0}} {
		if _, err := stages.Spread(bad[0], bad[1]); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}
