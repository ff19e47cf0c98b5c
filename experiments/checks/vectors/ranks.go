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
			Source: "Talts et al. 2018", Output: Number, Tolerance: 1e-12, scale: unit, cases: examples("draws and values"), define: ranked(broken),
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
			Source: "Kendall 1945", Inputs: paired, Output: Number, Tolerance: 1e-12, scale: unit, cases: examples("pairs of lists"), define: agreed(tauB),
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
			Inputs: paired, Output: Number, Tolerance: 1e-11, scale: itself, cases: examples("pairs of lists")[:15], define: tested(twoSided),
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
