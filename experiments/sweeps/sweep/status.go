package sweep

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"breadboard/chains/selector"
)

// State is the state of a shard.
type State string

// The states of a shard.
const (
	Complete   State = "complete"    // every cell of the shard, or of the sweep, has a result
	Running    State = "running"     // a process is writing the shard
	stopped    State = "stopped"     // begun, but no process is writing it
	NotStarted State = "not started" // while others of the same count were started
)

// ShardStatus is the progress of the file of a shard.
type ShardStatus struct {
	Dir     string
	Shard   Shard
	Cells   int // of the shard; 0 if it was not started, or began before the sweep was extended
	Done    int // results in its file
	Failed  int // errors among these
	State   State
	Process string // the process that is writing it, if it runs
}

// Status is the progress of a sweep.
type Status struct {
	Cells, Done, Failed int // of the whole sweep; each cell counts once
	Shards              []ShardStatus
	Failures            []Row // failed cells, in the order of the cells
}

// Missing returns the number of cells without a result.
func (s *Status) Missing() int { return s.Cells - s.Done }

// ReadStatus reads the progress of the sweep of one of the studies in one or more folders. It never
// writes, and may be used while the sweep runs.
func ReadStatus(studies Studies, dirs ...string) (*Status, error) {
	files := disk{}
	s, err := open(studies, files, dirs)
	if err != nil {
		return nil, err
	}
	status := &Status{Cells: s.Len()}
	failures := map[int]Row{}
	c := newCollector(s, func(i int, r *Result) {
		status.Done++
		if r.Values == nil {
			failures[i] = Row{Cell: r.Cell, Error: r.Error}
		}
	})
	for _, dir := range dirs {
		list, err := c.shardStatuses(files, dir)
		if err != nil {
			return nil, err
		}
		status.Shards = append(status.Shards, list...)
	}
	for _, i := range slices.Sorted(maps.Keys(failures)) {
		status.Failures = append(status.Failures, failures[i])
	}
	status.Failed = len(status.Failures)
	for i := range status.Shards {
		if status.Missing() == 0 && status.Shards[i].State != Running {
			status.Shards[i].State = Complete
		}
	}
	return status, nil
}

// shardStatuses takes the results of a folder, and returns how far each of its shards has come,
// with those of the same count that were not started.
func (c *collector) shardStatuses(files fileSystem, dir string) ([]ShardStatus, error) {
	all, err := shards(files, dir)
	if err != nil {
		return nil, err
	}
	there := map[Shard]bool{}
	for _, shard := range all {
		there[shard] = true
	}
	var out []ShardStatus
	count := 0
	for _, shard := range all {
		if shard.Count == count {
			continue
		}
		count = shard.Count
		for i := range count {
			one := ShardStatus{Dir: dir, Shard: Shard{i + 1, count}, State: NotStarted}
			if there[one.Shard] {
				one, err = c.shardStatus(files, dir, one.Shard)
				if err != nil {
					return nil, err
				}
			}
			out = append(out, one)
		}
	}
	return out, nil
}

func (c *collector) shardStatus(files fileSystem, dir string, shard Shard) (ShardStatus, error) {
	read, err := c.readShard(files, dir, shard)
	one := ShardStatus{Dir: dir, Shard: shard, Done: read.done, Failed: read.failed, State: stopped}
	// else it is not known how many cells of this sweep fall to the shard
	current := read.header.Sweep == c.sweep.id
	if current {
		one.Cells = read.header.Cells
	}
	if err != nil {
		return one, err
	}
	holder, err := writer(filepath.Join(dir, shard.stem()+".lock"))
	if holder != nil {
		one.State, one.Process = Running, holder.String()
	} else if current && read.whole > 0 && one.Done == one.Cells {
		one.State = Complete
	}
	return one, err
}

// writer returns the process that holds a lock, and nil if none does.
func writer(path string) (*holder, error) {
	f, err := selector.OpenFile(path, maxLine)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() // and with it the lock, unless another process has it
	if free, err := selector.TryShare(f); err != nil || free {
		return nil, err
	}
	text, err := f.ReadWhole()
	if err != nil && !errors.Is(err, selector.ErrChanged) {
		return nil, err
	}
	var h holder
	if json.Unmarshal(text, &h) != nil {
		h.Host = "(unknown)" // it has just begun
	}
	return &h, nil
}
