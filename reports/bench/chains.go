package bench

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"breadboard/chains"
	"breadboard/experiments/ais"
	"breadboard/experiments/crosscheck"
)

const (
	standardChains = 1000
	standardSeed   = 1
)

// chains answers with chains that are drawn: the ways of the first ones, and the estimates of all so far beside the exact values.
func (s *Server) chains(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ask(r, "chains", "seed", "show", "stages", "count")
	if err != nil {
		return err
	}
	o := ais.TraceOptions{}
	o.Workers = s.options.Workers
	if o.Chains, err = q.whole("chains", 2, q.limits.Chains, standardChains); err != nil {
		return err
	}
	if o.Paths, err = q.whole("show", 0, o.Chains, min(o.Chains, 100)); err != nil {
		return err
	}
	if o.Seed, err = q.seed(); err != nil {
		return err
	}
	o.Counts = ais.RunningCounts(o.Chains)
	q.within = q.limits.Stream
	return s.stream(w, r, func(ctx context.Context, e *events) error {
		if err := q.build(ctx, ais.Study()); err != nil {
			return err
		}
		if o.Stages, err = q.stages(1); err != nil {
			return err
		}
		if numbers := o.Paths * len(o.Stages); numbers > q.limits.Numbers {
			return bad("show", fmt.Errorf("%d chains at %d stages are %d states, and at most %d are shown; show fewer of either", o.Paths, len(o.Stages), numbers, q.limits.Numbers))
		}
		return q.watch(ctx, o, e)
	})
}

// seed returns the seed that is asked for.
func (q *question) seed() (uint64, error) {
	text := q.more.Get("seed")
	if text == "" {
		return standardSeed, nil
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, bad("seed", fmt.Errorf("seed: %q is no whole number from 0 to 2^64-1", short(text)))
	}
	return seed, nil
}

// watch runs chains and sends what becomes known of them.
func (q *question) watch(ctx context.Context, o ais.TraceOptions, e *events) error {
	laws, err := crosscheck.NewEndLaws(ctx, q.of.Annealing())
	if err != nil {
		return q.of.Wrong(err)
	}
	tests, err := crosscheck.NewRunning(laws, crosscheck.DefaultAlpha)
	if err != nil {
		return internal(err)
	}
	_, err = ais.Trace(ctx, q.of, o, func(r *ais.Running) error {
		for _, p := range r.Paths {
			if err := e.send("path", object{{"chain", p.Chain}, {"direction", direction(p.Direction)}, {"states", p.States}, {"log_w", number(p.LogW)}}); err != nil {
				return err
			}
		}
		tests.Add(r.Forward, r.Reverse)
		return e.send("estimates", object{{"n", r.Chains}, {"rows", estimates(r.Quantities)}, {"tests", judged(tests.EValues())}})
	})
	return err
}

// direction returns the name of a direction.
func direction(d chains.Direction) string {
	if d == chains.Forward {
		return "forward"
	}
	return "reverse"
}

// estimates returns estimates beside their exact values.
func estimates(list []ais.Quantity) (rows []object) {
	for _, q := range list {
		rows = append(rows, object{
			{"name", q.Name}, {"estimate", number(q.Estimate)}, {"error", number(q.StandardError)}, {"exact", number(q.Exact)}, {"z", number(q.Z())}, {"note", q.Note},
		})
	}
	return rows
}

// judged returns tests of the chains against their exact laws.
func judged(list []crosscheck.Result) (rows []object) {
	for _, t := range list {
		rows = append(rows, object{
			{"test", t.Test}, {"draws", t.Draws}, {"e_value", number(t.EValue())}, {"log_e", number(t.LogE)}, {"threshold", number(t.Threshold)}, {"fault", t.Fault}, {"where", t.Where},
		})
	}
	return rows
}
