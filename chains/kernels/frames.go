package kernels

import (
	"slices"

	"breadboard/chains"
	"breadboard/chains/frames"
	"breadboard/grid"
)

// Frames hold the places of the entries of a kernel's rows; a mixture has a frame if its parts do
// (see frames.Frame).

// The frame of a kernel that proposes and then accepts or rejects holds the probability of each
// proposal. A proposal that is rejected for every f, as a step into a wall, counts as a proposal of
// x itself. The state x stands last in its row.

// appendDirections appends the proposals of one of the directions of a space, drawn uniformly,
// together with the given probability.
func appendDirections(dst []chains.Entry, space grid.Graph, x int, p float64) []chains.Entry {
	directions := space.Directions()
	each := p / float64(directions)
	walls := 0.0
	for d := range directions {
		if y, inside := space.Neighbour(x, d); inside {
			dst = append(dst, chains.Entry{To: y, P: each})
		} else {
			walls += each
		}
	}
	return append(dst, chains.Entry{To: x, P: walls})
}

// placeEntries writes the probabilities of entries to their places in the row of a frame.
func placeEntries(row, entries []chains.Entry) {
	for i := range row {
		row[i].P = 0
	}
	for _, e := range entries {
		row[slices.IndexFunc(row, func(r chains.Entry) bool { return r.To == e.To })].P += e.P
	}
}

// fillMetropolis fills a frame of proposals that are accepted with probability min(1, f(y)/f(x)).
// It computes no exponentials beyond those in Values, unless log f spans much.
//
//	T(x, y) = q(x, y) min(1, f(y)/f(x)),
//
//	T(x, x) = q(x, x) + sum over y of q(x, y) (1 - min(1, f(y)/f(x)))
func fillMetropolis(f *frames.Frame, v *frames.Values) {
	for x, from := range v.LogF {
		row := f.Row(x)
		proposed := f.Fixed[f.Start[x]:f.Start[x+1]]
		last := len(row) - 1
		stay := proposed[last]
		for i := range row[:last] {
			q := proposed[i]
			to := v.LogF[row[i].To]
			var accepted, refused float64
			switch d := to - from; {
			case d >= 0:
				row[i].P = q
				continue
			case d > smallFall:
				refused = fallen(d)
				accepted = 1 - refused
			case v.F != nil:
				accepted = v.F[row[i].To] * v.Inverse[x]
				refused = 1 - accepted
			default:
				accepted = metropolisAccept(from, to) // also if f is zero
				refused = 1 - accepted
			}
			row[i].P = q * accepted
			stay += q * refused
		}
		row[last] = chains.Entry{To: x, P: stay}
	}
}

// smallFall is the fall of log f below which one minus the ratio of f is summed as a series, since
// the subtraction would cost digits. (The probability of staying may be small, and is then the sum
// of such numbers.)
const smallFall = -0.25

// fallen returns 1 - exp(d) for smallFall < d <= 0 with an error of a few units in the last place.
// It is -2d/(c - d), where c = d coth(d/2) is a power series in d^2 with the Bernoulli numbers: 2
// B(2k)/(2k)!. The term left out is below 1e-16 of c.
//
// Source: Abramowitz and Stegun 1964, 4.5.67.
func fallen(d float64) float64 {
	s := d * d
	c := 2 + s*(1./6+s*(-1./360+s*(1./15120+s*(-1./604800+s*(1./23950080)))))
	return -2 * d / (c - d)
}

// fillBarker fills a frame of proposals that are accepted with probability f(y)/(f(x) + f(y)).
func fillBarker(f *frames.Frame, v *frames.Values) {
	for x, from := range v.LogF {
		row := f.Row(x)
		proposed := f.Fixed[f.Start[x]:f.Start[x+1]]
		last := len(row) - 1
		stay := proposed[last]
		for i := range row[:last] {
			y := row[i].To
			var accepted, refused float64
			if v.F != nil {
				whole := 1 / (v.F[x] + v.F[y])
				accepted = v.F[y] * whole
				refused = v.F[x] * whole
			} else {
				accepted, refused = barkerAccept(from, v.LogF[y]), barkerRefuse(from, v.LogF[y])
			}
			row[i].P = proposed[i] * accepted
			stay += proposed[i] * refused
		}
		row[last] = chains.Entry{To: x, P: stay}
	}
}

// AppendFrame appends the proposals.
func (k Metropolis) AppendFrame(dst []chains.Entry, x int) []chains.Entry {
	return appendDirections(dst, k.Space, x, 1)
}

// FillFrame fills the rows.
func (k Metropolis) FillFrame(f *frames.Frame, v *frames.Values) { fillMetropolis(f, v) }

// AppendFrame appends the proposals.
func (k Barker) AppendFrame(dst []chains.Entry, x int) []chains.Entry {
	return appendDirections(dst, k.Space, x, 1)
}

// FillFrame fills the rows.
func (k Barker) FillFrame(f *frames.Frame, v *frames.Values) { fillBarker(f, v) }

// AppendFrame appends the proposals. Those outside of the space are one proposal of x itself.
func (k Moore) AppendFrame(dst []chains.Entry, x int) []chains.Entry {
	points := k.around(x)
	each := 1 / float64(k.proposals())
	for _, y := range points {
		if y != x {
			dst = append(dst, chains.Entry{To: y, P: each})
		}
	}
	return append(dst, chains.Entry{To: x, P: float64(k.proposals()+1-len(points)) * each})
}

// FillFrame fills the rows.
func (k Moore) FillFrame(f *frames.Frame, v *frames.Values) { fillMetropolis(f, v) }

// AppendFrame appends the proposals.
func (k Flip) AppendFrame(dst []chains.Entry, x int) []chains.Entry {
	nowhere := 0.0
	for axis, side := range k.Space.Sides() {
		if side == 1 {
			nowhere += 1 / float64(k.Space.Dims())
			continue
		}
		for value := range side - 1 {
			dst = append(dst, chains.Entry{
				To: OtherValues{k.Space}.otherState(x, axis, value),
				P:  1 / float64(k.Space.Dims()*(side-1)),
			})
		}
	}
	return append(dst, chains.Entry{To: x, P: nowhere})
}

// FillFrame fills the rows.
func (k Flip) FillFrame(f *frames.Frame, v *frames.Values) { fillMetropolis(f, v) }

// CountFrame returns the number of entries: along each axis every point has itself and its
// neighbours.
func (k Moore) CountFrame() float64 {
	entries := 1.0
	for axis, side := range k.Space.Sides() {
		walls := 2
		if k.Space.Wraps(axis) {
			walls = 0
		}
		entries *= float64(3*side - walls)
	}
	return entries
}

// AppendFrame appends the proposals: all other states first, and x itself last.
func (k Jump) AppendFrame(dst []chains.Entry, x int) []chains.Entry {
	each := k.Eps / float64(k.Space.States())
	for y := range k.Space.States() {
		if y != x {
			dst = append(dst, chains.Entry{To: y, P: each})
		}
	}
	dst = appendDirections(dst, k.Space, x, 1-k.Eps)
	dst[len(dst)-1].P += each
	return dst
}

// FillFrame fills the rows.
func (k Jump) FillFrame(f *frames.Frame, v *frames.Values) { fillMetropolis(f, v) }

// AppendFrame appends the proposals: all other states first, and x itself last.
func (k Independence) AppendFrame(dst []chains.Entry, x int) []chains.Entry {
	for y, p := range k.P {
		if p > 0 && y != x {
			dst = append(dst, chains.Entry{To: y, P: p})
		}
	}
	return append(dst, chains.Entry{To: x, P: k.P[x]})
}

// CountFrame returns the number of entries: every state leads to itself and to all that are
// proposed.
func (k Independence) CountFrame() float64 {
	proposed := 0
	for _, p := range k.P {
		if p > 0 {
			proposed++
		}
	}
	return float64(proposed)*float64(len(k.P)-1) + float64(len(k.P))
}

// FillFrame fills the rows: those of Metropolis for f/P instead of f.
func (k Independence) FillFrame(f *frames.Frame, v *frames.Values) {
	if slices.Min(k.P) == slices.Max(k.P) {
		fillMetropolis(f, v)
		return
	}
	weights := make([]float64, len(k.P))
	for x := range weights {
		weights[x] = k.logWeight(v.LogF, x)
	}
	var over frames.Values
	over.Load(weights)
	fillMetropolis(f, &over)
}

// AppendFrame appends the one entry.
func (Stay) AppendFrame(dst []chains.Entry, x int) []chains.Entry {
	return append(dst, chains.Entry{To: x, P: 1})
}

// FillFrame fills the rows.
func (Stay) FillFrame(f *frames.Frame, _ *frames.Values) {
	for i, p := range f.Fixed {
		f.Entries[i].P = p
	}
}

// appendWholeLine appends the states of the line through x along an axis, in order.
func appendWholeLine(dst []chains.Entry, space *grid.Lattice, axis, x int) []chains.Entry {
	stride := space.Stride(axis)
	first := x - space.Coord(x, axis)*stride
	for i := range space.Side(axis) {
		dst = append(dst, chains.Entry{To: first + stride*i})
	}
	return dst
}

// eachLine calls fill for every line along an axis, with the number of its first state and f of its
// states divided by their sum; nil if f is zero on the whole line. The weights are valid until the
// next call.
func eachLine(space *grid.Lattice, axis int, v *frames.Values, fill func(first int, w []float64)) {
	stride := space.Stride(axis)
	side := space.Side(axis)
	w := make([]float64, side)
	for block := 0; block < space.States(); block += stride * side {
		for first := block; first < block+stride; first++ {
			if v.F == nil {
				fill(first, normalLine(w, v.LogF, first, stride))
				continue
			}
			total := 0.0
			for i := range w {
				w[i] = v.F[first+stride*i]
				total += w[i]
			}
			for i := range w {
				w[i] /= total
			}
			fill(first, w)
		}
	}
}

// AppendFrame appends the states of the line.
func (k HeatBathAxis) AppendFrame(dst []chains.Entry, x int) []chains.Entry {
	return appendWholeLine(dst, k.Space, k.Axis, x)
}

// FillFrame fills the rows, which are the same for all states of a line.
func (k HeatBathAxis) FillFrame(f *frames.Frame, v *frames.Values) {
	stride := k.Space.Stride(k.Axis)
	eachLine(k.Space, k.Axis, v, func(first int, w []float64) {
		for at := range k.Space.Side(k.Axis) {
			row := f.Row(first + stride*at)
			for i := range row {
				row[i].P = stayOr(w, at, i)
			}
		}
	})
}

// stayOr returns w[i], or if w is nil the probabilities of a chain that stays.
func stayOr(w []float64, at, i int) float64 {
	switch {
	case w != nil:
		return w[i]
	case at == i:
		return 1
	}
	return 0
}

// AppendFrame appends the states of the line, most of which cannot be reached: which ones can be
// depends on f.
func (k SuwaTodoAxis) AppendFrame(dst []chains.Entry, x int) []chains.Entry {
	return appendWholeLine(dst, k.Space, k.Axis, x)
}

// FillFrame computes the conditional weights of each line of the grid once, and fills all its rows.
func (k SuwaTodoAxis) FillFrame(f *frames.Frame, v *frames.Values) {
	stride := k.Space.Stride(k.Axis)
	side := k.Space.Side(k.Axis)
	l := newSplit(side)
	totals := make([]float64, side)
	for first := range v.LogF {
		if k.Space.Coord(first, k.Axis) > 0 {
			continue
		}
		l.readWeights(v.LogF, first, stride)
		for at := range side {
			for i := range side {
				f.Row(first + stride*at)[i].P = l.unpoured(at, i)
			}
		}
		clear(totals)
		k.splitFlows(l, func(from, to int, flow float64) {
			f.Row(first + stride*from)[to].P += flow
			totals[from] += flow
		})
		for at, total := range totals {
			if total > 0 { // it is the weight, apart from rounding
				row := f.Row(first + stride*at)
				for i := range row {
					row[i].P /= total
				}
			}
		}
	}
}
