package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"breadboard/experiments/data/export"
	"breadboard/grid/longtest"
)

// TestExportNumPy: NumPy reads what export writes, alone and in an archive, and J from q and p is
// that of tightness.
func TestExportNumPy(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	python, dir := pythonWithNumPy(), t.TempDir()
	if python == "" {
		t.Skip("no python3 with numpy")
	}
	ok(t, "export", "--toy", "easy,hard,barrier", "-T", "100", "--out", dir)
	ok(t, "export", "--toy", "hard", "-T", "100", "--arrays", "kernel_csr,kernel_dense,gap,q", "--stages", "2,0.5,last", "--format", "npy", "--out", dir)
	ok(t, "export", "--toy", "graph:path:3:random:1:0", "-T", "5", "--out", dir)
	const program = `
import glob, json, sys
import numpy as np
out = {}
for toy in "easy", "hard", "barrier":
    a = np.load(f"arrays_{toy}_T100.npz")
    p, q = a["p"], a["q"]
    assert p.shape == (7, 7) and q.dtype == np.float64 and a["toy"].item() == toy and a["T"].item() == 100
    assert a["q_t"].shape == (4, 7, 7) and a["stages"].tolist() == [11, 26, 51, 100] and tuple(a["shape"]) == (7, 7)
    assert (a["q_t"][-1] == q).all() and (a["p_t"][-1] == p).all() and (a["r_t"][-1] == p).all()
    assert abs(np.exp(a["log_f"] - a["log_z"]) - p).max() < 1e-14
    out[toy] = float(((q - p) * np.log(q / p)).sum())
    assert abs(out[toy] - a["J"]) < 1e-13 * a["J"]
for t in 2, 51, 100:
    name = f"arrays_hard_T100_kernel_{t}"
    data, indices, indptr, dense = (np.load(name + s + ".npy") for s in ("_data", "_indices", "_indptr", ""))
    built = np.zeros((49, 49))
    for x in range(49):
        built[x, indices[indptr[x]:indptr[x + 1]]] = data[indptr[x]:indptr[x + 1]]
    assert (built == dense).all() and abs(dense.sum(1) - 1).max() < 1e-12
assert np.load("arrays_hard_T100_gap_forward.npy").shape == (99,)
g = np.load(glob.glob("arrays_graph*")[0])
assert g["p"].shape == (3,) and g["labels"].shape == (3,) and g["labels"].dtype.kind == "U"
print(json.dumps(out))`
	c := exec.Command(python, "-c", program)
	c.Dir = dir
	text, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var js map[string]float64
	longtest.NoError(t, json.Unmarshal(text, &js))
	for _, row := range rowsOf(t, "tightness", "--toy", "easy,hard,barrier", "-T", "100") {
		toy, j := row["toy"].(string), row["J"].(float64)
		if math.Abs(js[toy]-j) > 1e-13*j {
			t.Errorf("%s: J from q and p is %v, and tightness says %v", toy, js[toy], j)
		}
	}
}

// TestExportTables: CSV is one row for each value, with its stage, state and coordinates, and JSON
// has the same bits.
func TestExportTables(t *testing.T) {
	selection := []string{"export", "--toy", "random:1:0:2x3", "-T", "4", "--stages", "2,last", "--arrays", "q_t,J,kernel_csr"}
	stdout, stderr := ok(t, append(selection, "--format", "csv")...)
	rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil || stderr != "" {
		t.Fatal(err, stderr)
	}
	if got := strings.Join(rows[0], " "); got != "array stage state x0 x1 to value" {
		t.Fatalf("the columns are %s", got)
	}
	var js struct {
		Q [][][]float64 `json:"q_t"`
		J float64
	}
	stdout, _ = ok(t, append(selection, "--format", "json")...)
	longtest.NoError(t, json.Unmarshal([]byte(stdout), &js))
	laws, flows := 0, map[string]float64{}
	for _, row := range rows[1:] {
		value := longtest.Must(strconv.ParseFloat(row[6], 64))(t)
		number := func(i int) int { n, _ := strconv.Atoi(row[i]); return n }
		switch row[0] {
		case "q_t":
			laws++
			at := map[string]int{"2": 0, "4": 1}[row[1]]
			if number(2) != 3*number(3)+number(4) || value != js.Q[at][number(3)][number(4)] {
				t.Errorf("%v, and in JSON q_t is %v", row, js.Q)
			}
		case "J":
			if value != js.J || strings.Join(row[1:6], "") != "" {
				t.Errorf("%v, and in JSON J is %v", row, js.J)
			}
		case "kernel_csr":
			flows[row[1]+" from "+row[2]] += value
		}
	}
	if laws != 12 || len(flows) != 12 {
		t.Errorf("%d probabilities and %d rows of kernels", laws, len(flows))
	}
	for at, sum := range flows {
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("stage %s: the row sums to %v", at, sum)
		}
	}
}

// TestExportFiles: a run writes a file for each annealing, or one to standard output, the same
// bytes again and again.
func TestExportFiles(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	stdout, stderr := ok(t, "export", "--toy", "easy,barrier", "-T", "10,20", "--arrays", "q", "--format", "npy", "--out", dir)
	if stdout != "" {
		t.Errorf("%q is written beside files", stdout)
	}
	for _, name := range []string{"easy_T10", "easy_T20", "barrier_T10", "barrier_T20"} {
		path := filepath.Join(dir, "arrays_"+name+"_q.npy")
		data, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(data), "\x93NUMPY") || !strings.Contains(stderr, "wrote "+path) {
			t.Errorf("%s: %v\n%s", path, err, stderr)
		}
	}
	first, _ := ok(t, "export", "--toy", "easy", "-T", "10")
	if again, _ := ok(t, "export", "--toy", "easy", "-T", "10"); again != first || !strings.HasPrefix(first, "PK\x03\x04") {
		t.Error("two runs write other bytes")
	}
	one, _ := ok(t, "export", "--toy", "easy", "-T", "10", "--arrays", "J", "--format", "npy")
	if !strings.HasPrefix(one, "\x93NUMPY") {
		t.Errorf("%q", one)
	}
}

// TestExportNamesApart: annealings that differ in anything have files of their own, and two that
// would share one are refused.
func TestExportNamesApart(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	for _, more := range []string{"", "--kernel barker", "--path q:0.5", "--initial tempered:0.5", "--schedule power:2", "--kernel barker --schedule power:2"} {
		ok(t, append([]string{"export", "--toy", "easy", "-T", "3", "--arrays", "J", "--out", dir}, strings.Fields(more)...)...)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.npz"))
	var names []string
	for _, path := range paths {
		names = append(names, strings.TrimSuffix(filepath.Base(path), ".npz"))
	}
	const want = "arrays_easy_T3 arrays_easy_T3_initial-tempered-0.5 arrays_easy_T3_kernel-barker arrays_easy_T3_path-q-0.5 arrays_easy_T3_schedule-power-2 arrays_easy_T3_schedule-power-2_kernel-barker"
	if got := strings.Join(names, " "); err != nil || got != want {
		t.Errorf("%v %s, want\n%s", err, got, want)
	}
	one, two := filepath.Join(dir, "a+b.csv"), filepath.Join(dir, "a-b.csv")
	for _, path := range []string{one, two} {
		writeFile(t, path, "0,1\n")
	}
	line := []string{"export", "-T", "3", "--arrays", "J", "--out", dir, "--toy"}
	says(t, exitBadInput, "give one of the toys a name", append(line, "file:"+one+",file:"+two)...)
	ok(t, append(line, "file:"+one+",other=file:"+two)...)
}

// TestExportRefused: what cannot be written is bad input, in one line with the cure, and no file is
// made.
func TestExportRefused(t *testing.T) {
	longtest.Only(t)
	for args, want := range map[string]string{
		"--toy easy,hard -T 10":                           "2 annealings make as many files; give --out DIR",
		"--toy easy -T 10 --format npy":                   "name one in --arrays",
		"--toy easy -T 10 --format npy --arrays gap":      "name one in --arrays",
		"--toy easy -T 10 --format csv --arrays shape,T":  "a table has numbers",
		"--toy easy -T 10 --style mono":                   "--style is for tables and figures, and export writes arrays; leave it out",
		"--toy easy -T 10 --format table":                 `unknown format "table"`,
		"--toy easy -T 10 --format tra --arrays q":        "the format tra has Markov chains, and q is none; give one of kernel_csr, forward_csr, reverse_csr in --arrays",
		"--toy easy -T 10 --stages 11":                    "stage 11 of an annealing with 10 distributions",
		"--toy barrier:301x301 -T 100000 --stages all":    "GB; the limit is 2 GB: give fewer --stages, or fewer --arrays",
		"--toy easy -T 10 --stages 1 --arrays kernel_csr": "stage 1 has no kernel; give --stages from 2 on",
		"--toy barrier:33x33 -T 10 --arrays kernel_dense": "the limit of the array kernel_dense is 1024; give kernel_csr in --arrays",
		"--toy easy -T 10 --schedule sched.txt":           "did you mean file:sched.txt?",
		"--toy easy -T 10 --kernel gibbs":                 "gibbs is called heatbath (Gibbs sampling of one random coordinate; needs a grid) or heatbath-scan (",
		"--toy easy -T 10 --kernel k.npy":                 "did you mean matrix:k.npy?",
		"--toy easy -T 10 --kernel ./gibbs.py":            "did you mean exec:COMMAND, as in exec:python3 kernel.py?",
		"--toy easy -T 10 --initial start.csv":            "did you mean file:start.csv or prob:start.csv?",
		"--toy easy -T 10 --path middle.csv":              "did you mean via:middle.csv?",
		"--toy easy -T 10 --kernel glauber":               "glauber is called heatbath (",
	} {
		dir := filepath.Join(t.TempDir(), "new")
		line := append([]string{"export"}, strings.Fields(args)...)
		if !strings.Contains(want, "--out") && !strings.Contains(args, "npy --arrays") && !strings.HasSuffix(args, "--format npy") {
			line = append(line, "--out", dir)
		}
		refuses(t, want, line...)
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: a folder is made", args)
		}
	}
}

// TestExportHelp: the help has every array.
func TestExportHelp(t *testing.T) {
	help, _ := ok(t, "export", "--help")
	joined := strings.Join(strings.Fields(help), " ") // however it is wrapped
	for _, k := range export.Kinds() {
		if !strings.Contains(joined, fmt.Sprintf("%s (%s) ", k.Name, k.Shape)) {
			t.Errorf("%s is not in the help", k.Name)
		}
	}
}

// TestDoubtIsSaid: a file of log f that looks like probabilities is taken as it is, with a note.
func TestDoubtIsSaid(t *testing.T) {
	longtest.Only(t)
	path := filepath.Join(t.TempDir(), "p.csv")
	writeFile(t, path, "0.25 0.25\n0.5 0\n")
	want := "the numbers in " + path + " are from 0 to 1 and sum to 1, as probabilities do, and are taken as log f; if they are probabilities, write prob:" + path
	for _, args := range [][]string{ // by all of the ways in which studies read targets
		{"tightness", "-T", "10,20", "--toy", "file:" + path}, {"toys", "show", "file:" + path}, {"toys", "export", "file:" + path},
		{"schedule", "compare", "-T", "3", "--toy", "file:" + path, "--schedule", "linear"}, {"kernel", "check", "metropolis", "--toy", "file:" + path},
		{"samplers", "errors", "--toy", "file:" + path}, {"tightness", "-T", "3", "--toy", "mixture:0.5*file:" + path + "+0.5*file:" + path},
	} {
		if _, stderr := ok(t, args...); strings.Count(stderr, want) != 1 {
			t.Errorf("%s: %s", args, stderr)
		}
	}
	byLabel := filepath.Join(t.TempDir(), "p.csv")
	writeFile(t, byLabel, "0,0.25\n1,0.75\n")
	if _, stderr := ok(t, "tightness", "-T", "3", "--toy", "graph:path:2:"+byLabel); !strings.Contains(stderr, "write graph:path:2:prob:"+byLabel) {
		t.Error(stderr)
	}
	spec := filepath.Join(t.TempDir(), "spec.toml")
	longtest.NoError(t, os.WriteFile(spec, fmt.Appendf(nil, "[grid]\ntoy = [%q, %q]\nT = [3, 4]\n", "file:"+path, "random:1:0:2x2"), 0o644))
	for _, args := range [][]string{{"sweep", "plan", spec}, {"sweep", "run", spec, "--out", filepath.Join(t.TempDir(), "swept")},
		{"tightness", "-T", "3,4", "--toy", "random:1:0:2x2,random:2:0:2x2", "--initial", "file:" + path}} {
		if _, stderr := ok(t, args...); strings.Count(stderr, want) != 1 {
			t.Errorf("%s: %s", args, stderr)
		}
	}
	if _, stderr := ok(t, "tightness", "-T", "3", "--toy", "random:1:0:2x2", "--initial", "prob:"+path); strings.Contains(stderr, "taken as log f") {
		t.Error(stderr)
	}
	if _, stderr := ok(t, "toys", "show", "prob:"+path); strings.Contains(stderr, "probabilities") {
		t.Error(stderr)
	}
}

// TestExportFeedsItsImport: the matrices that export writes of all stages are a kernel with the
// same J and B, in a sweep too, which notices that the file has changed.
func TestExportFeedsItsImport(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	for _, kernel := range []string{"heatbath", "lazy:0.25:barker"} {
		ok(t, "export", "--toy", "barrier", "-T", "20", "--kernel", kernel, "--arrays", "kernel_dense", "--stages", "all", "--out", dir)
		files, err := filepath.Glob(filepath.Join(dir, "*"+strings.Split(kernel, ":")[0]+"*.npz"))
		if err != nil || len(files) != 1 {
			t.Fatalf("%v, %v", files, err)
		}
		matrices := "matrix:" + files[0] + "#kernel_{t}"
		want := rowsOf(t, "tightness", "--toy", "barrier", "-T", "20", "--kernel", kernel)[0]
		path, out := spec(t, "[grid]\ntoy = 'barrier'\nT = [20]\nkernel = '"+matrices+"'\n"), t.TempDir()
		ok(t, "sweep", "run", path, "--out", out)
		for _, got := range []map[string]any{rowsOf(t, "tightness", "--toy", "barrier", "-T", "20", "--kernel", matrices)[0], rowsOf(t, "sweep", "merge", out)[0]} {
			for _, name := range []string{"J", "B"} {
				if is, was := got[name].(float64), want[name].(float64); math.Abs(is-was) > 1e-12*was {
					t.Errorf("%s: %s is %v, and of its matrices %v", kernel, name, was, is)
				}
			}
		}
		writeFile(t, files[0], first(ok(t, "export", "--toy", "barrier", "-T", "20", "--arrays", "kernel_dense", "--stages", "all")))
		says(t, exitBadInput, "have changed", "sweep", "run", path, "--out", out)
	}
}

// TestExportAllWithZeros: all are those that there are, and what is asked for by its name and does
// not exist is refused, before anything is written.
func TestExportAllWithZeros(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	toy, dir := "file:"+file(t, "0,-1\n-inf,-2\n"), filepath.Join(t.TempDir(), "out")
	_, stderr := ok(t, "export", "--toy", toy, "-T", "5", "--arrays", "all", "--out", dir)
	if !strings.Contains(stderr, "the array contributions is left out, since it does not exist where f has zeros") || strings.Count(list(t, dir), ".npz") != 1 {
		t.Errorf("%s\n%s", stderr, list(t, dir))
	}
	if table, _ := ok(t, "export", "--toy", toy, "-T", "5", "--arrays", "all", "--format", "csv"); !strings.Contains(table, "gap_jeffreys") ||
		strings.Contains(table, "contributions") {
		t.Error("a table has not all arrays with numbers")
	}
	if table, _ := ok(t, "export", "--toy", "random:2:1:2", "-T", "3", "--arrays", "all", "--format", "csv"); !strings.Contains(table, "contributions") {
		t.Error("contributions are left out where f has no zeros")
	}
	never := filepath.Join(t.TempDir(), "never")
	code, stdout, stderr := command(t, "export", "--toy", toy, "-T", "5", "--arrays", "q,contributions", "--out", never)
	if code != exitBadInput || stdout != "" || !strings.Contains(stderr, "array contributions: ") || strings.Contains(list(t, filepath.Dir(never)), ".npz") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// TestExportChains: the kernels that export writes for other programs are the same kernels when
// they are read, in all formats: J and B have the same digits, to the last.
func TestExportChains(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	ok(t, "export", "--toy", "barrier", "-T", "5", "--kernel", "lazy:0.25:barker", "--arrays", "kernel_dense", "--stages", "all", "--out", dir)
	archives := longtest.Must(filepath.Glob(filepath.Join(dir, "*.npz")))(t)
	want := rowsOf(t, "tightness", "--toy", "barrier", "-T", "5", "--kernel", "matrix:"+archives[0]+"#kernel_{t}")[0]
	for _, format := range []string{"mtx", "tra"} {
		ok(t, "export", "--toy", "barrier", "-T", "5", "--kernel", "lazy:0.25:barker", "--stages", "all", "--format", format, "--out", dir)
		files := longtest.Must(filepath.Glob(filepath.Join(dir, "*_kernel_?."+format)))(t)
		if len(files) != 4 {
			t.Fatalf("%s: %v", format, files)
		}
		kernel := "matrix:" + strings.Replace(files[0], "kernel_2", "kernel_{t}", 1)
		got := rowsOf(t, "tightness", "--toy", "barrier", "-T", "5", "--kernel", kernel)[0]
		for _, name := range []string{"J", "B"} {
			if got[name] != want[name] {
				t.Errorf("%s: %s is %v, and of the same matrices in NumPy's format %v", format, name, got[name], want[name])
			}
		}
		ok(t, "kernel", "check", "matrix:"+files[3], "--toy", "barrier")
		// What is read and written again is the same.
		again := t.TempDir()
		ok(t, "export", "--toy", "barrier", "-T", "5", "--kernel", kernel, "--stages", "3", "--format", format, "--out", again)
		twice := longtest.Must(filepath.Glob(filepath.Join(again, "*_kernel_3."+format)))(t)
		if len(twice) != 1 || readText(t, twice[0]) != readText(t, files[1]) {
			t.Errorf("%s: %v is not what was read", format, twice)
		}
		path, out := spec(t, "[grid]\ntoy = 'barrier'\nT = [5]\nkernel = '"+kernel+"'\n"), t.TempDir()
		ok(t, "sweep", "run", path, "--out", out)
		if got := rowsOf(t, "sweep", "merge", out)[0]; got["J"] != want["J"] {
			t.Errorf("%s: J of a sweep is %v", format, got["J"])
		}
		other := first(ok(t, "export", "--toy", "barrier", "-T", "5", "--stages", "2", "--format", "mtx"))
		if format == "mtx" {
			writeFile(t, files[0], other)
			says(t, exitBadInput, "have changed", "sweep", "run", path, "--out", out)
		}
	}
}

// readText returns the text of a file.
func readText(t *testing.T, path string) string {
	t.Helper()
	return string(longtest.Must(os.ReadFile(path))(t))
}

// TestExportChainFiles: which files there are, and what may go to standard output.
func TestExportChainFiles(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	ok(t, "export", "--toy", "barrier:3x3", "-T", "3", "--arrays", "forward_csr,kernel_csr", "--stages", "last", "--format", "tra", "--out", dir)
	var names []string
	for _, path := range longtest.Must(filepath.Glob(filepath.Join(dir, "arrays*")))(t) {
		names = append(names, strings.TrimPrefix(filepath.Base(path), "arrays_barrier-3x3_T3_"))
	}
	const want = "forward.lab forward.sta forward.tra forward_log_w_down.srew forward_log_w_up.srew kernel_3.lab kernel_3.sta kernel_3.tra kernel_3_p.srew kernel_3_steps.srew kernel_3_x0.srew kernel_3_x1.srew"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	one, _ := ok(t, "export", "--toy", "barrier:3x3", "-T", "3", "--stages", "last", "--format", "mtx")
	if !strings.HasPrefix(one, "%%MatrixMarket matrix coordinate real general\n") ||
		one != first(ok(t, "export", "--toy", "barrier:3x3", "-T", "3", "--stages", "last", "--format", "mtx")) {
		t.Errorf("%q", one)
	}
	for args, want := range map[string]string{
		"--format mtx --stages all":  "the format mtx would make 2 files; give --out for them",
		"--format tra --stages last": "the format tra would make 7 files; give --out for them",
	} {
		refuses(t, want, append([]string{"export", "--toy", "barrier:3x3", "-T", "3"}, strings.Fields(args)...)...)
	}
	zero := filepath.Join(dir, "zero.csv")
	writeFile(t, zero, "0,-inf\n1,2\n")
	if _, stderr := ok(t, "export", "--toy", "file:"+zero, "-T", "3", "--arrays", "forward_csr", "--format", "mtx"); !strings.Contains(stderr,
		"the reward log_w is left out, since it does not exist where f has zeros") {
		t.Error(stderr)
	}
}

// TestExportChainText: the files of a chain to the last character, if no probability has to be
// rounded.
func TestExportChainText(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	flat := filepath.Join(dir, "flat.csv")
	writeFile(t, flat, "0,0\n")
	ok(t, "export", "--toy", "flat=file:"+flat, "-T", "2", "--arrays", "forward_csr,kernel_csr", "--stages", "2", "--format", "tra", "--out", dir)
	for name, want := range map[string]string{
		"forward.tra": "6 9\n0 1 h\n0 2 h\n1 3 h\n1 4 h\n2 3 h\n2 4 h\n3 5 1\n4 5 1\n5 5 1\n",
		"forward.lab": "0=\"init\" 1=\"end\" 2=\"peak\"\n0: 0\n3: 2\n4: 2\n5: 1\n",
		"forward.sta": "(t,x0)\n0:(0,0)\n1:(1,0)\n2:(1,1)\n3:(2,0)\n4:(2,1)\n5:(3,0)\n",

		"forward_log_w_up.srew": "# Reward structure \"log_w_up\"\n# State rewards\n6 0\n",
		"kernel_2.tra":          "2 4\n0 0 h\n0 1 h\n1 0 h\n1 1 h\n",
		"kernel_2_x0.srew":      "# Reward structure \"x0\"\n# State rewards\n2 1\n1 1\n",
	} {
		got := strings.NewReplacer("5.0000000000000000e-01", "h", "1.0000000000000000e+00", "1").Replace(readText(t, filepath.Join(dir, "arrays_flat_T2_"+name)))
		if got != want {
			t.Errorf("%s is\n%s, want\n%s", name, got, want)
		}
	}
}

// TestMatricesRefused: a file that is no matrix of this space is refused in one line, with its
// place.
func TestMatricesRefused(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, want string }{
		"small.mtx":  {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n", "small.mtx is 2x2; a kernel on 2x2 needs 4x4"},
		"large.tra":  {"5 1\n0 0 1\n", "large.tra: line 1: there are 5 states, and at most 4 can be used here"},
		"sum.tra":    {"4 4\n0 0 1\n1 1 1\n2 2 0.9\n3 3 1\n", "sum.tra, row 3 sums to 0.9"},
		"absent.mtx": {"%%MatrixMarket matrix coordinate real general\n4 4 3\n1 1 1\n2 2 1\n4 4 1\n", "absent.mtx, row 3 sums to 0"},
		"chain.lab":  {"0=\"init\"\n0: 0\n", "chain.lab: it is a list of states, not of rows; use .tra"},
	} {
		path := filepath.Join(dir, name)
		writeFile(t, path, c.text)
		refuses(t, c.want, "kernel", "check", "matrix:"+path, "--toy", "random:1:0:2x2")
	}
}
