package sweep

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"breadboard/chains/kernels"
	"breadboard/exact"
	"breadboard/experiments/subject"
	"breadboard/grid"
	"breadboard/grid/longtest"
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
		{"linear", "metropolis", 20e-6 + 313.6e-9*steps, 6720},
		{"acceptance", "metropolis", 20e-6 + 313.6e-9*steps + 49*steps*7e-6, 6720 + 32*steps},
		{"step-kl", "metropolis", 20e-6 + 313.6e-9*steps + 49*steps*7e-6, 6720 + 32*steps},
		{"cess", "metropolis", 20e-6 + 313.6e-9*steps + 49*steps*7e-6, 6720 + 32*steps},
		{"fisher", "metropolis", 20e-6 + 313.6e-9*steps + 49*3e-6 + steps*1.2e-6, 6720 + 32*steps},
		{"friction", "metropolis", 20e-6 + 313.6e-9*steps + 49*300e-6 + steps*1.2e-6, 6720 + 32*steps},
		{"linear", "moore", 20e-6 + 492.8e-9*steps, 6720},
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

// TestPlannedLimits: a cell of just less than thirty days of one core is planned, and one of just
// more is not; the same for a sweep of a hundred years.
func TestPlannedLimits(t *testing.T) {
	longtest.Only(t)
	const day = 86400.0
	space := grid.MustNew(256, 256)
	perStep := exact.WorkOf(kernels.Moore{Space: space}, space).Seconds
	plan := func(cells int, seconds float64) error {
		lengths := make([]string, cells)
		for i := range lengths {
			lengths[i] = fmt.Sprint(int(seconds/perStep) - i)
		}
		_, err := mustSweep(t, "[grid]\ntoy=['random:1:0:256x256']\nkernel=['moore']\nT=["+strings.Join(lengths, ",")+"]").Plan()
		return err
	}
	longtest.NoError(t, plan(1, 29.9*day))
	longtest.Refused(t, plan(1, 30.1*day), "the limit of one cell is 30", "a cell of 30.1 days")
	if err := plan(2000, 18.2*day); err != nil { // 99.7 years
		t.Error(err)
	}
	longtest.Refused(t, plan(2000, 18.3*day), "the limit is 100", "a sweep of 100.3 years")
}

// shortest returns the seconds that the first cell of a sweep takes, the shortest of three times,
// and those that are planned.
func shortest(b *testing.B, text string) (took, planned float64) {
	s := mustSweep(b, text)
	planned, took = s.costs()[0]-cellCost, math.Inf(1)
	for range 3 {
		start := time.Now()
		longtest.Must(s.study.Row(context.Background(), subject.Params(s.Cell(0))))(b)
		took = min(took, time.Since(start).Seconds())
	}
	return took, planned
}

// BenchmarkPlannedCosts measures what plans say of solutions and of placing schedules, beside a
// solution by the stencil, which is measured in the same run so that the speed of the machine is of
// no account. A metric is what is planned of each, as a multiple of what is measured: it should be
// between a third and three.
func BenchmarkPlannedCosts(t *testing.B) {
	speed := func() float64 { // of this machine at the moment, beside that of plans
		took, planned := shortest(t, "[grid]\ntoy=['random:1:1:20x20']\nT=[10001]")
		return took / planned
	}
	measure := func(what, text string) {
		before := speed()
		took, planned := shortest(t, text)
		t.ReportMetric(planned*(before+speed())/2/took, strings.NewReplacer(":", "_", " ", "_").Replace(what))
	}
	for _, toy := range []string{"random:1:1:7x7", "random:1:1:64x64", "ising:3x4:0.4"} {
		for _, kernel := range []string{"metropolis", "barker", "moore", "flip", "heatbath", "heatbath-scan", "suwa-todo", "jump:0.05",
			"repeat:3:metropolis", "repeat:1000:heatbath"} {
			for _, path := range []string{"geometric", "q:0.5"} {
				text := func(T int) string {
					return fmt.Sprintf("[grid]\ntoy=['%s']\nkernel=['%s']\npath=['%s']\nT=[%d]", toy, kernel, path, T)
				}
				start := mustSweep(t, text(2)).costs()[0]
				step := mustSweep(t, text(3)).costs()[0] - start
				T := max(10, int(0.03/step))
				if start+float64(T)*step > 2 {
					continue // it takes long
				}
				measure(toy+" "+kernel+" "+path, text(T))
			}
		}
	}
	for _, schedule := range []string{"friction", "fisher", "acceptance"} {
		measure(schedule, "[grid]\ntoy=['random:2:5:20x20']\nT=[41]\nschedule=['"+schedule+"']")
	}
}

// BenchmarkPlannedStudies measures what plans say of a cell of each study, beside an exact solution
// that is measured in the same run so that the speed of the machine is of no account. A metric is
// what is planned, as a multiple of what is measured: it should be between a sixth and six.
func BenchmarkPlannedStudies(t *testing.B) {
	took, planned := shortest(t, "[grid]\ntoy=['barrier']\nT=[100000]")
	speed := took / planned
	for i, text := range []string{
		"study='ais'\n[grid]\ntoy=['barrier']\nT=[300]\nchains=[100]",
		"study='ais'\n[grid]\ntoy=['barrier']\nT=[100]\nchains=[100000]",
		"study='smc'\n[grid]\ntoy=['barrier']\nT=[300]\nparticles=[1]",
		"study='smc'\n[grid]\ntoy=['barrier']\nT=[100]\nparticles=[2]",
		"study='smc'\n[grid]\ntoy=['random:1:0:16x16']\nT=[20]\nparticles=[2]",
		"study='samples'\n[grid]\ntoy=['barrier']\nT=[100]\nK=[10]",
		"study='subjective'\n[grid]\ntoy=['barrier']\nT=[300]\nreference=['mode']\nmoves=[3000]",
		"study='schedule optimize'\n[grid]\ntoy=['barrier']\nT=[20]",
		"study='kernelcheck'\n[grid]\ntoy=['random:1:0:16x16']",
	} {
		took, planned := shortest(t, text)
		t.Logf("case_%d is %q", i+1, text)
		t.ReportMetric(planned*speed/took, fmt.Sprintf("case_%d", i+1))
	}
}
