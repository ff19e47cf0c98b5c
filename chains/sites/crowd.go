package sites

import (
	"maps"
	"math"

	"breadboard/chains/simulate"
	"breadboard/chains/sorts"
)

// Crowd is a number of chains on a model, one lane each. Only one goroutine may use it.
type Crowd struct {
	*Model
	X    [][]uint8 // of each variable, its value in each lane
	LogF []float64 // of each lane, kept up to date with every move

	g      *simulate.Generator
	rows   []uint16
	limits map[*table][]uint64 // of the rows of a table, where the values end on a line of 2^53
	logs   []float64           // of the last conditional law
	ends   []uint64
}

// NewCrowd returns chains that start at independent uniform configurations, or at those given, of each variable its value in each lane.
func NewCrowd(m *Model, lanes int, start [][]uint8, g *simulate.Generator) *Crowd {
	c := &Crowd{Model: m, X: start, LogF: make([]float64, lanes), g: g, rows: make([]uint16, lanes), limits: map[*table][]uint64{}, logs: make([]float64, maxCard), ends: make([]uint64, maxCard)}
	if start == nil {
		c.X = make([][]uint8, len(m.cards))
		for v, n := range m.cards {
			c.X[v] = make([]uint8, lanes)
			for i := range c.X[v] {
				c.X[v][i] = uint8(c.below(n))
			}
		}
	}
	for i := range c.LogF {
		c.LogF[i] = m.LogF(c.lane(i))
	}
	return c
}

// below returns a uniform number from 0 to below n.
func (c *Crowd) below(n int) int { return int(c.g.Float64() * float64(n)) }

func (c *Crowd) lane(i int) func(v int) uint8 { return func(v int) uint8 { return c.X[v][i] } }

// Move is a kernel on all lanes of a crowd, which leaves f to the power beta invariant. Back asks for its time reversal.
type Move func(c *Crowd, beta float64, back bool)

// Moves are the kernels that move by factors, by the names that they have on listed states.
func Moves() map[string]Move {
	return map[string]Move{"heatbath-scan": scan, "heatbath": heatBath, "flip": flip}
}

// scan draws every variable given the others, in turn; the time reversal takes them in the opposite order.
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
			c.draw(v, i, beta)
		}
	}
}

// heatBath draws one variable given the others, another one in each lane.
func heatBath(c *Crowd, beta float64, _ bool) {
	for i := range c.LogF {
		c.draw(c.below(len(c.sites)), i, beta)
	}
}

// flip proposes another value of one variable, and accepts as Metropolis does.
func flip(c *Crowd, beta float64, _ bool) {
	for i := range c.LogF {
		v := c.below(len(c.sites))
		n := c.cards[v]
		if n == 1 {
			continue
		}
		x, y := int(c.X[v][i]), c.below(n-1)
		if y >= x {
			y++
		}
		logs := c.conditional(v, i)
		if d := logs[y] - logs[x]; d*beta >= 0 || c.g.Float64() < math.Exp(d*beta) {
			c.X[v][i] = uint8(y)
			c.LogF[i] += d
		}
	}
}

// conditional returns log f at each value of a variable in a lane, up to a constant.
func (c *Crowd) conditional(v, i int) []float64 {
	s := &c.sites[v]
	if s.table == nil {
		c.sum(v, c.lane(i), c.logs[:s.card])
		return c.logs[:s.card]
	}
	row := 0
	for k, w := range s.others {
		row += s.strides[k] * int(c.X[w][i])
	}
	return s.table.logs[row*s.card:][:s.card]
}

// draw draws a variable of one lane given the others.
func (c *Crowd) draw(v, i int, beta float64) {
	logs := c.conditional(v, i)
	u, y := c.g.Uint64()>>11, 0
	ends := c.ends[:len(logs)]
	limits(logs, beta, ends)
	for y < len(logs)-1 && u >= ends[y] {
		y++
	}
	c.LogF[i] += logs[y] - logs[c.X[v][i]]
	c.X[v][i] = uint8(y)
}

// limits writes where values end on a line of 2^53.
func limits(logs []float64, beta float64, ends []uint64) {
	top, total, below := math.Inf(-1), 0.0, 0.0
	for _, l := range logs {
		top = max(top, beta*l)
	}
	for _, l := range logs {
		total += math.Exp(beta*l - top)
	}
	for k, l := range logs {
		below += math.Exp(beta*l - top)
		ends[k] = uint64(below / total * (1 << 53))
	}
}

// setLimits computes the conditional laws of all tables.
func (c *Crowd) setLimits(beta float64) {
	for _, t := range c.tables {
		if c.limits[t] == nil {
			c.limits[t] = make([]uint64, len(t.logs))
		}
		for at := 0; at < len(t.logs); at += t.card {
			limits(t.logs[at:at+t.card], beta, c.limits[t][at:at+t.card])
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
	x, logf, logs, ends, g := c.X[v][:len(rows)], c.LogF[:len(rows)], s.table.logs, c.limits[s.table], *c.g
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
			u, y := g.Uint64()>>11, 0
			for y < s.card-1 && u >= ends[at+y] {
				y++
			}
			logf[i] += logs[at+y] - logs[at+int(x[i])]
			x[i] = uint8(y)
		}
	}
	*c.g = g
}

// Anneal takes a crowd along f to the powers betas, from the first on, and returns the log weight of each lane (nats). Backwards, its lanes are exact draws
// from f, and it goes from the last power to the first by the time reversals; the log weight is that of the same path read forwards. See is called once a stage,
// and an error from it ends the run; it may be nil.
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
func Names() []string { return sorts.Strings(maps.Keys(Moves())) }
