package reproduce

import (
	"math"

	"breadboard/chains/number"
)

// sandwichingEstimators returns the tests of the claims of section 5 on other estimators.
func sandwichingEstimators() tests {
	return tests{
		"bdmc-21": func(a *Answers) bool {
			return All(isIdentity(a.In(1), "finding=enumerated_mean, estimator=vb"), forAll([]string{"toy=clu4", "toy=clu8"}, func(toy string) bool {
				return All(every(a.Numbers("bias", toy, "estimator=vb"), isNegative), every(a.Numbers("bias", toy, "estimator=mf"), isNegative))
			}))
		},
		"bdmc-22": func(a *Answers) bool {
			f := a.Number("mean", "toy=clu4, estimator=vb")
			return Near(a.show("log F", number.Log(f)), f, 1e-9)
		},
		"bdmc-72": func(a *Answers) bool { return hasNoReciprocalBias(a.Part, "chib") },
		"bdmc-25": func(a *Answers) bool {
			chain, exact := a.Numbers("bias", "estimator=chib:chain"), a.Numbers("bias", "estimator=chib")
			return All(rise(chain...), end(chain) > 2, end(chain) > 100*end(exact))
		},
		"bdmc-26": func(a *Answers) bool { return isUnbiased(a.Part, "estimator=cms:first") },
		"bdmc-27": func(a *Answers) bool { return isUnbiased(a.Part, "estimator=cms") },
		"bdmc-28": func(a *Answers) bool {
			lost := func(v float64) bool { return Near(v, -math.Ln2, 1e-3) }
			return All(every(a.Numbers("bias", "estimator=cms"), lost), every(a.Numbers("sd", "estimator=cms"), func(v float64) bool { return v < 0.05 }))
		},
		"bdmc-30": func(a *Answers) bool {
			return forAll(a.Numbers("g_max"), func(g float64) bool { return math.Exp(g) <= 1 })
		},
		"bdmc-29": func(a *Answers) bool {
			return forAll([]string{"toy=easy", "toy=barrier", "toy=hard"}, func(toy string) bool {
				factor := math.Exp(a.hiddenNumber("log_mean_z", toy, "estimator=ns:2") - a.hiddenNumber("log_z_ratio", toy, "estimator=ns:2"))
				return a.show("E Z-hat/Z, "+toy, factor) < 1.5
			})
		},
		"bdmc-36": func(a *Answers) bool {
			return end(a.Numbers("rmse", "estimator=ns:2:together:unbiased")) < end(a.Numbers("rmse", "estimator=ais"))
		},
		"bdmc-34": func(a *Answers) bool {
			a.show("difference of the biases", a.Number("bias", "estimator=ns")-a.hiddenNumber("bias", "estimator=ns:early"))
			return Near(a.show("10^-10", math.Pow(10, -10)), a.show("e^-10", math.Exp(-10)), 1e-6)
		},
		"bdmc-32": func(a *Answers) bool {
			// By Eq. 25 a stochastic lower bound is more than a nat too high with a probability below exp(-1).
			return All(a.Number("p_above_1", "toy=hard, estimator=ns:2") > math.Exp(-1), a.Number("p_above_1", "toy=hard, estimator=ns:2:strict") > math.Exp(-1),
				every(a.Numbers("p_above_1", "estimator=ns:2:label:unbiased"), func(v float64) bool { return v < math.Exp(-1) }))
		},
		"bdmc-58": func(a *Answers) bool {
			bias, sd := a.Numbers("bias"), a.Numbers("sd")
			return All(rise(bias...), math.Abs(end(bias)) < 0.01, end(sd) > 1, every(sd, func(v float64) bool { return end(sd) > 0.75*v }))
		},
	}
}
