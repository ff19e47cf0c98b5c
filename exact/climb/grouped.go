package climb

import (
	"breadboard/chains"
	"breadboard/chains/frames"
	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/lanes"
	"breadboard/exact/internal/operator"
)

const (
	// blockStates is the number of states that a worker takes at a time, and within which masses
	// are added by plain addition.
	blockStates = 512
	// leastGrouped is the number of columns from which groups of eight are faster. The last group
	// may be partly empty.
	leastGrouped = 4
)

type eight = [lanes.Width]float64

// grouped moves the masses of climber eight columns at a time: the row of the sources of a state's
// mass is made once for all of them.
//
// The mass at y after a move is the sum over the sources x of y of mass(x) T(x, y), all of one
// sign, so that no digits cancel. A stage takes O(entries columns/8) vector operations, besides one
// row for each state.
type grouped struct {
	rank       []int32
	lowest     []int32 // by state, the lowest rank of it and its neighbours
	columns    int     // ranks and one
	groups     int     // of eight columns; the last one may have fewer
	mass, next []eight // of each state, its groups
	law        [][3]float64
	blocks     []block // of states
	seen       []number.BlockSum
	rescalings []int   // how often a column has been multiplied by raise
	below      []int   // the number of states below a rank
	least      float64 // see rescaling
	sources    *operator.Sources
	unit       *lanes.Unit
	ones       []chains.Entry // a row that adds up a block
	crew       *crew.Crew
}

// block is the result of a move on a block of states, by group.
type block struct {
	row           []chains.Entry // memory
	arrived, left []eight
}

func newGrouped(s *operator.Sources, rank []int32, ranks, workers int, least float64) *grouped {
	n := len(rank)
	g := &grouped{
		rank:    rank,
		lowest:  make([]int32, n),
		columns: ranks + 1,
		groups:  ranks/lanes.Width + 1,
		law:     make([][3]float64, n),
		sources: s,
		unit:    lanes.Widest(),
		least:   least,
	}
	for x, r := range rank {
		g.lowest[x] = r
		for _, y := range s.States(x) {
			g.lowest[x] = min(g.lowest[x], rank[y])
		}
	}
	g.mass = make([]eight, n*g.groups)
	g.next = make([]eight, n*g.groups)
	g.blocks = make([]block, (n+blockStates-1)/blockStates)
	for i := range g.blocks {
		g.blocks[i].arrived, g.blocks[i].left = make([]eight, g.groups), make([]eight, g.groups)
	}
	g.seen = make([]number.BlockSum, g.columns)
	g.rescalings = make([]int, g.columns)
	g.below = make([]int, g.columns)
	for _, r := range rank {
		for j := int(r); j < g.columns; j++ {
			g.below[j]++
		}
	}
	for i := range blockStates {
		g.ones = append(g.ones, chains.Entry{To: i * g.groups, P: 1})
	}
	g.crew = crew.New(min(crew.Share(n*g.columns, workers), len(g.blocks)))
	return g
}

func (g *grouped) dismiss() { g.crew.Dismiss() }

// load implements mover.
func (g *grouped) load(v *frames.Values) {
	v.Part(0, len(v.F))
	for x, f := range v.F {
		g.law[x] = [3]float64{f, v.Inverse[x], v.LogF[x]}
	}
}

// setLaw implements mover.
func (g *grouped) setLaw(law []float64) {
	var total number.BlockSum
	for x := range g.law {
		total.Add(g.law[x][0])
	}
	sum := total.Value()
	g.eachState(func(_ *block, x int, next []eight) {
		p := g.law[x][0] / sum
		if law != nil {
			p = law[x]
		}
		for i := range next {
			for k := range next[i] {
				next[i][k] = p
			}
		}
	})
}

// applyMove implements mover. A column without mass at a state and its neighbours is skipped.
func (g *grouped) applyMove() (lost bool) {
	return g.eachState(func(b *block, x int, next []eight) {
		b.row = g.sources.AppendRow(b.row[:0], x, g.groups, g.law)
		for i := int(g.lowest[x]) / lanes.Width; i < len(next); i++ {
			g.unit.Gather(&next[i], g.mass[i:], b.row)
		}
	})
}

// eachState calls fill for the next masses of every state, removes and sums the mass that has
// arrived at ranks above that of a column, and sums the remaining mass. It reports whether that may
// have lost digits.
func (g *grouped) eachState(fill func(b *block, x int, next []eight)) (lost bool) {
	g.crew.Run(len(g.blocks), func(i int) {
		b := &g.blocks[i]
		first := i * blockStates
		end := min((i+1)*blockStates, len(g.rank))
		clear(b.arrived)
		for x := first; x < end; x++ {
			next := g.next[x*g.groups:][:g.groups]
			fill(b, x, next)
			for i := range next {
				arrive(&b.arrived[i], &next[i], int(g.rank[x])-i*lanes.Width)
			}
		}
		for i := range b.left {
			g.unit.Gather(&b.left[i], g.next[first*g.groups+i:], g.ones[:end-first])
		}
	})
	g.mass, g.next = g.next, g.mass
	return g.sumBlocks()
}

// arrive moves the masses of the first columns (none, or more than eight) to the arrived masses.
func arrive(arrived, mass *eight, columns int) {
	for k := range max(0, min(columns, lanes.Width)) {
		arrived[k] += mass[k]
		mass[k] = 0
	}
}

// sumBlocks sums the results of all blocks, and reports whether the remaining mass may have lost
// digits.
func (g *grouped) sumBlocks() (lost bool) {
	for j := range g.columns {
		group := j / lanes.Width
		lane := j % lanes.Width
		left := 0.0
		for i := range g.blocks {
			g.seen[j].Add(number.Wide{M: g.blocks[i].arrived[group][lane], E: -g.rescalings[j]}.Float())
			left += g.blocks[i].left[group][lane]
		}
		rescale, faded := rescaling(left, g.least, g.below[j] > 0)
		lost = lost || faded
		if rescale {
			for x := range g.rank {
				g.mass[x*g.groups+group][lane] *= raise
			}
			g.rescalings[j]++
		}
	}
	return lost
}

// result implements mover.
func (g *grouped) result() *found {
	ranks := g.columns - 1
	mass := func(x, j int) float64 { return g.mass[x*g.groups+j/lanes.Width][j%lanes.Width] }
	f := newFound(ranks, func(x int) number.Wide { return number.Scaled(mass(x, ranks), 0) })
	for j := range g.columns {
		var left number.BlockSum
		for x := range g.rank {
			left.Add(mass(x, j))
		}
		if j < ranks {
			f.seen[j], f.left[j] = number.Scaled(g.seen[j].Value(), 0),
				number.Scaled(left.Value(), -g.rescalings[j])
		}
	}
	return f
}
