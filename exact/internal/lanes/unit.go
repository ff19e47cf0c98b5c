package lanes

import "breadboard/chains"

// Unit is a part of a processor that runs the loops of this package. All of them give the same
// bytes. A Unit is immutable.
type Unit struct{ name string }

// Portable returns the unit that every processor has.
func Portable() *Unit { return &Unit{portable} }

const portable = "portable"

// Widest returns the unit with the widest vectors that this program and this processor have.
func Widest() *Unit { return Units()[0] }

// String returns the name of the unit: "AVX-512", "AVX2" or "portable".
func (u *Unit) String() string { return u.name }

// wholeVectors returns how many of n numbers fill vectors of eight. What is left is done in plain
// Go.
func wholeVectors(n int) int { return n &^ (Width - 1) }

// Advance adds f rise to each f and inverse back to each inverse, and returns the sum of the new f
// times back. All have the length of f.
func (u *Unit) Advance(f, inverse, rise, back []float64) float64 {
	n := len(f)
	all := wholeVectors(len(f))
	inverse = inverse[:n]
	rise = rise[:n]
	back = back[:n]
	var total partial
	for start := 0; start < all; start += Block {
		end := min(start+Block, all)
		u.advance(f[start:end], inverse[start:end], rise[start:end], back[start:end], &total)
	}
	advance(f[all:], inverse[all:], rise[all:], back[all:], &total)
	return sum(&total)
}

// Rebased are the sums that Rebase makes.
type Rebased struct {
	C  float64 // sum of f shift
	CW float64 // sum of f shift w, with w the new u
	EA float64 // sum of f e a, with a the old one
}

// Rebase replaces each u by w = u + e + u e, with e = back factor + offset, and adds shift to each
// a. All have the length of u.
func (u *Unit) Rebase(dev, a, f, shift, back []float64, factor, offset float64) Rebased {
	n := len(dev)
	all := wholeVectors(len(dev))
	a = a[:n]
	f = f[:n]
	shift = shift[:n]
	back = back[:n]
	var sums [3]partial
	for start := 0; start < all; start += Block {
		end := min(start+Block, all)
		u.rebase(dev[start:end], a[start:end], f[start:end], shift[start:end], back[start:end], factor,
			offset, &sums)
	}
	rebase(dev[all:], a[all:], f[all:], shift[all:], back[all:], factor, offset, &sums)
	return Rebased{sum(&sums[0]), sum(&sums[1]), sum(&sums[2])}
}

// Stage holds what Reweight works on: arrays of one length.
type Stage struct{ F, Grow, Back, Shift, U, A []float64 }

// Part returns the stage of the slots from first to last, without the latter.
func (s *Stage) Part(first, last int) Stage {
	return Stage{s.F[first:last], s.Grow[first:last], s.Back[first:last], s.Shift[first:last],
		s.U[first:last], s.A[first:last]}
}

// flow returns the slots of the stage as a flow.
func (s *Stage) flow() flow { return flow{s.F, s.U, s.A} }

// StageSums are the sums that Reweight makes, with the new f and u and the old a.
type StageSums struct {
	Back   float64 // sum of f back
	BackA  float64 // sum of f back a
	Shift  float64 // sum of f shift
	ShiftU float64 // sum of f shift u
}

// totals returns the sums of which these are the partial sums.
func totals(s *[4]partial) StageSums {
	return StageSums{sum(&s[0]), sum(&s[1]), sum(&s[2]), sum(&s[3])}
}

// Add adds the sums of another part.
func (t *StageSums) Add(v StageSums) {
	t.Back += v.Back
	t.BackA += v.BackA
	t.Shift += v.Shift
	t.ShiftU += v.ShiftU
}

// Reweight multiplies each F by Grow, replaces each U by U + Back + U Back, and adds Shift to each
// A.
func (u *Unit) Reweight(s *Stage) StageSums {
	var sums [4]partial
	all := wholeVectors(len(s.F))
	for start := 0; start < all; start += Block {
		part := s.Part(start, min(start+Block, all))
		u.reweight(&part, part.flow(), &sums)
	}
	rest := s.Part(all, len(s.F))
	reweight(&rest, rest.flow(), &sums)
	return totals(&sums)
}

// AddFlux adds min(f, nf) (nu - u) to each du, and the same with a to each da. All have the length
// of du.
func (u *Unit) AddFlux(du, da, f, dev, a, nf, nu, na []float64) {
	n := len(du)
	all := wholeVectors(len(du))
	u.addFlux(du[:all], da[:all], f[:all], dev[:all], a[:all], nf[:all], nu[:all], na[:all])
	addFlux(du[all:], da[all:n], f[all:n], dev[all:n], a[all:n], nf[all:n], nu[all:n], na[all:n])
}

// AddGatedFlux is AddFlux with gate times min(f, nf): a gate is one, or zero at a wall.
func (u *Unit) AddGatedFlux(du, da, f, dev, a, nf, nu, na, gate []float64) {
	n := len(du)
	all := wholeVectors(len(du))
	u.addGatedFlux(du[:all], da[:all], f[:all], dev[:all], a[:all], nf[:all], nu[:all], na[:all], gate[:all])
	addGatedFlux(du[all:], da[all:n], f[all:n], dev[all:n], a[all:n], nf[all:n], nu[all:n], na[all:n], gate[all:n])
}

// Closest is the relative difference of two values of f below which it is computed from the
// difference of their logarithms, since it has too few digits.
const Closest = 1e-3

// AddTerms adds gate min(f, nf) nu to each du, the same with na to each da, and gate (f - nf), if
// that is positive, to each refused, with the digits of small differences, given log f too. A gate
// is one, or zero at a wall. All have the length of du.
func (u *Unit) AddTerms(du, da, refused, f, logf, nf, nlogf, nu, na, gate []float64) {
	n := len(du)
	all := wholeVectors(len(du))
	u.addTerms(du[:all], da[:all], refused[:all], f[:all], logf[:all], nf[:all], nlogf[:all], nu[:all],
		na[:all], gate[:all])
	addTerms(du[all:], da[all:n], refused[all:n], f[all:n], logf[all:n], nf[all:n], nlogf[all:n], nu[all:n],
		na[all:n], gate[all:n])
}

// ApplyFlux multiplies each inverse by 1 + back, and writes u + du share inverse to nextU, and the
// same with a to nextA. All have the length of nextU.
func (u *Unit) ApplyFlux(nextU, nextA, dev, a, du, da, inverse, back []float64, share float64) {
	n := len(nextU)
	all := wholeVectors(len(nextU))
	u.applyFlux(nextU[:all], nextA[:all], dev[:all], a[:all], du[:all], da[:all], inverse[:all], back[:all], share)
	applyFlux(nextU[all:], nextA[all:n], dev[all:n], a[all:n], du[all:n], da[all:n], inverse[all:n],
		back[all:n], share)
}

// Gather writes the means of eight functions under a row of probabilities, whose states are all
// among those of at.
func (u *Unit) Gather(means *[8]float64, at [][8]float64, row []chains.Entry) {
	if len(row) == 0 {
		*means = [8]float64{}
		return
	}
	u.gather(means, at, row)
}

// Fold subtracts a w + b v from each number of a row, adds c times the result to each image, and
// returns the sum of the results times next. All have the length of the row.
func (u *Unit) Fold(row, v, w, next, image []float64, a, b, c float64) float64 {
	n := len(row)
	all := wholeVectors(len(row))
	v = v[:n]
	w = w[:n]
	next = next[:n]
	image = image[:n]
	var total partial
	for start := 0; start < all; start += Block {
		end := min(start+Block, all)
		u.fold(row[start:end], v[start:end], w[start:end], next[start:end], image[start:end], a, b, c, &total)
	}
	fold(row[all:], v[all:], w[all:], next[all:], image[all:], a, b, c, &total)
	return sum(&total)
}

// Inverse writes 1/(f + g). All have the length of to.
func (u *Unit) Inverse(to, f, g []float64) {
	n := len(to)
	all := wholeVectors(len(to))
	for start := 0; start < all; start += Block {
		end := min(start+Block, all)
		u.inverse(to[start:end], f[start:end], g[start:end])
	}
	inverse(to[all:], f[all:n], g[all:n])
}

// Mean writes (f v + g w) per. All have the length of to.
func (u *Unit) Mean(to, f, g, v, w, per []float64) {
	n := len(to)
	all := wholeVectors(len(to))
	for start := 0; start < all; start += Block {
		end := min(start+Block, all)
		u.mean(to[start:end], f[start:end], g[start:end], v[start:end], w[start:end], per[start:end])
	}
	mean(to[all:], f[all:n], g[all:n], v[all:n], w[all:n], per[all:n])
}

// GatherFour is Gather for four groups of eight functions: those of group g are in at from g times
// atStep on, and their means go to means[g outStep].
func (u *Unit) GatherFour(means, at [][8]float64, outStep, atStep int, row []chains.Entry) {
	if len(row) == 0 {
		for g := range 4 {
			means[g*outStep] = [8]float64{}
		}
		return
	}
	_, _ = means[3*outStep], at[3*atStep]
	u.gatherFour(means, at, outStep, atStep, row)
}

// Row is a row of at most seven states of a plane, with one slot at least where F is zero.
type Row struct {
	F, Grow, Back, Shift, U, A partial
	Inverse                    partial // 1/F times the share of a direction
	Fall                       partial // 1 + Back
	SideU, SideA               partial // memory
}

// Steps is Reweight and one application of the kernel, once for each entry of out, on a plane of
// narrow rows. It writes the sums of each Reweight to out, so that no work is needed between steps.
func (u *Unit) Steps(rows []Row, out []StageSums) { u.narrow(rows, out) }

// StepsAround is Steps for the eight neighbours of a state, to each of which Metropolis' kernel
// goes with the same probability.
func (u *Unit) StepsAround(rows []Row, out []StageSums) { u.around(rows, out) }
