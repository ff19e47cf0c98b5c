package table_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/reports/table"
)

// TestReadData: what is written as JSON and as CSV is read as one and the same.
func TestReadData(t *testing.T) {
	longtest.NotShort(t)
	written := &table.Table{
		Columns: []table.Column{{Name: "toy", Type: table.String}, {Name: "T", Type: table.Int}, {Name: "seed", Type: table.Uint}, {Name: "J", Type: table.Float}, {Name: "ok", Type: table.Bool}, {Title: "people"}},
		Rows: [][]any{
			{"file:a,\"b\"\n.csv", 10, uint64(math.MaxUint64), 0.1, true, "x"}, {nil, nil, nil, math.Inf(1), false, nil},
			{"=1", -3, uint64(0), math.Inf(-1), nil, nil}, {"ä", 0, nil, math.NaN(), nil, nil}, {"1e3", 1, nil, 1e-300, nil, nil}, {"-", 1, nil, -0.5, nil, nil},
		},
	}
	var all []*table.Data
	for _, format := range []table.Format{table.JSON, table.CSV} {
		var b bytes.Buffer
		longtest.NoError(t, written.Write(&b, format))
		path := filepath.Join(t.TempDir(), "data")
		longtest.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
		d := longtest.Must(table.ReadData(path))(t)
		all = append(all, d)
	}
	if !reflect.DeepEqual(all[0], all[1]) || len(all[0].Rows) != 6 || strings.Join(all[0].Columns, " ") != "toy T seed J ok" || all[0].Rows[0][2] != "18446744073709551615" {
		t.Errorf("JSON %q, CSV %q", all[0], all[1])
	}
	for text, want := range map[string]string{
		"": "is empty", " \n": "is empty", "PAR1xx": "is Parquet", "a\x00b": "is no text", "{}": "is one JSON object", "[": "ends in the middle", "[{": "ends in the middle", `[{"a":1}`: "ends in the middle",
		"[1]": "object 1: 1 is no object", `[{"a":[1]}]`: "rows are flat", `[{"a":{"b":1}}]`: "rows are flat", `[{"a":1,"a":2}]`: `"a" stands twice`, `[{"a":1}] x`: "more behind", `[{"a":1}][]`: "more behind",
		`[{"a":nan}]`: "object 1", "a,b\n1\n": "wrong number of fields", "a,a\n1,2\n": "stands twice", "a,\n1,2\n": "is empty or stands twice", "a\n\"x\n": "quote",
		`[{"a":1},{"b":1,"a":2,"b":3}]`: `object 2: "b" stands twice`,
	} {
		if d, err := table.ParseData([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, d, err, want)
		}
	}
	var wide strings.Builder
	wide.WriteString("[{")
	for i := range 9000 {
		fmt.Fprintf(&wide, `"c%d":0,`, i)
	}
	wide.WriteString(`"x":0}` + strings.Repeat(",{}", 3000) + "]")
	if _, err := table.ParseData([]byte(wide.String())); err == nil || !strings.Contains(err.Error(), "more than 20000000 cells") {
		t.Errorf("few bytes for many cells: %v", err)
	}
	if _, err := table.ReadData(t.TempDir()); err == nil {
		t.Error("a folder is read")
	}
	if d, err := table.ParseData([]byte(`[{"a":1},{"b":"x"}]`)); err != nil || !reflect.DeepEqual(d.Rows, [][]string{{"1", ""}, {"", "x"}}) {
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
