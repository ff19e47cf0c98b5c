package sweep

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"breadboard/experiments"
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
