// Package gap answers: how much does each stage contribute to B - J? It checks that the
// contributions of the stages add up. It never prints, draws or reads flags.
//
// B - J is divided exactly among the stages, in both directions. The table for people sums the
// contributions over groups of consecutive stages; csv and json have every stage. The last rows are
// B - J, J and B:
//
//	$ breadboard gap --toy barrier -T 5
//	 toy     │ T │ stages │ beta │ forward (nats) │ reverse (nats) │ both (nats) │ cumulative │ Jeffreys at t (nats)
//	─────────┼───┼────────┼──────┼────────────────┼────────────────┼─────────────┼────────────┼──────────────────────
//	 barrier │ 5 │ 2      │ 0.25 │       0.258658 │       0.116086 │    0.374745 │      30.9% │              2.71673
//	 barrier │ 5 │ 3      │  0.5 │       0.281323 │      0.0691468 │     0.35047 │      59.8% │              2.53674
//	 barrier │ 5 │ 4      │ 0.75 │       0.244465 │      0.0410779 │    0.285543 │     83.34% │              2.30821
//	 barrier │ 5 │ 5      │    1 │       0.178316 │      0.0237258 │    0.202042 │       100% │              2.10617
//	 barrier │ 5 │ B - J  │      │       0.962762 │       0.250037 │      1.2128 │            │
//	 barrier │ 5 │ J      │      │        1.21514 │        0.89103 │     2.10617 │            │
//	 barrier │ 5 │ B      │      │         2.1779 │        1.14107 │     3.31897 │            │
package gap

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact"
	"breadboard/exact/stages"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Row holds the contributions of the stages to B - J of one annealing.
type Row struct {
	subject.Case
	*stages.Gap
	Solution   *exact.Solution // J and B, computed independently of the stages
	Identities []exact.Identity
}

// OK reports whether all identities hold.
func (g *Row) OK() bool {
	for _, i := range g.Identities {
		if !i.OK {
			return false
		}
	}
	return true
}

// maxStages is the largest number of stages in one study. Each stage is a row of its table.
const maxStages = 1_000_000

// plan refuses more stages than a table may have rows. Its errors name the case.
func plan(_ context.Context, cases []subject.Case, _ *study.NoOptions) (study.Plan[Row], error) {
	stages := 0
	for i := range cases {
		stages += cases[i].Distributions()
		if stages > maxStages {
			return study.Plan[Row]{}, errs.New(
				"more than %d stages, each of them a row of the table; give smaller numbers of "+
					"distributions, or fewer toys",
				maxStages,
			)
		}
	}
	return study.Each(cases, func(c *subject.Case) int { return 4 * (c.Distributions() - 1) }, rowOf), nil
}

// rowOf computes the contribution of each stage of a case to B - J, and checks their sums against B
// and J of exact.Solve.
func rowOf(ctx context.Context, c *subject.Case, h study.How) (r Row, err error) {
	r.Case = *c
	r.Gap, err = stages.GapByStage(ctx, c.Annealing(), h.Progress)
	if err != nil {
		return r, c.Wrong(err)
	}
	r.Solution, err = exact.Solve(ctx, c.Annealing(), exact.Options{Progress: h.Progress, Workers: h.Workers})
	if err != nil {
		return r, c.Wrong(err)
	}
	r.Identities = r.CheckSolution(r.Solution)
	return r, nil
}

// Span is a group of consecutive stages with its contributions to B - J.
type Span struct {
	First, Last        int     // the first and the last stage
	BetaFrom, BetaTo   float64 // the betas before the first stage and at the last one
	Forward, Reverse   float64 // the sums of the forward and of the reverse brackets of these stages
	AllForward, AllRev float64 // the same sums over all stages up to the last one
	// the Jeffreys divergence between the distributions of x_t in both chains, at the last stage
	Jeffreys float64
}

// lines is the number of groups of stages of an annealing in the table for people.
const lines = 20

// Stages returns the numbers of the stages, as 6-10.
func (s *Span) Stages() string {
	if s.First == s.Last {
		return strconv.Itoa(s.Last)
	}
	return fmt.Sprintf("%d-%d", s.First, s.Last)
}

// Param returns a parameter of the case, or the stages that contribute most in the table for
// people.
func (g *Row) Param(name string) string {
	if name != "stages" {
		return g.Case.Param(name)
	}
	s := slices.MaxFunc(g.Spans(lines),
		func(a, b Span) int { return cmp.Compare(a.Forward+a.Reverse, b.Forward+b.Reverse) })
	return s.Stages()
}

// Spans divides the stages into n groups of equal length, or into single stages if there are fewer
// than n.
func (g *Row) Spans(n int) []Span {
	n = min(n, len(g.Stages))
	spans := make([]Span, n)
	forward := 0.0
	reverse := 0.0
	beta := 0.0
	for i := range spans {
		stages := g.Stages[i*len(g.Stages)/n : (i+1)*len(g.Stages)/n]
		last := stages[len(stages)-1]
		s := Span{
			First:    stages[0].Stage,
			Last:     last.Stage,
			BetaFrom: beta,
			BetaTo:   last.Beta,
			Jeffreys: last.Jeffreys,
		}
		for _, stage := range stages {
			s.Forward += stage.Forward
			s.Reverse += stage.Reverse
		}
		forward += s.Forward
		reverse += s.Reverse
		beta = s.BetaTo
		s.AllForward = forward
		s.AllRev = reverse
		spans[i] = s
	}
	return spans
}

// wholeSpan returns the span of all stages.
func (g *Row) wholeSpan() Span { return g.Spans(1)[0] }

// worst returns the stage with the largest contribution.
func (g *Row) worst() stages.StageGap {
	return slices.MaxFunc(g.Stages,
		func(a, b stages.StageGap) int { return cmp.Compare(a.Forward+a.Reverse, b.Forward+b.Reverse) })
}

// Study declares the study. A sweep keeps sums over the stages, and the stage with the largest
// contribution.
func Study() *study.Study[subject.Case, study.NoOptions, Row] {
	return study.New(study.NoOptions{}, plan, study.Declaration{
		Says: columns.Sentence{
			Text: "{toy}, T = {T}: B - J is {gap} nats, and stages {stages} contribute most"},
		Name: "gap",
		Asks: "Which stages contribute to B - J?",
		Help: `gap shows how much each stage of the annealing adds to B - J, exactly.

B is the sum of two divergences between forward and reverse chains. Each is a
divergence of J plus a contribution of each stage t, which is never negative:
forward KL(q_{t-1} || p_t) - KL(q_t || p_t), where q_t is the distribution of
x_t. The table adds groups of stages; csv and json have every stage, and a row
of kind final with J. The exit code is 1 if the sums are not J and B.

See breadboard help terms.`,
		Examples: `  breadboard gap
  breadboard gap --toy barrier -T 100 --format json
  breadboard gap --toy hard -T 1000 --schedule sigmoid --out results`,
		Counts: "stages", Workers: true,
		Columns: kept(),
		Cost:    cost,
		View:    reports.Untyped(Report),
		About:   subject.Annealed(100),
		Tables: func(_ reports.Schema) []reports.Schema {
			return []reports.Schema{
				{Table: "gap", Of: StageTable(nil), People: Table(nil)},
			}
		},
		Swept: &study.Swept{
			Parameters: subject.Parameters(), Subject: study.TheCase, Note: study.NoteOf(note),
		},
	})
}

// kept lists the columns of sweeps.
func kept() columns.List {
	nats := func(name, meaning string, shown bool, low float64, of func(*Row) number.Bounded) columns.Field {
		return columns.Of(name, "(nats)", meaning, of).Keep(columns.Kept{Low: low, High: math.Inf(1), Shown: shown})
	}
	divergence := func(name, meaning string, shown bool, low float64,
		of func(*Row) (v float64, terms int)) columns.Field {
		return nats(name, meaning, shown,
			low, func(r *Row) number.Bounded { return r.Solution.Divergence(of(r)) }).Missing()
	}
	return columns.List{
		nats("J", "the Jeffreys divergence between output and target", true, 0,
			func(r *Row) number.Bounded { return r.Solution.Numbers().J }).Missing(),
		nats("B", "the bidirectional Monte Carlo bound on J", true, math.Inf(-1),
			func(r *Row) number.Bounded { return r.Solution.Numbers().B }).Missing(),
		divergence("gap", "B - J, as the sum of the contributions of the stages", true, underflow,
			func(r *Row) (float64, int) {
				s := r.wholeSpan()
				return s.Forward + s.Reverse, 2 * len(r.Stages)
			}),
		divergence("gap_forward", "the part of gap from forward chains", false, underflow,
			func(r *Row) (float64, int) { return r.wholeSpan().Forward, len(r.Stages) }),
		divergence("gap_reverse", "the part of gap from reverse chains", false, underflow,
			func(r *Row) (float64, int) { return r.wholeSpan().Reverse, len(r.Stages) }),
		columns.Of("worst_stage", "", "the stage with the largest contribution",
			func(r *Row) float64 { return float64(r.worst().Stage) }).Within(2,
			maxStages+1).Shown(),
		divergence("worst_gap", "the contribution of that stage", true, underflow,
			func(r *Row) (float64, int) { s := r.worst(); return s.Forward + s.Reverse, 2 }),
		columns.Of("worst_beta", "", "the beta of that stage",
			func(r *Row) float64 { return r.worst().Beta }).Within(0, 1).Shown(),
		divergence("kl_q_p", "KL(q(x_T) || p_T)", false, 0, func(r *Row) (float64, int) { return r.KLQP, 1 }),
		divergence("kl_p_q", "KL(p_T || q(x_T))", false, 0, func(r *Row) (float64, int) { return r.KLPQ, 1 }),
	}
}

// underflow is how far below zero underflow may move a nonnegative number (see
// stages.Gap.CheckSolution).
const underflow = -0x1p-1022

// note returns the notes of the solution. A violated identity is an error.
func note(r *Row) (string, error) {
	for _, i := range r.Identities {
		if !i.OK {
			return "", fmt.Errorf("%s: %v and %v differ by more than rounding", i.Name, i.Got, i.Want)
		}
	}
	return strings.Join(r.Solution.Notes, "; "), nil
}

// stagesCost is measured: the time of the three sweeps over the stages, relative to a solution by
// the general method.
const stagesCost = 4

// cost estimates the time and memory of a row.
func cost(s subject.Size) subject.Cost {
	kept := 2 * math.Sqrt(float64(s.Distributions)) * float64(s.States)
	return subject.Cost{
		Seconds: s.Solution.Seconds + stagesCost*s.General.Seconds, Kept: kept * stages.RatiosBytes,
		Bytes: s.Solution.Bytes + s.General.Bytes + kept*16 + 200*float64(s.Distributions),
	}
}
