package sweep

import (
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/tightness"
	"breadboard/grid/longtest"
)

// Places of the numbers that the study tightness stores.
const (
	atJ = iota
	atB
	atKLQP
	atKLPQ
	atMeanLogWForward
	atMeanLogWReverse
	atLogZRatio
	atDominantModeMass
)

// numbers are those of the study tightness, with a note.
type numbers struct {
	J, B, KLQP, KLPQ, MeanLogWForward, MeanLogWReverse, LogZRatio, DominantModeMass float64

	Note string
}

// values returns the numbers as the values of a cell.
func (n numbers) values() *Values {
	return &Values{tightness.Study().Sweep(), []float64{n.J, n.B, n.KLQP, n.KLPQ, n.MeanLogWForward, n.MeanLogWReverse, n.LogZRatio, n.DominantModeMass}, n.Note}
}

// cellFrom returns the cell of the study tightness with such values.
func cellFrom(values ...string) Cell {
	return cellOf(experiments.Parameters(), func(k int) string { return values[k] })
}

// texts returns the values of a cell.
func texts(c Cell) []string {
	var out []string
	for _, p := range c {
		out = append(out, p.Value)
	}
	return out
}

// eachStudy runs a test with a small sweep of the study that needs no name, and with one of another study, which has
// parameters of its own. Both have nine cells, one of which fails.
func eachStudy(t *testing.T, test func(t *testing.T, spec string)) {
	own := strings.NewReplacer("[grid]\n", "[grid]\nreference = ['mode']\nmoves = [2]\n", "[[case]]\n", "[[case]]\nreference = 'mode'\nmoves = 2\n")
	t.Run("tightness", func(t *testing.T) { test(t, small) })
	if longtest.Short() {
		return
	}
	t.Run("subjective", func(t *testing.T) { test(t, "study = 'subjective'\n"+own.Replace(small)) })
}
