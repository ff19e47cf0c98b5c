package estimators

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
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
	if err := cmp.Or(checkVariances("centres", m.CentreVariance, m.NoiseVariance), checkRows(m.Y, m.NoiseVariance, m.CentreVariance)); err != nil {
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
		dst[k] = number.Log(m.Pi[k]) - square/(2*m.NoiseVariance)
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
		logs += chains.Normalize(next) - float64(len(m.Y[i]))/2*number.Log(2*math.Pi*m.NoiseVariance)
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

// Attributes is a model of binary attributes: z_ik ~ Bernoulli(Pi[k]) for each of N rows and K = len(Pi) attributes, a_kj ~ N(0, FeatureVariance)
// for each of D columns, and y_ij ~ N(sum over k of z_ik a_kj, NoiseVariance).
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.
type Attributes struct {
	Y               [][]float64 // the data, a row each
	Pi              []float64   // the probabilities of the attributes, each above 0 and below 1
	FeatureVariance float64
	NoiseVariance   float64
}

// Validate returns an error where the numbers make no model: no data, rows of different lengths, what is not finite, no attribute,
// probabilities that are not between 0 and 1, variances that are not positive, and magnitudes that would overflow.
func (m *Attributes) Validate() error {
	if err := cmp.Or(checkVariances("features", m.FeatureVariance, m.NoiseVariance), checkRows(m.Y, m.NoiseVariance)); err != nil {
		return err
	}
	if len(m.Pi) == 0 {
		return fmt.Errorf("no attribute; give at least one probability")
	}
	for k, p := range m.Pi {
		if !(p > 0 && p < 1) {
			return fmt.Errorf("attribute %d has probability %v; it must be above 0 and below 1", k, p)
		}
	}
	return nil
}

// signal returns the variance of a feature in units of that of the noise. With the data in these units, features ~ N(0, signal) and
// noise of variance one, the model is the same.
func (m *Attributes) signal() float64 { return m.FeatureVariance / m.NoiseVariance }

func (m *Attributes) logOdds(k int) float64 { return number.Log(m.Pi[k]) - math.Log1p(-m.Pi[k]) }

// constant returns N D/2 log(2 pi sn2), in nats.
func (m *Attributes) constant() float64 {
	return float64(len(m.Y)*len(m.Y[0])) / 2 * number.Log(2*math.Pi*m.NoiseVariance)
}

// Factors is a low-rank model: y_ij ~ N(u_i . v_j, NoiseVariance) with vectors of K numbers, u_ik ~ N(0, UVariance) for each of N rows and
// v_jk ~ N(0, VVariance) for each of D columns.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.
type Factors struct {
	Y                                   [][]float64 // the data, a row each
	K                                   int         // the rank, at least 1 and below N and D
	UVariance, VVariance, NoiseVariance float64
}

// Validate returns an error where the numbers make no model: no data, rows of different lengths, what is not finite, a rank that is none or
// not below the numbers of rows and of columns, variances that are not positive, and magnitudes that would overflow.
func (m *Factors) Validate() error {
	for _, v := range []struct {
		name     string
		variance float64
	}{{"rows", m.UVariance}, {"columns", m.VVariance}, {"products of both", m.UVariance * m.VVariance}} {
		if err := checkVariances(v.name, v.variance, m.NoiseVariance); err != nil {
			return err
		}
	}
	if err := checkRows(m.Y, m.NoiseVariance); err != nil {
		return err
	}
	if least := min(len(m.Y), len(m.Y[0])); m.K < 1 || m.K >= least {
		return fmt.Errorf("rank %d for %d rows and %d columns; give a whole number from 1 to %d, since data of the full rank have no structure of low rank", m.K, len(m.Y), len(m.Y[0]), least-1)
	}
	return nil
}

// signal returns the variance of a product u_ik v_jk in units of that of the noise. With the data in these units, u ~ N(0, 1), v ~ N(0, signal)
// and noise of variance one, the model is the same.
func (m *Factors) signal() float64 { return m.UVariance * m.VVariance / m.NoiseVariance }

// work returns what so many sweeps cost. A sweep sets U and V, and is counted as the N K + K D draws of a scan that draws them.
func (m *Factors) work(sweeps float64) Work {
	return Work{Evaluations: sweeps * float64(m.K*(len(m.Y)+len(m.Y[0])))}
}

// maxSquare bounds the variances, their ratio, one over each of these, and the squares of the data in units of the variances, so that no
// sum of them overflows.
const maxSquare = 1e200

// checkVariances returns an error where the variance of what is named or that of the noise is none, or too large or small.
func checkVariances(name string, variance, noise float64) error {
	for _, v := range []float64{variance, noise, variance / noise} {
		if !(v >= 1/maxSquare && v <= maxSquare) {
			return fmt.Errorf("the variances are %v of the %s and %v of the noise; both must be positive and finite, and they and their ratio between %v and %v", variance, name, noise, 1/maxSquare, maxSquare)
		}
	}
	return nil
}

// checkRows returns an error where the data are none, have rows of different lengths, or a number that is not finite or far from zero in
// units of one of the variances.
func checkRows(data [][]float64, variances ...float64) error {
	if len(data) == 0 || len(data[0]) == 0 {
		return errors.New("no data; give at least one row with at least one column")
	}
	for i, row := range data {
		if len(row) != len(data[0]) {
			return fmt.Errorf("row %d has %d columns, and row 0 has %d", i, len(row), len(data[0]))
		}
		for j, y := range row {
			for _, v := range variances {
				if !(y/v*y <= maxSquare) {
					return fmt.Errorf("row %d, column %d is %v, which is no number, or more than 1e100 standard deviations from zero", i, j, y)
				}
			}
		}
	}
	return nil
}

// inUnitsOf returns the data divided by a standard deviation, row after row.
func inUnitsOf(variance float64, data [][]float64) []float64 {
	sd := math.Sqrt(variance)
	flat := make([]float64, 0, len(data)*len(data[0]))
	for _, row := range data {
		for _, y := range row {
			flat = append(flat, y/sd)
		}
	}
	return flat
}

// transposed returns the columns of so many rows, one after another.
func transposed(flat []float64, rows int) []float64 {
	columns := len(flat) / rows
	t := make([]float64, len(flat))
	for i := range rows {
		for j := range columns {
			t[j*rows+i] = flat[i*columns+j]
		}
	}
	return t
}
