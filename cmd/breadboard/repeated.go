package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/experiments/sweep"
)

// onceEach takes out of the lists that flags hold what they hold twice, and returns a note about each. A list of columns is left as it is:
// their places count.
func (a *app) onceEach(c *cobra.Command) (notes []string) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Changed || f.Name == "columns" {
			return
		}
		switch v := f.Value.(type) {
		case interface{ Repeated() []string }:
			for _, text := range v.Repeated() {
				notes = append(notes, twice(f, text))
			}
		case pflag.SliceValue:
			if v := f.Value.(pflag.SliceValue); f.Value.Type() == "stringSlice" {
				kept, repeated := study.Distinct(v.GetSlice(), strings.TrimSpace)
				for _, text := range repeated {
					notes = append(notes, twice(f, text))
				}
				if f.Name == "toy" {
					var again []string
					kept, again = a.distinctToys(kept)
					notes = append(notes, again...)
				}
				if err := v.Replace(kept); err != nil {
					panic(err) // the texts have been taken before
				}
			}
		}
	})
	return notes
}

// twice says that a value is given twice.
func twice(f *pflag.Flag, text string) string {
	name := "--" + f.Name
	if s := shortName(f); s != f.Name {
		name = "-" + s
	}
	return name + " " + text + " is given twice; it is done once"
}

// distinctToys leaves out toys that are other spellings of toys before them, and returns a note about each. Toys are parsed only where two have a form in
// common and the list is not long, and what cannot be parsed is left for the study to refuse.
func (a *app) distinctToys(list []string) (kept, notes []string) {
	form := func(toy string) string { name, _, _ := strings.Cut(strings.TrimSpace(toy), ":"); return name }
	common := map[string]int{}
	for _, toy := range list {
		common[form(toy)]++
	}
	first := map[string]string{} // the spelling that stands first, by the toy's own name
	for _, toy := range list {
		name := toy
		if common[form(toy)] > 1 && len(list) <= maxSpelled {
			name = a.nameOfToy(toy)
		}
		if before, again := first[name]; again {
			notes = append(notes, "--toy "+toy+" is "+before+" again; it is done once")
			continue
		}
		first[name] = toy
		kept = append(kept, toy)
	}
	return kept, notes
}

// maxSpelled bounds the length of lists of toys whose spellings are compared, which takes parsing them once more.
const maxSpelled = 100

// nameOfToy returns the name that a toy gives itself, in which the path of a file has its shortest form, and the selector where it cannot be parsed.
func (a *app) nameOfToy(toy string) string {
	toy = strings.TrimSpace(toy)
	if files := sweep.FilesOf(toy); len(files) > 0 {
		for _, path := range files {
			toy = strings.Replace(toy, path, filepath.Clean(path), 1)
		}
		return toy
	}
	parsed, err := experiments.ParseToy(a.ctx, toy)
	if err != nil {
		return toy
	}
	return parsed.Name
}
