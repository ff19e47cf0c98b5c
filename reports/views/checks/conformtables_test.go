package checks

import (
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/simulate"
	"breadboard/experiments"
	"breadboard/experiments/conform"
	"breadboard/experiments/conform/hypotheses"

	"breadboard/experiments/planted"
	"breadboard/experiments/samples"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/internal/conformtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/toys"
)

// blankOutcome is an outcome of a task without an annealing.
func blankOutcome() *conform.Outcome {
	return &conform.Outcome{Task: &conform.Task{Case: experiments.Case{Toy: toys.Easy()}}, Threshold: 1e7, Alpha: 1e-6}
}

// column returns the cells of a column by its name, or for people by its title, as text.
func column(t *testing.T, from *table.Table, name string) string {
	t.Helper()
	for i, c := range from.Columns {
		if c.Name == name || c.Name == "" && c.Title == name {
			var cells []string
			for _, row := range from.Rows {
				cells = append(cells, table.People(row[i], 4))
			}
			return strings.Join(cells, "|")
		}
	}
	t.Fatalf("no column %s", name)
	return ""
}

// TestConformBrief: people see a line, and those tests that do not pass. The line has the test that is the nearest to a fault.
func TestConformBrief(t *testing.T) {
	o := blankOutcome()
	o.Results = []conform.Result{
		{Test: "far", LogE: 3, LogThreshold: 20}, {Test: "near", LogE: 2, LogThreshold: 2 + math.Ln10}, {Test: "idle", LogE: 0, LogThreshold: 0.1, Idle: true},
	}
	plain := func(verdict string) string { return verdict }
	if got, want := conformSummary(o, plain), "open: 3 tests: 2 pass, 0 fault, 1 open; the largest e-value, of \"near\", is 0.1 of its threshold\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	o.Results[0].Fault = true
	if got, want := conformSummary(o, plain), "fault: 3 tests: 1 pass, 1 fault, 1 open\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := column(t, conformBrief(o), "test"); got != "far|idle" {
		t.Errorf("people see %s", got)
	}
	if text := written(t, ConformReport(o)); strings.Contains(text, "near") || !strings.Contains(text, "far") {
		t.Errorf("the report is\n%s", text)
	}
	if text := written(t, ConformReport(o).Whole()); !strings.Contains(text, "near") {
		t.Errorf("the whole report is\n%s", text)
	}
	o.Results = o.Results[2:]
	if got, want := conformSummary(o, plain), "open: 1 test: 0 pass, 0 fault, 1 open\n"; got != want || conformBrief(o) != nil {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestHypothesisVerdicts(t *testing.T) {
	o := blankOutcome()
	o.Sides = []conform.Side{{Named: []string{"a", "b"}, Telling: []conform.Telling{{Hypothesis: "b", KL: 0.5, Found: 100}, {Hypothesis: "c", KL: 0, Found: math.Inf(1)}}, Odds: []hypotheses.Odds{
		{Name: "a", Posterior: 0.4, LogOdds: 2 * math.Ln10}, {Name: "b", Posterior: 0.4}, {Name: "c", Posterior: 0.01, LogE: math.Inf(1)},
		{Name: "d", Posterior: 0.001}, {Name: "e", Posterior: 1e-4, LogOdds: math.NaN()}, {Name: hypotheses.Specification, LogE: math.Log(2e7)},
	}}, {Odds: []hypotheses.Odds{{Name: "a", LogE: math.Log(1e7)}}}}
	all := Hypotheses(o)
	for name, want := range map[string]string{
		"verdict":       "likeliest|cannot be told from the likeliest|refused|possible|unlikely|refused|likeliest, and refused",
		"log10_odds":    "2|0|0|0||0|0",
		"kl":            "|0.5|0||||",
		"chains_needed": "|100|+Inf||||",
	} {
		if got := column(t, all, name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := column(t, hypothesesTable(likelyHypotheses(conformHypotheses(o))), "hypothesis"); got != "a|b|c|d|the specification|a" {
		t.Errorf("people see %s", got)
	}
}

// TestConformGuarantees: there are those of both directions and of estimates, and people see none where there is a fault: a guarantee says
// what a pass means.
func TestConformGuarantees(t *testing.T) {
	o := blankOutcome()
	o.Results = []conform.Result{{Test: "forward x_T"}}
	o.Sides = []conform.Side{
		{Direction: chains.Forward, Guarantees: []conform.Guarantee{
			{Test: "x", Quantity: "P(x_T = 0)", KLLow: 1, KLHigh: 3}, {Test: "x", Quantity: "P(x_T = 1)", KLLow: 4, KLHigh: 2}, {Test: "x", Quantity: "P(x_T = 2)"}, {Test: "w", Quantity: "E[log w]"}}},
		{Direction: chains.Reverse, Guarantees: []conform.Guarantee{{Test: "x", Quantity: "P(x_T = 0)"}}},
	}
	o.Estimates = &conform.EstimatesOutcome{Guarantees: []conform.Guarantee{{Test: "estimates of Z", Quantity: "P(z <= 1)"}}}
	if got, of := column(t, Guarantees(o), "quantity"), column(t, Guarantees(o), "direction"); got != "P(x_T = 0)|P(x_T = 1)|P(x_T = 2)|E[log w]|P(x_T = 0)|P(z <= 1)" || of != "forward|forward|forward|forward|reverse|" {
		t.Errorf("%s of %s", got, of)
	}
	if n := len(Guarantees(o).Rows); n != 6 {
		t.Errorf("%d rows", n)
	}
	for _, fault := range []bool{false, true} {
		o.Results[0].Fault = fault
		for _, of := range ConformReport(o).Tables() {
			if of.Name == "guarantees" && (of.Place == reports.InFile) != fault {
				t.Errorf("fault %v: the guarantees have the place %v", fault, of.Place)
			}
		}
	}
}

// TestSingleMoves: single moves alone have a report without odds, and of the figures that of the e-values.
func TestSingleMoves(t *testing.T) {
	k := conformtest.ConformTask(t, "random:2:1:3x3", 4)
	a := k.Case.Annealing()
	for _, right := range []bool{true, false} {
		var kernel chains.Kernel = kernels.Metropolis{Space: k.Case.Toy.Space}
		if !right {
			kernel = planted.AlwaysAccepted{Space: k.Case.Toy.Space}
		}
		s := &conformtest.ChainSource{Label: "moves.csv", Has: samples.Columns{Transitions: true}}
		sampler := chains.NewSampler(simulate.NewStream(1, "moves", 0))
		logf := make([]float64, a.States())
		for i := range 2000 {
			stage := 2 + i%3
			a.LogF(logf, stage)
			x := i % a.States()
			s.All.Beta, s.All.From = append(s.All.Beta, a.Beta(stage)), append(s.All.From, int32(x))
			s.All.To = append(s.All.To, int32(kernel.Move(sampler, logf, x)))
			s.All.Rows++
		}
		o := conformtest.Conformed(t, k, conform.Input{Moves: s})
		r := ConformReport(o)
		if (r.Fault == nil) != right {
			t.Errorf("right %v: fault %v", right, r.Fault)
		}
		if text := written(t, r); !strings.Contains(text, "2000 single moves of the kernel were read") || strings.Contains(text, "hypothesis") {
			t.Errorf("the report is\n%s", text)
		}
		if _, err := EvidenceFigure(o); err != nil {
			t.Error(err)
		}
		for i, draw := range conformDrawings() {
			if _, err := draw(o); (err == nil) != (i == 1) {
				t.Errorf("figure %d: %v", i, err)
			}
		}
	}
}

// TestLogWeightsAlone: figures have what there is, and the notes say which columns may tell more.
func TestLogWeightsAlone(t *testing.T) {
	longtest.NotShort(t)
	k := conformtest.ConformTask(t, "random:2:1:3x3", 4)
	s := plantedChains(t, k, chains.Reverse, 3000, samples.Columns{LogW: true}, planted.LastIncrementOut)
	for i := range s.All.LogW {
		if i%3 == 0 {
			s.All.LogW[i] += 1e6 // far beyond what is drawn
		}
	}
	o := conformtest.Conformed(t, k, conform.Input{Reverse: s})
	for _, draw := range conformDrawings() {
		f := longtest.Must(draw(o))(t)
		if _, err := f.Encode("png"); err != nil {
			t.Error(err)
		}
		if text := string(reporttest.SVG(t, f)); f.Name == "conform_law" && !strings.Contains(text, "sent, 33% further to the right") {
			t.Errorf("what is not drawn is not said")
		}
	}
	if text := written(t, ConformReport(o)); !strings.Contains(text, "reverse: none of the known ways to get it wrong fits") {
		t.Errorf("the report is\n%s", text)
	}
	if _, err := EvidenceFigure(blankOutcome()); err == nil {
		t.Error("a figure of no tests")
	}
}
