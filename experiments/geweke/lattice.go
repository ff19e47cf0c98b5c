package geweke

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/exact/kernel"
	"breadboard/experiments"
	"breadboard/experiments/external"
	"breadboard/experiments/study/check"
	"breadboard/toys"
	"breadboard/toys/models"
)

// setting is a model with its simulator and a kernel. The fields below toy are the places of bugs.
type setting struct {
	toy        *toys.Toy
	model      models.Generative
	kernelName string
	kernel     chains.Kernel
	// posterior returns log f of p(z|y), for the kernel.
	posterior func(m models.Generative) []float64
	// redraw draws the data anew, given z.
	redraw func(m models.Generative, z int, normals models.Normals) [][]float64
	// move makes one transition of the latent variables under the log f of posterior.
	move func(c chains.Chooser, logf []float64, z int) int

	bug      string    // its name, and a space; empty where there is none
	prior    []float64 // the probability of each state
	logPrior []float64
	latents  []count[draw]
}

// parseSetting returns the setting of a toy and a kernel.
func parseSetting(ctx context.Context, selector, kernelName string, programs *external.Programs) (*setting, error) {
	toy, err := experiments.ParseToy(ctx, selector)
	if err != nil {
		return nil, err
	}
	m, is := toy.Model.(models.Generative)
	if !is {
		return nil, fmt.Errorf("toy %s is no model whose data can be drawn anew; give a clustering or binary attributes, as clu6 or bin4, or a Bayesian network in which no child of an observed variable is free, and none summed out", toy.Name)
	}
	if n := m.Space().States(); n > MaxStates {
		return nil, fmt.Errorf("toy %s has %d states; the joint density of all of them is computed in every round, for at most %d: give fewer data or clusters", toy.Name, n, MaxStates)
	}
	moves, err := experiments.ParseKernel(ctx, kernelName, toy.Space, programs)
	if err != nil {
		return nil, err
	}
	k := moves.Kernel()
	if k == nil {
		return nil, fmt.Errorf("kernel %s has another matrix for each stage of an annealing, and the data here change; name one kernel", kernelName)
	}
	if _, fixed := k.(*external.Matrix); fixed {
		return nil, fmt.Errorf("kernel %s is for one distribution, and the data here change; name a kernel for any distribution", kernelName)
	}
	if p, is := k.(*external.Program); is && p.Samples() {
		return nil, fmt.Errorf("kernel %s makes its own choices, and is tested by kernel check alone; name a kernel whose choices are asked for", kernelName)
	}
	return newSetting(toy, m, kernelName, k), nil
}

// newSetting returns the setting of a model without a bug.
func newSetting(toy *toys.Toy, m models.Generative, kernelName string, k chains.Kernel) *setting {
	s := &setting{toy: toy, model: m, kernelName: kernelName, kernel: k, logPrior: m.LogPrior()}
	s.prior = normalized(s.logPrior)
	s.latents = latents(toy, m, s.prior)
	s.posterior = s.joint
	s.redraw = models.Generative.Simulate
	s.move = k.Move
	return s
}

// key is what the random numbers of the model and the kernel depend on. A model in a file counts by its numbers, and not by its name.
func (s *setting) key() string {
	return (&experiments.Case{Toy: s.toy, Params: experiments.Setting{Kernel: s.kernelName}.Params()}).Key()
}

// joint returns log p(z, y) of each state, for the data of a model.
func (s *setting) joint(m models.Generative) []float64 {
	logf := m.LogLikelihood(1)
	for x, p := range s.logPrior {
		logf[x] += p
	}
	return logf
}

// logJoint returns log p(z, y) of a draw, under the model as it should be.
func (s *setting) logJoint(d *draw) float64 {
	return s.logPrior[d.z] + s.model.With(d.y).LogLikelihoodAt(d.z)
}

// draw is a draw from the joint distribution of a model on a lattice.
type draw struct {
	z int
	y [][]float64
}

// fork implements subject. Nothing in a setting changes while it is tested.
func (s *setting) fork() subject[draw] { return s }

// forward implements subject: z is from the prior, and y from the model given z.
func (s *setting) forward(c chains.RealChooser) draw {
	z := c.Choose(s.prior)
	return draw{z: z, y: s.model.Simulate(z, normals{c})}
}

// round implements subject: z moves by the kernel, and y is drawn anew.
func (s *setting) round(c chains.RealChooser, d draw) draw {
	z := s.move(c, s.posterior(s.model.With(d.y)), d.z)
	return draw{z: z, y: s.redraw(s.model, z, normals{c})}
}

// normals are the normal numbers of a chooser.
type normals struct{ chains.RealChooser }

// NormFloat64 implements models.Normals.
func (n normals) NormFloat64() float64 { return n.Normal() }

// examination returns the test of the setting.
func (s *setting) examination(rounds int) *examination[draw] {
	return &examination[draw]{
		subject: s, purpose: fmt.Sprintf("geweke %s%s %d rounds", s.bug, s.key(), rounds), rounds: rounds,
		statistics: s.statistics(), counts: s.latents, units: "chains",
	}
}

// statistics are the statistics of the data, and the joint density.
func (s *setting) statistics() []statistic[draw] {
	return append(dataStatistics(func(d *draw) [][]float64 { return d.y }), statistic[draw]{jointName, "log p(z, y)", s.logJoint})
}

// tests implements tested.
func (s *setting) tests() int { return s.examination(0).tests() }

// chains implements tested.
func (s *setting) chains(draws int) int { return draws }

// test implements tested.
func (s *setting) test(ctx context.Context, o *runOptions, threshold float64) (*Row, error) {
	r, err := s.examine(ctx, o, threshold)
	if err == nil {
		err = s.invariance(ctx, o, r)
	}
	if err != nil {
		return nil, fmt.Errorf("toy %s: %w", s.toy.Name, err)
	}
	return r, nil
}

// examine implements tested.
func (s *setting) examine(ctx context.Context, o *runOptions, threshold float64) (*Row, error) {
	r := &Row{Name: s.toy.Name, Kernel: s.kernelName}
	if err := examine(ctx, o, threshold, r, s.examination(o.Rounds).begin()); err != nil {
		return nil, err
	}
	r.Plots = slices.DeleteFunc(r.Plots, func(p Shares) bool { return p.Statistic == stateCount }) // states have no order
	return r, nil
}

const (
	invarianceData      = 3     // for how many data the kernel is checked exactly
	invarianceTolerance = 1e-12 // what a probability may be off by, as in kernelcheck
	invarianceStates    = 2048  // the largest number of states of which rows are formed
)

// invariance adds the finding that the kernel leaves p(z|y) invariant for data that are drawn, exactly.
func (s *setting) invariance(ctx context.Context, o *runOptions, r *Row) error {
	if len(s.prior) > invarianceStates {
		return nil
	}
	c := chains.NewSampler(simulate.NewStream(o.Seed, "geweke invariance "+s.key(), 0))
	worst, at := 0.0, 0
	for range invarianceData {
		logf := s.posterior(s.model.With(s.forward(c).y))
		rows, err := kernel.NewRows(ctx, s.kernel, logf)
		if err != nil {
			if ctx.Err() == nil && errors.As(err, new(chains.Fault)) {
				r.add(check.Held("invariance", math.Inf(1), invarianceTolerance, err.Error()), r.Chains)
				return nil
			}
			return err
		}
		p := normalized(logf)
		after := make([]float64, len(p))
		for x := range p {
			for _, e := range rows.Row(x) {
				after[e.To] += p[x] * e.P
			}
		}
		for x := range p {
			if off := math.Abs(after[x] - p[x]); off > worst {
				worst, at = off, x
			}
		}
	}
	f := check.Held("invariance", worst, invarianceTolerance, "most at state "+s.toy.State(at))
	if f.Verdict == check.Pass {
		f.Where = fmt.Sprintf("%d data sets", invarianceData)
	}
	r.add(f, r.Chains)
	return nil
}
