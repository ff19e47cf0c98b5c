package aide

import "slices"

// Keep leaves out all algorithms but some.
func (s *Comparison) Keep(kept func(algorithm string, particles int) bool) {
	for i := range s.all {
		f := &s.all[i]
		if f.counts != nil {
			f.counts = slices.DeleteFunc(f.counts, func(n int) bool { return !kept(f.algorithm, n) })
		}
	}
	s.all = slices.DeleteFunc(s.all, func(f family) bool { return f.counts == nil && !kept(f.algorithm, 0) })
}
