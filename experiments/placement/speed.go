package placement

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/stages"
)

// maxPlaced is the largest T for which all betas are kept in memory.
const maxPlaced = 10_000_000

// errFlat is the reason why no schedule of constant speed is defined.
var errFlat = errors.New("all distributions on the path are equal, so that all schedules are equally good")

// The metrics.
func fisherMetric() metric    { return metric{"fisher", fisher, false} }
func frictionMetric() metric  { return metric{"friction", friction, true} }
func rejectionMetric() metric { return metric{"rejection", rejection2, false} }

func fisher(ctx context.Context, path chains.Path, _ *chains.Transitions,
	beta float64) (number.Bounded, error) {
	return number.Exactly(soon(ctx, path, func() float64 { return stages.FisherInformation(path, beta) })), ctx.Err()
}

func friction(ctx context.Context, path chains.Path, moves *chains.Transitions,
	beta float64) (number.Bounded, error) {
	if moves.Kernel() == nil {
		return number.Bounded{}, chains.ErrByStage(moves)
	}
	return stages.Friction(ctx, path, moves.Kernel(), beta)
}

// rejection2 is the square of the rate of rejected exchanges; its root is the speed at which the
// rate grows.
func rejection2(ctx context.Context, path chains.Path, _ *chains.Transitions,
	beta float64) (number.Bounded, error) {
	r := soon(ctx, path, func() float64 { return stages.RejectionRate(path, beta) })
	return number.Exactly(r * r), ctx.Err()
}

// onSpeed returns the placement of constant speed in a metric.
func onSpeed(m metric) placing {
	return func(ctx context.Context, g *Ground) (Placement, error) {
		c, err := g.length(ctx, m)
		if err != nil {
			return Placement{}, err
		}
		return Placement{
			Place: withoutDoubt(func(ctx context.Context, T int) (chains.Schedule, error) {
				if err := placeable(T, maxPlaced); err != nil {
					return nil, err
				}
				betas := make([]float64, T)
				for i := range T - 2 {
					if ctx.Err() != nil {
						return nil, ctx.Err()
					}
					betas[i+1] = max(betas[i], c.Inverse(float64(i+1)/float64(T-1)))
				}
				betas[T-1] = 1
				return schedules.NewPoints("constant speed", betas)
			}),
			Speed: constantSpeed(c),
		}, nil
	}
}

func placeable(T, limit int) error {
	switch {
	case T == 0:
		return errs.New("the number of distributions is missing; give it, as in {T|T =} 100")
	case T < 2:
		return schedules.Linear{}.Validate(T)
	case T > limit:
		return errs.New("%d distributions; at most %d are placed one by one", T, limit)
	}
	return nil
}

// constantSpeed returns db/du of the schedule with constant speed: it is proportional to one over
// the speed of the path.
func constantSpeed(c *stages.Curve) *Speed {
	return &Speed{At: func(beta float64) float64 { return c.Total() / c.ValueAt(beta) }, breaks: c.Breaks()}
}

// Limit is the limit of T B, in nats, as T grows: the integral of s2(b) (db/du)^2 over u. Here s2,
// the friction of the kernel, is the asymptotic variance of d log f/d beta under its chain.
//
// Source: Sivak and Crooks 2012; Grosse, Maddison and Salakhutdinov 2013, section 3.
type Limit struct {
	root *stages.Curve // the square root of s2, which varies less than s2 and keeps more digits if s2 is huge
	lost float64       // the relative error of s2
}

// NewLimit returns the limit on a ground. The friction of its kernel must be defined (see
// stages.Friction).
func NewLimit(ctx context.Context, g *Ground) (*Limit, error) {
	c, err := g.length(ctx, frictionMetric())
	if err != nil {
		return nil, err
	}
	return &Limit{c, g.lost + 2*c.Bounded().Lost()}, nil
}

// LimitOf returns the limit for a family's speed. It is +Inf if speed is nil.
func (l *Limit) LimitOf(speed *Speed) (number.Bounded, error) {
	if speed == nil {
		return number.Exactly(math.Inf(1)), nil
	}
	c, err := stages.NewCurve(func(beta float64) (float64, error) {
		root := l.root.ValueAt(beta)
		if root == 0 { // the distributions do not change here: any speed will do
			return 0, nil
		}
		return root * root * speed.At(beta), nil
	}, append(l.root.Breaks(), speed.breaks...), 1)
	if err != nil {
		return number.Bounded{}, err
	}
	return number.Within(c.Total(), c.Bounded().Lost()+l.lost), nil
}

// Least returns the smallest limit of any schedule: the square of the integral of sqrt(s2) over
// beta, with s2 the friction (see Limit).
func (l *Limit) Least() number.Bounded { return number.Within(l.root.Total()*l.root.Total(), l.lost) }

// Ground is a path with the transitions of its annealings, on which distributions are placed. It
// stores the lengths of the path, each of which takes a metric at hundreds of betas, so that
// families, limits and searches share them. Only one goroutine may use it.
type Ground struct {
	path    chains.Path
	levels  chains.Path // the same, for quantities that do not depend on the kernel; nil before it is needed
	moves   *chains.Transitions
	workers int                      // the number of betas that are evaluated at once
	Classes bool                     // whether the states are classes of states
	lengths map[string]*stages.Curve // by the name of the metric
	lost    float64                  // the largest relative error of a metric
}

// NewGround returns the ground of a path with transitions. With a built-in kernel, up to workers
// goroutines evaluate betas at once, with the same results for any number; zero is one. An external
// kernel is evaluated at one beta after another.
func NewGround(path chains.Path, moves *chains.Transitions, workers int) *Ground {
	if k := moves.Kernel(); k == nil || !chains.OfLibrary(k) {
		workers = 1
	}
	return &Ground{path: path, moves: moves, workers: max(1, workers), lengths: map[string]*stages.Curve{}}
}

// merged returns the path for quantities that do not depend on the kernel.
func (g *Ground) merged(ctx context.Context) chains.Path {
	if g.levels == nil {
		g.levels = paths.Levels(ctx, g.path)
	}
	return g.levels
}

// metric is the squared speed of a path at a beta. A schedule of constant speed has db/du
// proportional to one over its square root.
type metric struct {
	name string
	at   func(ctx context.Context, path chains.Path, moves *chains.Transitions,
		beta float64) (number.Bounded, error)
	asks bool // whether it depends on the kernel
}

// length returns the square root of a metric as a curve over beta, whose integral is the length of
// the path.
func (g *Ground) length(ctx context.Context, m metric) (*stages.Curve, error) {
	if c := g.lengths[m.name]; c != nil {
		return c, nil
	}
	path := g.path
	if !m.asks {
		path = g.merged(ctx)
	}
	var lost sync.Mutex
	c, err := stages.NewCurve(func(beta float64) (float64, error) {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		v, err := m.at(ctx, path, g.moves, beta)
		if err == nil && !(v.Value >= 0) {
			err = fmt.Errorf("the variance at beta %v is %v", beta, v.Value)
		}
		if v.Value > 0 {
			lost.Lock()
			g.lost = max(g.lost, v.Lost())
			lost.Unlock()
		}
		return math.Sqrt(v.Value), err
	}, stages.Turns(path), g.workers)
	if err != nil {
		return nil, err
	}
	if !(c.Total() > 0) {
		return nil, errFlat
	}
	g.lengths[m.name] = c
	return c, nil
}
