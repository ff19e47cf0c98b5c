package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/reports/views"
)

// onClasses is how many times as long a solution on classes takes as on as many states of a grid, which sweeps reckon with. It has been measured: 5
// for metropolis on the classes of ising:5x5:0.6:torus, 6 for swendsen-wang on those of ising:4x4:0.6.
const onClasses = 6

// seconds estimates how many seconds a command takes that has accepted a question about these subjects: by what a sweep reckons for its study, or by
// what has been measured of others. It is NaN for others still.
func (a *app) seconds(c *cobra.Command, on any) (seconds float64) {
	name := commandName(c)
	cost := measured(name)
	if i := slices.IndexFunc(a.studies(), func(s *views.Study) bool { return s.Name == name }); cost == nil && i >= 0 && a.studies()[i].Sweep != nil {
		s := a.studies()[i]
		params := swept(c, s)
		cost = func(size experiments.Size) float64 {
			if s.Sweep.Cost == nil {
				return size.Solution.Seconds
			}
			size.Params = params
			return s.Sweep.Cost(size).Seconds
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
		if name == "samplers laws" {
			return sumWork(c, on) * 1e-9
		}
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
		return func(experiments.Size) float64 { return 1 }
	case "temper compare":
		return func(s experiments.Size) float64 { return 1.4e-5 * joint(s) }
	}
	return nil
}

// sizeOf returns the size of a case of annealing.
func sizeOf(c *experiments.Case) experiments.Size {
	if f := c.Factored(); f != nil {
		return experiments.Size{Distributions: c.Distributions(), Sites: f.Free()}
	}
	if c.Toy == nil { // nothing is enumerated
		return experiments.Size{Distributions: c.Distributions()}
	}
	s := experiments.Size{States: c.Toy.Space.States(), Distributions: c.Distributions()}
	if a := c.Annealing(); a != nil {
		times := 1.0
		if c.Toy.Members != nil {
			times = onClasses
		}
		of := func(w exact.Work) experiments.Cost {
			return experiments.Cost{Seconds: times * (w.Start + w.Seconds*float64(s.Distributions-1)), Bytes: w.Bytes}
		}
		s.Solution, s.General = of(exact.WorkOf(a.Kernel(), c.Toy.Space)), of(exact.GeneralWorkOf(a.Kernel(), c.Toy.Space))
	}
	return s
}

// swept returns the parameters of a study as the flags of its command have them, of lists the last value.
func swept(c *cobra.Command, s *views.Study) (params experiments.Params) {
	for _, p := range s.Sweep.Parameters {
		value := ""
		if f := flagOf(c, p.Name); f != nil {
			value = lastOf(f)
		} else if p.Defaults != nil {
			value = strings.Join(p.Defaults()[:1], "")
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

// flagOf returns the flag of a parameter, and nil where there is none.
func flagOf(c *cobra.Command, parameter string) *pflag.Flag {
	if len(parameter) == 1 {
		return c.Flags().ShorthandLookup(parameter)
	}
	return c.Flags().Lookup(parameter)
}

// lastOf returns the last value of a flag.
func lastOf(f *pflag.Flag) string {
	list := strings.Trim(f.Value.String(), "[]")
	return list[strings.LastIndexByte(list, ',')+1:]
}

// sumWork returns how many products the laws of sums take, of which a processor makes about 1e9 in a second. Of the functions that the study chooses
// itself the first takes nearly all.
func sumWork(c *cobra.Command, problems []samplers.Problem) (work float64) {
	n, err := strconv.Atoi(lastOf(c.Flags().ShorthandLookup("N")))
	for i := range problems {
		p := &problems[i]
		if len(p.Functions) > 0 || p.Toy.Lattice() == nil {
			continue
		}
		f, failed := samplers.ParseFunction(samplers.DefaultFunction(p.Toy), p.Toy, p.Chain)
		p.Functions, err = []samplers.Function{f}, cmp.Or(err, failed)
	}
	if err != nil {
		return math.NaN()
	}
	for _, s := range samplers.Settings(problems, []int{n}) {
		products, err := s.Chain.SumLawWork(s.Function.Parts[0], s.Start.Law, n)
		if err != nil {
			return math.NaN()
		}
		work += products
	}
	return work
}

// inWords says about how many seconds something takes.
func inWords(seconds float64) string {
	if seconds < 1.5 {
		return "about a second"
	}
	return fmt.Sprintf("about %.0f seconds", seconds)
}
