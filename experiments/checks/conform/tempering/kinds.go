package tempering

import (
	"context"
	"fmt"

	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/checks/planted"
)

// The groups of columns.
const (
	Swaps    = "swap"      // the result of every pair in every scan
	Last     = "last"      // the states at all rungs after the last scan
	LogZ     = "log_z"     // the estimate of log Z
	Refusals = "rejection" // the mean rejection of each pair
	Trips    = "trips"     // round trips, of long runs
	Rate     = "rate"      // round trips a scan, of long runs
)

// What a bug breaks, which says by which records it is found.
const (
	invariance = "invariance" // the distribution of the states
	mixing     = "mixing"     // only how fast replicas move
	estimates  = "estimates"  // only what is reported
)

// way is a known way to get parallel tempering wrong.
type way struct {
	Name, Meaning string // what the README says of it
	Breaks        string // what it breaks
	bug           func(*planted.Tempering)
	trips         bool // whether it is looked for in long runs too
	only          bool // whether it is looked for in long runs only
}

// ways returns all known ways to get parallel tempering wrong.
func ways() []way {
	return []way{
		{"swap ratio inverted", "the ratio of a swap has the difference of the betas with the wrong sign", invariance, planted.SwapInverted, true, false},
		{"swap ratio without the reference", "the ratio of a swap has log f_1, not log f_1 - log f_0", invariance, planted.SwapByTarget, false, false},
		{"swap by the tempered densities", "the ratio of a swap has the tempered log f of each state at its own rung, not log f_1 - log f_0", invariance,
			planted.SwapTempered, false, false},
		{"swap by Barker's rule", "a swap with the ratio r is accepted with probability r/(1 + r), not min(1, r)", mixing, planted.SwapBarker, true, false},
		{"swap by stale states", "swaps use the states, or energies, from before exploring", invariance, planted.SwapStale, false, false},
		{"kernels' caches not swapped", "a swap exchanges the states, but not the densities of the states that the kernels of the two rungs have stored",
			invariance, planted.CachesStay, false, false},
		{"odd pairs from rung 0", "the odd pairs begin at rung 0, so that they are the even ones", mixing, planted.OddFromZero, true, false},
		{"always the even pairs", "every scan offers the even pairs, so the top rung never swaps if no even pair contains it", mixing, planted.AlwaysEven,
			true, false},
		{"all pairs in a sweep", "every scan offers all pairs, one after another from rung 0 on", mixing, planted.SweepPairs, true, false},
		{"top replica does not explore", "the replica at the top rung makes no move before the swaps", mixing, planted.ColdStays, false, false},
		{"replica at rung 0 does not explore", "the replica at rung 0 makes no move before the swaps", mixing, planted.HotStays, false, false},
		{"pairs not offered count as accepted", "the mean rejection of a pair is over all scans, with 0 if the pair was not offered a swap", estimates,
			planted.UnofferedAccepted, false, false},
		{"rejections counted as 0 or 1", "the mean rejection counts 1 for a refused swap and 0 for an accepted one, not 1 - a", estimates,
			planted.RefusalsCounted, false, false},
		{"explores at the beta of its old rung", "after a swap a replica goes on exploring by the beta of the rung from which it came", invariance,
			planted.BetasTravel, false, false},
		{"stepping stone of the rung above", "the forward estimate of log Z uses the states of rung i+1, not those of rung i", estimates,
			planted.StoneAbove, false, false},
		{"mean of the logs in log Z", "the estimate of log Z adds the means of the log weights, not the logs of their means", estimates,
			planted.StoneOfLogs, false, false},
		{"states recorded before the swaps", "the states of a scan, and the estimate of log Z, are those after exploring and before the swaps", estimates,
			planted.BeforeSwaps, false, false},
		{"ladder keeps adapting",
			"after each offer the gap of the pair is multiplied by exp((a - 1/2)/2), a being its probability to swap, and the gaps are divided by their sum",
			invariance, planted.LadderAdapts, false, false},
		{"round trips of one replica", "only round trips of the replica that was at rung 0 at first are counted", estimates, planted.OneReplica, true, true},
		{"round trips not divided by scans", "the rate is the number of round trips, not divided by the number of scans", estimates, planted.TripsWhole, true, true},
		{"round trips counted on leaving", "a round trip is counted when the replica leaves rung 0 again, not when it arrives", estimates,
			planted.TripsOnLeaving, true, true},
	}
}

// Kinds returns the two kinds of records: runs, with states, and trips, longer runs with swaps and
// round trips alone.
func (t *Task) Kinds() []records.Kind {
	runs := records.Kind{Name: "runs", Groups: []records.Group{
		{Name: Swaps, Meaning: "swap_t_i is 1 if pair i swapped in scan t = 1, 2, ..., 0 if its swap was refused, and -1 if no swap was offered"},
		{Name: Last, Meaning: "last_i is the state at rung i after the last scan"},
		{Name: LogZ, Meaning: "the forward stepping stone estimate of log Z_1/Z_0, in nats, from the states after each of the scans, with all digits"},
		{Name: Refusals,
			Meaning: "rejection_i is the mean of 1 - a over the scans in which pair i was offered a swap, with a the probability that it was accepted; 0 if there is none"},
	}, Reals: []records.Column{{Name: LogZ, Group: LogZ, Test: "log Zhat"}}, Wholes: t.swaps(t.Scans)}
	for i := range t.pairs() {
		runs.Reals = append(runs.Reals, records.Column{Name: fmt.Sprintf("rejection_%d", i), Group: Refusals, Test: "rejections"})
	}
	for i := range t.Betas {
		runs.Wholes = append(runs.Wholes, records.Column{Name: fmt.Sprintf("last_%d", i), Group: Last, Test: "last states", Most: t.States() - 1})
	}
	trips := records.Kind{
		Name: "trips", Groups: []records.Group{
			{Name: Swaps, Meaning: "swap_t_i, as in runs"},
			{Name: Trips, Meaning: "the number of round trips that all replicas together complete"},
			{Name: Rate, Meaning: "round trips a scan, with all digits"},
		},
		Reals:  []records.Column{{Name: Rate, Group: Rate, Test: "round trips"}},
		Wholes: append(t.swaps(t.Long), records.Column{Name: Trips, Group: Trips, Test: "round trips", Most: 100}),
	}
	specification := way{Name: records.Specification, Meaning: "what the task says", bug: func(*planted.Tempering) {}, trips: true}
	for _, w := range append([]way{specification}, ways()...) {
		if !w.only {
			runs.Ways = append(runs.Ways, t.way(w, true))
		}
		if w.trips {
			trips.Ways = append(trips.Ways, t.way(w, false))
		}
	}
	return []records.Kind{runs, trips}
}

// way returns the distribution of a way for a kind of records.
func (t *Task) way(w way, statistics bool) records.Way {
	return records.Way{Name: w.Name, Meaning: w.Meaning, Law: func(ctx context.Context) ([]records.Atom, error) {
		p := t.program(statistics)
		w.bug(p)
		return t.law(ctx, p)
	}}
}

// Laws computes the distributions of the task. progress is called with 1 for every distribution; it
// may be nil.
func (t *Task) Laws(ctx context.Context, workers int, progress func(int)) (*records.Laws, error) {
	return records.New(ctx, t.Kinds(), workers, progress)
}

// swaps returns the columns of the swaps of that many scans.
func (t *Task) swaps(scans int) (list []records.Column) {
	for scan := 1; scan <= scans; scan++ {
		for i := range t.pairs() {
			list = append(list, records.Column{Name: fmt.Sprintf("swap_%d_%d", scan, i), Group: Swaps, Test: fmt.Sprintf("swaps of scan %d", scan), Least: -1, Most: 1})
		}
	}
	return list
}

// record returns the record of a run of the program.
func (t *Task) record(p *planted.Tempering, r planted.TemperingRecord) records.Record {
	if p.Statistics {
		return records.Record{Reals: append([]float64{r.LogZ}, r.Refusals...), Whole: append(r.Swaps, r.Last...)}
	}
	return records.Record{Reals: []float64{r.Rate}, Whole: append(r.Swaps, int8(r.Trips))}
}
