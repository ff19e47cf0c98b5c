// Package geweke answers: do a model, its simulator and a kernel on its latent variables belong
// together? It is the joint distribution test of Geweke (2004), which Grosse, Ghahramani and Adams
// (2015, Appendix B) recommend for every sampler of a posterior. It never prints, draws or reads
// flags.
//
// There are two ways to draw latent variables z and data y from their joint distribution. Forward,
// z is from the prior and y from the model given z. The other begins with such a draw and
// alternates: z moves by the kernel under p(z|y), and y is drawn anew given z. If all is right,
// both have exactly the same distribution after any number of rounds. As the data are drawn anew
// from what a faulty kernel has made of z, a small bias grows from round to round.
//
// Each chain gives one value of each statistic, at its end, which is ranked among some forward
// draws of its own. If all is right, the rank is uniform, ties broken at random, and the state of z
// is a draw from the prior. Both are tested by e-processes.
//
//	$ breadboard geweke --toy clu4 --most 512 -v
//	pass: clu4 with heatbath-scan: 9 pass, 0 fault, in 512 chains
//	 toy  │ kernel        │ chains │ finding            │    value │ tolerance │ verdict │ where
//	──────┼───────────────┼────────┼────────────────────┼──────────┼───────────┼─────────┼─────────────
//	 clu4 │ heatbath-scan │    512 │ mean_y             │    0.642 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ mean_y2            │    0.733 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ mean_y4            │    0.674 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ product_of_rows    │    0.695 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ log_joint          │    0.816 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ state              │    0.641 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ clusters_used      │    0.841 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ pairs_in_a_cluster │    0.816 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ invariance         │ 1.39e-17 │     1e-12 │ pass    │ 3 data sets
//
// Models of any size (package latent) have too many states to list, and only their own scan. The
// test is the same, with statistics of the latent variables and the hyperparameters. A second test
// is of the time reversal of the scan: with z and z' from the joint distribution, (z, Move(z)) and
// (Back(z'), z') have the same distribution if and only if Back is the time reversal of Move. A
// Back that makes the parts of Move in their order leaves p(z|y) invariant, so that only this test
// finds it. Its statistic for a pair (start, end) is the log density of the state with the early
// variables of the end and the late ones of the start, minus that of the reverse mixture: a scan
// goes through the former state, and its reversal through the latter.
//
// A check of the kernel alone (package checks/kernel) shows exactly whether it leaves p(z|y)
// invariant. It does not show whether p(z|y) is the posterior of the model that the data come from:
// a wrong variance in the likelihood passes there, and fails here. The finding "invariance" is that
// check, for some drawn data.
package geweke

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
)

// drawer is what is tested: two ways to draw from one distribution, which agree where all is
// right. Draws are of type D.
type drawer[D any] interface {
	// fork returns an equal subject that another goroutine may use.
	fork() drawer[D]
	// forward draws from the distribution.
	forward(c chains.RealChooser) D
	// round makes a draw from the distribution of a draw from the distribution. It may write to the
	// one that it is given.
	round(c chains.RealChooser, d D) D
}

// statistic is a number that a draw has. It must not be NaN.
type statistic[D any] struct {
	name, doc string
	of        func(d *D) float64
}

// count is a whole number that a draw has, and whose distribution is known exactly.
type count[D any] struct {
	name, doc string
	of        func(d *D) int // its place in the distribution
	names     []string       // what is at each place
	law       []float64
}

// examination is the test of a subject.
type examination[D any] struct {
	subject    drawer[D]
	purpose    string // what the random numbers depend on, apart from the seed
	rounds     int    // how many rounds a chain makes
	statistics []statistic[D]
	counts     []count[D]
	units      string // what the ends of chains are called: chains, or pairs
}

// ranks is the number of forward draws among which a chain's end is ranked.
const ranks = 15

// blockChains is how many chains have a stream of random numbers in common. It must not depend on
// the number of workers.
const blockChains = 32

// untyped is an examination without the type of its draws: what is done with their numbers is
// compiled once, and not for every model.
type untyped struct {
	purpose, units string
	statistics     []statistic[struct{}] // what they are called
	counts         []count[struct{}]
	fork           func() walker
}

// walker makes chains of an examination in one goroutine.
type walker interface {
	// chain returns the statistics of the end of a chain, and its places in the distributions of
	// the counts.
	chain(ctx context.Context, c chains.RealChooser) (values []float64, places []int)
	// draw returns the statistics of a forward draw.
	draw(c chains.RealChooser) []float64
}

// untyped returns the examination without the type of its draws.
func (e *examination[D]) untyped() *untyped {
	out := &untyped{purpose: e.purpose, units: e.units, fork: func() walker {
		own := *e
		own.subject = e.subject.fork()
		return &own
	}}
	for _, of := range e.statistics {
		out.statistics = append(out.statistics, statistic[struct{}]{name: of.name, doc: of.doc})
	}
	for _, of := range e.counts {
		out.counts = append(out.counts, count[struct{}]{name: of.name, doc: of.doc, names: of.names, law: of.law})
	}
	return out
}

// outcome is what one chain and its forward draws give.
type outcome struct {
	rank           []int     // by statistic: how many of the forward draws are below the chain's end
	forward, chain []float64 // by statistic: of the first forward draw, and of the chain's end
	places         []int     // by count: its place in the distribution
}

// cells are how often something has come out in each of some ways, with the probability that each
// should have.
type cells struct {
	name   string
	counts []int
	law    []float64
	called func(cell int) string
}

// cells returns the counts of the ranks by each statistic, and those of each number whose
// distribution is known, with nothing counted yet.
func (e *untyped) cells() []cells {
	var out []cells
	uniform := slices.Repeat([]float64{1. / (ranks + 1)}, ranks+1)
	for _, of := range e.statistics {
		out = append(out, cells{of.name, make([]int, ranks+1), uniform, func(cell int) string {
			return fmt.Sprintf("above %d of %d forward draws", cell, ranks)
		}})
	}
	for _, of := range e.counts {
		out = append(out, cells{of.name, make([]int, len(of.law)), of.law, func(cell int) string { return of.names[cell] }})
	}
	return out
}

func (e *examination[D]) tests() int { return len(e.statistics) + len(e.counts) }

// looks are the chains of an examination that have been looked at.
type looks struct {
	*untyped
	all    []outcome
	counts []cells
	tests  []*verdicts.Watch
}

// begin returns the looks before the first one.
func (e *examination[D]) begin() *looks {
	u := e.untyped()
	return &looks{untyped: u, counts: u.cells()}
}

// watches returns the e-processes of the examination, which are held against a threshold, a
// logarithm.
func (l *looks) watches(threshold float64) []*verdicts.Watch {
	for _, t := range l.counts {
		l.tests = append(l.tests, &verdicts.Watch{Name: t.name, LogThreshold: threshold, Value: func() (float64, func() string) {
			return verdicts.CountsLogE(t.counts, t.law), func() string { return verdicts.WorstCell(t.counts, t.law, t.called) }
		}})
	}
	return l.tests
}

// until makes chains until there are that many, and counts them.
func (l *looks) until(ctx context.Context, o *runOptions, total int) error {
	more, err := l.chains(ctx, o, len(l.all), total)
	if err != nil {
		return err
	}
	for i := range more {
		for k, cell := range slices.Concat(more[i].rank, more[i].places) {
			l.counts[k].counts[cell]++
		}
	}
	l.all = append(l.all, more...)
	return nil
}

func (l *looks) report(r *Row) {
	for _, t := range l.tests {
		r.add(check.EValue(t.Name, t.LogE, t.LogThreshold, fmt.Sprintf("%d %s", len(l.all), l.units), t.Where), len(l.all))
	}
	r.Chains = max(r.Chains, len(l.all))
	r.Plots = append(r.Plots, l.plots(l.all, l.counts)...)
}

// examine runs examinations and adds what they find to a row. Their e-processes are held against a
// threshold, which is a logarithm.
func examine(ctx context.Context, o *runOptions, threshold float64, r *Row, list ...*looks) error {
	s := verdicts.Sequential{First: firstLook, Most: o.Draws, Grow: func(ctx context.Context, total int) error {
		for _, l := range list {
			if err := l.until(ctx, o, total); err != nil {
				return err
			}
		}
		return nil
	}}
	for _, l := range list {
		s.Tests = append(s.Tests, l.watches(threshold)...)
	}
	if err := s.Run(ctx); err != nil {
		return err
	}
	for _, l := range list {
		l.report(r)
	}
	return nil
}

// plots returns the points of a P-P plot of each statistic, and of each number whose distribution
// is known.
func (e *untyped) plots(all []outcome, tests []cells) []Shares {
	var out []Shares
	for k, of := range e.statistics {
		forward, ends := make([]float64, len(all)), make([]float64, len(all))
		for i := range all {
			forward[i], ends[i] = all[i].forward[k], all[i].chain[k]
		}
		out = append(out, Shares{of.name, of.doc, shares(forward, ends), len(all), len(all)})
	}
	for k, of := range e.counts {
		out = append(out, Shares{of.name, of.doc, exactShares(of.law, tests[len(e.statistics)+k].counts), 0, len(all)})
	}
	return out
}

// chains makes the chains with the numbers from..until-1.
func (e *untyped) chains(ctx context.Context, o *runOptions, from, until int) ([]outcome, error) {
	out := make([]outcome, until-from)
	blocks := (until - from + blockChains - 1) / blockChains
	err := subject.Parallel(ctx, blocks, o.Workers, func(ctx context.Context, i int) error {
		part := make([]outcome, min(blockChains, until-from-i*blockChains))
		own := e.fork()
		c := chains.NewSampler(simulate.NewStream(o.Seed, e.purpose, from+i*blockChains))
		var failed error
		ended := chains.Unless(ctx, func() {
			defer func() {
				if panicked := recover(); panicked != nil {
					failed = chains.MovePanic(panicked)
				}
			}()
			for j := range part {
				if failed != nil || ctx.Err() != nil {
					return
				}
				part[j], failed = e.ranked(ctx, own, c)
			}
		})
		if ended != nil {
			return ended
		}
		copy(out[i*blockChains:], part)
		if failed == nil {
			o.Add(len(part))
		}
		return failed
	})
	return out, err
}

// chain makes one chain.
func (e *examination[D]) chain(ctx context.Context, c chains.RealChooser) (values []float64, places []int) {
	d := e.subject.forward(c)
	for range e.rounds {
		if ctx.Err() != nil {
			break
		}
		d = e.subject.round(c, d)
	}
	places = make([]int, len(e.counts))
	for k, of := range e.counts {
		places[k] = of.of(&d)
	}
	return e.values(&d), places
}

// draw makes a forward draw.
func (e *examination[D]) draw(c chains.RealChooser) []float64 {
	d := e.subject.forward(c)
	return e.values(&d)
}

func (e *examination[D]) values(d *D) []float64 {
	values := make([]float64, len(e.statistics))
	for k, of := range e.statistics {
		values[k] = of.of(d)
	}
	return values
}

// ranked makes one chain, and the forward draws among which its end is ranked. A statistic that is
// NaN has no rank, and is an error.
func (e *untyped) ranked(ctx context.Context, own walker, c chains.RealChooser) (outcome, error) {
	list := e.statistics
	out := outcome{rank: make([]int, len(list))}
	out.chain, out.places = own.chain(ctx, c)
	for k, of := range list {
		if math.IsNaN(out.chain[k]) {
			return out, fmt.Errorf("the statistic %s of the end of a chain is NaN; the sampler or the model computes with infinite numbers", of.name)
		}
	}
	ties := make([]int, len(list))
	for i := range ranks {
		values := own.draw(c)
		if i == 0 {
			out.forward = values
		}
		for k, v := range values {
			switch {
			case v < out.chain[k]:
				out.rank[k]++
			case v == out.chain[k]:
				ties[k]++
			case math.IsNaN(v):
				return out, fmt.Errorf("the statistic %s of a forward draw is NaN; the simulator computes with infinite numbers", list[k].name)
			}
		}
	}
	for k, n := range ties {
		out.rank[k] += c.Uniform(n + 1) // its place among those that are equal to it
	}
	return out, nil
}

// Study declares the study.
func Study() *study.Study[Model, Options, Row] {
	return study.New(Options{Rounds: 10, Draws: 2048, Seed: 1, Alpha: check.DefaultAlpha}, plan, study.Declaration{
		Name: "geweke",
		Asks: "Do a model, its simulator and a kernel agree?",
		Help: `geweke tests whether a model, its simulator and a kernel agree with one another (the
joint distribution test of Geweke 2004). There are two ways to draw latent
variables z and data y. Forward, z is drawn from the prior and y from the model
given z. A chain starts with such a draw and alternates --rounds times: z moves by
the kernel under p(z|y), and y is drawn anew given z. If everything is correct,
both have exactly the same distribution. On toys --kernel moves the states z.
Models of any size (--model) are moved by the scan that their estimators use. The
findings are

  mean_y, mean_y2, mean_y4, product_of_rows, log_joint
                        the rank of the end of each chain among 15 forward draws
                        is uniform
  state                 the state z at the end is a draw from the prior
  clusters_used, pairs_in_a_cluster, or attributes_on, pairs_with_an_attribute
                        these numbers have their exact distribution
  invariance            the kernel leaves p(z|y) invariant for three simulated data
                        sets; this is exact

Models of any size have further ranked statistics of z, such as squares_of_u. In
clustering:inferred z includes log_noise_variance and the other hyperparameters.
They also have

  reversal              (z, z after a scan) has the distribution of (z after a
                        reverse scan, z). The statistic is the likelihood ratio of
                        the early variables of the end with the late ones of the
                        start
  reversal_of_hyperparameters
                        the same for the hyperparameters and all other variables

A reverse scan in the wrong order leaves p(z|y) invariant; only these two findings
detect it. All findings but invariance are e-processes, evaluated whenever the
number of chains has doubled. The probability of a false alarm in the run is at
most --alpha. An e-value near 0 or 1 is no evidence of a fault; one of at least
the tolerance is a fault, and the exit code is then 1. The terminal shows a summary
and the faults; -v and all other formats show every finding.

kernel check detects a kernel that does not leave p(z|y) invariant, and says where.
It cannot detect that p(z|y) is the posterior of a different model than the one
that the data come from; geweke can.

With --out it also draws P-P plots of the statistics.`,
		Examples: `  breadboard geweke
  breadboard geweke --toy clu6,bin4 --kernel metropolis --rounds 20
  breadboard geweke --model clustering,lowrank:inferred --out results
  breadboard geweke --model clustering:3 --data-rows 6 --data-columns 4 --most 10000
  breadboard geweke --toy model:points.toml --most 10000 --out results`,
		Counts: "chains", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				{
					Name: "rounds", Doc: fmt.Sprintf(", 1 to %d", maxRounds),
					To: study.Whole(&o.Rounds, "N", 0, subject.MaxNumber),
				},
				{
					Name: "most", Doc: fmt.Sprintf("of chains, %d to %d", firstLook, maxDraws),
					To: study.Whole(&o.Draws, "N", 0, subject.MaxNumber),
				},
				{Name: "seed", To: study.Seed(&o.Seed)},
				{Name: "alpha",
					To: study.Number(&o.Alpha)},
			}
		}),
		Unswept: "its rows are verdicts",
	})
}

// Selection names the models to test.
type Selection struct {
	Toys     []string           // selectors of models of data on lattices
	Kernel   string             // the selector of the kernel of z given y, for models on lattices
	Models   []string           // selectors of models of any size, which move by their own scans
	Size     Size               // of the data of these models
	Programs *programs.Programs // if nil, kernels in other programs are errors
}

// The defaults of a selection.
const (
	DefaultToy    = "clu6"
	DefaultKernel = "heatbath-scan"
)

// Build returns the models, those on lattices first.
func (s *Selection) Build(ctx context.Context) (list []Model, err error) {
	if len(s.Toys)+len(s.Models) == 0 {
		return nil, chains.NewAdvice("no toy is named; give a model of data, as in {toy} clu6 or {model} clustering")
	}
	for _, selector := range s.Toys {
		t, err := parseSetting(ctx, selector, s.Kernel, s.Programs)
		if err != nil {
			return nil, err
		}
		list = append(list, Model{t.toy.Name, t})
	}
	for _, selector := range s.Models {
		if err := s.Size.Validate(); err != nil {
			return nil, err
		}
		m, err := Models().Parse(selector, s.Size)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// runOptions are the options of a test, and how it is run.
type runOptions struct {
	Options
	study.How
}

// plan refuses options, or tests every model.
func plan(_ context.Context, list []Model, o *Options) (p study.Plan[Row], err error) {
	switch {
	case o.Rounds < 1 || o.Rounds > maxRounds:
		return p, chains.NewAdvice("{rounds} %d; give a whole number from 1 to %d", o.Rounds, maxRounds)
	case o.Draws < firstLook || o.Draws > maxDraws:
		return p, chains.NewAdvice("{most} %d; the first test is after %d chains: give a whole number from there to %d", o.Draws, firstLook, maxDraws)
	}
	if err := check.ValidateAlpha(o.Alpha); err != nil {
		return p, err
	}
	tests := 0
	for _, m := range list {
		tests += m.tested.tests()
		p.Steps += m.tested.chains(o.Draws)
	}
	threshold := number.Log(float64(tests) / o.Alpha)
	p.Run = func(ctx context.Context, h study.How) (rows []Row, err error) {
		for _, m := range list {
			r, err := m.tested.test(ctx, &runOptions{*o, h}, threshold)
			if err != nil && chains.Ended(ctx, err) {
				return rows, subject.NewUnfinished(len(rows), len(list), err)
			}
			if err != nil {
				return nil, err
			}
			rows = append(rows, *r)
		}
		return rows, nil
	}
	return p, nil
}
