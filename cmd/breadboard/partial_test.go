package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"breadboard/experiments"
	"breadboard/grid/longtest"
	"breadboard/reports"
)

// TestInterruptedRowsAreShown: the rows that are finished when a signal comes are printed and written as partial, and the exit code says
// that the run was interrupted. The last annealing takes hours.
func TestInterruptedRowsAreShown(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct {
		args   string
		prints string
	}{
		{"tightness --toy easy -T 10,100,1e9 --format csv --workers 1", "easy,100,"},
		{"gap --toy easy -T 10,900000 --kernel heatbath-scan --format csv --workers 1", "easy,10,"},
		{"subjective --toy easy -T 10,1e9 --reference uniform --moves 0,10 --format csv --workers 1", "easy,10,"},
		{"weights --toy random:1:1:2 -T 3,3e7 --format csv --workers 1", "random:1:1:2,3,"},
		{"ais --toy easy -T 10,3e7 --chains 1e3 --format csv --workers 1", "easy,10,"},
		{"schedule optimize --toy easy -T 5,100000 --format csv --workers 1", "easy,5,"},
		{"schedule compare --toy easy -T 5,100000 --schedule linear,optimal:B --format csv --workers 1", "easy,5,"},
		{"smc --toy easy -T 3e8,10 --particles 1,2 --workers 1 --format csv", ""},
		{"sandwich fit --data testdata/faithful.csv --model clustering:2 -T 3,3e6 -S 1 --moves 2 --chains 2 --datasets 1 --workers 1 --format csv", ""},
		{"sandwich --model lowrank:2 --data-rows 6 --data-columns 4 -T 3e7,10 --scans 0 --workers 1 --format csv", ""},
		{"sandwich represent --model lowrank:2 --data-rows 6 --data-columns 4 -T 3e7,10 --workers 1 --format csv", ""},
	} {
		t.Run(strings.Fields(c.args)[0], func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := signalled(t, syscall.SIGINT, time.Duration(longtest.Times(150, 500))*time.Millisecond, append(strings.Fields(c.args), "--out", dir)...)
			p.Env = append(p.Env, patient+"=1")
			var out, errs bytes.Buffer
			p.Stdout, p.Stderr = &out, &errs
			longtest.NoError(t, p.Start())
			if code := ends(p); code != exitInterrupted {
				t.Errorf("%s: exit code %d: %s", c.args, code, errs.String())
			}
			if c.prints == "" { // nothing is finished
				if strings.Contains(errs.String(), "partial:") || out.Len() > 0 || list(t, dir) != "" {
					t.Errorf("%s: %s%s, left %q", c.args, out.String(), errs.String(), list(t, dir))
				}
				return
			}
			if !strings.Contains(out.String(), c.prints) || !strings.Contains(errs.String(), "partial: the run was interrupted") {
				t.Errorf("%s: printed %s and %s", c.args, out.String(), errs.String())
			}
			if strings.Contains(out.String(), dir) {
				t.Errorf("%s: names files that are not written: %s", c.args, out.String())
			}
			if files, _ := filepath.Glob(filepath.Join(dir, "*_partial.csv")); len(files) == 0 || strings.Contains(list(t, dir), ".svg") {
				t.Errorf("%s: wrote %s", c.args, list(t, dir))
			}
			if record, err := os.ReadFile(filepath.Join(dir, reports.RunRecordName)); err != nil || !bytes.Contains(record, []byte(`"partial": true`)) {
				t.Errorf("%s: the record is %s, %v", c.args, record, err)
			}
		})
	}
}

// TestHowMany: the rows that are finished stand beside all that were asked for, where the study says how many these are.
func TestHowMany(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	rows, err := experiments.Rows(ctx, 27, 1, func(_ context.Context, i int) ([]int, error) {
		if i == 9 {
			cancel()
			return nil, ctx.Err()
		}
		return []int{i}, nil
	})
	for _, c := range []struct {
		rows int
		err  error
		want string
	}{{len(rows), err, "9 of 27"}, {2 * len(rows), err, "18 in all, of 9 of 27 parts"}, {9, context.Canceled, "9 in all"}} {
		if got := howMany(c.rows, c.err); got != c.want || !errors.Is(c.err, context.Canceled) {
			t.Errorf("%d rows, %v: %s, want %s", c.rows, c.err, got, c.want)
		}
	}
}

// TestOnlyInterruptionsArePartial: rows beside another error are not shown, nor is a report without rows.
func TestOnlyInterruptionsArePartial(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	bad := errors.New("bad")
	for name, c := range map[string]struct {
		ctx   context.Context
		err   error
		rows  []int
		shown bool
	}{
		"interrupted": {ended, context.Canceled, []int{1}, true}, "no rows": {ended, context.Canceled, nil, false}, "bad input": {t.Context(), bad, []int{1}, false},
	} {
		var out, errs bytes.Buffer
		a := &app{ctx: c.ctx, stdout: &out, stderr: &errs, now: time.Now, terminal: isTerminal, getenv: func(string) string { return "" }, width: func(io.Writer) int { return 0 }}
		err := showRows(a, c.rows, c.err, func([]int) *reports.Report {
			return &reports.Report{Parts: []reports.Part{
				reports.Text("rows"), reports.Figure{Draw: nil}, reports.File{Name: "x"},
			}}
		})
		if !errors.Is(err, c.err) || (out.String() == "rows") != c.shown || strings.Contains(errs.String(), "partial") != c.shown {
			t.Errorf("%s: %v, %q, %q", name, err, out.String(), errs.String())
		}
	}
}
