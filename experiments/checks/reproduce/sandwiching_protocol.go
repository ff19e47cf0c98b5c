package reproduce

import (
	"math"
	"slices"
	"strconv"
)

// sandwichingSettings returns the tests of the claims of sections 6.1 to 6.3.
func sandwichingSettings() tests {
	return tests{
		"bdmc-37": func(a *Answers) bool {
			ratio := func(toy string) (list []float64) {
				for _, t := range []string{"T=10", "T=100"} {
					list = append(list, a.show(toy+" "+t, a.hiddenNumber("B", "toy="+toy, t)/a.In(1).hiddenNumber("B", "toy="+toy, t)))
				}
				return list
			}
			smaller := forAll([]string{"low", "gridclu", "hyper"}, func(toy string) bool {
				return every(ratio(toy), func(v float64) bool { return v < 0.95 })
			})
			for _, toy := range []string{"clu6", "clu8", "bin4"} {
				ratio(toy)
			}
			return smaller
		},
		"bdmc-38": func(a *Answers) bool {
			const T = 10
			raw := func(t int) float64 { return 1 / (1 + math.Exp(-4*(2*float64(t)/T-1))) }
			ok, last, steps := true, 0.0, []float64{}
			for t := 2; t <= T; t++ {
				beta := a.hiddenNumber("beta", "kind=stage, t="+strconv.Itoa(t))
				ok = All(ok, Near(beta, (raw(t)-raw(1))/(raw(T)-raw(1)), 1e-12))
				steps = append(steps, beta-last)
				last = beta
			}
			middle := slices.Max(steps)
			return All(ok, last == 1, a.show("first step", steps[0]) < middle/2, a.show("last step", steps[len(steps)-1]) < middle/2)
		},
		"bdmc-20": func(a *Answers) bool {
			return forAll(sandwichingModels(), func(toy string) bool {
				var gaps []float64
				for _, scans := range []string{"0", "1", "5"} {
					gap := a.hiddenNumber("mean", toy, "estimator=shme:posterior:"+scans) - a.hiddenNumber("mean", toy, "estimator=smc:posterior:"+scans)
					gaps = append(gaps, a.show("gap with "+scans+" scans, "+toy, gap))
				}
				return fall(gaps...)
			})
		},
		"bdmc-39": func(a *Answers) bool {
			return All(rounds(a.show("10^(1/2)", math.Pow(10, 0.5)), "3.2"), rounds(a.show("10^1", math.Pow(10, 1)), "10"), rounds(a.show("10^2", math.Pow(10, 2)), "100"))
		},
		"bdmc-40": func(a *Answers) bool { return rounds(a.show("0.1 * 1000", 0.1*1000), "100") },
		"bdmc-42": func(a *Answers) bool {
			// Five standard errors over the three data sets.
			p, models := a.Part, []string{"clustering", "lowrank", "binary"}
			return forAll(models, func(model string) bool {
				return forAll(models, func(wrong string) bool {
					if wrong == model {
						return true
					}
					data, fitted := "data_of="+model, "fitted="+wrong
					behind := p.Number("behind", data, fitted, "data=")
					return All(behind > 5*p.hiddenNumber("behind_se", data, fitted, "data="), behind > 10)
				})
			})
		},
	}
}

// sandwichingTesting returns the tests of the claims of appendix B on how implementations are tested.
func sandwichingTesting() tests {
	return tests{
		"bdmc-62": func(a *Answers) bool {
			// The heat bath moves to x' with probability p(x'|u), so that its detailed balance p(x,u) p(x'|u) = p(x',u) p(x|u) is the identity.
			return isIdentity(a.Part, "finding=detailed_balance")
		},
		"bdmc-63": func(a *Answers) bool {
			// The tests are e-processes, whose probability of a false alarm is at most 1e-6 together.
			return All(a.Count("verdict=fault") == 0, a.Count("verdict=pass") == 18)
		},
		"bdmc-64": func(a *Answers) bool {
			p := a.Part
			return All(p.Count("verdict=fault") == 0, forAll([]string{"lw", "hme", "hme:chain", "ais", "rais", "smc", "shme", "chib", "cms", "vb", "mf"}, func(estimator string) bool {
				return isIdentity(p, "finding=enumerated_mean, estimator="+estimator)
			}))
		},
	}
}
