package policy

import (
	"fmt"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/exact/policies"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

type form = selector.Form[*toys.Toy, policies.Model]

// Forms are the forms of the selectors of a pair of policies for a target.
func Forms() selector.Set[*toys.Toy, policies.Model] {
	return selector.NewSet("policy", maskedForm, orderForm, flowForm, jumpForm, fileForm)
}

// Parse returns the policies of a selector for a target.
func Parse(text string, toy *toys.Toy) (policies.Model, error) {
	if err := subject.NeedsStates(toy, "a policy"); err != nil {
		return nil, err
	}
	forms := Forms()
	_, text, err := forms.Listing.CutName(text)
	if err != nil {
		return nil, err
	}
	return forms.Parse(text, toy)
}

func maskedForm() form {
	return form{
		Syntax:  "masked:local|exact|independent[:C]",
		Example: "masked:local:0.8",
		Missing: "the conditionals: local:C, exact or independent",
		Doc:     "reveal the axes in random order; the backward policy masks one of them at random",
		Source:  "Uria, Murray and Larochelle 2014; Austin et al. 2021",
		Parse:   revealed(func(p *partial, of conditional) (policies.Model, error) { return newMasked(p, of), nil }),
	}
}

func orderForm() form {
	return form{
		Syntax:  "order:local|exact|independent[:C]",
		Example: "order:local:1",
		Missing: "the conditionals: local:C, exact or independent",
		Doc:     "reveal the axes row by row; the backward policy masks the last one",
		Parse:   revealed(func(p *partial, of conditional) (policies.Model, error) { return inOrder(p, of) }),
	}
}

// revealed returns a parser of policies that reveal the axes, given what makes them.
func revealed(make func(*partial, conditional) (policies.Model, error)) func(selector.Args,
	*toys.Toy) (policies.Model, error) {
	return func(args selector.Args, toy *toys.Toy) (m policies.Model, err error) {
		p, of, err := revealing(args, toy)
		if err == nil {
			m, err = make(p, of)
		}
		return m, args.Wrap(err)
	}
}

// revealing reads the conditionals of the axes of a target.
func revealing(args selector.Args, toy *toys.Toy) (*partial, conditional, error) {
	name, text := args.Cut()
	p, err := partialOf(toy)
	switch {
	case err != nil:
		return nil, nil, err
	case name == "local":
		c, err := selector.ParseNumber(text)
		if err != nil {
			return nil, nil, fmt.Errorf("the factor C: %w", err)
		}
		of, err := p.locally(toy, c)
		return p, of, err
	case name == "exact" && text == "":
		return p, p.exactly(), nil
	case name == "independent" && text == "":
		return p, p.independently(), nil
	}
	return nil, nil, fmt.Errorf("write local:C, exact or independent")
}

func flowForm() form {
	return form{
		Syntax:  "gflownet:uniform|exact|noisy[:S:SEED][:learned]",
		Example: "gflownet:noisy:0.5:1",
		Missing: "the forward policy: uniform, exact or noisy:S:SEED",
		Doc: "raise one coordinate in a step, or end: of variables with two values, add one element " +
			"to a set; the backward policy is uniform, or learned",
		Source: "Bengio et al. 2021",
		Parse: func(args selector.Args, toy *toys.Toy) (policies.Model, error) {
			text, learned := strings.CutSuffix(args.Text, ":learned")
			name, rest, _ := strings.Cut(text, ":")
			noise := 0.0
			seed := uint32(0)
			var err error
			switch {
			case name == "noisy":
				noise, seed, err = noiseOf(rest)
			case rest != "" || name != "uniform" && name != "exact":
				err = fmt.Errorf(
					"write uniform, exact or noisy:S:SEED, and :learned behind it for the best backward policy",
				)
			}
			if err != nil {
				return nil, args.Wrap(err)
			}
			t, err := flowOf(toy, name != "uniform", noise, seed, learned)
			return t, args.Wrap(err)
		},
	}
}

func jumpForm() form {
	return form{
		Syntax: "ctmc:STEPS[:euler|leap][:RATE]", Example: "ctmc:20:leap", Missing: "the number of steps",
		Doc:    "a jump process along the geometric path, in Euler steps or tau leaps",
		Source: "Gillespie 2001; Holderrieth, Albergo and Jaakkola 2025",
		Parse: func(args selector.Args, toy *toys.Toy) (policies.Model, error) {
			text, rest := args.Cut()
			steps, err := wholeNumber(text, "the number of steps", 1, maxSteps)
			if err != nil {
				return nil, args.Wrap(err)
			}
			leap := false
			for _, method := range []string{"leap", "euler"} {
				if rest == method || strings.HasPrefix(rest, method+":") {
					leap, rest = method == "leap", strings.TrimPrefix(rest[len(method):], ":")
				}
			}
			rate := 0.0
			if rest != "" {
				rate, err = selector.ParseNumber(rest)
				if err == nil && !(rate > 0) {
					err = errs.New("the rate is %v; give a number above 0", rate)
				}
			}
			if err != nil {
				return nil, args.Wrap(err)
			}
			t, err := jumpsOf(toy, int(steps), rate, leap)
			return t, args.Wrap(err)
		},
	}
}

func wholeNumber(text, what string, low, high float64) (float64, error) {
	n, err := selector.ParseWhole(text, low, high)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	return float64(n), nil
}

func fileForm() form {
	return form{
		Syntax: "file:PATH", Example: "file:layers.npz", Missing: "the path", File: selector.WholeArgument,
		Doc: "both policies as arrays forward_1, backward_1, ... (breadboard help policies)",
		Parse: func(args selector.Args, toy *toys.Toy) (policies.Model, error) {
			t, err := arraysOf(args.Text, toy)
			return t, args.Wrap(err)
		},
	}
}
