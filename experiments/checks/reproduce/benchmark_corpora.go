package reproduce

import "slices"

// benchmarkCorpora returns the tests of the claims on many targets at once, by a corpus of ten small ones.
func benchmarkCorpora() tests {
	return tests{
		"samplers-12": func(a *Answers) bool {
			mean, variance, distribution := overESS(a, "ress_mean"), overESS(a, "ress_var"), overESS(a, "ress_cvm")
			return All(share(a, "settings with RESS of the mean < ESS", mean, func(v float64) bool { return v < 1 }) == 1,
				median(a, "median of RESS/ESS, mean", mean) < 1, median(a, "median of RESS/ESS, variance", variance) < 1,
				median(a, "median of RESS/ESS, distribution", distribution) < 1)
		},
		"samplers-13": func(a *Answers) bool {
			shares := sharesBelow(a)
			return All(shares[0] < shares[1], shares[0] < shares[2])
		},
		"samplers-15": func(a *Answers) bool {
			of := func(column string, kernels []string) (list []float64) {
				for _, kernel := range kernels {
					list = append(list, a.Number(column, "kernel="+kernel))
				}
				return list
			}
			below := func(column string) bool {
				return slices.Max(of(column, localKernels())) < slices.Min(of(column, informedKernels()))
			}
			return All(below("ness_mean"), below("ness_var"), below("ness_cvm"))
		},
		"samplers-17": func(a *Answers) bool {
			ress, eff := a.hidden("ress_mean"), a.hidden("eff")
			within := func(low, high float64) func(v float64) bool {
				return func(v float64) bool { return low <= v && v < high }
			}
			failed := share(a, "RESS < 1", ress, within(0, 1))
			middle := share(a, "1 <= RESS < 10", ress, within(1, 10))
			better := share(a, "10 <= RESS < 100", ress, within(10, 100))
			good := share(a, "efficiency > 1%", eff, func(v float64) bool { return v > 0.01 })
			return All(middle < failed, middle < better, failed+good > 0.5)
		},
		"samplers-18": func(a *Answers) bool {
			local, informed := efficiencies(a, localKernels()), efficiencies(a, informedKernels())
			return All(every(local, func(v float64) bool { return 0.001 <= v && v <= 0.01 }),
				every(informed, func(v float64) bool { return 0.02 <= v && v <= 0.4 }))
		},
	}
}

// localKernels are random walks on a lattice.
func localKernels() []string { return []string{"metropolis", "barker", "moore"} }

// informedKernels draw from the conditional distributions of the target.
func informedKernels() []string { return []string{"heatbath", "heatbath-scan", "suwa-todo"} }

// efficiencies shows the median efficiency of each of some kernels over the targets on which its RESS is at least 12.
func efficiencies(a *Answers, kernels []string) (medians []float64) {
	for _, kernel := range kernels {
		ress, eff := a.hidden("ress_mean", "kernel="+kernel), a.hidden("eff", "kernel="+kernel)
		var good []float64
		for i := range ress {
			if ress[i] >= 12 {
				good = append(good, eff[i])
			}
		}
		medians = append(medians, median(a, "median efficiency of "+kernel, good))
	}
	return medians
}

// overESS returns a RESS over the ESS of the exact autocovariances of one chain, in each setting of the corpus. The two commands must have
// answered the same settings, in which they have the same RESS of the mean, by two routes.
func overESS(a *Answers, column string) []float64 {
	ess, ress := a.hidden("ess_of_means_single"), a.In(1).hidden(column)
	if !pairs(a.hidden("ress_mean"), a.In(1).hidden("ress_mean"), func(v, w float64) bool { return Near(v, w, 1e-6) }) {
		a.fail("the two commands have not answered the same settings")
		return nil
	}
	return zip(ress, ess, func(v, w float64) float64 { return v / w })
}

// sharesBelow shows in which part of settings RESS of the mean, the variance and the distribution is below the region of Fig. 3.
func sharesBelow(a *Answers) []float64 {
	below := func(v float64) bool { return eightAbove(8/v) < 0.025 }
	return []float64{
		share(a, "below, mean", overESS(a, "ress_mean"), below),
		share(a, "below, variance", overESS(a, "ress_var"), below),
		share(a, "below, distribution", overESS(a, "ress_cvm"), below),
	}
}
