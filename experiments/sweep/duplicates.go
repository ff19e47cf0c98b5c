package sweep

import (
	"fmt"
	"slices"
)

// refuseDuplicates fails where two cells of the sweep are one. Where the values of the grid are distinct, so are its cells.
func (r *resolver) refuseDuplicates(s *Sweep) error {
	for k, p := range r.parameters {
		seen := map[string]int{}
		for i, name := range s.axis(k) {
			if first, ok := seen[name]; ok {
				return fmt.Errorf("%s: %s %s is there twice; take one out", r.gridPlace(p.Name, i), p.Name, r.twice(k, first, i))
			}
			seen[name] = i
		}
	}
	seen := map[string]string{}
	for i, c := range s.cases {
		place := r.spec.cases[i].place
		if s.inGrid(c) {
			return fmt.Errorf("%s: the case %s is in the grid already; take it out", place, c)
		}
		if first, ok := seen[c.String()]; ok {
			return fmt.Errorf("%s: the case %s is there twice, the first time at %s; take one out", place, c, first)
		}
		seen[c.String()] = place
	}
	return nil
}

// twice names a value of the grid, with both ways in which it was written where they differ.
func (r *resolver) twice(k, first, second int) string {
	if a, b := r.axes[k][first], r.axes[k][second]; a != b {
		return fmt.Sprintf("%s (as %s)", a, b)
	}
	return r.axes[k][first]
}

// gridPlace returns where value i of a parameter stands. Defaults stand nowhere, and have no duplicates.
func (r *resolver) gridPlace(name string, i int) string { return r.spec.grid.values[name][i].place }

// inGrid reports whether a cell is one of the grid.
func (s *Sweep) inGrid(c Cell) bool {
	if s.grid == nil {
		return false
	}
	for k, p := range c {
		if !slices.Contains(s.grid[k], p.Value) {
			return false
		}
	}
	return true
}
