package samplers

import (
	"fmt"
	"math"
	"strings"

	"breadboard/experiments"
	"breadboard/experiments/study"
)

// Errors declares the study of the exact errors of averages. A number that cannot be had is missing.
func Errors() *study.Study[Problem, ErrorsOptions, ErrorsRow] {
	samples := SamplesParameter(1, 10, 100, 1000, 10_000)
	return &study.Study[Problem, ErrorsOptions, ErrorsRow]{
		Name: "samplers errors",
		Asks: "How far are the averages of a chain from the truth? Exact errors and RESS",
		Help: `errors computes, exactly, the errors of what N samples of a chain estimate: the mean of a function, its variance (with
divisor N - 1) and its distribution, and the real effective sample size of each, RESS = R / (mean squared error).

R is what N independent draws have at the same N, times N, so that they have RESS = N: 1 for the mean; kurtosis - (N-3)/(N-1)
for the variance, which tends to the kurtosis less one, 2 for a normal distribution as in the paper; sum p F (1-F) for the
Cramer-von Mises distance (CvM); and N E[KS^2] for the Kolmogorov-Smirnov distance, which for continuous functions tends to
the paper's 0.822 = pi^2/12, and to less where a function has few values. E[KS^2] is exact where N and the number of values
are small; elsewhere ks2 is NaN, and ks2_lower and ks2_upper bound it. People see the column "RESS KS" where all rows have it,
and by --estimate distribution, which leaves room for it, where any has.

The column "from target" is the RESS of chains that start at a draw of the target, whose errors come from slow mixing
alone. What the start adds to the error is burn-in: mse_mean - mse_mean_stationary.

The column "constant" stands beside the RESS of the variance. It is what an estimate of zero scores, which a chain that
never moves makes: its error is one, and its RESS R. Any constant up to twice the truth scores more. A chain that stays
in one part of the space, where the function varies less, estimates nearly such a constant: its RESS of the variance may be
several times that of zero, at any N, although it has learnt nothing. So read it together with the RESS of the mean.

N/RESS tends to tau, the integrated autocorrelation time. A reducible chain has no tau, and its errors stand. For the
function all, errors and R are sums over the coordinates, and tau is their mean (Eq. 5). Where a kernel does not say how
often it asks for log f there is no work.

Methods: recursion goes from N to N + 1 (N up to 1e9); squaring takes powers of the transition matrix (N up to 1e12, and few
states); lanczos has all N at once on large spaces, of the mean alone, for reversible kernels from the target. auto takes
the fastest. Without --estimate what cannot be had is left out with a note.

With --out it also draws RESS of each estimate against N, with N/tau and the line RESS = N, and the parts of the error of the mean.`,
		Examples: `  breadboard samplers errors --toy barrier --kernel metropolis --kernel heatbath --start uniform --start target --function x0 -N 1,10,100,1e4
  breadboard samplers errors --toy hard --function x0,x1,all --format json
  breadboard samplers errors --toy ising:4x4:0.4 --kernel metropolis --start target --function x0,sum,g --estimate mean -N 1000,1e6
  breadboard samplers errors --toy easy --kernel heatbath-scan --start mode,point:0 --warmup 10 --out results`,
		Counts: "errors", Workers: "number of questions answered at once, each of one function on one chain",
		Standard: ErrorsOptions{N: []int64{1, 10, 100, 1000, 10_000}, Method: Auto},
		Options: []study.Option[ErrorsOptions]{
			SamplesOption(func(o *ErrorsOptions) *[]int64 { return &o.N }, "numbers of samples, the start among them", &samples),
			{
				Name: "estimate", Doc: "what is estimated: " + strings.Join(Estimates(), ", ") + " (default all that can be had); the mean always is",
				Complete: study.Among(Estimates()...), Value: func(o *ErrorsOptions) study.Value { return study.Texts(&o.Estimates) },
			},
			{
				Name: "method", Doc: "how errors are computed: " + strings.Join(Methods(), ", "),
				Complete: study.Among(Methods()...), Value: func(o *ErrorsOptions) study.Value { return study.Text(&o.Method) },
			},
		},
		Columns: errorsColumns(), Plan: errorsPlan,
		Swept: &study.Swept[Problem, ErrorsRow]{
			Former: "samplers-errors", Main: "ress_mean",
			Parameters: append(ChainParameters("uniform", "target"), FunctionParameter()),
			Stored: []string{
				"bias_mean", "mse_mean", "ress_mean", "mse_mean_stationary", "ress_mean_stationary", "tau", "bias_var", "mse_var", "ress_var", "cvm", "ress_cvm", "ks2", "ks2_lower", "ks2_upper", "ress_ks", "work", "rounding",
			},
			Build: Build, Subject: Subject,
			Note:  func(r *ErrorsRow) (string, error) { return r.allNotes(), nil },
			Check: errorsContradiction, Cost: errorsCost,
		},
	}
}

// roundings is the relative error of numbers that are computed from one another.
const roundings = 1e-9

// errorsContradiction: the squared bias is a part of the error, and RESS is R, which is one for a single function,
// over the error.
func errorsContradiction(k study.Kept) error {
	bias, mse, ress, rounding := k.Get("bias_mean"), k.Get("mse_mean"), k.Get("ress_mean"), k.Get("rounding")
	if bias*bias > mse*(1+roundings+2*rounding)+rounding*1e-300 {
		return fmt.Errorf("its bias_mean is %v, of which the square is above its mse_mean %v", bias, mse)
	}
	if k.Params.Get(ParamFunction) != All && !experiments.Near(ress*mse, 1, roundings) && mse > 0 {
		return fmt.Errorf("its ress_mean is %v and its mse_mean %v, which are not each other's inverse", ress, mse)
	}
	return nil
}

// Measured: the seconds of an error for each entry of a transition matrix of which no state has more than so many neighbours, and each
// squaring; and of a Kolmogorov-Smirnov distance, at most.
const (
	entryCost       = 10e-9
	levelCost       = 100
	errorsStartCost = 2e-3
	errorBytes      = 64
)

// errorsCost estimates what a row takes. Recursion takes N steps of the matrix for each level of the function, and squaring log N products.
func errorsCost(s experiments.Size) experiments.Cost {
	n := float64(s.States)
	steps := min(float64(s.Params.Int(ParamN)), n*math.Log2(2+float64(s.Params.Int(ParamN))))
	return experiments.Cost{Seconds: errorsStartCost + entryCost*levelCost*n*steps, Bytes: errorBytes * n * n}
}
