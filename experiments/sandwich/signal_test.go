package sandwich

import (
	"math"
	"strings"
	"testing"
)

// TestSignal: where rounding of the data decides how likely they are, a model is refused. At the largest ratio of signal and noise that is
// taken, two ways to p(y) still agree: with one cluster every chain has the weight p(y), row by row along the data and all at once where it is
// annealed.
func TestSignal(t *testing.T) {
	for _, text := range []string{"clustering:3:1e10:1e-11", "lowrank:2:1e5:1e6:1e-10"} {
		if _, err := ParseModel(text); err == nil || !strings.Contains(err.Error(), "their ratio must be at most 1e+20") {
			t.Errorf("%s: error %v", text, err)
		}
	}
	m := mustModel(t, "clustering:1:1e10:1e-10")
	set := Set{m, DefaultRows, DefaultColumns, 1, 1}
	data := mustDraw(t, set)
	var ends []float64
	for name, knob := range map[string]int{"smc": 0, "ais": 2} {
		c := mustChoice(t, name)
		e := mustEstimate(t, set, data, c, knob, 1)
		ends = append(ends, e.LogZ)
	}
	if d := math.Abs(ends[0] - ends[1]); !(d < 1e-3) {
		t.Errorf("log p(y) is %v by one way and %v by another", ends[0], ends[1])
	}
}
