package sweep

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"breadboard/experiments"
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

// slow is a study whose cells take so many times as long as is planned, for each T, and something to begin with.
func slow(times float64, start time.Duration) *experiments.Study {
	study := *Studies()[0]
	study.Check = nil
	const step = time.Millisecond
	study.Cost = func(s experiments.Size) experiments.Cost {
		return experiments.Cost{Seconds: step.Seconds() * float64(s.Distributions-1)}
	}
	study.Solve = func(ctx context.Context, c *experiments.Case, _ experiments.Params) (experiments.Outcome, error) {
		end := processorTime() + start + time.Duration(times*float64(step)*float64(c.Distributions()-1))
		for processorTime() < end && ctx.Err() == nil {
		}
		return experiments.Outcome{Numbers: make([]float64, len(study.Stored()))}, ctx.Err()
	}
	return &study
}

// TestMeasure: cells that take three times as long as was planned, or a third, are planned anew from a few of them, and those that take
// hours from shorter ones.
func TestMeasure(t *testing.T) {
	for _, c := range []struct {
		T           string
		times       float64
		start       time.Duration
		most, least float64 // of what is measured beside what it takes
	}{
		{"[3, 5, 9]", 3, 0, 1.5, 0.6},
		{"[5, 9, 17]", 0.3, 0, 1.6, 0.6},
		{"[1000000]", 4, 0, 1.3, 0.7},
		{"[3, 1000000]", 0.25, 5 * time.Millisecond, 1.4, 0.6},
	} {
		if testing.Short() && c.times > 1 {
			continue
		}
		s := mustSweep(t, "[grid]\ntoy=['easy', 'hard']\nT="+c.T)
		s.study = slow(c.times, c.start)
		p, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		m, err := s.Measure(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		want := c.times * p.Steps * 1e-3
		if got := m.Time.Seconds(); !(got < c.most*want && got > c.least*want) {
			t.Errorf("T = %s, %v times the plan: %v seconds from %d cells, want %v", c.T, c.times, got, m.Timed, want)
		}
		if m.Timed == 0 || m.Longest > m.Time {
			t.Errorf("T = %s: %+v", c.T, m)
		}
	}
}

// TestMeasureEnds where its context does, and soon where cells take longer than anybody could know.
func TestMeasureEnds(t *testing.T) {
	s := mustSweep(t, "[grid]\ntoy=['easy']\nT=[2, 3, 4]")
	s.study = slow(1e6, 0)
	p, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Measure(ctx, p); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
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
		"kernels":  "study='kernelcheck'\n[grid]\ntoy=['easy', 'random:1:{0..9}:10x10']\nbeta=[0, 0.5, 1]",
		"moves":    "study='subjective'\n[grid]\nT=[10, 100]",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s := mustSweep(b, text)
				p, err := s.Plan()
				if err != nil {
					b.Fatal(err)
				}
				m, err := s.Measure(context.Background(), p)
				if err != nil {
					b.Fatal(err)
				}
				start, dir := processorTime(), b.TempDir()
				if _, err := Run(context.Background(), s, dir, Options{}); err != nil {
					b.Fatal(err)
				}
				took := processorTime() - start
				b.ReportMetric(took.Seconds(), "took_s")
				b.ReportMetric(p.Time.Seconds()/took.Seconds(), "planned/took")
				b.ReportMetric(m.Time.Seconds()/took.Seconds(), "measured/took")
			}
		})
	}
}
