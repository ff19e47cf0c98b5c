package matrices

import (
	"slices"
	"strings"

	"breadboard/chains/selector"
)

// maxFile is the largest number of bytes of a file that is read, however many states there are.
const maxFile = 1 << 30

// format is how a chain stands in a file, by the endings of its name.
type format struct {
	endings []string
	rows    func(data []byte, most int) (*Rows, error)
}

func formats() []format {
	return []format{
		{[]string{".mtx"}, ParseMatrixMarket},
		{[]string{".tra"}, ParseTransitions},
		{umbEndings(), func(data []byte, most int) (*Rows, error) {
			c, err := ParseUMB(data, most)
			if err != nil {
				return nil, err
			}
			return &c.Rows, nil
		}},
	}
}

// umbEndings returns the endings of UMB files: the format's own, and those that tools give compressed files. Which compression it is stands in the file.
func umbEndings() []string { return []string{".umb", ".umb.gz", ".umb.xz"} }

// endsWith reports whether a path has one of the endings, in small letters or in capitals.
func endsWith(path string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(strings.ToLower(path), ending) })
}

// Is reports whether a path names a file of rows, by its ending: .mtx, .tra or .umb.
func Is(path string) bool {
	return slices.ContainsFunc(formats(), func(f format) bool { return endsWith(path, f.endings...) })
}

// ReadRows reads the rows of a chain of at most so many states from a file for which Is holds.
func ReadRows(path string, most int) (*Rows, error) {
	data, err := readFile(path, most)
	if err != nil {
		return nil, err
	}
	list := formats()
	return list[slices.IndexFunc(list, func(f format) bool { return endsWith(path, f.endings...) })].rows(data, most)
}

// readFile reads a file of no more bytes than a chain of so many states may take.
func readFile(path string, most int) ([]byte, error) {
	const each = 64 // bytes, as many as an entry may take in a text with all its digits and the numbers of its states
	return selector.ReadFile(path, min(maxFile, 1<<20+each*int64(most)*int64(most)))
}
