package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"breadboard/python"
)

// writeRPackage writes the source package for R to a folder: the files in r under version control,
// with the page on R as its document, and without r/hunt, which needs many packages.
func writeRPackage(out string) error {
	listed, err := output("git", "ls-files", "r", ":!r/hunt")
	if err != nil {
		return err
	}
	files, err := rPackageFiles(strings.Split(listed, "\n"))
	if err != nil {
		return err
	}
	data, err := tarred("breadboard/", files, time.Unix(0, 0))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	return write(filepath.Join(out, "breadboard_"+python.Version()+".tar.gz"), data)
}

// rPackageFiles returns the files of the package, given the names of those in r.
func rPackageFiles(names []string) (files []file, err error) {
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{strings.TrimPrefix(name, "r/"), content, 0o644})
		if name == "r/DESCRIPTION" && !bytes.Contains(content, []byte("\nVersion: "+python.Version()+"\n")) {
			return nil, fmt.Errorf("%s has another version than the program, %s", name, python.Version())
		}
	}
	page, err := os.ReadFile("cmd/breadboard/topics/r.md")
	return append(files, file{"inst/doc/breadboard.md", page, 0o644}), err
}
