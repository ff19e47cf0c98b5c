package lanes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact/internal/lanes"
)

// arrays draws arrays of n numbers: ordinary ones, ties, zeros and the given ones. Each begins
// somewhere in a longer array, so that its address is no multiple of a vector.
func arrays(t *rapid.T, count, n int, special ...float64) [][]float64 {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	special = append(special, 0, 1, -1, 0.5)
	out := make([][]float64, count)
	for i := range out {
		out[i] = make([]float64, n+7)[r.IntN(8):][:n]
		for x := range out[i] {
			out[i][x] = 4*r.Float64() - 2
			if r.IntN(2) == 0 {
				out[i][x] = special[r.IntN(len(special))]
			}
		}
	}
	return out
}

// sometimesInfinite returns infinities in one of four cases.
func sometimesInfinite(t *rapid.T) []float64 {
	if rapid.IntRange(0, 3).Draw(t, "infinite") > 0 {
		return nil
	}
	return []float64{math.Inf(1), math.Inf(-1)}
}

// positive makes every number of an array positive or zero.
func positive(v []float64) {
	for i := range v {
		v[i] = math.Abs(v[i])
	}
}

// clones returns copies of arrays.
func clones(v [][]float64) [][]float64 {
	out := make([][]float64, len(v))
	for i := range v {
		out[i] = slices.Clone(v[i])
	}
	return out
}

// sameBits fails the test where two arrays do not have the same bits. What is not a number has none
// that could be promised.
func sameBits(t *rapid.T, what string, got, want [][]float64) {
	t.Helper()
	for i := range want {
		for x := range want[i] {
			if math.IsNaN(got[i][x]) && math.IsNaN(want[i][x]) {
				continue
			}
			if math.Float64bits(got[i][x]) != math.Float64bits(want[i][x]) {
				t.Fatalf("%s: number %d of array %d is %v, want %v", what, x, i, got[i][x], want[i][x])
			}
		}
	}
}

// sumInLanes adds numbers up as lanes do, in the most obvious way.
func sumInLanes(v []float64) float64 {
	var p [lanes.Width]float64
	for lane := range p {
		for x := lane; x < len(v); x += lanes.Width {
			p[lane] += v[x]
		}
	}
	return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]))
}

// onUnits checks a property of every unit.
func onUnits(t *testing.T, property func(t *rapid.T, u *lanes.Unit)) {
	for _, u := range lanes.Units() {
		t.Run(u.String(), func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { property(t, u) }) })
	}
}

// drawMeans draws eight functions of some states, and a row over the first n of them.
func drawMeans(t *rapid.T, states, n int) ([][8]float64, []chains.Entry) {
	in := arrays(t, 9, states, append(sometimesInfinite(t), 0x1p-1070, -0x1p-1060, 1e-300, 1e130)...)
	at := make([][8]float64, states)
	row := make([]chains.Entry, rapid.IntRange(0, n).Draw(t, "entries"))
	for x := range at {
		for k := range at[x] {
			at[x][k] = in[k][x]
		}
	}
	for i := range row {
		row[i] = chains.Entry{To: rapid.IntRange(0, n-1).Draw(t, "to"), P: in[8][i]}
	}
	return at, row
}

// TestElementwise: on every unit the loops give the bits of plain ones, for arrays of all lengths.
func TestElementwise(t *testing.T) {
	onUnits(t, func(t *rapid.T, u *lanes.Unit) {
		n := rapid.IntRange(0, 70).Draw(t, "n")
		if rapid.IntRange(0, 9).Draw(t, "long") == 0 {
			n += lanes.Block
		}
		in := arrays(t, 9, n, append(sometimesInfinite(t), 0x1p-1070, -0x1p-1060, 1e-300, 1e130)...)
		positive(in[0])
		positive(in[5])
		checkAdvance(t, u, in)
		checkRebase(t, u, in)
		checkReweight(t, u, in)
		checkAddFlux(t, u, in)
		checkAddTerms(t, u, in)
		checkApplyFlux(t, u, in)
		checkFold(t, u, in)
		checkMean(t, u, in)
	})
}

// TestGather: on every unit means under a row are those of a plain loop, to the bit.
func TestGather(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		at, row := drawMeans(t, n, n)
		want := make([]float64, 8)
		for k := range want {
			for _, e := range row {
				product := float64(e.P * at[e.To][k])
				want[k] += product
			}
		}
		for _, u := range lanes.Units() {
			got := [8]float64{1}
			u.Gather(&got, at, row)
			sameBits(t, u.String(), [][]float64{got[:]}, [][]float64{want})
		}
	})
}

// TestGatherFour: on every unit the means of four groups are those of each group alone, to the bit,
// wherever the groups stand.
func TestGatherFour(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "n")
		atStep := n + rapid.IntRange(0, 3).Draw(t, "between")
		outStep := rapid.IntRange(1, 3).Draw(t, "out")
		at, row := drawMeans(t, 4*atStep, n)
		for _, u := range lanes.Units() {
			got := make([][8]float64, 4*outStep)
			u.GatherFour(got, at, outStep, atStep, row)
			for g := range 4 {
				var want [8]float64
				u.Gather(&want, at[g*atStep:], row)
				sameBits(t, u.String(), [][]float64{got[g*outStep][:]}, [][]float64{want[:]})
			}
		}
	})
}

func checkAdvance(t *rapid.T, u *lanes.Unit, in [][]float64) {
	got, want := clones(in), clones(in)
	sum := u.Advance(got[0], got[1], got[2], got[3])
	terms := make([]float64, len(in[0]))
	for x := range terms {
		// elsewhere a product may be added without its rounding
		more := float64(in[0][x] * in[2][x])
		less := float64(in[1][x] * in[3][x])
		f := in[0][x] + more
		want[0][x], want[1][x] = f, in[1][x]+less
		terms[x] = f * in[3][x]
	}
	sameBits(t, "advance", append(got, []float64{sum}), append(want, []float64{sumInLanes(terms)}))
}

func checkRebase(t *rapid.T, u *lanes.Unit, in [][]float64) {
	got, want := clones(in), clones(in)
	const factor, offset = 1.01, -0.01
	r := u.Rebase(got[1], got[2], got[0], got[3], got[4], factor, offset)
	n := len(in[0])
	c := make([]float64, n)
	cw := make([]float64, n)
	ea := make([]float64, n)
	for x := range n {
		scaled := float64(in[4][x] * factor)
		e := scaled + offset
		product := float64(in[1][x] * e)
		w := in[1][x] + (e + product)
		want[1][x], want[2][x] = w, in[2][x]+in[3][x]
		fe := in[0][x] * e
		c[x], ea[x] = in[0][x]*in[3][x], fe*in[2][x]
		cw[x] = c[x] * w
	}
	sameBits(t, "rebase", append(got, []float64{r.C, r.CW, r.EA}),
		append(want, []float64{sumInLanes(c), sumInLanes(cw), sumInLanes(ea)}))
}

func checkReweight(t *rapid.T, u *lanes.Unit, in [][]float64) {
	got, want := clones(in), clones(in)
	r := u.Reweight(&lanes.Stage{F: got[0], Grow: got[1], Back: got[2], Shift: got[3], U: got[4], A: got[6]})
	n := len(in[0])
	b := make([]float64, n)
	ba := make([]float64, n)
	c := make([]float64, n)
	cu := make([]float64, n)
	for x := range n {
		f := in[0][x] * in[1][x]
		product := float64(in[4][x] * in[2][x])
		w := in[4][x] + (in[2][x] + product)
		want[0][x], want[4][x], want[6][x] = f, w, in[6][x]+in[3][x]
		b[x], c[x] = f*in[2][x], f*in[3][x]
		ba[x], cu[x] = b[x]*in[6][x], c[x]*w
	}
	sameBits(t, "reweight", append(got, []float64{r.Back, r.BackA, r.Shift, r.ShiftU}),
		append(want, []float64{sumInLanes(b), sumInLanes(ba), sumInLanes(c), sumInLanes(cu)}))
}

func checkAddFlux(t *rapid.T, u *lanes.Unit, in [][]float64) {
	for _, gated := range []bool{false, true} {
		got, want := clones(in), clones(in)
		if gated {
			u.AddGatedFlux(got[7], got[8], got[0], got[1], got[2], got[5], got[3], got[4], got[6])
		} else {
			u.AddFlux(got[7], got[8], got[0], got[1], got[2], got[5], got[3], got[4])
		}
		for x := range in[0] {
			s := math.Min(in[0][x], in[5][x])
			if gated {
				s *= in[6][x]
			}
			fluxU, fluxA := float64(s*(in[3][x]-in[1][x])), float64(s*(in[4][x]-in[2][x]))
			want[7][x] += fluxU
			want[8][x] += fluxA
		}
		sameBits(t, "addFlux", got, want)
	}
}

// checkAddTerms has log f of neighbours that are equal, close on both sides, and far.
func checkAddTerms(t *rapid.T, u *lanes.Unit, in [][]float64) {
	got := append(clones(in), make([]float64, len(in[0])))
	for x, v := range in[1] {
		rises := [...]float64{0, -1e-9, 1e-9, -1e-3, -0.9999e-3, -5e-4, 0.5, -0.5, math.Copysign(0, -1)}
		got[9][x] = v + rises[x%len(rises)]
	}
	want := clones(got)
	u.AddTerms(got[7], got[8], got[2], got[0], got[1], got[5], got[9], got[3], got[4], got[6])
	for x, f := range want[0] {
		s := math.Min(f, want[5][x]) * want[6][x]
		toU, toA := float64(s*want[3][x]), float64(s*want[4][x])
		want[7][x] += toU
		want[8][x] += toA
		gated := float64(lanes.Fall(f, want[5][x], want[9][x]-want[1][x]) * want[6][x])
		want[2][x] += gated
	}
	sameBits(t, "addTerms", got, want)
}

// TestFall: a fall of f is that of exp to the last two digits if it is small, and else a
// difference.
func TestFall(t *testing.T) {
	for _, r := range []float64{-1e-300, -1e-17, -1e-9, -3e-5, -5e-4, -0.99999e-3} {
		if got, want := lanes.Fall(3, 0, r), -3*math.Expm1(r); math.Abs(got-want) > 0x1p-51*want {
			t.Errorf("fall of 3 by a rise of %v is %v, want %v", r, got, want)
		}
	}
	for _, r := range []float64{0, 1e-9, 2, -1e-3, -7} {
		want := 0.0
		if r < 0 {
			want = 1
		}
		if got := lanes.Fall(3, 2, r); got != want {
			t.Errorf("fall from 3 to 2 by a rise of %v is %v, want %v", r, got, want)
		}
	}
}

func checkApplyFlux(t *rapid.T, u *lanes.Unit, in [][]float64) {
	got, want := clones(in), clones(in)
	u.ApplyFlux(got[7], got[8], got[1], got[2], got[3], got[4], got[5], got[6], 0.3)
	for x := range in[0] {
		per := in[5][x] * (1 + in[6][x])
		want[5][x] = per
		per *= 0.3
		du, da := float64(in[3][x]*per), float64(in[4][x]*per)
		want[7][x], want[8][x] = in[1][x]+du, in[2][x]+da
	}
	sameBits(t, "applyFlux", got, want)
}

// drawPlane draws a plane of rows and columns, with empty slots behind every row. Among U, A, Back
// and Shift are also the given numbers.
func drawPlane(t *rapid.T, rows, cols int, special ...float64) *lanes.Plane {
	pitch := (cols/lanes.Width + 1) * lanes.Width
	in := append(arrays(t, 3, rows*pitch, 1e-20, 1e20),
		arrays(t, 4, rows*pitch, append(special, 1e-20, 1e20, 0x1p-1070)...)...)
	p := &lanes.Plane{Stage: lanes.Stage{
		F:     in[0],
		Grow:  in[1],
		Back:  in[3],
		Shift: in[4],
		U:     in[5],
		A:     in[6],
	}, Inverse: in[2], Pitch: pitch, Share: 0.25}
	positive(p.F)
	positive(p.Grow)
	for x := range p.F {
		if x%pitch >= cols {
			p.F[x], p.Grow[x], p.Back[x], p.Shift[x], p.U[x], p.A[x], p.Inverse[x] = 0, 1, 0, 0, 0, 0, 0
		}
	}
	return p
}

// changed returns the arrays that a step changes.
func changed(p *lanes.Plane) [][]float64 { return [][]float64{p.F, p.U, p.A, p.Inverse} }

// clonePlane returns a copy of a plane, which shares nothing with it that a step changes.
func clonePlane(p *lanes.Plane) *lanes.Plane {
	q := *p
	for _, v := range []*[]float64{&q.F, &q.U, &q.A, &q.Inverse} {
		*v = slices.Clone(*v)
	}
	return &q
}

// step takes a step on a plane that is cut into parts, which are done in the given order, and
// returns the sums of each.
func step(u *lanes.Unit, p *lanes.Plane, cuts, order []int) []lanes.StageSums {
	rows := len(p.F) / p.Pitch
	type part struct{ before, behind lanes.Border }
	parts := make([]part, len(cuts)-1)
	for i := range parts {
		parts[i] = part{lanes.NewBorder(p.Pitch), lanes.NewBorder(p.Pitch)}
		if cuts[i] > 0 {
			parts[i].before.Copy(p, cuts[i]-1)
		}
		if cuts[i+1] < rows {
			parts[i].behind.Copy(p, cuts[i+1])
		}
	}
	out := make([]lanes.StageSums, len(parts))
	for _, i := range order {
		out[i] = u.Step(p, cuts[i], cuts[i+1], parts[i].before, parts[i].behind, lanes.NewWalker(p.Pitch))
	}
	return out
}

// appliedTo returns what the kernel makes of a reweighted value.
func appliedTo(p *lanes.Plane, v []float64, x int) float64 {
	flux := func(x, y int) float64 {
		if x < 0 || y >= len(v) {
			return 0
		}
		return float64(math.Min(p.F[x], p.F[y]) * (v[y] - v[x]))
	}
	sum := (flux(x, x+1) - flux(x-1, x)) + (flux(x, x+p.Pitch) - flux(x-p.Pitch, x))
	return v[x] + float64(sum*(p.Inverse[x]*(1+p.Back[x])*p.Share))
}

// TestStep: on every unit Step gives what its formula says, to the last digit, and the same bits as
// in plain Go, whatever the rows into which it is divided.
func TestStep(t *testing.T) {
	onUnits(t, func(t *rapid.T, u *lanes.Unit) {
		rows, cols := rapid.IntRange(1, 5).Draw(t, "rows"), rapid.IntRange(1, 20).Draw(t, "cols")
		got := drawPlane(t, rows, cols, sometimesInfinite(t)...)
		reweighted := clonePlane(got)
		want := clonePlane(got)
		cut := rapid.IntRange(0, rows).Draw(t, "cut")
		parts := step(u, got, []int{0, cut, rows}, []int{1, 0})
		if wanted := step(lanes.Portable(), want, []int{0, cut, rows}, []int{0, 1}); fmt.Sprint(parts) !=
			fmt.Sprint(wanted) {
			t.Fatalf("sums %v, want %v", parts, wanted)
		}
		sameBits(t, "step", changed(got), changed(want))
		for i, part := range parts {
			stage := reweighted.Part([]int{0, cut}[i]*got.Pitch, []int{cut, rows}[i]*got.Pitch)
			if sums := lanes.Portable().Reweight(&stage); fmt.Sprint(part) != fmt.Sprint(sums) {
				t.Fatalf("sums %v, want %v", part, sums)
			}
		}
		for x := range got.F {
			for i, v := range [][]float64{reweighted.U, reweighted.A} {
				next := [][]float64{got.U, got.A}[i][x]
				if plain := appliedTo(reweighted, v, x); next != plain && !math.IsNaN(plain) &&
					!math.IsInf(plain, 0) {
					t.Fatalf("slot %d: %v, want %v", x, next, plain)
				}
			}
		}
		sameBits(t, "f", [][]float64{got.F}, [][]float64{reweighted.F})
	})
}

// narrow returns a plane of at most seven columns in narrow rows.
func narrow(p *lanes.Plane) []lanes.Row {
	rows := make([]lanes.Row, len(p.F)/lanes.Width)
	for x := range p.F {
		r := &rows[x/lanes.Width]
		lane := x % lanes.Width
		r.F[lane], r.U[lane], r.A[lane] = p.F[x], p.U[x], p.A[x]
		r.Grow[lane], r.Back[lane], r.Shift[lane] = p.Grow[x], p.Back[x], p.Shift[x]
		r.Inverse[lane], r.Fall[lane] = p.Inverse[x]*p.Share, 1+p.Back[x]
	}
	return rows
}

// appliedAround returns what the kernel with eight neighbours makes of a reweighted value of a
// plane with a number of columns, and how large the numbers are that it adds up.
func appliedAround(p *lanes.Plane, v []float64, x, cols int) (value, size float64) {
	rows := len(v) / p.Pitch
	sum := 0.0
	row, col := x/p.Pitch, x%p.Pitch
	for r := max(0, row-1); r <= min(rows-1, row+1); r++ {
		for c := max(0, col-1); c <= min(cols-1, col+1); c++ {
			y := r*p.Pitch + c
			flux := math.Min(p.F[x], p.F[y]) * (v[y] - v[x])
			sum += flux
			size += math.Abs(flux)
		}
	}
	per := p.Inverse[x] * (1 + p.Back[x]) * p.Share
	return v[x] + per*sum, math.Abs(v[x]) + math.Abs(per)*size
}

// TestAround: StepsAround gives the same bits on every unit, and what its formula says, to
// rounding.
func TestAround(t *testing.T) {
	onUnits(t, func(t *rapid.T, u *lanes.Unit) {
		rows, cols := rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(1, 7).Draw(t, "cols")
		p := drawPlane(t, rows, cols)
		got, want := narrow(p), narrow(p)
		for step := range 3 {
			sums := make([]lanes.StageSums, 1)
			wanted := make([]lanes.StageSums, 1)
			u.StepsAround(got, sums)
			lanes.Portable().StepsAround(want, wanted)
			if reweighted := lanes.Portable().Reweight(&p.Stage); fmt.Sprint(sums[0]) !=
				fmt.Sprint(reweighted) || fmt.Sprint(sums) != fmt.Sprint(wanted) {
				t.Fatalf("step %d: sums %v and %v, want %v", step, sums, wanted, reweighted)
			}
			u := slices.Clone(p.U)
			a := slices.Clone(p.A)
			for x := range p.F {
				g := &got[x/lanes.Width]
				w := &want[x/lanes.Width]
				lane := x % lanes.Width
				sameBits(t, "steps", [][]float64{{g.F[lane], g.U[lane], g.A[lane], g.Inverse[lane]}},
					[][]float64{{w.F[lane], w.U[lane], w.A[lane], w.Inverse[lane]}})
				for i, v := range []float64{g.U[lane], g.A[lane]} {
					if plain, size := appliedAround(p, [][]float64{u, a}[i], x, cols); x%p.Pitch < cols &&
						size < math.Inf(1) && !(math.Abs(v-plain) <= 1e-14*size) {
						t.Fatalf("slot %d: %v, want %v", x, v, plain)
					}
				}
			}
			for x := range p.F {
				r := &got[x/lanes.Width]
				lane := x % lanes.Width
				p.U[x], p.A[x] = r.U[lane], r.A[lane]
				p.Inverse[x] *= 1 + p.Back[x]
			}
		}
	})
}

// TestNarrow: Steps is Step, to the bit, on every unit.
func TestNarrow(t *testing.T) {
	onUnits(t, func(t *rapid.T, u *lanes.Unit) {
		rows, cols := rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(1, 7).Draw(t, "cols")
		p := drawPlane(t, rows, cols)
		slim := narrow(p)
		out := make([]lanes.StageSums, 3)
		u.Steps(slim, out)
		for i := range out {
			got := out[i]
			if want := step(lanes.Portable(), p, []int{0, rows}, []int{0})[0]; fmt.Sprint(got) !=
				fmt.Sprint(want) {
				t.Fatalf("step %d: sums %v, want %v", i, got, want)
			}
		}
		for x := range p.F {
			r := &slim[x/lanes.Width]
			lane := x % lanes.Width
			sameBits(t, "steps", [][]float64{{r.F[lane], r.U[lane], r.A[lane], r.Inverse[lane]}},
				[][]float64{{p.F[x], p.U[x], p.A[x], p.Inverse[x] * p.Share}})
		}
	})
}

func checkFold(t *rapid.T, u *lanes.Unit, in [][]float64) {
	a, b, c := rapid.Float64Range(-2, 2).Draw(t, "a"), rapid.Float64Range(-2, 2).Draw(t, "b"),
		rapid.Float64Range(-2, 2).Draw(t, "c")
	got, want := clones(in), clones(in)
	total := u.Fold(got[0], got[1], got[2], got[3], got[4], a, b, c)
	products := make([]float64, len(in[0]))
	for x := range want[0] {
		want[0][x] -= float64(a*in[2][x]) + float64(b*in[1][x])
		want[4][x] += float64(c * want[0][x])
		products[x] = float64(want[0][x] * in[3][x])
	}
	sameBits(t, "Fold", append(got, []float64{total}), append(want, []float64{sumInLanes(products)}))
}

func checkMean(t *rapid.T, u *lanes.Unit, in [][]float64) {
	got, want := clones(in), clones(in)
	u.Mean(got[0], got[1], got[2], got[3], got[4], got[5])
	u.Inverse(got[6], got[7], got[8])
	for x := range want[0] {
		want[6][x] = 1 / (in[7][x] + in[8][x])
		want[0][x] = (float64(in[1][x]*in[3][x]) + float64(in[2][x]*in[4][x])) * in[5][x]
	}
	sameBits(t, "Mean", got, want)
}
