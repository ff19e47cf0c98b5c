package views

import (
	"context"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"breadboard/experiments/samplers"
	"breadboard/experiments/study"

	"breadboard/grid/longtest"
	"breadboard/reports/figure"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/mcmc"
)

// lawsRows runs the study of the laws of means, of chains from the uniform start.
func lawsRows(t *testing.T, toy, kernels, functions string, o samplers.LawsOptions) []samplers.LawsRow {
	t.Helper()
	problems := longtest.Must(samplers.Selection{
		Toys: []string{toy}, Kernels: strings.Split(kernels, ","), Starts: []string{"uniform"}, Functions: strings.Split(functions, ","),
	}.Problems(context.Background()))(t)
	return longtest.Must(samplers.Laws().Run(context.Background(), problems, o, study.How{}))(t)
}

// TestSamplersLaws: the table, and a figure of each kind.
func TestSamplersLaws(t *testing.T) {
	longtest.NotShort(t)
	rows := lawsRows(t, "barrier:5x5", "metropolis,heatbath", "x0,mode", samplers.LawsOptions{N: []int{10, 20}, Chains: 3, RHatLaws: true})
	reporttest.Golden(t, "samplers_laws.txt", []byte(reporttest.Write(t, mcmc.SamplersLaws(rows), table.Text)))
	report := mcmc.SamplersLawsReport(rows)
	if len(report.Figures()) != 3 {
		t.Fatalf("%d figures", len(report.Figures()))
	}
	for _, drawn := range report.Figures() {
		f := reporttest.Drawn(t, drawn, "")
		if f.Name != "samplers_laws_rhat" {
			continue
		}
		for _, style := range []figure.Style{{}, {Width: 3.25 * vg.Inch}} { // the limit 1.01 and both bars of constant chains have labels in both panels
			for _, label := range []string{"1.01", "inf", "none"} {
				if n := strings.Count(string(reporttest.SVG(t, f.In(style))), ">"+label+"<"); n != 2 {
					t.Errorf("%v in wide: %d labels %s at the axes of R-hat", style.Width/vg.Inch, n, label)
				}
			}
		}
	}
	want := "toy,kernel,start,warmup,function,N,chains,ress_mean,tau,p_success,bracket_low,bracket_high,p_success_gaussian,p_success_var,p_success_var_low,p_success_var_high,p_success_ks,p_success_ks_low,p_success_ks_high,coverage_95," +
		"ress_q05_low,ress_q05_high,ress_median_low,ress_median_high,ress_q95_low,ress_q95_high," +
		"essd_q05_low,essd_q05_high,essd_median_low,essd_median_high,essd_q95_low,essd_q95_high," +
		"p_rhat_below_1_1,p_rhat_below_1_01,p_assured_and_wrong_1_1,p_assured_and_wrong_1_01,p_constant,p_constant_and_wrong,p_infinite,p_wrong,note"
	reporttest.Columns(t, mcmc.SamplersLaws(rows), want)
}

// TestSamplersLawsNotes: what has no law says so, and figures without anything to show are left out with a reason.
func TestSamplersLawsNotes(t *testing.T) {
	rows := lawsRows(t, "easy", "heatbath-axis:0", "x0", samplers.LawsOptions{N: []int{3}, Chains: 2})
	report := mcmc.SamplersLawsReport(rows)
	if notes := report.Notes(); len(notes) != 1 || !strings.HasPrefix(notes[0].Error(), "toy easy, kernel heatbath-axis:0: the chain never leaves the class") {
		t.Errorf("notes %v", notes)
	}
	if twice := mcmc.SamplersLawsReport(append(rows, rows...)); len(twice.Notes()) != 1 {
		t.Errorf("the note of a kernel is said %d times", len(twice.Notes()))
	}
	for i, want := range []string{"", "with the values 0 and 1", "at least two numbers of samples"} {
		_, err := report.Figures()[i].Draw()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("figure %d: %v, want %q", i, err, want)
		}
	}
	if _, err := mcmc.SamplersMeanFigure(nil); err == nil {
		t.Error("a figure of nothing")
	}
}
