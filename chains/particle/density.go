package particle

import (
	"math"
	"sync"

	"breadboard/chains"
)

// Density is a sampler whose density is known, such as one that draws exactly from the target, or a
// variational approximation. It needs no trace: xi(u, x) is the density, normalised or not.
type Density struct {
	logXi []float64
	p     []float64
}

// NewDensity returns the sampler with the distribution proportional to exp(logXi), where -Inf is a
// state of zero density. Its xi is exp(logXi).
func NewDensity(logXi []float64) *Density {
	d := &Density{logXi: append([]float64(nil), logXi...), p: append([]float64(nil), logXi...)}
	chains.Normalize(d.p)
	return d
}

// Outputs implements Algorithm.
func (d *Density) Outputs() int { return len(d.p) }

// Run implements Algorithm.
func (d *Density) Run(c chains.Chooser) Result {
	x := c.Choose(d.p)
	return Result{Output: x, LogXi: d.logXi[x]}
}

// Meta implements Algorithm. It draws nothing.
func (d *Density) Meta(_ chains.Chooser, x int) Result { return Result{Output: x, LogXi: d.logXi[x]} }

// Drawn is sequential Monte Carlo over the partitions of more points than can be numbered in
// advance. The partitions of a trace are numbered as they occur, and all but the output are
// discarded afterwards. It takes time and memory like SMC, and a map of the partitions of one
// trace.
type Drawn struct {
	smc     *SMC
	here    *met
	outputs *Outcomes
	labels  []int // of an output
}

// Outcomes number the outputs of all algorithms on one model, which must agree. Several goroutines
// may use them.
type Outcomes struct {
	mutex sync.Mutex
	met   *met
	k     int // the number of points
}

// NewOutcomes returns the outcomes of algorithms on the given number of points.
func NewOutcomes(points int) *Outcomes { return &Outcomes{met: newMet(), k: points} }

// Clusters returns the number of clusters of an output.
func (o *Outcomes) Clusters(x int) int {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.met.Labels(make([]int, o.k), x)
}

// NewDrawn returns sequential Monte Carlo with the given number of particles, resampled at every
// stage, over the partitions of a model's points, with a Gibbs scan after each step or without (see
// Rejuvenated).
func NewDrawn(m *DPMM, proposal Proposal, rejuvenated bool, particles int,
	outputs *Outcomes) (*Drawn, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	here := newMet()
	filter := &Mixture{m: m, proposal: proposal, partitions: here}
	var flow Flow = filter
	if rejuvenated {
		flow = NewRejuvenated(filter)
	}
	smc, err := NewSMC(flow, particles, Multinomial{}, 1)
	return &Drawn{smc, here, outputs, make([]int, len(m.Y))}, err
}

// Outputs implements Algorithm: every number may become an output.
func (*Drawn) Outputs() int { return math.MaxInt32 }

// Run implements Algorithm.
func (d *Drawn) Run(c chains.Chooser) Result {
	d.here.forget()
	r := d.smc.Run(c)
	if r.Output >= 0 {
		d.here.Labels(d.labels, r.Output)
		d.outputs.mutex.Lock()
		defer d.outputs.mutex.Unlock()
		r.Output = d.outputs.met.Rank(d.labels)
	}
	return r
}

// Meta implements Algorithm.
func (d *Drawn) Meta(c chains.Chooser, x int) Result {
	d.here.forget()
	d.outputs.mutex.Lock()
	d.outputs.met.Labels(d.labels, x)
	d.outputs.mutex.Unlock()
	r := d.smc.Meta(c, d.here.Rank(d.labels))
	r.Output = x
	return r
}

// met numbers partitions in the order in which they occur. The first is that of a single point.
type met struct {
	numbers map[string]int
	lists   []string // of labels, a byte each
	key     []byte
}

func newMet() *met {
	m := &met{numbers: map[string]int{}}
	m.forget()
	return m
}

// forget forgets all partitions but that of a single point.
func (m *met) forget() {
	clear(m.numbers)
	m.lists = m.lists[:0]
	m.Rank([]int{0})
}

// Count returns the largest number.
func (*met) Count(int) int { return math.MaxInt32 }

// Rank returns the number of a partition.
func (m *met) Rank(labels []int) int {
	m.key = m.key[:0]
	for _, l := range labels {
		m.key = append(m.key, byte(l))
	}
	if x, known := m.numbers[string(m.key)]; known {
		return x
	}
	x := len(m.lists)
	m.lists = append(m.lists, string(m.key))
	m.numbers[m.lists[x]] = x
	return x
}

// Labels writes the clusters of the points of a partition, and returns their number.
func (m *met) Labels(labels []int, x int) (clusters int) {
	for i := range labels {
		labels[i] = int(m.lists[x][i])
		clusters = max(clusters, labels[i]+1)
	}
	return clusters
}
