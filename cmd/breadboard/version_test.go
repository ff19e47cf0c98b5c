package main

import (
	"runtime/debug"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestVersionFlag: the flag does what the command does.
func TestVersionFlag(t *testing.T) {
	for _, format := range []string{"table", "json"} {
		flag, _ := ok(t, "--version", "--format", format)
		whole, _ := ok(t, "version", "--format", format)
		if flag != whole || !strings.Contains(flag, "breadboard") {
			t.Errorf("%q and %q", flag, whole)
		}
	}
}

// TestVersionOf: the version has the revision, once, and says whether files were changed after it.
func TestVersionOf(t *testing.T) {
	const revision = "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct{ module, revision, modified, want string }{
		{"(devel)", "", "", "(devel)"},
		{"", "", "", "(unknown)"},
		{"v1.2.3", "", "", "v1.2.3"},
		{"(devel)", revision, "false", "(devel) " + revision},
		{"(devel)", revision, "true", "(devel) " + revision + "+modified"},
		{"v0.0.0-20260102030405-0123456789ab", revision, "false", "v0.0.0-20260102030405-0123456789ab"},
		{"v0.0.0-20260102030405-0123456789ab+dirty", revision, "true", "v0.0.0-20260102030405-0123456789ab+dirty"},
		{"(devel)", "abc", "true", "(devel) abc+modified"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.module}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: c.revision}, {Key: "vcs.modified", Value: c.modified}}}
		if got := versionOf(info); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestHelpOfNothing: help about what is no command is a mistake, and says what was meant.
func TestHelpOfNothing(t *testing.T) {
	longtest.NotShort(t)
	for words, want := range map[string]string{
		"nosuch":          `unknown command "nosuch" for breadboard; breadboard --help lists them`,
		"tightnes":        "did you mean tightness?",
		"sweep pln":       "did you mean plan?",
		"tightness extra": `breadboard tightness has no command "extra"; breadboard help tightness describes it`,
	} {
		code, stdout, stderr := command(t, append([]string{"help"}, strings.Fields(words)...)...)
		if code != exitBadInput || stdout != "" || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("help %s: exit code %d, %q, %q", words, code, stdout, stderr)
		}
	}
	for _, words := range []string{"maths x", "math x", "topics x y", "maths x --out nowhere"} {
		code, stdout, stderr := command(t, strings.Fields(words)...)
		if code != exitBadInput || stdout != "" || !strings.Contains(stderr, "is a page and takes no arguments") {
			t.Errorf("%s: exit code %d, %q, %q", words, code, stdout, stderr)
		}
	}
	for words, page := range map[string]string{"help estimator": "estimators", "help math": "maths", "math": "maths", "maths --help": "maths", "help array": "arrays"} {
		got, _ := ok(t, strings.Fields(words)...)
		if want, _ := ok(t, page); got != want || want == "" {
			t.Errorf("%s is not the page %s", words, page)
		}
	}
	for _, words := range []string{"", "tightness", "sweep run", "version"} {
		help, _ := ok(t, append([]string{"help"}, strings.Fields(words)...)...)
		flag, _ := ok(t, append(strings.Fields(words), "--help")...)
		if help != flag || help == "" {
			t.Errorf("help %s is not what --help says", words)
		}
	}
}
