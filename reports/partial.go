package reports

// Partial returns the report without its figures and other files, which take long to make, for a run that is ending: what is left are
// tables of the rows that were finished, and notes.
func (r *Report) Partial() *Report {
	kept := &Report{Fault: r.Fault}
	for _, p := range r.Parts {
		switch p.(type) {
		case Figure, File:
		default:
			kept.Parts = append(kept.Parts, p)
		}
	}
	return kept
}
