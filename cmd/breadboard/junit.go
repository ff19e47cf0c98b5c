package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/reports"
	"breadboard/reports/check"
)

// junit is the file of --junit, which says to continuous integration what a check has found.
type junit struct {
	file  string
	suite string // the words of the command
	name  string // of the file in its folder, links followed
	// nil if there is no file, where the folder cannot be written to, and once the file is written
	folder *reports.Directory
}

// junitStart is how files of JUnit begin, as a regular expression: other XML and text may also have
// the name.
const junitStart = `^(\xef\xbb\xbf)?(\s|<\?[^>]*>|<!--(?s:.*?)-->)*<testsuites?[\s/>]`

// addJUnit adds the flag --junit to a check.
func (a *app) addJUnit(f *pflag.FlagSet) {
	f.StringVar(&a.output.junit.file, "junit", "", "")
	onlyPresents(f, "junit")
}

// openJUnit makes the folder of --junit, before anything is computed, and refuses a file that must
// not be replaced.
func (a *app) openJUnit(c *cobra.Command) error {
	j := &a.output.junit
	j.suite = commandName(c)
	if j.file == "" {
		return nil
	}
	// openFile refuses what is no regular file
	if info, err := os.Stat(j.file); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		start := make([]byte, 1<<10)
		f, err := selector.OpenFile(j.file, math.MaxInt64)
		if err == nil {
			_, err = f.Read(start)
			f.Close()
		}
		if is, _ := regexp.Match(junitStart, start); err != nil || !is {
			return badInput(errs.New("--junit %s is no JUnit file, and would be replaced; give another file", j.file))
		}
	}
	var err error
	j.folder, j.name, err = a.openFile("--junit "+j.file, j.file)
	return err
}

// openFile makes the folder of a file that a flag names, and returns it with the name of the file
// in it, links followed. It refuses a file that must not be replaced.
func (a *app) openFile(flag, file string) (folder *reports.Directory, name string, err error) {
	if info, err := os.Stat(file); err == nil {
		if !info.Mode().IsRegular() {
			return nil, "", ioFailure(errs.New("%s is not a regular file; give a file", flag))
		}
		for _, in := range a.output.inputs {
			if other, err := os.Stat(in.path); err == nil && os.SameFile(info, other) {
				return nil, "", badInput(errs.New(
					"%s is one of the files that are read, and would be replaced; give another file",
					flag,
				))
			}
		}
	}
	behind, err := reports.FileBehind(file)
	if err == nil {
		folder, err = reports.OpenDirectory(filepath.Dir(behind))
	}
	if err != nil {
		return nil, "", ioFailure(fmt.Errorf("%s: %w", flag, err))
	}
	a.leftovers.addCleanup(folder.Abandon)
	return folder, filepath.Base(behind), nil
}

// writeJUnit writes what a report says was checked.
func (a *app) writeJUnit(r *reports.Report) error {
	if a.output.junit.folder == nil {
		return nil
	}
	s := check.Suite{Cases: r.Checked}
	for _, p := range r.Parts {
		if note, is := p.(reports.Note); is {
			s.Notes = append(s.Notes, note.In(inFlags))
		}
	}
	if r.Fault != nil {
		text := reports.OneLine(errs.InWords(r.Fault, inFlags))
		s.Notes = append(s.Notes, text)
		if !check.Faulty(r.Checked) {
			s.Failure = text
		}
	}
	return a.writeSuite(s)
}

// writeSuite writes the file of --junit.
func (a *app) writeSuite(s check.Suite) error {
	j := &a.output.junit
	folder := j.folder
	j.folder = nil
	s.Name, s.Command = j.suite, reports.CommandLine(append([]string{"breadboard"}, a.args...))
	var text bytes.Buffer
	err := check.WriteJUnit(&text, s)
	if err == nil {
		_, err = folder.Write(j.name, text.Bytes())
	}
	if err != nil {
		return ioFailure(fmt.Errorf("--junit: %w", err))
	}
	a.note("wrote %s", j.file)
	return nil
}

// endJUnit has the file of --junit say with which error a run has ended that has shown no results,
// so that no older file is taken for its own. It returns the error.
func (a *app) endJUnit(ctx context.Context, err error) error {
	if err == nil || a.output.junit.folder == nil {
		return err
	}
	text := reports.OneLine(errs.InWords(err, inFlags))
	if ctx.Err() != nil {
		text = "interrupted"
	}
	return errors.Join(err, a.writeSuite(check.Suite{Error: text}))
}
