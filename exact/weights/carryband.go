package weights

import (
	"context"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
)

// tilted holds E[w^s; x] for the points s of a band, and in the last column for the power alone, which is a
// positive number that bounds the others. That column is kept at a total of one, and the scale apart.
type tilted struct {
	band
	width     int       // columns: real parts, imaginary parts, and the power alone
	cur, next []float64 // row x
	logScale  number.Sum
	work      float64
	dead      bool    // whether no value is as large as diedOut
	byState   bool    // whether the values of single states are asked for, so that no stage may be left out
	moves     int     // the moves that have been made, of which a stage has one or more
	defect    float64 // sum over the moves of how far a row of the kernel is from a sum of one, at most

	delta   []float64 // increments that the factors are for; NaN where the weight is zero or infinite
	factor  []float64 // (f_t/f_{t-1})^s, less a scale
	shift   float64   // its logarithm
	scratch []float64
}

func newTilted(b band, n int) *tilted {
	width := 2*b.size + 1
	return &tilted{
		band: b, width: width,
		cur: make([]float64, n*width), next: make([]float64, n*width), factor: make([]float64, n*width),
		delta: make([]float64, n), scratch: make([]float64, n),
	}
}

func (f *tilted) row(v []float64, x int) []float64 { return v[x*f.width : (x+1)*f.width] }

// start implements carrier.
func (f *tilted) start(first *stage.Density) {
	for x, v := range first.P {
		row := f.row(f.cur, x)
		for j := range f.size {
			row[j] = v
		}
		row[f.width-1] = v
	}
}

// enter implements carrier: it computes the factors of the stage, unless they are those of the stage before.
func (f *tilted) enter(s *stage.Stage) {
	changed := false
	for x, d := range s.Delta {
		if !s.Both(x) {
			d = math.NaN()
		}
		f.scratch[x] = d
		changed = changed || d != f.delta[x] && !(math.IsNaN(d) && math.IsNaN(f.delta[x]))
	}
	if !changed && f.work > 0 {
		return
	}
	copy(f.delta, f.scratch)
	f.shift = math.Inf(-1)
	for _, d := range f.delta {
		if !math.IsNaN(d) {
			f.shift = max(f.shift, f.power*d)
		}
	}
	for x, d := range f.delta {
		f.setFactor(f.row(f.factor, x), d)
	}
}

// setFactor writes exp(s d) at every point, by rotations from every eighth.
func (f *tilted) setFactor(row []float64, d float64) {
	if math.IsNaN(d) {
		clear(row)
		return
	}
	scale := math.Exp(f.power*d - f.shift)
	row[f.width-1] = scale
	turn := cmplx.Rect(1, f.spacing*d)
	z := complex(0, 0)
	for j := range f.size {
		if j%factorAnchor == 0 {
			z = cmplx.Rect(scale, (f.first+float64(j)*f.spacing)*d)
		}
		row[j], row[f.size+j] = real(z), imag(z)
		z *= turn
	}
}

// tilt implements carrier: it multiplies by the factors.
func (f *tilted) tilt(*stage.Stage) {
	for x := range f.delta {
		v, factor := f.row(f.cur, x), f.row(f.factor, x)
		re, im := v[:f.size], v[f.size:2*f.size]
		factorRe, factorIm := factor[:f.size], factor[f.size:2*f.size]
		for j := range re {
			a, b, c, d := re[j], im[j], factorRe[j], factorIm[j]
			re[j], im[j] = a*c-b*d, a*d+b*c
		}
		v[f.width-1] *= factor[f.width-1]
	}
	f.logScale.Add(f.shift)
	f.work += 2 * float64(len(f.delta)*f.size)
}

// over implements carrier. At power 0 the sum of the moduli over the states bounds a value, and no later stage can make it
// grow; it is looked at in every eighth stage.
func (f *tilted) over(step int) bool {
	f.dead = f.power == 0 && !f.byState && step%8 == 0 && f.largest() < diedOut
	return f.dead
}

// move implements carrier. It also brings the total of the last column to one.
func (f *tilted) move(ctx context.Context, moves stage.Operator) error {
	f.moves++
	f.defect += moves.Defect()
	total := 0.0
	for x := range f.delta {
		total += f.row(f.cur, x)[f.width-1]
	}
	if total == 0 { // no weight is finite and positive
		f.logScale.Add(math.Inf(-1))
		clear(f.cur)
		return nil
	}
	f.logScale.Add(math.Log(total))
	clear(f.next)
	looked := 0
	for x := range f.delta {
		from := f.row(f.cur, x)
		for _, e := range moves.Row(x) {
			if e.P == 0 {
				continue
			}
			if looked += f.width; looked > lookEvery {
				if looked = 0; ctx.Err() != nil {
					return ctx.Err()
				}
			}
			floats.AddScaled(f.row(f.next, e.To), e.P/total, from)
			f.work += float64(f.size)
		}
	}
	f.cur, f.next = f.next, f.cur
	return nil
}

// largest returns a bound on the modulus of any value.
func (f *tilted) largest() float64 {
	top := 0.0
	for j := range f.size {
		total := 0.0
		for x := range f.delta {
			row := f.row(f.cur, x)
			total += math.Abs(row[j]) + math.Abs(row[f.size+j])
		}
		if top = max(top, total); top >= diedOut {
			break
		}
	}
	return top
}

func (f *tilted) result() *transformed {
	out := &transformed{make([]complex128, f.size), 0, f.work}
	total := 0.0
	for x := range f.delta {
		row := f.row(f.cur, x)
		total += row[f.width-1]
		for j := range out.values {
			out.values[j] += complex(row[j], row[f.size+j])
		}
	}
	if total == 0 {
		out.logScale = math.Inf(-1)
		return out
	}
	for j := range out.values {
		out.values[j] /= complex(total, 0)
	}
	out.logScale = f.logScale.Value() + math.Log(total)
	return out
}
