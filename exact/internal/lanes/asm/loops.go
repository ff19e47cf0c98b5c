package main

import (
	"fmt"

	avo "github.com/mmcloughlin/avo/build"
	op "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// advance writes the loop advance.
func (v vectors) advance() {
	v.begin("advance", "func(f, inverse, rise, back []float64, total *[8]float64)", ".")
	f := slice("f")
	inverse := slice("inverse")
	rise := slice("rise")
	back := slice("back")
	total := base("total")
	n := avo.Load(avo.Param("f").Len(), avo.GP64())
	s := v.loadSums(total, 1)
	over(n, func(x reg.GPVirtual) {
		for k, part := range v.parts() {
			b := v.load(at(back, x, part))
			old := v.load(at(f, x, part))
			now := v.add(old, v.times(old, at(rise, x, part)))
			avo.VMOVUPD(now, at(f, x, part))
			inv := v.load(at(inverse, x, part))
			avo.VMOVUPD(v.add(inv, v.times(inv, b)), at(inverse, x, part))
			grow(s[0][k], v.times(now, b))
		}
	})
	v.storeSums(s, total)
	end()
}

// gather writes the loop gather. An entry of a row is a whole number and then a number.
func (v vectors) gather() {
	v.begin("gather", "func(out, at *[8]float64, row *int, n int)", ".")
	out := base("out")
	from := base("at")
	row := base("row")
	n := base("n")
	var sum []vector
	for range v.parts() {
		sum = append(sum, v.zero())
	}
	avo.Label("entry")
	to := avo.GP64()
	avo.MOVQ(op.Mem{Base: row}, to)
	avo.SHLQ(op.Imm(6), to) // 64 bytes
	p := v.all(op.Mem{Base: row, Disp: 8})
	for k, part := range v.parts() {
		grow(sum[k], v.times(p, op.Mem{Base: from, Index: to, Scale: 1, Disp: part}))
	}
	avo.ADDQ(op.Imm(16), row)
	avo.DECQ(n)
	avo.JNZ(op.LabelRef("entry"))
	for k, part := range v.parts() {
		avo.VMOVUPD(sum[k], op.Mem{Base: out, Disp: part})
	}
	end()
}

// gatherFour writes the loop gatherFour, whose steps are in bytes. The four sums of an entry do not
// wait for each other.
func (v vectors) gatherFour() {
	v.begin("gatherFour", "func(out, at *[8]float64, outStep, atStep int, row *int, n int)", ".")
	out := base("out")
	from := base("at")
	outStep := base("outStep")
	atStep := base("atStep")
	row := base("row")
	n := base("n")
	var sum [4][]vector
	for g := range sum {
		for range v.parts() {
			sum[g] = append(sum[g], v.zero())
		}
	}
	avo.Label("entry")
	to := avo.GP64()
	avo.MOVQ(op.Mem{Base: row}, to)
	avo.SHLQ(op.Imm(6), to) // 64 bytes
	avo.ADDQ(from, to)
	p := v.all(op.Mem{Base: row, Disp: 8})
	for g := range sum {
		for k, part := range v.parts() {
			grow(sum[g][k], v.times(p, op.Mem{Base: to, Disp: part}))
		}
		if g+1 < len(sum) {
			avo.ADDQ(atStep, to)
		}
	}
	avo.ADDQ(op.Imm(16), row)
	avo.DECQ(n)
	avo.JNZ(op.LabelRef("entry"))
	for g := range sum {
		for k, part := range v.parts() {
			avo.VMOVUPD(sum[g][k], op.Mem{Base: out, Disp: part})
		}
		avo.ADDQ(outStep, out)
	}
	end()
}

// rebase writes the loop rebase.
func (v vectors) rebase() {
	v.begin("rebase", "func(u, a, f, shift, back []float64, factor, offset float64, sums *[3][8]float64)", ".")
	u := slice("u")
	a := slice("a")
	f := slice("f")
	shift := slice("shift")
	back := slice("back")
	factor := v.all(address("factor"))
	offset := v.all(address("offset"))
	to := base("sums")
	n := avo.Load(avo.Param("u").Len(), avo.GP64())
	s := v.loadSums(to, 3)
	over(n, func(x reg.GPVirtual) {
		for k, part := range v.parts() {
			e := v.add(v.times(v.load(at(back, x, part)), factor), offset)
			w := v.load(at(u, x, part))
			w = v.add(w, v.add(e, v.times(w, e)))
			avo.VMOVUPD(w, at(u, x, part))
			here := v.load(at(f, x, part))
			old := v.load(at(a, x, part))
			c := v.load(at(shift, x, part))
			grow(s[2][k], v.times(v.times(here, e), old))
			avo.VMOVUPD(v.add(old, c), at(a, x, part))
			weighted := v.times(here, c)
			grow(s[0][k], weighted)
			grow(s[1][k], v.times(weighted, w))
		}
	})
	v.storeSums(s, to)
	end()
}

// address returns the place of a number of the signature.
func address(name string) op.Mem {
	b, err := avo.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// reweight writes the loop reweight.
func (v vectors) reweight() {
	v.begin("reweight", "func(f, grow, back, shift, u, a, toF, toU, toA *float64, sums *[4][8]float64, n int)",
		", on n numbers of each array.")
	f := base("f")
	grown := base("grow")
	back := base("back")
	shift := base("shift")
	u := base("u")
	a := base("a")
	toF, toU, toA := base("toF"), base("toU"), base("toA")
	to := base("sums")
	s := v.loadSums(to, 4)
	over(address("n"), func(x reg.GPVirtual) {
		for k, part := range v.parts() {
			now := v.times(v.load(at(f, x, part)), at(grown, x, part))
			avo.VMOVUPD(now, at(f, x, part))
			avo.VMOVUPD(now, at(toF, x, part))
			b := v.load(at(back, x, part))
			fb := v.times(now, b)
			grow(s[0][k], fb)
			old := v.load(at(a, x, part))
			grow(s[1][k], v.times(fb, old))
			w := v.load(at(u, x, part))
			w = v.add(w, v.add(b, v.times(w, b)))
			avo.VMOVUPD(w, at(toU, x, part))
			c := v.load(at(shift, x, part))
			avo.VMOVUPD(v.add(old, c), at(toA, x, part))
			fc := v.times(now, c)
			grow(s[2][k], fc)
			grow(s[3][k], v.times(fc, w))
		}
	})
	v.storeSums(s, to)
	end()
}

// applyKernel writes the loop applyKernel. The flux along the edge to the left of a vector is the
// last one of the vector before.
func (v vectors) applyKernel() {
	v.begin("applyKernel",
		"func(f, u, a, belowF, belowU, belowA, inverse, back, nextU, nextA, fluxU, fluxA *float64, share "+
			"float64, n int)",
		", on n numbers of each array.")
	f := base("f")
	u := base("u")
	a := base("a")
	belowF, belowU, belowA := base("belowF"), base("belowU"), base("belowA")
	inverse := base("inverse")
	back := base("back")
	nextU := base("nextU")
	nextA := base("nextA")
	fluxU, fluxA := base("fluxU"), base("fluxA")
	share := v.all(address("share"))
	one := v.all(v.one)
	beforeU, beforeA := v.zero(), v.zero()
	over(address("n"), func(x reg.GPVirtual) {
		for _, part := range v.parts() {
			here := v.load(at(f, x, part))
			right := v.least(here, at(f, x, part+8))
			down := v.least(here, at(belowF, x, part))
			per := v.times(v.add(one, at(back, x, part)), at(inverse, x, part))
			avo.VMOVUPD(per, at(inverse, x, part))
			per = v.times(per, share)
			for _, one := range []struct{ value, below, next, flux, before reg.Register }{
				{u, belowU, nextU, fluxU, beforeU}, {a, belowA, nextA, fluxA, beforeA},
			} {
				value := v.load(at(one.value, x, part))
				along := v.times(v.minus(v.load(at(one.value, x, part+8)), value), right)
				sum := v.minus(along, v.behind(one.before.(vector), along))
				avo.VMOVAPD(along, one.before)
				across := v.times(v.minus(v.load(at(one.below, x, part)), value), down)
				sum = v.add(sum, v.minus(across, at(one.flux, x, part)))
				avo.VMOVUPD(across, at(one.flux, x, part))
				avo.VMOVUPD(v.add(value, v.times(sum, per)), at(one.next, x, part))
			}
		}
	})
	end()
}

// behind returns the last number of a vector before, and all but the last of this one.
func (v vectors) behind(before, this vector) vector {
	r := v.register()
	if v.size == 64 {
		avo.VALIGNQ(op.Imm(7), before, this, r)
		return r
	}
	// the upper half of the one before, the lower half of this one
	avo.VPERM2F128(op.Imm(0x21), this, before, r)
	avo.VSHUFPD(op.Imm(0b0101), this, r, r)
	return r
}

// addFlux writes the loop addFlux, or addGatedFlux.
func (v vectors) addFlux(name string, gates bool) {
	arrays := "du, da, f, u, a, nf, nu, na"
	if gates {
		arrays += ", gate"
	}
	v.begin(name, "func("+arrays+" []float64)", ".")
	du := slice("du")
	da := slice("da")
	f := slice("f")
	u := slice("u")
	a := slice("a")
	nf := slice("nf")
	nu := slice("nu")
	na := slice("na")
	var gate reg.Register
	if gates {
		gate = slice("gate")
	}
	n := avo.Load(avo.Param("du").Len(), avo.GP64())
	over(n, func(x reg.GPVirtual) {
		for _, part := range v.parts() {
			s := v.least(v.load(at(f, x, part)), at(nf, x, part))
			if gates {
				s = v.times(s, at(gate, x, part))
			}
			for _, one := range []struct{ to, value, next reg.Register }{{du, u, nu}, {da, a, na}} {
				flux := v.times(s, v.minus(v.load(at(one.next, x, part)), at(one.value, x, part)))
				avo.VMOVUPD(v.add(flux, at(one.to, x, part)), at(one.to, x, part))
			}
		}
	})
	end()
}

// addTerms writes the loop addTerms. It sums the series only if a number of a vector needs it.
func (v vectors) addTerms() {
	v.begin("addTerms", "func(du, da, refused, f, logf, nf, nlogf, nu, na, gate []float64)", ".")
	du := slice("du")
	da := slice("da")
	refused := slice("refused")
	f := slice("f")
	logf := slice("logf")
	nf := slice("nf")
	nlogf := slice("nlogf")
	nu := slice("nu")
	na := slice("na")
	gate := slice("gate")
	one := v.all(v.one)
	zero := v.zero()
	var c []vector
	for _, m := range v.series {
		c = append(c, v.all(m))
	}
	over(avo.Load(avo.Param("du").Len(), avo.GP64()), func(x reg.GPVirtual) {
		for _, part := range v.parts() {
			here := v.load(at(f, x, part))
			there := v.load(at(nf, x, part))
			open := v.load(at(gate, x, part))
			s := v.times(v.least(here, there), open)
			for _, one := range []struct{ to, next reg.Register }{{du, nu}, {da, na}} {
				avo.VMOVUPD(v.add(v.times(s, at(one.next, x, part)), at(one.to, x, part)), at(one.to, x, part))
			}
			r := v.minus(v.load(at(nlogf, x, part)), at(logf, x, part))
			d := v.minus(here, there)
			near := v.where(r, c[0], zero)
			far := fmt.Sprint("far", part)
			avo.JZ(op.LabelRef(far))
			sum := v.add(one, v.times(r, c[4]))
			sum = v.add(one, v.times(v.times(r, c[3]), sum))
			sum = v.add(one, v.times(v.times(r, c[2]), sum))
			sum = v.add(r, v.times(v.times(v.times(r, r), c[1]), sum))
			v.take(near, v.minus(zero, v.times(here, sum)), d, d)
			avo.Label(far)
			v.take(r, d, zero, d) // where r has a sign
			avo.VMOVUPD(v.add(v.times(d, open), at(refused, x, part)), at(refused, x, part))
		}
	})
	end()
}

// where returns the mask of the numbers of r between two others, and sets the flag of zero if there
// are none. It is for AVX2, of which masks are vectors, and their signs count.
func (v vectors) where(r, low, high vector) reg.Register {
	near := v.register()
	below := v.register()
	avo.VCMPPD(op.Imm(0x1e), low, r, near)
	avo.VCMPPD(op.Imm(0x11), high, r, below)
	avo.VANDPD(below, near, near)
	avo.VPTEST(near, near)
	return near
}

// take writes the numbers of x where a mask is set, and else those of y.
func (v vectors) take(mask reg.Register, x, y, to vector) {
	avo.VBLENDVPD(mask, x, y, to)
}

// applyFlux writes the loop applyFlux.
func (v vectors) applyFlux() {
	v.begin("applyFlux", "func(nextU, nextA, u, a, du, da, inverse, back []float64, share float64)", ".")
	nextU := slice("nextU")
	nextA := slice("nextA")
	u := slice("u")
	a := slice("a")
	du := slice("du")
	da := slice("da")
	inverse := slice("inverse")
	back := slice("back")
	share := v.all(address("share"))
	one := v.all(v.one)
	n := avo.Load(avo.Param("nextU").Len(), avo.GP64())
	over(n, func(x reg.GPVirtual) {
		for _, part := range v.parts() {
			per := v.times(v.add(one, at(back, x, part)), at(inverse, x, part))
			avo.VMOVUPD(per, at(inverse, x, part))
			per = v.times(per, share)
			for _, one := range []struct{ next, value, change reg.Register }{{nextU, u, du}, {nextA, a, da}} {
				avo.VMOVUPD(v.add(v.times(per, at(one.change, x, part)), at(one.value, x, part)),
					at(one.next, x, part))
			}
		}
	})
	end()
}

// fold writes the loop fold.
func (v vectors) fold() {
	v.begin("fold", "func(row, v, w, next, image []float64, a, b, c float64, total *[8]float64)", ".")
	row := slice("row")
	first := slice("v")
	second := slice("w")
	next := slice("next")
	image := slice("image")
	a, b, c := v.all(address("a")), v.all(address("b")), v.all(address("c"))
	total := base("total")
	n := avo.Load(avo.Param("row").Len(), avo.GP64())
	s := v.loadSums(total, 1)
	over(n, func(x reg.GPVirtual) {
		for k, part := range v.parts() {
			r := v.minus(v.load(at(row, x, part)),
				v.add(v.times(a, at(second, x, part)), v.times(b, at(first, x, part))))
			avo.VMOVUPD(r, at(row, x, part))
			avo.VMOVUPD(v.add(v.times(c, r), at(image, x, part)), at(image, x, part))
			grow(s[0][k], v.times(r, at(next, x, part)))
		}
	})
	v.storeSums(s, total)
	end()
}

// inverse writes the loop inverse.
func (v vectors) inverse() {
	v.begin("inverse", "func(to, f, g []float64)", ".")
	to := slice("to")
	f := slice("f")
	g := slice("g")
	one := v.all(v.one)
	n := avo.Load(avo.Param("to").Len(), avo.GP64())
	over(n, func(x reg.GPVirtual) {
		for _, part := range v.parts() {
			r := v.register()
			avo.VDIVPD(v.add(v.load(at(f, x, part)), at(g, x, part)), one, r)
			avo.VMOVUPD(r, at(to, x, part))
		}
	})
	end()
}

// mean writes the loop mean.
func (v vectors) mean() {
	v.begin("mean", "func(to, f, g, v, w, per []float64)", ".")
	to := slice("to")
	f := slice("f")
	g := slice("g")
	first := slice("v")
	second := slice("w")
	per := slice("per")
	n := avo.Load(avo.Param("to").Len(), avo.GP64())
	over(n, func(x reg.GPVirtual) {
		for _, part := range v.parts() {
			sum := v.add(v.times(v.load(at(f, x, part)), at(first, x, part)),
				v.times(v.load(at(g, x, part)), at(second, x, part)))
			avo.VMOVUPD(v.times(sum, at(per, x, part)), at(to, x, part))
		}
	})
	end()
}
