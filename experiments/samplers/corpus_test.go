package samplers_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/samplers"
	"breadboard/grid/longtest"
)

// TestCorpora: the built-in corpora have as many targets as they say, no two alike, each with its canonical name.
func TestCorpora(t *testing.T) {
	for name, want := range map[string]int{"small": 10, "standard": 100} {
		c := longtest.Must(samplers.ReadCorpus(name))(t)
		targets, err := c.Load(t.Context())
		if err != nil || len(targets) != want || c.Name != name {
			t.Errorf("%s has %d targets, want %d: %v", c.Name, len(targets), want, err)
		}
		values := map[string]string{}
		for i, toy := range targets {
			if toy.Name != c.Targets[i] {
				t.Errorf("%s is called %s", c.Targets[i], toy.Name)
			}
			if n := toy.Space.States(); n > 100 {
				t.Errorf("%s has %d states", toy.Name, n)
			}
			key := fmt.Sprint(toy.Space, toy.G)
			if other, double := values[key]; double {
				t.Errorf("%s is the same target as %s", toy.Name, other)
			}
			values[key] = toy.Name
		}
	}
}

// TestStandardHasWhatItSays: 80 random fields, of which every fourth is not smoothed.
func TestStandardHasWhatItSays(t *testing.T) {
	kinds := map[string]int{}
	c := longtest.Must(samplers.ReadCorpus("standard"))(t)
	for _, target := range c.Targets {
		kind, _, _ := strings.Cut(target, ":")
		kinds[kind]++
	}
	if got := fmt.Sprint(kinds); got != "map[barrier:5 ising:6 mixture:6 random:20 schools:3 smooth:60]" {
		t.Error(got)
	}
}

// file writes a corpus to a file and returns its path.
func file(t testing.TB, text string) string { return casetest.File(t, "mine.toml", text) }

func TestCorpusFromFile(t *testing.T) {
	c, err := samplers.ReadCorpus(" " + file(t, "\ufeffname = 'two'\ntargets = ['easy', ' random:2:7 ', # the last\n 'mixture:1*easy+2*hard']\n"))
	if err != nil || strings.Join(c.Targets, ", ") != "easy, random:2:7, mixture:1*easy+2*hard" {
		t.Errorf("%v, %v", c, err)
	}
	path := file(t, "targets = ['easy']")
	if c, err := samplers.ReadCorpus(path); err != nil || c.Name != path {
		t.Errorf("a corpus without a name is called %v, %v", c, err)
	}
}

// TestBadCorpora: what is wrong with the name of a corpus.
func TestBadCorpora(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "x.toml")
	longtest.NoError(t, os.Mkdir(folder, 0o755))
	for text, want := range map[string]string{
		"smal":     `unknown corpus "smal"; did you mean small? choices: small, standard, FILE.toml`,
		"":         "choices: small, standard, FILE.toml",
		"my.csv":   "choices: small, standard, FILE.toml",
		"no.toml":  "no.toml: no such file",
		"/dev/nil": "unknown corpus",
		folder:     "is no regular file but a folder",
	} {
		if _, err := samplers.ReadCorpus(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestBadCorpusFiles: what is wrong within a file.
func TestBadCorpusFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                                                         "there are no targets; give a list of them",
		"targets = []":                                             "the list of targets is empty",
		"targets = 'easy'":                                         "targets is no list",
		"targets = [1]":                                            "target 1: 1 is no text; write a selector in quotes",
		"targets = ['easy', ['hard']]":                             "target 2: [hard] is no text",
		"targets = ['easy', '']":                                   "target 2: it is empty",
		"targets = [\"a\\nb\"]":                                    "control character",
		"targets = ['easy', ' easy']":                              "target 2, easy, is target 1 once more; name each once",
		"targets = ['x{1..3}', 'x2']":                              "target 2, x2, is target 1 once more; name each once",
		"targets = ['x{3..1}']":                                    "target 1: \"x{3..1}\": the range {3..1} goes down",
		"targets = ['easy', 'x{1..10000}']":                        "target 2: x{1..10000}: with the ranges there are more than 10000 targets; split the corpus",
		"targets = ['x{1..1000000000000}']":                        "there are more than 10000",
		"target = ['easy']":                                        `unknown key "target"; did you mean targets?`,
		"name = 3\ntargets = ['easy']":                             "name is no text of one line",
		"name = ''\ntargets = ['easy']":                            "name is no text of one line",
		"targets = ['easy'\n":                                      "line 1, column 18: array is incomplete",
		"targets = ['easy']\ntargets=[1]":                          "line 2",
		"targets = ['" + strings.Repeat("e", 1001) + "']":          "a selector of 1001 bytes; the limit is 1000",
		"targets = [" + strings.Repeat("'x',", 10_001) + "]":       "there are 10001 targets; the limit is 10000",
		"targets = ['easy'] #" + strings.Repeat(" ", 1<<20) + "\n": "at most 1.049 MB are read",
	} {
		path := file(t, text)
		_, err := samplers.ReadCorpus(path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
}

// TestBadTargets: what is wrong with a target is found where it is loaded.
func TestBadTargets(t *testing.T) {
	for text, want := range map[string]string{
		"targets = ['easy', 'eazy']":                       `unknown toy "eazy"; did you mean easy?`,
		"targets = ['schools', 'schools:31x31']":           "the target schools is named twice, as schools and as schools:31x31; name each once",
		"targets = ['easy', 'barrier', 'barrier:7x7']":     "the targets barrier and barrier:7x7 are the same, state by state; name one of them",
		"targets = ['random:2:7', 'random:2.0:7:7x7']":     "the target random:2:7 is named twice",
		"targets = ['mixture:1*easy+1*barrier:5x5']":       "easy, is on 7x7, and part 2, barrier:5x5, on 5x5",
		"name = 'other'\ntargets = ['file:not-there.csv']": "corpus other: toy file: open not-there.csv",
	} {
		c := longtest.Must(samplers.ReadCorpus(file(t, text)))(t)
		if _, err := c.Load(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&samplers.Corpus{Name: "x", Targets: []string{"easy"}}).Load(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// FuzzDecodeCorpus: what is decoded is a list of texts of one line, no two alike, and what is not has an error of one line.
func FuzzDecodeCorpus(f *testing.F) {
	for _, text := range []string{"targets = ['easy', \"hard\"]", "name = 'x'\ntargets = ['a',\n'b']", "[targets]\na = 1", "targets = [nan, 1979-05-27]", "\"a\\nb\" = 1"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := samplers.DecodeCorpus(text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, target := range c.Targets {
			if target == "" || target != strings.TrimSpace(target) || strings.ContainsAny(target, "\n\r") || seen[target] {
				t.Errorf("target %q", target)
			}
			seen[target] = true
		}
		if len(c.Targets) == 0 {
			t.Error("no target")
		}
	})
}
