package toys

import (
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

// dataOf returns the file of the data of a model in a file: none where the file cannot be read, which parsing the selector then tells.
func dataOf(file string) []string {
	data, err := models.DataFile(file)
	if err != nil {
		return nil
	}
	return []string{data}
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

// modelFileForm is how a model in a file is selected.
func modelFileForm() toyForm {
	return toyForm{
		Syntax: "model:PATH", Doc: "a clustering or binary attributes from a TOML file, with the data as CSV beside it", Source: evidenceSource, Example: "model:points.toml",
		Missing: "the path", File: selector.WholeArgument,
		Parse: func(args selector.Args, _ selector.Nothing) (*Toy, error) {
			m, description, err := models.ReadModel(args.Text)
			if err != nil {
				return nil, err
			}
			return OfModel("model:"+args.Text, description, m), nil
		},
	}
}

// modelForms are the forms of toys that are models of data.
func modelForms() []func() toyForm {
	return []func() toyForm{
		modelFileForm,
		instanceForm("clu6", "six points of the plane in three clusters", func() models.Model { return models.Clu6() }),
		instanceForm("clu8", "eight points of the line in two clusters that are alike", func() models.Model { return models.Clu8() }),
		instanceForm("clu4", "four points that say almost nothing of their clusters", func() models.Model { return models.Clu4() }),
		instanceForm("bin4", "four data with two binary attributes", func() models.Model { return models.Bin4() }),
	}
}
