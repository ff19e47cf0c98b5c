package lanes

// narrow is Steps in plain Go.
func narrow(rows []Row, out []Turned) {
	for i := range out {
		out[i] = turnNarrow(rows)
		moveNarrow(rows)
	}
}

// around is StepsAround in plain Go.
func around(rows []Row, out []Turned) {
	for i := range out {
		out[i] = turnNarrow(rows)
		moveAround(rows)
	}
}

// turnNarrow is Turn on narrow rows.
func turnNarrow(rows []Row) Turned {
	var sums [4]partial
	for lane := range Width - 1 { // the last slot of every row is empty
		turnColumn(rows, lane, &sums)
	}
	return totals(&sums)
}

// turnColumn is turnRowLane on narrow rows, without the edges.
func turnColumn(rows []Row, lane int, sums *[4]partial) {
	lane &= Width - 1
	var sumB, sumBA, sumC, sumCU float64
	for i := range rows {
		r := &rows[i]
		v, b := r.F[lane]*r.Grow[lane], r.Back[lane]
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

// moveNarrow is cross on narrow rows, in place. The flux from above is kept in SideU and SideA of the row that it comes from.
func moveNarrow(rows []Row) {
	var none Row
	above := &none
	for i := range rows {
		here, below := &rows[i], &none
		if i+1 < len(rows) {
			below = &rows[i+1]
		}
		here.move(above, below)
		above = here
	}
}

// move moves one narrow row. Its comparisons find the smaller f faster than min does, whose care for NaN is not needed.
func (r *Row) move(above, below *Row) {
	f, u, a := r.F[0], r.U[0], r.A[0]
	leftU, leftA := 0*(u-r.U[Width-1]), 0*(a-r.A[Width-1]) // the slot before the first is empty
	for x := range Width - 1 {
		rightF, rightOldU, rightOldA := r.F[x+1], r.U[x+1], r.A[x+1]
		right, down := f, f
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
		leftU, leftA, f, u, a = rightU, rightA, rightF, rightOldU, rightOldA
	}
}

// moveAround is moveNarrow for eight neighbours.
func moveAround(rows []Row) {
	var none Row
	var lossU, lossA partial // what the values lose to the row above
	for i := range rows {
		here, below := &rows[i], &none
		if i+1 < len(rows) {
			below = &rows[i+1]
		}
		for x := range here.Inverse {
			here.Inverse[x] *= here.Fall[x]
		}
		exchange(here, &here.U, below, &below.U, &lossU)
		exchange(here, &here.A, below, &below.A, &lossA)
	}
}

// exchange moves the values of a row, and replaces what they lose to the row above by what the values of the row below lose to them. An
// edge that leads beyond an end of the row goes round to the empty slot at the other one, where nothing flows.
func exchange(here *Row, value *partial, below *Row, belowValue *partial, loss *partial) {
	var right, down, fore, back partial // the fluxes from there
	flux := func(x int, f, v float64) float64 { return float64(lesser(here.F[x], f) * (v - value[x])) }
	for x := range Width {
		after, before := (x+1)%Width, (x+Width-1)%Width
		right[x] = flux(x, here.F[after], value[after])
		down[x] = flux(x, below.F[x], belowValue[x])
		fore[x] = flux(x, below.F[after], belowValue[after])
		back[x] = flux(x, below.F[before], belowValue[before])
	}
	for x := range Width {
		after, before := (x+1)%Width, (x+Width-1)%Width
		sum := (right[x] - right[before]) + (((down[x] + fore[x]) + back[x]) - loss[x])
		value[x] += float64(sum * here.Inverse[x])
		loss[x] = (down[x] + fore[before]) + back[after]
	}
}

// lesser is min without its care for NaN.
func lesser(a, b float64) float64 {
	if b < a {
		return b
	}
	return a
}
