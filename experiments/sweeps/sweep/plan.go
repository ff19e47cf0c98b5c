package sweep

import (
	"time"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/exact"
	"breadboard/experiments/placement"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
	"breadboard/grid"
)

// Plan is the cost of a sweep, estimated from the number of steps and the size of the spaces. Times
// are for one core of the machine of the README, and good to a factor of about three; those of
// programs to a factor of ten.
type Plan struct {
	Cells     int
	GridCells int
	Cases     int
	States    int           // of the largest space
	Steps     float64       // of all annealings
	Time      time.Duration // of all cells, on one core
	Longest   time.Duration // of the most expensive cell
	Programs  bool          // whether a kernel is a program
	Memory    float64       // bytes of a process with one worker
	Disk      float64       // bytes of results and log
}

// Limits of a plan. A cell is solved in one go: an interruption loses its work.
const (
	maxCellTime = 30 * 24 * time.Hour
	maxTime     = 100 * 365 * 24 * time.Hour
)

// Measured: the seconds of a cell beside its solution; bytes on disk a result of that many numbers
// and its line of the log, and of each further number with its name; bytes of a process, and a cell
// of it. What a solution takes package exact says.
const (
	cellCost      = 20e-6
	resultBytes   = 750
	resultNumbers = 8 // of these numbers
	numberBytes   = 50
	processMemory = 30e6
	indexBytes    = 100
)

// Plan estimates the cost of the sweep. It fails beyond the limits; the error names the limit and
// the cell.
func (s *Sweep) Plan() (Plan, error) {
	p := Plan{Cells: s.Len(), GridCells: s.grid.size(), Cases: len(s.cases)}
	longest := 0.0
	total := 0.0
	w := s.weigher()
	var worst Cell
	for i := range s.Len() {
		c := s.Cell(i)
		seconds, states, memory := w.cellCost(c)
		total += seconds
		if seconds > longest {
			longest = seconds
			worst = c
		}
		p.States = max(p.States, states)
		p.Programs = p.Programs || c.program()
		p.Memory = max(p.Memory, processMemory+float64(indexBytes*p.Cells)+memory)
		p.Steps += float64(c.distributions() - 1)
	}
	p.Disk = float64(p.Cells) * float64(resultBytes+numberBytes*max(0, len(s.study.Stored())-resultNumbers))
	if limit := maxCellTime.Seconds(); longest > limit {
		return p,
			errs.New("the cell %s would take about %.3g days on one core; the limit of one cell is %.0f, since "+
				"a cell cannot be interrupted: take a smaller T or space, or breadboard tightness",
				worst, longest/86400, limit/86400)
	}
	if limit := maxTime.Seconds(); total > limit {
		return p, errs.New(
			"the sweep would take about %.3g years on one core, and the limit is %.0f; make it smaller, or split it",
			total/86400/365,
			limit/86400/365,
		)
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
		out[i], _, _ = w.cellCost(s.Cell(i))
	}
	return out
}

// weigher estimates what cells cost. It looks at each pair of a kernel and a space once.
type weigher struct {
	sweep *Sweep
	works map[[2]string]works
}

func (s *Sweep) weigher() *weigher { return &weigher{s, map[[2]string]works{}} }

// works are what a solution with a kernel on a space takes: on a path without zeros, and by the
// general method.
type works struct{ solution, general exact.Work }

// cellCost returns the seconds, the states and the bytes of a cell. Whether its path has zeros is
// not known before toys are looked at more closely, and it is taken to have none.
func (w *weigher) cellCost(c Cell) (seconds float64, states int, memory float64) {
	space, has := w.sweep.spaces[c.Get("toy")]
	if !has { // a study without toys, or a toy whose states are not listed
		size := subject.Size{Params: subject.Params(c)}
		size.Sites = w.sweep.sites[c.Get("toy")]
		if size.Sites > 0 {
			size.Distributions = c.distributions()
		}
		cost := w.sweep.study.Cost(size)
		return cellCost + cost.Seconds, 0, cost.Bytes
	}
	states = space.States()
	program := c.programCost(states)
	works := w.workOf(c.Get("kernel"), c.Get("toy")) // every study with toys has both
	general := subject.CostOf(works.general, c.distributions())
	solution := subject.CostOf(works.solution, c.distributions())
	seconds, memory = placement.Cost(c.Get("schedule"), c.distributions(), states, general.Seconds)
	cost := w.study(c, states, solution, general)
	return seconds + cellCost + cost.Seconds + program, states, memory + cost.Bytes
}

// study returns what the study takes for a cell whose exact solution takes so much, and so much by
// the general method.
func (w *weigher) study(c Cell, states int, solution, general subject.Cost) subject.Cost {
	cost := w.sweep.study.Cost
	if cost == nil {
		return solution
	}
	return cost(subject.Size{
		Params:        subject.Params(c),
		Distributions: c.distributions(),
		States:        states,
		Solution:      solution,
		General:       general,
	})
}

// workOf returns what solutions with a kernel on the space of a toy take. A kernel that cannot be
// had there fails with its cell, and is taken to have rows of the neighbours and the state.
func (w *weigher) workOf(kernel, toy string) works {
	space := w.sweep.spaces[toy]
	at := [2]string{kernel, space.String()}
	if _, isLattice := space.(*grid.Lattice); !isLattice {
		at[1] = toy // other graphs may have the same name
	}
	if known, ok := w.works[at]; ok {
		return known
	}
	var k chains.Kernel
	if parsed, err := (programs.Env{Forms: w.sweep.studies.Forms.Kernels, Space: space}).Parse(kernel); err == nil {
		k = parsed.Kernel()
	}
	out := works{exact.WorkOf(k, space, nil), exact.GeneralWorkOf(k, space, nil)}
	w.works[at] = out
	return out
}
