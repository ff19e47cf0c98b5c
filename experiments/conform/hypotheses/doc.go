// Package hypotheses answers: of the known ways to get annealed importance sampling wrong, which one is it? It has the exact
// law of what each of them puts out, the right code among them, by propagating the program with the bug (see package
// planted). From chains it computes how much likelier they are under each hypothesis than under the specification, and from
// the laws alone how many chains it takes to tell any two of them apart. The odds of both directions are those of one program
// with one bug, or none, or one that is on no list, which has a law of its own.
//
// Chains are reduced to cells, each a value of the first state, the last state and the log weight, as far as these are
// given. Where the log weights can take few values, each value is a cell, so that a log weight that no path has is seen at
// once. Elsewhere a little noise is added to the log weight, of a law whose characteristic function ends at a finite
// frequency, and the sum is put into bins of a circle: so the probability of every bin is a finite sum, and exact without
// any assumption on tails. Where log weights were rounded when they were written, the specification is tested by a bound on the
// probability of every bin.
//
// It never estimates a law from simulation, and never names a hypothesis without saying which others the same columns
// cannot tell from it.
package hypotheses
