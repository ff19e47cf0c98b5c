package laws

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// sumTarget returns the target of a toy with a kernel: from its prior if it has one, and else from
// the uniform distribution.
func sumTarget(toy, kernel string) (*Target, *chains.Annealing) {
	y := longtest.Sure(toys.Parse(toy))
	k := longtest.Sure(kernels.Parse(kernel, y.Space))
	path := longtest.Sure(paths.NewGeometric(y.LogPrior, y.G))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, k, 2))
	return NewTarget(a), a
}

// newSum returns the distribution of an estimator by its name in the tests.
func newSum(ctx context.Context, t *Target, kind string, star, k int) (*Sum, error) {
	switch kind {
	case "weighting":
		return NewWeighting(t, k)
	case "harmonic":
		return NewHarmonic(t, k)
	case "harmonic-chain":
		return NewHarmonicChain(ctx, t, k, 1)
	case "harmonic-prior":
		return NewHarmonicPriorChain(ctx, t, k, 1)
	case "chib":
		return NewChib(ctx, t, star, k, 1)
	case "chib-chain":
		return NewChibChain(ctx, t, star, k, 1)
	case "cms-first":
		return NewCMS(ctx, t, star, k, estimators.StartFirst, 1)
	}
	return NewCMS(ctx, t, star, k, estimators.StartUniform, 1)
}

// sumRow is a row of testdata/sums.csv, which says what its columns are.
type sumRow struct {
	toy, kernel, kind    string
	k, star              int
	mean, sd, meanOfZhat float64
}

func parsed(t *testing.T, text string) float64 {
	t.Helper()
	return longtest.Must(strconv.ParseFloat(text, 64))(t)
}

// TestSumsReference holds all sums to values that a program independent of this one has computed in
// two ways: means to 1e-11, standard deviations such that the variance is right to 1e-11, or 9
// digits, and E Z-hat/Z to 1e-11. The states z* are the likeliest.
func TestSumsReference(t *testing.T) {
	longtest.Only(t)
	file := longtest.Must(os.Open("testdata/sums.csv"))(t)
	defer file.Close()
	r := csv.NewReader(file)
	r.Comment = '#'
	type problem struct{ toy, kernel string }
	targets := map[problem]*Target{}
	for _, line := range longtest.Must(r.ReadAll())(t)[1:] {
		c := sumRow{line[0], line[1], line[2], int(parsed(t, line[3])), int(parsed(t, line[4])), parsed(t, line[5]), parsed(t, line[6]), parsed(t, line[7])}
		if c.k > 10 && c.toy != "barrier" && !longtest.More() {
			continue
		}
		target := targets[problem{c.toy, c.kernel}]
		if target == nil {
			var a *chains.Annealing
			target, a = sumTarget(c.toy, c.kernel)
			targets[problem{c.toy, c.kernel}] = target
			model := longtest.Sure(estimators.NewFinite(a))
			if likeliest := model.Likeliest(); c.star >= 0 && likeliest != c.star {
				t.Errorf("%s: the likeliest state is %d, want %d", c.toy, likeliest, c.star)
			}
		}
		s, err := newSum(context.Background(), target, c.kind, c.star, c.k)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		m := longtest.Sure(s.Moments(context.Background(), 1))
		mean := m.Mean + target.Offset
		if !(math.Abs(mean-c.mean) < 1e-11) {
			t.Errorf("%+v: mean %.16g, off by %.2g", c, mean, mean-c.mean)
		}
		if off := math.Abs(m.SD*m.SD - c.sd*c.sd); !(off < 2e-11 || math.Abs(m.SD/c.sd-1) < 1e-8) && !math.IsNaN(c.sd) {
			t.Errorf("%+v: sd %.16g, the variance is off by %.2g", c, m.SD, off)
		}
		if relative := math.Exp(m.LogMean - target.LogZ); !(math.Abs(relative-c.meanOfZhat) < 1e-11) && !math.IsNaN(c.meanOfZhat) {
			t.Errorf("%+v: E Z-hat/Z %.16g, off by %.2g", c, relative, relative-c.meanOfZhat)
		}
	}
}
