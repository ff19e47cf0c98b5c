package table_test

import (
	"math"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/reports/table"
)

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		text string
		cell any
		want bool
	}{
		{"J<0.1", 0.09, true}, {"J<0.1", 0.1, false}, {"J <= 1e-1", 0.1, true}, {"J>0.1", 0.1, false}, {"J>=0.1", 0.1, true}, {"T==100", 100, true}, {"T==100", 101, false},
		{"T==100", uint64(100), true}, {"J<0.1", table.Both{Machine: 0.05, People: "much"}, true},
		{"J<0.1", nil, false}, {"J<0.1", "0.05", false}, {"J<0.1", math.NaN(), false}, {"J==0", math.NaN(), false}, {"J<0.1", math.Inf(-1), true}, {"J>1e300", math.Inf(1), true}, {"ok==1", true, false},
	} {
		got, err := table.ParseConditions(c.text)
		if err != nil || len(got) != 1 || got[0].Holds(c.cell) != c.want {
			t.Errorf("%s of %v: %v, %v", c.text, c.cell, got, err)
		}
	}
	if got, err := table.ParseConditions("J<0.1, B<=2,x-1>-3"); err != nil || len(got) != 3 || got[2].String() != "x-1>-3" {
		t.Errorf("%v, %v", got, err)
	}
	for text, want := range map[string]string{
		"": "has no comparison", "J": "has no comparison", "J<": "is no number", "<1": "names no column", "J=1": "write ==", "J<1,": "has no comparison", "J<nan": "is no number", "J<inf": "is no number", "J=<1": "write ==", "J<<1": "is no number", "J!=1": "write ==",
	} {
		if got, err := table.ParseConditions(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, got, err, want)
		}
	}
}

func TestFailingRows(t *testing.T) {
	rows := &table.Table{
		Columns: []table.Column{{Name: "toy", Type: table.String}, {Name: "T", Type: table.Int}, {Name: "J", Type: table.Float}, {Name: "note", Type: table.String}, {Title: "for people"}},
		Rows:    [][]any{{"easy", 10, 0.5, nil, "x"}, {"hard", 10, 0.05, nil, "x"}, {"hard", 20, nil, nil, "x"}},
	}
	c := longtest.Must(table.ParseConditions("J<0.1"))(t)
	lines, err := rows.Failing(c[0])
	if err != nil || strings.Join(lines, "\n") != "J<0.1 does not hold in row 1 (toy easy, T 10): J is 0.5\nJ<0.1 does not hold in row 3 (toy hard, T 20): J is empty" {
		t.Errorf("%q, %v", lines, err)
	}
	for _, name := range []string{"toy", "K", "for people"} {
		if _, err := rows.Failing(table.Condition{Column: name, Sign: "<", Number: 1}); err == nil || !strings.Contains(err.Error(), "unknown column") || !strings.Contains(err.Error(), "choices: T, J") {
			t.Errorf("%s: %v", name, err)
		}
	}
	rows.Rows = nil
	if _, err := rows.Failing(c[0]); err == nil || !strings.Contains(err.Error(), "has no rows") {
		t.Error(err)
	}
}

func FuzzParseConditions(f *testing.F) {
	f.Add("J<0.1,B<=2")
	f.Add("a==b")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := table.ParseConditions(text)
		for _, c := range list {
			again, wrong := table.ParseConditions(c.String())
			if wrong != nil || len(again) != 1 || again[0] != c {
				t.Errorf("%q: %v reads back as %v, %v", text, c, again, wrong)
			}
		}
		if err == nil && len(list) == 0 {
			t.Errorf("%q: no conditions", text)
		}
	})
}
