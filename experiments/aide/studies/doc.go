// Package studies answers: how do the algorithms that AIDE was shown with compare on problems of those kinds, exactly? It has
// four studies, after figures 2 to 5 of Cusumano-Towner and Mansinghka 2017: regression, a hidden Markov model, a bimodal
// target and a mixture. What has no exact route is sampled where chains are asked for, and is then marked so. It never prints,
// draws or reads flags.
//
// # What an error of the log marginal likelihood hides
//
// Importance resampling from a proposal that misses one of two modes has a log marginal likelihood that is off by little, since
// half the mass is half the mass: E log Zhat - log Z is about -log 2. J sees that the other mode is missing, and so does AIDE.
//
//	$ breadboard aide study bimodal --meta 1
//
// # Rejuvenation
//
// A Gibbs scan over the points that are assigned, after each step of the filter of a mixture, makes its output all but exact with
// a single particle. AIDE with one meta-inference run does not see it, as it does not see the moves of a Markov chain; the
// column rejuvenate says which rows have the scans.
package studies
