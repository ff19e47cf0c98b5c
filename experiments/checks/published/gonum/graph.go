package main

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/graph/graphs/gen"
	"gonum.org/v1/gonum/graph/simple"
)

// undirected is the edges of a line of five nodes, each with one distant contact, as in "0-1 0-2".
func undirected(src rand.Source) string {
	g := simple.NewUndirectedGraph()
	if err := gen.NavigableSmallWorld(g, []int{5}, 1, 1, 1, src); err != nil {
		return err.Error()
	}
	return word(g.HasEdgeBetween)
}

// directed is the same graph with directed edges, whose directions are ignored.
func directed(src rand.Source) string {
	g := simple.NewDirectedGraph()
	if err := gen.NavigableSmallWorld(g, []int{5}, 1, 1, 1, src); err != nil {
		return err.Error()
	}
	return word(g.HasEdgeBetween)
}

// word lists the edges.
func word(edge func(u, v int64) bool) (s string) {
	for u := range int64(5) {
		for v := u + 1; v < 5; v++ {
			if edge(u, v) {
				s += fmt.Sprintf(" %d-%d", u, v)
			}
		}
	}
	return s[1:]
}
