package mcmc

import (
	"fmt"
	"strings"

	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/rank"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// SamplersRankReport returns the report of samplers at equal work: the leaderboard, the best
// sampler on each target, the whole table in a file, and figures.
func SamplersRankReport(rows []rank.Row) *reports.Report {
	r := reports.New("samplers_rank", SamplersLeaderboard(rank.Standings(rows)))
	r.Add(
		reports.Table{Name: "samplers_rank_rows", Table: table.New(rank.Study().Declaration.Columns, rows), Brief: SamplersWinners(rows),
			Place: reports.BesideResults},
		curves.Figure("Scores of each kernel over all targets", "no box plots", rows, samplersBoxesFigure),
		curves.Figure("Scores by target and kernel", "no map of the leaderboard", rows, SamplersRankFigure),
	)
	starts, functions := reports.Names(rows, func(r *rank.Row) string { return r.Start.Name }),
		reports.Names(rows, func(r *rank.Row) string { return r.Function.Name })
	r.Note("each chain has %v evaluations of log f, starts from %s and estimates %s", rows[0].Budget, strings.Join(starts, " or "),
		strings.Join(functions, " or "))
	for _, l := range rows[0].Contest.Excluded {
		targets := strings.Join(l.Targets, ", ")
		if len(l.Targets) > 3 {
			targets = strings.Join(l.Targets[:2], ", ") + fmt.Sprintf(" and %d others", len(l.Targets)-2)
		}
		r.Note("kernel %s does not compete on %s: %v", l.Kernel, targets, l.Why)
	}
	return r
}

// SamplersLeaderboard returns the table of the standings.
func SamplersLeaderboard(standings []rank.Standing) *table.Table {
	var fields columns.List
	add := func(name string, kind table.Type, title string, digits int, meaning string, of func(*rank.Standing) any) {
		fields = append(fields, columns.Any(name, title, kind, meaning, of).Digits(digits))
	}
	add("kernel", table.String, "kernel", 0, columns.MeansKernel, func(s *rank.Standing) any { return s.Kernel })
	add("examples", table.Int, "examples", 0, "the number of targets and functions on which the kernel competed", func(s *rank.Standing) any { return s.Examples })
	add("mean_rank", table.Float, "mean rank", 3, "the mean of its ranks by RESS of the mean, from 1, the best",
		func(s *rank.Standing) any { return s.Scores[rank.Mean].MeanRank })
	add("wins", table.Float, "wins", 3, "on how many examples it is best by RESS of the mean; a tie is shared",
		func(s *rank.Standing) any { return s.Scores[rank.Mean].Wins })
	for _, e := range rank.Estimates() {
		median := ""
		if e == rank.Mean {
			median = "its median"
		}
		add("ness_"+e.Name(), table.Float, "NESS "+e.Title(), 3, "the mean NESS of the "+e.Title()+
			", which is RESS over the median number of samples of the competitors", func(s *rank.Standing) any { return s.Scores[e].MeanNESS })
		add("ness_"+e.Name()+"_median", table.Float, median, 3, "the median NESS of the "+e.Title(), func(s *rank.Standing) any { return s.Scores[e].MedianNESS })
	}
	add("p_success", table.Float, "P(success)", 3, "the mean of the probabilities of success", func(s *rank.Standing) any { return s.Success })
	add("p_success_var", table.Float, "of variance", 3, "the mean of the probabilities of success of the variance",
		func(s *rank.Standing) any { return s.Variance })
	for _, e := range rank.Estimates() {
		add("share_ress_12_"+e.Name(), table.Float, "", 3, "the share of examples with a RESS of the "+e.Title()+" of at least 12",
			func(s *rank.Standing) any { return s.Scores[e].Enough })
	}
	for _, e := range rank.Estimates() {
		if e == rank.Mean {
			continue
		}
		add("mean_rank_"+e.Name(), table.Float, "", 3, "the mean of its ranks by RESS of the "+e.Title(), func(s *rank.Standing) any { return s.Scores[e].MeanRank })
		add("wins_"+e.Name(), table.Float, "", 3, "on how many examples it is best by RESS of the "+e.Title(), func(s *rank.Standing) any { return s.Scores[e].Wins })
	}
	add("eff_median", table.Float, "RESS/N", 3, "the median of RESS of the mean over N", func(s *rank.Standing) any { return s.Efficiency })
	add("drop_gain_median", table.Float, "", 4, "the median of what dropping the first samples gains at best", func(s *rank.Standing) any { return s.DropGain })
	add("drop_pays", table.Float, "warm-up pays", 3, "the share of examples on which dropping the first samples gains more than a hundredth",
		func(s *rank.Standing) any { return s.DropPays })
	return table.New(columns.Answers(fields, "mean_rank", "wins", "ness_mean", "p_success"), standings)
}

// SamplersWinners returns the table of the best kernels on each target, by RESS of the mean, with
// the next best one beside.
func SamplersWinners(rows []rank.Row) *table.Table {
	var pairs []winner
	for _, example := range rank.Examples(rows) {
		pairs = append(pairs, winnerOf(example))
	}
	names := []string{"toy"}
	if len(reports.Names(pairs, func(w *winner) string { return w.first.Start.Name })) > 1 {
		names = append(names, "start")
	}
	if len(reports.Names(pairs, func(w *winner) string { return w.first.Function.Name })) > 1 {
		names = append(names, "function")
	}
	fields := samplers.SettingColumns(func(w *winner) *samplers.Setting { return &w.first.Setting }, names...)
	add := func(title string, of func(*winner) any) {
		fields = append(fields, columns.ForPeople(title, of).Digits(4))
	}
	add("best kernel", func(w *winner) any { return w.names })
	add("N", func(w *winner) any { return int(w.first.N) })
	add("RESS", func(w *winner) any { return w.first.Scores[rank.Mean].RESS })
	add("NESS", func(w *winner) any { return w.first.Scores[rank.Mean].NESS })
	add("P(success)", func(w *winner) any { return w.first.Success })
	add("by", func(w *winner) any { return string(w.first.SuccessBy) })
	add("best dropped", func(w *winner) any { return int(w.first.Dropped) })
	add("its gain", func(w *winner) any { return w.first.DropGain })
	next := func(title string, of func(*rank.Row) any) {
		add(title, func(w *winner) any {
			if w.next == nil {
				return nil
			}
			return of(w.next)
		})
	}
	next("next best", func(r *rank.Row) any { return r.Kernel })
	next("its RESS", func(r *rank.Row) any { return r.Scores[rank.Mean].RESS })
	return table.New(columns.Answers(fields, "best kernel", "RESS", "P(success)"), pairs)
}

// winner is the best kernel of an example, all that are as good, and the best of the others, which
// may be none.
type winner struct {
	first, next *rank.Row
	names       string
}

func winnerOf(example []*rank.Row) winner {
	w := winner{first: example[0]}
	by := func(r *rank.Row) float64 { return r.Scores[rank.Mean].Rank }
	for _, r := range example {
		if by(r) < by(w.first) {
			w.first = r
		}
	}
	var names []string
	for _, r := range example {
		switch {
		case by(r) == by(w.first):
			names = append(names, r.Kernel)
		case w.next == nil || by(r) < by(w.next):
			w.next = r
		}
	}
	w.names = strings.Join(names, ", ")
	return w
}
