package crosscheck

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/planted"
)

// tableSimulation is the simulation by tables of the kernel's rows, with a place for each bug: a plain process whose kernel draws
// from its rows by inversion. All chains take a step before any takes the next, so that a table is made once a stage.
type tableSimulation struct {
	kernel chains.Rower
	grain  float64                                // probabilities are rounded to multiples of this; 0 is no rounding
	stage  func(d chains.Direction, t, T int) int // the stage whose rows are used at stage t
	shift  int                                    // the number of states by which the increments of a table are off
}

// tableMutants returns the mutants that have a bug in the tables of the rows.
func tableMutants(a *chains.Annealing) []Mutant {
	var list []Mutant
	add := func(name string, harmless bool, change func(*tableSimulation)) {
		k := &tableSimulation{kernel: a.Kernel().(chains.Rower), stage: func(_ chains.Direction, t, _ int) int { return t }}
		change(k)
		list = append(list, Mutant{Name: name, Harmless: harmless, Annealing: a, Simulation: Simulation{Name: name, Chains: k.run}})
	}
	add("tables: probabilities in five bits", false, func(k *tableSimulation) { k.grain = 1.0 / 32 })
	add("tables: not made anew for the last stage of a direction", false, func(k *tableSimulation) {
		k.stage = func(d chains.Direction, t, T int) int {
			switch {
			case d == chains.Forward && t == T && T > 2:
				return T - 1
			case d == chains.Reverse && t == 2 && T > 2:
				return 3
			}
			return t
		}
	})
	add("tables: increments of the next state", false, func(k *tableSimulation) { k.shift = 1 })
	add("tables: drawn from by inversion", true, func(*tableSimulation) {})
	return list
}

func (k *tableSimulation) run(ctx context.Context, a *chains.Annealing, d chains.Direction, block Block, chainsOf int) (*simulate.Batch, error) {
	b := &simulate.Batch{First: make([]int32, chainsOf), Last: make([]int32, chainsOf), LogW: make([]float64, chainsOf)}
	p := newPlain(&byTable{tableSimulation: k})
	p.change = func(r *planted.Annealer, d chains.Direction) {
		r.Stage = func(t int) int { return k.stage(d, t, a.Distributions()) }
		r.Shift = k.shift
	}
	r := p.annealer(a, d, block)
	c := chains.NewSampler(block.Stream(d))
	for i := range b.First {
		b.First[i] = int32(r.Start(c))
	}
	copy(b.Last, b.First)
	for step := 1; step <= r.Steps(); step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, x := range b.Last {
			y, increment := r.Step(c, step, int(x))
			b.Last[i] = int32(y)
			b.LogW[i] += increment
		}
	}
	if d == chains.Reverse { // the first state of a Batch is x_1, at which a reverse chain ends
		b.First, b.Last = b.Last, b.First
	}
	return b, nil
}

// byTable is the kernel that draws from a table of its rows. It keeps the table until it is called with another log f.
type byTable struct {
	*tableSimulation
	logf  []float64 // the log f for which the table was made
	table []tableRow
}

// Move draws from the row.
func (k *byTable) Move(c chains.Chooser, logf []float64, x int) int {
	if k.logf == nil || &k.logf[0] != &logf[0] {
		k.logf, k.table = logf, k.rows(logf)
	}
	row := k.table[x]
	return int(row.to[c.Choose(row.p)])
}

type tableRow struct {
	to []int32
	p  []float64
}

func (k *tableSimulation) rows(logf []float64) []tableRow {
	out := make([]tableRow, len(logf))
	for x := range out {
		rest := 1.0
		entries := k.kernel.AppendRow(nil, logf, x)
		for i, e := range entries {
			p := e.P
			if k.grain > 0 {
				if p = math.Round(p/k.grain) * k.grain; i == len(entries)-1 {
					p = rest
				}
			}
			rest -= p
			out[x].to = append(out[x].to, int32(e.To))
			out[x].p = append(out[x].p, p)
		}
	}
	return out
}
