package reports

import (
	"cmp"
	"slices"

	"breadboard/chains/selector"
)

// TableName returns what users call a table of a study: its name without the words with which it begins as the study does, and all of it where
// nothing else is left, as of the study's own table.
func TableName(study, table string) string { return cmp.Or(unshared(study, table), table) }

// Only makes one table of a report its results, whole and in every format. The others go to files alone. The table is named as TableName
// has it, or in full. It fails, and lists those there are, where the report has no such table.
func (r *Report) Only(study, name string) error {
	names := func(t Table) bool {
		return t.Place != AmongMessages && (TableName(study, t.Name) == name || t.Name == name)
	}
	var known []string
	for _, t := range r.Tables() {
		if t.Place != AmongMessages {
			known = append(known, TableName(study, t.Name))
		}
	}
	if !slices.ContainsFunc(r.Tables(), names) {
		return selector.UnknownError("table of this run", name, known)
	}
	r.own()
	r.chosen = true
	for i, p := range r.Parts {
		t, is := p.(Table)
		switch {
		case !is || t.Place == AmongMessages:
			continue
		case names(t):
			t.Place, t.Brief, t.Summary = AmongResults, nil, nil
		default:
			t.Place = InFile
		}
		r.Parts[i] = t
	}
	return nil
}

// own marks the study's own table, which is the first among the results, unless that has been done.
func (r *Report) own() {
	first := -1
	for i, p := range r.Parts {
		t, is := p.(Table)
		switch {
		case is && t.own:
			return
		case is && t.Place == AmongResults && first < 0:
			first = i
		}
	}
	if first >= 0 {
		t := r.Parts[first].(Table)
		t.own = true
		r.Parts[first] = t
	}
}
