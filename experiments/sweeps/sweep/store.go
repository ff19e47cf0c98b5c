package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// Refusal is the error for a folder to which a sweep must not be written: it has another sweep, or
// another process is writing the shard. Nothing was computed.
type Refusal struct{ error }

func (r Refusal) Unwrap() error { return r.error }

// store is the file of results of one shard, open for writing, and what was in the folder when it
// was opened.
type store struct {
	before *collector // of all results that there were, of any shard
	cut    int64      // bytes of a torn line that were cut off

	path         string
	files        fileSystem
	file         appendFile
	acknowledged int64 // bytes of the file that were synced
	log          appendFile
	lock         io.Closer
	failure      error // of the first write or sync that failed; nothing is written after it
}

// openStore makes or opens the file of a shard with so many cells in a folder, and reads all
// results that there are. It returns a Refusal if the folder holds another sweep or the shard has a
// writer, and a CorruptError where a result is damaged. All that it counts as finished has been
// synced, by whomever it was written.
func openStore(ctx context.Context, files fileSystem, dir string, s *Sweep, shard Shard,
	cells int) (st *store, err error) {
	if err := makeFolder(files, dir); err != nil {
		return nil, err
	}
	if err := claim(ctx, files, dir, s); err != nil {
		return nil, err
	}
	stem := filepath.Join(dir, shard.stem())
	what := fmt.Sprintf("shard %v of %s", shard, dir)
	lock, err := lockFor(ctx, files, stem+".lock", what, 200*time.Millisecond)
	if err != nil {
		return nil, err
	}
	st = &store{before: newCollector(s, nil), path: stem + ".jsonl", files: files, lock: lock}
	defer func() {
		if err != nil {
			st.close()
		}
	}()
	// The lock file says who the writer is, and may have been removed; the file of results is
	// locked as well.
	st.file, err = files.AppendAlone(st.path)
	if err != nil {
		if locked, held := errors.AsType[*lockedError](err); held {
			err = errWritten(what, locked)
		}
		return st, err
	}
	own, err := st.readAll(ctx, files, dir)
	if err != nil {
		return st, err
	}
	err = st.prepareFile(files, own, header{schema, s.study.Name, s.id, shard.String(), cells})
	if err != nil {
		return st, err
	}
	err = st.openLog(files, stem+".log")
	if err != nil {
		return st, err
	}
	return st, files.SyncDir(dir)
}

// makeFolder makes a folder, and those above it, under names that last. One that is there may have
// been made by a run that ended before its name did last.
func makeFolder(files fileSystem, dir string) error {
	dir = filepath.Clean(dir)
	above := filepath.Dir(dir)
	_, err := files.Names(dir)
	if err == nil {
		err = files.SyncDir(above)
		if errors.Is(err, fs.ErrPermission) {
			err = nil // without permission to look there, the folder was made by another user
		}
		return err
	}
	if !errors.Is(err, fs.ErrNotExist) || above == dir {
		return err
	}
	if err := makeFolder(files, above); err != nil {
		return err
	}
	if err := files.MkdirAll(dir); err != nil {
		return err
	}
	return files.SyncDir(above)
}

// readAll notes the finished cells of every shard in the folder, and returns what the own file
// holds. Every file is synced when it has been read: its writer may have ended before it was.
func (st *store) readAll(ctx context.Context, files fileSystem, dir string) (own reading, err error) {
	all, err := shards(files, dir)
	if err != nil {
		return own, err
	}
	for _, shard := range all {
		if ctx.Err() != nil {
			return own, ctx.Err()
		}
		read, err := st.before.readShard(files, dir, shard)
		path := filepath.Join(dir, shard.stem()+".jsonl")
		if err == nil {
			err = files.SyncFile(path)
		}
		if err != nil {
			return own, err
		}
		if path == st.path {
			own = read.reading
		}
	}
	return own, nil
}

// prepareFile makes the file ready to be added to: it cuts off what a write that never ended has
// left, and writes the header of a new file.
func (st *store) prepareFile(files fileSystem, own reading, h header) error {
	line, err := encodeLine("header", h)
	if err != nil {
		return err
	}
	if own.whole == 0 && own.torn > 0 {
		if err := st.tornHeader(files, line, own.torn); err != nil {
			return err
		}
	}
	st.cut = own.torn
	if st.cut > 0 {
		if err := st.file.Truncate(own.whole); err != nil {
			return err
		}
		if err := st.file.Sync(); err != nil {
			return err
		}
	}
	st.acknowledged = own.whole
	if own.whole > 0 {
		return nil
	}
	return st.appendLines([][]byte{line})
}

// tornHeader fails if a file without a whole line is anything but the beginning of its header: it
// is not ours.
func (st *store) tornHeader(files fileSystem, header []byte, size int64) error {
	strange := &corruptError{st.path, 1, 0, "it is not the beginning of a header"}
	if size > maxLine {
		return strange
	}
	text, err := files.ReadFile(st.path, maxLine)
	if err == nil && !bytes.HasPrefix(header, text) {
		return strange
	}
	return err
}

// openLog opens the log, less a line that was never ended.
func (st *store) openLog(files fileSystem, path string) (err error) {
	st.log, err = files.Append(path)
	if err != nil {
		return err
	}
	f, err := files.Open(path, maxResults)
	if err != nil {
		return err
	}
	defer f.Close()
	whole, torn, err := scanLines(f, func([]byte, int, int64) error { return nil })
	if damaged, ok := errors.AsType[*corruptError](err); ok {
		damaged.Path = path
	}
	if err == nil && torn > 0 {
		err = st.log.Truncate(whole)
	}
	return err
}

// commit writes results, one call each, and syncs. When it returns nil they will be there after a
// power cut. After it has failed once it fails for good.
func (st *store) commit(results []Result) error {
	if st.failure != nil {
		return st.failure
	}
	lines := make([][]byte, len(results))
	for i := range results {
		line, err := encodeLine("result", &results[i])
		if err == nil && len(line) > maxLine {
			err = fmt.Errorf("a result of %d bytes is longer than a line may be", len(line))
		}
		if err != nil {
			st.failure = fmt.Errorf("writing %s: %w", st.path, err)
			return st.failure
		}
		lines[i] = line
	}
	return st.appendLines(lines)
}

// appendLines writes lines and syncs. Where it fails it tries to cut them off again: what the
// kernel could not write it may show to the next run all the same, and never try to write again.
func (st *store) appendLines(lines [][]byte) error {
	size := st.acknowledged
	for _, line := range lines {
		if _, err := st.file.Write(line); err != nil {
			st.failure = fmt.Errorf("writing %s: %w", st.path, err)
			break
		}
		size += int64(len(line))
	}
	if st.failure == nil {
		if err := st.file.Sync(); err != nil {
			st.failure = fmt.Errorf("syncing %s: %w", st.path, err)
		}
	}
	if st.failure != nil {
		_ = st.file.Truncate(st.acknowledged) // the failure is the one to tell
		return st.failure
	}
	st.acknowledged = size
	return st.standing()
}

// standing fails if the file is no longer in its folder, or no longer holds what was written to it.
// Nothing is written afterwards, not even to cut the file.
func (st *store) standing() error {
	if st.failure != nil {
		return st.failure
	}
	if err := st.files.Standing(st.path, st.file, st.acknowledged); err != nil {
		st.failure = errs.New(
			"results are lost, because their file was removed, replaced or changed during the run: %w; "+
				"run again to solve the missing cells",
			err,
		)
	}
	return st.failure
}

// appendLog appends lines to the log. It is not synced.
func (st *store) appendLog(lines []byte) error {
	if st.failure != nil {
		return st.failure
	}
	if _, err := st.log.Write(lines); err != nil {
		st.failure = fmt.Errorf("writing the log of %s: %w", st.path, err)
	}
	return st.failure
}

// close closes the files, the lock last.
func (st *store) close() error {
	var errs []error
	if st.log != nil {
		errs = append(errs, st.log.Close())
	}
	if st.file != nil {
		errs = append(errs, st.file.Close())
	}
	return errors.Join(append(errs, st.lock.Close())...)
}

// claim writes the manifest of a sweep to a folder, or finds that it is there already.
func claim(ctx context.Context, files fileSystem, dir string, s *Sweep) (err error) {
	lock, err := lockManifest(ctx, files, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	there, err := readManifest(s.studies, files, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if strangers, err := shards(files, dir); err != nil || len(strangers) > 0 {
			return errors.Join(err, strayResults(dir, strangers))
		}
		return writeManifest(files, dir, manifestName, s)
	case err != nil:
		return err
	}
	if err := s.same(there, dir); err != nil {
		return err
	}
	return files.SyncDir(dir) // the run that wrote it may have ended before its name did last
}

// CheckFolder returns a Refusal if a folder has another sweep, or with extend one that Extend
// rejects. It writes nothing.
func CheckFolder(dir string, s *Sweep, extend bool) error {
	there, err := readManifest(s.studies, disk{}, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if extend {
		return s.extends(there, dir)
	}
	return s.same(there, dir)
}

// same refuses a folder that holds another sweep.
func (s *Sweep) same(there *Sweep, dir string) error {
	if there.id == s.id {
		return nil
	}
	return Refusal{errs.New(
		"%s holds another sweep of %d cells: %s; give another {out|folder}, or its own specification, or "+
			"extend it, as with {extend|an extension}",
		dir,
		there.Len(),
		s.difference(there),
	)}
}

// strayResults refuses a folder with results of an unknown sweep.
func strayResults(dir string, all []Shard) error {
	if len(all) == 0 {
		return nil
	}
	return Refusal{errs.New(
		"%s holds %s.jsonl but no manifest %s; restore the manifest (a run of the same specification in a "+
			"new folder writes one), or give another {out|folder}",
		dir,
		all[0].stem(),
		manifestName,
	)}
}

// lockManifest takes the lock of the manifest of a folder.
func lockManifest(ctx context.Context, files fileSystem, dir string) (io.Closer, error) {
	return lockFor(ctx, files, filepath.Join(dir, "manifest.lock"), "the manifest of "+dir, manifestPatience)
}

// writeManifest writes a manifest under a name, whole or not at all.
func writeManifest(files fileSystem, dir, name string, s *Sweep) error {
	text, err := s.manifest().encode()
	if err != nil {
		return err
	}
	if len(text) > maxManifest {
		return errs.New("the manifest of the sweep would take %s, and the limit is %s; make several sweeps of it",
			selector.Bytes(int64(len(text))),
			selector.Bytes(maxManifest))
	}
	path := filepath.Join(dir, name)
	f, err := files.Append(path + ".new")
	if err != nil {
		return err
	}
	err = f.Truncate(0)
	if err == nil { // where another run was interrupted
		_, err = f.Write(text)
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err != nil {
		return err
	}
	if err := files.Rename(path+".new", path); err != nil {
		return err
	}
	return files.SyncDir(dir)
}

// holder says which process writes a shard.
type holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

// String describes the holder for an error.
func (h holder) String() string {
	return fmt.Sprintf("process %d on %s, since %s", h.PID, h.Host, h.Since.Format(time.RFC3339))
}

// thisProcess returns the holder of locks that this process takes now.
func thisProcess() holder {
	host, err := os.Hostname()
	if err != nil {
		host = "(unknown host)"
	}
	return holder{os.Getpid(), host, time.Now().UTC().Truncate(time.Second)}
}

// lockFor takes a lock, or returns a Refusal that names who holds it. It tries again for so long: a
// process that writes a manifest or looks at a lock has it for a moment only.
func lockFor(ctx context.Context, files fileSystem, path, what string,
	patience time.Duration) (io.Closer, error) {
	me, err := json.Marshal(thisProcess())
	if err != nil {
		return nil, err
	}
	for waited := time.Duration(0); ; waited += lockPause {
		lock, err := files.Lock(path, append(me, '\n'))
		locked, held := errors.AsType[*lockedError](err)
		if !held {
			return lock, err
		}
		if waited >= patience {
			return nil, errWritten(what, locked)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPause):
		}
	}
}

// errWritten refuses what another process writes.
func errWritten(what string, locked *lockedError) error {
	return Refusal{errs.New("%s is being written by %s; wait for it, end it, or run another shard",
		what, locked.describe())}
}

// lockPause is the time between attempts to take a lock.
const lockPause = 20 * time.Millisecond

func (e *lockedError) describe() string {
	var h holder
	if json.Unmarshal(e.holder, &h) != nil {
		return "another process"
	}
	return h.String()
}
