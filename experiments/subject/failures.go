package subject

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
)

// Failure is the error of one subject of a question, such as a target, that has no answer.
type Failure struct {
	Of Params // the parameters that identify the subject, such as its toy; may be empty
	error
}

// NewFailure returns the error of a subject, and nil if there is none.
func NewFailure(of Params, err error) error {
	if err == nil {
		return nil
	}
	return Failure{of, err}
}

// Named returns the error with the subject before it, if it does not name that itself: what is
// refused for its size does not.
func (f Failure) Named() error {
	if len(f.Of) == 0 || strings.Contains(f.Error(), f.Of[0].Value) {
		return f
	}
	var words []string
	for _, p := range f.Of {
		words = append(words, p.Name+" "+p.Value)
	}
	return fmt.Errorf("%s: %w", strings.Join(words, ", "), f)
}

// Unwrap returns the error without the subject.
func (f Failure) Unwrap() error { return f.error }

// Failures is the error of a question without an answer for some of its subjects. The subjects or
// rows that are returned with it are those of the others, complete. Code that treats it as any
// other error sees that of the first subject.
type Failures []Failure

// Error returns the error of the first subject.
func (f Failures) Error() string { return f[0].Error() }

// Unwrap returns the errors of all subjects.
func (f Failures) Unwrap() (all []error) {
	for _, one := range f {
		all = append(all, one)
	}
	return all
}

// withParams returns the error of subjects with the parameters that all of them have.
func withParams(err error, shared Params) error {
	whole := func(of Params) Params {
		return append(slices.Clone(of), slices.DeleteFunc(
			slices.Clone(shared),
			func(p Param) bool { return of.Get(p.Name) != "" },
		)...)
	}
	several, are := errors.AsType[Failures](err)
	if !are {
		one, _ := errors.AsType[Failure](err)
		return NewFailure(whole(one.Of), err)
	}
	several = slices.Clone(several)
	for i := range several {
		several[i].Of = whole(several[i].Of)
	}
	return several
}

// OrNil returns the failures as an error, and nil if there are none.
func (f Failures) OrNil() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// Keep adds the error of a subject and returns nil, so that the others can continue. It returns the
// error if that concerns all of them: a chains.Fault that is not a Failures, and the end of the
// context.
func (f *Failures) Keep(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || chains.IsFault(err) && !Usable(err) {
		return err
	}
	f.Add(err)
	return nil
}

// Add adds an error.
func (f *Failures) Add(err error) {
	several, are := errors.AsType[Failures](err)
	if !are {
		one, _ := errors.AsType[Failure](err)
		several = Failures{{one.Of, err}}
	}
	*f = append(*f, several...)
}

// KeepBeside is Keep for the error of a step that has yielded come subjects or rows. It returns the
// error if there are none, or if it concerns all subjects.
func (f *Failures) KeepBeside(ctx context.Context, come int, err error) error {
	if come == 0 || !Usable(err) {
		return err
	}
	return f.Keep(ctx, err)
}

// With returns the error of a step that has yielded come subjects or rows, with these failures
// before its own.
func (f Failures) With(ctx context.Context, come int, err error) error {
	all := slices.Clip(f)
	if err := all.KeepBeside(ctx, come, err); err != nil {
		return err
	}
	return all.OrNil()
}

// Usable reports whether the rows returned with an error are complete, because it is about other
// subjects, or nil.
func Usable(err error) bool {
	_, others := errors.AsType[Failures](err)
	return err == nil || others
}
