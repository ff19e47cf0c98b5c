package catalogue

import (
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/simulate"
	"breadboard/experiments/forms"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/toys/latent"
	"breadboard/toys/models"
)

// evidenceRows returns made-up rows of two toys with everything that a report can show.
func evidenceRows(t *testing.T) []evidence.Row {
	t.Helper()
	setting := subject.Setting{
		Path:     "geometric",
		Initial:  "prior",
		Schedule: "sigmoid:4",
		Kernel:   "heatbath-scan",
		T:        2,
	}.Params()
	toy := func(name string, id int) subject.Case {
		toy := longtest.Must(forms.All().Parse(name))(t)
		return subject.Case{Toy: toy, Algorithm: id, Params: setting}
	}
	clu8 := toy("clu8", 1)
	easy := toy("easy", 2)
	row := func(c subject.Case, estimator, settings string,
		work, bias, sd, above float64) evidence.Row {
		r := evidence.Row{
			Case:      c,
			Estimator: estimator,
			Settings:  settings,
			Trials:    1,
			Work:      work,
			LogZRatio: -19,
			Numbers: evidence.Numbers{
				Mean:        -19 + bias,
				Bias:        bias,
				SD:          sd,
				RMSE:        math.Hypot(bias, sd),
				LogMeanZ:    -19,
				PAbove1:     above,
				PAbove1Low:  above,
				PAbove1High: above,
			},
			Method:         "transform",
			NeedsExactDraw: estimator == "rais",
			Bound:          evidence.Lower,
		}
		for _, b := range []float64{-4, bias - sd, bias, bias + sd, bias + 2*sd} {
			p := 0.5 * math.Erfc((b-bias)/sd/math.Sqrt2)
			r.Tail = append(r.Tail, evidence.Tail{Nats: b, Low: p, High: p})
		}
		return r
	}
	rows := []evidence.Row{
		row(clu8, "lw", "K=10", 10, -4.5, 3.4, 0.1457),
		row(clu8, "lw", "K=100", 100, -0.77, 1.7, 0.03378),
		row(clu8, "rais", "T=2", 10, 4.1, 0.8, 0.978),
		row(clu8, "rais", "T=13", 98, 0.95, 1.2, 0.52),
		row(clu8, "bic", "restarts=1", 315, 1e-15, 0, 0),
		row(easy, "lw", "K=10", 10, -0.26, 0.79, 0.017),
		row(easy, "lw", "K=100", 100, -0.022, 0.21, 7.1e-11),
		row(easy, "chib:chain", "K=1", 13, math.Inf(1), math.NaN(), 0.7),
	}
	rows[1].PAbove1Low, rows[1].PAbove1High = 0.0335, 0.0341
	rows[1].NotesAbove = []string{"p_above_1 is known within 0.0003"}
	combined := row(clu8, "lw", "K=10", 250, -0.4, 0.9, math.NaN())
	combined.Trials = 25
	combined.Tail = nil
	failed := row(easy, "cms", "K=41", 984, math.NaN(), math.NaN(), math.NaN())
	failed.Error = "too many states"
	failed.Method = "none"
	failed.Tail = nil
	last := &rows[len(rows)-1]
	last.Tail = nil
	last.Notes = []string{"a chain may miss the state"}
	rows = append(rows[:2:2], append([]evidence.Row{combined}, append(rows[2:], failed)...)...)
	for _, list := range evidence.ByTarget(rows) {
		shared := &evidence.Shared{Work: 100}
		for i := range list {
			list[i].Shared = shared
		}
	}
	return rows
}

// TestEvidenceNotes: each reason is one line, and precision of one column is left to its note.
func TestEvidenceNotes(t *testing.T) {
	why := reason("it needs data")
	rows := evidenceRows(t)
	rows[len(rows)-1].Shared.Omitted = []evidence.Omission{
		{Estimator: "smc", Reason: why}, {Estimator: "shme", Reason: why},
		{Estimator: "vb", Reason: reason("it is for clusterings")}}
	report := evidence.Study().Declaration.Show(rows)
	want := strings.Join([]string{
		"toy easy: omitted smc, shme: it needs data", "toy easy: omitted vb: it is for clusterings",
		"toy easy: chib:chain K=1: a chain may miss the state",
		"toy easy: cms K=41: no exact distribution: too many states",
		"toy clu8: usable on real data at work 100: lw K=100, RMSE 1.9 nats, the smallest of those that " +
			"need no exact draw",
		"toy easy: usable on real data at work 100: lw K=100, RMSE 0.21 nats, the smallest of those that " +
			"need no exact draw",
	}, "\n")
	if notes := notesText(report); notes != want {
		t.Errorf("notes\n%s", notes)
	}
	if report.Fault != nil {
		t.Error(report.Fault)
	}
	report = evidence.Study().Declaration.Show(rows[len(rows)-1:])
	if report.Fault == nil {
		t.Error("no distribution at all is not a fault")
	}
}

type reason string

func (e reason) Error() string { return string(e) }

// fittedRows fits a clustering to a small table that is drawn from one. The seconds of chains are
// set, since no two runs have the same.
func fittedRows(t *testing.T, lengths ...int) []compare.FittedRow {
	t.Helper()
	c := chains.NewSampler(simulate.NewStream(1, "a table for a report", 1))
	y, _ := latent.SimulateClustering(
		c,
		20,
		2,
		2,
		estimators.Clusters{Pi: []float64{0.5, 0.5}, CentreVariance: 4, NoiseVariance: 0.5},
	)
	rows := ran(t, compare.FitStudy(), nil, compare.FittedOptions{
		Model:    "clustering:2",
		Table:    &models.Table{Rows: y},
		Scale:    compare.ScaleNone,
		Moves:    30,
		T:        lengths,
		S:        []int{10, 100},
		Chains:   8,
		Starts:   1,
		Datasets: 3,
		Seed:     1,
	})
	for i := range rows {
		rows[i].Seconds = 1e-4 * float64(rows[i].T)
	}
	return rows
}

// representedRows anneals a small matrix in both representations. The seconds of chains are set,
// since no two runs have the same.
func representedRows(t *testing.T, lengths ...int) []compare.RepresentationRow {
	t.Helper()
	o := compare.RepresentationOptions{
		Model:    "lowrank:2",
		Rows:     8,
		Columns:  5,
		T:        lengths,
		Chains:   3,
		Datasets: 2,
		Seed:     1,
	}
	rows := ran(t, compare.Representations(), nil, o)
	for i := range rows {
		rows[i].Seconds = 1e-5 * rows[i].Work
	}
	return rows
}

// TestSandwichRepresentFaults: representations that contradict each other are a fault, and one T is
// no curve.
func TestSandwichRepresentFaults(t *testing.T) {
	rows := representedRows(t, 10)
	for i := range rows {
		if rows[i].Representation == "collapsed" {
			rows[i].Lower += 200
			rows[i].Upper += 200
		}
	}
	report := compare.Representations().Declaration.Show(rows)
	if !chains.IsFault(report.Fault) || len(report.Notes()) != 1 ||
		!strings.Contains(report.Notes()[0].Error(), "lower end of collapsed") {
		t.Errorf("fault %v, notes %v", report.Fault, report.Notes())
	}
	longtest.Refuses(report.Figures()[0].Draw())(t, "at two values of T")
}

// crossedRows fits two models to the data of each other. The seconds of chains are set, since no
// two runs have the same.
func crossedRows(t *testing.T, datasets int) []compare.CrossedRow {
	t.Helper()
	o := compare.CrossedOptions{
		Models:   []string{"clustering:2:5:1", "lowrank:1"},
		Rows:     12,
		Columns:  5,
		T:        50,
		Chains:   3,
		Datasets: datasets,
		Seed:     2,
	}
	rows := ran(t, compare.Crossed(), nil, o)
	for i := range rows {
		rows[i].Seconds = 0.25
	}
	return rows
}
