package geweke

import (
	"math"
	"slices"

	"breadboard/chains"
)

// jointName is the statistic of data and latent variables together.
const jointName = "log_joint"

// dataStatistics are the statistics of the data of a draw.
func dataStatistics[D any](y func(*D) [][]float64) []statistic[D] {
	meanOf := func(power func(v float64) float64) func(*D) float64 {
		return func(d *D) float64 { return mean(y(d), power) }
	}
	return []statistic[D]{
		{"mean_y", "mean of the data", meanOf(func(v float64) float64 { return v })},
		{"mean_y2", "mean of their squares", meanOf(func(v float64) float64 { return v * v })},
		{"mean_y4", "mean of their fourth powers", meanOf(func(v float64) float64 { return v * v * (v * v) })},
		{"product_of_rows", "product of the first row and the last", func(d *D) float64 {
			rows, sum := y(d), 0.0
			for j, v := range rows[0] {
				sum += v * rows[len(rows)-1][j]
			}
			return sum
		}},
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
