// Package kernel checks and diagnoses Markov kernels. It enumerates the choices of a kernel's Move
// into the exact rows of its transition matrix, examines whether these leave a distribution
// invariant, computes the time reversal, and gives the spectral gap and asymptotic variances. It
// never repairs wrong rows.
//
// # Kernels from outside
//
// A kernel from outside is one that is not of the library (chains.OfLibrary). Its own statements
// are not trusted: its rows are examined at every stage. With the unit u = 2^-52 (7 + the largest
// |log f| in nats + the choices of a Move, or the entries of a row in closed form, + the moves of a
// sequence, else 1), a state may gain or lose in one move, relative to its own probability, 16 u.
// It may gain or lose more if entries come from states x that are much likelier, because such
// entries may have been computed by subtraction from one, or lack the probability that enumeration
// has left out: 8 2^-52 p(x) and that remainder times p(x), but at most 1e-9 in all. For a
// larger change it returns an error that names the stage, the state and the flow that is farthest
// from balance.
//
// A kernel from outside need not be reversible. Its time reversal is made from its flows, as p(x)
// T(x,y) / p(y), unless all flows equal the flows back to within 2 u. The rows are then their own
// reversal, which keeps the digits of entries that float64 cannot hold. If the rows cost digits of
// the stated accuracy, Solution.Notes of package exact report how many remain. Check of that
// package does not use the reversal: it sends probability back along the forward flows.
//
// # Large spaces
//
// On up to DenseStates states, Diagnose computes all eigenvalues, and solves linear systems by
// elimination. Beyond that, to MaxDiagnosisStates, it only multiplies by the entries of the
// symmetric matrix S(x,y) = sqrt(T(x,y) T(y,x)) of a reversible kernel, and bounds the error:
//
//   - The gap is the quadratic form of a vector v that Lanczos has found, as a sum of squares, so
//     that a small one has its digits. No gap is larger, apart from rounding. With the residual r =
//     |S v - l v|, some eigenvalue is within r of l (Diagnosis.GapError). That proves that there is
//     such an eigenvalue, but not that none of larger modulus was missed.
//   - Lanczos misses an eigenvalue only if its start vector is nearly orthogonal to the
//     eigenvector. For a start that is uniform on the sphere, Kuczynski and Wozniakowski 1992 bound
//     the probability that after k steps the largest eigenvalue of a positive semidefinite matrix
//     of order n is missed by more than a part e of it: 1.648 sqrt(n) exp(-(2k-1) sqrt(e)).
//     Diagnosis.GapFloor is the bound on the gap that follows if the sum of these probabilities is
//     1e-12. A start vector is fixed by its seed, so that the same matrix always has the same
//     answer.
//   - An asymptotic variance is between two bounds that hold for any approximate solution of the
//     linear system, given the lower bound of the gap (Variance.Error).
//   - The eigenvalues of a kernel that is not reversible can be very sensitive to rounding of its
//     matrix. Its gap is not computed; its variances are bounded with the gap of its additive
//     reversibilisation.
//
// If the states have an order in which moves are short, as on a line, a ring or a plane, the
// systems of I - S are solved by elimination without a subtraction, so that gaps of 1e-9 and less
// keep their digits too.
package kernel
