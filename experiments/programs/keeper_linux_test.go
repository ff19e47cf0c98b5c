package programs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"breadboard/grid"
	"breadboard/grid/longtest"
)

// playFamily plays a program and its descendants, which do what they can to outlive it, and a
// process that uses this package and is killed.
func playFamily(role, kind, dir string) bool {
	begin := func(role string, alone bool) {
		c := exec.Command(os.Args[0], role, kind, dir)
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: alone}
		c.Env = []string{} // no trace of where it comes from
		if strings.HasPrefix(role, "leaf") {
			c.Stdout = os.Stdout
			c.Stderr = os.Stderr
		}
		if err := c.Start(); err != nil {
			panic(err)
		}
	}
	switch role {
	case "family":
		if kind == "stops-its-keeper" {
			_ = syscall.Kill(os.Getppid(), syscall.SIGSTOP)
		}
		if kind == "stops-its-keeper-again" {
			go func() {
				for {
					_ = syscall.Kill(os.Getppid(), syscall.SIGSTOP)
				}
			}()
		}
		begin("leaf-1", true) // in a session of its own
		begin("middle", true) // twice removed
		for !grown(dir) {
			time.Sleep(time.Millisecond)
		}
		program(kind)
	case "middle":
		begin("leaf-2", true)
	case "leaf-1", "leaf-2":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		path := filepath.Join(dir, role)
		_ = os.WriteFile(path+".new", []byte(strconv.Itoa(os.Getpid())), 0o600)
		_ = os.Rename(path+".new", path)
		time.Sleep(5 * time.Minute)
	case "host":
		programs := NewPrograms(context.Background(), time.Minute)
		if _, err := programs.StartKernel(
			fmt.Sprintf("%s family %s %s", os.Args[0], kind, dir),
			grid.MustNew(2, 2),
		); err != nil {
			panic(err)
		}
		time.Sleep(5 * time.Minute)
	default:
		return false
	}
	return true
}

// grown reports whether all descendants of a family are there.
func grown(dir string) bool {
	_, err1 := os.Stat(filepath.Join(dir, "leaf-1"))
	_, err2 := os.Stat(filepath.Join(dir, "leaf-2"))
	return err1 == nil && err2 == nil
}

// leaves returns the descendants of a family that are alive.
func leaves(t *testing.T, dir string) (alive []int) {
	t.Helper()
	for i := 1; i <= 2; i++ {
		text := longtest.Must(os.ReadFile(filepath.Join(dir, fmt.Sprintf("leaf-%d", i))))(t)
		pid := longtest.Must(strconv.Atoi(string(text)))(t)
		if syscall.Kill(pid, 0) == nil {
			alive = append(alive, pid)
			t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
		}
	}
	return alive
}

// kin starts a program with descendants.
func kin(t *testing.T, programs *Programs, kind string) (*Program, string, error) {
	t.Helper()
	dir := t.TempDir()
	k, err := programs.StartKernel(fmt.Sprintf("%s family %s %s", os.Args[0], kind, dir), grid.MustNew(2, 2))
	return k, dir, err
}

// TestDescendants: what a program has started ends with it, in other sessions and with dead parents
// too. Other programs and other children of ours live on.
func TestDescendants(t *testing.T) {
	longtest.Only(t)
	stranger := exec.Command("sleep", "3600")
	stranger.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := stranger.Start(); err != nil {
		t.Skip(err)
	}
	defer func() {
		_ = stranger.Process.Kill()
		_ = stranger.Wait()
	}()
	one := NewPrograms(context.Background(), longtest.Patience)
	other := NewPrograms(context.Background(), longtest.Patience)
	defer other.Close()
	_, ended, err := kin(t, one, "good")
	longtest.NoError(t, err)
	k, kept, err := kin(t, other, "good")
	longtest.NoError(t, err)
	if n := len(leaves(t, ended)); n != 2 {
		t.Fatalf("%d of 2 descendants are alive", n)
	}
	one.Close()
	if alive := leaves(t, ended); len(alive) > 0 {
		t.Errorf("after Close %v are alive", alive)
	}
	if n := len(leaves(t, kept)); n != 2 {
		t.Errorf("%d of 2 descendants of another program are alive", n)
	}
	if y := k.Move(first{}, []float64{0, 1, 2, 3}, 1); y != 3 {
		t.Errorf("the other program went to %d", y)
	}
	if err := syscall.Kill(stranger.Process.Pid, 0); err != nil {
		t.Errorf("a child that is not a program's: %v", err)
	}
}

// TestDescendantsOfTheDead: if the process that uses this package is killed, so are its programs.
func TestDescendantsOfTheDead(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	host := exec.Command(os.Args[0], "host", "good", dir)
	longtest.NoError(t, host.Start())
	if !eventually(func() bool { return grown(dir) }) {
		t.Error("its program has not begun")
	}
	_ = host.Process.Kill()
	_ = host.Wait()
	if !eventually(func() bool { return len(leaves(t, dir)) == 0 }) {
		t.Errorf("%v are alive", leaves(t, dir))
	}
}

// TestStoppedKeeper: a program that stops its keeper does not escape it.
func TestStoppedKeeper(t *testing.T) {
	longtest.Only(t)
	for _, kind := range []string{"stops-its-keeper", "stops-its-keeper-again"} {
		programs := NewPrograms(context.Background(), longtest.Patience)
		_, dir, err := kin(t, programs, kind)
		if err != nil {
			t.Log(err) // it was stopped before it could say that the program runs
			continue
		}
		programs.Close()
		if alive := leaves(t, dir); len(alive) > 0 {
			// as they would be if the keeper had been given up and killed
			t.Errorf("%s: %v are alive", kind, alive)
		}
	}
}

// TestProcOfAnotherNamespace: if /proc belongs to another PID namespace, so that the numbers in
// it are those of other processes, no program is started.
func TestProcOfAnotherNamespace(t *testing.T) {
	host := exec.Command(os.Args[0], "host", "good", t.TempDir())
	host.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	if os.Getuid() != 0 {
		host.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
	}
	var said strings.Builder
	host.Stderr = &said
	if err := host.Start(); err != nil {
		t.Skip("no PID namespaces here: ", err)
	}
	// and with it all of its namespace
	hung := time.AfterFunc(longtest.Patience, func() { _ = host.Process.Kill() })
	defer hung.Stop()
	if err := host.Wait(); err == nil ||
		!strings.Contains(said.String(), "/proc belongs to another PID namespace") {
		t.Errorf("%v: %s", err, said.String())
	}
}
