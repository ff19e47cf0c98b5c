package conform

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/kernels"
	annealingpaths "breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/weights"
	"breadboard/experiments/checks/annealed"
	"breadboard/experiments/forms"
	"breadboard/experiments/verdicts"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// threshold is that of 25 tests with a false alarm of 1e-6 among them.
func threshold() float64 { return math.Log(25 * 1e6) }

func powerLawsOf(t testing.TB, selector string, T int) *annealed.ChainLaws {
	t.Helper()
	toy := longtest.Sure(forms.All().Parse(selector))
	return lawsOn(t, toy.Space, toy.G, T)
}

func lawsOn(t testing.TB, space grid.Graph, g []float64, T int) *annealed.ChainLaws {
	t.Helper()
	path := longtest.Must(annealingpaths.NewGeometric(nil, g))(t)
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: space}, T))
	return longtest.Sure(annealed.NewChainLaws(context.Background(), a))
}

func bounds(t testing.TB, l *annealed.ChainLaws, d chains.Direction, n int) (low, high Tilt) {
	t.Helper()
	low, high, err := LeastTilts(context.Background(), l, d, n, threshold())
	longtest.NoError(t, err)
	return low, high
}

// lattice returns the values of log w on BARRIER and their tilted probabilities, from the table
// that is exact there.
func lattice(t testing.TB, l *annealed.ChainLaws, d chains.Direction, theta float64) (values, p []float64) {
	t.Helper()
	law := longtest.Sure(weights.LawsOf(context.Background(), l.Annealing(), weights.Options{}))
	of := law.Forward
	if d == chains.Reverse {
		of = law.Reverse
	}
	values, p = of.Points()
	for i, v := range values {
		p[i] *= math.Exp(theta * v)
	}
	floats.Scale(1/floats.Sum(p), p)
	return values, p
}

// TestLatticeByConvolution: on BARRIER the distribution of the sum is a table too, the convolution
// power of that of log w. With it the power at the tilts is about verdicts.DetectionProbability,
// and the mean and the divergence are about the sums that they stand for.
func TestLatticeByConvolution(t *testing.T) {
	const n = 1000
	barrier := powerLawsOf(t, "barrier", 12)
	// With a zero of f a forward weight may be zero: the tilts are those of the others.
	zero := lawsOn(t, grid.MustNew(3, 3), []float64{0, 1, 2, 1, math.Inf(-1), 0, 1, 3, 1}, 6)
	for _, c := range []struct {
		l *annealed.ChainLaws
		d chains.Direction
	}{{barrier, chains.Forward}, {barrier, chains.Reverse}, {zero, chains.Forward}} {
		l := c.l
		d := c.d
		if !longtest.Enabled() && l == barrier {
			continue
		}
		low, high := bounds(t, l, d, n)
		for _, tilt := range []Tilt{low, high} {
			values, p := lattice(t, l, d, tilt.Theta)
			_, untilted := lattice(t, l, d, 0)
			mean := 0.0
			exact := 0.0
			kl := 0.0
			for i, v := range values {
				mean += p[i] * v
				exact += untilted[i] * v
				if p[i] > 0 {
					kl += p[i] * math.Log(p[i]/untilted[i])
				}
			}
			if shift := mean - exact; math.Abs(tilt.Mean-tilt.Shift-exact) > 1e-5*math.Abs(shift) ||
				math.Abs(tilt.Shift/shift-1) > 0.01 ||
				math.Abs(tilt.KL/kl-1) > 0.02 {
				t.Errorf("%v: %+v, want mean %v, shift %v, KL %v", d, tilt, mean, mean-exact, kl)
			}
			size := 1
			for size <= (len(values)-1)*n {
				size *= 2
			}
			fft := fourier.NewFFT(size)
			padded := make([]float64, size)
			copy(padded, p)
			c := fft.Coefficients(nil, padded)
			for i := range c {
				c[i] = cmplx.Pow(c[i], n)
			}
			sums := fft.Sequence(nil, c)
			powers, k := l.CGF(d)
			power := 0.0
			atom := 0.0
			spacing := values[1] - values[0]
			for i, v := range sums {
				if v/float64(size) < 1e-13 { // all of these together are less than what is allowed for
					continue
				}
				atom = max(atom, v/float64(size))
				if verdicts.WeightsLogE(n*values[0]+float64(i)*spacing, n, powers, k) >= threshold() {
					power += v / float64(size)
				}
			}
			if off := math.Abs(power - verdicts.DetectionProbability); off > atom/2+0.002 {
				t.Errorf("%v: the power at %+v is %v, off by more than 0.002 and half of an atom of %.2g",
					d, tilt, power, atom)
			}
		}
	}
}

// TestRefused: what cannot be answered is an error.
func TestRefused(t *testing.T) {
	longtest.Only(t)
	l := powerLawsOf(t, "random:2:1:3x3", 6)
	flat := powerLawsOf(t, "random:0:1:3x3", 6)
	// Where a reverse chain hardly ever comes to the one unlikely state the variance of log w is
	// below 1e-80, and rounding made it zero or negative.
	steep := powerLawsOf(t, "cells:0:0/0:-200", 3)
	for want, c := range map[string]struct {
		l         *annealed.ChainLaws
		d         chains.Direction
		n         int
		threshold float64
	}{
		"999 chains":         {l, chains.Forward, 999, 20},
		"log threshold of":   {l, chains.Forward, 1000, 4},
		"does not vary":      {flat, chains.Forward, 1000, 20},
		"below the rounding": {steep, chains.Reverse, 3000, 16},
	} {
		_, _, err := LeastTilts(context.Background(), c.l, c.d, c.n, c.threshold)
		longtest.Refused(t, err, want)
	}
}

// ExampleLeastTilts: how far the mean of log w would have to be off for 10^5 forward chains on EASY
// to show it.
func ExampleLeastTilts() {
	toy, err := forms.All().Parse("easy")
	if err != nil {
		fmt.Println(err)
		return
	}
	path, err := annealingpaths.NewGeometric(nil, toy.G)
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: toy.Space}, 12)
	if err != nil {
		fmt.Println(err)
		return
	}
	laws, err := annealed.NewChainLaws(context.Background(), a)
	if err != nil {
		fmt.Println(err)
		return
	}
	low, high, err := LeastTilts(context.Background(), laws, chains.Forward, 100_000, math.Log(25*1e6))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("E[log w] off by %.4f or %+.4f nats is found with probability %v\n", low.Shift, high.Shift,
		verdicts.DetectionProbability)
	// Output:
	// E[log w] off by -0.0420 or +0.0418 nats is found with probability 0.99
}
