package exact

import (
	"context"
	"math"

	"breadboard/chains"
)

const (
	// stencilRange is the range of log f within which the stencil's ratios and fluxes stay inside float64.
	stencilRange = 600
	// anchorEvery is the number of steps for which f is updated by a factor before it is computed afresh. The
	// factor's rounding grows to anchorEvery/2 ulp by then.
	anchorEvery = 128
	// maxCondition is how far the rounding of u may be amplified before the general method takes over.
	maxCondition = 64
)

// stencilApplies reports whether the annealing is one that stencil can solve: the paper's kernel on a line or
// a plane with walls, from a uniform start to a target without zeros and of moderate range.
func stencilApplies(a *chains.Annealing) bool {
	k, ok := a.Kernel().(chains.Metropolis)
	if !ok || !a.Path().Uniform() || k.Space.Dims() > 2 {
		return false
	}
	for axis := range k.Space.Dims() {
		if k.Space.Wraps(axis) {
			return false
		}
	}
	low, high := bounds(a.Path().Slope())
	return high-low <= stencilRange
}

func bounds(v []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, x := range v {
		low, high = min(low, x), max(high, x)
	}
	return low, high
}

// stencil propagates both directions of the paper's annealing in one sweep, in place, with one pass over the
// states a step and no exponentials but at anchors where the schedule is linear.
//
// The operator of both directions is (L v)(x) = 1/f(x) sum over edges xy of s_xy (v(y) - v(x)), with the
// conductance s_xy = min(f(x), f(y)) / directions. In the pass over x, the row below has already been brought
// from p_{t-1} to p_t, and the fluxes along the edges above and to the left are kept from before, so that each
// edge is computed once. All arrays are row-major; those with one more row can be read one row ahead.
type stencil struct {
	n, cols int
	middle  float64   // of the range of the target's log f
	g       []float64 // log f less middle
	mean    float64   // of g under p at the last anchor
	centred []float64 // g less mean, one more row

	f, inverse            []float64 // exp(b g), exp(-b g)
	rise                  []float64 // factor of f in one step
	fall                  []float64 // factor of inverse
	back                  []float64 // exp(-step g) - 1, one more row
	right, down           []float64 // conductances to the state on the right and below, zero where there is none
	riseRight, riseDown   []float64
	lowerRight, lowerDown []int     // the end of the edge with the smaller f
	u, adjoint            []float64 // q/p - 1 and A (see doc.go), one more row
	fluxU, fluxA          []float64 // along the edge from above, one more row
	share                 float64   // probability of one direction
	step                  float64   // b_t - b_{t-1} that rise, fall and back are for
	z, zBack              float64   // sums of f and of f back at t
	forward, slack        sum       // E_fwd[sum of steps g], B
}

func newStencil(a *chains.Annealing) *stencil {
	space := a.Kernel().(chains.Metropolis).Space
	n := space.States()
	cols := space.Side(space.Dims() - 1)
	one := func() []float64 { return make([]float64, n) }
	more := func() []float64 { return make([]float64, n+cols) }
	s := &stencil{
		n: n, cols: cols, g: a.Path().Slope(), centred: more(),
		f: one(), inverse: one(), rise: one(), fall: one(), back: more(),
		right: one(), down: one(), riseRight: one(), riseDown: one(),
		lowerRight: make([]int, n), lowerDown: make([]int, n),
		u: more(), adjoint: more(), fluxU: more(), fluxA: more(),
		share: 1 / float64(space.Directions()), step: math.NaN(),
	}
	low, high := bounds(s.g)
	s.middle = (low + high) / 2
	for x := range s.g {
		s.g[x] -= s.middle
	}
	for x := range s.g {
		s.lowerRight[x], s.lowerDown[x] = -1, -1
		if x%cols < cols-1 {
			s.lowerRight[x] = s.lower(x, x+1)
		}
		if x+cols < n {
			s.lowerDown[x] = s.lower(x, x+cols)
		}
	}
	return s
}

func (s *stencil) lower(x, y int) int {
	if s.g[y] < s.g[x] {
		return y
	}
	return x
}

func solveStencil(ctx context.Context, p *problem) (*Solution, bool, error) {
	s := newStencil(p.a)
	for t := 2; t <= p.a.Distributions(); t++ {
		if err := p.step(ctx, t); err != nil {
			return nil, false, err
		}
		if (t-2)%anchorEvery == 0 {
			s.anchor(p.a.Beta(t - 1))
		}
		if step := p.a.Step(t); step != s.step {
			s.setStep(step)
		}
		s.advance()
		s.pass()
	}
	return s.solution()
}

// anchor computes f and the conductances at beta afresh, and centres g and the adjoint there.
func (s *stencil) anchor(beta float64) {
	z, first, mean := 0.0, 0.0, 0.0
	for x, g := range s.g {
		f := math.Exp(beta * g)
		s.f[x], s.inverse[x] = f, 1/f
		z += f
		first += f * g
		mean += f * s.adjoint[x]
	}
	s.mean = first / z
	mean /= z
	for x, g := range s.g {
		s.centred[x] = g - s.mean
		s.adjoint[x] -= mean
		if l := s.lowerRight[x]; l >= 0 {
			s.right[x] = s.share * s.f[l]
		}
		if l := s.lowerDown[x]; l >= 0 {
			s.down[x] = s.share * s.f[l]
		}
	}
}

// setStep computes the factors of one step.
func (s *stencil) setStep(step float64) {
	s.step = step
	for x, g := range s.g {
		s.back[x] = math.Expm1(-step * g)
		s.fall[x] = math.Exp(-step * g)
		s.rise[x] = 1 / s.fall[x]
	}
	for x := range s.g {
		if l := s.lowerRight[x]; l >= 0 {
			s.riseRight[x] = s.rise[l]
		}
		if l := s.lowerDown[x]; l >= 0 {
			s.riseDown[x] = s.rise[l]
		}
	}
}

// advance brings f from t-1 to t, and sums it.
func (s *stencil) advance() {
	f := s.f
	inverse, rise, fall, back := s.inverse[:len(f)], s.rise[:len(f)], s.fall[:len(f)], s.back[:len(f)]
	z, zBack := 0.0, 0.0
	for x := range f {
		v := f[x] * rise[x]
		f[x] = v
		inverse[x] *= fall[x]
		z += v
		zBack += v * back[x]
	}
	s.z, s.zBack = z, zBack
}

// pass takes both directions from t-1 to t.
//
// With e = p_{t-1}/p_t - 1, w = q_{t-1}/p_t - 1 and c = centred g, it adds sum p_t (1+w) c, times the step, to
// E_fwd[log w], and -sum p_t (step w c + e A) to B.
func (s *stencil) pass() {
	n, cols := s.n, s.cols
	perZ := 1 / s.z
	shift := -s.zBack / (s.z + s.zBack) // exp(-step g) (1+shift) = p_{t-1}/p_t
	factor, step := 1+shift, s.step

	f := s.f
	inverse, centred, back := s.inverse[:len(f)], s.centred[:len(f)], s.back[:len(f)]
	right, down := s.right[:len(f)], s.down[:len(f)]
	riseRight, riseDown := s.riseRight[:len(f)], s.riseDown[:len(f)]
	u, uRight, uDown := s.u[:len(f)], s.u[1:][:len(f)], s.u[cols:][:len(f)]
	a, aRight, aDown := s.adjoint[:len(f)], s.adjoint[1:][:len(f)], s.adjoint[cols:][:len(f)]
	fluxU, fluxUDown := s.fluxU[:len(f)], s.fluxU[cols:][:len(f)]
	fluxA, fluxADown := s.fluxA[:len(f)], s.fluxA[cols:][:len(f)]
	backDown, centredDown := s.back[cols:][:len(f)], s.centred[cols:][:len(f)]

	clear(s.u[n:]) // beyond the last row there is nothing; what the pass leaves there must not grow
	clear(s.adjoint[n:])
	for x := range min(cols, n) {
		e := back[x]*factor + shift
		u[x] += e + u[x]*e
		a[x] += step * centred[x]
	}
	var meanC, fromW, fromA, leftU, leftA float64
	for x := range f {
		eDown := backDown[x]*factor + shift
		below := uDown[x]
		below += eDown + below*eDown
		uDown[x] = below
		aBelow := aDown[x] + step*centredDown[x]
		aDown[x] = aBelow

		w, aHere, fx, c := u[x], a[x], f[x], centred[x]
		e := back[x]*factor + shift
		fc := fx * c
		meanC += fc
		fromW += fc * w
		fromA += fx * e * (aHere - step*c)

		sRight, sDown := right[x]*riseRight[x], down[x]*riseDown[x]
		right[x], down[x] = sRight, sDown
		rightU, rightA := sRight*(uRight[x]-w), sRight*(aRight[x]-aHere)
		downU, downA := sDown*(below-w), sDown*(aBelow-aHere)
		netU := rightU - leftU + downU - fluxU[x]
		netA := rightA - leftA + downA - fluxA[x]
		leftU, leftA = rightU, rightA
		fluxUDown[x], fluxADown[x] = downU, downA
		u[x] = w + netU*inverse[x]
		a[x] = aHere + netA*inverse[x]
	}
	s.forward.add(step * (s.mean + (meanC+fromW)*perZ))
	s.slack.add(-(step*fromW + fromA) * perZ)
}

// solution returns the solution, and false where the general method is needed to keep the digits.
func (s *stencil) solution() (*Solution, bool, error) {
	logZ := logSumExp(s.g)
	d := divergences{}
	sol := &Solution{Method: MethodStencil, LogZRatio: s.middle + logZ - math.Log(float64(s.n)), B: s.slack.value()}
	for x, g := range s.g {
		logp := g - logZ
		p, u := math.Exp(logp), s.u[x]
		d.add(p, logp, scaled(1+u, 0), scaled(u, 0))
		sol.Output = append(sol.Output, p*(1+u))
		sol.Target = append(sol.Target, p)
	}
	sol.setDivergences(&d)
	sol.MeanLogWForward = s.middle + s.forward.value()
	sol.MeanLogWReverse = sol.MeanLogWForward + sol.B
	if !(math.Abs(sol.Drift) <= driftTolerance && d.condition <= maxCondition*sol.KLPQ) || d.missing > 0 {
		return nil, false, nil
	}
	return sol, true, sol.validate()
}
