package vectors

import "slices"

// logWeight returns the log weight of a path x_1 to x_T: the sum of the steps of beta times the
// slopes log f_T - log f_1, at the state before the move.
func logWeight(first, last, betas []num, path []int) num {
	sum := exactNumber(0)
	for t := 1; t < len(betas); t++ {
		x := path[t-1]
		sum = sum.plus(betas[t].minus(betas[t-1]).times(last[x].minus(first[x])))
	}
	return sum
}

func reversed[T any](list []T) []T {
	out := slices.Clone(list)
	slices.Reverse(out)
	return out
}

// bar returns the log ratio of Bennett's acceptance ratio: the root of a falling function, by
// bisection and then by Newton's method.
func bar(forward, reverse []num) num {
	offset := exactNumber(float64(len(reverse))).over(exactNumber(float64(len(forward)))).log()
	all := sorted(slices.Concat(forward, reverse))
	low, high := all[0].minus(exactNumber(50)), all[len(all)-1].plus(exactNumber(50))
	for step := range 44 {
		at := low.plus(high).scaled(0.5)
		excess := exactNumber(0)
		slope := exactNumber(0)
		count := func(v num, sign float64) {
			p := sigmoid(v.minus(at).plus(offset).scaled(sign))
			excess, slope = excess.plus(p.scaled(sign)), slope.plus(p.times(exactNumber(1).minus(p)))
		}
		for _, v := range forward {
			count(v, 1)
		}
		for _, v := range reverse {
			count(v, -1)
		}
		switch {
		case step >= 40:
			low = at.plus(excess.over(slope))
			high = low
		case exactNumber(0).less(excess):
			low = at
		default:
			high = at
		}
	}
	return low
}

func ofAnnealing() []*Routine {
	weighing := []Argument{
		{"log_f_first", List, "log f_1 of each state"}, {"log_f_last", List, "log f_T of each state"},
		{"betas", List, "the inverse temperatures beta_1 = 0 to beta_T = 1"},
		{"path", List, "the states x_1 to x_T, from 0"},
	}
	backward := slices.Clone(weighing)
	backward[3].Meaning = "the states in the order in which the reverse chain visits them, x_T to x_1, from 0"
	forward := func(in inputs) num { return logWeight(in.nums(0), in.nums(1), in.nums(2), in.wholes(3)) }
	reverse := func(in inputs) num {
		return logWeight(in.nums(0), in.nums(1), in.nums(2), reversed(in.wholes(3)))
	}
	both := []Argument{{"forward", List, "log weights of forward chains"},
		{"reverse", List, "log weights of reverse chains, log(f_T/f_1) along the path as well"}}
	betas := func(f func(t, T int, x num) num) answer {
		return lists(func(in inputs) (out []num) {
			for t := 1; t <= in.wholeInput(0); t++ {
				out = append(out, f(t, in.wholeInput(0), in.num(1)))
			}
			return out
		})
	}
	lengths := func(values ...float64) (cases []example) {
		for _, x := range values {
			for _, T := range []float64{3, 4, 5, 10, 33} {
				cases = append(cases, example{name(T, x), "", newInputs(value(T), value(x))})
			}
		}
		return cases
	}
	scheduled := func(name, definition, source string, second Argument, values []float64,
		f func(t, T int, x num) num) *Routine {
		return &Routine{
			Name:       "schedule_" + name,
			Definition: "beta_1 = 0 to beta_T = 1: " + definition,
			Source:     source,
			Output:     List,
			Tolerance:  1e-11,
			scale:      unit,
			cases:      lengths(values...),
			Inputs:     []Argument{{"T", Number, "the number of distributions, with both ends"}, second},
			define:     betas(f),
		}
	}
	whole := func(k int) num { return exactNumber(float64(k)) }
	linear := func(t, T int, _ num) num { return whole(t - 1).over(whole(T - 1)) }
	curve := func(t, T int, delta num) num {
		return sigmoid(delta.times(whole(2 * t).over(whole(T)).minus(exactNumber(1))))
	}
	fitted := func(f func(t, T int, x num) num) func(t, T int, x num) num {
		return func(t, T int, x num) num {
			return f(t, T, x).minus(f(1, T, x)).over(f(T, T, x).minus(f(1, T, x)))
		}
	}
	geometric := func(t, T int, first num) num {
		if t == 1 {
			return exactNumber(0)
		}
		return first.log().times(whole(T - t).over(whole(T - 2))).exp()
	}
	power := func(t, T int, p num) num { return linear(t, T, p).log().times(p).exp() }
	return []*Routine{
		{
			Name:       "ais_log_weight",
			Definition: "the sum over t = 2 to T of (beta_t - beta_(t-1)) (log f_T - log f_1) at x_(t-1)",
			Source:     "Neal 2001",
			Inputs:     weighing,
			Output:     Number,
			Tolerance:  1e-11,
			scale:      largest,
			cases:      examples("annealed paths"),
			define:     scalars(forward),
		},
		{
			Name:       "ais_log_weight_reverse",
			Definition: "the same log weight of a path that the reverse chain has made",
			Source:     "Grosse, Ghahramani and Adams 2015",
			Inputs:     backward,
			Output:     Number,
			Tolerance:  1e-11,
			scale:      largest,
			cases:      examples("annealed paths"),
			define:     scalars(reverse),
		},
		scheduled("sigmoid", "(s(a_t) - s(a_1))/(s(a_T) - s(a_1)), a_t = delta (2t/T - 1), s logistic",
			"Grosse, Ghahramani and Adams 2015",
			Argument{"delta", Number, "the steepness"}, []float64{1, 4, 10}, fitted(curve)),
		scheduled("geometric", "beta_2 = first, and each later one larger by the same factor", "Neal 2001",
			Argument{"first", Number, "beta_2"}, []float64{0.5, 0.01, 1e-6}, geometric),
		scheduled("power", "((t-1)/(T-1))^p", "Friel and Pettitt 2008", Argument{"p", Number, "the exponent"},
			[]float64{0.5, 2, 5}, power),
		{
			Name: "bar",
			Definition: "log(Z_T/Z_1) by Bennett's acceptance ratio: r with equal sums of s(w - r + " +
				"log(M/N)) over N forward log weights w and of " +
				"s(r - w - log(M/N)) over M reverse ones, s logistic",
			Source:    "Bennett 1976; Shirts and Chodera 2008",
			Inputs:    both,
			Output:    Number,
			Tolerance: 1e-9,
			scale:     largest,
			cases:     examples("log weights of two directions"),
			define:    scalars(func(in inputs) num { return bar(in.nums(0), in.nums(1)) }),
		},
	}
}

// name returns a name of a case that has two numbers.
func name(T, x float64) string {
	return "T" + exactNumber(T).v.Text('g', 6) + "-" + exactNumber(x).v.Text('g', 6)
}
