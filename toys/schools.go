package toys

import (
	"breadboard/chains/selector"
	"breadboard/grid"
	"breadboard/toys/models"
)

// schoolsSide is the number of cells of each axis of Schools where no size is given.
const schoolsSide = 31

// Schools returns the model of the eight schools on a grid: rows are mu, from -15 to 25, and columns log tau, from -3 to 4, each at the
// centre of a cell (see models.EightSchools). The target is the posterior of (mu, log tau) at the cell centres.
//
// Source: Rubin 1981; Gelman et al. 2013, section 5.5.
func Schools(space *grid.Lattice) *Toy {
	name := "schools"
	if space.Side(0) != schoolsSide || space.Side(1) != schoolsSide {
		name += ":" + space.String()
	}
	return OfModel(name, "eight schools: the posterior of mu (rows) and log tau (columns), effects integrated out", models.EightSchools(space.Side(0), space.Side(1)))
}

// schoolsForm is how Schools is selected.
func schoolsForm() toyForm {
	return toyForm{
		Syntax: "schools[:RxC]", Doc: "eight schools: mu in R rows, log tau in C columns, effects integrated out; 31x31",
		Source: "Rubin 1981; Gelman et al. 2013, section 5.5", Example: "schools:5x7", Parse: parseSchools,
	}
}

func parseSchools(args selector.Args, _ selector.Nothing) (*Toy, error) {
	if !args.Given {
		return Schools(grid.MustNew(schoolsSide, schoolsSide)), nil
	}
	space, err := grid.Parse(args.Text)
	if err != nil {
		return nil, args.Wrap(err)
	}
	if space.Dims() != 2 {
		return nil, args.Errorf("the grid has two sides, those of mu and of log tau, as in schools:31x31")
	}
	return Schools(space), nil
}
