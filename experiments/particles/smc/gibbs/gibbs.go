// Package gibbs answers: how many particles does particle Gibbs need? It computes the exact
// spectral gap and autocorrelation times of conditional SMC as a kernel on the whole paths of a
// hidden Markov model, by number of particles and resampling scheme, with and without ancestor
// sampling. It never simulates, prints or draws.
//
// Without ancestor sampling all particles soon share the beginning of the conditioned path, so that
// its first states hardly ever change:
//
//	breadboard smc gibbs --observations 10 --particles 2,4,8,16
package gibbs

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
	"breadboard/chains/particle"
	"breadboard/exact/kernel"
	"breadboard/exact/smc"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/toys/models"
)

// Row is particle Gibbs with one setting on one model.
type Row struct {
	Model        string // the path of its file, or the name of a built-in model
	Observations int
	Paths        int
	Particles    int
	Scheme       particle.Scheme
	Ancestors    bool // whether the parents of the path are drawn anew
	// Invariance is the largest change of the probability of a path in one step; it is rounding
	// only.
	Invariance float64
	Gap        float64 // the spectral gap; NaN if it is not known
	// Times holds for each time t, from 1, the largest autocorrelation time of an indicator of the
	// hidden state, in steps. It is NaN for a hidden state that is certain, and if nothing is
	// known.
	Times []float64
	Note  string // why numbers are missing
}

// Worst returns the largest autocorrelation time and its time t, or NaN and 0 if none is known.
func (r *Row) Worst() (tau float64, t int) {
	tau = math.NaN()
	for i, v := range r.Times {
		if !math.IsNaN(v) && !(v <= tau) {
			tau = v
			t = i + 1
		}
	}
	return tau, t
}

// firstTau returns the largest autocorrelation time of the first hidden state; NaN if it is not
// known.
func (r *Row) firstTau() float64 {
	if len(r.Times) == 0 {
		return math.NaN()
	}
	return r.Times[0]
}

// Cost returns the number of particles that are moved per independent draw of the slowest hidden
// state: P times the largest autocorrelation time.
func (r *Row) Cost() float64 {
	tau, _ := r.Worst()
	return float64(r.Particles) * tau
}

// Options are the models and the settings of the particles.
type Options struct {
	HMM          string // for models.NamedHMM; empty for weather
	Observations []int  // the numbers of observations to use, from the first
	Particles    []int
	Resample     []string // schemes, for particle.ParseScheme
	Ancestors    []string // Without and With
}

// The two ways to choose the parents of the conditioned path.
const (
	Without = "without" // it keeps its own
	With    = "with"    // they are drawn anew, by ancestor sampling
)

// maxParticles is the largest number of particles that is accepted.
const maxParticles = 1000

// model returns the model with all observations, and its name.
func (o *Options) model() (*particle.HMM, string, error) {
	name := cmp.Or(o.HMM, "weather")
	h, err := models.NamedHMM(name)
	return h, name, err
}

// listRows lists the rows of the options.
func (o *Options) listRows() (h *particle.HMM, rows []Row, err error) {
	h, name, err := o.model()
	if err != nil {
		return nil, nil, err
	}
	if len(o.Observations) == 0 || len(o.Particles) == 0 || len(o.Resample) == 0 || len(o.Ancestors) == 0 {
		return nil, nil, errs.New(
			"nothing to do; give a value for {observations}, {particles}, {resample} and {ancestors}",
		)
	}
	if least := slices.Min(o.Particles); least < 2 {
		return nil, nil, errs.New("{particles} %d; particle Gibbs takes at least 2, including the present path",
			least)
	}
	if most := slices.Max(o.Observations); most > len(h.Y) || slices.Min(o.Observations) < 1 {
		return nil, nil, errs.New("{observations} %v; %s has %d: give numbers from 1 to %d",
			o.Observations, name, len(h.Y), len(h.Y))
	}
	schemes := make([]particle.Scheme, len(o.Resample))
	for i, text := range o.Resample {
		schemes[i], err = particle.ParseScheme(strings.TrimSpace(text))
		if err != nil {
			return nil, nil, err
		}
	}
	for _, text := range o.Ancestors {
		if text != Without && text != With {
			return nil, nil, errs.New(
				"{ancestors} %s; write %s, so that the path keeps its parents, or %s, so that they are drawn anew",
				text,
				Without,
				With,
			)
		}
	}
	for _, T := range o.Observations {
		for _, scheme := range schemes {
			for _, text := range o.Ancestors {
				for _, P := range o.Particles {
					rows = append(rows, Row{
						Model:        name,
						Observations: T,
						Particles:    P,
						Scheme:       scheme,
						Ancestors:    text == With,
					})
				}
			}
		}
	}
	return h, rows, nil
}

func plan(_ context.Context, _ []study.NoSubjects, o *Options) (study.Plan[Row], error) {
	h, rows, err := o.listRows()
	if err != nil {
		return study.Plan[Row]{}, err
	}
	return study.Each(rows, func(*Row) int { return 1 }, func(ctx context.Context, r *Row, how study.How) (Row, error) {
		defer how.Add(1)
		short := *h
		short.Y = short.Y[:r.Observations]
		err := r.computeRow(ctx, &short)
		return *r, err
	}), nil
}

// computeRow computes the row. If the kernel has no exact method, the numbers are NaN and have a
// note.
func (r *Row) computeRow(ctx context.Context, h *particle.HMM) error {
	flow, err := particle.NewHidden(h, particle.Prior)
	if err != nil {
		return err
	}
	r.Paths = flow.Outputs()
	r.Invariance = math.NaN()
	r.Gap = math.NaN()
	rows, err := smc.GibbsRows(ctx, h, r.Particles, r.Scheme, r.Ancestors)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.Note = err.Error()
		return nil
	}
	logTarget := particle.LogTargets(flow)
	d, err := kernel.Diagnose(ctx, tabulated(rows), logTarget, kernel.Quick)
	if err != nil {
		return err
	}
	lost := false
	if d.Invariance > kernel.RowTolerance || d.Classes != 1 {
		lost, err = r.underflows(ctx, h, logTarget)
		if err != nil {
			return err
		}
	}
	switch {
	case d.Invariance <= kernel.RowTolerance:
		r.Invariance = d.Invariance
	case lost:
		r.Note = "some transition probabilities between paths are too small for floating point to hold " +
			"all digits, and the numbers would depend on them"
		return nil
	default:
		return chains.NewFault(fmt.Errorf("particle Gibbs with %d particles changes the probability of path %d by %v",
			r.Particles, d.InvarianceAt, d.Invariance))
	}
	if d.Classes != 1 {
		r.Note = "some paths cannot be reached from others"
		if lost {
			r.Note += ", or only with a probability too small for floating point"
		}
		return nil
	}
	rounding := float64(d.States+1) * 0x1p-51
	r.Gap = d.SpectralGap
	if r.Gap <= rounding {
		r.Gap, r.Note = math.NaN(),
			fmt.Sprintf("the gap is not known: it is below %.1g, which may be rounding", 2*rounding)
	}
	for t := range h.Y {
		tau, err := timeOf(ctx, d, h, t+1)
		if err != nil {
			return err
		}
		r.Times = append(r.Times, tau)
	}
	return nil
}

// underflows reports whether some transition probability between paths is too small for floating
// point to hold all of its digits. Under multinomial resampling a free particle may take any path
// of the model, so that none has transition probability zero.
func (r *Row) underflows(ctx context.Context, h *particle.HMM, logTarget []float64) (bool, error) {
	rows, err := smc.GibbsRows(ctx, h, r.Particles, particle.Multinomial{}, r.Ancestors)
	if err != nil {
		return false, err
	}
	for x, row := range rows {
		for y, p := range row {
			if p < 0x1p-1022 && !math.IsInf(logTarget[x], -1) && !math.IsInf(logTarget[y], -1) {
				return true, nil
			}
		}
	}
	return false, nil
}

// tabulated returns the kernel with the given rows.
func tabulated(rows [][]float64) *chains.Tabulated {
	return chains.NewTabulated("particle Gibbs", len(rows), func(x int) (row []chains.Entry) {
		for y, p := range rows[x] {
			row = append(row, chains.Entry{To: y, P: p})
		}
		return row
	})
}

// timeOf returns the largest autocorrelation time of the indicators of the hidden states at time t,
// and NaN if the state is certain.
func timeOf(ctx context.Context, d *kernel.Diagnosis, h *particle.HMM, t int) (float64, error) {
	largest := math.NaN()
	states := len(h.Pi)
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

// Study declares the study.
func Study() *study.Study[study.NoSubjects, Options, Row] {
	wholes := func(name, unit, doc string, high float64, to *[]int) study.Option {
		return study.Option{Name: name, Doc: doc, To: study.Wholes(to, unit, 1, high)}
	}
	return study.New(Options{
		Observations: []int{8},
		Particles:    []int{2, 4, 8, 16},
		Resample:     []string{particle.Multinomial{}.String()},
		Ancestors:    []string{Without, With},
	}, plan, study.Declaration{
		Says: columns.Sentence{
			Least: "cost",
			Text: "{particles} particles, {ancestors} ancestor sampling, take the least work: {cost} " +
				"moved particles for an independent draw",
		},
		Name: "smc gibbs",
		Asks: "How many particles does particle Gibbs need?",
		Help: `gibbs shows exactly how many particles particle Gibbs needs: how fast it moves
among the paths of a hidden Markov model given its observations.

A step runs conditional SMC with P particles, one of which follows the present
path, and moves to the path of one particle. tau is the largest autocorrelation
time of a hidden state, and P tau the number of moved particles for each
independent draw: choose the P for which it is smallest. Ancestor sampling
needs multinomial resampling. At most 1,024 paths are exact.

See breadboard help estimators.`,
		Examples: `  breadboard smc gibbs
  breadboard smc gibbs --observations 4,6,8,10 --particles 2,4,8,16 --ancestors without
  breadboard smc gibbs --particles 2,3,4 --resample multinomial,stratified,systematic,residual --ancestors without --out results`,
		Counts: "kernels", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				{
					Name: "hmm",
					Doc:  ": " + strings.Join(models.BuiltInHMMs(), ", ") + ", or a file (default weather)",
					To:   study.Text(&o.HMM),
				},
				wholes("observations", "N", "", 1<<20, &o.Observations),
				wholes("particles", "P", "; the present path is one", maxParticles, &o.Particles),
				{
					Name: "resample", Doc: ": " + strings.Join(particle.Forms().Listing.Syntaxes(), ", "),
					To: study.Texts(&o.Resample),
				},
				{
					Name: "ancestors", Doc: ": " + Without + ", " + With,
					To: study.Texts(&o.Ancestors),
				},
			}
		}),
		Columns: Columns(),
		Plots: []columns.Plot{{
			Name:  "smc_gibbs",
			Title: "Autocorrelation times and cost by number of particles",
			Parts: []columns.Part{{
				X:      "particles",
				XLabel: "particles P",
				XScale: columns.Decades,
				Y:      []string{"tau"},
				YLabel: "autocorrelation time of the slowest hidden state (steps)",
				YScale: columns.Decades,
			}, {
				Y:      []string{"cost"},
				YLabel: "particles moved per independent draw",
				YScale: columns.Decades,
			}},
			By:  []string{"observations", "resample", "ancestors"},
			Why: errors.New("nothing to draw: no autocorrelation time is known"),
		}},
		View:    reports.Untyped(report),
		Unswept: "its options are lists of settings, so that one command already makes the table",
	})
}

// Columns lists the columns of the study.
func Columns() columns.List {
	return columns.List{
		columns.Of("hmm", "model", "the hidden Markov model: the path of its file, or the name of a built-in one",
			func(r *Row) string { return r.Model }),
		columns.Of("observations", "observations", "the number of observations",
			func(r *Row) int { return r.Observations }),
		columns.Of("paths", "", "the number of whole paths", func(r *Row) int { return r.Paths }),
		columns.Of("particles", "P", "the number of particles, including the conditioned path",
			func(r *Row) int { return r.Particles }),
		columns.Of("resample", "resample", "the resampling scheme",
			func(r *Row) string { return r.Scheme.String() }),
		columns.Of("ancestors", "ancestors",
			"with if the parents of the path are drawn anew, otherwise without", (*Row).ancestors),
		columns.Of("invariance",
			"", "the largest change of a path's probability in one step",
			func(r *Row) float64 { return r.Invariance }),
		columns.Of("spectral_gap", "spectral gap", "the spectral gap; NaN if it is not known",
			func(r *Row) float64 { return r.Gap }).Answer(),
		columns.Of("tau_first", "tau x_1",
			"the largest autocorrelation time of an indicator of the first hidden state; NaN "+
				"if it is not known",
			(*Row).firstTau),
		columns.Of("tau", "tau", "the largest autocorrelation time of an indicator of any hidden state",
			func(r *Row) float64 { tau, _ := r.Worst(); return tau }).Answer(),
		columns.Of("tau_at", "at t", "the time t of that hidden state",
			func(r *Row) int { _, t := r.Worst(); return t }).Positive(),
		columns.Of("cost", "P tau", "particles times tau",
			(*Row).Cost).Answer(),
		columns.Note(func(r *Row) string { return r.Note }),
	}
}

// ancestors names the way to choose the parents of the path.
func (r *Row) ancestors() string {
	if r.Ancestors {
		return With
	}
	return Without
}

// Way names the resampling scheme, and ancestor sampling if it is used.
func (r *Row) Way() string {
	if r.Ancestors {
		return r.Scheme.String() + ", ancestor sampling"
	}
	return r.Scheme.String()
}
