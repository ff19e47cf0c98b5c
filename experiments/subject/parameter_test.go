package subject_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// TestTextOfNumbers: a number of a parameter has one form, and one out of range is refused with the
// range.
func TestTextOfNumbers(t *testing.T) {
	T := subject.Common("T")[0]
	beta := subject.Parameter{Name: "beta", Number: &subject.Range{Low: 0, High: 1, Real: true}}
	for _, c := range []struct {
		of    subject.Parameter
		value float64
		want  string
	}{
		{T, 2, "2"}, {T, 1e6, "1000000"}, {T, 1, "T is 1; it is a whole number from 2 to 1e12"},
		{T, 2.5, "T is 2.5; it is a whole"}, {T, math.NaN(), "T is NaN"},
		{beta, 0.25, "0.25"}, {beta, math.Copysign(0, -1), "0"},
		{beta, 1.5, "beta is 1.5; it is a number from 0 to 1"}, {beta, math.NaN(), "beta is NaN"},
	} {
		got, err := c.of.Text(c.value)
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s %v is %q, want %q", c.of.Name, c.value, got, c.want)
		}
	}
}

// TestParametersAreThoseOfCases: what a selection makes of parameters in canonical form has these
// parameters.
func TestParametersAreThoseOfCases(t *testing.T) {
	for _, text := range []string{
		"toy=barrier path=q:0.5 initial=tempered:0.5 schedule=power:2 kernel=lazy:0.5:barker T=7",
		"toy=easy path=geometric initial=uniform schedule=linear kernel=metropolis T=2", // the defaults
	} {
		var params subject.Params
		for _, part := range strings.Fields(text) {
			name, value, _ := strings.Cut(part, "=")
			params = append(params, subject.Param{Name: name, Value: value})
		}
		for _, given := range []subject.Params{params, params[:1]} {
			cases, err := forms.Reader().SelectionOf(given).Cases(context.Background())
			if err != nil || len(cases) != 1 {
				t.Fatalf("%v: %d cases, %v", given, len(cases), err)
			}
			for _, p := range given {
				if got := cases[0].Param(p.Name); got != p.Value {
					t.Errorf("%s %s has become %q", p.Name, p.Value, got)
				}
			}
			if got, want := subject.Params(cases[0].Parts()),
				subject.Names(subject.Parameters()); len(got) != len(want) {
				t.Errorf("parameters %v, want %v", got, want)
			}
		}
	}
	if c := (subject.Case{}); c.Annealing() != nil || c.Distributions() != 0 ||
		(subject.Params{}).Get("toy") != "" {
		t.Error("an empty case has something")
	}
}

// TestLengths: without numbers of distributions a selection has those of Grosse et al. (2016), and
// a schedule of points has its own.
func TestLengths(t *testing.T) {
	s := casetest.Selection(nil, "easy")
	if n := len(casetest.MustCases(t, s)); n != len(subject.PaperDistributions()) {
		t.Errorf("%d cases by default", n)
	}
	s.Schedule = "file:" + longtest.File(t, "betas", "0\n0.5\n1\n")
	if c := casetest.MustCases(t, s); len(c) != 1 || c[0].Distributions() != 3 {
		t.Errorf("a schedule of three points makes %d cases", len(c))
	}
	s.Distributions = []int{4}
	longtest.Refuses(s.Cases(context.Background()))(t, "has 3 points but 4")
}

// TestBoundsAgree: each identity of an annealing is asked for, and infinite values fit one another.
func TestBoundsAgree(t *testing.T) {
	infinite := math.Inf(1)
	for _, c := range []struct {
		subject.Bounds
		want string
	}{
		{subject.Bounds{J: 0.5, B: 1.25, Forward: -0.25, Reverse: 1, LogZ: 0.5}, ""},
		{subject.Bounds{J: infinite, B: infinite, Forward: -infinite, Reverse: 1, LogZ: 0.5}, ""},
		{subject.Bounds{J: 1.25, B: 1.25 - 1e-13, Forward: -0.25, Reverse: 1, LogZ: 0.5}, ""},
		{subject.Bounds{J: 1.25, B: 1.25 - 1e-10, Forward: -0.25, Reverse: 1, LogZ: 0.5}, "B must be at least J"},
		{subject.Bounds{J: 0.5, B: 1.25 + 1e-10, Forward: -0.25, Reverse: 1, LogZ: 0.5}, "are 1.25 apart"},
		{subject.Bounds{J: 0.5, B: 1.25, Forward: -0.25, Reverse: 1, LogZ: 1 + 1e-10}, "not between its mean log weights"},
		{subject.Bounds{J: 0.5, B: 1.25, Forward: -0.25, Reverse: 1, LogZ: -0.25 - 1e-10}, "not between its mean log weights"},
		{subject.Bounds{J: 0.5, B: infinite, Forward: -0.25, Reverse: 1, LogZ: 0.5}, "are 1.25 apart"},
	} {
		err := c.CheckAgreement(10)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestCasesReportOne: each case is reported once, when it is made.
func TestCasesReportOne(t *testing.T) {
	s := casetest.Selection([]int{5, 11}, "easy", "barrier")
	total := 0
	s.Progress = func(n int) { total += n }
	if cases, err := s.Cases(context.Background()); err != nil || len(cases) != 4 || total != 4 {
		t.Errorf("%d cases reported of %d, %v", total, len(cases), err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.Progress = func(int) { cancel() }
	if cases, err := s.Cases(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%d cases after the context has ended, %v", len(cases), err)
	}
}
