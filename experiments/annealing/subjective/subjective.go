// Package subjective answers: what does bidirectional Monte Carlo report if its reverse chains do
// not start from the target? It gives the subjective divergence of annealings for each reference
// distribution. It never prints, draws or reads flags.
//
// If reverse chains start from the target, the value is B. From any other distribution it bounds
// nothing and may be negative: on BARRIER at T = 10^4 a uniform reference gives -0.421 while J is
// 0.542, and still -0.276 after 10^5 kernel steps under the target. It becomes a bound again at
// 1,792,671 steps, which --moves 2e6 finds in some milliseconds.
//
// The reference fitted:AXIS=VALUE models reverse chains for simulated data. If the data were made
// from a fitted value of a hyperparameter, these chains start from the posterior given that value,
// and then make kernel steps under the target (Grosse, Ancha and Roy 2016, sections 3.2 and 5.1.2).
// On the target hyper with T = 10 the value is 0.692 from the variance 0.25 and 0.555 from the
// variance 4, while B is 0.624; after ten scans both are within 2.7e-5 of it.
//
//	breadboard subjective --toy barrier -T 1e4 --reference uniform --moves 0,1e4,1e5
package subjective

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Row is the subjective divergence of one annealing with one reference.
type Row struct {
	subject.Case
	Reference string // the selector of the reference
	Solution  *exact.Solution
	Points    []exact.SubjectivePoint // one for each number of kernel steps
	Curve     []exact.SubjectivePoint // also at numbers of steps in between, in ascending order, for a figure
	// the number of steps from which on all values are at least J; -1 if there is none
	BoundFrom int
}

// IsBound reports whether the value at a point is at least J.
func (r *Row) IsBound(p exact.SubjectivePoint) bool { return p.Value >= r.Solution.J }

// Options are the references and the numbers of kernel steps.
type Options struct {
	References []string // the selectors of the references, for ParseReference
	// the numbers of kernel steps under the target, from the reference to the start of the reverse
	// chain
	Moves []int
}

// plan refuses references that do not exist for the cases. Each case is a job: the rows are ordered
// by case, and for each case by reference.
func plan(_ context.Context, cases []subject.Case, o *Options) (study.Plan[Row], error) {
	switch {
	case len(o.References) == 0:
		return study.Plan[Row]{}, errs.New("no reference is named; give one, as in {reference} uniform")
	case len(o.Moves) == 0 || slices.Min(o.Moves) < 0:
		return study.Plan[Row]{}, errs.New(
			"the numbers of kernel steps must be 0 or more, as in {moves} 0,10,100",
		)
	}
	jobs := make([]study.Job[Row], len(cases))
	for i := range cases {
		c := &cases[i]
		for _, selector := range o.References {
			r, err := ParseReference(selector, c)
			if err != nil {
				return study.Plan[Row]{}, c.Toy.Explain(err)
			}
			if err := exact.CheckReference(c.Annealing(), r); err != nil {
				return study.Plan[Row]{}, fmt.Errorf("%s, reference %s: %w", c, selector, c.Toy.Explain(err))
			}
		}
		jobs[i] = study.Job[Row]{
			Steps: c.Distributions() - 1 + len(o.References)*slices.Max(o.Moves),
			Rows:  func(ctx context.Context, h study.How) ([]Row, error) { return rowsOf(ctx, c, o, h) },
		}
	}
	return study.Jobs(jobs), nil
}

// rowsOf computes the subjective divergence of a case with every reference, after every number of
// kernel steps: whether it still bounds J, and if not, after how many steps it does.
func rowsOf(ctx context.Context, c *subject.Case, o *Options, h study.How) ([]Row, error) {
	s, err := exact.NewSubjective(ctx, c.Annealing(), h.Progress)
	if err != nil {
		return nil, c.Wrong(err)
	}
	rows := make([]Row, len(o.References))
	for j, selector := range o.References {
		rows[j] = Row{Case: *c, Reference: selector, Solution: s.Solution}
		law, err := ParseReference(selector, c)
		if err != nil {
			return nil, err
		}
		if err := rows[j].setPoints(ctx, s, law, o.Moves); err != nil {
			return nil, fmt.Errorf("%s, reference %s: %w", c, selector, c.Toy.Explain(err))
		}
	}
	return rows, nil
}

// setPoints sets the points of a row.
func (r *Row) setPoints(ctx context.Context, s *exact.Subjective, law []float64, moves []int) (err error) {
	between := curveMoves(slices.Max(moves))
	points, boundFrom, err := s.From(ctx, law, append(slices.Clone(moves), between...))
	if err != nil {
		return err
	}
	r.Points = points[:len(moves):len(moves)]
	r.BoundFrom = boundFrom
	r.Curve = slices.Clone(points)
	slices.SortStableFunc(r.Curve, func(a, b exact.SubjectivePoint) int { return cmp.Compare(a.Moves, b.Moves) })
	r.Curve = slices.CompactFunc(r.Curve, func(a, b exact.SubjectivePoint) bool { return a.Moves == b.Moves })
	return nil
}

// perDecade is the number of points of a curve for each factor of ten in the number of steps.
const perDecade = 20

// curveMoves returns the numbers of steps at which a curve is drawn, each about a tenth more than
// the one before.
func curveMoves(largest int) []int {
	moves := []int{0}
	for k := 0; ; k++ {
		at := int(math.Round(math.Pow(10, float64(k)/perDecade)))
		if at >= largest {
			return moves
		}
		if at > moves[len(moves)-1] {
			moves = append(moves, at)
		}
	}
}

// maxMoves is the largest number of kernel steps: milliseconds by powers of the kernel, but months
// one by one on a large space.
const maxMoves = 1_000_000_000_000

// Study declares the study. A row has an annealing and a reference. A sweep has one number of
// kernel steps per row.
//
// Source: Cusumano-Towner and Mansinghka 2016; Grosse, Ancha and Roy 2016, sections 3.2, 4 and
// 5.1.2.
func Study() *study.Study[subject.Case, Options, Row] {
	standard := Options{References: []string{"uniform", "mode"}, Moves: []int{0, 1, 10, 100, 1000, 10_000}}
	references := subject.Parameter{
		Name:      "reference",
		Doc:       "where reverse chains start",
		Defaults:  subject.Just(standard.References...),
		Canonical: canonicalReference,
	}
	moves := subject.Whole("moves", "kernel steps under the target from the reference", 0, maxMoves, standard.Moves...)
	forms := ReferenceForms()
	return study.New(standard, plan, study.Declaration{
		Says: columns.Sentence{
			Text: "{toy}, T = {T}: after {S} steps from {reference} the divergence is {value} nats; B is " +
				"{B}, and J is {J}"},
		Name: "subjective",
		Asks: "What is B worth if reverse chains do not start from the target?",
		Help: `subjective computes what bidirectional Monte Carlo reports, exactly, if its
reverse chains start from a reference distribution instead of the target.

The value is E_reference[log w] - E_fwd[log w], in nats. From the target it is
B, a bound on J. From any other distribution it bounds nothing and may be
negative. --moves S first applies the target's kernel S times; the value tends
to B if the kernel forgets its start. bound_from is the smallest S such that
the value bounds J from there on. breadboard help reference references explains
the starts.

See breadboard help estimators.`,
		Examples: `  breadboard subjective --toy barrier -T 1e4
  breadboard subjective --toy easy -T 100,1000 --reference uniform,point:24 --moves 0,1,10,100,1000
  breadboard subjective --toy hyper -T 10 --kernel heatbath-scan --reference fitted:eta=0.25,fitted:eta=4 --moves 0,1,2,5,10,100
  breadboard subjective --toy barrier --kernel heatbath --reference mode --out results`,
		Counts: "steps", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				{
					Name:  "reference",
					Doc:   ": " + strings.Join(forms.Listing.Syntaxes(), ", "),
					Swept: &references,
					To:    study.Selectors(&o.References, forms.Listing.Named),
				},
				{
					Name:  "moves",
					Doc:   "under the target, from the reference to the start of the reverse chain",
					Swept: &moves,
					To:    study.Wholes(&o.Moves, "N", 0, maxMoves),
				},
			}
		}),
		Columns: columns.Lift(Columns(), first),
		Cost:    cost,
		View:    reports.Untyped(report),
		About:   subject.Annealed(10_000),
		Tables: func(_ reports.Schema) []reports.Schema {
			return []reports.Schema{
				{Table: "subjective", Of: Table(nil)},
			}
		},
		Swept: &study.Swept{
			Parameters: subject.Parameters(), Subject: study.TheCase,
			Note: study.NoteOf(func(r *Row) (string, error) { return strings.Join(r.Solution.Notes, "; "), nil }),
		},
	})
}

// cost: a kernel step under the target takes as long as a step of the annealing.
func cost(s subject.Size) subject.Cost {
	steps := float64(s.Distributions - 1)
	return subject.Cost{
		Seconds: s.General.Seconds * (1 + float64(s.Params.Int("moves"))/steps),
		Bytes:   s.General.Bytes,
	}
}

// canonicalReference returns the canonical form of a reference. Whether the toy has its state or
// axis, and the right number of states for its file, is checked with the case.
func canonicalReference(text string) (string, error) {
	forms := ReferenceForms()
	name, arguments, has := strings.Cut(text, ":")
	if !forms.Listing.Named(text) || has && forms.Listing.Bare(text) {
		return "", forms.Listing.Unknown(text)
	}
	switch name {
	case "point":
		x, err := strconv.Atoi(arguments)
		if err != nil || x < 0 {
			return "", fmt.Errorf("reference %s: the states are numbered from 0", text)
		}
		return "point:" + strconv.Itoa(x), nil
	case "fitted":
		f, err := parseFitted(arguments)
		if err != nil {
			return "", fmt.Errorf("reference %s: %w", text, err)
		}
		return "fitted:" + string(f), nil
	}
	return text, nil
}

// Moved is a row of the table: a row of the study at one number of kernel steps.
type Moved struct {
	Run *Row
	exact.SubjectivePoint
}

// LeftOut returns the notes of the row (see columns.Noted).
func (r *Moved) LeftOut() string { return r.Run.LeftOut() }

// Columns lists the columns of the table.
func Columns() columns.List {
	infinite := math.Inf(1)
	bound := columns.Kept{High: 1, Shown: true}
	return slices.Concat(subject.WholeCase(func(r *Moved) *subject.Case { return &r.Run.Case }),
		columns.List{
			columns.Of("reference", "reference", "the distribution where reverse chains start",
				func(r *Moved) string { return r.Run.Reference }),
			columns.Of("S", "S", "the number of kernel steps from the reference to the start of a reverse chain",
				func(r *Moved) int { return r.Moves }),
			columns.Of("value", "value (nats)",
				"the subjective divergence, which is B if the reference is the target",
				func(r *Moved) number.Bounded { return number.Bounded{Value: r.Value, Error: r.ErrorValue} }).
				Answer().Within(-infinite, infinite).Missing().Shown(),
			columns.Of("J", "J (nats)", columns.MeansJ,
				func(r *Moved) number.Bounded { return r.Run.Solution.Numbers().J }).Answer().Within(0,
				infinite).Missing().Shown(),
			columns.Of("B", "B (nats)",
				"the bidirectional Monte Carlo bound on J, from reverse chains that start at the target",
				func(r *Moved) number.Bounded { return r.Run.Solution.Numbers().B }).Answer().Within(
				-infinite,
				infinite,
			).Missing().Shown(),
			columns.Of("is_bound", "bounds J", "whether value is at least J; in sweeps 1 or 0",
				func(r *Moved) bool { return r.Run.IsBound(r.SubjectivePoint) }).Answer().Keep(bound),
			columns.Of("kl_reference", "KL(reference||p) (nats)",
				"KL divergence of the reference after S steps from the target",
				func(r *Moved) number.Bounded { return number.Bounded{Value: r.KL, Error: r.ErrorKL} }).
				Within(0, infinite).Missing(),
			columns.Any("bound_from", "", columns.Int,
				"the smallest S from which on value is at least J; empty if there is none", boundFrom),
		})
}

// boundFrom returns the number of kernel steps from which on a row gives a bound, nil for none.
func boundFrom(r *Moved) any {
	if r.Run.BoundFrom < 0 {
		return nil
	}
	return r.Run.BoundFrom
}

// first returns a row after its first number of kernel steps, which is the only one in a sweep.
func first(r *Row) *Moved { return &Moved{r, r.Points[0]} }

// ReferenceForms are the forms of the selectors that ParseReference reads, in the order in which
// they are listed.
func ReferenceForms() selector.Set[*subject.Case, []float64] {
	laws := subject.LawForms()
	laws.Listing.What = "reference"
	return selector.Insert(
		selector.AdaptSet(laws, (*subject.Case).Ends, selector.Identity),
		"file",
		fittedReferenceForm,
	)
}

// referenceForm is how a reference is selected: the distribution from which reverse chains start,
// for a case.
type referenceForm = selector.Form[*subject.Case, []float64]

// ParseReference returns the distribution from which reverse chains start instead of the target:
// uniform, the initial distribution, the target itself, its likeliest state, one state by its
// number from 0 in row-major order (on a graph by its label), the target given the value of an
// axis, or a file with the logarithm of the distribution up to a constant, in the format of a
// target file.
func ParseReference(text string, c *subject.Case) ([]float64, error) {
	return subject.ParseLaw(ReferenceForms(), text, c)
}

// fittedReferenceForm is how the posterior given a fitted hyperparameter is selected.
//
// Source: Grosse, Ancha and Roy 2016, section 3.2.
func fittedReferenceForm() referenceForm {
	return referenceForm{
		Syntax:  "fitted:AXIS=VALUE",
		Doc:     "the target given the value of an axis, such as a fitted hyperparameter",
		Example: "fitted:0=1",
		Missing: "an axis and its value",
		Parse: func(args selector.Args, c *subject.Case) ([]float64, error) {
			r, err := fittedReference(args.Text, c)
			if err != nil {
				return nil, args.Wrap(err)
			}
			return r, nil
		},
	}
}

// fitted is an axis of a space with a value, as the text AXIS=VALUE. The axis is a name, or a
// number from 0.
type fitted string

// parseFitted reads AXIS=VALUE and writes a numeric value in its shortest form. The axis and the
// value are checked with the case.
func parseFitted(text string) (fitted, error) {
	axis, value, both := strings.Cut(text, "=")
	axis, value = strings.TrimSpace(axis), strings.TrimSpace(value)
	if !both || axis == "" || value == "" {
		return "", errors.New("write the axis, = and its value, as in fitted:eta=0.25 or fitted:0=1")
	}
	if v, err := selector.ParseNumber(value); err == nil {
		value = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fitted(axis + "=" + value), nil
}

// fittedReference returns the target of a case given the value of an axis, from the text
// AXIS=VALUE.
func fittedReference(text string, c *subject.Case) ([]float64, error) {
	f, err := parseFitted(text)
	if err != nil {
		return nil, err
	}
	if err := subject.NeedsStates(c.Toy, "a fitted reference"); err != nil {
		return nil, err
	}
	axis, coordinate, err := c.Toy.Assignment(string(f))
	if err != nil {
		return nil, err
	}
	space := c.Toy.Lattice()
	a, _ := c.Annealing().Centred()
	r := make([]float64, a.States())
	a.LogF(r, a.Distributions())
	for x := range r {
		if space.Coord(x, axis) != coordinate {
			r[x] = math.Inf(-1)
		}
	}
	if math.IsInf(slices.Max(r), -1) {
		return nil, fmt.Errorf("the target is zero for all states with %s, so that there is no posterior given it", f)
	}
	chains.Normalize(r)
	return r, nil
}
