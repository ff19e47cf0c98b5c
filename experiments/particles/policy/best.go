package policy

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/policies"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Objectives lists what training can minimise.
func Objectives() []string {
	return []string{"B", "J", "kl_q_p", "kl_p_q", "path_q_p", "path_p_q", "db", "subtb", "tb"}
}

// BestOptions are the options of the search for the best parameter.
type BestOptions struct {
	By       []string
	Over     string // the parameter and its range, as c=0:2
	Sampling string // the paths of the losses: on-policy or uniform
	Lambda   float64
}

// samplings lists the paths on which losses are trained.
func samplings() []string { return []string{"on-policy", "uniform"} }

// BestRow is the optimum of an objective.
type BestRow struct {
	subject.Case
	Options   *BestOptions
	By        string
	At, Value float64        // the parameter with the least value; NaN if all values are infinite
	J, B      number.Bounded // at that parameter
	BestAt    float64        // the parameter with the least J
	BestJ     number.Bounded
	Curve     []Point // of J, B and all objectives, in ascending order, the same for all rows of a family
	low, high float64
}

// Point has the objectives at a value of the parameter.
type Point struct {
	At     float64
	Values map[string]float64
}

// Excess returns the difference of J from the least J.
func (r *BestRow) Excess() number.Bounded {
	if r.At == r.BestAt {
		return number.Exactly(0)
	}
	return r.J.Minus(r.BestJ)
}

// Note returns the caveats of an optimum.
func (r *BestRow) Note() string {
	switch {
	case math.IsNaN(r.At):
		return fmt.Sprintf("%s is infinite at all values", r.By)
	case r.Value > 0 && (r.At == r.low || r.At == r.high):
		return fmt.Sprintf("the optimum of %s is at an end of the range; give a wider one", r.By)
	}
	return ""
}

// span is a parameter with its range.
type span struct {
	name      string
	low, high float64
}

// parseSpan reads a range, as c=0:2.
func parseSpan(text string) (s span, err error) {
	name, ends, given := strings.Cut(text, "=")
	low, high, two := strings.Cut(ends, ":")
	s.name = name
	if !given || !two || name == "" || strings.ContainsAny(name, ":,") {
		return s, errs.New("{vary} %q; write the parameter and its range, as in {vary} c=0:2", text)
	}
	s.low, err = selector.ParseNumber(low)
	if err == nil {
		s.high, err = selector.ParseNumber(high)
	}
	if err == nil && s.low >= s.high {
		err = errs.New("the range is from %v to %v; write the smaller number first", s.low, s.high)
	}
	if err != nil {
		return s, errs.New("{vary} %q: %w", text, err)
	}
	return s, nil
}

// with returns the selector of a policy with a value of the parameter, and false if it has no such
// argument.
func (s *span) with(policy string, v float64) (string, bool) {
	parts := strings.Split(policy, ":")
	i := slices.Index(parts, s.name)
	if i < 1 {
		return policy, false
	}
	parts[i] = fmt.Sprint(v)
	return strings.Join(parts, ":"), true
}

func bestPlan(_ context.Context, cases []subject.Case, o *BestOptions) (none study.Plan[BestRow], err error) {
	s, err := parseSpan(o.Over)
	switch {
	case err != nil:
		return none, err
	case len(o.By) == 0:
		return none, errs.New("{objective} names no objective; leave it out for its default")
	case !slices.Contains(samplings(), o.Sampling):
		return none, selector.UnknownError("sampling", o.Sampling, samplings())
	}
	for _, by := range o.By {
		if !slices.Contains(Objectives(), by) {
			return none, selector.UnknownError("objective", by, Objectives())
		}
	}
	jobs := make([]study.Job[BestRow], len(cases))
	for i := range cases {
		c := &cases[i]
		policy := c.Param("policy")
		if err := known(Forms().Listing, policy); err != nil {
			return none, err
		}
		if _, has := s.with(policy, s.low); !has {
			return none, errs.New(
				"policy %s has no argument %s; write {policy} masked:local:%[2]s for {vary} %[3]s",
				policy,
				s.name,
				o.Over,
			)
		}
		jobs[i] = study.Job[BestRow]{
			Steps: steps,
			Rows: func(ctx context.Context, h study.How) ([]BestRow, error) {
				rows, err := bestRows(ctx, c, s, o, h)
				return rows, about(c, err)
			},
		}
	}
	return study.Jobs(jobs), nil
}

// search looks for the optima of a family of policies. Every value is computed once.
type search struct {
	c       *subject.Case
	span    span
	o       *BestOptions
	workers int
	known   map[float64]map[string]float64
	solved  map[float64]*policies.Solution
}

const (
	gridPoints  = 21
	refinements = 24 // golden sections, after which the range is a millionth of two steps of the grid
)

func bestRows(ctx context.Context, c *subject.Case, s span, o *BestOptions,
	h study.How) (rows []BestRow, err error) {
	f := &search{
		c:       c,
		span:    s,
		o:       o,
		workers: h.Workers,
		known:   map[float64]map[string]float64{},
		solved:  map[float64]*policies.Solution{},
	}
	add, done := h.Share(steps, gridPoints+refinements*(1+len(o.By)))
	defer done()
	for i := range gridPoints {
		if _, err := f.objectives(ctx, f.grid(i)); err != nil {
			return nil, err
		}
		add(1)
	}
	best, err := f.optimum(ctx, "J")
	if err != nil {
		return nil, err
	}
	leastJ := number.Exactly(math.Inf(1))
	if !math.IsNaN(best) {
		leastJ = f.solved[best].J
	}
	for _, by := range o.By {
		at, err := f.optimum(ctx, by)
		if err != nil {
			return nil, err
		}
		add(refinements)
		r := BestRow{
			Case:    *c,
			Options: o,
			By:      by,
			At:      at,
			Value:   math.Inf(1),
			J:       number.Exactly(math.NaN()),
			B:       number.Exactly(math.NaN()),
			BestAt:  best,
			BestJ:   leastJ,
			low:     s.low,
			high:    s.high,
		}
		if !math.IsNaN(at) {
			r.Value = f.known[at][by]
			r.J = f.solved[at].J
			r.B = f.solved[at].B
		}
		rows = append(rows, r)
	}
	curve := f.curve()
	for i := range rows {
		rows[i].Curve = curve
	}
	return rows, nil
}

// curve returns all that was computed.
func (f *search) curve() (list []Point) {
	for _, at := range slices.Sorted(maps.Keys(f.known)) {
		list = append(list, Point{at, f.known[at]})
	}
	return list
}

func (f *search) grid(i int) float64 {
	return f.span.low + (f.span.high-f.span.low)*float64(i)/(gridPoints-1)
}

// objectives returns all objectives at a value of the parameter.
func (f *search) objectives(ctx context.Context, v float64) (map[string]float64, error) {
	if all := f.known[v]; all != nil {
		return all, nil
	}
	policy, _ := f.span.with(f.c.Params.Get("policy"), v)
	m, err := Parse(policy, f.c.Toy)
	if err != nil {
		return nil, err
	}
	sol, err := policies.Solve(ctx, m, policies.Options{Workers: f.workers})
	if err != nil {
		return nil, err
	}
	all := map[string]float64{
		"J": sol.J.Value, "B": sol.B.Value, "kl_q_p": sol.KLQP.Value, "kl_p_q": sol.KLPQ.Value,
		"path_q_p": sol.KLForward.Value, "path_p_q": sol.KLReverse.Value,
	}
	if slices.ContainsFunc(f.o.By, func(by string) bool { _, known := all[by]; return !known }) {
		l, err := policies.LossesOf(ctx, m, policies.Sampling(slices.Index(samplings(), f.o.Sampling)), f.o.Lambda)
		if err != nil {
			return nil, err
		}
		all["db"], all["subtb"], all["tb"] = l.DB, l.SubTB, l.TB
	}
	f.known[v], f.solved[v] = all, sol
	return all, nil
}

// optimum returns the value with the least objective: the best of a grid, refined between its
// neighbours by golden sections. It is NaN if the objective is infinite on the whole grid.
func (f *search) optimum(ctx context.Context, by string) (float64, error) {
	best := 0
	for i := range gridPoints {
		if f.known[f.grid(i)][by] < f.known[f.grid(best)][by] {
			best = i
		}
	}
	if math.IsInf(f.known[f.grid(best)][by], 1) {
		return math.NaN(), nil
	}
	const golden = 0.6180339887498949
	low, high := f.grid(max(0, best-1)), f.grid(min(gridPoints-1, best+1))
	at := f.grid(best)
	inner := [2]float64{high - golden*(high-low), low + golden*(high-low)}
	for range refinements {
		var values [2]float64
		for i, v := range inner {
			all, err := f.objectives(ctx, v)
			if err != nil {
				return 0, err
			}
			values[i] = all[by]
			if values[i] < f.known[at][by] {
				at = v
			}
		}
		if values[0] <= values[1] {
			high = inner[1]
			inner = [2]float64{high - golden*(high-low), inner[0]}
		} else {
			low = inner[0]
			inner = [2]float64{inner[1], low + golden*(high-low)}
		}
	}
	return at, nil
}

// BestStudy declares the study of what training chooses.
func BestStudy() *study.Study[subject.Case, BestOptions, BestRow] {
	return study.New(BestOptions{
		By:       []string{"B", "J", "kl_q_p", "kl_p_q", "subtb"},
		Over:     "c=0:2",
		Sampling: samplings()[0],
		Lambda:   0.9,
	}, bestPlan,
		study.Declaration{
			Says: columns.Sentence{
				Text: "training by {by} chooses {optimum}: J is {J} nats there, and {least_J} at its best"},
			Name: "policy best",
			Most: maxPartial,
			Asks: "What does training by each objective choose, and how far off is J?",
			Help: `best finds at which value of a parameter of the policy each objective is least,
exactly, and J there.

The excess is J at this optimum minus the least J: what training by this
objective loses, however long it runs. path_q_p is log Z minus the ELBO, and
path_p_q the divergence that models of data minimise. db is detailed balance,
subtb subtrajectory balance with weights --lambda^length, and tb the variance
of log w. The name of the parameter replaces a number in the policy.

See breadboard help policies.`,
			Examples: `  breadboard policy best
  breadboard policy best --toy ising:3x3:0.6 --policy masked:local:c --objective B,J,path_p_q,subtb --vary c=0.5:2
  breadboard policy best --toy random:2:0:4x4 --policy ctmc:10:leap:r --vary r=0.5:20 --sampling uniform`,
			Counts: "policies", Workers: true,
			Options: study.OptionsOf(func(o *BestOptions) []study.Option {
				return []study.Option{
					{Name: "objective", Doc: ": " + strings.Join(Objectives(), ", "),
						To: study.Texts(&o.By)},
					{Name: "vary", To: study.Text(&o.Over)},
					{Name: "sampling", Doc: ": " + strings.Join(samplings(), ", "),
						To: study.Text(&o.Sampling)},
					{Name: "lambda", To: study.Number(&o.Lambda)},
				}
			}),
			Columns: bestColumns(),
			View:    reports.Untyped(bestReport),
			About:   &Selection{Toys: []string{"ising:2x3:0.6"}, Policies: []string{"masked:local:c"}},
			Tables: func(own reports.Schema) []reports.Schema {
				return []reports.Schema{
					own,
					{Table: "curves", Of: Curves(nil), InFile: true},
				}
			},
			Unswept: "its rows are optima that are compared with one another",
		})
}

func bestColumns() columns.List {
	nats := func(name, title, meaning string, of func(*BestRow) number.Bounded) columns.Field {
		return columns.Of(name, title, meaning, of).Absolute().In("nats")
	}
	return append(subject.CaseColumns((*BestRow).TheCase, "toy"), columns.List{
		columns.Of("policy", "policy", "the family of policies, with the parameter in its place",
			func(r *BestRow) string { return r.Param("policy") }),
		columns.Of("by", "trained by", "the objective", func(r *BestRow) string { return r.By }),
		columns.Of("optimum", "optimum",
			"the value of the parameter with the least objective; empty if that is infinite everywhere",
			func(r *BestRow) float64 { return r.At }).OrEmpty().Answer(),
		columns.Of("value", "objective", "the objective at the optimum, in nats, or nats squared for a loss",
			func(r *BestRow) float64 { return r.Value }),
		nats("J", "J there", "J at the optimum", func(r *BestRow) number.Bounded { return r.J }).Answer(),
		nats("B", "B there", "B at the optimum", func(r *BestRow) number.Bounded { return r.B }),
		nats("excess_J", "excess J", "J at the optimum less the least J", (*BestRow).Excess).Answer(),
		nats("least_J", "", "the least J of the family", func(r *BestRow) number.Bounded { return r.BestJ }),
		columns.Of("least_J_at", "", "the value of the parameter with the least J",
			func(r *BestRow) float64 { return r.BestAt }).OrEmpty(),
		columns.Of("sampling", "", "the paths of the losses", func(r *BestRow) string { return r.Options.Sampling }),
		columns.Of("lambda", "", "the weight of a subtrajectory for each of its steps",
			func(r *BestRow) float64 { return r.Options.Lambda }),
		columns.Note((*BestRow).Note),
	}...)
}
