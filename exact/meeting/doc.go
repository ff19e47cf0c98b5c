// Package meeting computes when two coupled chains meet, and how tight the resulting bound on the
// distance from the target is. A coupling of two chains on n states is one chain on n^2 pairs. All
// results are exact: the distribution of the meeting time, the bound with lag L on the total
// variation distance (Biswas, Jacob and Vanetti 2019), the distance itself, and the numbers of
// moves after which the bound and the distance are small. A coupling whose chains do not move by
// their kernel is an error.
//
// # Conventions
//
// The chains X and Y begin independently from a distribution nu. X begins at time 0, and moves
// alone up to time L, the lag, which is 1 or more; from then on the pair (X_t, Y_{t-L}) moves by
// the coupling. The meeting time tau is the least t >= L with X_t = Y_{t-L}. (Biswas et al. ask for
// t > L; then a pair that begins equal meets at L + 1, and their bound at 0 is larger by the
// probability of that.)
//
// Q is the transition matrix of unequal pairs among themselves, a_L the distribution of the pair at
// time L on these, and V = (I-Q)^-1 1 the mean number of moves until a pair has met. Then
//
//	P(tau > L+s) = a_L Q^s 1,   E tau = L + a_L V,
//	d_L(t) = sum over j >= 1 of P(tau > t + jL) = a_L Q^t (I - Q^L)^-1 1,
//
// and TV(nu T^t, p) <= D_L(t) <= d_L(t) with D_L(t) = sum over j >= 0 of TV(nu T^(t+jL), nu
// T^(t+(j+1)L)), which is the bound of the best coupling with that lag. This holds if nu T^t tends
// to p. It does not if nu and p give the classes of the kernel different masses, and then neither
// is a bound (Law.Floor). So d/TV = (D/TV)(d/D): the loss by the triangle inequality times the loss
// by the coupling. Bounds are not capped at one.
//
// # Digits
//
// I - Q is singular up to 1/E tau. Systems are solved by elimination without a subtraction: the
// pivot is the sum of the other entries of the row and its exits to equal pairs (Grassmann, Taksar
// and Heyman 1985). So V has nearly all digits, even for chains that meet after 1e5 moves. Powers
// of Q keep them too (linear.Stochastic), and one minus the tail rate is computed directly. Digits
// are lost in the rows of the coupling if the kernel makes a choice with a probability near one;
// Solved.Lost bounds this loss by the errors of the marginals of each chain at small probabilities
// of the kernel.
//
// For more than MaxSolved pairs systems are solved by iteration, and Off bounds the error by the
// final residual: as the inverse of I - Q has no negative entry, an error of V is at most the
// largest residual times V itself. Usually that is one unit in the last place. If chains meet so
// seldom that it would be more than a millionth, the computation fails.
package meeting
