package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/reports"
	"breadboard/reports/table"
)

const (
	// maxPage bounds the bytes of the files that a page shows. A browser needs some seconds for a
	// page of that size.
	maxPage = 100 << 20
	// maxRuns bounds the runs of a folder that a page shows.
	maxRuns = 500
)

// Catalogue is what a page needs to know about the studies whose results it shows.
type Catalogue struct {
	// the columns of each table of a command, or without one of each file with a table
	Tables func(command string) [][]table.Column
	// SweepFiles returns the files with the results of a sweep that stand in a folder, nil if it is
	// none.
	SweepFiles func(folder string) []string
	Sweep      func(folders ...string) (*Sweep, error) // merges the folders of a sweep
}

// Sweep has the merged results of a sweep.
type Sweep struct {
	ID      string
	Study   string
	Cells   int
	Missing int    // the number of cells without a result
	First   string // the first of these
	Results *table.Table
}

// Load reads the content of a page, in the order of the paths. A path is a folder of runs, which
// has a run.json; a folder of a sweep, where folders of one sweep are merged; or a file with a
// table, in JSON or CSV, or with a figure in SVG or PNG. It fails if a path is none of these. If a
// folder lacks a file that it should have, this is not an error; the section of the run says so.
func Load(c Catalogue, paths []string) ([]Section, error) {
	l := &loader{
		catalogue: c,
		left:      maxPage,
		tables:    map[string][][]table.Column{},
		sweeps:    map[string]int{},
	}
	for _, path := range paths {
		if err := l.path(path); err != nil {
			return nil, err
		}
	}
	l.numberParts()
	return l.sections, nil
}

// loader is what has been read.
type loader struct {
	catalogue Catalogue
	sections  []Section
	left      int64                       // how many bytes may still be read
	tables    map[string][][]table.Column // the columns of the tables of studies
	sweeps    map[string]int              // in which section a sweep stands
	folders   [][]string                  // the folders of the sweep in each section
}

func (l *loader) path(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return l.file(path)
	}
	if l.catalogue.SweepFiles(path) != nil {
		return l.addSweep(path)
	}
	record, err := reports.ReadRunRecord(path)
	if err != nil {
		return err
	}
	if record == nil {
		return errs.New("%s has neither a %s nor the results of a sweep; give a folder that a run has written, or "+
			"files with tables in JSON or CSV one by one",
			path,
			reports.RunRecordName)
	}
	runs := record.Runs()
	if len(runs) > maxRuns {
		return errs.New("%s has %d runs, and a page shows %d at most; give the files that you want to see one by one",
			path, len(runs), maxRuns)
	}
	for i := range runs {
		if err := l.addRun(path, &runs[i]); err != nil {
			return err
		}
	}
	return nil
}

// addSection adds a section, and its number of folders, if it is a sweep.
func (l *loader) addSection(s Section, folders ...string) {
	l.sections, l.folders = append(l.sections, s), append(l.folders, folders)
}

// spend takes bytes from those that may be read.
func (l *loader) spend(n int64) error {
	l.left -= n
	if l.left < 0 {
		return errs.New("the results are more than the %s that a page can show; give fewer of them",
			selector.Bytes(maxPage))
	}
	return nil
}

// numberParts gives every part its place in the page.
func (l *loader) numberParts() {
	for i := range l.sections {
		s := &l.sections[i]
		s.ID = fmt.Sprintf("part-%d", i+1)
		for k, t := range s.Tables {
			t.ID = fmt.Sprintf("%s-table-%d", s.ID, k+1)
		}
		for k := range s.Figures {
			f := &s.Figures[k]
			f.ID = fmt.Sprintf("%s-figure-%d", s.ID, k+1)
			if f.Data != nil {
				f.Data.ID = f.ID + "-data"
			}
		}
	}
}

// known returns what is known of the columns of a table of a study, by their names: those of the
// first of its tables that has them all, with cells of their types.
func (l *loader) known(study string, t *table.Data) map[string]table.Column {
	if _, read := l.tables[study]; !read {
		l.tables[study] = l.catalogue.Tables(strings.ReplaceAll(study, "_", " "))
	}
	for _, list := range l.tables[study] {
		if byName := columnsOf(t, list); byName != nil {
			return byName
		}
	}
	return nil
}

// columnsOf returns the columns of a table by their names, and nil if one is not of the list or has
// a cell of another type.
func columnsOf(t *table.Data, list []table.Column) map[string]table.Column {
	byName := map[string]table.Column{}
	for i, name := range t.Columns {
		at := slices.IndexFunc(list, func(c table.Column) bool { return c.Name == name })
		if at < 0 || slices.ContainsFunc(t.Rows, func(row []string) bool { return !list[at].Type.Holds(row[i]) }) {
			return nil
		}
		byName[name] = list[at]
	}
	return byName
}

// file adds a section with a single table or figure.
func (l *loader) file(path string) error {
	data, err := selector.ReadFile(path, maxPage)
	if err != nil {
		return err
	}
	if err := l.spend(int64(len(data))); err != nil {
		return err
	}
	base := filepath.Base(path)
	sum := sha256.Sum256(data)
	s := Section{Title: base, Facts: []Fact{
		{"File", path}, {"Size", selector.Bytes(int64(len(data)))}, {"SHA-256", hex.EncodeToString(sum[:])}}}
	name := strings.TrimSuffix(base, filepath.Ext(base))
	if isPicture(strings.ToLower(base)) {
		picture, about, err := pictureOf(strings.ToLower(base), data)
		if err != nil {
			return errs.New("%s is not a figure of this program: %w; give one that it has written", path, err)
		}
		s.Figures = []Figure{{Title: titleOf(name), File: base, About: about, Picture: picture}}
		l.addSection(s)
		return nil
	}
	t, err := table.ParseData(data)
	if err == nil && (len(t.Rows) == 0 || l.known("", t) == nil && !recorded(path)) {
		err = errs.New("no table of this program has these columns and rows; give JSON or CSV that it has written, " +
			"or the folder of the run")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s.Tables = []*Table{newTable(titleOf(name), name, t, nil)}
	l.addSection(s)
	return nil
}

// recorded reports whether the record beside a file says that a run has written it.
func recorded(path string) bool {
	record, err := reports.ReadRunRecord(filepath.Dir(path))
	return err == nil && record != nil && slices.ContainsFunc(record.Runs(), func(r reports.Run) bool {
		return slices.ContainsFunc(r.Files, func(f reports.RunFile) bool { return f.Name == filepath.Base(path) })
	})
}

// titleOf writes the name of a part for people.
func titleOf(name string) string { return strings.ReplaceAll(name, "_", " ") }

// factsOf says how a run was made.
func factsOf(folder string, r *reports.Run) []Fact {
	facts := []Fact{{"Command", reports.CommandLine(r.Command)}, {"Version", r.Version}}
	if r.Seed != nil {
		facts = append(facts, Fact{"Seed", strconv.FormatUint(*r.Seed, 10)})
	}
	return append(facts, Fact{"Folder", folder})
}

var errChanged = errors.New("it is not as the run has written it, by its hash")

// addRun adds a section with what a run has written to a folder.
func (l *loader) addRun(folder string, r *reports.Run) error {
	s := Section{
		Title: r.Question, Facts: factsOf(folder, r), Inputs: r.Inputs,
		Partial: r.Partial, Fault: r.Fault, Notes: r.Notes,
	}
	if rest, is := strings.CutPrefix(r.Question, r.Study); is {
		s.Title = titleOf(r.Study) + rest
	}
	if s.Title == "" {
		s.Title = r.Name
	}
	w := written{folder: folder, run: r, section: &s, names: map[string]*reports.RunFile{}}
	for i := range r.Files {
		w.names[r.Files[i].Name] = &r.Files[i]
	}
	for i := range r.Files {
		if err := w.addRunFile(l, &r.Files[i]); err != nil {
			return err
		}
	}
	l.addSection(s)
	return nil
}

// written is what a run has written.
type written struct {
	folder  string
	run     *reports.Run
	section *Section
	names   map[string]*reports.RunFile
}

// addRunFile adds what a file of the run has. A table is read from its JSON, or from CSV if there
// is none; what is the same for other readers is left out. A file that cannot be shown is missing,
// with the reason.
func (w *written) addRunFile(l *loader, f *reports.RunFile) error {
	base := strings.TrimSuffix(f.Name, filepath.Ext(f.Name))
	kind := filepath.Ext(f.Name)
	has := func(kind string) bool { return w.names[base+kind] != nil }
	switch {
	case w.isData(f.Name): // stands with its figure
	case kind == ".svg", kind == ".png" && !has(".svg"):
		return w.figure(l, f)
	case kind == ".json", kind == ".csv" && !has(".json"):
		t, err := w.readTable(l, f)
		if t != nil {
			w.section.Tables = append(w.section.Tables, t)
		}
		return err
	case has(".json"), has(".csv"), has(".svg"), has(".png"): // the same for other readers
	default:
		w.miss(f.Name, "a page shows tables in JSON or CSV, and figures in SVG or PNG")
	}
	return nil
}

// isData reports whether a file has the data of a figure that is shown.
func (w *written) isData(name string) bool {
	return slices.ContainsFunc(w.run.Files, func(f reports.RunFile) bool { return f.Data == name && isPicture(f.Name) })
}

// miss says that a file is not shown.
func (w *written) miss(name, why string) {
	w.section.Missing = append(w.section.Missing, fmt.Sprintf("%s is not shown: %s", name, why))
}

// readContent returns the content of a file of the folder, and nil if it cannot be shown.
func (w *written) readContent(l *loader, f *reports.RunFile, limit int64) ([]byte, error) {
	data, err := selector.ReadBeside(filepath.Join(w.folder, reports.RunRecordName), f.Name, limit)
	if err != nil {
		w.miss(f.Name, err.Error())
		return nil, nil
	}
	if err := l.spend(int64(len(data))); err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); f.SHA256 != "" && hex.EncodeToString(sum[:]) != f.SHA256 {
		w.section.Missing = append(w.section.Missing, fmt.Sprintf("%s: %v", f.Name, errChanged))
	}
	return data, nil
}

// readTable reads a table.
func (w *written) readTable(l *loader, f *reports.RunFile) (*Table, error) {
	content, err := w.readContent(l, f, maxPage)
	if content == nil || err != nil {
		return nil, err
	}
	data, err := table.ParseData(content)
	if err != nil {
		w.miss(f.Name, err.Error())
		return nil, nil
	}
	return newTable(w.partOf(f.Name), strings.TrimSuffix(f.Name, filepath.Ext(f.Name)),
		data, l.known(w.run.Study, data)), nil
}

// partOf returns the name of a part of the run, from that of its file.
func (w *written) partOf(name string) string {
	name = strings.TrimSuffix(name, filepath.Ext(name))
	part, is := strings.CutPrefix(name, w.run.Name)
	if !is {
		return titleOf(name)
	}
	part = strings.Trim(part, "_")
	if part == "" {
		return "Results"
	}
	return titleOf(part)
}

// figure adds a figure with its data.
func (w *written) figure(l *loader, f *reports.RunFile) error {
	content, err := w.readContent(l, f, maxPicture)
	if content == nil || err != nil {
		return err
	}
	picture, about, err := pictureOf(f.Name, content)
	if err != nil {
		w.miss(f.Name, "it is not a figure of this program: "+err.Error())
		return nil
	}
	title := f.Title
	if title == "" { // a run of an older version
		title = w.partOf(f.Name)
	}
	shown := Figure{Title: title, File: f.Name, About: about, Picture: picture}
	if data := w.names[f.Data]; data != nil {
		shown.Data, err = w.readTable(l, data)
		if err != nil {
			return err
		}
		if shown.Data != nil {
			shown.Data.Title = "Data: " + title
		}
	}
	w.section.Figures = append(w.section.Figures, shown)
	return nil
}

// addSweep adds a section with the merged results of a sweep, or adds a folder to that of a sweep
// which is there already.
func (l *loader) addSweep(folder string) error {
	merged, err := l.catalogue.Sweep(folder)
	if err != nil {
		return err
	}
	folders := []string{folder}
	at, known := l.sweeps[merged.ID]
	if known {
		folders = append(l.folders[at], folder)
		merged, err = l.catalogue.Sweep(folders...)
		if err != nil {
			return err
		}
	}
	s, err := l.sweepSection(merged, folders)
	if err != nil {
		return err
	}
	if known {
		l.sections[at], l.folders[at] = s, folders
		return nil
	}
	l.sweeps[merged.ID] = len(l.sections)
	l.addSection(s, folders...)
	return nil
}

// sweepSection returns the section of merged results, with a pivot that is open.
func (l *loader) sweepSection(m *Sweep, folders []string) (s Section, err error) {
	var b bytes.Buffer
	if err := m.Results.Write(&b, table.JSON); err != nil {
		return s, err
	}
	if err := l.spend(int64(b.Len())); err != nil {
		return s, err
	}
	data, err := table.ParseData(b.Bytes())
	if err != nil {
		return s, err
	}
	known := map[string]table.Column{}
	for _, c := range m.Results.Columns {
		known[c.Name] = c
	}
	s = Section{Title: "sweep of " + m.Study, Facts: []Fact{
		{"Study", m.Study}, {"Sweep", m.ID}, {"Cells", strconv.Itoa(m.Cells)},
	}}
	for _, folder := range folders {
		s.Facts = append(s.Facts, Fact{"Folder", folder})
		for _, path := range l.catalogue.SweepFiles(folder) {
			s.Inputs = append(s.Inputs, reports.HashInput(path, time.Now(), maxPage))
		}
	}
	if m.Missing > 0 {
		s.Partial = true
		s.Notes = append(s.Notes, fmt.Sprintf("%d of %d cells have no result, the first of them %s",
			m.Missing, m.Cells, m.First))
	}
	t := newTable("Results", "sweep", data, known)
	t.Open = t.Pivot != nil
	s.Tables = []*Table{t}
	return s, nil
}
