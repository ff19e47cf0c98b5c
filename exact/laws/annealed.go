package laws

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/exact"
	"breadboard/exact/weights"
)

// Annealed is the Law of annealed importance sampling, forward or in reverse.
//
//	log Z-hat = log Z_1 + sum over t of log f_t(x_(t-1)) - log f_(t-1)(x_(t-1))
//
// along a chain from p_1 forward, or along a reverse chain from p_T. Forward E Z-hat = Z, so that E
// log Z-hat <= log Z; in reverse E 1/Z-hat = 1/Z, and E log Z-hat >= log Z.
//
// Source: Neal 2001; Grosse, Ghahramani and Adams 2015 (in reverse).
type Annealed struct {
	annealing *chains.Annealing // on the centred path
	direction chains.Direction
	workers   int
	work      estimators.Work
	shift     float64 // the constant that its centring has taken out of log Z beyond the target's Offset

	one Moments

	mutex sync.Mutex
	law   *weights.Law // of the log weight; nil until it is needed
}

// NewAnnealing returns the distribution of annealed importance sampling along an annealing of a
// target, in a direction. Its path, schedule and T may differ from the target's own. Mean and
// deviation of one run take two sweeps of O(T entries) time, Moments of more than one trial and
// Above some hundred or some thousand. It fails if exact.Solve or estimators.NewFinite does. Zero
// workers means one for each processor.
func NewAnnealing(ctx context.Context, t *Target, a *chains.Annealing, d chains.Direction,
	workers int) (*Annealed, error) {
	centred, offset := a.Centred()
	l := &Annealed{annealing: centred, direction: d, workers: workers, shift: offset - t.Offset}
	estimator, err := annealedEstimator(centred, d)
	if err != nil {
		return nil, err
	}
	l.work = estimator.Work()
	s, err := exact.Solve(ctx, centred, exact.Options{})
	if err != nil {
		return nil, err
	}
	if off := s.LogZRatio + l.shift - t.LogZ; math.Abs(off) > 1e-9*(1+math.Abs(t.LogZ)) {
		return nil, errs.New(
			"the annealing leads to log Z = %.12g, and the target has %.12g; anneal to the target from its prior",
			s.LogZRatio+l.shift,
			t.LogZ,
		)
	}
	m, err := weights.CumulantsOf(ctx, centred, d)
	if err != nil {
		return nil, err
	}
	sign := 1.0
	lacks := "E Z-hat lacks %.6g of Z"
	if d == chains.Reverse {
		sign = -1
		lacks = "E 1/Z-hat lacks %.6g of 1/Z"
	}
	logMean, err := weights.CGF(ctx, centred, d, []float64{1, sign})
	if err != nil {
		return nil, err
	}
	l.one = Moments{
		Mean:    s.MeanLogWForward,
		SD:      math.Sqrt(m.Variance),
		LogMean: logMean[0],
		Method:  MethodAnnealing,
	}
	if d == chains.Reverse {
		l.one.Mean = s.MeanLogWReverse
	}
	if math.IsInf(l.one.Mean, 0) {
		l.one.SD = math.NaN()
		l.one.Note = lostWeight(d)
	}
	if missed := -math.Expm1(logMean[1] - sign*s.LogZRatio); centred.Path().Zeros() && missed > 1e-12 {
		l.one.Note += map[bool]string{true: "; "}[l.one.Note != ""] +
			fmt.Sprintf(lacks+", since zeros of f exclude part of the paths", missed)
	}
	return l, nil
}

// annealedEstimator returns the estimator whose distribution is Annealed.
func annealedEstimator(a *chains.Annealing,
	d chains.Direction) (*estimators.Annealed[chains.Chooser, int], error) {
	model, err := estimators.NewFinite(a)
	if err != nil {
		return nil, err
	}
	if d == chains.Reverse {
		return estimators.NewReverseAnnealed(model, estimators.Places(a))
	}
	return estimators.NewAnnealed(model, estimators.Places(a))
}

// lostWeight returns the reason why the mean of a log weight is infinite.
func lostWeight(d chains.Direction) string {
	if d == chains.Reverse {
		return "the estimate is +Inf if a reverse chain is in a state that no forward chain reaches"
	}
	return "the estimate is zero if a chain reaches a state to which the next distribution gives no mass"
}

// Moments implements Law. Several trials are combined by their arithmetic mean, or in reverse by
// their harmonic mean.
func (l *Annealed) Moments(ctx context.Context, trials int) (Moments, error) {
	if err := checkTrials(trials, weights.MaxSamples); err != nil {
		return Moments{}, err
	}
	m := l.one
	if trials > 1 && !math.IsInf(m.Mean, 0) {
		several, err := weights.TrialsOf(
			ctx,
			l.annealing,
			l.direction,
			[]int{trials},
			weights.SampleOptions{Workers: l.workers},
		)
		if err != nil {
			return Moments{}, err
		}
		combined := several[0]
		m.Mean = combined.Mean
		m.SD = combined.SD
		m.LogMean = combined.LogMean
		m.off = combined.Error
		m.Note = cmp.Or(combined.Note, m.Note)
	}
	m.Mean += l.shift
	m.LogMean += l.shift
	return m, nil
}

// aboveFrequencies is the number of frequencies at which the characteristic function of the log
// weight is computed for Above.
const aboveFrequencies = 1 << 10

// Above implements Law. Its bounds are those of weights.LawOf.
func (l *Annealed) Above(ctx context.Context, at float64) (Bracket, error) {
	if err := checkThreshold(at); err != nil || math.IsInf(at, 1) {
		return Bracket{}, err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.law == nil {
		law, err := weights.LawOf(
			ctx,
			l.annealing,
			l.direction,
			weights.Options{Frequencies: aboveFrequencies, Workers: l.workers},
		)
		if err != nil {
			return Bracket{}, err
		}
		l.law = law
	}
	b := l.law.Above(at - l.shift)
	return Bracket{Low: b.Low, High: b.High}, nil
}

// Work implements Law.
func (l *Annealed) Work() estimators.Work { return l.work }
