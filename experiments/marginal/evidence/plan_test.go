package evidence

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"breadboard/chains/estimators"
	"breadboard/exact/laws"
	"breadboard/experiments/forms"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/columns"
)

// targetOf returns the target of a toy with a kernel.
func targetOf(t *testing.T, toy, kernel string) *target {
	t.Helper()
	cases := longtest.Must(AnnealingsOf(context.Background(),
		subject.Selection{Reader: forms.Reader(), Toys: []string{toy}, Path: "geometric", Schedule: DefaultSchedule,
			Kernel: kernel}))(t)
	return longtest.Must(newTarget(context.Background(), &cases[0]))(t)
}

// plansOf returns the plans of an estimator on a target for some works.
func plansOf(t *testing.T, on *target, estimator string, works ...float64) []plan {
	t.Helper()
	c := longtest.Must(Parse(estimator))(t)
	return longtest.Must(c.plans(t.Context(), on, works, 1))(t)
}

// TestPlans: the setting for a work is the largest whose work is at most that, or the smallest
// where all take more, by the estimators themselves, and by the distributions where they know the
// work. A mixture's moves do not cost a whole number.
func TestPlans(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	works := []float64{1, 2, 3, 4.5, 7, 10, 11.2, 30}
	for _, on := range []*target{targetOf(t, "clu4", ""), targetOf(t, "barrier", "metropolis"),
		targetOf(t, "random:1:0:2x3", "mixture:0.3*metropolis+0.7*heatbath")} {
		for _, text := range append(Standard(), "ns:2:together:unbiased") {
			c := longtest.Must(Parse(text))(t)
			if c.lacks(ctx, on) != nil {
				continue
			}
			work := func(n int) float64 {
				if c.byLaw {
					law := longtest.Must(c.lawOf(ctx, on, n, 1))(t)
					return total(law.Work())
				}
				e := longtest.Must(c.estimator(ctx, on, n))(t)
				return total(e.Work())
			}
			for _, w := range works {
				plans, err := c.plans(ctx, on, []float64{w}, 1)
				if err != nil || len(plans) != 1 {
					t.Fatalf("%s with work %v: %d plans, %v", c.Name, w, len(plans), err)
				}
				n := plans[0].setting
				if n != c.smallest && work(n) > w*(1+1e-12) {
					t.Errorf("%s on %s with work %v: setting %d takes %v", c.Name, on.on.Toy.Name, w, n, work(n))
				}
				if (c.fixed == nil || !c.fixed(on)) && work(n+1) <= w {
					t.Errorf("%s on %s with work %v: setting %d, and the next takes %v", c.Name,
						on.on.Toy.Name, w, n, work(n+1))
				}
				if p := &plans[0]; !c.byLaw &&
					!(total(p.work) <= work(n)*(1+1e-12) && total(p.work) >= work(n)*(1-1e-12)) {
					t.Errorf("%s: work %v, want %v", c.Name, total(p.work), work(n))
				}
			}
			all := longtest.Must(c.plans(ctx, on, works, 1))(t)
			for i := range all {
				if i > 0 && all[i].setting == all[i-1].setting || all[i].last != (i == len(all)-1) {
					t.Errorf("%s: plan %d is %+v", c.Name, i, all[i].setting)
				}
			}
		}
	}
}

// TestSharedSetting: works that buy the same setting have one row.
func TestSharedSetting(t *testing.T) {
	// proposals off the grid cost nothing, so that M is above the work
	on := targetOf(t, "barrier", "metropolis")
	plans := plansOf(t, on, "ns:2:together", 8, 7.95, 10)
	if len(plans) != 2 || plans[0].setting != 10 || plans[1].setting != 13 {
		t.Fatalf("%+v", plans)
	}
}

// TestErrorRow: a distribution that cannot be computed leaves its row with the error, or with the
// numbers of runs if there are any. An ended context ends the study.
func TestErrorRow(t *testing.T) {
	on := targetOf(t, "clu4", "")
	c := plansOf(t, on, "lw", 3)[0].Choice
	c.law = func(context.Context, *target, int, int) (laws.Law, error) { return nil, errors.New("too large") }
	p := &plan{on, c, 3, estimators.Work{Evaluations: 3}, estimators.ArithmeticMean, true, nil, "", nil}
	for _, runs := range []int{0, 10} {
		rows := longtest.Must(p.settingRows(context.Background(), &Options{Trials: []int{1, 2}, Runs: runs},
			study.How{Workers: 1, Figures: true}))(t)
		if len(rows) != 2 {
			t.Fatalf("%d rows", len(rows))
		}
		for i, r := range rows {
			if r.Work != float64(3*(i+1)) || r.Tail != nil || (r.Error == "too large") != (runs == 0) ||
				(r.Mean == r.Mean) != (runs > 0) {
				t.Errorf("%+v", r)
			}
			if runs > 0 && (r.Method != methodRuns || r.Mean != r.Sample.Mean || r.Sample.Z == r.Sample.Z ||
				math.Abs(r.Bias-(r.Mean-r.LogZRatio)) > 1e-14) {
				t.Errorf("%+v", r)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	longtest.Refuses(p.settingRows(ctx, &Options{Trials: []int{1}}, study.How{Workers: 1}))(t,
		"too large",
		"an ended context leaves rows",
	)
}

// TestUnknownWork: if the cost of larger settings is not known, the smallest is taken, and a note
// says so.
func TestUnknownWork(t *testing.T) {
	plans := plansOf(t, targetOf(t, "random:1:0:2x2", ""), "ns:3:together", 10, 1000)
	if len(plans) != 1 || plans[0].setting != 0 || plans[0].note == "" {
		t.Errorf("%+v", plans)
	}
}

// TestOneState: on a single state moves cost nothing, and no setting is without a distribution.
func TestOneState(t *testing.T) {
	on := targetOf(t, "random:1:0:1x1", "")
	for _, name := range []string{
		"lw", "hme:chain", "ais", "rais", "chib:chain", "cms", "ns", "ns:2:together", "mf"} {
		for _, p := range plansOf(t, on, name, 1, 30, 1e9) {
			law, err := p.lawOf(context.Background(), on, p.setting, 1)
			if err != nil {
				t.Fatalf("%s with setting %d: %v", name, p.setting, err)
			}
			if m, err := law.Moments(context.Background(), 1); err != nil ||
				math.Abs(m.Mean-on.LogZ) > 1e-12 {
				t.Errorf("%s with setting %d: %+v, %v", name, p.setting, m, err)
			}
		}
	}
}

// TestLargestSetting: no work leads to more scans than there may be.
func TestLargestSetting(t *testing.T) {
	for _, name := range []string{"smc", "shme:prior"} {
		if plans := plansOf(t, targetOf(t, "clu4", ""), name, maxWork); len(plans) != 1 ||
			plans[0].setting != estimators.MaxSweeps {
			t.Errorf("%s: %+v", name, plans)
		}
	}
}

// TestLargestWithLaw: if distributions end before the work does, the setting is the largest with a
// distribution, and a note says so.
func TestLargestWithLaw(t *testing.T) {
	const most = 1234
	on := targetOf(t, "random:1:0:2x2", "")
	weighting := longtest.Must(Parse("lw"))(t)
	tries := 0
	c := Choice{"made up", family{
		smallest: 1, byLaw: true, settings: draws,
		make: weighting.make,
		law: func(_ context.Context, _ *target, n, _ int) (laws.Law, error) {
			tries++
			if n > most {
				return workLaw{work: math.NaN()}, nil
			}
			return workLaw{work: 2 + 3*float64(n)}, nil
		},
	}}
	plans, err := c.plans(context.Background(), on, []float64{100, 1e9}, 1)
	if err != nil || len(plans) != 2 {
		t.Fatalf("%+v, %v", plans, err)
	}
	if p := plans[0]; p.setting != 32 || p.note != "" {
		t.Errorf("for a work of 100: %d, %q", p.setting, p.note)
	}
	if p := plans[1]; p.setting != most || p.note == "" {
		t.Errorf("for a work of 1e9: %d, %q", p.setting, p.note)
	}
	if tries > 60 {
		t.Errorf("%d laws for two settings", tries)
	}
}

// workLaw is a distribution that knows its work alone.
type workLaw struct {
	laws.Law
	work float64
}

func (l workLaw) Work() estimators.Work { return estimators.Work{Evaluations: l.work} }

// TestAnyOf keeps the digits of small probabilities, and knows certain and impossible events.
func TestAnyOf(t *testing.T) {
	for p, want := range map[float64]float64{0: 0, 1: 1, 0.5: 1 - 0.5*0.5*0.5, 1e-20: 3e-20} {
		if got := anyOf(3, p); math.Abs(got-want) > 1e-15*want {
			t.Errorf("any of three events of probability %v: %v, want %v", p, got, want)
		}
	}
}

// TestCombined: estimates 1 and 4 combine to 2.5, 1.6, 4 and, by their logarithms, 2; an estimate
// of zero makes the harmonic mean zero, and an infinite one is nothing to it.
func TestCombined(t *testing.T) {
	for how, want := range map[estimators.Combination]float64{
		estimators.ArithmeticMean: 2.5, estimators.HarmonicMean: 1.6, estimators.Maximum: 4,
		estimators.MeanOfLogs: 2,
	} {
		if got := math.Exp(combined([]float64{0, math.Log(4)}, how)); math.Abs(got-want) > 1e-15*4 {
			t.Errorf("%v: %v, want %v", how, got, want)
		}
	}
	if got := combined([]float64{0, math.Inf(-1)}, estimators.HarmonicMean); !math.IsInf(got, -1) {
		t.Errorf("the harmonic mean with zero: %v", got)
	}
	if got := math.Exp(combined([]float64{0, math.Inf(1)}, estimators.HarmonicMean)); math.Abs(got-2) > 1e-15 {
		t.Errorf("the harmonic mean with infinity: %v", got)
	}
}

// TestAboveOne: of one draw from the prior, P(log Z-hat > log Z + 1) is the prior probability of
// the states whose likelihood is that large.
func TestAboveOne(t *testing.T) {
	on := targetOf(t, "random:1:3:5x5", "")
	plans := plansOf(t, on, "lw", 1)
	rows := longtest.Must(
		plans[0].settingRows(context.Background(), &Options{Trials: []int{1, 2}}, study.How{Workers: 1}),
	)(t)
	want := 0.0
	atZero := 0.0
	ofTwo := 0.0
	for x, p := range on.Prior {
		for y, q := range on.Prior {
			if (math.Exp(on.LogL[x]-on.LogZ)+math.Exp(on.LogL[y]-on.LogZ))/2 > math.E {
				ofTwo += p * q
			}
		}
		if on.LogL[x] > on.LogZ {
			atZero += p
		}
		if on.LogL[x] > on.LogZ+1 {
			want += p
		}
	}
	if r := rows[0]; want == 0 || want == atZero || math.Abs(r.PAbove1-want) > 1e-12 ||
		r.PAbove1Low > r.PAbove1 || r.PAbove1High < r.PAbove1 {
		t.Errorf("%v in %v to %v, want %v", r.PAbove1, r.PAbove1Low, r.PAbove1High, want)
	}
	if r := rows[1]; ofTwo == want || math.Abs(r.PAbove1-ofTwo) > 1e-12 {
		t.Errorf("of two combined: %v in %v to %v, want %v", r.PAbove1, r.PAbove1Low, r.PAbove1High, ofTwo)
	}
}

// TestMeanOverZ: E Z-hat/Z is the mean of Z-hat in all ways for a run to come out, in units of Z,
// with all of its digits where a constant in log f is large. It is one of the estimators that are
// unbiased, and an empty cell where float64 cannot hold it.
func TestMeanOverZ(t *testing.T) {
	fields := fields()
	cell := fields[slices.IndexFunc(fields, func(f columns.Field) bool { return f.Name == "mean_over_z" })].Of
	for _, toy := range []string{"random:1:0:2x2", "cells:100000:100001/99998:100000"} {
		on := targetOf(t, toy, "heatbath-scan")
		for _, text := range []string{"lw", "hme", "ais", "rais", "chib", "cms", "cms:first", "mf"} {
			p := plansOf(t, on, text, 2)[0]
			want := 0.0
			for _, o := range longtest.Must(p.enumerate(t.Context()))(t).Outcomes() {
				want += o.P * math.Exp(o.Value-on.LogZ)
			}
			r := longtest.Must(p.settingRows(t.Context(), &Options{Trials: []int{1}},
				study.How{Workers: 1}))(t)[0]
			if got, is := cell(&r).(float64); !is || math.Abs(got-want) > 1e-12*want {
				t.Errorf("%s, %s: %v, want %v", toy, text, cell(&r), want)
			}
			if slices.Contains([]string{"lw", "ais", "cms"}, text) && math.Abs(want-1) > 1e-12 {
				t.Errorf("%s, %s: the mean by enumeration is %v", toy, text, want)
			}
		}
	}
	for log, want := range map[float64]any{
		0: 1., 709: math.Exp(709), 710: nil, -708: math.Exp(-708), -709: nil, math.Inf(1): math.Inf(1),
		math.Inf(-1): 0., math.NaN(): nil} {
		if got := cell(&Row{Numbers: Numbers{LogMeanOverZ: log}}); got != want {
			t.Errorf("a logarithm of %v: %v, want %v", log, got, want)
		}
	}
}

// TestSampleOfInfiniteMean: an estimate that may be zero has no finite mean, and runs that were
// never zero are no evidence against it.
func TestSampleOfInfiniteMean(t *testing.T) {
	on := targetOf(t, "random:1:0:2x2", "")
	plans := plansOf(t, on, "lw", 3)
	r := Row{Case: *on.on, Trials: 1, Numbers: Numbers{Mean: math.Inf(-1), Bias: math.Inf(-1)}}
	longtest.NoError(t, plans[0].sampleRow(context.Background(), &r, &Options{Runs: 100, Seed: 1}, 1))
	if s := r.Sample; !math.IsNaN(s.Z) || math.IsInf(s.Mean, 0) || !(s.StandardError > 0) {
		t.Errorf("%+v", s)
	}
}
