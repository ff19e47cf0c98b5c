package hypotheses

import (
	"breadboard/experiments/verdicts"
)

// counted returns what was counted, with the probabilities of the cells that were seen under every
// hypothesis, and these cells. A cell that is not possible under a hypothesis has the probability
// least.
func (t *Tally) counted(least float64) (c *verdicts.Counted, cells []int32) {
	cells, counts := nonzero(t.counts)
	// single precision does not say how often weights come out exact
	c = &verdicts.Counted{Counts: counts, Apart: t.blurred}
	for _, l := range t.laws {
		p := l.cellProbabilities(cells)
		c.P, c.Logs = append(c.P, p), append(c.Logs, verdicts.LogLikelihood(counts, p, least))
	}
	if t.blurred > 0 {
		c.Logs[t.blurred] = t.logBlurred()
	}
	for _, cell := range cells {
		c.Mean = append(c.Mean, t.base[cell])
	}
	c.Against = func(h int) float64 { return t.against(c, h) }
	return c, cells
}

// logBlurred returns the log probability of what was counted under single precision.
func (t *Tally) logBlurred() float64 {
	merged, logParts := t.reduction.(*listed).blurred(t.counts)
	cells, counts := nonzero(merged)
	return verdicts.LogLikelihood(counts, t.merged.cellProbabilities(cells), 0) + logParts
}

// nonzero returns the cells whose counts are not zero, and these counts.
func nonzero(counts []int) (cells []int32, of []int) {
	for cell, c := range counts {
		if c > 0 {
			cells, of = append(cells, int32(cell)), append(of, c)
		}
	}
	return cells, of
}
