package evidence

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/exact/laws"
)

func nestedForm() form {
	return form{
		Syntax:  "ns[:K[:label|strict|together[:paper|unbiased|exp|lower[:last]]]]",
		Source:  paper + ", section 5.3; Skilling 2006",
		Example: "ns:2:label:paper",
		Doc: "nested sampling with K particles, by exact draws (label, strict) or M kernel steps " +
			"(together); paper, unbiased, exp and lower are the volumes, last the end (help logz)",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			o := estimators.NestedOptions{}
			if !args.Given {
				return nestedChoice("ns", o), nil
			}
			if text, lower := strings.CutSuffix(args.Text, ":"+lowerSum); lower &&
				strings.Count(args.Text, ":") == 2 {
				paper := args
				paper.Text = text + ":" + estimators.VolumePaper.String()
				c, err := nestedForm().Parse(paper, selector.Nothing{})
				if err != nil {
					return c, err
				}
				return c.lowered(args)
			}
			parts := strings.Split(args.Text, ":")
			var err error
			o.Particles, err = selector.ParseWhole(parts[0], 2, estimators.MaxDraws)
			if err != nil {
				return Choice{}, args.Errorf("the number of particles: %w", err)
			}
			o.Last = len(parts) == 4 && parts[3] == lastSingly
			if len(parts) > 3 && !o.Last {
				return Choice{}, args.Errorf(
					"%q is too much; write K, ties, volume and %s, in this order, as far as needed",
					strings.Join(parts[3:], ":"),
					lastSingly,
				)
			}
			if len(parts) > 1 {
				o.Ties, err = named("ties",
					parts[1], estimators.TiesLabel, estimators.TiesStrict, estimators.TiesTogether)
				if err != nil {
					return Choice{}, args.Wrap(err)
				}
			}
			if len(parts) > 2 {
				volumes := []estimators.Volume{
					estimators.VolumePaper, estimators.VolumeUnbiased, estimators.VolumeExp}
				at := slices.IndexFunc(volumes, func(v estimators.Volume) bool { return v.String() == parts[2] })
				if at < 0 {
					return Choice{}, args.Wrap(selector.UnknownError("volume",
						parts[2], []string{"paper", "unbiased", "exp", lowerSum}))
				}
				o.Volume = volumes[at]
			}
			if err := o.Validate(); err != nil {
				return Choice{}, args.Wrap(err)
			}
			return nestedChoice(nestedName(o), o), nil
		},
	}
}

// lastSingly follows the volumes if the last particles leave one by one.
const lastSingly = "last"

// lowerSum replaces the volumes for the lower sum of Eq. 48.
const lowerSum = "lower"

// lowered returns nested sampling by the lower sum, in which the likelihood of a particle has the
// volume after it, not before it. With the volumes of that article this is K/(K+1) of the other
// sum, if one particle leaves per step.
//
// Source: Grosse, Ghahramani and Adams 2015, section 5.3 and Eq. 48.
func (c Choice) lowered(args selector.Args) (Choice, error) {
	if c.byLaw {
		return c, args.Errorf(
			"the lower sum needs steps in which one particle leaves; write label or strict, or leave %s out",
			lowerSum,
		)
	}
	text, _ := strings.CutSuffix(args.Text, ":"+lowerSum)
	less := math.Log1p(1 / float64(c.particles))
	makes := c.make
	law := c.law
	c.make = func(ctx context.Context, t *target, m finite,
		n int) (estimators.Estimator[chains.Chooser], error) {
		e, err := makes(ctx, t, m, n)
		return &wholeEstimator{e, less}, err
	}
	c.law = func(ctx context.Context, t *target, n, workers int) (laws.Law, error) {
		l, err := law(ctx, t, n, workers)
		return &wholeLaw{l, less}, err
	}
	_, ties, _ := strings.Cut(text, ":")
	c.Name = fmt.Sprintf("ns:%d:%s:%s", c.particles, ties, lowerSum)
	return c, nil
}

// named returns the choice with a name.
func named[T fmt.Stringer](what, name string, choices ...T) (T, error) {
	var names []string
	for _, c := range choices {
		names = append(names, c.String())
		if c.String() == name {
			return c, nil
		}
	}
	var none T
	return none, selector.UnknownError(what, name, names)
}

// nestedName returns the shortest selector of nested sampling with a number of particles.
func nestedName(o estimators.NestedOptions) string {
	name := fmt.Sprintf("ns:%d", o.Particles)
	switch {
	case o.Last:
		return name + ":" + o.Ties.String() + ":" + o.Volume.String() + ":" + lastSingly
	case o.Volume != estimators.VolumePaper:
		return name + ":" + o.Ties.String() + ":" + o.Volume.String()
	case o.Ties != estimators.TiesLabel:
		return name + ":" + o.Ties.String()
	}
	return name
}

// nestedChoice returns nested sampling. Its setting is the number of particles if none is given,
// otherwise the number M of kernel steps if these draw the particles, otherwise none.
func nestedChoice(name string, o estimators.NestedOptions) Choice {
	byMoves := o.Ties == estimators.TiesTogether
	free := o.Particles == 0
	with := func(n int) estimators.NestedOptions {
		p := o
		switch {
		case free:
			p.Particles = n
		case byMoves:
			p.Moves = n
		}
		return p
	}
	c := Choice{name, family{
		fits:     singleStates("ns"),
		smallest: 2, fixed: func(*target) bool { return !free && !byMoves }, particles: o.Particles,
		unbiased: o.Ties == estimators.TiesLabel && o.Volume == estimators.VolumeUnbiased,
		settings: func(_ *target, n int) string {
			p := with(n)
			if byMoves {
				return fmt.Sprintf("K=%d M=%d", p.Particles, p.Moves)
			}
			return draws(nil, p.Particles)
		},
		make: func(_ context.Context, _ *target, m finite,
			n int) (estimators.Estimator[chains.Chooser], error) {
			return estimators.NewNested(m, with(n))
		},
		law: func(ctx context.Context, t *target, n, workers int) (laws.Law, error) {
			return laws.NewNestedLaw(ctx, t.Target, with(n), workers)
		},
	}}
	switch {
	case byMoves:
		c.smallest = 0
		c.byLaw = true
		c.letter = "M"
	case free:
		c.letter = "K"
	}
	return c
}
