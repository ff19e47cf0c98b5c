// Package graphs answers: which states and neighbours has a space that is no grid? It holds the hypercube, permutations, the complete
// graph, graphs from lists of edges, and, as lattices, paths, cycles and tori. It knows nothing of probabilities, and reads no files.
package graphs
