package temper

import (
	"context"
	"math"
	"slices"
	"sort"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/schedules"
	"breadboard/chains/tempering"
	"breadboard/exact"
	"breadboard/exact/replicas"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// CompareRow compares the cold chain after a number of scans with annealing and with a plain chain
// from the same start.
type CompareRow struct {
	subject.Case
	Scheme tempering.Scheme
	Compared
	// at more numbers of scans: for figures, in the first row of a ladder and scheme; else nil
	Curve []Compared
}

// Compared has the distances of the samplers from the target.
type Compared struct {
	Scans int
	Moves int           // of all replicas together, (N+1) times the scans
	Cold  replicas.Cold // of the cold chain
	AIS   Distance      // of annealing with as many moves as all replicas make
	// of annealing with one move a scan, which takes as long if each replica has its own processor
	Single Distance
	Plain  replicas.Cold // of a plain chain with as many moves as all replicas make
}

// Distance is the distance of the last state of annealing from the target. TV is a difference of
// probabilities, with their rounding; J keeps its digits.
type Distance struct {
	TV, J number.Bounded
}

// rounding is about what is wrong in half the sum of differences of probabilities, each of which is
// right to some units in the last place.
const rounding = 4 * 0x1p-52

// CompareOptions are the options of Comparison.
type CompareOptions struct {
	Schemes []string
	Scans   []int
}

// comparePlan finds the rows of every ladder and scheme.
func comparePlan(ctx context.Context, cases []subject.Case,
	o *CompareOptions) (study.Plan[CompareRow], error) {
	none := study.Plan[CompareRow]{}
	if err := knownSchemes(o.Schemes...); err != nil {
		return none, err
	}
	if len(o.Schemes) == 0 || len(o.Scans) == 0 {
		return none, errs.New("no schemes, or no numbers of scans; give at least one of each")
	}
	scans := slices.Compact(slices.Sorted(slices.Values(o.Scans)))
	if scans[0] < 1 {
		return none, errs.New("{scans} %d; give a number from 1 on", scans[0])
	}
	var jobs []study.Job[CompareRow]
	for i := range cases {
		c := &cases[i]
		if err := together(c, c.Distributions(), replicas.CheckLaw); err != nil {
			return none, c.Wrong(err)
		}
		for _, scheme := range o.Schemes {
			jobs = append(jobs, study.Job[CompareRow]{
				Steps: len(scans),
				Rows: func(ctx context.Context, h study.How) ([]CompareRow, error) {
					rows, err := compareRows(ctx, c, scheme, scans, h)
					return rows, c.Wrong(err)
				},
			})
		}
	}
	return study.Jobs(jobs), nil
}

// compareRows finds the rows of one ladder and scheme.
func compareRows(ctx context.Context, c *subject.Case, scheme string, scans []int,
	h study.How) ([]CompareRow, error) {
	many, m, err := replicasOf(ctx, c, scheme)
	if err != nil {
		return nil, err
	}
	all := scans
	if h.Figures {
		all = spread(scans)
	}
	moves := make([]int, len(all))
	for i, s := range all {
		moves[i] = s * m.Rungs()
	}
	// annealing begins with a draw from the first distribution, and so do all others
	start := many.Stationary()[0]
	cold, err := many.Cold(ctx, many.Alike(start), all)
	if err != nil {
		return nil, err
	}
	plain, err := many.Plain(ctx, start, moves)
	if err != nil {
		return nil, err
	}
	curve := make([]Compared, len(all))
	for i, s := range all {
		d := Compared{Scans: s, Moves: moves[i], Cold: cold[i], Plain: plain[i]}
		d.AIS, err = annealed(ctx, c.Annealing(), d.Moves, h.Workers)
		if err != nil {
			return nil, err
		}
		d.Single, err = annealed(ctx, c.Annealing(), s, h.Workers)
		if err != nil {
			return nil, err
		}
		curve[i] = d
	}
	var rows []CompareRow
	for i, s := range all {
		if slices.Contains(scans, s) {
			rows = append(rows, CompareRow{Case: *c, Scheme: m.Scheme(), Compared: curve[i]})
			h.Add(1)
		}
	}
	if h.Figures {
		rows[0].Curve = curve
	}
	return rows, nil
}

// spread returns numbers of scans from one to the last, with those that are given: about evenly on
// a logarithmic axis.
func spread(scans []int) []int {
	all := slices.Clone(scans)
	for s := 1.0; s < float64(scans[len(scans)-1]); s = max(s+1, math.Round(s*1.15)) {
		all = append(all, int(s))
	}
	sort.Ints(all)
	return slices.Compact(all)
}

// annealed returns how far annealing with that many moves on a linear schedule is from the target.
func annealed(ctx context.Context, a *chains.Annealing, moves, workers int) (Distance, error) {
	long, err := chains.NewAnnealing(a.Path(), schedules.Linear{}, a.Kernel(), moves+1)
	if err != nil {
		return Distance{}, err
	}
	s, err := exact.Solve(ctx, long, exact.Options{Workers: workers})
	if err != nil {
		return Distance{}, err
	}
	d := Distance{J: s.Numbers().J}
	for x, q := range s.Output {
		d.TV.Value += math.Abs(q-s.Target[x]) / 2
	}
	if s.J > 0 {
		d.TV.Error = rounding
	}
	return d, nil
}

// crossing returns the number of scans of a curve after which one distance stays below another up
// to the end of the curve, and false if it does not end below.
func crossing(curve []Compared, other, one func(*Compared) float64) (scans int, is bool) {
	for i := len(curve) - 1; i >= 0; i-- {
		if !(one(&curve[i]) < other(&curve[i])) {
			break
		}
		scans = curve[i].Scans
		is = true
	}
	return scans, is
}
