package toys

import (
	"strings"

	"breadboard/chains/selector"
	"breadboard/grid"
	"breadboard/toys/models"
)

// evidenceSource is where the models of marginal likelihoods come from.
const evidenceSource = "Grosse, Ghahramani and Adams 2015, section 6"

// OfModel returns the toy of a model: its target is the joint distribution of the latent variables
// and the data, and it has the model's prior, so that Z_T/Z_1 of an annealing from the prior is the
// marginal likelihood of the data.
func OfModel(name, description string, m models.Model) *Toy {
	t := &Toy{Name: name, Description: description, Space: m.Space(), LogPrior: m.LogPrior(), Model: m}
	if named, has := m.(models.Named); has {
		t.Axes = named.Axes()
	}
	t.G = m.LogLikelihood(1)
	for x, p := range t.LogPrior {
		t.G[x] += p
	}
	return t
}

// filesOfModel returns the file of the data of a model in a file, and that of the model: this alone
// if it cannot be read, which parsing the selector then tells.
func filesOfModel(file string) []string {
	if file == "" {
		return nil
	}
	data, err := models.DataFile(file)
	if err != nil {
		return []string{file}
	}
	return []string{data, file}
}

// instanceForm returns the form of a model that is built in, which takes no arguments.
func instanceForm(name, doc string, model func() models.Model) func() toyForm {
	return func() toyForm {
		return toyForm{
			Syntax: name, Doc: doc, Source: evidenceSource, Example: name,
			Parse: func(selector.Args, Forms) (*Toy, error) {
				return OfModel(name, doc, model()), nil
			},
		}
	}
}

// representedSource is where the models that can be written in several ways come from.
const representedSource = "Grosse, Ancha and Roy 2016, section 5.2.1"

// representationSyntax is the part of the syntax of such a model behind its name.
const representationSyntax = "[:REPRESENTATION]"

// Represented says which representation of a model a toy is, where the model can be written in
// several ways.
type Represented struct {
	Whole string   // the selector of the toy of the whole model
	Name  string   // the name of the representation
	All   []string // the selectors of the toys of all representations
}

// representedForm returns the form of a model that is built in and can be written in several ways,
// which the argument names.
func representedForm(name, doc, example string, model func() models.Represented) func() toyForm {
	return func() toyForm {
		return toyForm{
			Syntax: name + representationSyntax, Doc: doc, Source: representedSource, Example: example,
			Parse: func(args selector.Args, _ Forms) (*Toy, error) {
				toy, names := representation(name, doc, model(), args)
				if toy == nil {
					return nil, args.Errorf("%s has no such representation; it has %s", name, strings.Join(names, ", "))
				}
				return toy, nil
			},
		}
	}
}

// representation returns the toy of the representation that the arguments name, which is the whole
// model if there are none, and nil if there is no such representation. It also returns the names of
// all representations.
func representation(name, doc string, whole models.Represented,
	args selector.Args) (toy *Toy, names []string) {
	var all []string
	for _, r := range whole.Representations() {
		is := r.Model == models.Model(whole)
		called := name
		about := doc
		if !is {
			called = name + ":" + r.Name
			about = doc + "; representation " + r.Name
		}
		names, all = append(names, r.Name), append(all, called)
		if args.Given && args.Text == r.Name || !args.Given && is {
			toy = OfModel(called, about, r.Model)
			toy.Represented = &Represented{Whole: name, Name: r.Name}
		}
	}
	if toy != nil {
		toy.Represented.All = all
	}
	return toy, names
}

func modelFileForm() toyForm {
	return toyForm{
		Syntax: "model:PATH",
		Doc:    "a clustering or binary attributes from a TOML file (help models)",
		Source: evidenceSource, Example: "model:points.toml",
		Missing: "the path", File: selector.WholeArgument, Files: filesOfModel,
		Parse: func(args selector.Args, _ Forms) (*Toy, error) {
			m, description, err := models.ReadModel(args.Text)
			if err != nil {
				return nil, err
			}
			return OfModel("model:"+args.Text, description, m), nil
		},
	}
}

// ModelForms are the forms of models of data.
func ModelForms() []func() toyForm {
	return []func() toyForm{
		modelFileForm,
		instanceForm("clu6", "six points of the plane in three clusters",
			func() models.Model { return models.Clu6() }),
		instanceForm("clu8", "eight points of the line in two clusters that are alike",
			func() models.Model { return models.Clu8() }),
		instanceForm("clu4", "four points that hardly identify their clusters",
			func() models.Model { return models.Clu4() }),
		instanceForm("bin4", "four data with two binary attributes", func() models.Model { return models.Bin4() }),
		representedForm("low", "a matrix of two rows and two columns, of rank one", "low:collapsed",
			func() models.Represented { return models.Low() }),
		representedForm("gridclu", "four points in two clusters with centres on a grid", "gridclu:z",
			func() models.Represented { return models.GridClu() }),
		instanceForm("hyper", "five points in two clusters of unknown noise variance",
			func() models.Model { return models.Hyper() }),
	}
}

// RepresentedNames returns the selectors of the models that are built in and can be written in
// several ways.
func RepresentedNames() []string {
	var names []string
	for _, form := range ModelForms() {
		if name, several := strings.CutSuffix(form().Syntax, representationSyntax); several {
			names = append(names, name)
		}
	}
	return names
}

// schoolsSide is the number of cells of each axis of Schools if no size is given.
const schoolsSide = 31

// schools returns the model of the eight schools on a grid: rows are mu, from -15 to 25, and
// columns log tau, from -3 to 4, each at the centre of a cell (see models.EightSchools). The target
// is the posterior of (mu, log tau) at the cell centres.
//
// Source: Rubin 1981; Gelman et al. 2013, section 5.5.
func schools(space *grid.Lattice) *Toy {
	name := "schools"
	if space.Side(0) != schoolsSide || space.Side(1) != schoolsSide {
		name += ":" + space.String()
	}
	return OfModel(name, "eight schools: the posterior of mu (rows) and log tau (columns), effects integrated out",
		models.EightSchools(space.Side(0), space.Side(1)))
}

func schoolsForm() toyForm {
	return toyForm{
		Syntax:  "schools[:RxC]",
		Doc:     "eight schools: mu in R rows, log tau in C columns, effects integrated out; 31x31",
		Source:  "Rubin 1981; Gelman et al. 2013, section 5.5",
		Example: "schools:5x7",
		Parse:   parseSchools,
	}
}

func parseSchools(args selector.Args, _ Forms) (*Toy, error) {
	if !args.Given {
		return schools(grid.MustNew(schoolsSide, schoolsSide)), nil
	}
	space, err := grid.Parse(args.Text)
	if err != nil {
		return nil, args.Wrap(err)
	}
	if space.Dims() != 2 {
		return nil, args.Errorf("the grid has two sides, those of mu and of log tau, as in schools:31x31")
	}
	return schools(space), nil
}
