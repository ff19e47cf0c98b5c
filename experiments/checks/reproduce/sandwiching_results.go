package reproduce

import "math"

// sandwichingResults returns the tests of the claims of section 6.4 and of the discussion. Orders of errors are read where they are far apart beside their
// standard errors, which are some percent to a tenth over 5 to 25 trials.
func sandwichingResults() tests {
	return tests{
		"bdmc-47": func(a *Answers) bool {
			return forAll([]*Part{a.Part, a.In(1)}, func(p *Part) bool {
				bic := math.Pow(p.Number("rmse", "estimator=bic"), 2)
				p.Number("rmse", "estimator=lw")
				return forAll([]string{"lw", "hme", "ais", "smc", "cms", "ns", "vb", "vb:sym"}, func(e string) bool {
					return bic > 5*math.Pow(p.hiddenNumber("rmse", "estimator="+e), 2)
				})
			})
		},
		"bdmc-49": func(a *Answers) bool {
			ratio := func(e string) float64 {
				row := "estimator=" + e
				a.show("knob of "+e+", times", a.hiddenNumber("rmse_setting", row)/a.In(1).hiddenNumber("rmse_setting", row))
				return a.show("error of "+e+", times", a.hiddenNumber("rmse", row)/a.In(1).hiddenNumber("rmse", row))
			}
			// 33 times the samples would lower an error of independent samples to 17%.
			return All(ratio("lw") > 0.75, ratio("hme") > 0.75, ratio("cms") > 0.75, ratio("ais") < 0.25)
		},
		"bdmc-52": func(a *Answers) bool {
			gain := func(e string) float64 {
				return a.show("combined/single "+e, a.hiddenNumber("combined_rmse", "estimator="+e)/math.Abs(a.hiddenNumber("bias", "estimator="+e)))
			}
			helps := All(gain("ais") < 0.5, gain("smc") < 0.5)
			helpsNot := forAll([]string{"lw", "hme", "cms", "bic", "ns"}, func(e string) bool { return gain(e) > 0.8 })
			gain("vb:sym")
			return All(helps, helpsNot)
		},
		"bdmc-33": func(a *Answers) bool {
			// Five standard errors; the same 60 data sets, taken as independent, make them too large.
			none, one := a.Number("B", "algorithm=smc, M=0, data="), a.Number("B", "algorithm=smc, M=1, data=")
			a.Number("B", "algorithm=smc, M=10, data=")
			return none-one > 5*math.Hypot(a.hiddenNumber("B_se", "algorithm=smc, M=0, data="), a.hiddenNumber("B_se", "algorithm=smc, M=1, data="))
		},
		"bdmc-55": func(a *Answers) bool {
			bias := a.Numbers("bias", "estimator=cms")
			// These are the ends of the longest annealing but one, which are further apart than those that the truth is between.
			doubt := a.show("ends of annealing, apart", a.hiddenNumber("bias", "model=lowrank:5:1:1:0.001, estimator=rais")-a.hiddenNumber("bias", "model=lowrank:5:1:1:0.001, estimator=ais"))
			return All(fall(bias...), end(bias)+doubt < -1000)
		},
	}
}
