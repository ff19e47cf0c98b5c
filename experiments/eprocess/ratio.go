package eprocess

import "math"

// Ratio is the log of the likelihood of one draw under the true law over that under another, in nats, where the draw is possible under both.
type Ratio struct {
	Mean, Variance float64
	Third          float64 // the third central moment; 0 takes no skewness into account
	Impossible     float64 // the probability of a draw that is impossible under the other law
}

// foundQuantile is how many standard deviations of a normal law are exceeded with the probability 1 - Found.
const foundQuantile = 2.3263478740408408

// Draws returns the number of draws after which the sum of their log ratios is at least target nats with a probability of about Found; +Inf
// where no number is enough. The sum is taken to be normal, but for a skewness towards small values, which moves the quantile by the
// first term of its expansion (Cornish and Fisher 1938). A draw that is impossible under the other law decides at once.
func (r Ratio) Draws(target float64) float64 {
	n := math.Inf(1)
	if r.Impossible > 0 {
		n = max(1, math.Ceil(math.Log1p(-Found)/math.Log1p(-min(r.Impossible, 1-1e-16))))
	}
	if r.Mean > 0 {
		if r.Third < 0 && r.Variance > 0 {
			target -= r.Third / r.Variance * (foundQuantile*foundQuantile - 1) / 6
		}
		b := foundQuantile * math.Sqrt(r.Variance)
		root := (b + math.Sqrt(b*b+4*r.Mean*target)) / (2 * r.Mean)
		n = min(n, max(1, math.Ceil(root*root)))
	}
	return n
}
