package gibbs

import (
	"strings"

	"breadboard/chains/particle"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
)

// Study declares the study.
func Study() *study.Study[study.NoSubjects, Options, Row] {
	wholes := func(name, unit, doc string, high float64, of func(*Options) *[]int) study.Option[Options] {
		return study.Option[Options]{Name: name, Doc: doc, Value: func(o *Options) study.Value { return study.Wholes(of(o), unit, 1, high) }}
	}
	return &study.Study[study.NoSubjects, Options, Row]{
		Name: "smc gibbs",
		Asks: "How many particles does particle Gibbs take? The exact kernel on the paths of a hidden Markov model",
		Help: `gibbs says how fast particle Gibbs moves among the paths of a hidden Markov model given its observations, exactly. A move
runs conditional SMC with P particles, of which the present path is one, and goes to the path of one particle, drawn by the
last weights (Andrieu, Doucet and Holenstein 2010). It proposes by the model and resamples at every observation.

  gap      the spectral gap of the kernel
  tau      the largest autocorrelation time of a hidden state, in moves, and the time t of that state
  tau x_1  that of the first hidden state
  P tau    particles that are moved for one independent draw: where it is least is how many particles to take

Any P leaves the law of the paths invariant. But when the particles go back to few parents, these are on the path itself, and its
beginning stays what it is: with too few particles for so many observations tau is huge at x_1 and fine at the end, where one looks.

--ancestors with draws the parent of the path anew at each resampling, by the weights times the probability of a move to the path's
next state (ancestor sampling; Lindsten, Jordan and Schön 2014). It takes multinomial resampling: under the other schemes the
parent of the path depends on those of all other particles, and drawing it as if it did not leaves another law invariant.

Up to 1,024 paths are solved, and with multinomial resampling tens of particles, which are only counted. Under the other schemes
it matters in which slot a particle is, so that some four particles are possible; beyond that the numbers are NaN, and a note
says what would have to be smaller. --hmm FILE reads a model of your own: TOML with pi, A, E and y.

With --out it also draws tau and P tau against P, and the autocorrelation time of each hidden state.`,
		Examples: `  breadboard smc gibbs
  breadboard smc gibbs --observations 4,6,8,10 --particles 2,4,8,16 --ancestors without
  breadboard smc gibbs --particles 2,3,4 --resample multinomial,stratified,systematic,residual --ancestors without --out results`,
		Counts: "kernels", Workers: "number of kernels solved at once",
		Standard: Options{Observations: []int{8}, Particles: []int{2, 4, 8, 16}, Resample: []string{particle.Multinomial{}.String()}, Ancestors: []string{Without, With}},
		Options: []study.Option[Options]{
			{Name: "hmm", Doc: "a file with a hidden Markov model, in place of the weather with two hidden states and ten observations", Value: func(o *Options) study.Value { return study.Text(&o.HMM) }},
			wholes("observations", "N", "how many of the observations there are, from the first", 1<<20, func(o *Options) *[]int { return &o.Observations }),
			wholes("particles", "P", "numbers of particles, the path among them", MaxParticles, func(o *Options) *[]int { return &o.Particles }),
			{
				Name: "resample", Doc: "resampling schemes: " + strings.Join(particle.Forms().Syntaxes(), ", "), Complete: particle.Forms().Complete,
				Value: func(o *Options) study.Value { return study.Texts(&o.Resample) },
			},
			{
				Name: "ancestors", Doc: "whether the parents of the path are drawn anew: " + Without + ", " + With, Complete: study.Among(Without, With),
				Value: func(o *Options) study.Value { return study.Texts(&o.Ancestors) },
			},
		},
		Columns: Columns(), Plan: plan,
		Unswept: "its subjects are hidden Markov models, and its options are lists that make a table of their own",
	}
}

// Columns lists the columns of the study.
func Columns() []columns.Field[Row] {
	whole := func(name, title, meaning string, of func(*Row) int) columns.Field[Row] {
		return columns.Field[Row]{Column: columns.Column{Name: name, Type: columns.Int, Title: title, Meaning: meaning}, Of: func(r *Row) any { return of(r) }}
	}
	number := func(name, title, meaning string, of func(*Row) float64) columns.Field[Row] {
		return columns.Field[Row]{Column: columns.Column{Name: name, Type: columns.Float, Title: title, Meaning: meaning}, Of: func(r *Row) any { return of(r) }}
	}
	text := func(name, title, meaning string, of func(*Row) string) columns.Field[Row] {
		return columns.Field[Row]{Column: columns.Column{Name: name, Type: columns.String, Title: title, Meaning: meaning}, Of: func(r *Row) any { return of(r) }}
	}
	return []columns.Field[Row]{
		text("hmm", "model", "the hidden Markov model: the path of its file, or weather", func(r *Row) string { return r.Model }),
		whole("observations", "observations", "the number of observations", func(r *Row) int { return r.Observations }),
		whole("paths", "", "the number of whole paths", func(r *Row) int { return r.Paths }),
		whole("particles", "P", "the number of particles, the conditioned path among them", func(r *Row) int { return r.Particles }),
		text("resample", "resample", "the resampling scheme", func(r *Row) string { return r.Scheme.String() }),
		text("ancestors", "ancestors", "with where the parents of the path are drawn anew, and else without", (*Row).ancestors),
		number("invariance", "", "the largest change of the probability of a path in one move, which is rounding; NaN where there is no exact route", func(r *Row) float64 { return r.Invariance }),
		number("gap", "gap", "the spectral gap; NaN where there is none", func(r *Row) float64 { return r.Gap }),
		number("tau_first", "tau x_1", "the largest autocorrelation time, in moves, of an indicator of the first hidden state; NaN where there is none", (*Row).first),
		number("tau", "tau", "the largest autocorrelation time of an indicator of any hidden state, in moves", func(r *Row) float64 { tau, _ := r.Worst(); return tau }),
		{Column: columns.Column{Name: "tau_at", Type: columns.Int, Title: "at t", Meaning: "the time t of that hidden state, from 1; empty where there is none"}, Of: func(r *Row) any { _, t := r.Worst(); return columns.Positive(t) }},
		number("cost", "P tau", "particles times tau: how many particles are moved for one independent draw", (*Row).Cost),
		text("note", "", columns.MeansNote, func(r *Row) string { return r.Note }),
	}
}

// ancestors names the way in which the path has parents.
func (r *Row) ancestors() string {
	if r.Ancestors {
		return With
	}
	return Without
}

// Way names the way to resample, with ancestor sampling where that is done.
func (r *Row) Way() string {
	if r.Ancestors {
		return r.Scheme.String() + ", ancestor sampling"
	}
	return r.Scheme.String()
}
