package reproduce

import (
	"math"
	"strings"
)

// rounding is what exact numbers of two routes may differ by, as Near means it.
const rounding = 1e-12

// near reports whether two lists have the same numbers, up to rounding.
func near(v, w []float64) bool {
	return pairs(v, w, func(v, w float64) bool { return Near(v, w, rounding) })
}

// within reports whether an estimate is within five standard errors of a number, which a right estimate fails to be once in two million times.
func within(estimate, standardError, number float64) bool {
	return math.Abs(estimate-number) <= 5*standardError
}

// agree reports whether estimates are within five standard errors, as given, of their means, which each fails once in two million times.
func agree(z []float64) bool { return every(z, func(z float64) bool { return math.Abs(z) <= 5 }) }

// below reports whether an estimate is below another by five standard errors, which equal ones pass once in three million times.
func below(estimate, standardError, other, otherError float64) bool {
	return estimate+5*math.Hypot(standardError, otherError) < other
}

// halves returns the means of AIDE as sums of its two averages, by another route than the column mean.
func halves(p *Part, where ...string) []float64 {
	means, second := p.hidden("kl_q_p_upper", where...), p.hidden("kl_p_q_upper", where...)
	for i := range means {
		means[i] = p.all.show(strings.TrimSpace("sum of both averages "+strings.Join(split(where), " ")), means[i]+second[i])
	}
	return means
}

// bounds reports whether AIDE's mean falls in each row where the conditions say, and stays above J.
func bounds(p *Part, where ...string) bool {
	means, j := p.Numbers("mean", where...), p.hidden("J", where...)
	p.all.show("J "+split(where)[0], j[0])
	return All(fall(means...), pairs(means, j, func(m, j float64) bool { return m >= j }))
}

// holds reports whether findings of a check are there for each of its targets, and off by no more than rounding.
func holds(p *Part, targets int, findings ...string) bool {
	tests := []bool{}
	for _, f := range findings {
		values := p.Numbers("value", "finding="+f)
		tests = append(tests, len(values) == targets, every(values, func(v float64) bool { return v <= rounding }))
	}
	return All(tests...)
}

// aideTheorem returns the tests of the claims on the mean of AIDE: Theorem 1 and its special cases.
func aideTheorem() tests {
	toys := []string{"toy=easy", "toy=hard", "toy=barrier"}
	return tests{
		"aide-1": func(a *Answers) bool {
			p := a.Part
			return All(bounds(p, toys[0]), bounds(p, toys[1]), bounds(p, toys[2]))
		},
		"aide-2": func(a *Answers) bool {
			return forAll(toys, func(toy string) bool {
				exchanged, direct := a.Part, a.In(1)
				return All(bounds(exchanged, toy), near(exchanged.hidden("mean", toy), direct.hidden("mean", toy)))
			})
		},
		"aide-3": func(a *Answers) bool {
			return forAll(toys, func(toy string) bool {
				p, t := a.Part, a.In(1)
				upper, lower := p.Number("upper_half", toy, "meta=1"), p.Number("lower_half", toy, "meta=1")
				bias := p.Number("bias", toy, "meta=1")
				logZ := t.hidden("log_z_ratio", toy)[0]
				ofTraces := logZ - t.hidden("mean_log_w_forward", toy)[0] - t.hidden("kl_q_p", toy)[0]
				ofReversed := t.hidden("mean_log_w_reverse", toy)[0] - logZ - t.hidden("kl_p_q", toy)[0]
				return All(Near(bias, upper+lower, rounding), Near(lower, ofTraces, rounding), Near(upper, ofReversed, rounding))
			})
		},
	}
}

// aideAlgorithms returns the tests of the claims on algorithms with meta-inference (section 3).
func aideAlgorithms() tests {
	return tests{
		"aide-16": func(a *Answers) bool { return holds(a.Part, 2, "xi_of_traces", "mean_xi") },
		"aide-17": func(a *Answers) bool {
			return All(within(a.Number("estimate"), a.Number("standard_error"), a.In(1).Number("B", "toy=barrier")),
				holds(a.In(2), 2, "xi_of_traces", "one_trace_is_gap"))
		},
		"aide-18": func(a *Answers) bool {
			return All(forAll([]string{"J", "mean", "upper_half", "lower_half"}, func(column string) bool {
				return near(a.Numbers(column), a.In(1).hidden(column))
			}), holds(a.In(2), 2, "xi_of_traces"))
		},
		"aide-19": func(a *Answers) bool {
			means, b := a.Numbers("mean"), a.In(1).Number("B")
			return All(near(means, a.hidden("J")), near(means, []float64{b, b}))
		},
		"aide-20": func(a *Answers) bool {
			b, j := a.hidden("B"), a.hidden("J")
			gaps := make([]float64, len(b))
			for i := range b {
				gaps[i] = a.show("B - J", b[i]-j[i])
			}
			ratio := a.show("ratio of the last two", gaps[len(gaps)-2]/gaps[len(gaps)-1])
			return All(fall(gaps...), 9 < ratio, ratio < 11)
		},
		"aide-21": func(a *Answers) bool {
			upper, lower, j := a.hidden("upper_half", "gold_meta=1"), a.hidden("lower_half", "gold_meta=1"), a.hidden("J", "gold_meta=1")
			var all []float64
			for i := range upper {
				all = append(all, j[i]+a.show("bias of the target", upper[i]+lower[i]))
			}
			return All(near(halves(a.Part, "gold_meta=1"), all), near(halves(a.Part, "gold_meta=100"), all))
		},
		"aide-23": func(a *Answers) bool {
			without, j := a.In(1).Numbers("mean"), a.In(1).hidden("J")
			return All(bounds(a.Part, "gold_meta=1"), pairs(without, j, less))
		},
	}
}
