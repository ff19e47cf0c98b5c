package bench

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/experiments/placement"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// standard has the values of parameters that are left out, where those of the commands are several.
const (
	standardToy = "barrier"
	standardT   = 100
)

// question is what the query of a request asks about: an annealing, and what a route wants to know
// beside it.
type question struct {
	selection subject.Selection
	ownLength bool       // whether the schedule says itself what T is
	more      url.Values // the parameters of the route, each once

	options subject.Params // those of the study that the query has
	own     subject.Params // all of the study that the route weighs, set before build; nil for their defaults

	toy     *toys.Toy     // set by build
	kernel  chains.Kernel // set by build
	subject subject.Case  // set by build
	limits  Limits
	within  time.Duration // what the computation may take
}

// parameters are the names of the parameters that describe an annealing, those of the flags of the
// commands.
func parameters() []string { return subject.Names(subject.Parameters()) }

// query reads a query in which each parameter stands once and has one of the names. The token may
// stand there as well.
func query(r *Request, names []string) (url.Values, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, bad("", errs.New(
			"the query cannot be read: %w; write each special character as %% and two digits, as %%2B for a plus",
			err,
		))
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch {
		case name == tokenName:
		case !slices.Contains(names, name):
			return nil, bad(name, selector.UnknownError("parameter", short(name), names))
		case len(values[name]) > 1:
			return nil, bad(
				name,
				errs.New("the parameter %s is given %d times; give it once", name, len(values[name])),
			)
		}
	}
	return values, nil
}

// readQuestion reads the question of a request to a route that has further parameters. It makes
// nothing large.
func (s *Server) readQuestion(r *Request, more ...string) (*question, error) {
	values, err := query(r, append(parameters(), more...))
	if err != nil {
		return nil, err
	}
	q := &question{more: values, limits: s.options.Limits, within: s.options.Limits.Time}
	take := func(name string) string { return strings.TrimSpace(values.Get(name)) }
	q.selection = subject.Selection{
		Reader:   subject.Reader{Forms: s.forms},
		Toys:     []string{cmp.Or(take("toy"), standardToy)},
		Path:     cmp.Or(take("path"), subject.Default("path")),
		Initial:  take("initial"),
		Schedule: cmp.Or(take("schedule"), subject.Default("schedule")),
		Kernel:   cmp.Or(take("kernel"), subject.Default("kernel")),
	}
	for name, text := range map[string]string{
		"toy": q.selection.Toys[0], "path": q.selection.Path, "initial": q.selection.Initial,
		"schedule": q.selection.Schedule, "kernel": q.selection.Kernel,
	} {
		if outside(s.forms, text) {
			return nil,
				bad(name,
					errs.New("%s %q names a file, and the bench reads none; drop the file on the page or send "+
						"it to /api/file, or run the command in a terminal",
						name, short(text)))
		}
	}
	if err := q.limits.toy(s.forms.DemandOf(q.selection.Toys[0])); err != nil {
		return nil, err
	}
	q.ownLength, err = q.selection.OwnLength()
	if err != nil {
		return nil, bad("schedule", err)
	}
	T := standardT
	if text := take("T"); text != "" {
		T, err = q.limits.length("T", text)
		if err != nil {
			return nil, err
		}
	}
	if !q.ownLength {
		q.selection.Distributions = []int{T}
	}
	return q, nil
}

// outside reports whether a selector of any parameter names a file. Programs are refused since none
// may be started.
func outside(forms subject.Forms, text string) bool {
	return forms.NamesFile(text) || forms.Schedules.Listing.File(text) != "" ||
		forms.Kernels.Listing.File(text) != ""
}

// build makes the annealing, after it has made sure that a study of it takes neither too long nor
// too much memory.
func (q *question) build(ctx context.Context, study *subject.Question) error {
	if err := q.prepare(ctx, study); err != nil {
		return err
	}
	cases, err := q.selection.Cases(ctx)
	if err != nil {
		return q.blame(ctx, err)
	}
	q.subject = cases[0]
	if T := q.subject.Distributions(); T > q.limits.T {
		return bad("schedule",
			fmt.Errorf("the schedule has T = %d, and at most %d are computed here", T, q.limits.T))
	}
	if q.ownLength {
		q.selection.Distributions = []int{q.subject.Distributions()}
		return q.affordable(ctx, study)
	}
	return nil
}

// prepare makes the toy, and fails if the annealing would take too much.
func (q *question) prepare(ctx context.Context, study *subject.Question) (err error) {
	q.toy, err = q.selection.ParseToy(ctx, q.selection.Toys[0])
	if err != nil {
		return bad("toy", err)
	}
	if err := q.limits.made(q.toy); err != nil {
		return err
	}
	return q.affordable(ctx, study)
}

// affordable fails if the annealing would take too much. A schedule that says itself what T is
// counts once it is made.
func (q *question) affordable(ctx context.Context, study *subject.Question) error {
	k, err := q.selection.ParseKernel(ctx, q.selection.Kernel, q.toy)
	if err != nil {
		return bad("kernel", err)
	}
	q.kernel = k.Kernel()
	at := q.annealingSize()
	own := q.own
	if own == nil && study != nil {
		own = largest(study)
	}
	if err := q.limits.checkCost(at, study, own, q.within); err != nil {
		return err
	}
	if err := q.limits.passes("initial", toys.DemandOfInitial(q.initial(), q.toy)); err != nil {
		return err
	}
	general := subject.CostOf(exact.GeneralWorkOf(q.kernel, q.toy.Space, q.toy.G), at.T)
	seconds, _ := placement.Cost(q.selection.Schedule, at.T, q.toy.Space.States(), general.Seconds)
	return afford("schedule", "a schedule that is not placed step by step, as linear, a smaller T or a smaller space",
		seconds, q.within)
}

// annealingSize returns what is known of the annealing before it is built.
func (q *question) annealingSize() size {
	at := size{toy: q.toy, kernel: q.kernel, T: 2}
	for _, T := range q.selection.Distributions {
		at.T = max(at.T, T)
	}
	return at
}

// initial returns the selector of where the path starts.
func (q *question) initial() string { return cmp.Or(q.selection.Initial, q.toy.DefaultInitial()) }

// largest returns the parameters that a study has of its own, each with the last of its defaults,
// which is the largest where they are numbers.
func largest(study *subject.Question) (list subject.Params) {
	for _, p := range study.Own() {
		if values := p.Defaults(); len(values) > 0 {
			list = append(list, subject.Param{Name: p.Name, Value: values[len(values)-1]})
		}
	}
	return list
}

// filled returns all parameters that a study has of its own: those that are given, and for the
// others what largest says.
func filled(study *subject.Question, given subject.Params) subject.Params {
	list := largest(study)
	for _, p := range given {
		list = list.With(p.Name, p.Value)
	}
	return list
}

// blame returns an error of building the annealing with the parameter that it is about.
func (q *question) blame(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	if _, refused := q.selection.OwnLength(); refused != nil {
		return bad("schedule", err)
	}
	initial, refused := q.selection.Forms.ParseInitial(ctx, q.initial(), q.toy)
	if refused != nil {
		return bad("initial", err)
	}
	if _, refused := q.selection.Forms.ParsePath(q.selection.Path, initial.Ends, q.toy); refused != nil {
		return bad("path", err)
	}
	for _, name := range parameters() {
		// what remains is of several, and its message begins with the name of one of them
		if strings.Contains(err.Error(), name+" ") {
			return bad(name, err)
		}
	}
	if q.ownLength {
		return bad("schedule", err) // which has found no number of distributions
	}
	return bad("", err)
}

// params returns the parameters of the annealing in canonical form, the toy first.
func (q *question) params() subject.Params {
	return append(subject.Params{{Name: "toy", Value: q.toy.Selector()}}, q.subject.Params...)
}

// canonical returns the question in canonical form, with the values that stand for what was left
// out.
func (q *question) canonical() object {
	o := object{}
	for _, p := range q.params() {
		if p.Name == "T" {
			o = append(o, member{p.Name, q.subject.Distributions()})
			continue
		}
		o = append(o, member{p.Name, p.Value})
	}
	for _, name := range slices.Sorted(maps.Keys(q.more)) {
		if _, common := subject.FindParameter(subject.Parameters(), name); !common && name != tokenName {
			o = append(o, member{name, q.more.Get(name)})
		}
	}
	return o
}

// wholeNumber returns a parameter of the route that is a whole number, and another number where it
// is left out.
func (q *question) wholeNumber(name string, low, high, otherwise int) (int, error) {
	text := q.more.Get(name)
	if text == "" {
		return otherwise, nil
	}
	v, err := selector.ParseWhole(text, float64(low), float64(high))
	if err != nil {
		return 0, bad(name, fmt.Errorf("%s: %w", name, err))
	}
	return v, nil
}

// wholes returns a parameter of the route that is a list of whole numbers, separated by commas, and
// nothing if it is left out.
func (q *question) wholes(name string, low, high, most int) (list []int, err error) {
	text := q.more.Get(name)
	if text == "" {
		return nil, nil
	}
	if n := strings.Count(text, ",") + 1; n > most {
		return nil, bad(name, errs.New("%s has %d numbers; give at most %d", name, n, most))
	}
	for part := range strings.SplitSeq(text, ",") {
		v, err := selector.ParseWhole(part, float64(low), float64(high))
		if err != nil {
			return nil, bad(name, fmt.Errorf("%s: %w", name, err))
		}
		list = append(list, v)
	}
	return list, nil
}

// joined writes whole numbers with commas between them.
func joined(list []int) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = strconv.Itoa(v)
	}
	return strings.Join(texts, ",")
}
