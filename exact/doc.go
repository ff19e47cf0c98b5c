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
//
// # What holds it to that
//
// J, B and both one-sided divergences agree with a separate program in 113-bit arithmetic (testdata/reference.c) to 1e-13 at
// every one of its points: the three toys from T = 2 to T = 10^6, other schedules, kernels, sizes and seeds, and targets whose
// log f spans 2000. At EASY with T = 10^6 J is 1.06e-8. Random annealings of hostile magnitudes (constants of 1e12 in log f,
// targets flat to 1e-12, ties, zeros, ranges of hundreds of nats, on every path, start, schedule and kernel) are held to 240
// bits: each number is right to 1e-12, or a note says how many digits it has lost. Inside the program every number has a
// second route (Check): the sum over pairs of states of the paper's Eq. 23, probabilities instead of deviations, and a walk
// over all n^T paths on tiny spaces.
//
// # Cost
//
// One step of the 7x7 solver (J, B and both divergences, both directions) takes 207 ns on one core of an AMD EPYC (Zen 5),
// 0.26 of the 803 ns of a plain C program with one exp an edge and two sweeps (gcc -O2), which has lost six digits of J at
// T = 10^6. On 256x256 it takes 322 us against 1299 us. Other kernels than the paper's cost 11 us a step on 7x7.
// Memory does not depend on T. To measure on another machine: go test ./exact ./chains/simulate ./experiments/ais
// -run XXX -bench .
package exact
