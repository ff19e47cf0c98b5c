package reports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Directory is where files are written, each of them whole or not at all.
type Directory struct{ path string }

// OpenDirectory makes the directory if need be, and finds out whether files can be made in it.
func OpenDirectory(path string) (*Directory, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	probe, err := os.CreateTemp(path, ".breadboard-*")
	if err != nil {
		return nil, fmt.Errorf("cannot write to %s: %w", path, err)
	}
	return &Directory{path}, errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// Write writes one file: under a temporary name, synced, and then renamed. The name has no folders in it.
// It returns the path.
func (d *Directory) Write(name string, data []byte) (path string, err error) {
	if name != filepath.Base(name) || name == "." || name == ".." {
		return "", fmt.Errorf("%q is no file name", name)
	}
	path = filepath.Join(d.path, name)
	f, err := os.CreateTemp(d.path, ".breadboard-*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = io.Copy(f, bytes.NewReader(data))
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err != nil {
		return "", err
	}
	return path, os.Rename(f.Name(), path)
}

// FileName turns a selector into a file name without folders: what is not a letter, digit, point, dash or
// underscore becomes a dash, and none stands at the start.
func FileName(selector string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune("._-", r) || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, selector)
	if name = strings.TrimLeft(name, ".-"); name == "" {
		return "toy"
	}
	return name
}
