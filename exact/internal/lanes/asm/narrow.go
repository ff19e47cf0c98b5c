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

// outSize is the size of a Turned in bytes.
const outSize = 32

// narrowLoop writes the frame of the loop narrow: for each step turns and moves the rows, and writes the sums.
func (v vectors) narrowLoop(step func(rows, n reg.Register) (total vector)) {
	v.begin("narrow", "func(rows *float64, n int, out *float64, steps int)",
		", on n rows, one at least, and for so many steps, one at least. Four sums are written for each step.")
	rows, out := base("rows"), base("out")
	n, steps := avo.Load(avo.Param("n"), avo.GP64()), avo.Load(avo.Param("steps"), avo.GP64())
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

// narrowAVX512 writes the loop narrow with a row in a vector. A row is turned while the one above it is moved, so that what it becomes
// between both stays in registers.
func (v vectors) narrowAVX512() {
	v.narrowLoop(func(rows, n reg.Register) vector {
		s := []vector{v.zero(), v.zero(), v.zero(), v.zero()}
		row, left := avo.GP64(), avo.GP64()
		avo.MOVQ(rows, row)
		avo.MOVQ(n, left)
		aboveU, aboveA := v.zero(), v.zero()
		here := v.turned(row, 0, s)
		avo.DECQ(left)
		avo.JZ(op.LabelRef("last"))
		avo.Label("row")
		below := v.turned(row, rowSize, s)
		v.move(row, here, below, aboveU, aboveA)
		for i := range here {
			avo.VMOVAPD(below[i], here[i])
		}
		avo.ADDQ(op.U32(rowSize), row)
		avo.DECQ(left)
		avo.JNZ(op.LabelRef("row"))
		avo.Label("last")
		zero := v.zero()
		v.move(row, here, [3]vector{zero, zero, zero}, aboveU, aboveA)
		return v.totals(s)
	})
}

// turned turns the row that begins at an offset behind another one, and returns its new f, u and a. Of these it stores f alone.
func (v vectors) turned(row reg.Register, offset int, s []vector) (fua [3]vector) {
	f := v.times(v.load(field(row, offset+rowF)), field(row, offset+rowGrow))
	avo.VMOVUPD(f, field(row, offset+rowF))
	b, c := v.load(field(row, offset+rowBack)), v.load(field(row, offset+rowShift))
	a, u := v.load(field(row, offset+rowA)), v.load(field(row, offset+rowU))
	fb, fc := v.times(f, b), v.times(f, c)
	grow(s[0], fb)
	grow(s[1], v.times(fb, a))
	u = v.add(u, v.add(b, v.times(u, b)))
	grow(s[2], fc)
	grow(s[3], v.times(fc, u))
	return [3]vector{f, u, v.add(a, c)}
}

// move moves a row, given what it and the one below it have turned to, and the fluxes from above, which it replaces by those to below.
func (v vectors) move(row reg.Register, here, below [3]vector, aboveU, aboveA vector) {
	along, across := v.least(here[0], v.rotated(here[0], 1)), v.least(here[0], below[0])
	per := v.times(v.load(field(row, rowInverse)), field(row, rowFall))
	avo.VMOVUPD(per, field(row, rowInverse))
	for i, above := range []vector{aboveU, aboveA} {
		value := here[1+i]
		right := v.times(along, v.minus(v.rotated(value, 1), value))
		side := v.minus(right, v.rotated(right, 7))
		down := v.times(across, v.minus(below[1+i], value))
		sum := v.add(v.minus(down, above), side)
		avo.VMOVAPD(down, above)
		avo.VMOVUPD(v.add(value, v.times(sum, per)), field(row, []int{rowU, rowA}[i]))
	}
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

// narrowAVX2 writes the loop narrow with a row in two vectors. There are too few registers to turn a row while another one is moved.
func (v vectors) narrowAVX2() {
	v.narrowLoop(func(rows, n reg.Register) vector {
		s := v.turnRows(rows, n)
		total := v.totalsOfPairs(s)
		v.moveRows(rows, n)
		return total
	})
}

// turnRows turns all rows, in place.
func (v vectors) turnRows(rows, n reg.Register) (s []pair) {
	for range 4 {
		s = append(s, pair{v.zero(), v.zero()})
	}
	row, left := avo.GP64(), avo.GP64()
	avo.MOVQ(rows, row)
	avo.MOVQ(n, left)
	avo.Label("turn")
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
	avo.JNZ(op.LabelRef("turn"))
	return s
}

// moveRows moves all rows, in place.
func (v vectors) moveRows(rows, n reg.Register) {
	row, left := avo.GP64(), avo.GP64()
	avo.MOVQ(rows, row)
	avo.MOVQ(n, left)
	above := [2]pair{{v.zero(), v.zero()}, {v.zero(), v.zero()}}
	avo.DECQ(left)
	avo.JZ(op.LabelRef("last"))
	avo.Label("move")
	v.movePairs(row, above, func(offset int) vector { return v.load(field(row, rowSize+offset)) })
	avo.ADDQ(op.U32(rowSize), row)
	avo.DECQ(left)
	avo.JNZ(op.LabelRef("move"))
	avo.Label("last")
	v.movePairs(row, above, func(int) vector { return v.zero() })
}

// movePairs is move for a row in two vectors. The function below returns what the row below has at an offset.
func (v vectors) movePairs(row reg.Register, above [2]pair, below func(offset int) vector) {
	var along, across pair
	f := v.loadPair(row, rowF)
	next := v.after(f)
	for k, part := range v.parts() {
		along[k], across[k] = v.least(f[k], next[k]), v.least(f[k], below(rowF+part))
		avo.VMOVUPD(v.times(v.load(field(row, rowInverse+part)), field(row, rowFall+part)), field(row, rowInverse+part))
	}
	for i, offset := range []int{rowU, rowA} {
		value := v.loadPair(row, offset)
		right := v.after(value)
		for k := range right {
			right[k] = v.times(along[k], v.minus(right[k], value[k]))
		}
		left := v.before(right)
		for k, part := range v.parts() {
			down := v.times(across[k], v.minus(below(offset+part), value[k]))
			sum := v.add(v.minus(down, above[i][k]), v.minus(right[k], left[k]))
			avo.VMOVAPD(down, above[i][k])
			avo.VMOVUPD(v.add(value[k], v.times(sum, field(row, rowInverse+part))), field(row, offset+part))
		}
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
