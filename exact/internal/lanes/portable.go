package lanes

// advance is Advance in plain Go.
func advance(f, inverse, rise, back []float64) float64 {
	var total partial
	for start := 0; start < len(f); start += block {
		end := min(start+block, len(f))
		advanceLanes(f[start:end], inverse[start:end], rise[start:end], back[start:end], &total)
	}
	return total.total()
}

// advanceLanes is advance for a block. It passes through the block once for every partial sum, which stays in a register.
func advanceLanes(f, inverse, rise, back []float64, total *partial) {
	inverse, rise, back = inverse[:len(f)], rise[:len(f)], back[:len(f)]
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

// rebase is Rebase in plain Go.
func rebase(u, a, f, shift, back []float64, factor, offset float64) Rebased {
	var sums [3]partial
	for start := 0; start < len(u); start += block {
		end := min(start+block, len(u))
		rebaseLanes(u[start:end], a[start:end], f[start:end], shift[start:end], back[start:end], factor, offset, &sums)
	}
	return Rebased{sums[0].total(), sums[1].total(), sums[2].total()}
}

// rebaseLanes is rebase for a block.
func rebaseLanes(u, a, f, shift, back []float64, factor, offset float64, sums *[3]partial) {
	a, f, shift, back = a[:len(u)], f[:len(u)], shift[:len(u)], back[:len(u)]
	for lane := range Width {
		sum, sumW, sumA := sums[0][lane], sums[1][lane], sums[2][lane]
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

// turn is Turn in plain Go.
func turn(s *Stage) Turned {
	var sums Sums
	for start := 0; start < len(s.F); start += block {
		part := s.Part(start, min(start+block, len(s.F)))
		for lane := range Width {
			turnLane(&part, lane, &sums)
		}
	}
	return sums.Totals()
}

// turnLane is turn for every eighth slot of a part.
func turnLane(s *Stage, lane int, sums *Sums) {
	n := len(s.F)
	f, grow, back, shift, u, a := s.F, s.Grow[:n], s.Back[:n], s.Shift[:n], s.U[:n], s.A[:n]
	sumB, sumBA, sumC, sumCU := sums[0][lane], sums[1][lane], sums[2][lane], sums[3][lane]
	for x := lane; x < len(f); x += Width {
		v := f[x] * grow[x]
		f[x] = v
		b := back[x]
		fb := float64(v * b)
		sumB += fb
		sumBA += float64(fb * a[x])
		w := u[x] + (b + float64(u[x]*b))
		u[x] = w
		c := shift[x]
		a[x] += c
		fc := float64(v * c)
		sumC += fc
		sumCU += float64(fc * w)
	}
	sums[0][lane], sums[1][lane], sums[2][lane], sums[3][lane] = sumB, sumBA, sumC, sumCU
}

// plane is Move in plain Go. It computes each edge once: the fluxes along the edges from the left and from above are kept.
func plane(p *Plane, first, last int) {
	if first >= last {
		return
	}
	aboveU, aboveA := p.Memory[:p.Cols:p.Cols], p.Memory[p.Cols:2*p.Cols]
	above, here := first*p.Pitch, (first+1)*p.Pitch
	for x := range aboveU {
		s := min(p.F[above+x], p.F[here+x])
		aboveU[x] = s * (p.U[here+x] - p.U[above+x])
		aboveA[x] = s * (p.A[here+x] - p.A[above+x])
	}
	for row := first; row < last; row++ {
		p.moveRow(row, aboveU, aboveA)
	}
}

// moveRow is plane for one row, given the fluxes from the row above. It leaves those to the row below in their place.
func (p *Plane) moveRow(row int, aboveU, aboveA []float64) {
	aboveA = aboveA[:len(aboveU)]
	start, n := (row+1)*p.Pitch, len(aboveU)
	f, u, a := p.F[start:start+n+1], p.U[start:start+n+1], p.A[start:start+n+1]
	below := start + p.Pitch
	belowF, belowU, belowA := p.F[below:][:n], p.U[below:][:n], p.A[below:][:n]
	nextU, nextA := p.NextU[start:][:n], p.NextA[start:][:n]
	inverse, back := p.Inverse[row*p.Pitch:][:n], p.Back[row*p.Pitch:][:n]
	hereF, hereU, hereA := f[0], u[0], a[0]
	left := min(p.F[start-1], hereF) // zero: the slot before a row is empty
	leftU, leftA := left*(hereU-p.U[start-1]), left*(hereA-p.A[start-1])
	for x := range aboveU {
		rightF, rightOldU, rightOldA := f[x+1], u[x+1], a[x+1]
		right, down := min(hereF, rightF), min(hereF, belowF[x])
		rightU, rightA := right*(rightOldU-hereU), right*(rightOldA-hereA)
		downU, downA := down*(belowU[x]-hereU), down*(belowA[x]-hereA)
		per := inverse[x] * (1 + back[x])
		inverse[x] = per
		per *= p.Share
		nextU[x] = hereU + float64(((rightU-leftU)+(downU-aboveU[x]))*per)
		nextA[x] = hereA + float64(((rightA-leftA)+(downA-aboveA[x]))*per)
		leftU, leftA = rightU, rightA
		aboveU[x], aboveA[x] = downU, downA
		hereF, hereU, hereA = rightF, rightOldU, rightOldA
	}
}

// pull is Pull in plain Go.
func pull(du, da, f, u, a, nf, nu, na []float64) {
	da, f, u, a, nf, nu, na = da[:len(du)], f[:len(du)], u[:len(du)], a[:len(du)], nf[:len(du)], nu[:len(du)], na[:len(du)]
	for x := range du {
		s := min(f[x], nf[x])
		du[x] += float64(s * (nu[x] - u[x]))
		da[x] += float64(s * (na[x] - a[x]))
	}
}

// gated is PullGated in plain Go.
func gated(du, da, f, u, a, nf, nu, na, gate []float64) {
	da, f, u, a, nf, nu, na, gate = da[:len(du)], f[:len(du)], u[:len(du)], a[:len(du)], nf[:len(du)], nu[:len(du)], na[:len(du)], gate[:len(du)]
	for x := range du {
		s := min(f[x], nf[x]) * gate[x]
		du[x] += float64(s * (nu[x] - u[x]))
		da[x] += float64(s * (na[x] - a[x]))
	}
}

// settle is Settle in plain Go.
func settle(nextU, nextA, u, a, du, da, inverse, back []float64, share float64) {
	n := len(nextU)
	nextA, u, a, du, da, inverse, back = nextA[:n], u[:n], a[:n], du[:n], da[:n], inverse[:n], back[:n]
	for x := range nextU {
		per := inverse[x] * (1 + back[x])
		inverse[x] = per
		per *= share
		nextU[x] = u[x] + float64(du[x]*per)
		nextA[x] = a[x] + float64(da[x]*per)
	}
}
