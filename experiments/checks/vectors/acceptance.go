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

// numbersOf returns cases of numbers alone.
func numbersOf(rows []row) []example {
	return mapped(rows, func(r row) example {
		return example{r.name, r.comment, mapped(r.values, value)}
	})
}

type row struct {
	name, comment string
	values        []float64
}

// proposals are the cases of acceptance: log f and the log probability of the proposal, here and
// there.
func proposals() []example {
	zero := math.Inf(-1)
	return numbersOf([]row{
		{"equal", "both states have the same probability", []float64{-3, -3, -1, -1}},
		{"uphill", "the proposed state is likelier", []float64{-3, -2.5, -1, -1}},
		{"downhill", "the proposed state is less likely", []float64{-2, -3.25, -1, -1}},
		{"downhill-far", "the proposed state is much less likely", []float64{-2, -30, -1, -1}},
		{"forward-likely", "the move is proposed more often than the move back", []float64{-2, -2, -0.5, -1.75}},
		{"reverse-likely", "the move back is proposed more often", []float64{-2, -2.5, -1.5, -1.25}},
		{"uphill-refused", "the proposals weigh more than the rise of log f", []float64{-2, -1, -0.25, -4}},
		{"downhill-accepted", "the proposals weigh more than the fall of log f", []float64{-2, -3, -4, -0.25}},
		{"impossible", "the proposed state has probability zero", []float64{-2, zero, -1, -1}},
		{"one-way", "the move back is never proposed", []float64{-2, -1, -1, zero}},
		{"underflow", "both probabilities underflow", []float64{-1000, -1000.5, -1, -1}},
		{"overflow", "both probabilities overflow", []float64{1000, 999.5, -1, -1}},
		{"1e4-up", "1e4 nats uphill", []float64{-1e4, 0, -1, -1}},
		{"1e4-down", "1e4 nats downhill", []float64{0, -1e4, -1, -1}},
		{"700-down", "700 nats downhill, at the end of the range of float64", []float64{0.5, -699.5, -1, -1}},
		{"720-up", "720 nats uphill, where the exponential overflows", []float64{-720, 0, -1, -1}},
		{"proposals-underflow", "both proposals underflow", []float64{-2, -2.75, -800, -800.5}},
		{"nearly-one", "a ratio of nearly one", []float64{-2, -2 - 1e-9, -1, -1}},
	})
}

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
	zero := math.Inf(-1)
	return []*Routine{
		{
			Name: "accept_metropolis", Definition: "min(1, f(x') q(x'->x) / (f(x) q(x->x')))", Source: "Hastings 1970",
			Inputs: moves, Output: Number, Tolerance: 1e-11, scale: itself, cases: proposals(),
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
			Inputs: moves, Output: Number, Tolerance: 1e-11, scale: itself, cases: proposals(),
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
			cases: mapped([]struct {
				name, comment string
				logs          []float64
				beta          float64
			}{
				{"two", "two values", []float64{0, 1}, 1}, {"half", "half the inverse temperature", []float64{0, 1, -2}, 0.5},
				{"double", "twice the inverse temperature", []float64{0, 1, -2}, 2}, {"negative", "a negative inverse temperature", []float64{0, 1, -2}, -1},
				{"infinite", "beta zero, where all values are alike", []float64{3, -2, 7.5}, 0}, {"one", "one value", []float64{-12}, 1},
				{"equal", "equal values", []float64{4, 4, 4, 4}, 0.25}, {"zero", "a value of probability zero", []float64{zero, 0, -1}, 1},
				{"zero-half", "a value of probability zero at another temperature", []float64{0.5, zero, -1}, 0.5},
				{"overflow", "exponentials overflow", []float64{1000, 999, 998}, 1}, {"underflow", "exponentials underflow", []float64{-1000, -999, -998}, 1},
				{"overflow-beta", "exponentials overflow at this temperature only", []float64{100, 99.5, 99}, 8},
				{"1e4-nats", "a span of 1e4 nats", []float64{0, 1e4}, 1}, {"1e4-warm", "a span of 1e4 nats, at a high temperature", []float64{0, 1e4, 9984}, 1. / 64},
				{"span-37", "a span at the rounding of float64", []float64{0, -37, -36.5}, 1},
				{"many", "ten values", []float64{0, 0.5, -0.5, 1, -1, 1.5, -1.5, 2, -2, 2.5}, 0.75},
			}, func(c struct {
				name, comment string
				logs          []float64
				beta          float64
			}) example {
				return example{c.name, c.comment, given(list(c.logs...), value(c.beta))}
			}),
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
			cases: numbersOf([]row{
				{"equal", "both states have the same probability", []float64{1, 0.5, -3, -3}}, {"same-beta", "both have the same temperature", []float64{0.5, 0.5, -3, -1}},
				{"cold-likelier", "the colder chain has the likelier state", []float64{1, 0.5, -1, -3}},
				{"hot-likelier", "the hotter chain has the likelier state", []float64{1, 0.5, -3, -1}},
				{"ordered-up", "the first chain is the hotter one", []float64{0.25, 1, -3, -1.5}}, {"ordered-down", "the same, and it has the likelier state", []float64{0.25, 1, -1, -1.5}},
				{"zero-beta", "one chain draws uniformly", []float64{0, 1, -1, -2.5}}, {"positive", "positive log f", []float64{1, 0.75, 4, 2}},
				{"mixed", "log f of both signs", []float64{0.5, 0.75, -1, 2}}, {"near", "temperatures that are near each other", []float64{1, 0.999, -40, -60}},
				{"underflow", "both probabilities underflow", []float64{1, 0.5, -1000, -1003}}, {"overflow", "both probabilities overflow", []float64{1, 0.5, 1003, 1000}},
				{"1e4-down", "1e4 nats downhill", []float64{1, 0, 1e4, 0}}, {"1e4-up", "1e4 nats uphill", []float64{1, 0, 0, 1e4}},
				{"700-down", "700 nats downhill", []float64{1.5, 0.5, 700, 0}}, {"steep", "a large inverse temperature", []float64{10, 8, -0.5, -1}},
			}),
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
