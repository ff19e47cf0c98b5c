package stages_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestMarginalsBruteForce compares the marginals of both chains at every stage with plain matrix products.
func TestMarginalsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 12, 8)
		n, T := a.States(), a.Distributions()
		all := make([]int, T)
		for i := range all {
			all[i] = T - i
		}
		got := longtest.Must(stages.Marginals(context.Background(), a, all))(t)
		logf := make([]float64, n)
		rows := func(k chains.Kernel, i int) *kernel.Rows {
			a.LogF(logf, i)
			return longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
		}
		reversal := a.Kernel()
		if r, ok := reversal.(chains.Reverser); ok {
			reversal = r.Reversal()
		}
		q := stages.Distribution(a.Path(), 0)
		for i := 1; i <= T; i++ {
			if i > 1 {
				q = exacttest.PushRows(q, rows(a.Kernel(), i))
			}
			equal(t, "forward", i, got[T-i].Forward, q)
			equal(t, "p", i, got[T-i].P, stages.Distribution(a.Path(), a.Beta(i)))
		}
		q = stages.Distribution(a.Path(), 1)
		for i := T; i >= 1; i-- {
			equal(t, "reverse", i, got[T-i].Reverse, q)
			if i > 1 {
				q = exacttest.PushRows(q, rows(reversal, i))
			}
		}
	})
}

func equal(t *rapid.T, what string, stage int, got, want []float64) {
	for x := range want {
		if math.Abs(got[x]-want[x]) > 1e-13 {
			t.Fatalf("%s, stage %d: state %d has %v, want %v", what, stage, x, got[x], want[x])
		}
	}
}

func TestMarginalsErrors(t *testing.T) {
	a := exacttest.Annealing(t, "easy", "linear", "metropolis", 10)
	for _, stage := range []int{0, 11, -1} {
		if _, err := stages.Marginals(context.Background(), a, []int{stage}); err == nil {
			t.Errorf("stage %d is accepted", stage)
		}
	}
}

// TestSpread: stages begin with 1, end with T, grow, and are nowhere more than half a stage from even spacing.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		T, count := rapid.IntRange(2, 1_000_000).Draw(t, "T"), rapid.IntRange(2, 300).Draw(t, "count")
		got, err := stages.Spread(T, count)
		if err != nil || len(got) != min(T, count) || got[0] != 1 || got[len(got)-1] != T {
			t.Fatalf("%v, %v", got, err)
		}
		for i, s := range got {
			if i > 0 && s <= got[i-1] || math.Abs(float64(s-1)-float64(i)*float64(T-1)/float64(len(got)-1)) > 0.5+1e-6 {
				t.Fatalf("stage %d of %d is %d: %v", i, len(got), s, got)
			}
		}
	})
	if got, _ := stages.Spread(4, 100); !slices.Equal(got, []int{1, 2, 3, 4}) {
		t.Errorf("all stages are %v", got)
	}
	for _, bad := range [][2]int{{1, 5}, {5, 1}, {5, 0}} {
		if _, err := stages.Spread(bad[0], bad[1]); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// TestTooManyLawsAreRefused: where the laws that are kept on the way would take too much memory, the gap is refused with the size, before
// any is computed.
func TestTooManyLawsAreRefused(t *testing.T) {
	space := grid.MustNew(1 << 16)
	a := exacttest.Build(t, nil, make([]float64, space.States()), schedules.Linear{}, kernels.Metropolis{Space: space}, 1_000_000)
	_, err := stages.GapByStage(context.Background(), a, nil)
	const want = "the laws that are kept of 1000000 stages on 65536 states would take about 6.29 GB; the limit is 4 GB: give fewer distributions, or a smaller space"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestContributionsSumToB(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 8, 12)
		c, err := stages.Contributions(context.Background(), a)
		if a.Path().Zeros() {
			if err == nil || !strings.Contains(err.Error(), "infinite") {
				t.Fatalf("zeros of f: %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		s := exacttest.Solve(t, a)
		total, size := 0.0, 1.0
		for _, v := range c {
			total += v
			size += math.Abs(v)
		}
		if len(c) != a.Distributions()-1 || !exacttest.Same(total, s.B, 1e-12, size) {
			t.Fatalf("%d contributions sum to %v, B is %v", len(c), total, s.B)
		}
	})
}

// TestContributionsOfClasses: what each stage adds to B on 2^100 states. The terms of both directions come from a program of its own, with mantissas of
// 64 bits.
func TestContributionsOfClasses(t *testing.T) {
	toy := longtest.Must(toys.Parse("curie-weiss:100:1.5"))(t)
	a := exacttest.Build(t, toy.Members, toy.G, schedules.Linear{}, longtest.Must(kernels.Parse("flip", toy.Space))(t), 11)
	got := longtest.Must(stages.Contributions(context.Background(), a))(t)
	forward := []float64{0.006181824598904057396, 0.021265048857523051752, 0.043121563745952988756, 0.07800871095533618515, 0.14159903056208933896, 0.28273531394042363208, 0.68799566514135276343, 1.8712981343194578542, 3.635927070352962831, 4.8930122175260559584}
	reverse := []float64{4.8170148151482744363, 4.9525136551661788726, 5.0457942982961798742, 5.097093153346603255, 5.0964221927017472357, 4.99969944767188664, 4.62422209273917807, 3.4591676061263740385, 1.7036931178297660525, 0.4485779070403815628}
	for i, v := range got {
		if want := forward[i] + reverse[i]; math.Abs(v-want) > 1e-12*want {
			t.Errorf("stage %d adds %v, and %v elsewhere", i+2, v, want)
		}
	}
}
