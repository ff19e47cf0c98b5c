package files

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/experiments/draws"
	"breadboard/grid/longtest"
)

// data are rows that a test writes, by the names of their columns. Numbers and states are []float64
// and []int.
type data struct {
	names   []string
	columns []any
	rows    int
	space   draws.Space
}

// drawNumber draws a number of any magnitude, an infinity among them.
func drawNumber(t *rapid.T) float64 {
	return rapid.OneOf(
		rapid.Float64Range(-50, 50), rapid.SampledFrom([]float64{
			0, math.Inf(1), math.Inf(-1), 1e12, -1e12, 1e-12, 5e-324, math.MaxFloat64, -0.1, 1.0 / 3,
			1 << 53, 1e23}),
		rapid.Map(rapid.Uint64(), math.Float64frombits).Filter(func(v float64) bool { return v == v }),
	).Draw(t, "number")
}

// drawData draws rows with a choice of columns in any order.
func drawData(t *rapid.T) *data {
	d := &data{rows: rapid.IntRange(1, 40).Draw(t, "rows")}
	d.space = draws.Space{States: 12, Sides: []int{3, 4}, Distributions: rapid.IntRange(2, 5).Draw(t, "T")}
	numbers := func(name string, draw func(*rapid.T) float64) {
		column := make([]float64, d.rows)
		for i := range column {
			column[i] = draw(t)
		}
		d.names, d.columns = append(d.names, name), append(d.columns, column)
	}
	states := func(name string) {
		column := make([]int, d.rows)
		for i := range column {
			column[i] = rapid.IntRange(0, d.space.States-1).Draw(t, name)
		}
		d.names, d.columns = append(d.names, name), append(d.columns, column)
	}
	groups := []func(){
		func() { numbers("log_w", drawNumber) },
		func() { numbers("log_z", drawNumber) },
		func() {
			numbers("beta", func(t *rapid.T) float64 { return rapid.Float64Range(0, 1).Draw(t, "beta") })
			states("from")
			states("to")
		},
		func() {
			for stage := range d.space.Distributions - 1 {
				numbers(fmt.Sprintf("increment_%d", stage+2), drawNumber)
			}
		},
		func() { states("x_first") },
		func() { states("x_last") },
	}
	if rapid.Bool().Draw(t, "path") {
		groups = append(groups[:4], func() {
			for stage := range d.space.Distributions {
				states(fmt.Sprintf("x_%d", stage+1))
			}
		})
	}
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(groups)-1), 1, -1, rapid.ID).Draw(t, "groups") {
		groups[i]()
	}
	order := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
		for i := range d.names {
			if !yield(i) {
				return
			}
		}
	})).Draw(t, "order")
	shuffled := &data{rows: d.rows, space: d.space}
	for _, i := range order {
		shuffled.names, shuffled.columns = append(shuffled.names, d.names[i]),
			append(shuffled.columns, d.columns[i])
	}
	return shuffled
}

// batch returns the rows as a reader should return them.
func (d *data) batch() *draws.Batch {
	b := &draws.Batch{Rows: d.rows}
	path := map[int][]int32{}
	increments := map[int][]float64{}
	for i, name := range d.names {
		numbers, _ := d.columns[i].([]float64)
		var states []int32
		if column, ok := d.columns[i].([]int); ok {
			for _, x := range column {
				states = append(states, int32(x))
			}
		}
		switch name {
		case "log_w":
			b.LogW = numbers
		case "log_z":
			b.LogZ = numbers
		case "beta":
			b.Beta = numbers
		case "from":
			b.From = states
		case "to":
			b.To = states
		case "x_first":
			b.XFirst = states
		case "x_last":
			b.XLast = states
		default:
			_, digits, _ := strings.Cut(name, "_")
			stage, _ := strconv.Atoi(digits)
			if numbers != nil {
				increments[stage] = numbers
			} else {
				path[stage] = states
			}
		}
	}
	for stage := 2; len(increments) > 0 && stage <= d.space.Distributions; stage++ {
		b.Increments = append(b.Increments, increments[stage])
	}
	for stage := 1; len(path) > 0 && stage <= d.space.Distributions; stage++ {
		b.Path = append(b.Path, path[stage])
	}
	if len(path) > 0 {
		b.XFirst = path[1]
		b.XLast = path[d.space.Distributions]
	}
	return b
}

// collect reads a source to its end, in batches of that many rows.
func collect(t interface{ Fatalf(string, ...any) }, s draws.Source, rows int) *draws.Batch {
	all := &draws.Batch{}
	for {
		b, err := s.Next(context.Background(), rows)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		if b.First != all.Rows || b.Rows < 1 || b.Rows > rows {
			t.Fatalf("a batch of %d rows from %d, after %d, where %d were asked for", b.Rows, b.First,
				all.Rows, rows)
		}
		all.Rows += b.Rows
		all.LogW, all.LogZ, all.Beta = append(all.LogW, b.LogW...), append(all.LogZ, b.LogZ...),
			append(all.Beta, b.Beta...)
		all.XFirst, all.XLast = append(all.XFirst, b.XFirst...), append(all.XLast, b.XLast...)
		all.From, all.To = append(all.From, b.From...), append(all.To, b.To...)
		for i := range b.Path {
			if i == len(all.Path) {
				all.Path = append(all.Path, nil)
			}
			all.Path[i] = append(all.Path[i], b.Path[i]...)
		}
		for i := range b.Increments {
			if i == len(all.Increments) {
				all.Increments = append(all.Increments, nil)
			}
			all.Increments[i] = append(all.Increments[i], b.Increments[i]...)
		}
	}
}

// coordinates returns a state as coordinates on the lattice of 3 times 4.
func coordinates(x int) [2]int { return [2]int{x / 4, x % 4} }

// numberText writes a number in one of the ways in which programs write it so that it is read back
// exactly.
func numberText(t *rapid.T, v float64) string {
	if math.IsInf(v, 0) {
		text := rapid.SampledFrom([]string{"inf", "Inf", "Infinity", "INF"}).Draw(t, "spelling")
		if v < 0 {
			return "-" + text
		}
		return rapid.SampledFrom([]string{"", "+"}).Draw(t, "sign") + text
	}
	return strconv.FormatFloat(v, rapid.SampledFrom([]byte{'g', 'e', 'f'}).Draw(t, "format"),
		rapid.SampledFrom([]int{-1, -1, 340 + 17}).Draw(t, "digits"), 64)
}

// writeCSV writes text with one of the separators, through encoding/csv where that can.
func writeCSV(t *rapid.T, d *data) (ending string, content []byte) {
	separator := rapid.SampledFrom([]rune{',', '\t', ';', ' '}).Draw(t, "separator")
	names := slices.Clone(d.names)
	split := map[int]bool{}
	header := []string{}
	for i, name := range names {
		if _, isState := d.columns[i].([]int); isState && rapid.IntRange(0, 3).Draw(t, "split") == 0 {
			split[i] = true
			header = append(header, name+"_0", name+"_1")
			continue
		}
		header = append(header, name)
	}
	rows := [][]string{header}
	for row := range d.rows {
		var cells []string
		for i := range names {
			switch column := d.columns[i].(type) {
			case []float64:
				cells = append(cells, numberText(t, column[row]))
			case []int:
				c := coordinates(column[row])
				if split[i] {
					cells = append(cells, fmt.Sprint(c[0]), fmt.Sprintf("%.3e", float64(c[1])))
					continue
				}
				forms := []string{fmt.Sprint(column[row]), fmt.Sprintf("%d.0", column[row]),
					fmt.Sprintf("%.18e", float64(column[row])),
					fmt.Sprintf("(%d, %d)", c[0], c[1]), fmt.Sprintf("[%d,%d]", c[0], c[1]),
					fmt.Sprintf("%d  %d", c[0], c[1]), fmt.Sprintf("%d;%d", c[0], c[1])}
				cells = append(cells, rapid.SampledFrom(forms).Draw(t, "form"))
			}
		}
		rows = append(rows, cells)
	}
	var out bytes.Buffer
	out.WriteString(rapid.SampledFrom([]string{"", "\ufeff", "# made by a test\n", "#\n\n"}).Draw(t, "start"))
	w := csv.NewWriter(&out)
	w.Comma = separator
	w.UseCRLF = rapid.Bool().Draw(t, "CRLF")
	longtest.NoError(t, w.WriteAll(rows))
	content = out.Bytes()
	switch rapid.IntRange(0, 2).Draw(t, "end") {
	case 0:
		content = bytes.TrimRight(content, "\r\n")
	case 1:
		content = append(content, "\n\r\n  \n"...)
	}
	return rapid.SampledFrom([]string{".csv", ".tsv", ".txt", ".CSV"}).Draw(t, "ending"), content
}

// writeJSONLines writes an object a line, whose names come in any order.
func writeJSONLines(t *rapid.T, d *data) (ending string, content []byte) {
	var out bytes.Buffer
	asPath := slices.Contains(d.names, "x_2") && d.space.Distributions > 2 &&
		rapid.Bool().Draw(t, "as a path")
	state := func(x int) string {
		c := coordinates(x)
		return rapid.SampledFrom([]string{fmt.Sprint(x), fmt.Sprintf("%d.0", x), fmt.Sprintf("[%d, %d]", c[0], c[1]),
			fmt.Sprintf(`"%d %d"`, c[0], c[1])}).Draw(t, "form")
	}
	for row := range d.rows {
		var members []string
		var path []string
		for i, name := range d.names {
			var value string
			switch column := d.columns[i].(type) {
			case []float64:
				value = numberText(t, column[row])
				if math.IsInf(column[row], 0) &&
					(rapid.Bool().Draw(t, "text") || value != "Infinity" && value != "-Infinity") {
					value = strconv.Quote(value)
				}
			case []int:
				if asPath && strings.HasPrefix(name, "x_") {
					continue
				}
				value = state(column[row])
			}
			key, _ := json.Marshal(name)
			members = append(members, string(key)+rapid.SampledFrom([]string{":", ": ", " :\t"}).Draw(t, "colon")+value)
		}
		for stage := 1; asPath && stage <= d.space.Distributions; stage++ {
			path = append(path, fmt.Sprint(d.columns[slices.Index(d.names, fmt.Sprintf("x_%d", stage))].([]int)[row]))
		}
		if asPath {
			members = append(members, `"path": [`+strings.Join(path, ", ")+"]")
		}
		out.WriteString("{" + strings.Join(rapid.Permutation(members).Draw(t, "order"), ",") + "}\n")
	}
	return rapid.SampledFrom([]string{".jsonl", ".ndjson", ".json"}).Draw(t, "ending"), out.Bytes()
}

// TestRoundTrip: what plain writers write in every format is read back equal, in batches of any
// size.
func TestRoundTrip(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	for name, writer := range map[string]func(*rapid.T, *data) (string, []byte){
		"csv": writeCSV, "json": writeJSONLines,
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d := drawData(t)
				ending, content := writer(t, d)
				path := filepath.Join(dir, name+ending)
				stored := content
				if rapid.Bool().Draw(t, "packed") {
					path, stored = path+".gz", []byte(packed(t, string(content)))
				}
				longtest.NoError(t, os.WriteFile(path, stored, 0o644))
				r, err := Open(context.Background(), path, Options{Space: d.space})
				if err != nil {
					t.Fatalf("%v\n%q", err, content)
				}
				defer r.Close()
				got, want := collect(t, r, rapid.IntRange(1, 50).Draw(t, "rows at once")), d.batch()
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("got %+v\nwant %+v\nfrom %q", got, want, content)
				}
				if c, w := r.Columns(), want; c != (draws.Columns{
					LogW:        w.LogW != nil,
					XFirst:      w.XFirst != nil,
					XLast:       w.XLast != nil,
					Path:        w.Path != nil,
					Increments:  w.Increments != nil,
					Transitions: w.To != nil,
					LogZ:        w.LogZ != nil,
				}) {
					t.Fatalf("%+v", c)
				}
				stream, err := NewStream(
					context.Background(),
					"stdin",
					bytes.NewReader(content),
					Options{Space: d.space},
				)
				if err != nil {
					t.Fatalf("%v\n%q", err, content)
				}
				if got := collect(t, stream, 7); !reflect.DeepEqual(got, want) {
					t.Fatalf("from a stream %+v\nwant %+v\nfrom %q", got, want, content)
				}
			})
		})
	}
}

// checkFuzzed reads what a fuzzed source yields: every fault is an *Error with what to write, and
// every value is legal.
func checkFuzzed(t *testing.T, table *Table, err error, o Options) {
	t.Helper()
	var r *Reader
	if err == nil {
		r, err = newReader(table, o)
	}
	var b *draws.Batch
	for err == nil {
		b, err = r.Next(context.Background(), 3)
		if err == nil {
			checkBatch(t, b, o.Space)
		}
	}
	var typed *Error
	if err != io.EOF && (!errors.As(err, &typed) || typed.Found == "" || typed.Want == nil) {
		t.Fatalf("%v, which is no *Error", err)
	}
}

// checkBatch looks whether all values of a batch are legal.
func checkBatch(t *testing.T, b *draws.Batch, s draws.Space) {
	t.Helper()
	columns := [][]int32{b.XFirst, b.XLast, b.From, b.To}
	for _, states := range append(columns, b.Path...) {
		for _, x := range states {
			if x < 0 || int(x) >= s.States {
				t.Fatalf("the state %d", x)
			}
		}
		if states != nil && len(states) != b.Rows {
			t.Fatalf("%d states in %d rows", len(states), b.Rows)
		}
	}
	numbers := [][]float64{b.LogW, b.LogZ, b.Beta}
	for _, values := range append(numbers, b.Increments...) {
		for _, v := range values {
			if v != v {
				t.Fatal("a value that is NaN")
			}
		}
		if values != nil && len(values) != b.Rows {
			t.Fatalf("%d values in %d rows", len(values), b.Rows)
		}
	}
}
