package study

import (
	"context"
	"reflect"

	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/columns"
)

// Untyped is a study without its types. What works on every study is written for it, and so compiled once: code with the types would be
// compiled again for every study in every package that asks one. Package reflect calls the functions of the study, some times for a question and
// never for a number. A value of type any is a []On where it is on, an *O where it is o and a []R where it is rows.
type Untyped struct {
	Name, Asks, Help, Examples, Counts, Workers, Unswept string

	Columns  columns.List
	Quick    []string
	Plots    []columns.Plot
	Options  []UntypedOption
	Size     *UntypedSize  // nil where there is none
	study    reflect.Value // the Study
	Factored bool
	swept    reflect.Value // its Swept; no valid value where it cannot be swept
}

// UntypedOption is an Option whose Value takes an *O.
type UntypedOption struct {
	Name, Letter, Doc string
	Complete          func(typed string, beyond selector.Beyond) []selector.Completion
	Value             func(o any) Value
	Swept             *experiments.Parameter
}

// UntypedPlan is a Plan whose Run returns a []R.
type UntypedPlan struct {
	Steps   int
	Run     func(ctx context.Context, h How) (rows any, err error)
	Refused experiments.Failures // the subjects that are left out, about which Run fails
}

// Of returns a study without its types.
func Of[On, O, R any](s *Study[On, O, R]) *Untyped { return untyped(reflect.ValueOf(s).Elem()) }

func untyped(s reflect.Value) *Untyped {
	u := &Untyped{
		Name: get[string](s, "Name"), Asks: get[string](s, "Asks"), Help: get[string](s, "Help"), Examples: get[string](s, "Examples"),
		Counts: get[string](s, "Counts"), Workers: get[string](s, "Workers"), Unswept: get[string](s, "Unswept"), Factored: get[bool](s, "Factored"),
		Columns: get[columns.List](s, "Columns"), Quick: get[[]string](s, "Quick"), Plots: get[[]columns.Plot](s, "Plots"), study: s, swept: s.FieldByName("Swept").Elem(),
		Size: sizeOf(s),
	}
	options := s.FieldByName("Options")
	for i := range options.Len() {
		o := options.Index(i)
		value := o.FieldByName("Value")
		u.Options = append(u.Options, UntypedOption{
			Name: get[string](o, "Name"), Letter: get[string](o, "Letter"), Doc: get[string](o, "Doc"), Swept: get[*experiments.Parameter](o, "Swept"),
			Complete: get[func(string, selector.Beyond) []selector.Completion](o, "Complete"),
			Value:    func(o any) Value { return call(value, o)[0].Interface().(Value) },
		})
	}
	return u
}

// get returns a field of a struct.
func get[T any](of reflect.Value, name string) T { return of.FieldByName(name).Interface().(T) }

// call calls a function.
func call(f reflect.Value, args ...any) []reflect.Value {
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
	}
	return f.Call(in)
}

// errorOf returns an error that a function has returned.
func errorOf(v reflect.Value) error {
	err, _ := v.Interface().(error)
	return err
}

// pointers returns the number of elements of a slice, and pointers to them.
func pointers(rows any) (n int, at func(i int) any) {
	v := reflect.ValueOf(rows)
	return v.Len(), func(i int) any { return v.Index(i).Addr().Interface() }
}

// Standard returns a copy of the options where nothing else is asked for.
func (u *Untyped) Standard() (o any) {
	standard := u.study.FieldByName("Standard")
	fresh := reflect.New(standard.Type())
	fresh.Elem().Set(standard)
	return fresh.Interface()
}

// Run answers the question as Study.Run does.
func (u *Untyped) Run(ctx context.Context, on, o any, h How) (rows any, err error) {
	return run(ctx, u.study, on, o, h)
}

func run(ctx context.Context, study reflect.Value, on, o any, h How) (rows any, err error) {
	if err := h.Validate(); err != nil {
		return nil, err
	}
	plan, err := acceptOf(ctx, study, on, o)
	if err != nil {
		return nil, err
	}
	return plan.Run(ctx, h)
}

// Accept returns the plan of all subjects that Plan does not refuse by themselves, whose Run then fails with experiments.Failures about the
// others. It fails where none is left.
func (u *Untyped) Accept(ctx context.Context, on, o any) (UntypedPlan, error) {
	return acceptOf(ctx, u.study, on, o)
}

func acceptOf(ctx context.Context, study reflect.Value, on, o any) (plan UntypedPlan, err error) {
	subjects, ask := reflect.ValueOf(on), study.FieldByName("Plan")
	_, subject := pointers(on)
	failed, err := accept(ctx, subjects.Len(), func(indices []int) error {
		asked := subjects
		if len(indices) < subjects.Len() {
			asked = reflect.MakeSlice(subjects.Type(), 0, len(indices))
			for _, i := range indices {
				asked = reflect.Append(asked, subjects.Index(i))
			}
		}
		out := ask.Call([]reflect.Value{reflect.ValueOf(ctx), asked, reflect.ValueOf(o)})
		plan.Steps = get[int](out[0], "Steps")
		run := out[0].FieldByName("Run")
		plan.Run = func(ctx context.Context, h How) (any, error) {
			out := call(run, ctx, h)
			return out[0].Interface(), errorOf(out[1])
		}
		return errorOf(out[1])
	}, subject)
	if len(failed) == 0 {
		return plan, err
	}
	run := plan.Run
	plan.Refused = failed
	plan.Run = func(ctx context.Context, h How) (any, error) {
		rows, err := run(ctx, h)
		return rows, failed.With(ctx, Len(rows), err)
	}
	return plan, err
}

// Len returns the number of rows.
func Len(rows any) int {
	if rows == nil {
		return 0
	}
	return reflect.ValueOf(rows).Len()
}

// Rows answers the question about one case that parameters of a sweep describe. Those of the study that are not among the parameters are as
// in Standard.
func (u *Untyped) Rows(ctx context.Context, c *experiments.Case, params experiments.Params, h How) (rows any, err error) {
	o := u.Standard()
	for _, option := range u.Options {
		if err := setOption(option.Swept, params, func() Value { return option.Value(o) }); err != nil {
			return nil, err
		}
	}
	out := call(u.swept.FieldByName("Subject"), ctx, c, params)
	if err := errorOf(out[1]); err != nil {
		return nil, err
	}
	on := reflect.MakeSlice(u.study.FieldByName("Plan").Type().In(1), 0, 1)
	return u.Run(ctx, reflect.Append(on, out[0]).Interface(), o, h)
}

// CanBeSwept reports whether sweeps take the study.
func (u *Untyped) CanBeSwept() bool { return u.swept.IsValid() }

// Notes returns what the numbers of rows cannot say, as the Note of Swept does: an error for the last row that is no result.
func (u *Untyped) Notes(rows any) (notes []string, bad error) {
	n, at := pointers(rows)
	for i := range n {
		note, err := u.note(at(i))
		if err != nil {
			bad = err
		} else if note != "" {
			notes = append(notes, note)
		}
	}
	return notes, bad
}

func (u *Untyped) note(row any) (string, error) {
	out := call(u.swept.FieldByName("Note"), row)
	return out[0].String(), errorOf(out[1])
}

// restored returns a pointer to the row that stored numbers stand for.
func (u *Untyped) restored(k Kept) (row any) {
	out := call(u.swept.FieldByName("Restore"), k)[0]
	p := reflect.New(out.Type())
	p.Elem().Set(out)
	return p.Interface()
}
