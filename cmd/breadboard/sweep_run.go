package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/experiments/sweeps/sweep"
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
		Long: `run solves the cells of a specification and appends each result to a file in
the folder DIR, one checksummed line of JSON.

If a run is interrupted or killed, start it again: it solves what is missing. A
failed cell is a result that says why; to solve it again, delete its line in
the .jsonl file. A folder holds one sweep: a changed specification needs
--extend. --shard 2/6 solves the second of six parts; auto takes the part from
the array job. The exit code is 1 if a cell has failed.

See breadboard help sweeps.`,
		Example: `  breadboard sweep run grid.toml --out grid
  breadboard sweep run grid.toml --out grid --shard 2/6 --workers 4
  breadboard sweep run larger.toml --out grid --extend
  seq 6 | parallel breadboard sweep run grid.toml --out grid --workers 1 --shard {}/6`,
		Args: takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			o.spec.path = args[0]
			return a.sweepRun(c.Context(), o)
		},
	}
	o.spec.addFlags(c)
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
	s, _, err := a.readSweep(ctx, o.spec)
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
		if failed := a.write(ctx, sweep.ExtensionReport(extension)); failed != nil {
			return failed
		}
	}
	progress := a.sweepProgress(isTerminal(a.stderr) && !a.plainTerminal())
	account, err := sweep.Run(ctx, s, a.output.dir,
		sweep.Options{Shard: shard, Workers: o.workers, Version: version(), Acknowledged: progress.update})
	progress.done()
	report := sweep.RunReport(shard, account, err)
	failed := a.write(ctx, report)
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return sweepFailure(err)
	case failed != nil:
		return failed
	}
	if report.Fault != nil {
		return fault(errs.New("%w; breadboard sweep status %s names them, with why they failed",
			report.Fault, a.output.dir))
	}
	return nil
}

// addExtend adds the flag that has a folder go on with another specification.
func addExtend(c *cobra.Command, extend *bool) {
	c.Flags().BoolVar(extend, "extend", false, "")
}

func checkSweepRun(workers int, dir string) error {
	if workers < 0 {
		return errs.New("--workers %d; give a number of cells, or 0 for one on each core", workers)
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
	p := &sweepProgress{
		app:      a,
		line:     line{out: a.stderr},
		terminal: terminal,
		start:    time.Now(),
		stop:     make(chan struct{}),
	}
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
	p.line.clearLine()
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
