package weights

import (
	"context"
	"math"
	"math/cmplx"

	"breadboard/chains"
	"breadboard/exact/internal/number"
)

// variable is one of the random variables whose Laplace transforms the bounds of many samples are made from.
type variable struct {
	direction chains.Direction
	sign      float64 // 1 for the weight itself, -1 for its inverse
}

// variables returns w, 1/v and v (see MultiSample).
func variables() [3]variable {
	return [3]variable{{chains.Forward, 1}, {chains.Reverse, -1}, {chains.Reverse, 1}}
}

// laplaceOnLattice computes the transforms as sums over the points of the lattice.
func (p *problem) laplaceOnLattice(ctx context.Context, v *survey, logZRatio float64) (*laplace, error) {
	laws, err := p.latticeLaws(ctx, v)
	if err != nil {
		return nil, err
	}
	out, n := newLaplace(v, logZRatio)
	out.shift = latticeTolerance * (v.high - v.low)
	out.lostForward, out.lostReverse = laws[0].infinite > 0, laws[1].infinite > 0
	transforms := [3][]transform{}
	err = inParallel(ctx, 3, p.Workers, func(ctx context.Context, i int) error {
		u := variables()[i]
		law := laws[u.direction]
		for j := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			transforms[i] = append(transforms[i], law.laplace(out.tau(j)-u.sign*logZRatio, u.sign))
		}
		return nil
	})
	out.w, out.inverseV, out.v = transforms[0], transforms[1], transforms[2]
	return out, err
}

// laplace returns the transform of w^sign at exp(tau). The probability that is not on the lattice counts as w^sign = 0:
// it is that of w = 0 for a forward chain, and of 1/w = 0 for a reverse chain. The transform of v is not used where v
// may be infinite.
func (l *atoms) laplace(tau, sign float64) transform {
	var rise, phi number.Sum
	phi.Add(l.infinite)
	for k, p := range l.p {
		if p > 0 {
			x := math.Exp(tau + sign*l.at(k))
			rise.Add(-p * math.Expm1(-x))
			phi.Add(p * math.Exp(-x))
		}
	}
	f := transform{rise: rise.Value(), phi: phi.Value()}
	f.err = l.rounding * min(f.rise, f.phi)
	return f
}

// contour is a vertical line Re z = c. To its right are order of the poles 0, -1, -2, ... of Gamma. Along it
//
//	exp(-x) - sum over k < order of (-x)^k/k! = 1/(2 pi i) integral Gamma(z) x^-z dz,
//
// which the trapezoidal rule turns into a sum. With R = Z_T/Z_1 and W = (w/R)^sign, values[j] is
// step/pi Gamma(z) E[W^-z] exp(-logScale) at z = c + i j step, and half of that for j = 0.
type contour struct {
	c, step  float64
	order    int
	values   []complex128
	size     float64 // the sum of step/pi |Gamma(z)|, to which the rounding of the values is relative
	angle    float64 // |log R|; values have been multiplied by exp(i y log R), whose angle is rounded
	logScale float64 // the logarithm of E[W^-c]; +Inf where it is not known
}

const (
	// mellinHeight is the height y at which the sum stops: |Gamma(c + i y)| is below 1e-17 from there on.
	mellinHeight = 26
	// mellinPeriod sets the step. The sum is periodic in log x but for a factor, and its period is at least mellinPeriod
	// divided by the distance of the line from the poles, so that the trapezoidal rule is off by about exp(-mellinPeriod).
	mellinPeriod = 42
)

// laplaceByMellin computes the transforms as integrals of Gamma(z) E[W^-z] along vertical lines (see contour).
func (p *problem) laplaceByMellin(ctx context.Context, v *survey, logZRatio float64) (*laplace, error) {
	out, n := newLaplace(v, logZRatio)
	low, high := v.low-logZRatio, v.high-logZRatio
	var sets [3]contours
	for i, u := range variables() {
		j, err := p.propagateMoments(ctx, u.direction)
		if err != nil {
			return nil, err
		}
		mass, m := j.cumulants()
		sets[i] = contours{zero: 1 - mass, low: low, high: high, rounding: transformRounding(p.Annealing.States(), j.moves) + (3*anchorTurn+64)*0x1p-53 + j.defect}
		if u.sign < 0 {
			sets[i].low, sets[i].high = -high, -low
		}
		sets[i].draw(math.Sqrt(max(0, m.Variance)))
	}
	out.lostForward, out.lostReverse = sets[0].zero > 0, sets[1].zero > 0
	// E_fwd[w]/R and E_rev[R/v] are the probabilities that the other chain's weight is finite.
	sets[0].mean, sets[1].mean = 1-sets[1].zero, 1-sets[0].zero
	sets[2].zero, sets[2].mean = 0, math.NaN()
	if err := p.fillContours(ctx, &sets, logZRatio); err != nil {
		return nil, err
	}
	for i, to := range []*[]transform{&out.w, &out.inverseV, &out.v} {
		for j := range n {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			*to = append(*to, sets[i].best(out.tau(j)))
		}
	}
	return out, nil
}

// contours holds the lines for one variable W.
type contours struct {
	lines     []contour
	zero      float64 // P(W = 0)
	mean      float64 // E[W]; NaN where it is not known
	low, high float64 // bounds on log W where W is not zero
	rounding  float64 // the relative error of E[W^-z]
}

// draw chooses the lines for a law of log W with the given standard deviation. For a large deviation lines must be near
// the imaginary axis. Elsewhere log weights far from the mean would dominate E[W^-z], and rounding would take the
// digits of the others. For small t, where 1 - Phi is small, the lines at -1/2 and -3/2 keep more digits.
func (s *contours) draw(deviation float64) {
	c := min(0.5, max(0.01, 2/deviation))
	for _, line := range []contour{{c: c}, {c: -c, order: 1}, {c: -0.5, order: 1}, {c: -1.5, order: 2}} {
		distance := min(c, 0.5)
		line.step = 2 * math.Pi / max(mellinPeriod/distance, s.high-s.low+60)
		if c == 0.5 && line.c == -0.5 && len(s.lines) == 2 {
			continue // this line is there already
		}
		s.lines = append(s.lines, line)
	}
}

// fillContours computes the values of all contours. It checks the scale E[W^-c] of each by tilted propagation in numbers
// with a wide exponent, which leaves out no transition however small.
func (p *problem) fillContours(ctx context.Context, sets *[3]contours, logZRatio float64) error {
	type piece struct {
		line *contour
		of   variable
		band band
		at   int
	}
	var pieces []piece
	for i, u := range variables() {
		for j := range sets[i].lines {
			l := &sets[i].lines[j]
			n := 1 + int(mellinHeight/l.step)
			l.values, l.angle = make([]complex128, n), math.Abs(logZRatio)
			for k := range n {
				l.size += l.weight(k) * cmplx.Abs(number.Gamma(complex(l.c, float64(k)*l.step)))
			}
			for k, b := range bands(-u.sign*l.c, 0, -u.sign*l.step, n, p.Annealing.States()) {
				pieces = append(pieces, piece{l, u, b, k * bandOf(p.Annealing.States())})
			}
		}
	}
	report := p.portions(len(pieces))
	return inParallel(ctx, len(pieces), p.Workers, func(ctx context.Context, i int) error {
		q := pieces[i]
		f, err := p.transform(ctx, q.of.direction, q.band)
		if err != nil {
			return err
		}
		if q.at == 0 {
			want, err := cgf(ctx, p.Annealing, q.of.direction, []float64{q.band.power}, true)
			if err != nil {
				return err
			}
			if !(math.Abs(f.logScale-want[0]) <= 1e-9*(1+math.Abs(want[0]))) {
				f.logScale = math.Inf(1) // transitions that are too small for float64 matter here
			}
			q.line.logScale = f.logScale + q.of.sign*q.line.c*logZRatio
		}
		q.line.set(q.at, f.values, q.of.sign*logZRatio)
		report(1)
		return nil
	})
}

// set sets the values from index at on to the transforms of w^sign, which it multiplies by their weights and by
// Gamma(z). logR is the logarithm of what the variable is divided by.
func (l *contour) set(at int, values []complex128, logR float64) {
	for k, m := range values {
		y := float64(at+k) * l.step
		l.values[at+k] = complex(l.weight(at+k), 0) * number.Gamma(complex(l.c, y)) * m * cmplx.Rect(1, y*logR)
	}
}

// weight returns the weight of the k-th value in the sum: step/pi, since the values for y < 0 are the conjugates of
// those for y > 0, and half of that for y = 0.
func (l *contour) weight(k int) float64 {
	if k == 0 {
		return l.step / (2 * math.Pi)
	}
	return l.step / math.Pi
}

// at returns the mean of the left side of the formula of contour, at x = exp(tau) W, with a bound on its error. The
// error has two parts: rounding, and that of the trapezoidal rule. The latter adds A^c times the left side at x A for
// each A = exp(2 pi m/step), m != 0. The left side at x A is at most exp(-x A) for order 0. For higher orders it is at
// most (x A)^(order-1), which is used for A > 1, and at most (x A)^order, which is used for A < 1.
func (l *contour) at(tau float64, s *contours) (value, err float64) {
	turn := cmplx.Rect(1, -tau*l.step)
	z := complex(1, 0)
	total := 0.0
	for k, v := range l.values {
		if k%anchorTurn == 0 {
			z = cmplx.Rect(1, -tau*l.step*float64(k))
		}
		total += real(v * z)
		z *= turn
	}
	scale := math.Exp(l.logScale - l.c*tau)
	period, order := 2*math.Pi/l.step, float64(l.order)
	var alias float64
	if l.order == 0 {
		alias = math.Exp(-l.c*period) + math.Exp(l.c*period-math.Exp(tau+s.low+period))
	} else {
		mean := max(0, s.high) // a bound on log E[W]
		if !math.IsNaN(s.mean) {
			mean = 0
		}
		less := (order - 1) * (tau + mean)
		more := less + tau + mean + (order-1)*max(0, s.high-mean)
		alias = math.Exp(less+(l.c+order-1)*period) + math.Exp(more-(l.c+order)*period)
	}
	// The values have a relative error, and so have the angles y tau and y log R by which they are turned.
	rounding := s.rounding + (math.Abs(tau)+l.angle)*mellinHeight*0x1p-53
	return scale * total, scale*(l.size*rounding+1e-17) + 2*alias
}

// best returns the transform at exp(tau) from the line with the smallest bound on its error.
func (s *contours) best(tau float64) transform {
	out := transform{err: math.Inf(1)}
	for i := range s.lines {
		l := &s.lines[i]
		value, err := l.at(tau, s)
		if !(err < out.err) || l.order == 2 && math.IsNaN(s.mean) {
			continue
		}
		switch l.order {
		case 0:
			out = transform{1 - s.zero - value, s.zero + value, err}
		case 1:
			out = transform{-value, 1 + value, err}
		default:
			rise := math.Exp(tau)*s.mean - value
			out = transform{rise, 1 - rise, err + rise*s.rounding}
		}
	}
	return out
}
