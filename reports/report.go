package reports

import (
	"breadboard/chains"
	"breadboard/experiments/study/check"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// Report holds all that a study shows. Everything is written from this one value: standard output in any format,
// the messages beside it, and files.
type Report struct {
	Parts []Part // the parts in the order in which they are shown
	// Fault is the error with which the study has failed although it has results; nil where it has not failed. It is a
	// chains.Fault where a check has found one; any other error says that a question could not be answered.
	Fault error
	// Checked are the findings of a check, for programs that collect the results of tests; nil where nothing is checked.
	Checked []check.Case
	chosen  bool // the results are a table that was asked for
}

// Part is one thing that a report shows: a Table, a Text, a Figure, a File or a Note.
type Part interface{ part() }

// Table is a table with a name, from which FileNames makes that of its file.
type Table struct {
	*table.Table
	Name     string
	own      bool // whether it is the study's own table, whose file has the name of the study alone
	Place    Place
	Machines *table.Table // replaces the table in the formats for machines, where these have other rows; may be nil
	// Brief, where it is set, replaces the table where people read it among the results; its file has the whole table.
	Brief *table.Table
	// Summary, where it is set, returns a text with which the results begin in the format table.Text; Brief follows it there, where it
	// has rows. The other formats have the whole table. A verdict in the text is written as the function paint writes it.
	Summary func(paint func(verdict string) string) string
	// Plain, where it is set, returns a text that replaces the table in the format table.Text, and notes that say what is
	// missing in the text.
	Plain func() (text string, notes []string)
	// Make, where it is set, returns the table, which is then nil itself. It is called where the table is written, so that
	// a large one is never made for a format in which a text replaces it.
	Make func() *table.Table
}

// Content returns the table itself.
func (t *Table) Content() *table.Table {
	if t.Make != nil {
		t.Table, t.Make = t.Make(), nil
	}
	return t.Table
}

// Whole makes the report show tables in full, without Brief. A Summary still stands before them.
func (r *Report) Whole() *Report {
	for i, p := range r.Parts {
		if t, is := p.(Table); is {
			t.Brief = nil
			r.Parts[i] = t
		}
	}
	return r
}

// Place says where a table is written.
type Place int

const (
	// AmongResults tables are written with the results, and to a file.
	AmongResults Place = iota
	// BesideResults tables are written as those AmongResults are, but in the formats for machines to a file only: a program
	// that reads the results gets one table. Report.Only says which where it is to be another one.
	BesideResults
	// InFile tables are written to a file only.
	InFile
	// AmongMessages tables are written with the messages, as text for people, and to no file.
	AmongMessages
)

// Text is written with the results as it is, whatever their format.
type Text string

// File is a file with any content. Its content is computed only where files are written.
type File struct {
	Name    string // the name of the file, with its ending
	Content func() ([]byte, error)
}

// Figure is a drawing, which goes to files only. It is drawn only where files are written.
type Figure struct {
	Draw func() (*figure.Figure, error)
	// Title says in a few words what the figure shows. It stands above the figure on a page.
	Title string
	// Missing begins the note about a figure that cannot be drawn; the reason follows it. An example is "no figure 3".
	// Where it is empty there is no note.
	Missing string
	// File is the name, without its ending, of the figure's file. Where it is set, the note also says whether an earlier
	// run has left such a file.
	File string
}

// Note is a line for people, written with the messages. It may name options.
type Note struct{ chains.Advice }

// NewNote returns a note. It takes a format and arguments as chains.NewAdvice does.
func NewNote(format string, args ...any) Note { return Note{chains.NewAdvice(format, args...)} }

func (Table) part()  {}
func (Text) part()   {}
func (File) part()   {}
func (Figure) part() {}
func (Note) part()   {}

// New returns a report that begins with a table among the results.
func New(name string, t *table.Table) *Report {
	r := &Report{}
	r.Add(Table{Name: name, Table: t})
	return r
}

// Add appends parts.
func (r *Report) Add(parts ...Part) { r.Parts = append(r.Parts, parts...) }

// Note adds a note.
func (r *Report) Note(format string, args ...any) { r.Add(NewNote(format, args...)) }

// Tables returns the tables of a report.
func (r *Report) Tables() []Table { return PartsOf[Table](r) }

// Figures returns the figures of a report.
func (r *Report) Figures() []Figure { return PartsOf[Figure](r) }

// Notes returns the notes of a report.
func (r *Report) Notes() []Note { return PartsOf[Note](r) }

// PartsOf returns the parts of one type, in order.
func PartsOf[P Part](r *Report) (out []P) {
	for _, p := range r.Parts {
		if is, ok := p.(P); ok {
			out = append(out, is)
		}
	}
	return out
}
