package records

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"breadboard/experiments/eprocess"
)

// Result is what a test has found.
type Result struct {
	Test      string  // with the kind of records before it
	Runs      int     // the number of runs that it has seen
	LogE      float64 // its log e-value at the last look; +Inf where something impossible was sent
	Fault     bool
	At        int // the number of runs at the look at which the fault was certain; 0 where there is none
	Statistic string
}

// tally counts the cells of one part of the records, and compares them with the law of the specification.
type tally struct {
	part
	laws   *partLaws
	counts map[string]int
}

// add counts a record.
func (t *tally) add(whole string, places []int) { t.counts[t.of(whole, places)]++ }

// sorted returns the counts of the cells of a law in a fixed order, with their probabilities, and how many records are in no cell of
// it, of which stray is one.
func (t *tally) sorted(law map[string]float64) (cells []string, counts []int, p []float64, strays int, stray string) {
	for _, cell := range slices.Sorted(maps.Keys(law)) {
		cells, counts, p = append(cells, cell), append(counts, t.counts[cell]), append(p, law[cell])
	}
	for cell, n := range t.counts {
		if law[cell] == 0 {
			strays += n
			if stray == "" || cell < stray {
				stray = cell
			}
		}
	}
	return cells, counts, p, strays, stray
}

// logE returns the log e-value of the counts against the specification, and what deviates most.
func (t *tally) logE(s *sideLaws) (logE float64, statistic string) {
	cells, counts, p, strays, stray := t.sorted(t.laws.laws[0])
	if strays > 0 {
		return math.Inf(1), fmt.Sprintf("%s is impossible; impossible runs: %d", t.describe(stray, s), strays)
	}
	return eprocess.CountsLogE(counts, p), eprocess.WorstCell(counts, p, func(i int) string { return t.describe(cells[i], s) })
}

// unknownLogE returns the log e-value of the counts against a law, where the alternative is an unknown law around the mean of all
// that are known: the mixture of eprocess.CountsLogE. It is +Inf where something was sent that is impossible under the law.
func (t *tally) unknownLogE(law, mean map[string]float64) float64 {
	cells, counts, p, strays, _ := t.sorted(mean)
	if strays > 0 {
		return math.Inf(1)
	}
	ratio := 0.0
	for i, n := range counts {
		if n > 0 {
			ratio += float64(n) * math.Log(p[i]/law[cells[i]])
		}
	}
	return eprocess.CountsLogE(counts, p) + ratio
}

// describe names a cell.
func (t *tally) describe(cell string, s *sideLaws) string {
	text := ""
	for k, i := range t.whole {
		text += fmt.Sprintf(", %s = %d", s.Wholes[i].Name, int8(cell[k]))
	}
	rest := cell[len(t.whole):]
	for _, i := range t.reals {
		at := int(int32(uint32(rest[0]) | uint32(rest[1])<<8 | uint32(rest[2])<<16 | uint32(rest[3])<<24))
		if rest = rest[4:]; at == unknown {
			text += fmt.Sprintf(", a %s that no known program has", s.Reals[i].Name)
		} else {
			text += fmt.Sprintf(", %s = %.6g", s.Reals[i].Name, s.values[i][at].low)
		}
	}
	return text[2:]
}
