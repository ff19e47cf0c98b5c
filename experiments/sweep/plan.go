package sweep

import (
	"fmt"
	"time"

	"breadboard/chains"
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
// and an entry while solving; bytes on disk a result and its line of the log; bytes of a process, and a cell of it.
const (
	stencilCost   = 4.2e-9
	entryCost     = 45e-9
	cellCost      = 20e-6
	stateBytes    = 300
	entryBytes    = 40
	resultBytes   = 750
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
	p.Disk = float64(p.Cells * resultBytes)
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
	sweep   *Sweep
	entries map[[2]string]float64
}

func (s *Sweep) weigher() *weigher { return &weigher{s, map[[2]string]float64{}} }

// weigh returns the seconds, the states and the bytes of a cell.
func (w *weigher) weigh(c Cell) (seconds float64, states int, memory float64) {
	space := w.sweep.spaces[c.Get("toy")]
	kernel := c.Get("kernel")
	states = space.States()
	seconds, memory = placing(c.Get("schedule"), c.Distributions(), states)
	steps := float64(c.Distributions()-1) * float64(states)
	if kernel == "metropolis" && c.Get("path") == "geometric" && c.Get("initial") == "uniform" && space.Dims() <= 2 {
		return seconds + cellCost + steps*stencilCost, states, memory + stateBytes*float64(states)
	}
	entries := w.rowEntries(kernel, space)
	return seconds + cellCost + steps*entries*entryCost, states, memory + (stateBytes+entryBytes*entries)*float64(states)
}

// rowEntries returns the number of states that a kernel can reach from the middle of a space; for one that has no
// rows in closed form, or cannot be had there, the number of neighbours and the state.
func (w *weigher) rowEntries(kernel string, space *grid.Lattice) float64 {
	at := [2]string{kernel, space.String()}
	if n, ok := w.entries[at]; ok {
		return n
	}
	n := space.Directions() + 1
	if k, err := external.ParseKernel(kernel, space, nil); err == nil {
		if rows, ok := k.(chains.Rower); ok {
			middle := space.Sides()
			for k := range middle {
				middle[k] /= 2
			}
			n = len(rows.AppendRow(nil, make([]float64, space.States()), space.Index(middle...)))
		}
	}
	w.entries[at] = float64(n)
	return float64(n)
}
