// Package exact answers: what is the true number? It enumerates kernels, propagates whole distributions
// through annealing chains, and computes divergences, bounds and expected log weights from them, in nats.
// It contains no randomness, never renormalises, and returns an error where it cannot keep its promise.
//
// # Accuracy
//
// J, B and both one-sided divergences are within 1e-12 relative of the exact value for T up to 10^6, for
// targets whose log range is in the thousands. Propagating probabilities and subtracting at the end would
// lose every digit of a J near 1e-8; instead
//
//   - the forward chain is carried as its deviation u = q/p_t - 1 from the current distribution, where every
//     divergence is a sum of non-negative terms in u;
//   - the reverse chain is carried as its adjoint, A_t(x) = E_rev[log w of the stages below t | x_t = x], less
//     what it would be with perfect mixing. Both obey the same averaging, u <- T~_t u, A <- T~_t A, so that
//     one sweep over t yields both directions;
//   - B is summed as sum_t sum_x (p_{t-1} - p_t)(l - A) + p_{t-1} u l with l = log(p_{t-1}/p_t): every term is
//     of second order in the step, and nothing of first order is ever subtracted;
//   - ratios q/p_t that leave the range of float64 are carried with a wider exponent (type wide).
//
// What limits this is the rounding of p_{t-1}/p_t - 1: where a kernel takes away all but a thousandth of the
// change that a step makes, J has lost digits, and Solution.Notes says how many are left. Expected log weights
// and the log Z ratio are accurate to 1e-12 of their size or of one nat, whichever is larger. Where these, or B, are small
// differences of large terms, as on a path that leads away from both ends, Solution.ErrorB and ErrorLogW say what rounding
// may have done, and so do the notes. A constant in log f costs nothing: paths are centred (chains.Path), and it is added
// again at the end.
//
// # Kernels from outside
//
// What is not of the library (chains.OfLibrary) is examined at every stage by its rows: its own word counts for
// nothing. A state may gain or lose in one move, as a part of its own probability, 16 times 2^-52 (7 + the largest
// |log f| in nats + the choices of a Move, or the entries of a row, + the moves of a sequence, else 1); and where
// entries come from states that are much likelier, and may have been made by subtraction from one or lack what
// enumeration has left out, what 8 2^-52 and that remainder amount to, but at most 1e-9. A kernel that does more is
// refused, with the stage, the state and the flow to blame. It need not be reversible: its time reversal has the
// flows turned round, p(x) T(x,y) / p(y), unless all of them equal the flow back to within 2 of the above units of
// rounding; the rows are then their own reversal, which keeps the digits of entries that float64 cannot hold.
// Solution.Notes says how many digits are left where the rows cost promised ones. Check does without the reversal:
// it takes the forward flows back.
//
// # The law of the log weight
//
// LogWeightLaw gives the distribution of log w, not only its mean. Where the increments lie on a lattice it is a
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
//
// Package certified computes J, B and both divergences again, in any precision and with a bound on its own error.
package exact
