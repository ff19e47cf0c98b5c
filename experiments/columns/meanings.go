package columns

// These are the meanings of columns that several studies have.
const (
	MeansJ         = "the Jeffreys divergence of the sampler's output q from the target p, which is kl_q_p + kl_p_q"
	MeansB         = "the bound on J, which is mean_log_w_reverse - mean_log_w_forward"
	MeansKLQP      = "KL(q || p), of the sampler's output q from the target p"
	MeansKLPQ      = "KL(p || q), of the target p from the sampler's output q"
	MeansLogZRatio = "log(Z_T/Z_1), the log of the ratio of the normalising constants of the target and of the first distribution"
	MeansNote      = "what the numbers of the row cannot say, such as why one is not finite or has lost digits"
	MeansRows      = "the model or target, as on the command line in canonical form"
	MeansKernel    = "the Markov kernel, as on the command line in canonical form"
	MeansVerdict   = "pass, or fault where the test has found one"
	MeansTolerance = "the largest value that is no fault; empty where nothing was compared"
	MeansFinding   = "what was looked at"
	MeansWhere     = "where the value was found, such as a state or a stage; empty where that says nothing"
	MeansDirection = "the direction of the chains, forward or reverse"
	MeansZ         = "by how many of its standard errors the estimate is off the exact value"
	MeansStates    = "the number of states of the space"
)
