package programs

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/selector/selectortest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestStrictLines: a line is read where its fields have the names that PROTOCOL.md gives them, each
// once.
func TestStrictLines(t *testing.T) {
	for line, want := range map[string]string{
		`{"state":3,"id":1}`:           "",
		` { "state" : 3 , "id" : 1 } `: "",
		`{"choose":[0.5,null,0.5]}`:    "",
		`{"STATE":3,"id":1}`: `it has the unknown field "STATE"; write the names of ` +
			`fields as in PROTOCOL.md`,
		`{"\u0073tate":3}`:                   `it has the unknown field "\\u0073tate"`,
		`{"state":3,"state":4}`:              `it has the field "state" twice`,
		`{"state" :3,"id":1, "id"` + "\t:1}": `it has the field "id" twice`,
		`{"state":3,"State":4}`:              `it has the unknown field "State"`,
		`{"state":3}{"state":3}`:             "there is more than one value",
		`{"stat":3}`:                         `unknown field "stat"`,
		`{"state":3`:                         "unexpected EOF",
	} {
		checkStrict(t, line, &step{}, want)
	}
	type counts struct {
		Counts map[string]int `json:"counts"`
	}
	checkStrict(t, `{"counts":{"3":1,"counts":2}}`, &counts{}, "")
	checkStrict(t, `{"counts":{"3":1,"3":2}}`, &counts{}, `it has the field "3" twice`)
	checkStrict(t, `{"counts":{"1":1,"2":2,"3":3,"4":4,"5":5,"6":6}}`, &counts{}, "")
	checkStrict(t, `{"counts":{"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"5":5}}`, &counts{}, `it has the field "5" twice`)
	checkStrict(t, `{"kernel":"a \" \\","mode":"choose"}`, &hello{}, "")
	checkStrict(t, `{"kernel":"mode\\","mode":"{","mode":"choose"}`, &hello{}, `it has the field "mode" twice`)
}

func checkStrict(t *testing.T, line string, answer any, want string) {
	t.Helper()
	err := decodeStrictly([]byte(line), answer)
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("%s: %v, want %q", line, err, want)
	}
}

func TestForms(t *testing.T) {
	file := longtest.File(t, "m.csv", "0.5,0.5,0,0\n0.5,0.5,0,0\n0,0,1,0\n0,0,0,1\n")
	selectortest.Run(t, selectortest.Check[Env, *chains.Transitions]{
		Set:      Forms(),
		Env:      Env{Space: grid.MustNew(2, 2)},
		Examples: map[string]string{"matrix": "matrix:" + file},
		Skip:     []string{"exec"}, // a program is started
		Name:     func(k *chains.Transitions) string { return fmt.Sprint(k) },
		Same:     func(a, b *chains.Transitions) bool { return reflect.DeepEqual(a, b) },
	})
}

// FuzzParseKernel: what the library reads is read alike, and what it does not read is refused if no
// file is named.
func FuzzParseKernel(f *testing.F) {
	for _, text := range append(Forms().Listing.Syntaxes(), "lazy:0.5:matrix:m.csv", "exec:", "matrix:",
		"mixture:1*moore+1e+6*stay") {
		f.Add(text)
	}
	space := grid.MustNew(2, 3)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(text, "matrix:") && len(text) > len("matrix:") {
			return // reads what it names
		}
		k, err := parseKernel(text, space)
		want, wrong := kernels.Parse(text, space)
		if (err == nil) != (wrong == nil) || err == nil && !reflect.DeepEqual(k.Kernel(), want) {
			t.Errorf("%q is %v (%v), of the library %v (%v)", text, k, err, want, wrong)
		}
	})
}

// TestMissingProgram: a command that the system does not start says what to look at.
func TestMissingProgram(t *testing.T) {
	for _, name := range []string{"/no/such/program", "no-such-program-anywhere"} {
		longtest.Refuses(startProcess(context.Background(), command{name, []string{name}}, limits{
			DefaultDeadline, DefaultDeadline, maxLine}, &meter{}, watch{}))(t,
			"check the path")
	}
}

// TestLastWords: the end of a traceback can be read in one line, is not long, and has nothing that
// a terminal obeys.
func TestLastWords(t *testing.T) {
	traceback := strings.Repeat("  File \"kernel.py\", line 3, in serve\n    answer(request)\n    ^^^^~~~~^^^^^^^\n",
		9) +
		"  File \"kernel.py\", line 13, in move\n    d = logff[y]\n        ^^^^^\nNameError: name 'logff' " +
		"is not defined\n"
	for _, c := range []struct{ written, want string }{
		{"", `""`},
		{"\n ^^^ \n", `""`},
		{"the last words\n", `"the last words"`},
		{"one\r\ntwo", `"one | two"`},
		{traceback[len(traceback)-120:],
			`"File "kernel.py", line 13, in move | d = logff[y] | NameError: name 'logff' is not defined"`},
		{"a\x1b[2Jb \"c\"", `"a\x1b[2Jb \"c\""`},
		{strings.Repeat("é", 1<<10), `"` + strings.Repeat("é", mostQuoted/2) + `"`},
	} {
		if got := quotedLine(lastWords(c.written)); got != c.want {
			t.Errorf("%q: %s, want %s", c.written, got, c.want)
		}
	}
	if got := lastWords(traceback); len(got) > mostQuoted+3 ||
		!strings.HasSuffix(got, "in move | d = logff[y] | NameError: name 'logff' is not defined") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

// TestReadLine: lines are cut as bufio.Scanner cuts them, whatever their lengths are and in
// whatever pieces they come.
func TestReadLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(
			[]string{"\n", "\r", "a", "bc", strings.Repeat("d", 20), strings.Repeat("e", 79),
				strings.Repeat("f", 80), "g"},
		)).Draw(t, "text"), "")
		const longest = 80
		plain := bufio.NewScanner(strings.NewReader(text))
		plain.Buffer(nil, longest+1)
		in := bufio.NewReaderSize(iotest.HalfReader(strings.NewReader(text)), 16)
		for plain.Scan() {
			if line, err := readLine(in, longest); err != nil || string(line) != plain.Text() {
				t.Fatalf("%q, %v; want %q", line, err, plain.Text())
			}
		}
		want := plain.Err()
		if want == nil {
			want = io.EOF
		}
		if line, err := readLine(in, longest); err != want {
			t.Fatalf("%q, %v; want %v", line, err, want)
		}
	})
}

// TestFirstLine: a program has time of its own for its first line, before which it may load
// libraries, and that time is not held against it.
func TestFirstLine(t *testing.T) {
	var cost meter
	p := longtest.Must(startProcess(t.Context(), command{"padded", []string{os.Args[0], "program", "padded"}},
		limits{longtest.Patience, time.Nanosecond, maxLine}, &cost, watch{}))(t)
	defer p.close()
	if _, err := p.exchange(nil); err != nil {
		t.Error(err)
	}
	started := cost.waited
	longtest.Refuses(p.exchange(map[string]int{"move": 0}))(t, "within 1ns")
	if cost.waited <= started {
		t.Error("waiting for an answer costs nothing")
	}
}

// TestCures: for a line that is not of the protocol the error says where to print it, and for too
// many open files it does not blame permissions.
func TestCures(t *testing.T) {
	for _, line := range []string{
		"hello", "Loading model...", "# a", `debug {"probabilities":[1]}`, "'x'", "nothing"} {
		var answer struct{}
		longtest.Refused(t, decodeStrictly([]byte(line), &answer),
			"standard output belongs to the protocol; print to standard error")
	}
	var answer struct{}
	if err := decodeStrictly([]byte("{'a'"), &answer); strings.Contains(err.Error(), "protocol") {
		t.Error(err)
	}
	for err, want := range map[error]string{syscall.EMFILE: "ulimit -n", syscall.ENFILE: "ulimit -n",
		syscall.EACCES: "permission to execute", syscall.ENOENT: "the path"} {
		longtest.Refused(t, notStarted("a", &os.PathError{Op: "fork/exec", Path: "a", Err: err}), want)
		if told := notStarted("a", err).Error(); strings.Contains(told, "ulimit") != (want == "ulimit -n") {
			t.Error(told)
		}
	}
	programs := NewPrograms(t.Context(), longtest.Patience)
	for script, want := range map[string]string{
		"true":   "first line; let it answer until its standard input ends",
		"exit 3": "first line (exit status 3)"} {
		printer := longtest.Must(programs.StartPrinter([]string{"sh", "-c", script}))(t)
		longtest.Refuses(io.ReadAll(printer))(t, want)
	}
	programs.Close()
}
