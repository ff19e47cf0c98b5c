package geweke

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"breadboard/chains"
	"breadboard/chains/abandon"
	"breadboard/chains/simulate"
	"breadboard/exact/kernel"
	"breadboard/experiments"
	"breadboard/experiments/crosscheck"
	"breadboard/experiments/eprocess"
	"breadboard/experiments/external"
	"breadboard/toys"
	"breadboard/toys/models"
)

// Options say which models are tested, and how.
type Options struct {
	Toys     []string // selectors of models of data
	Kernel   string   // the selector of the kernel of z given y
	Rounds   int      // how often a chain moves z and draws y anew
	Draws    int      // the largest number of chains
	Seed     uint64
	Alpha    float64 // the probability of a false alarm among all tests of a run
	Workers  int
	Programs *external.Programs // nil refuses kernels in other programs
	Progress func(chains int)   // called from several goroutines at once; may be nil
}

// These are the defaults of the options.
const (
	DefaultToy    = "clu6"
	DefaultKernel = "heatbath-scan"
	DefaultRounds = 10
	DefaultDraws  = 2048
)

// These are the bounds on the options.
const (
	// MaxStates is the largest number of states of the latent variables: the joint density of all is computed for every round.
	MaxStates = 1 << 13
	MaxRounds = 10_000
	MaxDraws  = 1_000_000
	firstLook = 256 // the number of chains after which a test looks at them for the first time
)

// Verdict is what a finding says.
type Verdict string

// These are the verdicts.
const (
	Pass  Verdict = "pass"
	Fault Verdict = "fault" // the model, its simulator and the kernel do not belong together
)

// Finding is what a test says.
type Finding struct {
	Name      string
	Value     float64 // an e-value, or how far a probability is off
	Tolerance float64 // what an e-value must stay below, or the distance must not exceed
	Verdict   Verdict
	Where     string
}

// Row is the test of one model.
type Row struct {
	Toy      *toys.Toy
	Kernel   string
	Chains   int // how many chains were made
	Findings []Finding
	Plots    []Shares // of the statistics, and of the latent numbers but the state
}

// Shares are the points of a P-P plot of one statistic, from (0, 0) to (1, 1).
type Shares struct {
	Statistic, Doc string  // its name, and what it is
	Points         []Point // in ascending order
	Draws          int     // how many forward draws there are; 0 where their law is known exactly
	Chains         int
}

// Point says which share of the forward draws, and which of the ends of the chains, are at most some value.
type Point struct{ Forward, Chains float64 }

// Wrong reports whether a finding is a fault.
func (r *Row) Wrong() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Verdict == Fault })
}

// Validate returns an error that says what is wrong with the options, and nil where they are valid.
func (o *Options) Validate() error {
	switch {
	case len(o.Toys) == 0:
		return chains.NewAdvice("no toy is named; give a model of data, as in {toy} clu6")
	case o.Rounds < 1 || o.Rounds > MaxRounds:
		return chains.NewAdvice("{rounds} %d; give a whole number from 1 to %d", o.Rounds, MaxRounds)
	case o.Draws < firstLook || o.Draws > MaxDraws:
		return chains.NewAdvice("{draws} %d; a test looks at its chains for the first time after %d: give a whole number from there to %d", o.Draws, firstLook, MaxDraws)
	case !(o.Alpha >= crosscheck.MinAlpha && o.Alpha < 1):
		return fmt.Errorf("alpha %v; the probability of a false alarm is from %v to below 1", o.Alpha, crosscheck.MinAlpha)
	case o.Workers < 0:
		return chains.NewAdvice("{workers} %d; give a number, or 0 for one on each core", o.Workers)
	}
	return nil
}

// Run tests every model.
func Run(ctx context.Context, o Options) ([]Row, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	var settings []*setting
	for _, selector := range o.Toys {
		s, err := parseSetting(ctx, selector, o.Kernel, o.Programs)
		if err != nil {
			return nil, err
		}
		settings = append(settings, s)
	}
	threshold := math.Log(float64(len(settings)*testsEach()) / o.Alpha)
	rows := make([]Row, len(settings))
	for i, s := range settings {
		r, err := s.examine(ctx, &o, threshold)
		if err == nil {
			err = s.invariance(ctx, &o, r)
		}
		if err != nil {
			return nil, fmt.Errorf("toy %s: %w", s.toy.Name, err)
		}
		rows[i] = *r
	}
	return rows, nil
}

// testsEach returns how many e-processes look at a model: one for each statistic, and one for each of the three latent numbers.
func testsEach() int { return len(statistics()) + 3 }

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
	latents  []latent
}

// parseSetting returns the setting of a toy and a kernel.
func parseSetting(ctx context.Context, selector, kernelName string, programs *external.Programs) (*setting, error) {
	toy, err := experiments.ParseToy(ctx, selector)
	if err != nil {
		return nil, err
	}
	m, is := toy.Model.(models.Generative)
	if !is {
		return nil, fmt.Errorf("toy %s is no model whose data can be drawn anew; give a clustering or binary attributes, as clu6 or bin4", toy.Name)
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

// logJoint returns log p(z, y) of a draw.
func (s *setting) logJoint(d *draw) float64 {
	return s.logPrior[d.z] + s.model.With(d.y).LogLikelihoodAt(d.z)
}

// ranks is the number of forward draws among which a chain's end is ranked.
const ranks = 15

// blockChains is how many chains have a stream of random numbers in common. It must not depend on the number of workers.
const blockChains = 32

// outcome is what one chain and its forward draws give.
type outcome struct {
	state          int
	rank           []int     // by statistic: how many of the forward draws are below the chain's end
	forward, chain []float64 // by statistic: of the first forward draw, and of the chain's end
}

// cells are how often something has come out in each of some ways, with the probability that each should have.
type cells struct {
	name   string
	counts []int
	law    []float64
	called func(cell int) string
}

// cells returns the counts of the ranks by each statistic, and those of each latent number.
func (s *setting) cells() []cells {
	var out []cells
	uniform := slices.Repeat([]float64{1. / (ranks + 1)}, ranks+1)
	for _, of := range statistics() {
		out = append(out, cells{of.name, make([]int, ranks+1), uniform, func(cell int) string {
			return fmt.Sprintf("above %d of %d forward draws", cell, ranks)
		}})
	}
	for _, of := range s.latents {
		out = append(out, cells{of.name, make([]int, len(of.law)), of.law, func(cell int) string { return of.names[cell] }})
	}
	return out
}

// examine tests the setting by e-processes. It looks at the chains whenever there are twice as many as before.
func (s *setting) examine(ctx context.Context, o *Options, threshold float64) (*Row, error) {
	var all []outcome
	tests := s.cells()
	logE := make([]float64, len(tests))
	for total := firstLook; len(all) < o.Draws && slices.Max(logE) < threshold; total = min(2*total, o.Draws) {
		more, err := s.chains(ctx, o, len(all), total)
		if err != nil {
			return nil, err
		}
		for i := range more {
			for k, rank := range more[i].rank {
				tests[k].counts[rank]++
			}
			for k, of := range s.latents {
				tests[len(more[i].rank)+k].counts[of.value[more[i].state]]++
			}
		}
		all = append(all, more...)
		for k, t := range tests {
			logE[k] = eprocess.CountsLogE(t.counts, t.law)
		}
	}
	r := &Row{Toy: s.toy, Kernel: s.kernelName, Chains: len(all)}
	for k, t := range tests {
		f := Finding{Name: t.name, Value: math.Exp(logE[k]), Tolerance: math.Exp(threshold), Verdict: Pass, Where: fmt.Sprintf("%d chains", r.Chains)}
		if logE[k] >= threshold {
			f.Verdict, f.Where = Fault, eprocess.WorstCell(t.counts, t.law, t.called)
		}
		r.Findings = append(r.Findings, f)
	}
	for k, of := range statistics() {
		forward, ends := make([]float64, len(all)), make([]float64, len(all))
		for i := range all {
			forward[i], ends[i] = all[i].forward[k], all[i].chain[k]
		}
		r.Plots = append(r.Plots, Shares{of.name, of.doc, shares(forward, ends), len(all), len(all)})
	}
	for k, of := range s.latents[1:] {
		counts := tests[len(statistics())+1+k].counts
		r.Plots = append(r.Plots, Shares{of.name, of.doc, exactShares(of.law, counts), 0, len(all)})
	}
	return r, nil
}

// chains makes the chains with the numbers from..until-1.
func (s *setting) chains(ctx context.Context, o *Options, from, until int) ([]outcome, error) {
	out := make([]outcome, until-from)
	blocks := (until - from + blockChains - 1) / blockChains
	purpose := fmt.Sprintf("geweke %s%s %d rounds", s.bug, s.key(), o.Rounds)
	err := experiments.Parallel(ctx, blocks, o.Workers, func(ctx context.Context, i int) error {
		part := make([]outcome, min(blockChains, until-from-i*blockChains))
		rng := rand.New(simulate.NewStream(o.Seed, purpose, from+i*blockChains))
		var failed error
		ended := abandon.Unless(ctx, func() {
			defer func() {
				if panicked := recover(); panicked != nil {
					failed = chains.MovePanic(panicked)
				}
			}()
			for j := range part {
				if ctx.Err() != nil {
					return
				}
				part[j] = s.chain(ctx, rng, o.Rounds)
			}
		})
		if ended != nil {
			return ended
		}
		copy(out[i*blockChains:], part)
		if o.Progress != nil && failed == nil {
			o.Progress(len(part))
		}
		return failed
	})
	return out, err
}

// chain makes one chain, and the forward draws among which its end is ranked.
func (s *setting) chain(ctx context.Context, rng *rand.Rand, rounds int) outcome {
	c := chains.NewSampler(rng)
	d := s.forward(c, rng)
	for range rounds {
		if ctx.Err() != nil {
			break
		}
		m := s.model.With(d.y)
		d.z = s.move(c, s.posterior(m), d.z)
		d.y = s.redraw(s.model, d.z, rng)
	}
	d.logJoint = s.logJoint(&d)
	list := statistics()
	out := outcome{state: d.z, rank: make([]int, len(list)), forward: make([]float64, len(list)), chain: make([]float64, len(list))}
	ties := make([]int, len(list))
	for k, of := range list {
		out.chain[k] = of.of(&d)
	}
	for i := range ranks {
		f := s.forward(c, rng)
		f.logJoint = s.logJoint(&f)
		for k, of := range list {
			v := of.of(&f)
			if i == 0 {
				out.forward[k] = v
			}
			switch {
			case v < out.chain[k]:
				out.rank[k]++
			case v == out.chain[k]:
				ties[k]++
			}
		}
	}
	for k, n := range ties {
		out.rank[k] += rng.IntN(n + 1) // its place among those that are equal to it
	}
	return out
}

// forward draws from the joint distribution: z from the prior, and y given z.
func (s *setting) forward(c chains.Chooser, rng *rand.Rand) draw {
	z := c.Choose(s.prior)
	return draw{z: z, y: s.model.Simulate(z, rng)}
}

const (
	invarianceData      = 3     // for how many data the kernel is checked exactly
	invarianceTolerance = 1e-12 // what a probability may be off by, as in kernelcheck
	invarianceStates    = 2048  // the largest number of states of which rows are formed
)

// invariance adds the finding that the kernel leaves p(z|y) invariant for data that are drawn, exactly.
func (s *setting) invariance(ctx context.Context, o *Options, r *Row) error {
	if len(s.prior) > invarianceStates {
		return nil
	}
	rng := rand.New(simulate.NewStream(o.Seed, "geweke invariance "+s.key(), 0))
	c := chains.NewSampler(rng)
	worst, at := 0.0, 0
	for range invarianceData {
		logf := s.posterior(s.model.With(s.forward(c, rng).y))
		rows, err := kernel.NewRows(ctx, s.kernel, logf)
		if err != nil {
			if ctx.Err() == nil && errors.As(err, new(chains.Fault)) {
				r.Findings = append(r.Findings, Finding{"invariance", math.Inf(1), invarianceTolerance, Fault, err.Error()})
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
	f := Finding{"invariance", worst, invarianceTolerance, Pass, fmt.Sprintf("%d data sets", invarianceData)}
	if !(worst <= invarianceTolerance) {
		f.Verdict, f.Where = Fault, "most at state "+s.toy.State(at)
	}
	r.Findings = append(r.Findings, f)
	return nil
}
