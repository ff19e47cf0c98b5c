package diagnose

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/work"
)

// process is a Gaussian process with a mean of zero over points with several features, seen through
// noise. Its covariance is the squared exponential with a length for each feature, which is known
// as automatic relevance determination (ARD): a feature whose length is large beside its spread
// does not matter.
//
// Source: Rasmussen and Williams 2006, Eqs. 2.23 to 2.30, 5.1 and 5.9.
type process struct {
	x [][]float64 // the features of each point
	y []float64   // the label of each point

	// for each feature, the squared distances of all pairs of points; found when they are first
	// needed
	squares [][]float64

	// What an evaluation leaves: the covariance of each pair of points, the factor of the matrix of
	// covariances, and its inverse times the labels.
	free, matrix, weights []float64
}

// pairDistances finds the squared distances of all pairs of points, and makes room for evaluations.
func (p *process) pairDistances() {
	n := len(p.y)
	p.free = make([]float64, n*(n-1)/2)
	p.matrix = make([]float64, n*n)
	for d := range p.x[0] {
		squares := make([]float64, 0, len(p.free))
		for i, a := range p.x {
			for _, b := range p.x[i+1:] {
				squares = append(squares, (a[d]-b[d])*(a[d]-b[d]))
			}
		}
		p.squares = append(p.squares, squares)
	}
}

// hyperparameters are those of a process: the logarithms of the length of each feature, of the
// standard deviation of the function, and of noiseAbove, in this order. The variance of the noise
// is leastNoise^2 + noiseAbove^2.
type hyperparameters []float64

// leastNoise is the least standard deviation of the noise, in units of the standard deviation of
// the labels. It belongs to the model, and keeps the matrix of covariances away from singular ones
// where points have the same features.
const leastNoise = 1e-3

func (h hyperparameters) features() int { return len(h) - 2 }

// signal and noise return the variances of the function and of the noise.
func (h hyperparameters) signal() float64 { return math.Exp(2 * h[len(h)-2]) }
func (h hyperparameters) noise() float64  { return leastNoise*leastNoise + h.noiseAbove() }

// noiseAbove returns the part of the variance of the noise that is free.
func (h hyperparameters) noiseAbove() float64 { return math.Exp(2 * h[len(h)-1]) }

// scales returns 1/length^2 of each feature.
func (h hyperparameters) scales() []float64 {
	out := make([]float64, h.features())
	for d := range out {
		out[d] = math.Exp(-2 * h[d])
	}
	return out
}

// covariance returns the covariance of the function at two points, without the noise.
func covariance(signal float64, scales, a, b []float64) float64 {
	distance := 0.0
	for d, s := range scales {
		r := a[d] - b[d]
		distance += s * r * r
	}
	return signal * math.Exp(-distance/2)
}

// errSingular says that a matrix of covariances is not positive definite in floating point.
// singular is the condition from which on a matrix counts as singular.
const singular = 1e16

var errSingular = errors.New("the matrix of covariances is not positive definite")

// posterior is a process with what its labels have taught about the function.
type posterior struct {
	*process
	h       hyperparameters
	factor  mat.Cholesky  // of the covariances with the noise
	weights *mat.VecDense // the covariances with the noise, inverted, times the labels
}

// learn factorises the matrix of covariances, in n^3/3 multiply-adds for n points.
func (p *process) learn(h hyperparameters) (*posterior, error) {
	n := len(p.y)
	out := &posterior{process: p, h: h, weights: mat.NewVecDense(n, nil)}
	noisy := mat.NewSymDense(n, nil)
	signal := h.signal()
	noise := h.noise()
	scales := h.scales()
	for i := range n {
		for j := i; j < n; j++ {
			k := covariance(signal, scales, p.x[i], p.x[j])
			if i == j {
				k += noise
			}
			if math.IsNaN(k) || math.IsInf(k, 0) {
				return nil, errSingular
			}
			noisy.SetSym(i, j, k)
		}
	}
	if !out.factor.Factorize(noisy) {
		return nil, errSingular
	}
	if err := out.factor.SolveVecTo(out.weights, mat.NewVecDense(n, p.y)); err != nil {
		return nil, errSingular
	}
	return out, nil
}

// predict returns the mean and the variance of the label of a new point, with the noise that it
// will have: Eqs. 2.25 and 2.26.
func (q *posterior) predict(x []float64) (mean, variance float64) {
	n := len(q.y)
	k := mat.NewVecDense(n, nil)
	signal := q.h.signal()
	scales := q.h.scales()
	for i := range n {
		k.SetVec(i, covariance(signal, scales, q.x[i], x))
	}
	var solved mat.VecDense
	// The error would be that of a nearly singular matrix, with which learn has failed already.
	_ = q.factor.SolveVecTo(&solved, k)
	return mat.Dot(k, q.weights), signal - mat.Dot(k, &solved) + q.h.noise()
}

// maxPoints is the largest number of points from which a process learns. One evaluation of the
// evidence of 2,000 takes about 8 billion multiply-adds.
const maxPoints = 2000

// unless runs part of an evaluation, or returns the error of a context that has ended, as soon as
// it ends.
func (p *process) unless(ctx context.Context, job func()) error {
	if len(p.y) >= short {
		return work.Unless(ctx, job)
	}
	if ctx.Err() == nil {
		job()
	}
	return ctx.Err()
}

// short is the number of points below which an evaluation is so short that a context need not end
// it.
const short = 300

// evidence returns the log evidence; minus infinity where the covariances are singular. The noise
// bounds their condition, so that it is not estimated.
//
// Source: Rasmussen and Williams 2006, Eq. 5.8.
func (p *process) evidence(h hyperparameters) float64 {
	n := len(p.y)
	signal := h.signal()
	noise := h.noise()
	scales := h.scales()
	if most := float64(n) * signal / noise; !(most < singular) {
		return math.Inf(-1)
	}
	if p.squares == nil {
		p.pairDistances()
	}
	free := p.free // the covariances between points
	clear(free)
	for d, s := range scales {
		floats.AddScaled(free, -s/2, p.squares[d])
	}
	at := 0
	for i := range n {
		row := p.matrix[i*n:][:n]
		row[i] = signal + noise
		for j := i + 1; j < n; j++ {
			free[at] = signal * math.Exp(free[at])
			row[j] = free[at]
			at++
		}
	}
	if slices.ContainsFunc(free, func(v float64) bool { return v-v != 0 }) {
		return math.Inf(-1)
	}
	factor, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: n, Data: p.matrix})
	if !ok {
		return math.Inf(-1)
	}
	p.weights = append(p.weights[:0], p.y...)
	// lapack64.Potrs takes a column as a matrix, which is slow
	vector := blas64.Vector{N: n, Data: p.weights, Inc: 1}
	blas64.Trsv(blas.Trans, factor, vector)
	blas64.Trsv(blas.NoTrans, factor, vector)
	value := -(floats.Dot(p.y, p.weights) + float64(n)*number.Log(2*math.Pi)) / 2
	for i := range n {
		value -= number.Log(factor.Data[i*n+i])
	}
	return value
}

// gradient returns the gradient of the log evidence from what evidence has left at the same
// hyperparameters, if it was finite. It takes twice the work of evidence, so that searches ask it
// only if the evidence has grown, and spends what evidence has left.
//
// Source: Rasmussen and Williams 2006, Eq. 5.9.
func (p *process) gradient(h hyperparameters) []float64 {
	n := len(p.y)
	free := p.free
	scales := h.scales()
	out := make([]float64, len(h))
	lapack64.Potri(blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: n, Stride: n, Data: p.matrix})
	slope := out[len(scales):]
	own := 0.0
	at := 0
	for i, w := range p.weights {
		row := p.matrix[i*n:][:n]
		own += (w*w - row[i]) / 2
		for j := i + 1; j < n; j++ {
			// once for the pairs (i, j) and (j, i), each of which counts a half
			free[at] *= w*p.weights[j] - row[j]
			slope[0] += 2 * free[at]
			at++
		}
	}
	slope[0] += 2 * own * h.signal()
	slope[1] = 2 * own * h.noiseAbove()
	for d, s := range scales {
		out[d] = s * floats.Dot(free, p.squares[d])
	}
	return out
}

// fit returns the process with the hyperparameters of the largest evidence that searches from
// several starts find. Features and labels should be standardised. Searches are quasi-Newton
// (gonum's BFGS), with the gradient. The evidence may have several maxima; what the starts lead to
// is deterministic. It fails if the context ends.
func (p *process) fit(ctx context.Context) (*posterior, error) {
	if n := len(p.y); n < 2 || n > maxPoints {
		return nil, errs.New(
			"%d points in the training set; Gaussian processes need 2 to %d: give other targets, kernels, "+
				"starts or functions",
			n,
			maxPoints,
		)
	}
	var best hyperparameters
	most := math.Inf(-1)
	for _, from := range starts(len(p.x[0])) {
		h, value, err := p.climb(ctx, from)
		if err != nil {
			return nil, err
		}
		if value > most {
			best = h
			most = value
		}
	}
	if best == nil {
		return nil, errSingular
	}
	return p.learn(best)
}

// starts returns where searches begin: a rough function with little noise, and a smooth one with
// much. Lengths are in units of the spread of a feature, and standard deviations in units of that
// of the labels.
func starts(features int) []hyperparameters {
	var out []hyperparameters
	for _, s := range []struct{ length, signal, noise float64 }{{1, 1, 0.3}, {4, 0.7, 0.7}} {
		h := make(hyperparameters, features, features+2)
		for d := range h {
			h[d] = number.Log(s.length * math.Sqrt(float64(features)))
		}
		out = append(out, append(h, number.Log(s.signal), number.Log(s.noise)))
	}
	return out
}

// The ends of a search: the gradient of the log evidence; what five iterations gain of it, in nats,
// which ends a search whose evidence grows ever more slowly as a length grows without bound; and
// the number of iterations.
const (
	settled       = 1e-4
	gained        = 1e-4
	maxIterations = 100
)

// climb searches from one start. It returns the best place that it has seen, and the log evidence
// there.
func (p *process) climb(ctx context.Context,
	from hyperparameters) (best hyperparameters, value float64, err error) {
	value = math.Inf(-1)
	var at hyperparameters // a copy, since work goes on for a while after its context has ended
	last := math.Inf(-1)
	problem := optimize.Problem{
		Func: func(x []float64) float64 {
			if err != nil { // the context has ended; Status says so to the search
				return math.Inf(1)
			}
			var found float64
			at = slices.Clone(x)
			err = p.unless(ctx, func() { found = p.evidence(at) })
			if err != nil {
				return math.Inf(1)
			}
			last = found
			if last > value {
				best = at
				value = last
			}
			return -last
		},
		Grad: func(to, _ []float64) { // asked where Func has just been
			clear(to)
			if err != nil || math.IsInf(last, -1) {
				return
			}
			var slope []float64
			err = p.unless(ctx, func() { slope = p.gradient(at) })
			if err == nil {
				floats.SubTo(to, to, slope)
			}
		},
		Status: func() (optimize.Status, error) {
			if err != nil {
				return optimize.Failure, err
			}
			return optimize.NotTerminated, nil
		},
	}
	settings := &optimize.Settings{
		GradientThreshold: settled, MajorIterations: maxIterations,
		Converger: &optimize.FunctionConverge{Absolute: gained, Iterations: 5},
	}
	// The error of a search that finds no better place along a line says that it has come as far as
	// floating point lets it.
	_, _ = optimize.Minimize(problem, from, settings, &optimize.BFGS{})
	return best, value, err
}
