// Package placement answers: where on a path should the distributions of an annealing sit? It
// places them by families of schedules, some of which depend on the path and the kernel, and
// searches the best of all schedules. It never simulates: every quantity that a schedule uses is
// exact.
//
// Optimize minimises B, J or a one-sided divergence over all schedules that never decrease. It
// descends from several starts on the exact gradient by every beta. The adjoint of the propagation
// gives this gradient in about five times the time of a solution (package gradient).
package placement

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/exact/gradient"
)

// Family is a way to place any number of distributions.
type Family struct {
	Name      string             // the selector of the family, with the user's name in front if there is one
	OwnLength bool               // whether the family itself determines the number of distributions
	Objective gradient.Objective // for which the schedules are best; empty for others
	on        placing
}

// placing is a function that returns the placement of a family on a ground.
type placing func(ctx context.Context, g *Ground) (Placement, error)

// Placement is a family on one path with one kernel.
type Placement struct {
	// Place returns the schedule with T distributions. T = 0 means the family's own number, and is
	// an error if the family has none. If it has one, any other T is an error. Place fails
	// if the context ends.
	Place func(ctx context.Context, T int) (Placed, error)
	// Speed is the limit of the schedule for many distributions; nil if there is no such limit.
	Speed *Speed
}

// Placed is a schedule that a family has placed.
type Placed struct {
	Schedule chains.Schedule
	Doubt    string // why it may not be what it is to be; empty if there is no such doubt
}

// withoutDoubt returns Place of a family whose schedules are what they are to be.
func withoutDoubt(place func(ctx context.Context, T int) (chains.Schedule, error)) func(context.Context,
	int) (Placed, error) {
	return func(ctx context.Context, T int) (p Placed, err error) {
		p.Schedule, err = place(ctx, T)
		return p, err
	}
}

// Speed is db/du of a schedule at b in the limit of many distributions, u = (t-1)/(T-1).
type Speed struct {
	At     func(beta float64) float64
	breaks []float64 // the betas at which the speed is not smooth
}

// On returns the family's placement for a path and a kernel. It fails if the quantity that the
// family equalises is not defined, and if the context ends.
func (f Family) On(ctx context.Context, path chains.Path, moves *chains.Transitions) (Placement, error) {
	return f.OnGround(ctx, NewGround(path, moves, 1))
}

// OnGround is On for a ground, which shares what the family computes on the path with other
// families.
func (f Family) OnGround(ctx context.Context, g *Ground) (Placement, error) {
	p, err := f.on(ctx, g)
	if err != nil {
		return p, fmt.Errorf("schedule %s: %w", f.Name, err)
	}
	return p, nil
}

// Unread returns a family that no ground has, because its selector cannot be read.
func Unread(text string, err error) Family {
	return Family{Name: text, on: func(context.Context, *Ground) (Placement, error) { return Placement{}, err }}
}

// Forms are the forms of the selectors that Parse reads: those of schedules.Parse, and of the
// families that depend on the path and the kernel.
func Forms() selector.Set[selector.Nothing, Family] {
	fixed := selector.AdaptSet(schedules.Forms(), selector.Identity[selector.Nothing], fixedFamily)
	return selector.Insert(fixed, "file",
		looking("fisher", onSpeed(fisherMetric()),
			"db/du proportional to 1/sqrt(I(b)), I the variance of d log f_b/db under p_b",
			"Gelman and Meng 1998; Crooks 2007"),
		looking("friction", onSpeed(frictionMetric()),
			"db/du proportional to 1/sqrt(s2(b)), s2 its asymptotic variance under the kernel",
			"Sivak and Crooks 2012"),
		looking("acceptance", onSteps(rejection(), rejectionMetric()),
			"equal rates of exchange between neighbours, E min(1, p_{t-1}(y) p_t(x)/(p_{t-1}(x) p_t(y)))",
			"Predescu, Predescu and Ciobanu 2004"),
		looking("step-kl", onSteps(stepKL(), fisherMetric()), "equal KL(p_{t-1} || p_t)", ""),
		cessForm, bestForm)
}

// familyForm is how a family is selected.
type familyForm = selector.Form[selector.Nothing, Family]

// looking returns the form of a family that depends on the path, or on the path and the kernel.
func looking(name string, on placing, formula, source string) func() familyForm {
	return func() familyForm {
		return familyForm{
			Syntax: name, Doc: formula, Source: source, Example: name,
			Parse: func(selector.Args, selector.Nothing) (Family, error) {
				return Family{Name: name, on: on}, nil
			},
		}
	}
}

// cessForm is how the families of equal conditional effective sample sizes are selected.
func cessForm() familyForm {
	return familyForm{
		Syntax:  "cess[:RHO]",
		Doc:     "equal conditional ESS, 1/E_{t-1}[(p_t/p_{t-1})^2]; it is RHO if given, which determines T",
		Source:  "Zhou, Johansen and Aston 2016, section 3",
		Example: "cess:0.9",
		Parse: func(args selector.Args, _ selector.Nothing) (Family, error) {
			if !args.Given {
				return Family{Name: "cess", on: onSteps(lostESS(), fisherMetric())}, nil
			}
			rho, err := selector.ParseNumber(args.Text)
			if err != nil || !(rho > 0 && rho < 1) {
				return Family{}, args.Errorf("%q is not a fraction between 0 and 1; write one, as in cess:0.9", args.Text)
			}
			return Family{Name: fmt.Sprintf("cess:%v", rho), OwnLength: true, on: onThreshold(rho)}, nil
		},
	}
}

// Parse returns the family of a selector of a set, such as Forms, each of which has its formula and
// its source.
func Parse(text string, forms selector.Set[selector.Nothing, Family]) (f Family, err error) {
	name, text, err := forms.Listing.CutName(text)
	if err != nil {
		return f, err
	}
	f, err = forms.Parse(text, selector.Nothing{})
	if err != nil {
		return f, err
	}
	f.Name = selector.WithName(name, f.Name)
	return f, nil
}

// fixedFamily returns the family of a schedule that depends neither on the path nor on the kernel.
func fixedFamily(s chains.Schedule) Family {
	_, own := s.(*schedules.Points)
	return Family{Name: s.String(), OwnLength: own, on: onFixed(s)}
}

// onFixed returns the placement of a schedule that depends neither on the path nor on the kernel.
func onFixed(s chains.Schedule) placing {
	place := func(_ context.Context, T int) (chains.Schedule, error) {
		points, given := s.(*schedules.Points)
		if T == 0 && given {
			T = points.Len()
		}
		return s, s.Validate(T)
	}
	return func(context.Context, *Ground) (Placement, error) {
		return Placement{Place: withoutDoubt(place), Speed: fixedSpeed(s)}, nil
	}
}

// fixedSpeed returns db/du as a function of b.
func fixedSpeed(s chains.Schedule) *Speed {
	switch s := s.(type) {
	case schedules.Linear:
		return &Speed{At: func(float64) float64 { return 1 }}
	case schedules.Sigmoid: // b = (s(a) - s(-D)) / (s(D) - s(-D)) with a = D (2u - 1)
		span := math.Tanh(s.Delta / 2)
		low := 1 / (1 + math.Exp(s.Delta))
		return &Speed{At: func(b float64) float64 {
			at := low + b*span
			return 2 * s.Delta * at * (1 - at) / span
		}}
	case schedules.Power:
		return &Speed{At: func(b float64) float64 { return s.P * math.Pow(b, 1-1/s.P) }}
	case *schedules.Curve:
		return curveSpeed(s)
	}
	return nil
}

// curveSpeed returns db/du of a curve: on each of its line segments the slope. A segment with
// constant beta passes over no betas, so that it has no speed.
func curveSpeed(c *schedules.Curve) *Speed {
	ends := []float64{0}
	slopes := []float64{}
	for k := 1; k < c.Points(); k++ {
		if low, high := c.Point(k-1), c.Point(k); high > low {
			ends, slopes = append(ends, high), append(slopes, (high-low)*float64(c.Points()-1))
		}
	}
	return &Speed{
		At: func(b float64) float64 {
			line, _ := slices.BinarySearch(ends[1:], b) // the first line that ends at b or above it
			return slopes[min(line, len(slopes)-1)]
		},
		breaks: ends[1 : len(ends)-1],
	}
}

// Measured: the cost of placing a schedule that depends on the path. Equal steps: seconds per state
// and step. Constant speed: seconds per state, without the kernel and with it, and seconds per
// step. Both: bytes per step.
const (
	equalCost    = 1.5e-6
	fisherCost   = 3e-6
	frictionCost = 300e-6
	pointCost    = 1.2e-6
	pointBytes   = 32
)

// Cost estimates the seconds and bytes that the named family takes to place T distributions on a
// space with the given number of states, where a solution by the general method takes some seconds,
// on one core of the machine of the README. It is zero for schedules that are not placed, and for
// cess:RHO, whose number of distributions is not known in advance.
func Cost(name string, T, states int, general float64) (seconds, memory float64) {
	steps := float64(T - 1)
	size := float64(states)
	_, name = selector.SplitName(name)
	form, objective, _ := strings.Cut(name, ":")
	if form == best {
		return costOfBest(gradient.Objective(objective), T, states, general)
	}
	switch name {
	case "acceptance", "step-kl", "cess":
		return steps * size * equalCost, steps * pointBytes
	case "fisher":
		return size*fisherCost + steps*pointCost, steps * pointBytes
	case "friction":
		return size*frictionCost + steps*pointCost, steps * pointBytes
	}
	return 0, 0
}
