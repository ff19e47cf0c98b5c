package table

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"breadboard/grid/longtest"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"
)

// TestParquet reads back what is written, column by column in their order.
func TestParquet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := &Table{Columns: []Column{
			{Name: "z", Type: String}, {Name: "a", Type: Float}, {Title: "people"}, {Name: "n", Type: Int},
			{Name: "none", Type: Float, Optional: true}, {Name: "both", Type: Float}, {Name: "u", Type: Uint}, {Name: "b", Type: Bool},
		}}
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			row := []any{rapid.String().Draw(t, "z"), rapid.Float64().Draw(t, "a"), "x", rapid.Int().Draw(t, "n"), nil, Both{Machine: 1.5, People: "text"}, rapid.Uint64().Draw(t, "u"), rapid.Bool().Draw(t, "b")}
			row[rapid.IntRange(0, 7).Draw(t, "nil")] = nil
			table.Rows = append(table.Rows, row)
		}
		var b, again bytes.Buffer
		longtest.NoError(t, table.Write(&b, Parquet))
		if err := table.Write(&again, Parquet); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Fatalf("other bytes the second time: %v", err)
		}
		f := longtest.Must(parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len())))(t)
		var names []string
		for _, c := range f.Schema().Fields() {
			names = append(names, c.Name())
		}
		if got := strings.Join(names, " "); got != "z a n none both u b" {
			t.Fatalf("columns %s", got)
		}
		rows := parquet.NewReader(f)
		defer rows.Close()
		for i, want := range table.Rows {
			one := make([]parquet.Row, 1)
			if n, err := rows.ReadRows(one); n != 1 {
				t.Fatalf("row %d: %v", i, err)
			}
			for k, column := range []int{0, 1, 3, 4, 5, 6, 7} {
				if !sameCell(one[0][k], machine(want[column])) {
					t.Fatalf("row %d, column %s: %v, want %v", i, names[k], one[0][k], want[column])
				}
			}
		}
	})
}

func sameCell(got parquet.Value, want any) bool {
	switch want := want.(type) {
	case nil:
		return got.IsNull()
	case string:
		return string(got.ByteArray()) == string([]rune(want)) // valid UTF-8
	case float64:
		return math.Float64bits(got.Double()) == math.Float64bits(want)
	case int:
		return got.Int64() == int64(want)
	case uint64:
		return got.Uint64() == want
	case bool:
		return got.Boolean() == want
	}
	return false
}

// TestSchemaIsFixed writes the same columns with no rows, with rows and with rows in which nothing stands: the schemas are the
// same, and the metadata say what the columns are.
func TestSchemaIsFixed(t *testing.T) {
	columns := []Column{
		{Name: "a", Type: Float, Unit: "nats", Meaning: "the first"}, {Name: "b", Type: String}, {Name: "c", Type: Int, Optional: true},
		{Name: "d", Type: Uint}, {Name: "e", Type: Bool}, {Title: "for people"},
	}
	var first string
	for _, rows := range [][][]any{nil, {{nil, nil, nil, nil, nil, nil}}, {{math.Inf(1), "x", 1, uint64(2), true, 7}}} {
		var b bytes.Buffer
		longtest.NoError(t, (&Table{columns, rows}).writeParquet(&b, "v1.2"))
		f := longtest.Must(parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len())))(t)
		if first == "" {
			first = f.Schema().String()
		}
		if f.Schema().String() != first {
			t.Errorf("with %d rows the schema is %s, and without %s", len(rows), f.Schema(), first)
		}
		if version, _ := f.Lookup(KeyVersion); version != "v1.2" {
			t.Errorf("the version is %q", version)
		}
		const want = `[{"name":"a","type":"float","unit":"nats","meaning":"the first"},{"name":"b","type":"string"},{"name":"c","type":"int"},{"name":"d","type":"uint"},{"name":"e","type":"bool"}]`
		if described, _ := f.Lookup(KeyColumns); described != want {
			t.Errorf("the columns are described as\n%s\nwant\n%s", described, want)
		}
	}
	for _, kind := range []string{"optional double a", "optional binary b (STRING)", "optional int64 c (INT(64,true))", "optional int64 d (INT(64,false))", "optional boolean e"} {
		if !strings.Contains(first, kind) {
			t.Errorf("no %q in the schema %s", kind, first)
		}
	}
}

// TestCheck has a cell of each type in a column of each type, and columns without a type.
func TestCheck(t *testing.T) {
	cells := map[Type]any{Float: 1.0, Int: 1, Uint: uint64(1), String: "1", Bool: true}
	for kind := range cells {
		for other, cell := range cells {
			table := &Table{[]Column{{Name: "a", Type: kind}}, [][]any{{nil}, {Both{Machine: cell, People: "people"}}}}
			err := table.Check()
			if (err == nil) != (kind == other) {
				t.Errorf("a column of type %s with a cell of type %s: %v", kind, other, err)
			}
			if parquet := table.Write(io.Discard, Parquet); (parquet == nil) != (err == nil) {
				t.Errorf("Check says %v, and Parquet %v", err, parquet)
			}
		}
	}
	if err := (&Table{Columns: []Column{{Name: "a"}}}).Check(); err == nil {
		t.Error("a column without a type passes")
	}
	if err := (&Table{Columns: []Column{{Title: "a"}}, Rows: [][]any{{struct{}{}}}}).Check(); err != nil {
		t.Errorf("a column for people needs no type: %v", err)
	}
}

// TestOptional leaves an optional column out of CSV and JSON where nothing stands in it, and only there.
func TestOptional(t *testing.T) {
	columns := []Column{{Name: "a", Type: Int}, {Name: "b", Type: Int, Optional: true}}
	for _, c := range []struct {
		rows      [][]any
		csv, json string
	}{
		{[][]any{{1, nil}, {nil, nil}}, "a\n1\n\n", "[\n  {\"a\": 1},\n  {\"a\": null}\n]\n"},
		{[][]any{{1, nil}, {2, 3}}, "a,b\n1,\n2,3\n", "[\n  {\"a\": 1, \"b\": null},\n  {\"a\": 2, \"b\": 3}\n]\n"},
	} {
		table := &Table{columns, c.rows}
		if got := write(t, table, CSV); got != c.csv {
			t.Errorf("CSV %q, want %q", got, c.csv)
		}
		if got := write(t, table, JSON); got != c.json {
			t.Errorf("JSON %q, want %q", got, c.json)
		}
	}
}
