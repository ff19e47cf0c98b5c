package represent

import (
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// Study declares the study. Its cases are those of an expanded selection (see Expand).
func Study() *study.Study[experiments.Case, study.NoOptions, Row] {
	return &study.Study[experiments.Case, study.NoOptions, Row]{
		Name: "represent",
		Asks: "In which representation of a model is annealing best?",
		Help: `represent compares, exactly, the ways to write a model that differ in the latent variables that are summed out
(collapsed): J and B of annealing in each of them, beside work, the mean number of evaluations of log f in a
run. Each representation is also a target of its own for every other command, as low:collapsed or gridclu:z.

The marginal likelihood must be the same in every representation; the exit code is 1 if two differ by more than 1e-13. J of a
collapsed sampler is also J of its sample completed with the variables that were summed out, drawn from their
conditional distribution. Where variables are summed out one evaluation of log f costs more, which work does
not count.

With --out it also draws J and B against T and against work.`,
		Examples: `  breadboard represent
  breadboard represent --toy low,gridclu -T 10,100,1000 --out results
  breadboard represent --toy gridclu --kernel metropolis --format json`,
		Counts: "steps", Workers: "number of annealings solved at once; where there are fewer, several share a large one",
		Columns: fields(), Plan: plan,
		Unswept: "the rows of a model are held against each other, and a cell has one; a representation is a toy, which tightness sweeps",
	}
}
