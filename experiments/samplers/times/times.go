package times

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact/averages"
	"breadboard/experiments"
	"breadboard/experiments/samplers"
)

// Row has the two times of a kernel on a target from a start.
type Row struct {
	samplers.Setting               // without a function and a number of samples
	MI, TV           float64       // the bounds: of the mutual information in nats, and of the total variation distance
	Mixing           averages.Time // the least k with MI(x_k; x_0) <= MI; the start has no part in it
	BurnIn           averages.Time // the least k with TV(law of x_k, target) <= TV, counted from the first sample
	Curve            *Curve        // nil unless asked for
}

// Curve says how mutual information and distance fall.
type Curve struct {
	Moves  []int64
	MI, TV []float64 // by number of moves
}

// Options says how to run the study.
type Options struct {
	MI, TV   float64         // the bounds
	Curves   bool            // whether the rows have curves
	Workers  int             // the number of times computed at once; 0 is one for each processor
	Progress func(steps int) // called from several goroutines at once; the calls add up to Steps; may be nil
}

// Standard is the bound of both times by default.
const Standard = 0.01

// Validate returns an error that says why Run would refuse the study, and nil where it would not.
func (o Options) Validate(problems []samplers.Problem) error {
	switch {
	case o.Workers < 0:
		return chains.NewAdvice("{workers} %d; give a number of times computed at once, or 0 for one on each core", o.Workers)
	case !(o.MI > 0) || math.IsInf(o.MI, 1):
		return chains.NewAdvice("{mi} %v; give a bound of the mutual information above zero, in nats", o.MI)
	case !(o.TV > 0 && o.TV < 1):
		return chains.NewAdvice("{tv} %v; give a bound of the total variation distance between zero and one", o.TV)
	}
	return nil
}

// Steps returns the number of steps that Run reports to Progress.
func (o Options) Steps(problems []samplers.Problem) (steps int) {
	for i := range problems {
		steps += 1 + len(problems[i].Starts)
	}
	return steps
}

// Run finds the times of every problem. The rows are ordered by problem and start. It fails where the options are not as Validate wants
// them, where a chain has too many states, and where the context ends.
func Run(ctx context.Context, problems []samplers.Problem, o Options) ([]Row, error) {
	if err := o.Validate(problems); err != nil {
		return nil, err
	}
	all := make([][]Row, len(problems))
	err := experiments.Parallel(ctx, len(problems), o.Workers, func(ctx context.Context, i int) (err error) {
		if all[i], err = o.rows(ctx, &problems[i]); err != nil {
			return fmt.Errorf("toy %s, kernel %s: %w", problems[i].Toy.Name, problems[i].Kernel, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, some := range all {
		rows = append(rows, some...)
	}
	return rows, nil
}

// rows finds the times of one problem.
func (o Options) rows(ctx context.Context, p *samplers.Problem) ([]Row, error) {
	mixing, err := p.Chain.MixingTime(ctx, o.MI)
	if err != nil {
		return nil, err
	}
	o.step()
	rows := make([]Row, len(p.Starts))
	for s, start := range p.Starts {
		r := &rows[s]
		*r = Row{Setting: samplers.Setting{Problem: p, Start: start}, MI: o.MI, TV: o.TV, Mixing: mixing}
		if r.BurnIn, err = p.Chain.BurnIn(ctx, start.Law, o.TV); err != nil {
			return nil, fmt.Errorf("start %s: %w", start.Name, err)
		}
		o.step()
	}
	if o.Curves {
		return rows, curves(ctx, p, rows)
	}
	return rows, nil
}

func (o Options) step() {
	if o.Progress != nil {
		o.Progress(1)
	}
}

// curves adds curves to the rows of a problem, which all have the same numbers of moves.
func curves(ctx context.Context, p *samplers.Problem, rows []Row) error {
	longest := 1.0
	for i := range rows {
		for _, t := range []float64{rows[i].Mixing.Moves, rows[i].BurnIn.Moves} {
			if !math.IsInf(t, 1) {
				longest = max(longest, t)
			}
		}
		if math.IsInf(rows[i].Mixing.Moves, 1) || math.IsInf(rows[i].BurnIn.Moves, 1) {
			longest = max(longest, shownOfNever)
		}
	}
	ks := moves(2 * longest)
	mi, err := p.Chain.MI(ctx, ks)
	if err != nil {
		return err
	}
	for i := range rows {
		c := &Curve{Moves: ks, MI: mi}
		if c.TV, err = p.Chain.TV(ctx, rows[i].Start.Law, ks); err != nil {
			return err
		}
		rows[i].Curve = c
	}
	return nil
}

// shownOfNever is how many moves a curve has of a chain that never forgets.
const shownOfNever = 1e6

// perDecade is about how many points a curve has for each factor of ten.
const perDecade = 8

// moves returns numbers of moves from one to a last one, about evenly on a logarithmic scale.
func moves(last float64) (ks []int64) {
	for i := 0; ; i++ {
		k := int64(math.Round(math.Pow(10, float64(i)/perDecade)))
		if len(ks) > 0 && k == ks[len(ks)-1] {
			continue
		}
		ks = append(ks, k)
		if float64(k) >= last {
			return ks
		}
	}
}
