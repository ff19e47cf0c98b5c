package vectors

import (
	"math"
	"math/big"
	"slices"
)

// floor returns the largest whole number that is not above a number from 0 on.
func (a num) floor() num {
	whole, _ := a.v.Int(nil)
	return num{new(big.Float).SetPrec(bits).SetInt(whole)}
}

// offspring returns how often points in [0, 1) lie in the interval of each weight, [C_{j-1}, C_j).
func offspring(w, points []num) []num {
	counts := make([]int, len(w))
	for _, u := range points {
		sum := exactNumber(0)
		at := 0
		for j, v := range w {
			sum = sum.plus(v)
			if u.less(sum) {
				at = j
				break
			}
		}
		counts[at]++
	}
	return wholeNums(counts)
}

// strata returns (i + u_i)/N for i from 0.
func strata(u []num) []num {
	out := make([]num, len(u))
	for i, v := range u {
		out[i] = v.plus(exactNumber(float64(i))).over(exactNumber(float64(len(u))))
	}
	return out
}

func repeat(v num, n int) []num { return slices.Repeat([]num{v}, n) }

// residual returns the whole parts of N w and the rest.
func residual(w []num) (whole, rest []num) {
	for _, v := range w {
		mean := v.scaled(float64(len(w)))
		whole = append(whole, mean.floor())
		rest = append(rest, mean.minus(mean.floor()))
	}
	return whole, rest
}

func sums(a, b []num) []num {
	out := make([]num, len(a))
	for i := range a {
		out[i] = a[i].plus(b[i])
	}
	return out
}

// bernoulli returns n p (1 - p) for all p.
func bernoulli(p []num, n num) []num {
	return mapped(p, func(v num) num { return n.times(v).times(exactNumber(1).minus(v)) })
}

// overlap returns the probabilities of the particles at a point of a part [i/N, (i+1)/N).
func overlap(w []num, i int) []num {
	n := float64(len(w))
	low := exactNumber(float64(i) / 1).over(exactNumber(n))
	high := exactNumber(float64(i + 1)).over(exactNumber(n))
	sum := exactNumber(0)
	return mapped(w, func(v num) num {
		from := larger(low, sum)
		sum = sum.plus(v)
		return larger(exactNumber(0), smaller(high, sum).minus(from)).scaled(n)
	})
}

// fractional returns v (1 - v) of the fractional part of N w.
func fractional(w []num) []num { _, rest := residual(w); return bernoulli(rest, exactNumber(1)) }

func ofResampling() []*Routine {
	weighted := func(arguments int, uniform Shape) []example {
		return mapped(examples("resampling"), func(c example) example {
			c.in = c.in[:arguments]
			if arguments == 2 && uniform == Number {
				c.in = newInputs(c.in[0], value(c.in.number(1)))
			}
			return c
		})
	}
	weights := Argument{"weights", List, "the normalised weights of N particles"}
	many := []Argument{weights, {"uniforms", List, "N uniform numbers in [0, 1)"}}
	single := []Argument{weights, {"uniform", Number, "a uniform number in [0, 1)"}}
	scheme := func(name, definition, source string, inputs []Argument, f func(w, u []num) []num) *Routine {
		return &Routine{
			Name:       "resample_" + name,
			Definition: "the number of offspring of each particle: " + definition,
			Source:     source,
			Inputs:     inputs,
			Output:     List,
			scale:      unit,
			cases:      weighted(2, inputs[1].Shape),
			define:     withUniforms(f),
		}
	}
	variances := func(name, definition string, f func(w []num) []num) *Routine {
		return &Routine{
			Name:       "variance_" + name,
			Definition: "the variance of the number of offspring of each particle, of N: " + definition,
			Source:     "Douc, Cappe and Moulines 2005",
			Inputs:     []Argument{weights},
			Output:     List,
			Tolerance:  1e-11,
			scale:      unit,
			cases:      weighted(1, List),
			define:     withUniforms(func(w, _ []num) []num { return f(w) }),
		}
	}
	multinomial := func(w []num) []num { return bernoulli(w, exactNumber(float64(len(w)))) }
	stratified := func(w []num) []num {
		out := repeat(exactNumber(0), len(w))
		for i := range w {
			out = sums(out, bernoulli(overlap(w, i), exactNumber(1)))
		}
		return out
	}
	remainder := func(w []num) []num {
		_, rest := residual(w)
		if left := total(rest); left.v.Sign() > 0 {
			return bernoulli(normalised(rest), left)
		}
		return rest
	}
	return []*Routine{
		scheme("multinomial",
			"particle j for each uniform number u with C_(j-1) <= u < C_j, C the cumulative weights",
			"Gordon, Salmond and Smith 1993", many,
			offspring),
		scheme("stratified", "particle j for each point (i + u_i)/N, i from 0, in [C_(j-1), C_j)",
			"Kitagawa 1996", many,
			func(w, u []num) []num { return offspring(w, strata(u)) }),
		scheme("systematic", "particle j for each point (i + u)/N, i from 0, in [C_(j-1), C_j)",
			"Carpenter, Clifford and Fearnhead 1999", single,
			func(w, u []num) []num { return offspring(w, strata(repeat(u[0], len(w)))) }),
		scheme("residual",
			"floor(N w_j), and the other slots by the next uniform numbers from the remainders, as in multinomial",
			"Liu and Chen 1998", many,
			residuals),
		variances("multinomial", "N w (1 - w)", multinomial),
		variances("stratified", "the sum of p (1 - p) over the strata, p the share of the particle",
			stratified),
		variances("systematic", "f (1 - f), f the fractional part of N w", fractional),
		variances("residual", "R r (1 - r), R the number of slots beyond floor(N w), r the normalised remainders",
			remainder),
	}
}

// withUniforms has a function of weights, and of uniform numbers if there are any.
func withUniforms(f func(w, u []num) []num) answer {
	return lists(func(in inputs) []num {
		if len(in) == 1 {
			return f(in.nums(0), nil)
		}
		return f(in.nums(0), in.nums(1))
	})
}

// residuals returns the offspring of residual resampling.
func residuals(w, u []num) []num {
	whole, left := residual(w)
	slots := int(math.Round(total(left).float()))
	if slots == 0 {
		return whole
	}
	return sums(whole, offspring(normalised(left), u[:slots]))
}
