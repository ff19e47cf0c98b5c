package toys

import (
	"strings"

	"breadboard/chains/selector"
	"breadboard/toys/models"
	"breadboard/toys/networks"
)

// NetworkForms are the forms of toys that are networks in files, one for each format.
func NetworkForms() (forms []func() toyForm) {
	for _, format := range networks.Formats() {
		forms = append(forms, func() toyForm {
			return toyForm{
				Syntax:  format.Name + ":PATH" + format.Options,
				Doc:     format.Doc,
				Source:  format.Source,
				Example: format.Example,
				Missing: "the path",
				File:    format.Path,
				Files:   format.Files,
				Endings: format.Endings,
				Parse: func(args selector.Args, _ Forms) (*Toy, error) {
					toy, err := parseNetwork(format, args.Text)
					return toy, args.Wrap(err)
				},
			}
		})
	}
	return forms
}

// parseNetwork returns the toy of a network with evidence: a Bayesian network is a model of the
// evidence, and has its prior.
func parseNetwork(format networks.Format, arguments string) (*Toy, error) {
	q, err := format.Parse(arguments)
	if err != nil {
		return nil, err
	}
	target, err := q.EnumerateTarget()
	if err != nil {
		return nil, err
	}
	name := format.Name + ":" + q.Selector
	description := q.Describe()
	toy := &Toy{Name: name, Description: description, Space: target.Space, G: target.LogF, Axes: target.Axes}
	if m, is := q.Chain(target); is {
		toy = OfModel(name, description, m)
	} else if g, is := q.Generative(target); is {
		toy = OfModel(name, description, g)
	} else if target.Model != nil {
		toy = OfModel(name, description, target.Model)
	}
	toy.Doubt = strings.Join(q.Notes, "; ")
	toy.Represented = representedNetwork(format, q)
	toy.Network = true
	for _, v := range q.Seen() {
		at := q.Evidence[v]
		toy.Observed = append(toy.Observed, models.Axis{
			Name:   q.Variables[v].Name,
			Values: []float64{float64(at)},
			Labels: q.Variables[v].Labels[at : at+1],
		})
	}
	return toy, nil
}

// representedNetwork says which of the ways to sum out one variable or none a toy is, and nil if it
// sums out more, or if there are not several.
func representedNetwork(format networks.Format, q *networks.Query) *Represented {
	all, self := q.Collapsings()
	if self < 0 {
		return nil
	}
	r := &Represented{Whole: format.Name + ":" + all[0].Selector, Name: all[self].Name}
	for _, c := range all {
		r.All = append(r.All, format.Name+":"+c.Selector)
	}
	return r
}
