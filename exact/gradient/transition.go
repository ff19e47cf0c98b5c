package gradient

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/number"
	"breadboard/exact/kernel"
	"breadboard/grid"
)

// transition is a transition matrix with its derivative with respect to beta. Off the diagonal, the entries of row x are
// those with indices from start[x] up to start[x+1].
type transition struct {
	stay  []float64 // the diagonal
	start []int32
	to    []int32   // the columns of the entries
	p, dp []float64 // the entries and their derivatives
}

// row returns the columns of row x off the diagonal, and its part of entries, which is p or dp.
func (m *transition) row(x int, entries []float64) ([]int32, []float64) {
	first, end := m.start[x], m.start[x+1]
	to := m.to[first:end]
	return to, entries[first:end][:len(to)]
}

// averagePositive writes T v to dst. For positive v nothing cancels.
func (m *transition) averagePositive(dst, v []float64) {
	for x, own := range v {
		total := m.stay[x] * own
		to, p := m.row(x, m.p)
		for i, y := range to {
			total += p[i] * v[y]
		}
		dst[x] = total
	}
}

// average writes T v to dst. It adds up differences of v, so that a constant in v costs no digits.
func (m *transition) average(dst, v []float64) {
	for x, own := range v {
		total := 0.0
		to, p := m.row(x, m.p)
		for i, y := range to {
			total += p[i] * (v[y] - own)
		}
		dst[x] = own + total
	}
}

// derived returns the sum over x of measure(x) (T' v)(x), with T' the derivative of T.
func (m *transition) derived(measure, v []float64) float64 {
	total := 0.0
	for x, own := range v {
		row := 0.0
		to, dp := m.row(x, m.dp)
		for i, y := range to {
			row += dp[i] * (v[y] - own)
		}
		total += measure[x] * row
	}
	return total
}

// transitions computes the matrices of a kernel and of its time reversal. Where the kernel is reversible both are the
// same.
type transitions interface {
	// load computes the matrices at a point, without derivatives.
	load(ctx context.Context, forward, backward *transition, at point) error
	// derive adds the derivatives to matrices that are loaded. It reports whether the derivatives jump at that point; they
	// are then the derivatives from above, or from below at beta = 1.
	derive(ctx context.Context, forward, backward *transition, at point) (kinked bool, err error)
}

// point is a place on a path: beta, log f there, its derivative with respect to beta (slope), and f divided by its
// largest value.
type point struct {
	beta           float64
	logf, slope, f []float64
}

// newTransitions returns the transitions of a kernel, and whether the kernel is known to be its own time reversal.
func newTransitions(k chains.Kernel) (loader transitions, reversible bool) {
	if m, ok := k.(kernels.Metropolis); ok {
		return newMetropolisTransitions(m), true
	}
	_, has := k.(chains.Reverser)
	outside := !chains.OfLibrary(k)
	return &anyTransitions{kernel: k, outside: outside}, !has && !outside
}

// metropolisTransitions is the closed form for the paper's kernel. It needs no exponentials beyond those in f.
type metropolisTransitions struct {
	start, to []int32 // as in transition
	share     float64 // the probability of one direction
}

func newMetropolisTransitions(k kernels.Metropolis) *metropolisTransitions {
	m := &metropolisTransitions{start: []int32{0}, share: 1 / float64(k.Space.Directions())}
	for x := range k.Space.States() {
		for y := range grid.Neighbours(k.Space, x) {
			m.to = append(m.to, int32(y))
		}
		m.start = append(m.start, int32(len(m.to)))
	}
	return m
}

func (m *metropolisTransitions) load(_ context.Context, forward, _ *transition, at point) error {
	forward.start, forward.to = m.start, m.to
	forward.p, forward.stay = resized(forward.p, len(m.to)), resized(forward.stay, len(at.f))
	for x, fx := range at.f {
		to, p := forward.row(x, forward.p)
		perX := m.share / fx
		stay := 1 - m.share*float64(len(to)) // the probability of the directions that lead outside
		for i, y := range to {
			p[i] = m.share
			if fy := at.f[y]; fy < fx {
				p[i] = fy * perX
				stay += perX * (fx - fy)
			}
		}
		forward.stay[x] = stay
	}
	return nil
}

func (m *metropolisTransitions) derive(_ context.Context, forward, _ *transition, at point) (kinked bool, err error) {
	forward.dp = resized(forward.dp, len(m.to))
	for x, fx := range at.f {
		to, dp := forward.row(x, forward.dp)
		for i, y := range to {
			d := at.slope[y] - at.slope[x]
			if fy := at.f[y]; fy > fx {
				d = 0
			} else if fy == fx && at.logf[y] == at.logf[x] {
				kinked = kinked || d != 0
				d = oneSided(at.beta, d)
			}
			dp[i] = m.share / fx * at.f[y] * d
		}
	}
	return kinked, nil
}

// oneSided returns the derivative of min(0, d beta) at zero: from above, or from below at beta = 1.
func oneSided(beta, d float64) float64 {
	if beta == 1 {
		return max(0, d)
	}
	return min(0, d)
}

func resized(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// anyTransitions differentiates the rows of any kernel by a five-point formula along the slope of log f.
type anyTransitions struct {
	kernel  chains.Kernel
	outside bool           // whether the kernel is not of the library
	flows   kernel.Flows   // examines the rows of a kernel that is not of the library
	rows    [5]kernel.Rows // the rows at -2h, -h, 0, h, 2h
	turned  [5]kernel.Rows // the reversed flows of these rows, for a kernel that is not of the library
	fill    []int          // memory for turned
	shifted []float64      // memory for log f
	values  [5][]float64   // the entries of one row at the five points, by state; zero between rows
	touched []int          // the states with an entry in that row at one of the points
}

// span is the largest change of log f, in nats, between neighbouring points of the formula. The formula itself then has
// an error of about span^4/30 = 3e-14, and rounding adds about 1e-16/span.
const span = 1e-3

func (m *anyTransitions) load(ctx context.Context, forward, backward *transition, at point) error {
	rows := &m.rows[2]
	if err := rows.Fill(ctx, m.kernel, at.logf); err != nil {
		return err
	}
	forward.copyRows(rows)
	if m.outside {
		reversal, err := m.flows.Turn(ctx, m.kernel, rows, at.logf)
		if err == nil {
			backward.copyRows(reversal)
		}
		return err
	}
	if reversal, ok := m.reversal(); ok {
		if err := rows.Fill(ctx, reversal, at.logf); err != nil {
			return err
		}
		backward.copyRows(rows)
	}
	return nil
}

// reversal returns the time reversal of a kernel of the library, and true. It returns false where the kernel is its own
// time reversal, and for kernels that are not of the library.
func (m *anyTransitions) reversal() (reversal chains.Kernel, ok bool) {
	if _, ok := m.kernel.(chains.Reverser); !ok || m.outside {
		return nil, false
	}
	return chains.ReversalOf(m.kernel)
}

// copyRows makes m the matrix with these rows, without derivatives.
func (m *transition) copyRows(rows *kernel.Rows) {
	m.clear()
	for x := range rows.States() {
		stay := 0.0
		for _, e := range rows.Row(x) {
			if e.To == x {
				stay = e.P
			} else {
				m.to, m.p = append(m.to, int32(e.To)), append(m.p, e.P)
			}
		}
		m.stay, m.start = append(m.stay, stay), append(m.start, int32(len(m.to)))
	}
}

// clear makes m a matrix without rows.
func (m *transition) clear() {
	m.stay, m.start, m.to, m.p, m.dp = m.stay[:0], append(m.start[:0], 0), m.to[:0], m.p[:0], m.dp[:0]
}

func (m *anyTransitions) derive(ctx context.Context, forward, backward *transition, at point) (kinked bool, err error) {
	h, err := m.spread(ctx, m.kernel, at)
	if err != nil {
		return false, err
	}
	if m.outside {
		for i := range m.rows {
			m.turned[i].Turn(&m.rows[i], m.shift(at, i, h), &m.fill)
		}
		back := m.deriveOne(backward, &m.turned, h, at.beta)
		return m.deriveOne(forward, &m.rows, h, at.beta) || back, nil
	}
	kinked = m.deriveOne(forward, &m.rows, h, at.beta)
	if reversal, ok := m.reversal(); ok {
		if h, err = m.spread(ctx, reversal, at); err != nil {
			return false, err
		}
		kinked = m.deriveOne(backward, &m.rows, h, at.beta) || kinked
	}
	return kinked, nil
}

// spread fills the rows of a kernel at the five points, and returns the distance h between neighbouring points.
func (m *anyTransitions) spread(ctx context.Context, k chains.Kernel, at point) (h float64, err error) {
	h = 1.0
	if low, high := number.Bounds(at.slope); high > low {
		h = 2 * span / (high - low)
	}
	for i := range m.rows {
		if err := m.rows[i].Fill(ctx, k, m.shift(at, i, h)); err != nil {
			return 0, err
		}
	}
	return h, nil
}

// shift returns log f at point i of the five, up to a constant. The result is valid until the next call.
func (m *anyTransitions) shift(at point, i int, h float64) []float64 {
	m.shifted = resized(m.shifted, len(at.logf))
	low, high := number.Bounds(at.slope)
	for x, v := range at.logf {
		m.shifted[x] = v + float64(i-2)*h*(at.slope[x]-(low+high)/2)
	}
	return m.shifted
}

// deriveOne makes dst the matrix with the rows at the middle point, and their derivatives. It builds dst from the start,
// since a state may be reached at one of the five points and not at the others.
func (m *anyTransitions) deriveOne(dst *transition, rows *[5]kernel.Rows, h, beta float64) (kinked bool) {
	n := rows[2].States()
	for i := range m.values {
		if len(m.values[i]) != n {
			m.values[i] = make([]float64, n)
		}
	}
	dst.clear()
	for x := range n {
		dst.stay = append(dst.stay, rows[2].At(x, x))
		kinked = m.appendRow(dst, rows, x, h, beta) || kinked
		dst.start = append(dst.start, int32(len(dst.to)))
	}
	return kinked
}

// appendRow appends to dst the entries of row x off the diagonal, with their derivatives.
func (m *anyTransitions) appendRow(dst *transition, rows *[5]kernel.Rows, x int, h, beta float64) (kinked bool) {
	m.touched = m.touched[:0]
	for i := range rows {
		for _, e := range rows[i].Row(x) {
			if e.To == x {
				continue
			}
			new := true
			for j := range m.values {
				new = new && m.values[j][e.To] == 0
			}
			if new {
				m.touched = append(m.touched, e.To)
			}
			m.values[i][e.To] = e.P
		}
	}
	for _, y := range m.touched {
		var v [5]float64
		for i := range v {
			v[i], m.values[i][y] = m.values[i][y], 0
		}
		d, kink := fivePoint(v, h, beta)
		kinked = kinked || kink
		dst.to, dst.p, dst.dp = append(dst.to, int32(y)), append(dst.p, v[2]), append(dst.dp, d)
	}
	return kinked
}

// fivePoint returns the derivative at the middle one of five points with the distance h, given the values there. Where
// the derivatives from the two sides differ, it reports a kink and returns the one from above, or from below at beta =
// 1.
func fivePoint(v [5]float64, h, beta float64) (d float64, kinked bool) {
	above := (-3*v[2] + 4*v[3] - v[4]) / (2 * h)
	below := (3*v[2] - 4*v[1] + v[0]) / (2 * h)
	if math.Abs(above-below) > 1e-3*(math.Abs(above)+math.Abs(below))+1e-9/h {
		// A kink between two other points bends the values on one side, by much more than a smooth function does. The
		// derivative is then the one from the other side.
		up, down := math.Abs(v[2]-2*v[3]+v[4]), math.Abs(v[0]-2*v[1]+v[2])
		bend := 0.005 * h * math.Abs(above-below)
		switch {
		case up > max(bend, 10*down):
			return below, false
		case down > max(bend, 10*up):
			return above, false
		case beta == 1:
			return below, true
		}
		return above, true
	}
	return (8*(v[3]-v[1]) - (v[4] - v[0])) / (12 * h), false
}
