package selfcheck

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
)

// movesKind returns single moves from uniform starts.
func (l *Laws) movesKind(law stageLaw, draw func(ctx context.Context, round, k int, count func(cell int)) error) kind {
	n := l.a.States()
	return kind{law.name, known(law.cell), draw, func(cell int) string { return fmt.Sprintf("from state %s to %s", l.state(cell/n), l.state(cell%n)) }, n}
}

// rowsKind returns the single moves that the kernel's Move makes.
func (l *Laws) rowsKind(s Simulation, law stageLaw, o BatteryOptions) kind {
	n := l.a.States()
	logf := make([]float64, n)
	law.a.LogF(logf, law.t)
	kernel := s.Moves.At(law.t)
	return l.movesKind(law, func(ctx context.Context, round, k int, count func(cell int)) error {
		src := simulate.NewStream(o.Seed, "crosscheck "+o.Stream+" "+s.Name+" "+law.name, round)
		starts, c := rand.New(src), chains.NewSampler(src)
		for i := range k {
			if i%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			x := starts.IntN(n)
			y, err := move(kernel, c, logf, law.t, x)
			if err != nil {
				return err
			}
			count(x*n + y)
		}
		return nil
	})
}

// single are annealings of two distributions, of which the second is that of the last stage whose
// rows are tested. Their only move shows the rows that a simulation uses, if it has no Move that
// could be tested by itself.
type single struct {
	law    stageLaw
	chains *chains.Annealing   // the annealing from the uniform distribution, for simulations of single chains
	from   []*chains.Annealing // the annealings from one state each, for counts: the states at, where f is not zero
	at     []int
	counts stageLaw // the distribution of a move from one of the states at
}

func (l *Laws) addSingle() (err error) {
	s := &single{law: l.lastRows()}
	s.law.name = fmt.Sprintf("moves at t = %d", s.law.t)
	n := l.a.States()
	target := make([]float64, n)
	l.a.LogF(target, s.law.t)
	kernel := l.a.KernelAt(s.law.t)
	if s.chains, err = oneMove(nil, target, kernel); err != nil {
		return err
	}
	s.counts = s.law
	s.counts.cell = append([]float64(nil), s.law.cell...)
	for x, v := range target {
		if math.IsInf(v, -1) {
			clear(s.counts.cell[x*n:][:n])
			continue
		}
		a, err := oneMove(point(n, x), target, kernel)
		if err != nil {
			return err
		}
		s.from, s.at = append(s.from, a), append(s.at, x)
	}
	for i := range s.counts.cell {
		s.counts.cell[i] *= float64(n) / float64(len(s.at))
	}
	l.single = s
	return nil
}

// kind returns the single moves of a simulation that has no Move.
func (m *single) kind(l *Laws, s Simulation, o BatteryOptions) kind {
	block := Block{Seed: o.Seed, Purpose: "crosscheck " + o.Stream + " " + s.Name + " " + m.law.name}
	if s.Chains != nil {
		return l.movesKind(m.law, chainMoves(s, m.chains, block))
	}
	return l.movesKind(m.counts, countMoves(s, m.from, m.at, block))
}

// lastRows returns the distribution of a move at the last stage, among those of the annealing whose
// rows are tested.
func (l *Laws) lastRows() stageLaw {
	last := l.rows[0]
	for _, r := range l.rows {
		if r.a == l.a && r.t > last.t {
			last = r
		}
	}
	return last
}

// oneMove returns the annealing that moves once under a target. A nil initial distribution is
// uniform.
func oneMove(initial, target []float64, k chains.Kernel) (*chains.Annealing, error) {
	path, err := paths.NewGeometric(initial, target)
	if err != nil {
		return nil, err
	}
	return chains.NewAnnealing(path, schedules.Linear{}, k, 2)
}

// point returns the logarithm of the distribution that has all its mass at one state.
func point(n, x int) []float64 {
	logf := slices.Repeat([]float64{math.Inf(-1)}, n)
	logf[x] = 0
	return logf
}

// chainMoves counts the moves of single chains, of which both ends are known.
func chainMoves(s Simulation, a *chains.Annealing, block Block) func(ctx context.Context, round, k int, count func(cell int)) error {
	n := a.States()
	return func(ctx context.Context, round, k int, count func(cell int)) error {
		block.Number = round
		b, err := s.batch(ctx, a, chains.Forward, block, k)
		if err != nil {
			return err
		}
		for i, x := range b.First {
			count(int(x)*n + int(b.Last[i]))
		}
		return nil
	}
}

// countMoves counts the moves of a simulation that only counts chains. The chains from each start
// have an annealing of their own, whose first distribution is zero elsewhere: otherwise the counts
// would not show which chain came from where.
func countMoves(s Simulation, starts []*chains.Annealing, at []int, block Block) func(ctx context.Context, round, k int, count func(cell int)) error {
	return func(ctx context.Context, round, k int, count func(cell int)) error {
		rng := rand.New(simulate.NewStream(block.Seed, block.Purpose+" starts", round))
		from := make([]int, len(starts))
		for range k {
			from[rng.IntN(len(from))]++
		}
		for i, a := range starts {
			if from[i] == 0 {
				continue
			}
			block.Number = round*len(starts) + i
			o, err := s.occupation(ctx, a, chains.Forward, block, from[i])
			if err != nil {
				return err
			}
			for x, c := range o.First {
				if c > 0 && x != at[i] {
					return fmt.Errorf("%d chains of a call with the only start %d started at %d", c, at[i], x)
				}
			}
			for y, c := range o.Last {
				for range c {
					count(at[i]*a.States() + y)
				}
			}
		}
		return nil
	}
}

// displacements tests the distance y - x of single moves from x to y, in the numbering of the
// states. There are far fewer distances than pairs of states, so that each cell has more moves and
// less noise.
type displacements struct {
	n int
	p []float64
}

func newDisplacements(cell []float64, n int) displacements {
	d := displacements{n, make([]float64, 2*n-1)}
	for at, v := range cell {
		d.p[at%n-at/n+n-1] += v
	}
	return d
}

func (d displacements) value(counts []int) (float64, func() string) {
	pooled := make([]int, len(d.p))
	for at, c := range counts {
		pooled[at%d.n-at/d.n+d.n-1] += c
	}
	return countsValue(pooled, d.p, func(i int) string { return fmt.Sprintf("from a state x to x%+d", i-d.n+1) })()
}
