package smc

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/experiments/eprocess"
)

// Result is what a test has found.
type Result struct {
	Direction chains.Direction
	Test      string
	Runs      int     // the number of runs that it has seen
	LogE      float64 // its log e-value at the last look; +Inf where something impossible was sent
	Fault     bool
	At        int // the number of runs at the look at which the fault was certain; 0 where there is none
	Statistic string
}

// tally counts the cells of one part of the records, and compares them with the law of the specification.
type tally struct {
	part
	law    map[string]float64
	counts map[string]int
}

// add counts a record.
func (t *tally) add(whole string, place int) { t.counts[t.of(whole, place)]++ }

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
func (t *tally) logE(s *sideLaws, columns []column) (logE float64, statistic string) {
	cells, counts, p, strays, stray := t.sorted(t.law)
	if strays > 0 {
		return math.Inf(1), fmt.Sprintf("%s is impossible; there are %d impossible runs", t.describe(stray, s, columns), strays)
	}
	return eprocess.CountsLogE(counts, p), eprocess.WorstCell(counts, p, func(i int) string { return t.describe(cells[i], s, columns) })
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
func (t *tally) describe(cell string, s *sideLaws, columns []column) string {
	text := ""
	for k, i := range t.whole {
		text += fmt.Sprintf(", %s = %d", columns[i].name, int8(cell[k]))
	}
	if t.logZ {
		rest := cell[len(t.whole):]
		place := int(int32(uint32(rest[0]) | uint32(rest[1])<<8 | uint32(rest[2])<<16 | uint32(rest[3])<<24))
		if place == unknown {
			text += ", a log_z that no known program has"
		} else {
			text += fmt.Sprintf(", log_z = %.6g", s.values[place].low)
		}
	}
	return text[2:]
}
