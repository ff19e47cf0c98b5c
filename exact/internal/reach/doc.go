// Package reach answers: between which states does a kernel never move? It puts states that a kernel moves between into one set, and
// so finds the classes of a kernel, or of several that move in turn. It asks whether a move is possible, never how probable it is, and it
// tells nothing of a kernel that does not leave its distribution invariant.
package reach
