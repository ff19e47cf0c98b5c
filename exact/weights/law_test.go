package weights_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/stages"
	"breadboard/exact/weights"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// atom is a value of log w and its probability.
type atom struct{ value, p float64 }

// pathLaws returns the distributions of log w by a walk over all paths, equal values merged:
// forward, then reverse.
func pathLaws(t *rapid.T, a *chains.Annealing) (laws [2][]atom) {
	exacttest.EachPath(t, a, func(forward, reverse, logw float64, _ int) {
		for i, p := range []float64{forward, reverse} {
			if p > 0 {
				laws[i] = append(laws[i], atom{logw, p})
			}
		}
	})
	for i, law := range laws {
		slices.SortFunc(law, func(a, b atom) int { return cmp.Compare(a.value, b.value) })
		merged := law[:0]
		for _, a := range law {
			if n := len(merged); n > 0 &&
				(a.value == merged[n-1].value || a.value-merged[n-1].value < 1e-13) {
				merged[n-1].p += a.p
			} else {
				merged = append(merged, a)
			}
		}
		laws[i] = merged
	}
	return laws
}

// massBelow returns the probability of values below x.
func massBelow(law []atom, x float64) (total float64) {
	for _, a := range law {
		if a.value < x {
			total += a.p
		}
	}
	return total
}

// between returns points at which a distribution can be compared: between its atoms, and beyond
// them.
func between(law []atom) []float64 {
	var points []float64
	for i, a := range law {
		if math.IsInf(a.value, 0) {
			continue
		}
		if i == 0 || math.IsInf(law[i-1].value, -1) {
			points = append(points, a.value-1)
		} else if gap := a.value - law[i-1].value; gap > 1e-9 {
			points = append(points, a.value-gap/2)
		}
		if i == len(law)-1 {
			points = append(points, a.value+1)
		}
	}
	return points
}

func weightLaw(t testing.TB, a *chains.Annealing, o weights.Options) *weights.Laws {
	t.Helper()
	return longtest.Must(weights.LawsOf(context.Background(), a, o))(t)
}

// holds fails the test where the truth is outside of the bracket.
func holds(t *rapid.T, what string, b weights.Bracket, want float64) {
	t.Helper()
	if !(b.Low <= want+1e-12 && want <= b.High+1e-12 && b.Low <= b.Value && b.Value <= b.High) {
		t.Fatalf("%s: %v, and should hold %v", what, b, want)
	}
}

// TestLawBruteForce compares the distributions with a walk over every path, on spaces and T so
// small that all n^T of them can be walked: kernels that are not reversible, zeros of f, one state,
// T = 2.
func TestLawBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 5, 4)
		want := pathLaws(t, a)
		o := weights.Options{Frequencies: rapid.IntRange(1, 600).Draw(t, "frequencies")}
		w := longtest.Must(weights.LawsOf(context.Background(), a, o))(t)
		o.Inversion = rapid.Bool().Draw(t, "inversion")
		o.Frequencies = 500
		for i, law := range []*weights.Law{w.Forward, w.Reverse} {
			one := longtest.Must(weights.LawOf(context.Background(), a, chains.Direction(i), o))(t)
			zero := 0.0
			infinite := 0.0
			for _, a := range want[i] {
				if math.IsInf(a.value, -1) {
					zero = a.p
				} else if math.IsInf(a.value, 1) {
					infinite = a.p
				}
			}
			if math.Abs(law.Zero-zero) > 1e-12 || math.Abs(law.Infinite-infinite) > 1e-12 {
				t.Fatalf("zero %v, infinite %v; want %v, %v", law.Zero, law.Infinite, zero, infinite)
			}
			for _, x := range between(want[i]) {
				total := massBelow(want[i], x)
				holds(t, "below", law.Below(x), total)
				holds(t, "at most", law.AtMost(x), total)
				holds(t, "above", law.Above(x), 1-total)
				holds(t, "below, of one direction", one.Below(x), total)
				holds(t, "above, of one direction", one.Above(x), 1-total)
			}
			for _, q := range []float64{0.1, 0.5, 0.9} {
				checkQuantile(t, law.Quantile(q), want[i], q)
			}
		}
		for _, b := range []float64{-1.234567, 0.1234567, 2.345678} {
			below := 0.0
			for _, f := range want[0] {
				for _, r := range want[1] {
					if r.value-f.value < b { // an infinite one is +Inf
						below += f.p * r.p
					}
				}
			}
			holds(t, "difference", w.DifferenceBelow(b), below)
		}
	})
}

func checkQuantile(t *rapid.T, got weights.Bracket, law []atom, q float64) {
	total := 0.0
	for _, a := range law {
		total += a.p
		if total > q+1e-11 {
			if a.value < got.Low-1e-9 {
				t.Fatalf("quantile %v: %v, and is %v", q, got, a.value)
			}
			break
		}
	}
	total = 0
	for _, a := range slices.Backward(law) {
		total += a.p
		if total > 1-q+1e-11 {
			if a.value > got.High+1e-9 {
				t.Fatalf("quantile %v: %v, and is %v", q, got, a.value)
			}
			break
		}
	}
}

func TestLawCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, toy := range []string{"easy", "barrier"} {
		a := exacttest.Annealing(t, toy, "linear", "metropolis", 300)
		if _, err := weights.LawsOf(ctx, a, weights.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", toy, err)
		}
		if _, err := weights.MultiSampleBounds(ctx, a, []int{2}, weights.SampleOptions{}); !errors.Is(
			err,
			context.Canceled,
		) {
			t.Errorf("%s: error %v", toy, err)
		}
	}
}

// TestRenyiBruteForce compares with sums over every path.
func TestRenyiBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 5, 4)
		alpha := rapid.SampledFrom([]float64{0.25, 0.5, 2, 3}).Draw(t, "alpha")
		forward, reverse, err := weights.Renyi(context.Background(), a, alpha)
		longtest.NoError(t, err)
		sums := [2]float64{}
		exacttest.EachPath(t, a, func(p, q, _ float64, _ int) {
			for i, pair := range [][2]float64{{p, q}, {q, p}} {
				if pair[0] > 0 {
					sums[i] += math.Exp(alpha*math.Log(pair[0]) + (1-alpha)*math.Log(pair[1]))
				}
			}
		})
		for i, got := range []float64{forward, reverse} {
			if want := math.Log(sums[i]) / (alpha - 1); !exacttest.Same(got, want, 1e-10, 1+math.Abs(want)) {
				t.Fatalf("divergence %d of order %v is %v, summed over paths %v", i, alpha, got, want)
			}
		}
	})
	_, _, err := weights.Renyi(context.Background(), exacttest.TwoModes(), 1)
	longtest.Refused(t, err, "order")
}

// heavy is Metropolis with rows that sum to slightly more than one, within what Rows allows.
type heavy struct{ kernels.Metropolis }

func (k heavy) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return append(k.Metropolis.AppendRow(dst, logf, x), chains.Entry{To: x, P: 9e-13})
}

// TestDefectOfRowsIsInTheBound: if the rows of a kernel do not sum to exactly one, the error
// bounds of a distribution and of the bounds of many samples are larger by the effect of that.
func TestDefectOfRowsIsInTheBound(t *testing.T) {
	longtest.Only(t)
	const defect = 9e-13
	T := exacttest.Longest(20, 20, 100)
	for _, toy := range []string{"barrier:5x5", "random:1:0:3x3"} {
		good := exacttest.Annealing(t, toy, "linear", "metropolis", T)
		bad := longtest.Must(chains.NewAnnealing(
			good.Path(),
			good.Schedule(),
			heavy{good.Kernel().(kernels.Metropolis)},
			T,
		))(t)
		samples, err := weights.MultiSampleBounds(context.Background(), bad, []int{10}, weights.SampleOptions{})
		if err != nil || !(samples[0].Error > float64(T)*defect/10) {
			t.Errorf("%s: bounds of samples are known to %v, %v", toy, samples[0].Error, err)
		}
		if toy != "barrier:5x5" {
			continue // by inversion the brackets are much wider than the effect of the rows
		}
		a, b := weightLaw(t, good, weights.Options{}), weightLaw(t, bad, weights.Options{})
		if a.Method != weights.MethodLattice {
			t.Errorf("%s: method %v", toy, a.Method)
		}
		x := a.LogZRatio + 0.05
		p, q := a.Forward.Below(x), b.Forward.Below(x)
		if !(q.Low <= p.Value && p.Value <= q.High && q.High-q.Low > float64(T)*defect) {
			t.Errorf("%s: %v with good rows, %v with bad ones", toy, p, q)
		}
	}
}

// TestEqualWeights: log weights that are one but for rounding are one. No difference of two of them
// is below zero, by either method, and if all are one the distribution is a point.
func TestEqualWeights(t *testing.T) {
	const third = 1.0 / 3
	near := math.Nextafter(third, 1)
	up := math.Nextafter(near, 1)
	half := math.Sqrt(2)
	for _, g := range [][]float64{
		{third, near, half, half}, {near, third, up, half}, {near, third, up, third},
		{1000 + third, 1000 + half, 1000 + half, 1000 + near}} {
		a := exacttest.Build(t, nil, g, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(4)}, 2)
		p := stages.Distribution(a.Path(), 1)
		want := 0.0
		for y, r := range g {
			for _, f := range g {
				if r < f-0.1 { // the others are equal
					want += p[y] / 4
				}
			}
		}
		for _, inversion := range []bool{false, true} {
			w := weightLaw(t, a, weights.Options{Inversion: inversion, Frequencies: 256})
			if got := w.DifferenceBelow(0); math.Abs(got.Value-want) > 1e-12 {
				t.Errorf("%v, inversion %t: P(B-hat < 0) = %v, want %v", g, inversion, got, want)
			}
		}
	}
}

// TestLawWorkersAndProgress: the numbers do not depend on the workers, and the progress adds up,
// also of sweeps so long that each is reported.
func TestLawWorkersAndProgress(t *testing.T) {
	for _, toy := range []string{"hard", "barrier"} {
		if toy == "barrier" && !longtest.Enabled() {
			continue
		}
		a := exacttest.Annealing(t, toy, "linear", "metropolis", 15)
		long := exacttest.Annealing(t, toy, "linear", "metropolis", 1500)
		one := weightLaw(t, a, weights.Options{Workers: 1, Frequencies: 1000})
		three := weightLaw(t, a, weights.Options{Workers: 3, Frequencies: 1000})
		for _, x := range []float64{-1, 0.3, 2, 10} {
			if one.Forward.Below(x) != three.Forward.Below(x) ||
				one.DifferenceBelow(x) != three.DifferenceBelow(x) {
				t.Errorf("%s: other numbers with other workers", toy)
			}
		}
		for i, work := range []func(count func(int)) error{
			func(count func(int)) error {
				_, err := weights.LawsOf(t.Context(), a, weights.Options{Frequencies: 1000, Progress: count})
				return err
			},
			func(count func(int)) error {
				_, err := weights.LawsOf(
					t.Context(),
					long,
					weights.Options{Inversion: true, Frequencies: 1, Progress: count},
				)
				return err
			},
			func(count func(int)) error {
				_, err := weights.MultiSampleBounds(t.Context(), a, []int{3}, weights.SampleOptions{Progress: count})
				return err
			},
		} {
			var steps atomic.Int64
			if err := work(func(n int) { steps.Add(int64(n)) }); err != nil ||
				steps.Load() != weights.LawProgress {
				t.Errorf("%s, %d: %d steps reported, want %d; %v", toy, i, steps.Load(), weights.LawProgress, err)
			}
		}
	}
}
