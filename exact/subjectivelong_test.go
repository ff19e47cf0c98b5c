package exact

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/stage"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// smallSubjective returns a subjective divergence on a line or a plane, and a reference.
func smallSubjective(t *rapid.T) (*Subjective, []float64) {
	sides := rapid.SampledFrom([][]int{{3}, {5}, {2, 3}, {3, 3}}).Draw(t, "sides")
	space := grid.MustNew(sides...)
	n := space.States()
	scale := rapid.SampledFrom([]float64{0, 1e-12, 0.1, 1, 8}).Draw(t, "scale")
	g := make([]float64, n)
	r := make([]float64, n)
	total := 0.0
	for x := range g {
		g[x] = scale * rapid.Float64Range(-1, 1).Draw(t, "g")
		r[x] = max(0, rapid.Float64Range(-0.5, 1).Draw(t, "r"))
		total += r[x]
	}
	for x := range r {
		if total == 0 {
			r[x] = 1 / float64(n)
		} else {
			r[x] /= total
		}
	}
	kernel := rapid.SampledFrom(
		[]string{"metropolis", "heatbath", "lazy:0.9", "heatbath-scan", "suwa-todo"},
	).Draw(t, "kernel")
	k := longtest.Must(kernels.Parse(kernel, space))(t)
	path := longtest.Must(paths.NewGeometric(make([]float64, n), g))(t)
	a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, k, rapid.IntRange(2, 6).Draw(t, "T")))(t)
	s := longtest.Must(NewSubjective(context.Background(), a, nil))(t)
	return s, r
}

// TestManyMoves compares powers with moves that are made one by one: every value and divergence,
// and the last number of moves at which the value is no bound, from any distribution on.
func TestManyMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, reference := smallSubjective(t)
		m := s.newMany(math.MaxInt32)
		if m == nil {
			t.Fatal("powers are not taken")
		}
		first, last := rapid.IntRange(0, 5).Draw(t, "first"), rapid.IntRange(5, 300).Draw(t, "last")
		r := s.newMoved(reference)
		var at law
		below := -1
		for S := 0; S <= last; S++ {
			if S > 0 {
				s.applyLast(r)
			}
			if S < first {
				continue
			}
			if S == first {
				at = m.movedLaw(r.Ratios)
			}
			v := s.divergenceFrom(r.Ratios).Value
			long := longtest.Must(m.after(context.Background(), at, S-first))(t)
			ours := m.setRatios(long)
			near := 1e-13 * (1 + m.size*m.rms(at.u))
			if w := s.divergenceFrom(ours).Value; !(math.Abs(w-v) <= near) {
				t.Fatalf("S = %d: %v by powers, %v by moves", S, w, v)
			}
			if a, b := klOf(ours, s), klOf(r.Ratios, s); !(math.Abs(a-b) <= 1e-13*(1+b)) {
				t.Fatalf("S = %d: KL %v by powers, %v by moves", S, a, b)
			}
			if v < s.Solution.J-near {
				below = S
			}
			if v < s.Solution.J+near && v >= s.Solution.J-near { // which of the two it is rounding decides
				return
			}
		}
		if got, err := m.lastBelowFrom(context.Background(), at, first, last); err != nil || got != below {
			t.Fatalf("no bound until S = %d, %v; by moves %d", got, err, below)
		}
	})
}

func klOf(r *stage.Ratios, s *Subjective) float64 {
	_, kl, _ := r.Divergences(&s.target).Values()
	return kl
}

// TestLowerBoundIsNearlyAttained: on two states adjoint and deviation are in proportion. Values
// from below B are then least at the start, where the first bound is attained, and of those from
// above the second is attained by two, and the third by three but for the cube of a step.
func TestLeastIsNearlyAttained(t *testing.T) {
	s := lineSubjective(t, 0.5, 2)
	m := s.newMany(math.MaxInt32)
	for state := range 2 {
		reference := []float64{0, 0}
		reference[state] = 1
		r := s.newMoved(reference)
		at := m.trend(m.movedLaw(r.Ratios))
		size := m.size * at.size
		values := []float64{}
		for range 3 {
			values = append(values, s.divergenceFrom(r.Ratios).Value)
			s.applyLast(r)
		}
		if values[0] < s.base {
			if got := m.lowerBound(at, math.MaxInt32); !(math.Abs(got-values[0]) < 1e-12*size) {
				t.Errorf("the lower bound is %v, and the first value %v", got, values[0])
			}
			continue
		}
		factor := (values[1] - s.base) / (values[0] - s.base) // of a move
		allowed := []float64{1e-12, 1e-12, 1.01 * math.Pow(1-factor, 2) * (1 + factor)}
		for i, v := range values {
			if got := m.lowerBound(at, i+1); !(v-got < allowed[i]*size) {
				t.Errorf("the lower bound is %v for %d numbers of moves, and the value %v", got, i+1, v)
			}
		}
	}
}

// lineSubjective returns a subjective divergence on a grid, with log f of the given scale.
func lineSubjective(t *testing.T, scale float64, sides ...int) *Subjective {
	t.Helper()
	space := grid.MustNew(sides...)
	g := make([]float64, space.States())
	for x := range g {
		g[x] = scale * math.Sin(float64(3*x))
	}
	path := longtest.Must(paths.NewGeometric(make([]float64, len(g)), g))(t)
	k := longtest.Must(kernels.Parse("lazy:0.8", space))(t)
	a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, k, 3))(t)
	return longtest.Must(NewSubjective(t.Context(), a, nil))(t)
}

// TestManyMovesRefused: if powers would take more time or memory than moves one by one, or leave
// the range of float64, there are none.
func TestManyMovesRefused(t *testing.T) {
	if lineSubjective(t, 1, 7, 7).newMany(2e6) == nil {
		t.Error("two million moves on 49 states are made one by one")
	}
	for name, m := range map[string]*many{
		"few moves":          lineSubjective(t, 1, 7, 7).newMany(10),
		"many states":        lineSubjective(t, 1, 70, 70).newMany(math.MaxInt32),
		"tiny probabilities": lineSubjective(t, 400, 7, 7).newMany(2e6),
	} {
		if m != nil {
			t.Errorf("%s: powers are taken", name)
		}
	}
}
