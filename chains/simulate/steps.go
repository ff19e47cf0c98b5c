package simulate

import (
	"math"
	"math/bits"
	"slices"

	"breadboard/chains"
	"breadboard/chains/frames"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// If there are many more states than chains, the rows of a kernel take longer than the moves of the
// chains. Here each chain evaluates log f only at its own neighbours, and no table is made.

// proposal returns the state that a kernel proposes from x, which is x itself if the proposal leads
// nowhere. It takes the choices from the uniform random number r, and returns the remainder, which
// is uniform too: a choice among n leaves n times fewer values.
type proposal func(r uint64, x int) (y int, rest uint64)

// oneOfMany takes a uniform choice among n from a random number.
func oneOfMany(r uint64, n int) (i int, rest uint64) {
	high, low := bits.Mul64(r, uint64(n))
	return int(high), low
}

// steps is a kernel that proposes a neighbour and accepts it as Metropolis does, or as Barker.
//
// Metropolis accepts y with min(1, f(y)/f(x)), Barker with f(y)/(f(x) + f(y)). A move of one chain
// evaluates log f at y alone.
type steps struct {
	propose proposal
	barker  bool
	logf    []float64
	slope   []float64 // if it is not nil, log f is logf + beta slope
	beta    float64
	fall    *falls
	bits    int // the number of bits if the states are bits and Metropolis proposes to flip one; else 0
}

// falls has exp(-k/64) for the exponentials of falls of log f, which are most of the time of a
// chain.
type falls [1 << 10]float64

func newFalls() *falls {
	f := &falls{}
	for k := range f {
		f[k] = math.Exp(-float64(k) / 64)
	}
	return f
}

// exp returns exp(v) to four units in the last place, for v of zero or less; NaN if v is NaN.
func (f *falls) exp(v float64) float64 {
	if !(v > -16) {
		return math.Exp(v)
	}
	return f.near(v)
}

// near is exp from -16 on.
//
//	exp(v) = exp(-k/64) exp(h), h = v + k/64, 0 >= h > -1/64,
//
// with the series of exp(h) to h^6, whose remainder is below 1e-16.
func (f *falls) near(v float64) float64 {
	k := int(v * -64)
	h := v + float64(k)*0x1p-6
	return f[k&(1<<10-1)] * (1 + h*(1+h*(1./2+h*(1./6+h*(1./24+h*(1./120+h*(1./720)))))))
}

// proposalOf returns the proposal of a kernel, and nil if it proposes in another way.
func proposalOf(k chains.Kernel) *steps {
	switch k := k.(type) {
	case kernels.Metropolis:
		s := &steps{propose: neighbour(k.Space), fall: newFalls()}
		if l, is := k.Space.(*grid.Lattice); is && twoEach(l) {
			s.bits = l.Dims()
		}
		return s
	case kernels.Barker:
		return &steps{propose: neighbour(k.Space), barker: true}
	case kernels.Flip:
		return &steps{propose: otherValue(k.Space), fall: newFalls()}
	}
	return nil
}

// neighbour proposes one of the directions of a space.
func neighbour(space grid.Graph) proposal {
	if l, is := space.(*grid.Lattice); is && twoEach(l) {
		n := uint64(l.Directions())
		dims := l.Dims()
		return func(r uint64, x int) (int, uint64) {
			d, rest := bits.Mul64(r, n)
			place := dims - 1 - int(d>>1)
			// a step up leads from 0 to 1, and one down from 1 to 0
			return x ^ (x>>place^int(d))&1<<place, rest
		}
	}
	return func(r uint64, x int) (int, uint64) {
		d, rest := oneOfMany(r, space.Directions())
		if y, inside := space.Neighbour(x, d); inside {
			return y, rest
		}
		return x, rest
	}
}

// twoEach reports whether all axes have two values, so that they are the bits of a state.
func twoEach(l *grid.Lattice) bool {
	return !slices.ContainsFunc(l.Sides(), func(side int) bool { return side != 2 })
}

// otherValue proposes another value of one axis.
func otherValue(l *grid.Lattice) proposal {
	return func(r uint64, x int) (int, uint64) {
		axis, r := oneOfMany(r, l.Dims())
		side := l.Side(axis)
		if side == 1 {
			return x, r
		}
		here := l.Coord(x, axis)
		value, r := oneOfMany(r, side-1)
		if value >= here {
			value++ // skip the value that the axis has already
		}
		return x + l.Stride(axis)*(value-here), r
	}
}

func (s *steps) load(v *frames.Values) { s.logf = v.LogF }

func (s *steps) applyMove(w *wyrand, states []int32) error {
	rng := *w
	logf := s.logf
	for i, x := range states {
		var r uint64
		rng, r = rng.next()
		y, rest := s.propose(r, int(x))
		u := float64(rest>>11) * 0x1p-53
		rise := logf[y] - logf[x]
		if s.slope != nil {
			rise += s.beta * (s.slope[y] - s.slope[x])
		}
		// If f is zero at both, the rise is NaN, and nothing is below what comes of it.
		var accept float64
		if s.barker {
			accept = 1 / (1 + math.Exp(-rise))
		} else {
			accept = s.fall.exp(min(rise, 0))
		}
		to := x
		if u < accept {
			to = int32(y)
		}
		states[i] = to
	}
	*w = rng
	return nil
}

// moveBits is move along a straight path from the uniform distribution, in one loop that calls
// nothing. To every log weight it adds the slope at the state before the move and the slope after
// it, each times a number.
func (s *steps) moveBits(w *wyrand, states []int32, logw []float64, before, after float64) {
	rng := *w
	slope := s.slope
	beta := s.beta
	fall := s.fall
	n := uint64(2 * s.bits)
	last := s.bits - 1
	logw = logw[:len(states)]
	for i, x := range states {
		var r uint64
		rng, r = rng.next()
		d, rest := bits.Mul64(r, n)
		place := (last - int(d>>1)) & 63
		y := int(x) ^ (int(x)>>place^int(d))&1<<place
		u := float64(rest>>11) * 0x1p-53
		here := slope[x]
		there := slope[y]
		v := min(beta*(there-here), 0)
		var accept float64
		if v > -16 {
			accept = fall.near(v)
		} else {
			accept = math.Exp(v)
		}
		// A sign chooses without a branch, which would go the wrong way half of the time.
		accepted := int64(math.Float64bits(u-accept)) >> 63 // -1 or 0
		states[i] = x ^ (x^int32(y))&int32(accepted)
		value := math.Float64bits(here) ^ (math.Float64bits(here)^math.Float64bits(there))&uint64(accepted)
		logw[i] += before*here + after*math.Float64frombits(value)
	}
	*w = rng
}

// levels are the few values that a slope has. Which value is at a state takes a byte of memory, and
// what a move between two of them needs is computed once a stage.
type levels struct {
	at     []uint8 // by state
	values []float64
	// by the value at a state and that at the proposed one, below which 53 bits of a random number
	// accept
	limits [mostLevels * mostLevels]int64
	// by the value before a move and after it, what that adds to a log weight
	left, taken [mostLevels]float64
}

const mostLevels = 32

// levelsOf returns the levels of a slope, and nil if they are too many, also for a number of
// chains.
func levelsOf(slope []float64, chains int) *levels {
	l := &levels{at: make([]uint8, len(slope))}
	known := map[float64]uint8{}
	for x, v := range slope {
		at, is := known[v]
		if !is {
			at = uint8(len(l.values))
			known[v], l.values = at, append(l.values, v)
			if len(l.values) > mostLevels || 4*len(l.values)*len(l.values) > chains {
				return nil
			}
		}
		l.at[x] = at
	}
	return l
}

// computeMoves computes what moves at a stage need, as moveBits does.
func (l *levels) computeMoves(s *steps, before, after float64) {
	for i, here := range l.values {
		for j, there := range l.values {
			l.limits[i*mostLevels+j] = int64(math.Ceil(s.fall.exp(min(s.beta*(there-here), 0)) * 0x1p53))
		}
		l.left[i], l.taken[i] = before*here, after*here
	}
}

// moveLevels is moveBits with the same random numbers and results.
func (l *levels) moveLevels(w *wyrand, states []int32, logw []float64, dims int) {
	rng := *w
	n := uint64(2 * dims)
	last := dims - 1
	at := l.at
	logw = logw[:len(states)]
	for i, x := range states {
		var r uint64
		rng, r = rng.next()
		d, rest := bits.Mul64(r, n)
		place := (last - int(d>>1)) & 63
		y := int32(int(x) ^ (int(x)>>place^int(d))&1<<place)
		from, to := int64(at[x]%mostLevels), int64(at[y]%mostLevels)
		// -1 or 0, which choose without a branch
		accepted := (int64(rest>>11) - l.limits[from*mostLevels+to]) >> 63
		states[i] = x ^ (x^y)&int32(accepted)
		logw[i] += l.left[from] + l.taken[from^(from^to)&accepted]
	}
	*w = rng
}

// stepDraws is about the time of a step, in draws from a table.
const stepDraws = 10

func (s *steps) work() (entries, draws float64) { return 0, stepDraws }

// lines is the kernel that draws the coordinate on an axis given the others.
type lines struct {
	kernels.HeatBathAxis
	logf, p []float64
}

func (l *lines) load(v *frames.Values) { l.logf = v.LogF }

func (l *lines) applyMove(w *wyrand, states []int32) error {
	stride := l.Space.Stride(l.Axis)
	rng := *w
	for i, x := range states {
		var r uint64
		rng, r = rng.next()
		first := int(x) - l.Space.Coord(int(x), l.Axis)*stride
		top := math.Inf(-1)
		total := 0.0
		for k := range l.p {
			top = max(top, l.logf[first+k*stride])
		}
		if math.IsInf(top, -1) {
			continue // f is zero on the whole line
		}
		for k := range l.p {
			l.p[k] = math.Exp(l.logf[first+k*stride] - top)
			total += l.p[k]
		}
		u := float64(r>>11) * 0x1p-53 * total
		last := 0
		for k, p := range l.p {
			if p == 0 {
				continue
			}
			last = k
			if u < p {
				break
			}
			u -= p // if rounding leaves a remainder, the last state of the line takes it
		}
		states[i] = int32(first + last*stride)
	}
	*w = rng
	return nil
}

func (l *lines) work() (entries, draws float64) { return 0, stepDraws * float64(len(l.p)) / 2 }

// moved is any kernel of the library that states its evaluations of log f, used by its Move.
type moved struct {
	kernel chains.Kernel
	logf   []float64
	watch  func() error
}

func (m *moved) load(v *frames.Values) { m.logf = v.LogF }

func (m *moved) applyMove(w *wyrand, states []int32) error {
	source := &Generator{*w}
	c := chains.NewSampler(source)
	for i, x := range states {
		if i%watchMoves == watchMoves-1 {
			if err := m.watch(); err != nil {
				return err
			}
		}
		states[i] = int32(m.kernel.Move(c, m.logf, int(x)))
	}
	*w = source.state
	return nil
}

func (m *moved) work() (entries, draws float64) {
	choices, _ := chains.Evaluations(m.kernel)
	return 0, (1 + choices) * moveNs / drawNs
}

// singleMoves returns a kernel of the library that makes one move, for one chain at a time, and nil
// if it does not state its work.
func singleMoves(k chains.Kernel, watch func() error) part {
	if parts, combined := chains.PartsOf(k); combined {
		all := make([]part, len(parts.Kernels))
		for i, k := range parts.Kernels {
			all[i] = singleMoves(k, watch)
			if all[i] == nil {
				return nil
			}
		}
		if parts.Sequential {
			return &inTurn{all, parts.Order, parts.Times, watch}
		}
		return newOneOf(all, parts.Weights)
	}
	if s := proposalOf(k); s != nil {
		return s
	}
	if h, is := k.(kernels.HeatBathAxis); is {
		return &lines{HeatBathAxis: h, p: make([]float64, h.Space.Side(h.Axis))}
	}
	if _, says := chains.Evaluations(k); says {
		return &moved{kernel: k, watch: watch}
	}
	return nil
}

// straight is a path on which log f is a straight line in beta, as on the geometric one. Its log f
// can be computed at few states in less time than at all.
type straight interface {
	Difference() []float64 // log f_T - log f_1
	Zeros() bool
}

// byNeighbours takes all chains through all stages one by one, and returns false if the path is not
// straight.
func (s *sweep) byNeighbours(p *steps, w *wyrand, states []int32, logw []float64) (done bool, err error) {
	path, is := s.a.Path().(straight)
	if !is || path.Zeros() {
		return false, nil
	}
	p.logf, p.slope = s.logf, path.Difference()
	s.a.LogF(p.logf, 1)
	if slices.Min(p.logf) != slices.Max(p.logf) {
		p.bits = 0
	}
	var few *levels
	if p.bits > 0 {
		few = levelsOf(p.slope, len(states))
	}
	weigh := func(by float64, states []int32, logw []float64) {
		for i, x := range states {
			logw[i] += by * p.slope[x]
		}
	}
	for ; !s.atEnd(); s.watch.countStage() {
		if err := s.watch.callLook(); err != nil {
			return true, err
		}
		s.selectStage(s.step + 1)
		p.beta = s.a.Beta(s.t)
		by := [2]float64{}
		by[s.direction] = s.a.Step(s.t)
		if few != nil {
			few.computeMoves(p, by[chains.Forward], by[chains.Reverse])
		}
		for first := 0; first < len(states); first += together {
			some := states[first:min(first+together, len(states))]
			weights := logw[first:]
			if few != nil {
				few.moveLevels(w, some, weights, p.bits)
				continue
			}
			if p.bits > 0 {
				p.moveBits(w, some, weights, by[chains.Forward], by[chains.Reverse])
				continue
			}
			if s.direction == chains.Forward {
				weigh(s.a.Step(s.t), some, weights)
			}
			if err := p.applyMove(w, some); err != nil {
				return true, err
			}
			if s.direction == chains.Reverse {
				weigh(s.a.Step(s.t), some, weights)
			}
		}
		s.watch.see(s.stageAfter(s.step), states)
	}
	return true, nil
}
