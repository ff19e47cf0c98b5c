package reproduce

import "math"

// reliabilityBounds returns the tests of the claims on stochastic bounds, on their gap B, and on what was run (sections 2 and 3, appendices A and B).
func reliabilityBounds() tests {
	return tests{
		"bread-21": func(a *Answers) bool {
			most := 0.0
			for _, toy := range []string{"easy", "hard", "barrier"} {
				at := "toy=" + toy + ", T=1000"
				gap := a.hiddenNumber("mean_log_w_reverse", at) - a.hiddenNumber("mean_log_w_forward", at)
				chains := sumOf(a.In(1).hidden("forward", "toy="+toy)) + sumOf(a.In(1).hidden("reverse", "toy="+toy))
				most = max(most, math.Abs(gap-chains))
			}
			return a.show("largest difference", most) <= 1e-10
		},
		"bread-22": func(a *Answers) bool {
			below := lessEach(a.hidden("log_z_ratio"), a.hidden("mean_log_w_forward"))
			return a.show("least slack", leastOf(lessEach(below, a.hidden("kl_q_p")))) >= -1e-12
		},
		"bread-23": func(a *Answers) bool {
			above := lessEach(a.hidden("mean_log_w_reverse"), a.hidden("log_z_ratio"))
			return a.show("least slack", leastOf(lessEach(above, a.hidden("kl_p_q")))) >= -1e-12
		},
		"bread-24": func(a *Answers) bool {
			slack := math.Inf(1)
			for _, toy := range []string{"easy", "hard", "barrier"} {
				at := "toy=" + toy + ", T=100000"
				upper, lower := a.hiddenNumber("mean_log_w_reverse", at), a.hiddenNumber("mean_log_w_forward", at)
				minusLower := lessEach(a.hidden("mean_log_w_reverse", "toy="+toy), a.hidden("kl_p_q", "toy="+toy))
				minusUpper := lessEach(negative(a.hidden("mean_log_w_forward", "toy="+toy)), a.hidden("kl_q_p", "toy="+toy))
				slack = min(slack, leastOf(minusLower)-lower, leastOf(minusUpper)+upper)
			}
			return a.show("least slack", slack) >= 0
		},
		"bread-25": func(a *Answers) bool {
			a.Number("J", "toy=barrier, T=100")
			return a.show("least B - J", leastOf(lessEach(a.hidden("B"), a.hidden("J")))) > 1e-12
		},
		"bread-26": func(a *Answers) bool {
			return All(withinTail(a, "p_forward_above"),
				a.show("least of log R less mean", leastOf(lessEach(a.In(1).hidden("log_z_ratio"), a.In(1).hidden("mean_forward")))) >= 0)
		},
		"bread-27": func(a *Answers) bool {
			return All(withinTail(a, "p_reverse_below"),
				a.show("least of mean less log R", leastOf(lessEach(a.In(1).hidden("mean_reverse"), a.In(1).hidden("log_z_ratio")))) >= 0)
		},
		"bread-29": func(a *Answers) bool {
			at := "toy=ising:3x3:1, T=10"
			above, far := a.Number("p_forward_above", at, "b=0"), a.Number("p_forward_above", at, "b=3")
			variance := a.show("variance of w/R", 1/a.In(1).Number("ess_fraction", at)-1)
			return above < 0.05 && far > 1e-3 && variance > 100
		},
		"bread-31": func(a *Answers) bool {
			j := a.Number("jeffreys_t", "toy=easy, kind=final")
			lastMove := a.hiddenNumber("forward", "toy=easy, kind=stage, t=1000") + a.hiddenNumber("reverse", "toy=easy, kind=stage, t=1000")
			without := a.show("J without the last move", j+lastMove)
			before := a.hiddenNumber("jeffreys_t", "toy=easy, kind=stage, t=999") // where reverse chains have the law of the target, too
			return rounds(j, "0.00518") && !rounds(without, "0.00518") && Near(without, before, 1e-12)
		},
		"bread-32": func(a *Answers) bool {
			count := func(hundred, thousand string) int {
				n := printedMatches(a.Part, hundred, thousand)
				a.show("of 9 printed numbers with T = "+hundred+" and "+thousand, float64(n))
				return n
			}
			return All(count("100", "1000") == 9, count("99", "999") < 9, count("101", "1001") < 9, count("102", "1002") < 9)
		},
		"bread-33": func(a *Answers) bool {
			others := 0
			for i, name := range []string{"eight neighbours", "arithmetic path", "sigmoid schedule"} {
				others = max(others, int(a.show("of 6 printed numbers with "+name, float64(printedMatches(a.In(i+1), "", "1000")))))
			}
			return a.show("of 9 printed numbers", float64(printedMatches(a.Part, "100", "1000"))) == 9 && others < 6
		},
		"bread-34": func(a *Answers) bool {
			falls := true
			for _, toy := range []string{"easy", "hard", "barrier"} {
				logR := a.hidden("log_z_ratio", "toy="+toy)
				falls = falls && fall(lessEach(logR, a.hidden("mean_log_w_forward", "toy="+toy))...) && fall(lessEach(a.hidden("mean_log_w_reverse", "toy="+toy), logR)...)
			}
			tenfold := a.show("B at T = 10,000 over B at T = 100,000, easy", a.Number("B", "toy=easy, T=10000")/a.Number("B", "toy=easy, T=100000"))
			return falls && math.Abs(tenfold-10) < 0.5
		},
		"bread-35": func(a *Answers) bool {
			p := a.Part
			holds := true
			for _, toy := range []string{"easy", "hard", "barrier"} {
				forward, reverse := p.hidden("forward", "toy="+toy, "kind=stage"), p.hidden("reverse", "toy="+toy, "kind=stage")
				at := "toy=" + toy + ", T=1000"
				gap := a.In(1).hiddenNumber("B", at) - a.In(1).hiddenNumber("J", at)
				holds = holds && min(leastOf(forward), leastOf(reverse)) >= -1e-14 && Near(a.show("sum over stages, "+toy, sumOf(forward)+sumOf(reverse)), gap, 1e-10)
			}
			return holds
		},
		"bread-36": func(a *Answers) bool {
			gap := func(k string) float64 {
				return a.show("gap for K = "+k, a.hiddenNumber("forward_below", "K="+k)+a.hiddenNumber("reverse_above", "K="+k))
			}
			j := a.In(1).Number("J", "toy=barrier, T=100")
			return All(gap("1") >= j, gap("10") < j, gap("100") < j)
		},
	}
}

// withinTail reports whether each probability of a column of tails is below exp(-b), with the error bound of the law.
func withinTail(a *Answers, column string) bool {
	above := lessEach(a.hidden(column), lessEach(a.hidden("bound"), a.hidden("error_bound")))
	a.Number(column, "toy=barrier, T=100, b=1")
	return a.show("largest of probability less exp(-b)", mostOf(above)) < 0
}
