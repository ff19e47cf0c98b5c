//go:build unix

package sweep

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"breadboard/experiments"
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
	var next atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= s.Len() {
					return
				}
				if _, err := s.study.Row(context.Background(), experiments.Params(s.Cell(i))); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
	return time.Since(start)
}

func stored(b *testing.B, s *Sweep, workers int) time.Duration {
	b.Helper()
	start := time.Now()
	if _, err := Run(context.Background(), s, b.TempDir(), Options{Workers: workers}); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// cost is what something takes: the time on the wall, and of all processors.
type cost struct{ wall, cpu float64 }

// against calls f and g in turn, so many times, and returns how much more g takes: the medians of the ratios of
// neighbours, which the moods of a machine spoil least.
func against(b *testing.B, times int, f, g func() time.Duration) cost {
	b.Helper()
	timed := func(f func() time.Duration) cost {
		before := processors(b)
		wall := f().Seconds()
		return cost{wall, processors(b) - before}
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

// processors returns the seconds that all processors have spent on this process.
func processors(b *testing.B) float64 {
	b.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return float64(use.Utime.Nano()+use.Stime.Nano()) / 1e9
}

// BenchmarkStore measures what storing results on this disk adds to cells of a millisecond, with one worker and
// with two: time on the wall, which other processes on the machine spoil, and processor time.
func BenchmarkStore(b *testing.B) {
	s := milliseconds(b, 3000)
	for b.Loop() {
		for workers := 1; workers <= 2; workers++ {
			t := against(b, 3, func() time.Duration { return plain(b, s, workers) }, func() time.Duration { return stored(b, s, workers) })
			b.ReportMetric(100*(t.wall-1), fmt.Sprintf("%%overhead-%dworkers", workers))
			b.ReportMetric(100*(t.cpu-1), fmt.Sprintf("%%cpu-overhead-%dworkers", workers))
		}
	}
}

// BenchmarkWorkers measures how much faster two workers are than one, store and all.
func BenchmarkWorkers(b *testing.B) {
	s := milliseconds(b, 1000)
	for b.Loop() {
		t := against(b, 9, func() time.Duration { return stored(b, s, 2) }, func() time.Duration { return stored(b, s, 1) })
		b.ReportMetric(t.wall, "times-1worker")
	}
}
