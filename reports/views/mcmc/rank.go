package mcmc

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/chains/sorts"
	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/rank"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
	"breadboard/toys"
)

// SamplersRankReport returns the report of samplers at equal work: the leaderboard, the best sampler on each target, the whole table in a
// file, and figures.
func SamplersRankReport(rows []rank.Row) *reports.Report {
	r := reports.New("samplers_rank", SamplersLeaderboard(rank.Standings(rows)))
	r.Add(
		reports.Table{Name: "samplers_rank_rows", Table: table.New(rank.Study().Columns, rows), Brief: SamplersWinners(rows), Place: reports.BesideResults},
		curves.Figure("Scores of each kernel over all targets", "no box plots", rows, samplersBoxesFigure),
		curves.Figure("Scores by target and kernel", "no map of the leaderboard", rows, SamplersRankFigure),
	)
	starts, functions := reports.Names(rows, func(r *rank.Row) string { return r.Start.Name }), reports.Names(rows, func(r *rank.Row) string { return r.Function.Name })
	r.Note("each chain has %v evaluations of log f, starts from %s and estimates %s", rows[0].Budget, strings.Join(starts, " or "), strings.Join(functions, " or "))
	for _, l := range rows[0].Contest.Left {
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
	add("mean_rank", table.Float, "mean rank", 3, "the mean of its ranks by RESS of the mean, from 1, the best", func(s *rank.Standing) any { return s.Scores[rank.Mean].MeanRank })
	add("wins", table.Float, "wins", 3, "on how many examples it is best by RESS of the mean; a tie is shared", func(s *rank.Standing) any { return s.Scores[rank.Mean].Wins })
	for _, e := range rank.Estimates() {
		median := ""
		if e == rank.Mean {
			median = "its median"
		}
		add("ness_"+e.Name(), table.Float, "NESS "+e.Title(), 3, "the mean NESS of the "+e.Title()+", which is RESS over the median number of samples of the competitors", func(s *rank.Standing) any { return s.Scores[e].MeanNESS })
		add("ness_"+e.Name()+"_median", table.Float, median, 3, "the median NESS of the "+e.Title(), func(s *rank.Standing) any { return s.Scores[e].MedianNESS })
	}
	add("p_success", table.Float, "P(success)", 3, "the mean of the probabilities of success", func(s *rank.Standing) any { return s.Success })
	add("p_success_var", table.Float, "of variance", 3, "the mean of the probabilities of success of the variance", func(s *rank.Standing) any { return s.Variance })
	for _, e := range rank.Estimates() {
		add("share_ress_12_"+e.Name(), table.Float, "", 3, "the share of examples with a RESS of the "+e.Title()+" of at least 12", func(s *rank.Standing) any { return s.Scores[e].Enough })
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
	add("drop_pays", table.Float, "warm-up pays", 3, "the share of examples on which dropping the first samples gains more than a hundredth", func(s *rank.Standing) any { return s.DropPays })
	return table.New(columns.Answers(fields, "mean_rank", "wins", "ness_mean", "p_success"), standings)
}

// SamplersWinners returns the table of the best kernels on each target, by RESS of the mean, with the next best one beside.
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

// winner is the best kernel of an example, all that are as good, and the best of the others, which may be none.
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

// SamplersCorpusReport returns the report that lists the targets of a corpus.
func SamplersCorpusReport(c *samplers.Corpus, targets []*toys.Toy) *reports.Report {
	r := reports.New("corpus", SamplersCorpus(targets))
	r.Note("corpus %s: %s", c.Name, selector.Count(len(targets), "target"))
	return r
}

// SamplersCorpus returns the table of the targets of a corpus.
func SamplersCorpus(targets []*toys.Toy) *table.Table {
	return table.New(columns.List{
		columns.Of("toy", "toy", columns.MeansRows, func(t **toys.Toy) string { return (*t).Name }),
		columns.Of("states", "states", columns.MeansStates, func(t **toys.Toy) int { return (*t).Space.States() }),
		columns.Of("description", "description", "what the target is", func(t **toys.Toy) string { return (*t).Description }).Prose(),
		columns.Of("source", "source", "where the target is from", func(t **toys.Toy) string { return samplers.SourceOf(*t) }).Prose(),
	}, targets)
}

// SamplersOrderReport returns the report of orders of averages: for people a row for each comparison in the limit and one at the number of
// samples that is worst for it, for machines a row for every number. It has a Fault where a theorem is violated. Kernels that no theorem puts
// in an order are in its notes.
func SamplersOrderReport(all []rank.OrderRow) *reports.Report {
	var rows []rank.OrderRow
	var omitted []string
	for _, r := range all {
		if r.Verdict == rank.NoOrder {
			omitted = append(omitted, fmt.Sprintf("toy %s: %s and %s are not in Peskun's order: %s", r.Comparison.First.Toy.Name, r.Comparison.First.Kernel, r.Comparison.Second.Kernel, r.Note))
		} else {
			rows = append(rows, r)
		}
	}
	fields := rank.Order().Columns
	r := &reports.Report{Fault: rank.Fault(rows)}
	r.Add(reports.Table{Name: "samplers_order", Table: table.New(fields, worstOrders(rows)), Machines: table.New(fields, rows)})
	for _, check := range []rank.Check{rank.Peskun, rank.Thinning} {
		if slices.ContainsFunc(rows, func(r rank.OrderRow) bool { return r.Check == check }) {
			draw := func(rows []rank.OrderRow) (*figure.Figure, error) { return samplersOrderFigure(check, rows) }
			r.Add(curves.Figure("Ratios of mean squared errors, check "+string(check), "no figure of "+string(check), rows, draw))
		}
	}
	for _, line := range append(orderSummary(rows), omitted...) {
		r.Note("%s", line)
	}
	return r
}

// ComparisonsOf splits rows into those of each comparison.
func ComparisonsOf(rows []rank.OrderRow) (groups [][]rank.OrderRow) {
	begin := 0
	for i := range rows {
		if i+1 == len(rows) || rows[i+1].Comparison != rows[begin].Comparison {
			groups, begin = append(groups, rows[begin:i+1]), i+1
		}
	}
	return groups
}

// WorstOrder returns the row with a number of samples that has the largest ratio, the first of them, and nil where there is none. One
// sample has the same error under every kernel, and is passed over where there are other numbers.
func WorstOrder(rows []rank.OrderRow) (worst *rank.OrderRow) {
	for i := range rows {
		r := &rows[i]
		if !r.Limit() && (worst == nil || r.Ratio > worst.Ratio || worst.N == 1 && r.Check == rank.Peskun) {
			worst = r
		}
	}
	return worst
}

// worstOrders returns of each comparison the limit, the worst number of samples, and whatever violates a theorem.
func worstOrders(rows []rank.OrderRow) (out []rank.OrderRow) {
	for _, group := range ComparisonsOf(rows) {
		worst := WorstOrder(group)
		for i := range group {
			if r := &group[i]; r.Limit() || r == worst || r.Verdict == rank.Faulty {
				out = append(out, *r)
			}
		}
	}
	return out
}

// orderSummary says in a line for each check how many comparisons hold, and where Peskun's order fails.
func orderSummary(rows []rank.OrderRow) (lines []string) {
	for _, check := range []rank.Check{rank.Peskun, rank.Lazy, rank.Thinning} {
		comparisons, failing, faulty, unknown := 0, 0, 0, 0
		var samples []int64 // at which an order fails
		for _, group := range ComparisonsOf(rows) {
			if group[0].Check != check {
				continue
			}
			comparisons++
			before := len(samples)
			for _, r := range group {
				switch r.Verdict {
				case rank.Faulty:
					faulty++
				case rank.Unknown:
					unknown++
				case rank.Fails:
					samples = append(samples, r.N)
				}
			}
			if len(samples) > before {
				failing++
			}
		}
		switch {
		case comparisons == 0:
			continue
		case faulty > 0:
			lines = append(lines, fmt.Sprintf("%s: %s, %s against a theorem", check, selector.Count(comparisons, "comparison"), selector.Count(faulty, "row")))
		case failing > 0:
			hold, fail := "hold", "fail"
			if comparisons-unknown == 1 {
				hold = "holds"
			}
			if failing == 1 {
				fail = "fails"
			}
			lines = append(lines, fmt.Sprintf("%s: %s %s in the limit; %d of them %s at %s, which is no fault, as the theorem is one of limits%s",
				check, selector.Count(comparisons-unknown, "comparison"), hold, failing, fail, samplesFrom(slices.Min(samples), slices.Max(samples)), withoutLimit(unknown)))
		default:
			lines = append(lines, fmt.Sprintf("%s: %s, no fault found%s", check, selector.Count(comparisons, "comparison"), withoutLimit(unknown)))
		}
	}
	return lines
}

func samplesFrom(least, most int64) string {
	if least == most {
		return fmt.Sprintf("N = %d", least)
	}
	return fmt.Sprintf("numbers of samples from %d to %d", least, most)
}

// withoutLimit says how many comparisons have a reducible kernel, so that there is nothing to compare in the limit.
func withoutLimit(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d without a limit, as a kernel is reducible", n)
}

// orderCurves is the largest number of comparisons that a figure shows.
const orderCurves = 6

// samplersOrderFigure draws, for the checks Peskun and Thinning, the ratio of two mean squared errors against the number of samples, with
// the line one above which the order fails. It shows the comparisons with the largest ratios. It fails where no comparison of the check
// has two numbers of samples.
func samplersOrderFigure(check rank.Check, rows []rank.OrderRow) (*figure.Figure, error) {
	groups := worstComparisons(rows, check)
	if len(groups) == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of samples, as in {N} 1,10,100")
	}
	title, samples, name := "Peskun's order", "number of samples N", func(r *rank.OrderRow) string {
		return fmt.Sprintf("%s, %s: %s / %s", r.Comparison.First.Toy.Name, r.Function.Name, r.Comparison.First.Kernel, r.Comparison.Second.Kernel)
	}
	if check == rank.Thinning {
		title, samples, name = "All samples beside those that are kept", "number of samples that are kept, N", func(r *rank.OrderRow) string {
			return fmt.Sprintf("%s, %s: %s, one of %d", r.Comparison.First.Toy.Name, r.Function.Name, r.Comparison.First.Kernel, r.Thin)
		}
	}
	var legend figure.Legend
	for i, group := range groups {
		legend.Add(name(&group[0]), curves.Key(figure.SeriesStyle(i)))
	}
	legend.Add("the same error", curves.Key(sameError()))
	var pen curves.Pen
	p := orderPanel(&pen, title, samples, groups, name)
	room := max(0.05*(p.Y.Max-p.Y.Min), 1e-9)
	p.Y.Min, p.Y.Max = p.Y.Min-room, p.Y.Max+room
	plots := []*figure.Panel{p}
	if last, excess := orderFailures(groups); excess > 0 {
		near := orderPanel(&pen, "Where it fails", samples, groups, name)
		near.Y.Min, near.Y.Max = 1-1.5*excess, 1+1.2*excess
		near.X.Max = min(near.X.Max, number.Log10(float64(last))+0.5)
		plots = append(plots, near)
	}
	return pen.Done(figure.Sheet{
		Name: "samplers_order_" + string(check), Rows: [][]*figure.Panel{plots}, Width: 11 * vg.Centimeter, Height: 8 * vg.Centimeter, Least: 20, Legend: legend,
	}.Figure())
}

func sameError() draw.LineStyle {
	return draw.LineStyle{Color: color.Gray{0x40}, Width: vg.Points(1), Dashes: figure.Dashes()}
}

// orderPanel draws the ratios of comparisons against the number of samples, and the line one.
func orderPanel(pen *curves.Pen, title, samples string, groups [][]rank.OrderRow, name func(*rank.OrderRow) string) *figure.Panel {
	p := figure.NewPanel(title, samples, "ratio of mean squared errors")
	p.X.Tick.Marker = figure.Decades{}
	low, high := math.Inf(1), math.Inf(-1)
	for i, group := range groups {
		points := orderPoints(group)
		low, high = min(low, points[0].X), max(high, points[len(points)-1].X)
		pen.Line(p, name(&group[0]), points, figure.SeriesStyle(i))
	}
	figure.Guide(p, plotter.XY{X: low, Y: 1}, plotter.XY{X: high, Y: 1}, sameError())
	return p
}

// orderFailures returns the largest number of samples at which an order fails, and the largest excess of a ratio above one there.
func orderFailures(groups [][]rank.OrderRow) (last int64, excess float64) {
	for _, group := range groups {
		for i := range group {
			if r := &group[i]; !r.Limit() && (r.Verdict == rank.Fails || r.Verdict == rank.Faulty) {
				last, excess = max(last, r.N), max(excess, r.Ratio-1)
			}
		}
	}
	return last, excess
}

// worstComparisons returns the comparisons of a check that have two finite numbers of samples, those with the largest ratios first, and no
// more than a figure shows.
func worstComparisons(rows []rank.OrderRow, check rank.Check) (groups [][]rank.OrderRow) {
	for _, group := range ComparisonsOf(rows) {
		if group[0].Check == check && len(orderPoints(group)) >= 2 {
			groups = append(groups, group)
		}
	}
	sorts.Stable(groups, func(a, b []rank.OrderRow) int { return cmp.Compare(WorstOrder(b).Ratio, WorstOrder(a).Ratio) })
	return groups[:min(len(groups), orderCurves)]
}

// orderPoints returns the ratios of a comparison by the logarithm of the number of samples.
func orderPoints(group []rank.OrderRow) plotter.XYs {
	finite := slices.DeleteFunc(slices.Clone(group), func(r rank.OrderRow) bool { return r.Limit() })
	return curves.Points(finite, func(r *rank.OrderRow) float64 { return number.Log10(float64(r.N)) }, func(r *rank.OrderRow) float64 { return r.Ratio })
}
