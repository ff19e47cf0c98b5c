package samplers

import (
	"context"
	"strings"

	"breadboard/exact/averages"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
)

// Names of the parameters that the studies of samplers have of their own.
const (
	ParamStart    = "start"
	ParamFunction = "function"
	ParamN        = "N"
	ParamWarmup   = "warmup"
)

// ChainParameters returns the parameters that studies of chains at a target have in common, with defaults of the start. Such a study has no
// path, schedule or T.
func ChainParameters(starts ...string) []experiments.Parameter {
	parameters := experiments.Common("toy", "kernel")
	parameters[1] = parameters[1].WithDefaults("metropolis", "heatbath")
	start := experiments.Parameter{
		Name: ParamStart, Doc: "the law of the first sample: " + strings.Join(experiments.LawForms().Syntaxes(), ", "),
		Defaults: experiments.Just(starts...), Canonical: canonicalStart,
	}
	warmup := experiments.Whole(ParamWarmup, "moves that are made before the first sample", 0, MaxWarmup, 0)
	return append(parameters, start, warmup)
}

// FunctionParameter returns the parameter of the function whose average is estimated.
func FunctionParameter() experiments.Parameter {
	return experiments.Parameter{
		Name: ParamFunction, Doc: "the function of the state: " + strings.Join(FunctionSyntaxes(), ", "), Defaults: experiments.Just("x0"),
		Canonical: func(text string) (string, error) { return strings.ReplaceAll(text, " ", ""), nil },
	}
}

// SamplesParameter returns the parameter of the number of samples.
func SamplesParameter(defaults ...int) experiments.Parameter {
	return experiments.Whole(ParamN, "the number of samples, the start among them", 1, averages.MaxSquaring, defaults...)
}

// SamplesOption returns the option of the numbers of samples.
func SamplesOption[O any, I int | int64](of func(o *O) *[]I, doc string, swept *experiments.Parameter) study.Option[O] {
	return study.Option[O]{
		Name: "samples", Letter: "N", Doc: doc, Swept: swept,
		Value: func(o *O) study.Value { return study.Wholes(of(o), "N", 1, averages.MaxSquaring) },
	}
}

// canonicalStart returns the canonical form of a start. Whether a toy has the state that it names is found out with the case.
func canonicalStart(text string) (string, error) {
	forms := experiments.LawForms()
	forms.What = "start"
	if !forms.Named(text) || strings.Contains(text, ":") && forms.Bare(text) {
		return "", forms.Unknown(text)
	}
	return text, nil
}

// Build is the Build of the studies: the toy, and the kernel in canonical form.
func Build(ctx context.Context, params experiments.Params) ([]experiments.Case, error) {
	toy, err := experiments.ParseToy(ctx, params.Get("toy"))
	if err != nil {
		return nil, err
	}
	_, name, err := Selection{}.kernel(ctx, toy, params.Get("kernel"))
	if err != nil {
		return nil, err
	}
	return []experiments.Case{{Toy: toy, Params: experiments.Params{{Name: "kernel", Value: name}}}}, nil
}

// Subject is the Subject of the studies: the problem that a case describes, with no function where the study has none.
func Subject(ctx context.Context, c *experiments.Case, params experiments.Params) (Problem, error) {
	s := Selection{Starts: []string{params.Get(ParamStart)}, Warmup: params.Int(ParamWarmup)}
	if f := params.Get(ParamFunction); f != "" {
		s.Functions = []string{f}
	}
	p, err := s.Problem(ctx, c.Toy, params.Get("kernel"))
	if err != nil {
		return Problem{}, err
	}
	return *p, nil
}

// SettingColumns returns the fields that say of which chains, which function and how many samples a row of a study of samplers is.
// The warm-up is for machines.
func SettingColumns[R any](of func(*R) *Setting, names ...string) []columns.Field[R] {
	all := []columns.Field[Setting]{
		{Column: columns.Column{Name: "toy", Type: columns.String, Title: "toy", Meaning: columns.MeansRows}, Of: func(s *Setting) any { return s.Toy.Name }},
		{Column: columns.Column{Name: "kernel", Type: columns.String, Title: "kernel", Meaning: columns.MeansKernel}, Of: func(s *Setting) any { return s.Kernel }},
		{Column: columns.Column{Name: "start", Type: columns.String, Title: "start", Meaning: "where chains start"}, Of: func(s *Setting) any { return s.Start.Name }},
		{Column: columns.Column{Name: "function", Type: columns.String, Title: "function", Meaning: "the function of the state whose mean is estimated"}, Of: func(s *Setting) any { return s.Function.Name }},
		{Column: columns.Column{Name: "N", Type: columns.Int, Title: "N", Meaning: "the number of samples of a chain"}, Of: func(s *Setting) any { return int(s.N) }},
		{Column: columns.Column{Name: "warmup", Type: columns.Int, Meaning: "the number of moves of a chain before its first sample"}, Of: func(s *Setting) any { return s.Warmup }},
	}
	var fields []columns.Field[Setting]
	for _, name := range names {
		for _, f := range all {
			if f.Name == name {
				fields = append(fields, f)
			}
		}
	}
	return columns.Lift(fields, of)
}

const (
	// SuccessRESS is the real effective sample size from which chains have succeeded: their root mean squared error is then at most 0.29
	// standard deviations.
	//
	// Source: Turner and Neal 2017, section 5, after MacKay 2003.
	SuccessRESS = 12
	// MaxChains is the largest number of chains that a study sets side by side.
	MaxChains = 1000
)
