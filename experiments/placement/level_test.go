package placement

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/exact/gradient"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestLevel compares steps that are levelled all at once with steps that are found one after
// another, on targets that are gentle and steep and that have states that are equal but for
// rounding. On gentle ones the first way does not fail.
func TestLevel(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		span := rapid.SampledFrom([]float64{1, 5, 37, 700}).Draw(t, "span")
		g := rapid.SliceOfN(rapid.Float64Range(-span, span), 4, 9).Draw(t, "g")
		g = append(g, 0, 0x1p-50, span)
		path := longtest.Must(paths.NewGeometric(nil, g))(t)
		T := rapid.IntRange(2, 25).Draw(t, "T")
		ground := NewGround(path, chains.Always(kernels.Metropolis{Space: grid.MustNew(len(g))}), 1)
		for name, way := range map[string]struct {
			cost
			metric
		}{"acceptance": {rejection(), rejectionMetric()}, "step-kl": {stepKL(), fisherMetric()}, "cess": {lostESS(), fisherMetric()}} {
			w := &walker{path: path, cost: way.cost}
			fast, mean := w.level(ctx, longtest.Must(ground.length(ctx, way.metric))(t), T)
			if fast == nil {
				if span <= 1 && T >= 10 {
					t.Fatalf("%s: T = %d steps are not levelled for %v", name, T, g)
				}
				continue
			}
			slow := longtest.Must(w.equal(ctx, T, w.between(ctx, 0, 1)/float64(T*T)))(t)
			for i, b := range fast {
				if want := slow.Beta(i+1, T); math.Abs(b-want) > 1e-8*want {
					t.Fatalf("%s: b_%d = %v, one after another %v", name, i+1, b, want)
				}
			}
			if cost := w.between(ctx, fast[T-2], 1); math.Abs(cost/mean-1) > 1e-9 {
				t.Fatalf("%s: a step costs %v, and the last %v", name, mean, cost)
			}
		}
	})
}

// TestStartsMatter: a descent from the linear schedule ends in a valley that others avoid, where J
// is 2 % larger; and a start that goes where another one has been is given up.
func TestStartsMatter(t *testing.T) {
	longtest.Only(t)
	toy := longtest.Must(toys.Parse("random:100:3:3x3"))(t)
	path, kernel := longtest.Must(paths.NewGeometric(nil, toy.G))(t), kernels.Metropolis{Space: toy.Space}
	alone := func(o gradient.Objective) *Optimum {
		s := &search{ctx: t.Context(), path: path, kernel: kernel, objective: o, o: Options{Iterations: DefaultIterations}, lowest: math.Inf(1)}
		theta := roots(linearly{}, 40)
		out := longtest.Must(s.finish(theta))(t)
		out.Runs = s.runs
		return out
	}
	all := longtest.Must(Optimize(t.Context(), path, kernel, 40, gradient.ObjectiveJ, Options{}))(t)
	if one := alone(gradient.ObjectiveJ); !(one.Value > 1.01*all.Value) || !all.Converged || all.Start == "linear" {
		t.Errorf("J from the linear schedule alone %v, from all starts %v, from %s", one.Value, all.Value, all.Start)
	}
	all = longtest.Must(Optimize(t.Context(), path, kernel, 40, gradient.ObjectiveB, Options{}))(t)
	if one := alone(gradient.ObjectiveB); math.Abs(one.Value/all.Value-1) > 1e-12 || all.Runs > 2*one.Runs {
		t.Errorf("B after %d gradients from the linear schedule %v, after %d from all starts %v", one.Runs, one.Value, all.Runs, all.Value)
	}
}

// linearly is the linear schedule.
type linearly struct{ chains.Schedule }

func (linearly) Step(_, T int) float64 { return 1 / float64(T-1) }
