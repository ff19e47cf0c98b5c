package reports

import (
	"breadboard/chains"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// Report is what a study has to show. It is one value from which everything is written: standard output in any format,
// the messages beside it, and files.
type Report struct {
	Parts []Part // in the order in which they are shown
	// Fault is why the study has failed after all, nil where it has not. It is a chains.Fault where a check has found one;
	// any other error is a question that could not be answered.
	Fault error
}

// Part is one thing that a report shows: a Table, a Text, a Figure, a File or a Note.
type Part interface{ part() }

// Table is a table with a name, which is that of its file.
type Table struct {
	*table.Table
	Name     string
	Place    Place
	Machines *table.Table // in the formats for machines, where those have other rows than people see
	// Plain, where it is set, returns a text that stands for the table in the format table.Text, and notes on what that
	// lacks.
	Plain func() (text string, notes []string)
}

// Place is where a table goes.
type Place int

const (
	// AmongResults is on standard output, and in a file.
	AmongResults Place = iota
	// InFile is in a file only.
	InFile
	// AmongMessages is beside the results, as a text for people, and in no file.
	AmongMessages
)

// Text is shown among the results as it is, in whatever format they are.
type Text string

// File is a file of a form of its own. It is made only where files are written.
type File struct {
	Name    string // with its ending
	Content func() ([]byte, error)
}

// Figure is a drawing, which goes to files only. It is drawn only where files are written.
type Figure struct {
	Draw func() (*figure.Figure, error)
	// Missing is what a note says of a figure that cannot be drawn, in front of the reason, as in "no figure 3". Where it
	// is empty, nothing is said.
	Missing string
	// File is the name without its ending under which an earlier run may have left the figure. Where it is set the note
	// says whether there is one.
	File string
}

// Note is a line for people beside the results, which may name options.
type Note struct{ chains.Advice }

// NewNote returns the note of a format, as chains.NewAdvice reads it.
func NewNote(format string, args ...any) Note { return Note{chains.NewAdvice(format, args...)} }

func (Table) part()  {}
func (Text) part()   {}
func (File) part()   {}
func (Figure) part() {}
func (Note) part()   {}

// newReport returns a report that begins with a table among the results.
func newReport(name string, t *table.Table) *Report {
	r := &Report{}
	r.add(Table{Name: name, Table: t})
	return r
}

func (r *Report) add(parts ...Part) { r.Parts = append(r.Parts, parts...) }

// note adds a note.
func (r *Report) note(format string, args ...any) { r.add(NewNote(format, args...)) }

// Tables returns the tables of a report.
func (r *Report) Tables() []Table { return partsOf[Table](r) }

// Figures returns the figures of a report.
func (r *Report) Figures() []Figure { return partsOf[Figure](r) }

// Notes returns the notes of a report.
func (r *Report) Notes() []Note { return partsOf[Note](r) }

func partsOf[P Part](r *Report) (out []P) {
	for _, p := range r.Parts {
		if is, ok := p.(P); ok {
			out = append(out, is)
		}
	}
	return out
}
