package laws

import (
	"context"
	"fmt"
	"math"
	"sync"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/internal/mellin"
	"breadboard/exact/weights"
)

// Sequential is the Law of one-particle sequential Monte Carlo along the data, or of the same in
// reverse. Its Moments include all constants: they are of log Z-hat as the estimator returns it.
type Sequential struct {
	LogZ float64 // log Z of all data

	data      *estimators.Growing
	proposal  estimators.Proposal
	sweeps    estimators.Sweeps
	direction chains.Direction
	workers   int
	work      estimators.Work
	steps     []float64

	// These are of log(w/Z) in one run. The mean and the deviation are those of the runs whose
	// weight is finite and not zero.
	mean, sd, logMean float64
	zero, infinite    float64 // the probabilities of w = 0 and of w = Inf
	low, high         float64 // bounds on log(w/Z) of the other runs

	mutex sync.Mutex
	lines *mellin.Lines // the transform of w/Z, or in reverse of Z/w; nil until it is needed
	law   *weights.Law  // of log(w/Z); nil until it is needed
}

// NewSequential returns the distribution of sequential Monte Carlo along data with a proposal and
// the given number of scans after each datum, in a direction. It takes a sweep of O(states axes)
// time for each scan; Moments of more than one trial, and Above, take some hundred sweeps, or some
// thousand. Zero workers means one for each processor.
func NewSequential(ctx context.Context, data *estimators.Growing, proposal estimators.Proposal,
	sweeps estimators.Sweeps, d chains.Direction,
	workers int) (*Sequential, error) {
	s := &Sequential{data: data, proposal: proposal, sweeps: sweeps, direction: d, workers: workers}
	estimator, err := s.estimator()
	if err != nil {
		return nil, err
	}
	s.work = estimator.Work()
	s.steps, s.LogZ = stepsOf(data)
	m := &spreading{}
	g := newGrowth(s, m, 0)
	if err := g.growColumns(ctx); err != nil {
		return nil, err
	}
	s.zero, s.infinite = g.zero.Value(), g.infinite.Value()
	s.mean, s.sd = m.mean.Value(), deviation(secondOver(g.rows), 0)
	unreached := s.support()
	s.logMean, err = s.meanOfZ(ctx, unreached)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// estimator returns the estimator of which this is the distribution.
func (s *Sequential) estimator() (*estimators.Sequential[chains.Chooser, int], error) {
	if s.direction == chains.Reverse {
		return estimators.NewReverseSequential(s.data, s.proposal, s.sweeps)
	}
	return estimators.NewSequential(s.data, s.proposal, s.sweeps)
}

// secondOver returns the second moment in rows of a spreading over their mass.
func secondOver(rows []float64) float64 {
	var mass, second float64
	for i := 0; i < len(rows); i += 3 {
		mass += rows[i]
		second += rows[i+2]
	}
	return second / mass
}

// support sets the bounds on log(w/Z), and reports whether there are states with mass that the
// proposals never reach.
func (s *Sequential) support() (unreached bool) {
	for t := 1; t <= s.data.Data(); t++ {
		p, logWeights := s.data.Proposed(t, s.proposal)
		low, high := math.Inf(1), math.Inf(-1)
		for x, l := range logWeights {
			unreached = unreached || math.IsInf(l, 1)
			if !math.IsInf(l, 0) && p[x] > 0 {
				low, high = min(low, l), max(high, l)
			}
		}
		s.low += low - s.steps[t-1]
		s.high += high - s.steps[t-1]
	}
	return unreached
}

// meanOfZ returns log E[w/Z]. Forward it is zero, since the estimate is unbiased, except for
// reverse paths that no run takes.
func (s *Sequential) meanOfZ(ctx context.Context, unreached bool) (float64, error) {
	switch {
	case s.direction == chains.Forward && !unreached:
		return 0, nil
	case s.infinite > 0:
		return math.Inf(1), nil
	case s.high-s.low > maxTiltSpread:
		return math.NaN(), nil
	}
	logScales, _, err := s.tiltedMeans(ctx, []weights.Vertical{{Power: 1}})
	if err != nil {
		return 0, err
	}
	return logScales[0], nil
}

// Moments implements Law. Several trials are combined by their arithmetic mean, or in reverse by
// their harmonic mean.
func (s *Sequential) Moments(ctx context.Context, trials int) (Moments, error) {
	if err := checkTrials(trials, weights.MaxSamples); err != nil {
		return Moments{}, err
	}
	m := Moments{Mean: s.LogZ + s.mean, SD: s.sd, LogMean: s.LogZ + s.logMean, Method: MethodPropagation}
	if math.IsNaN(m.LogMean) {
		m.Note = spansTooMuch(s.low, s.high)
	}
	if s.lost(&m) || trials == 1 {
		return m, nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	combined, err := s.logMeanMoments(ctx, trials)
	if err != nil {
		return Moments{}, err
	}
	m.Note = ""
	m.Mean, m.SD, m.off = s.LogZ+s.sign()*combined.Mean, combined.SD(), combined.Error
	if math.IsNaN(m.SD) {
		m.Mean = m.SD
		m.Note = fmt.Sprintf(
			"the moments of %d trials are not known: their error might be %.2g, as the log weights spread "+
				"from %.6g to %.6g",
			trials,
			combined.Error,
			s.LogZ+s.low,
			s.LogZ+s.high,
		)
	}
	if s.direction == chains.Reverse {
		m.LogMean = s.LogZ + combined.LogReciprocal()
	}
	if math.IsNaN(m.LogMean) && m.Note == "" {
		m.Note = fmt.Sprintf("log E Z-hat of %d trials is not known, as the log weights spread from %.6g to %.6g",
			trials, s.LogZ+s.low, s.LogZ+s.high)
	}
	return m, nil
}

// spansTooMuch returns the reason why a mean of weights is not known.
func spansTooMuch(low, high float64) string {
	return fmt.Sprintf("log E Z-hat is not known: the log weights span %.6g nats, and float64 holds tilts of %d",
		high-low, maxTiltSpread)
}

// lost sets the moments if the weight may be zero or infinite, and reports whether it may.
func (s *Sequential) lost(m *Moments) bool {
	switch {
	case s.infinite > 0:
		m.Mean = math.Inf(1)
		m.SD = math.NaN()
		m.Note = fmt.Sprintf("the estimate of a run is +Inf with probability %.6g: no forward run takes its path",
			s.infinite)
	case s.zero > 0:
		m.Mean = math.Inf(-1)
		m.SD = math.NaN()
		m.Note = fmt.Sprintf("the estimate of a run is zero with probability %.6g: it proposes a state without mass",
			s.zero)
	default:
		return false
	}
	return true
}

// Above implements Law. The bounds follow from the characteristic function of log Z-hat at finitely
// many points (see package weights), and need no assumption on its distribution.
func (s *Sequential) Above(ctx context.Context, at float64) (Bracket, error) {
	if err := checkThreshold(at); err != nil || math.IsInf(at, 1) {
		return Bracket{}, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	at -= s.LogZ
	if finite := 1 - s.zero - s.infinite; at < s.low {
		return Bracket{Low: s.infinite + finite, High: s.infinite + finite}, nil
	}
	if at >= s.high {
		return Bracket{Low: s.infinite, High: s.infinite}, nil
	}
	if s.law == nil {
		law, err := s.invert(ctx)
		if err != nil {
			return Bracket{}, err
		}
		s.law = law
	}
	b := s.law.Above(at)
	return Bracket{Low: b.Low, High: b.High}, nil
}

// Work implements Law.
func (s *Sequential) Work() estimators.Work { return s.work }
