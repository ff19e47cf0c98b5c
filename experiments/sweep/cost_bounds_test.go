package sweep

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/experiments/placement"
	"breadboard/toys"
)

// TestPlannedSeconds holds what a plan says to numbers written out from the measurements: seconds, states and bytes of
// cells of EASY with its 49 states, ten million steps. A row of moore has 8 entries in the middle of 7x7, from where no proposal is refused.
func TestPlannedSeconds(t *testing.T) {
	const steps = 1e7
	for _, c := range []struct {
		schedule, kernel string
		seconds, bytes   float64
	}{
		{"linear", "metropolis", 20e-6 + 49*steps*4.2e-9, 49 * 300},
		{"acceptance", "metropolis", 20e-6 + 49*steps*(4.2e-9+7e-6), 49*300 + 32*steps},
		{"fisher", "metropolis", 20e-6 + 49*steps*4.2e-9 + 49*3e-6 + steps*1.2e-6, 49*300 + 32*steps},
		{"friction", "metropolis", 20e-6 + 49*steps*4.2e-9 + 49*300e-6 + steps*1.2e-6, 49*300 + 32*steps},
		{"linear", "moore", 20e-6 + 49*steps*8*45e-9 + 17*49*64*0.3e-9, 49 * (300 + 8*40)},
	} {
		s := mustSweep(t, fmt.Sprintf("[grid]\ntoy=['easy']\nT=[10000001]\nkernel=['%s']\nschedule=['%s']", c.kernel, c.schedule))
		seconds, states, memory := s.weigher().weigh(s.Cell(0))
		if states != 49 || !(math.Abs(seconds/c.seconds-1) < 1e-9) || !(math.Abs(memory/c.bytes-1) < 1e-9) {
			t.Errorf("%s, %s: %v seconds, %v bytes on %d states; want %v and %v", c.schedule, c.kernel, seconds, memory, states, c.seconds, c.bytes)
		}
		p, err := s.Plan()
		if err != nil || p.Disk != 750 || p.Memory != 30e6+100+c.bytes {
			t.Errorf("%+v, %v", p, err)
		}
	}
}

// TestPlannedLimits: a cell of just less than thirty days of one core is planned, and one of just more is not; the same for
// a sweep of a hundred years. What an entry of a row takes is 45 ns.
func TestPlannedLimits(t *testing.T) {
	const day = 86400.0
	perStep := 9 * 45e-9 * 65536 // moore in the middle of 256x256
	plan := func(cells int, seconds float64) error {
		lengths := make([]string, cells)
		for i := range lengths {
			lengths[i] = fmt.Sprint(int(seconds/perStep) - i)
		}
		_, err := mustSweep(t, "[grid]\ntoy=['random:1:0:256x256']\nkernel=['moore']\nT=["+strings.Join(lengths, ",")+"]").Plan()
		return err
	}
	if err := plan(1, 29.9*day); err != nil {
		t.Error(err)
	}
	if err := plan(1, 30.1*day); err == nil || !strings.Contains(err.Error(), "the limit of one cell is 30") {
		t.Errorf("a cell of 30.1 days: %v", err)
	}
	if err := plan(2000, 18.2*day); err != nil { // 99.7 years
		t.Error(err)
	}
	if err := plan(2000, 18.3*day); err == nil || !strings.Contains(err.Error(), "the limit is 100") {
		t.Errorf("a sweep of 100.3 years: %v", err)
	}
}

// BenchmarkPlannedCosts measures what plans say of the cost of rows and of placing schedules, beside the stencil's step,
// which is measured in the same run so that the speed of the machine is of no account. A metric is what is planned of each,
// as a multiple of what is measured: it should be between a quarter and four.
func BenchmarkPlannedCosts(t *testing.B) {
	problem := func(selector string) (chains.Path, chains.Kernel) {
		toy, err := toys.Parse(selector)
		if err != nil {
			t.Fatal(err)
		}
		path, err := paths.NewGeometric(nil, toy.G)
		if err != nil {
			t.Fatal(err)
		}
		return path, kernels.Metropolis{Space: toy.Space}
	}
	path, kernel := problem("random:2:5:20x20")
	shortest := func(run func()) float64 {
		least := math.Inf(1)
		for range 5 {
			start := time.Now()
			run()
			least = min(least, time.Since(start).Seconds())
		}
		return least
	}
	solve := func(T int, o exact.Options) func() {
		a, err := chains.NewAnnealing(path, schedules.Linear{}, kernel, T)
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			if _, err := exact.Solve(context.Background(), a, o); err != nil {
				t.Error(err)
			}
		}
	}
	place := func(name, toy string, T int) func() {
		path, kernel := problem(toy)
		family, err := placement.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			p, err := family.On(context.Background(), path, chains.Always(kernel))
			if err == nil {
				_, err = p.Place(context.Background(), T)
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
	unit := shortest(solve(20_001, exact.Options{})) / 20_000 / 400 / stencilCost
	for _, c := range []struct {
		what           string
		seconds, wants float64
	}{
		{"an entry of a row", shortest(solve(201, exact.Options{General: true})) / 200 / 400 / 5, entryCost},
		{"friction, a state", shortest(place("friction", "random:2:5:20x20", 3)) / 400, frictionCost},
		{"fisher, a state", shortest(place("fisher", "barrier", 3)) / 49, fisherCost},
		{"equal steps, a state and step", shortest(place("acceptance", "random:2:5:20x20", 41)) / 40 / 400, equalCost},
	} {
		t.ReportMetric(c.wants*unit/c.seconds, strings.ReplaceAll(strings.ReplaceAll(c.what, ",", ""), " ", "_"))
	}
}
