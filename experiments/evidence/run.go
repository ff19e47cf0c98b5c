package evidence

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	estimators "breadboard/chains/evidence"
	laws "breadboard/exact/evidence"
	"breadboard/experiments"
)

// Row is what is known of an estimate of Z = Z_T/Z_1 on one target, by one estimator with one setting, or of the estimate that
// combines several independent ones. All is in nats. A number without an exact route is NaN, and a note says why.
type Row struct {
	experiments.Case
	Estimator   string                 // the selector in canonical form
	Legend      string                 // what figures call the estimator
	Settings    string                 // as "K=100"; empty where there is none
	Trials      int                    // how many independent estimates are combined
	Combination estimators.Combination // how they are
	Work        float64                // the evaluations of log f and exact draws of all of them, on average
	LogZRatio   float64                // log Z_T/Z_1
	Numbers
	Method string
	Error  string  // why the exact law is not there although the estimator is; empty where it is there
	Sample *Sample // what runs of the estimator say; nil without runs
	Tail   []Tail  // the law itself, of one estimate with the largest setting, where Options.Figures asks for it and it is known
	Notes  []string
	// NotesAbove say why PAbove1 is not there, or how far it is known.
	NotesAbove []string
}

// Numbers are the exact values of a row, in nats.
type Numbers struct {
	Mean     float64 // E log Z-hat
	Bias     float64 // Mean - log Z, computed where a constant in log f costs no digits
	SD       float64 // the standard deviation of log Z-hat
	RMSE     float64 // the square root of E (log Z-hat - log Z)^2
	LogMeanZ float64 // log E Z-hat
	PAbove1  float64 // P(log Z-hat > log Z + 1); NaN where it is not computed, as NotesAbove say
	// PAbove1Low <= PAbove1 <= PAbove1High are what is known of it; PAbove1 is in the middle.
	PAbove1Low, PAbove1High float64
}

// Combined returns how the estimates are combined, as "25 arithmetic", and nothing for a single one.
func (r *Row) Combined() string {
	if r.Trials == 1 {
		return ""
	}
	return fmt.Sprintf("%d %v", r.Trials, r.Combination)
}

// Options say which question is asked.
type Options struct {
	Estimators []string        // selectors, for Parse, or All
	Work       []float64       // what an estimate may cost, in evaluations and exact draws
	Trials     []int           // how many independent estimates are combined
	Runs       int             // how often an estimate is made; 0 is not at all
	Seed       uint64          // of the runs
	Figures    bool            // whether to find what only figures show: laws, and what nested sampling depends on
	Workers    int             // the number of computations at once; 0 is one for each processor
	Progress   func(steps int) // of Prepared.Run, where Run calls it
}

// The largest numbers of the options. Works are bounded since a setting is a whole number, and the memory of runs because each keeps
// its estimate and some estimators keep all their draws.
const (
	MaxWork   = 1e9
	MaxTrials = 1e6
	maxMemory = 4e9
)

// Validate returns an error that says what is wrong with the options, or why they do not fit the cases, and nil where they are
// valid.
func (o *Options) Validate(ctx context.Context, cases []experiments.Case) error {
	switch {
	case o.Workers < 0:
		return chains.NewAdvice("{workers} %d; give a number, or 0 for one on each core", o.Workers)
	case o.Runs == 1 || o.Runs < 0:
		return chains.NewAdvice("{chains} %d; one run has no standard error: give 2 or more, or leave it out", o.Runs)
	}
	for _, w := range o.Work {
		if !(w >= 1 && w <= MaxWork) {
			return chains.NewAdvice("{work} %v; give numbers of evaluations from 1 to 1e9", w)
		}
	}
	most := 1
	for _, n := range o.Trials {
		if n < 1 || n > MaxTrials {
			return chains.NewAdvice("{trials} %d; give whole numbers from 1 to 1e6", n)
		}
		most = max(most, n)
	}
	choices, byAll, err := parseAll(o.Estimators)
	if err != nil {
		return err
	}
	held := slices.Max(o.Work) // the draws that an estimate may keep
	for _, c := range choices {
		held = max(held, float64(c.particles))
	}
	if need := 8 * (float64(o.Runs) + float64(most) + 4*held); o.Runs > 0 && need > maxMemory {
		return chains.NewAdvice("%d runs of %g evaluations or particles would take up to %.3g GB; the limit is %.2g GB: give smaller {chains} or {work}, or fewer particles", o.Runs, held, need/1e9, maxMemory/1e9)
	}
	for i := range cases {
		t, err := newTarget(ctx, &cases[i])
		if err != nil {
			return wrong(&cases[i], err)
		}
		for k, c := range choices {
			if err := c.lacks(ctx, t); err != nil && !byAll[k] {
				return wrong(&cases[i], fmt.Errorf("estimator %s: %w", c.Name, err))
			}
		}
	}
	return nil
}

// lacks returns why a target has no such estimator, and nil where it has.
func (c Choice) lacks(ctx context.Context, t *target) error {
	if c.fits != nil {
		if err := c.fits(t); err != nil {
			return err
		}
	}
	_, err := c.estimator(ctx, t, c.smallest)
	return err
}

// Omission is an estimator that was left out because a target has none.
type Omission struct {
	Toy, Estimator string
	Reason         error
}

// Result is what Run finds.
type Result struct {
	Rows    []Row       // by case, by estimator, by work, and then by the number of trials
	Omitted []Omission  // the estimators that All stands for and a target has not
	Nested  []NestedRow // for figures, where nested sampling is among the estimators
}

// Prepared is a run of which it is known which laws it takes.
type Prepared struct {
	jobs    []job
	omitted []Omission
	o       Options
}

// Run prepares a run and does it: see Prepare and Prepared.Run.
func Run(ctx context.Context, cases []experiments.Case, o Options) (*Result, error) {
	p, err := Prepare(ctx, cases, o)
	if err != nil {
		return nil, err
	}
	return p.Run(ctx, o.Progress)
}

// Prepare finds the settings of all estimators on every case. It fails where the question itself is wrong, and where the context ends.
func Prepare(ctx context.Context, cases []experiments.Case, o Options) (*Prepared, error) {
	choices, _, err := parseAll(o.Estimators)
	if err != nil {
		return nil, err
	}
	all, omitted, err := candidates(ctx, cases, choices)
	if err != nil {
		return nil, err
	}
	each := experiments.WorkersEach(len(all), o.Workers)
	err = experiments.Parallel(ctx, len(all), o.Workers, func(ctx context.Context, i int) error { return all[i].plan(ctx, o.Work, each) })
	if err != nil {
		return nil, err
	}
	return &Prepared{jobsOf(all, &o), omitted, o}, nil
}

// Steps returns the sum of the steps that Run reports.
func (p *Prepared) Steps() (total int) {
	for i := range p.jobs {
		total += p.jobs[i].steps()
	}
	return total
}

// Run finds the laws of all estimators on every case. A law that cannot be computed leaves its row with an error; Run fails where the
// context ends. The numbers are the same for any number of workers. Progress is called with the number of steps since the last call, from
// several goroutines at once; it may be nil.
func (p *Prepared) Run(ctx context.Context, progress func(steps int)) (*Result, error) {
	r, jobs, o := &Result{Omitted: p.omitted}, p.jobs, p.o
	each := experiments.WorkersEach(len(jobs), o.Workers)
	err := experiments.Parallel(ctx, len(jobs), o.Workers, func(ctx context.Context, i int) (err error) {
		if err = jobs[i].do(ctx, &o, each); err != nil {
			return wrong(jobs[i].on, err)
		}
		jobs[i].done = true
		if progress != nil {
			progress(jobs[i].steps())
		}
		return nil
	})
	if err != nil && !experiments.Ended(ctx, err) {
		return nil, err
	}
	for i := range jobs {
		if jobs[i].done {
			r.Rows = append(r.Rows, jobs[i].rows...)
			r.Nested = append(r.Nested, jobs[i].nested...)
		}
	}
	return r, err
}

// candidate is an estimator on a target, with its settings.
type candidate struct {
	*target
	Choice
	plans []plan
}

// candidates returns the estimators on every target that has them, without settings yet, and those that a target has not.
func candidates(ctx context.Context, cases []experiments.Case, choices []Choice) (all []*candidate, omitted []Omission, err error) {
	for i := range cases {
		t, err := newTarget(ctx, &cases[i])
		if err != nil {
			return nil, nil, wrong(&cases[i], err)
		}
		for _, c := range choices {
			if err := c.lacks(ctx, t); err != nil {
				omitted = append(omitted, Omission{cases[i].Toy.Name, c.Name, err})
				continue
			}
			all = append(all, &candidate{target: t, Choice: c})
		}
	}
	return all, omitted, nil
}

// plan finds the settings of a candidate.
func (c *candidate) plan(ctx context.Context, works []float64, workers int) (err error) {
	if c.plans, err = c.Choice.plans(ctx, c.target, works, workers); err != nil {
		return wrong(c.on, fmt.Errorf("estimator %s: %w", c.Name, err))
	}
	return nil
}

// jobsOf returns the jobs of all settings, and where figures are asked for those of the figure of nested sampling on each target that it
// is among the estimators of.
func jobsOf(all []*candidate, o *Options) (jobs []job) {
	var drawn *target
	for _, c := range all {
		for i := range c.plans {
			jobs = append(jobs, job{on: c.on, plan: &c.plans[i]})
		}
		if o.Figures && c.nested && c.target != drawn {
			drawn = c.target
			jobs = append(jobs, nestedJobs(c.target)...)
		}
	}
	return jobs
}

// job is one law, for rows of the table or for a point of the figure of nested sampling.
type job struct {
	on     *experiments.Case
	plan   *plan
	point  func(ctx context.Context, workers int) ([]NestedRow, error)
	rows   []Row
	nested []NestedRow
	done   bool
}

// steps returns what the job counts for in progress: the evaluations of log f of an estimate, with which the time of most laws grows.
func (j *job) steps() int {
	if j.plan == nil {
		return 1
	}
	if work := total(j.plan.work); work > 1 {
		return int(math.Ceil(work))
	}
	return 1
}

// do does the job.
func (j *job) do(ctx context.Context, o *Options, workers int) (err error) {
	if j.plan == nil {
		j.nested, err = j.point(ctx, workers)
		return err
	}
	if j.rows, err = j.plan.rows(ctx, o, workers); err != nil {
		return fmt.Errorf("estimator %s: %w", j.plan.Name, err)
	}
	return nil
}

// rows returns the rows of an estimator with one setting, one for each number of trials.
func (p *plan) rows(ctx context.Context, o *Options, workers int) ([]Row, error) {
	law, err := p.known, error(nil)
	if law == nil {
		law, err = p.lawOf(ctx, p.target, p.setting, workers)
	}
	if err != nil && (ctx.Err() != nil || chains.IsFault(err)) {
		return nil, err
	}
	work := p.work
	if err == nil {
		work = law.Work()
	}
	var rows []Row
	for _, trials := range o.Trials {
		r := Row{
			Case: *p.on, Estimator: p.Name, Legend: p.Legend, Trials: trials, Combination: p.combination,
			Settings: p.settings(p.target, p.setting), Work: float64(trials) * total(work), LogZRatio: p.LogZ + p.Offset,
			Numbers: unknown(), Method: string(laws.MethodNone),
		}
		if p.note != "" {
			r.Notes = append(r.Notes, p.note)
		}
		why := err
		if why == nil {
			why = r.solve(ctx, p, law, workers)
		}
		if why != nil {
			if ctx.Err() != nil || chains.IsFault(why) {
				return nil, why
			}
			r.Error = why.Error()
		}
		if o.Figures && p.last && trials == 1 && r.Error == "" {
			if r.Tail, why = tail(ctx, p.target, law, r.Numbers); why != nil {
				return nil, why
			}
		}
		if o.Runs > 0 {
			if err := p.sample(ctx, &r, o, workers); err != nil {
				return nil, err
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// solve sets the exact numbers of a row.
func (r *Row) solve(ctx context.Context, p *plan, law laws.Law, workers int) error {
	m, err := law.Moments(ctx, r.Trials)
	if err != nil {
		return err
	}
	bias := m.Bias(p.LogZ)
	r.Numbers = Numbers{
		Mean: m.Mean + p.Offset, Bias: bias, SD: m.SD, RMSE: math.Hypot(bias, m.SD), LogMeanZ: m.LogMean + p.Offset,
		PAbove1: math.NaN(), PAbove1Low: math.NaN(), PAbove1High: math.NaN(),
	}
	r.Method = string(m.Method)
	if m.Note != "" {
		r.Notes = append(r.Notes, m.Note)
	}
	above, err := p.above(ctx, law, r.Trials, p.LogZ+1, workers)
	if err != nil {
		return err
	}
	if above.Note != "" {
		r.NotesAbove = append(r.NotesAbove, above.Note)
	}
	r.PAbove1Low, r.PAbove1High = above.Low, above.High
	r.PAbove1 = above.Low + (above.High-above.Low)/2
	if above.High-above.Low > exactBracket {
		r.NotesAbove = append(r.NotesAbove, fmt.Sprintf("p_above_1 is known within %.2g", (above.High-above.Low)/2))
	}
	return nil
}

// exactBracket is the width up to which a probability counts as known.
const exactBracket = 1e-9

// unknown returns numbers none of which is known.
func unknown() Numbers {
	nan := math.NaN()
	return Numbers{nan, nan, nan, nan, nan, nan, nan, nan}
}
