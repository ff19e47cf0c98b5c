package estimators

import (
	"context"
	"fmt"
	"math"
	"sync"

	"breadboard/chains"
)

// Climber is a deterministic method that climbs from a hard start to an estimate of log Z: coordinate ascent, or EM. A hard start
// gives every discrete latent variable one value. A Climber may be used by many goroutines.
type Climber interface {
	// Sides returns how many values each latent variable has. The starts are all ways to give each of them one.
	Sides() []int
	// Climb climbs from a start until nothing changes any more. It fails where that does not come about, or the context ends.
	Climb(ctx context.Context, start []int) (Ascent, error)
	// Work returns what a run costs whose ascents take so many sweeps together.
	Work(sweeps float64) Work
	// Operations returns about how many multiplications one sweep takes. It serves to refuse what takes too long.
	Operations() float64
}

// Less returns a climber whose estimates are those of another less a constant, in nats: what centring a target has taken out of the
// log Z with which they are compared.
func Less(climber Climber, constant float64) Climber { return less{climber, constant} }

type less struct {
	Climber
	constant float64
}

// Climb implements Climber.
func (l less) Climb(ctx context.Context, start []int) (Ascent, error) {
	a, err := l.Climber.Climb(ctx, start)
	a.Value -= l.constant
	return a, err
}

// Keep returns a climber that climbs from each start once, and keeps what it has come to: for all estimators and laws that use it. Where
// there are more than 2^20 starts it is the climber itself.
func Keep(climber Climber) Climber {
	starts := StartsOf(climber)
	if _, already := climber.(*kept); already || starts > keptStarts {
		return climber
	}
	return &kept{Climber: climber, sides: climber.Sides(), ascents: make([]Ascent, int(starts))}
}

// keptStarts is the largest number of starts whose ascents are kept.
const keptStarts = 1 << 20

// kept is a Climber that keeps its ascents.
type kept struct {
	Climber
	sides   []int
	mutex   sync.Mutex
	ascents []Ascent // by start, with no sweeps where it has not been climbed from
}

// Climb implements Climber.
func (k *kept) Climb(ctx context.Context, start []int) (Ascent, error) {
	x := 0
	for i, side := range k.sides {
		x = x*side + start[i]
	}
	k.mutex.Lock()
	a := k.ascents[x]
	k.mutex.Unlock()
	if a.Sweeps > 0 {
		return a, nil
	}
	a, err := k.Climber.Climb(ctx, start)
	if err != nil {
		return a, err
	}
	k.mutex.Lock()
	k.ascents[x] = a
	k.mutex.Unlock()
	return a, nil
}

// Restarts climbs from several starts that are drawn independently and uniformly from all hard starts, and returns the largest estimate.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.2, where variational Bayes is run so.
type Restarts struct {
	starts *HardStarts
	n      int
}

// NewRestarts returns the best of so many ascents, at least one. It keeps ascents, as Keep does.
func NewRestarts(climber Climber, restarts int) (*Restarts, error) {
	if err := CheckRestarts(restarts); err != nil {
		return nil, err
	}
	return &Restarts{NewHardStarts(Keep(climber)), restarts}, nil
}

// CheckRestarts returns an error where that is no number of restarts.
func CheckRestarts(n int) error {
	if n < 1 || n > MaxDraws {
		return fmt.Errorf("%d restarts; give a whole number from 1 to %d", n, MaxDraws)
	}
	return nil
}

// Estimate implements Estimator. It panics with the error of Climb where that fails.
func (r *Restarts) Estimate(c chains.Chooser) float64 {
	a, err := best(r.n, func() (Ascent, error) { return r.starts.ascend(context.Background(), c) })
	if err != nil {
		panic(err)
	}
	return a.Value
}

// Work implements Estimator: the mean over all starts, from each of which it climbs. It is NaN where CheckStarts refuses that, and
// where an ascent fails.
func (r *Restarts) Work() Work {
	unknown, climber := Work{Evaluations: math.NaN()}, r.starts.climber
	if CheckStarts(climber) != nil {
		return unknown
	}
	sweeps, starts, start := 0, int(StartsOf(climber)), make([]int, len(r.starts.sides))
	for x := range starts {
		StartOf(start, r.starts.sides, x)
		a, err := climber.Climb(context.Background(), start)
		if err != nil {
			return unknown
		}
		sweeps += a.Sweeps
	}
	return climber.Work(float64(r.n) * float64(sweeps) / float64(starts))
}

// Combination implements Estimator.
func (*Restarts) Combination() Combination { return Maximum }

// StartsOf returns the number of hard starts of a climber, which may be +Inf.
func StartsOf(climber Climber) float64 {
	starts := 1.0
	for _, side := range climber.Sides() {
		starts *= float64(side)
	}
	return starts
}

// StartOf writes start number x of those of variables with the given numbers of values. The last variable runs fastest, so that on
// a lattice start x is state x.
func StartOf(start, sides []int, x int) {
	for i := len(sides) - 1; i >= 0; i-- {
		start[i] = x % sides[i]
		x /= sides[i]
	}
}

// maxOperations bounds the multiplications of one sweep from every start. An ascent takes some tens of sweeps, so that the ascents from
// all starts then take some seconds.
const maxOperations = 1 << 25

// CheckStarts returns an error where climbing from all starts would take too long.
func CheckStarts(climber Climber) error {
	starts := StartsOf(climber)
	if each := climber.Operations(); !(starts*each <= maxOperations) {
		return fmt.Errorf("%.3g starts, from each of which a sweep takes about %.3g multiplications: %.2g together, and at most %.2g are made; take a smaller space, as that of fewer data or fewer clusters", starts, each, starts*each, float64(maxOperations))
	}
	return nil
}
