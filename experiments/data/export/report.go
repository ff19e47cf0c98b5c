package export

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/matrices"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/table"
)

// ArrayFormat is the format in which arrays are written.
type ArrayFormat string

// The formats of arrays by their names.
const (
	NPZ       ArrayFormat = "npz"
	npy       ArrayFormat = "npy"
	arrayCSV  ArrayFormat = "csv"
	arrayJSON ArrayFormat = "json"
	MTX       ArrayFormat = "mtx" // of Markov chains, each in a file
	// for a number in .npy or .npz, beside itself: its array, its archive, and copies on the way
	// out
	bytesOfBinary = 40
	bytesOfText   = 100 // for a number in JSON, and for one of a chain
	bytesOfRow    = 400 // for a row of a table
)

// ArrayFormats returns the names of all formats of arrays.
func ArrayFormats() []string {
	return []string{string(NPZ), string(npy), string(arrayCSV), string(arrayJSON), string(MTX)}
}

// ParseArrayFormat returns the format of a name.
func ParseArrayFormat(name string) (ArrayFormat, error) {
	if !slices.Contains(ArrayFormats(), name) {
		return "", selector.FormatError(name, ArrayFormats())
	}
	return ArrayFormat(name), nil
}

// Binary reports whether a format cannot be shown on a terminal.
func (f ArrayFormat) Binary() bool { return f == NPZ || f == npy }

// BytesEach returns the memory that writing takes for each number.
func (f ArrayFormat) BytesEach() int {
	switch {
	case f == arrayCSV:
		return bytesOfRow
	case f == arrayJSON, f == MTX:
		return bytesOfText
	}
	return bytesOfBinary
}

// Validate returns an error with the reason if kinds of arrays cannot be written in a format, to
// files or among the results. No names mean those of arrays.Options.
func (f ArrayFormat) Validate(names []string, files bool) error {
	kinds := Kinds()
	if f == MTX {
		return f.validateChains(names)
	}
	set := len(names) == 0 ||
		slices.ContainsFunc(sets(), func(name string) bool { return slices.Contains(names, name) })
	many := len(names) != 1 || set
	numbers := set
	for _, k := range kinds {
		if slices.Contains(names, k.Name) {
			many = many || k.Several
			numbers = numbers || !k.NoTable
		}
	}
	switch {
	case f == npy && many && !files:
		return errs.New(
			"the format npy has one array in a file; name one in {arrays}, as in {arrays} q, write npz, " +
				"or give {out} for a file each",
		)
	case f == arrayCSV && !numbers:
		return errs.New(
			"a table has numbers, and {arrays} names texts and whole numbers alone; give npz or json",
		)
	}
	return nil
}

// validateChains returns an error where names are not all of chains.
func (f ArrayFormat) validateChains(names []string) error {
	var chained []string
	for _, k := range Kinds() {
		if k.Chains != nil {
			chained = append(chained, k.Name)
		}
	}
	for _, name := range names {
		if !slices.Contains(chained, name) {
			return errs.New("the format %s has Markov chains, and %s is none; give one of %s in {arrays}",
				f, name, strings.Join(chained, ", "))
		}
	}
	return nil
}

// arraysName returns the name of the files of a case's arrays, without an ending: arrays_TOY_TT,
// followed by every other parameter that is not its default. So annealings that differ in anything
// have different files.
func arraysName(c *subject.Case) string {
	name := reports.FileName("arrays_" + c.Toy.Name + "_T" + strconv.Itoa(c.Distributions()))
	for _, p := range subject.Parameters() {
		value := c.Param(p.Name)
		standard := slices.Contains(p.Defaults(), value)
		switch p.Name {
		case "toy", "T":
			continue
		case "initial":
			standard = value == c.Toy.DefaultInitial()
		}
		if !standard {
			name += "_" + p.Name + "-" + reports.FileName(value)
		}
	}
	return name
}

// ArraysReport returns the report of the arrays of a case: files with the case's name if files is
// set, and otherwise the one file among the results. The format must be valid for the kinds of
// arrays.
func ArraysReport(c *subject.Case, list []Array, f ArrayFormat, files bool) (*reports.Report, error) {
	name := arraysName(c)
	r := &reports.Report{}
	add := func(name string, data []byte) {
		if files {
			r.Add(reports.File{Name: name, Content: func() ([]byte, error) { return data, nil }})
			return
		}
		r.Add(reports.Text(data))
	}
	if f == npy {
		for i := range list {
			add(name+"_"+list[i].Name+".npy", arrayNPY(&list[i]))
		}
		return r, nil
	}
	data, err := encodeArrays(list, f)
	if err != nil {
		return nil, err
	}
	add(name+"."+string(f), data)
	return r, nil
}

// ChainsReport returns the report of the chains of a case, each in a file of MatrixMarket: files
// with the case's name if files is set, and otherwise the one file among the results. It fails for
// several chains among the results.
func ChainsReport(c *subject.Case, list []Chain, files bool) (*reports.Report, error) {
	r := &reports.Report{}
	if !files && len(list) > 1 {
		return nil, errs.New("the format %s would make %d files; give {out} for them", MTX, len(list))
	}
	for i := range list {
		data := matrices.MatrixMarket(&list[i].Rows, "rows of a Markov chain, states from 1 on")
		if !files {
			r.Add(reports.Text(data))
			continue
		}
		r.Add(reports.File{
			Name:    arraysName(c) + "_" + list[i].Name + ".mtx",
			Content: func() ([]byte, error) { return data, nil },
		})
	}
	return r, nil
}

// encodeArrays writes arrays in a format that has several in one file.
func encodeArrays(list []Array, f ArrayFormat) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch f {
	case NPZ:
		members := make([]numpy.Member, len(list))
		for i := range list {
			members[i] = numpy.Member{Name: list[i].Name, Data: arrayNPY(&list[i])}
		}
		err = numpy.WriteArchive(&b, members)
	case arrayJSON:
		arraysJSON(&b, list)
	default:
		err = arraysTable(list).Write(&b, table.Format(f))
	}
	return b.Bytes(), err
}

// arrayNPY returns an array as a file .npy.
func arrayNPY(a *Array) []byte {
	switch {
	case a.Texts != nil:
		return numpy.Texts(a.Texts, a.Shape()...)
	case a.Integers != nil:
		return numpy.Integers(a.Integers, a.Shape()...)
	}
	return numpy.Floats(a.Floats, a.Shape()...)
}

// arraysJSON writes arrays as one object, each as nested lists under its name, with the non-finite
// numbers as in tables.
func arraysJSON(b *bytes.Buffer, list []Array) {
	b.WriteString("{")
	for i := range list {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(b, "\n  %q: ", list[i].Name)
		nested(b, list[i].Shape(), 0, func(k int) string { return jsonCell(&list[i], k) })
	}
	b.WriteString("\n}\n")
}

// nested writes the values of an array of a shape from the given place on as nested lists, and
// returns the place behind them.
func nested(b *bytes.Buffer, shape []int, at int, cell func(k int) string) int {
	if len(shape) == 0 {
		b.WriteString(cell(at))
		return at + 1
	}
	b.WriteByte('[')
	for i := range shape[0] {
		if i > 0 {
			b.WriteString(", ")
		}
		at = nested(b, shape[1:], at, cell)
	}
	b.WriteByte(']')
	return at
}

func jsonCell(a *Array, k int) string {
	var value any
	switch {
	case a.Texts != nil:
		value = a.Texts[k]
	case a.Integers != nil:
		value = a.Integers[k]
	default:
		value = a.Floats[k]
	}
	text, err := table.JSONText(value)
	if err != nil {
		panic(err) // texts and numbers can be written
	}
	return text
}

// arraysTable returns the values of arrays of float64 as a table with a row for each, which says of
// what array it is and where on the array's axes it stands: its stage, its state, its coordinates.
func arraysTable(list []Array) *table.Table {
	list = slices.DeleteFunc(slices.Clone(list), func(a Array) bool { return a.Group == "" || a.Floats == nil })
	places := placesOf(list)
	t := &table.Table{
		Columns: []table.Column{{Name: "array", Type: table.String, Meaning: "the name of the array"}}}
	at := map[string]int{} // the place of a column
	for _, p := range places {
		at[p.Name] = len(t.Columns)
		t.Columns = append(t.Columns, p)
	}
	t.Columns = append(t.Columns, table.Column{Name: "value", Type: table.Float,
		Meaning: "the number there; log_f, gaps, J and other divergences, and log w are in nats"})
	for i := range list {
		a := &list[i]
		for k, v := range a.Floats {
			row := make([]any, len(t.Columns))
			row[0], row[len(row)-1] = a.Group, v
			for j := len(a.Axes) - 1; j >= 0; j-- {
				length := a.Axes[j].Length()
				for _, c := range a.Axes[j].Columns {
					row[at[c.Name]] = placeOn(c, k%length)
				}
				k /= length
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// placeOn returns the cell of a column for a place on its axis.
func placeOn(c Column, i int) any {
	if c.Text != nil {
		return c.Text[i]
	}
	return c.Of[i]
}

// placesOf returns a column for each way to say where a value of an array stands, in their order.
func placesOf(list []Array) []table.Column {
	order := []table.Column{
		{Name: "stage", Type: table.Int, Meaning: "the stage t, from 1 to T"},
		{Name: "state", Type: table.Int, Meaning: "the number of the state, from 0 on"},
		{Name: "label", Type: table.String, Meaning: "the name of the state, on a graph or of a network"},
	}
	var axes []string
	used := map[string]bool{}
	for i := range list {
		for _, axis := range list[i].Axes {
			for _, c := range axis.Columns {
				if !used[c.Name] && strings.HasPrefix(c.Name, "x") {
					axes = append(axes, c.Name)
				}
				used[c.Name] = true
			}
		}
	}
	// x10 stands behind x9
	slices.SortStableFunc(axes, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	for _, name := range axes {
		order = append(order, table.Column{
			Name:    name,
			Type:    table.Int,
			Meaning: "the state's coordinate on the axis of this number",
		})
	}
	order = append(order,
		table.Column{Name: "to", Type: table.Int, Meaning: "the state to which a row of a kernel leads"},
		table.Column{Name: "point", Type: table.Int, Meaning: "the number of the value of log w, from 0 on"})
	return slices.DeleteFunc(order, func(c table.Column) bool { return !used[c.Name] })
}
