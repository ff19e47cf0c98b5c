package evidence

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/exact/laws"
	"breadboard/exact/program"
	"breadboard/reports/check"
)

const (
	// checkTolerance is the tolerance between an enumerated and an exact distribution, for
	// rounding: in nats, in square nats for a variance, or as a probability.
	checkTolerance = 1e-10
	// checkRounding is the relative tolerance for values so large that float64 does not hold
	// checkTolerance next to them. The distributions promise it.
	checkRounding = 1e-13
	// mostBranches is the largest number of outcomes of a run for which the distribution is
	// enumerated.
	mostBranches = 1 << 15
)

// enumerated runs the estimator once for every outcome of its random choices, with the smallest
// settings that have few of them, and compares its distribution with the exact one.
func (s *checked) enumerated(ctx context.Context) error {
	p := s.plan
	for n := s.smallest; n <= s.setting; n++ {
		p.setting = n
		law, err := p.enumerate(ctx)
		if err != nil {
			return err
		}
		if law == nil { // larger settings have more
			if n == s.smallest {
				s.addFinding(check.Undecided("enumerated",
					fmt.Sprintf("a run has more than %d outcomes", mostBranches)))
			}
			return nil
		}
		at := &checked{plan: p}
		if err := at.compareLaw(ctx, law); err != nil {
			return err
		}
		s.findings = append(s.findings, at.findings...)
		if n >= s.smallest+mostEnumerated-1 {
			return nil
		}
	}
	return nil
}

// mostEnumerated is the number of settings that are enumerated.
const mostEnumerated = 2

// enumerate returns the distribution of the estimator, and nil if a run has too many outcomes.
func (p *plan) enumerate(ctx context.Context) (*enumeratedLaw, error) {
	e, err := p.estimator(ctx, p.target, p.setting)
	if err != nil {
		return nil, err
	}
	return enumerateEstimates(ctx, e.Estimate, e.Work())
}

// enumerateEstimates is enumerate of any function that makes estimates with this work.
func enumerateEstimates(ctx context.Context, estimate func(chains.Chooser) float64,
	work estimators.Work) (*enumeratedLaw, error) {
	law, err := program.Enumerate(ctx, estimate, program.Options{Branches: mostBranches})
	if failure, is := errors.AsType[*program.Error](err); is {
		switch failure.Kind {
		case program.TooManyBranches, program.TooManyOutcomes, program.TooManyChoices:
			return nil, nil
		}
		return nil, chains.NewFault(failure)
	}
	if err != nil {
		return nil, err
	}
	return &enumeratedLaw{law, work}, nil
}

// compareLaw adds the findings of an enumerated distribution.
func (s *checked) compareLaw(ctx context.Context, law *enumeratedLaw) error {
	exact, err := s.lawOf(ctx, s.target, s.setting, 1)
	if err != nil {
		return err
	}
	want, err := exact.Moments(ctx, 1)
	if err != nil {
		return err
	}
	got, err := law.Moments(ctx, 1)
	if err != nil {
		return err
	}
	size := want.Mean*want.Mean + want.SD*want.SD
	s.same("enumerated_mean", got.Mean, want.Mean, math.Sqrt(size))
	s.same("enumerated_variance", got.SD*got.SD, want.SD*want.SD, size)
	s.sameMean("enumerated_log_mean_z", law, 1, got.LogMean, want.LogMean)
	if s.combination == estimators.HarmonicMean && !s.biased && s.positive() {
		s.sameMean("enumerated_reciprocal", law, -1, law.logMeanReciprocal(), s.LogZ)
	}
	off := 0.0
	at := math.NaN()
	for _, by := range levelsAroundZ() {
		bounds, err := exact.Above(ctx, s.LogZ+by)
		if err != nil {
			return err
		}
		p := law.probabilityAbove(s.LogZ + by)
		if out := max(p-bounds.High, bounds.Low-p); out > off {
			off = out
			at = s.LogZ + by
		}
	}
	s.held("enumerated_above", off, fmt.Sprintf("P(log Z-hat > %.6g) is not within its bounds", at))
	if !s.byLaw {
		a, b := law.work, exact.Work()
		s.held("work", math.Abs(a.Evaluations-b.Evaluations)+math.Abs(a.Exact-b.Exact),
			fmt.Sprintf("the estimator reports %.10g, and its distribution %.10g", total(a), total(b)))
	}
	return nil
}

// positive reports whether every state has positive prior and likelihood. Otherwise the reciprocals
// of estimates may miss states.
func (s *checked) positive() bool {
	for x, p := range s.Prior {
		if p == 0 || math.IsInf(s.LogL[x], 0) {
			return false
		}
	}
	return true
}

// leastHeld is the logarithm of about the smallest probability that float64 holds with all digits.
const leastHeld = -708

// sameMean adds a finding that two logarithms of means of Z-hat to the power 1 or -1 are equal. A
// difference within the loss of enumeration is no fault.
func (s *checked) sameMean(name string, law *enumeratedLaw, power, got, want float64) {
	s.same(name, got, want, math.Abs(want))
	if last := &s.findings[len(s.findings)-1]; last.Verdict == check.Fault &&
		(s.losesStates(power) || law.loses(power)) {
		last.Finding = check.Undecided(name,
			"enumeration loses outcomes whose probabilities are too small for floating point although "+
				"their estimates, or the reciprocals, are as large")
	}
}

// losesStates reports whether float64 does not hold the prior probability of some state that
// contributes to the mean of Z-hat, or for the power -1 the posterior probability of one that
// contributes to the mean of its reciprocal.
func (s *checked) losesStates(power float64) bool {
	for x, joint := range s.LogJoint() {
		drawn := joint - s.LogL[x]
		counts := joint - s.LogZ
		if power < 0 {
			drawn, counts = counts, drawn
		}
		if drawn < leastHeld && !math.IsInf(drawn, -1) && counts > number.Log(checkTolerance) {
			return true
		}
	}
	return false
}

// same adds a finding that two values are equal up to rounding, which is proportional to a size.
// Values that the exact distribution does not have are not compared.
func (s *checked) same(name string, got, want, size float64) {
	if math.IsNaN(want) || got == want {
		if !math.IsNaN(want) {
			s.held(name, 0, "")
		}
		return
	}
	tolerance := max(checkTolerance, checkRounding*number.Finite(size))
	s.addFinding(check.Held(name, math.Abs(got-want), tolerance,
		fmt.Sprintf("enumeration gives %.12g, and the exact distribution %.12g", got, want)))
}

// held adds a finding that is a fault if a value is above the tolerance.
func (s *checked) held(name string, value float64, otherwise string) {
	s.addFinding(check.Held(name, value, checkTolerance, otherwise))
}

// enumeratedLaw is the distribution of an estimator by enumeration.
type enumeratedLaw struct {
	*program.Law[float64]
	work estimators.Work
}

// Moments implements laws.Law, for a single estimate.
func (l *enumeratedLaw) Moments(_ context.Context, trials int) (laws.Moments, error) {
	if trials != 1 {
		return laws.Moments{}, errs.New("%d trials; the distribution by enumeration is that of one", trials)
	}
	m := laws.Moments{SD: math.NaN(), LogMean: l.logMean(1)}
	for _, o := range l.Outcomes() {
		m.Mean += mass(o) * o.Value
	}
	if math.IsInf(m.Mean, 0) {
		return m, nil
	}
	variance := 0.0
	for _, o := range l.Outcomes() {
		variance += mass(o) * (o.Value - m.Mean) * (o.Value - m.Mean)
	}
	m.SD = math.Sqrt(variance)
	return m, nil
}

// mass returns the probability of an outcome. It is never zero, since a run has had it: if float64
// cannot hold it, it is the smallest positive number, as in package laws.
func mass(o program.Outcome[float64]) float64 { return max(o.P, math.SmallestNonzeroFloat64) }

// logMean returns the logarithm of the mean of Z-hat to the power 1 or -1.
func (l *enumeratedLaw) logMean(power float64) float64 {
	top := math.Inf(-1)
	for _, o := range l.Outcomes() {
		top = max(top, power*o.Value)
	}
	if math.IsInf(top, 0) {
		return top
	}
	sum := 0.0
	for _, o := range l.Outcomes() {
		sum += mass(o) * math.Exp(power*o.Value-top)
	}
	return top + number.Log(sum)
}

// loses reports whether float64 does not hold the probability of some outcome that may contribute
// to the mean of Z-hat to the power 1 or -1.
func (l *enumeratedLaw) loses(power float64) bool {
	least := l.logMean(power) + number.Log(checkTolerance)
	for _, o := range l.Outcomes() {
		if number.Log(o.P) < leastHeld && leastHeld+power*o.Value > least {
			return true
		}
	}
	return false
}

// logMeanReciprocal returns minus the logarithm of the mean of 1/Z-hat.
func (l *enumeratedLaw) logMeanReciprocal() float64 { return -l.logMean(-1) }

// probabilityAbove returns P(log Z-hat > at).
func (l *enumeratedLaw) probabilityAbove(at float64) float64 {
	p := 0.0
	for _, o := range l.Outcomes() {
		if o.Value > at {
			p += o.P
		}
	}
	return p
}

// Above implements laws.Law.
func (l *enumeratedLaw) Above(_ context.Context, at float64) (laws.Bracket, error) {
	p := l.probabilityAbove(at)
	return laws.Bracket{Low: p, High: min(1, p+l.Remainder())}, nil
}

// Work implements laws.Law.
func (l *enumeratedLaw) Work() estimators.Work { return l.work }
