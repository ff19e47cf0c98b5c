package particle_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/chains/selector/selectortest"
	"breadboard/exact/program"
	"breadboard/grid/longtest"
)

func schemes() []particle.Scheme {
	return []particle.Scheme{
		particle.Multinomial{}, particle.Stratified{}, particle.Systematic{}, particle.Residual{}}
}

// outcome is the result of resampling, in a form that can be compared.
type outcome struct {
	parents [4]int // of the particles that there are
	slot    int
}

func outcomeOf(parents []int, slot int) outcome {
	o := outcome{slot: slot}
	copy(o.parents[:], parents)
	return o
}

// drawWeights draws normalised weights, some of them equal, zero or far apart.
func drawWeights(t *rapid.T, n int) []float64 {
	w := make([]float64, n)
	sum := 0.0
	for i := range w {
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			w[i] = 1
		case 1:
			w[i] = 0
		case 2:
			w[i] = math.Exp(rapid.Float64Range(-60, 0).Draw(t, "log"))
		default:
			w[i] = rapid.Float64Range(0.01, 1).Draw(t, "weight")
		}
		sum += w[i]
	}
	if sum == 0 {
		w[0], sum = 1, 1
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// laws returns the exact distribution of the parents, and for one particle j that of the parents
// that are kept with the slot.
func laws(t rapid.TB, s particle.Scheme, w []float64, j int) (free, kept *program.Law[outcome]) {
	parents := make([]int, len(w))
	options := program.Options{Cut: math.SmallestNonzeroFloat64}
	free = longtest.Sure(program.Enumerate(context.Background(), func(c chains.Chooser) outcome {
		s.Parents(c, w, parents)
		return outcomeOf(parents, -1)
	}, options))
	kept = longtest.Sure(program.Enumerate(context.Background(), func(c chains.Chooser) outcome {
		slot := s.Keep(c, w, j, parents)
		if parents[slot] != j {
			t.Fatalf("%v kept particle %d in slot %d, whose parent is %d", s, j, slot, parents[slot])
		}
		return outcomeOf(parents, slot)
	}, options))
	return free, kept
}

// Every scheme gives particle j P w[j] offspring on average, and keeps a path with the probability
// of the outcome times N_j/(P w[j]), by each of the N_j offspring alike.
func TestSchemesKeepWhatTheyDraw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "particles")
		w := drawWeights(t, n)
		j := rapid.IntRange(0, n-1).Draw(t, "path")
		for w[j] == 0 {
			j = (j + 1) % n
		}
		for _, s := range schemes() {
			free, kept := laws(t, s, w, j)
			for i := range w {
				mean := free.Mean(func(o outcome) (offspring float64) {
					for _, parent := range o.parents[:n] {
						if parent == i {
							offspring++
						}
					}
					return offspring
				})
				if math.Abs(mean-float64(n)*w[i]) > 1e-12*float64(n)*w[i]+1e-31 {
					t.Fatalf("%v, weights %v: particle %d has %v offspring on average, not %v", s, w, i,
						mean, float64(n)*w[i])
				}
			}
			for _, o := range kept.Outcomes() {
				// The size bias N_j/(P w[j]) and the uniform choice among N_j leave 1/(P w[j]).
				want := free.P(outcome{o.Value.parents, -1}) / (float64(n) * w[j])
				if math.Abs(o.P-want) > 1e-11*want+1e-30/(float64(n)*w[j]) {
					t.Fatalf("%v, weights %v, path %d: parents %v, slot %d with probability %v, not %v",
						s, w, j, o.Value.parents, o.Value.slot, o.P, want)
				}
			}
		}
	})
}

// offspring returns the distribution of how many offspring the particles have.
func offspring(s particle.Scheme, w []float64) *program.Law[[4]int] {
	parents := make([]int, len(w))
	return longtest.Sure(program.Enumerate(context.Background(), func(c chains.Chooser) (n [4]int) {
		s.Parents(c, w, parents)
		for _, parent := range parents {
			n[parent]++
		}
		return n
	}, program.Options{Cut: math.SmallestNonzeroFloat64}))
}

// TestOrderMatters: where the slots of particles do not matter, the distribution of their offspring
// goes with the particles if two slots are exchanged. Of four particles of the systematic scheme it
// does not.
func TestOrderMatters(t *testing.T) {
	exchanged := func(s particle.Scheme, w []float64, i, j int) (largest float64) {
		other := slices.Clone(w)
		other[i], other[j] = w[j], w[i]
		there := offspring(s, other)
		for _, o := range offspring(s, w).Outcomes() {
			n := o.Value
			n[i], n[j] = n[j], n[i]
			largest = max(largest, math.Abs(o.P-there.P(n)))
		}
		return largest
	}
	rapid.Check(t, func(t *rapid.T) {
		w := drawWeights(t, rapid.IntRange(1, 4).Draw(t, "particles"))
		i, j := rapid.IntRange(0, len(w)-1).Draw(t, "i"), rapid.IntRange(0, len(w)-1).Draw(t, "j")
		for _, s := range schemes() {
			if d := exchanged(s, w, i, j); d > 1e-12 && !particle.OrderMatters(s, len(w), 1) {
				t.Fatalf("%v, weights %v, slots %d and %d exchanged: a probability differs by %v", s, w, i, j, d)
			}
		}
	})
	if d := exchanged(particle.Systematic{}, []float64{0.375, 0.125, 0.375, 0.125}, 1, 2); d != 0.5 {
		t.Errorf("four particles of the systematic scheme: %v", d)
	}
}

func TestSchemeForms(t *testing.T) {
	selectortest.Run(t, selectortest.Check[selector.Nothing, particle.Scheme]{
		Set:  particle.Forms(),
		Name: particle.Scheme.String,
		Same: func(a, b particle.Scheme) bool { return a == b },
	})
	if _, err := particle.ParseScheme("sistematic"); err == nil ||
		err.Error() != `unknown resampling scheme "sistematic"; did you mean systematic?` {
		t.Errorf("a misspelt scheme: %v", err)
	}
}
