//go:build !amd64 || noasm

package lanes

import "breadboard/chains"

// Units returns the units of this program that this processor has, the widest first.
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

func (*Unit) turnRow(s *Stage, to flow, sums *[4]partial) { turnRow(s, to, sums) }

func (*Unit) cross(w *Walker, p *Plane, start int) { cross(w, p, start) }

func (*Unit) pull(du, da, f, u, a, nf, nu, na []float64) { pull(du, da, f, u, a, nf, nu, na) }

func (*Unit) gated(du, da, f, u, a, nf, nu, na, gate []float64) {
	gated(du, da, f, u, a, nf, nu, na, gate)
}

func (*Unit) settle(nextU, nextA, u, a, du, da, inverse, back []float64, share float64) {
	settle(nextU, nextA, u, a, du, da, inverse, back, share)
}

func (*Unit) fold(row, v, w, next, image []float64, a, b, c float64, total *partial) {
	fold(row, v, w, next, image, a, b, c, total)
}

func (*Unit) mean(to, f, g, v, w, per []float64) { mean(to, f, g, v, w, per) }

func (*Unit) inverse(to, f, g []float64) { inverse(to, f, g) }

func (*Unit) narrow(rows []Row, out []Turned) { narrow(rows, out) }

func (*Unit) around(rows []Row, out []Turned) { around(rows, out) }
