package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// root is the root of the clone, from the folder of this test.
const root = "../.."

// TestPage holds the page to the checks and to the verdicts that were recorded last.
func TestPage(t *testing.T) {
	all, err := load(root)
	if err != nil {
		t.Fatal(err)
	}
	records, err := recall(root)
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(filepath.Join(root, topic))
	if err != nil {
		t.Fatal(err)
	}
	files, err := pages(string(old), all, records)
	if err != nil || len(files) != len(all)+1 {
		t.Errorf("%d files for %d packages, %v", len(files), len(all), err)
	}
	for name, text := range files {
		if got, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(got) != text {
			t.Errorf("%s does not follow from %s: go run ./.ci/verdicts -page rewrites it (%v)",
				name, recorded, err)
		}
	}
	for _, r := range records {
		if !slices.ContainsFunc(all, func(p published) bool {
			return slices.ContainsFunc(p.Checks, func(c check) bool {
				return p.name(c) == r.name && c.Verdict == r.verdict && c.opposite() == r.control
			})
		}) {
			t.Errorf("%s is recorded as %s with control %s, and no check says so", r.name, r.verdict, r.control)
		}
	}
}

// TestAdapters requires enough packages, checks and languages, and adapters of at most 40 lines,
// since users copy them.
func TestAdapters(t *testing.T) {
	all, err := load(root)
	if err != nil {
		t.Fatal(err)
	}
	checks := 0
	languages := map[string]bool{}
	for _, p := range all {
		checks += len(p.Checks)
		languages[p.Language] = true
		files, _ := filepath.Glob(filepath.Join(p.folder, "*"))
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil &&
				slices.Contains([]string{".R", ".js", ".py", ".cpp", ".c", ".go"}, filepath.Ext(file)) &&
				strings.Count(string(text), "\n") > 40 {
				t.Errorf("%s has %d lines, too many for what is copied first", file,
					strings.Count(string(text), "\n"))
			}
		}
	}
	if len(all) < 12 || checks < 24 || len(languages) < 4 {
		t.Errorf("%d packages, %d checks and %d languages; 12, 24 and 4 are required", len(all), checks,
			len(languages))
	}
}

func TestParse(t *testing.T) {
	good := "package = 'p'\nlanguage = 'R'\nversion = 'v'\n[[checks]]\nname = 'n'\nfunction = 'f'\nclaim " +
		"= 'c'\nsource = 's'\ncommand = 'a SEED'\nverdict = 'pass'\ncontrol = 'b'\nfinding = 'f'\nknown = " +
		"'k'\ntold = 'tried'\n"
	if p, err := parse([]byte(good)); err != nil || p.Checks[0].opposite() != fault {
		t.Errorf("%v, %v", p, err)
	}
	for from, to := range map[string]string{
		"'pass'": "'maybe'", "'tried'": "'heard'", "claim = 'c'": "claim = ''", "name": "nam",
		"[[checks]]": "[[check]]", "version = 'v'": "", "verdict = 'pass'": "verdict = 'fault'",
		"told": "kind = 'misuse'\ntold"} {
		if _, err := parse([]byte(strings.Replace(good, from, to, 1))); err == nil {
			t.Errorf("a file with %s in the place of %s was read", to, from)
		}
	}
}

func TestRecords(t *testing.T) {
	records := []record{{"a/b, in order", "1.2-3", pass, "512 draws", fault, "-"},
		{"a/c", "1", fault, "7 branches", pass, "64 draws"}}
	back, err := read(write(records))
	if err != nil || !slices.Equal(back, records) {
		t.Errorf("%v came back as %v, %v", records, back, err)
	}
	now := slices.Clone(records)
	now[1].verdict, now[1].version, now[0].after = pass, "2", "1024 draws"
	if lines := changes(records, now); len(lines) != 1 ||
		!strings.Contains(lines[0], "with version 2; recorded are fault, control pass with version 1") {
		t.Errorf("changes are %q", lines)
	}
	if lines := changes(records[:1], now); len(lines) != 1 ||
		!strings.Contains(lines[0], "a/c (version 2) is new") {
		t.Errorf("changes are %q", lines)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(heading + "a/b 1 pass 3_draws fault -\n")
	f.Fuzz(func(t *testing.T, text string) {
		records, err := read(text)
		if err != nil || strings.ContainsAny(text, "_\x00\v\f\r") {
			return
		}
		if back, err := read(write(records)); err != nil || !slices.Equal(back, records) {
			t.Errorf("%v came back as %v, %v", records, back, err)
		}
	})
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		output string
		code   int
		want   outcome
	}{
		{"fault: -, 1024 draws of law.csv: 0 pass, 5 fault, 0 open, and 5 notes\n rows (found after 512 draws)",
			1, outcome{fault, "512 draws"}},
		{"pass: d.txt, 50000 draws of law.csv: 1 pass, 0 fault, 0 open, and 9 notes", 0,
			outcome{pass, "50000 draws"}},
		{"open: d.txt, 5 draws of law.csv: 0 pass, 0 fault, 1 open, and 9 notes",
			0, outcome{broken, "5 draws"}},
		{"-, 4096 draws of 1 chain, easy\nare the moves those of metropolis? pass\ndo the draws represent " +
			"the target? no",
			0, outcome{pass, "4096 draws"}},
		{"-, 4096 draws of 1 chain, easy\ndo the draws represent the target? no",
			1, outcome{fault, "4096 draws"}},
		{"pass: 1 test: 1 pass, 0 fault, 0 open\n20000 estimates of z.csv: the log", 0,
			outcome{pass, "20000 estimates"}},
		{"Traceback\n  File \"/x/breadboard/assertions.py\", line 199, in assert_law\nAssertionError: f has " +
			"another distribution, as 12 branches show", 1,
			outcome{fault, "12 branches"}},
		{"12 branches\n", 0, outcome{pass, "12 branches"}},
		{"AssertionError: the package's own", 1, outcome{broken, "-"}},
		{"Error in library(vegan): there is no package called vegan", 1, outcome{broken, "-"}},
		{"pass: 7 draws of", 2, outcome{broken, "7 draws"}},
	} {
		if got := judge(c.output, c.code); got != c.want {
			t.Errorf("%q with exit code %d is %v, and should be %v", c.output, c.code, got, c.want)
		}
	}
}

// TestRun looks at what a command gets, and that one that hangs is ended with all that it started.
func TestRun(t *testing.T) {
	w := place{os.Environ(), time.Minute}
	if text, code, err := w.runLine(context.Background(), t.TempDir(), `echo SEED; ls -A "$WORK"; exit 3`,
		"7"); text != "7\n" || code != 3 || err != nil {
		t.Errorf("%q, exit code %d, %v", text, code, err)
	}
	w.limit = 200 * time.Millisecond
	begin := time.Now()
	if _, code, err := w.runLine(context.Background(), t.TempDir(), "sleep 1000 | sleep 1000", "1"); code == 0 ||
		err != nil || time.Since(begin) > longtest.Patience {
		t.Errorf("a command that hangs ended with exit code %d after %v, %v", code, time.Since(begin), err)
	}
}
