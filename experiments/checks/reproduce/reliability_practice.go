package reproduce

import (
	"math"
)

// reliabilityPractice returns the tests of the claims on real data, implementations and other methods (sections 2.3, 4 and 5, appendices B to D).
func reliabilityPractice() tests {
	return tests{
		"bread-37": func(a *Answers) bool {
			short, long := []string{"algorithm=ais", "T=10", "datasets=1"}, []string{"algorithm=ais", "T=300", "datasets=1"}
			mean, sd := meanAndSD(lessEach(a.hidden("upper", short...), a.hidden("lower", long...)))
			gaps := a.hidden("B", short...)
			a.show("share of data sets with B < 0 at T = 10", shareOf(gaps, func(b float64) bool { return b < 0 }))
			// Were the upper end not above the lower one of a long annealing, this would happen with probability 3e-7.
			return a.show("mean of upper end at T = 10 less lower end at T = 300", mean) > 5*a.show("its standard error", sd/math.Sqrt(float64(len(gaps))))
		},
		"bread-38": func(a *Answers) bool {
			exact := leastOf(lessEach(a.hidden("value", "reference=target"), a.hidden("J", "reference=target")))
			below := func(toy string) bool {
				at := "toy=" + toy + ", T=10000, reference=uniform"
				return a.Number("value", at) < a.Number("J", at)
			}
			return All(a.show("least of value less J, from the target", exact) >= 0, below("easy"), below("hard"), below("barrier"))
		},
		"bread-39": func(a *Answers) bool {
			var values []float64
			for _, s := range []string{"10", "100", "1000", "10000"} {
				values = append(values, a.hidden("value", "S="+s)...)
			}
			// The mean of 100 chains, as many as the paper has, has an error far above a thousandth of a nat.
			return a.show("largest difference of means", mostOf(values)-leastOf(values)) < 1e-3
		},
		"bread-42": func(a *Answers) bool {
			apart := 0.0
			for _, t := range []string{"10", "30", "100"} {
				apart = max(apart, math.Abs(medianApart(a, 0, t)))
			}
			// Of the three, each is a Student variable with 7 degrees of freedom: above 4 with probability 0.005.
			return apart < 4
		},
		"bread-43": func(a *Answers) bool {
			raw, centred := medianApart(a, 0, "300"), medianApart(a, 1, "300")
			// Both are Student variables with 11 degrees of freedom where data match: below -3 or above 3 with probability 0.012.
			return math.Abs(raw) > 3 && math.Abs(centred) < 3
		},
		"bread-45": func(a *Answers) bool {
			below := func(column string) bool {
				collapsed, all := a.Numbers(column, "representation=collapsed"), a.Numbers(column, "representation=uncollapsed")
				return len(collapsed) == 3 && pairs(collapsed, all, less)
			}
			return All(below("J"), below("B"))
		},
		"bread-46": func(a *Answers) bool {
			// The fastest of four data sets is the one that other programs have disturbed least.
			fastest := func(form string) float64 {
				return a.show("fastest chain in seconds, "+form, leastOf(a.hidden("seconds", "representation="+form, "T=1000, datasets=1")))
			}
			return fastest("collapsed") > fastest("uncollapsed")
		},
		"bread-48": func(a *Answers) bool {
			// With sigma_u = 2 and sigma = 0.5 the model has the variances 4 and 0.25. The covariance as printed is that of 2 and 0.5.
			lower := func(model, t string) float64 { return a.Number("lower", "model="+model, "algorithm=ais, T="+t) }
			squares, printed := lower("lowrank:5:4:1:0.25", "1000"), lower("lowrank:5:2:1:0.5", "1000")
			still := a.show("both rises from T = 300", math.Abs(squares-lower("lowrank:5:4:1:0.25", "300"))+math.Abs(printed-lower("lowrank:5:2:1:0.5", "300")))
			return math.Abs(squares-printed) < 5*still
		},
		"bread-49": func(a *Answers) bool {
			if a.show("data sets of 50 by 25", float64(len(a.hidden("B", "rows=50, columns=25, datasets=1, T=1000")))) != 8 {
				return false
			}
			worst := math.Inf(-1)
			for _, data := range []string{"1", "2", "3", "4"} {
				at := "data=" + data + ", T=1000"
				worst = max(worst, mostOf(a.hidden("lower", at))-leastOf(a.hidden("upper", at)))
			}
			// The mean of exp(lower - upper) is at most 1 for independent chains, so that the 16 pairs of a lower and an upper end are apart by
			// 12 nats with probability 1e-4 at most (Markov's inequality).
			return a.show("largest lower end of a form less an upper end of either", worst) < 12
		},
		"bread-50": func(a *Answers) bool {
			right := leastOf(a.hidden("value", "reference=target"))
			wrong := a.Number("value", "toy=barrier, T=10000, reference=uniform")
			a.Number("value", "toy=easy, T=100, reference=uniform")
			return a.show("least mean gap from right draws", right) > 0 && wrong < -0.1
		},
		"bread-52": func(a *Answers) bool {
			a.Number("p_bhat_below_J", "T=100")
			a.Number("p_bhat_below_J", "T=1000")
			slack := lessEach(lessEach(a.hidden("mean_reverse"), a.hidden("mean_forward")), a.hidden("J"))
			return a.show("least of E B-hat less J", leastOf(slack)) >= 0
		},
		"bread-54": func(a *Answers) bool {
			of := func(part int, column, t string) float64 {
				return a.In(part).hiddenNumber(column, "toy=barrier, T="+t)
			}
			most := 0.0
			for _, t := range []string{"100", "1000"} {
				most = max(most, math.Abs(of(0, "mean_log_w_forward", t)-of(1, "mean_forward", t)), math.Abs(of(0, "mean_log_w_reverse", t)-of(1, "mean_reverse", t)))
			}
			return All(a.show("largest difference of means", most) <= 1e-11, a.show("B/J of barrier at T = 1,000,000", a.In(2).hiddenNumber("B_over_J", "toy=barrier")) > 1)
		},
		"bread-55": func(a *Answers) bool {
			forward := []string{"direction=forward", "T=30"}
			a.Number("mean", append(forward, "data=real")...)
			a.Number("q25", append(forward, "data=real")...)
			behind := lessEach(a.hidden("mean", forward...), a.hidden("q25", forward...))
			return a.show("share of data sets whose mean is below the lower quartile", shareOf(behind, func(v float64) bool { return v < 0 })) > 0.5
		},
	}
}

// medianApart returns by how many standard errors the median log weight of forward chains on the real data is from those on simulated data,
// all shifted by the largest of their data set.
func medianApart(a *Answers, command int, t string) float64 {
	p := a.In(command)
	simulated := p.hidden("median_shifted", "direction=forward, data=simulated, T="+t)
	mean, sd := meanAndSD(simulated)
	difference := p.hiddenNumber("median_shifted", "data=real, T="+t) - mean
	a.show("nats between real and simulated, T = "+t, difference)
	return a.show("in standard errors", difference/(sd*math.Sqrt(1+1/float64(len(simulated)))))
}
