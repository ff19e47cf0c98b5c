package replicas

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/chains/tempering"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestClasses: the classes of joint states are those of the matrix of a round, and averages of
// functions with other means on them do not settle.
func TestClasses(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		toy := longtest.Must(toys.Parse(rapid.SampledFrom([]string{"cells:0:1", "cells:0:0:-200", "cells:0:-inf:3", "cells:0:2:-inf", "cells:0:0:0",
			"cells:0:400:800", "cells:0:-1500:0", "cells:0:1e4"}).Draw(rt, "toy")))(t)
		kernel := longtest.Must(kernels.Parse(rapid.SampledFrom([]string{"stay", "metropolis", "heatbath", "heatbath-axis:0", "suwa-todo"}).Draw(rt,
			"kernel"), toy.Space))(t)
		scheme := longtest.Must(tempering.ParseScheme(rapid.SampledFrom([]string{"deo", "seo"}).Draw(rt, "scheme")))(t)
		betas := rapid.SampledFrom([][]float64{{0, 1}, {0, 0.4, 1}, {0, 0.2, 0.4, 1}}).Draw(rt, "betas")
		initial := longtest.Must(toys.ParseInitial(t.Context(), "uniform", toy))(t)
		path := longtest.Must(toys.ParsePath("geometric", initial.Ends, toy))(t)
		a := longtest.Must(chains.NewAnnealing(path, longtest.Must(schedules.NewPoints("ladder", betas))(t), kernel, len(betas)))(t)
		r := longtest.Must(New(t.Context(), longtest.Must(tempering.New(a, scheme))(t)))(t)
		of := r.tensors(t.Context(), false)
		got, want := of.classes(r.positive()).Numbered(), of.classesByMatrix(t, r.positive()).Numbered()
		if !slices.Equal(got, want) {
			rt.Fatalf("classes %v, by the matrix of a round %v", got, want)
		}
		root := of.root(r)
		f := centredOn(root, got)
		several := false // classes whose probabilities do not underflow
		for k, v := range f {
			several = several || math.Abs(v) > 1e-9*root[k]
		}
		if r.settles(t.Context(), root, f) == several {
			rt.Fatalf("the share of a class settles: %v", !several)
		}
	})
}

// TestAverageThatDoesNotSettle: a kernel that never moves keeps what the replicas hold, whatever a
// search for the best ladder tries.
func TestAverageThatDoesNotSettle(t *testing.T) {
	toy := longtest.Must(toys.Parse("cells:0:0/0:-200"))(t)
	initial := longtest.Must(toys.ParseInitial(t.Context(), "uniform", toy))(t)
	path := longtest.Must(toys.ParsePath("geometric", initial.Ends, toy))(t)
	for _, b := range []float64{0.004, 0.5, 0.8988728757031316} {
		a := longtest.Must(chains.NewAnnealing(path, longtest.Must(schedules.NewPoints("ladder", []float64{0, b, 1}))(t), kernels.Stay{}, 3))(t)
		r := longtest.Must(New(t.Context(), longtest.Must(tempering.New(a, tempering.DEO))(t)))(t)
		third := 1 / math.Sqrt(3)
		if v := longtest.Must(r.Variance(t.Context(), []float64{third, third, third, -math.Sqrt(3) * math.Exp(200)}))(t); !math.IsInf(v.PerScan, 1) ||
			!math.IsInf(v.Error, 1) {
			t.Errorf("beta %v: the variance is %v, to a part of %v", b, v.PerScan, v.Error)
		}
	}
}

// classesByMatrix joins the joint states of sets to their classes by the matrix of a round.
func (t *tensors) classesByMatrix(tb testing.TB, sets *kernel.Sets) *kernel.Sets {
	for k := range t.size {
		if !sets.Holds(k) {
			continue
		}
		v := make([]float64, t.size)
		v[k] = 1
		longtest.NoError(tb, t.scan(v, 0))
		if t.scheme == tempering.DEO {
			longtest.NoError(tb, t.scan(v, 1))
		}
		for l, mass := range v {
			if mass > 0 {
				sets.Join(k, l)
			}
		}
	}
	return sets
}

// centredOn returns, rooted, the function that is one on the first class and zero elsewhere, minus
// its mean.
func centredOn(root []float64, classes []int32) []float64 {
	mass, f := 0.0, make([]float64, len(root))
	for k, r := range root {
		if classes[k] == 0 {
			mass += r * r
			f[k] = r
		}
	}
	for k, r := range root {
		f[k] -= mass * r
	}
	return f
}
