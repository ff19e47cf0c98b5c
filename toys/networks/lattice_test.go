package networks_test

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/number"
	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// spins returns the tables of Ising's model on a plane or a torus of sides of 3 and more, each over
// two neighbours, or over one site in a field.
func spins(rows, cols int, j, field float64, torus bool) (factors []networks.Factor, cards []int) {
	cards = slices.Repeat([]int{2}, rows*cols)
	equal := math.Exp(j)
	unequal := math.Exp(-j)
	join := func(a, b int) {
		factors = append(
			factors,
			networks.Factor{Scope: []int{a, b}, Values: []float64{equal, unequal, unequal, equal}},
		)
	}
	for r := range rows {
		for c := range cols {
			v := r*cols + c
			if field != 0 {
				factors = append(factors,
					networks.Factor{Scope: []int{v}, Values: []float64{math.Exp(-field), math.Exp(field)}})
			}
			if c > 0 {
				join(v-1, v)
			} else if torus {
				join(v, v+cols-1)
			}
			if r > 0 {
				join(v-cols, v)
			} else if torus {
				join(v, v+(rows-1)*cols)
			}
		}
	}
	return factors, cards
}

// kaufman is log Z of Ising's model on a torus of m rows and n columns at the coupling k.
//
// Source: Kaufman 1949, Crystal statistics II; in the form of Ferdinand and Fisher 1969, Eqs. 2.1
// to 2.4.
func kaufman(m, n int, k float64) float64 {
	gamma := func(q int) float64 {
		if q == 0 {
			return 2*k + math.Log(math.Tanh(k))
		}
		return math.Acosh(math.Cosh(2*k)*math.Cosh(2*k)/math.Sinh(2*k) - math.Cos(float64(q)*math.Pi/float64(n)))
	}
	var logs [4]float64
	signs := [4]float64{1, 1, 1, 1}
	for q := range n {
		for i := range logs {
			g := gamma(2*q + 1 - i/2)
			x := float64(m) * g / 2
			if i%2 == 0 {
				logs[i] += math.Abs(x) + math.Log1p(math.Exp(-2*math.Abs(x)))
			} else {
				logs[i] += math.Abs(x) + math.Log1p(-math.Exp(-2*math.Abs(x)))
				if x < 0 {
					signs[i] = -signs[i]
				}
			}
		}
	}
	top := slices.Max(logs[:])
	sum := 0.0
	for i, l := range logs {
		sum += signs[i] * math.Exp(l-top)
	}
	return -math.Ln2 + float64(m*n)/2*math.Log(2*math.Sinh(2*k)) + top + math.Log(sum)
}

// relative reports whether two numbers agree to 1e-10 of their size.
func relative(a, b float64) bool { return math.Abs(a-b) <= 1e-10*math.Abs(b) }

// TestTori: log Z of tori is Kaufman's, on both sides of the critical point and at it.
func TestTori(t *testing.T) {
	longtest.Only(t)
	sides := [][2]int{{3, 3}, {3, 7}, {6, 6}, {8, 8}}
	if longtest.More() {
		sides = append(sides, [2]int{10, 10})
	}
	for _, s := range sides {
		for _, k := range []float64{0.1, 0.3, 0.4406867935097715, 0.6, 1} {
			factors, cards := spins(s[0], s[1], k, 0, true)
			got := longtest.Sure(networks.Infer(context.Background(), factors, cards, networks.Outputs{}))
			if want := kaufman(s[0], s[1], k); !relative(got.LogZ, want) {
				t.Errorf("%v at J = %v: log Z %.15g, want %.15g", s, k, got.LogZ, want)
			}
		}
	}
}

// everything asks for all that elimination can say.
func everything(memory float64) networks.Outputs {
	return networks.Outputs{
		Memory:    memory,
		Marginals: true,
		Joint:     true,
		Best:      true,
		Samples:   20,
		Random:    rand.New(rand.NewPCG(1, 2)),
	}
}

// TestAllAgainstEnumeration: the sum and the distributions of variables and of pairs are those of
// all configurations one by one, and the configuration of the largest product has it; every sample
// is possible.
func TestAllAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		factors, cards := drawFactors(t)
		got := longtest.Sure(networks.Infer(context.Background(), factors, cards, everything(0)))
		logZ, marginals := enumerated(factors, cards)
		if !near(got.LogZ, logZ) {
			t.Fatalf("log Z %v, want %v", got.LogZ, logZ)
		}
		for v, want := range marginals {
			if !slices.EqualFunc(got.Marginals[v], want, near) {
				t.Fatalf("marginal of %d: %v, want %v", v, got.Marginals[v], want)
			}
		}
		if math.IsInf(logZ, -1) {
			if got.Best != nil || got.Samples != nil || got.Joint != nil || got.Marginals != nil {
				t.Fatalf("%v of what is zero everywhere", got)
			}
			return
		}
		together := map[[2]int]bool{}
		for _, f := range factors {
			for _, v := range f.Scope {
				for _, w := range f.Scope {
					if v < w && cards[v] > 1 && cards[w] > 1 {
						together[[2]int{v, w}] = true
					}
				}
			}
		}
		if len(together) != len(got.Joint) {
			t.Fatalf("pairs %v, want %v", got.Joint, together)
		}
		best := math.Inf(-1)
		want := map[[2]int][]number.Sum{}
		for pair := range together {
			want[pair] = make([]number.Sum, cards[pair[0]]*cards[pair[1]])
		}
		everyConfiguration(cards, func(x []int) {
			p := logProduct(factors, cards, x)
			best = max(best, p)
			for pair, sums := range want {
				sums[x[pair[0]]*cards[pair[1]]+x[pair[1]]].Add(math.Exp(p - logZ))
			}
		})
		for pair, sums := range want {
			for k := range sums {
				if !near(got.Joint[pair][k], sums[k].Value()) {
					t.Fatalf("the distribution of %v is %v, and at %d it is %v", pair, got.Joint[pair],
						k, sums[k].Value())
				}
			}
		}
		if !near(got.LogBest.Value, best) || !near(logProduct(factors, cards, got.Best), best) {
			t.Fatalf("the largest product is exp(%v) at %v, and should be exp(%v)", got.LogBest.Value,
				got.Best, best)
		}
		for c := range 20 {
			x := make([]int, len(cards))
			for v := range x {
				x[v] = int(got.Samples[v][c])
			}
			if math.IsInf(logProduct(factors, cards, x), -1) {
				t.Fatalf("sample %v is impossible", x)
			}
		}
	})
}

// TestRefusesMemory: with little memory less is kept and all is computed twice, and with too little
// the error says what would fit.
func TestRefusesMemory(t *testing.T) {
	longtest.Only(t)
	factors, cards := spins(9, 8, 0.4, 0.1, true)
	whole := longtest.Sure(networks.Infer(context.Background(), factors, cards, everything(0)))
	for tables := whole.Bytes - networks.OwnMemory; ; tables *= 0.8 {
		memory := networks.OwnMemory + tables
		got, err := networks.Infer(context.Background(), factors, cards, everything(memory))
		if err != nil {
			longtest.Refused(t, err, "ask for log Z alone, which takes 0.06")
			if tables > (whole.Bytes-networks.OwnMemory)/2 {
				t.Errorf("refused with %v bytes, and %v are enough without a limit", memory, whole.Bytes)
			}
			return
		}
		if got.Bytes > memory || !relative(got.LogZ, whole.LogZ) ||
			!near(got.Marginals[30][1], whole.Marginals[30][1]) {
			t.Errorf("%v bytes, and %v were allowed; log Z %v, want %v", got.Bytes, memory, got.LogZ, whole.LogZ)
		}
	}
}

// weighing is a context of which every fourth look measures what is held on the heap.
type weighing struct {
	context.Context
	looks       int
	least, most uint64
}

func (w *weighing) Err() error {
	w.looks++
	if w.looks%4 != 1 {
		return nil
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	w.least, w.most = min(w.least, m.HeapAlloc), max(w.most, m.HeapAlloc)
	return nil
}

// TestMemory: the memory of tables that is estimated is what is held, as steps of the elimination
// see it, with all messages and with few of them. Beside the tables 0.65 MB are held: the plan,
// small tables and what is returned.
func TestMemory(t *testing.T) {
	longtest.Only(t)
	factors, cards := spins(15, 15, 0.4, 0, false)
	for _, memory := range []float64{1e9, networks.OwnMemory + 7e6} {
		heap := &weighing{Context: context.Background(), least: math.MaxUint64}
		got := longtest.Sure(networks.Infer(heap, factors, cards, networks.Outputs{Memory: memory, Marginals: true}))
		if tables, held := got.Bytes-networks.OwnMemory, float64(heap.most-heap.least); held > tables+1e6 ||
			held < tables {
			t.Errorf("%v bytes are held, and %v were estimated", held, tables)
		}
	}
}

// TestSamples: samples of a plane have the distribution of each pair of neighbours. Of 1e5 samples,
// and that many z-scores, the largest is above the bound by chance once in a million.
func TestSamples(t *testing.T) {
	side := 8
	n := 20_000
	if longtest.More() {
		side = 12
		n = 100_000
	}
	factors, cards := spins(side, side, 0.4406867935097715, 0.05, false)
	got := longtest.Sure(networks.Infer(context.Background(), factors, cards,
		networks.Outputs{Joint: true, Samples: n, Random: rand.New(rand.NewPCG(12, 12))}))
	tests := 4 * len(got.Joint)
	bound := math.Sqrt2 * math.Erfcinv(1e-6/float64(tests))
	worst := 0.0
	for pair, law := range got.Joint {
		counts := make([]float64, 4)
		for c := range n {
			counts[2*got.Samples[pair[0]][c]+got.Samples[pair[1]][c]]++
		}
		for k, p := range law {
			worst = max(worst, math.Abs(counts[k]-float64(n)*p)/math.Sqrt(float64(n)*p*(1-p)))
		}
	}
	if worst > bound || worst < 2 {
		t.Errorf("the largest of %d z-scores is %v, and the bound %v", tests, worst, bound)
	}
}

// TestFarApart: at a coupling of 40 nats messages of a plane need Wide numbers, and a state in
// which all spins are equal is the likeliest: the other one has the same product.
func TestFarApart(t *testing.T) {
	longtest.Only(t)
	const j = 40
	factors, cards := spins(13, 14, j, 0, false)
	got := longtest.Sure(networks.Infer(context.Background(), factors, cards, everything(0)))
	pairs := float64(13*13 + 12*14)
	if want := pairs*j + math.Ln2; !relative(got.LogZ, want) || !relative(got.LogBest.Value, pairs*j) ||
		slices.Max(got.Best) != slices.Min(got.Best) {
		t.Errorf("log Z %v, want %v; best %v, %v", got.LogZ, want, got.LogBest.Value, got.Best)
	}
	if p := got.Joint[[2]int{0, 1}]; !near(p[0], 0.5) || !near(p[3], 0.5) ||
		got.Marginals[100][0] < 0.5-1e-12 {
		t.Errorf("the distribution of two neighbours is %v", p)
	}
}

// TestLogProduct: the sum of the logarithms of powers of two, which cancel but for a few, is off by
// less than it says.
func TestLogProduct(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		factors := []networks.Factor{}
		left := 0
		for range 20 {
			power := random.IntN(1000)
			off := random.IntN(3) - 1
			left += off
			for _, v := range []int{power + off, -power} {
				factors = append(factors, networks.Factor{Scope: []int{0}, Values: []float64{math.Ldexp(1, v), 0}})
			}
		}
		got := networks.LogProduct(factors, []int{2}, []int{0})
		if off := math.Abs(got.Value - float64(left)*math.Ln2); !(off <= got.Error) ||
			!(got.Error <= 1e-11) || left != 0 && got.Value == 0 {
			t.Errorf("2^%d has the logarithm %v, which is off by %.3g", left, got, off)
		}
	}
}

// TestLogFactor: factors of any size and of zero have the sum that logarithms say, and those beyond
// 1e5 nats are refused.
func TestLogFactor(t *testing.T) {
	inf := math.Inf(-1)
	for _, logs := range [][]float64{{0, 0.3, -0.3, 1}, {700, -700, 37, inf}, {inf, inf, inf, -99_999},
		{99_999, -99_999, 0, 5}, {inf, inf, inf, inf}} {
		factors := longtest.Sure(networks.LogFactor([]int{1, 0}, logs))
		got := longtest.Sure(networks.Infer(context.Background(), factors, []int{2, 2}, networks.Outputs{Best: true}))
		if want := number.LogTotal(logs); !near(got.LogZ, want) ||
			!math.IsInf(want, -1) && !near(got.LogBest.Value, slices.Max(logs)) {
			t.Errorf("of %v log Z is %v, want %v; the largest is %v", logs, got.LogZ, want, got.LogBest.Value)
		}
	}
	for _, g := range []float64{math.NaN(), math.Inf(1), 1.1e5, -1.1e5} {
		longtest.Refuses(networks.LogFactor([]int{0}, []float64{g, 0}))(t, "make the couplings smaller", g)
	}
}

// TestEndsSoon: an elimination ends within two steps of the end of its context, forwards and
// backwards.
func TestEndsSoon(t *testing.T) {
	factors, cards := spins(5, 5, 0.4, 0, false)
	for _, looks := range []int{0, 3, 24, 30, 60} {
		ctx := longtest.EndsAfter(looks)
		if _, err := networks.Infer(ctx, factors, cards, everything(0)); err == nil || ctx.Looks() > 3 {
			t.Errorf("after %d looks: %v, and %d more looks", looks, err, ctx.Looks())
		}
	}
}

// TestManyChildren: a variable that stands in a factor with each of 400 others of 512 values. The
// product of their messages is out of the range of float64 on both sides: 512^400, and times
// 10^-600 for both values of the variable, of which half of the others prefer the one and half the
// other.
func TestManyChildren(t *testing.T) {
	longtest.Only(t)
	const n, values = 400, 512
	for _, odds := range []float64{1, 1e-3} {
		cards := append(slices.Repeat([]int{values}, n), 2)
		var factors []networks.Factor
		for v := range n {
			a, b := 1.0, odds
			if v%2 == 0 {
				a, b = b, a
			}
			factors = append(factors, networks.Factor{Scope: []int{n, v},
				Values: slices.Concat(slices.Repeat([]float64{a}, values), slices.Repeat([]float64{b}, values))})
		}
		got := longtest.Sure(networks.Infer(context.Background(), factors, cards, everything(0)))
		want := math.Ln2 + n*math.Log(values) + n/2*math.Log(odds)
		if !near(got.LogZ, want) || !near(got.Marginals[n][0], 0.5) ||
			!near(got.Joint[[2]int{7, n}][3], 0.5/values) || !near(got.LogBest.Value, n/2*math.Log(odds)) {
			t.Errorf("odds %v: log Z %v, want %v; %v, largest %v", odds, got.LogZ, want, got.Marginals[n],
				got.LogBest.Value)
		}
	}
}
