package views

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/samplers"
	"breadboard/experiments/study"

	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/mcmc"
)

// samplerProblems builds the problems of a selection.
func samplerProblems(t *testing.T, s samplers.Selection) []samplers.Problem {
	t.Helper()
	return longtest.Must(s.Problems(context.Background()))(t)
}

// samplerErrorsRows runs the study of the errors of samplers.
func samplerErrorsRows(t *testing.T, s samplers.Selection, n ...int64) []samplers.ErrorsRow {
	t.Helper()
	return longtest.Must(samplers.Errors().Run(context.Background(), samplerProblems(t, s), samplers.ErrorsOptions{N: n}, study.How{}))(t)
}

func TestSamplerErrors(t *testing.T) {
	longtest.NotShort(t)
	s := samplers.Selection{Toys: []string{"barrier"}, Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform", "target", "mode"}, Functions: []string{"x0", "all"}}
	rows := samplerErrorsRows(t, s, 1, 10, 100, 1000)
	reporttest.Golden(t, "samplers_errors.txt", []byte(reporttest.Write(t, mcmc.SamplerErrors(rows), table.Text)))
	const want = "toy,kernel,start,function,N,work,mean,sd,kurtosis,tau,bias_mean,mse_mean,mse_mean_stationary,ress_mean,ress_mean_stationary,bias_var,mse_var,R_var,R_var_paper,ress_var," +
		"ress_of_constant,cvm,R_cvm,ress_cvm,ks2,ks2_lower,ks2_upper,R_ks,R_ks_paper,ress_ks,eff,work_per_ress,method,rounding,note,warmup"
	reporttest.Columns(t, mcmc.SamplerErrors(rows), want)
	report := mcmc.SamplerErrorsReport(rows)
	if len(report.Figures()) != 2 {
		t.Fatalf("%d figures", len(report.Figures()))
	}
	for i, function := range []string{"x0", "all"} {
		f := longtest.Must(report.Figures()[i].Draw())(t)
		if f.Name != "samplers_errors_barrier_"+function {
			t.Errorf("a figure is called %s", f.Name)
		}
		if i == 0 {
			reporttest.Golden(t, f.Name+".svg", reporttest.SVG(t, f))
		}
	}
	if notes := reporttest.Notes(report); strings.Count(notes, "N = 1: a single sample has no variance") != 1 || strings.Count(notes, "ESSD") != 1 {
		t.Errorf("notes\n%s", notes)
	}
	one := mcmc.SamplerErrorsReport(samplerErrorsRows(t, s, 10))
	f := longtest.Must(one.Figures()[0].Draw())(t)
	reporttest.CheckLayout(t, f)
	none := samplerErrorsRows(t, s, 10)
	for i := range none {
		none[i].MSE, none[i].MSEVariance, none[i].CvM = math.Inf(1), math.NaN(), math.NaN()
	}
	if _, err := mcmc.SamplerErrorsFigure("none", none); err == nil || !strings.Contains(err.Error(), "no real effective sample size") {
		t.Errorf("no RESS is drawn: %v", err)
	}
}

// TestSamplerErrorsMachines: numbers that there cannot be are empty, and those that are not known are NaN.
func TestSamplerErrorsMachines(t *testing.T) {
	s := samplers.Selection{Toys: []string{"barrier:3x3"}, Kernels: []string{"barker"}, Starts: []string{"target"}, Functions: []string{"x0", "all"}}
	rows := samplerErrorsRows(t, s, 1, 5)
	rows[1].Work = math.NaN()
	var cells []map[string]any
	longtest.NoError(t, json.Unmarshal([]byte(reporttest.Write(t, mcmc.SamplerErrors(rows), table.JSON)), &cells))
	if cells[0]["mse_var"] != "NaN" || cells[0]["ress_var"] != "NaN" || cells[0]["work"] != 1.0 || cells[1]["work"] != nil || cells[1]["work_per_ress"] != nil {
		t.Errorf("%v\n%v", cells[0], cells[1])
	}
	if cells[3]["mean"] != nil || cells[3]["R_var_paper"] != 4.0 || cells[1]["R_var_paper"] != 2.0 || cells[1]["R_ks_paper"] != math.Pi*math.Pi/12 {
		t.Errorf("%v", cells[3])
	}
	for i := range rows {
		rows[i].MSEVariance = math.NaN()
	}
	if text := reporttest.Write(t, mcmc.SamplerErrors(rows), table.Text); strings.Contains(text, "RESS var") || strings.Contains(text, "constant") || !strings.Contains(text, "RESS CvM") {
		t.Errorf("people see a column that is empty:\n%s", text)
	}
}

// TestSamplerErrorsManyKernels: more kernels than a figure has columns go to further figures, with names of their own.
func TestSamplerErrorsManyKernels(t *testing.T) {
	s := samplers.Selection{
		Toys: []string{"random:1:0:2x2"}, Kernels: []string{"metropolis", "barker", "heatbath", "heatbath-scan", "lazy:0.5"}, Starts: []string{"target"}, Functions: []string{"x0"},
	}
	names := map[string]bool{}
	for _, part := range mcmc.SamplerErrorsReport(samplerErrorsRows(t, s, 2, 20)).Figures() {
		f := longtest.Must(part.Draw())(t)
		names[f.Name] = true
	}
	if !names["samplers_errors_random-1-0-2x2_x0_1"] || !names["samplers_errors_random-1-0-2x2_x0_2"] || len(names) != 2 {
		t.Errorf("figures %v", names)
	}
}

// TestSamplerErrorsShowKolmogorovSmirnov: people see the real effective sample size of the Kolmogorov-Smirnov distance where all rows know
// it, and beside no columns of the variance where any row does, in every format that they read.
func TestSamplerErrorsShowKolmogorovSmirnov(t *testing.T) {
	longtest.NotShort(t)
	s := samplers.Selection{Toys: []string{"easy"}, Kernels: []string{"metropolis"}, Starts: []string{"target"}, Functions: []string{"x0"}}
	rows := samplerErrorsRows(t, s, 1, 10, 10_000)
	distribution := longtest.Must(samplers.Errors().Run(context.Background(), samplerProblems(t, s),
		samplers.ErrorsOptions{N: []int64{1, 10, 10_000}, Estimates: []string{"distribution"}}, study.How{}))(t)
	for _, format := range []table.Format{table.Text, table.Markdown, table.LaTeX} {
		for _, some := range [][]samplers.ErrorsRow{rows[:2], distribution} {
			if out := reporttest.Write(t, mcmc.SamplerErrors(some), format); !strings.Contains(out, "RESS KS") || !strings.Contains(out, "1.219") || strings.Contains(out, "NaN") {
				t.Errorf("%v:\n%s", format, out)
			}
		}
		for _, some := range [][]samplers.ErrorsRow{rows, rows[2:], distribution[2:]} {
			if out := reporttest.Write(t, mcmc.SamplerErrors(some), format); strings.Contains(out, "RESS KS") {
				t.Errorf("%v has a column for which there is no room, or in which no row has anything:\n%s", format, out)
			}
		}
	}
}

// TestSamplerErrorsTitles: a report shows the columns that have a title, and so takes them from a table without rows.
func TestSamplerErrorsTitles(t *testing.T) {
	for _, schema := range SchemasOf("samplers errors") {
		for _, c := range schema.Columns {
			if slices.Contains([]string{"ress_mean", "ress_var", "ress_cvm", "ress_ks"}, c.Name) && c.Title == "" {
				t.Errorf("%s has no title", c.Name)
			}
		}
	}
}
