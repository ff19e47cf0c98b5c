package sweeps

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	"breadboard/experiments"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// sweepAxis turns values into places on an axis.
type sweepAxis struct {
	label    string
	log      bool
	names    []string           // of the places 0, 1, ... of values that are no numbers
	places   map[string]float64 // of the values of a parameter
	min, max float64
}

// measureLabel returns the label of the axis of a measure, with what it is counted in.
func measureLabel(c table.Column) string {
	c.Title = measureTitle(c)
	return c.Heading()
}

// measureTitle returns the name of a measure for people.
func measureTitle(c table.Column) string {
	if c.Title != "" {
		return c.Title
	}
	if divergence, is := map[string]string{"kl_q_p": "KL(q||p)", "kl_p_q": "KL(p||q)"}[c.Name]; is {
		return divergence
	}
	return strings.ReplaceAll(c.Name, "_", " ")
}

// parameterAxis places the values of a parameter: by number where they are numbers, or selectors with one name and
// a number behind it, as in power:2; else one beside the other.
func parameterAxis(p experiments.Parameter, values []string) sweepAxis {
	name := p.Name
	var numbers []float64
	prefix := ""
	for i, v := range values {
		head, argument, has := strings.Cut(v, ":")
		if p.Number != nil {
			head, argument, has = "", v, true
		}
		n, err := strconv.ParseFloat(argument, 64)
		if err != nil || !has || i > 0 && head != prefix {
			numbers = nil
			break
		}
		prefix = head
		numbers = append(numbers, n)
	}
	a := sweepAxis{label: name, places: map[string]float64{}}
	if numbers == nil {
		for i, v := range values {
			a.places[v] = float64(i)
		}
		for _, v := range values {
			a.names = append(a.names, shownValue(p, v))
		}
		a.min, a.max = -0.3, float64(len(values))-0.7
		return a
	}
	label := strings.TrimSpace(name + " " + prefix)
	if name == "T" {
		label = "number of distributions T"
	}
	a = numberAxis(label, numbers)
	a.places = map[string]float64{}
	for i, v := range values {
		a.places[v] = a.place(numbers[i])
	}
	return a
}

// numberAxis returns the axis of numbers, logarithmic where that is sensible.
func numberAxis(label string, values []float64) sweepAxis {
	low, high := slices.Min(values), slices.Max(values)
	a := sweepAxis{label: label, log: low > 0 && high >= 10*low}
	a.min, a.max = a.place(low), a.place(high)
	pad := 0.04 * (a.max - a.min)
	if size := math.Max(math.Abs(a.min), math.Abs(a.max)); pad <= sameDigits*size {
		pad = math.Max(size/2, sameDigits) // one number, but for rounding
	}
	a.min, a.max = a.min-pad, a.max+pad
	return a
}

// sameDigits is how near to one another numbers are that an axis shows as one.
const sameDigits = 1e-9

func (a sweepAxis) place(v float64) float64 {
	if a.log {
		return math.Log10(v)
	}
	return v
}

// maxNames is the largest number of names along an axis.
const maxNames = 20

// nameTicks returns a tick for each name, or for one in so many that there are no more than maxNames of them.
func (a sweepAxis) nameTicks() []plot.Tick {
	every := (len(a.names) + maxNames - 1) / maxNames
	var ticks []plot.Tick
	for i := 0; i < len(a.names); i += every {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: shorten(a.names[i])})
	}
	return ticks
}

// style sets up the axis of a plot.
func (a sweepAxis) style(axis *plot.Axis) {
	axis.Label.Text, axis.Min, axis.Max = a.label, a.min, a.max
	switch {
	case a.names != nil:
		axis.Tick.Marker = plot.ConstantTicks(a.nameTicks())
	case a.log:
		axis.Tick.Marker = figure.Decades{}
	}
}
