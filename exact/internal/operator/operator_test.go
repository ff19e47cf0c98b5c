package operator_test

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/internal/operator"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/grid/quotients"
)

// selectors are kernels that have an operator, one of every kind and every kind of combination.
var selectors = []string{
	"metropolis", "barker", "moore", "flip", "jump:0.3", "jump:0", "jump:1", "independence", "heatbath",
	"heatbath-axis:0", "heatbath-scan",
	"heatbath-zigzag", "stay",
	"lazy:0.3", "repeat:3:barker", "repeat:2:heatbath", "compose:metropolis+heatbath-axis:0",
	"palindrome:heatbath-axis:0+moore+barker",
	"suwa-todo", "suwa-todo-axis:0", "compose:suwa-todo-axis:0+barker",
	"mixture:1*metropolis+2*jump:0.5+0.5*stay", "lazy:0.5:repeat:3:heatbath-scan",
	"compose:heatbath-scan+lazy:0.1:flip+independence",
}

// rowsOnly are the names of the forms whose kernels have no operator: their rows, or frames, are as
// quick.
func rowsOnly() []string {
	return []string{
		"exact", "block", "swendsen-wang", "wolff", "balanced", "gradient", "tabu", "delayed-rejection"}
}

// TestEveryFormIsTested: every form of the library has an operator unless it is listed as having
// none, and is in the list above and in that of the kernels that Connect joins.
func TestEveryFormIsTested(t *testing.T) {
	l := longtest.Must(grid.New(3, 4))(t)
	for _, form := range kernels.Forms().Listing.All() {
		k := longtest.Must(kernels.Parse(form.Example, l))(t)
		without := slices.Contains(rowsOnly(), form.Name())
		if o, err := operator.New(context.Background(), k, l.States()); (o == nil) != without || err != nil {
			t.Errorf("%s has the operator %v: %v", form.Name(), o, err)
		}
		for what, list := range map[string][]string{"operator": selectors, "reach": reachSelectors} {
			if what == "operator" && without {
				continue
			}
			if !slices.ContainsFunc(
				list,
				func(s string) bool { name, _, _ := strings.Cut(s, ":"); return name == form.Name() },
			) {
				t.Errorf("no kernel of the form %s is tested with %s", form.Name(), what)
			}
		}
	}
}

// lineOf returns a line of n states.
func lineOf(t *testing.T, n int) *grid.Lattice {
	t.Helper()
	return longtest.Must(grid.New(n))(t)
}

// TestOperators compares each operator with the rows of the kernel, also if f spans hundreds of
// nats, has ties, and changes while the operator stays.
func TestOperators(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := exacttest.SmallLattice(t, 128)
		k, err := kernels.Parse(rapid.SampledFrom(selectors).Draw(t, "kernel"), l)
		if err != nil {
			t.Skip(err)
		}
		n := l.States()
		o, err := operator.New(context.Background(), k, n)
		if o == nil || err != nil {
			t.Fatalf("%v has no operator: %v", k, err)
		}
		scale := rapid.SampledFrom([]float64{0, 1e-12, 1, 30, 500}).Draw(t, "range")
		for range 2 {
			logf := drawNumbers(t, n, "g", scale)
			v := drawNumbers(t, n, "v", 1)
			compare(t, k, o, logf, v)
		}
	})
}

// drawNumbers draws n numbers from 0 to scale, some of them alike.
func drawNumbers(t *rapid.T, n int, name string, scale float64) []float64 {
	out := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, name)
	for x := range out {
		if out[x] < 0.2 {
			out[x] = 0.2
		}
		out[x] *= scale
	}
	return out
}

func compare(t *rapid.T, k chains.Kernel, o operator.Operator, logf, v []float64) {
	rows := longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
	n := len(v)
	f := make([]float64, n)
	inverse := make([]float64, n)
	for x := range f {
		f[x] = math.Exp(logf[x] - 250)
		inverse[x] = 1 / f[x]
	}
	o.Load(&operator.Distribution{F: f, Inverse: inverse, LogF: func() []float64 { return logf }})
	compareReversal(t, o, f, v)
	signed := make([]float64, n)
	got := make([]float64, n)
	positive := make([]float64, n)
	large := 0.0
	for x := range v {
		signed[x] = v[x] - 0.5
		large = max(large, math.Abs(signed[x]))
	}
	o.Average(got, signed)
	o.AverageTerms(positive, v)
	compareTwin(t, o, o.Twin(), signed, got, positive, v)
	// the ratios of f are off by 500 roundings of log f/500 each
	tolerance := 1e-15 * float64(100+len(rows.Row(0)))
	for x := range v {
		want := 0.0
		wantPositive := 0.0
		minimal := 0.0
		for _, e := range rows.Row(x) {
			want += e.P * signed[e.To]
			wantPositive += e.P * v[e.To]
		}
		tolerance := tolerance
		if strings.Contains(fmt.Sprint(k), "suwa") {
			// rounding of the largest weight may spill into the flows of small ones
			tolerance *= slices.Max(f) / f[x]
			minimal = 1
		}
		if !(math.Abs(got[x]-want) <= tolerance*large) {
			t.Fatalf("%v at %d: %v, by rows %v", k, x, got[x], want)
		}
		if !(math.Abs(positive[x]-wantPositive) <= tolerance*max(wantPositive, minimal)) {
			t.Fatalf("%v at %d, positive: %v, by rows %v", k, x, positive[x], wantPositive)
		}
	}
}

// compareReversal holds the reversal to its definition: the mean of u T v under f is that of v
// times the reversal of u.
func compareReversal(t *rapid.T, o operator.Operator, f, v []float64) {
	back := o.Reversal()
	n := len(v)
	u := make([]float64, n)
	forward := make([]float64, n)
	backward := make([]float64, n)
	for x := range u {
		u[x] = math.Sin(float64(3 * x))
	}
	o.Average(forward, v)
	back.Average(backward, u)
	var there, again, size float64
	for x := range v {
		there += f[x] * u[x] * forward[x]
		again += f[x] * backward[x] * v[x]
		size += f[x]
	}
	if !(math.Abs(there-again) <= 1e-13*size) {
		t.Fatalf("<u, T v> = %v and <R u, v> = %v, beside %v", there, again, size)
	}
}

// compareTwin: a twin gives the same bytes, whatever the other operator does meanwhile.
func compareTwin(t *rapid.T, o, twin operator.Averager, signed, average, terms, v []float64) {
	var wait sync.WaitGroup
	others := make([]float64, len(v))
	wait.Go(func() {
		o.Average(others, v)
		o.AverageTerms(others, signed)
	})
	gotAverage := make([]float64, len(v))
	gotTerms := make([]float64, len(v))
	twin.Average(gotAverage, signed)
	twin.AverageTerms(gotTerms, v)
	wait.Wait()
	if !slices.Equal(gotAverage, average) || !slices.Equal(gotTerms, terms) {
		t.Fatalf("the twin gives %v and %v, not %v and %v", gotAverage, gotTerms, average, terms)
	}
}

// TestDerived compares derivatives with differences of averages on either side, also at kinks:
// where states are alike in f and differ in slope the derivative is one-sided.
func TestDerived(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := exacttest.SmallLattice(t, 128)
		k, err := kernels.Parse(rapid.SampledFrom(selectors).Draw(t, "kernel"), l)
		if err != nil {
			t.Skip(err)
		}
		n := l.States()
		o := longtest.Must(operator.New(context.Background(), k, n))(t)
		d, known := operator.Derivative(o)
		if !known {
			t.Skip("no derivative")
		}
		logf := make([]float64, n)
		for x := range logf { // a grid of values, so that states are alike or well apart
			logf[x] = 0.25 * float64(rapid.IntRange(0, 8).Draw(t, "level"))
		}
		slope := drawNumbers(t, n, "slope", 2)
		m := drawNumbers(t, n, "m", 1)
		v := drawNumbers(t, n, "v", 1)
		along := operator.Direction{Slope: slope, Below: rapid.Bool().Draw(t, "below")}

		f := make([]float64, n)
		for x := range f {
			f[x] = math.Exp(logf[x])
		}
		at := func(h float64) float64 { // the sum over x of f(x) m(x) (T v)(x) for T at a distance of h
			moved := make([]float64, n)
			inverse := make([]float64, n)
			average := make([]float64, n)
			for x := range moved {
				moved[x] = math.Exp(logf[x] + h*slope[x])
				inverse[x] = 1 / moved[x]
			}
			o.Load(&operator.Distribution{F: moved, Inverse: inverse, LogF: func() []float64 { return logf }})
			o.Average(average, v)
			total := 0.0
			for x := range f {
				total += f[x] * m[x] * average[x]
			}
			return total
		}
		h := 1e-3
		if along.Below {
			h = -h
		}
		// The one-sided formula of fourth order, so that kinks do not matter.
		want := (-25*at(0) + 48*at(h) - 36*at(2*h) + 16*at(3*h) - 3*at(4*h)) / (12 * h)
		at(0)
		got, _ := d.Derived(m, v, along)
		if tolerance := 1e-9 * (1 + math.Abs(at(0))); !(math.Abs(got-want) <= tolerance) {
			t.Fatalf("%v: %v, by differences %v", k, got, want)
		}
		// What has been loaded is still there.
		before := at(0)
		d.Derived(m, v, along)
		average := make([]float64, n)
		o.Average(average, v)
		total := 0.0
		for x := range f {
			total += f[x] * m[x] * average[x]
		}
		if total != before {
			t.Fatalf("%v: after a derivative the average is %v and not %v", k, total, before)
		}
	})
}

// TestKinks: a kernel that compares two states that are alike in f and differ in slope has a kink
// there, and no other.
func TestKinks(t *testing.T) {
	for _, c := range []struct {
		kernel string
		slope  []float64
		want   bool
	}{
		{"metropolis", []float64{1, 2, 2}, true},
		{"metropolis", []float64{2, 2, 1}, false}, // the states 1 and 2 are not alike
		{"barker", []float64{1, 2, 3}, false}, {"heatbath", []float64{1, 2, 3}, false},
		{"independence", []float64{1, 2, 3}, true},
		{"jump:0.5", []float64{2, 2, 3}, false}, {"repeat:2", []float64{1, 2, 3}, true},
		{"lazy:0.5", []float64{1, 2, 3}, true},
	} {
		l := lineOf(t, 3)
		k := longtest.Must(kernels.Parse(c.kernel, l))(t)
		o := longtest.Must(operator.New(context.Background(), k, 3))(t)
		o.Load(&operator.Distribution{
			F:       []float64{1, 1, 0.5},
			Inverse: []float64{1, 1, 2},
			LogF:    func() []float64 { return []float64{0, 0, -math.Ln2} },
		})
		ones := []float64{1, 1, 1}
		d, _ := operator.Derivative(o)
		if _, kinked := d.Derived(ones, ones, operator.Direction{Slope: c.slope}); kinked != c.want {
			t.Errorf("%s, slopes %v: kinked %v", c.kernel, c.slope, kinked)
		}
	}
}

// TestLumpedOperators compares the operators of kernels on classes with their rows. Their runs have
// gaps where a pair of classes is missing, as between compositions, and pairs that stand twice.
func TestLumpedOperators(t *testing.T) {
	spaces := []quotients.Quotient{
		longtest.Must(quotients.NewCounts(9))(t), longtest.Must(quotients.NewCounts(3, 2))(t),
		longtest.Must(quotients.NewCompositions(3, 4))(t),
		longtest.Must(quotients.NewPartitions(4, 7))(t), longtest.Must(quotients.NewCycles(7))(t),
		twice{longtest.Must(quotients.NewCounts(5))(t)},
	}
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.SampledFrom(spaces).Draw(t, "space")
		k, err := kernels.Parse(rapid.SampledFrom([]string{
			"metropolis", "flip", "barker", "heatbath", "lazy:0.3:flip", "repeat:3:barker",
			"palindrome:flip+heatbath", "mixture:1*metropolis+2*barker+0.5*stay",
		}).Draw(t, "kernel"), q)
		if err != nil {
			t.Skip(err)
		}
		o := longtest.Must(operator.New(context.Background(), k, q.States()))(t)
		if o == nil {
			t.Skip("a heat bath on lines of three")
		}
		scale := rapid.SampledFrom([]float64{0, 1e-12, 1, 30, 450}).Draw(t, "range")
		for range 2 {
			logf := drawNumbers(t, q.States(), "g", scale)
			for x, m := range q.LogMembers() {
				logf[x] += m
			}
			compare(t, k, o, logf, drawNumbers(t, q.States(), "v", 1))
		}
	})
}

// twice has every move in two halves.
type twice struct{ quotients.Quotient }

func (q twice) AppendMoves(dst []quotients.Move, x int, p quotients.Proposal) []quotients.Move {
	for _, m := range q.Quotient.AppendMoves(nil, x, p) {
		m.Share /= 2
		dst = append(dst, m, m)
	}
	return dst
}

// TestRatios moves distributions with ratios q/p from 1e-20 to 1e20, and compares with the
// distributions that are pushed along the rows of the kernel, which are sums of positive terms:
// every ratio has all digits, however far the ratios around it are.
//
// A move adds at most some fifteen terms, which cancel to half of the largest at most, so that
// three moves leave some 1e-14.
func TestRatios(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := exacttest.SmallLattice(t, 128)
		k := longtest.Must(kernels.Parse(rapid.SampledFrom(
			[]string{"metropolis", "barker", "flip", "independence", "heatbath", "heatbath-scan",
				"jump:0.3"},
		).Draw(t, "kernel"), l))(t)
		n := l.States()
		logf := make([]float64, n)
		f := make([]float64, n)
		inverse := make([]float64, n)
		for x := range logf {
			// states are alike or well apart, so that probabilities to stay have their digits
			logf[x] = 0.25 * float64(rapid.IntRange(0, 8).Draw(t, "level"))
			f[x] = math.Exp(logf[x])
			inverse[x] = 1 / f[x]
		}
		rows := longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
		o := longtest.Must(operator.New(context.Background(), k, n))(t)
		back := o.Reversal()
		back.Load(&operator.Distribution{F: f, Inverse: inverse, LogF: func() []float64 { return logf }})

		r := operator.NewRatios(n)
		q := make([]float64, n)
		size := rapid.SampledFrom([]float64{1, 10, 46}).Draw(t, "size")
		for x := range q {
			h := math.Exp(size * rapid.Float64Range(-1, 1).Draw(t, "log ratio"))
			q[x], r.U[x] = h*f[x], h-1
		}
		r.Settle(func(x int) float64 { return q[x] * inverse[x] })
		for range 3 {
			for _, part := range operator.Sequence(back) {
				r.Move(part)
			}
			next := make([]float64, n)
			for x, mass := range q {
				for _, e := range rows.Row(x) {
					next[e.To] += mass * e.P
				}
			}
			q = next
			for x := range q {
				if want := q[x] * inverse[x]; !(math.Abs(r.Ratio(x)-want) <= 1e-13*want) {
					t.Fatalf("%v: the ratio of state %d is %v, pushed %v", k, x, r.Ratio(x), want)
				}
			}
		}
	})
}

// TestAverageThree: three functions are averaged together as they are one by one, to the last bit,
// between classes and elsewhere.
func TestAverageThree(t *testing.T) {
	colours := make([]int32, 1<<12)
	for x := range colours { // of spins in three rows, the pairs of neighbours that differ
		colours[x] = int32(bits.OnesCount(uint(x^x>>4)&0xff) + bits.OnesCount(uint(x^x>>1)&0x777))
	}
	classes := longtest.Must(
		quotients.Refined(grid.MustNew(slices.Repeat([]int{2}, 12)...), quotients.Value, colours),
	)(t)
	for _, on := range []grid.Graph{classes, grid.MustNew(4, 3)} {
		n := on.States()
		o := longtest.Must(operator.New(t.Context(), longtest.Must(kernels.Parse("flip", on))(t), n))(t)
		d := &operator.Distribution{F: make([]float64, n), Inverse: make([]float64, n)}
		var v, got [3][]float64
		for i := range v {
			v[i], got[i] = make([]float64, n), make([]float64, n)
		}
		for x := range n {
			d.F[x] = math.Exp(5 * math.Sin(float64(x*x+1)))
			d.Inverse[x] = 1 / d.F[x]
			v[0][x], v[1][x], v[2][x] = math.Cos(float64(x)), 1/float64(1+x), 1e9*math.Sin(float64(3*x))
		}
		o.Load(d)
		operator.AverageThree(o, &got, &v)
		want := make([]float64, n)
		for i := range v {
			o.Average(want, v[i])
			if !slices.Equal(got[i], want) {
				t.Errorf("%s: function %d is averaged to %v, alone to %v", on, i, got[i], want)
			}
		}
	}
}
