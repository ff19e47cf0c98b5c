package networks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/number"
	"breadboard/grid/longtest"
)

// windowed returns the scopes of a network in which each of 60 variables of three values depends on
// two of the 30 before it.
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

// TestLeastWork: if smallest fill is much work, the order that is taken eliminates the same
// variables with less, and in one of these networks with less than half.
func TestLeastWork(t *testing.T) {
	least := 1.0
	for seed := range uint64(8) {
		scopes, cards, all := windowed(seed)
		p, err := choose(t.Context(), scopes, cards, all, need{memory: 2e9, back: true, laws: true})
		longtest.NoError(t, err)
		o, _, _ := rule{weight: slices.Repeat([]float64{1}, len(cards))}.orderByRule(
			t.Context(),
			scopes,
			cards,
			all,
			math.Inf(1),
		)
		fill := newPlan(o, cards, need{memory: 2e9, back: true, laws: true})
		var order []int
		for _, s := range p.steps {
			order = append(order, s.variable)
		}
		slices.Sort(order)
		if !slices.Equal(order, all) {
			t.Fatalf("the order is of %v", order)
		}
		if p.work > fill.work {
			t.Errorf("network %d is the work %v, and in the order of smallest fill %v", seed, p.work, fill.work)
		}
		least = min(least, p.work/fill.work)
	}
	if least > 0.5 {
		t.Errorf("the most that is saved is the part %v of the work", 1-least)
	}
}

// TestLooseVariables: for variables that no table joins the choice of an order and the walks along
// the graph take a time that grows like their number.
func TestLooseVariables(t *testing.T) {
	longtest.Only(t)
	cards := slices.Repeat([]int{2}, 400_000)
	_, err := choose(t.Context(), [][]int{{0, 1}}, cards, natural(len(cards)), need{memory: 2e9})
	longtest.NoError(t, err)
	if order := layers([][]int{{0, 1}, {2, 3}}, slices.Repeat([]float64{1}, len(cards))); !slices.Equal(
		order,
		natural(len(cards)),
	) {
		t.Error("the walks leave out variables")
	}
}

// TestNarrowIsWide: a step in float64 has the numbers of a step in Wide numbers to the last bit, or
// is one, for tables of any range; and so have the steps in one pass and through all products.
func TestNarrowIsWide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cards := rapid.SliceOfN(rapid.IntRange(2, 4), 1, 6).Draw(t, "cards")
		all := natural(len(cards)) // eliminated in this order
		var tables []table
		seen := map[int]bool{}
		least := rapid.SampledFrom([]int{-2, -60, -300, -1000}).Draw(t, "least")
		for range rapid.IntRange(0, 5).Draw(t, "tables") {
			scope := []int{0}
			for _, v := range all[1:] {
				if rapid.Bool().Draw(t, "in") {
					scope, seen[v] = append(scope, v), true
				}
			}
			values := make([]number.Wide, int(entries(scope, cards)))
			for i := range values {
				m := rapid.Float64Range(0.5, 1).Draw(t, "m") * float64(rapid.IntRange(0, 4).Draw(t, "zero"))
				values[i] = number.Scaled(math.Ldexp(m, rapid.IntRange(least, 0).Draw(t, "exponent")), least/100)
			}
			tables = append(tables, newTable(scope, len(values), func(i int) number.Wide { return values[i] }))
		}
		all = slices.DeleteFunc(all, func(v int) bool { return !seen[v] })
		tp := newPlan(order{steps: []step{{variable: 0, scope: all}}, over: true}, cards, need{memory: 1e9}).
			newTape(nil)
		tp.given[0] = tables
		tp.most = rapid.Bool().Draw(t, "most")
		longtest.NoError(t, tp.make(t.Context(), 0))
		in := tp.incoming(0)
		s := &tp.steps[0]
		wide := tp.makeWide(s, in)
		same := func(what string, message table) {
			for i := range wide.len() {
				if message.entry(i) != wide.entry(i) {
					t.Fatalf("entry %d of the message %s is %v, in Wide numbers %v", i,
						what, message.entry(i), wide.entry(i))
				}
			}
		}
		same("", tp.messages[0])
		if is, message := narrow(in); is {
			message.scope = s.scope
			message.values = make([]float64, int(s.size))
			tp.takeStep(t.Context(), s, in, message.values)
			same("through all products", message)
		}
	})
}

// TestSegments: wherever the segments begin, and in whatever order variables are eliminated, all
// numbers are the same to the last bit as without segments, and a segment of few steps keeps few
// messages.
func TestSegments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cards := rapid.SliceOfN(rapid.IntRange(2, 3), 2, 9).Draw(t, "cards")
		all := placesOf(rapid.Permutation(natural(len(cards))).Draw(t, "order"))
		var factors []Factor
		for range rapid.IntRange(0, 12).Draw(t, "factors") {
			scope := rapid.Permutation(natural(len(cards))).Draw(t, "scope")[:rapid.IntRange(1, 2).Draw(t, "size")]
			n := int(entries(scope, cards))
			factors = append(factors, Factor{scope,
				rapid.SliceOfN(rapid.SampledFrom([]float64{1e-300, 0.1, 1, 3}), n, n).Draw(t, "values")})
		}
		o, _, _ := rule{weight: make([]float64, len(cards)), place: all}.orderByRule(
			t.Context(),
			scopesOf(factors, cards),
			cards,
			natural(len(cards)),
			math.Inf(1),
		)
		ask := func(segments int) string {
			p := newPlan(o, cards, need{memory: 1e9, back: true, laws: true})
			p.cut(segments)
			a := Outputs{
				Marginals: true,
				Joint:     true,
				Best:      true,
				Samples:   10,
				Random:    rand.New(rand.NewPCG(1, 2)),
			}
			return fmt.Sprint(longtest.Sure(a.carryOut(t.Context(), p, factors)))
		}
		want := ask(1)
		for _, segments := range []int{2, 3, len(cards)} {
			if got := ask(segments); got != want {
				t.Fatalf("in %d segments %v, in one %v", segments, got, want)
			}
		}
	})
}

// natural returns 0 to n - 1.
func natural(n int) (list []int) {
	for v := range n {
		list = append(list, v)
	}
	return list
}
