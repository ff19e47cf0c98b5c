package aide

import "slices"

// Keep leaves out all algorithms but some.
func (s *Comparison) Keep(kept func(algorithm string, particles int) bool) {
	s.all = slices.DeleteFunc(s.all, func(c contender) bool { return !kept(c.algorithm, c.particles) })
}
