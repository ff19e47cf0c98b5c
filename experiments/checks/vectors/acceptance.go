package vectors

// sigmoid returns 1/(1 + exp(-x)).
func sigmoid(x num) num {
	return exactNumber(1).over(exactNumber(1).plus(exactNumber(0).minus(x).exp()))
}

// atMost1 returns min(1, exp(x)).
func atMost1(x num) num { return smaller(x, exactNumber(0)).exp() }

// hastings returns the log of the ratio that decides.
func hastings(in inputs) num {
	return in.num(1).minus(in.num(0)).plus(in.num(3).minus(in.num(2)))
}

// swap returns (beta_1 - beta_2)(log f(x_2) - log f(x_1)).
func swap(in inputs) num { return in.num(0).minus(in.num(1)).times(in.num(3).minus(in.num(2))) }

func ofAcceptance() []*Routine {
	numbers := func(names ...string) []Argument {
		return mapped(names, func(name string) Argument { return Argument{name, Number, meanings[name]} })
	}
	moves := numbers("log_f_current", "log_f_proposed", "log_q_forward", "log_q_reverse")
	softmax := func(logs []num, beta num) []num { return weightsOf(mapped(logs, beta.times)) }
	return []*Routine{
		{
			Name:       "accept_metropolis",
			Definition: "min(1, f(x') q(x'->x) / (f(x) q(x->x')))",
			Source:     "Hastings 1970",
			Inputs:     moves,
			Output:     Number,
			Tolerance:  1e-11,
			scale:      itself,
			cases:      examples("proposals"),
			define:     scalars(func(in inputs) num { return atMost1(hastings(in)) }),
		},
		{
			Name:       "accept_barker",
			Definition: "f(x') q(x'->x) / (f(x) q(x->x') + f(x') q(x'->x))",
			Source:     "Barker 1965",
			Inputs:     moves,
			Output:     Number,
			Tolerance:  1e-11,
			scale:      itself,
			cases:      examples("proposals"),
			define:     scalars(func(in inputs) num { return sigmoid(hastings(in)) }),
		},
		{
			Name:       "heat_bath",
			Definition: "f(x)^beta over the sum, for all values x of a variable",
			Source:     "Geman and Geman 1984",
			Inputs: []Argument{{"log_f", List, "log f of each value"},
				{"beta", Number, "the inverse temperature"}},
			Output:    List,
			Tolerance: 1e-11,
			scale:     itself,
			cases:     examples("heat baths"),
			define:    lists(func(in inputs) []num { return softmax(in.nums(0), in.num(1)) }),
		},
		{
			Name: "accept_swap",
			Definition: "min(1, exp((beta_1 - beta_2)(log f(x_2) - log f(x_1)))), of states x_1 at beta_1 " +
				"and x_2 at beta_2",
			Source:    "Geyer 1991",
			Inputs:    numbers("beta_1", "beta_2", "log_f_1", "log_f_2"),
			Output:    Number,
			Tolerance: 1e-11,
			scale:     itself,
			cases:     examples("swaps"),
			define:    scalars(func(in inputs) num { return atMost1(swap(in)) }),
		},
	}
}

var meanings = map[string]string{
	"log_f_current": "log f of the state x", "log_f_proposed": "log f of the proposed state x'",
	"log_q_forward": "log of the probability to propose x' at x",
	"log_q_reverse": "log of the probability to propose x at x'",
	"beta_1":        "the inverse temperature of the first chain", "beta_2": "that of the second",
	"log_f_1": "log f of the state of the first chain", "log_f_2": "that of the second",
}
