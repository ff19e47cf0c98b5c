package hypotheses

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"breadboard/experiments/eprocess"
)

// Tally counts the cells of chains.
type Tally struct {
	*Set
	Chains int
	// Impossible is the first chain that the specification gives no probability; nil where there was none.
	Impossible *Chain
	counts     []int
	rng        *rand.Rand
}

// Chain is a chain by its number, from 0 in the order of Add, and its columns.
type Chain struct {
	Row         int
	First, Last int
	LogW        float64
}

// NewTally returns an empty tally. The source is for the noise that bins need: the same source and the same chains in the
// same order give the same counts.
func (s *Set) NewTally(src rand.Source) *Tally {
	return &Tally{Set: s, counts: make([]int, s.reduction.cells()), rng: rand.New(src)}
}

// Add counts chains. A column that is not known is nil.
func (t *Tally) Add(first, last []int32, logw []float64) {
	rows := max(len(first), len(last), len(logw))
	for i := range rows {
		var x, y int32
		var v float64
		if first != nil {
			x = first[i]
		}
		if last != nil {
			y = last[i]
		}
		if logw != nil {
			v = logw[i]
		}
		cell := t.reduction.cell(x, y, v, t.rng)
		t.counts[cell]++
		if t.p[0][cell] == 0 && t.Impossible == nil {
			t.Impossible = &Chain{t.Chains + i, int(x), int(y), v}
		}
	}
	t.Chains += rows
}

// logLikelihood returns the log probability of the counts, as a sequence of chains, under a hypothesis. A probability below
// least counts as least.
func (t *Tally) logLikelihood(p []float64, least float64) float64 {
	total := 0.0
	for cell, c := range t.counts {
		if c > 0 {
			total += float64(c) * math.Log(max(least, p[cell]))
		}
	}
	return total
}

// unknownLogLikelihood is that of cells whose probabilities are drawn from one of two Dirichlet laws, each as likely: one
// around the specification, for what is nearly right, and one around all hypotheses and all cells, for what is not.
func (t *Tally) unknownLogLikelihood() float64 {
	base := t.base()
	far := t.logLikelihood(base, 0) + eprocess.CountsLogE(t.counts, base)
	near := math.Inf(-1)
	if null := t.logLikelihood(t.p[0], t.resolution); !math.IsInf(null, -1) {
		near = null + t.against(0)
	}
	return eprocess.LogMean([]float64{near, far})
}

// The parts of the mean of the Dirichlet law that are not the specification's.
const (
	othersPart  = 0.25 // that of all other hypotheses together
	anyPart     = 0.05 // that of all cells alike
	nowherePart = 0.05 // that of the last cell, which is for what is on no list
)

// base returns the mean of the Dirichlet law.
func (t *Tally) base() []float64 {
	base := make([]float64, len(t.counts))
	share := func(p []float64, part float64) {
		for cell, v := range p {
			base[cell] += part * max(0, v)
		}
	}
	share(t.p[0], 1-othersPart-anyPart-nowherePart)
	for _, p := range t.p[1:] {
		share(p, othersPart/float64(len(t.p)-1))
	}
	for cell := range base {
		base[cell] += anyPart / float64(len(base))
	}
	base[len(base)-1] += nowherePart
	return base
}

// LogE returns the log e-value against the specification: the average over all other hypotheses, and over none of them, of
// how much likelier the chains are under it.
func (t *Tally) LogE() float64 {
	null := t.logLikelihood(t.p[0], t.resolution)
	if math.IsInf(null, -1) {
		return math.Inf(1)
	}
	var terms []float64
	for _, p := range t.p[1:] {
		terms = append(terms, t.logLikelihood(p, 0)-null)
	}
	return eprocess.LogMean(append(terms, t.unknownLogLikelihood()-null))
}

// Odds is what chains say about a hypothesis.
type Odds struct {
	Name string
	// LogOdds is the log of how much likelier the chains are than under the specification, in nats. It is +Inf where they are
	// impossible under the specification, and NaN where under both.
	LogOdds float64
	// Posterior is the probability of the hypothesis, where all are as likely before anything is known.
	Posterior float64
	// LogE is the log e-value against the hypothesis itself, by which it may be refused as well; 0 for Unknown.
	LogE float64
}

// Beside is a hypothesis of which the cells say nothing, such as that chains depend on each other.
type Beside struct {
	Name    string
	LogOdds float64 // against the specification, in nats
}

// Odds returns the odds of all hypotheses, the likeliest first, with those beside.
func (t *Tally) Odds(beside ...Beside) []Odds {
	var out []Odds
	var logs []float64
	add := func(name string, log, logE float64) {
		out = append(out, Odds{Name: name, LogE: logE})
		logs = append(logs, log)
	}
	for h, p := range t.p {
		add(t.Names[h], t.logLikelihood(p, t.resolution), t.against(h))
	}
	add(Unknown, t.unknownLogLikelihood(), 0)
	for _, b := range beside {
		add(b.Name, logs[0]+b.LogOdds, 0)
	}
	top := slices.Max(logs)
	total := 0.0
	for _, l := range logs {
		total += math.Exp(l - top)
	}
	order := make([]int, len(logs))
	for i, l := range logs {
		out[i].LogOdds = l - logs[0]
		out[i].Posterior = math.Exp(l-top) / total
		order[i] = i
	}
	// By likelihood: a posterior may be too small for a number, and LogOdds is infinite where the specification is impossible.
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(logs[b], logs[a]) })
	sorted := make([]Odds, len(out))
	for k, i := range order {
		sorted[k] = out[i]
	}
	return sorted
}

// against returns the log e-value of the counts against a hypothesis. That of single precision does not say how often a log
// weight comes out exact.
func (t *Tally) against(h int) float64 {
	if h > 0 && h == t.blurred {
		return eprocess.CountsLogE(t.reduction.(*listed).blurred(t.counts), t.merged)
	}
	p := t.p[h]
	if t.resolution > 0 {
		p = slices.Clone(p)
		for cell := range p {
			p[cell] = max(p[cell], t.resolution)
		}
	}
	return eprocess.CountsLogE(t.counts, p)
}

// Worst describes the cell whose count is farthest from what the specification says.
func (t *Tally) Worst(state func(x int) string) string {
	return eprocess.WorstCell(t.counts, t.p[0], func(cell int) string { return t.reduction.name(cell, state) })
}
