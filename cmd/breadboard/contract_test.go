package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/cmd/catalogue"
	"breadboard/experiments/forms"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/table"
)

// These tests hold for every command that answers a question, and a new command is among them with
// its line in showing. What only one study refuses is tested beside that study, in experiments.

// answering returns the commands that compute an answer, which are those that have --workers, with
// words behind each that ask little of it. Commands that read what others have written are left
// out: their own tests give them something to read.
func answering(root *cobra.Command) (list []*cobra.Command, words map[*cobra.Command][]string) {
	words = map[*cobra.Command][]string{}
	for _, name := range leaves(root) {
		c, _, err := root.Find(strings.Fields(name))
		examples := showing()[name]
		if err != nil || c.Flags().Lookup("workers") == nil || len(examples) == 0 ||
			strings.ContainsAny(examples[0], "ABCDEFGHIJKLM") {
			continue
		}
		list, words[c] = append(list, c),
			append(strings.Fields(c.CommandPath())[1:], strings.Fields(examples[0])...)
	}
	return list, words
}

// without returns words from which a flag and the word behind it are taken out.
func without(words []string, flag *pflag.Flag) []string {
	at := slices.IndexFunc(words, func(w string) bool { return w == "--"+flag.Name || w == "-"+flag.Shorthand })
	if at < 0 {
		return words
	}
	return slices.Delete(slices.Clone(words), at, min(at+2, len(words)))
}

// TestEveryOptionRefuses: of every command, an option that names something refuses an unknown name,
// an option of numbers refuses NaN, and --workers refuses fewer than none, each with exit code 2
// and one line that repeats the value, before a folder is made.
func TestEveryOptionRefuses(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	commands, words := answering((&app{}).rootCommand())
	options := 0
	for _, c := range commands {
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			bad := "NaN"
			switch kind := f.Value.Type(); {
			case f.Name == "workers":
				bad = "-1"
			case slices.Contains([]string{"toy", "kernel", "schedule", "estimator", "model"}, f.Name):
				bad = "zzzzzzzz"
			case kind == "bool" || strings.HasPrefix(kind, "string"):
				return // switches, files and free text
			}
			options++
			args := without(words[c], f)
			for name, other := range map[string]string{"corpus": "toy", "toy": "corpus"} {
				// of which only one may be given
				if beside := c.Flags().Lookup(other); f.Name == name && beside != nil {
					args = without(args, beside)
				}
			}
			dir := filepath.Join(t.TempDir(), "out")
			code, stdout, stderr := command(t, append(args, "--"+f.Name, bad, "--out", dir)...)
			if code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 ||
				!strings.Contains(stderr, bad) && !strings.Contains(stderr, "changes nothing here") {
				// whatever its value
				t.Errorf("%s --%s %s: exit code %d, %q, %q", c.CommandPath(), f.Name, bad, code, stdout, stderr)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Errorf("%s --%s %s has made a folder", c.CommandPath(), f.Name, bad)
			}
		})
	}
	if options == 0 {
		t.Error("no option was tried")
	}
}

// TestEveryCommandEnds: a command whose context has ended shows and writes nothing, and its exit
// code says that it was interrupted.
func TestEveryCommandEnds(t *testing.T) {
	longtest.Only(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	commands, words := answering((&app{}).rootCommand())
	for _, c := range commands {
		dir := t.TempDir()
		var out, errs bytes.Buffer
		if code := run(ended, append(words[c], "--out", dir), &out, &errs); code != exitInterrupted ||
			out.Len() > 0 || strings.Contains(list(t, dir), ".csv") {
			t.Errorf("%s: exit code %d, %s, %s, left %s", c.CommandPath(), code, &out, &errs, list(t, dir))
		}
	}
}

// TestWorkersDoNotMatter: the rows of every command are the same for any number of workers, apart
// from seconds, of which no two runs have the same.
func TestWorkersDoNotMatter(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	commands, words := answering((&app{}).rootCommand())
	for _, c := range commands {
		args := words[c]
		if toy := slices.Index(args, "--toy"); toy >= 0 &&
			(args[toy+1] == "easy" || strings.HasPrefix(args[toy+1], "random:")) {
			args[toy+1] = "random:1:7:4" // so that there is work for more than one
		}
		one := withoutSeconds(rowsOf(t, append(args, "--workers", "1")...))
		several := withoutSeconds(rowsOf(t, append(args, "--workers", "3")...))
		if len(one) == 0 || !reflect.DeepEqual(one, several) {
			t.Errorf("%s: one worker finds\n%v\nand three find\n%v", c.CommandPath(), one, several)
		}
	}
}

// fewParams returns parameters of a case of a study that is solved in little time: each has its
// first default, unless it says how much is computed.
func fewParams(s *subject.Question) (params subject.Params) {
	few := map[string]string{
		"toy": "barrier:3x3", "T": "3", "chains": "30", "K": "3", "particles": "2", "moves": "3", "meta": "2",
		"gold_meta": "2", "trials": "2",
		"budget": "20", "N": "9",
		"estimator": "lw", "frequencies": "256", "threshold": "0.5", "reference": "uniform",
	}
	for _, p := range s.Parameters {
		value, there := few[p.Name]
		if !there {
			value = p.Defaults()[0]
		}
		params = append(params, subject.Param{Name: p.Name, Value: value})
	}
	return params
}

// TestCommandsAnswerAsTheCatalogue: for every study of annealings that is swept, the command, the
// report in Go and the route of the page have the same rows, to the last bit. That a sweep stores
// those of the report is tested beside the catalogue.
func TestCommandsAnswerAsTheCatalogue(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	at := serveBench(t)
	root := (&app{}).rootCommand()
	studies := 0
	routes := 0
	for _, s := range catalogue.Studies() {
		question := s.Sweep()
		if question == nil || question.Build != nil {
			continue
		}
		params := fewParams(question)
		words, flags := s.Command(params)
		if words == "" {
			continue // sweeps alone ask it
		}
		studies++
		cases := longtest.Must(question.Cases(t.Context(), forms.Reader(), params))(t)
		r := longtest.Must(s.Report(t.Context(), &cases[0], params, study.How{}))(t)
		var inGo bytes.Buffer
		longtest.NoError(t, r.Tables()[0].In(table.JSON).Write(&inGo, table.JSON))
		want := plainRows(parseRows(t, inGo.String()))
		args := strings.Fields(words)
		query := url.Values{}
		c, _, err := root.Find(args)
		longtest.NoError(t, err)
		for i, p := range flags {
			if p.Value == "" {
				continue
			}
			query.Set(params[i].Name, p.Value)
			if c.Flags().Lookup(p.Name) != nil || c.Flags().ShorthandLookup(p.Name[:1]) != nil {
				// to place a schedule, no schedule is given
				args = append(args, inFlags(p.Name), p.Value)
			}
		}
		if got := plainRows(rowsOf(t, args...)); !reflect.DeepEqual(got, want) {
			t.Errorf("%v finds\n%v\nand the report has\n%v", args, got, want)
		}
		answer := struct{ Rows []map[string]any }{}
		if words == s.Name &&
			routed(t, at+"api/"+strings.ReplaceAll(s.Name, " ", "-")+"?"+query.Encode(), &answer) {
			routes++
			if got := plainRows(answer.Rows); !reflect.DeepEqual(got, want) {
				t.Errorf("the route of %s has\n%v\nand the report\n%v", s.Name, got, want)
			}
		}
	}
	if studies == 0 || routes == 0 {
		t.Error("no study or no route was asked")
	}
}

// plainRows returns rows without seconds, and without notes, which name options as flags where a
// command shows them.
func plainRows(rows []map[string]any) []map[string]any {
	for _, r := range withoutSeconds(rows) {
		delete(r, "note")
	}
	return rows
}

// routed reads the answer of a route of the page, and reports whether there is that route.
func routed(t *testing.T, address string, answer any) bool {
	t.Helper()
	r := longtest.Must(http.Get(address))(t)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK && r.StatusCode != http.StatusNotFound {
		t.Errorf("%s: %s, %v: %s", address, r.Status, err, body)
	}
	return r.StatusCode == http.StatusOK && json.Unmarshal(body, answer) == nil
}
