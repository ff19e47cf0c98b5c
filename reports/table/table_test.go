package table

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
	"breadboard/reports/columns"
)

func write(t *testing.T, table *Table, f Format) string {
	t.Helper()
	var b strings.Builder
	longtest.NoError(t, table.Write(&b, f))
	return b.String()
}

func TestParseFormat(t *testing.T) {
	for _, name := range Formats() {
		if f, err := ParseFormat(name); err != nil || string(f) != name || f.Extension() == "" {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	longtest.Refuses(ParseFormat("jsno"))(t, "did you mean json?")
}

// styled writes a table in a style.
func styled(t *testing.T, table *Table, s Style) (string, Fit) {
	t.Helper()
	var b strings.Builder
	fit := longtest.Must(table.WriteStyled(&b, s))(t)
	return b.String(), fit
}

// numbers is a table with numbers of all kinds, for LaTeX.
func numbers() *Table {
	return &Table{
		Columns: []Column{{Title: "toy"}, {Title: "T"}, {Title: "J (nats)"}, {Title: "+/- of B"},
			{Title: "P"}, {Title: "empty"}},
		Rows: [][]any{
			{"easy", 10, 0.904528, 7.87e-5, "< 8.1e-11", nil},
			{"-1", 1000, 7.87034e-5, math.Inf(1), "0.0125", nil},
			{"9%", 7, -1e20, nil, "3.5e-7", nil},
		},
	}
}

func TestLaTeXNumbers(t *testing.T) {
	const head, tail = "\\toprule\n", "\\bottomrule\n\\end{tabular}\n"
	for _, c := range []struct {
		style Style
		want  string
	}{
		{Style{Format: LaTeX}, "\\begin{tabular}{lrrrl}\n" + head + `toy & T & J (nats) & $\pm$ of B & P \\
\midrule
easy & 10 & 0.904528 & $7.87\times10^{-5}$ & $<8.1\times10^{-11}$ \\
$-1$ & 1000 & $7.87034\times10^{-5}$ & $\infty$ & 0.0125 \\
9\% & 7 & $-1\times10^{20}$ &  & $3.5\times10^{-7}$ \\
` + tail},
		{Style{Format: LaTeX, Digits: 2},
			"\\begin{tabular}{lrrrl}\n" + head + `toy & T & J (nats) & $\pm$ of B & P \\
\midrule
easy & 10 & 0.90 & $7.9\times10^{-5}$ & $<8.1\times10^{-11}$ \\
$-1$ & 1000 & $7.9\times10^{-5}$ & $\infty$ & 0.0125 \\
9\% & 7 & $-1.0\times10^{20}$ &  & $3.5\times10^{-7}$ \\
` + tail},
		{Style{Format: LaTeX, SIUnitx: true},
			"\\begin{tabular}{lS[table-format=4]S[table-format=-1.6e-2]S[table-format=1.2e-1]l}\n" + head +
				`toy & {T} & {J (nats)} & {$\pm$ of B} & P \\
\midrule
easy & 10 & 0.904528 & 7.87e-5 & {$<$ \num{8.1e-11}} \\
\num{-1} & 1000 & 7.87034e-5 & {$\infty$} & 0.0125 \\
9\% & 7 & -1e+20 &  & \num{3.5e-7} \\
` + tail},
	} {
		if got, _ := styled(t, numbers(), c.style); got != c.want {
			t.Errorf("%+v:\n%s\nwant\n%s", c.style, got, c.want)
		}
	}
}

// TestAskedDigits: numbers and shares have as many digits as are asked for, zeros at the end among
// them.
func TestAskedDigits(t *testing.T) {
	for _, c := range []struct {
		cell   any
		digits int // 0 if none are asked for
		want   string
	}{
		{0.23, 3, "0.230"}, {0.23, 0, "0.23"},
		{18563.0, 4, "18560"}, {800.0, 2, "800"}, {100.0, 3, "100"}, {100.0, 5, "100.00"}, {1e20, 1, "1e+20"},
		{-1e20, 3, "-1.00e+20"}, {7e-5, 2, "7.0e-5"},
		{0.0, 3, "0"},
		{math.Inf(1), 3, "+Inf"}, {math.NaN(), 3, ""}, {7, 3, "7"},
		{Both{Machine: 1, People: 0.5}, 2, "0.50"},
		{Percent(0.858), 3, "85.8%"}, {Percent(0.858), 4, "85.80%"}, {Percent(0.85812345), 0, "85.81%"},
		{Percent(2.794), 0, "279%"}, {Percent(2.794), 2, "279%"},
		{Percent(2.794), 4, "279.4%"}, {Percent(0.00012345), 2, "0.012%"}, {Percent(0.0999999), 2, "10%"},
		{Percent(0.09), 3, "9.00%"}, {Percent(0), 3, "0%"},
		{Percent(1e5), 0, "> 10000%"}, {Percent(100), 7, "> 10000%"}, {Percent(-1e5), 0, "< -10000%"},
		{Percent(math.NaN()), 0, ""},
		{Percent(math.Inf(1)), 0, "> 10000%"},
	} {
		table := &Table{Columns: []Column{{Title: "a"}, {Title: "b"}}, Rows: [][]any{{c.cell, "x"}}}
		p := table.forPeople(c.digits)
		if got := p.rows[0][0]; len(p.header) == 2 && got != c.want || len(p.header) == 1 && c.want != "" {
			t.Errorf("%v with %d digits is %q, want %q", c.cell, c.digits, got, c.want)
		}
	}
}

// TestBesideError: a number and its standard error have the same decimals, by which the error has
// two digits. Digits that are asked for, and a number without an error, stay as they are.
func TestBesideError(t *testing.T) {
	for _, c := range []struct {
		v, se         any
		number, error string
	}{
		{2.22218, 0.0027, "2.2222", "0.0027"}, {2.2, 0.00996, "2.200", "0.010"},
		{9.99996, 0.012, "10.000", "0.012"}, {126343.4, 1234.5, "126343", "1234"},
		{7.755e-7, 8.13e-8, "7.76e-7", "8.1e-8"}, {5.0, nil, "5", ""},
		{5.123456789, math.NaN(), "5.12346", ""}, {-0.3, 0.2, "-0.30", "0.20"},
		{math.Inf(1), 0.1, "+Inf", "0.10"}, {0.1, math.Inf(1), "0.1", "+Inf"}, {nil, 0.1, "", "0.10"},
		{1e9, 1e-9, "1000000000.0000000000", "1.0e-9"},
	} {
		table := &Table{
			Columns: []Column{{Name: "m", Title: "m"}, {Name: "m_se", Title: "se"}},
			Rows:    [][]any{{c.v, c.se}, {1, 2}},
		}
		if got := table.forPeople(0).rows[0]; got[0] != c.number || got[1] != c.error {
			t.Errorf("%v with %v: %q, want %q and %q", c.v, c.se, got, c.number, c.error)
		}
		if got := table.forPeople(3).rows[0]; got[0] != formatPeople(c.v, 3, true) {
			t.Errorf("%v with three digits is %q", c.v, got)
		}
	}
}

func TestSelect(t *testing.T) {
	table := &Table{
		Columns: []Column{
			{Name: "a", Type: Int, Title: "first", Unit: "nats"}, {Name: "b", Type: String}, {Title: "words"},
			{Name: "words2", Title: "words"}},
		Rows: [][]any{{1, "x", "one", nil}, {2, nil, "two", "more"}},
	}
	for _, c := range []struct {
		format Format
		names  string
		want   string
	}{
		{CSV, "b,a", "b,a\nx,1\n,2\n"},
		{CSV, "first (nats)", "a\n1\n2\n"},
		{CSV, "a,first,a", "a\n1\n2\n"},
		{CSV, "b,all", "b,a,words2\nx,1,\n,2,more\n"},
		{Markdown, "all",
			"| first (nats) | b | words | words |\n|-------------:|:--|:------|:------|\n|            1 | " +
				"x | one   |       |\n|            2 |   | two   | more  |\n"},
		{Markdown, "b,first",
			"| b | first (nats) |\n|:--|-------------:|\n| x |            1 |\n|   |            2 |\n"},
		{Markdown, "words", "| words | words |\n|:------|:------|\n| one   |       |\n| two   | more  |\n"},
	} {
		selected, err := table.Select(c.format, strings.Split(c.names, ","))
		if err != nil {
			t.Errorf("%s, %s: %v", c.format, c.names, err)
			continue
		}
		if got := write(t, selected, c.format); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.format, c.names, got, c.want)
		}
	}
	for format, want := range map[Format]string{CSV: "a, b, words2", Text: "a, b, words, words2"} {
		if _, err := table.Select(format, []string{"a", "fist"}); err == nil ||
			!strings.Contains(err.Error(), `unknown column "fist"`) ||
			!strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v", format, err)
		}
	}
	if _, err := table.Select(CSV, []string{""}); err == nil {
		t.Error("a column without a name is selected for machines")
	}
}

func TestColour(t *testing.T) {
	table := &Table{Columns: []Column{{Name: "verdict", Title: "verdict"}, {Name: "where", Title: "where"}},
		Rows: [][]any{{"pass", "pass"}, {"fault", ""}, {"other", "fault"}}}
	plain, _ := styled(t, table, Style{Format: Text})
	colours, _ := styled(t, table, Style{Format: Text, Colour: true})
	want := strings.NewReplacer(" pass    │ pass", " \x1b[32mpass\x1b[0m    │ pass", " fault   │",
		" \x1b[31mfault\x1b[0m   │").Replace(plain)
	if colours != want || colours == plain {
		t.Errorf("in colour:\n%q\nwant\n%q", colours, want)
	}
	if got, _ := styled(t, table, Style{Format: Markdown, Colour: true}); strings.Contains(got, "\x1b") {
		t.Errorf("colours in Markdown: %q", got)
	}
}

// wide is a table of 100 characters and more.
func wide() *Table {
	return &Table{
		Columns: []Column{
			{Name: "toy", Title: "toy"}, {Name: "J", Title: "J", Unit: "nats"},
			{Name: "doc", Title: "what it is", Prose: true},
			{Name: "verdict", Title: "verdict", Answer: true},
			{Name: "spare", Title: "what one can do without"}, {Name: "more", Title: "more"},
		},
		Rows: [][]any{
			{"barrier", 0.1234567, "a sentence of some length that says at leisure what the thing is", "pass",
				12.5, "some words"},
			{"a-name-without-blanks-that-is-longer-than-it-should-be", 1e-9, "short", "fault",
				3.25, "others"},
		},
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		width   int
		omitted string
		want    string
	}{
		{0, "", ""},
		{500, "", ""},
		{120, "more", ""},
		{110, "spare more",
			` toy                                                    │ J (nats) │ what it is                     │ verdict
────────────────────────────────────────────────────────┼──────────┼────────────────────────────────┼─────────
 barrier                                                │ 0.123457 │ a sentence of some length that │ pass
                                                        │          │ says at leisure what the thing │
                                                        │          │ is                             │
 a-name-without-blanks-that-is-longer-than-it-should-be │     1e-9 │ short                          │ fault
`},
		{80, "spare more", ""},
		{40, "doc spare more", ` toy               │ J (nats) │ verdict
───────────────────┼──────────┼─────────
 barrier           │ 0.123457 │ pass
 a-name-without-bl │     1e-9 │ fault
 anks-that-is-long │          │
 er-than-it-should │          │
 -be               │          │
`},
	} {
		got, fit := styled(t, wide(), Style{Format: Text, Width: c.width})
		if strings.Join(fit.Omitted, " ") != c.omitted {
			t.Errorf("width %d: %+v", c.width, fit)
		}
		if c.want != "" && got != c.want {
			t.Errorf("width %d:\n%s\nwant\n%s", c.width, got, c.want)
		}
	}
}

// TestFitHolds fits tables of random texts to random widths. No line is wider unless a single word
// is; no heading, no sentence and no answer loses a word or a part of one; and every column is in
// the table, or above it, or said to be left out, which an answer never is.
func TestFitHolds(t *testing.T) {
	words := rapid.SliceOfN(rapid.StringMatching(`[a-zäöü]{1,12}`), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		table := &Table{Rows: make([][]any, rapid.IntRange(1, 4).Draw(t, "rows"))}
		for i := range rapid.IntRange(1, 7).Draw(t, "columns") {
			c := Column{
				Name:   string(rune('a' + i)),
				Title:  "t" + strings.Join(words.Draw(t, "title"), " "),
				Answer: rapid.Bool().Draw(t, "answer"),
				Named:  rapid.Bool().Draw(t, "named"),
			}
			number := rapid.Bool().Draw(t, "number")
			same := rapid.Bool().Draw(t, "same")
			c.Prose = !number && rapid.Bool().Draw(t, "prose")
			for j := range table.Rows {
				var cell any = "w" + strings.Join(words.Draw(t, "words"), " ")
				if number {
					cell = rapid.Float64Range(-1e300, 1e300).Draw(t, "number")
				}
				if same && j > 0 {
					cell = table.Rows[0][i]
				}
				table.Rows[j] = append(table.Rows[j], cell)
			}
			table.Columns = append(table.Columns, c)
		}
		width := rapid.IntRange(10, 150).Draw(t, "width")
		var b strings.Builder
		fit := longtest.Must(table.WriteStyled(&b, Style{Format: Text, Width: width}))(t)
		margin := 0
		for _, c := range table.Columns {
			margin = max(margin, utf8.RuneCountInString(c.Title)+3)
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			runes := []rune(line)
			if len(runes) <= width {
				continue
			}
			single := strings.Contains(line, " ")
			if single && line[0] == ' ' { // an upright row, whose heading may have several words
				single = strings.Contains(string(runes[min(margin, len(runes)):]), " ")
			}
			if single || strings.ContainsAny(line, "│┼─") {
				t.Fatalf("a line of %d characters for %d could be broken:\n%s", len(runes), width, b.String())
			}
		}
		for i, c := range table.Columns {
			gone := slices.Contains(fit.Omitted, c.Name)
			above := slices.Contains(fit.Above, c.Name)
			if (gone || above) && c.Answer {
				t.Fatalf("column %d is an answer and not in the table", i)
			}
			if gone && (i == 0 || c.Named) {
				t.Fatalf("column %d, the first or one that the sentence above names, is left out", i)
			}
			for word := range strings.FieldsSeq(c.Title) {
				if !gone && !strings.Contains(b.String(), word) {
					t.Fatalf("the heading has lost %q:\n%s", word, b.String())
				}
			}
			for _, row := range table.Rows {
				for word := range strings.FieldsSeq(People(row[i], c.Digits)) {
					whole := c.Prose || c.Answer || above || table.numeric(i)
					if !gone && whole && !strings.Contains(b.String(), word) {
						t.Fatalf("a cell has lost %q:\n%s", word, b.String())
					}
					if got := within(word, leastText); strings.ReplaceAll(got, "\n", "") != word ||
						widthOf(got) > leastText {
						t.Fatalf("%q is broken as %q", word, got)
					}
				}
			}
		}
	})
}

// TestCheck has a cell of each type in a column of each type, and columns without a type.
func TestCheck(t *testing.T) {
	cells := map[Type]any{Float: 1.0, Int: 1, Uint: uint64(1), String: "1", Bool: true}
	for kind := range cells {
		for other, cell := range cells {
			table := &Table{
				Columns: []Column{{Name: "a", Type: kind}},
				Rows:    [][]any{{nil}, {Both{Machine: cell, People: "people"}}},
			}
			err := table.Validate()
			if (err == nil) != (kind == other) {
				t.Errorf("a column of type %s with a cell of type %s: %v", kind, other, err)
			}
		}
	}
	if err := (&Table{Columns: []Column{{Name: "a"}}}).Validate(); err == nil {
		t.Error("a column without a type passes")
	}
	longtest.Refused(t, (&Table{Columns: []Column{
		{Name: "a", Type: Float}, {Title: "b"}, {Name: "a", Type: Int}}}).Validate(), "two columns are called a")
	longtest.NoError(t, (&Table{Columns: []Column{{Title: "a"}}, Rows: [][]any{{struct{}{}}}}).Validate())
}

// TestNoNumber: NaN is an empty cell in every format, and infinities remain.
func TestNoNumber(t *testing.T) {
	number := columns.Of("x", "", "a number", func(v *float64) float64 { return *v })
	for _, v := range []struct {
		of   float64
		want string
	}{{math.NaN(), "null"}, {math.Inf(-1), `"-Inf"`}, {2, "2"}} {
		var b bytes.Buffer
		longtest.NoError(t, New([]Field{number}, []float64{v.of}).Write(&b, JSON))
		if want := fmt.Sprintf("[\n  {\"x\": %s}\n]\n", v.want); b.String() != want {
			t.Errorf("%v: %q, want %q", v.of, b.String(), want)
		}
	}
}

// TestCheckSelected: each name is that of a column of some table, and else the error is about the
// table that has most of the names, whatever their order.
func TestCheckSelected(t *testing.T) {
	one := &Table{Columns: []Column{{Name: "toy"}, {Name: "kernel"}}}
	two := &Table{Columns: []Column{{Name: "variable"}, {Name: "mean", Title: "the mean"}}}
	all := []*Table{one, two}
	for _, test := range []struct {
		names string
		want  string // of the error; none if it is empty
	}{
		{"variable,mean", ""}, {"kernel,toy", ""}, {"variable,the mean", ""}, {"variable,The_mean", ""},
		{"variable,foo", `unknown column "foo"; choices: variable, mean`},
		{"foo,variable", `unknown column "foo"; choices: variable, mean`},
		{"toy,mean", ""},
		{"toy,foo,mean,variable", `unknown column "foo"; choices: variable, mean`},
	} {
		err := CheckSelected(all, Text, strings.Split(test.names, ","))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.names, err)
		}
	}
}
