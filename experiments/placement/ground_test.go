package placement

import (
	"context"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
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

// TestLengthsAreFoundOnce: a limit, a family and a search on one ground ask a kernel for the friction of the path once.
func TestLengthsAreFoundOnce(t *testing.T) {
	space := grid.MustNew(4)
	path := longtest.Must(paths.NewGeometric(nil, []float64{0, 1, 3, 2}))(t)
	rows := 0
	g := NewGround(path, chains.Always(counted{kernels.Metropolis{Space: space}, &rows}), 2)
	longtest.Must(NewLimit(context.Background(), g))(t)
	once := rows
	f := longtest.Must(Parse("friction"))(t)
	longtest.Must(f.OnGround(context.Background(), g))(t)
	if rows != once || once == 0 {
		t.Errorf("%d rows for a limit, and %d with the family", once, rows)
	}
}

// TestWorkersDoNotMatter: schedules of constant speed are the same to the last bit for any number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	space := grid.MustNew(4, 3)
	path := longtest.Must(paths.NewGeometric(nil, []float64{0, 1, 3, 2, 5, 4, 1, 0, 2, 2, 7, 1}))(t)
	moves := chains.Always(kernels.Metropolis{Space: space})
	betas := func(workers int) (out []float64) {
		g := NewGround(path, moves, workers)
		for _, name := range []string{"friction", "fisher"} {
			f := longtest.Must(Parse(name))(t)
			p := longtest.Must(f.OnGround(context.Background(), g))(t)
			s := longtest.Must(p.Place(context.Background(), 9))(t)
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
