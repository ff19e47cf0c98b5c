package program_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact/program"
	"breadboard/grid/longtest"
)

// tableProcess is a process on a few states by tables: where each step may go, and what it adds.
type tableProcess struct {
	start      []float64
	rows       [][][]float64 // by step and state
	increments [][][]float64 // by step, state and next state
}

func (d tableProcess) Steps() int                 { return len(d.rows) }
func (d tableProcess) Start(c chains.Chooser) int { return c.Choose(d.start) }

func (d tableProcess) Step(c chains.Chooser, t, x int) (int, float64) {
	y := 0
	switch row := d.rows[t-1][x]; len(row) {
	case 0: // two choices, of which the second is forgotten
		y = c.Uniform(3)
		c.Flip(0.25)
	default:
		y = c.Choose(row)
	}
	return y, d.increments[t-1][x][y]
}

// drawProcess draws a process on three states, with increments of that size which may be infinite.
func drawProcess(t *rapid.T, size float64, infinite bool) tableProcess {
	rows := [][]float64{
		{1, 0, 0}, {0.5, 0.5, 0}, {0.25, 0.25, 0.5}, {1e-40, 1, 0}, {0, 1e-12, 1 - 1e-12}, nil}
	d := tableProcess{start: rapid.SampledFrom(rows[:5]).Draw(t, "start")}
	constant := rapid.SampledFrom([]float64{0, 1, -300}).Draw(t, "constant")
	for range rapid.IntRange(0, 5).Draw(t, "steps") {
		var row, increment [][]float64
		for range 3 {
			row = append(row, rapid.SampledFrom(rows).Draw(t, "row"))
			v := rapid.SliceOfN(rapid.Float64Range(-1, 1), 3, 3).Draw(t, "increments")
			for y := range v {
				v[y] = constant + size*math.Round(4*v[y])/4
				if infinite && rapid.IntRange(0, 5).Draw(t, "infinite") == 0 {
					v[y] = rapid.SampledFrom([]float64{math.Inf(1), math.Inf(-1)}).Draw(t, "sign")
				}
			}
			increment = append(increment, v)
		}
		d.rows, d.increments = append(d.rows, row), append(d.increments, increment)
	}
	return d
}

// ending is the result of a whole run.
type ending struct {
	last  int
	total float64
}

// endings enumerates whole runs: the slow way to what Propagate answers. A total that is infinite
// stays so.
func endings(t *rapid.T, d tableProcess) *program.Law[ending] {
	law := longtest.Must(program.Enumerate(context.Background(), func(c chains.Chooser) (e ending) {
		e.last = d.Start(c)
		for step := 1; step <= d.Steps(); step++ {
			var increment float64
			e.last, increment = d.Step(c, step, e.last)
			if !math.IsInf(e.total, 0) {
				e.total += increment
			}
		}
		return e
	}, program.Options{}))(t)
	return law
}

// at returns the endings at a state whose total is wanted.
func at(law *program.Law[ending], x int, wanted func(total float64) bool) (values, p []float64) {
	for _, o := range law.Outcomes() {
		if o.Value.last == x && wanted(o.Value.total) {
			values, p = append(values, o.Value.total), append(p, o.P)
		}
	}
	return values, p
}

func all(float64) bool          { return true }
func finite(total float64) bool { return !math.IsInf(total, 0) }

// near reports whether two numbers agree to 1e-13 of a scale, infinities included.
func near(a, b, scale float64) bool { return a == b || math.Abs(a-b) <= 1e-13*scale }

func carry[C program.Carrier[C]](t longtest.Failer, d tableProcess, one C) *program.Propagated[int, C] {
	return longtest.Must(program.Propagate(context.Background(), d, one, program.Options{}))(t)
}

// sizes are those of the increments: the deviations of the total are as large, the means up to
// 1500.
func drawSize(t *rapid.T) float64 {
	return rapid.SampledFrom([]float64{0, 1e-12, 1, 100}).Draw(t, "size")
}

// TestTiltedIsThatOfWholeRuns: log E[w^s] at each state, also if w^s overflows.
func TestTiltedIsThatOfWholeRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawProcess(t, drawSize(t), true)
		law := endings(t, d)
		s := rapid.SampledFrom([]float64{0, 1, -1, 0.5, 2, -3}).Draw(t, "s")
		whole := carry(t, d, program.NewTilted(s))
		for x := range 3 {
			values, p := at(law, x, all)
			top := math.Inf(-1)
			scale := 1.0
			for i, v := range values {
				if s != 0 {
					values[i] = s * v
				} else {
					values[i] = 0
				}
				values[i] += math.Log(p[i])
				top = max(top, values[i])
				if !math.IsInf(values[i], 0) {
					scale = max(scale, math.Abs(values[i]))
				}
			}
			total := 0.0
			for _, v := range values {
				total += math.Exp(v - top)
			}
			want := top
			if !math.IsInf(top, 0) {
				want += math.Log(total)
			}
			if got := whole.At(x).Log(); !near(got, want, 10*scale) {
				t.Fatalf("state %d: log E[w^%v] = %v, want %v", x, s, got, want)
			}
		}
	})
}

// TestMomentsAreThoseOfWholeRuns, to 1e-12 of the powers of the largest deviation, and of what
// rounding makes of the mean.
func TestMomentsAreThoseOfWholeRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawProcess(t, drawSize(t), true)
		law := endings(t, d)
		r := carry(t, d, program.NewMoments())
		lists := [][2][]float64{}
		for x := range 3 {
			values, p := at(law, x, finite)
			lists = append(lists, [2][]float64{values, p})
			checkMoments(t, r.At(x), values, p)
			for _, infinite := range []struct {
				got float64
				of  float64
			}{{r.At(x).MinusInf, math.Inf(-1)}, {r.At(x).PlusInf, math.Inf(1)}} {
				_, p := at(law, x, func(v float64) bool { return v == infinite.of })
				total := 0.0
				for _, q := range p {
					total += q
				}
				if !near(infinite.got, total, total) {
					t.Fatalf("state %d: %v has probability %v, want %v", x, infinite.of, infinite.got, total)
				}
			}
		}
		var values, p []float64
		for _, l := range lists {
			values, p = append(values, l[0]...), append(p, l[1]...)
		}
		checkMoments(t, r.Total(), values, p)
	})
}

func checkMoments(t *rapid.T, m program.Moments, values, p []float64) {
	mass := 0.0
	mean := 0.0
	far := 0.0
	for i, v := range values {
		mass += p[i]
		mean += p[i] * v
	}
	if !near(m.Mass, mass, mass) || mass == 0 {
		if m.Mass != mass {
			t.Fatalf("mass %v, want %v", m.Mass, mass)
		}
		return
	}
	mean /= mass
	var central [5]float64
	for i, v := range values {
		d := v - mean
		far = max(far, math.Abs(d))
		for k := range central {
			central[k] += p[i] / mass * math.Pow(d, float64(k))
		}
	}
	rounding := 1e-13 * (1 + math.Abs(mean))
	if math.Abs(m.Mean-mean) > rounding {
		t.Fatalf("mean %v, want %v", m.Mean, mean)
	}
	for k, got := range []float64{m.Variance, m.Third, m.Fourth} {
		power := float64(k + 2)
		if want := central[k+2]; math.Abs(got-want) >
			1e-12*math.Pow(far, power)+power*rounding*math.Pow(far, power-1)+math.Pow(rounding, power) {
			t.Fatalf("central moment %v is %v, want %v", power, got, want)
		}
	}
}

// TestMomentsKeepTheirDigits: increments of 10^12 and one more have a variance of a fourth each, of
// which sums of squares would keep nothing.
func TestMomentsKeepTheirDigits(t *testing.T) {
	d := tableProcess{start: []float64{1, 0, 0}}
	for range 40 {
		d.rows = append(d.rows, [][]float64{{0.5, 0.5, 0}, {0.5, 0.5, 0}, {1}})
		d.increments = append(d.increments, [][]float64{{1e12, 1e12 + 1}, {1e12, 1e12 + 1}, {0}})
	}
	r := longtest.Must(program.Propagate(context.Background(), d, program.NewMoments(), program.Options{}))(t)
	// A binomial distribution of 40 draws: its fourth central moment is n p q (1 + 3 (n-2) p q).
	m := r.Total()
	if m.Mean != 40e12+20 || math.Abs(m.Variance-10) > 1e-12 || math.Abs(m.Third) > 1e-11 ||
		math.Abs(m.Fourth-10*(1+3*38*0.25)) > 1e-10 {
		t.Errorf("moments %+v", m)
	}
}

// counter goes on from n to n+1, or back to zero, after heads of a coin without end; the state may
// be all it has been.
type counter struct {
	increment float64
	forget    bool
}

func (counter) Steps() int               { return 20 }
func (counter) Start(chains.Chooser) int { return 1 }

func (k counter) Step(c chains.Chooser, t, n int) (int, float64) {
	switch {
	case k.forget:
		return heads(c) % 2, k.increment
	case t == 7 && n > 64:
		return n, math.NaN()
	}
	return 2*n + c.Uniform(2), k.increment
}

// mass is the probability alone, as a carrier.
type mass float64

func (m mass) Along(p, _ float64) mass { return m * mass(p) }

func (m mass) Plus(other mass) mass { return m + other }

// TestRemaindersOfSteps: what is given up in a step is a share of the mass at its state, and adds
// up over the steps.
func TestRemaindersOfSteps(t *testing.T) {
	r := longtest.Must(program.Propagate(
		context.Background(),
		counter{forget: true},
		mass(1),
		program.Options{Cut: 0x1p-20},
	))(t)
	each := 0x1p-20
	want := -math.Expm1(20 * math.Log1p(-each)) // of each step, of what the others have left
	if math.Abs(r.Remainder()-want) > 1e-16 || math.Abs(float64(r.Total())+want-1) > 1e-14 {
		t.Errorf("remainder %v, want %v; mass %v", r.Remainder(), want, r.Total())
	}
}

// TestProcessesThatCannotBePropagated: an increment that is NaN, and too many states.
func TestProcessesThatCannotBePropagated(t *testing.T) {
	_, err := program.Propagate(context.Background(), counter{}, mass(1), program.Options{})
	fault, ok := errors.AsType[*program.Error](err)
	if !ok || fault.Kind != program.NotEqualToItself ||
		!strings.HasPrefix(err.Error(), "step 7 from state 65: ") {
		t.Errorf("error %v", err)
	}
	_, err = program.Propagate(context.Background(), counter{}, mass(1), program.Options{Branches: 63})
	fault, ok = errors.AsType[*program.Error](err)
	if !ok || fault.Kind != program.TooManyBranches ||
		!strings.Contains(err.Error(), "63 states after step 6") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := program.Propagate(ctx, counter{}, mass(1), program.Options{}); !errors.Is(
		err,
		context.Canceled,
	) {
		t.Errorf("error %v", err)
	}
}

// TestGrain: totals that differ by rounding are one value where the grain says so, and two if it
// does not.
func TestGrain(t *testing.T) {
	d := tableProcess{start: []float64{0.5, 0.5, 0}, rows: [][][]float64{{{1}, {1}, {1}}, {{1}, {1}, {1}}},
		increments: [][][]float64{{{0.1}, {0.3}, {0}}, {{0.2}, {0}, {0}}}}
	// 0.1 + 0.2 by one way and 0.3 by the other
	d.rows[0][1], d.increments[0][1] = []float64{0, 1}, []float64{0, 0.3}
	d.increments[1][1] = []float64{0}
	for grain, want := range map[float64]int{0: 2, 1e-15: 1} {
		r := longtest.Must(program.Propagate(context.Background(), d, program.NewPoints(grain), program.Options{}))(t)
		if at := r.At(0); len(at.Values()) != want || at.Values()[0] != 0.3 || at.P()[0] != 1/float64(want) {
			t.Errorf("grain %v: values %v with probabilities %v", grain, at.Values(), at.P())
		}
	}
}
