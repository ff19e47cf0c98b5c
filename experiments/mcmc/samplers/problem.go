package samplers

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/exact/averages"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports/columns"
	"breadboard/toys"
)

// Problem is a kernel on a target, with the starts of its chains and the functions whose averages
// they estimate.
type Problem struct {
	Toy    *toys.Toy
	Reader subject.Reader // that made the toy and the kernel
	// what the kernel is called: the user's name for it, or its selector in canonical form
	Kernel string
	Moves  chains.Kernel // the kernel itself, for combinations
	Named  string        // the selector of the kernel with the user's name in front, if there is one
	Chain  *averages.Chain
	// Evaluations is the mean number of evaluations of log f in a move; NaN if the kernel does not
	// state it (see chains.Evaluations).
	Evaluations float64
	// the distributions of parallel tempering, whose scans count as moves; nil for one chain
	Ladder    *chains.Annealing
	Warmup    int // the number of moves before the first sample
	Starts    []Start
	Functions []Function
}

// newProblem builds the problem of a kernel on a toy, without starts and functions. The name may
// have a name of the user's own in front.
func newProblem(ctx context.Context, toy *toys.Toy, k chains.Kernel, name string) (*Problem, error) {
	p := &Problem{Toy: toy, Kernel: selector.Called(name), Named: name, Moves: k, Evaluations: math.NaN()}
	if each, says := chains.Evaluations(k); says {
		p.Evaluations = each
	}
	var err error
	p.Chain, err = averages.New(ctx, k, toy.G)
	if err != nil {
		return nil, fmt.Errorf("toy %s: %w", toy.Name, toy.Explain(err))
	}
	return p, nil
}

// Name names the target and the kernel for an error or a note.
func (p *Problem) Name() string { return fmt.Sprintf("toy %s, kernel %s", p.Toy.Name, p.Kernel) }

// LeftOut says what all numbers about the problem omit; see subject.Case.LeftOut. Draws from a file
// may have no problem.
func (p *Problem) LeftOut() string {
	if p == nil || p.Toy == nil {
		return ""
	}
	return p.Toy.LeftOut()
}

// Parts returns the parameters that identify the problem.
func (p *Problem) Parts() subject.Params {
	return Parts(p.Toy, p.Kernel)
}

// Parts returns the parameters that identify the problem of a kernel on a toy.
func Parts(toy *toys.Toy, kernel string) subject.Params {
	return subject.Params{{Name: "toy", Value: toy.Name}, {Name: "kernel", Value: kernel}}
}

// wrong returns an error about the problem, with its name in front.
func (p *Problem) wrong(err error) error {
	return subject.NewFailure(p.Parts(), fmt.Errorf("%s: %w", p.Name(), err))
}

// Start is the distribution of the first sample.
type Start struct {
	Name string    // its selector
	Law  []float64 // a probability for each state, after the moves of the warm-up
}

// Function is a function of the state, or a vector of several.
type Function struct {
	Name  string // its selector
	Parts []*averages.Function
}

// IsScalar reports whether the function is scalar, not a vector.
func (f Function) IsScalar() bool { return len(f.Parts) == 1 }

// Work returns the evaluations of log f for N samples: one for the first state, and those of all
// moves, including the warm-up. It is NaN if the kernel does not state its cost.
func (p *Problem) Work(n int64) float64 { return 1 + (float64(p.Warmup)+float64(n-1))*p.Evaluations }

// Setting identifies the chains, the function and the number of samples of a row.
type Setting struct {
	*Problem
	Start    Start
	Function Function
	N        int64
}

// Settings returns the settings of every problem, start, function and number of samples, ordered by
// these.
func Settings[I int | int64](problems []Problem, samples []I) (all []Setting) {
	for i := range problems {
		for _, start := range problems[i].Starts {
			for _, f := range problems[i].Functions {
				for _, n := range samples {
					all = append(all, Setting{Problem: &problems[i], Start: start, Function: f, N: int64(n)})
				}
			}
		}
	}
	return all
}

// Jobs returns a job for each problem, with its number of steps. An error of its rows names the
// problem.
func Jobs[R any](problems []Problem, steps func(p *Problem) int,
	rows func(ctx context.Context, p *Problem, h study.How) ([]R, error)) (jobs []study.Job[R]) {
	for i := range problems {
		p := &problems[i]
		jobs = append(jobs, study.Job[R]{Steps: steps(p), Rows: func(ctx context.Context, h study.How) ([]R, error) {
			all, err := rows(ctx, p, h)
			if err != nil {
				return nil, p.wrong(err)
			}
			return all, nil
		}})
	}
	return jobs
}

// String names the setting for an error or a note.
func (s *Setting) String() string {
	return fmt.Sprintf("%s, start %s, function %s, N = %d", s.Name(), s.Start.Name, s.Function.Name, s.N)
}

// Names of parameters that only the studies of samplers have.
const (
	paramStart    = "start"
	paramFunction = "function"
	ParamN        = "N"
	paramWarmup   = "warmup"
)

// ChainParameters returns the common parameters of studies of chains at a target, with defaults of
// the start. Such a study has no path, schedule or T.
func ChainParameters(starts ...string) []subject.Parameter {
	parameters := subject.Common("toy", "kernel")
	parameters[1] = parameters[1].WithDefaults("metropolis", "heatbath")
	start := subject.Parameter{
		Name: paramStart, Doc: "the distribution of the first sample: " +
			strings.Join(subject.LawForms().Listing.Syntaxes(), ", "),
		Defaults: subject.Just(starts...), Canonical: canonicalStart,
	}
	warmup := subject.Whole(paramWarmup, "moves before the first sample", 0, maxWarmup, 0)
	return append(parameters, start, warmup)
}

// FunctionParameter returns the parameter of the function whose average is estimated.
func FunctionParameter() subject.Parameter {
	return subject.Parameter{
		Name:      paramFunction,
		Doc:       "the function of the state: " + strings.Join(functionSyntaxes(), ", "),
		Defaults:  subject.Just("x0"),
		Canonical: func(text string) (string, error) { return canonical(text), nil },
	}
}

// samplesParameter returns the parameter of the number of samples.
func samplesParameter(defaults ...int) subject.Parameter {
	return subject.Whole(ParamN, "the number of samples, including the start", 1, averages.MaxSquaring, defaults...)
}

// SamplesOption returns the option of the numbers of samples.
func SamplesOption[I int | int64](to *[]I, swept *subject.Parameter) study.Option {
	return study.Option{
		Name: "samples", Letter: "N", Doc: "of a chain, with its start", Swept: swept,
		To: study.Wholes(to, "N", 1, averages.MaxSquaring),
	}
}

// canonicalStart returns the canonical form of a start. Whether a toy has the state that it names
// is found out with the case.
func canonicalStart(text string) (string, error) {
	listing := subject.StartForms().Listing
	if !listing.Named(text) || strings.Contains(text, ":") && listing.Bare(text) {
		return "", listing.Unknown(text)
	}
	return text, nil
}

// Build is the Build of the studies: it makes the toy, and the kernel in canonical form.
func Build(ctx context.Context, in subject.Reader, params subject.Params) ([]subject.Case, error) {
	toy, err := in.ParseToy(ctx, params.Get("toy"))
	if err != nil {
		return nil, err
	}
	_, name, err := Selection{Reader: in}.Kernel(ctx, toy, params.Get("kernel"))
	if err != nil {
		return nil, err
	}
	return []subject.Case{{Toy: toy, Params: subject.Params{{Name: "kernel", Value: name}}, Reader: in}}, nil
}

// Subject is the Subject of the studies: the problem of a case, without a function if the study has
// none.
func Subject(ctx context.Context, c *subject.Case, params subject.Params) (on any, err error) {
	s := Selection{
		Reader: c.Reader,
		Starts: []string{params.Get(paramStart)},
		Warmup: params.Int(paramWarmup),
	}
	if f := params.Get(paramFunction); f != "" {
		s.Functions = []string{f}
	}
	p, err := s.Problem(ctx, c.Toy, params.Get("kernel"))
	if err != nil {
		return nil, err
	}
	return []Problem{*p}, nil
}

// TheSetting returns the setting, for lists of columns of rows that embed it.
func (s *Setting) TheSetting() *Setting { return s }

// SettingColumns returns the fields of the setting of a row. The warm-up is only for machines.
func SettingColumns[Row any](of func(Row) *Setting, names ...string) columns.List {
	all := columns.List{
		columns.Of("toy", "toy", columns.MeansRows, func(s *Setting) string { return s.Toy.Name }),
		columns.Of("kernel", "kernel", columns.MeansKernel, func(s *Setting) string { return s.Kernel }),
		columns.Of("start", "start", "the distribution from which chains start",
			func(s *Setting) string { return s.Start.Name }),
		columns.Of("function", "function", "the function of the state whose mean is estimated",
			func(s *Setting) string { return s.Function.Name }),
		columns.Of("N", "N", "the number of samples of a chain", func(s *Setting) int { return int(s.N) }),
		columns.Of("warmup", "", "moves before the first sample",
			func(s *Setting) int { return s.Warmup }),
	}
	var fields columns.List
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
	// SuccessRESS is the least real effective sample size of success: the root mean squared error
	// is then at most 0.29 standard deviations.
	//
	// Source: Turner and Neal 2017, section 5, after MacKay 2003.
	SuccessRESS = 12
	// MaxChains is the largest number of chains in a study.
	MaxChains = 1000
)
