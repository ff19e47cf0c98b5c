// Package reports answers: how is the result of a study shown? It turns the typed results of package experiments into one
// Report a study: tables, figures, files, notes, and the fault that was found, if any. An Output writes a report in any
// format, to standard output and to files. The package never computes a result, and knows of no flags.
//
// A table is made of a list of fields; each field is a column, written in one line (package reports/table). Package
// reports/figure has what all figures share.
//
// # Fields
//
// Formats for machines have one name for one quantity in all studies, and numbers with all their digits. JSON is an array of
// flat objects; numbers that are not finite are the strings "+Inf", "-Inf" and "NaN", and note says why. Where J is so small
// beside the steps that digits are lost, note says that too. An annealing is known by
//
//	toy, T, path, initial, schedule, kernel
//	                        as on the command line, in canonical form
//	J, B                    the Jeffreys divergence of the output from the target, and the bound on it
//	kl_q_p, kl_p_q          KL of the sampler's output q from the target p, and of p from q; J is the sum
//	mean_log_w_forward, mean_log_w_reverse
//	                        the mean log weight in either direction; B is the second less the first
//	log_z_ratio             log(Z_T/Z_1)
//	B_over_J                B/J
//	relative_error          B/J - 1, the relative error of B
//	relative_error_rounded  the same of J and B at three digits, as the paper rounds
//	dominant_mode_mass      the target's mass there, where the toy names a dominant mode
//	J_printed, B_printed, relative_error_printed, dominant_mode_mass_printed
//	                        what the paper prints of each
//	as_printed              whether all that is printed comes out
//	digits_J, digits_B, digits_kl_q_p, digits_kl_p_q
//	                        with certificates: how many decimal digits are right
//	note                    what the numbers cannot say
//
// The representations of models (represent) have
//
//	toy, representation     the model, and which of its latent variables are kept
//	states                  the number of states of the representation
//	work                    the mean number of evaluations of log f in a run
//
// Estimators of the marginal likelihood (evidence) have
//
//	toy, estimator, settings
//	                        the estimator, and the setting that the work pays for, such as K=100 or T=51
//	combined                how many estimates are combined and how, as "25 arithmetic"; empty for a single one
//	work                    the evaluations of log f and exact draws of all of them, on average
//	log_z_ratio             log Z = log(Z_T/Z_1)
//	mean, bias, sd, rmse    of log Zhat; the bias is mean - log_z_ratio, and rmse the root of E (log Zhat - log Z)^2
//	log_mean_z              log E Zhat
//	p_above_1               P(log Zhat > log Z + 1) of a single estimate: the middle of what is known, whose half width note has
//	method                  closed form, transform, annealing, propagation, pairs, starts, or none
//	estimate_mean, standard_error, z
//	                        of mean, from runs of the estimator, and by how many standard errors it differs
//	error                   why there is no exact law although there is the estimator
//
// The errors of samplers (samplers errors) have
//
//	toy, kernel, start, function, N, warmup
//	                        which chain, and of how many samples; its moves before the first sample are the warmup
//	work, work_per_ress     the evaluations of log f until there are N samples, and that over ress_mean; empty where the kernel
//	                        does not say
//	mean, sd, kurtosis      of the function under the target; empty for all. Errors are in units of sd
//	tau                     the integrated autocorrelation time, to which N/ress_mean tends; for all the mean of the coordinates'
//	bias_mean, mse_mean, mse_mean_stationary
//	                        of the chain's mean; the last from the target itself, so that the difference is burn-in
//	bias_var, mse_var, cvm  of the sample variance (divisor N - 1), and the mean Cramer-von Mises distance
//	ks2, ks2_lower, ks2_upper
//	                        E[KS^2] where it is known, and bounds on it
//	R_var, R_cvm, R_ks      N times what N independent draws have of the same, and 1 for the mean
//	R_var_paper, R_ks_paper what Turner and Neal have in their place
//	ress_mean, ress_var, ress_cvm, ress_ks
//	                        R over the error: the real effective sample size. For all, errors and R are sums over coordinates
//	ress_of_constant        that of the variance estimated as zero
//	eff                     ress_mean/N
//	method, rounding        recursion, squaring or lanczos, and about the relative error that rounding leaves
//
// and their times (samplers times)
//
//	mixing_mi, burn_in_tv   the least k with MI(x_k; x_0) <= mi from the target, and with TV(law of x_k, target) <= tv from the
//	                        start; +Inf where there is none, and NaN where it could not be found
//	mixing_error, burn_in_error
//	                        about how far rounding may have put it off, in moves
//
// The calibration of diagnostics (samplers calibrate) has
//
//	diagnostic, limit, chains
//	                        what is asked of chains, and of which: exact expectations, or so many simulated chains
//	good, alarms_though_good, type_1
//	                        the settings whose chains are good (RESS of the mean at least 12), on how many of them there is an
//	                        alarm, and their share
//	failing, quiet_though_failing, type_2
//	                        the other settings, on how many of them there is no alarm, and their share
//
// its shares
//
//	estimate, chains, settings
//	                        what RESS is of, of which chains, and in how many settings it is known
//	region_low, region_high the ends of the 95% region of Eq. 9, in units of the ESS
//	below, within, above    the shares of the settings whose RESS lies so to the region
//
// and its points, after those of a setting,
//
//	expected_ess, expected_ess_all, expected_rhat_basic, expected_geweke
//	                        what the exact expectations give: the ESS of one chain and of all, R-hat, and the root mean square
//	                        of Geweke's score
//	ress_mean, ress_var, ress_cvm
//	                        exact, as in samplers errors
//	ess, ess_all, rhat_basic, rhat_split, rhat_rank, geweke, geweke_median
//	                        of the simulated chains: the mean ESS of each, the bulk ESS of all, R-hat, and the largest and the
//	                        median |z|
//	chains_ress_mean, chains_ress_var, chains_ress_cvm, essd
//	                        K R over the sum of the squared errors of these chains, and the ESS deviation of their mean
//
// The meta-analysis (samplers meta) has
//
//	method, label           what foretells, and what is foretold: exact is log(ESS/RESS), essd the ESS deviation
//	mse, nll                the mean squared error, and the mean negative log density less that of GP (nats), on targets held out
//	mse_se, p_mse, nll_se, p_nll
//	                        the standard error of the difference from GP over the splits, and the p-value of a paired t-test;
//	                        empty for GP itself and for a single split
//
// Sequential Monte Carlo (smc) has
//
//	particles, resample, threshold
//	                        the number P of particles, and when and how they are resampled; never for a threshold of 0
//	J, kl_q_p, kl_p_q, B, log_z_ratio
//	                        as above, B being mean_log_z_conditional less mean_log_z_forward; NaN where method is none
//	mean_log_z_forward, mean_log_z_conditional
//	                        the mean of log Zhat in runs, and in conditional runs to draws of the target
//	relative_variance       E[Zhat^2]/Z^2 - 1
//	limit_P_relative_variance, limit_P2_J
//	                        what P relative_variance and P^2 J tend to as P grows
//	extinct                 the probability that all weights become zero
//	method                  annealing, pairs, triples, quadruples, counts, integral, enumeration, or none
//	estimate_*, standard_error_*
//	                        of the quantity *, from systems that were simulated
//
// AIDE of two algorithms has beside them
//
//	target, gold            the algorithms
//	meta, gold_meta         the numbers M of meta-inference runs of each
//	mean, sd, bias          of one estimate; the bias is mean - J
//	upper_half, lower_half  what the target's traces add to the mean: all from meta-inference, and the first from the run
//	kl_q_p_lower, kl_q_p_upper, kl_p_q_upper
//	                        bounds on KL(target||gold) and KL(gold||target)
//	method                  how the laws are known
//	estimate, standard_error, z
//	                        of runs of the estimator, and how many standard errors that is off the mean
//
// and its studies have
//
//	study, algorithm, particles, rejuvenate
//	                        which algorithm; particles is the number of moves of a Markov chain
//	lml_error               E log Zhat - log Z
//	probe                   the mean number of clusters, or the mass of the right mode
//	standard_error_mean, standard_error_lml, standard_error_probe
//	                        of rows whose method is sampled
//
// The tests of chains that were made elsewhere have three tables. Tests have
//
//	test, draws             what is tested, and on how many chains or moves
//	log10_e                 log10 of the e-value at the last look; it may have been larger before
//	log10_threshold         log10 of the e-value from which on the test finds a fault
//	verdict                 pass, or fault where the e-value has ever reached the threshold; in conform untested where
//	                        the test could find nothing, for lack of what it needs
//	where                   of a fault, the row of the first impossible value, or after how many draws it was certain
//	statistic               in words, what deviates most from its law
//
// hypotheses, which are known ways to get annealing wrong and the specification itself, the likeliest first, have
//
//	direction, hypothesis   whose chains, and what they are compared with
//	log10_odds              log10 of how much likelier the chains are than under the specification; +Inf where they are
//	                        impossible under that, and NaN where under both
//	posterior               the probability of the hypothesis, where all are as likely before
//	log10_e                 log10 of the e-value against the hypothesis itself
//	kl                      KL of a chain under the hypothesis from one under the specification
//	chains_needed           the number of chains that tell it from the specification with a probability of about 0.99
//	verdict                 likeliest; likeliest, and refused; cannot be told from the likeliest; refused, by its own
//	                        e-value; unlikely, with a posterior below 0.001; or possible
//
// and guarantees, which say what a pass rules out, have
//
//	direction, test, draws  which test of whose chains, after how many
//	quantity, right         what is tested, and its right value
//	found_below, found_above
//	                        from where on a deviation would have been found with a probability of 0.99
//	kl_below, kl_above      the KL of a chain with that deviation from a right one
//
// All are in nats where they have a unit. log Z_T is log_z_ratio plus log Z_1: from uniform f_1 = 1, and log Z_1 is the log of
// the number of states; from tempered:BETA it is that of f^BETA, from a file that of the file; from smoothed it is log Z_T less
// the largest log f, as the filter keeps the mass.
package reports
