package selector

import "regexp"

// dimacsGraph is the line of the sizes of a graph of DIMACS.
var dimacsGraph = regexp.MustCompile(`(?m)^p[ \t]+(edge|edges|col)[ \t]+[0-9]+[ \t]+[0-9]+`)

// DIMACSAdvice says how to read a DIMACS graph, and returns "" for other texts.
//
// Source: DIMACS 1993, Clique and Coloring Problems, Graph Format.
func DIMACSAdvice(text string) string {
	if !dimacsGraph.MatchString(text) {
		return ""
	}
	return `it is a graph of DIMACS; awk '$1 == "e" {print $2, $3}' FILE >EDGES lists its edges, and ` +
		`maxcut:EDGES reads them`
}
