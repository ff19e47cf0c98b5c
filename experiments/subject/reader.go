package subject

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/exact/stages"
	"breadboard/experiments/placement"
	"breadboard/experiments/programs"
	"breadboard/grid"
	"breadboard/toys"
)

// Forms are the sets of forms of the selectors of cases. Package forms composes them.
type Forms struct {
	toys.Forms
	Schedules selector.Set[selector.Nothing, placement.Family]
	Fixed     selector.Set[selector.Nothing, chains.Schedule] // those of Schedules that need no sums over states
	Kernels   selector.Set[programs.Env, *chains.Transitions]
	Library   selector.Set[kernels.Env, chains.Kernel] // the kernels that are known before a space is made
}

// Reader makes toys and kernels from selectors. The zero Reader has no forms, no programs and no
// limits.
type Reader struct {
	Forms    Forms
	Programs *programs.Programs // the started programs; if nil, kernels in other programs are errors
	// Most is the largest number of states of a toy that takes long to make, as far as its selector
	// says how many there are; 0 means no limit.
	Most  int
	Check func(Size) error // refuses sizes before anything large is made; nil accepts all
	// Doubt is called with the Doubt of a target, or of an initial distribution, that was read from
	// an ambiguous file (see toys.Toy and toys.Initial), and with the Note of a toy. It is called
	// once for each time that the file is read, perhaps from several goroutines. It may be nil.
	Doubt  func(doubt string)
	Chains bool // whether products of factors make cases on factors, even if their states can be listed
}

// ParseToy is ReadToy, and fails if CheckRange does.
func (r Reader) ParseToy(ctx context.Context, selector string) (*toys.Toy, error) {
	toy, err := r.ReadToy(ctx, selector)
	if err == nil {
		err = CheckRange(toy)
	}
	if err != nil {
		return nil, err
	}
	return toy, nil
}

// ReadToy is toys.Forms.Parse, and fails if the context ends: reading files and drawing millions of
// numbers may take long.
func (r Reader) ReadToy(ctx context.Context, text string) (*toys.Toy, error) {
	if err := r.checkMost(text); err != nil {
		return nil, err
	}
	toy, err := Unless(ctx, func() (*toys.Toy, error) {
		return r.Forms.Parse(text)
	})
	if err == nil {
		r.tellDoubt(toy.Doubt)
		r.tellDoubt(toy.LeftOut())
	}
	return toy, err
}

// CheckRange fails if log f of a toy spans more than exact.MaxLogRange, so that all commands refuse
// the same targets.
func CheckRange(toy *toys.Toy) error {
	if err := exact.CheckRange("target", toy.G); err != nil {
		return fmt.Errorf("toy %s: %w", toy.Name, err)
	}
	return nil
}

// ParseKernel is programs.Env.Parse, and fails if the context ends: reading files may take long.
func (r Reader) ParseKernel(ctx context.Context, selector string,
	toy *toys.Toy) (*chains.Transitions, error) {
	on := programs.Env{Forms: r.Forms.Kernels, Space: toy.Space, Programs: r.Programs}
	if toy.InWords() {
		on.Labels = []func(int) string{toy.Word, toy.Label}
	}
	return Unless(ctx, func() (*chains.Transitions, error) { return on.Parse(selector) })
}

// tellDoubt tells of a doubt, if there is one and a listener.
func (r Reader) tellDoubt(doubt string) {
	if r.Doubt != nil && doubt != "" {
		r.Doubt(doubt)
	}
}

// EachToy visits the toys of selectors in their order, as read makes them. Selectors that it
// refuses are skipped and added to the failures. It fails if a visit does, if one name stands for
// two selectors, and if the context ends.
func EachToy(
	ctx context.Context, selectors []string, read func(context.Context, string) (*toys.Toy, error),
	failed *Failures,
	visit func(text string, toy *toys.Toy) error,
) error {
	if err := selector.CheckNames(selectors); err != nil {
		return err
	}
	for _, text := range selectors {
		text = strings.TrimSpace(text)
		toy, err := read(ctx, text)
		if err := failed.Keep(ctx, NewFailure(Params{{Name: "toy", Value: text}}, err)); err != nil {
			return err
		}
		if err != nil {
			continue
		}
		if err := visit(text, toy); err != nil {
			return err
		}
	}
	return nil
}

// Target returns the toy of a selector and its normalised target, a probability for each state.
func (r Reader) Target(ctx context.Context, selector string) (*toys.Toy, []float64, error) {
	toy, err := r.ParseToy(ctx, selector)
	if err != nil {
		return nil, nil, err
	}
	path, err := paths.NewGeometric(nil, toy.G)
	if err != nil {
		return nil, nil, err
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	return toy, stages.Distribution(path, 1), nil
}

// CheckSize fails if the size of annealing with T distributions by a kernel on a toy, with known
// parameters, is refused. Call it before making anything large.
func (r Reader) CheckSize(params Params, T int, k chains.Kernel, toy *toys.Toy) error {
	return r.CheckCost(sizeOf(params, T, k, toy.Space, toy.G))
}

// quickStates is the number of states up to which a toy and its chains are made at once, so that
// the study itself may say why it refuses them.
const quickStates = 1 << 10

func (r Reader) checkMost(text string) error {
	space, err := grid.New(r.Forms.DemandOf(text).Sides...)
	if r.Most == 0 || err != nil || space.States() <= max(r.Most, quickStates) {
		return nil
	}
	n := space.States()
	return grid.TooLarge{
		What:  "states",
		Need:  float64(n),
		Limit: float64(r.Most),
		Err:   errs.New("toy %s has %d states; the limit is %d", text, n, r.Most),
	}
}

// Affordable returns the toys whose size is accepted with one of the kernels and numbers of
// distributions, as far as their selectors show it, and the error Failures for the others. It makes
// no toy.
func (r Reader) Affordable(names, moves []string, lengths []int) (kept []string, err error) {
	var failed Failures
	for _, text := range names {
		refused, all := r.refusals(strings.TrimSpace(text), moves, lengths)
		if !all {
			kept = append(kept, text)
			refused = nil
		}
		failed = append(failed, refused...)
	}
	return kept, failed.OrNil()
}

// refusals returns why Check refuses the sizes of a toy that is not made yet, and whether it
// refuses all that may be possible: a kernel that is not for the space has no size.
func (r Reader) refusals(text string, moves []string, lengths []int) (refused Failures, all bool) {
	d := r.Forms.DemandOf(text)
	space, err := grid.New(d.Sides...)
	if r.Check == nil || err != nil || space.States() <= SlowStates {
		return nil, false
	}
	passed := false
	for _, name := range moves {
		_, kernel := selector.SplitName(strings.TrimSpace(name))
		k, err := r.Forms.Library.Parse(kernel, kernels.Env{Space: space, Forms: r.Forms.Library})
		if err != nil {
			passed = passed || strings.Contains(name, "exec:") // a program is not started twice
			if large := (grid.TooLarge{}); errors.As(err, &large) {
				refused = append(refused, Failure{Params{{"toy", text}, {"kernel", name}}, err})
			}
			continue
		}
		for _, T := range lengths {
			size := sizeOf(nil, T, k, space, nil)
			size.Unmade = true
			if err := r.Check(size); err != nil {
				refused = append(refused, Failure{Params{{"toy", text}, {"kernel", name}, {"T", strconv.Itoa(T)}}, err})
			} else {
				passed = true
			}
		}
	}
	return refused, len(refused) > 0 && !passed
}

// CheckCost fails if what is not an annealing costs so much that it is refused.
func (r Reader) CheckCost(s Size) error {
	if r.Check == nil {
		return nil
	}
	return r.Check(s)
}
