// Package gibbs answers: how many particles does particle Gibbs take? It gives the exact spectral gap and autocorrelation times of
// conditional SMC as a kernel on the whole paths of a hidden Markov model, by the number of particles, the way to resample, and
// with and without ancestor sampling. It never simulates, prints or draws.
//
// Without ancestor sampling all particles soon have the beginning of the conditioned path, and its first states hardly ever change:
//
//	breadboard smc gibbs --observations 10 --particles 2,4,8,16
package gibbs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact/kernel"
	"breadboard/exact/smc"
	"breadboard/experiments/study"
	"breadboard/toys/models"
)

// Row is particle Gibbs with one setting on one model.
type Row struct {
	Model        string // the path of its file, or weather
	Observations int
	Paths        int
	Particles    int
	Scheme       particle.Scheme
	Ancestors    bool // whether the parent of the path is drawn anew
	// Invariance is the largest change of the probability of a path in one move, which is rounding.
	Invariance float64
	Gap        float64 // the spectral gap; NaN where there is none
	// Times holds for each time t, from 1, the largest autocorrelation time of an indicator of a hidden state then, in moves; NaN for a
	// hidden state that is certain, and all of them where there are none.
	Times []float64
	Note  string // why numbers are missing
}

// Worst returns the largest autocorrelation time, and the time t where it is: NaN and 0 where there is none.
func (r *Row) Worst() (tau float64, t int) {
	tau = math.NaN()
	for i, v := range r.Times {
		if !math.IsNaN(v) && !(v <= tau) {
			tau, t = v, i+1
		}
	}
	return tau, t
}

// first returns the largest autocorrelation time of the first hidden state; NaN where there is none.
func (r *Row) first() float64 {
	if len(r.Times) == 0 {
		return math.NaN()
	}
	return r.Times[0]
}

// Cost returns how many particles are moved for one independent draw of the hidden state that takes most: P times the largest
// autocorrelation time.
func (r *Row) Cost() float64 {
	tau, _ := r.Worst()
	return float64(r.Particles) * tau
}

// Options says which models there are, and how particles are used.
type Options struct {
	HMM          string // a file for models.ReadHMM; the model of the weather where it is empty
	Observations []int  // how many of the observations there are, from the first
	Particles    []int
	Resample     []string // schemes, for particle.ParseScheme
	Ancestors    []string // Without and With
}

// The two ways in which the conditioned path has parents.
const (
	Without = "without" // it keeps its own
	With    = "with"    // they are drawn anew, by ancestor sampling
)

// MaxParticles is the largest number of particles that can be asked for.
const MaxParticles = 1000

// model returns the model with all observations, and its name.
func (o *Options) model() (*particle.HMM, string, error) {
	if o.HMM == "" {
		return models.Weather(), "weather", nil
	}
	h, err := models.ReadHMM(o.HMM)
	return h, o.HMM, err
}

// rows lists the questions.
func (o *Options) rows() (h *particle.HMM, rows []Row, err error) {
	h, name, err := o.model()
	if err != nil {
		return nil, nil, err
	}
	if len(o.Observations) == 0 || len(o.Particles) == 0 || len(o.Resample) == 0 || len(o.Ancestors) == 0 {
		return nil, nil, chains.NewAdvice("there is nothing to do; name at least one of {observations}, {particles}, {resample} and {ancestors}")
	}
	if least := slices.Min(o.Particles); least < 2 {
		return nil, nil, chains.NewAdvice("{particles} %d; particle Gibbs takes at least 2, of which the path is one", least)
	}
	if most := slices.Max(o.Observations); most > len(h.Y) || slices.Min(o.Observations) < 1 {
		return nil, nil, chains.NewAdvice("{observations} %v; %s has %d: give numbers from 1 to %d", o.Observations, name, len(h.Y), len(h.Y))
	}
	schemes := make([]particle.Scheme, len(o.Resample))
	for i, text := range o.Resample {
		if schemes[i], err = particle.ParseScheme(strings.TrimSpace(text)); err != nil {
			return nil, nil, err
		}
	}
	for _, text := range o.Ancestors {
		if text != Without && text != With {
			return nil, nil, chains.NewAdvice("{ancestors} %s; write %s, where the path keeps its parents, or %s, where they are drawn anew", text, Without, With)
		}
	}
	for _, T := range o.Observations {
		for _, scheme := range schemes {
			for _, text := range o.Ancestors {
				for _, P := range o.Particles {
					rows = append(rows, Row{Model: name, Observations: T, Particles: P, Scheme: scheme, Ancestors: text == With})
				}
			}
		}
	}
	return h, rows, nil
}

func plan(_ context.Context, _ []study.NoSubjects, o *Options) (study.Plan[Row], error) {
	h, rows, err := o.rows()
	if err != nil {
		return study.Plan[Row]{}, err
	}
	return study.Each(rows, func(*Row) int { return 1 }, func(ctx context.Context, r *Row, how study.How) (Row, error) {
		defer how.Add(1)
		short := *h
		short.Y = short.Y[:r.Observations]
		err := r.solve(ctx, &short)
		return *r, err
	}), nil
}

// solve computes the row. Where the kernel has no exact route the numbers are NaN, and a note says why.
func (r *Row) solve(ctx context.Context, h *particle.HMM) error {
	flow, err := particle.NewHidden(h, particle.Prior)
	if err != nil {
		return err
	}
	r.Paths, r.Invariance, r.Gap = flow.Outputs(), math.NaN(), math.NaN()
	rows, err := smc.GibbsRows(ctx, h, r.Particles, r.Scheme, r.Ancestors)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.Note = err.Error()
		return nil
	}
	d, err := kernel.DiagnoseQuickly(ctx, tabulated(rows), particle.LogTargets(flow))
	if err != nil {
		return err
	}
	if r.Invariance = d.Invariance; d.Invariance > kernel.RowTolerance {
		return chains.NewFault(fmt.Errorf("particle Gibbs with %d particles changes the probability of path %d by %v", r.Particles, d.InvarianceAt, d.Invariance))
	}
	if d.Classes != 1 {
		r.Note = "some paths are never reached from others"
		return nil
	}
	r.Gap = d.SpectralGap
	for t := range h.Y {
		tau, err := timeOf(ctx, d, h, t+1)
		if err != nil {
			return err
		}
		r.Times = append(r.Times, tau)
	}
	return nil
}

// tabulated returns the kernel of rows.
func tabulated(rows [][]float64) *chains.Tabulated {
	return chains.NewTabulated("particle Gibbs", len(rows), func(x int) (row []chains.Entry) {
		for y, p := range rows[x] {
			row = append(row, chains.Entry{To: y, P: p})
		}
		return row
	})
}

// timeOf returns the largest autocorrelation time of the indicators of the hidden states at time t, and NaN where the state is
// certain.
func timeOf(ctx context.Context, d *kernel.Diagnosis, h *particle.HMM, t int) (float64, error) {
	largest, states := math.NaN(), len(h.Pi)
	if states == 2 {
		states = 1 // both indicators have the same time
	}
	for s := range states {
		g := make([]float64, d.States)
		for x := range g {
			if h.Step(x, t) == s {
				g[x] = 1
			}
		}
		v, err := d.AsymptoticVariance(ctx, g)
		if err != nil {
			return 0, errors.Join(fmt.Errorf("the hidden state at time %d", t), err)
		}
		if certain := v.Stationary < kernel.RowTolerance; !certain && !(v.Autocorrelation <= largest) {
			largest = v.Autocorrelation
		}
	}
	return largest, nil
}
