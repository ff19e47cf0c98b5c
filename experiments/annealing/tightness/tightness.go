// Package tightness answers: how tight is the bound? It solves annealings exactly, sets J beside B and beside what is
// printed, and certifies digits. It never prints, draws or reads flags.
//
// Certify computes J, B and both divergences again in 256 bits with a derived error bound, and in 320 bits, which
// must overlap (package certified). Every number of the paper's study has at least 13 right digits.
package tightness

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"breadboard/exact"
	"breadboard/exact/stages"
	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/toys"
)

// Row holds the exact results for one annealing, and their comparison with printed numbers.
type Row struct {
	experiments.Case
	*exact.Solution
	ModeMass   float64 // mass of the target's dominant mode, NaN if the toy names none
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
// rounded ones. If nothing is printed for this T, known is false.
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
		if o.Certify && experiments.Usable(err) {
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

// shortPart is the part of the longest annealing's work up to which another one is short.
const shortPart = 0.01

// orderOf returns the order in which cases are solved: the short ones first, since they take no time beside the others and are done by
// then should the run be interrupted, and then the longest first, so that no worker begins a long one at the end while the others wait.
func orderOf(cases []experiments.Case) []int {
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
	return experiments.Order(len(cases), func(i, j int) int { return cmp.Compare(rank(i), rank(j)) })
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

// mostWhole is the largest number of states on which a row of classes is computed again.
const mostWhole = 1 << 18

// checkWhole computes a row of classes again on the states themselves, as far as they are not too many, and compares the numbers. Classes whose
// members differ (see toys.Quotient) are compared without being judged. A note says what the largest difference is.
func (r *Row) checkWhole(ctx context.Context, h study.How) error {
	if toys.DemandOf(r.Toy.Whole()).States > mostWhole {
		r.Notes = append(r.Notes, fmt.Sprintf("the states of %s are more than %d, and were not solved beside their classes", r.Toy.Whole(), mostWhole))
		return nil
	}
	return experiments.OnStates(ctx, &r.Case, func(whole *experiments.Case) error {
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
			{"J", r.J, full.J}, {"B", r.B, full.B}, {"KL(q_T || p_T)", r.KLQP, full.KLQP}, {"KL(p_T || q_T)", r.KLPQ, full.KLPQ},
			{"E_fwd[log w]", r.MeanLogWForward, full.MeanLogWForward}, {"E_rev[log w]", r.MeanLogWReverse, full.MeanLogWReverse}, {"log(Z_T/Z_1)", r.LogZRatio, full.LogZRatio},
		} {
			identity := exact.NewIdentity(pair.name+" of the states", pair.got, pair.want, tolerance)
			largest = max(largest, identity.Error)
			if r.Toy.Spread == 0 {
				r.Identities = append(r.Identities, identity)
			}
		}
		r.Notes = append(r.Notes, fmt.Sprintf("on the %d states of %s the numbers differ by %.2g nats at most", whole.Toy.Space.States(), whole.Toy.Name, largest))
		return nil
	})
}

// Intermediates holds the panels of one annealing: distributions on the way, the target, and the distribution of the sampler's output.
type Intermediates struct {
	experiments.Case
	Betas  []float64
	P      [][]float64 // the distribution at each beta, one probability for each state
	Target []float64   // p_T
	Output []float64   // the exact distribution of the sampler's last state
}

// PaperBetas returns three inverse temperatures at which the paper's toys look different. The paper does not print those of its Figure 4.
func PaperBetas() []float64 { return []float64{0.1, 0.25, 0.5} }

// PaperT is the number of distributions of the paper's Figure 4.
const PaperT = 100

// maxPanelCells is the largest number of states of a toy in panels. With more, the figures would be files of many megabytes.
const maxPanelCells = 10_000

// PaperPanels makes the panels of the paper's Figure 4: one row for each toy, at PaperT, or at the first row's T where no
// row has PaperT. It fails if a toy has more than MaxPanelCells states.
func PaperPanels(rows []Row) ([]Intermediates, error) {
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
			return nil, fmt.Errorf("a heat map of %d cells would be too large; the limit is %d", n, maxPanelCells)
		}
		if r.Distributions() == T && (len(shown) == 0 || shown[len(shown)-1].Toy != r.Toy) {
			shown = append(shown, r)
		}
	}
	return Intermediate(shown, PaperBetas()), nil
}

// Intermediate makes the panels of the paper's Figure 4 for each row.
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
