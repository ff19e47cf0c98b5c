package samplers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/chains/tempering"
	"breadboard/exact/averages"
	"breadboard/exact/replicas"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// temper begins the selector temper:T[:KERNEL] of parallel tempering, whose KERNEL is standardMoves
// if it is left out.
const temper, standardMoves = "temper:", "metropolis"

// readTempering returns the number of replicas that the selector of a kernel names, and the
// selector of the kernel that moves them: none and itself if it is that of a kernel.
func (s Selection) readTempering(text string) (rungs int, kernel string, err error) {
	_, target := selector.SplitName(text)
	args, is := strings.CutPrefix(target, temper)
	if !is || !s.Tempering {
		return 0, text, nil
	}
	count, kernel, _ := strings.Cut(args, ":")
	rungs, err = selector.ParseWhole(count, 2, tempering.MaxRungs)
	if err != nil {
		return 0, "", errs.New("kernel %q: %w; write the number of replicas, as in temper:4 or temper:4:heatbath",
			text, err)
	}
	return rungs, cmp.Or(kernel, standardMoves), nil
}

// addReplicas makes the problem one of that many replicas, which move by its kernel, on the
// geometric path at distributions with equal rates of acceptance of swaps.
func (s Selection) addReplicas(ctx context.Context, p *Problem, rungs int, kernel string) error {
	if p.Warmup > 0 {
		return errs.New(
			"{warmup} %d is of one chain, and all replicas of tempering begin at the start; leave {warmup} out",
			p.Warmup,
		)
	}
	if err := replicas.CheckLaw(p.Chain.States(), rungs); err != nil {
		return err
	}
	ladder := subject.Selection{
		Reader:        s.Reader,
		Distributions: []int{rungs},
		Path:          "geometric",
		Schedule:      "acceptance",
		Kernel:        kernel,
	}
	cases, err := ladder.On(ctx, p.Toy)
	if err != nil {
		return err
	}
	p.Ladder = cases[0].Annealing()
	p.Evaluations = float64(rungs) * p.Evaluations
	p.Kernel = fmt.Sprint(temper, rungs, ":", p.Kernel)
	if kernel == standardMoves {
		p.Kernel = fmt.Sprint(temper, rungs)
	}
	return nil
}

const (
	firstScans = 64  // how many scans are looked at before a distance counts as small for good
	mostMoved  = 1e9 // the largest number of joint states times scans that is moved, a minute's work
)

// coldDistances returns the distances from the target of the replica there, after 0, 1, ... scans
// from a start of all replicas, until they are well below a bound, or take too long.
func (p *Problem) coldDistances(ctx context.Context, start []float64, bound float64) ([]replicas.Cold,
	error) {
	m, err := tempering.New(p.Ladder, tempering.DEO)
	if err != nil {
		return nil, err
	}
	many, err := replicas.New(ctx, m)
	if err != nil {
		return nil, err
	}
	most := max(firstScans, mostMoved/math.Pow(float64(m.States()), float64(m.Rungs())))
	for last := float64(firstScans); ; last = min(4*last, most) {
		scans := number.Range(int(last) + 1)
		list, err := many.Cold(ctx, many.Alike(start), scans)
		if err != nil || last >= most || list[len(list)-1].TV.Value <= bound/shownBelow {
			return list, err
		}
	}
}

// tempered returns the rows of tempering. Their burn-in is the scans after the last one with a
// distance above the bound, since the distance of one replica may rise again.
func (o *TimesOptions) tempered(ctx context.Context, p *Problem, h study.How) (rows []TimesRow, err error) {
	unknown := averages.Time{
		Moves: math.NaN(),
		Error: math.NaN(),
		Note:  "of tempering the burn-in alone is computed",
	}
	h.Add(1)
	for _, start := range p.Starts {
		list, err := p.coldDistances(ctx, start.Law, o.TV)
		if err != nil {
			return nil, err
		}
		row := TimesRow{Setting: Setting{Problem: p, Start: start}, MI: o.MI, TV: o.TV, Mixing: unknown}
		last := len(list) - 1
		for k, c := range list[:last] {
			if c.TV.Value > o.TV {
				row.BurnIn = averages.Time{
					Moves: float64(k + 1),
					Error: c.TV.Error / (c.TV.Value - list[k+1].TV.Value),
				}
			}
		}
		if v := list[last].TV.Value; v > o.TV {
			row.BurnIn = unknown
			row.BurnIn.Note = fmt.Sprintf("the distance is still %.3g after %d scans, the largest number that is tried",
				v, last)
		}
		if o.Curves {
			row.Curve = &Curve{Moves: append([]int64{0}, moves(float64(last), true)...)}
			for i, k := range row.Curve.Moves {
				k = min(k, int64(last))
				row.Curve.Moves[i], row.Curve.TV = k, append(row.Curve.TV, list[k].TV.Value)
			}
		}
		rows = append(rows, row)
		h.Add(1)
	}
	return rows, nil
}
