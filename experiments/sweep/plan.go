package sweep

import (
	"fmt"
	"math"
	"time"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/external"
	"breadboard/grid"
)

// Plan is what a sweep will take, estimated from the number of steps and the size of the spaces. Times are of one
// core of the machine on which the README's were measured, and good to a factor of about three.
type Plan struct {
	Cells     int
	GridCells int
	Cases     int
	States    int           // of the largest space
	Steps     float64       // of all annealings
	Time      time.Duration // of all cells, on one core
	Longest   time.Duration // of the most expensive cell
	Memory    float64       // bytes of a process with one worker
	Disk      float64       // bytes of results and log
}

// Limits beyond which a plan is refused. A cell is solved in one go: what takes longer than MaxCellTime is lost
// with every interruption.
const (
	MaxCellTime = 30 * 24 * time.Hour
	MaxTime     = 100 * 365 * 24 * time.Hour
)

// Measured: seconds a state and step of the stencil, and of one entry of a row in the general method; bytes a state
// and an entry, of a row or of the row of a part, while solving; seconds of a product of two entries in a kernel of
// parts, and of an entry of a part; how much longer rows take with those of a time reversal; seconds to search a row of
// some entries for one, and the stages where that is done; bytes on disk a result of so many numbers and its line of
// the log, and of each further number with its name; bytes of a process, and a cell of it.
const (
	stencilCost   = 4.2e-9
	entryCost     = 45e-9
	productCost   = 1.6e-9
	partCost      = 20e-9
	reversalCost  = 1.7
	searchCost    = 0.3e-9
	checkedStages = 17
	cellCost      = 20e-6
	stateBytes    = 300
	entryBytes    = 40
	resultBytes   = 750
	resultNumbers = 8 // of these numbers
	numberBytes   = 50
	processMemory = 30e6
	indexBytes    = 100
)

// Measured: what placing a schedule that looks at the path takes. One of equal steps: seconds a state and step. One of
// constant speed: seconds a state, without the kernel and with it, and seconds a step. Both: bytes a step.
const (
	equalCost    = 7e-6
	fisherCost   = 3e-6
	frictionCost = 300e-6
	pointCost    = 1.2e-6
	pointBytes   = 32
)

// placing returns the seconds and bytes that a schedule takes to be placed.
func placing(schedule string, T, states int) (seconds, memory float64) {
	steps, size := float64(T-1), float64(states)
	switch schedule {
	case "acceptance", "step-kl", "cess":
		return steps * size * equalCost, steps * pointBytes
	case "fisher":
		return size*fisherCost + steps*pointCost, steps * pointBytes
	case "friction":
		return size*frictionCost + steps*pointCost, steps * pointBytes
	}
	return 0, 0
}

// Plan estimates what the sweep takes. It fails where that is absurd, and names the limit and the cell.
func (s *Sweep) Plan() (Plan, error) {
	p := Plan{Cells: s.Len(), GridCells: gridSize(s.grid), Cases: len(s.cases)}
	longest, total := 0.0, 0.0
	w := s.weigher()
	var worst Cell
	for i := range s.Len() {
		c := s.Cell(i)
		seconds, states, memory := w.weigh(c)
		if total += seconds; seconds > longest {
			longest, worst = seconds, c
		}
		p.States = max(p.States, states)
		p.Memory = max(p.Memory, processMemory+float64(indexBytes*p.Cells)+memory)
		p.Steps += float64(c.Distributions() - 1)
	}
	p.Disk = float64(p.Cells) * float64(resultBytes+numberBytes*max(0, len(s.study.Stored())-resultNumbers))
	if limit := MaxCellTime.Seconds(); longest > limit {
		return p, fmt.Errorf("the cell %s would take about %.3g days on one core; the limit of one cell is %.0f, since a cell is solved in one go: take a smaller T or space, or breadboard tightness", worst, longest/86400, limit/86400)
	}
	if limit := MaxTime.Seconds(); total > limit {
		return p, fmt.Errorf("the sweep would take about %.3g years of one core; the limit is %.0f: make it smaller, or several sweeps of it", total/86400/365, limit/86400/365)
	}
	p.Time = time.Duration(total * float64(time.Second))
	p.Longest = time.Duration(longest * float64(time.Second))
	return p, nil
}

// costs returns the estimated seconds of every cell.
func (s *Sweep) costs() []float64 {
	out := make([]float64, s.Len())
	w := s.weigher()
	for i := range out {
		out[i], _, _ = w.weigh(s.Cell(i))
	}
	return out
}

// weigher estimates what cells cost. It looks at each pair of a kernel and a space once.
type weigher struct {
	sweep *Sweep
	rows  map[[2]string]rowCost
}

func (s *Sweep) weigher() *weigher { return &weigher{s, map[[2]string]rowCost{}} }

// rowCost is what a row takes: its entries, the seconds to make it of the rows of parts, the entries of those that come
// to each row, and whether there are rows of a time reversal beside it.
type rowCost struct {
	entries, products, parts float64
	reversal                 bool
}

// bytes returns the memory that a state's row takes, with what it is made of.
func (c rowCost) bytes() float64 {
	bytes := entryBytes * (c.entries + c.parts)
	if c.reversal {
		bytes *= 2
	}
	return bytes
}

// weigh returns the seconds, the states and the bytes of a cell.
func (w *weigher) weigh(c Cell) (seconds float64, states int, memory float64) {
	space := w.sweep.spaces[c.Get("toy")]
	kernel := c.Get("kernel") // every study has one
	states = space.States()
	seconds, memory = placing(c.Get("schedule"), c.Distributions(), states)
	steps := float64(c.Distributions()-1) * float64(states)
	if usesStencil(c) && hasStencil(space) {
		cost := w.study(c, states, experiments.Cost{Seconds: steps * stencilCost, Bytes: stateBytes * float64(states)})
		return seconds + cellCost + cost.Seconds, states, memory + cost.Bytes
	}
	row := w.row(kernel, c.Get("toy"))
	step, check := row.seconds()
	seconds += min(checkedStages, float64(c.Distributions()-1)) * float64(states) * check
	cost := w.study(c, states, experiments.Cost{Seconds: steps * step, Bytes: (stateBytes + row.bytes()) * float64(states)})
	return seconds + cellCost + cost.Seconds, states, memory + cost.Bytes
}

// study returns what the study takes for a cell whose exact solution takes so much.
func (w *weigher) study(c Cell, states int, solution experiments.Cost) experiments.Cost {
	cost := w.sweep.study.Cost
	if cost == nil {
		return solution
	}
	return cost(experiments.Size{Params: experiments.Params(c), Distributions: c.Distributions(), States: states, Solution: solution})
}

// usesStencil reports whether exact.Solve has a fast method for the kernel, the path and the start of a cell, where the
// space has one or two dimensions.
func usesStencil(c Cell) bool {
	for _, name := range []string{"path", "initial", "kernel"} {
		if c.Get(name) != experiments.Default(name) {
			return false
		}
	}
	return true
}

// hasStencil reports whether the paper's kernel has a stencil on a space: on a line or a plane with walls.
func hasStencil(space grid.Graph) bool {
	l, is := space.(*grid.Lattice)
	if !is || l.Dims() > 2 {
		return false
	}
	for axis := range l.Dims() {
		if l.Wraps(axis) {
			return false
		}
	}
	return true
}

// row returns what the row of a kernel takes in the middle of a space: the states that can be reached, and for a kernel
// of parts the seconds to multiply their rows. For one that has no rows in closed form, or cannot be had there, it is
// the number of neighbours and the state.
func (w *weigher) row(kernel, toy string) rowCost {
	space := w.sweep.spaces[toy]
	at := [2]string{kernel, space.String()}
	if _, is := space.(*grid.Lattice); !is {
		at[1] = toy // other graphs may have the same name
	}
	if c, ok := w.rows[at]; ok {
		return c
	}
	c := rowCost{entries: float64(space.Directions() + 1)}
	if k, err := external.ParseKernel(kernel, space, nil); err == nil {
		if rows, ok := k.Kernel().(chains.Rower); ok {
			c = costOf(rows, space)
		}
	}
	w.rows[at] = c
	return c
}

// middleOf returns a state that has all its neighbours: the middle of a grid, and of another graph the first state with
// as many neighbours as any.
func middleOf(space grid.Graph) int {
	if l, is := space.(*grid.Lattice); is {
		middle := l.Sides()
		for k := range middle {
			middle[k] /= 2
		}
		return l.Index(middle...)
	}
	for x := range space.States() {
		if _, all := space.Neighbour(x, space.Directions()-1); all {
			return x
		}
	}
	return 0
}

// costOf measures rows of a space, of which the middle is one. Log f is neither flat nor smooth, so that a kernel
// reaches as many states, and takes as many repeats to mix, as on a toy.
func costOf(k chains.Rower, space grid.Graph) rowCost {
	n := space.States()
	logf := make([]float64, n)
	for x := range logf {
		logf[x] = 2 * math.Sin(1+12.9898*float64(x))
	}
	work := chains.RowWorkOf(k, logf, middleOf(space))
	c := rowCost{
		entries:  work.Entries,
		parts:    work.Parts / float64(n),
		products: (work.Products+work.Shared/float64(n))*productCost + work.Parts/float64(n)*partCost,
	}
	if _, c.reversal = k.(chains.Reverser); c.reversal {
		c.products *= 2
	}
	return c
}

// seconds returns what a state and step take, and what a state takes at a stage whose balance is checked.
func (c rowCost) seconds() (step, check float64) {
	step, check = c.entries*entryCost, c.entries*c.entries*searchCost
	if c.reversal {
		step, check = step*reversalCost, 2*check
	}
	return step + c.products, check
}
