package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	exactly "breadboard/exact/smc"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/particles/smc"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// TwistSelection names targets on sequences, each a potential with a chain, and twists for each.
type TwistSelection struct {
	subject.Reader
	Toys, Bases, Twists []string
}

// Cases returns the cases of a selection. Cases whose potential cannot be read are omitted, with
// the error Failures.
func (s TwistSelection) Cases(ctx context.Context) (cases []subject.Case, err error) {
	if len(s.Toys) == 0 || len(s.Bases) == 0 || len(s.Twists) == 0 {
		return nil, errs.New(
			"name a potential, a base and a twist, as in {toy} random:2:0:3x3x3 {base-chain} markov:1:0 {twist} none",
		)
	}
	var failed subject.Failures
	err = subject.EachToy(ctx, s.Toys, s.ParseToy, &failed, func(_ string, toy *toys.Toy) error {
		for _, base := range s.Bases {
			for _, twist := range s.Twists {
				params := subject.Params{{Name: "base", Value: strings.TrimSpace(base)},
					{Name: "twist", Value: strings.TrimSpace(twist)}}
				cases = append(cases, subject.Case{Toy: toy, Params: params, Reader: s.Reader})
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return cases, failed.OrNil()
}

// TwistOptions are the particles, their proposals and resampling, and the size of the simulation.
type TwistOptions struct {
	smc.Options
	Proposals []string
}

// proposals lists how particles propose the next token.
func proposals() []string { return []string{"twist", "base"} }

// methodSimulation is the method of estimates.
const methodSimulation exactly.Method = "simulation"

// TwistRow holds the results of twisted SMC with a number of particles.
type TwistRow struct {
	subject.Case
	exactly.Setting
	*exactly.Law // means of log Zhat are estimates if the method is simulation
	Proposal     string
	Lower, Upper ais.Estimate // the bounds on log Z; without standard errors if they are exact
	Remarks      []string
	rounding     float64 // of a logarithm of a probability or a weight
}

// Resample returns the name of the resampling scheme, or "never".
func (r *TwistRow) Resample() string {
	return (&smc.Row{Setting: r.Setting}).Resample()
}

// boundedDivergence returns a divergence with its bound: the terms are squares of logarithms near
// zero, of probabilities among the runs that have an output.
func (r *TwistRow) boundedDivergence(v float64) number.Bounded {
	return number.Divergence(v, r.rounding/(1-r.Extinct))
}

// Note returns the caveats of a row.
func (r *TwistRow) Note() string { return strings.Join(append(r.Remarks, r.Notes...), "; ") }

func twistPlan(_ context.Context, cases []subject.Case,
	o *TwistOptions) (none study.Plan[TwistRow], err error) {
	settings, err := o.Settings()
	if err == nil && len(o.Proposals) == 0 {
		err = errs.New("{proposal} names no proposal; leave it out for its default")
	}
	if err != nil {
		return none, err
	}
	for _, p := range o.Proposals {
		if !slices.Contains(proposals(), p) {
			return none, selector.UnknownError("proposal", p, proposals())
		}
	}
	var jobs []study.Job[TwistRow]
	for i := range cases {
		c := &cases[i]
		if err := cmp.Or(known(ChainForms().Listing, c.Param("base")),
			known(TwistForms().Listing, c.Param("twist"))); err != nil {
			return none, err
		}
		for _, proposal := range o.Proposals {
			for _, s := range settings {
				r := TwistRow{Case: *c, Setting: s, Proposal: proposal}
				draws := 2 * o.Chains * s.Particles
				size := subject.Size{States: c.Toy.Space.States(), Fits: func(part float64) string {
					return fmt.Sprintf("{particles} %d", int(math.Sqrt(part)*float64(s.Particles)))
				}}
				size.Solution.Seconds = drawCost * float64(draws) * float64(s.Particles*c.Toy.Space.Directions())
				if err := about(c, c.Reader.CheckCost(size)); err != nil {
					return none, err
				}
				jobs = append(jobs, study.Job[TwistRow]{
					Steps: steps,
					Rows: func(ctx context.Context, h study.How) ([]TwistRow, error) {
						add, done := h.Share(steps, draws)
						defer done()
						h.Progress = add
						if err := r.fillRow(ctx, o, h); err != nil {
							return nil, about(c, err)
						}
						return []TwistRow{r}, nil
					},
				})
			}
		}
	}
	return study.Jobs(jobs), nil
}

// drawCost is measured: the seconds in which a simulated particle is resampled from the others, for
// each of these and direction of the space.
const drawCost = 0.18e-9

// leastShare is the probability of outputs that counts for nothing beside the rounding of the
// others.
const leastShare = 1e-20

// fillRow fills in the numbers of a row.
func (r *TwistRow) fillRow(ctx context.Context, o *TwistOptions, h study.How) error {
	m, err := sequencesOf(r.Param("base"), r.Toy)
	if err != nil {
		return err
	}
	psi, err := m.parseTwists(r.Param("twist"))
	if err != nil {
		return err
	}
	r.rounding = m.rounding(psi)
	if r.rounding > 1e-3 {
		return fmt.Errorf(
			"the logarithms of phi and of twist %s span too much: rounding leaves an error of %.1g nats in log Z",
			r.Param("twist"),
			r.rounding,
		)
	}
	f := particle.NewTwisted(&m.Tilted, psi, r.Proposal == "base")
	if share := math.Exp(f.LogUnderflow - m.logZ); share > leastShare {
		return errs.New("with twist %s proposals underflow on the way to outputs with probability %.3g under the "+
			"target; give logarithms within 700 of each other",
			r.Param("twist"), share)
	}
	r.Law, err = exactly.SolveFilter(ctx, f, r.Setting, h.Workers)
	if errors.Is(err, exactly.ErrImpossible) {
		return fmt.Errorf("twist %s is zero on the way to each sequence of the target, so that no run has an output",
			r.Param("twist"))
	} else if err != nil {
		return err
	}
	if r.Method == exactly.MethodNone && o.Chains > 0 {
		if err := r.simulate(ctx, f, o, h); err != nil {
			return err
		}
	}
	r.addRemoved(m, f.LogLost)
	return r.contradiction()
}

// simulate estimates both bounds.
func (r *TwistRow) simulate(ctx context.Context, f *particle.Twisted, o *TwistOptions, h study.How) error {
	systems := smc.Systems{Setting: r.Setting, Seed: o.Seed, Chains: o.Chains, Stages: 1}
	systems.Purpose = fmt.Sprintf("twist %s proposal %s particles %d %v threshold %v", r.Key(), r.Proposal,
		r.Particles, r.Scheme, r.Threshold)
	systems.Flow = func() (particle.Flow, error) { return f, nil }
	logZ, err := systems.Run(ctx, h)
	if err != nil {
		return err
	}
	r.Method = methodSimulation
	r.Notes = nil
	if f.Dies {
		r.Remarks = append(r.Remarks,
			fmt.Sprintf("with P = %d all weights may become zero: the lower bound is -Inf, and the table has the "+
				"mean of the simulated runs",
				r.Particles))
	}
	r.Lower, r.Upper = ais.Mean(logZ[chains.Forward]), ais.Mean(logZ[chains.Reverse])
	return nil
}

// addRemoved adds what has been taken out of log phi, and what no run reaches.
func (r *TwistRow) addRemoved(m *sequences, logLost float64) {
	if r.Method == methodSimulation {
		r.MeanLogZForward = r.Lower.Value
		r.MeanLogZConditional = r.Upper.Value
	}
	r.Lose(logLost)
	if r.Extinct > 0 {
		r.Remarks = append(r.Remarks,
			fmt.Sprintf("with P = %d all weights become zero with probability %.3g: the lower bound is -Inf, and "+
				"J is that of the other runs",
				r.Particles, r.Extinct))
	}
	r.Remarks = append(r.Remarks, scaledRows(m.scaled)...)
	r.LogZRatio += m.offset
	r.MeanLogZForward += m.offset
	r.MeanLogZConditional += m.offset
	r.B = r.MeanLogZConditional - r.MeanLogZForward
	r.Lower.Value, r.Upper.Value = r.MeanLogZForward, r.MeanLogZConditional
	if r.Method != methodSimulation {
		r.Lower.StandardError, r.Upper.StandardError = math.NaN(), math.NaN()
	}
}

// contradiction is an error if exact bounds are not on both sides of log Z, or B does not bound J.
func (r *TwistRow) contradiction() error {
	if r.Method == methodSimulation || math.IsNaN(r.B) || math.IsInf(r.B, 0) {
		return nil
	}
	room := 1e-10 * (1 + math.Abs(r.LogZRatio))
	if r.Lower.Value > r.LogZRatio+room || r.Upper.Value < r.LogZRatio-room || r.J > r.B+room {
		return chains.NewFault(fmt.Errorf("log Z is %v, its bounds are %v and %v, and J is %v", r.LogZRatio,
			r.Lower.Value, r.Upper.Value, r.J))
	}
	return nil
}
