package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/numpy"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// larger writes the target of a toy on classes state by state, and returns its selector.
func larger(t *testing.T, selector string) string {
	t.Helper()
	toy := longtest.Must(longtest.Must(toys.Parse(selector))(t).Larger())(t)
	dir := t.TempDir()
	if l := toy.Lattice(); l != nil {
		path := filepath.Join(dir, "g.npy")
		writeFile(t, path, string(numpy.Floats(toy.G, l.Sides()...)))
		return "file:" + path
	}
	var edges, g strings.Builder
	for x, v := range toy.G {
		fmt.Fprintf(&g, "%s,%v\n", toy.Space.Label(x), v)
		for y := range grid.Neighbours(toy.Space, x) {
			if y > x {
				fmt.Fprintf(&edges, "%s,%s\n", toy.Space.Label(x), toy.Space.Label(y))
			}
		}
	}
	writeFile(t, filepath.Join(dir, "edges.csv"), edges.String())
	writeFile(t, filepath.Join(dir, "g.csv"), g.String())
	return "graph:" + filepath.Join(dir, "edges.csv") + ":" + filepath.Join(dir, "g.csv")
}

// alikeRows fails where a number of two tables differs by more than 1e-12 of its size, or of 1e-3 where it is smaller, and by more than the rows
// themselves allow, in columns that are not left out.
func alikeRows(t *testing.T, got, want []map[string]any, without ...string) {
	t.Helper()
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d rows and %d", len(got), len(want))
	}
	for i := range got {
		bound, _ := want[i]["error_bound"].(float64)
		for name, w := range want[i] {
			if slices.Contains(without, name) {
				continue
			}
			a, number := got[i][name].(float64)
			b, too := w.(float64)
			if number != too || number && !(math.Abs(a-b) <= max(bound, 1e-12*max(math.Abs(b), 1e-3))) || !number && got[i][name] != w {
				t.Errorf("row %d, %s: %v on classes, %v state by state", i, name, got[i][name], w)
			}
		}
	}
}

// TestClassesAreTheirStates: every kind of row has the same numbers on classes and state by state.
func TestClassesAreTheirStates(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct{ toy, kernels string }{
		{"curie-weiss:6:1.2:-0.1", "flip heatbath metropolis barker repeat:3:lazy:0.25:flip"},
		{"potts-complete:3:4:3:0.1", "heatbath flip barker"},
		{"potts-colours:3:5:3", "mixture:1*flip+3*heatbath flip"},
		{"weight:6:modes:0.2:0.9:0.5", "flip palindrome:flip+heatbath"},
		{"coins:3:4:2:0.5", "heatbath flip"},
		{"cycles:5:2:3", "metropolis barker"},
	} {
		whole := larger(t, c.toy)
		for i, kernel := range strings.Fields(c.kernels) {
			for _, line := range []string{
				"tightness -T 10,50",
				"tightness -T 20 --schedule sigmoid --path arithmetic --initial tempered:0.2",
				"gap -T 10",
				"weights -T 10",
				"smc -T 10 --particles 1,2,10",
				"subjective -T 10 --reference uniform",
				"schedule compare -T 10 --schedule linear,fisher",
				"samplers errors --function g --start uniform,mode -N 1,4",
			} {
				slow := i > 0 || strings.HasPrefix(line, "weights") && !strings.HasPrefix(c.toy, "potts") // laws that are nearly atoms take long to invert
				if slow && !longtest.Enabled() && line != "tightness -T 10,50" {
					continue
				}
				t.Run(c.toy+" "+kernel+" "+line, func(t *testing.T) {
					args := append(strings.Fields(line), "--kernel", kernel, "--toy")
					alikeRows(t, rowsOf(t, append(args, c.toy)...), rowsOf(t, append(args, whole)...),
						"toy", "note", "method", "rounding", "error_bound", "crooks_residual") // which say how the numbers were found, and how near they are
				})
			}
		}
	}
}
