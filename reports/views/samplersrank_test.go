package views

import (
	"context"
	"strings"
	"testing"

	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/rank"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/mcmc"
)

// ranked runs the study of kernels at equal work.
func ranked(t *testing.T, toys, kernels string, budget float64) []rank.Row {
	t.Helper()
	contest := longtest.Must(rank.NewContest(context.Background(), samplers.Selection{
		Toys: strings.Split(toys, ","), Kernels: strings.Split(kernels, ","), Starts: []string{"uniform"},
	}))(t)
	return longtest.Must(rank.Study().Run(context.Background(), []rank.Contest{*contest}, rank.Options{Budget: budget, Chains: 8, Drop: []float64{0.1, 0.5}}, study.How{}))(t)
}

// TestSamplersRank: the leaderboard, the winners, the whole table and the figures.
func TestSamplersRank(t *testing.T) {
	longtest.NotShort(t)
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

// TestSamplersRankOfOne: one kernel on one target has a leaderboard, and its figures say what is missing.
func TestSamplersRankOfOne(t *testing.T) {
	longtest.NotShort(t)
	rows := ranked(t, "easy", "metropolis", 50)
	report := mcmc.SamplersRankReport(rows)
	for i, want := range []string{"at least two targets", "at least two kernels"} {
		if _, err := report.Figures()[i].Draw(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if text := reporttest.Write(t, report.Tables()[1].Brief, table.Text); strings.Contains(text, "next best") || !strings.Contains(text, "metropolis") {
		t.Errorf("the winners are\n%s", text)
	}
}

// TestSamplersRankLeftOut: a kernel that does not compete on some targets has a note, and the table has no rows of it there.
func TestSamplersRankLeftOut(t *testing.T) {
	longtest.NotShort(t)
	rows := ranked(t, "random:0:0:2,graph:permutations:3:random:1:3", "metropolis,heatbath", 50)
	report := mcmc.SamplersRankReport(rows)
	if notes := report.Notes(); len(notes) != 2 || !strings.Contains(notes[0].Error(), "each chain has 50 evaluations of log f, starts from uniform and estimates x0 or g") ||
		!strings.Contains(notes[1].Error(), "kernel heatbath does not compete on graph:permutations:3:random:1:3") {
		t.Errorf("notes %v", notes)
	}
	if n := len(report.Tables()[1].Rows); n != 3 {
		t.Errorf("%d rows", n)
	}
	if _, err := mcmc.SamplersRankFigure(rows); err != nil {
		t.Error(err)
	}
	if text := reporttest.Write(t, mcmc.SamplersWinners(rows), table.Text); !strings.Contains(text, "metropolis, heatbath") || !strings.Contains(text, "function") {
		t.Errorf("the winners are\n%s", text)
	}
}
