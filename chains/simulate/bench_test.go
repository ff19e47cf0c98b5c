package simulate_test

import (
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

func annealed(toy *toys.Toy, T int) *chains.Annealing {
	path := longtest.Sure(paths.NewGeometric(nil, toy.G))
	return longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: toy.Space}, T))
}

// BenchmarkSimulate compares the ways to run chains on one core with each other and with the plain
// program testdata/plain.c, which runs them one by one, on the same annealing in the same run. The
// figures are
//
//	ns/step, plain-c-ns/step   the time of a step of a chain, the shortest of several rounds in which both take turns
//	of-plain-c                 the first divided by the second; of-plain-c-to-reach is what it should not exceed
//	chain-steps/s              one over the first
func BenchmarkSimulate(b *testing.B) {
	plain := plainC(b)
	for _, way := range []struct {
		name   string
		chains int
		reach  float64 // of-plain-c-to-reach; 0 for none
		run    func(a *chains.Annealing, k int) (*simulate.Batch, error)
	}{
		{"rows", 25_000, 0.2, func(a *chains.Annealing, k int) (*simulate.Batch, error) {
			return simulate.Rows(a, chains.Forward, simulate.NewStream(1, "bench", 0), k, nil)
		}},
		{"move", 500, 0, func(a *chains.Annealing, k int) (*simulate.Batch, error) {
			return simulate.Run(a, chains.Forward, chains.NewSampler(simulate.NewStream(1, "bench", 0)), k, nil)
		}},
	} {
		for _, toy := range []*toys.Toy{toys.Easy(), longtest.Sure(toys.Parse("barrier"))} {
			b.Run(way.name+"/"+toy.Name, func(b *testing.B) {
				const T = 1000
				a := annealed(toy, T)
				best, bestPlain := math.Inf(1), math.Inf(1)
				for b.Loop() {
					for range 5 {
						start := time.Now()
						longtest.Must(way.run(a, way.chains))(b)
						best = min(best, float64(time.Since(start).Nanoseconds())/float64(way.chains*(T-1)))
						if _, ns, err := plain.run(toy.G, 7, T, 2000); err == nil {
							bestPlain = min(bestPlain, ns)
						}
					}
				}
				b.ReportMetric(0, "ns/op") // the time of both programs together says nothing
				b.ReportMetric(best, "ns/step")
				b.ReportMetric(1e9/best, "chain-steps/s")
				if math.IsInf(bestPlain, 1) {
					return
				}
				b.ReportMetric(bestPlain, "plain-c-ns/step")
				b.ReportMetric(best/bestPlain, "of-plain-c")
				if way.reach > 0 {
					b.ReportMetric(way.reach, "of-plain-c-to-reach")
				}
			})
		}
	}
}

// plain is the program in testdata/plain.c; empty if there is no compiler.
type plain string

// errNoPlain is why it cannot run.
var errNoPlain = errors.New("there is no C compiler")

func plainC(tb testing.TB) plain {
	tb.Helper()
	program := filepath.Join(tb.TempDir(), "plain")
	for _, compiler := range []string{"gcc", "cc"} {
		out, err := exec.Command(compiler, "-O3", "-march=native", "-o", program, "testdata/plain.c", "-lm").CombinedOutput()
		if err == nil {
			return plain(program)
		}
		tb.Logf("%s cannot compile testdata/plain.c: %v %s", compiler, err, out)
	}
	return ""
}

// run runs that many chains, and returns the mean of their log weights and the nanoseconds of a
// step.
func (p plain) run(g []float64, side, T, k int) (mean, ns float64, err error) {
	if p == "" {
		return 0, 0, errNoPlain
	}
	command := exec.Command(string(p), strconv.Itoa(side), strconv.Itoa(T), strconv.Itoa(k), "1")
	command.Stdin = strings.NewReader(strings.Trim(fmt.Sprint(g), "[]"))
	out, err := command.Output()
	if err != nil {
		return 0, 0, fmt.Errorf("%v: %w", command, err)
	}
	_, err = fmt.Sscan(string(out), &mean, &ns)
	return mean, ns, err
}

// TestPlainC holds the program in C that the simulation is measured against to the distribution of
// its log weights, as TestSimulations does with the simulation. It fails by chance with a
// probability below 1e-12, and the seed is fixed.
func TestPlainC(t *testing.T) {
	longtest.Only(t)
	const draws, T = 200_000, 4
	g := chainstest.Waves(4)
	path := longtest.Must(paths.NewGeometric(nil, g))(t)
	a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(2, 2)}, T))(t)
	_, _, want, size := moments(t, a, chains.Forward)
	mean, _, err := plainC(t).run(g, 2, T, draws)
	if errors.Is(err, errNoPlain) {
		t.Skip(err)
	}
	if bound := 2 * size * math.Sqrt(math.Log(2/1e-12)/(2*draws)); err != nil || !(math.Abs(mean-want) <= bound) {
		t.Errorf("the mean of log w is %v, want %v within %v (%v)", mean, want, bound, err)
	}
}

// Three forward chains of an annealing on a line of five states, with their log weights.
func ExampleRun() {
	path, _ := paths.NewGeometric(nil, []float64{2, 0, -3, 0, 1})
	line, _ := grid.New(5)
	a, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: line}, 20)
	b, err := simulate.Run(a, chains.Forward, chains.NewSampler(simulate.NewStream(1, "example", 0)), 3, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("from %d to %d, log weights %.4f\n", b.First, b.Last, b.LogW)
	// Output:
	// from [3 3 4] to [0 4 0], log weights [0.8421 0.7895 0.8421]
}
