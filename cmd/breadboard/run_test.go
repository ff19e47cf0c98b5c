package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"breadboard/exact"
	"breadboard/grid/longtest"
)

var (
	update  = flag.Bool("update", false, "write the golden files anew")
	another = flag.String("program", "", "a command line that runs another build of the program: the tests of golden files and documents hold that build to them")
)

// command runs the program as main does, or another build of it.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if *another == "" {
		code = run(context.Background(), args, &out, &errs)
		return code, out.String(), errs.String()
	}
	p := child(t, args...)
	p.Stdout, p.Stderr = &out, &errs
	if err := p.Run(); p.ProcessState == nil {
		t.Fatal(err)
	}
	return p.ProcessState.ExitCode(), out.String(), errs.String()
}

// ok runs the program and fails the test if it does.
func ok(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	code, stdout, stderr := command(t, args...)
	if code != exitDone {
		t.Fatalf("breadboard %s: exit code %d\n%s", strings.Join(args, " "), code, stderr)
	}
	return stdout, stderr
}

// rowsOf runs a command with JSON and returns its rows.
func rowsOf(t *testing.T, args ...string) []map[string]any {
	t.Helper()
	stdout, _ := ok(t, append(args, "--format", "json")...)
	return parseRows(t, stdout)
}

// parseRows reads the JSON that a command prints.
func parseRows(t *testing.T, stdout string) []map[string]any {
	t.Helper()
	var rows []map[string]any
	longtest.NoError(t, json.Unmarshal([]byte(stdout), &rows))
	return rows
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		writeFile(t, path, got)
	}
	want := longtest.Must(os.ReadFile(path))(t)
	if got != string(want) {
		t.Errorf("%s is\n%s\nwant\n%s\n(go test ./cmd/breadboard -update writes the files anew; look at them)", path, got, want)
	}
}

// TestDefaultTable is the README's first command.
func TestDefaultTable(t *testing.T) {
	stdout, stderr := ok(t, "tightness")
	golden(t, "tightness.txt", stdout)
	golden(t, "tightness.stderr", stderr)
}

// TestArithmetic holds the numbers of every kind of computation to one golden file, in seven digits
// and without helps: it is for builds for other processors, which may round otherwise. Numbers that
// rounding alone makes are zero there; notes on numbers are left out, and how many steps an
// optimiser took until rounding ended it.
func TestArithmetic(t *testing.T) {
	if *another == "" && !*update {
		longtest.Only(t) // TestGoldenTexts and the tests of the studies have these numbers
	}
	var out strings.Builder
	commands, words := answering((&app{}).rootCommand())
	for _, c := range commands {
		line := strings.Join(words[c], " ")
		if strings.HasPrefix(line, "sandwich compare") || strings.HasPrefix(line, "reproduce") { // these go by the clock, and run the others
			continue
		}
		stdout, _ := ok(t, append(words[c], "--format", "csv")...)
		out.WriteString("$ breadboard " + line + "\n" + roundedCSV(t, stdout))
	}
	golden(t, "arithmetic.txt", out.String())
}

// roundedCSV returns the numbers of the first rows of a table in CSV, in seven digits, with zero
// for those that rounding makes.
func roundedCSV(t *testing.T, text string) string {
	t.Helper()
	records := longtest.Must(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
	var out strings.Builder
	for _, record := range records[1:min(len(records), 12)] {
		for i, cell := range record {
			v, err := strconv.ParseFloat(cell, 64)
			if name := records[0][i]; err != nil || strings.Contains(name, "gradient") || strings.HasSuffix(name, "seconds") ||
				strings.HasSuffix(name, "_bound") || strings.Contains(name, "residual") {
				continue
			}
			if math.Abs(v) < 1e-9 {
				v = 0
			}
			fmt.Fprintf(&out, "%.7g ", v)
		}
		out.WriteString("\n")
	}
	return out.String()
}

func TestGoldenTexts(t *testing.T) {
	for name, args := range map[string][]string{
		"toys.txt":           {"toys"},
		"barrier.txt":        {"toys", "show", "barrier"},
		"help.txt":           {"--help"},
		"tightness-help.txt": {"tightness", "--help"},
		"optimize-help.txt":  {"schedule", "optimize", "--help"},
		"compare-help.txt":   {"schedule", "compare", "--help"},
		"schedules.txt":      {"schedule", "list"},
		"conform-help.txt":   {"conform", "check", "--help"},
		"ladder-help.txt":    {"conform", "tempering", "spec", "--help"},
		"gibbs-help.txt":     {"smc", "gibbs", "--help"},
		"evidence-help.txt":  {"evidence", "--help"},
		"estimators.txt":     {"evidence", "list"},
		"network-help.txt":   {"network", "--help"},
		"network.txt":        {"network", clinic, "--evidence", "Fever=high+Xray=shadow"},
		"network-asia.txt":   {"toys", "show", "bif:" + asia + ":evidence=xray=yes+dysp=yes:keep=lung+either"},
	} {
		stdout, _ := ok(t, args...)
		golden(t, name, stdout)
	}
}

func TestZerosOfF(t *testing.T) {
	longtest.Only(t)
	target := file(t, "1,2\n-inf,0\n")
	stdout, stderr := ok(t, "tightness", "--toy", "file:"+target, "-T", "10", "--format", "json")
	rows := parseRows(t, stdout)
	r := rows[0]
	if r["J"] != "+Inf" || r["B"] != "+Inf" || r["mean_log_w_forward"] != "-Inf" {
		t.Errorf("J %v, B %v, forward %v", r["J"], r["B"], r["mean_log_w_forward"])
	}
	if v, ok := r["kl_p_q"].(float64); !ok || v <= 0 {
		t.Errorf("kl_p_q is %v, and should be finite", r["kl_p_q"])
	}
	for _, want := range []string{"1 state where the target is zero", "E_fwd[log w] is -Inf"} {
		if !strings.Contains(stderr, want) || !strings.Contains(r["note"].(string), want) {
			t.Errorf("no %q in %q or the row's note", want, stderr)
		}
	}
	const cure = "; start inside the support of the target, with the initial distribution tempered:0.1\n"
	if strings.Count(stderr, "+Inf") != 1 || !strings.HasSuffix(stderr, cure) {
		t.Errorf("it is not said once, with the cure at its end: %q", stderr)
	}
	corner := "prob:" + file(t, "0,1\n1,1\n")
	for _, c := range []struct{ toy, initial string }{{"file:" + target, "uniform"}, {"cells:-inf:0/1:0", "uniform"}, {"cells:0:1/2:3", corner}} {
		for _, kernel := range []string{"metropolis", "heatbath", "moore"} {
			args := []string{"tightness", "--toy", c.toy, "-T", "3", "--kernel", kernel, "--format", "json", "--initial"}
			if _, stderr := ok(t, append(args, c.initial)...); !strings.HasSuffix(stderr, cure) {
				t.Errorf("%+v: %q", c, stderr)
			}
			stdout, stderr := ok(t, append(args, "tempered:0.1")...)
			if strings.Contains(stdout, "Inf\"") || strings.Contains(stderr, "Inf") {
				t.Errorf("%+v: the cure does not help: %s %s", c, stdout, stderr)
			}
		}
	}
}

func TestOutWritesEverything(t *testing.T) {
	longtest.Only(t)
	dir := filepath.Join(t.TempDir(), "new", "results")
	stdout, _ := ok(t, "tightness", "-T", "10,100", "--format", "csv", "--out", dir)
	names := parts(t, dir)
	want := ".csv .json figure3.pdf figure3.png figure3.svg figure3_data.csv figure4.pdf figure4.png figure4.svg figure4_data.csv"
	if names != want {
		t.Errorf("wrote %q, want %q", names, want)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "tightness_T-10-100.csv")); err != nil || string(data) != stdout {
		t.Errorf("tightness.csv is not what was printed: %v", err)
	}
}

func TestFiguresThatCannotBeDrawnAreSaid(t *testing.T) {
	dir := t.TempDir()
	_, stderr := ok(t, "tightness", "-T", "10", "--toy", "graph:hypercube:7:random:1:0", "--out", dir)
	if !strings.Contains(stderr, "figure3 is not drawn") || !strings.Contains(stderr, "no figure 4") || parts(t, dir) != ".csv .json .txt" {
		t.Errorf("%s\n%s", stderr, list(t, dir))
	}
	if strings.Contains(stderr, "earlier run") {
		t.Error(stderr)
	}
	figure3 := filepath.Join(dir, "tightness_toy-graph-hypercube-7-random-1-0_T-10_figure3.")
	longtest.NoError(t, os.WriteFile(figure3+"png", nil, 0o644))
	_, stderr = ok(t, "tightness", "-T", "10", "--toy", "graph:hypercube:7:random:1:0", "--out", dir)
	if !strings.Contains(stderr, figure3+"* there is from an earlier run") || strings.Count(stderr, "earlier") != 1 {
		t.Error(stderr)
	}
}

func TestExportReadsBack(t *testing.T) {
	dir := t.TempDir()
	ok(t, "toys", "export", "random:3:5:4x6", "--out", dir)
	if names := list(t, dir); names != "random-3-5-4x6.csv random-3-5-4x6.npy run.json" {
		t.Fatalf("wrote %q", names)
	}
	j := func(toy string) string {
		stdout, _ := ok(t, "tightness", "--toy", toy, "-T", "20", "--format", "csv")
		return strings.Split(strings.Split(stdout, "\n")[1], ",")[5]
	}
	want := j("random:3:5:4x6")
	for _, ending := range []string{".csv", ".npy"} {
		if got := j("file:" + filepath.Join(dir, "random-3-5-4x6"+ending)); got != want {
			t.Errorf("%s: J = %s, want %s", ending, got, want)
		}
	}
	stdout, _ := ok(t, "toys", "export", "barrier:3x3")
	if stdout != "0,-10,3\n-10,-10,-10\n0,-10,0\n" {
		t.Errorf("barrier:3x3 is exported as %q", stdout)
	}
}

func TestCheck(t *testing.T) {
	longtest.Only(t)
	_, stderr := ok(t, "tightness", "-T", "2,30", "--check")
	if !strings.Contains(stderr, "all 60 identities hold") {
		t.Error(stderr)
	}
	dir := t.TempDir()
	ok(t, "tightness", "-T", "5", "--toy", "easy", "--check", "--format", "csv", "--out", dir)
	if !strings.Contains(list(t, dir), "checks.csv") {
		t.Errorf("wrote %s", list(t, dir))
	}
}

func TestCertify(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	dir := t.TempDir()
	toys, want, at := "barrier,file:../../exact/testdata/corners.csv", 16, 12 // how many certificates, and which is that of J of the corners at T = 100
	stdout, stderr := ok(t, "tightness", "-T", "10,100", "--toy", toys, "--certify", "--format", "json", "--figures", "svg", "--out", dir)
	rows := parseRows(t, stdout)
	for _, r := range rows {
		for _, field := range []string{"digits_J", "digits_B", "digits_kl_q_p", "digits_kl_p_q"} {
			if d, is := r[field].(float64); !is || d < 12 || d > 17 {
				t.Errorf("%s, T = %v: %s is %v", r["toy"], r["T"], field, r[field])
			}
		}
	}
	if !strings.Contains(stderr, "12 correct digits each, certified in 256 bits") {
		t.Error(stderr)
	}
	data := longtest.Must(os.ReadFile(partFile(t, dir, "certificates.json")))(t)
	var certificates []map[string]any
	if err := json.Unmarshal(data, &certificates); err != nil || len(certificates) != want {
		t.Fatalf("%d certificates, error %v", len(certificates), err)
	}
	if c := certificates[at]; c["quantity"] != "J" || !strings.HasPrefix(c["certified"].(string), "603.8799309618919") || c["error_bound"].(float64) > 1e-60 {
		t.Errorf("%v", c)
	}
	// Divergences that are nearly lost in rounding have few right digits.
	says(t, exitFault, "correct digits instead of the promised 12", "tightness", "-T", "4000", "--toy", "file:../../exact/testdata/corners.csv", "--certify")
}

func TestVersion(t *testing.T) {
	longtest.Only(t)
	if stdout, _ := ok(t, "version"); !strings.HasPrefix(stdout, "breadboard ") {
		t.Error(stdout)
	}
	if rows := rowsOf(t, "version"); len(rows) != 5 || rows[0]["name"] != "breadboard" || rows[1]["name"] != "commit" || rows[4]["value"] != exact.Vectors() {
		t.Errorf("version --format json: %v", rows)
	}
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	ragged, nan, comma, empty := file(t, "1,2\n3\n"), file(t, "1,nan\n"), file(t, "1,5;2,5\n"), file(t, "")
	ragged2 := file(t, "0.5,0.5\n0.5,0.5\n")
	zeros := file(t, "0,-inf\n1,2\n")
	blocked, huge := file(t, "a file, not a directory"), file(t, "1e20,0\n0,1\n")
	out, junk := filepath.Join(t.TempDir(), "never"), filepath.Join(t.TempDir(), "junk.npy")
	writeFile(t, junk, "no array")
	for i, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, "no such file", []string{"tightness", "--path", "via:nowhere.csv"}},
		{2, "from 0 to 1", []string{"tightness", "--initial", "tempered:2"}},
		{2, "derivatives are for at most 600", []string{"schedule", "optimize", "--toy", "random:300:1"}},
		{2, "up to T = 100000", []string{"schedule", "optimize", "-T", "1e6"}},
		{2, "give that number", []string{"schedule", "compare", "--schedule", "linear,cess:0.9"}},
		{2, "no schedule is named", []string{"schedule", "compare", "--schedule", ""}},
		{2, "unknown flag", []string{"schedule", "optimize", "--schedule", "linear"}},
		{3, blocked, []string{"schedule", "optimize", "--out", blocked}},
		{2, "no number", []string{"tightness", "-T", ""}},
		{2, ragged + ": line 2 has 1 columns", []string{"tightness", "--toy", "file:" + ragged}},
		{2, "line 1, column 2: nan", []string{"tightness", "--toy", "file:" + nan}},
		{2, "semicolon", []string{"tightness", "--toy", "file:" + comma}},
		{2, "empty", []string{"tightness", "--toy", "file:" + empty}},
		{2, "numbered from 0 to 48", []string{"subjective", "--reference", "point:49"}},
		{2, "unknown flag", []string{"tightness", "--tea", "3"}},
		{2, "then give file:DIR/schedule.csv", []string{"tightness", "--schedule", "optimal:J"}},
		{2, "give one at a time; breadboard sweep", []string{"tightness", "--path", "geometric,arithmetic"}},
		{2, "give one at a time; breadboard sweep", []string{"ais", "--kernel", "barker,lazy:0.5"}},
		{2, "give one at a time; breadboard sweep", []string{"gap", "--schedule", "linear, sigmoid:4"}},
		{2, "give one at a time; breadboard sweep", []string{"weights", "--initial", "uniform,tempered:0.5"}},
		{2, "--kernel is given twice, barker and heatbath; give it once", []string{"tightness", "--kernel", "barker", "--kernel", "heatbath"}},
		{2, "did you mean tightness?", []string{"tightnes"}},
		{2, "for breadboard toys; did you mean show?", []string{"toys", "shwo"}},
		{2, "breadboard --help lists them", []string{"xyzzy"}},
		{2, "takes no arguments; did you mean --toy easy?", []string{"tightness", "easy"}},
		{2, "takes no arguments; did you mean --toy file:mine.npy?", []string{"tightness", "mine.npy"}},
		{2, "takes no arguments; did you mean --toy barrier:9x9?", []string{"ais", "barrier:9x9"}},
		{2, "did you mean --format?", []string{"tightness", "--frmat", "json"}},
		{2, "as in breadboard toys show barrier", []string{"toys", "show"}},
		{2, "no directory is named", []string{"toys", "--out", ""}},
		{2, "found no .npy file: it begins with \"no array\"", []string{"tightness", "--toy", "file:" + junk}},
		{2, "replace -inf by a number at most 600 nats below the largest", []string{"schedule", "optimize", "--toy", "file:" + zeros}},
		{2, "did you mean file:one.csv or prob:one.csv?", []string{"tightness", "--toy", "one.csv"}},
		{3, blocked + " is a file; give a directory", []string{"toys", "--out", blocked}},
		{2, "--format json; export writes csv", []string{"toys", "export", "easy", "--format", "json"}},
		{2, "3-dimensional", []string{"toys", "export", "random:1:0:2x2x2"}},
		{3, blocked, []string{"tightness", "-T", "1000000000000", "--out", blocked}},
		{3, blocked, []string{"toys", "--out", filepath.Join(blocked, "x")}},
		{2, "eazy", []string{"tightness", "--toy", "eazy", "--out", out}},
		{2, "spans 1e+20 nats", []string{"tightness", "--toy", "file:" + huge}},
		{2, "no whole number from 2 to 1e15", []string{"ais", "--chains", "0"}},
		{2, "did you mean metropolis?", []string{"tightness", "--kernel", "metropolos"}},
		{2, "--seed", []string{"ais", "--seed", "-1"}},
		{2, "--seed", []string{"ais", "--seed", "1e30"}},
		{2, "did you mean heatbath?", []string{"kernel", "check", "heatbat"}},
		{2, "starting", []string{"kernel", "check", "exec:/nonexistent/program"}},
		{2, "no command", []string{"tightness", "--kernel", "exec:"}},
		{2, "/nonexistent/k.npy", []string{"kernel", "check", "matrix:/nonexistent/k.npy"}},
		{2, "needs 49x49", []string{"kernel", "check", "matrix:" + ragged2}},
		{2, "as in breadboard kernel check heatbath", []string{"kernel", "check"}},
		{3, blocked, []string{"ais", "--toy", "easy", "--chains", "1e8", "--out", blocked}},
	} {
		if !longtest.Enabled() && i%4 > 0 {
			continue // the full run has them all
		}
		saysOnly(t, c.code, c.want, c.args...)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("bad input made the output directory")
	}
}

// TestCheckOfChains: --check tests the chains that a command draws. What it cannot decide is open,
// and nothing decided is no pass.
func TestCheckOfChains(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line  string
		code  int
		table string // the verdict and what was counted
		notes string
	}{
		{"ais --toy random:1:1:2x2 -T 3 --chains 16384 --check", exitDone, "pass: the chains that were drawn and their exact distributions: 30 pass",
			"no fault was found"},
		{"ais --toy random:1:1:2x2 -T 3 --chains 2 --check", exitFault, "open: the chains that were drawn and their exact distributions: 0 pass",
			"nothing was decided"},
		{"smc --toy random:1:1:2 -T 3 --chains 2048 --particles 1,2 --check", exitDone, "random:1:1:2 ", "no fault was found"},
		{"temper --toy random:2:0:2 --schedule curve:0:0.3:1 --kernel metropolis --chains 2048 --check", exitDone, "random:2:0:2 ", "no fault was found"},
		{"smc --toy easy -T 12 --chains 16 --particles 2 --check", exitFault, "0 pass, 0 fault, 1 open", "nothing was decided"},
	} {
		code, stdout, stderr := command(t, strings.Fields(c.line)...)
		if code != c.code || !strings.Contains(stdout, c.table) || !strings.Contains(stderr, c.notes) {
			t.Errorf("%s: exit code %d\n%s\n%s", c.line, code, stdout, stderr)
		}
	}
}

// failing is standard output on a full disk.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrPermission }

func TestFullDisk(t *testing.T) {
	for _, args := range [][]string{{"tightness", "-T", "10"}, {"toys"}, {"toys", "show", "easy"}, {"toys", "export", "easy"}, {"version"}} {
		var errs bytes.Buffer
		if code := run(context.Background(), args, failing{}, &errs); code != exitIO {
			t.Errorf("%v: exit code %d, %q", args, code, errs.String())
		}
	}
}

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "input.csv")
	writeFile(t, path, text)
	return path
}

// writeFile writes a file with a text.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	longtest.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func list(t *testing.T, dir string) string {
	t.Helper()
	entries := longtest.Must(os.ReadDir(dir))(t)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}
