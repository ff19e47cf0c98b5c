package simulated

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/chains/tempering"
	"breadboard/exact/smc"
	"breadboard/experiments/checks/conform/particles"
	"breadboard/experiments/checks/conform/records"
	tempered "breadboard/experiments/checks/conform/tempering"
	"breadboard/experiments/mcmc/temper"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
)

// Particles tests systems of particles of a case, by direction: runs and conditional runs from
// exact draws of the target. Systems of one particle are tested like chains of annealing. If the
// distribution of a setting cannot be enumerated the findings are open, with the reason.
func Particles(ctx context.Context, c subject.Case, s smc.Setting, systems [2]*particle.Batch, o Options) ([]Finding, error) {
	setting := fmt.Sprintf("%s, %v, threshold %v", selector.Count(s.Particles, "particle"), s.Scheme, s.Threshold)
	if s.Particles == 1 {
		return Annealing(ctx, c, setting, asChains(systems[chains.Forward]), asChains(systems[chains.Reverse]), o)
	}
	t, err := particles.New(ctx, c, particles.Setting{Particles: s.Particles, Scheme: s.Scheme, Threshold: s.Threshold, Unordered: s.Particles > particles.MostOrdered})
	if err != nil {
		return undecided(c, setting, "systems", err), nil
	}
	kinds := t.Kinds()
	sources := make([]*records.Source, len(kinds))
	for d := range kinds {
		b, row := systems[d], 0
		sources[d] = source(named(chains.Direction(d)), []string{"log_z", "output"}, len(b.LogZ), func() records.Record {
			r := records.Record{Reals: []float64{b.LogZ[row]}, Whole: make([]int8, len(kinds[d].Wholes))}
			r.Whole[0] = int8(b.Output[row])
			row++
			return r
		})
	}
	return recorded(ctx, c, setting, "systems", t, sources, o)
}

// recorded tests records of a task.
func recorded(ctx context.Context, c subject.Case, setting, what string, t records.Task, sources []*records.Source, o Options) ([]Finding, error) {
	laws, err := t.Laws(ctx, o.Workers, o.Progress)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return undecided(c, setting, what, err), nil
	}
	out, err := laws.Check(ctx, sources, records.Options{Alpha: o.Alpha})
	if err != nil {
		return nil, err
	}
	var list []Finding
	for _, r := range out.Results {
		f := Finding{c, setting, check.Finding{Name: r.Test, Value: math.Exp(r.LogE), Tolerance: math.Exp(out.LogThreshold), Verdict: check.Pass, IsE: true,
			Where: r.Statistic}, r.Runs, math.NaN()}
		side := slices.IndexFunc(out.Sides, func(s records.Side) bool { return strings.HasPrefix(r.Test, s.Kind+":") })
		switch {
		case r.Fault:
			f.Verdict = check.Fault
			if known := out.Sides[side].Named; len(known) > 0 {
				f.Where = fmt.Sprintf("known mistake %s: %s", selector.Listed(known), f.Where)
			}
		case r.Open != "":
			decides := math.NaN()
			for _, odds := range out.Sides[side].Odds {
				if odds.Found > float64(r.Runs) && !math.IsInf(odds.Found, 1) && !(odds.Found <= decides) {
					decides = odds.Found
				}
			}
			f.open(r.Open, decides)
		}
		list = append(list, f)
	}
	return list, nil
}

// source returns a number of records that are made one by one.
func source(name string, columns []string, runs int, one func() records.Record) *records.Source {
	return &records.Source{Name: name, Columns: columns, Next: func(ctx context.Context, n int) (list []records.Record, err error) {
		for ; runs > 0 && len(list) < n; runs-- {
			list = append(list, one())
		}
		if list == nil {
			err = io.EOF
		}
		return list, err
	}}
}

// The numbers of scans of the runs of tempering whose states are tested, and of those whose round
// trips are: the fewest in which odd pairs are offered swaps, and in which a replica can be back.
const (
	stateScans = 2
	tripScans  = 5
)

// Tempering tests the first scans of the simulated runs of tempering on a ladder: the swaps and the
// states after two scans, and the round trips in five. If the distribution cannot be computed the
// findings are open, with the reason.
func Tempering(ctx context.Context, c subject.Case, scheme tempering.Scheme, run temper.Scans, runs int, o Options) ([]Finding, error) {
	a, setting := c.Annealing(), string(scheme)
	if _, is := a.Kernel().(kernels.Metropolis); !is || !geometric(a) {
		return undecided(c, setting, "runs", chains.NewAdvice("the distribution is known of {kernel} metropolis on the {path} geometric; give these")), nil
	}
	betas := make([]float64, a.Distributions())
	for i := range betas {
		betas[i] = a.Beta(i + 1)
	}
	t, err := tempered.New(ctx, c, betas, scheme, stateScans, max(tripScans, len(betas)))
	if err != nil {
		return undecided(c, setting, "runs", err), nil
	}
	kinds := t.Kinds()
	sources := make([]*records.Source, len(kinds))
	for kind, scans := range []int{stateScans, t.Long} {
		k, pairs, columns := 0, len(betas)-1, []string{tempered.Trips, tempered.Rate}
		if kind == 0 {
			columns = nil
			for _, column := range kinds[0].Wholes {
				columns = append(columns, column.Name)
			}
		}
		sources[kind] = source(kinds[kind].Name, columns, runs, func() records.Record {
			whole, top, trips := make([]int8, len(kinds[kind].Wholes)), pairs, 0
			for i := range scans * pairs {
				whole[i] = -1
			}
			up := tempering.Up(1<<top - 1)
			x := run(k, scans, func(scan, pair int, accepted bool) {
				whole[(scan-1)*pairs+pair] = 0
				if accepted {
					whole[(scan-1)*pairs+pair] = 1
					if up.Swapped(pair, top) {
						trips++
					}
				}
			})
			k++
			if kind == 1 {
				whole[scans*pairs] = int8(trips)
				return records.Record{Reals: []float64{float64(trips) / float64(scans)}, Whole: whole}
			}
			for i, at := range x {
				whole[scans*pairs+i] = int8(at)
			}
			return records.Record{Reals: make([]float64, len(kinds[0].Reals)), Whole: whole}
		})
	}
	return recorded(ctx, c, setting, "runs", t, sources, o)
}

// geometric reports whether log f at every rung is between those of the ends in proportion to beta.
func geometric(a *chains.Annealing) bool {
	first, last, logf := make([]float64, a.States()), make([]float64, a.States()), make([]float64, a.States())
	a.LogF(first, 1)
	a.LogF(last, a.Distributions())
	for t := 2; t < a.Distributions(); t++ {
		a.LogF(logf, t)
		b := a.Beta(t)
		for x := range logf {
			want := (1-b)*first[x] + b*last[x]
			if math.Abs(logf[x]-want) > 1e-12*(1+math.Abs(first[x])+math.Abs(last[x])) {
				return false
			}
		}
	}
	return true
}
