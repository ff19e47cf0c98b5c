package sweep

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// fileSystem is what a store asks of the disk. There is the real one, and one in the tests that
// fails and loses power on demand.
type fileSystem interface {
	MkdirAll(dir string) error
	Names(dir string) ([]string, error)                   // of what is in a folder
	Open(path string, limit int64) (io.ReadCloser, error) // to read a regular file of at most that many bytes
	ReadFile(path string, limit int64) ([]byte, error)    // the whole of such a file
	Append(path string) (appendFile, error)               // made if it is not there
	// AppendAlone is Append for one process at a time; it fails with *lockedError where another has
	// the file so.
	AppendAlone(path string) (appendFile, error)
	SyncFile(path string) error // what any process has written to it
	// Standing fails unless a path leads to an open file, which has that many bytes.
	Standing(path string, f appendFile, size int64) error
	Rename(from, to string) error
	SyncDir(dir string) error // so that new names last
	// fails with *lockedError where another process holds it
	Lock(path string, holder []byte) (io.Closer, error)
}

// appendFile is a file that is only ever added to.
type appendFile interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// lockedError is the failure to lock what another process holds.
type lockedError struct{ holder []byte }

func (e *lockedError) Error() string { return "held by another process" }

// disk is the real file system.
type disk struct{}

func (disk) MkdirAll(dir string) error { return os.MkdirAll(dir, 0o777) }

func (disk) Names(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

func (disk) Open(path string, limit int64) (io.ReadCloser, error) {
	f, err := selector.OpenFile(path, limit)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (disk) ReadFile(path string, limit int64) ([]byte, error) { return selector.ReadFile(path, limit) }

func (disk) Append(path string) (appendFile, error) {
	return openOwn(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
}

func (disk) AppendAlone(path string) (appendFile, error) {
	f, err := openOwn(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	held, err := selector.TryLock(f)
	switch {
	case err != nil:
		err = fmt.Errorf("locking %s: %w", path, err)
	case !held:
		err = &lockedError{}
	default:
		return f, nil
	}
	f.Close()
	return nil, err
}

// openOwn opens a regular file to write. A link is refused: it would have another file cut and
// written to. So is a pipe, even one that takes the file's place while it is opened.
func openOwn(path string, flags int) (*os.File, error) {
	irregular := errs.New("%s is not a regular file; move it away", path)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, irregular
	}
	f, err := os.OpenFile(path, flags|selector.OwnFlags, 0o666)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, cmp.Or[error](err, irregular)
	}
	return f, nil
}

// SyncFile opens the file for writing on Windows only, which requires it: results may belong to
// another user.
func (disk) SyncFile(path string) error {
	if runtime.GOOS != "windows" {
		f, err := selector.OpenFile(path, maxResults)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Sync()
	}
	f, err := openOwn(path, os.O_WRONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

func (disk) Standing(path string, f appendFile, size int64) error {
	open, err := f.(*os.File).Stat()
	if err != nil {
		return err
	}
	there, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !os.SameFile(open, there):
		return fmt.Errorf("%s is not the file that was opened", path)
	case open.Size() != size:
		return fmt.Errorf("%s has %d bytes instead of %d", path, open.Size(), size)
	}
	return nil
}

func (disk) Rename(from, to string) error { return os.Rename(from, to) }

// SyncDir does nothing on Windows, which has no such call and orders names by its journal.
func (disk) SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// Lock holds a lock on the file at a path until it is closed or the process ends in any way. The
// file stays, since a file that another process is about to lock cannot be removed safely.
func (disk) Lock(path string, holder []byte) (io.Closer, error) {
	f, err := openOwn(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	held, err := selector.TryLock(f)
	if err == nil && held {
		err = f.Truncate(0)
		if err == nil {
			_, err = f.WriteAt(holder, 0)
		}
		if err == nil {
			return f, nil
		}
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("locking %s: %w", filepath.Base(path), err)
	}
	defer f.Close()
	other, err := selector.ReadFile(path, maxLine)
	if err != nil {
		other = nil // who holds it may be writing it, or have removed it: the refusal is the same
	}
	return nil, &lockedError{other}
}
