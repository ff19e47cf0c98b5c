package laws

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
)

// The columns of a state are sums over the paths that lead there. Datum t extends a state x by
// latent variables z and weighs,
//
//	v(x z) = v(x) q(z|x), taken through the weight of (x, z),
//
// and a scan then redraws one axis after another given the others. In reverse all of this is
// undone, in the opposite order. Time is O(states axes columns) for a scan.
//
// Source: Grosse, Ghahramani and Adams 2015, Algorithms 2 and 3.

// growth takes columns of numbers through one-particle sequential Monte Carlo along the data, one
// row for each state: sums over the paths that lead there, such as their probability. A scan goes
// axis by axis, so that it takes O(states axes columns) time.
type growth struct {
	data      *estimators.Growing
	proposal  estimators.Proposal
	sweeps    estimators.Sweeps
	direction chains.Direction
	carried   carried
	slack     float64 // see repeats

	rows           []float64 // of the current states, one after another
	zero, infinite number.Sum
	steps          []float64 // log Z_t - log Z_{t-1} between centred models, for t = 1..N
	before, total  []float64
}

// newGrowth returns a growth that is ready to run.
func newGrowth(s *Sequential, c carried, slack float64) *growth {
	return &growth{
		slack:     slack,
		data:      s.data,
		proposal:  s.proposal,
		sweeps:    s.sweeps,
		direction: s.direction,
		steps:     s.steps,
		carried:   c,
	}
}

// stepsOf returns log Z_t - log Z_{t-1} between the centred models of the first t data, for t =
// 1..N, and log Z of all data, including the constant that centring has taken out.
func stepsOf(data *estimators.Growing) (steps []float64, logZ float64) {
	before := 0.0
	for t := 1; t <= data.Data(); t++ {
		stage, offset := data.Centred(t)
		here := number.LogSumExp(stage.LogJoint)
		steps = append(steps, here-before)
		before = here
		logZ = here + offset
	}
	return steps, logZ
}

// carried is what a growth carries.
type carried interface {
	// firstRow returns the columns of a path of probability one that has not been weighed yet. The
	// first column is never negative, and it is zero if no path leads to the state.
	firstRow() []float64
	// applyWeight takes the columns of paths through a finite weight, given by its logarithm
	// relative to Z_t/Z_{t-1}.
	applyWeight(columns []float64, logWeight float64)
	// rescaleRows is called when the columns of all states have been weighed, and may change all of
	// them in the same way.
	rescaleRows(rows []float64)
}

// growColumns takes the columns through all data. It collects the first columns of paths whose
// weight has become zero or infinite in zero and infinite; these paths end.
func (g *growth) growColumns(ctx context.Context) error {
	n := g.data.Data()
	first := g.carried.firstRow()
	g.before = make([]float64, 0, 1)
	g.total = make([]float64, len(first))
	if g.direction == chains.Forward {
		g.rows = first
		for t := 1; t <= n; t++ {
			g.extend(t)
			if err := g.makeMoves(ctx, t); err != nil {
				return err
			}
		}
		return nil
	}
	last, _ := g.data.Centred(n)
	g.rows = make([]float64, last.Space.States()*len(first))
	g.writePosterior(n, first)
	for t := n; t >= 1; t-- {
		if err := g.makeMoves(ctx, t); err != nil {
			return err
		}
		g.drop(t)
	}
	return nil
}

// columnsOf returns the columns of a state.
func (g *growth) columnsOf(x int) []float64 {
	width := len(g.total)
	return g.rows[x*width : (x+1)*width]
}

// extend proposes the latent variables of datum t and weighs them.
func (g *growth) extend(t int) {
	p, logWeights := g.data.Proposed(t, g.proposal)
	width := len(g.total)
	old := growth{rows: g.rows, total: g.total}
	block := len(p) * width / len(g.rows)
	g.rows = make([]float64, len(p)*width)
	for x := range p {
		row := g.columnsOf(x)
		for i, v := range old.columnsOf(x / block) {
			row[i] = p[x] * v
		}
		g.weighRow(t, row, logWeights[x])
	}
	g.carried.rescaleRows(g.rows)
}

// drop weighs the latent variables of datum t and forgets them.
func (g *growth) drop(t int) {
	_, logWeights := g.data.Proposed(t, g.proposal)
	width := len(g.total)
	states := 1
	if t > 1 {
		before, _ := g.data.Centred(t - 1)
		states = before.Space.States()
	}
	old := growth{rows: g.rows, total: g.total}
	block := len(logWeights) / states
	g.rows = make([]float64, states*width)
	for x, logWeight := range logWeights {
		row := old.columnsOf(x)
		g.weighRow(t, row, logWeight)
		for i, v := range row {
			g.rows[x/block*width+i] += v
		}
	}
	g.carried.rescaleRows(g.rows)
}

// weighRow takes a row through a weight. A state without mass is never reached, so that an infinite
// weight there is ignored.
func (g *growth) weighRow(t int, row []float64, logWeight float64) {
	switch {
	case row[0] == 0:
		clear(row)
	case math.IsInf(logWeight, -1):
		g.zero.Add(row[0])
		clear(row)
	case math.IsInf(logWeight, 1):
		g.infinite.Add(row[0])
		clear(row)
	default:
		g.carried.applyWeight(row, logWeight-g.steps[t-1])
	}
}

// makeMoves makes the moves at datum t. Those at the last datum are left out, since the
// distribution of the weight does not depend on them: forward nothing is weighed after them, and in
// reverse they begin at the posterior, which they leave invariant.
func (g *growth) makeMoves(ctx context.Context, t int) error {
	switch {
	case t == 1 || t == g.data.Data() || g.sweeps == 0:
	case g.sweeps == estimators.Perfect:
		clear(g.total)
		for x := range len(g.rows) / len(g.total) {
			for i, v := range g.columnsOf(x) {
				g.total[i] += v
			}
		}
		g.writePosterior(t, g.total)
	default:
		return g.scans(ctx, t)
	}
	return ctx.Err()
}

// scans makes the scans at datum t. Soon after they have mixed, scans return to earlier numbers,
// often in the next scan. All later numbers then repeat those in between, and whole cycles of them
// are skipped. The numbers are compared with those after scan 1, 2, 4, 8, ...
//
// Source: Brent 1980, "An improved Monte Carlo factorization algorithm", for finding the cycle.
func (g *growth) scans(ctx context.Context, t int) error {
	stage, _ := g.data.Centred(t)
	lines := newScan(stage, len(g.total))
	n := int(g.sweeps)
	saved := 0
	for done := 1; done <= n; done++ {
		for i := range g.data.Moves(t) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if g.direction == chains.Reverse {
				i = g.data.Moves(t) - 1 - i
			}
			lines.drawAxis(g.rows, i)
		}
		switch {
		case saved > 0 && g.repeats(float64((done-saved)*g.data.Moves(t))):
			n = done + (n-done)%(done-saved)
			saved = 0
		case done&(done-1) == 0:
			g.before = append(g.before[:0], g.rows...)
			saved = done
		}
	}
	return nil
}

// repeats reports whether the numbers equal the earlier ones before, the given number of moves ago:
// bit by bit or, if slack is positive, up to that many units in the last place for each move, in
// every column and summed over all states. Later cycles do not change them more, since moves do not
// increase the sum of the absolute changes.
func (g *growth) repeats(moves float64) bool {
	if g.slack == 0 {
		return slices.Equal(g.before, g.rows)
	}
	clear(g.total)
	mass := 0.0
	width := len(g.total)
	for i, v := range g.rows {
		g.total[i%width] += math.Abs(v - g.before[i])
		if i%width == 0 {
			mass += v
		}
	}
	return slices.Max(g.total) <= g.slack*moves*mass*0x1p-53
}

// writePosterior writes the posterior of the first t data, times the given columns.
func (g *growth) writePosterior(t int, columns []float64) {
	stage, _ := g.data.Centred(t)
	p := slices.Clone(stage.LogJoint)
	chains.Normalize(p)
	for x, px := range p {
		row := g.columnsOf(x)
		for i, v := range columns {
			row[i] = px * v
		}
	}
}

// scan draws axes of a stage given the others.
type scan struct {
	stage estimators.Stage
	// by axis and state: the probability of its coordinate given the others; nil until it is needed
	given [][]float64
	line  []float64 // the sums of the columns along a line
}

func newScan(stage estimators.Stage, width int) *scan {
	return &scan{stage, make([][]float64, stage.Space.Dims()), make([]float64, width)}
}

// drawAxis draws axis i afresh in rows of columns.
func (s *scan) drawAxis(rows []float64, i int) {
	if s.given[i] == nil {
		s.given[i] = conditional(s.stage, i)
	}
	width := len(s.line)
	side := s.stage.Space.Side(i)
	stride := s.stage.Space.Stride(i)
	for x, px := range s.given[i] {
		if s.stage.Space.Coord(x, i) > 0 || px < 0 {
			continue
		}
		clear(s.line)
		for j := range side {
			floats.Add(s.line, rows[(x+j*stride)*width:][:width])
		}
		for j := range side {
			floats.ScaleTo(rows[(x+j*stride)*width:][:width], s.given[i][x+j*stride], s.line)
		}
	}
}

// conditional returns the probability of each state's coordinate on an axis given the others, and
// -1 if no state on its line has mass: a scan leaves such a line as it is.
func conditional(stage estimators.Stage, axis int) []float64 {
	p := make([]float64, len(stage.LogJoint))
	side := stage.Space.Side(axis)
	stride := stage.Space.Stride(axis)
	line := make([]float64, side)
	for x := range p {
		if stage.Space.Coord(x, axis) > 0 {
			continue
		}
		for j := range line {
			line[j] = stage.LogJoint[x+j*stride]
		}
		if math.IsInf(slices.Max(line), -1) {
			for j := range line {
				line[j] = -1
			}
		} else {
			chains.Normalize(line)
		}
		for j, v := range line {
			p[x+j*stride] = v
		}
	}
	return p
}

// spreading carries the probability of paths, and the first two moments of their log weight about a
// constant that follows the mean.
type spreading struct{ mean number.Sum }

func (*spreading) firstRow() []float64 { return []float64{1, 0, 0} }

func (*spreading) applyWeight(m []float64, l float64) {
	m[2] += l * (2*m[1] + l*m[0])
	m[1] += l * m[0]
}

// rescaleRows moves the constant to the mean.
func (s *spreading) rescaleRows(rows []float64) {
	var mass, first number.Sum
	for i := 0; i < len(rows); i += 3 {
		mass.Add(rows[i])
		first.Add(rows[i+1])
	}
	if mass.Value() == 0 {
		return
	}
	shift := first.Value() / mass.Value()
	s.mean.Add(shift)
	for i := 0; i < len(rows); i += 3 {
		m := rows[i : i+3]
		s.applyWeight(m, -shift)
	}
}
