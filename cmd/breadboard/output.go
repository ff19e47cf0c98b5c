package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/abandon"
	"breadboard/experiments"
	"breadboard/reports"
)

// output is where results go: the flags --format and --out.
type output struct {
	format formatValue
	dir    string
	files  *reports.Directory
}

// formatValue is a flag that takes the name of a format.
type formatValue struct{ reports.Format }

func (v *formatValue) String() string { return string(v.Format) }
func (v *formatValue) Type() string   { return "FORMAT" }
func (v *formatValue) Set(s string) (err error) {
	v.Format, err = reports.ParseFormat(s)
	return err
}

func (o *output) addFlags(c *cobra.Command) {
	o.format.Format = reports.Text
	flags := c.PersistentFlags()
	flags.Var(&o.format, "format", "how results are written: "+strings.Join(reports.Formats(), ", "))
	flags.Var((*directoryValue)(&o.dir), "out", "also write results and figures to this `DIR`, each file whole or not at all")
	completeOne(c, "format", plain(reports.Formats()))
}

// open finds out whether --out can be written to. It is called when the input is known to be good and before
// anything is computed.
func (o *output) open(left *leftovers) (err error) {
	if info, err := os.Stat(o.dir); err == nil && !info.IsDir() {
		return ioFailure(fmt.Errorf("--out %s is a file; give a directory", o.dir))
	}
	if o.dir != "" {
		if o.files, err = reports.OpenDirectory(o.dir); err == nil {
			left.add(o.files.Abandon)
		}
	}
	return ioFailure(err)
}

// inTime does work that writes nothing but standard output, and abandons it where the run is interrupted.
func (a *app) inTime(work func() error) error {
	var err error
	if ended := abandon.Unless(a.ctx, func() { err = work() }); ended != nil {
		return ended
	}
	return err
}

// made writes a table that takes long to make.
func (a *app) made(name string, table func() *reports.Table) error {
	var t *reports.Table
	if err := a.inTime(func() error { t = table(); return nil }); err != nil {
		return err
	}
	return a.table(name, t)
}

// table writes a table to standard output, and to --out under the given name.
func (a *app) table(name string, t *reports.Table) error {
	var b bytes.Buffer
	if err := a.inTime(func() error { return t.Write(&b, a.output.format.Format) }); err != nil {
		return err
	}
	if a.output.format.Format == reports.Parquet && isTerminal(a.stdout) {
		a.note("Parquet is not for a terminal: send it to a file with > or --out")
	} else if err := a.print(b.Bytes()); err != nil {
		return err
	}
	return a.file(name+a.output.format.Extension(), b.Bytes())
}

// print writes results to standard output, whose reader may never read them.
func (a *app) print(data []byte) error {
	return a.inTime(func() error {
		_, err := a.stdout.Write(data)
		return ioFailure(err)
	})
}

// file writes a file to --out, where that is given, and says so.
func (a *app) file(name string, data []byte) error {
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	}
	if a.output.files == nil {
		return nil
	}
	path, err := a.output.files.Write(name, data)
	if err != nil {
		return ioFailure(fmt.Errorf("writing %s: %w", name, err))
	}
	a.note("wrote %s", path)
	return nil
}

// figure writes a figure to --out in every format.
func (a *app) figure(f *reports.Figure) error {
	for _, format := range reports.FigureFormats() {
		var data []byte
		err := a.inTime(func() (err error) {
			data, err = f.Encode(format)
			return err
		})
		if err != nil {
			return err
		}
		if err := a.file(f.Name+"."+format, data); err != nil {
			return err
		}
	}
	return nil
}

// noFigure says why a figure is not drawn, and that --out has one from before, where it does.
func (a *app) noFigure(what, name string, err error) {
	earlier := ""
	if old, _ := filepath.Glob(a.pathOf(name + ".*")); len(old) > 0 {
		earlier = fmt.Sprintf("; %s there is from an earlier run", a.pathOf(name+".*"))
	}
	a.note("no %s: %v%s", what, err, earlier)
}

// caseFigure writes the figure of one case to --out, or says why there is none.
func (a *app) caseFigure(c *experiments.Case, f *reports.Figure, err error) error {
	if err != nil {
		a.note("%s: no figure: %v", c, err)
		return nil
	}
	return a.figure(f)
}

// pathOf returns where file writes a name.
func (a *app) pathOf(name string) string { return filepath.Join(a.output.dir, name) }
