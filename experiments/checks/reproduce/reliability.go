package reproduce

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// reliability returns the tests in Go of the claims of Grosse, Ancha and Roy 2016.
func reliability() tests {
	return tests{
		"bread-15": func(a *Answers) bool {
			a.Number("B_over_J", "toy=hard, T=10")
			a.Number("B_over_J", "toy=barrier, T=100000")
			a.showDerived("B_over_J toy=barrier T=1000000", a.In(1).hiddenNumber("B_over_J", "toy=barrier"))
			return all(accurateFactor(a, "hard") >= 100, accurateFactor(a, "barrier") >= 100)
		},
		"bread-19": func(a *Answers) bool {
			wall, mode := barrierShares(a, 0.25)
			_, end := barrierShares(a, 1)
			return wall < 0.05 && mode < end/2
		},
		"bread-21": func(a *Answers) bool {
			most := 0.0
			for _, toy := range []string{"easy", "hard", "barrier"} {
				at := "toy=" + toy + ", T=1000"
				gap := a.hiddenNumber("mean_log_w_reverse", at) - a.hiddenNumber("mean_log_w_forward", at)
				chains := sumOf(a.In(1).hidden("forward", "toy="+toy)) +
					sumOf(a.In(1).hidden("reverse", "toy="+toy))
				most = max(most, math.Abs(gap-chains))
			}
			return a.showDerived("largest difference", most) <= 1e-10
		},
		"bread-24": func(a *Answers) bool {
			slack := math.Inf(1)
			for _, toy := range []string{"easy", "hard", "barrier"} {
				at := "toy=" + toy + ", T=100000"
				upper := a.hiddenNumber("mean_log_w_reverse", at)
				lower := a.hiddenNumber("mean_log_w_forward", at)
				minusLower := lessEach(a.hidden("mean_log_w_reverse", "toy="+toy), a.hidden("kl_p_q", "toy="+toy))
				minusUpper := lessEach(negative(a.hidden("mean_log_w_forward", "toy="+toy)),
					a.hidden("kl_q_p", "toy="+toy))
				slack = min(slack, leastOf(minusLower)-lower, leastOf(minusUpper)+upper)
			}
			return a.showDerived("least slack", slack) >= 0
		},
		"bread-32": func(a *Answers) bool {
			count := func(hundred, thousand string) int {
				n := printedMatches(a.Part, hundred, thousand)
				a.showDerived("of 9 printed numbers with T = "+hundred+" and "+thousand, float64(n))
				return n
			}
			return all(count("100", "1000") == 9, count("99", "999") < 9, count("101", "1001") < 9,
				count("102", "1002") < 9)
		},
		"bread-33": func(a *Answers) bool {
			others := 0
			for i, name := range []string{"eight neighbours", "arithmetic path", "sigmoid schedule"} {
				others = max(others, int(a.showDerived("of 6 printed numbers with "+name,
					float64(printedMatches(a.In(i+1), "", "1000")))))
			}
			return a.showDerived("of 9 printed numbers",
				float64(printedMatches(a.Part, "100", "1000"))) == 9 &&
				others < 6
		},
		"bread-39": func(a *Answers) bool {
			var values []float64
			for _, s := range []string{"10", "100", "1000", "10000"} {
				values = append(values, a.hidden("value", "S="+s)...)
			}
			// The mean of 100 chains, as many as the paper has, has an error far above a thousandth
			// of a nat.
			return a.showDerived("largest difference of means", mostOf(values)-leastOf(values)) < 1e-3
		},
		"bread-42": func(a *Answers) bool {
			apart := 0.0
			for _, t := range []string{"10", "30", "100"} {
				apart = max(apart, math.Abs(medianApart(a, 0, t)))
			}
			// Of the three, each is a Student variable with 7 degrees of freedom: above 4 with
			// probability 0.005.
			return apart < 4
		},
		"bread-43": func(a *Answers) bool {
			raw := medianApart(a, 0, "300")
			centred := medianApart(a, 1, "300")
			// Both are Student variables with 11 degrees of freedom where data match: below -3 or
			// above 3 with probability 0.012.
			return math.Abs(raw) > 3 && math.Abs(centred) < 3
		},
		"bread-49": func(a *Answers) bool {
			if a.showDerived("data sets of 50 by 25",
				float64(len(a.hidden("B", "rows=50, columns=25, datasets=1, T=1000")))) != 8 {
				return false
			}
			worst := math.Inf(-1)
			for _, data := range []string{"1", "2", "3", "4"} {
				at := "data=" + data + ", T=1000"
				worst = max(worst, mostOf(a.hidden("lower", at))-leastOf(a.hidden("upper", at)))
			}
			// The mean of exp(lower - upper) is at most 1 for independent chains, so that the 16
			// pairs of a lower and an upper end are apart by 12 nats with probability 1e-4 at most
			// (Markov's inequality).
			return a.showDerived("largest lower end of a form less an upper end of either", worst) < 12
		},
		"bread-54": func(a *Answers) bool {
			of := func(part int, column, t string) float64 {
				return a.In(part).hiddenNumber(column, "toy=barrier, T="+t)
			}
			most := 0.0
			for _, t := range []string{"100", "1000"} {
				most = max(most, math.Abs(of(0, "mean_log_w_forward", t)-of(1, "mean_log_w_forward", t)),
					math.Abs(of(0, "mean_log_w_reverse", t)-of(1, "mean_log_w_reverse", t)))
			}
			return all(a.showDerived("largest difference of means", most) <= 1e-11,
				a.showDerived("B/J of barrier at T = 1,000,000",
					a.In(2).hiddenNumber("B_over_J", "toy=barrier")) > 1)
		},
	}
}

// accurateFactor returns the factor of T over which B exceeds J by at most 26%, in the longest run
// of neighbouring T of Figure 3.
func accurateFactor(a *Answers, toy string) float64 {
	distributions := a.hidden("T", "toy="+toy)
	errors := a.hidden("relative_error", "toy="+toy)
	longest := 0.0
	first := 0.0
	for i, t := range distributions {
		switch {
		case errors[i] > 0.26:
			first = 0
		case first == 0:
			first = t
		}
		if first > 0 {
			longest = max(longest, t/first)
		}
	}
	return a.showDerived("factor of T with B/J <= 1.26, "+toy, longest)
}

// barrierShares returns which shares of probability the barrier and the dominant mode have in the
// distribution that is proportional to exp(beta g). The barrier is the row and the column in the
// middle of the 7 by 7 states, and the mode the quadrant at the upper right.
func barrierShares(a *Answers, beta float64) (wall, mode float64) {
	all := 0.0
	for state, g := range a.hidden("g") {
		weight := math.Exp(beta * g)
		row := state / 7
		column := state % 7
		all += weight
		switch {
		case row == 3 || column == 3:
			wall += weight
		case row < 3 && column > 3:
			mode += weight
		}
	}
	wall = a.showDerived(fmt.Sprintf("barrier at beta = %g", beta), wall/all)
	mode = a.showDerived(fmt.Sprintf("dominant mode at beta = %g", beta), mode/all)
	return wall, mode
}

// medianApart returns by how many standard errors the median log weight of forward chains on the
// real data is from those on simulated data, all shifted by the largest of their data set.
func medianApart(a *Answers, command int, t string) float64 {
	p := a.In(command)
	simulated := p.hidden("median_shifted", "direction=forward, data=simulated, T="+t)
	mean, sd := stat.MeanStdDev(simulated, nil)
	difference := p.hiddenNumber("median_shifted", "data=real, T="+t) - mean
	a.showDerived("nats between real and simulated, T = "+t, difference)
	return a.showDerived("in standard errors", difference/(sd*math.Sqrt(1+1/float64(len(simulated)))))
}

// printedMatches counts the nine printed J and B that come out where T = 100 and 1000 are taken for
// others; an empty name leaves them out.
func printedMatches(p *Part, hundred, thousand string) int {
	matches := 0
	for _, v := range []struct{ column, toy, at, printed string }{
		{"J", "easy", hundred, "0.13"}, {"J", "hard", hundred, "4.73"}, {"J", "barrier", hundred, "1.65"},
		{"J", "easy", thousand, "0.00518"}, {"B", "easy", thousand, "0.0705"},
		{"J", "hard", thousand, "1.840"}, {"B", "hard", thousand, "2.309"},
		{"J", "barrier", thousand, "1.085"}, {"B", "barrier", thousand, "1.184"},
	} {
		if v.at == "" {
			continue
		}
		for _, number := range p.hidden(v.column, "toy="+v.toy, "T="+v.at) {
			if rounds(number, v.printed) {
				matches++
			}
		}
	}
	return matches
}
