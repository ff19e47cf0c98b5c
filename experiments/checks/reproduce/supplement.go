package reproduce

import (
	"math"
)

// klAlong returns KL(start || end) and KL(end || start) of an annealing in one step, from the mean log weights of both directions.
func klAlong(p *Part) (forward, backward float64) {
	logZ := p.hidden("log_z_ratio")[0]
	return logZ - p.hidden("mean_log_w_forward")[0], p.hidden("mean_log_w_reverse")[0] - logZ
}

// supplementAlgorithms returns the tests of the claims of sections A and B, and of the proof in section C.
func supplementAlgorithms() tests {
	toys := []string{"toy=easy", "toy=hard", "toy=barrier"}
	return tests{
		"meta-1": func(a *Answers) bool { return holds(a.Part, 2, "mean_zhat", "mean_zhat_at_output") },
		"meta-2": func(a *Answers) bool {
			found := []string{"xi_of_traces", "size_biased", "run_only", "meta_only"}
			return All(holds(a.Part, 2, found...), holds(a.In(1), 2, found...))
		},
		"meta-3": func(a *Answers) bool {
			return All(forAll([]string{"mean_log_w_forward", "mean_log_w_reverse"}, func(column string) bool {
				sum := a.show(column+" of the steps", a.In(1).hidden(column)[0]+a.In(2).hidden(column)[0])
				return Near(a.Number(column), sum, rounding)
			}), holds(a.In(3), 2, "mean_zhat"))
		},
		"meta-5": func(a *Answers) bool {
			means, all := halves(a.Part, "gold_meta=1"), a.Numbers("J", "gold_meta=1")
			for _, column := range []string{"upper_half", "lower_half"} {
				ofTarget, ofGold := a.Numbers(column), a.In(1).Numbers(column)
				for i := range all {
					all[i] += ofTarget[i] + ofGold[i]
				}
			}
			return near(means, []float64{a.show("J and the four", all[0]), a.show("J and the four", all[1])})
		},
		"meta-6": func(a *Answers) bool {
			return forAll(toys, func(toy string) bool {
				return All(fall(append(a.Numbers("upper_half", toy), 0)...), fall(append(a.Numbers("lower_half", toy), 0)...))
			})
		},
	}
}

// supplementBias returns the tests of the claims of section D on the bias for chains.
func supplementBias() tests {
	return tests{
		"meta-7": func(a *Answers) bool {
			var steps []float64
			for i := 1; i <= 3; i++ {
				forward, _ := klAlong(a.In(i))
				steps = append(steps, forward)
			}
			ofTraces := a.Number("lower_half")
			a.show("sum from t = 1 to T - 1", steps[0]+steps[1])
			return Near(ofTraces, a.show("sum from t = 2 to T", steps[1]+steps[2]), rounding)
		},
		"meta-8": func(a *Answers) bool {
			var sums []float64
			logZ, forward := a.hidden("log_z_ratio"), a.hidden("mean_log_w_forward")
			for i := range logZ {
				sums = append(sums, a.show("sum", logZ[i]-forward[i]))
			}
			ratio := a.show("ratio of the last two", sums[1]/sums[2])
			return All(fall(sums...), 9 < ratio, ratio < 11)
		},
		"meta-9": func(a *Answers) bool {
			lower, upper := a.Number("lower_half"), a.Number("upper_half")
			forward, backward := klAlong(a.In(1))
			a.show("KL of the start from the posterior", forward)
			a.show("KL of the posterior from the start", backward)
			return All(Near(lower, forward, rounding), Near(upper, backward, rounding), forward > 1)
		},
		"meta-10": func(a *Answers) bool {
			return All(forAll([][2]string{{"mean_log_z_forward", "mean_log_w_forward"}, {"mean_log_z_conditional", "mean_log_w_reverse"}}, func(pair [2]string) bool {
				want := a.In(1).Number(pair[1], "toy=barrier")
				return All(Near(a.Number(pair[0]), want, rounding), within(a.Number("estimate_"+pair[0]), a.Number("standard_error_"+pair[0]), want))
			}), Near(a.Number("J"), a.In(1).Number("J", "toy=barrier"), rounding))
		},
		"meta-11": func(a *Answers) bool {
			found := []string{"xi_of_traces", "mean_below_J", "rises_with_meta"}
			unbalanced := a.In(2).Number("value", "finding=detailed_balance, beta=0.5")
			return All(holds(a.Part, 1, found...), holds(a.In(1), 1, found...), unbalanced > 0.01)
		},
	}
}

// supplementMore returns the tests of the claims of sections C, D and E that remain.
func supplementMore() tests {
	return tests{
		"meta-12": func(a *Answers) bool {
			var tests []bool
			for i, runs := range []float64{1e3, 1e4} {
				p := a.In(i)
				estimates, errors, means, sds := p.Numbers("estimate"), p.hidden("standard_error"), p.hidden("mean"), p.hidden("sd")
				for k := range means {
					tests = append(tests, within(estimates[k], sds[k]/math.Sqrt(runs), means[k]), math.Abs(errors[k]*math.Sqrt(runs)/sds[k]-1) < 0.2)
				}
			}
			return All(tests...)
		},
		"meta-13": func(a *Answers) bool {
			const posterior = 2.4185656865952545 // the mean number of clusters over all 15 partitions of the four points
			var tests []bool
			for _, algorithm := range []string{"algorithm=prior", "algorithm=optimal"} {
				of := func(column, rejuvenate string) float64 {
					return a.In(1).Number(column, "rejuvenate="+rejuvenate, algorithm, "particles=1, meta=100")
				}
				tests = append(tests, of("mean", "true") < of("mean", "false"), math.Abs(of("probe", "true")-posterior) < math.Abs(of("probe", "false")-posterior))
			}
			three := []string{"algorithm=prior", "particles=3"}
			moved := append([]string{"rejuvenate=true"}, three...)
			still := append([]string{"rejuvenate=false"}, three...)
			return All(append(tests, below(a.Number("mean", moved...), a.Number("standard_error_mean", moved...), a.Number("mean", still...), 0))...)
		},
		"meta-14": func(a *Answers) bool {
			var tests []bool
			for i, where := range []string{"study=bimodal", "study=mixture"} {
				p := a.In(i)
				means, lml, j := p.hidden("mean", where, "meta=1"), p.hidden("lml_error", where, "meta=1"), p.hidden("J", where, "meta=1")
				for k := range means {
					if !math.IsNaN(means[k]) {
						tests = append(tests, means[k] >= j[k] || Near(means[k], j[k], rounding), means[k] > math.Abs(lml[k]))
					}
				}
			}
			a.show("algorithms", float64(len(tests)/2))
			a.Numbers("lml_error", "algorithm=broad, particles=10, meta=100")
			a.Numbers("mean", "algorithm=broad, particles=10")
			return All(append(tests, len(tests) >= 2*16)...)
		},
		"meta-15": func(a *Answers) bool {
			return All(holds(a.Part, 2, "xi_of_traces"), holds(a.In(1), 2, "xi_of_traces"))
		},
		"meta-16": func(a *Answers) bool {
			var tests []bool
			for _, toy := range []string{"toy=easy", "toy=hard", "toy=barrier"} {
				p, t := a.Part, a.In(1)
				klQP, klPQ := t.Number("kl_q_p", toy), t.Number("kl_p_q", toy)
				tests = append(tests, Near(p.hidden("J", toy)[0], klQP+klPQ, rounding), near(p.Numbers("mean", toy), halves(p, toy)))
				ofQP, ofPQ, least := p.hidden("kl_q_p_upper", toy), p.hidden("kl_p_q_upper", toy), p.hidden("kl_q_p_lower", toy)
				for i := range ofQP {
					tests = append(tests, least[i] <= klQP, klQP <= ofQP[i], klPQ <= ofPQ[i])
				}
			}
			return All(tests...)
		},
	}
}
