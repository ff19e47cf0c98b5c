package evidence

import (
	"context"
	"fmt"
	"slices"

	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// Finding is one comparison of an estimator with its exact distribution on one target.
type Finding struct {
	subject.Case
	Estimator, Settings string
	check.Finding
}

// FindingColumns lists the columns of findings.
func FindingColumns() columns.List {
	return slices.Concat(subject.CaseColumns((*Finding).TheCase, "toy", "path", "initial", "schedule", "kernel"),
		aboutEstimator(),
		check.Columns[Finding]("law", "enumerated", "enumerated_mean", "enumerated_variance",
			"enumerated_log_mean_z", "enumerated_reciprocal", "enumerated_above", "work"))
}

// aboutEstimator lists the columns that say which estimator a finding is about.
func aboutEstimator() columns.List {
	return columns.List{
		columns.Of("estimator", "estimator", "the estimator",
			func(f *Finding) string { return f.Estimator }),
		columns.Of("settings", "settings", "the setting within the budget, such as K=100",
			func(f *Finding) string { return f.Settings }),
	}
}

// CheckOptions say which estimators are enumerated.
type CheckOptions struct {
	Estimators []string  // selectors, for Parse, or All
	Work       []float64 // budgets of an estimate
	Workers    int
	Progress   func(estimators int) // called from several goroutines at once; may be nil
}

// CheckToys are the selectors of the default targets of checks. They are small enough for
// enumeration. One of them is a model of data, which suits every estimator.
func CheckToys() []string { return []string{"clu4", "random:1:0:2x2"} }

// Validate returns an error for invalid options, or for options that do not fit the cases.
func (o *CheckOptions) Validate(ctx context.Context, cases []subject.Case) error {
	if err := (study.How{Workers: o.Workers}).Validate(); err != nil {
		return err
	}
	_, err := o.candidates(ctx, cases)
	return err
}

// candidates returns the estimators to check, without settings yet.
func (o *CheckOptions) candidates(ctx context.Context, cases []subject.Case) ([]*candidate, error) {
	as := Options{Estimators: o.Estimators, Work: o.Work, Trials: []int{1}}
	all, err := as.candidates(ctx, cases)
	for _, c := range all {
		if c.lack != nil {
			return nil, aboutToy(c.on, fmt.Errorf("estimator %s: %w", c.Name, c.lack))
		}
	}
	return all, err
}

// Check runs every estimator on every case once for every outcome of its random choices, if these
// are few. The resulting distribution must equal the exact one.
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
			checkeds = append(checkeds, &checked{plan: p})
		}
	}
	return subject.Rows(ctx, len(checkeds), o.Workers, func(ctx context.Context, i int) ([]Finding, error) {
		s := checkeds[i]
		err := s.enumerated(ctx)
		if fatal := new(subject.Failures).Keep(ctx, err); fatal != nil {
			return nil, aboutToy(s.on, fmt.Errorf("estimator %s: %w", s.Name, fatal))
		}
		if err != nil {
			s.addFinding(check.Undecided("law", s.on.Toy.Explain(err).Error()))
		}
		if o.Progress != nil {
			o.Progress(1)
		}
		return s.findings, nil
	})
}

// checked is an estimator with a setting whose distribution is compared with the enumerated one.
type checked struct {
	plan
	findings []Finding
}

func (s *checked) addFinding(f check.Finding) {
	s.findings = append(s.findings, Finding{*s.on, s.Name, s.settings(s.target, s.setting), f})
}
