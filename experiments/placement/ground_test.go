package placement_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/experiments/forms"
	"breadboard/experiments/placement"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// counted is a kernel of the library that counts how often it is asked for rows.
type counted struct {
	kernels.Metropolis
	rows *int
}

// AppendRow implements chains.Rower.
func (k counted) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	*k.rows++
	return k.Metropolis.AppendRow(dst, logf, x)
}

// TestLengthsAreFoundOnce: a limit, a family and a search on one ground ask a kernel for the
// friction of the path once.
func TestLengthsAreFoundOnce(t *testing.T) {
	space := grid.MustNew(4)
	path := longtest.Must(paths.NewGeometric(nil, []float64{0, 1, 3, 2}))(t)
	rows := 0
	g := placement.NewGround(path, chains.Always(counted{kernels.Metropolis{Space: space}, &rows}), 2)
	longtest.Must(placement.NewLimit(context.Background(), g))(t)
	once := rows
	f := longtest.Must(placement.Parse("friction", placement.Forms()))(t)
	longtest.Must(f.OnGround(context.Background(), g))(t)
	if rows != once || once == 0 {
		t.Errorf("%d rows for a limit, and %d with the family", once, rows)
	}
}

// TestWorkersDoNotMatter: schedules of constant speed are the same to the last bit for any number
// of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	space := grid.MustNew(4, 3)
	path := longtest.Must(paths.NewGeometric(nil, []float64{0, 1, 3, 2, 5, 4, 1, 0, 2, 2, 7, 1}))(t)
	moves := chains.Always(kernels.Metropolis{Space: space})
	betas := func(workers int) (out []float64) {
		g := placement.NewGround(path, moves, workers)
		for _, name := range []string{"friction", "fisher"} {
			f := longtest.Must(placement.Parse(name, placement.Forms()))(t)
			p := longtest.Must(f.OnGround(context.Background(), g))(t)
			s := longtest.Must(p.Place(context.Background(), 9))(t).Schedule
			for i := range 9 {
				out = append(out, s.Beta(i+1, 9))
			}
		}
		return out
	}
	if one, many := betas(1), betas(4); !slices.Equal(one, many) {
		t.Errorf("%v with one worker, %v with four", one, many)
	}
}

// TestNothingToGainIsSmall: a B of 1e-28 is zero but for rounding, the square of one, and one of
// twice as much is not. Of a target that is flat but for e at one of two states B is about e^2/4
// with two distributions.
func TestNothingToGainIsSmall(t *testing.T) {
	for e, nothing := range map[float64]bool{1.6e-14: true, 4e-14: false} {
		y := longtest.Must(forms.All().Parse("random:1:0:2"))(t)
		path := longtest.Must(paths.NewGeometric(nil, []float64{0, e}))(t)
		a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: y.Space}, 2))(t)
		sol, err := exact.Solve(context.Background(), a, exact.Options{})
		if err != nil || (sol.B < 1e-28) != nothing {
			t.Fatalf("B = %v, %v", sol.B, err)
		}
		if _, err := placement.Optimize(context.Background(), path, a.Kernel(), 2, gradient.ObjectiveB,
			placement.Options{}); errors.Is(err,
			placement.ErrNothingToGain) != nothing {
			t.Errorf("B = %v: %v", sol.B, err)
		}
	}
}
