package views

import (
	"context"
	"strings"
	"testing"

	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/diagnose"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"

	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/mcmc"
)

// samplersProblems builds the problems of two kernels on targets.
func samplersProblems(t *testing.T, targets ...string) []samplers.Problem {
	t.Helper()
	s := samplers.Selection{Toys: targets, Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform"}, Functions: []string{"x0"}}
	return longtest.Must(s.Problems(context.Background()))(t)
}

// TestSamplersCalibrate: the tables and the figure of the calibration, with simulated chains and without.
func TestSamplersCalibrate(t *testing.T) {
	longtest.NotShort(t)
	problems := samplersProblems(t, "easy", "barrier", "random:2:1:5x5")
	rows := longtest.Must(diagnose.Calibrate().Run(context.Background(), problems, diagnose.CalibrateOptions{N: []int{200}, Chains: 8, Seed: 1}, study.How{}))(t)
	report := mcmc.SamplersCalibrateReport(rows)
	all := ""
	for _, tables := range report.Tables() {
		all += reporttest.Write(t, tables.Content(), table.Text)
	}
	reporttest.Golden(t, "samplers_calibrate.txt", []byte(all+reporttest.Notes(report)+"\n"))
	reporttest.Drawn(t, report.Figures()[0], "samplers_calibrate.svg")
	reporttest.Columns(t, report.Tables()[0].Content(), "diagnostic,limit,chains,good,alarms_though_good,type_1,failing,quiet_though_failing,type_2")
	reporttest.Columns(t, report.Tables()[2].Content(), "toy,kernel,start,function,N,warmup,expected_ess,expected_ess_all,expected_rhat_basic,expected_geweke,ress_mean,ress_var,ress_cvm,ress_ks_low,ress_ks_high,"+
		"ess,ess_all,rhat_basic,geweke,chains_ress_mean,chains_ress_var,chains_ress_cvm,chains_ress_ks_low,chains_ress_ks_high,rhat_split,rhat_rank,geweke_median,essd")
}

// TestSamplersCalibrateExactAlone: without simulated chains there are the exact numbers alone, in one column of panels.
func TestSamplersCalibrateExactAlone(t *testing.T) {
	rows := longtest.Must(diagnose.Calibrate().Run(context.Background(), samplersProblems(t, "easy"), diagnose.CalibrateOptions{N: []int{50}}, study.How{}))(t)
	report := mcmc.SamplersCalibrateReport(rows)
	for _, tables := range report.Tables() {
		if text := reporttest.Write(t, tables.Content(), table.CSV); strings.Contains(text, "simulated") || strings.Contains(text, "essd") {
			t.Errorf("there are simulated chains in\n%s", text)
		}
	}
	if _, err := report.Figures()[0].Draw(); err != nil {
		t.Error(err)
	}
}

// TestSamplersMeta: the table of the meta-analysis and its figure.
func TestSamplersMeta(t *testing.T) {
	longtest.NotShort(t)
	problems := samplersProblems(t, "easy", "barrier", "random:2:1:5x5", "random:2:2:5x5", "ising:2x3:0.4")
	result := longtest.Must(diagnose.Meta().Run(context.Background(), problems, diagnose.MetaOptions{N: []int{100}, Label: diagnose.Exact, Repeats: 3, Seed: 1}, study.How{}))(t)
	report := mcmc.SamplersMetaReport(result)
	reporttest.Golden(t, "samplers_meta.txt", []byte(reporttest.Write(t, report.Tables()[0].Content(), table.Text)+reporttest.Notes(report)+"\n"))
	reporttest.Drawn(t, report.Figures()[0], "samplers_meta.svg")
	reporttest.Columns(t, report.Tables()[0].Content(), "method,label,mse,mse_se,p_mse,nll,nll_se,p_nll")
	one := longtest.Must(diagnose.Meta().Run(context.Background(), problems, diagnose.MetaOptions{N: []int{100}, Label: diagnose.ESSD, Chains: 4, Repeats: 1, Seed: 1}, study.How{}))(t)
	report = mcmc.SamplersMetaReport(one)
	if text := reporttest.Write(t, report.Tables()[0].Content(), table.CSV); !strings.Contains(text, "\nGP,essd,") {
		t.Errorf("the label is not in\n%s", text)
	}
	if !strings.Contains(reporttest.Notes(report), "one split has no standard errors") {
		t.Errorf("notes\n%s", reporttest.Notes(report))
	}
	if _, err := report.Figures()[0].Draw(); err != nil {
		t.Error(err)
	}
}
