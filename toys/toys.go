// Package toys answers: which problem? It holds the targets of the paper's tightness study, random
// and user-given ones, on grids and on graphs, each with what is known about it and where that
// stands. It never computes a divergence, and a target is never changed once built.
//
// Begin with [Toy], of which G is log f and Space the grid; [Forms.Parse] reads any selector;
// [Cells] takes numbers of your own; [Easy], [Hard], [Barrier], [Random], [Ising], [Mixture].
//
// # The random grids
//
// EASY and HARD are the paper's random grids. It does not print them; with
// RandomState(0).standard_normal(49) of NumPy every number that it prints comes out. The selector
// random:SIGMA:SEED is that stream for any seed, so that anyone with NumPy can check it:
//
//	python3 -c "import numpy; print(2*numpy.random.RandomState(7).standard_normal(49)[:3])"
//	breadboard toys export random:2:7
//
// The selector smooth:SIGMA:SEED:PASSES is such a grid after that many passes of the filter 1-2-1
// along every axis, by which its hills become wider; and mixture:W1*TOY+W2*TOY is the mixture of
// other targets on one space, each normalised before it is weighed:
//
//	breadboard toys show smooth:10:0:2:9x9
//	breadboard toys show mixture:0.3*random:2:0:5x5+0.7*barrier:5x5
//
// A small grid is also written out in a selector, log f cell by cell, with colons between cells and
// slashes between rows:
//
//	breadboard toys show cells:0:0:-10:2/0:0:-10:2/0:0:-inf:0
//
// # Models of spins
//
// The selectors ising:RxC:J, with a field or on a torus, and potts:Q:RxC:J are the models of Ising
// 1925 and of Potts 1952 on a plane of R times C sites. Their space is a lattice with one axis for
// each site, up to grid.MaxBits of them, on which the kernel flip changes one site at a time. Log Z
// is known in closed form for Ising's model on a torus (Kaufman 1949), and by transfer matrices for
// the others; the tests hold g to both.
//
//	breadboard tightness --toy ising:3x3:0.44:torus --kernel flip
//
// # Models that count
//
// The selectors curie-weiss:N:K, potts-complete:Q:N:K, potts-colours:Q:N:K, weight:N:G,
// coins:N1:N2:BITS:ALPHA and cycles:N:THETA:LAMBDA are models in which all axes are alike, on the
// classes of a quotient (see package quotients): as many classes as there are counts, for 2^1000
// states and more. G of such a toy is the log mass of whole classes, and Members has their numbers
// of members; MemberG is g of a member, and Larger the toy state by state, if that can be listed.
//
//	breadboard tightness --toy curie-weiss:1000:1 --kernel flip -T 1000
//
// # Models of data
//
// A toy may be a model whose data are given: its states are the values of the latent variables, its
// target is their joint distribution with the data, and it has a prior, where paths start unless
// told otherwise. Log Z_T/Z_1 is then the log marginal likelihood of the data. The toys clu6, clu8,
// clu4 and bin4 are built in; model:PATH reads a clustering or a model of binary attributes from a
// TOML file, with the data in a CSV file beside it or below (see package models):
//
//	kind = "clustering"
//	data = "points.csv"      # a row for each datum
//	pi = [0.5, 0.3, 0.2]     # the probabilities of the clusters
//	centre_variance = 4.0
//	noise_variance = 1.0
//
// A Bayesian network with evidence, bif:PATH:evidence=VARIABLE=VALUE or uai:PATH, is a model
// of its evidence. Its axes are the variables that were neither observed nor summed out
// (:hide=VARIABLE). A Markov network, uai:PATH, has no prior (see package networks).
//
// The toy schools is the posterior of mean and spread of the eight schools (Rubin 1981), with the
// prior as it stands on the grid.
//
// From the prior of a model there is a path of its own, tempered, on which the likelihood is raised
// to a power before the centres of the clusters, or the features, are integrated out; on the path
// geometric that is done afterwards:
//
//	breadboard tightness --toy clu8 -T 10 --path tempered --schedule sigmoid:4 --kernel heatbath-scan
//
// # Where a path starts
//
// The initial distribution is uniform; prior, that of a model, and the default for one;
// tempered:BETA, the target to the power BETA; smoothed:PASSES, the target after that many passes
// of the filter 1-2-1 along each axis; or file:PATH, log f from a file like a target's.
//
// # Add a target
//
//  1. Write NAME.go, like barrier.go: a function that returns a *Toy whose Name parses back to it, with Printed and the source if numbers
//     are published; and NAMEForm, with File: selector.WholeArgument if the argument is a path.
//  2. Add the form to GridForms in toys.go. If f is a product of factors over few axes each, add
//     it to FactorForms in factors.go and its selector to factors_test.go.
//  3. Test g at states worked out by hand in NAME_test.go, rewrite the golden files, and mend TestParse and ExampleParse.
package toys

import (
	"context"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/paths"
	"breadboard/chains/selector"
	"breadboard/grid"
	"breadboard/toys/models"
	"breadboard/toys/networks"
)

// Toy is a target distribution f = exp(g) on a grid or another graph.
type Toy struct {
	// what the toy is called in tables, figures and files: its selector, or what a user calls it
	Name string
	// the selector that Forms.Parse turns into this toy, where Name is one that a user has given;
	// else empty
	Named       string
	Description string     // what the toy is, in one line
	Space       grid.Graph // the states and their neighbours
	G           []float64  // log f of each state, up to a constant (nats)
	Mode        []int      // the states of the dominant mode, where the source names one
	Printed     []Printed  // the numbers that have been published about it
	// whether it was selected as a graph: states then have labels even on a grid (see ByLabel)
	Graph bool
	// the log of the number of states that each class of a quotient stands for, which G has in it;
	// nil if each stands for itself
	Members []float64
	memberG []float64 // see MemberG; nil if each state stands for itself
	states  *Toy      // see States
	whole   string    // see WholeSelector
	forms   Forms     // in which it was found; none if it was made otherwise
	// whether the states are levels of log f, on which no kernel moves; see OfLevels
	Levels bool
	// the log probability of each state under the prior of a model; nil if the toy has none
	LogPrior []float64
	Model    models.Model // the model of data that the toy is made of; nil if it is of none
	// which of the representations of its model the toy is; nil if the model has one only
	Represented *Represented
	// the variables that the axes of the space are, in order; nil if they have no names
	Axes []models.Axis
	// of a network, the variables that have been observed, each with its one value as coordinate 0
	Observed []models.Axis
	Energy   *Energy // the energy in a file that log f is in proportion to; nil if there is none
	// what the user should know of the file it was read from, as that it may mean something else;
	// empty if there is nothing
	Doubt string
	// whether it is a network in a file, of which variables can be summed out
	Network bool
	Layout  []Place // where figures draw each state of a graph; nil if no coordinates are given
	// of a quotient with a tolerance: how far log f of the members of one class differs at most
	// (nats)
	Spread float64
}

// Printed is a published number.
type Printed struct {
	Quantity string // J, B, relative_error (B/J - 1) or dominant_mode_mass
	T        int    // number of distributions; 0 where the quantity has none
	Text     string // as printed: "0.00518", "87%"
	Source   string
}

// Authors returns the authors of the source, as a text names them: "Grosse et al.".
func (p Printed) Authors() string {
	first, _, _ := strings.Cut(p.Source, " ")
	if name, several := strings.CutSuffix(first, ","); several {
		return name + " et al."
	}
	return first
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

// Lookup returns the number that is printed for a quantity at T, and false if none is.
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

// Forms are the sets of forms in which targets, and where and how annealing goes to them, are
// named. Package forms composes them. The zero Forms has none.
type Forms struct {
	Targets  selector.Set[Forms, *Toy]
	Products selector.Set[Conditions, Product] // of those targets that are products of factors, for Factored
	Networks *selector.Listing                 // of the targets that are networks in files
	Initials selector.Set[Start, Initial]
	Paths    selector.Set[paths.Env, chains.Path]
	// Recognised is the error for the path of a file; see the function Recognised.
	Recognised func(path string, byPath bool) error
	// Open reads a network in a file; see networks.Open.
	Open func(text, evidence, hide string) (q *networks.Query, selected string, err error)
	// Levels counts the states of the levels of a product of factors; see
	// networks.Query.CountLevels.
	Levels func(q *networks.Query, ctx context.Context) (logs, counts []float64, err error)
	// ReadOn reads log f on the space of a toy; see the function ReadOn.
	ReadOn func(path string, toy *Toy) ([]float64, error)
}

type toyForm = selector.Form[Forms, *Toy]

// GridForms are the forms of targets that are made by a formula or from a file of numbers, and of
// those that are made of other targets.
func GridForms() []func() toyForm {
	return []func() toyForm{paperForm("easy", Easy), paperForm("hard", Hard), barrierForm, randomForm,
		smoothForm, isingForm, pottsForm, schoolsForm,
		cellsForm, mixtureForm, curieWeissForm, pottsCompleteForm, pottsColoursForm, weightForm, coinsForm,
		cyclesForm, fileForm, probForm, graphForm, quotientForm}
}

// Parse returns the toy of a selector: easy, hard, barrier or barrier:9x9 (odd sides),
// random:SIGMA:SEED or random:SIGMA:SEED:DIMS, smooth:SIGMA:SEED:PASSES or
// smooth:SIGMA:SEED:PASSES:DIMS, ising:RxC:J, ising:RxC:J:FIELD, potts:Q:RxC:J, the last three also
// with :torus behind them, schools or schools:RxC, cells:G:G/G:G, mixture:W1*TOY+W2*TOY, file:PATH
// or prob:PATH (CSV, .npy or .npz), graph:EDGES:G or graph:NAME:N:G, where EDGES is a file as
// grid.ParseEdges reads it, NAME:N is one of hypercube:BITS, permutations:ITEMS, path:STATES,
// cycle:STATES, complete:STATES and torus:DIMS, and G is random:SIGMA:SEED or a file as
// ParseByLabel reads it; rudy:PATH:J, qubo:PATH:BETA, bq:PATH:BETA or ising-file:PATH:BETA, an
// energy in a file as package energies reads it; or a model of data: clu6, clu8, clu4 or bin4, or
// model:PATH, in a TOML file as models.ReadModel takes it; or a network with evidence in a file,
// bif:PATH or uai:PATH and other formats, as package networks reads it. A name may stand before any
// of them, as in ring=file:mine.npy; tables, figures and files then use the name.
func (f Forms) Parse(text string) (*Toy, error) {
	name, text, err := f.Targets.Listing.CutName(text)
	if err != nil {
		return nil, err
	}
	toy, err := f.parseUnnamed(text)
	if name != "" && err == nil {
		toy.Named = toy.Name
		toy.Name = name
	}
	return toy, err
}

// parseUnnamed returns the toy of a selector without a name of the user's own.
func (f Forms) parseUnnamed(text string) (*Toy, error) {
	if strings.HasPrefix(text, "matrix:") {
		return nil, errs.New(
			"%s is a kernel and no target; breadboard kernel check %[1]s {toy} prob:PATH checks it on the "+
				"target in PATH",
			text,
		)
	}
	if !f.Targets.Listing.Named(text) {
		if err := selector.Unread(text); err != nil {
			return nil, err
		}
		if err := f.Recognised(text, false); err != nil {
			return nil, err
		}
	}
	toy, err := f.Targets.Parse(text, f)
	if err == nil {
		toy.forms = f
	}
	return toy, err
}
