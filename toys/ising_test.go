package toys_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
	"breadboard/toys"
)

// critical is the coupling at which Ising's model on the plane is critical, ln(1 + sqrt 2)/2 = asinh(1)/2 (Onsager 1944).
const critical = 0.44068679350977151261630466248989615451

// TestIsingByHand: states of the 2x2 model, whose four sites are the corners of a square. Open edges have the four pairs of its sides.
func TestIsingByHand(t *testing.T) {
	toy := parsed(t, "ising:2x2:0.5:0.25")
	if toy.Space.String() != "2x2x2x2" || len(toy.G) != 16 {
		t.Fatalf("the space is %v", toy.Space)
	}
	for x, want := range map[int]float64{
		0:  0.5*4 - 0.25*4, // - - / - -
		15: 0.5*4 + 0.25*4, // + + / + +
		8:  0 - 0.25*2,     // + - / - -: two sides of the square are equal
		9:  -0.5 * 4,       // + - / - +
		3:  0,              // - - / + +
		5:  0,              // - + / - +
		7:  0 + 0.25*2,     // - + / + +
	} {
		if toy.G[x] != want {
			t.Errorf("g(%s) = %v, want %v", toy.Space.Label(x), toy.G[x], want)
		}
	}
	// On the 3x3 torus each of the three rows and three columns is a ring of three pairs.
	torus := parsed(t, "ising:3x3:1:torus")
	one := torus.Lattice().Index(0, 0, 0, 0, 1, 0, 0, 0, 0)
	if torus.G[0] != 18 || torus.G[511] != 18 || torus.G[one] != 18-8 {
		t.Errorf("on the 3x3 torus g is %v where all are equal and %v where one is turned over, want 18 and 10", torus.G[0], torus.G[one])
	}
}

// TestIsingByDefinition compares every state with the definition, to the last bit: the sums of s s' and of s are whole.
func TestIsingByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sites := drawSites(t, 12)
		j := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1e-300, 1e12, -1e300})).Draw(t, "J")
		field := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(-3, 3)).Draw(t, "field")
		toy := longtest.Sure(toys.Ising(sites, j, field))
		pairs := neighbours(sites)
		for x, g := range toy.G {
			s, products, spins := toy.Lattice().Coords(x), 0, 0
			for k := range s {
				s[k] = 2*s[k] - 1
				spins += s[k]
			}
			for _, p := range pairs {
				products += s[p[0]] * s[p[1]]
			}
			if want := float64(j*float64(products)) + float64(field*float64(spins)); g != want {
				t.Fatalf("%s: g(%v) = %v, want %v", toy.Name, s, g, want)
			}
		}
		again, err := toys.Parse(toy.Name)
		if err != nil || again.Name != toy.Name || !slices.Equal(again.G, toy.G) {
			t.Fatalf("the name %s reads back as %v, %v", toy.Name, again, err)
		}
	})
}

// TestIsingSymmetry: turning every spin over leaves g as it is without a field, and is the same as turning the field round.
// On an even torus the same follows for turning every second spin and J. All of it holds to the last bit.
func TestIsingSymmetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sites := drawSites(t, 12)
		j, field := rapid.Float64Range(-2, 2).Draw(t, "J"), rapid.SampledFrom([]float64{0, 0.3, -1e-7}).Draw(t, "field")
		one := longtest.Sure(toys.Ising(sites, j, field))
		other := longtest.Sure(toys.Ising(sites, j, -field))
		for x, g := range one.G {
			if turned := len(one.G) - 1 - x; g != other.G[turned] {
				t.Fatalf("%s: g(%d) = %v, and %v with all spins and the field turned over", one.Name, x, g, other.G[turned])
			}
		}
	})
	plus, minus := parsed(t, "ising:4x4:0.3:torus"), parsed(t, "ising:4x4:-0.3:torus")
	const second = 0b1010_0101_1010_0101 // every second site of the plane
	for x, g := range plus.G {
		if g != minus.G[x^second] {
			t.Fatalf("g(%d) = %v, and %v with J and every second spin turned over", x, g, minus.G[x^second])
		}
	}
}

// TestIsingTransfer holds the model with open edges, with and without a field, to its transfer matrix.
func TestIsingTransfer(t *testing.T) {
	longtest.NotShort(t)
	for _, sites := range []toys.Sites{{Rows: 1, Cols: 1}, {Rows: 1, Cols: 9}, {Rows: 9, Cols: 1}, {Rows: 3, Cols: 5}, {Rows: 4, Cols: 4}} {
		for _, j := range []float64{critical, -critical, 0, 1.5, -2, 1e-9} {
			for _, field := range []float64{0, 0.2, -1} {
				toy := longtest.Sure(toys.Ising(sites, j, field))
				s := func(v int) float64 { return float64(2*v - 1) }
				want := transfer(sites, 2, func(v, w int) float64 { return math.Exp(j * s(v) * s(w)) }, func(v int) float64 { return math.Exp(field * s(v)) })
				if got := sumExp(toy.G); !near(got, want) {
					t.Errorf("%s: log Z = %.15g, by the transfer matrix %.15g", toy.Name, got, want)
				}
			}
		}
	}
	// A row with open edges is solved by hand: every bond beyond the first spin has the weight 2 cosh J.
	if got, want := sumExp(parsed(t, "ising:1x12:0.7").G), math.Ln2+11*math.Log(2*math.Cosh(0.7)); !near(got, want) {
		t.Errorf("a row of twelve: log Z = %.15g, want %.15g", got, want)
	}
}

// kaufman is log Z on a torus of m rows and n columns for J > 0, from Kaufman 1949 (Phys. Rev. 76, 1232):
//
//	Z = 1/2 (2 sinh 2J)^(mn/2) (prod 2 cosh(m/2 gamma(2r-1)) + prod 2 sinh(m/2 gamma(2r-1)) + prod 2 cosh(m/2 gamma(2r)) + prod 2 sinh(m/2 gamma(2r))),
//
// each product over r = 1..n, with cosh gamma(k) = cosh 2J coth 2J - cos(pi k/n), every gamma positive but for gamma(2n) =
// gamma(0) = 2J + ln tanh J, which is negative below the critical coupling.
func kaufman(m, n int, j float64) float64 {
	half := float64(m) / 2
	products := [4]float64{1, 1, 1, 1}
	for r := range n {
		for i, k := range []int{2*r + 1, 2 * r} {
			gamma := math.Acosh(math.Cosh(2*j)/math.Tanh(2*j) - math.Cos(math.Pi*float64(k)/float64(n)))
			if k == 0 {
				gamma = 2*j + math.Log(math.Tanh(j))
			}
			products[2*i] *= 2 * math.Cosh(half*gamma)
			products[2*i+1] *= 2 * math.Sinh(half*gamma)
		}
	}
	sum := products[0] + products[1] + products[2] + products[3]
	return math.Log(sum/2) + float64(m*n)/2*math.Log(2*math.Sinh(2*j))
}

// momenta is log Z on a torus for J of either sign: Kaufman's four products, in each of which every factor is a product over
// the m momenta of the other axis. With t = tanh J,
//
//	Z = 1/2 (2 cosh^2 J)^(mn) (P(1/2, 1/2) + P(1/2, 0) + P(0, 1/2) - P(0, 0)),
//	P(a, b)^2 = prod over p < m and q < n of (1 + t^2)^2 - 2 t (1 - t^2) (cos 2 pi (p+a)/m + cos 2 pi (q+b)/n).
//
// The factors at a momentum and its negative are the same. Each P is the polynomial in t that takes one of these two, and of a
// momentum that is its own negative the root whose sign is that of a polynomial: 1 - 2t - t^2 where both cosines are 1,
// 1 + 2t - t^2 where both are -1, and 1 + t^2 else (Potts and Ward 1955).
func momenta(m, n int, j float64) float64 {
	t := math.Tanh(j)
	product := func(a, b int) float64 { // a and b are twice what they are above
		p := 1.0
		for k := range m {
			for l := range n {
				u, v := 2*k+a, 2*l+b // in units of pi/m and pi/n
				switch {
				case u%m == 0 && v%n == 0: // each cosine is 1 or -1
					switch first, second := u%(2*m) == 0, v%(2*n) == 0; {
					case first && second:
						p *= 1 - 2*t - t*t
					case !first && !second:
						p *= 1 + 2*t - t*t
					default:
						p *= 1 + t*t
					}
				default:
					p *= math.Sqrt((1+t*t)*(1+t*t) - 2*t*(1-t*t)*(math.Cos(math.Pi*float64(u)/float64(m))+math.Cos(math.Pi*float64(v)/float64(n))))
				}
			}
		}
		return p
	}
	sum := product(1, 1) + product(1, 0) + product(0, 1) - product(0, 0)
	return math.Log(sum/2) + float64(m*n)*math.Log(2*math.Cosh(j)*math.Cosh(j))
}

// TestIsingKaufman holds the model on tori to the closed form, at the critical coupling and at others of both signs: on a
// torus with an odd side a negative J cannot be satisfied everywhere.
func TestIsingKaufman(t *testing.T) {
	all := []toys.Sites{{Rows: 3, Cols: 3}, {Rows: 3, Cols: 4}, {Rows: 4, Cols: 3}, {Rows: 3, Cols: 5}, {Rows: 4, Cols: 4}}
	if longtest.Enabled() {
		all = append(all, toys.Sites{Rows: 3, Cols: 6}, toys.Sites{Rows: 4, Cols: 5})
	}
	for _, sites := range all {
		sites.Torus = true
		for _, j := range []float64{critical, 0.1, 0.44, 1, -0.1, -critical, -0.7} {
			toy := longtest.Sure(toys.Ising(sites, j, 0))
			got := sumExp(toy.G)
			if want := momenta(sites.Rows, sites.Cols, j); !near(got, want) {
				t.Errorf("%s: log Z = %.15g, by products over momenta %.15g", toy.Name, got, want)
			}
			if want := kaufman(sites.Rows, sites.Cols, j); j > 0 && !near(got, want) {
				t.Errorf("%s: log Z = %.15g, by Kaufman's formula %.15g", toy.Name, got, want)
			}
		}
	}
}

// TestIsingCritical: the coupling that the documents give is the critical one to the last bit, and Z there has the digits of
// the closed form.
func TestIsingCritical(t *testing.T) {
	toy := parsed(t, "ising:4x4:0.4406867935097715:torus")
	if toy.Name != fmt.Sprintf("ising:4x4:%v:torus", critical) {
		t.Errorf("%s is not at the critical coupling %v", toy.Name, critical)
	}
	if math.Abs(math.Sinh(2*critical)-1) > 1e-15 {
		t.Errorf("sinh 2J is %v at the critical coupling, want 1", math.Sinh(2*critical))
	}
	if got, want := sumExp(toy.G), kaufman(4, 4, critical); !near(got, want) {
		t.Errorf("log Z = %.16g, want %.16g", got, want)
	}
}

// TestModelsRefuse: what a selector cannot say, the functions refuse as well.
func TestModelsRefuse(t *testing.T) {
	sites := toys.Sites{Rows: 2, Cols: 2}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		longtest.Refuses(toys.Ising(sites, v, 0))(t, "must be finite")
		longtest.Refuses(toys.Ising(sites, 1, v))(t, "must be finite")
		longtest.Refuses(toys.Potts(3, sites, v))(t, "must be finite")
	}
	zero := math.Copysign(0, -1)
	if toy, err := toys.Ising(sites, zero, zero); err != nil || toy.Name != "ising:2x2:0" {
		t.Errorf("J = -0: %v, %v", toy, err)
	}
	if toy, err := toys.Potts(2, sites, zero); err != nil || toy.Name != "potts:2:2x2:0" {
		t.Errorf("J = -0: %v, %v", toy, err)
	}
}

// ExampleIsing makes the model of Onsager's and Kaufman's papers at its critical coupling.
func ExampleIsing() {
	toy, err := toys.Ising(toys.Sites{Rows: 4, Cols: 4, Torus: true}, math.Asinh(1)/2, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := 0.0
	for _, g := range toy.G {
		sum += math.Exp(g)
	}
	fmt.Println(toy.Name, toy.Space)
	fmt.Printf("%d states, log Z = %.12f\n", len(toy.G), math.Log(sum))
	// Output:
	// ising:4x4:0.4406867935097715:torus 2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2
	// 65536 states, log Z = 15.521915458755
}

// TestPottsByHand: states of the 2x2 model with three values, whose four sites are the corners of a square.
func TestPottsByHand(t *testing.T) {
	toy := parsed(t, "potts:3:2x2:0.5")
	space := toy.Lattice()
	if space.String() != "3x3x3x3" {
		t.Fatalf("the space is %v", space)
	}
	for _, c := range []struct {
		a, b, c, d int // a b / c d
		equal      float64
	}{{0, 0, 0, 0, 4}, {2, 2, 2, 2, 4}, {0, 0, 1, 1, 2}, {0, 1, 0, 1, 2}, {0, 1, 1, 0, 0}, {0, 1, 2, 0, 0}, {2, 2, 2, 1, 2}, {0, 0, 1, 2, 1}} {
		if got := toy.G[space.Index(c.a, c.b, c.c, c.d)]; got != 0.5*c.equal {
			t.Errorf("%+v: g = %v, want %v", c, got, 0.5*c.equal)
		}
	}
}

// TestPottsByDefinition compares every state with the definition, to the last bit, and with all values permuted, which leaves g as it is.
func TestPottsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.IntRange(2, 5).Draw(t, "Q")
		sites := drawSites(t, map[int]int{2: 12, 3: 9, 4: 5, 5: 4}[q])
		j := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1e12, -1e300})).Draw(t, "J")
		toy := longtest.Sure(toys.Potts(q, sites, j))
		pairs, space := neighbours(sites), toy.Lattice()
		turn := rapid.Permutation([]int{0, 1, 2, 3, 4}[:q]).Draw(t, "permutation")
		for x, g := range toy.G {
			value, equal := space.Coords(x), 0
			for _, p := range pairs {
				if value[p[0]] == value[p[1]] {
					equal++
				}
			}
			if want := j * float64(equal); g != want {
				t.Fatalf("%s: g(%v) = %v, want %v", toy.Name, value, g, want)
			}
			for k, v := range value {
				value[k] = turn[v]
			}
			if other := toy.G[space.Index(value...)]; other != g {
				t.Fatalf("%s: g(%s) = %v, and %v with the values permuted by %v", toy.Name, space.Label(x), g, other, turn)
			}
		}
		again, err := toys.Parse(toy.Name)
		if err != nil || again.Name != toy.Name || !slices.Equal(again.G, toy.G) {
			t.Fatalf("the name %s reads back as %v, %v", toy.Name, again, err)
		}
	})
}

// TestPottsOfTwoValuesIsIsing: an equal pair adds J here and J/2 there, and another one 0 here and -J/2 there. With a J that is
// a power of two nothing is rounded.
func TestPottsOfTwoValuesIsIsing(t *testing.T) {
	for _, torus := range []bool{false, true} {
		sites := toys.Sites{Rows: 3, Cols: 4, Torus: torus}
		potts := longtest.Sure(toys.Potts(2, sites, 0.5))
		ising := longtest.Sure(toys.Ising(sites, 0.25, 0))
		constant := 0.25 * float64(len(neighbours(sites)))
		for x, g := range potts.G {
			if g != ising.G[x]+constant {
				t.Fatalf("torus %v: g(%d) = %v, Ising's %v and the constant %v", torus, x, g, ising.G[x], constant)
			}
		}
	}
}

// TestPottsTransfer holds the model with open edges to its transfer matrix.
func TestPottsTransfer(t *testing.T) {
	for _, c := range []struct{ q, rows, cols int }{{2, 4, 3}, {3, 3, 3}, {3, 1, 7}, {4, 3, 2}, {7, 2, 2}, {100, 1, 2}} {
		for _, j := range []float64{math.Log(1 + math.Sqrt(float64(c.q))), -1, 0, 3} {
			sites := toys.Sites{Rows: c.rows, Cols: c.cols}
			toy := longtest.Sure(toys.Potts(c.q, sites, j))
			want := transfer(sites, c.q, func(v, w int) float64 {
				if v == w {
					return math.Exp(j)
				}
				return 1
			}, func(int) float64 { return 1 })
			if got := sumExp(toy.G); !near(got, want) {
				t.Errorf("%s: log Z = %.15g, by the transfer matrix %.15g", toy.Name, got, want)
			}
		}
	}
}

// ExamplePotts counts the states of a square of four sites with three values by their number of equal neighbours.
func ExamplePotts() {
	toy, err := toys.Potts(3, toys.Sites{Rows: 2, Cols: 2}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	count := map[float64]int{}
	for _, g := range toy.G {
		count[g]++
	}
	fmt.Println(toy.Name, toy.Space, count)
	// Output: potts:3:2x2:1 3x3x3x3 map[0:18 1:24 2:36 4:3]
}

// neighbours returns the neighbouring pairs of sites, each once, from the definition: sites at distance one, where a torus goes around.
func neighbours(s toys.Sites) (pairs [][2]int) {
	distance := func(a, b, side int) int {
		d := max(a-b, b-a)
		if s.Torus {
			d = min(d, side-d)
		}
		return d
	}
	for a := range s.Rows * s.Cols {
		for b := range a {
			if distance(a/s.Cols, b/s.Cols, s.Rows)+distance(a%s.Cols, b%s.Cols, s.Cols) == 1 {
				pairs = append(pairs, [2]int{b, a})
			}
		}
	}
	return pairs
}

// drawSites draws sites of which there are so many at most.
func drawSites(t *rapid.T, most int) toys.Sites {
	torus, least := rapid.Bool().Draw(t, "torus"), 1
	if torus = torus && most >= 9; torus {
		least = 3
	}
	rows := rapid.IntRange(least, most/least).Draw(t, "rows")
	return toys.Sites{Rows: rows, Cols: rapid.IntRange(least, most/rows).Draw(t, "columns"), Torus: torus}
}

// sumExp returns the logarithm of the sum of exp(g) over all states, with what each addition rounds off added at the end (Neumaier's sum).
func sumExp(g []float64) float64 {
	top := math.Inf(-1)
	for _, v := range g {
		top = max(top, v)
	}
	sum, lost := 0.0, 0.0
	for _, v := range g {
		term := math.Exp(v - top)
		next := sum + term
		if sum >= term {
			lost += sum - next + term
		} else {
			lost += term - next + sum
		}
		sum = next
	}
	return top + math.Log(sum+lost)
}

// transfer returns log of the sum of exp(g) over all states of a model with open edges, by the transfer matrix from row to row.
// Two neighbours with values v and w at them have the weight pair(v, w), and a site with value v has the weight site(v).
func transfer(s toys.Sites, q int, pair func(v, w int) float64, site func(v int) float64) float64 {
	n := 1
	for range s.Cols {
		n *= q
	}
	value := func(row, col int) int {
		for range col {
			row /= q
		}
		return row % q
	}
	within := make([]float64, n) // the weight of a row: its sites, and the pairs in it
	for row := range within {
		within[row] = 1
		for col := range s.Cols {
			within[row] *= site(value(row, col))
			if col > 0 {
				within[row] *= pair(value(row, col-1), value(row, col))
			}
		}
	}
	z := append([]float64(nil), within...)
	for range s.Rows - 1 {
		next := make([]float64, n)
		for below := range next {
			for above, v := range z {
				for col := range s.Cols {
					v *= pair(value(above, col), value(below, col))
				}
				next[below] += v * within[below]
			}
		}
		z = next
	}
	total := 0.0
	for _, v := range z {
		total += v
	}
	return math.Log(total)
}

// near reports whether two logarithms agree to 1e-12, of their size where that is above one.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }

// parsed returns a toy that must parse.
func parsed(t testing.TB, selector string) *toys.Toy {
	t.Helper()
	toy := longtest.Sure(toys.Parse(selector))
	return toy
}
