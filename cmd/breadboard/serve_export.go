package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/reports"
)

// exportPage copies the page that computes in the browser to a new folder.
func (a *app) exportPage(c *cobra.Command, to string) error {
	for _, name := range []string{"host", "port", "workers", "out"} {
		if c.Flags().Changed(name) {
			return badInput(errs.New("--%s has no meaning for a page in a folder; leave it out with --export", name))
		}
	}
	if found, err := os.ReadDir(to); len(found) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return badInput(errs.New("--export %s: there is something already; give the name of a new folder", to))
	}
	from, err := pageFolder()
	if err != nil {
		return err
	}
	if err := a.copyWhole(from, to); err != nil {
		return ioFailure(fmt.Errorf("writing the page: %w", err))
	}
	a.note("the page is in %s; any server of files can serve it, such as python3 -m http.server --directory %s",
		to, to)
	return nil
}

// copyWhole copies the files of a folder to an empty one, or one that does not exist: all or none.
func (a *app) copyWhole(from, to string) error {
	d, err := reports.OpenDirectory(to)
	if err != nil {
		return err
	}
	part, err := os.MkdirTemp(to, ".breadboard-page-")
	removal := func() {
		_ = os.RemoveAll(part) // it is not whole, or empty
		d.Abandon()
	}
	a.leftovers.addCleanup(removal)
	defer removal()
	if err == nil {
		err = os.CopyFS(part, os.DirFS(from))
	}
	if err != nil {
		return err
	}
	files, err := os.ReadDir(part)
	for _, f := range files {
		err = cmp.Or(err, os.Rename(filepath.Join(part, f.Name()), filepath.Join(to, f.Name())))
	}
	return err
}

// pageFolder returns the folder of the page that computes in the browser. The program does not
// contain it, since it would be larger by a sixth: it stands beside the program in a release, where
// packages put shared files, or where .ci/dist makes it.
func pageFolder() (string, error) {
	program, err := os.Executable()
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	if err != nil {
		return "", ioFailure(fmt.Errorf("finding the folder of the program: %w", err))
	}
	for _, at := range []string{"page", "../share/breadboard/page", "dist/page"} {
		folder := filepath.Join(filepath.Dir(program), at)
		if _, err := os.Stat(filepath.Join(folder, "index.html")); err == nil {
			return folder, nil
		}
	}
	return "", ioFailure(errs.New(
		"the folder page is not beside %s; in a clone go run ./.ci/dist page makes it, in about two minutes, "+
			"beside what go build ./cmd/breadboard makes; the archive of a release, the wheel and the conda "+
			"package have it",
		program,
	))
}
