package diagnose

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// split returns, for each target, whether it is held out: a fifth of them, and at least one.
func split(targets []string, seed uint64, repeat int) map[string]bool {
	random := rand.New(simulate.NewStream(seed, "samplers meta split", repeat))
	out := make(map[string]bool)
	held := max(1, (len(targets)+2)/5)
	for place, i := range random.Perm(len(targets)) {
		out[targets[i]] = place < held
	}
	return out
}

// losses are the mean squared error and the mean negative log density (nats) of what was predicted
// for points that were held out.
type losses struct{ mse, nll float64 }

// assess teaches a method by the points of some targets and has it predict those of the others.
func assess(ctx context.Context, m method, all []point, held map[string]bool) (losses, error) {
	var learn, test []point
	for _, p := range all {
		if held[p.target] {
			test = append(test, p)
		} else {
			learn = append(learn, p)
		}
	}
	var features []int // the places of those that the method sees
	for d := range all[0].features {
		if d != m.without {
			features = append(features, d)
		}
	}
	labels := column(learn, func(p point) float64 { return p.label })
	if constant(labels) {
		return losses{}, errs.New("the label is %v for every chain in the training set; give more targets or kernels",
			labels[0])
	}
	label := newScale(labels)
	var scales []scale
	for _, d := range features {
		scales = append(scales, newScale(column(learn, func(p point) float64 { return p.features[d] })))
	}
	scaled := func(p point) []float64 {
		x := make([]float64, len(features))
		for i, d := range features {
			x[i] = scales[i].scaled(p.features[d])
		}
		return x
	}
	var x [][]float64
	for i, p := range learn {
		x = append(x, scaled(p))
		labels[i] = label.scaled(p.label)
	}
	predict, err := m.learn(ctx, x, labels)
	if err != nil {
		return losses{}, err
	}
	var out losses
	for _, p := range test {
		mean, variance := predict(scaled(p))
		mean, variance = label.mean+label.sd*mean, label.sd*label.sd*variance
		off := p.label - mean
		out.mse += off * off / float64(len(test))
		out.nll += (number.Log(2*math.Pi*variance) + off*off/variance) / 2 / float64(len(test))
	}
	return out, nil
}

func column(points []point, of func(point) float64) (out []float64) {
	for _, p := range points {
		out = append(out, of(p))
	}
	return out
}

func targets(points []point) (out []string) {
	for _, p := range points {
		if !slices.Contains(out, p.target) {
			out = append(out, p.target)
		}
	}
	return out
}

// MetaRow is the accuracy of a method's predictions of the label on held-out targets.
type MetaRow struct {
	Method string
	Label  Label
	MSE    float64 // the mean squared error, averaged over the repeats
	// the mean negative log density minus that of the method GP, averaged over the repeats (nats)
	NLL float64
	// MSEError and NLLError are the standard errors of the difference from the method GP, over the
	// repeats, and MSEP and NLLP the two-sided p-values of paired t-tests of no difference. They
	// are NaN for that method itself, and if there is one repeat.
	MSEError, MSEP, NLLError, NLLP float64
	From                           *Material // the same for all rows
}

// compare assesses every method on every split, and compares them with the first.
func compare(ctx context.Context, all []point, o *MetaOptions, h study.How) ([]MetaRow, error) {
	names := targets(all)
	list := methods()
	found := make([]losses, o.Repeats*len(list))
	err := subject.Parallel(ctx, len(found), h.Workers, func(ctx context.Context, i int) (err error) {
		found[i], err = assess(ctx, list[i%len(list)], all, split(names, o.Seed, i/len(list)))
		h.Add(1)
		return err
	})
	if err != nil {
		return nil, err
	}
	rows := make([]MetaRow, len(list))
	for m := range list {
		rows[m] = MetaRow{Method: list[m].name, Label: o.Label}
		var mse, mseMore, nllMore []float64
		for r := range o.Repeats {
			own := found[r*len(list)+m]
			first := found[r*len(list)]
			mse = append(mse, own.mse)
			mseMore, nllMore = append(mseMore, own.mse-first.mse), append(nllMore, own.nll-first.nll)
		}
		rows[m].MSE, _ = moments(mse)
		rows[m].NLL, _ = moments(nllMore)
		rows[m].MSEError, rows[m].MSEP = paired(mseMore)
		rows[m].NLLError, rows[m].NLLP = paired(nllMore)
		if m == 0 {
			nan := math.NaN()
			rows[m].MSEError, rows[m].MSEP, rows[m].NLLError, rows[m].NLLP = nan, nan, nan, nan
		}
	}
	return rows, nil
}

// paired returns the standard error of the mean of differences, and the two-sided p-value of
// Student's t-test that their mean is zero. The p-value is one if all are zero; both are NaN for a
// single difference.
func paired(differences []float64) (standardError, p float64) {
	n := float64(len(differences))
	if n < 2 {
		return math.NaN(), math.NaN()
	}
	mean, squares := moments(differences)
	standardError = math.Sqrt(squares / (n - 1) / n)
	if mean == 0 {
		return standardError, 1
	}
	return standardError,
		2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Survival(math.Abs(mean)/standardError)
}

// predictor returns the mean and the variance of the normal distribution that is predicted for the
// label of a point.
type predictor func(x []float64) (mean, variance float64)

// method is a way to learn from points whose features and labels are standardised.
type method struct {
	name    string
	without int // the feature that is left out; -1 for none
	learn   func(ctx context.Context, x [][]float64, y []float64) (predictor, error)
}

// whole is the name of the method that all others are compared with.
const whole = "GP"

// methods returns the methods of Table 2: the Gaussian process of all features, those with one left
// out, and two that are no processes.
func methods() []method {
	out := []method{{whole, -1, byProcess}}
	for d, f := range features() {
		out = append(out, method{whole + "-" + f.Name, d, byProcess})
	}
	return append(out, method{"iid", -1, byNormal}, method{"linear", -1, byLine})
}

func byProcess(ctx context.Context, x [][]float64, y []float64) (predictor, error) {
	q, err := (&process{x: x, y: y}).fit(ctx)
	if err != nil {
		return nil, err
	}
	return q.predict, nil
}

// byNormal predicts the same normal distribution whatever the features: the mean and the variance
// (divisor n - 1) of the labels, with what is uncertain of that mean.
func byNormal(_ context.Context, _ [][]float64, y []float64) (predictor, error) {
	n := float64(len(y))
	mean, squares := moments(y)
	variance := squares / (n - 1) * (1 + 1/n)
	return func([]float64) (float64, float64) { return mean, variance }, nil
}

// byLine fits a constant and a coefficient for each feature by least squares; features that others
// determine get the shortest coefficients. The variance of a label is that of the residuals, of n
// less the number of coefficients, with what is uncertain of the coefficients.
func byLine(_ context.Context, x [][]float64, y []float64) (predictor, error) {
	n := len(y)
	a := mat.NewDense(n, len(x[0])+1, nil)
	for i := range x {
		a.SetRow(i, append([]float64{1}, x[i]...))
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return nil, fmt.Errorf("the singular values of %d points do not converge", n)
	}
	// the relative size of a singular value below which features determine each other
	const determined = 1e-10
	rank := svd.Rank(determined)
	if rank >= n {
		return nil,
			errs.New("%d points in the training set, but least squares with %d features needs more than %d; "+
				"give more targets, kernels, starts or functions",
				n, len(x[0]), rank)
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	values := svd.Values(nil)
	along := make([]float64, rank) // the labels along each direction
	residual := 0.0
	for _, label := range y {
		residual += label * label
	}
	for r := range along {
		for i, label := range y {
			along[r] += u.At(i, r) * label
		}
		residual -= along[r] * along[r]
	}
	variance := max(residual, 0) / float64(n-rank)
	return func(point []float64) (float64, float64) {
		mean := 0.0
		uncertain := 0.0
		for r := range along {
			z := v.At(0, r)
			for d, f := range point {
				z += v.At(d+1, r) * f
			}
			z /= values[r]
			mean += z * along[r]
			uncertain += z * z
		}
		return mean, variance * (1 + uncertain)
	}, nil
}

// moments returns the mean of numbers and the sum of the squares of their distances from it.
func moments(v []float64) (mean, squares float64) {
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	for _, x := range v {
		squares += (x - mean) * (x - mean)
	}
	return mean, squares
}

// scale takes numbers to ones of mean zero and variance one (divisor n), as the training set says.
// Numbers that are all the same there are centred only.
type scale struct{ mean, sd float64 }

func newScale(v []float64) scale {
	if constant(v) {
		return scale{v[0], 1}
	}
	mean, squares := moments(v)
	return scale{mean, math.Sqrt(squares / float64(len(v)))}
}

func (s scale) scaled(v float64) float64 { return (v - s.mean) / s.sd }

func constant(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return x != v[0] })
}
