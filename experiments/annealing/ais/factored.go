package ais

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// OnFactors runs chains of a case on factors. If the tables of elimination fit, reverse chains
// start at exact draws, and log Z is exact. Otherwise chains run forward alone, Reverse is nil, and
// log Z is NaN. The exact means of log weights, and J, are not known. It reports a step for each
// kernel step of a chain.
func OnFactors(ctx context.Context, c subject.Case, o Options, h study.How) (Row, error) {
	r := Row{Case: c, Chains: o.Chains, Seed: o.Seed}
	f := c.Factored()
	ends, err := r.endsOf(ctx, f)
	if err != nil {
		return r, err
	}
	if err := r.anneal(ctx, f, ends, h); err != nil {
		return r, err
	}
	r.besideElimination(ends)
	return r, nil
}

// Quantity returns the named quantity, with NaN for all of its numbers if the row does not have it.
func (r *Row) Quantity(name string) Quantity {
	if i := slices.IndexFunc(r.Quantities, func(q Quantity) bool { return q.Name == name }); i >= 0 {
		return r.Quantities[i]
	}
	none := math.NaN()
	return Quantity{Name: name, Exact: none, Estimate: none, StandardError: none, z: none}
}

// ends are the ends of a path on factors.
type ends struct {
	first, last subject.End
	reached     float64 // the log of the part of Z_1 where reverse chains can end
	wide        error   // why nothing is known about the last end
}

// endsOf computes by elimination log Z at the ends of the path, and the draws at which chains
// start.
func (r *Row) endsOf(ctx context.Context, f *subject.Factored) (e ends, err error) {
	random := func(what string) *rand.Rand {
		return rand.New(simulate.NewStream(r.Seed, "ais "+r.Key()+what, 0))
	}
	e.first, err = f.FirstEnd(ctx, r.Chains, random(" first"))
	if err != nil {
		return e, err
	}
	e.last, e.wide, err = f.LastEnd(ctx, r.Chains, random(" draws"))
	if err != nil || e.wide != nil {
		e.reached = math.NaN()
		return e, err
	}
	e.reached, err = f.Reached(ctx, e.first)
	return e, err
}

// anneal runs the chains of both directions, or forward alone without draws from the target.
func (r *Row) anneal(ctx context.Context, f *subject.Factored, e ends, h study.How) error {
	r.Forward = &simulate.Batch{LogW: make([]float64, r.Chains)}
	directions := []*simulate.Batch{r.Forward}
	if e.wide == nil {
		r.Reverse = &simulate.Batch{LogW: make([]float64, r.Chains)}
		directions = append(directions, r.Reverse)
	}
	return subject.Parallel(
		ctx, len(directions)*subject.Blocks(r.Chains), h.Workers, func(ctx context.Context, i int) error {
			d := chains.Direction(i % len(directions))
			block := i / len(directions)
			end := e.first
			if d == chains.Reverse {
				end = e.last
			}
			c, from, to := f.Crowd(end, r.Chains, block,
				simulate.NewGenerator(simulate.ChainStream(r.Seed, "ais "+r.Key(), d, block)))
			logw, err := c.Anneal(
				f.Move,
				f.Betas,
				d == chains.Reverse,
				func(int) error { h.Add(to - from); return ctx.Err() },
			)
			into := directions[d].LogW[from:to]
			for lane := copy(into, logw); lane < len(into); lane++ {
				into[lane] = math.Inf(-1) // the chain started at a zero of f
			}
			return err
		})
}

// besideElimination compares estimates with the exact values of elimination.
func (r *Row) besideElimination(e ends) {
	r.logZRatio = e.last.LogZ - e.first.LogZ
	solution, law := unknown(r.logZRatio)
	r.Exact = solution
	lost := e.reached < e.first.LogZ-1e-12*(1+math.Abs(e.first.LogZ))
	if lost {
		r.Exact.MeanLogWForward = math.Inf(-1)
		r.Exact.B = math.Inf(1)
	}
	r.estimateQuantities(law)
	for i := range r.Quantities {
		switch q := &r.Quantities[i]; q.Name {
		case "log_mean_w_forward":
			q.Exact = r.logZRatio
			if r.Reverse != nil {
				q.sharpen(r.Reverse.LogW, 1, -r.logZRatio)
			}
			q.setBias(q.StandardError*q.StandardError, r.logZRatio)
		case "log_mean_w_reverse":
			q.Exact = e.last.LogZ - e.reached
			q.sharpen(r.Forward.LogW, -1, q.Exact+e.first.LogZ-e.reached)
			q.setBias(q.StandardError*q.StandardError, r.logZRatio)
			q.Bias = -q.Bias
		}
	}
	r.Exact.Notes = []string{r.between(e, lost)}
	r.shiftWeights(0)
}

// sharpen raises the standard error of the log of a mean weight to the value implied by chains of
// the other direction. By the ratio of the path distributions, the second moment of a forward
// weight is E w in reverse, and that of 1/w in reverse is E 1/w forward, each up to a constant with
// the given logarithm. A sample that has missed rare large weights does not show them, but chains
// of the other direction visit them.
func (q *Quantity) sharpen(other []float64, sign, constant float64) {
	var alive []float64
	for _, l := range other {
		if !math.IsInf(l, -1) {
			alive = append(alive, l)
		}
	}
	second := LogMeanExp(alive, sign).Value + number.Log(float64(len(alive))/float64(len(other))) + constant
	q.StandardError = max(q.StandardError, math.Sqrt(max(0, math.Expm1(second))/float64(len(other))))
}

// between states what is known exactly, and whether it lies between the means of both directions.
func (r *Row) between(e ends, lost bool) string {
	if e.wide != nil {
		return fmt.Sprintf("only estimates are known, and chains run forward alone, because there are no exact draws "+
			"from the target: %v. The mean log weight is a lower bound on log(Z_T/Z_1), on average",
			e.wide)
	}
	lies := "lies"
	rounding := 1e-9 * (1 + math.Abs(r.logZRatio))
	if low, high := r.Quantities[0].Estimate,
		r.Quantities[1].Estimate; !(low <= r.logZRatio+rounding && r.logZRatio <= high+rounding) {
		lies = "does not lie"
	}
	text := fmt.Sprintf(
		"there are too many states to list: only log(Z_T/Z_1) = %.10g is exact, by elimination, and it %s "+
			"between the means of both directions",
		r.logZRatio,
		lies,
	)
	if lost {
		text += fmt.Sprintf(
			"; a fraction 1 - exp(%.6g) of forward chains starts where f is zero, so that their mean log "+
				"weight is -inf",
			e.reached-e.first.LogZ,
		)
	}
	return text
}
