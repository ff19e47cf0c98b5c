package geweke

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/toys"
	"breadboard/toys/models"
)

// draw is a draw from the joint distribution.
type draw struct {
	z        int
	y        [][]float64
	logJoint float64 // log p(z, y) under the model as it should be
}

// statistic is a number that a draw has.
type statistic struct {
	name, doc string
	of        func(d *draw) float64
}

// Statistics returns the names of the statistics that chains are ranked by, in their order.
func Statistics() []string {
	var names []string
	for _, s := range statistics() {
		names = append(names, s.name)
	}
	return names
}

// statistics are the statistics of the data, and of data and latent variables together, by which chains are ranked.
func statistics() []statistic {
	power := func(n int) func(d *draw) float64 {
		return func(d *draw) float64 {
			return mean(d.y, func(v float64) float64 { return math.Pow(v, float64(n)) })
		}
	}
	return []statistic{
		{"mean_y", "mean of the data", power(1)},
		{"mean_y2", "mean of their squares", power(2)},
		{"mean_y4", "mean of their fourth powers", power(4)},
		{"product_of_rows", "product of the first row and the last", func(d *draw) float64 {
			sum := 0.0
			for j, v := range d.y[0] {
				sum += v * d.y[len(d.y)-1][j]
			}
			return sum
		}},
		{"log_joint", "log p(z, y)", func(d *draw) float64 { return d.logJoint }},
	}
}

// latent is a whole number that a state of the latent variables has. Its law is known exactly, from the prior.
type latent struct {
	name  string
	doc   string
	value []int     // by state: the place of its number among all numbers
	names []string  // the numbers
	law   []float64 // their probabilities
}

// latents returns what is counted of the latent variables: the state itself, how many clusters have data or how many attributes are on,
// and how many pairs of data share a cluster, or an attribute once for each.
func latents(toy *toys.Toy, m models.Generative, prior []float64) []latent {
	n := len(prior)
	state := latent{"state", "state", make([]int, n), make([]string, n), prior}
	for x := range n {
		state.value[x], state.names[x] = x, "state "+toy.State(x)
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
		return []latent{state, latentOf("clusters_used", "clusters with data", used, prior), latentOf("pairs_in_a_cluster", "pairs of data in one cluster", pairs, prior)}
	}
	return []latent{state, latentOf("attributes_on", "attributes that are on", used, prior), latentOf("pairs_with_an_attribute", "pairs of data with an attribute", pairs, prior)}
}

// latentOf returns the latent with a number for each state.
func latentOf(name, doc string, numbers []int, prior []float64) latent {
	l := latent{name: name, doc: doc, value: make([]int, len(numbers))}
	all := slices.Compact(slices.Sorted(slices.Values(numbers)))
	l.law = make([]float64, len(all))
	for _, v := range all {
		l.names = append(l.names, fmt.Sprintf("%s = %d", name, v))
	}
	for x, v := range numbers {
		l.value[x], _ = slices.BinarySearch(all, v)
		l.law[l.value[x]] += prior[x]
	}
	return l
}

// mean returns the mean of a function of all data.
func mean(y [][]float64, of func(float64) float64) float64 {
	sum, n := 0.0, 0
	for _, row := range y {
		for _, v := range row {
			sum += of(v)
			n++
		}
	}
	return sum / float64(n)
}

// normalized returns probabilities in proportion to exp(logs).
func normalized(logs []float64) []float64 {
	p := slices.Clone(logs)
	chains.Normalize(p)
	return p
}

// shares returns the points of a P-P plot of two samples, which it sorts.
func shares(forward, ends []float64) []Point {
	slices.Sort(forward)
	slices.Sort(ends)
	out := []Point{{}}
	i, j := 0, 0
	for i < len(forward) || j < len(ends) {
		v := math.Inf(1)
		if i < len(forward) {
			v = forward[i]
		}
		if j < len(ends) {
			v = min(v, ends[j])
		}
		for i < len(forward) && forward[i] == v {
			i++
		}
		for j < len(ends) && ends[j] == v {
			j++
		}
		out = append(out, Point{float64(i) / float64(len(forward)), float64(j) / float64(len(ends))})
	}
	return out
}

// exactShares returns the points of a P-P plot of counts against their exact law.
func exactShares(law []float64, counts []int) []Point {
	total := 0
	for _, n := range counts {
		total += n
	}
	out := []Point{{}}
	p, n := 0.0, 0
	for i := range law {
		p, n = p+law[i], n+counts[i]
		out = append(out, Point{p, float64(n) / float64(total)})
	}
	return out
}
