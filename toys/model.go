package toys

import (
	"fmt"
	"strings"

	"breadboard/chains/selector"
	"breadboard/toys/models"
)

// evidenceSource is where the models of marginal likelihoods come from.
const evidenceSource = "Grosse, Ghahramani and Adams 2015, section 6"

// OfModel returns the toy of a model: its target is the joint distribution of the latent variables and the data, and it has the
// model's prior, so that Z_T/Z_1 of an annealing from the prior is the marginal likelihood of the data.
func OfModel(name, description string, m models.Model) *Toy {
	t := &Toy{Name: name, Description: description, Space: m.Space(), LogPrior: m.LogPrior(), Model: m}
	t.G = m.LogLikelihood(1)
	for x, p := range t.LogPrior {
		t.G[x] += p
	}
	return t
}

// instanceForm returns the form of a model that is built in, which takes no arguments.
func instanceForm(name, doc string, model func() models.Model) func() toyForm {
	return func() toyForm {
		return toyForm{
			Syntax: name, Doc: doc, Source: evidenceSource, Example: name,
			Parse: func(selector.Args, selector.Nothing) (*Toy, error) { return OfModel(name, doc, model()), nil },
		}
	}
}

// representedSource is where the models that can be written in several ways come from.
const representedSource = "Grosse, Ancha and Roy 2016, section 5.2.1"

// representedForm returns the form of a model that is built in and can be written in several ways, which the argument names.
func representedForm(name, doc, example string, model func() models.Represented) func() toyForm {
	return func() toyForm {
		return toyForm{
			Syntax: name + "[:REPRESENTATION]", Doc: doc, Source: representedSource, Example: example,
			Parse: func(args selector.Args, _ selector.Nothing) (*Toy, error) {
				whole := model()
				if !args.Given {
					return OfModel(name, doc, whole), nil
				}
				var names []string
				for _, r := range whole.Representations() {
					if names = append(names, r.Name); r.Name == args.Text {
						return OfModel(RepresentationName(name, whole, r), doc+", "+r.Name, r.Model), nil
					}
				}
				return nil, args.Errorf("%s has no such representation; it has %s", name, strings.Join(names, ", "))
			},
		}
	}
}

// RepresentationName returns the selector of the toy that is a model in one of its representations, where the given name is that of the
// model itself.
func RepresentationName(name string, whole models.Represented, r models.Representation) string {
	if r.Model == models.Model(whole) {
		return name
	}
	return fmt.Sprintf("%s:%s", name, r.Name)
}

// modelForms are the forms of toys that are models of data.
func modelForms() []func() toyForm {
	return []func() toyForm{
		instanceForm("clu6", "six points of the plane in three clusters", func() models.Model { return models.Clu6() }),
		instanceForm("clu8", "eight points of the line in two clusters that are alike", func() models.Model { return models.Clu8() }),
		instanceForm("clu4", "four points that say almost nothing of their clusters", func() models.Model { return models.Clu4() }),
		instanceForm("bin4", "four data with two binary attributes", func() models.Model { return models.Bin4() }),
		representedForm("low", "a matrix of two rows and two columns, of rank one", "low:collapsed", func() models.Represented { return models.Low() }),
		representedForm("gridclu", "four points in two clusters with centres on a grid", "gridclu:z", func() models.Represented { return models.GridClu() }),
		instanceForm("hyper", "five points in two clusters of unknown noise variance", func() models.Model { return models.Hyper() }),
	}
}
