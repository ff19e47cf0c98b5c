package vectors

import "breadboard/chains/number"

// divergence returns KL(p||q).
func divergence(p, q []num) num {
	sum := of(0)
	for i, v := range p {
		if v.v.Sign() != 0 {
			sum = sum.plus(v.times(v.over(q[i]).log()))
		}
	}
	return sum
}

func variation(p, q []num) num {
	sum := of(0)
	for i, v := range p {
		sum = sum.plus(v.minus(q[i]).abs())
	}
	return sum.scaled(0.5)
}

func symmetric(p, q []num) num { return divergence(p, q).plus(divergence(q, p)) }

// plainKL returns the sum of p log(p/q) in float64, with a number added to all probabilities.
func plainKL(p, q []float64, more float64, skip bool) (sum float64) {
	for i, v := range p {
		if !skip || v > 0 && q[i] > 0 {
			sum += (v + more) * number.Log((v+more)/(q[i]+more))
		}
	}
	return sum
}

func ofDistances() []*Routine {
	arguments := []Argument{{"p", List, "probabilities that sum to one"}, {"q", List, "probabilities that sum to one"}}
	compared := func(name, definition, source string, f func(p, q []num) num, mistakes ...Mistake) *Routine {
		return &Routine{
			Name: name, Definition: definition, Source: source, Inputs: arguments, Output: Number, Tolerance: 1e-11, scale: unit, cases: examples("pairs of distributions"),
			define: pair(f), Mistakes: mistakes,
		}
	}
	halfway := func(p, q []num) num {
		m := mapped(sums(p, q), func(v num) num { return v.scaled(0.5) })
		return divergence(p, m).plus(divergence(q, m)).scaled(0.5)
	}
	bit := of(2).log()
	float := func(more float64, skip, both bool) answer {
		return plain(func(in inputs) float64 {
			sum := plainKL(in.list(0), in.list(1), more, skip)
			if both {
				sum += plainKL(in.list(1), in.list(0), more, skip)
			}
			return sum
		})
	}
	const (
		zeros    = "states of probability zero make it undefined, by 0 log 0"
		skipped  = "states at which one is zero are left out"
		added    = "1e-10 is added to all probabilities"
		inBits   = "in bits, and not in nats"
		jsd      = "the divergence of Jensen and Shannon"
		opposite = "the sign is wrong"
	)
	return []*Routine{
		compared("kl", "KL(p||q), the sum of p log(p/q), in nats; inf if q is zero where p is not", "Kullback and Leibler 1951", divergence,
			Mistake{"KL(q||p)", false, pair(func(p, q []num) num { return divergence(q, p) })},
			Mistake{zeros, false, float(0, false, false)}, Mistake{skipped, false, float(0, true, false)}, Mistake{added, false, float(1e-10, false, false)},
			Mistake{inBits, true, pair(func(p, q []num) num { return divergence(p, q).over(bit) })},
			Mistake{opposite, false, pair(func(p, q []num) num { return of(0).minus(divergence(p, q)) })},
			Mistake{"the cross-entropy, without the entropy of p", false, pair(func(p, q []num) num { return divergence(p, q).minus(plogp(p)) })},
		),
		compared("j", "KL(p||q) + KL(q||p), in nats", "Jeffreys 1946", symmetric,
			Mistake{"half of it, the mean of both", true, pair(func(p, q []num) num { return symmetric(p, q).scaled(0.5) })},
			Mistake{jsd, false, pair(halfway)}, Mistake{zeros, false, float(0, false, true)}, Mistake{skipped, false, float(0, true, true)},
			Mistake{added, false, float(1e-10, false, true)}, Mistake{"KL(p||q) alone", false, pair(divergence)},
			Mistake{inBits, true, pair(func(p, q []num) num { return symmetric(p, q).over(bit) })},
		),
		compared("tv", "half the sum of |p - q|", "Levin, Peres and Wilmer 2009", variation,
			Mistake{"the whole sum of |p - q|", true, pair(func(p, q []num) num { return variation(p, q).scaled(2) })},
			Mistake{"the largest |p - q|", false, pair(func(p, q []num) num {
				most := of(0)
				for i := range p {
					most = larger(most, p[i].minus(q[i]).abs())
				}
				return most
			})},
			Mistake{"half the root of the sum of squares", false, pair(func(p, q []num) num {
				sum := of(0)
				for i := range p {
					sum = sum.plus(p[i].minus(q[i]).squared())
				}
				return sum.root().scaled(0.5)
			})},
			Mistake{"the sum of p - q, without its size", false, pair(func(p, q []num) num { return total(p).minus(total(q)).scaled(0.5) })},
		),
		{
			Name: "entropy", Definition: "minus the sum of p log p, in nats", Source: "Shannon 1948", Inputs: arguments[:1], Output: Number, Tolerance: 1e-11, scale: unit,
			cases:  mapped(examples("pairs of distributions"), func(c example) example { c.in = c.in[:1]; return c }),
			define: scalars(func(in inputs) num { return of(0).minus(plogp(in.nums(0))) }),
			Mistakes: []Mistake{
				{opposite, false, scalars(func(in inputs) num { return plogp(in.nums(0)) })},
				{zeros, false, plain(func(in inputs) float64 {
					return -plainKL(in.list(0), mapped(in.list(0), func(float64) float64 { return 1 }), 0, false)
				})},
				{added, false, plain(func(in inputs) (sum float64) {
					for _, p := range in.list(0) {
						sum -= (p + 1e-10) * number.Log(p+1e-10)
					}
					return sum
				})},
				{inBits, true, scalars(func(in inputs) num { return of(0).minus(plogp(in.nums(0))).over(bit) })},
				{"over the log of the number of states", true, scalars(func(in inputs) num {
					return of(0).minus(plogp(in.nums(0))).over(of(float64(len(in.list(0)))).log())
				})},
			},
		},
	}
}

func pair(f func(p, q []num) num) answer {
	return scalars(func(in inputs) num { return f(in.nums(0), in.nums(1)) })
}
