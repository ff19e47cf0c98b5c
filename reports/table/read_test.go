package table_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// TestParseData: what is written as JSON and as CSV is read as one and the same.
func TestParseData(t *testing.T) {
	longtest.Only(t)
	written := &table.Table{
		Columns: []table.Column{
			{Name: "toy", Type: table.String}, {Name: "T", Type: table.Int}, {Name: "seed", Type: table.Uint},
			{Name: "J", Type: table.Float}, {Name: "ok", Type: table.Bool}, {Title: "people"}},
		Rows: [][]any{
			{"file:a,\"b\"\n.csv", 10, uint64(math.MaxUint64), 0.1, true, "x"},
			{nil, nil, nil, math.Inf(1), false, nil},
			{"=1", -3, uint64(0), math.Inf(-1), nil, nil}, {"ä", 0, nil, math.NaN(), nil, nil},
			{"1e3", 1, nil, 1e-300, nil, nil}, {"-", 1, nil, -0.5, nil, nil},
		},
	}
	var all []*table.Data
	for _, format := range []table.Format{table.JSON, table.CSV} {
		var b bytes.Buffer
		longtest.NoError(t, written.Write(&b, format))
		all = append(all, longtest.Must(table.ParseData(b.Bytes()))(t))
	}
	if !reflect.DeepEqual(all[0], all[1]) || len(all[0].Rows) != 6 ||
		strings.Join(all[0].Columns, " ") != "toy T seed J ok" ||
		all[0].Rows[0][2] != "18446744073709551615" {
		t.Errorf("JSON %q, CSV %q", all[0], all[1])
	}
	for text, want := range map[string]string{
		"": "is empty", " \n": "is empty", "PAR1xx": "is Parquet", "a\x00b": "is not text",
		"{}": "is one JSON object", "[": "ends in the middle",
		"[{": "ends in the middle", `[{"a":1}`: "ends in the middle",
		"[1]": "object 1: 1 is not an object", `[{"a":[1]}]`: "rows are flat", `[{"a":{"b":1}}]`: "rows are flat",
		`[{"a":1,"a":2}]`: `"a" stands twice`,
		`[{"a":1}] x`:     "more behind", `[{"a":1}][]`: "more behind",
		`[{"a":nan}]`: "object 1", "a,b\n1\n": "wrong number of fields", "a,a\n1,2\n": "stands twice",
		"a,\n1,2\n": "is empty or stands twice", "a\n\"x\n": "quote",
		`[{"a":1},{"b":1,"a":2,"b":3}]`: `object 2: "b" stands twice`,
	} {
		longtest.Refuses(table.ParseData([]byte(text)))(t, want, text)
	}
	var wide strings.Builder
	wide.WriteString("[{")
	for i := range 9000 {
		fmt.Fprintf(&wide, `"c%d":0,`, i)
	}
	wide.WriteString(`"x":0}` + strings.Repeat(",{}", 3000) + "]")
	longtest.Refuses(table.ParseData([]byte(wide.String())))(t, "more than 20000000 cells")
	if d, err := table.ParseData([]byte(`[{"a":1},{"b":"x"}]`)); err != nil ||
		!reflect.DeepEqual(d.Rows, [][]string{{"1", ""}, {"", "x"}}) {
		t.Errorf("%v, %v", d, err)
	}
}

func FuzzParseData(f *testing.F) {
	f.Add([]byte(`[{"a":1,"b":"x"},{"b":null}]`))
	f.Add([]byte("a,b\n1,\"x\"\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		d, err := table.ParseData(content)
		if err != nil {
			return
		}
		for i, row := range d.Rows {
			if len(row) != len(d.Columns) {
				t.Errorf("%q: row %d has %d cells of %d columns", content, i, len(row), len(d.Columns))
			}
		}
	})
}

func TestFailingRows(t *testing.T) {
	rows := &table.Table{
		Columns: []table.Column{
			{Name: "toy", Type: table.String}, {Name: "T", Type: table.Int}, {Name: "J", Type: table.Float},
			{Name: "note", Type: table.String}, {Title: "for people"}},
		Rows: [][]any{{"easy", 10, 0.5, nil, "x"}, {"hard", 10, 0.05, nil, "x"}, {"hard", 20, nil, nil, "x"}},
	}
	c := longtest.Must(columns.ParseConditions("J<0.1"))(t)
	lines, err := rows.Failing(c[0])
	if err != nil || strings.Join(lines,
		"\n") != "J<0.1 does not hold in row 1 (toy easy, T 10): J is 0.5\nJ<0.1 does not hold in row 3 "+
		"(toy hard, T 20): J is empty" {
		t.Errorf("%q, %v", lines, err)
	}
	for _, name := range []string{"toy", "K", "for people"} {
		if _, err := rows.Failing(table.Condition{Column: name, Sign: "<", Number: 1}); err == nil ||
			!strings.Contains(err.Error(), "unknown column") ||
			!strings.Contains(err.Error(), "choices: T, J") {
			t.Errorf("%s: %v", name, err)
		}
	}
	rows.Rows = nil
	longtest.Refuses(rows.Failing(c[0]))(t, "has no rows")
}

func FuzzParseConditions(f *testing.F) {
	f.Add("J<0.1,B<=2")
	f.Add("a==b")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := columns.ParseConditions(text)
		for _, c := range list {
			again, wrong := columns.ParseConditions(c.String())
			if wrong != nil || len(again) != 1 || again[0] != c {
				t.Errorf("%q: %v reads back as %v, %v", text, c, again, wrong)
			}
		}
		if err == nil && len(list) == 0 {
			t.Errorf("%q: no conditions", text)
		}
	})
}

// A column is one line: what it is called, and what stands in it. Machines and people may see
// different things in it.
func ExampleNew() {
	type sample struct {
		name   string
		values []float64
	}
	mean := func(s *sample) float64 {
		sum := 0.0
		for _, v := range s.values {
			sum += v
		}
		return sum / float64(len(s.values))
	}
	fields := columns.List{
		columns.Of("sample", "sample", "", func(s *sample) string { return s.name }),
		columns.Of("n", "", "", func(s *sample) int { return len(s.values) }),
		columns.Estimated("mean", "mean (nats)", "", mean).Digits(3),
		columns.Any("first", "begins", columns.Float, "", func(s *sample) any {
			return table.Both{Machine: s.values[0], People: fmt.Sprintf("with %g", s.values[0])}
		}),
	}
	t := table.New(fields, []sample{{"one", []float64{1.5}}, {"two", []float64{1, 4.0 / 3}}})
	for _, f := range []table.Format{table.Markdown, table.CSV, table.JSON} {
		if err := t.Write(os.Stdout, f); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// | sample | mean (nats) |   begins |
	// |:-------|------------:|---------:|
	// | one    |         1.5 | with 1.5 |
	// | two    |        1.17 |   with 1 |
	// sample,n,mean,first
	// one,1,1.5,1.5
	// two,2,1.1666666666666665,1
	// [
	//   {"sample": "one", "n": 1, "mean": 1.5, "first": 1.5},
	//   {"sample": "two", "n": 2, "mean": 1.1666666666666665, "first": 1}
	// ]
}

// TestNoTable: what is not text in UTF-8 is no table, and lines that would take a hundred times
// their size are refused before that.
func TestNoTable(t *testing.T) {
	for text, want := range map[string]string{
		"\xff\xfe": "UTF-16", "\xfe\xff": "UTF-16", "\xff\xfea\x00": "UTF-16", "\xff": "not text",
		"a\n\xc3\x28\n":                        "not text",
		strings.Repeat(",", 2_000_000):         "2000001 columns",
		"x\n" + strings.Repeat(",", 2_000_000): "line 2 has",
		"x\n" + strings.Repeat("9", 5_000_000): "line 2 has 5 MB",
	} {
		allocated := testing.AllocsPerRun(1, func() { longtest.Refuses(table.ParseData([]byte(text)))(t, want) })
		if allocated > 1000 {
			t.Errorf("%v allocations", allocated)
		}
	}
}
