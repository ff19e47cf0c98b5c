package reports

import (
	"context"
	"os"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/reports/table"
)

// TestOnly: results are the one table that is named, whole, in every format, and files keep their names.
func TestOnly(t *testing.T) {
	longtest.NotShort(t)
	report := func() *Report {
		return &Report{Parts: []Part{
			Table{Name: "study_part", Table: oneCell("first"), Brief: oneCell("brief")},
			Table{Name: "study_part_rows", Table: oneCell("rows"), Place: InFile, Brief: oneCell("few")},
			Table{Name: "checks", Table: oneCell("checks"), Place: BesideResults},
			Table{Name: "said", Table: oneCell("said"), Place: AmongMessages},
		}}
	}
	for _, c := range []struct{ name, results string }{
		{"rows", "rows"}, {"study_part_rows", "rows"}, {"checks", "checks"}, {"study_part", "first"},
	} {
		for _, format := range []table.Format{table.CSV, table.Text} {
			r, dir := report(), t.TempDir()
			longtest.NoError(t, r.Only("study_part", c.name))
			files := longtest.Must(OpenDirectory(dir))(t)
			var results, messages strings.Builder
			out := Output{Results: &results, Messages: &messages, Format: format, Names: FileNames{Study: "study_part"}, Files: files}
			longtest.NoError(t, out.Write(context.Background(), r))
			if text := strings.Fields(results.String()); text[0] != "v" || text[len(text)-1] != c.results || len(text) > 3 {
				t.Errorf("%s as %s: %q", c.name, format, text)
			}
			if entries, _ := os.ReadDir(dir); len(entries) < 6 || entries[0].Name() != "study_part.csv" {
				t.Errorf("%s: files %v", c.name, entries)
			}
		}
	}
	for _, name := range []string{"row", "said", "part"} {
		if err := report().Only("study_part", name); err == nil || !strings.Contains(err.Error(), "choices: study_part, rows, checks") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFurtherTables: where a program reads one of several tables a note names the others, unless files have them or one was asked for.
func TestFurtherTables(t *testing.T) {
	report := func() *Report {
		return &Report{Parts: []Part{Table{Name: "a", Table: oneCell(1)}, Table{Name: "a_b", Table: oneCell(2), Place: BesideResults}, Table{Name: "c", Table: oneCell(3), Place: InFile}}}
	}
	const note = "further tables: b (1 row), c (1 row); --table NAME prints one of them, and --out DIR writes all to files\n"
	chosen := report()
	longtest.NoError(t, chosen.Only("a", "c"))
	for _, c := range []struct {
		r      *Report
		format table.Format
		want   string
	}{{report(), table.JSON, note}, {report(), table.Text, ""}, {chosen, table.JSON, ""}} {
		var results, messages strings.Builder
		out := Output{Results: &results, Messages: &messages, Format: c.format, Words: inFlags, Names: FileNames{Study: "a"}}
		if err := out.Write(context.Background(), c.r); err != nil || messages.String() != c.want {
			t.Errorf("as %s: %v, %q", c.format, err, messages.String())
		}
	}
}
