package temper

import (
	"context"
	"errors"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/sorts"
	"breadboard/chains/tempering"
	"breadboard/exact/replicas"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// StoneRow is what so many recorded scans say of log Z, from one start.
type StoneRow struct {
	experiments.Case
	Scheme tempering.Scheme
	Start  string
	LogZ   float64 // log Z_T - log Z_1, in nats
	replicas.Stones
	LogForward, LogReverse float64 // E log Zhat minus the truth, in nats
}

// Sandwiched reports whether the truth is between the means of the two logarithms.
func (r *StoneRow) Sandwiched() bool {
	return r.LogForward <= sandwichRounding && r.LogReverse >= -sandwichRounding
}

// sandwichRounding is what rounding may make of a bound that is the truth, in nats.
const sandwichRounding = 1e-13

// The starts of the replicas.
const (
	FromUniform    = "uniform"    // every replica at any state
	FromStationary = "stationary" // every replica from the distribution of its rung
)

// Starts returns the names of the starts.
func Starts() []string { return []string{FromUniform, FromStationary} }

// StoneOptions says what the study of log Z asks.
type StoneOptions struct {
	Schemes []string
	Starts  []string
	Scans   []int
}

// maxScans is the largest number of scans of a study.
const maxScans = 1_000_000

// stonePlan finds the rows of every ladder, scheme and start.
func stonePlan(ctx context.Context, cases []experiments.Case, o *StoneOptions) (study.Plan[StoneRow], error) {
	none := study.Plan[StoneRow]{}
	if err := knownSchemes(o.Schemes...); err != nil {
		return none, err
	}
	if len(o.Schemes) == 0 || len(o.Starts) == 0 || len(o.Scans) == 0 {
		return none, errors.New("no schemes, no starts or no numbers of scans; give at least one of each")
	}
	scans := slices.Compact(sorts.Ints(slices.Values(o.Scans)))
	for _, start := range o.Starts {
		if !slices.Contains(Starts(), start) {
			return none, chains.NewAdvice("{start} %q; give one of %v", start, Starts())
		}
	}
	var jobs []study.Job[StoneRow]
	for i := range cases {
		c := &cases[i]
		if err := replicas.CheckStones(c.Toy.Space.States(), c.Distributions()); err != nil {
			return none, c.Wrong(err)
		}
		for _, scheme := range o.Schemes {
			for _, start := range o.Starts {
				jobs = append(jobs, study.Job[StoneRow]{Steps: stoneSteps, Rows: func(ctx context.Context, h study.How) ([]StoneRow, error) {
					add, done := h.Share(stoneSteps, replicas.StoneScans(c.Distributions(), scans[len(scans)-1]))
					defer done()
					rows, err := stoneRows(ctx, c, scheme, start, scans, add)
					return rows, c.Wrong(err)
				}})
			}
		}
	}
	return study.Jobs(jobs), nil
}

// stoneSteps is how many steps of progress the rows of a ladder, a scheme and a start are.
const stoneSteps = 100

// stoneRows finds the rows of one ladder, scheme and start.
func stoneRows(ctx context.Context, c *experiments.Case, scheme, start string, scans []int, progress func(scans int)) ([]StoneRow, error) {
	many, m, err := replicasOf(ctx, c, scheme)
	if err != nil {
		return nil, err
	}
	many.Progress = progress
	from := many.Stationary()
	if start == FromUniform {
		law := make([]float64, m.States())
		copy(law, c.Toy.Members) // of classes, each of which stands for so many states
		chains.Normalize(law)
		from = many.Alike(law)
	}
	stones, err := many.Stones(ctx, from, scans)
	if err != nil {
		return nil, err
	}
	forward, reverse, err := many.Logs(ctx, from, scans)
	if err != nil {
		return nil, err
	}
	rows := make([]StoneRow, len(stones))
	for i, s := range stones {
		rows[i] = StoneRow{*c, m.Scheme(), start, many.LogZ(), s, forward[i], reverse[i]}
	}
	return rows, nil
}

// relativeSD returns the standard deviation of Zhat over its mean; NaN where rounding has left less than none.
func (r *StoneRow) relativeSD() float64 { return math.Sqrt(r.Square/(r.MeanForward*r.MeanForward) - 1) }
