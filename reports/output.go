package reports

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/chains/work"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// Output says where and in which form reports are written.
type Output struct {
	Results  io.Writer // receives the results; as a rule standard output
	Messages io.Writer // receives notes, as a rule standard error; errors in writing them are ignored
	Width    int       // the number of characters to which lines of notes are fitted; 0 is any number
	Terminal bool      // whether Results is a terminal, which control characters must not reach
	Format   table.Format
	Files    *Directory // the folder to which files are written as well; nil for none
	Names    FileNames  // how the tables and figures are called there
	// Tables is how tables are written, apart from their Format. Its Width and Colour are for
	// Results alone, and not for files.
	Tables table.Style
	// Columns are those that tables are written with: each with those of them that it has. A table
	// that has none is not among the results, and whole in files. If it is empty, tables have all
	// of their columns.
	Columns []string
	Words   errs.Words // the names of options in messages; nil for the library's own
	Doubt   string     // stands before notes on the input, for programs that read messages
	// Style is how figures look, and FigureFormats are the formats in which they are written; nil
	// for all of them.
	Style         figure.Style
	FigureFormats []string
	notes         []string // the notes of reports that have been written
	passed        bool     // whether the report is that of a check that has passed, and not whole
	hidden        []string // the tables of the report of which people see some rows or none
	written       []string // the files of the report
}

// Said returns the notes of the reports that have been written, and why figures are missing.
func (o *Output) Said() []string { return slices.Clone(o.notes) }

// WriteError is the error of a result that could not be written.
type WriteError struct{ error }

// Unwrap returns the error within.
func (e WriteError) Unwrap() error { return e.error }

// Write writes every part of a report in its order: results in the format of the output, and notes
// as messages. If there is a folder for files, it also writes tables, figures and other files to
// it, each as a whole or not at all: tables also as CSV and JSON, and the data of figures as CSV,
// whatever the format. It stops as soon as the context ends, also in the middle of a write to a
// pipe without a reader. It does not write the report's Fault.
func (o *Output) Write(ctx context.Context, r *Report) error {
	if err := o.checkColumns(r); err != nil {
		return err
	}
	r.own()
	o.passed = r.Checked != nil && r.Fault == nil && !r.whole && o.Format == table.Text && len(o.Columns) == 0
	o.hidden = nil
	o.written = nil
	defer func() {
		if len(o.written) > 0 {
			o.note("wrote %s", o.Files.Path(strings.Join(o.written, "; ")))
		}
	}()
	for _, p := range r.Parts {
		if note, is := p.(Note); is && note.About != "" && !o.hasColumn(r, note.About) {
			continue
		}
		if err := o.writePart(ctx, p); err != nil {
			return err
		}
	}
	if len(o.hidden) > 0 {
		o.note("%s shows every row of %s", o.word("verbose"), selector.Listed(o.hidden))
	}
	o.lacking(r)
	o.further(r)
	return nil
}

// lacking writes a note that says which tables lack which of the columns that are asked for, if
// some do.
func (o *Output) lacking(r *Report) {
	if len(o.Columns) == 0 {
		return
	}
	var list []string
	for _, t := range r.Tables() {
		if !o.shows(&t) {
			continue
		}
		name := TableName(o.Names.Study, t.Name)
		has, lacks := o.briefOf(&t).In(o.Format).Held(o.Format, o.Columns)
		switch {
		case has == nil:
			list = append(list, fmt.Sprintf("the table %s has none of them and is left out", name))
		case len(lacks) > 0:
			list = append(list, fmt.Sprintf("the table %s has no %s", name, strings.Join(lacks, ", ")))
		}
	}
	if len(list) > 0 {
		o.note("of the columns that are asked for, %s", strings.Join(list, "; "))
	}
}

// hasColumn reports whether a table among the results shows a column.
func (o *Output) hasColumn(r *Report, name string) bool {
	return slices.ContainsFunc(r.Tables(), func(t Table) bool {
		return o.shows(&t) && o.selected(o.briefOf(&t), o.Format).Shows(o.Format, name)
	})
}

// shows reports whether a table is among the results in the format of the output.
func (o *Output) shows(t *Table) bool {
	return t.Place == AmongResults || t.Place == BesideResults && !o.Format.ForMachines()
}

// further writes a note that says which tables a program does not see, where it reads the results
// and no file has them.
func (o *Output) further(r *Report) {
	if r.chosen || o.Files != nil || !o.Format.ForMachines() {
		return
	}
	var list []string
	for _, t := range r.Tables() {
		if t.Place == BesideResults || t.Place == InFile {
			list = append(list, fmt.Sprintf("%s (%s)",
				TableName(o.Names.Study, t.Name), selector.Count(len(t.In(o.Format).Rows), "row")))
		}
	}
	if len(list) > 0 {
		o.note("further tables: %s; %s NAME prints one of them, and %s DIR writes all to files",
			strings.Join(list, ", "), o.word("table"), o.word("out"))
	}
}

func (o *Output) writePart(ctx context.Context, p Part) error {
	switch p := p.(type) {
	case Table:
		return o.writeTable(ctx, &p)
	case Text:
		return o.print(ctx, []byte(p))
	case Stream:
		return o.stream(ctx, p)
	case File:
		return o.made(ctx, &p)
	case Figure:
		return o.figure(ctx, &p)
	case Answer:
		if !o.Terminal || o.Format != table.Text || len(o.Columns) > 0 {
			return nil
		}
		return o.print(ctx, []byte(Line(string(p), o.Tables.Width)+"\n"))
	case Note:
		if p.Input {
			fmt.Fprint(o.Messages, o.Doubt)
		}
		text := errs.InWords(p.Advice, o.Words)
		if o.Format == table.Text && p.Place != WithMessages {
			o.notes = append(o.notes, text)
			if p.Place == InSummary {
				return nil
			}
			return o.print(ctx, []byte(Line(text, o.Tables.Width)+"\n"))
		}
		o.say(text)
		return nil
	}
	panic(fmt.Sprintf("reports: no part of a report: %T", p))
}

// note writes one line to Messages.
func (o *Output) note(format string, args ...any) {
	fmt.Fprintln(o.Messages, Line(fmt.Sprintf(format, args...), o.Width))
}

// Line returns a message for people as lines of at most width characters, without control
// characters. Width 0 means any number.
func Line(text string, width int) string {
	return table.Broken(string(printable([]byte(text))), width)
}

// ownControls matches the control characters that a terminal may get, ends of lines, tabs and
// verdicts in their colours, and all others.
var ownControls = regexp.MustCompile(`\n|\t|\x1b\[3[123]m(?:pass|fault|open|differs)\x1b\[0m|\p{Cc}|\p{Cf}`)

// printable replaces the control characters of names and labels in a text, and what is no UTF-8.
func printable(text []byte) []byte {
	return ownControls.ReplaceAllFunc(
		bytes.ToValidUTF8(text, []byte(string(unicode.ReplacementChar))),
		func(c []byte) []byte {
			if len(c) > 2 && c[0] == '\x1b' || c[0] == '\n' || c[0] == '\t' {
				return c
			}
			return []byte(string(unicode.ReplacementChar))
		},
	)
}

// say writes a note and keeps it for the record of the run.
func (o *Output) say(text string) {
	o.note("%s", text)
	o.notes = append(o.notes, text)
}

// inTime does work that changes no file, and abandons it if the context ends.
func inTime(ctx context.Context, job func() error) error {
	var err error
	if ended := work.Unless(ctx, func() { err = job() }); ended != nil {
		return ended
	}
	return err
}

// writeTable writes a table where its Place says, and to the folder as files of its name.
func (o *Output) writeTable(ctx context.Context, t *Table) error {
	if err := o.printTable(ctx, t); err != nil || o.Files == nil || t.Place == AmongMessages {
		return err
	}
	var files []ending
	for _, format := range []table.Format{o.Format, table.CSV, table.JSON} {
		if len(files) > 0 && format == o.Format {
			continue
		}
		style := o.Tables
		style.Format = format
		style.Width = 0
		style.Colour = false
		data, _, err := o.encode(ctx, t, style)
		if err != nil {
			return err
		}
		files = append(files, ending{text: format.Extension(), content: data})
	}
	return o.files(ctx, o.Names.ofTable(t), files)
}

// printTable writes a table where its Place says, apart from its files.
func (o *Output) printTable(ctx context.Context, t *Table) error {
	style := o.Tables
	style.Format = o.Format
	switch {
	case t.Place == AmongMessages:
		data, _, err := o.encode(ctx, t, table.Style{Format: table.Text})
		if err != nil {
			return err
		}
		_, err = o.Messages.Write(data)
		return writeError(err)
	case t.Place == InFile:
		return nil
	case t.Place == BesideResults && o.Format.ForMachines():
		return nil
	}
	if t.Summary != nil && o.Format == table.Text {
		if err := o.print(ctx, []byte(table.Broken(t.Summary(painter(style)), style.Width))); err != nil {
			return err
		}
	}
	part := o.briefOf(t)
	if len(o.Columns) > 0 {
		if has, _ := part.In(o.Format).Held(o.Format, o.Columns); has == nil {
			return nil // which lacking says
		}
	}
	apart := t.Place == BesideResults && (o.passed || t.Brief != nil && len(t.Brief.Rows) == 0)
	if !apart && (part == t || len(t.Brief.Rows) > 0) {
		data, notes, err := o.encode(ctx, part, style)
		if err != nil {
			return err
		}
		if err := o.print(ctx, data); err != nil {
			return err
		}
		for _, n := range notes {
			o.note("%s", n)
		}
	}
	if !apart && part == t {
		return nil
	}
	name := TableName(o.Names.Study, t.Name)
	switch {
	case o.Files != nil: // which have every row
	case apart || t.Summary != nil:
		o.hidden = append(o.hidden, name)
	default:
		o.note("%s %s shows the whole table, with %s", o.word("table"), name,
			selector.Count(len(t.Content().Rows), "row"))
	}
	return nil
}

// briefOf returns what results have of a table: for people the brief form, if it has one, and rows
// if columns are asked for.
func (o *Output) briefOf(t *Table) *Table {
	if t.Brief != nil && !o.Format.ForMachines() && (t.Summary == nil || o.Format == table.Text) &&
		(len(t.Brief.Rows) > 0 || len(o.Columns) == 0) {
		return &Table{Table: t.Brief}
	}
	return t
}

// painter returns the function that writes a verdict in a style.
func painter(s table.Style) func(string) string {
	if s.Colour {
		return table.Coloured
	}
	return func(verdict string) string { return verdict }
}

// encode returns a table in a style, and notes about what is missing in it.
func (o *Output) encode(ctx context.Context, t *Table,
	style table.Style) (data []byte, notes []string, err error) {
	var b bytes.Buffer
	err = inTime(ctx, func() error {
		if style.Format == table.Text && t.Plain != nil && len(o.Columns) == 0 {
			var text string
			text, notes = t.Plain()
			b.WriteString(text)
			return nil
		}
		content := o.selected(t, style.Format)
		fit, err := content.WriteStyled(&b, style)
		notes = append(content.Losses(style.Format), o.fitNotes(fit, style.Width)...)
		return err
	})
	return b.Bytes(), notes, err
}

// selected returns the content of a table in a format, with those of the columns that are asked for
// that it has. It is whole if it has none, and among messages, since the columns are those of
// results.
func (o *Output) selected(t *Table, f table.Format) *table.Table {
	content := t.In(f)
	if len(o.Columns) == 0 || t.Place == AmongMessages {
		return content
	}
	has, _ := content.Held(f, o.Columns)
	if has == nil {
		return content
	}
	some, _ := content.Select(f, has) // it has them
	return some
}

// In returns the content of a table in a format. In a format for machines it is Machines, if this
// is set.
func (t *Table) In(f table.Format) *table.Table {
	if f.ForMachines() && t.Machines != nil {
		return t.Machines
	}
	return t.Content()
}

// checkColumns fails if columns are asked for of which no table among the results has one.
func (o *Output) checkColumns(r *Report) error {
	if len(o.Columns) == 0 {
		return nil
	}
	var shown []*table.Table
	for _, t := range r.Tables() {
		if o.shows(&t) {
			shown = append(shown, o.briefOf(&t).In(o.Format))
		}
	}
	err := table.CheckSelected(shown, o.Format, o.Columns)
	if err == nil {
		return nil
	}
	for _, t := range r.Tables() {
		if _, lacks := t.In(o.Format).Held(o.Format, o.Columns); t.Place == BesideResults && !o.shows(&t) &&
			len(lacks) == 0 {
			return errs.New("%w; the table %s has all of these columns, and %s %[2]s prints it", err,
				TableName(o.Names.Study, t.Name), o.word("table"))
		}
	}
	return err
}

// fitNotes says what was done to a table for lack of room, and how to see all of it.
func (o *Output) fitNotes(fit table.Fit, width int) (notes []string) {
	if len(fit.Omitted) > 0 {
		note := fmt.Sprintf("left out for %d columns: %s; %s all shows every column", width,
			strings.Join(fit.Omitted, ", "), o.word("columns"))
		notes = append(notes, table.Broken(note, width))
	}
	return notes
}

// print writes results. It gives up if the context ends, because their reader may have stopped
// reading.
func (o *Output) print(ctx context.Context, data []byte) error {
	if o.Terminal {
		data = printable(data)
	}
	return inTime(ctx, func() error {
		_, err := o.Results.Write(data)
		return writeError(err)
	})
}

func (o *Output) stream(ctx context.Context, s Stream) error {
	if o.Terminal {
		var b bytes.Buffer
		w := bufio.NewWriter(&b)
		s(w)
		w.Flush()
		return o.print(ctx, b.Bytes())
	}
	return inTime(ctx, func() error {
		w := bufio.NewWriter(o.Results)
		s(w)
		return writeError(w.Flush())
	})
}

// word returns the name of an option, as messages have it.
func (o *Output) word(option string) string {
	if o.Words == nil {
		return option
	}
	return o.Words(option)
}

func writeError(err error) error {
	if err == nil {
		return nil
	}
	return WriteError{err}
}

// Rounding is the promised accuracy of results; differences smaller than this may be rounding
// errors.
const Rounding = 1e-12

// maxQuoted is the largest number of bytes of a word of a message, which may quote a file, wordEnd
// those of its end, which has the punctuation behind it, and maxMessage is that of the whole
// message.
const (
	maxQuoted  = 200
	wordEnd    = 15
	maxMessage = 8000
)
