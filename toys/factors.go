package toys

import (
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/toys/energies"
	"breadboard/toys/networks"
)

// Product is a toy that is a product of factors, each over few of its variables, as a network of
// any size, whose states are never enumerated.
type Product struct {
	*networks.Query
	Selector string // of the toy, with the evidence
	File     bool   // whether it is a network in a file
	// the energy in a file that log f is in proportion to; nil if there is none, or its factor is
	// zero
	Energy *Energy
}

// Conditions are the evidence and the variables to sum out, which are written as for networks.Open.
type Conditions struct{ Evidence, Hide string }

// Factored reads a toy that is a product of factors: a model of spins, an energy in a file, or a
// network in a file, also by its path alone. An error about the factors of an energy comes with the
// energy.
func (f Forms) Factored(text, evidence, hide string) (p Product, err error) {
	_, text = selector.SplitName(text)
	switch {
	case f.OfFactors(text):
		return f.Products.Parse(text, Conditions{evidence, hide})
	case f.Targets.Listing.Named(text) && !f.Networks.Named(text):
		name, _, _ := strings.Cut(text, ":")
		why := ""
		if name == "model" {
			why = ", since its parameters are integrated out, which joins all of its data"
		}
		known := f.Products.Listing.Syntaxes()
		for _, network := range f.Networks.All() {
			known = append(known, network.Name()+":PATH")
		}
		return p, errs.New("%s is not a product of factors over few variables each%s; those that are: %s",
			name, why, strings.Join(known, ", "))
	case !f.Targets.Listing.Named(text):
		if err := f.Recognised(text, true); err != nil {
			return p, err
		}
	}
	p.File = true
	p.Query, p.Selector, err = f.Open(text, evidence, hide)
	return p, err
}

// OfFactors reports whether the form of a toy is a product of factors, other than a network in a
// file.
func (f Forms) OfFactors(text string) bool { return f.Products.Listing.Named(text) }

// factored is a toy as a product of factors.
type factored struct {
	name, description string
	variables         []networks.Variable
	factors           []networks.Factor
	along             []int
	energy            *Energy // in whose file the factors are
}

func (p *factored) network() *networks.Network {
	return &networks.Network{Variables: p.variables, Factors: p.factors, Along: p.along}
}

// addFactor adds a factor whose logarithms are given.
func (p *factored) addFactor(scope []int, logs []float64) error {
	f, err := networks.LogFactor(scope, logs)
	p.factors = append(p.factors, f...)
	return err
}

// FactorForms are the forms of toys that are products of factors over few variables, beside
// networks in files.
func FactorForms() selector.Set[Conditions, Product] {
	of := func(f toyForm,
		parse func(args selector.Args) (*factored, error)) func() selector.Form[Conditions, Product] {
		return func() selector.Form[Conditions, Product] {
			return selector.Form[Conditions, Product]{
				Syntax: f.Syntax, Doc: f.Doc, Example: f.Example, Missing: f.Missing, File: f.File,
				Parse: func(args selector.Args, given Conditions) (out Product, err error) {
					p, err := parse(args)
					if p != nil {
						out.Energy = p.energy.orNone()
					}
					if err != nil {
						return out, err
					}
					out.Query, out.Selector, err = networks.Ask(
						p.network(),
						p.description,
						p.name,
						given.Evidence,
						given.Hide,
					)
					return out, err
				},
			}
		}
	}
	forms := []func() selector.Form[Conditions, Product]{
		of(isingForm(), isingFactors), of(pottsForm(), pottsFactors)}
	for _, format := range energies.Formats() {
		forms = append(forms, of(energyForm(format),
			func(args selector.Args) (*factored, error) { return energyFactors(format, args) }))
	}
	return selector.NewSet("toy", forms...)
}

func isingFactors(args selector.Args) (*factored, error) {
	m, err := parseIsingModel(args)
	if err != nil {
		return nil, err
	}
	if err := m.sites.manageable(2); err != nil {
		return nil, args.Wrap(err)
	}
	if err := checkCoupling(m.j, m.sites.pairCount(), m.field,
		float64(m.sites.Rows*m.sites.Cols)); err != nil {
		return nil, args.Wrap(err)
	}
	m.j += 0
	m.field += 0
	p := &factored{name: m.name(), description: m.describe()}
	if err := p.addSites(m.sites, 2, []float64{m.j, -m.j, -m.j, m.j}); err != nil {
		return nil, args.Wrap(err)
	}
	if m.field != 0 {
		for v := range p.variables {
			if err := p.addFactor([]int{v}, []float64{-m.field, m.field}); err != nil {
				return nil, args.Wrap(err)
			}
		}
	}
	return p, nil
}

func pottsFactors(args selector.Args) (*factored, error) {
	m, err := parsePottsModel(args)
	if err == nil {
		err = args.Wrap(m.sites.manageable(m.q))
	}
	if err == nil {
		err = args.Wrap(m.check())
	}
	if err != nil {
		return nil, err
	}
	m.j += 0
	p := &factored{name: m.name(), description: m.describe()}
	pair := make([]float64, m.q*m.q)
	for value := range m.q {
		pair[value*m.q+value] = m.j
	}
	return p, args.Wrap(p.addSites(m.sites, m.q, pair))
}

// mostNumbers is the largest number of entries of all factors of a model of spins together.
const mostNumbers = 1 << 24

// manageable fails if sides are too short, or factors of pairs of sites with q values would be too
// large.
func (s Sites) manageable(q int) error {
	if n := 2 * float64(s.Rows) * float64(s.Cols) * float64(q) * float64(q); n > mostNumbers {
		return errs.New(
			"the factors of its pairs have %.3g numbers, and at most %d are taken; take shorter sides or fewer values",
			n,
			mostNumbers,
		)
	}
	return s.checkSides()
}

// addSites adds sites of q values with the same logarithms of a factor for each pair of neighbours.
// It says that they are eliminated well line by line, along the shorter side.
func (p *factored) addSites(sites Sites, q int, pair []float64) error {
	labels := make([]string, q)
	for value := range labels {
		labels[value] = strconv.Itoa(value)
	}
	for site := range sites.Rows * sites.Cols {
		p.variables = append(p.variables, networks.Variable{Name: "x" + strconv.Itoa(site), Labels: labels})
		for _, other := range sites.earlier(site) {
			if err := p.addFactor([]int{other, site}, pair); err != nil {
				return err
			}
		}
		if sites.Cols <= sites.Rows {
			p.along = append(p.along, site)
		} else {
			p.along = append(p.along, site%sites.Rows*sites.Cols+site/sites.Rows)
		}
	}
	return nil
}

func energyFactors(format energies.Format, args selector.Args) (*factored, error) {
	e, err := readEnergy(format, args, energies.ManySites)
	if err != nil {
		return nil, err
	}
	p := &factored{name: e.name(), description: e.describe(), energy: e}
	for _, axis := range e.Axes() {
		p.variables = append(p.variables, networks.Variable{Name: axis.Name, Labels: axis.Labels})
	}
	return p, e.wrap(e.Terms(e.Sign*e.scale, p.addFactor))
}
