// Package numpy reads and writes NumPy's files: .npy for one array and .npz for several by name.
// The same arrays are always written as the same bytes. It never unpickles an object, and an array
// is never larger than its file states and the caller allows.
package numpy

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// maxArchive is the largest number of bytes of an archive from which an array is read.
const maxArchive = 1 << 30

// Is reports whether a path names a file in one of NumPy's formats: it ends with .npy or .npz, or
// with .npz#KEY for one array of an archive.
func Is(path string) bool {
	file, _, archive := split(path)
	return archive || selector.Ending(file) == npySuffix
}

// FileOf returns the path without the key of an array in an archive.
func FileOf(path string) string {
	file, _, _ := split(path)
	return file
}

// split splits a path into the file and the key of an array in it, and reports whether it is an
// archive. A # is part of the file's name if .npz is not in front of it.
func split(path string) (file, key string, archive bool) {
	isArchive := func(file string) bool { return strings.EqualFold(filepath.Ext(file), ".npz") }
	if i := strings.LastIndexByte(path, '#'); i >= 0 && isArchive(path[:i]) {
		return path[:i], path[i+1:], true
	}
	return path, "", isArchive(path)
}

// KeyOf returns the key of an array in an archive that a path names, and "" if there is none.
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
	a, err := OpenArchive(f, f.Size())
	if err != nil {
		return nil, err
	}
	return a.Keys(), nil
}

// ReadFile reads an array of at most the given number of numbers from a path for which Is is true.
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

// ParseFile is ReadFile for the bytes of a file with this path.
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
		return nil, errs.New("the key behind # is empty; write FILE.npz#KEY, or FILE.npz if it has one array")
	}
	data, err := ReadMember(r, size, key, Size(numbers))
	if err != nil {
		return nil, err
	}
	return Parse(data)
}

// CutFile splits a selector that ends with a path to the given file into the part before the path,
// and the path with its key.
func CutFile(selector, file string) (before, path string) {
	whole := selector
	if key := strings.LastIndexByte(selector, '#'); !strings.HasSuffix(selector, file) && key >= 0 {
		whole = selector[:key]
	}
	before = strings.TrimSuffix(whole, file)
	return before, selector[len(before):]
}

// Member is an array in an archive: its name, and its bytes as a file .npy.
type Member struct {
	Name string
	Data []byte
}

// WriteArchive writes arrays as a .npz file: a ZIP of .npy files without compression or times, so
// that the same arrays are always the same bytes.
func WriteArchive(w io.Writer, members []Member) error {
	out := zip.NewWriter(w)
	for _, m := range members {
		to, err := out.CreateHeader(&zip.FileHeader{Name: m.Name + npySuffix, Method: zip.Store})
		if err != nil {
			return err
		}
		if _, err := to.Write(m.Data); err != nil {
			return err
		}
	}
	return out.Close()
}

const npySuffix = ".npy"

// maxDirectory is the largest number of bytes of an archive's directory: some thousands of arrays.
const maxDirectory = 1 << 20

// maxListed is the largest number of names that an error lists.
const maxListed = 20

// Archive is an archive whose directory has been read.
type Archive struct {
	files []*zip.File
	named map[string][]*zip.File
}

// OpenArchive reads the directory of an archive, whose size is in bytes.
func OpenArchive(archive io.ReaderAt, size int64) (*Archive, error) {
	// the end of the directory is searched for in the last 64 kB
	bounded := &boundedReader{from: archive, left: maxDirectory + 1<<17}
	list, err := zip.NewReader(bounded, size)
	switch {
	case bounded.over:
		return nil, errs.New("the directory of the archive takes more than %d bytes; save fewer arrays", maxDirectory)
	case err != nil:
		return nil, fmt.Errorf("this is not a ZIP archive such as .npz, or it is cut off (%w)", err)
	}
	bounded.left = 1 << 62
	a := &Archive{list.File, map[string][]*zip.File{}}
	for _, f := range list.File {
		a.named[f.Name] = append(a.named[f.Name], f)
	}
	return a, nil
}

// Keys returns the names of the arrays.
func (a *Archive) Keys() (keys []string) {
	for _, f := range a.files {
		if name, array := strings.CutSuffix(f.Name, npySuffix); array {
			keys = append(keys, name)
		}
	}
	return keys
}

// ReadMember returns one array of an archive, whose size is in bytes, like Archive.Read. If the key
// is empty, the archive must have one array only; otherwise the error lists the keys.
func ReadMember(archive io.ReaderAt, size int64, key string, limit int64) ([]byte, error) {
	a, err := OpenArchive(archive, size)
	if err != nil {
		return nil, err
	}
	keys := a.Keys()
	switch {
	case len(keys) == 0:
		return nil, errs.New("the archive has no arrays; write it with numpy.savez")
	case key == "" && len(keys) > 1:
		return nil, errs.New("the archive has %d arrays; name one of them behind #, as in FILE.npz#%s: %s",
			len(keys), keys[0], listed(keys))
	case key == "":
		key = keys[0]
	}
	return a.Read(key, limit)
}

// Read returns the array of a key, as a file .npy of at most limit bytes. The limit holds for the
// size that the archive states and for the expanded member.
func (a *Archive) Read(key string, limit int64) ([]byte, error) {
	found := a.named[key+npySuffix]
	switch {
	case len(found) > 1:
		return nil, errs.New("the archive has two arrays of the name %q; save it again, with a name for each", key)
	case found == nil:
		return nil, errs.New("the archive has no array %q; it has %s", key, listed(a.Keys()))
	}
	data, err := expand(found[0], limit)
	if err != nil {
		return nil, fmt.Errorf("array %s: %w", key, err)
	}
	return data, nil
}

// boundedReader fails after a number of bytes have been read.
type boundedReader struct {
	from io.ReaderAt
	left int64
	over bool
}

func (b *boundedReader) ReadAt(p []byte, at int64) (int, error) {
	b.left -= int64(len(p))
	if b.left < 0 {
		b.over = true
		return 0, errors.New("too long")
	}
	return b.from.ReadAt(p, at)
}

// expand returns the array in a file of an archive, of at most limit bytes. Its header is read
// first, so that no more is expanded of an array of another size than the archive states.
func expand(f *zip.File, limit int64) ([]byte, error) {
	if f.UncompressedSize64 > uint64(limit) {
		return nil, errs.New("it has more than %d bytes; is it the right file? if so, make it smaller", limit)
	}
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	const first = 1 << 16
	size := int64(f.UncompressedSize64)
	var data bytes.Buffer
	if _, err := data.ReadFrom(io.LimitReader(in, first)); err != nil {
		return nil, damaged(err)
	}
	h, at, err := ReadHeader(bytes.NewReader(data.Bytes()), min(size, first))
	if err == nil {
		if _, err := h.checkedSides(size - at); err != nil {
			return nil, err
		}
		data.Grow(int(size) - data.Len())
	}
	// The end is where the sum of the bytes is checked, one byte behind what the archive states.
	if _, err := data.ReadFrom(io.LimitReader(in, size+1-int64(data.Len()))); err != nil {
		return nil, damaged(err)
	}
	return data.Bytes(), nil
}

// damaged returns the error of a file of an archive that cannot be expanded.
func damaged(err error) error { return fmt.Errorf("it is cut off or damaged (%w)", err) }

// listed writes names for a message.
func listed(names []string) string {
	if more := len(names) - maxListed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), more)
	}
	return strings.Join(names, ", ")
}
