//go:build !amd64 || noasm

package lanes

import "breadboard/chains"

// Units returns the units that this program and this processor support, the widest first.
func Units() []*Unit { return []*Unit{Portable()} }

func (*Unit) advance(f, inverse, rise, back []float64, total *partial) {
	advance(f, inverse, rise, back, total)
}

func (*Unit) gather(out *[8]float64, at [][8]float64, row []chains.Entry) { gather(out, at, row) }

func (*Unit) gatherFour(out, at [][8]float64, outStep, atStep int, row []chains.Entry) {
	gatherFour(out, at, outStep, atStep, row)
}

func (*Unit) rebase(u, a, f, shift, back []float64, factor, offset float64, sums *[3]partial) {
	rebase(u, a, f, shift, back, factor, offset, sums)
}

func (*Unit) reweight(s *Stage, to flow, sums *[4]partial) { reweight(s, to, sums) }

func (*Unit) applyKernel(w *Walker, p *Plane, start int) { applyKernel(w, p, start) }

func (*Unit) addFlux(du, da, f, u, a, nf, nu, na []float64) { addFlux(du, da, f, u, a, nf, nu, na) }

func (*Unit) addGatedFlux(du, da, f, u, a, nf, nu, na, gate []float64) {
	addGatedFlux(du, da, f, u, a, nf, nu, na, gate)
}

func (*Unit) addTerms(du, da, refused, f, logf, nf, nlogf, nu, na, gate []float64) {
	addTerms(du, da, refused, f, logf, nf, nlogf, nu, na, gate)
}

func (*Unit) applyFlux(nextU, nextA, u, a, du, da, inverse, back []float64, share float64) {
	applyFlux(nextU, nextA, u, a, du, da, inverse, back, share)
}

func (*Unit) fold(row, v, w, next, image []float64, a, b, c float64, total *partial) {
	fold(row, v, w, next, image, a, b, c, total)
}

func (*Unit) mean(to, f, g, v, w, per []float64) { mean(to, f, g, v, w, per) }

func (*Unit) inverse(to, f, g []float64) { inverse(to, f, g) }

func (*Unit) narrow(rows []Row, out []StageSums) { narrow(rows, out) }

func (*Unit) around(rows []Row, out []StageSums) { around(rows, out) }
