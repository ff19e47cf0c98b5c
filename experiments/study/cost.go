package study

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/experiments/subject"
	"breadboard/grid"
)

// MostSeconds is the largest estimate, in seconds on one core, of a command's computation. A sweep
// may take longer, since it can be continued.
const MostSeconds = 24 * 3600

// alwaysStates is the number of states up to which Affords does not fail for time, and fewStates
// that up to which it does not fail for memory: plans refuse options.
const (
	alwaysStates = 10_000
	fewStates    = 1000
)

// Affords returns a function that adds the cost of the rows about a subject of some size to all:
// the seconds of all, and the bytes of the largest. It fails if a subject takes more than the given
// bytes, or all together more than MostSeconds; the error has the number of states that takes less.
func (d *Declaration) Affords(o any, h How, bytes float64, all *subject.Cost) func(subject.Size) error {
	params := d.params(o)
	cost := func(s subject.Size) subject.Cost {
		c := s.Solution
		if d.Cost != nil {
			c = d.Cost(s)
		}
		return subject.Cost{Seconds: all.Seconds + c.Seconds, Bytes: max(all.Bytes, c.Bytes), Kept: c.Kept}
	}
	return func(s subject.Size) error {
		s.Params, s.Columns = append(s.Params, params...), h.Columns
		c := cost(s)
		exceeds := func(c subject.Cost, states int) bool {
			return (c.Bytes > bytes || c.Kept > kernel.MaxBytes) && states > fewStates || c.Seconds > MostSeconds && states > alwaysStates
		}
		if !exceeds(c, s.States) {
			if !s.Unmade {
				*all = c
			}
			return nil
		}
		helps := ""
		if quick := s; len(d.Quick) > 0 {
			if quick.Columns = d.Quick; !exceeds(cost(quick), s.States) {
				helps = ", the columns " + strings.Join(d.Quick, ",") + " alone"
			}
		}
		fits := s
		for most := c; exceeds(most, fits.States); most = cost(fits) {
			fits = fits.Part(0.9)
		}
		unit := 1 // of the first digit, after which the rest is dropped: a larger number might not fit
		for 10*unit <= fits.States {
			unit *= 10
		}
		fits.States -= fits.States % unit
		if c.Bytes <= bytes && c.Seconds > MostSeconds {
			if length := int(float64(s.Distributions) * MostSeconds / c.Seconds); length >= 2 {
				helps += fmt.Sprintf(", {T} %d", length)
			}
		}
		if d.Sampled != nil {
			helps += ", {chains} if the toy is a product of factors"
		}
		what, need, limit := "states", c.Bytes, bytes
		switch {
		case c.Bytes > bytes:
			what = "entries"
		case c.Kept > kernel.MaxBytes:
			what, need, limit = "entries", c.Kept, kernel.MaxBytes
		}
		return grid.TooLarge{
			What: what, Need: float64(s.States), Limit: float64(fits.States),
			Err: chains.NewAdvice("%s on %d states would take about %.2g hours on one core and %.2g GB; the limits are one day and %.2g GB: take about %.4g states, fewer distributions, samples or columns"+helps+", or a sweep, which may take longer",
				d.Name, s.States, c.Seconds/3600, need/1e9, limit/1e9, float64(fits.States)),
		}
	}
}

// params returns the options as parameters, the largest element of lists of numbers, and then the
// defaults of those that a study has in sweeps alone. An option that is not swept has a colon
// before its name.
func (d *Declaration) params(o any) (params subject.Params) {
	number := func(text string) float64 { x, _ := strconv.ParseFloat(text, 64); return x }
	for _, option := range d.Options {
		name, v := ":"+option.Name, option.Value(o)
		if option.Swept != nil {
			name = option.Swept.Name
		}
		text := strings.Trim(v.String(), "[]") // of a list too
		first, _, _ := strings.Cut(text, ",")
		_, noNumber := strconv.ParseFloat(first, 64)
		if list, several := v.(interface{ GetSlice() []string }); several && noNumber == nil {
			text = slices.MaxFunc(list.GetSlice(), func(a, b string) int { return cmp.Compare(number(a), number(b)) })
		}
		if text != "" {
			params = append(params, subject.Param{Name: name, Value: text})
		}
	}
	if d.Swept != nil {
		for _, p := range d.Sweep().Parameters {
			params = append(params, subject.Param{Name: p.Name, Value: p.Defaults()[0]})
		}
	}
	return params
}
