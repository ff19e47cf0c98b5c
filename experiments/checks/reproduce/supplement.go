package reproduce

import (
	"math"
	"slices"
)

// supplement returns the claims of the supplementary material of Cusumano-Towner and Mansinghka 2017.
func supplement() []Claim {
	return slices.Concat(supplementAlgorithms(), supplementBias(), supplementMore())
}

// Commands whose tables several claims read. In the steps from p0, which is uniform, by p1 to p2, and on to p3, the four are distributions on
// three states, and the kernel draws from each.
const (
	stepTo1     = "tightness --toy file:inputs/p1.csv -T 2"
	stepTo2     = "tightness --toy file:inputs/p2.csv --initial file:inputs/p1.csv -T 2"
	stepTo3     = "tightness --toy file:inputs/p3.csv --initial file:inputs/p2.csv -T 2"
	bothSteps   = "tightness --toy file:inputs/p2.csv --path via:inputs/p1.csv -T 3 --kernel heatbath-axis:0"
	aideOfSteps = "aide --toy file:inputs/p2.csv --path via:inputs/p1.csv -T 3 --kernel heatbath-axis:0 --meta 1"
	aideOfTwo   = "aide --gold sir:10 --toy easy -T 100 --meta 1,10"
)

// klAlong returns KL(start || end) and KL(end || start) of an annealing in one step, from the mean log weights of both directions.
func klAlong(p *Part) (forward, backward float64) {
	logZ := p.Hidden("log_z_ratio")[0]
	return logZ - p.Hidden("mean_log_w_forward")[0], p.Hidden("mean_log_w_reverse")[0] - logZ
}

// supplementAlgorithms returns the claims of sections A and B, and of the proof in section C.
func supplementAlgorithms() []Claim {
	toys := []string{"toy=easy", "toy=hard", "toy=barrier"}
	return []Claim{
		{ID: "meta-1", Place: "Sec. A, Eq. 2", Kind: Theorem, Verdict: AsPrinted,
			Says:     "The product over the steps of the particles' average weights is an estimate of the marginal likelihood; its mean is the marginal likelihood.",
			Commands: []string{checkOfSMC}, Holds: func(a *Answers) bool { return holds(a.In(0), 2, "mean_zhat", "mean_zhat_at_output") },
			Why: "The mean is taken over all histories of two particles on two and on three states, at every output."},
		{ID: "meta-2", Place: "Sec. A, Eqs. 3 and 4", Kind: Theorem, Verdict: AsPrinted,
			Says:     "The probability of a trace and its output in runs, over that in meta-inference, is the joint density of the output over the estimate of the marginal likelihood.",
			Commands: []string{checkOfSMC, "selfcheck aide smc:2:systematic"},
			Holds: func(a *Answers) bool {
				found := []string{"xi_of_traces", "size_biased", "run_only", "meta_only"}
				return All(holds(a.In(0), 2, found...), holds(a.In(1), 2, found...))
			},
			Why: "It is so on every trace, and for systematic resampling too, where conditional runs draw the resampled particles with their own among them."},
		{ID: "meta-3", Place: "Sec. B, Eq. 5", Kind: Theorem, Verdict: AsPrinted,
			Says:     "For annealed importance sampling the estimate is the product over the steps of the ratio of the next density to the last one, at the state before the move to the next.",
			Commands: []string{bothSteps, stepTo1, stepTo2, checkOfAIS},
			Holds: func(a *Answers) bool {
				return All(forAll([]string{"mean_log_w_forward", "mean_log_w_reverse"}, func(column string) bool {
					sum := a.Show(column+" of the steps", a.In(1).Hidden(column)[0]+a.In(2).Hidden(column)[0])
					return Near(a.Number(column), sum, rounding)
				}), holds(a.In(3), 2, "mean_zhat"))
			},
			Why: "With kernels that draw from each distribution, the mean log weight of two steps is the sum of those of each step alone, in runs and in reverse."},
		{ID: "meta-4", Place: "Sec. B, Algorithm 4", Kind: Protocol, Verdict: AsPrinted,
			Says:     "Between a variational approximation and annealed importance sampling AIDE is a difference of two averages, one over forward runs and one over draws from the approximation with a reverse run each.",
			Commands: []string{"aide --target meanfield --gold ais --toy easy,barrier -T 100 --meta 1 --runs 1e4"},
			Holds: func(a *Answers) bool {
				means, j := a.Numbers("mean"), a.Numbers("J")
				return All(Pairs(means, j, func(m, j float64) bool { return m >= j }), agree(a.Numbers("z")),
					Every(a.In(0).Hidden("upper_half"), func(v float64) bool { return v == 0 }))
			},
			Why: "Ten thousand runs of the algorithm agree with its exact mean, which bounds the divergence."},
		{ID: "meta-5", Place: "Sec. C, Theorem 1, Eqs. 25, 26 and 39", Kind: Theorem, Verdict: AsPrinted,
			Says:     "The mean exceeds the divergence by two divergences for each algorithm: of meta-inference from the traces of its own outputs, and for outputs of the other.",
			Commands: []string{aideOfTwo, "aide --target sir:10 --gold ais --toy easy -T 100 --meta 1 --gold-meta 1,10"},
			Holds: func(a *Answers) bool {
				means, all := halves(a.In(0), "gold_meta=1"), a.Numbers("J", "gold_meta=1")
				for _, column := range []string{"upper_half", "lower_half"} {
					ofTarget, ofGold := a.Numbers(column), a.In(1).Numbers(column)
					for i := range all {
						all[i] += ofTarget[i] + ofGold[i]
					}
				}
				return near(means, []float64{a.Show("J and the four", all[0]), a.Show("J and the four", all[1])})
			},
			Why: "Annealing is compared with ten particles of importance resampling, for 1 and 10 runs of meta-inference of the former. Each algorithm's two divergences are read where it is the target."},
		{ID: "meta-6", Place: "Sec. C, Eqs. 28 to 36", Kind: Theorem, Verdict: AsPrinted,
			Says: "Each of these divergences falls as meta-inference is run more often.", Commands: []string{aideOfAIS},
			Holds: func(a *Answers) bool {
				return forAll(toys, func(toy string) bool {
					return All(Fall(append(a.Numbers("upper_half", toy), 0)...), Fall(append(a.Numbers("lower_half", toy), 0)...))
				})
			},
			Why: "Tested with 1, 10 and 100 runs."},
	}
}

// supplementBias returns the claims of section D on the bias for chains.
func supplementBias() []Claim {
	return []Claim{
		{ID: "meta-7", Place: "Sec. D, Eq. 46", Kind: Theorem, Verdict: PrintedWrongly,
			Says:    "Where each kernel draws from its distribution, the error of meta-inference is the sum of the divergences of each distribution from the next, from t = 2 to T.",
			Printed: "t = 2 to T", Commands: []string{aideOfSteps, stepTo1, stepTo2, stepTo3},
			Holds: func(a *Answers) bool {
				var steps []float64
				for i := 1; i <= 3; i++ {
					forward, _ := klAlong(a.In(i))
					steps = append(steps, forward)
				}
				ofTraces := a.Number("lower_half")
				a.Show("sum from t = 1 to T - 1", steps[0]+steps[1])
				return Near(ofTraces, a.Show("sum from t = 2 to T", steps[1]+steps[2]), rounding)
			},
			Why: "The sum runs from t = 1 to T - 1: the first state comes from the initial distribution, which the printed range leaves out although the next line defines it, and the last state is given. With T = 3 the printed range gives 0.1220 for 0.1378."},
		{ID: "meta-8", Place: "Sec. D", Kind: Shape, Verdict: AsPrinted,
			Says:     "That sum goes to zero as the sequence of distributions becomes finer.",
			Commands: []string{"tightness --toy random:2:0:1x49 --kernel heatbath-axis:1 -T 10,100,1000"},
			Holds: func(a *Answers) bool {
				var sums []float64
				logZ, forward := a.In(0).Hidden("log_z_ratio"), a.In(0).Hidden("mean_log_w_forward")
				for i := range logZ {
					sums = append(sums, a.Show("sum", logZ[i]-forward[i]))
				}
				ratio := a.Show("ratio of the last two", sums[1]/sums[2])
				return All(Fall(sums...), 9 < ratio, ratio < 11)
			},
			Why: "It falls like 1/T, on a line of 49 states where the kernel draws from each distribution."},
		{ID: "meta-9", Place: "Sec. D", Kind: Theorem, Verdict: AsPrinted,
			Says:     "Without annealing the error of meta-inference is the divergence of the start from the posterior, which is large.",
			Commands: []string{"aide --target mh:1 --toy random:2:0:1x49 --kernel heatbath-axis:1 -T 2 --meta 1", "tightness --toy random:2:0:1x49 -T 2"},
			Holds: func(a *Answers) bool {
				lower, upper := a.Number("lower_half"), a.Number("upper_half")
				forward, backward := klAlong(a.In(1))
				a.Show("KL of the start from the posterior", forward)
				a.Show("KL of the posterior from the start", backward)
				return All(Near(lower, forward, rounding), Near(upper, backward, rounding), forward > 1)
			},
			Why: "One move from the uniform distribution that draws from the posterior leaves this error, though its output is exact."},
		{ID: "meta-10", Place: "Sec. A", Kind: Theorem, Verdict: AsPrinted,
			Says:     "With one particle, reversible kernels and the kernels themselves as backward kernels, sequential Monte Carlo is annealed importance sampling.",
			Commands: []string{"smc --toy barrier -T 100 --particles 1 --chains 1e4", aisTightness},
			Holds: func(a *Answers) bool {
				return All(forAll([][2]string{{"mean_log_z_forward", "mean_log_w_forward"}, {"mean_log_z_conditional", "mean_log_w_reverse"}}, func(pair [2]string) bool {
					want := a.In(1).Number(pair[1], "toy=barrier")
					return All(Near(a.Number(pair[0]), want, rounding), within(a.Number("estimate_"+pair[0]), a.Number("standard_error_"+pair[0]), want))
				}), Near(a.Number("J"), a.In(1).Number("J", "toy=barrier"), rounding))
			},
			Why: "Ten thousand simulated runs of one particle, and as many conditional ones, have the mean log weights of annealing forward and in reverse."},
		{ID: "meta-11", Place: "Sec. A, footnote 1", Kind: Theorem, Verdict: AsPrinted,
			Says:     "A kernel need not be reversible if the backward kernel is its reversal.",
			Commands: []string{checkOfAIS + " --toy random:1:0:3 --kernel suwa-todo", checkOfSMC + " --toy random:1:0:3 --kernel suwa-todo", "kernel check suwa-todo --toy random:1:0:3"},
			Holds: func(a *Answers) bool {
				found := []string{"xi_of_traces", "mean_below_J", "rises_with_meta"}
				unbalanced := a.In(2).Number("value", "finding=detailed_balance", "beta=0.5")
				return All(holds(a.In(0), 1, found...), holds(a.In(1), 1, found...), unbalanced > 0.01)
			},
			Why: "The identities hold on three states for the kernel of Suwa and Todo, which is off detailed balance by 0.08 under the distribution in the middle. With two states to an axis it would be reversible."},
	}
}

// supplementMore returns the claims of sections C, D and E that remain.
func supplementMore() []Claim {
	return []Claim{
		{ID: "meta-12", Place: "Sec. C, Eqs. 37 and 38", Kind: Theorem, Verdict: AsPrinted,
			Says:     "The numbers of runs of both algorithms do not change the mean of AIDE.",
			Commands: []string{"aide --toy barrier:3x3 -T 10 --runs 1e3", "aide --toy barrier:3x3 -T 10 --runs 1e4"},
			Holds: func(a *Answers) bool {
				var tests []bool
				for i, runs := range []float64{1e3, 1e4} {
					p := a.In(i)
					estimates, errors, means, sds := p.Numbers("estimate"), p.Hidden("standard_error"), p.Hidden("mean"), p.Hidden("sd")
					for k := range means {
						tests = append(tests, within(estimates[k], sds[k]/math.Sqrt(runs), means[k]), math.Abs(errors[k]*math.Sqrt(runs)/sds[k]-1) < 0.2)
					}
				}
				return All(tests...)
			},
			Why: "Estimates from a thousand and from ten thousand runs of either algorithm have the same exact mean, with 1, 10 and 100 runs of meta-inference; only their spread falls."},
		{ID: "meta-13", Place: "Sec. E, Fig. 1(b) and (c)", Kind: Shape, Verdict: SameInKind, InKind: true,
			Says:     "AIDE and the mean number of clusters both show that rejuvenation matters for fast convergence.",
			Commands: []string{studyOfMixture, studyOfFour},
			Holds: func(a *Answers) bool {
				const posterior = 2.4185656865952545 // the mean number of clusters over all 15 partitions of the four points
				var tests []bool
				for _, algorithm := range []string{"algorithm=prior", "algorithm=optimal"} {
					of := func(column, rejuvenate string) float64 {
						return a.In(1).Number(column, "rejuvenate="+rejuvenate, algorithm, "particles=1", "meta=100")
					}
					tests = append(tests, of("mean", "true") < of("mean", "false"), math.Abs(of("probe", "true")-posterior) < math.Abs(of("probe", "false")-posterior))
				}
				three := []string{"algorithm=prior", "particles=3"}
				moved := append([]string{"rejuvenate=true"}, three...)
				still := append([]string{"rejuvenate=false"}, three...)
				return All(append(tests, below(a.Number("mean", moved...), a.Number("standard_error_mean", moved...), a.Number("mean", still...), 0))...)
			},
			Why: "Tested on four and five points instead of the galaxies: with a hundred runs of meta-inference for one particle, and with one run for three particles. With one run for one particle only the number of clusters shows it, and AIDE rises (claim aide-29)."},
		{ID: "meta-14", Place: "Sec. E, Fig. 1", Kind: Statement, Verdict: SameInKind, InKind: true,
			Says: "AIDE judges accuracy more conservatively than heuristic diagnostics do.", Commands: []string{studyOfModes, studyOfFour},
			Holds: func(a *Answers) bool {
				var tests []bool
				for i, where := range []string{"study=bimodal", "study=mixture"} {
					p := a.In(i)
					means, lml, j := p.Hidden("mean", where, "meta=1"), p.Hidden("lml_error", where, "meta=1"), p.Hidden("J", where, "meta=1")
					for k := range means {
						if !math.IsNaN(means[k]) {
							tests = append(tests, means[k] >= j[k] || Near(means[k], j[k], rounding), means[k] > math.Abs(lml[k]))
						}
					}
				}
				a.Show("algorithms", float64(len(tests)/2))
				a.Numbers("lml_error", "algorithm=broad", "particles=10", "meta=100")
				a.Numbers("mean", "algorithm=broad", "particles=10")
				return All(append(tests, len(tests) >= 2*16)...)
			},
			Why: "With one run of meta-inference AIDE is above the error of the log marginal likelihood for each algorithm. With a hundred runs it can be below: 0.0114 for an error of 0.0628, because it comes near the divergence, which that error exceeds."},
		{ID: "meta-15", Place: "Sec. D, Eqs. 43 to 45", Kind: Theorem, Verdict: AsPrinted,
			Says:     "For a reversible kernel the weight of a step is the ratio of the next density to the last one at the new state, because the kernel cancels.",
			Commands: []string{checkOfAIS, checkOfAIS + " --kernel barker"},
			Holds: func(a *Answers) bool {
				return All(holds(a.In(0), 2, "xi_of_traces"), holds(a.In(1), 2, "xi_of_traces"))
			},
			Why: "The ratios are those of the probabilities of whole traces, which are made of the kernels' own."},
		{ID: "meta-16", Place: "Sec. C, Eqs. 6 and 7", Kind: Theorem, Verdict: AsPrinted,
			Says:     "The upper bound less the lower one that two algorithms give each other is the symmetric divergence of their outputs; AIDE estimates both.",
			Commands: []string{aideOfAIS, aisTightness},
			Holds: func(a *Answers) bool {
				var tests []bool
				for _, toy := range []string{"toy=easy", "toy=hard", "toy=barrier"} {
					p, t := a.In(0), a.In(1)
					klQP, klPQ := t.Number("kl_q_p", toy), t.Number("kl_p_q", toy)
					tests = append(tests, Near(p.Hidden("J", toy)[0], klQP+klPQ, rounding), near(p.Numbers("mean", toy), halves(p, toy)))
					ofQP, ofPQ, least := p.Hidden("kl_q_p_upper", toy), p.Hidden("kl_p_q_upper", toy), p.Hidden("kl_q_p_lower", toy)
					for i := range ofQP {
						tests = append(tests, least[i] <= klQP, klQP <= ofQP[i], klPQ <= ofPQ[i])
					}
				}
				return All(tests...)
			},
			Why: "The two averages of AIDE bound the divergences in either direction, whose sum is J."},
	}
}
