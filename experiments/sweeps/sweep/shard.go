package sweep

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/experiments/subject"
)

// maxShards bounds the number of shards.
const maxShards = 1_000_000

// Shard is one of several parts of a sweep: part Index of Count, 1 <= Index <= Count. The zero
// Shard is the whole.
type Shard struct{ Index, Count int }

// String returns "2/6".
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// orWhole returns 1/1 for the zero Shard.
func (s Shard) orWhole() Shard {
	if s == (Shard{}) {
		return Shard{1, 1}
	}
	return s
}

// ShardForms describes the input of ParseShard.
const ShardForms = "I/N, auto/N or auto"

// ParseShard returns the shard of "2/6"; of "auto/6", with the index of the job in which the
// process runs; and of "auto", which also takes the count from there, and is the whole sweep
// outside of array jobs. The environment is looked up through getenv. It also returns the variable
// with the index.
//
//	Slurm         SLURM_ARRAY_TASK_ID of _MIN to _MAX by _STEP; _COUNT
//	Grid Engine   SGE_TASK_ID of SGE_TASK_FIRST to _LAST by _STEPSIZE
//	Kubernetes    JOB_COMPLETION_INDEX, from 0; the count only from auto/N
//	GNU parallel  PARALLEL_SEQ, with auto/N only: its jobs may as well be different sweeps
func ParseShard(text string, getenv func(string) string) (s Shard, source string, err error) {
	index, count, hasCount := strings.Cut(text, "/")
	if hasCount {
		s.Count, err = shardNumber(count)
		if err != nil {
			return Shard{}, "", fmt.Errorf("shard %q: %w", text, err)
		}
	}
	switch {
	case index == "auto":
		s, source, err = environmentShard(s.Count, getenv)
	case !hasCount:
		err = fmt.Errorf("write %s, as in 2/6", ShardForms)
	default:
		s.Index, err = shardNumber(index)
	}
	if err == nil && s.Index > s.Count {
		err = fmt.Errorf("there is no part %d of %d", s.Index, s.Count)
	}
	if err != nil {
		return Shard{}, "", fmt.Errorf("shard %q: %w", text, err)
	}
	return s, source, nil
}

func shardNumber(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxShards || text[0] == '+' {
		return 0, errs.New("%q is not a whole number from 1 to %d; write %s, as in 2/6", text, maxShards, ShardForms)
	}
	return n, nil
}

// environmentShard returns the shard of the job in which the process runs; a count of zero is not
// known.
func environmentShard(count int, getenv func(string) string) (Shard, string, error) {
	arrays := []array{
		{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP",
			"SLURM_ARRAY_TASK_COUNT"},
		{"SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE", ""},
	}
	for _, a := range arrays {
		if id := getenv(a.id); id != "" && id != "undefined" {
			s, err := a.shard(count, getenv)
			return s, a.id, err
		}
	}
	if id := getenv("JOB_COMPLETION_INDEX"); id != "" {
		n, err := strconv.Atoi(id)
		if err != nil || n < 0 || n >= maxShards {
			return Shard{}, "", fmt.Errorf("JOB_COMPLETION_INDEX is %q, not a whole number below %d", id, maxShards)
		}
		if count == 0 {
			return Shard{}, "", errs.New(
				"JOB_COMPLETION_INDEX is %d, but the number of tasks is unknown; give {shard} auto/N, or "+
					"{shard} 1/1 for all",
				n,
			)
		}
		return Shard{n + 1, count}, "JOB_COMPLETION_INDEX", nil
	}
	if count == 0 {
		return Shard{1, 1}, "", nil
	}
	if id := getenv("PARALLEL_SEQ"); id != "" {
		n, err := shardNumber(id)
		return Shard{n, count}, "PARALLEL_SEQ", err
	}
	return Shard{}, "", errs.New(
		"none of SLURM_ARRAY_TASK_ID, SGE_TASK_ID, JOB_COMPLETION_INDEX and PARALLEL_SEQ is set; give the "+
			"index, as in 2/%d",
		count,
	)
}

// array names the variables in which a scheduler describes an array job.
type array struct{ id, first, last, step, count string }

// shard returns the place of the task in its array. With a count, the task's own number is the
// index: tasks that are submitted again, a few at a time, stay the shards that they were.
func (a array) shard(count int, getenv func(string) string) (Shard, error) {
	var failure error
	number := func(name string, otherwise int) int {
		n, err := strconv.Atoi(getenv(name))
		if err != nil || n < 0 {
			if otherwise < 0 || getenv(name) != "" {
				failure = cmp.Or(failure, fmt.Errorf("%s is %q, not a whole number", name, getenv(name)))
			}
			return otherwise
		}
		return n
	}
	id := number(a.id, -1)
	if a.count != "" && count == 0 && getenv(a.count) != "" && getenv(a.first) == "" && getenv(a.last) == "" {
		tasks, err := shardNumber(getenv(a.count))
		if err != nil {
			return Shard{}, fmt.Errorf("%s: %w", a.count, err)
		}
		count = tasks // numbered from 1
	}
	if failure != nil || count > 0 {
		if id < 1 && failure == nil {
			failure = errs.New("%s is %d; number the tasks from 1, as in --array=1-%d", a.id, id, count)
		}
		return Shard{id, count}, failure
	}
	first := number(a.first, -1)
	last := number(a.last, -1)
	step := max(1, number(a.step, 1))
	if failure != nil {
		return Shard{}, failure
	}
	s := Shard{(id-first)/step + 1, (last-first)/step + 1}
	tasks := s.Count
	if a.count != "" {
		tasks = number(a.count, s.Count)
	}
	switch {
	case failure != nil:
		return Shard{}, failure
	case tasks != s.Count:
		return Shard{}, errs.New(
			"the array has %d tasks between %d and %d, with gaps; give {shard} auto/N with the N of the "+
				"first submission",
			tasks,
			first,
			last,
		)
	case id < first || id > last || (id-first)%step != 0 || s.Count > maxShards:
		return Shard{}, fmt.Errorf("%s is %d, which is not among %d to %d by %d", a.id, id, first, last, step)
	}
	return s, nil
}

// rank is a cost in whole microseconds: the last digits of an estimate, which differ between
// processors, must not decide to which shard a cell falls.
func rank(cost float64) int64 { return int64(math.Round(cost * 1e6)) }

// shardCells returns the numbers of the shard's cells, the most expensive first: the cells, sorted
// by their cost, are dealt out forth and back.
func (s *Sweep) shardCells(shard Shard, costs []float64) []int {
	order := subject.Order(len(costs), func(i, j int) int { return cmp.Compare(rank(costs[j]), rank(costs[i])) })
	var mine []int
	for at, i := range order {
		round := at / shard.Count
		place := at % shard.Count
		if round%2 == 1 {
			place = shard.Count - 1 - place
		}
		if place == shard.Index-1 {
			mine = append(mine, i)
		}
	}
	return mine
}
