package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports/views/sweeps"
)

// sweepRun is what sweep run is asked for.
type sweepRun struct {
	spec    sweepSpec
	shard   string
	workers int
	extend  bool
}

func (a *app) sweepRunCommand() *cobra.Command {
	var o sweepRun
	c := &cobra.Command{
		Use: "run SPEC --out DIR", Short: "Solve the cells of a sweep that have no result yet",
		Long: `run solves the cells of a specification and appends each result to a file in the folder DIR, one checksummed line
of JSON. Results are synced to the disk every tenth of a second, and are then safe. Interrupted with Ctrl-C run gives up the
cells in progress, and keeps what has been solved; if it is killed, or the machine is switched off, at most the results of
the last tenth of a second are lost. Started again, with the same specification, it solves what is missing. A cell that fails is a result that
says why, and is not solved again; to have it solved again, take its line, which names it, out of the shard's .jsonl
while no run is under way. Where a cell of the shard has failed, now or in an earlier run, the exit code is 1 after all others have been
solved and written. When, where and by which version each cell was solved stands in a log beside the results.

A folder holds one sweep, and a specification that has changed is refused. With --extend run accepts the change: it keeps
the results of cells that are in the old and the new specification, and solves the new cells. Results of cells that are no
longer in the specification stay in the folder and are ignored. If a file has changed, the cells that name it are new ones.

A shard is one part of the sweep, for one of several processes or machines: --shard 2/6 solves the second of six.
With auto, index and count come from the array job in which the process runs, and outside of one it is the whole
sweep; auto/6 takes the index only:

  Slurm          SLURM_ARRAY_TASK_ID of _MIN to _MAX by _STEP and _COUNT
  Grid Engine    SGE_TASK_ID of SGE_TASK_FIRST to _LAST by _STEPSIZE
  Kubernetes     JOB_COMPLETION_INDEX, from 0, of an indexed job with N completions: --shard auto/N
  GNU parallel   PARALLEL_SEQ, with --shard auto/N; the same as --shard {#}/N

All shards may write to one folder, or each to its own: merge takes several. A run knows the results of every
shard in its folder, so that --shard 1/1 finishes what shards have left. Each shard has one writer at a time; on a
network file system that needs working locks (flock).

A kernel in another program (exec:COMMAND) needs the key program-hash of the specification, with every file of the program: the script, and
what it imports or reads. Otherwise a change of the program would go unnoticed. The SHA-256 of the files is part of each cell with such a kernel, so a changed program makes another
sweep. The program is started anew for each cell, in the current folder, and ends with its cell. If it hangs, dies or answers nonsense, the cell fails.

breadboard sweep --help describes specifications, and lists the studies.`,
		Example: `  breadboard sweep run grid.toml --out grid
  breadboard sweep run grid.toml --out grid --shard 2/6 --workers 4
  breadboard sweep run larger.toml --out grid --extend
  seq 6 | parallel breadboard sweep run grid.toml --out grid --workers 1 --shard {}/6`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.spec.path = args[0]
			return a.sweepRun(c.Context(), o)
		},
	}
	o.spec.add(c)
	a.addSweepFolder(c)
	addWorkers(c.Flags(), &o.workers)
	addExtend(c, &o.extend)
	c.Flags().StringVar(&o.shard, "shard", "auto", ": "+sweep.ShardForms)
	return c
}

func (a *app) sweepRun(ctx context.Context, o sweepRun) error {
	if err := checkSweepRun(o.workers, a.output.dir); err != nil {
		return badInput(err)
	}
	shard, source, err := sweep.ParseShard(o.shard, a.getenv)
	if err != nil {
		return badInput(err)
	}
	s, _, err := a.readSweep(o.spec)
	if err != nil {
		return err
	}
	if source != "" {
		a.note("shard %v, from %s", shard, source)
	}
	if o.extend {
		extension, err := sweep.Extend(ctx, a.output.dir, s)
		if err != nil {
			return sweepFailure(err)
		}
		if failed := a.write(sweeps.SweepExtensionReport(extension)); failed != nil {
			return failed
		}
	}
	progress := a.sweepProgress(isTerminal(a.stderr) && !a.plainTerminal())
	account, err := sweep.Run(ctx, s, a.output.dir, sweep.Options{Shard: shard, Workers: o.workers, Version: version(), Acknowledged: progress.update})
	progress.done()
	report := sweeps.SweepRunReport(shard, account, err)
	failed := a.write(report)
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return sweepFailure(err)
	case failed != nil:
		return failed
	}
	if report.Fault != nil {
		return fault(fmt.Errorf("%w; breadboard sweep status %s names them, with why they failed", report.Fault, a.output.dir))
	}
	return nil
}

// addExtend adds the flag that has a folder go on with another specification.
func addExtend(c *cobra.Command, extend *bool) {
	c.Flags().BoolVar(extend, "extend", false, "")
}

func checkSweepRun(workers int, dir string) error {
	if workers < 0 {
		return fmt.Errorf("--workers %d; give a number of cells, or 0 for one on each core", workers)
	}
	if dir == "" {
		return errors.New("give the folder of the sweep, as in --out grid")
	}
	return nil
}

// sweepProgress shows how far a sweep has come: on a terminal as a bar, else as lines.
type sweepProgress struct {
	app      *app
	terminal bool
	start    time.Time
	stop     chan struct{}

	mu   sync.Mutex
	line line
	now  sweep.Progress
}

func (a *app) sweepProgress(terminal bool) *sweepProgress {
	p := &sweepProgress{app: a, line: line{out: a.stderr}, terminal: terminal, start: time.Now(), stop: make(chan struct{})}
	every := a.linesEvery()
	if terminal {
		every = time.Second
	}
	go p.repeat(every)
	return p
}

// repeat shows the progress now and then, also while nothing is acknowledged.
func (p *sweepProgress) repeat(every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			p.show()
		}
	}
}

func (p *sweepProgress) update(now sweep.Progress) {
	p.mu.Lock()
	p.now = now
	p.mu.Unlock()
}

// show draws the bar, or writes a line.
func (p *sweepProgress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := progressLine(p.now, time.Since(p.start))
	switch {
	case p.now.Cells == 0: // nothing to do, or not yet known
	case p.terminal:
		p.line.show(drawn(p.now.Cost/p.now.TotalCost) + " " + line)
	default:
		p.app.note("%s", line)
	}
}

// done clears the bar. Nothing is shown after it.
func (p *sweepProgress) done() {
	close(p.stop)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = sweep.Progress{}
	p.line.clear()
}

// progressLine says how far, how fast and how long still: by the estimated cost, since the cells
// that take longest come first.
func progressLine(now sweep.Progress, elapsed time.Duration) string {
	line := fmt.Sprintf("%d of %d cells", now.Done, now.Cells)
	if now.Failed > 0 {
		line += fmt.Sprintf(", %d failed", now.Failed)
	}
	line += fmt.Sprintf(", %.3g a second", float64(now.Done)/elapsed.Seconds())
	if now.Cost > 0 {
		left := time.Duration(float64(elapsed) * (now.TotalCost - now.Cost) / now.Cost)
		line += ", " + left.Round(time.Second).String() + " left"
	}
	return line
}
