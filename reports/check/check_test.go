package check_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// about is a finding with what it is about.
type about struct {
	Subject string
	check.Finding
}

// TestVerdicts: a value is held to its tolerance, and an e-value to its threshold, which it may not
// reach; what is not a number is never a pass.
func TestVerdicts(t *testing.T) {
	wrong := func() string { return "wrong" }
	for _, c := range []struct {
		got   check.Finding
		want  check.Verdict
		where string
	}{
		{check.Held("a", 1, 1, "wrong"), check.Pass, ""},
		{check.Held("a", math.Nextafter(1, 2), 1, "wrong"), check.Fault, "wrong"},
		{check.Held("a", math.NaN(), 1, "wrong"), check.Fault, "wrong"},
		{check.EValue("a", math.Nextafter(3, 2), 3, "10 runs", wrong), check.Pass, "10 runs"},
		{check.EValue("a", 3, 3, "10 runs", wrong), check.Fault, "wrong"},
		{check.EValue("a", math.NaN(), 3, "10 runs", wrong), check.Fault, "wrong"},
		{check.Undecided("a", "too many"), check.Open, "too many"},
	} {
		if c.got.Name != "a" || c.got.Verdict != c.want || c.got.Where != c.where {
			t.Errorf("%+v, want %s %q", c.got, c.want, c.where)
		}
	}
}

// TestCounts: what is open has not passed, nor has a check without a finding, and notes say nothing
// of either.
func TestCounts(t *testing.T) {
	of := func(verdicts string) (list []about) {
		for _, v := range strings.Fields(verdicts) {
			list = append(list, about{Finding: check.Finding{Verdict: check.Verdict(v)}})
		}
		return list
	}
	for verdicts, want := range map[string]string{
		"":                     "open: 0 pass, 0 fault, 0 open",
		"note":                 "open: 0 pass, 0 fault, 0 open, and 1 note",
		"pass note pass note":  "pass: 2 pass, 0 fault, 0 open, and 2 notes",
		"pass open":            "open: 1 pass, 0 fault, 1 open",
		"pass fault open note": "fault: 1 pass, 1 fault, 1 open, and 1 note",
	} {
		list := of(verdicts)
		n := check.Count(list)
		if got := string(n.Overall()) + ": " + n.String(); got != want ||
			check.Faulty(list) != strings.Contains(verdicts, "fault") ||
			len(check.Unsettled(list)) != n.Fault+n.Open || len(list) != len(strings.Fields(verdicts)) {
			t.Errorf("%s: %s, want %s; %d unsettled", verdicts, got, want, len(check.Unsettled(list)))
		}
	}
}

// TestAlpha: a probability of a false alarm is below one, and no smaller than uniform draws allow.
func TestAlpha(t *testing.T) {
	for alpha, right := range map[float64]bool{
		check.MinAlpha: true, check.DefaultAlpha: true, 0.99: true, 0.99 * check.MinAlpha: false, 0: false,
		1: false, math.Inf(1): false, math.NaN(): false} {
		if err := check.ValidateAlpha(alpha); (err == nil) != right {
			t.Errorf("alpha %v: %v", alpha, err)
		}
	}
}

// TestWriteJUnit: each verdict becomes what readers of JUnit XML know, numbers are counted, and
// what XML cannot hold is escaped or replaced.
func TestWriteJUnit(t *testing.T) {
	nan := math.NaN()
	list := []about{
		{"one", check.Finding{Name: "invariance", Value: 1e-17, Tolerance: 1e-12, Verdict: check.Pass}},
		{"two", check.Finding{
			Name:      "invariance",
			Value:     0.25,
			Tolerance: 1e-12,
			Verdict:   check.Fault,
			Where:     "at <0,\x001> & \"1\"",
		}},
		{"", check.Finding{
			Name:      "gap",
			Value:     math.Inf(1),
			Tolerance: nan,
			Verdict:   check.Note,
			Where:     "a\nb",
		}},
		{"two", check.EValue("law", math.Inf(-1), 0, "10 runs", nil)},
		{"three", check.EValue("law", 2, 0, "", func() string { return "here" })},
		{"three", check.EValue("all", 3, 1, "", func() string { return "here, twice" })},
		{"one", check.Finding{Name: "mean", Value: 7, Tolerance: 6, Verdict: check.Differs, Where: "off"}},
		{"one", check.Finding{
			Name:      "period",
			Value:     nan,
			Tolerance: nan,
			Verdict:   check.Open,
			Where:     "too large",
		}},
	}
	of := func(name string, cell func(a *about) any) columns.Field {
		return columns.Any(name, "", "", "", cell)
	}
	fields := append(columns.List{
		of("on", func(a *about) any { return a.Subject }), of("", func(*about) any { return "for people" }),
		of("beta", func(*about) any { return nil }), of("T", func(*about) any { return 3 })},
		check.Columns[about]()...)
	var got bytes.Buffer
	cases := check.JUnitCases(fields, list)
	cases[4].Cause, cases[5].Cause = "twice", "twice" // which the second one says itself
	longtest.NoError(t, check.WriteJUnit(
		&got,
		check.Suite{Name: "kernel check", Command: "breadboard kernel check 'a&b'", Cases: cases,
			Notes: []string{"first", "second"}, Failure: "f", Error: "e"},
	))
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="kernel check" tests="10" failures="4" errors="1" skipped="2">
    <properties>
      <property name="command" value="breadboard kernel check &#39;a&amp;b&#39;"></property>
    </properties>
    <testcase classname="breadboard.kernel_check" name="invariance: on=one T=3">
      <system-out>value 1e-17, tolerance 1e-12</system-out>
    </testcase>
    <testcase classname="breadboard.kernel_check" name="invariance: on=two T=3">
      <failure message="at &lt;0,\uFFFD1&gt; &amp; &#34;1&#34;"></failure>
      <system-out>value 0.25, tolerance 1e-12</system-out>
    </testcase>
    <testcase classname="breadboard.kernel_check" name="gap: T=3">
      <system-out>value +Inf, a&#xA;b</system-out>
    </testcase>
    <testcase classname="breadboard.kernel_check" name="law: on=two T=3">
      <system-out>e-value 0, 10 runs</system-out>
    </testcase>
    <testcase classname="breadboard.kernel_check" name="law: on=three T=3">
      <failure message="twice: here"></failure>
      <system-out>e-value 7.389</system-out>
    </testcase>
    <testcase classname="breadboard.kernel_check" name="all: on=three T=3">
      <failure message="here, twice"></failure>
      <system-out>e-value 20.09, a fault if the e-value is 2.718 or more</system-out>
    </testcase>
    <testcase classname="breadboard.kernel_check" name="mean: on=one T=3">
      <skipped message="off"></skipped>
      <system-out>value 7, tolerance 6</system-out>
    </testcase>
    <testcase classname="breadboard.kernel_check" name="period: on=one T=3">
      <skipped message="too large"></skipped>
    </testcase>
    <testcase classname="breadboard.kernel_check" name="the whole run">
      <failure message="f"></failure>
    </testcase>
    <testcase classname="breadboard.kernel_check" name="the whole run">
      <error message="e"></error>
    </testcase>
    <system-out>a fault if the e-value is 1 or more, unless a case has another limit&#xA;first&#xA;second</system-out>
  </testsuite>
</testsuites>
`
	if got := got.String(); got != strings.ReplaceAll(want, `\uFFFD`, "\uFFFD") {
		t.Errorf("%s", got)
	}
	for d := xml.NewDecoder(&got); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestNearFault: an e-value that is as large as that of five standard errors, and no fault yet, is
// open; NaN is a fault.
func TestNearFault(t *testing.T) {
	for logE, want := range map[float64]check.Verdict{-3: check.Pass, 12.4: check.Pass, 12.5: check.Open,
		15.9: check.Open, 16: check.Fault, math.NaN(): check.Fault} {
		f := check.EValue("test", logE, 16, "looked", func() string { return "worst" })
		if f.Verdict != want || (want == check.Open) != (check.Near(logE) != "" && logE < 16) {
			t.Errorf("a log e-value of %v is %s: %s", logE, f.Verdict, f.Where)
		}
	}
	if f := check.EValue("test", 12.6, 12.55, "", func() string { return "" }); f.Verdict != check.Fault {
		t.Errorf("beyond its threshold it is %s", f.Verdict)
	}
}
