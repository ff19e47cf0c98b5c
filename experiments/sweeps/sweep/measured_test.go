package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"breadboard/chains/kernels"
	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestAlong: cells are taken in proportion to their cost, and the order spreads them.
func TestAlong(t *testing.T) {
	for _, c := range []struct {
		costs []float64
		n     int
		want  []int
	}{
		{[]float64{1}, 3, []int{0, 0, 0}},
		{[]float64{1, 1, 1, 1}, 2, []int{0, 2}},
		{[]float64{1, 1, 1, 1}, 4, []int{0, 1, 2, 3}},
		{[]float64{1, 0, 6, 1}, 4, []int{0, 2, 2, 2}},
		{[]float64{0, 0, 0}, 2, []int{0, 0}},
	} {
		if got := along(c.costs, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%d along %v: %v, want %v", c.n, c.costs, got, c.want)
		}
	}
	for n := range 40 {
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		got := spread(list)
		if n >= 8 && (slices.Max(got[:4])-slices.Min(got[:4]) < n/2) {
			t.Errorf("of %d the first are %v", n, got[:4])
		}
		slices.Sort(got)
		if !slices.Equal(got, list) {
			t.Errorf("%d in another order are %v", n, got)
		}
	}
}

// slow is a study whose cells take so many times as long as is planned, for each T, and something to begin with, on a clock that only they
// put forward.
func slow(times float64, start time.Duration) (study *experiments.Study, clock func() time.Duration) {
	var now atomic.Int64
	one := *Studies()[0]
	one.Check = nil
	const step = time.Millisecond
	one.Cost = func(s experiments.Size) experiments.Cost {
		return experiments.Cost{Seconds: step.Seconds() * float64(s.Distributions-1)}
	}
	one.Solve = func(ctx context.Context, c *experiments.Case, _ experiments.Params) (experiments.Outcome, error) {
		now.Add(int64(start) + int64(times*float64(step)*float64(c.Distributions()-1)))
		return experiments.Outcome{Numbers: make([]float64, len(one.Stored()))}, ctx.Err()
	}
	return &one, func() time.Duration { return time.Duration(now.Load()) }
}

// TestMeasure: cells that take three times as long as was planned, or a third, are planned anew from a few of them, and those that take
// hours from shorter ones.
func TestMeasure(t *testing.T) {
	for _, c := range []struct {
		T     string
		times float64
		start time.Duration
		more  float64 // may be measured than what it takes, as a share, for what storing results and beginning take
	}{
		{"[3, 5, 9]", 3, 0, 2e-3},
		{"[5, 9, 17]", 0.3, 0, 1e-2},
		{"[1000000]", 4, 0, 1e-7},
		{"[3, 1000000]", 0.25, 5 * time.Millisecond, 1e-4},
	} {
		s := mustSweep(t, "[grid]\ntoy=['easy', 'hard']\nT="+c.T)
		study, clock := slow(c.times, c.start)
		s.study = study
		p := mustPlan(t, s)
		m := longtest.Must(s.measure(context.Background(), p, clock))(t)
		want := c.times * p.Steps * 1e-3
		if got := m.Time.Seconds(); !(got >= want && got <= want*(1+c.more)) {
			t.Errorf("T = %s, %v times the plan: %v seconds from %d cells, want %v", c.T, c.times, got, m.Timed, want)
		}
		if m.Timed == 0 || m.Longest > m.Time {
			t.Errorf("T = %s: %+v", c.T, m)
		}
	}
}

// TestMeasureByTheProcessor: without another clock the time is that of the processor.
func TestMeasureByTheProcessor(t *testing.T) {
	s := mustSweep(t, "[grid]\ntoy=['easy']\nT=[100]")
	p := mustPlan(t, s)
	if m, err := s.Measure(context.Background(), p); err != nil || m.Timed == 0 || m.Time <= 0 || m.Time == p.Time {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestMeasureEnds where its context does, in the middle of a cell that would never end.
func TestMeasureEnds(t *testing.T) {
	s := mustSweep(t, "[grid]\ntoy=['easy']\nT=[2, 3, 4]")
	study, clock := slow(1, 0)
	s.study = study
	p := mustPlan(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	study.Solve = func(ctx context.Context, _ *experiments.Case, _ experiments.Params) (experiments.Outcome, error) {
		cancel()
		<-ctx.Done()
		return experiments.Outcome{}, ctx.Err()
	}
	if _, err := s.measure(ctx, p, clock); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestMeasureGivesUp a cell that takes longer than anybody could know, and counts what it has taken.
func TestMeasureGivesUp(t *testing.T) {
	s := mustSweep(t, "[grid]\ntoy=['easy']\nT=[2]")
	study, clock := slow(1e6, 0)
	s.study = study
	p := mustPlan(t, s)
	solve := study.Solve
	study.Solve = func(ctx context.Context, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
		if _, err := solve(ctx, c, params); err != nil {
			return experiments.Outcome{}, err
		}
		<-ctx.Done()
		return experiments.Outcome{}, ctx.Err()
	}
	if m, err := s.measure(context.Background(), p, clock); err != nil || math.Abs(m.Time.Seconds()-1000) > 1 {
		t.Errorf("%+v, %v", m, err)
	}
}

// BenchmarkMeasured runs sweeps, and reports what was planned from a few cells as a multiple of what it then took: it should be between a half and two.
func BenchmarkMeasured(b *testing.B) {
	for name, text := range map[string]string{
		"small":    "[grid]\ntoy=['random:2:{0..999}:3x3']\nT=[2, 5, 10]",
		"medium":   "[grid]\nkernel=['metropolis', 'barker', 'lazy:0.5']\npath=['geometric', 'q:0.5']\nT=[10, 100, 1000]",
		"large":    "[grid]\nT=[300000]",
		"heatbath": "[grid]\ntoy=['easy', 'random:2:{0..2}:9x9']\nkernel=['heatbath', 'heatbath-scan']\nT={logspace=[10, 3000, 4]}",
		"spaces":   "[grid]\ntoy=['random:1:{0..1}:40x40']\nkernel=['metropolis', 'moore', 'heatbath-scan']\nT=[100, 300]",
		"looking":  "[grid]\nschedule=['linear', 'acceptance', 'fisher', 'friction', 'step-kl']\nT=[10, 100]",
		"ais":      "study='ais'\n[grid]\nT=[10, 100]\nchains=[100, 10000]",
		"weights":  "study='logweights'\n[grid]\ntoy=['barrier', 'random:2:1:4x4']\nT=[5, 20]",
		"samples":  "study='samples'\n[grid]\nT=[5, 20]",
		"smc":      "study='smc'\n[grid]\ntoy=['random:2:{0..3}:4x4']\nT=[5, 20]\nparticles=[1, 2]",
		"gap":      "study='gap'\n[grid]\nT=[10, 100, 1000]\npath=['geometric', 'q:0.5']",
		"tuning":   "study='tuning'\n[grid]\ntoy=['easy', 'barrier']\nT=[5, 10]",
		"aide":     "study='aide'\n[grid]\ntoy=['random:1:{0..1}:4x4']\nT=[10, 30]",
		"evidence": "study='evidence'\n[grid]\nestimator=['lw', 'ais', 'smc']",
		"errors":   "study='samplers-errors'\n[grid]\nfunction=['x0', 'g']",
		"laws":     "study='samplers-laws'\n[grid]\nN=[10, 50, 100]",
		"times":    "study='samplers-times'\n[grid]\ntoy=['easy', 'hard', 'random:1:{0..9}:10x10']",
		"diagnose": "study='samplers diagnose'\n[grid]\nN=[100, 1000, 3000]",
		"kernels":  "study='kernelcheck'\n[grid]\ntoy=['easy', 'random:1:{0..9}:10x10']\nbeta=[0, 0.5, 1]",
		"moves":    "study='subjective'\n[grid]\nT=[10, 100]",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s := mustSweep(b, text)
				p := mustPlan(b, s)
				m := longtest.Must(s.Measure(context.Background(), p))(b)
				start, dir := processorTime(), b.TempDir()
				mustRun(b, s, dir, Options{})
				took := processorTime() - start
				b.ReportMetric(took.Seconds(), "took_s")
				b.ReportMetric(p.Time.Seconds()/took.Seconds(), "planned/took")
				b.ReportMetric(m.Time.Seconds()/took.Seconds(), "measured/took")
			}
		})
	}
}

// TestPlannedSeconds holds what a plan says to numbers written out from the measurements: seconds, states and bytes of
// cells of EASY with its 49 states, ten million steps. Schedules that look at the path would take up to an hour to be placed, and are planned
// at once. The stencil has 56 slots there, and barker 84 edges.
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

// TestPlannedLimits: a cell of just less than thirty days of one core is planned, and one of just more is not; the same for
// a sweep of a hundred years.
func TestPlannedLimits(t *testing.T) {
	longtest.NotShort(t)
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

// shortest returns the seconds that the first cell of a sweep takes, the shortest of three times, and those that are planned.
func shortest(b *testing.B, text string) (took, planned float64) {
	s := mustSweep(b, text)
	planned, took = s.costs()[0]-cellCost, math.Inf(1)
	for range 3 {
		start := time.Now()
		longtest.Must(s.study.Row(context.Background(), experiments.Params(s.Cell(0))))(b)
		took = min(took, time.Since(start).Seconds())
	}
	return took, planned
}

// BenchmarkPlannedCosts measures what plans say of solutions and of placing schedules, beside a solution by the stencil, which
// is measured in the same run so that the speed of the machine is of no account. A metric is what is planned of each, as a
// multiple of what is measured: it should be between a third and three.
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
		for _, kernel := range []string{"metropolis", "barker", "moore", "flip", "heatbath", "heatbath-scan", "suwa-todo", "jump:0.05", "repeat:3:metropolis", "repeat:1000:heatbath"} {
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

// BenchmarkPlannedStudies measures what plans say of a cell of each study, beside an exact solution that is measured in the
// same run so that the speed of the machine is of no account. A metric is what is planned, as a multiple of what is
// measured: it should be between a sixth and six.
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
		"study='tuning'\n[grid]\ntoy=['barrier']\nT=[20]",
		"study='kernelcheck'\n[grid]\ntoy=['random:1:0:16x16']",
	} {
		took, planned := shortest(t, text)
		t.Logf("case_%d is %q", i+1, text)
		t.ReportMetric(planned*speed/took, fmt.Sprintf("case_%d", i+1))
	}
}

// milliseconds is a sweep of so many cells that take about a millisecond each.
func milliseconds(b *testing.B, n int) *Sweep {
	b.Helper()
	var lengths []string
	for i := range n {
		lengths = append(lengths, fmt.Sprint(5000+i))
	}
	return mustSweep(b, "[grid]\ntoy = ['easy']\nT = ["+strings.Join(lengths, ",")+"]")
}

// plain solves all cells and keeps nothing.
func plain(b *testing.B, s *Sweep, workers int) time.Duration {
	b.Helper()
	start := time.Now()
	if _, err := Solve(context.Background(), s, workers, func() {}); err != nil {
		b.Error(err)
	}
	return time.Since(start)
}

func stored(b *testing.B, s *Sweep, workers int) time.Duration {
	b.Helper()
	start := time.Now()
	mustRun(b, s, b.TempDir(), Options{Workers: workers})
	return time.Since(start)
}

// cost is what something takes: the time on the wall, and of all processors.
type cost struct{ wall, cpu float64 }

// against calls f and g in turn, so many times, and returns how much more g takes: the medians of the ratios of
// neighbours, which the moods of a machine spoil least.
func against(times int, f, g func() time.Duration) cost {
	timed := func(f func() time.Duration) cost {
		before := processorTime()
		wall := f().Seconds()
		return cost{wall, (processorTime() - before).Seconds()}
	}
	var wall, cpu []float64
	for range times {
		one, other := timed(f), timed(g)
		wall, cpu = append(wall, other.wall/one.wall), append(cpu, other.cpu/one.cpu)
	}
	slices.Sort(wall)
	slices.Sort(cpu)
	return cost{wall[times/2], cpu[times/2]}
}

// BenchmarkStore measures what storing results on this disk adds to cells of a millisecond, with one worker and
// with two: time on the wall, which other processes on the machine spoil, and processor time.
func BenchmarkStore(b *testing.B) {
	s := milliseconds(b, 3000)
	for b.Loop() {
		for workers := 1; workers <= 2; workers++ {
			t := against(3, func() time.Duration { return plain(b, s, workers) }, func() time.Duration { return stored(b, s, workers) })
			b.ReportMetric(100*(t.wall-1), fmt.Sprintf("%%overhead-%dworkers", workers))
			b.ReportMetric(100*(t.cpu-1), fmt.Sprintf("%%cpu-overhead-%dworkers", workers))
		}
	}
}

// BenchmarkWorkers measures how much faster two workers are than one, store and all.
func BenchmarkWorkers(b *testing.B) {
	s := milliseconds(b, 1000)
	for b.Loop() {
		t := against(9, func() time.Duration { return stored(b, s, 2) }, func() time.Duration { return stored(b, s, 1) })
		b.ReportMetric(t.wall, "times-1worker")
	}
}
