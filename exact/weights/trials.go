package weights

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/internal/mellin"
)

// Trials are the moments of the estimate of log(Z_T/Z_1), in nats, that K independent chains in one direction make together: of the
// logarithm of the mean of their weights forward, and of minus the logarithm of the mean of one over each weight in reverse.
type Trials struct {
	K       int
	Mean    float64 // as MultiSample.Forward or MultiSample.Reverse; infinite where a weight may be zero or infinite
	SD      float64 // the standard deviation of the logarithm; NaN where the mean is infinite
	LogMean float64 // the logarithm of the mean of the estimate of Z_T/Z_1 itself
	Error   float64 // bounds the errors of Mean and of the variance; where it is above 1e-6 they are not known, and are NaN
	Note    string  // why something is not known
}

// TrialsOf returns the moments for each K in ks, from 2 to MaxSamples; CumulantsOf and CGF have those of one chain. It takes a sweep of
// O(T entries) time for each of some hundred to some thousand points of a transform, as MultiSampleBounds does for each of its
// three. It fails where that does.
//
// Source: Grosse, Ghahramani and Adams 2015, footnote 5.
func TrialsOf(ctx context.Context, a *chains.Annealing, d chains.Direction, ks []int, o SampleOptions) ([]Trials, error) {
	most := 2
	for _, k := range ks {
		if k < 2 || k > MaxSamples {
			return nil, fmt.Errorf("%d trials; several are from 2 to %d", k, MaxSamples)
		}
		most = max(most, k)
	}
	if err := exact.Validate(a); err != nil {
		return nil, err
	}
	p := newProblem(a, Options{Progress: o.Progress, Inversion: o.Inversion, Workers: o.Workers})
	s, err := p.newSingle(ctx, d, most)
	if err != nil {
		return nil, err
	}
	out := make([]Trials, len(ks))
	for i, k := range ks {
		out[i] = s.trials(k)
		out[i].Mean += p.Offset
		out[i].LogMean += p.Offset
	}
	return out, nil
}

// single holds the transform of one variable: of U = w/R forward, and of U = R/v in reverse, with R = Z_T/Z_1.
type single struct {
	variable
	logZRatio  float64
	zero, mean float64 // P(U = 0), and the mean of U
	low, high  float64 // bounds on the logarithms of the weights over R
	from       float64 // the logarithm of the first t
	transform  []mellin.Transform
	shift      float64 // how far the logarithms of the weights may be off
}

// newSingle computes the transform, as a sum over a lattice or as an integral, for means of up to so many variables.
func (p *problem) newSingle(ctx context.Context, d chains.Direction, most int) (*single, error) {
	v, err := p.survey(ctx)
	if err != nil {
		return nil, err
	}
	var moments [2]*joint
	var mass [2]float64
	for i := range moments {
		if moments[i], err = p.propagateMoments(ctx, chains.Direction(i)); err != nil {
			return nil, err
		}
		mass[i], _ = moments[i].cumulants()
	}
	s := &single{variable: variables()[d], logZRatio: p.logZRatio(), zero: 1 - mass[d], mean: mass[1-d]}
	s.low, s.high = v.low-s.logZRatio, v.high-s.logZRatio
	// The integrand is negligible left and right of these points for the reasons that newLaplace gives.
	s.from = -40 - math.Log(float64(most)) - max(0, s.high, -s.low)
	points := 1 + int((5+max(0, -s.low, s.high)-s.from)/laplaceStep)
	if l, ok := v.lattice(); ok && !p.Inversion {
		s.shift = latticeTolerance * (v.high - v.low)
		return s, s.onLattice(ctx, p, l, points)
	}
	return s, s.byMellin(ctx, p, moments[d], points)
}

// onLattice computes the transform as a sum over a lattice.
func (s *single) onLattice(ctx context.Context, p *problem, v *survey, points int) error {
	law, err := p.propagateLattice(ctx, s.direction, v, p.portions(p.Annealing.Distributions()-1))
	if err != nil {
		return err
	}
	for j := range points {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.transform = append(s.transform, law.laplace(s.tau(j)-s.sign*s.logZRatio, s.sign))
	}
	return nil
}

// byMellin computes the transform as an integral along lines.
func (s *single) byMellin(ctx context.Context, p *problem, j *joint, points int) error {
	lines := p.linesOf(j, s.variable, s.low, s.high)
	lines.Mean = s.mean
	// A line left of the second pole serves means of very many variables alone.
	lines.Lines = slices.DeleteFunc(lines.Lines, func(l mellin.Line) bool { return l.Order == 2 && -s.from < manyLines })
	if err := p.fillContours(ctx, []mellin.Lines{lines}, []variable{s.variable}, s.logZRatio); err != nil {
		return err
	}
	for j := range points {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.transform = append(s.transform, lines.Best(s.tau(j)))
	}
	return nil
}

// manyLines is minus the logarithm of the least t from which on a line left of the second pole is worth its time.
const manyLines = 60

// tau returns log t of the i-th point of the transform.
func (s *single) tau(i int) float64 { return s.from + float64(i)*laplaceStep }

// trials returns the moments of k chains.
func (s *single) trials(k int) Trials {
	m := mellin.LogMomentsOf(s.transform, s.from, laplaceStep, k)
	out := Trials{K: k, Mean: s.logZRatio + s.sign*m.Mean, SD: m.SD(), LogMean: s.logZRatio + math.Log(s.mean), Error: m.Error + s.shift}
	if s.direction == chains.Reverse {
		out.LogMean = s.logZRatio + m.LogReciprocal()
	}
	switch {
	case s.zero > 0:
		out.Mean, out.SD = math.Inf(-int(s.sign)), math.NaN()
		if s.direction == chains.Reverse {
			out.LogMean = math.Inf(1)
		}
	case !(out.Error <= maxSampleError):
		out.Mean, out.SD = math.NaN(), math.NaN()
		out.Note = fmt.Sprintf("the moments of %d trials are not known: their error might be %.2g, as the log weights spread from %.6g to %.6g", k, out.Error, s.low+s.logZRatio, s.high+s.logZRatio)
	case math.IsNaN(out.LogMean):
		out.Note = fmt.Sprintf("log E Z-hat of %d trials is not known, as the log weights spread from %.6g to %.6g", k, s.low+s.logZRatio, s.high+s.logZRatio)
	}
	return out
}
