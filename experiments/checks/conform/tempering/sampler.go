package tempering

import (
	"context"
	"fmt"
	"strings"

	"breadboard/chains/selector"
	"breadboard/chains/tempering"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// name is that of the commands.
const name = "tempering"

// Sampler declares the check of parallel tempering.
func Sampler() records.Sampler {
	return records.Sampler{
		Name: name, Is: "parallel tempering", Example: "tempering", In: "Python, with NumPy",
		Asks:  "Test your own parallel tempering against its exact distribution",
		Help:  "tempering tests your implementation of parallel tempering (replica exchange), in any language.",
		Tests: "of the swaps, the states, the rejections, log Zhat and the round trips",
		More:  "Most of these mistakes leave the distribution of every replica unchanged, so no test of invariance finds them.",
		Sizes: `The distributions are those of the states of all replicas together, so only few
states, rungs and scans are possible.

The path starts at --initial. From uniform, a swap ratio without the reference is
correct, so that mistake cannot be found.`,
		Reads: `Runs have the outcome of every swap, the last states, log_z and the mean rejections.
Trips are longer, and have swaps and round trips. Each kind of column may be
missing.`,
		Specs:  []string{"", "--scheme seo --scans 2 ", "--toy random:2:1:2 --ladder 0,0.2,0.5,1 --long-scans 6 "},
		Files:  []string{"runs", "trips"},
		Begin:  begin,
		Decode: records.Decoder(name, taskOf),
	}
}

// begin returns the question of a task on the standard target.
func begin() *records.Question {
	scheme, betas, scans, long := string(tempering.DEO), []float64{0, 0.3, 1}, maxScans, 5
	q := &records.Question{Most: maxStates, Annealing: subject.Selection{
		Toys: []string{"random:2:0:3"}, Distributions: []int{2}, Initial: "tempered:0.3",
		Path: subject.Default("path"), Schedule: subject.Default("schedule"), Kernel: "metropolis",
	}}
	targets, initials := toys.Forms(), toys.InitialForms()
	q.Flags = []records.Flag{
		{Name: "toy", Value: study.Selector(&q.Annealing.Toys[0], targets.Listing.Syntaxes()),
			Complete: targets.Listing.Complete},
		{Name: "initial", Doc: ": " + strings.Join(initials.Listing.Syntaxes(), ", "),
			Value: study.Selector(&q.Annealing.Initial, initials.Listing.Syntaxes()), Complete: initials.Listing.Complete},
		{Name: "ladder", Value: study.Numbers(&betas)},
		{Name: "scheme", Value: study.Text(&scheme),
			Complete: func(typed string, _ selector.Beyond) []selector.Completion {
				return selector.Beginning(selector.Plain(tempering.Schemes()), typed)
			}},
		{Name: "scans", Doc: fmt.Sprintf("of a run, 2 to %d", maxScans), Value: study.Whole(&scans, "N", 0, subject.MaxNumber)},
		{Name: "long-scans", Value: study.Whole(&long, "N", 0, subject.MaxNumber)},
	}
	q.Make = func(ctx context.Context, c subject.Case) (records.Task, error) {
		return New(ctx, c, betas, tempering.Scheme(scheme), scans, long)
	}
	return q
}
