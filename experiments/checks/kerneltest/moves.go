package kerneltest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
)

const (
	// drawn is the number of moves whose frequencies are compared with the rows, under each target.
	drawn = 1 << 12
	// repeated is the number of moves that are made again, once in another order and once from
	// several goroutines.
	repeated = 1 << 9
	// together is the number of goroutines that move at once.
	together = 4
	// falseAlarm is the probability with which a right kernel fails under a target, in the choice
	// of the seeds: under all of the fewer than 16 targets that is 1e-9.
	falseAlarm = 1e-9 / 16
)

// counting is a Chooser that draws its choices, and ends a move that makes too many of them by a
// panic.
type counting struct {
	chains.Sampler
	left int
}

// endless is the value with which counting panics.
type endless struct{}

func (c *counting) count() {
	c.left--
	if c.left < 0 {
		panic(endless{})
	}
}

func (c *counting) Flip(p float64) bool { c.count(); return c.Sampler.Flip(p) }

func (c *counting) Uniform(n int) int { c.count(); return c.Sampler.Uniform(n) }

func (c *counting) Choose(p []float64) int { c.count(); return c.Sampler.Choose(p) }

// repeatMove makes the i-th move that is repeated. Its choices are a function of i alone.
func (e *examination) repeatMove(i int) (y int, err error) {
	return e.sampled(chains.NewSampler(rand.NewPCG(1, uint64(i))), e.startState(i))
}

// sampled makes one move with choices that are drawn.
func (e *examination) sampled(s chains.Sampler, x int) (y int, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, loop := r.(endless); loop {
				err = fmt.Errorf("a sampled move from state %d makes more than %d choices", x, chains.MaxChoices)
				return
			}
			err = fmt.Errorf("a sampled move from state %d panics: %v", x, r)
		}
	}()
	y = e.kernel.Move(&counting{s, chains.MaxChoices}, e.logf, x)
	if y < 0 || y >= len(e.logf) {
		err = fmt.Errorf("a sampled move from state %d goes to %d, outside 0..%d", x, y, len(e.logf)-1)
	}
	return y, err
}

// startState returns the state at which the i-th move begins.
func (e *examination) startState(i int) int { return i % len(e.logf) }

// errOther says what is wrong with a kernel whose moves depend on more than their choices.
var errOther = errors.New("it must depend only on log f, the state and its choices")

// repeat makes the same moves twice, the second time in reverse order, and checks that each goes to
// the same state.
func (e *examination) repeat() {
	first := make([]int, repeated)
	for i := range first {
		var err error
		first[i], err = e.repeatMove(i)
		if err != nil {
			e.fail("%w", err)
			return
		}
	}
	e.unchanged("a sampled move")
	for i := repeated - 1; i >= 0; i-- {
		again, err := e.repeatMove(i)
		if err != nil {
			e.fail("%w", err)
			return
		}
		if again != first[i] {
			e.fail("with the same choices Move goes from state %d to %d, and later to %d; %w",
				e.startState(i),
				first[i], again, errOther)
			return
		}
	}
}

// concurrent makes the same moves from several goroutines at once, on one log f, as simulations do.
func (e *examination) concurrent() {
	want := make([]int, repeated)
	for i := range want {
		y, err := e.repeatMove(i)
		if err != nil {
			return // repeat has recorded this error already
		}
		want[i] = y
	}
	other := make([]int, together) // by goroutine, a move that went elsewhere; -1 for none
	var running sync.WaitGroup
	for g := range together {
		other[g] = -1
		running.Go(func() {
			for i := range want {
				at := (i + g*repeated/together) % repeated
				if y, err := e.repeatMove(at); err != nil || y != want[at] {
					other[g] = at
					return
				}
			}
		})
	}
	running.Wait()
	if at := slices.Max(other); at >= 0 {
		e.fail("with the same choices Move goes to another state from state %d while other goroutines move; %w",
			e.startState(at), errOther)
	}
}

// frequencies compares how often sampled moves go where with the rows. For each entry of a row with
// probability p, the probability that k of m moves take it, or more if that is more than
// expected, or fewer, is at most exp(-m KL(k/m || p)), with the divergence KL of two distributions
// of one flip (Chernoff 1952). Each entry is tested on both sides, so the bounds of all tests
// together sum to the false alarm.
func (e *examination) frequencies() {
	n := len(e.logf)
	counts := make([][]int, n)
	for x := range counts {
		counts[x] = make([]int, n)
	}
	made := make([]int, n)
	c := chains.NewSampler(simulate.NewStream(1, "kerneltest frequencies", 0))
	for i := range drawn {
		x := e.startState(i)
		y, err := e.sampled(c, x)
		if err != nil {
			e.fail("%w", err)
			return
		}
		counts[x][y]++
		made[x]++
	}
	limit := number.Log(2 * float64(n*n) / falseAlarm)
	for x, row := range e.walked {
		for y, p := range row {
			if made[x] == 0 {
				continue
			}
			if counts[x][y] > 0 && p == 0 && e.lacks[x] == 0 {
				e.fail("a sampled move goes from state %d to %d, which its rows give probability zero", x, y)
				return
			}
			m := float64(made[x])
			// The probability that enumeration left out, and its rounding, may belong to any entry
			// of the row.
			share := float64(counts[x][y]) / m
			p = max(p-rounding, min(p+rounding+e.lacks[x], share))
			if surprise := m * flipKL(share, p); !(surprise <= limit) {
				e.fail("of %d moves from state %d, %d go to %d, but its rows expect %.6g", made[x],
					x, counts[x][y], y, m*e.walked[x][y])
				return
			}
		}
	}
}

// flipKL returns the divergence, in nats, of a flip with probability q from one with probability p.
func flipKL(q, p float64) float64 {
	return stat.KullbackLeibler([]float64{q, 1 - q}, []float64{p, 1 - p})
}

// Target is a log f, up to a constant, under which a kernel is tested.
type Target struct {
	Name string
	LogF []float64
}

// Targets returns the targets of the suite on a number of states, on each of which some kernels
// have failed: all states alike, ties, one state with nearly all mass, zeros of f, states that
// differ by 1e-12 nats, ranges of 300 nats and of 2000 nats (over which the probabilities of two
// states may both underflow, so that their ratio is undefined), and large constants in log f
// (beside which small differences lose their digits unless the constant is subtracted first).
func Targets(n int) []Target {
	wave := func(x int) float64 { return 2 * math.Sin(1+12.9898*float64(x)) }
	make := func(name string, at func(x int) float64) Target {
		t := Target{name, make([]float64, n)}
		for x := range t.LogF {
			t.LogF[x] = at(x)
		}
		return t
	}
	step := stride(n)
	place := func(x int) float64 { return float64(x*step%n) / float64(max(1, n-1)) }
	list := []Target{
		make("wave", wave),
		make("flat", func(int) float64 { return 0 }),
		make("ties", func(x int) float64 { return float64(x % 2) }),
		make("peak of 30 nats", func(x int) float64 { return where(x == n/2, 30, 0) }),
		make("range of 300 nats", func(x int) float64 { return 300*place(x) - 150 }),
		make("range of 2000 nats", func(x int) float64 { return 2000 * (place(x) - 1) }),
		make("differences of 1e-12", func(x int) float64 { return 1e-12 * float64((x*5)%7) }),
		make("constant of 1e12", func(x int) float64 { return 1e12 + wave(x) }),
		make("constant of -1e12", func(x int) float64 { return -1e12 + wave(x) }),
	}
	if n < 2 {
		return list
	}
	return append(list,
		make("zeros", func(x int) float64 { return where(x%3 == 1, math.Inf(-1), wave(x)) }),
		make("zeros beside a constant of 1e12",
			func(x int) float64 { return where(x%3 == 0, math.Inf(-1), 1e12+wave(x)) }),
		make("one state", func(x int) float64 { return where(x == n-1, 3, math.Inf(-1)) }),
	)
}

// where returns the first number if a condition holds, and else the other one.
func where(holds bool, v, other float64) float64 {
	if holds {
		return v
	}
	return other
}

// stride returns the number by whose multiples, counted around a ring of n states, one comes to
// each of them once. It is near the golden section of n, so that neighbours come to be far from one
// another.
func stride(n int) int {
	step := max(1, int(math.Round(0.618*float64(n))))
	for divisor(step, n) != 1 {
		step++
	}
	return step
}

func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// elsewhere makes the moves that are repeated with log f in memory in which another log f stood
// during moves before, as it does at every stage of an annealing, and asks for the rows there. A
// kernel that keeps what it computes from log f, and knows log f by its place in memory, goes by
// the old one.
func (e *examination) elsewhere() {
	want, rows, ok := e.answers()
	if !ok {
		return // said by repeat or closedForm
	}
	there := &examination{kernel: e.kernel, logf: other(e.given)}
	there.answers() // whatever they are: that log f is not what is examined
	copy(there.logf, e.given)
	moved, again, ok := there.answers()
	const elsewhere = "if the same memory held another log f before"
	for i := range want {
		if !ok || moved[i] != want[i] { // it has not failed before
			e.fail("with the same choices Move goes to another state from state %d %s; %w", e.startState(i),
				elsewhere, errOther)
			return
		}
	}
	for x := range rows {
		if !slices.Equal(rows[x], again[x]) {
			e.fail("AppendRow gives a different row of state %d %s; %w", x, elsewhere, errOther)
			return
		}
	}
}

// answers returns where the moves that are repeated go, and the rows in closed form, if there are
// any. It is not ok where one of them fails.
func (e *examination) answers() (moved []int, rows [][]chains.Entry, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	for i := range repeated {
		y, err := e.repeatMove(i)
		if err != nil {
			return nil, nil, false
		}
		moved = append(moved, y)
	}
	rower, closed := e.kernel.(chains.Rower)
	for x := 0; closed && x < len(e.logf); x++ {
		rows = append(rows, rower.AppendRow(nil, e.logf, x))
	}
	return moved, rows, true
}

// other returns another log f with the same zeros.
func other(logf []float64) []float64 {
	o := slices.Clone(logf)
	for x := range o {
		if !math.IsInf(o[x], 0) {
			o[x] = 5 * math.Cos(3+7.1*float64(x))
		}
	}
	return o
}
