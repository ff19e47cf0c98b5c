package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"breadboard/grid/longtest"
	"breadboard/reports"
)

// TestInterruption: the context ends with the first signal; the program with the second, or when
// the grace is over, after it is tidied; neither if the command ends by itself.
func TestInterruption(t *testing.T) {
	for _, c := range []struct {
		name    string
		signals int
		grace   bool // it is over
		ended   bool // the command ends when its context does
		stuck   bool // the disk does not answer, and the messages are not read
		want    []string
	}{
		{"no signal", 0, false, true, false, nil},
		{"ends by itself", 1, false, true, false, []string{"cancel"}},
		{"ends by force", 1, true, false, false, []string{"cancel", "tidy", "say", "exit"}},
		{"second signal", 2, false, false, false, []string{"cancel", "tidy", "say", "exit"}},
		{"stuck", 1, true, false, true, []string{"cancel", "exit"}},
		{"stuck at the second signal", 2, false, false, true, []string{"cancel", "exit"}},
	} {
		var did []string
		signals := make(chan os.Signal, 2)
		ended := make(chan struct{})
		for range c.signals {
			signals <- os.Interrupt
		}
		if c.signals == 0 {
			close(ended)
		}
		i := interruption{
			signals: signals,
			after: func(d time.Duration) <-chan time.Time {
				now := make(chan time.Time, 1)
				if d == grace && c.grace || (d == tidying || d == saying) && c.stuck {
					now <- time.Time{}
				}
				return now
			},
			cancel: func() {
				did = append(did, "cancel")
				if c.ended {
					close(ended)
				}
			},
			tidy: func() {
				if c.stuck {
					select {}
				}
				did = append(did, "tidy")
			},
			say: func() {
				if c.stuck {
					select {}
				}
				did = append(did, "say")
			},
			exit: func() { did = append(did, "exit") },
		}
		i.watch(ended)
		if !slices.Equal(did, c.want) {
			t.Errorf("%s: %v, want %v", c.name, did, c.want)
		}
	}
}

// slowCommands are commands of which each spends seconds or more in one stage, one product, one
// draw or one file. OUT is a folder of its own; HEAVY a sweep whose one cell takes hours, and MANY
// one of a million cells.
func slowCommands() []string {
	return []string{
		"tightness --toy barrier -T 30000 --kernel repeat:1000:heatbath",
		"tightness --toy random:2:1:60x60 -T 1000000 --kernel independence",
		"tightness --toy random:200:1:60x60 -T 1000 --kernel independence",
		"tightness --toy random:2:1:60x60 -T 100 --kernel repeat:10000:heatbath",
		"tightness --toy random:2:1:40x40 -T 100000 --kernel compose:independence+heatbath",
		"tightness --toy random:2:1:32x32 -T 1000 --schedule friction",
		"tightness --toy random:2:1:1000x1000 -T 100 --schedule acceptance",
		"tightness --toy random:2:1:1000x1000 -T 100 --initial smoothed:100000",
		"tightness --toy random:2:1:200x200 -T 10000 --certify",
		"kernel check repeat:10000:heatbath --toy random:2:1:20x20",
		"kernel check heatbath-scan --toy random:2:1:32x32",
		"schedule optimize --toy barrier -T 50 --kernel repeat:1000:heatbath",
		"schedule compare --toy random:2:1:20x20 -T 100",
		"ais --toy barrier -T 1000 --kernel repeat:100:heatbath --chains 1e7 --out OUT",
		"ais --toy random:2:1:60x60 -T 1000 --kernel independence --chains 1e6",
		"weights --toy hard -T 30000 --samples 1,10,100",
		"gap --toy random:2:1:60x60 -T 100000 --kernel independence",
		"ais --toy barrier -T 1000 --chains 1000 --check",
		"subjective --toy random:2:1:30x30 -T 30000 --kernel repeat:100:heatbath",
		"smc --toy random:2:1:40x40 -T 1000 --particles 2",
		"aide --toy ising:4x4:0.4 -T 100 --kernel heatbath-scan",
		"evidence --toy ising:4x4:0.4 --kernel heatbath-scan",
		"represent --toy gridclu -T 1000000",
		"conform spec --powerful --out OUT",
		"samplers errors --toy random:2:1:30x30 --function all -N 1000000",
		"samplers laws --toy random:2:1:20x20 -N 800",
		"samplers times --toy random:2:1:30x30",
		"samplers diagnose --toy random:2:1:30x30 -N 1000000",
		"samplers calibrate --corpus standard",
		"samplers meta",
		"sandwich --model binary -T 1000000",
		"sandwich --model lowrank:100 --data-rows 10000 --data-columns 1000 -T 2 --datasets 1",
		"sandwich compare --model binary --time 1000s",
		"sandwich compare --model clustering --time 1000s --out OUT",
		"tightness --toy ising:4x4:0.4 -T 1000 --kernel heatbath-scan",
		"toys show random:1:1:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2 --out OUT",
		"sweep plan MANY",
		"sweep run MANY --out OUT",
		"sweep run HEAVY --out OUT",
	}
}

// numbers returns a TOML list of whole numbers, without its brackets.
func numbers(from, to int) string {
	list := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		list = append(list, strconv.Itoa(i))
	}
	return strings.Join(list, ",")
}

// inTime gives a command the time for any size, if there is a limit that it does not name.
func inTime(args []string) []string {
	c, _, err := (&app{}).rootCommand().Find(args)
	if err != nil || slices.Contains(args, "--time") || c.Flags().Lookup("time") == nil {
		return args
	}
	return append(args, "--time", "999h")
}

// TestSignalsAreAnswered: every slow command ends soon after a signal, with exit code 130, through
// its context and not by the last resort, and leaves no file that is not whole. One command after
// the other gets the one signal and the other, and two after two get them early and late. By
// default a third of them does.
func TestSignalsAreAnswered(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	heavy := spec(t, "[grid]\ntoy=['barrier']\nkernel=['heatbath']\nT=[100000000]")
	many := spec(t, "[grid]\ntoy=['easy','hard']\nT=["+numbers(2, 5002)+
		"]\nschedule=['linear','sigmoid','power:2','power:3','power:4','power:5','power:6','power:7','power:8','power:9']\nkernel=['metropolis','barker','heatbath','moore','stay','independence','heatbath-scan','suwa-todo','lazy:0.5','repeat:2']")
	late := time.Duration(longtest.Times(60, 200)) * time.Millisecond
	for i, command := range slowCommands() {
		if i%3 > 0 && !longtest.More() {
			continue
		}
		dir := t.TempDir()
		args := strings.Fields(strings.NewReplacer("OUT", dir, "HEAVY", heavy, "MANY", many).Replace(command))
		sent := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[i/3%3]
		if signal.Ignored(sent) { // as under nohup, which the program then heeds
			sent = syscall.SIGTERM
		}
		after := []time.Duration{20 * time.Millisecond, late}[i%2]
		c := signalled(t, sent, after, inTime(args)...)
		c.Env = append(c.Env, patient+"=1")
		var errs bytes.Buffer
		c.Stderr = &errs
		longtest.NoError(t, c.Start())
		code := ends(c)
		// A second is promised; each of the processors may spend it, and ten are for machines that
		// are slower.
		if spent := c.ProcessState.UserTime() + c.ProcessState.SystemTime(); spent > 10*time.Second+after ||
			code != exitInterrupted ||
			strings.Contains(errs.String(), byForce) {
			t.Errorf("%s: %v after %v: exit code %d after %v of a processor: %s", command, sent, after,
				code, spent, errs.String())
		}
		if names := list(t, dir); strings.Contains(names, ".breadboard-") {
			t.Errorf("%s: left %s", command, names)
		}
	}
}

// TestSignalWhileNobodyReads: results that are not read do not keep the program. A pipe holds far
// less than the two megabytes of them, so that the program waits in the write whose first byte is
// there.
func TestSignalWhileNobodyReads(t *testing.T) {
	longtest.Only(t)
	c := child(t, "toys", "export", "random:1:1:300x300")
	unread := longtest.Must(c.StdoutPipe())(t)
	defer unread.Close()
	longtest.NoError(t, c.Start())
	if _, err := unread.Read(make([]byte, 1)); err != nil {
		t.Errorf("nothing was written: %v", err)
	}
	_ = c.Process.Signal(os.Interrupt)
	if code := ends(c); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
}

// TestSignalWhileNobodyReadsMessages: messages that are not read do not keep the program, whether
// it computes or has failed already.
func TestSignalWhileNobodyReadsMessages(t *testing.T) {
	longtest.Only(t)
	for command, spent := range map[string]time.Duration{
		"tightness -T 10,1e9": 50 * time.Millisecond, "nonsense": 0} {
		unread, full, err := os.Pipe()
		longtest.NoError(t, err)
		for wrote := 1; wrote > 0; { // until the pipe holds no more
			longtest.NoError(t, full.SetWriteDeadline(time.Now().Add(100*time.Millisecond)))
			wrote, _ = full.Write(make([]byte, 1<<12))
		}
		c := signalled(t, syscall.SIGTERM, spent, strings.Fields(command)...)
		c.Stderr = full
		longtest.NoError(t, c.Start())
		if code := ends(c); code != exitInterrupted {
			t.Errorf("%s: exit code %d", command, code)
		}
		unread.Close()
		full.Close()
	}
}

// TestInterruptedProgramsEnd: a program that hangs within a move ends with the command, and with it
// what it started.
func TestInterruptedProgramsEnd(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	script := filepath.Join(dir, "hang.sh")
	pid := filepath.Join(dir, "pid")
	text := "#!/bin/sh\necho '{\"kernel\":\"hang\",\"mode\":\"choose\"}'\nsleep 1000 &\necho $! > " +
		pid + "\nwait\n"
	longtest.NoError(t, os.WriteFile(script, []byte(text), 0o755))
	c := child(t, "kernel", "check", "exec:"+script, "--toy", "easy")
	longtest.NoError(t, c.Start())
	var child int
	eventually(func() bool {
		b, _ := os.ReadFile(pid)
		if len(b) < 2 || b[len(b)-1] != '\n' {
			return false
		}
		child, _ = strconv.Atoi(strings.TrimSpace(string(b)))
		return true
	})
	_ = c.Process.Signal(syscall.SIGTERM)
	if code := ends(c); child == 0 || code != exitInterrupted {
		t.Fatalf("exit code %d, child %d", code, child)
	}
	gone := func() bool { // or its new parent has not taken note yet
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(child) + "/stat")
		return err != nil || strings.Contains(string(stat), ") Z ")
	}
	if !eventually(gone) {
		t.Errorf("process %d, which the program had started, is still there", child)
	}
}

// TestInterruptedRowsAreShown: the rows that are finished when a signal comes are printed and
// written as partial, and the exit code says that the run was interrupted. The last annealing takes
// hours.
func TestInterruptedRowsAreShown(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		args   string
		prints string
	}{
		{"tightness --toy easy -T 10,100,1e9 --format csv --workers 1", "easy,100,"},
		{"gap --toy easy -T 10,900000 --kernel heatbath-scan --format csv --workers 1", "easy,10,"},
		{"subjective --toy easy -T 10,1e9 --reference uniform --moves 0,10 --format csv --workers 1",
			"easy,10,"},
		{"weights --toy random:1:1:2 -T 3,3e7 --format csv --workers 1", "random:1:1:2,3,"},
		{"ais --toy easy -T 10,3e7 --chains 1e3 --format csv --workers 1", "easy,10,"},
		{"schedule optimize --toy easy -T 5,100000 --format csv --workers 1", "easy,5,"},
		{"schedule compare --toy easy -T 5,100000 --schedule linear,best:B --format csv --workers 1",
			"easy,5,"},
		{"smc --toy easy -T 3e8,10 --particles 1,2 --workers 1 --format csv", ""},
		{"sandwich fit --data testdata/faithful.csv --model clustering:2 -T 3,3e6 -S 1 --moves 2 --chains " +
			"2 --datasets 1 --workers 1 --format csv", ""},
		{"sandwich --model lowrank:2 --data-rows 6 --data-columns 4 -T 3e7,10 --scans 0 --workers 1 --format csv", ""},
		{"sandwich represent --model lowrank:2 --data-rows 6 --data-columns 4 -T 3e7,10 --workers 1 --format csv", ""},
	} {
		t.Run(strings.Fields(c.args)[0], func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := signalled(t, syscall.SIGINT, time.Duration(longtest.Times(150, 500))*time.Millisecond,
				inTime(append(strings.Fields(c.args), "--out", dir))...)
			p.Env = append(p.Env, patient+"=1")
			var out, errs bytes.Buffer
			p.Stdout = &out
			p.Stderr = &errs
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
			if !strings.Contains(out.String(), c.prints) ||
				!strings.Contains(errs.String(), "partial: the run was interrupted") {
				t.Errorf("%s: printed %s and %s", c.args, out.String(), errs.String())
			}
			if strings.Contains(out.String(), dir) {
				t.Errorf("%s: names files that are not written: %s", c.args, out.String())
			}
			if files, _ := filepath.Glob(filepath.Join(dir, "*_partial.csv")); len(files) == 0 ||
				strings.Contains(list(t, dir), ".svg") {
				t.Errorf("%s: wrote %s", c.args, list(t, dir))
			}
			if record, err := os.ReadFile(filepath.Join(dir, reports.RunRecordName)); err != nil ||
				!bytes.Contains(record, []byte(`"partial": true`)) {
				t.Errorf("%s: the record is %s, %v", c.args, record, err)
			}
		})
	}
}

// TestOnlyInterruptionsArePartial: rows beside another error are not shown, nor is a report without
// rows.
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
		"interrupted": {ended, context.Canceled, []int{1}, true}, "no rows": {
			ended, context.Canceled, nil, false}, "bad input": {t.Context(), bad, []int{1}, false},
	} {
		var out, errs bytes.Buffer
		a := &app{
			stdout:   &out,
			stderr:   &errs,
			now:      time.Now,
			after:    time.After,
			terminal: isTerminal,
			getenv:   func(string) string { return "" },
			width:    func(io.Writer) int { return 0 },
		}
		err := showRows(c.ctx, a, c.rows, c.err, func([]int) *reports.Report {
			return &reports.Report{Parts: []reports.Part{
				reports.Text("rows"), reports.Figure{Draw: nil}, reports.File{Name: "x"}}}
		})
		if !errors.Is(err, c.err) || (out.String() == "rows") != c.shown ||
			strings.Contains(errs.String(), "partial") != c.shown {
			t.Errorf("%s: %v, %q, %q", name, err, out.String(), errs.String())
		}
	}
}

// TestEndsWithParent: the program ends when the process that has started it closes its pipe, and
// not before.
func TestEndsWithParent(t *testing.T) {
	t.Parallel()
	c := child(t, "tightness", "--toy", "ising:4x4:0.4", "--kernel", "flip", "-T", "1000000", "--time", "9h")
	c.Env = append(c.Env, "BREADBOARD_PARENT=1")
	pipe := longtest.Must(c.StdinPipe())(t)
	longtest.NoError(t, c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		t.Fatalf("it ends while the pipe is open: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	longtest.NoError(t, pipe.Close())
	select {
	case <-ended:
		if code := c.ProcessState.ExitCode(); code != exitInterrupted {
			t.Errorf("exit code %d", code)
		}
	case <-time.After(5 * time.Second):
		t.Error("it goes on without its parent")
		_ = c.Process.Kill()
	}
}
