package averages

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// startOf returns the uniform distribution on the states of a chain, or all mass at one state.
func startOf(c *Chain, point int) []float64 {
	law := slices.Repeat([]float64{1 / float64(c.States())}, c.States())
	if point >= 0 {
		clear(law)
		law[point] = 1
	}
	return law
}

// timesRows are values from programs that are independent of this one, those of the toy hard with
// 40 digits.
var timesRows = []struct {
	toy, kernel    string
	point          int // of the start; -1 is uniform
	mi10, tv10     float64
	mixing, burnIn float64
}{
	{"easy", "metropolis", -1, 1.3423269450162372, 0.3027339271581996, 627, 563},
	{"barrier", "metropolis", -1, 0.5321712770674151, 0.620299521509933, 1329588, 2931593},
	{"hard", "metropolis", -1, math.NaN(), math.NaN(), 10231690122, 18286009869},
	{"random:1:3:5x5", "moore", 0, 0.327349179280148, 0.560248646371963, 55, 123},
	{"random:2:11:30", "metropolis", 0, 1.5061939338577592, 0.7233633278954346, 44823, 98879},
	{"easy", "heatbath-scan", -1, 0.00017740019526975615, 0.0017301087447248872, 6, 6},
}

func TestTimesReference(t *testing.T) {
	for _, row := range timesRows {
		t.Run(row.toy+" "+row.kernel, func(t *testing.T) {
			c := libraryChain(t, row.toy, row.kernel)
			start := startOf(c, row.point)
			mixing, err := c.MixingTime(t.Context(), 0.01)
			if err != nil || mixing.Moves != row.mixing || mixing.Note != "" || !(mixing.Error < 0.1) {
				t.Errorf("mixing time %+v, %v; want %.0f", mixing, err, row.mixing)
			}
			burnIn, err := c.BurnIn(t.Context(), start, 0.01)
			if err != nil || burnIn.Moves != row.burnIn || burnIn.Note != "" || !(burnIn.Error < 0.1) {
				t.Errorf("burn-in %+v, %v; want %.0f", burnIn, err, row.burnIn)
			}
			mi, err := c.MI(t.Context(), []int64{10})
			if err != nil || math.Abs(mi[0]-row.mi10) > 1e-11*row.mi10 {
				t.Errorf("mutual information %v, %v; want %v", mi, err, row.mi10)
			}
			tv, err := c.TV(t.Context(), start, []int64{10})
			if err != nil || math.Abs(tv[0]-row.tv10) > 1e-11*row.tv10 {
				t.Errorf("distance %v, %v; want %v", tv, err, row.tv10)
			}
		})
	}
}

// tabulated returns the chain of given rows under given log f.
func tabulated(t testing.TB, logf []float64, rows ...[]float64) *Chain {
	t.Helper()
	k := chains.NewTabulated("rows", len(rows), func(x int) []chains.Entry {
		var row []chains.Entry
		for y, p := range rows[x] {
			row = append(row, chains.Entry{To: y, P: p})
		}
		return row
	})
	return longtest.Must(New(t.Context(), k, logf))(t)
}

// TestTimesLoseDigits holds the estimate of what rounding does to the closed form of two states:
// the distance from a point is half of (1 - a - b)^k for equal probabilities.
func TestTimesLoseDigits(t *testing.T) {
	noted := 0
	nearest := 0.0
	for e := 10; e <= 970; e += 6 {
		a := math.Ldexp(1, -e) * (1 + 1/float64(e))
		c := tabulated(t, []float64{0, 0}, []float64{1 - a, a}, []float64{a, 1 - a})
		got, err := c.BurnIn(t.Context(), []float64{1, 0}, 0.01)
		want := math.Ceil(math.Log(0.01/0.5) / math.Log1p(-2*a))
		if err != nil || math.Abs(got.Moves-want) > got.Error+4*0x1p-53*want {
			t.Fatalf("2^-%d: %+v, %v; want %v", e, got, err, want)
		}
		if want < 1e12 && got.Moves != want || got.Error > 1 && got.Note == "" || !(got.Error <= 1e-11*want) {
			t.Errorf("2^-%d: %+v; want %v", e, got, want)
		}
		if got.Note != "" {
			noted++
			nearest = max(nearest, math.Abs(got.Moves-want)/got.Error)
		}
	}
	if noted < 100 || !(nearest > 0.02) {
		t.Errorf("%d notes, and the largest error is %v of what they say", noted, nearest)
	}
}

// TestTimesByDefinition compares with powers made one move at a time.
func TestTimesByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "states")
		logf := exacttest.DrawLogF(t, "target", n, true)
		c, err := New(context.Background(), kernels.Metropolis{Space: exacttest.DrawGraph(t, n)}, logf)
		if err != nil {
			t.Skip(err)
		}
		start := startOf(c, rapid.IntRange(-1, n-1).Draw(t, "point"))
		if c.CheckLaw(start) != nil {
			t.Skip("a start outside")
		}
		bound := math.Exp(rapid.Float64Range(-12, 1).Draw(t, "log bound"))
		mi, tv := c.curves(start, 1<<10)
		mixing, err := c.MixingTime(context.Background(), bound)
		checkTime(t, "mixing time", mixing, err, mi, bound)
		burnIn, err := c.BurnIn(context.Background(), start, min(bound, 0.99))
		checkTime(t, "burn-in", burnIn, err, tv, min(bound, 0.99))
		ks := []int64{1000, 0, 1, 37, 512}
		gotMI := longtest.Must(c.MI(context.Background(), ks))(t)
		gotTV := longtest.Must(c.TV(context.Background(), start, ks))(t)
		for i, k := range ks {
			if math.Abs(gotMI[i]-mi[k]) > 1e-11 || math.Abs(gotTV[i]-tv[k]) > 1e-11 {
				t.Fatalf("after %d moves %v and %v, want %v and %v", k, gotMI[i], gotTV[i], mi[k], tv[k])
			}
		}
	})
}

// curves returns the mutual information and the distance after 0, 1, 2, ... moves, by their
// definitions.
func (c *Chain) curves(start []float64, moves int) (mi, tv []float64) {
	n := c.States()
	laws := [][]float64{slices.Clone(start)}
	for x := range n {
		laws = append(laws, startOf(c, x))
	}
	next := make([]float64, n)
	for range moves {
		distance := 0.0
		information := 0.0
		for y, p := range c.Target {
			distance += math.Abs(laws[0][y]-p) / 2
			for x, q := range c.Target {
				if v := laws[1+x][y]; q > 0 && v > 0 {
					information += q * v * math.Log(v/p)
				}
			}
		}
		mi, tv = append(mi, information), append(tv, distance)
		for i := range laws {
			c.factored().Push(next, laws[i])
			copy(laws[i], next)
		}
	}
	return mi, tv
}

// checkTime fails if a time is not the first at which a curve is at most a bound.
func checkTime(t *rapid.T, what string, got Time, err error, curve []float64, bound float64) {
	want := math.Inf(1)
	for k, v := range curve {
		if math.Abs(v-bound) < 1e-11 {
			return // the slow routine cannot tell
		}
		if v < bound {
			want = float64(k)
			break
		}
	}
	slow := math.IsInf(want, 1) && (got.Moves >= float64(len(curve)))
	if err != nil || got.Moves != want && !slow || math.IsInf(got.Moves, 1) && got.Note == "" {
		t.Fatalf("%s %+v, %v; want %v for bound %v", what, got, err, want, bound)
	}
}

func TestTimesOfChainsThatRemember(t *testing.T) {
	flat := []float64{0, 0, 0, 0}
	apart := tabulated(t, flat, []float64{0.5, 0.5, 0, 0}, []float64{0.5, 0.5, 0, 0},
		[]float64{0, 0, 0.5, 0.5}, []float64{0, 0, 0.5, 0.5})
	around := tabulated(
		t,
		flat,
		[]float64{0, 1, 0, 0},
		[]float64{0, 0, 1, 0},
		[]float64{0, 0, 0, 1},
		[]float64{1, 0, 0, 0},
	)
	halves := tabulated(t, flat, []float64{0, 0, 0.5, 0.5}, []float64{0, 0, 0.5, 0.5},
		[]float64{0.5, 0.5, 0, 0}, []float64{0.5, 0.5, 0, 0})
	inf := math.Inf(1)
	for _, test := range []struct {
		what        string
		chain       *Chain
		information float64
		mixing      float64
		start       []float64
		distance    float64
		burnIn      float64
		note        string
	}{
		{"two classes", apart, 0.01, inf, []float64{1, 0, 0, 0}, 0.01, inf, "2 classes"},
		{"two classes, and a bound above what they say", apart, 0.7, 1, []float64{0.5, 0, 0.5, 0},
			0.01, 1, ""},
		{"period 4", around, 0.01, inf, []float64{1, 0, 0, 0}, 0.01, inf, "goes through 4 sets"},
		{"period 4, from all of its sets", around, 1.4, 0, []float64{0.25, 0.25, 0.25, 0.25}, 0.01, 0, ""},
		{"period 2", halves, 0.01, inf, []float64{1, 0, 0, 0}, 0.4, inf, "goes through 2 sets"},
		{"period 2, from both sets", halves, 0.7, 1, []float64{0.5, 0, 0, 0.5}, 0.01, 1, ""},
	} {
		mixing, err := test.chain.MixingTime(t.Context(), test.information)
		if err != nil || mixing.Moves != test.mixing || !strings.Contains(mixing.Note, test.note) {
			t.Errorf("%s: mixing time %+v, %v; want %v", test.what, mixing, err, test.mixing)
		}
		burnIn, err := test.chain.BurnIn(t.Context(), test.start, test.distance)
		if err != nil || burnIn.Moves != test.burnIn || !strings.Contains(burnIn.Note, test.note) {
			t.Errorf("%s: burn-in %+v, %v; want %v", test.what, burnIn, err, test.burnIn)
		}
	}
}

// TestBurnInIsRefused is about a large space with a barrier that no distribution gets over in a few
// minutes.
func TestBurnInIsRefused(t *testing.T) {
	const n = 1100
	logf := make([]float64, n)
	logf[2] = -35
	line := longtest.Must(grid.New(n))(t)
	c := longtest.Must(New(t.Context(), kernels.Metropolis{Space: line}, logf))(t)
	longtest.Refuses(c.BurnIn(t.Context(), startOf(c, 0), 0.01))(t, "take a smaller target", "burn-in")
	longtest.Refuses(c.MixingTime(t.Context(), 0.01))(t, "at most 1024 states", "mixing time")
}

func TestBadBounds(t *testing.T) {
	ctx := t.Context()
	c := libraryChain(t, "random:0:0:2", "metropolis")
	for _, bound := range []float64{0, -1, math.NaN()} {
		longtest.Refuses(c.MixingTime(ctx, bound))(t, "give one above zero", bound)
		longtest.Refuses(c.BurnIn(ctx, c.Target, bound))(t, "give one between 0 and 1", bound)
	}
	longtest.Refuses(c.BurnIn(ctx, c.Target, 1))(t, "give one between 0 and 1", "1")
	longtest.Refuses(c.BurnIn(ctx, []float64{1}, 0.01))(t, "start: it has 1 states", "one state")
	longtest.Refuses(c.MI(ctx, []int64{-1}))(t, "-1 moves; give a number from 0 on", "MI")
	longtest.Refuses(c.TV(ctx, c.Target, []int64{-1}))(t, "-1 moves; give a number from 0 on", "TV")
}

// TestTimesBeyondFloatingPoint: between two modes that are 800 nats above all else a chain needs
// some e^800 moves, which is not never.
func TestTimesBeyondFloatingPoint(t *testing.T) {
	k := longtest.Must(kernels.Parse("heatbath", grid.MustNew(2, 2)))(t)
	c := longtest.Must(New(t.Context(), k, []float64{0, -800, -800, 0}))(t)
	mixing, err := c.MixingTime(t.Context(), 0.01)
	if err != nil || !math.IsNaN(mixing.Moves) ||
		!strings.Contains(mixing.Note, "more than 1e300 moves are needed") {
		t.Errorf("mixing time %+v, %v", mixing, err)
	}
}
