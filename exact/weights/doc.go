// Package weights computes the distribution of the log weight of annealed importance sampling: the
// distribution itself, the moments, the cumulant generating function, and the expected bounds of
// many samples, each with a bound on its error, in nats. All bounds are proven.
//
// # The distribution of the log weight
//
// LawsOf gives the distribution of log w, not only its mean. If the increments lie on a lattice it
// is a table. Else log w takes up to n^T values. Its transform E[w^s] can still be computed at any
// complex s, by propagating mass that is multiplied by (f_t/f_{t-1})^s at each stage. The transform
// at finitely many frequencies gives the distribution function with bounds that need no assumption
// on the distribution:
//
//   - log w lies between the sum of the least and the sum of the greatest increments. If Chernoff's
//     bounds from E[w^s] are narrower they are used, and the probability that they leave out, below
//     1e-17, is added to the bound on rounding. That range is put on a circle with a longer period
//     P: y = (log w - low)/P in [0, 1) and c = (x - low)/P. With psi(y) = y - floor(y) - 1/2, the
//     indicator of y < c is exactly c + psi(y - c) - psi(y), and E psi(y) = E[y] - 1/2 follows from
//     the mean of log w. As the period is longer than the range, no two values fall on one point of
//     the circle, and no integral is discretised: only E psi(y - c) is left to compute.
//   - Vaaler's trigonometric polynomial V of degree N satisfies |psi(y) - V(y)| <= F(y)/(2(N+1)) for every y, with
//     F = sum over |k| <= N of (1 - |k|/(N+1)) exp(2 pi i k y) >= 0, Fejér's kernel (Vaaler 1985, theorem 18). The
//     expectations of both sides are sums over the characteristic function at 2 pi k/P, k <= N.
//
// So P(log w < x) is in a Bracket whose half width is P/(2(N+1)) times the density of log w at x,
// smoothed by Fejér's kernel, plus the bound on rounding. No bounds from N frequencies can be much
// better, and at an atom of the distribution none can be narrower than the atom. If the
// characteristic function has died out long before N, the value within the bracket comes from the
// Fourier series of psi itself, cut off at N; it then has many more digits than can be proven.
//
// The likeliest atoms are those of chains that stay at one state x_1 = ... = x_{T-1}. They are
// computed directly, removed from the distribution before inversion, and added back as steps.
//
// The distribution of the difference between a reverse and a forward log weight has the product of
// one transform with the conjugate of the other.
//
// # Bounds of many samples
//
// MultiSampleBounds needs Phi(t) = E exp(-t w) for t > 0. From exp(-x) = 1/(2 pi i) times the
// integral of Gamma(z) x^-z along Re z = c > 0, Phi(t) is the integral of Gamma(z) t^-z E[w^-z],
// for which the distribution of w itself need not be known. Gamma(z) falls off like exp(-pi |Im
// z|/2). The trapezoidal rule with step h gives a sum over copies of the function that are shifted
// by multiples of 2 pi/h in log x, each times a known factor. The error of the rule is the sum of
// all copies but one, which is bounded. On a line with -1 < Re z < 0 the integral gives exp(-x) -
// 1, and with -2 < Re z < -1 it gives exp(-x) - 1 + x. These keep the digits of 1 - Phi if it is
// small. At each t the line with the smallest error bound is taken. MultiSample.Error is the
// integral of these bounds over log t, each multiplied by its effect on the power K of Phi.
package weights
