package conform_test

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/draws"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
)

// two is a kind of records of a real number v, which is one of two values with the same
// probability, and of a whole number w, which is all but certain. One known way to get it wrong has
// v three times as often, and another one never.
func two(low, high, rare float64) records.Kind {
	law := func(p float64) func(context.Context) ([]records.Atom, error) {
		return func(context.Context) (atoms []records.Atom, err error) {
			for w, q := range []float64{1 - rare, rare} {
				for v, p := range []float64{1 - p, p} {
					atoms = append(atoms, records.Atom{Whole: records.Key([]int8{int8(w)}), Reals: []float64{[]float64{low, high}[v]}, P: p * q})
				}
			}
			return atoms, nil
		}
	}
	return records.Kind{
		Name: "runs", Groups: []records.Group{{Name: "v"}, {Name: "w"}}, Reals: []records.Column{{Name: "v", Group: "v", Test: "v"}},
		Wholes: []records.Column{{Name: "w", Group: "w", Test: "w", Most: 1}},
		Ways:   []records.Way{{Name: records.Specification, Law: law(0.5)}, {Name: "high", Law: law(0.75)}, {Name: "low", Law: law(0)}},
	}
}

// checkTexts checks runs whose number v is written as these texts. The number w is 0, and 1 in
// those that end in @.
func checkTexts(t *testing.T, k records.Kind, o records.Options, texts ...string) (*records.Outcome, error) {
	t.Helper()
	at := 0
	source := &records.Source{Name: "runs.csv", Columns: k.Columns(), Next: func(_ context.Context, n int) (list []records.Record, err error) {
		for ; n > 0 && at < len(texts); n, at = n-1, at+1 {
			text, rare := strings.CutSuffix(texts[at], "@")
			v, digits, _ := draws.ParseNumber([]byte(text))
			list = append(list, records.Record{Reals: []float64{v}, Digits: []draws.Digits{digits}, Whole: []int8{map[bool]int8{true: 1}[rare]}})
		}
		if list == nil {
			err = io.EOF
		}
		return list, err
	}}
	o.Alpha = records.DefaultAlpha
	return longtest.Must(records.New(context.Background(), []records.Kind{k}, 1, nil))(t).Check(context.Background(), []*records.Source{source}, o)
}

// TestDigitsOfTheWholeColumn: 0.5 has too few digits to distinguish it from 0.4833333333333333
// if no row of its column has more, and is a fault where another row has all. Nothing is said
// before that is known, however the rows stand.
func TestDigitsOfTheWholeColumn(t *testing.T) {
	const low, high = "0.4833333333333333", "0.7833333333333333"
	k := two(29./60, 47./60, 1e-3)
	for _, c := range []struct {
		texts []string
		says  string // of the error; empty if there is none
		fault bool
	}{
		{[]string{"0.5", low, high}, "", true},
		{[]string{low, "0.5", high}, "", true},
		{[]string{"0.5", "0.5", "0.5", high}, "", true},
		{[]string{"0.5", "0.8", "0.5"}, "v of run 1, 0.5, has too few digits to distinguish it from 0.48333", false},
		{[]string{"0.48", "0.78", "0.48"}, "write all digits", false},
		{[]string{low, high, "0.48"}, "", true},
		{[]string{low, high, low}, "", false},
		{[]string{"0", "1"}, "", true}, // whole numbers are what they are
	} {
		for _, limit := range []int{0, len(c.texts)} {
			found, err := checkTexts(t, k, records.Options{Runs: limit}, c.texts...)
			switch {
			case c.says != "":
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%q: error %v", c.texts, err)
				}
			case err != nil || found.Fault() != c.fault:
				t.Errorf("%q: error %v, %+v", c.texts, err, found)
			}
		}
	}
	// Rows that never end are not waited for.
	_, digits, _ := draws.ParseNumber([]byte("0.8"))
	rows := 0
	many := endless([]string{"v"}, func() records.Record {
		if rows++; rows > 4<<12 {
			t.Fatal("it goes on reading")
		}
		return records.Record{Reals: []float64{0.8}, Digits: []draws.Digits{digits}, Whole: []int8{0}}
	})
	l := longtest.Must(records.New(context.Background(), []records.Kind{k}, 1, nil))(t)
	longtest.Refuses(l.Check(context.Background(), []*records.Source{many}, records.Options{Alpha: records.DefaultAlpha}))(t, "too few digits")
}

// TestSourcesEnd: sources that end, that have no rows, and that fail.
func TestSourcesEnd(t *testing.T) {
	l := longtest.Must(records.New(t.Context(), []records.Kind{two(0, 1, 1e-9)}, 1, nil))(t)
	check := func(after int, end error, o records.Options) (*records.Outcome, error) {
		source := &records.Source{Name: "runs.csv", Columns: []string{"v"}, Next: func(_ context.Context, n int) ([]records.Record, error) {
			if n = min(n, after); n == 0 {
				return nil, end
			}
			after -= n
			return slices.Repeat([]records.Record{{Reals: []float64{1}, Whole: []int8{0}}}, n), nil
		}}
		return l.Check(t.Context(), []*records.Source{source}, o)
	}
	usual := records.Options{Alpha: records.DefaultAlpha}
	if found := longtest.Must(check(7, io.EOF, usual))(t); found.Sides[0].Runs != 7 || found.Fault() {
		t.Errorf("%+v", found)
	}
	longtest.Refuses(check(0, io.EOF, usual))(t, "no runs")
	longtest.Refuses(check(5, errors.New("broken"), usual))(t, "broken")
	longtest.Refuses(l.Check(t.Context(), nil, usual))(t, "there is no data")
	for want, o := range map[string]records.Options{"alpha 1": {Alpha: 1}, "alpha NaN": {Alpha: math.NaN()}, "-1 runs": {Alpha: 0.1, Runs: -1}} {
		longtest.Refuses(check(5, io.EOF, o))(t, want)
	}
}

// TestWaitingSaysNothing: if a check is interrupted while records wait, those that do not wait are
// no fault: they are no longer drawn from the distribution.
func TestWaitingSaysNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	read := 0
	source := &records.Source{Name: "a sampler", Columns: []string{"v"}, Next: func(_ context.Context, n int) (list []records.Record, err error) {
		if read >= 100 {
			cancel()
			return nil, ctx.Err()
		}
		for ; n > 0; n, read = n-1, read+1 {
			v, digits, _ := draws.ParseNumber([]byte([]string{"0.5", "0.48"}[read%2]))
			list = append(list, records.Record{Reals: []float64{v}, Digits: []draws.Digits{digits}, Whole: []int8{0}})
		}
		return list, nil
	}}
	l := longtest.Must(records.New(ctx, []records.Kind{two(29./60, 0.5, 1e-9)}, 1, nil))(t)
	if found, err := l.Check(ctx, []*records.Source{source}, records.Options{Alpha: records.DefaultAlpha}); !errors.Is(err, context.Canceled) ||
		found == nil || found.Fault() || found.Sides[0].Runs != read {
		t.Errorf("error %v, %d rows, %+v", err, read, found)
	}
}

// TestImpossibleValueIsShown: the test says which number was sent that no distribution has, and in
// which run.
func TestImpossibleValueIsShown(t *testing.T) {
	texts := []string{"0.4833333333333333", "0.7833333333333333", "0.61234567890123@", "0.71234567890123"}
	found, err := checkTexts(t, two(29./60, 47./60, 1e-3), records.Options{}, texts...)
	if err != nil {
		t.Fatal(err)
	}
	if says := found.Results[0].Statistic; says != "v = 0.61234567890123 (not a value of any known program; the nearest value is 0.48333333333333334) is impossible; impossible runs: 2, of which the first is run 3" {
		t.Error(says)
	}
	if says := found.Results[2].Statistic; !strings.HasPrefix(says, "w = 1, v = 0.61234567890123 (") || !strings.HasSuffix(says, "the first is run 3") {
		t.Error(says)
	}
}

// TestRecordsInexact: numbers of float32 are taken for those of the distributions, with a note;
// numbers of float64 are not spoken of.
func TestRecordsInexact(t *testing.T) {
	for text, want := range map[string]float64{"0.4833333333333333": 0, "0.48333332": 1e-8, "0.48333334": 1e-8, "0.483333333333": 0} {
		found, err := checkTexts(t, two(29./60, 47./60, 1e-3), records.Options{}, text, "0.7833333333333333")
		if err != nil {
			t.Fatal(err)
		}
		list := found.Sides[0].Inexact
		if want == 0 && list != nil || want > 0 && (len(list) != 1 || list[0].Column != "v" || list[0].Off > want || list[0].Off < want/10) {
			t.Errorf("%s: %+v", text, list)
		}
	}
}

// TestRecordsOpen: with few runs no test is a pass, and with more each is from its own number
// of runs on.
func TestRecordsOpen(t *testing.T) {
	open := func(n int) (list []string) {
		texts := make([]string, n)
		for i := range texts {
			texts[i] = []string{"0.4833333333333333", "0.7833333333333333"}[i%2]
		}
		found, err := checkTexts(t, two(29./60, 47./60, 1e-9), records.Options{}, texts...)
		if err != nil || found.Fault() {
			t.Fatalf("error %v, %+v", err, found)
		}
		for _, r := range found.Results {
			if r.Open != "" {
				list = append(list, r.Test)
			}
		}
		return list
	}
	for n, want := range map[int]string{1: "v,w,all,known", 5: "v,w,all,known", 70: "v,w,all,known", 100: "v,all,known", 300: "v,all", 500: ""} {
		var got []string
		for _, name := range open(n) {
			got = append(got, strings.Fields(strings.TrimPrefix(name, "runs: "))[0])
		}
		if text := strings.Join(got, ","); text != want {
			t.Errorf("%d runs: %s are open, want %s", n, text, want)
		}
	}
}

// TestRecordsPower: a test finds what it claims to find with a probability of 0.99, and hardly less
// of a distribution finds it with less.
func TestRecordsPower(t *testing.T) {
	const threshold = 16.0
	found := func(law map[string]float64, n int, p float64) (sum float64) { // by all numbers of runs with the outcome b
		for c := range n + 1 {
			if verdicts.CountsLogE([]int{n - c, c}, []float64{law["a"], law["b"]}) >= threshold {
				sum += distuv.Binomial{N: float64(n), P: p}.Prob(float64(c))
			}
		}
		return sum
	}
	for _, c := range []struct {
		rare float64
		n    int
	}{{1e-9, 100}, {1e-5, 1000}, {1e-200, 300}} {
		law := map[string]float64{"a": 1 - c.rare, "b": c.rare}
		p := records.PowerOf(law, []string{"a", "b"}, c.n, threshold)
		if at, below := found(law, c.n, p.Rare), found(law, c.n, 0.9*p.Rare); !math.IsNaN(p.KL) || !p.Decides() || at < 0.99-1e-9 || below >= 0.99 {
			t.Errorf("%+v: %+v is found with probability %v, and nine tenths of it with %v", c, p, at, below)
		}
	}
	// An impossible outcome is found at once.
	p := records.PowerOf(map[string]float64{"a": 1}, []string{"a"}, 100, threshold)
	if at := -math.Expm1(100 * math.Log1p(-p.Rare)); math.Abs(at-0.99) > 1e-12 {
		t.Errorf("%+v is found with probability %v", p, at)
	}
	// A distribution of two cells that is KL away.
	law := map[string]float64{"a": 0.5, "b": 0.5}
	p = records.PowerOf(law, []string{"a", "b"}, 2000, threshold)
	q := 0.5
	for ; verdicts.Divergence(q, 0.5) < p.KL; q += 1e-5 {
	}
	if at, below := found(law, 2000, q), found(law, 2000, 0.5+0.9*(q-0.5)); at < 0.985 || below >= 0.98 {
		t.Errorf("%+v, that is %v: it is found with probability %v, and nine tenths of it with %v", p, q, at, below)
	}
}

// TestNearKnown: runs of which four in five have a known bug, and the others none, are a fault, and
// the bug is not named: it does not explain them. Those of which all have it are named.
func TestNearKnown(t *testing.T) {
	const cells, n = 12, 1 << 12
	law := func(share float64) func(context.Context) ([]records.Atom, error) { // of the first half of the cells
		return func(context.Context) (atoms []records.Atom, err error) {
			for w := range cells {
				p := share
				if w >= cells/2 {
					p = 1 - share
				}
				atoms = append(atoms, records.Atom{Whole: records.Key([]int8{int8(w)}), P: p / (cells / 2)})
			}
			return atoms, nil
		}
	}
	k := records.Kind{Name: "runs", Groups: []records.Group{{Name: "w"}}, Wholes: []records.Column{{Name: "w", Group: "w", Test: "w", Most: cells - 1}},
		Ways: []records.Way{{Name: records.Specification, Law: law(1. / 2)}, {Name: "low", Law: law(2. / 3)}, {Name: "high", Law: law(1. / 5)}}}
	l := longtest.Must(records.New(context.Background(), []records.Kind{k}, 1, nil))(t)
	for seed := range uint64(10) {
		for _, part := range []float64{0.8, 1} {
			rng := rand.New(rand.NewPCG(seed, 1))
			source := endless([]string{"w"}, func() records.Record {
				share, first := 0.5, cells/2
				if rng.Float64() < part {
					share = 2. / 3
				}
				if rng.Float64() < share {
					first = 0
				}
				return records.Record{Whole: []int8{int8(first + rng.IntN(cells/2))}}
			})
			s := longtest.Must(l.Check(context.Background(), []*records.Source{source}, records.Options{Alpha: records.DefaultAlpha, Runs: n}))(t).Sides[0]
			if named := slices.Equal(s.Named, []string{"low"}); !s.Fault || len(s.Named) > 0 != named || named != (part == 1) {
				t.Errorf("seed %d, %v of the runs: fault %v, named %q with the lead %+v", seed, part, s.Fault, s.Named, s.Lead)
			}
		}
	}
}
