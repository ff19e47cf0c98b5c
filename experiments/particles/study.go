package particles

import (
	"math"
	"strings"

	"breadboard/chains/particle"
	"breadboard/exact/smc"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// Study declares the study.
func Study() *study.Study[experiments.Case, Options, Row] {
	number := experiments.Whole("particles", "the number of particles", 1, MaxParticles, 1, 2)
	scheme := experiments.Parameter{Name: "resample", Doc: "the resampling scheme", Defaults: experiments.Just(particle.Multinomial{}.String()), Canonical: canonicalScheme}
	threshold := experiments.Parameter{
		Name: "threshold", Doc: "1 resamples at every stage, 0 never, and C where the effective sample size is below C times particles",
		Defaults: experiments.Just("1"), Number: &experiments.Range{Low: 0, High: 1, Real: true},
	}
	return &study.Study[experiments.Case, Options, Row]{
		Name: "smc",
		Asks: "What do more particles gain? Exact laws of sequential Monte Carlo",
		Help: `smc computes, exactly, how far the output of sequential Monte Carlo is from its target (J), what the estimate log Zhat
of log(Z_T/Z_1) is on average in runs and in conditional runs, and the relative variance of Zhat. P particles go through
the annealing side by side. At each stage they are weighed and, where the flags say so, resampled; then they move. The
output is one of them, drawn by the weights that are left. With one particle it is annealed importance sampling.

Conditional runs keep the path of an exact draw of the target among the particles. B is the difference of both means. It
bounds J, and is the expectation of AIDE with one run of meta-inference and an exact gold standard.

--threshold 1 resamples at every stage whatever the weights, 0 never, and a number C between them where the effective
sample size is below C times the number of particles. If particles are never resampled the scheme does not matter, and there
is one row for all schemes.

The column method says how a row was computed: annealing (one particle), pairs, triples or quadruples (the law of the
particles together), counts (any number of particles on two or three states), integral (never resampled), draws (the
kernel draws from its target, whatever the state) or enumeration.
Where there is no exact route it is none, the exact numbers are NaN, and a note says what would have to be smaller. The
relative variance is exact for any number of particles where the multinomial scheme resamples at every stage. --chains N
simulates N runs and N conditional runs of every row, and gives estimates with standard errors.

With --out it also draws J, and how far E log Zhat is below log(Z_T/Z_1), against the number of particles.`,
		Examples: `  breadboard smc --toy barrier --resample multinomial,systematic --threshold 1,0
  breadboard smc --toy easy -T 100 --particles 1,2,3 --format json
  breadboard smc --toy random:2:1:3 -T 10 --particles 1,2,5,10,50 --out results
  breadboard smc --toy easy -T 20 --particles 10 --threshold 0.5 --chains 1e4`,
		Counts: "particles", Workers: "number of computations at once",
		Standard: Options{Particles: []int{1, 2}, Resample: []string{particle.Multinomial{}.String()}, Thresholds: []float64{1}, Seed: 1},
		Options: []study.Option[Options]{
			{Name: "particles", Doc: "numbers of particles", Swept: &number, Value: func(o *Options) study.Value { return study.Wholes(&o.Particles, "P", 1, MaxParticles) }},
			{
				Name: "resample", Doc: "resampling schemes: " + strings.Join(particle.Forms().Syntaxes(), ", "), Swept: &scheme,
				Complete: particle.Forms().Complete,
				Value:    func(o *Options) study.Value { return study.Texts(&o.Resample) },
			},
			{
				Name: "threshold", Doc: "when particles are resampled: 1 at every stage, 0 never, C where the effective sample size is below C times their number", Swept: &threshold,
				Value: func(o *Options) study.Value { return study.Numbers(&o.Thresholds) },
			},
			{
				Name: "chains", Doc: "number of runs, and of conditional runs, that are simulated for each row; 0 simulates none",
				Value: func(o *Options) study.Value { return study.Whole(&o.Chains, "N", 2, experiments.MaxNumber) },
			},
			study.SeedOption("seed of all random numbers, 0 to 2^64-1", func(o *Options) *uint64 { return &o.Seed }, nil),
		},
		Columns: fields(), Plan: plan,
		Swept: &study.Swept[experiments.Case, Row]{
			Parameters: experiments.Parameters(), Subject: study.TheCase,
			Note:  func(r *Row) (string, error) { return strings.Join(r.Notes, "; "), nil },
			Check: checkKept, Cost: cost,
		},
	}
}

// canonicalScheme is the Canonical of the parameter resample.
func canonicalScheme(text string) (string, error) {
	s, err := particle.ParseScheme(text)
	if err != nil {
		return "", err
	}
	return s.String(), nil
}

// checkKept asks of the numbers that a sweep has kept what the study asks of a row.
func checkKept(k study.Kept) error {
	r := Row{Case: experiments.Case{Params: k.Params}, Law: &smc.Law{
		J: k.Get("J"), KLQP: k.Get("kl_q_p"), KLPQ: k.Get("kl_p_q"), MeanLogZForward: k.Get("mean_log_z_forward"), MeanLogZConditional: k.Get("mean_log_z_conditional"),
		B: k.Get("B"), LogZRatio: k.Get("log_z_ratio"), RelativeVariance: k.Get("relative_variance"), Extinct: k.Get("extinct"),
	}}
	if k.Note != "" {
		r.Notes = []string{k.Note}
	}
	return r.contradiction()
}

// Measured: how many times as long as a solution by the general method the recursion of the relative variance and the law of
// two particles take for each state, and the bytes of an entry of a law of several particles.
const (
	pairCost   = 0.3
	entryBytes = 32
)

// cost estimates what a row takes: a law of k particles has the states to the power k entries.
func cost(s experiments.Size) experiments.Cost {
	k := float64(min(s.Params.Int("particles"), 3))
	entries := math.Pow(float64(s.States), max(1, k-1))
	return experiments.Cost{
		Seconds: s.Solution.Seconds + pairCost*entries*s.General.Seconds,
		Bytes:   2*s.Solution.Bytes + entryBytes*float64(s.States)*entries,
	}
}
