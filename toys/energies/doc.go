// Package energies answers: which energy does a file of an Ising model, a maximum cut or a quadratic unconstrained binary optimisation
// (QUBO) state? It reads the formats of rudy and the G-set, of qbsolv, of the Biq Mac library, and edge lists with weights, and gives the
// energy of every state. It never searches for a ground state, and never guesses which of the formats a file has.
package energies
