package aide

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/experiments"
)

// Names of the parameters that the study has of its own.
const (
	paramTarget   = "target"
	paramGold     = "gold"
	paramMeta     = "meta"
	paramGoldMeta = "gold_meta"
)

// Study returns the study as one that can be swept: what does AIDE say of two algorithms, beside the divergence that it bounds?
func Study() *experiments.Study {
	choice := func(name, doc, standard string) experiments.Parameter {
		return experiments.Parameter{
			Name: name, Doc: doc + ": " + strings.Join(Forms().Syntaxes(), ", "), Defaults: experiments.Just(standard),
			Canonical: func(text string) (string, error) {
				c, err := Parse(text)
				return c.Name, err
			},
		}
	}
	parameters := experiments.WithDefaults(experiments.Parameters(), map[string][]string{"T": {"100"}}) // laws of traces take longer than solutions
	return &experiments.Study{
		Name: "aide", Answers: "what does AIDE say of two algorithms, beside the divergence that it bounds?",
		Main: "mean",
		Parameters: append(parameters,
			choice(paramTarget, "the algorithm that is judged", string(AIS)),
			choice(paramGold, "the algorithm that it is compared with", string(Exact)),
			experiments.Whole(paramMeta, "meta-inference runs of the target", 1, MaxMeta, 1, 10, 100),
			experiments.Whole(paramGoldMeta, "meta-inference runs of the gold", 1, MaxMeta, 1)),
		Values: experiments.ValuesOf(measures()),
		Solve:  solve,
		Check:  contradiction,
		Cost:   cost,
	}
}

// measures lists the values of the study.
func measures() []experiments.Measure[Row] {
	infinite := math.Inf(1)
	nats := func(name, doc string, shown bool, low float64, from func(*Row) float64) experiments.Measure[Row] {
		return experiments.Measure[Row]{Value: experiments.Value{Name: name, Doc: doc, Unit: "nats", Shown: shown, Low: low, High: infinite, Missing: true}, From: from}
	}
	return []experiments.Measure[Row]{
		nats("J", "the symmetric divergence between the outputs", true, -checkTolerance, func(r *Row) float64 { return r.J }),
		nats("mean", "the mean of AIDE, which bounds J", true, -checkTolerance, func(r *Row) float64 { return r.Mean }),
		nats("sd", "the standard deviation of one estimate", true, 0, func(r *Row) float64 { return r.SD }),
		nats("bias", "mean - J", true, -checkTolerance, func(r *Row) float64 { return r.Bias }),
		nats("upper_half", "what the target's traces add where all are from meta-inference", false, -checkTolerance, func(r *Row) float64 { return r.UpperHalf }),
		nats("lower_half", "what they add where the first is the run's", false, -checkTolerance, func(r *Row) float64 { return r.LowerHalf }),
		nats("kl_q_p_lower", "a lower bound on KL(target || gold)", false, -infinite, func(r *Row) float64 { return r.KLQPLower }),
		nats("kl_q_p_upper", "an upper bound on it", false, -checkTolerance, func(r *Row) float64 { return r.KLQPUpper }),
		nats("kl_p_q_upper", "an upper bound on KL(gold || target)", false, -checkTolerance, func(r *Row) float64 { return r.KLPQUpper }),
	}
}

// solve is the Solve of the study.
func solve(ctx context.Context, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
	cases := []experiments.Case{*c}
	options := Options{
		Target: params.Get(paramTarget), Gold: params.Get(paramGold),
		Metas: []int{params.Int(paramMeta)}, GoldMetas: []int{params.Int(paramGoldMeta)}, Workers: 1,
	}
	if err := options.Validate(cases); err != nil {
		return experiments.Outcome{}, err
	}
	rows, err := Run(ctx, cases, options)
	if err != nil {
		return experiments.Outcome{}, err
	}
	return experiments.Outcome{Numbers: experiments.NumbersOf(measures(), &rows[0]), Note: strings.Join(rows[0].Notes, "; ")}, nil
}

// contradiction is the Check of the study: the bias is what the mean has beyond J. A number that is not known contradicts nothing.
func contradiction(_ experiments.Params, o experiments.Outcome) error {
	j, mean, bias := o.Numbers[0], o.Numbers[1], o.Numbers[3]
	if rest := mean - j; !math.IsNaN(rest) && !math.IsInf(mean, 0) && !(math.Abs(rest-bias) <= checkTolerance*(1+mean+j)) {
		return fmt.Errorf("its bias is %v, and its mean %v and its J %v are %v apart", bias, mean, j, rest)
	}
	return nil
}

// Measured: how many times as long as a solution by the general method the law of a chain takes, and that of a pair of particles for each
// state.
const (
	chainCost = 20
	pairsCost = 4
)

// cost is the Cost of the study, for the dearer of the two algorithms.
func cost(s experiments.Size) experiments.Cost {
	most := 0.0
	for _, name := range []string{paramTarget, paramGold} {
		c, err := Parse(s.Params.Get(name))
		if err != nil {
			continue
		}
		times := 0.0
		switch {
		case c.Kind == AIS, c.Kind == SMC && c.Particles == 1:
			times = chainCost
		case c.Kind == MH:
			times = chainCost * float64(c.Moves) / float64(s.Distributions)
		case c.Kind == SMC:
			times = pairsCost * float64(s.States)
		}
		most = max(most, times)
	}
	n := float64(s.States)
	return experiments.Cost{Seconds: s.Solution.Seconds + most*s.General.Seconds, Bytes: 2*s.Solution.Bytes + 64*n*n}
}
