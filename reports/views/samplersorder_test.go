package views

import (
	"context"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/rank"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/mcmc"
)

// orderResult runs the study of orders.
func orderResult(t *testing.T, toys []string, n ...int64) []rank.OrderRow {
	t.Helper()
	o := rank.OrderOptions{N: n, Lazy: []float64{0.5}, Thin: []int{2}}
	s := samplers.Selection{Toys: toys, Kernels: []string{"metropolis", "barker"}, Functions: []string{"g"}}
	problems := longtest.Must(s.Problems(context.Background()))(t)
	return longtest.Must(rank.Order().Run(context.Background(), problems, o, study.How{}))(t)
}

// TestSamplersOrder: people see the limit of each comparison and the worst number of samples, machines all rows; the notes say how many
// comparisons hold.
func TestSamplersOrder(t *testing.T) {
	longtest.NotShort(t)
	result := orderResult(t, []string{"random:4:1:4", "random:4:35:2x3"}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20)
	report := mcmc.SamplersOrderReport(result)
	if report.Fault != nil {
		t.Error(report.Fault)
	}
	tables := report.Tables()
	reporttest.Golden(t, "samplers_order.txt", []byte(reporttest.Write(t, tables[0].Table, table.Text)))
	csv := strings.Split(strings.TrimSpace(reporttest.Write(t, tables[0].Machines, table.CSV)), "\n")
	if want := "toy,check,kernel_1,kernel_2,function,N,error_1,error_2,ratio,rounding,verdict,note"; csv[0] != want {
		t.Errorf("columns %s, want %s", csv[0], want)
	}
	if want := 1 + 2*(12+2*(1+12)); len(csv) != want {
		t.Errorf("%d lines for machines, want %d", len(csv), want)
	}
	notes := reporttest.Notes(report)
	for _, want := range []string{
		"peskun: 2 comparisons hold in the limit; 2 of them fail at numbers of samples from 3 to 8, which is no fault", "lazy: 4 comparisons, no fault found", "thinning: 4 comparisons, no fault found",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q:\n%s", want, notes)
		}
	}
	figures := report.Figures()
	if len(figures) != 2 {
		t.Fatalf("%d figures", len(figures))
	}
	for i, name := range []string{"samplers_order_peskun.svg", "samplers_order_thinning.svg"} {
		reporttest.Drawn(t, figures[i], name)
	}
}

// TestSamplersOrderOfOneNumber: with one number of samples there is nothing to join.
func TestSamplersOrderOfOneNumber(t *testing.T) {
	for _, f := range mcmc.SamplersOrderReport(orderResult(t, []string{"random:4:1:4"}, 3)).Figures() {
		if _, err := f.Draw(); err == nil || !strings.Contains(err.Error(), "give at least two numbers of samples") {
			t.Errorf("it is drawn: %v", err)
		}
	}
}

// TestSamplersOrderFault: a row against a theorem is shown among the few for people, counted, and the fault of the report.
func TestSamplersOrderFault(t *testing.T) {
	result := orderResult(t, []string{"random:4:1:4"}, 1, 2, 3)
	at := slices.IndexFunc(result, func(r rank.OrderRow) bool { return r.Check == rank.Thinning && r.N == 1 })
	result[at].Verdict = rank.Faulty
	report := mcmc.SamplersOrderReport(result)
	if report.Fault == nil || !strings.Contains(report.Fault.Error(), "thinning, toy random:4:1:4, function g, at N = 1: kernel metropolis has") {
		t.Errorf("fault %v", report.Fault)
	}
	if notes := reporttest.Notes(report); !strings.Contains(notes, "thinning: 2 comparisons, 1 row against a theorem") {
		t.Error(notes)
	}
	if shown := reporttest.Write(t, report.Tables()[0].Table, table.CSV); !strings.Contains(shown, "repeat:2:metropolis,g,1,") || !strings.Contains(shown, ",fault,") {
		t.Error(shown)
	}
}

// TestSamplersOrderWithoutLimit: what could not be compared is counted, and one comparison is spoken of as one.
func TestSamplersOrderWithoutLimit(t *testing.T) {
	result := orderResult(t, []string{"random:4:1:4"}, 1, 2, 3)
	if notes := reporttest.Notes(mcmc.SamplersOrderReport(result)); !strings.Contains(notes, "peskun: 1 comparison holds in the limit; 1 of them fails at N = 3, which") ||
		strings.Contains(notes, "without a limit") {
		t.Error(notes)
	}
	for i := range result {
		if result[i].Limit() {
			result[i].Verdict = rank.Unknown
		}
	}
	if notes := reporttest.Notes(mcmc.SamplersOrderReport(result)); !strings.Contains(notes, "lazy: 2 comparisons, no fault found; 2 without a limit, as a kernel is reducible") {
		t.Error(notes)
	}
}

// TestWorstOrder: one sample, whose error is the same under all kernels, is not the worst number where there is another one.
func TestWorstOrder(t *testing.T) {
	for _, group := range mcmc.ComparisonsOf(orderResult(t, []string{"random:1:0:3"}, 1, 2, 50)) {
		if worst := mcmc.WorstOrder(group); group[0].Check == rank.Peskun && worst.N != 2 {
			t.Errorf("the worst N is %d", worst.N)
		}
	}
}
