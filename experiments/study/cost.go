package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"breadboard/chains/errs"
	"breadboard/exact/kernel"
	"breadboard/experiments/subject"
	"breadboard/grid"
)

// DefaultTime is the largest estimate of a command's computation on one core, unless How has
// another. A sweep may take longer, since it can be continued.
const DefaultTime = 10 * time.Minute

// alwaysStates is the number of states up to which Affords does not fail for time, but says so in
// Cost.Late, and fewStates that up to which it does not fail for memory: plans refuse options.
const (
	alwaysStates = 10_000
	fewStates    = 1000
)

// firstDigit returns a number of which all digits but the first are zeros: a larger one might not
// fit.
func firstDigit(n int) int {
	unit := 1
	for 10*unit <= n {
		unit *= 10
	}
	return n - n%unit
}

// Affords returns a function that adds the cost of the rows about a subject of some size to all:
// the seconds of all, and the bytes of the largest. It fails if a subject takes more than the given
// bytes, or all together more than the time of h; the error has the number of states that takes
// less.
func (d *Declaration) Affords(o any, h How, bytes float64, all *subject.Cost) func(subject.Size) error {
	params := d.params(o)
	most := cmp.Or(h.Time, DefaultTime).Seconds()
	cost := func(s subject.Size) subject.Cost {
		c := s.Solution
		if d.Cost != nil {
			c = d.Cost(s)
		}
		return subject.Cost{
			Seconds: all.Seconds + c.Seconds + s.Placing.Seconds,
			Bytes:   max(all.Bytes, c.Bytes, s.Placing.Bytes),
			Kept:    c.Kept,
			Late:    all.Late,
		}
	}
	return func(s subject.Size) error {
		s.Params = append(s.Params, params...)
		s.Columns = h.Columns
		c := cost(s)
		exceeds := func(c subject.Cost, states int) bool {
			return (c.Bytes > bytes || c.Kept > kernel.MaxBytes) && states > fewStates || c.Seconds > most
		}
		if !exceeds(c, s.States) {
			if !s.Unmade {
				*all = c
			}
			return nil
		}
		helps := "fewer distributions, samples or columns"
		if quick := s; len(d.Quick) > 0 {
			quick.Columns = d.Quick
			if !exceeds(cost(quick), s.States) {
				helps += ", the columns " + strings.Join(d.Quick, ",") + " alone"
			}
		}
		fits := s
		for less := c; fits.States > 0 && exceeds(less, fits.States); less = cost(fits) {
			fits = fits.Part(0.9)
		}
		fits.States = firstDigit(fits.States)
		if c.Bytes <= bytes && c.Seconds > most {
			if length := int(float64(s.Distributions) * most / c.Seconds); length >= 2 {
				helps += fmt.Sprintf(", {T} %d", length)
			}
			if s.Fits != nil {
				helps = s.Fits(most / c.Seconds)
			}
			helps += ", {time} " + inUnits(c.Seconds)
		}
		if d.Sampled != nil {
			helps += ", {chains} if the toy is a product of factors"
		}
		if fits.States >= 10 && s.Fits == nil {
			helps = fmt.Sprintf("at most %d states, ", fits.States) + helps
		}
		what := "states"
		need := c.Bytes
		limit := bytes
		switch {
		case c.Bytes > bytes:
			what = "entries"
		case c.Kept > kernel.MaxBytes:
			what = "entries"
			need = c.Kept
			limit = kernel.MaxBytes
		}
		err := grid.TooLarge{
			What: what, Need: float64(s.States), Limit: float64(fits.States),
			Err: errs.New(
				"%s on %d states would take about %s on one core and %s, and the limits are %s and %.2g GB; take "+
					helps+", or a sweep, which may take longer",
				d.Name,
				s.States,
				inUnits(c.Seconds),
				errs.Memory(need),
				inUnits(most),
				limit/1e9,
			),
		}
		if s.States > alwaysStates || s.States > fewStates && what == "entries" || s.Placing.Seconds > most {
			// placing comes before the plan
			return err
		}
		c.Late = err
		*all = c
		return nil
	}
}

// inUnits writes a time as a duration that is not shorter, in a unit with up to four digits, as in
// 90s and 56h.
func inUnits(seconds float64) string {
	switch {
	case seconds < 1:
		return fmt.Sprintf("%.0fms", math.Ceil(1000*seconds))
	case seconds <= 120:
		return fmt.Sprintf("%.0fs", math.Ceil(seconds))
	case seconds <= 7200:
		return fmt.Sprintf("%.0fm", math.Ceil(seconds/60))
	}
	return fmt.Sprintf("%.0fh", math.Ceil(seconds/3600))
}

// params returns the options as parameters, the largest element of lists of numbers, and then the
// defaults of those that a study has in sweeps alone. An option that is not swept, and a whole
// list, has a colon before its name.
func (d *Declaration) params(o any) (params subject.Params) {
	number := func(text string) float64 { x, _ := strconv.ParseFloat(text, 64); return x }
	for _, option := range d.Options {
		name := ":" + option.Name
		v := option.Value(o)
		if option.Swept != nil {
			name = option.Swept.Name
		}
		text := strings.Trim(v.String(), "[]") // of a list too
		first, _, _ := strings.Cut(text, ",")
		_, noNumber := strconv.ParseFloat(first, 64)
		if list, several := v.(interface{ GetSlice() []string }); several && noNumber == nil {
			params = append(params, subject.Param{Name: ":" + option.Name, Value: text})
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
