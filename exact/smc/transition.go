package smc

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"breadboard/exact/internal/stage"
)

// transition is a transition matrix by destination: which states lead to each state, and how likely.
type transition struct {
	start []int32
	from  []int32
	p     []float64
	next  []int32 // memory: where the next entry of a destination goes
}

// load takes over the matrix of a move. Entries that are too small for its rows have a logarithm of their own.
func (c *transition) load(o stage.Operator) {
	n := o.States()
	c.start = append(c.start[:0], make([]int32, n+1)...)
	each := func(do func(from, to int, p float64)) {
		for x := range n {
			for _, e := range o.Row(x) {
				if e.P > 0 {
					do(x, e.To, e.P)
				}
			}
		}
		for _, e := range o.Tiny {
			do(e.From, e.To, math.Exp(e.LogP))
		}
	}
	entries := 0
	each(func(_, to int, _ float64) {
		c.start[to+1]++
		entries++
	})
	for y := range n {
		c.start[y+1] += c.start[y]
	}
	c.next = append(c.next[:0], c.start[:n]...)
	if cap(c.from) < entries {
		c.from, c.p = make([]int32, entries), make([]float64, entries)
	}
	c.from, c.p = c.from[:entries], c.p[:entries]
	each(func(from, to int, p float64) {
		i := c.next[to]
		c.from[i], c.p[i] = int32(from), p
		c.next[to]++
	})
}

// states returns the number of states.
func (c *transition) states() int { return len(c.start) - 1 }

// push writes the law after a transition to dst.
func (c *transition) push(dst, law []float64) {
	for y := range dst {
		dst[y] = c.at(y, law)
	}
}

// at returns what arrives at a state.
func (c *transition) at(y int, law []float64) (total float64) {
	first, end := c.start[y], c.start[y+1]
	p := c.p[first:end]
	for i, x := range c.from[first:end] {
		total += p[i] * law[x]
	}
	return total
}

// rows moves the first index of a matrix that has a row of some width for each state: row y of dst is the sum of the rows x
// of m, times the probability to go from x to y. Of row y only what stands from place skip(y) on is computed.
func (c *transition) rows(dst, m []float64, width int, skip func(y int) int) {
	for y := range c.states() {
		low := skip(y)
		row := dst[y*width+low : (y+1)*width]
		clear(row)
		for i := c.start[y]; i < c.start[y+1]; i++ {
			x := int(c.from[i])
			floats.AddScaled(row, c.p[i], m[x*width+low:(x+1)*width])
		}
	}
}

// skipNothing computes rows from their beginning.
func skipNothing(int) int { return 0 }

// skipBelow leaves out what stands before the diagonal.
func skipBelow(y int) int { return y }

// both moves both indices of a symmetric matrix. It takes two operations for each entry of the transition matrix and each
// state, less a quarter for the symmetry. scratch is memory of the same length.
func (c *transition) both(m, scratch []float64) {
	n := c.states()
	c.rows(scratch, m, n, skipNothing)
	transpose(scratch, n)
	c.rows(m, scratch, n, skipBelow)
	mirror(m, n)
}

// transpose transposes a square matrix, by tiles that stay in the cache.
func transpose(m []float64, n int) {
	const tile = 32
	for r := 0; r < n; r += tile {
		for c := r; c < n; c += tile {
			for x := r; x < min(n, r+tile); x++ {
				for y := max(c, x+1); y < min(n, c+tile); y++ {
					m[x*n+y], m[y*n+x] = m[y*n+x], m[x*n+y]
				}
			}
		}
	}
}

// mirror makes a matrix symmetric from what stands above its diagonal.
func mirror(m []float64, n int) {
	const tile = 32
	for r := 0; r < n; r += tile {
		for c := r; c < n; c += tile {
			for x := r; x < min(n, r+tile); x++ {
				for y := max(c, x+1); y < min(n, c+tile); y++ {
					m[y*n+x] = m[x*n+y]
				}
			}
		}
	}
}
