package conform

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/grid"
)

const (
	maxPicture      = 20 // the largest number of rows and of columns of the picture of state numbers
	maxReadmeStages = 20 // the largest T of which the README shows the worked chains
)

// page is what the template of the README is filled with.
type page struct {
	document
	Grid, Plane, Graph, Uniform, Rings bool
	D, LastSide                        int
	Picture                            string
	Words, Backward                    kernelWords // the kernel, and its time reversal if that is another one
	Reversible                         bool
	HasStages                          bool
	Neighbours                         bool
	HasKernel, AllKernels              bool
	Stages                             int // T - 1
	Geometric, Zeros                   bool
	Groups                             []columnGroup
	Wanted                             []string
	Files                              []fileWords
	Hypotheses                         []hypotheses.Description
	HasExample                         bool
	Example                            *workedExample // where it is short enough to be shown
	Paths                              bool
	// of a grid whose axes have labels: the name of each, and its labels
	Axes []string
}

// kernelWords is a kernel in words. The text is empty if the kernel is known by its matrix alone.
type kernelWords struct{ Name, Text string }

// fileWords is a file with what is in it.
type fileWords struct{ Name, What string }

// readme returns the README of the folder, in which the files with these names are.
func (t *Task) readme(names []string, m *matrices, example func() (*workedExample, error)) ([]byte, error) {
	text, err := taskFolder.ReadFile("folder/readme.tmpl")
	if err != nil {
		return nil, err
	}
	funcs := template.FuncMap{
		"num": func(v any) string { return people(v) }, "join": strings.Join, "choices": describeChoices}
	parsed, err := template.New("readme").Funcs(funcs).Parse(string(text))
	if err != nil {
		return nil, err
	}
	toy := t.Case.Toy
	a := t.Case.Annealing()
	p := page{
		document:   t.document(),
		Graph:      toy.ByLabel(),
		Grid:       toy.Lattice() != nil,
		Plane:      toy.Plane() != nil,
		Uniform:    t.startsUniformly(),
		D:          toy.Space.Directions(),
		Words:      wordsOf(m, chains.Forward),
		Reversible: m.reversible,
		HasStages:  slices.Contains(names, stagesFile),
		Neighbours: slices.Contains(names, "neighbours.npy"),
		HasKernel:  len(m.stages) > 0,
		AllKernels: m.hasAll(),
		Stages:     a.Distributions() - 1,
		Geometric:  t.Case.Param("path") == "geometric",
		Zeros:      a.Path().Zeros(),
		HasExample: slices.Contains(names, exampleFile),
		Paths:      t.Columns.Path || t.Columns.Increments,
		Files:      t.fileWords(names),
		Hypotheses: hypotheses.All(),
	}
	if p.HasExample && a.Distributions() <= maxReadmeStages {
		p.Example, err = example()
		if err != nil {
			return nil, err
		}
	}
	if !m.reversible {
		p.Backward = wordsOf(m, chains.Reverse)
	}
	if l := toy.Lattice(); l != nil {
		p.LastSide = l.Side(l.Dims() - 1)
		p.Picture = picture(l)
		for k := range l.Dims() {
			p.Rings = p.Rings || l.Wraps(k)
		}
	}
	if toy.Labelled() {
		for _, axis := range toy.Axes {
			p.Axes = append(p.Axes, axis.Name+": "+strings.Join(axis.Labels, ", "))
		}
	}
	for _, g := range columnGroups() {
		if *g.of(&t.Columns) {
			p.Wanted = append(p.Wanted, g.Names)
		}
		p.Groups = append(p.Groups, g)
	}
	var b bytes.Buffer
	err = parsed.Execute(&b, p)
	return b.Bytes(), err
}

// people writes a number with enough digits to follow the example by hand.
func people(v any) string {
	switch v := v.(type) {
	case jsonNumber:
		return fmt.Sprintf("%.6g", float64(v))
	case float64:
		return shortest(v)
	}
	return fmt.Sprint(v)
}

// wordsOf returns the kernel of a direction in words.
func wordsOf(m *matrices, d chains.Direction) kernelWords {
	if m.a.Kernel() == nil {
		return kernelWords{Name: m.a.Transitions().String()}
	}
	k, err := kernelIn(m.a, d, 2)
	if err != nil {
		return kernelWords{}
	}
	return kernelWords{chains.NameOf(k), kernels.Words(k)}
}

// picture returns the numbers of the states of a plane, laid out as the plane is; "" for any other
// grid and for a large plane.
func picture(l *grid.Lattice) string {
	if l.Dims() != 2 || l.Side(0) > maxPicture || l.Side(1) > maxPicture {
		return ""
	}
	width := len(fmt.Sprint(l.States() - 1))
	var b strings.Builder
	for x := range l.States() {
		if x%l.Side(1) == 0 {
			b.WriteString("    ")
		}
		fmt.Fprintf(&b, "%*d", width, x)
		if x%l.Side(1) == l.Side(1)-1 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// fileWords returns what is in each file.
func (t *Task) fileWords(names []string) []fileWords {
	shape := strings.Trim(strings.ReplaceAll(fmt.Sprint(t.shape()), " ", ", "), "[]")
	n := t.Case.Toy.Space.States()
	T := t.Case.Distributions()
	D := t.Case.Toy.Space.Directions()
	csvShape := "a line for each line of the grid along its last axis"
	if t.Case.Toy.ByLabel() {
		csvShape = "lines state,label,log_f below a heading"
	}
	rows := fmt.Sprintf(
		"(%d, %d, %d): the exact matrix of each stage t = 2..%d, entry [t-2, x, y] the probability to go from x to y",
		T-1,
		n,
		n,
		T,
	)
	of := map[string]string{
		taskFile:          "the selectors, the betas, log Z_1, log Z_T, and the conventions; the programs read it",
		logfFile:          fmt.Sprintf("log f_T, float64 of shape (%s)", shape),
		"logf.csv":        "the same as text, " + csvShape + "; a zero of f is -Inf",
		"logf.json":       "the same as one list by state; a zero of f is \"-Inf\"",
		firstFile:         "log f_1, which is not uniform, in the same shape",
		"logf_first.csv":  "the same as text",
		"logf_first.json": "the same as one list",
		stagesFile:        fmt.Sprintf("log f_t of every stage, float64 of shape (%d, %d): row t-1 is log f_t by state", T, n),
		betasFile:         "b_1 to b_T, one a line below a line that begins with #",
		initialFile:       "the initial distribution as it was given, from which breadboard rebuilds the task",
		middleFile:        "the distribution in the middle of the path, from which breadboard rebuilds the task",
		"neighbours.npy": fmt.Sprintf(
			"int64 of shape (%d, %d): entry [x, d] is the neighbour of x in direction d, -1 if it leads nowhere",
			n,
			D,
		),
		"neighbours.csv":    "the same as text, a line for each state",
		"kernel.npy":        "float64 of shape " + rows,
		"reversal.npy":      "the same for the time reversals, by which reverse chains move",
		exampleFile:         "one chain of each direction worked out, with every random choice",
		"skeleton.py":       "a program with blanks, Python's standard library alone",
		"skeleton_numpy.py": "the same with NumPy, for all chains at once",
		"README.md":         "this file",
	}
	var out []fileWords
	for _, name := range names {
		what, known := of[name]
		if stage := 0; !known {
			kind, rest, _ := strings.Cut(name, "_")
			fmt.Sscanf(rest, "%d", &stage)
			what = fmt.Sprintf("float64 of shape (%d, %d): the exact matrix of the %s at stage %d, row = from",
				n, n, kind, stage)
		}
		out = append(out, fileWords{name, what})
	}
	return out
}

// describeChoices returns the choices of a move in words.
func describeChoices(made []choiceMade) string {
	var list []string
	for _, c := range made {
		switch c.Kind {
		case "flip":
			answer := "no"
			if c.Outcome == 1 {
				answer = "yes"
			}
			list = append(list, fmt.Sprintf("flip(%s): %s", people(c.P[0]), answer))
		case "uniform":
			list = append(list, fmt.Sprintf("uniform(%d): %d", c.N, c.Outcome))
		default:
			list = append(list, fmt.Sprintf("choose among %d: %d, with probability %s",
				c.N, c.Outcome, people(c.Probability)))
		}
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}
