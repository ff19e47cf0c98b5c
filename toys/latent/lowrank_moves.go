package latent

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/estimators"
)

// parts returns the number of parts of a scan.
func (m *LowRank) parts() int {
	if m.inferred {
		return 3
	}
	return 2
}

// part draws U given V for i = 0, V given U for i = 1, and the hyperparameters given both for i =
// 2.
func (m *LowRank) part(c chains.RealChooser, b float64, i int, s *LowRankState) {
	switch i {
	case 0:
		m.UGivenV(b, s).Sample(c, s.U)
		m.Refresh(s)
	case 1:
		m.VGivenU(b, s).Sample(c, s.V)
		m.Refresh(s)
	case 2:
		h := m.HyperGiven(b, s)
		s.Hyper = estimators.Factors{
			UVariance:     h[0].Sample(c),
			VVariance:     h[1].Sample(c),
			NoiseVariance: h[2].Sample(c),
		}
	}
}

// UGivenV returns the distribution of U given V, the hyperparameters and the data of a state, under
// the likelihood to the power b.
func (m *LowRank) UGivenV(b float64, s *LowRankState) *Block {
	m.block.setConditional(m.y[:s.rows], s.V, s.Hyper.UVariance, s.Hyper.NoiseVariance, b)
	return &m.block
}

// VGivenU returns the distribution of V given U, the hyperparameters and the data of a state, under
// the likelihood to the power b.
func (m *LowRank) VGivenU(b float64, s *LowRankState) *Block {
	for k, u := range s.U {
		m.first[k] = u[:s.rows]
	}
	m.block.setConditional(m.byColumn, m.first, s.Hyper.VVariance, s.Hyper.NoiseVariance, b)
	return &m.block
}

// HyperGiven returns the distributions of the variances of U, V and the noise given the factors of
// a state, under the likelihood to the power b. The three are independent.
func (m *LowRank) HyperGiven(b float64, s *LowRankState) [3]InverseGamma {
	d := len(m.byColumn)
	return [3]InverseGamma{
		varianceGiven(1, m.k*s.rows, squares(s.U, s.rows)),
		varianceGiven(1, m.k*d, squares(s.V, d)),
		varianceGiven(b, s.rows*d, m.squareOf(s)),
	}
}

// varianceGiven returns the distribution of an unknown variance given n normal numbers of mean zero
// that have it, whose squares sum to square and whose density is raised to the power b.
func varianceGiven(b float64, n int, square float64) InverseGamma {
	prior := variancePrior()
	return InverseGamma{prior.Shape + b*float64(n)/2, prior.Scale + b*square/2}
}

// LogTransition implements estimators.Transitional: the log density of Scan at b = 1 from x to y,
// in nats. Both states are of all data.
func (m *LowRank) LogTransition(x, y *LowRankState) float64 {
	s := m.keep
	s.copyFrom(x)
	logs := m.UGivenV(1, s).LogDensity(y.U)
	copyRows(s.U, y.U)
	logs += m.VGivenU(1, s).LogDensity(y.V)
	if !m.inferred {
		return logs
	}
	copyRows(s.V, y.V)
	m.Refresh(s)
	h := m.HyperGiven(1, s)
	return logs + h[0].LogDensity(y.Hyper.UVariance) + h[1].LogDensity(y.Hyper.VVariance) +
		h[2].LogDensity(y.Hyper.NoiseVariance)
}

// Level implements estimators.Constrained: the log likelihood at b = 1.
func (m *LowRank) Level(s *LowRankState) float64 { return m.LogLikelihood(chains.At(1), s) }

// Within implements estimators.Constrained: it draws the entries of U, and then those of V, each in
// turn from its prior restricted to likelihoods above the floor. The likelihood of s must be above
// the floor. The sum of squares is quadratic in one entry, so that each draw is a normal number in
// an interval. If rounding takes the new state to the floor, it returns s. It panics if the
// hyperparameters are unknown.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.4.
func (m *LowRank) Within(c chains.RealChooser, floor float64, s *LowRankState) *LowRankState {
	if m.inferred {
		panic("latent: Within of a low-rank model with unknown hyperparameters; make one with known ones by NewLowRank")
	}
	m.keep.copyFrom(s)
	noise := s.Hyper.NoiseVariance
	limit := 2 * noise * (logNormal(s.rows*len(m.byColumn), 0, noise) - floor) // of the squares
	m.drawWithin(c, limit, factor{m.y[:s.rows], s.U, s.V, s.Hyper.UVariance}, s)
	for k, u := range s.U {
		m.first[k] = u[:s.rows]
	}
	m.drawWithin(c, limit, factor{m.byColumn, s.V, m.first, s.Hyper.VVariance}, s)
	m.Refresh(s)
	if m.Level(s) <= floor {
		s.copyFrom(m.keep)
	}
	return s
}

// factor is one of two factors, x, where y is x' times the other. The entries of x have a variance.
type factor struct {
	y, x, other [][]float64
	variance    float64
}

// drawWithin draws the entries of a factor in turn from N(0, variance) where the squares that are
// left of y sum to less than the limit.
func (m *LowRank) drawWithin(c chains.RealChooser, limit float64, f factor, s *LowRankState) {
	for k, row := range f.other {
		m.lengths[k] = dot(row, row)
	}
	m.Refresh(s)
	left := limit - m.squareOf(s) // by how much the squares may grow
	sd := math.Sqrt(f.variance)
	for i, row := range f.y {
		rest := m.rest[:len(row)]
		m.block.copyEntries(f.x, i)
		square := residual(rest, row, m.block.row, f.other)
		left += square
		for k, direction := range f.other {
			square += moveWithin(c, left-square, sd, &f.x[k][i], rest, direction[:len(rest)], m.lengths[k])
		}
		left -= square
	}
}

// moveWithin draws an entry x from N(0, sd^2) where the squares of rest, which is what x times
// direction leaves with the other entries, grow by less than room. It writes the new rest, and
// returns by how much its squares have grown.
func moveWithin(c chains.RealChooser, room, sd float64, x *float64, rest, direction []float64,
	length float64) (growth float64) {
	along := dot(rest, direction)
	centre := *x + along/length
	half := math.Sqrt(along/length*(along/length) + room/length)
	if !(half > 0) && length > 0 {
		return 0 // the state is at the limit but for rounding, and has no other place
	}
	if length == 0 {
		centre = 0
		half = math.Inf(1)
	}
	next := truncatedNormal(c, 0, sd, centre-half, centre+half)
	step := next - *x
	*x = next
	for j, d := range direction {
		rest[j] -= step * d
	}
	return step * (step*length - 2*along)
}
