package aide

import (
	"breadboard/chains"
	"breadboard/chains/selector"
)

// ComparisonRow is one algorithm of a study, compared with an exact gold, for one number of meta-inference runs. All is in nats but the
// probe. What is not known is NaN.
type ComparisonRow struct {
	Study      string
	Algorithm  string
	Particles  int  // the number of particles, or of moves of a Markov chain; 0 for an algorithm that has neither
	Rejuvenate bool // whether a Gibbs scan over the points so far follows each step
	Meta       int
	J          float64
	Mean, SD   float64 // of AIDE
	LMLError   float64 // E log Zhat - log Z, the mean error of the estimate of the log marginal likelihood
	Probe      float64 // the mean of the study's probe over the outputs (see Result)
	Method     string  // how the law is known; Sampled where it is not
	// Errors are standard errors of what is sampled, and zero where all is exact.
	MeanError, LMLStandardError, ProbeError float64
	Notes                                   []string
}

// SampledComparison is the method of a row whose numbers are estimates.
const SampledComparison = "sampled"

// ComparisonResult is what a study finds.
type ComparisonResult struct {
	Study string
	Probe string  // what the column probe is; empty where the study has none
	Exact float64 // the probe of the posterior
	Gold  string  // what stands for the posterior where that has too many outputs to be counted; empty where it has not
	Rows  []ComparisonRow
	// Marginals are the laws of each part of the output, first that of the posterior; only the study of hidden Markov models
	// has them.
	Marginals []Marginals
}

// Marginals are the laws of the parts of an output: P[t][s] is the probability that part t is s.
type Marginals struct {
	Algorithm string
	Particles int
	P         [][]float64
}

// ComparisonNames returns the names of the studies.
func ComparisonNames() []string { return []string{"regression", "hmm", "bimodal", "mixture"} }

// ComparisonOptions say how a study is run.
type ComparisonOptions struct {
	HMM    string // a file with a hidden Markov model of one's own; empty for the study's own
	Points string // a file with points of one's own; empty for the study's own
	Metas  []int  // numbers of meta-inference runs
	Chains int    // how often what has no exact route is run; 0 leaves it out
	Seed   uint64
	// Workers is the number of computations at once; 0 is one for each processor.
	Workers  int
	Progress func(steps int) // called from several goroutines at once; may be nil
}

// Validate returns an error that says what is wrong with a study's name or its options, and nil where they are valid.
func (o *ComparisonOptions) Validate(study string) error {
	known := false
	for _, n := range ComparisonNames() {
		known = known || n == study
	}
	switch {
	case !known:
		return selector.UnknownError("study", study, ComparisonNames())
	case o.HMM != "" && study != "hmm":
		return chains.NewAdvice("{hmm} is for the study hmm, and this is %s; leave it out", study)
	case o.Points != "" && study != "mixture":
		return chains.NewAdvice("{points} is for the study mixture, and this is %s; leave it out", study)
	case o.Workers < 0:
		return chains.NewAdvice("{workers} %d; give a number, or 0 for one on each core", o.Workers)
	case o.Chains == 1 || o.Chains < 0:
		return chains.NewAdvice("{chains} %d; one run has no standard error: give 2 or more, or leave it out", o.Chains)
	}
	return nil
}
