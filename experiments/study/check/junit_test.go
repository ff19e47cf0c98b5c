package check_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
)

// TestWriteJUnit: each verdict becomes what readers of JUnit XML know, numbers are counted, and what XML cannot hold is escaped or replaced.
func TestWriteJUnit(t *testing.T) {
	nan := math.NaN()
	list := []about{
		{"one", check.Finding{Name: "invariance", Value: 1e-17, Tolerance: 1e-12, Verdict: check.Pass}},
		{"two", check.Finding{Name: "invariance", Value: 0.25, Tolerance: 1e-12, Verdict: check.Fault, Where: "at <0,\x001> & \"1\""}},
		{"", check.Finding{Name: "gap", Value: math.Inf(1), Tolerance: nan, Verdict: check.Note, Where: "a\nb"}},
		{"one", check.Finding{Name: "period", Value: nan, Tolerance: nan, Verdict: check.Open, Where: "too large"}},
	}
	of := func(name string, cell func(a *about) any) columns.Field[about] {
		return columns.Field[about]{Column: columns.Column{Name: name}, Of: cell}
	}
	fields := append([]columns.Field[about]{of("on", func(a *about) any { return a.Subject }), of("", func(*about) any { return "for people" }), of("beta", func(*about) any { return nil }), of("T", func(*about) any { return 3 })},
		check.Columns[about]()...)
	var got bytes.Buffer
	longtest.NoError(t, check.WriteJUnit(&got, check.Suite{Name: "kernel check", Command: "breadboard kernel check 'a&b'", Cases: check.Cases(fields, list), Notes: []string{"first", "second"}, Failure: "f", Error: "e"}))
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="kernel check" tests="6" failures="2" errors="1" skipped="1">
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
    <testcase classname="breadboard.kernel_check" name="period: on=one T=3">
      <skipped message="too large"></skipped>
    </testcase>
    <testcase classname="breadboard.kernel_check" name="the whole run">
      <failure message="f"></failure>
    </testcase>
    <testcase classname="breadboard.kernel_check" name="the whole run">
      <error message="e"></error>
    </testcase>
    <system-out>first&#xA;second</system-out>
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

// TestMutantsAreFindings: a mutant that is judged as it should be has passed, and any other is a fault.
func TestMutantsAreFindings(t *testing.T) {
	for _, c := range []struct {
		harmless, caught bool
		want             string
	}{{false, true, "pass: "}, {true, false, "pass: "}, {false, false, "fault: it was not caught"}, {true, true, "fault: it does no harm, and the check says fault: sum: here"}} {
		j := check.Judgement[about]{Mutant: "m", Harmless: c.harmless, Caught: c.caught, Worst: about{"it", check.Finding{Name: "sum", Where: "here"}}}
		if f := j.Found(); string(f.Verdict)+": "+f.Where != c.want || f.Name != "planted: m" {
			t.Errorf("%+v: %+v", c, f)
		}
	}
}
