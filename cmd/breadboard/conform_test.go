package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/experiments/checks/conform"
	"breadboard/grid/longtest"
)

// implemented is a task in a folder, with chains that were drawn as it says.
type implemented struct {
	dir, said        string // the folder, and the message when it was written
	forward, reverse *simulate.Batch
	moves            *simulate.Batch // x_1 and x_2 of chains of two distributions are moves at beta = 1
	logZ1            float64
}

// implement writes a small task to the folder of all tests and draws chains of it, once for all
// tests.
var implement = sync.OnceValue(func() implemented {
	dir := filepath.Join(sharedFolder(), "task")
	var said strings.Builder
	run(context.Background(), strings.Fields("conform spec --toy barrier:3x3 -T 3 --schedule power:2 --out "+dir), io.Discard, &said)
	made := longtest.Sure(conform.Read(context.Background(), dir, nil))
	a := made.Case.Annealing()
	two := longtest.Sure(chains.NewAnnealing(a.Path(), schedules.Linear{}, a.Kernel(), 2))
	draw := func(a *chains.Annealing, d chains.Direction) *simulate.Batch {
		return longtest.Sure(simulate.Rows(a, d, simulate.ChainStream(1, "test", d, 0), 4000, nil))
	}
	return implemented{dir, said.String(), draw(a, chains.Forward), draw(a, chains.Reverse), draw(two, chains.Forward), made.LogZ1}
})

// text returns chains as CSV, with log w as it is rewritten.
func text(b *simulate.Batch, logw func(v float64) float64) string {
	var s strings.Builder
	s.WriteString("log_w,x_first,x_last\n")
	for i, v := range b.LogW {
		fmt.Fprintf(&s, "%v,%d,%d\n", logw(v), b.First[i], b.Last[i])
	}
	return s.String()
}

// same rewrites nothing.
func same(v float64) float64 { return v }

// array returns a .npy file of float64 of this shape, which holds that many of the numbers.
func array(descr, shape string, data []byte) string {
	header := "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }\n"
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(header)))) + header + string(data)
}

// numbersOf returns chains as the bytes of a table of float64, a chain a row.
func numbersOf(b *simulate.Batch) (data []byte) {
	for i, v := range b.LogW {
		for _, v := range []float64{v, float64(b.First[i]), float64(b.Last[i])} {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
	}
	return data
}

// in writes a file into a folder of its own and returns its path.
func in(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	writeFile(t, path, content)
	return path
}

// TestConformSeveralFiles: several files of one kind are read as one file with the rows of all of
// them, in whatever formats; the same file twice, files with other columns and an empty one are
// refused, and so is a bad row of the second one, by its own name.
func TestConformSeveralFiles(t *testing.T) {
	t.Parallel()
	of := implement()
	whole := text(of.forward, same)
	lines := strings.SplitAfter(whole, "\n")
	first, second := in(t, "first.csv", strings.Join(lines[:1501], "")), in(t, "second.csv", lines[0]+strings.Join(lines[1501:], ""))
	check := func(args ...string) []string {
		return append([]string{"conform", "check", of.dir, "--format", "json"}, args...)
	}
	one, _ := ok(t, check("--forward", in(t, "whole.csv", whole))...)
	two, messages := ok(t, check("--forward", first, "--forward", second)...)
	if one != two || !strings.Contains(messages, "forward: 4000 chains of "+first+", "+second+" were read") {
		t.Errorf("one file says\n%s\nand two\n%s\n%s", one, two, messages)
	}
	array := in(t, "x.npy", array("[('log_w', '<f8'), ('x_first', '<f8'), ('x_last', '<f8')]", "(2500,)", numbersOf(of.forward)[1500*24:]))
	if _, messages = ok(t, check("--forward", first, "--forward", array)...); !strings.Contains(messages, "4000 chains") {
		t.Errorf("text and an array: %s", messages)
	}
	link := filepath.Join(t.TempDir(), "link.csv")
	longtest.NoError(t, os.Symlink(first, link))
	for want, other := range map[string]string{
		"are the same file; give it once":                                              link,
		"have different columns; files that are read together must have the same ones": in(t, "other.csv", "x_last\n1\n"),
		"empty.csv: found no rows":                                                     in(t, "empty.csv", lines[0]),
		"bad.csv, line 3 (row 1)":                                                      in(t, "bad.csv", lines[0]+lines[1]+"0,99,0\n"),
	} {
		refuses(t, want, check("--forward", first, "--forward", other)...)
	}
}

// TestConformCheck: right chains pass in every form, and the rows for machines name the tests that
// the columns allow.
func TestConformCheck(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	of := implement()
	forward, reverse := in(t, "fwd.csv", text(of.forward, same)), in(t, "rev.csv", text(of.reverse, same))
	for _, name := range []string{"README.md", "task.json", "logf.csv", "kernel.npy", "example.json", "skeleton.py", "needs.txt"} {
		if !strings.Contains(of.said, "wrote "+filepath.Join(of.dir, name)) {
			t.Errorf("it does not say that it wrote %s: %s", name, of.said)
		}
	}
	moves, estimates := strings.Builder{}, strings.Builder{}
	moves.WriteString("beta,from,to\n")
	estimates.WriteString("log_z\n")
	for i := range of.moves.First {
		fmt.Fprintf(&moves, "1,%d,%d\n", of.moves.First[i], of.moves.Last[i])
		if i < 1000 {
			fmt.Fprintf(&estimates, "%v\n", of.forward.LogW[i])
		}
	}
	plain := in(t, "plain.npy", array("'<f8'", "(4000, 3)", numbersOf(of.forward)))
	included := func(v float64) float64 { return v + of.logZ1 }
	coordinates := strings.Builder{}
	coordinates.WriteString("x_last\n")
	for _, x := range of.forward.Last {
		fmt.Fprintf(&coordinates, "%d %d\n", x/3, x%3)
	}
	for _, c := range []struct {
		name string
		args []string
		test string // one of the tests
		says string
	}{
		{"both", []string{"--forward", forward, "--reverse", reverse}, "forward and reverse chains", "reverse: 4000 chains of " + reverse +
			" were read, with log_w, x_first and x_last"},
		{"some rows", []string{"--forward", forward, "--chains", "1e3"}, "forward x_T", "forward: 1000 chains"},
		{"a plain array", []string{"--forward", plain, "--input-columns", "log_w,x_first,x_last"}, "forward outcomes", "no fault"},
		{"log Z_1", []string{"--forward", in(t, "fwd.csv", text(of.forward, included)), "--log-z-included"}, "forward log w", "no fault"},
		{"coordinates", []string{"--forward", in(t, "fwd.csv", coordinates.String())}, "forward x_T", "no fault"},
		{"moves", []string{"--moves", in(t, "moves.csv", moves.String())}, "moves", "4000 single moves of the kernel were read"},
		{"estimates", []string{"--estimates", in(t, "z.csv", estimates.String())}, "estimates of Z are unbiased", "no fault"},
		{"estimates without a name", []string{"--estimates", in(t, "bare.csv", strings.TrimPrefix(estimates.String(), "log_z\n"))},
			"estimates of Z are unbiased", "no fault"},
	} {
		stdout, stderr := ok(t, append([]string{"conform", "check", of.dir, "--format", "json"}, c.args...)...)
		found := false
		posterior := map[any]float64{} // of all hypotheses, by direction
		for _, row := range parseRows(t, stdout) {
			test, is := row["test"].(string), row["kind"] == "test"
			found = found || is && strings.HasPrefix(test, c.test)
			if is == (row["hypothesis"] != nil) || !is && test != fmt.Sprintf("%v hypothesis: %v", row["direction"], row["hypothesis"]) || is &&
				row["verdict"] != "pass" || row["toy"] != "barrier:3x3" {
				t.Errorf("%s: %v", c.name, row)
			}
			if !is {
				posterior[row["direction"]] += row["posterior"].(float64)
			}
		}
		for d, total := range posterior {
			if math.Abs(total-1) > 1e-9 {
				t.Errorf("%s, %v: the posteriors add up to %v", c.name, d, total)
			}
		}
		if !found || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: no %q among the tests, or no %q in %s\n%s", c.name, c.test, c.says, stderr, stdout)
		}
	}
}

// TestConformFaults: wrong chains are a fault, exit code 1, and the mistake comes first.
func TestConformFaults(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	of := implement()
	right := text(of.forward, same)
	_, rest, _ := strings.Cut(right, "\n")
	_, rest, _ = strings.Cut(rest, "\n")
	dir := t.TempDir()
	for _, c := range []struct{ forward, reverse, says string }{
		{text(of.forward, func(v float64) float64 { return v / math.Ln10 }), "", `"log w in base 10"`},
		{text(of.forward, math.Exp), "", `"the weight and not its logarithm"`},
		{text(of.forward, func(v float64) float64 { return v + of.logZ1 }), "", `"log Z_1 added to log w"`},
		{text(of.reverse, same), text(of.forward, same), `"forward and reverse exchanged"`},
		{"log_w,x_first,x_last\n-inf,0,0\n" + rest, "", "no known bug explains it"}, // f has no zeros
		{"log_w,x_first,x_last\ninf,0,0\n" + rest, "", "no known bug explains it"},
	} {
		args := []string{"conform", "check", of.dir, "--forward", in(t, "fwd.csv", c.forward)}
		if c.reverse != "" {
			args = append(args, "--reverse", in(t, "rev.csv", c.reverse), "--figures", "png", "--out", dir)
		}
		code, stdout, stderr := command(t, args...)
		if code != exitFault || !strings.Contains(stdout, "fault") || !strings.Contains(stderr, c.says) {
			t.Errorf("exit code %d, and no %s in\n%s", code, c.says, stderr)
		}
	}
	if names := list(t, dir); !strings.Contains(names, "hypotheses.txt") || !strings.Contains(names, ".png") {
		t.Errorf("wrote %s", names)
	}
}

// TestConformBadInput: what is no sample of the task ends with exit code 2 and a message with the
// file, the line, the column, what was found and what to write.
func TestConformBadInput(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	of := implement()
	header := "log_w,x_first,x_last\n"
	whole := array("'<f8'", "(4000, 3)", numbersOf(of.forward))
	for _, c := range []struct{ name, content, flags, want string }{
		{"a.csv", header + "1,2,9\n", "", "line 2 (row 0), column x_last: found 9; write a state from 0 to 8"},
		{"a.csv", "1,2,3\n", "",
			"line 1: found a row of values and no header; write a first line with the names of the columns, log_w, x_first, x_last, x_1 to x_3, increment_2 to increment_3, log_z, se, or beta, from and to together, or give --input-columns"},
		{"a.csv", header + "1,2,3\n", " --input-columns log_w,x_first", "found a header, log_w, x_first, x_last; leave out --input-columns, log_w, x_first"},
		{"a.npy", whole, "",
			"found a plain array of shape (4000, 3); its columns have no names; write a structured array with the fields log_w, x_first, x_last, x_1 to x_3, increment_2 to increment_3, log_z, se, or beta, from and to together, or give --input-columns"},
	} {
		path := in(t, c.name, c.content)
		code, stdout, stderr := command(t, append([]string{"conform", "check", of.dir, "--forward", path}, strings.Fields(c.flags)...)...)
		if want := "breadboard: " + path; code != exitBadInput || stdout != "" || !strings.HasPrefix(stderr, want) || !strings.Contains(stderr, c.want) ||
			strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s %.40q: exit code %d, %q has no %q", c.name, c.content, code, stderr, c.want)
		}
	}
	right := in(t, "fwd.csv", text(of.forward, same))
	for line, want := range map[string]string{
		"conform":                                             "",
		"conform spec":                                        "no folder to write the task to; give one, as in --out task",
		"conform spec --out X --toy easy,hard":                "2 annealings; a task is one: give one --toy and one -T",
		"conform spec --out X --alpha 0":                      "alpha 0; the probability of a false alarm is from",
		"conform spec --powerful --out X --alpha NaN":         "alpha NaN; the probability of a false alarm is from",
		"conform check":                                       "name one, as in breadboard conform check task",
		"conform check TASK":                                  "nothing to check; give --forward, --reverse, --moves or --estimates with a file, or --stdin",
		"conform check none --forward FWD":                    "none is not the folder of a task; that has a file task.json",
		"conform check TASK --forward none.csv":               "none.csv: no such file",
		"conform check TASK FWD":                              "and give the rest by the flags that breadboard conform check --help lists",
		"conform check TASK --stdin fwd":                      `unknown --stdin "fwd"; choices: forward, reverse, moves, estimates`,
		"conform check TASK --stdin forward --forward FWD":    "--stdin forward and --forward FWD; give one of them",
		"conform check TASK --forward FWD --alpha 2":          "alpha 2; the probability of a false alarm is from",
		"conform check TASK --forward FWD --claim upper":      "--claim is about estimates, and there are none; give --estimates with a file",
		"conform check TASK --estimates FWD --claim surely":   `"surely"`,
		"conform check TASK --estimates FWD --largest high":   `"high"`,
		"conform estimates EST":                               "nothing is known of the Z that is estimated; give a toy, as in --toy bin4 (breadboard toys lists them), or the number, as in --log-z 0.7867",
		"conform estimates EST --log-z 1 --z 2":               "--log-z and --z are both given; give one of them",
		"conform estimates EST --z 1 --toy easy":              "--z says what Z is, and --toy is about the Z of a toy; leave one of them out",
		"conform estimates EST --log-z 1 -T 5":                "--log-z says what Z is, and --distributions is about the Z of a toy",
		"conform estimates EST --log-z 1 --log-z-included":    "and --log-z-included is about the Z of a toy",
		"conform estimates EST --log-z 1 --claim law:ns:9":    `the claim "law:ns:9" is about the model, which the number --log-z does not tell; give a toy`,
		"conform estimates EST --log-z nan":                   `"nan" is no number`,
		"conform estimates EST --log-z -inf":                  `"-inf" is no number`,
		"conform estimates EST --z 0":                         "0 is not positive and finite",
		"conform estimates EST --log-z 1 --claim consistent":  "consistent is called within",
		"conform estimates EST --toy easy,hard":               "2 annealings; a task is one",
		"conform estimates none.csv --toy easy":               "none.csv: no such file",
		"conform estimates EST --toy easy --claim surely":     `unknown claim "surely"; choices: unbiased, reciprocal-unbiased, lower, upper,`,
		"conform estimates EST --toy easy --claim law:ns":     "the distribution of ns depends on a setting that the selector does not have, for example K=2",
		"conform estimates EST --toy easy --claim within:0":   "a distance of 0 nats; give a positive one",
		"conform estimates EST --toy bin4 --claim law:ais":    "the distribution of ais depends on a setting",
		"conform estimates SE --toy easy --claim calibrated":  "the standard error of estimate 1 is -1; a standard error is a finite number from 0 on, in nats",
		"conform estimates EST --toy easy --claim calibrated": "it has no column se, the standard errors of log_z",
		"conform run TASK":                                    "no program; write the folder of the task, then -- and the program",
		"conform run TASK python3":                            "no program; write the folder of the task, then -- and the program",
		"conform run none -- python3":                         "none is not the folder of a task",
		"conform run TASK --chains 0 -- python3":              "--chains 0; give the number of chains at which to stop",
		"conform run TASK -- /no/such/program":                "check the path of the program",
	} {
		replaced := strings.NewReplacer("TASK", of.dir, "FWD", right, "EST", in(t, "z.csv", "log_z\n0.5\n"), "SE", in(t, "se.csv", "log_z,se\n0.5,0.1\n0.5,-1\n"))
		code, _, stderr := command(t, strings.Fields(replaced.Replace(line))...)
		if wantCode := exitBadInput; want != "" && (code != wantCode || !strings.Contains(stderr, replaced.Replace(want))) {
			t.Errorf("%s: exit code %d, %q has no %q", line, code, stderr, want)
		}
	}
}

// TestEstimatesOfANumber: if Z is given as a number, or as its logarithm, estimates get the verdict
// that they get with a toy of that Z and the same largest estimate. Without one only means that are
// too high are found.
func TestEstimatesOfANumber(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	for i, off := range []float64{0, 0.4, -0.4, 700, -700} {
		var b strings.Builder
		b.WriteString("log_z\n")
		for i := range 1000 { // on average 1 times e to the power of off
			fmt.Fprintf(&b, "%v\n", math.Log(0.5+float64(i*7%1000)/1000)+1+off)
		}
		path := in(t, "z.csv", b.String())
		claims := []string{"unbiased", "lower", "upper", "within:0.8"}
		if !longtest.More() {
			claims = claims[i%len(claims):][:1]
		}
		for _, claim := range claims {
			common := []string{"conform", "estimates", path, "--claim", claim, "--format", "csv", "--columns", "log10_e,verdict", "--largest",
				fmt.Sprint(1.5 + max(0, off))}
			byToy, want, _ := command(t, append(common, "--toy", "cells:1", "-T", "2")...)
			for _, z := range [][]string{{"--log-z", "1"}, {"--z", fmt.Sprint(math.E)}} {
				if code, got, said := command(t, append(common, z...)...); code != byToy || got != want {
					t.Errorf("%v, claim %s, off by %v: exit code %d, %s, not %d, %s: %s", z, claim, off, code, got, byToy, want, said)
				}
			}
		}
		code, _, said := command(t, "conform", "estimates", path, "--log-z", "1")
		if found := code == exitFault; found != (off > 0) || !strings.Contains(said, "without a largest value of the estimates") {
			t.Errorf("case %d, off by %v: exit code %d: %s", i, off, code, said)
		}
	}
}

// TestConformEstimates: estimates are tested without the folder of a task, from a file and from
// standard input, and of what passes people see one line of results.
func TestConformEstimates(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	c := child(t, "conform", "estimates", "-", "--toy", "random:2:1:2x2", "--claim", "within:2")
	c.Stdin = strings.NewReader("log_z\n0.1\n0.2\n")
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "2 estimates of standard input were read") {
		t.Errorf("%v: %s", err, out)
	}
	exact, _ := ok(t, "toys", "show", "random:2:1:2x2", "--format", "json")
	state := parseRows(t, exact)[0]
	logZ := state["g"].(float64) - math.Log(state["p"].(float64)) - math.Log(4) // p = exp(g) / Z_T, and Z_1 = 4
	rows := func(off float64) string {
		var b strings.Builder
		b.WriteString("log_z,se\n")
		for i := range 600 { // the quantiles of a normal distribution, in another order
			p := (float64(i*7%600) + 0.5) / 600
			fmt.Fprintf(&b, "%v,0.5\n", logZ+off+0.5*math.Sqrt2*math.Erfinv(2*p-1))
		}
		return in(t, "z.csv", b.String())
	}
	for _, c := range []struct {
		claim string
		off   float64
		fault bool
		says  string
	}{
		{"calibrated", 0, false, "(log Zhat - log Z) / se has the mean"},
		{"calibrated", 0.3, true, "estimates, 300 expected"},
		{"within:0.9:0.8", 0, false, "P(log Zhat is within 0.9 nats of log Z) below"},
		{"within:0.3:0.8", 0, true, "at least 480 expected"},
	} {
		code, stdout, stderr := command(t, "conform", "estimates", rows(c.off), "--toy", "random:2:1:2x2", "--claim", c.claim)
		want, lines := exitDone, 1
		if c.fault {
			want, lines = exitFault, 4
		}
		if code != want || !strings.Contains(strings.Join(strings.Fields(stdout+stderr), " "), c.says) || strings.Count(stdout, "\n") < lines || !c.fault &&
			strings.Count(stdout, "\n") > 1 {
			t.Errorf("%s, off by %v: exit code %d\n%s\n%s", c.claim, c.off, code, stdout, stderr)
		}
	}
}

// TestConformStream: chains come from standard input as well. After Ctrl-C in the midst of an
// endless stream what was found in the rows until then is printed.
func TestConformStream(t *testing.T) {
	longtest.Only(t)
	of := implement()
	rows := text(of.reverse, same)
	c := child(t, "conform", "check", of.dir, "--stdin", "reverse")
	c.Stdin = strings.NewReader(rows)
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "reverse: 4000 chains of standard input were read") {
		t.Errorf("%v: %s", err, out)
	}
	if !longtest.Enabled() {
		return
	}
	c = child(t, "conform", "check", of.dir, "--stdin", "reverse", "-v")
	stdin := longtest.Must(c.StdinPipe())(t)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	longtest.NoError(t, c.Start())
	_, body, _ := strings.Cut(rows, "\n")
	if _, err := fmt.Fprint(stdin, rows, strings.Repeat(body, 5)); err != nil { // a pipe holds less, so that rows have been read
		t.Fatal(err)
	}
	_ = c.Process.Signal(syscall.SIGINT)
	if code := ends(c); code != exitInterrupted || !strings.Contains(out.String(), "reverse outcomes") ||
		!strings.Contains(errs.String(), "interrupted: what follows is about the rows that were read until then") ||
		!strings.Contains(errs.String(), "chains of standard input were read") || strings.Contains(errs.String(), byForce) {
		t.Errorf("exit code %d\n%s\n%s", code, out.String(), errs.String())
	}
}

// TestConformRun: a program that draws the chains passes, one with a bug ends with exit code 1 and
// the name of the bug, and so does one that prints what it should not.
func TestConformRun(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	longtest.Only(t)
	of := implement()
	program := func(text string) string { return in(t, "my_ais.py", text) }
	right, bug := program(myAIS(t, false)), program(myAIS(t, true))
	if _, stderr := ok(t, "conform", "run", of.dir, "--chains", "1024", "--", "python3", right, "--task", of.dir, "--serve"); strings.Contains(stderr,
		"behind --") || !strings.Contains(stderr, "no fault was found") ||
		!strings.Contains(stderr, "reverse: 1024 chains of Metropolis in plain Python were read") {
		t.Error(stderr)
	}
	junit := filepath.Join(t.TempDir(), "annealing.xml")
	code, stdout, stderr := command(t, "conform", "run", of.dir, "--junit", junit, "--", "python3", bug, "--task", of.dir, "--serve")
	if code != exitFault || !strings.Contains(stdout, "likeliest") ||
		!strings.Contains(stderr, `forward: "proposals off the edge are drawn again" explains what was sent`) || strings.Contains(stderr, " 131072 chains") {
		t.Errorf("exit code %d\n%s\n%s", code, stdout, stderr)
	}
	failures := string(longtest.Must(os.ReadFile(junit))(t)) // each names the bug, and the threshold of the e-value stands once
	if n := strings.Count(failures, "<failure message="); n == 0 ||
		n != strings.Count(failures, "<failure message=\"known mistake &#34;proposals off the edge are drawn again&#34;: after ") ||
		strings.Count(failures, "a fault if the e-value") != 1 {
		t.Error(failures)
	}
	_, _, stderr = command(t, "conform", "run", of.dir, "--", "python3", right, "--task", of.dir, "--out", "there", "--columns=3")
	if want := "--out and --columns behind -- go to the program; where breadboard is meant, write them before --"; !strings.Contains(stderr, want) {
		t.Errorf("no %q in %s", want, stderr)
	}
	for text, want := range map[string]string{
		"print('hello')":                                                        `its line "hello" is not understood`,
		"import sys\nsys.exit('it is Monday')":                                  "it is Monday",
		"print('{\"sampler\": \"x\"}', flush=True)\nprint(input())":             `is not understood: json: unknown field "direction"`,
		strings.Replace(myAIS(t, false), `"x_last": [last`, `"x_last": [99`, 1): "x_last[0] is 99, which is outside 0..8",
	} {
		path, exit := program(text), exitFault
		if strings.Contains(text, "Monday") {
			exit = exitBadInput // it ends before it has said anything, as where Python does not find the script
		}
		code, stdout, stderr := command(t, "conform", "run", of.dir, "--", "python3", path, "--task", of.dir, "--serve")
		// a slow machine may say before that it waits
		if code != exit || stdout != "" || !strings.Contains(stderr, want) || strings.Count("\n"+stderr, "\nbreadboard: ") != 1 {
			t.Errorf("%.40q: exit code %d, no %q in\n%s\n%s", text, code, want, stdout, stderr)
		}
	}
}

// myAIS returns the program that the README calls my_ais.py: the example in plain Python, with or
// without a bug, by which a proposal into a wall is drawn again.
func myAIS(t *testing.T, bug bool) string {
	t.Helper()
	text := longtest.Must(os.ReadFile("../../experiments/checks/conform/examples/ais.py"))(t)
	if !bug {
		return string(text)
	}
	const proposal = "        y = rng.choice(self.neighbours[x])\n"
	if strings.Count(string(text), proposal) != 1 {
		t.Fatal("ais.py has changed; plant the bug in what it is now")
	}
	return strings.Replace(string(text), proposal, "        y = rng.choice([y for y in self.neighbours[x] if y >= 0])\n", 1)
}
