package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"breadboard/cmd/catalogue"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/table"
)

// showing returns, for each command that shows a table, words behind it with which it shows each of
// its tables at once. SPEC stands for the specification of a sweep, SWEEP for a folder of its
// results, ROWS for a table in CSV, TASK for the folder of a task. A study whose
// command derives from the catalogue alone is asked about a small annealing if it has no line.
func showing() map[string][]string {
	const small = "--toy easy -T 3"
	const few = "--toy random:2:1:3 -T 2 --frequencies 256"
	list := map[string][]string{
		"tightness":  {small, small + " --certify"},
		"subjective": {small + " --moves 0,1"},
		"represent":  {"--toy gridclu -T 3"},
		"ais":        {small + " --chains 50"},
		"smc": {small + " --particles 1,2", small + " --particles 1 --chains 50",
			"--toy random:1:1:2x2 --adaptive 0.9 --chains 50"},
		"smc gibbs":      {"--observations 3 --particles 2"},
		"aide":           {small + " --meta 1 --chains 50"},
		"aide check":     {"smc:2 --toy random:2:1:2x2 -T 2"},
		"reproduce aide": {"mixture --meta 1"},
		"policy":         {"--toy ising:2x2:1 --policy masked:independent,ctmc:2 --samples 1,2"},
		"policy best":    {"--toy ising:2x2:1 --policy gflownet:noisy:c:1"},
		"policy twist": {"--toy random:1:1:2x2 --twist none,noisy:1:1",
			"--toy random:1:1:2x2x2 --resample systematic --particles 9 --chains 50"},
		"evidence":       {"--toy bin4 --work 20 --estimator lw --chains 50"},
		"evidence check": {"lw --toy random:2:1:2"},
		"sandwich": {
			"--model clustering:2 --data-rows 4 --data-columns 3 -T 3 --scans 0 --chains 2 --datasets 1",
			"--forward ../../python/examples/logweights.csv --reverse ../../python/examples/logweights.csv"},
		"sandwich compare": {
			"--model clustering:2 --data-rows 4 --data-columns 3 --estimator lw,bic --chains 2 --time 10ms"},
		"sandwich fit": {
			"--data testdata/faithful.csv --model clustering:2 -T 3 -S 1 --moves 2 --chains 2 --datasets 1"},
		"sandwich represent": {"--model lowrank:2 --data-rows 4 --data-columns 3 -T 3"},
		"sandwich table":     {"--model clustering:2,lowrank:2 --data-rows 4 --data-columns 3 -T 3"},
		"reproduce":          {"--id bread-1,bread-7"},
		"samplers corpus":    {""},
		"samplers errors":    {"--toy easy -N 10"},
		"samplers times":     {"--toy easy"},
		"couple":             {"--toy random:1:1:2x2"},
		"couple best":        {"--toy random:1:1:2x2"},
		"couple unbiased":    {"--toy random:1:1:2x2"},
		"temper":             {"--toy random:1:1:2x2"},
		"temper compare":     {"--toy random:1:1:2x2"},
		"temper ladder":      {"--toy random:1:1:2x2"},
		"temper z":           {"--toy random:1:1:2x2"},
		"samplers laws":      {"--toy random:2:1:3 -N 4 --chains 2"},
		"samplers diagnose":  {"--toy easy -N 20", "testdata/schools_1.csv"},
		"samplers calibrate": {"--toy random:2:1:4 -N 40 --function g --kernel metropolis"},
		"samplers meta":      {"--corpus small -N 40 --splits 1 --kernel metropolis"},
		"weights":            {few, few + " --tails 1", few + " --quantiles 0.5", small + " --samples 1,2"},
		"conform check":      {"TASK --transitions TASK/moves.csv"},
		"conform estimates":  {"ESTIMATES --toy random:2:1:2x2"},
		"conform chain":      {"DRAWS --toy random:1:1:2x2 --kernel metropolis"},
		"conform draws":      {"DRAWS --toy random:1:1:2x2"},
		"conform ranks":      {"testdata/ranks.csv --draws 9"},
		"conform joint":      {"testdata/forward.csv testdata/successive.csv"},
		"conform posterior":  {"exec:COIN"},
		"conform vectors":    {"testdata/answers.json"},
		"vectors":            {"", "tv kl"},
		"power":              {"--toy clu4 --fault prior --datasets 2 --draws 3"},
		"sbc":                {"--toy clu4 --sampler prior --datasets 2"},
		"conform run":        nil, // it shows what conform check does
		"conform spec":       {"--toy random:2:1:2x2 -T 3 --out TASK"},
		"kernel":             {""},
		"kernel check":       {"barker --toy easy --beta 1 -T 3"},
		"law":                {"exec:PROGRAM"},
		"network":            {"../../toys/networks/testdata/clinic37.bif"},
		"schedule":           {""},
		"schedule optimize":  {small},
		"schedule compare":   {small},
		"sweep plan":         {"SPEC"},
		"sweep status":       {"SWEEP"},
		"sweep merge":        {"SWEEP"},
		"toys":               {""},
		"toys show":          {"easy", "graph:permutations:3:random:1:0"},
	}
	for _, s := range catalogue.Studies() {
		if _, is := s.About.(*subject.Annealings); is && list[s.Name] == nil {
			list[s.Name] = []string{small}
		}
	}
	return list
}

// tableless are the commands that show no table: what they write is files, figures and notes.
func tableless() []string {
	return []string{"export", "report", "serve", "sweep run",
		"sweep submit", "toys export"}
}

// oneWay is a program for distribution that makes no choice, for shells without Python.
const oneWay = `#!/bin/sh
echo '{"program": "one way", "mode": "choose"}'
while read -r line; do
	id=${line##*\"id\":} id=${id%%,*}
	echo '{"result": "a", "id":'"${id%\}}"'}'
done
`

// twoWays is a model of two parameters and two data, with a sampler that always draws one of them.
const twoWays = `#!/bin/sh
echo '{"program": "two ways", "mode": "choose", "answers": ["prior", "simulate", "posterior"]}'
while read -r line; do
	id=${line#*\"id\":} id=${id%%[,\}]*}
	case $line in
	*posterior*) echo '{"results": ["0"], "p": [1], "id":'"$id"'}' ;;
	*) echo '{"results": ["0", "1"], "p": [0.5, 0.5], "id":'"$id"'}' ;;
	esac
done
`

// TestSchemasOfCommands: every command either shows no table or is in the list of schemas, and what
// it writes has the columns, the types, the units and the meanings that stand there, and findings
// have names that --check-that knows before anything is computed. A new command
// that is written by hand has to be added to the lists above.
func TestSchemasOfCommands(t *testing.T) {
	t.Parallel()
	examples := showing()
	dir := t.TempDir()
	schemas := map[string][]reports.Schema{}
	for _, s := range catalogue.Schemas() {
		schemas[s.Command] = append(schemas[s.Command], s)
		if _, there := examples[s.Command]; !there {
			t.Errorf("there is a schema of %s, and no such command is among the examples", s.Command)
		}
	}
	root := (&app{}).rootCommand()
	for _, command := range leaves(root) {
		_, shows := examples[command]
		switch {
		case slices.Contains(tableless(), command):
			if shows || len(schemas[command]) > 0 {
				t.Errorf("%s is said to show a table, and to show none", command)
			}
		case !shows:
			t.Errorf("%s: nothing says whether it shows tables; name it in showing or tableless", command)
		case len(schemas[command]) == 0:
			t.Errorf("%s shows tables, and reports.Schemas has none of them", command)
		}
	}
	longtest.Only(t)
	inPlace := written(t, dir)
	for name, list := range examples {
		for _, words := range list {
			args := append(strings.Fields(name), strings.Fields(inPlace.Replace(words))...)
			checked := filepath.Join(dir, "report.xml")
			if isCheck(root, name) {
				args = append(args, "--junit", checked)
			}
			code, stdout, stderr := command(t, append(args, "--format", "csv")...)
			if header, _, _ := strings.Cut(stdout, "\n"); !slices.ContainsFunc(
				schemas[name],
				func(s reports.Schema) bool { return hasColumns(s, header) },
			) {
				t.Errorf("%s %s: no table in reports.Schemas has these columns: %s\n%s", name, words,
					header, stderr)
			}
			for _, finding := range findings(t, stdout) {
				condition := []table.Condition{{Column: finding, Sign: "<", Number: 1}}
				if err := reports.CheckConditions(
					schemas[name],
					nil,
					condition,
					func(string) bool { return true },
				); err != nil {
					t.Errorf("%s %s: %v", name, words, err)
				}
			}
			if isCheck(root, name) {
				checkJUnit(t, name, checked, code)
			}
		}
	}
}

// findings returns the names in the column finding of a table in CSV, if it has one.
func findings(t *testing.T, content string) (names []string) {
	t.Helper()
	rows := longtest.Must(csv.NewReader(strings.NewReader(content)).ReadAll())(t)
	at := slices.Index(rows[0], "finding")
	for _, row := range rows[1:] {
		if at >= 0 {
			names = append(names, row[at])
		}
	}
	return names
}

// written writes the files of showing to a folder, and puts their names in place of the words that
// stand for them.
func written(t *testing.T, dir string) *strings.Replacer {
	t.Helper()
	spec := filepath.Join(dir, "spec.toml")
	swept := filepath.Join(dir, "swept")
	task := filepath.Join(dir, "task")
	rows := filepath.Join(dir, "rows.csv")
	program := filepath.Join(dir, "program")
	longtest.NoError(t, os.WriteFile(program, []byte(oneWay), 0o700))
	model := filepath.Join(dir, "model")
	longtest.NoError(t, os.WriteFile(model, []byte(twoWays), 0o700))
	for file, content := range map[string]string{
		rows: "toy,J\neasy,1\n", spec: "[grid]\ntoy = ['easy']\nT = [2, 3]\n",
		filepath.Join(dir, "moves.csv"): "beta,from,to\n1,0,0\n",
		filepath.Join(dir, "logz.csv"):  "log_z\n0.5\n",
		filepath.Join(dir, "draws.csv"): "state\n" + strings.Repeat("0\n", 9)} {
		writeFile(t, file, content)
	}
	ok(t, "sweep", "run", spec, "--out", swept)
	ok(t, "conform", "spec", "--toy", "random:2:1:2x2", "-T", "3", "--out", task)
	return strings.NewReplacer("SPEC", spec, "ROWS", rows, "SWEEP", swept, "TASK/moves.csv",
		filepath.Join(dir, "moves.csv"), "ESTIMATES",
		filepath.Join(dir, "logz.csv"), "DRAWS", filepath.Join(dir, "draws.csv"), "TASK", task, "PROGRAM",
		program, "COIN", model)
}

// leaves returns the commands that can be run and have no others below them, and those that show
// something by themselves.
func leaves(root *cobra.Command) (paths []string) {
	shown := map[string]bool{}
	for _, s := range catalogue.Schemas() {
		shown[s.Command] = true
	}
	each(root, func(c *cobra.Command) {
		path := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), "breadboard"), " ")
		if c.Runnable() && !c.HasSubCommands() && c.Name() != "help" || shown[path] {
			paths = append(paths, path)
		}
	})
	return paths
}

// each does something with a command and all below it, but not with those under a name that they
// had once.
func each(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			each(sub, do)
		}
	}
}

// hasColumns reports whether the heading of a table in CSV has the columns of a schema, in their
// order.
func hasColumns(s reports.Schema, header string) bool {
	return slices.EqualFunc(s.Columns(), strings.Split(header, ","),
		func(c table.Column, name string) bool { return c.Name == name })
}
