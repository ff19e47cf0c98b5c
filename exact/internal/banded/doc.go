// Package banded answers: what solves the linear systems of a reversible chain whose states can be put into an order in
// which all moves are short? It factors by elimination without a subtraction, so that a chain that hardly mixes costs no
// digits. It never pivots, and takes no chain that it could not hold in a few hundred megabytes.
package banded
