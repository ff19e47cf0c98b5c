package files

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// Warmup is the omitted beginning of each chain. The zero value omits nothing.
type Warmup struct {
	Draws int
	Share float64 // of the draws of a chain, if not zero
}

// ParseWarmup reads a number of draws, such as 1000, or a share of them, such as 10%.
func ParseWarmup(text string) (w Warmup, err error) {
	if percent, is := strings.CutSuffix(text, "%"); is {
		v, err := selector.ParseNumber(percent)
		if err != nil || v < 0 || v >= 100 {
			return w, fmt.Errorf("%q is no share of a chain; write 0%% to below 100%%, as in 10%%", text)
		}
		return Warmup{Share: v / 100}, nil
	}
	if v, bad := selector.ParseNumber(text); bad == nil && v > 0 && v < 1 {
		return w, fmt.Errorf("%s of a draw; write a share of a chain as %v%%", text, 100*v)
	}
	w.Draws, err = selector.ParseWhole(text, 0, 1e12)
	return w, err
}

// omitWarmup leaves the beginning of each chain out.
func (r *reading) omitWarmup() *Error {
	if r.Warmup == (Warmup{}) {
		if r.begins != "" && !r.points {
			r.doubts = append(r.doubts, chains.NewAdvice("the column %s begins at 0, so the way from the start to the target may be among the draws; {warmup} 10%% leaves the first tenth out",
				listed([]string{r.begins})))
		}
		return nil
	}
	if r.points {
		return advised("weighted draws that are no chain", chains.NewAdvice("leave out {warmup}: only a chain has a warm-up")).at(r.chains[0].source, -1, 0)
	}
	least, most := 0, 0
	for i, c := range r.chains {
		n := r.Warmup.Draws + int(r.Warmup.Share*float64(len(c.values[0])))
		if rows := len(c.values[0]); n >= rows {
			want := chains.NewAdvice("{warmup} counts draws and must leave some; give fewer, or a share as 10%%")
			if at := slices.IndexFunc(c.count, func(v float64) bool { return v >= float64(n) }); at > 0 && len(c.count) == rows {
				want = chains.NewAdvice("{warmup} counts draws and must leave some; if %d is a number of %s, give {warmup} %d, or %.4g%%", n, r.counter, at, float64(100*at)/float64(rows))
			}
			return advised(selector.Count(rows, "draw"), want).at(c.source, -1, 0)
		}
		for v := range c.values {
			c.values[v] = c.values[v][n:]
			if c.notFinite[v] != "" { // they may be among what is left out
				c.notFinite[v], c.more[v] = firstNotFinite(c.values[v], c.source, r.names[v]), 0
			}
		}
		if most = max(most, n); i == 0 || n < least {
			least = n
		}
	}
	count := selector.Count(most, "draw")
	if least < most {
		count = fmt.Sprintf("%d to %s", least, count)
	}
	r.notes = append(r.notes, fmt.Sprintf("the first %s of each chain omitted as its warm-up", count))
	return nil
}

// firstNotFinite says where the first draw stands that is missing or infinite; empty if there is
// none.
func firstNotFinite(values []float64, source, name string) string {
	for i, v := range values {
		if v-v != 0 {
			return fmt.Sprintf("%s, draw %d after the warm-up, column %s: %v", source, i+1, name, v)
		}
	}
	return ""
}
