package views

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/checks"
	"breadboard/reports/views/particles"
	"breadboard/toys"
)

// aideRows returns rows of two toys; the numbers of BARRIER at T = 100 are those of the package's
// tests.
func aideRows(t *testing.T) []aide.Row {
	t.Helper()
	toy := longtest.Must(toys.Parse("barrier"))(t)
	barrier := subject.Case{Toy: toy, Algorithm: 1, Params: subject.Setting{Path: "geometric", Schedule: "linear", Kernel: "metropolis", T: 100}.Params()}
	easy := subject.Case{Toy: toys.Easy(), Algorithm: 2, Params: subject.Setting{Path: "geometric", Schedule: "linear", Kernel: "metropolis",
		T: 100}.Params()}
	row := func(c subject.Case, m int, j, mean, sd float64, notes ...string) aide.Row {
		n := aide.Numbers{J: j, Mean: mean, SD: sd, Bias: mean - j, UpperHalf: 0.1, LowerHalf: 0.05, KLQPLower: 0.1, KLQPUpper: 0.2, KLPQUpper: 0.3}
		return aide.Row{Case: c, Target: "ais", Gold: "exact", Meta: m, GoldMeta: 1, Numbers: n, Method: "annealing", Notes: notes}
	}
	return []aide.Row{
		row(barrier, 1, 1.647863, 1.810433, 1.66932), row(barrier, 10, 1.647863, 1.671305, 1.59996), row(barrier, 100, 1.647863, 1.650406, 1.58873),
		row(easy, 1, math.NaN(), math.NaN(), math.NaN(), "too large"), row(easy, 10, math.NaN(), math.NaN(), math.NaN(), "too large"),
	}
}

func TestAIDETable(t *testing.T) {
	rows := aideRows(t)
	goldenTable(t, "aide.txt", particles.AIDE(rows))
	if notes := particles.AIDEReport(rows).Notes(); len(notes) != 1 || !strings.HasSuffix(notes[0].Error(), "T = 100: too large") {
		t.Errorf("notes %v", notes)
	}
	rows[0].WithoutFirstTrace = true
	if notes := particles.AIDEReport(rows).Notes(); len(notes) != 2 || !strings.Contains(notes[1].Error(), "its values bound nothing") {
		t.Errorf("notes of the faulty variant: %v", notes)
	}
}

func TestAIDEFigure(t *testing.T) {
	rows := aideRows(t)
	golden(particles.AIDEReport(rows).Figures()[0].Draw())(t)
	longtest.Refuses(particles.AIDEReport(rows[:1]).Figures()[0].Draw())(t, "at two values of meta")
	longtest.Refuses(particles.AIDEReport(rows[3:]).Figures()[0].Draw())(t, "two values of meta")
}

// aideStudy returns a made-up study with everything that a report can show.
func aideStudy() (rows []aide.ComparisonRow) {
	posterior := &aide.Posterior{Probe: "the mean number of clusters", Exact: 2.9283, Marginals: [][]float64{{0.5, 0.5}, {0.25, 0.75}, {0.1, 0.9}}}
	for _, a := range []struct {
		particles, meta int
		rejuvenate      bool
		j               float64
	}{{1, 1, false, 8.5}, {1, 10, false, 8.5}, {2, 1, false, 4.5}, {2, 10, false, 4.5}, {1, 1, true, 7}, {2, 1, true, 3}} {
		rows = append(rows, aide.ComparisonRow{
			Study: "mixture", Posterior: posterior, Algorithm: "prior", Particles: a.particles, Rejuvenate: a.rejuvenate, Meta: a.meta,
			J: a.j, Mean: a.j + 1/float64(a.meta), SD: 1, LMLError: -a.j / 2, Probe: 2 + float64(a.particles)/10, Method: "counts",
		})
	}
	last := &rows[len(rows)-1]
	last.J, last.Method, last.MeanError, last.LMLStandardError, last.ProbeError = math.NaN(), aide.SampledComparison, 0.01, 0.02, 0.003
	last.Notes = []string{"too many partitions"}
	rows[0].Marginals = [][]float64{{0.4, 0.6}, {0.3, 0.7}, {0.3, 0.7}}
	return rows
}

func TestAIDEStudyTable(t *testing.T) {
	s := aideStudy()
	goldenTable(t, "aide_study.txt", particles.AIDEStudy(s))
	without := slices.Clone(s[:4])
	for i := range without {
		without[i].Posterior = &aide.Posterior{}
	}
	if text := reporttest.Write(t, particles.AIDEStudy(without), table.Text); strings.Contains(text, "probe") || strings.Contains(text, "rejuvenate") {
		t.Errorf("people see columns of what the study has not:\n%s", text)
	}
	notes := particles.AIDEStudyReport(s).Notes()
	if len(notes) != 2 || notes[0].Error() != "probe is the mean number of clusters; for the posterior it is 2.9283" ||
		notes[1].Error() != "prior, rejuvenated, particles 2: too many partitions" {
		t.Errorf("notes %v", notes)
	}
}

func TestAIDEStudyFigures(t *testing.T) {
	longtest.Only(t)
	s := aideStudy()
	for _, part := range particles.AIDEStudyReport(s).Figures() {
		reporttest.Drawn(t, part, "")
	}
	longtest.Refuses(particles.AIDEStudyReport(s[1:]).Figures()[1].Draw())(t, "two values of t")
	longtest.Refuses(particles.AIDEStudyReport(s[:2]).Figures()[0].Draw())(t, "no row has numbers for AIDE")
}

// aideFindings checks two particles with a scheme on the default targets.
func aideFindings(t *testing.T, algorithm, scheme string) []aide.Finding {
	t.Helper()
	choice := longtest.Must(aide.Parse(algorithm + ":" + scheme))(t)
	few := reporttest.Cases(t, subject.Selection{Toys: aide.CheckToys(), Distributions: []int{aide.CheckDistributions}})
	return longtest.Must(aide.Check(context.Background(), choice, few, nil))(t)
}

// TestAIDECheckReport: a fault among the findings is the report's fault.
func TestAIDECheckReport(t *testing.T) {
	right := aideFindings(t, "smc:2", "residual")
	r := checks.AIDECheckReport("smc:2:residual", right)
	if r.Fault != nil || len(r.Tables()) != 1 || len(r.Notes()) != 1 {
		t.Errorf("fault %v, %d tables, notes %v", r.Fault, len(r.Tables()), r.Notes())
	}
	wrong := append([]aide.Finding(nil), right...)
	wrong[0].Verdict, wrong[0].Value = check.Fault, math.NaN()
	if r = checks.AIDECheckReport("smc:2:residual", wrong); !chains.IsFault(r.Fault) {
		t.Errorf("fault %v", r.Fault)
	}
}
