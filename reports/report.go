package reports

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/reports/check"
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// Report holds everything that a study shows. Standard output in any format, messages and files are
// written from it.
type Report struct {
	Parts []Part // the parts in the order in which they are shown
	// Fault is the error with which the study has failed although it has results; nil if it has not
	// failed. It is a chains.Fault if a check has found one; any other error says that a question
	// could not be answered.
	Fault error
	// Checked are the findings of a check, for programs that collect the results of tests; nil if
	// nothing is checked.
	Checked []check.Case
	chosen  bool // the results are a table that was asked for
	whole   bool // tables are shown in full
}

// Part is one thing that a report shows: an Answer, a Table, a Text, a Figure, a File or a Note.
type Part interface{ part() }

// Answer is a sentence that answers the question of a study. On a terminal it is before the tables.
type Answer string

// Table is a table with a name, from which FileNames makes the name of its file.
type Table struct {
	*table.Table
	Name  string
	own   bool // whether it is the study's own table, whose file has the name of the study alone
	Place Place
	// replaces the table in the formats for machines, where these have other rows; may be nil
	Machines *table.Table
	// Brief, if it is set, replaces the table where people read it among the results; its file has
	// the whole table.
	Brief *table.Table
	// Summary, if it is set, returns a text with which the results begin in the format table.Text;
	// Brief follows it there, where it has rows. The other formats have the whole table. A verdict
	// in the text is written as the function paint writes it.
	Summary func(paint func(verdict string) string) string
	// Plain, if it is set, returns a text that replaces the table in the format table.Text, and
	// notes that say what is missing in the text.
	Plain func() (text string, notes []string)
	// Make, if it is set, returns the table, which is then nil itself. It is called if the table is
	// written, so that a large one is never made for a format in which a text replaces it.
	Make func() *table.Table
}

// Content returns the table, which it makes if Make is set.
func (t *Table) Content() *table.Table {
	if t.Make != nil {
		t.Table = t.Make()
		t.Make = nil
	}
	return t.Table
}

// ShowWhole makes the report show all tables in full, without Brief. Summaries are still before
// them.
func (r *Report) ShowWhole() *Report {
	r.whole = true
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
	// BesideResults tables are written as those AmongResults are, but in the formats for machines
	// to a file only: a program that reads the results gets one table. Report.Only says which where
	// it is to be another one. Of a check that has passed people read their summaries alone, unless
	// ShowWhole has been called.
	BesideResults
	// InFile tables are written to a file only.
	InFile
	// AmongMessages tables are written with the messages, as text for people, and to no file.
	AmongMessages
)

// Text is written with the results as it is, whatever their format.
type Text string

// Stream writes a long text as Text does, without the whole of it in memory. It may stop at an
// error of the writer, which keeps it.
type Stream func(w *bufio.Writer)

// File is a file with any content. Its content is computed only if files are written.
type File struct {
	Name    string // the name of the file, with its ending
	Content func() ([]byte, error)
	Stream  Stream // replaces Content for a long file; nil for others
}

// Figure is a drawing, which goes to files only. It is drawn only if files are written.
type Figure struct {
	Draw func() (*figure.Figure, error)
	// Title says in a few words what the figure shows. It stands above the figure on a page.
	Title string
	// Missing begins the note about a figure that cannot be drawn; the reason follows it. An
	// example is "no figure 3". If it is empty there is no note.
	Missing string
	// File is the name, without its ending, of the figure's file. If it is set, the note also says
	// whether an earlier run has left such a file.
	File string
}

// Note is a line for people, written with the messages. It may name options.
type Note struct {
	*errs.Advice
	About string // the column that it is about, beside which alone it is shown; empty if there is none
	Input bool   // whether it says how an input was read
	Place NotePlace
}

// NotePlace says where people who read tables see a note. All others get every note with the
// messages.
type NotePlace int

const (
	// WithMessages notes say how the results are to be read.
	WithMessages NotePlace = iota
	// WithResults notes are a part of the answer, such as what a pass excludes.
	WithResults
	// InSummary notes say what the Summary of a table says too, and are left out.
	InSummary
)

// NewNote returns a note from a format and arguments, as errs.New does.
func NewNote(format string, args ...any) Note { return Note{Advice: errs.New(format, args...)} }

func (Table) part()  {}
func (Text) part()   {}
func (Stream) part() {}
func (File) part()   {}
func (Figure) part() {}
func (Note) part()   {}
func (Answer) part() {}

// New returns a report that begins with a table among the results.
func New(name string, t *table.Table) *Report {
	r := &Report{}
	r.Add(Table{Name: name, Table: t})
	return r
}

// Add appends parts.
func (r *Report) Add(parts ...Part) { r.Parts = append(r.Parts, parts...) }

// Note adds a note.
func (r *Report) Note(format string, args ...any) { r.NoteAt(WithMessages, format, args...) }

// NoteAt adds a note at a place.
func (r *Report) NoteAt(place NotePlace, format string, args ...any) {
	n := NewNote(format, args...)
	n.Place = place
	r.Add(n)
}

// Begin puts a sentence about rows before everything else, if all its cells are known, and returns
// the report. A narrow terminal then keeps the columns that the sentence names.
func (r *Report) Begin(s columns.Sentence, list columns.List, rows any) *Report {
	text := s.TextOf(list, rows)
	if text == "" {
		return r
	}
	r.Parts = slices.Insert(r.Parts, 0, Part(Answer(text)))
	for _, t := range r.Tables() {
		for i := range t.Content().Columns {
			t.Columns[i].Named = s.Names(t.Columns[i].Name)
		}
	}
	return r
}

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

// CaseNotes adds notes that belong to a case.
func (r *Report) CaseNotes(c fmt.Stringer, notes []string) {
	for _, n := range notes {
		r.Note("%s: %s", c, n)
	}
}

// NotesOnce adds lines as notes, each once.
func (r *Report) NotesOnce(lines []string) {
	for i, line := range lines {
		if !slices.Contains(lines[:i], line) {
			r.Note("%s", line)
		}
	}
}

// Grouped splits rows into those that have the same name, in the order in which the names first
// appear.
func Grouped[R any](rows []R, name func(*R) string) (groups [][]R) {
	for i, at := range groupsOf(len(rows), func(i int) string { return name(&rows[i]) }) {
		if at == len(groups) {
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], rows[i])
	}
	return groups
}

// groupsOf returns in which group each of n rows is.
func groupsOf(n int, name func(i int) string) []int {
	var names []string
	groups := make([]int, n)
	for i := range groups {
		groups[i] = slices.Index(names, name(i))
		if groups[i] < 0 {
			groups[i] = len(names)
			names = append(names, name(i))
		}
	}
	return groups
}

// Names returns the names that rows have, each once, in the order in which they first appear.
func Names[R any](rows []R, name func(*R) string) (names []string) {
	for _, group := range Grouped(rows, name) {
		names = append(names, name(&group[0]))
	}
	return names
}

// Partial returns the report without its figures and other files, which take long to make, for a
// run that is being ended: it keeps the tables, whose rows are those finished so far, and the
// notes.
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

// Require checks conditions on every row of the tables, apart from those among the messages; each
// condition is about the first table that has its column. For a row that violates one it adds a
// note that names the row, and sets Fault to a chains.Fault, unless Fault is set already. If no
// table has a column of numbers with the name in a condition, it returns an error and changes
// nothing.
func (r *Report) Require(conditions []table.Condition) error {
	var tables []*table.Table
	var names []string
	for _, t := range r.Tables() {
		if t.Place == AmongMessages {
			continue
		}
		content := t.In(table.CSV)
		tables, names = append(tables, content), append(names, content.Subjects()...)
	}
	if len(tables) == 0 {
		return errors.New("there is no table whose rows could hold conditions")
	}
	var failing []string
	for _, c := range conditions {
		i := slices.IndexFunc(tables, func(t *table.Table) bool { return slices.Contains(t.Subjects(), c.Column) })
		if i < 0 {
			if len(names) == 0 {
				return fmt.Errorf("condition %s: no table here has a column of numbers", c)
			}
			sort.Strings(names)
			return fmt.Errorf("condition %s: %w", c, selector.UnknownError("column", c.Column, slices.Compact(names)))
		}
		lines, err := tables[i].Failing(c)
		if err != nil {
			return err
		}
		failing = append(failing, lines...)
	}
	for _, line := range failing {
		r.Note("%s", line)
	}
	if len(failing) > 0 && r.Fault == nil {
		r.Fault = chains.NewFault(errs.New("%s; see above", doNotHold(len(failing))))
	}
	return nil
}

func doNotHold(n int) string {
	if n == 1 {
		return "a condition does not hold"
	}
	return fmt.Sprintf("conditions do not hold in %d places", n)
}

// TableName returns what users call a table of a study: its name without the words that it shares
// with the beginning of the study's name, or the whole name if no words would be left.
func TableName(study, table string) string { return cmp.Or(unshared(study, table), table) }

// Only makes one table of a report its results, whole and in every format. The others are written
// only to files. The table is named as by TableName, or in full. If there is no such table it
// fails, and lists the tables.
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
			t.Place = AmongResults
			t.Brief = nil
			t.Summary = nil
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

// NoteRows adds the notes of rows, each once, with the first row that it is about.
func NoteRows[R any](r *Report, rows []R, note, about func(*R) string) {
	for _, same := range Grouped(rows, note) {
		others := ""
		if more := len(same) - 1; more > 0 {
			others = " and " + selector.Count(more, "more row")
		}
		if n := note(&same[0]); n != "" {
			r.Note("%s%s: %s", about(&same[0]), others, n)
		}
	}
}
