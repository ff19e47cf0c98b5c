// Package adaptive answers: how biased is an estimate of Z if its schedule was placed by the same
// particles? It computes, on small spaces, the exact bias of sequential Monte Carlo that places
// each beta by the conditional effective sample size of its particles, and compares it with the
// schedule that exact distributions place by the same rule in advance. It never prints, draws or
// reads flags.
//
// With few particles the steps depend on them: if the particles happen to be alike, the step is
// long, although the increments carry little information.
//
//	$ breadboard smc --adaptive 0.9 --toy random:1:1:4 --particles 1,2,3 --columns P,bias,log_bias,J,fixed_log_bias,fixed_J
//	 P │ E Zhat/Z - 1 │ E log Zhat - log Z (nats) │ J (nats) │ fixed: E log Zhat - log Z (nats) │ fixed: J (nats)
//	───┼──────────────┼───────────────────────────┼──────────┼──────────────────────────────────┼─────────────────
//	 1 │            0 │                 -0.640181 │ 0.805034 │                        -0.468153 │        0.440432
//	 2 │   -0.0812451 │                 -0.526937 │ 0.573673 │                         -0.30009 │        0.210647
//	 3 │   -0.0747123 │                 -0.412149 │ 0.384091 │                        -0.215714 │        0.115756
package adaptive

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/exact/smc"
	"breadboard/experiments/annealing/ais"
	particles "breadboard/experiments/particles/smc"
	"breadboard/experiments/placement"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Row is sequential Monte Carlo with one setting on one problem. It has the path, the kernel and
// the ends of the case, but not its schedule and T.
type Row struct {
	subject.Case
	smc.Setting
	Rho float64
	*smc.Adapted
	Estimates *Estimates // the estimates of simulation; nil unless requested
	// with the schedule that exact distributions place by the same rule; nil if there is none
	Fixed  *smc.Law
	FixedT int    // the number of distributions of that schedule
	Note   string // why there is none, or limitations of the numbers
}

// Estimates are the results of simulated runs, each with its standard error.
type Estimates struct{ Bias, LogBias, Stages ais.Estimate }

// Options are the particles, as in the study smc, and the rules by which they place betas.
type Options struct {
	particles.Options
	Rho []float64 // conditional effective sample sizes over P
}

// selectCases has the particles place the distributions. The default targets are small enough for
// exact numbers with two and three particles.
func selectCases(s *subject.Selection, given func(flag string) bool) error {
	if given("distributions") || given("schedule") {
		return errs.New("{adaptive} has the particles place the distributions, so that there is no {T} and no " +
			"{schedule}; leave them out")
	}
	s.Distributions = []int{2}
	if !given("toy") {
		s.Toys = []string{"random:1:1:4", "random:2:2:5", "barrier:3x3"}
	}
	return nil
}

// plan refuses invalid options, and lists the rows.
func plan(_ context.Context, cases []subject.Case, o *Options) (study.Plan[Row], error) {
	settings, err := o.Settings()
	if err != nil {
		return study.Plan[Row]{}, err
	}
	var rows []Row
	for i := range cases {
		if moves := cases[i].Annealing().Transitions(); moves.Kernel() == nil {
			return study.Plan[Row]{}, chains.ErrByStage(moves)
		}
		for _, rho := range o.Rho {
			if !(rho > 0 && rho < 1) {
				return study.Plan[Row]{},
					errs.New("{adaptive} %v; give a fraction of the particles between 0 and 1, as in "+
						"{adaptive} 0.9; a larger fraction makes shorter steps",
						rho)
			}
			for _, s := range settings {
				rows = append(rows, Row{Case: cases[i], Setting: s, Rho: rho})
			}
		}
	}
	return study.Each(rows, func(*Row) int { return 1 }, func(ctx context.Context, r *Row, h study.How) (Row, error) {
		defer h.Add(1)
		return *r, r.computeRow(ctx, o, h)
	}), nil
}

// computeRow computes the row.
func (r *Row) computeRow(ctx context.Context, o *Options, h study.How) (err error) {
	r.Adapted, err = smc.SolveAdapted(ctx, r.Annealing(), r.Setting, r.Rho)
	if err != nil {
		return r.Wrong(err)
	}
	if err := r.fix(ctx, h); err != nil {
		return r.Wrong(err)
	}
	if o.Chains == 0 {
		return nil
	}
	return r.Wrong(r.simulate(ctx, o, h))
}

// fix solves the schedule that is fixed in advance.
func (r *Row) fix(ctx context.Context, h study.How) error {
	a := r.Annealing()
	family, err := placement.Parse(fmt.Sprintf("cess:%v", r.Rho), placement.Forms())
	if err != nil {
		return err
	}
	on, err := family.On(ctx, a.Path(), a.Transitions())
	if err != nil {
		r.Note = err.Error()
		return nil
	}
	placed, err := on.Place(ctx, 0)
	if err != nil {
		return err
	}
	points := placed.Schedule.(*schedules.Points).Len()
	a, err = chains.NewAnnealingBy(a.Path(), placed.Schedule, a.Transitions(), points)
	if err != nil {
		return err
	}
	r.Fixed, err = smc.Solve(ctx, a, r.Setting, smc.Options{Workers: h.Workers})
	if err != nil {
		return err
	}
	r.FixedT = points
	if r.Fixed.Method != smc.MethodNone { // otherwise the cells are empty
		r.Note = strings.Join(r.Fixed.Notes, "; ")
	}
	return nil
}

// block is the number of runs that share a random stream.
const block = 64

// simulate runs the process, and sets the estimates. They do not depend on the workers.
func (r *Row) simulate(ctx context.Context, o *Options, h study.How) error {
	a, offset := r.Annealing().Centred()
	var values [3][]float64
	for i := range values {
		values[i] = make([]float64, o.Chains)
	}
	purpose := fmt.Sprintf("smc adaptive %v %s particles %d %v threshold %v",
		r.Rho, r.Key(), r.Particles, r.Scheme, r.Threshold)
	err := subject.Parallel(ctx, (o.Chains+block-1)/block, h.Workers, func(ctx context.Context, b int) error {
		p, err := particle.NewAdaptive(a.Path(), a.Kernel(), r.Particles, r.Scheme, r.Threshold, r.Rho)
		if err != nil {
			return err
		}
		c := chains.NewSampler(simulate.ChainStream(o.Seed, purpose, chains.Forward, b))
		for i := b * block; i < min(o.Chains, (b+1)*block) && ctx.Err() == nil; i++ {
			_, last, logZ := chains.Run(p, c)
			if !p.Ended(last) {
				return errs.New("a run takes more than %d stages; give a smaller {adaptive}", p.Steps())
			}
			values[0][i], values[1][i], values[2][i] = math.Expm1(logZ-(r.LogZRatio-offset)),
				logZ-(r.LogZRatio-offset), float64(last.Stages)
		}
		return ctx.Err()
	})
	r.Estimates = &Estimates{ais.Mean(values[0]), ais.Mean(values[1]), ais.Mean(values[2])}
	return err
}

// Notes returns the notes of the row.
func (r *Row) Notes() (notes []string) {
	notes = r.Adapted.Notes
	if r.Note != "" {
		notes = append(notes[:len(notes):len(notes)], r.Note)
	}
	return notes
}

// Study declares the study.
func Study() *study.Study[subject.Case, Options, Row] {
	return study.New(Options{Options: particles.Study().Standard}, plan, study.Declaration{
		Name:   "smc adaptive",
		Asks:   "How biased is Zhat if the particles themselves place the schedule?",
		Counts: "distributions",
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{{
				Name: "adaptive",
				To:   study.Numbers(&o.Rho),
			}}
		}),
		Behind: &study.Behind{
			Command: "smc", Flag: "adaptive", Select: selectCases,
			Take: func(o, command any) { o.(*Options).Options = *command.(*particles.Options) },
		},
		Idle:    study.IdleOf(func(_ []subject.Case, o *Options) bool { return o.Chains == 0 }, "seed"),
		Columns: fields(),
		View:    reports.Untyped(report),
		Unswept: "the particles place the schedule, so that it is not a parameter; sweep smc with the " +
			"schedule cess:RHO, which is fixed in advance",
	})
}

// fields lists the columns.
func fields() columns.List {
	fixed := func(name, title, meaning string, of func(*smc.Law) number.Bounded) columns.Field {
		return columns.Of("fixed_"+name, title,
			meaning+" with the exact schedule cess:RHO; empty if there is none",
			func(r *Row) number.Bounded {
				if r.Fixed == nil {
					return number.Exactly(math.NaN())
				}
				return of(r.Fixed)
			})
	}
	errorJ := func(r *Row) float64 { return r.ErrorJ }
	errorMean := func(r *Row) float64 { return r.ErrorMean }
	errorVariance := func(r *Row) float64 { return r.ErrorVariance }
	list := append(subject.CaseColumns((*Row).TheCase, "toy", "path", "initial", "kernel"),
		columns.Of("rho", "RHO", "the conditional effective sample size, divided by P, by which betas are placed",
			func(r *Row) float64 { return r.Rho }),
		columns.Of("particles", "P", "the number P of particles", func(r *Row) int { return r.Particles }),
		columns.Of("resample", "resample", "the resampling scheme; never for a threshold of 0",
			func(r *Row) string { return (&particles.Row{Setting: r.Setting}).Resample() }),
		columns.Of("threshold", "",
			"particles are resampled if their ESS is below this fraction of P; 1 is always",
			func(r *Row) float64 { return r.Threshold }),
		columns.Rounded("bias", "E Zhat/Z - 1", "the relative bias of Zhat; empty without an exact method",
			func(r *Row) float64 { return r.Bias }, errorVariance).Absolute().Answer(),
		columns.Rounded("log_bias", "E log Zhat - log Z (nats)",
			"the bias of log Zhat; -Inf if all weights may become zero",
			func(r *Row) float64 { return r.MeanLogZForward - r.LogZRatio }, errorMean).Absolute().Answer(),
		columns.Rounded("relative_variance", "rel. variance", "the variance of Zhat over the square of its mean",
			func(r *Row) float64 { return r.RelativeVariance }, errorVariance),
		columns.Rounded("J", "J (nats)",
			"the Jeffreys divergence of the chosen particle from the target",
			func(r *Row) float64 { return r.J }, errorJ).Answer(),
		columns.Rounded("kl_q_p", "(nats)", "KL(chosen particle || target)",
			func(r *Row) float64 { return r.KLQP }, errorJ),
		columns.Rounded("kl_p_q", "(nats)", "KL(target || chosen particle)",
			func(r *Row) float64 { return r.KLPQ }, errorJ),
		columns.Of("stages", "stages", "the mean number of stages", func(r *Row) float64 { return r.Stages }),
		columns.Of("extinct", "", "the probability that the weights of all particles become zero",
			func(r *Row) float64 { return r.Extinct }),
		columns.Of("method", "", "how the numbers are computed: enumeration, or none",
			func(r *Row) string { return string(r.Method) }),
		fixed("log_bias", "fixed: E log Zhat - log Z (nats)", "the bias of log Zhat",
			func(l *smc.Law) number.Bounded {
				return number.UpTo(l.MeanLogZForward-l.LogZRatio, l.ErrorMean)
			}).Absolute(),
		fixed("relative_variance", "fixed: rel. variance", "the variance of Zhat over Z^2",
			func(l *smc.Law) number.Bounded { return number.UpTo(l.RelativeVariance, l.ErrorVariance) }),
		fixed("J", "fixed: J (nats)", "the Jeffreys divergence",
			func(l *smc.Law) number.Bounded { return number.UpTo(l.J, l.ErrorJ) }),
		columns.Of("fixed_stages", "fixed: stages",
			"the number of stages of the exact schedule",
			func(r *Row) int { return r.FixedT - 1 }).Positive(),
	)
	list = append(list, columns.Lift(estimateFields(), func(r *Row) *Estimates { return r.Estimates })...)
	return append(list, columns.Note(func(r *Row) string { return strings.Join(r.Notes(), "; ") }))
}

// estimateFields lists the columns of simulated runs.
func estimateFields() (list columns.List) {
	for _, f := range []struct {
		name, short string
		of          func(*Estimates) ais.Estimate
	}{
		{"bias", "E Zhat/Z - 1", func(e *Estimates) ais.Estimate { return e.Bias }},
		{"log_bias", "", func(e *Estimates) ais.Estimate { return e.LogBias }},
		{"stages", "", func(e *Estimates) ais.Estimate { return e.Stages }},
	} {
		var value, spread string
		if f.short != "" {
			value = "estimate, " + f.short
			spread = "se"
		}
		list = append(list,
			columns.Of("estimate_"+f.name, value,
				"the estimate from simulated runs of "+f.name+"; empty if none were asked for",
				func(e *Estimates) float64 { return f.of(e).Value }),
			columns.Of("estimate_"+f.name+"_se", spread, "the standard error of estimate_"+f.name,
				func(e *Estimates) float64 { return f.of(e).StandardError }))
	}
	return list
}
