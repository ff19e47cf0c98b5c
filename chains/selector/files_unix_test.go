//go:build unix

package selector_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"breadboard/chains/selector"
	"breadboard/grid/longtest"
)

// TestIrregularFiles: nothing but a regular file is read, and none of the rest is waited for.
func TestIrregularFiles(t *testing.T) {
	dir, err := os.MkdirTemp("", "") // the name of a socket is short
	longtest.NoError(t, err)
	defer os.RemoveAll(dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	socket := longtest.Must(net.Listen("unix", at("socket")))(t)
	defer socket.Close()
	for name, to := range map[string]string{
		"to-pipe": at("pipe"), "to-zero": "/dev/zero", "to-folder": dir, "round": at("round")} {
		longtest.NoError(t, os.Symlink(to, at(name)))
	}
	longtest.NoError(t, os.WriteFile(at("shut"), nil, 0))
	cases := map[string]string{
		at("pipe"): "but a pipe", at("to-pipe"): "but a pipe", at("socket"): "but a socket",
		"/dev/zero": "but a device", at("to-zero"): "but a device",
		dir: "but a folder", at("to-folder"): "but a folder", at("round"): "too many levels",
	}
	if os.Getuid() != 0 {
		cases[at("shut")] = "permission denied"
	}
	for path, want := range cases {
		err := soon(t, func() error { _, err := selector.ReadFile(path, 1000); return err })
		longtest.Refused(t, err, want)
		longtest.Refused(t, err, path)
	}
	// A pipe in the folder of a file that names it is refused at once.
	longtest.Refused(t,
		soon(t, func() error { _, err := selector.ReadBeside(at("model.toml"), "pipe", 1000); return err }),
		"but a pipe")
}

// soon returns the error of what must not wait.
func soon(t *testing.T, read func() error) error {
	done := make(chan error, 1)
	go func() { done <- read() }()
	select {
	case err := <-done:
		return err
	case <-time.After(longtest.Patience):
		t.Fatalf("not refused in %v", longtest.Patience)
		return nil
	}
}
