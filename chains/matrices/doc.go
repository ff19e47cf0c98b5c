// Package matrices answers: how does a Markov chain stand in a file of MatrixMarket, of PRISM (.tra with its .lab, .srew and .sta) or of the
// model checkers' shared format UMB? It reads discrete-time chains alone, and refuses every other model by its name.
//
// It never rescales a row, never adds up entries that a text gives twice, and believes no size that a file states before it has compared it
// with the caller's limit and with the file. Whether rows sum to one is for the caller to check, who knows what the numbers are for.
//
// Sources: Boisvert, Pozo and Remington, "The Matrix Market exchange formats: initial design" (NISTIR 5935, 1996); the appendix
// "Explicit model files" of PRISM's manual; and the specification of UMB, version 1, of 26 January 2026 (github.com/pmc-tools/umb).
package matrices
