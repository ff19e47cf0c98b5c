package lanes

// Plane is a plane of slots. Its rows lie one after another, Pitch apart, which is a multiple of
// Width, and every row ends with a slot without a state, where F is zero.
type Plane struct {
	Stage
	Inverse []float64 // 1/F
	Pitch   int
	Share   float64 // of a direction
}

// Border is a copy of a row of a plane.
type Border struct{ F, U, A []float64 }

// Copy copies a row of a plane.
func (b Border) Copy(p *Plane, row int) {
	first := row * p.Pitch
	end := (row + 1) * p.Pitch
	copy(b.F, p.F[first:end])
	copy(b.U, p.U[first:end])
	copy(b.A, p.A[first:end])
}

// NewBorder returns a border for rows of the given number of slots.
func NewBorder(pitch int) Border {
	return Border{make([]float64, pitch), make([]float64, pitch), make([]float64, pitch)}
}

// Walker is the memory that one part of a plane needs to take a step.
type Walker struct {
	above, here, below flow
	fluxU, fluxA       []float64 // between the row above and this one
}

// flow is a reweighted row, with Width slots without a state on either side.
type flow struct{ f, u, a []float64 }

// NewWalker returns memory for rows of the given number of slots.
func NewWalker(pitch int) *Walker {
	row := func() flow {
		n := pitch + 2*Width
		return flow{make([]float64, n), make([]float64, n), make([]float64, n)}
	}
	return &Walker{row(), row(), row(), make([]float64, pitch), make([]float64, pitch)}
}

// Step is Reweight and one application of Metropolis' kernel of the rows from first to last,
// without the latter: it multiplies Inverse by 1 + Back, and adds to U(x) Share Inverse(x) times
// the sum over the four neighbours y of min(F(x), F(y)) (U(y) - U(x)). It does the same with A. The
// rows before the first and behind the last may belong to others, who take the same step. They are
// given as they were before, and are overwritten.
func (u *Unit) Step(p *Plane, first, last int, before, behind Border, w *Walker) StageSums {
	if first == last {
		return StageSums{}
	}
	var sums, others [4]partial
	clear(w.fluxU)
	clear(w.fluxA)
	u.reweightInto(p, first, p.border(first), &w.here, &sums)
	if first > 0 {
		u.reweightInto(p, first-1, before, &w.above, &others)
		n := p.Pitch
		here := w.here.inner(n)
		above := w.above.inner(n)
		u.addFlux(w.fluxU, w.fluxA, above.f, above.u, above.a, here.f, here.u, here.a)
	}
	for row := first; row < last; row++ {
		switch {
		case row+1 < last:
			u.reweightInto(p, row+1, p.border(row+1), &w.below, &sums)
		case (row+1)*p.Pitch < len(p.F):
			u.reweightInto(p, row+1, behind, &w.below, &others)
		default:
			w.below.clearRow()
		}
		u.applyKernel(w, p, row*p.Pitch)
		w.above, w.here, w.below = w.here, w.below, w.above
	}
	return totals(&sums)
}

// border returns a row itself.
func (p *Plane) border(row int) Border {
	part := p.Part(row*p.Pitch, (row+1)*p.Pitch)
	return Border{part.F, part.U, part.A}
}

// reweightInto reweights a row, of which F, U and A are given, into a flow. It leaves the new F in
// the place of the old one.
func (u *Unit) reweightInto(p *Plane, row int, from Border, to *flow, sums *[4]partial) {
	part := p.Part(row*p.Pitch, (row+1)*p.Pitch)
	part.F = from.F
	part.U = from.U
	part.A = from.A
	u.reweight(&part, to.inner(p.Pitch), sums)
}

// inner returns the n slots of a flow that its row has.
func (r flow) inner(n int) flow { return flow{r.f[Width:][:n], r.u[Width:][:n], r.a[Width:][:n]} }

// clearRow makes a row one without states.
func (r flow) clearRow() {
	clear(r.f)
	clear(r.u)
	clear(r.a)
}

// reweight is Reweight for a whole number of vectors, which writes what F, U and A become to a
// flow. That may be the one that is reweighted; else U and A stay as they were.
func reweight(s *Stage, to flow, sums *[4]partial) {
	for lane := range Width {
		reweightLane(s, to, lane, sums)
	}
}

func reweightLane(s *Stage, to flow, lane int, sums *[4]partial) {
	n := len(s.F)
	f := s.F
	grow := s.Grow[:n]
	back := s.Back[:n]
	shift := s.Shift[:n]
	u := s.U[:n]
	a := s.A[:n]
	toF, toU, toA := to.f[:n], to.u[:n], to.a[:n]
	sumB := sums[0][lane]
	sumBA := sums[1][lane]
	sumC := sums[2][lane]
	sumCU := sums[3][lane]
	for x := lane; x < len(f); x += Width {
		v := f[x] * grow[x]
		f[x], toF[x] = v, v
		b := back[x]
		fb := float64(v * b)
		sumB += fb
		sumBA += float64(fb * a[x])
		w := u[x] + (b + float64(u[x]*b))
		toU[x] = w
		c := shift[x]
		toA[x] = a[x] + c
		fc := float64(v * c)
		sumC += fc
		sumCU += float64(fc * w)
	}
	sums[0][lane], sums[1][lane], sums[2][lane], sums[3][lane] = sumB, sumBA, sumC, sumCU
}

// applyKernel applies Metropolis' kernel to the row of a plane that begins at a slot. It computes
// each edge once: the fluxes along the edges from the left and from above are kept. Its comparisons
// find the smaller f faster than min, which also handles NaN.
func applyKernel(w *Walker, p *Plane, start int) {
	n := p.Pitch
	f := w.here.f[Width:][:n+1]
	u := w.here.u[Width:][:n+1]
	a := w.here.a[Width:][:n+1]
	below := w.below.inner(n)
	belowF, belowU, belowA := below.f[:n], below.u[:n], below.a[:n]
	inverse := p.Inverse[start:][:n]
	back := p.Back[start:][:n]
	nextU := p.U[start:][:n]
	nextA := p.A[start:][:n]
	fluxU, fluxA := w.fluxU[:n], w.fluxA[:n]
	hereF, hereU, hereA := f[0], u[0], a[0]
	var leftU, leftA float64
	for x := range nextU {
		rightF := f[x+1]
		rightOldU := u[x+1]
		rightOldA := a[x+1]
		right := hereF
		down := hereF
		if rightF < hereF {
			right = rightF
		}
		if v := belowF[x]; v < hereF {
			down = v
		}
		rightU, rightA := float64(right*(rightOldU-hereU)), float64(right*(rightOldA-hereA))
		downU, downA := float64(down*(belowU[x]-hereU)), float64(down*(belowA[x]-hereA))
		per := inverse[x] * (1 + back[x])
		inverse[x] = per
		per *= p.Share
		nextU[x] = hereU + float64(((rightU-leftU)+(downU-fluxU[x]))*per)
		nextA[x] = hereA + float64(((rightA-leftA)+(downA-fluxA[x]))*per)
		leftU, leftA = rightU, rightA
		fluxU[x], fluxA[x] = downU, downA
		hereF, hereU, hereA = rightF, rightOldU, rightOldA
	}
}
