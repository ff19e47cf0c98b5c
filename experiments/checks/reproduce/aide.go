package reproduce

import (
	"math"
	"slices"
	"strings"
)

// aide returns the claims of Cusumano-Towner and Mansinghka 2017.
func aide() []Claim {
	return slices.Concat(aideTheorem(), aideExperiments(), aideAlgorithms(), aideStatements())
}

// Commands whose tables several claims of the paper and of its supplement read.
const (
	aideOfAIS      = "aide -T 100" // EASY, HARD and BARRIER against exact draws, with 1, 10 and 100 runs of meta-inference
	aisTightness   = "tightness -T 100"
	aideOfMH       = "aide --target mh:1000 --toy easy -T 2"
	easyAtOnce     = "tightness --toy easy -T 2" // its B is the symmetric divergence of the start from EASY
	aideOfSMC      = "aide --target smc:2 --toy file:inputs/p1.csv -T 3 --meta 1,10"
	aideExactAIS   = "aide --target exact --gold ais -T 100 --meta 1 --gold-meta 1,10,100"
	aideOfDensity  = "aide --target meanfield --toy easy,barrier --runs 1e4"
	studyOfLine    = "aide study regression --meta 1,10 --chains 1000"
	studyOfModes   = "aide study bimodal --meta 1,100"
	studyOfHMM     = "aide study hmm --particles 1,10 --gold exact,prior:100,prior:1 --meta 1"
	studyOfMixture = "aide study mixture --meta 1 --chains 2000"
	studyOfFour    = "aide study mixture --points inputs/aide-four.csv --meta 1,10,100"
	studyOfFive    = "aide study mixture --points inputs/aide-five.csv --meta 1"
	checkOfSMC     = "selfcheck aide smc:2"
	checkOfAIS     = "selfcheck aide ais"
)

// rounding is what exact numbers of two routes may differ by, as Near means it.
const rounding = 1e-12

// near reports whether two lists have the same numbers, up to rounding.
func near(v, w []float64) bool {
	return Pairs(v, w, func(v, w float64) bool { return Near(v, w, rounding) })
}

// within reports whether an estimate is within five standard errors of a number, which a right estimate fails to be once in two million times.
func within(estimate, standardError, number float64) bool {
	return math.Abs(estimate-number) <= 5*standardError
}

// agree reports whether estimates are within five standard errors, as given, of their means, which each fails once in two million times.
func agree(z []float64) bool { return Every(z, func(z float64) bool { return math.Abs(z) <= 5 }) }

// below reports whether an estimate is below another by five standard errors, which equal ones pass once in three million times.
func below(estimate, standardError, other, otherError float64) bool {
	return estimate+5*math.Hypot(standardError, otherError) < other
}

// halves returns the means of AIDE as sums of its two averages, by another route than the column mean.
func halves(p *Part, where ...string) []float64 {
	means, second := p.Hidden("kl_q_p_upper", where...), p.Hidden("kl_p_q_upper", where...)
	for i := range means {
		means[i] = p.all.Show(strings.TrimSpace("sum of both averages "+strings.Join(where, " ")), means[i]+second[i])
	}
	return means
}

// bounds reports whether AIDE's mean falls in each row where the conditions say, and stays above J.
func bounds(p *Part, where ...string) bool {
	means, j := p.Numbers("mean", where...), p.Hidden("J", where...)
	p.all.Show("J "+where[0], j[0])
	return All(Fall(means...), Pairs(means, j, func(m, j float64) bool { return m >= j }))
}

// holds reports whether findings of a check are there for each of its targets, and off by no more than rounding.
func holds(p *Part, targets int, findings ...string) bool {
	tests := []bool{}
	for _, f := range findings {
		values := p.Numbers("value", "finding="+f)
		tests = append(tests, len(values) == targets, Every(values, func(v float64) bool { return v <= rounding }))
	}
	return All(tests...)
}

// aideTheorem returns the claims on the mean of AIDE: Theorem 1 and its special cases.
func aideTheorem() []Claim {
	toys := []string{"toy=easy", "toy=hard", "toy=barrier"}
	return []Claim{
		{ID: "aide-1", Place: "Sec. 3.3, Theorem 1", Kind: Theorem, Verdict: AsPrinted,
			Says:     "The mean of AIDE is at least the symmetric divergence of the outputs of both algorithms, and it does not rise with the number of meta-inference runs of the target.",
			Commands: []string{aideOfAIS},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				return All(bounds(p, toys[0]), bounds(p, toys[1]), bounds(p, toys[2]))
			},
			Why: "The means are exact: annealed importance sampling against exact draws, with 1, 10 and 100 runs."},
		{ID: "aide-2", Place: "Sec. 3.3, Theorem 1", Kind: Theorem, Verdict: AsPrinted,
			Says:     "Nor does the mean of AIDE rise with the number of meta-inference runs of the gold standard.",
			Commands: []string{aideExactAIS, aideOfAIS},
			Holds: func(a *Answers) bool {
				return forAll(toys, func(toy string) bool {
					exchanged, direct := a.In(0), a.In(1)
					return All(bounds(exchanged, toy), near(exchanged.Hidden("mean", toy), direct.Hidden("mean", toy)))
				})
			},
			Why: "AIDE is the same with the roles of both algorithms exchanged, and so are the numbers of claim aide-1."},
		{ID: "aide-3", Place: "Sec. 3.3, Eq. 3", Kind: Theorem, Verdict: AsPrinted,
			Says:     "With one run of meta-inference, the mean of AIDE exceeds the divergence by divergences of meta-inference from the traces that an output may have come from, two for each algorithm that has traces.",
			Commands: []string{aideOfAIS, aisTightness},
			Holds: func(a *Answers) bool {
				return forAll(toys, func(toy string) bool {
					p, t := a.In(0), a.In(1)
					upper, lower := p.Number("upper_half", toy, "meta=1"), p.Number("lower_half", toy, "meta=1")
					bias := p.Number("bias", toy, "meta=1")
					logZ := t.Hidden("log_z_ratio", toy)[0]
					ofTraces := logZ - t.Hidden("mean_log_w_forward", toy)[0] - t.Hidden("kl_q_p", toy)[0]
					ofReversed := t.Hidden("mean_log_w_reverse", toy)[0] - logZ - t.Hidden("kl_p_q", toy)[0]
					return All(Near(bias, upper+lower, rounding), Near(lower, ofTraces, rounding), Near(upper, ofReversed, rounding))
				})
			},
			Why: "The gold standard has no traces here. Both divergences of annealing are also those of whole runs of the chain, forward and in reverse, less those of their outputs."},
		{ID: "aide-4", Place: "Sec. 3.3, end; Sec. 4", Kind: Theorem, Verdict: AsPrinted,
			Says:     "Against exact draws and with one run of meta-inference, AIDE of annealed importance sampling is the bound of bidirectional Monte Carlo.",
			Commands: []string{aideOfAIS, aisTightness},
			Holds:    func(a *Answers) bool { return near(a.Numbers("mean", "meta=1"), a.In(1).Numbers("B")) },
			Why:      "The mean of AIDE and B are computed by two routines."},
		{ID: "aide-5", Place: "Sec. 3.2, Variational inference", Kind: Theorem, Verdict: AsPrinted,
			Says:     "A variational approximation has a density and needs no trace, so that it adds no bias to AIDE.",
			Commands: []string{aideOfDensity},
			Holds: func(a *Answers) bool {
				return All(near(a.Numbers("mean"), a.In(0).Hidden("J")), agree(a.In(0).Hidden("z")))
			},
			Why: "The divergence of mean field is the mean of AIDE with 1, 10 and 100 runs, and ten thousand simulated runs of AIDE agree."},
		{ID: "aide-6", Place: "Sec. 3.2, Markov chain Monte Carlo", Kind: Statement, Verdict: AsPrinted,
			Says:     "A Markov chain that aims at the posterior from its first move on is annealed importance sampling without the annealing, and its meta-inference is inaccurate unless it starts near the posterior.",
			Commands: []string{"aide --target mh:1 --toy easy -T 2 --meta 1", aideOfMH, easyAtOnce, "aide --target mh:10 --toy easy -T 2 --initial tempered:0.99 --meta 1"},
			Holds: func(a *Answers) bool {
				short, long, b := a.Number("mean"), a.In(1).Number("mean", "meta=1"), a.In(2).Number("B")
				far := a.In(1).Number("bias", "meta=1")
				return All(Near(short, b, rounding), Near(long, b, rounding), a.In(1).Number("J", "meta=1") < 1e-3*a.Number("J"), a.In(3).Number("bias") < 1e-3*far)
			},
			Why: "It is worse than the paper says: with one run of meta-inference the mean of AIDE is the divergence of the start, however many moves follow."},
	}
}

// aideAlgorithms returns the claims on algorithms with meta-inference (section 3).
func aideAlgorithms() []Claim {
	return []Claim{
		{ID: "aide-16", Place: "Sec. 3.2, Sequential Monte Carlo", Kind: Theorem, Verdict: AsPrinted,
			Says:     "With conditional sequential Monte Carlo for meta-inference, the ratio of the probability of a trace in runs to that in meta-inference is the joint density of the output over the estimate of the marginal likelihood.",
			Commands: []string{checkOfSMC}, Holds: func(a *Answers) bool { return holds(a.In(0), 2, "xi_of_traces", "mean_xi") },
			Why: "It is so on every trace of two particles on two and on three states."},
		{ID: "aide-17", Place: "Sec. 3.2, Annealed importance sampling", Kind: Theorem, Verdict: AsPrinted,
			Says:     "Annealed importance sampling is sequential Monte Carlo with one particle, whose meta-inference is to anneal in reverse.",
			Commands: []string{"aide --target smc:1 --toy barrier -T 100 --meta 1 --runs 1e4", aisTightness, "selfcheck aide smc:1"},
			Holds: func(a *Answers) bool {
				return All(within(a.Number("estimate"), a.Number("standard_error"), a.In(1).Number("B", "toy=barrier")),
					holds(a.In(2), 2, "xi_of_traces", "one_trace_is_gap"))
			},
			Why: "Simulated runs of one particle with its conditional runs estimate the B that follows from annealing forward and in reverse."},
		{ID: "aide-18", Place: "Sec. 3.2, Importance sampling with resampling", Kind: Theorem, Verdict: AsPrinted,
			Says:     "Importance resampling is sequential Monte Carlo with one step, and its meta-inference puts the output among fresh draws from the proposal.",
			Commands: []string{"aide --target sir:2 --toy easy -T 2 --kernel stay --meta 1,10", "aide --target smc:2 --toy easy -T 2 --kernel stay --meta 1,10", "selfcheck aide sir:3"},
			Holds: func(a *Answers) bool {
				return All(forAll([]string{"J", "mean", "upper_half", "lower_half"}, func(column string) bool {
					return near(a.Numbers(column), a.In(1).Hidden(column))
				}), holds(a.In(2), 2, "xi_of_traces"))
			},
			Why: "The laws of two particles that are weighed once and do not move are those of importance resampling, by two routines."},
		{ID: "aide-19", Place: "Sec. 3.2, Importance sampling with resampling", Kind: Theorem, Verdict: AsPrinted,
			Says:     "With one particle the meta-inference of importance resampling is exact, and AIDE has no bias. This follows from Eq. 3.",
			Commands: []string{"aide --target sir:1 --toy easy -T 2 --meta 1,10", easyAtOnce},
			Holds: func(a *Answers) bool {
				means, b := a.Numbers("mean"), a.In(1).Number("B")
				return All(near(means, a.In(0).Hidden("J")), near(means, []float64{b, b}))
			},
			Why: "The output is then a draw from the proposal, whose divergence from EASY is the B of one step."},
		{ID: "aide-20", Place: "Sec. 3.2, Annealed importance sampling", Kind: Shape, Verdict: AsPrinted,
			Says:     "Meta-inference of annealed importance sampling becomes accurate as the sequence of distributions becomes finer.",
			Commands: []string{"tightness --toy easy -T 100,1000,10000,100000"},
			Holds: func(a *Answers) bool {
				b, j := a.In(0).Hidden("B"), a.In(0).Hidden("J")
				gaps := make([]float64, len(b))
				for i := range b {
					gaps[i] = a.Show("B - J", b[i]-j[i])
				}
				ratio := a.Show("ratio of the last two", gaps[len(gaps)-2]/gaps[len(gaps)-1])
				return All(Fall(gaps...), 9 < ratio, ratio < 11)
			},
			Why: "The bias of AIDE with one run of meta-inference is B - J, and falls like 1/T."},
		{ID: "aide-21", Place: "Sec. 5.1", Kind: Theorem, Verdict: AsPrinted,
			Says:     "Where the gold standard is a sampler whose density is known, all of the bias comes from meta-inference of the target.",
			Commands: []string{"aide --target mh:10 --toy easy -T 2 --meta 1,10 --gold-meta 1,100"},
			Holds: func(a *Answers) bool {
				upper, lower, j := a.In(0).Hidden("upper_half", "gold_meta=1"), a.In(0).Hidden("lower_half", "gold_meta=1"), a.In(0).Hidden("J", "gold_meta=1")
				var all []float64
				for i := range upper {
					all = append(all, j[i]+a.Show("bias of the target", upper[i]+lower[i]))
				}
				return All(near(halves(a.In(0), "gold_meta=1"), all), near(halves(a.In(0), "gold_meta=100"), all))
			},
			Why: "The bias is what the traces of the target add, and does not depend on how often meta-inference of the gold standard is run."},
		{ID: "aide-22", Place: "Sec. 3.3", Kind: Theorem, Verdict: AsPrinted,
			Says:     "AIDE has no bias where the meta-inference of both algorithms is exact.",
			Commands: []string{"aide --gold meanfield --kernel stay --toy easy -T 10 --meta 1", "aide --gold meanfield --toy easy -T 10 --meta 1"},
			Holds: func(a *Answers) bool {
				mean, j := a.Number("mean"), a.Number("J")
				return All(Near(mean, j, rounding), a.In(1).Number("bias") > 0.1)
			},
			Why: "A chain that never moves has only one trace for each output, so that its meta-inference cannot err; the gold standard is a density. With a kernel that moves there is a bias."},
		{ID: "aide-23", Place: "Sec. 3.3, Algorithm 2", Kind: Protocol, Verdict: AsPrinted,
			Says:     "Where an output is one of the algorithm's own, the trace of the run that made it is the first of the traces; the bound needs that.",
			Commands: []string{aideOfSMC, aideOfSMC + " --without-first-trace"},
			Holds: func(a *Answers) bool {
				without, j := a.In(1).Numbers("mean"), a.In(1).Hidden("J")
				return All(bounds(a.In(0), "gold_meta=1"), Pairs(without, j, less))
			},
			Why: "Without that trace the mean of two particles on three states is below the divergence."},
	}
}
