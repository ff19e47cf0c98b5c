package main

import (
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// The targets on graphs of these tests: a walk on a user's edges, and orders of four items.
const (
	friends     = "graph:testdata/friends.csv:testdata/friends_g.csv"
	fourInOrder = "graph:permutations:4:random:2:0"
)

// TestGraphsGoThrough: the states of a user's edge list and of permutations are shown by label.
func TestGraphsGoThrough(t *testing.T) {
	longtest.Only(t)
	for name, toy := range map[string]string{"friends": friends, "permutations": fourInOrder} {
		var out strings.Builder
		for _, args := range [][]string{
			{"toys", "show", toy}, {"tightness", "--toy", toy, "-T", "10,100", "--check"}} {
			stdout, _ := ok(t, args...)
			out.WriteString("$ breadboard " + strings.Join(args, " ") + "\n" + stdout + "\n")
		}
		golden(t, "graph_"+name+".txt", out.String())
	}
}
