package geweke

import (
	"fmt"
	"slices"

	"breadboard/toys"
	"breadboard/toys/models"
)

// stateCount is the count that is the state of the latent variables itself.
const stateCount = "state"

// latents returns what is counted of the latent variables: the state itself, how many clusters have data or how many attributes are on,
// and how many pairs of data share a cluster, or an attribute once for each.
func latents(toy *toys.Toy, m models.Generative, prior []float64) []count[draw] {
	n := len(prior)
	state := count[draw]{stateCount, "state", func(d *draw) int { return d.z }, make([]string, n), prior}
	for x := range n {
		state.names[x] = "state " + toy.State(x)
	}
	_, clusters := m.(*models.Clustering)
	space, rows := toy.Lattice(), len(m.Rows())
	group := func(x, axis int) int { // of the data, 0 is none
		if clusters {
			return 1 + space.Coord(x, axis)
		}
		return space.Coord(x, axis) * (1 + axis%(space.Dims()/rows))
	}
	used, pairs := make([]int, n), make([]int, n)
	for x := range n {
		has := map[int]bool{}
		for a := range space.Dims() {
			g := group(x, a)
			if g == 0 {
				continue
			}
			if has[g] = true; !clusters {
				used[x]++
			}
			for b := range a {
				if group(x, b) == g {
					pairs[x]++
				}
			}
		}
		if clusters {
			used[x] = len(has)
		}
	}
	if clusters {
		return []count[draw]{state, countOf("clusters_used", "clusters with data", used, prior), countOf("pairs_in_a_cluster", "pairs of data in one cluster", pairs, prior)}
	}
	return []count[draw]{state, countOf("attributes_on", "attributes that are on", used, prior), countOf("pairs_with_an_attribute", "pairs of data with an attribute", pairs, prior)}
}

// countOf returns the count with a number for each state.
func countOf(name, doc string, numbers []int, prior []float64) count[draw] {
	value := make([]int, len(numbers))
	l := count[draw]{name: name, doc: doc, of: func(d *draw) int { return value[d.z] }}
	all := slices.Compact(slices.Sorted(slices.Values(numbers)))
	l.law = make([]float64, len(all))
	for _, v := range all {
		l.names = append(l.names, fmt.Sprintf("%s = %d", name, v))
	}
	for x, v := range numbers {
		value[x], _ = slices.BinarySearch(all, v)
		l.law[value[x]] += prior[x]
	}
	return l
}
