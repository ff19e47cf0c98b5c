package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

// TestParquetToTerminal: it is refused before anything is computed, unless a folder gets the files.
func TestParquetToTerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil || !isTerminal(terminal) {
		t.Skip("no terminal: ", err)
	}
	defer terminal.Close()
	var stderr bytes.Buffer
	code := run(context.Background(), []string{"tightness", "-T", "1e12", "--format", "parquet"}, terminal, &stderr)
	if code != exitBadInput || stderr.String() != "breadboard: --format parquet is not for a terminal; send it to a file with >, or give --out DIR\n" {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
	stderr.Reset()
	code = run(context.Background(), []string{"export", "--toy", "easy", "-T", "1e5"}, terminal, &stderr)
	if code != exitBadInput || stderr.String() != "breadboard: --format npz is nothing for a terminal; send it to a file with > or --out DIR\n" {
		t.Errorf("export: exit code %d, %q", code, stderr.String())
	}
	dir := t.TempDir()
	code = run(context.Background(), []string{"tightness", "-T", "3", "--format", "parquet", "--out", dir}, terminal, &stderr)
	if names := parts(t, dir); code != exitDone || !strings.Contains(names, ".parquet") {
		t.Errorf("exit code %d, wrote %s", code, names)
	}
}
