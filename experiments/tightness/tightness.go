package tightness

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/toys"
)

// Row holds the exact results for one annealing, and their comparison with printed numbers.
type Row struct {
	experiments.Case
	*exact.Solution
	ModeMass   float64 // mass of the target's dominant mode, NaN where the toy names none
	Printed    []Comparison
	Identities []exact.Identity // the identities that were checked, where a check was asked for
	// Certificates are those of J, B and both divergences, where they were asked for.
	Certificates []Certificate
}

// Ratio returns B/J.
func (r *Row) Ratio() float64 { return r.B / r.J }

// RelativeError returns B/J - 1.
func (r *Row) RelativeError() float64 { return (r.B - r.J) / r.J }

// RoundedError returns B/J - 1 of J and B each rounded to three digits, which is what the paper prints.
func (r *Row) RoundedError() float64 {
	j, b := threeDigits(r.J), threeDigits(r.B)
	return (b - j) / j
}

func threeDigits(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return v
}

// AsPrinted reports whether our numbers for this T round to all that are printed, and whether those that do not would where they were computed of
// rounded ones. Where nothing is printed for this T, known is false.
func (r *Row) AsPrinted() (all, rounded, known bool) {
	all, rounded = true, true
	for _, c := range r.Printed {
		if c.T == r.Distributions() {
			all, rounded, known = all && c.Rounds, rounded && (c.Rounds || c.OfRounded), true
		}
	}
	return all, rounded, known
}

// Comparison is a printed number beside ours.
type Comparison struct {
	toys.Printed
	Ours      float64
	Rounds    bool   // whether our number rounds to the printed one
	OfRounded bool   // it does not, and would if it were computed of J and B at three digits each
	Note      string // an explanation, where the comparison needs one
}

// Options say what is asked for beside the numbers.
type Options struct {
	Check   bool // whether every identity of every solution is checked as well
	Certify bool // whether every row gets certificates, for which all annealings must be Certifiable
}

// plan solves every case, and then certifies them where that is asked for.
func plan(_ context.Context, cases []experiments.Case, o *Options) (study.Plan[Row], error) {
	if o.Certify {
		if err := Certifiable(cases); err != nil {
			return study.Plan[Row]{}, err
		}
	}
	p := study.Plan[Row]{Run: func(ctx context.Context, h study.How) ([]Row, error) {
		each := h
		each.Workers = experiments.WorkersEach(len(cases), h.Workers)
		rows, err := experiments.RowsInOrder(ctx, orderOf(cases), h.Workers, func(ctx context.Context, i int) ([]Row, error) {
			r := Row{Case: cases[i]}
			if err := r.solve(ctx, o, each); err != nil {
				return nil, cases[i].Wrong(err)
			}
			return []Row{r}, nil
		})
		if err == nil && o.Certify {
			err = Certify(ctx, rows, h.Workers, h.Progress)
		}
		return rows, err
	}}
	sweeps := 1
	if o.Check {
		sweeps += 3
	}
	for i := range cases {
		p.Steps += sweeps * (cases[i].Distributions() - 1)
	}
	if o.Certify {
		p.Steps += CertifySteps(cases)
	}
	return p, nil
}

// shortPart is the part of the longest annealing's work up to which another one is short.
const shortPart = 0.01

// orderOf returns the order in which cases are solved: the short ones first, since they take no time beside the others and are done by
// then should the run be interrupted, and then the longest first, so that no worker begins a long one at the end while the others wait.
func orderOf(cases []experiments.Case) []int {
	order, longest := make([]int, len(cases)), 0
	for i := range order {
		order[i] = i
		longest = max(longest, cases[i].Work())
	}
	rank := func(i int) int {
		if work := cases[i].Work(); float64(work) > shortPart*float64(longest) {
			return longest - work + 1
		}
		return 0
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rank(i), rank(j)) })
	return order
}

func (r *Row) solve(ctx context.Context, o *Options, h study.How) (err error) {
	if r.Solution, err = exact.Solve(ctx, r.Annealing(), exact.Options{Progress: h.Progress, Workers: h.Workers}); err != nil {
		return err
	}
	if note := experiments.NoteOfClasses(r.Toy, r.Reach); note != "" {
		r.Notes = append(r.Notes, note)
	}
	r.ModeMass = modeMass(r.Toy, r.Target)
	r.compare()
	if o.Check {
		if r.Identities, err = exact.Check(ctx, r.Annealing(), r.Solution, h.Progress); err != nil || r.Toy.Whole() == "" {
			return err
		}
		return r.checkWhole(ctx, h)
	}
	return nil
}

// modeMass returns the mass of the toy's dominant mode under p.
func modeMass(toy *toys.Toy, p []float64) float64 {
	if toy.Mode == nil {
		return math.NaN()
	}
	mass := 0.0
	for _, x := range toy.Mode {
		mass += p[x]
	}
	return mass
}

// compare compares the printed numbers with ours. Those for J and B are for the paper's own annealing only.
func (r *Row) compare() {
	add := func(quantity string, T int, ours float64) {
		if p, ok := r.Toy.Lookup(quantity, T); ok {
			r.Printed = append(r.Printed, Comparison{Printed: p, Ours: ours, Rounds: p.Rounds(ours)})
		}
	}
	add("dominant_mode_mass", 0, r.ModeMass)
	T := r.Distributions()
	paper := experiments.Setting{Path: "geometric", Schedule: "linear", Kernel: "metropolis", T: T}
	if !slices.Equal(r.Params, paper.Params()) {
		return
	}
	add("J", T, r.J)
	add("B", T, r.B)
	add("relative_error", T, r.RelativeError())
	for i := range r.Printed {
		c := &r.Printed[i]
		if c.Quantity == "relative_error" && !c.Rounds && c.Printed.Rounds(r.RoundedError()) {
			c.OfRounded = true
			c.Note = fmt.Sprintf("the printed error %s is that of J and B at three digits each, %.3g and %.3g; of J and B themselves it is %.2f%%", c.Text, r.J, r.B, 100*c.Ours)
		}
	}
}
