package stage

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestCheckpoints goes backwards through a recursion and compares with all of its values, which it has kept in a list.
// It counts the values that are kept and the steps that are taken again.
func TestCheckpoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "steps")
		step := func(i, v int) int { return (31*v + i) % 1009 }
		all := []int{7}
		c := NewCheckpoints[int](n)
		kept, v := 0, 7
		for i := 1; i <= n; i++ {
			if c.Begins(i) {
				c.Keep(v)
				kept++
			}
			v = step(i, v)
			all = append(all, v)
		}
		if kept > c.Stride {
			t.Fatalf("%d values are kept, for stretches of %d steps", kept, c.Stride)
		}
		var got []int
		again := 0
		for s, v := range c.Stretches() {
			if s.Final != (s.Last == n) || s.Last-s.First >= c.Stride {
				t.Fatalf("stretch %+v of %d steps", s, n)
			}
			values := []int{}
			for i := s.First; i <= s.Last; i++ {
				v = step(i, v)
				again++
				values = append(values, v)
			}
			slices.Reverse(values)
			got = append(got, values...)
		}
		slices.Reverse(all)
		if !slices.Equal(got, all[:n]) || again != n {
			t.Fatalf("%v, want %v; %d steps again", got, all[:n], again)
		}
	})
}
