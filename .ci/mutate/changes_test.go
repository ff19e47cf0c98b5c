package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

const sample = `package sample

import "errors"

func f(a, b float64, s *T) error {
	if a < 0 {
		return errors.New("negative")
	}
	s.note("a is %v", a)
	b += max(a, 2.5) - 0
	_ = b * 0x1p-53
	return nil
}
`

// TestChanges holds every change of a small file against a list made by hand.
func TestChanges(t *testing.T) {
	mutants := longtest.Must(changesOf("sample.go", []byte(sample)))(t)
	var got []string
	for _, m := range mutants {
		got = append(got, string(m.kind)+" "+m.old+" -> "+m.new)
		changed := string(m.changed())
		if _, err := parser.ParseFile(token.NewFileSet(), "", changed, 0); err != nil {
			t.Errorf("%s: %v", m, err)
		}
		if changed == sample || len(changed) != len(sample)+len(m.new)-len(m.old) {
			t.Errorf("%s: more or less than the change was made:\n%s", m, changed)
		}
	}
	want := []string{
		`condition a < 0 -> !(a < 0)`,
		`comparison < -> <=`,
		`failure return errors.New("negative") -> `,
		`note s.note("a is %v", a) -> `,
		`arithmetic += -> -=`,
		`extreme max -> min`,
		`constant 2.5 -> (2*2.5)`,
		`constant 2.5 -> (2.5/2)`,
		`arithmetic - -> +`,
		`arithmetic * -> /`,
		`constant 0x1p-53 -> (2*0x1p-53)`,
		`constant 0x1p-53 -> (0x1p-53/2)`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the changes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestSurvivorsAreFoundAgain: what a run has printed of a survivor is enough to try it again, also
// if it stands elsewhere by then; what was noticed is left alone.
func TestSurvivorsAreFoundAgain(t *testing.T) {
	mutants := longtest.Must(changesOf("old/sample.go", []byte(sample)))(t)
	output := ""
	for i, m := range mutants {
		output += fmt.Sprintf("%-8s %5.1fs %s\n", []fate{noticed, survived}[i%2], 1.5, m)
	}
	file := filepath.Join(t.TempDir(), "output")
	longtest.NoError(t, os.WriteFile(file, []byte(output), 0o666))
	keys, err := readSurvivors(file)
	if err != nil || len(keys) != len(mutants)/2 {
		t.Fatal(keys, err)
	}
	moved := longtest.Must(changesOf("new/room/sample.go", []byte("// A line more.\n"+sample)))(t)
	again := survivorsAmong(moved, keys)
	for i, m := range moved {
		if slices.Contains(again, m) != (i%2 == 1) {
			t.Errorf("%s: among the survivors %v", m, i%2 == 0)
		}
	}
	// Where a change occurs twice the nearer one is meant.
	twice := longtest.Must(changesOf("sample.go", []byte("package p\n\nvar a = 1 +\n1 +\n\n\n1 +\n0\n")))(t)
	key := map[string][]int{twice[len(twice)-1].key(): {6}}
	if got := survivorsAmong(twice, key); len(got) != 1 || got[0].line != 7 {
		t.Errorf("%v are taken for the one on line 6", got)
	}
}

// TestRanks: a change keeps its place in the draw where other lines come and go, and another seed
// makes another draw.
func TestRanks(t *testing.T) {
	ranks := func(source string, seed uint64) map[string]uint64 {
		mutants := longtest.Must(changesOf("sample.go", []byte(source)))(t)
		setRanks(mutants, seed)
		out := map[string]uint64{}
		for _, m := range mutants {
			out[m.old+m.new] = m.rank
		}
		return out
	}
	first := ranks(sample, 1)
	other := ranks(sample, 2)
	longer := ranks(strings.Replace(sample, "\tif a", "\ta = 7 * a\n\tif a", 1), 1)
	for key, rank := range first {
		if key != "*/" && longer[key] != rank {
			t.Errorf("%s has rank %d, and %d after a line was added elsewhere", key, rank, longer[key])
		}
		if other[key] == rank {
			t.Errorf("%s has rank %d with either seed", key, rank)
		}
	}
}
