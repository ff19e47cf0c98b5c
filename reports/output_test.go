package reports

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/weights"
	"breadboard/grid/longtest"
	"breadboard/reports/columns"
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
	r.Add(Table{
		Name:     "second",
		Table:    oneCell(2),
		Machines: oneCell("rows"),
		Plain:    func() (string, []string) { return "two\n", []string{"no picture"} },
	},
		Table{Name: "third", Table: oneCell(3), Place: InFile},
		Table{Name: "fourth", Table: oneCell(4), Place: AmongMessages},
		Text("as it is\n"),
		File{Name: "data.bin", Content: func() ([]byte, error) { return []byte{1, 2}, nil }},
		Figure{Draw: func() (*figure.Figure, error) {
			f := figure.New("drawn", func(figure.Style) *figure.Sheet {
				p := figure.NewPanel("", "x", "y")
				p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
				return &figure.Sheet{Rows: [][]*figure.Panel{{p}}, Width: vg.Centimeter, Height: vg.Centimeter}
			})
			f.Data = oneCell(5)
			return f, nil
		}},
		Figure{
			Missing: "no figure 7",
			File:    "figure7",
			Draw:    func() (*figure.Figure, error) { return nil, errs.New("give {moves}") },
		},
		Figure{Draw: func() (*figure.Figure, error) { return nil, errors.New("nobody asks") }})
	return r
}

// sent writes a report, and returns the results and the messages, in which the folder is DIR.
func sent(t *testing.T, out Output, r *Report) (results, messages string) {
	t.Helper()
	var b, m strings.Builder
	out.Results = &b
	out.Messages = &m
	out.Words = inFlags
	longtest.NoError(t, out.Write(context.Background(), r))
	messages = m.String()
	if out.Files != nil {
		messages = strings.ReplaceAll(messages, out.Files.path, "DIR")
	}
	return b.String(), messages
}

// TestOutput writes a report of every kind of part: what goes where, in which order, and with which
// messages.
func TestOutput(t *testing.T) {
	dir := t.TempDir()
	files := longtest.Must(OpenDirectory(dir))(t)
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, "figure7.svg"), nil, 0o600))
	results, messages := sent(t, Output{Format: table.CSV, Files: files}, mixed())
	if want := "v\n1\nv\nrows\nas it is\n"; results != want {
		t.Errorf("results %q, want %q", results, want)
	}
	want := `about k{t}.csv: more --chains
 v
───
 4
no figure 7: give --moves; DIR/figure7.* there is from an earlier run
wrote DIR/first.csv and .json; second.csv and .json; third.csv and .json; data.bin; drawn.svg, .png, .pdf and _data.csv
`
	if messages != want {
		t.Errorf("messages\n%s\nwant\n%s", messages, want)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 12 {
		t.Errorf("%d files, %v", len(entries), err)
	}
	var b strings.Builder // options without words for them
	out := Output{Results: &b, Messages: &b, Format: table.Text}
	longtest.NoError(t, out.Write(context.Background(), mixed()))
	if got, want := b.String(),
		" v\n───\n 1\nabout k{t}.csv: more chains\ntwo\nno picture\n v\n───\n 4\nas it is\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFiguresOfAStudy: a figure that a study declares says which cells it leaves out, and the table
// that has its name is no figure of an earlier run.
func TestFiguresOfAStudy(t *testing.T) {
	type row struct{ x, y float64 }
	fields := columns.List{columns.Of("x", "x", "", func(r *row) float64 { return r.x }),
		columns.Of("y", "y", "", func(r *row) float64 { return r.y }).OrEmpty()}
	plots := []columns.Plot{{
		Name: "own",
		Parts: []columns.Part{{
			X:      "x",
			XScale: columns.Positive,
			Y:      []string{"y"},
			YScale: columns.Positive,
		}},
		Joined: true,
	}}
	view := Plotting(fields, plots, func(rows any) *Report { return New("own", table.Of(fields, rows)) })
	for want, rows := range map[string][]row{
		"own: the figure leaves out cells of y: 1 empty or no number\nwrote DIR/own.csv and .json; " +
			"own.svg and _data.csv\n": {
			{1, 1}, {2, 2}, {3, math.NaN()}},
		"own is not drawn: nothing to draw: y has no numbers at two values of x\nwrote DIR/own.csv and .json\n": {
			{1, 1}},
	} {
		_, got := sent(t, Output{
			Format:        table.CSV,
			Files:         longtest.Must(OpenDirectory(t.TempDir()))(t),
			FigureFormats: []string{"svg"},
		}, view(rows))
		if got != want {
			t.Errorf("messages\n%swant\n%s", got, want)
		}
	}
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestOutputThatCannotBeWritten: what cannot be written is a WriteError, and nothing is written
// after it; that nobody reads the messages is no reason to fail, but if a table is among them.
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
	// A file or a figure that cannot be made is an error of its own, and no failure of writing.
	files := longtest.Must(OpenDirectory(t.TempDir()))(t)
	out = Output{Results: io.Discard, Messages: io.Discard, Format: table.Text, Files: files}
	bad := &Report{Parts: []Part{
		File{Name: "x", Content: func() ([]byte, error) { return nil, errors.New("no content") }}}}
	if err := out.Write(context.Background(), bad); err == nil || err.Error() != "no content" {
		t.Errorf("a file without content: %v", err)
	}
}

// TestPartsOfAReport: the parts can be had by their kind.
func TestPartsOfAReport(t *testing.T) {
	r := mixed()
	if len(r.Tables()) != 4 || len(r.Figures()) != 3 || len(r.Notes()) != 1 ||
		r.Notes()[0].Error() != "about k{t}.csv: more chains" {
		t.Errorf("%d tables, %d figures, notes %v", len(r.Tables()), len(r.Figures()), r.Notes())
	}
}

// TestOnly: results are the one table that is named, whole, in every format, and files keep their
// names.
func TestOnly(t *testing.T) {
	longtest.Only(t)
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
			r := report()
			dir := t.TempDir()
			longtest.NoError(t, r.Only("study_part", c.name))
			files := longtest.Must(OpenDirectory(dir))(t)
			results, _ := sent(t, Output{Format: format, Names: FileNames{Study: "study_part"}, Files: files}, r)
			if text := strings.Fields(results); text[0] != "v" || text[len(text)-1] != c.results ||
				len(text) > 3 {
				t.Errorf("%s as %s: %q", c.name, format, text)
			}
			if entries, _ := os.ReadDir(dir); len(entries) < 6 || entries[0].Name() != "study_part.csv" {
				t.Errorf("%s: files %v", c.name, entries)
			}
		}
	}
	for name, want := range map[string]string{
		"row": "did you mean rows?", "said": "choices: study_part, rows, checks",
		"part": "choices: study_part, rows, checks"} {
		longtest.Refused(t, report().Only("study_part", name), want, name)
	}
}

// TestClaim: a run has the words of its command, a different one that and a number, and the same
// one the name that it had; a file of no run and a run that goes on keep theirs.
func TestClaim(t *testing.T) {
	dir := t.TempDir()
	ctx := t.Context()
	claim := func(question string) (*Directory, int) {
		t.Helper()
		d := longtest.Must(OpenRecorded(dir))(t)
		return d, longtest.Must(d.Claim(ctx, "gap", question))(t)
	}
	end := func(d *Directory, number int, question string, file string) {
		t.Helper()
		longtest.Must(d.Write(file, []byte(question)))(t)
		longtest.Must(d.Describe(ctx, Run{Study: "gap", Name: numbered("gap", number), Question: question}))(t)
		d.Abandon()
	}
	first, one := claim("gap T=4")
	second, two := claim("gap T=5") // while the first goes on
	end(first, one, "gap T=4", "gap.csv")
	end(second, two, "gap T=5", "gap-2.csv")
	again, same := claim("gap T=5")
	end(again, same, "gap T=5", "gap-2.csv")
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, "gap-3.txt"), nil, 0o666))
	other, four := claim("gap T=6")
	other.Abandon()
	freed, free := claim("gap T=7")
	freed.Abandon()
	if got := []int{one, two, same, four, free}; !slices.Equal(got, []int{1, 2, 2, 4, 4}) {
		t.Errorf("numbers %v", got)
	}
	longtest.NoError(t, os.Remove(filepath.Join(dir, "gap.csv")))
	gone, freed1 := claim("gap T=8")
	defer gone.Abandon()
	if freed1 != 1 {
		t.Errorf("a run whose files are gone keeps its name from number %d", freed1)
	}
	if names := longtest.Must(gone.names())(t); !slices.Equal(names, []string{"gap-2.csv", "gap-3.txt", "run.json"}) {
		t.Errorf("files %v", names)
	}
}

// TestOnlyKnownDigits: people see no digit that the bounds leave open, and no rounding.
func TestOnlyKnownDigits(t *testing.T) {
	for _, c := range []struct {
		bounds weights.Bracket
		want   string
	}{
		{weights.Bracket{Low: 0.123456, Value: 0.123456, High: 0.123456}, "0.1235"},
		{weights.Bracket{Low: 0.12, Value: 0.123456, High: 0.126}, "0.12"},
		{weights.Bracket{Low: 0.02541, Value: 0.025424, High: 0.025438}, "0.0254"},
		{weights.Bracket{Low: 0.25, Value: 0.25, High: 0.25}, "0.25"},
		{weights.Bracket{Low: 0, Value: 2e-5, High: 3.41e-5}, "< 3.5e-5"},
		{weights.Bracket{Low: 0, Value: 0, High: 1.35e-13}, "< 1.4e-13"},
		{weights.Bracket{}, "0"},
	} {
		if got := Probability(c.bounds, 4); got != c.want {
			t.Errorf("%v is written %s, want %s", c.bounds, got, c.want)
		}
	}
	if got := Between(weights.Bracket{Low: 1, Value: 1.5, High: 2}) + ", " +
		Between(weights.Bracket{Low: -1e-16}); got != "1 to 2, 0" {
		t.Error(got)
	}
	if got := table.People(table.Percent(NoNoise(-1.378e-16)), 0); got != "0%" {
		t.Errorf("a gap of rounding is written %v", got)
	}
}

// TestTextsOnATerminal: what a message quotes from files and programs reaches the terminal without
// what steers it, be it control characters or those that turn the direction of writing.
func TestTextsOnATerminal(t *testing.T) {
	if got, want := OneLine("red \x1b[31m\u009b, \u202eback\u2066 \r\n a\u200b \u00e9"),
		"red \ufffd[31m\ufffd, \ufffdback\ufffd a\ufffd \u00e9"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestColumnsOfSeveralTables: each table among the results has those of the columns that it has, in
// the order that is asked for. One that has none is left out of them, and whole in files, and one
// note says which table lacks what. A name that no table among the results has is an error.
func TestColumnsOfSeveralTables(t *testing.T) {
	one := func(cell int, names ...string) *table.Table {
		out := &table.Table{Rows: [][]any{{}}}
		for i, name := range names {
			out.Columns = append(out.Columns, table.Column{Name: name, Type: table.Int, Title: name})
			out.Rows[0] = append(out.Rows[0], cell+i)
		}
		return out
	}
	report := func() *Report {
		return &Report{Parts: []Part{
			Table{Name: "s", Table: one(11, "a", "b")},
			Table{Name: "s_two", Table: one(21, "b", "c"), Place: BesideResults},
			Table{Name: "s_none", Table: one(31, "d"), Place: BesideResults},
			Table{Name: "s_brief", Table: one(41, "a", "c"), Brief: one(51, "c"), Place: BesideResults},
			Table{Name: "s_said", Table: one(61, "b", "e"), Place: AmongMessages},
		}}
	}
	const (
		asked   = "of the columns that are asked for, "
		said    = "  b │  e\n────┼────\n 61 │ 62\n" // whole, among messages
		further = "further tables: two (1 row), none (1 row), brief (1 row); --table NAME prints one of " +
			"them, and --out DIR writes all to files\n"
		whole = "--table brief shows the whole table, with 1 row\n"
	)
	for _, c := range []struct {
		columns                  string
		format                   table.Format
		results, messages, error string
	}{
		{"b", table.Text, "  b\n────\n 12\n  b\n────\n 21\n", said + asked +
			"the table none has none of them and is left out; the table brief has none of them and is left out\n",
			""},
		{"c,a", table.Text, "  a\n────\n 11\n  c\n────\n 22\n  c\n────\n 51\n", whole + said + asked +
			"the table s has no c; the table two has no a; the table none has none of them and is left " +
			"out; the table brief has no a\n",
			""},
		{"d,b,a,c", table.Text,
			"  b │  a\n────┼────\n 12 │ 11\n  b │  c\n────┼────\n 21 │ 22\n  d\n────\n 31\n  c\n────\n 51\n",
			whole + said + asked +
				"the table s has no d, c; the table two has no d, a; the table none has no b, a, c; the " +
				"table brief has no d, b, a\n",
			""},
		{"b,a", table.CSV, "b,a\n12,11\n", said + further, ""},
		{"e", table.Text, "", "", `unknown column "e"; choices: a, b`},
		{"c", table.CSV, "", "",
			`unknown column "c"; choices: a, b; the table two has all of these columns, and --table two prints it`},
	} {
		var results, messages strings.Builder
		out := Output{
			Results:  &results,
			Messages: &messages,
			Format:   c.format,
			Words:    inFlags,
			Names:    FileNames{Study: "s"},
			Columns:  strings.Split(c.columns, ","),
		}
		err := out.Write(context.Background(), report())
		if text := fmt.Sprint(err); c.error != "" && text != c.error || c.error == "" && err != nil {
			t.Errorf("%s as %s: %v", c.columns, c.format, err)
		}
		if results.String() != c.results || messages.String() != c.messages {
			t.Errorf("%s as %s: %q, %q", c.columns, c.format, results.String(), messages.String())
		}
	}
}

// TestColumnsOfAPass: a check that has passed prints no rows, unless columns of them are asked for.
func TestColumnsOfAPass(t *testing.T) {
	passed := Table{Name: "s", Brief: &table.Table{}, Summary: func(func(string) string) string { return "pass\n" },
		Table: &table.Table{
			Columns: []table.Column{{Name: "a", Type: table.Int, Title: "a"}}, Rows: [][]any{{7}}}}
	for want, asked := range map[string][]string{"pass\n": nil, "pass\n a\n───\n 7\n": {"a"}} {
		var results, messages strings.Builder
		out := Output{Results: &results, Messages: &messages, Format: table.Text, Columns: asked}
		err := out.Write(context.Background(), &Report{Parts: []Part{passed}})
		if err != nil || results.String() != want {
			t.Errorf("columns %q: %v, %q", asked, err, results.String())
		}
	}
}

// TestLostDigitsAreReported: a table whose numbers have lost digits says so among the messages, in
// each format, and only of the columns that it shows.
func TestLostDigitsAreReported(t *testing.T) {
	type row struct{ v, w number.Bounded }
	fields := columns.List{
		columns.Of("v", "v", "", func(r *row) number.Bounded { return r.v }),
		columns.Of("w", "w", "", func(r *row) number.Bounded { return r.w }),
	}
	rows := []row{{number.Within(1, 1e-3), number.Exactly(1)},
		{number.Bounded{Value: 0, Error: 1}, number.Within(2, 9e-5)},
		{number.Within(1, 1e-3), number.Exactly(1)}}
	of := "rounding leaves few digits of "
	for names, want := range map[string]string{
		"": of + "v: about 3 digits in 2 rows, no digit (at most 1) in 1 row\n" +
			of + "w: about 4 digits in 1 row\n", "w": of + "w: about 4 digits in 1 row\n",
	} {
		for _, f := range []table.Format{table.Text, table.CSV, table.JSON, table.Markdown, table.LaTeX} {
			out := Output{Format: f}
			if names != "" {
				out.Columns = []string{names}
			}
			if _, got := sent(t, out, New("t", table.New(fields, rows))); got != want {
				t.Errorf("in the format %v the messages are %q, want %q", f, got, want)
			}
		}
	}
	zero := New("t", table.New(fields, []row{{number.Bounded{Error: 4e-29}, number.Exactly(1)}}))
	for f, want := range map[table.Format]string{
		table.CSV: of + "v: no digit (at most 4e-29) in 1 row\n", table.Text: "",
	} {
		if _, got := sent(t, Output{Format: f}, zero); got != want {
			t.Errorf("in the format %v the messages of a zero are %q, want %q", f, got, want)
		}
	}
}

// TestQuotedShort: a message quotes no more than the beginning of a long word, and is not long
// itself, whatever a file holds.
func TestQuotedShort(t *testing.T) {
	for text, want := range map[string]string{
		"x: \"" + strings.Repeat("9", longtest.Times(1_000_000, 50_000_000)) +
			"\" is not a number": " is not a number",
		strings.Repeat("word ", longtest.Times(200_000, 10_000_000)): "bytes more)",
		strings.Repeat("\u2603", 300):                                "\u2603...\u2603",
		strings.Repeat("9", maxQuoted):                               strings.Repeat("9", maxQuoted),
	} {
		if got := OneLine(text); len(got) > maxMessage+50 || !strings.Contains(got, want) ||
			!utf8.ValidString(got) {
			t.Errorf("%d bytes, %.300q", len(got), got)
		}
	}
}

// TestTerminalResults: control characters of labels, and what is no UTF-8, reach a terminal in no
// format, and verdicts in their colours do; a file gets what there is.
func TestTerminalResults(t *testing.T) {
	data := "\x1b]0;title\a\x1b[31mfault\x1b[0m\x1b[31mred\u009b2J\u202e\ttab\xff\r\n"
	for terminal, want := range map[bool]string{false: data,
		true: "\ufffd]0;title\ufffd\x1b[31mfault\x1b[0m\ufffd[31mred\ufffd2J\ufffd\ttab\ufffd\ufffd\n"} {
		var out bytes.Buffer
		o := Output{Results: &out, Terminal: terminal}
		longtest.NoError(t, o.print(context.Background(), []byte(data)))
		if out.String() != want {
			t.Errorf("terminal %v: %q", terminal, &out)
		}
		out.Reset()
		stream := Stream(func(w *bufio.Writer) { w.WriteString(data) })
		longtest.NoError(t, o.writePart(context.Background(), stream))
		if out.String() != want {
			t.Errorf("terminal %v: a stream is %q", terminal, &out)
		}
	}
	if got := Line("one two\x1b[2J three", 9); got != "one\ntwo\ufffd[2J\nthree" {
		t.Errorf("%q", got)
	}
}

// TestFileBehind: a link stays where the file that it leads to is replaced; one that leads nowhere
// is refused.
func TestFileBehind(t *testing.T) {
	dir := longtest.Must(filepath.EvalSymlinks(t.TempDir()))(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	longtest.NoError(t, os.WriteFile(at("file"), nil, 0o600))
	for link, to := range map[string]string{
		"link": "file", "chain": at("link"), "nowhere": "gone", "loop": "loop"} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Skip(err)
		}
	}
	for name, want := range map[string]string{"file": "file", "link": "file", "chain": "file", "new": "new"} {
		if got := longtest.Must(FileBehind(at(name)))(t); got != at(want) {
			t.Errorf("%s leads to %s", name, got)
		}
	}
	for _, name := range []string{"nowhere", "loop"} {
		longtest.Refuses(FileBehind(at(name)))(t, "leads to no file")
	}
}
