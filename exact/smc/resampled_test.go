package smc_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/smc"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// resampled returns the side of particles that are resampled at every stage, which must be there.
func resampled(t *testing.T, a *chains.Annealing, particles int, scheme particle.Scheme) *smc.Transformed {
	t.Helper()
	s, err := smc.NewResampled(t.Context(), a, smc.Setting{Particles: particles, Scheme: scheme, Threshold: 1}, 1)
	if err != nil || s == nil {
		t.Fatalf("%d particles, %v: %v, %v", particles, scheme, s, err)
	}
	return s
}

// tracesOf returns the moments of one, two and three traces.
func tracesOf(t *testing.T, s smc.Side) []smc.Traces {
	t.Helper()
	return longtest.Sure(s.Traces(t.Context(), []int{1, 2, 3}))
}

// sameOrNear is near, of numbers that may be infinite or NaN too.
func sameOrNear(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
		near(t, what, got, want, tolerance)
	}
}

// TestResampledOnTwo are numbers of three particles on two states, found by walking over all runs
// in many digits.
func TestResampledOnTwo(t *testing.T) {
	kernel := longtest.Must(kernels.Parse("suwa-todo", grid.MustNew(1, 2)))(t) // half of the moves are along the axis of length 1
	a := exacttest.Build(t, nil, []float64{0, 1.5}, schedules.Linear{}, kernel, 3)
	s := resampled(t, a, 3, particle.Systematic{})
	means := []float64{0.0959166609936915, 0.0523937584712917, 0.0365910684697392}
	variances := []float64{0.192187290758928, 0.104848650541954, 0.0732070335865446}
	for i, e := range against(s, probabilities(a), 1, 2, 3) {
		near(t, "mean", e.Mean, means[i], 1e-13)
		near(t, "variance", e.Variance, variances[i], 1e-13)
	}
}

// TestResampledAgainstEnumeration: the distribution of configurations, tilted by complex powers,
// gives what all runs give one by one, for every way in which configurations are held, and if the
// path loses and gains states.
func TestResampledAgainstEnumeration(t *testing.T) {
	longtest.Only(t)
	two, three := []float64{0, 1.5}, []float64{0, 1, -0.7}
	gone := []float64{0.3, 0, math.Inf(-1)}
	for _, c := range []struct {
		name      string
		particles int
		scheme    particle.Scheme
		first     []float64
		g         []float64
		T         int
	}{
		{"systematic triples", 3, particle.Systematic{}, nil, three, 2},
		{"stratified triples", 3, particle.Stratified{}, nil, two, 2},
		{"triples without order", 3, particle.Multinomial{}, nil, two, 2},
		{"residual triples", 3, particle.Residual{}, nil, two, 2},
		{"quadruples", 4, particle.Multinomial{}, nil, two, 2},
		{"runs that may be extinct", 3, particle.Systematic{}, nil, gone, 2},
		{"meta-inference where no run is", 3, particle.Multinomial{}, []float64{0, math.Inf(-1)}, two, 2},
	} {
		if c.particles > 3 && !longtest.More() {
			continue // its runs take seconds
		}
		var kernel chains.Kernel = kernels.Metropolis{Space: grid.MustNew(len(c.g))}
		a := exacttest.Build(t, c.first, c.g, schedules.Linear{}, kernel, c.T)
		s := resampled(t, a, c.particles, c.scheme)
		j, err := smc.EnumerateSMC(t.Context(), a, c.particles, c.scheme, 1, smc.EnumerateOptions{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		near(t, c.name+": extinct", s.Extinct(), j.Extinct(), 1e-13)
		if j.Extinct() > 0 {
			for x, l := range j.LogRatio() {
				sameOrNear(t, c.name+": log q/p", s.LogRatio()[x], l, 1e-13)
			}
		}
		got, want := tracesOf(t, s), tracesOf(t, j)
		for i := range want {
			for x := range want[i].Meta {
				sameOrNear(t, c.name+": E log S", got[i].Meta[x], want[i].Meta[x], 1e-12)
				sameOrNear(t, c.name+": E (log S)^2", got[i].Meta2[x], want[i].Meta2[x], 1e-12)
				sameOrNear(t, c.name+": E log S of runs", got[i].Run[x], want[i].Run[x], 1e-12)
				sameOrNear(t, c.name+": E (log S)^2 of runs", got[i].Run2[x], want[i].Run2[x], 1e-12)
			}
		}
	}
}

// TestResampledCounts: of ten particles, which come out in too many ways, the distribution of the
// traces agrees with the means of log Zhat that are propagated without powers.
func TestResampledCounts(t *testing.T) {
	a := exacttest.Build(t, nil, []float64{0, 1.5}, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(2)}, 3)
	law := longtest.Sure(smc.Solve(t.Context(), a, smc.Setting{Particles: 10, Scheme: particle.Multinomial{}, Threshold: 1}, smc.Options{}))
	e := against(resampled(t, a, 10, particle.Multinomial{}), probabilities(a), 1, 2)
	near(t, "J", e[0].J, law.J, 1e-13)
	near(t, "the mean with one trace", e[0].Mean, law.B, 1e-13)
	if !(e[1].Mean < e[0].Mean && e[1].Mean > law.J && e[1].Variance < e[0].Variance) {
		t.Errorf("two traces: mean %v, variance %v", e[1].Mean, e[1].Variance)
	}
}

// TestResampledIsRefused: there is no such side where runs carry weights on, if nobody
// propagates the particles, where that takes too much, and if its numbers leave the range of
// float64.
func TestResampledIsRefused(t *testing.T) {
	kernel := func(n int) chains.Kernel { return kernels.Metropolis{Space: grid.MustNew(n)} }
	small := exacttest.Build(t, nil, []float64{0, 1.5}, schedules.Linear{}, kernel(2), 3)
	steep := exacttest.Build(t, nil, []float64{0, 600}, schedules.Linear{}, kernel(2), 3)
	long := exacttest.Annealing(t, "easy", "linear", "metropolis", 100)
	for _, c := range []struct {
		name string
		a    *chains.Annealing
		s    smc.Setting
	}{
		{"a threshold", small, smc.Setting{Particles: 3, Scheme: particle.Systematic{}, Threshold: 0.9}},
		{"many particles in order", small, smc.Setting{Particles: 9, Scheme: particle.Systematic{}, Threshold: 1}},
		{"too much work", long, smc.Setting{Particles: 3, Scheme: particle.Systematic{}, Threshold: 1}},
		{"too wide", steep, smc.Setting{Particles: 3, Scheme: particle.Systematic{}, Threshold: 1}},
	} {
		if s, err := smc.NewResampled(t.Context(), c.a, c.s, 1); s != nil || err != nil {
			t.Errorf("%s: %v, %v", c.name, s, err)
		}
	}
}

// TestNever are numbers of particles that are never resampled, computed in many digits.
func TestNever(t *testing.T) {
	longtest.Only(t)
	a := exacttest.Annealing(t, "barrier", "linear", "metropolis", 100)
	for _, c := range []struct {
		particles                     int
		j, qp, pq, forward, condition float64
	}{
		{2, 0.844013955581927082, 0.475250655475432353, 0.368763300106494729, 0.802206457248173969, 1.95012606829871939},
		{10, 0.0318722290642971398, 0.0168099251061215532, 0.0150623039581755866, 1.31511959659669294, 1.55533947701873018},
		{100, 0.000140735294563099386, 7.06702530982243513e-05, 7.00650414648750346e-05, 1.43365185257652421, 1.45541957392101295},
	} {
		if c.particles != 10 && !longtest.More() {
			continue
		}
		s := longtest.Sure(smc.NewNever(context.Background(), a, c.particles, 0))
		what := fmt.Sprintf("P = %d: ", c.particles)
		near(t, what+"forward", s.MeanLogZForward, c.forward, 1e-13)
		near(t, what+"conditional", s.MeanLogZConditional, c.condition, 1e-13)
		e := against(s, probabilities(a), 1, 10, 1000)
		t.Logf("%smeans %v %v %v, errors %.2g, %.2g", what, e[0].Mean, e[1].Mean, e[2].Mean, s.Error, e[0].Error)
		for _, pair := range [][2]float64{{e[0].J, c.j}, {e[0].KLQP, c.qp}, {e[0].KLPQ, c.pq}} {
			if !(math.Abs(pair[0]/pair[1]-1) < 1e-11) {
				t.Errorf("%s%.15g, want %.15g", what, pair[0], pair[1])
			}
		}
		near(t, what+"gap", e[0].Mean, s.MeanLogZConditional-s.MeanLogZForward, 1e-12)
		if !(e[0].Mean > e[1].Mean && e[1].Mean > e[2].Mean && e[2].Mean > e[2].J) {
			t.Errorf("%smeans %v %v %v, J %v", what, e[0].Mean, e[1].Mean, e[2].Mean, e[2].J)
		}
	}
}

// TestSIR are numbers of importance resampling of a target with two modes, computed in many digits.
func TestSIR(t *testing.T) {
	longtest.Only(t)
	target, broad, offset := make([]float64, 21), make([]float64, 21), make([]float64, 21)
	for x := range target {
		d, far := float64(x-5), float64(x-15)
		target[x] = math.Log(math.Exp(-d*d/4) + math.Exp(-far*far/4))
		offset[x] = -d * d / 8
	}
	p := append([]float64(nil), target...)
	logZ := floats.LogSumExp(target)
	for x := range p {
		p[x] = math.Exp(p[x] - logZ)
	}
	for _, c := range []struct {
		name              string
		proposal          []float64
		particles         int
		j, mean, err, hit float64
	}{
		{"broad", broad, 1, 1.78869179102028709, 1.78869179102028709, -1.20187832313971472, 0.52380952380952381},
		{"broad", broad, 10, 0.0100819405317854287, 0.119342814306388336, -0.0627957509804811123, 0.500357173012580512},
		{"broad", broad, 100, 7.01016774161915475e-05, 0.011028174793810114, -0.00553810242800505809, 0.500278135885554976},
		{"broad", broad, 1000, 6.8070709548166233e-07, 0.00109541488999212065, -0.000547942375261583573, 0.500272864246062069},
		{"offset", offset, 1, 6.46558195431971256, 6.46558195431971256, -0.814366297202289367, 0.0115235591256331297},
		{"offset", offset, 10, 5.13669284231595421, 5.15450282823323954, -0.681705786462567309, 0.0104056238048470051},
		{"offset", offset, 100, 3.97736733332706387, 3.99928787118983203, -0.641772846701377578, 0.0306156899052641138},
		{"offset", offset, 1000, 2.83027334019134856, 2.87727108167352712, -0.567972186486567842, 0.0789264883710611231},
	} {
		if c.particles != map[string]int{"broad": 10, "offset": 1000}[c.name] && !longtest.More() {
			continue
		}
		s := longtest.Sure(smc.NewSIR(context.Background(), particle.NewProposed(c.proposal, target), c.particles, 0))
		what := fmt.Sprintf("%s, P = %d: ", c.name, c.particles)
		e := against(s, p, 1)
		t.Logf("%smean %v, J %v, errors %.2g, %.2g", what, e[0].Mean, e[0].J, s.Error, e[0].Error)
		if !(math.Abs(e[0].J/c.j-1) < 1e-10) {
			t.Errorf("%sJ %.15g, want %.15g", what, e[0].J, c.j)
		}
		near(t, what+"mean", e[0].Mean, c.mean, 1e-11)
		near(t, what+"log Zhat", s.MeanLogZForward-s.LogZRatio, c.err, 1e-12)
		hit := 0.0
		for x, r := range s.LogRatio() {
			if x >= 10 {
				hit += p[x] * math.Exp(r)
			}
		}
		near(t, what+"right mode", hit, c.hit, 1e-11)
	}
}

// TestNeverByPaths compares two particles with sums over all pairs of paths, zeros of both ends
// included.
func TestNeverByPaths(t *testing.T) {
	longtest.Only(t)
	exacttest.CheckSome(t, 12, func(t *rapid.T) {
		a := exacttest.Problem(t, 3, 2)
		if exact.Validate(a) != nil {
			t.Skip("out of range")
		}
		s := longtest.Sure(smc.NewNever(context.Background(), a, 2, 1))
		if s.Note != "" {
			t.Skip(s.Note)
		}
		n, p := a.States(), probabilities(a)
		first, last := make([]float64, n), make([]float64, n)
		a.LogF(first, 1)
		a.LogF(last, a.Distributions())
		logZRatio := floats.LogSumExp(last) - floats.LogSumExp(first)
		type path struct {
			forward, reverse, w float64 // w relative to Z
			last                int
		}
		var all []path
		exacttest.EachPath(t, a, func(forward, reverse, logw float64, last int) {
			all = append(all, path{forward, reverse, math.Exp(logw - logZRatio), last})
		})
		q, laws, ratio := make([]float64, n), make([]smc.TraceLaw, n), make([]float64, n)
		extinct := 0.0
		for _, u := range all {
			for _, v := range all {
				switch pair := u.forward * v.forward; {
				case pair == 0:
				case u.w+v.w == 0:
					extinct += pair
				default:
					q[u.last] += pair * u.w / (u.w + v.w)
					q[v.last] += pair * v.w / (u.w + v.w)
				}
			}
		}
		if math.Abs(extinct-s.Extinct()) > 1e-12 {
			t.Fatalf("extinct %v, want %v", s.Extinct(), extinct)
		}
		for x := range ratio {
			if ratio[x] = math.Inf(-1); p[x] > 0 {
				ratio[x] = math.Log(q[x] / p[x])
			}
		}
		for _, u := range all {
			if u.reverse == 0 || math.IsInf(ratio[u.last], -1) {
				continue
			}
			for _, v := range all {
				if v.forward > 0 {
					atom := smc.Atom{LogW: -math.Log((u.w+v.w)/2) - ratio[u.last], P: u.reverse / p[u.last] * v.forward}
					laws[u.last].Atoms = append(laws[u.last].Atoms, atom)
				}
			}
		}
		holdTracesToPaths(t, s, p, ratio, laws)
	})
}
