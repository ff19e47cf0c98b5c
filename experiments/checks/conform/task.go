package conform

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/errs"
	"breadboard/chains/numpy"
	"breadboard/exact"
	"breadboard/experiments/draws"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// Task is one annealing to be implemented, and the requested columns.
type Task struct {
	// Case is the annealing. Paths of files in its parameters are absolute, except for files in the
	// folder itself: a toy, a schedule, and on a grid an initial distribution and the middle of a
	// path.
	Case subject.Case
	// Columns are the columns that the folder asks for: by New log_w, x_first and x_last. A caller
	// may change them before Files. An implementation may send other columns too.
	Columns draws.Columns

	LogZ1, LogZT float64 // log of the sums of f_1 and of f_T over all states, in nats
}

const (
	MaxDistributions = 100_000 // the largest T of a task: task.json has every beta
	// the largest number of states of a task: logf.csv and logf.json have every state
	MaxStates = 1 << 20
)

// New returns the task of a case from Selection.Cases. It fails if the case is not an annealing, is
// too large (MaxDistributions, MaxStates), or if exact.Validate fails. If matrices are too large
// for a folder, Files omits them, and the README says so.
func New(c subject.Case) (*Task, error) {
	a := c.Annealing()
	if a == nil {
		return nil, errors.New("a task needs an annealing, but the case has none")
	}
	if T := a.Distributions(); T > MaxDistributions {
		return nil, c.Wrong(errs.New("a task writes out all distributions, and the limit is %d; give a smaller {T}",
			MaxDistributions))
	}
	if err := subject.NeedsStates(c.Toy, "a task"); err != nil {
		return nil, err
	}
	if n := a.States(); n > MaxStates {
		return nil, c.Wrong(errs.New(
			"a task writes out all states, at most %d, and this toy has %d; give a smaller one",
			MaxStates,
			n,
		))
	}
	if err := exact.Validate(a); err != nil {
		return nil, c.Wrong(err)
	}
	c, err := withAbsolutePaths(c)
	if err != nil {
		return nil, err
	}
	t := &Task{Case: c, Columns: draws.Columns{LogW: true, XFirst: true, XLast: true}}
	t.LogZ1, t.LogZT = floats.LogSumExp(t.logF(1)), floats.LogSumExp(t.logF(a.Distributions()))
	if math.IsInf(t.LogZ1, 0) || math.IsInf(t.LogZT, 0) || math.IsNaN(t.LogZ1+t.LogZT) {
		return nil, c.Wrong(errs.New("log Z_1 is %v and log Z_T %v; log f is outside the floating-point range",
			t.LogZ1, t.LogZT))
	}
	return t, nil
}

// LogZRatio returns log Z_T - log Z_1 in nats: the log of the mean of w.
func (t *Task) LogZRatio() float64 { return t.LogZT - t.LogZ1 }

// logReached returns the log of the probability, under f_1, of the states where f_T is positive.
func (t *Task) logReached() float64 {
	first := t.logF(1)
	for x, l := range t.logF(t.Case.Annealing().Distributions()) {
		if math.IsInf(l, -1) {
			first[x] = l
		}
	}
	return floats.LogSumExp(first) - t.LogZ1
}

// Space returns the properties of the task that a reader of samples needs.
func (t *Task) Space() draws.Space {
	a := t.Case.Annealing()
	return draws.Space{States: a.States(), Sides: t.sides(), Distributions: a.Distributions()}
}

// sides returns the sides of a grid, and nil on a graph. A graph that happens to be a grid, as a
// torus is, has its sides.
func (t *Task) sides() []int {
	if l := t.Case.Toy.Lattice(); l != nil {
		return l.Sides()
	}
	return nil
}

// logF returns log f_t of each state, in nats.
func (t *Task) logF(stage int) []float64 {
	a := t.Case.Annealing()
	logf := make([]float64, a.States())
	a.LogF(logf, stage)
	return logf
}

// betas returns b_1..b_T.
func (t *Task) betas() []float64 {
	a := t.Case.Annealing()
	betas := make([]float64, a.Distributions())
	for i := range betas {
		betas[i] = a.Beta(i + 1)
	}
	return betas
}

// startsUniformly reports whether f_1 is the same at all states, so that p_1 is uniform.
func (t *Task) startsUniformly() bool {
	first := t.logF(1)
	return slices.Min(first) == slices.Max(first)
}

// filesOf returns the files that a part of a case names, which may be any of its selectors.
func filesOf(forms subject.Forms, selector string) []string {
	if file := forms.Kernels.Listing.File(selector); file != "" {
		return []string{file}
	}
	return forms.FilesOf(selector)
}

// withAbsolutePaths returns the case with the absolute paths of all files that its parameters name
// and that the folder does not hold.
func withAbsolutePaths(c subject.Case) (subject.Case, error) {
	name, err := absoluteSelector(c.Reader.Forms, "toy", c.Toy, c.Toy.Target())
	if err != nil {
		return c, err
	}
	if name != c.Toy.Selector() {
		toy := *c.Toy
		toy.Name = name
		toy.Named = ""
		c.Toy = &toy
	}
	for _, p := range c.Params {
		value, err := absoluteSelector(c.Reader.Forms, p.Name, c.Toy, p.Value)
		if err != nil {
			return c, err
		}
		c.Params = c.Params.With(p.Name, value)
	}
	return c, nil
}

// absoluteSelector returns a selector with the absolute paths of its files. It fails if the
// selector could then not be read again: a colon ends the path of a list of edges.
func absoluteSelector(forms subject.Forms, part string, toy *toys.Toy, selector string) (string, error) {
	files := filesOf(forms, selector)
	if _, held := heldName(forms, part, toy, selector); held || len(files) == 0 {
		return selector, nil
	}
	out := selector
	want := make([]string, len(files))
	for i, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			return "", err
		}
		want[i] = path
		before, written := numpy.CutFile(out, file)
		if i == len(files)-1 && strings.HasPrefix(written, file) {
			out = before + path + strings.TrimPrefix(written, file)
		} else if strings.Contains(out, ":"+file) {
			out = strings.Replace(out, ":"+file, ":"+path, 1)
		} else {
			out = strings.Replace(out, "="+file, "="+path, 1) // of an option
		}
	}
	if !slices.Equal(filesOf(forms, out), want) {
		return "", errs.New("%s %q: its files are in %s, but a selector cannot have a path with a colon; move them",
			part, selector, filepath.Dir(want[0]))
	}
	return out, nil
}

// heldName returns the name of the file in the folder that holds the numbers which a part of the
// case has read from a file, and false if the folder does not hold them.
func heldName(forms subject.Forms, part string, toy *toys.Toy, selector string) (name string, held bool) {
	isFile := strings.HasPrefix(selector, "file:") && len(filesOf(forms, selector)) > 0 // file: alone names none
	switch part {
	case "toy":
		return logfFile, isFile
	case "schedule":
		return betasFile, isFile
	case "initial":
		return initialFile, isFile && !toy.ByLabel()
	case "path":
		return middleFile, forms.FileOf(selector) != "" && !toy.ByLabel()
	}
	return "", false
}
