//go:build goexperiment.simd && amd64

package lanes

import "simd/archsimd"

const portableName = "portable"

// Calm makes plain code run at its own speed again after vectors have been used. A program that is built with vectors uses them
// where goroutines are interrupted, too, so that long loops call it now and then: math.Exp takes fifty times as long without.
func Calm() {
	if archsimd.X86.AVX() {
		archsimd.ClearAVXUpperBits()
	}
}

// Units returns the units of this program that this processor has, the widest first.
func Units() []*Unit {
	units := []*Unit{Portable()}
	if archsimd.X86.AVX2() {
		units = append([]*Unit{wide256()}, units...)
	}
	if archsimd.X86.AVX512() {
		units = append([]*Unit{wide512()}, units...)
	}
	return units
}

// advanceRest is advance for the numbers behind the last eight.
func advanceRest(f, inverse, rise, back []float64, total *partial) {
	n := len(f) &^ (Width - 1)
	advanceLanes(f[n:], inverse[n:], rise[n:], back[n:], total)
}

// rebaseRest is rebase for the numbers behind the last eight.
func rebaseRest(u, a, f, shift, back []float64, factor, offset float64, sums *[3]partial) {
	n := len(u) &^ (Width - 1)
	rebaseLanes(u[n:], a[n:], f[n:], shift[n:], back[n:], factor, offset, sums)
}
