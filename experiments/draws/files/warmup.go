package files

import (
	"fmt"
	"math"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// cutToShortest cuts chains to the length of the shortest.
func (r *drawsReader) cutToShortest() {
	least, most := math.MaxInt, 0
	for _, c := range r.chains {
		least = min(least, len(c.values[0]))
		most = max(most, len(c.values[0]))
	}
	if least == most {
		return
	}
	for _, c := range r.chains {
		for i := range c.values {
			c.values[i] = c.values[i][:least]
		}
		c.weights = c.weights[:min(least, len(c.weights))]
	}
	r.notes = append(r.notes, fmt.Sprintf(
		"the chains have %d to %d draws; the last ones of longer chains are omitted, so that each has %d",
		least,
		most,
		least,
	))
}

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
			return w, errs.New("%q is not a share of a chain; write 0%% to below 100%%, as in 10%%", text)
		}
		return Warmup{Share: v / 100}, nil
	}
	if v, bad := selector.ParseNumber(text); bad == nil && v > 0 && v < 1 {
		return w, errs.New("%s of a draw; write a share of a chain as %v%%", text, 100*v)
	}
	w.Draws, err = selector.ParseWhole(text, 0, 1e12)
	return w, err
}

// omitWarmup leaves the beginning of each chain out.
func (r *drawsReader) omitWarmup() error {
	if r.Warmup == (Warmup{}) {
		return nil
	}
	if r.weighed {
		return wrong("weighted draws, which are not a chain", "leave out {warmup}: only a chain has a warm-up").
			withPlace(r.chains[0].source, -1, 0)
	}
	least, most := math.MaxInt, 0
	for _, c := range r.chains {
		n := r.Warmup.Draws + int(r.Warmup.Share*float64(len(c.values[0])))
		if rows := len(c.values[0]); n >= rows {
			return wrong(selector.Count(rows, "draw"),
				"{warmup} counts draws and must leave some; give fewer, or a share as 10%%").withPlace(c.source, -1, 0)
		}
		for v := range c.values {
			c.values[v] = c.values[v][n:]
			if c.notFinite[v] != "" { // they may be among what is left out
				c.notFinite[v], c.more[v] = firstNotFinite(c.values[v], c.source, r.variables[v]), 0
			}
		}
		most = max(most, n)
		least = min(least, n)
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
