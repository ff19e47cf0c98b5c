package particle

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// DPMM is a Dirichlet-process mixture of normals with its points: a partition of the points into
// clusters has the prior of the Chinese restaurant process, and the points of a cluster are N(mu,
// SD^2) with mu ~ N(0, S0^2), which is integrated out.
//
//	P(partition) = Alpha^K (n_1 - 1)! ... (n_K - 1)!/(Alpha (Alpha + 1) ... (Alpha + n - 1))
//
// for K clusters of n_1, ..., n_K points. The likelihood is the product over the clusters of N(y;
// 0, SD^2 I + S0^2 1 1').
type DPMM struct {
	Alpha float64   // the concentration of the process, above 0
	S0    float64   // the standard deviation of the means of clusters, at least 0
	SD    float64   // the standard deviation of points about the mean of their cluster, above 0
	Y     []float64 // the points
}

// MaxPoints is the largest number of points whose partitions can be numbered in 31 bits, which
// every int and the outputs of Sample hold.
const MaxPoints = 15

// MaxDrawnPoints is the largest number of points of a model. The partitions of more than MaxPoints
// are not numbered in advance (see Drawn).
const MaxDrawnPoints = 100

// MaxPoint is how far from zero a point may be. Sums of squares beyond it would overflow.
const MaxPoint = 1e100

// Validate returns an error if the model is invalid.
func (m *DPMM) Validate() error {
	switch finite := func(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }; {
	case !(m.Alpha > 0 && finite(m.Alpha)):
		return errs.New("the concentration alpha is %v; give a number above 0", m.Alpha)
	case !(m.S0 >= 0 && finite(m.S0)):
		return errs.New("the standard deviation s0 of the means is %v; give a number of at least 0", m.S0)
	case !(m.SD > 0 && finite(m.SD)):
		return errs.New("the standard deviation sd of the points is %v; give a number above 0", m.SD)
	case len(m.Y) == 0:
		return errs.New("there are no points; give at least one")
	case len(m.Y) > MaxDrawnPoints:
		return errs.New("%d points; give at most %d", len(m.Y), MaxDrawnPoints)
	default:
		for i, y := range m.Y {
			if !(math.Abs(y) <= MaxPoint) {
				return errs.New("point %d is %v; give finite numbers of at most %v", i, y, MaxPoint)
			}
		}
		return nil
	}
}

// Partitions are the partitions of points 0..k-1 into clusters, which are numbered by their first
// points. A partition is the list of its points' clusters. The partitions of k points have ranks
// from 0 to Bell(k)-1, in the order of these lists.
type Partitions struct {
	// ways[m][c] is the number of ways to add m more points to c clusters.
	ways [][]int
}

// NewPartitions returns the partitions of up to the given number of points, at most MaxPoints.
func NewPartitions(points int) *Partitions {
	p := &Partitions{}
	for m := range points + 1 {
		row := make([]int, points-m+1)
		for c := range row {
			row[c] = 1
			if m > 0 {
				row[c] = c*p.ways[m-1][c] + p.ways[m-1][c+1]
			}
		}
		p.ways = append(p.ways, row)
	}
	return p
}

// Count returns the number of partitions of k points, which is the k-th Bell number.
func (p *Partitions) Count(k int) int { return p.ways[k][0] }

// Rank returns the rank of a partition among those of the same number of points.
func (p *Partitions) Rank(labels []int) int {
	rank := 0
	clusters := 0
	for i, l := range labels {
		rank += l * p.ways[len(labels)-1-i][clusters]
		clusters = max(clusters, l+1)
	}
	return rank
}

// Labels writes the clusters of the points of the partition with a rank, and returns their number.
func (p *Partitions) Labels(labels []int, rank int) (clusters int) {
	for i := range labels {
		ways := p.ways[len(labels)-1-i][clusters]
		l := clusters
		if clusters > 0 {
			l = min(rank/ways, clusters)
		}
		labels[i] = l
		rank -= l * ways
		clusters = max(clusters, l+1)
	}
	return clusters
}

// Mixture is the particle filter of a DPMM. Its states at stage t are the partitions of the first t
// points, as ranks. Stage t weighs for point t and moves by assigning point t+1 to a cluster. Zhat
// estimates the density of the points.
//
// Source: Cusumano-Towner and Mansinghka 2017, supplement, sections A and E.
type Mixture struct {
	m          *DPMM
	proposal   Proposal
	partitions numbering
}

// numbering gives numbers to partitions, as Partitions does.
type numbering interface {
	Count(k int) int
	Rank(labels []int) int
	Labels(labels []int, rank int) (clusters int)
}

// NewMixture returns the filter of a model that Validate accepts, of at most MaxPoints points.
func NewMixture(m *DPMM, proposal Proposal) (*Mixture, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if len(m.Y) > MaxPoints {
		return nil, errs.New("%d points; the partitions of at most %d can be numbered", len(m.Y), MaxPoints)
	}
	return &Mixture{m: m, proposal: proposal, partitions: NewPartitions(len(m.Y))}, nil
}

// Clusters returns the number of clusters of an output.
func (f *Mixture) Clusters(x int) int { return f.partitions.Labels(make([]int, len(f.m.Y)), x) }

// Stages implements Flow.
func (f *Mixture) Stages() int { return len(f.m.Y) - 1 }

// Outputs implements Flow.
func (f *Mixture) Outputs() int { return f.partitions.Count(len(f.m.Y)) }

// Start implements Flow: the first point is in the first cluster. It makes no choice.
func (f *Mixture) Start(chains.Chooser) int { return 0 }

// LogWeight implements Flow.
func (f *Mixture) LogWeight(t, x int) float64 {
	c := f.partitionOf(t, x)
	label := c.labels[t-1]
	c.removePoint(t - 1)
	if f.proposal == Prior {
		return c.logDensity(label, f.m.Y[t-1])
	}
	law, logSum := c.clusterLaw(f.m.Y[t-1])
	if law[label] == 0 {
		return math.Inf(1) // the probability underflows, so that no run is there
	}
	return logSum
}

// Move implements Flow: it assigns point t+1 to a cluster.
func (f *Mixture) Move(c chains.Chooser, t, x int) int {
	clusters := f.partitionOf(t, x)
	law := clusters.prior()
	if f.proposal == Optimal {
		law, _ = clusters.clusterLaw(f.m.Y[t])
	}
	return f.partitions.Rank(append(clusters.labels, c.Choose(law)))
}

// Back implements Flow: it drops the last point, and makes no choice.
func (f *Mixture) Back(_ chains.Chooser, t, x int) int { return f.Parent(t+1, x) }

// LogTarget implements Flow: it is the log density of the partition with the points.
func (f *Mixture) LogTarget(x int) float64 {
	labels := make([]int, len(f.m.Y))
	f.partitions.Labels(labels, x)
	c := f.empty(len(labels))
	sum := 0.0
	for i, l := range labels {
		sum += number.Log(c.prior()[l]) + c.logDensity(l, f.m.Y[i])
		c.assignPoint(i, l)
	}
	return sum
}

// States implements Filter.
func (f *Mixture) States(t int) int { return f.partitions.Count(t) }

// Parent implements Filter.
func (f *Mixture) Parent(t, x int) int {
	labels := make([]int, t)
	f.partitions.Labels(labels, x)
	return f.partitions.Rank(labels[:t-1])
}

// Types implements Filter: every partition is a type of its own.
func (f *Mixture) Types(t int) int { return f.States(t) }

// Type implements Filter.
func (*Mixture) Type(_, x int) int { return x }

// clustering is a partition of some points into clusters, with their sufficient statistics.
type clustering struct {
	m      *DPMM
	labels []int
	points int // the number of points in clusters
	size   []int
	sum    []float64
	law    []float64 // memory for prior
}

// empty returns the clustering of no points, with capacity for the given number of clusters and
// one. It makes only two allocations, since more would take half of the time of chains.
func (f *Mixture) empty(points int) clustering {
	most := points + 1
	whole := make([]int, 2*most)
	real := make([]float64, 2*most+1)
	return clustering{
		m:      f.m,
		labels: whole[:0:most],
		size:   whole[most:most],
		sum:    real[:0:most],
		law:    real[most:],
	}
}

// partitionOf returns the partition of the first t points with a rank.
func (f *Mixture) partitionOf(t, x int) clustering {
	c := f.empty(t)
	labels := c.labels[:t] // where put writes them again
	f.partitions.Labels(labels, x)
	for i, l := range labels {
		c.assignPoint(i, l)
	}
	return c
}

// assignPoint assigns the next point to a cluster, which may be a new one.
func (c *clustering) assignPoint(i, l int) {
	if l == len(c.size) {
		c.size, c.sum = append(c.size, 0), append(c.sum, 0)
	}
	c.labels = append(c.labels, l)
	c.size[l]++
	c.sum[l] += c.m.Y[i]
	c.points++
}

// removePoint takes a point out of its cluster. A cluster that is then empty is dropped; the last
// one takes its number.
func (c *clustering) removePoint(i int) {
	l := c.labels[i]
	c.labels[i] = -1
	c.size[l]--
	c.points--
	// The sum is computed anew, so that no rounding error of the point remains in it.
	c.sum[l] = 0
	for j, label := range c.labels {
		if label == l {
			c.sum[l] += c.m.Y[j]
		}
	}
	last := len(c.size) - 1
	if c.size[l] > 0 {
		return
	}
	c.size[l], c.sum[l] = c.size[last], c.sum[last]
	c.size = c.size[:last]
	c.sum = c.sum[:last]
	for j, label := range c.labels {
		if label == last {
			c.labels[j] = l
		}
	}
}

// canonical numbers the clusters by their first points, and returns the labels. Sizes and sums are
// lost.
func (c *clustering) canonical() []int {
	number := c.size[:len(c.labels)]
	clear(number)
	clusters := 0
	for i, l := range c.labels {
		if number[l] == 0 {
			clusters++
			number[l] = clusters
		}
		c.labels[i] = number[l] - 1
	}
	return c.labels
}

// prior returns the probability that a further point is in each cluster, the last one new (Chinese
// restaurant process). It is valid until the next call.
func (c *clustering) prior() []float64 {
	total := float64(c.points) + c.m.Alpha
	law := c.law[:len(c.size)+1]
	for l, n := range c.size {
		law[l] = float64(n) / total
	}
	law[len(c.size)] = c.m.Alpha / total
	return law
}

// logDensity returns the log density of a further point y of a cluster, given the points in it.
func (c *clustering) logDensity(l int, y float64) float64 {
	s0, sd := c.m.S0*c.m.S0, c.m.SD*c.m.SD
	mean, variance := 0.0, s0+sd
	if l < len(c.size) {
		spread := sd + float64(c.size[l])*s0
		mean = s0 * c.sum[l] / spread
		variance = sd + s0*sd/spread
	}
	d := y - mean
	return -0.5 * (number.Log(2*math.Pi*variance) + d*d/variance)
}

// clusterLaw returns the probability that a further point y is in each cluster, the last one new,
// given its value, and the log density of y.
func (c *clustering) clusterLaw(y float64) (law []float64, logSum float64) {
	law = c.prior()
	for l := range law {
		law[l] = number.Log(law[l]) + c.logDensity(l, y)
	}
	logSum = number.LogSumExp(law)
	for l := range law {
		law[l] = math.Exp(law[l] - logSum)
	}
	scale(law)
	return law, logSum
}
