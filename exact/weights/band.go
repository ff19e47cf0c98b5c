package weights

import (
	"context"
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
)

// For a fixed s, the values v_t(x) = E[w^s; x_t = x] follow from stage to stage, as forward chains
// go:
//
//	v_1 = p_1,    v_t(y) = sum_x v_{t-1}(x) (f_t(x)/f_{t-1}(x))^s T_t(x,y).
//
// The values of a band, s = power + i (first + j spacing), share the rows of the kernel: a stage
// takes O(entries) for each of them.

// tilted holds E[w^s; x] for the points s of a band, and in the first column for the power alone,
// which is a positive number that bounds the others. That column is kept at a total of one, and the
// scale apart.
type tilted struct {
	band
	width int // columns: the power alone, and then the real and the imaginary part of each point
	// the number of points before those at the end of the band whose values have died out (see
	// fade)
	alive     int
	cur, next []float64 // row x
	logScale  number.Sum
	work      float64
	dead      bool    // whether no value is as large as diedOut
	byState   bool    // whether the values of single states are asked for, so that no stage may be left out
	moves     int     // the moves that have been made, of which a stage has one or more
	defect    float64 // sum over the moves of how far a row of the kernel is from a sum of one, at most

	line   []int // by state: the first state of its line (see findLines)
	length []int // by state that is the first of its line: the number of states of the line

	delta   []float64 // increments that the factors are for; NaN if the weight is zero or infinite
	factor  []float64 // (f_t/f_{t-1})^s, less a scale
	shift   float64   // its logarithm
	scratch []float64
}

func newTilted(b band, n int) *tilted {
	width := 2*b.size + 1
	return &tilted{
		band: b, width: width, alive: b.size,
		cur: make([]float64, n*width), next: make([]float64, n*width), factor: make([]float64, n*width),
		line: make([]int, n), length: make([]int, n), delta: make([]float64, n), scratch: make([]float64, n),
	}
}

func (f *tilted) row(v []float64, x int) []float64 { return v[x*f.width : (x+1)*f.width] }

// living returns the columns of a row that have not died out.
func (f *tilted) living(v []float64, x int) []float64 { return v[x*f.width:][:1+2*f.alive] }

// start implements carrier.
func (f *tilted) start(first *stage.Density) {
	for x, v := range first.P {
		row := f.row(f.cur, x)
		row[0] = v
		for j := range f.size {
			row[1+2*j] = v
		}
	}
}

// setStage implements carrier: it computes the factors of the stage, unless they are those of the
// stage before.
func (f *tilted) setStage(s *stage.Stage) {
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
	row[0] = scale
	turn := cmplx.Rect(1, f.spacing*d)
	z := complex(0, 0)
	for j := range f.alive {
		if j%factorAnchor == 0 {
			z = cmplx.Rect(scale, (f.first+float64(j)*f.spacing)*d)
		}
		row[1+2*j], row[2+2*j] = real(z), imag(z)
		z *= turn
	}
}

// tilt implements carrier: it multiplies by the factors.
func (f *tilted) tilt(*stage.Stage) {
	for x := range f.delta {
		v := f.living(f.cur, x)
		factor := f.living(f.factor, x)
		v[0] *= factor[0]
		for j := 1; j+1 < len(v) && j+1 < len(factor); j += 2 {
			a := v[j]
			b := v[j+1]
			c := factor[j]
			d := factor[j+1]
			v[j], v[j+1] = a*c-b*d, a*d+b*c
		}
	}
	f.logScale.Add(f.shift)
	f.work += 2 * float64(len(f.delta)*f.size)
}

// over implements carrier. At power 0 the sum of the moduli over the states bounds a value, and no
// later stage can make it grow. It is checked for the whole band at every eighth stage, so that the
// counted work, by which the number of frequencies is chosen, does not depend on the savings of
// fade.
func (f *tilted) over(step int) bool {
	if f.power != 0 || f.byState {
		return false
	}
	f.fade()
	f.dead = step%8 == 0 && f.alive == 0
	return f.dead
}

// fade leaves out the points at the end of the band that have died out, which are those of the
// highest frequencies: their values count as zero from here on.
func (f *tilted) fade() {
	for f.alive > 0 && f.modulus(f.alive-1) < diedOut {
		f.alive--
	}
}

// carryMove implements carrier. It also brings the total of the first column to one.
func (f *tilted) carryMove(ctx context.Context, moves stage.Matrix) error {
	f.moves++
	f.defect += moves.Defect()
	total := 0.0
	for x := range f.delta {
		total += f.cur[x*f.width]
	}
	if total == 0 { // no weight is finite and positive
		f.logScale.Add(math.Inf(-1))
		clear(f.cur)
		return nil
	}
	f.logScale.Add(number.Log(total))
	if f.findLines(moves) {
		return f.redraw(ctx, moves, total)
	}
	return f.spreadRows(ctx, moves, total)
}

// spreadRows takes each state through its row.
func (f *tilted) spreadRows(ctx context.Context, moves stage.Matrix, total float64) error {
	for x := range f.delta {
		clear(f.living(f.next, x))
	}
	looked := 0
	for x := range f.delta {
		from := f.living(f.cur, x)
		for _, e := range moves.Row(x) {
			if e.P == 0 {
				continue
			}
			looked += len(from)
			if looked > lookEvery {
				looked = 0
				if ctx.Err() != nil {
					return ctx.Err()
				}
			}
			floats.AddScaled(f.living(f.next, e.To), e.P/total, from)
			f.work += float64(f.size)
		}
	}
	f.cur, f.next = f.next, f.cur
	return nil
}

// findLines reports whether the states fall into lines within which the move draws a state anew,
// whichever of them it comes from, as a heat bath does: whether the states to which a row leads are
// those that have this row. It finds the first state of each line.
func (f *tilted) findLines(moves stage.Matrix) bool {
	for x := range f.delta {
		row := moves.Row(x)
		if len(row) == 0 || row[0].To > x {
			return false
		}
		first := row[0].To
		f.line[x], f.length[x] = first, 0
		if first != x && !slices.Equal(moves.Row(first), row) {
			return false
		}
		f.length[first]++
	}
	for x, first := range f.line {
		if first != x {
			continue
		}
		row := moves.Row(x)
		if len(row) != f.length[x] {
			return false
		}
		for _, e := range row {
			if f.line[e.To] != x {
				return false
			}
		}
	}
	return true
}

// redraw is spread for lines: it adds up the states of each line and processes their row once, in
// place. The work that is counted is that of spread, so that the number of frequencies does not
// depend on the way.
func (f *tilted) redraw(ctx context.Context, moves stage.Matrix, total float64) error {
	looked := 0
	for x, first := range f.line {
		if first != x {
			continue
		}
		row := moves.Row(x)
		looked += 2 * len(row) * f.width
		if looked > lookEvery {
			looked = 0
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		sum := f.next[:1+2*f.alive]
		copy(sum, f.living(f.cur, x))
		for _, e := range row[1:] {
			floats.Add(sum, f.living(f.cur, e.To))
		}
		for _, e := range row {
			floats.ScaleTo(f.living(f.cur, e.To), e.P/total, sum)
			if e.P != 0 {
				f.work += float64(len(row) * f.size)
			}
		}
	}
	return nil
}

// modulus returns a bound on the modulus of a value: the sum of those over the states, as far as
// that is below diedOut.
func (f *tilted) modulus(j int) (total float64) {
	for at := 1 + 2*j; at < len(f.cur) && total < diedOut; at += f.width {
		total += math.Abs(f.cur[at]) + math.Abs(f.cur[at+1])
	}
	return total
}

func (f *tilted) result() *transformed {
	out := &transformed{make([]complex128, f.size), 0, f.work}
	total := 0.0
	for x := range f.delta {
		row := f.row(f.cur, x)
		total += row[0]
		for j := range f.alive {
			out.values[j] += complex(row[1+2*j], row[2+2*j])
		}
	}
	if total == 0 {
		out.logScale = math.Inf(-1)
		return out
	}
	for j := range out.values {
		out.values[j] /= complex(total, 0)
	}
	out.logScale = f.logScale.Value() + number.Log(total)
	return out
}

// bandSize is the number of frequencies that are propagated together: enough to share the rows of a
// stage, few enough to stay in the cache.
const bandSize = 128

// factorAnchor is the number of rotations after which a factor is computed afresh.
const factorAnchor = 8

// transformRounding bounds the rounding of a transform, relative to its value at the power alone:
// in units in the last place a move, 3 factorAnchor of the factor, a few of the product, and one
// for each state that a state is reached from.
func transformRounding(states, moves int) float64 {
	return float64(32+states) * float64(moves+1) * 0x1p-53
}

// diedOut is the modulus below which a characteristic function is neglected; it is part of the
// error bound.
const diedOut = 1e-18

// band is a number of equally spaced points on a vertical line of the complex plane: power + i
// (first + j spacing), j = 0..size-1.
type band struct {
	power, first, spacing float64
	size                  int
}

// transformed is E[w^s; 0 < w < Inf] at the points s of a band: exp(logScale) times the values.
type transformed struct {
	values   []complex128
	logScale float64 // log E[w^power; 0 < w < Inf]; no value is larger than one
	work     float64 // multiplications
}

// transform computes the transform of the weight's distribution along a band, by complex tilted
// propagation. It takes one sweep of O(T entries size) time. At power 0 it stops if the
// characteristic function has died out: the sum of the moduli over the states bounds it, and no
// later stage can make that grow. Entries of the kernel below 1e-290 are left out.
func (p *problem) transform(ctx context.Context, d chains.Direction, b band) (*transformed, error) {
	f, known := p.bands.Get().(*tilted)
	if known && f.size == b.size {
		*f = tilted{
			band: b, width: f.width, alive: b.size, cur: f.cur, next: f.next, factor: f.factor,
			line: f.line, length: f.length, delta: f.delta, scratch: f.scratch,
		}
		clear(f.cur)
	} else {
		f = newTilted(b, p.Annealing.States())
	}
	if err := p.propagate(ctx, d, f, contextError); err != nil {
		return nil, err
	}
	defer p.bands.Put(f)
	if f.dead {
		return &transformed{make([]complex128, b.size), 0, f.work}, nil
	}
	return f.result(), nil
}

// bandOf returns how many frequencies are propagated together on the given number of states: fewer
// if they would take memory of gigabytes.
func bandOf(states int) int { return max(4, min(bandSize, (1<<21)/max(1, states))) }

// BandBytes estimates the bytes of the distributions of log weights on the given number of states,
// in one direction.
func BandBytes(states int) float64 { return 64 * float64(states*bandOf(states)) }

// bands cuts points first + j spacing, j = 0..n-1, into bands for a number of states.
func bands(power, first, spacing float64, n, states int) []band {
	var out []band
	size := bandOf(states)
	for j := 0; j < n; j += size {
		out = append(out, band{power, first + float64(j)*spacing, spacing, min(size, n-j)})
	}
	return out
}
