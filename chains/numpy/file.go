package numpy

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"breadboard/chains/selector"
)

// maxArchive is the largest number of bytes of an archive, of which one array is read.
const maxArchive = 1 << 30

// Is reports whether a path is read in one of NumPy's formats: it ends with .npy or .npz, or with .npz#KEY for one array of an archive.
func Is(path string) bool {
	file, _, archive := split(path)
	return archive || strings.EqualFold(filepath.Ext(file), npySuffix)
}

// FileOf returns the file of a path, which is the path without the key of an array in an archive.
func FileOf(path string) string {
	file, _, _ := split(path)
	return file
}

// split splits a path into the file and the key of an array in it, and says whether it is an archive. A # is part of the file's name where
// .npz is not in front of it.
func split(path string) (file, key string, archive bool) {
	isArchive := func(file string) bool { return strings.EqualFold(filepath.Ext(file), ".npz") }
	if i := strings.LastIndexByte(path, '#'); i >= 0 && isArchive(path[:i]) {
		return path[:i], path[i+1:], true
	}
	return path, "", isArchive(path)
}

// KeyOf returns the key of an array in an archive that a path names, and nothing where it names none.
func KeyOf(path string) string {
	_, key, _ := split(path)
	return key
}

// Keys returns the names of the arrays of the archive that a path names, with or without a key.
func Keys(path string) ([]string, error) {
	f, err := selector.OpenFile(FileOf(path), maxArchive)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	files, err := filesOf(f, f.Size())
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, f := range files {
		if name, array := strings.CutSuffix(f.Name, npySuffix); array {
			keys = append(keys, name)
		}
	}
	return keys, nil
}

// ReadFile reads an array of at most so many numbers from a path for which Is holds.
func ReadFile(path string, numbers int) (*Array, error) {
	file, key, archive := split(path)
	if !archive {
		data, err := selector.ReadFile(path, Size(numbers))
		if err != nil {
			return nil, err
		}
		return Parse(data)
	}
	f, err := selector.OpenFile(file, maxArchive)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return member(f, f.Size(), path, key, numbers)
}

// ParseFile reads an array of at most so many numbers from the bytes of a file whose name is a path for which Is holds, as ReadFile does.
func ParseFile(path string, data []byte, numbers int) (*Array, error) {
	_, key, archive := split(path)
	if !archive {
		return Parse(data)
	}
	return member(bytes.NewReader(data), int64(len(data)), path, key, numbers)
}

// member reads an array of an archive.
func member(r io.ReaderAt, size int64, path, key string, numbers int) (*Array, error) {
	if strings.HasSuffix(path, "#") {
		return nil, fmt.Errorf("the key behind # is empty; write FILE.npz#KEY, or FILE.npz where it has one array")
	}
	data, err := ReadMember(r, size, key, Size(numbers))
	if err != nil {
		return nil, err
	}
	return Parse(data)
}

// CutFile splits a selector, which ends with a path whose file is given, into what stands before the path and the path with its key.
func CutFile(selector, file string) (before, path string) {
	whole := selector
	if key := strings.LastIndexByte(selector, '#'); !strings.HasSuffix(selector, file) && key >= 0 {
		whole = selector[:key]
	}
	before = strings.TrimSuffix(whole, file)
	return before, selector[len(before):]
}
