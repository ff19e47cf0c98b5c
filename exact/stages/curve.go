package stages

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
)

// Curve is a function on [0, 1] together with its integral. The interval is divided into pieces,
// and on each piece the function is a polynomial in Chebyshev form.
//
// On a piece [l, h], with u = (2 beta - l - h)/(h - l), the function is sum_k v_k T_k(u) with
//
//	v_k = (2/n) sum_i f(u_i) cos(pi k (i + 1/2)/n), half of that for k = 0,
//
// at the n = 17 points u_i = cos(pi (i + 1/2)/n), and the coefficients of its integral are
// (h - l)/2 (v_{k-1} - v_{k+1})/(2k), with 2 v_0 instead of v_0 (Clenshaw and Curtis 1960). A
// piece takes n calls of f and n^2 operations; a value takes n.
type Curve struct {
	pieces []piece
	total  float64 // the integral from 0 to 1
	err    float64 // bounds the error of total
}

// piece is the part of a Curve from low to high.
type piece struct {
	low, high float64
	// value and integral are the Chebyshev coefficients of the function and of its integral from
	// low.
	value, integral []float64
	before          float64 // the integral from 0 to low
	contents        float64 // the integral from low to high
}

const (
	// curveDegree is the degree of a piece. Friction on a 7x7 toy needs it on a piece where it
	// changes little.
	curveDegree = 16
	// curveTolerance bounds the last two coefficients of a piece, relative to the largest one.
	curveTolerance = 1e-10
	// curveEnds bounds the error of a piece at its ends, relative to its largest coefficient. A
	// function that rises between an end and the point next to it is off by many times the
	// coefficient; a root, which is nowhere smooth at zero, by some hundredths.
	curveEnds = 0.1
	// curveNegligible bounds what the last two coefficients and the ends may add to the integral,
	// relative to the whole integral. It applies if the function is not smooth, so that no piece
	// meets curveTolerance.
	curveNegligible = 1e-13
	// maxHalvings is how often a piece is halved, at most, in the search for pieces on which the
	// function is smooth.
	maxHalvings = 200
	// maxPieces is how many pieces there may be: a jump takes as many as it takes halvings, and if
	// rounding is as large as the function, all pieces would be halved for ever.
	maxPieces = 4096
)

// NewCurve returns the function f as a Curve, to about 1e-10 of its largest value nearby. Breaks
// are points between 0 and 1 at which f or its derivatives jump. NewCurve finds other such points
// by halving pieces, until the piece with the jump is too short to matter for the integral. The
// given number of goroutines call f, which does not affect the result; zero means one for each
// processor. It fails if f fails, and if the integral is infinite.
func NewCurve(f func(beta float64) (float64, error), breaks []float64, workers int) (*Curve, error) {
	ends := append(append([]float64{0}, breaks...), 1)
	sort.Float64s(ends)
	ends = slices.Compact(ends)
	at := values{f, workers}
	scale := 0.0
	var drafts []draft
	for i, low := range ends[:len(ends)-1] {
		drafts = append(drafts, draft{low: low, high: ends[i+1]})
	}
	for again := true; again; {
		total := 0.0
		for i := range drafts {
			if err := drafts[i].interpolate(at); err != nil {
				return nil, err
			}
			total += largest(drafts[i].value) * (drafts[i].high - drafts[i].low)
		}
		scale = max(scale, total)
		again = false
		var next []draft
		for _, d := range drafts {
			if err := d.judgePiece(at, scale); err != nil {
				return nil, err
			}
			if d.smooth {
				next = append(next, d)
				continue
			}
			middle := (d.low + d.high) / 2
			if d.halvings == maxHalvings || middle == d.low || middle == d.high {
				return nil, errs.New("the integral along the path does not settle near beta %v; it may be infinite",
					d.low)
			}
			again = true
			next = append(next, draft{low: d.low, high: middle, halvings: d.halvings + 1},
				draft{low: middle, high: d.high, halvings: d.halvings + 1})
		}
		drafts = next
		if len(drafts) > maxPieces {
			return nil, fmt.Errorf(
				"the integral along the path does not settle on %d pieces: the integrand is not known to enough digits",
				maxPieces,
			)
		}
	}
	c := &Curve{}
	for _, d := range drafts {
		c.addPiece(d)
	}
	return c, nil
}

// draft is a part of [0, 1] that becomes a piece if the function is smooth there, and is halved
// otherwise.
type draft struct {
	low, high float64
	value     []float64 // the Chebyshev coefficients, once they are known
	halvings  int
	smooth    bool // whether a polynomial has been found to do
}

// interpolate finds the polynomial.
func (d *draft) interpolate(f values) (err error) {
	if d.value == nil {
		d.value, err = f.chebyshev(d.low, d.high)
	}
	return err
}

// judgePiece finds out whether the polynomial will do, given about the integral of the absolute
// value over [0, 1].
func (d *draft) judgePiece(f values, scale float64) error {
	v := d.value
	negligible := curveNegligible * scale / (d.high - d.low)
	if tail := math.Abs(v[curveDegree]) + math.Abs(v[curveDegree-1]); d.smooth ||
		!(tail <= max(curveTolerance*largest(v), negligible)) {
		return nil
	}
	off, err := f.missedAtEnds(v, d.low, d.high)
	d.smooth = off <= max(curveEnds*largest(v), negligible)
	return err
}

// addPiece appends the piece of a draft, with a bound on the error of its integral. With f = sum of
// a_k T_k on a piece, the points see T_k as T_(34-k) with the other sign for 17 <= k <= 34, and so
// on. Half of the width is then multiplied by the sum over even k of a_k (I_k + I_(34-k)), with I_k
// = 2/(1 - k^2): 0.014 a_18 + 0.015 a_20 + ... If the coefficients after 16 fall by at least a
// fifth each, that is less than 0.11 of the larger one of the last two, and 0.125 of their sum are
// added. On a piece that meets curveTolerance they have fallen by three quarters each. If they do
// not fall, as where the function jumps, the undivided tail is added, which curveNegligible limits.
func (c *Curve) addPiece(d draft) {
	p := piece{
		low:      d.low,
		high:     d.high,
		value:    d.value,
		integral: integrate(d.value, (d.high-d.low)/2),
		before:   c.total,
	}
	p.contents = clenshaw(p.integral, 1)
	c.pieces = append(c.pieces, p)
	c.total += p.contents
	tail := math.Abs(d.value[curveDegree]) + math.Abs(d.value[curveDegree-1])
	if tail <= curveTolerance*largest(d.value) {
		tail /= curveDegree
	}
	c.err += (d.high - d.low) * (tail + 0x1p-50*largest(d.value))
}

// largest returns the largest absolute value in v.
func largest(v []float64) (out float64) {
	for _, a := range v {
		out = max(out, math.Abs(a))
	}
	return out
}

// missedAtEnds returns by how much the polynomial of a piece is off at its ends, if the function
// may rise within less than lies between an end and the point next to it: a step of the beta of a
// thousandth may be one of many nats. It looks just inside of the piece, as the function may jump
// at its ends.
func (f values) missedAtEnds(v []float64, low, high float64) (off float64, err error) {
	for _, x := range []float64{-1 + 0x1p-40, 1 - 0x1p-40} {
		at, err := f.value((low+high)/2 + (high-low)/2*x)
		if err != nil {
			return 0, err
		}
		off = max(off, math.Abs(at-clenshaw(v, x)))
	}
	return off, nil
}

// values evaluates a function at several places, shared among goroutines.
type values struct {
	value   func(float64) (float64, error)
	workers int
}

// chebyshev returns the Chebyshev coefficients of the polynomial that interpolates the function at
// the Chebyshev points of [low, high].
func (f values) chebyshev(low, high float64) ([]float64, error) {
	const n = curveDegree + 1
	var values [n]float64
	var errs [n]error
	_ = crew.Jobs(context.Background(), n, f.workers, func(_ context.Context, i int) error {
		// it fails as errs say, the first of them first
		x := math.Cos(math.Pi * (float64(i) + 0.5) / n)
		values[i], errs[i] = f.value((low+high)/2 + (high-low)/2*x)
		return nil
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	out := make([]float64, n)
	for k := range out {
		for i, v := range values {
			out[k] += 2. / n * v * math.Cos(math.Pi*float64(k)*(float64(i)+0.5)/n)
		}
	}
	out[0] /= 2
	return out, nil
}

// integrate returns the Chebyshev coefficients of the integral from the left end of a piece, given
// those of the function and half the width of the piece.
func integrate(v []float64, half float64) []float64 {
	out := make([]float64, len(v)+1)
	at := func(k int) float64 {
		if k >= len(v) {
			return 0
		}
		return v[k]
	}
	for k := 1; k < len(out); k++ {
		before := at(k - 1)
		if k == 1 {
			before *= 2
		}
		out[k] = half * (before - at(k+1)) / (2 * float64(k))
	}
	out[0] = -clenshaw(out, -1)
	return out
}

// clenshaw returns the sum of v[k] T_k(x).
func clenshaw(v []float64, x float64) float64 {
	b1, b2 := 0.0, 0.0
	for k := len(v) - 1; k > 0; k-- {
		b1, b2 = v[k]+2*x*b1-b2, b1
	}
	return v[0] + x*b1 - b2
}

// local maps beta from the piece to [-1, 1].
func (p *piece) local(beta float64) float64 { return (2*beta - p.low - p.high) / (p.high - p.low) }

// findPiece returns the piece that beta is on.
func (c *Curve) findPiece(beta float64) *piece {
	i, _ := slices.BinarySearchFunc(c.pieces, beta, func(p piece, beta float64) int {
		if p.high < beta {
			return -1
		}
		return 1
	})
	return &c.pieces[min(i, len(c.pieces)-1)]
}

// ValueAt returns the value of the function at beta.
func (c *Curve) ValueAt(beta float64) float64 {
	p := c.findPiece(beta)
	return clenshaw(p.value, p.local(beta))
}

// Breaks returns the places between 0 and 1 where two pieces meet.
func (c *Curve) Breaks() []float64 {
	var out []float64
	for _, p := range c.pieces[1:] {
		out = append(out, p.low)
	}
	return out
}

// Total returns the integral from 0 to 1.
func (c *Curve) Total() float64 { return c.total }

// Bounded returns the integral from 0 to 1 with a bound on its error, if the values of the function
// are right.
func (c *Curve) Bounded() number.Bounded { return number.UpTo(c.total, c.err) }

// Inverse returns the beta for which the integral from 0 to beta is the given part, 0 to 1, of the
// total. The function must be positive. The result is right to the last digit or two. It uses
// Newton's method within a bracket.
func (c *Curve) Inverse(part float64) float64 {
	want := part * c.total
	i := 0
	for i < len(c.pieces)-1 && c.pieces[i].before+c.pieces[i].contents < want {
		i++
	}
	p := &c.pieces[i]
	low, high := p.low, p.high
	beta := (low + high) / 2
	for range 100 {
		off := p.before + clenshaw(p.integral, p.local(beta)) - want
		if off > 0 {
			high = beta
		} else {
			low = beta
		}
		next := beta - off/clenshaw(p.value, p.local(beta))
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if next == beta || high-low <= 0x1p-52*high {
			break
		}
		beta = next
	}
	return beta
}
