package tempering_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/tempering"
	"breadboard/exact/program"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// ladder returns the tempering of a kernel to a target on a row of cells, on the geometric path
// from the uniform distribution.
func ladder(t *testing.T, kernel string, logf []float64, scheme tempering.Scheme,
	betas ...float64) *tempering.Tempering {
	return ladderFrom(t, nil, 1, kernel, logf, scheme, betas...)
}

// ladderFrom is ladder on a path of another order from another distribution.
func ladderFrom(t *testing.T, initial []float64, order float64, kernel string, logf []float64,
	scheme tempering.Scheme, betas ...float64) *tempering.Tempering {
	space := grid.MustNew(1, len(logf))
	ends := longtest.Must(paths.NewEnds(initial, logf))(t)
	path := longtest.Must(paths.PowerMeanBetween(order, ends))(t)
	k := longtest.Must(kernels.Parse(kernel, space))(t)
	a := longtest.Must(
		chains.NewAnnealing(path, longtest.Must(schedules.NewPoints("ladder", betas))(t), k, len(betas)),
	)(t)
	return longtest.Must(tempering.New(a, scheme))(t)
}

// rungLaws returns the distribution of each rung.
func rungLaws(m *tempering.Tempering) (list [][]float64) {
	for i := range m.Rungs() {
		p := make([]float64, m.States())
		copy(p, m.LogF(i))
		chains.Normalize(p)
		list = append(list, p)
	}
	return list
}

// TestInvariance: a scan of either parity leaves the product of the rungs invariant, whether or not
// the kernel is reversible and f has zeros.
func TestInvariance(t *testing.T) {
	for kernel, logf := range map[string][]float64{
		"metropolis": {0.3, -1.2, math.Inf(-1)}, "suwa-todo": {0.3, -1.2, 0, 2}} {
		for _, scheme := range []tempering.Scheme{tempering.DEO, tempering.SEO} {
			m := ladder(t, kernel, logf, scheme, 0, 0.3, 1)
			elsewhere := ladderFrom(t, []float64{1, 0, -1, 0.5}[:len(logf)], 0.5, kernel, logf, scheme, 0, 0.3, 1)
			for scan := 1; scan <= 2; scan++ {
				if worst := max(defect(t, m, scan), defect(t, elsewhere, scan)); worst > 1e-15 {
					t.Errorf("%s %s: scan %d moves a probability of %v", kernel, scheme, scan, worst)
				}
			}
		}
	}
}

// defect returns the largest probability that a joint state gains or loses in a scan from the
// product of the rungs.
func defect(t *testing.T, m *tempering.Tempering, scan int) (worst float64) {
	p := rungLaws(m)
	change := map[[3]int]float64{}
	for x := range m.States() {
		for y := range m.States() {
			for z := range m.States() {
				mass := p[0][x] * p[1][y] * p[2][z]
				if mass == 0 {
					continue
				}
				change[[3]int{x, y, z}] -= mass
				law := longtest.Must(program.Enumerate(context.Background(), func(c chains.Chooser) [3]int {
					s := [3]int{x, y, z}
					m.Scan(c, scan, s[:], func(int, bool) {})
					return s
				}, program.Options{}))(t)
				for _, o := range law.Outcomes() {
					change[o.Value] += mass * o.P
				}
			}
		}
	}
	for _, v := range change {
		worst = max(worst, math.Abs(v))
	}
	return worst
}

// TestLaddersRefused: a ladder that is none is refused with the cure.
func TestLaddersRefused(t *testing.T) {
	longtest.Refuses(tempering.ParseScheme("doe"))(t, "choices: deo, seo")
	ends := longtest.Must(paths.NewEnds(nil, []float64{0, 1}))(t)
	path := longtest.Must(paths.PowerMeanBetween(1, ends))(t)
	k := longtest.Must(kernels.Parse("metropolis", grid.MustNew(2)))(t)
	for want, betas := range map[string][]float64{
		"rungs 1 and 2": {0, 0.5, 0.5, 1}, "at most 32": make([]float64, 40)} {
		betas[len(betas)-1] = 1
		a := longtest.Must(chains.NewAnnealing(
			path,
			longtest.Must(schedules.NewPoints("ladder", betas))(t),
			k,
			len(betas),
		))(t)
		longtest.Refuses(tempering.New(a, tempering.DEO))(t, want)
	}
	a := longtest.Must(chains.NewAnnealingBy(
		path,
		schedules.Linear{},
		chains.ByStage("stages", []chains.Kernel{k, k}),
		3,
	))(t)
	longtest.Refuses(tempering.New(a, tempering.SEO))(t, "give one kernel")
}
