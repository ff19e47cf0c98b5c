package weights

import (
	"math"
	"strings"
	"testing"
)

// TestSamplesAreKnownOrNot: bounds of samples are given up to an error of 1e-6 and not beyond, where a note says what the
// error might be and what they lie between.
func TestSamplesAreKnownOrNot(t *testing.T) {
	for off, known := range map[float64]bool{0.9e-6: true, 1.1e-6: false, math.Inf(1): false, math.NaN(): false} {
		b := (&manySamples{transforms: &laplace{shift: off}, logZRatio: 3, low: -7, high: 5}).bounds(10)
		if (b.Note == "") != known || math.IsNaN(b.Mixed) == known || math.IsNaN(b.Error) {
			t.Errorf("an error of %v: %+v", off, b)
		}
		if !known && (!strings.Contains(b.Note, "for K = 10 are not known") || !strings.Contains(b.Note, "from -7 to 5")) {
			t.Errorf("an error of %v: %q", off, b.Note)
		}
	}
}
