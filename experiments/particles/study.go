package particles

import (
	"context"
	"math"
	"strconv"
	"strings"

	"breadboard/chains/particle"
	law "breadboard/exact/particle"
	"breadboard/experiments"
)

// Names of the parameters that the study has of its own.
const (
	paramParticles = "particles"
	paramResample  = "resample"
	paramThreshold = "threshold"
)

// Study returns the study as one that can be swept: what do more particles gain? Numbers without an exact route are missing.
func Study() *experiments.Study {
	infinite := math.Inf(1)
	return &experiments.Study{
		Name: "smc", Answers: "what do more particles gain, with each way to resample?",
		Parameters: append(experiments.Parameters(),
			experiments.Whole(paramParticles, "the number of particles", 1, MaxParticles, 1, 2),
			experiments.Parameter{Name: paramResample, Doc: "the resampling scheme", Defaults: experiments.Just(particle.Multinomial{}.String()), Canonical: canonicalScheme},
			experiments.Parameter{
				Name: paramThreshold, Doc: "1 resamples at every stage, 0 never, and C where the effective sample size is below C times particles",
				Defaults: experiments.Just("1"), Number: &experiments.Range{Low: 0, High: 1, Real: true},
			}),
		Values: []experiments.Value{
			{Name: "J", Doc: "the Jeffreys divergence between output and target", Unit: "nats", Shown: true, High: infinite, Missing: true},
			{Name: "kl_q_p", Doc: "KL(q(x) || p_T)", Unit: "nats", High: infinite, Missing: true},
			{Name: "kl_p_q", Doc: "KL(p_T || q(x))", Unit: "nats", High: infinite, Missing: true},
			{Name: "mean_log_z_forward", Doc: "the mean log Zhat of runs", Unit: "nats", Shown: true, Low: -infinite, High: math.MaxFloat64, Missing: true},
			{Name: "mean_log_z_conditional", Doc: "the same of conditional runs", Unit: "nats", Shown: true, Low: -math.MaxFloat64, High: infinite, Missing: true},
			{Name: "B", Doc: "the second less the first, which bounds J", Unit: "nats", Shown: true, Low: -infinite, High: infinite, Missing: true},
			{Name: "log_z_ratio", Doc: "log(Z_T/Z_1)", Unit: "nats", Low: -math.MaxFloat64, High: math.MaxFloat64},
			{Name: "relative_variance", Doc: "of Zhat", Shown: true, Low: -infinite, High: infinite, Missing: true},
			{Name: "limit_P_relative_variance", Doc: "what particles times that tends to", Low: -infinite, High: infinite, Missing: true},
			{Name: "limit_P2_J", Doc: "what particles^2 J tends to", Low: -infinite, High: infinite, Missing: true},
			{Name: "extinct", Doc: "how often all weights become zero", High: 1 + 1e-12, Missing: true},
		},
		Solve: solveStudy,
		Check: contradiction,
		Cost:  cost,
	}
}

// canonicalScheme is the Canonical of the parameter resample.
func canonicalScheme(text string) (string, error) {
	s, err := particle.ParseScheme(text)
	if err != nil {
		return "", err
	}
	return s.String(), nil
}

// settingOf returns the setting that parameters name.
func settingOf(params experiments.Params) (law.Setting, error) {
	scheme, err := particle.ParseScheme(params.Get(paramResample))
	if err != nil {
		return law.Setting{}, err
	}
	threshold, err := strconv.ParseFloat(params.Get(paramThreshold), 64)
	return law.Setting{Particles: params.Int(paramParticles), Scheme: scheme, Threshold: threshold}, err
}

// solveStudy is the Solve of the study.
func solveStudy(ctx context.Context, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
	setting, err := settingOf(params)
	if err != nil {
		return experiments.Outcome{}, err
	}
	rows, err := Run(ctx, []experiments.Case{*c}, []law.Setting{setting}, Options{Workers: 1})
	if err != nil {
		return experiments.Outcome{}, err
	}
	r := &rows[0]
	return experiments.Outcome{
		Numbers: []float64{
			r.J, r.KLQP, r.KLPQ, r.MeanLogZForward, r.MeanLogZConditional, r.B, r.LogZRatio,
			r.RelativeVariance, r.Limits.P, r.Limits.P2J, r.Extinct,
		},
		Note: strings.Join(r.Notes, "; "),
	}, nil
}

// contradiction is the Check of the study: it asks of the numbers what Run asks of a row.
func contradiction(params experiments.Params, o experiments.Outcome) error {
	v := o.Numbers
	r := Row{Case: experiments.Case{Params: params}, Law: &law.Law{
		J: v[0], KLQP: v[1], KLPQ: v[2], MeanLogZForward: v[3], MeanLogZConditional: v[4], B: v[5], LogZRatio: v[6],
		RelativeVariance: v[7], Extinct: v[10],
	}}
	if o.Note != "" {
		r.Notes = []string{o.Note}
	}
	return r.contradiction()
}

// Measured: how many times as long as a solution by the general method the recursion of the relative variance and the law of
// two particles take for each state, and the bytes of an entry of a law of several particles.
const (
	pairCost   = 0.3
	entryBytes = 32
)

// cost is the Cost of the study: a law of k particles has the states to the power k entries.
func cost(s experiments.Size) experiments.Cost {
	k := float64(min(s.Params.Int(paramParticles), 3))
	entries := math.Pow(float64(s.States), max(1, k-1))
	return experiments.Cost{
		Seconds: s.Solution.Seconds + pairCost*entries*s.General.Seconds,
		Bytes:   2*s.Solution.Bytes + entryBytes*float64(s.States)*entries,
	}
}
