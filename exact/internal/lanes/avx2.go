//go:build goexperiment.simd && amd64

package lanes

import "simd/archsimd"

// wide256 returns the unit of AVX2, whose vectors hold four numbers, so that sums are added up in two of them.
func wide256() *Unit {
	return &Unit{
		name: "AVX2", advance: advance256, rebase: rebase256, turnRow: turnRow256, cross: cross256, pull: pull256, gated: gated256,
		settle: settle256, narrow: narrow,
	}
}

type vec256 = archsimd.Float64x4

func load256(s []float64, i int) vec256 { return archsimd.LoadFloat64x4((*[4]float64)(s[i : i+4])) }

func store256(v vec256, s []float64, i int) { v.Store((*[4]float64)(s[i : i+4])) }

// whole256 returns how many of n numbers fill vectors.
func whole256(n int) int { return n &^ 3 }

// both256 stores the two halves of a vector of eight partial sums.
func both256(low, high vec256, p *partial) {
	low.Store((*[4]float64)(p[:4]))
	high.Store((*[4]float64)(p[4:]))
}

func advance256(f, inverse, rise, back []float64) float64 {
	inverse, rise, back = inverse[:len(f)], rise[:len(f)], back[:len(f)]
	var low, high vec256
	for i := 0; i <= len(f)-8; i += 8 {
		b, c := load256(back, i), load256(back, i+4)
		v, w := load256(f, i), load256(f, i+4)
		v, w = v.Add(v.Mul(load256(rise, i))), w.Add(w.Mul(load256(rise, i+4)))
		store256(v, f, i)
		store256(w, f, i+4)
		inv := load256(inverse, i)
		store256(inv.Add(inv.Mul(b)), inverse, i)
		inv = load256(inverse, i+4)
		store256(inv.Add(inv.Mul(c)), inverse, i+4)
		low, high = low.Add(v.Mul(b)), high.Add(w.Mul(c))
	}
	var total partial
	both256(low, high, &total)
	archsimd.ClearAVXUpperBits()
	advanceRest(f, inverse, rise, back, &total)
	return total.total()
}

// rebase256 and turn256 pass over the slots of a block twice, for the two halves of the partial sums: for both at once there
// are too few registers.
func rebase256(u, a, f, shift, back []float64, factor, offset float64) Rebased {
	var sums [3]partial
	whole := len(u) &^ 7
	for start := 0; start < whole; start += block {
		end := min(start+block, whole)
		for half := 0; half < Width; half += 4 {
			rebaseHalf256(u[start:end], a[start:end], f[start:end], shift[start:end], back[start:end], factor, offset, half, &sums)
		}
	}
	archsimd.ClearAVXUpperBits()
	rebaseRest(u, a, f, shift, back, factor, offset, &sums)
	return Rebased{sums[0].total(), sums[1].total(), sums[2].total()}
}

// rebaseHalf256 is rebase256 for the first or second four of every eight slots.
func rebaseHalf256(u, a, f, shift, back []float64, factor, offset float64, half int, sums *[3]partial) {
	a, f, shift, back = a[:len(u)], f[:len(u)], shift[:len(u)], back[:len(u)]
	byFactor, byOffset := archsimd.BroadcastFloat64x4(factor), archsimd.BroadcastFloat64x4(offset)
	sum, sumW, sumA := load256(sums[0][:], half), load256(sums[1][:], half), load256(sums[2][:], half)
	for i := half; i <= len(u)-4; i += 8 {
		e := load256(back, i).Mul(byFactor).Add(byOffset)
		w := load256(u, i)
		w = w.Add(e.Add(w.Mul(e)))
		store256(w, u, i)
		v, old, c := load256(f, i), load256(a, i), load256(shift, i)
		sumA = sumA.Add(v.Mul(e).Mul(old))
		store256(old.Add(c), a, i)
		weighted := v.Mul(c)
		sum = sum.Add(weighted)
		sumW = sumW.Add(weighted.Mul(w))
	}
	store256(sum, sums[0][:], half)
	store256(sumW, sums[1][:], half)
	store256(sumA, sums[2][:], half)
}

func turnRow256(s *Stage, to flow, sums *Sums) {
	turnRowHalf256(s, to, 0, sums)
	turnRowHalf256(s, to, 4, sums)
	archsimd.ClearAVXUpperBits()
}

// turnRowHalf256 is turnRow256 for the first or second four of every eight slots.
func turnRowHalf256(s *Stage, to flow, half int, sums *Sums) {
	n := len(s.F)
	f, grow, back, shift, u, a := s.F, s.Grow[:n], s.Back[:n], s.Shift[:n], s.U[:n], s.A[:n]
	toF, toU, toA := to.f[:n], to.u[:n], to.a[:n]
	sumB, sumBA := load256(sums[0][:], half), load256(sums[1][:], half)
	sumC, sumCU := load256(sums[2][:], half), load256(sums[3][:], half)
	for i := half; i <= len(f)-4; i += 8 {
		v := load256(f, i).Mul(load256(grow, i))
		store256(v, f, i)
		store256(v, toF, i)
		b, old, c, w := load256(back, i), load256(a, i), load256(shift, i), load256(u, i)
		fb := v.Mul(b)
		sumB = sumB.Add(fb)
		sumBA = sumBA.Add(fb.Mul(old))
		w = w.Add(b.Add(w.Mul(b)))
		store256(w, toU, i)
		store256(old.Add(c), toA, i)
		fc := v.Mul(c)
		sumC = sumC.Add(fc)
		sumCU = sumCU.Add(fc.Mul(w))
	}
	store256(sumB, sums[0][:], half)
	store256(sumBA, sums[1][:], half)
	store256(sumC, sums[2][:], half)
	store256(sumCU, sums[3][:], half)
}

// cross256 moves a row, and computes the edges along it from either end.
func cross256(w *Walker, p *Plane, start int) {
	share, one := archsimd.BroadcastFloat64x4(p.Share), archsimd.BroadcastFloat64x4(1)
	n := p.Pitch
	here, below := w.here.inner(n), w.below.inner(n)
	hereF, hereU, hereA := here.f[:n], here.u[:n], here.a[:n]
	belowF, belowU, belowA := below.f[:n], below.u[:n], below.a[:n]
	leftF, leftU, leftA := w.here.f[Width-1:][:n], w.here.u[Width-1:][:n], w.here.a[Width-1:][:n]
	rightF, rightU, rightA := w.here.f[Width+1:][:n], w.here.u[Width+1:][:n], w.here.a[Width+1:][:n]
	inverse, back, nextU, nextA := p.Inverse[start:][:n], p.Back[start:][:n], p.U[start:][:n], p.A[start:][:n]
	fluxU, fluxA := w.fluxU[:n], w.fluxA[:n]
	for i := 0; i <= n-4; i += 4 {
		f, u, a := load256(hereF, i), load256(hereU, i), load256(hereA, i)
		s := f.Min(load256(rightF, i))
		sumU, sumA := s.Mul(load256(rightU, i).Sub(u)), s.Mul(load256(rightA, i).Sub(a))
		s = load256(leftF, i).Min(f)
		sumU, sumA = sumU.Sub(s.Mul(u.Sub(load256(leftU, i)))), sumA.Sub(s.Mul(a.Sub(load256(leftA, i))))
		s = f.Min(load256(belowF, i))
		downU, downA := s.Mul(load256(belowU, i).Sub(u)), s.Mul(load256(belowA, i).Sub(a))
		sumU, sumA = sumU.Add(downU.Sub(load256(fluxU, i))), sumA.Add(downA.Sub(load256(fluxA, i)))
		store256(downU, fluxU, i)
		store256(downA, fluxA, i)
		per := load256(inverse, i).Mul(one.Add(load256(back, i)))
		store256(per, inverse, i)
		per = per.Mul(share)
		store256(u.Add(sumU.Mul(per)), nextU, i)
		store256(a.Add(sumA.Mul(per)), nextA, i)
	}
	archsimd.ClearAVXUpperBits()
}

func pull256(du, da, f, u, a, nf, nu, na []float64) {
	da, f, u, a, nf, nu, na = da[:len(du)], f[:len(du)], u[:len(du)], a[:len(du)], nf[:len(du)], nu[:len(du)], na[:len(du)]
	for i := 0; i <= len(du)-4; i += 4 {
		s := load256(f, i).Min(load256(nf, i))
		store256(load256(du, i).Add(s.Mul(load256(nu, i).Sub(load256(u, i)))), du, i)
		store256(load256(da, i).Add(s.Mul(load256(na, i).Sub(load256(a, i)))), da, i)
	}
	archsimd.ClearAVXUpperBits()
	n := whole256(len(du))
	pull(du[n:], da[n:], f[n:], u[n:], a[n:], nf[n:], nu[n:], na[n:])
}

func gated256(du, da, f, u, a, nf, nu, na, gate []float64) {
	da, f, u, a, nf, nu, na, gate = da[:len(du)], f[:len(du)], u[:len(du)], a[:len(du)], nf[:len(du)], nu[:len(du)], na[:len(du)], gate[:len(du)]
	for i := 0; i <= len(du)-4; i += 4 {
		s := load256(f, i).Min(load256(nf, i)).Mul(load256(gate, i))
		store256(load256(du, i).Add(s.Mul(load256(nu, i).Sub(load256(u, i)))), du, i)
		store256(load256(da, i).Add(s.Mul(load256(na, i).Sub(load256(a, i)))), da, i)
	}
	archsimd.ClearAVXUpperBits()
	n := whole256(len(du))
	gated(du[n:], da[n:], f[n:], u[n:], a[n:], nf[n:], nu[n:], na[n:], gate[n:])
}

func settle256(nextU, nextA, u, a, du, da, inverse, back []float64, share float64) {
	m := len(nextU)
	nextA, u, a, du, da, inverse, back = nextA[:m], u[:m], a[:m], du[:m], da[:m], inverse[:m], back[:m]
	byShare, one := archsimd.BroadcastFloat64x4(share), archsimd.BroadcastFloat64x4(1)
	for i := 0; i <= len(nextU)-4; i += 4 {
		per := load256(inverse, i).Mul(one.Add(load256(back, i)))
		store256(per, inverse, i)
		per = per.Mul(byShare)
		store256(load256(u, i).Add(load256(du, i).Mul(per)), nextU, i)
		store256(load256(a, i).Add(load256(da, i).Mul(per)), nextA, i)
	}
	archsimd.ClearAVXUpperBits()
	n := whole256(m)
	settle(nextU[n:], nextA[n:], u[n:], a[n:], du[n:], da[n:], inverse[n:], back[n:], share)
}
