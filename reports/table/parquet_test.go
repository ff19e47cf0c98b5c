package table

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"
)

// TestParquet reads back what is written, column by column in their order.
func TestParquet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := &Table{Columns: []Column{{Name: "z"}, {Name: "a"}, {Title: "people"}, {Name: "n"}, {Name: "none", Like: 0.0}, {Name: "mixed"}, {Name: "u"}, {Name: "b"}}}
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			row := []any{rapid.String().Draw(t, "z"), rapid.Float64().Draw(t, "a"), "x", rapid.Int().Draw(t, "n"), nil, 1.5, rapid.Uint64().Draw(t, "u"), rapid.Bool().Draw(t, "b")}
			if rapid.Bool().Draw(t, "other") {
				row[5] = "text"
			}
			if k := rapid.IntRange(0, 7).Draw(t, "nil"); k != 5 {
				row[k] = nil
			}
			table.Rows = append(table.Rows, row)
		}
		var b, again bytes.Buffer
		if err := table.Write(&b, Parquet); err != nil {
			t.Fatal(err)
		}
		if err := table.Write(&again, Parquet); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Fatalf("other bytes the second time: %v", err)
		}
		f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range f.Schema().Fields() {
			names = append(names, c.Name())
		}
		if got := strings.Join(names, " "); got != "z a n none mixed u b" {
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
				if !sameCell(one[0][k], want[column]) {
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
		if got.Kind() == parquet.ByteArray {
			return string(got.ByteArray()) == Shortest(want)
		}
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
