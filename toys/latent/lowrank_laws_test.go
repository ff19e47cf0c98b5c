package latent_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
	"breadboard/toys/latent"
)

// alarm is how often a test of this file fails by chance, at most, for each number that it
// compares.
const alarm = 1e-10

// runs is how many runs the tests of distributions make.
func runs() int {
	if !longtest.Enabled() {
		return 500
	}
	return longtest.Times(3_000, 10_000)
}

// meanOf returns the mean of independent numbers between zero and a bound, and how far that is from
// the expectation at most.
//
// Source: Maurer and Pontil 2009, Empirical Bernstein bounds and sample variance penalization,
// Theorem 4, for both tails.
func meanOf(x []float64, bound float64) (mean, error float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	variance, logs := 0.0, math.Log(4/alarm)
	for _, v := range x {
		variance += (v - mean) * (v - mean) / (n - 1)
	}
	return mean, math.Sqrt(2*variance*logs/n) + 7*bound*logs/(3*(n-1))
}

// testBelow fails if the share of independent numbers below each of them differs from a
// distribution function by more than chance.
func testBelow(t *testing.T, what string, x []float64, below func(float64) float64) {
	t.Helper()
	slices.Sort(x)
	n := float64(len(x))
	bound := math.Sqrt(math.Log(2/alarm)/(2*n)) + 1/n
	for i, v := range x {
		if p := below(v); !(math.Abs(p-float64(i)/n) <= bound) {
			t.Errorf("%s: a share of %v lies below %v, and the probability is %v", what, float64(i)/n, v, p)
			return
		}
	}
}

// testSame fails if two samples of that many independent numbers differ by more than chance in the
// share below a number.
func testSame(t *testing.T, what any, x, y []float64) {
	t.Helper()
	slices.Sort(x)
	slices.Sort(y)
	n := float64(len(x))
	bound := 2*math.Sqrt(math.Log(4/alarm)/(2*n)) + 1/n // each differs from its distribution by half of that
	for i, v := range x {
		j, _ := slices.BinarySearch(y, v)
		if math.Abs(float64(i-j)/n) > bound {
			t.Errorf("%v: shares of %v and %v lie below %v; they differ by chance by at most %v", what, float64(i)/n, float64(j)/n, v, bound)
			return
		}
	}
}

// normalBelow is the distribution function of a standard normal number.
func normalBelow(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// TestLowRankPriorMoves: at b = 0 moves leave the prior invariant, whatever the data. The sum of
// the squares of many entries finds a variance that is wrong by some percent.
func TestLowRankPriorMoves(t *testing.T) {
	h := estimators.Factors{UVariance: 2, VVariance: 0.5, NoiseVariance: 0.1}
	full, _ := simulated(t, 1, 20, 15, 5, h)
	without := collapsed(t, full.Rows(), 5, h)
	c := sampler(13)
	var us, vs, alone, within []float64
	square := func(x [][]float64) (total float64) {
		for _, row := range x {
			for _, v := range row {
				total += v * v
			}
		}
		return total
	}
	for range runs() / 10 {
		s, x := full.Prior(c), without.Prior(c)
		full.Move(c, chains.At(0), s)
		for range 3 {
			without.Move(c, chains.At(0), x)
		}
		z := full.Within(c, -1e30, full.Prior(c)) // above so low a floor is all of the prior
		within = append(within, square(z.U)/h.UVariance+square(z.V)/h.VVariance)
		us, vs, alone = append(us, square(s.U)/h.UVariance), append(vs, square(s.V)/h.VVariance), append(alone, square(x.V)/h.VVariance)
	}
	testBelow(t, "squares of U", us, func(x float64) float64 { return mathext.GammaIncReg(50, x/2) })
	testBelow(t, "squares of V", vs, func(x float64) float64 { return mathext.GammaIncReg(37.5, x/2) })
	testBelow(t, "squares above a floor", within, func(x float64) float64 { return mathext.GammaIncReg(87.5, x/2) })
	testBelow(t, "squares of V without U", alone, func(x float64) float64 { return mathext.GammaIncReg(37.5, x/2) })
}

// TestCollapsedGeweke: a draw from the prior, and data given it, are an exact draw from the joint
// distribution. Moves leave it so, and given V the data are normal, so that their squares in the
// metric of their covariance have a chi-squared distribution.
//
// Source: Geweke 2004, Getting it right, with independent runs from exact draws.
func TestCollapsedGeweke(t *testing.T) {
	h := estimators.Factors{UVariance: 2, VVariance: 0.5, NoiseVariance: 0.3}
	m := collapsed(t, table(3, 2), 1, h)
	c := sampler(17)
	var first, length, squares []float64
	for range runs() {
		s := m.Prior(c)
		given := longtest.Must(m.WithData(m.Redraw(c, s)))(t)
		for range 3 {
			given.Move(c, chains.At(1), s)
		}
		v := []float64{s.V[0][0], s.V[0][1]}
		total, lengths := 0.0, v[0]*v[0]+v[1]*v[1]
		for _, y := range given.Rows() {
			along := (y[0]*v[0] + y[1]*v[1]) / math.Sqrt(lengths)
			total += along*along/(h.NoiseVariance+h.UVariance*lengths) + (y[0]*y[0]+y[1]*y[1]-along*along)/h.NoiseVariance
		}
		first, length, squares = append(first, v[0]/math.Sqrt(h.VVariance)), append(length, lengths/h.VVariance), append(squares, total)
	}
	testBelow(t, "an entry of V", first, normalBelow)
	testBelow(t, "squares of V", length, func(x float64) float64 { return -math.Expm1(-x / 2) })
	testBelow(t, "squares of the data", squares, func(x float64) float64 { return mathext.GammaIncReg(3, x/2) })
}

// table returns data of zeros.
func table(n, d int) [][]float64 {
	y := make([][]float64, n)
	for i := range y {
		y[i] = make([]float64, d)
	}
	return y
}

// squaresLeft returns the sum of squares that a state leaves of data, an entry at a time.
func squaresLeft(y [][]float64, s *latent.LowRankState) float64 {
	total := 0.0
	for i, row := range y {
		for j, v := range row {
			for k := range s.U {
				v -= s.U[k][i] * s.V[k][j]
			}
			total += v * v
		}
	}
	return total
}

// small is the data of which Z is known by quadrature: two rows of two columns, of one component.
func small() ([][]float64, estimators.Factors) {
	return [][]float64{{1.2, -0.4}, {-0.8, 0.9}}, estimators.Factors{UVariance: 1.5, VVariance: 0.8, NoiseVariance: 0.7}
}

// smallZ returns Z of the small data, by quadrature over the length and the angle of V. U is
// integrated out by the density of a row, which has covariance su2 V'V + sn2 I.
func smallZ() float64 {
	y, h := small()
	const angles = 200
	z := 0.0
	for a := range angles {
		sin, cos := math.Sincos(2 * math.Pi * float64(a) / angles)
		z += quad.Fixed(func(r float64) float64 {
			p := r / h.VVariance / angles * math.Exp(-r*r/(2*h.VVariance))
			det := h.NoiseVariance * (h.NoiseVariance + h.UVariance*r*r)
			for _, row := range y {
				along, across := row[0]*cos+row[1]*sin, row[1]*cos-row[0]*sin
				square := along*along/(h.NoiseVariance+h.UVariance*r*r) + across*across/h.NoiseVariance
				p *= math.Exp(-square/2) / (2 * math.Pi * math.Sqrt(det))
			}
			return p
		}, 0, 12, 120, quad.Legendre{}, 0)
	}
	return z
}

// TestLowRankEstimates: the weights of annealing and of sequential Monte Carlo have the mean Z
// forward, and the reverse runs from exact draws come to each weight as often as the forward ones,
// times w/Z, for all that is above each of some levels.
func TestLowRankEstimates(t *testing.T) {
	y, h := small()
	z := smallZ()
	places := []chains.Place{chains.At(0), chains.At(0.1), chains.At(0.4), chains.At(1)}
	full := longtest.Sure(latent.NewLowRank(y, 1, h))
	collapsed := longtest.Sure(latent.NewCollapsedLowRank(y, 1, h))
	c := sampler(11)
	renew := func() { // the next exact draw, by rejection from the prior
		for {
			s := full.Prior(c)
			if c.Flip(math.Exp(-squaresLeft(y, s) / (2 * h.NoiseVariance))) {
				full.Start(s)
				collapsed.Start(collapsed.FromFull(s))
				return
			}
		}
	}
	most := math.Pow(2*math.Pi*h.NoiseVariance, -2) // no likelihood is larger
	for _, e := range pairs(t, full, collapsed, places) {
		forward := make([]float64, 2*runs())
		for i := range forward {
			forward[i] = math.Exp(e.forward.Estimate(c))
		}
		mean, bound := meanOf(forward, most)
		if !(math.Abs(mean-z) <= bound) {
			t.Errorf("%s: the mean weight is %v, and Z is %v; they differ by chance by at most %v", e.name, mean, z, bound)
		}
		reverse := make([]float64, runs())
		for i := range reverse {
			renew()
			reverse[i] = math.Exp(e.reverse.Estimate(c))
		}
		for _, level := range []float64{0.5 * z, z, 1.5 * z, 2 * z} {
			above, expected := make([]float64, len(reverse)), make([]float64, len(forward))
			for i, w := range reverse {
				if w > level {
					above[i] = 1
				}
			}
			for i, w := range forward {
				if w > level {
					expected[i] = w / z
				}
			}
			got, a := meanOf(above, 1)
			want, b := meanOf(expected, most/z)
			if !(math.Abs(got-want) <= a+b) {
				t.Errorf("%s: a share of %v of reverse weights is above %v, and by the forward ones %v; they differ by chance by at most %v", e.name, got, level, want, a+b)
			}
		}
	}
}

// pair is an estimator forward and in reverse.
type pair struct {
	name             string
	forward, reverse estimators.Estimator[chains.RealChooser]
}

// pairs returns the estimators of a model, U kept or not.
func pairs(t *testing.T, full *latent.LowRank, collapsed *latent.CollapsedLowRank, places []chains.Place) (out []pair) {
	t.Helper()
	add := func(name string, forward, reverse estimators.Estimator[chains.RealChooser], errs ...error) {
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, pair{name, forward, reverse})
	}
	f, err1 := estimators.NewAnnealed(full, places)
	r, err2 := estimators.NewReverseAnnealed(full, places)
	add("annealing", f, r, err1, err2)
	fc, err1 := estimators.NewAnnealed(collapsed, places)
	rc, err2 := estimators.NewReverseAnnealed(collapsed, places)
	add("collapsed annealing", fc, rc, err1, err2)
	for _, q := range []estimators.Proposal{estimators.ProposePosterior, estimators.ProposePrior} {
		fs, err1 := estimators.NewSequential(full.Along(), q, 2)
		rs, err2 := estimators.NewReverseSequential(full.Along(), q, 2)
		add(fmt.Sprintf("sequential from the %v", q), fs, rs, err1, err2)
	}
	return out
}
