package networks_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/number"
	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// entryAt returns the entry of a factor for a configuration of all variables: the slow obvious way
// to read a table.
func entryAt(f networks.Factor, cards, configuration []int) float64 {
	at := 0
	for _, v := range f.Scope {
		at = at*cards[v] + configuration[v]
	}
	return f.Values[at]
}

// everyConfiguration calls visit with all configurations of the variables, the last fastest.
func everyConfiguration(cards []int, visit func(configuration []int)) {
	configuration := make([]int, len(cards))
	var from func(v int)
	from = func(v int) {
		if v == len(cards) {
			visit(configuration)
			return
		}
		for configuration[v] = range cards[v] {
			from(v + 1)
		}
	}
	from(0)
}

// logProduct returns the logarithm of the product of all factors at a configuration. The logarithm
// is that of Wide, since math.Log of a number below 2^-1022 is wrong on some processors.
func logProduct(factors []networks.Factor, cards, configuration []int) float64 {
	var total number.Sum
	for _, f := range factors {
		v := entryAt(f, cards, configuration)
		if v == 0 {
			return math.Inf(-1)
		}
		total.Add(number.Scaled(v, 0).Log())
	}
	return total.Value()
}

// enumerated is what Infer must say, from all configurations one by one.
func enumerated(factors []networks.Factor, cards []int) (logZ float64, marginals [][]float64) {
	var all []float64
	with := make([][][]float64, len(cards))
	for v, n := range cards {
		with[v] = make([][]float64, n)
	}
	everyConfiguration(cards, func(configuration []int) {
		p := logProduct(factors, cards, configuration)
		all = append(all, p)
		for v, at := range configuration {
			with[v][at] = append(with[v][at], p)
		}
	})
	logZ = number.LogTotal(all)
	if math.IsInf(logZ, -1) {
		return logZ, nil
	}
	marginals = make([][]float64, len(cards))
	for v := range cards {
		for _, logs := range with[v] {
			marginals[v] = append(marginals[v], math.Exp(number.LogTotal(logs)-logZ))
		}
	}
	return logZ, marginals
}

// drawFactors draws variables of one to four values, some of them in no factor, and tables over
// some of them, of which some have no variable, with zeros, ties, and numbers up to the ends of
// float64.
func drawFactors(t *rapid.T) (factors []networks.Factor, cards []int) {
	cards = rapid.SliceOfN(rapid.IntRange(1, 4), 1, 6).Draw(t, "cards")
	kind := rapid.SampledFrom([]*rapid.Generator[float64]{
		rapid.SampledFrom([]float64{0, 1}), rapid.SampledFrom([]float64{0.5, 1, 2}), rapid.Float64Range(0, 1),
		rapid.SampledFrom([]float64{0, 5e-324, 1e-300, 1e-160, 1e-5, 1, 3, 1e150, 1e300, math.MaxFloat64}),
	}).Draw(t, "kind")
	for range rapid.IntRange(0, 7).Draw(t, "factors") {
		scope := rapid.Permutation(numbers(len(cards))).Draw(t, "scope")
		scope = scope[:rapid.IntRange(0, min(3, len(scope))).Draw(t, "size")]
		n := 1
		for _, v := range scope {
			n *= cards[v]
		}
		factors = append(factors, networks.Factor{Scope: scope, Values: rapid.SliceOfN(kind, n, n).Draw(t, "values")})
	}
	return factors, cards
}

// numbers returns 0 to n - 1.
func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// near reports whether two numbers agree to 1e-12, relative or absolute, or are the same infinity.
func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }

// TestSumOutAgainstEnumeration: the product of what is returned is, at every configuration of what
// is not hidden, the sum over the hidden variables.
func TestSumOutAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		factors, cards := drawFactors(t)
		hidden := rapid.Permutation(numbers(len(cards))).Draw(t, "hidden")
		hidden = hidden[:rapid.IntRange(0, len(hidden)).Draw(t, "number")]
		rest := longtest.Sure(networks.SumOut(factors, cards, hidden))
		visible := slices.Clone(cards)
		for _, v := range hidden {
			visible[v] = 1
		}
		for _, f := range rest {
			if slices.ContainsFunc(f.Scope, func(v int) bool { return slices.Contains(hidden, v) }) {
				t.Fatalf("a factor is left over %v, of which some are hidden: %v", f.Scope, hidden)
			}
		}
		want := map[string][]float64{}
		everyConfiguration(cards, func(configuration []int) {
			seen := slices.Clone(configuration)
			for _, v := range hidden {
				seen[v] = 0
			}
			want[fmt.Sprint(seen)] = append(want[fmt.Sprint(seen)], logProduct(factors, cards, configuration))
		})
		everyConfiguration(visible, func(configuration []int) {
			if got, w := logProduct(rest, cards, configuration),
				number.LogTotal(want[fmt.Sprint(configuration)]); !near(got, w) {
				t.Fatalf("at %v log f is %v, want %v", configuration, got, w)
			}
		})
	})
}

// TestFarBelowTheRange: a chain of 400 tables of 1e-300 and 2e-300, whose product is far below the
// range of float64 at every configuration. Its sum is known in closed form: each table adds the
// factor 1e-300 (1 + 2).
func TestFarBelowTheRange(t *testing.T) {
	const n = 400
	cards := make([]int, n)
	var factors []networks.Factor
	for v := range cards {
		cards[v] = 2
		factors = append(factors, networks.Factor{Scope: []int{v}, Values: []float64{1e-300, 2e-300}})
		if v > 0 {
			factors = append(factors, networks.Factor{Scope: []int{v - 1, v}, Values: []float64{1, 1, 1, 1}})
		}
	}
	got := longtest.Sure(networks.Infer(context.Background(), factors, cards, networks.Outputs{Marginals: true}))
	want := n * (math.Log(1e-300) + math.Log(3))
	if math.Abs(got.LogZ/want-1) > 1e-14 || got.Width != 1 || !near(got.Marginals[n/2][1], 2.0/3) {
		t.Errorf("log Z %v, want %v; width %d; %v", got.LogZ, want, got.Width, got.Marginals[n/2])
	}
}

// slowOrder is the order of smallest fill by its definition, from a matrix of which variables stand
// together.
func slowOrder(factors []networks.Factor, cards []int) (order []int) {
	n := len(cards)
	together := make([][]bool, n)
	for v := range together {
		together[v] = make([]bool, n)
	}
	for _, f := range factors {
		for _, v := range f.Scope {
			for _, w := range f.Scope {
				together[v][w] = v != w && cards[v] > 1 && cards[w] > 1
			}
		}
	}
	left := map[int]bool{}
	for v, k := range cards {
		left[v] = k > 1
	}
	for {
		best := -1
		key := [2]int{}
		for v := range n {
			if !left[v] {
				continue
			}
			fill := 0
			size := cards[v]
			for a := range n {
				if together[v][a] {
					size *= cards[a]
				}
				for b := range a {
					if together[v][a] && together[v][b] && !together[a][b] {
						fill++
					}
				}
			}
			if best < 0 || fill < key[0] || fill == key[0] && size < key[1] {
				best = v
				key = [2]int{fill, size}
			}
		}
		if best < 0 {
			return order
		}
		order, left[best] = append(order, best), false
		near := slices.Clone(together[best])
		for a := range n {
			for b := range n {
				together[a][b] = a != best && b != best && (together[a][b] || a != b && near[a] && near[b])
			}
		}
	}
}

// TestOrder: the order is that of smallest fill, of ties the smallest table, and of these the first
// variable.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cards := rapid.SliceOfN(rapid.IntRange(1, 3), 1, 12).Draw(t, "cards")
		var factors []networks.Factor
		for range rapid.IntRange(0, 20).Draw(t, "factors") {
			scope := rapid.Permutation(numbers(len(cards))).Draw(t, "scope")
			scope = scope[:rapid.IntRange(0, min(3, len(scope))).Draw(t, "size")]
			n := 1
			for _, v := range scope {
				n *= cards[v]
			}
			factors = append(factors, networks.Factor{Scope: scope, Values: slices.Repeat([]float64{1}, n)})
		}
		if got, want := longtest.Sure(
			networks.Infer(context.Background(), factors, cards, networks.Outputs{Marginals: true}),
		).Order,
			slowOrder(factors, cards); !slices.Equal(got, want) {
			t.Fatalf("order %v, want %v", got, want)
		}
	})
	// in which the fill of variables grows while others are eliminated
	factors, cards := spins(6, 6, 0.5, 0, false)
	if got, want := longtest.Sure(
		networks.Infer(context.Background(), factors, cards, networks.Outputs{Marginals: true}),
	).Order,
		slowOrder(factors, cards); !slices.Equal(got, want) {
		t.Errorf("order of a square %v, want %v", got, want)
	}
}

// TestTooWide: tables that are too large are refused before they are allocated, with the width, the
// variables of the largest table and the cure.
func TestTooWide(t *testing.T) {
	longtest.Only(t)
	factors, cards := spins(33, 33, 0.5, 0, false)
	_, err := networks.Infer(context.Background(), factors, cards, networks.Outputs{Marginals: true})
	var wide *networks.TooWide
	if !errors.As(err, &wide) || len(wide.Scope) < 12 {
		t.Fatalf("%v", err)
	}
	longtest.Refused(t, err, fmt.Sprintf("width %d and would", len(wide.Scope)-1))
	longtest.Refused(t, err, ", and the limit is 1 GB")
	if _, err := networks.Infer(context.Background(), nil, []int{1 << 27},
		networks.Outputs{Marginals: true}); !errors.As(err, &wide) {
		t.Errorf("one variable of too many values: %v", err)
	}
}
