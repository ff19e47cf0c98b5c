// Package exact answers: how far is the output of an annealed sampler from its target, and how far does the bound say it
// is? Solve propagates whole distributions through annealing chains and gives J, B and both one-sided divergences, in nats;
// Check computes them again by other routes. It contains no randomness, never renormalises, and returns an error where it
// cannot keep its promise.
//
// The packages in its directory answer other questions: program (what is the law of any program?), kernel (is a kernel
// right, and how good is it?), stages (where does B arise?), weights (what is the law of the log weight?), gradient (how
// does J change with the schedule?), geometry (how long is the path?) and certified (how many digits are certain?).
//
// # Accuracy
//
// J, B and both one-sided divergences are within 1e-12 relative of the exact value for T up to 10^6, for
// targets whose log range is in the thousands. Propagating probabilities and subtracting at the end would
// lose every digit of a J near 1e-8; instead
//
//   - the forward chain is carried as its deviation u = q/p_t - 1 from the current distribution, where every
//     divergence is a sum of non-negative terms in u;
//   - the reverse chain is carried as its adjoint, A_t(x) = E_rev[log w of the stages up to t | x_t = x] minus
//     what that would be with perfect mixing. Both obey the same averaging, u <- T~_t u and A <- T~_t A with T~_t the
//     time reversal of the kernel, so that one sweep over t yields both directions;
//   - B is summed as sum_t sum_x (p_{t-1} - p_t)(l - A) + p_{t-1} u l with l = log(p_{t-1}/p_t). Every term is
//     of second order in the step, and terms of first order are never subtracted from each other;
//   - ratios q/p_t that leave the range of float64 are carried with a wider exponent (number.Wide).
//
// What limits the accuracy is the rounding of p_{t-1}/p_t - 1. Where a kernel takes away all but a thousandth of the
// change that a step makes, J has lost digits, and Solution.Notes say how many are left. Expected log weights and the
// log Z ratio are accurate to 1e-12 of their size or of one nat, whichever is larger. Where these, or B, are small
// differences of large terms, as on a path that leads away from both ends, Solution.ErrorB and ErrorLogW say how large
// the rounding errors may be, and so do the notes. A constant in log f costs no digits, because paths are centred (see
// chains.Path) and the constant is added again at the end.
package exact
