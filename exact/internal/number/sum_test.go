package number

import (
	"testing"
)

func TestSumKeepsWhatAdditionLoses(t *testing.T) {
	var s Sum
	for _, v := range []float64{1, 1e100, 1, -1e100} {
		s.Add(v)
	}
	if got := s.Value(); got != 2 {
		t.Errorf("1 + 1e100 + 1 - 1e100 = %v", got)
	}
}
