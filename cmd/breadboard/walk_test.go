package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// oddTargets are targets on which something was wrong once: of one state, spans that double
// precision hardly holds or does not, states of probability zero and below 2^-1022, values that are
// equal but for rounding, and one with no odd thing at all.
func oddTargets(t *testing.T) []string {
	subnormal := longtest.File(t, "subnormal.csv", "1e-320,1e-308\n1e-310,5e-324\n")
	all := []string{
		"cells:0", "cells:0:1/2:0", "cells:0:0/0:-200", "cells:0:744.5", "cells:0:800/0:0", "cells:0:1e4/0:0",
		"cells:0:-inf:3", "cells:-720:3:-1",
		"cells:0.1:0.30000000000000004/0.3:0.1", "cells:0:-37:3", "random:40:1:2x3", "prob:" + subnormal,
	}
	if longtest.Times(0, 1) < 2 {
		all = all[:9] // couple takes seconds for each of the others
	}
	return all
}

// oddKernels are kernels of all kinds: reversible or not, exact draws, and those that never leave a
// class of states.
func oddKernels() []string {
	return []string{
		"metropolis", "heatbath", "heatbath-axis:0", "stay", "barker", "heatbath-scan", "suwa-todo",
		"jump:0.1", "independence",
		"mixture:0.5*metropolis+0.5*heatbath",
	}
}

// inside are words of messages that only its authors understand.
var inside = regexp.MustCompile(
	`panic|goroutine|NaN|blas|lapack|mat: |Choose |%!|runtime error|do not sum|does not look for ` +
		`interruptions|internal`,
)

// notNegative are the names of columns in which a number below zero is none. What can be below zero
// by rounding has a column that says so.
var notNegative = regexp.MustCompile(
	`^(J|B|kl_|tv|TV|mse|var_|variance|sd|tau|ess_|ress|rate|rejections|barrier|p_|mixing|burn|work|R_|relative_variance|E_tau|mean_meeting_time|d$|s2|gap)`,
)

// particular are the commands whose targets are models of a certain kind, many, or beside log
// weights.
func particular() []string {
	return []string{"breadboard represent", "breadboard sbc", "breadboard power", "breadboard samplers meta",
		"breadboard network", "breadboard sandwich"}
}

// TestWalkOfOddTargets: every command that takes targets and kernels says something true and clear
// of odd ones. There is no panic, no message of the inside and no impossible number, and every
// target has its rows, whatever the others do.
func TestWalkOfOddTargets(t *testing.T) {
	longtest.Only(t)
	targets := oddTargets(t)
	commands, words := answering((&app{}).rootCommand())
	for i, c := range commands {
		if c.Flags().Lookup("toy") == nil || slices.Contains(particular(), c.CommandPath()) {
			continue
		}
		all := oddKernels()
		kernel := c.Flags().Lookup("kernel")
		if kernel == nil {
			all = []string{""}
		}
		if !longtest.More() {
			all = all[i%len(all):][:1]
		}
		for _, k := range all {
			line := append(without(words[c], c.Flags().Lookup("toy")), "--toy", strings.Join(targets, ","))
			if kernel != nil {
				line = append(without(line, kernel), "--kernel", k)
			}
			walk(t, line, targets)
		}
	}
}

// walk runs a command and looks at what it says of the targets.
func walk(t *testing.T, line, targets []string) {
	t.Helper()
	called := strings.Join(line, " ")
	defer func() {
		if panicked := recover(); panicked != nil {
			t.Errorf("%s: panic: %.200v", called, panicked)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), longtest.Patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	code := run(ctx, append(line, "--format", "json"), &stdout, &stderr)
	said := strings.TrimSpace(stderr.String())
	if code != exitDone && code != exitBadInput {
		t.Errorf("%s: exit code %d: %s", called, code, said)
		return
	}
	for message := range strings.Lines(said) {
		if inside.MatchString(message) {
			t.Errorf("%s: %s", called, message)
		}
	}
	var rows []map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &rows); err != nil {
		t.Errorf("%s: %v", called, err)
		return
	}
	toys := map[string]bool{}
	wrong := map[string]bool{}
	for _, row := range rows {
		toy, _ := row["toy"].(string)
		toys[toy] = true
		for name, cell := range row {
			if impossible(name, cell) && !wrong[name] {
				wrong[name] = true
				t.Errorf("%s: %s of %s is %v", called, name, toy, cell)
			}
		}
	}
	if len(toys) < len(targets) && !toys[""] {
		t.Errorf("%s: of %d targets only %v have rows", called, len(targets), slices.Sorted(maps.Keys(toys)))
	}
}

// TestWalkOfRefusedTargets: in a list a target that is refused, first or last, has a row with the
// reason, and the others have the rows that they have alone. Alone it is refused, or has a row with
// a note. No format, figure or file makes a panic of it.
func TestWalkOfRefusedTargets(t *testing.T) {
	longtest.Only(t)
	commands, words := answering((&app{}).rootCommand())
	for i, c := range commands {
		flag := c.Flags().Lookup("toy")
		if flag == nil || slices.Contains(particular(), c.CommandPath()) {
			continue
		}
		good := "easy"
		line := words[c]
		if at := slices.Index(line, "--toy"); at >= 0 {
			good = line[at+1]
		}
		line = without(line, flag)
		alone := rowsBeside(t, append(line, "--toy", good))
		// for its span, and for states that are classes
		refused := []string{"cells:0:-20000:3", "weight:5:pspin:3:1.5"}
		if c.Name() == "ais" {
			refused = append(refused, "ising:40x40:1") // for its kernel, which does not move by factors
		} else if !longtest.More() {
			refused = refused[i%2:][:1]
		}
		for k, toy := range refused {
			lists := []string{toy + "," + good, good + "," + toy}
			if !longtest.More() {
				lists = lists[i/2%2:][:1]
			}
			for _, list := range lists {
				rows := rowsBeside(t, append(line, "--toy", list))
				if c.Name() == "calibrate" {
					continue // its rows are of all targets together
				}
				for _, want := range alone {
					if !slices.ContainsFunc(rows, func(r map[string]any) bool { return reflect.DeepEqual(r, want) }) {
						t.Errorf("%s --toy %s: no row %v", strings.Join(line, " "), list, want)
					}
				}
				if !slices.ContainsFunc(rows, func(r map[string]any) bool { return r["toy"] == toy }) {
					t.Errorf("%s --toy %s: no row of %s", strings.Join(line, " "), list, toy)
				}
			}
			rowsBeside(t, append(line, "--toy", toy))
			if longtest.More() {
				for j, format := range []string{"table", "csv", "markdown", "latex"} {
					if longtest.Times(0, 1) < 2 && j != (i+k)%4 { // a figure takes longer than the question
						continue
					}
					list := []string{
						toy + "," + good, good + "," + toy, toy, toy + ",cells:0:-30000:3," + good}[j]
					rowsBeside(t, append(line, "--toy", list, "--out", t.TempDir(), "--format", format,
						"--plot", plotOf(alone)))
				}
			}
		}
	}
}

// plotOf returns a figure of two columns of numbers of rows.
func plotOf(rows []map[string]any) string {
	var numbers []string
	for _, name := range slices.Sorted(maps.Keys(rows[0])) {
		if _, is := rows[0][name].(float64); is {
			numbers = append(numbers, name)
		}
	}
	return "x=" + numbers[0] + ", y=" + numbers[len(numbers)-1]
}

// rowsBeside runs a command of whose targets some are refused, and returns its rows, without empty
// notes. There are none in other formats than JSON, and if all are refused.
func rowsBeside(t *testing.T, args []string) (rows []map[string]any) {
	t.Helper()
	defer func() {
		if panicked := recover(); panicked != nil {
			t.Errorf("%s: panic: %.200v", strings.Join(args, " "), panicked)
		}
	}()
	if !slices.Contains(args, "--format") {
		args = append(args, "--format", "json")
	}
	code, stdout, stderr := command(t, args...)
	if code != exitDone && code != exitBadInput || inside.MatchString(stderr) {
		t.Errorf("%s: exit code %d: %s", strings.Join(args, " "), code, stderr)
	}
	if json.Unmarshal([]byte(stdout), &rows) != nil {
		return nil
	}
	for _, r := range rows {
		maps.DeleteFunc(r, func(name string, cell any) bool { return name == "note" && (cell == nil || cell == "") })
	}
	return withoutSeconds(rows)
}

// impossible reports whether a cell is a number that there is not, below zero if nothing can be, or
// a note in words of the inside. NaN stands for no number, as the meanings of columns say.
func impossible(name string, cell any) bool {
	switch cell := cell.(type) {
	case float64:
		return cell < 0 && notNegative.MatchString(name) && !strings.HasSuffix(name, "_lower")
	case string:
		return name == "note" && inside.MatchString(cell)
	}
	return false
}

// TestWalkOfOddTasks: what writes a folder about one target writes it without a number that is
// none, or says in words of the outside why not.
func TestWalkOfOddTasks(t *testing.T) {
	longtest.Only(t)
	kernels := oddKernels()
	for i, line := range []string{"conform spec -T 3", "export -T 3"} {
		for j, target := range oddTargets(t) {
			for k, kernel := range kernels {
				if !longtest.More() && (i+j+k)%len(kernels) != 0 {
					continue
				}
				dir := filepath.Join(t.TempDir(), "out")
				args := append(strings.Fields(line), "--toy", target, "--kernel", kernel, "--out", dir)
				ctx, cancel := context.WithTimeout(t.Context(), longtest.Patience)
				var stdout, stderr bytes.Buffer
				code := run(ctx, args, &stdout, &stderr)
				cancel()
				if code != exitDone && code != exitBadInput || inside.Match(stderr.Bytes()) {
					t.Errorf("%s: exit code %d: %s", strings.Join(args, " "), code, &stderr)
				}
				if name := withoutNumber(t, dir); name != "" {
					t.Errorf("%s: there is NaN in %s", strings.Join(args, " "), name)
				}
			}
		}
	}
}

// withoutNumber returns the name of a table in a folder in which a cell is NaN; empty if there is
// none.
func withoutNumber(t *testing.T, dir string) string {
	t.Helper()
	for _, name := range longtest.Must(filepath.Glob(filepath.Join(dir, "*.csv")))(t) {
		if bytes.Contains(longtest.Must(os.ReadFile(name))(t), []byte("NaN")) {
			return filepath.Base(name)
		}
	}
	return ""
}
