// Package rank answers: which sampler is best, and where? It sets kernels on the same targets side by side at equal work, counted in
// evaluations of log f, by the exact real effective sample sizes (RESS) of what they estimate. It never prints, draws or reads flags.
//
// An example is a target with a start and a function. NESS is RESS over the median number of samples of the competitors on the same
// example, so that examples of different cost can be averaged. Work says nothing of the time that one evaluation or one move takes.
//
//	$ breadboard samplers rank --toy easy,hard,barrier --kernel metropolis,jump:0.1,heatbath-scan
//	 kernel        │ examples │ mean rank │ wins │ NESS mean │ its median │ NESS variance │ NESS CvM │ P(success) │ of variance │  RESS/N │ warm-up pays
//	───────────────┼──────────┼───────────┼──────┼───────────┼────────────┼───────────────┼──────────┼────────────┼─────────────┼─────────┼──────────────
//	 heatbath-scan │        3 │      1.33 │    2 │    0.0285 │     0.0232 │        0.0289 │   0.0348 │      0.679 │       0.679 │   0.278 │        0.333
//	 jump:0.1      │        3 │      1.67 │    1 │    0.0116 │     0.0122 │         0.012 │   0.0209 │      0.971 │       0.975 │  0.0122 │            0
//	 metropolis    │        3 │         3 │    0 │  0.000658 │    3.18e-5 │       0.00174 │ 0.000835 │      0.293 │       0.492 │ 3.18e-5 │            0
//	 toy     │ best kernel   │     N │  RESS │     NESS │ P(success) │ by       │ best dropped │ its gain │ next best     │ its RESS
//	─────────┼───────────────┼───────┼───────┼──────────┼────────────┼──────────┼──────────────┼──────────┼───────────────┼──────────
//	 easy    │ heatbath-scan │   834 │   232 │   0.0232 │          1 │ Gaussian │            0 │        1 │ jump:0.1      │      122
//	 hard    │ jump:0.1      │ 10000 │ 20.72 │ 0.002072 │     0.9133 │ Gaussian │            0 │        1 │ heatbath-scan │    3.715
//	 barrier │ heatbath-scan │   834 │   620 │    0.062 │          1 │ Gaussian │            0 │        1 │ jump:0.1      │    206.8
//
// Source: Turner and Neal 2017, sections 4.6 and 5, Eqs. 4 to 7, Table 1 and Figure 2.
//
// # Orders that are theorems
//
// Order answers: do the averages of chains stand in the orders that are theorems? It checks three of them by exact numbers, and
// finds where an order of limits fails at finite N, which is no fault. It draws nothing at random, and it proves nothing: a theorem that
// it finds violated says that a kernel, its rows or the solver is wrong.
//
// # The theorems
//
// Peskun: let P and Q be reversible with respect to the target, with P(x,y) >= Q(x,y) for all x and y other than x. Then tau of P is at
// most that of Q for every function, where tau is what N is divided by in the long run (Peskun 1973, Theorem 2.1.1; Tierney 1998). So
// Metropolis comes before Barker. At stationarity the mean squared errors of one sample are the same, those of two are in the same order,
// because the covariance of neighbours is, and from N = 3 on the order may fail: powers of P and Q need not be in the order of P and Q.
//
// Lazy: a chain that stays where it is with probability p, and else moves as before, has tau' = (tau + p)/(1 - p). This is an identity for
// every kernel, reversible or not, since I - P' = (1 - p)(I - P).
//
// Thinning: at stationarity the mean of m N samples has at most the mean squared error of the mean of every m-th of them, whatever the
// kernel, the function and N (MacEachern and Berliner 1994). For the mean of all is the average of m thinned means, one for each offset; at
// stationarity these have the same error, and the square is convex. Where N samples are thinned by an m that does not divide N, this is no
// theorem: a chain that goes around four states in turn has samples x, y, -x, ..., and of three of them the first and the third have the mean zero, while the mean of all is y/3.
//
// Of each comparison people see the limit, +Inf, where errors are N times those of the mean, and the N that is worst for the order:
//
//	$ breadboard samplers order --toy random:4:1:4 --function g --thin 2 -N 1,2,3,4,5
//	 toy          │ check    │ kernel 1   │ kernel 2            │ function │    N │  error 1 │  error 2 │        ratio │ verdict
//	──────────────┼──────────┼────────────┼─────────────────────┼──────────┼──────┼──────────┼──────────┼──────────────┼───────────────────
//	 random:4:1:4 │ lazy     │ metropolis │ lazy:0.5:metropolis │ g        │ +Inf │  27.5618 │  27.5618 │            1 │ holds
//	 random:4:1:4 │ thinning │ metropolis │ repeat:2:metropolis │ g        │ +Inf │  13.2809 │  13.4441 │  0.987862485 │ holds
//	 random:4:1:4 │ thinning │ metropolis │ repeat:2:metropolis │ g        │    5 │ 0.622199 │ 0.641607 │ 0.9697502106 │ holds
//	 random:4:1:4 │ peskun   │ metropolis │ barker              │ g        │ +Inf │  13.2809 │  15.9965 │ 0.8302391579 │ holds
//	 random:4:1:4 │ peskun   │ metropolis │ barker              │ g        │    3 │ 0.845981 │ 0.845481 │  1.000591039 │ fails at finite N
//	 random:4:1:4 │ lazy     │ barker     │ lazy:0.5:barker     │ g        │ +Inf │   32.993 │   32.993 │            1 │ holds
//	 random:4:1:4 │ thinning │ barker     │ repeat:2:barker     │ g        │ +Inf │  15.9965 │  16.1416 │ 0.9910134231 │ holds
//	 random:4:1:4 │ thinning │ barker     │ repeat:2:barker     │ g        │    5 │ 0.643596 │ 0.661264 │ 0.9732817079 │ holds
package rank
