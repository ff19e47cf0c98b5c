package success

import (
	"cmp"
	"context"
	"strings"

	"breadboard/exact/climb"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Study declares the study. A row is of a level of log f.
func Study() *study.Study[subject.Case, Options, Row] {
	chains := subject.Whole("chains",
		"the number of simulated chains; 0 is 1000 if states cannot be listed", 0, mostChains, 0)
	seed := subject.Whole("seed", "seed of simulated chains", 0, subject.MaxNumber, 1)
	return study.New(Options{Levels: 1, Seed: 1, Memory: subject.DefaultMemory}, plan, study.Declaration{
		Says: columns.Sentence{
			Least: "tts",
			Text:  "{toy}: with T = {T} the best state is found with probability 0.99 within {tts} updates",
		},
		Name: "success",
		Asks: "How likely does annealing find the best state, and how soon?",
		Help: `success gives the probability that annealing finds a best state of a QUBO, an
Ising problem, a maximum cut or another target, and the time to solution (TTS).

p on the way is the probability that any of x_1, ..., x_T is a best state, and
p at the end that x_T is. States with log f within 1e-9 nats of the largest are
best. TTS is the number of updates until independent runs have found one with
probability 0.99. BETA of the toy is the final inverse temperature. Numbers are
exact if the states can be listed. If they cannot, and f is a product of
factors, --chains runs are simulated by flip, heatbath or heatbath-scan.

See breadboard help models.`,
		Examples: `  breadboard success
  breadboard success --toy "qubo:problem.qubo:{1,2,4}" --kernel heatbath-scan -T 100,1000 --best
  breadboard success --toy ising:4x4:0.6 -T 10,100,1000 --kernel flip
  breadboard success --toy ising:20x20:0.3 -T 100,1000 --kernel heatbath-scan --chains 1000 --seed 1`,
		Counts: "stages", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				{Name: "levels",
					To: study.Whole(&o.Levels, "N", 0, subject.MaxNumber)},
				{
					Name: "start",
					Doc:  ", as point:0, mode or uniform (default the first distribution of the path)",
					To:   study.Text(&o.Start),
				},
				{Name: "best", To: study.Switch(&o.Best)},
				{Name: "memory", Doc: "of elimination",
					To: study.Memory(&o.Memory)},
				{
					Name:  "chains",
					Doc:   "if the toy is a product of factors; 0 is 1000 if its states cannot be listed",
					Swept: &chains,
					To:    study.Whole(&o.Chains, "N", 0, mostChains),
				},
				study.SeedOption(&o.Seed, &seed),
			}
		}),
		Idle:    study.IdleOf(func(on []subject.Case, _ *Options) bool { return subject.Listed(on) }, "seed", "memory"),
		Columns: Columns(), Factored: true, Crossed: true,
		Plots: []columns.Plot{{
			Name:  "success",
			Title: "Probability of success and time to solution by T",
			Parts: []columns.Part{{
				X:      "T",
				XLabel: "number of distributions T",
				XScale: columns.Decades,
				Y:      []string{"p_seen", "p_end"},
				YLabel: "probability of success",
				YScale: columns.NonZero,
				Band:   []string{"p_seen_low", "p_seen_high", "p_end_low", "p_end_high"},
			}, {
				Y:      []string{"tts"},
				YLabel: "time to solution (updates)",
				YScale: columns.Decades,
				Band:   []string{"tts_low", "tts_high"},
			}},
			By:      []string{"toy", "level", "path", "initial", "schedule", "kernel"},
			Implied: []string{"level"},
			BandIs:  []string{"95% interval"},
			Kinds:   []string{"p on the way", "p at the end", "time to solution (updates)"},
			Joined:  true,
		}},
		Cost: cost, Sampled: func(o any) bool { return o.(*Options).Chains > 0 },
		View:  reports.Untyped(report),
		About: subject.Annealed(10, 100, 1000),
		Swept: &study.Swept{
			Parameters: subject.WithDefaults(
				subject.Parameters(),
				map[string][]string{"T": {"10", "100", "1000"}},
			), Build: build,
			Subject: study.TheCase,
			InCell:  func(o any) { o.(*Options).cell = true },
			Note:    study.NoteOf(func(r *Row) (string, error) { return strings.Join(r.Notes(), "; "), nil }),
		},
	})
}

// build makes the case of a cell of a sweep, also of a toy whose states are not listed.
func build(ctx context.Context, in subject.Reader, params subject.Params) ([]subject.Case, error) {
	s := in.SelectionOf(params)
	s.Factored = true
	return s.Cases(ctx)
}

// cost: exact rows move the masses of levels, after the states are sorted, and simulated ones
// make chains whose updates take a tenth of a microsecond, after the optimum is found.
func cost(s subject.Size) subject.Cost {
	if s.Sites == 0 {
		// measured: about thirty levels if climb.CheckSize allows that many masses, and otherwise
		// one
		start := subject.StartSeconds * float64(s.States)
		moves := 6.0
		if climb.CheckSize(s.States, mostForMean/2) == nil {
			moves = 12
		}
		return subject.Cost{
			Seconds: start + min(moves*(s.Solution.Seconds-start), s.General.Seconds),
			Bytes:   s.Solution.Bytes,
		}
	}
	updates := 1.0
	chains := float64(cmp.Or(s.Params.Int("chains"), standardChains))
	if s.Params.Get("kernel") == "heatbath-scan" {
		updates = float64(s.Sites)
	}
	return subject.Cost{Seconds: 1 + 1e-7*updates*chains*float64(s.Distributions), Bytes: 1e8}
}
