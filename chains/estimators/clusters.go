package estimators

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
)

// Clusters is a mixture of normals with K = len(Pi) clusters: z_i ~ Pi, theta_kj ~ N(0, CentreVariance), y_ij ~ N(theta_{z_i, j},
// NoiseVariance). Unlike the other models here, its centres theta are not integrated out: the methods that climb set them, or their
// distribution.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.
type Clusters struct {
	Y              [][]float64 // the data, a row each
	Pi             []float64   // the probabilities of the clusters, which sum to one
	CentreVariance float64
	NoiseVariance  float64
}

// Validate returns an error where the numbers make no model: no data, rows of different lengths, what is not finite, variances that are
// not positive, probabilities that are not positive or do not sum to one within 1e-9, and magnitudes that would overflow.
func (m *Clusters) Validate() error {
	if err := checkVariances("centres", m.CentreVariance, m.NoiseVariance); err != nil {
		return err
	}
	if err := checkRows(m.Y, m.NoiseVariance, m.CentreVariance); err != nil {
		return err
	}
	total := 0.0
	for k, p := range m.Pi {
		if !(p > 0 && p <= 1) {
			return fmt.Errorf("cluster %d has probability %v; it must be above 0 and at most 1", k, p)
		}
		total += p
	}
	if !(math.Abs(total-1) <= 1e-9) {
		return fmt.Errorf("the probabilities of the clusters sum to %v; they must sum to one", total)
	}
	return nil
}

// sides returns the numbers of values of the assignments z_i.
func (m *Clusters) sides() []int { return slices.Repeat([]int{len(m.Pi)}, len(m.Y)) }

// work returns what so many sweeps cost. A sweep weighs, for each datum, all K clusters against one another, as a scan by heat bath
// does. It is counted as such a scan, which asks for log f at the K - 1 other values of each of N variables, although no log f
// is asked for here. It is a convention that makes costs comparable.
func (m *Clusters) work(sweeps float64) Work {
	return Work{Evaluations: sweeps * float64(len(m.Y)*(len(m.Pi)-1))}
}

// operations returns about how many multiplications a sweep takes. An exponential counts as ten.
func (m *Clusters) operations() float64 {
	return float64(len(m.Y)) * float64(len(m.Pi)) * float64(2*len(m.Y[0])+10)
}

// memberships are the probabilities of the clusters of each datum: those of datum i are at [i].
type memberships [][]float64

// hard returns the memberships of an assignment of the data to clusters.
func (m *Clusters) hard(start []int) memberships {
	all := make([]float64, len(m.Y)*len(m.Pi))
	q := make(memberships, len(m.Y))
	for i, k := range start {
		q[i], all = all[:len(m.Pi):len(m.Pi)], all[len(m.Pi):]
		q[i][k] = 1
	}
	return q
}

// centres are independent normal distributions of the centres. All columns of a centre have the same variance.
type centres struct {
	means     [][]float64 // by cluster and column
	variances []float64   // by cluster; zero where the centre is known
}

// centresAtZero returns centres that are known to be zero.
func (m *Clusters) centresAtZero() *centres {
	c := &centres{make([][]float64, len(m.Pi)), make([]float64, len(m.Pi))}
	for k := range c.means {
		c.means[k] = make([]float64, len(m.Y[0]))
	}
	return c
}

// gather writes the data's sum under the memberships of a cluster, and returns the sum of the memberships.
func (m *Clusters) gather(q memberships, k int, sum []float64) float64 {
	clear(sum)
	weight := 0.0
	for i, row := range m.Y {
		p := q[i][k]
		weight += p
		for j, y := range row {
			sum[j] += p * y
		}
	}
	return weight
}

// logDensity writes E[log(pi_k N(y_i; theta_k, sn2 I))] of each cluster for datum i, without -D/2 log(2 pi sn2). It returns the size of
// the numbers that it has come from: their rounding times this size is about the error of what is written.
func (m *Clusters) logDensity(dst []float64, c *centres, i int) (size float64) {
	for k, mean := range c.means {
		square := float64(len(mean)) * c.variances[k]
		lost := square // times the rounding of a number: the error of square, as that of a mean grows with the mean
		for j, y := range m.Y[i] {
			d := y - mean[j]
			square += d * d
			lost += math.Abs(d) * (math.Abs(d) + 2*math.Abs(mean[j]))
		}
		dst[k] = math.Log(m.Pi[k]) - square/(2*m.NoiseVariance)
		size = max(size, lost/(2*m.NoiseVariance))
	}
	return size
}

// assign sets the memberships to their best values given the centres, which are proportional to exp(logDensity). It returns the
// sum over the data of the logarithm of what they are divided by, and whether a membership has changed by more than rounding.
func (m *Clusters) assign(q memberships, c *centres) (logs float64, moved bool) {
	next := make([]float64, len(m.Pi))
	for i := range q {
		size := m.logDensity(next, c, i)
		logs += chains.Normalize(next) - float64(len(m.Y[i]))/2*math.Log(2*math.Pi*m.NoiseVariance)
		for k, p := range next {
			// An error d of the log densities changes the membership p by p(1-p) d.
			rounding := 8 * 0x1p-52 * (1 + p*(1-p)*size)
			moved = moved || math.Abs(p-q[i][k]) > rounding
			q[i][k] = p
		}
	}
	return logs, moved
}

// climb sets the centres from the memberships and then these from the centres, in turns, as long as there is
// patience, of which the zero one lasts until no membership changes by more than rounding. A sweep's value is the sum of logs that assign
// returns, less the cost of the centres.
func (m *Clusters) climb(ctx context.Context, q memberships, c *centres, rule climbing) (Ascent, error) {
	return ascend(ctx, func() (float64, bool) {
		rule.place(q, c)
		logs, moved := m.assign(q, c)
		return logs - rule.cost(c), moved
	}, rule.patience.last())
}

// climbing is how the memberships and the centres climb.
type climbing struct {
	place    func(memberships, *centres) // sets the centres from the memberships
	cost     func(*centres) float64      // what the centres take off the value, in nats
	patience Patience
}
