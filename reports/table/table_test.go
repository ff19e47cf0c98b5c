package table

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"breadboard/grid/longtest"

	"pgregory.net/rapid"
)

func sample() *Table {
	return &Table{
		Columns: []Column{
			{Name: "name", Type: String, Title: "name"}, {Name: "n", Type: Int, Title: "n"}, {Name: "value", Type: Float, Title: "value (nats)", Digits: 3},
			{Name: "ok", Type: Bool, Title: "ok"}, {Name: "secret", Type: Float}, {Title: "remark"}, {Name: "void", Type: String, Title: "void"},
		},
		Rows: [][]any{
			{"a|b<c", 1, 0.123456789, true, 1.0 / 3, "50%_x", nil},
			{"=SUM(A1)", 20, math.Inf(1), false, math.NaN(), nil, nil},
			{"tiny", 300, -1.5e-9, nil, math.Inf(-1), "", nil},
		},
	}
}

func write(t *testing.T, table *Table, f Format) string {
	t.Helper()
	var b strings.Builder
	longtest.NoError(t, table.Write(&b, f))
	return b.String()
}

func TestFormats(t *testing.T) {
	for f, want := range map[Format]string{
		CSV: "name,n,value,ok,secret,void\n" +
			"a|b<c,1,0.123456789,true,0.3333333333333333,\n" +
			"'=SUM(A1),20,+Inf,false,NaN,\n" +
			"tiny,300,-1.5e-09,,-Inf,\n",
		JSON: "[\n" +
			`  {"name": "a|b<c", "n": 1, "value": 0.123456789, "ok": true, "secret": 0.3333333333333333, "void": null},` + "\n" +
			`  {"name": "=SUM(A1)", "n": 20, "value": "+Inf", "ok": false, "secret": "NaN", "void": null},` + "\n" +
			`  {"name": "tiny", "n": 300, "value": -1.5e-09, "ok": null, "secret": "-Inf", "void": null}` + "\n]\n",
		LaTeX: "\\begin{tabular}{lrrll}\n\\toprule\nname & n & value (nats) & ok & remark \\\\\n\\midrule\n" +
			"a|b$<$c & 1 & 0.123 & yes & 50\\%\\_x \\\\\n=SUM(A1) & 20 & $\\infty$ & no &  \\\\\ntiny & 300 & $-1.5\\times10^{-9}$ &  &  \\\\\n\\bottomrule\n\\end{tabular}\n",
		Markdown: "| name      |   n | value (nats) | ok  | remark |\n|:----------|----:|-------------:|:----|:-------|\n" +
			"| a\\|b&lt;c |   1 |        0.123 | yes | 50%\\_x |\n| =SUM(A1)  |  20 |         +Inf | no  |        |\n| tiny      | 300 |      -1.5e-9 |     |        |\n",
	} {
		if got := write(t, sample(), f); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", f, got, want)
		}
	}
}

// TestMachineFormatsReadBack writes random tables and reads them with other code.
func TestMachineFormatsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		text := rapid.String().Draw(t, "text")
		table := &Table{Columns: []Column{{Name: "text"}, {Name: "v"}}, Rows: [][]any{{text, v}, {text, v}}}
		var b strings.Builder
		longtest.NoError(t, table.Write(&b, JSON))
		var rows []struct {
			Text string
			V    any
		}
		if err := json.Unmarshal([]byte(b.String()), &rows); err != nil {
			t.Fatalf("%v in %s", err, b.String())
		}
		if len(rows) != 2 || rows[0].Text != strings.ToValidUTF8(text, "\ufffd") || !math.IsInf(v, 0) && rows[1].V != v {
			t.Fatalf("%q, %v come back as %v", text, v, rows)
		}
		b.Reset()
		longtest.NoError(t, table.Write(&b, CSV))
		records, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
		if err != nil || len(records) != 3 {
			t.Fatalf("%v: %q", err, b.String())
		}
		if cell := records[1][0]; cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
			t.Fatalf("a spreadsheet would run %q", cell)
		}
	})
}

func TestEmptyTable(t *testing.T) {
	table := &Table{Columns: []Column{{Name: "a", Title: "a"}}}
	if got := write(t, table, JSON); got != "[\n]\n" {
		t.Errorf("JSON %q", got)
	}
	if got := write(t, table, CSV); got != "a\n" {
		t.Errorf("CSV %q", got)
	}
}

func TestParseFormat(t *testing.T) {
	for _, name := range Formats() {
		if f, err := ParseFormat(name); err != nil || string(f) != name || f.Extension() == "" {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	if _, err := ParseFormat("jsno"); err == nil || !strings.Contains(err.Error(), "did you mean json?") {
		t.Errorf("error %v", err)
	}
}
