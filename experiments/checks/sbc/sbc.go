// Package sbc answers: what can simulation-based calibration see? For a sampler of the posterior of
// a small model it gives the exact distribution of the rank of the true state among the draws, and
// the evidence of one run against uniformity. It gives no verdict on draws of a program.
//
//	breadboard sbc --toy clu4 --sampler power:0.9,metropolis --thin 1,50
package sbc

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/exact/ranks"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/toys"
	"breadboard/toys/models"
)

// Selection names targets and samplers by their selectors: each sampler on every target.
type Selection struct {
	subject.Reader
	Toys, Samplers []string
}

// Cases returns the cases of a selection. Cases whose target or sampler cannot be read are omitted;
// the error is then Failures.
func (s Selection) Cases(ctx context.Context) (cases []subject.Case, err error) {
	if len(s.Toys) == 0 || len(s.Samplers) == 0 {
		return nil, errs.New("name a target and a sampler, as in {toy} clu4 {sampler} metropolis")
	}
	var failed subject.Failures
	err = subject.EachToy(ctx, s.Toys, s.ParseToy, &failed, func(_ string, toy *toys.Toy) error {
		for _, text := range s.Samplers {
			c := subject.Case{
				Toy:    toy,
				Params: subject.Params{{Name: "sampler", Value: strings.TrimSpace(text)}},
				Reader: s.Reader,
			}
			parsed, err := Parse(ctx, s.Reader, c.Param("sampler"), toy)
			if err := failed.Keep(ctx, subject.NewFailure(c.Parts(), NameToy(toy, err))); err != nil {
				return err
			}
			c.Algorithm = parsed
			if err == nil {
				cases = append(cases, c)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return cases, failed.OrNil()
}

// NameToy adds the toy to an error.
func NameToy(toy *toys.Toy, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("toy %s: %w", toy.Title(), toy.Explain(err))
}

// The sources of the data.
const (
	Simulated = "simulated"
	Given     = "given"
)

// Truth is the selector of chains that start at the true state.
const Truth = "truth"

// These are the bounds on the options.
const (
	maxDraws    = 1000
	maxThin     = 100_000
	maxBurn     = 1_000_000
	maxDataSets = 10_000
)

// Options are the options of the study.
type Options struct {
	Statistics []string
	Draws      int    // the number of draws among which the true state is ranked
	Thin       []int  // the numbers of moves of a chain for each draw
	Burn       int    // the number of moves before those of the first draw
	Start      string // the selector of the start of chains
	Data       string // simulated or given
	DataSets   int    // the number of simulated data sets
	Seed       uint64
	Alpha      float64
}

// Row is the evidence in the rank of a statistic.
type Row struct {
	subject.Case
	Statistic string
	Draws     int
	Thin      int // 0 if the draws are independent
	Data      string
	DataSets  int
	Ranks     []float64      // the probability of each rank
	Nats      number.Bounded // KL(ranks || uniform), without the error of simulation
	// the standard error from simulated data sets, bias included; 0 if it is a sum over all data
	// sets
	Error float64
	Alpha float64
}

// Sampler returns the selector of the sampler.
func (r *Row) Sampler() string { return r.Param("sampler") }

// Runs returns a lower bound on the mean number of runs of any test; +Inf if the ranks are uniform
// up to rounding.
func (r *Row) Runs() float64 { return Runs(r.Nats, r.Error, 0, r.Alpha) }

// Runs returns the mean number of runs until a test ends: at the first run with an event that
// decides by itself, such as one that is impossible for the correct sampler, or when the runs
// without it give log(1/alpha) nats. These are m = max(1, log(1/alpha)/nats) runs. With the
// probability e of the event in a run, the mean is the sum of (1-e)^k over k < m, which is (1 -
// (1-e)^m)/e, and m if e is zero.
//
// The nats, those of a run without the event, may have a standard error, from a simulation. If they
// are NaN or zero up to rounding, m is +Inf. The result is NaN if they are within two standard
// errors of zero.
func Runs(nats number.Bounded, simulation, event, alpha float64) float64 {
	m := max(1, -number.Log(alpha)/nats.Value)
	switch {
	case !(nats.Value > nats.Error):
		m = math.Inf(1)
	case nats.Value <= 2*simulation:
		return math.NaN()
	}
	if event == 0 || m*event < 0x1p-53 { // also if the event is subnormal
		return m
	}
	return max(1, -math.Expm1(m*math.Log1p(-event))/event)
}

// MeanRank returns the mean rank divided by the number of draws: 1/2 if ranks are uniform.
func (r *Row) MeanRank() float64 {
	mean, _ := r.rankMoments()
	return mean / float64(r.Draws)
}

// Spread returns the standard deviation of the ranks divided by that of uniform ranks.
func (r *Row) Spread() float64 {
	_, variance := r.rankMoments()
	n := float64(r.Draws) + 1
	return math.Sqrt(variance / ((n*n - 1) / 12))
}

func (r *Row) rankMoments() (mean, variance float64) {
	for k, p := range r.Ranks {
		mean += p * float64(k)
	}
	for k, p := range r.Ranks {
		variance += p * (float64(k) - mean) * (float64(k) - mean)
	}
	return mean, variance
}

// Note returns the caveats of a row.
func (r *Row) Note() string {
	if r.Nats.Value > r.Nats.Error && r.Nats.Value < 3*r.Error {
		return fmt.Sprintf(
			"the nats per run are below three of their standard errors, from %d simulated data sets; more "+
				"data sets lower these",
			r.DataSets,
		)
	}
	return ""
}

// steps is what the work on a sampler counts as progress.
const steps = 100

// Validate returns an error if the options are invalid for every target.
func (o *Options) Validate() error {
	starts := subject.LawForms().Listing
	switch {
	case o.Start != Truth && !starts.Named(o.Start):
		return errs.New("{start} %q; give %s or %s", o.Start, Truth, strings.Join(starts.Syntaxes(), ", "))
	case o.Data != Simulated && o.Data != Given:
		return errs.New("{data} %q; give %s or %s", o.Data, Simulated, Given)
	case !(o.Alpha > 0 && o.Alpha < 1):
		return errs.New("{alpha} %v; give a probability between 0 and 1", o.Alpha)
	case len(o.Statistics) == 0 || len(o.Thin) == 0:
		return errs.New("{statistic} and {thin} need a value each; leave them out for the defaults")
	}
	return nil
}

func plan(_ context.Context, cases []subject.Case, o *Options) (none study.Plan[Row], err error) {
	if err := o.Validate(); err != nil {
		return none, err
	}
	jobs := make([]study.Job[Row], len(cases))
	for i := range cases {
		jobs[i] = study.Job[Row]{Steps: steps, Rows: func(ctx context.Context, h study.How) ([]Row, error) {
			done := func() {}
			rows, err := RowsOf(ctx, &cases[i], o, h.Workers, func(parts int) (add func(int)) {
				add, done = h.Share(steps, parts)
				return add
			})
			done()
			return rows, NameToy(cases[i].Toy, err)
		}}
	}
	return study.Jobs(jobs), nil
}

// DataSet is a data set with its weight; the weights of all sum to one.
type DataSet struct {
	*Posterior
	Weight float64
}

// DataSets returns the data sets of a toy. Exact says that these are all possible ones.
func DataSets(toy *toys.Toy, o *Options) (sets []DataSet, exact bool, err error) {
	if o.Data == Given {
		prior := toy.LogPrior
		if prior == nil {
			prior = make([]float64, len(toy.G))
			for x := range prior {
				prior[x] = -number.Log(float64(len(prior)))
			}
		}
		likelihood := make([]float64, len(prior))
		for x, v := range prior {
			likelihood[x] = toy.G[x] - v
			if math.IsInf(v, -1) {
				likelihood[x] = 0
			}
		}
		return []DataSet{{PosteriorOf(prior, likelihood), 1}}, true, nil
	}
	m, is := toy.Model.(models.Generative)
	if !is {
		return nil, false,
			errs.New(
				"it is not a model whose data can be drawn anew, such as clu4, bin4 or a Bayesian network " +
					"with evidence; {data} given takes its own distribution as the posterior",
			)
	}
	prior := m.LogPrior()
	if all, is := m.(interface{ Possible(most int) [][][]float64 }); is {
		if rows := all.Possible(o.DataSets); rows != nil {
			return possible(m, prior, rows), true, nil
		}
	}
	c := chains.NewSampler(simulate.NewStream(o.Seed, "sbc "+toy.Name, 0))
	p := Normalised(prior)
	for range o.DataSets {
		y := m.Simulate(c.Choose(p), models.NormalsOf{RealChooser: c})
		if d := PosteriorOf(prior, m.With(y).LogLikelihood(1)); d != nil {
			sets = append(sets, DataSet{d, 1 / float64(o.DataSets)})
		}
	}
	return sets, false, nil
}

// possible returns all data sets, each with its probability.
func possible(m models.Generative, prior []float64, rows [][][]float64) (sets []DataSet) {
	for _, y := range rows {
		if d := PosteriorOf(prior, m.With(y).LogLikelihood(1)); d != nil {
			sets = append(sets, DataSet{d, math.Exp(number.LogSumExp(d.LogF) - number.LogSumExp(prior))})
		}
	}
	return sets
}

// StatisticOf returns the values of a statistic for one set of data.
func StatisticOf(text string, toy *toys.Toy) (of func(d *Posterior) []float64, err error) {
	switch text {
	case "z":
		states := make([]float64, len(toy.G))
		for x := range states {
			states[x] = float64(x)
		}
		return func(*Posterior) []float64 { return states }, nil
	case "loglik":
		return func(d *Posterior) []float64 { return d.LogLikelihood }, nil
	case "logp":
		return func(d *Posterior) []float64 { return d.LogF }, nil
	}
	values, err := samplers.FunctionValues(text, toy)
	if err != nil {
		err = fmt.Errorf("statistic z, loglik, logp, or a function of the state: %w", err)
	}
	return func(*Posterior) []float64 { return values }, err
}

// RowsOf returns the rows of a case. It calls begin with the number of parts of the work, and add,
// from several goroutines, with numbers of finished parts.
func RowsOf(ctx context.Context, c *subject.Case, o *Options, workers int,
	begin func(parts int) (add func(int))) (rows []Row, err error) {
	if err := subject.NeedsStates(c.Toy, "the rank of a state"); err != nil {
		return nil, err
	}
	thins := o.Thin
	if _, dependent := c.Algorithm.(Chain); !dependent {
		thins = []int{0}
	} else if err := ranks.Affordable(len(c.Toy.G), o.Draws, 0); err != nil {
		// before the rows of the kernel are made
		return nil, err
	}
	sets, exact, err := DataSets(c.Toy, o)
	if err != nil {
		return nil, err
	}
	var statistics []func(*Posterior) []float64
	for _, thin := range thins {
		for _, name := range o.Statistics {
			of, err := StatisticOf(strings.TrimSpace(name), c.Toy)
			if err != nil {
				return nil, err
			}
			statistics = append(statistics, of)
			rows = append(rows, Row{
				Case:      *c,
				Statistic: strings.TrimSpace(name),
				Draws:     o.Draws,
				Thin:      thin,
				Alpha:     o.Alpha,
				Data:      o.Data,
				DataSets:  len(sets),
				Ranks:     make([]float64, o.Draws+1),
			})
		}
	}
	each := make([][][]float64, len(rows)) // by row and set
	for i := range rows {
		each[i] = make([][]float64, len(sets))
	}
	add := begin(100 * len(rows) * len(sets))
	err = subject.Parallel(ctx, len(sets), workers, func(ctx context.Context, at int) error {
		d := sets[at].Posterior
		answer, err := c.Algorithm.(Sampler).answer(ctx, d)
		for i := 0; err == nil && i < len(rows); i++ {
			q := ranks.Question{Truth: d.P, Values: statistics[i](d), Draws: o.Draws}
			each[i][at], err = answer(ctx, q, asked{c.Toy, o.Start, o.Burn, rows[i].Thin, add})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for at, d := range sets {
		for i := range rows {
			for k, p := range each[i][at] {
				rows[i].Ranks[k] += d.Weight * p
			}
		}
	}
	for i := range rows {
		r := &rows[i]
		r.Nats = ranks.Nats(r.Ranks,
			ranks.Roundings(ranks.Question{Truth: c.Toy.G, Draws: r.Draws})+float64(o.Burn+r.Thin*r.Draws))
		if c.Algorithm == (Independent{1}) {
			r.Nats = number.Exactly(0) // by exchangeability
		}
		if !exact {
			r.Error = r.simulation(each[i])
		}
	}
	return rows, nil
}

// Rounds returns the distribution of the state after some rounds of Geweke's joint test (Geweke
// 2004). In each round data y are drawn given the state, which then moves by move given y. The
// likelihood is given by data and state. Move writes to next, which does not overlap law.
func Rounds(prior []float64, likelihood [][]float64, rounds int,
	move func(y int, next, law []float64)) []float64 {
	law := prior
	n := len(prior)
	part := make([]float64, n)
	after := make([]float64, n)
	for range rounds {
		next := make([]float64, n)
		for y, of := range likelihood {
			for x, p := range law {
				part[x] = p * of[x]
			}
			move(y, after, part)
			floats.Add(next, after)
		}
		law = next
	}
	return law
}

// simulation returns the standard error of the nats, to first order in the ranks, and the bias that
// their variance leads to.
func (r *Row) simulation(each [][]float64) float64 {
	n := float64(len(each))
	var variance, bias float64
	for _, law := range each {
		slope := 0.0
		for k, p := range law {
			if r.Ranks[k] > 0 {
				slope += (p - r.Ranks[k]) * number.Log(r.Ranks[k])
				bias += (p - r.Ranks[k]) * (p - r.Ranks[k]) / r.Ranks[k]
			}
		}
		variance += slope * slope
	}
	return math.Sqrt(variance)/n + bias/(2*n*n)
}

// Generative reports whether new data of a toy can be drawn.
func Generative(toy *toys.Toy) bool {
	_, is := toy.Model.(models.Generative)
	return is
}
