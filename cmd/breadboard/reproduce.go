package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/checks/reproduce"
	article "breadboard/experiments/checks/reproduce/aide"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/table"
)

// reproduceCommand judges the claims of the papers, and draws their figures if there is a folder
// for them.
func (a *app) reproduceCommand() *cobra.Command {
	d := a.derive("reproduce")
	o := d.o.(*reproduce.Options)
	d.RunE = func(c *cobra.Command, _ []string) error {
		asked := newClaimsRun(a)
		defer asked.removeFolder()
		o.Ask = asked.answerCommand
		found, err := a.answered(c.Context(), d)
		rows, _ := found.([]reproduce.Row)
		if err == nil {
			err = asked.ready()
			if err != nil { // else each claim would lack its verdict for the same reason
				return ioFailure(err)
			}
		}
		asked.removeFolder() // before rows are shown: a reader such as head may end the program there
		report := func(rows []reproduce.Row) *reports.Report {
			return noteDearer(reproduce.Report(rows), o)
		}
		err = showRows(c.Context(), a, rows, err, report)
		if err != nil && !isFault(err) {
			return err
		}
		return errors.Join(asked.drawFigures(c, figuresOf(o, rows)), err)
	}
	a.addJUnit(d.Flags())
	// an argument names its subject
	d.AddCommand(a.deriveOn(a.studyOf("reproduce aide"), comparisons()).Command)
	return d.Command
}

// comparisons is what the argument of a command names, with the data of your own.
func comparisons() subjects {
	var name string
	var own article.Data
	return subjects{
		what: "setting up the study",
		flags: func(c *cobra.Command) {
			c.Use += " NAME"
			c.Args = func(c *cobra.Command, args []string) error {
				if err := takes(1, 1)(c, args); err != nil {
					return err
				}
				name = args[0]
				return nil
			}
			c.Flags().StringVar(&own.HMM, "hmm", "", ": a `FILE` in TOML or JSON, in place of the study's own")
			c.Flags().StringVar(&own.Points, "points", "", "")
		},
		build: func(context.Context, subject.Reader, func(int)) (on any, err error) {
			s, err := article.Load(name, own)
			return []*article.Comparison{s}, err
		},
	}
}

// noteDearer adds a note on the claims that were asked for and take more than the effort.
func noteDearer(r *reports.Report, o *reproduce.Options) *reports.Report {
	if dearer := o.Dearer(); len(dearer) > 0 {
		r.Note("left out, since they take more than --effort %s: %s", o.Effort, strings.Join(dearer, ", "))
	}
	return r
}

// isFault reports whether an error has the exit code of a fault, after which there are results all
// the same.
func isFault(err error) bool {
	f, is := errors.AsType[failure](err)
	return is && f.code == exitFault
}

const (
	maxProgram = 1 << 30 // bounds the bytes of the program
	maxAnswer  = 1 << 28 // bounds the bytes of an answer that is kept
)

// claimsRun runs the commands of claims within the program itself.
type claimsRun struct {
	*app
	ready     func() error       // makes the folders below, once
	folder    string             // with the files that commands name, in the folder inputs
	temporary bool               // whether the folder is removed at the end
	answers   *reports.Directory // where answers are kept; nil if they are not
	program   string             // a hash of the program, since another one may answer otherwise
}

// newClaimsRun returns a run that has no folders yet.
func newClaimsRun(a *app) *claimsRun {
	r := &claimsRun{app: a}
	r.ready = sync.OnceValue(r.makeFolders)
	return r
}

// makeFolders makes the folders of the run: those of --out, or a temporary one.
func (r *claimsRun) makeFolders() (err error) {
	parent := cmp.Or(r.output.dir, os.TempDir())
	if strings.Contains(parent, ",") {
		return errs.New(
			"the folder %s has a comma in its name, at which the lists of selectors in commands are cut; "+
				"choose another name",
			parent,
		)
	}
	r.folder = r.output.dir
	if r.folder == "" {
		r.folder, err = os.MkdirTemp("", "breadboard-papers-")
		if err != nil {
			return err
		}
		r.temporary = true
		r.leftovers.addCleanup(r.removeFolder)
		return writeInputs(r.folder)
	}
	r.answers, err = reports.OpenDirectory(filepath.Join(r.folder, "answers"))
	if err != nil {
		return err
	}
	r.program, err = r.programHash()
	if err != nil {
		return err
	}
	return writeInputs(r.folder)
}

// removeFolder removes a temporary folder.
func (r *claimsRun) removeFolder() {
	if r.temporary {
		os.RemoveAll(r.folder) // it may be there no more, and nothing of it is needed
	}
}

// writeInputs writes the files that commands of claims name to the folder inputs.
func writeInputs(folder string) error {
	files := reproduce.Inputs()
	return fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		to, err := reports.OpenDirectory(filepath.Join(folder, filepath.Dir(path)))
		if err == nil {
			_, err = to.Write(filepath.Base(path), data)
		}
		return err
	})
}

// programHash returns a hash of the running program.
func (r *claimsRun) programHash() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	hashed := reports.HashInput(path, r.now(), maxProgram)
	if hashed.SHA256 == "" {
		return "", fmt.Errorf("%s: %s", path, hashed.Note)
	}
	return hashed.SHA256, nil
}

// answerCommand answers a command of a claim in JSON: from the answers that are kept, or by running
// it.
func (r *claimsRun) answerCommand(ctx context.Context, command string) ([]byte, error) {
	if err := r.ready(); err != nil {
		return nil, ioFailure(err)
	}
	key := sha256.Sum256([]byte(r.program + "\n" + command))
	name := hex.EncodeToString(key[:16]) + ".json"
	if r.answers != nil {
		if kept, err := selector.ReadFile(r.answers.Path(name), maxAnswer); err == nil {
			if rows, err := reproduce.ParseTable(kept); err == nil && len(rows) > 0 {
				// else it is foreign or cut off, and computed anew
				return kept, nil
			}
		}
	}
	answer, err := r.runCommand(ctx, append(r.words(command), "--format", string(table.JSON)), "")
	if err == nil && r.answers != nil {
		_, err = r.answers.Write(name, answer)
	}
	return answer, err
}

// words returns the words of a command, in which names of files of the folder inputs become paths.
func (r *claimsRun) words(command string) []string {
	list := strings.Fields(command)
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "inputs/", filepath.Join(r.folder, "inputs")+"/")
	}
	return list
}

// runCommand runs a command line, and returns what it writes to standard output. That a check of it
// finds a fault is no error. about is noted in the record of the run.
func (r *claimsRun) runCommand(ctx context.Context, words []string, about string) ([]byte, error) {
	var out, messages bytes.Buffer
	inner := newApp(ctx, words, &out, &messages, r.leftovers)
	inner.about = about
	if code := inner.runCommand(ctx); code != exitDone && (code != exitFault || out.Len() == 0) {
		lines := strings.Split(strings.TrimSpace(messages.String()), "\n")
		return nil, errors.New(strings.TrimPrefix(lines[len(lines)-1], "breadboard: "))
	}
	return out.Bytes(), ctx.Err()
}

// figuresOf returns the figures of the papers that have rows, within the effort.
func figuresOf(o *reproduce.Options, rows []reproduce.Row) []reproduce.Figure {
	return slices.DeleteFunc(reproduce.Figures(), func(f reproduce.Figure) bool {
		return !f.Within(o.Effort) ||
			!slices.ContainsFunc(rows, func(r reproduce.Row) bool { return r.Paper() == f.Paper })
	})
}

// drawFigures draws figures to the folder of the run, if it has one. Each is a run of its own in
// the record.
func (r *claimsRun) drawFigures(c *cobra.Command, figures []reproduce.Figure) error {
	if r.output.dir == "" || len(figures) == 0 {
		return nil
	}
	add, done := r.progress("figures", len(figures))
	defer done()
	drawn := append([]string{"--out", r.output.dir}, figureWords(c)...)
	for _, f := range figures {
		about := fmt.Sprintf("%s of paper %s: %s", f.Name, f.Paper, f.Shows)
		if _, err := r.runCommand(c.Context(), append(r.words(f.Command), drawn...), about); err != nil {
			return fmt.Errorf("%s of paper %s: breadboard %s: %w", f.Name, f.Paper, f.Command, err)
		}
		add(1)
	}
	return nil
}
