package crosscheck

import (
	"context"
	"math"
	"math/rand/v2"

	"breadboard/chains"
	"breadboard/grid"
)

// Mutant is an implementation with a planted bug, or a harmless variant that must pass.
type Mutant struct {
	Name       string
	Harmless   bool
	Simulation Simulation
}

// Mutants returns implementations for an annealing with Metropolis' kernel on a square plane: each is the plain
// one below with one thing changed.
func Mutants(a *chains.Annealing, space *grid.Lattice) []Mutant {
	list := []Mutant{
		{Name: "proposals off the edge are redrawn, no Hastings term"},
		{Name: "resampled until accepted"},
		{Name: "edges wrap around"},
		{Name: "kernel uses beta_{t-1}"},
		{Name: "weight after the move"},
		{Name: "last increment dropped"},
		{Name: "transposed exact draw"},
		{Name: "reverse kernels shifted by one"},
		{Name: "reverse weight at the wrong state"},
		{Name: "4-bit acceptance uniform"},
		{Name: "one direction twice as likely"},
		{Name: "start excludes the last state"},
		{Name: "reverse start from 50 moves, not an exact draw"},
		{Name: "a stream reused in pairs"},
		{Name: "Barker instead of Metropolis"},
		{Name: "log f truncated to 0.1 in the acceptance"},
		{Name: "none", Harmless: true},
		{Name: "accepts at u <= a, not u < a", Harmless: true},
		{Name: "neighbours in another order", Harmless: true},
	}
	change := []func(*plain){
		func(p *plain) { p.kernel = redrawn{space} },
		func(p *plain) { p.kernel = untilAccepted{space} },
		func(p *plain) { p.kernel = chains.Metropolis{Space: ring(space)} },
		func(p *plain) { p.stage = func(_ chains.Direction, t int) int { return t - 1 } },
		func(p *plain) { p.weighAfter = true },
		func(p *plain) { p.lastDropped = true },
		func(p *plain) { p.drawn = func(x int) int { return space.Index(space.Coord(x, 1), space.Coord(x, 0)) } },
		func(p *plain) {
			p.stage = func(d chains.Direction, t int) int {
				if d == chains.Reverse {
					return t - 1
				}
				return t
			}
		},
		func(p *plain) { p.weighBefore = true },
		func(p *plain) { p.kernel = coarse{space} },
		func(p *plain) { p.kernel = skewed{space} },
		func(p *plain) { p.startStates-- },
		func(p *plain) { p.burnIn = 50 },
		func(p *plain) { p.inPairs = true },
		func(p *plain) { p.kernel = chains.Barker{Space: space} },
		func(p *plain) { p.kernel = truncated{space} },
		func(*plain) {},
		func(p *plain) { p.kernel = orEqual{space} },
		func(p *plain) { p.kernel = reordered{space} },
	}
	logf := stages(a)
	for i := range list {
		p := &plain{a: a, logf: logf, kernel: a.Kernel(), startStates: a.States(), drawn: func(x int) int { return x },
			stage: func(_ chains.Direction, t int) int { return t }}
		change[i](p)
		list[i].Simulation = Simulation{Name: list[i].Name, Kernel: p.kernel, Chains: p.run}
	}
	return list
}

// stages returns log f_t for every t.
func stages(a *chains.Annealing) [][]float64 {
	logf := make([][]float64, a.Distributions()+1)
	for t := 1; t < len(logf); t++ {
		logf[t] = make([]float64, a.States())
		a.LogF(logf[t], t)
	}
	return logf
}

// plain is annealed importance sampling written down step by step, from a uniform start, with a place for each
// bug.
type plain struct {
	a           *chains.Annealing
	logf        [][]float64
	kernel      chains.Kernel
	stage       func(d chains.Direction, t int) int // whose distribution the kernel of stage t uses
	startStates int                                 // forward chains start uniformly below it
	drawn       func(x int) int                     // what becomes of an exact draw
	burnIn      int                                 // moves from a uniform state in place of an exact draw
	weighAfter  bool                                // forward: by the state after the move
	weighBefore bool                                // reverse: by the state before the move
	lastDropped bool
	inPairs     bool
}

func (p *plain) run(ctx context.Context, d chains.Direction, src *rand.ChaCha8, k int) (*chains.Batch, error) {
	b := &chains.Batch{First: make([]int32, k), Last: make([]int32, k), LogW: make([]float64, k)}
	target := p.target()
	pcg := rand.NewPCG(0, 0)
	c := chains.NewSampler(pcg)
	one, two := src.Uint64(), src.Uint64()
	for i := range k {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		number := uint64(i)
		if p.inPairs {
			number = uint64(i / 2)
		}
		pcg.Seed(one+number, two)
		if d == chains.Forward {
			b.First[i], b.Last[i], b.LogW[i] = p.forward(c)
		} else {
			b.First[i], b.Last[i], b.LogW[i] = p.reverse(c, target)
		}
	}
	return b, nil
}

// target returns p_T.
func (p *plain) target() []float64 {
	out := append([]float64(nil), p.logf[p.a.Distributions()]...)
	z := 0.0
	for x, v := range out {
		out[x] = math.Exp(v)
		z += out[x]
	}
	for x := range out {
		out[x] /= z
	}
	return out
}

func (p *plain) increment(t, x int) float64 { return p.logf[t][x] - p.logf[t-1][x] }

func (p *plain) forward(c chains.Chooser) (first, last int32, logw float64) {
	T := p.a.Distributions()
	x := c.Uniform(p.startStates)
	first = int32(x)
	for t := 2; t <= T; t++ {
		y := p.kernel.Move(c, p.logf[p.stage(chains.Forward, t)], x)
		if p.lastDropped && t == T {
			x = y
			continue
		}
		if p.weighAfter {
			logw += p.increment(t, y)
		} else {
			logw += p.increment(t, x)
		}
		x = y
	}
	return first, int32(x), logw
}

func (p *plain) reverse(c chains.Chooser, target []float64) (first, last int32, logw float64) {
	T := p.a.Distributions()
	x := 0
	if p.burnIn == 0 {
		x = p.drawn(c.Choose(target))
	} else {
		x = c.Uniform(len(target))
		for range p.burnIn {
			x = p.kernel.Move(c, p.logf[T], x)
		}
	}
	last = int32(x)
	for t := T; t >= 2; t-- {
		y := p.kernel.Move(c, p.logf[p.stage(chains.Reverse, t)], x)
		if p.weighBefore {
			logw += p.increment(t, x)
		} else {
			logw += p.increment(t, y)
		}
		x = y
	}
	return int32(x), last, logw
}

// The kernels with a bug, and those without. Each is a Metropolis kernel on a plane with one thing changed.
type (
	redrawn       struct{ space *grid.Lattice }
	untilAccepted struct{ space *grid.Lattice }
	coarse        struct{ space *grid.Lattice }
	skewed        struct{ space *grid.Lattice }
	truncated     struct{ space *grid.Lattice }
	orEqual       struct{ space *grid.Lattice }
	reordered     struct{ space *grid.Lattice }
)

// ring returns the space with its edges joined.
func ring(space *grid.Lattice) *grid.Lattice {
	wrap := make([]bool, space.Dims())
	for k := range wrap {
		wrap[k] = space.Side(k) >= 3
	}
	l, err := grid.NewWrapped(space.Sides(), wrap)
	if err != nil {
		panic(err) // the space itself was made
	}
	return l
}

func acceptance(logf []float64, x, y int) float64 { return math.Exp(min(0, logf[y]-logf[x])) }

func (k redrawn) Move(c chains.Chooser, logf []float64, x int) int {
	for {
		if y, inside := k.space.Neighbour(x, c.Uniform(k.space.Directions())); inside {
			if c.Flip(acceptance(logf, x, y)) {
				return y
			}
			return x
		}
	}
}

// maxTries ends a loop that a bug would make endless.
const maxTries = 1000

func (k untilAccepted) Move(c chains.Chooser, logf []float64, x int) int {
	for range maxTries {
		if y, inside := k.space.Neighbour(x, c.Uniform(k.space.Directions())); inside && c.Flip(acceptance(logf, x, y)) {
			return y
		}
	}
	return x
}

func (k coarse) Move(c chains.Chooser, logf []float64, x int) int {
	y, inside := k.space.Neighbour(x, c.Uniform(k.space.Directions()))
	if inside && float64(c.Uniform(16))/16 < acceptance(logf, x, y) {
		return y
	}
	return x
}

func (k skewed) Move(c chains.Chooser, logf []float64, x int) int {
	n := k.space.Directions()
	y, inside := k.space.Neighbour(x, c.Uniform(n+1)%n)
	if inside && c.Flip(acceptance(logf, x, y)) {
		return y
	}
	return x
}

func (k truncated) Move(c chains.Chooser, logf []float64, x int) int {
	y, inside := k.space.Neighbour(x, c.Uniform(k.space.Directions()))
	if inside && c.Flip(math.Exp(min(0, math.Trunc(logf[y]*10)/10-math.Trunc(logf[x]*10)/10))) {
		return y
	}
	return x
}

func (k orEqual) Move(c chains.Chooser, logf []float64, x int) int {
	y, inside := k.space.Neighbour(x, c.Uniform(k.space.Directions()))
	if inside && !c.Flip(1-acceptance(logf, x, y)) {
		return y
	}
	return x
}

func (k reordered) Move(c chains.Chooser, logf []float64, x int) int {
	n := k.space.Directions()
	y, inside := k.space.Neighbour(x, n-1-c.Uniform(n))
	if inside && c.Flip(acceptance(logf, x, y)) {
		return y
	}
	return x
}
