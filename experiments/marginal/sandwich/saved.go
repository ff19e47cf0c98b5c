package sandwich

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"breadboard/chains/selector"
	"breadboard/chains/sorts"
	"breadboard/toys/models"
)

// Given is a data set that is there already: one that was drawn before, read from files, or measured.
type Given struct {
	Set
	Data *Data
}

// File is a file of saved data sets, with a name that has no folders in it.
type File struct {
	Name string
	Text []byte
}

// SavedName is the name of the file that describes saved data sets.
const SavedName = "data.json"

// savedSets is what that file holds.
type savedSets struct {
	About string     `json:"about"`
	Sets  []savedSet `json:"sets"`
}

// savedSet describes a data set. Names of files are relative to the folder of the description.
type savedSet struct {
	Model   string            `json:"model"`
	Meaning string            `json:"meaning"` // for people
	Rows    int               `json:"rows"`
	Columns int               `json:"columns"`
	Data    int               `json:"data"` // its number
	Seed    uint64            `json:"seed"` // of its chains
	Y       string            `json:"y"`
	Draw    map[string]string `json:"exact_draw,omitempty"` // the files of the tables by name
}

// aboutSaved says what the files are.
const aboutSaved = "Data sets of breadboard sandwich, which reads this file again. Each y is a table in CSV with a row for each datum, and exact_draw names the tables " +
	"of parameters and latent variables that it was simulated with, which are an exact draw from the posterior. Numbers have all their digits. " +
	"The model says what was drawn from which law (N has a mean and a variance), and the seed and the number data give the random numbers of chains. " +
	"Data without exact_draw have no chains in reverse."

// maxSaved bounds the bytes of the description and those of a table.
const maxSaved = 256 << 20

// Simulate draws the data sets of options, each with its exact draw.
func Simulate(ctx context.Context, o Options) (given []Given, err error) {
	sets, err := o.sets()
	if err != nil {
		return nil, err
	}
	data, err := o.data(ctx, sets)
	if err != nil {
		return nil, err
	}
	for i, s := range sets {
		given = append(given, Given{s, data[i]})
	}
	return given, nil
}

// Save returns the files from which ReadSaved reads the data sets again, bit for bit. The last one describes them, so that a folder in which
// it stands has all of them.
func Save(given []Given) (files []File, err error) {
	description := savedSets{About: aboutSaved}
	for _, g := range given {
		table := func(name string, values [][]float64) string {
			name = fmt.Sprintf("%s_%d_%s.csv", strings.ReplaceAll(g.Model.Name, ":", "-"), g.Number, name)
			files = append(files, File{name, csvOf(values)})
			return name
		}
		one := savedSet{Model: g.Model.Name, Meaning: g.Model.meaning, Rows: g.Rows, Columns: g.Columns, Data: g.Number, Seed: g.Seed, Y: table("y", g.Data.Rows)}
		for _, name := range sorts.Strings(maps.Keys(g.Data.draw)) {
			if one.Draw == nil {
				one.Draw = map[string]string{}
			}
			one.Draw[name] = table(name, g.Data.draw[name])
		}
		description.Sets = append(description.Sets, one)
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(description)
	return append(files, File{SavedName, text.Bytes()}), err
}

// csvOf returns a table in CSV, with the shortest digits that are read as the same numbers.
func csvOf(t [][]float64) (text []byte) {
	for _, row := range t {
		for j, v := range row {
			if j > 0 {
				text = append(text, ',')
			}
			text = strconv.AppendFloat(text, v, 'g', -1, 64)
		}
		text = append(text, '\n')
	}
	return text
}

// IsSaved reports whether a path is one of saved data sets: a folder, or a description in JSON. Any other file is a table.
func IsSaved(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || strings.EqualFold(filepath.Ext(path), ".json")
}

// ReadSaved reads data sets that Save has written, from their description or its folder.
func ReadSaved(path string) (given []Given, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, SavedName)
	}
	text, err := selector.ReadFile(path, maxSaved)
	if err != nil {
		return nil, err
	}
	var description savedSets
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&description); err != nil {
		return nil, fmt.Errorf("%s describes no data sets: %w", path, err)
	}
	if len(description.Sets) == 0 {
		return nil, fmt.Errorf("%s describes no data sets; its list sets is empty", path)
	}
	for i, one := range description.Sets {
		g, err := one.read(filepath.Dir(path))
		if err != nil {
			return nil, fmt.Errorf("%s, data set %d of the list: %w", path, i+1, err)
		}
		given = append(given, g)
	}
	if _, err := givenSets(given); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return given, nil
}

// read reads the tables of a data set.
func (s *savedSet) read(folder string) (Given, error) {
	m, err := ParseModel(s.Model)
	if err != nil {
		return Given{}, err
	}
	y, err := readTable(folder, s.Y)
	if err != nil {
		return Given{}, err
	}
	if len(y) != s.Rows || len(y[0]) != s.Columns {
		return Given{}, fmt.Errorf("%s has %d rows and %d columns; the description says %d and %d", s.Y, len(y), len(y[0]), s.Rows, s.Columns)
	}
	var exact draw
	for name, file := range s.Draw {
		t, err := readTable(folder, file)
		if err != nil {
			return Given{}, err
		}
		if exact == nil {
			exact = draw{}
		}
		exact[name] = t
	}
	return m.on(y, exact, s.Data, s.Seed)
}

// readTable reads a table of the description.
func readTable(folder, name string) ([][]float64, error) {
	if name == "" {
		return nil, fmt.Errorf("no file y of the data is named")
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, name)
	}
	return ReadTable(path)
}

// ReadTable reads data in CSV, a row for each datum, with or without a line of headings.
func ReadTable(path string) ([][]float64, error) {
	text, err := selector.ReadFile(path, maxSaved)
	if err != nil {
		return nil, err
	}
	t, err := models.ParseNamedTable(text, models.TableLimits{Bytes: maxSaved, Rows: MaxRows, Columns: MaxColumns, Number: maxDatum})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t.Rows, nil
}

// maxDatum bounds the numbers of data, as the models of package toys/latent do.
const maxDatum = 1e40

// Measured returns a table as the data of each of the models, without an exact draw. Chains have random numbers of the seed.
func Measured(names []string, y [][]float64, seed uint64) (given []Given, err error) {
	for _, name := range names {
		m, err := ParseModel(name)
		if err != nil {
			return nil, err
		}
		g, err := m.on(y, nil, 1, seed)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", name, err)
		}
		given = append(given, g)
	}
	_, err = givenSets(given)
	return given, err
}

// on returns data under the model, with an exact draw or nil.
func (m Model) on(y [][]float64, exact draw, number int, seed uint64) (Given, error) {
	g := Given{Set: Set{m, len(y), len(y[0]), number, seed}}
	if err := m.check(g.size()); err != nil {
		return Given{}, err
	}
	if number < 1 || number > MaxDatasets {
		return Given{}, fmt.Errorf("the number data is %d; it is from 1 to %d", number, MaxDatasets)
	}
	var err error
	g.Data, err = m.given(y, exact)
	return g, err
}

// givenSets returns the names of data sets that are given, and fails where rows could not tell them apart: data sets of a model follow one
// another and have numbers and one size, and either all data sets have an exact draw or none has.
func givenSets(given []Given) (sets []Set, err error) {
	first := map[string]Given{}
	seen := map[string]bool{}
	for i, g := range given {
		name := g.Model.Name
		f, known := first[name]
		key := fmt.Sprint(name, " ", g.Number)
		switch {
		case g.Data.drawn() != given[0].Data.drawn():
			return nil, fmt.Errorf("data set %d of model %s has another kind of start than the first: some have an exact draw and some have none; read those without one by themselves", g.Number, name)
		case seen[key]:
			return nil, fmt.Errorf("data set %d of model %s is there twice; give it another number", g.Number, name)
		case known && given[i-1].Model.Name != name:
			return nil, fmt.Errorf("data sets of model %s stand apart; list them one after another", name)
		case known && f.size() != g.size():
			return nil, fmt.Errorf("data set %d of model %s has %d rows and %d columns, and the first %d and %d; data sets that are taken together have one size", g.Number, name, g.Rows, g.Columns, f.Rows, f.Columns)
		}
		if !known {
			first[name] = g
		}
		seen[key] = true
		sets = append(sets, g.Set)
	}
	return sets, nil
}

// draw is an exact draw from the posterior as tables by name: what a model keeps of its parameters and latent variables. It is nil where
// there is none.
type draw map[string][][]float64

// table returns one of the tables, and fails where it has not so many rows and columns. Of no draw it returns nil.
func (d draw) table(name string, rows, columns int) ([][]float64, error) {
	if d == nil {
		return nil, nil
	}
	t, there := d[name]
	switch {
	case !there:
		return nil, fmt.Errorf("the exact draw has no table %s", name)
	case len(t) != rows || len(t[0]) != columns:
		return nil, fmt.Errorf("the table %s of the exact draw has %d rows and %d columns; the model and its data have %d and %d", name, len(t), len(t[0]), rows, columns)
	}
	return t, nil
}

// whole returns one of the tables, row after row, and fails where an entry is no whole number from 0 to below.
func (d draw) whole(name string, rows, columns, below int) (list []int, err error) {
	t, err := d.table(name, rows, columns)
	for i, row := range t {
		for j, v := range row {
			if !(v >= 0 && v < float64(below)) || v != float64(int(v)) {
				return nil, fmt.Errorf("row %d, column %d of the table %s of the exact draw is %v; it is a whole number from 0 to %d", i+1, j+1, name, v, below-1)
			}
			list = append(list, int(v))
		}
	}
	return list, err
}

// withNone returns the data without an exact draw, or the error with which there is something wrong with one.
func withNone[S any](with func(y [][]float64, exact *S) (*Data, error), y [][]float64, err error) (*Data, error) {
	if err != nil {
		return nil, err
	}
	return with(y, nil)
}

// rowsOf returns a list of whole numbers as the table that has so many columns.
func rowsOf(list []int, columns int) (t [][]float64) {
	for i, v := range list {
		if i%columns == 0 {
			t = append(t, nil)
		}
		t[len(t)-1] = append(t[len(t)-1], float64(v))
	}
	return t
}

// transposed returns the columns of a table as rows.
func transposed(t [][]float64) [][]float64 {
	out := make([][]float64, len(t[0]))
	for _, row := range t {
		for j, v := range row {
			out[j] = append(out[j], v)
		}
	}
	return out
}
