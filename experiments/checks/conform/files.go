package conform

import (
	"bytes"
	"context"
	"embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/kernels"
	"breadboard/chains/numpy"
	"breadboard/exact"
	"breadboard/exact/kernel"
	"breadboard/toys"
)

// File is a file of the folder. Its content is computed on demand.
type File struct {
	Name    string // without folders
	Content func() ([]byte, error)
}

// The names of files that are named in more than one place.
const (
	taskFile    = "task.json"
	logfFile    = "logf.npy"
	firstFile   = "logf_first.npy"
	stagesFile  = "logf_stages.npy"
	betasFile   = "betas.csv"
	initialFile = "initial.npy"
	middleFile  = "middle.npy"
	exampleFile = "example.json"
)

// maxArray is the largest size, in bytes, of an array with a number for each stage and state, or
// for each stage and pair of states.
const maxArray = 64 << 20

// maxNeighbours is the largest number of entries in the list of neighbours.
const maxNeighbours = 1 << 22

//go:embed folder
var taskFolder embed.FS

// Files returns the files of the folder. Contents are computed one at a time and fail if the
// context ends.
func (t *Task) Files(ctx context.Context) ([]File, error) {
	matrices, err := t.matrices(ctx)
	if err != nil {
		return nil, err
	}
	n := t.Case.Toy.Space.States()
	files := []File{
		{taskFile, func() ([]byte, error) { d := t.document(); return d.encode() }},
		{"logf.csv", func() ([]byte, error) { return t.logfCSV(t.Case.Toy.G) }},
		{"logf.json", func() ([]byte, error) { return json.Marshal(numbers(t.Case.Toy.G)) }},
	}
	if !t.startsUniformly() {
		files = append(files, File{"logf_first.csv", func() ([]byte, error) { return t.logfCSV(t.logF(1)) }},
			File{"logf_first.json", func() ([]byte, error) { return json.Marshal(numbers(t.logF(1))) }})
	}
	files = append(files, t.logFiles(ctx)...)
	files = append(files, File{betasFile, func() ([]byte, error) { return t.betasCSV(), nil }})
	files = append(files, t.held(ctx)...)
	if n*t.Case.Toy.Space.Directions() <= maxNeighbours {
		files = append(files,
			File{"neighbours.npy", func() ([]byte, error) {
				return numpy.Integers(t.neighbours(), n, t.Case.Toy.Space.Directions()), nil
			}},
			File{"neighbours.csv", func() ([]byte, error) {
				return inLines(t.neighbours(), t.Case.Toy.Space.Directions(), strconv.Itoa), nil
			}})
	}
	files = append(files, matrices.files(ctx, chains.Forward)...)
	if !matrices.reversible {
		files = append(files, matrices.files(ctx, chains.Reverse)...)
	}
	example := sync.OnceValues(func() (*workedExample, error) { return t.example(ctx, matrices.a) })
	if t.stagesFit() {
		files = append(files, File{exampleFile, func() ([]byte, error) { return encodeExample(example()) }})
	}
	for _, name := range []string{"skeleton.py", "skeleton_numpy.py"} {
		files = append(files, File{name, func() ([]byte, error) { return taskFolder.ReadFile("folder/" + name) }})
	}
	names := []string{"README.md"}
	for _, f := range files {
		names = append(names, f.Name)
	}
	return append(files, File{"README.md", func() ([]byte, error) { return t.readme(names, matrices, example) }}), nil
}

// logFiles returns the arrays of log f, by which a folder is known again: of the target, of the
// initial distribution if it is not uniform, and of all stages where they fit.
func (t *Task) logFiles(ctx context.Context) []File {
	files := []File{
		{logfFile, func() ([]byte, error) { return numpy.Floats(t.Case.Toy.G, t.shape()...), nil }}}
	if !t.startsUniformly() {
		files = append(files,
			File{firstFile, func() ([]byte, error) { return numpy.Floats(t.logF(1), t.shape()...), nil }})
	}
	if t.stagesFit() {
		files = append(files, File{stagesFile, func() ([]byte, error) { return t.stagesNPY(ctx) }})
	}
	return files
}

// shape returns the sides of a grid, and on a graph the number of states.
func (t *Task) shape() []int {
	if sides := t.sides(); sides != nil {
		return sides
	}
	return []int{t.Case.Toy.Space.States()}
}

// logfCSV returns log f as text: on a grid a line for each line along the last axis, on a graph a
// line state,label,log_f for each state.
func (t *Task) logfCSV(logf []float64) ([]byte, error) {
	var b bytes.Buffer
	toy := t.Case.Toy
	if toy.ByLabel() {
		w := csv.NewWriter(&b)
		records := [][]string{{"state", "label", "log_f"}}
		for x, v := range logf {
			records = append(records, []string{strconv.Itoa(x), toy.Space.Label(x), shortest(v)})
		}
		err := w.WriteAll(records)
		return b.Bytes(), err
	}
	shape := t.shape()
	return inLines(logf, shape[len(shape)-1], shortest), nil
}

// stagesFit reports whether log f of every stage fits into the folder. If it does not, working out
// a chain would take too long, too.
func (t *Task) stagesFit() bool {
	a := t.Case.Annealing()
	return int64(a.Distributions())*int64(a.States())*8 <= maxArray
}

// stagesNPY returns log f_t, a row for each t = 1..T.
func (t *Task) stagesNPY(ctx context.Context) ([]byte, error) {
	a := t.Case.Annealing()
	T := a.Distributions()
	n := a.States()
	out := numpy.Begin(T, n)
	logf := make([]float64, n)
	for stage := 1; stage <= T; stage++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a.LogF(logf, stage)
		out = numpy.AppendFloats(out, logf)
	}
	return out, nil
}

// betasCSV returns one beta a line, as the schedule file:PATH reads them.
func (t *Task) betasCSV() []byte {
	b := []byte("# b_1 to b_T, one a line\n")
	for _, v := range t.betas() {
		b = append(append(b, shortest(v)...), '\n')
	}
	return b
}

// held returns the files with the numbers that an initial distribution or a path has read from
// files of a grid.
func (t *Task) held(ctx context.Context) (files []File) {
	for _, p := range t.Case.Params {
		name, held := heldName(t.Case.Reader.Forms, p.Name, t.Case.Toy, p.Value)
		if !held || name == betasFile {
			continue
		}
		files = append(files, File{name, func() ([]byte, error) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			_, path := numpy.CutFile(p.Value, filesOf(t.Case.Reader.Forms, p.Value)[0])
			logf, err := toys.ReadOn(path, t.Case.Toy)
			return numpy.Floats(logf, t.shape()...), err
		}})
	}
	return files
}

// neighbours returns the neighbour of each state in each direction, and -1 if a direction leads
// nowhere.
func (t *Task) neighbours() []int {
	space := t.Case.Toy.Space
	list := make([]int, 0, space.States()*space.Directions())
	for x := range space.States() {
		for d := range space.Directions() {
			y, inside := space.Neighbour(x, d)
			if !inside {
				y = -1
			}
			list = append(list, y)
		}
	}
	return list
}

// inLines writes values with commas between them, that many on a line.
func inLines[V any](values []V, columns int, text func(V) string) (b []byte) {
	for i, v := range values {
		b = append(b, text(v)...)
		if i%columns == columns-1 {
			b = append(b, '\n')
		} else {
			b = append(b, ',')
		}
	}
	return b
}

// kernelIn returns the kernel that moves in a direction at a stage.
func kernelIn(a *chains.Annealing, d chains.Direction, stage int) (chains.Kernel, error) {
	if d == chains.Reverse {
		return a.ReversalAt(stage)
	}
	return a.KernelAt(stage), nil
}

// CheckFolder fails if a folder holds an array of another task that none of the files replaces,
// since a later reader would take it for one of this task. The folder need not exist.
func CheckFolder(dir string, files []File) error {
	var stale []string
	// as a pattern that means itself
	plain := strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(dir)
	for _, pattern := range []string{
		"logf_first.*", stagesFile, initialFile, middleFile, "neighbours.*", "kernel.npy",
		"kernel_[0-9]*.npy", "reversal.npy", "reversal_[0-9]*.npy", exampleFile,
	} {
		paths, err := filepath.Glob(filepath.Join(plain, pattern))
		if err != nil {
			return err
		}
		for _, path := range paths {
			name := filepath.Base(path)
			if !slices.ContainsFunc(files, func(f File) bool { return f.Name == name }) {
				stale = append(stale, name)
			}
		}
	}
	if len(stale) > 0 {
		return errs.New("%s holds %s, which seems to belong to another task and is not replaced; give each task its "+
			"own folder, or remove the old one",
			dir, strings.Join(stale, ", "))
	}
	return nil
}

// matrices are the exact transition matrices of the kernel and of its time reversal.
type matrices struct {
	a          *chains.Annealing // centred, with its time reversals
	reversible bool              // whether the kernel of every stage is its own time reversal
	stages     []int             // the stages that fit: all of them, stages 2 and T, or none
}

// newMatrices returns the matrices of an annealing, of which it computes none.
func newMatrices(a *chains.Annealing) *matrices {
	m := &matrices{}
	m.a, _ = a.Centred()
	T := a.Distributions()
	n := a.States()
	one := int64(n) * int64(n) * 8
	switch {
	case int64(T-1)*one <= maxArray: // n^2 is below 2^43 and T below 2^17, so that the product fits
		for stage := 2; stage <= T; stage++ {
			m.stages = append(m.stages, stage)
		}
	case one <= maxArray:
		m.stages = []int{2, T}
	}
	return m
}

// matrices returns the matrices of the task with the time reversals, which it finds where a kernel
// does not tell its own.
func (t *Task) matrices(ctx context.Context) (*matrices, error) {
	m := newMatrices(t.Case.Annealing())
	with, err := exact.WithReversal(ctx, m.a)
	if err != nil {
		return nil, t.Case.Wrong(err)
	}
	m.a = with
	m.reversible = true
	if k := with.Kernel(); k != nil && chains.OfLibrary(k) {
		m.reversible = kernels.Reversible(k)
		return m, nil
	}
	for stage := 2; stage <= with.Distributions(); stage++ {
		back, err := with.ReversalAt(stage)
		if err != nil {
			return nil, t.Case.Wrong(err)
		}
		table, made := back.(*chains.Tabulated) // where it was not made, the kernel itself is its reversal
		own, is := with.KernelAt(stage).(*chains.Tabulated)
		m.reversible = m.reversible && (!made || is && own == table)
	}
	return m, nil
}

// hasAll reports whether every stage is in the folder.
func (m *matrices) hasAll() bool { return len(m.stages) == m.a.Distributions()-1 }

// files returns the files of the matrices that move in a direction: one array of all stages, or one
// for each of the stages 2 and T.
func (m *matrices) files(ctx context.Context, d chains.Direction) (files []File) {
	name := "kernel"
	n := m.a.States()
	if d == chains.Reverse {
		name = "reversal"
	}
	if len(m.stages) > 0 && m.hasAll() {
		return []File{
			{name + ".npy", func() ([]byte, error) { return m.npy(ctx, d, m.stages, len(m.stages), n, n) }}}
	}
	for _, stage := range m.stages {
		files = append(files, File{fmt.Sprintf("%s_%d.npy", name, stage), func() ([]byte, error) {
			return m.npy(ctx, d, []int{stage}, n, n)
		}})
	}
	return files
}

// npy returns the matrices of some stages as one array.
func (m *matrices) npy(ctx context.Context, d chains.Direction, stages []int, shape ...int) ([]byte, error) {
	n := m.a.States()
	out := numpy.Begin(shape...)
	logf := make([]float64, n)
	row := make([]float64, n)
	rows := &kernel.Rows{}
	for _, stage := range stages {
		k, err := kernelIn(m.a, d, stage)
		if err != nil {
			return nil, err
		}
		m.a.LogF(logf, stage)
		if err := rows.Fill(ctx, k, logf); err != nil {
			return nil, fmt.Errorf("stage t = %d: %w", stage, err)
		}
		for x := range n {
			clear(row)
			for _, e := range rows.Row(x) {
				row[e.To] = e.P
			}
			out = numpy.AppendFloats(out, row)
		}
	}
	return out, nil
}
