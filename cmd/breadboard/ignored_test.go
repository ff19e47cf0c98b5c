package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/grid/longtest"
)

// unmoved are flags that leave what some command lines say as it is, and why they may.
func unmoved() map[string]string {
	const bound, exits, writes = "a bound that is not reached", "it changes what differs already",
		"it writes a file"
	return map[string]string{
		"--workers": "no number depends on it", "--help": "it is another question",
		"--verbose": "JSON has all rows", "--junit": writes, "--out": writes, "network --write": writes,
		"--most": bound, "--seconds": bound, "--cut": bound, "law --time": bound,
		"--tolerance": exits, "--strict": exits, "--method": "two methods agree",
		"aide check --schedule":     "two distributions have one schedule",
		"reproduce aide --proposal": "it names all that there are",
		"conform check --most":      bound, "conform estimates --most": bound,
		"evidence check --kernel":        "of estimators that anneal",
		"evidence check --path":          "of estimators that anneal",
		"evidence check --schedule":      "of estimators that anneal",
		"policy twist --chains":          "of rows that are not exact",
		"policy twist --seed":            "of rows that are not exact",
		"reproduce --paper":              "the claims are of that paper",
		"reproduce --effort":             "it lets more be asked",
		"sweep merge --partial":          "the sweep is whole",
		"conform check --log-z-included": "of chains and estimates",
		"conform posterior --draws":      "of samplers that take steps",
		"conform posterior --moves":      "of samplers that take steps",
		"samplers calibrate --function":  "no chain is good",
		"tightness --initial":            "uniform is the default",
	}
}

// valuesOf returns values that a flag may have other than its default: one that suits its name,
// those of the examples of help, and some that flags of all kinds read.
func valuesOf(c *cobra.Command, f *pflag.Flag) (values []string) {
	if f.Value.Type() == "bool" {
		return []string{"true"}
	}
	for _, m := range regexp.MustCompile(`(?:--`+f.Name+`|-`+f.Shorthand+`)[ =]([^\s'"]+|'[^']+'|"[^"]+")`).
		FindAllStringSubmatch(c.Example, -1) {
		values = append(values, strings.Trim(m[1], `'"`))
	}
	own := map[string]string{"initial": "tempered:0.5", "alpha": "0.99", "distributions": "3",
		"toy": "random:1:7:2x2", "until": "J<1", "memory": "1kB"}
	values = append([]string{own[f.Name]}, append(values, "2", "0.37", "7", "0", "x0", "target")...)
	return slices.DeleteFunc(values, func(v string) bool { return v == "" || v == strings.Trim(f.DefValue, "[]") })
}

// says returns what a command line does: its exit code, and all that it prints in full digits but
// seconds.
func says(t *testing.T, args ...string) (code int, text string) {
	t.Helper()
	code, stdout, stderr := command(t, append(args, "--format", "json")...)
	var rows []map[string]any
	if json.Unmarshal([]byte(stdout), &rows) == nil {
		again, _ := json.Marshal(withoutSeconds(rows))
		stdout = string(again)
	}
	return code, stdout + regexp.MustCompile(`[0-9.]+ ?m?s\b`).ReplaceAllString(stderr, "")
}

// ignored returns the values of a flag that a command line takes without a difference, if no value
// makes one.
func ignored(t *testing.T, c *cobra.Command, f *pflag.Flag, base []string, code int,
	want string) (taken []string) {
	t.Helper()
	for _, v := range valuesOf(c, f) {
		args := slices.Clone(base)
		if f.Value.Type() != "bool" {
			args = without(args, f)
		}
		got, text := says(t, append(args, "--"+f.Name+"="+v)...)
		switch {
		case got == exitBadInput || slices.Contains(base, v): // it is refused, or stands there
		case got != code || text != want:
			return nil
		default:
			taken = append(taken, v)
		}
	}
	return taken
}

// TestNothingGivenIsIgnored: each flag of each command either changes what the command says, for
// one of several values, or is refused, or stands in unmoved. Without -long it looks at
// seeds, and with -long at all flags of every fourth command.
func TestNothingGivenIsIgnored(t *testing.T) {
	t.Parallel()
	examples := showing()
	dir := t.TempDir()
	for name, words := range map[string]string{
		"aide": "--toy easy -T 3 --meta 1", "evidence": "--toy bin4 --work 20 --estimator lw",
		"sbc": "--toy clu4 --sampler prior --datasets 2 --data given",
		"smc": "--adaptive 0.9 --toy random:1:1:2x2"} {
		examples[name] = append(examples[name], words)
	}
	inPlace := strings.NewReplacer()
	if longtest.Enabled() {
		inPlace = written(t, dir)
	}
	root := (&app{}).rootCommand()
	may := unmoved()
	for i, name := range leaves(root) {
		if longtest.Enabled() && !longtest.More() && i%12 != 0 { // all take minutes
			continue
		}
		if !longtest.Enabled() && i%4 != 0 {
			continue
		}
		c, _, err := root.Find(strings.Fields(name))
		longtest.NoError(t, err)
		for _, words := range examples[name] {
			if longtest.Enabled() && !longtest.More() &&
				(strings.HasPrefix(name, "temper") || name == "policy twist") {
				continue // it takes minutes
			}
			if !longtest.Enabled() && (c.Flags().Lookup("seed") == nil || strings.Contains(words, "DRAWS")) {
				continue
			}
			base := append(strings.Fields(name), strings.Fields(inPlace.Replace(words))...)
			code, want := says(t, base...)
			c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
				if may["--"+f.Name] != "" || may[name+" --"+f.Name] != "" ||
					!longtest.Enabled() && f.Name != "seed" {
					return
				}
				if taken := ignored(t, c, f, base, code, want); taken != nil {
					t.Errorf("%s %s: --%s is ignored, as %q", name, words, f.Name, taken)
				}
			})
		}
	}
}
