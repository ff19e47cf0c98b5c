package hypotheses

import "breadboard/chains/number"

// law has the probabilities of the cells that are possible, in the order of the cells.
type law struct {
	cells []int32
	p     []float64
	total float64 // the sum of the probabilities of all cells: one but for rounding
}

// newLaw returns the law with a probability for every cell. One that is not above its rounding is none.
func newLaw(p []float64, resolution float64) law {
	var l law
	for cell, v := range p {
		if v > resolution {
			l.cells, l.p = append(l.cells, int32(cell)), append(l.p, v)
		}
	}
	l.total = number.Total(p)
	return l
}

// dense returns the probability of each of so many cells, and least for those that are not possible.
func (l law) dense(cells int, least float64) []float64 {
	p := make([]float64, cells)
	if least > 0 {
		for cell := range p {
			p[cell] = least
		}
	}
	for i, cell := range l.cells {
		p[cell] = l.p[i]
	}
	return p
}

// cursor finds the probabilities of cells that are asked for in increasing order.
type cursor struct {
	law
	at int
}

// of returns the probability of a cell, and zero for one that is not possible.
func (c *cursor) of(cell int32) float64 {
	for c.at < len(c.cells) && c.cells[c.at] < cell {
		c.at++
	}
	if c.at < len(c.cells) && c.cells[c.at] == cell {
		return c.p[c.at]
	}
	return 0
}
