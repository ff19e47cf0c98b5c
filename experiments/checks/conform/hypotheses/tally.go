package hypotheses

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/number"
	"breadboard/experiments/verdicts"
)

// Tally counts the cells of chains.
type Tally struct {
	*Set
	Chains     int
	Impossible *Chain // the first chain that the specification gives no probability; nil if there was none
	counts     []int
	rng        *rand.Rand
	recent     []recent // empty if cells depend on noise
}

// recent is a chain whose cell was looked up before. Chains take few paths, so that most are found
// by their bits.
type recent struct {
	logw        uint64
	first, last int32
	cell        int32 // one more than the cell, so that zero is none
}

// recentChains is the number of chains that are kept, a power of two.
const (
	recentBits   = 14
	recentChains = 1 << recentBits
)

// Chain is a chain by its number, from 0 in the order of Add, and its columns.
type Chain struct {
	Row         int
	First, Last int
	LogW        float64
}

// NewTally returns an empty tally, with a source of the noise for bins: the same source and chains
// give the same counts.
func (s *Set) NewTally(src rand.Source) *Tally {
	t := &Tally{Set: s, counts: make([]int, s.reduction.cells()), rng: rand.New(src)}
	if s.Listed {
		t.recent = make([]recent, recentChains)
	}
	return t
}

// cell returns the cell of a chain.
func (t *Tally) cell(first, last int32, logw float64) int {
	if t.recent == nil {
		return t.reduction.cell(first, last, logw, t.rng)
	}
	bits := math.Float64bits(logw)
	hash := (bits ^ uint64(uint32(first))<<32 ^ uint64(uint32(last))<<48) * 0x9e3779b97f4a7c15
	r := &t.recent[hash>>(64-recentBits)]
	if r.cell == 0 || r.logw != bits || r.first != first || r.last != last {
		*r = recent{bits, first, last, int32(t.reduction.cell(first, last, logw, t.rng)) + 1}
	}
	return int(r.cell) - 1
}

// EntryAt returns a value of a column, and zero if the column is nil.
func EntryAt[T any](column []T, i int) (v T) {
	if column != nil {
		v = column[i]
	}
	return v
}

// Add counts chains. An unknown column is nil.
func (t *Tally) Add(first, last []int32, logw []float64) {
	rows := max(len(first), len(last), len(logw))
	for i := range rows {
		x := EntryAt(first, i)
		y := EntryAt(last, i)
		v := EntryAt(logw, i)
		cell := t.cell(x, y, v)
		t.counts[cell]++
		if t.specified[cell] == 0 && t.Impossible == nil {
			t.Impossible = &Chain{t.Chains + i, int(x), int(y), v}
		}
	}
	t.Chains += rows
}

// The parts of the mean of the Dirichlet distribution that are not the specification's.
const (
	othersPart  = 0.25 // that of all other hypotheses together
	anyPart     = 0.05 // that of all cells alike
	nowherePart = 0.05 // that of the last cell, which is for what is on no list
)

// finish sets the distribution of the specification, cell by cell, and the mean of the Dirichlet
// distribution.
func (s *Set) finish(specified []float64) {
	s.specified, s.base = specified, make([]float64, len(specified))
	share := func(l law, part float64) {
		for cell, p := range l.all() {
			s.base[cell] += part * p
		}
	}
	share(s.laws[0], 1-othersPart-anyPart-nowherePart)
	for _, l := range s.laws[1:] {
		share(l, othersPart/float64(len(s.laws)-1))
	}
	for cell := range s.base {
		s.base[cell] += anyPart / float64(len(s.base))
	}
	s.base[len(s.base)-1] += nowherePart
	for h := range s.laws {
		s.toFirst = append(s.toFirst, sync.OnceValue(func() ratio { return s.ratioTo(h, s.laws[0]) }))
	}
}

// tested returns what chains are compared with where the specification is tested: its distribution,
// or a bound on that.
func (s *Set) tested() law {
	if s.rounded {
		return s.bound
	}
	return s.laws[0]
}

// LogE returns the log e-value against the specification: the average, over all other hypotheses
// and Unknown, of the likelihood ratio of the chains. If log weights may be rounded it is a lower
// bound for any rounding.
func (t *Tally) LogE() float64 {
	c, cells := t.counted(0)
	tested := t.tested()
	null := verdicts.LogLikelihood(c.Counts, tested.cellProbabilities(cells), t.resolution)
	if math.IsInf(null, -1) {
		return math.Inf(1)
	}
	c.Logs[0] = verdicts.LogLikelihood(c.Counts, c.P[0], t.resolution)
	var terms []float64
	for _, log := range c.Logs[1:] {
		terms = append(terms, log-null)
	}
	return number.LogMean(append(terms, c.Unlisted(0).Log-null))
}

// against returns the log e-value against a hypothesis. Single precision does not say how often a
// log weight comes out exact.
func (t *Tally) against(c *verdicts.Counted, h int) float64 {
	counts := c.Counts
	p := c.P[h]
	l := &t.laws[h]
	if h > 0 && h == t.blurred {
		merged, _ := t.reduction.(*listed).blurred(t.counts)
		cells, of := nonzero(merged)
		counts, p, l = of, t.merged.cellProbabilities(cells), &t.merged
	}
	if t.resolution == 0 {
		return verdicts.CountsLogE(counts, p) // infinite if there are chains in cells that are not possible
	}
	// Where probabilities below the rounding count as much as that, their sum is above one, and a
	// Dirichlet distribution around them would be as well.
	total := floats.Sum(l.p) + t.resolution*float64(len(t.counts)-len(l.p))
	p = slices.Clone(p)
	for i, v := range p {
		p[i] = max(v, t.resolution) * (1 / total)
	}
	return verdicts.CountsLogE(counts, p) - float64(t.Chains)*number.Log(total)
}

// Worst describes the cell whose count deviates most from the specification.
func (t *Tally) Worst(state func(x int) string) string {
	return verdicts.WorstCell(t.counts, t.specified, func(cell int) string { return t.reduction.name(cell, state) })
}
