package couple

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/couplings"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/exact/kernel"
	"breadboard/exact/meeting"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid"
)

// Row is a coupling of two chains with a lag, at one number of moves.
type Row struct {
	samplers.Setting // without a function and a number of samples
	Coupling         string
	Lag              int
	meeting.Point
	MeanTau  number.Bounded // in moves
	D        number.Bounded // Point.Bound with its error
	TailRate float64        // the factor by which P(tau > t) falls in each move in the end
	// the time of the bound divided by that of the distance in the far tail; NaN if it is not known
	RateRatio number.Bounded
	Within    float64       // the limit of the two mixing times
	Bound     averages.Time // the least t with d_L(t) <= Within
	Truth     averages.Time // the least t with TV <= Within
	Note      string
	RateNote  string          // on RateRatio
	BestNote  string          // on the accuracy of the best coupling
	failed    error           // the reason why there are no numbers; else nil
	Curve     []meeting.Point // for figures, in the first row of each coupling, start and lag; else nil
}

// Options are the options of the study.
type Options struct {
	Couplings []string
	Lags      []int
	At        []int64 // numbers of moves
	Within    float64
}

// lagLimit is the largest lag.
const lagLimit = 1_000_000

func (o *Options) validate() error {
	if err := known(o.Couplings, o.Lags); err != nil {
		return err
	}
	switch {
	case len(o.At) == 0:
		return errs.New("no numbers of moves; give at least one")
	case !(o.Within > 0 && o.Within < 1):
		return errs.New("{tv} %v; give a distance between zero and one", o.Within)
	}
	return nil
}

// Best is the name of the best Markovian coupling.
const Best = "best"

// couplingNames returns the names of all couplings, the best among them.
func couplingNames() []string { return append(couplings.Names(), Best) }

// knownCouplings fails if no name is that of a coupling. Of several names a wrong one has rows
// without numbers.
func knownCouplings(names []string, best bool) error {
	if len(names) == 0 {
		return errs.New("{coupling} is empty; give one of %v", couplingNames())
	}
	if slices.ContainsFunc(names, func(name string) bool {
		return best && name == Best || slices.Contains(couplings.Names(), name)
	}) {
		return nil
	}
	_, err := couplings.New(names[0], nil)
	return err
}

// known fails if a name is none of a coupling, or a number none of a lag.
func known(names []string, lags []int) error {
	if err := knownCouplings(names, true); err != nil {
		return err
	}
	if len(lags) == 0 || slices.Min(lags) < 1 {
		return errs.New("{lag} %v; give at least one, and a lag is 1 or more", lags)
	}
	return nil
}

// eachCoupling returns the jobs of every problem and coupling, each of which solves the pairs and
// has a step for each start and lag.
func eachCoupling[R any](problems []samplers.Problem, names []string, lags int,
	rows func(ctx context.Context, p *samplers.Problem, name string,
		h study.How) ([]R, error)) (jobs []study.Job[R]) {
	steps := func(p *samplers.Problem) int { return 1 + len(p.Starts)*lags }
	for i := range problems {
		for _, name := range names {
			jobs = append(jobs, samplers.Jobs(problems[i:i+1], steps,
				func(ctx context.Context, p *samplers.Problem, h study.How) ([]R, error) {
					return rows(ctx, p, name, h)
				})...)
		}
	}
	return jobs
}

// solve returns the chain of pairs that a coupling makes of a problem, with the mean numbers of
// moves until pairs meet.
func solve(ctx context.Context, p *samplers.Problem, name string) (*meeting.Solved, error) {
	if err := subject.NeedsStates(p.Toy, "a coupling of chains"); err != nil {
		return nil, err
	}
	from := name
	if name == Best {
		from = "rows-comonotone"
	}
	c, err := couplings.New(from, p.Moves)
	if err != nil {
		return nil, err
	}
	pairs, err := meeting.New(ctx, c, p.Chain)
	if err != nil {
		return nil, fmt.Errorf("coupling %s: %w", name, err)
	}
	if name == Best {
		pairs, err = pairs.Best(ctx)
		if err != nil {
			return nil, err
		}
	}
	s, err := pairs.Solve(ctx)
	if err == nil && couplings.Common(name) {
		s.Border = couplings.Border
	}
	return s, err
}

// plan finds the rows of every problem and coupling, ordered by problem, start, coupling, lag and
// number of moves.
func plan(_ context.Context, problems []samplers.Problem, o *Options) (study.Plan[Row], error) {
	if err := o.validate(); err != nil {
		return study.Plan[Row]{}, err
	}
	for i := range problems {
		p := &problems[i]
		if n := p.Chain.States(); n > meeting.MaxStates {
			return study.Plan[Row]{}, grid.TooLarge{
				What: "states", Need: float64(n), Limit: meeting.MaxStates,
				Err: errs.New("%s has %d states and %d pairs of them; the limit for solving couplings is %d states",
					p.Name(), n, n*n, meeting.MaxStates),
			}
		}
	}
	return study.WithFailed(study.Jobs(eachCoupling(problems, o.Couplings, len(o.Lags), o.rows)),
		func(r *Row) error { return nameProblem(r.Problem, r.failed) }), nil
}

func (o *Options) rows(ctx context.Context, p *samplers.Problem, name string,
	h study.How) (rows []Row, err error) {
	at := slices.Compact(slices.Sorted(slices.Values(o.At)))
	first := true
	ratio := number.Exactly(math.NaN())
	ratioNote := ""
	return eachLaw(ctx, p, name, o.Lags,
		h, func(start samplers.Start, solved *meeting.Solved, m *meeting.Law) (rows []Row, err error) {
			gap, err := solved.TailGap(ctx)
			if err != nil {
				return nil, err
			}
			row := Row{
				Setting:  samplers.Setting{Problem: p, Start: start},
				Coupling: name,
				Lag:      m.Lag,
				MeanTau:  m.Bounded(m.Mean),
				TailRate: 1 - gap,
				Within:   o.Within,
				Note:     remarks(p, solved, m.Floor),
			}
			if name == Best {
				row.BestNote = coarse(solved)
			}
			if first {
				if d, err := kernel.Diagnose(ctx, p.Moves, p.Chain.LogF); err == nil {
					ratio, ratioNote, err = solved.RateRatio(ctx, d)
					if err != nil {
						return nil, err
					}
				}
				first = false
			}
			row.RateRatio = ratio
			row.RateNote = ratioNote
			row.Bound, err = m.Time(ctx, o.Within)
			if errors.Is(err, meeting.ErrSlow) {
				row.Bound.Note = err.Error()
			} else if err != nil {
				return nil, err
			}
			row.Truth, err = p.Chain.BurnIn(ctx, start.Law, o.Within)
			if err != nil {
				row.Truth = averages.Time{Moves: math.NaN(), Note: err.Error()}
			}
			points, err := m.Points(ctx, at)
			if err == nil && h.Figures {
				row.Curve, err = m.Points(ctx, shown(row, at))
			}
			for _, point := range points {
				row.Point, row.D = point, m.Bounded(point.Bound)
				rows = append(rows, row)
				row.Curve = nil
			}
			return rows, err
		}, func(start samplers.Start, lag int, err error) (rows []Row) {
			nan := math.NaN()
			for _, t := range at {
				rows = append(rows, Row{
					Setting:   samplers.Setting{Problem: p, Start: start},
					Coupling:  name,
					Lag:       lag,
					Point:     meeting.Point{T: t, Survival: nan, Bound: nan, LagTV: nan, TV: nan},
					MeanTau:   number.Exactly(nan),
					D:         number.Exactly(nan),
					TailRate:  nan,
					RateRatio: number.Exactly(nan),
					Within:    o.Within,
					Bound:     averages.Time{Moves: nan},
					Truth:     averages.Time{Moves: nan},
					Note:      noteOf(err),
					failed:    err,
				})
			}
			return rows
		})
}

// shown returns the numbers of moves of a curve: from 0 and in equal steps of the logarithm to
// somewhat beyond the last one that is asked for and the mixing time by the bound, if that is not
// too far.
func shown(r Row, at []int64) []int64 {
	const most, perDecade = 1e5, 16
	last := float64(at[len(at)-1])
	if r.Bound.Moves <= most/2 {
		last = max(last, 2*r.Bound.Moves)
	}
	ts := []int64{0}
	for i := 0; ; i++ {
		t := int64(math.Pow(10, float64(i)/perDecade))
		if float64(t) > min(last, most) {
			return ts
		}
		if t > ts[len(ts)-1] {
			ts = append(ts, t)
		}
	}
}
