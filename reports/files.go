package reports

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// Directory writes files to a folder, each as a whole or not at all. Several goroutines may use it.
type Directory struct {
	path       string
	made       []string // the folders that were made for it, the innermost first
	mu         sync.Mutex
	unfinished map[string]bool // the temporary files that exist now
	abandoned  bool
	recorded   bool       // whether the folder has a record, or is to have one
	before     *RunRecord // what the folder's record said when it was opened; nil for none
	written    []RunFile  // the files that have been written
	claim      *os.File   // locked as long as the run has its name, if it has one
}

// temporaryForm is that of the names of files that are being written: of a process and a number.
const temporaryForm = ".breadboard-%d-%d"

// claimPrefix is how the name of a file begins that a run locks to claim a name.
const claimPrefix = ".breadboard-claim-"

// isTemporary reports whether a file is one that is being written or claims a name, or was by a run
// that was killed.
func isTemporary(e fs.DirEntry) bool {
	if strings.HasPrefix(e.Name(), claimPrefix) {
		return e.Type().IsRegular()
	}
	var process, n uint
	_, err := fmt.Sscanf(e.Name(), temporaryForm, &process, &n)
	return err == nil && e.Type().IsRegular() && e.Name() == fmt.Sprintf(temporaryForm, process, n)
}

// errAbandoned says why no file is written any more.
var errAbandoned = errors.New("the program is ending")

// Abandon removes unfinished files, and folders that were made and are empty; afterwards no file
// can be begun or finished. A program calls it when it ends, perhaps while files are being written.
func (d *Directory) Abandon() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.abandoned = true
	for name := range d.unfinished {
		os.Remove(name)
	}
	d.release()
	for _, folder := range d.made {
		os.Remove(folder)
	}
}

// release gives up the claim to a name, which the record has from then on. d.mu is held.
func (d *Directory) release() {
	if d.claim != nil {
		_ = removeLocked(d.claim)
		d.claim = nil
	}
}

// lockTemporary makes a temporary file, which is locked as long as it is open: so others see that
// it is not left over.
func (d *Directory) lockTemporary() (*os.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.abandoned {
		return nil, errAbandoned
	}
	for n := 0; ; n++ {
		f, err := openLocked(d.Path(fmt.Sprintf(temporaryForm, os.Getpid(), n)), os.O_EXCL)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if f != nil {
			d.unfinished[f.Name()] = true
			return f, nil
		}
	}
}

// openLocked makes or opens a file and locks it. It returns nil if another process holds it, or has
// it removed.
func openLocked(path string, flag int) (*os.File, error) {
	// less what the user's umask denies
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|selector.OwnFlags|flag, 0o666)
	if err != nil {
		return nil, err
	}
	if held, err := selector.TryLock(f); err != nil || held && standing(f, path) {
		return f, nil // some file systems have no locks
	}
	f.Close()
	return nil, nil
}

// removeLocked removes a locked file, and then unlocks it: else another process might take the
// name, whose file would be removed.
func removeLocked(f *os.File) error {
	if runtime.GOOS == "windows" { // which does not remove an open file
		f.Close()
	} else {
		defer f.Close()
	}
	return os.Remove(f.Name())
}

// standing reports whether an open file is still at its path.
func standing(f *os.File, path string) bool {
	open, err := f.Stat()
	there, gone := os.Stat(path)
	return err == nil && gone == nil && os.SameFile(open, there)
}

// endFile gives a temporary file its name and closes it, or removes it if there was an error.
func (d *Directory) endFile(f *os.File, path string, err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil && d.abandoned {
		err = errAbandoned
	}
	if runtime.GOOS == "windows" { // which neither renames nor removes an open file
		err = errors.Join(err, f.Close())
	} else {
		defer f.Close() // and with that unlocks it; what was written is on the disk
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	delete(d.unfinished, f.Name())
	return err
}

// tidy removes the temporary files of runs that were killed.
func (d *Directory) tidy() {
	entries, _ := os.ReadDir(d.path) // what cannot be read stays
	for _, e := range entries {
		if isTemporary(e) {
			removeLeftOver(d.Path(e.Name()))
		}
	}
}

// removeLeftOver removes a temporary file that no process has open.
func removeLeftOver(path string) {
	f, err := os.OpenFile(path, os.O_RDONLY|selector.OwnFlags, 0)
	if err != nil {
		return
	}
	// A file that has got its name meanwhile is no longer there, but perhaps one of another run.
	if held, err := selector.TryLock(f); err == nil && held && standing(f, path) {
		_ = removeLocked(f)
	} else {
		f.Close()
	}
}

// OpenRecorded is OpenDirectory for a folder with a record of runs. It fails if the record cannot
// be read (see ReadRunRecord).
func OpenRecorded(path string) (*Directory, error) {
	before, err := ReadRunRecord(path)
	if err != nil {
		return nil, err
	}
	d, err := OpenDirectory(path)
	if err != nil {
		return nil, err
	}
	d.recorded = true
	d.before = before
	return d, nil
}

// Claim returns the number of a run of a study in the folder, from 1 on. That of an earlier run
// that was asked the same is its own, so that its files are replaced; else it is the smallest whose
// name no other run of the record has, no file that is of none, and no run that goes on meanwhile.
func (d *Directory) Claim(ctx context.Context, study, question string) (number int, err error) {
	unlock, err := d.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	record, err := ReadRunRecord(d.path) // another run may have ended meanwhile
	if err != nil {
		return 0, err
	}
	names, err := d.names()
	if err != nil {
		return 0, err
	}
	runs := d.remaining(record, &Run{})
	for number = 1; ; number++ {
		name := numbered(study, number)
		if taken(runs, names, name, question) {
			continue
		}
		f, err := openLocked(d.Path(claimPrefix+name), 0)
		if err != nil {
			return 0, err
		}
		if f != nil {
			d.mu.Lock()
			d.claim = f
			d.mu.Unlock()
			return number, nil
		}
	}
}

// taken reports whether runs that were asked something else, or a file of no run, have a name.
func taken(runs []Run, files []string, name, question string) bool {
	listed := map[string]bool{}
	for _, r := range runs {
		if r.Name == name && r.Question != question {
			return true
		}
		for _, f := range r.Files {
			listed[f.Name] = true
		}
	}
	return slices.ContainsFunc(files, func(file string) bool {
		return strings.TrimSuffix(file, filepath.Ext(file)) == name && !listed[file]
	})
}

// OpenDirectory makes the directory if it does not exist, and fails if no files can be made in it.
// It removes temporary files of runs that were killed.
func OpenDirectory(path string) (*Directory, error) {
	d := &Directory{path: path, unfinished: map[string]bool{}}
	for folder := filepath.Clean(path); missing(folder); folder = filepath.Dir(folder) {
		d.made = append(d.made, folder)
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, errs.New("the folder %s cannot be made: %w; give another one", path, err)
	}
	d.tidy()
	probe, err := d.lockTemporary()
	if err != nil {
		return nil, fmt.Errorf("cannot write to %s: %w", path, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.unfinished, probe.Name())
	if err := removeLocked(probe); !errors.Is(err, fs.ErrNotExist) { // unless another run has tidied meanwhile
		return d, err
	}
	return d, nil
}

// missing reports whether there is nothing at a path.
func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// FileBehind returns the file that a link leads to, so that the file can be replaced and the link
// kept. It returns other paths unchanged.
func FileBehind(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, nil // there is nothing at that path, or writing will say why not
	}
	behind, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", errs.New("%s is a link that leads to no file (%w); remove it, or give another file", path, err)
	}
	return behind, nil
}

// Path returns the path of the file with the given name.
func (d *Directory) Path(name string) string { return filepath.Join(d.path, name) }

// Write writes one file and returns its path. It writes to a temporary name, syncs the data to the
// disk, and then renames the file. The name must have no folders in it. Describe lists the files
// that have been written.
func (d *Directory) Write(name string, data []byte) (path string, err error) {
	return d.stream(context.Background(), name, func(w *bufio.Writer) { w.Write(data) })
}

// stream does what Write does with a content of any length. It fails if the context ends.
func (d *Directory) stream(ctx context.Context, name string, content Stream) (path string, err error) {
	hash := sha256.New()
	path, err = d.replace(ctx, name, content, hash)
	if err == nil {
		d.addFile(RunFile{Name: name, SHA256: hex.EncodeToString(hash.Sum(nil))})
	}
	return path, err
}

// replace writes one file, as stream does, and does not list it.
func (d *Directory) replace(ctx context.Context, name string, content Stream,
	hash io.Writer) (path string, err error) {
	if !isFileName(name) {
		return "", fmt.Errorf("%q is not a file name", name)
	}
	path = d.Path(name)
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o222 == 0 {
		return "", errs.New("%s is read-only, and would be replaced; allow writing to it, or write to another folder",
			path)
	}
	f, err := d.lockTemporary()
	if err != nil {
		return "", err
	}
	w := bufio.NewWriterSize(within(ctx, io.MultiWriter(f, hash)), 1<<16)
	content(w)
	err = w.Flush()
	return path, d.endFile(f, path, errors.Join(err, f.Sync()))
}

// within returns a writer that writes until a context ends.
func within(ctx context.Context, to io.Writer) io.Writer {
	return writer(func(data []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return to.Write(data)
	})
}

// writer is a function that writes.
type writer func(data []byte) (int, error)

// Write implements io.Writer.
func (w writer) Write(data []byte) (int, error) { return w(data) }

// addFile adds a file to those that have been written.
func (d *Directory) addFile(f RunFile) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.written = append(slices.DeleteFunc(d.written, func(old RunFile) bool { return old.Name == f.Name }), f)
}

// Written returns the number of files that have been written.
func (d *Directory) Written() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.written)
}

// shows notes what the file of a figure shows, and which file has its data.
func (d *Directory) shows(name, title, data string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.written {
		if d.written[i].Name == name {
			d.written[i].Title, d.written[i].Data = title, data
		}
	}
}

// belongs says of which run a file is that is about to be replaced, for a message. It returns "" if
// there is no file, if it is of this run or of an earlier one that was asked the same, and if the
// folder has no record of runs.
func (d *Directory) belongs(name, question string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	ours := func(f RunFile) bool { return f.Name == name }
	if !d.recorded || slices.ContainsFunc(d.written, ours) || !d.has(name) {
		return ""
	}
	for _, r := range slices.Backward(d.before.Runs()) {
		switch {
		case !slices.ContainsFunc(r.Files, ours):
		case r.Question == question:
			return ""
		default:
			return "of " + CommandLine(r.Command)
		}
	}
	return "of no run that " + RunRecordName + " lists"
}

// has reports whether there is something of a name in the folder.
func (d *Directory) has(name string) bool {
	_, err := os.Lstat(d.Path(name))
	return err == nil
}

// Others counts what a folder has beside the files of a run.
type Others struct {
	Files int // files of other runs, and of none
	Runs  int // other runs, some of whose files are there
	Alone int // how many of Files are listed by no run
}

// Describe writes the record of the folder: the run, with the files written so far, and the earlier
// runs whose files still exist. A file is listed once, with the run that wrote it last. It may be
// called again, when more files have been written. Runs that end at the same time wait for each
// other, so that no record is lost.
func (d *Directory) Describe(ctx context.Context, run Run) (Others, error) {
	unlock, err := d.lock(ctx)
	if err != nil {
		return Others{}, err
	}
	defer unlock()
	now, err := ReadRunRecord(d.path) // another run may have ended meanwhile
	if err != nil {
		return Others{}, err
	}
	d.mu.Lock()
	run.Files = slices.Clone(d.written)
	d.mu.Unlock()
	record := RunRecord{Program: programName, Schema: recordSchema, Run: run, Earlier: d.remaining(now, &run)}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(record); err != nil {
		return Others{}, err
	}
	if _, err := d.replace(
		context.Background(),
		RunRecordName,
		func(w *bufio.Writer) { b.WriteTo(w) },
		io.Discard,
	); err != nil {
		return Others{}, err
	}
	d.mu.Lock()
	d.release()
	d.mu.Unlock()
	return d.others(&record)
}

// remaining returns the runs of a record that have files which are still there and not of the given
// run.
func (d *Directory) remaining(record *RunRecord, run *Run) []Run {
	left := []Run{}
	newer := map[string]bool{}
	for _, f := range run.Files {
		newer[f.Name] = true
	}
	for _, r := range slices.Backward(record.Runs()) {
		r.Files = slices.DeleteFunc(
			slices.Clone(r.Files),
			func(f RunFile) bool { return newer[f.Name] || !d.has(f.Name) },
		)
		if len(r.Files) > 0 {
			left = append(left, r)
		}
		for _, f := range r.Files {
			newer[f.Name] = true
		}
	}
	slices.Reverse(left)
	return left
}

// others counts what the folder has beside the files of the last run of a record.
func (d *Directory) others(record *RunRecord) (Others, error) {
	runOf := map[string]int{RunRecordName: 0, lockName: 0}
	for i, r := range append([]Run{record.Run}, record.Earlier...) {
		for _, f := range r.Files {
			runOf[f.Name] = i
		}
	}
	names, err := d.names()
	if err != nil {
		return Others{}, err
	}
	found := Others{Runs: len(record.Earlier)}
	for _, name := range names {
		switch i, listed := runOf[name]; {
		case !listed:
			found.Files++
			found.Alone++
		case i > 0:
			found.Files++
		}
	}
	return found, nil
}

// names returns the names of the files in the folder, apart from those that are being written.
func (d *Directory) names() (names []string, err error) {
	entries, err := os.ReadDir(d.path)
	for _, e := range entries {
		if !e.IsDir() && !isTemporary(e) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// String describes the counts, for a message that continues with the place.
func (o Others) String() string {
	text := selector.Count(o.Files, "file")
	switch {
	case o.Runs > 0 && o.Alone == 0:
		text += " of " + selector.Count(o.Runs, "other run")
	case o.Runs > 0:
		text += fmt.Sprintf(", %d of %s and %d of none", o.Files-o.Alone, selector.Count(o.Runs, "other run"), o.Alone)
	default:
		text += " of no run"
	}
	return text
}

// lockName is the name of the file that a run locks while it changes the record. The system unlocks
// it however the run ends.
const lockName = ".run.json.flock"

// lockPause is the time between two attempts to lock it.
const lockPause = 10 * time.Millisecond

// lock waits until no other run changes the record of the folder, and returns the function that
// lets the next one do so.
func (d *Directory) lock(ctx context.Context) (unlock func(), err error) {
	for {
		f, err := openLocked(d.Path(lockName), 0)
		if f != nil || err != nil {
			return func() { _ = removeLocked(f) }, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPause):
		}
	}
}

// CommandLine writes a command for people, with quotes where a shell needs them.
func CommandLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = selector.ShellQuote(w)
	}
	return OneLine(strings.Join(quoted, " "))
}
