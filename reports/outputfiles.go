package reports

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// ending is how the name of a file ends, with the content of the file, or else what writes it.
type ending struct {
	text    string
	content []byte
	stream  Stream
}

// files writes files whose names begin alike to the folder.
func (o *Output) files(ctx context.Context, name string, list []ending) error {
	var endings []string
	for _, f := range list {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		full := name + f.text
		other := o.Files.belongs(full, o.Names.Question)
		if f.stream == nil {
			f.stream = func(w *bufio.Writer) { w.Write(f.content) }
		}
		if _, err := o.Files.stream(ctx, full, f.stream); ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return ctx.Err()
		} else if err != nil {
			return WriteError{fmt.Errorf("writing %s: %w", full, err)}
		}
		if other != "" {
			o.note("replaced %s, which was %s", o.Files.Path(full), other)
		}
		endings = append(endings, f.text)
	}
	o.written = append(o.written, name+selector.Listed(endings))
	return nil
}

// made computes the content of a file and writes it, if there is a folder.
func (o *Output) made(ctx context.Context, f *File) error {
	if o.Files == nil {
		return nil
	}
	e := ending{stream: f.Stream}
	if f.Stream == nil {
		err := inTime(ctx, func() (err error) {
			e.content, err = f.Content()
			return err
		})
		if err != nil {
			return err
		}
	}
	return o.files(ctx, o.Names.OfFile(f.Name), []ending{e})
}

// figure draws a figure and writes it in every format, if there is a folder. If it cannot be drawn
// a note says why.
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
		files = append(files, ending{text: "." + format, content: data})
	}
	for _, n := range drawn.Notes {
		o.say(drawn.Name + ": " + n)
	}
	name := o.Names.NameOf(drawn.Name)
	shown := files
	dataName := ""
	if drawn.Data != nil {
		var data bytes.Buffer
		if err := inTime(ctx, func() error { return drawn.Data.Write(&data, table.CSV) }); err != nil {
			return err
		}
		end := o.Names.hyphened("_data") + ".csv"
		dataName, files = name+end, append(files, ending{text: end, content: data.Bytes()})
	}
	err := o.files(ctx, name, files)
	for _, one := range shown {
		o.Files.shows(name+one.text, f.Title, dataName)
	}
	return err
}

// missing writes a note that says why a figure is not drawn, and also whether the folder has the
// figure of an earlier run.
func (o *Output) missing(f *Figure, why error) {
	if f.Missing == "" {
		return
	}
	earlier := ""
	if f.File != "" {
		name := o.Names.NameOf(f.File) // which a table may have too, with other endings
		if slices.ContainsFunc(figure.Formats(), func(format string) bool { return o.Files.has(name + "." + format) }) {
			earlier = fmt.Sprintf("; %s there is from an earlier run", o.Files.Path(name+".*"))
		}
	}
	o.say(fmt.Sprintf("%s: %s%s", f.Missing, errs.InWords(why, o.Words), earlier))
}
