package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/toys"
)

// maxInput bounds the size of a file that a cell names: the largest that any selector reads.
const maxInput = 1 << 30

// stageMark stands in the path of a kernel's matrices for the number of the stage, from 2 on.
const stageMark = "{t}"

// files returns the paths of the files that the selectors of a cell name (see filesOf).
func (c Cell) files(there func(path string) bool) []string {
	var paths []string
	for _, p := range c {
		paths = append(paths, filesOf(p.Value, there)...)
	}
	return paths
}

// filesOf returns the paths of the files on which a cell depends: those that its selectors name, and those of its program.
func (s *Sweep) filesOf(c Cell) []string {
	paths := c.files(s.known)
	if c.program() {
		paths = append(paths, s.programs...)
	}
	return paths
}

// FilesOf returns the paths of the files that a selector of any parameter names. Where it names a file for each stage these are the files that are
// there.
func FilesOf(selector string) []string { return filesOf(selector, fileExists) }

// filesOf returns the paths of the files that a selector names. Where it names a file for each stage, with a mark for the
// number of the stage, these are the files that are there.
func filesOf(selector string, there func(path string) bool) (paths []string) {
	name, path, _ := strings.Cut(selector, ":")
	switch {
	case name == "matrix" && strings.Contains(numpy.FileOf(path), stageMark):
		for t := 2; ; t++ {
			stage := strings.ReplaceAll(numpy.FileOf(path), stageMark, strconv.Itoa(t))
			if !there(stage) {
				return paths
			}
			paths = append(paths, stage)
		}
	case name == "matrix":
		return []string{numpy.FileOf(path)}
	}
	return toys.FilesOf(selector)
}

// fileExists reports whether there is something at a path.
func fileExists(path string) bool { _, err := os.Stat(path); return err == nil }

// hashFile returns the hash of a file's contents in hexadecimal digits.
func hashFile(path string) (string, error) {
	data, err := selector.ReadFile(path, maxInput)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// unchanged fails where a file of the cell is not what it was when the sweep was read.
func (s *Sweep) unchanged(c Cell) error {
	for _, path := range s.filesOf(c) {
		now, err := hashFile(path)
		if err != nil {
			return fmt.Errorf("%s, which the sweep names, cannot be read any more: %w", path, err)
		}
		if now != s.files[path] {
			return fmt.Errorf("%s has changed since the sweep began to read it; put the old file back, or sweep the new one into another folder", path)
		}
	}
	return nil
}
