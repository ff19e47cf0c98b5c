package reproduce

import (
	"math"
)

// benchmarkDiagnostics returns the tests of the claims on starts of chains, on diagnostics and on what these predict together.
func benchmarkDiagnostics() tests {
	return tests{
		"samplers-19": func(a *Answers) bool {
			different := func(v, w float64) bool { return v != w }
			mixing := func(start string) []float64 { return a.hidden("mixing_mi", "start="+start) }
			burnIn := func(start string) []float64 { return a.hidden("burn_in_tv", "start="+start) }
			for _, start := range []string{"start=uniform", "start=mode", "start=target"} {
				a.Number("mixing_mi", "toy=easy, kernel=metropolis", start)
				a.Number("burn_in_tv", "toy=easy, kernel=metropolis", start)
			}
			return All(pairs(mixing("uniform"), mixing("mode"), equal), pairs(mixing("uniform"), mixing("target"), equal),
				pairs(burnIn("uniform"), burnIn("mode"), different), pairs(burnIn("uniform"), burnIn("target"), different))
		},
		"samplers-25": func(a *Answers) bool {
			// Paired t-tests over ten splits, as in the paper: with a probability of an error of 1/1000 for what is worse, and of 1/20 for the
			// dimension, which may not be.
			worse := func(method string, level float64) bool {
				nll, p := a.Number("nll", "method="+method), a.Number("p_nll", "method="+method)
				return nll > 0 && p < level
			}
			for _, undecided := range []string{"method=GP-ESS", "method=GP-G"} {
				a.Number("nll", undecided)
				a.Number("p_nll", undecided)
			}
			a.Number("mse", "method=GP")
			a.Number("mse", "method=linear")
			return All(worse("GP-GR", 0.001), worse("linear", 0.001), worse("iid", 0.001), !worse("GP-D", 0.05))
		},
		"samplers-26": func(a *Answers) bool {
			const compound = "kernel=jump:0.1"
			success, ness := a.Number("p_success", compound), a.Number("ness_mean", compound)
			a.Number("p_success", "kernel=heatbath-scan")
			a.Number("ness_mean", "kernel=heatbath-scan")
			a.In(1).Number("p_success", "kernel=compose:heatbath-scan+metropolis")
			return All(every(a.hidden("p_success"), func(v float64) bool { return v <= success }),
				!every(a.hidden("ness_mean"), func(v float64) bool { return v <= ness }))
		},
		"samplers-27": func(a *Answers) bool { return rounds(a.show("seconds", 15*60/100.0), "9") },
	}
}

// benchmarkErrors returns the tests of the claims on errors of chains: what they are made of, and who sees them.
func benchmarkErrors() tests {
	return tests{
		"samplers-29": func(a *Answers) bool {
			errors, ress := a.hidden("var_mean", "start=target"), a.hidden("ress_mean", "start=target")
			const slow = "toy=barrier"
			estimated := a.Number("ess_of_means_single", slow, "start=target, N=1000")
			return All(pairs(errors, ress, func(v, r float64) bool { return Near(1/v, r, 1e-6) }),
				estimated > 10*a.Number("ress_mean", slow, "start=target, N=1000"))
		},
		"samplers-30": func(a *Answers) bool {
			const stuck, long = "toy=barrier", "N=10000"
			a.Number("tau", stuck, long)
			a.show("RESS of the variance with R = 2", 2/a.hiddenNumber("mse_var", stuck, long))
			return All(a.Number("ress_mean", stuck, long) < 1, a.Number("ress_var", stuck, long) < 1)
		},
		"samplers-31": func(a *Answers) bool {
			old := 1 - a.Number("p_rhat_below_1_1", "N=12")
			strict := 1 - a.Number("p_rhat_below_1_01", "N=12")
			// 57 times eight chains of independent draws. Of alarms with a probability of 5% there are 13 and more once in 267,000.
			geweke := a.In(1).Number("type_1", "diagnostic=Geweke, chains=8 simulated")
			silent := a.In(2).Number("type_2", "diagnostic=R-hat, limit=< 1.1, chains=exact")
			return All(a.show("alarms of R-hat < 1.1", old) < 0.05, a.show("alarms of R-hat < 1.01", strict) < 0.05, geweke <= 12.0/57, silent > 0)
		},
		"samplers-32": func(a *Answers) bool {
			slow := func(more ...string) []string { return append(more, "toy=easy", "kernel=metropolis") }
			first, second := a.hidden("ress_mean", slow("function=x0")...), a.hidden("ress_mean", slow("function=x1")...)
			for _, function := range []string{"function=x0", "function=x1", "function=all"} {
				a.Number("ress_mean", slow(function, "N=100")...)
			}
			harmonic := zip(first, second, func(v, w float64) float64 { return 2 / (1/v + 1/w) })
			independent := []string{"toy=random:0:0:5x5", "kernel=independence", "function=all"}
			a.Number("ress_mean", append(independent, "N=100")...)
			return All(pairs(a.hidden("ress_mean", slow("function=all")...), harmonic, equal),
				pairs(a.hidden("ress_mean", independent...), a.hidden("N", independent...), equal))
		},
		"samplers-33": func(a *Answers) bool {
			const medianN = (1667 + 10000) / 2.0
			ness := func(kernel string, n string) bool {
				ress := a.In(1).Number("ress_mean", "toy=easy, kernel="+kernel, n)
				return Near(a.Number("ness_mean", "kernel="+kernel), ress/medianN, 1e-9)
			}
			return All(ness("metropolis", "N=10000"), ness("heatbath", "N=1667"))
		},
		"samplers-34": func(a *Answers) bool {
			cheap, dear := []string{"kernel=metropolis", "N=10000"}, []string{"kernel=heatbath", "N=1667"}
			for _, column := range []string{"work", "ress_mean"} {
				for _, toy := range []string{"toy=easy", "toy=barrier"} {
					a.Number(column, append(cheap, toy)...)
					a.Number(column, append(dear, toy)...)
				}
			}
			return All(pairs(a.hidden("work", dear...), a.hidden("work", cheap...), atMost),
				pairs(a.hidden("ress_mean", dear...), a.hidden("ress_mean", cheap...), func(v, w float64) bool { return v > w }),
			)
		},
		"samplers-35": func(a *Answers) bool {
			a.Number("var_mean", "toy=hard, start=uniform, N=1000")
			a.In(1).Number("bias_mean", "toy=hard, N=1000")
			a.In(1).Number("mse_mean", "toy=hard, N=1000")
			for _, n := range []string{"N=10", "N=100", "N=1000"} {
				variance, bias := a.hidden("var_mean", "start=uniform", n), a.In(1).hidden("bias_mean", n)
				sum := zip(variance, bias, func(v, b float64) float64 { return v + b*b })
				if !pairs(sum, a.In(1).hidden("mse_mean", n), equal) {
					return false
				}
			}
			return true
		},
		"samplers-36": func(a *Answers) bool {
			a.show("error of the mean in standard deviations", math.Sqrt(a.hiddenNumber("mse_mean", "toy=random:2:1:7, N=12")))
			return All(every(a.hidden("mse_mean", "N=12"), func(v float64) bool { return equal(v, 1.0/12) }),
				Near(a.In(1).Number("coverage_95", "N=12"), 0.95, 0.02))
		},
	}
}
