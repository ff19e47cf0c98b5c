package crosscheck

import (
	"context"
	"math"

	"breadboard/chains"
)

// tabled is the simulation by tables of the kernel's rows, drawn from by inversion, with a place for each bug.
type tabled struct {
	kernel chains.Rower
	grain  float64                                // to which probabilities are rounded; 0 is none
	stage  func(d chains.Direction, t, T int) int // whose rows stage t uses
	shift  int                                    // states by which the increments of a table are off
}

// tableMutants have a bug in the tables of the rows.
func tableMutants(a *chains.Annealing) []Mutant {
	var list []Mutant
	add := func(name string, harmless bool, change func(*tabled)) {
		k := &tabled{kernel: a.Kernel().(chains.Rower), stage: func(_ chains.Direction, t, _ int) int { return t }}
		change(k)
		list = append(list, Mutant{Name: name, Harmless: harmless, Annealing: a, Simulation: Simulation{Name: name, Chains: k.run}})
	}
	add("tables: probabilities in five bits", false, func(k *tabled) { k.grain = 1.0 / 32 })
	add("tables: not made anew for the last stage of a direction", false, func(k *tabled) {
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
	add("tables: increments of the next state", false, func(k *tabled) { k.shift = 1 })
	add("tables: drawn from by inversion", true, func(*tabled) {})
	return list
}

func (k *tabled) run(ctx context.Context, a *chains.Annealing, d chains.Direction, block Block, chainsOf int) (*chains.Batch, error) {
	logf, T, n := logFOfStages(a), a.Distributions(), a.States()
	b := &chains.Batch{First: make([]int32, chainsOf), Last: make([]int32, chainsOf), LogW: make([]float64, chainsOf)}
	r := &plainRun{plain: newPlain(k.kernel), logf: logf, T: T}
	r.setTarget(block, d)
	c := chains.NewSampler(block.Stream(d))
	start, end := b.First, b.Last
	if d == chains.Reverse {
		start, end = end, start
	}
	for i := range start {
		if d == chains.Forward {
			start[i] = int32(c.Uniform(n))
		} else {
			start[i] = int32(c.Choose(r.target))
		}
	}
	copy(end, start)
	for step := 2; step <= T; step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := step
		if d == chains.Reverse {
			t = T + 2 - step
		}
		table := k.table(logf[k.stage(d, t, T)])
		for i, x := range end {
			row := table[x]
			y := row.to[c.Choose(row.p)]
			at := x
			if d == chains.Reverse {
				at = y
			}
			b.LogW[i] += r.increment(t, (int(at)+k.shift)%n)
			end[i] = y
		}
	}
	return b, nil
}

type tableRow struct {
	to []int32
	p  []float64
}

func (k *tabled) table(logf []float64) []tableRow {
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
