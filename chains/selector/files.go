package selector

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"breadboard/chains/errs"
)

// File is a regular file that is open for reading. It yields at most the bytes that the file had
// when it was opened, so that reading ends even if another process keeps writing.
type File struct {
	*io.SectionReader
	name  string
	file  *os.File // nil if the content is in memory
	limit int64    // the most bytes, also of what is unpacked
}

// InMemory returns a file with a name and a content, of which at most limit bytes are decompressed.
func InMemory(name string, content []byte, limit int64) *File {
	return &File{io.NewSectionReader(bytes.NewReader(content), 0, int64(len(content))), name, nil, limit}
}

// ErrChanged is the error for a file whose size changed while the whole of it was read.
var ErrChanged = errs.New("its size changed while it was read; wait until the file is complete, and run again")

// ReadFile reads a whole regular file of at most limit bytes, and decompresses gzip. It fails with
// ErrChanged if the size of the file changes meanwhile. This module reads every file by ReadFile or
// OpenFile, because a user's path may name a pipe or a device, which may never end.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, err := OpenFile(path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadWhole()
}

// OpenFile opens a regular file of at most limit bytes for reading. It fails for folders, pipes,
// sockets, devices, files that are too large and Parquet files, before anything is read. It checks
// the opened file, not the path, and does not wait for the other end of a pipe.
func OpenFile(path string, limit int64) (*File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		// The system refuses to open sockets and some devices, but its message does not name the
		// reason.
		if info, other := os.Stat(path); other == nil && !info.Mode().IsRegular() {
			return nil, irregular(path, info.Mode())
		}
		return nil, err
	}
	return checked(f, path, limit)
}

// checked returns an open file for reading if it is a regular one of at most limit bytes, and else
// closes it.
func checked(f *os.File, path string, limit int64) (*File, error) {
	size, err := regularSize(f, path, limit)
	if err != nil {
		f.Close()
		return nil, err
	}
	file := &File{io.NewSectionReader(f, 0, size), path, f, limit}
	start := make([]byte, min(size, zerosRead))
	_, _ = file.ReadAt(start, 0) // the reader of the file gets the error
	title, cure := Foreign(path, start, false)
	switch {
	case title == parquet:
		err = errs.New("%s is Parquet, which is not read; %s", path, cure)
	case areZeros(start):
		err = beginsWithZeros(path)
	default:
		return file, nil
	}
	f.Close()
	return nil, err
}

// zerosRead is how many first bytes of a file of zeros are read.
const zerosRead = 16

// areZeros reports whether there are bytes, and all are zero.
func areZeros(start []byte) bool { return len(start) > 0 && len(bytes.Trim(start, "\x00")) == 0 }

// beginsWithZeros returns the error for a file that begins like no format: a disk leaves such a
// file when it was full, or when the machine stopped while the file was written.
func beginsWithZeros(path string) error {
	return errs.New("%s begins with zero bytes; write it again: its writing was probably cut off", path)
}

// Beside returns the path of a file that another file names: it is in the folder of that file or
// below. The name has slashes, and the file need not exist. It fails for a name that leads out of
// the folder, so that a file from another user cannot make the reader read any file.
func Beside(path, name string) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", errs.New(
			"%q does not stand in the folder of %s or below it; put it there, and give its path from there",
			name,
			path,
		)
	}
	return filepath.Join(filepath.Dir(path), filepath.FromSlash(name)), nil
}

// ReadBeside reads a whole file that another file names, like Beside and ReadFile. A symbolic link
// may lead to another place in the folder, but not out of it.
func ReadBeside(path, name string, limit int64) ([]byte, error) {
	whole, err := Beside(path, name)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name = filepath.FromSlash(name)
	file, err := root.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		switch info, other := root.Stat(name); {
		case other == nil && !info.Mode().IsRegular():
			return nil, irregular(whole, info.Mode())
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
			return nil, &fs.PathError{Op: "open", Path: whole, Err: errors.Unwrap(err)}
		}
		return nil, errs.New("%s: %w; what a file names must stand in its folder or below it, links followed", whole,
			errors.Unwrap(err))
	}
	f, err := checked(file, whole, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadWhole()
}

// FormatError returns the error for an unknown file format. For Parquet it says how to convert.
func FormatError(name string, known []string) error {
	if name == "parquet" {
		return errs.New(`parquet is not written; write csv to a file and convert it with pandas, as in python3 -c ` +
			`"import pandas; pandas.read_csv('FILE.csv', float_precision='round_trip').to_parquet('FILE.parquet')"`)
	}
	return UnknownError("format", name, known)
}

// regularSize returns the size of an open file, and fails where it is no regular one or larger than
// the limit.
func regularSize(f *os.File, path string, limit int64) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, irregular(path, info.Mode())
	}
	if info.Size() > limit {
		return 0, errs.New(
			"%s has %s, and at most %s are read of such a file; is it the right file? if so, make it smaller",
			path,
			Bytes(info.Size()),
			Bytes(limit),
		)
	}
	return info.Size(), nil
}

// irregular returns the error for a path that names something other than a regular file, and says
// what it is.
func irregular(path string, mode fs.FileMode) error {
	kind := "something else"
	switch {
	case mode.IsDir():
		kind = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	}
	return errs.New("%s is not a regular file but %s; give a file, or write to one first what it holds", path, kind)
}

// ParseBytes reads a number of bytes with its unit, such as 1GB or 500MB, or without one.
func ParseBytes(text string) (float64, error) {
	number := strings.TrimRight(text, "kKMGTB")
	power, known := map[string]float64{
		"": 1, "B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}[text[len(number):]]
	v, err := ParseNumber(strings.TrimSpace(number))
	if err != nil || !known || v <= 0 {
		return 0, errs.New("%q is not a number of bytes; write a number above 0 and kB, MB, GB or TB, as in 1GB",
			Cut(text))
	}
	return v * power, nil
}

// Bytes writes a number of bytes for people: in MB (a million bytes) from 1 MB on.
func Bytes(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.4g MB", float64(n)/1e6)
}

// Stat describes the file.
func (f *File) Stat() (fs.FileInfo, error) { return f.file.Stat() }

// Ending returns the ending of a file's name in small letters, without .gz.
func Ending(path string) string {
	path = strings.ToLower(path)
	return filepath.Ext(strings.TrimSuffix(path, ".gz"))
}

// unpacked reads a gzip stream of limited unpacked size.
type unpacked struct {
	from  *gzip.Reader
	path  string
	left  int64
	begun bool
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	u.left -= int64(n)
	first := !u.begun
	u.begun = true
	switch {
	case first && areZeros(p[:min(n, zerosRead)]):
		return 0, beginsWithZeros(u.path)
	case u.left < 0:
		return 0, &PackedError{u.path, "is larger unpacked than such a file may be",
			"is it the right file? if so, make it smaller"}
	case err != nil && err != io.EOF:
		err = notUnpacked(u.path, err)
	}
	return n, err
}

// Packed reports whether gzip has compressed the file.
func (f *File) Packed() bool {
	var start [2]byte
	n, _ := f.ReadAt(start[:], 0)
	return n == len(start) && start == [2]byte{0x1f, 0x8b}
}

// Text returns a reader of a file that was just opened, which decompresses gzip.
func (f *File) Text() (io.Reader, error) {
	if !f.Packed() {
		return f, nil
	}
	from, err := gzip.NewReader(f)
	if err != nil {
		return nil, notUnpacked(f.name, err)
	}
	var end [4]byte // the unpacked size, modulo 2^32
	_, err = f.ReadAt(end[:], f.Size()-int64(len(end)))
	if size := int64(binary.LittleEndian.Uint32(end[:])); err == nil && size > f.limit &&
		size <= mostPacked*f.Size() {
		return nil, &PackedError{f.name, "ends with the unpacked size " + Bytes(size) + ", and at most " +
			Bytes(f.limit) + " are read of such a file",
			"is it the right file, and whole? if so, make it smaller"}
	}
	return &unpacked{from, f.name, f.limit, false}, nil
}

// mostPacked is the largest number of bytes that gzip packs into one.
const mostPacked = 1032

// PackedError is the error of a gzip file that cannot be decompressed: what is wrong, and the cure.
type PackedError struct{ Path, What, Cure string }

func (e *PackedError) Error() string { return e.Path + " " + e.What + "; " + e.Cure }

func notUnpacked(path string, err error) error {
	return &PackedError{path, "cannot be unpacked: " + err.Error(), "is it cut off?"}
}

// Places is a file of which any part can be read.
type Places interface {
	io.ReaderAt
	Size() int64
}

// Places returns a reader at any place of a file that was just opened: the file, or the
// decompressed content in memory, of at most limit bytes.
func (f *File) Places(limit int64) (Places, error) {
	f.limit = min(f.limit, limit)
	text, err := f.Text()
	if err != nil || text == io.Reader(f) {
		return f, err
	}
	data, err := io.ReadAll(text)
	return bytes.NewReader(data), err
}

// ReadWhole reads the whole of a file that was just opened, decompressed like Text. It fails with
// ErrChanged if the size has changed.
func (f *File) ReadWhole() ([]byte, error) {
	text, err := f.Text()
	if err != nil {
		return nil, err
	}
	if text != io.Reader(f) {
		return io.ReadAll(text)
	}
	data := make([]byte, f.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("%s: %w", f.name, ErrChanged)
		}
		return nil, err
	}
	if n, err := f.file.ReadAt(make([]byte, 1), f.Size()); n > 0 {
		return nil, fmt.Errorf("%s: %w", f.name, ErrChanged)
	} else if err != nil && err != io.EOF {
		return nil, err
	}
	return data, nil
}

// Fd returns the descriptor, for file locks.
func (f *File) Fd() uintptr { return f.file.Fd() }

// Sync makes the system write to the disk what any process has written to the file.
func (f *File) Sync() error { return f.file.Sync() }

// Close closes the file.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
