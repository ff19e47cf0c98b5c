package weights

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/exact"
	"breadboard/exact/weights"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// Row is the distribution of the log weights of one annealing, and quantities derived from it.
type Row struct {
	subject.Case
	Solution *exact.Solution
	Law      *weights.Laws
	// Moments are the cumulants of log w, by direction.
	Moments [2]weights.Cumulants
	// BelowJ and Below0 are the probabilities that the estimate of B from one forward and one
	// reverse chain is below J, and below zero. B is never below either.
	BelowJ, Below0 weights.Bracket
	// ESSFraction is E[w]^2/E[w^2], the effective sample size of many forward chains as a fraction
	// of their number.
	ESSFraction float64
	RenyiHalf   float64 // the Rényi divergence of order 1/2 between the distributions of the paths, in nats
	Notes       []string
}

// ErrorBound returns a proven bound on the errors of BelowJ and Below0.
func (r *Row) ErrorBound() float64 { return max(r.BelowJ.Error(), r.Below0.Error()) }

// Options are the options of the study of distributions.
type Options struct {
	// Frequencies is the largest number of frequencies at which a characteristic function is
	// computed; 0 is as many as a second or two allow. The error bound is about one over it.
	Frequencies int
}

// lawWork is the default number of multiplications of a distribution: a second or two on one
// processor.
const lawWork = 2e9

// lawPlan computes the distribution of the log weights of every case.
func lawPlan(_ context.Context, cases []subject.Case, o *Options) (study.Plan[Row], error) {
	if o.Frequencies < 0 || o.Frequencies > weights.MaxFrequencies {
		return study.Plan[Row]{}, errs.New("%d frequencies; give 1 to %d, or 0 for as many as a second or two allow",
			o.Frequencies, weights.MaxFrequencies)
	}
	return inTurn(cases, func(ctx context.Context, c *subject.Case, h study.How) ([]Row, error) {
		r := Row{Case: *c}
		err := r.solve(ctx, o, h)
		return []Row{r}, err
	}), nil
}

// inTurn returns the plan that takes one case after another, since a distribution takes much memory
// and all workers.
func inTurn[R any](cases []subject.Case,
	rowsOf func(context.Context, *subject.Case, study.How) ([]R, error)) study.Plan[R] {
	return study.Plan[R]{
		Steps: weights.LawProgress * len(cases),
		Run: func(ctx context.Context, h study.How) ([]R, error) {
			return subject.Rows(ctx, len(cases), 1, func(ctx context.Context, i int) ([]R, error) {
				rows, err := rowsOf(ctx, &cases[i], h)
				return rows, cases[i].Wrong(err)
			})
		},
	}
}

func (r *Row) solve(ctx context.Context, o *Options, h study.How) (err error) {
	// This comes first, because it also checks the kernel.
	r.Solution, err = exact.Solve(ctx, r.Annealing(), exact.Options{})
	if err != nil {
		return err
	}
	r.Law, err = weights.LawsOf(
		ctx,
		r.Annealing(),
		weights.Options{Progress: h.Progress, Frequencies: o.Frequencies, Work: lawWork,
			Workers: h.Workers},
	)
	if err != nil {
		return err
	}
	for d := range r.Moments {
		r.Moments[d], err = weights.CumulantsOf(ctx, r.Annealing(), chains.Direction(d))
		if err != nil {
			return err
		}
	}
	k, err := weights.CGF(ctx, r.Annealing(), chains.Forward, []float64{1, 2})
	if err != nil {
		return err
	}
	r.ESSFraction = math.Exp(2*k[0] - k[1])
	r.RenyiHalf, _, err = weights.Renyi(ctx, r.Annealing(), 0.5)
	if err != nil {
		return err
	}
	r.BelowJ, r.Below0 = r.Law.DifferenceBelow(r.Solution.J), r.Law.DifferenceBelow(0)
	r.addNotes()
	return nil
}

func (r *Row) addNotes() {
	r.Notes = append(r.Notes, r.Solution.Notes...)
	if p := r.Law.Forward.Zero; p > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the weight of a forward chain is zero with probability %.6g", p))
	}
	if p := r.Law.Reverse.Infinite; p > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the weight of a reverse chain is infinite with probability %.6g", p))
	}
	if r.Law.Method == weights.MethodInversion {
		how := "more digits than that are correct"
		if !r.Law.Resolved {
			how = "the distribution has atoms or is very narrow"
		}
		r.Notes = append(r.Notes, fmt.Sprintf("inversion at %d frequencies, within the error bound; %s",
			r.Law.Frequencies, how))
	}
}

// Advice returns how to make the error bound smaller, and false if nothing would, since the
// distribution is exact apart from rounding.
func (r *Row) Advice() (advice *errs.Advice, there bool) {
	advice = errs.New("more {frequencies} make the error bound smaller")
	return advice, r.Law.Method == weights.MethodInversion
}

// Tail holds the probabilities that the log weight of one chain lies on the wrong side of log R =
// log(Z_T/Z_1) by more than B nats.
type Tail struct {
	*Row
	B       float64
	Bound   float64         // exp(-B), an upper bound on both probabilities (section 2.2)
	Forward weights.Bracket // P(log w > log R + B)
	Reverse weights.Bracket // P(log w < log R - B) in reverse
}

// Tails returns the tails of every row at each b.
func Tails(rows []Row, bs []float64) []Tail {
	var out []Tail
	for i := range rows {
		w := rows[i].Law
		for _, b := range bs {
			out = append(out, Tail{&rows[i], b, math.Exp(-b), w.Forward.Above(w.LogZRatio + b),
				w.Reverse.Below(w.LogZRatio - b)})
		}
	}
	return out
}

// Quantile is a quantile of the log weight in both directions: of order Q.
type Quantile struct {
	*Row
	Q                float64
	Forward, Reverse weights.Bracket
}

// Quantiles returns the quantiles of every row at each q.
func Quantiles(rows []Row, qs []float64) []Quantile {
	var out []Quantile
	for i := range rows {
		w := rows[i].Law
		for _, q := range qs {
			out = append(out, Quantile{&rows[i], q, w.Forward.Quantile(q), w.Reverse.Quantile(q)})
		}
	}
	return out
}

// Bin is an interval of log weights with the densities of the two distributions on it: the
// probability divided by the length of the bin.
type Bin struct {
	Low, High        float64
	Forward, Reverse float64
	// Crooks is the value that Reverse must have by Crooks' relation: the integral of exp(l - log
	// R) over the forward distribution.
	Crooks float64
}

const (
	// densityBins is the approximate number of bins of a density.
	densityBins = 120
	// densityError bounds the error of each piece of a bin within which exp(l) is taken as constant
	// if the distribution is not on a lattice.
	densityError = 1e-5
	// densityTail is the probability omitted at either end of the range of the bins.
	densityTail = 1e-3
)

// Density cuts the range of the two distributions into bins; on a lattice every bin has the same
// number of points. It is empty if all weights are equal.
func (r *Row) Density() []Bin {
	w := r.Law
	low := min(finiteQuantile(w.Forward, densityTail), finiteQuantile(w.Reverse, densityTail))
	high := max(finiteQuantile(w.Forward, 1-densityTail), finiteQuantile(w.Reverse, 1-densityTail))
	width := (high - low) / densityBins
	if !(width > 0) {
		return nil
	}
	if step := w.Forward.Spacing; step > 0 { // edges half way between points
		width = step * math.Ceil(width/step)
		first, _ := w.Forward.Support()
		low = first + step*(math.Round((low-first)/step)-0.5)
	}
	var bins []Bin
	at := r.edge(low)
	for x := low; x < high; x += width {
		next := r.edge(x + width)
		bins = append(bins, r.bin(at, next))
		at = next
	}
	return bins
}

// Bins cuts a range of the two distributions into n bins of the given width.
func (r *Row) Bins(low, width float64, n int) []Bin {
	bins := make([]Bin, n)
	at := r.edge(low)
	for i := range bins {
		next := r.edge(low + float64(i+1)*width)
		bins[i] = r.bin(at, next)
		at = next
	}
	return bins
}

// finiteQuantile is a quantile, or the end of the support if that is infinite.
func finiteQuantile(l *weights.Law, q float64) float64 {
	low, high := l.Support()
	return max(low, min(high, l.Quantile(q).Value))
}

// edge is the end of a bin and the start of the next one, with the probabilities below it. These
// may take a millisecond each, so that both bins share them.
type edge struct{ x, forward, reverse float64 }

func (r *Row) edge(x float64) edge {
	return edge{x, r.Law.Forward.Below(x).Value, r.Law.Reverse.Below(x).Value}
}

// bin returns the bin between two edges.
func (r *Row) bin(low, high edge) Bin {
	length := high.x - low.x
	forward, reverse := high.forward-low.forward, high.reverse-low.reverse
	return Bin{low.x, high.x, forward / length, reverse / length,
		r.crooks(low.x, high.x, low.forward, forward) / length}
}

// crooks returns the integral of exp(l - log R) over the forward distribution from low to high,
// where this distribution has the given mass, and the mass below before it. It halves the interval
// again and again: on a lattice down to single points, otherwise until exp(l) hardly varies on a
// piece.
func (r *Row) crooks(low, high, below, mass float64) float64 {
	w := r.Law
	middle := low + (high-low)/2
	total := mass * math.Exp(middle-w.LogZRatio)
	if step := w.Forward.Spacing; step > 0 {
		n := math.Round((high - low) / step)
		if n <= 1 {
			return total
		}
		middle = low + step*math.Floor(n/2)
	} else if total*(high-low)/2 < densityError {
		return total
	}
	until := w.Forward.Below(middle).Value
	left := until - below
	return r.crooks(low, middle, below, left) + r.crooks(middle, high, until, mass-left)
}

// SampleRow holds the bounds from K samples of one annealing.
type SampleRow struct {
	subject.Case
	weights.MultiSample
	LogZRatio float64
}

// SampleOptions are the options of the study of several samples.
type SampleOptions struct {
	K []int // the numbers of samples
}

// samplePlan computes the bounds of every case for each number of samples.
func samplePlan(_ context.Context, cases []subject.Case, o *SampleOptions) (study.Plan[SampleRow], error) {
	if len(o.K) == 0 {
		return study.Plan[SampleRow]{}, errs.New("no number of samples is named; give one, as in {samples} 10")
	}
	return inTurn(cases, func(ctx context.Context, c *subject.Case, h study.How) ([]SampleRow, error) {
		s, err := exact.Solve(ctx, c.Annealing(), exact.Options{}) // this also checks the kernel
		if err != nil {
			return nil, err
		}
		bounds, err := weights.MultiSampleBounds(
			ctx,
			c.Annealing(),
			o.K,
			weights.SampleOptions{Progress: h.Progress, Workers: h.Workers},
		)
		if err != nil {
			return nil, err
		}
		rows := make([]SampleRow, len(bounds))
		for i, b := range bounds {
			rows[i] = SampleRow{*c, b, s.LogZRatio}
		}
		return rows, nil
	}), nil
}
