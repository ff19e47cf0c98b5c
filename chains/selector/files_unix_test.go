//go:build unix

package selector_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"breadboard/chains/selector"
	"breadboard/grid/longtest"
)

// TestIrregularFiles: nothing but a regular file is read, and none of the rest is waited for.
func TestIrregularFiles(t *testing.T) {
	dir, err := os.MkdirTemp("", "") // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	socket := longtest.Must(net.Listen("unix", at("socket")))(t)
	defer socket.Close()
	for name, to := range map[string]string{"to-pipe": at("pipe"), "to-zero": "/dev/zero", "to-folder": dir, "round": at("round")} {
		longtest.NoError(t, os.Symlink(to, at(name)))
	}
	longtest.NoError(t, os.WriteFile(at("shut"), nil, 0))
	cases := map[string]string{
		at("pipe"): "but a pipe", at("to-pipe"): "but a pipe", at("socket"): "but a socket", "/dev/zero": "but a device", at("to-zero"): "but a device",
		dir: "but a folder", at("to-folder"): "but a folder", at("round"): "too many levels",
	}
	if os.Getuid() != 0 {
		cases[at("shut")] = "permission denied"
	}
	for path, want := range cases {
		done := make(chan error, 1)
		go func() {
			_, err := selector.ReadFile(path, 1000)
			done <- err
		}()
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v, want %q", path, err, want)
			}
		case <-time.After(longtest.Patience):
			t.Fatalf("%s was not refused in %v", path, longtest.Patience)
		}
	}
}

// TestPipeBeside: a pipe in the folder of a file that names it is refused at once.
func TestPipeBeside(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := selector.ReadBeside(filepath.Join(dir, "model.toml"), "pipe", 1000)
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "but a pipe") {
			t.Error(err)
		}
	case <-time.After(longtest.Patience):
		t.Fatalf("the pipe was not refused in %v", longtest.Patience)
	}
}
