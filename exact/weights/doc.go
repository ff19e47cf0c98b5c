// Package weights answers: what is the law of the log weight of annealed importance sampling? It gives the distribution,
// the moments, the cumulant generating function, and the expected bounds of many samples, each with a bound on its error, in
// nats. It never estimates: what it cannot prove it does not give as a bound.
//
// # The law of the log weight
//
// LawsOf gives the distribution of log w, not only its mean. Where the increments lie on a lattice it is a
// table. Else log w takes n^T values, and what can be computed is its transform E[w^s] at any complex s: mass that
// is multiplied by (f_t/f_{t-1})^s on its way. A distribution function follows from it at finitely many frequencies,
// with bounds that need no assumption on the law:
//
//   - log w lies between the sum of the least and the sum of the greatest increments; where Chernoff's bounds from
//     E[w^s] are narrower they serve as well, and what they leave out, below 1e-17, is added to the rounding. Put that
//     range on a circle of a longer period P, y = (log w - low)/P in [0, 1), c = (x - low)/P. With psi(y) = y -
//     floor(y) - 1/2, the indicator of y < c is c + psi(y - c) - psi(y) exactly, and E psi(y) = E[y] - 1/2 is the mean
//     of log w. Nothing is wrapped, and no integral is discretised: what is left is E psi(y - c).
//   - Vaaler's trigonometric polynomial V of degree N satisfies |psi(y) - V(y)| <= F(y)/(2(N+1)) for every y, with
//     F = sum over |k| <= N of (1 - |k|/(N+1)) exp(2 pi i k y) >= 0, Fejér's kernel (Vaaler 1985, theorem 18). The
//     expectations of both sides are sums over the characteristic function at 2 pi k/P, k <= N.
//
// So P(log w < x) is in a Bracket whose half width is P/(2(N+1)) times the density of log w at x, smoothed by
// Fejér's kernel, plus the rounding; no bounds from so many frequencies can be much better, and at an atom of the law
// none can be narrower than the atom. Where the characteristic function has died out long before N, the Fourier
// series of psi itself, cut off at N, is the value within the bracket; it has many more digits than can be proven.
//
// The likeliest atoms are known apart: chains that stay where they are as long as it matters. They are taken out of
// both sides, and added again as the steps that they are.
//
// The law of the difference between a reverse and a forward log weight has the product of one transform with the
// conjugate of the other.
//
// # Bounds of many samples
//
// MultiSampleBounds needs Phi(t) = E exp(-t w) for t > 0. From exp(-x) = 1/(2 pi i) times the integral of
// Gamma(z) x^-z along Re z = c > 0, Phi(t) is the integral of Gamma(z) t^-z E[w^-z], with no law in between. Gamma
// dies out like exp(-pi |Im z|/2). The trapezoidal rule with step h is the same integral of the function that
// repeats with the period 2 pi/h in log x, so that its error is a sum with known bounds. Left of the poles at 0 and
// -1 the integral is of exp(-x) - 1 and of exp(-x) - 1 + x, which keeps the digits of 1 - Phi where that is small; at
// each t the line with the least bound on its rounding is taken. MultiSample.Error is the sum of these bounds over
// the integral in log t, each times what it does to the power K of Phi.
package weights
