package filters

import (
	"context"
	"fmt"
	"strings"

	"breadboard/chains/particle"
	"breadboard/experiments"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/study"
)

// name is that of the commands.
const name = "particles"

// Sampler declares the check of sequential Monte Carlo.
func Sampler() records.Sampler {
	return records.Sampler{
		Name: name, Is: "sequential Monte Carlo", Example: "smc", In: "plain Python",
		Asks:  "Test your own sequential Monte Carlo with two or three particles against its exact law",
		Help:  "particles tests your implementation of sequential Monte Carlo with resampling, in any language.",
		Tests: `of log Zhat, of the parents of all slots at every resampling, of the last states and of the output`,
		Sizes: `The law is enumerated, so that few particles, states and distributions are possible: two particles on three
states with T = 3, which is what it writes where nothing else is said, or three on two states, or four on two with T = 2. What is too
large is refused at once, with what fits.

--threshold 1 resamples at every stage, 0 never, and C where the effective sample size is below C times the number of particles:
since that size is never below 1, C must be above 0.5 for two particles.`,
		Reads: `They are log_z, output, last_i for every slot and ancestor_t_i for every stage and slot; each of these four kinds may be
missing.`,
		Specs:  []string{"", "--resample residual --threshold 0.75 ", "--particles 3 --toy random:2:0:2 "},
		Files:  []string{"runs", "conditional"},
		Begin:  begin,
		Decode: records.Decoder(name, taskOf),
	}
}

// begin returns the question of a task on the standard target.
func begin() *records.Question {
	number, resample, threshold, schemes := minParticles, particle.Systematic{}.String(), 1.0, particle.Forms()
	return &records.Question{
		Annealing: experiments.Selection{Toys: []string{"random:2:0:3"}}, Lengths: []int{3},
		Flags: []records.Flag{
			{Name: "particles", Doc: fmt.Sprintf("number of particles, %d to %d", minParticles, maxParticles), Value: study.Whole(&number, "int", 0, experiments.MaxNumber)},
			{Name: "resample", Doc: "resampling scheme: " + strings.Join(schemes.Listing.Syntaxes(), ", "), Value: study.Selector(&resample, schemes.Listing.Syntaxes()), Complete: schemes.Listing.Complete},
			{Name: "threshold", Doc: "when particles are resampled: 1 at every stage, 0 never, C where the effective sample size is below C times their number", Value: study.Number(&threshold)},
		},
		Make: func(ctx context.Context, c experiments.Case) (records.Task, error) {
			scheme, err := particle.ParseScheme(strings.TrimSpace(resample))
			if err != nil {
				return nil, err
			}
			return New(ctx, c, number, scheme, threshold)
		},
	}
}
