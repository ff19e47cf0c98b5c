package sweep

import (
	"context"
	"math"
	"testing"
	"time"

	"breadboard/experiments"
)

// TestStudiesTakeWhatIsPlanned: a cell of each study takes what is planned to a factor of six either way, beside an exact
// solution that is measured with it, so that the speed of the machine is of no account.
func TestStudiesTakeWhatIsPlanned(t *testing.T) {
	if testing.Short() {
		t.Skip("times are no matter of the fast lane, where several tests run at once")
	}
	shortest := func(text string) (took, planned float64) {
		s := mustSweep(t, text)
		planned, took = s.costs()[0]-cellCost, math.Inf(1)
		for range 3 {
			start := time.Now()
			if _, err := s.study.Row(context.Background(), experiments.Params(s.Cell(0))); err != nil {
				t.Fatal(err)
			}
			took = min(took, time.Since(start).Seconds())
		}
		return took, planned
	}
	took, planned := shortest("[grid]\ntoy=['barrier']\nT=[100000]")
	speed := took / planned
	for _, text := range []string{
		"study='ais'\n[grid]\ntoy=['barrier']\nT=[300]\nchains=[100]",
		"study='ais'\n[grid]\ntoy=['barrier']\nT=[100]\nchains=[100000]",
		"study='samples'\n[grid]\ntoy=['barrier']\nT=[100]\nK=[10]",
		"study='subjective'\n[grid]\ntoy=['barrier']\nT=[300]\nreference=['mode']\nmoves=[3000]",
		"study='tuning'\n[grid]\ntoy=['barrier']\nT=[20]",
		"study='kernelcheck'\n[grid]\ntoy=['random:1:0:16x16']",
	} {
		took, planned := shortest(text)
		ratio := took / planned / speed
		t.Logf("%.2f of what is planned: %q", ratio, text)
		if !(ratio > 1.0/6 && ratio < 6) {
			t.Errorf("%q takes %v of what is planned", text, ratio)
		}
	}
}
