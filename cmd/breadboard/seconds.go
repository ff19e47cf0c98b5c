package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/reports/views"
)

// seconds estimates how many seconds a command takes that has accepted a question about these subjects: by what a sweep reckons for its study, or by
// what has been measured of others. It is NaN for others still.
func (a *app) seconds(c *cobra.Command, on any) (seconds float64) {
	name := commandName(c)
	cost := measured(name)
	if i := slices.IndexFunc(a.studies(), func(s *views.Study) bool { return s.Name == name }); cost == nil && i >= 0 && a.studies()[i].Swept != nil {
		s := a.studies()[i]
		params := swept(c, s)
		cost = func(size experiments.Size) float64 {
			if s.Swept.Cost == nil {
				return size.Solution.Seconds
			}
			size.Params = params
			return s.Swept.Cost(size).Seconds
		}
	}
	if cost == nil {
		return math.NaN()
	}
	switch on := on.(type) {
	case []experiments.Case:
		for i := range on {
			seconds += cost(sizeOf(&on[i]))
		}
	case []samplers.Problem:
		for i := range on {
			seconds += cost(experiments.Size{States: on[i].Chain.States()})
		}
	default:
		return cost(experiments.Size{})
	}
	return seconds
}

// measured returns what commands take that are no studies of sweeps, which has been measured; nil for others.
func measured(name string) func(experiments.Size) float64 {
	joint := func(s experiments.Size) float64 { return math.Pow(float64(s.States), float64(s.Distributions)) }
	switch name {
	case "network":
		return func(experiments.Size) float64 { return 0.1 }
	case "temper":
		return func(s experiments.Size) float64 { return 6e-6 * joint(s) * max(1, float64(s.Distributions)-2) }
	case "temper z":
		return func(s experiments.Size) float64 { return 8e-5 * joint(s) * math.Pow(3, float64(s.Distributions)-1) }
	}
	return nil
}

// sizeOf returns the size of a case of annealing.
func sizeOf(c *experiments.Case) experiments.Size {
	s := experiments.Size{States: c.Toy.Space.States(), Distributions: c.Distributions()}
	if a := c.Annealing(); a != nil {
		of := func(w exact.Work) experiments.Cost {
			return experiments.Cost{Seconds: w.Start + w.Seconds*float64(s.Distributions-1), Bytes: w.Bytes}
		}
		s.Solution, s.General = of(exact.WorkOf(a.Kernel(), c.Toy.Space)), of(exact.GeneralWorkOf(a.Kernel(), c.Toy.Space))
	}
	return s
}

// swept returns the parameters of a study as the flags of its command have them, of lists the last value.
func swept(c *cobra.Command, s *views.Study) (params experiments.Params) {
	flags := map[string]string{} // by parameter
	for _, o := range s.Untyped.Options {
		if f := c.Flags().Lookup(o.Name); f != nil && o.Swept != nil {
			list := strings.Split(strings.Trim(f.Value.String(), "[]"), ",")
			flags[o.Swept.Name] = list[len(list)-1]
		}
	}
	for _, p := range s.Swept.Parameters {
		value, given := flags[p.Name]
		if !given && p.Defaults != nil {
			values := p.Defaults()
			value = values[len(values)-1]
		}
		if p.Canonical != nil {
			if canonical, err := p.Canonical(value); err == nil {
				value = canonical
			}
		}
		params = append(params, experiments.Param{Name: p.Name, Value: value})
	}
	return params
}

// inWords says about how many seconds something takes.
func inWords(seconds float64) string {
	switch {
	case math.IsNaN(seconds):
		return "a time that is not known"
	case seconds < 1.5:
		return "about a second"
	}
	return fmt.Sprintf("about %.0f seconds", seconds)
}
