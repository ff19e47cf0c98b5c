// Package policy answers: how far is the output of a learned sampler from its target, and how tight
// is the bound from its paths? It makes pairs of policies for a target, like those of samplers that
// are trained on discrete spaces: masked diffusion, any-order models, GFlowNets, jump processes and
// twisted SMC. It never trains a network.
//
//	breadboard policy --toy ising:3x3:0.6 --policy masked:local:1,masked:exact
//	breadboard policy best --toy ising:3x3:0.6 --policy masked:local:c --vary c=0:2
//	breadboard policy twist --toy random:2:0:3x3x3 --twist none,lookahead:1,exact
package policy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/policies"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// Selection names pairs of policies by their selectors: each on every target.
type Selection struct {
	subject.Reader
	Toys     []string
	Policies []string
}

// Cases returns the cases of a selection, whose policies are not made yet. Cases whose target
// cannot be read are omitted, with the error Failures.
func (s Selection) Cases(ctx context.Context) (cases []subject.Case, err error) {
	if len(s.Toys) == 0 || len(s.Policies) == 0 {
		return nil, errs.New("name a target and a policy, as in {toy} ising:3x3:0.6 {policy} masked:local:1")
	}
	var failed subject.Failures
	err = subject.EachToy(ctx, s.Toys, s.ParseToy, &failed, func(_ string, toy *toys.Toy) error {
		for _, policy := range s.Policies {
			c := caseOf(s.Reader, toy, strings.TrimSpace(policy))
			size := subject.Size{Params: c.Params, States: toy.Space.States()}
			if space := toy.Lattice(); space != nil {
				size.Sites = space.Dims()
			}
			err := about(&c, s.CheckCost(size))
			if err == nil {
				cases = append(cases, c)
			} else if err := failed.Keep(ctx, err); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return cases, failed.OrNil()
}

func caseOf(in subject.Reader, toy *toys.Toy, policy string) subject.Case {
	return subject.Case{Toy: toy, Params: subject.Params{{Name: "policy", Value: policy}}, Reader: in}
}

// Options are the options of the study.
type Options struct {
	Samples []int // the numbers of independent paths whose bounds on log Z are given
}

// Row holds the numbers of a pair of policies on a target, with the bounds of a number of paths.
type Row struct {
	subject.Case
	*policies.Solution
	Samples      int
	Lower, Upper number.Bounded // the expected bounds on log Z of that many paths; NaN if they are not known
	Output       []float64      // q of each state of the target; nil if there are many
	Remarks      []string
}

// Policy returns the selector of the policies.
func (r *Row) Policy() string { return r.Param("policy") }

// Worst returns the layer whose steps contribute most to B - J, and the contribution; NaN and 0 if
// none does.
func (r *Row) Worst() (layer float64, gap number.Bounded) {
	layer = math.NaN()
	for i, g := range r.Layers {
		if both := g.Forward.Plus(g.Reverse); both.Value > gap.Value {
			layer = float64(i + 1)
			gap = both
		}
	}
	return layer, gap
}

// about adds the case to an error, which names the policy itself.
func about(c *subject.Case, err error) error {
	if err == nil {
		return nil
	}
	return subject.NewFailure(c.Parts(), fmt.Errorf("toy %s: %w", c.Toy.Title(), err))
}

// steps is what the work on a pair of policies counts as progress.
const steps = 100

func plan(_ context.Context, cases []subject.Case, o *Options) (none study.Plan[Row], err error) {
	if len(o.Samples) == 0 {
		return none, errs.New("{samples} needs a number of paths; leave it out for 1")
	}
	for i := range cases {
		if err := known(Forms().Listing, cases[i].Params.Get("policy")); err != nil {
			return none, err
		}
	}
	jobs := make([]study.Job[Row], len(cases))
	for i := range cases {
		jobs[i] = study.Job[Row]{Steps: steps, Rows: func(ctx context.Context, h study.How) ([]Row, error) {
			rows, err := rowsOf(ctx, &cases[i], o, h)
			return rows, about(&cases[i], err)
		}}
	}
	return study.Jobs(jobs), nil
}

// known returns an error if no form has the name of a selector.
func known(forms *selector.Listing, text string) error {
	_, text, err := forms.CutName(text)
	if err == nil && !forms.Named(text) {
		err = forms.Unknown(text)
	}
	return err
}

// mostVisits is the largest number of states of all layers with which the output is in a table.
const mostVisits = 1 << 17

// rowsOf returns a row for each number of paths.
func rowsOf(ctx context.Context, c *subject.Case, o *Options, h study.How) (rows []Row, err error) {
	m, err := Parse(c.Params.Get("policy"), c.Toy)
	if err != nil {
		return nil, err
	}
	many := slices.ContainsFunc(o.Samples, func(k int) bool { return k > 1 })
	parts := policies.Steps(m)
	if many {
		parts += policies.BoundSteps
	}
	add, done := h.Share(steps, parts)
	sol, err := policies.Solve(
		ctx,
		m,
		policies.Options{Workers: h.Workers, Progress: add, Visits: m.Size() <= mostVisits},
	)
	if err != nil {
		return nil, err
	}
	var output []float64
	for x, q := range sol.Visits {
		if _, ends := m.Target(x); ends { // in the order of the states of the target, in every model
			output = append(output, q)
		}
	}
	lower := slices.Repeat([]number.Bounded{number.Exactly(math.NaN())}, len(o.Samples))
	upper := lower
	unknown := error(nil)
	if many {
		if w, err := policies.WeightsOf(ctx, m, sol); errors.Is(err, policies.ErrManyWeights) {
			unknown = err
		} else if err != nil {
			return nil, err
		} else if lower, upper, err = w.Bounds(ctx, o.Samples, add); err != nil {
			return nil, err
		}
	}
	done()
	for i, k := range o.Samples {
		r := Row{
			Case:     *c,
			Solution: sol,
			Samples:  k,
			Lower:    sol.MeanLogWForward,
			Upper:    sol.MeanLogWReverse,
			Output:   output,
			Remarks:  remarks(m, sol),
		}
		if k > 1 {
			logZ := number.UpTo(sol.LogZ, 0x1p-52*(1+math.Abs(sol.LogZ)))
			r.Lower, r.Upper = lower[i].Plus(logZ), upper[i].Plus(logZ)
			if unknown != nil {
				r.Remarks = append(r.Remarks, unknown.Error())
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// remarks say why numbers are infinite, and what was done to the rows of a file.
func remarks(m policies.Model, sol *policies.Solution) (notes []string) {
	if math.IsInf(sol.KLForward.Value, 1) {
		notes = append(notes,
			fmt.Sprintf("forward paths make steps, with probability %.3g, that no backward path makes: w is zero "+
				"there, and KL(path_fwd || path_rev) infinite",
				sol.ForwardLost))
	}
	if math.IsInf(sol.KLReverse.Value, 1) {
		notes = append(notes,
			fmt.Sprintf("backward paths make steps, with probability %.3g, that no forward path makes: w is "+
				"infinite there, and KL(path_rev || path_fwd) too",
				sol.ReverseLost))
	}
	if t, is := m.(*policies.Table); is {
		notes = append(notes, scaledRows(t.Scaled)...)
	}
	return notes
}

// scaledRows notes what was done to the rows of a file.
func scaledRows(off float64) []string {
	if off <= 1e-12 {
		return nil
	}
	return []string{fmt.Sprintf("rows were divided by their sums, which differ from one by up to %.1g", off)}
}
