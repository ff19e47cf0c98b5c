package reproduce

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// sandwiching returns the tests in Go of the claims of Grosse, Ghahramani and Adams 2015.
func sandwiching() tests {
	return tests{
		"bdmc-3": func(a *Answers) bool {
			unbiased := a.hidden("p_above_1", "estimator=lw")
			unbiased = append(unbiased, a.In(1).hidden("p_above_1", "estimator=ais")...)
			for _, e := range sandwichingRuns() {
				unbiased = append(unbiased, a.In(2).hidden("p_above_1", "estimator=smc:"+e)...)
			}
			return all(a.showDerived("largest P(> +1)", mostOf(unbiased)) < math.Exp(-1),
				forAll([]string{"b=1", "b=2", "b=3"}, func(b string) bool {
					return pairs(a.In(3).Numbers("p_forward_above", b), a.In(3).hidden("bound", b),
						func(v, w float64) bool { return v < w })
				}))
		},
		"bdmc-12": func(a *Answers) bool {
			// Ten times the work is ten times the distributions, and the bias falls like 1/T.
			return forAll([]string{"estimator=ais", "estimator=rais"}, func(e string) bool {
				bias := a.Numbers("bias", e)
				rmse := a.hidden("rmse", e)
				ratios := zip(bias, bias[1:], func(v, next float64) float64 { return v / next })
				return all(every(ratios, func(v float64) bool { return 8 < v && v < 12 }), fall(rmse...),
					math.Abs(end(bias)) < 0.01)
			})
		},
		"bdmc-38": func(a *Answers) bool {
			const T = 10
			raw := func(t int) float64 { return 1 / (1 + math.Exp(-4*(2*float64(t)/T-1))) }
			ok := true
			last := 0.0
			steps := []float64{}
			for t := 2; t <= T; t++ {
				beta := a.hiddenNumber("beta", "kind=stage, t="+strconv.Itoa(t))
				ok = all(ok, near(beta, (raw(t)-raw(1))/(raw(T)-raw(1)), 1e-12))
				steps = append(steps, beta-last)
				last = beta
			}
			middle := slices.Max(steps)
			return all(ok, last == 1, a.showDerived("first step", steps[0]) < middle/2,
				a.showDerived("last step", steps[len(steps)-1]) < middle/2)
		},
		"bdmc-64": func(a *Answers) bool {
			p := a.Part
			return all(p.Count("verdict=fault") == 0, forAll(
				[]string{"lw", "hme", "hme:chain", "ais", "rais", "smc", "shme", "chib", "cms", "vb", "mf"},
				func(estimator string) bool {
					return isIdentity(p, "finding=enumerated_mean, estimator="+estimator)
				},
			))
		},
	}
}

// sandwichingRuns are the proposals and scans of sandwichingSequential.
func sandwichingRuns() []string {
	return []string{"prior:0", "posterior:0", "posterior:1", "posterior:5", "posterior:perfect"}
}

// isUnbiased tests that the mean of the estimates is the partition function, in all rows that are
// where the conditions say.
func isUnbiased(p *Part, where ...string) bool {
	logMean := p.hidden("log_mean_z", where...)
	logZ := p.hidden("log_z_ratio", where...)
	low, high := math.Inf(1), math.Inf(-1)
	for i := range logMean {
		ratio := math.Exp(logMean[i] - logZ[i])
		low, high = min(low, ratio), max(high, ratio)
	}
	p.all.showDerived("smallest E Z-hat/Z", low)
	p.all.showDerived("largest E Z-hat/Z", high)
	return near(low, 1, 1e-9) && near(high, 1, 1e-9)
}

// isIdentity tests that all differences of a finding are rounding, and shows the largest.
func isIdentity(p *Part, where ...string) bool {
	largest := slices.Max(append(p.hidden("value", where...), 0))
	return p.all.showDerived(strings.Join(append([]string{"largest difference"}, split(where)...), " "),
		largest) <
		1e-10
}
