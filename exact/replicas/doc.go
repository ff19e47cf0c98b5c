// Package replicas computes exact properties of parallel tempering (chains/tempering): the swap
// probabilities and the barrier of the path, the round trips per scan, the asymptotic variance of
// averages over the cold chain, the distribution of the cold chain after a number of scans, and the
// mean and variance of the estimates of log Z. Every number is exact for the given kernel; only
// Formula and Laws.Ideal assume perfect exploration. Laws has the quantities of each rung by
// itself, for any number of rungs; Replicas needs the joint distribution of all rungs. It does not
// tune a ladder.
//
// # Conventions
//
// Those of chains/tempering. A scan is observed after its swaps. The first scan proposes swaps of
// the even pairs.
//
// A replica's label is up since its last visit to rung 0, and down since its last visit to rung N.
// A round trip is completed on arrival at rung 0 with the label down. The rate is the expected
// number of completions in a scan, summed over all N+1 replicas, at stationarity; one replica takes
// (N+1)/rate scans for a round trip on average. Syed et al. 2022 count the same. With u_i(x) the
// probability that the replica at rung i is up, given that all replicas stand at x, the labels of
// different replicas need not be known together: (N-1) n^(N+1) unknowns are enough. A scan applies
// the time reversals of the kernels to u_i, and then turns each pair with a proposed swap, of
// acceptance a(x), into
//
//	u_i <- (1 - a) u_i + a (u_(i+1) after the swap), and u_(i+1) alike,
//
// with u_0 = 1 and u_N = 0 thereafter. Then rate = 1/2 E[a_0 (1 - u_1)] = 1/2 E[a_(N-1) u_(N-1)]:
// the flow down at one end equals the flow up at the other. With N = 1 there is no unknown, and the
// rate is (1 - r)/2 for every kernel, even one that never moves: round trips do not show that it
// mixes.
//
// Formula is the rate for perfect exploration between swaps: 1/(2 + 2 sum r_i/(1 - r_i)) for DEO,
// and 1/(2N + 2 sum r_i/(1 - r_i)) for SEO.
//
// # Digits
//
// Functions of the joint state are multiplied by the square root of its probability, so that rare
// states need few digits, and systems are solved by GMRES down to rounding. Distributions are held
// as deviations from stationarity. Their component along the stationary distribution, which is
// rounding, is removed after each scan, so that a distance of 1e-15 keeps its digits.
//
// Sources: Predescu, Predescu and Ciobanu 2004 (the barrier); Syed, Bouchard-Cote, Deligiannidis
// and Doucet 2022 (the formula); Xie et al. 2011 (stepping stone).
package replicas
