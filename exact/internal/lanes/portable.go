package lanes

import (
	"math"

	"breadboard/chains"
)

// advance is Advance for a block in plain Go, which adds to partial sums. It passes through the
// block once for every partial sum, which stays in a register.
func advance(f, inverse, rise, back []float64, total *partial) {
	inverse = inverse[:len(f)]
	rise = rise[:len(f)]
	back = back[:len(f)]
	for lane := range Width {
		sum := total[lane]
		for x := lane; x < len(f); x += Width {
			b := back[x]
			v := f[x] + float64(f[x]*rise[x])
			f[x] = v
			inverse[x] += float64(inverse[x] * b)
			sum += float64(v * b)
		}
		total[lane] = sum
	}
}

// gather is Gather in plain Go.
func gather(out *[8]float64, at [][8]float64, row []chains.Entry) {
	var a, b, c, d, e, f, g, h float64
	for i := range row {
		p := row[i].P
		v := &at[row[i].To]
		a += float64(p * v[0])
		b += float64(p * v[1])
		c += float64(p * v[2])
		d += float64(p * v[3])
		e += float64(p * v[4])
		f += float64(p * v[5])
		g += float64(p * v[6])
		h += float64(p * v[7])
	}
	*out = [8]float64{a, b, c, d, e, f, g, h}
}

// gatherFour is GatherFour in plain Go.
func gatherFour(out, at [][8]float64, outStep, atStep int, row []chains.Entry) {
	for g := range 4 {
		gather(&out[g*outStep], at[g*atStep:], row)
	}
}

// rebase is Rebase for a block in plain Go, which adds to partial sums.
func rebase(u, a, f, shift, back []float64, factor, offset float64, sums *[3]partial) {
	a = a[:len(u)]
	f = f[:len(u)]
	shift = shift[:len(u)]
	back = back[:len(u)]
	for lane := range Width {
		sum := sums[0][lane]
		sumW := sums[1][lane]
		sumA := sums[2][lane]
		for x := lane; x < len(u); x += Width {
			e := float64(back[x]*factor) + offset
			w := u[x] + (e + float64(u[x]*e))
			u[x] = w
			sumA += float64(float64(f[x]*e) * a[x])
			a[x] += shift[x]
			weighted := float64(f[x] * shift[x])
			sum += weighted
			sumW += float64(weighted * w)
		}
		sums[0][lane], sums[1][lane], sums[2][lane] = sum, sumW, sumA
	}
}

// addFlux is AddFlux in plain Go.
func addFlux(du, da, f, u, a, nf, nu, na []float64) {
	da = da[:len(du)]
	f = f[:len(du)]
	u = u[:len(du)]
	a = a[:len(du)]
	nf = nf[:len(du)]
	nu = nu[:len(du)]
	na = na[:len(du)]
	for x := range du {
		s := min(f[x], nf[x])
		du[x] += float64(s * (nu[x] - u[x]))
		da[x] += float64(s * (na[x] - a[x]))
	}
}

// addGatedFlux is AddGatedFlux in plain Go.
func addGatedFlux(du, da, f, u, a, nf, nu, na, gate []float64) {
	da = da[:len(du)]
	f = f[:len(du)]
	u = u[:len(du)]
	a = a[:len(du)]
	nf = nf[:len(du)]
	nu = nu[:len(du)]
	na = na[:len(du)]
	gate = gate[:len(du)]
	for x := range du {
		s := min(f[x], nf[x]) * gate[x]
		du[x] += float64(s * (nu[x] - u[x]))
		da[x] += float64(s * (na[x] - a[x]))
	}
}

// addTerms is AddTerms in plain Go.
func addTerms(du, da, refused, f, logf, nf, nlogf, nu, na, gate []float64) {
	n := len(du)
	da = da[:n]
	refused = refused[:n]
	f = f[:n]
	logf = logf[:n]
	nf = nf[:n]
	nlogf = nlogf[:n]
	nu = nu[:n]
	na = na[:n]
	gate = gate[:n]
	for x := range du {
		s := min(f[x], nf[x]) * gate[x]
		du[x] += float64(s * nu[x])
		da[x] += float64(s * na[x])
		refused[x] += float64(Fall(f[x], nf[x], nlogf[x]-logf[x]) * gate[x])
	}
}

// Fall returns f - nf, given the rise of log f, and zero if that is not negative. The sign of a
// rise is random, so that a branch would be mispredicted half of the time.
func Fall(f, nf, rise float64) float64 {
	d := f - nf
	if math.Float64bits(-rise)-1 < math.Float64bits(Closest)-1 {
		// it is between zero and Closest: the series of expm1, to the last digit
		sum := 1 + float64(rise*0.2)
		sum = 1 + float64(float64(rise*0.25)*sum)
		sum = 1 + float64(float64(rise*(1./3))*sum)
		d = 0 - float64(f*(rise+float64(float64(float64(rise*rise)*0.5)*sum)))
	}
	fell := uint64(int64(math.Float64bits(rise)) >> 63)
	return math.Float64frombits(math.Float64bits(d) & fell)
}

// applyFlux is ApplyFlux in plain Go.
func applyFlux(nextU, nextA, u, a, du, da, inverse, back []float64, share float64) {
	n := len(nextU)
	nextA = nextA[:n]
	u = u[:n]
	a = a[:n]
	du = du[:n]
	da = da[:n]
	inverse = inverse[:n]
	back = back[:n]
	for x := range nextU {
		per := inverse[x] * (1 + back[x])
		inverse[x] = per
		per *= share
		nextU[x] = u[x] + float64(du[x]*per)
		nextA[x] = a[x] + float64(da[x]*per)
	}
}

// fold is Fold for a block in plain Go, which adds to partial sums.
func fold(row, v, w, next, image []float64, a, b, c float64, total *partial) {
	v = v[:len(row)]
	w = w[:len(row)]
	next = next[:len(row)]
	image = image[:len(row)]
	for lane := range Width {
		sum := total[lane]
		for x := lane; x < len(row); x += Width {
			r := row[x] - (float64(a*w[x]) + float64(b*v[x]))
			row[x] = r
			image[x] += float64(c * r)
			sum += float64(r * next[x])
		}
		total[lane] = sum
	}
}

// inverse is Inverse in plain Go.
func inverse(to, f, g []float64) {
	f = f[:len(to)]
	g = g[:len(to)]
	for x := range to {
		to[x] = 1 / (f[x] + g[x])
	}
}

// mean is Mean in plain Go.
func mean(to, f, g, v, w, per []float64) {
	f = f[:len(to)]
	g = g[:len(to)]
	v = v[:len(to)]
	w = w[:len(to)]
	per = per[:len(to)]
	for x := range to {
		to[x] = (float64(f[x]*v[x]) + float64(g[x]*w[x])) * per[x]
	}
}

// Width is the number of partial sums in which every sum of this package is added up: number i of
// an array is added to partial sum i mod Width. It is the number of float64 in the widest vector.
const Width = 8

// partial are the partial sums of one sum.
type partial = [Width]float64

// sum adds the partial sums, halves first, as vectors of eight, four and two are added.
func sum(p *partial) float64 {
	return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]))
}

// Block is the number of values that a loop takes at a time. They stay in the cache while the loop
// passes through them once for every partial sum.
const Block = 64 * Width
