package particle

import "slices"

// sortedDistinct sorts numbers and leaves out those that stand there already.
func sortedDistinct(v []float64) []float64 {
	slices.Sort(v)
	return slices.Compact(v)
}
