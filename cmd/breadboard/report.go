package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/errs"
	"breadboard/cmd/catalogue"
	"breadboard/experiments/study"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports"
	"breadboard/reports/page"
	"breadboard/reports/table"
)

func (a *app) reportCommand() *cobra.Command {
	var out, title string
	c := &cobra.Command{
		Use:   "report DIR|FILE... --out FILE",
		Short: "Make one HTML file of results, with their tables and figures",
		Long: `report makes one HTML file of what other commands have written, which opens in
any browser without a network.

It takes folders of --out, folders of sweeps (those of one sweep are put
together), tables in JSON or CSV, and figures in SVG or PNG. Tables can be
sorted, filtered, summarised and saved. Each run has its command, version,
seed, date and the hashes of its inputs. A file that is missing, or was changed
after the run, is named.

See breadboard help output.`,
		Example: `  breadboard tightness --out results
  breadboard report results --out report.html
  breadboard report results grid --out report.html
  breadboard report results --title "Ising, 3 by 3" --out report.html
  breadboard report before.json after.json --out report.html`,
		Args: takes(1, math.MaxInt),
		RunE: func(c *cobra.Command, paths []string) error {
			if err := ownFlagsOnly(c); err != nil {
				return badInput(err)
			}
			return a.report(c.Context(), paths, out, title)
		},
	}
	c.Flags().StringVar(&title, "title", "breadboard report", "")
	c.Flags().StringVar(&out, "out", "", ": the page, a `FILE`")
	return annotate(annotate(c, pathArguments), unrecorded)
}

// ownFlagsOnly fails if a flag of all commands is given, which say how tables and figures are made.
func ownFlagsOnly(c *cobra.Command) (err error) {
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			err = errs.New("--%s says how results are made, and report shows those that are there; leave it out",
				f.Name)
		}
	})
	return err
}

// shown is what pages have to know of the studies.
func (a *app) shown() page.Catalogue {
	return page.Catalogue{
		SweepFiles: sweep.ResultFiles,
		Sweep: func(folders ...string) (*page.Sweep, error) {
			m, err := sweep.Merge(a.sweeps(), folders...)
			if err != nil {
				return nil, err
			}
			return &page.Sweep{
				ID:      m.Sweep.ID().String(),
				Study:   m.Sweep.Study().Name,
				Cells:   m.Sweep.Len(),
				Missing: m.Missing,
				First:   fmt.Sprint(m.First),
				Results: sweep.Table(m),
			}, nil
		},
		Tables: func(command string) (list [][]table.Column) {
			for _, s := range catalogue.SchemasOf(command) {
				list = append(list, append(s.Columns(), study.UntilColumns()...))
			}
			return list
		},
	}
}

func (a *app) report(ctx context.Context, paths []string, out, title string) error {
	if err := checkReportFile(paths, out); err != nil {
		return err
	}
	p := page.Page{
		Title:   title,
		Made:    a.now(),
		Version: version(),
		Command: reports.CommandLine(append([]string{"breadboard"}, a.args...)),
	}
	var html bytes.Buffer
	err := a.inTime(ctx, func() (err error) {
		p.Sections, err = page.Load(a.shown(), paths)
		if err != nil {
			return err
		}
		return p.Write(&html)
	})
	if errors.Is(err, fs.ErrPermission) {
		return ioFailure(err)
	}
	if err != nil {
		return badInput(err)
	}
	file, err := reports.FileBehind(out)
	if err != nil {
		return ioFailure(err)
	}
	folder, err := reports.OpenDirectory(filepath.Dir(file))
	if err != nil {
		return ioFailure(err)
	}
	a.leftovers.addCleanup(folder.Abandon)
	if _, err := folder.Write(filepath.Base(file), html.Bytes()); err != nil {
		return ioFailure(err)
	}
	a.note("wrote %s", filepath.Clean(out))
	return nil
}

// checkReportFile fails if a page cannot be written to a file.
func checkReportFile(paths []string, out string) error {
	if out == "" {
		return badInput(errors.New("give the file for the page, as in --out report.html"))
	}
	info, err := os.Stat(out)
	if err == nil && info.IsDir() {
		return ioFailure(errs.New("--out %s is a folder; give a file, as in --out %s",
			out, filepath.Join(out, "report.html")))
	}
	if err != nil {
		return nil // there is nothing at that path, or writing will say why not
	}
	if !info.Mode().IsRegular() {
		return ioFailure(errs.New(
			"--out %s is not a regular file, and the page would stand in its place; give another file, as in "+
				"--out report.html",
			out,
		))
	}
	for _, path := range paths {
		if within(path, out, info) {
			return badInput(errs.New("--out %s is one of the results, and would be replaced; give another file", out))
		}
	}
	return nil
}

// within reports whether a file that is there is a result, or stands in a folder of results and is
// no page.
func within(result, file string, info os.FileInfo) bool {
	other, err := os.Stat(result)
	if err != nil {
		return false
	}
	if !other.IsDir() {
		return os.SameFile(info, other)
	}
	folder, err := os.Stat(filepath.Dir(file))
	return err == nil && os.SameFile(folder, other) && !strings.EqualFold(filepath.Ext(file), ".html")
}
