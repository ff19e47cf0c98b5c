package evidence

import (
	"context"
	"fmt"
	"strings"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/exact/laws"
)

func nestedForm() form {
	return form{
		Syntax: "ns[:K[:label|strict|together[:paper|unbiased|exp]]]", Source: paper + ", section 5.3; Skilling 2006", Example: "ns:2:label:paper",
		Doc: "nested sampling with K particles, by exact draws (label, strict) or by M moves (together)",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			o := estimators.NestedOptions{}
			if !args.Given {
				return nestedChoice("ns", o), nil
			}
			parts := strings.Split(args.Text, ":")
			var err error
			if o.Particles, err = selector.ParseWhole(parts[0], 2, estimators.MaxDraws); err != nil {
				return Choice{}, args.Errorf("the number of particles: %w", err)
			}
			if len(parts) > 3 {
				return Choice{}, args.Errorf("%q is too much; write as much of K, ties and volume as is needed", strings.Join(parts[3:], ":"))
			}
			if len(parts) > 1 {
				if o.Ties, err = named("ties", parts[1], estimators.TiesLabel, estimators.TiesStrict, estimators.TiesTogether); err != nil {
					return Choice{}, args.Wrap(err)
				}
			}
			if len(parts) > 2 {
				if o.Volume, err = named("volume", parts[2], estimators.VolumePaper, estimators.VolumeUnbiased, estimators.VolumeExp); err != nil {
					return Choice{}, args.Wrap(err)
				}
			}
			return nestedChoice(nestedName(o), o), nil
		},
	}
}

// named returns the one of some choices that has a name.
func named[T fmt.Stringer](what, name string, choices ...T) (T, error) {
	var names []string
	for _, c := range choices {
		if names = append(names, c.String()); c.String() == name {
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
	case o.Volume != estimators.VolumePaper:
		return name + ":" + o.Ties.String() + ":" + o.Volume.String()
	case o.Ties != estimators.TiesLabel:
		return name + ":" + o.Ties.String()
	}
	return name
}

// nestedChoice returns nested sampling. Without a number of particles that is its setting; where particles are drawn by moves, their
// number M is; and else it has none.
func nestedChoice(name string, o estimators.NestedOptions) Choice {
	byMoves, free := o.Ties == estimators.TiesTogether, o.Particles == 0
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
	c := Choice{name, strings.Replace(strings.ToUpper(name[:2])+name[2:], ":", " ", -1), family{
		smallest: 2, fixed: func(*target) bool { return !free && !byMoves }, nested: true, particles: o.Particles,
		settings: func(_ *target, n int) string {
			p := with(n)
			if byMoves {
				return fmt.Sprintf("K=%d M=%d", p.Particles, p.Moves)
			}
			return draws(nil, p.Particles)
		},
		make: func(_ context.Context, _ *target, m finite, n int) (estimators.Estimator[chains.Chooser], error) {
			return estimators.NewNested(m, with(n))
		},
		law: func(ctx context.Context, t *target, n, workers int) (laws.Law, error) {
			return laws.NewNestedLaw(ctx, t.Target, with(n), workers)
		},
	}}
	switch {
	case byMoves:
		c.smallest, c.byLaw, c.letter = 0, true, "M"
	case free:
		c.letter = "K"
	}
	return c
}
