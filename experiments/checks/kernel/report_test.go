package kernel_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/experiments/checks/kernel"
	"breadboard/experiments/forms"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/check"
	"breadboard/toys"
)

// summaryOf returns the text with which the results of a report begin.
func summaryOf(r *reports.Report) string {
	return r.Tables()[0].Summary(func(verdict string) string { return verdict })
}

// TestKernelSummary: it has no line about what is known for no toy, as if a program cannot be
// started.
func TestKernelSummary(t *testing.T) {
	toy := func(name string) *toys.Toy {
		parsed := longtest.Must(forms.All().Parse(name))(t)
		return parsed
	}
	finds := func(name string, v check.Verdict, value float64) kernel.Finding {
		return kernel.Finding{Finding: check.Finding{Name: name, Verdict: v, Value: value}}
	}
	var broken, known kernel.Row
	broken.Toy, known.Toy = toy("easy"), toy("hard")
	broken.Findings = []kernel.Finding{
		finds("program", check.Fault, math.NaN()), finds("J_metropolis", check.Note, 0.125)}
	known.Findings = []kernel.Finding{finds("spectral_gap", check.Note, 0.5), finds("J", check.Note, 0.25)}
	stuck := kernel.Row{Toy: toy("hard"), Betas: []float64{1}, Findings: []kernel.Finding{
		finds("irreducible", check.Note, 2), finds("J", check.Note, 3), finds("J_floor", check.Note, 2.5),
	}}
	stuck.Findings[0].Beta, stuck.Findings[0].Where = 1, "2 classes of states"
	for _, c := range []struct {
		checks []kernel.Row
		want   string
	}{
		{[]kernel.Row{broken}, "fault: kernel mine on easy at beta : 0 pass, 1 fault, 0 open\n"},
		{[]kernel.Row{broken, known}, `fault: kernel mine on easy, hard at beta : 0 pass, 1 fault, 0 open
at the largest beta: spectral gap unknown (easy), 0.5 (hard); autocorrelation time of g unknown moves
annealing: J unknown (easy), 0.25 (hard) nats, and with the kernel metropolis 0.125 (easy), unknown (hard)
`},
		{[]kernel.Row{stuck}, `open: kernel mine on hard at beta 1: 0 pass, 0 fault, 0 open
does it leave the target invariant? yes
does it join all states? no: 2 classes of states
do its chains sample the target? no: a chain never leaves the class of its first state
annealing: J 3 nats (never below 2.5, whatever T is), and with the kernel metropolis unknown
`},
	} {
		if got := summaryOf(kernel.KernelCheckReport("mine", c.checks)); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

// TestBuiltIn: a kernel that is wrong at every beta but 1 is told from one that is wrong elsewhere
// too, and from one that was seen at 1 alone.
func TestBuiltIn(t *testing.T) {
	at := func(betas []float64, wrong ...float64) kernel.Row {
		k := kernel.Row{Toy: toys.Easy(), Betas: betas}
		for _, beta := range append(wrong, math.NaN()) { // NaN is that of the annealing
			k.Findings = append(k.Findings, kernel.Finding{Beta: beta, Finding: check.Finding{Verdict: check.Fault}})
		}
		return k
	}
	all := []float64{0, 0.5, 1}
	for _, c := range []struct {
		checks []kernel.Row
		want   bool
	}{
		{nil, false},
		{[]kernel.Row{at(all, 0, 0.5)}, true},
		{[]kernel.Row{at(all, 0, 0.5), at(all, 0, 0.5, 1)}, false},
		{[]kernel.Row{at(all, 0.5)}, false},
		{[]kernel.Row{at([]float64{1})}, false},
		{[]kernel.Row{at([]float64{0, 0.5}, 0, 0.5)}, false},
	} {
		fault := fmt.Sprint(kernel.KernelCheckReport("mine", c.checks).Fault)
		if got := strings.Contains(fault, "if it has its target built in"); got != c.want {
			t.Errorf("%+v: %s", c.checks, fault)
		}
	}
}
