// Package sorts sorts as package slices does. What that needs is compiled here once: slices has it compiled again in every package that sorts, and
// of a package with one small table to sort it is most of the code. It is for what is sorted once; a loop whose time counts has package slices sort.
package sorts

import (
	"iter"
	"slices"
	"sort"
)

// Stable sorts as slices.SortStableFunc does.
func Stable[E any](list []E, compare func(a, b E) int) {
	sort.SliceStable(list, func(i, k int) bool { return compare(list[i], list[k]) < 0 })
}

// Strings does what slices.Sorted does.
func Strings(of iter.Seq[string]) []string { return slices.Sorted(of) }

// Ints does what slices.Sorted does.
func Ints(of iter.Seq[int]) []int { return slices.Sorted(of) }

// Int64s does what slices.Sorted does.
func Int64s(of iter.Seq[int64]) []int64 { return slices.Sorted(of) }

// Floats does what slices.Sorted does.
func Floats(of iter.Seq[float64]) []float64 { return slices.Sorted(of) }
