package averages_test

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"breadboard/exact/averages"
	"breadboard/grid/longtest"
)

// BenchmarkTable measures the methods against each other and against a plain program in C in the same run. Beside each figure stands the
// one to reach, under the same name with -to-reach at its end. The command
//
//	go test ./exact/averages -run XXX -bench Table -benchtime 1x
//
// prints the whole table. Of each time it is the shortest of several rounds in which the contestants take turns.
func BenchmarkTable(b *testing.B) {
	for _, toy := range []string{"barrier", "random:1:1:30x30"} {
		c, y := chainOn(b, toy, "metropolis")
		f := functionOn(b, c, y, "x0")
		n := int64(min(20_000, 40_000_000/len(c.Rows.Entries)))
		mean := averages.Question{Function: f, Starts: [][]float64{lawOn(c, "uniform")}, N: []int64{n}}
		variance, many := mean, mean
		variance.Variance = true
		many.N = nil
		for i := range int64(100) {
			many.N = append(many.N, n*(i+1)/100)
		}
		plain := plainC(b)
		b.Run("recursion,"+toy, func(b *testing.B) {
			took := turns(b, asks(b, c, mean, averages.Recursion), asks(b, c, variance, averages.Recursion), asks(b, c, many, averages.Recursion), func() float64 {
				_, _, perSample := plain.second(b, c, mean)
				return perSample * float64(n) * 1e-9
			})
			b.ReportMetric(took[0]/float64(n)*1e9, "ns/step")
			reaches(b, took[0]/took[3], 1.5, "mean-of-C")
			reaches(b, took[1]/took[3], 6, "variance-of-C")
			reaches(b, took[2]/took[0], 1.2, "100-N-of-one")
		})
	}
	c, y := chainOn(b, "ising:4x4:0.4", "metropolis")
	sum := averages.Question{Function: functionOn(b, c, y, "sum"), Starts: [][]float64{c.Target}, N: []int64{1000}}
	all := sum
	all.N = nil
	for n := int64(1); n <= 1e12; n *= 2 {
		all.N = append(all.N, n)
	}
	b.Run("lanczos,ising:4x4:0.4", func(b *testing.B) {
		took := turns(b, asks(b, c, all, averages.Lanczos), asks(b, c, sum, averages.Recursion))
		b.ReportMetric(took[0], "s")
		reaches(b, took[0]/took[1], 0.3, "of-recursion")
	})
	b.Run("workers", func(b *testing.B) {
		if runtime.GOMAXPROCS(0) < 2 {
			b.Skip("there is one processor")
		}
		short := sum
		short.N = []int64{30}
		ask := asks(b, c, short, averages.Recursion)
		const questions = 6
		took := turns(b, together(ask, questions, 1), together(ask, questions, 2))
		reaches(b, took[0]/took[1], 1.8, "gain-of-two")
	})
}

// asks returns what asks a question and returns the seconds that it took.
func asks(b *testing.B, c *averages.Chain, q averages.Question, m averages.Method) func() float64 {
	return func() float64 {
		begin := time.Now()
		if _, err := c.Errors(context.Background(), q, m); err != nil {
			b.Error(err)
		}
		return time.Since(begin).Seconds()
	}
}

// together asks several times on so many workers.
func together(ask func() float64, questions, workers int) func() float64 {
	return func() float64 {
		begin := time.Now()
		var all sync.WaitGroup
		for range workers {
			all.Go(func() {
				for range questions / workers {
					ask()
				}
			})
		}
		all.Wait()
		return time.Since(begin).Seconds()
	}
}

// turns lets contestants take turns and returns the shortest time of each.
func turns(b *testing.B, contestants ...func() float64) []float64 {
	b.Helper()
	best := make([]float64, len(contestants))
	for b.Loop() {
		for range 5 {
			for i, run := range contestants {
				if took := run(); best[i] == 0 || took < best[i] {
					best[i] = took
				}
			}
		}
	}
	b.ReportMetric(0, "ns/op") // the time of all together says nothing
	return best
}

func reaches(b *testing.B, measured, limit float64, unit string) {
	b.Helper()
	b.ReportMetric(measured, unit)
	b.ReportMetric(limit, unit+"-to-reach")
}

// plainProgram is the program in testdata/plain.c.
type plainProgram string

// plainC compiles it. It skips the test where there is no compiler.
func plainC(tb testing.TB) plainProgram {
	tb.Helper()
	program := filepath.Join(tb.TempDir(), "plain")
	out, err := exec.Command("gcc", "-O2", "-o", program, "testdata/plain.c").CombinedOutput()
	if err != nil {
		tb.Skipf("there is no C compiler to compare with: %v %s", err, out)
	}
	return plainProgram(program)
}

// second returns E[S] and E[S^2] for the last N of a question and its first start, and the nanoseconds that a sample took.
func (p plainProgram) second(tb testing.TB, c *averages.Chain, q averages.Question) (first, square, nanoseconds float64) {
	tb.Helper()
	var in strings.Builder
	fmt.Fprintln(&in, c.States(), len(c.Rows.Entries), q.N[len(q.N)-1])
	place := 0
	for x := range c.States() {
		fmt.Fprintln(&in, place)
		place += len(c.Rows.Row(x))
	}
	fmt.Fprintln(&in, place)
	for _, e := range c.Rows.Entries {
		fmt.Fprintln(&in, e.To)
	}
	for _, e := range c.Rows.Entries {
		fmt.Fprintln(&in, e.P)
	}
	for _, v := range append(append([]float64(nil), q.Function.Values...), q.Starts[0]...) {
		fmt.Fprintln(&in, v)
	}
	command := exec.Command(string(p))
	command.Stdin = strings.NewReader(in.String())
	out := longtest.Must(command.Output())(tb)
	longtest.Must(fmt.Sscan(string(out), &first, &square, &nanoseconds))(tb)
	return first, square, nanoseconds
}

// TestPlainC holds the program that the recursion is measured against to the recursion: both solve the same problem.
func TestPlainC(t *testing.T) {
	longtest.NotShort(t)
	c, y := chainOn(t, "easy", "metropolis")
	q := averages.Question{Function: functionOn(t, c, y, "x0"), Starts: [][]float64{lawOn(c, "uniform")}, N: []int64{100}}
	first, square, _ := plainC(t).second(t, c, q)
	got := longtest.Must(c.Errors(context.Background(), q, averages.Recursion))(t)
	if e := got[0][0]; math.Abs(e.Bias-first/100) > 1e-12 || math.Abs(e.MSE-square/10_000) > 1e-12 {
		t.Errorf("C has %v and %v, the recursion %v and %v", first/100, square/10_000, e.Bias, e.MSE)
	}
}

// The laws of 8 chains of 100 samples on a toy of 49 states.

func benchmarkedSum(b *testing.B, function string) *averages.SumLaw {
	c, f, start := setting(b, "barrier", "heatbath", "uniform", function)
	return longtest.Must(c.SumLaw(b.Context(), f, start, 100))(b)
}

func BenchmarkSumLaw(b *testing.B) {
	c, f, start := setting(b, "barrier", "heatbath", "uniform", "x0")
	for b.Loop() {
		longtest.Must(c.SumLaw(b.Context(), f, start, 100))(b)
	}
}

// BenchmarkSuccess is of the exact probability and its bracket; the latter alone is a limit of 0.02 away, where only it is computed.
func BenchmarkSuccess(b *testing.B) {
	for _, v := range []struct {
		name string
		ress float64
	}{{"exact", 12}, {"bracket", 0.02}} {
		b.Run(v.name, func(b *testing.B) {
			l := benchmarkedSum(b, "x0")
			for b.Loop() {
				longtest.Must(l.Success(b.Context(), 8, v.ress))(b)
			}
		})
	}
}

func BenchmarkRESS(b *testing.B) {
	l := benchmarkedSum(b, "x0")
	for b.Loop() {
		longtest.Must(l.RESS(b.Context(), 8))(b)
	}
}

func BenchmarkRHat(b *testing.B) {
	l := benchmarkedSum(b, "mode")
	for b.Loop() {
		longtest.Must(l.RHat(b.Context(), 8))(b)
	}
}

func BenchmarkKS(b *testing.B) {
	c, f, start := setting(b, "barrier", "heatbath", "uniform", "mode")
	for b.Loop() {
		longtest.Must(c.KS(b.Context(), f, start, 1000))(b)
	}
}

func BenchmarkIndependentKS(b *testing.B) {
	_, f, _ := setting(b, "barrier", "heatbath", "uniform", "x0")
	for b.Loop() {
		longtest.Must(f.IndependentKS(b.Context(), 1000))(b)
	}
}
