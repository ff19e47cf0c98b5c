package success

import (
	"cmp"
	"context"
	"strings"

	"breadboard/exact/climb"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// Study declares the study. A row is of a level of log f.
func Study() *study.Study[subject.Case, Options, Row] {
	chains := subject.Whole("chains", "number of simulated chains, of products of factors, also if their states can be listed; 0 is 1000 if they cannot", 0, mostChains, 0)
	seed := subject.Whole("seed", "seed of simulated chains", 0, subject.MaxNumber, 1)
	return study.New(Options{Levels: 1, Seed: 1, Memory: subject.DefaultMemory}, plan, study.Declaration{
		Says: columns.Sentence{Least: "tts", Text: "{toy}: with T = {T} the best state is found with probability 0.99 within {tts} updates"},
		Name: "success",
		Asks: "How likely does annealing find the best state, and how soon?",
		Help: `success answers: how likely does annealing find a best state of a QUBO, an Ising problem, a maximum cut or another target, and how soon? It prints
the best energy, the number of states that have it, the probability that a run finds one, and the time to solution (TTS).

success takes annealing as an optimiser: forward chains x_1, ..., x_T, of which the best state on the way counts. A run of T distributions takes T - 1
moves of the kernel: a move updates one variable, or with heatbath-scan each of the n variables in turn. Log f grows to that of the toy, so that BETA is the final
inverse temperature: qubo:FILE:BETA and bq:FILE:BETA minimise, and rudy:FILE:J with J below zero cuts a graph.

p at the end is the probability that x_T is a best state, and p on the way that any of x_1, ..., x_T is. TTS is how many updates of one variable
independent runs take together until one has seen a best state with probability 0.99: those of a run times the number of runs, which is log 0.01/log(1 - p on the way),
rounded up. A run makes T - 1 updates, or n (T - 1) by sweeps, and takes no less for any p on the way from 0.99 to 1. A move of another kind, such as that of a cluster, counts as one. The row with the
least TTS of all T, schedules, kernels and BETA of one problem is marked; rows that tie are all marked, and simulated rows whose intervals overlap are open.

p in target is the probability of the best states under the target itself. If the kernel joins all states, p at the end tends to it as T grows: if it is
small, take a larger BETA. At a finite T it may be above that limit. The energy is that of the file, in its own units and with its own sign. --best names a best state: the variables in the order of their numbers.

If the states can be listed every number is exact, unless --chains is given. If a toy is a product of factors, such as ising, potts, qubo, rudy or a network, and has
more states than are listed (breadboard help sizes), or than memory or a day allow, runs are simulated, as many as --chains says, by --kernel flip, heatbath or heatbath-scan. The probabilities then have 95% intervals of Clopper and Pearson, TTS that of
p on the way, and the means standard errors. The optimum is exact by elimination within --memory, or by enumeration of up to 2^36 states, which takes a second
or two for 2^30. Else it is the best found, by a tabu search or by the chains, and not proven; the note says so. All rows of one file have the same optimum.

Best states are those whose log f is within 1e-9 of the largest. Below them, too, values within 1e-9 of the largest of a level count as it, also in the
means. --levels N also gives the distribution of the best value so far, if states are listed: a row for
each of the N largest values of log f, with the probabilities of that value or a larger one, and the time to it; 0 is all of them. The mean of the best
needs all values, and is empty if there are more than 32, or too many for the number of states, and not all are asked for. The states between the moves of a kernel that makes several in a stage, such as
heatbath-scan, do not count. Chains begin at the first distribution of the path, or at --start.`,
		Examples: `  breadboard success
  breadboard success --toy "qubo:problem.qubo:{1,2,4}" --kernel heatbath-scan -T 100,1000 --best
  breadboard success --toy qubo:problem.qubo:5 -T 100,300 --kernel flip,heatbath-scan --schedule linear,power:0.5
  breadboard success --toy ising:4x4:0.6 -T 10,100,1000 --kernel flip
  breadboard success --toy qubo:problem.qubo:5 -T 30,300 --kernel heatbath --levels 10
  breadboard success --toy barrier -T 100 --start point:0 --columns T,p_seen,tts
  breadboard success --toy ising:20x20:0.3 -T 100,1000 --kernel heatbath-scan --chains 1000 --seed 1`,
		Counts: "stages", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				{Name: "levels",
					To: study.Whole(&o.Levels, "N", 0, subject.MaxNumber)},
				{Name: "start", Doc: ", as point:0, mode or uniform (default the first distribution of the path)",
					To: study.Text(&o.Start)},
				{Name: "best", To: study.Switch(&o.Best)},
				{Name: "memory", Doc: "; of elimination, which finds the best of states that are not listed",
					To: study.Memory(&o.Memory)},
				{Name: "chains", Doc: "of products of factors; 0 is 1000 if their states cannot be listed", Swept: &chains, To: study.Whole(&o.Chains, "N", 0, mostChains)},
				study.SeedOption(&o.Seed, &seed),
			}
		}),
		Idle:    study.IdleOf(func(on []subject.Case, _ *Options) bool { return subject.Listed(on) }, "seed"),
		Columns: Columns(), Factored: true, Crossed: true,
		Plots: []columns.Plot{{
			Name: "success", Title: "Probability of success and time to solution by T", Log: "xy?|xy", X: "T", Y: "p_seen+p_end|tts",
			By:   "toy+level+path+initial+schedule+kernel",
			Band: "p_seen_low+p_seen_high+p_end_low+p_end_high|tts_low+tts_high", BandIs: "95% interval",
			XLabel: "number of distributions T", YLabel: "probability of success|time to solution (updates)", Kinds: "on the way|at the end|time to solution (updates)", Joined: true,
		}},
		Cost: cost, Sampled: func(o any) bool { return o.(*Options).Chains > 0 },
		Swept: &study.Swept{
			Parameters: subject.WithDefaults(subject.Parameters(), map[string][]string{"T": {"10", "100", "1000"}}), Build: build,
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
	if s.Sites == 0 { // measured: about thirty levels if climb.Check allows that many masses, and otherwise one
		start, moves := subject.StartSeconds*float64(s.States), 6.0
		if climb.Check(s.States, mostForMean/2) == nil {
			moves = 14
		}
		return subject.Cost{Seconds: start + min(moves*(s.Solution.Seconds-start), s.General.Seconds), Bytes: s.Solution.Bytes}
	}
	updates, chains := 1.0, float64(cmp.Or(s.Params.Int("chains"), standardChains))
	if s.Params.Get("kernel") == "heatbath-scan" {
		updates = float64(s.Sites)
	}
	return subject.Cost{Seconds: 1 + 1e-7*updates*chains*float64(s.Distributions), Bytes: 1e8}
}
