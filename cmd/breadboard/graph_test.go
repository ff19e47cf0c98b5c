package main

import (
	"math"
	"os"
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

// TestGraphsGoThrough: a walk on a user's edge list and a sampler of permutations go through kernel check, tightness and
// weights, which agree, and their states are shown by label.
func TestGraphsGoThrough(t *testing.T) {
	longtest.NotShort(t)
	for name, toy := range map[string]string{"friends": friends, "permutations": fourInOrder} {
		var out strings.Builder
		for _, args := range [][]string{{"toys", "show", toy}, {"tightness", "--toy", toy, "-T", "10,100", "--check"}} {
			stdout, _ := ok(t, args...)
			out.WriteString("$ breadboard " + strings.Join(args, " ") + "\n" + stdout + "\n")
		}
		golden(t, "graph_"+name+".txt", out.String())

		solved := rowsOf(t, "tightness", "--toy", toy, "-T", "100")[0]
		findings := rowsOf(t, "kernel", "check", "metropolis", "--toy", toy, "-T", "100")
		agree := 0
		for _, f := range findings {
			if f["verdict"] == "fault" {
				t.Errorf("%s: %v", toy, f)
			}
			if q, is := f["finding"].(string); is && (q == "J" || q == "B") && math.Abs(f["value"].(float64)-solved[q].(float64)) < 1e-12 {
				agree++
			}
		}
		if agree != 2 {
			t.Errorf("%s: kernel check and tightness have other values of J and B: %v, %v", toy, findings[len(findings)-4:], solved)
		}
		law := rowsOf(t, "weights", "--toy", toy, "-T", "100", "--frequencies", "1024")[0]
		for _, d := range []string{"forward", "reverse"} {
			if a, b := law["mean_"+d].(float64), solved["mean_log_w_"+d].(float64); math.Abs(a-b) > 1e-9 {
				t.Errorf("%s: the mean of log w is %v by weights and %v by tightness, %s", toy, a, b, d)
			}
		}
	}
}

// TestGraphStudies: every other study takes a toy on a graph too.
func TestGraphStudies(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	for _, line := range []string{
		"ais --chains 1000 -T 5", "gap -T 5", "crosscheck --chains 1024 -T 5", "schedule optimize -T 4", "schedule compare -T 4",
		"tightness -T 5 --certify --kernel barker", "tightness -T 5 --kernel mixture:0.5*jump:0.1+0.5*lazy:0.2:independence --path q:0.5 --initial tempered:0.2",
		"subjective -T 5 --reference point:dan,mode --moves 0,3",
	} {
		ok(t, append(strings.Fields(line), "--toy", friends)...)
	}
}

// TestGraphExport: what export writes of a toy on a graph reads back as the same target, with its coordinates.
func TestGraphExport(t *testing.T) {
	longtest.NotShort(t)
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
		{[]string{"subjective", "--toy", zeroToy, "-T", "3", "--reference", "point:cat"}, exitBadInput, "at state 2, where the target is zero: no reverse chain can start there; leave such states out; state 2 is cat"},
		{[]string{"subjective", "--toy", friends, "-T", "3", "--reference", "point:3"}, exitBadInput, "no state of graph of 5 states and 5 edges has that label"},
		{[]string{"tightness", "--toy", friends, "-T", "3", "--path", "via:" + zero}, exitBadInput, "state 2 is cat"},
		{[]string{"tightness", "--toy", friends, "-T", "3", "--kernel", "heatbath"}, exitBadInput, "it draws a coordinate given the others, so that it needs a grid"},
		{[]string{"tightness", "--toy", friends, "-T", "3", "--kernel", "compose:metropolis+suwa-todo-axis:0"}, exitBadInput, "it moves along an axis, so that it needs a grid"},
		{[]string{"tightness", "--toy", friends, "-T", "3", "--kernel", "moore"}, exitBadInput, "on a graph metropolis and barker propose a neighbour, jump:EPS and independence any state"},
	} {
		code, stdout, stderr := command(t, c.args...)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%v: exit code %d, want %d with %q\n%s%s", c.args, code, c.code, c.want, stdout, stderr)
		}
	}
}

// TestGraphFigures: with --out a graph is drawn, or is said not to be.
func TestGraphFigures(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	for name, toy := range map[string]string{"nodes": friendsAt, "bars": friends} {
		out := filepath.Join(dir, name)
		ok(t, "tightness", "--toy", toy, "-T", "5,10", "--out", out)
		svg, err := os.ReadFile(partFile(t, out, "figure4.svg"))
		if err != nil || !strings.Contains(string(svg), ">dan</text>") {
			t.Errorf("%s: no state dan in figure 4: %v", name, err)
		}
	}
	_, stderr := ok(t, "tightness", "--toy", "graph:hypercube:7:random:1:0", "-T", "5,10", "--out", filepath.Join(dir, "large"))
	if !strings.Contains(stderr, "at most 100 are drawn as bars; with coordinates") {
		t.Error(stderr)
	}
}

// TestGraphSweep: a sweep plans, runs and merges toys on graphs, and notices when one of their files changes.
func TestGraphSweep(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	edges, g := filepath.Join(dir, "e.csv"), filepath.Join(dir, "g.csv")
	for path, from := range map[string]string{edges: "testdata/friends.csv", g: "testdata/friends_g.csv"} {
		data := longtest.Must(os.ReadFile(from))(t)
		longtest.NoError(t, os.WriteFile(path, data, 0o644))
	}
	toy := "graph:" + edges + ":" + g
	path := spec(t, "[grid]\ntoy = ['"+toy+"', 'graph:torus:3x3:random:2:0', 'graph:hypercube:3:random:2:0']\nT = [5, 10]\nkernel = ['metropolis', 'barker']\n")
	out := filepath.Join(dir, "out")
	ok(t, "sweep", "plan", path)
	ok(t, "sweep", "run", path, "--out", out)
	merged := parseRows(t, first(ok(t, "sweep", "merge", out, "--format", "json")))
	if len(merged) != 12 {
		t.Fatalf("%d cells", len(merged))
	}
	direct := rowsOf(t, "tightness", "--toy", toy, "-T", "5")
	if merged[0]["toy"] != toy || merged[0]["J"] != direct[0]["J"] {
		t.Errorf("the sweep has %v, tightness %v", merged[0], direct[0])
	}
	writeFile(t, edges, "ann,bob\nbob,cat\ncat,dan\ndan,eve\n")
	if code, _, stderr := command(t, "sweep", "run", path, "--out", out); code == exitDone || !strings.Contains(stderr, "e.csv") {
		t.Errorf("a change of the edges is not noticed: exit code %d\n%s", code, stderr)
	}
}

func first(s, _ string) string { return s }
