package smc_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/smc"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// slow enumerates adaptive SMC by recursion over every branch, with plain numbers and Metropolis on
// a line. It has multinomial resampling, systematic resampling of two particles, and thresholds.
type slow struct {
	f              func(beta float64) []float64 // log f
	rho, threshold float64
	systematic     bool

	mass, one, two, log, stages, extinct float64
	q                                    []float64
}

// row is the row of Metropolis that proposes either neighbour with probability 1/2.
func (s *slow) row(logf []float64, x int) []float64 {
	p := make([]float64, len(logf))
	p[x] = 1
	for _, y := range []int{x - 1, x + 1} {
		if y >= 0 && y < len(logf) {
			a := math.Min(1, math.Exp(logf[y]-logf[x])) / 2
			p[y] += a
			p[x] -= a
		}
	}
	return p
}

// increments returns w of each particle on the way to a beta, and CESS/P of those that are not lost
// by any step, however short.
func (s *slow) increments(xs []int, W []float64, from, to float64) (w []float64, cess float64) {
	here := s.f(from)
	near := s.f(from + 1e-9)
	there := s.f(to)
	top := math.Inf(-1)
	for _, x := range xs {
		top = max(top, there[x]-here[x])
	}
	var mass, sum, squares float64
	for i, x := range xs {
		w = append(w, math.Exp(there[x]-here[x]-max(top, -1000)))
		if !math.IsInf(near[x], -1) && W[i] > 0 {
			mass += W[i]
			sum += W[i] * w[i]
			squares += W[i] * w[i] * w[i]
		}
	}
	if mass == 0 {
		return w, 1
	}
	for i := range w {
		w[i] *= math.Exp(top)
	}
	return w, sum * sum / squares / mass
}

func (s *slow) run(p, zhat, beta float64, xs []int, W []float64, stage int) {
	next := 1.0
	w, cess := s.increments(xs, W, beta, 1)
	if !(cess >= s.rho) {
		low := beta
		for range 100 {
			middle := (low + next) / 2
			_, cess = s.increments(xs, W, beta, middle)
			if cess >= s.rho {
				low = middle
			} else {
				next = middle
			}
		}
		w, _ = s.increments(xs, W, beta, low)
		next = low
	}
	mean := 0.0
	for i := range w {
		w[i] *= W[i]
		mean += w[i]
	}
	zhat *= mean
	if mean == 0 {
		s.extinct += p
		s.stages += p * float64(stage)
		return
	}
	square := 0.0
	for i := range w {
		w[i] /= mean
		square += w[i] * w[i]
	}
	logf := s.f(next)
	if next == 1 {
		s.mass += p
		s.one += p * zhat
		s.two += p * zhat * zhat
		s.log += p * math.Log(zhat)
		s.stages += p * float64(stage)
		for i, x := range xs {
			if w[i] > 0 {
				for y, k := range s.row(logf, x) {
					s.q[y] += p * w[i] * k
				}
			}
		}
		return
	}
	P := len(xs)
	if s.threshold < 1 && !(1/square < s.threshold*float64(P)) {
		s.move(p, zhat, next, logf, xs, w, nil, stage)
		return
	}
	even := slices.Repeat([]float64{1 / float64(P)}, P)
	if !s.systematic {
		draws(w, P, func(q float64, drawn []int) {
			parents := make([]int, P)
			for i, k := range drawn {
				parents[i] = xs[k]
			}
			s.move(p*q, zhat, next, logf, parents, even, nil, stage)
		})
		return
	}
	if w[0] >= 0.5 { // the points are u/2 and (1 + u)/2
		s.move(p*(2*w[0]-1), zhat, next, logf, []int{xs[0], xs[0]}, even, nil, stage)
		s.move(p*(2-2*w[0]), zhat, next, logf, xs, even, nil, stage)
	} else {
		s.move(p*2*w[0], zhat, next, logf, xs, even, nil, stage)
		s.move(p*(1-2*w[0]), zhat, next, logf, []int{xs[1], xs[1]}, even, nil, stage)
	}
}

// draws calls f for all ways to draw P times from a distribution.
func draws(law []float64, P int, f func(p float64, drawn []int)) {
	var draw func(p float64, drawn []int)
	draw = func(p float64, drawn []int) {
		if len(drawn) == P {
			f(p, drawn)
			return
		}
		for i, v := range law {
			if v > 0 {
				draw(p*v, append(drawn[:len(drawn):len(drawn)], i))
			}
		}
	}
	draw(1, nil)
}

func (s *slow) move(p, zhat, beta float64, logf []float64, xs []int, W []float64, moved []int, stage int) {
	i := len(moved)
	if p == 0 {
		return
	}
	if i == len(xs) {
		s.run(p, zhat, beta, moved, W, stage+1)
		return
	}
	if W[i] == 0 { // it stays where it is lost
		s.move(p, zhat, beta, logf, xs, W, append(moved[:i:i], xs[i]), stage)
		return
	}
	for y, k := range s.row(logf, xs[i]) {
		s.move(p*k, zhat, beta, logf, xs, W, append(moved[:i:i], y), stage)
	}
}

func (s *slow) start(P int) {
	first := s.f(0)
	chains.Normalize(first)
	s.q = make([]float64, len(first))
	draws(first,
		P, func(p float64, xs []int) { s.run(p, 1, 0, xs, slices.Repeat([]float64{1 / float64(P)}, P), 1) })
}

// onLine returns the annealing of a path with Metropolis on a line; its schedule does not count.
func onLine(t testing.TB, path chains.Path) *chains.Annealing {
	return longtest.Must(chains.NewAnnealing(
		path,
		schedules.Linear{},
		kernels.Metropolis{Space: longtest.Must(grid.New(path.States()))(t)},
		2,
	))(t)
}

// logs returns log f of n states over about the span, the first of them with ties and zeros if
// these are asked for.
func logs(r *rand.Rand, n int, span float64, ties, zeros bool) []float64 {
	g := make([]float64, n)
	for x := range g {
		g[x] = span * r.Float64()
	}
	g[n-1], g[n-2] = span, 0
	if ties {
		g[0] = g[1] + 1e-15
	}
	if zeros {
		g[0] = math.Inf(-1)
	}
	return g
}

// TestAdaptedIsEnumerated holds the propagated distribution to the recursion over all branches.
func TestAdaptedIsEnumerated(t *testing.T) {
	longtest.Only(t)
	r := rand.New(rand.NewPCG(1, 5))
	multinomial := particle.Scheme(particle.Multinomial{})
	systematic := particle.Scheme(particle.Systematic{})
	const geometric, power = 1, 0.5
	for _, c := range []struct {
		n, P           int
		span, rho      float64
		threshold      float64
		scheme         particle.Scheme
		initial, zeros bool
		q              float64 // of the path
	}{
		{5, 2, 3, 0.9, 1, multinomial, false, false, geometric},
		{4, 1, 3, 0.9, 1, multinomial, false, false, geometric},
		{4, 2, 3, 0.9, 1, systematic, false, false, geometric},
		{4, 3, 2, 0.8, 0, multinomial, false, false, geometric},
		{5, 2, 4, 0.9, 0.7, multinomial, false, false, geometric},
		{4, 2, 4, 0.9, 0.7, systematic, false, false, geometric},
		{4, 3, 3, 0.6, 1, multinomial, true, false, power},
		{5, 3, 3, 0.6, 1, multinomial, false, true, geometric},
		{4, 2, 3, 0.9, 0, multinomial, false, true, geometric},
		{4, 3, 600, 0.3, 1, multinomial, false, false, geometric},
		{4, 3, 3, 0, 1, multinomial, false, false, geometric},
	} {
		var initial []float64
		if c.initial {
			initial = logs(r, c.n, 2, false, false)
		}
		path := longtest.Must(paths.NewPowerMean(c.q, initial, logs(r, c.n, c.span, true, c.zeros)))(t)
		name := fmt.Sprintf("%+v", c)
		got := longtest.Must(smc.SolveAdapted(context.Background(), onLine(t, path),
			smc.Setting{Particles: c.P, Scheme: c.scheme, Threshold: c.threshold}, c.rho))(t)
		logf := func(beta float64) []float64 {
			logf := make([]float64, path.States())
			path.LogF(logf, chains.At(beta))
			return logf
		}
		s := &slow{f: logf, rho: c.rho, threshold: c.threshold, systematic: c.scheme == systematic}
		s.start(c.P)
		p := s.f(1)
		logZ := chains.Normalize(p) - chains.Normalize(s.f(0))
		var J float64
		for x := range p {
			if q := s.q[x] / s.mass; p[x] > 0 {
				J += (q - p[x]) * math.Log(q/p[x])
			}
		}
		near(t, name+": mass", s.mass+s.extinct, 1, 1e-12)
		near(t, name+": extinct", got.Extinct, s.extinct, 1e-13)
		near(t, name+": bias", got.Bias, s.one/math.Exp(logZ)-1, 1e-11)
		near(t, name+": relative variance", got.RelativeVariance, s.two/s.one/s.one-1,
			1e-11*(1+got.RelativeVariance))
		near(t, name+": stages", got.Stages, s.stages, 1e-11)
		near(t, name+": J", got.J, J, 1e-11*(1+J))
		if s.extinct == 0 {
			near(t, name+": log Z", got.MeanLogZForward-got.LogZRatio, s.log-logZ, 1e-11)
		} else if !math.IsInf(got.MeanLogZForward, -1) || len(got.Notes) == 0 {
			t.Errorf("%s: E log Zhat is %v with notes %v", name, got.MeanLogZForward, got.Notes)
		}
	}
}

// adapted returns the distribution on a line, or on two states whose kernel draws exactly, with
// multinomial resampling at every stage.
func adapted(t testing.TB, g []float64, P int, rho float64) *smc.Adapted {
	a := line(g, 2)
	if len(g) == 2 {
		a = annealing(g, 2, func(space *grid.Lattice) chains.Kernel { return kernels.HeatBathAxis{Space: space} })
	}
	return longtest.Must(smc.SolveAdapted(context.Background(),
		a, smc.Setting{Particles: P, Scheme: particle.Multinomial{}, Threshold: 1}, rho))(t)
}

// TestAdaptedByHand: of two particles on two states with f = 1 and e^d that are not in the same
// state, CESS is 0.9 P where one weighs twice as much as the other, so that a step has the length
// log 2/d.
func TestAdaptedByHand(t *testing.T) {
	const d = 1.2 // above log 2, and at most 2 log 2
	high := math.Exp(d)
	// At the beta of the first step p is 1/3 and 2/3. What is left of the path weighs e^d/2 in the
	// upper state.
	both := 1.5 * (1./9 + 4./9*high/2 + 4./9*(1+high/2)/2)
	got := adapted(t, []float64{0, d}, 2, 0.9)
	near(t, "bias", got.Bias, (1./4+high/4+both/2)/((1+high)/2)-1, 1e-14)
	near(t, "stages", got.Stages, 1.5, 1e-14)
	logs := math.Log(1.5) + 4./9*math.Log(high/2) + 4./9*math.Log((1+high/2)/2)
	near(t, "log Zhat", got.MeanLogZForward, d/4+logs/2, 1e-14)
	near(t, "J of exact draws", got.J, 0, 1e-28)
	// If the second step keeps 0.9 P exactly there is no third, whatever the rounding of its beta.
	near(t, "stages", adapted(t, []float64{0, 2 * math.Ln2}, 2, 0.9).Stages, 1.5, 1e-14)
}

// TestAdaptedWithoutBias: if nothing depends on the particles there is no bias.
func TestAdaptedWithoutBias(t *testing.T) {
	for _, c := range []struct {
		g   []float64
		P   int
		rho float64
	}{{[]float64{7, 7, 7, 7}, 3, 0.99}, {[]float64{0, 1, 3, 2}, 3, 0}, {[]float64{0, 9, 37, 2}, 1, 0.9}} {
		got := adapted(t, c.g, c.P, c.rho)
		near(t, fmt.Sprint(c), got.Bias, 0, 2e-15)
		near(t, fmt.Sprint(c), got.Stages, 1, 1e-15)
		if c.g[0] == 7 {
			near(t, "J", got.J, 0, 1e-28)
		}
	}
}

// TestAdaptedEnds: what is too large has a note that says why, and numbers that are NaN.
func TestAdaptedEnds(t *testing.T) {
	longtest.Only(t)
	many := make([]float64, 22)
	for x := range many {
		many[x] = float64(x * x % 101)
	}
	for why, law := range map[string]*smc.Adapted{
		"spans 700 nats":                              adapted(t, []float64{0, 1, 700, 3}, 2, 0.9),
		"more than 10000 stages":                      adapted(t, []float64{0, 37}, 2, 0.999999),
		"too many betas":                              adapted(t, many, 4, 0.99),
		"100 particles have 1.61e+60 possible starts": adapted(t, []float64{0, 1, 2, 3}, 100, 0.9),
	} {
		if law.Method != smc.MethodNone || !math.IsNaN(law.Bias) || !math.IsNaN(law.J) ||
			len(law.Notes) != 1 || !strings.Contains(law.Notes[0], why) {
			t.Errorf("%s: %+v", why, law)
		}
	}
	longtest.Refuses(smc.SolveAdapted(context.Background(), line([]float64{0, 1}, 2),
		smc.Setting{Particles: 2, Scheme: particle.Multinomial{}, Threshold: 1}, 1))(t, "below 1")
}
