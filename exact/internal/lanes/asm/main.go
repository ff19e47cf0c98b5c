// Command asm writes the assembly of package lanes: every loop with the vectors of AVX2, which hold
// four numbers, and with those of AVX-512, which hold eight. It stands in a module of its own, so
// that other packages do not depend on its assembler library.
//
// Each loop does the operations of its form in plain Go, in the same order. It never fuses a
// multiplication and an addition. Loops take a whole number of vectors of eight numbers, as the
// rest is done in plain Go, and end with VZEROUPPER, so that code without vectors runs at full
// speed after them.
package main

import (
	"github.com/mmcloughlin/avo/attr"
	avo "github.com/mmcloughlin/avo/build"
	op "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	avo.ConstraintExpr("!noasm")
	one := avo.ConstData("one", op.F64(1))
	series := []op.Mem{
		avo.ConstData("nearest", op.F64(-1e-3)), avo.ConstData("half", op.F64(0.5)),
		avo.ConstData("third", op.F64(1./3)),
		avo.ConstData("quarter", op.F64(0.25)), avo.ConstData("fifth", op.F64(0.2)),
	}
	for _, v := range []vectors{
		{name: "AVX2", size: 32, register: func() vector { return avo.YMM() }},
		{name: "AVX512", size: 64, register: func() vector { return avo.ZMM() }},
	} {
		v.one = one
		v.series = series
		v.advance()
		v.gather()
		v.gatherFour()
		v.rebase()
		v.reweight()
		v.applyKernel()
		v.addFlux("addFlux", false)
		v.addFlux("addGatedFlux", true)
		v.applyFlux()
		v.fold()
		v.mean()
		v.inverse()
		if v.size == 64 {
			v.narrowAVX512("narrow", v.applyRow)
			v.narrowAVX512("around", v.applyRowAround)
		} else {
			v.addTerms()
			v.narrowAVX2("narrow", v.applyPairs)
			v.narrowAVX2("around", v.applyPairsAround)
		}
	}
	avo.Generate()
}

// group is the number of bytes of the eight numbers that a loop takes at a time.
const group = 64

type vector = reg.VecVirtual

// vectors are those of one set of instructions.
type vectors struct {
	name     string // the end of the names of the loops
	size     int    // of a vector in bytes
	register func() vector
	one      op.Mem // the number one
	series   []op.Mem
}

// begin begins a loop with this signature.
func (v vectors) begin(name, signature, doc string) {
	avo.TEXT(name+v.name, attr.NOSPLIT, signature)
	avo.Doc(name + v.name + " is " + name + " with the vectors of " + v.name + doc)
	avo.Pragma("noescape")
}

// end ends a loop.
func end() {
	avo.VZEROUPPER()
	avo.RET()
}

// parts are the offsets of the vectors of a group.
func (v vectors) parts() (offsets []int) {
	for at := 0; at < group; at += v.size {
		offsets = append(offsets, at)
	}
	return offsets
}

// over calls body for all groups of n numbers, with the offset of each in a register. Its operand n
// is a register or in memory.
func over(n op.Op, body func(at reg.GPVirtual)) {
	at := avo.GP64()
	avo.XORQ(at, at)
	avo.CMPQ(at, n)
	avo.JGE(op.LabelRef("done"))
	avo.Label("group")
	body(at)
	avo.ADDQ(op.Imm(group/8), at)
	avo.CMPQ(at, n)
	avo.JLT(op.LabelRef("group"))
	avo.Label("done")
}

// base returns an operand at a pointer of the signature.
func base(name string) reg.Register { return avo.Load(avo.Param(name), avo.GP64()) }

// slice returns the address of the numbers of a slice of the signature.
func slice(name string) reg.Register { return avo.Load(avo.Param(name).Base(), avo.GP64()) }

// at returns the place of number index+offset/8 behind a pointer.
func at(pointer, index reg.Register, offset int) op.Mem {
	return op.Mem{Base: pointer, Index: index, Scale: 8, Disp: offset}
}

func (v vectors) load(m op.Mem) vector {
	r := v.register()
	avo.VMOVUPD(m, r)
	return r
}

func (v vectors) zero() vector {
	r := v.register()
	if v.size == 64 {
		avo.VPXORQ(r, r, r)
	} else {
		avo.VXORPD(r, r, r)
	}
	return r
}

// all returns a vector of the same number.
func (v vectors) all(m op.Mem) vector {
	r := v.register()
	avo.VBROADCASTSD(m, r)
	return r
}

// add returns x + y, times x y, minus x - y, and least the smaller one of x and y. The second
// operand may be in memory.
func (v vectors) add(x vector, y op.Op) vector {
	r := v.register()
	avo.VADDPD(y, x, r)
	return r
}

func (v vectors) minus(x vector, y op.Op) vector {
	r := v.register()
	avo.VSUBPD(y, x, r)
	return r
}

func (v vectors) times(x vector, y op.Op) vector {
	r := v.register()
	avo.VMULPD(y, x, r)
	return r
}

func (v vectors) least(x vector, y op.Op) vector {
	r := v.register()
	avo.VMINPD(y, x, r)
	return r
}

// grow adds to a vector, in place.
func grow(sum vector, y op.Op) { avo.VADDPD(y, sum, sum) }

// sums are partial sums that stay in registers: of each sum as many vectors as a group has.
type sums [][]vector

// loadSums loads the given number of sums from a pointer.
func (v vectors) loadSums(from reg.Register, count int) sums {
	s := make(sums, count)
	for i := range s {
		for _, part := range v.parts() {
			s[i] = append(s[i], v.load(op.Mem{Base: from, Disp: i*group + part}))
		}
	}
	return s
}

func (v vectors) storeSums(s sums, to reg.Register) {
	for i := range s {
		for k, part := range v.parts() {
			avo.VMOVUPD(s[i][k], op.Mem{Base: to, Disp: i*group + part})
		}
	}
}
