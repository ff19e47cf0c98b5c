package selector_test

import (
	"slices"
	"strings"
	"testing"

	"breadboard/chains/selector"
)

// TestPlainText: the mark of UTF-8 is taken off, and what would be read as other lines than its writer meant is refused.
func TestPlainText(t *testing.T) {
	for data, want := range map[string]string{"": "", "\ufeff1\r\n2": "1\r\n2", "1\n\n2\n": "1\n\n2\n", "1\r": "1\r"} {
		if got, err := selector.PlainText([]byte(data)); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", data, got, err)
		}
	}
	for data, want := range map[string]string{
		"\xff\xfe1\x00": "UTF-16", "\xfe\xff\x001": "UTF-16", "1\r2\r": "line 1 has a carriage return", "1\r\n2\r3": "line 2 has a carriage return", "1\r\r\n": "line 1",
	} {
		if got, err := selector.PlainText([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, error %v, want one with %q", data, got, err, want)
		}
	}
	if got := selector.Fields(" 1\t\t2 3\r\n"); !slices.Equal(got, []string{"1", "2", "3"}) || len(selector.Fields(" \t")) > 0 {
		t.Errorf("%q", got)
	}
}

// TestMeant: a name by which others know something, and the path of a file, are answered with what selects it.
func TestMeant(t *testing.T) {
	reader := func(name, example string) func() form {
		return func() form {
			return form{Syntax: name + ":PATH", Doc: "a file", Example: name + ":" + example, File: selector.WholeArgument}
		}
	}
	run := func() form { return form{Syntax: "exec:COMMAND", Doc: "a program", Example: "exec:python3 k.py"} }
	known := func(name string) func() form {
		return func() form { return form{Syntax: name, Doc: "the " + name, Example: name, Others: []string{"gibbs"}} }
	}
	set := selector.Set[int, string]{What: "thing", Forms: []func() form{known("random"), known("scan"), reader("file", "a.csv"), reader("model", "a.toml"), run}}
	const choices = " choices: random, scan, file:PATH, model:PATH, exec:COMMAND"
	for text, want := range map[string]string{
		"gibbs":        `unknown thing "gibbs"; gibbs is called random (the random) or scan (the scan) here;` + choices,
		"Gibbs:3":      `unknown thing "Gibbs:3"; gibbs is called random (the random) or scan (the scan) here;` + choices,
		"x.csv":        `unknown thing "x.csv"; did you mean file:x.csv?` + choices,
		"dir/x":        `unknown thing "dir/x"; did you mean file:dir/x?` + choices,
		`D:\x.toml`:    `unknown thing "D:\\x.toml"; did you mean model:D:\x.toml?` + choices,
		"./k.py":       `unknown thing "./k.py"; did you mean exec:COMMAND, as in exec:python3 k.py?` + choices,
		"a.npz#k":      `unknown thing "a.npz#k"; did you mean file:a.npz#k?` + choices,
		"randon:1.5:2": `unknown thing "randon:1.5:2"; did you mean random?` + choices,
	} {
		if _, err := set.Parse(text, 0); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	none := selector.Set[int, string]{What: "thing", Forms: []func() form{known("random")}}
	if err := none.Unknown("x.csv"); err.Error() != `unknown thing "x.csv"; choices: random` {
		t.Error(err)
	}
}
