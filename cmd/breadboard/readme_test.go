package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"breadboard/grid/longtest"
)

// lighter says what is run instead of a command of a document that takes long. If it is empty only
// the flags of the command are read.
func lighter() map[string]string {
	const program = `"exec:python3 experiments/programs/examples/choose.py"`
	const examine = "kernel check " + program + " --toy barrier:3x3 --beta 1 -T 3"
	return map[string]string{
		"tightness":               "tightness -T 10", // TestDefaultTable runs it as it stands
		"tightness --out results": "tightness -T 10,100 --out results",
		"tightness --out figures": "tightness -T 10,100 --out figures",
		"serve":                   "", "serve --port 9000": "", // they end when they are interrupted
		// the tests of the page in a browser run it, as here is no page to copy
		"serve --export site":                                "",
		"ais --toy barrier":                                  "ais --toy barrier -T 10",
		"ais --toy barrier -T 12 --check":                    "ais --toy random:1:1:2x2 -T 3 --chains 1000 --check",
		"schedule compare":                                   "schedule compare --toy barrier:3x3 -T 5",
		"schedule optimize --toy easy -T 1000 --objective J": "schedule optimize --toy easy -T 5 --objective J",
		"smc --toy barrier --particles 10,100,1000":          "smc --toy barrier:3x3 -T 5 --particles 10,100",
		"tightness --certify":                                "tightness -T 10 --certify",
		"smc gibbs --observations 10 --particles 2,4,8,16":   "smc gibbs --observations 3 --particles 2,4,8,16",
		"tightness --toy quotient:values:ising:5x5:0.4406867935097715:torus --kernel flip -T 100": "tightness --toy quotient:values:ising:3x3:0.4406867935097715:torus --kernel flip -T 100",
		"policy best --toy ising:3x3:0.6 --policy masked:local:c --vary c=0:2":                    "policy best --toy ising:2x2:0.6 --policy masked:local:c --vary c=0:2",
		"reproduce aide bimodal --meta 1":                                                         "reproduce aide bimodal --meta 1 --particles 1",
		"tightness --toy quotient:values:ising:4x4:0.6 --initial tempered:0.3333333333333333 --kernel " +
			"wolff -T 161": "tightness --toy quotient:values:ising:3x3:0.6 --initial " +
			"tempered:0.3333333333333333 --kernel wolff -T 11",
		"kernel check swendsen-wang --toy quotient:values:ising:4x4:0.6 --beta 0.3333333333333333,1": "kernel check swendsen-wang --toy quotient:values:ising:3x3:0.6 --beta 0.3333333333333333,1",
		// TestBreakagesChangeTheirVerdicts judges all
		"reproduce":                             "reproduce --id bread-1,bread-7",
		`reproduce --verdict "printed wrongly"`: `reproduce --id bread-7 --verdict "printed wrongly"`,
		// of a paper without figures
		"reproduce --effort slow --out papers":    "reproduce --id meta-16 --out papers",
		"subjective --toy barrier":                "subjective --toy barrier -T 10",
		"kernel check " + program + " --toy easy": examine, "kernel check " + program: examine,
		"tightness --kernel " + program + " --toy easy -T 100": "tightness --kernel " + program +
			" --toy barrier:3x3 -T 3",
		// it chooses this one
		"conform spec --powerful --out task": "conform spec --toy easy -T 4 --schedule power:2 --out task",
		"conform spec --out task":            "conform spec -T 4 --out task",
		"conform run task -- python3 experiments/checks/conform/examples/ais.py --task task --serve": "conform run task --most 2000 -- python3 experiments/checks/conform/examples/ais.py --task task --serve",
	}
}

// faulty are commands that find the bug in my_ais.py or coupled.py, or test what is wrong on
// purpose, and end with the exit code of a fault.
func faulty() []string {
	return []string{
		"kernel check matrix:kernel.csv --toy file:target.csv --strict",
		"conform draws draws.csv --toy file:target.csv",
		"conform draws drawn/network_samples.csv --toy ising:2x2:0.6",
		"conform check task --forward fwd.csv --reverse rev.csv",
		"conform vectors answers.json",
		"conform run task -- python3 my_ais.py --task task --serve",
		`kernel check "exec:python3 coupled.py 4" --toy random:2:7:3x3 --beta 1`,
		"conform estimates wrong.csv --toy random:2:0:3x3 --claim law:ns:10:label:exp",
	}
}

// fromPython finds a file that a program in Python of a document writes.
var fromPython = regexp.MustCompile(`\b(right|walk|draws|gibbs_\d|(chain|draws)_ann)\.csv\b`)

// lastVaries are the commands whose last column is an error bound or has nine digits, which another
// processor may round in another way. It is not compared.
func lastVaries() []string {
	return []string{
		"weights --toy barrier -T 100 --samples 1,10,100,1000",
		"schedule compare --toy barrier -T 100 --schedule linear,sigmoid,fisher,friction,best:B,best:J",
	}
}

// elision stands in a document for lines that are left out. If it does the output is that of a
// terminal: the results and then the messages.
const elision = "..."

// shown is a command line of a document. Where its output is shown too, that are the lines from
// from to before to.
type shown struct {
	command  string // without breadboard, or with python3 or curl
	prefix   string // what stands before each line of the output
	output   bool
	from, to int
}

var (
	// what stands behind a command, at least two blanks on
	comment = regexp.MustCompile(`\s{2,}\S.*$`)
	// a command in a table of the README
	shownIn = regexp.MustCompile("^\\|[^|]*\\| `(breadboard [^`]+)` \\|")
	word    = regexp.MustCompile(`"[^"]*"|\S+`)
	// a program that stands in the document
	python = regexp.MustCompile(`^(python3 [\w/]+\.py|Rscript \w+\.R|sh \w+\.sh)( |$)`)
	asks   = regexp.MustCompile(`^curl .*:8642/`) // a question to a bench
)

// callOf returns what a line calls the program with.
func callOf(line string) (args string, is bool) {
	line = strings.TrimPrefix(comment.ReplaceAllString(line, ""), "PYTHONPATH=python ")
	if python.MatchString(line) || asks.MatchString(line) {
		return line, true
	}
	for _, how := range []string{"breadboard", "go run ./cmd/breadboard"} {
		if args, is := strings.CutPrefix(line, how+" "); is {
			return strings.TrimSpace(args), true
		}
	}
	return "", false
}

// codeOf returns the line of a block of code that stands on a line of a document: one of Markdown
// that is indented or in a fence of a console, or one of a comment of Go behind a tab. It is not
// for the lines of other fences.
func codeOf(doc, line string, fence string) (code, prefix string, is bool) {
	switch {
	case strings.HasSuffix(doc, ".go"):
		code, is = strings.CutPrefix(line, "//\t")
		return code, "//\t", is
	case doc == "../../README.md" && shownIn.MatchString(line):
		return shownIn.FindStringSubmatch(line)[1], "", true
	case fence != "":
		return line, "", fence == "console"
	}
	code, is = strings.CutPrefix(line, "    ")
	return code, "    ", is
}

// commandsOf returns the command lines of a document, and the other lines of code that are no
// output.
func commandsOf(doc string, lines []string) (commands []shown, others []string) {
	fence := ""
	var last *shown
	for i, line := range lines {
		if mark, is := strings.CutPrefix(line, "```"); is && !strings.HasSuffix(doc, ".go") {
			if fence != "" {
				fence = ""
			} else if fence = mark; fence == "" {
				fence = "text"
			}
			last = nil
			continue
		}
		code, prefix, is := codeOf(doc, line, fence)
		if !is {
			last = nil
			continue
		}
		call, output := strings.CutPrefix(code, "$ ")
		args, is := callOf(call)
		switch {
		case output && !is:
			others = append(others, call)
			last = nil
		case output || is && last == nil:
			commands = append(commands, shown{command: args, prefix: prefix, output: output, from: i + 1, to: i + 1})
			last = nil
			if output {
				last = &commands[len(commands)-1]
			}
		case last != nil:
			last.to = i + 1
		default:
			others = append(others, code)
		}
	}
	return commands, others
}

// documents returns the files in which command lines stand, from here: Markdown, and the comments
// of packages.
func documents(t *testing.T) []string {
	t.Helper()
	docs := []string{"main.go"}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() &&
			(entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".git")) {
			return filepath.SkipDir
		}
		if name := entry.Name(); err != nil || strings.HasSuffix(name, ".md") && name != "CHANGELOG.md" {
			docs = append(docs, path)
		} else if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			if text := longtest.Must(os.ReadFile(path))(t); bytes.Contains(text, []byte("\n// Package ")) ||
				bytes.HasPrefix(text, []byte("// Package ")) {
				docs = append(docs, path)
			}
		}
		return err
	})
	longtest.NoError(t, err)
	return docs
}

// TestDocuments runs every command line that a document shows, in the order of the document and in
// a folder of its own, as a reader would in a clone, and holds the outputs that are shown to what
// the program prints. With -update it writes them anew.
func TestDocuments(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	outputs := 0
	module := []string{"PYTHONPATH=" + longtest.Must(filepath.Abs("../../python"))(t),
		"PYTHONPYCACHEPREFIX=" + filepath.Join(sharedFolder(), "compiled"), "PYTHONDONTWRITEBYTECODE="}
	for _, doc := range documents(t) {
		text := longtest.Must(os.ReadFile(doc))(t)
		lines := strings.Split(string(text), "\n")
		commands, _ := commandsOf(doc, lines)
		if len(commands) == 0 {
			continue
		}
		name := inClone(doc)
		t.Run(name, func(t *testing.T) {
			r := reader{
				dir:    clone(t, string(text)),
				module: module,
				python: pythonFor(string(text)),
				needed: strings.Contains(string(text), "import numpy"),
			}
			if slices.ContainsFunc(commands, func(c shown) bool { return asks.MatchString(c.command) }) {
				r.bench = serveBench(t)
			}
			updated := []string(nil)
			done := 0
			for _, c := range commands {
				got, messages, whole := r.follow(t, c)
				if !c.output || !whole {
					continue
				}
				outputs++
				if document := tidied(c, lines[c.from:c.to]); slices.Contains(document, elision) {
					if all := append(tidied(c, got), messages...); !leftOut(document, all) {
						t.Errorf("breadboard %s prints\n%s\nand %s leaves lines out of something else\n"+
							"%s\n(nothing writes it anew)",
							c.command, strings.Join(all, "\n"), doc, strings.Join(document, "\n"))
					}
					continue
				}
				updated = append(updated, lines[done:c.from]...)
				done = c.to
				for _, line := range got {
					updated = append(updated, strings.TrimRight(c.prefix+line, " "))
				}
				if !*update && !sameOutput(c, lines[c.from:c.to], got) {
					t.Errorf("breadboard %s prints\n%s\nand %s shows\n%s\n(go test ./cmd/breadboard -run "+
						"Documents -update writes it anew)",
						c.command, strings.Join(got, "\n"), doc, strings.Join(lines[c.from:c.to], "\n"))
				}
			}
			if *update {
				writeFile(t, doc, strings.Join(append(updated, lines[done:]...), "\n"))
			}
		})
	}
	if outputs == 0 {
		t.Error("no document shows an output")
	}
}

// inClone returns the name of a document in a clone.
func inClone(doc string) string {
	if doc == "main.go" {
		return "cmd/breadboard/main.go"
	}
	return strings.TrimPrefix(filepath.ToSlash(doc), "../../")
}

// clone returns a new folder with what the commands of a document find in a clone, and the sweep
// that it describes, or one.
func clone(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, where := range []string{
		"python", "experiments/programs", "experiments/checks/conform", "experiments/particles/smc"} {
		examples := where + "/examples"
		longtest.NoError(t, os.CopyFS(filepath.Join(dir, examples), os.DirFS("../../"+examples)))
	}
	for name, program := range map[string]string{"my_kernel.py": myKernel(), "my_ais.py": myAIS(t, true)} {
		writeFile(t, filepath.Join(dir, name), program)
	}
	programs := map[string]string{}
	for _, block := range regexp.MustCompile(
		"(?s)```(?:python\n#|sh\n#|r\n#|text\n#|toml\n#|ising\n#|bif\n//) ([\\w.]+\\.\\w+)\n(.*?)```",
	).
		FindAllStringSubmatch(text, -1) {
		programs[block[1]] = block[2]
	}
	for name, program := range programs {
		writeFile(t, filepath.Join(dir, name), program)
	}
	for _, name := range []string{
		"faithful.csv", "schools_1.csv", "schools_2.csv", "schools_3.csv", "schools_4.csv", "posterior.csv"} {
		writeFile(t, filepath.Join(dir, name), string(longtest.Must(os.ReadFile("testdata/"+name))(t)))
	}
	for name, lines := range map[string]string{
		"target.csv": "0,1,0\n2,0,1\n", "logz.csv": "log_z\n2.2\n2.3\n", "kernel.csv": identity(6)} {
		writeFile(t, filepath.Join(dir, name), lines)
	}
	specs := []string{"[grid]\ntoy = ['easy']\nT = [10]\n"}
	if blocks := regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(text, -1); blocks != nil {
		specs = nil
		for _, block := range blocks {
			specs = append(specs, block[1])
		}
	}
	for i, name := range []string{"grid.toml", "own.toml"} {
		// in the order in which a document shows them
		if i < len(specs) {
			writeFile(t, filepath.Join(dir, name), specs[i])
		}
	}
	return dir
}

// identity returns the matrix of a kernel on n states that never moves, as CSV.
func identity(n int) string {
	var b strings.Builder
	for i := range n {
		row := slices.Repeat([]string{"0"}, n)
		row[i] = "1"
		b.WriteString(strings.Join(row, ",") + "\n")
	}
	return b.String()
}

// pythonFor returns a Python that can run the programs of a document, and "" if there is none. One
// without NumPy runs those that do not need it.
func pythonFor(text string) string {
	if strings.Contains(text, "import numpy") {
		return pythonWithNumPy()
	}
	return slices.Concat(pythons(), []string{""})[0]
}

// reader runs the commands of one document.
type reader struct {
	dir string // where he is
	// variables of Python: where the module is, and that it is compiled once for all documents
	module []string
	python string // the Python for its programs, "" if there is none
	needed bool   // whether other commands need what these programs write
	bench  string // the address of a bench, for the questions of curl
}

// follow runs a command of a document, or what stands for it, and returns the lines of its output
// and its messages. It is whole where the command was run as it stands. Commands that
// need a Python that is not there have their flags read and no more.
func (r reader) follow(t *testing.T, c shown) (lines, messages []string, whole bool) {
	t.Helper()
	run, light := lighter()[c.command]
	whole = !light
	if whole {
		run = c.command
	}
	if asks.MatchString(run) {
		return curl(t, run, r.bench, r.dir), nil, true
	}
	// half a minute; test_floats.py asks the same of some formulas
	later := run == "python3 formulas.py" && !longtest.More() && !*update
	script, is := strings.CutPrefix(run, "python3 ")
	if is || strings.HasPrefix(run, "sh ") { // a script marks what programs in Python have written
		if r.python == "" || later {
			return nil, nil, false
		}
		self := longtest.Must(os.Executable())(t)
		p := exec.Command(r.python, strings.Fields(script)...)
		if !is {
			p = exec.Command("sh", strings.Fields(run)[1:]...)
		}
		p.Dir, p.Env = r.dir, append(os.Environ(), asCommand+"=1", "BREADBOARD="+self)
		p.Env = append(p.Env, r.module...)
		out, err := p.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", run, err, out)
		}
		logProcessor(t, p, run)
		return linesOf(string(out)), nil, true
	}
	if args, is := strings.CutPrefix(run, "Rscript "); is {
		if p := inR(t, strings.Fields(args)...); p != nil {
			p.Dir = r.dir
			out, err := p.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v: %s", run, err, out)
			}
			return linesOf(string(out)), nil, true
		}
		return nil, nil, false
	}
	python := r.needed || strings.Contains(run, "python3 ") || strings.Contains(run, " own.toml") ||
		fromPython.MatchString(run) || slices.Contains(faulty(), run)
	run, to, writesFile := strings.Cut(run, " > ")
	args := wordsOf(run)
	if run == "" || r.python == "" && python {
		before, _, _ := strings.Cut(c.command, " > ")
		before, _, _ = strings.Cut(before, " -- ")
		flagsAreRead(t, wordsOf(before))
		return nil, nil, false
	}
	alone := !writesFile && !writes.MatchString(run) && !(c.output && slices.ContainsFunc(args, r.namesFile))
	if kept, there := printedBefore[run]; there && alone {
		return kept.lines, kept.messages, whole
	}
	var stdout, stderr strings.Builder
	p := child(t, args...)
	p.Env = append(p.Env, r.module...)
	p.Dir = r.dir
	p.Stdout = &stdout
	p.Stderr = &stderr
	if err := p.Run(); p.ProcessState == nil {
		t.Fatal(err)
	}
	logProcessor(t, p, run)
	want := exitDone
	if slices.Contains(faulty(), run) {
		want = exitFault
	}
	if code := p.ProcessState.ExitCode(); code != want {
		t.Fatalf("breadboard %s: exit code %d\n%s", run, code, stderr.String())
	}
	if to != "" {
		writeFile(t, filepath.Join(r.dir, to), stdout.String())
	}
	lines, messages = linesOf(stdout.String()), linesOf(stderr.String())
	if alone {
		printedBefore[run] = printed{lines, messages}
	}
	return lines, messages, whole
}

// logProcessor says which time of a processor a command line has taken.
func logProcessor(t *testing.T, p *exec.Cmd, line string) {
	t.Logf("%.2f s: %s", (p.ProcessState.UserTime() + p.ProcessState.SystemTime()).Seconds(), line)
}

// writes finds in a command line that later ones may need what it writes.
var writes = regexp.MustCompile(` --out | --save-data | > `)

// printed is what a command line has printed.
type printed struct{ lines, messages []string }

// printedBefore has the outputs of command lines that write no file. Where a document shows one,
// the line names no file either, so that the output is the same in every document. The documents
// are read one after the other.
var printedBefore = map[string]printed{}

// namesFile reports whether a word of a command line names a program, or a file or folder where the
// reader is.
func (r reader) namesFile(word string) bool {
	return strings.HasPrefix(word, "exec:") || slices.ContainsFunc(strings.FieldsFunc(word,
		func(c rune) bool { return strings.ContainsRune(",:=#", c) }), func(part string) bool {
		_, err := os.Stat(filepath.Join(r.dir, part))
		return err == nil
	})
}

// wordsOf returns the words of a command line, without their quotes.
func wordsOf(line string) []string {
	words := word.FindAllString(line, -1)
	for i, w := range words {
		words[i] = strings.Trim(w, `"`)
	}
	return words
}

// flagsAreRead fails if there is no command of these words, or it has not these flags.
func flagsAreRead(t *testing.T, words []string) {
	t.Helper()
	c, rest, err := (&app{args: words}).rootCommand().Find(words)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err != nil && !errors.Is(err, pflag.ErrHelp) {
		t.Errorf("breadboard %s: %v", strings.Join(words, " "), err)
	}
}

// linesOf returns the lines of an output; none if it is empty.
func linesOf(text string) []string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// leftOut reports whether a document shows what a terminal does, with lines left out where an
// elision stands. What stands between two elisions is in the output as it stands, in this order;
// what stands before the first one is its beginning, and what stands after the last one its end.
func leftOut(document, got []string) bool {
	next := 0
	begin := true
	for len(document) > 0 {
		n := slices.Index(document, elision)
		last := n < 0
		if last {
			n = len(document)
		}
		block := document[:n]
		at := next
		if last {
			at = max(next, len(got)-n)
		}
		for !begin && !last && at+n <= len(got) && !slices.Equal(block, got[at:at+n]) {
			at++
		}
		if at+n > len(got) || !slices.Equal(block, got[at:at+n]) {
			return false
		}
		next = at + n
		begin = false
		document = document[min(n+1, len(document)):]
	}
	return true
}

// sameOutput reports whether a document shows what a command prints, blanks at the ends of lines
// aside.
func sameOutput(c shown, document, got []string) bool {
	return slices.Equal(tidied(c, document), tidied(c, got))
}

// tidied returns lines of an output without what stands before and after them, and without a last
// column that varies.
func tidied(c shown, lines []string) (out []string) {
	for _, line := range lines {
		line = strings.TrimPrefix(line, c.prefix)
		if slices.Contains(lastVaries(), c.command) {
			line = line[:max(0, strings.LastIndex(line, "│"))]
		}
		out = append(out, strings.TrimRight(line, " "))
	}
	return out
}

// TestREADME holds the rest of the README to what there is: other commands are those that everybody
// knows, code stands in an example that is run, files that it links are there, and commands in the
// text have the flags that it gives them.
func TestREADME(t *testing.T) {
	text := longtest.Must(os.ReadFile("../../README.md"))(t)
	readme := string(text)
	if n := len(readme); n > 8000 {
		t.Errorf("it has %d bytes; a README of 8 kB is read", n)
	}
	published := strings.Join(strings.Fields(pageOf("published")), " ")
	for _, count := range regexp.MustCompile(`\d+ checks of \d+|\d+ of these faults`).FindAllString(published, -1) {
		if !strings.Contains(readme, count) {
			t.Errorf("it lacks %q of the page published", count)
		}
	}
	_, others := commandsOf("README.md", strings.Split(readme, "\n"))
	for _, line := range others {
		line = comment.ReplaceAllString(line, "")
		if !slices.Contains([]string{"go build ./cmd/breadboard", "export PATH=$PWD:$PATH PYTHONPATH=$PWD/python",
			"go test ./...", "go test -v -run TestPlanted ./experiments/... -long"}, line) {
			t.Errorf("nothing here runs %q", line)
		}
	}
}

// TestPages holds the text of the README and of the pages of help to what there is: a program in
// Go is that of an example that is run, and the commands in the text exist.
func TestPages(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	program := longtest.Must(os.ReadFile("../../exact/examples/module/main.go"))(t)
	tests := longtest.Must(os.ReadFile("../../exact/examples/module/main_test.go"))(t)
	files := []string{"../../README.md"}
	for _, topic := range topics() {
		if topic.name == "licences" {
			continue // it is no page of ours
		}
		files = append(files, "topics/"+topic.name+".md")
		if _, _, err := (&app{}).rootCommand().Find([]string{topic.name}); err == nil {
			t.Errorf("the topic %s is a command, whose help it hides", topic.name)
		}
		whole := []string{"help", topic.name}
		if topic.name == referencePage {
			whole = append(whole, "all")
		}
		if stdout, _ := ok(t, whole...); strings.TrimSpace(stdout) != pageOf(topic.name) {
			t.Errorf("help %s is not its page", topic.name)
		}
		if stdout, _ := ok(t, "help", "topics"); !strings.Contains(stdout, topic.name) {
			t.Errorf("help topics does not list %s", topic.name)
		}
	}
	if pages, err := filepath.Glob("topics/*.md"); err != nil || len(pages)+1 != len(topics()) {
		t.Errorf("%d pages and %d topics, %v", len(pages), len(topics()), err)
	}
	blocks := 0
	asked := map[string]bool{}
	for _, file := range files {
		text := longtest.Must(os.ReadFile(file))(t)
		page := string(text)
		for _, block := range regexp.MustCompile(
			"(?s)```go\n(.*?)```\n\n```\n(.*?)```",
		).FindAllStringSubmatch(page, -1) {
			blocks++
			if block[1] != string(program) {
				t.Errorf("%s: the code is not the program of exact/examples/module", file)
			}
			if printed := strings.ReplaceAll("\n"+block[2], "\n", "\n\t// "); !strings.Contains(
				string(tests),
				strings.TrimRight(printed, "\t/ "),
			) {
				t.Errorf("%s: the program does not print\n%s", file, block[2])
			}
		}
		for _, code := range regexp.MustCompile("`breadboard ([^`]+)`").FindAllStringSubmatch(page, -1) {
			words := strings.Fields(code[1])
			if words[0] != "help" {
				words = append(slices.DeleteFunc(words, func(w string) bool { return w == "--help" }), "--help")
			} else if words[1] == "TOPIC" || words[1] == "COMMAND" {
				continue
			}
			if line := strings.Join(words, " "); !asked[line] {
				asked[line] = true
				ok(t, words...)
			}
		}
	}
	if blocks != 1 {
		t.Errorf("%d programs in Go", blocks)
	}
}
