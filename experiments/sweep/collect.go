package sweep

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
)

// collector reads the results of a sweep, file by file: run, status and merge all read through it, and so accept and
// refuse the same. It remembers of each cell no more than that it has a result, and a digest to tell it from another.
type collector struct {
	sweep  *Sweep
	names  []string               // of the numbers that the study stores
	index  map[Key]int            // made when there is a result to look up
	found  []digest               // of the result of each cell; zero where there is none
	failed []bool                 // whether that is an error
	keep   func(i int, r *Result) // called with the first result of each cell; nil for none
}

// digest is the beginning of a hash of a result's text.
type digest [16]byte

func newCollector(s *Sweep, keep func(i int, r *Result)) *collector {
	var names []string
	for _, v := range s.study.Stored() {
		names = append(names, v.Name)
	}
	return &collector{s, names, nil, make([]digest, s.Len()), make([]bool, s.Len()), keep}
}

// has reports whether a cell has a result.
func (c *collector) has(i int) bool { return c.found[i] != digest{} }

// tally is what a file of results holds.
type tally struct {
	reading
	done, failed int // results in it, and those of them that are errors
}

// readShard takes the results of a shard in a folder. A file that is not there is an empty one.
func (c *collector) readShard(files fileSystem, dir string, shard Shard) (tally, error) {
	var t tally
	path := filepath.Join(dir, shard.stem()+".jsonl")
	read, err := readResults(files, path, c.sweep, shard, func(object []byte, line int) error {
		fails, err := c.take(object)
		if _, whole := errors.AsType[misfit](err); whole {
			return fmt.Errorf("%s, line %d: %w", path, line, err)
		}
		if t.done++; fails {
			t.failed++
		}
		return err
	})
	t.reading = read
	return t, err
}

// misfit is the error for a result that is whole, and does not fit the others or the sweep.
type misfit struct{ error }

func (m misfit) Unwrap() error { return m.error }

func errConflict(c Cell) error {
	return misfit{fmt.Errorf("another result than before of the cell %s; were the shards run by different versions of breadboard, or on different kinds of processor? take one of the two lines out, or remove one of the files", c)}
}

func errStranger(key Key) error {
	return misfit{fmt.Errorf("a result of the cell %s, which the sweep does not have; was it written by another version of breadboard? take the line out", key)}
}

// take takes the result that an object holds, and says whether it is an error.
func (c *collector) take(object []byte) (fails bool, err error) {
	i, r, err := c.decodeResult(object)
	if err != nil {
		return false, err
	}
	sum := sha256.Sum256(object)
	now := digest(sum[:16])
	switch {
	case !c.has(i):
		c.found[i], c.failed[i] = now, r.Values == nil
		if c.keep != nil {
			c.keep(i, r)
		}
	case c.found[i] != now:
		return false, errConflict(r.Cell)
	}
	return r.Values == nil, nil
}
