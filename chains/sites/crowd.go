package sites

import (
	"maps"
	"math"
	"slices"

	"breadboard/chains/simulate"
)

// Crowd is a number of chains on a model, one lane each. Only one goroutine may use it.
//
// A heat bath of variable v changes log f of its lane by the difference of two entries of the row
// of v's table, which the values of its neighbours select. A sweep takes O(variables) reads for
// each lane.
type Crowd struct {
	*Model
	X    [][]uint8 // of each variable, its value in each lane
	LogF []float64 // log f of each lane, without the base, kept up to date with every move
	Lost int       // the number of chains that started where f is zero: they have no lane, and weight zero

	g      *simulate.Generator
	rows   []uint16
	limits map[*table][]uint64 // of the rows of a table, the cumulative probabilities times 2^53
	part   conditional         // the last conditional that is in no table
	ends   []uint64
}

// NewCrowd returns chains that start at independent uniform configurations, or at the given ones
// (by variable, its value in each lane). If there is a base they must be given, and possible under
// it.
func NewCrowd(m *Model, lanes int, start [][]uint8, g *simulate.Generator) *Crowd {
	c := &Crowd{
		Model:  m,
		X:      start,
		LogF:   make([]float64, lanes),
		g:      g,
		rows:   make([]uint16, lanes),
		limits: map[*table][]uint64{},
		part:   m.newConditional(MaxCard),
		ends:   make([]uint64, MaxCard),
	}
	if start == nil {
		c.X = make([][]uint8, len(m.cards))
		for v, n := range m.cards {
			c.X[v] = make([]uint8, lanes)
			for i := range c.X[v] {
				c.X[v][i] = uint8(c.uniformBelow(n))
			}
		}
	}
	for i := range c.LogF {
		c.LogF[i] = m.LogF(c.lane(i))
	}
	c.lose()
	return c
}

// lose removes the lanes in which f is zero.
func (c *Crowd) lose() {
	for i := len(c.LogF) - 1; i >= 0; i-- {
		if math.IsInf(c.LogF[i], -1) {
			c.Lost++
			last := len(c.LogF) - 1
			c.LogF[i] = c.LogF[last]
			c.LogF = c.LogF[:last]
			c.rows = c.rows[:last]
			for v, x := range c.X {
				x[i] = x[last]
				c.X[v] = x[:last]
			}
		}
	}
}

// uniformBelow returns a uniform number from 0 to below n.
func (c *Crowd) uniformBelow(n int) int { return int(c.g.Float64() * float64(n)) }

func (c *Crowd) lane(i int) func(v int) uint8 { return func(v int) uint8 { return c.X[v][i] } }

// Move is a kernel on all lanes of a crowd, which leaves f_0 f^beta invariant. Back selects its
// time reversal.
type Move func(c *Crowd, beta float64, back bool)

// Moves are the kernels that move by factors, by the names of the kernels on listed states.
func Moves() map[string]Move {
	return map[string]Move{"heatbath-scan": scan, "heatbath": heatBath, "flip": flip}
}

// scan draws every variable given the others, in turn; the time reversal takes them in the opposite
// order.
//
// Source: Geman and Geman 1984.
func scan(c *Crowd, beta float64, back bool) {
	c.setLimits(beta)
	for k := range c.sites {
		v := k
		if back {
			v = len(c.sites) - 1 - k
		}
		if s := &c.sites[v]; s.table != nil {
			c.drawByTable(v, s)
			continue
		}
		for i := range c.LogF {
			c.drawVariable(v, i, beta)
		}
	}
}

// heatBath draws one variable given the others, another one in each lane.
func heatBath(c *Crowd, beta float64, _ bool) {
	for i := range c.LogF {
		c.drawVariable(c.uniformBelow(len(c.sites)), i, beta)
	}
}

// flip proposes another value of one variable, and accepts like Metropolis.
func flip(c *Crowd, beta float64, _ bool) {
	for i := range c.LogF {
		v := c.uniformBelow(len(c.sites))
		n := c.cards[v]
		if n == 1 {
			continue
		}
		x, y := int(c.X[v][i]), c.uniformBelow(n-1)
		if y >= x {
			y++
		}
		at := c.conditional(v, i)
		if d := at.logDensity(y, beta) - at.logDensity(x, beta); d >= 0 || c.g.Float64() < math.Exp(d) {
			c.X[v][i] = uint8(y)
			c.LogF[i] += at.logs[y] - at.logs[x]
		}
	}
}

// conditional returns the conditional of a variable in a lane.
func (c *Crowd) conditional(v, i int) conditional {
	s := &c.sites[v]
	if s.table == nil {
		part := c.part.tableRow(0, s.card)
		c.sumFactors(v, c.lane(i), part)
		return part
	}
	row := 0
	for k, w := range s.others {
		row += s.strides[k] * int(c.X[w][i])
	}
	return s.table.tableRow(row, s.card)
}

// tableRow returns a row of a table of conditionals.
func (c conditional) tableRow(row, card int) conditional {
	out := conditional{logs: c.logs[row*card:][:card]}
	if c.base != nil {
		out.base = c.base[row*card:][:card]
	}
	return out
}

// drawVariable draws a variable of one lane given the others.
func (c *Crowd) drawVariable(v, i int, beta float64) {
	at := c.conditional(v, i)
	u := c.g.Uint64() >> 11
	y := 0
	ends := c.ends[:len(at.logs)]
	at.limits(beta, ends)
	for y < len(ends)-1 && u >= ends[y] {
		y++
	}
	c.LogF[i] += at.logs[y] - at.logs[c.X[v][i]]
	c.X[v][i] = uint8(y)
}

// limits writes the cumulative probabilities of the values times 2^53. An impossible value has the
// limit of the one before it, and the last possible one has 2^53. If no value is possible the
// limits have no meaning.
func (c conditional) limits(beta float64, ends []uint64) {
	top := math.Inf(-1)
	total := 0.0
	below := 0.0
	for value := range ends {
		top = max(top, c.logDensity(value, beta))
	}
	for value := range ends {
		total += math.Exp(c.logDensity(value, beta) - top)
	}
	for value := range ends {
		below += math.Exp(c.logDensity(value, beta) - top)
		ends[value] = uint64(below / total * (1 << 53))
	}
}

// setLimits computes the conditional distributions of all tables.
func (c *Crowd) setLimits(beta float64) {
	for _, t := range c.tables {
		if c.limits[t] == nil {
			c.limits[t] = make([]uint64, len(t.logs))
		}
		for row := range len(t.logs) / t.card {
			t.tableRow(row, t.card).limits(beta, c.limits[t][row*t.card:][:t.card])
		}
	}
}

// drawByTable draws a variable of all lanes.
func (c *Crowd) drawByTable(v int, s *site) {
	rows := c.rows
	clear(rows)
	for k, w := range s.others {
		stride := uint16(s.strides[k])
		for i, x := range c.X[w][:len(rows)] {
			rows[i] += stride * uint16(x)
		}
	}
	x := c.X[v][:len(rows)]
	logf := c.LogF[:len(rows)]
	logs := s.table.logs
	ends := c.limits[s.table]
	g := *c.g
	if s.card == 2 {
		for i, row := range rows {
			y := uint8(0)
			if g.Uint64()>>11 >= ends[2*row] {
				y = 1
			}
			logf[i] += logs[2*row+1] * (float64(y) - float64(x[i]))
			x[i] = y
		}
	} else {
		for i, row := range rows {
			at := int(row) * s.card
			u := g.Uint64() >> 11
			y := 0
			for y < s.card-1 && u >= ends[at+y] {
				y++
			}
			logf[i] += logs[at+y] - logs[at+int(x[i])]
			x[i] = uint8(y)
		}
	}
	*c.g = g
}

// Anneal takes a crowd through the powers betas of f in order, and returns the log weight of each
// lane, in nats. Backward, its lanes must be exact draws from f_0 f, and it goes from the last
// power to the first by the time reversals; the log weight is that of the same path read forward.
// It calls see, unless nil, once a stage, and stops at an error.
//
// Source: Neal 2001; Grosse, Ancha and Roy 2016, sections 2.1 and 2.3.
func (c *Crowd) Anneal(move Move, betas []float64, back bool, see func(t int) error) ([]float64, error) {
	logw := make([]float64, len(c.LogF))
	for k := 1; k < len(betas); k++ {
		t := k
		if back {
			t = len(betas) - k
			move(c, betas[t], true)
		}
		for i, l := range c.LogF {
			logw[i] += (betas[t] - betas[t-1]) * l
		}
		if !back {
			move(c, betas[t], false)
		}
		if see != nil {
			if err := see(t); err != nil {
				return nil, err
			}
		}
	}
	return logw, nil
}

// Names lists the names of Moves.
func Names() []string { return slices.Sorted(maps.Keys(Moves())) }
