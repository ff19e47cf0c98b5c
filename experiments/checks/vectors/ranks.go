package vectors

import "slices"

// rankOf returns the number of draws below a value, and of those that are equal to it.
func rankOf(draws []float64, v float64) (below, equal num) {
	under := 0
	same := 0
	for _, x := range draws {
		if x < v {
			under++
		}
		if x == v {
			same++
		}
	}
	return exactNumber(float64(under)), exactNumber(float64(same))
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

func (a agreement) score() num { return exactNumber(float64(a.concordant - a.discordant)) }

// inversions returns how many permutations of n have each number of inversions.
func inversions(n int) []num {
	counts := []num{exactNumber(1)}
	for k := 2; k <= n; k++ {
		next := slices.Repeat([]num{exactNumber(0)}, len(counts)+k-1)
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
	sum := exactNumber(0)
	for k, v := range all {
		if counted(k) {
			sum = sum.plus(v)
		}
	}
	return sum.over(total(all))
}

func ofRanks() []*Routine {
	rank := func(in inputs) num {
		below, equal := rankOf(in.list(0), in.number(1))
		return below.plus(equal.plus(exactNumber(1)).times(in.num(2)).floor())
	}
	paired := []Argument{{"x", List, "numbers"}, {"y", List, "as many numbers"}}
	whole := func(k int) num { return exactNumber(float64(k)) }
	tauB := func(in inputs) num {
		a := agreementOf(in.list(0), in.list(1))
		return a.score().over(whole(a.pairs - a.tiedX).times(whole(a.pairs - a.tiedY)).root())
	}
	twoSided := func(in inputs) num {
		n := len(in.list(0))
		d := agreementOf(in.list(0), in.list(1)).discordant
		return share(n, func(k int) bool { return far(n, k) >= far(n, d) })
	}
	return []*Routine{
		{
			Name: "sbc_rank",
			Definition: "the number of draws below the value, plus floor(u (k + 1)) for k draws that are " +
				"equal to it: uniform on 0 to L for right draws",
			Source:    "Talts et al. 2018",
			Output:    Number,
			Tolerance: 1e-12,
			scale:     unit,
			cases:     examples("draws and values"),
			define:    scalars(rank),
			Inputs: []Argument{{"draws", List, "L draws of the posterior"}, {"value", Number,
				"the value that the data were made with"}, {"uniform", Number, "a uniform number in [0, 1)"}},
		},
		{
			Name: "kendall_tau",
			Definition: "tau-b: pairs that agree less those that disagree, over the root of (pairs not " +
				"tied in x) (pairs not tied in y); undefined if one is constant",
			Source:    "Kendall 1945",
			Inputs:    paired,
			Output:    Number,
			Tolerance: 1e-12,
			scale:     unit,
			cases:     examples("pairs of lists"),
			define:    scalars(tauB),
		},
		{
			Name: "kendall_p",
			Definition: "the probability, among all orders of y, of a tau as far from zero as this one or " +
				"farther; there are no ties",
			Source:    "Kendall 1938",
			Inputs:    paired,
			Output:    Number,
			Tolerance: 1e-11,
			scale:     itself,
			cases:     examples("pairs of lists")[:15],
			define:    scalars(twoSided),
		},
	}
}
