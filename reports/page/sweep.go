package page

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"breadboard/experiments/sweep"
	"breadboard/reports"
	"breadboard/reports/table"
)

// sweep adds a section with the merged results of a sweep, or adds a folder to that of a sweep which is there already.
func (l *loader) sweep(folder string) error {
	merged, err := sweep.Merge(l.catalogue.Studies, folder)
	if err != nil {
		return err
	}
	folders := []string{folder}
	at, known := l.sweeps[merged.Sweep.ID()]
	if known {
		folders = append(l.folders[at], folder)
		if merged, err = sweep.Merge(l.catalogue.Studies, folders...); err != nil {
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
	l.sweeps[merged.Sweep.ID()] = len(l.sections)
	l.add(s, folders...)
	return nil
}

// sweepSection returns the section of merged results, with a pivot that is open.
func (l *loader) sweepSection(m *sweep.Merged, folders []string) (s Section, err error) {
	content := l.catalogue.Sweep(m)
	var b bytes.Buffer
	if err := content.Write(&b, table.JSON); err != nil {
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
	for _, c := range content.Columns {
		known[c.Name] = c
	}
	study := m.Sweep.Study().Name
	s = Section{Title: "sweep of " + study, Facts: []Fact{
		{"Study", study}, {"Sweep", m.Sweep.ID().String()}, {"Cells", strconv.Itoa(m.Sweep.Len())},
	}}
	for _, folder := range folders {
		s.Facts = append(s.Facts, Fact{"Folder", folder})
		for _, path := range sweep.ResultFiles(folder) {
			s.Inputs = append(s.Inputs, reports.HashInput(path, time.Now(), maxPage))
		}
	}
	if m.Missing > 0 {
		s.Partial = true
		s.Notes = append(s.Notes, fmt.Sprintf("%d of %d cells have no result, the first of them %s", m.Missing, m.Sweep.Len(), m.First))
	}
	t := newTable("Results", "sweep", data, known)
	t.Open = t.Pivot != nil
	s.Tables = []*Table{t}
	return s, nil
}
