package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slowCommands are commands of which each spends seconds or more in one stage, one product, one draw or one file.
// OUT is a folder of its own; HEAVY a sweep whose one cell takes hours, and MANY one of a million cells.
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
		"crosscheck --toy barrier -T 1000",
		"crosscheck --mutants",
		"subjective --toy random:2:1:30x30 -T 30000 --kernel repeat:100:heatbath",
		"smc --toy random:2:1:40x40 -T 1000 --particles 2",
		"aide --toy ising:4x4:0.4 -T 100 --kernel heatbath-scan",
		"evidence --toy ising:4x4:0.4 --kernel heatbath-scan",
		"geweke --toy clu6 --draws 1000000 --rounds 10000",
		"represent --toy gridclu -T 1000000",
		"conform spec --powerful --out OUT",
		"samplers errors --toy random:2:1:30x30 --function all -N 1000000",
		"samplers laws --toy random:2:1:20x20 -N 800",
		"samplers times --toy random:2:1:30x30",
		"samplers order --toy random:2:1:40x40",
		"samplers diagnose --toy random:2:1:30x30 -N 1000000",
		"samplers calibrate --corpus standard",
		"samplers meta",
		"samplers rank --corpus standard --budget 1e6",
		"sandwich --model binary -T 1000000",
		"sandwich --model lowrank:100 --data-rows 10000 --data-columns 1000 -T 2",
		"sandwich compare --model binary --budget 1000s",
		"sandwich compare --model clustering --budget 1000s --out OUT",
		"sandwich check --chains 1e8",
		"tightness --toy ising:4x4:0.4 -T 1000 --kernel heatbath-scan",
		"toys show random:1:1:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2 --out OUT",
		"sweep plan MANY",
		"sweep run MANY --out OUT",
		"sweep run HEAVY --out OUT",
	}
}

// startup is what a command takes that does nothing, at the slowest of five: what it takes beyond some hundredths of a
// second is due to other tests.
func startup(t *testing.T) (slowest time.Duration) {
	for range 5 {
		start := time.Now()
		if out, err := child(t, "version").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		slowest = max(slowest, time.Since(start))
	}
	return slowest
}

// numbers returns a TOML list of whole numbers, without its brackets.
func numbers(from, to int) string {
	list := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		list = append(list, strconv.Itoa(i))
	}
	return strings.Join(list, ",")
}

// TestSignalsAreAnswered: every slow command ends within a second of a signal, with exit code 130, through its context
// and not by the last resort, and leaves no file that is not whole. One command after the other gets the one signal and
// the other, and two after two get them early and late.
func TestSignalsAreAnswered(t *testing.T) {
	if testing.Short() {
		t.Skip("processes that are interrupted")
	}
	heavy := spec(t, "[grid]\ntoy=['barrier']\nkernel=['heatbath']\nT=[100000000]")
	many := spec(t, "[grid]\ntoy=['easy','hard']\nT=["+numbers(2, 5002)+"]\nschedule=['linear','sigmoid','power:2','power:3','power:4','power:5','power:6','power:7','power:8','power:9']\nkernel=['metropolis','barker','heatbath','moore','stay','independence','heatbath-scan','suwa-todo','lazy:0.5','repeat:2']")
	busy := startup(t)
	allowed := 5*time.Second + 40*busy // a second is promised; the rest is for other tests
	forced, mostForced := 0, 2+int(busy/(100*time.Millisecond))
	for i, command := range slowCommands() {
		dir := t.TempDir()
		args := strings.Fields(strings.NewReplacer("OUT", dir, "HEAVY", heavy, "MANY", many).Replace(command))
		signal := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}[i%2]
		// Before the program listens, a signal ends it as it ends any other: on a busy machine that takes a while.
		after := []time.Duration{60, 400}[i/2%2]*time.Millisecond + 3*busy
		c := child(t, args...)
		var errs bytes.Buffer
		c.Stderr = &errs
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after)
		sent := time.Now()
		_ = c.Process.Signal(signal)
		hung := time.AfterFunc(allowed+30*time.Second, func() { _ = c.Process.Kill() })
		_ = c.Wait()
		hung.Stop()
		if took := time.Since(sent); took > allowed || c.ProcessState.ExitCode() != exitInterrupted {
			t.Errorf("%s: %v after %v: exit code %d after %v: %s", command, signal, after, c.ProcessState.ExitCode(), took, errs.String())
		}
		if strings.Contains(errs.String(), byForce) {
			forced++
			t.Logf("%s: %v after %v: by force", command, signal, after)
		}
		if names := list(t, dir); strings.Contains(names, ".breadboard-") {
			t.Errorf("%s: left %s", command, names)
		}
	}
	if forced > mostForced { // a machine busy with other tests starves even what looks at its context
		t.Errorf("%d commands did not end by themselves", forced)
	}
}

// TestSignalWhileNobodyReads: results that nobody reads do not keep the program. A pipe holds far less than the two
// megabytes of them, so that the program waits in a write soon after its first byte is there.
func TestSignalWhileNobodyReads(t *testing.T) {
	c := child(t, "toys", "export", "random:1:1:300x300")
	unread, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer unread.Close()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	hung := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
	defer hung.Stop()
	if _, err := unread.Read(make([]byte, 1)); err != nil {
		t.Errorf("nothing was written: %v", err)
	}
	time.Sleep(100 * time.Millisecond) // for the pipe to be full
	_ = c.Process.Signal(os.Interrupt)
	if _ = c.Wait(); c.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("exit code %d", c.ProcessState.ExitCode())
	}
}

// TestSignalWhileNobodyReadsMessages: messages that nobody reads do not keep the program, whether it computes or has
// failed already.
func TestSignalWhileNobodyReadsMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for processes")
	}
	allowed := 5*time.Second + 20*startup(t)
	for _, command := range []string{"tightness -T 10,1e7", "nonsense"} {
		unread, full, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = full.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
		for err = nil; err == nil; { // until the pipe holds no more
			_, err = full.Write(make([]byte, 1<<12))
		}
		c := child(t, strings.Fields(command)...)
		c.Stderr = full
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
		sent := time.Now()
		_ = c.Process.Signal(syscall.SIGTERM)
		hung := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
		_ = c.Wait()
		hung.Stop()
		if took := time.Since(sent); took > allowed || c.ProcessState.ExitCode() != exitInterrupted {
			t.Errorf("%s: exit code %d after %v", command, c.ProcessState.ExitCode(), took)
		}
		unread.Close()
		full.Close()
	}
}

// TestInterruptedProgramsEnd: a program that hangs within a move ends with the command, and with it what it started.
func TestInterruptedProgramsEnd(t *testing.T) {
	dir := t.TempDir()
	script, pid := filepath.Join(dir, "hang.sh"), filepath.Join(dir, "pid")
	text := "#!/bin/sh\necho '{\"kernel\":\"hang\",\"mode\":\"choose\"}'\nsleep 1000 &\necho $! > " + pid + "\nwait\n"
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	c := child(t, "kernel", "check", "exec:"+script, "--toy", "easy")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
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
	hung := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
	defer hung.Stop()
	if _ = c.Wait(); child == 0 || c.ProcessState.ExitCode() != exitInterrupted {
		t.Fatalf("exit code %d, child %d", c.ProcessState.ExitCode(), child)
	}
	gone := func() bool { // or whoever adopted it has not taken note yet
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(child) + "/stat")
		return err != nil || strings.Contains(string(stat), ") Z ")
	}
	if !eventually(gone) {
		t.Errorf("process %d, which the program had started, is still there", child)
	}
}
