package kerneltest_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/program"
	"breadboard/experiments/checks/kerneltest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// moveFunc is a kernel of one function.
type moveFunc func(c chains.Chooser, logf []float64, x int) int

func (f moveFunc) Move(c chains.Chooser, logf []float64, x int) int { return f(c, logf, x) }

// accept is the probability of Metropolis to go from x to y.
func accept(logf []float64, x, y int) float64 {
	switch {
	case math.IsInf(logf[y], -1):
		return 0
	case math.IsInf(logf[x], -1):
		return 1
	}
	return math.Exp(min(0, logf[y]-logf[x]))
}

// step is Metropolis on a ring, the kernel that the broken ones are made from.
func step(c chains.Chooser, logf []float64, x int) int { return accepting(accept)(c, logf, x) }

// accepting proposes a neighbour on a ring and accepts it with a probability.
func accepting(p func(logf []float64, x, y int) float64) moveFunc {
	return func(c chains.Chooser, logf []float64, x int) int {
		n := len(logf)
		if y := (x + 1 + c.Uniform(2)*(n-2)) % n; c.Flip(p(logf, x, y)) {
			return y
		}
		return x
	}
}

// before does something before each step; where it returns a state, the move ends there and makes
// no step.
func before(first func(c chains.Chooser, logf []float64, x int) (y int, ends bool)) moveFunc {
	return func(c chains.Chooser, logf []float64, x int) int {
		if y, ends := first(c, logf, x); ends {
			return y
		}
		return step(c, logf, x)
	}
}

// ringRows is a kernel with rows of its own beside Move.
type ringRows struct {
	moveFunc
	row func(dst []chains.Entry, logf []float64, x int) []chains.Entry
}

func (k ringRows) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return k.row(dst, logf, x)
}

// ringRow is the row of step.
func ringRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	n := len(logf)
	stay := 1.0
	for _, y := range []int{(x + 1) % n, (x + n - 1) % n} {
		p := 0.5 * accept(logf, x, y)
		stay -= p
		dst = append(dst, chains.Entry{To: y, P: p})
	}
	return append(dst, chains.Entry{To: x, P: stay})
}

// reversed is a kernel that says what its time reversal is.
type reversed struct{ chains.Kernel }

func (k reversed) Reversal() chains.Kernel { return k.Kernel }

// pairs moves within the pairs of states 0 and 1, 2 and 3 and so on, and then within 1 and 2, 3 and
// 4: each of the two is reversible, and one after the other are not.
func pairs(c chains.Chooser, logf []float64, x int) int {
	for _, odd := range []int{0, 1} {
		y := x ^ 1
		if odd == 1 {
			y = ((x + 1) ^ 1) - 1
		}
		if y >= 0 && y < len(logf) && c.Flip(accept(logf, x, y)) {
			x = y
		}
	}
	return x
}

// TestRightKernelsPass: what the broken kernels are made from is right.
func TestRightKernelsPass(t *testing.T) {
	longtest.Only(t)
	kerneltest.Run(t, moveFunc(step), grid.MustNew(7))
	kerneltest.Run(t, ringRows{step, ringRow}, grid.MustNew(7))
	kerneltest.Run(t, reversed{moveFunc(step)}, grid.MustNew(7))
	kerneltest.Run(t, moveFunc(pairs), grid.MustNew(6)) // not reversible, and says nothing
}

// TestBrokenKernelsFail shows the suite kernels that are wrong in one way each: each must fail, and
// with what is wrong.
func TestBrokenKernelsFail(t *testing.T) {
	longtest.Only(t) // it checks many kernels
	var moves atomic.Int64
	// so that the race is in what it does, and not one of the memory, which the race detector finds
	var scratch [7]atomic.Uint64
	for name, c := range map[string]struct {
		kernel chains.Kernel
		want   string
	}{
		"accepts too much": {
			accepting(func(logf []float64, x, y int) float64 { return math.Sqrt(accept(logf, x, y)) }),
			"do not leave it invariant"},
		"goes right too often": {moveFunc(func(c chains.Chooser, logf []float64, x int) int {
			y := (x + 1) % 7
			if c.Flip(0.4) {
				y = (x + 6) % 7
			}
			if c.Flip(accept(logf, x, y)) {
				return y
			}
			return x
		}), "do not leave it invariant"},
		"rejected proposals are drawn again": {moveFunc(func(c chains.Chooser, logf []float64, x int) int {
			for range 8 {
				if y := step(c, logf, x); y != x {
					return y
				}
			}
			return x
		}), "do not leave it invariant"},
		"exponentials of log f as it is": {accepting(func(logf []float64, x, y int) float64 {
			return math.Exp(logf[y]) / (math.Exp(logf[x]) + math.Exp(logf[y]))
		}), "target constant of 1e12: kernel kerneltest_test.moveFunc at state 0: Flip(NaN)"},
		"exponentials beside those of the largest": {
			moveFunc(func(c chains.Chooser, logf []float64, x int) int {
				y := (x + 1 + c.Uniform(2)*5) % 7
				to := math.Exp(logf[y] - slices.Max(logf))
				from := math.Exp(logf[x] - slices.Max(logf))
				if math.IsInf(logf[y], -1) || !c.Flip(to/(from+to)) {
					return x
				}
				return y
			}), "target range of 2000 nats: kernel kerneltest_test.moveFunc at state 0: Flip(NaN)"},
		"keeps log f by its place in memory": {moveFunc(keeping()),
			"Move goes to another state from state 2 if the same memory held another log f before"},
		"keeps log f of rows": {ringRows{step, keepingRow()},
			"AppendRow gives a different row of state 0 if the same memory held another log f before"},
		"leaves the space": {moveFunc(func(c chains.Chooser, logf []float64, x int) int {
			if y := x + 1 - 2*c.Uniform(2); c.Flip(0.5) {
				return y
			}
			return x
		}), "outside 0..6"},
		"changes log f": {before(func(_ chains.Chooser, logf []float64, _ int) (int, bool) {
			logf[0] = -12345
			return 0, false
		}), "changes log f of state 0"},
		"numbers of its own": {
			before(func(_ chains.Chooser, _ []float64, x int) (int, bool) { return x, rand.IntN(2) == 0 }),
			"it must depend on nothing else"},
		"remembers how often it has moved": {before(func(c chains.Chooser, _ []float64, x int) (int, bool) {
			return x, moves.Add(1)%2 == 0 && !isEnumerated(c)
		}), "it must depend only on log f, the state and its choices"},
		"shares its memory": {accepting(func(logf []float64, x, y int) float64 {
			for i := range scratch {
				scratch[i].Store(math.Float64bits(accept(logf, x, i)))
				runtime.Gosched()
			}
			return math.Float64frombits(scratch[y].Load())
		}), "while other goroutines move"},
		"loops without end": {moveFunc(func(c chains.Chooser, logf []float64, x int) int {
			for {
				c.Uniform(1)
			}
		}), "made more than 4096 choices"},
		"loops without end when sampled": {before(func(c chains.Chooser, _ []float64, _ int) (int, bool) {
			for !isEnumerated(c) {
				c.Uniform(2)
			}
			return 0, false
		}), "makes more than 4096 choices"},
		"panics": {before(func(_ chains.Chooser, logf []float64, x int) (int, bool) {
			if math.IsInf(logf[x], -1) {
				panic("a state of zero probability")
			}
			return 0, false
		}), "target zeros: kernel kerneltest_test.moveFunc at state 1: Move panicked: a state of zero probability"},
		"sampled another way": {before(func(c chains.Chooser, _ []float64, x int) (int, bool) {
			return x, !isEnumerated(c) && c.Flip(0.3)
		}), "but its rows expect"},
		"sampled where its rows never go": {before(func(c chains.Chooser, _ []float64, x int) (int, bool) {
			return (x + 3) % 7, !isEnumerated(c) && c.Flip(0.01)
		}), "which its rows give probability zero"},
		"rows of another kernel": {
			ringRows{step, func(dst []chains.Entry, logf []float64, x int) []chains.Entry {
				return append(dst, chains.Entry{To: x, P: 1})
			}}, "from state 0 to 0 AppendRow gives 1, but Move gives 0.457"},
		"rows that are too light": {
			ringRows{step, func(dst []chains.Entry, logf []float64, x int) []chains.Entry {
				dst = ringRow(dst, logf, x)
				dst[len(dst)-1].P -= 2e-12
				return dst
			}}, "the closed row of state 0 sums to"},
		"rows that forget what was there": {
			ringRows{step, func(_ []chains.Entry, logf []float64, x int) []chains.Entry {
				return ringRow(nil, logf, x)
			}}, "is not appended"},
		"rows that change": {ringRows{step, func(dst []chains.Entry, logf []float64, x int) []chains.Entry {
			if moves.Add(1)%2 == 0 {
				return append(dst, chains.Entry{To: x, P: 1})
			}
			return ringRow(dst, logf, x)
		}}, "differs when it is computed again"},
		"rows that leave the space": {
			ringRows{step, func(dst []chains.Entry, logf []float64, x int) []chains.Entry {
				return append(ringRow(dst, logf, x), chains.Entry{To: 7, P: 0})
			}}, "has an entry 0 for state 7"},
		"rows that panic": {ringRows{step, func(dst []chains.Entry, logf []float64, x int) []chains.Entry {
			panic("no rows")
		}}, "AppendRow: it panics: no rows"},
		"rows that change log f": {
			ringRows{step, func(dst []chains.Entry, logf []float64, x int) []chains.Entry {
				logf[x] = 0
				return ringRow(dst, logf, x)
			}}, "AppendRow changes log f"},
		"not its own reversal": {reversed{moveFunc(pairs)}, "the declared time reversal is wrong"},
		"a reversal that panics": {reversalOf{moveFunc(step),
			moveFunc(func(chains.Chooser, []float64, int) int { panic("no way back") })}, "time reversal"},
	} {
		t.Run(name, func(t *testing.T) {
			errs := kerneltest.Check(c.kernel, grid.MustNew(7))
			if !slices.ContainsFunc(errs, func(err error) bool { return strings.Contains(err.Error(), c.want) }) {
				t.Errorf("%d errors, none of them with %q: %v", len(errs), c.want, errs)
			}
		})
	}
}

// kept returns a function that returns a copy of log f, made when another one last stood elsewhere
// in memory.
func kept() func(logf []float64) []float64 {
	var lock sync.Mutex
	var place *float64
	var copied []float64
	return func(logf []float64) []float64 {
		lock.Lock()
		defer lock.Unlock()
		if place != &logf[0] {
			place, copied = &logf[0], slices.Clone(logf)
		}
		return copied
	}
}

func keeping() func(c chains.Chooser, logf []float64, x int) int {
	keep := kept()
	return func(c chains.Chooser, logf []float64, x int) int { return step(c, keep(logf), x) }
}

func keepingRow() func(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	keep := kept()
	return func(dst []chains.Entry, logf []float64, x int) []chains.Entry {
		return ringRow(dst, keep(logf), x)
	}
}

// reversalOf says another kernel for its time reversal.
type reversalOf struct {
	chains.Kernel
	back chains.Kernel
}

func (k reversalOf) Reversal() chains.Kernel { return k.back }

// isEnumerated reports whether a Chooser walks through all outcomes. No kernel may look at that:
// those here that do are wrong only if they are drawn.
func isEnumerated(c chains.Chooser) bool {
	_, walks := c.(*program.Branches)
	return walks
}

// thirds goes on with probability 2/3, one way or another, so that there are too many ways to come
// to an end.
func thirds(c chains.Chooser, _ []float64, x int) int {
	for c.Uniform(3) > 0 {
	}
	return x
}

// TestKernelTestRefuses: what cannot be tested is an error, and not a pass.
func TestKernelTestRefuses(t *testing.T) {
	longtest.Only(t)
	for want, errs := range map[string][]error{
		"the limits are 1 and 256": kerneltest.Check(moveFunc(step), grid.MustNew(257)),
		"declares 9 states on a space of 4": kerneltest.Check(
			kernels.Metropolis{Space: grid.MustNew(3, 3)},
			grid.MustNew(2, 2),
		),
		"a space of 0 states": kerneltest.CheckTarget(moveFunc(step), kerneltest.Target{Name: "mine"}),
		"a space of 257 states": kerneltest.CheckTarget(
			moveFunc(step),
			kerneltest.Target{Name: "mine", LogF: make([]float64, 257)},
		),
		"on a space of 2": kerneltest.CheckTarget(kernels.Metropolis{Space: grid.MustNew(3)},
			kerneltest.Target{Name: "mine", LogF: []float64{0, 1}}),
		"target mine: log f of state 1 is NaN": kerneltest.Check(kernels.Metropolis{Space: grid.MustNew(2)},
			grid.MustNew(2), kerneltest.Target{Name: "mine", LogF: []float64{0, math.NaN()}}),
		"log f of state 0 is +Inf": kerneltest.CheckTarget(
			moveFunc(step),
			kerneltest.Target{Name: "mine", LogF: []float64{math.Inf(1), 0}},
		),
		"f is zero in every state": kerneltest.CheckTarget(
			moveFunc(step),
			kerneltest.Target{Name: "mine", LogF: []float64{math.Inf(-1), math.Inf(-1)}},
		),
		"more than 262144": kerneltest.Check(
			moveFunc(func(c chains.Chooser, _ []float64, x int) int { c.Uniform(1 << 19); return x }),
			grid.MustNew(2),
		),
		"is unexplored": kerneltest.CheckTarget(
			moveFunc(thirds),
			kerneltest.Target{Name: "mine", LogF: []float64{0, 1}},
		),
		"do not leave it invariant: a move changes": kerneltest.CheckTarget(
			moveFunc(func(c chains.Chooser, _ []float64, _ int) int { return c.Uniform(2) }),
			kerneltest.Target{Name: "mine", LogF: []float64{0, 1e-9}},
		),
	} {
		if len(errs) == 0 || !strings.Contains(errs[0].Error(), want) {
			t.Errorf("errors %v, want %q", errs, want)
		}
	}
}

// TestEveryRangeIsOne: on every number of states the targets of a wide range have a state at each
// of its ends and all others at places of their own, and some neighbours are a fifth of the range
// apart at least.
func TestEveryRangeIsOne(t *testing.T) {
	for n := 2; n <= kerneltest.MaxStates; n++ {
		for _, target := range kerneltest.Targets(n) {
			width, wide := map[string]float64{
				"range of 300 nats": 300, "range of 2000 nats": 2000}[target.Name]
			if !wide {
				continue
			}
			far := 0.0
			for x := 1; x < n; x++ {
				far = max(far, math.Abs(target.LogF[x]-target.LogF[x-1]))
			}
			places := slices.Compact(slices.Sorted(slices.Values(target.LogF)))
			if got := slices.Max(places) - slices.Min(places); math.Abs(got-width) > 1e-9 ||
				len(places) != n || far < width/5 {
				t.Errorf("%s on %d states is one of %v at %d places, and no neighbours are farther apart than %v",
					target.Name, n, got, len(places), far)
			}
		}
	}
}
