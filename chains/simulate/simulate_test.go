package simulate_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

func Barker(l *grid.Lattice) chains.Kernel { return kernels.Barker{Space: l} }

// moments walks over every path of the annealing: the distributions of x_1 and x_T, the mean of log
// w, its largest size.
func moments(t *testing.T, a *chains.Annealing, d chains.Direction) (first, last []float64, mean, size float64) {
	t.Helper()
	n, T := a.States(), a.Distributions()
	logf := make([][]float64, T+1)
	for i := 1; i <= T; i++ {
		logf[i] = make([]float64, n)
		a.LogF(logf[i], i)
	}
	start := make([]float64, n)
	from := logf[1]
	if d == chains.Reverse {
		from = logf[T]
	}
	z := 0.0
	for x, v := range from {
		start[x] = math.Exp(v)
		z += start[x]
	}
	first, last = make([]float64, n), make([]float64, n)
	k := a.Kernel().(chains.Rower)
	var walk func(i, x, origin int, p, logw float64)
	walk = func(i, x, origin int, p, logw float64) {
		if d == chains.Forward && i == T || d == chains.Reverse && i == 1 {
			if d == chains.Forward {
				first[origin] += p
				last[x] += p
			} else {
				first[x] += p
				last[origin] += p
			}
			mean += p * logw
			size = max(size, math.Abs(logw))
			return
		}
		if d == chains.Forward {
			step := logf[i+1][x] - logf[i][x]
			for y, q := range chainstest.Row(k, logf[i+1], x) {
				walk(i+1, y, origin, p*q, logw+step)
			}
			return
		}
		for y, q := range chainstest.Row(k, logf[i], x) {
			walk(i-1, y, origin, p*q, logw+logf[i][y]-logf[i-1][y])
		}
	}
	for x, p := range start {
		if d == chains.Forward {
			walk(1, x, x, p/z, 0)
		} else {
			walk(T, x, x, p/z, 0)
		}
	}
	return first, last, mean, size
}

// TestSimulations compares frequencies and mean log weights of the three ways to run chains with a
// walk over all paths. By Hoeffding's inequality the mean of N draws from an interval of length c
// is off by more than c sqrt(log(2/d)/2N) with probability below d; d is 1e-12 for each of about
// 200 means, so the test fails by chance with probability below 1e-9. The seed is fixed.
func TestSimulations(t *testing.T) {
	longtest.Only(t)
	const draws = 60_000
	bound := math.Sqrt(math.Log(2/1e-12) / (2 * draws))
	for _, kernel := range []func(*grid.Lattice) chains.Kernel{func(l *grid.Lattice) chains.Kernel { return kernels.Metropolis{Space: l} }, Barker} {
		a := chainstest.Small(t, kernel, 4)
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			first, last, mean, size := moments(t, a, d)
			for name, run := range map[string]func() (*simulate.Occupation, error){
				"move": func() (*simulate.Occupation, error) {
					return total(a)(simulate.Run(a, d, chains.NewSampler(simulate.NewStream(5, "move", 0)), draws, nil))
				},
				"rows": func() (*simulate.Occupation, error) {
					return total(a)(simulate.Rows(a, d, simulate.NewStream(5, "rows", 0), draws, nil))
				},
				"counts": func() (*simulate.Occupation, error) {
					return simulate.Counts(a, d, simulate.NewStream(5, "counts", 0), draws, nil)
				},
			} {
				o := longtest.Must(run())(t)
				for x := range first {
					if f := float64(o.First[x]) / draws; math.Abs(f-first[x]) > bound {
						t.Errorf("%s %s: x_1 = %d in %v of chains, probability %v", d, name, x, f, first[x])
					}
					if f := float64(o.Last[x]) / draws; math.Abs(f-last[x]) > bound {
						t.Errorf("%s %s: x_T = %d in %v of chains, probability %v", d, name, x, f, last[x])
					}
				}
				if m := o.SumLogW / draws; math.Abs(m-mean) > 2*size*bound {
					t.Errorf("%s %s: mean log w %v, want %v", d, name, m, mean)
				}
			}
		}
	}
}

// total adds up a batch.
func total(a *chains.Annealing) func(*simulate.Batch, error) (*simulate.Occupation, error) {
	return func(b *simulate.Batch, err error) (*simulate.Occupation, error) {
		if err != nil {
			return nil, err
		}
		o := &simulate.Occupation{First: make([]int, a.States()), Last: make([]int, a.States())}
		for i := range b.LogW {
			o.First[b.First[i]]++
			o.Last[b.Last[i]]++
			o.SumLogW += b.LogW[i]
		}
		return o, nil
	}
}

// TestWeightsOfZeros runs chains between distributions with zeros: forward weights vanish, none is
// NaN.
func TestWeightsOfZeros(t *testing.T) {
	inf := math.Inf(-1)
	l := grid.MustNew(2, 2)
	for _, c := range []struct {
		initial, target []float64
		d               chains.Direction
		sign            int
	}{
		{nil, []float64{0, 1, inf, 2}, chains.Forward, -1},
		{nil, []float64{0, 1, inf, 2}, chains.Reverse, 0},
		{[]float64{0, 1, inf, 2}, []float64{0, 1, 0, 2}, chains.Forward, 0},
		{[]float64{0, 1, inf, 2}, []float64{0, 1, 0, 2}, chains.Reverse, 1},
	} {
		path := longtest.Sure(paths.NewGeometric(c.initial, c.target))
		a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: l}, 5))
		slow := longtest.Must(simulate.Run(a, c.d, chains.NewSampler(simulate.NewStream(1, "", 0)), 1000, nil))(t)
		fast := longtest.Must(simulate.Rows(a, c.d, simulate.NewStream(1, "", 0), 1000, nil))(t)
		for _, b := range []*simulate.Batch{slow, fast} {
			infinite := 0
			for _, w := range b.LogW {
				switch {
				case math.IsNaN(w):
					t.Fatalf("%s from %v to %v: a log weight is NaN", c.d, c.initial, c.target)
				case math.IsInf(w, c.sign) && c.sign != 0:
					infinite++
				case math.IsInf(w, 0):
					t.Fatalf("%s from %v to %v: a log weight is %v", c.d, c.initial, c.target, w)
				}
			}
			if (c.sign != 0) != (infinite > 0) || infinite == 1000 {
				t.Errorf("%s from %v to %v: %d of 1000 log weights are infinite", c.d, c.initial, c.target, infinite)
			}
		}
	}
}

func TestSimulationErrors(t *testing.T) {
	for name, c := range map[string]struct {
		move func(chains.Chooser, []float64, int) int
		want string
	}{
		"outside": {func(_ chains.Chooser, _ []float64, x int) int { return x + 1 }, "Move went to state 4, outside 0..3"},
		"panic":   {func(chains.Chooser, []float64, int) int { panic("oops") }, "Move panicked: oops"},
	} {
		a := chainstest.Small(t, func(*grid.Lattice) chains.Kernel { return moveFunc(c.move) }, 5)
		_, err := simulate.Run(a, chains.Forward, chains.NewSampler(simulate.NewStream(1, "", 0)), 50, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "stage t = ") || !strings.Contains(err.Error(), "state ") {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := simulate.Rows(a, chains.Forward, simulate.NewStream(1, "", 0), 5, nil); err == nil {
			t.Errorf("%s: a kernel without rows runs by rows", name)
		}
		if _, err := simulate.Counts(a, chains.Forward, simulate.NewStream(1, "", 0), 5, nil); err == nil {
			t.Errorf("%s: a kernel without rows runs by counts", name)
		}
	}
}

type moveFunc func(chains.Chooser, []float64, int) int

func (f moveFunc) Move(c chains.Chooser, logf []float64, x int) int { return f(c, logf, x) }

// TestStreams pins the streams: what is published with a seed can be run again.
func TestStreams(t *testing.T) {
	if got, want := simulate.NewStream(1, "a", 2).Uint64(), uint64(3486628140491300730); got != want {
		t.Errorf("stream (1, a, 2) begins with %d, want %d", got, want)
	}
	seen := map[uint64]bool{}
	for seed := range uint64(5) {
		for _, purpose := range []string{"", "a", "b"} {
			for block := range 5 {
				seen[simulate.NewStream(seed, purpose, block).Uint64()] = true
			}
		}
	}
	if len(seen) != 75 {
		t.Errorf("75 streams begin with %d numbers", len(seen))
	}
}

// TestTablesError: tables of 65,536 states are made if rows are short, and refused, with the size,
// where a row has all states; on few states nothing is refused.
func TestTablesError(t *testing.T) {
	longtest.Only(t)
	many := slices.Repeat([]int{2}, 16)
	for _, c := range []struct {
		kernel string
		sides  []int
		refuse string
	}{
		{"metropolis", many[:12], ""}, {"heatbath", many[:12], ""}, {"heatbath-scan", []int{7, 7}, ""},
		{"heatbath-scan", many, " on 65536 states would take about 206 GB; the limit is 2 GB"},
	} {
		space := grid.MustNew(c.sides...)
		k := longtest.Sure(kernels.Parse(c.kernel, space))
		path := longtest.Sure(paths.NewGeometric(make([]float64, space.States()), make([]float64, space.States())))
		a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, k, 3))
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			err := simulate.TablesError(a, d)
			if (err != nil) != (c.refuse != "") || err != nil && !strings.Contains(err.Error(), c.refuse) {
				t.Errorf("%s on %v: %v", c.kernel, c.sides, err)
			}
			if _, err := simulate.NewTables(a, d, nil); (err != nil) != (c.refuse != "") {
				t.Errorf("%s on %v: tables: %v", c.kernel, c.sides, err)
			}
		}
		if simulate.HasTables(a) != (c.refuse == "") {
			t.Errorf("%s on %v: HasTables", c.kernel, c.sides)
		}
	}
}

// TestStagesAreCountedOnce: a watch hears once of each stage, in both directions and by all ways to
// simulate, however often it is looked at.
func TestStagesAreCountedOnce(t *testing.T) {
	longtest.Only(t)
	space := grid.MustNew(5, 5)
	path := longtest.Sure(paths.NewGeometric(nil, chainstest.Waves(25)))
	const T = 7
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Repeat(300, kernels.Metropolis{Space: space}), T))
	looks, stages := 0, 0
	watch := &simulate.Watch{Look: func() error { looks++; return nil }, Stage: func() { stages++ }}
	for name, run := range map[string]func(chains.Direction) error{
		"moves": func(d chains.Direction) error {
			_, err := simulate.Run(a, d, chains.NewSampler(simulate.NewStream(1, "", 0)), 300, watch)
			return err
		},
		"rows": func(d chains.Direction) error {
			_, err := simulate.Rows(a, d, simulate.NewStream(1, "", 0), 300, watch)
			return err
		},
		"counts": func(d chains.Direction) error {
			_, err := simulate.Counts(a, d, simulate.NewStream(1, "", 0), 300, watch)
			return err
		},
	} {
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			looks, stages = 0, 0
			longtest.NoError(t, run(d))
			if stages != T-1 || looks < 2*T {
				t.Errorf("%s, %s: told of %d stages in %d looks; there are %d", name, d, stages, looks, T-1)
			}
		}
	}
}

// TestStatesAreSeen: a watch sees the states of the chains at every stage, in the order of the
// chains and the ends among them, and the chains are hidden. The states make the log weights.
func TestStatesAreSeen(t *testing.T) {
	space := grid.MustNew(5, 5)
	path := longtest.Sure(paths.NewGeometric(nil, chainstest.Waves(25)))
	for _, kernel := range []string{"metropolis", "heatbath-scan", "lazy:0.3:heatbath-scan", "repeat:2:suwa-todo"} {
		seen(t, longtest.Sure(chains.NewAnnealing(path, schedules.Power{P: 2}, longtest.Sure(kernels.Parse(kernel, space)), statesSeen)))
	}
}

// statesSeen is the number of distributions of TestStatesAreSeen.
const statesSeen = 7

func seen(t *testing.T, a *chains.Annealing) {
	const T, k = statesSeen, 300
	for name, run := range map[string]func(chains.Direction, *simulate.Watch) (*simulate.Batch, error){
		"moves": func(d chains.Direction, w *simulate.Watch) (*simulate.Batch, error) {
			return simulate.Run(a, d, chains.NewSampler(simulate.NewStream(1, "", 0)), k, w)
		},
		"rows": func(d chains.Direction, w *simulate.Watch) (*simulate.Batch, error) {
			return simulate.Rows(a, d, simulate.NewStream(1, "", 0), k, w)
		},
	} {
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			var order []int
			seen := map[int][]int32{}
			b := longtest.Must(run(d, &simulate.Watch{See: func(t int, states []int32) {
				order = append(order, t)
				seen[t] = slices.Clone(states)
			}}))(t)
			blind, err := run(d, nil)
			if err != nil || !slices.Equal(b.LogW, blind.LogW) || !slices.Equal(b.Last, blind.Last) {
				t.Errorf("%s, %s: the chains are others where they are seen", name, d)
			}
			want := []int{1, 2, 3, 4, 5, 6, 7}
			if d == chains.Reverse {
				slices.Reverse(want)
			}
			if !slices.Equal(order, want) || !slices.Equal(seen[1], b.First) || !slices.Equal(seen[T], b.Last) {
				t.Errorf("%s, %s: stages %v, ends %v and %v", name, d, order, seen[1][:5], seen[T][:5])
			}
			for i, logw := range b.LogW {
				ratio, sum := make([]float64, 25), 0.0
				for s := 2; s <= T; s++ {
					a.LogRatio(ratio, s)
					sum += ratio[seen[s-1][i]]
				}
				if math.Abs(sum-logw) > 1e-12*(1+math.Abs(sum)) {
					t.Fatalf("%s, %s: chain %d has log weight %v, and its states %v", name, d, i, logw, sum)
				}
			}
		}
	}
}
