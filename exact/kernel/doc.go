// Package kernel answers: is this kernel right, and how good is it? It enumerates the choices of a kernel's Move into the
// exact rows of its transition matrix, examines whether these leave a distribution invariant, finds the time reversal, and
// gives the spectral gap and asymptotic variances. It draws nothing at random, and never repairs rows that are wrong.
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
package kernel
