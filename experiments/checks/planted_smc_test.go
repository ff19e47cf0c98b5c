package checks_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact/program"
	"breadboard/experiments/checks/planted"
	"breadboard/grid/longtest"
)

// survival is what an outcome of resampling around a path is.
type survival struct {
	parents string
	slot    int
	n       int // the offspring of the path
}

// keptLaw returns the distribution of resampling around particle j.
func keptLaw(j int, f func(c chains.Chooser) (parents []int, slot int)) *program.Law[survival] {
	return longtest.Sure(program.Enumerate(context.Background(), func(c chains.Chooser) survival {
		parents, slot := f(c)
		k := survival{fmt.Sprint(parents), slot, 0}
		for _, parent := range parents {
			if parent == j {
				k.n++
			}
		}
		return k
	}, program.Options{Cut: math.SmallestNonzeroFloat64}))
}

// TestNotSizeBiased: the parents given that a particle has offspring, however many, are those of
// the library's systematic resampling around a path, whose probabilities are theirs times the
// number of its offspring. That is so also for weights far below rounding.
func TestNotSizeBiased(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "particles")
		logw := make([]float64, n)
		for i := range logw {
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				logw[i] = 0
			case 1:
				logw[i] = -rapid.Float64Range(0, 700).Draw(t, "far")
			default:
				logw[i] = -rapid.Float64Range(0, 3).Draw(t, "near")
			}
		}
		w, j := planted.Normalised(logw), rapid.IntRange(0, n-1).Draw(t, "path")
		around := &planted.Particles{}
		planted.NotSizeBiased(around)
		got := keptLaw(j, func(c chains.Chooser) ([]int, int) { return around.Keep(c, w, j) })
		biased := keptLaw(j, func(c chains.Chooser) ([]int, int) {
			parents := make([]int, n)
			return parents, particle.Systematic{}.Keep(c, w, j, parents)
		})
		total := biased.Mean(func(k survival) float64 { return 1 / float64(k.n) })
		for _, law := range []*program.Law[survival]{got, biased} {
			for _, o := range law.Outcomes() {
				if want := biased.P(o.Value) / float64(o.Value.n) / total; math.Abs(got.P(o.Value)-want) > 1e-12 {
					t.Fatalf("weights %v, path %d: %+v has the probability %v, not %v", w, j, o.Value, got.P(o.Value), want)
				}
			}
		}
	})
}
