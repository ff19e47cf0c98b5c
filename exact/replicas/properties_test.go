package replicas_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/chains/tempering"
	"breadboard/exact/program"
	"breadboard/exact/replicas"
	"breadboard/grid/longtest"
	"breadboard/toys/forms"
)

// state is the state of all replicas after a scan, and which of them are on their way up.
type state struct {
	X  [tempering.MaxRungs]int // the state at each rung; zero beyond the last
	Up tempering.Up
}

// scans is a run of a number of scans as a Process. It adds up the completed round trips of all
// replicas. A replica completes one when it arrives at rung 0 and has been at rung N since it was
// last there.
type scans struct {
	*tempering.Tempering
	number int
	from   [][]float64 // the distribution of the first state at each rung
}

// Steps returns the number of scans.
func (r scans) Steps() int { return r.number }

// Start draws the state at each rung from its distribution, rung by rung. The replica at the top is
// on its way down, and all others on their way up.
func (r scans) Start(c chains.Chooser) (s state) {
	for i, law := range r.from {
		s.X[i] = c.Choose(law)
	}
	s.Up = 1<<(r.Rungs()-1) - 1
	return s
}

// Step makes scan t, and returns how many round trips it completes.
func (r scans) Step(c chains.Chooser, t int, s state) (state, float64) {
	trips := 0.0
	top := r.Rungs() - 1
	r.Scan(c, t, s.X[:top+1], func(i int, accepted bool) {
		if accepted && s.Up.Swapped(i, top) {
			trips++
		}
	})
	return s, trips
}

// TestEnumerated: the process of chains/tempering, enumerated with all replicas and labels,
// completes as many round trips and has as far a cold chain, for kernels that are not reversible,
// targets with zeros and more rungs too.
func TestEnumerated(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	for _, c := range []struct {
		toy, kernel, scheme string
		betas               []float64
		scans               int // after which the replicas have forgotten where they began
	}{
		{"cells:0:2", "metropolis", "deo", []float64{0, 0.4, 1}, 26},
		{"cells:0:2", "metropolis", "seo", []float64{0, 0.4, 1}, 60},
		{"cells:0:1:-1", "suwa-todo", "deo", []float64{0, 0.3, 1}, 26},
		{"cells:0:2:-inf", "metropolis", "deo", []float64{0, 0.5, 1}, 40},
		{"cells:0:3", "heatbath", "deo", []float64{0, 0.2, 0.5, 1}, 40},
		{"cells:0:3", "heatbath", "seo", []float64{0, 0.2, 0.5, 1}, 90},
		{"cells:0:3", "stay", "deo", []float64{0, 0.2, 0.5, 1}, 26},
		{"graph:permutations:3:random:1:0", "metropolis", "deo", []float64{0, 0.4, 1}, 36},
	} {
		toy := longtest.Must(forms.Targets().Parse(c.toy))(t)
		if (len(c.betas) > 3 || c.scheme == "seo" || toy.Lattice() == nil) && c.kernel != "stay" &&
			!longtest.More() {
			continue
		}
		m := tempered(t, toy, c.kernel, c.scheme, c.betas...)
		many := longtest.Must(replicas.New(ctx, m))(t)
		run := func(number int, from [][]float64) *program.Propagated[state, program.Moments] {
			return longtest.Must(program.Propagate(ctx, scans{m, number, from},
				program.NewMoments(), program.Options{}))(t)
		}
		rate := longtest.Must(many.Rate(ctx))(t)
		trips := run(c.scans, many.Stationary()).Total().Mean - run(c.scans-2, many.Stationary()).Total().Mean
		if math.Abs(trips/2-rate.PerScan) > 1e-12 || !(rate.Lost() < 1e-13) {
			t.Errorf("%+v: %.15g round trips a scan, and enumeration gives %.15g", c, rate.PerScan, trips/2)
		}
		start := many.Alike(evenLaw(m.States()))
		law := make([]float64, m.States())
		after := run(3, start)
		for _, s := range after.States() {
			law[s.X[m.Rungs()-1]] += after.At(s).Mass
		}
		tv := 0.0
		for x, p := range many.Stationary()[m.Rungs()-1] {
			tv += math.Abs(law[x]-p) / 2
		}
		if cold := longtest.Must(many.Cold(ctx, start, []int{0, 3}))(t)[1]; math.Abs(cold.TV.Value-tv) > 1e-14 {
			t.Errorf("%+v: TV is %.15g after three scans, and enumeration gives %.15g", c, cold.TV.Value, tv)
		}
	}
}

// TestFormulaIsNoBound: the formula is above the rate nearly everywhere. On permutations, where
// every proposal goes from the even ones to the odd or back, exploration is better than perfect,
// and it is below.
func TestFormulaIsNoBound(t *testing.T) {
	toy := longtest.Must(forms.Targets().Parse("graph:permutations:3:random:1:0"))(t)
	many := longtest.Must(replicas.New(
		context.Background(),
		tempered(t, toy, "metropolis", "deo", 0, 0.4053809433049188, 1),
	))(t)
	rate := longtest.Must(many.Rate(context.Background()))(t)
	formula := replicas.Formula(tempering.DEO, many.Rejections())
	if math.Abs(rate.PerScan-0.328995914957743) > 1e-12 || math.Abs(formula-0.327910964314636) > 1e-12 {
		t.Errorf("the rate is %.15g, and %.15g by the formula", rate.PerScan, formula)
	}
}

// TestPerfect: replicas that draw from their rungs have the variance of independent draws, unbiased
// estimates of Z at any number of scans, and a cold chain that has forgotten its start after a scan
// without a swap at the top.
func TestPerfect(t *testing.T) {
	ctx := context.Background()
	toy := longtest.Must(forms.Targets().Parse("random:2:7:3x3"))(t)
	for _, scheme := range tempering.Schemes() {
		many := longtest.Must(replicas.New(ctx, tempered(t, toy, "exact", scheme, 0, 0.4, 1)))(t)
		h := standard(functionOf(toy, "x0"), many.Stationary()[2])
		if v := longtest.Must(many.Variance(ctx, h))(t); math.Abs(v.PerScan-1) > 1e-14 {
			t.Errorf("%s: the variance is %v", scheme, v.PerScan)
		}
		for _, s := range longtest.Must(many.Stones(ctx, many.Stationary(), []int{1, 3}))(t) {
			if math.Abs(s.MeanForward-1)+math.Abs(s.MeanReverse-1) > 1e-14 {
				t.Errorf("%s: E Zhat is %v and %v", scheme, s.MeanForward, s.MeanReverse)
			}
		}
	}
}

// standard returns a function with mean zero and variance one under a distribution.
func standard(f, p []float64) []float64 {
	mean := 0.0
	square := 0.0
	out := make([]float64, len(f))
	for x, v := range f {
		mean += p[x] * v
	}
	for x, v := range f {
		square += p[x] * (v - mean) * (v - mean)
	}
	for x, v := range f {
		out[x] = (v - mean) / math.Sqrt(square)
	}
	return out
}

// TestRefused: what would take too much is refused with its number before memory is taken, and what
// has no meaning is refused too.
func TestRefused(t *testing.T) {
	ctx := context.Background()
	easy := longtest.Must(forms.Targets().Parse("easy"))(t)
	many := longtest.Must(replicas.New(ctx, tempered(t, easy, "metropolis", "deo", 0, 0.1, 0.2, 0.5, 0.8, 1)))(t)
	zeros := longtest.Must(forms.Targets().Parse("cells:0:-inf:1"))(t)
	cut := longtest.Must(replicas.New(ctx, tempered(t, zeros, "metropolis", "deo", 0, 1)))(t)
	wide := longtest.Must(replicas.New(
		ctx,
		tempered(t, longtest.Must(forms.Targets().Parse("random:300:1:2x2"))(t), "metropolis", "deo", 0, 1),
	))(t)
	start := many.Alike(evenLaw(49))
	for want, f := range map[string]func() error{
		"takes 5.537e+10": func() error { _, err := many.Rate(ctx); return err },
		"variance of 6 replicas on 49 states each takes 1.384e+10": func() error {
			_, err := many.Variance(ctx, make([]float64, 49))
			return err
		},
		"the distribution of 6": func() error { _, err := many.Cold(ctx, start, []int{1}); return err },
		"stepping stone of 6":   func() error { _, err := many.Stones(ctx, start, []int{1}); return err },
		"rungs 0 and 1 span": func() error {
			_, err := wide.Stones(ctx, wide.Stationary(), []int{1})
			return err
		},
		"zero somewhere": func() error {
			_, err := cut.Stones(ctx, cut.Stationary(), []int{1})
			return err
		},
		"6 distributions for 2": func() error { _, err := cut.Cold(ctx, start, []int{1}); return err },
		"one or more":           func() error { _, _, err := many.Logs(ctx, start, nil); return err },
		"must rise": func() error {
			_, err := cut.Cold(ctx, cut.Stationary(), []int{2, 1})
			return err
		},
		"is of 2 states": func() error {
			_, err := cut.Cold(ctx, cut.Alike(evenLaw(2)), []int{1})
			return err
		},
		"a function of 2": func() error { _, err := cut.Variance(ctx, evenLaw(2)); return err },
	} {
		longtest.Refused(t, f(), want, want)
	}
}

// TestInterrupted: everything that takes long ends if the context does.
func TestInterrupted(t *testing.T) {
	toy := longtest.Must(forms.Targets().Parse("random:2:7:3x3"))(t)
	m := tempered(t, toy, "metropolis", "deo", 0, 0.4, 1)
	many := longtest.Must(replicas.New(context.Background(), m))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, f := range map[string]func() error{
		"rate":     func() error { _, err := many.Rate(ctx); return err },
		"barrier":  func() error { _, err := replicas.Barrier(ctx, m.Path()); return err },
		"variance": func() error { _, err := many.Variance(ctx, make([]float64, 9)); return err },
		"law":      func() error { _, err := many.Cold(ctx, many.Stationary(), []int{1}); return err },
		"stones":   func() error { _, err := many.Stones(ctx, many.Stationary(), []int{1}); return err },
		"logs":     func() error { _, _, err := many.Logs(ctx, many.Stationary(), []int{1}); return err },
	} {
		if err := f(); err != context.Canceled {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAfter: what is solved from solutions of ladders nearby is what is solved from nothing.
func TestAfter(t *testing.T) {
	ctx := context.Background()
	toy := longtest.Must(forms.Targets().Parse("barrier:3x3"))(t)
	for _, scheme := range tempering.Schemes() {
		known := &replicas.Known{}
		for i := range 20 {
			if i > 3 && !longtest.Enabled() {
				break
			}
			many := longtest.Must(
				replicas.New(ctx, tempered(t, toy, "metropolis", scheme, 0, 0.1+0.04*float64(i%13), 1)),
			)(t)
			h := standard(functionOf(toy, "g"), many.Stationary()[2])
			rate := longtest.Must(many.Rate(ctx))(t)
			after := longtest.Must(many.After(known).Rate(ctx))(t)
			v := longtest.Must(many.Variance(ctx, h))(t)
			w := longtest.Must(many.After(known).Variance(ctx, h))(t)
			if math.Abs(after.PerScan/rate.PerScan-1) > 1e-12 || math.Abs(w.PerScan/v.PerScan-1) > 1e-11 ||
				w.Error > 1e-10 {
				t.Fatalf("%s, ladder %d: rate %v for %v, variance %v for %v, known to %v", scheme,
					i, after.PerScan, rate.PerScan, w.PerScan, v.PerScan, w.Error)
			}
		}
	}
}

// TestAverageThatDoesNotSettle: a kernel that never moves keeps what the replicas hold, whatever a
// search for the best ladder tries.
func TestAverageThatDoesNotSettle(t *testing.T) {
	toy := longtest.Must(forms.Targets().Parse("cells:0:0/0:-200"))(t)
	initial := longtest.Must(forms.Targets().ParseInitial(t.Context(), "uniform", toy))(t)
	path := longtest.Must(forms.Targets().ParsePath("geometric", initial.Ends, toy))(t)
	for _, b := range []float64{0.004, 0.5, 0.8988728757031316} {
		a := longtest.Must(chains.NewAnnealing(
			path,
			longtest.Must(schedules.NewPoints("ladder", []float64{0, b, 1}))(t),
			kernels.Stay{},
			3,
		))(t)
		r := longtest.Must(replicas.New(t.Context(), longtest.Must(tempering.New(a, tempering.DEO))(t)))(t)
		third := 1 / math.Sqrt(3)
		if v := longtest.Must(r.Variance(t.Context(),
			[]float64{third, third, third, -math.Sqrt(3) * math.Exp(200)}))(t); !math.IsInf(v.PerScan, 1) ||
			!math.IsInf(v.Error, 1) {
			t.Errorf("beta %v: the variance is %v, to a part of %v", b, v.PerScan, v.Error)
		}
	}
}
