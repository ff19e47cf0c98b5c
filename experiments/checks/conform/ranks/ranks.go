// Package ranks answers: are the ranks of simulation-based calibration uniform, and if not, why? It
// reads them from a file and names a cause only if it explains them. It draws only to break ties.
// Start at Check, which tests each variable against uniform ranks and families of wrong ones.
package ranks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/experiments/checks/conform/draws"
	data "breadboard/experiments/draws"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/verdicts"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// MaxDraws is the largest number of draws for a rank.
const MaxDraws = 1000

// Variable is a quantity with its rank in each run.
type Variable struct {
	Name  string
	Draws int // L: ranks are from 0 to L
	Ranks []int
	// Differs says what is ranked and how it differs, instead of a known mistake of the draws;
	// empty if the draws are tested.
	Differs string
	// Pooled is by how many standard errors the mean rank of all draws is off; 0 if a run has one
	// rank
	Pooled float64
}

// The columns of a table with a row for each run and variable, as R's package SBC has them.
const (
	variableColumn = "variable"
	rankColumn     = "rank"
	mostColumn     = "max_rank"
)

// described are the columns of stats of R's package SBC that say something else of the rank in a
// row.
func described() []string {
	return []string{variableColumn, rankColumn, mostColumn, "simulated_value", "z_score", "mean", "median",
		"sd", "mad", "q5", "q95", "rhat", "ess_bulk", "ess_tail"}
}

// passed are columns that tell runs apart or say something else of them.
func passed() []string {
	return []string{"sim_id", "sim", "run", "dataset", "dataset_id", "chain", ".chain", ".draw", ".iteration",
		"index", ""}
}

// ReadVariables reads the ranks in a file: a column for each variable, or the columns variable and
// rank, and max_rank if L is not given (0).
func ReadVariables(ctx context.Context, path string, most int) (list []Variable, err error) {
	r, err := files.OpenTable(ctx, path, files.TableOptions{Row: func(cells []string) bool {
		return !slices.ContainsFunc(
			cells,
			func(c string) bool { _, _, number := data.ParseNumber([]byte(c)); return !number },
		)
	}})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	at := map[string]int{}
	for i, name := range r.Names() {
		if _, twice := at[name]; twice && !slices.Contains(passed(), name) {
			return nil, errs.New(
				"%s has two columns %s; rename one, because ranks of one variable must be of different runs",
				path,
				files.Quoted([]byte(name)),
			)
		}
		at[name] = i
	}
	for name := range at {
		counted := slices.Contains([]tables.Role{tables.Count, tables.Weight}, tables.RoleOf(name))
		unknown := namePlace(at, rankColumn) >= 0 && !slices.Contains(slices.Concat(passed(), described()), name)
		if counted || unknown {
			return nil, r.WrongColumns("the column "+name, "write a row for each run, with the columns "+
				"variable, rank and max_rank, or with a column of ranks for each variable, and leave others out")
		}
	}
	t := &tableOf{rows: r, most: most, places: map[string]int{}}
	t.variable, t.rank, t.limit = namePlace(at, variableColumn), namePlace(at, rankColumn),
		namePlace(at, mostColumn)
	for {
		cells, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = t.addCells(cells)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(t.list) == 0 {
		return nil, fmt.Errorf("%s: there are no ranks in it", path)
	}
	return t.list, nil
}

func namePlace(at map[string]int, name string) int {
	if i, is := at[name]; is {
		return i
	}
	return -1
}

// tableOf collects ranks by variable.
type tableOf struct {
	rows                  *files.Table
	most                  int
	variable, rank, limit int // the places of columns; -1 if they are not there
	places                map[string]int
	list                  []Variable
}

func (t *tableOf) addCells(cells []files.Cell) error {
	if t.rank >= 0 {
		name := rankColumn
		most := t.most
		if t.variable >= 0 {
			name = string(cells[t.variable].Text())
		}
		if t.limit >= 0 {
			limit, err := t.wholeCell(mostColumn, cells[t.limit], MaxDraws)
			if err != nil {
				return err
			}
			if t.most > 0 && limit != t.most {
				return t.rows.Wrong(mostColumn, strconv.Itoa(limit),
					"{draws} is %d; leave it out, or give rows of one number of draws", t.most)
			}
			most = limit
		}
		return t.addRank(name, rankColumn, cells[t.rank], most)
	}
	names := t.rows.Names()
	for i, c := range cells {
		name := "rank " + strconv.Itoa(i)
		if names != nil {
			name = names[i]
		}
		if slices.Contains(passed(), name) {
			continue
		}
		if err := t.addRank(name, name, c, t.most); err != nil {
			return err
		}
	}
	return nil
}

func (t *tableOf) wholeCell(column string, cell files.Cell, most int) (int, error) {
	v, is := cell.Integer()
	if is && v == int64(most)+1 && column != mostColumn {
		return 0, t.rows.Wrong(column, cell.Found(), "ranks are from 0 to %d: subtract 1 if yours begin at 1", most)
	}
	if !is || v < 0 || v > int64(most) {
		return 0, t.rows.Wrong(column, cell.Found(), "write a whole number from 0 to %d", most)
	}
	return int(v), nil
}

func (t *tableOf) addRank(variable, column string, cell files.Cell, most int) error {
	if most == 0 {
		return errs.New(
			"%s does not say how many draws each rank is among; give {draws} 99 if ranks are from 0 to "+
				"99, or a column max_rank",
			t.rows.Name(),
		)
	}
	rank, err := t.wholeCell(column, cell, most)
	if err != nil {
		return err
	}
	i, is := t.places[variable]
	if !is {
		i = len(t.list)
		t.places[variable] = i
		t.list = append(t.list, Variable{Name: variable, Draws: most})
	}
	v := &t.list[i]
	if v.Draws != most {
		return t.rows.Wrong(mostColumn, strconv.Itoa(most),
			"other rows of %s have %d; give rows of one number of draws", variable, v.Draws)
	}
	v.Ranks = append(v.Ranks, rank)
	return nil
}

// Finding is the result for the ranks of a variable.
type Finding struct {
	Variable
	check.Finding
	Counts []int // by rank
}

const uniformRanks = "uniform ranks"

// Columns lists the columns of findings.
func Columns() columns.List {
	return append(columns.List{
		columns.Of("variable", "variable", "what the ranks are those of",
			func(f *Finding) string { return f.Variable.Name }),
		columns.Of("runs", "runs", "the number of ranks", func(f *Finding) int { return len(f.Ranks) }),
		columns.Of("draws", "L", "the number of draws that a rank is among",
			func(f *Finding) int { return f.Draws }),
	}, check.Columns[Finding](uniformRanks)...)
}

// Check tests whether the ranks of each variable are uniform. The probability of a false alarm
// among all of them is at most alpha. It calls progress after each variable.
func Check(ctx context.Context, list []Variable, alpha float64,
	progress func(int)) (all []Finding, err error) {
	if err := check.ValidateAlpha(alpha); err != nil {
		return nil, err
	}
	threshold := number.Log(float64(len(list))) - number.Log(alpha)
	known := map[int][]family{} // by the number of draws
	for _, v := range list {
		if known[v.Draws] == nil {
			known[v.Draws] = families(ctx, v.Draws)
		}
		all = append(all, v.checkRanks(threshold, known[v.Draws]))
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		progress(1)
	}
	return all, nil
}

func (v *Variable) checkRanks(threshold float64, known []family) Finding {
	f := Finding{Variable: *v, Counts: make([]int, v.Draws+1)}
	for _, r := range v.Ranks {
		f.Counts[r]++
	}
	uniform := slices.Repeat([]float64{1 / float64(v.Draws+1)}, v.Draws+1)
	parts := []float64{verdicts.CountsLogE(f.Counts, uniform), verdicts.CellsLogE(f.Counts, uniform)}
	for _, k := range known {
		var logs []float64
		for _, at := range k.grid {
			logs = append(logs, ratio(f.Counts, k.of(at)))
		}
		parts = append(parts, number.LogMean(logs))
	}
	runs := selector.Count(len(v.Ranks), "run")
	f.Finding = check.EValue(uniformRanks, number.LogMean(parts), threshold, runs, func() string {
		if v.Differs != "" {
			return v.Differs + f.worst(uniform)
		}
		return f.cause(known, uniform)
	})
	if f.Verdict == check.Pass {
		f.Where = runs + ": enough only for a gross fault; more decide"
		if far := cmp.Or(verdicts.FarCount(
			f.Counts,
			uniform,
			len(uniform),
			"runs",
			func(i int) string { return fmt.Sprintf("rank %d", i) },
		),
			v.farRanks()); far != "" {
			f.Verdict = check.Open
			f.Where = far
		} else if says := excluded(known, len(v.Ranks), threshold+number.Log(float64(len(parts)))); says != "" {
			f.Where = fmt.Sprintf("%s: %s would have been found", runs, says)
		} else {
			f.Verdict = check.Open
		}
	}
	return f
}

// farRanks says that the mean of ranks, their spread, or the mean of pooled ranks is far from that
// of uniform ranks (see verdicts.FarMean); empty if none is. Twice the distance of a rank from the
// middle has the variance L (L+2)/3, and its square 4 L (L+2) (L-1) (L+3)/45.
func (v *Variable) farRanks() string {
	n := float64(len(v.Ranks))
	l := float64(v.Draws)
	second := l * (l + 2) / 3
	mean := 0.0
	spread := 0.0
	for _, r := range v.Ranks {
		u := float64(2*r) - l
		mean += u
		spread += u*u - second
	}
	return cmp.Or(verdicts.FarMean("the mean of the ranks", mean/math.Sqrt(n*second), "runs"),
		verdicts.FarMean("the spread of the ranks", spread/math.Sqrt(n*second*(l-1)*(l+3)*4/15), "runs"),
		verdicts.FarMean("the mean of the ranks of all draws of the chains", v.Pooled, "chains"))
}

// excluded says which faults that number of runs would have found; empty if that is none of the
// known ones.
func excluded(known []family, runs int, threshold float64) string {
	var list []string
	for _, k := range known {
		if low, high := k.detectable(runs, threshold+number.Log(float64(len(k.grid)))); !math.IsInf(low, 0) ||
			!math.IsInf(high, 0) {
			list = append(list, k.excluded(low, high))
		}
	}
	return strings.Join(list, ", ")
}

// ratio returns the log likelihood ratio of a distribution to the uniform one.
func ratio(counts []int, p []float64) (log float64) {
	for k, c := range counts {
		if c > 0 {
			log += float64(c) * number.Log(p[k]*float64(len(p)))
		}
	}
	return log
}

// cause says which known cause explains the ranks, and else what deviates most.
func (f *Finding) cause(known []family, uniform []float64) string {
	var list []draws.Candidate
	for _, k := range known {
		p := draws.Fit(k.grid, func(at float64) float64 { return ratio(f.Counts, k.of(at)) })
		list = append(list, draws.Candidate{
			Says:       k.says(p),
			Log:        p.Log,
			Parameters: 1,
			Fits:       func() bool { return draws.Fits(f.Counts, k.of(p.At), 1) },
		})
	}
	unknown := draws.LogUnknown(f.Counts, len(f.Counts)) +
		float64(len(f.Ranks))*number.Log(float64(f.Draws+1))
	named, reason := draws.Named(list, unknown)
	if named == "" {
		if also, _ := draws.Named(append(list, f.smallSteps(known[1], known[2])), unknown); also != "" {
			return also
		}
		return reason + f.worst(uniform)
	}
	return named
}

// worst says which rank deviates most.
func (f *Finding) worst(uniform []float64) string {
	return "; the ranks deviate most at " + verdicts.WorstCell(f.Counts, uniform, strconv.Itoa)
}

// smallSteps is that draws are those of a chain that moves in small steps. Ranks among draws of an
// autoregression are a mixture of those among narrow draws and those among draws that repeat, to a
// divergence of 1e-4 nats a run (L up to 99).
func (f *Finding) smallSteps(narrow, repeating family) draws.Candidate {
	var best []float64
	log := func(at float64) float64 {
		most := math.Inf(-1)
		for width := 0.2; width < 1; width += 0.05 {
			p := slices.Clone(narrow.of(width))
			for k, q := range repeating.of(at) {
				p[k] += 0.65 * (q - p[k])
			}
			if l := ratio(f.Counts, p); l > most {
				most = l
				best = p
			}
		}
		return most
	}
	p := draws.Fit(repeating.grid, log)
	log(p.At)
	return draws.Candidate{
		Says: "the draws of a run depended on each other, as those of a chain that moves in small steps " +
			"do: thin them until " +
			"their ranks are uniform (runs of which some are too narrow look alike)",
		Log:        p.Log,
		Parameters: 2,
		Fits:       func() bool { return draws.Fits(f.Counts, best, 2) },
	}
}
