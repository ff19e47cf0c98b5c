// Package tightness answers: how tight is the bound B on J? It solves annealings exactly, compares
// J with B and with printed numbers, and certifies digits. It never prints, draws or reads flags.
//
// Certify computes J, B and both divergences again in 256 bits with a derived error bound, and in
// 320 bits; the two must overlap (package certified). Every number of Appendix B of Grosse, Ancha
// and Roy (2016) has at least 13 correct digits.
package tightness

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"breadboard/chains/errs"
	"breadboard/exact"
	"breadboard/exact/stages"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// Row holds the exact results for one annealing, and the printed numbers.
type Row struct {
	subject.Case
	*exact.Solution
	ModeMass   float64 // mass of the target's dominant mode, NaN if the toy names none
	Printed    []Comparison
	Identities []exact.Identity // the identities that were checked, if requested
	// Certificates are those of J, B and both divergences, if requested.
	Certificates []Certificate
}

// Ratio returns B/J.
func (r *Row) Ratio() float64 { return r.B / r.J }

// RelativeError returns B/J - 1.
func (r *Row) RelativeError() float64 { return (r.B - r.J) / r.J }

// RoundedError returns B/J - 1 from J and B rounded to three digits each, as printed in Grosse,
// Ancha and Roy (2016).
func (r *Row) RoundedError() float64 {
	j := threeDigits(r.J)
	b := threeDigits(r.B)
	return (b - j) / j
}

func threeDigits(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return v
}

// AsPrinted compares the numbers for this T with the printed ones. It reports whether all round to
// these, and whether the exceptions would if they were computed from rounded J and B. If nothing is
// printed for this T, known is false.
func (r *Row) AsPrinted() (all, rounded, known bool) {
	all = true
	rounded = true
	for _, c := range r.Printed {
		if c.T == r.Distributions() {
			all = all && c.Rounds
			rounded = rounded && (c.Rounds || c.OfRounded)
			known = true
		}
	}
	return all, rounded, known
}

// Comparison is a printed number and the computed one.
type Comparison struct {
	toys.Printed
	Ours      float64
	Rounds    bool   // whether the computed number rounds to the printed one
	OfRounded bool   // it does not, but would if it were computed from J and B at three digits each
	Note      string // an explanation, if the comparison needs one
}

// Options are the optional checks.
type Options struct {
	Check   bool // whether every identity of every solution is checked
	Certify bool // whether every row gets certificates; all annealings must be Certifiable
}

// plan solves every case, and certifies them if requested.
func plan(_ context.Context, cases []subject.Case, o *Options) (study.Plan[Row], error) {
	if o.Certify {
		if err := Certifiable(cases); err != nil {
			return study.Plan[Row]{}, err
		}
	}
	p := study.Plan[Row]{Run: func(ctx context.Context, h study.How) ([]Row, error) {
		each := h
		each.Workers = subject.WorkersEach(len(cases), h.Workers)
		rows, err := subject.RowsInOrder(
			ctx,
			orderOf(cases),
			h.Workers,
			func(ctx context.Context, i int) ([]Row, error) {
				r := Row{Case: cases[i]}
				if err := r.solve(ctx, o, each); err != nil {
					return nil, cases[i].Wrong(err)
				}
				return []Row{r}, nil
			},
		)
		if o.Certify && subject.Usable(err) {
			err = cmp.Or(Certify(ctx, rows, h.Workers, h.Progress), err)
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

// shortPart is the fraction of the work of the longest annealing up to which another one is short.
const shortPart = 0.01

// orderOf returns the order in which cases are solved. Short ones come first: they take little time
// and are finished if the run is interrupted. Then the longest come first, so that no worker starts
// a long one while the others wait.
func orderOf(cases []subject.Case) []int {
	longest := 0
	for i := range cases {
		longest = max(longest, cases[i].Work())
	}
	rank := func(i int) int {
		if work := cases[i].Work(); float64(work) > shortPart*float64(longest) {
			return longest - work + 1
		}
		return 0
	}
	return subject.Order(len(cases), func(i, j int) int { return cmp.Compare(rank(i), rank(j)) })
}

func (r *Row) solve(ctx context.Context, o *Options, h study.How) (err error) {
	r.Solution, err = exact.Solve(ctx, r.Annealing(), exact.Options{Progress: h.Progress, Workers: h.Workers})
	if err != nil {
		return err
	}
	if note := subject.NoteOfClasses(r.Toy, r.Reach); note != "" {
		r.Notes = append(r.Notes, note)
	}
	r.ModeMass = modeMass(r.Toy, r.Target)
	r.comparePrinted()
	if o.Check {
		r.Identities, err = exact.Check(ctx, r.Annealing(), r.Solution, h.Progress)
		if err != nil || r.Toy.WholeSelector() == "" {
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

// comparePrinted compares the printed numbers with the computed ones. Those for J and B are for the
// annealing of Grosse, Ancha and Roy (2016) only.
func (r *Row) comparePrinted() {
	add := func(quantity string, T int, ours float64) {
		if p, ok := r.Toy.Lookup(quantity, T); ok {
			r.Printed = append(r.Printed, Comparison{Printed: p, Ours: ours, Rounds: p.Rounds(ours)})
		}
	}
	add("dominant_mode_mass", 0, r.ModeMass)
	T := r.Distributions()
	paper := subject.Setting{Path: "geometric", Schedule: "linear", Kernel: "metropolis", T: T}
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
			c.Note = fmt.Sprintf("the printed error %s follows from J and B rounded to three digits, %.3g and %.3g; "+
				"without rounding it is %.2f%%",
				c.Text,
				r.J, r.B, 100*c.Ours)
		}
	}
}

// mostWhole is the largest number of states for which a row of classes is computed again on the
// states.
const mostWhole = 1 << 18

// checkWhole computes a row of classes again on the states themselves, unless they are too many,
// and compares the numbers. Differences are reported in a note, but are no fault if the members of
// a class differ (see toys.Quotient).
func (r *Row) checkWhole(ctx context.Context, h study.How) error {
	if r.Reader.Forms.DemandOf(r.Toy.WholeSelector()).States > mostWhole {
		r.Notes = append(r.Notes, fmt.Sprintf("%s has more than %d states, so that only the classes were solved",
			r.Toy.WholeSelector(), mostWhole))
		return nil
	}
	return subject.OnStates(ctx, &r.Case, func(whole *subject.Case) error {
		full, err := exact.Solve(ctx, whole.Annealing(), exact.Options{Workers: h.Workers})
		if err != nil {
			return err
		}
		tolerance := 2 * exact.MeanTolerance(r.Distributions(), full.MeanLogWForward, full.MeanLogWReverse)
		largest := 0.0
		for _, pair := range []struct {
			name      string
			got, want float64
		}{
			{"J", r.J, full.J}, {"B", r.B, full.B}, {"KL(q_T || p_T)", r.KLQP, full.KLQP},
			{"KL(p_T || q_T)", r.KLPQ, full.KLPQ},
			{"E_fwd[log w]", r.MeanLogWForward, full.MeanLogWForward},
			{"E_rev[log w]", r.MeanLogWReverse, full.MeanLogWReverse},
			{"log(Z_T/Z_1)", r.LogZRatio, full.LogZRatio},
		} {
			identity := exact.NewIdentity(pair.name+" of the states", pair.got, pair.want, tolerance)
			largest = max(largest, identity.Error)
			if r.Toy.Spread == 0 {
				r.Identities = append(r.Identities, identity)
			}
		}
		r.Notes = append(r.Notes, fmt.Sprintf("on the %d states of %s the numbers differ by at most %.2g nats",
			whole.Toy.Space.States(), whole.Toy.Name, largest))
		return nil
	})
}

// Intermediates holds the panels of one annealing: distributions on the path, the target, and the
// distribution of the sampler's output.
type Intermediates struct {
	subject.Case
	Betas  []float64
	P      [][]float64 // the distribution at each beta, one probability for each state
	Target []float64   // p_T
	Output []float64   // the exact distribution of the sampler's last state
}

// PaperBetas returns three inverse temperatures at which the toys of Grosse, Ancha and Roy (2016)
// look different. Their Figure 4 does not state its betas.
func PaperBetas() []float64 { return []float64{0.1, 0.25, 0.5} }

// PaperT is the number of distributions of Figure 4 of Grosse, Ancha and Roy (2016).
const PaperT = 100

// maxPanelCells is the largest number of states of a toy in panels. More would make files of many
// megabytes.
const maxPanelCells = 10_000

// paperPanels makes the panels of Figure 4 of Grosse, Ancha and Roy (2016): one row for each toy,
// at PaperT, or at the first row's T if no row has PaperT. It fails if a toy has more than
// maxPanelCells states.
func paperPanels(rows []Row) ([]Intermediates, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	T := rows[0].Distributions()
	for _, r := range rows {
		if r.Distributions() == PaperT {
			T = PaperT
		}
	}
	var shown []Row
	for _, r := range rows {
		if n := r.Toy.Space.States(); n > maxPanelCells {
			return nil, errs.New("a heat map of %d cells would be too large; the limit is %d", n, maxPanelCells)
		}
		if r.Distributions() == T && (len(shown) == 0 || shown[len(shown)-1].Toy != r.Toy) {
			shown = append(shown, r)
		}
	}
	return Intermediate(shown, PaperBetas()), nil
}

// Intermediate makes the panels of Figure 4 for each row.
func Intermediate(rows []Row, betas []float64) []Intermediates {
	out := make([]Intermediates, len(rows))
	for i, r := range rows {
		out[i] = Intermediates{Case: r.Case, Betas: betas, Target: r.Target, Output: r.Output}
		for _, b := range betas {
			out[i].P = append(out[i].P, stages.Distribution(r.Annealing().Path(), b))
		}
	}
	return out
}
