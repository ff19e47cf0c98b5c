// Package files answers: what has somebody else's program sent? It reads chains, kernel transitions and estimates from
// CSV, CmdStan's CSV, coda's files, NumPy's .npy, Parquet and JSON Lines, in batches and in bounded memory, and checks every
// value: a state must be one of the space, and a log weight must be a number or an infinity. What is wrong is an Error with the
// source, the row and the column, what was found there and what to write.
//
// It never tests a law, never corrects what it reads and never guesses: what is ambiguous is an error.
//
// # Columns
//
// The names of the columns are log_w (nats), x_first, x_last, all of x_1 to x_T or the same as path in one cell, all of
// increment_2 to increment_T (nats, by the stage that adds them), beta with from and to, log_z (nats), and se, the
// standard errors of log_z (nats). At least one must be there. x_1 and x_T without the rest of the path are x_first and x_last. Other columns are passed over and listed, unless
// their names look as if one of these had been meant.
//
// A state is its number, counted from 0, or its coordinates on a lattice, slowest axis first and counted from 0: in one cell, as
// in 3;4 or (3, 4) or an array, or in one column an axis, as in x_first_0 and x_first_1.
//
// # Formats
//
// Text has its columns separated by commas, tabs, semicolons or blanks, whichever the header has. The header is the first line
// that is no comment, or the last comment before the rows, as numpy.savetxt writes it. Files of CmdStan's have comments between rows too,
// which say where the warm-up ends: its draws are left out. Of coda's files the index is opened, and the chains stand beside it. Arrays of .npy are structured, or plain
// with names given by the caller. Parquet has numbers in flat columns. JSON Lines have an object a line.
//
// Series reads plain numbers instead, which have no names: one quantity along several chains. ReadDraws reads the variables of whatever
// model, in files of CmdStan's, of coda's, tables and arrays.
package files
