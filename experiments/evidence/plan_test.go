package evidence

import (
	"context"
	"errors"
	"math"
	"testing"

	"breadboard/chains/estimators"
	"breadboard/exact/laws"
	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// targetOf returns the target of a toy with a kernel.
func targetOf(t *testing.T, toy, kernel string) *target {
	t.Helper()
	cases := longtest.Must(Cases(context.Background(), experiments.Selection{Toys: []string{toy}, Path: "geometric", Schedule: DefaultSchedule, Kernel: kernel}))(t)
	on := longtest.Must(newTarget(context.Background(), &cases[0]))(t)
	return on
}

// plansOf returns the plans of an estimator on a target for some works.
func plansOf(t *testing.T, on *target, estimator string, works ...float64) []plan {
	t.Helper()
	c := longtest.Must(Parse(estimator))(t)
	plans := longtest.Must(c.plans(t.Context(), on, works, 1))(t)
	return plans
}

// TestPlans: the setting for a work is the largest whose work is at most that, or the smallest where all take more, by the estimators
// themselves, and by the laws where they know the work. A mixture's moves do not cost a whole number.
func TestPlans(t *testing.T) {
	longtest.NotShort(t)
	ctx := context.Background()
	works := []float64{1, 2, 3, 4.5, 7, 10, 11.2, 30}
	for _, on := range []*target{targetOf(t, "clu4", ""), targetOf(t, "barrier", "metropolis"), targetOf(t, "random:1:0:2x3", "mixture:0.3*metropolis+0.7*heatbath")} {
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
					t.Errorf("%s on %s with work %v: setting %d, and the next takes %v", c.Name, on.on.Toy.Name, w, n, work(n+1))
				}
				if p := &plans[0]; !c.byLaw && !(total(p.work) <= work(n)*(1+1e-12) && total(p.work) >= work(n)*(1-1e-12)) {
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

// TestSharedSetting: works that pay for the same setting have one row, whose note says so.
func TestSharedSetting(t *testing.T) {
	on := targetOf(t, "barrier", "metropolis") // proposals off the grid cost nothing, so that M is above the work
	plans := plansOf(t, on, "ns:2:together", 8, 7.95, 10)
	if len(plans) != 2 || plans[0].setting != 10 || plans[1].setting != 13 {
		t.Fatalf("%+v", plans)
	}
	if want := "one row for the works 8 and 7.95, which pay for the same setting"; plans[0].note != want || plans[1].note != "" {
		t.Errorf("notes %q and %q", plans[0].note, plans[1].note)
	}
}

// TestErrorRow: a law that cannot be computed leaves its row with the error, and a fault of the context ends the study.
func TestErrorRow(t *testing.T) {
	on := targetOf(t, "clu4", "")
	c := plansOf(t, on, "lw", 3)[0].Choice
	c.law = func(context.Context, *target, int, int) (laws.Law, error) { return nil, errors.New("too large") }
	p := &plan{on, c, 3, estimators.Work{Evaluations: 3}, estimators.ArithmeticMean, true, nil, "", nil}
	rows, err := p.rows(context.Background(), &Options{Trials: []int{1, 2}, Runs: 10}, study.How{Workers: 1, Figures: true})
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, r := range rows {
		if r.Error != "too large" || r.Work != float64(3*(i+1)) || r.Mean == r.Mean || r.Sample == nil || r.Sample.Z == r.Sample.Z || r.Tail != nil {
			t.Errorf("%+v", r)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.rows(ctx, &Options{Trials: []int{1}}, study.How{Workers: 1}); err == nil {
		t.Error("an ended context leaves rows")
	}
}

// TestUnknownWork: where nobody knows what larger settings cost, the smallest is taken, and a note says so.
func TestUnknownWork(t *testing.T) {
	plans := plansOf(t, targetOf(t, "random:1:0:2x2", ""), "ns:3:together", 10, 1000)
	if len(plans) != 1 || plans[0].setting != 0 || plans[0].note == "" {
		t.Errorf("%+v", plans)
	}
}

// TestOneState: on a single state moves cost nothing, and no setting is without a law.
func TestOneState(t *testing.T) {
	on := targetOf(t, "random:1:0:1x1", "")
	for _, name := range []string{"lw", "hme:chain", "ais", "rais", "chib:chain", "cms", "ns", "ns:2:together", "mf"} {
		for _, p := range plansOf(t, on, name, 1, 30, 1e9) {
			law, err := p.lawOf(context.Background(), on, p.setting, 1)
			if err != nil {
				t.Fatalf("%s with setting %d: %v", name, p.setting, err)
			}
			if m, err := law.Moments(context.Background(), 1); err != nil || math.Abs(m.Mean-on.LogZ) > 1e-12 {
				t.Errorf("%s with setting %d: %+v, %v", name, p.setting, m, err)
			}
		}
	}
}

// TestLargestSetting: no work leads to more scans than there may be.
func TestLargestSetting(t *testing.T) {
	for _, name := range []string{"smc", "shme:prior"} {
		if plans := plansOf(t, targetOf(t, "clu4", ""), name, MaxWork); len(plans) != 1 || plans[0].setting != estimators.MaxSweeps {
			t.Errorf("%s: %+v", name, plans)
		}
	}
}

// TestLargestWithLaw: where laws end before the work does, the setting is the largest with a law, and a note says so.
func TestLargestWithLaw(t *testing.T) {
	const most = 1234
	on := targetOf(t, "random:1:0:2x2", "")
	weighting := longtest.Must(Parse("lw"))(t)
	tries := 0
	c := Choice{"made up", "", family{
		smallest: 1, byLaw: true, settings: draws,
		make: weighting.make,
		law: func(_ context.Context, _ *target, n, _ int) (laws.Law, error) {
			if tries++; n > most {
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

// workLaw is a law that knows its work alone.
type workLaw struct {
	laws.Law
	work float64
}

func (l workLaw) Work() estimators.Work { return estimators.Work{Evaluations: l.work} }
