package check

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"breadboard/reports/columns"
)

// Case is a finding with a description of its subject, for programs that collect the results of
// tests.
type Case struct {
	About string // such as "toy=easy beta=0.5"; empty if the check is about one thing
	Cause string // the explanation of the fault; empty if there is none, or if Where has it
	Finding
}

// JUnitCases returns findings with their subjects: the cells of the columns before those of Columns
// in a table of findings, or of all columns if it has none of these.
func JUnitCases[R Result](fields columns.List, findings []R) []Case {
	if own := Columns[R](); len(own) > 0 {
		if at := slices.IndexFunc(fields, func(f columns.Field) bool { return f.Name == own[0].Name }); at >= 0 {
			fields = fields[:at]
		}
	}
	list := make([]Case, len(findings))
	for i := range findings {
		var words []string
		for _, f := range fields {
			if cell := f.Of(&findings[i]); f.Name != "" && cell != nil && cell != "" {
				words = append(words, fmt.Sprintf("%s=%v", f.Name, cell))
			}
		}
		list[i] = Case{About: strings.Join(words, " "), Finding: findings[i].Found()}
	}
	return list
}

// Suite is the result of a run of a check, for programs that collect the results of tests.
type Suite struct {
	Name    string // of the check, such as "kernel check"
	Command string // the command line
	Cases   []Case
	Notes   []string // notes of the run
	Failure string   // the reason why the run as a whole has failed although no case is a fault; else empty
	Error   string   // the reason why the run has ended without results; else empty
}

// The elements of JUnit XML that are written. There is no schema that all readers agree on; these
// are read by all.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
		Out        string          `xml:"system-out,omitempty"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string     `xml:"classname,attr"`
		Name    string     `xml:"name,attr"`
		Failure *junitText `xml:"failure"`
		Error   *junitText `xml:"error"`
		Skipped *junitText `xml:"skipped"`
		Out     string     `xml:"system-out,omitempty"`
	}
	junitText struct {
		Message string `xml:"message,attr"`
	}
)

// usual returns the e-value from which on most cases are a fault, which is said once for all of
// them; NaN if there is none.
func (s *Suite) usual() float64 {
	usual := math.NaN()
	most := 0
	count := map[float64]int{}
	for _, c := range s.Cases {
		if c.IsE && !math.IsNaN(c.Tolerance) {
			count[c.Tolerance]++
			if count[c.Tolerance] > most {
				usual = c.Tolerance
				most = count[c.Tolerance]
			}
		}
	}
	return usual
}

// fromE is the format of the e-value from which on there is a fault.
const fromE = "a fault if the e-value is %.4g or more"

// WriteJUnit writes a suite as JUnit XML: a fault is a failure, and the verdicts open and differs
// are skipped. Characters that XML cannot hold, such as control characters, become U+FFFD. The same
// suite gives the same bytes, as no times are written.
func WriteJUnit(w io.Writer, s Suite) error {
	class := "breadboard." + strings.ReplaceAll(s.Name, " ", "_")
	out := junitSuite{
		Name:       s.Name,
		Properties: []junitProperty{{"command", s.Command}},
		Out:        strings.Join(s.Notes, "\n"),
	}
	usual := s.usual()
	if !math.IsNaN(usual) {
		out.Out = strings.TrimSpace(fmt.Sprintf(fromE+", unless a case has another limit\n", usual) + out.Out)
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		one := junitCase{Class: class, Name: c.Name}
		if c.About != "" {
			one.Name += ": " + c.About
		}
		switch c.Verdict {
		case Fault:
			one.Failure, one.Out = &junitText{c.failure()}, c.measured(usual, "")
		case Open, Differs:
			one.Skipped, one.Out = &junitText{c.Where}, c.measured(usual, "")
		default:
			one.Out = c.measured(usual, c.Where)
		}
		out.Cases = append(out.Cases, one)
	}
	if s.Failure != "" {
		out.Cases = append(out.Cases, junitCase{Class: class, Name: "the whole run", Failure: &junitText{s.Failure}})
	}
	if s.Error != "" {
		out.Cases = append(out.Cases, junitCase{Class: class, Name: "the whole run", Error: &junitText{s.Error}})
	}
	out.Tests = len(out.Cases)
	for _, c := range out.Cases {
		switch {
		case c.Failure != nil:
			out.Failures++
		case c.Error != nil:
			out.Errors++
		case c.Skipped != nil:
			out.Skipped++
		}
	}
	text, err := xml.MarshalIndent(junitSuites{Suites: []junitSuite{out}}, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	}
	return err
}

// failure says what is wrong, and what explains it.
func (c *Case) failure() string {
	if c.Cause == "" || strings.Contains(c.Where, c.Cause) {
		return c.Where
	}
	return c.Cause + ": " + c.Where
}

// measured says in words what was measured, against what unless it is what is usual, and what else
// there is to say.
func (f Finding) measured(usual float64, more string) string {
	var parts []string
	value := "value %v"
	tolerance := "tolerance %v"
	if f.IsE {
		value = "e-value %.4g"
		tolerance = fromE
	}
	if !math.IsNaN(f.Value) {
		parts = append(parts, fmt.Sprintf(value, f.Value))
	}
	if !math.IsNaN(f.Tolerance) && !(f.IsE && f.Tolerance == usual) {
		parts = append(parts, fmt.Sprintf(tolerance, f.Tolerance))
	}
	if more != "" {
		parts = append(parts, more)
	}
	return strings.Join(parts, ", ")
}
