package page

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/reports"
	"breadboard/reports/table"
)

// run adds a section with what a run has written to a folder.
func (l *loader) run(folder string, r *reports.Run) error {
	s := Section{
		Title: r.Asked, Facts: factsOf(folder, r), Settings: settingsOf(r), Inputs: r.Inputs,
		Partial: r.Partial, Fault: r.Fault, Notes: r.Notes,
	}
	if rest, is := strings.CutPrefix(r.Asked, r.Study); is {
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
		if err := w.show(l, &r.Files[i]); err != nil {
			return err
		}
	}
	l.add(s)
	return nil
}

// written is what a run has written.
type written struct {
	folder  string
	run     *reports.Run
	section *Section
	names   map[string]*reports.RunFile
}

// show adds what a file of the run has. A table is read from its JSON, or from CSV where there is none; what is the same for other
// readers is left out. A file that cannot be shown is missing, with the reason.
func (w *written) show(l *loader, f *reports.RunFile) error {
	base, kind := strings.TrimSuffix(f.Name, filepath.Ext(f.Name)), filepath.Ext(f.Name)
	has := func(kind string) bool { return w.names[base+kind] != nil }
	switch {
	case w.isData(f.Name): // stands with its figure
	case kind == ".svg":
		return w.figure(l, f)
	case kind == ".json", kind == ".csv" && !has(".json"):
		t, err := w.table(l, f)
		if t != nil {
			w.section.Tables = append(w.section.Tables, t)
		}
		return err
	case has(".json"), has(".csv"), has(".svg"): // the same for other readers
	default:
		w.miss(f.Name, "a page shows tables in JSON or CSV, and figures in SVG")
	}
	return nil
}

// isData reports whether a file has the data of a figure that is shown.
func (w *written) isData(name string) bool {
	return slices.ContainsFunc(w.run.Files, func(f reports.RunFile) bool { return f.Data == name && filepath.Ext(f.Name) == ".svg" })
}

// miss says that a file is not shown.
func (w *written) miss(name, why string) {
	w.section.Missing = append(w.section.Missing, fmt.Sprintf("%s is not shown: %s", name, why))
}

// read returns the content of a file of the folder, and nil where it cannot be shown.
func (w *written) read(l *loader, f *reports.RunFile, limit int64) ([]byte, error) {
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

// table reads a table.
func (w *written) table(l *loader, f *reports.RunFile) (*Table, error) {
	content, err := w.read(l, f, maxPage)
	if content == nil || err != nil {
		return nil, err
	}
	data, err := table.ParseData(content)
	if err != nil {
		w.miss(f.Name, err.Error())
		return nil, nil
	}
	return newTable(w.partOf(f.Name), strings.TrimSuffix(f.Name, filepath.Ext(f.Name)), data, l.known(w.run.Study, data.Columns)), nil
}

// partOf returns the name of a part of the run, from that of its file.
func (w *written) partOf(name string) string {
	name = strings.TrimSuffix(name, filepath.Ext(name))
	part, is := strings.CutPrefix(name, w.run.Name)
	if !is {
		return titleOf(name)
	}
	if part = strings.Trim(part, "_"); part == "" {
		return "Results"
	}
	return titleOf(part)
}

// figure adds a figure with its data.
func (w *written) figure(l *loader, f *reports.RunFile) error {
	content, err := w.read(l, f, maxPicture)
	if content == nil || err != nil {
		return err
	}
	picture, about, err := cleanPicture(content)
	if err != nil {
		w.miss(f.Name, "it is no figure of this program: "+err.Error())
		return nil
	}
	title := f.Title
	if title == "" { // a run of an older version
		title = w.partOf(f.Name)
	}
	shown := Figure{Title: title, File: f.Name, About: about, Picture: picture}
	if data := w.names[f.Data]; data != nil {
		if shown.Data, err = w.table(l, data); err != nil {
			return err
		}
		if shown.Data != nil {
			shown.Data.Title = "Data: " + title
		}
	}
	w.section.Figures = append(w.section.Figures, shown)
	return nil
}
