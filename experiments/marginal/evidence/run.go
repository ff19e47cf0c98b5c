package evidence

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/exact/laws"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// Row is what is known about an estimate of Z = Z_T/Z_1 on one target, by one estimator with one
// setting, or about a combination of several independent ones. Logarithms are in nats. A number
// that cannot be computed exactly is NaN, with a note.
type Row struct {
	subject.Case
	Estimator   string                 // the selector in canonical form
	Settings    string                 // as "K=100"; empty if there is none
	Trials      int                    // the number of independent estimates that are combined
	Combination estimators.Combination // how they are combined
	// the mean number of evaluations of log f and exact draws of all of them
	Work float64
	// the evaluations of emission probabilities in the work; 0 unless the target is a hidden Markov
	// model
	Emissions float64
	// NeedsExactDraw reports whether the estimator takes exact draws, of the posterior or of the
	// prior above a likelihood. Real data have none.
	NeedsExactDraw bool
	Bound          Bound
	LogZRatio      float64 // log Z_T/Z_1
	Numbers
	Method string
	Error  string  // why the exact distribution could not be computed; empty if it was
	Sample *Sample // the results of runs of the estimator; nil without runs
	// the distribution of one estimate with the largest setting, if figures are requested and it is
	// known
	Tail  []Tail
	Notes []string
	// NotesAbove are the reasons why PAbove1 is missing, or its accuracy.
	NotesAbove []string
	Above      []Above // the probabilities that Options.Above requests
	Shared     *Shared
}

// Above is P(log Z-hat > log Z + Nats), which lies between Low and High.
type Above struct {
	Nats, Low, High float64 // NaN if the probability is not known
	Note            string  // why it is not known
}

// Shared is what the rows of a target have in common.
type Shared struct {
	Work    float64    // the largest requested work
	Omitted []Omission // the estimators of All that do not fit the target
}

// Omission is an estimator that was omitted because it does not fit a target.
type Omission struct {
	Estimator string
	Reason    error
}

// Numbers are the exact values of a row, in nats.
type Numbers struct {
	Mean     float64 // E log Z-hat
	Bias     float64 // Mean - log Z, computed so that a constant in log f costs no digits
	SD       float64 // the standard deviation of log Z-hat
	RMSE     float64 // the square root of E (log Z-hat - log Z)^2
	LogMeanZ float64 // log E Z-hat
	// LogMeanOverZ is LogMeanZ - log Z, computed as Bias is.
	LogMeanOverZ float64
	PAbove1      float64 // P(log Z-hat > log Z + 1); NaN if it is not computed, as NotesAbove say
	// PAbove1Low <= PAbove1 <= PAbove1High bracket it; PAbove1 is the middle.
	PAbove1Low, PAbove1High float64
	// BiasError, SDError and RMSEError bound the errors of Bias, SD and RMSE, which is NaN if none
	// of its digits is known.
	BiasError, SDError, RMSEError float64
}

// meanOverZ returns E Z-hat/Z, which is one if the estimate is unbiased. It is NaN if it is not
// known, or if it is positive and finite but beyond the range of float64.
func (n *Numbers) meanOverZ() float64 {
	ratio := math.Exp(n.LogMeanOverZ)
	if lost := ratio < 0x1p-1022 || math.IsInf(ratio, 1); lost && !math.IsInf(n.LogMeanOverZ, 0) {
		return math.NaN()
	}
	return ratio
}

// Combined returns how the estimates are combined, as "25 arithmetic", and nothing for a single
// one.
func (r *Row) Combined() string {
	if r.Trials == 1 {
		return ""
	}
	return fmt.Sprintf("%d %v", r.Trials, r.Combination)
}

// Options are the options of the study.
type Options struct {
	Estimators []string  // selectors, for Parse, or All
	Work       []float64 // budgets of an estimate, in evaluations and exact draws
	Trials     []int     // numbers of independent estimates that are combined
	Above      []float64 // b of P(log Z-hat > log Z + b), in addition to b = 1 in every row
	Runs       int       // the number of runs of each estimator; 0 for none
	Seed       uint64    // of the runs
}

// The largest values of the options. Works are bounded since a setting is a whole number, and runs
// because of their memory: each keeps its estimate, and some estimators keep all their draws.
const (
	maxWork   = 1e9
	maxTrials = 1e6
	maxMemory = 4e9
)

// candidates returns the estimators on every target, without settings yet. It refuses invalid
// options, and estimators of which none fits any target. If a named estimator does not fit a
// target, its rows have the reason; those of All are omitted there.
func (o *Options) candidates(ctx context.Context, cases []subject.Case) (all []*candidate, err error) {
	if o.Runs == 1 || o.Runs < 0 {
		return nil, errs.New("{chains} %d, and one run has no standard error; give 2 or more, or leave it out",
			o.Runs)
	}
	if len(o.Work) == 0 {
		return nil, errs.New("no work is given; give some, as in {work} 10,100")
	}
	for _, w := range o.Work {
		if !(w >= 1 && w <= maxWork) {
			return nil, errs.New("{work} %v; give numbers of evaluations from 1 to 1e9", w)
		}
	}
	most := 1
	for _, n := range o.Trials {
		if n < 1 || n > maxTrials {
			return nil, errs.New("{trials} %d; give whole numbers from 1 to 1e6", n)
		}
		most = max(most, n)
	}
	for _, b := range o.Above {
		if math.IsNaN(b) || math.IsInf(b, 0) {
			return nil, errs.New("{above} %v; give finite numbers of nats", b)
		}
	}
	choices, byAll, err := parseAll(o.Estimators)
	if err != nil {
		return nil, err
	}
	largest := slices.Max(o.Work)
	held := largest // the draws that an estimate may keep
	for _, c := range choices {
		held = max(held, float64(c.particles))
		if c.given {
			held = max(held, float64(c.smallest))
		}
	}
	if need := 8 * (float64(o.Runs) + float64(most) + 4*held); o.Runs > 0 && need > maxMemory {
		return nil,
			errs.New("%d runs of %g evaluations or particles need up to %s, and the limit is %.2g GB; give "+
				"smaller {chains} or {work}, or fewer particles",
				o.Runs,
				held, errs.Memory(need), maxMemory/1e9)
	}
	var refused error // the first error, if none of the estimators fits any target
	taken := false
	for i := range cases {
		t, err := newTarget(ctx, &cases[i])
		if err != nil {
			return nil, aboutToy(&cases[i], err)
		}
		t.shared.Work = largest
		for k, c := range choices {
			switch err := c.lacks(ctx, t); {
			case err == nil:
				all = append(all, &candidate{target: t, Choice: c})
				taken = true
			case ctx.Err() != nil:
				return nil, ctx.Err() // an estimator that does not fit a target is no reason to stop
			case byAll[k]:
				t.shared.Omitted = append(t.shared.Omitted, Omission{c.Name, err})
			default:
				all = append(all, &candidate{target: t, Choice: c, lack: err})
				refused = cmp.Or(refused, aboutToy(&cases[i], fmt.Errorf("estimator %s: %w", c.Name, err)))
			}
		}
	}
	if !taken {
		return nil, refused
	}
	return all, nil
}

// lacks returns the reason why a target has no such estimator, or nil.
func (c Choice) lacks(ctx context.Context, t *target) error {
	_, err := c.estimatorOn(ctx, t, c.smallest)
	return err
}

// estimatorOn returns the estimator with a setting on a target, and fails if the target has no such
// estimator.
func (c Choice) estimatorOn(ctx context.Context, t *target, setting int) (estimator, error) {
	if c.fits != nil {
		if err := c.fits(t); err != nil {
			return nil, err
		}
	}
	return c.estimator(ctx, t, setting)
}

// candidate is an estimator on a target, with its settings.
type candidate struct {
	*target
	Choice
	lack  error // why the target has no such estimator; nil if it has
	plans []plan
}

// plan finds the settings of a candidate.
func (c *candidate) plan(ctx context.Context, works []float64, workers int) (err error) {
	if c.lack != nil {
		return nil
	}
	c.plans, err = c.Choice.plans(ctx, c.target, works, workers)
	if err != nil {
		return aboutToy(c.on, fmt.Errorf("estimator %s: %w", c.Name, err))
	}
	return nil
}

// planOf plans the answer: first the settings of all estimators, and then their distributions. The
// rows are sorted by case, estimator, work and number of trials. Steps are proportional to the
// times of the distributions (see Choice.steps).
func planOf(ctx context.Context, cases []subject.Case, o *Options) (p study.Plan[Row], err error) {
	o, failed := o.parsed()
	var listed, large []subject.Case
	for _, c := range cases {
		if c.Factored() != nil {
			large = append(large, c)
		} else {
			listed = append(listed, c)
		}
	}
	all, err := o.candidates(ctx, listed)
	if err != nil {
		return p, err
	}
	p.Steps = len(large)
	for _, c := range all {
		p.Steps += c.progressSteps(o.Work)
	}
	p.Run = func(ctx context.Context, h study.How) ([]Row, error) {
		for _, c := range all {
			c.within = h.Time
		}
		each := subject.WorkersEach(len(all), h.Workers)
		err := subject.Parallel(ctx, len(all), h.Workers,
			func(ctx context.Context, i int) error { return all[i].plan(ctx, o.Work, each) })
		if err != nil {
			return nil, err
		}
		relate(all)
		rows, err := runJobs(ctx, jobsOf(all, o), h)
		for i := 0; i < len(large) && err == nil; i++ {
			var more []Row
			more, err = o.onFactors(ctx, large[i], h)
			rows = append(rows, more...)
			h.Add(1)
		}
		return rows, failed.With(ctx, len(rows), err)
	}
	return p, nil
}

// relate extends the works of a target to the settings that are chosen, and marks the largest
// setting of each estimator as last.
func relate(all []*candidate) {
	for _, c := range all {
		if !c.given || c.lack != nil {
			continue
		}
		p := &c.plans[0]
		if work := total(p.work); work > c.shared.Work {
			c.shared.Work = work
		}
		p.last = !slices.ContainsFunc(all, func(d *candidate) bool {
			return d.target == c.target && d.series() == c.series() &&
				slices.ContainsFunc(d.plans, func(q plan) bool { return q.setting > p.setting })
		})
	}
}

// progressSteps returns the progress that the distribution of the setting for a work counts for.
func (c Choice) progressSteps(works []float64) (steps int) {
	for _, w := range works {
		steps += max(1, int(math.Ceil(c.pace*w)))
	}
	return steps
}

// The paces of families: the measured times of their distributions at a work of 1000 on clusterings
// of 256 and of 6561 states. The distributions of independent draws, of nested sampling and of
// ascents take almost no time, however large their setting.
const (
	paceChain      = 1
	paceSequential = 2
	paceAnnealed   = 6
)

// runJobs does jobs, the longest first, so that the remaining time is soon known. If a distribution
// cannot be computed, its row has an error.
func runJobs(ctx context.Context, jobs []study.Job[Row], h study.How) ([]Row, error) {
	order := subject.Order(len(jobs), func(a, b int) int { return jobs[b].Steps - jobs[a].Steps })
	each := study.How{Workers: subject.WorkersEach(len(jobs), h.Workers), Figures: h.Figures}
	return subject.RowsInOrder(ctx, order, h.Workers, func(ctx context.Context, i int) ([]Row, error) {
		rows, err := jobs[i].Rows(ctx, each)
		if err == nil {
			h.Add(jobs[i].Steps)
		}
		return rows, err
	})
}

// jobsOf returns the jobs of all settings.
func jobsOf(all []*candidate, o *Options) (jobs []study.Job[Row]) {
	for _, c := range all {
		if c.lack != nil {
			jobs = append(jobs, study.Job[Row]{
				Rows: func(context.Context, study.How) ([]Row, error) { return c.without(o), nil }})
		}
		for i := range c.plans {
			jobs = append(jobs, c.plans[i].job(o))
		}
	}
	return jobs
}

// without returns the rows of an estimator that does not fit the target.
func (c *candidate) without(o *Options) (rows []Row) {
	for _, trials := range o.Trials {
		why := "it does not fit the toy: " + c.on.Toy.Explain(c.lack).Error()
		rows = append(rows, c.Choice.lacking(c.on, trials, c.LogZ+c.Offset, why, &c.shared))
	}
	return rows
}

// lacking returns the row of an estimator about which nothing is known on a target.
func (c *Choice) lacking(on *subject.Case, trials int, logZRatio float64, why string, shared *Shared) Row {
	return Row{
		Case:      *on,
		Estimator: c.series(),
		Trials:    trials,
		Work:      math.NaN(),
		Bound:     NoBound,
		LogZRatio: logZRatio,
		Numbers:   unknown(),
		Method:    string(laws.MethodNone),
		Error:     why,
		Shared:    shared,
	}
}

// series returns the name that the row shares with those of other settings.
func (c *Choice) series() string { return cmp.Or(c.base, c.Name) }

// job returns the job that makes the rows of an estimator with one setting.
func (p *plan) job(o *Options) study.Job[Row] {
	return study.Job[Row]{
		Steps: p.progressSteps(p.works),
		Rows: func(ctx context.Context, h study.How) ([]Row, error) {
			rows, err := p.settingRows(ctx, o, h)
			if err != nil {
				return nil, aboutToy(p.on, fmt.Errorf("estimator %s: %w", p.Name, err))
			}
			return rows, nil
		},
	}
}

// settingRows returns the rows of an estimator with one setting, one for each number of trials.
func (p *plan) settingRows(ctx context.Context, o *Options, h study.How) ([]Row, error) {
	law := p.known
	err := error(nil)
	if law == nil {
		law, err = p.lawOf(ctx, p.target, p.setting, h.Workers)
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
			Case:           *p.on,
			Estimator:      p.series(),
			Trials:         trials,
			Combination:    p.combination,
			Settings:       p.settings(p.target, p.setting),
			Work:           float64(trials) * total(work),
			Emissions:      float64(trials) * p.emissions(work),
			LogZRatio:      p.LogZ + p.Offset,
			NeedsExactDraw: work.Exact > 0,
			Bound:          p.jensenBound(),
			Numbers:        unknown(),
			Method:         string(laws.MethodNone),
			Shared:         &p.shared,
		}
		if p.note != "" {
			r.Notes = append(r.Notes, p.note)
		}
		why := err
		if why == nil {
			why = r.setExact(ctx, p, law, o.Above, h.Workers)
		}
		if why != nil {
			if ctx.Err() != nil || chains.IsFault(why) {
				return nil, why
			}
			r.Error = why.Error()
		}
		if h.Figures && p.last && trials == 1 && r.Error == "" {
			r.Tail, why = tail(ctx, p.target, law, r.Numbers)
			if why != nil {
				return nil, why
			}
		}
		if o.Runs > 0 {
			if err := p.sampleRow(ctx, &r, o, h.Workers); err != nil {
				return nil, err
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// setExact sets the exact numbers of a row.
func (r *Row) setExact(ctx context.Context, p *plan, law laws.Law, beyond []float64, workers int) error {
	m, err := law.Moments(ctx, r.Trials)
	if err != nil {
		return err
	}
	bias := m.Bias(p.LogZ)
	sd := m.Deviation()
	rmse := number.Bounded{Value: math.Hypot(bias.Value, sd.Value), Error: math.Hypot(bias.Error, sd.Error)}
	r.Numbers = Numbers{
		Mean:         m.Mean + p.Offset,
		Bias:         bias.Value,
		SD:           sd.Value,
		RMSE:         rmse.Float(),
		LogMeanZ:     m.LogMean + p.Offset,
		LogMeanOverZ: m.LogMean - p.LogZ,
		PAbove1:      math.NaN(),
		PAbove1Low:   math.NaN(),
		PAbove1High:  math.NaN(),
		BiasError:    bias.Error,
		SDError:      sd.Error,
		RMSEError:    rmse.Error,
	}
	r.Method = string(m.Method)
	if m.Note != "" {
		r.Notes = append(r.Notes, m.Note)
	}
	above, err := p.bracketAbove(ctx, law, r.Trials, p.LogZ+1, workers)
	if err != nil {
		return err
	}
	if above.Note != "" {
		r.NotesAbove = append(r.NotesAbove, above.Note)
	}
	r.PAbove1Low = above.Low
	r.PAbove1High = above.High
	r.PAbove1 = above.Low + (above.High-above.Low)/2
	if above.High-above.Low > exactBracket {
		r.NotesAbove = append(r.NotesAbove, fmt.Sprintf("p_above_1 is accurate to %.2g", (above.High-above.Low)/2))
	}
	for _, b := range beyond {
		at, err := p.bracketAbove(ctx, law, r.Trials, p.LogZ+b, workers)
		if err != nil {
			return err
		}
		r.Above = append(r.Above, Above{b, at.Low, at.High, at.Note})
	}
	return nil
}

// exactBracket is the largest width of a bracket of a known probability.
const exactBracket = 1e-9

// unknown returns numbers that are all NaN.
func unknown() Numbers {
	nan := math.NaN()
	return Numbers{nan, nan, nan, nan, nan, nan, nan, nan, nan, 0, 0, 0}
}
