package study

import (
	"context"

	"breadboard/experiments/subject"
	"breadboard/reports/columns"
)

// Accepted is a Plan whose Run returns a []R.
type Accepted struct {
	Steps   int
	Seconds float64
	Run     func(ctx context.Context, h How) (rows any, err error)
}

// NewOptions returns a copy of the standard options.
func (d *Declaration) NewOptions() (o any) { return d.typed.options(nil) }

// Run is the function Run without types.
func (d *Declaration) Run(ctx context.Context, on, o any, h How) (rows any, err error) {
	if err := h.Validate(); err != nil {
		return nil, err
	}
	plan, err := d.Accept(ctx, on, o)
	if err != nil {
		return nil, err
	}
	return plan.Run(ctx, h)
}

// Accept returns the plan of all subjects that Plan accepts one by one; its Run then fails with
// subject.Failures about the others. It fails if none is left.
func (d *Declaration) Accept(ctx context.Context, on, o any) (plan Accepted, err error) {
	n, subject := columns.Rows(on)
	failed, err := accept(ctx, n, func(indices []int) (err error) {
		asked := on
		if len(indices) < n {
			asked = d.typed.some(on, indices...)
		}
		plan, err = d.typed.plan(ctx, asked, o)
		return err
	}, subject)
	if len(failed) == 0 {
		return plan, err
	}
	run := plan.Run
	plan.Run = func(ctx context.Context, h How) (any, error) {
		rows, err := run(ctx, h)
		n, _ := columns.Rows(rows)
		return rows, failed.With(ctx, n, err)
	}
	return plan, err
}

// accept calls plan with the indices of all subjects, and if that is refused with those of the
// subjects that are not refused by themselves. It returns why the others are. The last call of plan
// is about those that are left, unless accept fails.
func accept(ctx context.Context, subjects int, plan func(indices []int) error,
	about func(i int) any) (subject.Failures, error) {
	all := make([]int, subjects)
	for i := range all {
		all[i] = i
	}
	err := plan(all)
	if err == nil || subjects < 2 {
		return nil, err
	}
	var kept []int
	var failed subject.Failures
	for i := range all {
		refused := plan(all[i : i+1])
		if fatal := failed.Keep(ctx, failureOf(about(i), refused)); fatal != nil {
			return nil, fatal
		}
		if refused == nil {
			kept = append(kept, i)
		}
	}
	if len(kept) == 0 || len(failed) == 0 { // it is about all of them
		return nil, err
	}
	return failed, plan(kept)
}

// Rows answers the question about one case with the parameters of a sweep. Options that are not
// parameters are the standard ones.
func (d *Declaration) Rows(ctx context.Context, c *subject.Case, params subject.Params,
	h How) (rows any, err error) {
	o := d.NewOptions()
	if d.Swept.InCell != nil {
		d.Swept.InCell(o)
	}
	for _, option := range d.Options {
		if err := setOption(option.Swept, params, func() Value { return option.Value(o) }); err != nil {
			return nil, err
		}
	}
	on, err := d.Swept.Subject(ctx, c, params)
	if err != nil {
		return nil, err
	}
	return d.Run(ctx, on, o, h)
}

// Notes returns the caveats of rows, by Swept.Note, and the error of the last row that is not a
// result.
func (d *Declaration) Notes(rows any) (notes []string, bad error) {
	n, row := columns.Rows(rows)
	for i := range n {
		note, err := d.Swept.Note(row(i))
		if err != nil {
			bad = err
		} else if note != "" {
			notes = append(notes, note)
		}
	}
	return notes, bad
}
