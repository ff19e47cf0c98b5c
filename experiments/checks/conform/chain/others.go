package chain

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/checks/planted"
	"breadboard/grid"
)

// others adds mistakes without a parameter: other kernels, right or wrong, other targets, and other
// ways to treat the edge.
func (f *fitting) others(ctx context.Context) {
	toy := f.moves.toy
	c := f.moves.chain
	add := func(says string, k chains.Kernel, logf []float64) {
		rows := kernel.RowsOf(ctx, k, logf)
		f.addMistake(says, func(x int) []chains.Entry {
			row, _ := rows(x) // none if it has no meaning here
			return row
		})
	}
	if prior := toy.LogPrior; prior != nil {
		likelihood := slices.Clone(c.LogF)
		for x := range likelihood {
			if !math.IsInf(prior[x], -1) {
				likelihood[x] -= prior[x]
			}
		}
		add("the prior was left out", f.Kernel, likelihood)
	}
	add("log f was a logarithm in base 10", f.Kernel, planted.Times(1/math.Ln10)(c.LogF))
	add("log f was taken for a logarithm in base 10", f.Kernel, planted.Times(math.Ln10)(c.LogF))
	if l := toy.Lattice(); l != nil {
		f.proposed(l)
		f.swapped(l)
	}
	moves := max(1, f.Thin)
	n := len(c.Target)
	if n > kernel.DenseStates || moves > 1 && moves > mostProducts/16/(n*n*n) {
		return
	}
	if moves == 1 {
		f.addFirstAccepted(ctx)
	}
	for _, name := range []string{
		"metropolis", "barker", "heatbath", "heatbath-scan", "heatbath-zigzag", "flip", "moore", "suwa-todo",
		"independence", "jump:0.1", "jump:0.3", "jump:0.6", "delayed-rejection", "gradient",
		"balanced:sqrt", "balanced:barker", "balanced:min", "balanced:sqrt:flip"} {
		if k, err := kernels.Parse(name, toy.Space); err == nil {
			add("the moves were those of "+name, kernels.Repeat(moves, k), c.LogF)
		}
	}
	if moves > 1 {
		return
	}
	for _, m := range planted.Mistakes(toy.Space) {
		if _, costly := m.Kernel.(planted.Misread); !costly {
			// clusters, of which other temperatures are fitted
			add("the moves were those of "+m.Of, m.Kernel, c.LogF)
		}
	}
}

// swapped adds that two columns of the same length, which are axes of the space, were exchanged.
func (f *fitting) swapped(l *grid.Lattice) {
	axes := f.moves.toy.Variables()
	for j := range min(l.Dims(), draws.MaxAxes) {
		for k := range j {
			if l.Side(j) != l.Side(k) || f.moves.toy.ByLabel() {
				continue
			}
			f.addMistake(fmt.Sprintf("the columns %s and %s were exchanged", axes[k].Name, axes[j].Name),
				func(x int) []chains.Entry {
					row := slices.Clone(f.moves.row(l.Swapped(x, j, k)))
					for i := range row {
						if row[i].To != lost {
							row[i].To = l.Swapped(row[i].To, j, k)
						}
					}
					return row
				})
		}
	}
}

// addFirstAccepted adds that the first proposal of every chain was accepted, as if log f of the
// state before were -inf.
func (f *fitting) addFirstAccepted(ctx context.Context) {
	one := *f.run
	rest := *f.run
	one.tracks, rest.tracks = nil, nil
	for _, t := range f.tracks {
		one.tracks = append(one.tracks, &track{states: t.states[:min(2, len(t.states))]})
		rest.tracks = append(rest.tracks, &track{states: t.states[1:]})
	}
	begun := newFitting(&one)
	then := newFitting(&rest)
	if len(then.from) == 0 { // then all moves were accepted
		return
	}
	always := kernel.RowsOf(ctx, planted.AlwaysAccepted{Space: f.moves.toy.Space}, f.moves.chain.LogF)
	rows := func(x int) []chains.Entry {
		row, _ := always(x)
		return row
	}
	f.list = append(f.list, draws.Candidate{
		Says: "the first proposal of every chain was accepted, whatever f is there",
		Log:  begun.log(rows) + then.list[0].Log,
		Fits: func() bool { return begun.fitsMoves(rows, 0) && then.fitsMoves(f.moves.row, 0) },
	})
}

// stepProbabilities returns how likely each step is proposed, by its coordinates in one number, if
// the kernel is that of Metropolis on a grid with the same proposals everywhere.
func (f *fitting) stepProbabilities(l *grid.Lattice) map[int]float64 {
	q := map[int]float64{}
	total := 0.0
	g := f.moves.chain.LogF
	for x := range g {
		for _, e := range f.moves.row(x) {
			if e.To == x || e.To == lost || e.P == 0 || math.IsInf(g[x], -1) {
				continue
			}
			step := 0
			for k := range l.Dims() {
				by := l.Coord(e.To, k) - l.Coord(x, k) + l.Side(k)
				if l.Wraps(k) {
					by = by%l.Side(k) + l.Side(k)
				}
				step = step*2*l.Side(k) + by
			}
			p := e.P / math.Exp(min(0, g[e.To]-g[x]))
			if was, is := q[step]; !is {
				q[step] = p
				total += p
			} else if math.Abs(was-p) > 1e-6*p {
				return nil
			}
		}
	}
	if total > 1+1e-6 {
		return nil
	}
	return q
}

// redrawn stands for a coordinate off the edge for which another one is drawn.
const redrawn = math.MinInt

// proposed adds that proposals off the edge are not refused: a rule says where a coordinate goes
// that is off an axis with the given number of values.
func (f *fitting) proposed(l *grid.Lattice) {
	q := f.stepProbabilities(l)
	g := f.moves.chain.LogF
	steps := slices.Sorted(maps.Keys(q))
	if len(q) == 0 {
		return
	}
	for i, edge := range []func(c, side int) int{
		func(_, _ int) int { return redrawn },
		func(c, side int) int { return max(0, min(side-1, c)) },
		func(c, side int) int { return max(-c, min(c, 2*side-2-c)) },
		func(c, side int) int { return (c + side) % side },
		func(c, _ int) int { return c }, // the number of the state may be that of another row
	} {
		f.addMistake("proposals off the edge were "+[]string{"drawn again", "clamped to it", "turned back",
			"brought in on the other side", "taken for states of the next row"}[i],
			func(x int) (row []chains.Entry) {
				left := 1.0
				stay := 1.0
				for _, step := range steps {
					if y, p := landed(l, x, step, edge), q[step]; y == redrawn {
						left -= p
					} else if y >= 0 && y < len(g) {
						row = append(row, chains.Entry{To: y, P: p * math.Exp(min(0, g[y]-g[x]))})
					}
				}
				for i := range row {
					row[i].P /= left
					stay -= row[i].P
				}
				return append(row, chains.Entry{To: x, P: max(0, stay)})
			})
	}
}

// landed returns where a step leads, with a rule for the edges.
func landed(l *grid.Lattice, x, step int, edge func(c, side int) int) (y int) {
	for k := l.Dims() - 1; k >= 0; k-- {
		side := l.Side(k)
		c := l.Coord(x, k) + step%(2*side) - side
		step /= 2 * side
		if l.Wraps(k) {
			c = (c + side) % side
		}
		if c < 0 || c >= side {
			c = edge(c, side)
			if c == redrawn {
				return c
			}
		}
		y += c * l.Stride(k)
	}
	return y
}
