package main

import (
	avo "github.com/mmcloughlin/avo/build"
	op "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The arrays of a Row, in bytes behind its beginning, and its size.
const (
	rowF = iota * group
	rowGrow
	rowBack
	rowShift
	rowU
	rowA
	rowInverse
	rowFall
	rowSideU
	rowSideA
	rowSize
)

// outSize is the size of StageSums in bytes.
const outSize = 32

// narrowLoop writes the frame of the loop narrow, or around: for each step reweights the rows,
// applies the kernel to them, and writes the sums.
func (v vectors) narrowLoop(name string, step func(rows, n reg.Register) (total vector)) {
	v.begin(name, "func(rows *float64, n int, out *float64, steps int)",
		", on n rows and for the given number of steps, each at least one. Four sums are written for each step.")
	rows := base("rows")
	out := base("out")
	n := avo.Load(avo.Param("n"), avo.GP64())
	steps := avo.Load(avo.Param("steps"), avo.GP64())
	avo.Label("step")
	total := step(rows, n)
	if v.size == 64 {
		avo.VEXTRACTF64X4(op.Imm(0), total, op.Mem{Base: out})
	} else {
		avo.VMOVUPD(total, op.Mem{Base: out})
	}
	avo.ADDQ(op.Imm(outSize), out)
	avo.DECQ(steps)
	avo.JNZ(op.LabelRef("step"))
	end()
}

// field is a vector of a row.
func field(row reg.Register, offset int) op.Mem { return op.Mem{Base: row, Disp: offset} }

// applier512 applies the kernel to a row in a vector, given the reweighted row and the one below
// it, and what either value loses to the row above, which it replaces by what the row below loses
// to this one.
type applier512 func(row reg.Register, here, below [3]vector, lossU, lossA vector)

// narrowAVX512 writes the loop narrow, or around, with a row in a vector. A row is reweighted while
// the kernel is applied to the one above it, so that what it becomes between both stays in
// registers.
func (v vectors) narrowAVX512(name string, apply applier512) {
	v.narrowLoop(name, func(rows, n reg.Register) vector {
		s := []vector{v.zero(), v.zero(), v.zero(), v.zero()}
		row := avo.GP64()
		left := avo.GP64()
		avo.MOVQ(rows, row)
		avo.MOVQ(n, left)
		lossU, lossA := v.zero(), v.zero()
		here := v.reweighted(row, 0, s)
		avo.DECQ(left)
		avo.JZ(op.LabelRef("last"))
		avo.Label("row")
		below := v.reweighted(row, rowSize, s)
		apply(row, here, below, lossU, lossA)
		for i := range here {
			avo.VMOVAPD(below[i], here[i])
		}
		avo.ADDQ(op.U32(rowSize), row)
		avo.DECQ(left)
		avo.JNZ(op.LabelRef("row"))
		avo.Label("last")
		zero := v.zero()
		apply(row, here, [3]vector{zero, zero, zero}, lossU, lossA)
		return v.totals(s)
	})
}

// reweighted reweights the row that begins at an offset behind another one, and returns its new f,
// u and a. Of these it stores f alone.
func (v vectors) reweighted(row reg.Register, offset int, s []vector) (fua [3]vector) {
	f := v.times(v.load(field(row, offset+rowF)), field(row, offset+rowGrow))
	avo.VMOVUPD(f, field(row, offset+rowF))
	b := v.load(field(row, offset+rowBack))
	c := v.load(field(row, offset+rowShift))
	a := v.load(field(row, offset+rowA))
	u := v.load(field(row, offset+rowU))
	fb, fc := v.times(f, b), v.times(f, c)
	grow(s[0], fb)
	grow(s[1], v.times(fb, a))
	u = v.add(u, v.add(b, v.times(u, b)))
	grow(s[2], fc)
	grow(s[3], v.times(fc, u))
	return [3]vector{f, u, v.add(a, c)}
}

// applyRow applies the kernel with four neighbours to a row.
func (v vectors) applyRow(row reg.Register, here, below [3]vector, lossU, lossA vector) {
	along := v.least(here[0], v.rotated(here[0], 1))
	across := v.least(here[0], below[0])
	per := v.per(row)
	for i, loss := range []vector{lossU, lossA} {
		value := here[1+i]
		right := v.times(along, v.minus(v.rotated(value, 1), value))
		side := v.minus(right, v.rotated(right, 7))
		down := v.times(across, v.minus(below[1+i], value))
		sum := v.add(v.minus(down, loss), side)
		avo.VMOVAPD(down, loss)
		avo.VMOVUPD(v.add(value, v.times(sum, per)), field(row, []int{rowU, rowA}[i]))
	}
}

// applyRowAround applies the kernel with eight neighbours to a row.
func (v vectors) applyRowAround(row reg.Register, here, below [3]vector, lossU, lossA vector) {
	along := v.least(here[0], v.rotated(here[0], 1))
	across := v.least(here[0], below[0])
	ahead := v.least(here[0], v.rotated(below[0], 1))
	behind := v.least(here[0], v.rotated(below[0], 7))
	per := v.per(row)
	for i, loss := range []vector{lossU, lossA} {
		value := here[1+i]
		right := v.times(along, v.minus(v.rotated(value, 1), value))
		side := v.minus(right, v.rotated(right, 7))
		down := v.times(across, v.minus(below[1+i], value))
		fore := v.times(ahead, v.minus(v.rotated(below[1+i], 1), value))
		back := v.times(behind, v.minus(v.rotated(below[1+i], 7), value))
		sum := v.add(side, v.minus(v.add(v.add(down, fore), back), loss))
		avo.VADDPD(v.rotated(fore, 7), down, loss)
		grow(loss, v.rotated(back, 1))
		avo.VMOVUPD(v.add(value, v.times(sum, per)), field(row, []int{rowU, rowA}[i]))
	}
}

// per brings the inverse of a row to this step, and returns it.
func (v vectors) per(row reg.Register) vector {
	per := v.times(v.load(field(row, rowInverse)), field(row, rowFall))
	avo.VMOVUPD(per, field(row, rowInverse))
	return per
}

// rotated returns a vector of eight whose number i is number i+by of another one, counted round.
func (v vectors) rotated(x vector, by uint64) vector {
	r := v.register()
	avo.VALIGNQ(op.Imm(by), x, x, r)
	return r
}

// totals returns the sums of four vectors of eight, halves first, in the first four places.
func (v vectors) totals(s []vector) vector {
	shuffled := func(order uint64, x, y vector) vector {
		r := v.register()
		avo.VSHUFF64X2(op.Imm(order), y, x, r)
		return r
	}
	fours := func(x, y vector) vector { return v.add(shuffled(0x44, x, y), shuffled(0xee, x, y)) }
	x, y := fours(s[0], s[1]), fours(s[2], s[3])
	twos := v.add(shuffled(0x88, x, y), shuffled(0xdd, x, y))
	other := v.register()
	avo.VPERMILPD(op.Imm(0x55), twos, other)
	ones := v.add(twos, other) // each sum twice
	out := v.register()
	avo.VPERMPD(op.Imm(0x08), ones, out) // both sums of each half, in its first two places
	return shuffled(0x08, out, out)
}

// pair are the two halves of a row.
type pair [2]vector

// applier256 applies the kernel to a row in two vectors. The function below returns what the row
// below has at an offset. Memory begins with what the two values lose to the row above, which it
// replaces by what the row below loses to this one.
type applier256 func(row reg.Register, memory []op.Mem, below func(offset int) vector)

// narrowAVX2 writes the loop narrow, or around, with a row in two vectors. There are too few
// registers to reweight a row while the kernel is applied to another one.
func (v vectors) narrowAVX2(name string, apply applier256) {
	v.narrowLoop(name, func(rows, n reg.Register) vector {
		s := v.reweightRows(rows, n)
		total := v.totalsOfPairs(s)
		v.applyRows(rows, n, apply)
		return total
	})
}

// reweightRows reweights all rows, in place.
func (v vectors) reweightRows(rows, n reg.Register) (s []pair) {
	for range 4 {
		s = append(s, pair{v.zero(), v.zero()})
	}
	row := avo.GP64()
	left := avo.GP64()
	avo.MOVQ(rows, row)
	avo.MOVQ(n, left)
	avo.Label("reweight")
	for k, part := range v.parts() {
		f := v.times(v.load(field(row, rowF+part)), field(row, rowGrow+part))
		avo.VMOVUPD(f, field(row, rowF+part))
		b, a := v.load(field(row, rowBack+part)), v.load(field(row, rowA+part))
		fb := v.times(f, b)
		grow(s[0][k], fb)
		grow(s[1][k], v.times(fb, a))
		u := v.load(field(row, rowU+part))
		u = v.add(u, v.add(b, v.times(u, b)))
		avo.VMOVUPD(u, field(row, rowU+part))
		c := v.load(field(row, rowShift+part))
		avo.VMOVUPD(v.add(a, c), field(row, rowA+part))
		fc := v.times(f, c)
		grow(s[2][k], fc)
		grow(s[3][k], v.times(fc, u))
	}
	avo.ADDQ(op.U32(rowSize), row)
	avo.DECQ(left)
	avo.JNZ(op.LabelRef("reweight"))
	return s
}

// applyRows applies the kernel to all rows, in place.
func (v vectors) applyRows(rows, n reg.Register, apply applier256) {
	row := avo.GP64()
	left := avo.GP64()
	avo.MOVQ(rows, row)
	avo.MOVQ(n, left)
	var memory []op.Mem
	for range 6 {
		memory = append(memory, avo.AllocLocal(group))
	}
	for _, loss := range memory[:2] {
		v.storePair(pair{v.zero(), v.zero()}, loss)
	}
	avo.DECQ(left)
	avo.JZ(op.LabelRef("last"))
	avo.Label("apply")
	apply(row, memory, func(offset int) vector { return v.load(field(row, rowSize+offset)) })
	avo.ADDQ(op.U32(rowSize), row)
	avo.DECQ(left)
	avo.JNZ(op.LabelRef("apply"))
	avo.Label("last")
	apply(row, memory, func(int) vector { return v.zero() })
}

// applyPairs applies the kernel with four neighbours to a row.
func (v vectors) applyPairs(row reg.Register, loss []op.Mem, below func(offset int) vector) {
	var along, across pair
	f := v.loadPair(row, rowF)
	next := v.after(f)
	for k, part := range v.parts() {
		along[k], across[k] = v.least(f[k], next[k]), v.least(f[k], below(rowF+part))
	}
	v.perPair(row)
	for i, offset := range []int{rowU, rowA} {
		value := v.loadPair(row, offset)
		right := v.after(value)
		for k := range right {
			right[k] = v.times(along[k], v.minus(right[k], value[k]))
		}
		left := v.before(right)
		for k, part := range v.parts() {
			down := v.times(across[k], v.minus(below(offset+part), value[k]))
			sum := v.add(v.minus(down, loss[i].Offset(part)), v.minus(right[k], left[k]))
			avo.VMOVUPD(down, loss[i].Offset(part))
			avo.VMOVUPD(v.add(value[k], v.times(sum, field(row, rowInverse+part))), field(row, offset+part))
		}
	}
}

// applyPairsAround applies the kernel with eight neighbours to a row. The smaller f of either end
// of its edges are in memory.
func (v vectors) applyPairsAround(row reg.Register, memory []op.Mem, below func(offset int) vector) {
	loss := memory[:2]
	edges := memory[2:]
	belowPair := func(offset int) (p pair) {
		for k, part := range v.parts() {
			p[k] = below(offset + part)
		}
		return p
	}
	f := v.loadPair(row, rowF)
	belowF := belowPair(rowF)
	for i, other := range []func() pair{
		func() pair { return v.after(f) }, func() pair { return belowF },
		func() pair { return v.after(belowF) }, func() pair { return v.before(belowF) },
	} {
		end := other()
		v.storePair(pair{v.least(f[0], end[0]), v.least(f[1], end[1])}, edges[i])
	}
	v.perPair(row)
	for i, offset := range []int{rowU, rowA} {
		value := v.loadPair(row, offset)
		flux := func(to pair, edge int) (out pair) {
			for k, part := range v.parts() {
				out[k] = v.times(v.minus(to[k], value[k]), edges[edge].Offset(part))
			}
			return out
		}
		both := func(x, y pair) pair { return pair{v.add(x[0], y[0]), v.add(x[1], y[1])} }
		right := flux(v.after(value), 0)
		left := v.before(right)
		side := pair{v.minus(right[0], left[0]), v.minus(right[1], left[1])}
		belowValue := belowPair(offset)
		down := flux(belowValue, 1)
		fore := flux(v.after(belowValue), 2)
		gain := both(down, fore)
		next := both(down, v.before(fore))
		back := flux(v.before(belowValue), 3)
		gain, next = both(gain, back), both(next, v.after(back))
		for k, part := range v.parts() {
			sum := v.add(side[k], v.minus(gain[k], loss[i].Offset(part)))
			avo.VMOVUPD(v.add(value[k], v.times(sum, field(row, rowInverse+part))), field(row, offset+part))
		}
		v.storePair(next, loss[i])
	}
}

// perPair brings the inverse of a row to this step, in memory.
func (v vectors) perPair(row reg.Register) {
	for _, part := range v.parts() {
		avo.VMOVUPD(v.times(v.load(field(row, rowInverse+part)), field(row, rowFall+part)),
			field(row, rowInverse+part))
	}
}

func (v vectors) storePair(p pair, to op.Mem) {
	for k, part := range v.parts() {
		avo.VMOVUPD(p[k], to.Offset(part))
	}
}

func (v vectors) loadPair(row reg.Register, offset int) (p pair) {
	for k, part := range v.parts() {
		p[k] = v.load(field(row, offset+part))
	}
	return p
}

// after returns the eight numbers that stand behind those of a row, counted round.
func (v vectors) after(x pair) pair { return v.swapped(x, 0x39, 0b1000) }

// before returns the eight numbers that stand before those of a row, counted round.
func (v vectors) before(x pair) pair { return v.swapped(x, 0x93, 0b0001) }

// swapped permutes each half of a row, and swaps those numbers of both whose bits are set.
func (v vectors) swapped(x pair, order, swap uint64) (out pair) {
	var p pair
	for k := range p {
		p[k] = v.register()
		avo.VPERMPD(op.Imm(order), x[k], p[k])
	}
	for k := range out {
		out[k] = v.register()
		avo.VBLENDPD(op.Imm(swap), p[1-k], p[k], out[k])
	}
	return out
}

// totalsOfPairs is totals where eight numbers are two vectors.
func (v vectors) totalsOfPairs(s []pair) vector {
	half := func(order uint64, x, y vector) vector {
		r := v.register()
		avo.VPERM2F128(op.Imm(order), y, x, r)
		return r
	}
	twos := func(x, y pair) vector {
		p, q := v.add(x[0], x[1]), v.add(y[0], y[1])
		return v.add(half(0x20, p, q), half(0x31, p, q))
	}
	x, y := twos(s[0], s[2]), twos(s[1], s[3])
	out := v.register()
	avo.VHADDPD(y, x, out)
	return out
}
