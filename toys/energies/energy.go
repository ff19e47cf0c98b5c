// Package energies answers: which energy does a file of an Ising model, a maximum cut or a
// quadratic unconstrained binary optimisation (QUBO) state? It reads the formats of rudy and the
// G-set, of qbsolv, of the Biq Mac library, lists of entries, and matrices of NumPy, and gives the
// energy of every state. It never searches for a ground state, and it returns
// an error for a file that may mean two energies.
package energies

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/grid"
	"breadboard/toys/models"
)

// MaxSites is the largest number of sites if the states are enumerated.
const MaxSites = grid.MaxBits

// ManySites is the largest number of sites if no states are enumerated: the weights of all pairs
// then take 67 MB.
const ManySites = 4096

// Energy is a function of sites, each of which has one of two values. It is an offset, plus the sum
// over sites of weight times value, plus the sum over pairs of sites of weight times both values.
type Energy struct {
	// of the sites in the file: their numbers, from the smallest on, or words; they are the axes of
	// the space in this order
	Names  []string
	Spins  bool        // whether the values are -1 and 1; else they are 0 and 1
	Fields []float64   // the weight of each site
	Offset float64     // what is added to the sum
	Pairs  [][]float64 // the weight of the pair of sites i > j at [i][j]
}

func newEnergy(names []string, spins bool) *Energy {
	e := &Energy{
		Names:  names,
		Spins:  spins,
		Fields: make([]float64, len(names)),
		Pairs:  make([][]float64, len(names)),
	}
	for i := range e.Pairs {
		e.Pairs[i] = make([]float64, i)
	}
	return e
}

// siteValues are the two values of a site.
func (e *Energy) siteValues() [2]float64 {
	if e.Spins {
		return [2]float64{-1, 1}
	}
	return [2]float64{0, 1}
}

// Axes returns the variables with their values. A variable is called x and the number of its site
// in the file, or by its name there.
func (e *Energy) Axes() []models.Axis {
	values := e.siteValues()
	labels := []string{"0", "1"}
	if e.Spins {
		labels = []string{"-1", "+1"}
	}
	axes := make([]models.Axis, len(e.Names))
	for i, name := range e.Names {
		if isWhole(name) {
			name = "x" + name
		}
		axes[i] = models.Axis{Name: name, Values: values[:], Labels: labels}
	}
	return axes
}

// LogF returns scale times the energy of each state, in nats. The first site moves slowest, and its
// smaller value comes first. It fails if the result may overflow. Time is O(states): the states of
// the first k sites are doubled for each further site.
//
// If the weights are whole numbers, states of the same energy have the same log f to the last bit;
// without fields so have a state and the one with all spins flipped.
func (e *Energy) LogF(scale float64) ([]float64, error) {
	if err := e.checkOverflow(scale); err != nil {
		return nil, err
	}
	values := e.siteValues()
	double := func(list []float64, grows func(x int) float64) []float64 {
		list = list[:2*len(list)]
		for x := len(list)/2 - 1; x >= 0; x-- {
			at := list[x]
			by := grows(x)
			// the conversions forbid a fused multiply-add
			list[2*x], list[2*x+1] = at+float64(values[0]*by), at+float64(values[1]*by)
		}
		return list
	}
	total := append(make([]float64, 0, 1<<len(e.Fields)), e.Offset)
	local := make([]float64, 1<<max(0, len(e.Fields)-1))
	for i, field := range e.Fields {
		at := append(local[:0], field)
		for _, weight := range e.Pairs[i] {
			at = double(at, func(int) float64 { return weight })
		}
		total = double(total, func(x int) float64 { return at[x] })
	}
	for x := range total {
		total[x] = float64(total[x]*scale) + 0 // the sum turns -0 into 0
	}
	return total, nil
}

// EnergyOf returns the energy of a state: x[i] is 1 if site i has the second of its values, and
// otherwise 0.
func (e *Energy) EnergyOf(x []uint8) float64 {
	values := e.siteValues()
	sum := e.Offset
	for i, field := range e.Fields {
		local := field
		for j, weight := range e.Pairs[i] {
			local += float64(weight * values[x[j]])
		}
		sum += float64(local * values[x[i]])
	}
	return sum
}

// Binary returns the weights of a factor times the energy as a function of variables that are 0 or
// 1, up to a constant.
func (e *Energy) Binary(factor float64) (fields []float64, pairs [][]float64) {
	fields = make([]float64, len(e.Fields))
	pairs = make([][]float64, len(e.Fields))
	low := e.siteValues()[0]
	step := e.siteValues()[1] - e.siteValues()[0]
	for i, field := range e.Fields {
		fields[i] += factor * step * field
		pairs[i] = make([]float64, i)
		for j, weight := range e.Pairs[i] {
			fields[i], fields[j] = fields[i]+factor*step*low*weight, fields[j]+factor*step*low*weight
			pairs[i][j] = factor * step * step * weight
		}
	}
	return fields, pairs
}

// WriteState writes a state as one character for each site, in the order of their numbers: 0 and 1,
// or - and + for spins.
func (e *Energy) WriteState(x []uint8) string {
	digits := "01"
	if e.Spins {
		digits = "-+"
	}
	text := make([]byte, len(x))
	for i, v := range x {
		text[i] = digits[v]
	}
	return string(text)
}

// Terms calls add with each site and each pair of sites whose weight is not zero, as indices into
// Names, and with the logarithms of a factor of f over them, the last site fastest. The sum of
// these logarithms is what LogF returns. It fails if LogF does.
func (e *Energy) Terms(scale float64, add func(sites []int, logs []float64) error) error {
	if err := e.checkOverflow(scale); err != nil {
		return err
	}
	values := e.siteValues()
	for i, field := range e.Fields {
		always := 0.0
		if i == 0 {
			always = e.Offset * scale
		}
		if own := field * scale; own != 0 || always != 0 {
			if err := add([]int{i}, []float64{own*values[0] + always, own*values[1] + always}); err != nil {
				return err
			}
		}
		for j, weight := range e.Pairs[i] {
			weight *= scale
			if weight == 0 {
				continue
			}
			a, b := values[0], values[1]
			if err := add([]int{j, i},
				[]float64{weight * a * a, weight * a * b, weight * b * a, weight * b * b}); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkOverflow fails if the energy of a state, or that times the scale, may overflow.
func (e *Energy) checkOverflow(scale float64) error {
	if math.IsNaN(scale) || math.IsInf(scale, 0) {
		return errs.New("the factor in front of the energy is %v; it must be finite", scale)
	}
	size := math.Abs(e.Offset)
	for i, field := range e.Fields {
		size += math.Abs(field)
		for _, weight := range e.Pairs[i] {
			size += math.Abs(weight)
		}
	}
	if math.IsInf(size*max(1, math.Abs(scale)), 1) {
		return errs.New(
			"the weights are so large that log f overflows; make the weights or the factor in front of them smaller",
		)
	}
	return nil
}

// Format says how a file of an energy is read. Log f is a factor chosen by the user, times Sign,
// times the energy as the programs that write such files define it.
type Format struct {
	Name    string // how such a file is selected
	What    string // what the file is, for errors: "a rudy file"
	Kind    string // what the problem is called
	Holds   string // what its files hold
	By      string // who writes them
	Doc     string // what log f is
	Source  string
	Example string  // of a file's name
	Factor  string  // what the factor of the user's is called
	Sign    float64 // -1 where programs look for the lowest energy, so that the likeliest state has it

	spins  bool
	form   form
	fields bool    // whether an entry i i is the weight of a site
	pair   float64 // how often an entry of a pair counts in the energy
}

// form is what a file may hold.
type form int

const (
	list    form = iota // lines i j WEIGHT
	counted             // n m, the numbers of sites and of entries, and such lines with sites from 1
	matrix              // a list, also below the header of qbsolv, or a matrix Q of NumPy's
	cut                 // edges with weights or without, a list below n m, or a matrix of NumPy's
)

// Formats returns all formats.
func Formats() []Format {
	return []Format{
		{
			Name:  "rudy",
			What:  "a rudy file",
			Kind:  "Ising",
			Holds: "lines i j w below n m",
			By:    "rudy, the G-set",
			Doc: "Ising from a file of rudy or the G-set, g = J times the sum of w s s'; the ground " +
				"state at J < 0 is the maximum cut",
			Source:  "Rinaldi 1998, rudy; Helmberg and Rendl 2000, the G-set",
			Example: "torus.rud",
			Factor:  "J",
			Sign:    1,
			spins:   true,
			form:    counted,
			pair:    1,
		},
		{
			Name:  "maxcut",
			What:  "a graph",
			Kind:  "maximum cut",
			Holds: "edges with weights or without, lines i j w below n m, a matrix in .npy",
			By:    "networkx, pandas, NumPy, rudy, the G-set",
			Doc: "maximum cut of a graph from a list of edges, rudy, the G-set or an adjacency matrix " +
				"in .npy, g = BETA (1) times the cut",
			Source:  "Rinaldi 1998, rudy; Helmberg and Rendl 2000, the G-set",
			Example: "edges.txt",
			Factor:  "BETA",
			Sign:    1,
			form:    cut,
			pair:    1,
		},
		{
			Name:  "qubo",
			What:  "a QUBO",
			Kind:  "QUBO",
			Holds: "lines i j q, a matrix Q in .npy",
			By:    "dimod (coo), qbsolv, NumPy, pandas",
			Doc: "QUBO from a list i,j,weight, a .qubo file of qbsolv or a matrix in .npy, g = -BETA " +
				"(1) times the sum of w x + w x x'",
			Source:  "Booth, Reinhardt and Roy 2017, qbsolv",
			Example: "problem.qubo",
			Factor:  "BETA",
			Sign:    -1,
			form:    matrix,
			fields:  true,
			pair:    1,
		},
		{
			Name:    "bq",
			What:    "a .bq or .sparse file",
			Kind:    "QUBO",
			Holds:   "lines i j w of a symmetric Q below n m",
			By:      "Biq Mac",
			Doc:     "QUBO from a .bq or .sparse file of Biq Mac, g = -BETA (1) times x'Qx",
			Source:  "Wiegele 2007, Biq Mac Library",
			Example: "problem.bq",
			Factor:  "BETA",
			Sign:    -1,
			form:    counted,
			fields:  true,
			pair:    2,
		},
		{
			Name:  "ising-file",
			What:  "a list of edges with weights",
			Kind:  "Ising",
			Holds: "lines i j J and i i h",
			By:    "dimod (coo), by hand",
			Doc: "Ising from lines i j J of pairs and i i h of fields, g = BETA (1) times the sum of " +
				"J s s' + h s; comments vartype=BINARY and offset=NUMBER (help models)",
			Example: "spins.txt",
			Factor:  "BETA",
			Sign:    1,
			spins:   true,
			form:    list,
			fields:  true,
			pair:    1,
		},
	}
}

// Value names what is maximised or minimised.
func (f Format) Value() string {
	if f.form == cut {
		return "cut"
	}
	return "energy"
}

// About says in a few words which problem an energy is, if the factor in front of it is scale.
func (f Format) About(e *Energy, scale float64) string {
	kind := f.Kind
	aim := "maximised"
	if e.Spins {
		kind = "Ising"
	} else if kind == "Ising" {
		kind = "QUBO"
	}
	if f.Sign*scale < 0 {
		aim = "minimised"
	}
	about := fmt.Sprintf("%s, %s, %s, offset %v", kind, aim, selector.Count(len(e.Names), "variable"), e.Offset)
	if _, err := strconv.Atoi(e.Names[0]); err != nil && len(e.Names) <= MaxSites {
		// in which a state is written
		about += ", in the order " + strings.Join(e.Names, ", ")
	}
	return about
}
