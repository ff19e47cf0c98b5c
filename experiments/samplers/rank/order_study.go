package rank

import (
	"math"

	"breadboard/experiments/columns"
	"breadboard/experiments/samplers"
	"breadboard/experiments/study"
)

// Order declares the study of orders of averages that are theorems.
func Order() *study.Study[samplers.Problem, OrderOptions, OrderRow] {
	standard := OrderOptions{Lazy: []float64{0.5}, Thin: []int{2, 10}}
	for n := range int64(100) {
		standard.N = append(standard.N, n+1)
	}
	return &study.Study[samplers.Problem, OrderOptions, OrderRow]{
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
samples that is worst for it; csv, json and parquet have all rows. The exit code is 1 if a theorem is violated, which can
only mean that the rows of a kernel or the solver are wrong.

With --out it also draws the ratios against N, those of the worst cases.`,
		Examples: `  breadboard samplers order
  breadboard samplers order --toy random:4:1:4 --function g -N 1,2,3,4,5
  breadboard samplers order --toy random:5:1:5x5 --kernel metropolis,barker,lazy:0.3:metropolis -N 1,10,100,1000 --out results
  breadboard samplers order --corpus small --function g --lazy 0.1,0.9 --thin 3 --format json`,
		Counts: "comparisons", Workers: "number of comparisons at once",
		Standard: standard,
		Options: []study.Option[OrderOptions]{
			samplers.SamplesOption(func(o *OrderOptions) *[]int64 { return &o.N }, "numbers of samples", nil),
			{Name: "lazy", Doc: "probabilities of staying of lazy chains", Value: func(o *OrderOptions) study.Value { return study.Numbers(&o.Lazy) }},
			{Name: "thin", Doc: "one of how many samples is kept", Value: func(o *OrderOptions) study.Value { return study.Wholes(&o.Thin, "M", 1, MaxThin) }},
		},
		Columns: orderColumns(), Plan: orderPlan,
		Unswept: "its rows are of pairs of kernels",
	}
}

// orderColumns lists the columns of the study.
func orderColumns() []columns.Field[OrderRow] {
	return []columns.Field[OrderRow]{
		{Column: columns.Column{Name: "toy", Type: columns.String, Title: "toy", Meaning: columns.MeansRows}, Of: func(r *OrderRow) any { return r.Comparison.First.Toy.Name }},
		{Column: columns.Column{Name: "check", Type: columns.String, Title: "check", Meaning: "the order that is checked: peskun, lazy or thinning"}, Of: func(r *OrderRow) any { return string(r.Check) }},
		{Column: columns.Column{Name: "kernel_1", Type: columns.String, Title: "kernel 1", Meaning: "the kernel that a theorem says is at least as good"}, Of: func(r *OrderRow) any { return r.Comparison.First.Kernel }},
		{Column: columns.Column{Name: "kernel_2", Type: columns.String, Title: "kernel 2", Meaning: "the kernel that it is compared with"}, Of: func(r *OrderRow) any { return r.Comparison.Second.Kernel }},
		{Column: columns.Column{Name: "function", Type: columns.String, Title: "function", Meaning: "the function of the state whose mean is estimated"}, Of: func(r *OrderRow) any { return r.Function.Name }},
		{Column: columns.Column{Name: "N", Type: columns.Float, Title: "N", Meaning: "the number of samples, of those that are kept where some are dropped; +Inf in the limit of many"}, Of: orderN},
		{Column: columns.Column{Name: "error_1", Type: columns.Float, Title: "error 1", Meaning: "the mean squared error under the first kernel, in units of the variance of the function; in the limit N times it"}, Of: func(r *OrderRow) any { return r.First }},
		{Column: columns.Column{Name: "error_2", Type: columns.Float, Title: "error 2", Meaning: "the same under the second kernel"}, Of: func(r *OrderRow) any { return r.Second }},
		{Column: columns.Column{Name: "ratio", Type: columns.Float, Title: "ratio", Digits: 10, Meaning: "error_1 over error_2, which a theorem says is at most 1; 1 where both are zero"}, Of: func(r *OrderRow) any { return r.Ratio }},
		{Column: columns.Column{Name: "rounding", Type: columns.Float, Meaning: "about how far rounding may have moved ratio, relatively"}, Of: func(r *OrderRow) any { return r.Rounding }},
		{Column: columns.Column{Name: "verdict", Type: columns.String, Spare: columns.Keep, Title: "verdict", Meaning: "holds; fails at finite N, which is no fault; fault where a theorem is violated; or unknown where there is no limit"}, Of: func(r *OrderRow) any { return string(r.Verdict) }},
		{Column: columns.Column{Name: "note", Type: columns.String, Prose: true, Title: "note", Meaning: columns.MeansNote}, Of: func(r *OrderRow) any { return r.Note }},
	}
}

// orderN returns the number of samples of a row, which is infinite in the limit.
func orderN(r *OrderRow) any {
	if r.Limit() {
		return math.Inf(1)
	}
	return columns.Both{Machine: float64(r.N), People: int(r.N)}
}
