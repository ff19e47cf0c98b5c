package lanes

// narrow is Steps in plain Go.
func narrow(rows []Row, out []StageSums) {
	for i := range out {
		out[i] = reweightNarrow(rows)
		applyNarrow(rows)
	}
}

// around is StepsAround in plain Go.
func around(rows []Row, out []StageSums) {
	for i := range out {
		out[i] = reweightNarrow(rows)
		applyAround(rows)
	}
}

// reweightNarrow is Reweight on narrow rows.
func reweightNarrow(rows []Row) StageSums {
	var sums [4]partial
	for lane := range Width - 1 { // the last slot of every row is empty
		reweightColumn(rows, lane, &sums)
	}
	return totals(&sums)
}

// reweightColumn is reweightLane on narrow rows, without the edges.
func reweightColumn(rows []Row, lane int, sums *[4]partial) {
	lane &= Width - 1
	var sumB, sumBA, sumC, sumCU float64
	for i := range rows {
		r := &rows[i]
		v := r.F[lane] * r.Grow[lane]
		b := r.Back[lane]
		r.F[lane] = v
		fb := float64(v * b)
		sumB += fb
		sumBA += float64(fb * r.A[lane])
		w := r.U[lane] + (b + float64(r.U[lane]*b))
		r.U[lane] = w
		c := r.Shift[lane]
		r.A[lane] += c
		fc := float64(v * c)
		sumC += fc
		sumCU += float64(fc * w)
	}
	sums[0][lane], sums[1][lane], sums[2][lane], sums[3][lane] = sumB, sumBA, sumC, sumCU
}

// applyNarrow is applyKernel on narrow rows, in place. The flux from above is kept in SideU and
// SideA of the row that it comes from.
func applyNarrow(rows []Row) {
	var none Row
	above := &none
	for i := range rows {
		here := &rows[i]
		below := &none
		if i+1 < len(rows) {
			below = &rows[i+1]
		}
		here.applyKernel(above, below)
		above = here
	}
}

// applyKernel applies the kernel to one narrow row. Its comparisons find the smaller f faster than
// min, which also handles NaN.
func (r *Row) applyKernel(above, below *Row) {
	f := r.F[0]
	u := r.U[0]
	a := r.A[0]
	leftU, leftA := 0*(u-r.U[Width-1]), 0*(a-r.A[Width-1]) // the slot before the first is empty
	for x := range Width - 1 {
		rightF := r.F[x+1]
		rightOldU := r.U[x+1]
		rightOldA := r.A[x+1]
		right := f
		down := f
		if rightF < f {
			right = rightF
		}
		if belowF := below.F[x]; belowF < f {
			down = belowF
		}
		rightU, rightA := float64(right*(rightOldU-u)), float64(right*(rightOldA-a))
		downU, downA := float64(down*(below.U[x]-u)), float64(down*(below.A[x]-a))
		per := r.Inverse[x] * r.Fall[x]
		r.Inverse[x] = per
		r.U[x] = u + float64(((rightU-leftU)+(downU-above.SideU[x]))*per)
		r.A[x] = a + float64(((rightA-leftA)+(downA-above.SideA[x]))*per)
		r.SideU[x], r.SideA[x] = downU, downA
		leftU = rightU
		leftA = rightA
		f = rightF
		u = rightOldU
		a = rightOldA
	}
}

// applyAround is applyNarrow for eight neighbours.
func applyAround(rows []Row) {
	var none Row
	var lossU, lossA partial // what the values lose to the row above
	for i := range rows {
		here := &rows[i]
		below := &none
		if i+1 < len(rows) {
			below = &rows[i+1]
		}
		var u, a around8
		here.exchange(below, &u, &a)
		for x := range Width - 1 {
			here.Inverse[x] *= here.Fall[x]
		}
		u.addFluxes(&here.U, &here.Inverse, &lossU)
		a.addFluxes(&here.A, &here.Inverse, &lossA)
	}
}

// around8 are the fluxes of a value from the right, from below, and from below on the right and on
// the left. An edge beyond an end of the row wraps around to the empty slot at the other end, where
// the flux is zero.
type around8 struct{ right, down, fore, back partial }

// exchange computes the fluxes from the row below, and along the row.
func (r *Row) exchange(below *Row, fluxU, fluxA *around8) {
	f := &r.F
	u := &r.U
	a := &r.A
	belowF := &below.F
	belowU := &below.U
	belowA := &below.A
	for x := range Width {
		after := (x + 1) % Width
		before := (x + Width - 1) % Width
		here := f[x]
		hereU := u[x]
		hereA := a[x]
		s := lesser(here, f[after])
		fluxU.right[x], fluxA.right[x] = float64(s*(u[after]-hereU)), float64(s*(a[after]-hereA))
		s = lesser(here, belowF[x])
		fluxU.down[x], fluxA.down[x] = float64(s*(belowU[x]-hereU)), float64(s*(belowA[x]-hereA))
		s = lesser(here, belowF[after])
		fluxU.fore[x], fluxA.fore[x] = float64(s*(belowU[after]-hereU)), float64(s*(belowA[after]-hereA))
		s = lesser(here, belowF[before])
		fluxU.back[x], fluxA.back[x] = float64(s*(belowU[before]-hereU)), float64(s*(belowA[before]-hereA))
	}
}

// addFluxes adds the fluxes to a value, and replaces its loss to the row above by the loss of the
// row below to it.
func (v *around8) addFluxes(value, per, loss *partial) {
	left := v.right[Width-1]
	behind := v.fore[Width-1]
	for x := range Width - 1 {
		down := v.down[x]
		fore := v.fore[x]
		sum := (v.right[x] - left) + (((down + fore) + v.back[x]) - loss[x])
		value[x] += float64(sum * per[x])
		loss[x] = (down + behind) + v.back[x+1]
		left = v.right[x]
		behind = fore
	}
}

// lesser is min without its care for NaN.
func lesser(a, b float64) float64 {
	if b < a {
		return b
	}
	return a
}
