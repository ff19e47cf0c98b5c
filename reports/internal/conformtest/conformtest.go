// Package conformtest answers: what do tests of the views of conform share? It has tasks, chains
// and what is found of them. It is for tests only.
package conformtest

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
	"breadboard/reports/internal/reporttest"
)

// ChainSource is a source of chains that are there already.
type ChainSource struct {
	Label string
	Has   draws.Columns
	All   draws.Batch
	read  int
}

func (s *ChainSource) Name() string                        { return s.Label }
func (s *ChainSource) Columns() draws.Columns              { return s.Has }
func (s *ChainSource) Precision() draws.Precision          { return draws.Precision{} }
func (s *ChainSource) IncrementPrecision() draws.Precision { return draws.Precision{} }

func (s *ChainSource) Next(_ context.Context, rows int) (*draws.Batch, error) {
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

// ConformTask returns the task of an annealing.
func ConformTask(t *testing.T, toy string, T int) *conform.Task {
	t.Helper()
	return longtest.Must(conform.New(
		reporttest.Cases(t, subject.Selection{Toys: []string{toy}, Distributions: []int{T}})[0]))(t)
}

// RightChains returns chains of the package's own simulation.
func RightChains(t *testing.T, k *conform.Task, d chains.Direction, rows int,
	columns draws.Columns) *ChainSource {
	t.Helper()
	b := longtest.Must(simulate.Run(k.Case.Annealing(),
		d, chains.NewSampler(simulate.NewStream(1, "right "+d.String(), 0)), rows, nil))(t)
	return &ChainSource{
		Label: d.String() + ".csv",
		Has:   columns,
		All:   draws.Batch{Rows: rows, LogW: b.LogW, XFirst: b.First, XLast: b.Last},
	}
}

func Conformed(t *testing.T, k *conform.Task, in conform.Input) *conform.Outcome {
	t.Helper()
	return longtest.Must(
		conform.Check(context.Background(), k, in, conform.Options{Alpha: conform.DefaultAlpha}))(t)
}

// RightInput has right chains of both directions.
func RightInput(t *testing.T, k *conform.Task) conform.Input {
	return conform.Input{
		Forward: RightChains(t, k, chains.Forward, 4000, AllColumns()),
		Reverse: RightChains(t, k, chains.Reverse, 4000, AllColumns()),
	}
}

// AllColumns are those of chains without their paths.
func AllColumns() draws.Columns { return draws.Columns{LogW: true, XFirst: true, XLast: true} }
