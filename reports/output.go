package reports

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"breadboard/chains"
	"breadboard/chains/abandon"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// Output says where and in which form reports are written.
type Output struct {
	Results  io.Writer // receives the results; as a rule standard output
	Messages io.Writer // receives notes, as a rule standard error; errors in writing them are ignored
	Format   table.Format
	Terminal bool         // whether Results are shown on a terminal, to which Parquet is never written
	Files    *Directory   // the folder to which files are written as well; nil for none
	Names    FileNames    // how the tables and figures are called there
	Words    chains.Words // the names of options in messages; nil for the library's own
	// Style is how figures look, and FigureFormats are the formats in which they are written; nil for all of them.
	Style         figure.Style
	FigureFormats []string
}

// WriteError is the error of a result that could not be written.
type WriteError struct{ error }

// Unwrap returns the error within.
func (e WriteError) Unwrap() error { return e.error }

// Write writes every part of a report in its order: results in the format of the output, and notes as messages. Where there
// is a folder for files, it also writes tables, figures and other files to it, each whole or not at all: tables also as CSV and JSON, and
// the data of figures as CSV, whatever the format. It gives up as soon
// as the context ends, also in the middle of a write that nobody reads. It does not mention the report's Fault.
func (o *Output) Write(ctx context.Context, r *Report) error {
	found := false // the study's own table, which is the first among the results
	for _, p := range r.Parts {
		if t, is := p.(Table); is && t.Place == AmongResults && !found {
			found, t.own = true, true
			p = t
		}
		if err := o.write(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (o *Output) write(ctx context.Context, p Part) error {
	switch p := p.(type) {
	case Table:
		return o.table(ctx, &p)
	case Text:
		return o.print(ctx, []byte(p))
	case File:
		return o.made(ctx, &p)
	case Figure:
		return o.figure(ctx, &p)
	case Note:
		o.note("%s", p.In(o.Words))
		return nil
	}
	panic(fmt.Sprintf("reports: no part of a report: %T", p))
}

// note writes one line to Messages.
func (o *Output) note(format string, args ...any) { fmt.Fprintf(o.Messages, format+"\n", args...) }

// inTime does work that changes no file, and abandons it where the context ends.
func inTime(ctx context.Context, work func() error) error {
	var err error
	if ended := abandon.Unless(ctx, func() { err = work() }); ended != nil {
		return ended
	}
	return err
}

// table writes a table where its Place says, and to the folder as files of its name.
func (o *Output) table(ctx context.Context, t *Table) error {
	format := o.Format
	if t.Place == AmongMessages {
		format = table.Text
	}
	data, err := o.encode(ctx, t, format)
	if err != nil {
		return err
	}
	if err := o.show(ctx, t, data); err != nil || o.Files == nil || t.Place == AmongMessages {
		return err
	}
	files := []ending{{o.Format.Extension(), data}}
	for _, more := range []table.Format{table.CSV, table.JSON} {
		if more == o.Format {
			continue
		}
		data, err := o.encode(ctx, t, more)
		if err != nil {
			return err
		}
		files = append(files, ending{more.Extension(), data})
	}
	return o.files(ctx, o.Names.ofTable(t), "", files)
}

// show writes a table that has been encoded where its Place says, apart from its file.
func (o *Output) show(ctx context.Context, t *Table, data []byte) error {
	switch {
	case t.Place == AmongMessages:
		_, err := o.Messages.Write(data)
		return writeError(err)
	case t.Place == InFile:
		return nil
	case t.Place == BesideResults && o.Format.ForMachines():
		o.whole(t)
		return nil
	case o.Format == table.Parquet && o.Terminal:
		o.note("Parquet is not for a terminal: send it to a file with > or %s", o.word("out"))
		return nil
	case t.Brief != nil && !o.Format.ForMachines():
		brief, err := o.encode(ctx, &Table{Table: t.Brief}, o.Format)
		if err != nil {
			return err
		}
		if err := o.print(ctx, brief); err != nil {
			return err
		}
		o.whole(t)
		return nil
	}
	return o.print(ctx, data)
}

// whole writes a note that says how to get a table of which the results have not every row, where no file will have it.
func (o *Output) whole(t *Table) {
	if o.Files == nil {
		o.note("%s DIR writes the whole table %s, with %s, to a file", o.word("out"), t.Name, counted(len(t.content().Rows), "row"))
	}
}

// encode returns a table in a format. Notes about a text that replaces it are written.
func (o *Output) encode(ctx context.Context, t *Table, format table.Format) ([]byte, error) {
	var b bytes.Buffer
	var notes []string
	err := inTime(ctx, func() error {
		switch {
		case format == table.Text && t.Plain != nil:
			var text string
			text, notes = t.Plain()
			b.WriteString(text)
			return nil
		case format.ForMachines() && t.Machines != nil:
			return t.Machines.Write(&b, format)
		}
		return t.content().Write(&b, format)
	})
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		o.note("%s", n)
	}
	return b.Bytes(), nil
}

// print writes results. It gives up where the context ends, because their reader may have stopped reading.
func (o *Output) print(ctx context.Context, data []byte) error {
	return inTime(ctx, func() error {
		_, err := o.Results.Write(data)
		return writeError(err)
	})
}

// ending is how the name of a file ends, with the content of the file.
type ending struct {
	text    string
	content []byte
}

// files writes files whose names begin alike to the folder, and a note that names them. Where data is set it is the name of the file that has what they show.
func (o *Output) files(ctx context.Context, name, data string, list []ending) error {
	var endings []string
	for _, f := range list {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		full := name + f.text
		other := o.Files.belongs(full, o.Names.Of(""))
		if _, err := o.Files.Write(full, f.content); err != nil {
			return WriteError{fmt.Errorf("writing %s: %w", full, err)}
		}
		if other != "" {
			o.note("replaced %s, which was %s", o.Files.Path(full), other)
		}
		if data != "" && full != data {
			o.Files.dataIs(full, data)
		}
		endings = append(endings, f.text)
	}
	o.note("wrote %s", o.Files.Path(name)+enumerated(endings))
	return nil
}

// enumerated writes a list as ".txt, .csv and .json".
func enumerated(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// made computes the content of a file and writes it, where there is a folder.
func (o *Output) made(ctx context.Context, f *File) error {
	if o.Files == nil {
		return nil
	}
	var data []byte
	err := inTime(ctx, func() (err error) {
		data, err = f.Content()
		return err
	})
	if err != nil {
		return err
	}
	return o.files(ctx, f.Name, "", []ending{{"", data}})
}

// figure draws a figure and writes it in every format, where there is a folder. Where it cannot be drawn a note says why.
func (o *Output) figure(ctx context.Context, f *Figure) error {
	if o.Files == nil {
		return nil
	}
	var drawn *figure.Figure
	var undrawable error
	if err := inTime(ctx, func() error { drawn, undrawable = f.Draw(); return nil }); err != nil {
		return err
	}
	if undrawable != nil {
		o.missing(f, undrawable)
		return nil
	}
	var files []ending
	formats := o.FigureFormats
	if formats == nil {
		formats = figure.Formats()
	}
	for _, format := range formats {
		var data []byte
		err := inTime(ctx, func() (err error) {
			data, err = drawn.In(o.Style).Encode(format)
			return err
		})
		if err != nil {
			return err
		}
		files = append(files, ending{"." + format, data})
	}
	name := o.Names.Of(drawn.Name)
	if drawn.Data == nil {
		return o.files(ctx, name, "", files)
	}
	data, err := o.encode(ctx, &Table{Table: drawn.Data}, table.CSV)
	if err != nil {
		return err
	}
	return o.files(ctx, name, name+figureData, append(files, ending{figureData, data}))
}

// figureData is how the name of the file ends that has the data of a figure, behind the name of the figure.
const figureData = "_data.csv"

// missing writes a note that says why a figure is not drawn, and also whether the folder has the figure of an earlier run.
func (o *Output) missing(f *Figure, why error) {
	if f.Missing == "" {
		return
	}
	earlier := ""
	if f.File != "" {
		pattern := o.Files.Path(o.Names.Of(f.File) + ".*")
		if old, _ := filepath.Glob(pattern); len(old) > 0 {
			earlier = fmt.Sprintf("; %s there is from an earlier run", pattern)
		}
	}
	o.note("%s: %s%s", f.Missing, chains.InWords(why, o.Words), earlier)
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
