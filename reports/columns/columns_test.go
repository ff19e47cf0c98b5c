package columns_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"breadboard/chains/number"
	"breadboard/grid/longtest"
	"breadboard/reports/columns"
)

// TestTitles: what stands in parentheses behind a title is the unit, and a unit alone makes no
// title.
func TestTitles(t *testing.T) {
	longtest.Only(t)
	of := func(*int) float64 { return 0 }
	for given, want := range map[string][2]string{
		"J (nats)": {"J", "nats"}, "(nats)": {"", "nats"}, " (s)": {"", "s"},
		"(behind) (nats)": {"(behind)", "nats"}, "P(> +1)": {"P(> +1)"},
		"T B, T large": {"T B, T large"}, "": {},
		"log(Z_T/Z_1) (nats)": {"log(Z_T/Z_1)", "nats"},
	} {
		if f := columns.Stated("", given, "", of); f.Title != want[0] || f.Unit != want[1] {
			t.Errorf("%q is %q in %q", given, f.Title, f.Unit)
		}
	}
}

// TestNats: numbers in nats have bounds, or a constructor that says why not.
func TestNats(t *testing.T) {
	of := func(*int) float64 { return 0 }
	cell := func(*int) any { return 0 }
	bounded := func(*int) number.Bounded { return number.Exactly(0) }
	for name, c := range map[string]struct {
		declare func() columns.Field
		refused bool
	}{
		"a title":  {func() columns.Field { return columns.Of("J", "J (nats)", "", of) }, true},
		"no title": {func() columns.Field { return columns.Of("J", "(nats)", "", of) }, true},
		"In": {
			func() columns.Field { return columns.Of("J", "J", "", of).OrEmpty().In("nats") }, true},
		"Any": {
			func() columns.Field { return columns.Any("J", "J (nats)", columns.Float, "", cell) }, true},
		"Any, In": {
			func() columns.Field { return columns.Any("J", "J", columns.Float, "", cell).In("nats") }, true},
		"ForPeople":    {func() columns.Field { return columns.ForPeople("J (nats)", cell) }, true},
		"nats squared": {func() columns.Field { return columns.Of("J", "J (nats^2)", "", of) }, false},
		"Bounded":      {func() columns.Field { return columns.Of("J", "J (nats)", "", bounded) }, false},
		"Bounded, In": {
			func() columns.Field { return columns.Of("J", "J", "", bounded).Absolute().In("nats") }, false},
		"Rounded":   {func() columns.Field { return columns.Rounded("J", "J (nats)", "", of, of) }, false},
		"Estimated": {func() columns.Field { return columns.Estimated("J", "J (nats)", "", of) }, false},
		"Stated, In": {
			func() columns.Field { return columns.Stated("J", "J", "", of).OrEmpty().In("nats") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if panicked := recover() != nil; panicked != c.refused {
					t.Errorf("refused: %t", panicked)
				}
			}()
			c.declare()
		})
	}
}

// TestEmptyCells: NaN, an empty text and numbers below a limit leave cells empty if that is asked
// for, and nowhere else.
func TestEmptyCells(t *testing.T) {
	type row struct {
		v    float64
		n    int
		text string
	}
	number := columns.Of("", "", "", func(r *row) float64 { return r.v })
	whole := columns.Of("", "", "", func(r *row) int { return r.n })
	text := columns.Of("", "", "", func(r *row) string { return r.text })
	lifted := columns.Lift(columns.List{whole}, func(r *row) *row {
		if r.text == "" {
			return nil
		}
		return r
	})[0]
	list := columns.List{
		number.OrEmpty(), whole.Positive(), whole.Natural(), text.OrEmpty(), lifted.Positive()}
	for _, c := range []struct {
		row  row
		want []any
	}{
		{row{0, 1, "a"}, []any{0.0, 1, 1, "a", 1}}, {row{math.NaN(), 0, ""}, []any{nil, nil, 0, nil, nil}},
		{row{math.Inf(1), -1, "b"}, []any{math.Inf(1), nil, nil, "b", nil}},
	} {
		for k, f := range list {
			if got := f.Of(&c.row); got != c.want[k] {
				t.Errorf("%+v, column %d: %v", c.row, k, got)
			}
		}
	}
	if got := number.Of(&row{v: math.NaN()}); got == nil || text.Of(&row{}) != "" {
		t.Errorf("%v", got)
	}
}

// TestCopies: what is said of a column later leaves the field as it is from which it was made.
func TestCopies(t *testing.T) {
	plain := columns.Stated("", "J (nats)", "", func(*int) float64 { return 0 })
	list := columns.List{plain.Titled("K"), plain.In("s"), plain.Digits(3), plain.Answer(), plain.Prose(),
		plain.With("f"), plain.Labels("x")}
	if want := (columns.Column{Type: columns.Float, Title: "J", Unit: "nats"}); !reflect.DeepEqual(
		*plain.Column,
		want,
	) {
		t.Errorf("%+v", *plain.Column)
	}
	for i, f := range list {
		if reflect.DeepEqual(*f.Column, *plain.Column) {
			t.Errorf("column %d is as it was", i)
		}
	}
}

// TestKept: settings of what sweeps keep add up, and leave the field that they are made from as it
// is.
func TestKept(t *testing.T) {
	plain := columns.Of("", "", "", func(*int) float64 { return 0 }).Within(-1, 2)
	if got, want := *plain.Missing().Shown().Kept,
		(columns.Kept{Low: -1, High: 2, Missing: true, Shown: true}); got != want {
		t.Errorf("%+v", got)
	}
	if got := *plain.Kept; got.Missing || got.Shown || !plain.Derived().Kept.Derived {
		t.Errorf("%+v", got)
	}
}

// leaves are rows that leave something out.
type leaves struct{ note, left string }

func (l *leaves) LeftOut() string { return l.left }

// TestNoted: what a row leaves out is said in its notes, for which there is a column if there was
// none; columns of other rows are refused.
func TestNoted(t *testing.T) {
	note := columns.Note(func(l *leaves) string { return l.note })
	left := columns.Of("left", "", "", func(l *leaves) string { return l.left })
	for _, list := range []columns.List{{note}, {left}, {note, left}} {
		for _, row := range []leaves{{"a", "b"}, {"a", ""}, {"", "b"}} {
			noted := columns.Noted(list)
			f := noted[0]
			want := strings.Trim(row.note+"; "+row.left, "; ")
			if list[0].Name == "left" {
				f = noted[1]
				want = row.left
			}
			if got := f.Of(&row); f.Name != "note" || got != want && !(got == nil && want == "") {
				t.Errorf("%+v: %v", row, got)
			}
		}
	}
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "note is about a *columns_test.leaves") {
			t.Errorf("columns of different rows: %q", text)
		}
	}()
	columns.Noted(columns.List{columns.Note(func(*int) string { return "" }), note})
}
