package matrices

import (
	"path/filepath"
	"strings"

	"breadboard/chains/selector"
)

// maxFile is the largest number of bytes of a file that is read, however many states there are.
const maxFile = 1 << 30

// format is how a chain stands in a file, by the ending of its name.
type format struct {
	ending string
	rows   func(data []byte, most int) (*Rows, error)
}

func formats() []format {
	return []format{
		{".mtx", ParseMatrixMarket},
		{".tra", ParseTransitions},
		{".umb", func(data []byte, most int) (*Rows, error) {
			c, err := ParseUMB(data, most)
			if err != nil {
				return nil, err
			}
			return &c.Rows, nil
		}},
	}
}

// Is reports whether a path names a file of rows, by its ending: .mtx, .tra or .umb.
func Is(path string) bool {
	for _, f := range formats() {
		if strings.EqualFold(filepath.Ext(path), f.ending) {
			return true
		}
	}
	return false
}

// ReadRows reads the rows of a chain of at most so many states from a file for which Is holds.
func ReadRows(path string, most int) (*Rows, error) {
	const each = 64 // bytes, as many as an entry may take in a text with all its digits and the numbers of its states
	data, err := selector.ReadFile(path, min(maxFile, 1<<20+each*int64(most)*int64(most)))
	if err != nil {
		return nil, err
	}
	for _, f := range formats() {
		if strings.EqualFold(filepath.Ext(path), f.ending) {
			return f.rows(data, most)
		}
	}
	panic("no such format: " + path)
}
