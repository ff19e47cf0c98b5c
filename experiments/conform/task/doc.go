// Package task answers: what has an implementer to know to write an annealing in another language, and for which task
// were given chains made? New makes a task of one annealing. Files is the folder that an implementer gets: log f, betas,
// the exact matrix of the kernel at every stage, all conventions in words, one chain of each direction worked out with
// every number, and programs with blanks. Read rebuilds the annealing from the folder, and refuses a folder whose numbers
// are not those of the annealing that it names, bit for bit.
//
// It never writes to a disk, never tests a chain, and never starts a program that a folder names unless its caller says so.
package task
