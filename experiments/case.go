package experiments

import (
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/toys"
)

// Case is one algorithm on one toy, with the parameters by which it is told from all others. Whatever needs to tell
// cases apart derives from the parameters: the key and with it the random numbers, the columns of tables, and the cells
// of a sweep. Selection.Cases makes cases of annealing, whose parameters are in canonical form (see Params).
//
// A case of a study whose problems are no spaces of states, as data of any size are, has no toy: its parameters alone tell it from others.
type Case struct {
	Toy       *toys.Toy // nil where there is none
	Algorithm any       // a *chains.Annealing, or nil where a case has its parameters only
	Params    Params    // of the algorithm, in the order of Parameters; the toy names itself and is not among them
}

// String names the case in an error.
func (c *Case) String() string {
	if c.Toy == nil {
		var parts []string
		for _, p := range c.Params {
			parts = append(parts, p.Name+" "+p.Value)
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprintf("toy %s, T = %d", c.Toy.Title(), c.Distributions())
}

// Wrong returns an error about the case, with the name of the case in front, and with the labels of the states that the
// error is about.
func (c *Case) Wrong(err error) error {
	if c.Toy != nil {
		err = c.Toy.Explain(err)
	}
	return fmt.Errorf("%s: %w", c, err)
}

// Annealing returns the algorithm where it is annealing, and nil where it is another one or none.
func (c *Case) Annealing() *chains.Annealing {
	a, _ := c.Algorithm.(*chains.Annealing)
	return a
}

// Distributions returns T, both ends included, and 0 for a case that has no such parameter.
func (c *Case) Distributions() int {
	T, err := strconv.Atoi(c.Params.Get("T"))
	if err != nil {
		return 0
	}
	return T
}

// Param returns the value of a parameter, which may be the toy, and "" for a parameter that the case does not have.
func (c *Case) Param(name string) string {
	if name == "toy" && c.Toy != nil {
		return c.Toy.Name
	}
	return c.Params.Get(name)
}

// Parts returns everything that tells the case from others: the toy, where there is one, and the parameters in their order.
func (c *Case) Parts() Params {
	if c.Toy == nil {
		return c.Params
	}
	return append(Params{{"toy", c.Toy.Name}}, c.Params...)
}

// Work returns the number of steps of the case times the states of its space, by which its cost is compared with others. The case must
// have a toy.
func (c *Case) Work() int { return c.Distributions() * c.Toy.Space.States() }

// Setting has the names of the parts of an annealing, each in its canonical form where Selection.Cases has made it.
type Setting struct {
	Path     string
	Initial  string // where empty, uniform
	Schedule string
	Kernel   string
	T        int // the number of distributions
}

// Params returns the parameters of a case of annealing, in the order of Parameters.
func (s Setting) Params() Params {
	var out Params
	for _, p := range Parameters() {
		if p.of != nil {
			out = append(out, Param{p.Name, p.of(s)})
		}
	}
	return out
}
