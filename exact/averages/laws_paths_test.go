package averages_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// listed is a chain so small that all of its paths can be listed.
type listed struct {
	*averages.Chain
	f     *averages.Function
	start []float64
	n     int
}

// drawListed returns a random chain, with zeros, ties and hostile constants among its functions,
// which have integer values of up to that many kinds.
func drawListed(t *rapid.T, samples, kinds int) *listed {
	n := rapid.IntRange(2, 4).Draw(t, "states")
	logf := make([]float64, n)
	g := make([]float64, n)
	start := make([]float64, n)
	constant := rapid.SampledFrom([]float64{0, 0, 1, -1e12, 1 << 40}).Draw(t, "constant")
	scale := rapid.SampledFrom([]float64{1, 1, 3, -1 << 20}).Draw(t, "scale")
	if kinds == 2 {
		constant = 0
		scale = 1
	}
	for x := range n {
		logf[x] = rapid.SampledFrom([]float64{0, 0, 1, -3, -12, 0.3, math.Inf(-1)}).Draw(t, "log f")
		g[x] = constant + scale*float64(rapid.IntRange(0, kinds-1).Draw(t, "g"))
	}
	logf[0], logf[1] = 0, float64(rapid.IntRange(-400, 400).Draw(t, "log f"))/100
	g[0], g[1] = constant, constant+scale
	total := 0.0
	for x := range start {
		start[x] = float64(rapid.IntRange(0, 3).Draw(t, "start"))
		total += start[x]
	}
	if start[0]+start[1] == 0 {
		start[0]++
		total++
	}
	for x := range start {
		start[x] /= total
	}
	space := grid.MustNew(n)
	k := longtest.Must(kernels.Parse(rapid.SampledFrom(
		[]string{"metropolis", "barker", "heatbath", "suwa-todo"},
	).Draw(t, "kernel"), space))(t)
	c := longtest.Must(averages.New(t.Context(), k, logf))(t)
	f := longtest.Must(c.Standardise(g))(t)
	return &listed{c, f, start, rapid.IntRange(1, samples).Draw(t, "N")}
}

// paths calls do for every path of the samples and its probability.
func (c *listed) paths(do func(path []int, p float64)) { averages.EachPath(c.Chain, c.start, c.n, do) }

// means returns the probabilities of the errors of the standardised mean, and the number of samples
// at the second level in each.
func (c *listed) means() (errors, ones, p []float64) {
	at := map[int]int{} // by the sum of the multiples of the step
	step := 0.0
	for _, v := range c.f.Raw {
		if d := math.Abs(v - c.f.Raw[0]); d > 0 && (step == 0 || d < step) {
			step = d
		}
	}
	c.paths(func(path []int, q float64) {
		sum := 0
		e := 0.0
		for _, x := range path {
			sum += int(math.Round((c.f.Raw[x] - c.f.Raw[0]) / step))
			e += c.f.Values[x] / float64(c.n)
		}
		i, known := at[sum]
		if !known {
			i = len(p)
			at[sum] = i
			errors, ones, p = append(errors, e), append(ones, float64(sum)), append(p, 0)
		}
		p[i] += q
	})
	return errors, ones, p
}

// tuples calls do for every tuple of numbers below n of the given length.
func tuples(n, length int, do func(tuple []int)) {
	tuple := make([]int, length)
	for {
		do(tuple)
		i := 0
		for ; i < length; i++ {
			tuple[i]++
			if tuple[i] < n {
				break
			}
			tuple[i] = 0
		}
		if i == length {
			return
		}
	}
}

// near fails if two probabilities or moments differ by more than rounding.
func near(t interface{ Errorf(string, ...any) }, what string, got, want float64) {
	if !(math.Abs(got-want) <= 1e-12*math.Abs(want)+1e-15) {
		t.Errorf("%s is %.17g, want %.17g", what, got, want)
	}
}

// TestSumLawIsThatOfAllPaths compares the distribution of the sum, its moments and the coverage
// with sums over all paths.
func TestSumLawIsThatOfAllPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawListed(t, 6, 4)
		l := longtest.Must(c.SumLaw(t.Context(), c.f, c.start, c.n))(t)
		want := map[int64]float64{}
		bias := 0.0
		mse := 0.0
		inside := 0.0
		onEdge := 0.0
		tau := rapid.Float64Range(0.1, 10).Draw(t, "tau")
		end := 1.96 * math.Sqrt(tau/float64(c.n))
		c.paths(func(path []int, p float64) {
			sum := int64(0)
			e := 0.0
			for _, x := range path {
				sum += int64(c.f.Raw[x])
				e += c.f.Values[x] / float64(c.n)
			}
			want[sum] += p
			bias += p * e
			mse += p * e * e
			if math.Abs(math.Abs(e)-end) < 1e-9 {
				onEdge += p
			} else if math.Abs(e) < end {
				inside += p
			}
		})
		for i, p := range l.P {
			sum := l.Low + int64(i)*l.Step
			near(t, "a probability", p, want[sum])
			delete(want, sum)
		}
		if len(want) > 0 {
			t.Errorf("sums %v have no place in the distribution", want)
		}
		// Errors of the mean of the function, 1e12 and the like, stay in the standardised values:
		// their rounding in units of sd.
		slack := 1e-15 * (1 + math.Abs(c.f.Mean)/c.f.SD)
		if math.Abs(l.Mean()-bias) > 1e-12+slack || math.Abs(l.MSE().Value-mse) > (1e-12+slack)*(1+mse) {
			t.Errorf("bias %v, mse %v; want %v, %v", l.Mean(), l.MSE().Value, bias, mse)
		}
		if got := l.Coverage(tau); got < inside-1e-12 || got > inside+onEdge+1e-12 {
			t.Errorf("coverage %v, want %v", got, inside)
		}
	})
}

// TestSuccessIsThatOfAllPaths compares success, its bracket and the distribution of RESS with sums
// over all tuples of chains.
func TestSuccessIsThatOfAllPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawListed(t, 4, 3)
		k := rapid.IntRange(1, 4).Draw(t, "K")
		l := longtest.Must(c.SumLaw(t.Context(), c.f, c.start, c.n))(t)
		law := longtest.Must(l.RESS(t.Context(), k))(t)
		errors, _, p := c.means()
		square := func(tuple []int) (sum, q float64) {
			q = 1
			for _, i := range tuple {
				sum += errors[i] * errors[i]
				q *= p[i]
			}
			return sum, q
		}
		// A value that RESS has, so that ties are met, or any other one. If it is large, the mean
		// of the function has too few digits.
		tuple := make([]int, k)
		for i := range tuple {
			tuple[i] = rapid.IntRange(0, len(p)-1).Draw(t, "chain")
		}
		sum, _ := square(tuple)
		ress := float64(k) / sum
		if sum < 1e-4 || rapid.Bool().Draw(t, "any") {
			ress = rapid.SampledFrom([]float64{0.01, 0.5, 1, 2, 3, 12, 1e6}).Draw(t, "RESS")
		}
		want := 0.0
		atMost := 0.0
		tuples(len(p), k, func(tuple []int) {
			sum, q := square(tuple)
			if float64(k) >= ress*sum*(1-1e-13) {
				want += q
			}
			if float64(k) <= ress*sum*(1+1e-13) {
				atMost += q
			}
		})
		got := longtest.Must(l.Success(t.Context(), k, ress))(t)
		near(t, "success", got.P, want)
		if !(got.Low <= want*(1+1e-13) && got.High >= want*(1-1e-13)) || got.High > 1 {
			t.Errorf("success at %v of %d chains is %v, and its bracket %+v", ress, k, want, got)
		}
		// With q above P(RESS < ress), and at most P(RESS <= ress), the quantile is ress.
		share := rapid.Float64Range(0.01, 0.99).Draw(t, "share")
		if mass := want + atMost - 1; mass > 1e-9 {
			low, high := law.Quantile(1 - want + share*mass)
			if !(low <= ress*(1+1e-12) && ress <= high*(1+1e-12)) {
				t.Errorf("quantile from %v to %v, want %v", low, high, ress)
			}
		}
	})
}

// rhat returns R-hat by its definition, for chains that are zeros and ones: NaN if all are constant
// and equal.
func rhat(n int, ones []float64) float64 {
	within := 0.0
	between := 0.0
	mean := 0.0
	for _, s := range ones {
		m := s / float64(n)
		mean += m / float64(len(ones))
		within += (s*(1-m)*(1-m) + (float64(n)-s)*m*m) / float64(n-1) / float64(len(ones))
	}
	for _, s := range ones {
		d := s/float64(n) - mean
		between += d * d / float64(len(ones)-1)
	}
	return math.Sqrt((float64(n-1)/float64(n)*within + between) / within)
}

// TestRHatIsThatOfAllPaths compares the distribution of R-hat with sums over all tuples of chains.
func TestRHatIsThatOfAllPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawListed(t, 5, 2)
		c.n = max(c.n, 2)
		k := rapid.IntRange(2, 4).Draw(t, "K")
		l := longtest.Must(c.SumLaw(t.Context(), c.f, c.start, c.n))(t)
		got := longtest.Must(l.RHat(t.Context(), k))(t)
		_, steps, p := c.means()
		limit := rapid.SampledFrom([]float64{0.9, 1, 1.01, 1.1, 1.5, 3}).Draw(t, "limit")
		var below, belowWrong, wrong, constant, constantWrong, infinite float64
		tuples(len(p), k, func(tuple []int) {
			q := 1.0
			sum := 0.0
			ones := make([]float64, k)
			for i, chain := range tuple {
				q *= p[chain]
				ones[i] = steps[chain]
				sum += steps[chain]
			}
			all := float64(k * c.n)
			off := math.Abs(sum/all-c.f.Mean) > c.f.SD/2*(1+1e-13)
			if off {
				wrong += q
			}
			switch r := rhat(c.n, ones); {
			case math.IsNaN(r):
				constant += q
				if off {
					constantWrong += q
				}
			case math.IsInf(r, 1):
				infinite += q
			case r < limit*(1-1e-13):
				below += q
				if off {
					belowWrong += q
				}
			}
		})
		near(t, "P(R-hat < limit)", got.Below(limit), below)
		near(t, "P(R-hat < limit, wrong)", got.BelowAndWrong(limit), belowWrong)
		near(t, "P(wrong)", got.Wrong(), wrong)
		near(t, "P(constant)", got.Constant(), constant)
		near(t, "P(constant, wrong)", got.ConstantAndWrong(), constantWrong)
		near(t, "P(infinite)", got.Infinite(), infinite)
	})
}

// TestKSIsThatOfAllPaths compares the moments of the Kolmogorov-Smirnov distance with sums over all
// paths, of the chain and of independent draws.
func TestKSIsThatOfAllPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawListed(t, 6, 4)
		distance := func(path []int) float64 {
			most := 0.0
			for _, level := range c.f.Levels.Values {
				d := 0.0
				for _, x := range path {
					if c.f.Raw[x] <= level {
						d += 1 / float64(len(path))
					}
				}
				for x, p := range c.Target {
					if p > 0 && c.f.Raw[x] <= level {
						d -= p
					}
				}
				most = max(most, math.Abs(d))
			}
			return most
		}
		var mean, square, freeMean, freeSquare float64
		c.paths(func(path []int, p float64) {
			d := distance(path)
			mean += p * d
			square += p * d * d
		})
		tuples(c.States(), c.n, func(path []int) {
			p := 1.0
			d := distance(path)
			for _, x := range path {
				p *= c.Target[x]
			}
			freeMean += p * d
			freeSquare += p * d * d
		})
		got := longtest.Must(c.KS(t.Context(), c.f, c.start, c.n, nil))(t)
		near(t, "E KS", got.Mean, mean)
		near(t, "E KS^2", got.Square, square)
		got = longtest.Must(c.f.IndependentKS(t.Context(), c.n, nil))(t)
		near(t, "E KS of independent draws", got.Mean, freeMean)
		near(t, "E KS^2 of independent draws", got.Square, freeSquare)
	})
}
