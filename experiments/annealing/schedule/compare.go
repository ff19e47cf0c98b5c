package schedule

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/gradient"
	"breadboard/experiments/annealing/success"
	"breadboard/experiments/placement"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// CompareOptions are the schedules to compare, and their order.
type CompareOptions struct {
	// Schedules are families, named by the selectors of placement.Parse. The best ones, such as
	// best:B, are searched after the others, and from these too.
	Schedules []string
}

// families returns the selectors of the families that are compared by default.
func families() []string {
	return []string{"linear", "sigmoid:4", "power:2", "geometric:0.01", "fisher", "friction", "acceptance",
		"step-kl", "cess"}
}

// standardSchedules are those that are compared unless others are listed.
func standardSchedules() []string {
	return append(families(), placement.BestName(gradient.ObjectiveB), placement.BestName(gradient.ObjectiveJ))
}

// Compare declares the study that compares families of schedules and the best schedules for B and
// for J. A case has a row for each family, and then one for each best schedule, whose search starts
// from all rows before it. The case's own schedule is ignored.
func Compare() *study.Study[subject.Case, CompareOptions, Row] {
	return study.New(CompareOptions{Schedules: standardSchedules()}, comparePlan, study.Declaration{
		Says: columns.Sentence{
			Least: "B",
			Text:  "{toy}, T = {T}: the schedule {schedule} has the smallest B, {B} nats",
		},
		Name: "schedule compare",
		Asks: "Which schedule gives the smallest B and J?",
		Help: `compare shows which schedule gives the smallest B and J, exactly, and how far
each is from the best possible schedule.

best, best:J and best:success are searched as by schedule optimize, which takes
most of the time. own=file:PATH gives a schedule in a file a name. The column T
B is the limit of T times B for large T. It is smallest for best and friction.
If there are many states the limit takes minutes, and is omitted unless
friction or a best schedule is listed.

See breadboard help reference schedules.`,
		Examples: `  breadboard schedule compare
  breadboard schedule compare --toy barrier -T 10,100,1000 --schedule linear,sigmoid:4,friction
  breadboard schedule compare --toy easy -T 10 --schedule linear,own=file:betas.csv,best
  breadboard schedule compare --toy easy,barrier --schedule linear,friction --until "J<0.1"`,
		Counts: countsGradients, Workers: true,
		Options: study.OptionsOf(func(o *CompareOptions) []study.Option {
			return []study.Option{
				{Name: "schedule", To: study.Selectors(&o.Schedules, placement.Forms().Listing.Named)},
			}
		}),
		Columns: compareColumns(),
		Cost: func(s subject.Size) subject.Cost {
			c := subject.Cost{Seconds: 9 * s.General.Seconds, Bytes: s.Solution.Bytes}
			for text := range strings.SplitSeq(s.Params.Get(":schedule"), ",") {
				if f, err := placement.Parse(text, placement.Forms()); err == nil && f.Objective != "" {
					search := searchCost(s, f.Objective)
					c.Seconds += search.Seconds
					c.Bytes = search.Bytes
				}
			}
			return c
		},
		Size:  &study.Size{Least: 2, Most: 1_000_000, Apart: "schedule"},
		View:  reports.Untyped(comparedReport),
		About: subject.Annealed(10, 20, 40).Scheduled("linear"),
		Tables: func(_ reports.Schema) []reports.Schema {
			return []reports.Schema{
				{Table: "schedule_compare", Of: comparedSchedules(nil)},
			}
		},
		Unswept: "it has a row for each schedule; instead sweep schedule optimize, with schedules in the grid",
	})
}

// compareColumns lists the columns of the study.
func compareColumns() columns.List {
	return slices.Concat(subject.WholeCase((*Row).TheCase),
		columns.List{
			columns.Of("B", "B (nats)", columns.MeansB, func(r *Row) number.Bounded { return r.B }).Answer(),
			columns.Of("J", "J (nats)", columns.MeansJ, func(r *Row) number.Bounded { return r.J }).Answer(),
			columns.Of("B_over_optimum", "B/best",
				"B divided by the smallest B of any schedule",
				func(r *Row) number.Bounded { return r.BOverOptimum }).Answer().Digits(5),
			columns.Of("J_over_optimum", "J/best",
				"J divided by the smallest J of any schedule",
				func(r *Row) number.Bounded { return r.JOverOptimum }).Answer().Digits(5),
		},
		columns.List{
			columns.Of("asymptotic_TB", "T B, T large (nats)",
				"the limit of T B as T grows; +Inf if B does not fall like 1/T",
				func(r *Row) number.Bounded { return r.AsymptoticTB }).Digits(9),
			columns.Note(func(r *Row) string { return r.Note }),
		})
}

// comparePlan refuses a schedule that stands alone and cannot be read, and, if only best schedules
// are requested, cases that cannot have one. A schedule of several that a case cannot have is a row
// with a note, and an error if it was listed.
func comparePlan(_ context.Context, cases []subject.Case, o *CompareOptions) (study.Plan[Row], error) {
	families, best, err := parseFamilies(o.Schedules)
	if err == nil && len(families) == 0 {
		for _, f := range best {
			err = cmp.Or(err, checkProblems(cases, f.Objective))
		}
	}
	jobs := make([]study.Job[Row], len(cases))
	for i, c := range cases {
		jobs[i].Steps = len(families) + placement.Parts*len(best)
		jobs[i].Rows = func(ctx context.Context, h study.How) ([]Row, error) {
			rows, err := (&problem{c}).compareFamilies(
				ctx,
				families,
				best,
				placement.Options{Workers: h.Workers, Progress: h.Add},
			)
			return rows, c.Wrong(err)
		}
	}
	listed := !slices.Equal(o.Schedules, standardSchedules())
	return study.WithFailed(study.Jobs(jobs), func(r *Row) error {
		if listed {
			return r.failed
		}
		return nil
	}), err
}

// parseFamilies returns the families of the selectors, and apart from them those of best schedules.
// A selector of several that cannot be read is a family that no case has. It fails if there are
// none.
func parseFamilies(selectors []string) (plain, best []placement.Family, err error) {
	if len(selectors) == 0 {
		return nil, nil, errs.New("no schedule is named; give one, as in {schedule} linear")
	}
	for _, text := range selectors {
		f, err := placement.Parse(strings.TrimSpace(text), placement.Forms())
		switch {
		case err != nil && len(selectors) == 1:
			return nil, nil, err
		case err != nil:
			plain = append(plain, placement.Unread(text, err))
		case f.Objective != "":
			best = append(best, f)
		default:
			plain = append(plain, f)
		}
	}
	return plain, best, nil
}

// placeFamily returns the placement of a family on the ground of a case, and its schedule there.
func placeFamily(ctx context.Context, c *subject.Case, f placement.Family,
	g *placement.Ground) (p placement.Placement, s chains.Schedule, err error) {
	p, err = f.OnGround(ctx, g)
	if err != nil {
		return p, nil, err
	}
	placed, err := p.Place(ctx, c.Distributions())
	return p, placed.Schedule, err
}

// limitStates is the largest number of states for which the limit of T B is computed if no schedule
// needs the friction.
const limitStates = 128

// limit returns the limit of T B as T grows, if a schedule needs the same integral, or if it takes
// little time compared with B.
func (p *problem) limit(ctx context.Context, families, best []placement.Family,
	g *placement.Ground) (*placement.Limit, error) {
	needed := len(best) > 0 || slices.ContainsFunc(families, func(f placement.Family) bool {
		_, target := selector.SplitName(f.Name)
		return target == "friction"
	})
	if n := p.Toy.Space.States(); n > limitStates && !needed {
		return nil, errs.New("it takes long on %d states; list friction among the schedules to compute it", n)
	}
	return placement.NewLimit(ctx, g)
}

// compareFamilies makes the rows of one problem.
func (p *problem) compareFamilies(ctx context.Context, families, best []placement.Family,
	o placement.Options) (rows []Row, err error) {
	o.Ground = placement.NewGround(p.Annealing().Path(), p.Annealing().Transitions(), o.Workers)
	limit, limitErr := p.limit(ctx, families, best, o.Ground)
	for _, f := range families {
		o.Progress(1)
		placement, schedule, err := placeFamily(ctx, &p.Case, f, o.Ground)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			rows = append(rows, p.without(f.Name, err))
			continue
		}
		row, err := p.scheduleRow(ctx, f.Name, schedule)
		if err != nil {
			return nil, err
		}
		switch {
		case limitErr != nil:
			row.Note = "no limit of T B: " + p.Toy.Explain(limitErr).Error()
		case !f.OwnLength:
			row.AsymptoticTB, err = limit.LimitOf(placement.Speed)
			if err != nil {
				row.AsymptoticTB, row.Note = number.Exactly(math.NaN()), p.Toy.Explain(err).Error()
			}
		}
		rows = append(rows, row)
	}
	least := map[gradient.Objective]number.Bounded{
		gradient.ObjectiveB: number.Exactly(math.NaN()), gradient.ObjectiveJ: number.Exactly(math.NaN())}
	for _, f := range best {
		searched := checkProblem(&p.Case, f.Objective)
		o.Also = starts(rows)
		row := Row{}
		err := searched
		if err == nil {
			row, err = p.bestSchedule(ctx, f.Name, f.Objective, o)
		}
		if searched != nil || errors.Is(err, placement.ErrNothingToGain) {
			rows = append(rows, p.without(f.Name, err))
			o.Progress(placement.Parts)
			continue
		}
		if err != nil {
			return nil, err
		}
		if f.Objective == gradient.ObjectiveB && limitErr == nil {
			row.AsymptoticTB = limit.Least()
		}
		switch f.Objective {
		case gradient.ObjectiveB:
			least[f.Objective] = row.B
		case gradient.ObjectiveJ:
			least[f.Objective] = row.J
		}
		rows = append(rows, row)
	}
	for i := range rows {
		rows[i].BOverOptimum = rows[i].B.Over(least[gradient.ObjectiveB])
		rows[i].JOverOptimum = rows[i].J.Over(least[gradient.ObjectiveJ])
	}
	return rows, nil
}

// bySuccess adds the probabilities of reaching a best state to the rows of one problem, and sorts
// by them, largest first. Rows without a schedule are last.
func bySuccess(ctx context.Context, rows []Row, workers int) error {
	for i := range rows {
		if rows[i].Algorithm == nil {
			continue
		}
		found, err := success.SolveCase(ctx, &rows[i].Case, &success.Options{Levels: 1}, study.How{Workers: workers})
		if err != nil {
			return err
		}
		rows[i].Success = &found[0]
	}
	missed := func(r *Row) float64 {
		if r.Success == nil {
			return math.Inf(1)
		}
		return r.Success.LogUnseen.Value
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(missed(&a), missed(&b)) })
	return nil
}

// successColumns lists the columns of the success.Row that found returns for a row; it may be nil.
func successColumns[R any](found func(r *R) *success.Row) (list columns.List) {
	asked := func(name, title, meaning string, of func(r *success.Row) number.Bounded) columns.Field {
		return columns.Of(name, title, "for success, "+meaning, func(r *R) number.Bounded {
			if found(r) == nil {
				return number.Exactly(math.NaN())
			}
			return of(found(r))
		}).OrEmpty().Answer()
	}
	return columns.List{
		asked("p_end", "p at the end", "the probability that the last state is a best one",
			func(r *success.Row) number.Bounded { return r.End }),
		asked("p_seen", "p on the way", "the probability that any of x_1, ..., x_T is a best one",
			func(r *success.Row) number.Bounded { return r.Seen }),
		asked("tts", "TTS", "the time to solution (see success)", (*success.Row).TTS).In("updates"),
	}
}

// starts returns the schedules of the rows so far as starts of the next search, so that the result
// is never worse than any of them.
func starts(rows []Row) (out []placement.Start) {
	for _, r := range rows {
		if r.Annealing() != nil && !math.IsNaN(r.B.Value) {
			out = append(out, placement.Start{Name: r.Param("schedule"), Schedule: r.Annealing().Schedule()})
		}
	}
	return out
}
