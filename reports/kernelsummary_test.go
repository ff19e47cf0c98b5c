package reports

import (
	"math"
	"testing"

	"breadboard/experiments/kernelcheck"
	"breadboard/toys"
)

// TestKernelSummary: it has no line about what is known for no toy, as where a program cannot be started.
func TestKernelSummary(t *testing.T) {
	toy := func(name string) *toys.Toy {
		parsed, err := toys.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	var broken, known kernelcheck.Row
	broken.Toy, known.Toy = toy("easy"), toy("hard")
	broken.Findings = []kernelcheck.Finding{{Name: "program", Verdict: kernelcheck.Fault, Value: math.NaN()}, {Name: "J_metropolis", Value: 0.125}}
	known.Findings = []kernelcheck.Finding{{Name: "spectral_gap", Value: 0.5}, {Name: "J", Value: 0.25}}
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
	} {
		if got := kernelSummary("mine", c.checks, plain); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}
