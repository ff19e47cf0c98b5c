package reports

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/grid/longtest"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// inFlags calls options by flags.
func inFlags(option string) string { return "--" + option }

func oneCell(v any) *table.Table {
	return &table.Table{Columns: []table.Column{{Name: "v", Type: table.Int, Title: "v"}}, Rows: [][]any{{v}}}
}

// mixed is a report with every kind of part.
func mixed() *Report {
	r := New("first", oneCell(1))
	r.Note("about %s: more {chains}", "k{t}.csv")
	r.Add(
		Table{Name: "second", Table: oneCell(2), Machines: oneCell("rows"), Plain: func() (string, []string) { return "two\n", []string{"no picture"} }},
		Table{Name: "third", Table: oneCell(3), Place: InFile},
		Table{Name: "fourth", Table: oneCell(4), Place: AmongMessages},
		Text("as it is\n"),
		File{Name: "data.bin", Content: func() ([]byte, error) { return []byte{1, 2}, nil }},
		Figure{Draw: func() (*figure.Figure, error) {
			f := figure.New("drawn", func(figure.Style) figure.Page {
				return figure.Page{Width: vg.Centimeter, Height: vg.Centimeter, Draw: func(draw.Canvas) {}}
			})
			f.Data = oneCell(5)
			return f, nil
		}},
		Figure{Missing: "no figure 7", File: "figure7", Draw: func() (*figure.Figure, error) { return nil, chains.NewAdvice("give {moves}") }},
		Figure{Draw: func() (*figure.Figure, error) { return nil, errors.New("nobody asks") }})
	return r
}

// TestOutput writes a report of every kind of part: what goes where, in which order, and what is said of it.
func TestOutput(t *testing.T) {
	dir := t.TempDir()
	files := longtest.Must(OpenDirectory(dir))(t)
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, "figure7.svg"), nil, 0o600))
	var results, messages strings.Builder
	out := Output{Results: &results, Messages: &messages, Format: table.CSV, Files: files, Words: inFlags}
	longtest.NoError(t, out.Write(context.Background(), mixed()))
	if got, want := results.String(), "v\n1\nv\nrows\nas it is\n"; got != want {
		t.Errorf("results %q, want %q", got, want)
	}
	want := `wrote DIR/first.csv and .json
about k{t}.csv: more --chains
wrote DIR/second.csv and .json
wrote DIR/third.csv and .json
 v
───
 4
wrote DIR/data.bin
wrote DIR/drawn.svg, .png, .pdf and _data.csv
no figure 7: give --moves; DIR/figure7.* there is from an earlier run
`
	if got := strings.ReplaceAll(messages.String(), dir, "DIR"); got != want {
		t.Errorf("messages\n%s\nwant\n%s", got, want)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 12 {
		t.Errorf("%d files, %v", len(entries), err)
	}
	results.Reset()
	messages.Reset()
	out = Output{Results: &results, Messages: &messages, Format: table.Text}
	longtest.NoError(t, out.Write(context.Background(), mixed()))
	if got, want := results.String(), " v\n───\n 1\ntwo\nas it is\n"; got != want {
		t.Errorf("results %q, want %q", got, want)
	}
	if got, want := messages.String(), "about k{t}.csv: more chains\nno picture\n v\n───\n 4\n"; got != want {
		t.Errorf("messages %q, want %q", got, want)
	}
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestOutputThatCannotBeWritten: what cannot be written is a WriteError, and nothing is written after it; that nobody
// reads the messages is no reason to fail, but where a table is among them.
func TestOutputThatCannotBeWritten(t *testing.T) {
	table1 := &Report{Parts: []Part{Table{Name: "a", Table: oneCell(1)}}}
	note := &Report{Parts: []Part{NewNote("a")}}
	complaint := &Report{Parts: []Part{Table{Name: "a", Table: oneCell(1), Place: AmongMessages}}}
	gone := longtest.Must(OpenDirectory(filepath.Join(t.TempDir(), "x")))(t)
	longtest.NoError(t, os.Remove(gone.path))
	for i, c := range []struct {
		out   Output
		r     *Report
		fails bool
	}{
		{Output{Results: full{}, Messages: io.Discard}, table1, true},
		{Output{Results: io.Discard, Messages: full{}}, note, false},
		{Output{Results: io.Discard, Messages: full{}}, complaint, true},
		{Output{Results: io.Discard, Messages: io.Discard, Files: gone}, table1, true},
	} {
		c.out.Format = table.Text
		err := c.out.Write(context.Background(), c.r)
		if _, is := errors.AsType[WriteError](err); is != c.fails || !c.fails && err != nil {
			t.Errorf("case %d: %v", i, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var b strings.Builder
	out := Output{Results: &b, Messages: &b, Format: table.Text}
	if err := out.Write(ctx, table1); !errors.Is(err, context.Canceled) || b.Len() > 0 {
		t.Errorf("after the end: %v, %q", err, b.String())
	}
	b.Reset()
	out = Output{Results: full{}, Messages: &b, Format: table.Parquet, Terminal: true, Words: inFlags}
	if err := out.Write(context.Background(), table1); err != nil || !strings.Contains(b.String(), "with > or --out") {
		t.Errorf("Parquet on a terminal: %v, %s", err, b.String())
	}
	// A file or a figure that cannot be made is an error of its own, and no failure of writing.
	files := longtest.Must(OpenDirectory(t.TempDir()))(t)
	out = Output{Results: io.Discard, Messages: io.Discard, Format: table.Text, Files: files}
	bad := &Report{Parts: []Part{File{Name: "x", Content: func() ([]byte, error) { return nil, errors.New("no content") }}}}
	if err := out.Write(context.Background(), bad); err == nil || err.Error() != "no content" {
		t.Errorf("a file without content: %v", err)
	}
}

// TestPartsOfAReport: the parts can be had by their kind.
func TestPartsOfAReport(t *testing.T) {
	r := mixed()
	if len(r.Tables()) != 4 || len(r.Figures()) != 3 || len(r.Notes()) != 1 || r.Notes()[0].Error() != "about k{t}.csv: more chains" {
		t.Errorf("%d tables, %d figures, notes %v", len(r.Tables()), len(r.Figures()), r.Notes())
	}
}

// TestBrief: people see the brief table among the results, and files and programs have the whole one; a program gets no table
// that stands beside the results, but for a file of it. Where there are no files a note says what they would have.
func TestBrief(t *testing.T) {
	r := &Report{Parts: []Part{
		Table{Name: "first", Table: oneCell("whole"), Brief: oneCell("brief")},
		Table{Name: "second", Table: oneCell("beside"), Place: BesideResults},
	}}
	for _, c := range []struct {
		format                table.Format
		files                 bool
		results, notes, first string
	}{
		{table.Markdown, true, "| v     |\n|:------|\n| brief |\n| v      |\n|:-------|\n| beside |\n", "wrote DIR/first.md, .csv and .json\nwrote DIR/second.md, .csv and .json\n", "| v     |\n|:------|\n| whole |\n"},
		{table.CSV, true, "v\nwhole\n", "wrote DIR/first.csv and .json\nwrote DIR/second.csv and .json\n", "v\nwhole\n"},
		{table.Markdown, false, "| v     |\n|:------|\n| brief |\n| v      |\n|:-------|\n| beside |\n", "--out DIR writes the whole table first, with 1 row, to a file\n", ""},
		{table.CSV, false, "v\nwhole\n", "further tables: second (1 row); --table NAME prints one of them, and --out DIR writes all to files\n", ""},
	} {
		dir := t.TempDir()
		var results, messages strings.Builder
		out := Output{Results: &results, Messages: &messages, Format: c.format, Words: inFlags}
		if c.files {
			var err error
			if out.Files, err = OpenDirectory(dir); err != nil {
				t.Fatal(err)
			}
		}
		longtest.NoError(t, out.Write(context.Background(), r))
		notes := strings.ReplaceAll(messages.String(), dir, "DIR")
		if results.String() != c.results || notes != c.notes {
			t.Errorf("as %s: results %q and messages %q, want %q and %q", c.format, results.String(), notes, c.results, c.notes)
		}
		if got, _ := os.ReadFile(filepath.Join(dir, "first"+c.format.Extension())); string(got) != c.first {
			t.Errorf("as %s: the file has %q, want %q", c.format, got, c.first)
		}
	}
}
