package climb

import (
	"context"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/operator"
	"breadboard/exact/internal/stage"
)

// underflow bounds the mass that a stage loses because masses, or the probabilities of moves, are
// below float64.
const underflow = 0x1p-1020

// plainly moves masses themselves, as columns whose f is one, under any distribution without zeros.
// It returns nil for other kernels than those of operator.MassesOf.
//
// Column j holds the mass of the chains that have never been at a state whose rank is above j:
//
//	m_j(t, y) = 1[rank(y) <= j] sum over x of m_j(t-1, x) T_t(x, y),
//
// and the mass that is removed is that of the chains that come above rank j at stage t. Time is O(T
// ranks) times that of a move of one mass.
func plainly(ctx context.Context, p *stage.Problem, rank []int32, ranks int, o Options) (*found, error) {
	a := p.Annealing
	n := len(rank)
	if a.Kernel() == nil || a.Path().Zeros() {
		return nil, nil
	}
	moves := operator.MassesOf(a.Kernel(), n)
	if moves == nil {
		return nil, nil
	}
	l := newColumns(rank, ranks)
	l.f, l.crew = slices.Repeat([]float64{1}, n), crew.New(crew.Share(n, o.Workers))
	l.inverse = l.f
	defer l.dismiss()
	logf := make([]float64, n)
	start := o.firstLaw()
	a.LogF(logf, 1)
	if start == nil {
		start = slices.Clone(logf)
		chains.Normalize(start)
	}
	l.setLaw(start)
	mass := make([][]float64, ranks+1)
	spare := make([][]float64, ranks+1)
	for t := 2; t <= a.Distributions(); t++ {
		if err := p.Step(ctx); err != nil {
			return nil, err
		}
		a.LogF(logf, t)
		moves.Load(logf, l.crew)
		for j, c := range l.columns {
			mass[j], spare[j] = c.w, c.next
		}
		moves.Move(mass, spare, l.crew)
		l.crew.Run(len(mass), func(j int) {
			c := &l.columns[j]
			c.w = mass[j]
			c.next = spare[j]
			l.arrive(c, j)
		})
	}
	p.Flush()
	f := l.result()
	for j := range f.missing {
		f.missing[j] = number.Scaled(float64(a.Distributions())*underflow, 0)
	}
	return f, nil
}
