package sandwich

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/simulate"
	"breadboard/experiments/subject"
)

// Set identifies a data set: by its number among the data sets of a seed and size.
type Set struct {
	Model         Model
	Rows, Columns int
	Number        int // from 1
	Seed          uint64
}

// size returns the size of the data set.
func (s Set) size() size { return size{s.Rows, s.Columns} }

// purpose names the data set for random streams.
func (s Set) purpose() string { return fmt.Sprintf("%s %d by %d", s.Model.Name, s.Rows, s.Columns) }

// Validate returns an error if the model has no data of the size.
func (s Set) Validate() error { return s.Model.check(s.size()) }

// Draw draws the data set, with the exact draw from its posterior. If the context ends first it
// returns the context's error at once.
func (s Set) Draw(ctx context.Context) (*Data, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return subject.Unless(ctx, func() (*Data, error) {
		return s.Model.simulate(
			chains.NewSampler(simulate.NewStream(s.Seed, "data of "+s.purpose(), s.Number)),
			s.size(),
		)
	})
}

// Data are a data set under a model, with the exact draw that made them if they were simulated.
type Data struct {
	Rows        [][]float64
	problem     func() problem // for one goroutine
	represented []Annealing    // in the representations of the model; nil without an exact draw
	draw        draw           // nil if there is no exact draw
}

// drawn reports whether there is an exact draw from the posterior to start reverse chains.
func (d *Data) drawn() bool { return d.draw != nil }

// Given is an existing data set: drawn before, read from files, or measured.
type Given struct {
	Set
	Data *Data
}

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

// Measured returns a table as the data of each of the models, without an exact draw. The seed is
// that of chains.
func Measured(names []string, y [][]float64, seed uint64) (given []Given, err error) {
	for _, name := range names {
		m, err := ParseModel(name)
		if err != nil {
			return nil, err
		}
		g, err := m.dataUnder(y, nil, 1, seed)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", name, err)
		}
		given = append(given, g)
	}
	_, err = givenSets(given)
	return given, err
}

// dataUnder returns data under the model, with an exact draw or nil.
func (m Model) dataUnder(y [][]float64, exact draw, number int, seed uint64) (Given, error) {
	g := Given{Set: Set{m, len(y), len(y[0]), number, seed}}
	if err := m.check(g.size()); err != nil {
		return Given{}, err
	}
	if number < 1 || number > MaxDatasets {
		return Given{}, errs.New("data is %d; give a number from 1 to %d", number, MaxDatasets)
	}
	var err error
	g.Data, err = m.given(y, exact)
	return g, err
}

// givenSets returns the names of the given data sets. It fails if rows could not distinguish them:
// the data sets of a model must be adjacent and have different numbers and one size, and either all
// have an exact draw or none has.
func givenSets(given []Given) (sets []Set, err error) {
	first := map[string]Given{}
	seen := map[string]bool{}
	for i, g := range given {
		name := g.Model.Name
		f, known := first[name]
		key := fmt.Sprint(name, " ", g.Number)
		switch {
		case g.Data.drawn() != given[0].Data.drawn():
			return nil, errs.New(
				"data sets with and without an exact draw are mixed, as data set %d of model %s shows; "+
					"read those without one separately",
				g.Number,
				name,
			)
		case seen[key]:
			return nil, errs.New("data set %d of model %s occurs twice; give it another number", g.Number, name)
		case known && given[i-1].Model.Name != name:
			return nil, errs.New("the data sets of model %s are not adjacent; list them one after another", name)
		case known && f.size() != g.size():
			return nil, errs.New(
				"data set %d of model %s has %d rows and %d columns, but the first has %d and %d; all "+
					"data sets must have the same size",
				g.Number,
				name,
				g.Rows,
				g.Columns,
				f.Rows,
				f.Columns,
			)
		}
		if !known {
			first[name] = g
		}
		seen[key] = true
		sets = append(sets, g.Set)
	}
	return sets, nil
}

// draw is an exact draw from the posterior as tables by name: the parameters and latent variables
// of a model. It is nil if there is none.
type draw map[string][][]float64

// table returns one of the tables, and fails if it has the wrong number of rows or columns. For no
// draw it returns nil.
func (d draw) table(name string, rows, columns int) ([][]float64, error) {
	if d == nil {
		return nil, nil
	}
	t, there := d[name]
	switch {
	case !there:
		return nil, fmt.Errorf("the exact draw has no table %s", name)
	case len(t) != rows || len(t[0]) != columns:
		return nil, errs.New(
			"the table %s of the exact draw has %d rows and %d columns; the model and its data need %d and %d",
			name,
			len(t),
			len(t[0]),
			rows,
			columns,
		)
	}
	return t, nil
}

// wholeTable returns one of the tables, row after row, and fails if an entry is no whole number
// from 0 to below - 1.
func (d draw) wholeTable(name string, rows, columns, below int) (list []int, err error) {
	t, err := d.table(name, rows, columns)
	for i, row := range t {
		for j, v := range row {
			if !(v >= 0 && v < float64(below)) || v != float64(int(v)) {
				return nil, errs.New(
					"row %d, column %d of the table %s of the exact draw is %v; it must be a whole number from 0 to %d",
					i+1,
					j+1,
					name,
					v,
					below-1,
				)
			}
			list = append(list, int(v))
		}
	}
	return list, err
}

// withNone returns the data without an exact draw, or the error of an invalid one.
func withNone[S any](with func(y [][]float64, exact *S) (*Data, error), y [][]float64,
	err error) (*Data, error) {
	if err != nil {
		return nil, err
	}
	return with(y, nil)
}

// rowsOf returns a list of whole numbers as a table with the given number of columns.
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

// size is the size of a data set.
type size struct{ rows, columns int }
