package study_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/columns"
)

type (
	curve   = func(n int64) float64
	curveOf struct {
		N       []int64
		Factors []float64
	}
	point struct {
		Of    int
		Value float64
	}
)

// curves is a study with a row for each subject, whose value is that of a curve at the size times a
// factor. Subjects beyond 100 have no row at size 3.
func curves(list []curve) *study.Declaration {
	return study.New(curveOf{N: []int64{7}, Factors: []float64{1}},
		func(_ context.Context, on []int, o *curveOf) (study.Plan[point], error) {
			if o.N[0] > 4000 {
				return study.Plan[point]{}, errors.New("too large")
			}
			return study.Plan[point]{Run: func(context.Context, study.How) (rows []point, err error) {
				for _, i := range on {
					for _, factor := range o.Factors {
						if i < 100 || o.N[0] != 3 {
							rows = append(rows, point{i, factor * list[i%100](o.N[0])})
						}
					}
				}
				return rows, nil
			}}, nil
		}, study.Declaration{
			Name: "curves",
			Options: study.OptionsOf(func(o *curveOf) []study.Option {
				return []study.Option{
					{Name: "samples", To: study.Wholes(&o.N, "N", 1, 1e15)},
					{Name: "factor", To: study.Numbers(&o.Factors)},
				}
			}),
			Columns: columns.List{
				columns.Of("of", "of", "", func(p *point) int { return p.Of }),
				columns.Of("value", "the value", "", func(p *point) float64 { return p.Value }).Within(
					0,
					math.Inf(1),
				).Answer(),
			},
			Size: &study.Size{Option: "samples", Least: 1, Most: 5000, Apart: "factor"},
		}).Declaration
}

func find(t *testing.T, goal string, most int64, u *study.Declaration,
	on []int) ([]point, []study.SearchResult) {
	t.Helper()
	g := study.Goal{Most: most, Within: time.Minute}
	longtest.NoError(t, g.Parse(goal))
	rows, found, err := u.Until(context.Background(), g, u.AskedOf(on), u.NewOptions(), study.How{})
	longtest.NoError(t, err)
	return rows.([]point), found
}

// TestUntilOfAny: on any curve no size that is computed below the one that is found meets the goal,
// the size before it does not, and up to 16 all are computed, so that the search through all finds
// the same there. Every size that is computed counts, and none is twice.
func TestUntilOfAny(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		most := int64(1 + r.IntN(300))
		values := make([]float64, most+1)
		for i := range values {
			values[i] = 1 + 10*r.Float64()
			if r.IntN(10) == 0 {
				values[i] = math.NaN()
			}
		}
		limit := 1 + r.Float64()
		asked := map[int64]int{}
		u := curves([]curve{func(n int64) float64 { asked[n]++; return values[n] }})
		g := study.Goal{
			Condition: columns.Condition{Column: "value", Sign: "<", Number: limit},
			Most:      most,
			Within:    time.Minute,
		}
		_, list, err := u.Until(context.Background(), g, u.AskedOf([]int{0}), u.NewOptions(), study.How{})
		longtest.NoError(t, err)
		f := list[0]
		first := int64(1 + slices.IndexFunc(values[1:], func(v float64) bool { return v < limit }))
		for n := int64(1); n <= min(16, most) && (first == 0 || n <= first); n++ {
			if asked[n] != 1 {
				t.Errorf("size %d is computed %d times", n, asked[n])
			}
		}
		if len(asked) != len(f.Tried) ||
			slices.ContainsFunc(f.Tried, func(n int64) bool { return asked[n] != 1 }) ||
			!slices.IsSorted(f.Tried) {
			t.Errorf("computed %v, and said %v", asked, f.Tried)
		}
		for _, n := range f.Tried {
			if n < f.Size && values[n] < limit || !f.Met && n > f.Size {
				t.Errorf("%d was computed: %+v", n, f)
			}
		}
		if f.Met &&
			(!(values[f.Size] < limit) || f.Size > 1 && (asked[f.Size-1] != 1 || values[f.Size-1] < limit)) ||
			f.Met && first == 0 {
			t.Errorf("%+v", f)
		}
		smaller := int64(slices.Index(f.Tried, f.Size))
		if first > 0 && first <= 16 && f.Size != first || f.Least != (f.Met && smaller == f.Size-1) ||
			f.Least && f.Size != first {
			t.Errorf("the first is %d: %+v", first, f)
		}
	}
}

// TestUntilWhereBisectionIsWrong: the value is within the limit at 5, at 20 to 22 and from 40 on.
// Bisection finds 40. Every size up to 16 is computed; beyond, sizes between those that are
// computed are missed, and it is not said that the size is the smallest.
func TestUntilWhereBisectionIsWrong(t *testing.T) {
	dips := func(from ...int64) curve {
		return func(n int64) float64 {
			if n >= 40 || slices.Contains(from, n) {
				return 1
			}
			return 2
		}
	}
	for _, c := range []struct {
		of    curve
		size  int64
		least bool
	}{{dips(5), 5, true}, {dips(20, 21, 22), 40, false}, {dips(32), 32, false},
		{func(n int64) float64 { return 20 - float64(n) }, 19, false}} {
		_, found := find(t, "value<=1", 0, curves([]curve{c.of}), []int{0})
		if f := found[0]; !f.Met || f.Size != c.size || f.Least != c.least {
			t.Errorf("%+v instead of %d", f, c.size)
		}
	}
	_, found := find(t, "value<=1", 0, curves([]curve{dips()}), []int{0})
	if want := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 36, 38, 39, 40,
		48, 64}; !reflect.DeepEqual(found[0].Tried, want) {
		t.Errorf("computed %v", found[0].Tried)
	}
}

// TestUntilRows: every row and every part of the option that is looked at one by one has its own
// size, and a column may rise to a limit.
func TestUntilRows(t *testing.T) {
	falls := func(n int64) float64 { return 100 / float64(n) }
	u := curves([]curve{falls, func(n int64) float64 { return falls(n) * 3 }})
	o := u.NewOptions().(*curveOf)
	o.Factors = []float64{1, 2}
	g := study.Goal{
		Condition: columns.Condition{Column: "the value", Sign: "<", Number: 10},
		Within:    time.Minute,
	}
	rows, found, err := u.Until(context.Background(), g, u.AskedOf([]int{0, 1}), o, study.How{})
	var sizes []int64
	for _, f := range found {
		sizes = append(sizes, f.Size)
	}
	if err != nil || !reflect.DeepEqual(sizes, []int64{11, 21, 31, 61}) || len(rows.([]point)) != 4 ||
		rows.([]point)[3] != (point{1, 600.0 / 61}) ||
		len(o.N) != 1 || o.N[0] != 7 {
		t.Errorf("%v %v, %v", sizes, rows, err)
	}
	// in one run, where each is computed as if it were alone
	both := []study.SubjectsAt{func(context.Context, int64) (any, error) { return []int{0, 1}, nil }}
	g.Number = 7
	_, together, err := u.Until(context.Background(), g, both, u.NewOptions(), study.How{})
	_, alone, other := u.Until(context.Background(), g, u.AskedOf([]int{0, 1}), u.NewOptions(), study.How{})
	if err != nil || other != nil || !reflect.DeepEqual(together[0].Tried, alone[0].Tried) ||
		!reflect.DeepEqual(together[1].Tried, alone[1].Tried) ||
		together[1].Size != 43 {
		t.Errorf("%+v and %+v; %v, %v", together, alone, err, other)
	}
	_, found = find(t, "value>=33.5", 0, curves([]curve{func(n int64) float64 { return float64(n) }}), []int{0})
	if f := found[0]; f.Size != 34 || f.Least || f.Below != 33 {
		t.Errorf("%+v", f)
	}
}

// TestUntilEnds: a search ends where a size is refused, if there is no finite number for long, and
// if the time is over.
func TestUntilEnds(t *testing.T) {
	constant := func(v float64) curve { return func(int64) float64 { return v } }
	for _, c := range []struct {
		v   float64
		why string
	}{{2, "N = 4096 is refused: too large"}, {math.Inf(1), "too large"}, {math.NaN(), "too large"}} {
		_, found := find(t, "value<1", 0, curves([]curve{constant(c.v)}), []int{0})
		f := found[0]
		if f.Met || f.Size != 2048 || !strings.Contains(f.Why.Error(), c.why) || !math.IsNaN(f.Below) {
			t.Errorf("%v: %+v", c.v, f)
		}
	}
	_, found := find(t, "value<1", 20, curves([]curve{constant(2)}), []int{0})
	if f := found[0]; f.Size != 20 || f.Why.Error() != "N = 20 is the limit of the search" {
		t.Errorf("%+v", f)
	}
	u := curves([]curve{constant(2)})
	g := study.Goal{
		Condition: columns.Condition{Column: "value", Sign: "<", Number: 1},
		Within:    time.Nanosecond,
	}
	if _, found, err := u.Until(context.Background(), g, u.AskedOf([]int{0}), u.NewOptions(),
		study.How{}); err != nil || len(found[0].Tried) != 1 ||
		!strings.Contains(found[0].Why.Error(), "the time limit of 1ns is reached") {
		t.Errorf("%+v, %v", found, err)
	}
	_, _, err := u.Until(context.Background(), study.Goal{Condition: g.Condition, Within: time.Minute},
		u.AskedOf([]int{100}), u.NewOptions(), study.How{})
	longtest.Refused(t, err, "1 rows at N = 1 and 0 at 3")
	for goal, want := range map[string]string{"of<1": "unknown column", "value<0": "never below 0",
		"value<=-1": "never below", "x<1": "unknown column"} {
		g := study.Goal{Within: time.Minute}
		longtest.NoError(t, g.Parse(goal))
		longtest.Refused(t, u.CheckUntil(context.Background(), &g, nil, u.NewOptions()), want, goal)
	}
	g.Most = -1
	g.Within = 0
	longtest.Refused(t, u.CheckUntil(context.Background(), &g, nil, u.NewOptions()), "give 1 or more")
	g.Most = 1
	longtest.Refused(t, u.CheckUntil(context.Background(), &g, nil, u.NewOptions()), "give a positive one")
}

// TestUntilPatience: if there is no finite number at 27 sizes one after another the search ends: 1
// to 16, and 32 to 65536.
func TestUntilPatience(t *testing.T) {
	type row struct{ V float64 }
	u := study.New(study.NoOptions{}, func(context.Context, []int, *study.NoOptions) (study.Plan[row], error) {
		return study.Plan[row]{
				Run: func(context.Context, study.How) ([]row, error) {
					return []row{{math.Inf(1)}}, nil
				}},
			nil
	}, study.Declaration{
		Columns: columns.List{columns.Of("v", "", "", func(r *row) float64 { return r.V })},
		Size:    &study.Size{Least: 1, Most: 1e12},
	}).Declaration
	_, found, err := u.Until(context.Background(),
		study.Goal{Condition: columns.Condition{Column: "v", Sign: "<", Number: 1}, Within: time.Minute},
		u.AskedOf([]int{0}), u.NewOptions(), study.How{})
	if err != nil || found[0].Size != 32768 && found[0].Size != 65536 ||
		!strings.Contains(found[0].Why.Error(), "not finite at the last 27 values of T") {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestParseGoal(t *testing.T) {
	for text, want := range map[string]columns.Condition{
		" B = 1e-2": {Column: "B", Sign: "<=", Number: 0.01}, "J<=2": {Column: "J", Sign: "<=", Number: 2},
		"J < 0.5":  {Column: "J", Sign: "<", Number: 0.5},
		"ress>=10": {Column: "ress", Sign: ">=", Number: 10},
	} {
		var g study.Goal
		if err := g.Parse(text); g.Condition != want || err != nil {
			t.Errorf("%q is %+v, %v", text, g, err)
		}
	}
	for text, want := range map[string]string{
		"J": "no comparison", "J=": "is not a number", "J=nan": "is not a number", "": "no comparison",
		"<1": "names no column", "J<<1": "is not a comparison", "J=<1": "is not a comparison",
		"J==1": "is not a goal", "J<1,B<1": "is not a goal"} {
		longtest.Refused(t, new(study.Goal).Parse(text), want, text)
	}
}
