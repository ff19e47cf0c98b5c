package sweep

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// corruptError says where a file of results is not as it was written.
type corruptError struct {
	Path   string
	Line   int   // from 1
	Offset int64 // of the line's first byte
	Reason string
}

func (e *corruptError) Error() string {
	cure := "delete that line to have its cell solved again"
	if e.Line == 1 {
		cure = "move the file away to have its cells solved again"
	}
	return fmt.Sprintf("%s, line %d (byte %d) is damaged: %s; the file is unchanged: %s, or restore a copy",
		e.Path, e.Line, e.Offset, e.Reason, cure)
}

// lineVisitor is called with each whole line, its number and the offset of its first byte.
type lineVisitor func(line []byte, number int, offset int64) error

// scanLines calls visit with each line that ends in a newline. It returns how many bytes these take
// and how many follow the last of them, which are a write that was torn.
func scanLines(r io.Reader, visit lineVisitor) (whole, torn int64, err error) {
	in := bufio.NewReaderSize(r, maxLine)
	for number := 1; ; number++ {
		line, err := in.ReadSlice('\n')
		switch {
		case err == nil:
			if err := visit(line[:len(line)-1], number, whole); err != nil {
				return whole, 0, err
			}
			whole += int64(len(line))
		case err == io.EOF:
			return whole, int64(len(line)), nil
		case errors.Is(err, bufio.ErrBufferFull):
			return longTail(in, int64(len(line)), number, whole)
		default:
			return whole, 0, err
		}
	}
}

// errLong is the reason why a line of more than maxLine bytes is damaged.
var errLong = fmt.Errorf("it is longer than %d bytes", maxLine)

// maxTorn bounds what a torn write may have left: many lines that were lost together, and no more.
const maxTorn = 1024 * maxLine

// longTail reads on to the end of a line that is too long: without an end it is a torn write,
// though a strange one.
func longTail(in *bufio.Reader, read int64, number int, whole int64) (int64, int64, error) {
	for {
		b, err := in.ReadSlice('\n')
		read += int64(len(b))
		switch {
		case err == nil:
			return whole, 0, &corruptError{Line: number, Offset: whole, Reason: errLong.Error()}
		case err == io.EOF:
			return whole, read, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return whole, 0, err
		case read > maxTorn:
			return whole, 0, &corruptError{Line: number, Offset: whole, Reason: errLong.Error()}
		}
	}
}

// maxResults bounds the size of a file of results or of a log: a line for each cell of the largest
// sweep.
const maxResults int64 = maxCells * maxLine

// reading is what a file of results holds.
type reading struct {
	header      header
	whole, torn int64 // bytes
}

// readResults reads the file of results of a shard, which was begun under one of the sweeps, and
// calls visit with the object of each. What visit finds wrong with one is damage at its place,
// unless it is a misfit. A file that is not there is an empty one.
func readResults(files fileSystem, path string, sweeps []*Sweep, shard Shard,
	visit func(object []byte, line int) error) (out reading, err error) {
	f, err := files.Open(path, maxResults)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	defer f.Close()
	out.whole, out.torn, err = scanLines(f, func(line []byte, number int, offset int64) error {
		corrupt := func(err error) error { return &corruptError{path, number, offset, err.Error()} }
		if number == 1 {
			if err := out.header.decode(line); err != nil {
				return corrupt(err)
			}
			h := out.header
			if err := selector.CheckSchema(h.Schema, schema); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			i := slices.IndexFunc(sweeps, func(s *Sweep) bool { return h.Sweep == s.id })
			if i < 0 || h.Study != sweeps[i].study.Name {
				return fmt.Errorf("%s holds results of another sweep (%s)", path, h.Sweep)
			} else if h.Shard != shard.String() {
				return corrupt(errs.New("its contents are of shard %q, but its name is of %v; rename it back",
					selector.Cut(h.Shard), shard))
			} else if h.Cells < 0 || h.Cells > sweeps[i].Len() {
				return corrupt(fmt.Errorf("it is for %d cells, but the sweep has %d", h.Cells, sweeps[i].Len()))
			}
			return nil
		}
		object, err := objectOf(line, "result")
		if err == nil {
			err = visit(object, number)
		}
		if _, whole := errors.AsType[misfit](err); whole || err == nil {
			return err
		}
		return corrupt(err)
	})
	if long, ok := errors.AsType[*corruptError](err); ok && long.Path == "" {
		long.Path = path
	}
	return out, err
}

// shardFile recognises the names of files of results, and those that breadboard never gives:
// shard-01-of-1, shard-0-of-0.
var shardFile = regexp.MustCompile(`^shard-([0-9]+)-of-([0-9]+)\.jsonl$`)

// stem returns the name of the shard's files without their endings.
func (s Shard) stem() string { return fmt.Sprintf("shard-%d-of-%d", s.Index, s.Count) }

// shards returns the shards of which there are results in a folder, in the order of their numbers.
func shards(files fileSystem, dir string) ([]Shard, error) {
	names, err := files.Names(dir)
	if err != nil {
		return nil, err
	}
	var out []Shard
	for _, name := range names {
		m := shardFile.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		index, err1 := strconv.Atoi(m[1])
		count, err2 := strconv.Atoi(m[2])
		shard := Shard{index, count}
		if err := errors.Join(err1, err2); err != nil || index < 1 || index > count || count > maxShards ||
			name != shard.stem()+".jsonl" {
			return nil,
				errs.New("%s is not a file of a shard, though its name looks like one; shards have names such "+
					"as %s.jsonl: rename the file, or move it away",
					filepath.Join(dir, name), Shard{2, 6}.stem())
		}
		out = append(out, shard)
	}
	slices.SortStableFunc(out, func(a, b Shard) int { return cmp.Or(a.Count-b.Count, a.Index-b.Index) })
	return out, nil
}

// ResultFiles returns the paths of the files with the results of a sweep in a folder: its manifest,
// those of sweeps that the folder had before, and the files of the shards. It returns none for any
// other folder.
func ResultFiles(dir string) (paths []string) {
	if !fileExists(filepath.Join(dir, manifestName)) {
		return nil
	}
	names, err := disk{}.Names(dir)
	if err != nil {
		return nil
	}
	sort.Strings(names)
	for _, name := range names {
		if name == manifestName || earlierFile.MatchString(name) || shardFile.MatchString(name) {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	return paths
}

// readManifest returns the sweep that a folder holds.
func readManifest(studies Studies, files fileSystem, dir string) (*Sweep, error) {
	return readManifestAt(studies, files, filepath.Join(dir, manifestName))
}

// readManifestAt returns the sweep of a manifest under any name.
func readManifestAt(studies Studies, files fileSystem, path string) (*Sweep, error) {
	text, err := files.ReadFile(path, maxManifest)
	if err != nil {
		return nil, err
	}
	s, err := parseManifest(studies, text)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return s, err
}
