package conform

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/experiments/eprocess"
	"breadboard/experiments/samples"
	"breadboard/grid/longtest"
)

// averages returns estimates of log Z: averages of the weights of ten forward chains, or of the inverse weights of ten reverse chains.
func averages(t *testing.T, l *Laws, d chains.Direction, n int) []float64 {
	t.Helper()
	const each = 10
	logW := many(t, l.task, d, n*each, 21).LogW
	sign := 1.0
	if d == chains.Reverse {
		sign = -1
	}
	var out []float64
	for i := 0; i < len(logW); i += each {
		some := make([]float64, each)
		for k := range some {
			some[k] = sign * logW[i+k]
		}
		out = append(out, sign*(floats.LogSumExp(some)-math.Log(each))+l.task.LogZ1)
	}
	return out
}

// TestDetectableEstimates: right estimates pass, and where they are moved to a mean that is said to be found they are; where the mean
// is nearer to the right one by half they are not. With a right law and the fixed seed this is no chance.
func TestDetectableEstimates(t *testing.T) {
	longtest.NotShort(t)
	l := smallLaws(t)
	n := longtest.Times(500, 3000)
	values := averages(t, l, chains.Forward, n)
	checked := func(by float64) *Outcome {
		moved := make([]float64, n)
		for i, v := range values {
			moved[i] = v + by
		}
		in := Input{Estimates: source(&samples.Batch{Rows: n, LogZ: moved}, samples.Columns{LogZ: true})}
		return checked(t, l, in, Options{LogZIncluded: true, Estimates: unbiased()})
	}
	pass := checked(0)
	d := pass.Estimates.Detectable
	if d == nil || !(d.Low < l.task.LogZT) || !(d.High > l.task.LogZT) || d.High-d.Low > 2 || d.Taken != min(n, mostTaken) {
		t.Fatalf("%+v", d)
	}
	mean := meanClaimed(eprocess.Unbiased, values)
	for _, end := range []float64{d.Low, d.High} {
		if out := checked(end - mean); !out.Fault() || out.Estimates.Detectable != nil {
			t.Errorf("a mean of %v is not found: %+v", end, out.Results)
		}
		if out := checked((end+l.task.LogZT)/2 - mean); out.Fault() {
			t.Errorf("the mean %v is found, halfway from %v to the right one", (end+l.task.LogZT)/2, end)
		}
	}
}

// TestEstimates: averages of annealed importance sampling pass for what is true of them, alone and beside chains, and are found
// for each claim that is not. By chance a run fails with a probability of at most 1e-6.
func TestEstimates(t *testing.T) {
	longtest.NotShort(t)
	l := smallLaws(t)
	n, off := 500, 1.2 // estimates that are off by so much are found
	if longtest.Enabled() {
		n, off = 3000, 0.2
	}
	forward, reverse := averages(t, l, chains.Forward, n), averages(t, l, chains.Reverse, n)
	moved := func(v []float64, by float64) []float64 {
		out := make([]float64, len(v))
		for i := range v {
			out[i] = v[i] + by
		}
		return out
	}
	unknown, least, most := math.NaN(), l.task.LogZT-3, l.task.LogZT+4
	for _, c := range []struct {
		name              string
		values            []float64
		claim             eprocess.Claim
		largest, smallest float64
		fault             bool
		untested          string
	}{
		{"forward", forward, eprocess.Unbiased, unknown, unknown, false, ""},
		{"forward, too high", moved(forward, off), eprocess.Unbiased, unknown, unknown, true, ""},
		{"forward, too low", moved(forward, -off), eprocess.Unbiased, unknown, unknown, true, ""},
		{"forward, too low, without a largest value", moved(forward, -off), eprocess.Unbiased, math.Inf(1), unknown, false, "whether the mean of the estimates is too low"},
		{"reverse as if unbiased", moved(reverse, min(off, 0.5)), eprocess.Unbiased, unknown, unknown, true, ""},
		{"forward", forward, eprocess.Lower, unknown, unknown, false, ""},
		{"forward, lower still", moved(forward, -off), eprocess.Lower, unknown, unknown, false, ""},
		{"forward, too high", moved(forward, off), eprocess.Lower, unknown, unknown, true, ""},
		{"reverse", reverse, eprocess.Upper, unknown, unknown, false, ""},
		{"reverse, higher still", moved(reverse, off), eprocess.Upper, unknown, unknown, false, ""},
		{"reverse, too low", moved(reverse, -off), eprocess.Upper, unknown, unknown, true, ""},
		{"forward", forward, eprocess.LowerOnAverage, unknown, least, false, ""},
		{"forward, too high", moved(forward, 2.5*off), eprocess.LowerOnAverage, unknown, least, true, ""},
		{"forward, too high, without a least value", moved(forward, 2.5*off), eprocess.LowerOnAverage, unknown, unknown, false, "whether the bound holds on average"},
		{"reverse", reverse, eprocess.UpperOnAverage, most, unknown, false, ""},
		{"reverse, too low", moved(reverse, -2.5*off), eprocess.UpperOnAverage, most, unknown, true, ""},
		{"one that is infinite", append(moved(forward, 0)[1:], math.Inf(1)), eprocess.Unbiased, unknown, unknown, true, ""},
		{"one that is zero", append(moved(forward, 0)[1:], math.Inf(-1)), eprocess.Unbiased, unknown, unknown, false, ""},
	} {
		what := string(c.claim) + ", " + c.name
		in := Input{Estimates: source(&samples.Batch{Rows: n, LogZ: c.values}, samples.Columns{LogZ: true})}
		o := Options{LogZIncluded: true, Estimates: Estimates{Claim: c.claim, Largest: c.largest, Smallest: c.smallest}}
		out := checked(t, l, in, o)
		if out.Fault() != c.fault || len(out.Results) != 1 || out.Results[0].Draws != n {
			t.Errorf("%s: fault: %v; %+v", what, out.Fault(), out.Results)
		}
		if e := out.Estimates; e == nil || e.Claim != c.claim || e.LogZ != l.task.LogZT || e.Source != "test" {
			t.Errorf("%s: %+v", what, e)
		}
		text := strings.Join(out.Untested, "\n")
		if (c.untested == "") != (text == "") || !strings.Contains(text, c.untested) {
			t.Errorf("%s: not tested: %q", what, out.Untested)
		}
	}
	// Beside right chains the estimates alone are the fault.
	in := Input{
		Forward:   source(many(t, l.task, chains.Forward, 2000, 1), short),
		Estimates: source(&samples.Batch{Rows: n, LogZ: moved(forward, off)}, samples.Columns{LogZ: true}),
	}
	out := checked(t, l, in, Options{Estimates: unbiased()})
	if found := out.faults(); len(found) != 1 || found[0].Test != "estimates of Z are unbiased" || out.Sides[0].Fault {
		t.Errorf("%+v", found)
	}
	for name, o := range map[string]Estimates{"no such claim": {Claim: "median"}, "a largest value below Z": {Claim: eprocess.Unbiased, Largest: l.task.LogZT - 5, Smallest: unknown}} {
		in := Input{Estimates: source(&samples.Batch{Rows: n, LogZ: forward}, samples.Columns{LogZ: true})}
		if _, err := l.Check(t.Context(), in, Options{Alpha: DefaultAlpha, Estimates: o}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
