package laws

import (
	"context"
	"math"

	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/mellin"
	"breadboard/exact/weights"
)

// tilting carries E[(w/Z)^s] at points s = power + i (first + k step) of a vertical line, k = 0, 1,
// ...: in one column for the power alone, and in two, for the real and the imaginary part, for each
// point.
type tilting struct {
	power, first, step float64
	points             int
	log                float64 // the logarithm of the divisor of the columns
	factors            []float64
	factored           float64 // the log weight of the factors
}

func (c *tilting) firstRow() []float64 {
	v := make([]float64, 1+2*c.points)
	v[0] = 1
	for k := range c.points {
		v[1+2*k] = 1
	}
	c.factors = make([]float64, len(v))
	c.factored = math.NaN()
	c.log = 0
	return v
}

func (c *tilting) applyWeight(v []float64, l float64) {
	f := c.factors
	if l != c.factored { // many consecutive states have the same weight
		c.factored = l
		f[0] = math.Exp(c.power * l)
		for k := range c.points {
			f[2+2*k], f[1+2*k] = math.Sincos((c.first + float64(k)*c.step) * l)
			f[1+2*k] *= f[0]
			f[2+2*k] *= f[0]
		}
	}
	v[0] *= f[0]
	for i := 1; i < len(v); i += 2 {
		re, im := v[i], v[i+1]
		v[i], v[i+1] = re*f[i]-im*f[i+1], re*f[i+1]+im*f[i]
	}
}

// rescaleRows divides all columns by a power of two if the largest is far from one.
func (c *tilting) rescaleRows(rows []float64) {
	width := len(c.factors)
	top := 0.0
	for i := 0; i < len(rows); i += width {
		top = max(top, rows[i])
	}
	_, exponent := math.Frexp(top)
	if top == 0 || exponent > -100 && exponent < 100 {
		return
	}
	for i := range rows {
		rows[i] = math.Ldexp(rows[i], -exponent)
	}
	c.log += float64(exponent) * math.Ln2
}

// valuesAtPower returns the logarithm of the value at the power, and the values at the points
// relative to that, after all data.
func (c *tilting) valuesAtPower(rows []float64) (logScale float64, out []complex128) {
	sums := make([]number.Sum, len(c.factors))
	for i, v := range rows {
		sums[i%len(sums)].Add(v)
	}
	at := sums[0].Value()
	for k := range c.points {
		out = append(out, complex(sums[1+2*k].Value()/at, sums[2+2*k].Value()/at))
	}
	return c.log + number.Log(at), out
}

// tiltBatch is the number of points that are carried together.
const tiltBatch = 32

// tiltSlack is the slack of growth.repeats, in units in the last place for each move. The bound on
// rounding includes it.
const tiltSlack = 8

// tiltedMeans returns E[(w/Z)^s] along vertical lines: the logarithms of its values at the powers
// of the lines, and its values at their points relative to those.
func (s *Sequential) tiltedMeans(ctx context.Context,
	lines []weights.Vertical) (logScales []float64, values [][]complex128, err error) {
	logScales = make([]float64, len(lines))
	values = make([][]complex128, len(lines))
	type piece struct{ line, from, to int }
	var pieces []piece
	for i, l := range lines {
		values[i] = make([]complex128, l.Points)
		for from := 0; from == 0 || from < l.Points; from += tiltBatch {
			pieces = append(pieces, piece{i, from, min(l.Points, from+tiltBatch)})
		}
	}
	err = crew.Jobs(ctx, len(pieces), s.workers, func(ctx context.Context, i int) error {
		q := pieces[i]
		l := lines[q.line]
		c := &tilting{power: l.Power, first: float64(q.from) * l.Step, step: l.Step, points: q.to - q.from}
		g := newGrowth(s, c, tiltSlack)
		if err := g.growColumns(ctx); err != nil {
			return err
		}
		logScale, v := c.valuesAtPower(g.rows)
		copy(values[q.line][q.from:], v)
		if q.from == 0 {
			logScales[q.line] = logScale
		}
		return nil
	})
	return logScales, values, err
}

// tiltedRounding bounds the relative error of a tilted sum: some units in the last place for each
// weight and each move, and for each state that is summed over, and those of the angles of the
// weights, which together are at most highest times the spread of the log weight.
func (s *Sequential) tiltedRounding(highest float64) float64 {
	operations := 64.0
	for t := 1; t <= s.data.Data(); t++ {
		stage, _ := s.data.Centred(t)
		operations += 32
		if s.sweeps == estimators.Perfect {
			operations += float64(stage.Space.States())
			continue
		}
		for i := range s.data.Moves(t) {
			operations += float64(s.sweeps) * float64(16+tiltSlack+stage.Space.Side(i))
		}
	}
	return (operations + highest*(1+s.high-s.low)) * 0x1p-53
}

// widest is how far, in nats, the tilts of the likeliest and of the unlikeliest log weight may be
// apart for float64 to hold both.
const maxTiltSpread = 600

// trialStep is the step in log t of the integrals over the transform of a weight.
const trialStep = 0.2

// logMeanMoments returns the moments of log S, S the mean of n weights relative to Z, or in reverse
// of one over each.
func (s *Sequential) logMeanMoments(ctx context.Context, n int) (mellin.LogMoments, error) {
	if s.lines == nil {
		lines, err := s.transform(ctx)
		if err != nil {
			return mellin.LogMoments{}, err
		}
		s.lines = lines
	}
	low := -40 - number.Log(float64(n)) - max(0, s.lines.High)
	f := make([]mellin.Transform, 1+int((5+max(0, -s.lines.Low)-low)/trialStep))
	for j := range f {
		f[j] = s.lines.Best(low + float64(j)*trialStep)
	}
	return mellin.LogMomentsOf(f, low, trialStep, n), nil
}

// transform returns the lines from which the Laplace transform of U = w/Z, or in reverse of U =
// Z/w, is computed. E[U^-z] on them is E[(w/Z)^s] with s = -z, or s = z.
func (s *Sequential) transform(ctx context.Context) (*mellin.Lines, error) {
	sign := s.sign()
	out := &mellin.Lines{Low: s.low, High: s.high}
	if sign < 0 {
		out.Low = -s.high
		out.High = -s.low
	}
	out.Draw(s.sd)
	lines := []weights.Vertical{{Power: sign}} // the mean of U
	highest := 0.0
	for i := range out.Lines {
		l := &out.Lines[i]
		lines = append(lines, weights.Vertical{Power: -sign * l.C, Step: -sign * l.Step, Points: l.Begin(0)})
		highest = max(highest, float64(mellin.PointsOf(l.Step))*l.Step)
	}
	logScales, values, err := s.tiltedMeans(ctx, lines)
	if err != nil {
		return nil, err
	}
	out.Rounding = s.tiltedRounding(highest) + mellin.Rounding
	out.Mean = math.Exp(logScales[0])
	if s.high-s.low > maxTiltSpread {
		out.Mean = math.NaN()
	}
	for i := range out.Lines {
		l := &out.Lines[i]
		l.Set(0, values[i+1], 0)
		l.LogScale = logScales[i+1]
		if math.Abs(l.C)*(s.high-s.low) > maxTiltSpread {
			// the bound on the error of this line is then infinite, and it is not used
			l.LogScale = math.Inf(1)
		}
	}
	return out, nil
}

// sign returns 1 forward, where weights are combined, and -1 in reverse, where their reciprocals
// are.
func (s *Sequential) sign() float64 { return 1 - 2*float64(s.direction) }

// frequencies is the number of points of the characteristic function of log w that bound its
// distribution.
const frequencies = 1 << 11

// invert returns the distribution of log(w/Z), with the bounds that follow from its characteristic
// function.
func (s *Sequential) invert(ctx context.Context) (*weights.Law, error) {
	c := weights.Coefficients{
		Low:      s.low,
		High:     s.high,
		Period:   1.0625 * (s.high - s.low),
		Mean:     s.mean,
		Zero:     s.zero,
		Infinite: s.infinite,
	}
	step := 2 * math.Pi / c.Period
	_, values, err := s.tiltedMeans(ctx, []weights.Vertical{{Step: step, Points: 1 + frequencies}})
	if err != nil {
		return nil, err
	}
	mass := complex(1-s.zero-s.infinite, 0)
	for _, v := range values[0][1:] {
		c.Phi = append(c.Phi, v*mass)
	}
	c.Rounding = s.tiltedRounding(step * frequencies)
	return c.Law(), nil
}
