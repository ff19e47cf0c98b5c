package networks_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// asked is the query about a product of factors.
func asked(factors []networks.Factor, cards []int) *networks.Query {
	n := &networks.Network{Factors: factors}
	for v, values := range cards {
		variable := networks.Variable{Name: fmt.Sprint("x", v)}
		for value := range values {
			variable.Labels = append(variable.Labels, fmt.Sprint(value))
		}
		n.Variables = append(n.Variables, variable)
	}
	q, _, err := networks.Ask(n, "", "", "", "")
	longtest.Sure(q, err)
	return q
}

// TestLevelsAgainstEnumeration: random factors on up to six variables have the levels of all
// configurations one by one, where messages have several children too.
func TestLevelsAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cards := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 6).Draw(t, "cards")
		unit := rapid.SampledFrom([]float64{0.3, 1, 1e-3, 7.7, 123.456}).Draw(t, "unit")
		shift := rapid.SampledFrom([]float64{0, 0.123, -50}).Draw(t, "shift")
		var factors []networks.Factor
		var whole [][]int
		for range rapid.IntRange(0, 7).Draw(t, "factors") {
			scope := rapid.Permutation(slices.Collect(maps.Keys(
				map[int]bool{0: true, len(cards) / 2: true, len(cards) - 1: true},
			))).Draw(t, "scope")
			scope = scope[:rapid.IntRange(1, len(scope)).Draw(t, "of")]
			n := 1
			for _, v := range scope {
				n *= cards[v]
			}
			powers := rapid.SliceOfN(rapid.IntRange(-3, 5), n, n).Draw(t, "powers")
			logs := make([]float64, n)
			for k, m := range powers {
				logs[k] = shift + float64(m)*unit
			}
			for k, f := range longtest.Sure(networks.LogFactor(scope, logs)) {
				factors = append(factors, f)
				if k > 0 {
					powers = make([]int, n)
				}
				whole = append(whole, powers)
			}
		}
		want := map[int]float64{}
		least := math.MaxInt
		everyConfiguration(cards, func(x []int) {
			total := 0
			for i, f := range factors {
				at := 0
				for _, v := range f.Scope {
					at = at*cards[v] + x[v]
				}
				total += whole[i][at]
			}
			want[total]++
			least = min(least, total)
		})
		logs, counts, err := asked(factors, cards).CountLevels(context.Background())
		longtest.Sure(counts, err)
		totals := slices.Sorted(maps.Keys(want))
		if len(logs) != len(totals) {
			t.Fatalf("%v levels, want %v", logs, want)
		}
		for i, m := range totals {
			if counts[i] != want[m] ||
				math.Abs(logs[i]-logs[0]-float64(m-least)*unit) > 1e-12*(1+math.Abs(logs[0])+50*7) {
				t.Fatalf("%v of %v states, want %v of %v", logs[i], counts[i], m, want[m])
			}
		}
	})
}

// TestLevelsOfChain: the levels of a chain are binomial, with counts far beyond 2^53.
func TestLevelsOfChain(t *testing.T) {
	longtest.Only(t)
	const n = 990
	factors, cards := spins(1, n, 0.5, 0, false)
	_, counts, err := asked(factors, cards).CountLevels(t.Context())
	longtest.NoError(t, err)
	for k := range n {
		want, _ := new(big.Float).SetInt(
			new(big.Int).Mul(big.NewInt(2), new(big.Int).Binomial(n-1, int64(k))),
		).Float64()
		if math.Abs(counts[k]/want-1) > 1e-13 {
			t.Fatalf("%d of %d bonds: %v, want %v", k, n, counts[k], want)
		}
	}
}

// TestLevelsRefused: what has no levels on one unit, or too many, says so with the cure; a
// difference of the size of the rounding is none.
func TestLevelsRefused(t *testing.T) {
	pair := func(logs ...float64) []networks.Factor {
		return append(longtest.Sure(networks.LogFactor([]int{0, 1}, logs)),
			longtest.Sure(networks.LogFactor([]int{1}, []float64{0, 1}))...)
	}
	two := []int{2, 2}
	wide, many := spins(14, 14, 0.4, 0, true)
	fine, plane := spins(9, 9, 0.4, 0.123456, false)
	long, chain := spins(1, 1001, 0.4, 0, false)
	for want, q := range map[string]*networks.Query{
		"positive everywhere":             asked(pair(0, 1, 1, math.Inf(-1)), two),
		"2 and 1.41421 are not":           asked(pair(0, math.Sqrt2, 1, 2), two),
		"up to 10000 of them":             asked(pair(0, 1e4+1, 1, 2), two),
		"2 and 1 are not":                 asked(pair(0, 1+2e-14, 1, 2), two),
		"take fewer variables, or values": asked(fine, plane),
		"take fewer variables, or values on a coarser unit than 0.8": asked(wide, many),
		"it has 2^1001": asked(long, chain),
	} {
		_, _, err := q.CountLevels(t.Context())
		longtest.Refused(t, err, want, want)
	}
	logs, _, err := asked(pair(0, 1+2e-15, 1e4, 2), two).CountLevels(t.Context())
	if err != nil || len(logs) != 4 {
		t.Errorf("%v, %v", logs, err)
	}
	for _, looks := range []int{0, 1, 30} {
		ctx := longtest.EndsAfter(looks)
		factors, cards := spins(8, 8, 0.4, 0, false)
		if _, _, err := asked(factors, cards).CountLevels(ctx); err == nil || ctx.Looks() > 2 {
			t.Errorf("after %d looks: %v, and %d more looks", looks, err, ctx.Looks())
		}
	}
}
