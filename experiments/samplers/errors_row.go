package samplers

import (
	"fmt"
	"math"
	"slices"
)

// rowOf returns the row of a start and a number of samples from the answered questions of all coordinates of a function.
func rowOf(parts []*question, start int, n int64) ErrorsRow {
	q := parts[0]
	p := q.problem
	r := ErrorsRow{
		Setting: Setting{Problem: p, Start: p.Starts[start], Function: q.whole(), N: n},
		Work:    p.Work(n), Mean: q.part.Mean, SD: q.part.SD, Kurtosis: q.part.Kurtosis, Method: q.method,
	}
	if !r.Function.Whole() {
		r.Mean, r.SD, r.Kurtosis = math.NaN(), math.NaN(), math.NaN()
	}
	squared := 0.0 // of the vector of biases
	for _, part := range parts {
		squared += r.add(part, start)
	}
	if !r.Function.Whole() {
		r.Bias = math.Sqrt(squared)
	}
	r.Tau /= float64(len(parts))
	r.annotate(parts)
	return r
}

// add adds the errors of one coordinate to a row. It returns the square of its bias.
func (r *ErrorsRow) add(q *question, start int) float64 {
	i := slices.Index(q.N, r.N)
	e, f := q.errors[q.starts[start]][i], q.part
	r.Tau += q.tau.Value
	r.RMean++
	r.Bias += e.Bias
	r.MSE += e.MSE
	r.MSEStationary += q.errors[q.target][i].MSE
	r.BiasVariance += e.BiasVariance
	r.MSEVariance += e.MSEVariance
	r.RVariance += f.IndependentVariance(r.N)
	r.CvM += e.CvM
	r.RCvM += f.IndependentCvM()
	r.KS2Low += e.KS2Low
	r.KS2High += e.KS2High
	r.KS2 += q.ks.square(q.starts[start], i)
	r.RKS += float64(r.N) * q.ks.independent(i)
	r.Rounding = max(r.Rounding, e.Rounding)
	return e.Bias * e.Bias
}

// annotate says in notes what the numbers of a row cannot.
func (r *ErrorsRow) annotate(parts []*question) {
	q := parts[0]
	if math.IsNaN(r.Work) {
		r.note("kernel "+r.Kernel, "it does not say how often a move asks for log f, so that there is no work")
	}
	for _, part := range parts {
		r.Notes = append(r.Notes, part.left...)
		if part.tau.Note != "" {
			r.note(r.Problem.Name(), part.tau.Note)
		}
	}
	if r.N == 1 && q.Variance {
		r.note("N = 1", "a single sample has no variance")
	}
	if r.N > 1 && q.Variance && math.IsNaN(r.MSEVariance) {
		r.note(q.about(), "there are no errors of the variance: somewhere the function is so many standard deviations from its mean that floating point does not hold the fourth power")
	}
	if !r.Function.Whole() {
		r.note("function "+All, "errors are sums over the coordinates (Eq. 5), bias_mean is the length of the vector of biases, and ESSD (Eq. 8) is for a single coordinate")
	}
	if lost := r.LostDigits(); lost != "" {
		r.NotesRow = append(r.NotesRow, lost)
	}
	if q.Distribution && math.IsNaN(r.KS2) {
		r.NotesRow = append(r.NotesRow, fmt.Sprintf("no exact Kolmogorov-Smirnov distance, only its bounds: %v", missing(parts)))
	}
}

// note adds a note that is not there yet.
func (r *ErrorsRow) note(about, text string) {
	if n := (Note{about, text}); !slices.Contains(r.Notes, n) {
		r.Notes = append(r.Notes, n)
	}
}

// missing returns why a coordinate has no Kolmogorov-Smirnov distance.
func missing(parts []*question) error {
	for _, q := range parts {
		if q.ks.missing != nil {
			return q.ks.missing
		}
	}
	return nil
}

// LostDigits says how many digits rounding leaves of the errors, and nothing where it leaves eleven or more.
func (r *ErrorsRow) LostDigits() string {
	if !(r.Rounding > LostDigits) {
		return ""
	}
	return fmt.Sprintf("rounding leaves %s of the errors", Digits(r.Rounding))
}
