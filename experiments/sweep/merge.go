package sweep

import (
	"errors"
	"fmt"
	"io/fs"

	"breadboard/chains"
	"breadboard/experiments"
)

// Row is a cell and what came of it: values, or an error.
type Row struct {
	Cell  Cell
	Error string // why there are no values
	*Values
}

// Merged is what the folders of a sweep hold, in the order of the cells.
type Merged struct {
	Sweep   *Sweep
	Rows    []Row // of the cells that have a result
	Missing int   // cells that have none
	First   Cell  // the first of them
}

// Merge reads the results of a sweep of one of the studies from one or more folders. A cell may have several results, as when shards
// were cut in another way halfway through; they must agree. It never writes, and may be used while a sweep runs.
//
// It takes about ten microseconds and half a kilobyte for each result.
func Merge(studies []*experiments.Study, dirs ...string) (*Merged, error) {
	return merge(studies, disk{}, dirs)
}

func merge(studies []*experiments.Study, files fileSystem, dirs []string) (*Merged, error) {
	s, err := open(studies, files, dirs)
	if err != nil {
		return nil, err
	}
	results := make([]*Result, s.Len())
	c := newCollector(s, func(i int, r *Result) { results[i] = r })
	for _, dir := range dirs {
		all, err := shards(files, dir)
		if err != nil {
			return nil, err
		}
		for _, shard := range all {
			if _, err := c.readShard(files, dir, shard); err != nil {
				return nil, err
			}
		}
	}
	return s.merged(results), nil
}

// open reads the manifests of folders, which must be of one sweep.
func open(studies []*experiments.Study, files fileSystem, dirs []string) (s *Sweep, err error) {
	if len(dirs) == 0 {
		return nil, errors.New("no folder of a sweep is named")
	}
	for _, dir := range dirs {
		next, err := readManifest(studies, files, dir)
		if errors.Is(err, fs.ErrNotExist) {
			if all, err := shards(files, dir); err == nil && len(all) > 0 {
				return nil, strayResults(dir, all)
			}
			return nil, Refusal{chains.NewAdvice("%s holds no sweep: there is no %s; {sweep run|a run to} %s makes one", dir, manifestName, dir)}
		}
		if err != nil {
			return nil, err
		}
		if s == nil {
			s = next
		}
		if next.id != s.id {
			return nil, Refusal{fmt.Errorf("%s and %s hold different sweeps: from the first to the second, %s", dirs[0], dir, next.difference(s))}
		}
	}
	return s, nil
}

// merged returns the rows of the results of the cells, nil where there is none.
func (s *Sweep) merged(results []*Result) *Merged {
	m := &Merged{Sweep: s, Rows: make([]Row, 0, len(results))}
	for i, r := range results {
		switch {
		case r == nil && m.Missing == 0:
			m.First = s.Cell(i)
			m.Missing++
		case r == nil:
			m.Missing++
		case r.Values == nil:
			m.Rows = append(m.Rows, Row{Cell: r.Cell, Error: r.Error})
		default:
			m.Rows = append(m.Rows, Row{Cell: r.Cell, Values: r.Values})
		}
	}
	return m
}
