package estimators

import (
	"cmp"
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
)

// clustering is a mixture of normals with its data, a row each.
type clustering struct {
	Y [][]float64
	Clusters
}

// newClustering returns the mixture of a table. It fails if the table, the parameters or the
// patience (which may be zero) are invalid.
func newClustering(y [][]float64, c Clusters, p Patience) (*clustering, error) {
	err := cmp.Or(c.Validate(), CheckRows(y))
	if p != (Patience{}) {
		err = cmp.Or(err, p.Validate())
	}
	return &clustering{y, c}, err
}

// sides returns the numbers of values of the assignments z_i.
func (m *clustering) sides() []int { return slices.Repeat([]int{len(m.Pi)}, len(m.Y)) }

// work returns the cost of a number of sweeps. A sweep weighs, for each datum, all K clusters
// against one another, as a scan by heat bath does. It is counted as such a scan, which asks for
// log f at the K - 1 other values of each of N variables, although log f is not evaluated here.
// This convention makes costs comparable.
func (m *clustering) work(sweeps float64) Work {
	return Work{Evaluations: sweeps * float64(len(m.Y)*(len(m.Pi)-1))}
}

// operations returns about how many multiplications a sweep takes. An exponential counts as ten.
func (m *clustering) operations() float64 {
	return float64(len(m.Y)) * float64(len(m.Pi)) * float64(2*len(m.Y[0])+10)
}

// memberships are the probabilities of the clusters of each datum: those of datum i are at [i].
type memberships [][]float64

// hard returns the memberships of an assignment of the data to clusters.
func (m *clustering) hard(start []int) memberships {
	all := make([]float64, len(m.Y)*len(m.Pi))
	q := make(memberships, len(m.Y))
	for i, k := range start {
		q[i], all = all[:len(m.Pi):len(m.Pi)], all[len(m.Pi):]
		q[i][k] = 1
	}
	return q
}

// centres are independent normal distributions of the centres. All columns of a centre have the
// same variance.
type centres struct {
	means     [][]float64 // by cluster and column
	variances []float64   // by cluster; zero if the centre is known
}

// centresAtZero returns centres that are known to be zero.
func (m *clustering) centresAtZero() *centres {
	c := &centres{make([][]float64, len(m.Pi)), make([]float64, len(m.Pi))}
	for k := range c.means {
		c.means[k] = make([]float64, len(m.Y[0]))
	}
	return c
}

// sumMembers writes the data's sum under the memberships of a cluster, and returns the sum of the
// memberships.
func (m *clustering) sumMembers(q memberships, k int, sum []float64) float64 {
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

// logDensity writes E[log(pi_k N(y_i; theta_k, sn2 I))] of each cluster for datum i, without -D/2
// log(2 pi sn2). It returns the size of the numbers that it has come from: their rounding times
// this size is about the error of what is written.
func (m *clustering) logDensity(dst []float64, c *centres, i int) (size float64) {
	for k, mean := range c.means {
		square := float64(len(mean)) * c.variances[k]
		// times the rounding of a number: the error of square, as that of a mean grows with the
		// mean
		lost := square
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

// assign sets the memberships to their best values given the centres, which are proportional to
// exp(logDensity). It returns the sum over the data of the logarithm of what they are divided by,
// and whether a membership has changed by more than rounding.
func (m *clustering) assign(q memberships, c *centres) (logs float64, moved bool) {
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

// climb sets the centres from the memberships and then these from the centres, in turns, until the
// patience ends; with the zero Patience, until no membership changes by more than rounding. A
// sweep's value is the sum of logs that assign returns, less the cost of the centres.
func (m *clustering) climb(ctx context.Context, q memberships, c *centres, rule climbing) (Ascent, error) {
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

// attributes is a model of binary attributes with its data, a row each.
type attributes struct {
	Y [][]float64
	Attributes
}

// newAttributes returns the model of a table. It fails if the table or the parameters are invalid.
func newAttributes(y [][]float64, a Attributes) (*attributes, error) {
	return &attributes{y, a}, cmp.Or(a.Validate(), CheckRows(y))
}

func (m *attributes) logOdds(k int) float64 { return number.Log(m.Pi[k]) - math.Log1p(-m.Pi[k]) }

// constant returns N D/2 log(2 pi sn2), in nats.
func (m *attributes) constant() float64 {
	return float64(len(m.Y)*len(m.Y[0])) / 2 * number.Log(2*math.Pi*m.NoiseVariance)
}

// factors is a low-rank model with its data, a row each, and its rank.
type factors struct {
	Y [][]float64
	K int
	Factors
}

// newFactors returns the model of a table. It fails if the table, the parameters or the rank are
// invalid.
func newFactors(y [][]float64, k int, f Factors) (*factors, error) {
	if err := cmp.Or(f.Validate(), CheckRows(y)); err != nil {
		return nil, err
	}
	return &factors{y, k, f}, CheckRank(k, y)
}

// work returns the cost of a number of sweeps. A sweep sets U and V, and is counted as the N K + K
// D draws of a scan that draws them.
func (m *factors) work(sweeps float64) Work {
	return Work{Evaluations: sweeps * float64(m.K*(len(m.Y)+len(m.Y[0])))}
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

// transposed returns the columns of the given number of rows, one after another.
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
