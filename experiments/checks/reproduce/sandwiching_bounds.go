package reproduce

import (
	"math"
)

// sandwichingBounds returns the tests of the claims of section 4 on stochastic lower and upper bounds.
func sandwichingBounds() tests {
	return tests{
		"bdmc-3": func(a *Answers) bool {
			unbiased := a.hidden("p_above_1", "estimator=lw")
			unbiased = append(unbiased, a.In(1).hidden("p_above_1", "estimator=ais")...)
			for _, e := range sandwichingRuns() {
				unbiased = append(unbiased, a.In(2).hidden("p_above_1", "estimator=smc:"+e)...)
			}
			return All(a.show("largest P(> +1)", mostOf(unbiased)) < math.Exp(-1), forAll([]string{"b=1", "b=2", "b=3"}, func(b string) bool {
				return pairs(a.In(3).Numbers("p_forward_above", b), a.In(3).hidden("bound", b), less)
			}))
		},
		"bdmc-12": func(a *Answers) bool {
			// Ten times the work is ten times the distributions, and the bias falls like 1/T.
			return forAll([]string{"estimator=ais", "estimator=rais"}, func(e string) bool {
				bias, rmse := a.Numbers("bias", e), a.hidden("rmse", e)
				ratios := zip(bias, bias[1:], func(v, next float64) float64 { return v / next })
				return All(every(ratios, func(v float64) bool { return 8 < v && v < 12 }), fall(rmse...), math.Abs(end(bias)) < 0.01)
			})
		},
		"bdmc-5": func(a *Answers) bool {
			hme, lw := a.Numbers("bias", "estimator=hme"), a.Numbers("bias", "estimator=lw")
			return All(every(hme, func(v float64) bool { return v > 0 }), end(hme) > 1, end(hme) > 10*math.Abs(end(lw)))
		},
		"bdmc-6": func(a *Answers) bool {
			// With two distributions the reversed run is the harmonic mean estimator from one draw: its mean is value + E_fwd[log w].
			logZ, forward := a.In(1).Number("log_z_ratio"), a.In(1).hiddenNumber("mean_log_w_forward")
			mean := func(reference, moves string) float64 {
				return a.show("mean from "+reference+" after "+moves, a.hiddenNumber("value", "reference="+reference, "S="+moves)+forward)
			}
			return All(mean("point:0", "0") < logZ, mean("point:0", "100") < logZ, mean("target", "0") > logZ)
		},
		"bdmc-11": func(a *Answers) bool {
			return All(every(a.Numbers("bias", "estimator=rais"), func(v float64) bool { return v > 0 }), hasNoReciprocalBias(a.In(1), "rais"))
		},
		"bdmc-17": func(a *Answers) bool {
			return All(hasNoReciprocalBias(a.In(1), "shme"), forAll(sandwichingRuns(), func(e string) bool {
				return every(a.Numbers("bias", "estimator=shme:"+e), func(v float64) bool { return v > 0 })
			}))
		},
		"bdmc-18": func(a *Answers) bool {
			// The rows "perfect" are the closed form; those of M scans are found by propagation, and come closer with M.
			return forAll(sandwichingModels(), func(toy string) bool {
				return forAll([]string{"smc", "shme"}, func(e string) bool {
					mean := func(scans string) float64 {
						return a.hiddenNumber("mean", toy, "estimator="+e+":posterior:"+scans)
					}
					one, five := math.Abs(mean("1")-mean("perfect")), math.Abs(mean("5")-mean("perfect"))
					return All(a.show("left after 5 scans, "+toy+" "+e, five) < 0.01, five < one)
				})
			})
		},
		"bdmc-19": func(a *Answers) bool {
			return forAll(sandwichingModels(), func(toy string) bool {
				lower, upper := a.hiddenNumber("bias", toy, "estimator=smc:posterior:perfect"), a.hiddenNumber("bias", toy, "estimator=shme:posterior:perfect")
				return All(a.show("error, "+toy, upper) <= a.show("distance, "+toy, upper-lower), lower < 0, 0 < upper, upper-lower < 1)
			})
		},
		"bdmc-67": func(a *Answers) bool {
			rare := func(v float64) bool { return v < math.Exp(-3) }
			return All(every(a.Numbers("p_forward_above", "b=3"), rare), every(a.Numbers("p_reverse_below", "b=3"), rare))
		},
		"bdmc-60": func(a *Answers) bool {
			logZ, forward, kl, both := a.hidden("log_z_ratio"), a.hidden("mean_log_w_forward"), a.Numbers("kl_q_p"), a.hidden("B")
			bias := lessEach(logZ, forward)
			return All(pairs(kl, bias, atMost), pairs(bias, both, atMost))
		},
	}
}

// isNegative reports whether a number is below zero.
func isNegative(v float64) bool { return v < 0 }

// end returns the last number of a list, and NaN of an empty one.
func end(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	return list[len(list)-1]
}
