package catalogue

import (
	"context"
	"io"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/draws"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// chainSource is a source of chains that are there already.
type chainSource struct {
	Label string
	Has   draws.Columns
	All   draws.Batch
	read  int
}

func (s *chainSource) Name() string                        { return s.Label }
func (s *chainSource) Columns() draws.Columns              { return s.Has }
func (s *chainSource) Precision() draws.Precision          { return draws.Precision{} }
func (s *chainSource) IncrementPrecision() draws.Precision { return draws.Precision{} }

func (s *chainSource) Next(_ context.Context, rows int) (*draws.Batch, error) {
	from, to := s.read, min(s.read+rows, s.All.Rows)
	s.read = to
	if from == to {
		return nil, io.EOF
	}
	b := &draws.Batch{First: from, Rows: to - from}
	if s.Has.LogW {
		b.LogW = slices.Clone(s.All.LogW[from:to])
	}
	if s.Has.XFirst {
		b.XFirst = s.All.XFirst[from:to]
	}
	if s.Has.XLast {
		b.XLast = s.All.XLast[from:to]
	}
	for _, states := range s.All.Path {
		b.Path = append(b.Path, states[from:to])
	}
	if s.Has.Transitions {
		b.Beta = s.All.Beta[from:to]
		b.From = s.All.From[from:to]
		b.To = s.All.To[from:to]
	}
	return b, nil
}

// conformTask returns the task of an annealing.
func conformTask(t *testing.T, toy string, T int) *conform.Task {
	t.Helper()
	return longtest.Must(conform.New(casesOf(t, subject.Selection{Toys: []string{toy}, Distributions: []int{T}})[0]))(t)
}

// rightChains returns chains of the package's own simulation.
func rightChains(t *testing.T, k *conform.Task, d chains.Direction, rows int,
	columns draws.Columns) *chainSource {
	t.Helper()
	b := longtest.Must(simulate.Run(k.Case.Annealing(),
		d, chains.NewSampler(simulate.NewStream(1, "right "+d.String(), 0)), rows, nil))(t)
	return &chainSource{
		Label: d.String() + ".csv",
		Has:   columns,
		All:   draws.Batch{Rows: rows, LogW: b.LogW, XFirst: b.First, XLast: b.Last},
	}
}

func checkChains(t *testing.T, k *conform.Task, in conform.Input) *conform.Outcome {
	t.Helper()
	return longtest.Must(conform.Check(context.Background(), k, in, conform.Options{Alpha: conform.DefaultAlpha}))(t)
}

// rightInput has right chains of both directions.
func rightInput(t *testing.T, k *conform.Task) conform.Input {
	return conform.Input{
		Forward: rightChains(t, k, chains.Forward, 4000, allColumns()),
		Reverse: rightChains(t, k, chains.Reverse, 4000, allColumns()),
	}
}

// allColumns are those of chains without their paths.
func allColumns() draws.Columns { return draws.Columns{LogW: true, XFirst: true, XLast: true} }
