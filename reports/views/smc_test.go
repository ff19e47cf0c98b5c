package views

import (
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/particle"
	"breadboard/exact/smc"
	"breadboard/experiments"
	"breadboard/experiments/particles"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
)

// smcRows returns rows of BARRIER at T = 100, with the values that a program of its own has computed in many digits.
func smcRows(t *testing.T) []particles.Row {
	t.Helper()
	c := reporttest.Cases(t, experiments.Selection{Toys: []string{"barrier"}, Distributions: []int{100}})[0]
	unknown := math.NaN()
	var rows []particles.Row
	for _, v := range []struct {
		particles        int
		scheme           particle.Scheme
		threshold        float64
		klqp, klpq       float64
		forward, reverse float64
		relvar           float64
		method           string
	}{
		{1, particle.Multinomial{}, 1, 0.899840126437607, 0.748022484750626, 0.474232733339246, 2.284665367811513, 2.15433733596268993, "annealing"},
		{2, particle.Multinomial{}, 1, 0.882449331806968594, 0.730436707203928491, 0.514314726774345835, 2.24189290852699466, 1.96234997328138467, "pairs"},
		{10, particle.Multinomial{}, 1, unknown, unknown, unknown, unknown, 1.38462353568083052, "none"},
		{2, particle.Systematic{}, 1, 0.5471271223587279, 0.427030504821846491, 0.747100331569711155, 2.02406956961556473, unknown, "pairs"},
		{1, particle.Multinomial{}, 0, 0.899840126437607, 0.748022484750626, 0.474232733339246, 2.284665367811513, 2.15433733596268993, "annealing"},
		{2, particle.Multinomial{}, 0, 0.475250655475432353, 0.368763300106494729, 0.802206457248173969, 1.95012606829871939, unknown, "integral"},
		{10, particle.Multinomial{}, 0, 0.0168099251061215532, 0.0150623039581755866, 1.31511959659669294, 1.55533947701873018, unknown, "integral"},
		{100, particle.Multinomial{}, 0, 7.06702530982243513e-05, 7.00650414648750346e-05, 1.43365185257652421, 1.45541957392101295, unknown, "integral"},
	} {
		r := particles.Row{
			Case: c, Setting: smc.Setting{Particles: v.particles, Scheme: v.scheme, Threshold: v.threshold},
			Law: &smc.Law{
				J: v.klqp + v.klpq, KLQP: v.klqp, KLPQ: v.klpq, MeanLogZForward: v.forward, MeanLogZConditional: v.reverse, B: v.reverse - v.forward,
				LogZRatio: 1.44461343408000622, RelativeVariance: v.relvar,
			},
			Limits: smc.Limits{P: unknown, P2J: unknown},
		}
		r.Method = smc.Method(v.method)
		if v.method == "none" {
			r.Notes = []string{"too many particles"}
		}
		if r.EveryStage() {
			r.Limits = smc.Limits{P: 42.3618715460800292, P2J: 1325.15555776753612}
		}
		rows = append(rows, r)
	}
	return rows
}

func TestSMCTable(t *testing.T) {
	reporttest.Golden(t, "smc.txt", []byte(reporttest.Write(t, annealing.SMCReport(smcRows(t)).Tables()[0].Table, table.Text)))
}

func TestSMCFigure(t *testing.T) {
	longtest.NotShort(t)
	rows := smcRows(t)
	f := longtest.Must(annealing.SMCFigure(rows))(t)
	reporttest.Golden(t, f.Name+".svg", reporttest.SVG(t, f))
	for what, few := range map[string][]particles.Row{"one number of particles": rows[:1], "one that is known": rows[1:3]} {
		if _, err := annealing.SMCFigure(few); err == nil || !strings.Contains(err.Error(), "at least two numbers of particles") {
			t.Errorf("%s: error %v", what, err)
		}
	}
	// Infinite and zero values are left out, and do not take the rest with them.
	rows[4].J, rows[5].J, rows[5].MeanLogZForward = math.Inf(1), 0, math.Inf(-1)
	if _, err := annealing.SMCFigure(rows); err != nil {
		t.Errorf("with gaps: %v", err)
	}
}

// TestSMCNotes: the report says where an exact route is missing, where resampling hurts and where more particles do, and
// nothing of that where they do not.
func TestSMCNotes(t *testing.T) {
	rows := smcRows(t)
	want := []string{
		"10 particles, multinomial: too many particles",
		"resampling hurts here: with 2 particles J is 0.844014 where they are never resampled, and 1.61289 multinomial, 0.974158 systematic",
	}
	if got := annealing.SMCNotes(rows); !slices.Equal(got, want) {
		t.Errorf("notes\n%q\nwant\n%q", got, want)
	}
	for _, c := range []struct {
		js   [3]float64
		want string
	}{
		{[3]float64{0, 1.8e-32, 1.9e-32}, ""}, // rounding
		{[3]float64{2, 2.5, 1}, "more particles are worse here (never): J is 2 with 2 particles and 2.5 with 10 particles"},
		{[3]float64{2, 1, 1.5}, "more particles are worse here (never): J is 1 with 10 particles and 1.5 with 100 particles"},
		// What rounding leaves of zero says nothing of particles.
		{[3]float64{2, 1e-33, 1e-30}, ""},
	} {
		worse := slices.Clone(rows[5:8])
		for i, j := range c.js {
			values := *worse[i].Law
			values.J = j
			worse[i].Law = &values
		}
		if got := annealing.SMCNotes(worse); strings.Join(got, "; ") != c.want {
			t.Errorf("notes\n%q\nwant\n%q", got, c.want)
		}
	}
}
