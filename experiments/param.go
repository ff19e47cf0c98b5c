package experiments

import (
	"fmt"
	"slices"
	"strconv"
)

// Param is a parameter of a case or of a study with its value, as text: a selector, or a number in decimal digits.
//
// A value that comes from Selection.Cases or from a sweep is in canonical form: .5 is written 0.5, sigmoid is sigmoid:4,
// via:FILE is via:0.5:FILE, and the paths of files stay as they were given. One distribution may still have names of
// several families: q:0 and arithmetic, easy and random:2:0, tempered:0 and uniform are different values.
type Param struct{ Name, Value string }

// Params is a list of parameters, each of them once.
type Params []Param

// Get returns the value of a parameter, and "" for one that is not in the list.
func (p Params) Get(name string) string {
	for i := range p {
		if p[i].Name == name {
			return p[i].Value
		}
	}
	return ""
}

// With returns the list with another value of a parameter that is in it. The list itself stays as it is.
func (p Params) With(name, value string) Params {
	out := slices.Clone(p)
	for i := range out {
		if out[i].Name == name {
			out[i].Value = value
		}
	}
	return out
}

// Int returns a whole number. It panics where the parameter is not in the list or is no such number, which Parameter.Text
// has ruled out for the parameters of a sweep.
func (p Params) Int(name string) int {
	n, err := strconv.Atoi(p.Get(name))
	if err != nil {
		panic(fmt.Sprintf("experiments: the parameter %s: %v", name, err))
	}
	return n
}
