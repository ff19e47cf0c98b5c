package sweep

import (
	"fmt"
	"strings"
)

// refuseDuplicates fails where two cells of the sweep are one. Where the values of the grid are distinct, so are its cells.
func (r *resolver) refuseDuplicates(s *Sweep) error {
	for k, p := range r.parameters {
		if zip := s.grid.zipOf(k); zip != nil {
			if err := r.refuseTwiceZipped(s, zip); err != nil {
				return err
			}
			continue
		}
		seen := map[string]int{}
		for i, name := range s.grid.list(k) {
			if first, ok := seen[name]; ok {
				return fmt.Errorf("%s: %s %s is there twice; take one out", r.gridPlace(p.Name, i), p.Name, r.twice(k, first, i))
			}
			seen[name] = i
		}
	}
	seen := map[string]string{}
	for i, c := range s.cases {
		place := r.spec.cases[i].place
		if s.grid.has(c) {
			return fmt.Errorf("%s: the case %s is in the grid already; take it out", place, c)
		}
		if first, ok := seen[c.String()]; ok {
			return fmt.Errorf("%s: the case %s is there twice, the first time at %s; take one out", place, c, first)
		}
		seen[c.String()] = place
	}
	return nil
}

// refuseTwiceZipped fails where the values of zipped parameters are together at two places.
func (r *resolver) refuseTwiceZipped(s *Sweep, zip []int) error {
	seen := map[string]bool{}
	for i := range s.grid.values[zip[0]] {
		var parts []string
		for _, k := range zip {
			parts = append(parts, r.parameters[k].Name+" "+s.grid.values[k][i])
		}
		together := strings.Join(parts, ", ")
		if seen[together] {
			return fmt.Errorf("%s: %s are zipped twice; take one of them out", r.gridPlace(r.parameters[zip[0]].Name, i), together)
		}
		seen[together] = true
	}
	return nil
}

// twice names a value of the grid, with both ways in which it was written where they differ.
func (r *resolver) twice(k, first, second int) string {
	if a, b := r.grid.values[k][first], r.grid.values[k][second]; a != b {
		return fmt.Sprintf("%s (as %s)", a, b)
	}
	return r.grid.values[k][first]
}

// gridPlace returns where value i of a parameter stands. Defaults stand nowhere, and have no duplicates.
func (r *resolver) gridPlace(name string, i int) string { return r.spec.grid.values[name][i].place }
