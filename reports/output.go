package reports

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"breadboard/chains"
	"breadboard/chains/abandon"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// Output is where reports go.
type Output struct {
	Results  io.Writer // standard output, as a rule
	Messages io.Writer // standard error, as a rule; that it cannot be written is no reason to fail
	Format   table.Format
	Terminal bool         // Results are shown on a terminal, for which Parquet is not
	Files    *Directory   // where files go too; nil for none
	Words    chains.Words // how options are called in messages; nil is as the library calls them
}

// WriteError is the error of a result that could not be written.
type WriteError struct{ error }

// Unwrap returns the error within.
func (e WriteError) Unwrap() error { return e.error }

// Write writes every part of a report in its order: results in the format of the output, notes as messages, and where
// there is a folder for files tables, figures and other files, each whole or not at all. It gives up as soon as the
// context ends, also in the midst of a write that nobody reads. It says nothing of the report's Fault.
func (o *Output) Write(ctx context.Context, r *Report) error {
	for _, p := range r.Parts {
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

// note writes a line among the messages.
func (o *Output) note(format string, args ...any) { fmt.Fprintf(o.Messages, format+"\n", args...) }

// inTime does work that writes nothing that lasts, and abandons it where the context ends.
func inTime(ctx context.Context, work func() error) error {
	var err error
	if ended := abandon.Unless(ctx, func() { err = work() }); ended != nil {
		return ended
	}
	return err
}

// table writes a table to its place, and to the folder under its name.
func (o *Output) table(ctx context.Context, t *Table) error {
	data, err := o.encode(ctx, t)
	if err != nil {
		return err
	}
	switch {
	case t.Place == AmongMessages:
		_, err := o.Messages.Write(data)
		return writeError(err)
	case t.Place == InFile:
	case o.Format == table.Parquet && o.Terminal:
		o.note("Parquet is not for a terminal: send it to a file with > or %s", o.word("out"))
	default:
		if err := o.print(ctx, data); err != nil {
			return err
		}
	}
	return o.file(ctx, t.Name+o.Format.Extension(), data)
}

// encode returns a table in the format in which it is written.
func (o *Output) encode(ctx context.Context, t *Table) ([]byte, error) {
	format := o.Format
	if t.Place == AmongMessages {
		format = table.Text
	}
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
		return t.Write(&b, format)
	})
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		o.note("%s", n)
	}
	return b.Bytes(), nil
}

// print writes results, whose reader may never read them.
func (o *Output) print(ctx context.Context, data []byte) error {
	return inTime(ctx, func() error {
		_, err := o.Results.Write(data)
		return writeError(err)
	})
}

// file writes a file to the folder, where there is one, and says so.
func (o *Output) file(ctx context.Context, name string, data []byte) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if o.Files == nil {
		return nil
	}
	path, err := o.Files.Write(name, data)
	if err != nil {
		return WriteError{fmt.Errorf("writing %s: %w", name, err)}
	}
	o.note("wrote %s", path)
	return nil
}

// made makes a file and writes it, where there is a folder for it.
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
	return o.file(ctx, f.Name, data)
}

// figure draws a figure and writes it in every format, where there is a folder for it, or says why it cannot be drawn.
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
	for _, format := range figure.Formats() {
		var data []byte
		err := inTime(ctx, func() (err error) {
			data, err = drawn.Encode(format)
			return err
		})
		if err != nil {
			return err
		}
		if err := o.file(ctx, drawn.Name+"."+format, data); err != nil {
			return err
		}
	}
	return nil
}

// missing says why a figure is not drawn, and that the folder has one from before, where it does.
func (o *Output) missing(f *Figure, why error) {
	if f.Missing == "" {
		return
	}
	earlier := ""
	if f.File != "" {
		pattern := o.Files.Path(f.File + ".*")
		if old, _ := filepath.Glob(pattern); len(old) > 0 {
			earlier = fmt.Sprintf("; %s there is from an earlier run", pattern)
		}
	}
	o.note("%s: %s%s", f.Missing, chains.InWords(why, o.Words), earlier)
}

// word returns how an option is called.
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
