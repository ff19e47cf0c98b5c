// Package kernelcheck answers: is this kernel right, and how good is it? It examines a kernel of the library, of
// another program or of a file under distributions on the way to each target. It believes nothing that a kernel says
// of itself and its rows can show.
package kernelcheck
