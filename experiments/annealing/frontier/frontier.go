// Package frontier answers: for a budget of evaluations of log f, which kernel, how many steps per
// stage and which schedule give the smallest J, or another divergence? It solves all combinations
// exactly and sorts them. It never prints, draws or reads flags.
//
// Work counts evaluations of log f in a run: one for the first state, and chains.Evaluations for
// each kernel step, since the value at the present state is stored. Weights need no further
// evaluations.
package frontier

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/experiments/placement"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// Options are the combinations to compare.
type Options struct {
	Work      []float64          // the budgets, in evaluations of log f
	Kernels   []string           // the selectors of the kernels
	Repeats   []int              // the numbers of kernel steps in a stage
	Schedules []string           // the selectors of the schedules, and Optimized
	Objective gradient.Objective // what is minimised, in nats
	Best      int                // the number of combinations of each toy and budget that a table shows; 0 is all
}

// Optimized, among the schedules, stands for the schedule that placement.BestCurves finds for the
// objective.
const Optimized = "optimize"

// Row is one combination within a budget on one toy. Without an answer Solution is nil, and Why has
// the reason.
type Row struct {
	subject.Case // the annealing, or if there is none, the requested parameters
	*exact.Solution
	Options  *Options
	Budget   float64
	Move     string  // the kernel of one step; that of a stage is among the parameters of the case
	Repeat   int     // the number of kernel steps in a stage
	Schedule string  // as requested
	Spent    float64 // the mean number of evaluations in a run; NaN without an answer
	Worse    float64 // the percentage by which the value exceeds the best one of the toy and budget; NaN without an answer
	Why      error   // why there is no answer; nil if there is one
}

// Note returns the reason why there is no answer, or the notes of the solution.
func (r *Row) Note() string {
	if r.Why != nil {
		return r.Why.Error()
	}
	return strings.Join(r.Notes, "; ")
}

// Value returns the objective, and NaN without an answer.
func (r *Row) Value() float64 { return r.of(r.Options.Objective).Value }

func (r *Row) of(o gradient.Objective) number.Bounded {
	if r.Solution == nil {
		return number.Exactly(math.NaN())
	}
	return o.Number(r.Solution)
}

// plan reads the kernels and schedules, and refuses invalid options and runs that are estimated to
// take too long. An error of a single combination is the note of its row.
func plan(ctx context.Context, routes []subject.Route, o *Options) (none study.Plan[Row], err error) {
	families, err := check(o)
	if err != nil {
		return none, err
	}
	var jobs []study.Job[Row]
	var all subject.Cost
	states := 0
	for i := range routes {
		states = max(states, routes[i].Toy.Space.States())
		g := &ground{route: &routes[i], o: o, families: families, placed: map[string]*placed{}}
		kernels, err := g.kernels(ctx)
		if err != nil {
			return none, err
		}
		for _, work := range o.Work {
			for _, k := range kernels {
				for s := range families {
					c := &combination{ground: g, kernel: k, budget: work, schedule: s}
					c.T, c.refused = k.within(work)
					takes := c.cost()
					all.Seconds, all.Bytes = all.Seconds+takes.Seconds, max(all.Bytes, takes.Bytes)
					jobs = append(jobs, study.Job[Row]{Steps: 1, Rows: c.rows})
				}
			}
		}
	}
	if all.Seconds > study.MostSeconds { // on few states, too
		return none,
			chains.NewAdvice(
				"this takes about %.2g hours on one core, and the limit is one day: give smaller {budget}, or fewer toys, {kernel}, {repeats} or {schedule}; tightness solves one combination without a limit",
				all.Seconds/3600)
	}
	if err := subject.CheckCost(ctx, states, all); err != nil {
		return none, err
	}
	p := study.Jobs(jobs)
	run := p.Run
	p.Run = func(ctx context.Context, h study.How) ([]Row, error) {
		rows, err := run(ctx, h)
		rank(rows)
		return rows, err
	}
	return p, nil
}

// check refuses invalid options, and returns the families of the schedules.
func check(o *Options) (families []placement.Family, err error) {
	switch {
	case len(o.Work) == 0 || len(o.Kernels) == 0 || len(o.Repeats) == 0 || len(o.Schedules) == 0:
		return nil, chains.NewAdvice("{budget}, {kernel}, {repeats} and {schedule} each need a value; leave one out for its default")
	case o.Best < 0:
		return nil, chains.NewAdvice("{best} %d; give a number of rows, or 0 for all", o.Best)
	}
	for _, work := range o.Work {
		if !(work > 0 && work <= subject.MaxNumber) {
			return nil, chains.NewAdvice("{budget} %v; give evaluations of log f, above 0 and at most %.0e", work, subject.MaxNumber)
		}
	}
	for _, n := range o.Repeats {
		if n < 1 {
			return nil, chains.NewAdvice("{repeats} %d; a stage has at least one kernel step", n)
		}
	}
	if !slices.Contains(gradient.Divergences(), string(o.Objective)) {
		return nil, selector.UnknownError("objective", string(o.Objective), gradient.Divergences())
	}
	forms := programs.Forms().Listing
	for _, k := range o.Kernels {
		if !forms.Named(strings.TrimSpace(k)) {
			return nil, forms.Unknown(strings.TrimSpace(k))
		}
	}
	for _, s := range o.Schedules {
		f := placement.BestCurves(Optimized, o.Objective)
		if s = strings.TrimSpace(s); s != Optimized {
			if f, err = placement.Parse(s); err != nil {
				return nil, err
			}
		}
		families = append(families, f)
	}
	return families, nil
}

// rank sorts the rows of each toy and budget by value, with those without an answer at the end, and
// otherwise keeps their order. Values of which rounding has left no digit count as the smallest and
// equal, and are sorted by B; the percentages relative to them are unknown.
func rank(rows []Row) {
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && rows[to].Toy == rows[from].Toy && rows[to].Budget == rows[from].Budget {
			to++
		}
		group := rows[from:to]
		slices.SortStableFunc(group, func(a, b Row) int {
			return cmp.Or(cmp.Compare(-b.known(), -a.known()), cmp.Compare(a.bound(), b.bound())) // NaN comes last
		})
		for i := range group {
			group[i].Worse = worse(group[i].known(), group[0].known())
			if group[0].lost() && !group[i].lost() {
				group[i].Worse = math.NaN()
			}
		}
		from = to
	}
}

// lost reports whether no digit of the value has survived rounding.
func (r *Row) lost() bool { return r.Solution != nil && !r.of(r.Options.Objective).Known() }

// known returns the value, and zero if no digit of it is known.
func (r *Row) known() float64 {
	if r.lost() {
		return 0
	}
	return r.Value()
}

// bound returns B, by which rows with equal values are sorted.
func (r *Row) bound() float64 {
	if r.Solution == nil {
		return 0
	}
	return r.B
}

// worse returns the percentage by which a value exceeds the best: 0 if both are equal, even if they
// are zero or infinite.
func worse(v, best float64) float64 {
	if v == best {
		return 0
	}
	return 100 * (v - best) / max(best, 0)
}

// ground is a route with the schedules that were placed on it. Kernels share the schedules that do
// not depend on the kernel.
type ground struct {
	route    *subject.Route
	o        *Options
	families []placement.Family // of the schedules
	mu       sync.Mutex
	placed   map[string]*placed
}

// placed is a family on a ground, with its schedules by T.
type placed struct {
	mu        sync.Mutex
	family    *placement.Placement // nil before it is needed
	schedules map[int]chains.Schedule
}

// place returns the schedule of a family for a kernel. It is placed once for each T.
func (g *ground) place(ctx context.Context, f placement.Family, k *stageKernel, T int) (chains.Schedule, error) {
	key := f.Name
	if f.OfKernel {
		key += " " + k.name
	}
	g.mu.Lock()
	p := g.placed[key]
	if p == nil {
		p = &placed{schedules: map[int]chains.Schedule{}}
		g.placed[key] = p
	}
	g.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.schedules[T]; s != nil {
		return s, nil
	}
	if p.family == nil {
		on, err := f.On(ctx, g.route.Path, k.moves)
		if err != nil {
			return nil, err
		}
		p.family = &on
	}
	s, err := p.family.Place(ctx, T)
	if err == nil {
		p.schedules[T] = s
	}
	return s, err
}

// stageKernel is the kernel of a stage: another kernel, applied a number of times.
type stageKernel struct {
	move   string // as requested
	repeat int
	name   string              // the selector of the whole stage
	moves  *chains.Transitions // the number of evaluations of a stage
	each   float64             // the number of evaluations of a stage
	err    error
}

// kernels returns the kernels of stages on a ground. It fails if all of them fail.
func (g *ground) kernels(ctx context.Context) (list []*stageKernel, err error) {
	for _, move := range g.o.Kernels {
		for _, n := range g.o.Repeats {
			k := &stageKernel{move: strings.TrimSpace(move), repeat: n}
			k.name = k.move
			if n > 1 {
				k.name = fmt.Sprintf("repeat:%d:%s", n, k.move)
			}
			if k.err = k.read(ctx, g.route); ctx.Err() != nil {
				return nil, ctx.Err()
			}
			list = append(list, k)
		}
	}
	return list, nil
}

// read reads the kernel on a route and counts the evaluations of a stage, which are unknown for
// external kernels.
func (k *stageKernel) read(ctx context.Context, route *subject.Route) (err error) {
	known := kernels.Forms().Listing.Named(k.move)
	if known {
		if k.moves, err = route.Kernel(ctx, k.name); err != nil {
			return err
		}
		k.name = subject.KernelName(k.moves, k.name)
		k.each, known = chains.Evaluations(k.moves.Kernel())
	}
	switch {
	case !known:
		return fmt.Errorf("kernel %s does not state how many evaluations of log f a step takes; give a built-in kernel", k.move)
	case k.each == 0:
		return fmt.Errorf("a step of kernel %s takes no evaluation of log f, so that no budget limits T; use tightness with a T", k.move)
	}
	return nil
}

// within returns the largest T whose annealing stays within a budget.
func (k *stageKernel) within(work float64) (T int, err error) {
	if k.err != nil {
		return 0, k.err
	}
	stages := math.Floor((work - 1) / k.each)
	for 1+stages*k.each > work { // if the quotient was rounded up
		stages--
	}
	switch {
	case !(stages >= 1):
		return 0,
			fmt.Errorf(
				"work %v is less than the %v evaluations of two distributions with kernel %s: one for the first state, and %v for the kernel steps; give more",
				work, 1+k.each, k.name, k.each)
	case stages >= min(subject.MaxDistributions, math.MaxInt):
		return 0, fmt.Errorf("work %v takes more than %.0e distributions; give less", work, subject.MaxDistributions)
	}
	return 1 + int(stages), nil
}

// combination is a kernel with a schedule at a budget, on a ground.
type combination struct {
	*ground
	kernel   *stageKernel
	budget   float64
	schedule int // its index among the schedules
	T        int
	refused  error
}

// searchSteps is measured: the time of the search for a best curve, in steps of a solution.
const searchSteps = 3e5

// cost estimates the time and memory of the combination on one core.
func (c *combination) cost() (none subject.Cost) {
	if c.refused != nil {
		return none
	}
	space, kernel := c.route.Toy.Space, c.kernel.moves.Kernel()
	w := exact.GeneralWorkOf(kernel, space)
	if !c.route.Path.Zeros() {
		w = exact.WorkOf(kernel, space)
	}
	steps := float64(c.T - 1)
	if c.families[c.schedule].Name == Optimized {
		steps += searchSteps
	}
	placing, _ := placement.Cost(c.families[c.schedule].Name, min(c.T, placement.MaxEqual), space.States()) // schedules with more are not placed
	return subject.Cost{Seconds: placing + w.Start + w.Seconds*steps, Bytes: w.Bytes}
}

// rows returns the row of the combination. An error that concerns it alone becomes its note.
func (c *combination) rows(ctx context.Context, h study.How) ([]Row, error) {
	r := Row{Options: c.o, Budget: c.budget, Move: c.kernel.move, Repeat: c.kernel.repeat, Schedule: strings.TrimSpace(c.o.Schedules[c.schedule]),
		Spent: math.NaN()}
	r.Case = subject.Case{Toy: c.route.Toy, Params: c.route.Setting(r.Schedule, c.kernel.name, c.T).Params()}
	if err := c.solve(ctx, &r, h); err != nil {
		if ctx.Err() != nil || chains.IsFault(err) {
			return nil, err
		}
		r.Solution, r.Why = nil, c.route.Toy.Explain(err)
	}
	h.Add(1)
	return []Row{r}, nil
}

// solve solves the combination.
func (c *combination) solve(ctx context.Context, r *Row, h study.How) (err error) {
	if c.refused != nil {
		return c.refused
	}
	family, T := c.families[c.schedule], c.T
	if family.OwnLength {
		T = 0
	}
	s, err := c.place(ctx, family, c.kernel, T)
	if err != nil {
		return err
	}
	name := family.Name
	if curve, is := s.(*schedules.Curve); is {
		name = curve.String() // also of a curve that was found
	}
	by := placement.Placement{Place: func(context.Context, int) (chains.Schedule, error) { return s, nil }}
	solved, err := c.route.Case(ctx, c.kernel.moves, by, c.route.Setting(name, c.kernel.name, T))
	if err != nil {
		return err // the row keeps the requested parameters
	}
	r.Case = solved
	spent, _ := r.Annealing().Evaluations()
	if spent > c.budget {
		return fmt.Errorf("schedule %s has %d distributions, which take %v evaluations with kernel %s; give more work", name, r.Distributions(), spent, c.kernel.name)
	}
	if r.Solution, err = exact.Solve(ctx, r.Annealing(), exact.Options{Workers: h.Workers}); err != nil {
		return err
	}
	r.Spent = spent
	return nil
}
