package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/chains/simulate"
	"breadboard/chains/sites"
	"breadboard/experiments/placement"
	"breadboard/grid"
	"breadboard/toys"
	"breadboard/toys/networks"
)

// Factored is an annealing along the geometric path, from the uniform distribution or from the
// prior of a Bayesian network, to a toy that is a product of factors and has too many states to
// list. It is the Algorithm of a case without a Toy.
type Factored struct {
	Target string // the selector of the toy, in canonical form and without the user's name
	Query  *networks.Query
	Model  *sites.Model // of the free variables, in their order
	Move   sites.Move
	Betas  []float64
	Energy *toys.Energy // the energy in a file to which log f is proportional; nil if there is none

	schedule   chains.Schedule
	kernel     string
	free       []int
	base, rest []networks.Factor // of the start, none where it is uniform, and the others
}

// OnFactors returns the cases of a toy that is a product of factors, with chains that move on the
// factors.
func (s Selection) OnFactors(ctx context.Context, text string) ([]Case, error) {
	p, err := s.Forms.Factored(text, "", "")
	if err != nil {
		return nil, err
	}
	q := p.Query
	name, _ := selector.SplitName(text)
	name = cmp.Or(name, p.Selector)
	called, kernel := selector.SplitName(s.Kernel)
	s.Kernel = kernel
	schedule, scheduled, err := s.factorable(q)
	if err != nil {
		if !s.Forms.tooManyStates(text) {
			return nil, fmt.Errorf("toy %s: chains move on its factors: %w", name, err)
		}
		return nil, fmt.Errorf("toy %s has too many states to list, so chains move on its factors: %w", name, err)
	}
	f := &Factored{
		Target:   p.Selector,
		Query:    q,
		Move:     sites.Moves()[s.Kernel],
		schedule: schedule,
		kernel:   s.Kernel,
		free:     q.Free(),
		Energy:   p.Energy,
	}
	if f.Energy != nil {
		s.tellDoubt(f.Energy.Doubt)
	}
	initial := uniform
	f.base, f.rest = q.Parts()
	if s.Initial == uniform {
		f.base, f.rest = nil, q.Clamped()
	} else if q.Bayes {
		initial = prior
	}
	f.Model, err = f.model()
	if err != nil {
		return nil, fmt.Errorf("toy %s: %w", name, err)
	}
	var cases []Case
	for _, T := range s.lengthsOf(schedule) {
		names := Setting{"geometric", initial, scheduled, selector.WithName(called, s.Kernel), T}
		c := Case{Algorithm: f, Params: append(Params{{"toy", name}}, names.Params()...), Reader: s.Reader}
		c, err = c.OfLength(T)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, ctx.Err()
}

// ofLength returns the annealing with T distributions. It fails if the schedule has no such number.
func (f Factored) ofLength(T int) (*Factored, error) {
	if err := f.schedule.Validate(T); err != nil {
		return nil, err
	}
	f.Betas = make([]float64, T)
	for t := range f.Betas {
		f.Betas[t] = f.schedule.Beta(t+1, T)
	}
	return &f, nil
}

// Free returns the number of variables that are not observed.
func (f *Factored) Free() int { return len(f.free) }

// MoveWork returns the mean number of evaluations of log f in a move: one for each other value of a
// variable.
func (f *Factored) MoveWork() (work float64) {
	for _, v := range f.free {
		work += float64(len(f.Query.Variables[v].Labels) - 1)
	}
	switch {
	case f.kernel == "flip":
		return 1
	case f.Updates() == 1:
		return work / float64(len(f.free))
	}
	return work
}

// Updates returns how many variables a move may change: one, or all.
func (f *Factored) Updates() int {
	if f.kernel == "flip" || f.kernel == "heatbath" {
		return 1
	}
	return len(f.free)
}

// lengthsOf returns the numbers of distributions that a schedule is to have.
func (s Selection) lengthsOf(schedule chains.Schedule) []int {
	if points, own := schedule.(*schedules.Points); own {
		return []int{points.Len()}
	}
	return s.lengths(placement.Family{})
}

// factorable returns the schedule and its selector in canonical form. It fails if chains cannot
// anneal so on factors.
func (s Selection) factorable(q *networks.Query) (schedule chains.Schedule, text string, err error) {
	starts := []string{uniform}
	if q.Bayes {
		starts = []string{prior, uniform}
	}
	switch {
	case s.Path != "geometric":
		return nil, "", errs.New("{path} %s needs sums over states; give {path} geometric", s.Path)
	case s.Initial != "" && !slices.Contains(starts, s.Initial):
		return nil, "", errs.New("{initial} %s is not a product of its factors; give {initial} %s",
			s.Initial, strings.Join(starts, " or "))
	case sites.Moves()[s.Kernel] == nil:
		return nil, "", errs.New("kernel %s does not move by factors; give {kernel} %s", s.Kernel,
			strings.Join(sites.Names(), ", "))
	case slices.Contains(q.Hidden, true):
		return nil, "", errs.New("variables that are summed out have no factors; keep all variables")
	case len(q.Free()) == 0:
		return nil, "", errs.New("all variables are observed, so there is nothing to sample; leave one of them free")
	}
	called, text, err := s.Forms.Schedules.Listing.CutName(s.Schedule)
	if err != nil {
		return nil, "", err
	}
	if !s.Forms.Fixed.Listing.Named(text) && s.Forms.Schedules.Listing.Named(text) {
		return nil, "", errs.New("{schedule} %s needs sums over states; give {schedule} %s", text,
			strings.Join(s.Forms.Fixed.Listing.Syntaxes(), ", "))
	}
	schedule, err = s.Forms.Fixed.Parse(text, selector.Nothing{})
	if err != nil {
		return nil, "", err
	}
	return schedule, selector.WithName(called, schedule.String()), nil
}

// model returns the factors for moves of the free variables.
func (f *Factored) model() (*sites.Model, error) {
	place := make([]int, len(f.Query.Variables))
	all := f.Query.Cards()
	cards := make([]int, len(f.free))
	for i, v := range f.free {
		place[v], cards[i] = i, all[v]
		if all[v] > sites.MaxCard {
			return nil, errs.New("variable %s has %d values; the limit for chains is %d: merge some of its values",
				f.Query.Variables[v].Name, all[v], sites.MaxCard)
		}
	}
	var factors []sites.Factor
	for part, list := range [][]networks.Factor{f.base, f.rest} {
		for _, g := range list {
			one := sites.Factor{Logs: make([]float64, len(g.Values)), Base: part == 0}
			for _, v := range g.Scope {
				one.Scope = append(one.Scope, place[v])
			}
			for i, v := range g.Values {
				one.Logs[i] = number.Log(v)
			}
			factors = append(factors, one)
		}
	}
	return sites.New(cards, factors)
}

// End has the results of elimination for an end of the path: the log of the sum of the distribution
// (nats), and exact draws, each with the value of each free variable.
type End struct {
	LogZ  float64
	Draws [][]uint8
}

// FirstEnd returns log Z_1, and n draws from the start of the path, or no draws if that is uniform,
// which needs no elimination.
func (f *Factored) FirstEnd(ctx context.Context, n int, random *rand.Rand) (e End, err error) {
	if f.base == nil {
		return End{LogZ: f.Query.LogStates()}, nil
	}
	return f.infer(ctx, f.base, n, random)
}

// LastEnd returns log Z_T, and n draws from the target. It fails if the target is zero everywhere.
// If the tables do not fit log Z_T is NaN, and wide has the reason.
func (f *Factored) LastEnd(ctx context.Context, n int, random *rand.Rand) (e End, wide, err error) {
	e, err = f.readEnd(f.Query.Infer(ctx, networks.Outputs{Samples: n, Random: random}))
	wide, err = tooWide(err)
	if wide != nil {
		e.LogZ = math.NaN()
	}
	return e, wide, err
}

// tooWide returns an error as the first where it says that tables do not fit, and else as the
// second.
func tooWide(err error) (wide, other error) {
	if _, is := errors.AsType[*networks.TooWide](err); is {
		return err, nil
	}
	return nil, err
}

// Reached returns the log of the part of Z_1 (see FirstEnd) on states at which the target is
// positive: where reverse chains can end. It needs the tables of LastEnd, unless no factor has a
// zero: then it is all of Z_1, and nothing is eliminated.
func (f *Factored) Reached(ctx context.Context, first End) (float64, error) {
	factors := slices.Clone(f.base)
	zeros := false
	for _, g := range f.rest {
		ones := networks.Factor{Scope: g.Scope, Values: make([]float64, len(g.Values))}
		for i, v := range g.Values {
			if v > 0 {
				ones.Values[i] = 1
			} else {
				zeros = true
			}
		}
		factors = append(factors, ones)
	}
	if !zeros {
		return first.LogZ, nil
	}
	e, err := f.infer(ctx, factors, 0, nil)
	return e.LogZ, err
}

func (f *Factored) infer(ctx context.Context, factors []networks.Factor, n int,
	random *rand.Rand) (End, error) {
	return f.readEnd(f.Query.Product(ctx, factors, networks.Outputs{Samples: n, Random: random}))
}

// readEnd returns what elimination has found.
func (f *Factored) readEnd(found *networks.Inference, err error) (End, error) {
	if err != nil {
		return End{}, err
	}
	e := End{LogZ: found.LogZ}
	for _, v := range f.free {
		if found.Samples == nil {
			break
		}
		narrow := make([]uint8, len(found.Samples[v]))
		for i, value := range found.Samples[v] {
			narrow[i] = uint8(value)
		}
		e.Draws = append(e.Draws, narrow)
	}
	return e, nil
}

// blockLanes is about how many chains on factors share a stream. All values of a block stay near
// the processor.
const blockLanes = 1 << 10

// Blocks returns the number of blocks of a number of chains, each with its own random stream.
func Blocks(chains int) int { return (chains + blockLanes - 1) / blockLanes }

// Crowd returns a block of the given chains, numbers from..to-1, which start at draws from an end
// of the path.
func (f *Factored) Crowd(e End, chains, block int, g *simulate.Generator) (c *sites.Crowd, from, to int) {
	from, to = block*chains/Blocks(chains), (block+1)*chains/Blocks(chains)
	var start [][]uint8
	for _, values := range e.Draws {
		start = append(start, values[from:to:to])
	}
	return sites.NewCrowd(f.Model, to-from, start, g), from, to
}

// addFactors adds all numbers of the factors to a hash.
func (f *Factored) addFactors(h io.Writer, add func(...float64)) {
	for _, list := range [][]networks.Factor{f.base, f.rest} {
		fmt.Fprintln(h, len(list))
		for _, g := range list {
			fmt.Fprintln(h, g.Scope)
			add(g.Values...)
		}
	}
}

// onFactors reports whether chains are to move on the factors of a toy.
func (r Reader) onFactors(ctx context.Context, text string) (bool, error) {
	if r.Chains {
		if _, err := r.Forms.Factored(text, "", ""); err == nil {
			return true, nil
		}
	}
	return r.TooMany(ctx, text)
}

// TooMany reports whether a toy is a product of factors with too many states to list. It fails if
// the context ends.
func (r Reader) TooMany(ctx context.Context, text string) (bool, error) {
	return Unless(ctx, func() (bool, error) { return r.Forms.tooManyStates(strings.TrimSpace(text)), nil })
}

// tooManyStates reports whether a toy is a product of factors with too many states to be listed. It
// reads no file whose states are listed, and enumerates nothing.
func (f Forms) tooManyStates(text string) bool {
	if len(f.FilesOf(text)) == 0 && f.DemandOf(text).States <= grid.MaxStates {
		return false
	}
	p, err := f.Factored(text, "", "")
	if err != nil { // of what is no product of factors another one says more
		return f.OfFactors(text) && (f.DemandOf(text).States > grid.MaxStates ||
			p.Energy != nil && math.Ldexp(1, len(p.Energy.Names)) > grid.MaxStates)
	}
	return p.States() > grid.MaxStates
}
