package gradient

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/operator"
	"breadboard/exact/kernel"
)

// transition is a transition matrix with its derivative with respect to beta. Off the diagonal, the
// entries of row x are those with indices from start[x] up to start[x+1].
type transition struct {
	stay  []float64 // the diagonal
	start []int32
	to    []int32   // the columns of the entries
	p, dp []float64 // the entries and their derivatives

	law    []float64 // p_t at the stage of the derivatives
	kinked bool      // whether that stage has a kink
}

// offDiagonal returns the columns of row x off the diagonal, and its part of entries, which is p or
// dp.
func (m *transition) offDiagonal(x int, entries []float64) ([]int32, []float64) {
	first := m.start[x]
	end := m.start[x+1]
	to := m.to[first:end]
	return to, entries[first:end][:len(to)]
}

// AverageTerms writes T v to dst, as the sum of the terms T(x,y) v(y).
func (m *transition) AverageTerms(dst, v []float64) {
	for x, own := range v {
		total := m.stay[x] * own
		to, p := m.offDiagonal(x, m.p)
		for i, y := range to {
			total += p[i] * v[y]
		}
		dst[x] = total
	}
}

// Average writes T v to dst. It adds up differences of v, so that a constant in v costs no digits.
func (m *transition) Average(dst, v []float64) {
	for x, own := range v {
		total := 0.0
		to, p := m.offDiagonal(x, m.p)
		for i, y := range to {
			total += p[i] * (v[y] - own)
		}
		dst[x] = own + total
	}
}

// Derived implements side.
func (m *transition) Derived(measure, v []float64, _ operator.Direction) (total float64, kinked bool) {
	for x, own := range v {
		row := 0.0
		to, dp := m.offDiagonal(x, m.dp)
		for i, y := range to {
			row += dp[i] * (v[y] - own)
		}
		total += m.law[x] * measure[x] * row
	}
	return total, m.kinked
}

// rowMoves are the moves of a kernel whose derivative is not known. It differentiates the kernel's
// rows by a five-point formula along the slope of log f.
//
//	T'(0) = (8 (T(h) - T(-h)) - (T(2h) - T(-2h)))/(12 h) + O(h^4)
//
// for the rows T(s) under log f plus s times the slope. It takes five times the rows of a stage.
type rowMoves struct {
	kernel  chains.Kernel
	outside bool           // whether the kernel is not of the library
	flows   kernel.Flows   // examines the rows of a kernel that is not of the library
	rows    [5]kernel.Rows // the rows at -2h, -h, 0, h, 2h
	turned  [5]kernel.Rows // the reversed flows of these rows, for a kernel that is not of the library
	fill    []int          // memory for turned
	shifted []float64      // memory for log f
	values  [5][]float64   // the entries of one row at the five points, by state; zero between rows
	touched []int          // the states with an entry in that row at one of the points

	// the kernel and its time reversal, which are the same if the kernel is known to be reversible
	forward, backward *transition
}

func newRowMoves(k chains.Kernel) *rowMoves {
	m := &rowMoves{kernel: k, outside: !chains.OfLibrary(k), forward: &transition{}}
	m.backward = m.forward
	if _, reverses := k.(chains.Reverser); reverses || m.outside {
		m.backward = &transition{}
	}
	return m
}

// resized returns a slice of n numbers, v itself if it has the capacity.
func resized(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// span is the largest change of log f, in nats, between neighbouring points of the formula. The
// formula itself then has an error of about span^4/30 = 3e-14, and rounding adds about 1e-16/span.
const span = 1e-3

// load implements loader.
func (m *rowMoves) load(ctx context.Context, s *tangent) error {
	logf := s.logF()
	rows := &m.rows[2]
	if err := rows.Fill(ctx, m.kernel, logf); err != nil {
		return err
	}
	m.forward.copyRows(rows)
	if m.outside {
		reversal, err := m.flows.Turn(ctx, m.kernel, rows, logf)
		if err != nil {
			return err
		}
		m.backward.copyRows(reversal)
	} else if reversal, ok := m.reversal(); ok {
		if err := rows.Fill(ctx, reversal, logf); err != nil {
			return err
		}
		m.backward.copyRows(rows)
	}
	return m.checkMemory()
}

// checkMemory fails if the rows at all points would take too much memory.
func (m *rowMoves) checkMemory() error {
	entries := len(m.forward.to)
	if m.backward != m.forward {
		entries += len(m.backward.to)
	}
	if err := kernel.CheckEntries(m.kernel, len(m.forward.stay), float64(len(m.rows)*entries)); err != nil {
		return fmt.Errorf("a derivative takes the rows at %d points: %w", len(m.rows), err)
	}
	return nil
}

// reversal returns the time reversal of a kernel of the library, and true. It returns false if the
// kernel is its own time reversal, and for kernels that are not of the library.
func (m *rowMoves) reversal() (reversal chains.Kernel, ok bool) {
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

// derive implements loader.
func (m *rowMoves) derive(ctx context.Context, s *tangent) error {
	s.loadSlope()
	h, err := m.fillRows(ctx, m.kernel, s)
	if err != nil {
		return err
	}
	kinked := m.deriveOne(m.forward, &m.rows, h, s.beta)
	if m.outside {
		for i := range m.rows {
			m.turned[i].Turn(&m.rows[i], m.shift(s, i, h), &m.fill)
		}
		kinked = m.deriveOne(m.backward, &m.turned, h, s.beta) || kinked
	} else if reversal, ok := m.reversal(); ok {
		h, err = m.fillRows(ctx, reversal, s)
		if err != nil {
			return err
		}
		kinked = m.deriveOne(m.backward, &m.rows, h, s.beta) || kinked
	}
	for _, side := range []*transition{m.forward, m.backward} {
		side.law = s.p
		side.kinked = kinked
	}
	return nil
}

// fillRows fills the rows of a kernel at the five points, and returns the distance h between
// neighbouring points.
func (m *rowMoves) fillRows(ctx context.Context, k chains.Kernel, s *tangent) (h float64, err error) {
	h = 1.0
	if low, high := number.Bounds(s.slope); high > low {
		h = 2 * span / (high - low)
	}
	for i := range m.rows {
		if err := m.rows[i].Fill(ctx, k, m.shift(s, i, h)); err != nil {
			return 0, err
		}
	}
	return h, nil
}

// shift returns log f at point i of the five, up to a constant. The result is valid until the next
// call.
func (m *rowMoves) shift(s *tangent, i int, h float64) []float64 {
	m.shifted = resized(m.shifted, len(s.p))
	low, high := number.Bounds(s.slope)
	for x, v := range s.logF() {
		m.shifted[x] = v + float64(i-2)*h*(s.slope[x]-(low+high)/2)
	}
	return m.shifted
}

// deriveOne makes dst the matrix with the rows at the middle point, and their derivatives. It
// builds dst from the start, since a state may be reached at one of the five points and not at the
// others.
func (m *rowMoves) deriveOne(dst *transition, rows *[5]kernel.Rows, h, beta float64) (kinked bool) {
	n := rows[2].States()
	for i := range m.values {
		if len(m.values[i]) != n {
			m.values[i] = make([]float64, n)
		}
	}
	dst.clear()
	for x := range n {
		dst.stay = append(dst.stay, rows[2].EntryAt(x, x))
		kinked = m.appendRow(dst, rows, x, h, beta) || kinked
		dst.start = append(dst.start, int32(len(dst.to)))
	}
	return kinked
}

// appendRow appends to dst the entries of row x off the diagonal, with their derivatives.
func (m *rowMoves) appendRow(dst *transition, rows *[5]kernel.Rows, x int, h, beta float64) (kinked bool) {
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

// fivePoint returns the derivative at the middle one of five points with the distance h, given the
// values there. If the derivatives from the two sides differ, it reports a kink and returns the one
// from above, or from below at beta = 1.
func fivePoint(v [5]float64, h, beta float64) (d float64, kinked bool) {
	above := (-3*v[2] + 4*v[3] - v[4]) / (2 * h)
	below := (3*v[2] - 4*v[1] + v[0]) / (2 * h)
	if math.Abs(above-below) > 1e-3*(math.Abs(above)+math.Abs(below))+1e-9/h {
		// A kink between two other points changes the values on one side by much more than the
		// curvature of a smooth function. The derivative is then the one from the other side.
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
