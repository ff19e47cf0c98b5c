package models_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// wideBits is the precision of wide numbers, beside which no rounding of float64 counts.
const wideBits = 256

func wide(v float64) *big.Float { return new(big.Float).SetPrec(wideBits).SetFloat64(v) }

func add(a, b *big.Float) *big.Float { return wide(0).Add(a, b) }
func sub(a, b *big.Float) *big.Float { return wide(0).Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return wide(0).Mul(a, b) }
func quo(a, b *big.Float) *big.Float { return wide(0).Quo(a, b) }

// wideLog returns the logarithm of a positive number: that of its power of two, and 2
// artanh((v-1)/(v+1)) of the rest v, from 1/2 to 1.
func wideLog(v *big.Float) *big.Float {
	rest := wide(0)
	exponent := v.MantExp(rest)
	t := quo(sub(rest, wide(1)), add(rest, wide(1)))
	square := mul(t, t)
	power := t
	sum := wide(0)
	for n := 1.0; n < 180; n += 2 { // the square is at most 1/9
		sum = add(sum, quo(power, wide(n)))
		power = mul(power, square)
	}
	return add(mul(wide(2), sum),
		mul(wide(float64(exponent)), wideText(
			"0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863326",
		)))
}

// bigPi is pi to 50 digits.
func bigPi() *big.Float { return wideText("3.14159265358979323846264338327950288419716939937510") }

func wideText(digits string) *big.Float {
	v, _, err := big.ParseFloat(digits, 10, wideBits, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return v
}

// problem is a model in the form Y = Z A + noise.
type problem struct {
	model    models.Model
	y        [][]float64
	k        int
	signal   float64
	noise    float64
	assigned func(coords []int, i, k int) float64 // Z_ik of a state
}

func ofClustering(m *models.Clustering) problem {
	return problem{m, m.Y, len(m.Pi), m.CentreVariance, m.NoiseVariance, func(z []int, i, k int) float64 {
		if z[i] == k {
			return 1
		}
		return 0
	}}
}

func ofBinary(m *models.Binary) problem {
	return problem{m, m.Y, len(m.Pi), m.FeatureVariance, m.NoiseVariance, func(z []int, i, k int) float64 {
		return float64(z[i*len(m.Pi)+k])
	}}
}

func problemOf(m models.Model) problem {
	if b, is := m.(*models.Binary); is {
		return ofBinary(b)
	}
	return ofClustering(m.(*models.Clustering))
}

// covariance returns the log likelihood of a state with power b by the N by N covariance of each
// column: raised to the power b > 0, the density of the noise is that of N(0, sn2/b) times (2 pi
// sn2)^((1-b)/2)/b^(1/2) for each datum, and the column is N(0, sa2 Z Z' + sn2/b I). All of it is
// in wide numbers.
func (p problem) covariance(x int, power float64) *big.Float {
	b := wide(power)
	z := p.model.Space().Coords(x)
	n := len(p.y)
	noise := quo(wide(p.noise), b)
	cov := make([][]*big.Float, n)
	for i := range cov {
		cov[i] = make([]*big.Float, n)
		for j := range cov[i] {
			sum := 0.0
			for k := range p.k {
				sum += p.assigned(z, i, k) * p.assigned(z, j, k)
			}
			cov[i][j] = mul(wide(p.signal), wide(sum))
		}
		cov[i][i] = add(cov[i][i], noise)
	}
	// log N(y; 0, cov) by elimination: the pivots multiply to the determinant, and the residuals
	// are independent.
	total := wide(0)
	d := len(p.y[0])
	right := make([][]*big.Float, n)
	for i := range right {
		for _, y := range p.y[i] {
			right[i] = append(right[i], wide(y))
		}
	}
	for i := range n {
		pivot := cov[i][i]
		total = sub(total, mul(wide(float64(d)), wideLog(mul(mul(wide(2), bigPi()), pivot))))
		for _, r := range right[i] {
			total = sub(total, quo(mul(r, r), pivot))
		}
		for j := i + 1; j < n; j++ {
			factor := quo(cov[j][i], pivot)
			for k := i; k < n; k++ {
				cov[j][k] = sub(cov[j][k], mul(factor, cov[i][k]))
			}
			for k := range right[j] {
				right[j][k] = sub(right[j][k], mul(factor, right[i][k]))
			}
		}
	}
	// (2 pi sn2)^(-b/2) exp(-b e^2/(2 sn2)) = N(e; 0, sn2/b) (2 pi sn2/b)^(1/2) (2 pi sn2)^(-b/2)
	twoPi := mul(mul(wide(2), bigPi()), wide(p.noise))
	each := sub(wideLog(quo(twoPi, b)), mul(b, wideLog(twoPi)))
	return quo(add(total, mul(wide(float64(n*d)), each)), wide(2))
}

// check compares log likelihoods, their differences and slopes with the covariance.
func (p problem) check(t *rapid.T, b float64) {
	states := p.model.Space().States()
	got := p.model.LogLikelihood(b)
	for range 4 {
		x := rapid.IntRange(0, states-1).Draw(t, "state")
		want, _ := p.covariance(x, b).Float64()
		if !(math.Abs(got[x]-want) <= 1e-13*max(1, math.Abs(want))) {
			t.Fatalf("b = %v, state %v: log likelihood %.17g, by the covariance %.17g",
				b, p.model.Space().Coords(x), got[x], want)
		}
	}
}

// drawData draws rows of data. With signal and noise of very different variances, the data are not
// those of the model: then all of them say that the smaller variance is wrong, and the terms that
// must not cancel are largest.
func drawData(t *rapid.T, n, d int) [][]float64 {
	y := make([][]float64, n)
	for i := range y {
		for range d {
			y[i] = append(y[i], rapid.SampledFrom(
				[]float64{0, 1.5, 1.5, -2, 1e-3, rapid.Float64Range(-3, 3).Draw(t, "value")},
			).Draw(t, "y"))
		}
	}
	return y
}

func drawVariance(t *rapid.T, what string) float64 {
	return rapid.SampledFrom([]float64{1, 0.5, 4, 1e-6, 1e6, 1e-3, 1e3}).Draw(t, what)
}

func drawClustering(t *rapid.T) *models.Clustering {
	k := rapid.IntRange(2, 3).Draw(t, "clusters")
	return &models.Clustering{
		Y: drawData(t, rapid.IntRange(1, 5).Draw(t, "rows"), rapid.IntRange(1, 3).Draw(t, "columns")),
		Clusters: estimators.Clusters{
			Pi:             [][]float64{{0.25, 0.75}, {0.5, 0.3, 0.2}}[k-2],
			CentreVariance: drawVariance(t, "centres"),
			NoiseVariance:  drawVariance(t, "noise"),
		},
	}
}

func drawBinary(t *rapid.T) *models.Binary {
	k := rapid.IntRange(1, 4).Draw(t, "attributes")
	return &models.Binary{
		Y: drawData(t, rapid.IntRange(1, 8/k).Draw(t, "rows"), rapid.IntRange(1, 3).Draw(t, "columns")),
		Attributes: estimators.Attributes{
			Pi:              []float64{0.5, 0.3, 0.9, 0.01}[:k],
			FeatureVariance: drawVariance(t, "features"),
			NoiseVariance:   drawVariance(t, "noise"),
		},
	}
}

func drawProblem(t *rapid.T) problem {
	if rapid.Bool().Draw(t, "binary") {
		return ofBinary(drawBinary(t))
	}
	return ofClustering(drawClustering(t))
}

// TestLikelihoodByCovariance: log likelihoods at any power are those of the N by N covariance of a
// column to 1e-13, also if signal and noise have variances that differ by a factor of 1e12.
func TestLikelihoodByCovariance(t *testing.T) {
	longtest.Only(t)
	rapid.Check(t, func(t *rapid.T) {
		drawProblem(t).check(t, rapid.SampledFrom([]float64{1, 1, 0.5, 1e-3, 1e-9, 0.9999}).Draw(t, "b"))
	})
}

// TestFarFromZero: data with a constant of 1e6 added have the same differences within the clusters.
// Where the centres may be anywhere the log likelihoods lose only what the data themselves have
// lost.
func TestFarFromZero(t *testing.T) {
	m := models.Clu8()
	for i := range m.Y {
		m.Y[i][0] = math.Round(8*m.Y[i][0]) / 8 // so that adding the constant rounds nothing
	}
	far := *m
	far.Y = nil
	for _, row := range m.Y {
		far.Y = append(far.Y, []float64{row[0] + (1 << 20)})
	}
	m.CentreVariance, far.CentreVariance = 1e60, 1e60
	a, b := m.LogLikelihood(1), far.LogLikelihood(1)
	for x := range a {
		if math.Abs(a[x]-b[x]) > 1e-12*math.Abs(a[x]) {
			t.Errorf("state %d: %v near zero, %v far from it", x, a[x], b[x])
		}
	}
}

// TestModelOfFirstData: the model of the first t data has their space and their likelihood, and the
// prior is a product over the data.
func TestModelOfFirstData(t *testing.T) {
	for _, m := range []models.Sequential{models.Clu6(), models.Bin4()} {
		for n := 1; n <= m.Data(); n++ {
			f := m.First(n)
			if f.Data() != n {
				t.Errorf("%d data of %d", f.Data(), n)
			}
			p := problemOf(f)
			if len(p.y) != n || f.Space().States() !=
				int(math.Round(math.Pow(float64(m.Space().States()), float64(n)/float64(m.Data())))) {
				t.Fatalf("%d data: %d rows, %v", n, len(p.y), f.Space())
			}
			if sum := sumOf(f.LogPrior()...); math.Abs(sum) > 1e-13 {
				t.Errorf("%d data: the prior sums to exp(%v)", n, sum)
			}
			l := f.LogLikelihood(1)
			for x := 0; x < len(l); x += 1 + len(l)/5 {
				if want, _ := p.covariance(x, 1).Float64(); math.Abs(l[x]-want) > 1e-13*math.Abs(want) {
					t.Errorf("%d data, state %d: %v, want %v", n, x, l[x], want)
				}
			}
		}
	}
}
