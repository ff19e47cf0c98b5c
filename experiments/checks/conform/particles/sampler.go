package particles

import (
	"context"
	"fmt"
	"strings"

	"breadboard/chains/particle"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/toys/models"
)

// name is that of the commands.
const name = "particles"

// Sampler declares the check of sequential Monte Carlo.
func Sampler() records.Sampler {
	return records.Sampler{
		Name: name, Is: "sequential Monte Carlo", Example: "smc", In: "plain Python",
		Asks:  "Test your own sequential Monte Carlo with a few particles against its exact distribution",
		Help:  "particles tests your implementation of sequential Monte Carlo with resampling, in any language.",
		Tests: `of log Zhat, of the parents of all slots at every resampling, of the last states and of the output`,
		Sizes: `The distribution is enumerated, so only few particles, states and distributions are
possible: two particles on three states with T = 3 (the default), three on two
states, or four on two with T = 2. Larger tasks are refused at once, with a size
that is possible.

--hmm tests a bootstrap particle filter: particles start from the initial
distribution of a hidden Markov model, are weighted by its emissions, and move by
its transitions; Zhat estimates the probability of the observations. weather has
two hidden states, wear has three, which differ less. A file has the format of smc
gibbs.

--unordered is for programs in which the order of particles has no meaning: the
states of each stage are read as a multiset, and there are no parents. The default,
slots in order, detects more. With --unordered more particles are possible, 10 on
six states with T = 4, because only the number of particles in each state is
tracked. It needs multinomial or residual resampling at every stage, and has no
conditional runs. The distributions of the states of each stage given the previous
ones, and of log Zhat given the states, are then exact.

--threshold 1 resamples at every stage, 0 never, and C if the effective sample size
is below C times the number of particles. That size is never below 1, so C must be
above 0.5 for two particles.`,
		Reads: `They are log_z, output, last_i for every slot and ancestor_t_i for every stage and
slot; without an order of slots, log_z, output and state_t_i for every stage. Each
kind may be missing. log_z alone is tested by its distribution or, with too many
particles to list it, by the means of the powers of Zhat; the first of these is Z.`,
		Specs: []string{"", "--resample residual --threshold 0.75 ", "--particles 3 --toy random:2:0:2 ", "--hmm wear --observations 3 ",
			"--hmm wear --particles 8 --resample residual --unordered "},
		Files:  []string{"runs", "conditional"},
		Begin:  begin,
		Decode: records.Decoder(name, taskOf),
	}
}

// begin returns the question of a task on the standard target.
func begin() *records.Question {
	number, resample, threshold, schemes := minParticles, particle.Systematic{}.String(), 1.0, particle.Forms()
	hmm, observations, unordered := "", 3, false
	setting := func() (Setting, error) {
		scheme, err := particle.ParseScheme(strings.TrimSpace(resample))
		return Setting{number, scheme, threshold, unordered}, err
	}
	return &records.Question{
		Annealing: subject.Selection{Toys: []string{"random:2:0:3"}}, Lengths: []int{3}, Most: maxStates,
		Flags: []records.Flag{
			{Name: "particles", Doc: fmt.Sprintf(", %d to %d, or more if unordered", minParticles, maxParticles),
				Value: study.Whole(&number, "P", 0, subject.MaxNumber)},
			{Name: "resample", Doc: ": " + strings.Join(schemes.Listing.Syntaxes(), ", "),
				Value: study.Selector(&resample, schemes.Listing.Syntaxes()), Complete: schemes.Listing.Complete},
			{Name: "threshold",
				Value: study.Number(&threshold)},
			{Name: "unordered",
				Value: study.Switch(&unordered)},
			{Name: "hmm", Doc: ": " + strings.Join(models.BuiltInHMMs(), ", ") +
				", or a file with pi, A, E and y, in place of an annealing", Value: study.Text(&hmm), Complete: study.Among(models.BuiltInHMMs()...)},
			{Name: "observations", Value: study.Whole(&observations, "N", 1, subject.MaxNumber)},
		},
		Make: func(ctx context.Context, c subject.Case) (records.Task, error) {
			s, err := setting()
			if err != nil {
				return nil, err
			}
			return New(ctx, c, s)
		},
		Instead: "hmm",
		Model: func() (records.Task, error) {
			s, err := setting()
			if err != nil {
				return nil, err
			}
			h, err := models.NamedHMM(hmm)
			if err != nil {
				return nil, err
			}
			return NewModel(h, hmm, observations, s)
		},
	}
}
