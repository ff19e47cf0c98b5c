package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

func TestCompare(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		writeFile(t, at(name), text)
	}
	ours := func(name string, args ...string) {
		var out, messages bytes.Buffer
		if code := run(context.Background(), args, &out, &messages); code != exitDone {
			t.Fatal(code, &messages)
		}
		write(name, out.String())
	}
	ours("a.json", "tightness", "--toy", "easy,hard", "-T", "10,20", "--format", "json")
	ours("a.csv", "tightness", "--toy", "hard,easy", "-T", "20,10", "--format", "csv")
	ours("more.csv", "tightness", "--toy", "hard,easy", "-T", "10,30", "--format", "csv")
	ours("check.csv", "kernel", "check", "barker", "--toy", "easy", "--beta", "1", "-T", "3", "--format", "csv")
	write("one.csv", "toy,T,J,big\neasy,10,0.1,12345678901234567\nhard,10,1e-20,2\n")
	write("near.csv", "toy,T,J,big\nhard,10,2e-20,2\neasy,10,0.10000000000001,12345678901234567\n")
	write("big.csv", "toy,T,J,big\neasy,10,0.1,12345678901234568\nhard,10,1e-20,2\n")
	write("nan.csv", "toy,T,J,extra\neasy,10,NaN,1\nhard,10,+Inf,1\n")
	write("plain.csv", "1,2\n")
	write("numbers.csv", "x,y\n1,2\n1,3\n")
	write("bad.json", "[{]")
	for _, c := range []struct {
		code  int
		shows string // in the results or in the messages
		args  []string
	}{
		{exitDone, "rows are matched by toy, ", []string{"a.json", "a.csv"}},
		{exitFault, `row,"toy easy, T 20`, []string{"a.json", "more.csv", "--by", "toy,T"}},
		{exitFault, `row,"toy hard, T 30",,missing,there`, []string{"a.json", "more.csv", "--by", "toy,T"}},
		{exitDone, "", []string{"check.csv", "check.csv"}},
		{exitFault, `cell,"toy hard, T 10",J,1e-20,2e-20,1e-20,0.5`, []string{"one.csv", "near.csv"}},
		{exitFault, `cell,"toy easy, T 10",J,0.1,0.10000000000001,9.99`, []string{"one.csv", "near.csv", "--tolerance", "1e-14"}},
		{exitDone, "4 cells and 2 rows", []string{"one.csv", "near.csv", "--absolute", "1e-15"}},
		{exitDone, "", []string{"one.csv", "near.csv", "--tolerance", "0.5"}},
		{exitFault, `big,12345678901234567,12345678901234568,,`, []string{"one.csv", "big.csv", "--tolerance", "1"}},
		{exitFault, "column,,big,there,missing,,\ncolumn,,extra,missing,there,,\ncell,\"toy easy, T 10\",J,0.1,NaN,,\ncell,\"toy hard, T 10\",J,1e-20,'+Inf,+Inf,+Inf\n", []string{"one.csv", "nan.csv", "--tolerance", "1"}},
		{exitDone, "by their order", []string{"numbers.csv", "numbers.csv"}},
		{exitBadInput, "have no column in common", []string{"one.csv", "plain.csv"}},
		{exitBadInput, "neither table has a row", []string{"plain.csv", "plain.csv"}},
		{exitBadInput, `unknown column of both "K"`, []string{"one.csv", "near.csv", "--by", "K"}},
		{exitBadInput, "the tolerance is -1", []string{"one.csv", "near.csv", "--tolerance", "-1"}},
		{exitBadInput, "the tolerance is NaN", []string{"one.csv", "near.csv", "--tolerance", "nan"}},
		{exitBadInput, "bad.json: object 1", []string{"one.csv", "bad.json"}},
		{exitBadInput, "no such file", []string{"one.csv", "none.json"}},
	} {
		args := append([]string{"compare", "--format", "csv", at(c.args[0]), at(c.args[1])}, c.args[2:]...)
		var out, messages bytes.Buffer
		code := run(context.Background(), args, &out, &messages)
		if code != c.code || !strings.Contains(out.String()+messages.String(), c.shows) || code == exitBadInput && c.shows[0] != 'n' && out.Len() > 0 {
			t.Errorf("%v: exit code %d\n%s%s", c.args, code, &out, &messages)
		}
	}
}
