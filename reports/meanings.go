package reports

// These are the meanings of columns that several tables have.
const (
	meansJ         = "the Jeffreys divergence of the sampler's output q from the target p, which is kl_q_p + kl_p_q"
	meansB         = "the bound on J, which is mean_log_w_reverse - mean_log_w_forward"
	meansKLQP      = "KL(q || p), of the sampler's output q from the target p"
	meansKLPQ      = "KL(p || q), of the target p from the sampler's output q"
	meansLogZRatio = "log(Z_T/Z_1), the log of the ratio of the normalising constants of the target and of the first distribution"
	meansNote      = "what the numbers of the row cannot say, such as why one is not finite or has lost digits"
	meansRows      = "the model or target, as on the command line in canonical form"
	meansKernel    = "the Markov kernel, as on the command line in canonical form"
	meansVerdict   = "pass, or fault where the test has found one"
	meansTolerance = "the largest value that is no fault; empty where nothing was compared"
	meansFinding   = "what was looked at"
	meansWhere     = "where the value was found, such as a state or a stage; empty where that says nothing"
	meansDirection = "the direction of the chains, forward or reverse"
	meansZ         = "by how many of its standard errors the estimate is off the exact value"
	meansStates    = "the number of states of the space"
)
