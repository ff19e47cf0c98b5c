package subjective

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
)

// MaxMoves is the largest number of moves: by powers of the kernel they take milliseconds, and one by one on a large space months.
const MaxMoves = 1_000_000_000_000

// Study declares the study. A row is of an annealing and a reference. A sweep takes one number of moves for each.
//
// Source: Cusumano-Towner and Mansinghka 2016; Grosse, Ancha and Roy 2016, sections 3.2, 4 and 5.1.2.
func Study() *study.Study[experiments.Case, Options, Row] {
	standard := Options{References: []string{"uniform", "mode"}, Moves: []int{0, 1, 10, 100, 1000, 10_000}}
	references := experiments.Parameter{
		Name: "reference", Doc: "where reverse chains start", Defaults: experiments.Just(standard.References...), Canonical: canonicalReference,
	}
	moves := experiments.Whole("moves", "moves under the target that come first", 0, MaxMoves, standard.Moves...)
	forms := ReferenceForms()
	return &study.Study[experiments.Case, Options, Row]{
		Name: "subjective",
		Asks: "What if reverse chains start elsewhere? The subjective divergence",
		Help: `subjective computes, exactly, what bidirectional Monte Carlo reports where its reverse chains start from a
reference law in place of the target: E_reference[log w] - E_fwd[log w], in nats. If they start from the target it
is B, a bound on J; from any other law it bounds nothing, and may be negative. With --moves the reference is first moved S
times by the target's kernel, as for an approximate draw from the target, and the value tends to B as S grows. The
table says for each S whether the value bounds J; the column bound_from has the S from which on it does.

References are uniform, initial (the first distribution), target, mode (the target's likeliest state),
point:STATE (numbered from 0 in row-major order, or by the values of its axes; on a graph its label), fitted:AXIS=VALUE (the target given the
value of an axis, as for a hyperparameter that has been fitted; the axis is a name, as eta, or its number from 0, and
the value one of the grid, or where the axis has no values a coordinate) and file:PATH (log r in a file like a target's).`,
		Examples: `  breadboard subjective --toy barrier -T 1e4
  breadboard subjective --toy easy -T 100,1000 --reference uniform,point:24 --moves 0,1,10,100,1000
  breadboard subjective --toy hyper -T 10 --kernel heatbath-scan --reference fitted:eta=0.25,fitted:eta=4 --moves 0,1,2,5,10,100
  breadboard subjective --toy barrier --kernel heatbath --reference mode --out results`,
		Counts: "steps", Workers: "number of annealings solved at once",
		Standard: standard,
		Options: []study.Option[Options]{
			{
				Name: "reference", Doc: "where reverse chains start: " + strings.Join(forms.Syntaxes(), ", "), Swept: &references,
				Complete: forms.Complete, Value: func(o *Options) study.Value { return study.Selectors(&o.References, forms.Named) },
			},
			{
				Name: "moves", Doc: "numbers S of moves under the target, from the reference to the start of the reverse chain", Swept: &moves,
				Value: func(o *Options) study.Value { return study.Wholes(&o.Moves, "S", 0, MaxMoves) },
			},
		},
		Columns: columns.Lift(Columns(), first), Plan: plan,
		Swept: &study.Swept[experiments.Case, Row]{
			Main: "value", Parameters: experiments.Parameters(), Subject: study.TheCase,
			Note:  func(r *Row) (string, error) { return strings.Join(r.Solution.Notes, "; "), nil },
			Check: contradiction, Cost: cost,
		},
	}
}

// cost: the moves under the target take as long as steps.
func cost(s experiments.Size) experiments.Cost {
	steps := float64(s.Distributions - 1)
	return experiments.Cost{
		Seconds: s.General.Seconds * (1 + float64(s.Params.Int("moves"))/steps),
		Bytes:   s.Solution.Bytes + s.General.Bytes,
	}
}

// canonicalReference returns the canonical form of a reference. Whether a toy has the state or the axis that it names, or as many
// states as its file has numbers, is found out with the case.
func canonicalReference(text string) (string, error) {
	forms := ReferenceForms()
	name, arguments, has := strings.Cut(text, ":")
	if !forms.Named(text) || has && forms.Bare(text) {
		return "", forms.Unknown(text)
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

// indicator returns 1 for true and 0 for false.
func indicator(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// contradiction: is_bound says how the value compares with J, and from the target the value is B.
func contradiction(k study.Kept) error {
	value, j, b, isBound := k.Get("value"), k.Get("J"), k.Get("B"), k.Get("is_bound")
	if isBound != indicator(value >= j) {
		return fmt.Errorf("its is_bound is %v, its value %v and its J %v", isBound, value, j)
	}
	if k.Note == "" && k.Params.Get("reference") == "target" && !experiments.Near(value, b, targetTolerance*(1+math.Abs(b))) {
		return fmt.Errorf("its value is %v from the target itself, and its B %v", value, b)
	}
	return nil
}

// targetTolerance is the relative error to which the value from the target is B.
const targetTolerance = 1e-12

// Moved is a row of the table: what a row of the study has after one of its numbers of moves.
type Moved struct {
	Run *Row
	exact.SubjectivePoint
}

// Columns lists the columns of the table.
func Columns() []columns.Field[Moved] {
	infinite := math.Inf(1)
	bound := columns.Kept{High: 1, Shown: true}
	return slices.Concat(
		experiments.WholeCase(func(r *Moved) *experiments.Case { return &r.Run.Case }),
		[]columns.Field[Moved]{
			{Column: columns.Column{Name: "reference", Type: columns.String, Title: "reference", Meaning: "the distribution where reverse chains start"}, Of: func(r *Moved) any { return r.Run.Reference }},
			{Column: columns.Column{Name: "S", Type: columns.Int, Title: "S", Meaning: "the number of moves of the reference before a reverse chain starts"}, Of: func(r *Moved) any { return r.Moves }},
			columns.Number(columns.Column{Name: "value", Title: "value", Unit: "nats", Meaning: "the subjective divergence, which is B where the reference is the target"},
				columns.Kept{Low: -infinite, High: infinite, Shown: true}, func(r *Moved) float64 { return r.Value }),
			columns.Number(columns.Column{Name: "J", Title: "J", Unit: "nats", Meaning: columns.MeansJ}, columns.Kept{High: infinite, Shown: true}, func(r *Moved) float64 { return r.Run.Solution.J }),
			columns.Number(columns.Column{Name: "B", Title: "B", Unit: "nats", Meaning: "the bound on J of reverse chains that start at the target itself"},
				columns.Kept{Low: -infinite, High: infinite, Shown: true}, func(r *Moved) float64 { return r.Run.Solution.B }),
			{Column: columns.Column{Name: "is_bound", Type: columns.Bool, Title: "bounds J", Meaning: "whether value is at least J; in sweeps 1 where it is, and 0 where it is not"}, Kept: &bound, Of: func(r *Moved) any { return r.Run.IsBound(r.SubjectivePoint) }},
			columns.Number(columns.Column{Name: "kl_reference", Spare: 1, Title: "KL(reference||p)", Unit: "nats", Narrow: true, Meaning: "KL of the moved reference from the target"},
				columns.Kept{High: infinite}, func(r *Moved) float64 { return r.KL }),
			{Column: columns.Column{Name: "bound_from", Type: columns.Int, Meaning: "the number of moves from which on value is at least J; empty where there is none"}, Of: boundFrom},
		})
}

// boundFrom returns the number of moves from which on a row gives a bound, nil for none.
func boundFrom(r *Moved) any {
	if r.Run.BoundFrom < 0 {
		return nil
	}
	return r.Run.BoundFrom
}

// first returns a row after its first number of moves, which is the only one in a sweep.
func first(r *Row) *Moved { return &Moved{r, r.Points[0]} }
