package files

import (
	"math"
	"slices"
)

// leastGrouped is the least number of rows of which a column can be seen to group them.
const leastGrouped = 8

// askForChains fails if no column tells the chains of a file apart, or none numbers their draws,
// and a variable may number the rows or chains: its role must be given.
func (t *drawsTable) askForChains() error {
	m, arrays := t.rows.(*memory)
	numbered := t.columns.Number >= 0 || arrays && m.draws > 0
	if t.columns.Chain >= 0 && numbered || t.name >= 0 || t.isStan() || len(t.chains) == 0 {
		return nil
	}
	for i, v := range t.variable {
		if v < 0 || t.domains[v] != nil || t.Own != nil && t.Own(t.columns.Names[i]) ||
			t.Roles[t.columns.Names[i]] != "" {
			continue
		}
		all := true
		for _, c := range t.chains {
			all = all && groups(c.values[v])
		}
		if all {
			name := t.columns.Names[i]
			return t.WrongColumns("the column "+name+
				", whose numbers never fall, stand in runs or come again in the same order, and "+
				"which may number chains or draws",
				"give {column} %[1]s=chain, {column} %[1]s=draw, or {column} %[1]s=variable",
				listed([]string{name}))
		}
	}
	return nil
}

// groups reports whether values differ and repeat the same cycle, are whole numbers that never fall
// or of which each stands in one run of rows, or stand in long runs of one length, as the values of
// a chain that seldom moves do not.
func groups(values []float64) bool {
	if len(values) < leastGrouped || slices.ContainsFunc(values, func(v float64) bool { return v-v != 0 }) ||
		slices.Max(values) == slices.Min(values) {
		return false
	}
	grouped := false
	if slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) }) {
		grouped = runLength(values) >= leastGrouped
	} else {
		grouped = slices.IsSorted(values) || inRuns(values)
	}
	return grouped || 2*periodOf(values) <= len(values)
}

// runLength returns the length of the runs in which values that differ stand, and 0 if the runs
// have several lengths. The last may be shorter.
func runLength(values []float64) int {
	length := slices.IndexFunc(values, func(v float64) bool { return v != values[0] })
	for i := 1; i < len(values); i++ {
		if (values[i] != values[i-1]) != (i%length == 0) {
			return 0
		}
	}
	return length
}

// inRuns reports whether each value stands in one run of rows, and two runs or more have several.
func inRuns(values []float64) bool {
	seen := map[float64]bool{}
	several := 0
	for i, v := range values {
		again := i > 0 && v == values[i-1]
		if seen[v] && !again {
			return false
		}
		if again && (i == 1 || v != values[i-2]) {
			several++
		}
		seen[v] = true
	}
	return several >= 2
}

// periodOf returns the smallest n with which values[i] is values[i-n] for all i from n on, by the
// longest proper prefix that ends at each place (Knuth, Morris and Pratt 1977). It takes linear
// time.
func periodOf(values []float64) int {
	border := make([]int, len(values))
	for i := 1; i < len(values); i++ {
		k := border[i-1]
		for k > 0 && values[i] != values[k] {
			k = border[k-1]
		}
		if values[i] == values[k] {
			k++
		}
		border[i] = k
	}
	return len(values) - border[len(values)-1]
}
