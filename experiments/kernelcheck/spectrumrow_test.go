package kernelcheck

import (
	"math"
	"testing"

	"breadboard/exact/kernel"
	"breadboard/experiments"
)

// TestGapOfCyclesIsKnown: a kernel that goes round in cycles has the gap zero for certain, also where its eigenvalues are not computed.
func TestGapOfCyclesIsKnown(t *testing.T) {
	nan := math.NaN()
	d := &kernel.Diagnosis{Classes: 1, Period: 2, SpectralGap: nan, SecondEigen: complex(nan, 0), GapError: nan, GapFloor: nan, GapMissing: "not computed"}
	r := spectrumRow(experiments.Case{}, 0.5, d)
	if r.Gap != 0 || r.Error != 0 || r.Floor != 0 || !r.Proven || r.Missing != "" || !math.IsInf(r.Relaxation, 1) {
		t.Errorf("%+v", r)
	}
}
