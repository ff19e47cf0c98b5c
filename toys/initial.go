package toys

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/numpy"
	"breadboard/chains/paths"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// maxPasses bounds the filter passes of a smoothed target. After that many passes any toy is flat.
const maxPasses = 100_000

// Initial is a distribution to anneal from.
type Initial struct {
	// the selector of the distribution in canonical form, with the user's name in front if there is
	// one
	Name string
	Ends *paths.Ends // the distribution and the target, between which a path runs

	// what the user should know of the file it was read from, as that it may mean something else;
	// empty if there is nothing
	Doubt string
}

// InitialForms are the forms of the selectors that Forms.ParseInitial reads.
func InitialForms() selector.Set[Start, Initial] {
	inFile := func() initialForm {
		return LogF().initialForm("log f from a file like a target's, on the target's space")
	}
	inProb := func() initialForm {
		return Probabilities().initialForm("log f from a file of probabilities, which need not sum to 1")
	}
	forms := []func() initialForm{uniformForm, priorForm, temperedForm, smoothedForm, inFile, inProb}
	return selector.NewSet("initial distribution", forms...)
}

type initialForm = selector.Form[Start, Initial]

// Start is what ParseInitial needs beside the selector.
type Start struct {
	Toy    *Toy // the target of the annealing
	smooth func(passes int) (*paths.Ends, error)
}

// NewStart returns what ParseInitial needs for annealing towards a toy, until the context ends.
func NewStart(ctx context.Context, toy *Toy) Start {
	return Start{toy, func(passes int) (*paths.Ends, error) { return smoothedEnds(ctx, toy, passes) }}
}

// ParseInitial returns the initial distribution of a selector, for annealing towards a toy:
// "uniform"; "prior", the prior of a toy that is a model; "tempered:BETA", the target to the power
// BETA; "smoothed:PASSES", the target after that many passes of Smooth; "file:PATH", log f on the
// toy's space from a file (see ReadOn); "prob:PATH", the same for probabilities. It fails if the
// context ends.
func (f Forms) ParseInitial(ctx context.Context, text string, toy *Toy) (Initial, error) {
	name, text, err := f.Initials.Listing.CutName(text)
	if err != nil {
		return Initial{}, err
	}
	initial, err := f.Initials.Parse(text, NewStart(ctx, toy))
	initial.Name = selector.WithName(name, initial.Name)
	return initial, err
}

func uniformForm() initialForm {
	return initialForm{
		Syntax: "uniform", Doc: "every state alike", Example: "uniform",
		Parse: func(_ selector.Args, s Start) (Initial, error) {
			return named("uniform")(paths.NewEnds(s.Toy.Members, s.Toy.G))
		},
	}
}

func priorForm() initialForm {
	return initialForm{
		Syntax: "prior", Doc: "the prior of a model; the default where the toy has one", Example: "prior",
		Parse: func(args selector.Args, s Start) (Initial, error) {
			if s.Toy.LogPrior == nil {
				return Initial{}, args.Errorf(
					"the toy %s has no prior; models and Bayesian networks have one, as clu8, and uniform "+
						"is for any toy",
					s.Toy.Name,
				)
			}
			ends, err := paths.NewEnds(s.Toy.LogPrior, s.Toy.G)
			if m, is := s.Toy.Model.(paths.Temperable); err == nil && is {
				ends = ends.WithModel(m)
			}
			initial, err := named("prior")(ends, err)
			if slices.Equal(s.Toy.LogPrior, s.Toy.G) {
				initial.Doubt =
					"the prior is the target, as there are no data, so that an annealing between them has " +
						"nothing to do and J and B are 0; give " +
						s.Toy.Name + " evidence, or start from uniform"
			}
			return initial, err
		},
	}
}

// DefaultInitial returns the selector of the distribution to anneal from if none is named: "prior"
// for a toy that has one, and else "uniform".
func (t *Toy) DefaultInitial() string {
	if t.LogPrior != nil {
		return "prior"
	}
	return "uniform"
}

func temperedForm() initialForm {
	return initialForm{
		Syntax:  "tempered:BETA",
		Doc:     "the target to the power BETA",
		Example: "tempered:0.1",
		Missing: "the power",
		Parse: func(args selector.Args, s Start) (Initial, error) {
			beta, err := selector.ParseNumber(args.Text)
			if err != nil || !(beta >= 0 && beta <= 1) {
				return Initial{}, args.Errorf("%q is not a power from 0 to 1", args.Text)
			}
			return named(fmt.Sprintf("tempered:%v", beta))(s.Toy.temperedEnds(beta))
		},
	}
}

// temperedEnds returns the ends between the target to the power beta and the target. On classes the
// power is taken of each member.
func (t *Toy) temperedEnds(beta float64) (*paths.Ends, error) {
	if t.Members == nil {
		return paths.NewTemperedEnds(beta, t.G)
	}
	initial := t.MemberG()
	for x := range initial {
		if v := initial[x]; beta > 0 || !math.IsInf(v, -1) { // to the power zero a zero is one
			initial[x] = beta * v
		} else {
			initial[x] = 0
		}
		initial[x] += t.Members[x]
	}
	return paths.NewEnds(initial, t.G)
}

func smoothedForm() initialForm {
	return initialForm{
		Syntax:  "smoothed:PASSES",
		Doc:     "the target after PASSES passes of a binomial filter",
		Example: "smoothed:3",
		Missing: "the number of passes",
		Parse: func(args selector.Args, s Start) (Initial, error) {
			passes, err := strconv.Atoi(args.Text)
			if err != nil || passes < 0 || passes > maxPasses {
				return Initial{}, args.Errorf("%q is not a number of passes from 0 to %d", args.Text, maxPasses)
			}
			return named(fmt.Sprintf("smoothed:%d", passes))(s.smooth(passes))
		},
	}
}

// initialForm is how an initial distribution in a file of such numbers is selected.
func (n Numbers) initialForm(doc string) initialForm {
	return initialForm{
		Syntax: n.form + ":PATH", Doc: doc, Example: n.form + ":start.csv", Missing: "the path",
		File: PathFile,
		Parse: func(args selector.Args, s Start) (Initial, error) {
			logf, shape, err := n.readSqueezed(args.Text, s.Toy)
			if err != nil {
				return Initial{}, err
			}
			initial, err := named(n.form + ":" + args.Text)(paths.NewEnds(logf, s.Toy.G))
			initial.Doubt = joinNotes(shape, n.ambiguity(args.Text, logf, Probabilities().form+":"+args.Text))
			return initial, err
		},
	}
}

// named returns a function that joins ends with their name, and passes on the error if the ends
// could not be made.
func named(name string) func(*paths.Ends, error) (Initial, error) {
	return func(ends *paths.Ends, err error) (Initial, error) {
		if err != nil {
			return Initial{}, err
		}
		return Initial{Name: name, Ends: ends}, nil
	}
}

// smoothedEnds returns the ends between the target after the given number of passes of Smooth, and
// the target. Without a pass the two are the same, apart from the constant that Smooth takes out:
// this is then set exactly, because to subtract it from every value would leave a rounding error
// between the ends.
func smoothedEnds(ctx context.Context, toy *Toy, passes int) (*paths.Ends, error) {
	if passes > 0 {
		space := toy.Lattice()
		if space == nil {
			return nil, errs.New(
				"initial distribution smoothed:%d: it is filtered along the axes of a grid, and %s is "+
					"none; tempered:BETA is for any space",
				passes,
				toy.Space,
			)
		}
		initial, err := Smooth(ctx, space, toy.G, passes)
		if err != nil {
			return nil, err
		}
		return paths.NewEnds(initial, toy.G)
	}
	ends, err := paths.NewTemperedEnds(1, toy.G)
	if err != nil {
		return nil, err
	}
	return ends.Scaled(-slices.Max(toy.G)), nil
}

// Smooth returns log f after passes of the binomial filter (1, 2, 1)/4 along every axis of f, with
// the largest value of the given log f subtracted. Mass that the filter would move through a wall
// stays in place. Smooth fails if the context ends.
//
// The filter is applied to r = f/max f, which keeps the digits of small values, and to r - 1, which
// keeps the digits of a nearly flat target. If f has a larger range than float64, it is applied to
// log r as well, which takes ten times as long.
func Smooth(ctx context.Context, space *grid.Lattice, logf []float64, passes int) ([]float64, error) {
	f := make([]float64, len(logf))
	lack := make([]float64, len(logf))
	log := make([]float64, len(logf))
	top := slices.Max(logf)
	far := isDeep(logf)
	for x, v := range logf {
		f[x], lack[x], log[x] = math.Exp(v-top), math.Expm1(v-top), v-top
	}
	fields := []field{{f, plainMean}, {lack, plainMean}}
	if far {
		fields = append(fields, field{log, logMean})
	}
	next := make([]float64, len(logf))
	for range passes {
		for axis := range space.Dims() {
			for i := range fields {
				if err := filter(ctx, space, axis, next, fields[i]); err != nil {
					return nil, err
				}
				fields[i].v, next = next, fields[i].v
			}
		}
	}
	for x, v := range fields[1].v {
		switch f := fields[0].v[x]; {
		case v > -0.5:
			next[x] = math.Log1p(v)
		case far && f < math.Exp(-deep):
			next[x] = fields[2].v[x]
		default:
			next[x] = number.Log(f)
		}
	}
	return next, nil
}

// deep is the number of nats below the largest log f from which on f is filtered as its logarithm.
const deep = 600

// isDeep reports whether a value of log f is so far below the largest, zeros of f left aside.
func isDeep(logf []float64) bool {
	top := slices.Max(logf)
	return slices.ContainsFunc(logf, func(v float64) bool { return v-top < -deep && !math.IsInf(v, -1) })
}

// field is f in one of three forms (see Smooth), and the function that computes the filter's mean
// a/2 + b/4 + c/4 of three values in this form.
type field struct {
	v    []float64
	mean func(a, b, c float64) float64
}

func plainMean(a, b, c float64) float64 { return a/2 + b/4 + c/4 }

// logMean returns the logarithm of the plainMean of three numbers that are given by their
// logarithms.
func logMean(a, b, c float64) float64 {
	top := max(a, b, c)
	if math.IsInf(top, -1) {
		return top
	}
	return top + number.Log(plainMean(math.Exp(a-top), math.Exp(b-top), math.Exp(c-top)))
}

// smoothPulse is the number of states between looks at the context.
const smoothPulse = 1 << 16

// filter writes a field after one pass along one axis to dst.
func filter(ctx context.Context, space *grid.Lattice, axis int, dst []float64, f field) error {
	for x, v := range f.v {
		if x%smoothPulse == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		low, high := v, v
		if y, inside := space.Neighbour(x, 2*axis); inside {
			low = f.v[y]
		}
		if y, inside := space.Neighbour(x, 2*axis+1); inside {
			high = f.v[y]
		}
		dst[x] = f.mean(v, low, high)
	}
	return nil
}

// ReadOn reads log f on the toy's space from a file of log f: as Read does, and on a graph as
// ParseByLabel does.
func ReadOn(path string, toy *Toy) ([]float64, error) { return LogF().ReadOn(path, toy) }

// ReadOn reads log f on the toy's space from a file of such numbers, as the function ReadOn does.
// Axes of length one do not count: a line also serves a plane of one row.
func (n Numbers) ReadOn(path string, toy *Toy) ([]float64, error) {
	g, _, err := n.readSqueezed(path, toy)
	return g, err
}

// readSqueezed does what ReadOn does, and says where axes of the file were dropped (see Squeezed),
// and what is a header.
func (n Numbers) readSqueezed(path string, toy *Toy) (g []float64, dropped string, err error) {
	if toy.States() != nil && numpy.Is(path) {
		return nil, "",
			errs.New("%s has no labels, and the states of %s are classes of those of %s, which are found by "+
				"theirs: write CSV, a line label,g for each class, or leave {quotient} out",
				path, toy.Title(), toy.WholeSelector())
	}
	if toy.ByLabel() {
		g, _, err := n.readByLabel(path, toy.Space)
		return g, "", err
	}
	c, err := n.readGrid(path, toy.Space.States())
	if err == nil && c.axes != nil && toy.Axes != nil {
		c, err = c.reorderFor(toy)
	}
	if err != nil {
		return nil, "", fmt.Errorf("toy file%w", err)
	}
	if c.space.Squeezed().String() != toy.Lattice().Squeezed().String() {
		return nil, "", errs.New("%s has the shape %s and the toy %s is on %s; they must be on one space",
			path, c.space, toy.Name, toy.Space)
	}
	return c.g, joinNotes(c.note, Squeezed(path, c.space)), nil
}
