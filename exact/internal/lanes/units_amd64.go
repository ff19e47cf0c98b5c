//go:build !noasm

package lanes

import (
	"golang.org/x/sys/cpu"

	"breadboard/chains"
)

// Units returns the units that this program and this processor support, the widest first.
func Units() []*Unit {
	var units []*Unit
	for _, w := range Wide() {
		if w.runs() {
			units = append(units, &Unit{w.Name})
		}
	}
	return append(units, Portable())
}

const (
	avx512 = "AVX-512"
	avx2   = "AVX2"
)

// vectors is a unit in assembly, with the sets of instructions that its loops use.
type vectors struct {
	Name  string
	Needs []string
}

// Wide returns the units in assembly, the widest first.
func Wide() []vectors {
	return []vectors{{avx512, []string{"AVX", "AVX512F"}}, {avx2, []string{"AVX", "AVX2"}}}
}

// runs reports whether the processor has these instructions, and the system keeps their registers.
func (v vectors) runs() bool {
	has := map[string]bool{"AVX": cpu.X86.HasAVX, "AVX2": cpu.X86.HasAVX2, "AVX512F": cpu.X86.HasAVX512F}
	for _, set := range v.Needs {
		if !has[set] {
			return false
		}
	}
	return true
}

// The loops of a unit follow. Each is the function of that name in plain Go, for a whole number of
// vectors of eight. The runtime cannot interrupt those in assembly, so that each call is for a
// block, for a row, or for a requested number of steps. The calls are direct, since arguments of an
// indirect call would be moved to the heap.

func (u *Unit) advance(f, inverse, rise, back []float64, total *partial) {
	switch u.name {
	case avx512:
		advanceAVX512(f, inverse, rise, back, total)
	case avx2:
		advanceAVX2(f, inverse, rise, back, total)
	default:
		advance(f, inverse, rise, back, total)
	}
}

func (u *Unit) gather(out *[8]float64, at [][8]float64, row []chains.Entry) {
	switch u.name {
	case avx512:
		gatherAVX512(out, &at[0], &row[0].To, len(row))
	case avx2:
		gatherAVX2(out, &at[0], &row[0].To, len(row))
	default:
		gather(out, at, row)
	}
}

func (u *Unit) gatherFour(out, at [][8]float64, outStep, atStep int, row []chains.Entry) {
	switch u.name {
	case avx512:
		gatherFourAVX512(&out[0], &at[0], 64*outStep, 64*atStep, &row[0].To, len(row))
	case avx2:
		gatherFourAVX2(&out[0], &at[0], 64*outStep, 64*atStep, &row[0].To, len(row))
	default:
		gatherFour(out, at, outStep, atStep, row)
	}
}

func (u *Unit) rebase(dev, a, f, shift, back []float64, factor, offset float64, sums *[3]partial) {
	switch u.name {
	case avx512:
		rebaseAVX512(dev, a, f, shift, back, factor, offset, sums)
	case avx2:
		rebaseAVX2(dev, a, f, shift, back, factor, offset, sums)
	default:
		rebase(dev, a, f, shift, back, factor, offset, sums)
	}
}

func (u *Unit) reweight(s *Stage, to flow, sums *[4]partial) {
	n := len(s.F)
	if n == 0 {
		return
	}
	p, q := s.Part(0, n), flow{to.f[:n], to.u[:n], to.a[:n]}
	switch u.name {
	case avx512:
		reweightAVX512(&p.F[0], &p.Grow[0], &p.Back[0], &p.Shift[0], &p.U[0], &p.A[0], &q.f[0], &q.u[0],
			&q.a[0], sums, n)
	case avx2:
		reweightAVX2(&p.F[0], &p.Grow[0], &p.Back[0], &p.Shift[0], &p.U[0], &p.A[0], &q.f[0], &q.u[0],
			&q.a[0], sums, n)
	default:
		reweight(s, to, sums)
	}
}

func (u *Unit) applyKernel(w *Walker, p *Plane, start int) {
	n := p.Pitch
	here := w.here.inner(n + 1)
	below := w.below.inner(n)
	part := p.Part(start, start+n)
	inverse := p.Inverse[start:][:n]
	fluxU, fluxA := w.fluxU[:n], w.fluxA[:n]
	switch u.name {
	case avx512:
		applyKernelAVX512(&here.f[0], &here.u[0], &here.a[0], &below.f[0], &below.u[0], &below.a[0],
			&inverse[0], &part.Back[0],
			&part.U[0], &part.A[0], &fluxU[0], &fluxA[0], p.Share, n)
	case avx2:
		applyKernelAVX2(&here.f[0], &here.u[0], &here.a[0], &below.f[0], &below.u[0], &below.a[0],
			&inverse[0], &part.Back[0],
			&part.U[0], &part.A[0], &fluxU[0], &fluxA[0], p.Share, n)
	default:
		applyKernel(w, p, start)
	}
}

func (u *Unit) addFlux(du, da, f, dev, a, nf, nu, na []float64) {
	switch u.name {
	case avx512:
		addFluxAVX512(du, da, f, dev, a, nf, nu, na)
	case avx2:
		addFluxAVX2(du, da, f, dev, a, nf, nu, na)
	default:
		addFlux(du, da, f, dev, a, nf, nu, na)
	}
}

func (u *Unit) addGatedFlux(du, da, f, dev, a, nf, nu, na, gate []float64) {
	switch u.name {
	case avx512:
		addGatedFluxAVX512(du, da, f, dev, a, nf, nu, na, gate)
	case avx2:
		addGatedFluxAVX2(du, da, f, dev, a, nf, nu, na, gate)
	default:
		addGatedFlux(du, da, f, dev, a, nf, nu, na, gate)
	}
}

func (u *Unit) addTerms(du, da, refused, f, logf, nf, nlogf, nu, na, gate []float64) {
	switch u.name {
	case avx512, avx2:
		addTermsAVX2(du, da, refused, f, logf, nf, nlogf, nu, na, gate)
	default:
		addTerms(du, da, refused, f, logf, nf, nlogf, nu, na, gate)
	}
}

func (u *Unit) applyFlux(nextU, nextA, dev, a, du, da, inverse, back []float64, share float64) {
	switch u.name {
	case avx512:
		applyFluxAVX512(nextU, nextA, dev, a, du, da, inverse, back, share)
	case avx2:
		applyFluxAVX2(nextU, nextA, dev, a, du, da, inverse, back, share)
	default:
		applyFlux(nextU, nextA, dev, a, du, da, inverse, back, share)
	}
}

func (u *Unit) fold(row, v, w, next, image []float64, a, b, c float64, total *partial) {
	switch u.name {
	case avx512:
		foldAVX512(row, v, w, next, image, a, b, c, total)
	case avx2:
		foldAVX2(row, v, w, next, image, a, b, c, total)
	default:
		fold(row, v, w, next, image, a, b, c, total)
	}
}

func (u *Unit) mean(to, f, g, v, w, per []float64) {
	switch u.name {
	case avx512:
		meanAVX512(to, f, g, v, w, per)
	case avx2:
		meanAVX2(to, f, g, v, w, per)
	default:
		mean(to, f, g, v, w, per)
	}
}

func (u *Unit) inverse(to, f, g []float64) {
	switch u.name {
	case avx512:
		inverseAVX512(to, f, g)
	case avx2:
		inverseAVX2(to, f, g)
	default:
		inverse(to, f, g)
	}
}

func (u *Unit) narrow(rows []Row, out []StageSums) {
	if len(rows) == 0 || len(out) == 0 {
		return
	}
	switch u.name {
	case avx512:
		narrowAVX512(&rows[0].F[0], len(rows), &out[0].Back, len(out))
	case avx2:
		narrowAVX2(&rows[0].F[0], len(rows), &out[0].Back, len(out))
	default:
		narrow(rows, out)
	}
}

func (u *Unit) around(rows []Row, out []StageSums) {
	if len(rows) == 0 || len(out) == 0 {
		return
	}
	switch u.name {
	case avx512:
		aroundAVX512(&rows[0].F[0], len(rows), &out[0].Back, len(out))
	case avx2:
		aroundAVX2(&rows[0].F[0], len(rows), &out[0].Back, len(out))
	default:
		around(rows, out)
	}
}
