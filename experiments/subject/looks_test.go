package subject_test

import (
	"context"
	"errors"
	"testing"

	"breadboard/chains/couplings"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/exact/averages"
	"breadboard/exact/meeting"
	"breadboard/exact/smc"
	"breadboard/experiments/forms"
	"breadboard/experiments/subject"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// TestLongWorkLooks: work that may take long within a stage looks at the context that often, so
// that it ends soon after the context, here at the last of these looks.
func TestLongWorkLooks(t *testing.T) {
	on := func(toy string) *subject.Case {
		s := subject.Selection{
			Reader:        forms.Reader(),
			Toys:          []string{toy},
			Distributions: []int{3},
			Path:          "geometric",
			Schedule:      "linear",
			Kernel:        "metropolis",
		}
		return &longtest.Must(s.Cases(t.Context()))(t)[0]
	}
	particles := func(toy string, n int, by particle.Scheme) func(ctx context.Context) error {
		c := on(toy)
		return func(ctx context.Context) error {
			_, err := smc.Solve(ctx, c.Annealing(), smc.Setting{Particles: n, Scheme: by, Threshold: 1}, smc.Options{})
			return err
		}
	}
	few := grid.MustNew(7, 7)
	k := kernels.Metropolis{Space: few}
	chain := longtest.Must(averages.New(t.Context(), k, make([]float64, few.States())))(t)
	pairs := longtest.Must(meeting.New(t.Context(), longtest.Must(couplings.New("independent", k))(t), chain))(t)
	met := longtest.Must(longtest.Must(pairs.Solve(t.Context()))(t).Meet(t.Context(), chain.Target, 1))(t)
	for _, c := range []struct {
		name  string
		work  func(ctx context.Context) error
		looks int
	}{
		{"states of equal f",
			func(ctx context.Context) error {
				paths.Levels(ctx, on("random:1:1:512x512").Annealing().Path())
				return ctx.Err()
			}, 4},
		{"pairs and their variance", particles("random:1:1:12x12", 2, particle.Multinomial{}), 3300},
		{"triples", particles("random:1:1:4x4", 3, particle.Systematic{}), 2200},
		{"multisets", particles("random:1:1:6x6", 4, particle.Multinomial{}), 55300},
		{"meeting times",
			func(ctx context.Context) error { _, err := met.Quantile(ctx, 2, 20_000); return err }, 40},
		{"elimination", func(ctx context.Context) error {
			plane, err := forms.All().Factored("ising:10x10:0.3", "", "")
			longtest.NoError(t, err)
			_, err = plane.Infer(ctx, networks.Outputs{})
			return err
		}, 1150},
	} {
		if c.looks != 40 && !longtest.Enabled() {
			continue // they take a quarter of a second
		}
		ctx := longtest.EndsAfter(c.looks - 1)
		if err := c.work(ctx); !errors.Is(err, context.Canceled) || ctx.Looks() > 4 {
			t.Errorf("%s: %v, and %d more looks", c.name, err, ctx.Looks())
		}
	}
}
