package views

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"breadboard/chains/number"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/rank"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/figure"
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
	return longtest.Must(study.Run(context.Background(), samplers.Errors(), samplerProblems(t, s), samplers.ErrorsOptions{N: n}, study.How{}))(t)
}

func TestSamplerErrors(t *testing.T) {
	longtest.Only(t)
	s := samplers.Selection{Toys: []string{"barrier"}, Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform", "target", "mode"},
		Functions: []string{"x0", "all"}}
	rows := samplerErrorsRows(t, s, 1, 10, 100, 1000)
	reporttest.Golden(t, "samplers_errors.txt", []byte(reporttest.Write(t, mcmc.SamplerErrors(rows), table.Text)))
	const want = "toy,kernel,start,function,N,work,mean,sd,kurtosis,tau,bias_mean,mse_mean,mse_mean_stationary,ress_mean,ress_mean_stationary,bias_var,mse_var,R_var,R_var_paper,ress_var," +
		"ress_of_constant,cvm,R_cvm,ress_cvm,ks2,ks2_lower,ks2_upper,R_ks,R_ks_paper,ress_ks,eff,work_per_ress,N_over_tau,stationary_share,method,rounding,note,warmup"
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
			reporttest.Figure(t, f.Name, f)
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
		nan := number.Exactly(math.NaN())
		none[i].MSE, none[i].MSEStationary, none[i].MSEVariance, none[i].CvM = nan, nan, nan, nan
	}
	longtest.Refuses(mcmc.SamplerErrorsReport(none).Figures()[0].Draw())(t, "no row has numbers for ress_mean")
}

// TestSamplerErrorsMachines: numbers that there cannot be, and those that are not known, are empty.
func TestSamplerErrorsMachines(t *testing.T) {
	s := samplers.Selection{Toys: []string{"barrier:3x3"}, Kernels: []string{"barker"}, Starts: []string{"target"}, Functions: []string{"x0", "all"}}
	rows := samplerErrorsRows(t, s, 1, 5)
	rows[1].Work = math.NaN()
	var cells []map[string]any
	longtest.NoError(t, json.Unmarshal([]byte(reporttest.Write(t, mcmc.SamplerErrors(rows), table.JSON)), &cells))
	if cells[0]["mse_var"] != nil || cells[0]["ress_var"] != nil || cells[0]["work"] != 1.0 || cells[1]["work"] != nil || cells[1]["work_per_ress"] != nil {
		t.Errorf("%v\n%v", cells[0], cells[1])
	}
	if cells[3]["mean"] != nil || cells[3]["R_var_paper"] != 4.0 || cells[1]["R_var_paper"] != 2.0 || cells[1]["R_ks_paper"] != math.Pi*math.Pi/12 {
		t.Errorf("%v", cells[3])
	}
	for i := range rows {
		rows[i].MSEVariance = number.Exactly(math.NaN())
	}
	if text := reporttest.Write(t, mcmc.SamplerErrors(rows), table.Text); strings.Contains(text, "RESS var") || strings.Contains(text, "constant") ||
		!strings.Contains(text, "RESS CvM") {
		t.Errorf("people see a column that is empty:\n%s", text)
	}
}

// TestSamplerErrorsShowKolmogorovSmirnov: people see the real effective sample size of the
// Kolmogorov-Smirnov distance where all rows know it, and beside no columns of the variance if any
// row does, in every format that they read.
func TestSamplerErrorsShowKolmogorovSmirnov(t *testing.T) {
	longtest.Only(t)
	s := samplers.Selection{Toys: []string{"easy"}, Kernels: []string{"metropolis"}, Starts: []string{"target"}, Functions: []string{"x0"}}
	rows := samplerErrorsRows(t, s, 1, 10, 10_000)
	distribution := longtest.Must(study.Run(context.Background(), samplers.Errors(), samplerProblems(t, s),
		samplers.ErrorsOptions{N: []int64{1, 10, 10_000}, Estimates: []string{"distribution"}}, study.How{}))(t)
	for _, format := range []table.Format{table.Text, table.Markdown, table.LaTeX} {
		for _, some := range [][]samplers.ErrorsRow{rows[:2], distribution} {
			if out := reporttest.Write(t, mcmc.SamplerErrors(some), format); !strings.Contains(out, "RESS KS") || !strings.Contains(out, "1.219") ||
				strings.Contains(out, "NaN") {
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

// TestSamplerErrorsTitles: a report shows the columns that have a title, and so takes them from a
// table without rows.
func TestSamplerErrorsTitles(t *testing.T) {
	for _, schema := range SchemasOf("samplers errors") {
		for _, c := range schema.Columns {
			if slices.Contains([]string{"ress_mean", "ress_var", "ress_cvm", "ress_ks"}, c.Name) && c.Title == "" {
				t.Errorf("%s has no title", c.Name)
			}
		}
	}
}

// TestSamplersCorpus: the table of the small corpus.
func TestSamplersCorpus(t *testing.T) {
	c := longtest.Must(samplers.ReadCorpus("small"))(t)
	report := mcmc.SamplersCorpusReport(c, longtest.Must(c.Load(t.Context()))(t))
	reporttest.Golden(t, "samplers_corpus.txt", []byte(reporttest.Write(t, report.Tables()[0].Table, table.Text)))
	if notes := reporttest.Notes(report); notes != "corpus small: 10 targets" {
		t.Errorf("%q", notes)
	}
}

// lawsRows runs the study of the distributions of means, of chains from the uniform start.
func lawsRows(t *testing.T, toy, kernels, functions string, o samplers.LawsOptions) []samplers.LawsRow {
	t.Helper()
	problems := longtest.Must(samplers.Selection{
		Toys: []string{toy}, Kernels: strings.Split(kernels, ","), Starts: []string{"uniform"}, Functions: strings.Split(functions, ","),
	}.Problems(context.Background()))(t)
	return longtest.Must(study.Run(context.Background(), samplers.Laws(), problems, o, study.How{}))(t)
}

// TestSamplersLaws: the table, and a figure of each kind.
func TestSamplersLaws(t *testing.T) {
	longtest.Only(t)
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

// TestSamplersLawsNotes: what has no distribution says so, and figures without anything to show are
// left out with a reason.
func TestSamplersLawsNotes(t *testing.T) {
	rows := lawsRows(t, "easy", "heatbath-axis:0", "x0", samplers.LawsOptions{N: []int{3}, Chains: 2})
	report := mcmc.SamplersLawsReport(rows)
	if notes := report.Notes(); len(notes) != 1 || !strings.HasPrefix(notes[0].Error(), "toy easy, kernel heatbath-axis:0: the chain never leaves the class") {
		t.Errorf("notes %v", notes)
	}
	if twice := mcmc.SamplersLawsReport(append(rows, rows...)); len(twice.Notes()) != 1 {
		t.Errorf("the note of a kernel is said %d times", len(twice.Notes()))
	}
	for i, want := range []string{"", "with the values 0 and 1", "at two values of N"} {
		_, err := report.Figures()[i].Draw()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("figure %d: %v, want %q", i, err, want)
		}
	}
	longtest.Refuses(mcmc.SamplersLawsReport(nil).Figures()[0].Draw())(t, "there are no rows")
}

func TestSamplerTimes(t *testing.T) {
	longtest.Only(t)
	s := samplers.Selection{Toys: []string{"easy", "barrier"}, Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform", "mode"}}
	o := samplers.TimesOptions{MI: 0.01, TV: 0.02, Curves: true}
	rows := longtest.Must(study.Run(context.Background(), samplers.Times(), samplerProblems(t, s), o, study.How{}))(t)
	reporttest.Golden(t, "samplers_times.txt", []byte(reporttest.Write(t, mcmc.SamplerTimes(rows), table.Text)))
	reporttest.Columns(t, mcmc.SamplerTimes(rows), "toy,kernel,start,mixing_mi,burn_in_tv,mixing_error,burn_in_error,mi,tv,note,warmup")
	figures := mcmc.SamplerTimesReport(rows).Figures()
	if len(figures) != 2 {
		t.Fatalf("%d figures", len(figures))
	}
	reporttest.Drawn(t, figures[1], "")
	rows[0].Mixing.Moves, rows[0].Mixing.Note = math.Inf(1), "it never does"
	rows[1].Mixing = rows[0].Mixing
	if text := reporttest.Write(t, mcmc.SamplerTimes(rows), table.Text); !strings.Contains(text, "never") {
		t.Errorf("an infinite time:\n%s", text)
	}
	if text := reporttest.Write(t, mcmc.SamplerTimes(rows), table.JSON); !strings.Contains(text, `"mixing_mi": "+Inf"`) {
		t.Errorf("an infinite time:\n%s", text)
	}
	report := mcmc.SamplerTimesReport(rows)
	if n := report.Notes(); len(n) != 1 || n[0].Error() != "toy easy, kernel metropolis: mixing: it never does" {
		t.Errorf("notes %v", n)
	}
	if _, err := report.Figures()[0].Draw(); err != nil {
		t.Errorf("a time that is infinite: %v", err)
	}
	rows[0].Curve = nil
	if n := len(mcmc.SamplerTimesReport(rows[:1]).Figures()); n != 0 {
		t.Errorf("%d figures without curves", n)
	}
}

// ranked runs the study of kernels at equal work.
func ranked(t *testing.T, toys, kernels string, budget float64) []rank.Row {
	t.Helper()
	contest := longtest.Must(rank.NewContest(context.Background(), samplers.Selection{
		Toys: strings.Split(toys, ","), Kernels: strings.Split(kernels, ","), Starts: []string{"uniform"},
	}))(t)
	return longtest.Must(study.Run(context.Background(), rank.Study(), []rank.Contest{*contest},
		rank.Options{Budget: budget, Chains: 8, Drop: []float64{0.1, 0.5}}, study.How{}))(t)
}

// TestSamplersRank: the leaderboard, the winners, the whole table and the figures.
func TestSamplersRank(t *testing.T) {
	longtest.Only(t)
	rows := ranked(t, "easy,barrier,random:5:2:5x5", "metropolis,jump:0.1,heatbath-scan", 2000)
	report := mcmc.SamplersRankReport(rows)
	tables := report.Tables()
	if len(tables) != 2 || tables[0].Place != reports.AmongResults || tables[1].Place != reports.BesideResults {
		t.Fatalf("%d tables", len(tables))
	}
	reporttest.Golden(t, "samplers_rank.txt", []byte(reporttest.Write(t, tables[0].Table, table.Text)))
	reporttest.Golden(t, "samplers_rank_winners.txt", []byte(reporttest.Write(t, tables[1].Brief, table.Text)))
	for i, want := range []string{
		"kernel,examples,mean_rank,wins,ness_mean,ness_mean_median,ness_var,ness_var_median,ness_cvm,ness_cvm_median,p_success,p_success_var," +
			"share_ress_12_mean,share_ress_12_var,share_ress_12_cvm,mean_rank_var,wins_var,mean_rank_cvm,wins_cvm,eff_median,drop_gain_median,drop_pays",
		"toy,kernel,start,warmup,function,N,work,median_N,competitors,ress_mean,ness_mean,rank_mean,ress_var,ness_var,rank_var,ress_cvm,ness_cvm,rank_cvm," +
			"eff,p_success,p_success_by,p_success_var,p_success_var_by,p_success_ks,dropped,drop_gain",
	} {
		if header, _, _ := strings.Cut(reporttest.Write(t, tables[i].Table, table.CSV), "\n"); header != want {
			t.Errorf("columns %s, want %s", header, want)
		}
	}
	for _, drawn := range report.Figures() {
		reporttest.Drawn(t, drawn, "")
	}
}

// TestSamplersRankOfOne: one kernel on one target has a leaderboard, and its figures say what is
// missing.
func TestSamplersRankOfOne(t *testing.T) {
	longtest.Only(t)
	rows := ranked(t, "easy", "metropolis", 50)
	report := mcmc.SamplersRankReport(rows)
	for i, want := range []string{"at least two targets", "at least two kernels"} {
		longtest.Refuses(report.Figures()[i].Draw())(t, want)
	}
	if text := reporttest.Write(t, report.Tables()[1].Brief, table.Text); strings.Contains(text, "next best") || !strings.Contains(text, "metropolis") {
		t.Errorf("the winners are\n%s", text)
	}
}

// TestSamplersRankLeftOut: a kernel that does not compete on some targets has a note, and the table
// has no rows of it there.
func TestSamplersRankLeftOut(t *testing.T) {
	longtest.Only(t)
	rows := ranked(t, "random:0:0:2,graph:permutations:3:random:1:3", "metropolis,heatbath", 50)
	report := mcmc.SamplersRankReport(rows)
	if notes := report.Notes(); len(notes) != 2 || !strings.Contains(notes[0].Error(),
		"each chain has 50 evaluations of log f, starts from uniform and estimates x0 or g") ||
		!strings.Contains(notes[1].Error(), "kernel heatbath does not compete on graph:permutations:3:random:1:3") {
		t.Errorf("notes %v", notes)
	}
	if n := len(report.Tables()[1].Rows); n != 3 {
		t.Errorf("%d rows", n)
	}
	if _, err := mcmc.SamplersRankFigure(rows); err != nil {
		t.Error(err)
	}
	if text := reporttest.Write(t, mcmc.SamplersWinners(rows), table.Text); !strings.Contains(text, "metropolis, heatbath") ||
		!strings.Contains(text, "function") {
		t.Errorf("the winners are\n%s", text)
	}
}
