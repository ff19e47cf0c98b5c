package smc

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/internal/stage"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
)

// plain is the distribution of particles in the order of their slots, resampled by the multinomial
// scheme: a full tensor with n^P entries for each column. It takes every parent of every slot, and
// every row of the kernel, in turn.
type plain struct {
	n, size          int
	at               []int
	run, meta, slope []float64
	forward          float64
	rows             *kernel.Rows
}

// plainLaw returns the outputs of a plain program, and both means of log Zhat.
func plainLaw(t testing.TB, a *chains.Annealing, P int) *plain {
	t.Helper()
	e := &plain{n: a.States(), size: P, at: make([]int, P)}
	s := stage.NewStage(a)
	entries := 1
	for range P {
		entries *= e.n
	}
	e.run, e.meta, e.slope = make([]float64, entries), make([]float64, entries), make([]float64, entries)
	for i := range e.run {
		e.run[i] = 1
		for _, x := range e.states(i) {
			e.run[i] *= s.Here.P[x]
		}
		e.meta[i] = e.run[i]
	}
	for stage := 2; stage <= a.Distributions(); stage++ {
		longtest.NoError(t, s.Load(context.Background(), stage))
		e.resample(s)
		for _, m := range s.Moves {
			e.rows = m.Forward.Rows
			for _, c := range []*[]float64{&e.run, &e.meta, &e.slope} {
				for slot := range P {
					*c = e.move(*c, slot)
				}
			}
		}
	}
	return e
}

// states returns the states of the particles at a place, until the next call.
func (e *plain) states(place int) []int {
	x := e.at
	for i := range x {
		x[i] = place % e.n
		place /= e.n
	}
	return x
}

func (e *plain) resample(s *stage.Stage) {
	next := [3][]float64{make([]float64, len(e.run)), make([]float64, len(e.run)), make([]float64, len(e.run))}
	w := make([]float64, e.size)
	var x []int
	var total float64
	var values [3]float64
	var choose func(slot, stride, to int, p float64)
	choose = func(slot, stride, to int, p float64) {
		if slot == e.size {
			for c := range next {
				next[c][to] += p * values[c]
			}
			return
		}
		for i := range x {
			choose(slot+1, stride*e.n, to+stride*x[i], p*w[i]/total)
		}
	}
	for place := range e.run {
		x, total = e.states(place), 0
		for i, state := range x {
			w[i] = math.Exp(-s.Lambda[state])
			total += w[i]
		}
		mean := total / float64(e.size)
		log := math.Log(mean)
		e.forward += e.run[place] * log
		values = [3]float64{e.run[place], e.meta[place] * mean, mean * (e.slope[place] + log*e.meta[place])}
		choose(0, 1, 0, 1)
	}
	e.run, e.meta, e.slope = next[0], next[1], next[2]
}

func (e *plain) move(law []float64, slot int) []float64 {
	next := make([]float64, len(law))
	stride := 1
	for range slot {
		stride *= e.n
	}
	for place, v := range law {
		x := place / stride % e.n
		for _, entry := range e.rows.Row(x) {
			next[place+stride*(entry.To-x)] += v * entry.P
		}
	}
	return next
}

// output returns the distribution of the particle in the first slot.
func (e *plain) output(law []float64) []float64 {
	out := make([]float64, e.n)
	for place, v := range law {
		out[place%e.n] += v
	}
	return out
}

// TestPlain compares pairs, multisets and counts with full tensors on larger spaces than can be
// enumerated, with any number of workers.
func TestPlain(t *testing.T) {
	for _, c := range []struct{ side, particles, T int }{{7, 2, 6}, {3, 3, 5}, {2, 4, 5}} {
		a := exacttest.Pattern(t, c.side, c.T, exacttest.Metropolis)
		want := plainLaw(t, a, c.particles)
		s := Setting{c.particles, particle.Multinomial{}, 1}
		got := solved(t, a, s)
		again := longtest.Sure(Solve(context.Background(), a, s, Options{Workers: 3}))
		if got.J != again.J || got.B != again.B {
			t.Errorf("%d particles: another J or B with three workers", c.particles)
		}
		closeTo(t, "forward", got.MeanLogZForward-got.LogZRatio, want.forward, 1e-13)
		conditional := 0.0
		for _, v := range want.slope {
			conditional += v
		}
		closeTo(t, "conditional", got.MeanLogZConditional-got.LogZRatio, conditional, 1e-13)
		p, q := want.output(want.meta), want.output(want.run)
		for x := range p {
			closeTo(t, "log q/p", got.LogRatio[x], math.Log(q[x]/p[x]), 1e-13)
		}
	}
}

// BenchmarkPairTransform measures 1000 powers on 7x7 at T = 100.
func BenchmarkPairTransform(b *testing.B) {
	a := exacttest.Pattern(b, 7, 100, exacttest.Metropolis)
	powers := make([]complex128, 1000)
	for i := range powers {
		powers[i] = complex(0.5, float64(i)/10)
	}
	for b.Loop() {
		longtest.Must(pairTransform(context.Background(), a, particle.Multinomial{}, powers, 0))(b)
	}
}

// BenchmarkLargeSpread measures the relative variance on 50x50 at T = 100, for one number of
// particles and the limits.
func BenchmarkLargeSpread(b *testing.B) {
	a := exacttest.Pattern(b, 50, 100, exacttest.Metropolis)
	for b.Loop() {
		if _, _, err := RelativeVariances(context.Background(), a, []int{10}, Options{Workers: 2}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestCountSpace: every multiset has its own number.
func TestCountSpace(t *testing.T) {
	for particles := range 5 {
		for types := 1; types <= 4; types++ {
			s := newCountSpace(particles, types)
			if float64(s.size()) != Multisets(particles, types) {
				t.Errorf("%d particles, %d types: %d and %v multisets", particles, types, s.size(), Multisets(particles, types))
			}
			seen := make([]int, s.size())
			s.each(upTo(types), func(number int, places, counts []int) {
				seen[number]++
				total := 0
				for _, n := range counts {
					total += n
				}
				if total != particles || !slices.IsSorted(places) || len(slices.Compact(slices.Clone(places))) != len(counts) {
					t.Errorf("multiset %d has %v of %v", number, counts, places)
				}
			})
			if slices.Min(seen) != 1 || slices.Max(seen) != 1 {
				t.Errorf("%d particles, %d types: numbers are met so often: %v", particles, types, seen)
			}
			sub := 0
			s.each([]int{types - 1}, func(number int, _, _ []int) {
				sub++
				if number != s.size()-1 {
					t.Errorf("all particles of the last type have number %d, of %d", number, s.size())
				}
			})
			if sub != 1 {
				t.Errorf("%d multisets of one type", sub)
			}
		}
	}
}

// TestMultinomial: the distribution sums to one and has the right mean, also if powers and
// coefficients leave the range of float64.
func TestMultinomial(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		n int
		p []float64
	}{{0, []float64{0.5, 0.5}}, {3, []float64{0.2, 0.3, 0.5}}, {99, []float64{1e-5, 1 - 1e-5}}, {2000, []float64{0.5, 0.5}},
		{2000, []float64{0.01, 0.99}}, {5, []float64{1e-200, 1}}} {
		m := multinomial{space: newCountSpace(c.n, len(c.p)), choose: &binomials{}}
		numbers := map[int][]int{}
		m.space.each(upTo(len(c.p)), func(number int, places, counts []int) {
			all := make([]int, len(c.p))
			for i, k := range places {
				all[k] = counts[i]
			}
			numbers[number] = all
		})
		sum, mean := 0.0, 0.0
		m.law(upTo(len(c.p)), c.p, func(number int, _, _ []int, p float64) {
			sum += p
			mean += p * float64(numbers[number][0])
		})
		if !(math.Abs(sum-1) <= 1e-11) || !(math.Abs(mean-float64(c.n)*c.p[0]) <= 1e-11*mean) {
			t.Errorf("%d draws from %v: sum %v, mean of the first %v", c.n, c.p, sum, mean)
		}
	}
}

// bigExp returns e^v with more than 60 digits, by its series at v/2^20.
func bigExp(v *big.Float) *big.Float {
	const bits, halvings = 320, 20
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	small := new(big.Float).SetPrec(bits).SetMantExp(v, -halvings)
	sum, term := number(1), number(1)
	for k := 1.0; k < 40; k++ {
		term.Quo(term.Mul(term, small), number(k))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// TestAtomErrors: the transforms of weights of importance resampling are off by less than they say,
// and nearly by as much somewhere.
func TestAtomErrors(t *testing.T) {
	longtest.Only(t)
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(320).SetFloat64(v) }
	l := &atomLaws{logProposal: []float64{math.Log(0.2), math.Log(0.5), math.Log(0.3)}, logw: []float64{-1.7, 0.4, 0.1}}
	attained := map[string]float64{}
	check := func(name string, rise, phi, err float64, wantRise, wantPhi *big.Float) {
		t.Helper()
		for _, v := range []struct {
			got  float64
			want *big.Float
		}{{rise, wantRise}, {phi, wantPhi}} {
			off, _ := new(big.Float).Sub(number(v.got), v.want).Float64()
			if math.Abs(v.got) <= 0.5 { // the other one is rounded relative to one
				if attained[name] = max(attained[name], math.Abs(off)/err); !(math.Abs(off) <= err) {
					t.Errorf("%s is off by %.3g, and may be by %.3g", name, off, err)
				}
			}
		}
	}
	for k := -200; k <= 22; k++ {
		logt := 0.2 * float64(k)
		rise, phi := number(0), number(0)
		for x, w := range l.logw {
			y := bigExp(new(big.Float).Add(number(logt), number(w)))
			p := bigExp(number(l.logProposal[x]))
			e := bigExp(new(big.Float).Neg(y))
			short := new(big.Float).Sub(number(1), e)
			f := l.given(x, logt)
			check("given", f.Rise, f.Phi, f.Err, short, e)
			rise.Add(rise, new(big.Float).Mul(p, short))
			phi.Add(phi, new(big.Float).Mul(p, e))
		}
		f := l.run(logt)
		check("run", f.Rise, f.Phi, f.Err, rise, phi)
	}
	t.Log(attained)
	for name, share := range attained {
		if share < 0.05 {
			t.Errorf("%s: the error is at most %.2g of its bound, which could be lower", name, share)
		}
	}
}
