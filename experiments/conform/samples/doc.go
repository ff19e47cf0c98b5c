// Package samples answers: what has somebody else's program sent? It reads chains, kernel transitions and estimates from
// CSV, NumPy's .npy, Parquet and JSON Lines, in batches and in bounded memory, and checks every value: a state must be one
// of the space, and a log weight must be a number or an infinity. What is wrong is an Error with the source, the row and
// the column, what was found there and what to write.
//
// It never tests a law, never corrects what it reads and never guesses: what is ambiguous is an error.
package samples
