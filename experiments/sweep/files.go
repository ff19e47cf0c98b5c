package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	"breadboard/chains/selector"
	"breadboard/toys"
)

// maxInput bounds the size of a file that a cell names: the largest that any selector reads.
const maxInput = 1 << 30

// stageMark stands in the path of a kernel's matrices for the number of the stage, from 2 on.
const stageMark = "{t}"

// files returns the paths of the files that the selectors of a cell name. Of a path for each stage it returns
// those that are there.
func (c Cell) files(there func(path string) bool) []string {
	var paths []string
	for _, selector := range c {
		name, path, _ := strings.Cut(selector, ":")
		switch {
		case name == "matrix" && strings.Contains(path, stageMark):
			for t := 2; ; t++ {
				stage := strings.ReplaceAll(path, stageMark, strconv.Itoa(t))
				if !there(stage) {
					break
				}
				paths = append(paths, stage)
			}
		case name == "matrix":
			paths = append(paths, path)
		default:
			paths = append(paths, toys.FilesOf(selector)...)
		}
	}
	return paths
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
	for _, path := range c.files(s.known) {
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
