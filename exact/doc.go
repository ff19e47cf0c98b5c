// Package exact answers: how far is the output of an annealed sampler from its target, and how far
// does the bound say it is? Solve propagates whole distributions through annealing chains and gives
// J, B and both one-sided divergences, in nats; Check computes them again by other routes. It
// contains no randomness, never renormalises, and returns an error if it cannot keep its promise.
//
// The packages in its directory answer other questions: program (what is the distribution of any
// program?), kernel (is a kernel right, and how good is it?), averages (how far off are averages
// over a chain?), stages (where does B arise?), weights (what is the distribution of the log
// weight?), smc and distributions (how good are estimates of Z?), gradient (how does J change with
// the schedule?), replicas (how good is parallel tempering?) and certified (how many digits are
// certain?).
//
// # Three methods
//
// Solve has three methods, and takes the first that applies. Solution.Method says which one it was.
//
//   - stencil: Metropolis on a lattice or a hypercube, flip on axes of two values, or Moore's kernel on a plane of at most seven columns
//     and 64 rows, on a geometric path between ends that are positive everywhere and span at most 600 nats, in small steps. No rows
//     are formed, and no edges are listed.
//   - applied: any other kernel of the library on such a path, in steps of up to 4 nats. The kernel is applied to functions on
//     the states, a combination as its parts, and no rows are formed.
//   - general: everything else. Any kernel, also from outside, any path, zeros of f, and any range of log f up to MaxLogRange.
//     The rows of the kernel are formed at every stage, those of a sequence of the library for each of its parts.
//
// The first two work in plain float64. If they find that digits would be lost, the next method
// starts anew.
//
// # Classes
//
// If zeros or the kernel leave sets of states between which no chain ever moves, J does not tend to
// zero. Solve finds these classes and says in Solution.Reach, and in a note, what J tends to or is
// never below. The general method joins the states that a stage's kernel moves between, from the
// rows of kernels that are not of the library, and from the zeros alone of those that are. If a
// kernel of the library is known to join all states, and no distribution has a zero, nothing is
// looked at.
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
//   - where q/p_t is far from one it is carried itself, because u = q/p_t - 1 would lose its digits. The general method
//     gives it a wider exponent than that of float64 (number.Wide).
//
// What limits the accuracy is the rounding of p_{t-1}/p_t - 1. If a kernel takes away all but a
// thousandth of the change that a step makes, J has lost digits, and Solution.Numbers says how many
// are left. Expected log weights and the log Z ratio are accurate to 1e-12 of their size or of one
// nat, whichever is larger. If these, or B, are small differences of large terms, as on a path that
// leads away from both ends, Solution.ErrorB and ErrorLogW say how large the rounding errors may
// be, and so does Solution.Numbers. A constant in log f costs no digits, because paths are centred
// (see chains.Path) and the constant is added again at the end.
//
// # What holds it to that
//
// J, B and both one-sided divergences agree with a separate program in 113-bit arithmetic (testdata/reference.c) to 1e-13 at
// every one of its points: the three toys from T = 2 to T = 10^6, other schedules, kernels, sizes and seeds, and targets whose
// log f spans 2000. At EASY with T = 10^6 J is 1.06e-8. Random annealings of hostile magnitudes (constants of 1e12 in log f,
// targets flat to 1e-12, ties, zeros, ranges of hundreds of nats, on every path, start, schedule and kernel) are held to 240
// bits: each number is right to 1e-12, or Solution.Numbers has a bound on its error. Inside the program every number has a
// second route (Check): the sum over pairs of states of the paper's Eq. 23, probabilities instead of deviations, and a walk
// over all n^T paths on tiny spaces.
//
// # Cost
//
// For n states and a kernel that reaches k others in a move, a step of both directions together takes
//
//   - stencil: O(n k) time and O(n) memory, with one exponential for each state only now and then, where the schedule is
//     linear. Options.Workers share a large lattice, and so they do below;
//   - applied: O(n k) for local kernels, O(n) for each part of a heat bath, for an independence proposal and for the jumps of
//     jump, and for a combination what its parts take together. Memory is O(n k) for local kernels, else O(n);
//   - general: O(n k) time and memory with about one exponential for each state, where k counts all that a row may lead to, as
//     n for jump and independence. The rows of a sequence are those of its parts, unless multiplying these out is cheaper.
//
// Memory does not depend on T. On amd64 the vectors of the processor are used (see Vectors), and the bytes of every
// result are the same without. BenchmarkTable times the solver beside plain programs in C and in NumPy on the
// same problems, and prints the ratios: go test ./exact -run XXX -bench Table -benchtime 1x. On one core of an AMD EPYC (Zen 5) a
// step of the paper's kernel on 7x7 takes 37 ns with AVX-512, 65 ns with AVX2 and 215 ns in plain Go, where plain C (gcc -O3
// -march=native, an exponential an edge, two sweeps) takes 770; moore 52, 109 and 400 ns, where C takes 1280; on 256x256 140 us with
// AVX-512, where C takes 1110; single flips on 2^16 states 1.5 ms. On one core of a Xeon of 2.6 GHz barker took 503 ns, heatbath
// 693, heatbath-scan 630, jump:0.05 1.6 us.
package exact
