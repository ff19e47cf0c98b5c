package temper

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/tempering"
	"breadboard/exact/replicas"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// StoneRow has the estimates of log Z from a number of recorded scans and one start.
type StoneRow struct {
	subject.Case
	Scheme tempering.Scheme
	Start  string
	LogZ   float64 // log Z_T - log Z_1, in nats
	Estimated
	Ideal Estimated // by independent draws from each rung, as if exploration were perfect
	// the reason why numbers that need the joint distribution of all replicas are NaN; else empty
	TooLarge string
}

// Estimated has the estimates from a number of recorded scans.
type Estimated struct {
	replicas.Stones
	LogForward, LogReverse float64 // E log Zhat minus the truth, in nats
}

// Sandwiched reports whether the truth is between the means of the two logarithms, if these are
// known.
func (r *StoneRow) Sandwiched() bool {
	return r.LogForward <= r.rounding() && r.LogReverse >= -r.rounding()
}

// The starts of the replicas.
const (
	fromUniform    = "uniform"    // every replica at any state
	FromStationary = "stationary" // every replica from the distribution of its rung
)

// Starts returns the names of the starts.
func Starts() []string { return []string{fromUniform, FromStationary} }

// StoneOptions are the options of Stones.
type StoneOptions struct {
	Schemes []string
	Starts  []string
	Scans   []int
}

// maxScans is the largest number of scans of a study.
const maxScans = 1_000_000

// stonePlan finds the rows of every ladder, scheme and start.
func stonePlan(ctx context.Context, cases []subject.Case, o *StoneOptions) (study.Plan[StoneRow], error) {
	none := study.Plan[StoneRow]{}
	if err := knownSchemes(o.Schemes...); err != nil {
		return none, err
	}
	if len(o.Schemes) == 0 || len(o.Starts) == 0 || len(o.Scans) == 0 {
		return none, errs.New("no schemes, no starts or no numbers of scans; give at least one of each")
	}
	scans := slices.Compact(slices.Sorted(slices.Values(o.Scans)))
	for _, start := range o.Starts {
		if !slices.Contains(Starts(), start) {
			return none, errs.New("{start} %q; give one of %v", start, Starts())
		}
	}
	var jobs []study.Job[StoneRow]
	for i := range cases {
		c := &cases[i]
		steps := 1
		if together(c, c.Distributions(), replicas.CheckStones) == nil {
			steps = replicas.StoneScans(c.Distributions(), scans[len(scans)-1])
		}
		for _, scheme := range o.Schemes {
			for _, start := range o.Starts {
				most := scans[len(scans)-1]
				size := subject.Size{States: c.Toy.Space.States(), Fits: func(part float64) string {
					return fmt.Sprintf("{scans} %d", int(part*float64(most)))
				}}
				size.Solution.Seconds = scanCost * float64(steps) * math.Pow(float64(size.States), float64(c.Distributions()))
				if err := c.Wrong(c.Reader.CheckCost(size)); err != nil && steps > 1 {
					return none, err
				}
				jobs = append(jobs, study.Job[StoneRow]{
					Steps: stoneSteps,
					Rows: func(ctx context.Context, h study.How) ([]StoneRow, error) {
						add, done := h.Share(stoneSteps, steps)
						defer done()
						row := StoneRow{Case: *c, Scheme: tempering.Scheme(scheme), Start: start}
						rows, err := stoneRows(ctx, row, scans, add)
						return rows, c.Wrong(err)
					},
				})
			}
		}
	}
	return study.Jobs(jobs), nil
}

// scanCost is measured: the seconds of a scan of a joint distribution, for each of its states.
const scanCost = 13e-9

// stoneSteps is how many steps of progress the rows of a ladder, a scheme and a start are.
const stoneSteps = 100

// stoneRows finds the rows of one ladder, scheme and start.
func stoneRows(ctx context.Context, of StoneRow, scans []int, progress func(scans int)) ([]StoneRow, error) {
	a := of.Annealing()
	laws, err := replicas.Ladder(ctx, a.Path(), a.Schedule(), a.Distributions())
	if err != nil {
		return nil, err
	}
	ideal, forward, reverse, err := laws.Ideal(scans)
	if err != nil {
		return nil, err
	}
	rows := make([]StoneRow, len(scans))
	for i := range rows {
		rows[i] = of
		rows[i].LogZ = laws.LogZ()
		rows[i].Ideal = Estimated{ideal[i], forward[i], reverse[i]}
	}
	if large := together(&of.Case, a.Distributions(), replicas.CheckStones); large != nil {
		for i := range rows {
			rows[i].keepRungsOnly(large.Error())
		}
		return rows, ctx.Err()
	}
	return rows, allTogether(ctx, rows, scans, progress)
}

// keepRungsOnly leaves what the rungs alone say of a row: from a stationary start one scan has
// independent draws, and thermodynamic integration has the same mean for any number of scans.
func (r *StoneRow) keepRungsOnly(why string) {
	none := math.NaN()
	r.TooLarge = why
	r.Estimated = Estimated{replicas.Stones{
		Scans:       r.Ideal.Scans,
		MeanForward: none,
		Square:      none,
		MeanReverse: none,
		Thermo:      none,
		ThermoVar:   none,
	}, none, none}
	switch {
	case r.Start != FromStationary:
	case r.Scans == 1:
		r.Estimated = r.Ideal
		r.TooLarge = ""
	default:
		r.Thermo = r.Ideal.Thermo
	}
}

// allTogether finds what the distribution of all replicas together says of rows of one ladder,
// scheme and start.
func allTogether(ctx context.Context, rows []StoneRow, scans []int, progress func(scans int)) error {
	c := &rows[0].Case
	many, m, err := replicasOf(ctx, c, string(rows[0].Scheme))
	if err != nil {
		return err
	}
	many.Progress = progress
	from := many.Stationary()
	if rows[0].Start == fromUniform {
		law := make([]float64, m.States())
		copy(law, c.Toy.Members) // of classes, each of which stands for that many states
		chains.Normalize(law)
		from = many.Alike(law)
	}
	stones, err := many.Stones(ctx, from, scans)
	if err != nil {
		return err
	}
	forward, reverse, err := many.Logs(ctx, from, scans)
	for i := range rows {
		rows[i].LogZ = many.LogZ()
		if err == nil {
			rows[i].Estimated = Estimated{stones[i], forward[i], reverse[i]}
		}
	}
	return err
}

// relativeVariance returns the variance of Zhat over the square of its mean.
func (r *Estimated) relativeVariance() float64 {
	return max(0, r.Square/(r.MeanForward*r.MeanForward)-1)
}

// rounding bounds the rounding errors of the logarithms and of the relative variance: some units in
// the last place for each scan of each rung, and for each nat of the range of log f.
func (r *StoneRow) rounding() float64 {
	low, high := number.Bounds(r.Toy.G)
	return 0x1p-50 * float64(r.Distributions()) * (float64(r.Scans) + max(0, high-low))
}

// sd returns a relative standard deviation with its bound, which follows from that of its square.
func (r *StoneRow) sd(of *Estimated) number.Bounded {
	variance := of.relativeVariance()
	return number.Root(variance, r.rounding()*(1+variance))
}
