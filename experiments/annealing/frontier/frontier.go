// Package frontier answers: for a budget of evaluations of log f, which kernel, how many moves a stage and which schedule leave the least J, or
// another divergence? It solves all combinations exactly and sets them in order. It never prints, draws or reads flags.
//
// Work counts what a run asks log f for: the first state counts as one, and each move counts what chains.Evaluations says, as the
// value at the present state is kept. Weights take no more.
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
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/experiments"
	"breadboard/experiments/annealing/schedule/placement"
	"breadboard/experiments/checks/external"
	"breadboard/experiments/study"
)

// Options say what the study compares.
type Options struct {
	Work      []float64          // the budgets, in evaluations of log f
	Kernels   []string           // the selectors of the kernels
	Repeats   []int              // how many moves there are in a stage
	Schedules []string           // the selectors of the schedules, and Optimized
	Objective gradient.Objective // by which combinations are compared, in nats
	Best      int                // how many combinations of each toy and budget a table shows; 0 is all
}

// Optimized stands among the schedules for those that placement.BestCurves finds for the objective.
const Optimized = "optimize"

// Row is what one combination makes of a budget on one toy. Without an answer it has no Solution, and Why says why.
type Row struct {
	experiments.Case // the annealing; if it cannot be, its parameters as they were asked for
	*exact.Solution
	Options  *Options
	Budget   float64
	Move     string  // the kernel of one move; that of a stage is among the parameters of the case
	Repeat   int     // how many moves there are in a stage
	Schedule string  // as it was asked for
	Spent    float64 // the mean number of evaluations in a run; NaN without an answer
	Worse    float64 // by how many per cent the value is above the best one of the toy and budget; NaN without an answer
	Why      error   // why there is no answer; nil if there is one
}

// Note says why there is no answer, or returns the notes of the solution.
func (r *Row) Note() string {
	if r.Why != nil {
		return r.Why.Error()
	}
	return strings.Join(r.Notes, "; ")
}

// Value returns what the row is judged by, and NaN without an answer.
func (r *Row) Value() float64 { return r.of(r.Options.Objective).Value }

func (r *Row) of(o gradient.Objective) number.Bounded {
	if r.Solution == nil {
		return number.Exactly(math.NaN())
	}
	return o.Number(r.Solution)
}

// mostSeconds bounds what a run is estimated to take on one core.
const mostSeconds = 3600

// plan reads the kernels and schedules, and refuses what makes no sense and what is estimated to take too long. What goes wrong with one
// combination alone is the note of its row.
func plan(ctx context.Context, routes []experiments.Route, o *Options) (none study.Plan[Row], err error) {
	families, err := check(o)
	if err != nil {
		return none, err
	}
	var jobs []study.Job[Row]
	seconds := 0.0
	for i := range routes {
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
					seconds += c.seconds()
					jobs = append(jobs, study.Job[Row]{Steps: 1, Rows: c.rows})
				}
			}
		}
	}
	if seconds > mostSeconds {
		return none, chains.NewAdvice("this would take about %.2g hours on one core, and the limit is one: give smaller {work}, or fewer toys, {kernels}, {repeats} or {schedules}; tightness answers one combination, however long it takes", seconds/3600)
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

// check refuses options that make no sense, and returns the families of the schedules.
func check(o *Options) (families []placement.Family, err error) {
	switch {
	case len(o.Work) == 0 || len(o.Kernels) == 0 || len(o.Repeats) == 0 || len(o.Schedules) == 0:
		return nil, chains.NewAdvice("{work}, {kernels}, {repeats} and {schedules} each need a value; leave one out for its default")
	case o.Best < 0:
		return nil, chains.NewAdvice("{best} %d; give a number of rows, or 0 for all", o.Best)
	}
	for _, work := range o.Work {
		if !(work > 0 && work <= experiments.MaxNumber) {
			return nil, chains.NewAdvice("{work} %v; give evaluations of log f, above 0 and at most %.0e", work, experiments.MaxNumber)
		}
	}
	for _, n := range o.Repeats {
		if n < 1 {
			return nil, chains.NewAdvice("{repeats} %d; a stage has at least one move", n)
		}
	}
	forms := external.Forms().Listing
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

// rank sets the rows of each toy and budget in order, from the least value on, those without an answer at the end, and else as they are. Values of
// which rounding has left no digit are the least, and alike, and B sets those that are alike in order; nobody knows by how many per cent others are worse.
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

// lost reports whether rounding has left no digit of the value.
func (r *Row) lost() bool { return r.Solution != nil && !r.of(r.Options.Objective).Known() }

// known returns the value, and zero if no digit of it is known.
func (r *Row) known() float64 {
	if r.lost() {
		return 0
	}
	return r.Value()
}

// bound returns B, by which rows are in order whose values are alike.
func (r *Row) bound() float64 {
	if r.Solution == nil {
		return 0
	}
	return r.B
}

// worse returns by how many per cent a value is above the best, which is none if both are the same, also zero or infinite.
func worse(v, best float64) float64 {
	if v == best {
		return 0
	}
	return 100 * (v - best) / max(best, 0)
}

// ground is a route with the schedules that were placed on it. Kernels share those that do not look at them.
type ground struct {
	route    *experiments.Route
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

// place returns the schedule of a family for a kernel, which for each T is placed once.
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

// stageKernel is the kernel of a stage: so many moves of another.
type stageKernel struct {
	move   string // as it was asked for
	repeat int
	name   string              // the selector of the whole stage
	moves  *chains.Transitions // nil where err says why
	each   float64             // how many evaluations a stage takes
	err    error
}

// kernels returns the kernels of stages on a ground. It fails if that is about all of them.
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

// read reads the kernel on a route and finds how many evaluations a stage takes. Of a kernel from outside nobody knows that.
func (k *stageKernel) read(ctx context.Context, route *experiments.Route) (err error) {
	known := kernels.Forms().Listing.Named(k.move)
	if known {
		if k.moves, err = route.Kernel(ctx, k.name); err != nil {
			return err
		}
		k.name = experiments.KernelName(k.moves, k.name)
		k.each, known = chains.Evaluations(k.moves.Kernel())
	}
	switch {
	case !known:
		return fmt.Errorf("kernel %s does not say how many evaluations of log f a move takes; give one of the library", k.move)
	case k.each == 0:
		return fmt.Errorf("a move of kernel %s takes no evaluation of log f, so that no budget bounds T; tightness takes it with a T", k.move)
	}
	return nil
}

// within returns the largest T whose annealing stays within a budget.
func (k *stageKernel) within(work float64) (T int, err error) {
	if k.err != nil {
		return 0, k.err
	}
	stages := math.Floor((work - 1) / k.each)
	for 1+stages*k.each > work { // where the quotient was rounded up
		stages--
	}
	switch {
	case !(stages >= 1):
		return 0, fmt.Errorf("work %v is less than the %v evaluations of two distributions with kernel %s: one for the first state, and %v for the moves; give more", work, 1+k.each, k.name, k.each)
	case stages >= min(experiments.MaxDistributions, math.MaxInt):
		return 0, fmt.Errorf("work %v takes more than %.0e distributions; give less", work, experiments.MaxDistributions)
	}
	return 1 + int(stages), nil
}

// combination is a kernel with a schedule at a budget, on a ground.
type combination struct {
	*ground
	kernel   *stageKernel
	budget   float64
	schedule int // its place among the schedules
	T        int
	refused  error
}

// searchSteps is measured: as many steps of a solution take as long as the search for a best curve.
const searchSteps = 3e5

// seconds estimates what the combination takes on one core.
func (c *combination) seconds() float64 {
	if c.refused != nil {
		return 0
	}
	space, kernel := c.route.Toy.Space, c.kernel.moves.Kernel()
	w := exact.GeneralWorkOf(kernel, space)
	if _, is := c.route.Path.(*paths.Geometric); is {
		w = exact.WorkOf(kernel, space)
	}
	steps := float64(c.T - 1)
	if c.families[c.schedule].Name == Optimized {
		steps += searchSteps
	}
	placing, _ := placement.Cost(c.families[c.schedule].Name, min(c.T, placement.MaxEqual), space.States()) // more are not placed
	return placing + w.Start + w.Seconds*steps
}

// rows returns the row of the combination. An error that is about it alone is the note of the row.
func (c *combination) rows(ctx context.Context, h study.How) ([]Row, error) {
	r := Row{Options: c.o, Budget: c.budget, Move: c.kernel.move, Repeat: c.kernel.repeat, Schedule: strings.TrimSpace(c.o.Schedules[c.schedule]), Spent: math.NaN()}
	r.Case = experiments.Case{Toy: c.route.Toy, Params: c.route.Setting(r.Schedule, c.kernel.name, c.T).Params()}
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
		name = curve.String() // also of one that was found
	}
	by := placement.Placement{Place: func(context.Context, int) (chains.Schedule, error) { return s, nil }}
	solved, err := c.route.Case(ctx, c.kernel.moves, by, c.route.Setting(name, c.kernel.name, T))
	if err != nil {
		return err // the row keeps what was asked for
	}
	r.Case = solved
	spent, _ := r.Annealing().Evaluations()
	if spent > c.budget {
		return fmt.Errorf("schedule %s has %d distributions, which take %v evaluations with kernel %s; give it more work", name, r.Distributions(), spent, c.kernel.name)
	}
	if r.Solution, err = exact.Solve(ctx, r.Annealing(), exact.Options{Workers: h.Workers}); err != nil {
		return err
	}
	r.Spent = spent
	return nil
}
