package vectors

import (
	"math"
	"slices"
)

// rankOf returns the number of draws below a value, and of those that are equal to it.
func rankOf(draws []float64, v float64) (below, equal num) {
	under, same := 0, 0
	for _, x := range draws {
		if x < v {
			under++
		}
		if x == v {
			same++
		}
	}
	return of(float64(under)), of(float64(same))
}

// agreement has the numbers of pairs that agree, that disagree, and that are tied in each list.
type agreement struct{ concordant, discordant, tiedX, tiedY, pairs int }

func agreementOf(x, y []float64) (a agreement) {
	for i := range x {
		for j := range i {
			a.pairs++
			if x[i] == x[j] {
				a.tiedX++
			}
			if y[i] == y[j] {
				a.tiedY++
			}
			switch d := (x[i] - x[j]) * (y[i] - y[j]); {
			case d > 0:
				a.concordant++
			case d < 0:
				a.discordant++
			}
		}
	}
	return a
}

func (a agreement) score() num { return of(float64(a.concordant - a.discordant)) }

// inversions returns how many permutations of n have each number of inversions.
func inversions(n int) []num {
	counts := []num{of(1)}
	for k := 2; k <= n; k++ {
		next := slices.Repeat([]num{of(0)}, len(counts)+k-1)
		for i, v := range counts {
			for j := range k {
				next[i+j] = next[i+j].plus(v)
			}
		}
		counts = next
	}
	return counts
}

// far returns how far a number of inversions is from their mean, twice.
func far(n, inversions int) int {
	return max(2*inversions-n*(n-1)/2, n*(n-1)/2-2*inversions)
}

// share returns the probability of the numbers of inversions that are counted.
func share(n int, counted func(inversions int) bool) num {
	all := inversions(n)
	sum := of(0)
	for k, v := range all {
		if counted(k) {
			sum = sum.plus(v)
		}
	}
	return sum.over(total(all))
}

func ranksAndTies() []example {
	return mapped([]struct {
		name, comment string
		draws         []float64
		value, u      float64
	}{
		{"low", "the value is the lowest", []float64{3, 5, 4}, 1, 0.5}, {"high", "the value is the highest", []float64{3, 5, 4}, 9, 0.5},
		{"middle", "the value is between", []float64{3, 9, 1, 7, 5}, 6, 0.25}, {"unsorted", "draws out of order", []float64{9, 2, 8, 1, 7}, 7.5, 0.75},
		{"tie-low", "one tie, and a small uniform number", []float64{3, 5, 4}, 4, 0.125}, {"tie-high", "one tie, and a large uniform number", []float64{3, 5, 4}, 4, 0.875},
		{"tie-middle", "a uniform number in the middle of one tie", []float64{3, 5, 4}, 4, 0.5}, {"ties-low", "three ties", []float64{2, 2, 2, 1, 3}, 2, 0.0625},
		{"ties-second", "three ties, and the second quarter", []float64{2, 2, 2, 1, 3}, 2, 0.375}, {"ties-third", "three ties, and the third quarter", []float64{2, 2, 2, 1, 3}, 2, 0.625},
		{"ties-high", "three ties, and the last quarter", []float64{2, 2, 2, 1, 3}, 2, 0.9375}, {"all-tied", "all draws are equal to the value", []float64{1, 1, 1, 1}, 1, 0.59375},
		{"all-tied-high", "the same, and a large uniform number", []float64{1, 1, 1, 1}, 1, 0.96875}, {"one-draw", "a single draw", []float64{2}, 3, 0.5},
		{"one-draw-tied", "a single draw that is tied", []float64{2}, 2, 0.75}, {"zeros", "zeros of both signs are tied", []float64{0, math.Copysign(0, -1), 1}, 0, 0.4375},
		{"negative", "negative values", []float64{-3, -1, -2, 0}, -1.5, 0.5},
	}, func(c struct {
		name, comment string
		draws         []float64
		value, u      float64
	}) example {
		return example{c.name, c.comment, given(list(c.draws...), value(c.value), value(c.u))}
	})
}

func couples(ties bool) (cases []example) {
	for _, c := range []struct {
		name, comment string
		x, y          []float64
		tied          bool
	}{
		{"two-up", "two that agree", []float64{1, 2}, []float64{1, 2}, false}, {"two-down", "two that disagree", []float64{1, 2}, []float64{2, 1}, false},
		{"three", "three", []float64{1, 2, 3}, []float64{1, 3, 2}, false}, {"rising", "all agree", []float64{1, 2, 3, 4, 5}, []float64{2, 4, 5, 7, 9}, false},
		{"falling", "all disagree", []float64{1, 2, 3, 4, 5}, []float64{9, 7, 5, 4, 2}, false}, {"unordered", "x out of order", []float64{4, 1, 3, 5, 2}, []float64{3, 2, 5, 4, 1}, false},
		{"none", "as many agree as disagree", []float64{1, 2, 3, 4}, []float64{2, 4, 1, 3}, false}, {"six", "six", []float64{1, 2, 3, 4, 5, 6}, []float64{2, 1, 4, 3, 6, 5}, false},
		{"seven", "seven", []float64{1, 2, 3, 4, 5, 6, 7}, []float64{3, 1, 2, 7, 4, 6, 5}, false}, {"eight", "eight that mostly disagree", []float64{1, 2, 3, 4, 5, 6, 7, 8}, []float64{7, 8, 5, 6, 4, 1, 3, 2}, false},
		{"ten", "ten", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []float64{5, 2, 1, 8, 3, 10, 4, 6, 9, 7}, false},
		{"negative", "negative numbers", []float64{-1, -2, -3, -4}, []float64{-2, -1, -4, -3}, false},
		{"scales", "numbers of all sizes", []float64{1e-300, 1, 1e300, 1e10}, []float64{1, 2, 4, 3}, false},
		{"twelve", "twelve", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, []float64{4, 1, 3, 2, 6, 12, 5, 7, 11, 8, 10, 9}, false},
		{"nearly", "all agree but one pair", []float64{1, 2, 3, 4, 5, 6}, []float64{1, 2, 3, 4, 6, 5}, false},
		{"tie-x", "a tie of x", []float64{1, 1, 2, 3}, []float64{1, 2, 3, 4}, true}, {"tie-y", "a tie of y", []float64{1, 2, 3, 4}, []float64{1, 2, 2, 4}, true},
		{"tie-both", "a pair that is tied in both", []float64{1, 1, 2, 3}, []float64{2, 2, 1, 4}, true}, {"ties", "ties of both", []float64{1, 1, 2, 2, 3}, []float64{1, 2, 2, 3, 3}, true},
		{"binary", "two values", []float64{0, 0, 1, 1, 1, 0}, []float64{0, 1, 1, 1, 0, 0}, true}, {"constant", "x is constant: undefined", []float64{2, 2, 2}, []float64{1, 2, 3}, true},
	} {
		if ties || !c.tied {
			cases = append(cases, example{c.name, c.comment, given(list(c.x...), list(c.y...))})
		}
	}
	return cases
}

func ofRanks() []*Routine {
	ranked := func(f func(below, equal, u num, draws int) num) answer {
		return scalars(func(in inputs) num {
			below, equal := rankOf(in.list(0), in.number(1))
			return f(below, equal, in.num(2), len(in.list(0)))
		})
	}
	broken := func(below, equal, u num, _ int) num { return below.plus(equal.plus(of(1)).times(u).floor()) }
	paired := []Argument{{"x", List, "numbers"}, {"y", List, "as many numbers"}}
	agreed := func(f func(a agreement) num) answer {
		return scalars(func(in inputs) num { return f(agreementOf(in.list(0), in.list(1))) })
	}
	whole := func(k int) num { return of(float64(k)) }
	tauB := func(a agreement) num {
		return a.score().over(whole(a.pairs - a.tiedX).times(whole(a.pairs - a.tiedY)).root())
	}
	tested := func(f func(n, d int) num) answer {
		return scalars(func(in inputs) num { return f(len(in.list(0)), agreementOf(in.list(0), in.list(1)).discordant) })
	}
	twoSided := func(n, d int) num {
		return share(n, func(k int) bool { return far(n, k) >= far(n, d) })
	}
	return []*Routine{
		{
			Name: "sbc_rank", Definition: "the number of draws below the value, plus floor(u (k + 1)) for k draws that are equal to it: uniform on 0 to L for right draws",
			Source: "Talts et al. 2018", Output: Number, Tolerance: 1e-12, scale: unit, cases: ranksAndTies(), define: ranked(broken),
			Inputs: []Argument{{"draws", List, "L draws of the posterior"}, {"value", Number, "the value that the data were made with"}, {"uniform", Number, "a uniform number in [0, 1)"}},
			Mistakes: []Mistake{
				{"ties count as below", false, ranked(func(below, equal, _ num, _ int) num { return below.plus(equal) })},
				{"ties count as above", false, ranked(func(below, _, _ num, _ int) num { return below })},
				{"ties are broken among k places, and not k + 1", false, ranked(func(below, equal, u num, _ int) num { return below.plus(equal.times(u).floor()) })},
				{"ranks from above", true, ranked(func(below, equal, u num, draws int) num { return whole(draws).minus(broken(below, equal, u, draws)) })},
				{"ranks are counted from 1", false, ranked(func(below, equal, u num, draws int) num { return broken(below, equal, u, draws).plus(of(1)) })},
				{"ties have the mean of their ranks", false, ranked(func(below, equal, _ num, _ int) num { return below.plus(equal.scaled(0.5)) })},
				{"the rank over L", true, ranked(func(below, equal, u num, draws int) num { return broken(below, equal, u, draws).over(whole(draws)) })},
			},
		},
		{
			Name: "kendall_tau", Definition: "tau-b: pairs that agree less those that disagree, over the root of (pairs not tied in x) (pairs not tied in y); undefined if one is constant",
			Source: "Kendall 1945", Inputs: paired, Output: Number, Tolerance: 1e-12, scale: unit, cases: couples(true), define: agreed(tauB),
			Mistakes: []Mistake{
				{"tau-a, over all pairs", true, agreed(func(a agreement) num { return a.score().over(whole(a.pairs)) })},
				{"Goodman and Kruskal's gamma, over the pairs without ties", true, agreed(func(a agreement) num { return a.score().over(whole(a.concordant + a.discordant)) })},
				{"ties count as pairs that disagree", false, agreed(func(a agreement) num {
					return whole(2*a.concordant - a.pairs).over(whole(a.pairs))
				})},
				{"the sign is wrong", false, agreed(func(a agreement) num { return of(0).minus(tauB(a)) })},
				{"pairs that are tied in both are left out of one of the two factors", false, agreed(func(a agreement) num {
					both := a.tiedX + a.tiedY - (a.pairs - a.concordant - a.discordant)
					return a.score().over(whole(a.pairs - a.tiedX).times(whole(a.pairs - a.tiedY + both)).root())
				})},
				{"the number of pairs is N squared", false, agreed(func(a agreement) num {
					n := math.Round((1 + math.Sqrt(1+8*float64(a.pairs))) / 2)
					return a.score().over(of(n * n))
				})},
			},
		},
		{
			Name: "kendall_p", Definition: "the probability, among all orders of y, of a tau as far from zero as this one or farther; there are no ties", Source: "Kendall 1938",
			Inputs: paired, Output: Number, Tolerance: 1e-11, scale: itself, cases: couples(false), define: tested(twoSided),
			Mistakes: []Mistake{
				{"one-sided", true, tested(func(n, d int) num { return share(n, func(k int) bool { return k <= d }) })},
				{"only a tau that is farther counts", false, tested(func(n, d int) num {
					return share(n, func(k int) bool { return far(n, k) > far(n, d) })
				})},
				{"twice the smaller tail, also above 1", false, tested(func(n, d int) num {
					low, high := share(n, func(k int) bool { return k <= d }), share(n, func(k int) bool { return k >= d })
					return smaller(low, high).scaled(2)
				})},
				{"the normal approximation, as method=\"asymptotic\" of SciPy", true, tested(func(n, d int) num {
					if n == 2 { // 0/0 in SciPy
						return num{}
					}
					N := float64(n)
					z := (N*(N-1)/2 - 2*float64(d)) / math.Sqrt(N*(N-1)*(2*N+5)/18)
					return of(math.Erfc(math.Abs(z) / math.Sqrt2))
				})},
			},
		},
	}
}
