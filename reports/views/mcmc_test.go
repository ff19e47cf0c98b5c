package views

import (
	"context"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/rank"
	"breadboard/grid/longtest"
	"breadboard/reports"
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
	return ran(t, samplers.Errors(), samplerProblems(t, s), samplers.ErrorsOptions{N: n})
}

// TestSamplersCorpus: the table of the small corpus.
func TestSamplersCorpus(t *testing.T) {
	c := longtest.Must(samplers.ReadCorpus("small"))(t)
	report := mcmc.SamplersCorpusReport(c, longtest.Must(c.Load(t.Context()))(t))
	goldenTable(t, "samplers_corpus.txt", report.Tables()[0].Table)
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
	return ran(t, samplers.Laws(), problems, o)
}

// TestTimesLieOnTheirCurves: each mark is a point of its line, in evaluations, of which independent
// draws from nine states take nine, and in moves beside a kernel without any.
func TestTimesLieOnTheirCurves(t *testing.T) {
	for _, names := range [][]string{{"metropolis", "heatbath", "exact", "temper:3"}, {"exact", "stay"}} {
		s := samplers.Selection{Toys: []string{"random:2:7:3x3"}, Kernels: names, Starts: []string{"uniform"}, Tempering: true}
		o := samplers.TimesOptions{MI: 0.01, TV: 0.01, Curves: true}
		f := longtest.Must(mcmc.SamplerTimesReport(ran(t, samplers.Times(), samplerProblems(t, s), o)).Figures()[0].Draw())(t)
		marks, last := 0, map[string]float64{}
		for _, row := range f.Data.Rows {
			name, is := strings.CutSuffix(row[1].(string), ", the time")
			of := ", mixing"
			if !is {
				name, is = strings.CutSuffix(row[1].(string), ", burn-in time")
				of = ", burn-in"
			}
			if !is {
				last[row[1].(string)] = row[6].(float64)
				continue
			}
			marks++
			if !slices.ContainsFunc(f.Data.Rows, func(at []any) bool { return at[1] == name+of && at[3] == row[3] && at[6] == row[6] }) {
				t.Errorf("the mark of %s at %v is on no line", row[1], row[3])
			}
			if want := map[bool]float64{true: 9, false: 1}[len(names) > 2]; strings.HasPrefix(name, "exact") && row[3] != want {
				t.Errorf("independent draws take %v, want %v", row[3], want)
			}
		}
		if want := map[int]int{4: 7, 2: 2}[len(names)]; marks != want || last["exact, mixing"] != 0.001 {
			t.Errorf("%d marks, want %d; the last points are %v", marks, want, last)
		}
	}
}

// ranked runs the study of kernels at equal work.
func ranked(t *testing.T, toys, kernels string, budget float64) []rank.Row {
	t.Helper()
	contest := longtest.Must(rank.NewContest(context.Background(), samplers.Selection{
		Toys: strings.Split(toys, ","), Kernels: strings.Split(kernels, ","), Starts: []string{"uniform"},
	}))(t)
	return ran(t, rank.Study(), []rank.Contest{*contest}, rank.Options{Budget: budget, Chains: 8, Drop: []float64{0.1, 0.5}})
}

// TestSamplersRank: the leaderboard, the winners, the whole table and the figures.
func TestSamplersRank(t *testing.T) {
	longtest.Only(t)
	rows := ranked(t, "easy,barrier,random:5:2:5x5", "metropolis,jump:0.1,heatbath-scan", 2000)
	report := mcmc.SamplersRankReport(rows)
	tables := report.Tables()
	if tables[0].Place != reports.AmongResults || tables[1].Place != reports.BesideResults {
		t.Errorf("the tables have the places %v and %v", tables[0].Place, tables[1].Place)
	}
	goldenTable(t, "samplers_rank.txt", tables[0].Table)
	goldenTable(t, "samplers_rank_winners.txt", tables[1].Brief)
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
	longtest.Must(mcmc.SamplersRankFigure(rows))(t)
	if text := reporttest.Write(t, mcmc.SamplersWinners(rows), table.Text); !strings.Contains(text, "metropolis, heatbath") ||
		!strings.Contains(text, "function") {
		t.Errorf("the winners are\n%s", text)
	}
}
