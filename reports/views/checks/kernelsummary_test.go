package checks

import (
	"math"
	"testing"

	"breadboard/experiments/kernelcheck"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestKernelSummary: it has no line about what is known for no toy, as where a program cannot be started.
func TestKernelSummary(t *testing.T) {
	toy := func(name string) *toys.Toy {
		parsed := longtest.Must(toys.Parse(name))(t)
		return parsed
	}
	finds := func(name string, v check.Verdict, value float64) kernelcheck.Finding {
		return kernelcheck.Finding{Finding: check.Finding{Name: name, Verdict: v, Value: value}}
	}
	var broken, known kernelcheck.Row
	broken.Toy, known.Toy = toy("easy"), toy("hard")
	broken.Findings = []kernelcheck.Finding{finds("program", check.Fault, math.NaN()), finds("J_metropolis", check.Note, 0.125)}
	known.Findings = []kernelcheck.Finding{finds("spectral_gap", check.Note, 0.5), finds("J", check.Note, 0.25)}
	stuck := kernelcheck.Row{Toy: toy("hard"), Betas: []float64{1}, Findings: []kernelcheck.Finding{
		finds("irreducible", check.Note, 2), finds("J", check.Note, 3), finds("J_floor", check.Note, 2.5),
	}}
	stuck.Findings[0].Beta, stuck.Findings[0].Where = 1, "2 classes of states"
	plain := func(s string) string { return s }
	for _, c := range []struct {
		checks []kernelcheck.Row
		want   string
	}{
		{[]kernelcheck.Row{broken}, "fault: kernel mine on easy at beta : 0 pass, 1 fault, 0 open\n"},
		{[]kernelcheck.Row{broken, known}, `fault: kernel mine on easy, hard at beta : 0 pass, 1 fault, 0 open
at the largest beta: spectral gap unknown (easy), 0.5 (hard); autocorrelation time of g unknown moves
annealing: J unknown (easy), 0.25 (hard) nats, and with the paper's kernel 0.125 (easy), unknown (hard)
`},
		{[]kernelcheck.Row{stuck}, `open: kernel mine on hard at beta 1: 0 pass, 0 fault, 0 open
there on hard are 2 classes of states: no chain sees them all
annealing: J 3 nats (never below 2.5, whatever T is), and with the paper's kernel unknown
`},
	} {
		if got := kernelSummary("mine", c.checks, plain); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

// TestBuiltIn: a kernel that is wrong at every beta but 1 is told from one that is wrong elsewhere too, and from one that was seen at 1 alone.
func TestBuiltIn(t *testing.T) {
	at := func(betas []float64, wrong ...float64) kernelcheck.Row {
		k := kernelcheck.Row{Betas: betas}
		for _, beta := range append(wrong, math.NaN()) { // NaN is that of the annealing
			k.Findings = append(k.Findings, kernelcheck.Finding{Beta: beta, Finding: check.Finding{Verdict: check.Fault}})
		}
		return k
	}
	all := []float64{0, 0.5, 1}
	for _, c := range []struct {
		checks []kernelcheck.Row
		want   bool
	}{
		{nil, false},
		{[]kernelcheck.Row{at(all, 0, 0.5)}, true},
		{[]kernelcheck.Row{at(all, 0, 0.5), at(all, 0, 0.5, 1)}, false},
		{[]kernelcheck.Row{at(all, 0.5)}, false},
		{[]kernelcheck.Row{at([]float64{1})}, false},
		{[]kernelcheck.Row{at([]float64{0, 0.5}, 0, 0.5)}, false},
	} {
		if got := builtIn(c.checks); got != c.want {
			t.Errorf("%+v: %v", c.checks, got)
		}
	}
}
