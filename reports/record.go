package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// RunRecordName is the name of the file that says which runs have made the other files of a folder.
const RunRecordName = "run.json"

// programName says in a record which program has written it.
const programName = "breadboard"

// recordSchema is the number of the schema of run.json.
const recordSchema = 1

// RunRecord is the content of the file run.json of a folder: the last run, and the earlier runs
// whose files still exist.
type RunRecord struct {
	Program string `json:"program"` // always breadboard
	Schema  int    `json:"schema"`  // recordSchema; 0 in records of version 0.1.0, which have the same fields
	Run
	Earlier []Run `json:"earlier"` // from the oldest to the newest
}

// Run says what a run was, and which files of a folder it has written. In a folder, runs with equal
// questions have equal names and results.
type Run struct {
	Study string `json:"study"` // the words of the command, with underscores between them
	Name  string `json:"name"`  // how its files begin: the study with its number, or the name that the user gives it
	// the study, with the arguments and the flags that say what is computed, in full
	Question string     `json:"asked"`
	Command  []string   `json:"command"`        // the command line, word by word
	Version  string     `json:"version"`        // the version of the program
	Seed     *uint64    `json:"seed,omitempty"` // the seed, where the command takes one
	Inputs   []RunInput `json:"inputs"`         // the files and programs that were named
	// whether it was interrupted, so that its files have what was done by then
	Partial bool     `json:"partial"`
	Notes   []string `json:"notes"` // on its results
	// why it failed although it has results; empty if it has not failed
	Fault string    `json:"fault,omitempty"`
	Files []RunFile `json:"files"` // its files that are there
}

// RunFile is a file that a run has written.
type RunFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`          // in hexadecimal digits
	Data   string `json:"data,omitempty"`  // the name of the file that has the data of a figure
	Title  string `json:"title,omitempty"` // what a figure shows, in a few words
}

// RunInput is a file or a program that a run has read.
type RunInput struct {
	Path   string `json:"path"` // as it was given; for a program its command
	Bytes  int64  `json:"bytes,omitempty"`
	SHA256 string `json:"sha256,omitempty"` // in hexadecimal digits; empty if a note says why
	Note   string `json:"note,omitempty"`
}

// BadRecord is the error for a file run.json that is not a record of this program.
type BadRecord struct{ error }

// Unwrap returns the error within.
func (e BadRecord) Unwrap() error { return e.error }

// maxRunRecord bounds the size of a record: that of some hundred thousand runs.
const maxRunRecord = 256 << 20

// ReadRunRecord reads the record of a folder, and returns nil if there is no record, or no folder.
// It returns a BadRecord if the file is not a record of this program.
func ReadRunRecord(folder string) (*RunRecord, error) {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil, nil
	}
	path := filepath.Join(folder, RunRecordName)
	data, err := selector.ReadFile(path, maxRunRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, fs.ErrPermission) { // it may be a good one
		return nil, err
	}
	var record RunRecord
	if err == nil {
		err = record.decode(data)
	}
	if err != nil {
		return nil,
			BadRecord{errs.New(
				"%s, which says what runs have written to this folder, cannot be used: %w; move it away, "+
					"or write to another folder",
				path,
				err,
			)}
	}
	return &record, nil
}

// decode reads a record, and fails if it is none.
func (r *RunRecord) decode(data []byte) error {
	if err := json.Unmarshal(data, r); err != nil {
		return err
	}
	if r.Program != programName {
		return fmt.Errorf("its program is %q and not %s", r.Program, programName)
	}
	if err := selector.CheckSchema(max(r.Schema, recordSchema), recordSchema); err != nil {
		return err
	}
	for _, run := range r.Runs() {
		for _, f := range run.Files {
			if !isFileName(f.Name) {
				return fmt.Errorf("%q is not a file name", f.Name)
			}
		}
	}
	return nil
}

// Runs returns all runs, from the oldest to the newest. A nil record has none.
func (r *RunRecord) Runs() []Run {
	if r == nil {
		return nil
	}
	return append(slices.Clone(r.Earlier), r.Run)
}

// isFileName reports whether a text is the name of a file in a folder, and leads nowhere else.
func isFileName(name string) bool {
	return name == filepath.Base(name) && name != "." && name != ".." &&
		name != string(filepath.Separator) && name != ""
}

// HashInput describes a file that a run has read, with its hash. A file that is not regular, can no
// longer be read, or has more bytes than a limit has a note instead of a hash. A file that was
// changed after the run began also has a note.
func HashInput(path string, began time.Time, limit int64) RunInput {
	in := RunInput{Path: path}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		in.Note = err.Error()
		return in
	case !info.Mode().IsRegular():
		in.Note = "no regular file, which has no hash"
		return in
	case info.ModTime().After(began):
		in.Note = "was changed after the run began"
	}
	f, err := selector.OpenFile(path, limit)
	if err != nil {
		in.Note = err.Error()
		return in
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		in.Note = err.Error()
		return in
	}
	in.Bytes, in.SHA256 = n, hex.EncodeToString(h.Sum(nil))
	return in
}
