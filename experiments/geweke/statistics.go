package geweke

import (
	"math"

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
	name string
	of   func(s *setting, d *draw) float64
}

// Statistics returns the names of the statistics, in their order.
func Statistics() []string {
	var names []string
	for _, s := range statistics() {
		names = append(names, s.name)
	}
	return names
}

// statistics are the statistics of the data and of the latent variables whose laws are compared.
func statistics() []statistic {
	return []statistic{
		{"mean_y", func(_ *setting, d *draw) float64 {
			return mean(d.y, func(v float64) float64 { return v })
		}},
		{"mean_y2", func(_ *setting, d *draw) float64 {
			return mean(d.y, func(v float64) float64 { return v * v })
		}},
		{"mean_y4", func(_ *setting, d *draw) float64 {
			return mean(d.y, func(v float64) float64 { return v * v * v * v })
		}},
		{"product_of_rows", func(_ *setting, d *draw) float64 {
			sum := 0.0
			for j, v := range d.y[0] {
				sum += v * d.y[len(d.y)-1][j]
			}
			return sum
		}},
		{"used", func(s *setting, d *draw) float64 { return float64(used(s.model, d.z)) }},
		{"log_joint", func(_ *setting, d *draw) float64 { return d.logJoint }},
	}
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

// used returns how many clusters have data, or how many attributes are on.
func used(m models.Generative, z int) int {
	space := m.Space()
	if _, is := m.(*models.Clustering); !is {
		on := 0
		for i := range space.Dims() {
			on += space.Coord(z, i)
		}
		return on
	}
	has := make([]bool, space.Side(0))
	n := 0
	for i := range space.Dims() {
		if k := space.Coord(z, i); !has[k] {
			has[k] = true
			n++
		}
	}
	return n
}

// normalized returns probabilities in proportion to exp(logs).
func normalized(logs []float64) []float64 {
	p := make([]float64, len(logs))
	top, total := math.Inf(-1), 0.0
	for _, l := range logs {
		top = max(top, l)
	}
	for i, l := range logs {
		p[i] = math.Exp(l - top)
		total += p[i]
	}
	for i := range p {
		p[i] /= total
	}
	return p
}
