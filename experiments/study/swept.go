package study

import (
	"context"
	"math"
	"slices"

	"breadboard/experiments"
	"breadboard/experiments/columns"
)

// Swept says how a study is swept, beyond what its columns and options say.
type Swept[On, R any] struct {
	Answers string // the question of a sweep, in one line, where it is another one than Asks
	Main    string // the column that answers the question; if empty, J where that is kept, otherwise the first kept column
	// Parameters are those of the subjects. The options that are swept follow them.
	Parameters []experiments.Parameter
	// Stored lists the names of the columns that are kept, in the order in which files have them. It is nil where that is the order of the
	// columns.
	Stored []string
	// Build makes the case that parameters describe; nil for a case of annealing.
	Build func(ctx context.Context, params experiments.Params) ([]experiments.Case, error)
	// Subject makes the subject of a case.
	Subject func(ctx context.Context, c *experiments.Case, params experiments.Params) (On, error)
	// Note says what the numbers of a row cannot, empty where there is nothing to say. Its error says why a row is no result.
	Note func(r *R) (string, error)
	// Restore rebuilds from the stored numbers a row from which derived columns are computed; nil if the study has no derived column.
	Restore func(k Kept) R
	// Check returns an error if numbers that are each in range contradict each other; nil checks nothing more.
	Check func(r Kept) error
	// Cost estimates what a row takes on one core; nil for what an exact solution takes.
	Cost func(experiments.Size) experiments.Cost
}

// Kept is a stored result of a sweep, as it is read back. (columns.Kept is another thing: how a column is stored.)
type Kept struct {
	Params experiments.Params
	Note   string
	names  []string
	values []float64
}

// Get returns a number. It panics for a column that is not kept.
func (k Kept) Get(name string) float64 {
	i := slices.Index(k.names, name)
	if i < 0 {
		panic("study: no column " + name + " is kept")
	}
	return k.values[i]
}

// kept returns the columns that a sweep keeps, by the names and in the order of its files.
func (s *Study[On, O, R]) kept() (fields columns.List) {
	for _, f := range s.Columns {
		if f.Kept != nil {
			fields = append(fields, f)
		}
	}
	if s.Swept.Stored == nil {
		return fields
	}
	place := func(f columns.Field) int {
		i := slices.Index(s.Swept.Stored, f.Name)
		if i < 0 {
			panic("study: the column " + f.Name + " of " + s.Name + " has no place among those that are stored")
		}
		return i
	}
	slices.SortStableFunc(fields, func(a, b columns.Field) int { return place(a) - place(b) })
	return fields
}

// Sweep returns the study as one that can be swept.
func (s *Study[On, O, R]) Sweep() *experiments.Study {
	fields, w := s.kept(), s.Swept
	out := &experiments.Study{
		Name: s.Name, Answers: w.Answers, Main: w.Main, Parameters: slices.Clone(w.Parameters), Build: w.Build, Cost: w.Cost,
	}
	if out.Answers == "" {
		out.Answers = s.Asks
	}
	for _, o := range s.Options {
		if o.Swept != nil {
			out.Parameters = append(out.Parameters, *o.Swept)
		}
	}
	var stored columns.List
	var names []string
	for _, f := range fields {
		v := experiments.Value{Column: f.Column, Kept: *f.Kept}
		if f.Kept.Derived {
			v.Of = func(numbers []float64) float64 {
				r := w.Restore(Kept{names: names, values: numbers})
				return number(f.Of(&r))
			}
		} else {
			stored, names = append(stored, f), append(names, f.Name)
		}
		out.Values = append(out.Values, v)
	}
	out.Solve = func(ctx context.Context, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
		return s.solve(ctx, stored, c, params)
	}
	if w.Check != nil {
		out.Check = func(params experiments.Params, o experiments.Outcome) error {
			// What classes leave out explains no contradiction: the numbers are exact ones of the classes.
			return w.Check(Kept{params, experiments.WithoutLeftOut(o.Note), names, o.Numbers})
		}
	}
	return out
}

// Rows answers the question about one case that parameters of a sweep describe. Those of the study that are not among the parameters are as
// in Standard.
func (s *Study[On, O, R]) Rows(ctx context.Context, c *experiments.Case, params experiments.Params, h How) ([]R, error) {
	o := s.Standard
	if err := s.set(&o, params); err != nil {
		return nil, err
	}
	subject, err := s.Swept.Subject(ctx, c, params)
	if err != nil {
		return nil, err
	}
	return s.Run(ctx, []On{subject}, o, h)
}

// solve answers the question about one case, by the numbers of the fields.
func (s *Study[On, O, R]) solve(ctx context.Context, fields columns.List, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
	rows, err := s.Rows(ctx, c, params, How{Workers: 1})
	if err != nil {
		return experiments.Outcome{}, err
	}
	note, err := s.Swept.Note(&rows[0])
	if err != nil {
		return experiments.Outcome{}, err
	}
	numbers := make([]float64, len(fields))
	for i, f := range fields {
		numbers[i] = number(f.Of(&rows[0]))
	}
	return experiments.Outcome{Numbers: numbers, Note: experiments.WithLeftOut(note, columns.LeftOut(&rows[0]))}, nil
}

// number returns the number in a cell: NaN for an empty one, and 1 or 0 for what is true or not.
func number(cell any) float64 {
	switch v := cell.(type) {
	case nil:
		return math.NaN()
	case float64:
		return v
	case int:
		return float64(v)
	case bool:
		if v {
			return 1
		}
		return 0
	case columns.Both:
		return number(v.Machine)
	}
	panic("study: a column that is kept holds no number")
}

// TheCase is the Subject of a study of cases of annealing.
func TheCase(_ context.Context, c *experiments.Case, _ experiments.Params) (experiments.Case, error) {
	return *c, nil
}
