// Package represent answers: in which representation of a model is annealing best? The
// representations of a model differ in the latent variables that are summed out. It compares their
// J and B by T and by work. It never prints, draws or reads flags.
//
// Work counts evaluations of log f. An evaluation costs more if variables are summed out; work does
// not count this.
//
// A collapsed sampler gives no values to the variables that are summed out. To complete its sample,
// draw them from their conditional distribution. J of the completed sample from the whole posterior
// is J of the collapsed one.
//
//	$ breadboard represent --toy low -T 100
//	 toy │ representation │   T │ states │ work │   J (nats) │ B (nats) │ log(Z_T/Z_1) (nats)
//	─────┼────────────────┼─────┼────────┼──────┼────────────┼──────────┼─────────────────────
//	 low │ collapsed      │ 100 │     49 │ 1189 │ 7.77357e-5 │ 0.140215 │            -5.97804
//	 low │ uncollapsed    │ 100 │   2401 │ 2377 │ 0.00483272 │ 0.565537 │            -5.97804
//
// Source: Grosse, Ancha and Roy 2016, section 5.2.1.
package represent

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact"
	"breadboard/exact/stages"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/toys"
)

// Row is the exact answer for one representation of a model at one number of distributions.
type Row struct {
	subject.Case
	*exact.Solution
	// the mean number of evaluations of log f in a run: one, plus those of each of its T - 1 kernel
	// steps
	Work float64
	// log Z_T, the log of the sum of f_T over the states, in nats; it is the same in every
	// representation
	LogZ float64
}

// Model returns the selector of the toy that is the whole model.
func (r *Row) Model() string { return r.Toy.Represented.Whole }

// Representation returns the name of the representation.
func (r *Row) Representation() string { return r.Toy.Represented.Name }

// Expand returns the selection with each of its toys replaced by the toys of all representations of
// its model. It fails for a toy that has a single representation, and for one that is itself a
// representation; the error names the toys that have several.
func Expand(ctx context.Context, s subject.Selection) (subject.Selection, error) {
	var all []string
	for _, selector := range s.Toys {
		if s.Forms.DemandOf(selector).Sides != nil { // a lattice, not a model
			return s, withoutOthers(selector)
		}
		toy, err := s.ReadToy(ctx, strings.TrimSpace(selector))
		if err != nil { // which its cases say
			all = append(all, selector)
			continue
		}
		switch r := toy.Represented; {
		case r == nil:
			return s, withoutOthers(toy.Name)
		case toy.Target() != r.Whole:
			return s, errs.New("toy %s is one representation of a model; give %s to compare all of them",
				toy.Name, r.Whole)
		default:
			all = append(all, r.All...)
		}
	}
	s.Toys = all
	return s, nil
}

// withoutOthers is the error for a toy with a single representation.
func withoutOthers(toy string) error {
	return errs.New("toy %s has no representations to compare; give one of %s, or a network in a file with at most "+
		"one variable summed out",
		toy,
		strings.Join(toys.RepresentedNames(), ", "))
}

// plan refuses cases without representations, and kernels with an unknown number of evaluations. If
// the log Z of a model differ between rows by more than 1e-13, the error of the run is a
// chains.Fault.
func plan(_ context.Context, cases []subject.Case, _ *study.NoOptions) (study.Plan[Row], error) {
	for _, c := range cases {
		if c.Toy.Represented == nil {
			return study.Plan[Row]{}, withoutOthers(c.Toy.Name)
		}
		if _, known := c.Annealing().Evaluations(); !known {
			return study.Plan[Row]{}, c.Wrong(errs.New(
				"kernel %s does not state how many evaluations of log f a step takes; give a built-in kernel",
				c.Param("kernel"),
			))
		}
	}
	each := study.Each(cases, func(c *subject.Case) int { return c.Distributions() - 1 }, rowOf)
	return study.Plan[Row]{Steps: each.Steps, Run: func(ctx context.Context, h study.How) ([]Row, error) {
		rows, err := each.Run(ctx, h)
		if subject.Usable(err) {
			err = cmp.Or(sameLogZ(rows), err)
		}
		return rows, err
	}}, nil
}

// rowOf solves a case.
func rowOf(ctx context.Context, c *subject.Case, h study.How) (r Row, err error) {
	r.Case = *c
	r.Work, _ = c.Annealing().Evaluations()
	r.Solution, err = exact.Solve(ctx, c.Annealing(), exact.Options{Progress: h.Progress, Workers: h.Workers})
	if err != nil {
		return r, c.Wrong(err)
	}
	r.LogZ = r.LogZRatio + logZ1(c.Annealing())
	return r, nil
}

// logZ1 returns log Z_1 of an annealing, the log of the sum of f_1 over the states. It is computed
// at the likeliest state of p_1.
func logZ1(a *chains.Annealing) float64 {
	logf := make([]float64, a.States())
	a.LogF(logf, 1)
	x := 0
	for y := range logf {
		if logf[y] > logf[x] {
			x = y
		}
	}
	return logf[x] - number.Log(stages.Distribution(a.Path(), 0)[x])
}

// logZTolerance is how far log Z may differ between representations, relative to max(1, |log Z|).
const logZTolerance = 1e-13

// sameLogZ returns a fault if two rows of one model have different log Z.
func sameLogZ(rows []Row) error {
	for i := range rows {
		r := &rows[i]
		first := &rows[slices.IndexFunc(rows, func(o Row) bool { return o.Model() == r.Model() })]
		if !(math.Abs(r.LogZ-first.LogZ) <= logZTolerance*max(1, math.Abs(first.LogZ))) {
			return chains.NewFault(errs.New(
				"log Z of %s is %v in representation %s at T = %d, and %v in representation %s at T = %d; "+
					"it must be the same",
				r.Model(),
				first.LogZ,
				first.Representation(),
				first.Distributions(),
				r.LogZ,
				r.Representation(),
				r.Distributions(),
			))
		}
	}
	return nil
}

// Study declares the study. Its cases are those of an expanded selection (see Expand).
func Study() *study.Study[subject.Case, study.NoOptions, Row] {
	return study.New(study.NoOptions{}, plan, study.Declaration{
		Says: columns.Sentence{
			Least: "J",
			Text:  "{toy}: {representation} has the smallest J, {J} nats with T = {T}",
		},
		Name: "represent",
		Asks: "In which representation of a model is annealing best?",
		Help: `represent compares J, B and cost of annealing, exactly, among the
representations of a model, which differ in the latent variables that are
summed out (collapsed).

work is the mean number of evaluations of log f in a run; an evaluation costs
more if variables are summed out, which work does not count. Each
representation is also a toy, such as low:collapsed. The representations of a
network in a file are the whole network and, for each unobserved variable, the
network without it. The exit code is 1 if two marginal likelihoods differ by
more than 1e-13.

See breadboard help models.`,
		Examples: `  breadboard represent
  breadboard represent --toy low,gridclu -T 10,100,1000 --out results
  breadboard represent --toy gridclu --kernel metropolis --format json`,
		Counts: "steps", Workers: true,
		Columns: fields(),
		View:    reports.Untyped(report),
		Unswept: "it compares the rows of a model with each other; to sweep, give the representations as " +
			"toys to tightness",
	})
}

// fields lists the columns of the study.
func fields() columns.List {
	theCase := (*Row).TheCase
	return slices.Concat(columns.List{
		columns.Of("toy", "toy", columns.MeansRows, (*Row).Model),
		columns.Of("representation", "representation", "which latent variables of the model are kept",
			(*Row).Representation),
	},
		subject.CaseColumns(theCase, "T"),
		subject.RestOfCase(theCase),
		columns.List{
			columns.Of("states", "states", "the number of states of the representation",
				func(r *Row) int { return r.Toy.Space.States() }),
			columns.Of("work", "work", "the mean number of evaluations of log f in a run",
				func(r *Row) float64 { return r.Work }),
			columns.Of("J", "J (nats)", columns.MeansJ,
				func(r *Row) number.Bounded { return r.Numbers().J }).Answer(),
			columns.Of("B", "B (nats)", columns.MeansB,
				func(r *Row) number.Bounded { return r.Numbers().B }).Answer(),
			columns.Of("log_z_ratio", "log(Z_T/Z_1) (nats)", columns.MeansLogZRatio,
				func(r *Row) number.Bounded { return r.Numbers().LogZRatio }).Absolute(),
			columns.Note(func(r *Row) string { return strings.Join(r.Notes, "; ") }),
		})
}
