package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/chains/sorts"
	"breadboard/experiments/columns"
)

// Size declares which parameter of a study says how large a computation is, so that Until can look for its smallest value that does. R is the type of a row.
type Size[R any] struct {
	Option string // the name of the option; empty where it is T, the number of distributions of the cases of annealing
	Least  int64  // the smallest value
	Most   int64  // the largest that is tried where nothing else is said
	// Falls reports whether a column is proven to fall as the size grows and all else of the row stays; nil where none is.
	Falls func(column string, r *R) bool
	// Never says why no larger size can be found to bring a column within a goal, where the row shows that, and nil where it does not. It may be
	// nil itself.
	Never func(g Goal, r *R) error
	// Apart is an option that is a list, of which each part is looked at by itself; empty where there is none.
	Apart string
}

// UntypedSize is a Size without its type, whose functions take a pointer to a row.
type UntypedSize struct {
	Option, Apart string
	Least, Most   int64
	falls, never  reflect.Value
}

func sizeOf(s reflect.Value) *UntypedSize {
	if s = s.FieldByName("Size").Elem(); !s.IsValid() {
		return nil
	}
	return &UntypedSize{
		get[string](s, "Option"), get[string](s, "Apart"), get[int64](s, "Least"), get[int64](s, "Most"), s.FieldByName("Falls"), s.FieldByName("Never"),
	}
}

// Name returns what the size is called in sentences.
func (s *UntypedSize) Name() string {
	switch s.Option {
	case "":
		return "T"
	case "samples":
		return "N"
	}
	return s.Option
}

// Plural returns what several sizes are called.
func (s *UntypedSize) Plural() string {
	if len(s.Name()) == 1 {
		return "values of " + s.Name()
	}
	return "numbers of " + s.Name()
}

// Goal is a condition on a column, and how far to look for a size that meets it.
type Goal struct {
	columns.Condition
	Most   int64         // the largest size that is tried; 0 is that of the study
	Within time.Duration // no larger size is tried once this time has passed
}

// DefaultWithin is the time of a Goal where nothing else is said.
const DefaultWithin = 10 * time.Minute

// Parse reads the condition of a goal, as in J<0.01. It takes J=0.01 for J<=0.01.
func (g *Goal) Parse(text string) error {
	if name, number, is := strings.Cut(text, "="); is && !strings.ContainsAny(name, "<>") && !strings.HasPrefix(number, "=") {
		text = name + "<=" + number
	}
	list, err := columns.ParseConditions(text)
	if err == nil && (len(list) > 1 || list[0].Sign == "==") {
		err = fmt.Errorf("%q is no goal; write one column and one limit, as in J<0.01 or ress_mean>=100", text)
	}
	if err == nil {
		g.Condition = list[0]
	}
	return err
}

// Below reports whether the goal asks for small values.
func (g *Goal) Below() bool { return g.Sign[0] == '<' }

// check finds the column of a goal, which it may name by its title, and refuses what no size can meet or no search can look for.
func (u *Untyped) check(g *Goal) (columns.Field, error) {
	var known []string
	at := -1
	for i, f := range u.Columns {
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
	f := u.Columns[at]
	g.Column = f.Name
	low := math.Inf(-1)
	if f.Kept != nil && !f.Kept.Derived {
		low = f.Kept.Low
	}
	if g.Most == 0 {
		g.Most = u.Size.Most
	}
	switch {
	case g.Below() && (g.Number < low || g.Number == low && g.Sign == "<"):
		return f, fmt.Errorf("%s is never below %v, so that no %s meets %s", g.Column, low, u.Size.Name(), g)
	case g.Most < u.Size.Least:
		return f, fmt.Errorf("the largest %s is %d; give %d or more", u.Size.Name(), g.Most, u.Size.Least)
	case !(g.Within > 0):
		return f, fmt.Errorf("the time is %v; give some", g.Within)
	}
	return f, nil
}

// Found is the end of a search for the smallest size of a row.
type Found struct {
	Size  int64   // the size that meets the goal; where none does, the largest that was tried
	Met   bool    // whether it meets the goal
	Value float64 // the column at Size; NaN where there is no number
	Below float64 // the column at the largest smaller size that was tried; NaN where there is none
	Tried []int64 // the sizes that were computed, in order
	Least bool    // whether it is known that no smaller size meets the goal
	Falls bool    // whether the column is proven to fall with the size
	Never bool    // whether no larger size can be found to meet the goal, as Size.Never says
	Why   error   // why the search ended without a size that meets it; nil where it is met
}

const (
	// scanned is the size up to which a scan computes every one.
	scanned = 16
	// patience is the number of sizes one after another at which a column is no finite number, after which it is given up.
	patience = 27
)

// hunt is the search for the size of one row.
type hunt struct {
	Found
	goal      *Goal
	least     int64
	low, high int64 // the largest size that is known not to meet the goal, and the smallest that is known to; 0 where there is none
	infinite  int   // how many of the last sizes had no finite number
	row       reflect.Value
}

// next returns the size that is to be computed next, and 0 where the search has ended. A search doubles the size until the goal is met, and then
// bisects between the last two. Where the column is not proven to fall it computes every size up to 16 before.
func (s *hunt) next() int64 {
	switch {
	case s.Why != nil || s.high > 0 && s.high-s.low <= 1:
		return 0
	case len(s.Tried) == 0:
		return s.least
	case s.high > 0:
		return s.low + (s.high-s.low)/2
	case !s.Falls && s.low < scanned:
		return s.low + 1
	}
	return min(2*s.low, s.goal.Most)
}

// take takes the column at a size, in a row for which some sizes are known to be too small.
func (s *hunt) take(size int64, cell any, row reflect.Value, late bool, u *UntypedSize) {
	v, is := columns.NumberIn(cell)
	s.Tried = append(s.Tried, size)
	if s.infinite++; is && !math.IsNaN(v) && !math.IsInf(v, 0) {
		s.infinite = 0
	}
	if is && s.goal.Holds(v) {
		s.high, s.Met, s.Size, s.Value, s.row = size, true, size, v, row
		return
	}
	s.low, s.Below = size, v
	if s.Met {
		return
	}
	s.Size, s.Value, s.row = size, v, row
	if !u.never.IsNil() {
		s.Why = errorOf(call(u.never, *s.goal, row.Interface())[0])
		s.Never = s.Why != nil
	}
	switch {
	case s.Never:
	case size >= s.goal.Most:
		s.Why = fmt.Errorf("%s = %d is the largest that is tried", u.Name(), size)
	case late:
		s.Why = fmt.Errorf("the time of %v is over", s.goal.Within)
	case s.infinite == patience:
		s.Why = fmt.Errorf("it was no finite number at the last %d %s that were tried, and nothing says that it becomes one", patience, u.Plural())
	}
}

// end returns the result of the search.
func (s *hunt) end() Found {
	s.Tried = sorts.Int64s(slices.Values(s.Tried))
	smaller := int64(slices.Index(s.Tried, s.Size))
	s.Least = s.Met && (s.Falls || smaller == s.Size-s.least)
	if smaller == 0 || !s.Met {
		s.Below = math.NaN()
	}
	return s.Found
}

// Asked is what one search is about: the subjects of a study, which may depend on the size where that is T.
type Asked func(ctx context.Context, size int64) (on any, err error)

// AskedOf returns what searches are about where the subjects on have nothing to do with the size: one of them each.
func AskedOf(on any) (asked []Asked) {
	v := reflect.ValueOf(on)
	for i := range v.Len() {
		asked = append(asked, func(context.Context, int64) (any, error) { return v.Slice3(i, i+1, i+1).Interface(), nil })
	}
	return asked
}

// CheckUntil returns an error where Until refuses a goal, or the study the smallest size. It sets what the goal leaves open.
func (u *Untyped) CheckUntil(ctx context.Context, g *Goal, asked []Asked, o any) error {
	if _, err := u.check(g); err != nil {
		return err
	}
	for _, of := range asked {
		if _, err := u.accepted(ctx, of, o, "", u.Size.Least); err != nil {
			return err
		}
	}
	return nil
}

// Until looks for the smallest size at which a column meets a goal, in every row by itself. It returns the rows at these sizes, as a []R in the order
// of the study, and a Found for each.
//
// Where the column is proven to fall as the size grows the size is doubled until the goal is met, and then bisected: it is the smallest. Elsewhere
// every size up to 16 is computed before, and no other: a size between those of Found.Tried may meet the goal too.
func (u *Untyped) Until(ctx context.Context, g Goal, asked []Asked, o any, h How) (rows any, found []Found, err error) {
	f, err := u.check(&g)
	if err != nil {
		return nil, nil, err
	}
	all := reflect.MakeSlice(reflect.SliceOf(u.rowType()), 0, len(asked))
	for _, of := range asked {
		for _, part := range u.parts(o) {
			some, err := u.hunt(ctx, &g, f, func(size int64) (any, error) {
				plan, err := u.accepted(ctx, of, o, part, size)
				if err != nil {
					return nil, err
				}
				return plan.Run(ctx, h)
			})
			if err != nil {
				return nil, nil, err
			}
			for _, s := range some {
				all, found = reflect.Append(all, s.row.Elem()), append(found, s.end())
			}
		}
	}
	return all.Interface(), found, nil
}

// refused is why a study refuses a size.
type refused struct{ error }

func (r refused) Unwrap() error { return r.error }

// accepted returns the plan of a search at a size, where the option that is looked at one by one has this text, unless it is empty.
func (u *Untyped) accepted(ctx context.Context, of Asked, o any, part string, size int64) (plan UntypedPlan, err error) {
	on, err := of(ctx, size)
	if err != nil {
		return plan, err
	}
	with := reflect.New(reflect.TypeOf(o).Elem())
	with.Elem().Set(reflect.ValueOf(o).Elem())
	if v := u.value(with.Interface(), u.Size.Option); v != nil {
		err = v.Set(strconv.FormatInt(size, 10))
	}
	if v := u.value(with.Interface(), u.Size.Apart); v != nil && part != "" && err == nil {
		err = setOne(v, part)
	}
	if err == nil {
		plan, err = u.Accept(ctx, on, with.Interface())
	}
	if err != nil {
		err = refused{err}
	}
	return plan, err
}

// hunt looks for the sizes of the rows that at returns for a size. These rows are always as many, in the same order. It computes no size twice for
// the same row, and rows that want the same size at the same time are computed together.
func (u *Untyped) hunt(ctx context.Context, g *Goal, f columns.Field, at func(size int64) (any, error)) (hunts []*hunt, err error) {
	begin := time.Now()
	for wanted := []int64{u.Size.Least}; len(wanted) > 0; {
		for _, size := range wanted {
			rows, err := at(size)
			if why, is := errors.AsType[refused](err); is && hunts != nil {
				for _, s := range hunts {
					if s.next() == size {
						s.Why = fmt.Errorf("%s = %d is refused: %w", u.Size.Name(), size, why.error)
					}
				}
				continue
			}
			if err != nil {
				return nil, err
			}
			n, _ := pointers(rows)
			for i := range n {
				row := reflect.ValueOf(rows).Index(i).Addr()
				if len(hunts) == i && size == u.Size.Least {
					s := &hunt{goal: g, least: size, low: size - 1}
					s.Falls = g.Below() && !u.Size.falls.IsNil() && call(u.Size.falls, g.Column, row.Interface())[0].Bool()
					hunts = append(hunts, s)
				}
				if i < len(hunts) && hunts[i].next() == size {
					hunts[i].take(size, f.Of(row.Interface()), row, time.Since(begin) > g.Within, u.Size)
				}
			}
			if n != len(hunts) {
				return nil, fmt.Errorf("%s has %d rows at %s = %d and %d at %d, so that their sizes cannot be looked for", u.Name, len(hunts), u.Size.Name(), u.Size.Least, n, size)
			}
		}
		wanted = nil
		for _, s := range hunts {
			if size := s.next(); size > 0 {
				wanted = append(wanted, size)
			}
		}
		wanted = sorts.Int64s(slices.Values(wanted))
		wanted = slices.Compact(wanted)
	}
	return hunts, ctx.Err()
}

// rowType returns the type of a row.
func (u *Untyped) rowType() reflect.Type {
	run, _ := u.study.FieldByName("Plan").Type().Out(0).FieldByName("Run")
	return run.Type.Out(0).Elem()
}

// parts returns the texts of the option that is looked at one by one, and one empty text where there is no such option.
func (u *Untyped) parts(o any) []string {
	if v, is := u.value(o, u.Size.Apart).(interface{ GetSlice() []string }); is {
		return slices.Clone(v.GetSlice())
	}
	return []string{""}
}

// value returns the value of an option of this name, and nil where there is none.
func (u *Untyped) value(o any, name string) Value {
	for _, option := range u.Options {
		if name != "" && option.Name == name {
			return option.Value(o)
		}
	}
	return nil
}

// Given returns an error that says that a size is given beside a goal.
func (s *UntypedSize) Given() error {
	return chains.NewAdvice("{"+cmp.Or(s.Option, "T")+"} and {until} are both given; {until} finds %s itself, so leave one out", s.Name())
}
