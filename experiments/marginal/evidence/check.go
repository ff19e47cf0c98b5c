package evidence

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/exact/laws"
	"breadboard/exact/weights"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
)

// Finding is one comparison of an estimator with its exact distribution on one target.
type Finding struct {
	subject.Case
	Estimator, Settings string
	check.Finding
}

// FindingColumns lists the columns of findings.
func FindingColumns() columns.List {
	return slices.Concat(
		subject.CaseColumns((*Finding).TheCase, "toy", "path", "initial", "schedule", "kernel"),
		aboutEstimator(), check.Columns[Finding]())
}

// aboutEstimator lists the columns that say which estimator a finding is about.
func aboutEstimator() columns.List {
	return columns.List{
		columns.Of("estimator", "estimator", "the estimator, as on the command line in canonical form", func(f *Finding) string { return f.Estimator }),
		columns.Of("settings", "settings", "the setting within the budget of work, such as K=100 or T=51", func(f *Finding) string { return f.Settings }),
	}
}

// CheckOptions say which estimators are tested against their exact distributions, and how.
type CheckOptions struct {
	Estimators []string  // selectors, for Parse, or All
	Work       []float64 // budgets of an estimate
	Runs       int       // the largest number of estimates of a test
	Seed       uint64
	Alpha      float64 // the probability of a false alarm over all tests of a run
	Workers    int
	Progress   func(tests int) // called from several goroutines at once; may be nil
}

// CheckToys are the selectors of the default targets of checks. They are small enough for
// enumeration. One of them is a model of data, which suits every estimator.
func CheckToys() []string { return []string{"clu4", "random:1:0:2x2"} }

// Validate returns an error for invalid options, or for options that do not fit the cases.
func (o *CheckOptions) Validate(ctx context.Context, cases []subject.Case) error {
	if err := o.ValidateTests(); err != nil {
		return err
	}
	if err := (study.How{Workers: o.Workers}).Validate(); err != nil {
		return err
	}
	_, err := o.candidates(ctx, cases)
	return err
}

// candidates returns the estimators to check, without settings yet.
func (o *CheckOptions) candidates(ctx context.Context, cases []subject.Case) ([]*candidate, error) {
	as := Options{Estimators: o.Estimators, Work: o.Work, Trials: []int{1}, Runs: o.Runs}
	all, err := as.candidates(ctx, cases)
	for _, c := range all {
		if c.lack != nil {
			return nil, aboutToy(c.on, fmt.Errorf("estimator %s: %w", c.Name, c.lack))
		}
	}
	return all, err
}

// ValidateTests returns an error for invalid numbers of the tests.
func (o *CheckOptions) ValidateTests() error {
	if err := check.ValidateAlpha(o.Alpha); err != nil {
		return err
	}
	if o.Runs < firstLook {
		return chains.NewAdvice("{chains} %d; a test first looks at its runs after %d: give at least that many", o.Runs, firstLook)
	}
	return nil
}

// Check tests every estimator against its exact distribution on every case. Its runs are tested by
// e-processes, with a false alarm probability of at most o.Alpha over all of them. If the random
// choices of a run have few outcomes, the estimator is run for every one of them, and its
// distribution must equal the exact one.
func Check(ctx context.Context, cases []subject.Case, o CheckOptions) ([]Finding, error) {
	all, err := o.candidates(ctx, cases)
	if err != nil {
		return nil, err
	}
	var checkeds []*checked
	for _, c := range all {
		if err := c.plan(ctx, o.Work, o.Workers); err != nil {
			return nil, err
		}
		for _, p := range c.plans {
			checkeds = append(checkeds, &checked{plan: p, purpose: "check"})
		}
	}
	return o.each(ctx, len(checkeds), func(ctx context.Context, i int, threshold float64) ([]Finding, error) {
		s := checkeds[i]
		err := s.examine(ctx, &o, threshold)
		if fatal := new(subject.Failures).Keep(ctx, err); fatal != nil {
			return nil, aboutToy(s.on, fmt.Errorf("estimator %s: %w", s.Name, fatal))
		}
		if err != nil {
			s.add(check.Undecided("law", s.on.Toy.Explain(err).Error()))
		}
		return s.findings, nil
	})
}

// each examines the given number of subjects concurrently, and returns the findings in their order.
// The threshold of all tests is a natural logarithm.
func (o *CheckOptions) each(ctx context.Context, checkeds int,
	examine func(ctx context.Context, i int, threshold float64) ([]Finding, error)) ([]Finding, error) {
	findings := make([][]Finding, checkeds)
	threshold := number.Log(float64(testsEach*checkeds) / o.Alpha)
	err := subject.Parallel(ctx, checkeds, o.Workers, func(ctx context.Context, i int) (err error) {
		if findings[i], err = examine(ctx, i, threshold); err == nil && o.Progress != nil {
			o.Progress(1)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return slices.Concat(findings...), nil
}

// checked is an estimator with a setting that is tested against its distribution.
type checked struct {
	plan
	purpose string   // of its random numbers
	law     laws.Law // that of its plan, if it is not found before
	// runs returns what claims to have the distribution, for one goroutine. It is nil for the
	// estimator itself.
	runs     func(ctx context.Context) (func(chains.Sampler) float64, error)
	findings []Finding
}

// testsEach is the number of e-processes for an estimator with one setting.
const testsEach = 3

// estimates returns a function that makes estimates of log Z, without the constant removed by
// centring, for one goroutine.
func (s *checked) estimates(ctx context.Context) (func(chains.Sampler) float64, error) {
	if s.runs != nil {
		return s.runs(ctx)
	}
	e, err := s.estimator(ctx, s.target, s.setting)
	return func(c chains.Sampler) float64 { return e.Estimate(c) }, err
}

// examine makes the findings of an estimator.
func (s *checked) examine(ctx context.Context, o *CheckOptions, threshold float64) error {
	if err := s.examineRuns(ctx, o, threshold); err != nil {
		return err
	}
	return s.enumerated(ctx)
}

// examineRuns makes the findings from runs of an estimator.
func (s *checked) examineRuns(ctx context.Context, o *CheckOptions, threshold float64) (err error) {
	if s.law == nil {
		if s.law, err = s.lawOf(ctx, s.target, s.setting, 1); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s.add(check.Undecided("runs", "there is no exact distribution: "+err.Error()))
			return nil
		}
	}
	m, err := s.law.Moments(ctx, 1)
	if err != nil {
		return err
	}
	return s.sampled(ctx, o, threshold, m)
}

func (s *checked) add(f check.Finding) {
	s.findings = append(s.findings, Finding{*s.on, s.Name, s.settings(s.target, s.setting), f})
}

// firstLook is the number of runs after which a test first looks at them. From then on it looks
// whenever the number has doubled.
const firstLook = 256

// sampled tests runs of the estimator against its distribution.
func (s *checked) sampled(ctx context.Context, o *CheckOptions, threshold float64, m laws.Moments) error {
	one, err := s.estimates(ctx)
	if err != nil {
		return err
	}
	tests, err := s.tests(ctx, m)
	if err != nil {
		return err
	}
	if len(tests) == 0 {
		s.add(check.Undecided("runs", "no probability and no mean of the distribution is known"))
		return nil
	}
	purpose := fmt.Sprintf("evidence %s %s %s %d", s.purpose, s.on.Key(), s.Name, s.setting)
	c := chains.NewSampler(simulate.NewStream(o.Seed, purpose, 0))
	var logs []float64
	run := verdicts.Sequential{First: firstLook, Most: o.Runs}
	run.Grow = func(ctx context.Context, runs int) error {
		logs = slices.Grow(logs[:0], runs-run.Draws)[:runs-run.Draws]
		if err := estimate(ctx, one, c, logs); err != nil {
			return err
		}
		for _, t := range tests {
			if err := t.add(logs); err != nil {
				return err
			}
		}
		return nil
	}
	for _, t := range tests {
		run.Tests = append(run.Tests, &verdicts.Watch{Name: t.name, LogThreshold: threshold, Value: func() (float64, func() string) { return t.logE(), t.where }})
	}
	if err := run.Run(ctx); err != nil {
		return err
	}
	for _, w := range run.Tests {
		s.add(check.EValue(w.Name, w.LogE, w.LogThreshold, fmt.Sprintf("%d runs", run.Draws), w.Where))
	}
	return nil
}

// estimate fills logs with estimates, one run each.
func estimate(ctx context.Context, one func(chains.Sampler) float64, c chains.Sampler, logs []float64) error {
	return guarded(ctx, func() {
		for i := range logs {
			if ctx.Err() != nil {
				return
			}
			logs[i] = one(c)
		}
	})
}

// test is an e-process over log estimates.
type test struct {
	name  string
	add   func(logs []float64) error
	logE  func() float64
	where func() string
}

// tests returns the tests that the distribution allows: of the numbers of estimates above some
// levels, of the mean of Z-hat, and, if the mean of 1/Z-hat is 1/Z, of that mean.
func (s *checked) tests(ctx context.Context, m laws.Moments) ([]test, error) {
	var out []test
	levels, _, err := s.levels(ctx, m, 0, 0)
	if err != nil {
		return nil, err
	}
	if len(levels) > 0 {
		out = append(out, levelsTest(levels))
	}
	if !math.IsNaN(m.LogMean) && !math.IsInf(m.LogMean, 0) {
		t, err := verdicts.NewUnbiased(m.LogMean, math.Inf(1))
		if err != nil {
			return nil, err
		}
		out = append(out, meanTest(t, "mean_e_value", "the mean of Z-hat is too large: its log is %.6g (standard error %.2g) instead of %.6g", m.LogMean))
	}
	if s.combination == estimators.HarmonicMean && !s.biased {
		t, err := verdicts.NewUpper(s.LogZ)
		if err != nil {
			return nil, err
		}
		out = append(out, meanTest(t, "reciprocal_e_value",
			"the mean of 1/Z-hat is too large: minus its log is %.6g (standard error %.2g) instead of at least %.6g", s.LogZ))
	}
	return out, nil
}

// meanTest tests the mean of Z-hat, or of its reciprocal. Its text has the logarithm of that mean,
// or minus that of the mean of reciprocals.
func meanTest(t *verdicts.Test, name, wrong string, mean float64) test {
	return test{name, func(logs []float64) error { return t.AddRounded(logs, closeTo) }, t.LogE, func() string {
		m := t.Summary()
		return fmt.Sprintf(wrong, m.LogMean, m.LogMeanError, mean)
	}}
}

// levelsTest tests how many log estimates are at most some levels.
func levelsTest(levels []verdicts.Event) test {
	e := verdicts.NewEvents(levels)
	return test{"levels_e_value", func(logs []float64) error {
		for _, v := range logs {
			if math.IsNaN(v) {
				return chains.NewFault(fmt.Errorf("an estimate is NaN"))
			}
			e.Add(v, v)
		}
		return nil
	}, e.LogE, func() string { return e.Where("run") }}
}

// closeTo returns the rounding error that a log estimate may have, in nats.
func closeTo(v float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	return 1e-9 * (1 + math.Abs(v))
}

// levelsAroundZ and levelsAroundMean are the levels, in nats from log Z and in standard deviations
// from the mean. They are no round numbers, so that no estimate is likely to equal a level.
func levelsAroundZ() []float64    { return []float64{-1.01, -0.29, 0.31, 1.03} }
func levelsAroundMean() []float64 { return []float64{-1.93, -0.97, -0.41, 0.43, 0.95, 1.91} }

// levels returns, for levels whose probabilities are known, the events that a log estimate is at
// most the level. Log estimates and their names are relative to a number. If no probability is
// known there are none, and the note of the distribution has the reason.
func (s *checked) levels(ctx context.Context, m laws.Moments, relative, named float64) (list []verdicts.Event, note string, err error) {
	places := []float64{}
	for _, by := range levelsAroundZ() {
		places = append(places, s.LogZ+by)
	}
	if !math.IsNaN(m.Mean) && !math.IsInf(m.Mean, 0) {
		spread := max(m.SD, closeTo(m.Mean))
		for _, by := range levelsAroundMean() {
			places = append(places, m.Mean+by*spread)
		}
	}
	sort.Float64s(places)
	for _, x := range slices.Compact(places) {
		above, err := s.law.Above(ctx, x)
		if err != nil {
			return nil, "", err
		}
		if note = above.Note; !math.IsNaN(above.Low) {
			list = append(list, verdicts.Event{Name: fmt.Sprintf("log Z-hat <= %.6g", x-named), Low: math.Inf(-1), High: x - relative, P: below(above)})
		}
	}
	return list, note, nil
}

// below returns bounds on the probability of an estimate that is not above a level, from those of
// one that is. Certain events stay certain.
func below(above laws.Bracket) weights.Bracket {
	p := weights.Bracket{Low: 1 - min(1, above.High+lawRounding), High: 1 - max(0, above.Low-lawRounding)}
	if above.High == 0 {
		p.Low = 1
	}
	if above.Low == 1 {
		p.High = 0
	}
	p.Value = p.Low + (p.High-p.Low)/2
	return p
}

// lawRounding is the rounding error of bounds on a probability.
const lawRounding = 1e-12
