// Package power answers: which test finds which fault of a sampler, and after how many runs? It
// computes the distribution of the statistic of each test for the fault and for a correct sampler,
// and compares the tests by divergences. It tests no program.
//
//	breadboard power --toy barrier --fault bug:redraw --thin 1,100
package power

import (
	"context"
	"fmt"
	"math"
	"sync"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/toys"
)

// Options are the options of the study.
type Options struct {
	sbc.Options
	Right string // the selector of the right kernel
}

// Row is the power of a test against a fault.
type Row struct {
	subject.Case
	seen
	right    seen // of the right sampler
	Alpha    float64
	Cheapest bool
}

// Runs returns a lower bound on the mean number of runs that the test needs; +Inf if it cannot find
// the fault.
func (r *Row) Runs() float64 { return r.seen.runs(r.Alpha) }

// Moves returns how many moves these runs take.
func (r *Row) Moves() float64 { return r.Runs() * float64(r.moves) }

// RightRuns returns the number of runs after which the test rejects the correct sampler.
func (r *Row) RightRuns() float64 {
	return r.right.runs(r.Alpha)
}

// blames reports whether the test blames the right sampler within ten times as many runs: at the
// time at which it finds the fault, a tenth of the evidence would be there without it. A number
// that is not known counts as bad.
func (r *Row) blames() bool { return !(r.RightRuns() > 10*r.Runs()) }

// runs returns the mean number of runs until a test finds what it sees.
func (s *seen) runs(alpha float64) float64 { return sbc.Runs(s.nats, s.err, s.event, alpha) }

// DecidedBy returns what usually ends the test: the event, if it comes before the nats of the other
// runs with a probability of at least a half.
func (r *Row) DecidedBy() string {
	m := sbc.Runs(r.nats, r.err, 0, r.Alpha)
	switch {
	case r.event > 0 && m*math.Log1p(-r.event) <= -math.Ln2:
		if r.rule {
			return "alarm"
		}
		return "impossible event"
	case m <= math.MaxFloat64:
		return "divergence"
	}
	return ""
}

// About says what the row is about.
func (r *Row) About() string {
	return fmt.Sprintf("toy %s, fault %s, %s of %s", r.Toy.Title(), r.Param("sampler"), r.test, r.statistic)
}

// Note returns the caveats of a row.
func (r *Row) Note() string {
	if math.IsNaN(r.Runs()) || math.IsNaN(r.RightRuns()) {
		return "the nats per run are not above two standard errors of the simulated data sets, so that " +
			"the number of runs is not known; more data sets are needed"
	}
	if r.blames() && !math.IsInf(r.Runs(), 1) && !r.rule {
		on := "each other"
		if r.test == ofDraws { // of which each is from a chain of its own
			on = "the start of their chain"
		}
		return "the draws of the right sampler depend on " + on +
			", and the test blames it within ten times as many runs; more thinning is needed"
	}
	return ""
}

func plan(_ context.Context, cases []subject.Case, o *Options) (none study.Plan[Row], err error) {
	if err := o.Validate(); err != nil {
		return none, err
	}
	if !programs.Forms().Listing.Named(o.Right) {
		return none, errs.New("{right}: %w", programs.Forms().Listing.Unknown(o.Right))
	}
	jobs := make([]study.Job[Row], len(cases))
	sound := o.sound(cases)
	for i := range cases {
		jobs[i] = study.Job[Row]{Steps: 1, Rows: func(ctx context.Context, h study.How) ([]Row, error) {
			rows, err := rowsOf(ctx, &cases[i], o, sound)
			h.Add(1)
			return rows, sbc.NameToy(cases[i].Toy, err)
		}}
	}
	return study.Jobs(jobs), nil
}

// ofRight is a right sampler of a toy.
type ofRight struct {
	toy   *toys.Toy
	chain bool
}

// rightly is what the tests see of a right sampler.
type rightly struct {
	sampler sbc.Sampler
	seen    []seen
	err     error
}

// sound returns for each right sampler what finds what the tests see of it, once.
func (o *Options) sound(cases []subject.Case) map[ofRight]func(context.Context) rightly {
	all := map[ofRight]func(context.Context) rightly{}
	for i := range cases {
		c := cases[i]
		_, dependent := c.Algorithm.(sbc.Chain)
		var once sync.Once
		var r rightly
		if of := (ofRight{c.Toy, dependent}); all[of] == nil {
			all[of] = func(ctx context.Context) rightly {
				once.Do(func() {
					r.sampler = (sbc.Independent{Power: 1})
					if dependent {
						r.sampler, r.err = sbc.Parse(ctx, subject.Reader{Forms: c.Reader.Forms}, o.Right, c.Toy)
					}
					if r.err == nil {
						r.seen, r.err = (&against{c.Toy, r.sampler, r.sampler, true, &o.Options}).runTests(ctx, &c)
					}
				})
				return r
			}
		}
	}
	return all
}

func rowsOf(ctx context.Context, c *subject.Case, o *Options,
	sound map[ofRight]func(context.Context) rightly) (rows []Row, err error) {
	if err := subject.NeedsStates(c.Toy, "the rank of a state"); err != nil {
		return nil, err
	}
	_, dependent := c.Algorithm.(sbc.Chain)
	right := sound[ofRight{c.Toy, dependent}](ctx)
	if right.err != nil {
		return nil, right.err
	}
	faults, err := (&against{c.Toy, c.Algorithm.(sbc.Sampler), right.sampler, false, &o.Options}).runTests(ctx, c)
	if err != nil {
		return nil, err
	}
	cheapest := -1
	for i, f := range faults {
		rows = append(rows, Row{Case: *c, seen: f, right: right.seen[i], Alpha: o.Alpha})
		if r := &rows[i]; !r.blames() && (cheapest < 0 || r.Moves() < rows[cheapest].Moves()) {
			cheapest = i
		}
	}
	if cheapest >= 0 {
		rows[cheapest].Cheapest = true
	}
	return rows, nil
}

// Study declares the study of tests of samplers.
func Study() *study.Study[subject.Case, Options, Row] {
	o := Options{Options: *sbc.Study().Declaration.NewOptions().(*sbc.Options), Right: "metropolis"}
	o.Thin = []int{1, 20}
	o.DataSets = 40
	return study.New(o, plan, study.Declaration{
		Says: columns.Sentence{
			Least: "moves",
			Text:  "{fault} on {toy}: {test} of {statistic} finds it with the fewest moves, {moves}",
		},
		Name: "power",
		Asks: "Which test finds which fault, and after how many runs?",
		Help: `power compares exactly what tests of samplers see of a fault, and after how
many runs they find it.

nats_per_run is the KL divergence of the numbers that a test looks at, given
the fault, from those that it expects. runs is log(1/alpha)/nats_per_run, but
at least 1: a test of these numbers that is certain to find the fault needs at
least that many on average. right_runs is the same for the right sampler.
cheapest marks the test with the fewest moves. Faults are the samplers of
breadboard sbc, or kernels.

See breadboard help tests.`,
		Examples: `  breadboard power
  breadboard power --toy barrier --fault bug:redraw,bug:skewed --thin 1,100
  breadboard power --toy barrier --fault "exec:python3 kernel.py" --right metropolis`,
		Counts: "faults", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return append(ofPower(sbc.OptionsIn(&o.Options)), study.Option{Name: "right", To: study.Text(&o.Right)})
		}),
		Idle:    func(on, _ any) []string { return sbc.Unchained(on.([]subject.Case)) },
		Columns: Columns(),
		View:    reports.Untyped(report),
		About: &sbc.Samplers{
			Selection: sbc.Selection{Toys: []string{"clu4"}, Samplers: []string{"prior", "bug:redraw", "bug:skewed"}},
			Flag:      "fault",
			Usage:     ": prior, power:B, bug:NAME, or a wrong kernel",
		},
		Unswept: "its rows are tests that are compared with one another",
	})
}

// ofPower returns the options that the study of tests has from that of SBC.
func ofPower(options []study.Option) (list []study.Option) {
	for _, of := range options {
		if of.Name == "data" {
			continue // it looks at both
		}
		of.Swept = nil
		list = append(list, of)
	}
	return list
}

// Columns lists the columns of the study of tests.
func Columns() columns.List {
	return append(subject.CaseColumns((*Row).TheCase, "toy"), columns.List{
		columns.Of("fault", "fault", "the sampler that is tested",
			func(r *Row) string { return r.Param("sampler") }),
		columns.Of("test", "test", "the test", func(r *Row) string { return r.test }),
		columns.Of("statistic", "looks at", "what the test looks at", func(r *Row) string { return r.statistic }),
		columns.Of("run", "", "what a run is", func(r *Row) string { return r.run }),
		columns.Of("nats_per_run", "nats per run",
			"the evidence in a run without the event of event_per_run, if the fault is there",
			func(r *Row) number.Bounded { return r.nats }).In("nats").Digits(4).Answer(),
		columns.Estimated("nats_per_run_se", "", "the standard error of nats_per_run, if it is simulated",
			func(r *Row) float64 { return r.err }).In("nats"),
		columns.Of("event_per_run", "",
			"the probability e that a run shows what is impossible for the right sampler, or the alarm of R-hat",
			func(r *Row) float64 { return r.event }),
		columns.Of("runs", "runs",
			"m = log(1/alpha)/nats_per_run, at least 1, or (1 - (1 - e)^m)/e if event_per_run is e > 0; "+
				"+Inf if nothing is seen",
			(*Row).Runs).Digits(4).Answer(),
		columns.Of("decided_by", "decided by",
			`"impossible event" or "alarm" if the event of event_per_run is likely within m runs; else `+
				`"divergence"; empty if nothing is seen`, (*Row).DecidedBy),
		columns.Of("moves", "moves", "the number of moves, or draws, in that number of runs", (*Row).Moves).
			Digits(4).Answer(),
		columns.Of("right_runs", "runs, right sampler",
			"runs after which the test blames the right sampler; +Inf if never",
			(*Row).RightRuns).Digits(4),
		columns.Of("cheapest", "least moves",
			"whether no other such test needs fewer moves",
			func(r *Row) bool { return r.Cheapest }).Answer(),
		columns.Note((*Row).Note),
	}...)
}
