package sweep

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"breadboard/experiments"
)

// BenchmarkPlannedStudies measures what plans say of a cell of each study, beside an exact solution that is measured in the
// same run so that the speed of the machine is of no account. A metric is what is planned, as a multiple of what is
// measured: it should be between a sixth and six.
func BenchmarkPlannedStudies(t *testing.B) {
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
	for i, text := range []string{
		"study='ais'\n[grid]\ntoy=['barrier']\nT=[300]\nchains=[100]",
		"study='ais'\n[grid]\ntoy=['barrier']\nT=[100]\nchains=[100000]",
		"study='smc'\n[grid]\ntoy=['barrier']\nT=[300]\nparticles=[1]",
		"study='smc'\n[grid]\ntoy=['barrier']\nT=[100]\nparticles=[2]",
		"study='smc'\n[grid]\ntoy=['random:1:0:16x16']\nT=[20]\nparticles=[2]",
		"study='samples'\n[grid]\ntoy=['barrier']\nT=[100]\nK=[10]",
		"study='subjective'\n[grid]\ntoy=['barrier']\nT=[300]\nreference=['mode']\nmoves=[3000]",
		"study='tuning'\n[grid]\ntoy=['barrier']\nT=[20]",
		"study='kernelcheck'\n[grid]\ntoy=['random:1:0:16x16']",
	} {
		took, planned := shortest(text)
		t.Logf("case_%d is %q", i+1, text)
		t.ReportMetric(planned*speed/took, fmt.Sprintf("case_%d", i+1))
	}
}
