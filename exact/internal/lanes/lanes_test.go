package lanes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// arrays draws arrays of n numbers: ordinary ones, ties, zeros and the given ones. Each begins somewhere in a longer array, so
// that its address is no multiple of a vector.
func arrays(t *rapid.T, count, n int, special ...float64) [][]float64 {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	special = append(special, 0, 1, -1, 0.5)
	out := make([][]float64, count)
	for i := range out {
		out[i] = make([]float64, n+7)[r.IntN(8):][:n]
		for x := range out[i] {
			if out[i][x] = 4*r.Float64() - 2; r.IntN(2) == 0 {
				out[i][x] = special[r.IntN(len(special))]
			}
		}
	}
	return out
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

// same fails the test where two arrays do not have the same bits.
func same(t *rapid.T, what string, got, want [][]float64) {
	t.Helper()
	for i := range want {
		for x := range want[i] {
			if math.Float64bits(got[i][x]) != math.Float64bits(want[i][x]) {
				t.Fatalf("%s: number %d of array %d is %v, want %v", what, x, i, got[i][x], want[i][x])
			}
		}
	}
}

// sumInLanes adds numbers up as this package does, in the most obvious way.
func sumInLanes(v []float64) float64 {
	var p partial
	for lane := range p {
		for x := lane; x < len(v); x += Width {
			p[lane] += v[x]
		}
	}
	return p.total()
}

// TestElementwise: on every unit the loops give the bits of plain ones, for arrays of all lengths.
func TestElementwise(t *testing.T) {
	for _, u := range Units() {
		t.Run(u.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(0, 70).Draw(t, "n")
				if rapid.IntRange(0, 9).Draw(t, "long") == 0 {
					n += block
				}
				in := arrays(t, 9, n, 0x1p-1070, -0x1p-1060, 1e-300, 1e130)
				positive(in[0])
				positive(in[5])
				checkAdvance(t, u, in)
				checkRebase(t, u, in)
				checkTurn(t, u, in)
				checkPull(t, u, in)
				checkSettle(t, u, in)
			})
		})
	}
}

func checkAdvance(t *rapid.T, u *Unit, in [][]float64) {
	got, want := clones(in), clones(in)
	sum := u.Advance(got[0], got[1], got[2], got[3])
	terms := make([]float64, len(in[0]))
	for x := range terms {
		more, less := in[0][x]*in[2][x], in[1][x]*in[3][x]
		f := in[0][x] + more
		want[0][x], want[1][x] = f, in[1][x]+less
		terms[x] = f * in[3][x]
	}
	same(t, "advance", append(got, []float64{sum}), append(want, []float64{sumInLanes(terms)}))
}

func checkRebase(t *rapid.T, u *Unit, in [][]float64) {
	got, want := clones(in), clones(in)
	const factor, offset = 1.01, -0.01
	r := u.Rebase(got[1], got[2], got[0], got[3], got[4], factor, offset)
	n := len(in[0])
	c, cw, ea := make([]float64, n), make([]float64, n), make([]float64, n)
	for x := range n {
		scaled := in[4][x] * factor
		e := scaled + offset
		product := in[1][x] * e
		w := in[1][x] + (e + product)
		want[1][x], want[2][x] = w, in[2][x]+in[3][x]
		fe := in[0][x] * e
		c[x], ea[x] = in[0][x]*in[3][x], fe*in[2][x]
		cw[x] = c[x] * w
	}
	same(t, "rebase", append(got, []float64{r.C, r.CW, r.EA}), append(want, []float64{sumInLanes(c), sumInLanes(cw), sumInLanes(ea)}))
}

func checkTurn(t *rapid.T, u *Unit, in [][]float64) {
	got, want := clones(in), clones(in)
	r := u.Turn(&Stage{got[0], got[1], got[2], got[3], got[4], got[6]})
	n := len(in[0])
	b, ba, c, cu := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for x := range n {
		f := in[0][x] * in[1][x]
		product := in[4][x] * in[2][x]
		w := in[4][x] + (in[2][x] + product)
		want[0][x], want[4][x], want[6][x] = f, w, in[6][x]+in[3][x]
		b[x], c[x] = f*in[2][x], f*in[3][x]
		ba[x], cu[x] = b[x]*in[6][x], c[x]*w
	}
	same(t, "turn", append(got, []float64{r.Back, r.BackA, r.Shift, r.ShiftU}),
		append(want, []float64{sumInLanes(b), sumInLanes(ba), sumInLanes(c), sumInLanes(cu)}))
}

func checkPull(t *rapid.T, u *Unit, in [][]float64) {
	for _, gated := range []bool{false, true} {
		got, want := clones(in), clones(in)
		if gated {
			u.PullGated(got[7], got[8], got[0], got[1], got[2], got[5], got[3], got[4], got[6])
		} else {
			u.Pull(got[7], got[8], got[0], got[1], got[2], got[5], got[3], got[4])
		}
		for x := range in[0] {
			s := math.Min(in[0][x], in[5][x])
			if gated {
				s *= in[6][x]
			}
			fluxU, fluxA := s*(in[3][x]-in[1][x]), s*(in[4][x]-in[2][x])
			want[7][x] += fluxU
			want[8][x] += fluxA
		}
		same(t, "pull", got, want)
	}
}

func checkSettle(t *rapid.T, u *Unit, in [][]float64) {
	got, want := clones(in), clones(in)
	u.Settle(got[7], got[8], got[1], got[2], got[3], got[4], got[5], got[6], 0.3)
	for x := range in[0] {
		per := in[5][x] * (1 + in[6][x])
		want[5][x] = per
		per *= 0.3
		du, da := in[3][x]*per, in[4][x]*per
		want[7][x], want[8][x] = in[1][x]+du, in[2][x]+da
	}
	same(t, "settle", got, want)
}

// drawPlane draws a plane of rows and columns, with empty slots behind every row.
func drawPlane(t *rapid.T, rows, cols int) *Plane {
	pitch := (cols/Width + 1) * Width
	n := (rows + 2) * pitch
	in := arrays(t, 5, n, 1e-20, 1e20)
	positive(in[0])
	for x := range n {
		if row := x/pitch - 1; row < 0 || row >= rows || x%pitch >= cols {
			in[0][x] = 0
			in[1][x], in[2][x] = 0, 0
		}
	}
	return &Plane{
		F: in[0], U: in[1], A: in[2], NextU: make([]float64, n), NextA: make([]float64, n),
		Inverse: in[3][pitch : n-pitch], Back: in[4][pitch : n-pitch], Cols: cols, Pitch: pitch, Share: 0.25, Memory: make([]float64, 2*cols),
	}
}

// clone returns a copy of a plane, whose arrays share nothing with it.
func (p *Plane) clone() *Plane {
	q := *p
	for _, v := range []*[]float64{&q.F, &q.U, &q.A, &q.NextU, &q.NextA, &q.Inverse, &q.Back, &q.Memory} {
		*v = slices.Clone(*v)
	}
	return &q
}

// moved returns what Move gives at a state, and how large the numbers are that it adds up.
func (p *Plane) moved(v []float64, x int) (value, size float64) {
	at := x + p.Pitch
	sum := 0.0
	for _, y := range []int{at - 1, at + 1, at - p.Pitch, at + p.Pitch} {
		flux := math.Min(p.F[at], p.F[y]) * (v[y] - v[at])
		sum += flux
		size += math.Abs(flux)
	}
	per := p.Inverse[x] * (1 + p.Back[x]) * p.Share
	return v[at] + per*sum, math.Abs(v[at]) + math.Abs(per)*size
}

// TestMove: on every unit Move gives what its formula says, to rounding, and the same bits as in plain Go, whatever the rows
// into which it is divided.
func TestMove(t *testing.T) {
	for _, u := range Units() {
		t.Run(u.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				rows, cols := rapid.IntRange(1, 5).Draw(t, "rows"), rapid.IntRange(1, 20).Draw(t, "cols")
				p := drawPlane(t, rows, cols)
				got, want := p.clone(), p.clone()
				cut := rapid.IntRange(0, rows).Draw(t, "cut")
				u.Move(got, cut, rows)
				u.Move(got, 0, cut)
				Portable().Move(want, 0, rows)
				for row := range rows {
					for col := range cols {
						x := row*p.Pitch + col
						for i, v := range [][]float64{p.U, p.A} {
							next, wanted := [][]float64{got.NextU, got.NextA}[i], [][]float64{want.NextU, want.NextA}[i]
							same(t, "move", [][]float64{next[x+p.Pitch : x+p.Pitch+1]}, [][]float64{wanted[x+p.Pitch : x+p.Pitch+1]})
							if plain, size := p.moved(v, x); !(math.Abs(next[x+p.Pitch]-plain) <= 1e-14*size) {
								t.Fatalf("state %d: %v, want %v", x, next[x+p.Pitch], plain)
							}
						}
						same(t, "inverse", [][]float64{got.Inverse[x : x+1]}, [][]float64{want.Inverse[x : x+1]})
					}
				}
			})
		})
	}
}

// TestNarrow: Steps is Turn and Move, to the bit, on every unit.
func TestNarrow(t *testing.T) {
	for _, u := range Units() {
		t.Run(u.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				rows, cols := rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(1, 7).Draw(t, "cols")
				p := drawPlane(t, rows, cols)
				n := rows * Width
				rest := arrays(t, 2, n)
				grow, shift := rest[0], rest[1]
				positive(grow)
				narrow := make([]Row, rows)
				for x := range n {
					r, lane := &narrow[x/Width], x%Width
					if lane >= cols {
						grow[x], shift[x] = 1, 0
						p.Back[x], p.Inverse[x] = 0, 0
					}
					r.F[lane], r.U[lane], r.A[lane] = p.F[x+Width], p.U[x+Width], p.A[x+Width]
					r.Grow[lane], r.Back[lane], r.Shift[lane] = grow[x], p.Back[x], shift[x]
					r.Inverse[lane], r.Fall[lane] = p.Inverse[x]*p.Share, 1+p.Back[x]
				}
				out := make([]Sums, 3)
				u.Steps(narrow, out)
				for i := range out {
					got := out[i].Totals()
					want := Portable().Turn(&Stage{p.F[Width:][:n], grow, p.Back, shift, p.U[Width:][:n], p.A[Width:][:n]})
					Portable().Move(p, 0, rows)
					p.U, p.A, p.NextU, p.NextA = p.NextU, p.NextA, p.U, p.A
					if fmt.Sprint(got) != fmt.Sprint(want) {
						t.Fatalf("step %d: sums %v, want %v", i, got, want)
					}
				}
				for x := range n {
					if x%Width < cols {
						r, lane := &narrow[x/Width], x%Width
						same(t, "steps", [][]float64{{r.F[lane], r.U[lane], r.A[lane], r.Inverse[lane]}},
							[][]float64{{p.F[x+Width], p.U[x+Width], p.A[x+Width], p.Inverse[x] * p.Share}})
					}
				}
			})
		})
	}
}
