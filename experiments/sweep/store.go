package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Refusal is the error for a folder that a sweep must not be written to: it holds another sweep, or another
// process is writing the shard. Nothing was computed.
type Refusal struct{ error }

func (r Refusal) Unwrap() error { return r.error }

// store is the file of results of one shard, open for writing, and what was in the folder when it was opened.
type store struct {
	finished map[Key]bool // cells with a result, of any shard
	cut      int64        // bytes of a torn line that were cut off

	path    string
	file    appendFile
	log     appendFile
	lock    io.Closer
	failure error // of the first write or sync that failed; nothing is written after it
}

// openStore makes or opens the file of a shard with so many cells in a folder, and reads all results that there are. It returns a
// Refusal where the folder holds another sweep or the shard has a writer, and a CorruptError where a result is
// damaged. What is on the disk then, and nothing else, has been acknowledged.
func openStore(files fileSystem, dir string, s *Sweep, shard Shard, cells int) (st *store, err error) {
	if err := makeFolder(files, dir); err != nil {
		return nil, err
	}
	if err := claim(files, dir, s); err != nil {
		return nil, err
	}
	stem := filepath.Join(dir, shard.stem())
	lock, err := lockFor(files, stem+".lock", fmt.Sprintf("shard %v of %s", shard, dir), 200*time.Millisecond)
	if err != nil {
		return nil, err
	}
	st = &store{finished: map[Key]bool{}, path: stem + ".jsonl", lock: lock}
	defer func() {
		if err != nil {
			st.close()
		}
	}()
	own, err := st.readAll(files, dir, s)
	if err != nil {
		return st, err
	}
	if st.file, err = files.Append(st.path); err != nil {
		return st, err
	}
	if err = st.repair(own); err != nil {
		return st, err
	}
	if own.whole == 0 {
		if err = st.begin(header{schema, s.id, shard.String(), cells}); err != nil {
			return st, err
		}
	}
	if st.log, err = files.Append(stem + ".log"); err != nil {
		return st, err
	}
	return st, files.SyncDir(dir)
}

// makeFolder makes a folder, and those above it, under names that last.
func makeFolder(files fileSystem, dir string) error {
	var above []string // the folders that get a new name
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		_, err := files.Names(at)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			return err
		}
		above = append(above, filepath.Dir(at))
	}
	if err := files.MkdirAll(dir); err != nil {
		return err
	}
	for _, at := range above {
		if err := files.SyncDir(at); err != nil {
			return err
		}
	}
	return nil
}

// readAll notes the finished cells of every shard in the folder, and returns what the own file holds.
func (st *store) readAll(files fileSystem, dir string, s *Sweep) (own reading, err error) {
	all, err := shards(files, dir)
	if err != nil || len(all) == 0 {
		return own, err
	}
	index := s.index()
	for _, other := range all {
		path := filepath.Join(dir, other.stem()+".jsonl")
		r, err := readResults(files, path, s.id, func(r *Result, line int) error {
			if _, ok := index[r.Key]; !ok {
				return errStranger(path, line, r.Key)
			}
			st.finished[r.Key] = true
			return nil
		})
		if err != nil {
			return own, err
		}
		if path == st.path {
			own = r
		}
	}
	return own, nil
}

// repair cuts off what a write that never ended has left.
func (st *store) repair(own reading) error {
	if st.cut = own.torn; st.cut == 0 {
		return nil
	}
	if err := st.file.Truncate(own.whole); err != nil {
		return err
	}
	return st.file.Sync()
}

// begin writes the header.
func (st *store) begin(h header) error {
	line, err := encodeLine("header", h)
	if err != nil {
		return err
	}
	if _, err := st.file.Write(line); err != nil {
		return err
	}
	return st.file.Sync()
}

// commit writes results, one call each, and syncs. When it returns nil they will be there after a power cut. After
// it has failed once it fails for good: what is in the file then is for the next openStore to find out.
func (st *store) commit(results []Result) error {
	if st.failure != nil {
		return st.failure
	}
	for i := range results {
		line, err := encodeLine("result", &results[i])
		if err == nil && len(line) > maxLine {
			err = fmt.Errorf("a result of %d bytes is longer than a line may be", len(line))
		}
		if err == nil {
			_, err = st.file.Write(line)
		}
		if err != nil {
			st.failure = fmt.Errorf("writing %s: %w", st.path, err)
			return st.failure
		}
	}
	if err := st.file.Sync(); err != nil {
		st.failure = fmt.Errorf("syncing %s: %w", st.path, err)
	}
	return st.failure
}

// note appends lines to the log. It is not synced.
func (st *store) note(lines []byte) error {
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
func claim(files fileSystem, dir string, s *Sweep) (err error) {
	lock, err := lockFor(files, filepath.Join(dir, "manifest.lock"), "the manifest of "+dir, 5*time.Second)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	there, err := readManifest(files, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return writeManifest(files, dir, s)
	case err != nil:
		return err
	case there.id != s.id:
		return Refusal{fmt.Errorf("%s holds another sweep of %d cells: %s; give another --out, or the specification that it was made from", dir, there.Len(), s.difference(there))}
	}
	return nil
}

// writeManifest writes the manifest whole or not at all.
func writeManifest(files fileSystem, dir string, s *Sweep) error {
	text, err := s.manifest().encode()
	if err != nil {
		return err
	}
	path := filepath.Join(dir, manifestName)
	f, err := files.Append(path + ".new")
	if err != nil {
		return err
	}
	if err = f.Truncate(0); err == nil { // where another run was interrupted
		_, err = f.Write(text)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := files.Rename(path+".new", path); err != nil {
		return err
	}
	return files.SyncDir(dir)
}

// Holder says which process writes a shard.
type Holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

// String describes the holder in an error.
func (h Holder) String() string {
	return fmt.Sprintf("process %d on %s, since %s", h.PID, h.Host, h.Since.Format(time.RFC3339))
}

// thisProcess returns the holder of locks that this process takes now.
func thisProcess() Holder {
	host, err := os.Hostname()
	if err != nil {
		host = "(unknown host)"
	}
	return Holder{os.Getpid(), host, time.Now().UTC().Truncate(time.Second)}
}

// lockFor takes a lock, or returns a Refusal that names who holds it. It tries again for so long: whoever writes a
// manifest or looks at a lock has it for a moment only.
func lockFor(files fileSystem, path, what string, patience time.Duration) (io.Closer, error) {
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
			return nil, Refusal{fmt.Errorf("%s is being written by %s; wait for it or end it, or take another shard", what, locked.describe())}
		}
		time.Sleep(lockPause)
	}
}

// lockPause is the time between attempts to take a lock.
const lockPause = 20 * time.Millisecond

func (e *lockedError) describe() string {
	var h Holder
	if json.Unmarshal(e.holder, &h) != nil {
		return "another process"
	}
	return h.String()
}
