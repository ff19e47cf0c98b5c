package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/reports/columns"
)

// Size declares the parameter of a study that sets the size of a computation, so that Until can
// search its smallest sufficient value.
type Size struct {
	// the name of the option; empty if it is T, the number of distributions of the cases of
	// annealing
	Option string
	Least  int64 // the smallest value
	Most   int64 // the default of the largest value to try
	// Apart is a list option whose parts are searched separately, so that easy ones are not
	// computed at the sizes of hard ones; empty if there is none.
	Apart string
}

// Name returns the name of the size for sentences.
func (s *Size) Name() string {
	switch s.Option {
	case "":
		return "T"
	case "samples":
		return "N"
	}
	return s.Option
}

// Plural returns the name of several sizes.
func (s *Size) Plural() string {
	if len(s.Name()) == 1 {
		return "values of " + s.Name()
	}
	return "numbers of " + s.Name()
}

// Goal is a condition on a column, with the limits of the search for a size that meets it.
type Goal struct {
	columns.Condition
	Most   int64         // the largest size that is tried; 0 is that of the study
	Within time.Duration // no larger size is tried once this time has passed
}

// DefaultWithin is the default time of a Goal.
const DefaultWithin = 10 * time.Minute

// Parse reads the condition of a goal, as in J<0.01. J=0.01 means J<=0.01.
func (g *Goal) Parse(text string) error {
	if name, number, is := strings.Cut(text, "="); is && !strings.ContainsAny(name, "<>") &&
		!strings.HasPrefix(number, "=") {
		text = name + "<=" + number
	}
	list, err := columns.ParseConditions(text)
	if err == nil && (len(list) > 1 || list[0].Sign == "==") {
		err = errs.New("%q is not a goal; write one column and one limit, as in J<0.01 or ress_mean>=100", text)
	}
	if err == nil {
		g.Condition = list[0]
	}
	return err
}

// Below reports whether the goal is an upper limit.
func (g *Goal) Below() bool { return g.Sign[0] == '<' }

// checkGoal finds the column of a goal, which it may name by its title, and refuses what no size
// can meet or no search can look for.
func (d *Declaration) checkGoal(g *Goal) (columns.Field, error) {
	var known []string
	at := -1
	for i, f := range d.Columns {
		if f.Name == "" || f.Type != columns.Float {
			continue
		}
		known = append(known, f.Name)
		if at < 0 && (f.Name == g.Column || f.Title == g.Column) {
			at = i
		}
	}
	if at < 0 {
		return columns.Field{}, selector.UnknownError("column of numbers", g.Column, known)
	}
	f := d.Columns[at]
	g.Column = f.Name
	low := math.Inf(-1)
	if f.Kept != nil && !f.Kept.Derived {
		low = f.Kept.Low
	}
	if g.Most == 0 {
		g.Most = d.Size.Most
	}
	switch {
	case g.Below() && (g.Number < low || g.Number == low && g.Sign == "<"):
		return f, fmt.Errorf("%s is never below %v, so no %s meets %s", g.Column, low, d.Size.Name(), g)
	case g.Most < d.Size.Least:
		return f, errs.New("the largest %s is %d; give %d or more", d.Size.Name(), g.Most, d.Size.Least)
	case !(g.Within > 0):
		return f, errs.New("the time limit is %v; give a positive one", g.Within)
	}
	return f, nil
}

// SearchResult is the end of a search for the smallest size of a row.
type SearchResult struct {
	Size  int64   // the size that meets the goal; if none does, the largest that was tried
	Met   bool    // whether it meets the goal
	Value float64 // the column at Size; NaN if there is no number
	Below float64 // the column at the largest smaller size that was tried; NaN if there is none
	Tried []int64 // the sizes that were computed, in order
	Least bool    // whether every smaller size was computed, and does not meet the goal
	Why   error   // why the search ended without a size that meets it; nil if it is met
}

const (
	// scanned is the size up to which a scan computes every one.
	scanned = 16
	// patience is the number of sizes one after another at which a column is no finite number,
	// after which it is given up.
	patience = 27
)

// search is the search for the size of one row.
type search struct {
	SearchResult
	goal  *Goal
	least int64
	// the largest size that is known not to meet the goal, and the smallest that is known to; 0 if
	// there is none
	low, high int64
	infinite  int // how many of the last sizes had no finite number
	row       any // a pointer to that at Size
}

// nextSize returns the size that is to be computed next, and 0 if the search has ended. A search
// computes every size up to 16, then doubles it until the goal is met, and bisects between the last
// two.
func (s *search) nextSize() int64 {
	switch {
	case s.Why != nil || s.high > 0 && s.high-s.low <= 1:
		return 0
	case len(s.Tried) == 0:
		return s.least
	case s.high > 0:
		return s.low + (s.high-s.low)/2
	case s.low < scanned:
		return s.low + 1
	}
	return min(2*s.low, s.goal.Most)
}

// addSize takes the column at a size, in a row for which some sizes are known to be too small.
func (s *search) addSize(size int64, cell any, row any, late bool, of *Size) {
	v, is := columns.NumberIn(cell)
	s.Tried = append(s.Tried, size)
	s.infinite++
	if is && !math.IsNaN(v) && !math.IsInf(v, 0) {
		s.infinite = 0
	}
	if s.goal.Holds(cell) {
		s.high = size
		s.Met = true
		s.Size = size
		s.Value = v
		s.row = row
		return
	}
	s.low = size
	s.Below = v
	if s.Met {
		return
	}
	s.Size = size
	s.Value = v
	s.row = row
	switch {
	case size >= s.goal.Most:
		s.Why = fmt.Errorf("%s = %d is the limit of the search", of.Name(), size)
	case late:
		s.Why = fmt.Errorf("the time limit of %v is reached", s.goal.Within)
	case s.infinite == patience:
		s.Why = fmt.Errorf("it was not finite at the last %d %s, and may never become finite", patience, of.Plural())
	}
}

// result returns the result of the search.
func (s *search) result() SearchResult {
	s.Tried = slices.Sorted(slices.Values(s.Tried))
	smaller := int64(slices.Index(s.Tried, s.Size))
	s.Least = s.Met && smaller == s.Size-s.least
	if smaller == 0 || !s.Met {
		s.Below = math.NaN()
	}
	return s.SearchResult
}

// SubjectsAt returns the subjects of one search, which may depend on the size if that is T.
type SubjectsAt func(ctx context.Context, size int64) (on any, err error)

// AskedOf returns one search for each of the subjects on, if these do not depend on the size.
func (d *Declaration) AskedOf(on any) (asked []SubjectsAt) {
	n, _ := columns.Rows(on)
	for i := range n {
		asked = append(asked, func(context.Context, int64) (any, error) { return d.typed.some(on, i), nil })
	}
	return asked
}

// CheckUntil returns an error if Until does not support a goal, or the study fails at the smallest
// size. It sets the defaults of the goal.
func (d *Declaration) CheckUntil(ctx context.Context, g *Goal, asked []SubjectsAt, o any) error {
	if _, err := d.checkGoal(g); err != nil {
		return err
	}
	for _, of := range asked {
		if _, err := d.accepted(ctx, of, o, "", d.Size.Least); err != nil {
			return err
		}
	}
	return nil
}

// Until searches the smallest size at which a column meets a goal, for every row separately. It
// returns the rows at these sizes, as a []R in the order of the study, and a SearchResult for each.
//
// A column need not fall as the size grows, so that beyond 16 a size between those of
// SearchResult.Tried may meet the goal too.
func (d *Declaration) Until(ctx context.Context, g Goal, asked []SubjectsAt, o any,
	h How) (rows any, found []SearchResult, err error) {
	f, err := d.checkGoal(&g)
	if err != nil {
		return nil, nil, err
	}
	var all []any
	for _, of := range asked {
		for _, part := range d.partTexts(o) {
			some, err := d.searches(ctx, &g, f, func(size int64) (any, error) {
				plan, err := d.accepted(ctx, of, o, part, size)
				if err != nil {
					return nil, err
				}
				return plan.Run(ctx, h)
			})
			if err != nil {
				return nil, nil, err
			}
			for _, s := range some {
				all, found = append(all, s.row), append(found, s.result())
			}
		}
	}
	return d.typed.collect(all), found, nil
}

// refused is why a study refuses a size.
type refused struct{ error }

func (r refused) Unwrap() error { return r.error }

// accepted returns the plan of a search at a size, where the option that is looked at one by one
// has this text, unless it is empty.
func (d *Declaration) accepted(ctx context.Context, of SubjectsAt, o any, part string,
	size int64) (plan Accepted, err error) {
	on, err := of(ctx, size)
	if err != nil {
		return plan, err
	}
	with := d.typed.options(o)
	if v := d.optionValue(with, d.Size.Option); v != nil {
		err = v.Set(strconv.FormatInt(size, 10))
	}
	if v := d.optionValue(with, d.Size.Apart); v != nil && part != "" && err == nil {
		err = setOne(v, part)
	}
	if err == nil {
		plan, err = d.Accept(ctx, on, with)
	}
	if err != nil {
		err = refused{err}
	}
	return plan, err
}

// searches looks for the sizes of the rows that at returns for a size. These rows are always as
// many, in the same order. It computes no size twice for the same row, and rows that want the same
// size at the same time are computed together.
func (d *Declaration) searches(ctx context.Context, g *Goal, f columns.Field,
	at func(size int64) (any, error)) (started []*search, err error) {
	begin := time.Now()
	for wanted := []int64{d.Size.Least}; len(wanted) > 0; {
		for _, size := range wanted {
			rows, err := at(size)
			if why, is := errors.AsType[refused](err); is && started != nil {
				for _, s := range started {
					if s.nextSize() == size {
						s.Why = fmt.Errorf("%s = %d is refused: %w", d.Size.Name(), size, why.error)
					}
				}
				continue
			}
			if err != nil {
				return nil, err
			}
			n, at := columns.Rows(rows)
			for i := range n {
				row := at(i)
				if len(started) == i && size == d.Size.Least {
					started = append(started, &search{goal: g, least: size, low: size - 1})
				}
				if i < len(started) && started[i].nextSize() == size {
					started[i].addSize(size, f.Of(row), row, time.Since(begin) > g.Within, d.Size)
				}
			}
			if n != len(started) {
				return nil, fmt.Errorf("%s has %d rows at %s = %d and %d at %d, so the search cannot match them",
					d.Name, len(started), d.Size.Name(), d.Size.Least, n, size)
			}
		}
		wanted = nil
		for _, s := range started {
			if size := s.nextSize(); size > 0 {
				wanted = append(wanted, size)
			}
		}
		wanted = slices.Sorted(slices.Values(wanted))
		wanted = slices.Compact(wanted)
	}
	return started, ctx.Err()
}

// partTexts returns the texts of the option that is looked at one by one, and one empty text if
// there is no such option.
func (d *Declaration) partTexts(o any) []string {
	if v, is := d.optionValue(o, d.Size.Apart).(interface{ GetSlice() []string }); is {
		return slices.Clone(v.GetSlice())
	}
	return []string{""}
}

// optionValue returns the value of an option of this name, and nil if there is none.
func (d *Declaration) optionValue(o any, name string) Value {
	for _, option := range d.Options {
		if name != "" && option.Name == name {
			return option.Value(o)
		}
	}
	return nil
}

// Given returns the error for a size that is given together with a goal.
func (s *Size) Given() error {
	return errs.New("{"+cmp.Or(s.Option, "T")+
		"} and {until} are both given; {until} finds %s itself, so leave one out", s.Name())
}
