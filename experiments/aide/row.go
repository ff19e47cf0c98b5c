package aide

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
	Probe      float64 // the mean of the study's probe over the outputs (see Posterior)
	Method     string  // how the law is known; SampledComparison where it is not
	// Errors are standard errors of what is sampled, and zero where all is exact.
	MeanError, LMLStandardError, ProbeError float64
	// Marginals are the laws of the parts of its outputs, as those of the posterior. They stand in the first row of an algorithm alone.
	Marginals [][]float64
	Notes     []string
	Posterior *Posterior
}

// SampledComparison is the method of a row whose numbers are estimates.
const SampledComparison = "sampled"

// Posterior is what the algorithms of a study are compared with. All its rows have the same.
type Posterior struct {
	Probe string  // what the column probe is; empty where the study has none
	Exact float64 // the probe of the posterior
	Gold  string  // what stands for the posterior where that has too many outputs to be counted; empty where it has not
	// Marginals are the laws of the parts of an output: Marginals[t][s] is the probability that part t is s. Only the study of hidden Markov
	// models has them.
	Marginals [][]float64
}

// ComparisonNames returns the names of the studies.
func ComparisonNames() []string { return []string{"regression", "hmm", "bimodal", "mixture"} }

// Data are what a study is about where that is somebody's own.
type Data struct {
	HMM    string // a file with a hidden Markov model; empty for the study's own
	Points string // a file with points; empty for the study's own
}

// ComparisonOptions say how the algorithms of a study are compared.
type ComparisonOptions struct {
	Metas  []int // numbers of meta-inference runs
	Chains int   // how often what has no exact route is run; 0 leaves it out
	Seed   uint64
}
