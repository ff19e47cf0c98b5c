package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports"
	"breadboard/reports/table"
)

// sweepSubmit is what sweep submit is asked for.
type sweepSubmit struct {
	submit    bool
	spec      sweepSpec
	options   []string
	shards    int
	anyShards bool // the number of them is left to us
	workers   int
	extend    bool
}

func (a *app) sweepSubmitCommand() *cobra.Command {
	var o sweepSubmit
	c := &cobra.Command{
		Use: "submit SPEC --out DIR", Short: "Write the Slurm jobs of a sweep, and submit them",
		Long: `submit writes two scripts to the folder DIR and shows them: an array job that
runs a shard of the sweep in each task, and a job that merges the results into
DIR/merged.

The merge runs when every task has ended. If a task was killed or ran out of
time, the merge stops and says what is missing; submit again, and tasks solve
only that. To repeat a single task, write sbatch --array=3 DIR/slurm-array.sh.
All nodes must share DIR and the current folder, in which files and programs
are found. --format is that of the merge, by default csv.

See breadboard help sweeps.`,
		Example: `  breadboard sweep submit grid.toml --shards 6 --out grid
  breadboard sweep submit grid.toml --shards 100 --workers 4 --sbatch=--partition=short --sbatch=--time=4:00:00 --out grid --submit`,
		Args: takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			o.spec.path, o.anyShards = args[0], !c.Flags().Changed("shards")
			if !c.Flags().Changed("format") {
				a.output.format = table.CSV
			}
			return a.sweepSubmit(c.Context(), o)
		},
	}
	o.spec.addFlags(c)
	addExtend(c, &o.extend)
	a.addSweepFolder(c)
	flags := c.Flags()
	flags.BoolVar(&o.submit, "submit", false, "")
	flags.IntVar(&o.shards, "shards", 0, "(default 10, or as many as there are cells)")
	flags.IntVar(&o.workers, "workers", 1, "")
	flags.StringArrayVar(&o.options, "sbatch", nil, "")
	return c
}

func (a *app) sweepSubmit(ctx context.Context, o sweepSubmit) error {
	if err := checkSweepRun(o.workers, a.output.dir); err != nil {
		return badInput(err)
	}
	if o.workers == 0 {
		return badInput(errs.New("--workers 0; give the cores of a task, which Slurm must be told"))
	}
	s, _, err := a.readSweep(ctx, o.spec)
	if err != nil {
		return err
	}
	if err := sweep.CheckFolder(a.output.dir, s, o.extend); err != nil {
		return sweepFailure(err)
	}
	if o.anyShards {
		o.shards = min(10, s.Len())
	}
	job, err := a.slurmJob(o)
	if err == nil {
		err = job.Validate(s.Len())
	}
	if err != nil {
		return badInput(err)
	}
	if err := a.makeFolder(ctx); err != nil {
		return err
	}
	scripts := map[string]string{arrayScript: job.Array(), mergeScript: job.Merge()}
	r := &reports.Report{}
	for _, name := range []string{arrayScript, mergeScript} {
		script := scripts[name]
		r.Parts = append(r.Parts,
			reports.Text(fmt.Sprintf("# %s\n%s\n", filepath.Join(a.output.dir, name), script)),
			reports.File{Name: name, Content: func() ([]byte, error) { return []byte(script), nil }})
	}
	if err := a.write(ctx, r); err != nil {
		return err
	}
	if !o.submit {
		a.note("to submit them: the same command with --submit, or\n  id=$(sbatch --parsable %[1]s) && "+
			"sbatch --dependency=afterany:$id %[2]s",
			selector.ShellQuote(filepath.Join(a.output.dir, arrayScript)),
			selector.ShellQuote(filepath.Join(a.output.dir, mergeScript)))
		return nil
	}
	return a.sbatch(ctx)
}

// Names of the scripts in the folder of the sweep.
const (
	arrayScript = "slurm-array.sh"
	mergeScript = "slurm-merge.sh"
)

// slurmJob collects what the scripts say.
func (a *app) slurmJob(o sweepSubmit) (sweep.SlurmJob, error) {
	program, err1 := os.Executable()
	here, err2 := os.Getwd()
	dir, err3 := filepath.Abs(a.output.dir)
	return sweep.SlurmJob{
		Program: program,
		Folder:  here,
		Spec:    o.spec.path,
		Set:     o.spec.set,
		Dir:     dir,
		Shards:  o.shards,
		Workers: o.workers,
		Extend:  o.extend,
		Format:  string(a.output.format),
		Options: o.options,
	}, errors.Join(err1, err2, err3)
}

// sbatch submits the array, and the merge to run after it.
func (a *app) sbatch(ctx context.Context) error {
	array, err := a.submit(ctx, filepath.Join(a.output.dir, arrayScript))
	if err != nil {
		return err
	}
	a.note("submitted the array as job %s", array)
	merge, err := a.submit(ctx, "--dependency=afterany:"+array, filepath.Join(a.output.dir, mergeScript))
	if err != nil {
		return fmt.Errorf("job %s is submitted, and its merge is not: %w", array, err)
	}
	a.note("submitted the merge as job %s, after job %s has ended", merge, array)
	return nil
}

// submit runs sbatch and returns the number of the job.
func (a *app) submit(ctx context.Context, args ...string) (string, error) {
	var out, errs bytes.Buffer
	c := exec.CommandContext(ctx, "sbatch", append([]string{"--parsable"}, args...)...)
	c.Stdout = &out
	c.Stderr = &errs
	if err := c.Run(); err != nil {
		return "", ioFailure(fmt.Errorf("sbatch: %w: %s", err, errs.String()))
	}
	id, _, _ := strings.Cut(strings.TrimSpace(out.String()), ";") // the name of a cluster may follow
	return id, nil
}
