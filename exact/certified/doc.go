// Package certified determines how many digits of a float64 answer are right. It computes J, B and
// both divergences of an annealing again in binary floating point of any precision (math/big), in
// the plainest form: the whole distribution is pushed forward, the reverse chain's expected log
// weight is averaged over the rows of the kernel, and divergences are computed by their
// definitions. It does not use the numerical code of package exact.
//
// # The bound
//
// Every result carries a bound on its own error, which is derived here. Let u = 2^-bits. An
// operation of math/big returns the exact result times 1 + d, with |d| <= u. For exp and expm1 of
// this package |d| <= 2u, and log has an error of at most 2u (1 + |log|): these functions work with
// 64 more bits, lose less than 60 of them, and round once at the end. Their arguments and the steps
// s of beta have the 64 more bits too: an error of 2^-20 u in a step changes exp(-s g) by less than
// u/100 for any g up to 10^4, which is within the 2u.
//
// A sum of non-negative terms, each of which has gone through at most k roundings, is off by a
// factor between 1 - g_k and 1 + g_k, with g_k = ku/(1 - ku). So it is enough to count roundings as
// long as nothing is subtracted:
//
//   - rho_t = f_t(y)/f_t(x) <= 1 of an edge is the product of exp(-s (g(x) - g(y))) over the steps s so far: at
//     most 3t roundings, those of the exponential and the product of each step. The probabilities of Barker's rule,
//     1/(1 + rho) and rho/(1 + rho), have at most 6t + 3;
//   - the probability 1 - rho_t with which Metropolis rejects is summed from the numbers rho_{t-1}
//     (1 - exp(-s (g(x) - g(y)))) >= 0, if the parenthesis is computed by expm1. With D directions
//     the sum over the edges of a state and all steps has at most (D + 3)t + 3;
//   - one step of q: the share 1/D of the mass (2), for Barker the sum of both ends (1), the product with one of these
//     numbers, the sum of what arrives (D): (D + 6)t + D + 8 more than before. From q_1 = 1/n that makes at most
//     (D + 6)/2 T^2 + (3D/2 + 11)T + 1 for q_T;
//   - the adjoint A_t(x) = E_rev[sum of s (g - min g) | x_t = x] >= 0 takes the same step, with 5
//     more for the term of a stage: at most (D + 6)/2 T^2 + (3D/2 + 16)T;
//   - F = E_fwd[sum of s (g - min g)] has those of q, n + T for its two sums and 5 for its terms, and
//     E = E_rev[same] = sum p_T A_T those of A, n + 5 of p_T, and n + 1 for its sum.
//
// None is more than K = (D + 6)/2 T^2 + (2D + 20)T + 2n + 16. Let K u <= 2^-40, which Solve
// requires. Then B = E - F, the one number with a subtraction, is off by at most
//
//	2Ku (E + F).
//
// KL(q||p) = sum q L, L = log(q/p): the quotient q/p has at most K roundings, so L is off by 2Ku +
// 2u (1 + |L|), and with the roundings of q, of the product and of the sum over n states the whole
// is off by at most
//
//	4Ku (1 + sum q |L|),
//
// KL(p||q) likewise, and J by the sum of both. At T = 10^5 and 256 bits Ku is 2^-220, and no bound
// is above 1e-60.
//
// # Classes of states
//
// On the classes of a quotient, x has a whole number of members, and a whole number of its
// proposals lead to each class: these are exact, and g is the difference of both ends of the path
// as float64 holds it. D is then the largest number of moves of a class. The products with whole
// numbers add a rounding to each term of the rejections, and one to each mass that a step moves, so
// that a step of q has at most (D + 6)t + D + 10 more; q_1 = m/sum m has n + 3, and p_T two more.
// None is more than K = (D + 6)/2 T^2 + (2D + 24)T + 4n + 32, and the rest is as above.
package certified
