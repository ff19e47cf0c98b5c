package meeting_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/exact/meeting"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// digits is the precision of the slow reference, in bits: 1 - exp(-110) keeps 240 of them, of which
// squaring loses one each time.
const digits = 400

func number(v float64) *big.Float { return new(big.Float).SetPrec(digits).SetFloat64(v) }

func plus(a, b *big.Float) *big.Float  { return new(big.Float).SetPrec(digits).Add(a, b) }
func minus(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(digits).Sub(a, b) }
func times(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(digits).Mul(a, b) }
func over(a, b *big.Float) *big.Float  { return new(big.Float).SetPrec(digits).Quo(a, b) }

func least(a, b *big.Float) *big.Float {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// longRows returns the rows of a chain with many digits: all entries off the diagonal as they are,
// and on it what they lack of one.
func longRows(chain *averages.Chain) [][]*big.Float {
	n := chain.States()
	rows := make([][]*big.Float, n)
	for x := range rows {
		rows[x] = make([]*big.Float, n)
		for y := range rows[x] {
			rows[x][y] = number(0)
		}
		stay := number(1)
		for _, e := range chain.Rows.Row(x) {
			if e.To != x {
				rows[x][e.To] = plus(rows[x][e.To], number(e.P))
				stay = minus(stay, number(e.P))
			}
		}
		rows[x][x] = stay
	}
	return rows
}

// longPairs returns the matrix of ordered pairs under the maximal coupling with independent
// residuals, or under independent moves.
func longPairs(rows [][]*big.Float, maximal bool) [][]*big.Float {
	n := len(rows)
	pairs := make([][]*big.Float, n*n)
	for pair := range pairs {
		p := rows[pair/n]
		q := rows[pair%n]
		alike := number(0)
		for z := range p {
			if maximal {
				alike = plus(alike, least(p[z], q[z]))
			}
		}
		apart := minus(number(1), alike)
		to := make([]*big.Float, n*n)
		for x := range n {
			for y := range n {
				restP := p[x]
				restQ := q[y]
				both := number(0)
				if maximal {
					restP, restQ = minus(p[x], least(p[x], q[x])), minus(q[y], least(p[y], q[y]))
					if x == y {
						both = least(p[x], q[x])
					}
				}
				to[x*n+y] = both
				if apart.Sign() > 0 {
					to[x*n+y] = plus(both, over(times(restP, restQ), apart))
				}
			}
		}
		pairs[pair] = to
	}
	return pairs
}

// longMeans solves (I - Q) V = 1 by elimination with pivots.
func longMeans(pairs [][]*big.Float, n int) []*big.Float {
	m := len(pairs)
	term := number(0)
	a := make([][]*big.Float, m)
	for i := range a {
		a[i] = make([]*big.Float, m+1)
		for j := range m {
			a[i][j] = number(0)
			if i == j {
				a[i][j] = number(1)
			}
			if i/n != i%n && j/n != j%n {
				a[i][j] = minus(a[i][j], pairs[i][j])
			}
		}
		a[i][m] = number(0)
		if i/n != i%n {
			a[i][m] = number(1)
		}
	}
	for k := range m {
		best := k
		for i := k; i < m; i++ {
			if new(big.Float).Abs(a[i][k]).Cmp(new(big.Float).Abs(a[best][k])) > 0 {
				best = i
			}
		}
		a[k], a[best] = a[best], a[k]
		for i := range m {
			if i == k || a[i][k].Sign() == 0 {
				continue
			}
			f := over(a[i][k], a[k][k])
			for j := k; j <= m; j++ {
				a[i][j].Sub(a[i][j], term.Mul(f, a[k][j]))
			}
		}
	}
	v := make([]*big.Float, m)
	for i := range v {
		v[i] = over(a[i][m], a[i][i])
	}
	return v
}

// solve returns the meeting times of a coupling on a target.
func solve(t testing.TB, k chains.Kernel, coupling string,
	logf []float64) (*meeting.Solved, *averages.Chain) {
	t.Helper()
	ctx := context.Background()
	chain := longtest.Must(averages.New(ctx, k, logf))(t)
	return longtest.Must(longtest.Must(meeting.New(ctx, longtest.Must(couplings.New(coupling, k))(t), chain))(t).Solve(ctx))(t), chain
}

// meet returns the distribution of the meeting time on a target on a lattice, with maximally
// coupled rows.
func meet(t testing.TB, kernel string, logf, start []float64, lag int, sides ...int) *meeting.Law {
	t.Helper()
	solved, _ := solve(t, longtest.Must(kernels.Parse(kernel, grid.MustNew(sides...)))(t), "rows", logf)
	return longtest.Must(solved.Meet(context.Background(), start, lag))(t)
}

// TestSteep holds meeting times of steep targets to elimination with 400 bits, which knows nothing
// of how small probabilities keep their digits.
func TestSteep(t *testing.T) {
	for _, c := range []struct {
		logf     []float64
		kernel   string
		coupling string
	}{
		{[]float64{0, -37, -37, 0}, "heatbath", "rows"},
		{[]float64{0, -40, -41, -1}, "metropolis", "rows"},
		{[]float64{0, -25, -25, 0}, "heatbath", "rows"},
		{[]float64{0, -37, -37, 0}, "heatbath", "independent"},
		{[]float64{0, -60, -3, -58}, "heatbath", "rows"},
		{[]float64{0, -100, -110, -3}, "mixture:0.5*metropolis+0.5*heatbath", "rows"},
	} {
		name := fmt.Sprint(c)
		solved, chain := solve(t, longtest.Must(kernels.Parse(c.kernel, grid.MustNew(2, 2)))(t), c.coupling, c.logf)
		const n = 4
		pairs := longPairs(longRows(chain), c.coupling == "rows")
		v := longMeans(pairs, n)
		for pair := range n * n {
			if want, _ := v[pair].Float64(); math.Abs(solved.MeanTime(pair/n, pair%n)-want) > 1e-12*want {
				t.Errorf("%s: from %d and %d chains meet after %.16g moves on average, for %.16g", name,
					pair/n, pair%n, solved.MeanTime(pair/n, pair%n), want)
			}
		}
		if solved.Lost > 1e-12 {
			t.Errorf("%s: digits are lost: %v", name, solved.Lost)
		}
	}
}

// TestNeverAndTooLate: what meets too late for floating point is told from what never meets.
func TestNeverAndTooLate(t *testing.T) {
	solved, _ := solve(
		t,
		longtest.Must(kernels.Parse("metropolis", grid.MustNew(4)))(t),
		"rows",
		[]float64{0, -720, 3, -1},
	)
	if _, _, never := solved.Never(); never {
		t.Error("chains never meet")
	}
	if x, y, late := solved.TooLate(); !late || !math.IsInf(solved.MeanTime(x, y), 1) ||
		math.IsInf(solved.MeanTime(2, 3), 1) {
		t.Errorf("%d, %d, %v: %v", x, y, late, solved.V)
	}
}

// TestOneState: chains of one state have met when both have begun.
func TestOneState(t *testing.T) {
	ctx := context.Background()
	k := longtest.Must(kernels.Parse("heatbath", grid.MustNew(1)))(t)
	for _, name := range couplings.Names() {
		solved, _ := solve(t, k, name, []float64{0})
		m := longtest.Must(solved.Meet(ctx, []float64{1}, 10))(t)
		gap := longtest.Must(solved.TailGap(ctx))(t)
		if at := longtest.Must(m.Time(ctx, 0.25))(t); m.Mean != 10 || at.Moves != 0 || gap != 1 {
			t.Errorf("%s: mean %v, mixing time %v, tail rate %v", name, m.Mean, at, 1-gap)
		}
	}
}

// TestHardlyMovingD: if a move changes less than float64 holds, D is the distance and more, or it
// is left out.
func TestHardlyMovingD(t *testing.T) {
	ctx := context.Background()
	for _, span := range []float64{590, 672, 690, 744} {
		m := meet(t, "metropolis", []float64{0, -span, -1}, []float64{0, 1, 0}, 1, 3)
		p := longtest.Must(m.Points(ctx, []int64{0}))(t)[0]
		if known := math.Abs(p.LagTV-1.23105857863) <
			1e-10; !known && !(math.IsNaN(p.LagTV) && p.LagNote != "") || known != (span < 600) {
			t.Errorf("span %v: D is %v; %s", span, p.LagTV, p.LagNote)
		}
	}
}

// TestTimeOfATie: if d is the bound but for rounding, as 2^-t is here, a note says that the time
// may be off by one.
func TestTimeOfATie(t *testing.T) {
	ctx := context.Background()
	m := meet(t, "mixture:0.5*stay+0.5*heatbath", []float64{0.3, 0}, []float64{1, 0}, 1, 2)
	d := longtest.Must(m.Points(ctx, []int64{0, 3}))(t)
	for _, test := range []struct {
		bound float64
		note  bool
	}{{d[1].Bound, true}, {d[1].Bound * (1 - 1e-15), true}, {d[1].Bound * 1.01, false}, {d[0].Bound, true},
		{d[0].Bound * 2, false}} {
		if at := longtest.Must(m.Time(ctx, test.bound))(t); (at.Note != "") != test.note {
			t.Errorf("d <= %v: %+v", test.bound, at)
		}
	}
}

// TestDTakesTooLong: if the distances that D is the sum of fall too slowly it is left out, and a
// note says so; else there is no note.
func TestDTakesTooLong(t *testing.T) {
	ctx := context.Background()
	cases := map[string]string{
		"cells:0:-700/-300:-1": "e+18 moves, the largest number that is tried", "cells:0:-37/-37:0": "",
		"cells:0:-700/-700:0": "", "cells:0:-3/-3:0": ""}
	if longtest.More() { // many states take the work before they take the moves
		cases["cells:0"+strings.Repeat(":-700:0", 10)+"/-300"+strings.Repeat(":-1:-300", 10)] =
			"moves, the largest number that is tried"
	}
	for selector, want := range cases {
		k, toy := kernelOf(t, question{toy: selector, kernel: "heatbath"})
		solved, _ := solve(t, k, "rows", toy.G)
		p := longtest.Must(longtest.Must(solved.Meet(ctx, startOf("uniform", toy.Space.States()), 1))(t).Points(ctx, []int64{0}))(t)[0]
		if math.IsNaN(p.LagTV) != (want != "") || !strings.HasSuffix(p.LagNote, want) ||
			want == "" && p.LagNote != "" {
			t.Errorf("%s: %+v", selector, p)
		}
	}
}

// TestCoarse: the mean times of the best coupling of a steep target span more digits than a
// transport can tell apart, and those of a gentle one do not.
func TestCoarse(t *testing.T) {
	ctx := context.Background()
	for selector, want := range map[string]bool{"random:40:1:3x3": true, "random:2:1:3x3": false} {
		pairs, _, _ := enumerated(t, question{toy: selector, kernel: "heatbath", coupling: "rows-comonotone"})
		best := longtest.Must(longtest.Must(pairs.Best(ctx))(t).Solve(ctx))(t)
		if best.Coarse() != want {
			t.Errorf("%s: %v, of %v", selector, best.Coarse(), best.V)
		}
	}
}

// TestDIsAboveTheDistance: if a chain hardly moves from its start, what one move changes is not
// lost in rounding, nor is the start of one that does not move at all as far as floating point can
// tell. If the slowest part of what moves change is below the rounding of the rest, D is not known.
func TestDIsAboveTheDistance(t *testing.T) {
	_, hidden := kernelOf(t, question{toy: "random:40:1:3x3", kernel: "heatbath"})
	first := []float64{1, 0, 0, 0}
	for name, m := range map[string]*meeting.Law{
		"hardly moves, lag 1": meet(t, "heatbath", []float64{0, -6, -6, 0}, first, 1, 2, 2),
		"hardly moves, lag 3": meet(t, "heatbath", []float64{0, -6, -6, 0}, first, 3, 2, 2),
		"stays, lag 1":        meet(t, "heatbath", []float64{0, -745, -745, 0}, first, 1, 2, 2),
		"stays, lag 3":        meet(t, "heatbath", []float64{0, -745, -745, 0}, first, 3, 2, 2),
		"hidden":              meet(t, "heatbath", hidden.G, startOf("uniform", 9), 1, 3, 3),
	} {
		for _, p := range longtest.Must(m.Points(context.Background(), []int64{0, 7}))(t) {
			if p.LagTV < p.TV*(1-1e-12) || p.Bound < p.TV*(1-1e-12) {
				t.Errorf("%s: %+v", name, p)
			}
		}
		if (m.Floor > 0) != strings.HasPrefix(name, "stays") {
			t.Errorf("%s: the floor is %v", name, m.Floor)
		}
	}
}
