package toys

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/grid"
	"breadboard/toys/energies"
)

// graphSpaces are the graphs that are known by a name and an argument.
func graphSpaces() []string {
	return []string{"hypercube:BITS", "permutations:ITEMS", "path:STATES", "cycle:STATES", "complete:STATES",
		"torus:DIMS"}
}

// graphForm is how a toy on a graph is selected: graph:EDGES:G, where EDGES is a file as
// grid.ParseEdges reads it, or graph:NAME:N:G. G is random:SIGMA:SEED, or a file as ParseByLabel
// reads it.
func graphForm() toyForm {
	return toyForm{
		Syntax: "graph:SPACE:G",
		Doc: "on a graph: SPACE is a file of edges, " + strings.Join(graphSpaces(), ", ") +
			"; G is random:SIGMA:SEED, a file of g by label, or prob:FILE of probabilities by label",
		Example: "graph:permutations:4:random:2:0",
		Files:   filesOfGraph,
		Parse:   parseGraph,
	}
}

func parseGraph(args selector.Args, _ Forms) (*Toy, error) {
	at, err := splitGraph(args.Text)
	if err != nil {
		return nil, args.Wrap(err)
	}
	space, err := at.space()
	if err != nil {
		return nil, args.Wrap(err)
	}
	name := "graph:" + at.spaceName() + ":"
	if at.sigma != "" {
		sigma, seed, err := sigmaAndSeed(args, at.sigma, at.seed)
		if err != nil {
			return nil, err
		}
		g, err := randomG(sigma, seed, space.States())
		if err != nil {
			return nil, args.Wrap(err)
		}
		name += fmt.Sprintf("random:%v:%d", sigma, seed)
		return &Toy{
			Name:        name,
			Description: describeRandom(sigma, seed),
			Space:       space,
			G:           g,
			Graph:       true,
		}, nil
	}
	t := &Toy{Name: name + at.file, Description: "g read from " + at.file, Space: space, Graph: true}
	numbers := LogF()
	if at.prob {
		t.Name, t.Description, numbers = name+"prob:"+at.file, "probabilities read from "+at.file,
			Probabilities()
	}
	t.G, t.Layout, err = numbers.readByLabel(at.file, space)
	if err != nil {
		return nil, err
	}
	t.Doubt = numbers.ambiguity(at.file, t.G, name+Probabilities().form+":"+at.file)
	return t, nil
}

// graphSelector is the parsed text behind "graph:". It has an edge list, or the name and argument
// of a space; and a file of g or of probabilities, or the sigma and seed of a random g.
type graphSelector struct {
	edges       string
	name, arg   string
	file        string
	prob        bool // whether the file has probabilities
	sigma, seed string
}

// splitGraph takes what stands behind "graph:" apart.
func splitGraph(arg string) (s graphSelector, err error) {
	name, rest, _ := strings.Cut(arg, ":")
	if selector.Named(arg, graphSpaces()) {
		g := ""
		s.name = name
		s.arg, g, _ = strings.Cut(rest, ":")
		if s.arg == "" || g == "" {
			return s, fmt.Errorf(
				"write graph:%s:G, where G is random:SIGMA:SEED or a file of g by label, as in graph:%s:4:random:2:0",
				spaceForm(name),
				name,
			)
		}
		return s, s.setG(g)
	}
	for _, kind := range []string{"random:", "prob:"} {
		if edges, g, is := strings.Cut(arg, ":"+kind); is {
			s.edges = edges
			return s, s.setG(kind + g)
		}
	}
	edges, g, err := splitPaths(arg)
	if err != nil {
		return s, err
	}
	s.edges = edges
	return s, s.setG(g)
}

// setG sets the file of g, or the sigma and the seed.
func (s *graphSelector) setG(g string) error {
	if path, is := strings.CutPrefix(g, "file:"); is {
		return fmt.Errorf("write the file of g by label without file: in front, as in graph:%s:%s", s.spaceName(), path)
	}
	if path, is := strings.CutPrefix(g, "prob:"); is && path != "" {
		s.file = path
		s.prob = true
		return nil
	}
	kind, arg, _ := strings.Cut(g, ":")
	if kind != "random" {
		s.file = g
		return nil
	}
	var found bool
	s.sigma, s.seed, found = strings.Cut(arg, ":")
	if !found || s.sigma == "" {
		return errs.New(
			"%q is not a random g; write random:SIGMA:SEED, as in random:2:0 (a file of that name is ./random)",
			g,
		)
	}
	return nil
}

// spaceForm returns the form of a space with a name.
func spaceForm(name string) string {
	for _, form := range graphSpaces() {
		if strings.HasPrefix(form, name+":") {
			return form
		}
	}
	return name
}

// splitPaths splits EDGES:G at its colon. The colon of a Windows drive, as in C:\edges.csv, belongs
// to the path behind it. Any other colon within a path is an error, since it would not be clear if
// the first path ends.
func splitPaths(arg string) (edges, g string, err error) {
	parts := strings.Split(arg, ":")
	for i := 0; i+1 < len(parts); i++ {
		if len(parts[i]) == 1 && strings.ContainsAny(parts[i+1][:min(1, len(parts[i+1]))], `\/`) {
			parts[i] += ":" + parts[i+1]
			parts = append(parts[:i+1], parts[i+2:]...)
		}
	}
	if len(parts) == 1 && parts[0] != "" {
		return "", "", errs.New(
			"g is missing; write graph:%s:G, where G is a file of lines label,g or random:SIGMA:SEED; "+
				"known spaces are %s",
			parts[0],
			strings.Join(graphSpaces(), ", "),
		)
	}
	if len(parts) != 2 || parts[0] == "" || parts[1] == "" {
		return "", "",
			errs.New("write graph:EDGES:G with two files that have no colon in their paths, as in "+
				"graph:edges.csv:g.csv, or graph:NAME:N:G; known spaces are %s",
				strings.Join(graphSpaces(), ", "))
	}
	return parts[0], parts[1], nil
}

// spaceName returns the canonical form of what names the space.
func (s graphSelector) spaceName() string {
	if s.name == "" {
		return s.edges
	}
	if n, err := strconv.Atoi(s.arg); err == nil {
		return fmt.Sprintf("%s:%d", s.name, n)
	}
	return s.name + ":" + s.arg
}

// space makes the graph, or reads it.
func (s graphSelector) space() (grid.Graph, error) {
	if s.name == "" {
		return readEdges(s.edges)
	}
	if s.name == "torus" {
		plain, err := grid.Parse(s.arg)
		if err != nil {
			return nil, err
		}
		return orNone(grid.Torus(plain.Sides()...))
	}
	n, err := strconv.Atoi(s.arg)
	if err != nil || s.arg[0] == '+' {
		return nil, errs.New("%q is not a whole number; write graph:%s:G (a file of that name is ./%s)",
			s.arg, spaceForm(s.name), s.name)
	}
	switch s.name {
	case "hypercube":
		return orNone(grid.NewHypercube(n))
	case "permutations":
		return orNone(grid.NewPermutations(n))
	case "path":
		return orNone(grid.Path(n))
	case "cycle":
		return orNone(grid.Cycle(n))
	}
	return orNone(grid.NewComplete(n))
}

// orNone returns a nil Graph if there is an error: a nil pointer in the interface would be a Graph
// that is not nil.
func orNone[G grid.Graph](g G, err error) (grid.Graph, error) {
	if err != nil {
		return nil, err
	}
	return g, nil
}

// maxEdgesFile is the largest number of bytes of a list of edges: some five million edges.
const maxEdgesFile = 64 << 20

func readEdges(path string) (grid.Graph, error) {
	data, err := selector.ReadFile(path, maxEdgesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errs.New("list of edges: %w; spaces that need none are %s",
			err, strings.Join(graphSpaces(), ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("list of edges: %w", err)
	}
	data, err = selector.PlainText(data)
	if err != nil {
		return nil, fmt.Errorf("list of edges %s: %w", path, err)
	}
	g, err := (*grid.Adjacency)(nil), energies.CheckList(data)
	if err == nil {
		g, err = grid.ParseEdges(data)
	}
	if err != nil {
		return nil, fmt.Errorf("list of edges %s: %w", path, err)
	}
	return g, nil
}

// maxByLabel is the largest number of bytes of a line in a file of g by label: a label of 100 bytes
// in quotes, and three numbers.
const maxByLabel = 256

func (n Numbers) readByLabel(path string, space grid.Graph) (g []float64, layout []Place, err error) {
	if numpy.Is(path) {
		return nil, nil, errs.New("g by label %s: %s has no labels; write CSV, a line label,g for each state",
			path, filepath.Ext(numpy.FileOf(path)))
	}
	data, err := selector.ReadFile(path, 1<<16+maxByLabel*int64(space.States()))
	if err != nil {
		return nil, nil, fmt.Errorf("g by label: %w", err)
	}
	g, layout, err = n.ParseByLabel(data, space)
	if err != nil {
		return nil, nil, fmt.Errorf("g by label %s: %w", path, err)
	}
	return g, layout, nil
}

// ParseByLabel reads numbers, as g = log f, from CSV with a line label,g for each state of a space,
// in any order, or label,g,x,y, where x and y say where figures draw the state (the layout; nil if
// there are none). -inf is a zero of f; NaN and +Inf are errors. Empty lines and lines that begin
// with # are passed over; a line of headings needs a # in front. Errors name the line.
func (numbers Numbers) ParseByLabel(data []byte, space grid.Graph) (g []float64, layout []Place, err error) {
	n := space.States()
	states := make(map[string]int, n)
	for x := range n {
		states[space.Label(x)] = x
	}
	g = make([]float64, n)
	lines := make([]int, n)
	seen := 0
	columns := 0
	err = grid.EachLine(data, func(line int, fields []string) error {
		if len(fields) != 2 && len(fields) != 4 {
			return errs.New("there are %d columns; write label,g or label,g,x,y", len(fields))
		}
		if columns == 0 {
			columns = len(fields)
			layout = make([]Place, n*(columns-2)/2)
		}
		if len(fields) != columns {
			return errs.New("there are %d columns and %d before; give coordinates to all states or to none",
				len(fields), columns)
		}
		x, known := states[fields[0]]
		if !known {
			return unknownLabel(fields[0], space)
		}
		if lines[x] > 0 {
			return errs.New("state %s stands on line %d already; take one of the lines out", fields[0], lines[x])
		}
		lines[x] = line
		seen++
		var err error
		g[x], err = numbers.parse(fields[1])
		if err != nil {
			return fmt.Errorf("g of state %s: %w", fields[0], err)
		}
		if columns == 4 {
			layout[x], err = parsePlace(fields[2], fields[3])
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if seen < n {
		for x, line := range lines {
			if line == 0 {
				return nil, nil, errs.New(
					"state %s has no line, and so have %d of %d states; give each a line label,g, with "+
						"-inf for a zero of f",
					space.Label(x),
					n-seen,
					n,
				)
			}
		}
	}
	if len(layout) == 0 {
		layout = nil
	}
	return g, layout, numbers.checkMass(g)
}

// unknownLabel is the error for a label that no state has.
func unknownLabel(label string, space grid.Graph) error {
	const shown = 5
	var some []string
	for x := range min(shown, space.States()) {
		some = append(some, space.Label(x))
	}
	more := ""
	if space.States() > shown {
		more = fmt.Sprintf(" and %d more", space.States()-shown)
	}
	return errs.New("no state of the graph has the label %q; its labels are %s%s (a line of headings needs a # in "+
		"front; a state without neighbours stands in the list of edges with a comma behind it)",
		label, strings.Join(some, " "), more)
}

// Place is where figures draw a state.
type Place struct{ X, Y float64 }

func parsePlace(x, y string) (p Place, err error) {
	p.X, err = tables.Floats(x)
	if err == nil {
		p.Y, err = tables.Floats(y)
	}
	if err != nil {
		return p, fmt.Errorf("coordinates: %w", err)
	}
	const far = 1e100
	if max(p.X, -p.X, p.Y, -p.Y) > far {
		return p, errors.New("coordinates: they are from -1e100 to 1e100")
	}
	return p, nil
}

// NamesFile reports whether a selector of a toy, an initial distribution or a path names a file. It
// reads none.
func (f Forms) NamesFile(text string) bool {
	_, text = selector.SplitName(text)
	if arg, is := strings.CutPrefix(text, "mixture:"); is {
		return slices.ContainsFunc(namesOfMixture(arg), f.NamesFile)
	}
	if inner, _ := f.cutQuotient(text); inner != "" {
		return f.NamesFile(inner)
	}
	if arg, is := strings.CutPrefix(text, "graph:"); is {
		s, err := splitGraph(arg)
		return err == nil && (s.edges != "" || s.file != "")
	}
	return f.FileOf(text) != ""
}

// FilesOf returns the files that a selector of a toy, an initial distribution or a path names. For
// a model it reads the model's file and adds the file of the data that is named there. If only one
// of the files is shown, it is the last.
func (f Forms) FilesOf(text string) (files []string) {
	_, text = selector.SplitName(text)
	if arg, is := strings.CutPrefix(text, "mixture:"); is {
		for _, name := range namesOfMixture(arg) {
			files = append(files, f.FilesOf(name)...)
		}
		return files
	}
	if inner, _ := f.cutQuotient(text); inner != "" {
		return f.FilesOf(inner)
	}
	for _, listing := range f.listings() {
		if files := listing.Files(text); files != nil {
			return files
		}
	}
	return nil
}

// filesOfGraph returns the files that the arguments of a graph name.
func filesOfGraph(args string) (files []string) {
	s, err := splitGraph(args)
	if err != nil {
		return nil
	}
	for _, file := range []string{s.edges, s.file} {
		if file != "" {
			files = append(files, file)
		}
	}
	return files
}
