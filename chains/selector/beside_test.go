package selector_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/chains/selector"
	"breadboard/grid/longtest"
)

// TestReadBeside: a file that another one names is read in the folder of that one and below it, and nowhere else, links followed.
func TestReadBeside(t *testing.T) {
	folder := t.TempDir()
	home := filepath.Join(folder, "home")
	write := func(path, text string) {
		longtest.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		longtest.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	write(filepath.Join(home, "points.csv"), "inside")
	write(filepath.Join(home, "below", "points.csv"), "below")
	write(filepath.Join(folder, "secret.csv"), "outside")
	for link, to := range map[string]string{"in": "below/points.csv", "out": "../secret.csv", "absolute": filepath.Join(folder, "secret.csv"), "up": ".."} {
		if err := os.Symlink(to, filepath.Join(home, link)); err != nil {
			t.Skip(err)
		}
	}
	model := filepath.Join(home, "model.toml") // which need not be there
	for name, want := range map[string]string{"points.csv": "inside", "./points.csv": "inside", "below/points.csv": "below", "below/../points.csv": "inside", "in": "below"} {
		data, err := selector.ReadBeside(model, name, 10)
		if err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
		if path, err := selector.Beside(model, name); err != nil || path != filepath.Join(home, name) {
			t.Errorf("%s stands at %s, %v", name, path, err)
		}
	}
	for name, want := range map[string]string{
		"../secret.csv": "does not stand in the folder of", "below/../../secret.csv": "does not stand in the folder of", "..": "does not stand in the folder of",
		filepath.Join(folder, "secret.csv"): "does not stand in the folder of", "": "does not stand in the folder of",
		"out": "must stand in its folder or below it, links followed", "absolute": "links followed", "up/secret.csv": "links followed",
		"below": "is no regular file but a folder", ".": "is no regular file but a folder", "none.csv": "no such file",
	} {
		data, err := selector.ReadBeside(model, name, 10)
		if err == nil || data != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, error %v, want one with %q", name, data, err, want)
		}
	}
	if _, err := selector.ReadBeside(model, "none.csv", 10); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := selector.ReadBeside(model, "points.csv", 5); err == nil || !strings.Contains(err.Error(), filepath.Join(home, "points.csv")+" has 6 bytes, and at most 5 bytes are read") {
		t.Error(err)
	}
	if _, err := selector.ReadBeside(filepath.Join(folder, "nowhere", "model.toml"), "points.csv", 5); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
