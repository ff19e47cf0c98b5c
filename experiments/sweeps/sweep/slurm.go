package sweep

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// SlurmJob is a sweep as an array job of Slurm, with a merge after it. Its scripts run a shard in
// each task and can be submitted any number of times.
type SlurmJob struct {
	Program string   // path of breadboard
	Folder  string   // the folder to which paths in the sweep are relative
	Spec    string   // path of the specification
	Set     []string // changes of it
	Dir     string   // absolute path of the folder of the sweep
	Shards  int
	Workers int    // of each task
	Extend  bool   // whether the folder goes on with another specification
	Format  string // of the merge
	Options []string
}

// Validate fails for numbers that are invalid for an array, and for names that a script for sbatch
// cannot hold.
func (j SlurmJob) Validate(cells int) error {
	if j.Shards < 1 || j.Shards > cells {
		return errs.New("{shards} %d; give a number from 1 to the %d cells of the sweep", j.Shards, cells)
	}
	if strings.ContainsAny(j.Dir, `"\`) {
		return errs.New(
			"the folder %q has a quote or backslash in its name, which Slurm does not accept; take another {out|one}",
			j.Dir,
		)
	}
	for _, text := range append([]string{j.Program, j.Folder, j.Spec, j.Dir}, slices.Concat(j.Set, j.Options)...) {
		if strings.ContainsFunc(text, unicode.IsControl) {
			return fmt.Errorf("%q has a line break or control character, which a script for sbatch cannot hold", text)
		}
	}
	for _, option := range j.Options {
		if !strings.HasPrefix(option, "-") {
			return errs.New("{sbatch} %s: write an option of sbatch, as in {sbatch=|}--partition=short", option)
		}
		if setByScripts(option) {
			return errs.New("{sbatch} %s: breadboard sets this option itself; leave it out", option)
		}
	}
	return nil
}

// setByScripts reports whether an option of sbatch, which may be abbreviated, is one of those on
// which the scripts rest.
func setByScripts(option string) bool {
	name, long := strings.CutPrefix(option, "--")
	if !long {
		return len(option) > 1 && strings.ContainsRune("aod", rune(option[1]))
	}
	if end := strings.IndexAny(name, "= "); end >= 0 {
		name = name[:end]
	}
	return slices.ContainsFunc([]string{"array", "output", "dependency"},
		func(ours string) bool { return strings.HasPrefix(ours, name) })
}

// Array returns the script of the array job.
func (j SlurmJob) Array() string {
	var b strings.Builder
	j.writeHead(&b, "sweep", "slurm-%A_%a.out")
	fmt.Fprintf(&b, "#SBATCH --array=1-%d\n", j.Shards)
	fmt.Fprintf(&b, "#SBATCH --cpus-per-task=%d\n", max(1, j.Workers))
	b.WriteString("#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --signal=B:TERM@120\n")
	fmt.Fprintf(&b, "cd -- %s || exit 3\n", selector.ShellQuote(j.Folder))
	fmt.Fprintf(&b, "exec %s sweep run --out %s --workers %d --shard \"$SLURM_ARRAY_TASK_ID/%d\"",
		selector.ShellQuote(j.Program),
		selector.ShellQuote(j.Dir), j.Workers, j.Shards)
	if j.Extend {
		b.WriteString(" --extend")
	}
	for _, set := range j.Set {
		fmt.Fprintf(&b, " --set %s", selector.ShellQuote(set))
	}
	fmt.Fprintf(&b, " -- %s\n", selector.ShellQuote(j.Spec))
	return b.String()
}

// Merge returns the script of the job that merges the results.
func (j SlurmJob) Merge() string {
	var b strings.Builder
	j.writeHead(&b, "merge", "slurm-merge-%j.out")
	fmt.Fprintf(&b, "exec %s sweep merge --format %s --out %s -- %s > /dev/null\n",
		selector.ShellQuote(j.Program), j.Format, selector.ShellQuote(filepath.Join(j.Dir, "merged")),
		selector.ShellQuote(j.Dir))
	return b.String()
}

// writeHead writes what both scripts begin with. In names of output files Slurm takes a doubled %
// for itself.
func (j SlurmJob) writeHead(b *strings.Builder, what, output string) {
	fmt.Fprintf(b, "#!/bin/bash\n#SBATCH --job-name=breadboard-%s\n", what)
	fmt.Fprintf(b, "#SBATCH --output=\"%s\"\n", filepath.Join(strings.ReplaceAll(j.Dir, "%", "%%"), output))
	for _, option := range j.Options {
		fmt.Fprintf(b, "#SBATCH %s\n", option)
	}
}
