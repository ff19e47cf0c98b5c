package sweep

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// maxShards bounds the number of shards.
const maxShards = 1_000_000

// Shard is one of several parts of a sweep: part Index of Count, 1 <= Index <= Count. The zero Shard is the whole.
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

// ShardForms describes what ParseShard reads.
const ShardForms = "I/N, auto/N or auto"

// ParseShard returns the shard of "2/6"; of "auto/6", whose index is that of the job in which the process runs; and
// of "auto", which takes the count from there too and is the whole sweep outside of array jobs. The environment
// is looked up through getenv. It also says which variable the index came from.
//
//	Slurm         SLURM_ARRAY_TASK_ID of _MIN to _MAX by _STEP; _COUNT
//	Grid Engine   SGE_TASK_ID of SGE_TASK_FIRST to _LAST by _STEPSIZE
//	Kubernetes    JOB_COMPLETION_INDEX, from 0; the count only from auto/N
//	GNU parallel  PARALLEL_SEQ, with auto/N only: its jobs may as well be different sweeps
func ParseShard(text string, getenv func(string) string) (s Shard, source string, err error) {
	index, count, hasCount := strings.Cut(text, "/")
	if hasCount {
		if s.Count, err = shardNumber(count); err != nil {
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
		return 0, fmt.Errorf("%q is no whole number from 1 to %d; write %s, as in 2/6", text, maxShards, ShardForms)
	}
	return n, nil
}

// environmentShard returns the shard of the job in which the process runs; a count of zero is not known.
func environmentShard(count int, getenv func(string) string) (Shard, string, error) {
	arrays := []array{
		{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT"},
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
			return Shard{}, "", fmt.Errorf("JOB_COMPLETION_INDEX is %q, no whole number below %d", id, maxShards)
		}
		if count == 0 {
			return Shard{}, "", chains.NewAdvice("JOB_COMPLETION_INDEX is %d, and nothing says of how many; give {shard} auto/N, or {shard} 1/1 for all", n)
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
	return Shard{}, "", fmt.Errorf("none of SLURM_ARRAY_TASK_ID, SGE_TASK_ID, JOB_COMPLETION_INDEX and PARALLEL_SEQ is set; give the index, as in 2/%d", count)
}

// array names the variables in which a scheduler describes an array job.
type array struct{ id, first, last, step, count string }

// shard returns the place of the task in its array. With a count, the task's own number is the index: tasks that
// are submitted again, a few at a time, stay the shards that they were.
func (a array) shard(count int, getenv func(string) string) (Shard, error) {
	var failure error
	number := func(name string, otherwise int) int {
		n, err := strconv.Atoi(getenv(name))
		if err != nil || n < 0 {
			if otherwise < 0 || getenv(name) != "" {
				failure = cmp.Or(failure, fmt.Errorf("%s is %q, no whole number", name, getenv(name)))
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
			failure = fmt.Errorf("%s is %d; number the tasks from 1, as in --array=1-%d", a.id, id, count)
		}
		return Shard{id, count}, failure
	}
	first, last, step := number(a.first, -1), number(a.last, -1), max(1, number(a.step, 1))
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
		return Shard{}, chains.NewAdvice("the array has %d tasks between %d and %d, with gaps; give {shard} auto/N with the N of the first submission", tasks, first, last)
	case id < first || id > last || (id-first)%step != 0 || s.Count > maxShards:
		return Shard{}, fmt.Errorf("%s is %d, which is not among %d to %d by %d", a.id, id, first, last, step)
	}
	return s, nil
}

// rank is a cost in whole microseconds: the last digits of an estimate, which differ between processors, must not decide
// to which shard a cell falls.
func rank(cost float64) int64 { return int64(math.Round(cost * 1e6)) }

// part returns the numbers of the shard's cells, the most expensive first: the cells, sorted by their cost, are dealt out forth and back.
func (s *Sweep) part(shard Shard, costs []float64) []int {
	order := make([]int, len(costs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rank(costs[j]), rank(costs[i])) })
	var mine []int
	for at, i := range order {
		round, place := at/shard.Count, at%shard.Count
		if round%2 == 1 {
			place = shard.Count - 1 - place
		}
		if place == shard.Index-1 {
			mine = append(mine, i)
		}
	}
	return mine
}

// SlurmJob is a sweep as an array job of Slurm, with a merge after it. Its scripts run a shard in each task and can
// be submitted any number of times.
type SlurmJob struct {
	Program string   // path of breadboard
	Folder  string   // from which files that the sweep names are found
	Spec    string   // path of the specification
	Set     []string // changes of it
	// Programs are the paths of the files that programs are made of, as the specification does not have them.
	Programs []string
	Dir      string // absolute path of the folder of the sweep
	Shards   int
	Workers  int    // of each task
	Extend   bool   // whether the folder goes on with another specification
	Format   string // of the merge
	Options  []string
}

// Validate fails for numbers that make no array, and for names that a script for sbatch cannot hold.
func (j SlurmJob) Validate(cells int) error {
	if j.Shards < 1 || j.Shards > cells {
		return chains.NewAdvice("{shards} %d; give a number from 1 to the %d cells of the sweep", j.Shards, cells)
	}
	if strings.ContainsAny(j.Dir, `"\`) {
		return chains.NewAdvice("the folder %q has a quote or backslash in its name, which Slurm cannot be told; take another {out|one}", j.Dir)
	}
	for _, text := range append([]string{j.Program, j.Folder, j.Spec, j.Dir}, slices.Concat(j.Set, j.Programs, j.Options)...) {
		if strings.ContainsFunc(text, unicode.IsControl) {
			return fmt.Errorf("%q has a line break or control character in it, which a script for sbatch cannot hold", text)
		}
	}
	for _, option := range j.Options {
		if !strings.HasPrefix(option, "-") {
			return chains.NewAdvice("{sbatch} %s: write an option of sbatch, as in {sbatch=|}--partition=short", option)
		}
		if spoken(option) {
			return chains.NewAdvice("{sbatch} %s: breadboard says that itself; leave it out", option)
		}
	}
	return nil
}

// spoken reports whether an option of sbatch, which may be abbreviated, is one of those on which the scripts rest.
func spoken(option string) bool {
	name, long := strings.CutPrefix(option, "--")
	if !long {
		return len(option) > 1 && strings.ContainsRune("aod", rune(option[1]))
	}
	if end := strings.IndexAny(name, "= "); end >= 0 {
		name = name[:end]
	}
	return slices.ContainsFunc([]string{"array", "output", "dependency"}, func(ours string) bool { return strings.HasPrefix(ours, name) })
}

// Array returns the script of the array job.
func (j SlurmJob) Array() string {
	var b strings.Builder
	j.head(&b, "sweep", "slurm-%A_%a.out")
	fmt.Fprintf(&b, "#SBATCH --array=1-%d\n", j.Shards)
	fmt.Fprintf(&b, "#SBATCH --cpus-per-task=%d\n", max(1, j.Workers))
	b.WriteString("#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --signal=B:TERM@120\n")
	fmt.Fprintf(&b, "cd -- %s || exit 3\n", selector.ShellQuote(j.Folder))
	fmt.Fprintf(&b, "exec %s sweep run --out %s --workers %d --shard \"$SLURM_ARRAY_TASK_ID/%d\"", selector.ShellQuote(j.Program), selector.ShellQuote(j.Dir), j.Workers, j.Shards)
	if j.Extend {
		b.WriteString(" --extend")
	}
	for _, set := range j.Set {
		fmt.Fprintf(&b, " --set %s", selector.ShellQuote(set))
	}
	for _, path := range j.Programs {
		fmt.Fprintf(&b, " --%s %s", ProgramHash, selector.ShellQuote(path))
	}
	fmt.Fprintf(&b, " -- %s\n", selector.ShellQuote(j.Spec))
	return b.String()
}

// Merge returns the script of the job that merges the results.
func (j SlurmJob) Merge() string {
	var b strings.Builder
	j.head(&b, "merge", "slurm-merge-%j.out")
	fmt.Fprintf(&b, "exec %s sweep merge --format %s --out %s -- %s > /dev/null\n",
		selector.ShellQuote(j.Program), j.Format, selector.ShellQuote(filepath.Join(j.Dir, "merged")), selector.ShellQuote(j.Dir))
	return b.String()
}

// head writes what both scripts begin with. In names of output files Slurm takes a doubled % for itself.
func (j SlurmJob) head(b *strings.Builder, what, output string) {
	fmt.Fprintf(b, "#!/bin/bash\n#SBATCH --job-name=breadboard-%s\n", what)
	fmt.Fprintf(b, "#SBATCH --output=\"%s\"\n", filepath.Join(strings.ReplaceAll(j.Dir, "%", "%%"), output))
	for _, option := range j.Options {
		fmt.Fprintf(b, "#SBATCH %s\n", option)
	}
}
