package sweep

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

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
