// Package posterior answers: is a sampler of posteriors right for its model, for all possible data?
// A program answers requests for the prior, the simulator, and the tested part: a Markov step, a
// direct sampler, a log joint density or an estimate of log p(y). Their exact distributions are
// compared. It draws nothing at random, except for the power of other tests.
package posterior

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/program"
	"breadboard/experiments/checks/law"
	"breadboard/experiments/programs"
)

// These are the requests that the program of a model answers. The first two are those of each
// model.
const (
	asksPrior    = "prior"
	asksSimulate = "simulate"
	asksStep     = "step"
	asksDirect   = "posterior"
	asksJoint    = "log_joint"
	asksEstimate = "log_z"
)

// These are the limits of a model.
const (
	maxParameters = 4096
	maxPairs      = 200_000 // of parameters and data
	maxEntries    = 20_000_000
	remainderMost = 1e-12 // of a distribution
)

// Model is the joint distribution of parameters and data of a program.
type Model struct {
	Name       string
	Parameters []string    // as the program writes them
	Data       []string    // likewise
	Prior      []float64   // of each parameter
	Likelihood [][]float64 // p(y|theta), by data and parameter
	Evidence   []float64   // p(y), which may underflow
	LogZ       []float64   // log p(y)
	Some       bool        // whether the data are only the given ones
	program    *programs.Function
	entries    int
	every      int        // one of this number of requests is kept, to be asked again; 0 keeps none
	count      int        // of requests since Examine began
	kept       []question // see repeat
}

// question is a request with its answer.
type question struct {
	what    string
	request map[string]any
	p       map[string]float64
}

// answerLaw returns the distribution of an answer.
func (m *Model) answerLaw(ctx context.Context, what string,
	request map[string]any) (*program.Likely[string], error) {
	found, err := program.Likeliest(ctx, m.program.Asks(what, request),
		program.Options{Cut: math.SmallestNonzeroFloat64, Branches: maxPairs}, nil)
	switch {
	case err != nil:
		return nil, law.InWords(m.program, err)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case found.Cut+found.Left > remainderMost:
		return nil, errs.New(
			"%s of %s: the probability %.3g of its branches was not explored; draw from fewer values, or "+
				"without a loop that draws again",
			what,
			m.program,
			found.Cut+found.Left,
		)
	}
	if m.every > 0 {
		if m.count%m.every == 0 {
			m.kept = append(m.kept, question{what, request, chances(found)})
		}
		m.count++
	}
	return found, nil
}

func chances(found *program.Likely[string]) map[string]float64 {
	p := map[string]float64{}
	for _, o := range found.Outcomes() {
		p[o.Value] = o.P
	}
	return p
}

// repeat asks questions again in a shuffled order, in which those about the same data do not follow
// each other, and describes the first one whose answer is another one then.
func (m *Model) repeat(ctx context.Context) (differs string, err error) {
	m.every = 0
	for _, i := range rand.New(rand.NewPCG(1, 0)).Perm(len(m.kept)) {
		q := m.kept[i]
		found, err := m.answerLaw(ctx, q.what, q.request)
		if err != nil {
			return "", err
		}
		again := chances(found)
		for value, p := range q.p {
			if math.Abs(p-again[value]) > remainderMost {
				return fmt.Sprintf(
					"%s with the data %v: %s has probability %.6g, and %.6g if other questions are asked before; "+
						"the program keeps something from one call to another",
					q.what,
					q.request["data"],
					value,
					p,
					again[value],
				), nil
			}
		}
	}
	return "", nil
}

// NewModel asks a program for the prior and the simulator. If data are given, only these are kept.
// Begin is called before the simulator is asked; of the functions it returns, add is called for
// each parameter and done at the end.
func NewModel(ctx context.Context, f *programs.Function, given []string,
	begin func(parameters int) (add func(int), done func())) (*Model, error) {
	for _, needed := range []string{asksPrior, asksSimulate} {
		if !slices.Contains(f.Answers(), needed) {
			return nil, errs.New(
				`program %s does not say that it answers %q; its first line is {"program": "a name", `+
					`"mode": "choose", "answers": ["prior", "simulate", "step"]}`,
				f,
				needed,
			)
		}
	}
	if len(f.Answers()) == 2 {
		return nil, errs.New(
			"program %s answers prior and simulate alone; there is nothing to test: it also needs one of "+
				"step, posterior, log_joint and log_z",
			f,
		)
	}
	m := &Model{Name: f.Name(), Some: len(given) > 0, Data: slices.Clone(given), program: f}
	prior, err := m.answerLaw(ctx, "the prior", map[string]any{asksPrior: true})
	if err != nil {
		return nil, err
	}
	if n := len(prior.Outcomes()); n > maxParameters {
		return nil, errs.New("the prior of %s has %d values, and the limit is %d; take a coarser grid",
			f, n, maxParameters)
	}
	place := map[string]int{}
	for y, text := range m.Data {
		if _, twice := place[text]; twice {
			return nil, errs.New("{data} %s is given twice", text)
		}
		place[text] = y
	}
	for _, o := range prior.Outcomes() {
		m.Parameters, m.Prior = append(m.Parameters, o.Value), append(m.Prior, o.P)
	}
	m.Likelihood = make([][]float64, len(m.Data))
	add, done := begin(len(m.Parameters))
	defer done()
	for x, theta := range m.Parameters {
		data, err := m.answerLaw(ctx, "data given "+theta, map[string]any{asksSimulate: theta})
		if err != nil {
			return nil, err
		}
		for _, o := range data.Outcomes() {
			y, known := place[o.Value]
			if !known && m.Some {
				continue
			}
			if !known {
				y = len(m.Data)
				place[o.Value], m.Data, m.Likelihood = y, append(m.Data, o.Value), append(m.Likelihood, nil)
			}
			if m.Likelihood[y] == nil {
				m.Likelihood[y] = make([]float64, len(m.Parameters))
			}
			m.Likelihood[y][x] = o.P
		}
		if pairs := len(m.Data) * len(m.Parameters); pairs > maxPairs {
			return nil, errs.New(
				"the model of %s has more than %d pairs of parameters and data; take a coarser grid or "+
					"fewer data, or name the data with {data}",
				f,
				maxPairs,
			)
		}
		add(1)
	}
	for y, likelihood := range m.Likelihood {
		if likelihood == nil {
			return nil, errs.New("{data} %s: the simulator of %s never makes these data; they are among %s",
				m.Data[y], f, m.some(ctx))
		}
		joint, exponent := m.joint(y)
		total := number.Total(joint)
		m.Evidence = append(m.Evidence, math.Ldexp(total, exponent))
		log := number.Log(m.Evidence[y])
		if m.Evidence[y] < 1e-290 { // digits of it are lost
			log = number.Log(total) + float64(exponent)*math.Ln2
		}
		m.LogZ = append(m.LogZ, log)
	}
	return m, nil
}

// some lists data of the likeliest parameter, for an error.
func (m *Model) some(ctx context.Context) string {
	var texts []string
	if data, err := m.answerLaw(ctx, "data", map[string]any{asksSimulate: m.Parameters[0]}); err == nil {
		for _, o := range data.Outcomes()[:min(3, len(data.Outcomes()))] {
			texts = append(texts, o.Value)
		}
	}
	return strings.Join(texts, ", ") + " ..."
}

// Has reports whether the program answers a request.
func (m *Model) Has(request string) bool { return slices.Contains(m.program.Answers(), request) }

// possible reports whether a parameter and data have a positive probability, which may underflow.
func (m *Model) possible(y, x int) bool { return m.Prior[x] > 0 && m.Likelihood[y][x] > 0 }

// joint returns p(theta, y) 2^-exponent of each parameter. The largest one is about 1, since the
// product of two numbers that float64 holds may underflow.
func (m *Model) joint(y int) (p []float64, exponent int) {
	p = make([]float64, len(m.Prior))
	exponents := make([]int, len(m.Prior))
	exponent = math.MinInt
	for x := range p {
		prior, i := math.Frexp(m.Prior[x])
		likelihood, j := math.Frexp(m.Likelihood[y][x])
		p[x], exponents[x] = prior*likelihood, i+j
		if p[x] > 0 {
			exponent = max(exponent, exponents[x])
		}
	}
	for x := range p {
		p[x] = math.Ldexp(p[x], exponents[x]-exponent)
	}
	return p, exponent
}

// Posterior returns p(theta|y).
func (m *Model) Posterior(y int) []float64 {
	p, _ := m.joint(y)
	total := number.Total(p)
	for x := range p {
		p[x] /= total
	}
	return p
}

// logJoint returns log p(theta, y); -Inf for a pair that is impossible.
func (m *Model) logJoint(y int) []float64 {
	l := make([]float64, len(m.Prior))
	for x := range l {
		l[x] = number.Log(m.Prior[x]) + number.Log(m.Likelihood[y][x])
	}
	return l
}

// row returns the distribution of the answer to a request as entries among the parameters. Other
// values come with their probability.
func (m *Model) row(ctx context.Context, place map[string]int, what string,
	request map[string]any) (row []chains.Entry, strange map[string]float64, err error) {
	found, err := m.answerLaw(ctx, what, request)
	if err != nil {
		return nil, nil, err
	}
	for _, o := range found.Outcomes() {
		switch x, known := place[o.Value]; {
		case known:
			row = append(row, chains.Entry{To: x, P: o.P})
		default:
			if strange == nil {
				strange = map[string]float64{}
			}
			strange[o.Value] = o.P
		}
	}
	m.entries += len(row)
	if m.entries > maxEntries {
		return nil, nil, errs.New(
			"the steps of %s have more than %d entries; take a coarser grid, or name the data with {data}",
			m.program,
			maxEntries,
		)
	}
	return row, strange, nil
}

// places returns the number of each parameter.
func (m *Model) places() map[string]int {
	place := map[string]int{}
	for x, text := range m.Parameters {
		place[text] = x
	}
	return place
}
