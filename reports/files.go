package reports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// Directory writes files to a folder, each of them whole or not at all. It is safe for use by several goroutines.
type Directory struct {
	path       string
	mu         sync.Mutex
	unfinished map[string]bool // the temporary files that exist now
	abandoned  bool
	recorded   bool       // whether the folder has a record, or is to have one
	before     *RunRecord // what the folder's record said when it was opened; nil for none
	written    []RunFile  // the files that have been written
}

// temporaryPattern is that of the names of files that are being written.
const temporaryPattern = ".breadboard-*"

// errAbandoned says why no file is written any more.
var errAbandoned = errors.New("the program is ending")

// Abandon removes unfinished files; afterwards no file can be begun or finished. It is for a program that ends while files are being
// written.
func (d *Directory) Abandon() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.abandoned = true
	for name := range d.unfinished {
		os.Remove(name)
	}
}

// begin makes a temporary file.
func (d *Directory) begin() (*os.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.abandoned {
		return nil, errAbandoned
	}
	f, err := os.CreateTemp(d.path, temporaryPattern)
	if err == nil {
		d.unfinished[f.Name()] = true
	}
	return f, err
}

// end gives a temporary file its name, or removes it where there was an error.
func (d *Directory) end(temporary, path string, err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil && d.abandoned {
		err = errAbandoned
	}
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		os.Remove(temporary)
	}
	delete(d.unfinished, temporary)
	return err
}

// OpenRecorded does what OpenDirectory does for a folder with a record of runs. It fails where the record cannot be read (see ReadRunRecord).
func OpenRecorded(path string) (*Directory, error) {
	before, err := ReadRunRecord(path)
	if err != nil {
		return nil, err
	}
	d, err := OpenDirectory(path)
	if err != nil {
		return nil, err
	}
	d.recorded, d.before = true, before
	return d, nil
}

// OpenDirectory makes the directory where it does not exist, and fails where no files can be made in it.
func OpenDirectory(path string) (*Directory, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	probe, err := os.CreateTemp(path, temporaryPattern)
	if err != nil {
		return nil, fmt.Errorf("cannot write to %s: %w", path, err)
	}
	return &Directory{path: path, unfinished: map[string]bool{}}, errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// Path returns the path of the file with the given name.
func (d *Directory) Path(name string) string { return filepath.Join(d.path, name) }

// Write writes one file and returns its path. It writes to a temporary name, has the system write the data to the disk, and
// then renames the file. The name must have no folders in it. Describe lists the files that have been written.
func (d *Directory) Write(name string, data []byte) (path string, err error) {
	if path, err = d.replace(name, data); err == nil {
		d.list(fileOf(name, data))
	}
	return path, err
}

// replace writes one file, as Write does, and does not list it.
func (d *Directory) replace(name string, data []byte) (path string, err error) {
	if !isFileName(name) {
		return "", fmt.Errorf("%q is no file name", name)
	}
	path = d.Path(name)
	f, err := d.begin()
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, bytes.NewReader(data))
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	return path, d.end(f.Name(), path, err)
}
