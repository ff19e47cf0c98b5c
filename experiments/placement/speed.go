package placement

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/exact/stages"
)

// maxPlaced is the largest T for which all betas are kept in memory.
const maxPlaced = 10_000_000

// errFlat says why no schedule of constant speed is defined.
var errFlat = errors.New("the distributions on the path do not differ; every schedule is as good")

// metric returns the squared speed of the path at a beta. A schedule of constant speed has db/du proportional to one over
// its square root.
type metric func(ctx context.Context, path chains.Path, moves *chains.Transitions, beta float64) (float64, error)

func fisher(ctx context.Context, path chains.Path, _ *chains.Transitions, beta float64) (float64, error) {
	return soon(ctx, path, func() float64 { return stages.FisherInformation(path, beta) }), ctx.Err()
}

func friction(ctx context.Context, path chains.Path, moves *chains.Transitions, beta float64) (float64, error) {
	if moves.Kernel() == nil {
		return 0, chains.ErrByStage(moves)
	}
	return stages.Friction(ctx, path, moves.Kernel(), beta)
}

// length returns the square root of a metric as a curve over beta, whose integral is the length of the path.
func length(ctx context.Context, path chains.Path, moves *chains.Transitions, m metric) (*stages.Curve, error) {
	c, err := stages.NewCurve(func(beta float64) (float64, error) {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		v, err := m(ctx, path, moves, beta)
		if err == nil && !(v >= 0) {
			err = fmt.Errorf("a variance at beta %v came out as %v", beta, v)
		}
		return math.Sqrt(v), err
	}, path.Kinks())
	if err != nil {
		return nil, err
	}
	if !(c.Total() > 0) {
		return nil, errFlat
	}
	return c, nil
}

// onSpeed returns the placement of constant speed in a metric.
func onSpeed(m metric) placing {
	return func(ctx context.Context, path chains.Path, moves *chains.Transitions) (Placement, error) {
		c, err := length(ctx, path, moves, m)
		if err != nil {
			return Placement{}, err
		}
		return Placement{
			Place: func(ctx context.Context, T int) (chains.Schedule, error) {
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
			},
			Speed: constantSpeed(c),
		}, nil
	}
}

func placeable(T, limit int) error {
	switch {
	case T == 0:
		return chains.NewAdvice("the number of distributions is missing; give it, as in {T|T =} 100")
	case T < 2:
		return schedules.Linear{}.Validate(T)
	case T > limit:
		return fmt.Errorf("%d distributions; at most %d are placed one by one", T, limit)
	}
	return nil
}

// fisherSpeed returns the speed that schedules of equal steps in KL, or in conditional ESS, tend to as T grows.
func fisherSpeed(ctx context.Context, path chains.Path, moves *chains.Transitions) (*Speed, error) {
	return speed(ctx, path, moves, fisher)
}

// rejectionSpeed returns the speed that schedules of equal rates of exchange tend to as T grows.
func rejectionSpeed(ctx context.Context, path chains.Path, moves *chains.Transitions) (*Speed, error) {
	return speed(ctx, path, moves, func(ctx context.Context, path chains.Path, _ *chains.Transitions, beta float64) (float64, error) {
		r := soon(ctx, path, func() float64 { return stages.RejectionRate(path, beta) })
		return r * r, ctx.Err()
	})
}

func speed(ctx context.Context, path chains.Path, moves *chains.Transitions, m metric) (*Speed, error) {
	c, err := length(ctx, path, moves, m)
	if err != nil {
		return nil, err
	}
	return constantSpeed(c), nil
}

// constantSpeed returns the speed of the schedule, db/du, that moves at constant speed: it is proportional to one over the
// speed of the path.
func constantSpeed(c *stages.Curve) *Speed {
	return &Speed{At: func(beta float64) float64 { return c.Total() / c.At(beta) }, breaks: c.Breaks()}
}

// Limit is the limit of T B, in nats, as T grows: the integral of s2(b) (db/du)^2 over u, where s2 is the kernel's friction.
//
// Source: Sivak and Crooks 2012; Grosse, Maddison and Salakhutdinov 2013, section 3.
type Limit struct{ root *stages.Curve } // the square root of s2, which varies less and loses less where s2 is huge

// NewLimit returns the limit for a path and a kernel, for which the friction is defined (see geometry.Friction).
func NewLimit(ctx context.Context, path chains.Path, moves *chains.Transitions) (*Limit, error) {
	c, err := length(ctx, path, moves, friction)
	if err != nil {
		return nil, err
	}
	return &Limit{c}, nil
}

// Of returns the limit for a family's speed. It is +Inf where speed is nil.
func (l *Limit) Of(speed *Speed) (float64, error) {
	if speed == nil {
		return math.Inf(1), nil
	}
	c, err := stages.NewCurve(func(beta float64) (float64, error) {
		root := l.root.At(beta)
		if root == 0 { // the distributions do not change here, so that the speed does not matter
			return 0, nil
		}
		return root * root * speed.At(beta), nil
	}, append(l.root.Breaks(), speed.breaks...))
	if err != nil {
		return 0, err
	}
	return c.Total(), nil
}

// Least returns the least limit that any schedule has: the square of the integral of the root of s2.
func (l *Limit) Least() float64 { return l.root.Total() * l.root.Total() }
