package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
)

// Shape names the first sides of an array of draws; the later sides are those of the elements of a
// variable. If it is empty the first sides are chains and draws, unless there are more chains than
// draws.
type Shape string

// The shapes of arrays.
const (
	ChainsFirst Shape = "chains,draws" // as in ArviZ
	DrawsFirst  Shape = "draws,chains" // as in emcee
	OneChain    Shape = "draws"        // as the joined chains of NumPyro
)

// Shapes returns the shapes of arrays.
func Shapes() []string { return []string{string(ChainsFirst), string(DrawsFirst), string(OneChain)} }

// onlyOfArrays refuses a shape that is given for a file that is no array.
func onlyOfArrays(path string, s Shape) error {
	if s == "" || numpy.Is(path) {
		return nil
	}
	return advised("a file that is no array of NumPy", chains.NewAdvice("leave {shape} out, which says what the sides of arrays are")).at(path, -1, 0)
}

// array holds the draws of a variable, or of the elements of one.
type array struct {
	source, name string
	sides        []int
	numbers      []float64
}

// sizes returns the numbers of chains and of draws, and the sides of the elements.
func (a *array) sizes(s Shape) (chains, draws int, elements []int) {
	switch {
	case len(a.sides) == 1 || s == OneChain:
		return 1, a.sides[0], a.sides[1:]
	case s == DrawsFirst:
		return a.sides[1], a.sides[0], a.sides[2:]
	}
	return a.sides[0], a.sides[1], a.sides[2:]
}

// Doubtful returns an error for an array with more chains than draws if the shape is not given:
// such arrays have their draws first, or are of one chain.
func Doubtful(source, name string, sides []int, s Shape) error {
	if s != "" || len(sides) < 2 || sides[0] <= sides[1] {
		return nil
	}
	bad := advised("an array of shape "+numpy.ShapeText(sides), chains.NewAdvice(
		"give {shape} draws,chains if it has %[1]s of %[2]s, as emcee has them, {shape} draws if it has %[1]s of one chain, or {shape} chains,draws if it has %[3]s of %[4]s",
		selector.Count(sides[0], "draw"), selector.Count(sides[1], "chain"), selector.Count(sides[1], "draw"), selector.Count(sides[0], "chain"))).in(name)
	return bad.at(source, -1, 0)
}

// notFinite refuses numbers that are not finite.
func (a *array) notFinite() *fault {
	at := slices.IndexFunc(a.numbers, func(v float64) bool { return v-v != 0 })
	if at < 0 {
		return nil
	}
	side := a.sides[len(a.sides)-1]
	return &fault{found: fmt.Sprintf("%v at value %d of row %d, both counted from 0", a.numbers[at], at%side, at/side), want: "write finite numbers"}
}

// names returns the names of the elements, as in x[0,1], and that of the variable if it has none.
func (a *array) names(s Shape) []string {
	_, _, elements := a.sizes(s)
	names := []string{""}
	for _, side := range elements {
		var longer []string
		for _, name := range names {
			for i := range side {
				longer = append(longer, name+","+strconv.Itoa(i))
			}
		}
		names = longer
	}
	for i, name := range names {
		if names[i] = a.name; name != "" {
			names[i] += "[" + name[1:] + "]"
		}
	}
	return names
}

// element returns the draws of an element of so many, by chain.
func (a *array) element(s Shape, k, elements int) [][]float64 {
	chains, draws, _ := a.sizes(s)
	out := make([][]float64, chains)
	for c := range out {
		out[c] = make([]float64, draws)
		for i := range out[c] {
			at := c*draws + i
			if s == DrawsFirst {
				at = i*chains + c
			}
			out[c][i] = a.numbers[at*elements+k]
		}
	}
	return out
}

// readArray reads an array of at most so many numbers.
func readArray(ctx context.Context, source, name string, in selector.Places, most int) (*array, error) {
	h, data, err := readNPYHeader(source, in)
	if err != nil {
		return nil, err
	}
	if bad := checkArray(h, in.Size()-data, int64(most)); bad != nil {
		return nil, bad.at(source, -1, 0)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	raw := make([]byte, in.Size()-data)
	if _, err := in.ReadAt(raw, data); err != nil {
		return nil, err
	}
	numbers, err := h.Floats(raw)
	if err != nil {
		return nil, err
	}
	a := &array{source: source, name: name, numbers: numbers}
	for _, side := range h.Shape {
		a.sides = append(a.sides, int(side))
	}
	return a, nil
}

// arrayForm is how draws stand in an array.
const arrayForm = "write one of shape (chains, draws), or (draws,) for one chain"

// checkArray refuses an array that holds no numbers, or other bytes than it promises.
func checkArray(h *numpy.Header, size, most int64) *fault {
	switch {
	case h.Structured:
		return &fault{found: "a structured array", want: arrayForm}
	case !h.Fields[0].Readable():
		return mistaken(h.Fields[0].Unread())
	case len(h.Shape) == 0:
		return &fault{found: "an array of shape ()", want: arrayForm}
	}
	total := int64(1)
	for _, side := range h.Shape {
		if side == 0 {
			return &fault{found: "an array of shape " + numpy.ShapeText(h.Shape) + ", which has no numbers", want: arrayForm}
		}
		if side > most/total {
			return tooMany(int(most))
		}
		total *= side
	}
	if want := total * int64(h.Fields[0].Size); want != size {
		return &fault{found: fmt.Sprintf("%d bytes of numbers, but the header announces %d", size, want), want: "write the file again with numpy.save"}
	}
	return nil
}

// arrays reads arrays, each of which is a variable.
func (r *reading) arrays(ctx context.Context, paths []string) error {
	var all []*array
	for _, path := range paths {
		if !numpy.Is(path) {
			return (&fault{found: "a file of another format than " + paths[0], want: "give files of one format, from one run"}).at(path, -1, 0)
		}
		list, err := r.arraysOf(ctx, path)
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	names := r.arrayNames(all)
	for _, a := range all {
		n := len(a.names(r.Shape))
		for k := range n {
			if bad := r.array(names[k], a, a.element(r.Shape, k, n)); bad != nil {
				return bad.at(a.source, -1, 0)
			}
		}
		names = names[n:]
	}
	return nil
}

// arrayNames returns the names of all elements. Those of a single array may be variables without
// names.
func (r *reading) arrayNames(all []*array) []string {
	var names []string
	for _, a := range all {
		names = append(names, a.names(r.Shape)...)
	}
	if len(all) == 1 && len(names) > 1 && r.Names != nil {
		if known := r.Names(nil, len(names)); len(known) == len(names) {
			return known
		}
	}
	return r.named(names)
}

// arraysOf reads the array of a file, or those of an archive, and notes how they are read where
// that is not plain.
func (r *reading) arraysOf(ctx context.Context, path string) (list []*array, err error) {
	file, err := r.open(numpy.FileOf(path))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	isArchive := selector.Ending(numpy.FileOf(path)) != ".npy"
	if isArchive {
		list, err = r.archived(ctx, path, file)
	} else {
		var a *array
		if a, err = alone(ctx, path, file, r.Most); err == nil {
			list = []*array{a}
			if bad := r.hold(a); bad != nil {
				err = bad.at(path, -1, 0)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	plain := len(list) == 1 && len(list[0].sides) < 3
	var shapes []string
	for _, a := range list {
		key := "" // of an archive
		if isArchive {
			key = a.name
		}
		if bad := Doubtful(path, key, a.sides, r.Shape); bad != nil {
			return nil, bad
		}
		shapes = append(shapes, a.name+" "+numpy.ShapeText(a.sides))
	}
	if !plain {
		r.noteShapes(path, list[0], shapes)
	}
	return list, nil
}

// hold counts the numbers of an array, of which those of all arrays are in memory.
func (r *reading) hold(a *array) *fault {
	if r.held += len(a.numbers); r.held > r.Most {
		return tooMany(r.Most).in(a.name)
	}
	return nil
}

// noteShapes notes how arrays are read.
func (r *reading) noteShapes(path string, first *array, shapes []string) {
	chainsRead, draws, _ := first.sizes(r.Shape)
	text := fmt.Sprintf("%s: %s: read as %s of %s", path, few(shapes), selector.Count(chainsRead, "chain"), selector.Count(draws, "draw"))
	if r.Shape == "" {
		r.doubts = append(r.doubts, chains.NewAdvice("%s; if the draws come first, as emcee has them, give {shape} draws,chains", text))
		return
	}
	r.notes = append(r.notes, text)
}

// few lists phrases, of which the end is left out if there are many.
func few(phrases []string) string {
	const most = 12
	if more := len(phrases) - most; more > 0 {
		phrases = append(slices.Clone(phrases[:most]), fmt.Sprintf("%d more", more))
	}
	return selector.Listed(phrases)
}

// alone reads the array of a file .npy.
func alone(ctx context.Context, path string, file *selector.File, most int) (*array, error) {
	in, err := file.Places(numpy.Size(most))
	if err != nil {
		return nil, unpacking(path, err)
	}
	name := filepath.Base(path)
	name = name[:strings.LastIndex(strings.ToLower(name), ".npy")]
	return readArray(ctx, path, name, in, most)
}

// archived reads the arrays of an archive that may be draws: of the others, which are texts or
// single values, it makes a note.
func (r *reading) archived(ctx context.Context, path string, file *selector.File) (list []*array, err error) {
	wrong := func(err error) error {
		return (&fault{found: "an archive that cannot be read: " + err.Error(), want: "write it again with numpy.savez"}).at(path, -1, 0)
	}
	archive, err := numpy.OpenArchive(file, file.Size())
	if err != nil {
		return nil, wrong(err)
	}
	keys, asked := archive.Keys(), numpy.KeyOf(path)
	if asked != "" {
		keys = []string{asked}
	}
	var left []string
	for _, key := range keys {
		data, err := archive.Read(key, numpy.Size(r.Most))
		if err != nil {
			return nil, wrong(err)
		}
		a, why, err := member(ctx, path, key, data, r.Most)
		switch {
		case err != nil:
			return nil, err
		case a == nil && asked == "":
			left = append(left, key+" ("+why+")")
			continue
		case a == nil:
			return nil, (&fault{column: key, found: why, want: arrayForm}).at(path, -1, 0)
		}
		if bad := r.hold(a); bad != nil {
			return nil, bad.at(path, -1, 0)
		}
		list = append(list, a)
	}
	switch {
	case len(list) == 0 && len(left) == 0:
		return nil, wrong(errors.New("it has no arrays"))
	case len(list) == 0:
		return nil, (&fault{found: "no draws, but " + few(left), want: arrayForm}).at(path, -1, 0)
	case len(left) > 0:
		r.notes = append(r.notes, path+": left out "+few(left))
	}
	return list, nil
}

// member reads an array of an archive. It is nil if it cannot be draws, and why says what it is.
func member(ctx context.Context, path, key string, data []byte, most int) (a *array, why string, err error) {
	in := bytes.NewReader(data)
	h, _, err := readNPYHeader(path, in)
	bad, is := errors.AsType[*Error](err)
	switch {
	case is && strings.HasPrefix(bad.Found, "Python objects"):
		return nil, bad.Found, nil
	case is:
		bad.Column = key
		return nil, "", err
	case err != nil:
		return nil, "", err
	case h.Structured:
		return nil, "a structured array", nil
	case !h.Fields[0].Readable():
		return nil, h.Fields[0].Unread().Found, nil
	case len(h.Shape) == 0:
		return nil, "a single value", nil
	}
	a, err = readArray(ctx, path, key, in, most)
	if bad, is := errors.AsType[*Error](err); is {
		bad.Column = key
	}
	return a, "", err
}

// array adds a variable.
func (r *reading) array(name string, a *array, series [][]float64) *fault {
	if slices.Contains(r.names, name) {
		return &fault{found: "a second variable " + name, want: "give the arrays names of their own"}
	}
	if len(r.names) == 0 {
		for range series {
			r.chain(a.source)
		}
	}
	if n, draws := len(r.chains), len(series[0]); len(series) != n || len(r.names) > 0 && draws != len(r.chains[0].values[0]) {
		first := r.chains[0]
		return &fault{
			column: name, found: fmt.Sprintf("%s of %s, but %s of %s has %s of %s", selector.Count(len(series), "chain"), selector.Count(draws, "draw"),
				r.names[0], first.source, selector.Count(n, "chain"), selector.Count(len(first.values[0]), "draw")),
			want: "give arrays of one shape, (chains, draws), or diagnose them one by one, as in FILE.npz#NAME",
		}
	}
	r.variable(name)
	at := len(r.names) - 1
	for k, x := range series {
		r.chains[k].values = append(r.chains[k].values, make([]float64, 0, len(x)))
		for i, v := range x {
			var cell []byte
			if r.domains[at] != nil || v-v != 0 {
				cell = strconv.AppendFloat(nil, v, 'g', -1, 64)
			}
			var bad *fault
			if r.domains[at] != nil {
				v, bad = r.parse(at, cell)
			}
			if bad == nil {
				bad = r.add(r.chains[k], at, v, cell, func() string { return fmt.Sprintf("%s, draw %d of chain %d, both counted from 0", a.source, i, k) })
			}
			if bad != nil {
				return bad
			}
		}
	}
	return nil
}
