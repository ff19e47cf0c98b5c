package conform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
)

// maxTaskFile is the largest size of task.json: the betas of MaxDistributions, and selectors with
// long paths.
const maxTaskFile = 8 << 20

// ReadTask returns the task of a folder made by Files. It rebuilds the annealing from the selectors
// in task.json, and fails unless log f of the ends, log f of every stage and all betas are those of
// the folder, bit for bit. They differ if the folder or a file that it names was edited, or if
// another version of this program has written it.
//
// A toy, a schedule, and on a grid an initial distribution and the middle of a path that came from
// files are read from the folder itself, which can be moved to another machine. All other files are
// read from the absolute paths in task.json.
//
// A kernel exec:COMMAND is a program that ReadTask would start. Since the folder may come from
// anywhere, ReadTask fails for such a task if in has no programs. Give programs only if your user
// has allowed this program.
func ReadTask(ctx context.Context, dir string, in subject.Reader) (*Task, error) {
	path := filepath.Join(dir, taskFile)
	data, err := selector.ReadFile(path, maxTaskFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not the folder of a task; that has a file %s: %w", dir, taskFile, err)
	} else if err != nil {
		return nil, err
	}
	d, err := decode(data)
	var t *Task
	if err == nil {
		t, err = d.build(ctx, dir, in)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, t.verify(ctx, dir)
}

// build returns the task that a document describes.
func (d *document) build(ctx context.Context, dir string, in subject.Reader) (*Task, error) {
	columns, err := columnsOf(d.Columns)
	if err != nil {
		return nil, err
	}
	if err := d.checkBuildable(in); err != nil {
		return nil, err
	}
	s, err := d.selection(ctx, dir, in)
	if err != nil {
		return nil, err
	}
	cases, err := s.Cases(ctx)
	if err != nil {
		return nil, err
	}
	t, err := New(d.nameCase(cases[0]))
	if err != nil {
		return nil, err
	}
	t.Columns = columns
	again := t.document()
	if field, in, now := d.differs(&again); field != "" {
		return nil, fmt.Errorf(
			"the field %q holds %s, and by the other fields it is %s: the folder was edited, or written "+
				"by another version",
			field,
			brief(in),
			brief(now),
		)
	}
	return t, nil
}

// checkBuildable fails for a document that is not to be built: it may ask for more than a task can
// be, or for what its reader does not want.
func (d *document) checkBuildable(in subject.Reader) error {
	switch {
	case d.T < 2 || d.T > MaxDistributions:
		return errs.New("it has T = %d; a task has from 2 to %d distributions", d.T, MaxDistributions)
	case len(d.Betas) != d.T:
		return fmt.Errorf("there are %d betas for T = %d", len(d.Betas), d.T)
	case d.States < 1 || d.States > MaxStates:
		return errs.New("it has %d states; a task has from 1 to %d", d.States, MaxStates)
	case programs.IsProgram(d.Kernel) && in.Programs == nil:
		return errs.New("its kernel is the program %s; a program named by a folder is not started automatically: "+
			"start it only if you trust the folder",
			brief(d.Kernel))
	}
	return nil
}

// parts returns the log probability of chains of the distribution h with a part of another one,
// averaged over all others and over the shares.
func (d *document) parts() subject.Params {
	return subject.Params{
		{Name: "toy", Value: d.Toy}, {Name: "path", Value: d.Path}, {Name: "initial", Value: d.Initial},
		{Name: "schedule", Value: d.Schedule}, {Name: "kernel", Value: d.Kernel}}
}

// selection returns the selection of the case, with the folder's copies of files. It fails if the
// toy is on another space.
func (d *document) selection(ctx context.Context, dir string,
	in subject.Reader) (s subject.Selection, err error) {
	parts := d.parts()
	name, held := heldName(in.Forms, "toy", nil, d.Toy)
	if held {
		parts = parts.With("toy", "file:"+filepath.Join(dir, name))
	} else if err := requireAbsolute(in.Forms, parts[0]); err != nil {
		return s, err
	}
	toy, err := in.ParseToy(ctx, parts.Get("toy"))
	if err != nil {
		return s, err
	}
	if is := toy.Space; is.String() != d.Space || is.States() != d.States {
		return s, fmt.Errorf("the space is %s with %d states, and the toy is on %s with %d: a file was edited or moved",
			brief(d.Space), d.States, is, is.States())
	}
	for _, p := range parts[1:] {
		if name, held := heldName(in.Forms, p.Name, toy, p.Value); held {
			before, _ := numpy.CutFile(p.Value, filesOf(in.Forms, p.Value)[0])
			parts = parts.With(p.Name, before+filepath.Join(dir, name))
		} else if err := requireAbsolute(in.Forms, p); err != nil {
			return s, err
		}
	}
	return subject.Selection{
		Reader:        in,
		Toys:          []string{parts.Get("toy")},
		Distributions: []int{d.T},
		Path:          parts.Get("path"),
		Initial:       parts.Get("initial"),
		Schedule:      parts.Get("schedule"),
		Kernel:        parts.Get("kernel"),
	}, nil
}

// requireAbsolute fails if a part of the case names a file by a relative path, which would be
// another file wherever the program is run.
func requireAbsolute(forms subject.Forms, p subject.Param) error {
	for _, file := range filesOf(forms, p.Value) {
		if !filepath.IsAbs(file) {
			return errs.New("the %s %s has a relative path; a task needs absolute paths for files outside its folder",
				p.Name, brief(p.Value))
		}
	}
	return nil
}

// nameCase returns the case with the document's names for what was read from the folder, so that it
// is the same wherever that is.
func (d *document) nameCase(c subject.Case) subject.Case {
	if _, held := heldName(c.Reader.Forms, "toy", nil, d.Toy); held {
		toy := *c.Toy
		_, path := numpy.CutFile(d.Toy, filesOf(c.Reader.Forms, d.Toy)[0])
		toy.Name = d.Toy
		toy.Description = "g read from " + path
		c.Toy = &toy
	}
	for _, p := range d.parts()[1:] {
		if _, held := heldName(c.Reader.Forms, p.Name, c.Toy, p.Value); held {
			c.Params = c.Params.With(p.Name, p.Value)
		}
	}
	return c
}

// brief returns a value for a message, shortened where it is long.
func brief(v any) string {
	const most = 80
	text := fmt.Sprintf("%v", v)
	if s, is := v.(string); is {
		text = fmt.Sprintf("%q", s)
	}
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "..."
	}
	return text
}

// verify fails if an array in the folder does not hold the numbers of the annealing, bit for bit.
func (t *Task) verify(ctx context.Context, dir string) error {
	for _, f := range t.arrays(ctx) {
		want, err := f.Content()
		if err != nil {
			return err
		}
		path := filepath.Join(dir, f.Name)
		difference, err := differenceOf(path, want)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the folder of the task lacks a file: %w", err)
		}
		if err != nil {
			return err
		}
		if difference != "" {
			return errs.New("%s does not hold the numbers of the task (%s): it was edited, or written by another "+
				"version, or a file that task.json names has changed since; make the folder again",
				path, difference)
		}
	}
	return nil
}

// arrays returns the files that are verified: log f, and the matrices if the kernel is from files
// of matrices, which may have changed.
func (t *Task) arrays(ctx context.Context) []File {
	files := t.logFiles(ctx)
	if len(filesOf(t.Case.Reader.Forms, t.Case.Params.Get("kernel"))) > 0 {
		files = append(files, newMatrices(t.Case.Annealing()).files(ctx, chains.Forward)...)
	}
	return files
}

// differenceOf says where a file differs from what it is to hold: how long it is, of which nothing
// is read then, or the number of the first byte. It is empty if there is no difference.
func differenceOf(path string, want []byte) (string, error) {
	file, err := selector.OpenFile(path, math.MaxInt64)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if file.Size() != int64(len(want)) {
		return fmt.Sprintf("it has %d bytes instead of %d", file.Size(), len(want)), nil
	}
	is, err := file.ReadWhole()
	if err != nil || bytes.Equal(is, want) {
		return "", err
	}
	first := 0
	for is[first] == want[first] {
		first++
	}
	return fmt.Sprintf("they differ from byte %d on", first), nil
}
