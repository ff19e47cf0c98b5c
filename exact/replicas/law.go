package replicas

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
)

// Cold is how far the law of the cold chain is from the target after so many scans.
type Cold struct {
	Scans int
	TV    float64 // the total variation distance
	J     float64 // the Jeffreys divergence, in nats; +Inf where the cold chain cannot be at a state of the target yet, or is where the target is not
}

// Cold returns the distance of the cold chain from the target after numbers of scans that rise, from independent starts at each rung. It fails for
// more than MaxLaw joint states. Time is O(scans (N+1) n^N entries), memory 24 bytes for each joint state, and 32 for SEO.
func (r *Replicas) Cold(ctx context.Context, from [][]float64, scans []int) ([]Cold, error) {
	if err := CheckLaw(r.m.States(), r.m.Rungs()); err != nil {
		return nil, err
	}
	if err := r.checkStart(from, scans); err != nil {
		return nil, err
	}
	t := r.tensors(ctx, false)
	law := t.product(func(i, x int) float64 { return r.p[i][x] })
	away := t.product(func(i, x int) float64 { return from[i][x] })
	for k, p := range law {
		away[k] -= p
	}
	var list []Cold
	at := 0
	for _, want := range scans {
		for ; at < want; at++ {
			if err := t.scan(away, at%2); err != nil {
				return nil, err
			}
			drift := number.Total(away)
			for k, p := range law {
				away[k] -= float64(drift * p)
			}
		}
		list = append(list, r.coldOf(want, t.sumOver(away, t.rungs-1), t.rungs-1))
	}
	return list, nil
}

// coldOf measures the deviation of a law from that of rung i.
func (r *Replicas) coldOf(scans int, away []float64, i int) Cold {
	c := Cold{Scans: scans}
	for x, v := range away {
		c.TV += math.Abs(v) / 2
		p, logp := r.p[i][x], r.logp[i][x]
		switch ratio := v / p; {
		case v == 0:
		case math.IsInf(logp, -1) || ratio <= -1:
			c.J = math.Inf(1)
		case p == 0 || math.IsInf(ratio, 1): // beyond the range of numbers, where the law is the deviation itself
			c.J += float64(v * (math.Log(v) - logp))
		default:
			c.J += float64(v * math.Log1p(ratio))
		}
	}
	return c
}

// checkStart fails where there is not a law for each rung, and where numbers of scans do not rise.
func (r *Replicas) checkStart(from [][]float64, scans []int) error {
	if len(from) != r.m.Rungs() {
		return fmt.Errorf("%d laws for %d rungs; give one for each", len(from), r.m.Rungs())
	}
	for i, law := range from {
		if len(law) != r.m.States() {
			return fmt.Errorf("the law at rung %d is of %d states, and replicas are on %d", i, len(law), r.m.States())
		}
	}
	if !slices.IsSorted(scans) || len(scans) > 0 && scans[0] < 0 {
		return errors.New("numbers of scans must rise from zero on")
	}
	return nil
}

// Plain returns the distance from the target of a plain chain of the kernel at rung N, after numbers of moves that rise from a law.
func (r *Replicas) Plain(ctx context.Context, from []float64, moves []int) ([]Cold, error) {
	top := r.m.Rungs() - 1
	if err := r.checkStart(r.Alike(from), moves); err != nil {
		return nil, err
	}
	p, rows := r.p[top], r.rows[top]
	away, next := make([]float64, len(p)), make([]float64, len(p))
	for x := range away {
		away[x] = from[x] - p[x]
	}
	var list []Cold
	at := 0
	for _, want := range moves {
		for ; at < want; at++ {
			if at%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			clear(next)
			for x, v := range away {
				for _, e := range rows.Row(x) {
					next[e.To] += float64(v * e.P)
				}
			}
			drift := number.Total(next)
			for x := range next {
				next[x] -= float64(drift * p[x])
			}
			away, next = next, away
		}
		list = append(list, r.coldOf(want, away, top))
	}
	return list, nil
}
