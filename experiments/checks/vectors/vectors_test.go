package vectors

import (
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/diagnostics"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/chains/schedules"
	"breadboard/exact/certified"
	"breadboard/experiments/annealing/ais"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
)

// routines returns the routines that are tested: without -long not those that take seconds.
func routines() []*Routine {
	return slices.DeleteFunc(slices.Clone(All()), func(r *Routine) bool {
		slow := slices.Contains(
			[]string{"rhat_rank", "ess", "ess_split", "ess_bulk", "ess_tail", "mcse_mean", "bar"},
			r.Name,
		)
		return slow && !longtest.Enabled()
	})
}

// TestCases: names are unique, each case has all inputs, and a routine has 15 to 40 cases.
func TestCases(t *testing.T) {
	names := map[string]bool{}
	for _, r := range All() {
		seen := map[string]bool{}
		for _, c := range r.cases {
			if seen[c.name] || len(c.in) != len(r.Inputs) {
				t.Errorf("%s, %s: the name is taken, or %d inputs", r.Name, c.name, len(c.in))
			}
			seen[c.name] = true
		}
		if names[r.Name] || len(r.cases) < 15 || len(r.cases) > 40 {
			t.Errorf("%s: there is another one, or it has %d cases", r.Name, len(r.cases))
		}
		names[r.Name] = true
	}
}

// TestSumsOfCorrelationsEnd: no effective sample size depends on where the search for the last pair
// ends, which differs between packages.
func TestSumsOfCorrelationsEnd(t *testing.T) {
	for i, c := range mixed() {
		if i%4 != 0 && !longtest.Enabled() {
			continue
		}
		d := c.in.matrix(0)
		for name, d := range map[string][][]num{"whole": d, "halves": halves(d), "ranks": ranked(halves(d)),
			"5%": halves(below(d, 1)), "95%": halves(below(d, 19))} {
			if n := len(d[0]); !constant(d) &&
				compare(time(n, correlations(d)), time(n-2, correlations(d))) != 0 {
				t.Errorf("%s, %s: the sum of %d correlations goes to the end", c.name, name, n)
			}
		}
	}
}

// TestDigits: the 30 digits in files are the same with twice the bits, so that no rounding reaches
// them. The normal quantile, which has no other route, is that of tables.
func TestDigits(t *testing.T) {
	longtest.Only(t)
	if z := normalQuantile(exactNumber(975).over(exactNumber(1000))).String(); z !=
		"1.95996398454005423552459443052" {
		t.Errorf("the normal quantile of 0.975 is %s", z)
	}
	of := func() (all []string) {
		for _, r := range All() {
			for _, c := range r.cases {
				all = append(all, r.Name+" "+c.name+" "+string(valueJSON(r.define(c.in), r.Output, digits)))
			}
		}
		return all
	}
	few := of()
	defer func(b uint, f certified.Functions) {
		bits = b
		functions = f
	}(bits, functions)
	bits, functions = 448, certified.NewFunctions(448)
	for i, more := range of() {
		if more != few[i] {
			t.Errorf("%s, and with more bits %s", few[i], more)
		}
	}
}

// diagnosed has a diagnostic of chains, NaN if it is undefined.
func diagnosed(f func(diagnostics.Draws) (float64, error)) func(in inputs) []float64 {
	return func(in inputs) []float64 {
		v, err := f(diagnostics.Draws(in[0]))
		if err != nil {
			panic(err)
		}
		return []float64{v}
	}
}

// byOrder is diagnosed for a diagnostic that needs the order of the draws.
func byOrder(find func(*diagnostics.Ordered) float64) func(in inputs) []float64 {
	return diagnosed(func(d diagnostics.Draws) (float64, error) {
		order, err := diagnostics.Order(d)
		if err != nil {
			return 0, err
		}
		return find(order), nil
	})
}

// walked returns the log probability of each path of a hidden Markov model, with the path.
func walked(in inputs, each func(path []int, log float64)) {
	var step func(path []int, log float64)
	step = func(path []int, log float64) {
		t := len(path)
		if t == len(in[2]) {
			each(path, log)
			return
		}
		for x, p := range in.list(0) {
			if t > 0 {
				p = in[1][path[t-1]][x]
			}
			step(append(path[:t:t], x), log+number.Log(p)+number.Log(in[2][t][x]))
		}
	}
	step(nil, 0)
}

// smoothed returns the probabilities of the states at each time given the observations until the
// time that a function says.
func smoothed(in inputs, until func(t int) int) (out []float64) {
	for t := range in[2] {
		cut := newInputs(in[0], in[1], in[2][:until(t)])
		logs := make([][]float64, len(in.list(0)))
		all := []float64(nil)
		walked(cut, func(path []int, log float64) {
			logs[path[t]] = append(logs[path[t]], log)
			all = append(all, log)
		})
		for _, l := range logs {
			out = append(out, math.Exp(number.LogSumExp(l)-number.LogSumExp(all)))
		}
	}
	return out
}

func hidden(in inputs) *particle.HMM {
	h := &particle.HMM{Pi: in.list(0), A: in[1], E: transposed(in[2])}
	for t := range in[2] {
		h.Y = append(h.Y, t)
	}
	return h
}

// counted returns how many points fall into each interval of the cumulative weights.
func counted(w []float64, points []float64) []float64 {
	out := make([]float64, len(w))
	for _, u := range points {
		j := 0
		for sum := w[0]; u >= sum; sum += w[j] {
			j++
		}
		out[j]++
	}
	return out
}

// slots returns the variances of the numbers of offspring by the distributions of the slots.
func slots(s particle.Independent) func(in inputs) []float64 {
	return func(in inputs) []float64 {
		out := make([]float64, len(in.list(0)))
		for _, row := range s.Slots(in.list(0)) {
			for j, p := range row {
				out[j] += p * (1 - p)
			}
		}
		return out
	}
}

func list(v ...float64) [][]float64 { return [][]float64{v} }

func over(w []float64, by float64) []float64 {
	return mapped(w, func(v float64) float64 { return v / by })
}

// references are the second routes: our packages in float64, or another algorithm.
func references() map[string]func(in inputs) []float64 {
	one := func(v float64) []float64 { return []float64{v} }
	weights := func(in inputs) []float64 {
		return mapped(in.list(0), func(v float64) float64 { return math.Exp(v - number.LogSumExp(in.list(0))) })
	}
	ratio := func(in inputs) float64 { return in.number(1) - in.number(0) + in.number(3) - in.number(2) }
	sum := func(n int, f func(i int) float64) float64 {
		var s number.Sum
		for i := range n {
			s.Add(f(i))
		}
		return s.Value()
	}
	kl := func(p, q []float64) float64 {
		return sum(len(p), func(i int) float64 {
			if p[i] == 0 {
				return 0
			}
			return p[i] * number.LogRatio(p[i], q[i])
		})
	}
	logW := func(in inputs, path []float64) []float64 {
		return one(sum(len(path)-1, func(t int) float64 {
			x := int(path[t])
			f := func(b float64) float64 { return (1-b)*in.list(0)[x] + b*in.list(1)[x] }
			return f(in.list(2)[t+1]) - f(in.list(2)[t])
		}))
	}
	betas := func(f func(t, T int, x float64) float64) func(in inputs) []float64 {
		return func(in inputs) (out []float64) {
			for t := 1; t <= in.wholeInput(0); t++ {
				out = append(out, f(t, in.wholeInput(0), in.number(1)))
			}
			return out
		}
	}
	sign := func(v float64) float64 { return float64(compare(exactNumber(v), exactNumber(0))) }
	tau := func(x, y []float64) float64 {
		pairs := func(a, b []float64) float64 {
			return sum(len(a)*len(a), func(k int) float64 {
				i, j := k/len(a), k%len(a)
				return sign(a[i]-a[j]) * sign(b[i]-b[j])
			})
		}
		return pairs(x, y) / math.Sqrt(pairs(x, x)*pairs(y, y))
	}
	live := func(in inputs, i int) float64 {
		return float64(i) * estimators.VolumeExp.LogKept(len(in.list(1)), 1)
	}
	strata := func(in inputs, u func(i int) float64) []float64 {
		points := make([]float64, len(in.list(0)))
		for i := range points {
			points[i] = min(1-0x1p-53, (float64(i)+u(i))/float64(len(points)))
		}
		return counted(in.list(0), points)
	}
	return map[string]func(in inputs) []float64{
		"log_sum_exp":        func(in inputs) []float64 { return one(number.LogSumExp(in.list(0))) },
		"log_mean_exp":       func(in inputs) []float64 { return one(number.LogMean(in.list(0))) },
		"normalised_weights": weights,
		"ess_weights": func(in inputs) []float64 {
			return one(math.Exp(2*number.LogSumExp(in.list(0)) - number.LogSumExp(over(in.list(0), 0.5))))
		},
		"autocorrelation": func(in inputs) []float64 {
			c := diagnostics.Autocovariances(in.list(0))
			return over(c, c[0])
		},
		"rhat": diagnosed(diagnostics.RHat), "rhat_split": diagnosed(diagnostics.RHatSplit),
		"rhat_rank": byOrder((*diagnostics.Ordered).RHatRank),
		"ess":       diagnosed(diagnostics.ESS), "ess_split": diagnosed(diagnostics.ESSMean),
		"ess_bulk":          byOrder((*diagnostics.Ordered).ESSBulk),
		"ess_tail":          byOrder((*diagnostics.Ordered).ESSTail),
		"mcse_mean":         diagnosed(diagnostics.MCSEMean),
		"accept_metropolis": func(in inputs) []float64 { return one(math.Exp(min(0, ratio(in)))) },
		"accept_barker": func(in inputs) []float64 {
			return one(math.Exp(-number.LogPlus(0, -ratio(in))))
		},
		"heat_bath": func(in inputs) []float64 {
			return weights(newInputs(list(mapped(in.list(0), func(v float64) float64 { return v * in.number(1) })...)))
		},
		"accept_swap": func(in inputs) []float64 {
			return one(math.Exp(min(0, (in.number(0)-in.number(1))*(in.number(3)-in.number(2)))))
		},
		"hmm_filter": func(in inputs) []float64 {
			laws, _ := hidden(in).Forward()
			return slices.Concat(laws...)
		},
		"hmm_smoother": func(in inputs) []float64 {
			return smoothed(in, func(int) int { return len(in[2]) })
		},
		"hmm_log_likelihood": func(in inputs) []float64 { _, z := hidden(in).Forward(); return one(z) },
		"hmm_viterbi": func(in inputs) []float64 {
			best := []int(nil)
			most := math.Inf(-1)
			if len(in[2]) > 8 { // no best path has a rival: it stays if likelihoods change by 1e-6
				h := hmmOf(in)
				for t, row := range h.seen {
					h.seen[t] = times(
						row,
						nums([]float64{1, 1 + 1e-6*float64(t%5), 1 - 1e-6*float64(t%3), 1}[:len(row)]),
					)
				}
				best, _ = h.likeliest()
				return mapped(best, func(x int) float64 { return float64(x) })
			}
			walked(in, func(path []int, log float64) {
				if log > most {
					best = path
					most = log
				}
			})
			return mapped(best, func(x int) float64 { return float64(x) })
		},
		"resample_multinomial": func(in inputs) []float64 { return counted(in.list(0), in.list(1)) },
		"resample_stratified": func(in inputs) []float64 {
			return strata(in, func(i int) float64 { return in.list(1)[i] })
		},
		"resample_systematic": func(in inputs) []float64 {
			return strata(in, func(int) float64 { return in.number(1) })
		},
		"resample_residual": func(in inputs) []float64 {
			out := make([]float64, len(in.list(0)))
			rest := make([]float64, len(in.list(0)))
			left := 0.0
			for j, w := range in.list(0) {
				out[j], rest[j] = math.Modf(w * float64(len(rest)))
				left += rest[j]
			}
			for j, n := range counted(append(over(rest, max(1, left)), 1), in.list(1)[:int(left)]) {
				if j < len(out) {
					out[j] += n
				}
			}
			return out
		},
		"variance_multinomial": func(in inputs) []float64 {
			return mapped(in.list(0), func(w float64) float64 { return float64(len(in.list(0))) * w * (1 - w) })
		},
		"variance_stratified": slots(particle.Stratified{}), "variance_residual": slots(particle.Residual{}),
		"variance_systematic": func(in inputs) []float64 {
			// over a fine grid of uniform numbers, on which all sums are exact
			n := 64
			first := make([]float64, len(in.list(0)))
			second := make([]float64, len(in.list(0)))
			for k := range n {
				for j, c := range strata(in, func(int) float64 { return (float64(k) + 0.5) / float64(n) }) {
					first[j], second[j] = first[j]+c/float64(n), second[j]+c*c/float64(n)
				}
			}
			for j, v := range first {
				second[j] -= v * v
			}
			return second
		},
		"ais_log_weight":         func(in inputs) []float64 { return logW(in, in.list(3)) },
		"ais_log_weight_reverse": func(in inputs) []float64 { return logW(in, reversed(in.list(3))) },
		"schedule_sigmoid":       betas(func(t, T int, x float64) float64 { return schedules.Sigmoid{Delta: x}.Beta(t, T) }),
		"schedule_geometric":     betas(func(t, T int, x float64) float64 { return schedules.Spaced{First: x}.Beta(t, T) }),
		"schedule_power":         betas(func(t, T int, x float64) float64 { return schedules.Power{P: x}.Beta(t, T) }),
		"bar": func(in inputs) []float64 {
			return one(ais.BAR(in.list(0), in.list(1)).Value)
		},
		"kl": func(in inputs) []float64 { return one(kl(in.list(0), in.list(1))) },
		"j": func(in inputs) []float64 {
			return one(kl(in.list(0), in.list(1)) + kl(in.list(1), in.list(0)))
		},
		"tv": func(in inputs) []float64 {
			return one(sum(len(in.list(0)), func(i int) float64 { return max(0, in.list(0)[i]-in.list(1)[i]) }))
		},
		"entropy": func(in inputs) []float64 {
			return one(-kl(in.list(0), mapped(in.list(0), func(float64) float64 { return 1 })))
		},
		"sbc_rank": func(in inputs) []float64 {
			places := []float64{}
			for rank := range len(in.list(0)) + 1 { // the ranks at which the sorted draws let the value stand
				s := slices.Sorted(slices.Values(in.list(0)))
				if (rank == 0 || s[rank-1] <= in.number(1)) && (rank == len(s) || s[rank] >= in.number(1)) {
					places = append(places, float64(rank))
				}
			}
			return one(places[int(in.number(2)*float64(len(places)))])
		},
		"kendall_tau": func(in inputs) []float64 { return one(tau(in.list(0), in.list(1))) },
		"kendall_p": func(in inputs) []float64 {
			y := slices.Sorted(slices.Values(in.list(1)))
			far := 0.
			all := 0.
			x := slices.Sorted(slices.Values(in.list(0)))
			var order func(k int)
			order = func(k int) {
				if k == len(y) {
					all++
					if math.Abs(tau(x, y)) >= math.Abs(tau(in.list(0), in.list(1)))-1e-9 {
						far++
					}
				}
				for i := k; i < len(y); i++ {
					y[k], y[i] = y[i], y[k]
					order(k + 1)
					y[k], y[i] = y[i], y[k]
				}
			}
			order(0)
			return one(far / all)
		},
		"nested_log_z": func(in inputs) []float64 {
			var logs []float64
			for i, v := range in.list(0) {
				logs = append(logs, v+live(in, i)+number.Log(-math.Expm1(live(in, 1))))
			}
			return one(number.LogPlus(number.LogSumExp(logs), live(in, len(in.list(0)))+number.LogMean(in.list(1))))
		},
		"nested_log_volumes": func(in inputs) (out []float64) {
			for i := range in.wholeInput(1) {
				step := estimators.VolumeExp.LogKept(in.wholeInput(0), 1)
				out = append(out, float64(i)*step+number.Log(-math.Expm1(step)))
			}
			return out
		},
	}
}

// TestAnswersByAnotherRoute: the answers are those of the references.
func TestAnswersByAnotherRoute(t *testing.T) {
	t.Parallel()
	all := references()
	for i, r := range All() {
		if i%3 != 0 && !longtest.Enabled() {
			continue
		}
		f := all[r.Name]
		compared := 0
		for _, c := range r.cases {
			answer := slices.Concat(r.define(c.in)...)
			slow := r.Output != Number && strings.HasPrefix(r.Name, "hmm_") && len(c.in[2]) > 7 &&
				r.Name == "hmm_smoother" || r.Name == "kendall_p" && len(c.in.list(0)) > 6
			undefined := slices.ContainsFunc(answer, func(v num) bool { return v.v == nil })
			if f == nil || slow || undefined && strings.HasPrefix(r.Name, "hmm_") {
				continue
			}
			compared++
			if off := largestError(aList(nums(f(c.in))), aList(answer), r.scale(c.in)); off >
				max(r.Tolerance, 0x1p-1022) {
				t.Errorf("%s, %s: %v, and by another route %v", r.Name, c.name, answer, f(c.in))
			}
		}
		if compared < 8 {
			t.Errorf("%s: %d cases are compared", r.Name, compared)
		}
	}
}

// TestVerdicts: right answers pass, missing ones leave a routine open, and a wrong one is named
// with its error.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, r := range routines() {
		answer := func(wrong string, most int) Finding {
			answers := map[string]Given{}
			for _, c := range r.AnsweredCases()[:most] {
				answers[c.ID] = longtest.Must(readAnswer(valueJSON(c.Answer, r.Output, 20)))(t)
			}
			if wrong != "" {
				answers[r.AnsweredCases()[0].ID] = longtest.Must(readAnswer([]byte(wrong)))(t)
			}
			return r.judgeAnswers(answers)
		}
		if f := answer("", len(r.cases)); f.Verdict != check.Pass || f.Wrong != 0 {
			t.Errorf("%s: right answers are judged %+v", r.Name, f)
		}
		if f := answer("", 2); f.Verdict != check.Open {
			t.Errorf("%s: two right answers are judged %+v", r.Name, f)
		}
		says := "1 of 3 answers are wrong: " + r.cases[0].name + "; " + r.cases[0].name
		if f := answer("[[17, 4]]", 3); f.Verdict != check.Fault || f.Wrong != 1 ||
			!strings.HasPrefix(f.Where, says) {
			t.Errorf("%s: one wrong answer of three is judged %+v", r.Name, f)
		}
	}
	answers := longtest.Must(ReadAnswers([]byte(`{"tv": {"two": 0.250001}}`)))(t)
	found := longtest.Must(Judge(t.Context(), answers, func(int) {}))(t)[0]
	if !strings.HasSuffix(found.Where, " is 0.250001, and not 0.25; the error is 1e-06, and the tolerance 1e-11") {
		t.Errorf("an answer that is off by 1e-6 is judged %+v", found)
	}
}

// TestAnswersAsPeopleWriteThem: a failure is right if there is no answer, and what cannot be an
// answer is refused by name.
func TestAnswersAsPeopleWriteThem(t *testing.T) {
	for text, wrong := range map[string]int{
		`{"log_sum_exp": {"all-zero": -Infinity, "one": 0}}`: 0,
		`{"log_sum_exp": {"all-zero": NaN, "one": null}}`:    2, `{"log_sum_exp": {"one": [0]}}`: 0,
		`{"ess_weights": {"all-zero": "error: no weight"}}`: 0,
		`{"ess_weights": {"one": "error: no weight"}}`:      1, `{"normalised_weights": {"one": [1, 2]}}`: 1,
		`{"rhat": {"constant-apart": "error: division by zero"}}`: 1,
		`{"hmm_filter": {"one-state": [[1], [1], [1]]}}`:          0,
		`{"hmm_filter": {"one-state": [1, 1, 1]}}`:                1,
	} {
		answers := longtest.Must(ReadAnswers([]byte(text)))(t)
		if found := longtest.Must(Judge(t.Context(), answers, func(int) {}))(t); len(found) != 1 ||
			found[0].Wrong != wrong {
			t.Errorf("%s: %+v", text, found)
		}
	}
	for text, want := range map[string]string{
		`[1]`: "the text is not an object", `{}`: "there are no answers", `{"rhats": {}}`: "did you mean rhat?",
		`{"rhat": {"fuor": 1}}`:            "did you mean four?",
		`{"rhat": {"four": 1, "four": 2}}`: `"four" stands twice`,
		`{"rhat": {"four": true}}`:         "true is not a number", `{"rhat": {"four": 1}} 2`: "more behind",
		`{"rhat": {"four": {"a": 1}}}`: "is not a number", `{"rhat": {"four": 1}`: "EOF",
		`{"hmm_filter": {"rain": [[1], 2]}}`: "cannot unmarshal",
	} {
		longtest.Refuses(ReadAnswers([]byte(text)))(t, want, text)
	}
}
