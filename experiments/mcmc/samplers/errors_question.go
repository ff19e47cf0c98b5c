package samplers

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports/columns"
)

// question is what is asked of one coordinate of a function of a problem, for all its starts and
// all numbers of samples at once, with the answers.
type question struct {
	problem  *Problem
	function int // its place among the functions of the problem
	part     *averages.Function
	averages.Question
	method averages.Method
	starts []int  // by start of the problem: its place among the starts of the question
	target int    // the place of the target among them
	left   []Note // on what was left out
	steps  int    // how many steps of the study it stands for
	leaves leaves

	errors   [][]averages.Errors
	ks       distances
	tau      Tau
	answered bool
}

// leaves says what is not found of a question, since no column that is wanted needs it.
type leaves struct{ distances, tau bool }

// only leaves out of a question what the columns that are wanted do not need. The method stays, and
// the errors by squaring those of the variance, which give the mean other roundings.
func (q *question) only(wanted columns.Wanted) {
	any := func(names string) bool { return wanted.Any(append(strings.Fields(names), "note")...) }
	q.leaves = leaves{distances: !any("ks2 R_ks ress_ks"), tau: !any("tau N_over_tau")}
	q.Variance = q.Variance && (q.method == averages.Squaring || any("rounding bias_var mse_var ress_var"))
	q.Distribution = q.Distribution && any("rounding cvm ress_cvm ks2_lower ks2_upper ks2 R_ks ress_ks")
}

// wholeFunction returns the function of which the question asks for a part.
func (q *question) wholeFunction() Function { return q.problem.Functions[q.function] }

// partsOf returns the questions of one function of a problem.
func partsOf(all []*question, p *Problem, function int) (parts []*question) {
	for _, q := range all {
		if q.problem == p && q.function == function {
			parts = append(parts, q)
		}
	}
	return parts
}

// questions returns the questions of the study, those of a problem and function together.
func (o ErrorsOptions) questions(problems []Problem) ([]*question, error) {
	if err := o.checkOptions(); err != nil {
		return nil, err
	}
	var all []*question
	for i := range problems {
		for f, function := range problems[i].Functions {
			for _, part := range function.Parts {
				q := o.question(&problems[i], f, part)
				if err := o.chooseMethod(q); err != nil {
					return nil, subject.NewFailure(problems[i].Parts(), fmt.Errorf("%s: %w", q.about(), err))
				}
				q.steps = q.countSteps()
				all = append(all, q)
			}
		}
	}
	return all, nil
}

// question returns a question to which no method has been found yet. It asks about the target too,
// which tells burn-in from mixing.
func (o ErrorsOptions) question(p *Problem, function int, part *averages.Function) *question {
	q := &question{problem: p, function: function, part: part}
	q.Function, q.N = part, slices.Compact(slices.Sorted(slices.Values(o.N)))
	wants := func(estimate string) bool {
		return len(o.Estimates) == 0 || slices.Contains(o.Estimates, estimate)
	}
	q.Variance, q.Distribution = wants(variance), wants(distribution)
	q.target = -1
	for _, s := range p.Starts {
		if s.Name == "target" { // which the moves of a warm-up do not change
			s.Law = p.Chain.Target
			q.target = len(q.Starts)
		}
		q.starts = append(q.starts, len(q.Starts))
		q.Starts = append(q.Starts, s.Law)
	}
	if q.target < 0 {
		q.target = len(q.Starts)
		q.Starts = append(q.Starts, p.Chain.Target)
	}
	return q
}

// chooseMethod finds the method of a question. If no estimate was named, and only Lanczos can
// answer, for the mean alone, the rest is left out.
func (o ErrorsOptions) chooseMethod(q *question) error {
	err := o.try(q)
	if err == nil || len(o.Estimates) > 0 {
		return err
	}
	mean := *q
	mean.Variance = false
	mean.Distribution = false
	switch failed := o.try(&mean); {
	case failed != nil && o.Method == string(averages.Lanczos):
		return failed
	case failed != nil || mean.method != averages.Lanczos:
		return err
	}
	mean.left = append(
		mean.left,
		Note{mean.about(), fmt.Sprintf("the variance and the distribution are omitted: %v", err)},
	)
	*q = mean
	return nil
}

// try finds the method of a question, or says why there is none.
func (o ErrorsOptions) try(q *question) (err error) {
	if o.Method == "" || o.Method == auto {
		q.method, err = q.problem.Chain.Fastest(q.Question)
		return err
	}
	q.method = averages.Method(o.Method)
	err = q.problem.Chain.Answers(context.Background(), q.Question, q.method)
	if err != nil {
		return errs.New("{method} %s: %w", o.Method, err)
	}
	return nil
}

// about says what a note or an error on all rows of the question is about.
func (q *question) about() string {
	return fmt.Sprintf("%s, function %s", q.problem.Name(), q.wholeFunction().Name)
}

// answer computes the errors, and what depends on no start. It reports the steps of the study,
// which are about milliseconds: those of the errors first, then those of the distances.
func (q *question) answer(ctx context.Context, h study.How) (err error) {
	errors, distances := q.seconds()
	first := int(float64(q.steps) * errors / (errors + distances))
	add, done := h.Share(first, q.problem.Chain.Steps(q.Question, q.method))
	q.Progress = add
	q.errors, err = q.problem.Chain.Errors(ctx, q.Question, q.method)
	if err != nil {
		return err
	}
	q.tau.Value = number.Exactly(math.NaN())
	if !q.leaves.tau {
		q.tau, err = q.problem.tau(ctx, q.part)
		if err != nil {
			return err
		}
	}
	done()
	add, done = h.Share(q.steps-first, parts)
	if q.Distribution && !q.leaves.distances {
		told := 0
		err = q.ks.findDistances(ctx, q, func(part float64) {
			now := int(parts * min(1, part))
			add(now - told)
			told = now
		})
	}
	done()
	return err
}

// parts is how finely the progress of the distances is reported.
const parts = 1000

// countSteps returns how many steps of the study a question stands for.
func (q *question) countSteps() int {
	const most = 1e12 // some thirty years, so that a sum of many fits an int
	errors, distances := q.seconds()
	return 1 + int(min(1000*(errors+distances), most))
}

// seconds returns about how long the errors and the Kolmogorov-Smirnov distances of a question take
// one processor.
func (q *question) seconds() (errors, distances float64) {
	for _, n := range q.N {
		if !q.Distribution || q.leaves.distances || len(q.part.Levels.Values) == 2 ||
			affordable(q, n) != nil {
			break
		}
		distances += q.freeSeconds(n)
		for _, s := range q.starts {
			distances += q.chainSeconds(s, n)
		}
	}
	return q.problem.Chain.Seconds(q.Question, q.method), distances
}

// freeSeconds and chainSeconds return about how long the distance of n independent draws takes, and
// that of a chain from a start.
func (q *question) freeSeconds(n int64) float64 { return 1e-9 * q.part.IndependentKSWork(int(n)) }

func (q *question) chainSeconds(start int, n int64) float64 {
	products, _ := q.problem.Chain.KSWork(q.part, q.Starts[start], int(n)) // zero where it is refused
	return 1e-9 * products
}

// distances are the exact Kolmogorov-Smirnov distances of a question, as far as they are known.
type distances struct {
	chains  [][]number.Bounded // E[KS^2] by start and, ascending, number of samples
	free    []float64          // of independent draws, by number of samples
	missing error              // why there are no more
}

// maxDistanceSteps is the largest number of steps that a distance may take: some seconds.
const maxDistanceSteps = 2e9

// findDistances computes the distances for the least numbers of samples, up to the first for which
// it is too much. Progress gets the part that is done.
func (d *distances) findDistances(ctx context.Context, q *question, progress func(part float64)) error {
	if d.findTwo(q) {
		return nil
	}
	d.chains = make([][]number.Bounded, len(q.Starts))
	_, all := q.seconds() // zero for a function of two values, and a third where only a start is
	done := 0.0
	within := func(seconds float64) func(part float64) {
		from := done
		done += seconds
		return func(part float64) { progress((from + part*seconds) / max(all, 1e-9)) }
	}
	for _, n := range q.N {
		d.missing = affordable(q, n)
		if d.missing != nil {
			return nil
		}
		free, err := q.part.IndependentKS(ctx, int(n), within(q.freeSeconds(n)))
		for i := 0; err == nil && i < len(q.starts); i++ {
			s := q.starts[i]
			var ks averages.KS
			ks, err = q.problem.Chain.KS(ctx, q.part, q.Starts[s], int(n), within(q.chainSeconds(s, n)))
			d.chains[s] = append(d.chains[s], number.Exactly(ks.Square))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			d.missing = err
			return nil
		}
		d.free = append(d.free, free.Square)
	}
	return nil
}

// findTwo finds the distances of a function with two values, and reports whether it is one: there
// is a single level at which distributions can differ, so that both bounds of the distance are the
// distance.
func (d *distances) findTwo(q *question) bool {
	if len(q.part.Levels.Values) != 2 {
		return false
	}
	for _, errors := range q.errors {
		var known []number.Bounded
		for _, e := range errors {
			if e.KS2Low != e.KS2High { // a chain from a state of probability zero that has a third value
				return false
			}
			known = append(known, e.KS2Low)
		}
		d.chains = append(d.chains, known)
	}
	for _, n := range q.N {
		d.free = append(d.free, q.part.Masses[0]*q.part.Masses[1]/float64(n))
	}
	return true
}

// affordable returns an error if the distance of a chain takes too many steps. Of n samples at L
// levels there are binomial(n + L - 1, L - 1) counts, and all of them for every number of samples
// up to n are one for each of binomial(n + L, L). Each of these takes a step for every entry of the
// transition matrix.
func affordable(q *question, n int64) error {
	steps := float64(len(q.problem.Chain.Rows.Entries))
	for i := range len(q.part.Levels.Values) {
		steps *= float64(n+int64(i)+1) / float64(i+1)
	}
	if steps > maxDistanceSteps {
		return errs.New("the counts of %d levels over %d samples take %.3g steps; the limit is %.0e",
			len(q.part.Levels.Values), n, steps,
			float64(maxDistanceSteps))
	}
	return nil
}
