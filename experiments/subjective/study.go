package subjective

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"breadboard/experiments"
)

// DefaultReferences are the references of the study where none are named.
func DefaultReferences() []string { return []string{"uniform", "mode"} }

// DefaultMoves are the numbers of moves of the study where none are named.
func DefaultMoves() []int { return []int{0, 1, 10, 100, 1000, 10_000} }

// MaxMoves is the largest number of moves: by powers of the kernel they take milliseconds, and one by one on a large space months.
const MaxMoves = 1_000_000_000_000

// Study returns the study as one that can be swept: what if reverse chains start from a reference in place of the target,
// moved towards it first?
func Study() *experiments.Study {
	infinite := math.Inf(1)
	references := experiments.Parameter{
		Name: "reference", Doc: "where reverse chains start", Defaults: DefaultReferences, Canonical: canonicalReference,
	}
	return &experiments.Study{
		Name: "subjective", Answers: "what does the bound become where reverse chains start from a reference?",
		Main: "value",
		Parameters: append(experiments.Parameters(), references,
			experiments.Whole("moves", "moves under the target that come first", 0, MaxMoves, DefaultMoves()...)),
		Values: []experiments.Value{
			{Name: "value", Doc: "the subjective divergence", Unit: "nats", Shown: true, Low: -infinite, High: infinite},
			{Name: "J", Doc: "the Jeffreys divergence between output and target", Unit: "nats", Shown: true, High: infinite},
			{Name: "B", Doc: "the bound on J", Unit: "nats", Shown: true, Low: -infinite, High: infinite},
			{Name: "is_bound", Doc: "1 where the value is at least J, and 0 where it is not", Shown: true, High: 1},
			{Name: "kl_reference", Doc: "KL(moved reference || p_T)", Unit: "nats", High: infinite},
		},
		Solve: solve,
		Check: contradiction,
		Cost:  cost,
	}
}

// cost is the Cost of the study: the moves under the target take as long as steps.
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
		return "fitted:" + f.String(), nil
	}
	return text, nil
}

// solve is the Solve of the study.
func solve(ctx context.Context, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
	options := Options{References: []string{params.Get("reference")}, Moves: []int{params.Int("moves")}, Workers: 1}
	rows, err := Run(ctx, []experiments.Case{*c}, options)
	if err != nil {
		return experiments.Outcome{}, err
	}
	r, p := &rows[0], rows[0].Points[0]
	return experiments.Outcome{
		Numbers: []float64{p.Value, r.Solution.J, r.Solution.B, indicator(r.IsBound(p)), p.KL},
		Note:    strings.Join(r.Solution.Notes, "; "),
	}, nil
}

// indicator returns 1 for true and 0 for false.
func indicator(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// contradiction is the Check of the study: is_bound says how the value compares with J, and from the target the value is B.
func contradiction(params experiments.Params, o experiments.Outcome) error {
	value, j, b, isBound := o.Numbers[0], o.Numbers[1], o.Numbers[2], o.Numbers[3]
	if isBound != indicator(value >= j) {
		return fmt.Errorf("its is_bound is %v, its value %v and its J %v", isBound, value, j)
	}
	if o.Note == "" && params.Get("reference") == "target" && !experiments.Near(value, b, targetTolerance*(1+math.Abs(b))) {
		return fmt.Errorf("its value is %v from the target itself, and its B %v", value, b)
	}
	return nil
}

// targetTolerance is the relative error to which the value from the target is B.
const targetTolerance = 1e-12
