package main

import (
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// The targets on graphs of these tests: a walk on a user's edges, and orders of four items.
const (
	friends     = "graph:testdata/friends.csv:testdata/friends_g.csv"
	friendsAt   = "graph:testdata/friends.csv:testdata/friends_xy.csv"
	fourInOrder = "graph:permutations:4:random:2:0"
)

// TestGraphsGoThrough: the states of a user's edge list and of permutations are shown by label.
func TestGraphsGoThrough(t *testing.T) {
	longtest.Only(t)
	for name, toy := range map[string]string{"friends": friends, "permutations": fourInOrder} {
		var out strings.Builder
		for _, args := range [][]string{{"toys", "show", toy}, {"tightness", "--toy", toy, "-T", "10,100", "--check"}} {
			stdout, _ := ok(t, args...)
			out.WriteString("$ breadboard " + strings.Join(args, " ") + "\n" + stdout + "\n")
		}
		golden(t, "graph_"+name+".txt", out.String())
	}
}

// TestGraphStudies: every other study takes a toy on a graph too.
func TestGraphStudies(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	for _, line := range []string{
		"ais --chains 1000 -T 5", "gap -T 5", "ais --chains 1024 -T 3 --check", "schedule optimize -T 4", "schedule compare -T 4",
		"tightness -T 5 --certify --kernel barker", "tightness -T 5 --kernel mixture:0.5*jump:0.1+0.5*lazy:0.2:independence --path q:0.5 --initial tempered:0.2",
		"subjective -T 5 --reference point:dan,mode --moves 0,3",
	} {
		ok(t, append(strings.Fields(line), "--toy", friends)...)
	}
}

// TestGraphExport: what export writes of a toy on a graph reads back as the same target, with its
// coordinates.
func TestGraphExport(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	for i, c := range []struct{ toy, space string }{
		{friends, "testdata/friends.csv"}, {friendsAt, "testdata/friends.csv"}, {fourInOrder, "permutations:4"}, {"graph:torus:3x4:random:1:0", "torus:3x4"},
		{"graph:path:6:random:3:1", "path:6"}, {"graph:testdata/friends.csv:random:0.001:3", "testdata/friends.csv"},
	} {
		csv, _ := ok(t, "toys", "export", c.toy)
		file := filepath.Join(dir, string(rune('a'+i))+".csv")
		writeFile(t, file, csv)
		again := "graph:" + c.space + ":" + file
		if second, _ := ok(t, "toys", "export", again); second != csv {
			t.Errorf("%s is written as\n%s and again as\n%s", c.toy, csv, second)
		}
		here, _ := ok(t, "tightness", "--toy", c.toy, "-T", "5", "--format", "csv")
		there, _ := ok(t, "tightness", "--toy", again, "-T", "5", "--format", "csv")
		if strings.ReplaceAll(there, again, c.toy) != here {
			t.Errorf("%s read back is another target:\n%s\n%s", c.toy, here, there)
		}
		out := filepath.Join(dir, string(rune('A'+i)))
		ok(t, "toys", "export", c.toy, "--out", out)
		if files, err := filepath.Glob(filepath.Join(out, "graph*")); err != nil || len(files) != 1 || filepath.Ext(files[0]) != ".csv" {
			t.Errorf("export of %s wrote %v, %v", c.toy, files, err)
		}
	}
}

// wrongMoves are rows that sum to one and do not leave the target of the friends invariant.
const wrongMoves = `0.5000000000000000,0.5000000000000000,0,0,0
0.2000000000000000,0.6000000000000000,0.2000000000000000,0,0
0.1000000000000000,0.2000000000000000,0.5000000000000000,0.2000000000000000,0
0,0,0.2000000000000000,0.5000000000000000,0.3000000000000000
0,0,0,0.4000000000000000,0.6000000000000000
`

// TestGraphLabels: messages name the states of a graph by label.
func TestGraphLabels(t *testing.T) {
	dir := t.TempDir()
	matrix := filepath.Join(dir, "m2.csv")
	zero := filepath.Join(dir, "zero.csv")
	for path, text := range map[string]string{matrix: wrongMoves, zero: "ann,0\nbob,0\ncat,-inf\ndan,1\neve,0\n"} {
		writeFile(t, path, text)
	}
	zeroToy := "graph:testdata/friends.csv:" + zero
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"kernel", "check", "matrix:" + matrix, "--toy", friends}, exitFault, "state dan gets -0.205"},
		{[]string{"tightness", "--toy", friends, "-T", "2", "--kernel", "matrix:" + filepath.Join(dir, "m{t}.csv")}, exitFault, "; state 3 is dan, state 4 is eve"},
		{[]string{"subjective", "--toy", zeroToy, "-T", "3", "--reference", "point:cat"}, exitBadInput,
			"at state 2, where the target is zero: no reverse chain can start there; leave such states out; state 2 is cat"},
		{[]string{"subjective", "--toy", friends, "-T", "3", "--reference", "point:3"}, exitBadInput, "no state of graph of 5 states and 5 edges has that label"},
		{[]string{"tightness", "--toy", friends, "-T", "3", "--path", "via:" + zero}, exitBadInput, "state 2 is cat"},
		{[]string{"tightness", "--toy", friends, "-T", "3", "--kernel", "heatbath"}, exitBadInput, "it draws a coordinate given the others, so it needs a grid"},
		{[]string{"tightness", "--toy", friends, "-T", "3", "--kernel", "compose:metropolis+suwa-todo-axis:0"}, exitBadInput,
			"it moves along an axis, so it needs a grid"},
		{[]string{"tightness", "--toy", friends, "-T", "3", "--kernel", "moore"}, exitBadInput,
			"on a graph metropolis and barker propose a neighbour, jump:EPS and independence any state"},
	} {
		code, stdout, stderr := command(t, c.args...)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%v: exit code %d, want %d with %q\n%s%s", c.args, code, c.code, c.want, stdout, stderr)
		}
	}
}

func first(s, _ string) string { return s }
