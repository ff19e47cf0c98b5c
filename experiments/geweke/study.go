package geweke

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/external"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
)

// Study declares the study.
func Study() *study.Study[Model, Options, Row] {
	return &study.Study[Model, Options, Row]{
		Name: "geweke",
		Asks: "Do a model, its simulator and a kernel belong together? Geweke's joint test",
		Help: `geweke is the joint distribution test of Geweke (2004). There are two ways to draw latent variables z and data y of a model.
Forward, z is from the prior and y from the model given z. A chain begins with such a draw and alternates: z moves by the
kernel under p(z|y), and y is drawn anew given z. If all is right, both have exactly the same law after --rounds rounds.
Toys have few states z, and --kernel moves them. Models of any size (--model) are moved by the scan that their estimators use.

  mean_y, mean_y2, mean_y4, product_of_rows, log_joint
                        the rank of the end of each chain among 15 forward draws is uniform
  state                 the state of z at the end is a draw from the prior
  clusters_used, pairs_in_a_cluster, or attributes_on, pairs_with_an_attribute
                        so are these numbers, whose law is known exactly
  invariance            the kernel leaves p(z|y) invariant for three data sets that were drawn; this is exact

Models of any size have more numbers of z that are ranked, such as squares_of_u, with clustering:inferred also log_noise_variance
and the other hyperparameters, which are part of z there, and

  reversal              (z, z after a scan) has the law of (z after a scan back, z), by how much likelier the early variables
                        of the end are with the late ones of the beginning than the other way round
  reversal_of_hyperparameters
                        the same of hyperparameters and all other variables

A scan back in the wrong order leaves p(z|y) invariant, and only these two findings detect it. All but invariance are e-processes, which look
at the chains whenever there are twice as many: over all of them a false alarm has probability at most --alpha. An e-value near
0 or 1 is no evidence of a fault, and one of at least the tolerance is a fault. The exit code is then 1. The results are a
summary and the findings that say fault; -v shows all of them, and so do all formats but table.

A check of the kernel alone, as kernel check makes it, detects a kernel that does not leave p(z|y) invariant, and says where.
It cannot detect that p(z|y) is the posterior of another model than the one that the data come from; geweke can.

With --mutants it also tests models with planted bugs in p(z|y), in y given z and in the moves, and changes that do no harm;
the exit code is 1 where one is misjudged. With --out it also draws P-P plots of the statistics.`,
		Examples: `  breadboard geweke
  breadboard geweke --toy clu6,bin4 --kernel metropolis --rounds 20
  breadboard geweke --model clustering,lowrank:inferred --out results
  breadboard geweke --model clustering:3 --data-rows 6 --data-columns 4 --draws 10000
  breadboard geweke --toy model:points.toml --draws 10000 --out results
  breadboard geweke --toy clu4 --mutants`,
		Counts: "chains", Workers: "number of blocks of chains run at once",
		Standard: Options{Rounds: 10, Draws: 2048, Seed: 1, Alpha: check.DefaultAlpha},
		Options: []study.Option[Options]{
			{
				Name: "rounds", Doc: fmt.Sprintf("how often a chain moves z and draws y anew, 1 to %d", MaxRounds),
				Value: func(o *Options) study.Value { return study.Whole(&o.Rounds, "N", 0, experiments.MaxNumber) },
			},
			{
				Name: "draws", Doc: fmt.Sprintf("largest number of chains, %d to %d", firstLook, MaxDraws),
				Value: func(o *Options) study.Value { return study.Whole(&o.Draws, "N", 0, experiments.MaxNumber) },
			},
			{Name: "seed", Doc: "seed of all random numbers, 0 to 2^64-1", Value: func(o *Options) study.Value { return study.Seed(&o.Seed) }},
			{
				Name: "alpha", Doc: "largest probability of a false alarm in the run; where mutants are tested too, another one in the tests of all mutants",
				Value: func(o *Options) study.Value { return study.Number(&o.Alpha) },
			},
		},
		Plan:    plan,
		Unswept: "its answer is a verdict",
	}
}

// Selection says which models are tested.
type Selection struct {
	Toys     []string           // selectors of models of data on lattices
	Kernel   string             // the selector of the kernel of z given y, for models on lattices
	Models   []string           // selectors of models of any size, which their own scans move
	Size     Size               // of the data of these models
	Programs *external.Programs // nil refuses kernels in other programs
}

// These are the defaults of a selection.
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
	case o.Rounds < 1 || o.Rounds > MaxRounds:
		return p, chains.NewAdvice("{rounds} %d; give a whole number from 1 to %d", o.Rounds, MaxRounds)
	case o.Draws < firstLook || o.Draws > MaxDraws:
		return p, chains.NewAdvice("{draws} %d; a test looks at its chains for the first time after %d: give a whole number from there to %d", o.Draws, firstLook, MaxDraws)
	}
	if err := check.ValidateAlpha(o.Alpha); err != nil {
		return p, err
	}
	tests := 0
	for _, m := range list {
		tests += m.tested.tests()
		p.Steps += m.tested.chains(o.Draws)
	}
	threshold := math.Log(float64(tests) / o.Alpha)
	p.Run = func(ctx context.Context, h study.How) (rows []Row, err error) {
		for _, m := range list {
			r, err := m.tested.test(ctx, &runOptions{*o, h}, threshold)
			if err != nil && experiments.Ended(ctx, err) {
				return rows, experiments.NewUnfinished(len(rows), len(list), err)
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
