package selectortest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"breadboard/chains/selector"
	"breadboard/chains/selector/selectortest"
	_ "breadboard/grid/longtest"
)

// recorder keeps the reported mistakes.
type recorder struct{ told []string }

func (*recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.told = append(r.told, fmt.Sprintf(format, args...))
}

type plainForm = selector.Form[selector.Nothing, string]

// right returns a form that nothing is wrong with.
func right() plainForm {
	return plainForm{
		Syntax: "power:P", Doc: "a power", Example: "power:2",
		Parse: func(args selector.Args, _ selector.Nothing) (string, error) {
			v, err := args.Number("P")
			return fmt.Sprintf("power:%v", v), err
		},
	}
}

// mistakes runs the check on a set of one form, beside one that nothing is wrong with.
func mistakes(f plainForm) []string {
	var r recorder
	other := plainForm{
		Syntax:  "linear",
		Doc:     "a line",
		Example: "linear",
		Parse:   func(selector.Args, selector.Nothing) (string, error) { return "linear", nil },
	}
	selectortest.Run(&r, selectortest.Check[selector.Nothing, string]{
		Set:  selector.NewSet("schedule", func() plainForm { return f }, func() plainForm { return other }),
		Name: func(v string) string { return v },
		Same: func(a, b string) bool { return a == b },
	})
	return r.told
}

// TestMistakesAreFound: each planted mistake is reported, and a right form has none.
func TestMistakesAreFound(t *testing.T) {
	if told := mistakes(right()); len(told) > 0 {
		t.Errorf("a right form is told of: %s", told)
	}
	for what, plant := range map[string]func(*plainForm){
		"no description": func(f *plainForm) { f.Doc = "" },
		"no name":        func(f *plainForm) { f.Syntax = ":P" },
		"name with a capital": func(f *plainForm) {
			f.Syntax = "Power:P"
			f.Example = "Power:2"
		},
		"name of another form": func(f *plainForm) {
			f.Syntax = "linear:P"
			f.Example = "linear:2"
		},
		"example of another form": func(f *plainForm) { f.Example = "linear" },
		"example that is refused": func(f *plainForm) { f.Example = "power:two" },
		"file that is not named":  func(f *plainForm) { f.File = func(string) string { return "" } },
		"arguments left out":      func(f *plainForm) { f.Syntax = "power" },
		"arguments not missed": func(f *plainForm) {
			f.Parse = func(selector.Args, selector.Nothing) (string, error) { return "power:2", nil }
		},
		"wrong name": func(f *plainForm) {
			f.Parse = func(selector.Args, selector.Nothing) (string, error) { return "powr:2", nil }
		},
		"name that is refused": func(f *plainForm) {
			f.Parse = func(args selector.Args, _ selector.Nothing) (string, error) {
				if args.Text != "2" {
					return "", errors.New("no")
				}
				return "power:2.0", nil
			}
		},
		"error that does not say in what": func(f *plainForm) {
			f.Parse = func(args selector.Args, _ selector.Nothing) (string, error) {
				if !args.Given {
					return "", errors.New("no")
				}
				return "power:" + args.Text, nil
			}
		},
	} {
		f := right()
		plant(&f)
		if told := mistakes(f); len(told) == 0 {
			t.Errorf("%s: nothing is told of it", what)
		} else if !strings.Contains(strings.Join(told, " "), "schedule") {
			t.Errorf("%s: %s", what, told)
		}
	}
}
