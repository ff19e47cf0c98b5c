// Package ais answers: what do chains say, beside the exact answer? It runs annealed importance sampling in both
// directions and sets every estimate beside its exact expectation. It never draws from anything but the streams of
// its seed.
//
// # The quantities
//
// With l the log weights, the study has mean_log_w_forward and mean_log_w_reverse, their means in either direction,
// and B, the difference of the two; kl_q_p_bound and kl_p_q_bound, the one-sided bounds that take one direction and a
// known log Z (section 3.1 of the paper); log_mean_w_forward and log_mean_w_reverse, the estimates of log(Z_T/Z_1) by
// the mean of the forward weights and by the harmonic mean of the reverse ones; bar, Bennett's acceptance ratio (see
// BAR); and J_plugin, the divergence of the histogram of final states (see PlugInJ). Standard errors are exact where
// they can be: the variance of log w is propagated like everything else. Reverse chains start at exact draws from the
// target.
package ais
