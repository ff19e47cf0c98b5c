package samplers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/exact/averages"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// TimesRow has the two times of a kernel on a target from a start.
type TimesRow struct {
	Setting               // without a function and a number of samples
	MI, TV  float64       // the bounds: of the mutual information in nats, and of the total variation distance
	Mixing  averages.Time // the least k with MI(x_k; x_0) <= MI; the start has no part in it
	BurnIn  averages.Time // the least k with TV(law of x_k, target) <= TV, counted from the first sample
	Curve   *Curve        // nil unless asked for
}

// Curve says how mutual information and distance fall.
type Curve struct {
	Moves  []int64
	MI, TV []float64 // by number of moves; there is no MI on classes
}

// note says what the two times cannot.
func (r *TimesRow) note() string {
	if r.Mixing.Note == "" || r.BurnIn.Note == "" || r.Mixing.Note == r.BurnIn.Note {
		return cmp.Or(r.Mixing.Note, r.BurnIn.Note)
	}
	return r.Mixing.Note + "; " + r.BurnIn.Note
}

// TimesOptions says what the study asks.
type TimesOptions struct {
	MI, TV float64 // the bounds
	Curves bool    // whether the rows have curves
}

// Standard is the bound of both times by default.
const Standard = 0.01

// validate fails where a bound is none.
func (o *TimesOptions) validate() error {
	switch {
	case !(o.MI > 0) || math.IsInf(o.MI, 1):
		return chains.NewAdvice("{mi} %v; give a bound of the mutual information above zero, in nats", o.MI)
	case !(o.TV > 0 && o.TV < 1):
		return chains.NewAdvice("{tv} %v; give a bound of the total variation distance between zero and one", o.TV)
	}
	return nil
}

// timesPlan finds the times of every problem. The rows are ordered by problem and start. A time that cannot be found is NaN, with a note
// that says why. It fails where that is every one.
func timesPlan(_ context.Context, problems []Problem, o *TimesOptions) (study.Plan[TimesRow], error) {
	jobs := make([]study.Job[TimesRow], len(problems))
	for i := range problems {
		p := &problems[i]
		jobs[i] = study.Job[TimesRow]{Steps: 1 + len(p.Starts), Rows: func(ctx context.Context, h study.How) ([]TimesRow, error) {
			rows, err := o.rows(ctx, p, h)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name(), err)
			}
			return rows, nil
		}}
	}
	plan := study.Jobs(jobs)
	all := plan.Run
	plan.Run = func(ctx context.Context, h study.How) ([]TimesRow, error) {
		rows, err := all(ctx, h)
		if err == nil && len(rows) > 0 && !slices.ContainsFunc(rows, func(r TimesRow) bool { return !math.IsNaN(r.Mixing.Moves) || !math.IsNaN(r.BurnIn.Moves) }) {
			return nil, fmt.Errorf("no time could be found: %s: %s", rows[0].Problem.Name(), rows[0].Mixing.Note)
		}
		return rows, err
	}
	return plan, o.validate()
}

// rows finds the times of one problem.
func (o *TimesOptions) rows(ctx context.Context, p *Problem, h study.How) ([]TimesRow, error) {
	mixing, err := known(ctx)(p.mixing(ctx, o.MI))
	if err != nil {
		return nil, err
	}
	h.Add(1)
	rows := make([]TimesRow, len(p.Starts))
	for s, start := range p.Starts {
		r := &rows[s]
		*r = TimesRow{Setting: Setting{Problem: p, Start: start}, MI: o.MI, TV: o.TV, Mixing: mixing}
		if r.BurnIn, err = known(ctx)(p.Chain.BurnIn(ctx, start.Law, o.TV)); err != nil {
			return nil, err
		}
		h.Add(1)
	}
	if o.Curves {
		return rows, curves(ctx, p, rows)
	}
	return rows, nil
}

// mixing returns the mixing time, which asks for single states: the class of x_k says less of that of x_0 than the state does of the state.
func (p *Problem) mixing(ctx context.Context, mi float64) (averages.Time, error) {
	if err := experiments.NeedsStates(p.Toy, "mutual information"); err != nil {
		return averages.Time{}, err
	}
	return p.Chain.MixingTime(ctx, mi)
}

// known returns a function that makes a note of why a time is not known. It leaves only the error of the context.
func known(ctx context.Context) func(averages.Time, error) (averages.Time, error) {
	return func(t averages.Time, err error) (averages.Time, error) {
		if err != nil && ctx.Err() == nil {
			return averages.Time{Moves: math.NaN(), Error: math.NaN(), Note: err.Error()}, nil
		}
		return t, err
	}
}

// curves adds curves to the rows of a problem, which all have the same numbers of moves. There are none where they are too large to find.
func curves(ctx context.Context, p *Problem, rows []TimesRow) error {
	ks := moves(2*longest(rows), p.Chain.States() <= fewStates)
	var mi []float64
	var err error
	if p.Toy.Members == nil { // see mixing
		mi, err = p.Chain.MI(ctx, ks)
	}
	for i := 0; err == nil && i < len(rows); i++ {
		c := &Curve{Moves: ks, MI: mi}
		if c.TV, err = p.Chain.TV(ctx, rows[i].Start.Law, ks); err == nil {
			rows[i].Curve = c
		}
	}
	if err != nil && ctx.Err() == nil {
		return nil
	}
	return err
}

// longest returns the largest of the times, with shownOfNever in the place of infinite ones.
func longest(rows []TimesRow) float64 {
	most := 1.0
	for i := range rows {
		for _, t := range []float64{rows[i].Mixing.Moves, rows[i].BurnIn.Moves} {
			switch {
			case math.IsInf(t, 1):
				most = max(most, shownOfNever)
			case t <= maxShown:
				most = max(most, t)
			}
		}
	}
	return most
}

const (
	shownOfNever = 1e6  // how many moves a curve has of a chain that never forgets
	maxShown     = 1e17 // the largest number of moves of a curve, so that twice as many fit an int64
	perDecade    = 8    // about how many points a curve has for each factor of ten
	fewStates    = 128  // the largest number of states on which a curve has so many: each takes a product of matrices for each binary digit
)

// moves returns numbers of moves from one to a last one, about evenly on a logarithmic scale: perDecade or, where they are not to be
// dense, the powers of two.
func moves(last float64, dense bool) (ks []int64) {
	for i := 0; ; i++ {
		k := int64(1) << min(i, 62)
		if dense {
			k = int64(math.Round(math.Pow(10, float64(i)/perDecade)))
		}
		if len(ks) > 0 && k == ks[len(ks)-1] {
			continue
		}
		ks = append(ks, k)
		if float64(k) >= last {
			return ks
		}
	}
}
