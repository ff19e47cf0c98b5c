package sweep

import (
	"fmt"
	"math"
	"testing"
)

// TestPlannedSeconds holds what a plan says to numbers written out from the measurements: seconds,
// states and bytes of cells of EASY with its 49 states, ten million steps. Schedules that look at
// the path would take up to an hour to be placed, and are planned at once. The stencil has 56 slots
// there, and barker 84 edges.
func TestPlannedSeconds(t *testing.T) {
	const steps = 1e7
	for _, c := range []struct {
		schedule, kernel string
		seconds, bytes   float64
	}{
		{"linear", "metropolis", 20e-6 + 313.6e-9*steps, 10360},
		{"acceptance", "metropolis", 20e-6 + 313.6e-9*steps + 49*steps*7e-6, 10360 + 32*steps},
		{"step-kl", "metropolis", 20e-6 + 313.6e-9*steps + 49*steps*7e-6, 10360 + 32*steps},
		{"cess", "metropolis", 20e-6 + 313.6e-9*steps + 49*steps*7e-6, 10360 + 32*steps},
		{"fisher", "metropolis", 20e-6 + 313.6e-9*steps + 49*3e-6 + steps*1.2e-6, 10360 + 32*steps},
		{"friction", "metropolis", 20e-6 + 313.6e-9*steps + 49*300e-6 + steps*1.2e-6, 10360 + 32*steps},
		{"linear", "moore", 20e-6 + 492.8e-9*steps, 10360},
		{"linear", "barker", 20e-6 + 84*40e-9 + 861e-9*steps, 49*(160+16) + 84*16},
	} {
		s := mustSweep(t, fmt.Sprintf("[grid]\ntoy=['easy']\nT=[10000001]\nkernel=['%s']\nschedule=['%s']", c.kernel, c.schedule))
		seconds, states, memory := s.weigher().weigh(s.Cell(0))
		if states != 49 || !(math.Abs(seconds/c.seconds-1) < 1e-9) || !(math.Abs(memory/c.bytes-1) < 1e-9) {
			t.Errorf("%s, %s: %v seconds, %v bytes on %d states; want %v and %v", c.schedule, c.kernel, seconds, memory, states, c.seconds, c.bytes)
		}
		p, err := s.Plan()
		if err != nil || p.Disk != 750 || p.Memory != 30e6+100+c.bytes || math.Abs(p.Longest.Seconds()-c.seconds) > 1e-6 {
			t.Errorf("%+v, %v", p, err)
		}
	}
}
