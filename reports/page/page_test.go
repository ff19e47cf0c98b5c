package page

import (
	"bytes"
	"encoding/json"
	"flag"
	"html"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/table"
)

var update = flag.Bool("update", false, "write the golden file anew")

// write returns a page as HTML.
func write(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	longtest.NoError(t, p.Write(&b))
	return b.String()
}

// small is a page with everything that a page can have.
func small(t *testing.T) *Page {
	t.Helper()
	picture, about, err := cleanPicture([]byte(
		`<svg xmlns="http://www.w3.org/2000/svg" width="10pt" height="10pt" viewBox="0 0 10 ` +
			`10"><title>J against T</title><path d="M0,0L1,1" stroke="#000000"/></svg>`,
	))
	longtest.NoError(t, err)
	seed := uint64(math.MaxUint64)
	run := &reports.Run{
		Study:    "gap",
		Question: "gap toy=<b>",
		Command:  []string{"breadboard", "gap", "--toy", "<b> & 'c'"},
		Version:  "v1",
		Seed:     &seed,
	}
	data := &table.Data{Columns: []string{"toy", "T", "J", "path"}, Rows: [][]string{
		{"</script><img src=x onerror=alert(1)>", "100", "0.12345678901234567", "geometric"},
		{"'=b", "1000", "-Inf", "geometric"}, {"c", "1e300", "", "geometric"},
	}}
	known := map[string]table.Column{
		"J":   {Type: table.Float, Unit: "nats", Meaning: "the \"divergence\"", Title: "J"},
		"toy": {Type: table.String, Title: "toy"}, "T": {Type: table.Int, Title: "T"},
		"path": {Type: table.String}}
	s := Section{
		ID:      "part-1",
		Title:   run.Question,
		Facts:   factsOf("results", run),
		Partial: true,
		Fault:   "it <failed>",
		Notes:   []string{"a & b"},
		Missing: []string{"x.json is not shown: it is gone"},
		Inputs: []reports.RunInput{
			{Path: "a.csv", Bytes: 3, SHA256: "abc"}, {Path: "b", Note: "a program, which has no hash"}},
		Tables: []*Table{newTable("Results", "gap", data, known)},
		Figures: []Figure{
			{ID: "part-1-figure-1", Title: "figure", File: "gap.svg", About: about, Picture: picture,
				Data: newTable("data", "gap_data", &table.Data{Columns: []string{"x"}, Rows: [][]string{{"1"}}}, nil)}},
	}
	s.Tables[0].ID, s.Figures[0].Data.ID = "part-1-table-1", "part-1-figure-1-data"
	return &Page{Title: "A <small> page", Made: time.Date(2026, 7, 8, 9, 10, 11, 0, time.UTC), Version: "v2",
		Command: "breadboard report results --out r.html", Sections: []Section{s}}
}

// TestGolden holds the structure of a page, without its style and its script.
func TestGolden(t *testing.T) {
	got := write(t, small(t))
	got = strings.Replace(got, asset("page.css"), "(the style)", 1)
	got = strings.Replace(got, asset("page.js"), "(the script)", 1)
	got = regexp.MustCompile(`sha256-.*?=&#39;`).ReplaceAllString(got, "sha256-(hash)&#39;")
	const path = "testdata/page.html"
	if *update {
		longtest.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := longtest.Must(os.ReadFile(path))(t)
	if got != string(want) {
		t.Errorf("the page differs from %s (go test ./reports/page -update writes it anew; look at it):\n%s",
			path, got)
	}
}

// TestNothingFromElsewhere: a page has no address but places in itself, what it shows is text, and
// its policy allows its own style and its own script by their hashes alone.
func TestNothingFromElsewhere(t *testing.T) {
	page := write(t, small(t))
	for _, found := range regexp.MustCompile(
		`(?i)\s(src|href|action|srcset|xlink:href)\s*=\s*"([^"]*)"`,
	).FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(found[2], "#") && found[2] != "data:," {
			t.Errorf("%s", found[0])
		}
	}
	for _, bad := range []string{"<img", "<b>a", "style=\"", " onerror=\"", "@import", "url(", "fetch(",
		"XMLHttpRequest", "innerHTML", "eval("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	_, rest, _ := strings.Cut(page, `http-equiv="Content-Security-Policy" content="`)
	policy, _, _ := strings.Cut(rest, `"`)
	policy = html.UnescapeString(policy)
	between := func(open, end string) string {
		_, rest, _ := strings.Cut(page, open)
		text, _, _ := strings.Cut(rest, end)
		return text
	}
	for _, part := range []string{
		"default-src 'none'", "script-src " + hashOf(between("<script>", "</script>")) + ";", "style-src " +
			hashOf(between("<style>", "</style>")) + ";"} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy %s has no %s", policy, part)
		}
	}
	if strings.Contains(policy, "unsafe") || strings.Count(page, "<script") != 2 {
		t.Errorf("%s; %d scripts", policy, strings.Count(page, "<script"))
	}
}

// TestFirstPivot: what differs stands at the sides, and a measure within.
func TestFirstPivot(t *testing.T) {
	data := &table.Data{Columns: []string{"toy", "T", "B", "J"}}
	for _, toy := range []string{"easy", "hard"} {
		for _, T := range []string{"10", "100"} {
			data.Rows = append(data.Rows, []string{toy, T, T + ".5", toy[:1] + T})
		}
	}
	for i, row := range data.Rows {
		row[3] = strconv.Itoa(i) + ".25"
	}
	known := map[string]table.Column{
		"T": {Type: table.Int}, "J": {Type: table.Float}, "B": {Type: table.Float}}
	if p := newTable("", "", data, known).Pivot; p == nil || *p != (Pivot{"toy", "T", "J"}) {
		t.Errorf("%+v", p)
	}
	if p := newTable("", "", data, nil).Pivot; p == nil || p.Rows != "toy" || p.Columns != "T" {
		t.Errorf("%+v", p)
	}
	data.Rows = data.Rows[:2]
	if p := newTable("", "", data, known).Pivot; p != nil {
		t.Errorf("two rows: %+v", p)
	}
}

// folder makes a folder with files and a run.json that lists some of them.
func folder(t *testing.T, files map[string]string, run reports.Run) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	record := longtest.Must(json.Marshal(reports.RunRecord{Program: "breadboard", Run: run}))(t)
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, reports.RunRecordName), record, 0o644))
	return dir
}

// tables is a catalogue in which a table of every study has a column J.
func tables() Catalogue {
	return Catalogue{SweepFiles: func(string) []string { return nil }, Tables: func(string) [][]table.Column {
		return [][]table.Column{{{Name: "toy"},
			{Name: "J", Type: table.Float, Unit: "nats", Meaning: "the mean of -log w"}}}
	}}
}

// one returns the only section of a folder.
func one(t *testing.T, dir string) Section {
	t.Helper()
	sections, err := Load(tables(), []string{dir})
	if err != nil || len(sections) != 1 {
		t.Fatalf("%d sections, %v", len(sections), err)
	}
	return sections[0]
}

const aFigure = `<svg xmlns="http://www.w3.org/2000/svg"><title>J</title></svg>`

// TestLoadRun: each table is shown once, each figure with its data, and what cannot be shown is
// named with the reason.
func TestLoadRun(t *testing.T) {
	dir := folder(t, map[string]string{
		"gap_T-5.json": `[{"toy": "easy", "J": 0.5}]`, "gap_T-5.csv": "toy,J\neasy,0.5\n",
		"gap_T-5.txt":       "a table",
		"gap_T-5_tails.csv": "x\n1\n", "gap_T-5_law.svg": aFigure, "gap_T-5_law.png": "png",
		"gap_T-5_law_data.csv": "x,y\n1,2\n",
		"gap_T-5_bad.svg":      `<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`,
		"gap_T-5_bad.json":     `[{"a": {}}]`, "gap_T-5_array.npy": "x", "other.json": "[]",
	}, reports.Run{
		Study: "gap", Name: "gap_T-5", Question: "gap T=5", Fault: "a fault", Notes: []string{"a note"},
		Files: []reports.RunFile{
			{Name: "gap_T-5.txt"}, {Name: "gap_T-5.csv"},
			{Name: "gap_T-5.json", SHA256: strings.Repeat("0", 64)}, {Name: "gap_T-5_tails.csv"},
			{Name: "gap_T-5_law.svg", Title: "The distribution of log w", Data: "gap_T-5_law_data.csv"},
			{Name: "gap_T-5_law.png", Data: "gap_T-5_law_data.csv"}, {Name: "gap_T-5_law_data.csv"},
			{Name: "gap_T-5_bad.svg"}, {Name: "gap_T-5_bad.json"}, {Name: "gap_T-5_array.npy"},
			{Name: "gap_T-5_gone.json"},
		},
	})
	s := one(t, dir)
	var tables []string
	for _, t := range s.Tables {
		tables = append(tables, t.Title)
	}
	if strings.Join(tables, ",") != "Results,tails" || len(s.Figures) != 1 ||
		s.Figures[0].Title != "The distribution of log w" ||
		s.Figures[0].Data.Rows != 1 || s.Figures[0].About != "J" {
		t.Errorf("tables %v, figures %+v", tables, s.Figures)
	}
	if j := s.Tables[0].Columns[1]; j.Unit != "nats" || j.Meaning != "the mean of -log w" {
		t.Errorf("the column of J is %+v, without what the catalogue says of it", j)
	}
	if s.Fault != "a fault" || strings.Join(s.Notes, ",") != "a note" || s.Title != "gap T=5" {
		t.Errorf("%+v", s)
	}
	for i, want := range []string{"gap_T-5.json: it is not as the run has written it",
		`gap_T-5_bad.svg is not shown: it is not a figure of this program: it has an element "script"`,
		"gap_T-5_bad.json is not shown: object 1",
		"gap_T-5_array.npy is not shown", "gap_T-5_gone.json is not shown"} {
		if i >= len(s.Missing) || !strings.HasPrefix(s.Missing[i], want) {
			t.Errorf("missing are %q; want %s", s.Missing, want)
		}
	}
}

// TestLoadNothingElse: a record from elsewhere has no file shown that stands elsewhere, be it by a
// name or by a link.
func TestLoadNothingElse(t *testing.T) {
	secret := longtest.File(t, "secret.json", `[{"secret": 1}]`)
	dir := folder(t, nil, reports.Run{Files: []reports.RunFile{{Name: "a.json"}, {Name: "b.json"}, {Name: "c.json"}}})
	if err := os.Symlink(secret, filepath.Join(dir, "a.json")); err != nil {
		t.Skip(err)
	}
	longtest.NoError(t, os.Mkdir(filepath.Join(dir, "b.json"), 0o755))
	longtest.NoError(t, os.Symlink("c.json", filepath.Join(dir, "c.json")))
	if s := one(t, dir); len(s.Tables) != 0 || len(s.Missing) != 3 {
		t.Errorf("%+v", s)
	}
	for _, name := range []string{"../secret.json", secret, "a/b.json"} {
		longtest.Refuses(Load(tables(), []string{
			folder(t, nil, reports.Run{Files: []reports.RunFile{{Name: name}}})}))(t, "not a file name", name)
	}
	stranger := folder(t, map[string]string{"x.svg": aFigure},
		reports.Run{Files: []reports.RunFile{{Name: "x.svg", Data: secret}}})
	if s := one(t, stranger); len(s.Figures) != 1 || s.Figures[0].Data != nil {
		t.Errorf("%+v", s)
	}
}

// TestLoadErrors: what is no result is refused with a message that says what to give.
func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		longtest.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		return path
	}
	for path, want := range map[string]string{
		dir:                                             "has neither a run.json nor the results of a sweep",
		filepath.Join(dir, "no"):                        "no such file",
		file("a.txt", "│ a │\n"):                        "a table for people",
		file("a.parquet", "PAR1"):                       "is Parquet, which is not read",
		file("a.svg", "<svg/>"):                         "is not a figure of this program",
		file("a.json", "{}"):                            "it is one JSON object",
		file("empty.json", ""):                          "the file is empty",
		file("line.csv", "toy\n"):                       "no table of this program has these columns and rows",
		file("twice.csv", "toy,J\neasy,2\ntoy,J\n"):     "no table of this program",
		file("list.json", "[]"):                         "no table of this program",
		file("other.csv", "toy,K\neasy,1\nhard,2\n"):    "has these columns",
		file("other.json", `[{"K": 1}]`):                "the folder of the run",
		file("deep.json", strings.Repeat("[", 100_000)): "is not an object",
		file("half.json", `[{"a": 1}`):                  "the file ends in the middle",
		os.DevNull:                                      "not a regular file",
	} {
		longtest.Refuses(Load(tables(), []string{path}))(t, want, path)
	}
}

// TestLoadFiles: single files are shown with their hashes.
func TestLoadFiles(t *testing.T) {
	dir := t.TempDir()
	var dot bytes.Buffer
	longtest.NoError(t, png.Encode(&dot, image.NewGray(image.Rect(0, 0, 1, 1))))
	for name, content := range map[string]string{"a.csv": "toy,J\neasy,2\n", "b.svg": aFigure,
		"c.PNG": dot.String(), "d.png": "no picture", "e.png": dot.String()[:60]} {
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	pictures := longtest.Must(Load(tables(), []string{filepath.Join(dir, "c.PNG")}))(t)
	if s := pictures[0]; len(s.Figures) != 1 ||
		!strings.Contains(string(s.Figures[0].Picture), `src="data:image/png;base64,iVBOR`) {
		t.Errorf("%+v", s)
	}
	for _, name := range []string{"d.png", "e.png"} {
		longtest.Refuses(Load(tables(), []string{filepath.Join(dir, name)}))(t, "is not a figure of this program", name)
	}
	sections, err := Load(tables(), []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.svg")})
	if err != nil || len(sections) != 2 || len(sections[0].Tables) != 1 || len(sections[1].Figures) != 1 {
		t.Fatalf("%+v, %v", sections, err)
	}
	if f := sections[0].Facts[2]; f.Name != "SHA-256" || len(f.Value) != 64 || sections[1].ID != "part-2" ||
		sections[1].Figures[0].ID != "part-2-figure-1" {
		t.Errorf("%+v", sections)
	}
}
