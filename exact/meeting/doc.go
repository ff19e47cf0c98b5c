// Package meeting answers: when do two coupled chains meet, and how good is the bound on the
// distance from the target that their meeting gives? A coupling of two chains on n states is one
// chain on n^2 pairs, and everything about it is exact: the distribution of the meeting time, the
// bound with lag L on the total variation distance (Biswas, Jacob and Vanetti 2019) beside the
// distance itself, and the numbers of moves after which the one and the other are small. It draws
// nothing at random, and it refuses a coupling whose chains do not move by their kernel.
//
// # Conventions
//
// The chain X begins at time 0 from a distribution nu, and Y, independently, from nu too. X moves
// alone up to time L, the lag, which is 1 or more; from then on the pair (X_t, Y_{t-L}) moves by
// the coupling. The meeting time tau is the least t >= L with X_t = Y_{t-L}. (Biswas et al. ask for
// t > L; then a pair that begins equal meets at L + 1, and their bound at 0 is larger by the
// probability of that.)
//
// Q is the transition matrix of unequal pairs among themselves, a_L the distribution of the pair at
// time L on these, and V = (I-Q)^-1 1 the mean number of moves until a pair has met. Then
//
//	P(tau > L+s) = a_L Q^s 1,   E tau = L + a_L V,   d_L(t) = sum over j >= 1 of P(tau > t + jL) = a_L Q^t (I - Q^L)^-1 1,
//
// and TV(nu T^t, p) <= D_L(t) <= d_L(t) with D_L(t) = sum over j >= 0 of TV(nu T^(t+jL), nu
// T^(t+(j+1)L)), which is what the best coupling with that lag would give, if nu T^t tends to p:
// from a distribution that gives the classes of the kernel other masses than p it does not, and
// then neither bounds anything (Law.Floor). So d/TV = (D/TV)(d/D): what the triangle inequality
// loses, and what the coupling loses. No bound is capped at one.
//
// # Digits
//
// I - Q is singular up to 1/E tau. Systems are solved by elimination without a subtraction, in which the pivot is the sum of the other entries of
// the row and its exits to equal pairs (Grassmann, Taksar and Heyman 1985), so that V has nearly all digits for chains that meet after 1e5 moves
// as for those that meet after ten. Powers of Q keep them too (linear.Stochastic), and one minus the tail rate is a number of its own. What is lost is
// in the rows of the coupling, where the kernel makes a choice by a probability near one; Solved.Lost bounds it by how far each chain alone misses the
// small probabilities of the kernel.
//
// More than MaxSolved pairs are too many for that. Their systems are solved by iteration, and Off
// says how far the numbers may be off by what is missing in the end: as the inverse of I - Q has no
// negative entry, an error of V is nowhere more than the largest residual times V itself. Usually
// that is one unit in the last place; if chains meet so seldom that it would be more than a
// millionth, it is an error.
package meeting
