package replicas

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/tempering"
	"breadboard/exact/kernel"
	"breadboard/grid"
)

// Replicas are all replicas of a tempering: the rows of the kernel at every rung, and the
// distributions that they leave invariant.
type Replicas struct {
	// Progress is called by Stones and Logs after each scan of a distribution; StoneScans says
	// about how many there are. It may be nil.
	Progress func(scans int)
	*Laws

	m    *tempering.Tempering
	rows []*kernel.Rows

	residual float64 // the length of the residual at which a solution is accepted
	known    *Known  // nil if solutions are not kept
}

// New returns the replicas of a tempering. It fails if the rows of the kernel cannot be found, or
// do not leave the distribution of a rung invariant. Time is that of the rows.
func New(ctx context.Context, m *tempering.Tempering) (*Replicas, error) {
	r := &Replicas{Laws: LawsOf(m.Ladder), m: m, residual: solved}
	for i := range m.Rungs() {
		rows, err := kernel.Examine(ctx, m.Kernel(), m.LogF(i))
		if err != nil {
			return nil, fmt.Errorf("rung %d at beta %v: %w", i, m.Beta(i), err)
		}
		r.rows = append(r.rows, rows)
	}
	return r, nil
}

// Roughly returns replicas whose systems are solved only to a residual of this length, which takes
// Rate and Variance less time. Both report their error.
func (r *Replicas) Roughly(residual float64) *Replicas {
	rough := *r
	rough.residual = max(residual, solved)
	return &rough
}

// After returns replicas that start from known solutions, and add their own to known. Only one
// goroutine may use known.
func (r *Replicas) After(known *Known) *Replicas {
	after := *r
	after.known = known
	return &after
}

// joint returns n^(N+1), the number of joint states.
func (r *Replicas) joint() float64 { return joint(r.m.States(), r.m.Rungs()) }

func joint(states, rungs int) float64 { return math.Pow(float64(states), float64(rungs)) }

// Limits of what is computed.
const (
	maxLaw     = 10_000_000 // the number of joint states whose distribution is moved
	maxUnknown = 1_000_000  // the number of unknowns of a linear system, which takes 400 bytes for each
	maxStones  = 10_000_000 // the number of numbers that stepping stones carry: 3^N for each joint state
)

// check fails if there are more joint states, each taken the given number of times, than a limit.
func check(what string, states, rungs int, times float64, limit float64) error {
	if need := times * joint(states, rungs); need > limit {
		return grid.TooLarge{
			What: "numbers", Need: need, Limit: limit,
			Err: errs.New("%s of %d replicas on %d states each takes %.4g numbers, and at most %.4g are kept; give "+
				"fewer rungs, or a target with fewer states",
				what, rungs, states, need, limit),
		}
	}
	return nil
}

// CheckRate fails if the joint space is too large for Rate and Variance. It takes no memory.
func CheckRate(states, rungs int) error {
	return check("the round-trip rate", states, rungs, float64(max(1, rungs-2)), maxUnknown)
}

// CheckLaw fails if the joint space is too large for Cold.
func CheckLaw(states, rungs int) error { return check("the distribution", states, rungs, 1, maxLaw) }

// CheckStones fails if the joint space is too large for Stones and Logs.
func CheckStones(states, rungs int) error {
	return check("stepping stone", states, rungs, math.Pow(3, float64(rungs-1)), maxStones)
}

// Cold is the distance of the distribution of the cold chain from the target after a number of
// scans.
type Cold struct {
	// TV is the total variation distance. Its error is the difference to a second computation with
	// a third of all numbers, whose rounding differs. It is all of TV if only rounding is left, as
	// for a kernel that draws from the target.
	TV number.Bounded
	// the Jeffreys divergence, in nats; +Inf if the cold chain cannot be at a state of the target
	// yet, or is where the target is zero
	J float64
}

// Jeffreys returns J with its error: its terms are squares of those of TV.
func (c *Cold) Jeffreys() number.Bounded {
	if !c.TV.Known() {
		return number.Bounded{Value: c.J, Error: math.Inf(1)}
	}
	return number.Within(c.J, 2*c.TV.Lost())
}

// Cold returns the distance of the cold chain from the target after ascending numbers of scans,
// from independent starts at each rung. It fails for more than MaxLaw joint states. Time is O(scans
// (N+1) n^N entries), memory 32 bytes for each joint state, and 40 for SEO.
func (r *Replicas) Cold(ctx context.Context, from [][]float64, scans []int) ([]Cold, error) {
	if err := CheckLaw(r.m.States(), r.m.Rungs()); err != nil {
		return nil, err
	}
	if err := r.checkStart(from, scans); err != nil {
		return nil, err
	}
	t := r.tensors(false)
	law := t.product(func(i, x int) float64 { return r.p[i][x] })
	away := t.product(func(i, x int) float64 { return from[i][x] })
	for k, p := range law {
		away[k] -= p
	}
	third := thirdOf(away)
	var list []Cold
	at := 0
	for _, want := range scans {
		for ; at < want; at++ {
			for _, v := range [][]float64{away, third} {
				if err := t.scan(ctx, v, at%2); err != nil {
					return nil, err
				}
				removeComponent(v, law)
			}
		}
		top := t.rungs - 1
		list = append(list, r.coldOf(t.sumOver(away, top), t.sumOver(third, top), top))
	}
	return list, nil
}

// thirdOf returns a third of a vector, to estimate rounding errors.
func thirdOf(v []float64) []float64 {
	third := make([]float64, len(v))
	for k, a := range v {
		third[k] = a / 3
	}
	return third
}

// removeComponent removes the component of a deviation along the distribution, which is rounding.
func removeComponent(away, law []float64) {
	drift := number.Total(away)
	for k, p := range law {
		away[k] -= float64(drift * p)
	}
}

// coldOf measures the deviation of a distribution from that of rung i, given also a third of it
// that was computed separately.
func (r *Replicas) coldOf(away, third []float64, i int) Cold {
	c := Cold{}
	other := 0.0
	for _, v := range third {
		other += math.Abs(v) / 2
	}
	for x, v := range away {
		c.TV.Value += math.Abs(v) / 2
		p := r.p[i][x]
		logp := r.logp[i][x]
		switch ratio := v / p; {
		case v == 0:
		case math.IsInf(logp, -1) || ratio <= -1:
			c.J = math.Inf(1)
		case p == 0 || math.IsInf(ratio, 1): // out of range: the distribution equals the deviation
			c.J += float64(v * (number.Log(v) - logp))
		default:
			c.J += float64(v * math.Log1p(ratio))
		}
	}
	c.TV.Error = math.Abs(3*other - c.TV.Value)
	return c
}

// checkStart fails if there is not a distribution for each rung, and if numbers of scans do not
// rise.
func (r *Replicas) checkStart(from [][]float64, scans []int) error {
	if len(from) != r.m.Rungs() {
		return errs.New("%d distributions for %d rungs; give one for each", len(from), r.m.Rungs())
	}
	for i, law := range from {
		if len(law) != r.m.States() {
			return fmt.Errorf("the distribution at rung %d is of %d states, and replicas are on %d", i,
				len(law), r.m.States())
		}
	}
	if !slices.IsSorted(scans) || len(scans) > 0 && scans[0] < 0 {
		return errors.New("numbers of scans must rise from zero on")
	}
	return nil
}

// Plain returns the distance from the target of a plain chain of the kernel at rung N, after
// ascending numbers of moves from a distribution.
func (r *Replicas) Plain(ctx context.Context, from []float64, moves []int) ([]Cold, error) {
	top := r.m.Rungs() - 1
	if err := r.checkStart(r.Alike(from), moves); err != nil {
		return nil, err
	}
	p := r.p[top]
	rows := r.rows[top]
	away := make([]float64, len(p))
	next := make([]float64, len(p))
	for x := range away {
		away[x] = from[x] - p[x]
	}
	third := thirdOf(away)
	var list []Cold
	at := 0
	for _, want := range moves {
		for ; at < want; at++ {
			if at%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, v := range []*[]float64{&away, &third} {
				rows.Push(next, *v)
				removeComponent(next, p)
				*v, next = next, *v
			}
		}
		list = append(list, r.coldOf(away, third, top))
	}
	return list, nil
}
