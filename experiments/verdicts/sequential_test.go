package verdicts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"breadboard/grid/longtest"
)

// counted is a sequential test whose log e-value is the number of draws, up to the first that is
// not there.
func counted(first, most, end int, threshold float64) (s *Sequential, asked *[]int) {
	asked = new([]int)
	drawn := 0
	value := func() (float64, func() string) {
		return float64(drawn), func() string { return fmt.Sprint(drawn, " draws") }
	}
	return &Sequential{
		First: first, Most: most,
		Grow: func(_ context.Context, draws int) error {
			*asked = append(*asked, draws)
			drawn = min(draws, end)
			if drawn == end {
				return fmt.Errorf("the file: %w", io.EOF)
			}
			return nil
		},
		Tests: []*Watch{{Name: "draws", LogThreshold: threshold, Value: value}},
	}, asked
}

func TestSequential(t *testing.T) {
	for _, c := range []struct {
		name             string
		first, most, end int
		threshold        float64
		asked            []int
		at               int
	}{
		{"as many as were asked for", 3, 20, 1000, 1e9, []int{3, 6, 12, 20}, 0},
		{"no more at the first look", 30, 20, 1000, 1e9, []int{20}, 0},
		{"a fault that reaches the threshold exactly", 3, 20, 1000, 6, []int{3, 6}, 6},
		{"without a bound, a fault ends it", 1, 0, 1000, 100, []int{1, 2, 4, 8, 16, 32, 64, 128}, 128},
		{"the end of the draws, which are looked at", 4, 0, 10, 9.5, []int{4, 8, 16}, 16},
		{"the end of the draws without a fault", 4, 64, 10, 1e9, []int{4, 8, 16}, 0},
		{"NaN is not a pass", 4, 16, 1000, math.NaN(), []int{4}, 4},
	} {
		s, asked := counted(c.first, c.most, c.end, c.threshold)
		if err := s.Run(t.Context()); err != nil || !slices.Equal(*asked, c.asked) {
			t.Errorf("%s: asked for %v, want %v (%v)", c.name, *asked, c.asked, err)
		}
		w := s.Tests[0]
		if w.At != c.at || w.Fault != (c.at > 0) || s.Fault() != w.Fault ||
			w.Draws != c.asked[len(c.asked)-1] {
			t.Errorf("%s: %+v, want a fault at %d", c.name, w, c.at)
		}
	}
}

// TestSequentialDecides goes on after a fault until it is decided, and a fault remains one.
func TestSequentialDecides(t *testing.T) {
	s, asked := counted(1, 64, 1000, 2)
	grown := s.Tests[0].Value
	s.Tests[0].Value = func() (float64, func() string) {
		v, where := grown()
		if v > 4 {
			v = 0
		}
		return v, where
	}
	s.Tests[0].Count = func() int { return 10 * (*asked)[len(*asked)-1] }
	s.Decided = func() bool { return (*asked)[len(*asked)-1] == 16 }
	longtest.NoError(t, s.Run(t.Context()))
	if w := s.Tests[0]; !w.Fault || w.At != 20 || w.LogE != 0 || w.Draws != 160 || len(*asked) != 5 {
		t.Errorf("%+v after %v", w, *asked)
	}
}

func TestSequentialErrors(t *testing.T) {
	s, _ := counted(1, 64, 1000, 2)
	failed := errors.New("failed")
	looks := 0
	s.Tests[0].Value = func() (float64, func() string) { looks++; return 1, func() string { return "" } }
	s.Grow = func(context.Context, int) error { return failed }
	if err := s.Run(t.Context()); err != failed || looks != 0 {
		t.Errorf("%v after %d looks, want the error of Grow and no look", err, looks)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Grow = func(ctx context.Context, _ int) error { return ctx.Err() }
	if err := s.Run(ctx); err != context.Canceled || looks != 1 {
		t.Errorf("%v after %d looks, want one look at what was there when the context ended", err, looks)
	}
}

// TestPosterior: distributions of one draw, of which one is impossible, and one is told from the
// others by what it leads them by.
func TestPosterior(t *testing.T) {
	logs := []float64{math.Log(6) - 1000, math.Log(3) - 1000, math.Inf(-1), math.Log(1) - 1000}
	for i, want := range []float64{0.6, 0.3, 0, 0.1} {
		if got := math.Exp(Posterior(logs)[i]); math.Abs(got-want) > 1e-12 {
			t.Errorf("distribution %d has the probability %v, want %v", i, got, want)
		}
	}
	// 9 : 1 against the others, and 1 : 2
	lead := LeadOf(logs, func(i int) bool { return i < 2 }, math.Log(18)-1000)
	if math.Abs(lead.Others-math.Log(9)) > 1e-12 || math.Abs(lead.Unknown+math.Ln2) > 1e-12 {
		t.Errorf("%+v", lead)
	}
	for odds, want := range map[float64]bool{0.499: true, 0.501: false, 8: false} {
		if lead.Enough(odds) != want {
			t.Errorf("odds of %v: %v", odds, !want)
		}
	}
	if all := LeadOf(logs, func(int) bool { return true }, math.Log(0.1)-1000); !math.IsInf(all.Others, 1) ||
		!all.Enough(99) || all.Enough(101) {
		t.Errorf("%+v", all)
	}
}
