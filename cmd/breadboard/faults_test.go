package main

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestFullDisk: help, completions and results that cannot be written are failures of writing.
func TestFullDisk(t *testing.T) {
	for _, line := range []string{
		"help", "--help", "kernel check --help", "help kernel check", "sweep", "completion",
		"completion bash", "completion zsh", "completion fish", "completion powershell", "toys",
		"toys show easy", "toys export easy", "--version"} {
		var errs strings.Builder
		if code := run(context.Background(), strings.Fields(line), full{}, &errs); code != exitIO ||
			!strings.Contains(errs.String(), "no space left") {
			t.Errorf("%q to a full disk: exit code %d, %s", line, code, errs.String())
		}
		if code, stdout, stderr := command(t, strings.Fields(line)...); code != exitDone || stdout == "" ||
			stderr != "" {
			t.Errorf("%q: exit code %d, %d bytes, %s", line, code, len(stdout), stderr)
		}
	}
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }
