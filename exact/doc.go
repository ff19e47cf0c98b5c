// Package exact computes how far the output of an annealed sampler is from its target, and the
// bidirectional Monte Carlo bound on this distance. Solve propagates whole distributions through
// annealing chains and gives J, B and both one-sided divergences, in nats. Check computes them
// again by independent methods. There is no randomness and no renormalisation. If the stated
// accuracy is not reached, Solve reports the loss of digits, or fails.
//
// Begin with [Solve], its [Options] and [Solution], and [Check]; kernel.Diagnose, of which
// Diagnosis has the verdict; program.Enumerate, of which Law is the answer. placement.Optimize in
// experiments has the best schedule. A whole program is in examples/module.
//
// The packages in its directory answer other questions: program (what is the distribution of any
// program?), kernel (is a kernel right, and how good is it?), averages (how far off are averages
// over a chain?), stages (where does B arise?), weights (what is the distribution of the log
// weight?), smc and laws (how good are estimates of Z?), gradient (how does J change with the
// schedule?), replicas (how good is parallel tempering?) and certified (how many digits are
// certain?).
//
// # Three methods
//
// Solve has three methods, and takes the first that applies. It is named in Solution.Method.
//
//   - stencil: Metropolis on a lattice or a hypercube, flip on axes of two values, or Moore's kernel
//     on a plane of at most seven columns and 64 rows, on a path whose distributions are positive
//     everywhere and span at most 600 nats, in steps of up to ten nats. No rows are formed, and no
//     edges are listed.
//   - applied: any other kernel of the library on such a path, in steps of up to 4 nats. The kernel
//     is applied to functions on the states, a combination part by part, and no rows are formed.
//   - general: everything else. Any kernel, including your own, any path, zeros of f, and any range
//     of log f up to MaxLogRange. The rows of the kernel are formed at every stage, those of a
//     sequence of the library for each of its parts.
//
// The first two work in plain float64. If they find that digits would be lost, the next method
// starts from the beginning.
//
// # Classes
//
// If zeros or the kernel leave sets of states between which no chain ever moves, J does not tend to
// zero. Solve finds these classes, and reports in Solution.Reach and in a note the limit of J, or a
// lower bound on J for all T. The general method finds the classes from the rows of kernels that
// are not of the library, and from the zeros alone for kernels that are. If a kernel of the library
// is known to connect all states, and no distribution has a zero, nothing is examined.
//
// # Accuracy
//
// J, B and both one-sided divergences are within 1e-12 relative of the exact value for T up to
// 10^6, for targets whose log range is in the thousands. Propagating probabilities and subtracting
// at the end would lose every digit of a J near 1e-8; instead
//
//   - the forward chain is carried as its deviation u = q/p_t - 1 from the current distribution, of
//     which every divergence is a sum of non-negative terms;
//   - the reverse chain is carried as its adjoint, A_t(x) = E_rev[log w of the stages up to t | x_t
//     = x] minus its value under perfect mixing. Both obey the same averaging, u <- T~_t u and A <-
//     T~_t A with T~_t the time reversal of the kernel, so that one sweep over t yields both
//     directions;
//   - B is summed as sum_t sum_x (p_{t-1} - p_t)(l - A) + p_{t-1} u l with l = log(p_{t-1}/p_t).
//     Every term is of second order in the step, and terms of first order are never subtracted
//     from each other;
//   - if q/p_t is far from one it is carried itself, because u = q/p_t - 1 would lose its digits.
//     The general method gives it a wider exponent than that of float64 (number.Wide).
//
// The accuracy is limited by the rounding of p_{t-1}/p_t - 1. If a kernel removes all but a
// thousandth of the change of a step, J has lost digits, and Solution.Numbers bounds its error.
// Expected log weights and the log Z ratio are accurate to 1e-12 of their size or of one nat,
// whichever is larger. If these, or B, are small differences of large terms, as on a path that
// leads away from both ends, Solution.ErrorB, ErrorLogW and Solution.Numbers bound the rounding
// errors. A constant in log f costs no digits, because paths are centred (see chains.Path) and the
// constant is added again at the end.
//
// # How the accuracy is tested
//
// J, B and both one-sided divergences agree with a separate program in 113-bit arithmetic
// (testdata/reference.c) to 1e-13 at every one of its points: the three toys from T = 2 to T =
// 10^6, other schedules, kernels, sizes and seeds, and targets whose log f spans 2000. At EASY with
// T = 10^6 J is 1.06e-8. Random annealings of hostile magnitudes (constants of 1e12 in log f,
// targets flat to 1e-12, ties, zeros, ranges of hundreds of nats, on every path, start, schedule
// and kernel) are compared at 240 bits: each number is right to 1e-12, or Solution.Numbers has a
// bound on its error. The program itself checks every number by an independent method (Check): the
// sum over pairs of states of Eq. 23 of Grosse, Ancha and Roy (2016), probabilities instead of
// deviations, and on tiny spaces an enumeration of all n^T paths.
//
// # Cost
//
// For n states and a kernel that reaches k others in a move, a step of both directions together
// takes
//
//   - stencil: O(n k) time and O(n) memory, with one exponential for each state only now and then
//     if the schedule is linear. Options.Workers share the work on a large space, here and below;
//   - applied: O(n k) for local kernels, O(n) for each part of a heat bath, for an independence
//     proposal and for the jumps of jump; for a combination, the sum over its parts. Memory is O(n
//     k) for local kernels, else O(n);
//   - general: O(n k) time and memory with about one exponential for each state, where k counts all
//     entries of a row, such as n for jump and independence. The rows of a sequence are those of
//     its parts, unless multiplying these out is cheaper.
//
// Memory does not depend on T. On amd64 vector instructions are used (see Vectors); every result
// has the same bytes without them. BenchmarkSolve reports the time of a step: go test ./exact -run
// ^$ -bench Solve. On one core of an AMD EPYC (Zen 5) a step of Metropolis on 7x7 takes 37 ns with
// AVX-512, 65 ns with AVX2 and 215 ns in plain Go, where plain C (gcc -O3 -march=native, an
// exponential an edge, two sweeps) takes 770; moore takes 52, 109 and 400 ns, and C 1280; on
// 256x256 it is 140 us with AVX-512, and 1110 us in C; single flips on 2^16 states 1.5 ms. On one
// core of a Xeon of 2.6 GHz barker took 503 ns, heatbath 693, heatbath-scan 630, jump:0.05 1.6 us.
package exact
