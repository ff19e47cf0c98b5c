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
//	 study   │ algorithm │ particles │ meta │          J │       AIDE │        sd │    lml error │     probe │ method
//	─────────┼───────────┼───────────┼──────┼────────────┼────────────┼───────────┼──────────────┼───────────┼──────────
//	 bimodal │ broad     │         1 │    1 │    1.78869 │    1.78869 │   2.15791 │     -1.20188 │   0.52381 │ integral
//	 bimodal │ broad     │        10 │    1 │  0.0100819 │   0.119343 │  0.493013 │   -0.0627958 │  0.500357 │ integral
//	 bimodal │ broad     │       100 │    1 │ 7.01017e-5 │  0.0110282 │  0.148522 │   -0.0055381 │  0.500278 │ integral
//	 bimodal │ broad     │      1000 │    1 │ 6.80707e-7 │ 0.00109541 │ 0.0468063 │ -0.000547942 │  0.500273 │ integral
//	 bimodal │ offset    │         1 │    1 │    6.46558 │    6.46558 │    6.7676 │    -0.814366 │ 0.0115236 │ integral
//	 bimodal │ offset    │        10 │    1 │    5.13669 │     5.1545 │   5.71459 │    -0.681706 │ 0.0104056 │ integral
//	 bimodal │ offset    │       100 │    1 │    3.97737 │    3.99929 │   4.68291 │    -0.641773 │ 0.0306157 │ integral
//	 bimodal │ offset    │      1000 │    1 │    2.83027 │    2.87727 │   3.68535 │    -0.567972 │ 0.0789265 │ integral
//
// # Rejuvenation
//
// A Gibbs scan over the points that are assigned, after each step of the filter of a mixture, makes its output all but exact with
// a single particle. AIDE with one meta-inference run does not see it, as it does not see the moves of a Markov chain; the
// column rejuvenate says which rows have the scans.
package studies
