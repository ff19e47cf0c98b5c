package sandwich

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/toys/models"
)

// File is a file of saved data sets, with a name without folders.
type File struct {
	Name string
	Text []byte
}

// SavedName is the name of the file that describes saved data sets.
const SavedName = "data.json"

// savedSets is the content of that file.
type savedSets struct {
	About string `json:"about"`
	// Schema is that of the file, 1; files of version 0.1.0 say none.
	Schema int        `json:"schema"`
	Sets   []savedSet `json:"sets"`
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

// aboutSaved describes the files.
const aboutSaved = "Data sets of breadboard sandwich, which can read this file. Each y is a table in CSV " +
	"with a row per datum, and exact_draw names the tables " +
	"of the parameters and latent variables that made it, which are an exact draw from the posterior. " +
	"Numbers have all their digits. " +
	"The model has the distribution of every variable (N has a mean and a variance); seed and data " +
	"determine the random numbers of chains. " +
	"Data without exact_draw have no chains in reverse."

// maxSaved is the largest size of the description, and of a table, in bytes.
const maxSaved = 256 << 20

// Save returns the files from which ReadSaved reads the data sets again, bit for bit. The last file
// describes them, so that a folder that has it has all of them.
func Save(given []Given) (files []File, err error) {
	description := savedSets{About: aboutSaved, Schema: 1}
	for _, g := range given {
		table := func(name string, values [][]float64) string {
			name = fmt.Sprintf("%s_%d_%s.csv", strings.ReplaceAll(g.Model.Name, ":", "-"), g.Number, name)
			files = append(files, File{name, csvOf(values)})
			return name
		}
		one := savedSet{
			Model:   g.Model.Name,
			Meaning: g.Model.meaning,
			Rows:    g.Rows,
			Columns: g.Columns,
			Data:    g.Number,
			Seed:    g.Seed,
			Y:       table("y", g.Data.Rows),
		}
		for _, name := range slices.Sorted(maps.Keys(g.Data.draw)) {
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

// IsSaved reports whether a path is that of saved data sets: a folder, or a description in JSON.
// Any other file is a table.
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
	wrong := d.Decode(&description)
	if err := cmp.Or(selector.CheckSchema(max(description.Schema, 1), 1), wrong); err != nil {
		// a later version may have more fields
		return nil, fmt.Errorf("%s describes no data sets: %w", path, err)
	}
	if len(description.Sets) == 0 {
		return nil, errs.New("%s describes no data sets; its list sets is empty", path)
	}
	for i, one := range description.Sets {
		g, err := one.readTables(filepath.Dir(path))
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

// readTables reads the tables of a data set.
func (s *savedSet) readTables(folder string) (Given, error) {
	m, err := ParseModel(s.Model)
	if err != nil {
		return Given{}, err
	}
	y, err := readDescribed(folder, s.Y)
	if err != nil {
		return Given{}, err
	}
	if len(y) != s.Rows || len(y[0]) != s.Columns {
		return Given{}, errs.New("%s has %d rows and %d columns; the description says %d and %d", s.Y,
			len(y), len(y[0]), s.Rows, s.Columns)
	}
	var exact draw
	for name, file := range s.Draw {
		t, err := readDescribed(folder, file)
		if err != nil {
			return Given{}, err
		}
		if exact == nil {
			exact = draw{}
		}
		exact[name] = t
	}
	return m.dataUnder(y, exact, s.Data, s.Seed)
}

// readDescribed reads a table of the description.
func readDescribed(folder, name string) ([][]float64, error) {
	if name == "" {
		return nil, fmt.Errorf("the description names no file y of the data")
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
	t, err := models.ParseNamedTable(
		text,
		models.TableLimits{Bytes: maxSaved, Rows: MaxRows, Columns: MaxColumns, Number: maxDatum},
	)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t.Rows, nil
}

// maxDatum is the largest number in data, as in package toys/latent.
const maxDatum = 1e40
