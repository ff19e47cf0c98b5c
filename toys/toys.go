package toys

import (
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/selector"
	"breadboard/grid"
	"breadboard/toys/models"
)

// Toy is a target distribution f = exp(g) on a grid or another graph.
type Toy struct {
	Name        string        // what the toy is called in tables, figures and files: its selector, or what a user calls it
	Named       string        // the selector that Parse turns into this toy, where Name is one that a user has given; else empty
	Description string        // what the toy is, in one line
	Family      string        // the selector with N, or RxC, in the place of the size, for a toy that is one of a family of any size; else empty
	Size        int           // the size, as a number of spins, where there is a family
	Space       grid.Graph    // the states and their neighbours
	G           []float64     // log f of each state, up to a constant (nats)
	Mode        []int         // the states of the dominant mode, where the source names one
	Printed     []Printed     // the numbers that have been published about it
	Graph       bool          // whether it was selected as a graph: states then have labels even on a grid (see ByLabel)
	Members     []float64     // the log of the number of states that each class of a quotient stands for, which G has in it; nil where each stands for itself
	memberG     []float64     // see MemberG; nil where each state stands for itself
	states      *Toy          // see States
	LogPrior    []float64     // the log probability of each state under the prior of a model; nil where the toy has none
	Model       models.Model  // the model of data that the toy is made of; nil where it is of none
	Represented *Represented  // which of the representations of its model the toy is; nil where the model has one only
	Axes        []models.Axis // the variables that the axes of the space are, in order; nil where they have no names
	Doubt       string        // what the user should know of the file it was read from, as that it may mean something else; empty where there is nothing
	Layout      []Place       // where figures draw each state of a graph; nil where no coordinates are given
	Spread      float64       // of a quotient with a tolerance: how far log f of the members of one class differs at most (nats)
	Note        string        // what the toy cannot show of the target that it stands for; empty where there is nothing to say
}

// Printed is a published number.
type Printed struct {
	Quantity string // J, B, relative_error (B/J - 1) or dominant_mode_mass
	T        int    // number of distributions; 0 where the quantity has none
	Text     string // as printed: "0.00518", "87%"
	Source   string
}

// Rounds reports whether v rounds to the printed number at its printed number of digits.
func (p Printed) Rounds(v float64) bool {
	text, percent := strings.CutSuffix(p.Text, "%")
	if percent {
		v *= 100
	}
	_, decimals, _ := strings.Cut(text, ".")
	return strconv.FormatFloat(v, 'f', len(decimals), 64) == text
}

// Lookup returns the number that is printed for a quantity at T, and false where none is.
func (t *Toy) Lookup(quantity string, T int) (Printed, bool) {
	for _, p := range t.Printed {
		if p.Quantity == quantity && p.T == T {
			return p, true
		}
	}
	return Printed{}, false
}

// paperSource is where the paper prints its numbers.
const paperSource = "Grosse, Ancha and Roy 2016, Appendix B.1.1"

// Paper returns the three toys of the paper: EASY RANDOM, HARD RANDOM and BARRIER.
func Paper() []*Toy { return []*Toy{Easy(), Hard(), mustBarrier("barrier", 7, 7)} }

// Forms are the forms of the selectors that Parse reads, in the order in which they are listed.
func Forms() selector.Set[selector.Nothing, *Toy] {
	forms := []func() toyForm{easyForm, hardForm, barrierForm, randomForm, smoothForm, isingForm, pottsForm, schoolsForm, cellsForm, mixtureForm, curieWeissForm, pottsCompleteForm, pottsColoursForm, weightForm, coinsForm, cyclesForm, fileForm, probForm, graphForm, quotientForm}
	return selector.Set[selector.Nothing, *Toy]{What: "toy", Forms: slices.Concat(forms, energyForms(), modelForms(), networkForms())}
}

// toyForm is how a toy is selected.
type toyForm = selector.Form[selector.Nothing, *Toy]

// Parse returns the toy of a selector: easy, hard, barrier or barrier:9x9 (odd sides), random:SIGMA:SEED or random:SIGMA:SEED:DIMS,
// smooth:SIGMA:SEED:PASSES or smooth:SIGMA:SEED:PASSES:DIMS, ising:RxC:J, ising:RxC:J:FIELD, potts:Q:RxC:J, the last three also with :torus
// behind them, schools or schools:RxC, cells:G:G/G:G, mixture:W1*TOY+W2*TOY, file:PATH or prob:PATH (CSV, .npy or .npz), graph:EDGES:G or
// graph:NAME:N:G, where EDGES is a file as graphs.ParseEdges reads it, NAME:N is one of hypercube:BITS, permutations:ITEMS, path:STATES,
// cycle:STATES, complete:STATES and torus:DIMS, and G is random:SIGMA:SEED or a file as ParseByLabel reads it; rudy:PATH:J, qubo:PATH:BETA,
// bq:PATH:BETA or ising-file:PATH:BETA, an energy in a file as package energies reads it; or a model of data: clu6, clu8, clu4 or bin4, or
// model:PATH, in a TOML file as models.ReadModel takes it; or a network with evidence in a file, bif:PATH or uai:PATH, as package networks
// reads it. A name may stand before any of them, as in ring=file:mine.npy; tables, figures and files then use the name.
func Parse(text string) (*Toy, error) {
	if name, selector := SplitName(text); name != "" {
		return parseNamed(name, selector)
	}
	return Forms().Parse(text, selector.Nothing{})
}

// NamesMode reports whether the toy of a selector has a Mode, without making it: only the barrier has one.
func NamesMode(selector string) bool {
	_, selector = SplitName(selector)
	name, _, _ := strings.Cut(selector, ":")
	return name == "barrier"
}
