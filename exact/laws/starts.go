package laws

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/weights"
)

// Starts is the exact distribution of the best of several ascents from hard starts that are drawn
// uniformly (estimators.Restarts): variational Bayes, mean field, and BIC by EM. It climbs from
// every start once; the best of several then follows by order statistics.
//
// If b_j of S starts lead to better optima than optimum j, and s_j lead to it, the best of n starts
// is optimum j with probability
//
//	(1 - b_j/S)^n - (1 - (b_j + s_j)/S)^n.
type Starts struct {
	atoms    []Atom
	starts   int
	restarts int
	sweeps   float64 // the mean number of sweeps of an ascent
	climber  estimators.Climber
}

// Atom is an optimum, or several with the same value.
type Atom struct {
	Value  float64 // the estimate of log Z, in nats: the largest of those that count as one
	Starts int     // how many starts lead to it
}

// sameOptimum returns the distance within which two values of a size count as equal: 1e-9 nats, or
// 1e-12 of their size if that is more.
func sameOptimum(value float64) float64 { return max(1e-9, 1e-12*number.Finite(value)) }

// NewStarts returns the distribution of the best of the given number of restarts. It climbs from
// every start on the given number of workers; zero means one for each processor. It fails if that
// would take more than some seconds (estimators.CheckStarts), if an ascent fails, and if the
// context ends.
func NewStarts(ctx context.Context, climber estimators.Climber, restarts, workers int) (*Starts, error) {
	if err := estimators.CheckRestarts(restarts); err != nil {
		return nil, err
	}
	if err := estimators.CheckStarts(climber); err != nil {
		return nil, err
	}
	s := &Starts{starts: int(estimators.StartsOf(climber)), restarts: restarts, climber: climber}
	ascents := make([]estimators.Ascent, s.starts)
	const block = 64 // starts in a job, so that the overhead is negligible
	sides := climber.Sides()
	err := crew.Jobs(ctx, (s.starts+block-1)/block, workers, func(ctx context.Context, job int) error {
		start := make([]int, len(sides))
		for x := job * block; x < min(s.starts, (job+1)*block); x++ {
			estimators.StartOf(start, sides, x)
			a, err := climber.Climb(ctx, start)
			if err != nil {
				return fmt.Errorf("start %v: %w", start, err)
			}
			if math.IsNaN(a.Value) {
				return fmt.Errorf("start %v: the ascent ends at the value NaN", start)
			}
			ascents[x] = a
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.collect(ascents)
	return s, nil
}

// collect makes the atoms, from the best down, and the mean number of sweeps.
func (s *Starts) collect(ascents []estimators.Ascent) {
	sweeps := 0
	for _, a := range ascents {
		sweeps += a.Sweeps
	}
	s.sweeps = float64(sweeps) / float64(s.starts)
	slices.SortStableFunc(ascents, func(a, b estimators.Ascent) int { return cmp.Compare(b.Value, a.Value) })
	for _, a := range ascents {
		last := len(s.atoms) - 1
		if last >= 0 && (a.Value == s.atoms[last].Value ||
			s.atoms[last].Value-a.Value <= sameOptimum(s.atoms[last].Value)) {
			s.atoms[last].Starts++
		} else {
			s.atoms = append(s.atoms, Atom{a.Value, 1})
		}
	}
}

// Atoms returns the optima, from the best down. Those whose values are within 1e-9 nats (or 1e-12
// of their size, if that is more) are merged.
func (s *Starts) Atoms() []Atom { return slices.Clone(s.atoms) }

// Best returns the best estimate of all starts, in nats.
func (s *Starts) Best() float64 { return s.atoms[0].Value }

// boundRounding is about the rounding of a lower bound: it is a sum of mean energies and entropies
// of some nats, even if it is near zero itself.
const boundRounding = 64 * 0x1p-53

// Moments implements Law. The estimate of the given number of trials is the best of all their
// restarts.
func (s *Starts) Moments(_ context.Context, trials int) (Moments, error) {
	if err := checkTrials(trials, weights.MaxSamples); err != nil {
		return Moments{}, err
	}
	p := s.probabilities(float64(trials) * float64(s.restarts))
	m := Moments{Method: MethodStarts, Mean: s.Best(), LogMean: s.logMean(p), level: boundRounding}
	if worst := s.atoms[len(s.atoms)-1].Value; math.IsInf(worst, -1) {
		m.Mean = math.Inf(-1)
		m.SD = math.NaN()
		m.Note = "the estimate may be zero: from some starts no product of distributions is in reach that " +
			"avoids the zeros of the target"
		return m, nil
	}
	for j, a := range s.atoms {
		m.Mean += p[j] * (a.Value - s.Best())
	}
	variance := 0.0
	for j, a := range s.atoms {
		variance += p[j] * (a.Value - m.Mean) * (a.Value - m.Mean)
	}
	m.SD = math.Sqrt(variance)
	return m, nil
}

// probabilities returns the probability of each atom to be the best of n starts.
func (s *Starts) probabilities(n float64) []float64 {
	p := make([]float64, len(s.atoms))
	given := s.atoms[0].Starts
	p[0] = s.hit(given, n)
	for j, a := range s.atoms[1:] {
		better := s.missed(given, n)
		given += a.Starts
		p[j+1] = better - s.missed(given, n)
	}
	return p
}

// logMean returns log E Z-hat from the probabilities of the atoms.
func (s *Starts) logMean(p []float64) float64 {
	if math.IsInf(s.Best(), -1) {
		return s.Best()
	}
	sum := 0.0
	for j, a := range s.atoms {
		sum += p[j] * math.Exp(a.Value-s.Best())
	}
	return s.Best() + number.Log(sum)
}

// missed returns the probability that none of n starts is in a set of a given size.
func (s *Starts) missed(given int, n float64) float64 {
	if left := s.starts - given; left < given {
		return math.Pow(float64(left)/float64(s.starts), n)
	}
	return math.Exp(n * math.Log1p(-float64(given)/float64(s.starts)))
}

// hit returns the probability that one of n starts is in a set of a given size.
func (s *Starts) hit(given int, n float64) float64 {
	if left := s.starts - given; left < given {
		return 1 - math.Pow(float64(left)/float64(s.starts), n)
	}
	return -math.Expm1(n * math.Log1p(-float64(given)/float64(s.starts)))
}

// Above implements Law. An optimum whose value counts as equal to at is above it at one end of the
// bracket only.
func (s *Starts) Above(_ context.Context, at float64) (Bracket, error) {
	if err := checkThreshold(at); err != nil {
		return Bracket{}, err
	}
	low, high := 0, 0
	for _, a := range s.atoms {
		if a.Value > at+sameOptimum(a.Value) {
			low += a.Starts
		}
		if a.Value > at-sameOptimum(a.Value) {
			high += a.Starts
		}
	}
	b := Bracket{Low: s.hit(low, float64(s.restarts)), High: s.hit(high, float64(s.restarts))}
	if low != high {
		b.Note = "an optimum has this value up to rounding"
	}
	return b, nil
}

// Work implements Law.
func (s *Starts) Work() estimators.Work { return s.climber.Work(float64(s.restarts) * s.sweeps) }
