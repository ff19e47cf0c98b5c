package catalogue

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/exact/gradient"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/annealing/gap"
	"breadboard/experiments/annealing/represent"
	"breadboard/experiments/annealing/schedule"
	"breadboard/experiments/annealing/subjective"
	"breadboard/experiments/annealing/success"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/annealing/weights"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/checks/conform/chain"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/checks/conform/ranks"
	"breadboard/experiments/checks/kernel"
	"breadboard/experiments/checks/law"
	article "breadboard/experiments/checks/reproduce/aide"
	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/data/show"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/forms"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/experiments/marginal/sandwich/pair"
	"breadboard/experiments/mcmc/couple"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/experiments/mcmc/temper"
	"breadboard/experiments/networks/network"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/particles/policy"
	"breadboard/experiments/particles/smc"
	"breadboard/experiments/particles/smc/adaptive"
	"breadboard/experiments/particles/smc/gibbs"
	"breadboard/experiments/placement"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/page"
	"breadboard/reports/table"
	"breadboard/toys"
)

// samples makes reports by the functions that make them, of every kind that has figures. Their
// results are small, but have what is hard to draw: long names, many series, numbers that are far
// from the others, a single number on an axis.
func samples(t *testing.T) map[string]*reports.Report {
	t.Helper()
	ctx := context.Background()
	easy := func(T ...int) []subject.Case {
		return casesOf(t, subject.Selection{Toys: []string{"easy", "barrier"}, Distributions: T})
	}
	all := map[string]*reports.Report{}
	all["AIDECheckReport"] = aide.CheckReport("smc:2", aideFindings(t, "smc:2", "systematic"))
	{
		o := aide.Options{
			Target:    "ais",
			Gold:      "exact",
			Metas:     []int{1, 2},
			GoldMetas: []int{1},
			Runs:      50,
			Seed:      1,
		}
		all["aide"] = reportRan(t, aide.Study(), easy(3), o)
	}
	all["reproduce aide"] = article.Study().Declaration.Show(aideStudy())
	all["ais"] = ais.Report(ran(t, ais.Study(), easy(5), ais.Options{Chains: 200, Seed: 1}), nil)
	{
		k := conformTask(t, "random:2:1:2x2", 3)
		all["ConformReport"] = conform.Report(checkChains(t, k, conform.Input{Forward: rightInput(t, k).Forward}))
	}
	{
		means := []chain.Mean{{Function: "g", Draws: 1, Exact: 1.1, SD: 0.5, Batches: 0.1, Error: 0.2},
			{Function: "constant", Draws: 1, Exact: 1},
			{Function: "x0", Draws: 3, Exact: 2, SD: 1, Batches: 0.2, Error: math.NaN()}}
		all["ConformChainReport"] = chain.Report(&chain.Outcome{Means: means}, false)
	}
	{
		o := &draws.Outcome{Draws: 100}
		for i := range 20 {
			o.Worst = append(o.Worst, draws.State{
				Label:    strings.Repeat("a long name ", i),
				Observed: i,
				Expected: float64(20-i) / 2,
			})
		}
		weighted := &draws.Outcome{Draws: 9, Weights: &draws.Weights{
			States: []draws.WeightedState{{Label: "a", Share: 0.3, Expected: 0.5, Error: 0.4},
				{Label: "b", Share: 0.7, Expected: 0.5, Error: 0.1}}}}
		r := draws.Report(o)
		r.Add(reports.PartsOf[reports.Part](draws.Report(weighted))...)
		all["ConformDrawsReport"] = r
	}
	all["evidence"] = evidence.Study().Declaration.Show(evidenceRows(t))
	all["gap"] = reportRows(t, gap.Study(), stageGaps(t, []int{3, 40}, "easy", "barrier"))
	{
		rows := kernelRows(t, kernel.Options{
			Reader: forms.Reader(),
			Kernel: "metropolis",
			Toys:   []string{"easy", "barrier"},
			Betas:  []float64{0, 0.5, 1},
			T:      3,
		})
		wrong := rows[1]
		longtest.NoError(t, wrong.Examine(ctx, drift{}, 3))
		r := kernel.KernelCheckReport("metropolis", rows)
		all["KernelCheckReport"] = &reports.Report{Parts: []reports.Part{r.Tables()[0], r.Figures()[0],
			reports.Figure{
				Title: "defect",
				Draw:  func() (*figure.Figure, error) { return kernel.DefectFigure(&wrong) },
			}}}
	}
	all["law"] = reportRows(t, law.Study(), []law.Row{
		{Outcome: "heads and then tails", P: 0.7, Branches: 2, Of: &law.Walk{}},
		{Outcome: "tails", P: 1e-9, Branches: 1, Of: &law.Walk{}},
	})
	{
		asked := longtest.Must(forms.All().Factored("../../toys/networks/testdata/asia.bif", "xray=yes", ""))(t)
		hidden := longtest.Must(forms.All().Factored("ising:1x2:0.5", "", "x0+x1"))(t)
		reportRan(t, network.Study(), []toys.Product{hidden}, network.Study().Standard)
		all["network"] = reportRan(t, network.Study(), []toys.Product{asked}, network.Study().Standard)
	}
	{
		on := longtest.Must(
			sbc.Selection{Reader: forms.Reader(),
				Toys: []string{"clu4"}, Samplers: []string{"iid", "metropolis"}}.Cases(ctx),
		)(t)
		o := sbc.Study().Standard
		o.DataSets = 2
		o.Draws = 3
		all["sbc"] = reportRan(t, sbc.Study(), on, o)
	}
	{
		list := []ranks.Variable{{Name: "mu", Draws: 3, Ranks: []int{0, 1, 2, 3, 3, 3, 0, 1}},
			{Name: "tau", Draws: 3, Ranks: []int{0, 0, 0, 0}}}
		found := longtest.Must(ranks.Check(ctx, list, 0.5, func(int) {}))(t)
		all["ConformRanksReport"] = ranks.Report("ranks.csv", found)
		all["ConformJointReport"] = ranks.ConformJointReport("chains.csv among draws.csv",
			found, []string{"tau never changed"})
	}
	{
		on := longtest.Must(policy.Selection{Reader: forms.Reader(),
			Toys:     []string{"ising:2x2:0.6", "random:2:1:2x2"},
			Policies: []string{"masked:independent", "gflownet:noisy:1:1", "ctmc:5"}}.Cases(ctx))(t)
		all["policy"] = reportRan(t, policy.Study(), on, policy.Study().Standard)
	}
	{
		on := longtest.Must(policy.Selection{
			Reader:   forms.Reader(),
			Toys:     []string{"ising:2x2:0.6"},
			Policies: []string{"masked:local:c", "order:local:c"},
		}.Cases(ctx))(t)
		all["policy best"] = reportRan(t, policy.BestStudy(), on, policy.BestOptions{By: []string{"B", "db"}, Over: "c=0:2",
			Sampling: "on-policy", Lambda: 0.9})
	}
	{
		on := longtest.Must(policy.TwistSelection{Reader: forms.Reader(),
			Toys: []string{"random:2:0:3x3x3"}, Bases: []string{"markov:1:0"},
			Twists: []string{"none", "ratio"}}.Cases(ctx))(t)
		o := policy.Twisted().Standard
		o.Particles = []int{1, 2, 50}
		o.Chains = 200
		all["policy twist"] = reportRan(t, policy.Twisted(), on, o)
	}
	all["schedule optimize"] = schedule.OptimizedReport(ran(t, schedule.Optimize(), easy(5),
		schedule.OptimizeOptions{Objective: gradient.ObjectiveB}),
		func(name string) string { return "folder/" + name })
	all["represent"] = reportRows(t, represent.Study(), representRows(t, []int{3, 10}, "gridclu"))
	{
		rows := ran(t, diagnose.Calibrate(), samplersProblems(t, "easy", "barrier"),
			diagnose.CalibrateOptions{N: []int{40}, Chains: 4, Seed: 1})
		all["samplers calibrate"] = reportRows(t, diagnose.Calibrate(), rows)
	}
	all["samplers diagnose"] = diagnose.Study().Declaration.Show(
		diagnoseRows(t, []int64{20}, "easy", "metropolis", "heatbath", "barker", "moore", "stay"),
	)
	{
		s := samplers.Selection{
			Reader:    forms.Reader(),
			Toys:      []string{"random:2:7:3x3"},
			Kernels:   []string{"metropolis", "heatbath-scan", "lazy:0.5"},
			Starts:    []string{"uniform", "target"},
			Functions: []string{"x0"},
		}
		all["samplers errors"] = reportRows(t, samplers.Errors(), samplerErrorsRows(t, s, 1, 10, 1000))
	}
	{
		kernels := "metropolis,heatbath,lazy:0.5:metropolis,heatbath-scan"
		all["samplers laws"] = reportRows(t, samplers.Laws(), lawsRows(t, "barrier:5x5", kernels, "x0,mode", samplers.LawsOptions{N: []int{4, 8},
			Chains: 3}))
	}
	{
		problems := samplersProblems(t, "easy", "barrier", "random:2:1:3x3", "random:2:2:3x3", "random:2:3:3x3")
		all["samplers meta"] = reportRan(t, diagnose.Meta(), problems, diagnose.MetaOptions{N: []int{50},
			Label: diagnose.Exact, Repeats: 2, Seed: 1})
	}
	{
		s := samplers.Selection{
			Reader:  forms.Reader(),
			Toys:    []string{"easy"},
			Kernels: []string{"metropolis", "heatbath"},
			Starts:  []string{"uniform", "mode"},
		}
		o := samplers.TimesOptions{MI: 0.01, TV: 0.02, Curves: true}
		all["samplers times"] = reportRan(t, samplers.Times(), samplerProblems(t, s), o)
	}
	{
		d := &files.Draws{
			Names: []string{"x0"}, Sources: []string{"1.csv", "2.csv"}, NotFinite: []string{""},
			Values: [][][]float64{{{1, 2, 1, 3, 2, 1, 4, 2}, {1, 2, 1, 5, 2, 1, 2, 2}}},
		}
		all["SamplersVariablesReport"] = diagnose.VariablesReport(
			longtest.Must(diagnose.Variables(ctx, d, nil, nil, func(int) {}))(t), d,
		)
	}
	{
		o := couple.Study().Standard
		o.Couplings = []string{"rows", "best"}
		o.Lags = []int{1, 2}
		s := samplers.Selection{
			Reader:  forms.Reader(),
			Toys:    []string{"random:2:7:2x2"},
			Kernels: []string{"metropolis"},
			Starts:  []string{"uniform"},
		}
		all["couple"] = reportRan(t, couple.Study(), samplerProblems(t, s), o)
	}
	{
		s := samplers.Selection{
			Reader:  forms.Reader(),
			Toys:    []string{"random:2:7:2x2"},
			Kernels: []string{"metropolis", "heatbath"},
			Starts:  []string{"uniform"},
		}
		all["couple best"] = reportRan(t, couple.Comparison(), samplerProblems(t, s), couple.Comparison().Standard)
	}
	{
		o := couple.Estimator().Standard
		o.M = []int{12}
		s := samplers.Selection{
			Reader:    forms.Reader(),
			Toys:      []string{"random:2:7:2x2"},
			Kernels:   []string{"metropolis"},
			Starts:    []string{"uniform"},
			Functions: []string{"g"},
		}
		all["couple unbiased"] = reportRan(t, couple.Estimator(), samplerProblems(t, s), o)
	}
	{
		o := gibbs.Options{
			Observations: []int{2, 6},
			Particles:    []int{2, 3, 8, 16, 900},
			Resample:     []string{"multinomial", "systematic"},
			Ancestors:    []string{gibbs.Without, gibbs.With},
		}
		all["smc gibbs"] = reportRan(t, gibbs.Study(), nil, o)
	}
	all["temper"] = reportRan(t, temper.Study(), ladders(t), temper.Study().Standard)
	all["temper ladder"] = reportRan(t, temper.Ladders(), ladders(t), temper.Ladders().Standard)
	{
		o := temper.StoneOptions{Schemes: []string{"deo"}, Starts: temper.Starts(), Scans: []int{1, 4}}
		all["temper z"] = reportRan(t, temper.Stones(), ladders(t), o)
	}
	all["temper compare"] = reportRan(t, temper.Comparison(), ladders(t), temper.Comparison().Standard)
	all["KernelsReport"] = kernel.KernelsReport(kernels.Forms().Listing.Descriptions())
	all["SchedulesReport"] = schedule.SchedulesReport(placement.Forms().Listing.Descriptions())
	all["SweepReport"] = sweep.MergedReport(sweepResults(t, sweepSpec), false)
	all["SweepPlanReport"] = sweep.PlanReport(longtest.Must(planSweep(t, sweepSpec).Plan())(t))
	all["SweepStatusReport"] = sweep.StatusReport(
		&sweep.Status{Cells: 3, Shards: []sweep.ShardStatus{{Shard: sweep.Shard{Index: 1, Count: 1}}}},
	)
	all["ToysReport"] = show.ToysReport(toys.Paper())
	{
		o := sandwich.Options{
			Models:   []string{"clustering:2"},
			Rows:     6,
			Columns:  3,
			T:        []int{5, 20},
			Scans:    []int{0, 2},
			Chains:   4,
			Datasets: 2,
			Seed:     1,
		}
		rows := ran(t, sandwich.Study(), nil, o)
		for i := range rows {
			rows[i].Seconds = 1e-4 * float64(1+rows[i].T+10*max(0, rows[i].Scans))
		}
		all["sandwich"] = reportRows(t, sandwich.Study(), rows)
		both := pair.Options{Forward: []float64{-1, 0, 0.5, 2}, Reverse: []float64{0, 1, 1.5, 3}, LogZ: math.NaN()}
		all["sandwich pair"] = reportRows(t, pair.Study(), ran(t, pair.Study(), nil, both))
	}
	all["sandwich compare"] = reportRows(t, compare.Study(), comparedRows())
	all["sandwich fit"] = reportRows(t, compare.FitStudy(), fittedRows(t, 10, 30))
	all["sandwich represent"] = reportRows(t, compare.Representations(), representedRows(t, 10, 40))
	all["sandwich table"] = reportRows(t, compare.Crossed(), crossedRows(t, 2))
	{
		c := casesOf(t, subject.Selection{Toys: []string{"easy", "barrier"}, Distributions: []int{3, 6}})
		o := schedule.CompareOptions{Schedules: []string{
			"linear", "sigmoid:4", "power:2", "geometric:0.01", "friction", "best:B", "best:J"}}
		all["schedule compare"] = reportRan(t, schedule.Compare(), c, o)
	}
	{
		best := longtest.Must(schedule.Improve(
			ctx,
			easy(5)[0],
			schedule.OptimizeOptions{Objective: gradient.ObjectiveB},
			study.How{},
			nil,
		))(t)
		all["ScheduleReport"] = schedule.ScheduleReport(
			[]schedule.Shape{longtest.Must(schedule.ShapeOf(best.Before.Case, 1001))(t),
				longtest.Must(schedule.ShapeOf(best.After.Case, 1001))(t)},
		)
	}
	{
		o := adaptive.Options{Options: smc.Options{
			Particles:  []int{2, 3, 10},
			Resample:   []string{"multinomial"},
			Thresholds: []float64{1},
			Chains:     100,
		},
			Rho: []float64{0.8}}
		c := casesOf(t, subject.Selection{Toys: []string{"random:1:1:4", "random:1:2:4"}, Distributions: []int{2}})
		all["smc adaptive"] = reportRan(t, adaptive.Study(), c, o)
	}
	{
		systems := smc.Options{
			Particles:  []int{1, 2},
			Resample:   []string{"multinomial"},
			Thresholds: []float64{1, 0.5},
			Chains:     50,
			Seed:       1,
		}
		all["smc"] = reportRan(t, smc.Study(), easy(3), systems)
	}
	all["SpectrumReport"] = reportOf(t, reports.Untyped(kernel.SpectrumReport), spectrumRows(t, "barrier", "metropolis", 5))
	all["success"] = reportRan(t, success.Study(), easy(3, 6), success.Options{Levels: 1})
	all["subjective"] = reportRows(t, subjective.Study(), subjectiveRuns(t, 0, 1, 10))
	{
		r := &reports.Report{}
		for _, name := range []string{"barrier", "random:1:0:3x3x3", "graph:permutations:3:random:1:0"} {
			toy, p, err := forms.Reader().Target(ctx, name)
			longtest.NoError(t, err)
			r.Add(reports.PartsOf[reports.Part](show.ToyReport(toy, p))...)
		}
		all["ToyReport"] = r
	}
	{
		rows := solvedRows(t, []int{3, 100}, "easy", "hard", "barrier")
		longtest.NoError(t, tightness.Certify(ctx, rows, 0, nil))
		r := tightness.Report(rows)
		r.Add(reports.Table{Name: "certificates", Table: tightness.Certificates(rows)})
		all["tightness"] = r
	}
	logw := ran(t, weights.Laws(), easy(3), weights.Options{Frequencies: 256})
	all["weights"] = weights.Report(logw, nil)
	all["TailsReport"] = weights.TailsReport(logw, []float64{1}, nil)
	all["QuantilesReport"] = weights.QuantilesReport(logw, []float64{0.5}, nil)
	all["samples"] = reportRan(t, weights.Samples(), easy(3), weights.SampleOptions{K: []int{1, 3, 10}})
	return all
}

// ladders are annealings whose distributions are the rungs of parallel tempering, with one inner
// beta.
func ladders(t *testing.T) []subject.Case {
	return casesOf(t, subject.Selection{Toys: []string{"random:2:7:2x3"}, Distributions: []int{3}, Path: "geometric",
		Schedule: "acceptance", Kernel: "heatbath"})
}

// comparedRows has many estimators on a model: most come near to the truth, and those of
// variational Bayes and BIC stay far below it.
func comparedRows() (rows []compare.Row) {
	estimators := []string{"LW", "HME", "AIS", "reverse AIS", "SMC", "SHME", "CMS", "CMS, first", "NS",
		"NS, unbiased volumes", "VB", "VB + log K!", "BIC"}
	for i, name := range estimators {
		for k := range 4 {
			bias := math.Pow(-1, float64(i)) * (5 + float64(i)) / math.Pow(4, float64(k))
			if i >= 10 {
				bias = -200 * float64(i-9)
			}
			rows = append(rows, compare.Row{
				Model:         "clustering",
				Data:          1,
				Rows:          20,
				Columns:       5,
				Estimator:     fmt.Sprint(i),
				Legend:        name,
				Knob:          "T",
				Setting:       10 * (k + 1),
				Trials:        4,
				Bias:          bias,
				RMSE:          math.Abs(bias) + 0.1,
				Combined:      bias,
				CombinedError: bias,
				Seconds:       math.Pow(10, float64(k+i%3-6)),
				Work:          10,
				Steps:         math.NaN(),
			})
		}
	}
	return rows
}

// TestEveryReport: in every table columns have names of their own, which programs can use as names,
// and the reference knows them. No figure has a fault of its layout, at the width of a column of a
// paper and with -long in every style, and all of them may stand in a page. Every study that draws
// has a sample of its name. Reports whose sentence is not that of their study begin with one.
func TestEveryReport(t *testing.T) {
	longtest.Only(t)
	samples := samples(t)
	tables := []string{"power", "reproduce"} // whose views draw nothing
	for _, s := range Studies() {
		if (s.View != nil || s.Plots != nil) && samples[s.Name] == nil && !slices.Contains(tables, s.Name) {
			t.Errorf("the study %s has no sample", s.Name)
		}
	}
	for name, want := range map[string]string{
		"sandwich compare":   " comes nearest to log p(y), with an RMSE of ",
		"sandwich represent": " has the smallest B, ",
		"sandwich table":     "on data of their own: ",
		"samplers calibrate": "% of the failing ones pass",
	} {
		answer, _ := samples[name].Parts[0].(reports.Answer)
		if !strings.Contains(string(answer), want) {
			t.Errorf("%s begins with %q", name, answer)
		}
	}
	for name, r := range samples {
		t.Run(name, func(t *testing.T) {
			for _, part := range r.Tables() {
				checkTable(t, name, part)
			}
			for _, part := range r.Figures() {
				if part.Title == "" {
					t.Error("a figure has no title for pages")
				}
				f, err := part.Draw()
				if err != nil {
					t.Errorf("%s %v", part.Missing, err)
					continue
				}
				checkLayout(t, f)
				checkPage(t, f)
			}
		})
	}
}

// checkPage fails unless a page shows all elements of a figure, and a sheet of paper has room for
// it.
func checkPage(t *testing.T, f *figure.Figure) {
	t.Helper()
	path := filepath.Join(t.TempDir(), f.Name+".svg")
	drawn := string(longtest.Must(f.Encode("svg"))(t))
	longtest.NoError(t, os.WriteFile(path, []byte(drawn), 0o600))
	size := regexp.MustCompile(`height="([\d.]+)pt"`).FindStringSubmatch(drawn)
	if height := longtest.Must(strconv.ParseFloat(size[1], 64))(t); height > 10*72 {
		t.Errorf("%s is %v pt high", f.Name, height)
	}
	shown := longtest.Must(page.Load(page.Catalogue{}, []string{path}))(t)[0].Figures[0]
	if shown.About == "" {
		t.Errorf("%s has no title", f.Name)
	}
	for _, element := range []string{"<path", "<text", "<circle", "<rect", "<title"} {
		if a, b := strings.Count(drawn, element), strings.Count(string(shown.Picture), element); a != b {
			t.Errorf("%s: a page shows %d of %s, not %d", f.Name, b, element, a)
		}
	}
}

// reportOf returns the report of rows. That of the first one alone is written and drawn, too, which
// may not end the program.
func reportOf[R any](t *testing.T, view reports.View, rows []R) *reports.Report {
	t.Helper()
	first := view(rows[:1:1])
	for _, part := range first.Tables() {
		writeTable(t, part.Table, table.Text)
	}
	for _, part := range first.Figures() {
		if f, err := part.Draw(); err == nil {
			longtest.Must(f.Encode("svg"))(t)
		}
	}
	return view(rows)
}

// reportRows returns the report of rows of a study, as reportOf does.
func reportRows[On, O, R any](t *testing.T, s *study.Study[On, O, R], rows []R) *reports.Report {
	t.Helper()
	return reportOf(t, reports.Plotting(s.Declaration.Columns, s.Declaration.Plots, s.Declaration.Show), rows)
}

// reportRan returns the report of a study of subjects.
func reportRan[On, O, R any](t *testing.T, s *study.Study[On, O, R], on []On, o O) *reports.Report {
	t.Helper()
	return reportRows(t, s, ran(t, s, on, o))
}

// ran returns the rows of a study, with what its figures need.
func ran[On, O, R any](t *testing.T, s *study.Study[On, O, R], on []On, o O) []R {
	t.Helper()
	return longtest.Must(study.Run(t.Context(), s, on, o, study.How{Figures: true}))(t)
}

// goldenTable compares a table, as people see it, with the golden file of a name.
func goldenTable(t *testing.T, name string, from *table.Table) {
	t.Helper()
	checkGolden(t, name, []byte(writeTable(t, from, table.Text)))
}

// golden compares the outline of a figure that has been drawn with the golden file of its name, and
// returns it.
func golden(f *figure.Figure, err error) func(t *testing.T) *figure.Figure {
	return func(t *testing.T) *figure.Figure {
		t.Helper()
		longtest.NoError(t, err)
		checkFigure(t, f.Name, f)
		return f
	}
}
