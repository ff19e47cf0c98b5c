package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/experiments/external"
	"breadboard/experiments/sweep"
	"breadboard/reports"
)

// standardInput is the argument for standard input, where a command takes it in place of a file.
const standardInput = "-"

// pathArguments is the annotation of commands whose arguments are files and folders; those behind -- are not.
const pathArguments = "breadboard_path_arguments"

// input is a file or a folder that a run reads, or what is there instead of one.
type input struct {
	path string
	note string // says what it is where it is no file
}

// inputsOf returns what the arguments and flags of a run name: files, by themselves and in selectors, and programs.
func inputsOf(c *cobra.Command, args []string) []input {
	var list []input
	add := func(in ...input) {
		for _, i := range in {
			if !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
	}
	own := len(args)
	if dash := c.ArgsLenAtDash(); dash >= 0 {
		own = dash
		add(input{strings.Join(args[dash:], " "), aProgram})
	}
	for _, arg := range args[:own] {
		switch named := namedIn(arg); {
		case len(named) > 0 || !has(c, pathArguments):
			add(named...)
		case arg != standardInput:
			add(input{path: arg})
		}
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, marked := f.Annotations[presents]; marked || !f.Changed {
			return // what it names is no input
		}
		placeholder, _ := pflag.UnquoteUsage(f)
		for _, text := range texts(f) {
			if placeholder == "FILE" {
				add(input{path: text})
			} else {
				add(namedIn(strings.TrimSpace(text))...)
			}
		}
	})
	if f := c.LocalFlags().Lookup("stdin"); f != nil && f.Changed {
		add(input{"standard input", "a stream, which has no hash"})
	}
	return list
}

// aProgram is the note of a program.
const aProgram = "a program, which has no hash"

// namedIn returns the files and the program that a selector names.
func namedIn(selector string) []input {
	if command, is := external.CommandOf(selector); is {
		return []input{{command, aProgram}}
	}
	var list []input
	for _, path := range sweep.FilesOf(selector) {
		list = append(list, input{path: path})
	}
	return list
}

// maxListed is the largest number of files of a folder that are listed.
const maxListed = 10_000

// withFolders puts the files that a run reads in the place of each folder of a sweep, and behind any other folder all that stand in it. Such a
// folder itself has a note instead of a hash.
func withFolders(inputs []input) (list []input) {
	for _, in := range inputs {
		info, err := os.Stat(in.path)
		if in.note != "" || err != nil || !info.IsDir() {
			list = append(list, in)
			continue
		}
		if results := sweep.ResultFiles(in.path); results != nil {
			for _, path := range results {
				list = append(list, input{path: path})
			}
			continue
		}
		names := filesIn(in.path)
		note := "a folder, whose files follow"
		switch {
		case len(names) == 0:
			note = "a folder without files"
		case len(names) > maxListed:
			names, note = nil, fmt.Sprintf("a folder with %d files, which are too many to list", len(names))
		}
		list = append(list, input{in.path, note})
		for _, name := range names {
			list = append(list, input{path: filepath.Join(in.path, name)})
		}
	}
	return list
}

// filesIn returns the names of the files of a folder, apart from hidden ones and the records of runs, in their order.
func filesIn(dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // the note of the folder says that it has no files
	}
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") && e.Name() != reports.RunRecordName {
			names = append(names, e.Name())
		}
	}
	return names
}

// hashed describes inputs with the hashes of the files. Where a run was interrupted it must end soon, and large files are not read again.
func hashed(inputs []input, began time.Time, interrupted bool) []reports.RunInput {
	list := []reports.RunInput{}
	for _, in := range withFolders(inputs) {
		switch {
		case in.note != "":
			list = append(list, reports.RunInput{Path: in.path, Note: in.note})
		case interrupted:
			list = append(list, reports.HashInput(in.path, began, maxHurried))
		default:
			list = append(list, reports.HashInput(in.path, began, maxHashed))
		}
	}
	return list
}

// These are the sizes of the largest files that are hashed, of which the second takes a tenth of a second.
const (
	maxHashed  = 1 << 40
	maxHurried = 32 << 20
)
