// Package samples answers: what is a batch of what somebody else's program has made? It has the columns of chains, of kernel
// transitions and of estimates, what must be known of the task to check them, and how exactly their numbers are written.
// Package files reads them, and package external receives them from a program that is running.
//
// It knows no file format, and never tests a law.
package samples
