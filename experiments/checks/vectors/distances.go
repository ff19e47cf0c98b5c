package vectors

// divergence returns KL(p||q).
func divergence(p, q []num) num {
	sum := exactNumber(0)
	for i, v := range p {
		if v.v.Sign() != 0 {
			sum = sum.plus(v.times(v.over(q[i]).log()))
		}
	}
	return sum
}

func variation(p, q []num) num {
	sum := exactNumber(0)
	for i, v := range p {
		sum = sum.plus(v.minus(q[i]).abs())
	}
	return sum.scaled(0.5)
}

func symmetric(p, q []num) num { return divergence(p, q).plus(divergence(q, p)) }

func ofDistances() []*Routine {
	arguments := []Argument{
		{"p", List, "probabilities that sum to one"}, {"q", List, "probabilities that sum to one"}}
	compared := func(name, definition, source string, f func(p, q []num) num) *Routine {
		return &Routine{
			Name:       name,
			Definition: definition,
			Source:     source,
			Inputs:     arguments,
			Output:     Number,
			Tolerance:  1e-11,
			scale:      unit,
			cases:      examples("pairs of distributions"),
			define:     pair(f),
		}
	}
	return []*Routine{
		compared("kl", "KL(p||q), the sum of p log(p/q), in nats; inf if q is zero where p is not",
			"Kullback and Leibler 1951", divergence),
		compared("j", "KL(p||q) + KL(q||p), in nats", "Jeffreys 1946", symmetric),
		compared("tv", "half the sum of |p - q|", "Levin, Peres and Wilmer 2009", variation),
		{
			Name:       "entropy",
			Definition: "minus the sum of p log p, in nats",
			Source:     "Shannon 1948",
			Inputs:     arguments[:1],
			Output:     Number,
			Tolerance:  1e-11,
			scale:      unit,
			cases:      mapped(examples("pairs of distributions"), func(c example) example { c.in = c.in[:1]; return c }),
			define:     scalars(func(in inputs) num { return exactNumber(0).minus(plogp(in.nums(0))) }),
		},
	}
}

func pair(f func(p, q []num) num) answer {
	return scalars(func(in inputs) num { return f(in.nums(0), in.nums(1)) })
}
