package networks

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/number"
	"breadboard/grid/longtest"
)

// windowed returns the scopes of a network in which each of 60 variables of three values depends on two of the 30 before it.
func windowed(seed uint64) (scopes [][]int, cards, all []int) {
	random := rand.New(rand.NewPCG(seed, 0))
	for v := range 60 {
		scope := []int{v}
		for _, w := range random.Perm(min(30, v)) {
			if len(scope) < 3 {
				scope = append(scope, v-1-w)
			}
		}
		scopes, cards, all = append(scopes, scope), append(cards, 3), append(all, v)
	}
	return scopes, cards, all
}

// TestLeastMemory: where smallest fill takes much memory, the order that is taken eliminates the same variables with less, and in one of
// these networks with less than half. What each order takes is what its tables add up to.
func TestLeastMemory(t *testing.T) {
	least := 1.0
	for seed := range uint64(8) {
		scopes, cards, all := windowed(seed)
		steps, err := plan(scopes, cards, all)
		longtest.NoError(t, err)
		fill, _ := rule{slices.Repeat([]float64{1}, len(cards)), false}.follow(scopes, cards, all, math.Inf(1))
		var order []int
		var o tally
		for _, s := range steps {
			order = append(order, s.variable)
			o.count(s, cards)
		}
		slices.Sort(order)
		if !slices.Equal(order, all) {
			t.Fatalf("the order is of %v", order)
		}
		if o.bytes() > fill.bytes {
			t.Errorf("network %d takes %v bytes, and in the order of smallest fill %v", seed, o.bytes(), fill.bytes)
		}
		least = min(least, o.bytes()/fill.bytes)
	}
	if least > 0.5 {
		t.Errorf("the most that is saved is the part %v of the memory", 1-least)
	}
}

// tally adds up what the steps of an order take.
type tally struct{ kept, product float64 }

func (o *tally) count(s step, cards []int) {
	n := entries(s.scope, cards)
	o.kept += 8*n + 32*n/float64(cards[s.variable])
	o.product = max(o.product, 16*n)
}

func (o *tally) bytes() float64 { return o.kept + o.product }

// TestNarrowIsWide: a step in float64 has the numbers of a step in Wide numbers to the last bit, or is one, for tables of any range.
func TestNarrowIsWide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cards := rapid.SliceOfN(rapid.IntRange(2, 4), 1, 6).Draw(t, "cards")
		s := step{variable: rapid.IntRange(0, len(cards)-1).Draw(t, "variable")}
		for v := range cards {
			if v != s.variable {
				s.scope = append(s.scope, v)
			}
		}
		s.scope = append(s.scope, s.variable)
		s.entries = entries(s.scope, cards)
		least := rapid.SampledFrom([]int{-2, -60, -300, -1000}).Draw(t, "least")
		var tables []table
		for range rapid.IntRange(0, 5).Draw(t, "tables") {
			scope := rapid.Permutation(s.scope).Draw(t, "scope")
			scope = scope[:rapid.IntRange(0, len(scope)).Draw(t, "size")]
			values := make([]number.Wide, int(entries(scope, cards)))
			for i := range values {
				m := rapid.Float64Range(0.5, 1).Draw(t, "m") * float64(rapid.IntRange(0, 4).Draw(t, "zero"))
				values[i] = number.Scaled(math.Ldexp(m, rapid.IntRange(least, 0).Draw(t, "exponent")), least/100)
			}
			tables = append(tables, newTable(scope, len(values), func(i int) number.Wide { return values[i] }))
		}
		p, message := eliminate(s, tables, cards)
		wide, sums := eliminateWide(s, tables, cards)
		if !slices.Equal(p, wide) || !slices.Equal(message.scope, sums.scope) {
			t.Fatalf("probabilities %v, in Wide numbers %v", p, wide)
		}
		for i := range sums.len() {
			if message.at(i) != sums.at(i) {
				t.Fatalf("entry %d of the message is %v, in Wide numbers %v", i, message.at(i), sums.at(i))
			}
		}
	})
}
