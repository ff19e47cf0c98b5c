package simulate_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/chainstest"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/exact/program"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// moments enumerates the process of the annealing: the distributions of x_1 and x_T, the mean of
// log w, its largest size.
func moments(t *testing.T, a *chains.Annealing,
	d chains.Direction) (first, last []float64, mean, size float64) {
	t.Helper()
	type end struct {
		first, last int
		logw        float64
	}
	p := longtest.Sure(simulate.NewAIS(a, d))
	law := longtest.Must(program.Enumerate(t.Context(), func(c chains.Chooser) (e end) {
		e.first, e.last, e.logw = chains.Run(p, c)
		return e
	}, program.Options{}))(t)
	first, last = make([]float64, a.States()), make([]float64, a.States())
	for _, o := range law.Outcomes() {
		first[o.Value.first] += o.P
		last[o.Value.last] += o.P
		mean += o.P * o.Value.logw
		size = max(size, math.Abs(o.Value.logw))
	}
	if d == chains.Reverse {
		first, last = last, first
	}
	return first, last, mean, size
}

// TestSimulations compares frequencies and mean log weights of both ways to run chains with
// the enumerated process. By Hoeffding's inequality the mean of N draws from an interval of length
// c is off by more than c sqrt(log(2/d)/2N) with probability below d; d is 1e-12 for each of about
// 200 means, so the test fails by chance with probability below 1e-9. The seed is fixed.
func TestSimulations(t *testing.T) {
	longtest.Only(t)
	const draws = 60_000
	bound := math.Sqrt(math.Log(2/1e-12) / (2 * draws))
	for _, kernel := range []string{"metropolis", "barker"} {
		a := chainstest.Small(
			t,
			func(l *grid.Lattice) chains.Kernel { return longtest.Sure(kernels.Parse(kernel, l)) },
			4,
		)
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			first, last, mean, size := moments(t, a, d)
			for name, run := range ways() {
				o := longtest.Must(run(a, d, draws, nil))(t)
				for x := range first {
					if f, l := float64(o.First[x])/draws, float64(o.Last[x])/draws; math.Abs(f-first[x]) >
						bound || math.Abs(l-last[x]) > bound {
						t.Errorf("%s %s: x_1 and x_T are %d in %v and %v of chains, probabilities %v and %v",
							d, name, x, f, l, first[x], last[x])
					}
				}
				if m := o.SumLogW / draws; math.Abs(m-mean) > 2*size*bound {
					t.Errorf("%s %s: mean log w %v, want %v", d, name, m, mean)
				}
			}
		}
	}
}

// occupation is how many chains were at each state at the first and the last stage, and the sum of
// their log weights.
type occupation struct {
	First, Last []int
	SumLogW     float64
}

type way = func(a *chains.Annealing, d chains.Direction, k int, watch *simulate.Watch) (*occupation, error)

// ways are both ways to run chains.
func ways() map[string]way {
	return map[string]way{
		"move": func(a *chains.Annealing, d chains.Direction, k int,
			watch *simulate.Watch) (*occupation, error) {
			b, err := simulate.Run(a, d, chains.NewSampler(simulate.NewStream(5, "move", 0)), k, watch)
			return total(a, b), err
		},
		"rows": func(a *chains.Annealing, d chains.Direction, k int,
			watch *simulate.Watch) (*occupation, error) {
			b, err := simulate.Rows(a, d, simulate.NewStream(5, "rows", 0), k, watch)
			return total(a, b), err
		},
	}
}

// total adds up a batch.
func total(a *chains.Annealing, b *simulate.Batch) *occupation {
	o := &occupation{First: make([]int, a.States()), Last: make([]int, a.States())}
	for i := range b.LogW {
		o.First[b.First[i]]++
		o.Last[b.Last[i]]++
		o.SumLogW += b.LogW[i]
	}
	return o
}

func TestSimulationErrors(t *testing.T) {
	for want, move := range map[string]moveFunc{
		"Move went to state 4, outside 0..3": func(_ chains.Chooser, _ []float64, x int) int { return x + 1 },
		"Move panicked: oops":                func(chains.Chooser, []float64, int) int { panic("oops") },
	} {
		a := chainstest.Small(t, func(*grid.Lattice) chains.Kernel { return move }, 5)
		_, err := simulate.Run(a, chains.Forward, chains.NewSampler(simulate.NewStream(1, "", 0)), 50, nil)
		for _, text := range []string{want, "stage t = ", "state "} {
			longtest.Refused(t, err, text)
		}
		longtest.Refuses(simulate.Rows(a, chains.Forward, simulate.NewStream(1, "", 0), 5, nil))(t, "closed form")
	}
}

type moveFunc func(chains.Chooser, []float64, int) int

func (f moveFunc) Move(c chains.Chooser, logf []float64, x int) int { return f(c, logf, x) }

// TestStreams pins the streams: what is published with a seed can be run again.
func TestStreams(t *testing.T) {
	if got, want := simulate.NewStream(1, "a", 2).Uint64(), uint64(3486628140491300730); got != want {
		t.Errorf("stream (1, a, 2) begins with %d, want %d", got, want)
	}
}

// TestStatesAreSeen: a watch sees the states of the chains at every stage, in the order of the
// chains and the ends among them, and the chains are hidden. The states make the log weights.
func TestStatesAreSeen(t *testing.T) {
	const T, k = 7, 300
	path := longtest.Sure(paths.NewGeometric(nil, chainstest.Waves(25)))
	for _, kernel := range []string{
		"metropolis", "heatbath-scan", "lazy:0.3:heatbath-scan", "repeat:2:suwa-todo"} {
		a := longtest.Sure(chains.NewAnnealing(
			path,
			schedules.Power{P: 2},
			longtest.Sure(kernels.Parse(kernel, grid.MustNew(5, 5))),
			T,
		))
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			for way, run := range []func(*simulate.Watch) (*simulate.Batch, error){
				func(w *simulate.Watch) (*simulate.Batch, error) {
					return simulate.Run(a, d, chains.NewSampler(simulate.NewStream(1, "", 0)), k, w)
				},
				func(w *simulate.Watch) (*simulate.Batch, error) {
					return simulate.Rows(a, d, simulate.NewStream(1, "", 0), k, w)
				},
			} {
				var order []int
				seen := map[int][]int32{}
				b := longtest.Must(run(&simulate.Watch{See: func(t int, states []int32) {
					order = append(order, t)
					seen[t] = slices.Clone(states)
				}}))(t)
				if blind := longtest.Must(run(nil))(t); !slices.Equal(b.LogW, blind.LogW) ||
					!slices.Equal(b.Last, blind.Last) {
					t.Errorf("%s, way %d, %s: the chains are others where they are seen", kernel, way, d)
				}
				want := []int{1, 2, 3, 4, 5, 6, 7}
				if d == chains.Reverse {
					slices.Reverse(want)
				}
				if !slices.Equal(order, want) || !slices.Equal(seen[1], b.First) ||
					!slices.Equal(seen[T], b.Last) {
					t.Errorf("%s, way %d, %s: stages %v, ends %v and %v", kernel, way, d, order, seen[1][:5],
						seen[T][:5])
				}
				sums := make([]float64, k)
				ratio := make([]float64, 25)
				for s := 2; s <= T; s++ {
					a.LogRatio(ratio, s)
					for i := range sums {
						sums[i] += ratio[seen[s-1][i]]
					}
				}
				for i, logw := range b.LogW {
					if math.Abs(sums[i]-logw) > 1e-12*(1+math.Abs(logw)) {
						t.Fatalf("%s, way %d, %s: chain %d has log weight %v, and its states %v", kernel,
							way, d, i, logw, sums[i])
					}
				}
			}
		}
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
