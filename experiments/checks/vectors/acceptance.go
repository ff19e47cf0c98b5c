package vectors

import "math"

// sigmoid returns 1/(1 + exp(-x)).
func sigmoid(x num) num { return of(1).over(of(1).plus(of(0).minus(x).exp())) }

// atMost1 returns min(1, exp(x)).
func atMost1(x num) num { return smaller(x, of(0)).exp() }

// hastings returns the log of the ratio that decides: with the share of the proposals, 1 or less.
func hastings(in inputs, share float64) num {
	return in.num(1).minus(in.num(0)).plus(in.num(3).minus(in.num(2)).scaled(share))
}

// swap returns (beta_1 - beta_2)(log f(x_2) - log f(x_1)).
func swap(in inputs) num { return in.num(0).minus(in.num(1)).times(in.num(3).minus(in.num(2))) }

func ofAcceptance() []*Routine {
	numbers := func(names ...string) []Argument {
		return mapped(names, func(name string) Argument { return Argument{name, Number, meanings[name]} })
	}
	moves := numbers("log_f_current", "log_f_proposed", "log_q_forward", "log_q_reverse")
	exps := func(in inputs, i int) float64 { return math.Exp(in.number(i)) }
	quotient := func(in inputs) float64 { return exps(in, 1) * exps(in, 3) / (exps(in, 0) * exps(in, 2)) }
	const (
		ignored  = "the probabilities of the proposals are left out"
		inverted = "the probabilities of the proposals are exchanged"
		ratios   = "a ratio of exponentials"
	)
	softmax := func(logs []num, beta num) []num { return weightsOf(mapped(logs, beta.times)) }
	tempered := func(in inputs) []float64 {
		return mapped(in.list(0), func(v float64) float64 { return v * in.number(1) })
	}
	return []*Routine{
		{
			Name: "accept_metropolis", Definition: "min(1, f(x') q(x'->x) / (f(x) q(x->x')))", Source: "Hastings 1970",
			Inputs: moves, Output: Number, Tolerance: 1e-11, scale: itself, cases: examples("proposals"),
			define: scalars(func(in inputs) num { return atMost1(hastings(in, 1)) }),
			Mistakes: []Mistake{
				{ignored, false, scalars(func(in inputs) num { return atMost1(hastings(in, 0)) })},
				{inverted, false, scalars(func(in inputs) num { return atMost1(hastings(in, -1)) })},
				{"no minimum with 1", false, scalars(func(in inputs) num { return hastings(in, 1).exp() })},
				{ratios, false, plain(func(in inputs) float64 { return min(1, quotient(in)) })},
				{"moves downhill are always accepted, and not those uphill", false, scalars(func(in inputs) num { return atMost1(of(0).minus(hastings(in, 1))) })},
				{"the log of the probability", false, scalars(func(in inputs) num { return smaller(hastings(in, 1), of(0)) })},
				{"Barker's rule", true, scalars(func(in inputs) num { return sigmoid(hastings(in, 1)) })},
				{"no move downhill is accepted", false, scalars(func(in inputs) num {
					return of(map[bool]float64{true: 0, false: 1}[hastings(in, 1).less(of(0))])
				})},
			},
		},
		{
			Name: "accept_barker", Definition: "f(x') q(x'->x) / (f(x) q(x->x') + f(x') q(x'->x))", Source: "Barker 1965",
			Inputs: moves, Output: Number, Tolerance: 1e-11, scale: itself, cases: examples("proposals"),
			define: scalars(func(in inputs) num { return sigmoid(hastings(in, 1)) }),
			Mistakes: []Mistake{
				{ignored, false, scalars(func(in inputs) num { return sigmoid(hastings(in, 0)) })},
				{inverted, false, scalars(func(in inputs) num { return sigmoid(hastings(in, -1)) })},
				{ratios, false, plain(func(in inputs) float64 { return quotient(in) / (1 + quotient(in)) })},
				{"the sign of the difference is wrong", false, scalars(func(in inputs) num { return sigmoid(of(0).minus(hastings(in, 1))) })},
				{"exp(d)/(1 + exp(d)), which overflows", false, plain(func(in inputs) float64 { e := math.Exp(hastings(in, 1).float()); return e / (1 + e) })},
				{"Metropolis's rule", true, scalars(func(in inputs) num { return atMost1(hastings(in, 1)) })},
			},
		},
		{
			Name: "heat_bath", Definition: "f(x)^beta over the sum, for all values x of a variable", Source: "Geman and Geman 1984",
			Inputs: []Argument{{"log_f", List, "log f of each value"}, {"beta", Number, "the inverse temperature"}}, Output: List, Tolerance: 1e-11, scale: itself,
			cases:  examples("heat baths"),
			define: lists(func(in inputs) []num { return softmax(in.nums(0), in.num(1)) }),
			Mistakes: []Mistake{
				{"the inverse temperature is left out", false, lists(func(in inputs) []num { return softmax(in.nums(0), of(1)) })},
				{"log f is divided by the inverse temperature", false, lists(func(in inputs) []num { return softmax(in.nums(0), of(1).over(in.num(1))) })},
				{"log f is taken for an energy", false, lists(func(in inputs) []num { return softmax(in.nums(0), of(0).minus(in.num(1))) })},
				{"exponentials are taken without subtracting the largest", false, plains(func(in inputs) []float64 { w := shifted(tempered(in), 0); return over(w, sumOf(w)) })},
				{"weights over the largest, and not over the sum", false, plains(func(in inputs) []float64 { return shifted(tempered(in), mostOf(tempered(in))) })},
				{"the likeliest value alone", false, lists(func(in inputs) []num {
					p := make([]num, len(in.list(0)))
					for i := range p {
						p[i] = of(0)
					}
					p[best(mapped(in.nums(0), in.num(1).times))] = of(1)
					return p
				})},
			},
		},
		{
			Name: "accept_swap", Definition: "min(1, exp((beta_1 - beta_2)(log f(x_2) - log f(x_1)))), of states x_1 at beta_1 and x_2 at beta_2", Source: "Geyer 1991",
			Inputs: numbers("beta_1", "beta_2", "log_f_1", "log_f_2"), Output: Number, Tolerance: 1e-11, scale: itself,
			cases:  examples("swaps"),
			define: scalars(func(in inputs) num { return atMost1(swap(in)) }),
			Mistakes: []Mistake{
				{"the sign is wrong", false, scalars(func(in inputs) num { return atMost1(of(0).minus(swap(in))) })},
				{"no minimum with 1", false, scalars(func(in inputs) num { return swap(in).exp() })},
				{"the sum of the inverse temperatures", false, scalars(func(in inputs) num {
					return atMost1(in.num(0).plus(in.num(1)).times(in.num(3).minus(in.num(2))))
				})},
				{"the first inverse temperature alone", false, scalars(func(in inputs) num { return atMost1(in.num(0).times(in.num(3).minus(in.num(2)))) })},
				{"temperatures, and not their inverses", false, scalars(func(in inputs) num {
					return atMost1(of(1).over(in.num(0)).minus(of(1).over(in.num(1))).times(in.num(3).minus(in.num(2))))
				})},
				{"a ratio of exponentials", false, plain(func(in inputs) float64 {
					e := func(i, j int) float64 { return math.Exp(in.number(i) * in.number(j)) }
					return min(1, e(0, 3)*e(1, 2)/(e(0, 2)*e(1, 3)))
				})},
				{"Barker's rule", true, scalars(func(in inputs) num { return sigmoid(swap(in)) })},
			},
		},
	}
}

var meanings = map[string]string{
	"log_f_current": "log f of the state x", "log_f_proposed": "log f of the proposed state x'",
	"log_q_forward": "log of the probability to propose x' at x", "log_q_reverse": "log of the probability to propose x at x'",
	"beta_1": "the inverse temperature of the first chain", "beta_2": "that of the second", "log_f_1": "log f of the state of the first chain", "log_f_2": "that of the second",
}
