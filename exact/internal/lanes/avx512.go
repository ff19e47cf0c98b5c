//go:build goexperiment.simd && amd64

package lanes

import "simd/archsimd"

// wide512 returns the unit of AVX-512, whose vectors hold eight numbers.
func wide512() *Unit {
	return &Unit{
		name: "AVX-512", advance: advance512, rebase: rebase512, turnRow: turnRow512, cross: cross512, pull: pull512, gated: gated512,
		settle: settle512, narrow: narrow512,
	}
}

type vec512 = archsimd.Float64x8

func load512(s []float64, i int) vec512 { return archsimd.LoadFloat64x8((*[8]float64)(s[i : i+8])) }

func store512(v vec512, s []float64, i int) { v.Store((*[8]float64)(s[i : i+8])) }

// whole512 returns how many of n numbers fill vectors.
func whole512(n int) int { return n &^ 7 }

func advance512(f, inverse, rise, back []float64) float64 {
	inverse, rise, back = inverse[:len(f)], rise[:len(f)], back[:len(f)]
	var sum vec512
	for i := 0; i <= len(f)-8; i += 8 {
		b, v, inv := load512(back, i), load512(f, i), load512(inverse, i)
		v = v.Add(v.Mul(load512(rise, i)))
		store512(v, f, i)
		store512(inv.Add(inv.Mul(b)), inverse, i)
		sum = sum.Add(v.Mul(b))
	}
	var total partial
	sum.Store((*[8]float64)(&total))
	archsimd.ClearAVXUpperBits()
	advanceRest(f, inverse, rise, back, &total)
	return total.total()
}

func rebase512(u, a, f, shift, back []float64, factor, offset float64) Rebased {
	a, f, shift, back = a[:len(u)], f[:len(u)], shift[:len(u)], back[:len(u)]
	byFactor, byOffset := archsimd.BroadcastFloat64x8(factor), archsimd.BroadcastFloat64x8(offset)
	var sum, sumW, sumA vec512
	for i := 0; i <= len(u)-8; i += 8 {
		e := load512(back, i).Mul(byFactor).Add(byOffset)
		w := load512(u, i)
		w = w.Add(e.Add(w.Mul(e)))
		store512(w, u, i)
		v, old, c := load512(f, i), load512(a, i), load512(shift, i)
		sumA = sumA.Add(v.Mul(e).Mul(old))
		store512(old.Add(c), a, i)
		weighted := v.Mul(c)
		sum = sum.Add(weighted)
		sumW = sumW.Add(weighted.Mul(w))
	}
	var sums [3]partial
	sum.Store((*[8]float64)(&sums[0]))
	sumW.Store((*[8]float64)(&sums[1]))
	sumA.Store((*[8]float64)(&sums[2]))
	archsimd.ClearAVXUpperBits()
	rebaseRest(u, a, f, shift, back, factor, offset, &sums)
	return Rebased{sums[0].total(), sums[1].total(), sums[2].total()}
}

func turnRow512(s *Stage, to flow, sums *Sums) {
	n := len(s.F)
	f, grow, back, shift, u, a := s.F, s.Grow[:n], s.Back[:n], s.Shift[:n], s.U[:n], s.A[:n]
	toF, toU, toA := to.f[:n], to.u[:n], to.a[:n]
	sumB, sumBA, sumC, sumCU := row512(&sums[0]), row512(&sums[1]), row512(&sums[2]), row512(&sums[3])
	for i := 0; i <= len(f)-8; i += 8 {
		v := load512(f, i).Mul(load512(grow, i))
		store512(v, f, i)
		store512(v, toF, i)
		b, old, c, w := load512(back, i), load512(a, i), load512(shift, i), load512(u, i)
		fb := v.Mul(b)
		sumB = sumB.Add(fb)
		sumBA = sumBA.Add(fb.Mul(old))
		w = w.Add(b.Add(w.Mul(b)))
		store512(w, toU, i)
		store512(old.Add(c), toA, i)
		fc := v.Mul(c)
		sumC = sumC.Add(fc)
		sumCU = sumCU.Add(fc.Mul(w))
	}
	put512(sumB, &sums[0])
	put512(sumBA, &sums[1])
	put512(sumC, &sums[2])
	put512(sumCU, &sums[3])
	archsimd.ClearAVXUpperBits()
}

// cross512 moves a row, and computes the edges along it from either end.
func cross512(w *Walker, p *Plane, start int) {
	share, one := archsimd.BroadcastFloat64x8(p.Share), archsimd.BroadcastFloat64x8(1)
	n := p.Pitch
	here, below := w.here.inner(n), w.below.inner(n)
	hereF, hereU, hereA := here.f[:n], here.u[:n], here.a[:n]
	belowF, belowU, belowA := below.f[:n], below.u[:n], below.a[:n]
	leftF, leftU, leftA := w.here.f[Width-1:][:n], w.here.u[Width-1:][:n], w.here.a[Width-1:][:n]
	rightF, rightU, rightA := w.here.f[Width+1:][:n], w.here.u[Width+1:][:n], w.here.a[Width+1:][:n]
	inverse, back, nextU, nextA := p.Inverse[start:][:n], p.Back[start:][:n], p.U[start:][:n], p.A[start:][:n]
	fluxU, fluxA := w.fluxU[:n], w.fluxA[:n]
	for i := 0; i <= n-8; i += 8 {
		f, u, a := load512(hereF, i), load512(hereU, i), load512(hereA, i)
		s := f.Min(load512(rightF, i))
		sumU, sumA := s.Mul(load512(rightU, i).Sub(u)), s.Mul(load512(rightA, i).Sub(a))
		s = load512(leftF, i).Min(f)
		sumU, sumA = sumU.Sub(s.Mul(u.Sub(load512(leftU, i)))), sumA.Sub(s.Mul(a.Sub(load512(leftA, i))))
		s = f.Min(load512(belowF, i))
		downU, downA := s.Mul(load512(belowU, i).Sub(u)), s.Mul(load512(belowA, i).Sub(a))
		sumU, sumA = sumU.Add(downU.Sub(load512(fluxU, i))), sumA.Add(downA.Sub(load512(fluxA, i)))
		store512(downU, fluxU, i)
		store512(downA, fluxA, i)
		per := load512(inverse, i).Mul(one.Add(load512(back, i)))
		store512(per, inverse, i)
		per = per.Mul(share)
		store512(u.Add(sumU.Mul(per)), nextU, i)
		store512(a.Add(sumA.Mul(per)), nextA, i)
	}
	archsimd.ClearAVXUpperBits()
}

func pull512(du, da, f, u, a, nf, nu, na []float64) {
	da, f, u, a, nf, nu, na = da[:len(du)], f[:len(du)], u[:len(du)], a[:len(du)], nf[:len(du)], nu[:len(du)], na[:len(du)]
	for i := 0; i <= len(du)-8; i += 8 {
		s := load512(f, i).Min(load512(nf, i))
		store512(load512(du, i).Add(s.Mul(load512(nu, i).Sub(load512(u, i)))), du, i)
		store512(load512(da, i).Add(s.Mul(load512(na, i).Sub(load512(a, i)))), da, i)
	}
	archsimd.ClearAVXUpperBits()
	n := whole512(len(du))
	pull(du[n:], da[n:], f[n:], u[n:], a[n:], nf[n:], nu[n:], na[n:])
}

func gated512(du, da, f, u, a, nf, nu, na, gate []float64) {
	da, f, u, a, nf, nu, na, gate = da[:len(du)], f[:len(du)], u[:len(du)], a[:len(du)], nf[:len(du)], nu[:len(du)], na[:len(du)], gate[:len(du)]
	for i := 0; i <= len(du)-8; i += 8 {
		s := load512(f, i).Min(load512(nf, i)).Mul(load512(gate, i))
		store512(load512(du, i).Add(s.Mul(load512(nu, i).Sub(load512(u, i)))), du, i)
		store512(load512(da, i).Add(s.Mul(load512(na, i).Sub(load512(a, i)))), da, i)
	}
	archsimd.ClearAVXUpperBits()
	n := whole512(len(du))
	gated(du[n:], da[n:], f[n:], u[n:], a[n:], nf[n:], nu[n:], na[n:], gate[n:])
}

func settle512(nextU, nextA, u, a, du, da, inverse, back []float64, share float64) {
	m := len(nextU)
	nextA, u, a, du, da, inverse, back = nextA[:m], u[:m], a[:m], du[:m], da[:m], inverse[:m], back[:m]
	byShare, one := archsimd.BroadcastFloat64x8(share), archsimd.BroadcastFloat64x8(1)
	for i := 0; i <= len(nextU)-8; i += 8 {
		per := load512(inverse, i).Mul(one.Add(load512(back, i)))
		store512(per, inverse, i)
		per = per.Mul(byShare)
		store512(load512(u, i).Add(load512(du, i).Mul(per)), nextU, i)
		store512(load512(a, i).Add(load512(da, i).Mul(per)), nextA, i)
	}
	archsimd.ClearAVXUpperBits()
	n := whole512(m)
	settle(nextU[n:], nextA[n:], u[n:], a[n:], du[n:], da[n:], inverse[n:], back[n:], share)
}

func narrow512(rows []Row, out []Sums) {
	order := turning{{1, 2, 3, 4, 5, 6, 7, 0}, {7, 0, 1, 2, 3, 4, 5, 6}}
	for i := range out {
		turnNarrow512(rows, &out[i])
		moveNarrow512(rows, &order)
	}
	archsimd.ClearAVXUpperBits()
}

// turning are the places from which the slots of a row take their numbers where the row is turned by a slot, so that each has
// that of its right or of its left neighbour.
type turning [2][Width]uint64

// turnNarrow512 is Turn on narrow rows.
func turnNarrow512(rows []Row, sums *Sums) {
	var sumB, sumBA, sumC, sumCU vec512
	for i := range rows {
		r := &rows[i]
		f, b := row512(&r.F).Mul(row512(&r.Grow)), row512(&r.Back)
		put512(f, &r.F)
		a, c := row512(&r.A), row512(&r.Shift)
		put512(a.Add(c), &r.A)
		fb, fc := f.Mul(b), f.Mul(c)
		u := row512(&r.U)
		u = u.Add(b.Add(u.Mul(b)))
		put512(u, &r.U)
		sumB, sumBA = sumB.Add(fb), sumBA.Add(fb.Mul(a))
		sumC, sumCU = sumC.Add(fc), sumCU.Add(fc.Mul(u))
	}
	put512(sumB, &sums[0])
	put512(sumBA, &sums[1])
	put512(sumC, &sums[2])
	put512(sumCU, &sums[3])
}

// moveNarrow512 moves narrow rows.
func moveNarrow512(rows []Row, order *turning) {
	toRight, toLeft := archsimd.LoadUint64x8(&order[0]), archsimd.LoadUint64x8(&order[1])
	var none, aboveU, aboveA vec512
	r := &rows[0]
	f, u, a := row512(&r.F), row512(&r.U), row512(&r.A)
	for i := 1; i < len(rows); i++ {
		below := &rows[i]
		s := f.Min(f.Permute(toRight))
		sideU, sideA := s.Mul(u.Permute(toRight).Sub(u)), s.Mul(a.Permute(toRight).Sub(a))
		sideU, sideA = sideU.Sub(sideU.Permute(toLeft)), sideA.Sub(sideA.Permute(toLeft))
		belowF, belowU, belowA := row512(&below.F), row512(&below.U), row512(&below.A)
		s = f.Min(belowF)
		downU, downA := s.Mul(belowU.Sub(u)), s.Mul(belowA.Sub(a))
		per := row512(&r.Inverse).Mul(row512(&r.Fall))
		put512(per, &r.Inverse)
		put512(u.Add(downU.Sub(aboveU).Add(sideU).Mul(per)), &r.U)
		put512(a.Add(downA.Sub(aboveA).Add(sideA).Mul(per)), &r.A)
		r, f, u, a, aboveU, aboveA = below, belowF, belowU, belowA, downU, downA
	}
	s := f.Min(f.Permute(toRight))
	sideU, sideA := s.Mul(u.Permute(toRight).Sub(u)), s.Mul(a.Permute(toRight).Sub(a))
	sideU, sideA = sideU.Sub(sideU.Permute(toLeft)), sideA.Sub(sideA.Permute(toLeft))
	s = f.Min(none)
	per := row512(&r.Inverse).Mul(row512(&r.Fall))
	put512(per, &r.Inverse)
	put512(u.Add(s.Mul(none.Sub(u)).Sub(aboveU).Add(sideU).Mul(per)), &r.U)
	put512(a.Add(s.Mul(none.Sub(a)).Sub(aboveA).Add(sideA).Mul(per)), &r.A)
}

// row512 loads a row of numbers, and put512 stores one.
func row512(p *partial) vec512 { return archsimd.LoadFloat64x8((*[8]float64)(p)) }

func put512(v vec512, p *partial) { v.Store((*[8]float64)(p)) }
