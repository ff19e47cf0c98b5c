// Package kernel answers: is this kernel right, and how good is it? It enumerates the choices of a kernel's Move into the
// exact rows of its transition matrix, examines whether these leave a distribution invariant, finds the time reversal, and
// gives the spectral gap and asymptotic variances. It draws nothing at random, and never repairs rows that are wrong.
//
// # Kernels from outside
//
// A kernel from outside is one that is not of the library (chains.OfLibrary). Nothing that it says of itself is
// believed: its rows are examined at every stage. With the unit u = 2^-52 (7 + the largest |log f| in nats + the
// choices of a Move, or the entries of a row in closed form, + the moves of a sequence, else 1), a state may gain or
// lose in one move, relative to its own probability, 16 u. It may gain or lose more where entries come from states x
// that are much likelier, because such entries may have been made by subtraction from one, or lack what enumeration has
// left out: 8 2^-52 p(x) and that remainder times p(x), but at most 1e-9 in all. A kernel that does more is refused
// with an error that names the stage, the state and the flow that is farthest from balance.
//
// A kernel from outside need not be reversible. Its time reversal is made from its flows, as p(x) T(x,y) / p(y), unless
// all flows equal the flows back to within 2 u. The rows are then their own reversal, which keeps the digits of entries
// that float64 cannot hold. Where the rows cost promised digits, Solution.Notes of package exact say how many are left.
// Check of that package does not use the reversal: it sends probability back along the forward flows.
package kernel
