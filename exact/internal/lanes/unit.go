package lanes

// Unit is a part of a processor that runs the loops of this package. All of them give the same bytes. A Unit is immutable.
type Unit struct {
	name    string
	advance func(f, inverse, rise, back []float64) float64
	rebase  func(u, a, f, shift, back []float64, factor, offset float64) Rebased
	turnRow func(s *Stage, to flow, sums *Sums)
	cross   func(w *Walker, p *Plane, start int)
	pull    func(du, da, f, u, a, nf, nu, na []float64)
	gated   func(du, da, f, u, a, nf, nu, na, gate []float64)
	settle  func(nextU, nextA, u, a, du, da, inverse, back []float64, share float64)
	narrow  func(rows []Row, out []Sums)
}

// Portable returns the unit that every processor has.
func Portable() *Unit {
	return &Unit{
		name: portableName, advance: advance, rebase: rebase, turnRow: turnRow, cross: cross, pull: pull, gated: gated,
		settle: settle, narrow: narrow,
	}
}

// Widest returns the unit with the widest vectors that this program and this processor have.
func Widest() *Unit { return Units()[0] }

// String returns the name of the unit: "AVX-512", "AVX2", "portable", or "portable (built without GOEXPERIMENT=simd)".
func (u *Unit) String() string { return u.name }

// Advance adds f rise to each f and inverse back to each inverse, and returns the sum of the new f times back. All have the
// length of f.
func (u *Unit) Advance(f, inverse, rise, back []float64) float64 {
	return u.advance(f, inverse[:len(f)], rise[:len(f)], back[:len(f)])
}

// Rebased are the sums that Rebase makes.
type Rebased struct {
	C  float64 // sum of f shift
	CW float64 // sum of f shift w, with w the new u
	EA float64 // sum of f e a, with a the old one
}

// Rebase replaces each u by w = u + e + u e, with e = back factor + offset, and adds shift to each a. All have the length
// of u.
func (u *Unit) Rebase(dev, a, f, shift, back []float64, factor, offset float64) Rebased {
	n := len(dev)
	return u.rebase(dev, a[:n], f[:n], shift[:n], back[:n], factor, offset)
}

// Stage holds what Turn works on: arrays of one length.
type Stage struct{ F, Grow, Back, Shift, U, A []float64 }

// Part returns the stage of the slots from first to last, without the latter.
func (s *Stage) Part(first, last int) Stage {
	return Stage{s.F[first:last], s.Grow[first:last], s.Back[first:last], s.Shift[first:last], s.U[first:last], s.A[first:last]}
}

// flow returns the slots of the stage as a flow.
func (s *Stage) flow() flow { return flow{s.F, s.U, s.A} }

// Turned are the sums that Turn makes, with the new f and u and the old a.
type Turned struct {
	Back   float64 // sum of f back
	BackA  float64 // sum of f back a
	Shift  float64 // sum of f shift
	ShiftU float64 // sum of f shift u
}

// Sums are the partial sums of which Turned are the totals.
type Sums [4]partial

// Totals returns the sums.
func (s *Sums) Totals() Turned { return Turned{s[0].total(), s[1].total(), s[2].total(), s[3].total()} }

// Add adds the sums of another part.
func (t *Turned) Add(v Turned) {
	t.Back += v.Back
	t.BackA += v.BackA
	t.Shift += v.Shift
	t.ShiftU += v.ShiftU
}

// Turn multiplies each F by Grow, replaces each U by U + Back + U Back, and adds Shift to each A.
func (u *Unit) Turn(s *Stage) Turned {
	var sums Sums
	var part Stage
	whole := len(s.F) &^ (Width - 1)
	for start := 0; start < whole; start += block {
		part = s.Part(start, min(start+block, whole))
		u.turnRow(&part, part.flow(), &sums)
	}
	part = s.Part(whole, len(s.F))
	turnRow(&part, part.flow(), &sums)
	return sums.Totals()
}

// Pull adds min(f, nf) (nu - u) to each du, and the same with a to each da. All have the length of du.
func (u *Unit) Pull(du, da, f, dev, a, nf, nu, na []float64) {
	n := len(du)
	u.pull(du, da[:n], f[:n], dev[:n], a[:n], nf[:n], nu[:n], na[:n])
}

// PullGated is Pull with gate times min(f, nf): a gate is one, or zero where there is a wall.
func (u *Unit) PullGated(du, da, f, dev, a, nf, nu, na, gate []float64) {
	n := len(du)
	u.gated(du, da[:n], f[:n], dev[:n], a[:n], nf[:n], nu[:n], na[:n], gate[:n])
}

// Settle multiplies each inverse by 1 + back, and writes u + du share inverse to nextU, and the same with a to nextA. All
// have the length of nextU.
func (u *Unit) Settle(nextU, nextA, dev, a, du, da, inverse, back []float64, share float64) {
	n := len(nextU)
	u.settle(nextU, nextA[:n], dev[:n], a[:n], du[:n], da[:n], inverse[:n], back[:n], share)
}

// Row is a row of at most seven states of a plane, with one slot at least where F is zero.
type Row struct {
	F, Grow, Back, Shift, U, A partial
	Inverse                    partial // 1/F times the share of a direction
	Fall                       partial // 1 + Back
	SideU, SideA               partial // memory
}

// Steps is Turn and Move, as often as out is long, on a plane of narrow rows. It writes the sums of each Turn to out, so that
// vectors need not be left between steps.
func (u *Unit) Steps(rows []Row, out []Sums) {
	if len(rows) > 0 {
		u.narrow(rows, out)
	}
}
