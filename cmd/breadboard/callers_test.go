package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"breadboard/grid/longtest"

	"github.com/spf13/pflag"
)

// TestCallers: messages name flags and help as Python and R do, and leave alone what other programs
// are given.
func TestCallers(t *testing.T) {
	const command = "./kernel --beta 2 -I"
	args := []string{"tightness", "--kernel", "mine=exec:" + command, "--", "./sampler", "-T", "3"}
	for in, want := range map[string]string{
		`unknown flag "--toys"`:                         `unknown argument "toys="`,
		"--check-that: no column; -T 0 is too small":    "check_that=: no column; T= 0 is too small",
		"-v shows all, --out=DIR too":                   "v= shows all, out=DIR too",
		"see breadboard samplers errors --help":         "see help(breadboard.samplers.errors)",
		"see breadboard help laws":                      "see breadboard help laws",
		"a well-known x-T, -Infinity and 3 -T":          "a well-known x-T, -Infinity and 3 T=",
		"kernel exec:" + command + ": --beta was given": "kernel exec:" + command + ": beta= was given",
		"./sampler -T 3: no answer within --time":       "./sampler -T 3: no answer within time=",
	} {
		var out bytes.Buffer
		if _, err := newCaller(&out, "python", args).Write([]byte(in)); err != nil || out.String() != want {
			t.Errorf("%s: %q (%v), want %q", in, out.String(), err, want)
		}
	}
	for in, want := range map[string]string{
		`unknown flag "--toys"`:                                                 `unknown argument "toys ="`,
		`invalid argument "x" for "-T, --distributions" flag`:                   `invalid argument "x" for "T =" argument`,
		"-v shows all, --log-z=3 too":                                           "verbose = shows all, log_z = 3 too",
		"see breadboard samplers errors --help; breadboard help --help":         `see breadboard_help("samplers", "errors"); breadboard_help()`,
		"breadboard help check-kernel, and breadboard help conform ranks --all": `breadboard_help("check-kernel"), and breadboard("help", "conform", "ranks", all = TRUE)`,
		"kernel exec:" + command + ": --beta was given":                         "kernel exec:" + command + ": beta = was given",
	} {
		var out bytes.Buffer
		if _, err := newCaller(&out, "R", args).Write([]byte(in)); err != nil || out.String() != want {
			t.Errorf("%s: %q (%v), want %q", in, out.String(), err, want)
		}
	}
	var people bytes.Buffer
	if newCaller(&people, "", args) != &people {
		t.Error("people get another writer")
	}
	a := &app{stderr: newCaller(&people, "python", nil)}
	for in, want := range map[string]string{
		"it is wrong; see the findings that say fault": "it is wrong", "see above": "", "see the page laws": "see the page laws",
	} {
		if got := a.inWords(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// TestHelpForPrograms: help --format json has all commands, with all their flags.
func TestHelpForPrograms(t *testing.T) {
	var out bytes.Buffer
	a := &app{}
	root := a.rootCommand()
	longtest.NoError(t, a.writeHelp(&out, root))
	var list []commandHelp
	longtest.NoError(t, json.Unmarshal(out.Bytes(), &list))
	told := map[string]commandHelp{}
	for _, c := range list {
		told[c.Command] = c
	}
	for _, name := range leaves(root) {
		c, _, err := root.Find(strings.Fields(name))
		longtest.NoError(t, err)
		known := map[string]bool{}
		for _, f := range append(told[name].Flags, told[name].Common...) {
			known[f.Name] = f.Means != ""
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !f.Hidden && !known[shortName(f)] {
				t.Errorf("%s: nothing is told of --%s", name, f.Name)
			}
		})
	}
	tightness := told["tightness"]
	if i := 0; tightness.Flags[i].Name != "T" || !tightness.Flags[i].Several || !strings.HasPrefix(tightness.Flags[i].Default, "10,30,") {
		t.Errorf("%+v", tightness.Flags[i])
	}
	if c := tightness.Columns[0]; c.Name != "toy" || c.Meaning == "" {
		t.Errorf("%+v", c)
	}
}
