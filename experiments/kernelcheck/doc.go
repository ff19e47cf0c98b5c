// Package kernelcheck answers: is this kernel right, and how good is it? It examines a kernel of the library, of another program or of a file
// under distributions on the way to each target. It never takes the word of a kernel for what its rows can show.
package kernelcheck
