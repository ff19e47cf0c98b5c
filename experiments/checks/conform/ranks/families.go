package ranks

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains/number"
	"breadboard/exact/ranks"
	"breadboard/experiments/checks/conform/draws"
)

// family is a known cause of ranks that are not uniform, with a parameter.
type family struct {
	says func(p draws.Parameter) string
	// At a right value the ranks are uniform. Excluded says of values on either side what would
	// have been found.
	right    float64
	excluded func(low, high float64) string
	grid     []float64
	of       func(at float64) []float64 // the probabilities of the ranks
}

// mostKept is how many distributions of a family are kept, for variables with as many draws.
const mostKept = 500

// families returns the causes that are fitted to ranks among that many draws. The first two are of
// a posterior that is normal, with draws from another normal distribution. Once the context has
// ended, all distributions are uniform.
//
// If the posterior is N(0, 1), the draws are from N(m, s^2), and there are n of them, the rank of
// the truth has the probabilities
//
//	p_k = E C(n,k) u^k (1-u)^(n-k),   u = Phi((z - m)/s),   z ~ N(0, 1),
//
// where the mean is over 400 quantiles. Talts et al. (2018) read a bias or a wrong width off the
// histogram of ranks; here they are fitted.
func families(ctx context.Context, count int) []family {
	truths := make([]float64, 400) // quantiles, at which the sum over the true value is exact to about 1e-5
	for i := range truths {
		truths[i] = distuv.UnitNormal.Quantile((float64(i) + 0.5) / float64(len(truths)))
	}
	b := binomial{make([]float64, count), make([]float64, count+1)}
	for k := range b.up {
		b.up[k] = float64(count-k) / float64(k+1)
		b.logs[k+1] = b.logs[k] + number.Log(b.up[k])
	}
	normal := func(shift, width float64) []float64 {
		p := make([]float64, count+1)
		for _, t := range truths {
			b.addProbabilities(p, distuv.UnitNormal.CDF((t-shift)/width), 1/float64(len(truths)))
		}
		return p
	}
	list := []family{
		{func(p draws.Parameter) string {
			direction := "high"
			if p.At < 0 {
				direction, p.At, p.Low, p.High = "low", -p.At, -p.High, -p.Low
			}
			return fmt.Sprintf("the draws were too %s by %s standard deviations of the posterior", direction,
				draws.Interval(p))
		}, 0,
			func(_, high float64) string { return fmt.Sprintf("a shift of %.2g standard deviations", high) },
			[]float64{-8, -4, -2, -1, -0.5, -0.2, -0.1, -0.05, -0.02, 0, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2,
				4, 8}, func(at float64) []float64 { return normal(at, 1) }},
		{func(p draws.Parameter) string {
			if p.At > 1 {
				return fmt.Sprintf(
					"the draws were too wide: their standard deviation was %s times that of the posterior",
					draws.Interval(p),
				)
			}
			return fmt.Sprintf(
				"the draws of a run depended on each other, as those of a chain do, or were too narrow, "+
					"with a standard deviation of %s times "+
					"that of the posterior: if thinned draws have uniform ranks, they depended on each other",
				draws.Interval(p),
			)
		}, 1, func(low, high float64) string {
			var found []string
			for _, v := range []float64{low, high} {
				if !math.IsInf(v, 0) {
					found = append(found, fmt.Sprintf("%.2g", v))
				}
			}
			return "a width of " + strings.Join(found, " or of ")
		}, []float64{
			0.02, 0.1, 0.25, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1, 1.02, 1.05, 1.1, 1.25, 1.5, 2, 4, 10, 50},
			func(at float64) []float64 { return normal(0, at) }},
		{func(p draws.Parameter) string {
			return fmt.Sprintf("the draws of a run depended on each other: each repeated the one before it with "+
				"probability %s; thin by %.0f or more (draws that are too narrow look alike)",
				draws.Interval(p), math.Ceil((1+p.At)/(1-p.At)))
		}, 0, func(_, high float64) string {
			return fmt.Sprintf("draws that repeat with probability %.2g", high)
		},
			[]float64{0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98},
			func(at float64) []float64 { return repeated(count, at) }},
	}
	for i := range list {
		of := list[i].of
		seen := map[float64][]float64{}
		list[i].of = func(at float64) []float64 {
			p := seen[at]
			if ctx.Err() != nil {
				return slices.Repeat([]float64{1 / float64(count+1)}, count+1)
			}
			if p == nil {
				p = of(at)
				if len(seen) < mostKept {
					seen[at] = p
				}
			}
			return p
		}
	}
	return list
}

// binomial has the ratios of each binomial coefficient to the one before, and their logarithms.
type binomial struct{ up, logs []float64 }

// addProbabilities adds weight times the binomial probabilities to p: from the likeliest number on
// to both sides, by ratios.
func (b binomial) addProbabilities(p []float64, success, weight float64) {
	n := len(p) - 1
	if success == 0 || success == 1 {
		p[n*int(success)] += weight
		return
	}
	mode := min(n, int(float64(n+1)*success))
	at := weight *
		math.Exp(b.logs[mode]+float64(mode)*number.Log(success)+float64(n-mode)*number.Log(1-success))
	odds := success / (1 - success)
	p[mode] += at
	for k, v := mode, at; k < n && v > 0; k++ {
		v *= b.up[k] * odds
		p[k+1] += v
	}
	for k, v := mode, at; k > 0 && v > 0; k-- {
		v *= b.up[n-k] / odds
		p[k-1] += v
	}
}

// repeated returns the distribution of the rank of a draw among those of a chain that repeats its
// state with probability rho, and else makes an independent draw. Given the probability u of a draw
// below the true state the number below is a polynomial in u, of which the integral is exact. Its
// generating function at a root of unity is the power of a matrix, of draws below and above.
func repeated(count int, rho float64) []float64 {
	at, weights := ranks.Nodes(count)
	p := make([]float64, count+1)
	for j := range count/2 + 1 + count%2 { // the other roots are conjugates of these
		angle := 2 * math.Pi * float64(j) / float64(count+1)
		sum := 0i
		z := cmplx.Rect(1, angle)
		for i, u := range at {
			below := complex(u, 0)
			above := complex(1-u, 0)
			bb := z * complex(rho+(1-rho)*u, 0)
			ba := z * complex((1-rho)*u, 0)
			ab := complex((1-rho)*(1-u), 0)
			aa := complex(rho+(1-rho)*(1-u), 0)
			for left := count; left > 0; left /= 2 {
				if left%2 == 1 {
					below, above = bb*below+ba*above, ab*below+aa*above
				}
				bb, ba, ab, aa = bb*bb+ba*ab, ba*(bb+aa), ab*(bb+aa), ba*ab+aa*aa
			}
			sum += complex(weights[i], 0) * (below + above)
		}
		if j > 0 && 2*j <= count {
			sum *= 2
		}
		for k := range p {
			p[k] += real(sum*cmplx.Rect(1, -angle*float64(k))) / float64(count+1)
		}
	}
	return p
}

// detectable returns the values of the parameter nearest to the right one, on either side, at which
// the given number of runs reaches a log threshold with a probability of about 0.99, with a normal
// approximation of the log likelihood ratio. They are infinite if no value of the grid is found.
func (f *family) detectable(runs int, threshold float64) (low, high float64) {
	reached := func(at float64) bool {
		mean := 0.0
		square := 0.0
		p := f.of(at)
		for _, v := range p {
			if v > 0 {
				log := number.Log(v * float64(len(p)))
				mean += v * log
				square += v * log * log
			}
		}
		n := float64(runs)
		return n*mean-2.33*math.Sqrt(n*max(0, square-mean*mean)) >= threshold
	}
	nearest := func(end float64) float64 {
		if end == f.right || !reached(end) {
			return math.Copysign(math.Inf(1), end-f.right)
		}
		out := f.right
		for range 20 {
			if middle := (out + end) / 2; reached(middle) {
				end = middle
			} else {
				out = middle
			}
		}
		return end
	}
	return nearest(f.grid[0]), nearest(f.grid[len(f.grid)-1])
}
