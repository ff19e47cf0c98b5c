package climb

import (
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/stage"
	"breadboard/exact/kernel"
	"breadboard/grid"
)

// climber moves masses as number.Wide by the rows of the kernel, for any kernel and any target. The
// last of its columns is all mass.
//
// The mass in column j obeys, from stage to stage,
//
//	c_j(y) = sum_x c_j(x) T_t(x,y) if the rank of y is j or below, and 0 otherwise,
//
// and what is removed in all is the probability that the best state of a chain has a rank above j.
// Time is that of the entries of all rows for each rank.
type climber struct {
	rank    []int32
	columns [][]number.Wide // the mass that has never been above a rank, by state
	blurred []float64       // the relative error of the remaining mass of a column by such differences
	*found
	crew *crew.Crew
}

func widely(ctx context.Context, p *stage.Problem, rank []int32, ranks int, o Options) (*found, error) {
	if err := stage.Fits(p.Annealing); err != nil {
		return nil, err
	}
	c := &climber{rank, make([][]number.Wide, ranks+1), make([]float64, ranks+1), newFound(ranks, nil),
		crew.New(min(crew.Share(len(rank)*(ranks+1), o.Workers), ranks+1))}
	defer c.crew.Dismiss()
	s := stage.NewStage(p.Annealing)
	start := o.LogStart
	if start == nil {
		start = s.Here.Log
	}
	for j := range c.columns {
		c.columns[j] = make([]number.Wide, len(rank))
		for x, v := range start {
			c.columns[j][x] = number.WideExp(v)
		}
		c.arrive(j)
	}
	for t := 2; t <= p.Annealing.Distributions(); t++ {
		if err := p.Load(ctx, s, t); err != nil {
			return nil, err
		}
		low, high := number.Bounds(s.Logf)
		wide := high-low >= kernel.Narrow
		blur := 0.0
		if clustered(s.Kernel) {
			blur = differences * max(math.Abs(low), math.Abs(high))
		}
		c.crew.Run(len(c.columns), func(j int) {
			before := c.total(j)
			for m := range s.Along(chains.Forward) {
				c.moveColumn(j, s, m, wide)
			}
			c.arrive(j)
			c.blur(j, blur, before)
		})
	}
	p.Flush()
	c.last = func(x int) number.Wide { return c.columns[ranks][x] }
	for j := range c.columns {
		left := c.total(j)
		c.missing[j] = c.missing[j].Add(left.Mul(number.Scaled(c.blurred[j], 0)))
		if j < ranks {
			c.left[j] = left
		}
	}
	return c.found, nil
}

// arrive removes the mass at each rank or above.
func (c *climber) arrive(j int) {
	if j == len(c.seen) {
		return
	}
	mass := c.columns[j]
	there := func(x int) bool { return int(c.rank[x]) > j }
	arrived := number.WideTotal(func(x int) (m number.Wide) {
		if there(x) {
			m = mass[x]
		}
		return m
	}, len(mass))
	c.seen[j] = c.seen[j].Add(arrived)
	for x := range mass {
		if there(x) {
			mass[x] = number.Wide{}
		}
	}
}

func (c *climber) total(j int) number.Wide {
	return number.WideTotal(func(x int) number.Wide { return c.columns[j][x] }, len(c.rank))
}

const (
	// below is an upper bound on an entry of a row that underflows.
	below = 0x1p-1060
	// differences is the error of the probability of a refusal that is computed from a difference
	// of log f and a sum of couplings, relative to the size of log f.
	differences = 16 * 0x1p-53
)

// blur adds the error of a stage to that of a column, given the error of refusals as a part of all
// mass.
func (c *climber) blur(j int, part float64, before number.Wide) {
	if part == 0 || before.M == 0 {
		return
	}
	if now := c.total(j); now.M != 0 {
		c.blurred[j] += part * before.Div(now).Float()
		return
	}
	c.missing[j] = c.missing[j].Add(before.Mul(number.Scaled(part, 0)))
}

// moveColumn moves a column. Heat baths need no rows, so that none of their entries underflows.
func (c *climber) moveColumn(j int, s *stage.Stage, m *stage.Move, wide bool) {
	if bathes(m.Kernel) {
		c.columns[j] = bathe(c.columns[j], s.Logf, m.Kernel)
		return
	}
	if wide && !tilted(m.Kernel) {
		c.missing[j] = c.missing[j].Add(c.total(j).Mul(number.Scaled(below*float64(len(c.rank)), 0)))
	}
	c.columns[j] = m.Forward.Push(c.columns[j])
}

// bathes reports whether a kernel is made of heat baths alone, and moves that stay.
func bathes(k chains.Kernel) bool {
	switch k.(type) {
	case kernels.HeatBathAxis, kernels.Stay:
		return true
	}
	parts, combined := chains.PartsOf(k)
	return combined && !slices.ContainsFunc(parts.Kernels, func(k chains.Kernel) bool { return !bathes(k) })
}

// bathe returns the masses after a move by such a kernel.
func bathe(mass []number.Wide, logf []float64, k chains.Kernel) []number.Wide {
	if bath, is := k.(kernels.HeatBathAxis); is {
		return alongLines(mass, logf, bath.Space, bath.Axis)
	}
	parts, combined := chains.PartsOf(k)
	if !combined {
		return mass
	}
	for range parts.Times {
		for _, i := range parts.Order {
			mass = bathe(mass, logf, parts.Kernels[i])
		}
	}
	if parts.Sequential {
		return mass
	}
	next := make([]number.Wide, len(mass))
	for i, part := range parts.Kernels {
		weight := number.Scaled(parts.Weights[i], 0)
		for x, m := range bathe(mass, logf, part) {
			next[x] = next[x].Add(m.Mul(weight))
		}
	}
	return next
}

// alongLines distributes the mass of each line in proportion to f. Masses stay if f is zero on the
// whole line.
func alongLines(mass []number.Wide, logf []float64, space *grid.Lattice, axis int) []number.Wide {
	next := make([]number.Wide, len(mass))
	side := space.Side(axis)
	stride := space.Stride(axis)
	logs := make([]float64, side)
	for first := range mass {
		if space.Coord(first, axis) != 0 {
			continue
		}
		var total number.Wide
		for i := range side {
			total = total.Add(mass[first+i*stride])
			logs[i] = logf[first+i*stride]
		}
		top := slices.Max(logs)
		sum := 0.0
		for _, v := range logs {
			sum += math.Exp(v - top)
		}
		for i, v := range logs {
			x := first + i*stride
			next[x] = mass[x]
			if top > math.Inf(-1) {
				next[x] = total.Mul(number.WideExp(v - top)).Mul(number.Scaled(1/sum, 0))
			}
		}
	}
	return next
}

// tilted reports whether the proposals of a kernel do not depend on f, and its acceptance is that
// of Metropolis. The reverse entry of each of its entries that underflow does not underflow, so
// that a stage has its logarithm.
func tilted(k chains.Kernel) bool {
	switch k := k.(type) {
	case kernels.Metropolis, kernels.Moore, kernels.Flip, kernels.Jump, kernels.Independence, kernels.Stay:
		return true
	case kernels.Lumped:
		return k.Acceptance() == kernels.AcceptMetropolis
	}
	parts, combined := chains.PartsOf(k)
	return combined && !parts.Sequential &&
		!slices.ContainsFunc(parts.Kernels, func(k chains.Kernel) bool { return !tilted(k) })
}

// clustered reports whether a kernel, or a part of it, moves clusters: its acceptance is computed
// from a difference of log f and of the energy of the couplings.
func clustered(k chains.Kernel) bool {
	switch k.(type) {
	case kernels.SwendsenWang, kernels.Wolff:
		return true
	}
	parts, combined := chains.PartsOf(k)
	return combined && slices.ContainsFunc(parts.Kernels, clustered)
}
