package sweep

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/work"
	"breadboard/experiments/subject"
)

// Options are the options of Run.
type Options struct {
	Shard   Shard  // the part to solve; the zero Shard is all of it
	Workers int    // cells solved at once; 0 is one for each processor
	Version string // of the program, for the log
	// called at the start, and when results have been written and synced; never twice at once
	Acknowledged func(Progress)
	files        fileSystem    // nil is the disk
	group        time.Duration // how long a result may wait for others; 0 is groupTime, less than 0 none
}

// Progress is the progress of a run.
type Progress struct {
	Results         []Result // acknowledged by this call
	Done, Cells     int      // cells of the shard that were missing when the run began, and those done since
	Failed          int      // of those done
	Cost, TotalCost float64  // estimated seconds on one core of those done, and of all
}

// Account has the counts of a run.
type Account struct {
	Cells        int   // of the shard
	Finished     int   // before the run, failed ones among them
	FailedBefore int   // of those
	Solved       int   // by the run, failed ones among them
	Failed       int   // by the run
	GivenUp      int   // cells in progress when the context ended
	Cut          int64 // bytes of an incomplete line that were cut off at the start
}

// Run solves the cells of a shard without a result in the folder, and appends the results. A cell
// that fails is a result with an error. If the context ends, cells in progress are abandoned, for
// the next run; finished cells are acknowledged, and the error is that of the context. It returns a
// Refusal if nothing was computed; any other error is one of reading or writing, after which
// everything acknowledged is on the disk.
//
// Results are the same for any number of workers and shards; only their order in the files differs.
func Run(ctx context.Context, s *Sweep, dir string, o Options) (account Account, err error) {
	if o.files == nil {
		o.files = disk{}
	}
	if o.group == 0 {
		o.group = groupTime
	}
	var costs []float64
	var part []int
	err = work.Unless(ctx, func() {
		costs = s.costs()
		part = s.shardCells(o.Shard.orWhole(), costs)
	})
	if err != nil {
		return account, err
	}
	st, err := openStore(ctx, o.files, dir, s, o.Shard.orWhole(), len(part))
	if err != nil {
		return account, err
	}
	defer func() { err = errors.Join(err, st.close()) }()
	r := &run{sweep: s, store: st, options: o, costs: costs, holder: thisProcess()}
	failed := r.findPending(part)
	account = Account{Cells: len(part), Finished: len(part) - len(r.todo), FailedBefore: failed, Cut: st.cut}
	err = r.solveCells(ctx)
	if gone := st.standing(); err == nil || chains.Ended(ctx, err) {
		err = cmp.Or(gone, err)
	}
	account.Solved, account.Failed, account.GivenUp = r.progress.Done, r.progress.Failed,
		int(r.givenUp.Load())
	return account, err
}

// Solve solves all cells in memory, without a folder, and returns the same as Merge. The most
// expensive cells begin first. It calls solved after each cell, from several goroutines at once. If
// the context ends, it returns the rows of the finished cells, with the context's error.
func Solve(ctx context.Context, s *Sweep, workers int, solved func()) (*Merged, error) {
	var order []int
	if err := work.Unless(ctx, func() { order = s.shardCells(Shard{}.orWhole(), s.costs()) }); err != nil {
		return s.merged(make([]*Result, s.Len())), err
	}
	results := make([]*Result, len(order))
	err := subject.Parallel(ctx, len(order), workers, func(ctx context.Context, i int) error {
		result, err := s.outcome(ctx, s.Cell(order[i]))
		if err == nil {
			results[order[i]] = &result
			solved()
		}
		return err
	})
	if err != nil && !chains.Ended(ctx, err) {
		return nil, err
	}
	return s.merged(results), err
}

// run is a run under way.
type run struct {
	sweep    *Sweep
	store    *store
	options  Options
	todo     []int     // the numbers of the cells without a result, the most expensive first
	costs    []float64 // of all cells of the sweep
	progress Progress
	givenUp  atomic.Int64 // cells
	holder   holder
}

// findPending finds out what of the shard is left to do, and how many of its cells have failed.
func (r *run) findPending(part []int) (failed int) {
	for _, i := range part {
		if r.store.before.failed[i] {
			failed++
		}
		if !r.store.before.has(i) {
			r.todo = append(r.todo, i)
			r.progress.TotalCost += r.costs[i]
		}
	}
	r.progress.Cells = len(r.todo)
	return failed
}

// solved is a result on its way to the store.
type solved struct {
	cell   int
	result Result
	took   time.Duration
}

// groupTime is how long a result may wait for others, to be synced with them. Fewer groups cost
// less; what waits is lost when the power goes, and solved again.
const groupTime = 100 * time.Millisecond

// solveCells has workers solve cells and one goroutine store the results.
func (r *run) solveCells(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make(chan solved, 4096)
	last := make(chan struct{}) // closed when there will be no more results
	stored := make(chan error, 1)
	r.reportProgress()
	go func() { stored <- r.storeResults(results, last, cancel) }()
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(r.workers(), len(r.todo)) {
		workers.Go(func() {
			if err := r.workOnCells(ctx, &next, results); err != nil {
				cancel(err)
			}
		})
	}
	workers.Wait()
	close(last)
	close(results)
	if err := <-stored; err != nil {
		return err
	}
	if r.progress.Done < len(r.todo) {
		return context.Cause(ctx)
	}
	return nil
}

// workOnCells solves one cell after the other until none is left or the context ends.
func (r *run) workOnCells(ctx context.Context, next *atomic.Int64, results chan<- solved) error {
	for ctx.Err() == nil {
		i := int(next.Add(1)) - 1
		if i >= len(r.todo) {
			return nil
		}
		one, err := r.solveCell(ctx, r.todo[i])
		if errors.Is(err, errGivenUp) {
			r.givenUp.Add(1)
			return nil
		}
		if err != nil {
			return err
		}
		results <- one
	}
	return nil
}

func (r *run) workers() int {
	if r.options.Workers > 0 {
		return r.options.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// errGivenUp is what becomes of a cell in progress when the context ends.
var errGivenUp = errors.New("the cell was given up")

// solveCell solves a cell. It fails if the context ends before it is solved, and if the cell is not
// what it was when the sweep was read; what is wrong with a cell stands in its result.
func (r *run) solveCell(ctx context.Context, i int) (solved, error) {
	start := time.Now()
	result, err := r.sweep.outcome(ctx, r.sweep.Cell(i))
	return solved{i, result, time.Since(start)}, err
}

// outcome solves a cell as Run does (see run.solve).
func (s *Sweep) outcome(ctx context.Context, cell Cell) (Result, error) {
	result := Result{Key: s.Key(cell), Cell: cell}
	in, end := cell.reader(ctx, s.studies.Forms)
	outcome, err := s.study.SolveRow(ctx, in, subject.Params(cell))
	end()
	if err != nil && ctx.Err() != nil {
		return Result{}, errGivenUp
	}
	if changed := s.unchanged(cell); changed != nil {
		return Result{}, changed
	}
	if err == nil {
		result.Values = valuesOf(s.study, outcome)
		err = result.validateResult(s.study)
		if err != nil {
			err = fmt.Errorf("the solution is out of range; this is a bug in breadboard: %w", err)
		}
	}
	if err != nil {
		result.Values, result.Error = nil, errorText(err)
	}
	return result, nil
}

// errorText returns what the result of a cell that failed says, which is never nothing.
func errorText(err error) string {
	return cmp.Or(shorten(err.Error()), "it failed without a reason")
}

// maxText is the length in bytes of the longest text of a result, so that its line has a limit too.
const maxText = 2000

// shorten cuts a text that is too long for a result, and replaces what is no UTF-8, which JSON
// cannot hold.
func shorten(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + "..."
}

// storeResults stores results in groups until there are no more. After a failure it lets them pass,
// and its error names their cells.
func (r *run) storeResults(results <-chan solved, last <-chan struct{}, stop context.CancelCauseFunc) error {
	var failure error
	var lost []Result
	for first := range results {
		group := append([]solved{first}, r.others(results, last)...)
		results := make([]Result, len(group))
		for i, one := range group {
			results[i] = one.result
		}
		err := r.store.commit(results)
		if err != nil {
			lost = append(lost, results...)
		} else {
			err = r.acknowledge(group, results)
		}
		if failure == nil && err != nil {
			failure = err
			stop(failure)
		}
	}
	return naming(failure, lost)
}

// maxNamed is how many cells an error names.
const maxNamed = 5

// naming adds to an error the cells that are solved and in no file.
func naming(err error, lost []Result) error {
	if err == nil || len(lost) == 0 {
		return err
	}
	var names []string
	for _, one := range lost[:min(len(lost), maxNamed)] {
		names = append(names, one.Cell.String())
	}
	if more := len(lost) - maxNamed; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return errs.New("%w; solved, but not stored: %s", err, strings.Join(names, "; "))
}

// others returns the results that come within the group time. It looks at them at its end only: to
// be woken for each would cost the workers more than the writing.
func (r *run) others(results <-chan solved, last <-chan struct{}) []solved {
	if r.options.group < 0 {
		return nil
	}
	timer := time.NewTimer(r.options.group)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-last:
	}
	var group []solved
	for {
		select {
		case one, ok := <-results:
			if !ok {
				return group
			}
			group = append(group, one)
		default:
			return group
		}
	}
}

// acknowledge says that results have been written and synced.
func (r *run) acknowledge(group []solved, results []Result) error {
	r.progress.Results = results
	for _, one := range group {
		r.progress.Done++
		r.progress.Cost += r.costs[one.cell]
		if one.result.Values == nil {
			r.progress.Failed++
		}
	}
	r.reportProgress()
	return r.store.appendLog(r.logLines(group))
}

// reportProgress reports how far the run has come.
func (r *run) reportProgress() {
	if r.options.Acknowledged != nil {
		r.options.Acknowledged(r.progress)
	}
}

// logLine says when, where, by which version and how fast a cell was solved.
type logLine struct {
	Key     Key       `json:"key"`
	Cell    Cell      `json:"cell"`
	Seconds float64   `json:"seconds"`
	Host    string    `json:"host"`
	PID     int       `json:"pid"`
	Version string    `json:"version,omitempty"` // of the program
	Written time.Time `json:"written"`
}

func (r *run) logLines(group []solved) []byte {
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	for _, one := range group {
		if err := lines.Encode(logLine{one.result.Key, one.result.Cell, one.took.Seconds(), r.holder.Host,
			r.holder.PID, r.options.Version,
			time.Now().UTC()}); err != nil {
			panic(err) // strings and numbers
		}
	}
	return b.Bytes()
}
