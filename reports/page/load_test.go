package page

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/table"
)

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
	return Catalogue{Tables: func(string) [][]table.Column {
		return [][]table.Column{{{Name: "toy"}, {Name: "J", Unit: "nats", Meaning: "the mean of -log w"}}}
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

// TestLoadRun: each table is shown once, each figure with its data, and what cannot be shown is named with the reason.
func TestLoadRun(t *testing.T) {
	dir := folder(t, map[string]string{
		"gap_T-5.json": `[{"toy": "easy", "J": 0.5}]`, "gap_T-5.csv": "toy,J\neasy,0.5\n", "gap_T-5.txt": "a table",
		"gap_T-5_tails.csv": "x\n1\n", "gap_T-5_law.svg": aFigure, "gap_T-5_law.png": "png", "gap_T-5_law_data.csv": "x,y\n1,2\n",
		"gap_T-5_bad.svg": `<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`, "gap_T-5_bad.json": `[{"a": {}}]`, "gap_T-5_array.npy": "x", "other.json": "[]",
	}, reports.Run{
		Study: "gap", Name: "gap_T-5", Asked: "gap T=5", Fault: "a fault", Notes: []string{"a note"},
		Files: []reports.RunFile{
			{Name: "gap_T-5.txt"}, {Name: "gap_T-5.csv"}, {Name: "gap_T-5.json", SHA256: strings.Repeat("0", 64)}, {Name: "gap_T-5_tails.csv"},
			{Name: "gap_T-5_law.svg", Title: "The law of log w", Data: "gap_T-5_law_data.csv"}, {Name: "gap_T-5_law.png", Data: "gap_T-5_law_data.csv"}, {Name: "gap_T-5_law_data.csv"},
			{Name: "gap_T-5_bad.svg"}, {Name: "gap_T-5_bad.json"}, {Name: "gap_T-5_array.npy"}, {Name: "gap_T-5_gone.json"},
		},
	})
	s := one(t, dir)
	var tables []string
	for _, t := range s.Tables {
		tables = append(tables, t.Title)
	}
	if strings.Join(tables, ",") != "Results,tails" || len(s.Figures) != 1 || s.Figures[0].Title != "The law of log w" || s.Figures[0].Data.Rows != 1 || s.Figures[0].About != "J" {
		t.Errorf("tables %v, figures %+v", tables, s.Figures)
	}
	if j := s.Tables[0].Columns[1]; j.Unit != "nats" || j.Meaning != "the mean of -log w" {
		t.Errorf("the column of J is %+v, without what the catalogue says of it", j)
	}
	if s.Fault != "a fault" || strings.Join(s.Notes, ",") != "a note" || s.Title != "gap T=5" {
		t.Errorf("%+v", s)
	}
	for i, want := range []string{"gap_T-5.json: it is not as the run has written it", `gap_T-5_bad.svg is not shown: it is no figure of this program: it has an element "script"`, "gap_T-5_bad.json is not shown: object 1", "gap_T-5_array.npy is not shown", "gap_T-5_gone.json is not shown"} {
		if i >= len(s.Missing) || !strings.HasPrefix(s.Missing[i], want) {
			t.Errorf("missing are %q; want %s", s.Missing, want)
		}
	}
}

// TestLoadNothingElse: a record from somebody else has no file shown that stands elsewhere, be it by a name or by a link.
func TestLoadNothingElse(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.json")
	longtest.NoError(t, os.WriteFile(secret, []byte(`[{"secret": 1}]`), 0o644))
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
		if _, err := Load(tables(), []string{folder(t, nil, reports.Run{Files: []reports.RunFile{{Name: name}}})}); err == nil || !strings.Contains(err.Error(), "no file name") {
			t.Errorf("%s: %v", name, err)
		}
	}
	stranger := folder(t, map[string]string{"x.svg": aFigure}, reports.Run{Files: []reports.RunFile{{Name: "x.svg", Data: secret}}})
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
		dir:                       "has neither a run.json nor the results of a sweep",
		filepath.Join(dir, "no"):  "no such file",
		file("a.txt", "│ a │\n"):  "a table for people",
		file("a.parquet", "PAR1"): "it is Parquet",
		file("a.svg", "<svg/>"):   "is no figure of this program",
		file("a.json", "{}"):      "it is one JSON object",
		file("empty.json", ""):    "the file is empty",
		file("deep.json", strings.Repeat("[", 100_000)): "is no object",
		file("half.json", `[{"a": 1}`):                  "the file ends in the middle",
		os.DevNull:                                      "no regular file",
	} {
		if _, err := Load(tables(), []string{path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// TestLoadFiles: single files are shown with their hashes.
func TestLoadFiles(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.csv": "x,y\n1,2\n", "b.svg": aFigure} {
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	sections, err := Load(tables(), []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.svg")})
	if err != nil || len(sections) != 2 || len(sections[0].Tables) != 1 || len(sections[1].Figures) != 1 {
		t.Fatalf("%+v, %v", sections, err)
	}
	if f := sections[0].Facts[2]; f.Name != "SHA-256" || len(f.Value) != 64 || sections[1].ID != "part-2" || sections[1].Figures[0].ID != "part-2-figure-1" {
		t.Errorf("%+v", sections)
	}
}
