package rank

import (
	"context"
	"fmt"
	"math"

	"breadboard/exact/averages"
	"breadboard/exact/kernel"
	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
)

// unit is the largest relative error of one operation in floating point.
const unit = 0x1p-53

// few is about by how many units a number of a few operations may be off.
const few = 16 * unit

// peskun adds the rows of two kernels on a target where one of them moves more, or one that says why they cannot be compared.
func (o OrderOptions) peskun(ctx context.Context, rows []OrderRow, a, b *family) ([]OrderRow, error) {
	first, second, excess, why, err := ordered(ctx, a.plain.Chain, b.plain.Chain)
	if err != nil {
		return nil, err
	}
	if why != "" {
		return append(rows, OrderRow{Comparison: &Comparison{Check: Peskun, First: a.plain, Second: b.plain, Thin: 1}, Verdict: NoOrder, Note: why}), nil
	}
	if first == b.plain.Chain && second == a.plain.Chain {
		a, b = b, a
	}
	for f := range a.plain.Functions {
		c := &Comparison{Check: Peskun, First: a.plain, Second: b.plain, Function: a.plain.Functions[f], Thin: 1, Excess: excess}
		// A relative excess of the entries makes one of at most that size in tau + 1, which is at most 1/tau + 1 times as much in tau.
		limit := c.row(0, a.measured[f].tau, b.measured[f].tau, excess*(1+1/b.measured[f].tau.value))
		limit.judge(true)
		rows = append(rows, limit)
		for _, n := range o.N {
			// The covariance of neighbours is off by at most the excess times the variance, beside an error that may be smaller than that.
			row := c.row(n, a.measured[f].errors[n], b.measured[f].errors[n], excess/min(1, b.measured[f].errors[n].value))
			row.judge(n <= 2)
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// lazy adds the rows that compare tau of each lazy form of a kernel with what it must be.
func (o OrderOptions) lazy(rows []OrderRow, a *family, f int) []OrderRow {
	for i, p := range a.lazy {
		stay := o.Lazy[i]
		c := &Comparison{Check: Lazy, First: a.plain, Second: p, Function: a.plain.Functions[f], Stay: stay, Thin: 1}
		t := a.measured[f].tau
		// What rounding has done to tau is about the same, relatively, in tau + p, which may be smaller: tau is above -1.
		want := number{(t.value + stay) / (1 - stay), t.rounding * math.Abs(t.value) / math.Abs(t.value+stay)}
		row := c.row(0, a.measured[f].lazyTau[i], want, 0)
		row.judgeEqual()
		rows = append(rows, row)
	}
	return rows
}

// thinning adds the rows that compare the mean of all samples with that of those that are kept.
func (o OrderOptions) thinning(rows []OrderRow, a *family, f int) []OrderRow {
	for i, p := range a.thin {
		m := o.Thin[i]
		c := &Comparison{Check: Thinning, First: a.plain, Second: p, Function: a.plain.Functions[f], Thin: m}
		kept := a.measured[f].thinTau[i]
		limit := c.row(0, a.measured[f].tau, number{kept.value * float64(m), kept.rounding}, 0)
		limit.judge(true)
		rows = append(rows, limit)
		for _, n := range o.N {
			row := c.row(n, a.measured[f].errors[n*int64(m)], a.measured[f].thinned[i][n], 0)
			row.judge(true)
			rows = append(rows, row)
		}
	}
	return rows
}

// row returns a row without its verdict. The excess is what the rounding of the rows themselves may do.
func (c *Comparison) row(n int64, first, second number, excess float64) OrderRow {
	r := OrderRow{Comparison: c, N: n, First: first.value, Second: second.value, Rounding: first.rounding + second.rounding + excess + few}
	r.Ratio = first.value / second.value
	if first.value == 0 && second.value == 0 {
		r.Ratio = 1
	}
	return r
}

// judge sets the verdict of a row whose ratio is at most one: by a theorem, or only in the limit.
func (r *OrderRow) judge(theorem bool) {
	switch {
	case math.IsNaN(r.Ratio):
		r.Verdict, r.Note = Unknown, reducible
	case r.Ratio <= 1+r.Rounding:
		r.Verdict = Holds
		if r.Ratio > 1 {
			r.Note = "equal up to rounding"
		}
	case theorem:
		r.Verdict = Faulty
	default:
		r.Verdict = Fails
	}
}

// reducible is the note of a row that has no limit.
const reducible = "a kernel is reducible, or so nearly that floating point does not tell, so that there is no limit"

// judgeEqual sets the verdict of a row whose ratio is one.
func (r *OrderRow) judgeEqual() {
	switch {
	case math.IsNaN(r.Ratio):
		r.Verdict, r.Note = Unknown, reducible
	case !(math.Abs(r.Ratio-1) <= r.Rounding):
		r.Verdict = Faulty
	default:
		if r.Verdict = Holds; r.Rounding > 1e-10 {
			r.Note = fmt.Sprintf("the chain is so slow that only a difference above %.2g, relatively, would show", r.Rounding)
		}
	}
}

// maxExcess is the largest relative difference of entries that is taken for rounding. It enters the rounding of the ratio, so that
// nothing is forgiven.
const maxExcess = 1e-12

// ordered returns two chains at a target so that the first has the larger entries off the diagonal, and the largest relative excess of an
// entry of the second, which is rounding. It says why there is no such order where there is none.
func ordered(ctx context.Context, a, b *averages.Chain) (first, second *averages.Chain, excess float64, why string, err error) {
	for _, c := range []*averages.Chain{a, b} {
		is, err := kernel.Reversible(ctx, c.Rows, c.LogF)
		if err != nil {
			return nil, nil, 0, "", err
		}
		if !is {
			return nil, nil, 0, "the theorem is for kernels that are reversible, and one of them is not", nil
		}
	}
	forth, back := exceeds(ctx, b, a), exceeds(ctx, a, b)
	switch {
	case ctx.Err() != nil:
		return nil, nil, 0, "", ctx.Err()
	case forth <= maxExcess && forth <= back:
		return a, b, forth, "", nil
	case back <= maxExcess:
		return b, a, back, "", nil
	}
	return nil, nil, 0, "each of them has larger probabilities of some moves", nil
}

// exceeds returns by how much, relatively, an entry of the first chain off the diagonal is above that of the second, at most, in the rows
// of states of positive probability: 0 where none is, and +Inf where the second has none. It ends early where the context does.
func exceeds(ctx context.Context, a, b *averages.Chain) (most float64) {
	of, other := make([]float64, b.States()), make([]float64, b.States()) // a state may stand in a row more than once
	for x, p := range a.Target {
		if x%1024 == 0 && ctx.Err() != nil {
			return math.Inf(1)
		}
		if p == 0 {
			continue
		}
		for _, e := range a.Rows.Row(x) {
			of[e.To] += e.P
		}
		for _, e := range b.Rows.Row(x) {
			other[e.To] += e.P
		}
		for _, e := range a.Rows.Row(x) {
			if p := of[e.To]; e.To != x && p > other[e.To] {
				most = max(most, (p-other[e.To])/other[e.To])
			}
		}
		for _, e := range a.Rows.Row(x) {
			of[e.To] = 0
		}
		for _, e := range b.Rows.Row(x) {
			other[e.To] = 0
		}
	}
	return most
}

// Order declares the study of orders of averages that are theorems.
func Order() *study.Study[samplers.Problem, OrderOptions, OrderRow] {
	standard := OrderOptions{Lazy: []float64{0.5}, Thin: []int{2, 10}}
	for n := range int64(100) {
		standard.N = append(standard.N, n+1)
	}
	return study.New(standard, orderPlan, study.Declaration{
		Name: "samplers order",
		Asks: "Are averages in the orders that are theorems? Peskun's, lazy chains, thinning",
		Help: `order checks three theorems on averages by exact numbers. All chains start at the target.

peskun    Of two reversible kernels, let the first have the larger probability of every move. In the limit its error is at
          most that of the second, for every function (Peskun 1973): so metropolis comes before barker. At finite N this
          can fail, from N = 3 on, and the command finds where (the second example). Every two kernels of --kernel are compared.
lazy      A chain that stays with probability P has tau' = (tau + P)/(1 - P), for every kernel.
thinning  The mean of M N samples has at most the error of the mean of every M-th of them, for every kernel and N
          (MacEachern and Berliner 1994). N counts those that are kept. Where M does not divide the number of samples
          this is no theorem.

Errors are mean squared errors of the mean, in units of the target's variance; in the limit N times them. error 1 is at
most error 2, but for lazy chains, where they are the same. The table shows the limit of each comparison and the number of
samples that is worst for it; csv and json have all rows. The exit code is 1 if a theorem is violated, which can
only mean that the rows of a kernel or the solver are wrong.

With --out it also draws the ratios against N, those of the worst cases.`,
		Examples: `  breadboard samplers order
  breadboard samplers order --toy random:4:1:4 --function g -N 1,2,3,4,5
  breadboard samplers order --toy random:5:1:5x5 --kernel metropolis,barker,lazy:0.3:metropolis -N 1,10,100,1000 --out results
  breadboard samplers order --corpus small --function g --lazy 0.1,0.9 --thin 3 --format json`,
		Counts: "comparisons", Workers: "number of comparisons at once",
		Options: []study.Option{
			samplers.SamplesOption(func(o *OrderOptions) *[]int64 { return &o.N }, "numbers of samples", nil),
			{Name: "lazy", Doc: "probabilities of staying of lazy chains", Value: study.ValueOf(func(o *OrderOptions) study.Value { return study.Numbers(&o.Lazy) })},
			{Name: "thin", Doc: "one of how many samples is kept", Value: study.ValueOf(func(o *OrderOptions) study.Value { return study.Wholes(&o.Thin, "M", 1, maxThin) })},
		},
		Columns: orderColumns(),
		Unswept: "its rows are of pairs of kernels",
	})
}

func orderColumns() columns.List {
	return columns.List{
		columns.Of("toy", "toy", columns.MeansRows, func(r *OrderRow) string { return r.Comparison.First.Toy.Name }),
		columns.Of("check", "check", "the order that is checked: peskun, lazy or thinning", func(r *OrderRow) string { return string(r.Check) }).Spare(1),
		columns.Of("kernel_1", "kernel 1", "the kernel that a theorem says is at least as good", func(r *OrderRow) string { return r.Comparison.First.Kernel }),
		columns.Of("kernel_2", "kernel 2", "the kernel that it is compared with", func(r *OrderRow) string { return r.Comparison.Second.Kernel }),
		columns.Of("function", "function", "the function of the state whose mean is estimated", func(r *OrderRow) string { return r.Function.Name }),
		columns.Any("N", "N", columns.Float, "the number of samples, of those that are kept where some are dropped; +Inf in the limit of many", orderN),
		columns.Of("error_1", "error 1", "the mean squared error under the first kernel, in units of the variance of the function; in the limit N times it", func(r *OrderRow) float64 { return r.First }).Spare(2),
		columns.Of("error_2", "error 2", "the same under the second kernel", func(r *OrderRow) float64 { return r.Second }).Spare(2),
		columns.Of("ratio", "ratio", "error_1 over error_2, which a theorem says is at most 1; 1 where both are zero", func(r *OrderRow) float64 { return r.Ratio }).Answer().Digits(10),
		columns.Of("rounding", "", "about how far rounding may have moved ratio, relatively", func(r *OrderRow) float64 { return r.Rounding }),
		columns.Of("verdict", "verdict", "holds; fails at finite N, which is no fault; fault where a theorem is violated; or unknown where there is no limit", func(r *OrderRow) string { return string(r.Verdict) }).Answer(),
		columns.Of("note", "note", columns.MeansNote, func(r *OrderRow) string { return r.Note }).Prose(),
	}
}

// orderN returns the number of samples of a row, which is infinite in the limit.
func orderN(r *OrderRow) any {
	if r.Limit() {
		return math.Inf(1)
	}
	return columns.Both{Machine: float64(r.N), People: int(r.N)}
}
